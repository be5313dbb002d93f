"""Foreign files that are broken, or that somebody hostile made: a clear error at once, which says where."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import combatkit as ck
from combatkit.errors import CombatkitError, InvalidInput
from tests.hostile import Child, child

MIB = 1 << 20
DATA = Path(__file__).parent / "data" / "foreign"
HEAD = b"name,Move,Armour Class,Hit Dice\n"


def half(name: str, codec: str, odd: int = 0) -> bytes:
    written = (DATA / name).read_bytes().decode("utf-16" if codec == "utf-16" else "utf-8")
    whole = written.encode(codec)
    return whole[: len(whole) // 4 * 2 + odd]


BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "entities": (
        lambda: b'<!DOCTYPE c [<!ENTITY a "aa"><!ENTITY b "&a;&a;&a;">]>\n<CHARACTER>&b;</CHARACTER>',
        "line 1: it has a DOCTYPE",
    ),
    "an entity from a file": (
        lambda: b'<?xml version="1.0"?>\n<!DOCTYPE c SYSTEM "file:///etc/passwd">\n<CHARACTER/>',
        "line 2: it has a DOCTYPE",
    ),
    "an entity there is none of": (lambda: b"<CHARACTER>\n&nbsp;</CHARACTER>", "line 2: it is broken XML"),
    "100 MB": (lambda: b"[" + b" " * (100 * MIB), "bytes, and a foreign file has at most"),
    "UTF-16 cut in half in a character": (
        lambda: half("darci.hdc", "utf-16", 1),
        r"ends early at byte \d+ \(line \d+\)",
    ),
    "UTF-16 cut in half": (lambda: half("darci.hdc", "utf-16"), r"line \d+: it is broken XML"),
    "UTF-8 cut in half": (lambda: half("demon-5e.hdc.xml", "utf-8"), r"line \d+: it is broken XML"),
    "deep XML": (lambda: b"<a>" * 100_000, "nested more than"),
    "a million elements": (lambda: b"<a>" + b"<b/>" * 900_000 + b"</a>", "more than 200,000 parts"),
    "as many elements as may be": (lambda: b"<a>" + b"<b/>" * 199_999 + b"</a>", "from no tool known"),
    "an element of many attributes": (
        lambda: b"<a " + b" ".join(b'a%d="1"' % n for n in range(100_000)) + b"/>",
        "from no tool known",
    ),
    "JSON nested 100,000 deep": (lambda: b"[" * 100_000 + b"]" * 100_000, "nested more than"),
    "JSON objects nested 100,000 deep": (lambda: b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested more than"),
    "broken JSON": (lambda: b'{"Name": "Rat",\n "HP": {"Value": 3\n', "line 2: it is broken JSON"),
    "a million records": (lambda: b"[" + b"{}," * MIB + b"{}]", "more than 100,000 parts"),
    "thousands of records": (
        lambda: json.dumps([{"Name": "Rat", "HP": {"Value": n}} for n in range(6_000)]).encode(),
        "more than 5,000 records",
    ),
    "many lines of JSON": (lambda: b'{"name": "a"}\n' * 200_000, "more than 100,000 parts"),
    "a broken line of JSON": (lambda: b'{"name": "a"}\n' * 1_000 + b'{"name":\n', "line 1001: it is broken JSON"),
    "a number of a million digits": (lambda: b'{"Name": "a", "HP": {"Value": ' + b"9" * MIB + b"}}", "out of range"),
    "half a character in JSON": (lambda: b'{"Name": "\\ud800", "HP": {"Value": 1}}', "broken JSON"),
    "a torn text in a backup": (
        lambda: json.dumps({"Creatures.a": '{"Name": "Rat", "HP": {"Value": 3}}', "Creatures.b": "{"}).encode(),
        "under 'Creatures.b' is broken JSON",
    ),
    "a deep text in a backup": (
        lambda: json.dumps(
            {"Creatures.a": '{"Name": "Rat", "HP": {"Value": 3}}', "Creatures.b": "[" * 100_000}
        ).encode(),
        "under 'Creatures.[ab]' is broken JSON",
    ),
    "deep YAML": (lambda: b"a: " + b"[" * 100_000, "nested more than"),
    "deep blocks of YAML": (
        lambda: b"\n".join(b" " * n + b"a:" for n in range(700)),
        "line 65: it is nested more than",
    ),
    "deep lists of YAML": (lambda: b"a:\n" + b"- " * 100_000, "nested more than"),
    "aliases in YAML": (lambda: b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "line 1: it has an anchor"),
    "a tag in YAML": (
        lambda: b'a: !!python/object/apply:os.system ["ls"]\n',
        "line 1: it has an anchor, an alias or a tag",
    ),
    "a key twice in YAML": (lambda: b"a: 1\nb: 2\na: 3\n", "line 3: the key 'a'"),
    "broken YAML": (lambda: b"a: [1, 2\nb: 3\n", "line 2: it is broken YAML"),
    "much YAML": (lambda: b"a: b\n" * 200_000, "YAML is read up to"),
    "a ragged row": (lambda: HEAD + b"Toad,60-ft,7,1\nRat,60-ft,7,1,5,6\n", r"line 3\): '5' is one cell too many"),
    "an open quote": (lambda: HEAD + b'"Toad,60-ft\n' + b"x\n" * MIB, "it is a broken table"),
    "millions of columns": (lambda: b"," * (3 * MIB), "line 1: it has"),
    "NUL bytes": (lambda: b"\0" * MIB, "is not text"),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "byte 0"),
    "nothing": (lambda: b" \n", "is empty"),
    "another tool's file": (lambda: b'{"schema": 3, "tokens": []}', "it has the keys 'schema', 'tokens'"),
}


@pytest.fixture(scope="module")
def reader() -> Iterator[Child]:
    with child() as made:
        yield made


@pytest.mark.parametrize("what", BOMBS)
def test_a_hostile_or_broken_file_is_refused_at_once_and_says_where(reader: Child, what: str, tmp_path: Path) -> None:
    content, said = BOMBS[what]
    path = tmp_path / "party.dat"
    path.write_bytes(content())
    words = reader.refused("ck.foreign(path)", path)
    assert re.search(said, words), words
    assert "party.dat" in words


@pytest.mark.parametrize("given", [None, 3, [1], {"Name": "Rat"}, "", "no such file.hdc", "a\0b"])
def test_what_is_no_file_is_refused(given: object) -> None:
    with pytest.raises(InvalidInput):
        ck.foreign(given)  # type: ignore[arg-type]


def test_a_system_there_is_none_of_is_refused() -> None:
    with pytest.raises(ck.UnknownName, match="did you mean 'saga'"):
        ck.foreign('{"Name": "Rat", "HP": {"Value": 3}}', system="sage")


FILES = sorted(path for path in DATA.iterdir() if path.suffix not in (".txt", ".md"))
TORN = [
    b"",
    b"null",
    b"{}",
    b"[]",
    b'""',
    b"-1",
    b"99999999999999",
    b"=1+1",
    b"&a;",
    b"\x00",
    b"\xff",
    b"\n",
    b": ",
    b"- ",
]


@pytest.mark.parametrize("examples", [30, pytest.param(80, marks=pytest.mark.long)])
def test_a_torn_file_makes_a_sound_roster_or_is_refused(examples: int) -> None:
    @given(
        path=st.sampled_from(FILES),
        system=st.sampled_from(["saga", "d6", "ap", "segments", "phases"]),
        tears=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 60), st.sampled_from(TORN)), min_size=1, max_size=6),
        kept=st.floats(0.5, 1),
    )
    @settings(max_examples=examples)
    def is_sound(path: Path, system: str, tears: list[tuple[float, int, bytes]], kept: float) -> None:
        written = bytearray(path.read_bytes())
        for where, length, instead in tears:
            at = int(where * len(written))
            written[at : at + length] = instead
        if kept < 0.75:
            del written[int(kept * len(written)) :]
        try:
            read = ck.foreign(bytes(written), system=system)
        except CombatkitError:
            return
        ck.Encounter(system, seed=1).add_roster(read)
        ck.Encounter(system, seed=1).add_roster(read.roster)

    is_sound()
