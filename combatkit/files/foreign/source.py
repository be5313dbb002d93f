"""Where a foreign file comes from: a path, bytes or text, read as text with a name; only its bytes are trusted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from os import PathLike
from typing import NamedTuple

from combatkit.core.plain import own, short
from combatkit.errors import InvalidInput
from combatkit.files.paths import as_path, read_file
from combatkit.files.sheets import is_empty, sheets_of_workbook, text_of_bytes
from combatkit.rules.checks import check_words

MOST = 1 << 22
"""No foreign file has more bytes: a compendium of a hundred creatures has some 800,000."""

_PATH = 4096
_ENDINGS = re.compile(r"(?<=[^.])(?:\.[^.]{0,4})+\Z")


class Source(NamedTuple):
    """A file's text, and what to call it.

    Parameters
    ----------
    file : str
        What to call it in a message.
    stem : str
        What to call a combatant without a name.
    text : str
        All of it.
    """

    file: str
    stem: str
    text: str


def open_source(given: object, name: str | None = None) -> Source:
    """Return a file as text.

    Parameters
    ----------
    given : str, Path or bytes
        A path; or the file's content, as bytes or text.
    name : str, optional
        What the file is called, if its content is given.

    Returns
    -------
    Source
        Its text, whatever its header says about the encoding.

    Raises
    ------
    InvalidInput
        If there is no such file, it is too large, or it is not text; it says at which byte.
    """
    called = _called(name)
    if isinstance(given, (bytes, bytearray, memoryview)):
        file = called or "the file"
        return Source(file, _stem(called), _decoded(file, bytes(given)))
    if isinstance(given, str) and _is_content(given):
        file = called or "the text"
        if len(given) > MOST:
            raise InvalidInput(f"{file} has {len(given):,} characters; a foreign file has at most {MOST:,}")
        return Source(file, _stem(called), _whole(file, given.removeprefix("\ufeff")))
    if not isinstance(given, (str, PathLike)):
        raise InvalidInput(f"a foreign file is {short(given)}; give its path, or its content as bytes or text")
    path = as_path(given, "a foreign file")
    written = read_file(path, "a foreign file", MOST)
    return Source(called or path.name, _stem(called or path.name), _decoded(called or path.name, written))


def _is_content(text: str) -> bool:
    """Check whether text is a file's content and not its path."""
    return "\n" in text or "\r" in text or len(text) > _PATH or text.lstrip("\ufeff \t\r")[:1] in ("<", "{", "[")


def _called(name: object) -> str:
    """Return the last part of a name that was given with the content; no such file is opened."""
    if name is None:
        return ""
    return re.split(r"[/\\]", check_words(name, "the name of a foreign file"))[-1]


def _stem(name: str) -> str:
    """Return a file's name without its endings, such as ``".hdc.xml"``."""
    return _ENDINGS.sub("", name).strip() or "Unnamed"


def _decoded(file: str, written: bytes) -> str:
    if len(written) > MOST:
        raise InvalidInput(f"{file} has {len(written):,} bytes; a foreign file has at most {MOST:,}")
    if written.startswith(b"PK\x03\x04"):
        (name, lines), *others = sheets_of_workbook(file, written).items()
        if others:
            several = ", ".join(short(each) for each in (name, *dict(others)))
            raise InvalidInput(f"{file} has several sheets, {several}; save the one with the creatures alone")
        return "\n".join(_written_line(line.cells) for line in lines)
    try:
        return _whole(file, text_of_bytes(written).removeprefix("\ufeff"))
    except UnicodeDecodeError as error:
        line = written[: error.start].count(b"\n") + 1
        name = "UTF-16" if error.encoding.startswith("utf-16") else "UTF-8"
        cut = error.end >= len(written) and name == "UTF-16"
        why, right = ("it ends early", "give all of it") if cut else (f"it is not {name}", f"save it as {name}")
        raise InvalidInput(f"{file} cannot be read: {why} at byte {error.start} (line {line}); {right}") from None


def _written_line(cells: Sequence[object]) -> str:
    """Return the cells of a workbook's line as a line of text."""
    return "\t".join("" if is_empty(cell) else '"{}"'.format(str(own(cell)).replace('"', '""')) for cell in cells)


def _whole(file: str, text: str) -> str:
    """Refuse characters that no text has."""
    at = text.find("\0")
    if at >= 0:
        line = text.count("\n", 0, at) + 1
        raise InvalidInput(
            f"{file} is not text: look at character {at} (line {line}); give a file that another tool saved"
        )
    if not text.strip():
        raise InvalidInput(f"{file} is empty; give a file that another tool saved")
    return text
