"""Conditions that the GM lays on by hand: they do what the rules would have given, or say which call gives it."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from random import Random
from typing import Any

import pytest

import combatkit as ck

SYSTEMS = ("saga", "d6", "ap", "segments", "phases")
LISTS = {"saga": {"actions": "book"}, "ap": {"actions": "book"}}

VALUES: tuple[Any, ...] = (
    None, 0, 1, -3, 10**6, 2.5, True, "", "strike", "Ada", "HIGH", [], ["Bo"], [1, [2]], {}, {"id": "x"},
    {"option": "bonus", "rank": "tactics"}, {"action": "attack", "trigger": "x", "use": "use_readied", "params": {}},
    {"threat": 1, "add": 2, "by": "Bo", "rank": "tactics"}, {"spell": "x", "segments": 3, "step": "spells", "bonus": 5},
)  # fmt: skip
"""Twenty kinds of values that no rule has made."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_conditions_take_no_number_below_the_least_there_can_be(system: str) -> None:
    """A speed or a reach of less than none is nothing; a bonus may be a penalty."""
    least = {s.name: s.range[0] or 0 for s in ck.ruleset(system).stats if "int" in s.type.split("|") and s.range}
    stated: dict[str, Any] = {id: max(low, 1) for id, low in least.items() if not id.endswith("_max")}
    enc = ck.Encounter(system, seed=1)
    enc.add("Ada", side="red", **stated)
    taken = []
    for id in stated:
        with suppress(ck.CombatkitError):  # what no condition adds to
            enc.condition("Ada", f"less {id}", modifiers={id: -9})
            taken.append(id)
    now = enc["Ada"].values
    assert {id: now[id] for id in taken if least[id] == 0} == {id: 0 for id in taken if least[id] == 0}
    assert taken
    if system == "saga":
        enc.place({"Ada": (0, 0)})
        enc.start()
        assert enc.can("Ada", "move", to=(1, 0)).reason == "That is 1 square; Move takes Ada only 0, at speed 0."


def begun(system: str, seed: int) -> ck.Encounter:
    enc = ck.Encounter(system, seed=seed, options=LISTS.get(system) if seed % 2 else None)
    vital = enc.ruleset.vitals[0].name
    gun = {"name": "gun", "attack": "4D", "damage": "3D", "type": "energy", "range": "long"}
    full: dict[str, Any] = {vital: 12, **({"weapons": [gun]} if system == "d6" else {})}
    for name, side in (("Ada", "red"), ("Bo", "red"), ("Orc", "blue")):
        enc.add(name, side=side, npc=name == "Orc", **full)
    enc.start()
    return enc


def ids(system: str) -> list[str]:
    rules = ck.ruleset(system)
    more = ("aim", "aiming", "defending", "helping", "held", "dodged", "owes", "manoeuvre", "casting", "saved_ap")
    own = ("shifted", "helped", "last_turn", "ignored_fates", "condition_track", "walked", "completing", "go_first")
    return list(dict.fromkeys([*(each.id for each in rules.conditions), *rules.given, *rules.moments, *more, *own]))


def play_on(enc: ck.Encounter, dice: Random, calls: int) -> None:
    """Let everybody do something and the GM go on: nothing raises but refusals."""
    for _ in range(calls):
        view = enc.pending
        if view:
            try:
                enc.resolve(answer=view[0].choices[0] if view[0].choices else None)
            except ck.IllegalAction:
                offer = view[0]
                enc.do(offer.who, offer.actions[-1], override=True, **filled(offer.actions[-1]))
            continue
        name = dice.choice(enc.names)
        _ = enc[name], enc.budget(name), enc.order, enc.options(name)
        options = [option for option in enc.options(enc.active or name) if option.allowed]
        if options and dice.random() < 0.7:
            option = dice.choice(options)
            with suppress(ck.IllegalAction, ck.InvalidInput):  # what it still needs
                enc.do(enc.active or name, option.action, **filled(option.action))
        elif dice.random() < 0.2:
            enc.damage(name, 3)
        elif dice.random() < 0.1:
            enc.next_round()
        else:
            enc.end_turn()
    _ = enc.history.rounds, enc.history.budgets, str(enc.log())


def filled(action: str) -> dict[str, Any]:
    return {"target": "Orc"} if action in ("attack", "strike") else {}


