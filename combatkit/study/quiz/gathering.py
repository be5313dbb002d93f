"""Reading what a class has handed in: what was done in its notebooks, as one frame."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import count
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from combatkit.core.plain import bare, own, short
from combatkit.errors import CombatkitError, InvalidInput, close_to
from combatkit.files.paths import as_path, in_utf8, read_file
from combatkit.registry import ruleset
from combatkit.study.differences import topics
from combatkit.study.keeping import kept_in
from combatkit.study.quiz.items import Item, items_of, words
from combatkit.study.quiz.moments import moments_of
from combatkit.study.students import student_name
from combatkit.text import ENGLISH, check_language, kit_language

if TYPE_CHECKING:
    from combatkit.study.quiz.handed_in import HandedIn

MIME = "application/vnd.combatkit.answers+json"
"""The kind of output in which a notebook keeps answers."""

COLUMNS = (
    *("student", "file", "task", "question", "exercise", "system", "action", "allowed", "rule", "right", "hints"),
    *("seed", "first", "anew", "words", "said", "key", "steps", "problem"),
)

_MOST = 64 * 1024 * 1024
"""So many bytes a notebook has at most."""

_QUESTIONS = 200
_CALLS = 1_000
"""So many questions and calls of one hand-in are read."""

_SENTENCES = 1_000
"""So many characters of a reason are read."""

_ALIKE = 2
"""So many clicks at the same times tell a copy, or all if there are fewer."""

_NEAR = 0.6
"""So much like another a name is that may be meant."""

_OTHER_QUIZ = "this quiz isn't the one the others had: ask for it again"
_OTHER_EXERCISE = "this is another exercise than the class's"
COPIED = ("the same clicks at the same times as", "its questions are not those of")
"""What a problem begins with that lets a mark be another's."""
UNSAVED = "run all its cells and save it"
"""What a problem ends with that lets a mark be an older one."""
_ALONE = "answers without their notebook: hand in the notebook with it"
_NO_FILE = "a link that leads nowhere, or no file: it is not read"
_PACKED = "a zip, which is not looked into: unpack it into a folder of its own"

_ODD = (CombatkitError, LookupError, TypeError, AttributeError, ValueError, RecursionError)
"""What comes of a file that holds something else than what was handed in."""

Row = dict[str, Any]


