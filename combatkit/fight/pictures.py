"""How the map looks: the picture below it, kept with its fight or beside its journal, and where zones are drawn."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO
from os import PathLike
from typing import TYPE_CHECKING, Any

from msgspec import convert, to_builtins
from msgspec.structs import replace

from combatkit.core.geometry import Board
from combatkit.core.limits import NAME, PICTURE, PICTURE_SIDE
from combatkit.core.model import Laid, Look
from combatkit.core.plain import check_bool, check_whole, short
from combatkit.core.timeline import Timeline
from combatkit.errors import InvalidInput, UnknownName
from combatkit.files.paths import as_path, read_file
from combatkit.rules.checks import check_words

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFile import ImageFile

SENT = 2_048
"""How many px a picture is wide or high at most where it is shown, or put into a saved copy or page."""

_LIGHT = 1 << 20
"""A PNG of more bytes is made lighter there, too."""

_SQUARES = 24
"""So many squares the longer side has, if nobody says how large one is."""

_WIDE = 11
"""The last column, and the last row, in which a zone can be drawn."""

_MARKS = {"png": b"\x89PNG\r\n\x1a\n", "jpeg": b"\xff\xd8\xff", "webp": b"RIFF"}
"""How files begin that browsers show."""

_TURNED = 0x0112
"""Where a camera notes how it was held; from 5 on, the picture lies on its side."""


# ── reading one ──


def take_picture(given: object, name: str) -> tuple[Look, bytes, bytes]:
    """Read a picture that somebody gives: how it lies if nobody says so, its content, and what is sent of it.

    Parameters
    ----------
    given : str, Path or bytes
        The file, or what it holds.
    name : str
        What it is called, where its content is given.

    Raises
    ------
    InvalidInput
        If it is no PNG, JPEG or WebP, or too large.
    """
    if isinstance(given, (bytes, bytearray, memoryview)):
        content, name = bytes(given), check_words(name, "name") if name else "the picture"
        if len(content) > PICTURE:
            raise InvalidInput(f"{name} has {len(content):,} bytes, and a picture has at most {PICTURE:,}")
    else:
        if not isinstance(given, (str, PathLike)):
            raise InvalidInput(f"picture is {short(given)}; give the path of a file, its content, or None for none")
        path = as_path(given, "a picture")
        name = check_words(path.name[-NAME:], "the name of a picture")
        content = read_file(path, "a picture", PICTURE)
    size, small = _read(content, name, SENT)
    square = max(4, round(max(size) / _SQUARES))
    kind: Any = kind_of(content)
    return Look(name, sha256(content).hexdigest(), kind, size, square, (square / 2, square / 2)), content, small


def kind_of(content: bytes) -> str:
    """Return what kind of picture some content is, by how it begins."""
    return next((kind for kind, mark in _MARKS.items() if content.startswith(mark)), "")


def _readers() -> Mapping[str, type[ImageFile]]:
    """Return what reads each kind of picture; nothing where Pillow is lacking, as in a browser."""
    try:
        from PIL.JpegImagePlugin import JpegImageFile
        from PIL.PngImagePlugin import PngImageFile
        from PIL.WebPImagePlugin import WebPImageFile
    except ImportError:
        return {}
    return {"png": PngImageFile, "jpeg": JpegImageFile, "webp": WebPImageFile}


def _opened(content: bytes, name: str) -> ImageFile:
    """Return a picture of which no more than its head is read, and refuse what isn't one or is too large."""
    readers = _readers()
    if not readers:
        raise InvalidInput("a picture below the map needs Pillow: pip install 'combatkit[pictures]'")
    reader = readers.get(kind_of(content))
    try:
        picture = None if reader is None else reader(BytesIO(content))
    except Exception:  # noqa: BLE001 - whatever a broken file may cause
        picture = None
    if picture is None:
        raise _no_picture(name)
    width, height = picture.size
    if max(width, height) > PICTURE_SIDE:
        raise InvalidInput(f"{name} is {width:,} by {height:,} px, and a picture has at most {PICTURE_SIDE:,} a side")
    return picture


