"""What a class has handed in: read file by file, judged anew where it can be, and shown as a table of the class."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unicodedata import normalize
from zipfile import ZipFile

import polars as pl
import pytest

import combatkit as ck
from combatkit.study import keeping
from combatkit.study.quiz.gathering import MIME
from combatkit.study.quiz.handed_in import class_table
from combatkit.text import kit_language
from combatkit.widgets.exercise import panel_of
from tests.test_exercises import solve
from tests.wire import hear, recording

SYSTEMS = ["saga", "d6"]
CLASS = ["Anna", "Ben", "Cleo"]


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(keeping, "_REMEMBERED", {})
    yield from recording(monkeypatch)


def book(path: Path, *records: Any) -> None:
    """Write a notebook in which something stands that was handed in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    outputs = [{"data": {MIME: record, "text/plain": "told"}} for record in records]
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "outputs": outputs}]}), encoding="utf-8")


def answered(student: str, right: int, wrong: int = 0, **more: Any) -> dict[str, Any]:
    """Give what a quiz of four questions hands in, so many of them answered by hand."""
    asked = ck.quiz(SYSTEMS, n=4, student=student, **more)
    for i, item in enumerate(asked.items[: right + wrong]):
        ruling = item.ruling
        given = {"allowed": ruling.allowed, "rule": ruling.rule}
        other = {"allowed": not ruling.allowed, "rule": item.choices[0]}
        hear(asked, {"kind": "answer", "question": i, **(given if i < right else other)})
    found: dict[str, Any] = json.loads(json.dumps(asked._record()))
    return found


def solved(student: str | None, moves: int) -> Any:
    task = ck.exercise("saga-move-twice", student=student)
    for _ in range(moves):
        task.encounter.do("Mara", "move")
    return json.loads(json.dumps(panel_of(task)._record()))


def rows(frame: Any, *columns: str) -> list[Any]:
    found: list[Any] = frame.select(*columns).rows()
    return found


def test_a_student_whose_name_a_mac_has_spelled_is_one_student(tmp_path: Path) -> None:
    for folder, name in (("monday", "Zoë"), ("tuesday", normalize("NFD", "Zoë")), ("wednesday", " Zoë ")):
        book(tmp_path / folder / "quiz.ipynb", answered(name, 1))
    frame = ck.gather(tmp_path, students=["Zoë"])
    assert {*frame["student"]} == {"Zoë"}


def test_a_class_is_one_frame(tmp_path: Path) -> None:
    book(tmp_path / "anna" / "hw.ipynb", answered("Anna-1", 3, 1), solved(None, 2))
    book(tmp_path / "ben" / "hw.ipynb", answered("Ben-1", 1, 1), solved("Ben-1", 1))
    frame = ck.gather(tmp_path, students=["Anna-1", "Ben-1", "Cleo"])
    assert rows(frame, "student", "file", "question", "exercise", "right") == [
        *(("Anna-1", "anna/hw.ipynb", i + 1, None, i < 3) for i in range(4)),
        ("Anna-1", "anna/hw.ipynb", None, "saga-move-twice", True),
        *(("Ben-1", "ben/hw.ipynb", i + 1, None, i < 1) for i in range(4)),
        ("Ben-1", "ben/hw.ipynb", None, "saga-move-twice", False),
        ("Cleo", None, None, None, None),
    ]
    said = dict(zip(frame["question"].to_list()[5:9], frame["allowed"].to_list()[5:9], strict=True))
    assert [said[i] is None for i in range(1, 5)] == [False, False, True, True]
    assert frame["problem"].to_list()[-1] == "handed in nothing"
    assert set(frame["anew"].to_list()[:-1]) == {True}
    html = frame._repr_html_()
    assert "<b>3 of 4</b>" in html
    assert "<b>1 of 4</b><br><small>2 not answered</small>" in html
    assert "<b>passed</b>" in html
    assert "Let them move twice.</th>" in html.replace("&#x27;", "'")
    assert "handed in nothing" in html
    assert "<script" not in html


def test_what_the_file_says_is_right_is_not_believed(tmp_path: Path) -> None:
    record, task = answered("Dora", 1, 2), solved("Dora", 1)
    for each in record["answers"]:
        each["right"] = True
    task["passed"] = True
    book(tmp_path / "d.ipynb", record, task)
    assert rows(ck.gather(tmp_path), "right", "anew") == [(True, True), *[(False, True)] * 4]


def test_a_quiz_with_a_code_is_judged_anew_and_one_of_before_says_that_it_is_not(tmp_path: Path) -> None:
    record = answered("Anna", 3, 1, code=ck.quiz(SYSTEMS, n=4, secret="owl").code)
    before = answered("Ben", 3, 1)
    for each in before["asked"]:
        del each["name"], each["moment"]
    book(tmp_path / "anna.ipynb", record)
    book(tmp_path / "ben.ipynb", before)
    frame = ck.gather(tmp_path)
    assert rows(frame, "student", "right", "anew") == [
        *(("Anna", i < 3, True) for i in range(4)),
        *(("Ben", i < 3, False) for i in range(4)),
    ]
    assert frame._repr_html_().count("as the notebook says") == 1


def test_what_cannot_be_made_again_says_so(tmp_path: Path) -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7)
    own = ck.quiz(ck.question(enc.at(), "Vex", "move"), student="Emil")
    own.answer(0, True)
    task = ck.exercise(enc.at(), goal={"kind": "does", "who": "Vex", "action": "move"}, student="Emil", id="mine")
    task.encounter.do("Vex", "move")
    book(tmp_path / "e.ipynb", own._record(), json.loads(json.dumps(panel_of(task)._record())))
    frame = ck.gather(tmp_path)
    assert rows(frame, "task", "right", "anew") == [("quiz: Vex: Move", True, False), ("mine", True, False)]
    shown = frame._repr_html_()
    assert shown.count("* Marks as the notebooks have them.") == 1, "once, for all that is one's own"
    assert shown.count("</b>*") == 2
    assert "as the notebook says" not in shown


