"""Who may answer is asked in one way: first whom it concerns, and nobody twice."""

from __future__ import annotations

import re
from typing import Any

import pytest

import combatkit as ck
from combatkit.report.words import plain
from combatkit.widgets import Tracker
from combatkit.widgets._ask import AskChoices, _params, choices_answer
from combatkit.widgets._intents import hear
from combatkit.widgets._tracker_view import tracker_view
from combatkit.widgets._vantage import Vantage
from tests.windows_asked import seated

NUMBERS: dict[str, dict[str, Any]] = {
    "saga": {"dex": 2, "level": 4, "hp": 24, "defense": 15, "attack_bonus": 6},
    "phases": {"combat_value": 5, "stun": 22, "body": 9, "end": 20},
    "d6": {"initiative": 2, "resolve": 12, "defense": 12, "agility": 3},
    "ap": {"initiative_rating": 9, "hp": 20, "attack_bonus": 6, "defense": 14},
}
KEPT = {"saga": ("ready", "draw_weapon"), "d6": ("hold", "dash"), "phases": ("ready", "block")}
"""How something is kept ready for a trigger, and what a guard then does."""


def yard(system: str) -> ck.Encounter:
    enc = ck.Encounter(system, seed=5, id="yard")
    for name in ("Mara", "Ilya"):
        enc.add(name, side="rebels", npc=False, **NUMBERS[system])
    enc.add("Guard", side="empire", count=3, npc=True, **NUMBERS[system])
    enc.start()
    return enc


def kept(system: str, trigger: Any) -> tuple[ck.Encounter, Tracker]:
    """Give a moment at which a guard has done something that Mara waits for."""
    keep, deed = KEPT[system]
    enc = yard(system)
    while enc.active != "Mara":
        enc.end_turn()
    enc.do("Mara", keep, action="attack" if system != "phases" else "strike", trigger=trigger)
    while not str(enc.active).startswith("Guard") or not enc.can(str(enc.active), deed).allowed:
        enc.end_turn()
    enc.do(str(enc.active), deed)
    assert enc._state.window is not None
    return enc, Tracker(enc)


def acts(tracker: Tracker, name: str) -> list[str]:
    return [a["id"] for row in tracker.ladder.view["rows"].values() if row["name"] == name for a in row.get("acts", ())]


@pytest.mark.parametrize("system", KEPT)
def test_what_words_may_have_set_off_is_asked_beside_what_whoever_acts_can_do(system: str) -> None:
    enc, tracker = kept(system, "somebody does something")
    budget = tracker.budget.view
    assert tracker.view["windows"][0]["soft"]
    assert acts(tracker, "Mara")[-1] == "pass"
    assert (budget["name"], budget["asked"]["soft"]) == (enc.active, True)
    assert [other["name"] for other in budget["asked"]["then"]] == ["Mara"]
    assert budget["groups"], "what they can do is behind a line"
    before = enc.active
    tracker.budget._handle_msg(said({"kind": "pass", "name": "Mara"}))
    assert (enc._state.window, enc.active) == (None, before)


@pytest.mark.parametrize("system", KEPT)
def test_what_a_mapping_has_set_off_is_a_stop(system: str) -> None:
    _, tracker = kept(system, {"side": "empire", "action": KEPT[system][1]} if system != "d6" else {"action": "dash"})
    assert not tracker.view["windows"][0]["soft"]
    assert tracker.budget.view["name"] == "Mara"
    assert "soft" not in tracker.budget.view["asked"]
    assert acts(tracker, "Mara")[-1] == "pass"


def test_the_desk_says_what_alone_is_offered_and_what_was_waited_for() -> None:
    _, tracker = kept("saga", {"side": "empire", "action": "draw_weapon"})
    offered = tracker.budget.view["asked"]["text"]
    assert offered.startswith("Mara may use the readied attack: ")
    assert "draw" in offered.lower()
    _, tracker = kept("saga", "somebody does something")
    (other,) = tracker.budget.view["asked"]["then"]
    assert other["text"] == "The readied attack: somebody does something"
    enc = ck.Encounter("segments", seed=1, id="parting")
    enc.add("Bo", side="party", hp=9)
    enc.add("Orc", side="foes", npc=True, hp=9, weapons=[{"name": "long sword", "damage": "1d8"}])
    enc.start()
    enc.condition("Bo", "in_melee", value=["Orc"])
    enc.do("Bo", "declare", action="flee")
    enc.end_turn(rolls={"party": [5], "foes": [2]})
    while enc.active != "Bo":
        enc.end_turn()
    enc.do("Bo", "flee")
    assert Tracker(enc).budget.view["asked"]["text"] == "Orc may make a free attack on Bo."
    enc = yard("ap")
    attacker = str(enc.active)
    enc.do(attacker, "attack", target=next(name for name in enc.names if enc[name].side != enc[attacker].side))
    assert "text" not in Tracker(enc).budget.view["asked"], "of several, each has its own button"


