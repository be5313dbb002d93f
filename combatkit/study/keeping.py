"""What was clicked in a lesson, kept for the cell that is run again: in a text file, or for as long as the kernel runs.

What a cell does, the cell does again; so only what was done by hand is kept.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from combatkit.core.plain import counted
from combatkit.errors import CombatkitError, InvalidInput, warn
from combatkit.files.paths import as_path, codec_of, in_utf8, read_file, whole_file

_HEAD = {"combatkit": "answers"}
"""The first line of a file of answers."""

_MOST = 16 * 1024 * 1024
"""So many bytes a file of answers has at most."""

_FILLED = re.compile(r"[^\s,\[\]]")
"""What an object begins with: nothing but spaces and a list's signs stands between two."""

_REMEMBERED: dict[str, list[dict[str, Any]]] = {}
"""What was clicked since the kernel began, by what it belongs to, where no file keeps it."""


def key_of(*about: object) -> str:
    """Return what a quiz or an exercise is found by again: the same for the same thing and the same person."""
    return sha256(msgspec.json.encode(about, enc_hook=str)).hexdigest()[:16]


class Keeper:
    """Keeps what is clicked in one quiz or exercise; several may share a file.

    Parameters
    ----------
    path : path or None
        The file. Without one it is remembered until the kernel ends, if it is known whose it is.
    key : str
        What it is found by again.
    named : bool
        Whether it is known whose it is.

    Raises
    ------
    InvalidInput
        If the file is no file of answers, or its folder is not there.
    """

    def __init__(self, path: object, key: str, named: bool) -> None:
        self.path = None if path is None else as_path(path, "a file of answers")
        self._key = key
        self._failed = False
        self.rows = _REMEMBERED.setdefault(key, []) if named and self.path is None else []
        if self.path is not None:
            self.rows = _read(self.path, key) or _left_in_notebook(self.path, key)

    @property
    def stamp(self) -> dict[str, object]:
        """What a notebook says of what is kept here: what it belongs to, and how much there was."""
        return {"of": self._key, "kept": len(self.rows)}

    @property
    def is_shut(self) -> bool:
        """Whether there is a file, and it can't be written."""
        path = self.path
        return path is not None and (self._failed or not os.access(path if path.exists() else path.parent, os.W_OK))

    def add(self, **row: object) -> str:
        """Keep something that was clicked, and return when."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        kept = {"of": self._key, **row, "at": at}
        self.rows.append(kept)
        if self.path is not None:
            self._failed = True
            _append(self.path, kept)
            self._failed = False
        return at


def kept_in(path: Path) -> list[dict[str, Any]]:
    """Return what a file of answers keeps, line by line; nothing, if it is no such file."""
    try:
        rows = _rows(path)[0]
    except CombatkitError:
        return []
    return [row for _, row in rows if row is not None]


def _read(path: Path, key: str) -> list[dict[str, Any]]:
    """Return what a file keeps of something; lines that can't be read are told, and stay where they are."""
    if not path.exists():
        if not path.parent.is_dir():
            raise InvalidInput(f"keep: there is no folder {path.parent}; make it first, or name another file")
        return []
    rows, headed = _rows(path)
    if not headed:
        warn(f"{path.name}: its first line is missing; what is whole of the others is read")
    if broken := dict.fromkeys(str(number) for number, row in rows if row is None):
        warn(f"{path.name}: line {', '.join(broken)} can't be read, and is left out")
    return [row for _, row in rows if row is not None and row.get("of") == key]


def _left_in_notebook(path: Path, key: str) -> list[dict[str, Any]]:
    """Return what was clicked by what the notebook shows that is run here, if the file is gone: it is kept anew.

    A Jupyter server tells which notebook that is; the outputs are as they were saved last.
    """
    from combatkit.study.quiz.gathering import records_of

    book = Path(os.environ.get("JPY_SESSION_NAME", ""))
    if book.suffix != ".ipynb" or not book.is_file():
        return []
    with suppress(CombatkitError, msgspec.MsgspecError, LookupError, TypeError, AttributeError, ValueError):
        for record in records_of(book):
            answers = record.get("answers") or () if record.get("of") == key else ()
            kept = ("question", "allowed", "rule", "hints", "at")
            rows = [{"of": key, **{word: row[word] for word in kept}} for row in answers if row.get("at")]
            if rows:
                said = counted(len(rows), "answer")
                warn(f"{path.name} has nothing of this; kept in it again from what {book.name} shows: {said}")
                for row in rows:
                    _append(path, row)
                return rows
    return []


def _text(path: Path) -> str:
    text = in_utf8(read_file(path, "a file of answers", _MOST)).decode("utf-8-sig", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _rows(path: Path) -> tuple[list[tuple[int, dict[str, Any] | None]], bool]:
    """Return what a file of answers holds, each with its line's number, and whether it begins as it should.

    Raises
    ------
    InvalidInput
        If it is no file of answers.
    """
    rows = [*_values(_text(path))]
    if not rows or rows[0][1] == _HEAD:
        return rows[1:], True
    if not any(row is not None and {"of", "at"} <= row.keys() for _, row in rows):
        raise InvalidInput(f"keep: {path.name} is no file of answers: nothing is written to it; name another file")
    return rows, False


def _values(text: str) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Yield the objects of a text, each with its line's number; None for what is none.

    An editor may have indented them, put them into one line, or made a list of them.
    """
    decode, number, at = json.JSONDecoder().raw_decode, 1, 0
    while found := _FILLED.search(text, at):
        number += text.count("\n", at, at := found.start())
        try:
            row, end = decode(text, at)
        except (ValueError, RecursionError):
            row, end = None, text.find("\n", at)
            end = len(text) if end < 0 else end
        yield number, row if isinstance(row, dict) else None
        number, at = number + text.count("\n", at, end), end


def _append(path: Path, row: Mapping[str, object]) -> None:
    try:
        is_new = not path.exists() or not path.stat().st_size
        if not is_new and codec_of(held := read_file(path, "a file of answers", _MOST)).startswith("utf-16"):
            with whole_file(path) as out:  # what follows is UTF-8
                out.write(in_utf8(held))
        with path.open("r+b" if not is_new else "wb") as file:
            file.seek(0, 2)
            if is_new:
                file.write(msgspec.json.encode(_HEAD) + b"\n")
            else:
                file.seek(-1, 2)
                if file.read(1) != b"\n":  # somebody's last line was cut
                    file.write(b"\n")
            file.write(msgspec.json.encode(row) + b"\n")
    except OSError as error:
        raise InvalidInput(
            f"This counts, but is not kept: {path.name} can't be written ({error.strerror or error})."
        ) from None
