"""A frame that grows: sealed chunks, a short tail, corrections of cells. A look costs the same however long it is."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

_SEAL = 64
"""A tail of so many rows is sealed at the next look."""


class Table:
    """Rows of one schema, to be appended, corrected and looked at as a frame.

    New rows wait in plain lists, one a column. A look builds a frame of them and puts it behind the sealed chunks;
    chunks of like size are merged, so that there are never more than a few. Frames are built from whole columns with a
    declared schema, which refuses what does not fit.

    Parameters
    ----------
    schema : polars.Schema
        The columns, in order.

    Examples
    --------
    >>> table = Table(pl.Schema({"who": pl.String(), "spent": pl.Int64()}))
    >>> table.append(["Mara", 0])
    >>> table.mend(0, "spent", 2)
    >>> table.frame().rows()
    [('Mara', 2)]
    """

    def __init__(self, schema: pl.Schema) -> None:
        self._schema = schema
        self._index = {name: i for i, name in enumerate(schema)}
        self._chunks: list[pl.DataFrame] = []
        self._sealed = 0
        self._waiting: list[list[object]] = [[] for _ in schema]
        self._mends: dict[str, dict[int, object]] = {}

    @property
    def height(self) -> int:
        """How many rows there are."""
        return self._sealed + len(self._waiting[0])

    def append(self, row: list[object]) -> None:
        """Put a row at the end; its values are in the schema's order."""
        for column, value in zip(self._waiting, row, strict=True):
            column.append(value)

    def extend(self, columns: Iterable[Iterable[object]]) -> None:
        """Put rows at the end, given by column in the schema's order."""
        for column, values in zip(self._waiting, columns, strict=True):
            column.extend(values)

    def mend(self, index: int, column: str, value: object) -> None:
        """Set one cell."""
        if index >= self._sealed:
            self._waiting[self._index[column]][index - self._sealed] = value
        else:
            self._mends.setdefault(column, {})[index] = value

    def remove(self, start: int, stop: int | None = None) -> None:
        """Take rows out: from `start` up to `stop`, or to the end."""
        stop = self.height if stop is None else stop
        if start < self._sealed:
            self._settle()
            kept: list[pl.DataFrame] = []
            at = 0
            for chunk in self._chunks:
                head, rest = max(0, start - at), max(0, stop - at)
                at += chunk.height
                parts = [p for p in (chunk.slice(0, head), chunk.slice(rest)) if p.height]
                kept.extend([chunk] if head >= chunk.height or not rest else parts)
            self._chunks = kept
        for column in self._waiting:
            del column[max(0, start - self._sealed) : max(0, stop - self._sealed)]
        self._sealed = sum(chunk.height for chunk in self._chunks)

    def frame(self, more: Sequence[list[object]] = ()) -> pl.DataFrame:
        """Return all rows as a frame; `more` are shown at its end and not kept."""
        self._settle()
        if len(self._waiting[0]) >= _SEAL:
            self._seal()
        parts = [*self._chunks]
        if self._waiting[0] or more or not parts:
            ends = zip(*more, strict=True) if more else ((),) * len(self._waiting)
            parts.append(self._build([[*column, *end] for column, end in zip(self._waiting, ends, strict=True)]))
        whole = parts[0]
        for part in parts[1:]:  # copies nothing, and takes a fraction of what concat does
            whole = whole.vstack(part)
        return whole

    def _build(self, columns: Sequence[list[object]]) -> pl.DataFrame:
        return pl.DataFrame(
            [_series(name, values, self._schema[name]) for name, values in zip(self._schema, columns, strict=True)]
        )

    def _seal(self) -> None:
        self._chunks.append(self._build(self._waiting))
        self._sealed += len(self._waiting[0])
        self._waiting = [[] for _ in self._schema]
        while len(self._chunks) > 1 and self._chunks[-2].height <= 2 * self._chunks[-1].height:
            last = self._chunks.pop()
            self._chunks[-1] = pl.concat([self._chunks[-1], last], rechunk=True)

    def _settle(self) -> None:
        """Write the corrections into the chunks they belong to; only those are rebuilt."""
        for column, cells in self._mends.items():
            indices = sorted(cells)
            start = 0
            for number, chunk in enumerate(self._chunks):
                stop = start + chunk.height
                mine = indices[bisect_left(indices, start) : bisect_left(indices, stop)]
                if mine:
                    mended = chunk[column].scatter([i - start for i in mine], [cells[i] for i in mine])
                    self._chunks[number] = chunk.with_columns(mended)
                start = stop
        self._mends.clear()


def _series(name: str, values: Sequence[Any], dtype: pl.DataType) -> pl.Series:
    if not isinstance(dtype, pl.List) or not values:
        return pl.Series(name, values, dtype=dtype, strict=True)
    # Lists repeat (the rules of an action, the faces of a die) and are slow to read in: each is read in once.
    codes: dict[tuple[object, ...], int] = {}
    indices = [codes.setdefault(tuple(value), len(codes)) for value in values]
    return pl.Series(name, list(codes), dtype=dtype, strict=True).gather(indices)