def _no_picture(name: str) -> InvalidInput:
    return InvalidInput(f"{name} is no picture that can be read; give a PNG, JPEG or WebP file")


def _read(content: bytes, name: str, side: int) -> tuple[tuple[int, int], bytes]:
    """Return how wide and high a picture is as it is shown, and what it comes to with at most so many px a side.

    That is always made anew: a file may also say where and by whom it was made, which is nobody else's business.
    """
    with _opened(content, name) as picture:
        try:
            width, height = size = picture.size
            turned = picture.getexif().get(_TURNED, 1)
            exact = picture.format == "PNG" and max(size) <= side and len(content) <= _LIGHT
            return (height, width) if turned > 4 else size, _made_small(picture, side, exact=exact)
        except Exception:  # noqa: BLE001 - whatever a broken file may cause
            raise _no_picture(name) from None


def _made_small(picture: Image, side: int, *, exact: bool) -> bytes:
    """Return a picture as it is sent; large ones are made small before anything else, or there would be many copies."""
    from PIL import ImageOps

    picture.thumbnail((side, side))
    ImageOps.exif_transpose(picture, in_place=True)
    if picture.mode.startswith("I"):  # grey of 16 bits, of which a conversion would keep no more than white
        picture = picture.convert("I").point(lambda light: light * (1 / 257)).convert("L")
    clear = picture.mode in ("LA", "PA", "RGBA") or "transparency" in picture.info
    picture = picture.convert("RGBA" if clear else "RGB")
    picture.info.clear()
    written = BytesIO()
    picture.save(written, "WEBP", quality=85, lossless=exact)
    return written.getvalue()


def shrunk(content: bytes, name: str, side: int = SENT) -> bytes:
    """Return what a picture comes to with at most so many px a side; refuse one that can't be made so."""
    return _read(content, name, side)[1]


# ── how it lies, and since when ──


def otherwise(look: Look, square: object, at: object, shown: object, *, is_new: bool = False) -> Look:
    """Return a picture as it lies once what is given is so; None stays as it is.

    One that `is_new` has its upper left corner at that of the place (0, 0), if nobody says where it lies.
    """
    if square is not None:
        size = _px(square, "square", 4, PICTURE_SIDE)
        look = replace(look, square=size, at=(size / 2, size / 2) if is_new else look.at)
    if at is not None:
        if not isinstance(at, (list, tuple)) or len(at) != 2:
            raise InvalidInput(f"map_look: at is {short(at)}; give a pair: how many px from its left, and from its top")
        most = 100 * PICTURE_SIDE
        look = replace(look, at=(_px(at[0], "at", -most, most), _px(at[1], "at", -most, most)))
    return look if shown is None else replace(look, shown=check_bool(shown, "map_look: shown"))


def _px(given: object, what: str, least: int, most: int) -> float:
    """Check a number of px."""
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not least <= given <= most:
        raise InvalidInput(f"map_look: {what} is {short(given)}; give px, a number from {least:,} to {most:,}")
    return float(given)


def laid(line: Timeline) -> list[Laid]:
    """Return the pictures of a fight in the order they were laid, each with the call from which on it lies."""
    return convert(line.settings.get("looks", []), list[Laid])


def look_at(line: Timeline, seq: int | None = None) -> Look | None:
    """Return the picture that lies below the map, at present or as it was after event `seq`."""
    if "looks" not in line.settings:
        return None
    stand = [each for each in laid(line) if line.stands(each[0], seq)]
    return max(stand, key=lambda each: each[0])[1] if stand else None