def gather(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    students: str | Iterable[object] | None = None,
    *,
    language: str = ENGLISH,
) -> HandedIn:
    """Return what a class has done in its notebooks: a row per question and per exercise; shown, a table of the class.

    Parameters
    ----------
    paths : path or iterable of paths
        Notebooks; a folder stands for all in it but what is hidden: Jupyter's checkpoints, a Mac's ``._hw.ipynb``.
    students : str or iterable of str, optional
        Who is in the class: who handed in nothing has a row that says so, and an exercise in which no name stands goes
        to the student whose name its file or its folder has. A name in other case is theirs too: ``anna`` is Anna.
        What lies with one of them and has another's name in it counts for neither, and both lines say so. Who is not
        on the list is told, with whom it may be.
    language : str
        What the table is in, such as ``"de"``; the columns of the frame are called alike in all.

    Returns
    -------
    polars.DataFrame
        ``student``, ``file`` (with its folder), ``task`` (a quiz, or an exercise; questions of one's own by who and
        what, such as "quiz: Vex: Move"); ``question`` (its number, from 1, as the quiz shows it) or ``exercise``;
        ``system``, ``action``; whether they said it was ``allowed`` (empty if they said nothing), and by which ``rule``
        not; of an exercise that has not passed, the rule behind it; whether that was ``right``; how many ``hints`` they
        took; the quiz's ``seed``; whether it is their ``first`` answer or hand-in (empty where the same answer stands
        in another notebook of theirs); whether `right` was made ``anew`` by the rules, or stands as the notebook has
        it; in ``words`` the moment and the question, or the goal, what was ``said`` to it, by the student or the check,
        and the ``key``, or the words of the rule behind the check (of one's own questions, once answered); how many
        ``steps`` of an exercise were played; and the ``problem``, if there is one.
        As a cell's last line it is a table: a row a student, a column a task.

    Raises
    ------
    InvalidInput
        If a path can't be one, a folder is not there, or a student has no name.
    UnknownName
        If there is no such language.
    """
    from combatkit.study.quiz.handed_in import HandedIn, schema

    code = check_language(language)
    listed = [students] if isinstance(students, str) else own(students)
    if not isinstance(listed, Iterable | None) or isinstance(listed, Mapping):
        raise InvalidInput(f"gather: students is {short(students)}; give a list of names")
    known = list(dict.fromkeys(map(student_name, listed))) if listed is not None else None
    own_tasks = _Own()
    books = [(path, name, _read_in(path)) for path, name in _files(paths)]
    together: dict[Path, list[Row]] = {}
    for path, _, records in books:
        together.setdefault(path.parent, []).extend(() if isinstance(records, Exception) else records)
    files = {
        name: _of_file(path, name, records, together[path.parent], known, own_tasks) for path, name, records in books
    }
    found = [row for rows in _set_apart(files, known).values() for row in rows]
    found += [{"student": _by_place(name, known), "file": name, "problem": why} for name, why in _strays(paths)]
    found += _copies(found)
    _tell_others(found)
    _tell_first(found)
    found += _unlisted(found, known)
    handed = {row["student"] for row in found}
    nothing = [name for name in known or () if name not in handed]
    found += [{"student": name, "problem": "handed in nothing"} for name in nothing]
    for row in found:
        if row.get("question") is not None:
            row["question"] += 1
    frame = HandedIn([{key: row.get(key) for key in COLUMNS} for row in found], schema=schema())
    frame.language = code
    frame.students = tuple(known or ())
    told = sorted((row for row in found if row.get("goal")), key=lambda row: row.get("language") == code)
    frame.goals = {row["task"]: row["goal"] for row in told}  # in the table's language, if it was asked in that
    return frame


# ── files ──


def _files(paths: object) -> Iterator[tuple[Path, str]]:
    """Yield notebooks, each with a name that tells it from the others."""
    given = [paths] if isinstance(paths, (str, PathLike)) else paths
    if not isinstance(given, Iterable) or isinstance(given, (bytes, Mapping)):
        raise InvalidInput(f"gather: {short(paths)} is no path; give notebooks, or a folder of them")
    found: dict[Path, Path] = {}  # each notebook once, with where it lies in what was given
    for each in given:
        path = as_path(each, "a notebook")
        if path.suffix != ".ipynb" and not path.exists():
            raise InvalidInput(f"gather: there is no folder {path}; give notebooks, or a folder of them")
        within = {path: Path(path.name)}
        if path.is_dir():
            within = {book: book.relative_to(path) for book in sorted(path.rglob("*.ipynb")) if not book.is_dir()}
        for book, name in within.items():
            if not path.is_dir() or not any(part.startswith(".") for part in name.parts):
                found.setdefault(book.absolute(), name)
    several = Counter(found.values())
    longer = {path: Path(*path.parts[-len(name.parts) - 1 :]) for path, name in found.items() if several[name] > 1}
    twice = Counter(longer.values())
    for path, name in found.items():
        told = longer.get(path, name)
        yield path, (path if twice[told] > 1 else told).as_posix()


def _strays(paths: object) -> Iterator[tuple[str, str]]:
    """Yield what lies in a folder and isn't read, and why: answers alone or in no file, a zip with a notebook in it."""
    for each in [paths] if isinstance(paths, (str, PathLike)) else list(paths) if isinstance(paths, Iterable) else ():
        folder = as_path(each, "a notebook")
        found = sorted(folder.rglob("*")) if folder.is_dir() else ()
        for path in (path for path in found if path.suffix in (".answers", ".zip") and not path.is_dir()):
            name, books = path.relative_to(folder), list(path.parent.glob("*.ipynb"))
            if any(part.startswith(".") for part in name.parts):
                continue
            if not path.is_file():
                yield name.as_posix(), _NO_FILE
            elif path.suffix == ".answers" and not books:
                yield name.as_posix(), _ALONE
            elif path.suffix == ".zip" and not any(path.stem.startswith(book.stem) for book in books) and _packs(path):
                yield name.as_posix(), _PACKED