def fuzz(system: str, values: tuple[Any, ...], calls: int, every: int = 1) -> int:
    """Lay every condition on somebody, with every value, and play on; return how often it was taken."""
    taken = 0
    for number, id in enumerate(ids(system)):
        for kind, value in enumerate(values):
            if (number + kind) % every:
                continue
            dice = Random(f"{system} {id} {kind}")
            enc = begun(system, number + kind)
            who = dice.choice(enc.names)
            try:
                enc.condition(
                    who, id, value=value, until=dice.choice([None, "1 round", "end of turn", "start of turn"])
                )
            except ck.CombatkitError:
                continue
            taken += 1
            try:
                play_on(enc, dice, calls)
            except Exception as error:
                raise AssertionError(f"{system}, {id} with {value!r} on {who}: {error!r}") from error
    return taken


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_value_of_a_condition_makes_a_later_call_raise(system: str) -> None:
    assert fuzz(system, VALUES, 6, every=13) > 10


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
def test_no_value_of_any_condition_makes_any_later_call_raise(system: str) -> None:
    assert fuzz(system, VALUES, 25) > 100


def phases(**given: Any) -> ck.Encounter:
    enc = ck.Encounter("phases", seed=1)
    for name, side, score, at in (("Ace", "h", 9, (1, 0)), ("Crow", "v", 5, (0, 0)), ("Bolt", "h", 3, (9, 0))):
        enc.add(name, side=side, combat_value=score, ocv=5, dcv=5, at=at)
    enc.start(**given)
    return enc


def turns(enc: ck.Encounter, number: int) -> list[str]:
    came = []
    for _ in range(number):
        came.append(str(enc.active))
        enc.end_turn()
    return came


def test_a_debt_that_is_forgiven_costs_nothing() -> None:
    enc = phases()
    enc.end_turn()
    enc.do("Ace", "abort", action="dodge")
    enc.condition("Ace", "owes", off=True)
    assert turns(enc, 3) == ["Crow", "Bolt", "Ace"]
    enc = phases()
    enc.do("Crow", "abort", action="dodge")  # before their place has come
    enc.condition("Crow", "owes", off=True)
    assert [(slot.total, slot.left) for slot in enc.budget("Crow").slots[:2]] == [(1, 1), (1, 1)]
    assert turns(enc, 5) == ["Ace", "Crow", "Bolt", "Ace", "Crow"]


def test_a_debt_that_is_laid_on_costs_the_next_action() -> None:
    enc = phases()
    enc.condition("Crow", "owes")
    assert [rung.status for rung in enc.order] == ["now", "owes", "waits"]
    assert turns(enc, 4) == ["Ace", "Bolt", "Ace", "Crow"]
    enc = phases()
    enc.condition("Ace", "owes")  # in their own turn: the one after it
    assert turns(enc, 6) == ["Ace", "Crow", "Bolt", "Crow", "Bolt", "Ace"]
    assert enc["Ace"].conditions == ()
    for given in ({"value": 7}, {"until": "3 rounds"}, {"modifiers": {"dcv": 1}}):
        with pytest.raises(ck.InvalidInput, match="owes takes nothing else"):
            enc.condition("Ace", "owes", **given)


def test_surprise_by_hand_in_the_surprise_phase_is_that_of_the_start() -> None:
    enc = phases(surprised=["Crow"])
    enc.condition("Bolt", "surprised")
    enc.join("Dirk", side="v", combat_value=8, dcv=5, at=(9, 9), conditions=["surprised"])
    assert [enc[name].values["dcv"] for name in ("Crow", "Bolt", "Dirk")] == [2, 2, 2]
    enc.end_turn()
    assert [(enc[name].values["dcv"], enc[name].conditions) for name in ("Crow", "Bolt", "Dirk")] == [(5, ())] * 3
    enc.condition("Bolt", "surprised")
    assert turns(enc, 3) == ["Ace", "Dirk", "Crow"]
    enc.end_turn()
    assert enc["Bolt"].conditions == ()


def test_surprise_by_hand_is_refused_where_the_start_refuses_it() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Bo", side="v")
    before, none = enc.digest, "the text of d6 has no surprise"
    with pytest.raises(ck.InvalidInput, match=none):
        enc.add("Ada", side="h", conditions=["surprised"])
    with pytest.raises(ck.InvalidInput, match=none):
        enc.condition("Bo", "surprised")
    with pytest.raises(ck.InvalidInput, match=none):
        enc.start(surprised=["Bo"])
    assert enc.digest == before
    assert "surprised" not in [each.id for each in enc.ruleset.conditions if each.offered]


