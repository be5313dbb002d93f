"""d6: a check that says whether it succeeds, and Force Points that are spent."""

from __future__ import annotations

import pytest

import combatkit as ck


def fight() -> ck.Encounter:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="rebels", attributes={"might": "3D+1"}, tactics=2, force_points=2)
    enc.add("Bes", side="rebels", attributes={"might": "3D"}, search=3)
    enc.add("Nox", side="empire", npc=True)
    enc.start(rolls={"Ada": 6, "Bes": 1})
    return enc


@pytest.mark.parametrize(("needed", "outcome"), [(18, "passed"), (19, "failed")])
def test_a_check_with_a_number_to_meet_says_whether_it_is_met(needed: int, outcome: str) -> None:
    enc = fight()
    enc.next_round()
    while enc.active != "Ada":
        enc.end_turn()
    assert enc.can("Ada", "use_skill", option="might", rank="tactics", needed=needed).needed == needed
    said = enc.do("Ada", "use_skill", option="might", rank="tactics", needed=needed, rolls=[4, 5, 6])
    assert said[-1].text == f"rolls 18 on might against {needed}: {outcome}"
    last = enc.history.rolls.tail(1).to_dicts()[0]
    assert (last["total"], last["needed"], last["outcome"]) == (18, needed, outcome)


def test_help_that_comes_after_the_roll_may_make_it_a_success() -> None:
    enc = fight()
    while enc.active != "Bes":
        enc.end_turn()
    enc.do("Bes", "help")
    while enc.active != "Ada":
        enc.end_turn()
    said = enc.do("Ada", "use_skill", option="might", needed=18, rolls=[4, 5, 6])
    assert said[1].text == "rolls 16 on might"
    said = enc.do("Bes", "add_help", rank="search")
    assert [event.text for event in said if event.kind == "roll"] == ["comes to 19 with help against 18: passed"]


def test_a_force_point_is_spent_with_what_the_table_says_of_it() -> None:
    enc = fight()
    enc.do("Ada", "spend_force_point", note="the door holds")
    enc.do("Ada", "spend_force_point")
    assert enc["Ada"].values["force_points"] == 0
    assert "the door holds" in enc.log().markdown
    assert enc.can("Ada", "spend_force_point").reason == "Ada has no Force Point."
    assert not enc.can("Nox", "spend_force_point").allowed
    enc.undo()
    assert enc["Ada"].values["force_points"] == 1


def test_a_number_that_no_roll_meets_is_refused() -> None:
    enc = fight()
    while enc.active != "Ada":
        enc.end_turn()
    for said in ({"option": "grapple"}, {}):
        ruling = enc.can("Ada", "use_skill", needed=9, **said)
        assert ruling.reason == "Nothing is rolled: name an attribute, or leave out the number to meet."
    assert enc.can("Ada", "use_skill", option="grapple").allowed


def held() -> ck.Encounter:
    """Ada holds a check, and Bes gives her the moment."""
    enc = fight()
    while enc.active != "Ada":
        enc.end_turn()
    enc.do("Ada", "hold", action="use_skill", option="might", rank="tactics", needed=12, trigger={"actor": "Bes"})
    while enc.active != "Bes":
        enc.end_turn()
    enc.do("Bes", "dash")
    return enc


def test_a_held_check_has_a_number_to_meet_and_a_rank() -> None:
    said = held().do("Ada", "use_held", rolls=[3, 3, 3])
    assert "rolls 12 on might against 12: passed" in [event.text for event in said]
    assert held().can("Ada", "use_held", rank="athletics").reason.endswith("is with tactics, not with athletics.")
    said = held().do("Ada", "use_held", needed=13, rolls=[3, 3, 3])
    assert "rolls 12 on might against 13: failed" in [event.text for event in said]


@pytest.mark.parametrize("modifiers", [{"defense": 3}, {"attack": 2}, {"wits": 1}, {"agility": 1}])
def test_a_check_takes_no_number_that_it_does_not_read(modifiers: dict[str, int]) -> None:
    enc = fight()
    with pytest.raises(ck.InvalidInput, match="nothing reads here; give skill, might, or a circumstance"):
        enc.can("Ada", "use_skill", option="might", modifiers=modifiers)
    with pytest.raises(ck.InvalidInput, match="nothing is rolled for it"):
        enc.can("Ada", "use_skill", option="bash a door", modifiers={"skill": 1})


@pytest.mark.parametrize(("number", "total"), [("skill", 12), ("might", 12), ("tactics", 10), ("wits", 10)])
def test_what_a_condition_adds_to_goes_to_the_check(number: str, total: int) -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="rebels", attributes={"might": "3D+1", "wits": "2D"})
    enc.start()
    enc.condition("Ada", "song", modifiers={number: 2})
    assert enc["Ada"].values["might"] == ("3D+3" if number == "might" else "3D+1")
    said = enc.do("Ada", "use_skill", option="might", rolls=[3, 3, 3])
    assert said[-1].amount == total
    enc.condition("Ada", "song", off=True)
    assert enc["Ada"].values["might"] == "3D+1"


def test_what_a_condition_adds_to_attacks_goes_to_every_attack_roll() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="rebels", weapons=[{"name": "blade", "attack": "3D", "damage": "1D", "range": "melee"}])
    enc.add("Nox", side="empire", npc=True, defense=11, resolve=9)
    enc.start(rolls={"Ada": 6})
    enc.condition("Ada", "song", modifiers={"attack": 2})
    said = enc.do("Ada", "attack", target="Nox", modifiers={"cover": -1, "song": 1}, rolls=[3, 3, 3])
    struck = next(event for event in said if event.kind == "attack")
    assert (struck.amount, struck.data["modifiers"]) == (11, {"conditions": 2, "cover": -1, "song": 1})
    with pytest.raises(ck.UnknownName, match="Nox has no number 'charm'"):
        enc.condition("Nox", "song", modifiers={"charm": 1})


def test_help_that_is_not_given_is_not_said_to_be() -> None:
    enc = fight()
    while enc.active != "Bes":
        enc.end_turn()
    enc.do("Bes", "help")
    while enc.active != "Ada":
        enc.end_turn()
    enc.do("Ada", "use_skill", option="might", needed=16, rolls=[4, 5, 6])
    came = next(event for event in enc.resolve() if event.kind == "roll")
    assert (came.text, came.rules) == ("comes to 16 against 16: passed", ("d6.act.skill",))


def test_what_is_added_under_one_name_is_told_together() -> None:
    enc = fight()
    while enc.active != "Ada":
        enc.end_turn()
    said = enc.do("Ada", "use_skill", option="might", rank="tactics", modifiers={"tactics": 3}, rolls=[1, 1, 1])
    assert (said[-1].amount, said[-1].data["modifiers"]) == (9, {"pips": 1, "tactics": 5})
