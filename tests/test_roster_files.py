"""Rosters written: a fight's combatants come back the same from every format, and a template is one to begin with."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import combatkit as ck
from combatkit.core.plain import bare, looks, seen
from combatkit.rules.catalogue import Stat

SYSTEMS = ("saga", "d6", "ap", "segments", "phases")
FORMATS = ("csv", "json", "toml", "parquet")

WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
"""Any text that a file can hold: line breaks, quotes, semicolons and brackets among it."""

BADLY = st.sampled_from(
    ["4", " x ", "", ";", "a;b", "[1]", "{}", '"', '"4"', "true", "-1", "# a", "a\nb", "=1+1", "\r"]
)
TEXT = st.one_of(WORDS, BADLY)
SEEN = TEXT.filter(bare)
"""Text of which something can be seen, as names must be."""
CODE = st.builds("{}D{:+d}".format, st.integers(1, 9), st.integers(1, 2))
DICE = st.sampled_from(["1D", "12D", "0D"]) | CODE


def weapon(attack: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries({"name": WORDS.filter(str.strip), "attack": attack, "damage": attack, "type": WORDS})


OWN: dict[tuple[str, str], st.SearchStrategy[Any]] = {
    ("d6", "weapons"): st.lists(weapon(DICE), max_size=3, unique_by=lambda each: each["name"].casefold()),
    ("d6", "attributes"): st.dictionaries(WORDS, DICE, max_size=3),
    ("d6", "armor"): st.integers(0, 9) | st.dictionaries(WORDS, st.integers(0, 9), min_size=1, max_size=2),
    ("d6", "free_actions"): st.integers(0, 3) | st.lists(WORDS, max_size=3, unique=True),
    ("segments", "aac0"): st.integers(-5, 20) | st.sampled_from(["20*", "17"]),
    ("segments", "hit_dice"): st.integers(0, 9) | st.sampled_from(["4", "4+4"]),
    ("segments", "weapons"): st.lists(WORDS | st.builds(lambda name: {"name": name, "space": 0.5}, WORDS), max_size=3),
    ("segments", "movement"): st.integers(0, 200) | st.dictionaries(WORDS, st.integers(0, 90), min_size=1, max_size=2),
    ("segments", "attacks"): st.just("MELEE: bite (2d6)")
    | st.lists(st.sampled_from(["MELEE: 2 claws (1d8/1d8) and bite (2d6)", "MISSILE: bow (1d6)"]), max_size=2),
}
"""What a system asks of a stat beyond its type."""


PORTRAITS = st.sampled_from(
    ["M", "Ma", "x y", "1", "[a]", '"', "=1", "\N{DRAGON}", "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{ROCKET}"]
)


def made(system: str, stat: Stat) -> st.SearchStrategy[Any]:
    """Give a list of mappings with a name and any of the parts; a weapon of phases has no reach beside a range."""
    parts = {part.name: value(system, part) for part in stat.parts if part.name not in ("name", "reach")}
    named = st.fixed_dictionaries({"name": WORDS.filter(str.strip)}, optional=parts)
    return st.lists(named, max_size=3, unique_by=lambda each: each["name"].casefold())


def value(system: str, stat: Stat) -> st.SearchStrategy[Any]:
    if (system, stat.name) in OWN:
        return OWN[system, stat.name]
    if stat.longest:
        return PORTRAITS
    if stat.parts:
        return made(system, stat)
    if stat.type == "mapping" and stat.name != "uses":
        return st.dictionaries(WORDS.filter(lambda word: word.strip() and ":" not in word), st.integers(1, 100))
    if stat.name == "uses":
        return st.dictionaries(WORDS.filter(lambda word: word.strip() and ":" not in word), st.integers(0, 1000))
    low, high = stat.range or (-100, 100)
    kinds: dict[str, st.SearchStrategy[Any]] = {
        "int": st.integers(low, high),
        "bool": st.booleans(),
        "text": st.sampled_from(stat.words) if stat.words else TEXT,
        "dice": st.integers(0, 99) | st.sampled_from(["2d6", "7", "d4-1"]),
        "list": st.lists(TEXT.filter(str.strip) if stat.words else TEXT, max_size=3),
    }
    return st.one_of(*(kinds[kind] for kind in stat.type.split("|")))


def alike(word: str) -> set[str]:
    """Give what a name is taken for: itself, as it looks, and its kind without a number."""
    return {looks(bare(word)), looks(bare(re.sub(r" \d+$", "", bare(word))))}


@st.composite
def fights(draw: st.DrawFn, system: str) -> ck.Encounter:
    """Up to three combatants whose every number and word is drawn."""
    enc = ck.Encounter(system, seed=7, id="before")
    sides = draw(st.lists(SEEN, min_size=1, max_size=3, unique_by=lambda side: bare(side).casefold()))
    names = draw(st.lists(SEEN.filter(lambda name: bare(name) != "GM"), min_size=1, max_size=3, unique_by=bare))
    groups = draw(st.lists(SEEN, max_size=2))
    taken = {said for word in (*names, *sides, *groups) for said in alike(word)}
    guises = (SEEN | PORTRAITS).filter(lambda s: bare(s) != "GM" and seen(s) and alike(s).isdisjoint(taken))
    for name in names:
        stats = {s.name: draw(value(system, s)) for s in enc.ruleset.stats if draw(st.booleans())}
        if "shown_as" in stats:  # what stands for nobody else
            stats["shown_as"] = draw(st.none() | guises)
        at = draw(
            st.none()
            | (TEXT.filter(str.strip) if system == "d6" else st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
        )
        lacks = [v for v in enc.ruleset.vitals if stats.get(v.name) is not None and draw(st.booleans())]
        stats |= {f"{v.name}_max": draw(st.integers(stats[v.name], (v.range or (0, 0))[1])) for v in lacks}
        enc.add(
            name,
            side=draw(st.sampled_from(sides)),
            npc=draw(st.booleans()),
            group=draw(st.sampled_from([None, *groups])),
            at=at,
            conditions=draw(st.lists(SEEN, max_size=2, unique_by=bare)),
            **stats,
        )
    return enc


def people(enc: ck.Encounter) -> dict[str, Any]:
    state = enc._state
    return {name: (fighter, enc[name]) for name, fighter in state.fighters.items()}


@pytest.mark.parametrize("examples", [8, pytest.param(50, marks=pytest.mark.long)])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_roster_saved_and_read_back_is_the_same(system: str, examples: int) -> None:
    @settings(max_examples=examples)
    @given(fights(system))
    def is_the_same(enc: ck.Encounter) -> None:
        with TemporaryDirectory() as folder:
            sources: list[Any] = [enc.roster()]
            for suffix in FORMATS:
                sources.append(Path(folder) / f"party.{suffix}")
                enc.roster(sources[-1])
            for source in sources:
                again = ck.Encounter(system, seed=7, id="before")
                again.add_roster(source)
                assert people(again) == people(enc), source

    is_the_same()


def test_nested_weapons_stand_in_each_format_as_that_format_writes_them(tmp_path: Path) -> None:
    blaster = {"name": "blaster", "attack": "4D", "damage": "4D+1", "type": "energy", "range": "medium"}
    enc = ck.Encounter("d6", seed=7)
    enc.add("Mara", side="rebels", at="quay", armor={"energy": 2}, weapons=[blaster])
    for suffix in FORMATS:
        enc.roster(tmp_path / f"r.{suffix}")
    row = {"name": "Mara", "side": "rebels", "npc": False, "at": "quay", "armor": {"energy": 2}, "weapons": [blaster]}
    assert tomllib.loads((tmp_path / "r.toml").read_text())["combatants"] == [
        {k: v for k, v in row.items() if k != "npc"}
    ]
    text = (tmp_path / "r.csv").read_text("utf-8-sig").splitlines()
    assert text[0] == "name,side,at,armor,weapons"
    assert text[1].startswith('Mara,rebels,quay,"{""energy"":2}","[{""name"":""blaster"",')
    assert pl.read_parquet(tmp_path / "r.parquet").columns == ["name", "side", "at", "armor", "weapons"]


def test_a_roster_is_as_combatants_were_added_and_knows_who_was_taken_back() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", hp=30, dex=1)
    enc.undo()
    enc.add("Mara", side="rebels", hp=38, dex=4, conditions=["prone"], at=(1, 2))
    enc.add("Guard", side="empire", count=2, npc=True)
    enc.start()
    enc.adjust("Mara", vital="hp", by=-20)
    enc.place("Mara", at=(5, 5))
    frame = enc.roster()
    assert frame.select("name", "side", "npc", "group", "at", "conditions", "hp", "dex").rows() == [
        ("Mara", "rebels", False, None, "[1,2]", "prone", 38, 4),
        ("Guard 1", "empire", True, "Guard", None, None, None, 0),
        ("Guard 2", "empire", True, "Guard", None, None, None, 0),
    ]


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_left_of_a_vital_goes_into_a_roster_and_comes_back(system: str, tmp_path: Path) -> None:
    enc = ck.Encounter(system, seed=7, id="before")
    vitals = [vital.name for vital in enc.ruleset.vitals]
    less: dict[str, Any] = {name: n for vital in vitals for name, n in ((vital, 5), (f"{vital}_max", 7))}
    enc.add("Ada", side="a", **less)
    enc.add("Vex", side="b")
    enc.edit("Ada", portrait="Ad")
    enc.roster(tmp_path / "r.csv")
    enc.roster(tmp_path / "r.toml")
    for source in (enc.roster(), tmp_path / "r.csv", tmp_path / "r.toml"):
        again = ck.Encounter(system, seed=7, id="before")
        again.add_roster(source)
        assert people(again) == people(enc)
        assert [again["Ada"].values[vital] for vital in vitals] == [5] * len(vitals)
    enc.start()
    enc.edit("Ada", portrait="Da")
    row = enc.roster().rows(named=True)[0]
    assert {name: row[name] for name in less} == less
    enc.edit("Ada", **{f"{vital}_max": 4 for vital in vitals})
    assert [enc.roster().rows(named=True)[0][vital] for vital in vitals] == [4] * len(vitals)
    (tmp_path / "kept").mkdir()
    shelf = ck.Shelf(tmp_path / "kept")
    shelf.keep("crew", enc, "a")
    kept = [*vitals, *(vital.most for vital in enc.ruleset.vitals if vital.most)]
    assert {name: n for name, n in shelf.take("Ada", system=system).items() if name in less} == dict.fromkeys(kept, 4)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_template_has_every_column_and_can_be_read_as_it_is(system: str, tmp_path: Path) -> None:
    rules = ck.ruleset(system)
    frame = rules.roster_template()
    own = ["name", "side", "count", "npc", "group", "at", "conditions"]
    assert frame.columns == [*own, *rules.stats.ids()]
    frame.write_csv(tmp_path / "own.csv")
    sources: list[Any] = [frame, tmp_path / "own.csv"]
    for suffix in FORMATS:
        sources.append(tmp_path / f"t.{suffix}")
        assert rules.roster_template(sources[-1]).equals(frame)
    found = []
    for source in sources:
        enc = ck.Encounter(system, seed=7)
        enc.add_roster(source)
        assert enc.names == ("Mara", "Guard 1", "Guard 2", "Guard 3")
        found.append(people(enc))
    assert all(each == found[0] for each in found)
    vital = rules.vitals[0].name
    assert found[0]["Mara"][1].values[vital] > 0


def test_a_toml_template_says_what_each_column_holds(tmp_path: Path) -> None:
    ck.ruleset("saga").roster_template(tmp_path / "t.toml")
    lines = (tmp_path / "t.toml").read_text().splitlines()
    assert "# dex: Dexterity modifier (whole number from -20 to 40; 0 if left out)" in lines
    assert "# feats: Feats (list)" in lines
    assert "# hp: Hit points (whole number from 0 to 100000)" in lines


def test_what_cannot_be_written_is_said_and_nothing_is(tmp_path: Path) -> None:
    enc = ck.Encounter("segments", seed=7)
    enc.add("Mara", side="rebels", weapons=[{"name": "axe", "modes": None}])
    for path, message in (
        ("r.txt", r"a roster is a file that ends in \.csv, \.json, \.toml, \.parquet; 'r\.txt' doesn't"),
        ("r.toml", "a list or mapping holds an empty value, which TOML cannot; write JSON"),
        ("none/r.csv", "cannot be written: No such file or directory; give a file in a folder that exists"),
    ):
        with pytest.raises(ck.InvalidInput, match=message):
            enc.roster(tmp_path / path)
    assert list(tmp_path.iterdir()) == []
