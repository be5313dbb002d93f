"""Numbers are told as people say them: what is below 0, what is nothing, and where somebody stands."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.report.effects import suffered
from combatkit.report.words import of_several
from combatkit.widgets._told import in_the_end

SYSTEMS = tuple(ruleset.id for ruleset in ck.rulesets())


def alone(system: str, **stats: Any) -> ck.Encounter:
    """Begin a fight of somebody who has something to lose."""
    enc = ck.Encounter(system, seed=1)
    enc.add("Ada", side="red", **stats)
    enc.add("Nox", side="blue", npc=True)
    enc.start()
    return enc


@pytest.mark.parametrize(("system", "vital"), [("saga", "hp"), ("ap", "hp"), ("segments", "hp"), ("phases", "stun")])
def test_log_and_headline_say_in_one_way_what_is_below_zero(system: str, vital: str) -> None:
    enc = alone(system, **{vital: 10})
    tracker = ck.Tracker(enc)
    assert enc.damage("Ada", 12)[0].text == "takes 12 damage, now at \N{MINUS SIGN}2"
    assert enc.adjust("Ada", vital, by=-3)[0].text == f"loses 3 {vital}, now at \N{MINUS SIGN}5"
    assert "now at \N{MINUS SIGN}5" in str(tracker.view["result"]["text"])
    assert enc.adjust("Ada", vital, by=1)[0].text == f"gains 1 {vital}, now at \N{MINUS SIGN}4"
    assert enc.adjust("Ada", vital, by=0)[0].text == f"is still at \N{MINUS SIGN}4 {vital}"


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_is_no_number(system: str) -> None:
    vital = ck.ruleset(system).vitals[0].name
    enc = alone(system, **{vital: 10})
    assert enc.damage("Ada", 0)[0].text == "takes no damage, 10 left"
    assert enc.heal("Ada", 0)[0].text == f"still has 10 {vital}"
    assert enc.adjust("Ada", "temporary", by=1)[0].text == "gains 1 temporary point, 1 left"
    assert enc.adjust("Ada", "temporary", by=2)[0].text == "gains 2 temporary points, 3 left"


@pytest.mark.parametrize("system", ["saga", "ap", "segments", "phases"])
def test_a_place_below_zero_has_a_minus_sign(system: str) -> None:
    enc = alone(system)
    assert enc.place("Ada", at=(-3, 0))[0].text == "stands at (\N{MINUS SIGN}3, 0)"


def test_endurance_is_told_by_its_whole_name() -> None:
    enc = alone("phases", stun=10, end=10)
    assert enc.adjust("Ada", "end", by=-4)[0].text == "loses 4 endurance, 6 left"


def test_what_is_lost_of_one_vital_is_told_in_one_sum() -> None:
    enc = alone("saga")
    unstated = enc.damage("Ada", 40)
    enc.edit("Ada", hp=5)
    (person,) = suffered([*unstated, *enc.damage("Ada", 1)], (), "hp")
    assert person.lost == {"hp": 41}


def test_whoever_heals_twice_is_named_once() -> None:
    enc = ck.Encounter("saga", seed=1)
    for name in ("Nox", "Orc"):
        enc.add(name, side="blue", npc=True, hp=10)
    enc.start()
    enc.damage(["Nox", "Orc"], 5)
    for _ in range(2):
        enc.heal(["Nox", "Orc"], 1)
    told = enc.log(view="players").markdown
    assert told.count("Nox and Orc heal.") == 2, told


@pytest.mark.parametrize(("number", "told"), [(1, "a pick-up or swap"), (2, "2 pick-ups or swaps")])
def test_either_of_two_things_has_one_plural(number: int, told: str) -> None:
    enc = alone("d6", resolve=10)
    assert f"gains {told}, " in enc.adjust("Ada", "object", by=number)[0].text
    assert enc.ruleset.slots["object"].in_all(number) == told.replace("a ", "1 ")


@pytest.mark.parametrize(
    ("action", "given", "told"),
    [
        ("aim", {"option": "bonus", "rank": "tactics"}, "gets nothing on the next attack roll"),
        ("defend", {"rank": "agility"}, "gets no more Defense, with a rank of 0"),
    ],
)
def test_a_rank_of_nothing_gives_nothing(action: str, given: dict[str, Any], told: str) -> None:
    enc = alone("d6", resolve=10)
    while enc.active != "Ada":
        enc.end_turn()
    assert told in [event.text for event in enc.do("Ada", action, **given)]


def test_what_is_explained_begins_like_a_sentence() -> None:
    enc = alone("saga")
    for event in enc.trigger(text="a trap springs"):
        first = enc.explain(event.seq).splitlines()[0].partition(". ")[2]
        assert first[:1] == first[:1].upper()


def test_whoever_falls_and_gets_up_and_falls_is_told_to_have_fallen() -> None:
    enc = alone("saga", hp=10)
    events = [
        *enc.condition("Ada", "dead"),
        *(enc.condition("Ada", "down", off=off)[0] for off in (False, True, False)),
    ]
    assert [event.text for event in in_the_end(events)] == ["is dead", "is down"]
    assert [event.text for event in in_the_end(events[:3])] == ["is dead", "is down", "is no longer down"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [("wins", "the GM decides that Ada wins the contest"), ("loses", "the GM decides that Ada loses the contest")],
)
def test_what_the_gm_answers_is_a_sentence(answer: str, told: str) -> None:
    enc = ck.Encounter("ap", seed=1, options={"actions": "book"})
    for name, side in (("Ada", "red"), ("Nox", "blue")):
        enc.add(name, side=side)
    enc.start()
    while enc.active != "Ada":
        enc.end_turn()
    enc.do("Ada", "feint", target="Nox", override=True)
    while enc.pending[0].who != "GM":
        enc.resolve()
    assert told in [event.text for event in enc.resolve(answer=answer)]


@pytest.mark.parametrize(
    ("system", "sheet", "edit", "told"),
    [
        ("d6", {"force_points": 3}, {"force_points": 1}, "now has 1 Force Point (was 3)"),
        ("d6", {"force_points": 3}, {"force_points": 5}, "now has 5 Force Points (was 3)"),
        ("phases", {"end": 30}, {"end": 20}, "now has 20 endurance (was 30)"),
    ],
)
def test_a_vital_is_called_on_a_changed_sheet_as_everywhere(
    system: str, sheet: dict[str, int], edit: dict[str, int], told: str
) -> None:
    enc = alone(system, **sheet)
    assert enc.edit("Ada", **edit)[0].text == told


def test_half_of_what_is_dealt_stands_after_whose_points_it_takes() -> None:
    enc = alone("phases", body=9, stun=9)
    assert enc.damage("Ada", 4, vital="body", half=["Ada"])[0].text == "takes 2 damage to body (half of 4), 7 left"


def test_what_an_action_comes_to_is_told_after_what_was_said_with_it() -> None:
    enc = alone("ap", weapons=[{"name": "axe"}])
    while enc.active != "Ada":
        enc.end_turn()
    enc.do("Ada", "ready_weapon", weapon="axe", outcome="failed")
    assert "readies a weapon: axe, failed" in [event.text for event in enc._events]


def test_several_that_something_held_is_aimed_at_are_joined_by_and() -> None:
    enc = ck.Encounter("d6", seed=1)
    for name, side in (("Ada", "h"), ("Bo", "f"), ("Cy", "f")):
        enc.add(name, side=side)
    enc.start(rolls={"Ada": 6, "Bo": 2, "Cy": 1})
    enc.do("Ada", "hold", action="use_skill", target=["Bo", "Cy"], trigger="the door opens")
    assert "aimed at Bo and Cy: " in enc.log().markdown


def test_who_has_nothing_left_of_a_vital_loses_nothing_of_it() -> None:
    enc = alone("d6", force_points=2)
    enc.adjust("Ada", "force_points", by=-2)
    assert enc.adjust("Ada", "force_points", by=-3)[0].text == "still has 0 Force Points"


def test_an_outcome_that_was_said_and_its_dice_stand_behind_one_colon() -> None:
    enc = alone("segments")
    enc.do("Ada", "save", outcome="failed", rolls=[5])
    told = enc.log(rules=False).markdown
    assert "makes a saving throw: failed, 1d20 \N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}5" in told


def test_what_several_are_and_do_besides_is_told_of_all_of_them() -> None:
    english = ck.ruleset("saga").languages["en"]
    told = of_several("is interrupted and gets no further", ["Ada", "Bo"], english)
    assert told == "Ada and Bo are interrupted and get no further"
    assert of_several("is down, and has left", ["Ada", "Bo"], english) == "Ada and Bo are down, and have left"
