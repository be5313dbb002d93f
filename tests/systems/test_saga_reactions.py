"""Saga Edition: reactions and attacks of opportunity."""

from __future__ import annotations

import pytest

from tests.systems.table import fight, left, refused, to_round, turns

THREE = {"Mara": 20, "Vex": 15, "Bo": 10}


@pytest.mark.rule("saga.react.nature")
@pytest.mark.parametrize(
    ("action", "specific"),
    [
        ("attack_of_opportunity", "saga.react.ex.aoo"),
        ("use_readied", "saga.react.ex.readied"),
        ("talent_reaction", "saga.react.ex.talents"),
    ],
)
def test_a_reaction_with_nothing_to_react_to_is_refused_by_the_rule_that_defines_it(action: str, specific: str) -> None:
    enc = fight(THREE)
    for name, rule in (("Vex", "saga.react.nature"), ("Mara", "saga.react.outside-turn")):
        ruling = refused(enc, name, action)
        assert ruling.rule == (specific if "has nothing readied" in ruling.reason else rule)
        assert {specific, "saga.react.nature"} <= {*ruling.rules}


@pytest.mark.rule("saga.react.nature", "saga.react.ex.aoo")
def test_a_reaction_answers_what_somebody_does() -> None:
    enc = fight(THREE)
    events = enc.do("Vex", "attack_of_opportunity", target="Mara", trigger="moves past")
    assert [e.kind for e in events] == ["window", "answer", "action", "window_end"]
    assert "Mara: moves past" in events[0].text
    assert "saga.react.ex.aoo" in events[2].rules
    assert enc.pending == ()


@pytest.mark.rule("saga.react.outside-turn")
@pytest.mark.parametrize("action", ["attack_of_opportunity", "talent_reaction"])
def test_a_reaction_happens_outside_ones_own_turn(action: str) -> None:
    enc = fight(THREE)
    assert enc.active == "Mara"
    assert refused(enc, "Mara", action, target="Vex", trigger="draws a bow").rule == "saga.react.outside-turn"
    enc.end_turn()
    enc.do("Mara", action, target="Vex", trigger="draws a bow")
    assert (enc.active, left(enc, "Mara")["reaction"]) == ("Vex", 0)


@pytest.mark.rule("saga.react.outside-turn")
def test_one_is_not_offered_a_reaction_in_ones_own_turn() -> None:
    enc = fight(THREE)
    enc.trigger("Vex", text="falls prone")
    assert [o.who for o in enc.pending] == ["Bo"], "it is Mara's turn"


@pytest.mark.rule("saga.react.one")
def test_reactions_refresh_at_the_start_of_a_round_not_of_a_turn() -> None:
    enc = fight(THREE)
    enc.do("Bo", "talent_reaction", trigger="Mara shouts")
    enc.end_turn()
    assert left(enc, "Bo")["reaction"] == 0
    enc.end_turn()
    assert (enc.active, left(enc, "Bo")["reaction"]) == ("Bo", 0), "its own turn brings none"
    enc.end_turn()
    assert (enc.clock.round, enc.active, left(enc, "Bo")["reaction"]) == (2, "Mara", 1)


@pytest.mark.rule("saga.react.one")
def test_one_reaction_serves_all_kinds() -> None:
    enc = fight(THREE)
    enc.do("Vex", "talent_reaction", trigger="Mara shouts")
    ruling = refused(enc, "Vex", "attack_of_opportunity", target="Mara", trigger="moves past")
    assert ruling.rule == "saga.react.one"
    assert "Reaction talent" in ruling.reason


@pytest.mark.rule("saga.react.one")
@pytest.mark.parametrize(("dex", "extra"), [(3, 3), (1, 1), (0, 1), (-2, 1)])
def test_combat_reflexes_gives_as_many_more_as_the_dexterity_modifier_at_least_one(dex: int, extra: int) -> None:
    enc = fight(THREE, Vex={"dex": dex, "feats": ["Combat Reflexes"]})
    assert left(enc, "Vex")["aoo"] == extra
    for _ in range(extra + 1):
        enc.do("Vex", "attack_of_opportunity", target="Mara", trigger="moves past")
    assert refused(enc, "Vex", "attack_of_opportunity", target="Mara", trigger="moves on").rule == "saga.react.one"


