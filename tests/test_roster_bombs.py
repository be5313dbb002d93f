"""Rosters and tables that somebody hostile made: a clear error at once, whatever they would unpack to."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import polars as pl
import pytest

import combatkit as ck
from combatkit.errors import InvalidInput
from combatkit.files.rosters.read import read_roster
from tests.hostile import Child, child

MIB = 1 << 20
HEAD = b"name,side\n"


def parquet(frame: pl.DataFrame, **more: object) -> bytes:
    written = io.BytesIO()
    frame.write_parquet(written, compression="zstd", **more)  # type: ignore[arg-type]
    return written.getvalue()


def of_name(name: pl.Expr | pl.Series) -> pl.DataFrame:
    return pl.select(name=name, side=pl.lit("x"))


ROSTERS: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "a million columns": (
        ".csv",
        lambda: b",".join(b"c%d" % n for n in range(500_000)) + b"\n",
        "over 1,000 in a line, 10,000 lines or 250,000 in all",
    ),
    "a header without end": (".csv", lambda: b"n" * (3 * MIB), "field larger than field limit"),
    "a quoted header without end": (".csv", lambda: b'"' + b"\n" * (3 * MIB), "field larger than field limit"),
    "a line without end": (".csv", lambda: HEAD + b"x" * (64 * MIB), "a roster has at most 4194304"),
    "millions of lines": (
        ".csv",
        lambda: HEAD + b"\n" * (3 * MIB),
        "over 1,000 in a line, 10,000 lines or 250,000 in all",
    ),
    "many columns and lines": (
        ".csv",
        lambda: b"a," * 900 + b"\n" + (b"a," * 900 + b"\n") * 2_000,
        "over 1,000 in a line, 10,000 lines or 250,000 in all",
    ),
    "a ragged row of many cells": (
        ".csv",
        lambda: HEAD + b"a,b" + b",c" * MIB,
        "over 1,000 in a line, 10,000 lines or 250,000 in all",
    ),
    "NUL bytes": (".csv", lambda: b"\0" * MIB, "field larger than field limit"),
    "no UTF-8": (".csv", lambda: HEAD + b"\x81,x\n", "byte 10 of it is not text"),
    "a number of a million digits in a cell": (
        ".csv",
        lambda: b"name,side,dex\na,b," + b"9" * MIB + b"\n",
        "field larger than field limit",
    ),
    "deep JSON": (".json", lambda: b"[" * MIB, "nested too deeply"),
    "deep JSON in a cell": (
        ".csv",
        lambda: b"name,side,feats\na,b," + b"[" * MIB + b"\n",
        "field larger than field limit",
    ),
    "a million empty objects": (".json", lambda: b"[" + b"{}," * MIB + b"{}]", "no roster has over 10000"),
    "a million lists": (".json", lambda: b"[" + b"[]," * MIB + b"[]]", "row 1: [] is not an object"),
    "a JSON number of a million digits": (
        ".json",
        lambda: b'[{"name":"a","side":"b","dex":' + b"9" * MIB + b"}]",
        "Integer value out of range",
    ),
    "no JSON numbers": (".json", lambda: b'[{"name":"a","side":"b","dex":NaN}]', "invalid character (byte 30)"),
    "a JSON number without end": (".json", lambda: b'[{"name":"a","side":"b","dex":1e999}]', "Number out of range"),
    "half a character in JSON": (".json", lambda: b'[{"name":"\\ud800","side":"b"}]', "unexpected end of escaped"),
    "JSON of other things": (".json", lambda: b'{"$ref": "file:///etc/passwd", "name": "&xxe;"}', "is not an array"),
    "a JSON file of many MiB": (".json", lambda: b" " * (64 * MIB), "a roster has at most 4194304"),
    "deep TOML": (".toml", lambda: b"combatants = " + b"[" * 100_000, "nested too deeply"),
    "deep tables in TOML": (".toml", lambda: b"combatants = " + b"{a=" * 100_000, "nested too deeply"),
    "a name of many parts in TOML": (".toml", lambda: b"a." * 100_000 + b"a = 1", "nested too deeply"),
    "names of many parts in TOML": (
        ".toml",
        lambda: b"\n".join(b"k%d." % n + b"a." * 30 + b"a=1" for n in range(6_000)),
        "nested too deeply",
    ),
    "quoted names of many parts in TOML": (".toml", lambda: b'"a" . ' * 60_000 + b"a = 1", "nested too deeply"),
    "a TOML number of many digits": (
        ".toml",
        lambda: b"[[combatants]]\nname='a'\nside='b'\ndex=" + b"9" * 100_000,
        "a number of thousands of digits",
    ),
    "a TOML file of many MiB": (".toml", lambda: b"#" * (64 * MIB), "a roster has at most 4194304"),
    "TOML dates": (".toml", lambda: b"[[combatants]]\nname=2020-01-01\nside='b'\n", "name is datetime.date"),
    "no Parquet": (".parquet", lambda: b"PAR1" + b"\xff" * 1000 + b"PAR1", "File out of specification"),
    "a footer without end": (
        ".parquet",
        lambda: b"PAR1" + b"\x19\xfc\xff\xff\xff\x7f" * 10 + b"\x3c\0\0\0PAR1",
        "File out of specification",
    ),
    "a footer in itself": (
        ".parquet",
        lambda: b"PAR1" + b"\x1c" * 3000 + (3000).to_bytes(4, "little") + b"PAR1",
        "File out of specification",
    ),
    "millions of rows": (".parquet", lambda: parquet(of_name(pl.repeat("a", 4_000_000))), "2 columns and 10001 rows"),
    "one long value, packed": (
        ".parquet",
        lambda: parquet(of_name(pl.lit("a" * (48 * MIB)))),
        "values of over 16777216 bytes",
    ),
    "one long value, often": (
        ".parquet",
        lambda: parquet(of_name(pl.repeat("a" * 20_000, 2_000))),
        "values of over 16777216 bytes",
    ),
    "lists of one long value": (
        ".parquet",
        lambda: parquet(pl.select(name=pl.lit("a"), side=pl.lit("b"), feats=pl.repeat("a" * 20_000, 2_000).implode())),
        "values of over 16777216 bytes",
    ),
    "many empty lists": (
        ".parquet",
        lambda: parquet(pl.DataFrame({"name": ["a"] * 500_000, "side": ["b"] * 500_000, "feats": [[]] * 500_000})),
        "3 columns and 10001 rows",
    ),
    "thousands of columns": (
        ".parquet",
        lambda: parquet(pl.DataFrame({f"c{n}": ["a"] for n in range(5_000)})),
        "5000 columns and 1 rows",
    ),
}


@pytest.fixture(scope="module")
def reader() -> Iterator[Child]:
    with child() as made:
        yield made


@pytest.mark.parametrize("what", ROSTERS)
def test_a_hostile_roster_is_refused_at_once(reader: Child, what: str, tmp_path: Path) -> None:
    ending, content, said = ROSTERS[what]
    path = tmp_path / f"party{ending}"
    path.write_bytes(content())
    assert said in reader.refused("ck.Encounter('saga', seed=1).add_roster(path)", path)


TABLES = [what for what, (ending, *_) in ROSTERS.items() if ending == ".toml"]


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
        with pytest.raises(InvalidInput, match=r"no roster (does|has)"):
            read_roster(ck.ruleset("saga"), frame)


def test_a_damaged_parquet_roster_is_refused_or_read() -> None:
    written = parquet(
        pl.DataFrame({"name": ["Mara", "Vex"], "side": ["rebels", "empire"], "feats": [["Run"], ["Pin"]]})
    )
    rng, refused = Random(1), 0
    for _ in range(200):
        damaged = bytearray(written)
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        try:
            assert len(read_roster(ck.ruleset("saga"), bytes(damaged))) <= 2
        except (InvalidInput, ck.UnknownName):
            refused += 1
    assert 50 < refused < 200


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
