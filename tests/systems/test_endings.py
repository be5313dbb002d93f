"""What ends, in all five systems: fights with what is due, work with those who do it, effects with their turns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck

SYSTEMS = [rules.id for rules in ck.rulesets()]
FIGHTERS = {"Ada": "heroes", "Nox": "foes", "Bes": "heroes"}


def three(system: str, **options: Any) -> ck.Encounter:
    """Three combatants, begun, and in segments past the rolls."""
    enc = ck.Encounter(system, seed=1, options=options)
    for name, side in FIGHTERS.items():
        enc.add(name, side=side)
    enc.start()
    return enc


def said(events: Sequence[ck.Event], who: str) -> list[str]:
    return [event.text for event in events if event.subject == who]


# ── the end of a fight ──


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_fight_ends_with_what_is_due_at_the_end_of_turn_step_and_round(system: str) -> None:
    enc = three(system)
    while enc.active is None:
        enc.end_turn()
    for until in ("end of turn", "end of step", "end of round"):
        enc.condition(enc.active, until, until=until)
    ended = enc.finish()
    assert enc["Ada"].conditions == enc["Nox"].conditions == enc["Bes"].conditions == ()
    kinds = [event.kind for event in ended if event.kind.endswith("_end") and event.kind != "effect_end"]
    assert (kinds, ended[-1].kind) == (["turn_end", "step_end", "round_end"], "over")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_fight_does_not_end_over_an_open_question(system: str) -> None:
    enc = three(system)
    while enc.active is None:
        enc.end_turn()
    if system == "d6":
        enc.edit("Bes", resolve=5)
        enc.damage("Bes", 5)
        enc.damage("Bes", 1)
    else:
        enc.trigger(enc.active, text="runs past")
    assert enc.pending
    before = enc.digest
    with pytest.raises(ck.IllegalAction, match="answer"):
        enc.finish()
    assert enc.digest == before


@pytest.mark.rule("d6.fate.blaze.die")
def test_who_wins_by_a_blaze_of_glory_dies_as_the_fight_ends() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="r", initiative=9, resolve=9)
    enc.add("Nox", side="e", npc=True, resolve=3)
    enc.start(rolls={"Ada": 1})
    enc.damage("Ada", 9)
    enc.damage("Ada", 5)
    enc.do("Ada", "blaze_of_glory")
    enc.damage("Nox", 3)
    assert "dies" in said(enc.finish(), "Ada")
    assert enc["Ada"].conditions[-1].id == "dead"


# ── work that is completed last ──

TORCH = {"id": "torch", "title": "Torch", "tags": ["delaying"], "segments": 1}


def torchbearer() -> ck.Encounter:
    """Bob lights a torch in LOW: it will be done as the round ends."""
    enc = ck.Encounter("segments", seed=3, tables={"actions": [TORCH]})
    for name, side in (("Bob", "party"), ("Orc", "foes"), ("Pip", "foes")):
        enc.add(name, side=side, hp=20)
    enc.start()
    enc.end_turn(rolls={"party": [6], "foes": [1]})
    enc.do("Bob", "delay")
    enc.end_turn()
    enc.end_turn()
    assert enc.active == "Bob"
    return enc


@pytest.mark.rule("segments.complex.go-last")
def test_what_is_completed_last_is_not_complete_as_it_is_begun() -> None:
    enc = torchbearer()
    assert [e.data["completed"] for e in enc.do("Bob", "torch") if "completed" in e.data] == [False]
    assert [e.data["completed"] for e in enc.end_turn() if "completed" in e.data] == [True]


@pytest.mark.rule("segments.complex.go-last")
@pytest.mark.parametrize("how", ["dead", "unconscious", "left"])
def test_nobody_who_is_out_by_then_completes_anything(how: str) -> None:
    enc = torchbearer()
    enc.do("Bob", "torch")
    events = enc.leave("Bob") if how == "left" else enc.condition("Bob", how)
    why = "has left the fight" if how == "left" else f"is {how}"
    assert f"loses the action (torch): Bob {why}" in said(events, "Bob")
    assert not any(event.data.get("completed") for event in events)


# ── what is lost for good ──


@pytest.mark.rule("d6.fate.never.reduce", "d6.fate.never.twice")
def test_what_never_the_same_takes_is_gone_from_the_sheet_for_good(tmp_path: Path) -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="r", resolve=9, attributes={"might": "3D"})
    enc.add("Nox", side="e", npc=True)
    enc.start()
    enc.damage("Ada", 9)
    enc.damage("Ada", 1)
    enc.do("Ada", "never_the_same", attributes={"might": 2})
    later = ck.Encounter("d6")
    later.add_roster(enc.roster())
    kept = ck.Encounter("d6")
    kept.add_roster(ck.Shelf(tmp_path).keep("friday", enc, "r"))
    for each in (enc, later, kept, enc.restart()):
        stats = each["Ada"].stats
        assert (stats["attributes"], stats["never_the_same_used"]) == ({"might": "1D"}, 1)
    with pytest.raises(ck.IllegalAction, match="taken out of this encounter") as caught:
        enc.join("Ada")
    assert caught.value.ruling.rule == "d6.fate.never.removed"


def test_the_dead_are_not_kept_on_the_shelf(tmp_path: Path) -> None:
    enc = three("saga")
    enc.condition("Bes", "dead")
    kept = ck.Encounter("saga")
    kept.add_roster(ck.Shelf(tmp_path).keep("friday", enc, "heroes"))
    assert kept.names == ("Ada",)


@pytest.mark.rule("d6.dmg.narration")
def test_damage_counts_what_the_vital_lost_and_keeps_the_whole_roll() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="r", weapons=[{"name": "gun", "attack": "9D", "damage": 39}])
    enc.add("Nox", side="e", npc=True, resolve=6, defense=2)
    enc.start()
    for event in (enc.damage("Nox", 39)[0], _shot(enc.restart())):
        assert (event.amount, event.data["left"], event.data["rolled"]) == (6, 0, 39)
    assert enc.history.rounds["damage_taken"].to_list() == [0, 6]


def _shot(enc: ck.Encounter) -> ck.Event:
    enc.start(rolls={"Ada": 6})
    enc.place("Ada", before="Nox")
    return next(event for event in enc.do("Ada", "attack", target="Nox") if event.kind == "damage")


def test_what_is_left_of_a_vital_may_be_edited_to_nothing() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="r", resolve=9)
    enc.start()
    enc.edit("Ada", resolve=0)
    assert (enc["Ada"].values["resolve"], enc["Ada"].stats["resolve"]) == (0, 9)
    with pytest.raises(ck.InvalidInput, match="resolve is -1; give a whole number from 0"):
        enc.edit("Ada", resolve=-1)
