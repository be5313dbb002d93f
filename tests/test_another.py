"""One more of a creature: numbered on, with its sheet, placed by its roll."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import combatkit as ck
from tests.wire import hear, recording

SYSTEMS = [rules.id for rules in ck.rulesets()]


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def made(system: str) -> ck.Encounter:
    enc = ck.Encounter(system, id="duel", seed=7)
    full: dict[str, Any] = {vital.name: 10 for vital in enc.ruleset.vitals}
    enc.add("Mara", side="rebels", **full)
    enc.add("Kobold", side="wild", count=3, npc=True, **full)
    return enc


@pytest.mark.parametrize("system", SYSTEMS)
def test_before_the_start_it_is_numbered_on(system: str) -> None:
    enc = made(system)
    before = enc._state
    enc.another("Kobold 2")
    enc.another("Kobold")
    enc.another("Mara")
    assert enc.names == ("Mara", "Kobold 1", "Kobold 2", "Kobold 3", "Kobold 4", "Kobold 5", "Mara 2")
    assert enc["Kobold 5"].stats == enc["Kobold 1"].stats
    assert (enc["Kobold 5"].side, enc["Kobold 5"].group, enc["Mara 2"].group) == ("wild", "Kobold", None)
    for _ in range(3):
        enc.undo()
    assert enc._state == before


@pytest.mark.parametrize("system", SYSTEMS)
def test_in_mid_fight_it_comes_whole_and_takes_its_place_and_no_number_comes_twice(system: str) -> None:
    enc = made(system)
    enc.start()
    vital = enc.ruleset.vitals[0].name
    enc.damage("Kobold 3", 4)
    enc.condition("Kobold 3", "prone")
    enc.leave("Kobold 3")
    before = enc._state
    enc.another("Kobold 3")
    assert (enc["Kobold 4"].values[vital], enc["Kobold 4"].conditions) == (10, ())
    assert [rung.combatant for rung in enc.order].count("Kobold 4") == 1
    assert enc.can_undo == "Kobold 4 joins"
    enc.undo()
    assert enc._state == before


def test_the_die_thrown_at_the_table_places_it() -> None:
    enc = ck.Encounter("saga", seed=7)
    for name in ("Mara", "Vex"):
        enc.add(name, side=name, dex=2)
    enc.start(rolls={"Mara": [10], "Vex": [5]})
    hear(ck.Tracker(enc), {"kind": "another", "name": "Vex", "rolls": {"Vex 2": [8]}})
    assert [(rung.combatant, rung.initiative) for rung in enc.order] == [("Mara", 12), ("Vex 2", 10), ("Vex", 7)]


def test_it_comes_with_the_sheet_as_it_is_now_and_stands_where_the_other_stands() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Vex", side="wild", hp=10, at=(3, 4))
    enc.edit("Vex", hp=12, dex=3)
    enc.another("Vex")
    vex = enc["Vex 2"]
    assert (vex.stats["dex"], vex.values["hp"], vex.position) == (3, 12, (3, 4))


def test_of_nobody_there_is_no_other_and_before_the_start_there_is_no_die() -> None:
    enc = made("saga")
    before = enc.digest
    with pytest.raises(ck.UnknownName, match="Kobolt"):
        enc.another("Kobolt")
    with pytest.raises(ck.InvalidInput, match="rolls"):
        enc.another("Mara", rolls=[12])
    assert enc.digest == before


def test_what_undo_takes_back_is_called_as_it_is() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Finn", side="heroes")
    enc.add("Finn", side="heroes")
    assert enc.can_undo == "Add Finn 2"
    enc.add("Guard", side="empire", count=2)
    assert enc.can_undo == "Add Guard"