def _packs(path: Path) -> bool:
    """Check whether a zip holds a notebook."""
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as packed:
            return any(name.endswith(".ipynb") for name in packed.namelist())
    except (BadZipFile, *_ODD, OSError):
        return False


def _read_in(path: Path) -> list[Row] | Exception:
    """Return what stands in a notebook, or why it can't be read."""
    try:
        return list(records_of(path))
    except (msgspec.MsgspecError, *_ODD) as error:
        return error


def _of_file(
    path: Path,
    name: str,
    records: list[Row] | Exception,
    together: Sequence[Row],
    students: Sequence[str] | None,
    own_tasks: _Own,
) -> list[Row]:
    """Return the rows of a notebook; one that tells the problem, if it has none.

    Somebody's own questions and exercises are found again in all files; other quizzes are counted file by file. What
    stands `together` is all that the notebooks of its folder have.
    """
    if isinstance(records, Exception):
        error = records
        why = str(error) if isinstance(error, CombatkitError) else "can't be read: it is no notebook, or a broken one"
        why = _PACKED if path.suffix == ".zip" else why
        beside = [each for each in _answers_near(path, [_by_place(name, students) or ""]) if kept_in(each)]
        places = [name, *(each.name for each in beside)]
        whose = next((who for who in (_by_place(each, students) for each in places) if who), None)
        saved = [f"{each.name} beside it has answers: run a whole notebook there, and save it" for each in beside]
        return [{"student": whose, "file": name, "problem": problem} for problem in (why, *saved)]
    rows: list[Row] = []
    tasks: dict[str, str] = {}
    for record in records:
        try:
            rows += _of_exercise(record, own_tasks) if "exercise" in record else _of_quiz(record, tasks, own_tasks)
        except _ODD as error:
            why = str(error) if isinstance(error, CombatkitError) else "nothing that combatkit writes"
            rows.append({"student": _text(record.get("student")), "problem": f"an answer can't be read: {why}"})
    rows = _once(rows)
    named = list(dict.fromkeys(row["student"] for row in rows if row.get("student")))
    whose = named[0] if len(named) == 1 else _by_place(name, students)
    if told := [*_beside(path, records, together, [*named, whose or ""])]:
        rows += [{"problem": problem} for problem in told]
    elif not rows:
        rows.append({"problem": "no answers stand in it"})
    return [{**row, "student": _listed(row.get("student") or whose, students), "file": name} for row in rows]


def _beside(book: Path, records: Sequence[Row], together: Sequence[Row], names: Sequence[str]) -> Iterator[str]:
    """Yield where a notebook and the files of answers beside it differ: in an answer, or a file keeps more.

    What another notebook of the same student has, in the same folder, is handed in.
    """
    if any("of" not in record for record in records):  # it was saved before that was said
        return
    seen = _kept(records)
    shown = [_answers_in(each, record["of"]) for record in records if type(each := record.get("answers")) is list]
    said = {asked for answers in shown for asked in answers.items()}
    known = {asked for asked, _ in said}
    more = ""
    for path in _answers_near(book, names):
        kept = kept_in(path)
        other = {key[1] for key, answer in _answers_in(kept).items() if key in known and (key, answer) not in said}
        asked = ", ".join(str(i + 1) for i in sorted(other))
        if len(other) > 1:
            yield f"{path.name} and the notebook have different answers to questions {asked}"
        elif other:
            yield f"{path.name} and the notebook have different answers to question {asked}"
        had = Counter(str(row.get("of")) for row in kept)
        if missing := had - seen:
            missing = had - (seen | _kept(each for each in together if _text(each.get("student")) in names))
        more = more or _more(path.name, missing, seen)
    if more:
        yield more


def _answers_near(book: Path, names: Sequence[str]) -> list[Path]:
    """Return the files of answers that go with a notebook: called as it is, or its students; all, if it lies alone."""
    alone = sum(not each.name.startswith(".") for each in book.parent.glob("*.ipynb")) == 1
    stems = {name.casefold() for name in (book.stem, *names)}
    near = [path for path in sorted(book.parent.glob("*.answers")) if alone or path.stem.casefold() in stems]
    return [path for path in near if path.is_file()]


