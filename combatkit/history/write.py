"""A fight's five frames as files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

import msgspec
import polars as pl

from combatkit.errors import InvalidInput
from combatkit.files.paths import as_path, check_target, whole_file

FORMATS = ("parquet", "csv", "json")
"""What frames can be written as."""


def write_frames(frames: Mapping[str, pl.DataFrame], folder: str | Path, format: str) -> Path:
    """Write frames into a folder, a file each; see `Frames.write`."""
    if format not in FORMATS:
        raise InvalidInput(f"format is {format!r}; give one of {', '.join(FORMATS)}")
    folder = as_path(folder, "a folder of frames")
    paths = {name: folder / f"{name}.{format}" for name in frames}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in paths.values():
            check_target(path)
        for name, frame in frames.items():
            with whole_file(paths[name]) as file:
                _WRITERS[format](frame, file)
    except (OSError, pl.exceptions.PolarsError) as error:
        why = getattr(error, "strerror", None) or error
        raise InvalidInput(f"{folder} cannot be written to: {why}; give a folder that can") from None
    return folder


def _write_parquet(frame: pl.DataFrame, file: IO[bytes]) -> None:
    frame.write_parquet(file)


def _write_csv(frame: pl.DataFrame, file: IO[bytes]) -> None:
    lists = [name for name, dtype in frame.schema.items() if isinstance(dtype, pl.List)]
    frame.with_columns(_json_of(frame[name]) for name in lists).write_csv(file)


def _json_of(column: pl.Series) -> pl.Series:
    """Return lists as JSON text, which `str.json_decode` reads."""
    texts = [None if items is None else msgspec.json.encode(items).decode() for items in column.to_list()]
    return pl.Series(column.name, texts, dtype=pl.String)


def _write_json(frame: pl.DataFrame, file: IO[bytes]) -> None:
    file.write(frame.write_json().encode())


_WRITERS: dict[str, Callable[[pl.DataFrame, IO[bytes]], None]] = {
    "parquet": _write_parquet,
    "csv": _write_csv,
    "json": _write_json,
}
