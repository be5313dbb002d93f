"""Reasons say what is true now, rules are those that are against it, and the GM's word takes what is left."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.rules.draft import Draft
from combatkit.rules.flow import break_off


@pytest.fixture
def saga() -> ck.Encounter:
    """Mara's turn, then Kell's, Guard's and Brute's."""
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="rebels", dex=4, level=6)
    enc.add("Kell", side="rebels", dex=1, level=5)
    enc.add("Guard", side="empire", level=1)
    enc.add("Brute", side="empire", level=1)
    enc.start(rolls={"Mara": 13, "Kell": 12, "Guard": 10, "Brute": 5})
    return enc


@pytest.fixture
def ap() -> ck.Encounter:
    """Ada's turn, with 3 points each."""
    enc = ck.Encounter("ap", seed=1, options={"max_attacks": 1})
    enc.add("Ada", side="h", initiative_rating=6, ap=3)
    enc.add("Orc", side="f", npc=True, initiative_rating=4, ap=3)
    enc.start(rolls={"Ada": 4, "Orc": 4})
    return enc


# ── the rules against it, and no others ──


def test_where_another_limit_is_the_reason_points_are_not_against_it(ap: ck.Encounter) -> None:
    ap.do("Ada", "attack", target="Orc")
    ap.resolve()
    ruling = ap.can("Ada", "attack", target="Orc")
    assert (ruling.rule, "ap.act.no-debt" in ruling.rules) == ("ap.primary.any-number", False)


def test_one_who_has_tried_has_points_left_all_the_same(ap: ck.Encounter) -> None:
    ap.do("Orc", "evade", trigger="an arrow", outcome="failed")
    ruling = ap.can("Orc", "parry", trigger="an arrow")
    assert not ruling.allowed
    assert "ap.react.needs-ap" not in ruling.rules


def test_where_no_rule_is_against_it_none_is_named(saga: ck.Encounter) -> None:
    saga.finish()
    ruling = saga.can("Mara", "attack", target="Guard")
    assert (ruling.reason, ruling.rule, ruling.rules) == ("The fight is over.", "", ())


def test_a_call_after_the_end_is_refused_without_its_name(saga: ck.Encounter) -> None:
    saga.finish()
    for call in (saga.end_turn, saga.next_round, saga.finish):
        with pytest.raises(ck.IllegalAction, match=r"^The fight is over\."):
            call()


def test_armour_of_nothing_is_not_halved() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="h", weapons=[{"name": "gun", "attack": "3D", "damage": "2D"}])
    enc.add("Nox", side="f", npc=True, defense=3, resolve=30, armor=0)
    enc.start(rolls={"Ada": 6})
    dice = {"attack": [6, 6, 6], "damage": [1, 1]}
    rules = {rule for event in enc.do("Ada", "attack", target="Nox", rolls=dice) for rule in event.rules}
    assert "d6.dmg.roll" in rules
    assert not [rule for rule in rules if "margin7" in rule]


def test_no_rule_about_wounds_keeps_the_dead_from_acting() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="h")
    enc.add("Nox", side="f")
    enc.start(rolls={"Ada": 6, "Nox": 1})
    enc.condition("Nox", "dead")
    ruling = enc.can("Nox", "attack", target="Ada")
    assert ruling.reason == "Nox is dead."
    assert "d6.wound.at0" not in ruling.rules


def test_where_nobody_can_be_reached_the_reason_names_a_foe() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Mara", side="rebels", combat_value=9, at=(0, 0))
    enc.add("Kell", side="rebels", at=(7, 0))
    enc.add("Guard", side="empire", at=(9, 0))
    enc.start()
    reason = next(option.reason for option in enc.options("Mara") if option.action == "strike")
    assert reason == "No target is possible: Guard is 9 hexes away; the reach of Mara is 1."


# ── what is true now ──


def test_whose_turn_was_lost_has_not_had_one(saga: ck.Encounter) -> None:
    saga.end_turn()
    saga.join("Late", side="rebels", dex=6, rolls={"Late": 20})
    assert saga.can("Late", "move").reason == "Late has no turn left this round; it's Kell's turn."
    assert saga.can("Mara", "move").reason == "Mara has already had a turn this round; it's Kell's turn."
    assert saga.can("Brute", "move").reason == "It's Kell's turn."


def test_a_readied_action_that_ate_the_turn_is_no_turn_that_was_had(saga: ck.Encounter) -> None:
    saga.end_turn()
    saga.end_turn()
    saga.end_turn()
    saga.do("Brute", "ready", action="attack", target="Mara", trigger={"actor": "Mara", "action": "move"})
    saga.end_turn()
    saga.do("Mara", "move")
    saga.do("Brute", "use_readied")
    while saga.pending:
        saga.resolve()
    saga.end_turn()
    reason = saga.can("Brute", "move").reason
    assert "already had a turn" not in reason


