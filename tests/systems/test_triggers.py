"""What is waited for: every movement, every attack, whichever id it has; and what nobody caused gives no opening."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck

KEEPS = {"saga": ("ready", "attack"), "d6": ("hold", "attack"), "phases": ("ready", "strike")}


def fight(system: str, **options: Any) -> ck.Encounter:
    first: dict[str, Any] = {"saga": {"dex": 9}, "d6": {"initiative": 9}, "phases": {"combat_value": 9}}.get(system, {})
    enc = ck.Encounter(system, seed=1, options=options or None)
    enc.add("Mara", side="rebels", **first)
    enc.add("Vex", side="empire", npc=True)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    return enc


def ready(enc: ck.Encounter, trigger: Any) -> None:
    keeps, strikes = KEEPS[enc.ruleset.id]
    enc.do("Mara", keeps, action=strikes, target="Vex", trigger=trigger)
    while enc.active != "Vex":
        enc.end_turn()


MOVES = [
    *(("saga", id) for id in ("move", "climb", "run")),
    *(("d6", id) for id in ("move", "dash")),
    *(("phases", id) for id in ("half_move", "full_move", "crawl", "withdraw", "1_hex_step")),
]


@pytest.mark.parametrize(("system", "action"), MOVES)
def test_move_covers_every_movement_and_says_so(system: str, action: str) -> None:
    enc = fight(system)
    ready(enc, {"actor": "Vex", "action": "move"})
    assert any("Vex moves in any way" in event.text for event in enc._events)
    more: dict[str, Any] = {"outcome": "negated"} if system == "phases" and action.endswith(("move", "crawl")) else {}
    enc.do("Vex", action, **more)
    assert "Mara" in [offer.who for offer in enc.pending]


ATTACKS = [
    *(("saga", id) for id in ("attack", "full_attack", "charge")),
    ("d6", "attack"),
    *(("phases", id) for id in ("strike", "grab", "disarm", "haymaker", "sweep", "move_through")),
]


@pytest.mark.rule("phases.step.when")
def test_a_1_hex_step_is_a_movement_to_whoever_waits_for_one() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Mara", side="rebels", combat_value=9, at=(0, 0))
    enc.add("Vex", side="empire", npc=True, at=(1, 0))
    enc.start()
    ready(enc, {"actor": "Vex", "action": "movement"})
    enc.do("Vex", "1_hex_step", to=(2, 0))
    assert enc["Vex"].position == (1, 0)
    struck = enc.do("Mara", "use_readied", outcome="miss")
    assert any(event.action == "strike" and event.target == "Vex" for event in struck)
    assert enc["Vex"].position == (2, 0)


@pytest.mark.parametrize(("system", "action"), ATTACKS)
def test_attack_covers_every_attack_and_says_so(system: str, action: str) -> None:
    enc = fight(system)
    ready(enc, {"actor": "Vex", "action": "attack"})
    assert any("Vex makes any attack" in event.text for event in enc._events)
    enc.do("Vex", action, target="Mara")
    assert "Mara" in [offer.who for offer in enc.pending]


def test_another_id_of_an_action_is_that_action() -> None:
    enc = fight("phases")
    ready(enc, {"actor": "Vex", "action": "one_hex_step"})
    enc.do("Vex", "1_hex_step")
    assert [offer.who for offer in enc.pending] == ["Mara"]


@pytest.mark.parametrize("system", ["saga", "ap", "segments", "phases", "d6"])
def test_what_nobody_caused_gives_no_opening_for_an_attack(system: str) -> None:
    enc = fight(system)
    if system == "segments":
        enc.end_turn()
    enc.trigger(text="a trap springs")
    catalogue = enc.ruleset.catalogue(enc._state)
    offered = {action for offer in enc.pending for action in offer.actions}
    assert not [id for id in offered if "attack" in catalogue[id].tags]
    if system == "saga":
        assert not enc.can("Mara", "attack_of_opportunity", target="Vex").allowed
    enc.undo()
    if system == "saga":
        enc.end_turn()
        enc.trigger("Vex", text="drops the guard")
        offered = {action for offer in enc.pending for action in offer.actions}
        assert [id for id in offered if "attack" in catalogue[id].tags], "somebody who did it gives one"


@pytest.mark.parametrize("how", ["falls", "dies", "leaves", "goes away"])
def test_a_grab_ends_with_whoever_holds(how: str) -> None:
    enc = ck.Encounter("saga", seed=1, options={"actions": "book"})
    enc.add("Mara", side="rebels", dex=9, hp=9, at=(0, 0))
    enc.add("Vex", side="empire", hp=9, at=(1, 0))
    enc.start(rolls={"Mara": 20, "Vex": 1})
    enc.do("Mara", "grab", target="Vex", outcome="hit")
    assert enc["Vex"].conditions[0].value == "Mara"
    assert not enc.can("Vex", "move", to=(3, 0)).allowed
    match how:
        case "falls":
            enc.damage("Mara", 50)
        case "dies":
            enc.condition("Mara", "dead")
        case "leaves":
            enc.leave("Mara")
        case _:
            enc.place("Mara", at=(0, 6))
    assert [c.id for c in enc["Vex"].conditions] == []
    enc.undo()
    assert [c.id for c in enc["Vex"].conditions] == ["grabbed"]


@pytest.mark.parametrize(
    ("trigger", "told"),
    [
        ({"actor": "hunters"}, "anybody from hunters acts"),
        ({"actor": "Guard", "action": "move"}, "any Guard moves in any way"),
        ({"actor": "Guard 1", "action": "move"}, "Guard 1 moves in any way"),
        ({"actor": "Red cloaks", "target": "rebels"}, "anybody from Red cloaks does something to anybody from rebels"),
        ({"side": "hunters", "action": "attack", "target": "Mara"}, "anybody from hunters makes any attack on Mara"),
    ],
)
@pytest.mark.parametrize("system", [*KEEPS])
def test_a_name_that_stands_for_several_is_told_as_that(system: str, trigger: dict[str, str], told: str) -> None:
    enc = fight(system)
    enc.join("Guard", count=2, side="hunters")
    enc.join("Ossik", side="hunters", group="Red cloaks")
    ready(enc, trigger)
    assert any(event.text.endswith(f": {told}") for event in enc._events)
    assert f"if {told}" in str(enc.log())


@pytest.mark.rule("d6.act.hold.interrupts", "d6.turn.free")
def test_words_wait_for_no_free_action() -> None:
    enc = fight("d6")
    enc.edit("Vex", free_actions=1)
    ready(enc, "boo")
    enc.do("Vex", "free_action")
    assert [offer.who for offer in enc.pending] == []
    enc.do("Vex", "use_item")
    assert [offer.who for offer in enc.pending] == ["Mara"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("if the vex steps up", "if the vex steps up"),
        ("when they step up", "when they step up (Vex)"),
        ("steps up", "if Vex steps up"),
        ("the door opens", "if Vex: the door opens"),
        ("this or that", "if Vex: this or that"),
    ],
)
def test_a_trigger_that_begins_with_if_has_no_second_one(text: str, told: str) -> None:
    enc = fight("phases")
    ready(enc, {"actor": "Vex", "text": text})
    assert f"*“{told}”*" in enc.log().markdown


@pytest.mark.parametrize(("system", "helps"), [("d6", "help"), ("saga", "aid_another")])
def test_words_are_asked_of_nothing_friends_do_for_friends_unless_they_name_them(system: str, helps: str) -> None:
    enc = ck.Encounter(system, seed=1)
    stat = {"saga": "initiative_misc", "d6": "initiative"}[system]
    for name, side, score in (("Mara", "a", 40), ("Una", "a", 25), ("Bo", "a", 10), ("Cy", "a", -5), ("Vex", "b", -20)):
        sheet: dict[str, Any] = {stat: score}
        enc.add(name, side=side, **sheet)
    enc.start()
    keeps, strikes = KEEPS[system]
    enc.do("Mara", keeps, action=strikes, trigger="when she moves")
    while enc.active != "Una":
        enc.end_turn()
    enc.do("Una", keeps, action=strikes, trigger="as soon as bo stirs, not Cypher")
    while enc.active != "Bo":
        enc.end_turn()
    enc.do("Bo", helps, target="Cy")
    assert [offer.who for offer in enc.pending] == ["Una"], "who names that friend is asked"
    enc.do("Bo", "move")
    assert [(offer.who, offer.targets) for offer in enc.pending] == [("Mara", ()), ("Una", ())], "not struck, but meant"
    while enc.active != "Cy":
        enc.end_turn()
    enc.do("Cy", helps, target="Bo")
    assert not enc.pending, "a name is a whole word"
    while enc.active != "Vex":
        enc.end_turn()
    enc.do("Vex", "move")
    assert [(offer.who, offer.targets) for offer in enc.pending] == [("Mara", ("Vex",)), ("Una", ("Vex",))]
    enc.end_turn()  # nobody has to answer
    assert enc.active != "Vex"


def test_words_are_asked_of_no_friends_reaction() -> None:
    enc = ck.Encounter("saga", seed=1)
    for name, side, dex in (("Mara", "a", 40), ("Bo", "a", 20), ("Vex", "b", -20)):
        enc.add(name, side=side, dex=dex)
    enc.start()
    enc.do("Mara", "ready", action="attack", target="Vex", trigger="somebody stirs")
    while enc.active != "Vex":
        enc.end_turn()
    enc.do("Bo", "attack_of_opportunity", target="Vex", trigger="runs past", outcome="miss")
    assert not enc.pending


@pytest.mark.parametrize("system", ["saga", "ap", "segments", "phases"])
def test_two_enemies_who_cause_something_together_may_each_answer_the_other(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    for name, side in (("Mara", "heroes"), ("Bo", "heroes"), ("Vex", "foes"), ("Dray", "foes")):
        enc.add(name, side=side)
    enc.start()
    while enc.active not in ("Bo", "Dray"):
        enc.end_turn()
    enc.trigger("Mara", "Vex", text="they run past each other")
    asked = {offer.who: offer.targets for offer in enc.pending}
    assert (asked["Mara"], asked["Vex"]) == (("Vex",), ("Mara",))


def both(system: str, **stats: Any) -> ck.Encounter:
    """Mara and Vex, who are enemies, are about to cause something together; Bo and Dray stand by."""
    enc = ck.Encounter(system, seed=1)
    for name, side in (("Mara", "heroes"), ("Bo", "heroes"), ("Vex", "foes"), ("Dray", "foes")):
        enc.add(name, side=side, **stats)
    enc.start()
    return enc


def test_a_held_blow_at_an_event_of_two_goes_at_the_other() -> None:
    enc = both("d6")
    while enc.active != "Mara":
        enc.end_turn()
    enc.do("Mara", "hold", action="attack", trigger="somebody stirs")
    while enc.active in ("Mara", "Vex"):
        enc.end_turn()
    enc.trigger("Mara", "Vex", text="they run past each other")
    assert [offer.targets for offer in enc.pending if offer.who == "Mara"] == [("Vex",)]
    assert "target" not in str(enc.can("Mara", "use_held").reason)


def test_who_causes_something_with_another_answers_that_one_once() -> None:
    enc = both("ap")
    while enc.active not in ("Bo", "Dray"):
        enc.end_turn()
    enc.trigger("Mara", "Vex", text="they shoot at each other")
    enc.do("Mara", "evade", outcome="failed")
    assert not enc.can("Mara", "evade").allowed


def test_a_talent_answers_what_one_causes_with_another() -> None:
    enc = both("saga")
    while enc.active not in ("Bo", "Dray"):
        enc.end_turn()
    enc.trigger("Mara", "Vex", text="they run past each other")
    assert enc.can("Mara", "talent_reaction").allowed, enc.can("Mara", "talent_reaction").reason
    enc.do("Mara", "talent_reaction")


def test_a_free_attack_goes_at_an_enemy_who_caused_it_alone() -> None:
    enc = both("segments")
    enc.end_turn()
    enc.trigger("Mara", "Vex", text="they run past each other")
    assert enc.can("Dray", "free_attack", target="Bo").reason == "Bo gave Dray no opening; Mara did."


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
@pytest.mark.parametrize("gone", ["dead", "left"])
def test_who_is_dead_or_has_left_causes_nothing_and_answers_nothing(system: str, gone: str) -> None:
    enc = fight(system)
    enc.condition("Vex", gone)
    before = enc.digest
    reason = "Vex is dead" if gone == "dead" else "Vex has left the fight"
    with pytest.raises(ck.IllegalAction, match=reason):
        enc.trigger("Vex", text="falls")
    with pytest.raises(ck.IllegalAction, match=reason):
        enc.trigger("Mara", to="Vex")
    assert enc.digest == before
    enc.trigger(text="the bridge falls")
