"""Rows as a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from combatkit.frames import pl


def framed(schema: pl.Schema, rows: Sequence[Sequence[Any]]) -> pl.DataFrame:
    """Return rows as a frame; a schema that is declared refuses what does not fit.

    Examples
    --------
    >>> framed(pl.Schema({"who": pl.String(), "spent": pl.Int64()}), [["Mara", 2]]).rows()
    [('Mara', 2)]
    """
    columns = zip(*rows, strict=True) if rows else ((),) * len(schema)
    return pl.DataFrame([_series(*about, values) for about, values in zip(schema.items(), columns, strict=True)])


def _series(name: str, dtype: pl.DataType, values: Sequence[Any]) -> pl.Series:
    if not isinstance(dtype, pl.List) or not values:
        return pl.Series(name, values, dtype=dtype, strict=True)
    # Lists repeat (the rules of an action, the faces of a die) and are slow to read in: each is read in once.
    codes: dict[tuple[object, ...], int] = {}
    indices = [codes.setdefault(tuple(value), len(codes)) for value in values]
    return pl.Series(name, list(codes), dtype=dtype, strict=True).gather(indices)