def test_a_window_keeps_a_delayer_waiting_and_nobody_is_said_to_have_acted(saga: ck.Encounter) -> None:
    saga.do("Mara", "delay")
    saga.trigger("Kell", text="a trap springs")
    ruling = saga.can("Mara", "act_now")
    assert not ruling.allowed
    assert "Waiting for" in ruling.reason
    saga.resolve()
    assert saga.can("Mara", "act_now").allowed


def test_both_that_are_gone_are_named(saga: ck.Encounter) -> None:
    saga.do("Mara", "attack", target="Guard")
    saga.do("Mara", "move")
    reason = saga.can("Mara", "climb").reason
    went = "(Attack; Move)"
    assert reason == f"Needs a standard or move action; Mara has neither left until their next turn {went}."
    whole = f"Needs the whole turn, and Mara has already acted {went}; it can be done in their next turn."
    assert saga.can("Mara", "charge", target="Guard").reason == whole


def test_what_is_gone_is_named_in_the_order_it_went(saga: ck.Encounter) -> None:
    saga.do("Mara", "second_wind")
    saga.do("Mara", "move")
    saga.do("Mara", "attack", target="Guard")
    assert "(Second wind; Move; Attack)" in saga.can("Mara", "full_attack", target="Guard").reason
    assert "(Move; Attack)" in saga.can("Mara", "climb").reason
    ada = ck.Encounter("d6", seed=1)
    ada.add("Ada", side="h", resolve=9, free_actions=["Quick Draw"])
    ada.add("Nox", side="e", resolve=9, npc=True)
    ada.start(rolls={"Ada": 6})
    ada.do("Ada", "free_action", option="Quick Draw")
    ada.do("Ada", "move")
    assert "(Free Action; Move)" in ada.can("Ada", "escape").reason


@pytest.mark.parametrize(
    ("system", "options", "first", "again", "until"),
    [
        ("saga", {}, "attack", "attack", "has none left until their next turn"),
        ("saga", {}, "attack", "full_attack", "it can be done in their next turn"),
        ("d6", {}, "attack", "attack", "has none left until their next turn"),
        ("d6", {}, "attack", "escape", "it can be done in their next turn"),
        ("ap", {}, "attack", "attack", "has 0 until the next round"),
        ("ap", {"ap_refresh": "turn"}, "attack", "attack", "has 0 until their next turn"),
        ("segments", {}, "attack", "attack", "has none left until the next round"),
        ("phases", {}, "strike", "sweep", "it can be done in the next phase"),
    ],
)
def test_what_is_spent_is_said_to_come_back_when_it_does(
    system: str, options: dict[str, Any], first: str, again: str, until: str
) -> None:
    enc = ck.Encounter(system, seed=1, options=options)
    enc.add("Ada", side="h")
    enc.add("Nox", side="f")
    enc.start()
    while enc.active is None:
        enc.end_turn()
    name = enc.active
    foe: dict[str, Any] = {"target": "Nox" if name == "Ada" else "Ada"}
    aim: dict[str, Any] = {} if again == "escape" else foe
    while enc.can(name, first, **foe).allowed:
        enc.do(name, first, **foe)
        while enc.pending:
            enc.resolve()
    began = (enc.clock.round, enc.clock.step, enc.clock.phase)
    come = enc.clock
    while enc.active != name or (come.round, come.step, come.phase) == began:
        assert until in enc.can(name, again, **aim).reason or enc.active != name
        enc.end_turn()
        come = enc.clock
    assert enc.can(name, again, **aim).allowed


@pytest.mark.parametrize(
    ("system", "vital", "told"),
    [
        ("saga", "swift", "still has a swift action"),
        ("saga", "hp", "still has 9 hp"),
        ("d6", "force_points", "still has 2 Force Points"),
        ("ap", "ap", "still has 3 Action Points"),
        ("segments", "major", "still has a major action"),
        ("phases", "move", "still has a move action"),
    ],
)
def test_a_change_by_nothing_is_told_as_what_there_still_is(system: str, vital: str, told: str) -> None:
    enc = ck.Encounter(system, seed=1)
    stats: dict[str, Any] = {"saga": {"hp": 9}, "d6": {"force_points": 2}}.get(system, {})
    enc.add("Ada", side="h", **stats)
    enc.add("Nox", side="f")
    enc.start()
    while enc.active is None:
        enc.end_turn()
    if system in ("saga", "phases"):
        while enc.active != "Ada":
            enc.end_turn()
    assert [event.text for event in enc.adjust("Ada", vital, 0)] == [told]


