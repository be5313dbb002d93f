"""Windows in every system: they close with their last answer, and nobody is asked who cannot answer."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems import ap_table, d6_table, phases_table, segments_table, table
from tests.systems.d6_table import npc, only, pc


def kinds(events: tuple[ck.Event, ...]) -> list[str]:
    """The events by kind, without what is only said."""
    return [event.kind for event in events]


# ── closed by the last answer ──


def saga() -> tuple[ck.Encounter, str, str, dict[str, Any]]:
    enc = table.fight({"Mara": 20, "Vex": 10}, Mara={"attack_bonus": 6}, Vex={"defense": 16, "hp": 20})
    enc.do("Mara", "ready", action="attack", target="Vex", trigger={"actor": "Vex", "action": "move"})
    enc.end_turn()
    enc.do("Vex", "move")
    return enc, "Mara", "use_readied", {}


def d6() -> tuple[ck.Encounter, str, str, dict[str, Any]]:
    enc = d6_table.fight({"Mara": pc(9), "Vex": npc(7)})
    enc.do("Mara", "hold", action="attack", target="Vex", trigger={"actor": "Vex", "action": "use_item"})
    enc.do("Vex", "use_item")
    return enc, "Mara", "use_held", {"rolls": {"attack": [1, 1, 1, 1]}}


def ap() -> tuple[ck.Encounter, str, str, dict[str, Any]]:
    enc = ap_table.fight({"Mara": 8, "Vex": 6})
    enc.do("Mara", "attack", target="Vex")
    return enc, "Vex", "evade", {}


def segments() -> tuple[ck.Encounter, str, str, dict[str, Any]]:
    enc = segments_table.rolled("Mara", "Vex")
    enc.trigger("Vex", text="stumbles", to="Mara", offers=["free_attack"])
    return enc, "Mara", "free_attack", {"target": "Vex"}


def phases() -> tuple[ck.Encounter, str, str, dict[str, Any]]:
    enc = phases_table.fight({"Mara": 9, "Vex": 8}, at={"Mara": (0, 0), "Vex": (1, 0)})
    enc.do("Mara", "move_heavy_object")
    return enc, "Vex", "attack_of_opportunity", {"target": "Mara"}


INTERRUPTED = [saga, d6, ap, segments, phases]


@pytest.mark.parametrize("begin", INTERRUPTED, ids=lambda f: f.__name__)
def test_the_last_answer_closes_the_window_and_what_waited_goes_on_in_the_same_call(begin: Any) -> None:
    enc, who, action, given = begin()
    assert [(o.who, bool(o.actions)) for o in enc.pending] == [(who, True)]
    events = enc.do(who, action, **given)
    assert "window_end" in kinds(events)
    assert enc.pending == ()
    with pytest.raises(ck.IllegalAction, match="No window is open"):
        enc.resolve()
    enc.end_turn()


@pytest.mark.parametrize("begin", INTERRUPTED, ids=lambda f: f.__name__)
def test_a_window_that_nobody_has_answered_closes_by_being_let_pass(begin: Any) -> None:
    enc, *_ = begin()
    enc.resolve()
    assert enc.pending == ()


@pytest.mark.parametrize("begin", INTERRUPTED, ids=lambda f: f.__name__)
def test_one_who_falls_in_an_open_window_is_asked_no_more(begin: Any) -> None:
    enc, who, action, given = begin()
    events = enc.condition(who, "unconscious")
    assert enc.pending == ()
    assert [e.text for e in events if e.kind == "answer"] == ["can no longer answer"]
    assert not enc.can(who, action, **{k: v for k, v in given.items() if k != "rolls"}).allowed
    assert enc.active != who
    enc.undo()
    assert [o.who for o in enc.pending] == [who]


@pytest.mark.parametrize("begin", [saga, d6, ap, phases], ids=lambda f: f.__name__)
def test_one_who_leaves_is_asked_no_more(begin: Any) -> None:
    enc, who, *_ = begin()
    enc.leave(who)
    assert enc.pending == ()


def test_what_is_answered_is_offered_no_more_while_others_are_asked() -> None:
    enc = ap_table.fight({"Mara": 8, "Vex": 6, "Dray": 4})
    enc.do("Mara", "attack", target="Vex")
    assert {o.who for o in enc.pending} == {"Vex", "Dray"}
    events = enc.do("Vex", "evade", outcome="failed")
    assert "window_end" not in kinds(events)
    assert [o.who for o in enc.pending] == ["Dray"]
    enc.resolve()
    assert enc.pending == ()


def test_offers_of_a_window_below_wait_for_the_one_above() -> None:
    enc = table.fight({"Mara": 20, "Ilya": 15, "Ossik": 12, "Vex": 10})
    enc.do("Mara", "ready", action="attack", target="Vex", trigger={"actor": "Vex"})
    enc.end_turn()
    enc.do("Ilya", "ready", action="attack", target="Vex", trigger={"actor": "Vex"})
    enc.end_turn()
    enc.do("Ossik", "ready", action="move", trigger={"actor": "Mara", "action": "attack"})
    enc.end_turn()
    enc.do("Vex", "move")
    assert [o.who for o in enc.pending] == ["Mara", "Ilya"]
    enc.do("Mara", "use_readied")
    assert [o.who for o in enc.pending] == ["Ossik"], "Ilya's waits"
    enc.resolve()
    assert [o.who for o in enc.pending] == ["Ilya"]
    events = enc.do("Ilya", "use_readied")
    assert enc.pending == ()
    assert kinds(events)[-1] == "window_end"


def test_faces_stay_with_what_was_interrupted() -> None:
    enc = table.fight({"Mara": 20, "Vex": 10}, Mara={"attack_bonus": 6, "defense": 15}, Vex={"attack_bonus": 1})
    enc.do("Mara", "ready", action="attack", target="Vex", trigger={"actor": "Vex", "action": "attack"})
    enc.end_turn()
    enc.do("Vex", "attack", target="Mara", rolls={"attack": [17]})
    events = enc.do("Mara", "use_readied", rolls={"attack": [4]})
    assert [(e.actor, e.data["faces"]) for e in events if e.kind == "attack"] == [("Mara", [4]), ("Vex", [17])]


def test_the_damage_of_a_miss_is_not_dealt_by_whoever_goes_on() -> None:
    enc = d6_table.fight({"Mara": pc(9), "Vex": npc(7)})
    enc.do("Mara", "hold", action="attack", target="Vex", trigger={"actor": "Vex", "action": "attack"})
    enc.do("Vex", "attack", target="Mara", rolls={"attack": [6, 6, 6, 6]})
    events = enc.do("Mara", "use_held", rolls={"attack": [1, 1, 1, 1], "damage": [6, 6, 6]})
    assert only(events, "damage").data["source"] == "seeded"


def test_a_trigger_offers_only_what_can_be_done() -> None:
    enc = table.fight({"Mara": 20, "Vex": 10})
    enc.condition("Vex", "surprised")
    events = enc.trigger("Mara", text="moves past")
    assert (kinds(events), enc.pending) == (["trigger"], ())
    enc.leave("Vex")
    assert kinds(enc.trigger("Mara", text="moves past")) == ["trigger"]


# ── several who must ──


def hurt(**more: Any) -> ck.Encounter:
    """Ada and Bes, both Wounded, are both hurt again; it is Ada's turn."""
    enc = d6_table.fight({"Ada": pc(9, **more), "Bes": pc(7, **more), "Nox": npc(5)})
    for name in ("Ada", "Bes"):
        enc.adjust(name, "resolve", -12)
    enc.adjust(["Bes", "Ada"], vital="resolve", by=-3)
    return enc


