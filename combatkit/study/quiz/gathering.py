"""Reading what a class has handed in: the answers that stand in its notebooks, as one frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from combatkit.core.plain import short
from combatkit.errors import InvalidInput

if TYPE_CHECKING:
    from os import PathLike

    import polars as pl

MIME = "application/vnd.combatkit.answers+json"
"""The kind of output in which a notebook keeps answers."""

COLUMNS = ("student", "file", "question", "system", "action", "allowed", "rule", "right", "hints", "seed")


def gather(paths: str | PathLike[str] | Iterable[str | PathLike[str]]) -> pl.DataFrame:
    """Return the answers that stand in notebooks, one row an answer.

    Parameters
    ----------
    paths : path or iterable of paths
        Notebooks; a folder stands for all in it.

    Returns
    -------
    polars.DataFrame
        ``student``, ``file``, ``question`` (its number, from 0), ``system``, ``action``; whether they said it was
        ``allowed``, and by which ``rule`` not; whether that was ``right``; how many ``hints`` they took; and the quiz's
        ``seed``.

    Raises
    ------
    InvalidInput
        If a file is no notebook.
    """
    from combatkit.frames import pl

    kinds: dict[str, type[pl.DataType]] = dict.fromkeys(COLUMNS, pl.String)
    kinds |= dict.fromkeys(("question", "hints", "seed"), pl.Int64) | dict.fromkeys(("allowed", "right"), pl.Boolean)
    found = [row for path in _files(paths) for row in _rows(path)]
    return pl.DataFrame([{key: row.get(key) for key in kinds} for row in found], schema=kinds)


def _files(paths: object) -> Iterator[Path]:
    given = [paths] if isinstance(paths, (str, Path)) else paths
    if not isinstance(given, Iterable):
        raise InvalidInput(f"gather: {short(paths)} is no path; give notebooks, or a folder of them")
    for each in given:
        path = Path(each)
        yield from sorted(path.rglob("*.ipynb")) if path.is_dir() else [path]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the answers of a notebook; of a quiz that was run twice, the last ones."""
    try:
        book = msgspec.json.decode(path.read_bytes())
        outputs = [output for cell in book["cells"] for output in cell.get("outputs", ())]
        kept = [output["data"][MIME] for output in outputs if MIME in output.get("data", {})]
        for each in {(record["student"], record["seed"]): record for record in kept}.values():
            for answer in each["answers"]:
                yield {**answer, "student": each["student"], "seed": each["seed"], "file": path.name}
    except (OSError, msgspec.MsgspecError, LookupError, TypeError, AttributeError, ValueError) as error:
        raise InvalidInput(f"gather: {path} can't be read as a notebook with answers ({error})") from None