def test_a_goal_of_ones_own_stays_as_typed_in_a_table_in_german(tmp_path: Path) -> None:
    goal = {"kind": "does", "who": "Vex", "action": "attack", "target": "Mara"}
    words = "Let Vex attack Mara, and go on until it's her turn."
    moment = ck.scene("catwalk").encounter("saga", seed=7).at()
    own = ck.exercise(moment, goal=goal, words=words, student="Anna", id="own")
    book(tmp_path / "a.ipynb", json.loads(json.dumps(panel_of(own)._record())), solved("Anna", 2))
    shown = ck.gather(tmp_path, language="de")._repr_html_().replace("&#x27;", "'")
    assert f">{words}</th>" in shown
    assert "Let them move twice" not in shown, "what the kit asks for is said in German"


def test_an_exercise_whose_goal_was_edited_is_another_task(tmp_path: Path) -> None:
    moment = ck.scene("catwalk").encounter("saga", seed=7).at()
    hard: list[Any] = [{"kind": "does", "who": "Vex", "action": "attack", "target": "Mara"}]
    turn: list[Any] = [{"kind": "active", "who": "Mara"}]
    for student, goal in (("Anna", hard + turn), ("Ben", turn), ("Cleo", hard + turn)):
        task = ck.exercise(moment, goal=goal, words="Attack, and go on.", id="vex-strikes", student=student)
        task.encounter.end_turn()
        book(tmp_path / f"{student}.ipynb", json.loads(json.dumps(panel_of(task)._record())))
    frame = ck.gather(tmp_path)
    assert rows(frame, "student", "task", "exercise", "right") == [
        ("Anna", "vex-strikes", "vex-strikes", False),
        ("Ben", "vex-strikes (2)", "vex-strikes", True),
        ("Cleo", "vex-strikes", "vex-strikes", False),
    ]
    assert "Attack, and go on.</th>" in frame._repr_html_()
    assert "Attack, and go on. (2)</th>" in frame._repr_html_()


def test_own_questions_are_found_again_in_whatever_order_their_cells_stand(tmp_path: Path) -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7)
    began = enc.at()
    enc.do("Vex", "move")
    asked = {
        "Vex: Full attack on Mara": ck.question(began, "Vex", "full_attack", target="Mara"),
        "Vex: Move": ck.question(began, "Vex", "move"),
        "Vex: Move (2)": ck.question(enc.at(), "Vex", "move"),
    }

    def handed(student: str, title: str) -> Any:
        quiz = ck.quiz(asked[title], student=student)
        if title == "Vex: Full attack on Mara":
            quiz.answer(0, student == "Anna")
        return quiz._record()

    book(tmp_path / "anna.ipynb", *(handed("Anna", title) for title in asked))
    book(tmp_path / "ben.ipynb", *(handed("Ben", title) for title in reversed(asked)))
    frame = ck.gather(tmp_path)
    said = {(row[0], row[1]): row[2] for row in rows(frame, "student", "task", "allowed")}
    assert said == {
        (student, f"quiz: {title}"): (student == "Anna") if "attack" in title else None
        for student in ("Anna", "Ben")
        for title in asked
    }
    assert all(f"{title}</th>" in frame._repr_html_() for title in asked)
    assert "quiz:" not in frame._repr_html_()


def test_own_questions_of_two_fights_at_the_same_moment_are_two_tasks(tmp_path: Path) -> None:
    for student in ("Anna", "Ben"):
        fights = [ck.scene("catwalk").encounter("saga", seed=7) for _ in range(2)]
        for lost, enc in enumerate(fights, 1):
            enc.damage("Vex", lost)
        asked = [ck.question(enc.at(), "Vex", "move") for enc in fights]
        assert len({item.moment._events[-1].seq for item in asked}) == 1
        book(tmp_path / f"{student}.ipynb", *(ck.quiz(each, student=student)._record() for each in asked))
    tasks = rows(ck.gather(tmp_path), "student", "task")
    names = ("quiz: Vex: Move", "quiz: Vex: Move (2)")
    assert tasks == [(student, name) for student in ("Anna", "Ben") for name in names]


def test_a_list_of_own_questions_is_one_task(tmp_path: Path) -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7)
    both = [ck.question(enc.at(), "Vex", action) for action in ("move", "draw_weapon")]
    book(tmp_path / "a.ipynb", ck.quiz(both, student="Anna")._record())
    assert rows(ck.gather(tmp_path), "task", "question") == [("quiz: Vex: Move (+1)", i) for i in (1, 2)]


def test_own_questions_that_were_handed_in_unnamed_are_read_as_before(tmp_path: Path) -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7)
    records: list[Any] = [
        ck.quiz(ck.question(enc.at(), "Vex", act), student="A")._record() for act in ("move", "draw_weapon")
    ]
    for record in records:
        record["asked"] = [{key: each[key] for key in ("question", "system", "action")} for each in record["asked"]]
    for name, order in (("a", 1), ("b", -1)):
        book(tmp_path / f"{name}.ipynb", *records[::order])
    tasks = rows(ck.gather(tmp_path), "file", "task")
    assert tasks == [(f"{f}.ipynb", f"quiz: own questions, saga{n}") for f in "ab" for n in ("", " (2)")]


def test_the_first_answer_is_told_from_later_ones(tmp_path: Path) -> None:
    first = answered("Finn", 0, 2)
    later = json.loads(json.dumps(first))
    for i, each in enumerate(later["answers"]):
        each |= {"allowed": not each["allowed"], "at": f"2199-01-01T00:00:0{i}"}
    book(tmp_path / "b" / "hw.ipynb", first)
    book(tmp_path / "a" / "hw.ipynb", later)
    frame = ck.gather(tmp_path)
    told = [row for row in rows(frame, "file", "question", "first") if row[1] in (1, 2)]
    assert told == [(f, i, f[0] == "b") for f in ("a/hw.ipynb", "b/hw.ipynb") for i in (1, 2)]
    assert "<b>0 of 4</b><br><small>2 not answered</small><br><small>2 later answers</small>" in frame._repr_html_()


def test_an_answer_that_stands_in_two_notebooks_of_a_student_is_no_later_one(tmp_path: Path) -> None:
    newer = answered("Ben", 2)
    book(tmp_path / "ben" / "lesson.ipynb", {**newer, "answers": newer["answers"][:1]})
    book(tmp_path / "ben" / "lesson-2.ipynb", newer)
    frame = ck.gather(tmp_path)
    assert sorted(rows(frame.filter(frame["first"]), "question", "right")) == [(1, True), (2, True)]
    assert "<b>2 of 4</b><br><small>2 not answered</small></td>" in frame._repr_html_()


