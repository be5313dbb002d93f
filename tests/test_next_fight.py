"""A fight with the same heroes: rested, or as they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from tests.wire import hear, recording

HURT: dict[str, dict[str, Any]] = {
    "saga": {"hp": 20},
    "d6": {"resolve": 20},
    "ap": {"hp": 20},
    "segments": {"hp": 20},
    "phases": {"stun": 20, "body": 20, "end": 20},
}


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def fought(system: str, journal: Path | None = None) -> ck.Encounter:
    """Give a fight that is over, of which Mara comes with marks."""
    enc = ck.Encounter(system, seed=7, journal=journal)
    enc.add("Mara", side="heroes", uses={"fireball": 2}, **HURT[system])
    enc.add("Bo", side="heroes", **HURT[system])
    enc.add("Vex", side="foes", npc=True, **HURT[system])
    enc.start()
    enc.damage("Mara", 6, vital=next(iter(HURT[system])))
    enc.condition("Mara", "poisoned", modifiers={})
    enc.condition("Mara", "Blessed", until="3 rounds")
    enc.condition("Mara", "slowed", until="end of round")
    enc.condition("Mara", "in_melee", value=["Vex"])
    enc.condition("Bo", "dead")
    enc.adjust("Mara", "fireball", -1)
    enc.finish()
    return enc


@pytest.mark.parametrize("system", HURT)
def test_heroes_as_they_are_keep_what_they_have_lost_used_and_what_lasts(system: str) -> None:
    enc = fought(system)
    again = enc.restart(names=["Mara", "Bo"], rested=False)
    mara, vital = again["Mara"], next(iter(HURT[system]))
    assert (mara.values[vital], mara.values["uses"]) == (14, {"fireball": 1})
    assert [each.id for each in mara.conditions] == ["poisoned", "Blessed"]
    assert [each.id for each in again["Bo"].conditions] == ["dead"]
    rested = enc.restart(names=["Mara", "Bo"])
    assert (rested["Mara"].values[vital], rested["Mara"].conditions, rested["Bo"].conditions) == (20, (), ())
    again.add("Orc", side="foes", npc=True, **HURT[system])
    again.start()
    assert again.history.rounds.height == 3


def test_the_end_card_offers_both_and_the_journal_keeps_how_they_came(tmp_path: Path) -> None:
    enc = fought("saga", tmp_path / "friday.combat")
    tracker = ck.Tracker(enc)
    hear(tracker, {"kind": "clear", "side": "heroes", "rested": False})
    assert tracker.encounter["Mara"].values["hp"] == 14
    tracker.encounter.close()
    assert ck.load(tmp_path / "friday.combat")._state.fighters["Mara"].vitals["hp"] == 14


@pytest.mark.parametrize(
    ("system", "id"),
    [("segments", "cover"), ("segments", "concealment"), ("segments", "walked"), ("ap", "upper_hand")],
)
def test_a_fight_whose_conditions_lack_their_value_runs_again_and_goes_through_its_roster(system: str, id: str) -> None:
    enc = ck.Encounter(system, seed=7)
    with pytest.raises(ck.InvalidInput, match="bring Orc in first"):
        enc.add("Orc", side="foes", conditions=[id])
    enc.add_roster([{"name": "Orc", "side": "foes", "conditions": [id]}, {"name": "Mara", "side": "party"}])
    enc.start()
    again = enc.restart()
    assert [each.id for each in again["Orc"].conditions] == [id]
    anew = ck.Encounter(system, seed=7)
    anew.add_roster(enc.roster())
    assert anew["Orc"] == again["Orc"]