def test_what_several_do_is_told_of_them_as_of_several() -> None:
    enc = ck.Encounter("saga", seed=1)
    for name in ("Ada", "Bo", "Cy", "Di", "Nox"):
        enc.add(name, side="f" if name == "Nox" else "h")
    enc.start(rolls={"Ada": 20, "Bo": 19, "Cy": 18, "Di": 17, "Nox": 1})
    for _ in range(2):
        enc.do(enc.active or "", "ready", action="attack", trigger="Nox moves")
        enc.end_turn()
    while enc.active != "Nox":
        enc.end_turn()
    enc.trigger("Nox", text="Nox moves")
    enc.resolve()
    enc.next_round()
    lines = [line["text"] for line in ck.CombatLog(enc).view["lines"].values()]
    assert [{"quiet": "Ada, Bo, Cy and Di let it go"}] in lines
    assert "Cy and Di do nothing." in enc.log().markdown
    enc.undo()
    assert "Undone: Next round." in enc.log(undone=True).markdown


def test_nothing_is_told_twice_in_the_log() -> None:
    enc = ck.Encounter("phases", seed=1)
    for name, side, value, at in (("Ace", "h", 9, (1, 0)), ("Crow", "v", 5, (0, 0)), ("Dirk", "v", 4, (2, 0))):
        enc.add(name, side=side, combat_value=value, ocv=5, dcv=5, at=at, weapons=[{"name": "bow", "range": 9}])
    enc.start()
    enc.do("Ace", "rapid_fire", target=["Crow", "Dirk"], rolls={"attack": [1, 1, 1, 6, 6, 6]})
    enc.end_turn()
    enc.do("Crow", "drop_prone")
    enc.do("Crow", "dodge")
    enc.do("Ace", "abort", action="block")
    told = enc.log(rules=False).markdown
    assert "Ace** fires rapidly at Crow and Dirk; Crow: 3d6 ⟦1⟧ ⟦1⟧ ⟦1⟧ + 5 = 8 against 15, miss; Dirk: 3d6 ⟦6⟧" in told
    assert "Crow** drops prone; dodges. Ace aborts; gives up the action in phase 2; blocks." in told
    zones = ck.Encounter("d6", seed=1)
    zones.add("Ada", side="r", initiative=9, weapons=[{"name": "rifle", "attack": "3D", "range": "long"}])
    zones.add("Bes", side="r", initiative=20, search=3)
    zones.add("Nox", side="e", npc=True, defense=5)
    zones.start(rolls={"Ada": 1, "Bes": 1})
    zones.do("Bes", "help", target="Ada")
    zones.end_turn()
    zones.do("Ada", "attack", target="Nox", rolls={"attack": [4, 5, 6]})
    zones.do("Bes", "add_help", rank="search")
    zones.do("Ada", "move")
    told = zones.log(rules=False).markdown
    assert "Bes** stands ready to help Ada." in told
    assert "Bes helps: Search. Ada gets +3 from Bes; comes to 18 against 5, hit" in told


def test_what_is_added_to_a_table_is_named() -> None:
    enc = ck.Encounter("segments", seed=1)
    (event,) = enc.add_table("actions", [{"id": "web", "title": "Web"}, {"id": "rite", "title": "Rite", "segments": 2}])
    assert event.text == "added to the actions: Web and Rite"
    enc = ck.Encounter("phases", seed=1)
    rows = [{"id": "martial_dodge", "of": "dodge", "dcv": 5}, {"id": "x", "title": "X_1"}]
    (event,) = enc.add_table("manoeuvres", rows)
    assert event.text == "added to the manoeuvres: martial dodge and X_1"
    enc = ck.Encounter("segments", seed=1)
    enc.add_table("weapon_speeds", [{"id": "pike", "speed": 8}])
    assert [e.text for e in enc.undo() if e.kind == "undo"] == ["undone: Add to weapon speeds"]


def test_that_nothing_will_do_is_said_once() -> None:
    enc = ck.Encounter("phases", seed=1)
    for name, value, at in (("Ace", 9, (1, 0)), ("Crow", 5, (-1, 0))):
        enc.add(name, side=name, combat_value=value, at=at)
    enc.start()
    enc.do("Ace", "ready", action="strike", trigger={"actor": "Crow"})
    enc.end_turn()
    enc.do("Crow", "open_or_close_door")
    (after,) = [c for c in enc.choices("Ace", "use_readied") if (c.param, c.value) == ("option", "after")]
    assert after.ruling.reason == "No target is possible: Crow is 2 hexes away; the reach of Ace is 1."


