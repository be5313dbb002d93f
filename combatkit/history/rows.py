"""Frames built of rows, whole columns at a time, with a declared schema: it refuses what does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl


def frame_of(rows: Sequence[Sequence[object]], schema: pl.Schema) -> pl.DataFrame:
    """Return rows as a frame; the values of each are in the schema's order.

    Examples
    --------
    >>> frame_of([["Mara", 2]], pl.Schema({"who": pl.String(), "spent": pl.Int64()})).rows()
    [('Mara', 2)]
    """
    return frame_from(zip(*rows, strict=True) if rows else ((),) * len(schema), schema)


def frame_from(columns: Iterable[Sequence[Any]], schema: pl.Schema) -> pl.DataFrame:
    """Return columns in the schema's order as a frame."""
    return pl.DataFrame([_series(*each) for each in zip(schema, columns, schema.values(), strict=True)])


def _series(name: str, values: Sequence[Any], dtype: pl.DataType) -> pl.Series:
    if not isinstance(dtype, pl.List) or not values:
        return pl.Series(name, values, dtype=dtype, strict=True)
    # Lists repeat (the rules of an action, the faces of a die) and are slow to read in: each is read in once.
    codes: dict[tuple[object, ...], int] = {}
    indices = [codes.setdefault(tuple(value), len(codes)) for value in values]
    return pl.Series(name, list(codes), dtype=dtype, strict=True).gather(indices)