def test_whoever_is_attacked_is_asked_and_the_others_are_a_line() -> None:
    enc = yard("ap")
    attacker = str(enc.active)
    target = next(name for name in enc.names if enc[name].side != enc[attacker].side)
    enc.do(attacker, "attack", target=target)
    tracker = Tracker(enc)
    asked = tracker.budget.view["asked"]
    assert (tracker.budget.view["name"], asked["then"], asked["others"]) == (target, [], 3)
    assert [name for name in enc.names if acts(tracker, name)] == [target]
    assert tracker.view["turn"]["sub"] == f"interrupted: {target} and 3 more may react"
    enc.do(target, "parry", outcome="foiled")
    budget = tracker.budget.view
    assert (budget["name"], budget["asked"]["answers"], budget["asked"]["others"]) == (attacker, [], 3)
    assert not any(acts(tracker, name) for name in enc.names)


def melee() -> ck.Encounter:
    """Give a round in which Bo is in melee with Dray, the Orc has fled, and Bo acts."""
    enc = ck.Encounter("segments", seed=1, id="melee")
    enc.add("Bo", side="party", hp=9, weapons=[{"name": "long sword", "damage": "1d8"}])
    for name in ("Orc", "Wolf", "Dray"):
        enc.add(name, side="foes", npc=True, hp=9)
    enc.start()
    enc.do("Orc", "declare", action="flee")
    enc.end_turn(rolls={"party": [5], "foes": [2]})
    assert enc.active == "Orc"
    enc.do("Orc", "flee")
    enc.end_turn()
    assert enc.active == "Bo"
    return enc


def test_who_is_in_the_same_melee_is_aimed_at_first_and_who_has_fled_last() -> None:
    enc = melee()

    def aimed() -> tuple[object, list[str]]:
        answer = choices_answer(Vantage(enc), AskChoices("Bo", "attack", {"weapon": "long sword"}, propose=True))
        target = next(param for param in answer["params"] if param["id"] == "target")
        return answer["given"]["target"], [str(value["value"]) for value in target["values"] if isinstance(value, dict)]

    assert aimed() == ("Wolf", ["Wolf", "Dray", "Orc"])
    enc.condition("Bo", "in_melee", value=["Dray"])
    assert aimed() == ("Dray", ["Dray", "Wolf", "Orc"])
    enc.condition("Bo", "in_melee", value=["Orc"])
    assert aimed() == ("Orc", ["Orc", "Wolf", "Dray"]), "who is in the melee again hasn't got away"


def test_who_has_fled_is_passed_over_and_not_named_as_next() -> None:
    enc = melee()
    seen = []
    while enc.clock.label.startswith("Round 1"):
        seen.append((str(enc.active), Tracker(enc).view["turn"]["sub"].partition(", then ")[2]))
        enc.end_turn()
    assert [who for who, _ in seen] == ["Bo", "Wolf", "Dray"]
    assert [after for _, after in seen] == ["Wolf", "Dray", "the next round"]


@pytest.mark.parametrize("system", ["d6", "saga", "ap", "phases"])
def test_a_friend_is_never_the_first_to_be_attacked(system: str) -> None:
    enc = yard(system)
    attacker = str(enc.active)
    friend = next(name for name in enc.names if enc[name].side == enc[attacker].side and name != attacker)
    attack = next(option.action for option in enc.options(attacker) if option.action in ("attack", "strike"))
    for name in enc.names:
        if enc[name].side != enc[attacker].side:
            enc.leave(name)
    tracker = Tracker(enc)
    asked = {"kind": "choices", "id": 1, "name": attacker, "action": attack, "params": {}, "propose": True}
    (answer,) = answers(tracker, asked)
    assert "target" not in answer.get("given", {})
    (target,) = [param for param in answer["params"] if param["id"] == "target"]
    assert all(each["aside"] == "Allies" for each in target["values"] if each["value"] == friend)


