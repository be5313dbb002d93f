"""Rosters and tables that somebody hostile made: a clear error at once, whatever they would unpack to."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest

import combatkit as ck
from combatkit.errors import InvalidInput
from combatkit.files.rosters.parquet import check_frame
from tests.hostile import Child, child

MIB = 1 << 20
HEAD = b"name,side\n"


def parquet(frame: pl.DataFrame, **more: object) -> bytes:
    written = io.BytesIO()
    frame.write_parquet(written, compression="zstd", **more)  # type: ignore[arg-type]
    return written.getvalue()


def of_name(name: pl.Expr | pl.Series) -> pl.DataFrame:
    return pl.select(name=name, side=pl.lit("x"))


ROSTERS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "a million columns": (".csv", lambda: b",".join(b"c%d" % n for n in range(500_000)) + b"\n"),
    "a header without end": (".csv", lambda: b"n" * (3 * MIB)),
    "a quoted header without end": (".csv", lambda: b'"' + b"\n" * (3 * MIB)),
    "a line without end": (".csv", lambda: HEAD + b"x" * (64 * MIB)),
    "millions of lines": (".csv", lambda: HEAD + b"\n" * (3 * MIB)),
    "many columns and lines": (".csv", lambda: b"," * 900 + b"\n" + (b"," * 900 + b"\n") * 3_000),
    "a ragged row of many cells": (".csv", lambda: HEAD + b"a,b" + b",c" * MIB),
    "NUL bytes": (".csv", lambda: b"\0" * MIB),
    "no UTF-8": (".csv", lambda: HEAD + b"\xff\xfe,x\n"),
    "a column of a hundred thousand letters": (".csv", lambda: b"name,side," + b"x" * 100_000 + b"\na,b,c\n"),
    "a number of a million digits in a cell": (".csv", lambda: b"name,side,dex\na,b," + b"9" * MIB + b"\n"),
    "deep JSON": (".json", lambda: b"[" * MIB),
    "deep JSON in a cell": (".csv", lambda: b"name,side,feats\na,b," + b"[" * MIB + b"\n"),
    "a million empty objects": (".json", lambda: b"[" + b"{}," * MIB + b"{}]"),
    "a million lists": (".json", lambda: b"[" + b"[]," * MIB + b"[]]"),
    "a JSON number of a million digits": (".json", lambda: b'[{"name":"a","side":"b","dex":' + b"9" * MIB + b"}]"),
    "no JSON numbers": (".json", lambda: b'[{"name":"a","side":"b","dex":NaN}]'),
    "a JSON number without end": (".json", lambda: b'[{"name":"a","side":"b","dex":1e999}]'),
    "half a character in JSON": (".json", lambda: b'[{"name":"\\ud800","side":"b"}]'),
    "JSON of other things": (".json", lambda: b'{"$ref": "file:///etc/passwd", "name": "&xxe;"}'),
    "a JSON file of many MiB": (".json", lambda: b" " * (64 * MIB)),
    "deep TOML": (".toml", lambda: b"combatants = " + b"[" * 100_000),
    "deep tables in TOML": (".toml", lambda: b"combatants = " + b"{a=" * 100_000),
    "a name of many parts in TOML": (".toml", lambda: b"a." * 100_000 + b"a = 1"),
    "names of many parts in TOML": (
        ".toml",
        lambda: b"\n".join(b"k%d." % n + b"a." * 30 + b"a=1" for n in range(6_000)),
    ),
    "quoted names of many parts in TOML": (".toml", lambda: b'"a" . ' * 60_000 + b"a = 1"),
    "a TOML number of many digits": (".toml", lambda: b"[[combatants]]\nname='a'\nside='b'\ndex=" + b"9" * 100_000),
    "a TOML file of many MiB": (".toml", lambda: b"#" * (64 * MIB)),
    "TOML dates": (".toml", lambda: b"[[combatants]]\nname=2020-01-01\nside='b'\n"),
    "no Parquet": (".parquet", lambda: b"PAR1" + b"\xff" * 1000 + b"PAR1"),
    "a footer without end": (".parquet", lambda: b"PAR1" + b"\x19\xfc\xff\xff\xff\x7f" * 10 + b"\x3c\0\0\0PAR1"),
    "a footer in itself": (".parquet", lambda: b"PAR1" + b"\x1c" * 3000 + (3000).to_bytes(4, "little") + b"PAR1"),
    "millions of rows": (".parquet", lambda: parquet(of_name(pl.repeat("a", 4_000_000)))),
    "one long value, packed": (".parquet", lambda: parquet(of_name(pl.lit("a" * (48 * MIB))))),
    "one long value, often": (".parquet", lambda: parquet(of_name(pl.repeat("a" * 20_000, 2_000)))),
    "lists of one long value": (
        ".parquet",
        lambda: parquet(pl.select(name=pl.lit("a"), side=pl.lit("b"), feats=pl.repeat("a" * 20_000, 2_000).implode())),
    ),
    "many empty lists": (
        ".parquet",
        lambda: parquet(pl.DataFrame({"name": ["a"] * 500_000, "side": ["b"] * 500_000, "feats": [[]] * 500_000})),
    ),
    "thousands of columns": (".parquet", lambda: parquet(pl.DataFrame({f"c{n}": ["a"] for n in range(5_000)}))),
}


@pytest.fixture(scope="module")
def reader() -> Iterator[Child]:
    with child() as made:
        yield made


@pytest.mark.parametrize("what", ROSTERS)
def test_a_hostile_roster_is_refused_at_once(reader: Child, what: str, tmp_path: Path) -> None:
    ending, content = ROSTERS[what]
    path = tmp_path / f"party{ending}"
    path.write_bytes(content())
    assert reader.refused("ck.Encounter('saga', seed=1).add_roster(path)", path)


TABLES = [what for what, (ending, _) in ROSTERS.items() if ending == ".toml"]


@pytest.mark.parametrize("what", TABLES)
@pytest.mark.parametrize("table", ["actions", "scene"])
def test_a_hostile_table_is_refused_at_once(reader: Child, table: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(ROSTERS[what][1]().replace(b"combatants", table.encode()))
    assert reader.refused(f"ck.Encounter('saga', seed=1).add_table({table!r}, path)", path)


def test_a_hostile_frame_is_refused() -> None:
    """Views of one text take no room until each is made a text of its own."""
    for frame in (
        of_name(pl.repeat("a" * MIB, 1_000, eager=True)),
        pl.DataFrame({"name": ["a"], "feats": [["a" * MIB] * 17]}),
        pl.DataFrame({"name": [{"x": "a" * 17 * MIB}]}),
        of_name(pl.repeat("a", 3 * MIB, eager=True)),
    ):
        with pytest.raises(InvalidInput, match="no roster does"):
            check_frame("frame", frame)


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'`${1}{{1}}|]()\u202e"


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    enc = ck.Encounter("saga", id=HOSTILE, seed=1)
    enc.add(HOSTILE, side=HOSTILE)
    enc.add("Vex", side="empire")
    enc.start()
    enc.end_turn()
    page = enc.to_html(tmp_path / "page.html", title=HOSTILE).read_text()
    log = enc.log().html
    data, _ = enc._repr_mimebundle_()
    for text in (page, log, data["text/html"]):
        assert "<script>alert" not in text
        assert "<img src=x" not in text