def test_one_whose_last_turn_it_is_waits_for_no_next_one() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="h", initiative=9, resolve=9)
    enc.add("Nox", side="f", npc=True)
    enc.start(rolls={"Ada": 1})
    enc.damage("Ada", 9)
    enc.damage("Ada", 1)
    enc.do("Ada", "blaze_of_glory")
    enc.do("Ada", "move")
    assert enc.can("Ada", "move").reason == "Needs a Move; Ada has none left."


@pytest.mark.parametrize(
    ("system", "slot", "action", "reason"),
    [
        ("saga", "swift", "full_attack", "Needs a swift action; Ada has none."),
        ("phases", "attack", "withdraw", "Needs an attack action; Ada has none."),
        ("phases", "move", "withdraw", "Needs a move action; Ada has none."),
    ],
)
def test_nobody_is_said_to_have_done_what_the_gm_took_from_them(
    system: str, slot: str, action: str, reason: str
) -> None:
    enc = ck.Encounter(system, seed=1)
    for name, first in (("Ada", 9), ("Nox", 1)):
        stats: dict[str, Any] = {"dex" if system == "saga" else "combat_value": first}
        enc.add(name, side=name, **stats)
    enc.start(rolls={"Ada": [20], "Nox": [1]} if system == "saga" else None)
    assert enc.active == "Ada"
    enc.adjust("Ada", slot, -1)
    aim = {"target": "Nox"} if action == "full_attack" else {}
    assert enc.can("Ada", action, **aim).reason == reason


def test_of_two_things_that_one_price_takes_only_what_is_missing_is_named() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Ann", side="party")
    enc.add("Orc", side="foes")
    enc.start()
    enc.end_turn(rolls={"party": [5], "foes": [3]})
    enc.do("Ann", "attack", target="Orc")
    assert (
        enc.can("Ann", "attack", target="Orc").reason
        == "Needs a major action; Ann has none left until the next round (Attack routine)."
    )


def test_what_is_asked_of_the_gm_keeps_its_question_mark() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ace", side="h", combat_value=6, at=(0, 0))
    enc.add("Crow", side="f", combat_value=5, at=(1, 0))
    enc.start()
    enc.do("Ace", "half_move", to=(0, 1))
    asked = "Ace moves: may Crow attack? Not if a skill check negates it."
    assert enc.can("Ace", "strike", target="Crow").reason == f"{asked} The GM must answer first."
    assert enc.can("Crow", "attack_of_opportunity").reason == f"{asked} The GM must answer first."


def test_whom_to_come_after_is_said_as_one_says_it() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="h", initiative=3)
    enc.add("Nox", side="f", npc=True)
    enc.start(rolls={"Ada": 6})
    enc.end_turn()
    assert enc.can("Nox", "shift").reason == "Nobody to come after: Ada has no turn left this round."


def test_a_target_that_was_announced_is_not_asked_for_again() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Ann", side="party")
    enc.add("Orc", side="foes")
    enc.add_table("actions", [{"id": "bolt", "title": "Bolt", "tags": ["incantation"], "segments": 3}])
    enc.start()
    assert enc.can("Ann", "announce_target", target="Orc").reason == "Ann has declared no spell."
    enc.do("Ann", "declare", spell="bolt")
    early = enc.can("Ann", "announce_target", target="Orc").reason
    assert early == "Ann announces the target when D1 of HIGH or LOW begins; it's Round 1, Declare."
    enc.end_turn(rolls={"party": [6], "foes": [1]})
    enc.do("Ann", "announce_target", target="Orc")
    assert enc.can("Ann", "announce_target", target="Orc").reason == "Ann has already announced a target: Orc."


# ── what the GM allows ──


def test_the_gms_word_takes_what_is_left_of_every_slot(saga: ck.Encounter) -> None:
    saga.do("Mara", "move")
    saga.do("Mara", "full_attack", target="Guard", override=True)
    assert [saga.budget("Mara")[slot].left for slot in ("standard", "move", "swift")] == [0, 0, 0]


def test_the_gms_word_takes_what_is_left_of_a_phase() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ace", side="a", combat_value=9)
    enc.add("Crow", side="b", combat_value=3)
    enc.start()
    enc.do("Ace", "block")
    enc.do("Ace", "take_recovery", override=True)
    assert [enc.budget("Ace")[slot].left for slot in ("attack", "move")] == [0, 0]


def test_the_gms_word_takes_what_is_left_of_a_turn_in_d6() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="h")
    enc.add("Nox", side="f")
    enc.start(rolls={"Ada": 6, "Nox": 1})
    enc.do("Ada", "move")
    enc.do("Ada", "escape", override=True)
    assert all(slot.left == 0 for slot in enc.budget("Ada") if not slot.unlimited)


