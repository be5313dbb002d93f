"""Many fights in one place: written in parts as they come, read lazily, one fight without the others.

An archive is a folder of parts. A part is a folder of five Parquet files, written once and put in its place whole, so
that a reader sees all of it or nothing. In a part the rows of a fight lie together, the fights in the order of
their ids, and row groups are small: what is asked of one fight is found by the least and greatest id of each group.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from combatkit.errors import InvalidInput
from combatkit.fight.fight import Encounter
from combatkit.files.paths import as_path, open_file
from combatkit.frames import pl
from combatkit.history.frames import Five, checked
from combatkit.history.schema import SCHEMAS

FORMAT = "2"
"""The version of the format, in each file's metadata."""

_PART = re.compile(r"part-[0-9]{4,}\Z")
_PART_EVENTS = 2**20
"""A part is closed at so many events, some 150 MB of frames: more is never held. Each part costs a reader an opening of
five files, more than the rows of one fight do, so a million events make one."""

_GROUP = 10_000
"""Rows of a row group. Half of it takes more bytes an event, twice as many make one fight dearer to read."""

_MOST = 1 << 33
"""No file of a part has more bytes."""

_ROWS = 1 << 25
"""No file of a part has more rows; a small file may claim any number."""

_LEVEL = 9
"""Of zstd: 19 saves another twentieth, and takes ten times as long."""


Frames = dict[str, pl.DataFrame]


def archive(path: str | Path, encounters: Iterable[Encounter]) -> Path:
    """Put fights into an archive: a new one, or one that exists and grows.

    They are taken one at a time, so an iterator of a great many needs no more memory than the frames of some of them.
    All are put in, or, if one is refused, none.

    Parameters
    ----------
    path : str or Path
        The archive's folder.
    encounters : iterable of Encounter
        The fights, as they stand. One whose id is in the archive already is refused: nothing there is ever changed.

    Returns
    -------
    Path
        The archive's folder.

    Raises
    ------
    InvalidInput
        For an id that is already there or comes twice, a folder that holds anything else, or a place that can't be
        written to.

    Examples
    --------
    >>> import combatkit as ck
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = ck.history.archive(f"{folder}/campaign", (ck.Encounter("saga", id=id) for id in ("docks", "bridge")))
    ...     sorted(ck.history.scan(path).events.select("encounter", "seq", "kind").collect().rows())
    [('bridge', 1, 'encounter'), ('docks', 1, 'encounter')]
    """
    path = as_path(path, "an archive")
    given = checked(encounters)
    is_new = not path.exists()
    present = set() if is_new else set(scan(path).encounters)
    try:
        path.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".new-", dir=path) as work:
            parts = [_write(Path(work, str(n)), fights) for n, fights in enumerate(_parts(given, present, path))]
            for part in parts:
                _put(part, path)
    except BaseException as error:
        if is_new and path.is_dir() and not any(path.iterdir()):
            path.rmdir()
        if isinstance(error, (OSError, pl.exceptions.PolarsError)):
            why = f"{getattr(error, 'strerror', None) or error}; nothing was put in"
            raise InvalidInput(f"{path} cannot be written to: {why}. Give a folder that can") from None
        raise
    return path


def _parts(encounters: Iterable[Encounter], present: set[str], path: Path) -> Iterator[dict[str, Frames]]:
    """Yield the frames of as many fights at a time as make a part, by id."""
    fights: dict[str, Frames] = {}
    events = 0
    for encounter in encounters:
        if encounter.id in present:
            right = "give this one an id of its own, or begin another archive"
            raise InvalidInput(f"{encounter.id!r} is in the archive {path.name!r} already; {right}")
        present.add(encounter.id)
        fights[encounter.id] = {name: encounter.history._frame(name) for name in SCHEMAS}
        events += fights[encounter.id]["events"].height
        if events >= _PART_EVENTS:
            yield fights
            fights, events = {}, 0
    if fights:
        yield fights


def _write(part: Path, fights: dict[str, Frames]) -> Path:
    part.mkdir()
    for name, schema in SCHEMAS.items():
        frame = pl.concat([schema.to_frame(), *(fights[id][name] for id in sorted(fights))])
        frame.write_parquet(
            part / f"{name}.parquet",
            compression="zstd",
            compression_level=_LEVEL,
            row_group_size=_GROUP,
            metadata={"combatkit": FORMAT},
        )
    return part


