"""Whether a Parquet file can be opened safely: a few bytes of it may expand to more rows than any memory holds.

Its footer and page headers say how many values each page has, and how many bytes they are when unpacked: both are in
Thrift's compact protocol (parquet.apache.org/docs/file-format).
"""

from __future__ import annotations

from typing import Any

import polars as pl

from combatkit.errors import InvalidInput

_VALUES = 1 << 20
_BYTES = 1 << 24
"""No roster holds more values, or more bytes of them."""

_DEEPEST = 16

_FIXED = {3: 1, 7: 8}


class _Thrift:
    """Reads structs, each as its fields by number."""

    def __init__(self, written: bytes, at: int) -> None:
        self.written = written
        self.at = at

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.written[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
            if shift > 63:
                raise ValueError

    def struct(self, depth: int = 0) -> dict[int, Any]:
        if depth > _DEEPEST:
            raise ValueError
        fields: dict[int, object] = {}
        number = 0
        while (head := self._byte()) & 0x0F:
            number = number + (head >> 4) if head >> 4 else self._zigzag()
            kind = head & 0x0F
            fields[number] = kind == 1 if kind in (1, 2) else self._value(kind, depth)
        return fields

    def _byte(self) -> int:
        self.at += 1
        return self.written[self.at - 1]

    def _zigzag(self) -> int:
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def _value(self, kind: int, depth: int) -> object:
        match kind:
            case 4 | 5 | 6:
                return self._zigzag()
            case 8:
                size = self.varint()
                self.at += size
                return None
            case 9 | 10:
                head = self._byte()
                size = head >> 4 if head >> 4 < 15 else self.varint()
                return [self._value(head & 0x0F, depth + 1) for _ in range(size)]
            case 12:
                return self.struct(depth + 1)
            case 1 | 2 | 3 | 7:
                self.at += _FIXED.get(kind, 1)
                return None
            case _:
                raise ValueError


def check_parquet(name: str, written: bytes) -> None:
    """Check that a Parquet file unpacks to no more than a roster can be.

    Raises ------ InvalidInput If it isn't one, or is too large.
    """
    try:
        if not written.endswith(b"PAR1"):
            raise ValueError
        footer = _Thrift(written, len(written) - 8 - int.from_bytes(written[-8:-4], "little")).struct()
        values = size = 0
        for group in footer.get(4, ()):
            for chunk in group[1]:
                more_values, more_bytes = _unpacked(written, chunk[3])
                values, size = values + more_values, size + more_bytes
                _check(name, max(values, footer[3]), size)
    except (IndexError, KeyError, TypeError, ValueError):
        raise InvalidInput(f"{name} cannot be read: it is not a Parquet file, or it is damaged") from None


def _unpacked(written: bytes, column: dict[int, Any]) -> tuple[int, int]:
    """Return how many values a column's pages hold, and how many bytes they are."""
    at = min(column[9], column.get(11, column[9])) if column.get(11) else column[9]
    end = at + column[7]
    values = size = 0
    while 0 <= at < end:
        thrift = _Thrift(written, at)
        header = thrift.struct()
        values += max(0, *(header.get(kind, {}).get(1, 0) for kind in (5, 7, 8)))
        if min(header[2], header[3]) < 0 or header[2] > _BYTES:
            return values, _BYTES + 1
        size += header[2]
        at = thrift.at + header[3]
    return values, size


def _check(name: str, values: int, size: int) -> None:
    if values > _VALUES or size > _BYTES:
        what = f"over {_VALUES} values" if values > _VALUES else f"values of over {_BYTES} bytes"
        raise InvalidInput(f"{name} holds {what}, and no roster does; give a smaller one")


def check_frame(name: str, frame: pl.DataFrame) -> None:
    """Check that a frame's values are no larger than a roster's; many may share the same bytes.

    Raises
    ------
    InvalidInput
        If they are.
    """
    _check(name, frame.width * frame.height, 0)
    _check(name, 0, sum(_weight(frame[column]) for column in frame.columns))


def _weight(values: pl.Series) -> int:
    """Return how many bytes values are when none shares any."""
    if values.dtype == pl.String:
        return int(values.str.len_bytes().sum())
    if values.dtype == pl.Binary:
        return int(values.bin.size().sum())
    if isinstance(values.dtype, (pl.List, pl.Array)):
        lengths = values.list.len() if isinstance(values.dtype, pl.List) else values.arr.len()
        count = int(lengths.sum())
        return _BYTES + 1 if count > _VALUES else count + _weight(values.explode())
    if isinstance(values.dtype, pl.Struct):
        return sum(_weight(field) for field in values.struct.unnest())
    return len(values)