@pytest.mark.parametrize("is_clicked", [True, False])
def test_the_same_answer_clicked_anew_in_a_second_notebook_is_no_later_one(is_clicked: bool, tmp_path: Path) -> None:
    first = answered("Ben", 0, 4)
    if not is_clicked:
        first["answers"] = [{**each, "at": ""} for each in first["answers"]]
    again = json.loads(json.dumps(first))
    for i, each in enumerate(again["answers"]):
        each["at"] = f"2199-01-01T00:00:0{i}" if is_clicked else ""
    again["answers"][3]["allowed"] = not again["answers"][3]["allowed"]
    book(tmp_path / "ben" / "lesson.ipynb", first)
    book(tmp_path / "ben" / "lesson-2.ipynb", again)
    frame = ck.gather(tmp_path)
    assert "<br><small>1 later answer</small></td>" in frame._repr_html_()
    assert frame["first"].to_list().count(None) == 3


def test_what_stands_in_a_notebook_twice_counts_once(tmp_path: Path) -> None:
    record = answered("Gil", 2)
    book(tmp_path / "g.ipynb", record, record)
    assert ck.gather(tmp_path).height == 4


def test_one_odd_file_is_one_row(tmp_path: Path) -> None:
    book(tmp_path / "anna.ipynb", answered("Anna", 4))
    book(tmp_path / ".ipynb_checkpoints" / "anna-checkpoint.ipynb", answered("Anna", 4))
    book(tmp_path / "empty" / "hw.ipynb")
    (tmp_path / "Ben.ipynb").write_bytes(b"")
    (tmp_path / "conflict.ipynb").write_text("<<<<<<< HEAD\n{}", encoding="utf-8")
    (tmp_path / "list.ipynb").write_text("[1]", encoding="utf-8")
    (tmp_path / "deep.ipynb").write_text('{"cells":' + "[" * 100_000, encoding="utf-8")
    book(tmp_path / "none.ipynb", {**answered("Joe", 1), "answers": None})
    record = answered("Hugo", 2)
    record["answers"][0]["allowed"] = "yes"
    book(tmp_path / "hugo.ipynb", record)
    book(tmp_path / "seed.ipynb", {**answered("Ida", 1), "seed": 1 << 90})
    os.mkfifo(tmp_path / "pipe.ipynb")
    os.mkfifo(tmp_path / "pipe.answers")
    (tmp_path / "zero.ipynb").symlink_to("/dev/zero")
    (tmp_path / "nowhere.ipynb").symlink_to(tmp_path / "not there")
    frame = ck.gather(tmp_path, students=CLASS)
    told = {row[1]: row for row in rows(frame, "student", "file", "problem") if row[2] is not None}
    assert told["Ben.ipynb"] == ("Ben", "Ben.ipynb", "can't be read: it is no notebook, or a broken one")
    assert told["empty/hw.ipynb"][2] == "no answers stand in it"
    assert told["hugo.ipynb"] == ("Hugo", "hugo.ipynb", "an answer can't be read: allowed is 'yes'")
    assert told["seed.ipynb"][0] == "Ida"
    assert told["none.ipynb"] == ("Joe", "none.ipynb", "an answer can't be read: nothing that combatkit writes")
    for name in ("pipe.ipynb", "zero.ipynb"):
        assert told[name][2].endswith(f"{name} is not a regular file, so it is not a notebook; give one that is")
    assert told["nowhere.ipynb"][2].startswith("nowhere.ipynb cannot be read: there is no notebook")
    assert told["pipe.answers"][2] == "a link that leads nowhere, or no file: it is not read"
    assert set(told) == {
        *("pipe.ipynb", "zero.ipynb", "nowhere.ipynb", "pipe.answers"),
        "Ben.ipynb",
        "conflict.ipynb",
        "list.ipynb",
        "deep.ipynb",
        "none.ipynb",
        "empty/hw.ipynb",
        "hugo.ipynb",
        "seed.ipynb",
        None,
    }
    assert rows(frame, "student").count(("Anna",)) == 4
    assert [row[0] for row in rows(frame, "student", "problem") if row[1] == "handed in nothing"] == ["Cleo"]


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for name in ("anna", "ben"):
        book(tmp_path / name / "hw.ipynb", answered(name, 1))
    given = [tmp_path / "anna" / "hw.ipynb", tmp_path / "ben" / "hw.ipynb", tmp_path / "missing.ipynb"]
    frame = ck.gather(given)
    assert list(dict.fromkeys(frame["file"].to_list())) == ["anna/hw.ipynb", "ben/hw.ipynb", "missing.ipynb"]
    assert "missing.ipynb cannot be read" in frame["problem"].to_list()[-1]
    for wrong in (3, b"x", [4]):
        with pytest.raises(ck.InvalidInput):
            ck.gather(wrong)  # type: ignore[arg-type]


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    for given in (tmp_path / "nowhere", [tmp_path, tmp_path / "nowhere"]):
        with pytest.raises(ck.InvalidInput, match=r"there is no folder .*nowhere"):
            ck.gather(given)


def test_folders_given_one_by_one_tell_files_of_one_name_apart(tmp_path: Path) -> None:
    for place, name in (("x/anna", "Anna"), ("x/ben", "Ben"), ("y/ben", "Benno")):
        (tmp_path / place).mkdir(parents=True)
        book(tmp_path / place / "hw.ipynb", answered(name, 1))
    two = ck.gather([tmp_path / "x" / "anna", tmp_path / "x" / "ben", tmp_path / "x" / "ben" / "hw.ipynb"])
    assert set(rows(two, "student", "file")) == {("Anna", "anna/hw.ipynb"), ("Ben", "ben/hw.ipynb")}
    three = ck.gather([tmp_path / "x" / "ben", tmp_path / "y" / "ben"], students="Ben")
    assert {row[0] for row in rows(three, "student")} == {"Ben", "Benno"}
    assert three["file"].drop_nulls().n_unique() == 2


