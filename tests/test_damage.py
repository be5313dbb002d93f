"""Damage and healing by the GM's word: one call for several, a number or dice, some of them by half."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import combatkit as ck
from tests.wire import hear, recording

SYSTEMS = [rules.id for rules in ck.rulesets()]


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def fight(system: str, journal: Path | None = None) -> ck.Encounter:
    """Give a fight under way in which everybody has 30 of every vital."""
    enc = ck.Encounter(system, id="duel", seed=7, journal=journal)
    full: dict[str, Any] = {vital.name: 30 for vital in enc.ruleset.vitals}
    for name, side in (("Mara", "rebels"), ("Vex", "empire"), ("Bo", "empire")):
        enc.add(name, side=side, npc=side == "empire", **full)
    enc.start()
    return enc


def first(enc: ck.Encounter) -> str:
    return enc.ruleset.vitals[0].name


@pytest.mark.parametrize("system", SYSTEMS)
def test_damage_and_healing_are_told_in_words_and_taken_back_in_one_step(system: str) -> None:
    enc = fight(system)
    vital, state, line = first(enc), enc._state, len(enc._events)
    events = [event for event in enc.damage(["Mara", "Vex"], 5, note="the roof") if event.kind == "damage"]
    assert [(e.target, e.text, e.amount, e.by) for e in events] == [
        ("Mara", "takes 5 damage, 25 left", 5, "gm"),
        ("Vex", "takes 5 damage, 25 left", 5, "gm"),
    ]
    assert [event.note for event in events] == ["the roof", ""]
    assert enc.can_undo == "Damage (2 combatants)"
    (healed,) = enc.heal("Mara", 3)
    assert (healed.text, healed.amount, healed.kind) == ("heals 3, now at 28", 3, "vital")
    assert [enc[name].values[vital] for name in ("Mara", "Vex", "Bo")] == [28, 25, 30]
    enc.undo()
    assert enc["Mara"].values[vital] == 25
    enc.undo()
    assert enc._state == state
    enc.redo()
    enc.redo()
    assert enc["Mara"].values[vital] == 28
    assert enc.at(line + 1)["Mara"].values[vital] == 25


@pytest.mark.parametrize("system", SYSTEMS)
def test_dice_are_thrown_once_for_all_and_halves_round_down(system: str) -> None:
    enc = fight(system)
    events = enc.damage(["Mara", "Vex"], "2d6+3", half="Mara", rolls={"damage": [2, 6]}, note="a blast")
    roll, mara, vex, *_ = events
    assert (roll.kind, roll.text, roll.by, roll.note) == ("roll", "the GM rolls 11 for damage", "gm", "")
    assert (roll.data["faces"], roll.data["notation"], roll.data["source"]) == ([2, 6], "2d6+3", "table")
    assert (mara.text, mara.amount, mara.note) == ("takes 5 damage (half of 11), 25 left", 5, "a blast")
    assert (vex.text, vex.amount) == ("takes 11 damage, 19 left", 11)
    _, mara, vex = enc.heal(["Mara", "Vex"], "1d8", half=["Mara"], rolls=[7])
    assert (mara.text, vex.text) == ("heals 3 (half of 7), now at 28", "heals 7, now at 26")
    rolls = enc.history.rolls.filter(pl.col("purpose").is_in(["damage", "heal"]))
    assert rolls.select("purpose", "total", "source").rows() == [("damage", 11, "table"), ("heal", 7, "table")]


@pytest.mark.parametrize("system", SYSTEMS)
def test_seeded_dice_are_those_of_the_fight_and_undo_gives_them_back(system: str) -> None:
    enc = fight(system)
    total = enc.damage("Vex", "3d6")[0].amount
    enc.undo()
    assert enc.damage("Vex", "3d6")[0].amount == total
    enc.undo()
    assert enc._state.die == fight(system)._state.die


@pytest.mark.parametrize("system", SYSTEMS)
def test_healing_at_full_is_logged_and_a_step_of_undo(system: str) -> None:
    enc = fight(system)
    enc.damage("Vex", 1)
    (event,) = enc.heal("Mara", 5)
    assert event.text == f"is already at full: 30 {first(enc)}"
    assert event.amount == 0
    assert enc.can_undo == "Heal (Mara)"
    (event,) = enc.heal("Vex", 5)  # stops at what was stated
    assert (event.text, event.amount) == ("heals 1, now at 30", 1)


@pytest.mark.parametrize("system", sorted({*SYSTEMS} - {"d6"}))
def test_somebody_below_nothing_is_healed_up_to_it(system: str) -> None:
    enc = fight(system)
    enc.damage("Mara", 33)
    (healed,) = enc.heal("Mara", 3)
    assert (healed.text, healed.amount) == ("heals 3, now at 0", 3)


@pytest.mark.parametrize("system", SYSTEMS)
def test_all_that_somebody_has_can_be_taken(system: str) -> None:
    enc = fight(system)
    lost, *_ = enc.adjust("Mara", first(enc), -30)
    assert (lost.text, lost.amount) == (f"loses 30 {first(enc)}, 0 left", -30)


def test_another_vital_is_named_and_told() -> None:
    enc = fight("phases")
    assert enc.damage("Mara", 7, vital="body")[0].text == "takes 7 damage to body, 23 left"
    assert enc.heal("Mara", 2, vital="body")[0].text == "heals 2 body, now at 25"
    assert enc.damage("Mara", 7)[0].data["vital"] == "stun"
    assert enc["Mara"].values["end"] == 30


def test_damage_of_resolve_wounds_and_asks_for_a_fate_as_any_harm_does() -> None:
    enc = fight("d6")
    wounded = enc.damage("Mara", 35)
    assert (wounded[0].text, wounded[0].amount) == ("takes 35 damage, 0 left", 30)
    assert enc["Mara"].values["resolve"] == 0
    assert [c.id for c in enc["Mara"].conditions] == ["wounded"]
    enc.damage("Mara", 1)
    assert [offer.who for offer in enc.pending if offer.must] == ["Mara"]


def test_damage_of_hit_points_breaks_concentration_in_segments() -> None:
    enc = fight("segments")
    enc.condition("Mara", "concentration", value="a wall of fog")
    assert "segments.conc.break-damage" in {rule for event in enc.damage("Mara", 1) for rule in event.rules}
    assert not enc["Mara"].conditions


@pytest.mark.parametrize("system", SYSTEMS)
def test_damage_by_hand_counts_as_taken_and_as_nobodys_dealing(system: str) -> None:
    enc = fight(system)
    enc.damage("Vex", 4)
    enc.heal("Vex", 4)
    rows = enc.history.rounds.select("combatant", "damage_taken", "damage_dealt").rows()
    assert sorted(rows) == [("Bo", 0, 0), ("Mara", 0, 0), ("Vex", 4, 0)]


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_nobody_has_stated_is_hurt_and_cannot_be_healed(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    enc.add("Mara", side="rebels")
    vital = first(enc)
    (hurt,) = enc.damage("Mara", 4)
    assert hurt.text == "takes 4 damage"
    assert vital not in enc["Mara"].values
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=f"heal: Mara's sheet has no {enc.ruleset.stats[vital].title}; edit"):
        enc.heal("Mara", 4)
    assert enc.digest == before


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a loss below nothing": ({"amount": -3}, "amount is -3; give a number from 0 up, or dice such as '2d6\\+3'"),
    "a written loss below nothing": ({"amount": "-3"}, "amount is '-3'"),
    "no number": ({"amount": float("nan")}, "amount is nan"),
    "a fraction": ({"amount": 1.5}, "amount is 1.5"),
    "a truth": ({"amount": True}, "amount is True"),
    "nothing": ({"amount": None}, "amount is None"),
    "dice without end": ({"amount": "1e9d6"}, "amount is '1e9d6'"),
    "too many dice": ({"amount": "1001d6"}, "amount is '1001d6'"),
    "too much": ({"amount": 10**30}, "amount is 1000"),
    "words": ({"amount": "a lot"}, "amount is 'a lot'"),
    "nobody": ({"names": []}, "name at least one combatant"),
    "a stranger": ({"names": ["Mara", "Marra"]}, "unknown combatant 'Marra'"),
    "another's half": ({"half": "Vex"}, "half is 'Vex', who is not among those named"),
    "a stranger's half": ({"half": ["Zed"]}, "unknown combatant 'Zed'"),
    "an unknown vital": ({"vital": "mana"}, "saga has no vital 'mana'"),
    "a slot": ({"vital": "standard"}, "saga has no vital 'standard'"),
    "a list for a vital": ({"vital": ["hp"]}, "saga has no vital"),
    "dice for a number": ({"rolls": [3]}, "this call takes no dice"),
    "too few dice": ({"amount": "2d6", "rolls": [3]}, "damage|heal"),
    "a face there is not": ({"amount": "1d6", "rolls": [7]}, "7 is not on a d6"),
    "too many faces": ({"amount": "1d6", "rolls": [3, 4]}, "leave out \\[4\\]"),
    "a note without end": ({"note": "x" * 3000}, "note is"),
}


@pytest.mark.parametrize("call", ["damage", "heal"])
@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_is_refused_and_changes_nothing(call: str, what: str) -> None:
    enc = fight("saga")
    enc.damage("Mara", 9)
    before, state = enc.digest, enc._state
    given, wrong = WRONG[what]
    rest = {"names": "Mara", "amount": 3, **given}
    with pytest.raises(ck.CombatkitError, match=wrong):
        getattr(enc, call)(rest.pop("names"), rest.pop("amount"), **rest)
    assert enc.digest == before
    assert enc._state is state


@pytest.mark.parametrize("system", SYSTEMS)
def test_damage_is_dealt_while_something_waits_to_the_fallen_and_before_the_fight(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    full: dict[str, Any] = {vital.name: 30 for vital in enc.ruleset.vitals}
    enc.add("Mara", side="rebels", **full)
    enc.add("R'n\"g; <b>{x}</b>", side="empire", **full)
    enc.damage(enc.names, 2)
    enc.start()
    enc.trigger(text="the bridge shakes")
    enc.damage("Mara", 3)
    enc.condition("Mara", "dead")
    (event,) = [e for e in enc.damage("Mara", 4) if e.kind == "damage"]
    assert (event.round, event.amount) == (enc.clock.round, 4)
    assert "21 left" in event.text
    assert "<b>{x}" not in enc.log().html


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_lost_all_as_one_of_the_dead_falls_when_they_are_dead_no_more(system: str) -> None:
    enc = fight(system)
    fallen = {"down", "out", "wounded"}
    for name, until in (("Vex", None), ("Bo", "end of round")):
        enc.condition(name, "dead", until=until)
        enc.damage(name, 30)
        assert fallen.isdisjoint(each.id for each in enc[name].conditions)
    ended, fell = enc.condition("Vex", "dead", off=True)
    assert (ended.text, ended.kind, fell.kind, fell.target) == ("is no longer dead", "effect_end", "effect", "Vex")
    enc.next_round()
    for name in ("Vex", "Bo"):
        assert len(fallen.intersection(each.id for each in enc[name].conditions)) == 1
    enc.condition("Mara", "dead")
    assert len(enc.condition("Mara", "dead", off=True)) == 1  # with something left


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_was_dealt_is_reopened_copied_and_branched(system: str, tmp_path: Path) -> None:
    enc = fight(system, tmp_path / "a.combat")
    enc.damage(["Mara", "Vex"], "2d6", half="Vex")
    enc.heal("Mara", "1d4")
    enc.undo()
    enc.save(tmp_path / "a.fight")
    copied = ck.load(tmp_path / "a.fight")
    assert copied.digest == enc.digest
    branch = copied.branch(len(copied._events))
    branch.redo()
    branch.damage("Mara", 1)
    enc.close()
    with ck.Encounter.open(tmp_path / "a.combat") as again:
        assert again.digest == copied.digest
        again.redo()
        again.damage("Mara", 1)
        assert again["Mara"].values == branch["Mara"].values


def test_players_see_who_is_hurt_and_no_number_of_the_gms() -> None:
    enc = fight("saga")
    enc.damage(["Mara", "Vex"], "2d6+3", rolls=[2, 6], note="a mine nobody saw")
    told = enc.log(view="players").markdown
    assert "Mara takes 11 damage, 19 left" in told
    assert "Vex takes damage" in told
    assert "GM rolls" not in told
    assert "a mine" not in told
    assert "The GM rolls 11 for damage: 2d6 ⟦2⟧ ⟦6⟧ + 3 = 11" in enc.log().markdown


def test_damage_and_healing_come_over_the_wire() -> None:
    enc = fight("saga")
    tracker = ck.Tracker(enc)
    (delta,) = hear(tracker, {"kind": "damage", "id": 4, "names": ["Mara", "Vex"], "amount": "1d6+8", "half": "Vex"})
    assert delta["kind"] == "delta"
    rolled = enc._events[-3].amount or 0
    assert (enc["Mara"].values["hp"], enc["Vex"].values["hp"]) == (30 - rolled, 30 - rolled // 2)
    hear(tracker, {"kind": "heal", "names": "Vex", "amount": 2, "vital": "hp", "note": "a stim"})
    assert enc["Vex"].values["hp"] == 32 - rolled // 2
    hear(tracker, {"kind": "undo"})
    assert enc["Vex"].values["hp"] == 30 - rolled // 2
    mistakes: tuple[dict[str, Any], ...] = (
        {"amount": -1},
        {"amount": 1.5},
        {"amount": {}},
        {"half": "Bo"},
        {"by": 3},
        {"rolls": "6"},
    )
    for wrong in mistakes:
        before = enc.digest
        (refused,) = hear(tracker, {"kind": "damage", "id": 5, "names": "Vex", "amount": 2, **wrong})
        assert (refused["kind"], refused["id"]) == ("refused", 5)
        assert enc.digest == before
    (refused,) = hear(ck.Tracker(enc, view="players"), {"kind": "damage", "names": "Vex", "amount": 2})
    assert refused["kind"] == "refused"
