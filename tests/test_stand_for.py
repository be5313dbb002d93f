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


@by_system
def test_a_name_for_one_alone_is_that_one(system: str) -> None:
    enc = fight(system)
    assert enc["officers"].name == enc["heroes"].name.replace("Ada", "Captain") == "Captain"
    assert enc.budget("heroes") == enc.budget("Ada")


@by_system
@pytest.mark.parametrize("said", ["Guard", "watch", "officers", "Guard 2"])
def test_whoever_left_comes_back_as_they_are_named_together(system: str, said: str) -> None:
    enc = fight(system)
    meant = {name for name, names in MEANT for name in names if said == name or (said, names) in MEANT}
    for back in (enc.join, lambda name: enc.condition(name, "left", off=True)):
        enc.leave(["Guard", "Captain"])
        back(said)
        assert {name for name in enc.names if name in {*GUARDS, "Captain"}} & meant == meant
        assert with_condition(enc, "left") == {*GUARDS, "Captain"} - meant
        enc.undo()
        enc.undo()
    with pytest.raises(ck.InvalidInput, match="'Guard' stands for nobody who has left; name 'Guard 1', for one"):
        enc.join("Guard")
    enc.leave("Guard")
    enc.condition("Guard 3", "dead")
    enc.join("Guard")
    assert with_condition(enc, "left") == {"Guard 3"}
    enc.join("Guard", side="watch")
    assert "Guard 4" in enc.names


READIES = {"saga": "ready", "d6": "hold", "phases": "ready"}


@pytest.mark.parametrize("system", READIES)
@pytest.mark.parametrize(("said", "meant"), MEANT)
@pytest.mark.parametrize("key", ["actor", "target"])
def test_a_trigger_takes_a_group_a_side_or_a_kind(system: str, key: str, said: str, meant: set[str]) -> None:
    for who in sorted({*GUARDS, "Captain"}):
        enc = fight(system)
        act, deed = READIES[system], {"saga": "attack", "d6": "use_item", "phases": "block"}[system]
        while enc.active != "Ada":
            enc.end_turn()
        trigger = {key: said, "action": "attack" if system != "phases" else "strike"}
        aimed = {"target": "Guard 1"} if system == "saga" else {}
        enc.do("Ada", act, action=deed, trigger=trigger, override=True, **aimed)
        if enc.active == "Ada":
            enc.end_turn()
        other = "Ada" if key == "actor" else who
        doer = who if key == "actor" else next(name for name in (*sorted(GUARDS),) if name != who)
        enc.do(doer, trigger["action"], target=other, override=True, outcome="miss")
        asked = bool(enc.pending) and "Ada" in {offer.who for offer in enc.pending}
        assert asked == (who in meant), (who, enc.pending)


@by_system
def test_nobody_is_meant_by_no_name(system: str) -> None:
    enc = fight(system)
    for call in (lambda: enc.damage("", 3), lambda: enc.budget(" "), lambda: enc.condition([""], "hexed")):
        with pytest.raises(ck.CombatkitError):
            call()


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


@pytest.mark.parametrize("system", ["saga", "d6", "segments", "phases"])
def test_an_attack_on_one_lists_whom_a_name_of_several_stands_for(system: str) -> None:
    enc = fight(system)
    attack = "strike" if system == "phases" else "attack"
    with pytest.raises(ck.InvalidInput, match="'watch' stands for Guard 1, Guard 2"):
        enc.can("Ada", attack, target="watch")
    assert enc.can("Ada", attack, target="heroes").reason == enc.can("Ada", attack, target="Ada").reason


def test_an_attack_on_several_takes_a_name_for_all_of_them() -> None:
    enc = fight("saga")
    while enc.active != "Ada":
        enc.end_turn()
    events = enc.do("Ada", "full_attack", target="watch", outcome="hit", damage=1)
    assert [event.target for event in events if event.kind == "attack"] == ["Guard 1", "Guard 2", "Guard 3", "Captain"]