def test_the_gms_word_takes_the_points_there_are() -> None:
    enc = ck.Encounter("ap", seed=1)
    enc.add("Ada", side="h", initiative_rating=6, ap=2)
    enc.add("Orc", side="f", npc=True, ap=3)
    enc.add_table("actions", [{"id": "rite", "title": "Rite", "cost": 3, "single_turn": True}])
    enc.start(rolls={"Ada": 4, "Orc": 1})
    assert enc.can("Ada", "rite").reason == "Takes 3 AP; Ada has 2."
    enc.do("Ada", "rite", override=True)
    assert enc.budget("Ada")["ap"].left == 0


def test_the_gms_word_takes_the_segments_there_are() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Ann", side="party")
    enc.add("Orc", side="foes")
    enc.start()
    enc.end_turn(rolls={"party": [6], "foes": [1]})
    enc.do("Ann", "simple_activity")
    enc.do("Ann", "complex_activity", override=True)
    assert enc.budget("Ann")["major"].left == 0
    assert enc["Ann"].values["segments"] == 10


@pytest.mark.parametrize("system", ["saga", "phases"])
def test_a_delay_out_of_turn_cannot_be_forced_and_says_what_can_be_done(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    stat: dict[str, Any] = {"combat_value": 9} if system == "phases" else {"dex": 9}
    enc.add("Ada", side="a", **stat)
    enc.add("Bo", side="b")
    enc.start(rolls={"Ada": 20, "Bo": 1} if system == "saga" else None)
    assert enc.can("Bo", "delay").reason == "It's Ada's turn."
    before = enc.digest
    with pytest.raises(ck.IllegalAction, match=r"Bo can delay only on their own turn; the GM can"):
        enc.do("Bo", "delay", override=True)
    assert enc.digest == before


# ── whose words, and what counts ──


def test_an_event_is_about_whom_it_changes(saga: ck.Encounter) -> None:
    hit = saga.do("Mara", "attack", target="Guard", damage=7)
    damage = next(event for event in hit if event.kind == "damage")
    assert saga.explain(damage.seq).startswith(f"{damage.seq}. Guard loses 7")
    (prone,) = saga.condition("Guard", "prone")
    assert saga.explain(prone.seq).splitlines()[0] == f"{prone.seq}. Guard is prone"
    (cover,) = saga.condition("Guard", "cover")
    (gone,) = saga.condition("Guard", "cover", off=True)
    assert (cover.text, gone.text) == ("has cover", "no longer has cover")
    adjusted = saga.adjust("Brute", "hp", -2)
    assert " Brute loses 2 hp" in saga.explain(adjusted[0].seq)


def test_no_name_is_said_twice() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="h", resolve=5)
    enc.add("Nox", side="f", resolve=5)
    enc.start(rolls={"Ada": 6, "Nox": 1})
    enc.adjust("Ada", "resolve", -5)
    enc.adjust("Ada", "resolve", -3)
    told = [enc.explain(event.seq).splitlines()[0] for event in enc._events]
    assert not [line for line in told if "Ada Ada" in line]
    assert [line for line in told if "Ada is Wounded" in line and "Ada must answer" in line]


def test_endings_stand_in_the_log(saga: ck.Encounter) -> None:
    saga.condition("Guard", "poisoned", until="end of turn: Mara")
    saga.end_turn()
    assert "is no longer poisoned" in str(saga.log())


def test_a_reaction_counts_in_the_turn_it_came_in_and_for_whom_it_was(ap: ck.Encounter) -> None:
    ap.do("Ada", "attack", target="Orc")
    ap.do("Orc", "evade", outcome="failed")
    ap.do("Orc", "speak")
    while ap.pending:
        ap.resolve()
    turn = ap.history.turns.row(-1, named=True)
    assert (turn["combatant"], turn["actions"], turn["reactions"]) == ("Ada", 1, 1)
    rounds = ap.history.rounds.filter(combatant="Orc").row(0, named=True)
    assert (rounds["actions"], rounds["reactions"]) == (0, 1), "a word in another's turn costs nothing"


def segments() -> ck.Encounter:
    """Ann has declared a bolt; it is D1 of HIGH."""
    enc = ck.Encounter("segments", seed=1)
    enc.add("Ann", side="party", aac0=20)
    enc.add("Orc", side="foes", ac=9)
    enc.add_table("actions", [{"id": "bolt", "title": "Bolt", "tags": ["incantation"], "segments": 3}])
    enc.start()
    return enc


def test_the_row_of_a_cast_has_its_target_and_announcing_is_no_reaction() -> None:
    enc = segments()
    enc.do("Ann", "declare", spell="bolt")
    enc.end_turn(rolls={"party": [6], "foes": [1]})
    enc.do("Ann", "announce_target", target="Orc")
    while enc.active != "Ann":
        enc.end_turn()
    assert enc.do("Ann", "bolt")[0].target == "Orc"
    row = enc.history.rounds.filter(combatant="Ann").row(0, named=True)
    assert row["reactions"] == 0


