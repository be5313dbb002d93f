"""What is clicked in a lesson outlives its cell and its kernel; what cells do, cells do again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.study import keeping
from combatkit.study.quiz import secret
from combatkit.study.quiz.gathering import MIME
from combatkit.widgets.exercise import panel_of
from tests.wire import hear, recording


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(keeping, "_REMEMBERED", {})
    yield from recording(monkeypatch)


def quiz(**more: Any) -> Any:
    return ck.quiz("saga", n=3, seed=5, **more)


def click(asked: Any, i: int, right: bool = True) -> None:
    ruling = asked.items[i].ruling
    hear(asked, {"kind": "answer", "question": i, "allowed": ruling.allowed is right, "rule": ruling.rule})


def play(task: Any, name: str, action: str, **params: Any) -> None:
    answer = hear(ck.Tracker(task.encounter), {"kind": "do", "name": name, "action": action, "params": params})
    assert [each for each in answer if each["kind"] == "refused"] == []


def test_clicked_answers_come_back_from_the_file_and_the_first_counts(tmp_path: Path) -> None:
    path = tmp_path / "anna.answers"
    asked = quiz(student="Anna", keep=path)
    hear(asked, {"kind": "hint", "question": 0})
    click(asked, 0, right=False)
    asked.answer(1, True)
    again = quiz(student="Anna", keep=path)
    assert again.answers.rows() == asked.answers.rows()[:1]
    assert again.answers["hints"].to_list() == [1]
    with pytest.raises(ck.InvalidInput, match="answered already"):
        again.answer(0, again.items[0].ruling.allowed, again.items[0].ruling.rule)
    given = again.answers.row(0, named=True)
    assert again.answer(0, given["allowed"], given["rule"]) is False
    assert quiz(student="Ben", keep=path).score.answered == 0
    assert ck.quiz("d6", n=1, student="Anna", keep=path).score.answered == 0


def test_a_quiz_run_again_goes_on_where_it_was_left_and_names_its_file(tmp_path: Path) -> None:
    asked = quiz(keep=tmp_path / "anna.answers")
    assert asked.view["at"] == 0
    click(asked, 0)
    assert quiz(keep=tmp_path / "anna.answers").view["at"] == 1
    for i in range(1, len(asked.items)):
        click(asked, i)
    done = quiz(keep=tmp_path / "anna.answers")
    assert done.view["at"] == len(done.items)
    assert done.view["end"]["text"].endswith("Your answers are in anna.answers: hand it in with the notebook.")


def _indented(rows: list[Any]) -> str:
    return "\n".join(json.dumps(row, indent=4) for row in rows)


@pytest.mark.parametrize(
    "saved",
    [
        _indented,
        lambda rows: json.dumps(rows, indent=2),
        lambda rows: " ".join(map(json.dumps, rows)),
        lambda rows: "\n\n".join(f"\t{json.dumps(row)}  " for row in rows),
        lambda rows: "\ufeff" + "\r\n".join(map(json.dumps, rows)),
        lambda rows: "\r".join(map(json.dumps, rows)),
        lambda rows: ("\ufeff" + _indented(rows)).encode("utf-16"),
    ],
    ids=["indented", "a list", "one line", "blank lines", "BOM and CRLF", "CR", "UTF-16"],
)
def test_a_file_that_an_editor_saved_in_its_own_form_is_read_and_goes_on(tmp_path: Path, saved: Any) -> None:
    path = tmp_path / "anna.answers"
    asked = quiz(student="Anna", keep=path)
    click(asked, 0)
    click(asked, 1, right=False)
    form = saved([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()])
    path.write_bytes(form if isinstance(form, bytes) else form.encode())
    again = quiz(student="Anna", keep=path)
    assert again.answers.rows() == asked.answers.rows()
    click(again, 2)
    assert quiz(student="Anna", keep=path).score.answered == 3


def test_what_is_torn_in_an_indented_file_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "anna.answers"
    asked = quiz(keep=path)
    click(asked, 0)
    click(asked, 1)
    head, first, second = path.read_text(encoding="utf-8").splitlines()
    path.write_text(f"{head}\n{first[:30]}\n{json.dumps(json.loads(second), indent=1)}", encoding="utf-8")
    with pytest.warns(UserWarning, match=r"anna\.answers: line 2 can't be read, and is left out"):
        assert quiz(keep=path).answers["question"].to_list() == [2]


def test_a_may_not_without_a_rule_is_asked_on_after_a_re_run(tmp_path: Path) -> None:
    asked = quiz(keep=tmp_path / "a.answers")
    hear(asked, {"kind": "refuse", "question": 1})
    asked.turn_to(1)
    assert asked.view["refuses"] is True
    again = quiz(keep=tmp_path / "a.answers")
    again.turn_to(1)
    assert (again.view["refuses"], again.score.answered) == (True, 0)
    again.turn_to(0)
    assert again.view["refuses"] is False


def test_a_file_of_answers_that_is_not_there_is_said_until_something_is_answered(tmp_path: Path) -> None:
    asked = quiz(keep=tmp_path / "ben.answers")
    assert asked.view["note"].startswith("ben.answers isn't there yet")
    click(asked, 0)
    assert asked.view["note"] == ""
    assert quiz(keep=tmp_path / "ben.answers").view["note"] == ""
    assert quiz().view["note"] == ""


def test_a_file_that_two_quizzes_share_is_there_for_both(tmp_path: Path) -> None:
    one, two = (ck.quiz(system, n=2, seed=5, keep=tmp_path / "ben.answers") for system in ("saga", "d6"))
    assert two.view["note"].startswith("ben.answers isn't there yet")
    click(one, 0)
    assert two.view["note"] == ""


def test_answers_whose_file_is_gone_are_taken_from_the_notebook_that_shows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, book = tmp_path / "ben.answers", tmp_path / "hw.ipynb"
    asked = quiz(student="Ben", keep=path)
    click(asked, 0, right=False)
    asked.answer(1, True)
    cells = [{"cell_type": "code", "outputs": [{"data": {MIME: asked._record()}}]}]
    book.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    path.unlink()
    monkeypatch.setenv("JPY_SESSION_NAME", str(book))
    with pytest.warns(UserWarning, match="kept in it again from what hw.ipynb shows: 1 answer"):
        again = quiz(student="Ben", keep=path)
    assert again.answers.rows() == asked.answers.rows()[:1]
    assert quiz(student="Ben", keep=path).answers.rows() == asked.answers.rows()[:1], "and the file is there again"
    assert quiz(student="Eve", keep=tmp_path / "eve.answers").score.answered == 0


def test_hints_taken_before_a_re_run_are_not_forgotten(tmp_path: Path) -> None:
    asked = quiz(keep=tmp_path / "a")
    for _ in range(2):
        hear(asked, {"kind": "hint", "question": 1})
    again = quiz(keep=tmp_path / "a")
    again.answer(1, True)
    assert again.answers["hints"].to_list() == [2]


def test_hints_to_an_exercise_are_kept_and_handed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def panel() -> Any:
        return panel_of(ck.exercise("saga-move-twice", student="Anna", keep=tmp_path / "a"))

    first = panel()
    handed: list[int] = []
    monkeypatch.setattr(type(first), "_hand_in", lambda self, **_: handed.append(self._record()["hints"]))
    for _ in range(4):
        hear(first, {"kind": "hint"})
    assert handed == [1, 2, 3, 3]
    again = panel()
    assert again._record()["hints"] == 3
    assert again.view["hints"] == list(again.task.hints)
    assert (tmp_path / "a").read_text(encoding="utf-8").count("hints") == 3


def test_without_a_file_a_named_student_keeps_them_for_as_long_as_the_kernel(tmp_path: Path) -> None:
    for student, kept in (("Anna", 1), (None, 0)):
        asked = quiz(student=student)
        click(asked, 0)
        asked.answer(1, True)
        assert quiz(student=student).score.answered == kept


def test_a_played_exercise_comes_back_call_by_call(tmp_path: Path) -> None:
    path = tmp_path / "anna.answers"

    def task() -> Any:
        return ck.exercise("saga-draw-and-attack", keep=path)

    first = task()
    play(first, "Mara", "draw_weapon")
    first.encounter.do("Mara", "attack", target="Vex")
    play(first, "Mara", "speak")
    assert first.check().passed
    again = task()
    assert [made.call for made in again.encounter.calls] == ["do"]
    assert again.check().passed is False
    again.encounter.do("Mara", "attack", target="Vex")
    assert [made.args[1] for made in again.encounter.calls] == ["draw_weapon", "attack", "speak"]
    assert again.check().passed
    assert path.read_text(encoding="utf-8").count("\n") == 3


def test_an_exercise_that_was_passed_says_so_when_its_cell_is_run_again(tmp_path: Path) -> None:
    def panel() -> Any:
        return panel_of(ck.exercise("saga-move-twice", keep=tmp_path / "a"))

    first = panel()
    for passed in (False, True):
        play(first.task, "Mara", "move")
        assert "verdict" not in first.view
        hear(first, {"kind": "check"})
        assert first.view["verdict"]["passed"] is passed
        assert ("verdict" in panel().view) is passed
    again = panel()
    assert again.view["verdict"] == first.view["verdict"]
    hear(ck.Tracker(again.task.encounter), {"kind": "undo"})
    assert "verdict" not in again.view
    assert "verdict" not in panel().view
    again.task.restart()
    assert "verdict" not in again.view


def test_an_exercise_passed_by_hand_and_by_a_cell_says_so_again(tmp_path: Path) -> None:
    first = panel_of(ck.exercise("saga-move-twice", keep=tmp_path / "a"))
    first.task.encounter.do("Mara", "move")
    play(first.task, "Mara", "move")
    assert "verdict" not in first.view
    again = panel_of(ck.exercise("saga-move-twice", keep=tmp_path / "a"))
    assert "verdict" not in again.view
    again.task.encounter.do("Mara", "move")
    assert again.view["verdict"]["passed"]


def test_what_was_taken_back_and_begun_again_is_played_so_again(tmp_path: Path) -> None:
    path = tmp_path / "a"
    first = ck.exercise("saga-move-twice", keep=path)
    play(first, "Mara", "move")
    hear(ck.Tracker(first.encounter), {"kind": "undo"})
    play(first, "Mara", "draw_weapon")
    assert ck.exercise("saga-move-twice", keep=path).encounter.digest == first.encounter.digest
    first.restart()
    play(first, "Mara", "move")
    play(first, "Mara", "move")
    again = ck.exercise("saga-move-twice", keep=path)
    assert again.check().passed is False
    again.restart()
    assert again.check().passed


def test_what_can_no_longer_be_played_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a"
    first = ck.exercise("saga-move-twice", keep=path)
    first.encounter.do("Mara", "move")
    play(first, "Mara", "move")
    again = ck.exercise("saga-move-twice", keep=path)
    with pytest.warns(UserWarning, match="can't be played again from call 2 on"):
        again.encounter.do("Mara", "full_attack", target="Vex")
    assert len(again.encounter.calls) == 1


@pytest.mark.parametrize(
    ("cut", "told"),
    [(b"{broken\n", True), (b"\n\n", False), (b'{"of": 3}\n', False), (b"[1]\n", True), (b'{"of": "x", "at"', True)],
)
def test_a_file_somebody_touched_is_read_as_far_as_it_can_be(tmp_path: Path, cut: bytes, told: bool) -> None:
    path = tmp_path / "a"
    click(quiz(keep=path), 0)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n") + cut)
    for answered in (1, 2):
        with pytest.warns(UserWarning, match="is left out") if told else nullcontext():
            again = quiz(keep=path)
        assert again.score.answered == answered
        click(again, 1)


def test_nothing_is_written_to_what_is_no_file_of_answers(tmp_path: Path) -> None:
    essay = tmp_path / "essay.txt"
    essay.write_text("My essay", encoding="utf-8")
    for path, told in (
        (essay, "is no file of answers"),
        (tmp_path / "no" / "a", "there is no folder"),
        (3, "not a path"),
    ):
        for make in (lambda keep: quiz(keep=keep), lambda keep: ck.exercise("saga-move-twice", keep=keep)):
            with pytest.raises(ck.InvalidInput, match=told):
                make(path)
    assert essay.read_text(encoding="utf-8") == "My essay"


def test_a_code_tells_nothing_and_its_secret_opens_the_key() -> None:
    mine = quiz(secret="owl")
    code = mine.code
    assert code == mine.code
    assert "owl" not in code
    handed = quiz(student="Anna", code=code)
    assert handed.code == code
    assert handed.key("owl").height == 3
    for wrong in ("crow", "", code, None):
        with pytest.raises(ck.InvalidInput, match="doesn't open the key"):
            handed.key(wrong)
    assert quiz().code is None
    assert "owl" not in repr(vars(handed))


@pytest.mark.parametrize("student", ["Anna", None])
def test_a_secret_and_its_code_ask_alike_and_another_secret_otherwise(student: str | None) -> None:
    def asked(**more: Any) -> list[str]:
        return [str(item) for item in quiz(student=student, **more).items]

    mine = asked(secret="week one")
    for code in (quiz(secret="week one").code, quiz(secret="week one", student="Ben").code):
        assert asked(code=code) == asked(code=code, secret="week one") == mine
    assert mine != asked(secret="week two")
    assert mine != asked()


def test_a_code_of_another_secret_is_refused() -> None:
    with pytest.raises(ck.InvalidInput, match="made from another secret"):
        quiz(secret="crow", code=quiz(secret="owl").code)


@pytest.mark.parametrize("code", ["7f3a", "x" * 48, 3, ""])
def test_a_code_that_is_none_is_refused(code: Any) -> None:
    with pytest.raises(ck.InvalidInput, match="code is"):
        quiz(code=code)


@pytest.mark.parametrize("given", ["", 3, ("a",)])
def test_a_secret_is_words(given: Any) -> None:
    with pytest.raises(ck.InvalidInput, match="secret is"):
        quiz(secret=given)


def test_where_a_browser_lacks_a_module_the_same_code_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secret, "_ROUNDS", 50)
    salt = bytes(8)
    assert secret._slowly(b"owl", salt) == secret._digest("owl", salt)


@pytest.mark.parametrize("how", ["utf-16", "headless", "both"])
def test_a_file_of_answers_saved_otherwise_or_without_its_first_line_is_read(tmp_path: Path, how: str) -> None:
    path = tmp_path / "anna.answers"
    click(quiz(student="Anna", keep=path), 0)
    text = path.read_text("utf-8")
    text = text if how == "utf-16" else text.partition("\n")[2]
    path.write_text(text, encoding="utf-8" if how == "headless" else "utf-16")
    with nullcontext() if how == "utf-16" else pytest.warns(UserWarning, match="its first line is missing"):
        again = quiz(student="Anna", keep=path)
    assert len(again._keeper.rows) == 1
    assert len(keeping.kept_in(path)) == 1
    click(again, 1)
    with nullcontext() if how == "utf-16" else pytest.warns(UserWarning, match="its first line is missing"):
        assert len(quiz(student="Anna", keep=path)._keeper.rows) == 2