def test_what_a_mac_and_an_editor_hide_is_no_hand_in(tmp_path: Path) -> None:
    handed = tmp_path / ".jupyter" / "handed-in"  # hidden itself, but asked for
    book(handed / "anna" / "hw.ipynb", answered("Anna", 4))
    for hidden in ("anna/._hw.ipynb", "__MACOSX/anna/._hw.ipynb", ".Trash-0/hw.ipynb", "anna/.~hw.ipynb"):
        (handed / hidden).parent.mkdir(parents=True, exist_ok=True)
        (handed / hidden).write_bytes(b"\0\5\x16\7")
    frame = ck.gather(handed)
    assert rows(frame, "student", "file", "problem") == [("Anna", "anna/hw.ipynb", None)] * 4


def test_a_name_in_other_case_is_the_one_in_the_class_list(tmp_path: Path) -> None:
    book(tmp_path / "1.ipynb", answered(" anna", 1, 1))
    book(tmp_path / "2.ipynb", answered("ANNA", 4))
    book(tmp_path / "3.ipynb", answered("ben", 4))
    frame = ck.gather(tmp_path, students=["Anna", "Ben", "BEN"])
    assert {(row[0], row[1]) for row in rows(frame, "student", "problem")} == {
        ("Anna", None),
        ("ben", None),  # which of the two, nobody knows
        ("Ben", "handed in nothing"),
        ("BEN", "handed in nothing"),
    }
    assert all(row[0] for row in rows(frame, "anew") if row[0] is not None)
    assert "4 students" in frame._repr_html_()


def test_who_is_not_on_the_list_is_told_with_whom_it_may_be(tmp_path: Path) -> None:
    book(tmp_path / "1.ipynb", answered("Anna", 1))
    book(tmp_path / "2.ipynb", answered("Quentin", 1))
    book(tmp_path / "3.ipynb", answered("ben", 1))
    frame = ck.gather(tmp_path, students=["Ana", "Ben"])
    assert [row for row in rows(frame, "student", "problem") if row[1]] == [
        ("Anna", 'not on the list of the class: did you mean "Ana"?'),
        ("Quentin", "not on the list of the class"),
        ("Ana", "handed in nothing"),
    ]
    assert "nicht auf der Klassenliste: ist „Ana“ gemeint?" in ck.gather(tmp_path, ["Ana"], language="de")._repr_html_()
    assert ck.gather(tmp_path)["problem"].drop_nulls().to_list() == []


def test_a_class_list_names_each_once_and_is_a_list(tmp_path: Path) -> None:
    frame = ck.gather(tmp_path, students=pl.Series(["Karl", " Karl", "Zo\u00eb", "Zoe\u0308"]))
    assert rows(frame, "student") == [("Karl",), ("Zo\u00eb",)]
    for wrong in (5, {"Karl": 1}):
        with pytest.raises(ck.InvalidInput, match="give a list of names"):
            ck.gather(tmp_path, students=wrong)  # type: ignore[arg-type]


def test_who_gave_no_name_is_no_student_more(tmp_path: Path) -> None:
    book(tmp_path / "1.ipynb", answered("Anna", 1))
    (tmp_path / "2.ipynb").write_bytes(b"")
    shown = ck.gather([tmp_path, tmp_path / "missing.ipynb"])._repr_html_()
    assert "1 student, 1 task." in shown
    assert "missing.ipynb: missing.ipynb cannot be read: there is no notebook" in shown


@pytest.mark.parametrize(
    "calls",
    [
        {"saga": [{"call": "__init__", "args": [], "given": {}}]},
        {"saga": [{"call": "do", "args": "Mara", "given": {}}]},
        {"saga": [{"call": "do", "args": ["Mara", "move", "x", "y"], "given": {"z": 1}}] * 2},
        {"saga": [{"call": "do", "args": [[], {}], "given": {}}]},
        {"saga": [{"call": "do", "args": ["Mara", "move"], "given": {}}, {"call": "save", "args": ["x"], "given": {}}]},
        {"saga": [{"call": "condition", "args": ["Mara", "prone"], "given": {}}]},
    ],
)
def test_calls_that_nobody_made_pass_nothing(tmp_path: Path, calls: Any) -> None:
    book(tmp_path / "x.ipynb", {"student": "Ivo", "exercise": "saga-move-twice", "calls": calls, "passed": True})
    assert ck.gather(tmp_path)["right"].to_list() in ([False], [None])


def test_names_are_escaped_in_the_table(tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)>"
    book(tmp_path / "x.ipynb", answered(name, 1))
    assert "<img" not in ck.gather(tmp_path, students=[name])._repr_html_()


def test_an_answer_in_its_old_form_is_still_read(tmp_path: Path) -> None:
    one = {"question": 0, "system": "saga", "action": "move", "allowed": True, "rule": "", "right": True, "hints": 1}
    book(tmp_path / "old.ipynb", {"student": None, "seed": 5, "answers": [one]})
    assert rows(ck.gather(tmp_path), "student", "task", "right", "anew") == [(None, "quiz", True, False)]


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_a_notebook_that_another_editor_saved_is_read(codec: str, tmp_path: Path) -> None:
    book(tmp_path / "hw.ipynb", answered("Anna", 1))
    text = (tmp_path / "hw.ipynb").read_text(encoding="utf-8")
    (tmp_path / "hw.ipynb").write_bytes(text.encode(codec))
    assert rows(ck.gather(tmp_path), "student", "problem")[0] == ("Anna", None)


def test_a_cell_whose_outputs_are_nothing_has_none(tmp_path: Path) -> None:
    (tmp_path / "hw.ipynb").write_text('{"cells": [{"cell_type": "code", "outputs": null}]}', encoding="utf-8")
    assert rows(ck.gather(tmp_path), "problem") == [("no answers stand in it",)]


def test_answers_in_a_file_that_the_notebook_does_not_show_are_told(tmp_path: Path) -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7)
    own = ck.quiz(ck.question(enc.at(), "Vex", "move"), student="Anna", keep=tmp_path / "Anna.answers")
    told = "Anna.answers has answers that don't stand in the notebook: run all its cells and save it"
    unplayed = json.loads(json.dumps(own._record()))
    hear(own, {"kind": "answer", "question": 0, "allowed": True, "rule": ""})
    for records, problem in (((), [told]), ((unplayed,), [None, told]), ((own._record(),), [None])):
        book(tmp_path / "hw.ipynb", *records)
        frame = ck.gather(tmp_path)
        assert frame["problem"].to_list() == problem
        assert frame._repr_html_().count("<small>see below</small>") == (problem == [None, told])
    book(tmp_path / "ben.ipynb")
    assert rows(ck.gather(tmp_path), "file", "problem")[0] == ("ben.ipynb", "no answers stand in it")


