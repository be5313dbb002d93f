"""Segments: every reading that can be chosen, at its default, at its other values, and refused."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.segments_table import SPELLS, fight, hp, key, roll, rolled, to_turn, turns, used
from tests.systems.table import holds, order

BEARS = {
    "fast_order": ["segments.seq.3-order"],
    "short_invocations": ["segments.seq.7-invocation", "segments.invoc.time"],
    "long_casting": ["segments.time.overflow", "segments.cast.lost", "segments.seq.1-declare"],
    "minor_adds_after": ["segments.minor.adds-1", "segments.activity.add-before"],
    "called_shot_on_20": ["segments.called.20"],
    "passing_breaks": ["segments.grid.pass-breaks"],
    "weapon_speed_ties": ["segments.seq.2-tied-order"],
    "drawing": ["segments.simple.included"],
    "unarmed": ["segments.seq.2-tied-order", "segments.simple.alone-d4"],
    "d_phases": ["segments.innate.d1", "segments.simple.alone-d4"],
    "actions": ["segments.simple.oil", "segments.dmg.mult-all", "segments.spell.def"],
    "down_at_zero": ["segments.major.one"],
    "squeezing": ["segments.grid.no-combat-shared", "segments.grid.pass-breaks"],
    "movement": ["segments.move.major"],
    "flee_bonus": ["segments.free.mods"],
}
DEFAULTS = {
    "fast_order": ["parley", "flee", "charge", "go_first"],
    "short_invocations": "group",
    "long_casting": "goes_on",
    "minor_adds_after": True,
    "called_shot_on_20": "gm",
    "drawing": "attack",
    "unarmed": "melee",
    "passing_breaks": "both",
    "weapon_speed_ties": True,
    "d_phases": ["innate", "missile", "melee", "other"],
    "actions": "ours",
    "down_at_zero": True,
    "squeezing": "allies",
    "movement": "noted",
    "flee_bonus": 0,
}


def test_every_option_is_listed_with_its_default_and_the_rules_it_bears_on() -> None:
    options = ck.ruleset("segments").options
    assert {id: list(setting.rules) for id, setting in options.items()} == BEARS
    assert {id: setting.default for id, setting in options.items()} == DEFAULTS
    assert all(setting.text for setting in options.values())
    assert "our guess" in options["d_phases"].text


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("short_invocations", "never"),
        ("minor_adds_after", 1),
        ("called_shot_on_20", "always"),
        ("passing_breaks", "none"),
        ("weapon_speed_ties", "yes"),
        ("drawing", "never"),
        ("unarmed", "missile"),
        ("fast_order", ["parley", "flee", "charge"]),
        ("fast_order", ["parley", "parley", "charge", "go_first"]),
        ("fast_order", "parley"),
        ("d_phases", []),
        ("d_phases", ["melee", "melee"]),
        ("d_phases", "melee"),
    ],
)
def test_what_an_option_does_not_take_is_refused(option: str, value: Any) -> None:
    with pytest.raises(ck.InvalidInput, match=option):
        ck.Encounter("segments", options={option: value})


@pytest.mark.parametrize(
    ("fast_order", "expected"),
    [
        (["parley", "flee", "charge", "go_first"], ["Ossik", "Vex", "Mara"]),
        (("go_first", "charge", "flee", "parley"), ["Mara", "Vex", "Ossik"]),
    ],
)
def test_fast_order(fast_order: Any, expected: list[str]) -> None:
    enc = fight("Mara", "Vex", "Ossik", options={"fast_order": fast_order})
    enc.condition("Mara", "go_first")
    enc.do("Mara", "declare", action="attack")
    enc.do("Vex", "declare", action="flee")
    enc.do("Ossik", "declare", action="parley")
    roll(enc)
    assert [name for step, name in turns(enc) if step == 3] == expected


@pytest.mark.parametrize(("value", "step"), [("group", 5), ("spells", 7)])
def test_short_invocations(value: str, step: int) -> None:
    enc = fight("Mara", "Vex", tables={"actions": SPELLS}, options={"short_invocations": value})
    enc.do("Mara", "declare", spell="wand")  # one segment
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara")
    assert enc.clock.step == step
    enc.do("Mara", "wand", damage=3)
    assert hp(enc, "Vex") == 27
    # A longer one comes in step 7 either way.
    enc = fight("Mara", "Vex", tables={"actions": SPELLS}, options={"short_invocations": value})
    enc.do("Mara", "declare", spell="staff")
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara")
    assert enc.clock.step == 7


@pytest.mark.parametrize(("value", "total"), [(True, 3), (False, 2)])
def test_minor_adds_after(value: bool, total: int) -> None:
    enc = rolled("Mara", "Vex", options={"minor_adds_after": value})
    enc.do("Mara", "speak")
    enc.do("Mara", "attack", target="Vex")
    assert enc.do("Mara", "drop_item")[0].data["segments"] == total - 2
    assert used(enc, "Mara") == total
    # For ties of weapon speed only what is done before counts, either way.
    assert key(enc, "Mara")["speed"] == 6


@pytest.mark.parametrize(("value", "asked"), [("gm", True), ("never", False)])
def test_called_shot_on_20(value: str, asked: bool) -> None:
    enc = rolled("Mara", "Vex", options={"called_shot_on_20": value})
    happened = enc.do("Mara", "called_shot", target="Vex", damage=4, rolls=[20])
    assert (len(enc.pending) == 1) is asked
    told = [e.text for e in happened if e.kind == "stopped"]
    assert told == ([] if asked else ["gets nothing from it: at this table no roll makes it count"])
    if asked:
        enc.resolve(answer="some result")
    assert hp(enc, "Vex") == (26 if asked else 30)


@pytest.mark.parametrize(("value", "keeps"), [("both", []), ("passer", ["Bo"])])
def test_passing_breaks(value: str, keeps: list[str]) -> None:
    enc = rolled("Mara", "Bo", "Vex", options={"passing_breaks": value}, Mara={"at": (0, 0)}, Bo={"at": (1, 0)})
    for name in ("Mara", "Bo"):
        enc.condition(name, "concentration", value="Bless")
    enc.do("Mara", "move", to=[(1, 0), (2, 0)])
    assert [name for name in ("Mara", "Bo") if "concentration" in holds(enc, name)] == keeps


@pytest.mark.parametrize(("value", "expected"), [(True, ["Vex", "Mara"]), (False, ["Mara", "Vex"])])
def test_weapon_speed_ties(value: bool, expected: list[str]) -> None:
    stats: dict[str, Any] = {
        "Mara": {"weapons": [{"name": "axe", "speed": 7}]},
        "Vex": {"weapons": [{"name": "knife", "speed": 2}]},
    }
    enc = rolled("Mara", "Vex", party=4, foes=4, options={"weapon_speed_ties": value}, **stats)
    assert order(enc) == expected
    assert ("speed" in key(enc, "Mara")) is value
    enc.condition(expected[1], "dead")  # simultaneous only where speed does not decide
    assert len(turns(enc)) == (1 if value else 2)


@pytest.mark.parametrize(
    ("phases", "expected", "types"),
    [
        (["innate", "missile", "melee", "other"], ["Bo", "Mara", "Dray"], ["D2", "D3", "D4"]),
        (["innate", "melee", "missile", "other"], ["Mara", "Bo", "Dray"], ["D2", "D3", "D4"]),
        (["innate", "melee", "missile", "spells", "other"], ["Mara", "Bo", "Dray"], ["D2", "D3", "D5"]),
    ],
)
def test_d_phases(phases: list[str], expected: list[str], types: list[str]) -> None:
    enc = fight("Mara", "Bo", "Dray", "Vex", options={"d_phases": phases})
    enc.do("Mara", "declare", action="attack")
    enc.do("Bo", "declare", action="missile_attack")
    enc.do("Dray", "declare", action="move")
    roll(enc)
    assert order(enc) == [*expected, "Vex"]
    assert [key(enc, name)["type"] for name in expected] == types