def _kept(records: Iterable[Row]) -> Counter[str]:
    """Return how much of what was kept in files stands in notebooks, by what it belongs to."""
    seen: Counter[str] = Counter()
    for record in records:
        if type(kept := record.get("kept")) is int:
            of = str(record.get("of"))
            seen[of] = max(seen[of], kept)
    return seen


def _more(name: str, more: Counter[str], seen: Counter[str]) -> str:
    """Say that a file of answers keeps more than stands in its notebook, if it does, and why that may be."""
    if more and seen and not more.keys() & seen.keys():
        return (
            f"{name} has answers to other questions: another notebook's, or another student's? If not, run all its "
            "cells and save it"
        )
    return f"{name} has answers that don't stand in the notebook: run all its cells and save it" if more else ""


def _answers_in(rows: Sequence[Any], of: object = None) -> dict[tuple[str, int], tuple[bool, str]]:
    """Return what was answered first, by what it belongs to and the question."""
    first: dict[tuple[str, int], tuple[bool, str]] = {}
    for row in rows:
        match row:
            case {"question": int(i), "allowed": bool(allowed), "rule": str(rule)}:
                first.setdefault((str(of or row.get("of")), i), (allowed, rule))
    return first


def _set_apart(files: Mapping[str, list[Row]], students: Sequence[str] | None) -> dict[str, list[Row]]:
    """Return the rows of files with what is odd about them: in another's place, or a copy, which counts once.

    What lies with one of the class in the name of another counts for neither: nobody changes another's mark.
    """
    said = {name: _said_in(rows) for name, rows in files.items()}
    listed = students or ()
    at_home = {student for name, named in said.items() for student in named if _lies_with(name, student, listed)}
    odd: dict[str, list[Row]] = {}
    away: set[tuple[str, str]] = set()
    for name, student in ((name, student) for name, named in said.items() for student in named):
        others = [each for each in listed if _lies_with(name, each, listed)]
        if _lies_with(name, student, listed) or not (others or (student in at_home and Path(name).parent.name)):
            continue
        problem, told = f'the name in it is "{student}"', [*others, student][:1]
        home = others[0] if others else ""
        if home:
            problem = f'the name in it is "{student}", and it lies with "{home}"'
        if home and student in listed:
            away.add((name, student))
            problem = f'the name in it is "{student}", and it lies with "{home}"; it counts for nobody'
            told.append(student)
        odd.setdefault(name, []).extend({"student": each, "file": name, "problem": problem} for each in told)
    first: dict[bytes, str] = {}
    apart = {}
    for name in sorted(files, key=lambda name: name in odd):
        rows = [row for row in files[name] if not (row.get("task") and (name, row.get("student")) in away)]
        same = msgspec.json.encode([{**row, "file": ""} for row in files[name]], enc_hook=str)
        if len(said[name]) == 1 and (other := first.get(same)):
            rows = [{"student": said[name][0], "file": name, "problem": f"the same as {other}, which counts once"}]
        elif any(row.get("task") for row in rows):
            first[same] = name
        apart[name] = [*rows, *odd.get(name, [])]
    return {name: apart[name] for name in files}


def _copies(rows: Sequence[Row]) -> list[Row]:
    """Return what tells that several students clicked the same at the same times: nobody does, to a thousandth."""
    clicks: dict[tuple[str, str], set[tuple[object, ...]]] = {}
    for row in rows:
        if row.get("at") and row.get("student"):
            same = tuple(map(row.get, ("at", "question", "action", "allowed", "rule")))
            clicks.setdefault((row["student"], row["file"]), set()).add(same)
    told = []
    for (student, file), mine in clicks.items():
        for (other, where), theirs in clicks.items():
            if other != student and len(mine & theirs) >= min(_ALIKE, len(mine), len(theirs)):
                problem = f"the same clicks at the same times as {where}"
                told.append({"student": student, "file": file, "problem": problem})
    return told