def test_a_called_shot_that_comes_to_nothing_is_no_hit() -> None:
    enc = segments()
    enc.end_turn(rolls={"party": [6], "foes": [1]})
    enc.do("Ann", "called_shot", target="Orc", rolls={"attack": [15]})
    assert enc.history.rolls.filter(purpose="attack")["outcome"].to_list() == ["wasted"]


def test_no_word_gives_an_attack_a_target_where_nobody_is() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels")
    enc.start()
    for override in (False, True):
        with pytest.raises(ck.IllegalAction, match=r"^Nobody to target with Attack\."):
            enc.do("Mara", "attack", override=override)


# ── refusals that lead somewhere ──

TWO_SIDES = (("Ada", "h"), ("Bes", "h"), ("Nox", "f"))
SYSTEMS = ("saga", "d6", "ap", "segments", "phases")


def begun(system: str) -> ck.Encounter:
    enc = ck.Encounter(system, seed=1)
    for name, side in TWO_SIDES:
        enc.add(name, side=side)
    enc.start()
    return enc


@pytest.mark.parametrize("system", SYSTEMS)
def test_for_want_of_something_to_name_no_rule_of_the_action_is_against_it(system: str) -> None:
    enc = begun(system)
    catalogue = enc.ruleset.catalogue(enc._state)
    seen = 0
    for name, _ in TWO_SIDES:
        for option in enc.options(name):
            if option.allowed and option.needs:
                ruling = enc.can(name, option.action)
                said = {p.rule for p in catalogue[option.action].parameters if p.id in option.needs}
                assert not ruling.allowed
                assert set(ruling.rules) <= said, option.action
                seen += 1
    assert seen


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_reaction_with_nothing_to_answer_says_only_that(system: str) -> None:
    enc = begun(system)
    reasons = {
        option.reason
        for name, _ in TWO_SIDES
        for option in enc.options(name)
        if not option.allowed and "react" in option.reason
    }
    assert reasons <= {"Nothing to react to right now.", "You can't react on your own turn."}


def test_while_actions_are_declared_the_reason_says_from_when_one_may_act() -> None:
    ruling = begun("segments").can("Ada", "attack", target="Nox")
    assert ruling.reason == "The round is still being declared: nobody acts before step 3, Fast actions."


def test_whom_the_gm_did_not_ask_is_told_who_was(saga: ck.Encounter) -> None:
    saga.trigger("Mara", offers=("attack_of_opportunity",), to="Guard", text="runs past")
    assert saga.can("Brute", "attack_of_opportunity", target="Mara").reason.startswith("Only Guard can answer this: ")


def test_what_was_lost_is_not_said_to_be_spent() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Ann", side="h", hp=20)
    enc.add("Orc", side="f", hp=20)
    enc.start()
    enc.end_turn(rolls={"h": [1], "f": [6]})
    enc.end_turn()
    enc.do("Ann", "delay")
    ruling = enc.can("Ann", "attack", target="Orc")
    assert (ruling.reason, ruling.rule) == (
        "Ann has lost their major action to the delay in LOW.",
        "segments.delay.low",
    )


def test_a_slot_that_does_not_pay_is_said_with_the_feat_that_would_let_it() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="r")
    enc.add("Vex", side="e")
    enc.start(rolls={"Mara": 20, "Vex": 1})
    reason = enc.can("Mara", "draw_weapon", pay="swift").reason
    assert reason == "Draw weapon takes a swift action only with Quick Draw."


def test_what_is_simple_can_be_said_to_wait_for_its_place() -> None:
    enc = ck.Encounter("segments", seed=1)
    for name, side, speed in (("Ann", "h", 5), ("Orc", "f", 7)):
        enc.add(name, side=side, hp=20, weapons=[{"name": "sword", "speed": speed}], attacks=["MELEE: sword (1d8)"])
    enc.start()
    enc.end_turn(rolls={"h": [4], "f": [4]})
    assert enc.active == "Ann"
    enc.do("Ann", "declare", action="simple_activity")
    assert enc.active == "Orc"


def test_words_that_say_who_did_it_do_not_get_the_name_once_more(saga: ck.Encounter) -> None:
    events = saga.do("Guard", "talent_reaction", trigger="Mara runs past")
    assert "Mara: Mara" not in " ".join(event.text for event in events)
    assert any(event.text.startswith("Mara runs past") for event in events)


