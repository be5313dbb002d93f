"""Saga Edition: readied actions."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.table import counts, fight, holds, last, left, order, refused, to_round, turns

THREE = {"Mara": 20, "Vex": 15, "Ossik": 10}
WHEN_VEX_MOVES = {"actor": "Vex", "action": "move"}


def readied(trigger: Any = None, *, who: str = "Mara", action: str = "aid_another", **options: Any) -> ck.Encounter:
    """Mara (20), Vex (15) and Ossik (10); one of them has readied an action and ended the turn."""
    enc = fight(THREE, options=options or None)
    to_round(enc, 1, who)
    enc.do(who, "ready", action=action, trigger=trigger or WHEN_VEX_MOVES)
    enc.end_turn()
    return enc


@pytest.mark.parametrize(
    ("trigger", "told"),
    [
        ({"text": "the door opens"}, "the door opens"),
        ({"actor": "Vex", "text": "draws a blaster"}, "Vex draws a blaster"),
        ({"actor": "Vex", "target": "Mara"}, "Vex does something to Mara"),
        ({"target": "Mara", "text": "it burns"}, "somebody does something to Mara: it burns"),
        ({"actor": "Vex", "action": "move", "text": "to the door"}, "Vex moves in any way: to the door"),
    ],
)
def test_what_somebody_waits_for_is_told_in_words(trigger: dict[str, str], told: str) -> None:
    enc = fight(THREE)
    assert (
        enc.do("Mara", "ready", action="aid_another", trigger=trigger)[-1].text
        == f"readies an action (aid another): {told}"
    )


@pytest.mark.rule("saga.ready.standard", "saga.std.ex.ready")
def test_readying_costs_a_standard_action() -> None:
    enc = fight(THREE)
    assert enc.can("Mara", "ready", action="move", trigger="the door opens").cost == "Standard"
    enc.do("Mara", "ready", action="move", trigger="the door opens")
    assert left(enc, "Mara") == {"standard": 0, "move": 1, "swift": 1, "reaction": 1, "aoo": 0}
    assert refused(enc, "Mara", "attack", target="Vex").rule == "saga.std.one"


@pytest.mark.rule("saga.ready.standard")
def test_readying_is_refused_once_the_standard_action_is_gone() -> None:
    enc = fight(THREE)
    enc.do("Mara", "aid_another")
    assert refused(enc, "Mara", "ready", action="move", trigger="the door opens").rule == "saga.std.one"


@pytest.mark.rule("saga.ready.specify-action")
def test_the_action_is_named_when_readying() -> None:
    enc = fight(THREE)
    wanting = refused(enc, "Mara", "ready", trigger="the door opens")
    rule = "saga.ready.specify-action"
    assert (wanting.reason, wanting.rule, wanting.rules) == ("Say what Mara readies.", rule, (rule,))
    events = enc.do("Mara", "ready", trigger="the door opens", action="move")
    assert "saga.ready.specify-action" in next(e for e in events if e.kind == "action").rules


@pytest.mark.rule("saga.ready.specify-trigger")
def test_the_circumstances_are_named_when_readying() -> None:
    enc = fight(THREE)
    wanting = refused(enc, "Mara", "ready", action="move")
    assert (wanting.reason, wanting.rules) == ("Say what Mara waits for.", ("saga.ready.specify-trigger",))
    events = enc.do("Mara", "ready", action="move", trigger="the door opens")
    assert "saga.ready.specify-trigger" in next(e for e in events if e.kind == "action").rules
    condition = next(c for c in enc["Mara"].conditions if c.id == "readied")
    assert (condition.value["action"], condition.value["trigger"]) == ("move", "the door opens")


@pytest.mark.rule("saga.ready.specify-action")
@pytest.mark.parametrize("action", ["aid_another", "move", "talent_or_power", "speak"])
def test_standard_move_swift_and_free_actions_may_be_readied(action: str) -> None:
    enc = fight(THREE)
    enc.do("Mara", "ready", action=action, trigger=WHEN_VEX_MOVES)
    enc.end_turn()
    enc.do("Vex", "move")
    events = enc.do("Mara", "use_readied")
    assert [e.action for e in events if e.kind == "action"] == ["use_readied", action]


@pytest.mark.rule("saga.ready.specify-action")
@pytest.mark.parametrize("action", ["run", "full_attack", "attack_of_opportunity", "ready", "delay", "act_now"])
def test_full_round_actions_reactions_and_ways_of_waiting_may_not_be_readied(action: str) -> None:
    enc = fight(THREE)
    ruling = refused(enc, "Mara", "ready", action=action, trigger=WHEN_VEX_MOVES)
    assert ruling.rule == "saga.ready.specify-action"
    choices = {c.value: c.ruling.allowed for c in enc.choices("Mara", "ready") if c.param == "action"}
    assert choices[action] is False
    assert choices["aid_another"] is True


@pytest.mark.rule("saga.ready.specify-action", "saga.full.ex.charge", "saga.free.ex.drop")
def test_what_may_be_readied_follows_what_it_costs() -> None:
    published = fight(THREE, options={"charge": "standard", "drop_item": "swift"})
    for action in ("charge", "drop_item"):
        assert published.can("Mara", "ready", action=action, trigger=WHEN_VEX_MOVES).allowed
    assert not fight(THREE).can("Mara", "ready", action="charge", trigger=WHEN_VEX_MOVES).allowed


@pytest.mark.rule("saga.ready.outside-turn")
def test_the_readied_action_comes_in_the_middle_of_the_turn_that_triggers_it() -> None:
    enc = readied()
    events = enc.do("Vex", "move")
    assert [(o.who, o.actions, o.targets) for o in enc.pending] == [("Mara", ("use_readied",), ("Vex",))]
    assert enc.active == "Vex"
    assert [e.kind for e in events] == ["action", "window"]
    enc.do("Mara", "use_readied")
    assert enc.active == "Vex"
    assert left(enc, "Vex")["standard"] == 1, "Vex goes on with the turn"


@pytest.mark.rule("saga.ready.outside-turn", "saga.react.outside-turn")
def test_nothing_readied_is_used_in_ones_own_turn() -> None:
    enc = fight(THREE, Vex={"hp": 20})
    enc.do("Mara", "ready", action="aid_another", trigger={"actor": "Vex"})
    enc.do("Vex", "attack_of_opportunity", target="Mara", trigger="draws a bow")
    assert enc.pending == (), "Vex acts, but it is Mara's own turn"
    assert not enc.can("Mara", "use_readied", trigger="Vex strikes").allowed


@pytest.mark.rule("saga.ready.optional", "saga.ready.count-only-if-used")
def test_declining_keeps_the_action_the_reaction_and_the_count() -> None:
    enc = readied()
    enc.do("Vex", "move")
    assert "saga.ready.optional" in enc.can("Mara", "use_readied").rules
    events = enc.resolve()
    assert [(e.actor, e.text) for e in events if e.kind == "answer"] == [("Mara", "lets it go")]
    assert counts(enc) == [("Mara", 20), ("Vex", 15), ("Ossik", 10)]
    assert left(enc, "Mara")["reaction"] == 1
    enc.do("Vex", "move")
    assert [o.who for o in enc.pending] == ["Mara"], "still readied for the next time"


@pytest.mark.rule("saga.ready.count-only-if-used")
def test_no_trigger_leaves_the_count() -> None:
    enc = readied()
    to_round(enc, 3)
    assert counts(enc) == [("Mara", 20), ("Vex", 15), ("Ossik", 10)]


@pytest.mark.rule("saga.ready.uses-reaction", "saga.react.ex.readied")
def test_using_it_spends_the_reaction_of_the_round() -> None:
    enc = readied()
    enc.do("Vex", "move")
    assert enc.can("Mara", "use_readied").cost == "Reaction"
    enc.do("Mara", "use_readied")
    assert left(enc, "Mara")["reaction"] == 0
    ruling = refused(enc, "Mara", "attack_of_opportunity", target="Vex", trigger="moves past")
    assert ruling.rule == "saga.react.one"


@pytest.mark.rule("saga.ready.uses-reaction")
def test_used_in_the_next_round_it_spends_the_reaction_of_that_round() -> None:
    enc = readied(who="Ossik")
    enc.do("Ossik", "attack_of_opportunity", target="Mara", trigger="moves past") if enc.active == "Mara" else None
    assert enc.clock.round == 2
    assert left(enc, "Ossik")["reaction"] == 0
    enc.end_turn()
    enc.do("Vex", "move")
    assert enc.pending == (), "no reaction left in round 2"


@pytest.mark.rule("saga.ready.needs-reaction")
def test_without_a_reaction_left_the_readied_action_cannot_be_used() -> None:
    enc = readied()
    enc.do("Mara", "attack_of_opportunity", target="Vex", trigger="draws a bow")
    enc.do("Vex", "move")
    assert enc.pending == (), "a window opens only if somebody can answer"
    assert refused(enc, "Mara", "use_readied", trigger="Vex moves").rule == "saga.ready.needs-reaction"


@pytest.mark.rule("saga.ready.needs-reaction", "saga.react.reflexes-aoo-only")
def test_extra_opportunities_do_not_serve_a_readied_action() -> None:
    enc = fight(THREE, Mara={"dex": 3, "feats": ["Combat Reflexes"]})
    enc.do("Mara", "ready", action="aid_another", trigger=WHEN_VEX_MOVES)
    enc.end_turn()
    enc.do("Mara", "talent_reaction", trigger="Vex aims")
    assert left(enc, "Mara") == {"standard": 0, "move": 1, "swift": 1, "reaction": 0, "aoo": 3}
    enc.do("Vex", "move")
    assert enc.pending == ()


@pytest.mark.rule("saga.ready.count-moves")
def test_using_it_moves_the_count_to_just_before_the_triggerer() -> None:
    enc = readied()
    enc.do("Vex", "move")
    enc.do("Mara", "use_readied")
    assert counts(enc) == [("Mara", 15), ("Vex", 15), ("Ossik", 10)]
    assert "saga.ready.count-moves" in enc.order[0].why
    to_round(enc, 2)
    assert turns(enc, 3) == ["Mara", "Vex", "Ossik"]


@pytest.mark.rule("saga.ready.count-moves")
def test_the_new_place_is_just_before_the_triggerer_and_behind_those_ahead_of_it() -> None:
    enc = fight({"Mara": 20, "Bo": 15, "Vex": 15, "Ossik": 10}, Bo={"dex": 2}, Vex={"dex": 1})
    enc.do("Mara", "ready", action="aid_another", trigger=WHEN_VEX_MOVES)
    turns(enc, 2)
    enc.do("Vex", "move")
    enc.do("Mara", "use_readied")
    assert counts(enc) == [("Bo", 15), ("Mara", 15), ("Vex", 15), ("Ossik", 10)]


@pytest.mark.rule("saga.ready.count-moves", "saga.round.one-turn-each")
def test_used_past_the_rounds_edge_it_moves_up_and_takes_that_rounds_turn() -> None:
    enc = readied(who="Ossik")
    turns(enc, 1)
    assert (enc.clock.round, enc.active) == (2, "Vex")
    enc.do("Vex", "move")
    enc.do("Ossik", "use_readied")
    assert counts(enc) == [("Mara", 20), ("Ossik", 15), ("Vex", 15)]
    assert turns(enc, 4) == ["Vex", "Mara", "Ossik", "Vex"], "no turn for Ossik in round 2, first before Vex in round 3"


@pytest.mark.rule("saga.ready.count-moves")
def test_a_reaction_can_trigger_it_and_the_one_who_reacts_is_the_triggerer() -> None:
    enc = readied({"actor": "Ossik", "action": "talent_reaction"})
    enc.do("Ossik", "talent_reaction", trigger="moves past")
    assert (enc.pending[0].who, enc.pending[0].targets) == ("Mara", ("Ossik",)), "the window on top"
    enc.do("Mara", "use_readied")
    assert counts(enc) == [("Vex", 15), ("Mara", 10), ("Ossik", 10)]
    assert enc.pending == (), "and with it closes what the reaction had opened"
    assert enc.active == "Vex"


@pytest.mark.rule("saga.ready.count-moves", "saga.round.one-turn-each")
def test_who_steps_before_one_whose_turn_is_still_to_come_has_theirs_before_it() -> None:
    enc = fight(THREE | {"Mara": 15, "Vex": 20})
    turns(enc, 2)
    enc.do("Ossik", "ready", action="aid_another", trigger={"actor": "Mara", "action": "talent_reaction"})
    enc.end_turn()
    assert (enc.clock.round, enc.active) == (2, "Vex")
    enc.do("Mara", "talent_reaction", trigger="moves past")
    events = enc.do("Ossik", "use_readied")
    assert [e.text for e in events if e.kind == "turn_lost"] == []
    assert turns(enc, 4) == ["Vex", "Ossik", "Mara", "Vex"]


@pytest.mark.rule("saga.ready.count-only-if-used")
def test_where_nobody_triggers_it_there_is_no_place_to_move_to() -> None:
    enc = readied("the trap springs")
    enc.trigger(text="the trap springs")
    offers = [(offer.who, offer.rule) for offer in enc.pending]
    assert offers == [("Mara", "saga.react.ex.readied")], "nobody has an opening for an attack"
    enc.do("Mara", "use_readied")
    assert counts(enc) == [("Mara", 20), ("Vex", 15), ("Ossik", 10)]


@pytest.mark.rule("saga.ready.lapse-open")
def test_option_ready_lapses() -> None:
    lapsing = readied()
    to_round(lapsing, 2, "Mara")
    assert "readied" not in holds(lapsing, "Mara")
    lapsed = next(e for e in lapsing.at(last(lapsing))._events if e.kind == "effect_end")
    assert "saga.ready.lapse-open" in lapsed.rules
    begun = next(e for e in lapsing.at(last(lapsing))._events if e.kind == "effect")
    assert begun.rules == ("saga.ready.specify-action", "saga.ready.specify-trigger"), "nothing has lapsed yet"
    lasting = readied(ready_lapses="never")
    to_round(lasting, 3, "Vex")
    lasting.do("Vex", "move")
    assert [o.who for o in lasting.pending] == ["Mara"]
    lasting.do("Mara", "use_readied")
    assert "readied" not in holds(lasting, "Mara"), "used up"


@pytest.mark.rule("saga.ready.specify-trigger")
def test_a_trigger_in_text_never_gets_in_the_way() -> None:
    enc = readied("the door opens")
    enc.do("Vex", "move")
    assert [o.who for o in enc.pending] == ["Mara"]
    enc.do("Vex", "aid_another")
    assert [o.who for o in enc.pending] == ["Mara"], "the move went on, the next one asks again"
    enc.end_turn()
    assert (enc.active, enc.pending) == ("Ossik", ())
    assert counts(enc)[0] == ("Mara", 20)


@pytest.mark.rule("saga.ready.specify-trigger")
def test_a_trigger_in_text_is_answered_when_it_happens() -> None:
    enc = readied("the door opens")
    enc.do("Vex", "open_or_close_door")
    enc.do("Mara", "use_readied")
    enc.end_turn()
    assert enc.active == "Ossik"
    assert order(enc) == ["Mara", "Vex", "Ossik"]


@pytest.mark.rule("saga.ready.specify-trigger")
def test_a_trigger_in_text_asks_at_no_free_action_and_at_none_of_ones_own() -> None:
    enc = readied("the door opens")
    enc.do("Vex", "speak")
    assert enc.pending == ()
    enc = fight(THREE)
    enc.do("Mara", "ready", action="aid_another", trigger="the door opens")
    enc.do("Mara", "move")
    assert enc.pending == ()


@pytest.mark.rule("saga.ready.specify-trigger")
@pytest.mark.parametrize("call", ["adjust", "condition", "place", "join", "next_round", "trigger"])
def test_any_other_call_lets_a_soft_window_pass(call: str) -> None:
    enc = readied("the door opens")
    enc.do("Vex", "move")
    match call:
        case "adjust":
            enc.adjust("Vex", by=-3)
        case "condition":
            enc.condition("Vex", "prone")
        case "place":
            enc.place("Ossik", at="the gantry")
        case "join":
            enc.join("Tam", side="rebels", rolls={"Tam": 3})
        case "next_round":
            enc.next_round()
        case "trigger":
            enc.trigger("Vex", text="a crate falls", to="Mara")
            assert [o.who for o in enc.pending] == ["Mara"]
            enc.resolve()
    assert enc.pending == ()
    assert ("Mara", "lets it go") in [(e.actor, e.text) for e in enc.at(last(enc))._events]


@pytest.mark.rule("saga.ready.specify-trigger")
def test_a_mapping_holds_everybody_up_until_answered() -> None:
    enc = readied()
    enc.do("Vex", "move")
    assert "Waiting for Mara: answer or let it go." in refused(enc, "Vex", "aid_another").reason
    before = enc.digest
    for call in (enc.end_turn, enc.next_round):
        with pytest.raises(ck.IllegalAction, match="Waiting for Mara"):
            call()
    assert enc.digest == before
    enc.resolve()
    assert enc.can("Vex", "aid_another").allowed


@pytest.mark.rule("saga.ready.specify-trigger")
@pytest.mark.parametrize(
    ("trigger", "fits"),
    [
        ({"actor": "Vex"}, True),
        ({"actor": "Ossik"}, False),
        ({"side": "empire"}, True),
        ({"side": "rebels"}, False),
        ({"action": "attack"}, True),
        ({"action": "move"}, False),
        ({"target": "Ossik"}, True),
        ({"target": "Mara"}, False),
        ({"actor": "Vex", "target": "Mara"}, False),
        ({"actor": "Vex", "action": "attack", "target": "Ossik", "text": "as he did before"}, True),
    ],
)
def test_a_mapping_fits_by_actor_side_action_and_target(trigger: dict[str, str], fits: bool) -> None:
    enc = readied(trigger)
    enc.do("Vex", "attack", target="Ossik")
    assert bool(enc.pending) is fits


@pytest.mark.rule("saga.ready.specify-trigger")
def test_a_mapping_may_name_a_tag_and_a_free_action() -> None:
    enc = readied({"action": "movement"})
    enc.do("Vex", "climb")
    assert [o.who for o in enc.pending] == ["Mara"]
    enc = readied({"actor": "Vex", "action": "speak"})
    enc.do("Vex", "speak")
    assert [o.who for o in enc.pending] == ["Mara"]


@pytest.mark.rule("saga.ready.outside-turn")
def test_what_the_readied_action_needs_may_be_given_when_it_is_used() -> None:
    enc = fight(THREE, Mara={"attack_bonus": 6}, Vex={"defense": 16, "hp": 20})
    enc.do("Mara", "ready", action="attack", trigger=WHEN_VEX_MOVES)
    enc.end_turn()
    enc.do("Vex", "move")
    assert enc.can("Mara", "use_readied").allowed
    events = enc.do("Mara", "use_readied", damage=8, rolls={"attack": 10})
    strike = next(e for e in events if e.kind == "attack")
    assert (strike.data["total"], strike.data["needed"], strike.data["outcome"]) == (16, 16, "hit")
    assert enc["Vex"].values["hp"] == 12


def test_a_window_that_is_open_says_who_is_asked_and_by_which_rule() -> None:
    enc = readied({"actor": "Vex", "action": "move"})
    enc.do("Vex", "move")
    ruling = refused(enc, "Vex", "attack", target="Mara")
    assert (ruling.rule, "Vex moves. Waiting for Mara" in ruling.reason) == (
        "saga.react.ex.readied",
        True,
    )
    enc.do("Mara", "use_readied")
    assert enc.can("Vex", "attack", target="Mara").allowed, "it closes with its last answer"


def test_a_readied_attack_is_not_aimed_at_a_friend_who_set_it_off() -> None:
    enc = fight({"Mara": 20, "Ilya": 15, "Vex": 10})
    enc.do("Mara", "ready", action="attack", trigger={"actor": "Ilya", "action": "move"})
    enc.end_turn()
    enc.do("Ilya", "move")
    assert "needs a target" in refused(enc, "Mara", "use_readied").reason
    enc.do("Mara", "use_readied", target="Vex")


@pytest.mark.rule("saga.ready.outside-turn")
def test_the_target_may_be_named_when_readying_too() -> None:
    enc = fight(THREE, Vex={"hp": 20})
    enc.do("Mara", "ready", action="attack", trigger=WHEN_VEX_MOVES, target="Vex", damage=5)
    enc.end_turn()
    enc.do("Vex", "move")
    enc.do("Mara", "use_readied")
    assert enc["Vex"].values["hp"] == 15


@pytest.mark.rule("saga.ready.outside-turn")
def test_the_interrupted_action_comes_to_nothing_if_its_owner_falls() -> None:
    enc = readied()
    enc.do("Vex", "move")
    events = enc.condition("Vex", "unconscious")
    assert [(e.actor, e.action) for e in events if e.kind == "stopped"] == [("Vex", "move")]
    assert enc.active == "Vex"
    enc.end_turn()
    assert enc.active == "Ossik"


@pytest.mark.rule("saga.ready.outside-turn")
def test_dice_given_with_an_action_stay_with_it_through_the_window() -> None:
    enc = fight(THREE, Vex={"attack_bonus": 2}, Ossik={"defense": 14})
    enc.do("Mara", "ready", action="aid_another", trigger={"actor": "Vex", "action": "attack"})
    enc.end_turn()
    enc.do("Vex", "attack", target="Ossik", rolls={"attack": 12})
    events = enc.do("Mara", "use_readied")
    assert [(e.data["total"], e.data["outcome"]) for e in events if e.kind == "attack"] == [(14, "hit")]


@pytest.mark.rule("saga.ready.outside-turn")
def test_dice_may_be_given_as_the_window_closes() -> None:
    enc = fight(THREE, Vex={"attack_bonus": 2}, Ossik={"defense": 14})
    enc.do("Mara", "ready", action="aid_another", trigger={"actor": "Vex", "action": "attack"})
    enc.end_turn()
    enc.do("Vex", "attack", target="Ossik")
    events = enc.resolve(rolls={"attack": 11})
    assert [(e.data["total"], e.data["outcome"]) for e in events if e.kind == "attack"] == [(13, "miss")]


@pytest.mark.rule("saga.ready.lapse-open")
def test_readying_again_replaces_what_was_readied() -> None:
    enc = fight(THREE, options={"ready_lapses": "never"})
    enc.do("Mara", "ready", action="move", trigger="one")
    to_round(enc, 2, "Mara")
    enc.do("Mara", "ready", action="aid_another", trigger="two")
    kept = [c.value["trigger"] for c in enc["Mara"].conditions if c.id == "readied"]
    assert kept == ["two"]


@pytest.mark.rule("saga.ready.needs-reaction")
def test_one_without_a_reaction_or_anything_readied_is_told_so_before_being_asked_for_a_trigger() -> None:
    enc = fight({"Mara": 20, "Vex": 15, "Ossik": 10})
    assert refused(enc, "Vex", "use_readied").reason == "Vex has nothing readied."
    enc = readied("the door opens")
    enc.do("Mara", "talent_reaction", trigger="Vex shouts")
    assert left(enc, "Mara")["reaction"] == 0
    for given in ({}, {"trigger": "the door opens"}):
        assert "talent" in refused(enc, "Mara", "use_readied", **given).reason


@pytest.mark.rule("saga.ready.count-moves")
def test_a_turn_that_a_readied_action_takes_is_said_to_be_gone() -> None:
    enc = fight({"Mara": 20, "Vex": 15, "Ossik": 10})
    turns(enc, 1)
    enc.do("Vex", "ready", action="aid_another", target="Ossik", trigger="Mara moves")
    turns(enc, 2)
    assert (enc.clock.round, enc.active) == (2, "Mara")
    enc.do("Mara", "move")
    events = enc.do("Vex", "use_readied")
    (lost,) = [e for e in events if e.kind == "turn_lost"]
    assert (lost.actor, lost.rules) == ("Vex", ("saga.ready.count-moves",))
    assert lost.text == "uses up this round's turn by acting before Mara"
    enc.end_turn()
    assert enc.active == "Ossik"


@pytest.mark.rule("saga.ready.count-moves", "saga.round.one-turn-each")
def test_whoever_steps_before_one_who_has_had_the_turn_has_none_left_this_round() -> None:
    enc = fight({"Mara": 20, "Vex": 15, "Ossik": 10})
    turns(enc, 2)
    enc.do("Ossik", "ready", action="aid_another", trigger={"actor": "Mara", "action": "talent_reaction"})
    turns(enc, 2)
    assert (enc.clock.round, enc.active) == (2, "Vex")
    enc.do("Mara", "talent_reaction", trigger="moves past")
    events = enc.do("Ossik", "use_readied")
    assert [e.text for e in events if e.kind == "turn_lost"] == ["uses up this round's turn by acting before Mara"]
    assert counts(enc) == [("Ossik", 20), ("Mara", 20), ("Vex", 15)]
    assert turns(enc, 4) == ["Vex", "Ossik", "Mara", "Vex"]


def test_one_who_waits_for_a_charge_is_asked_before_it_and_not_again_as_it_strikes() -> None:
    enc = fight({"Mara": 20, "Vex": 10}, Mara={"at": (0, 5), "hp": 30}, Vex={"at": (0, 0)})
    enc.do("Mara", "ready", action="attack", trigger={"actor": "Vex", "action": "charge"})
    enc.end_turn()
    enc.do("Vex", "charge", target="Mara", to=(0, 4), rolls=[15], damage=3)
    assert [offer.who for offer in enc.pending] == ["Mara"]
    events = enc.resolve()
    assert enc.pending == ()
    assert [e.kind for e in events if e.kind in ("window", "move", "damage")] == ["move", "damage"]


def test_one_who_is_under_a_condition_is_asked_about_what_was_readied_once() -> None:
    enc = fight(THREE)
    enc.condition("Mara", "tired")
    enc.do("Mara", "ready", action="aid_another", trigger=WHEN_VEX_MOVES)
    enc.end_turn()
    enc.do("Vex", "move")
    assert [(offer.who, offer.actions) for offer in enc.pending] == [("Mara", ("use_readied",))]


@pytest.mark.rule("saga.ready.lapse-open")
def test_a_lapsed_ready_leads_to_the_rule_and_the_option_it_lapsed_by() -> None:
    enc = readied("the door opens")
    turns(enc, 2)
    enc.end_turn()
    ruling = refused(enc, "Mara", "use_readied", trigger="the door opens")
    assert (ruling.reason, ruling.rule) == ("What Mara had readied (aid another) has lapsed.", "saga.ready.lapse-open")
    never = refused(enc, "Ossik", "use_readied", trigger="the door opens")
    assert never.reason == "Ossik has nothing readied."
    assert "saga.ready.lapse-open" not in never.rules
    assert ck.ruleset("saga").options["ready_lapses"].rules == ("saga.ready.lapse-open",)


def test_only_those_who_wait_for_something_are_watched_for() -> None:
    enc = readied()
    assert list(enc._state.watchers) == ["Mara"]
    enc.do("Vex", "move")
    enc.do("Mara", "use_readied")
    assert list(enc._state.watchers) == []


@pytest.mark.rule("saga.swift.ex.secondwind", "saga.ready.specify-action", "saga.swift.one")
def test_a_readied_swift_action_counts_towards_a_second_wind_as_any_other() -> None:
    """The text asks for three swift actions, not for three turns, and lets a swift action be readied."""
    enc = fight({"Mara": 20, "Vex": 15, "Ossik": 10})
    enc.do("Mara", "second_wind")
    enc.do("Mara", "ready", action="second_wind", trigger={"actor": "Vex"})
    enc.end_turn()
    enc.do("Vex", "move")
    enc.do("Mara", "use_readied")
    assert enc["Mara"].progress["second_wind"] == ck.Progress(2, 3)
    assert left(enc, "Mara")["reaction"] == 0


@pytest.mark.parametrize("where", [{}, {"count": 5}])
def test_what_was_readied_uses_up_the_turn_that_somebody_delays(where: dict[str, Any]) -> None:
    enc = readied({"actor": "Vex", "action": "attack"}, action="attack", ready_lapses="never")
    to_round(enc, 2, "Mara")
    enc.do("Mara", "delay", **where)
    enc.do("Vex", "attack", target="Mara")
    events = enc.do("Mara", "use_readied", outcome="miss")
    assert [e.text for e in events if e.kind in ("turn_lost", "effect_end")][-1] == "is no longer delaying"
    assert "delayed" not in holds(enc, "Mara")
    assert [rung.status for rung in enc.order if rung.combatant == "Mara"] == ["acted"]
    assert refused(enc, "Mara", "act_now").reason == "Mara isn't delaying."
    assert turns(enc, 3) == ["Vex", "Ossik", "Mara"]


BLADE = {"weapons": [{"name": "blade", "damage": "2d6", "attack": 6, "range": "melee"}]}


def test_a_readied_blow_at_one_who_has_passed_by_says_how_it_could_have_been_struck() -> None:
    enc = fight({"Mara": 20, "Vex": 10}, Mara={"at": (0, 0), **BLADE}, Vex={"at": (0, 3)})
    enc.do("Mara", "ready", action="attack", target="Vex", trigger={"actor": "Vex", "action": "move"})
    enc.end_turn()
    enc.do("Vex", "move", to=[(0, 2), (0, 1), (1, 1), (2, 2), (3, 3)])
    enc.resolve()
    assert refused(enc, "Mara", "use_readied", trigger="Vex moves past").reason == (
        "Vex is 3 squares away; the blade reaches 1 square. "
        "If they were in reach before they moved: take the move back, call for reactions, then move."
    )
    enc = fight({"Mara": 20, "Vex": 10}, Mara={"at": (0, 0), **BLADE}, Vex={"at": (0, 3)})
    assert refused(enc, "Mara", "attack", target="Vex").reason == "Vex is 3 squares away; the blade reaches 1 square."


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("full_attack", "Vex makes a full attack on somebody"),
        ("grab", "Vex tries to grab somebody"),
        ("feint", "Vex feints at somebody"),
        ("area_attack", "Vex attacks the area of somebody"),
        ("charge", "Vex charges"),
    ],
)
def test_what_is_waited_for_says_somebody_where_its_verb_would_hang(action: str, told: str) -> None:
    enc = fight(THREE, options={"actions": "book"})
    happened = enc.do("Mara", "ready", action="move", trigger={"actor": "Vex", "action": action})
    assert happened[-1].text == f"readies an action (move): {told}"


def test_what_is_readied_without_its_way_asks_where_they_go() -> None:
    enc = fight({"Mara": 20, "Vex": 15}, Mara={"at": (0, 0)}, Vex={"at": (5, 5)})
    enc.do("Mara", "ready", action="move", trigger={"actor": "Vex", "action": "move"})
    enc.end_turn()
    enc.do("Vex", "move", to=(5, 6))
    assert refused(enc, "Mara", "use_readied").reason == "Say where Mara goes."


def test_a_free_action_is_called_so_where_nothing_can_be_paid_from_it() -> None:
    enc = fight({"Mara": 20, "Vex": 15})
    assert refused(enc, "Mara", "draw_weapon", pay="free").reason == "Draw weapon can't be paid from a free action."


def test_a_counter_set_by_hand_is_told_as_what_is_left() -> None:
    enc = fight({"Mara": 20, "Vex": 15}, Mara={"uses": {"grenade": 2, "stimpak": 1}})
    told = [enc.edit("Mara", uses={"grenade": left, "stimpak": 1})[0].text for left in (1, 0)]
    assert [text.partition(";")[0] for text in told] == [
        "now has 1 use of grenade left (had 2)",
        "now has no use of grenade left (had 1)",
    ]


@pytest.mark.rule("saga.ready.outside-turn", "saga.ready.optional")
@pytest.mark.parametrize("openings", ["asked", "leaving_reach"])
@pytest.mark.parametrize(
    ("way", "stop"),
    [
        ([(4, 0), (1, 0), (1, -1), (2, -2)], (1, 0)),  # beside Mara and on
        ((1, -1), (1, -1)),  # named by its end alone
        ([(4, 0), (3, 0)], None),  # never beside her
        ([(4, 0), (1, 0)], (1, 0)),  # there it ends
    ],
)
def test_a_readied_blow_is_offered_where_it_first_could_be_struck(
    way: object, stop: tuple[int, int] | None, openings: str
) -> None:
    enc = fight(
        {"Mara": 20, "Vex": 10},
        options={"openings": openings},
        Mara={"at": (0, 0), **BLADE},
        Vex={"at": (5, 0), "speed": 20},
    )
    enc.do("Mara", "ready", action="attack", target="Vex", trigger={"actor": "Vex", "action": "move"})
    enc.end_turn()
    enc.do("Vex", "move", to=way)
    if stop is None:
        assert not enc.pending
        return
    (offer,) = [offer for offer in enc.pending if "use_readied" in offer.actions]
    assert (offer.who, offer.targets, enc["Vex"].position) == ("Mara", ("Vex",), stop)
    enc.do("Mara", "use_readied", outcome="miss")
    while enc.pending:
        enc.resolve()
    goal = way[-1] if isinstance(way, list) else way
    assert (enc["Vex"].position, counts(enc)) == (goal, [("Mara", 10), ("Vex", 10)])


@pytest.mark.rule("saga.ready.optional")
@pytest.mark.parametrize("trigger", [{"actor": "Vex", "action": "move"}, "somebody comes close"])
def test_a_readied_blow_that_is_let_go_is_not_offered_again_on_the_same_way(trigger: object) -> None:
    enc = fight({"Mara": 20, "Vex": 10}, Mara={"at": (0, 0), **BLADE}, Vex={"at": (5, 0)})
    enc.do("Mara", "ready", action="attack", target="Vex", trigger=trigger)
    enc.end_turn()
    enc.do("Vex", "move", to=[(1, 0), (1, 1), (0, 1)])
    before = enc["Vex"].position
    enc.resolve()
    assert (before, enc["Vex"].position, enc.pending) == ((1, 0), (0, 1), ())


@pytest.mark.rule("saga.ready.outside-turn", "saga.ready.optional")
def test_what_waits_in_words_is_asked_once_as_it_can_first_be_done() -> None:
    bow = {"weapons": [{"name": "bow", "damage": "1d6", "attack": 6, "range": 60}]}
    enc = fight(
        {"Mara": 20, "Ilya": 15, "Vex": 10},
        Mara={"at": (0, 0), **BLADE},
        Ilya={"at": (0, 9), **bow},
        Vex={"at": (5, 0)},
    )
    for name in ("Mara", "Ilya"):
        enc.do(name, "ready", action="attack", trigger="somebody comes close")
        enc.end_turn()
    enc.do("Vex", "move", to=(2, 0))
    assert [(offer.who, enc["Vex"].position) for offer in enc.pending] == [("Ilya", (5, 0))]
    enc.resolve()
    assert (enc.pending, enc["Vex"].position) == ((), (2, 0)), "she has let it go, and no blow reaches so far"


@pytest.mark.rule("saga.ready.outside-turn", "saga.ready.optional")
def test_a_blow_that_waits_in_words_is_offered_as_somebody_comes_beside_it() -> None:
    enc = fight({"Mara": 20, "Vex": 10}, Mara={"at": (0, 0), **BLADE}, Vex={"at": (5, 0)})
    enc.do("Mara", "ready", action="attack", trigger="somebody comes close")
    enc.end_turn()
    enc.do("Vex", "move", to=(1, 0))
    assert [(offer.who, offer.targets, enc["Vex"].position) for offer in enc.pending] == [("Mara", ("Vex",), (1, 0))]
    enc.do("Mara", "use_readied", outcome="hit", damage=3)
    assert not enc.pending


@pytest.mark.rule("saga.ready.specify-action")
@pytest.mark.parametrize(("system", "keeps", "use"), [("saga", "ready", "use_readied"), ("d6", "hold", "use_held")])
def test_a_blow_readied_at_a_whole_group_says_how_to_choose_one_later(system: str, keeps: str, use: str) -> None:
    enc = ck.Encounter(system, seed=1)
    enc.add("Mara", side="rebels")
    enc.add("Guard", side="empire", count=3, npc=True)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    trigger = {"actor": "Guard"}
    ruling = refused(enc, "Mara", keeps, action="attack", target="Guard", trigger=trigger)
    assert ruling.reason == "Attack takes one target. Name nobody to choose one when it is used."
    enc.do("Mara", keeps, action="attack", trigger=trigger)
    while not (enc.active or "").startswith("Guard"):
        enc.end_turn()
    enc.do(enc.active or "", "attack", target="Mara", outcome="miss")
    (offer,) = enc.pending
    assert (offer.actions, offer.targets) == ((use,), (enc.active,))


@pytest.mark.parametrize(
    ("action", "used"), [("climb", "uses the readied action (climb)"), ("move", "uses the readied move")]
)
def test_what_was_readied_is_told_by_a_noun(action: str, used: str) -> None:
    enc = fight({"Mara": 20, "Vex": 10})
    enc.do("Mara", "ready", action=action, trigger={"actor": "Vex"})
    enc.end_turn()
    enc.do("Vex", "attack", target="Mara", outcome="miss")
    enc.do("Mara", "use_readied")
    assert used in enc.log(rules=False).markdown