def test_answers_to_another_students_questions_are_told_from_unsaved_ones(tmp_path: Path) -> None:
    (tmp_path / "eve").mkdir()
    theirs = ck.quiz(SYSTEMS, n=2, student="Anna", keep=tmp_path / "eve" / "eve.answers")
    hear(theirs, {"kind": "answer", "question": 0, "allowed": True, "rule": ""})
    hers = ck.quiz(SYSTEMS, n=2, student="Eve", keep=tmp_path / "eve" / "eve.answers")
    book(tmp_path / "eve" / "hw.ipynb", hers._record())
    other = (
        "eve.answers has answers to other questions: another notebook's, or another student's? If not, run all its "
        "cells and save it"
    )
    assert ck.gather(tmp_path)["problem"].drop_nulls().to_list() == [other]
    hear(hers, {"kind": "answer", "question": 0, "allowed": True, "rule": ""})
    unsaved = "eve.answers has answers that don't stand in the notebook: run all its cells and save it"
    assert ck.gather(tmp_path)["problem"].drop_nulls().to_list() == [unsaved]
    german = ck.gather(tmp_path, language="de")
    assert "in eve.answers stehen Antworten, die im Notebook fehlen" in german._repr_html_()
    book(tmp_path / "eve" / "hw.ipynb", hers._record())
    assert ck.gather(tmp_path)["problem"].drop_nulls().to_list() == [other]
    assert "aus einem anderen Notebook oder von jemand" in ck.gather(tmp_path, language="de")._repr_html_()


def test_answers_that_stand_in_another_notebook_of_the_student_are_not_missed(tmp_path: Path) -> None:
    older, newer = tmp_path / "lesson.ipynb", tmp_path / "ben.ipynb"
    own = ck.quiz(SYSTEMS, n=2, student="Ben", keep=tmp_path / "ben.answers")
    hear(own, {"kind": "answer", "question": 0, "allowed": True, "rule": ""})
    book(older, own._record())
    hear(own, {"kind": "answer", "question": 1, "allowed": True, "rule": ""})
    told = "ben.answers has answers that don't stand in the notebook: run all its cells and save it"
    assert told in ck.gather(older)["problem"].to_list()
    book(newer, own._record())
    assert told not in ck.gather(tmp_path)["problem"].to_list()
    assert told in ck.gather(older)["problem"].to_list(), "the newer one isn't handed in"
    book(newer, {**own._record(), "student": "Anna"})
    assert told in ck.gather(tmp_path)["problem"].to_list(), "it is another's"


@pytest.mark.parametrize("file", ["anna/hw.ipynb", "anna.ipynb", "upload-3/hw.ipynb"])
def test_of_a_broken_notebook_it_is_said_whose_it_is_and_what_lies_beside_it(tmp_path: Path, file: str) -> None:
    broken = tmp_path / file
    broken.parent.mkdir(exist_ok=True)
    asked = ck.quiz(SYSTEMS, n=3, student="Anna", keep=broken.with_name("anna.answers"))
    hear(asked, {"kind": "answer", "question": 0, "allowed": True, "rule": ""})
    book(broken, asked._record())
    broken.write_bytes(broken.read_bytes()[:200])
    book(tmp_path / "ben.ipynb", answered("Ben", 1))
    frame = ck.gather(tmp_path, students=["Anna", "Ben"])
    told = [row[2] for row in rows(frame, "student", "file", "problem") if row[:2] == ("Anna", file)]
    assert told == [
        "can't be read: it is no notebook, or a broken one",
        "anna.answers beside it has answers: run a whole notebook there, and save it",
    ]
    assert frame._repr_html_().count("<small>see below</small>") == 1


def test_an_answer_that_was_changed_in_the_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "anna.answers"
    asked = ck.quiz(SYSTEMS, n=3, student="Anna", keep=file)
    for i in range(2):
        hear(asked, {"kind": "answer", "question": i, "allowed": i == 0, "rule": asked.items[i].choices[0]})
    book(tmp_path / "hw.ipynb", asked._record())
    assert ck.gather(tmp_path)["problem"].drop_nulls().to_list() == []
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    lines[2] |= {"allowed": True, "rule": ""}
    first = {**lines[1], "allowed": not lines[1]["allowed"]}
    file.write_text("\n".join(map(json.dumps, [lines[0], first, *lines[2:]])), encoding="utf-8")
    told = "anna.answers and the notebook have different answers to questions 1, 2"
    assert ck.gather(tmp_path)["problem"].drop_nulls().to_list() == [told], "one line a file"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    frame = ck.gather(tmp_path)
    told = "anna.answers and the notebook have different answers to question 2"
    assert frame["problem"].drop_nulls().to_list() == [told]
    assert rows(frame, "question", "allowed")[:2] == [(1, True), (2, False)]  # what counts is the notebook
    assert "andere Antwort auf Frage 2" in ck.gather(tmp_path, language="de")._repr_html_()


def test_a_name_that_was_left_unchanged_is_told(tmp_path: Path) -> None:
    mine = answered("Anna", 4)
    later = [{**each, "allowed": not each["allowed"], "at": f"2199-{each['at']}"} for each in mine["answers"]]
    theirs = {**mine, "answers": later}
    book(tmp_path / "anna" / "hw.ipynb", mine)
    book(tmp_path / "ben_2" / "hw.ipynb", theirs)
    frame = ck.gather(tmp_path)
    assert rows(frame, "student", "file", "problem")[8] == ("Anna", "ben_2/hw.ipynb", 'the name in it is "Anna"')
    assert "4 later answers" in frame._repr_html_()