def test_whoever_was_still_asked_as_it_broke_off_is_not_said_to_have_let_it_go(ap: ck.Encounter) -> None:
    ap.do("Ada", "attack", target="Orc")
    draft = Draft(ap.ruleset, ap._state, 1)
    break_off(draft)
    texts = [event.text for event in draft.events if event.kind == "window_end"]
    assert texts == ["Ada attacks Orc: too late to react"]


def test_a_move_with_a_blow_asks_where_to_before_it_measures() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ace", side="h", combat_value=9, at=(0, 0))
    enc.add("Crow", side="v", combat_value=5, at=(4, 0))
    enc.start()
    ruling = enc.can("Ace", "move_by", target="Crow")
    assert (ruling.reason, ruling.rules) == ("Move by needs a place to go to.", ())


def test_a_turn_that_was_lost_was_lost_by_the_rule_that_took_it(saga: ck.Encounter) -> None:
    saga.end_turn()
    saga.join("Late", side="rebels", dex=6, rolls={"Late": 20})
    assert saga.can("Late", "move").rule == "saga.round.order"
    while saga.active != "Brute":
        saga.end_turn()
    saga.do("Brute", "ready", action="attack", target="Mara", trigger={"actor": "Mara", "action": "move"})
    while saga.active != "Mara":
        saga.end_turn()
    saga.do("Mara", "move")
    saga.do("Brute", "use_readied")
    ruling = saga.can("Brute", "move")
    assert (ruling.reason, ruling.rule) == (
        "Brute has no turn left this round; it's Mara's turn.",
        "saga.ready.count-moves",
    )


def test_what_is_told_at_the_table_is_english(saga: ck.Encounter) -> None:
    saga.do("Mara", "ready", action="attack", target="Guard", trigger={"actor": "Guard"})
    assert "readies an attack on Guard: " in str(saga.log())
    rifle = {"name": "rifle", "damage": "3d6"}
    assert saga.edit("Mara", weapons=[rifle])[0].text == "now has weapons: rifle"
    assert saga.edit("Mara", weapons=[{**rifle, "damage": "3d8"}])[0].text == "now has weapons: rifle"
    saga.condition("Guard", "dead")
    with pytest.raises(ck.IllegalAction, match="Guard is dead; take that off first"):
        saga.join("Guard")
    saga.join("Bo", side="rebels")
    saga.join("Cy", side="The Empire")
    never = saga.can("Mara", "ready", action="move", trigger={"actor": "Cy", "side": "rebels"}).reason
    assert never == "Cy is on another side than rebels, so this can never happen."
    saga.condition("Cy", "left")
    assert saga.condition("Cy", "left", off=True)[0].text == "is back"
    assert "Cy leaves the fight (by the GM); comes back (side: The Empire)" in str(saga.log()).replace("*", "")
    for cover in (2, 4):
        saga.condition("Mara", "cover", value=cover)
    assert "has cover: 2 (by the GM); has cover: 4 (by the GM)" in str(saga.log()), "and not that it ended between"
    saga.leave("Cy")
    assert str(saga.log()).count("leaves the fight (by the GM)") == 2, "by the condition, and by the call"
    told = str(saga.log())
    assert "Bo joins the fight (side: rebels); " in told
    assert "Cy joins the fight (side: The Empire); " in told


def test_what_there_can_be_at_most_is_a_number() -> None:
    enc = ck.Encounter("ap", seed=1)
    for name in ("Ann", "Bob"):
        enc.add(name, side=name, ap=4)
    enc.start()
    assert enc.edit("Ann", ap=1)[1].text == "can have at most 1 Action Point now"


def test_a_part_of_the_order_that_a_newcomer_passes_has_one_last() -> None:
    enc = ck.Encounter("phases", seed=3)
    for name in ("Ace", "Crow"):
        enc.add(name, side=name, combat_value=5)
    enc.start(ties=["Ace", "Crow"])
    told = [event.text for event in enc.join("Dirk", side="v", combat_value=5) if event.kind == "order"]
    assert told == [
        "is ahead of Ace: random draw, 15 over 3",
        "stays ahead of Crow",
        "comes last of those tied on 5",
    ]


def pair(**more: Any) -> ck.Encounter:
    enc = ck.Encounter("phases", seed=1, **more)
    enc.add("Ace", side="h", combat_value=6, at=(0, 0))
    enc.add("Crow", side="f", combat_value=5, at=(1, 0))
    enc.start()
    return enc


@pytest.mark.rule("phases.ready.step", "phases.atk.melee-adj")
def test_where_to_step_first_is_said_for_what_was_readied() -> None:
    enc = pair()
    enc.place("Crow", at=(2, 0))
    enc.do("Ace", "ready", action="strike", target="Crow", trigger={"actor": "Crow"})
    enc.end_turn()
    enc.do("Crow", "dodge")
    assert enc.can("Ace", "use_readied").reason == "That is out of reach: step to (1, 0) first."
    enc = pair()
    enc.do("Ace", "ready", action="half_move", trigger={"actor": "Crow"}, outcome="negated")
    enc.end_turn()
    enc.do("Crow", "dodge")
    assert enc.can("Ace", "use_readied").reason == "Say where Ace goes."