def lay(line: Timeline, look: Look | None) -> None:
    """Lay a picture below the map, or take it off, from the present call on; one that lies there is laid otherwise.

    The first one has been there from the beginning: to undo what was done before takes no picture away.
    """
    known, now = laid(line), look_at(line)
    if now is not None and look is not None and now.sha == look.sha:
        known = [(first, look if each == now else each) for first, each in known]
    else:
        present = line.present.first if known and line.present is not None else 1
        known = [*((first, each) for first, each in known if first != present), (present, look)]
    line.settle(looks=to_builtins(known))


# ── where zones are drawn ──


def check_drawn(given: object, board: Board) -> dict[str, tuple[int, int]]:
    """Return in which column and row each of a map's zones is drawn; refuse what it has no room for."""
    zones = board.zones
    if board.cell:
        has = "hexes" if board.cell == "hex" else "squares"
        raise InvalidInput(f"map_look: this fight has {has}; zones are drawn only where there are zones")
    if not zones:
        raise InvalidInput("There is no map: this fight has no zones. They are named as it is made.")
    if not isinstance(given, Mapping):
        raise InvalidInput(f"map_look: zones is {short(given)}; give each zone's column and row, or None for none")
    drawn: dict[str, tuple[int, int]] = {}
    for name, spot in given.items():
        if name not in zones:
            raise UnknownName.of("zone", name, zones)
        if not isinstance(spot, (list, tuple)) or len(spot) != 2:
            raise InvalidInput(f"map_look: {name} is drawn at {short(spot)}; give a pair: its column and its row")
        column = check_whole(spot[0], f"map_look: {name}'s column", 0, _WIDE)
        row = check_whole(spot[1], f"map_look: {name}'s row", 0, _WIDE)
        if other := next((each for each, at in drawn.items() if at == (column, row)), ""):
            raise InvalidInput(f"map_look: {name} is drawn where {other} is; give each a place of its own")
        drawn[name] = column, row
    return drawn


# ── where its content is ──


def keep(line: Timeline, look: Look, content: bytes) -> None:
    """Keep a picture's content: beside the journal, or with the fight where there is none."""
    if line.journal is not None:
        line.journal.keep(look.file, content)
    elif look.sha not in (inside := line.settings.get("pictures", {})):
        line.settle(pictures={**inside, look.sha: b64encode(content).decode()})


def _inside(line: Timeline, look: Look) -> bytes | None:
    """Return a picture's content as the fight holds it; None if it holds none."""
    inside = line.settings.get("pictures", {}).get(look.sha)
    try:
        return None if inside is None else b64decode(inside, validate=True)
    except ValueError:  # in a file that somebody else wrote
        return None


def kept(line: Timeline, look: Look) -> bytes:
    """Return a picture's content.

    Raises
    ------
    InvalidInput
        If its file is not there any more, or is another.
    """
    inside = _inside(line, look)
    if inside is not None:
        return inside
    content = None if line.journal is None else line.journal.kept(look.file)
    if content is None:
        raise InvalidInput(f"{look.file} ({look.name}), the picture below the map, isn't beside the journal any more")
    if sha256(content).hexdigest() != look.sha:
        raise InvalidInput(f"{look.file} ({look.name}), the picture below the map, was changed by something else")
    return content


def sent(line: Timeline, look: Look) -> bytes:
    """Return what is sent of a picture.

    Where nothing reads pictures, that is what a saved copy holds: it was made anew when that was saved.

    Raises
    ------
    InvalidInput
        If its file is not there any more, or is another, or can't be read here.
    """
    inside = _inside(line, look)
    return inside if inside is not None and not _readers() else shrunk(kept(line, look), look.name)


def hand_over(line: Timeline) -> tuple[list[tuple[Look, bytes]], Mapping[str, str]]:
    """Return what a journal keeps beside it of the pictures that a fight holds, and what stays within: copies."""
    inside: dict[str, str] = {**line.settings.get("pictures", {})}
    beside = []
    for _, look in laid(line):
        content = None if look is None else _inside(line, look)
        if look is not None and content is not None and sha256(content).hexdigest() == look.sha:
            beside.append((look, content))
            inside.pop(look.sha, None)
    return beside, inside
