"""D6: what a turn holds, the cap, zones and moving, holding an action, escape."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

import combatkit as ck
from combatkit.core.model import State
from tests.systems.d6_table import BLASTER, LINE, cites, fight, kinds, npc, offered, only, pc
from tests.systems.table import counts, holds, last, left, order, refused, to_round, turns


def docks(**options: Any) -> ck.Encounter:
    """Mara in Z1, Ossik beside her in Z2, Vex at Medium in Z3."""
    people = {"Mara": pc(9, at="Z1", hide=2), "Ossik": pc(7, at="Z2"), "Vex": npc(5, at="Z3")}
    return fight(people, map=LINE, options=options)


# ── the turn ──


@pytest.mark.rule("d6.turn.any-order")
@pytest.mark.parametrize("parts", list(permutations(("move", "attack", "free_action", "pick_up", "talk"))))
def test_the_parts_of_a_turn_come_in_any_order(parts: tuple[str, ...]) -> None:
    enc = fight({"Mara": pc(9, free_actions=1), "Vex": npc(7, resolve=100)})
    for part in parts:
        enc.do("Mara", part, target="Vex" if part == "attack" else None)
    assert left(enc, "Mara") == {"move": 0, "action": 0, "free": 0, "cap": 0, "object": 0}


@pytest.mark.rule("d6.turn.move")
def test_one_move_a_turn_to_an_adjacent_range() -> None:
    enc = docks()
    assert left(enc, "Mara")["move"] == 1
    assert refused(enc, "Mara", "move", to="Z3").rule == "d6.turn.move"
    assert refused(enc, "Mara", "move", to=["Z2", "Z3"]).rule == "d6.turn.move"
    enc.do("Mara", "move", to="Z2")
    assert enc["Mara"].position == "Z2"
    assert left(enc, "Mara")["move"] == 0
    assert left(enc, "Mara")["action"] == 1, "a Move is no Action"
    assert refused(enc, "Mara", "move", to="Z3").rule == "d6.turn.move"


@pytest.mark.rule("d6.turn.action")
@pytest.mark.parametrize("second", ["attack", "defend", "dash", "use_item", "use_skill", "aim", "help", "hold"])
def test_one_action_a_turn(second: str) -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    enc.do("Mara", "use_item", option="medpac")
    ruling = refused(enc, "Mara", second)
    assert ruling.rule == "d6.turn.action"
    assert "Use an Item" in ruling.reason


@pytest.mark.rule("d6.turn.free")
def test_free_actions_for_those_who_have_any() -> None:
    enc = fight({"Mara": pc(9, free_actions=["Quick Draw"]), "Ossik": pc(7)})
    assert [c.value for c in enc.choices("Mara", "free_action") if c.param == "option"] == ["Quick Draw"]
    enc.do("Mara", "free_action", option="Quick Draw")
    assert left(enc, "Mara") == {"move": 1, "action": 1, "free": 0, "cap": 1, "object": 1}
    assert refused(enc, "Mara", "free_action").rule == "d6.turn.free"
    enc.end_turn()
    ruling = refused(enc, "Ossik", "free_action")
    assert (ruling.rule, ruling.reason) == ("d6.turn.free", "Ossik has no Free Actions.")


@pytest.mark.rule("d6.turn.free")
def test_free_actions_that_are_named_are_those_and_no_others_each_once() -> None:
    enc = fight({"Mara": pc(9, free_actions=["quick draw", "spot"]), "Vex": npc(7)})
    assert refused(enc, "Mara", "free_action").reason == "Free Action needs an option: quick draw or spot."
    ruling = refused(enc, "Mara", "free_action", option="juggle")
    assert (ruling.rule, ruling.reason) == (
        "d6.turn.free",
        "Mara has no Free Action 'juggle', only quick draw, spot.",
    )
    enc.do("Mara", "free_action", option="spot")
    ruling = refused(enc, "Mara", "free_action", option="spot")
    assert (ruling.rule, "Mara has already used spot this turn" in ruling.reason) == ("d6.turn.free", True)
    listed = [(c.value, c.ruling.allowed) for c in enc.choices("Mara", "free_action") if c.param == "option"]
    assert listed == [("quick draw", True), ("spot", False)]
    assert [(s.id, s.total, s.left) for s in enc.budget("Mara")][2] == ("free", 2, 1)
    to_round(enc, 2, "Mara")
    enc.do("Mara", "free_action", option="spot")
    enc.do("Mara", "free_action", option="quick draw")


@pytest.mark.rule("d6.turn.free")
def test_of_free_actions_that_are_only_counted_any_may_be_taken_and_one_named_twice_twice() -> None:
    enc = fight({"Mara": pc(9, free_actions=2), "Vex": npc(7)})
    for _ in range(2):
        enc.do("Mara", "free_action", option="juggle")
    enc = fight({"Mara": pc(9, free_actions=["spot", "spot"]), "Vex": npc(7)})
    for _ in range(2):
        enc.do("Mara", "free_action", option="spot")


@pytest.mark.rule("d6.turn.talk")
def test_a_brief_conversation_costs_nothing() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    before = left(enc, "Mara")
    enc.do("Mara", "talk", target="Vex", note="give up")
    assert left(enc, "Mara") == before
    enc.do("Mara", "use_item")
    enc.do("Mara", "talk")
    assert refused(enc, "Vex", "talk").rule == "d6.init.desc"


@pytest.mark.rule("d6.turn.object")
@pytest.mark.parametrize("first", ["pick_up", "swap_held_item"])
def test_one_of_picking_up_and_swapping_once_a_turn(first: str) -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    enc.do("Mara", first)
    assert left(enc, "Mara") == {"move": 1, "action": 1, "free": 0, "cap": 2, "object": 0}
    for second in ("pick_up", "swap_held_item"):
        assert refused(enc, "Mara", second).rule == "d6.turn.object"
    to_round(enc, 2, "Mara")
    assert enc.can("Mara", "swap_held_item").allowed


@pytest.mark.rule("d6.turn.cap-two")
def test_two_actions_a_turn_free_actions_counted_in() -> None:
    enc = fight({"Mara": pc(9, free_actions=2), "Vex": npc(7)})
    enc.do("Mara", "free_action")
    enc.do("Mara", "free_action")
    assert left(enc, "Mara") == {"move": 1, "action": 0, "free": 0, "cap": 0, "object": 1}
    assert refused(enc, "Mara", "use_item").rule == "d6.turn.cap-two", "although the Action itself is not spent"
    assert enc.can("Mara", "move").allowed, "a Move is none"
    assert enc.can("Mara", "pick_up").allowed
    to_round(enc, 2, "Mara")
    assert left(enc, "Mara")["cap"] == 2


def test_one_action_and_one_free_action_fill_the_cap() -> None:
    enc = fight({"Mara": pc(9, free_actions=2), "Vex": npc(7)})
    enc.do("Mara", "use_item")
    enc.do("Mara", "free_action")
    assert left(enc, "Mara")["free"] == 0
    assert refused(enc, "Mara", "free_action").rule == "d6.turn.cap-two"


@pytest.mark.rule("d6.turn.cap-own-turn")
def test_a_held_action_on_anothers_turn_is_outside_the_cap() -> None:
    enc = fight({"Mara": pc(9, free_actions=1), "Vex": npc(7)})
    enc.do("Mara", "free_action")
    enc.do("Mara", "hold", action="attack", trigger={"actor": "Vex"})
    assert left(enc, "Mara")["cap"] == 0
    enc.do("Vex", "use_item")
    events = enc.do("Mara", "use_held", target="Vex", rolls={"attack": [1, 1, 1, 1]})
    assert cites(events, "d6.turn.cap-own-turn")
    assert (enc.active, left(enc, "Mara")["cap"]) == ("Vex", 0)


@pytest.mark.rule("d6.turn.cap-momentum")
def test_gain_momentum_gives_one_more_action_and_lifts_the_cap() -> None:
    enc = fight({"Mara": pc(9, free_actions=1), "Vex": npc(7, resolve=100)})
    enc.do("Mara", "free_action")
    events = enc.do("Mara", "attack", target="Vex", destiny="gain_momentum")
    assert cites(events, "d6.turn.cap-momentum")
    assert [(s.id, s.total, s.left) for s in enc.budget("Mara")] == [
        ("move", 1, 1),
        ("action", 2, 1),
        ("free", 1, 0),
        ("cap", 3, 1),
        ("object", 1, 1),
    ]
    enc.do("Mara", "attack", target="Vex")
    assert left(enc, "Mara")["cap"] == 0
    assert refused(enc, "Mara", "attack", target="Vex").rule == "d6.turn.cap-two"
    to_round(enc, 2, "Mara")
    assert [(s.id, s.total) for s in enc.budget("Mara")][1:4] == [("action", 1), ("free", 1), ("cap", 2)]


def test_without_momentum_the_same_attack_leaves_nothing() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, resolve=100)})
    enc.do("Mara", "attack", target="Vex")
    assert refused(enc, "Mara", "attack", target="Vex").rule == "d6.turn.action"
    with pytest.raises(ck.UnknownName, match="gain_momentum"):
        enc.can("Mara", "attack", target="Vex", destiny="gain_momentun")


def test_momentum_off_ones_turn_has_no_cap_to_lift() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, resolve=100)})
    enc.do("Mara", "hold", action="attack", trigger={"actor": "Vex"})
    enc.do("Vex", "move")
    events = enc.do("Mara", "use_held", target="Vex", destiny="gain_momentum")
    (told,) = kinds(events, "fact")
    assert (told.actor, told.text) == ("Mara", "gains momentum, but has no turn to use it in"), "it is not passed over"
    assert told.rules == ("d6.turn.cap-momentum",)
    assert left(enc, "Mara") == {"move": 1, "action": 0, "free": 0, "cap": 1, "object": 1}


def test_a_destiny_table_says_which_faces_bring_momentum() -> None:
    rows = [{"id": "gain_momentum", "faces": [19, 20]}, {"id": "reversal", "faces": [1], "effect": "dramatic_reversal"}]
    enc = fight({"Mara": pc(9), "Vex": npc(7, resolve=100)}, tables={"destiny": rows})
    events = enc.do("Mara", "attack", target="Vex", rolls={"destiny": [19]})
    assert [e.data["outcome"] for e in kinds(events, "roll")] == ["gain_momentum"]
    assert left(enc, "Mara")["action"] == 1
    events = enc.do("Mara", "attack", target="Vex", rolls={"destiny": [1]})
    assert [e.data["outcome"] for e in kinds(events, "roll")] == ["dramatic_reversal"]
    assert left(enc, "Mara")["action"] == 0
    with pytest.raises(ck.InvalidInput, match="faces"):
        enc.add_table("destiny", [{"id": "vicious", "faces": [21]}])


# ── Dash, items, skills ──


@pytest.mark.rule("d6.act.dash")
def test_move_and_dash_cross_two_zones() -> None:
    enc = docks()
    assert refused(enc, "Mara", "dash", to="Z3").rule == "d6.act.dash"
    enc.do("Mara", "move", to="Z2")
    events = enc.do("Mara", "dash", to="Z3")
    assert enc["Mara"].position == "Z3"
    assert only(events, "move").data == {"from": "Z2", "to": "Z3"}
    assert left(enc, "Mara") == {"move": 0, "action": 0, "free": 0, "cap": 1, "object": 1}


@pytest.mark.rule("d6.act.item")
def test_using_an_item_is_an_action() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    events = enc.do("Mara", "use_item", option="medpac", target="Vex", note="on her own arm")
    assert events[0].data["params"]["option"] == "medpac"
    assert events[0].note == "on her own arm"
    assert events[0].rules == ("d6.act.item",)
    assert left(enc, "Mara")["action"] == 0


@pytest.mark.rule("d6.act.skill")
def test_using_a_skill_rolls_the_attribute_named() -> None:
    enc = fight({"Mara": pc(9, attributes={"might": "3D+1", "wits": "2D"}, athletics=2), "Vex": npc(7)})
    assert enc.can("Mara", "use_skill", option="might", rank="athletics").notation == "3D+3"
    events = enc.do("Mara", "use_skill", option="might", rank="athletics", rolls={"skill": [4, 5, 6]})
    roll = only(events, "roll")
    assert roll.amount == 4 + 5 + 6 + 1 + 2
    assert roll.data["notation"] == "3D+3"
    assert roll.data["modifiers"] == {"pips": 1, "athletics": 2}
    assert left(enc, "Mara")["action"] == 0
    with pytest.raises(ck.UnknownName, match="'might'"):
        enc.can("Mara", "use_skill", option="migth")


@pytest.mark.rule("d6.act.skill.examples")
def test_a_use_the_text_lists_may_be_named_where_attributes_are_stated_and_rolls_none_of_them() -> None:
    enc = fight({"Mara": pc(9, attributes={"might": "3D+1"}), "Vex": npc(7)})
    listed = [c.value for c in enc.choices("Mara", "use_skill") if c.param == "option"]
    assert listed == ["might", *ck.ruleset("d6").actions["use_skill"].facts["examples"]]
    assert enc.can("Mara", "use_skill", option="slice a console").notation is None
    events = enc.do("Mara", "use_skill", option="slice a console")
    assert (kinds(events, "roll"), events[0].data["params"]) == ([], {"option": "slice a console"})
    to_round(enc, 2, "Mara")
    with pytest.raises(ck.UnknownName, match=r"use of a skill 'splice a console'.*slice a console"):
        enc.do("Mara", "use_skill", option="splice a console")
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    enc.do("Mara", "use_skill", option="hum a tune")  # without attributes any words will do


@pytest.mark.rule("d6.act.skill.examples")
def test_the_uses_of_a_skill_the_text_lists_are_one_action() -> None:
    action = ck.ruleset("d6").actions["use_skill"]
    words = ck.ruleset("d6").rules["d6.act.skill.examples"].text
    listed = ("slicing", "door", "chasm", "grappling", "Force", "ramming")
    for example, word in zip(action.facts["examples"], listed, strict=True):
        assert word in words
        enc = fight({"Mara": pc(9), "Vex": npc(7)})
        events = enc.do("Mara", "use_skill", target="Vex", note=example)
        assert events[0].note == example
        assert "d6.act.skill.examples" in events[0].rules


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("use_item", "uses an item on Vex"),
        ("use_skill", "uses a skill on Vex"),
        ("talk", "has a brief conversation with Vex"),
        ("attack", "attacks Vex"),
        ("help", "stands ready to help Vex"),
    ],
)
def test_what_is_done_to_somebody_reads_as_a_sentence(action: str, text: str) -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    assert enc.do("Mara", action, target="Vex")[0].text == text


def test_what_is_held_for_somebody_is_aimed_at_them() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    events = enc.do("Mara", "hold", action="attack", trigger="Vex moves", target="Vex")
    assert events[0].text == "holds an action aimed at Vex"


# ── zones ──


@pytest.mark.rule("d6.zone.relative")
def test_range_is_counted_in_zones_from_each_character() -> None:
    enc = docks()
    assert enc.distance("Mara", "Ossik") == ck.Distance(1, "short")
    assert enc.distance("Mara", "Vex") == ck.Distance(2, "medium")
    assert enc.distance("Ossik", "Vex") == ck.Distance(1, "short")
    enc.do("Mara", "move", to="Z2")
    assert enc.distance("Mara", "Ossik") == ck.Distance(0, "close")
    assert enc.distance("Mara", "Vex") == ck.Distance(1, "short")


def test_zones_are_a_graph_and_the_shortest_way_counts() -> None:
    ring = [("A", "B"), ("B", "C"), ("C", "D"), ("D", "E"), ("E", "A"), ("X", "Y")]
    enc = fight({"Mara": pc(9, at="A"), "Vex": npc(7, at="D"), "Bo": npc(6, at="X")}, map=ring)
    assert enc.distance("Mara", "Vex") == ck.Distance(2, "medium")
    found = enc.distance("Mara", "Bo")
    assert found is not None
    assert found.band == "extreme", "no way leads there"


def test_without_positions_everybody_is_at_short_and_the_move_is_tracked() -> None:
    enc = fight({"Mara": pc(9, free_actions=1), "Vex": npc(7)})
    assert enc.distance("Mara", "Vex") is None
    assert enc.can("Mara", "attack", target="Vex").notation == "4D+1", "no penalty at Short"
    enc.do("Mara", "move")
    assert refused(enc, "Mara", "move").rule == "d6.turn.move"


@pytest.mark.rule("d6.zone.move-cost")
def test_going_to_another_zone_costs_the_move() -> None:
    enc = docks()
    ruling = enc.can("Mara", "move", to="Z2")
    assert (ruling.allowed, ruling.cost) == (True, "Move")
    events = enc.do("Mara", "move", to="Z2")
    assert events[0].data["paid"] == {"move": 1}
    assert "d6.zone.move-cost" in events[0].rules


@pytest.mark.rule("d6.range.close.free-move")
def test_moving_within_ones_own_zone_costs_no_move() -> None:
    enc = docks()
    for _ in range(3):
        events = enc.do("Mara", "move", to="Z1")
        assert not kinds(events, "move")
    assert left(enc, "Mara")["move"] == 1
    enc.do("Mara", "move", to="Z2")
    assert enc.can("Mara", "move", to="Z2").allowed
    assert refused(enc, "Mara", "dash", to="Z2").rule == "d6.range.close.free-move"


@pytest.mark.rule("d6.range.close.same")
def test_close_is_ones_own_zone() -> None:
    enc = fight({"Mara": pc(9, at="Z1"), "Vex": npc(7, at="Z1")}, map=LINE)
    assert enc.distance("Mara", "Vex") == ck.Distance(0, "close")


@pytest.mark.rule("d6.zone.order")
def test_bands_from_near_to_far() -> None:
    at = {f"Foe {n}": npc(7, at=f"Z{n}") for n in range(6)}
    enc = fight({"Mara": pc(9, at="Z0"), **at}, map=LINE)
    bands = [found.band for name in at if (found := enc.distance("Mara", name))]
    assert bands == ["close", "short", "medium", "long", "extreme", "extreme"]
    (strip,) = enc.ruleset.presentation.now(enc._state).strips
    assert strip["type"] == "zones"
    assert [zone["title"] for zone in strip["zones"]] == ["Close", "Short", "Medium", "Long", "Extreme"]
    assert [zone["here"] for zone in strip["zones"]] == [True, False, False, False, False]
    assert strip["zones"][4]["who"] == [[1, "Foe 4", False, "Z4"], [1, "Foe 5", False, "Z5"]]
    assert strip["zones"][0]["who"] == [[0, "Mara", True, "Z0"], [1, "Foe 0", False, "Z0"]]
    assert strip["label"] == "Zones, measured from Mara"
    enc.condition("Foe 0", "dead")
    (strip,) = enc.ruleset.presentation.now(enc._state).strips
    assert strip["type"] == "zones"
    assert strip["zones"][0]["who"] == [[0, "Mara", True, "Z0"]], "who stands is counted"


def test_a_zone_that_is_not_on_the_map_is_refused_and_so_is_a_map_that_is_none() -> None:
    enc = ck.Encounter("d6", seed=7, map=LINE)
    with pytest.raises(ck.UnknownName, match="'Z1'"):
        enc.add("Mara", side="rebels", at="Z11")
    with pytest.raises(ck.InvalidInput, match="zone"):
        enc.add("Mara", side="rebels", at=(1, 2))
    with pytest.raises(ck.InvalidInput, match="pair of zones"):
        ck.Encounter("d6", seed=7, map=[("A", "B", "C")])
    enc.add("Mara", side="rebels", at="Z1", initiative=1)
    enc.start()
    with pytest.raises(ck.UnknownName, match="'Z1'"):
        enc.do("Mara", "move", to="Y1")
    assert refused(enc, "Mara", "move").reason == "Move needs a place to go to: Z0, Z1 or Z2."
    assert {c.value: c.ruling.allowed for c in enc.choices("Mara", "move")} == {
        "Z0": True,
        "Z1": True,
        "Z2": True,
        "Z3": False,
        "Z4": False,
        "Z5": False,
    }


# ── holding an action ──


@pytest.mark.rule("d6.act.hold")
def test_holding_names_an_action_and_a_trigger() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    assert refused(enc, "Mara", "hold", trigger="Vex moves").reason == "Say what Mara holds."
    assert refused(enc, "Mara", "hold", action="attack").rules == ("d6.act.hold",)
    events = enc.do("Mara", "hold", action="attack", trigger="Vex moves", target="Vex")
    assert "d6.act.hold" in next(e for e in events if e.kind == "action").rules
    (held,) = enc["Mara"].conditions
    assert held.id == "held"
    assert (held.value["action"], held.value["trigger"]) == ("attack", "Vex moves")
    assert [r.status for r in enc.order] == ["readied", "now"]


@pytest.mark.rule("d6.act.hold.ends-turn", "d6.act.hold.no-order-change")
def test_holding_ends_the_turn_at_once_and_the_move_is_lost() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    events = enc.do("Mara", "hold", action="use_item", trigger="the door opens")
    assert only(events, "turn_end").rules == ("d6.act.hold.ends-turn", "d6.act.hold.no-order-change")
    assert enc.active == "Vex"
    assert refused(enc, "Mara", "move").rule == "d6.init.desc"
    assert left(enc, "Mara")["action"] == 0


@pytest.mark.rule("d6.act.hold.kinds")
def test_only_three_actions_can_be_held() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    allowed = {c.value for c in enc.choices("Mara", "hold") if c.param == "action" and c.ruling.allowed}
    assert allowed == {"attack", "use_item", "use_skill"}
    assert refused(enc, "Mara", "hold", action="defend", trigger="x").rule == "d6.act.hold.kinds"


@pytest.mark.rule("d6.act.hold.lasts")
def test_what_is_held_is_lost_as_ones_next_turn_begins() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    enc.do("Mara", "hold", action="attack", trigger={"actor": "Vex", "action": "attack"})
    assert holds(enc, "Mara") == {"held"}
    enc.do("Vex", "use_item")
    enc.end_turn()
    assert enc.active == "Mara"
    assert holds(enc, "Mara") == set()
    enc.end_turn()
    enc.do("Vex", "attack", target="Mara")
    assert not enc.pending


@pytest.mark.rule("d6.act.hold.interrupts")
def test_a_held_action_interrupts_the_turn_that_triggers_it() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, resolve=6)})
    enc.do("Mara", "hold", action="attack", trigger={"actor": "Vex", "action": "attack"}, target="Vex")
    enc.do("Vex", "attack", target="Mara", rolls={"attack": [6, 6, 6, 6]})
    assert offered(enc, "Mara") == ("use_held",)
    assert enc["Mara"].values["resolve"] == 12, "not resolved yet"
    events = enc.do("Mara", "use_held", rolls={"attack": [6, 6, 6, 6], "damage": [2, 2, 2]})
    assert enc["Vex"].values["resolve"] == 0
    assert [e.actor for e in kinds(events, "stopped")] == ["Vex"], "who is out no longer attacks"
    assert enc["Mara"].values["resolve"] == 12
    assert (enc.active, enc.can("Vex", "move").reason) == ("Vex", "Vex is out.")
    enc.end_turn()
    assert enc.active == "Mara"
    assert enc.clock.round == 2


def test_the_interrupted_action_goes_on_if_its_owner_can() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, resolve=20)})
    enc.do("Mara", "hold", action="use_item", trigger={"actor": "Vex"})
    enc.do("Vex", "attack", target="Mara", rolls={"attack": [6, 6, 6, 6], "damage": [1, 1, 1]})
    events = enc.do("Mara", "use_held", option="blast door")
    assert [e.text for e in kinds(events, "effect_end")] == ["uses the held action (use an item)"]
    assert enc["Mara"].values["resolve"] == 9
    assert enc.active == "Vex"


def test_a_held_action_on_words_is_offered_and_never_in_the_way() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, resolve=60)})
    enc.do("Mara", "hold", action="attack", trigger="Vex leaves cover")
    enc.do("Vex", "use_item")
    assert offered(enc, "Mara") == ("use_held",)
    enc.do("Vex", "move")
    assert offered(enc, "Mara") == ("use_held",)
    enc.end_turn()
    assert (enc.active, enc.clock.round) == ("Mara", 2)


def test_one_who_holds_may_watch_another_who_holds() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, resolve=60), "Ossik": pc(5)})
    enc.do("Mara", "hold", action="attack", trigger="anything")
    enc.do("Vex", "hold", action="attack", trigger="anything")
    assert offered(enc, "Mara") == ("use_held",)
    enc.end_turn()
    assert enc.active == "Ossik", "the turn that was Vex's has ended with the holding"
    assert holds(enc, "Vex") == {"held"}


def test_a_held_action_goes_off_on_what_no_action_shows() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, resolve=60)})
    enc.do("Mara", "hold", action="use_item", trigger="the last ally is through the door")
    events = enc.do("Mara", "use_held", trigger="Ossik is through", option="blast door")
    assert [e.action for e in kinds(events, "action")] == ["use_held", "use_item"]
    assert not enc.pending
    assert holds(enc, "Mara") == set()
    assert enc.active == "Vex"
    ruling = refused(enc, "Mara", "use_held", trigger="again")
    assert "nothing held" in ruling.reason


def test_using_what_is_held_without_a_window_or_trigger_is_refused_by_its_rule() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    enc.do("Mara", "hold", action="attack", trigger={"actor": "Vex", "action": "dash"})
    ruling = refused(enc, "Mara", "use_held", target="Vex")
    assert ruling.rule == "d6.act.hold.interrupts"
    assert "d6.act.hold" in ruling.rules


def test_a_held_attack_is_an_attack_with_its_range_and_its_needs() -> None:
    people = {"Mara": pc(9, at="Z0"), "Vex": npc(7, at="Z3"), "Bo": npc(5, at="Z4")}
    enc = fight(people, map=LINE)
    enc.do("Mara", "hold", action="attack", trigger={"actor": "Vex"})
    enc.do("Vex", "use_item")
    assert refused(enc, "Mara", "use_held", target="Bo").rule == "d6.act.attack.range"
    assert enc.can("Mara", "use_held", target="Vex").notation == "3D+1"
    with pytest.raises(ck.UnknownName, match="'blaster'"):
        enc.can("Mara", "use_held", target="Vex", weapon="blastr")


@pytest.mark.rule("d6.act.hold.no-order-change")
def test_a_held_action_moves_nobody_in_the_order() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, resolve=60), "Ossik": pc(5)})
    before = counts(enc)
    enc.do("Mara", "hold", action="attack", trigger={"actor": "Ossik"}, target="Vex")
    enc.end_turn()
    enc.do("Ossik", "move")
    enc.do("Mara", "use_held")
    assert counts(enc) == before
    enc.end_turn()
    assert turns(enc, 3) == ["Mara", "Vex", "Ossik"]


# ── escape ──


@pytest.mark.rule("d6.escape")
def test_escape_takes_a_whole_turn_and_nothing_else() -> None:
    enc = docks()
    enc.do("Mara", "pick_up")
    assert refused(enc, "Mara", "escape").rule == "d6.escape"
    enc.end_turn()
    events = enc.do("Ossik", "escape")
    assert events[0].data["paid"] == {"move": 1, "action": 1, "cap": 2, "object": 1}
    assert cites(events, "d6.escape")
    assert holds(enc, "Ossik") == {"left"}
    assert order(enc) == ["Mara", "Vex"]
    assert enc.active == "Vex"
    assert "left" in refused(enc, "Ossik", "move").reason


@pytest.mark.parametrize("first", ["move", "attack", "free_action", "swap_held_item"])
def test_no_part_of_the_turn_may_have_been_used_to_escape(first: str) -> None:
    enc = fight({"Mara": pc(9, free_actions=1), "Vex": npc(7, resolve=60)})
    assert enc.can("Mara", "escape").allowed
    enc.do("Mara", first, target="Vex" if first == "attack" else None)
    assert refused(enc, "Mara", "escape").rule == "d6.escape"


def test_escape_is_open_after_talk_or_a_shift_for_they_are_no_actions() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    enc.do("Mara", "talk")
    assert enc.can("Mara", "escape").allowed
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    enc.do("Mara", "shift", after="Vex")
    enc.end_turn()
    assert enc.can("Mara", "escape").allowed


@pytest.mark.rule("d6.escape.cond")
@pytest.mark.parametrize(
    ("zones", "closer", "away"),
    [(("Z1", "Z3"), True, False), (("Z3", "Z4"), False, False), (("Z4", "Z5"), False, True), (("Z0",), True, False)],
)
def test_escape_asks_where_the_enemies_are(zones: tuple[str, ...], closer: bool, away: bool) -> None:
    for means_far, allowed in ((False, closer), (True, away)):
        foes = {f"Foe {zone}": npc(7, at=zone) for zone in zones}
        people = {"Mara": pc(9, at="Z0"), "Ossik": pc(8, at="Z5" if closer else "Z1"), **foes}
        enc = fight(people, map=LINE, options={"escape_means_far": means_far})
        ruling = enc.can("Mara", "escape")
        assert ruling.allowed is allowed
        if not allowed:
            assert ruling.rule == "d6.escape.cond"


def test_only_enemies_still_in_the_fight_keep_one_from_escaping() -> None:
    enc = fight({"Mara": pc(9, at="Z0"), "Vex": npc(7, at="Z5"), "Bo": npc(6, at="Z1")}, map=LINE)
    assert refused(enc, "Mara", "escape").reason == "Vex is at Extreme; all enemies must be closer."
    enc.condition("Vex", "dead")
    assert enc.can("Mara", "escape").allowed


def test_all_who_keep_one_from_escaping_are_named_in_a_sentence() -> None:
    people = {"Mara": pc(9, at="Z0"), "Vex": npc(7, at="Z5"), "Bo": npc(6, at="Z5"), "Dray": npc(5, at="Z4")}
    enc = fight(people, map=LINE)
    assert refused(enc, "Mara", "escape").reason == "Vex, Bo and Dray are at Extreme; all enemies must be closer."
    enc = fight(
        {**people, "Bo": npc(6, at="Z0"), "Dray": npc(5, at="Z1")}, map=LINE, options={"escape_means_far": True}
    )
    told = "Bo and Dray are closer than Extreme; all enemies must be that far."
    assert refused(enc, "Mara", "escape").reason == told


# ── what the widgets show ──


def test_the_headline_counts_what_was_taken_under_the_cap() -> None:
    enc = fight({"Mara": pc(9, free_actions=1), "Vex": npc(7, resolve=60)})

    def headline(state: State) -> str:
        return enc.ruleset.presentation.now(state).headline

    assert headline(enc._state) == "at most two Actions"
    enc.do("Mara", "free_action")
    assert headline(enc._state) == "one Free Action taken; at most two Actions"
    enc.do("Mara", "attack", target="Vex", destiny="gain_momentum")
    assert headline(enc._state) == "one Action taken and one Free Action taken; at most three Actions"


def test_a_rung_says_how_its_score_came_about_and_a_strip_needs_positions() -> None:
    enc = ck.Encounter("d6", seed=7)
    enc.add("Mara", side="rebels", initiative=2)
    enc.add("Dray", side="empire", npc=True, major=True, initiative=2)
    enc.add("Bo", side="empire", npc=True, initiative=-1)
    enc.start(rolls={"Mara": 5})
    places = {place.who: place for place in enc._state.agenda}
    extras = enc.ruleset.presentation.rung_extras
    assert extras(enc._state, places["Mara"]) == {"sub": [["1D ", {"die": 5, "table": True}, " + rank 2"]]}
    major = ["rank 2 + 6, major opponent ", {"rule": "d6.init.major-plus6"}]
    assert extras(enc._state, places["Dray"]) == {"sub": [major]}
    assert extras(enc._state, places["Bo"]) == {"sub": [["rank -1 + 3 ", {"rule": "d6.init.npc-plus3"}]]}
    assert enc.ruleset.presentation.now(enc._state).strips == ()


def test_a_side_that_has_all_fallen_ends_nobodys_turn() -> None:
    enc = fight({"Mara": pc(9, weapons=[BLASTER]), "Vex": npc(7)})
    enc.condition("Vex", "dead")
    assert turns(enc, 2) == ["Mara", "Mara"]
    assert last(enc) > 0


@pytest.mark.rule("d6.act.hold")
def test_one_who_holds_nothing_is_told_so_before_being_asked_for_a_trigger() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    for given in ({}, {"trigger": "the door opens"}):
        assert refused(enc, "Vex", "use_held", **given).reason == "Vex has nothing held."


def test_where_only_one_zone_can_be_gone_to_it_is_named() -> None:
    enc = fight({"Mara": pc(9, at="Z0"), "Vex": npc(7, at="Z3")}, map=LINE)
    assert enc.can("Mara", "dash").reason == "Dash needs a place to go to: Z1."


@pytest.mark.rule("d6.turn.free")
def test_one_more_free_action_is_another_of_those_with_names() -> None:
    enc = fight({"Mara": pc(9, free_actions=["kick"]), "Vex": npc(7)})
    enc.condition("Mara", "quick", modifiers={"free_actions": 1})
    enc.next_round()
    for _ in range(2):
        enc.do("Mara", "free_action", option="kick")
    assert not enc.can("Mara", "free_action", option="kick").allowed


def test_a_free_action_by_a_condition_is_had_at_once_by_who_has_none() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="r")
    enc.add("Nox", side="e", npc=True, initiative=-9)
    enc.start()
    assert not enc.may("Ada", "free_action")
    enc.condition("Ada", "quick", modifiers={"free_actions": 1})
    assert enc.may("Ada", "free_action")


@pytest.mark.rule("d6.turn.free")
@pytest.mark.parametrize("free", [1, ["Rage"]])
@pytest.mark.parametrize("grant", ["condition", "adjust"])
def test_one_more_free_action_in_mid_turn_can_be_taken_in_it(free: Any, grant: str) -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="r", free_actions=free)
    enc.add("Nox", side="e", npc=True, initiative=-9)
    enc.start()
    which: dict[str, Any] = {"option": "Rage"} if free != 1 else {}
    enc.do("Ada", "free_action", **which)
    assert not enc.may("Ada", "free_action", **which)
    if grant == "adjust":
        enc.adjust("Ada", "free", 1)
    else:
        enc.condition("Ada", "quick", modifiers={"free_actions": 1}, until="end of turn")
    enc.do("Ada", "free_action", **which)
    assert not enc.may("Ada", "free_action", **which)