def _tell_others(rows: Sequence[Row]) -> None:
    """Say of each quiz and exercise of one's own if it stands where the class has another.

    What more than half have is the class's. Something else by the same name is told if more have another; by a name of
    its own, if nobody else has it and the class's is missing. Of two who differ, the first is right.
    """
    for kind, name, problem in (("question", "task", _OTHER_QUIZ), ("exercise", "exercise", _OTHER_EXERCISE)):
        mine = [row for row in rows if row.get("asks") and row.get(kind) is not None]
        held: dict[str, set[str]] = {}
        names: dict[str, set[str]] = {}
        for row in mine:
            held.setdefault(row["asks"], set()).add(row["student"] or row["file"])
            names.setdefault(row["asks"], set()).add(row[name])
        all = len(set().union(*held.values()))
        for row in mine:
            asks, who = row["asks"], row["student"] or row["file"]
            few = len(held[asks])
            for other in held if 2 * few <= all else ():
                many, is_alike = len(held[other]), not names[other].isdisjoint(names[asks])
                is_more = many > few or (all == len(held) == 2 and [*held] == [other, asks])
                is_instead = who not in held[other] or (kind == "question" and is_alike)  # a quiz shares its column
                if is_more and is_instead and (is_alike or (few == 1 and 2 * many > all)):
                    row["problem"] = row.get("problem") or problem


def _said_in(rows: Sequence[Row]) -> list[str]:
    """Return whose the answers in a notebook are, by what it says itself."""
    return [*dict.fromkeys(str(row["student"]) for row in rows if row.get("task") and row.get("student"))]


def _lies_with(file: str, student: str, students: Sequence[str] = ()) -> bool:
    """Check whether a file, or a folder it lies in, is called by a student's name: the name alone, or set off.

    Where a folder is called by one of `students`, the file's own name counts no more: it came along.
    """
    folder = Path(file).parent.as_posix()
    if folder != "." and any(_lies_with(folder, each) for each in students):
        return _lies_with(folder, student)
    name = re.compile(rf"(?<![^\W_]){re.escape(student.casefold())}(?![^\W_])")
    return any(name.search(bare(part).casefold()) for part in Path(file).with_suffix("").parts)


def records_of(path: Path) -> Iterator[dict[str, Any]]:
    """Yield what quizzes and exercises have left in a notebook."""
    book = msgspec.json.decode(in_utf8(read_file(path, "a notebook", _MOST)))
    for cell in book["cells"]:
        for output in cell.get("outputs") or ():
            record = output.get("data", {}).get(MIME)
            if record is not None:
                yield dict(record)


def _by_place(file: str, students: Sequence[str] | None) -> str | None:
    """Return the student whose name a file has, or a folder it lies in."""
    parts = [bare(part).casefold() for part in (*Path(file).parts[:-1], Path(file).stem)]
    fit = [name for name in students or () if name.casefold() in parts]
    fit = fit or [name for name in students or () if any(name.casefold() in part for part in parts)]
    return fit[0] if len(fit) == 1 else None


def _listed(name: str | None, students: Sequence[str] | None) -> str | None:
    """Return a name as the list of the class spells it, if only the case is another."""
    fit = [each for each in students or () if name is not None and each.casefold() == name.casefold()]
    return fit[0] if len(fit) == 1 else name


def _unlisted(rows: Sequence[Row], students: Sequence[str] | None) -> Iterator[Row]:
    """Yield that somebody who handed in is not on the list of the class, and whom it may be."""
    folded = {name.casefold(): name for name in students or ()}
    for name in _said_in(rows) if folded else ():
        if name.casefold() in folded:
            continue
        near = [folded[each] for each in close_to(name.casefold(), folded, 1, _NEAR)]
        told = f'not on the list of the class: did you mean "{near[0]}"?' if near else "not on the list of the class"
        yield {"student": name, "problem": told}


def _text(value: object, most: int = 200) -> str | None:
    return None if value is None else bare(str(value)[:most]) or None


def _once(rows: list[Row]) -> list[Row]:
    """Return rows without those that stand there twice, and without open questions that are answered elsewhere."""
    seen: list[Row] = []
    answered = {_asked(row) for row in rows if row.get("allowed") is not None}
    for row in rows:
        is_open = row.get("question") is not None and row.get("allowed") is None and not row.get("problem")
        if row not in seen and not (is_open and _asked(row) in answered):
            seen.append(row)
    return seen