def test_what_is_spent_on_itself_is_said_once() -> None:
    enc = pair()
    enc.do("Ace", "1_hex_step", to=(0, 1))
    step = enc.can("Ace", "1_hex_step", to=(0, 2)).reason
    assert step == "Needs a 1-hex step; Ace has none left until the next phase."


def test_whom_something_may_provoke_is_asked_by_name() -> None:
    enc = pair()
    enc.do("Ace", "move_skill", rank="Acrobatics")
    assert enc.pending[0].about == "Ace uses a skill: may Crow attack? Usually this provokes."


def test_a_strike_at_somebody_out_of_reach_by_then_strikes_nobody() -> None:
    enc = pair()
    enc.do("Ace", "ready", action="half_move", to=(-2, 0), outcome="negated", trigger={"actor": "Crow"})
    enc.end_turn()
    enc.do("Crow", "strike", target="Ace")
    [stopped] = [e.text for e in enc.do("Ace", "use_readied") if e.kind == "stopped"]
    assert stopped == "strikes nobody: Ace is 3 hexes away; the reach of Crow is 1"


@pytest.mark.rule("phases.delay.next-phase")
def test_whoever_delays_past_the_phase_waits_into_the_next() -> None:
    enc = pair()
    enc.do("Ace", "delay")
    enc.end_turn()
    assert "waits into the next phase" in [e.text for e in enc.end_turn() if e.actor == "Ace"]
    assert "skips the turn" not in str(enc.log())


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
def test_a_condition_put_on_again_does_not_end_in_between(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    for name, side in (("Ada", "h"), ("Nox", "v")):
        enc.add(name, side=side)
    enc.start()
    enc.condition("Nox", "unconscious")
    said = [e.text for e in enc.condition("Nox", "unconscious", until="2 rounds") if e.text]
    assert said == ["is unconscious: what is said now holds from here on", "is unconscious"]
    assert "no longer" not in enc.log().markdown
    assert [c.until for c in enc["Nox"].conditions if c.id == "unconscious"] == [enc.ruleset.said_span("2 rounds")]


def test_what_casters_still_owe_is_said_in_one_way() -> None:
    enc = ck.Encounter("segments", seed=1)
    for name, side in (("Ann", "party"), ("Orc", "foes")):
        enc.add(name, side=side)
    enc.start()
    enc.do("Ann", "declare", action="invocation", spell_name="Rod of fire", segments=3)
    enc.end_turn(rolls={"party": [6], "foes": [1]})
    with pytest.raises(
        ck.IllegalAction, match=r"Ann must answer first: Casters announce their targets in D1 of HIGH\."
    ):
        enc.resolve()
    with pytest.raises(ck.IllegalAction, match=r"Casters announce their targets in D1 of HIGH\. Ann must answer first"):
        enc.end_turn()
    ended = [e.text for e in enc.do("Ann", "announce_target", target="Orc") if e.kind == "window_end"]
    assert ended == ["all have answered"]


def test_concentration_is_told_as_what_somebody_does() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Ann", side="party")
    enc.add("Orc", side="foes")
    enc.start()
    enc.condition("Ann", "concentration", value="a veil")
    assert enc.condition("Ann", "concentration", off=True)[0].text == "is no longer concentrating"


AT_OTHERS = [
    ("saga", "book", ("feint", "create_diversion", "grab", "disarm")),
    ("d6", None, ("talk", "attack")),
    ("ap", "ours", ("grapple", "bash", "disarm", "feint", "force_movement", "blind_opponent", "trip")),
    ("ap", "book", ("disarm", "force_movement")),
    ("segments", None, ("parley",)),
    ("phases", None, ("presence_attack", "strike")),
]


@pytest.mark.parametrize(("system", "actions", "ids"), AT_OTHERS)
def test_nobody_does_to_themselves_what_is_done_to_others(
    system: str, actions: str | None, ids: tuple[str, ...]
) -> None:
    enc = ck.Encounter(system, seed=1, options={"actions": actions} if actions else {})
    enc.add("Mara", side="heroes")
    enc.add("Vex", side="foes")
    enc.start()
    if system == "segments":
        enc.do("Mara", "declare", action="parley")
    while enc.active != "Mara":
        enc.end_turn()
    for id in ids:
        assert enc.can("Mara", id, target="Mara").reason == "Mara can't target themselves.", id