@pytest.mark.rule("saga.react.one")
def test_the_extras_are_spent_before_the_reaction_and_come_back_with_the_round() -> None:
    enc = fight(THREE, Vex={"dex": 2, "feats": ["Combat Reflexes"]})
    after = []
    for _ in range(3):
        enc.do("Vex", "attack_of_opportunity", target="Mara", trigger="moves past")
        after.append((left(enc, "Vex")["aoo"], left(enc, "Vex")["reaction"]))
    assert after == [(1, 1), (0, 1), (0, 0)]
    to_round(enc, 2)
    assert (left(enc, "Vex")["aoo"], left(enc, "Vex")["reaction"]) == (2, 1)


@pytest.mark.rule("saga.react.one")
def test_the_number_of_extras_may_be_stated() -> None:
    enc = fight(THREE, Vex={"dex": 5, "feats": ["Combat Reflexes"], "extra_opportunities": 1})
    assert left(enc, "Vex")["aoo"] == 1
    enc = fight(THREE, Vex={"extra_opportunities": 2})
    assert left(enc, "Vex")["aoo"] == 2


@pytest.mark.rule("saga.react.reflexes-aoo-only")
def test_the_extras_serve_attacks_of_opportunity_only() -> None:
    enc = fight(THREE, Vex={"dex": 2, "feats": ["Combat Reflexes"]})
    enc.do("Vex", "talent_reaction", trigger="Mara shouts")
    assert left(enc, "Vex") == {"standard": 0, "move": 0, "swift": 0, "reaction": 0, "aoo": 2}
    ruling = refused(enc, "Vex", "talent_reaction", trigger="Mara shouts again")
    assert ruling.rule == "saga.react.one"
    assert "saga.react.reflexes-aoo-only" in ruling.rules
    for extra in (1, 0):
        enc.do("Vex", "attack_of_opportunity", target="Mara", trigger="moves past")
        assert left(enc, "Vex")["aoo"] == extra
    ruling = refused(enc, "Vex", "talent_reaction", trigger="Mara shouts again")
    assert "saga.react.reflexes-aoo-only" not in ruling.rules, "no extras are left that could be meant"


@pytest.mark.rule("saga.react.reflexes-aoo-only", "saga.ready.needs-reaction")
def test_the_extras_carry_out_nothing_readied() -> None:
    enc = fight({"Vex": 20, "Mara": 10}, Vex={"dex": 2, "feats": ["Combat Reflexes"]})
    enc.do("Vex", "ready", action="aid_another", trigger={"actor": "Mara", "action": "run"})
    enc.end_turn()
    enc.do("Vex", "talent_reaction", trigger="Mara shouts")
    ruling = refused(enc, "Vex", "use_readied", trigger="Mara runs")
    assert ruling.rule == "saga.ready.needs-reaction"
    assert {"saga.react.one", "saga.react.reflexes-aoo-only"} <= set(ruling.rules)


@pytest.mark.rule("saga.react.ex.aoo")
def test_the_gm_says_that_somebody_gives_an_opening_and_all_enemies_may_strike() -> None:
    enc = fight({"Mara": 20, "Vex": 15, "Dray": 10, "Bo": 5}, Mara={"hp": 20})
    enc.trigger("Mara", offers=["attack_of_opportunity"], text="moves past")
    assert {(o.who, o.actions, o.targets) for o in enc.pending} == {
        (name, ("attack_of_opportunity",), ("Mara",)) for name in ("Vex", "Dray")
    }
    enc.do("Vex", "attack_of_opportunity", target="Mara", damage=4)
    assert refused(enc, "Bo", "attack_of_opportunity", target="Mara").reason
    enc.do("Dray", "attack_of_opportunity", target="Mara", damage=3)
    assert enc["Mara"].values["hp"] == 13
    assert not enc.can("Vex", "attack_of_opportunity", target="Mara").allowed, "once a window"
    assert enc.pending == ()


@pytest.mark.rule("saga.react.ex.aoo")
def test_two_flee_at_once_and_one_window_opens() -> None:
    enc = fight(THREE)
    enc.trigger("Mara", "Bo", to="Vex", text="both flee")
    assert [(o.who, o.targets) for o in enc.pending] == [("Vex", ("Mara", "Bo"))]


@pytest.mark.rule("saga.react.one")
def test_a_window_opens_only_if_somebody_can_answer() -> None:
    enc = fight({"Mara": 20, "Vex": 15})
    enc.do("Vex", "talent_reaction", trigger="Mara shouts")
    events = enc.trigger("Mara", text="moves past")
    assert [e.kind for e in events] == ["trigger"]
    assert enc.pending == ()


