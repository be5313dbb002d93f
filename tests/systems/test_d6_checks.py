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
