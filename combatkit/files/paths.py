"""Paths as users give them: one check for everything that reads and writes files."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any

from combatkit.core.plain import short
from combatkit.errors import InvalidInput, clipped

if TYPE_CHECKING:
    from pathlib import Path

_TOML = 1 << 19
"""No TOML file that people give has more bytes: a roster of a thousand combatants has some 100,000."""

_DEEP = 12
"""Every name in TOML has fewer parts."""


def as_path(given: Any, what: str, spare: int = 0) -> Path:
    """Check a path.

    Parameters
    ----------
    given : str or os.PathLike of str
        The path; ``~`` is the user's home.
    what : str
        What is or will be there, such as ``"a journal"``.
    spare : int
        How many bytes longer the names of its companion files may be.

    Returns
    -------
    Path
        The path, whether anything is there or not.

    Raises
    ------
    InvalidInput
        If it can't be a path: of another type, empty, with characters no name can have, or too long.
    """
    from pathlib import Path

    try:
        text = os.fspath(given)
        sound = isinstance(text, str) and 0 not in os.fsencode(text)
    except (TypeError, UnicodeEncodeError):
        text, sound = "", False
    if not sound or not text:
        raise InvalidInput(f"{what}: {short(given)} is not a path; give a path, as text or a pathlib.Path")
    path = Path(text)
    try:
        path = path.expanduser()
        for each in (path, path.with_name(path.name + "x" * spare) if spare and path.name else path):
            with suppress(FileNotFoundError, NotADirectoryError):
                each.stat()
    except (OSError, RuntimeError) as error:  # a name too long, links in a circle, a home nobody has
        why = getattr(error, "strerror", None) or error
        raise InvalidInput(f"{what}: {short(str(path))} cannot be its path: {why}; give another") from None
    return path


@contextmanager
def open_file(path: Path, what: str, most: int) -> Iterator[IO[bytes]]:
    """Open a file that somebody may have made with ill intent: it must be regular, and of a plausible size.

    Parameters
    ----------
    path : Path
        The file.
    what : str
        What it should be, such as ``"a roster"``.
    most : int
        How many bytes it may have.

    Raises
    ------
    OSError
        If there is none, or it cannot be read.
    InvalidInput
        If it is a pipe or a device, or too large.
    """
    # A pipe without a writer would keep us waiting before it could be seen to be one.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise InvalidInput(f"{path} is not a regular file, so it is not {what}; give one that is")
        if found.st_size > most:
            raise InvalidInput(
                f"{path.name} has {found.st_size} bytes, and {what} has at most {most}; give a smaller file"
            )
        yield file


def read_file(path: Path, what: str, most: int) -> bytes:
    """Read all of such a file.

    Raises
    ------
    InvalidInput
        If it cannot be read, is no regular file, or is too large.
    """
    try:
        with open_file(path, what, most) as file:
            return file.read(most)
    except FileNotFoundError:
        why = f"there is no {what.removeprefix('a ')} {short(str(path))}; give the path of a file that exists"
    except OSError as error:
        why = f"{error.strerror}; give a readable file"
    raise InvalidInput(f"{path.name} cannot be read: {why}")


def read_toml(path: Path, what: str) -> dict[str, object]:
    """Read a TOML file that somebody may have made with ill intent.

    Raises
    ------
    InvalidInput
        If it cannot be read, as `read_file` and `toml_of` say.
    """
    return toml_of(path.name, read_file(path, what, _TOML))


def toml_of(file: str, written: bytes) -> dict[str, object]:
    """Read the content of a TOML file.

    Raises
    ------
    InvalidInput
        If it is not TOML, too large, holds an endless number, or is nested too deeply.
    """
    import tomllib

    if len(written) > _TOML:
        raise InvalidInput(f"{file} has {len(written):,} bytes, and a TOML file has at most {_TOML:,}")
    why = "it is nested too deeply"
    try:
        text = written.decode()
        # What reads TOML takes the square of a name's length to read it.
        if re.search(rf"""(?<![\w"'-])(?:[\w"'-]+[ \t]*\.[ \t]*){{{_DEEP}}}""", text) is None:
            return tomllib.loads(text)
    except UnicodeDecodeError as error:
        why = f"byte {error.start} of it is not text in UTF-8; save it as UTF-8"
    except tomllib.TOMLDecodeError as error:
        why = clipped(str(error))
    except ValueError:
        why = "it holds a number of thousands of digits; give a smaller one"
    except RecursionError:
        pass
    raise InvalidInput(f"{file} cannot be read: {why}")


_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def codec_of(written: bytes) -> str:
    """Return the encoding that a text says it is in, by its first bytes; empty if it says nothing."""
    codec = next((codec for mark, codec in _MARKS if written.startswith(mark)), "")
    if not codec and len(written) > 1 and 0 in written[:2] and written[:2] != b"\0\0":
        codec = "utf-16-be" if written[0] == 0 else "utf-16-le"
    return codec


def in_utf8(written: bytes) -> bytes:
    """Return a text in UTF-8, whatever it says that it is in."""
    codec = codec_of(written)
    return written.decode(codec, "replace").encode() if codec else written


_JOURNAL = re.compile(rb'\s*(?:<{7}.*\s+)?\{\s*"combatkit"\s*:')


def begins_journal(written: bytes) -> bool:
    """Check whether a file that begins so is a journal, or a saved copy, which is one."""
    return _JOURNAL.match(in_utf8(written[:400])) is not None


def is_journal(path: Path) -> bool:
    """Check whether a file is a journal, or a saved copy."""
    file = path.resolve()
    if not file.is_file():
        return False
    with file.open("rb") as there:
        return begins_journal(there.read(400))


def check_target(path: Path) -> None:
    """Check that a file may be written: a new one, or one that replaces another.

    Raises
    ------
    InvalidInput
        If there is a folder there, a journal, or anything that is not a file.
    """
    if path.is_dir():
        raise InvalidInput(f"{path} is a folder; give a file in it")
    if path.exists() and not path.is_file():
        raise InvalidInput(f"{path} is not a regular file, so it is not written over; name another")
    if is_journal(path):
        raise InvalidInput(f"{path} is a journal and is not written over; name another file")


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file to write to that takes its place at a path once all of it is written, or else leaves no trace.

    What was there stays until then, and its mode stays for good. A link stays, and its target is written.
    """
    path = path.resolve()
    fresh = path.with_name(f".saving-{os.urandom(8).hex()}")
    try:
        with fresh.open("xb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        if path.exists():
            fresh.chmod(path.stat().st_mode & 0o7777)  # who may read it, and write, stays as it was
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def write_file(path: Path, content: bytes) -> Path:
    """Write a file, replacing any that exists: either all of it, or what was there stays.

    Raises
    ------
    InvalidInput
        If it may not or can't be written.
    """
    try:
        check_target(path)
        with whole_file(path) as out:
            out.write(content)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror}; give a file in a folder that exists") from None
    return path
