"""What a class has handed in, as a frame that a notebook shows as a table: a row a student, a column a task."""

from __future__ import annotations

from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from combatkit.core.plain import counted
from combatkit.frames import pl
from combatkit.study.quiz.gathering import COLUMNS, COPIED, UNSAVED
from combatkit.text import ENGLISH, Language, kit_language

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

_STYLE = "text-align:left;vertical-align:top;padding:6px 20px 6px 0;border-bottom:1px solid #8886;min-width:4.5em"
"""How each cell looks, in the colours of its page."""


_PAPER = "var(--jp-layout-color0,var(--vscode-editor-background,Canvas))"
_INK = "var(--jp-content-font-color1,var(--vscode-editor-foreground,CanvasText))"
_STAYS = f"position:sticky;left:0;z-index:1;max-width:8em;overflow-wrap:break-word;background:{_PAPER};color:{_INK}"
"""How the first column looks, which stays where it is while the others go by, and leaves them room on a phone.

Borders that collapse are the table's and stay behind what is sticky: each cell has its own.
"""

_COVER = f"linear-gradient(to left,{_PAPER} 50%,#0000) right/48px 100% no-repeat local"
_SHADE = "linear-gradient(to left,#888a,#0000) right/20px 100% no-repeat scroll"
"""Where the table goes on, its rim is in shade, for touch screens show no bar; its end covers that."""


def schema() -> dict[str, type[pl.DataType]]:
    """Return what each column holds."""
    kinds: dict[str, type[pl.DataType]] = dict.fromkeys(COLUMNS, pl.String)
    kinds |= dict.fromkeys(("question", "hints", "seed", "steps"), pl.Int64)
    return kinds | dict.fromkeys(("allowed", "right", "first", "anew"), pl.Boolean)


class HandedIn(pl.DataFrame):
    """Rows of hand-ins; `gather` makes it."""

    language = ENGLISH
    """What the table is in."""
    students: Sequence[str] = ()
    """Who is in the class, in the order of its list."""
    goals: Mapping[str, str] = MappingProxyType({})
    """What exercises ask for, which their columns are called by; one that is not here is called by its id."""

    def _repr_html_(self, **how: Any) -> str:
        """Return the class as a table: how many questions of a quiz were right at first, which exercises passed."""
        if [*self.columns] != [*COLUMNS]:
            return str(super()._repr_html_(**how))
        return class_table(self.to_dicts(), kit_language(self.language), self.goals, self.students)


def class_table(
    rows: Sequence[dict[str, Any]], language: Language, goals: Mapping[str, str], students: Sequence[str] = ()
) -> str:
    """Return the table, of static HTML; the goal of an exercise stays as it was typed, if it is none of the kit's.

    The class comes as it is listed, and whoever isn't on the list after it, by name.
    """
    word = language.several
    nobody = word("(no name)")
    tasks = [*dict.fromkeys(str(row["task"]) for row in rows if row["task"])]
    typed = {row["task"] for row in rows if row["exercise"] is not None}
    titles = {task: goals.get(task) or task.replace("-", " ") for task in tasks}
    people: dict[str, list[dict[str, Any]]] = {}
    listed = {name: number for number, name in enumerate(students)}
    for row in sorted(rows, key=lambda row: _place(row["student"], listed)):
        people.setdefault(row["student"] or nobody, []).append(row)
    # Of what is nobody's to judge anew, it is said once.
    stays = {task for task in tasks if not any(row["anew"] for row in rows if row["task"] == task)}
    lines = [[f"<b>{escape(name)}</b>", *_cells(own, tasks, word, stays)] for name, own in people.items()]
    told = [(language.own if task in typed else word)(title) for task, title in titles.items()]
    table = _line([word("Student"), *map(escape, told)], "th") + "".join(_line(line, "td") for line in lines)
    problems = [
        f"<li><b>{escape(name)}</b> {told}</li>" for name, own in people.items() for told in _problems(own, word)
    ]
    all, work = counted(len(people.keys() - {nobody}), "student"), counted(len(tasks), "task")
    said = word(f"{all}, {work}. First answers count.")
    if stays:
        said += f" * {word('Marks as the notebooks have them.')}"
    return (
        f'<p>{said}</p><div style="overflow-x:auto;max-width:100%;background:{_COVER},{_SHADE}">'
        f'<table style="border-collapse:separate;border-spacing:0;margin:0">{table}</table></div>'
        + (f'<ul style="overflow-wrap:anywhere;padding-left:1.4em">{"".join(problems)}</ul>' if problems else "")
    )


def _place(student: str | None, listed: Mapping[str, int]) -> tuple[int, str]:
    """Return where a student stands in the table: as listed, then by name, and last who has none."""
    return listed.get(student or "", len(listed)), (student or "\uffff").casefold()


def _line(cells: Sequence[str], kind: str) -> str:
    styles = [f"{_STYLE};{_STAYS}", *[_STYLE] * len(cells)]
    told = (f'<{kind} style="{style}">{cell}</{kind}>' for style, cell in zip(styles, cells, strict=False))
    return f'<tr style="background:none">{"".join(told)}</tr>'


def _cells(
    rows: Sequence[dict[str, Any]], tasks: Sequence[str], word: Callable[[str], str], stays: Collection[str]
) -> list[str]:
    """Return what somebody has of each task; of whom there is nothing at all, it is said below why."""
    cells = [_cell(rows, task, word, task in stays) for task in tasks]
    if any(row["task"] for row in rows):
        return cells
    return [f"<small>{escape(word('see below'))}</small>"][: len(cells)] + cells[1:]


def _cell(rows: Sequence[dict[str, Any]], task: str, word: Callable[[str], str], stays: bool) -> str:
    """Return what somebody has of a task: marks that stand whatever they did later, and what is worth a look."""
    found = [row for row in rows if row["task"] == task]
    if not found:
        return "-"
    notes = []
    if not stays and not all(row["anew"] for row in found):
        notes.append("as the notebook says")
    copied = {row["file"] for row in rows if (row["problem"] or "").startswith(COPIED)}
    unsaved = {row["file"] for row in rows if (row["problem"] or "").endswith(UNSAVED)}
    if found[0]["exercise"] is None and any(row["file"] in copied for row in found):
        notes.append("a copy? see below")
    elif any(row["problem"] for row in found) or any(row.get("file") in unsaved for row in found):
        notes.append("see below")
    if found[0]["exercise"] is not None:
        later = [row for row in found if not row["first"]]
        if later:
            notes.insert(0, f"{len(found)} hand-ins")
        tried = any(row.get("steps") for row in found)
        mark = "passed" if any(row["right"] for row in found) else "not yet" if tried else "not tried"
    else:
        asked = {(row["seed"], row["question"]) for row in found if row["question"] is not None}
        first = [row for row in found if row["first"]]
        later = [row for row in found if row["first"] is False and row["allowed"] is not None]
        left = len(asked) - len(first)
        notes = [
            *([f"{left} not answered"] if left else []),
            *([f"{counted(len(later), 'later answer')}"] if later else []),
            *notes,
        ]
        mark = f"{sum(bool(row['right']) for row in first)} of {len(asked)}"
    return f"<b>{word(mark)}</b>{'*' * stays}" + "".join(f"<br><small>{escape(word(note))}</small>" for note in notes)


def _problems(rows: Sequence[dict[str, Any]], word: Callable[[str], str]) -> list[str]:
    found = ((row["file"], word(row["problem"])) for row in rows if row["problem"])
    told = [f"{file}: {problem}" if file else problem for file, problem in found]
    return [escape(each) for each in dict.fromkeys(told)]
