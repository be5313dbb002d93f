"""Action points: what surprise takes away, and until when."""

from __future__ import annotations

import pytest

import combatkit as ck
from tests.systems.ap_table import THREE, fight, last, log, offered, points, to
from tests.systems.table import counts, holds, refused, rolled

AP = ck.ruleset("ap")


@pytest.mark.rule("ap.surprise.who")
def test_the_surprised_are_those_who_expect_no_attack() -> None:
    assert AP.rules["ap.surprise.who"].kind == "definition"
    assert "not expecting an attack" in AP.rules["ap.surprise.who"].text
    enc = fight(surprised=["Vex"])
    condition = next(c for c in enc["Vex"].conditions if c.id == "surprised")
    assert (condition.rule, condition.until) == ("ap.surprise.reactions-only", "end of turn")


@pytest.mark.rule("ap.surprise.gm")
def test_the_gm_says_who_is_surprised_and_the_log_keeps_it() -> None:
    enc = fight(surprised=["Vex", "Ilya"])
    assert last(log(enc), "begin").data["surprised"] == ["Vex", "Ilya"]
    assert holds(fight(), "Vex") == set()
    enc.condition("Vex", "surprised", off=True, note="he heard them after all")
    assert enc.can("Vex", "parry").rule == "ap.react.purpose"
    assert last(log(enc), "effect_end").by == "gm"


@pytest.mark.rule("ap.surprise.individual")
def test_surprise_is_each_characters_own_not_a_sides() -> None:
    enc = fight({"Mara": 14, "Ilya": 10, "Vex": 12}, surprised=["Ilya"])
    assert (holds(enc, "Mara"), holds(enc, "Ilya")) == (set(), {"surprised"})
    assert enc.can("Mara", "attack", target="Vex").allowed


@pytest.mark.rule("ap.surprise.no-die")
def test_the_surprised_roll_no_die() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Mara", side="rebels", initiative_rating=9)
    enc.add("Vex", side="hunters", initiative_rating=9)
    events = enc.start(surprised=["Vex"], rolls={"Mara": 1})
    assert counts(enc) == [("Mara", 10), ("Vex", 9)]
    assert rolled(events, "initiative") == [("Mara", [1])]
    placed = next(e for e in events if e.kind == "initiative" and e.actor == "Vex")
    assert "ap.surprise.no-die" in placed.rules


@pytest.mark.rule("ap.surprise.no-die")
def test_a_die_for_one_who_is_surprised_is_refused_saying_which_are_due() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Mara", side="rebels", initiative_rating=9)
    enc.add("Vex", side="hunters", initiative_rating=9)
    with pytest.raises(ck.InvalidInput, match=r"takes no dice for Vex, but \[3\] is given; it takes dice for: Mara"):
        enc.start(surprised=["Vex"], rolls={"Mara": 1, "Vex": 3})
    with pytest.raises(ck.InvalidInput, match="this call takes 1 die, but 2 are given"):
        enc.start(surprised=["Vex"], rolls=[1, 3])
    assert enc.start(surprised=["Vex"], rolls=[1])


@pytest.mark.rule("ap.surprise.no-die", "ap.init.group-roll")
def test_one_of_a_group_may_be_surprised_and_does_without_the_groups_die() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Guard", side="hunters", count=3, npc=True, initiative_rating=7)
    enc.start(surprised=["Guard 1"], rolls={"Guard": [4]})
    assert counts(enc) == [("Guard 2", 11), ("Guard 3", 11), ("Guard 1", 7)]


@pytest.mark.rule("ap.surprise.no-die", "ap.init.group-roll")
def test_a_die_for_a_surprised_one_of_a_group_is_not_the_groups() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Guard", side="hunters", count=2, npc=True, initiative_rating=7)
    enc.add("Mara", side="rebels", initiative_rating=9)
    with pytest.raises(ck.InvalidInput, match=r"takes no dice for Guard 2, but \[6\] is given"):
        enc.start(surprised=["Guard 2"], rolls={"Guard 2": 6, "Mara": 4})
    enc.start(surprised=["Guard 2"], rolls={"Guard 1": 6, "Mara": 4})
    assert counts(enc) == [("Mara", 13), ("Guard 1", 13), ("Guard 2", 7)]