@pytest.mark.parametrize("system", ["d6", "phases"])
def test_a_call_for_reactions_that_asks_nobody_says_so(system: str) -> None:
    enc = yard(system)
    if system == "phases":
        for number, name in enumerate(enc.names):
            enc.place(name, at=(20 * number, 0))
    tracker = Tracker(enc)
    enc.trigger(str(enc.active), text="throws a bottle")
    assert enc._state.window is None
    assert "Nobody is asked" in str(tracker.view["result"]["sub"])


def test_a_refused_destination_leaves_whom_to_charge_as_it_was() -> None:
    enc = ck.Encounter("segments", id="yard", seed=7)
    for number, (name, side) in enumerate((("Vytas", "party"), ("Bo", "party"), ("Orc", "foes"))):
        enc.add(name, side=side, hp=20, aac0=18, ac=5, at=(number * 3, 0))
    enc.start()
    enc.do("Vytas", "declare", action="charge")
    while enc.active != "Vytas":
        enc.end_turn()
    asked = {"kind": "choices", "id": 1, "name": "Vytas", "action": "charge"}
    (empty,) = answers(Tracker(enc), {**asked, "params": {}})
    (wrong,) = answers(Tracker(enc), {**asked, "params": {"to": "next to him"}})
    assert wrong["params"] == empty["params"]
    assert (wrong["ruling"]["allowed"], wrong["ruling"]["param"]) == (False, "to")


def test_a_full_attack_asks_for_its_targets_and_the_dice_of_each_blow() -> None:
    enc = ck.Encounter("saga", seed=1)
    blade = {"name": "blade", "damage": "2d6+5", "attack": 7, "range": "melee"}
    enc.add("Ada", side="party", weapons=[blade])
    enc.add("Orc", side="foes", count=2, npc=True, hp=30, defense=15)
    enc.start(rolls={"Ada": 20, "Orc 1": 1, "Orc 2": 1})
    enc.table_dice = True
    asked = {"kind": "choices", "id": 1, "name": "Ada", "action": "full_attack"}
    for given in ({"target": ["Orc 1", "Orc 2"]}, {"target": ["Orc 1"], "attacks": 2}):
        (answer,) = answers(Tracker(enc), {**asked, "params": given})
        (target,) = [param for param in answer["params"] if param["id"] == "target"]
        assert (target["type"], "attacks" in [param["id"] for param in answer["params"]]) == ("many", True)
        assert {each["purpose"]: each["sides"] for each in answer["dice"]} == {"attack": [20, 20], "damage": [6] * 4}
        missed = {**asked, "params": given, "rolls": {"attack": [2, 12]}}
        (answer,) = answers(Tracker(enc), missed)
        assert {each["purpose"]: len(each["sides"]) for each in answer["dice"]} == {"attack": 2, "damage": 2}


def said(content: Any) -> dict[str, Any]:
    return {"content": {"data": {"method": "custom", "content": content}}, "buffers": []}


def answers(tracker: Tracker, content: Any) -> list[Any]:
    answer = hear(tracker._vantage, content)
    return [] if answer is None else [answer]


def test_what_may_be_left_out_is_not_to_blame_for_what_stands_in_the_way_without_it() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ace", side="h", combat_value=9, at=(5, 0), weapons=[{"name": "sword", "damage": "1d6"}])
    enc.add("Crow", side="v", combat_value=5, at=(0, 0))
    enc.start()
    answer = choices_answer(Vantage(enc), AskChoices("Ace", "strike"))
    far = "Crow is 5 hexes away; the reach of the sword is 1. "
    assert answer["ruling"]["reason"][0] == f"No target is possible: {far}"
    fields = {field["id"]: field for field in answer["params"]}
    assert [each["why"][0] for each in fields["target"]["no"]] == [far], "who is too far is said once"
    assert (fields["weapon"]["values"], "no" in fields["weapon"]) == (["sword"], False)
    assert (fields["outcome"]["values"], "no" in fields["outcome"]) == (["hit", "miss"], False)
    assert [each["why"][0] for each in fields["option"]["no"]] == ["Ace has no weapon with a range. "], "its own reason"


@pytest.mark.parametrize(("system", "action"), [("saga", "ready"), ("d6", "hold"), ("phases", "ready")])
def test_at_a_seat_an_empty_box_without_which_nothing_is_sent_says_what_it_is_for(system: str, action: str) -> None:
    """The button beneath it does nothing, and said nothing of why."""
    enc = ck.Encounter(system, seed=5)
    enc.add("Mara", side="rebels", **NUMBERS[system])
    enc.start()
    anna = seated(enc, Anna="Mara")["Anna"]
    answer = choices_answer(anna._vantage, AskChoices("Mara", action, {"action": "free_action"}))
    (trigger,) = [param for param in answer["params"] if param["id"] == "trigger"]
    assert (trigger["required"], trigger["example"]) == (True, "Say what Mara waits for.")


