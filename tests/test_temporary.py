"""Temporary points: taken before the vital, never healed, and the greater counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from tests.systems.test_down import strike
from tests.wire import hear, recording

SYSTEMS = [rules.id for rules in ck.rulesets()]


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def fight(system: str) -> ck.Encounter:
    """Give a fight under way in which everybody has 10 of every vital."""
    enc = ck.Encounter(system, id="duel", seed=7)
    full: dict[str, Any] = {vital.name: 10 for vital in enc.ruleset.vitals}
    for name, side in (("Mara", "rebels"), ("Vex", "empire"), ("Bo", "empire")):
        enc.add(name, side=side, npc=side == "empire", **full)
    enc.start()
    return enc


def left(enc: ck.Encounter, name: str) -> tuple[Any, Any]:
    values = enc[name].values
    return values.get("temporary"), values[enc.ruleset.vitals[0].name]


@pytest.mark.parametrize("system", SYSTEMS)
def test_damage_takes_them_before_the_vital_and_counts_what_that_lost(system: str) -> None:
    enc = fight(system)
    assert [e.text for e in enc.temporary(["Vex", "Bo"], 4, note="a ward")] == ["has 4 temporary points"] * 2
    before = enc._state
    (first, *_) = enc.damage("Vex", 3)
    assert (first.amount, first.data["temporary"], left(enc, "Vex")) == (0, 3, (1, 10))
    (second, *_) = enc.damage("Vex", 3)
    assert second.text == "takes 3 damage, 1 of it temporary, 8 left"
    assert (second.amount, second.data["rolled"], second.data["temporary"]) == (2, 3, 1)
    assert left(enc, "Vex") == (0, 8)
    (third, *_) = enc.damage("Vex", 1)
    assert ("temporary" in third.data, left(enc, "Vex"), left(enc, "Bo")) == (False, (0, 7), (4, 10))
    for _ in range(3):
        enc.undo()
    assert enc._state == before


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_attack_takes_them_first_too(system: str) -> None:
    enc = fight(system)
    enc.temporary("Vex", 4)
    events = enc.do("Mara", strike(enc), target="Vex", outcome="hit", damage=6, override=True)
    while enc.pending:
        events += enc.resolve()
    (blow,) = [e for e in events if e.kind == "damage"]
    assert (blow.amount, blow.data["rolled"], blow.data["temporary"], left(enc, "Vex")) == (2, 6, 4, (0, 8))


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_greater_counts_and_nothing_heals_them(system: str) -> None:
    enc = fight(system)
    enc.temporary("Vex", 8)
    (less,) = enc.temporary("Vex", 5)
    assert (less.amount, less.text) == (0, "still has 8 temporary points: 5 are no more than that")
    enc.damage("Vex", 10)
    enc.heal("Vex", 20)
    assert left(enc, "Vex") == (0, 10)
    enc.temporary("Vex", 5)
    enc.adjust("Vex", "temporary", -2)
    assert left(enc, "Vex") == (3, 10)


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_they_take_brings_nobody_down_or_to_a_wound(system: str) -> None:
    enc = fight(system)
    enc.temporary("Vex", 5)
    enc.damage("Vex", 14)
    assert (left(enc, "Vex"), enc["Vex"].conditions) == ((0, 1), ())


def test_a_vital_that_damage_does_not_come_off_is_not_shielded() -> None:
    enc = fight("phases")
    enc.temporary("Vex", 5)
    enc.damage("Vex", 3, vital="body")
    assert (left(enc, "Vex"), enc["Vex"].values["body"]) == ((5, 10), 7)


def test_a_bad_number_is_refused_and_changes_nothing() -> None:
    enc = fight("saga")
    before = enc.digest
    for wrong in (-1, "8", 2.5, True):
        with pytest.raises(ck.InvalidInput, match="temporary: amount"):
            enc.temporary("Vex", wrong)  # type: ignore[arg-type]
    with pytest.raises(ck.UnknownName):
        enc.temporary("Nobody", 3)
    assert enc.digest == before


def test_they_are_on_the_rung_and_in_the_copy_and_come_back_with_whoever_left(tmp_path: Path) -> None:
    enc = fight("saga")
    tracker = ck.Tracker(enc)
    hear(tracker, {"kind": "temporary", "names": "Mara", "amount": 8})
    (row,) = [row for row in tracker.ladder.view["rows"].values() if row["name"] == "Mara"]
    assert (row["temporary"], row["vital"]) == (8, [10, 10])
    assert "; vitality 10 of 10; 8 temporary" in row["label"][1]
    enc.damage("Mara", 3)
    enc.leave("Mara")
    enc.join("Mara")
    assert left(enc, "Mara") == (5, 10)
    enc.save(tmp_path / "copy.combat")
    assert left(ck.load(tmp_path / "copy.combat"), "Mara") == (5, 10)
    assert enc.restart()["Mara"].values.get("temporary") is None
    players = ck.Tracker(enc, view="players")
    enc.temporary("Vex", 8)
    (row,) = [row for row in players.ladder.view["rows"].values() if row["name"] == "Vex"]
    assert "temporary" not in row


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_frames_count_what_the_vital_lost(system: str) -> None:
    enc = fight(system)
    enc.temporary("Vex", 4)
    enc.damage("Vex", 6)
    rounds = enc.history.rounds.filter(combatant="Vex")
    assert (rounds["damage_taken"].to_list()[-1], rounds["vital_end"].to_list()[-1]) == (2, 8)