def _asked(row: Row) -> tuple[object, ...]:
    return row.get("student"), row.get("seed"), row.get("task"), row.get("question")


def _tell_first(rows: list[Row]) -> None:
    """Say of each answer and hand-in whether it is the first of a student's: by the clock, else as they come.

    The same answer in several of their notebooks is one, whenever each was clicked: where it is found again, nothing is
    said of it.
    """
    known: set[tuple[object, ...]] = set()
    given: set[tuple[object, ...]] = set()
    for row in sorted(rows, key=lambda row: (not row.get("at"), row.get("at") or "")):
        if row.get("task") is None:
            continue
        about = (row.get("student"), row.get("seed"), row["task"], row.get("question"))
        is_open = row.get("question") is not None and row.get("allowed") is None
        if row.get("allowed") is not None:
            answer = (*about, row["allowed"], row.get("rule"))
            if answer in given:
                continue
            given.add(answer)
        row["first"] = not is_open and about not in known
        if not is_open:
            known.add(about)


class _Own:
    """Questions and exercises of somebody's own, which are found again in all files.

    Attributes
    ----------
    titles : dict of str to str
        What each is called, by what it is about.
    """

    def __init__(self) -> None:
        self.titles: dict[str, str] = {}
        self._same: dict[str, str] = {}
        self._alike: dict[str, dict[str, str]] = {}

    def same(self, about: str, alike: object, language: str) -> str:
        """Return what stands for it: what is alike in a fight told in another language is one task with it.

        In one language it is as in another fight: then they are two.
        """
        if about not in self._same:
            key = msgspec.json.encode(alike, enc_hook=str).decode()
            known = self._alike.setdefault(key, {}) if _is_told(alike) else {}
            self._same[about] = about if language in known else next(iter(known.values()), about)
            known.setdefault(language, self._same[about])
        return self._same[about]


def _is_told(alike: object) -> bool:
    """Check whether a hand-in says what its tasks are alike by: older ones don't."""
    return all(isinstance(each, str) for each in alike) if isinstance(alike, list) else isinstance(alike, str)


# ── quizzes ──


def _of_quiz(record: Row, tasks: dict[str, str], own_tasks: _Own) -> Iterator[Row]:
    """Yield a row per answer of a quiz, and one per question that is open."""
    made = record.get("made")
    asked = [_read(each, {"question": int, "system": str, "action": str}) for each in record.get("asked", ())]
    answers = record["answers"]
    student, seed = _text(record.get("student")), own(record["seed"])
    if type(seed) is not int or not 0 <= seed < 1 << 63:
        raise InvalidInput(f"its seed is {short(seed)}")
    if len(asked) > _QUESTIONS or len(answers) > _QUESTIONS:
        raise InvalidInput("it has too many questions")
    titles = [_text(each.get("title")) for each in record.get("asked", ())]
    is_own = bool(titles) and None not in titles  # older ones have none
    known = own_tasks.titles if is_own else tasks
    language = _language(record)
    moments = (
        [[each["system"], each["title"], *map(each.get, ("moment", "fight"))] for each in record["asked"]]
        if is_own
        else []
    )
    about = msgspec.json.encode([made, [each["action"] for each in asked] if made is None else [], moments]).decode()
    systems = [*dict.fromkeys(each["system"] for each in asked)]
    if is_own:
        about = own_tasks.same(about, [each.get("alike") for each in record["asked"]], language)
    if about not in known:
        known[about] = _title(made, titles if is_own else (), systems, known.values())
    task = known[about]
    items = _again(made, student, seed, record.get("asked", ()))
    if student is not None and isinstance(made, dict) and not _fits_name(made, student, seed):
        problem = f'its questions are not those of "{student}": they were made for another name'
        yield {"student": student, "problem": problem}
    left = {each["question"]: each for each in asked}
    same: Row = {"student": student, "seed": seed, "task": task, "language": language}
    told = [_text(each.get("asks")) for each in record.get("asked", ())]
    if is_own:
        title = _title(made, titles, systems, ())
        same["goal"] = (task if task.startswith(title) else title).removeprefix("quiz: ")
    if isinstance(made, dict):  # whoever is asked, and in whatever language
        asks = [made["source"], made["topics"], made["n"], made["seed"], made.get("drawn_by", "")]
        same["asks"] = msgspec.json.encode(asks).decode()
        same["goal"] = _head(made, task)
    elif is_own:
        same["asks"] = about
    for each in answers:
        try:
            kinds = {"question": int, "system": str, "action": str, "allowed": bool, "rule": str, "hints": int}
            row = _read(each, kinds)
        except InvalidInput as error:
            yield {**same, "problem": f"an answer can't be read: {error}"}
            continue
        left.pop(row["question"], None)
        right = _judged(items, row)
        row["at"] = str(each.get("at") or "")
        row["anew"] = right is not None
        row["right"] = each.get("right") is True if right is None else right
        yield {**same, "key": _text(each.get("key"), _SENTENCES), **row, **_in_words(row, items, told, language)}
    for each in left.values():
        yield {**same, **each, "right": False, "anew": items is not None, **_in_words(each, items, told, language)}


