"""A group, a side or a kind stands for all who are in it, wherever names are taken."""

from __future__ import annotations

import pytest

import combatkit as ck
from combatkit.widgets._seat import SeatVantage
from combatkit.widgets._seat_rights import hear_seat
from combatkit.widgets._table import table_of
from tests.conformance.corpus import by_system


def fight(system: str, **start: object) -> ck.Encounter:
    enc = ck.Encounter(system, seed=1)
    enc.add("Ada", side="heroes")
    enc.add("Guard", side="watch", count=3, npc=True)
    enc.add("Captain", side="watch", group="officers")
    if start.pop("started", True):
        enc.start(**start)  # type: ignore[arg-type]
    return enc


def with_condition(enc: ck.Encounter, id: str) -> set[str]:
    return {name for name in enc.names if any(each.id == id for each in enc[name].conditions)}


GUARDS = {"Guard 1", "Guard 2", "Guard 3"}
MEANT = [("Guard", GUARDS), ("watch", {*GUARDS, "Captain"}), ("officers", {"Captain"}), ("Guard 2", {"Guard 2"})]


@by_system
@pytest.mark.parametrize(("said", "meant"), MEANT)
def test_calls_take_a_group_a_side_or_a_kind(system: str, said: str, meant: set[str]) -> None:
    enc = fight(system)
    enc.condition([said], "hexed")
    assert with_condition(enc, "hexed") == meant
    enc.undo()
    assert with_condition(enc, "hexed") == set()


@pytest.mark.parametrize("system", ["saga", "ap", "segments", "phases"])
@pytest.mark.parametrize(("said", "meant"), MEANT)
def test_the_surprised_are_said_as_the_table_says_them(system: str, said: str, meant: set[str]) -> None:
    assert with_condition(fight(system, surprised=[said]), "surprised") == meant
    assert with_condition(fight(system, surprised=said), "surprised") == meant


@by_system
def test_a_combatant_comes_before_a_side_of_that_name(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    enc.add("watch", side="heroes")
    enc.add("Bo", side="watch")
    enc.start()
    enc.condition(["watch"], "hexed")
    assert with_condition(enc, "hexed") == {"watch"}


@by_system
def test_the_dead_and_those_who_left_are_not_meant(system: str) -> None:
    enc = fight(system)
    enc.condition("Guard 1", "dead")
    enc.leave("Guard 2")
    enc.condition(["Guard"], "hexed")
    assert with_condition(enc, "hexed") == {"Guard 3"}
    enc.condition("Guard 3", "dead")
    with pytest.raises(ck.InvalidInput, match="'Guard' stands for nobody now: all are dead or have left"):
        enc.condition(["Guard"], "hexed")


@by_system
def test_where_somebody_alone_is_meant_it_lists_whom_it_stands_for(system: str) -> None:
    enc = fight(system)
    with pytest.raises(ck.InvalidInput, match="'Guard' stands for Guard 1, Guard 2, Guard 3; name one of them"):
        enc.budget("Guard")
    with pytest.raises(ck.InvalidInput, match="'Guard' stands for"):
        enc.condition("Ada", "hexed", until="start of turn: Guard")
    with pytest.raises(ck.UnknownName, match="did you mean 'Guard 1'"):
        enc.budget("Gard 1")


def test_an_area_attack_takes_a_side() -> None:
    enc = ck.Encounter("saga", seed=1, options={"actions": "book"})
    grenade = {"name": "Grenade", "damage": "2d6", "attack": 5, "range": 8}
    enc.add("Ada", side="heroes", dex=9, level=20, weapons=[grenade])
    enc.add("Guard", side="watch", count=3, npc=True, hp=90)
    enc.start(rolls={"Ada": 20})
    said = enc.do("Ada", "area_attack", target="watch")
    assert {event.target for event in said if event.kind == "attack"} == GUARDS


def test_from_a_seat_it_stands_for_those_who_can_be_seen() -> None:
    enc = ck.Encounter("saga", seed=1, options={"actions": "book"})
    enc.add("Ada", side="heroes", dex=9, level=20, weapons=[{"name": "Grenade", "damage": "2d6", "attack": 5}])
    enc.add("Guard", side="watch", count=3, npc=True, hp=90)
    enc.condition("Guard 3", "hidden")
    enc.start(rolls={"Ada": 20})
    table_of(enc).plays["Anna"] = ("Ada",)
    message = {"kind": "do", "name": "Ada", "action": "area_attack", "target": "watch"}
    assert hear_seat(SeatVantage(enc, "Anna"), message) is None
    assert {event.target for event in enc._events if event.kind == "attack"} == {"Guard 1", "Guard 2"}
