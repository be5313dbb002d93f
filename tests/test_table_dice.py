"""What a tracker asks the table to roll for the order of a fight, and what it refuses before anybody rolls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

import combatkit as ck
from combatkit.widgets import Tracker
from tests.test_set_up import refused
from tests.wire import hear, recording

SYSTEMS = [each.id for each in ck.rulesets()]
Faces = dict[str, list[int | None]]


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def table(enc: ck.Encounter) -> Tracker:
    """Give a tracker at whose table dice are rolled."""
    tracker = Tracker(enc)
    hear(tracker, {"kind": "dice", "mode": "table"})
    return tracker


def asking(call: str, rolls: Faces | None = None, **params: Any) -> dict[str, Any]:
    """Give the question what a call needs."""
    return {"kind": "choices", "id": 1, "name": None, "action": call, "params": params, "rolls": rolls or {}}


def due(tracker: Tracker, call: str, rolls: Faces | None = None, **params: Any) -> dict[str, tuple[list[int], int]]:
    """Give who rolls which dice for a call, and how many of them because of a tie."""
    (answer,) = hear(tracker, asking(call, rolls, **params))
    return {each["purpose"]: (each["sides"], each.get("again", 0)) for each in answer["dice"]}


def begun(system: str) -> ck.Encounter:
    enc = ck.Encounter(system, seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Vex", side="empire")
    enc.start()
    return enc


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"name": "Vex", "side": "empire"}, "'Vex' is already in the fight; give another name"),
        ({"name": "Vex"}, "'Vex' is already in the fight; only somebody who has left can come back"),
        ({"name": "Tarn", "side": "empire", "count": 500}, "count is 500; give a whole number from 1 to 100"),
        ({"name": "Tarn", "side": "empire", "portrait": 7}, "portrait"),
        ({"name": "Tarn", "side": ""}, "Tarn: side"),
    ],
)
def test_a_newcomer_who_cannot_come_is_refused_before_anybody_rolls(
    system: str, given: dict[str, Any], words: str
) -> None:
    tracker = table(begun(system))
    assert words in refused(tracker, asking("join", **given))
    assert words in refused(tracker, {"kind": "join", **given})


def test_several_newcomers_are_asked_for_their_dice_each() -> None:
    tracker = table(begun("saga"))
    assert due(tracker, "join", name="Guard", side="empire", count=3) == dict.fromkeys(
        ["Guard 1", "Guard 2", "Guard 3"], ([20], 0)
    )
    assert due(tracker, "take", name="Nexu", source="kit", side="wild", count=2) == dict.fromkeys(
        ["Nexu 1", "Nexu 2"], ([20], 0)
    )
    assert "creature on the shelf" in refused(tracker, asking("take", name="Nexu", source="attic", side="wild"))
    assert "cannot be read" in refused(tracker, asking("take", name=7, source="kit"))
    rolls = {"Nexu 1": [11], "Nexu 2": [4]}
    hear(tracker, {"kind": "take", "name": "Nexu", "source": "kit", "side": "wild", "count": 2, "rolls": rolls})
    scores = {rung.combatant: rung.initiative for rung in tracker.encounter.order}
    assert (scores["Nexu 1"], scores["Nexu 2"]) == (17, 10), "a Nexu adds 4 and half of level 5"


def test_alike_who_share_a_die_are_asked_for_one_though_others_have_rolled_before() -> None:
    enc = begun("ap")
    enc.join("Guard", side="empire", npc=True, count=2)
    tracker = table(enc)
    name = ck.Shelf().search("", system="ap")["name"][0]
    for each in ("1", "3"):
        assert list(due(tracker, "take", name=name, source="kit", side="wild", count=2)) == [f"{name} {each}"]
        hear(tracker, {"kind": "take", "name": name, "source": "kit", "side": "wild", "count": 2})


def test_the_surprised_of_ap_are_asked_for_no_die() -> None:
    enc = ck.Encounter("ap", seed=7)
    for name in ("Mara", "Vex"):
        enc.add(name, side=name)
    tracker = table(enc)
    assert due(tracker, "start", surprised=["Vex"]) == {"Mara": ([6], 0)}
    hear(tracker, {"kind": "start", "surprised": ["Vex"], "rolls": {"Mara": [4]}})
    assert enc.clock.round == 1


@pytest.mark.rule("saga.init.tie.d20")
@pytest.mark.rule("saga.init.tie.reroll")
def test_a_tie_of_saga_is_rolled_off_at_the_table_and_again_while_it_lasts() -> None:
    enc = ck.Encounter("saga", seed=7)
    for name, dex in (("Mara", 2), ("Vex", 2), ("Ossik", 1)):
        enc.add(name, side=name, dex=dex)
    tracker = table(enc)
    first: Faces = {"Mara": [11], "Vex": [11]}
    assert {again for _, again in due(tracker, "start", first).values()} == {0}, "Ossik has not rolled yet"
    first["Ossik"] = [12]
    once = {"Mara": ([20, 20], 1), "Vex": ([20, 20], 1), "Ossik": ([20], 0)}
    assert due(tracker, "start", first) == once, "13 each, but Ossik's Dexterity is lower"
    assert due(tracker, "start", {**first, "Mara": [11, 9]}) == once
    again: Faces = {**first, "Mara": [11, 9], "Vex": [11, 9]}
    assert due(tracker, "start", again) == {**once, "Mara": ([20, 20, 20], 2), "Vex": ([20, 20, 20], 2)}
    rolls: Faces = {**again, "Mara": [11, 9, 3], "Vex": [11, 9, 18]}
    assert due(tracker, "start", rolls) == {**once, "Mara": ([20, 20, 20], 2), "Vex": ([20, 20, 20], 2)}
    hear(tracker, {"kind": "start", "rolls": rolls})
    assert [rung.combatant for rung in enc.order] == ["Vex", "Mara", "Ossik"]
    assert set(enc.history.rolls["source"]) == {"table"}
    assert enc._state.die == 0, "the seed gave none"


@pytest.mark.rule("phases.init.tie-random")
def test_a_tie_of_phases_is_drawn_at_the_table() -> None:
    enc = ck.Encounter("phases", seed=7)
    for name, value in (("Mara", 5), ("Vex", 5), ("Ossik", 4)):
        enc.add(name, side=name, combat_value=value)
    tracker = table(enc)
    assert due(tracker, "start") == {"Mara": ([20], 1), "Vex": ([20], 1)}
    assert due(tracker, "start", {"Mara": [9], "Vex": [9]}) == {"Mara": ([20, 20], 2), "Vex": ([20, 20], 2)}
    hear(tracker, {"kind": "start", "rolls": {"Mara": [9, 1], "Vex": [9, 2]}})
    assert [rung.combatant for rung in enc.order] == ["Vex", "Mara", "Ossik"]
    assert set(enc.history.rolls["source"]) == {"table"}


def test_a_newcomer_of_saga_rolls_off_against_who_is_on_the_ladder() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", dex=2)
    enc.add("Vex", side="empire", dex=5)
    enc.start(rolls={"Mara": 11, "Vex": 2})
    tracker = table(enc)
    assert due(tracker, "join", name="Tarn", side="rebels", dex=2) == {"Tarn": ([20], 0)}
    tied = {"Tarn": ([20, 20], 1), "Mara": ([20], 1)}
    assert due(tracker, "join", {"Tarn": [11]}, name="Tarn", side="rebels", dex=2) == tied
    rolls = {"Tarn": [11, 15], "Mara": [4]}
    hear(tracker, {"kind": "join", "name": "Tarn", "side": "rebels", "dex": 2, "rolls": rolls})
    assert [rung.combatant for rung in enc.order] == ["Tarn", "Mara", "Vex"]


@pytest.mark.parametrize("system", ["ap", "d6", "segments"])
def test_where_a_tie_needs_no_die_none_is_asked(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    for name in ("Mara", "Vex"):
        enc.add(name, side=name)
    tracker = table(enc)
    asked = due(tracker, "start")
    assert due(tracker, "start", {name: [3] for name in asked}) == asked
    assert {again for _, again in asked.values()} <= {0}


def routine() -> Tracker:
    """Give a tracker in which it is the turn of one with three attacks in a routine."""
    enc = ck.Encounter("segments", seed=7)
    enc.add("Thing", side="dead", aac0=15, ac=4, hp=25, attacks=["MELEE: 2 claws (1d4/1d4+1) and bite (1d6)"])
    enc.add("Mara", side="party", ac=4, hp=30)
    enc.start()
    while enc.active != "Thing":
        enc.end_turn()
    return table(enc)


def rolled_for(tracker: Tracker, rolls: Faces | None = None, **params: Any) -> dict[str, tuple[list[int], str]]:
    """Give which dice an attack of that routine asks for, and what stands behind them."""
    params = {"target": ["Mara"], **params}
    asked = {"kind": "choices", "id": 1, "name": "Thing", "action": "attack", "params": params, "rolls": rolls or {}}
    (answer,) = hear(tracker, asked)
    said = {d["purpose"]: "".join(each for each in d["sum"] if isinstance(each, str)).strip() for d in answer["dice"]}
    return {each["purpose"]: (each["sides"], said[each["purpose"]]) for each in answer["dice"]}


def test_every_attack_of_a_routine_has_a_die_and_every_hit_its_damage() -> None:
    tracker = routine()
    asked = {"attack": ([20, 20, 20], "needs 11 each"), "damage": ([4, 4, 6], "+ 1")}
    assert rolled_for(tracker) == asked
    faces: Faces = {"attack": [12, 3, 18]}
    hits = [20, 20, 20], "hits, misses, hits"
    assert rolled_for(tracker, faces) == {"attack": hits, "damage": ([4, 6], "")}
    faces["damage"] = [2, 5]
    assert rolled_for(tracker, faces) == {"attack": hits, "damage": ([4, 6], "= 2, 5")}
    hear(tracker, {"kind": "do", "name": "Thing", "action": "attack", "params": {"target": ["Mara"]}, "rolls": faces})
    rolls = tracker.encounter.history.rolls.filter(pl.col("purpose").cast(str) != "initiative")
    assert rolls["source"].cast(str).unique().to_list() == ["table"]
    assert tracker.encounter["Mara"].values["hp"] == 30 - 2 - 5


def test_a_miss_that_the_table_says_asks_for_no_damage() -> None:
    tracker = routine()
    assert "damage" not in rolled_for(tracker, outcome="miss", damage="1d6")
    assert rolled_for(tracker, outcome="hit")["damage"][0] == [4, 4, 6]


ARMED: dict[str, tuple[dict[str, Any], dict[str, Any], list[int | None]]] = {
    "saga": ({"attack_bonus": 1, "weapons": [{"name": "knife", "damage": "2d6"}]}, {"defense": 20}, [2]),
    "d6": ({"weapons": [{"name": "knife", "attack": "2D", "damage": "2D"}]}, {"defense": 12}, [1, 2]),
    "ap": ({"attack_bonus": 1, "weapons": [{"name": "knife", "damage": "1d6"}]}, {"defense": 20}, [2]),
    "segments": ({"aac0": 20, "attacks": ["MELEE: bite (2d6)"]}, {"ac": 10}, [2]),
    "phases": ({"ocv": 3, "weapons": [{"name": "knife", "damage": "2d6"}]}, {"dcv": 9}, [1, 1, 1]),
}
"""Who attacks with what, who is attacked, and a roll that misses them."""


def duel(system: str) -> Tracker:
    """Give a tracker at whose table dice are rolled, with two to fight."""
    enc = ck.Encounter(system, seed=3)
    enc.add("Mara", side="rebels", **ARMED[system][0])
    enc.add("Vex", side="empire", **ARMED[system][1])
    enc.start()
    return table(enc)


def purposes(tracker: Tracker, faces: list[int | None], target: str = "Vex") -> list[str]:
    """Give what is rolled for an attack once some faces are typed."""
    rolls: Faces = {"attack": faces}
    asked = {"kind": "choices", "id": 1, "name": "Mara", "action": "attack", "params": {"target": [target]}}
    (answer,) = hear(tracker, {**asked, "rolls": rolls})
    return [each["purpose"] for each in answer["dice"]]


@pytest.mark.parametrize("system", ARMED)
def test_a_roll_that_misses_asks_for_no_damage(system: str) -> None:
    tracker, missed = duel(system), ARMED[system][2]
    assert purposes(tracker, []) == ["attack", "damage"]
    assert purposes(tracker, [*missed[:-1], None]) == ["attack", "damage"]
    assert purposes(tracker, missed) == ["attack"]


def test_help_may_still_be_added_to_a_miss_so_damage_is_asked_for() -> None:
    tracker = duel("d6")
    tracker.encounter.join("Ilya", side="rebels")
    tracker.encounter.condition("Ilya", "helping")
    assert purposes(tracker, ARMED["d6"][2]) == ["attack", "damage"]
