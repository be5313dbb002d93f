"""What a tracker asks the table to roll for the order of a fight, and what it refuses before anybody rolls."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
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


def test_dice_that_only_break_ties_are_first_rolls_in_an_order_with_everybody() -> None:
    enc = ck.Encounter("phases", seed=7)
    for name, value in (("Kestrel", 9), ("Rime", 5), ("Boss", 5), ("Thug", 3)):
        enc.add(name, side=name, combat_value=value)
    tracker = table(enc)

    def asked(rolls: Faces) -> tuple[list[str], list[list[str]]]:
        (answer,) = hear(tracker, asking("start", rolls))
        order = [[f"{each['name']} {each['score']}" for each in even] for even in answer["order"]]
        return [each["who"]["note"] for each in answer["dice"]], order

    notes, order = asked({})
    assert {note.partition(" · ")[0] for note in notes} == {"tied: roll for it"}, "nobody has rolled before"
    assert [[each.split()[0] for each in even] for even in order] == [["Kestrel"], ["Rime", "Boss"], ["Thug"]]
    notes, _ = asked({"Rime": [12], "Boss": [12]})
    assert {note.partition(" · ")[0] for note in notes} == {"tied: roll again"}


def test_the_order_so_far_is_told_while_the_dice_of_a_start_are_typed() -> None:
    enc = ck.Encounter("saga", seed=7)
    for name, dex in (("Mara", 2), ("Vex", 2), ("Ossik", 1), ("Ilya", 0)):
        enc.add(name, side=name, dex=dex)
    tracker = table(enc)

    def order(rolls: Faces) -> list[list[str]]:
        (answer,) = hear(tracker, asking("start", rolls))
        return [[f"{each['name']} {each['score']}" for each in even] for even in answer["order"]]

    assert order({}) == []
    assert order({"Mara": [11], "Ossik": [12], "Vex": [21]}) == [["Mara 13"], ["Ossik 13"]], "by Dexterity"
    first: Faces = {"Mara": [11], "Vex": [11], "Ossik": [12], "Ilya": [20]}
    ahead, after = ["Ilya 20"], ["Ossik 13"]
    assert order(first) == [ahead, ["Mara 13, ?", "Vex 13, ?"], after], "even, and to roll again"
    assert order({**first, "Mara": [11, 9]}) == [ahead, ["Mara 13, 9", "Vex 13, ?"], after]
    rolls: Faces = {**first, "Mara": [11, 9], "Vex": [11, 14]}
    assert order(rolls) == [ahead, ["Vex 13, 14"], ["Mara 13, 9"], after]
    hear(tracker, {"kind": "start", "rolls": rolls})
    assert [rung.combatant for rung in enc.order] == ["Ilya", "Vex", "Mara", "Ossik"]
    (answer,) = hear(tracker, asking("join", name="Tarn", side="rebels"))
    assert "order" not in answer, "the ladder is in sight"


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


def test_a_side_of_segments_that_comes_late_is_asked_for_its_die() -> None:
    enc = begun("segments")
    tracker = table(enc)
    guard: dict[str, Any] = {"name": "Guard", "side": "guards"}
    assert due(tracker, "join", **guard) == {}, "all roll as the declarations close"
    while enc.active is None:
        hear(tracker, {"kind": "end_turn", "rolls": {"rebels": [6], "empire": [2]} if enc.clock.step == 1 else {}})
    assert due(tracker, "join", **guard) == {"guards": ([6], 0)}
    assert due(tracker, "join", name="Guard", side="empire") == {}, "the empire has rolled"
    hear(tracker, {"kind": "join", **guard, "rolls": {"guards": [6]}})
    assert enc._state.facts["halves"]["guards"] == "HIGH"
    assert enc._state.die == 0


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


def waiting(system: str, *, parried: str = "") -> Tracker:
    """Give a tracker in which an attack without dice waits for Zed, once Vex has parried if that is said."""
    enc = ck.Encounter(system, seed=3)
    for name, side in (("Mara", "rebels"), ("Vex", "empire"), ("Zed", "empire")):
        enc.add(name, side=side, **ARMED[system][1] | ARMED[system][0])
    enc.start()
    tracker = table(enc)
    for name in ("Vex", "Zed") if enc.ruleset.catalogue(enc._state).get("ready") else ():
        while enc.active != name:
            enc.end_turn()
        enc.do(name, "ready", action="attack", trigger="she strikes")
    while enc.active != "Mara":
        enc.end_turn()
    enc.do("Mara", "attack", target="Vex")
    if parried:
        enc.do("Vex", "parry", outcome=parried)
    assert enc._state.window
    return tracker


@pytest.mark.parametrize("system", ["saga", "ap", "phases"])
def test_to_carry_on_asks_for_the_dice_of_an_attack_that_waits_without(system: str) -> None:
    tracker = waiting(system)
    thrown = tracker.encounter._state.die
    assert [*due(tracker, "resolve")] == ["attack", "damage"]
    hear(tracker, {"kind": "resolve", "rolls": {"attack": ARMED[system][2]}})
    assert tracker.encounter._state.window is None
    assert tracker.encounter._state.die == thrown


@pytest.mark.parametrize(("outcome", "asked"), [("foiled", []), ("failed", ["attack", "damage"])])
def test_to_carry_on_asks_for_no_dice_once_an_answer_has_stopped_the_attack(outcome: str, asked: list[str]) -> None:
    tracker = waiting("ap", parried=outcome)
    assert [*due(tracker, "resolve")] == asked


class Thrower:
    """Plays by the questions a front end asks, and types every die it is asked for."""

    def __init__(self, system: str, seed: int) -> None:
        self.rng = Random(seed)
        enc = ck.Encounter(system, seed=seed)
        shelf = ck.Shelf()
        names = self.rng.sample(shelf.search("", system=system)["name"].to_list(), 4)
        for name, side in zip(names, ("rebels", "empire") * 2, strict=True):
            both = ARMED[system][0] | ARMED[system][1]
            enc.add(**shelf.take(name, system=system) | both, side=side)
        self.tracker = table(enc)
        self.done: list[str] = []
        self.last: dict[str, Any] = {}
        self.call("start")

    def say(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Send it, and give the answer to it, if there is one."""
        self.last = message
        heard = hear(self.tracker, {"id": 1, **message})
        return next((each for each in heard if each.get("id") == 1 and each["kind"] in ("choices", "refused")), None)

    def choose(self, name: str | None, action: str, params: dict[str, Any]) -> tuple[dict[str, Any], Faces] | None:
        """Fill in all that is asked for, the dice too; nothing if it can't be done."""
        rolls: Faces = {}
        proposes = {"propose": True} if name else {}
        for _ in range(30):
            asked = {"kind": "choices", "name": name, "action": action, "params": params, "rolls": rolls, **proposes}
            answer = self.say(asked)
            assert answer is not None
            if answer["kind"] == "refused":
                return None
            proposes = {}
            params = {**answer.get("given", {}), **params}
            if any(param["required"] and param["id"] not in params for param in answer["params"]):
                for param in answer["params"]:
                    if not param["required"] or param["id"] in params:
                        continue
                    can = [each["value"] for each in param.get("values", ()) if each["allowed"]]
                    if not can and "values" in param:
                        return None
                    value = self.rng.choice(can) if can else 3 if param["type"] == "number" else "3"
                    params[param["id"]] = [value] if param["type"] == "many" else value
                continue
            due = [(each, at) for each in answer["dice"] for at, _ in enumerate(each["sides"])]
            left = [(each, at) for each, at in due if len(rolls.get(each["purpose"], ())) <= at]
            if not left:
                rolls = {each["purpose"]: rolls[each["purpose"]][: len(each["sides"])] for each in answer["dice"]}
                return (params, rolls) if answer["ruling"]["allowed"] else None
            each, at = left[0]
            rolls.setdefault(each["purpose"], []).append(self.rng.randint(1, each["sides"][at]))
        return None

    def call(self, kind: str, **params: Any) -> None:
        """Make a call of the table's own with the dice it asks for."""
        chosen = self.choose(None, kind, params)
        assert chosen is not None
        said = self.say({"kind": kind, **params, **({"rolls": chosen[1]} if chosen[1] else {})})
        assert said is None, said

    def step(self) -> None:
        """Answer what is asked, act, or go on."""
        enc = self.tracker.encounter
        luck = self.rng.random()
        if window := enc._state.window:
            bids = [(bid.who, action) for bid in enc.pending for action in bid.actions]
            if bids and luck < 0.6 and self.act(*self.rng.choice(bids)):
                return
            asked = bool(window.question) and {"answer": self.rng.choice(window.choices)}
            self.call("resolve", **(asked or {}))
        elif luck < 0.03 and enc.active:
            self.call("join", name="Guard", side="guards", count=2, npc=True, **ARMED[enc.ruleset.id][0])
        elif luck < 0.06 and enc.active:
            self.call("damage", names=[enc.active], amount="1d6", half=[])
        elif enc.active and luck < 0.6:
            can = [option.action for option in enc.options(enc.active) if option.allowed]
            if not can or not self.act(enc.active, self.rng.choice(can)):
                self.call("end_turn")
        else:
            self.call("end_turn")

    def act(self, name: str, action: str) -> bool:
        """Do an action with all it asks for."""
        chosen = self.choose(name, action, {})
        if chosen is None:
            return False
        params, rolls = chosen
        said = self.say({"kind": "do", "name": name, "action": action, "params": params, "rolls": rolls})
        if said is None:
            self.done.append(action)
        return said is None


@pytest.mark.parametrize("system", SYSTEMS)
def test_whoever_types_each_die_that_is_asked_for_rolls_all_there_are(system: str) -> None:
    type_them_all(system, seed=1, steps=25)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 7))
@pytest.mark.parametrize("system", SYSTEMS)
def test_so_does_whoever_goes_on_for_long(system: str, seed: int) -> None:
    type_them_all(system, seed, steps=200)


def type_them_all(system: str, seed: int, steps: int) -> None:
    """Play so many steps; the seed is to give no die, whatever is done and whoever comes."""
    thrower = Thrower(system, seed)
    enc = thrower.tracker.encounter
    for _ in range(steps):
        thrower.step()
        assert enc._state.die == 0, f"{thrower.last} rolled by itself"
    assert thrower.done
    assert set(enc.history.rolls["source"]) <= {"table"}