@pytest.mark.rule("d6.fate.trigger", "d6.init.desc")
def test_several_who_must_choose_a_fate_are_asked_side_by_side_in_the_order_of_the_ladder() -> None:
    enc = hurt()
    assert [(o.who, o.must) for o in enc.pending] == [("Ada", True), ("Bes", True)]
    assert enc.can("Ada", "tragic_demise").allowed
    assert enc.can("Bes", "tragic_demise").allowed
    with pytest.raises(ck.IllegalAction, match="Ada, Bes must answer"):
        enc.resolve()


@pytest.mark.rule("d6.fate.blaze.interrupt")
@pytest.mark.parametrize("first", ["Ada", "Bes"])
def test_no_fate_is_lost_by_another_ones_blaze_of_glory(first: str) -> None:
    enc, second = hurt(), {"Ada": "Bes", "Bes": "Ada"}[first]
    enc.do(first, "blaze_of_glory")
    assert enc.active == first
    assert [(o.who, o.must) for o in enc.pending] == [(second, True)]
    assert enc.can(second, "desperate_push").allowed
    enc.do(second, "desperate_push", rolls={"push": [6, 6]})
    assert (enc.pending, enc.active) == ((), first)
    assert enc[second].values["resolve"] == 12


@pytest.mark.rule("d6.fate.never.removed")
@pytest.mark.parametrize("first", ["Ada", "Bes"])
def test_nor_by_one_who_is_removed_in_its_own_turn(first: str) -> None:
    enc, second = hurt(attributes={"might": "3D"}), {"Ada": "Bes", "Bes": "Ada"}[first]
    enc.do(first, "never_the_same", attributes={"might": 2})
    assert [(o.who, o.must) for o in enc.pending] == [(second, True)]
    enc.do(second, "tragic_demise")
    assert enc.pending == ()
    assert enc.active == "Nox"


@pytest.mark.rule("d6.fate.trigger", "d6.fate.npc")
def test_a_fate_that_waits_says_what_comes_before_it() -> None:
    enc = d6_table.fight({"Ada": pc(9), "Boss": npc(7, significant=True)})
    enc.adjust("Ada", "resolve", -12)
    enc.adjust("Boss", "resolve", -6)
    enc.adjust(["Ada", "Boss"], vital="resolve", by=-3)
    assert [o.who for o in enc.pending] == ["GM"]
    ruling = enc.can("Ada", "desperate_push")
    assert (ruling.allowed, ruling.rules[0]) == (False, "d6.fate.npc")
    assert "May Boss" in ruling.reason, "that comes first"
    enc.resolve(answer="no")
    assert enc.can("Ada", "desperate_push").allowed


@pytest.mark.rule("d6.fate.trigger")
def test_one_who_is_unconscious_chooses_a_fate_all_the_same_but_no_last_turn() -> None:
    enc = d6_table.fight({"Ada": pc(9), "Nox": npc(5)})
    enc.adjust("Ada", "resolve", -12)
    enc.condition("Ada", "unconscious")
    enc.adjust("Ada", "resolve", -3)
    assert [(o.who, "blaze_of_glory" in o.actions, o.must) for o in enc.pending] == [("Ada", False, True)]
    assert enc.can("Ada", "blaze_of_glory").rule == "d6.fate.blaze.interrupt"
    enc.do("Ada", "tragic_demise")
    assert enc.pending == ()