def test_an_empty_box_is_never_shown_with_a_field_that_nothing_fills() -> None:
    enc = ck.Encounter("phases", seed=5)
    enc.add("Ada", side="rebels", **NUMBERS["phases"])
    enc.add("Vex", side="empire", **NUMBERS["phases"])
    enc.start()
    vantage = seated(enc, Anna="Ada")["Anna"]._vantage
    asked = _params(vantage, vantage.now, "Ada", enc.ruleset.actions["use_readied"], {})
    assert "to" in [param["id"] for param in asked]
    assert [param["example"] for param in asked if "{" in str(param.get("example"))] == []


@pytest.mark.parametrize("system", ["saga", "phases"])
def test_a_weapon_that_does_not_reach_is_refused_with_why_though_it_is_chosen(system: str) -> None:
    enc = ck.Encounter(system, seed=5)
    arms = [{"name": "axe", "damage": "1d6", "range": "melee" if system == "saga" else 0}]
    arms.append({"name": "bow", "damage": "1d6"} if system == "saga" else {"name": "bow", "damage": "1d6", "range": 30})
    enc.add("Mara", side="rebels", at=(0, 0), weapons=arms, **NUMBERS[system])
    enc.add("Guard", side="empire", at=(6, 0), **NUMBERS[system])
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    action = "strike" if system == "phases" else "attack"
    asked = AskChoices("Mara", action, {"target": "Guard", "weapon": "axe"})
    (weapon,) = [param for param in choices_answer(Vantage(enc), asked)["params"] if param["id"] == "weapon"]
    assert weapon["values"] == ["bow"]
    (barred,) = weapon["no"]
    assert barred["values"] == ["axe"]
    assert "Guard is 6" in str(barred["why"][0])


@pytest.mark.parametrize(("system", "action"), [("saga", "move"), ("ap", "dash"), ("phases", "full_move")])
def test_a_destination_is_shown_by_the_nearest_free_place_beside_a_foe_who_is_seen(system: str, action: str) -> None:
    enc = yard(system)
    for name, at in {"Mara": (0, 0), "Ilya": (-5, 1), "Guard 1": (-6, 2), "Guard 2": (2, 0), "Guard 3": (3, 3)}.items():
        enc.place(name, at=at)
    enc.condition("Guard 2", "hidden")
    enc.condition("Guard 3", "dead")

    def asked() -> tuple[str, str, object]:
        shown = choices_answer(Vantage(enc), AskChoices("Mara", action))["params"]
        return next((each["hint"], each["example"], each.get("near")) for each in shown if each["id"] == "to")

    assert asked() == ("Mara is at (0, 0)", "(\N{MINUS SIGN}5, 2)", [["(\N{MINUS SIGN}5, 2)", "next to Guard 1"]])
    enc.condition("Guard 1", "dead")
    assert asked() == ("Mara is at (0, 0)", "(1, 0)", None)


def test_who_decides_whether_a_parry_worked_is_said() -> None:
    enc = yard("ap")
    enc.do(enc.active or "", "attack", target=next(name for name in enc.names if name != enc.active), outcome="hit")
    window = enc._state.window
    assert window is not None
    shown = choices_answer(Vantage(enc), AskChoices(window.bids[0].who, "parry"))["params"]
    title = "Parry: did it work? The rules name no roll; roll as your table does, then say."
    assert title in [each["title"] for each in shown]
    enc.do(window.bids[0].who, "parry", outcome="foiled")
    if enc._state.window is not None:  # others may still react: who parried is the news all the same
        result = tracker_view(Vantage(enc))["result"]
        assert plain(result["text"]) == f"{window.bids[0].who} parries. {window.bids[0].who} foils it."
        assert result["news"]


