"""Moving on by the GM's word, and dice that nobody throws."""

from __future__ import annotations

import pytest

import combatkit as ck


def lost(events: tuple[ck.Event, ...]) -> list[str | None]:
    return [event.actor for event in events if event.kind == "turn_lost"]


def test_the_next_round_logs_who_misses_each_of_its_phases() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ada", side="a", combat_value=9)
    enc.add("Bo", side="b", combat_value=5)
    enc.start()
    enc.end_turn()
    enc.do("Bo", "strike", target="Ada", outcome="miss")
    enc.end_turn()
    assert enc.clock.phase == 2
    assert lost(enc.next_round()) == ["Bo", "Ada", "Bo", "Ada", "Bo"]  # Ada's turn of phase 2 was begun and ends
    assert enc.clock.label == "Turn 2 · Phase 1"


def test_the_next_round_logs_nobody_twice_where_a_round_is_one_occasion() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Ada", side="a")
    enc.add("Bo", side="b")
    enc.start()
    assert sorted(str(name) for name in lost(enc.next_round())) == ["Ada", "Bo"]


@pytest.mark.parametrize(
    ("system", "npc", "rolls"),
    [
        ("segments", False, {"a": [6], "b": [1]}),  # group dice go with the call that closes step 1
        ("segments", False, {"Ada": [3]}),
        ("segments", False, [3]),
        ("d6", True, {"Ada": [6]}),  # NPCs add 3 or 6
        ("phases", False, {"Ada": 10}),  # nobody throws unless there is a tie
    ],
)
def test_dice_that_no_one_throws_at_the_start_are_refused_and_not_lost(
    system: str, npc: bool, rolls: dict[str, list[int]]
) -> None:
    enc = ck.Encounter(system, seed=1)
    stats = {"combat_value": 5} if system == "phases" else {}
    enc.add("Ada", side="a", npc=npc, **stats)
    enc.add("Bo", side="b", npc=npc)
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=r"throws no dice for it|no dice are thrown"):
        enc.start(rolls=rolls)
    assert enc.digest == before


def test_everybody_may_throw_at_the_start_though_the_surprised_count_without_a_die() -> None:
    enc = ck.Encounter("ap", seed=1)
    enc.add("Ada", side="a", initiative_rating=2)
    enc.add("Bo", side="b", initiative_rating=2)
    enc.start(surprised=["Bo"], rolls={"Ada": 3, "Bo": 4})
    assert [(rung.combatant, rung.initiative) for rung in enc.order] == [("Ada", 5), ("Bo", 2)]