@pytest.mark.rule("saga.react.ex.talents")
def test_talents_and_powers_with_reaction_activation_are_reactions() -> None:
    enc = fight(THREE)
    ruling = enc.can("Vex", "talent_reaction", trigger="Mara shouts")
    assert (ruling.allowed, ruling.cost, ruling.rule) == (True, "Reaction", "saga.react.ex.talents")
    enc.do("Vex", "talent_reaction", trigger="Mara shouts")
    assert left(enc, "Vex")["reaction"] == 0


@pytest.mark.rule("saga.react.ex.readied")
def test_carrying_out_a_readied_action_is_a_reaction() -> None:
    enc = fight(THREE)
    enc.do("Mara", "ready", action="move", trigger="Vex looks away")
    enc.end_turn()
    events = enc.do("Mara", "use_readied", trigger="Vex looks away")
    used = next(e for e in events if e.action == "use_readied" and e.kind == "action")
    assert "saga.react.ex.readied" in used.rules
    assert used.data["paid"] == {"reaction": 1}


@pytest.mark.rule("saga.react.nature")
def test_a_talent_is_asked_of_nobody_and_may_be_used_in_any_window() -> None:
    enc = fight(THREE)
    enc.trigger("Mara", to="Vex", text="moves past")
    assert [(o.who, o.actions) for o in enc.pending] == [("Vex", ("attack_of_opportunity",))]
    enc.do("Bo", "talent_reaction")
    assert [o.who for o in enc.pending] == ["Vex"], "he is asked as before"
    assert (
        refused(enc, "Bo", "talent_reaction").reason
        == "Needs a reaction; Bo has none left until the next round (Reaction talent or power)."
    )


@pytest.mark.rule("saga.react.nature")
def test_what_words_tell_in_an_open_window_is_an_event_of_its_own() -> None:
    enc = fight(THREE)
    enc.trigger("Mara", to="Vex", text="moves past")
    enc.do("Bo", "talent_reaction", trigger="the roof falls")
    assert "the roof falls" in [e.text for e in enc._events if e.kind == "window"][-1]
    assert [(o.who, o.about) for o in enc.pending] == [("Vex", "Mara: moves past")]


@pytest.mark.rule("saga.react.ex.aoo")
def test_an_opening_is_told_of_whoever_is_struck_not_of_whoever_has_the_turn() -> None:
    enc = fight({"Vex": 20, "Mara": 15, "Ossik": 10})
    events = enc.do("Mara", "attack_of_opportunity", target="Ossik", trigger="moves past")
    (window,) = [e for e in events if e.kind == "window"]
    assert (enc.active, window.actor, window.text) == ("Vex", "Ossik", "Ossik: moves past; Mara may react")


@pytest.mark.rule("saga.react.outside-turn")
def test_a_reaction_leaves_the_turn_it_breaks_into_as_it_was() -> None:
    enc = fight(THREE)
    enc.do("Mara", "move")
    before = left(enc, "Mara")
    enc.do("Vex", "attack_of_opportunity", target="Mara", trigger="moves past")
    assert (enc.active, left(enc, "Mara")) == ("Mara", before)
    assert turns(enc, 3) == ["Mara", "Vex", "Bo"], "and takes nobody's turn"


@pytest.mark.rule("saga.react.one")
@pytest.mark.parametrize("spent", [0, 1])
def test_opportunities_that_a_condition_kept_from_being_filled_come_as_it_ends(spent: int) -> None:
    enc = fight(THREE, Mara={"dex": 3, "feats": ["Combat Reflexes"]})
    enc.condition("Mara", "clumsy", modifiers={"dex": -2})
    to_round(enc, 2, "Vex")
    assert left(enc, "Mara")["aoo"] == 1
    for _ in range(spent):
        enc.do("Mara", "attack_of_opportunity", target="Vex", trigger="moves past")
    for _ in range(2):  # as often as it comes and goes, what is spent stays spent
        enc.condition("Mara", "clumsy", off=True)
        assert (left(enc, "Mara")["aoo"], enc.budget("Mara")["aoo"].total) == (3 - spent, 3)
        enc.condition("Mara", "clumsy", modifiers={"dex": -2})
        assert left(enc, "Mara")["aoo"] == 1 - spent
