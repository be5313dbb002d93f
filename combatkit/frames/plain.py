"""Plain tables that bear the names of polars: they hold rows and columns, and reckon nothing.

They stand in where polars can't be had. Whatever else is asked of them says what is missing, and so does the first one
that is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from types import SimpleNamespace
from typing import IO, Any

import msgspec

from combatkit.errors import CombatkitError

_SHOWN = 20
"""How many rows are shown at most."""

_NOTE = (
    "A plain table: polars, which combatkit's tables are usually made of, is not available here. Rows and columns are "
    "the same, but to group them, to reckon with them or to draw them takes combatkit on a computer with Python."
)
_said: list[bool] = []


class NeedsPolars(CombatkitError, AttributeError):
    """Something that polars does and a plain table does not."""


def _missing(what: str) -> NeedsPolars:
    return NeedsPolars(
        f"{what} takes polars, which is not available here; a plain table has rows(), to_dicts(), columns, height, "
        "select(), filter(column=value), sort(), head() and tail()"
    )


def __getattr__(name: str) -> Any:
    raise _missing(f"polars.{name}")


def _note() -> str:
    """Return what is missing, the first time it is asked for."""
    first = not _said
    _said.append(True)
    return _NOTE if first else ""


# ── what columns hold: polars checks it, a plain table tells it ──


class DataType:
    """What a column holds."""

    def __init__(self, inner: object = None) -> None:
        self.inner = inner


class String(DataType):
    """Text."""


class Boolean(DataType):
    """Yes or no."""


class Int64(DataType):
    """A whole number."""


class UInt64(DataType):
    """A whole number from 0 up."""


class Float64(DataType):
    """A number."""


class Enum(DataType):
    """One of some words."""


class List(DataType):
    """Several of a kind."""


class Schema(dict[str, Any]):
    """Columns and what they hold."""

    def to_frame(self) -> DataFrame:
        """Return a table with these columns and no rows."""
        return DataFrame((), self)


class LazyFrame:
    """A table that is read later; there is none here."""


class Config:
    """How tables are printed; plain ones are printed in one way."""

    def __init__(self, **how: object) -> None:
        pass


_Never = type("_Never", (Exception,), {})
exceptions = SimpleNamespace(PolarsError=_Never, PanicException=_Never)

# ── tables ──


class Series(Sequence[Any]):
    """A column."""

    def __init__(self, name: Any = "", values: Any = (), dtype: Any = None, *, strict: bool = True) -> None:
        self.name, self._values = (name, list(values)) if isinstance(name, str) else ("", list(name))
        self.dtype = dtype() if isinstance(dtype, type) else dtype
        if isinstance(self.dtype, (List, Float64)):
            kind = list if isinstance(self.dtype, List) else float
            self._values = [None if value is None else kind(value) for value in self._values]

    def __getitem__(self, at: Any) -> Any:
        return self._values[at]

    def __len__(self) -> int:
        return len(self._values)

    def __getattr__(self, name: str) -> Any:
        raise _missing(f"Series.{name}")

    def __eq__(self, other: object) -> Any:
        raise _missing("comparing a column")

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{self.name}: {self._values!r}"

    def to_list(self) -> list[Any]:
        """Return the values."""
        return self._values.copy()

    def gather(self, places: Iterable[int]) -> Series:
        """Return the values at some places."""
        return Series(self.name, [self._values[place] for place in places], self.dtype)


class DataFrame:
    """A table of columns, or of rows as tuples or mappings."""

    def __init__(self, data: Any = (), schema: Any = None, orient: str | None = None) -> None:
        data = data if isinstance(data, Mapping) else list(data)
        if isinstance(data, Mapping):
            series = [Series(name, each, getattr(each, "dtype", None)) for name, each in data.items()]
        elif data and isinstance(data[0], Series):
            series = data
        elif data and isinstance(data[0], Mapping):
            series = [Series(name, [row.get(name) for row in data]) for name in schema or data[0]]
        else:
            series = [Series(name, [row[i] for row in data]) for i, name in enumerate(schema or ())]
        if schema is not None:
            series = [Series(each.name, each, schema[each.name]) for each in series]
        self._series = {each.name: each for each in series}

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, str):
            return self._series[at]
        if isinstance(at, slice):
            return self._with(self.rows()[at])
        if type(at) is int:
            return self._with([self.rows()[at]])
        raise _missing(f"frame[{at!r}]")

    def __contains__(self, name: object) -> bool:
        return name in self._series

    def __reversed__(self) -> Iterator[Series]:
        return reversed(self._series.values())

    def __getattr__(self, name: str) -> Any:
        raise _missing(f"DataFrame.{name}")

    @property
    def schema(self) -> Schema:
        """The columns and what they hold."""
        return Schema({name: each.dtype for name, each in self._series.items()})

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [*self._series]

    @property
    def height(self) -> int:
        """How many rows there are."""
        return len(next(iter(self._series.values()), ()))

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns there are."""
        return self.height, len(self._series)

    def __len__(self) -> int:
        return self.height

    def __iter__(self) -> Iterator[Series]:
        return iter(self._series.values())

    def estimated_size(self) -> int:
        """Return about how many bytes the values are."""
        return sum(len(str(row)) for row in self.iter_rows())

    def rows(self, *, named: bool = False) -> list[Any]:
        """Return the rows as tuples, or as mappings."""
        rows = [*zip(*self._series.values(), strict=True)]
        return [dict(zip(self._series, row, strict=True)) for row in rows] if named else rows

    def iter_rows(self, *, named: bool = False) -> Iterator[Any]:
        """Go through the rows."""
        return iter(self.rows(named=named))

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as mappings."""
        return self.rows(named=True)

    def row(self, place: int, *, named: bool = False) -> Any:
        """Return one row."""
        return self.rows(named=named)[place]

    def _with(self, rows: Iterable[tuple[Any, ...]]) -> DataFrame:
        return DataFrame(rows, self.schema)

    def clone(self) -> DataFrame:
        """Return the same table."""
        return self._with(self.rows())

    def head(self, n: int = 5) -> DataFrame:
        """Return the first rows."""
        return self._with(self.rows()[:n])

    def tail(self, n: int = 5) -> DataFrame:
        """Return the last rows."""
        return self._with(self.rows()[-n:])

    def select(self, *names: Any) -> DataFrame:
        """Return some columns."""
        chosen = [*names] if isinstance(names[0], str) else [*names[0]]
        if not all(isinstance(name, str) for name in chosen):
            raise _missing("an expression in select()")
        return DataFrame([self._series[name] for name in chosen])

    def drop(self, *names: str) -> DataFrame:
        """Return the other columns."""
        return DataFrame([each for name, each in self._series.items() if name not in names])

    def with_columns(self, *columns: Series) -> DataFrame:
        """Return the table with columns replaced or added."""
        return DataFrame([*{**self._series, **{each.name: each for each in columns}}.values()])

    def filter(self, *expressions: object, **wanted: object) -> DataFrame:
        """Return the rows with a value in a column, as in ``filter(side="rebels")``."""
        if expressions:
            raise _missing("an expression in filter()")
        return self._with(tuple(row.values()) for row in self.rows(named=True) if row == {**row, **wanted})

    def sort(self, *names: str, descending: bool = False, nulls_last: bool = False, maintain_order: bool = True) -> Any:
        """Return the rows in the order of some columns, empty cells first."""
        rows = self.rows()
        for at in map(self.columns.index, reversed(names)):
            filled = sorted((row for row in rows if row[at] is not None), key=lambda row: row[at], reverse=descending)
            empty = [row for row in rows if row[at] is None]
            rows = [*filled, *empty] if nulls_last else [*empty, *filled]
        return self._with(rows)

    def write_csv(self, file: IO[bytes] | None = None, *, include_bom: bool = False) -> str:
        """Return the table as comma-separated values, or write it."""
        text = "".join(f"{','.join(map(_csv, row))}\n" for row in (self.columns, *self.rows()))
        if file is not None:
            file.write(text.encode("utf-8-sig" if include_bom else "utf-8"))
        return text

    def write_json(self) -> str:
        """Return the rows as JSON."""
        return msgspec.json.encode(self.to_dicts()).decode()

    def _shown(self) -> tuple[list[list[str]], str]:
        cells = [["" if value is None else str(value) for value in row] for row in self.head(_SHOWN).rows()]
        rest = f"{_SHOWN} of {self.height} rows." if self.height > _SHOWN else ""
        return cells, " ".join(filter(None, (rest, _note())))

    def __repr__(self) -> str:
        rows, said = self._shown()
        lines = [self.columns, *rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        texts = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]
        return "\n".join([*texts, *filter(None, (said,))])

    def _repr_html_(self) -> str:
        rows, said = self._shown()
        lines = [("th", self.columns), *(("td", row) for row in rows)]
        body = "".join(f"<tr>{''.join(f'<{t}>{escape(cell)}</{t}>' for cell in row)}</tr>" for t, row in lines)
        return f"<table>{body}</table>" + (f"<p>{escape(said)}</p>" if said else "")


def _csv(value: object) -> str:
    text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return '"{}"'.format(text.replace('"', '""')) if value == "" or {*text} & {*',"\r\n'} else text


def concat(frames: Iterable[DataFrame], *, rechunk: bool = False) -> DataFrame:
    """Return tables with the same columns, one below the other."""
    first, *others = frames
    return first._with([row for frame in (first, *others) for row in frame.rows()])