@pytest.mark.parametrize(("system", "action"), [("ap", "dash"), ("saga", "move"), ("phases", "full_move")])
def test_who_is_too_far_to_be_reached_is_gone_towards_or_no_rule_says_how_far(system: str, action: str) -> None:
    enc = ck.Encounter(system, seed=7)
    enc.add("Ada", side="red", at=(0, 0))
    enc.add("Bo", side="blue", at=(90, 0))
    enc.start()
    while enc.active != "Ada":
        enc.end_turn()
    shown = choices_answer(Vantage(enc), AskChoices("Ada", action))["params"]
    (to,) = [each for each in shown if each["id"] == "to"]
    if system == "ap":
        assert to["hint"] == "Ada is at (0, 0); the rules set no limit, the table says how far"
        assert to["near"][0][1] == "next to Bo"
    else:
        ((spot, words),) = to["near"]
        assert (spot[:3], words) == ("(6,", "towards Bo")
        assert enc.can("Ada", action, to=spot).allowed
        assert not enc.can("Ada", action, to="(7, 0)").allowed


@pytest.mark.parametrize("typed", ["5 0", "5,0", "(5 0)", "( 5 ; 0 )", "5/0"])
def test_a_square_is_read_however_its_two_numbers_are_set_apart(typed: str) -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Ada", side="red", at=(0, 0))
    enc.start()
    enc.do("Ada", "dash", to=typed)
    assert enc["Ada"].position == (5, 0)


def test_the_gms_answers_are_words_of_the_table() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ace", side="h", combat_value=6, at=(0, 0))
    enc.add("Crow", side="f", combat_value=5, at=(1, 0))
    enc.start()
    enc.do("Ace", "half_move", to=(0, 1))
    told = [["failed", "They may attack"], ["negated", "No attack of opportunity"]]
    tracker = Tracker(enc)
    assert tracker.view["windows"][0]["rows"][-1]["choices"] == tracker.budget.view["asked"]["choices"] == told
    enc = ck.Encounter("segments", seed=1)
    enc.add("Ann", side="party", hp=9, aac0=12)
    enc.add("Orc", side="foes", npc=True, hp=9)
    enc.start()
    enc.end_turn(rolls={"party": [6], "foes": [1]})
    enc.do("Ann", "called_shot", target="Orc", rolls={"attack": [20]})
    counts = [["some result", "It counts"], ["wasted", "It is lost"]]
    assert Tracker(enc).view["windows"][0]["rows"][-1]["choices"] == counts


def test_a_round_that_ends_says_so() -> None:
    enc = ck.scene("catwalk").encounter("segments", seed=7)
    tracker = Tracker(enc)
    while enc.clock.round == 1:
        enc.end_turn()
    assert "".join(tracker.view["result"]["sub"]) == "The round ends. Initiative will be rolled anew."


def test_a_step_that_is_taken_is_spent() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ace", side="h", combat_value=6, at=(0, 0))
    enc.start()
    enc.do("Ace", "1_hex_step", to=(0, 1))
    row = Tracker(enc).budget.view["action"]["1_hex_step"]
    assert (row["title"], row["cost"]) == ("1-hex step", "spent")


def test_those_who_are_attacked_are_warded_once() -> None:
    """After a foil nobody is said to have what wards off what is foiled already."""
    enc = yard("ap")
    attacker = str(enc.active)
    target = next(name for name in enc.names if enc[name].side != enc[attacker].side)
    enc.do(attacker, "attack", target=target)
    assert "off turn: parry" in str(Tracker(enc).ladder.view["rows"])
    enc.do(target, "parry", outcome="foiled")
    told = str(Tracker(enc).ladder.view["rows"])
    assert "off turn: counter-attack, aim" in told
    assert "off turn: parry" not in told


@pytest.mark.parametrize("does", ["dodge", "block"])
def test_a_guard_the_rules_give_no_number_for_is_named_where_it_is_attacked(does: str) -> None:
    def told(enc: ck.Encounter) -> str:
        vantage = Vantage(enc)
        answer = choices_answer(vantage, AskChoices(name="Guard 1", action="strike", params={"target": "Mara"}))
        return " ".join(part for part in answer.get("foretold", []) if isinstance(part, str))

    def until(enc: ck.Encounter, name: str) -> None:
        while enc.active != name:
            enc.end_turn()

    enc = yard("phases")
    until(enc, "Guard 1")
    assert "Mara" not in told(enc)
    enc.do("Mara", "abort", action=does)
    assert told(enc).endswith(f"Mara {does}s: the GM counts what that is worth.")
    until(enc, "Mara")
    until(enc, "Guard 1")
    assert "Mara" not in told(enc), "their turn has come"

    enc = ck.Encounter("phases", seed=5)
    worth = {"dodge": 3, "block": 2}
    enc.add_table("manoeuvres", [{"id": id, "title": id, "ocv": 0, "dcv": dcv} for id, dcv in worth.items()])
    for name, side in (("Mara", "rebels"), ("Guard 1", "empire")):
        enc.add(name, side=side, **NUMBERS["phases"])
    enc.start()
    until(enc, "Guard 1")
    needed = enc.can("Guard 1", "strike", target="Mara").needed or 0
    enc.do("Mara", "abort", action=does)
    assert enc.can("Guard 1", "strike", target="Mara").needed == needed + worth[does]
    assert "the GM counts" not in told(enc)