def _put(part: Path, path: Path) -> None:
    """Move a part to the next free place; another writer may take it first."""
    for number in count(len(_part_folders(path)) + 1):
        place = path / f"part-{number:04d}"
        try:
            part.rename(place)
            return
        except OSError:
            if not place.exists():
                raise


def _part_folders(path: Path) -> list[Path]:
    """Return an archive's parts in the order they were added.

    Raises
    ------
    InvalidInput
        For what is not an archive.
    """
    if not path.is_dir():
        right = "archive(path, encounters) makes one"
        raise InvalidInput(f"there is no archive {str(path)!r}; {right}")
    parts = []
    for entry in path.iterdir():
        if _PART.match(entry.name):
            parts.append(entry)
        elif not entry.name.startswith("."):
            raise InvalidInput(f"{str(path)!r} holds {entry.name!r} and is not an archive; give a folder of its own")
    return sorted(parts, key=lambda part: int(part.name.removeprefix("part-")))


class Archive(Five[pl.LazyFrame]):
    """The five frames of an archive, lazy: `filter` and `select` before `collect`, and only what is asked for is read.

    Rows of a fight lie together and in order; the fights lie in the order they were put in, and by id in between.
    """

    def __init__(self, path: Path, parts: list[Path]) -> None:
        self._path = path
        self._parts = parts

    def __repr__(self) -> str:
        """Say which it is."""
        return f"<Archive {self._path.name}: {', '.join(SCHEMAS)}>"

    @property
    def encounters(self) -> tuple[str, ...]:
        """The ids of all fights, as they lie."""
        ids = self.events.select("encounter").unique(maintain_order=True).collect()
        return tuple(ids["encounter"])

    def _frame(self, name: str) -> pl.LazyFrame:
        files = [part / f"{name}.parquet" for part in self._parts]
        return pl.scan_parquet(files, schema=SCHEMAS[name]) if files else SCHEMAS[name].to_frame().lazy()


def scan(path: str | Path) -> Archive:
    """Read an archive lazily.

    Parameters
    ----------
    path : str or Path
        Its folder.

    Returns
    -------
    Archive
        With the frames ``events``, ``rolls``, ``turns``, ``rounds`` and ``budgets``, each a `polars.LazyFrame` of the
        same schema as an encounter's; and ``encounters``, the ids.

    Raises
    ------
    InvalidInput
        If there is no archive, or some of it is of another version, or damaged.

    Examples
    --------
    >>> import combatkit as ck, polars as pl
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = ck.history.archive(folder, [ck.Encounter("saga"), ck.Encounter("d6", id="docks")])
    ...     one = ck.history.scan(path).events.filter(pl.col("encounter") == "docks").collect()
    >>> one.select("system", "kind").rows()
    [('d6', 'encounter')]
    """
    path = as_path(path, "an archive")
    parts = _part_folders(path)
    for part in parts:
        for name in SCHEMAS:
            _check((part / f"{name}.parquet").absolute())
    return Archive(path, parts)


def _check(file: Path) -> None:
    """Refuse a file that is not one of ours."""
    where = f"{file.parents[1].name}/{file.parent.name}/{file.name}"
    try:
        with open_file(file, "a part of an archive", _MOST) as there:
            version = pl.read_parquet_metadata(there).get("combatkit")
        frame = pl.scan_parquet(file)
        columns, rows = frame.collect_schema(), frame.select(pl.len()).collect().item()
    except (OSError, pl.exceptions.PolarsError) as error:
        why = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise InvalidInput(f"{where} cannot be read: {why}") from None
    if version is None:
        raise InvalidInput(f"{where} doesn't say which version of combatkit wrote it: it isn't part of an archive")
    if version != FORMAT:
        raise InvalidInput(f"{where} was written by another combatkit (format {version[:40]}): read it with that one")
    if columns != SCHEMAS[file.stem]:
        raise InvalidInput(f"{where} doesn't have the columns of the frame {file.stem}: it isn't part of an archive")
    if rows > _ROWS:
        raise InvalidInput(f"{where} holds {rows:,} rows, and no part of an archive has over {_ROWS:,}")