@pytest.mark.rule("ap.surprise.reactions-only")
def test_the_surprised_may_only_react() -> None:
    enc = fight(surprised=["Ilya"])
    assert refused(enc, "Ilya", "attack", target="Vex").rule == "ap.surprise.reactions-only"
    assert refused(enc, "Ilya", "dash").rule == "ap.surprise.no-secondary-react"
    enc.do("Mara", "attack", target="Vex")
    assert offered(enc) == ["Vex", "Ilya"]
    assert enc.pending[1].actions == ("parry", "evade", "counter_attack", "resist")
    enc.do("Ilya", "evade", outcome="failed")
    assert points(enc, "Ilya") == [2]


@pytest.mark.rule("ap.surprise.until-own-turn", "ap.surprise.reactions-only")
def test_the_first_turn_itself_is_still_barred_and_then_it_is_over() -> None:
    enc = fight(surprised=["Vex"])
    to(enc, "Vex")
    ruling = refused(enc, "Vex", "attack", target="Mara")
    assert ruling.rule == "ap.surprise.reactions-only"
    assert "ap.surprise.until-own-turn" in ruling.rules
    assert "ap.surprise.until-own-turn" in refused(enc, "Vex", "dash").rules
    enc.end_turn()
    assert holds(enc, "Vex") == set()
    to(enc, "Vex", 2)
    assert enc.can("Vex", "attack", target="Mara").allowed


@pytest.mark.rule("ap.surprise.until-own-turn")
def test_after_its_turn_a_surprised_character_reacts_like_any_other() -> None:
    enc = fight({"Vex": 14, "Mara": 12, "Ilya": 10}, surprised=["Vex"])
    enc.end_turn()
    assert enc.active == "Mara"
    enc.do("Mara", "attack", target="Vex")
    assert {"parry", "dash", "trip"} <= set(enc.pending[0].actions)


@pytest.mark.rule("ap.surprise.first-round")
def test_as_an_option_surprise_is_over_with_the_first_round_even_without_a_turn() -> None:
    enc = fight(surprised=["Ilya"], options={"surprise_lasts": "first_round"})
    enc.condition("Ilya", "unconscious")
    assert "surprised" in holds(enc, "Ilya")
    to(enc, "Mara", 2)
    assert holds(enc, "Ilya") == {"unconscious"}
    enc = fight(surprised=["Ilya"], options={"surprise_lasts": "first_round"})
    enc.next_round()
    assert holds(enc, "Ilya") == set()
    with pytest.raises(ck.InvalidInput, match="surprise_lasts"):
        fight(options={"surprise_lasts": "round"})


@pytest.mark.rule("ap.surprise.first-round", "ap.surprise.until-own-turn")
def test_as_that_option_only_the_first_round_ends_surprise_by_itself() -> None:
    enc = fight(options={"surprise_lasts": "first_round"})
    to(enc, "Ilya", 2)
    enc.condition("Vex", "surprised")
    to(enc, "Mara", 3)
    assert holds(enc, "Vex") == {"surprised"}, "the turn that ends it is still to come"
    to(enc, "Ilya", 3)
    assert holds(enc, "Vex") == set()


@pytest.mark.rule("ap.surprise.until-own-turn", "ap.init.newcomer")
def test_a_surprised_newcomer_too_late_for_round_one_is_surprised_until_their_turn_has_passed() -> None:
    enc = fight()
    to(enc, "Ilya")
    enc.join("Ossik", side="hunters", initiative_rating=13, conditions=["surprised"])
    to(enc, "Ossik", 2)
    assert refused(enc, "Ossik", "attack", target="Mara").rule == "ap.surprise.reactions-only"
    enc.end_turn()
    assert holds(enc, "Ossik") == set()


@pytest.mark.rule("ap.surprise.first-round")
def test_a_character_surprised_before_the_start_by_condition_is_surprised_alike() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Mara", side="rebels", initiative_rating=9)
    enc.add("Vex", side="hunters", initiative_rating=9, conditions=["surprised"])
    enc.start(rolls={"Mara": 1})
    assert counts(enc) == [("Mara", 10), ("Vex", 9)]
    enc.end_turn()
    enc.end_turn()
    assert holds(enc, "Vex") == set()


