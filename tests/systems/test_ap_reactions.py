"""Action points: who may answer what, once, and with what is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import combatkit as ck
from tests.systems.ap_table import fight, last, log, offered, points, through, to
from tests.systems.table import refused


@pytest.mark.rule("ap.react.purpose")
def test_a_reaction_answers_another_characters_action() -> None:
    enc = fight()
    assert refused(enc, "Mara", "parry").rule == "ap.react.purpose"
    assert refused(enc, "Vex", "parry").rule == "ap.react.purpose"
    enc.do("Mara", "attack", target="Vex")
    offer = enc.pending[0]
    assert (offer.who, offer.about, offer.targets) == ("Vex", "Mara attacks Vex", ("Mara",))
    assert (offer.must, offer.rule) == (False, "ap.react.purpose")
    assert refused(enc, "Mara", "parry").rule == "ap.react.purpose"
    enc.do("Vex", "parry", outcome="failed")
    assert last(log(enc), "action").data["threat"] == offer.threat


@pytest.mark.rule("ap.react.purpose")
def test_a_reaction_answers_an_event_that_is_nobodys_action() -> None:
    enc = fight()
    enc.trigger(text="the floor gives way", to=["Mara", "Ilya"])
    assert offered(enc) == ["Mara", "Ilya"]
    enc.do("Mara", "evade", outcome="failed")
    enc.resolve()
    enc.do("Vex", "evade", trigger="a beam falls")
    assert points(enc, "Mara", "Vex", "Ilya") == [2, 2, 3]
    assert (enc.active, enc.pending) == ("Mara", ())


@pytest.mark.rule("ap.react.purpose")
def test_only_what_is_aimed_at_somebody_is_a_threat() -> None:
    enc = fight()
    for action in ("dash", "speak"):
        enc.do("Mara", action)
        assert enc.pending == ()
    enc.do("Mara", "cast_magic")
    assert enc.pending == ()
    enc.do("Mara", "cast_magic", target="Vex")
    assert offered(enc) == ["Vex", "Ilya"]


@pytest.mark.rule("ap.react.purpose")
def test_reactions_are_not_themselves_reacted_to() -> None:
    enc = fight()
    enc.do("Mara", "attack", target="Vex")
    window = enc.pending[0].threat
    enc.do("Vex", "counter_attack")
    assert [(o.who, o.threat) for o in enc.pending if o.actions] == [("Ilya", window)]
    assert refused(enc, "Mara", "parry").rule == "ap.react.purpose"


@pytest.mark.rule("ap.react.aware")
def test_one_reacts_only_to_what_one_is_aware_of() -> None:
    enc = fight()
    enc.do("Mara", "attack", target="Vex", unaware=["Vex"])
    assert offered(enc) == ["Ilya"]
    ruling = refused(enc, "Vex", "parry")
    assert (ruling.rule, ruling.reason) == ("ap.react.aware", "Vex is not aware of it: Mara attacks Vex.")
    enc.resolve()
    enc.do("Mara", "attack", target="Vex", unaware=["Vex", "Ilya"])
    assert enc.pending == ()
    assert enc.can("Mara", "dash").allowed


@pytest.mark.rule("ap.react.one-per-threat")
def test_one_attempt_for_each_threat() -> None:
    enc = fight()
    enc.do("Mara", "attack", target="Vex")
    enc.do("Vex", "parry", outcome="failed")
    ruling = refused(enc, "Vex", "evade")
    assert ruling.rule == "ap.react.one-per-threat"
    assert ruling.reason == "One try to react per threat, and Vex has had theirs."
    enc.do("Ilya", "counter_attack")
    assert points(enc, "Vex", "Ilya") == [2, 2]


@pytest.mark.rule("ap.react.one-per-threat", "ap.react.any-number")
def test_each_declared_attack_is_a_threat_of_its_own() -> None:
    enc = fight()
    for left in (2, 1, 0):
        enc.do("Mara", "attack", target="Vex")
        enc.do("Vex", "parry", outcome="failed")
        assert refused(enc, "Vex", "parry").rule == "ap.react.one-per-threat"
        enc.resolve()
        assert points(enc, "Vex") == [left]


@pytest.mark.rule("ap.react.purpose")
def test_a_counter_attack_strikes_one() -> None:
    enc = fight()
    enc.do("Mara", "attack", target="Vex")
    assert refused(enc, "Vex", "counter_attack", target=["Mara", "Ilya"]).rule == "ap.react.purpose"
    assert enc.can("Vex", "counter_attack", target="Mara").allowed


@pytest.mark.rule("ap.react.one-per-threat")
def test_each_of_several_who_do_something_is_a_threat_of_its_own() -> None:
    enc = fight({"Mara": 14, "Vex": 12, "Ossik": 11, "Ilya": 10})
    enc.trigger("Vex", "Ossik", text="both come over the wall", to="Mara")
    enc.do("Mara", "counter_attack", target="Vex", damage=1)
    assert refused(enc, "Mara", "counter_attack", target="Vex").rule == "ap.react.one-per-threat"
    assert enc.can("Mara", "counter_attack", target="Ossik").allowed
    enc.do("Mara", "parry", outcome="failed")
    assert enc.pending == ()
    enc.trigger("Vex", "Ossik", text="both come again", to="Ilya")
    for _ in range(2):
        assert offered(enc) == ["Ilya"]
        enc.do("Ilya", "evade", outcome="failed")
    assert (enc.pending, points(enc, "Mara", "Ilya")) == ((), [1, 1])


@pytest.mark.rule("ap.react.one-per-threat")
def test_the_same_words_in_the_same_turn_tell_of_the_same_event() -> None:
    enc = fight()
    enc.do("Vex", "evade", trigger="a beam falls")
    assert refused(enc, "Vex", "parry", trigger="a beam falls").rule == "ap.react.one-per-threat"
    assert refused(enc, "Vex", "dash", trigger="a beam falls").rule == "ap.react.one-per-threat"
    assert refused(enc, "Vex", "dash", trigger=" A beam  falls ").rule == "ap.react.one-per-threat"
    enc.do("Vex", "evade", trigger="another beam falls")
    enc.end_turn()
    enc.end_turn()
    enc.do("Vex", "evade", trigger="a beam falls")
    assert points(enc, "Vex") == [0]


@pytest.mark.rule("ap.react.attempt-counts")
def test_a_failed_attempt_counts() -> None:
    enc = fight(Mara={"attack_bonus": 5}, Vex={"defense": 10, "hp": 20})
    enc.do("Mara", "attack", target="Vex", damage=6, rolls=[9])
    enc.do("Vex", "parry", outcome="failed")
    assert last(log(enc), "fact").text == "fails, and can't try again"
    assert "ap.react.attempt-counts" in refused(enc, "Vex", "evade").rules
    enc.resolve()
    assert (enc["Vex"].values["hp"], points(enc, "Vex")) == (14, [2])


@pytest.mark.rule("ap.react.purpose", "ap.multi.resolve-reactions-first")
def test_a_reaction_that_succeeds_counters_the_action_before_it_resolves() -> None:
    enc = fight(Mara={"attack_bonus": 5}, Vex={"defense": 10, "hp": 20})
    enc.do("Mara", "attack", target="Vex", damage=6, rolls=[9])
    enc.do("Vex", "parry", outcome="foiled")
    events = enc.resolve()
    assert last(events, "stopped").text.startswith("is foiled: ")
    assert [e for e in events if e.kind in ("attack", "damage")] == []
    assert (enc["Vex"].values["hp"], points(enc, "Mara", "Vex")) == (20, [2, 2])


@pytest.mark.rule("ap.react.purpose")
def test_who_foils_an_attack_at_several_spares_itself() -> None:
    enc = fight(Mara={"attack_bonus": 5}, Vex={"defense": 10, "hp": 20}, Ilya={"defense": 10, "hp": 20})
    enc.do("Mara", "attack", target=["Vex", "Ilya"], damage=6, rolls=[9])
    enc.do("Vex", "evade", outcome="foiled")
    enc.resolve()
    assert (enc["Vex"].values["hp"], enc["Ilya"].values["hp"]) == (20, 14)


@pytest.mark.rule("ap.react.any-number", "ap.react.needs-ap")
def test_any_number_of_reactions_while_points_are_left() -> None:
    enc = fight(Mara={"ap": 5}, Vex={"ap": 2})
    for left in (1, 0):
        enc.do("Mara", "attack", target="Vex")
        enc.do("Vex", "evade", outcome="failed")
        enc.resolve()
        assert points(enc, "Vex") == [left]
    enc.do("Mara", "attack", target="Vex")
    assert offered(enc) == ["Ilya"]
    ruling = refused(enc, "Vex", "evade")
    assert (ruling.rule, ruling.reason) == ("ap.react.needs-ap", "Takes 1 AP; Vex has 0 until the next round.")
    enc.resolve()
    assert refused(enc, "Vex", "evade", trigger="a beam falls").rule == "ap.react.needs-ap"


@pytest.mark.rule("ap.react.needs-ap")
def test_reactions_draw_on_the_pool_of_the_turn() -> None:
    enc = fight()
    through(enc, "Mara", "attack", target="Vex")
    enc.end_turn()
    enc.do("Vex", "attack", target="Mara")
    enc.do("Mara", "parry", outcome="failed")
    enc.resolve()
    assert points(enc, "Mara", "Vex") == [1, 2]
    to(enc, "Mara", 2)
    enc.do("Mara", "dash")
    enc.do("Mara", "dash")
    enc.do("Mara", "dash")
    enc.end_turn()
    enc.do("Vex", "attack", target="Mara")
    assert refused(enc, "Mara", "parry").rule == "ap.react.needs-ap"


@pytest.mark.rule("ap.react.needs-ap")
def test_a_window_opens_only_if_somebody_can_answer() -> None:
    enc = fight(Vex={"ap": 0}, Ilya={"ap": 0})
    events = enc.do("Mara", "attack", target="Vex")
    assert [e.kind for e in events] == ["action"]
    assert enc.pending == ()
    enc = fight(Vex={"ap": 0}, Ilya={"ap": 1})
    enc.condition("Ilya", "unconscious")
    enc.do("Mara", "attack", target="Vex")
    assert enc.pending == ()


@pytest.mark.rule("ap.secondary.as-reaction-rules")
def test_a_secondary_action_used_to_react_is_the_attempt() -> None:
    enc = fight()
    enc.do("Mara", "attack", target="Vex")
    enc.do("Vex", "dash")
    assert refused(enc, "Vex", "parry").rule == "ap.react.one-per-threat"
    ruling = refused(enc, "Vex", "hide")
    assert ruling.rule == "ap.react.one-per-threat"
    assert "ap.secondary.as-reaction-rules" in ruling.rules
    assert points(enc, "Vex") == [2]


@pytest.mark.rule("ap.secondary.as-reaction-rules", "ap.react.aware", "ap.react.needs-ap")
def test_awareness_and_points_bind_a_secondary_action_that_reacts() -> None:
    enc = fight(Ilya={"ap": 0})
    enc.do("Mara", "attack", target="Vex", unaware=["Vex"])
    assert enc.pending == ()
    enc = fight(Ilya={"ap": 0})
    enc.do("Mara", "attack", target="Vex")
    assert refused(enc, "Ilya", "dash").rule == "ap.react.needs-ap"


@pytest.mark.rule("ap.multi.resolve-reactions-first")
def test_a_threat_that_has_been_resolved_is_past() -> None:
    enc = fight()
    enc.do("Mara", "attack", target="Vex")
    threat = enc.pending[0].threat
    assert [c.value for c in enc.choices("Vex", "parry") if c.param == "threat"] == [threat]
    ruling = refused(enc, "Vex", "parry", threat=threat + 1)
    assert ruling.rule == "ap.multi.resolve-reactions-first"
    assert ruling.reason == "That can't be reacted to now, only this: Mara attacks Vex."
    enc.do("Vex", "parry", threat=threat, outcome="failed")
    enc.resolve()
    assert refused(enc, "Vex", "parry", threat=threat + 1).reason == "That can't be reacted to now."
    ruling = refused(enc, "Vex", "parry", threat=threat, trigger="that attack")
    assert ruling.rule == "ap.react.one-per-threat"
    assert "ap.multi.resolve-reactions-first" in ruling.rules


@pytest.mark.rule("ap.multi.resolve-reactions-first")
def test_the_attack_resolves_after_the_reactions_to_it_and_may_come_to_nothing_by_them() -> None:
    enc = fight(Mara={"attack_bonus": 5, "hp": 5}, Vex={"attack_bonus": 9, "defense": 10, "hp": 20})
    enc.do("Mara", "attack", target="Vex", damage=6, rolls=[9])
    events = enc.do("Vex", "counter_attack", damage=5, rolls=[12])
    assert enc["Mara"].values["hp"] == 0
    assert last(events, "stopped").actor == "Mara"
    assert enc["Vex"].values["hp"] == 20


@pytest.mark.rule("ap.react.purpose")
def test_a_counter_attack_strikes_whom_it_answers_unless_told_otherwise() -> None:
    enc = fight(Mara={"defense": 12, "hp": 9}, Vex={"attack_bonus": 4})
    enc.do("Mara", "attack", target="Vex")
    ruling = enc.can("Vex", "counter_attack")
    assert (ruling.notation, ruling.needed) == ("1d20+4", 12)
    events = enc.do("Vex", "counter_attack", damage=3, rolls=[8])
    strike = last(events, "attack")
    assert (strike.target, strike.amount, strike.data["outcome"]) == ("Mara", 12, "hit")
    assert enc["Mara"].values["hp"] == 6
    assert next((e.target, e.text) for e in events if e.kind == "action") == ("Mara", "counter-attacks Mara")


@pytest.mark.rule("ap.secondary.when")
def test_a_spell_cast_as_a_reaction_strikes_whom_it_is_aimed_at_and_else_nobody() -> None:
    enc = fight(Mara={"defense": 12}, Vex={"attack_bonus": 4})
    for aim in (None, "Mara"):
        enc.do("Mara", "attack", target="Vex")
        events = enc.do("Vex", "cast_magic", target=aim)
        assert [event.target for event in events if event.kind == "attack"] == [aim] * (aim is not None)
        enc.resolve()


@pytest.mark.rule("ap.react.one-per-threat")
@pytest.mark.parametrize("actions", ["ours", "book"])
def test_a_counter_attack_answers_one_of_several_who_did_it(actions: str) -> None:
    people = {"Ilya": 14, "Vex": 12, "Ossik": 10}
    enc = fight(people, options={"actions": actions}, Ilya={"attack_bonus": 5}, Vex={"defense": 9})
    enc.trigger("Ossik", "Vex", text="rush in", offers=["counter_attack"])
    ruling = enc.can("Ilya", "counter_attack")
    assert (ruling.allowed, ruling.reason) == (False, "Counter-attack needs a target: Vex or Ossik.")
    events = enc.do("Ilya", "counter_attack", target="Vex")
    assert [event.target for event in events if event.kind == "attack"] == ["Vex"]


@pytest.mark.rule("ap.react.purpose")
def test_the_gm_may_let_somebody_react_who_may_not_and_it_is_logged() -> None:
    enc = fight(Vex={"ap": 0})
    enc.do("Mara", "attack", target="Vex")
    events = enc.do("Vex", "parry", override=True)
    assert "ap.react.needs-ap" in last(events, "action").data["overruled"]
    assert points(enc, "Vex") == [0]


def test_undo_takes_a_reaction_back_with_its_point_and_its_attempt() -> None:
    enc = fight()
    enc.do("Mara", "attack", target="Vex")
    enc.do("Vex", "parry", outcome="failed")
    enc.undo()
    assert points(enc, "Vex") == [3]
    assert enc.can("Vex", "evade").allowed


def test_attempts_are_forgotten_with_the_round() -> None:
    enc = fight()
    for _ in range(3):
        enc.do("Mara", "attack", target="Vex")
        enc.do("Vex", "parry", outcome="failed")
        enc.resolve()
    assert len(enc._state.fighters["Vex"].pools) == 5
    to(enc, "Mara", 2)
    assert set(enc._state.fighters["Vex"].pools) == {"ap", "off"}


def test_the_history_counts_a_secondary_action_off_turn_as_a_reaction() -> None:
    enc = fight()
    enc.do("Mara", "attack", target="Vex")
    enc.do("Vex", "dash")
    enc.resolve()
    rounds = {row["combatant"]: row for row in enc.history.rounds.to_dicts()}
    assert (rounds["Vex"]["actions"], rounds["Vex"]["reactions"]) == (0, 1)
    assert (rounds["Mara"]["actions"], rounds["Mara"]["reactions"]) == (1, 0)
    assert (rounds["Vex"]["budget_total"], rounds["Vex"]["budget_spent"]) == (3, 1)


def test_an_unknown_reactor_is_named() -> None:
    enc = fight()
    with pytest.raises(ck.UnknownName, match="Vex"):
        enc.do("Mara", "attack", target="Vexx")


@pytest.mark.rule("ap.react.needs-ap")
def test_a_reaction_that_costs_nothing_still_takes_somebody_with_points_left() -> None:
    flinch = {"id": "flinch", "title": "Flinch", "type": "reaction", "cost": 0}
    glance = {"id": "glance", "title": "Glance", "type": "secondary", "cost": 0}
    enc = fight(rows=[flinch, glance])
    assert enc.can("Vex", "flinch", trigger="a beam falls").allowed
    for threat in ("a dart", "a spear", "a net"):
        enc.do("Vex", "evade", trigger=threat)
    for action in ("flinch", "glance"):
        ruling = refused(enc, "Vex", action, trigger="a beam falls")
        assert ruling.rule == "ap.react.needs-ap"
        assert ruling.reason == "You can react only while you have AP left; Vex has 0 until the next round."
    enc.do("Mara", "attack", target="Vex")
    assert "Vex" not in offered(enc)


# ── whether a reaction works, which no roll tells ──


@pytest.mark.rule("ap.react.purpose")
@pytest.mark.parametrize(("answer", "hp"), [("foiled", 20), ("failed", 14)])
@pytest.mark.parametrize("actions", ["ours", "book"])
def test_the_gm_is_asked_whether_a_reaction_foils_what_it_answers(actions: str, answer: str, hp: int) -> None:
    people: dict[str, Any] = {"Mara": {"attack_bonus": 5}, "Vex": {"defense": 10, "hp": 20}}
    enc = fight(options={"actions": "book"} if actions == "book" else {}, **people)
    enc.do("Mara", "attack", target="Vex", damage=6, rolls=[9])
    enc.do("Vex", "parry")
    (offer,) = enc.pending
    assert (offer.who, offer.choices, offer.must) == ("GM", ("failed", "foiled"), True)
    assert offer.about == "Mara attacks Vex. Vex parries: does that foil it?"
    calls: tuple[Callable[[], object], ...] = (enc.resolve, enc.end_turn, lambda: enc.do("Ilya", "evade"))
    for call in calls:
        with pytest.raises(ck.IllegalAction, match=r"The GM must answer first"):
            call()
    enc.resolve(answer=answer)
    while enc.pending:
        enc.resolve()
    assert (enc["Vex"].values["hp"], points(enc, "Mara", "Vex")) == (hp, [2, 2])


def test_the_gm_is_asked_of_each_who_answers_and_others_still_may() -> None:
    enc = fight(Mara={"attack_bonus": 5}, Vex={"defense": 10, "hp": 20}, Ilya={"defense": 10, "hp": 20})
    enc.do("Mara", "attack", target=["Vex", "Ilya"], damage=6, rolls=[9, 9])
    enc.do("Vex", "evade")
    enc.resolve(answer="foiled")
    assert offered(enc) == ["Ilya"]
    enc.do("Ilya", "parry")
    enc.undo()
    enc.redo()
    enc.resolve(answer="failed")
    assert not enc.pending
    assert (enc["Vex"].values["hp"], enc["Ilya"].values["hp"]) == (20, 14)


def test_nobody_is_asked_where_nothing_is_foiled() -> None:
    enc = fight(Vex={"attack_bonus": 5}, Mara={"hp": 20, "defense": 9})
    enc.do("Vex", "evade", trigger="a beam falls")
    assert not enc.pending
    enc.do("Mara", "attack", target="Vex")
    enc.do("Vex", "counter_attack", damage=3, rolls=[9])
    assert [offer.who for offer in enc.pending] == ["Ilya"], "a blow comes out by its roll"


def test_the_question_is_moot_once_whoever_answered_can_do_nothing_more() -> None:
    enc = fight(Mara={"attack_bonus": 5}, Vex={"defense": 10, "hp": 20})
    enc.do("Mara", "attack", target="Vex", damage=6, rolls=[9])
    enc.do("Vex", "parry")
    enc.condition("Vex", "unconscious")
    assert "GM" not in [offer.who for offer in enc.pending]
    while enc.pending:
        enc.resolve()
    assert enc["Vex"].values["hp"] == 14


def test_the_question_is_moot_once_what_is_answered_can_go_no_further() -> None:
    enc = fight(Mara={"attack_bonus": 5}, Vex={"defense": 10, "hp": 20})
    enc.do("Mara", "attack", target="Vex", damage=6, rolls=[9])
    enc.do("Vex", "parry")
    enc.condition("Mara", "unconscious")
    assert "GM" not in [offer.who for offer in enc.pending]
    while enc.pending:
        enc.resolve()
    assert enc["Vex"].values["hp"] == 20


def test_a_coup_de_grace_rolls_nothing_and_takes_no_modifiers() -> None:
    enc = fight(options={"actions": "book"}, Mara={"attack_bonus": 5}, Vex={"defense": 10, "hp": 20})
    enc.condition("Vex", "unconscious")
    ruling = enc.can("Mara", "coup_de_grace", target="Vex")
    assert (ruling.allowed, ruling.notation, ruling.needed) == (True, None, None)
    with pytest.raises(ck.InvalidInput, match="nothing is rolled for it"):
        enc.can("Mara", "coup_de_grace", target="Vex", modifiers={"attack": 2})


@pytest.mark.rule("ap.primary.own-turn", "ap.secondary.when")
def test_what_an_action_lacks_is_not_refused_by_the_rule_of_its_type() -> None:
    enc = fight(options={"actions": "book"})
    assert enc.can("Mara", "stand_up").rules == ("ap.book.stand",)
    assert enc.can("Mara", "arise").rules == ("ap.book.arise",)
    assert fight().can("Mara", "arise").rules == (), "no rule of the source says so"


@pytest.mark.rule("ap.react.purpose")
def test_what_is_foiled_leaves_nothing_to_ward_off() -> None:
    """Others may still strike back or do something else, but nobody is asked to parry what has been parried."""
    enc = fight()
    enc.do("Mara", "attack", target="Vex")
    enc.do("Vex", "parry", outcome="foiled")
    assert offered(enc) == ["Ilya"]
    assert {"parry", "evade", "resist"}.isdisjoint(enc.pending[0].actions)
    assert "counter_attack" in enc.pending[0].actions
    ruling = refused(enc, "Ilya", "evade")
    assert (ruling.rule, ruling.reason) == ("ap.react.purpose", "Vex foiled it; there is nothing left to ward off.")


@pytest.mark.rule("ap.react.purpose")
@pytest.mark.parametrize("outcome", ["foiled", "failed"])
def test_who_could_only_ward_off_is_not_asked_once_it_is_foiled(outcome: str) -> None:
    enc = fight(surprised=["Ilya"])
    enc.edit("Ilya", uses={"counter_attack": 0})
    enc.do("Mara", "attack", target="Vex", outcome="hit", damage=1)
    enc.do("Vex", "parry")
    enc.resolve(answer=outcome)
    assert offered(enc) == ([] if outcome == "foiled" else ["Ilya"])


@pytest.mark.rule("ap.react.purpose")
def test_somebody_else_foils_a_spell_for_all_whoever_has_foiled_it_for_themselves() -> None:
    enc = fight({"Mara": 14, "Vex": 12, "Ossik": 11, "Dray": 10})
    enc.do("Mara", "cast_magic", target=["Vex", "Ossik"], damage=4)
    enc.do("Vex", "evade", outcome="foiled")
    assert "evade" in enc.pending[0].actions
    enc.do("Dray", "parry", outcome="foiled")
    assert "evade" not in enc.pending[0].actions
    enc.resolve()
    assert last(log(enc), "stopped").text == "is foiled: Vex evades and Dray parries"