def test_surprise_by_hand_in_segments_lasts_the_round() -> None:
    enc = begun("segments", 0)
    enc.condition("Ada", "surprised")
    enc.next_round()
    assert enc["Ada"].conditions == ()


@pytest.mark.parametrize(
    ("system", "id", "call"),
    [
        ("saga", "delayed", "delay"),
        ("saga", "readied", "ready"),
        ("d6", "held", "hold"),
        ("d6", "aiming", "aim"),
        ("d6", "shifted", "shift"),
        ("ap", "delayed", "delay"),
        ("phases", "delayed", "delay"),
        ("phases", "readied", "ready"),
        ("phases", "dodged", "dodge"),
    ],
)
def test_what_only_an_action_gives_is_refused_with_that_call(system: str, id: str, call: str) -> None:
    enc = begun(system, 1)
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=rf'only an action gives it; use do\("Bo", "{call}", ...\)'):
        enc.condition("Bo", id)
    with pytest.raises(ck.InvalidInput, match=rf'use do\("Cy", "{call}"'):
        enc.join("Cy", side="red", conditions=[id])
    assert enc.digest == before


@pytest.mark.parametrize("id", ["aim", "disengaged"])
def test_what_no_action_of_the_list_gives_is_laid_on_by_hand(id: str) -> None:
    ours, book = begun("ap", 2), begun("ap", 1)
    ours.condition("Bo", id)
    assert id in [condition.id for condition in ours["Bo"].conditions]
    with pytest.raises(ck.InvalidInput, match="only an action gives it"):
        book.condition("Bo", id)


NOT_NUMBERS: tuple[Any, ...] = (
    float("nan"), float("inf"), -float("inf"), [1, float("nan")], {"a": (float("inf"),)}, Decimal("NaN"),
)  # fmt: skip


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
def test_what_no_file_has_as_a_number_is_no_value_of_a_condition(system: str, value: Any) -> None:
    enc = begun(system, 1)
    before = enc.digest
    for id in ("cursed", "concealment"):
        with pytest.raises(ck.InvalidInput, match=f"condition {id}: value is .*; give what a file can hold"):
            enc.condition("Bo", id, value=value)
    assert enc.digest == before


def test_an_empty_cell_of_a_frame_stays_an_empty_cell() -> None:
    enc = ck.Encounter("ap", seed=1)
    row = {"id": "kick", "title": "Kick", "cost": 1, "when": float("nan")}
    (event,) = enc.add_table("actions", [row])
    assert event.data["rows"] == [{**row, "when": None}]
    with pytest.raises(ck.InvalidInput, match="what a file can hold"):
        enc.add_table("actions", [{"id": "hop", "title": "Hop", "cost": float("inf")}])


def test_a_delay_taken_off_by_hand_is_for_one_round_where_a_delay_is() -> None:
    enc = ck.Encounter("ap", seed=1, options={"actions": "book"})
    for name, rating in (("Ada", 10), ("Orc", 8), ("Bes", 6)):
        enc.add(name, side=name, initiative_rating=rating)
    enc.start(rolls={"Ada": 1, "Orc": 1, "Bes": 1})
    enc.do("Ada", "delay")
    enc.condition("Ada", "delayed", off=True)
    assert turns(enc, 6) == ["Orc", "Ada", "Bes", "Ada", "Orc", "Bes"]


@pytest.mark.parametrize("given", [{"before": "Ann"}, {"after": "Ann"}, {"count": "HIGH"}])
def test_a_place_never_costs_a_turn(given: dict[str, Any]) -> None:
    enc = ck.Encounter("segments", seed=5)
    for name, side in (("Ann", "party"), ("Orc", "foes"), ("Gob", "foes")):
        enc.add(name, side=side, hp=20)
    enc.start()
    enc.end_turn(rolls={"party": [6], "foes": [1]})
    enc.end_turn()
    last = next(name for name in ("Orc", "Gob") if name != enc.active)
    enc.place(last, **given)
    assert sorted(turns(enc, 2)) == ["Gob", "Orc"]


def test_a_debt_laid_on_by_hand_is_said_in_words() -> None:
    enc = begun("phases", 1)
    said = [event.text for event in enc.condition("Bo", "owes")]
    assert "owes an action, in phase 1" in said
    assert "is owes" not in enc.log().markdown
    assert "owes an action, in phase" in enc.log().markdown