def _language(record: Row) -> str:
    """Return what a hand-in was shown in; older ones don't say it."""
    made = record.get("made")
    try:
        return check_language(
            record.get("language") or (made.get("language", ENGLISH) if isinstance(made, dict) else "")
        )
    except CombatkitError:
        return ENGLISH


def _in_words(row: Row, items: Sequence[Item] | None, told: Sequence[str | None], language: str) -> Row:
    """Return a question in words, with what was said to it, and what is right where it can be made again.

    Each is in the language in which it was asked, but for the words of rules.
    """
    rules, i = ruleset(row["system"]).rules, row["question"]
    said, tell = words()["result"], kit_language(language).tell
    found: Row = {"words": told[i] if i < len(told) else None}
    if row.get("allowed") is not None:
        text = rules[row["rule"]].text if row["rule"] in rules and not row["allowed"] else ""
        found["said"] = tell(said["allowed" if row["allowed"] else "refused"], reason=text).rstrip()
    if items is not None and i < len(items):
        ruling = items[i].ruling
        found["words"] = f"{items[i].situation} {items[i].question}"
        why = "" if ruling.allowed else f"{ruling.reason} {rules[ruling.rule].text if ruling.rule else ''}"
        found["key"] = tell(said["allowed" if ruling.allowed else "refused"], reason=why).rstrip()
    return found


def _title(made: Any, titles: Sequence[str | None], systems: Sequence[str], taken: Collection[str]) -> str:
    """Return what a quiz is called: by what it is about, or its first question, and a number if there are several."""
    told = [*made["source"], *made["topics"]] if isinstance(made, dict) else ["own questions", *systems]
    about = ", ".join(map(str, told))
    if titles:
        about = f"{titles[0]}{f' (+{len(titles) - 1})' if len(titles) > 1 else ''}"
    title = f"quiz: {about}" if systems else "quiz"
    return _free(title, taken)


def _head(made: Row, task: str) -> str:
    """Return what the class table calls a quiz: the systems it is about, without what their titles say in brackets."""
    about = [topics()[each].title if each in topics() else str(each) for each in made["topics"]]
    told = ", ".join([*map(_short_title, made["source"]), *about])
    return f"quiz: {told}{task.removeprefix(_title(made, (), made['source'], ()))}"


def _short_title(id: object) -> str:
    try:
        return ruleset(str(id)).title.partition(" (")[0]
    except CombatkitError:  # a system that is not known here
        return str(id)


def _free(title: str, taken: Collection[str]) -> str:
    """Return a title, with a number if it is taken."""
    return next(name for n in count(1) if (name := title if n == 1 else f"{title} ({n})") not in taken)


def _read(given: Mapping[str, Any], kinds: Mapping[str, type]) -> Row:
    for key, kind in kinds.items():
        if type(given[key]) is not kind or (kind is int and not 0 <= given[key] < 1 << 31):
            raise InvalidInput(f"{key} is {short(given[key])}")
    return {key: given[key] for key in kinds}