@pytest.mark.parametrize("own", [0, 1])
@pytest.mark.parametrize("place", ["cleo/hw.ipynb", "cleo_2.ipynb"])
def test_another_students_name_takes_over_nobodys_mark(place: str, own: int, tmp_path: Path) -> None:
    mine = answered("Anna", 2, 2)
    other = [{**each, "allowed": not each["allowed"], "at": f"1999-{each['at']}"} for each in mine["answers"]]
    taken = {**mine, "answers": other}
    book(tmp_path / "anna" / "hw.ipynb", mine, solved("Anna", 2))
    book(tmp_path / place, taken, solved("Anna", 1), *[answered("Cleo", 3)] * own)
    book(tmp_path / "ben" / "hw.ipynb", taken, solved("Anna", 1))
    frame = ck.gather(tmp_path, CLASS)
    counted = [row for row in rows(frame, "student", "file", "right", "first") if row[3] is not None]
    assert [row[2] for row in counted if row[0] == "Anna"] == [True, True, False, False, True]
    assert {row[:2] for row in counted} == {("Anna", "anna/hw.ipynb"), *[("Cleo", place)] * own}
    told = 'the name in it is "Anna", and it lies with "{}"; it counts for nobody'
    assert sorted(row for row in rows(frame, "student", "file", "problem") if row[2]) == [
        ("Anna", "ben/hw.ipynb", told.format("Ben")),
        ("Anna", place, told.format("Cleo")),
        ("Ben", "ben/hw.ipynb", told.format("Ben")),
        ("Cleo", place, told.format("Cleo")),
    ]
    shown = frame._repr_html_()
    assert "<b>2 of 4</b></td>" in shown
    assert "hand-ins" not in shown


def test_a_copy_in_another_name_is_told(tmp_path: Path) -> None:
    mine = answered("Anna", 3, 1)
    own = ck.quiz(ck.question(ck.scene("catwalk").encounter("saga", seed=7).at(), "Vex", "move"), student="Anna")
    hear(own, {"kind": "answer", "question": 0, "allowed": True, "rule": ""})
    theirs = json.loads(json.dumps(own._record()))
    book(tmp_path / "anna" / "hw.ipynb", mine, theirs)
    book(tmp_path / "ben" / "hw.ipynb", answered("Ben", 4))
    book(tmp_path / "cleo" / "hw.ipynb", {**theirs, "student": "Cleo"})
    book(tmp_path / "eve" / "hw.ipynb", {**mine, "student": "Eve"})
    frame = ck.gather(tmp_path)
    same = "the same clicks at the same times as {}/hw.ipynb"
    assert [row for row in rows(frame, "student", "file", "problem") if row[2]] == [
        ("Eve", "eve/hw.ipynb", 'its questions are not those of "Eve": they were made for another name'),
        ("Anna", "anna/hw.ipynb", same.format("cleo")),
        ("Anna", "anna/hw.ipynb", same.format("eve")),
        ("Cleo", "cleo/hw.ipynb", same.format("anna")),
        ("Eve", "eve/hw.ipynb", same.format("anna")),
    ]
    shown = frame._repr_html_()
    lines = {name: shown.split(f"<b>{name}</b></td>")[1].split("</tr>")[0] for name in ("Ben", "Eve")}
    assert "<small>a copy? see below</small>" in lines["Eve"]
    assert "copy" not in lines["Ben"], "who clicked alone has a plain mark"
    shown = ck.gather(tmp_path, language="de")._repr_html_()
    assert "dieselben Klicks zu denselben Zeiten wie anna/hw.ipynb" in shown
    assert "sie sind für einen anderen Namen gemacht" in shown


def test_a_folder_handed_in_unchanged_says_so_of_both(tmp_path: Path) -> None:
    mine = answered("Anna", 3, 1)
    for folder in ("Anna", "Ben"):
        book(tmp_path / folder / "lesson-Anna.ipynb", mine)
    frame = ck.gather(tmp_path, CLASS)
    told = [row for row in rows(frame, "student", "file", "problem") if row[2]]
    away = 'the name in it is "Anna", and it lies with "Ben"; it counts for nobody'
    assert ("Ben", "Ben/lesson-Anna.ipynb", away) in told
    assert ("Anna", "Ben/lesson-Anna.ipynb", away) in told
    assert [row[0] for row in told if row[2] == "handed in nothing"] == ["Cleo"]
    assert "<b>3 of 4</b></td>" in frame._repr_html_()


def test_what_was_said_can_be_talked_through(tmp_path: Path) -> None:
    book(tmp_path / "anna.ipynb", answered("Anna", 1, 2))
    items = ck.quiz(SYSTEMS, n=4, student="Anna").items
    frame = ck.gather(tmp_path)
    for item, (words, said, key, right) in zip(items, rows(frame, "words", "said", "key", "right"), strict=True):
        assert words == f"{item.situation} {item.question}"
        assert key.startswith("They may." if item.ruling.allowed else f"They may not. {item.ruling.reason}")
        assert said is None or (said.split(".")[0] == key.split(".")[0]) is right
    assert frame["said"].null_count() == 1


def test_what_is_ones_own_is_talked_through_by_what_the_notebook_showed(tmp_path: Path) -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7)
    enc.do("Vex", "move")
    own = ck.quiz([ck.question(enc.at(), "Vex", "full_attack", target="Mara"), ck.question(enc.at(), "Vex", "move")])
    own.answer(0, True)
    goal = {"kind": "does", "who": "Vex", "action": "attack", "target": "Mara"}
    task = ck.exercise(enc.at(), goal=goal, id="mine")
    records = [own._record(), panel_of(task)._record(), solved(None, 1)]
    book(tmp_path / "e.ipynb", *json.loads(json.dumps(records)))
    refused, open_, mine, kits = ck.gather(tmp_path).to_dicts()
    ruling = own.items[0].ruling
    text = ck.ruleset("saga").rules[ruling.rule].text
    assert (refused["said"], refused["key"]) == ("They may.", f"They may not. {ruling.reason} {text}")
    assert (open_["said"], open_["key"]) == (None, None), "what isn't answered gives nothing away"
    assert mine["said"] == f"Not yet. {task.check().reason}"
    assert kits["said"].startswith("Not yet. ")
    assert kits["key"] == ck.ruleset("saga").rules[kits["rule"]].text


def test_never_tried_is_not_tried_in_vain(tmp_path: Path) -> None:
    book(tmp_path / "anna.ipynb", solved("Anna", 0))
    book(tmp_path / "ben.ipynb", solved("Ben", 1))
    frame = ck.gather(tmp_path)
    assert rows(frame, "student", "steps") == [("Anna", 0), ("Ben", 1)]
    shown = frame._repr_html_()
    assert "<b>not tried</b>" in shown.split("<b>Ben</b>")[0]
    assert "<b>not yet</b>" in shown.split("<b>Ben</b>")[1]