def test_whoever_is_flat_footed_is_left_to_the_gm_to_count() -> None:
    enc = ck.Encounter("saga", seed=3)
    enc.add("Mara", side="rebels", dex=2, attack_bonus=4)
    enc.add("Guard", side="empire", npc=True, dex=1, defense=14)
    enc.start(surprised=["Guard"])

    def told() -> str:
        answer = choices_answer(Vantage(enc), AskChoices(name="Mara", action="attack", params={"target": "Guard"}))
        return plain(answer.get("foretold", []))

    assert re.fullmatch(r"(.*[^.]\. )?Guard is flat footed: the GM counts what that is worth\.", told())
    enc.condition("Guard", "flat_footed", off=True)
    enc.condition("Guard", "flat_footed", modifiers={"defense": -1})
    assert "the GM counts" not in told(), "somebody has said how much"


def test_ones_own_zone_is_said_and_a_move_there_stays_within_it() -> None:
    enc = ck.scene("bridge").encounter("d6", seed=7)
    who = str(enc.active)
    assert ck.ActionBudget(enc, who).view["caption"] == "Defense 14 · Zone 1"
    (to,) = [each for each in choices_answer(Vantage(enc), AskChoices(who, "move"))["params"] if each["id"] == "to"]
    assert to["values"] == [{"value": "Zone 1", "label": ["within Zone 1"]}, "Zone 2"]


def test_spells_that_a_table_brings_stand_before_a_spell_without_a_name() -> None:
    spells = [{"id": id, "title": id, "tags": ["incantation"], "segments": 1} for id in ("sleep", "dazzle")]

    def order(**tables: Any) -> list[str]:
        enc = ck.Encounter("segments", seed=4, tables=tables)
        enc.add("Mara", side="party", hp=9)
        enc.start()
        answer = choices_answer(Vantage(enc), AskChoices(name="Mara", action="declare"))
        (param,) = [param for param in answer["params"] if param["id"] == "action"]
        return [str(each["value"] if isinstance(each, dict) else each) for each in param["values"]]

    plain_order = order()
    at = plain_order.index("incantation")
    assert order(actions=spells) == [*plain_order[:at], "sleep", "dazzle", *plain_order[at:]]


def test_of_a_routine_it_is_foretold_once_what_each_blow_needs() -> None:
    enc = ck.Encounter("segments", seed=4)
    enc.add("Bear", side="woods", aac0=15, ac=8, hp=14, attacks="MELEE: 2 claws (1d8/1d8) and bite (2d6)")
    enc.add("Mara", side="party", aac0=19, ac=8, hp=50)
    enc.start()
    enc.end_turn(rolls={"woods": [5], "party": [2]})
    answer = choices_answer(Vantage(enc), AskChoices(name="Bear", action="attack", params={"target": "Mara"}))
    assert plain(answer["foretold"]).startswith("3 \N{MULTIPLICATION SIGN} 1d20: 7 or more hits")
    blows = [event for event in enc.do("Bear", "attack", target="Mara") if event.kind == "attack"]
    assert [event.data["needed"] for event in blows] == [7, 7, 7]


def test_a_place_is_read_as_it_is_told() -> None:
    enc = ck.Encounter("phases", seed=3)
    for name, side, at in (("Mara", "a", (-3, -2)), ("Orc", "b", (-6, -2))):
        enc.add(name, side=side, at=at, movement=6)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    shown = choices_answer(Vantage(enc), AskChoices("Mara", "half_move"))["params"]
    (to,) = [param for param in shown if param["id"] == "to"]
    told = [to["example"], *(spot for spot, _ in to["near"])]
    assert to["hint"].startswith("Mara is at (\N{MINUS SIGN}3, \N{MINUS SIGN}2)")
    assert all("-" not in spot for spot in told), told
    enc.do("Mara", "half_move", to=to["near"][0][0])
    assert enc["Mara"].position == (-5, -2)