def _again(made: Any, student: str | None, seed: int, asked: Sequence[Row]) -> Sequence[Item] | None:
    """Return a quiz's questions made again, if they can be; of others `right` stands as it was handed in."""
    if not isinstance(made, dict):
        return None
    ids, n, begin = tuple(made["source"]), made["n"], made["seed"]
    if type(n) is not int or not 1 <= n <= _QUESTIONS or type(begin) is not int or begin < 0:
        return None
    if not _fits_name(made, student, seed):
        return None
    try:
        items = _made(ids, n, seed, tuple(made["topics"]), check_language(made.get("language", ENGLISH)))
    except CombatkitError:  # a system that is not known here
        return None
    these = [(item.system, item.action, item.name, item.moment._events[-1].seq) for item in items]
    return items if these == [tuple(map(each.get, ("system", "action", "name", "moment"))) for each in asked] else None


def _fits_name(made: Row, student: str | None, seed: int) -> bool:
    """Check whether questions begin where a student's do."""
    return seed == begin_of(made["seed"], student, str(made.get("drawn_by", "")))


def begin_of(seed: int, student: str | None, draw: str = "") -> int:
    """Return where questions come from: everybody's from a place of their own, and each secret's from another."""
    if student is None and not draw:
        return seed
    about = f"{seed} {student or ''}" + (f" {draw}" if draw else "")
    return int.from_bytes(sha256(about.encode()).digest()[:6])


@lru_cache(maxsize=64)
def _made(ids: tuple[str, ...], n: int, seed: int, about: tuple[str, ...], language: str) -> Sequence[Item]:
    return items_of(moments_of([*ids], language)(seed), n, about)


def _judged(items: Sequence[Item] | None, row: Row) -> bool | None:
    """Return whether an answer is right by the rules; None if its question can't be made again."""
    if items is None or row["question"] >= len(items):
        return None
    ruling = items[row["question"]].ruling
    return bool(row["allowed"] == ruling.allowed and (ruling.allowed or row["rule"] in ruling.rules))


# ── exercises ──


def _of_exercise(record: Row, own_tasks: _Own) -> Iterator[Row]:
    """Yield the row of an exercise: one of the kit is checked again with its calls; of others each goal is a task."""
    from combatkit.study.exercises import exercise, exercises
    from combatkit.study.exercises.played import Made

    id, calls, hints = _text(record["exercise"]), record["calls"], record.get("hints", 0)
    passed, rule = record.get("passed") is True, str(record.get("rule") or "")
    said = _text(record.get("said"), _SENTENCES)
    is_kit = id in exercises()
    if is_kit and sum(map(len, calls.values())) <= _CALLS:
        task = exercise(str(id), language=_language(record))
        for system, enc in task._played.items():
            enc.calls[:] = [Made.read(each) for each in calls.get(system, ())]
        try:
            found = task.check()
            passed, rule, said = found.passed, found.rule, found._said()
        except Exception:  # noqa: BLE001 - calls that no fight would have kept
            passed, rule, said = False, "", None
    systems = [ruleset(system).id for system in calls]
    title, goal = str(id), exercises()[str(id)] if is_kit else _text(record.get("goal"))
    about = None
    if not is_kit:
        about = msgspec.json.encode(["exercise", id, goal, record.get("asks")]).decode()
        about = own_tasks.same(about, record.get("alike"), _language(record))
        title = own_tasks.titles.setdefault(about, _free(str(id), own_tasks.titles.values()))
        goal = goal and f"{goal}{title.removeprefix(str(id)) if title.startswith(str(id)) else ''}"
    yield {
        "student": _text(record.get("student")),
        "task": title,
        "exercise": id,
        "system": ", ".join(systems),
        "right": passed,
        "rule": rule,
        "hints": hints if type(hints) is int else None,
        "anew": is_kit,
        "calls": calls,
        "steps": sum(map(len, calls.values())),
        "words": _text(record.get("goal")),
        "said": said,
        "key": next((ruleset(each).rules[rule].text for each in calls if rule in ruleset(each).rules), None),
        "goal": goal,
        "language": _language(record),
        "asks": about,
    }