@pytest.mark.rule("ap.surprise.first-round", "ap.init.newcomer")
def test_a_newcomer_the_gm_calls_surprised_only_reacts_until_its_turn_has_passed() -> None:
    enc = fight()
    to(enc, "Mara", 2)
    enc.join("Ossik", side="hunters", initiative_rating=11, conditions=["surprised"])
    assert ("Ossik", 11) in counts(enc)
    assert refused(enc, "Ossik", "dash", trigger="a shot").rule == "ap.surprise.no-secondary-react"
    to(enc, "Ossik")
    assert refused(enc, "Ossik", "dash").rule == "ap.surprise.reactions-only"
    enc.end_turn()
    assert holds(enc, "Ossik") == set()


@pytest.mark.rule("ap.surprise.gm", "ap.surprise.until-own-turn")
def test_the_gm_may_surprise_somebody_later_until_its_next_turn_has_passed() -> None:
    enc = fight()
    to(enc, "Mara", 2)
    enc.condition("Vex", "surprised")
    enc.condition("Ilya", "surprised", until="start of turn")
    to(enc, "Vex")
    ruling = refused(enc, "Vex", "attack", target="Mara")
    assert ruling.rule == "ap.surprise.reactions-only"
    assert ruling.reason == "Vex is surprised and can only react until their turn has passed.", "it isn't the first"
    enc.end_turn()
    assert (holds(enc, "Vex"), holds(enc, "Ilya")) == (set(), set())
    assert counts(enc)[1] == ("Vex", 12)


@pytest.mark.rule("ap.surprise.count-persists")
def test_the_result_without_a_die_stands_for_the_whole_fight() -> None:
    enc = fight({"Mara": 14, "Vex": 12, "Ilya": 10}, surprised=["Vex"], Vex={"initiative_rating": 5})
    assert counts(enc) == [("Mara", 14), ("Ilya", 10), ("Vex", 5)]
    drawn = {event.actor: event.rules for event in log(enc) if event.kind == "initiative"}
    assert [name for name, rules in drawn.items() if "ap.surprise.count-persists" in rules] == ["Vex"]
    to(enc, "Mara", 4)
    assert counts(enc) == [("Mara", 14), ("Ilya", 10), ("Vex", 5)]
    assert rolled(log(enc), "initiative") == [("Mara", [3]), ("Ilya", [3])]


@pytest.mark.rule("ap.surprise.no-secondary-react")
@pytest.mark.parametrize("allowed", [False, True])
def test_a_secondary_action_as_a_reaction_while_surprised_is_an_option(allowed: bool) -> None:
    enc = fight(THREE, surprised=["Ilya"], options={"surprised_secondary_reactions": allowed})
    enc.do("Mara", "attack", target="Ilya")
    assert ("dash" in enc.pending[1].actions) is allowed
    if allowed:
        enc.do("Ilya", "dash")
        assert points(enc, "Ilya") == [2]
    else:
        ruling = refused(enc, "Ilya", "dash")
        assert ruling.rule == "ap.surprise.no-secondary-react"
        assert "ap.surprise.reactions-only" in ruling.rules


@pytest.mark.rule("ap.surprise.no-secondary-react", "ap.surprise.until-own-turn")
def test_with_the_option_a_secondary_action_on_the_own_turn_is_still_barred() -> None:
    enc = fight(surprised=["Vex"], options={"surprised_secondary_reactions": True})
    to(enc, "Vex")
    assert refused(enc, "Vex", "dash").rule == "ap.surprise.reactions-only"


@pytest.mark.rule("ap.surprise.reactions-only")
@pytest.mark.parametrize("allowed", [True, False])
def test_free_actions_while_surprised_are_an_option(allowed: bool) -> None:
    enc = fight(surprised=["Vex"], options={"surprised_free_actions": allowed})
    if allowed:
        enc.do("Vex", "speak")
    else:
        assert refused(enc, "Vex", "speak").rule == "ap.surprise.reactions-only"
    assert enc.can("Mara", "speak").allowed


@pytest.mark.rule("ap.surprise.until-own-turn")
def test_the_turn_comes_and_passes_with_what_is_allowed() -> None:
    enc = fight(surprised=["Vex"])
    to(enc, "Vex")
    enc.do("Vex", "speak", note="what was that?")
    enc.trigger(text="the floor gives way", to="Vex")
    assert enc.pending[0].actions == ("parry", "evade", "resist"), "nobody is there to strike at"
    enc.do("Vex", "evade", outcome="failed")
    enc.end_turn()
    assert (enc.active, points(enc, "Vex")) == ("Ilya", [2])