@pytest.mark.parametrize("id", ["saga-move-twice", "later-than-vex"])
def test_a_check_of_what_was_handed_in_says_the_steps_that_were_played(id: str, tmp_path: Path) -> None:
    task = ck.exercise(id, student="Anna")
    solve(task)
    book(tmp_path / "anna.ipynb", json.loads(json.dumps(panel_of(task)._record())))
    told = f"Passed, in {task.steps} steps."
    assert rows(ck.gather(tmp_path), "said", "steps") == [(told, task.steps)]


def test_a_copy_counts_once(tmp_path: Path) -> None:
    handed = answered("Anna", 4), solved("Anna", 2)
    for name in ("anna", "eve"):
        book(tmp_path / name / "hw.ipynb", *handed)
    frame = ck.gather(tmp_path)
    assert frame.height == 7
    assert [row for row in rows(frame, "file", "problem") if row[1]] == [
        ("eve/hw.ipynb", "the same as anna/hw.ipynb, which counts once"),
        ("eve/hw.ipynb", 'the name in it is "Anna"'),
    ]
    shown = frame._repr_html_()
    assert "later answer" not in shown
    assert "hand-ins" not in shown


@pytest.mark.parametrize(
    ("language", "head"),
    [
        ("en", "quiz: Star Wars Saga Edition, D6 zone system, Delay"),
        ("de", "Quiz: Star Wars Saga Edition, D6-Zonensystem, Abwarten"),
    ],
)
def test_a_quiz_is_headed_by_the_titles_of_its_systems(language: str, head: str, tmp_path: Path) -> None:
    asked = ck.quiz(["saga", "d6"], topics=["delay"], n=4, student="Anna")
    book(tmp_path / "anna.ipynb", json.loads(json.dumps(asked._record())))
    frame = ck.gather(tmp_path, language=language)
    assert {*frame["task"]} == {"quiz: saga, d6, delay"}
    assert f">{head}</th>" in frame._repr_html_()


def test_the_lines_between_rows_go_through_the_column_that_stays(tmp_path: Path) -> None:
    """Borders that collapse are painted behind a sticky cell."""
    book(tmp_path / "anna.ipynb", answered("Anna", 1))
    shown = ck.gather(tmp_path)._repr_html_()
    assert "position:sticky" in shown
    assert "border-collapse:separate;border-spacing:0" in shown


def test_the_columns_are_in_the_order_of_the_notebook() -> None:
    blank = dict.fromkeys(("first", "question", "seed", "problem", "right", "allowed"))
    tasks = ("saga-move-twice", "quiz: saga", "let-vex-run")
    rows = [{**blank, "student": "Anna", "task": task, "exercise": task, "anew": True} for task in tasks]
    told = class_table(rows, kit_language("en"), {})
    assert told.index("move twice") < told.index("quiz: saga") < told.index("let vex run")


def test_answers_without_their_notebook_are_told_from_nothing(tmp_path: Path) -> None:
    ck.quiz("saga", n=2, student="Anna", keep=tmp_path / "anna.answers")._click(0, True, "")
    frame = ck.gather(tmp_path, students=["Anna", "Ben"])
    assert rows(frame, "student", "file", "problem") == [
        ("Anna", "anna.answers", "answers without their notebook: hand in the notebook with it"),
        ("Ben", None, "handed in nothing"),
    ]


def test_a_zip_with_a_notebook_is_told_from_nothing_unless_what_it_was_made_from_lies_there(tmp_path: Path) -> None:
    for name in ("anna/hw_2026_11_30.zip", "ben.zip", "notes.zip", "zoë/hw.zip"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        with ZipFile(tmp_path / name, "w") as packed:
            packed.writestr("notes.txt" if name == "notes.zip" else "hw.ipynb", "{}")
    (tmp_path / "broken.zip").write_bytes(b"PK")
    book(tmp_path / "anna" / "hw.ipynb", ck.quiz("saga", n=1, student="Anna")._record())
    frame = ck.gather(tmp_path, students=["Anna", "Ben", "Zoë"])
    problem = "a zip, which is not looked into: unpack it into a folder of its own"
    assert [row for row in rows(frame, "student", "file", "problem") if row[2]] == [
        ("Ben", "ben.zip", problem),
        ("Zoë", "zoë/hw.zip", problem),
    ]
    assert rows(ck.gather(tmp_path / "ben.zip"), "file", "problem") == [("ben.zip", problem)]


def test_unnamed_questions_about_several_systems_have_columns_of_their_own(tmp_path: Path) -> None:
    for system in ("saga", "d6"):
        record = ck.quiz(ck.scene("catwalk").encounter(system, seed=7), n=1, student=system)._record()
        book(tmp_path / f"{system}.ipynb", {**record, "made": None})
    assert set(rows(ck.gather(tmp_path), "student", "task")) == {
        (system, f"quiz: own questions, {system}") for system in ("saga", "d6")
    }


def test_the_table_of_a_class_has_the_order_of_its_list(tmp_path: Path) -> None:
    shown = ck.gather(tmp_path, students=["Zoë", "Ben", "Anna"])._repr_html_()
    assert re.findall(r"<b>(\w+)</b></td>", shown) == ["Zoë", "Ben", "Anna"]


OTHER_QUIZ = "this quiz isn't the one the others had: ask for it again"
OTHER_EXERCISE = "this is another exercise than the class's"


def told_of(frame: Any) -> set[tuple[str, str]]:
    return {row for row in rows(frame, "student", "problem") if row[1]}


@cache
def code_of_class() -> str | None:
    """Give the code of a class's quiz."""
    return ck.quiz(SYSTEMS, n=4, secret="owl").code


@cache
def of_class(student: str) -> dict[str, Any]:
    """Give what one of the class hands in, made once for all who have another quiz."""
    return ck.quiz(SYSTEMS, n=4, code=code_of_class(), student=student)._record()


@pytest.mark.parametrize(
    "other",
    [
        {"n": 1},
        {"code": None},
        {"code": None, "seed": 3},
        {"secret": "crow", "code": None},
        {"topics": "delay"},
        {"seed": 3},
    ],
)
def test_another_quiz_than_the_classs_is_told(other: dict[str, Any], tmp_path: Path) -> None:
    how = {"n": 4, "code": code_of_class(), **other}
    # The first is not right for being the first.
    book(tmp_path / "Dee.ipynb", ck.quiz(SYSTEMS, student="Dee", **how)._record())
    for student in CLASS:
        book(tmp_path / f"{student}.ipynb", of_class(student))
    frame = ck.gather(tmp_path)
    assert told_of(frame) == {("Dee", OTHER_QUIZ)}
    assert f"<b>Dee</b> Dee.ipynb: {OTHER_QUIZ}" in frame._repr_html_().replace("&#x27;", "'")
    assert frame._repr_html_().count("<small>see below</small>") == 1
    german = ck.gather(tmp_path, language="de")._repr_html_()
    assert "dieses Quiz ist nicht das der anderen: lass es noch einmal abgeben" in german
    assert "<small>siehe unten</small>" in german


def test_a_quiz_about_other_systems_is_told_and_further_ones_are_not(tmp_path: Path) -> None:
    for student in ("Anna", "Ben", "Cleo"):
        own = [ck.quiz("ap", n=1, student=student)._record()] if student == "Ben" else []
        asked = ck.quiz("saga" if student == "Cleo" else SYSTEMS, n=4, student=student)
        book(tmp_path / f"{student}.ipynb", asked._record(), *own)
    assert told_of(ck.gather(tmp_path)) == {("Cleo", OTHER_QUIZ)}


def test_the_classs_quiz_in_another_language_or_from_another_code_of_its_secret_is_the_classs(tmp_path: Path) -> None:
    for student, language in (("Anna", "en"), ("Ben", "de"), ("Cleo", "en")):
        code = ck.quiz(SYSTEMS, n=2, secret="owl").code
        asked = ck.quiz(SYSTEMS, n=2, code=code, student=student, language=language)
        book(tmp_path / f"{student}.ipynb", json.loads(json.dumps(asked._record())))
    assert told_of(ck.gather(tmp_path)) == set()


def own_of(student: str, language: str, seed: int = 7) -> list[Any]:
    """Give what somebody hands in of two questions and an exercise of a teacher's own, in a language."""
    enc = ck.scene("catwalk").encounter("saga", seed=seed, language=language)
    enc.do(enc.active or "", "move")
    moment, (guard, *_) = enc.at(), [name for name in enc.names if name[-1:] == "1"]
    vex, mara = (enc.active or "", next(n for n in enc.names if enc[n].side != enc[enc.active or ""].side))
    own = ck.quiz([ck.question(moment, vex, "full_attack", target=mara), ck.question(moment, guard, "move")])
    own.answer(0, False, own.items[0].ruling.rule)
    goal = {"kind": "does", "who": guard, "action": "attack", "target": vex}
    task = ck.exercise(moment, goal=goal, student=student)
    return [
        json.loads(json.dumps(record)) | {"student": student} for record in (own._record(), panel_of(task)._record())
    ]


def test_in_a_class_of_two_languages_a_task_is_one_and_its_table_is_in_the_one_asked_for(tmp_path: Path) -> None:
    for student, language in (("Anna", "en"), ("Ben", "de"), ("Cleo", "en"), ("Dee", "en")):
        book(tmp_path / f"{student}.ipynb", *own_of(student, language))
    frame = ck.gather(tmp_path)
    assert told_of(frame) == set()
    assert frame["task"].n_unique() == 2
    english, german = frame._repr_html_(), ck.gather(tmp_path, language="de")._repr_html_()
    assert "Vex: Full attack on Mara (+1)</th>" in english
    assert "Angriff" not in english
    assert "Vex: Voller Angriff gegen Mara (+1)</th>" in german
    assert "ttack" not in german
    ben = frame.filter(pl.col("student") == "Ben").row(0, named=True)
    assert ben["said"].startswith("Nein. ")
    assert ben["key"].startswith("Nein. Braucht")


def test_in_one_language_what_is_alike_in_another_fight_is_another_task(tmp_path: Path) -> None:
    for student, seed in (("Anna", 7), ("Ben", 8)):
        book(tmp_path / f"{student}.ipynb", *own_of(student, "en", seed)[:1])
    assert ck.gather(tmp_path)["task"].n_unique() == 2


def test_of_two_quizzes_the_first_is_the_classs(tmp_path: Path) -> None:
    for student, n in (("Anna", 4), ("Ben", 1)):
        book(tmp_path / f"{student}.ipynb", ck.quiz(SYSTEMS, n=n, student=student)._record())
    assert told_of(ck.gather(tmp_path)) == {("Ben", OTHER_QUIZ)}


def test_a_seed_for_each_is_no_other_quiz(tmp_path: Path) -> None:
    for seed in range(3):
        book(tmp_path / f"{seed}.ipynb", ck.quiz(SYSTEMS, n=2, seed=seed)._record())
    assert told_of(ck.gather(tmp_path)) == set()


@pytest.mark.parametrize("id", ["vex-strikes", None])
@pytest.mark.parametrize("other", ["goal", "moment", "fight"])
def test_another_exercise_than_the_classs_is_told_and_keeps_its_column(
    other: str, id: str | None, tmp_path: Path
) -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7)
    began = enc.at()
    enc.do("Vex", "draw_weapon")
    # a fight of as many events
    moments = {"moment": enc.at(), "fight": ck.scene("catwalk").encounter("saga", seed=11).at()}
    goal = {"kind": "does", "who": "Vex", "action": "attack", "target": "Mara"}
    easy = {"kind": "active", "who": "Mara"}
    for student in ("Anna", "Ben", "Cleo", "Dee"):
        is_dee = student == "Dee"
        task = ck.exercise(
            moments.get(other, began) if is_dee else began,
            goal=easy if is_dee and other == "goal" else goal,
            id=id,
            student=student,
        )
        book(tmp_path / f"{student}.ipynb", json.loads(json.dumps(panel_of(task)._record())))
    frame = ck.gather(tmp_path)
    assert rows(frame, "student", "problem") == [
        *((student, None) for student in ("Anna", "Ben", "Cleo")),
        ("Dee", OTHER_EXERCISE),
    ]
    assert frame["task"].n_unique() == 2
    assert f"<b>Dee</b> Dee.ipynb: {OTHER_EXERCISE}" in frame._repr_html_().replace("&#x27;", "'")
    german = ck.gather(tmp_path, language="de")._repr_html_()
    assert "das ist eine andere Aufgabe als die der Klasse" in german
