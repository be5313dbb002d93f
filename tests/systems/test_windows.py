"""Windows in every system: they close with their last answer, and nobody is asked who cannot answer."""

from __future__ import annotations

from collections.abc import Callable
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
    return enc, "Vex", "evade", {"outcome": "failed"}


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
    with pytest.raises(ck.IllegalAction, match="Nobody is waiting to answer"):
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
    answers = [(e.text, e.data["declined"]) for e in events if e.kind == "answer"]
    assert answers == [("can no longer answer", True)]
    assert not enc.can(who, action, **{k: v for k, v in given.items() if k != "rolls"}).allowed
    enc.undo()
    assert [o.who for o in enc.pending] == [who]


@pytest.mark.parametrize("begin", [saga, d6, ap, phases], ids=lambda f: f.__name__)
def test_one_who_leaves_is_asked_no_more(begin: Any) -> None:
    enc, who, *_ = begin()
    enc.leave(who)
    assert enc.pending == ()


def two_in_saga() -> ck.Encounter:
    enc = table.fight({"Mara": 20, "Ilya": 15, "Vex": 10})
    for name in ("Mara", "Ilya"):
        enc.do(name, "ready", action="attack", target="Vex", trigger={"actor": "Vex", "action": "move"})
        enc.end_turn()
    enc.do("Vex", "move")
    return enc


def two_in_d6() -> ck.Encounter:
    enc = d6_table.fight({"Mara": pc(9), "Ilya": pc(8), "Vex": npc(7)})
    for name in ("Mara", "Ilya"):
        enc.do(name, "hold", action="attack", target="Vex", trigger={"actor": "Vex", "action": "use_item"})
    enc.do("Vex", "use_item")
    return enc


def two_in_ap() -> ck.Encounter:
    enc = ap_table.fight({"Vex": 8, "Mara": 6, "Ilya": 4})
    enc.do("Vex", "attack", target="Ilya")
    return enc


def two_in_segments() -> ck.Encounter:
    enc = segments_table.rolled("Mara", "Ilya", "Vex")
    enc.trigger("Vex", text="stumbles", to=["Mara", "Ilya"], offers=["free_attack"])
    return enc


def two_in_phases() -> ck.Encounter:
    enc = phases_table.fight({"Vex": 9, "Mara": 8, "Ilya": 7}, at={"Vex": (0, 0), "Mara": (1, 0), "Ilya": (0, 1)})
    enc.do("Vex", "move_heavy_object")
    return enc


@pytest.mark.parametrize("begin", [two_in_saga, two_in_d6, two_in_ap, two_in_segments, two_in_phases])
def test_who_left_while_asked_isnt_asked_again_though_they_are_back(begin: Callable[[], ck.Encounter]) -> None:
    enc = begin()
    assert sorted(o.who for o in enc.pending) == ["Ilya", "Mara"]
    enc.leave("Mara")
    enc.join("Mara")
    assert [o.who for o in enc.pending] == ["Ilya"]
    enc.resolve()
    assert enc.pending == ()


def test_who_left_isnt_asked_again_in_a_window_below_and_reads_why() -> None:
    enc = two_in_ap()
    enc.trigger(text="the roof falls", to="Ilya")
    enc.leave("Mara")
    enc.join("Mara")
    enc.resolve()
    assert [(o.who, o.about) for o in enc.pending] == [("Ilya", "Vex attacks Ilya")]
    ruling = enc.can("Mara", "parry")
    assert (ruling.allowed, ruling.reason) == (False, "Mara left without an answer, and isn't asked again.")


def test_whose_own_turn_ended_as_they_left_isnt_asked_again_about_what_was_told() -> None:
    enc = ap_table.fight({"Mara": 8, "Vex": 6})
    enc.trigger(text="a boulder rolls down")
    assert [o.who for o in enc.pending] == ["Mara", "Vex"]
    enc.leave("Mara")
    enc.join("Mara")
    assert [o.who for o in enc.pending] == ["Vex"]


def words_in_saga() -> tuple[ck.Encounter, str]:
    enc = table.fight({"Mara": 20, "Ilya": 15, "Vex": 10})
    for name in ("Mara", "Ilya"):
        enc.do(name, "ready", action="attack", target="Vex", trigger="somebody stirs")
        enc.end_turn()
    enc.do("Vex", "move")
    return enc, "use_readied"


def words_in_d6() -> tuple[ck.Encounter, str]:
    enc = d6_table.fight({"Mara": pc(9), "Ilya": pc(8), "Vex": npc(7, resolve=60)})
    for name in ("Mara", "Ilya"):
        enc.do(name, "hold", action="attack", target="Vex", trigger="somebody stirs")
    enc.do("Vex", "use_item")
    return enc, "use_held"


def words_in_phases() -> tuple[ck.Encounter, str]:
    enc = phases_table.fight({"Mara": 9, "Ilya": 8, "Vex": 7})
    for name in ("Mara", "Ilya"):
        enc.do(name, "ready", action="strike", target="Vex", trigger="somebody stirs")
        enc.end_turn()
    enc.do("Vex", "strike", target="Mara")
    return enc, "use_readied"


@pytest.mark.parametrize("begin", [words_in_saga, words_in_d6, words_in_phases])
def test_who_uses_what_they_kept_is_waited_for_once_as_they_do_it(begin: Any) -> None:
    enc, use = begin()
    (first,) = {o.about for o in enc.pending}
    enc.do("Mara", use)
    told = []
    while enc.pending:
        assert {o.who for o in enc.pending} == {"Ilya"}
        told.append(enc.pending[0].about)
        enc.resolve()
    assert len(told) == 2, told
    assert told[0].endswith("Vex"), "of the blow alone, not of the use besides"
    assert told[1] == first


def test_a_trigger_that_names_the_use_of_what_is_kept_is_met_by_it() -> None:
    enc = table.fight({"Mara": 20, "Ilya": 15, "Ossik": 12, "Vex": 10})
    enc.do("Mara", "ready", action="attack", target="Vex", trigger={"actor": "Vex"})
    enc.end_turn()
    enc.do("Ilya", "ready", action="move", trigger={"actor": "Mara", "action": "use_readied"})
    enc.end_turn()
    enc.do("Ossik", "ready", action="move", trigger={"actor": "Mara"})
    enc.end_turn()
    enc.do("Vex", "move")
    enc.do("Mara", "use_readied")
    assert [o.who for o in enc.pending] == ["Ilya"]
    enc.resolve()
    assert [(o.who, o.about) for o in enc.pending] == [("Ossik", "Mara attacks Vex")]


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
    with pytest.raises(ck.IllegalAction, match="Ada and Bes must answer first: "):
        enc.resolve()


@pytest.mark.rule("d6.fate.blaze.interrupt")
@pytest.mark.parametrize("first", ["Ada", "Bes"])
def test_no_fate_is_lost_by_another_ones_blaze_of_glory(first: str) -> None:
    enc, second = hurt(), {"Ada": "Bes", "Bes": "Ada"}[first]
    events = enc.do(first, "blaze_of_glory")
    assert enc.active == first
    assert events[-1].text.endswith(f"; {second} must answer"), "and only what is still open"
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
    if enc.active == second:  # it is theirs to the end
        enc.end_turn()
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


# ── what comes true in the middle of a move ──


def near(*ways: Any, trigger: Any = None) -> ck.Encounter:
    """Vex has readied a blow at Mara for when she makes a half move, and she comes along a way."""
    enc = phases_table.fight({"Vex": 9, "Mara": 8}, at={"Vex": (0, 0), "Mara": (4, 0)}, Mara={"movement": 16})
    enc.do("Vex", "ready", action="strike", target="Mara", trigger=trigger or {"actor": "Mara", "action": "half_move"})
    enc.end_turn()
    if ways:
        enc.do("Mara", "half_move", to=list(ways), outcome="negated")
    return enc


@pytest.mark.rule("phases.ready.before", "phases.ready.specify")
def test_a_blow_readied_for_one_who_comes_near_goes_off_as_she_comes_within_reach() -> None:
    enc = near((3, 0), (2, 0), (1, 0))
    assert [(o.who, o.actions) for o in enc.pending] == [("Vex", ("use_readied",))]
    assert enc["Mara"].position == (1, 0), "the last hex is watched too"
    events = enc.do("Vex", "use_readied", rolls=[3, 3, 3])
    assert [e.target for e in events if e.kind == "attack"] == ["Mara"]
    assert (enc.pending, enc.active) == ((), "Mara")


@pytest.mark.rule("phases.ready.before", "phases.ready.resume")
def test_and_for_one_who_walks_past_before_the_next_hex() -> None:
    enc = near((3, 0), (2, 0), (1, 0), (1, 1), (1, 2))
    assert enc["Mara"].position == (1, 0)
    enc.do("Vex", "use_readied", rolls=[3, 3, 3])
    assert enc["Mara"].position == (1, 2)


@pytest.mark.rule("phases.ready.optional")
def test_what_was_let_pass_is_not_offered_at_every_hex() -> None:
    enc = near((3, 0), (2, 0), (1, 0), (0, 1), (-1, 1))
    assert enc["Mara"].position == (1, 0)
    enc.resolve()
    assert (enc["Mara"].position, enc.pending) == ((-1, 1), ())


@pytest.mark.rule("phases.ready.step", "phases.ready.before")
@pytest.mark.parametrize(
    ("way", "stops"),
    [
        ([(3, 0), (2, 0), (3, -1), (4, -1)], (2, 0)),
        ([(3, 0), (2, 0), (2, -1), (3, -1)], (2, -1)),
        ([(3, 0), (2, 0), (1, 0), (2, -1), (3, -1)], (1, 0)),
    ],
)
def test_a_blow_that_a_step_brings_near_is_offered_before_it_is_too_late(
    way: list[Any], stops: tuple[int, int]
) -> None:
    enc = near()
    seen = [(asked.who, asked.at) for asked in enc.foresee("Mara", "half_move", to=way, outcome="negated").asked]
    assert seen == [("Vex", stops)]
    enc.do("Mara", "half_move", to=way, outcome="negated")
    assert (enc["Mara"].position, [offer.who for offer in enc.pending]) == (stops, ["Vex"])
    step: dict[str, Any] = {"to": (1, -1) if stops == (2, -1) else (1, 0)} if stops != (1, 0) else {}
    events = enc.do("Vex", "use_readied", rolls=[3, 3, 3], **step)
    assert [e.target for e in events if e.kind == "attack"] == ["Mara"]
    assert enc["Mara"].position == way[-1]


@pytest.mark.rule("phases.ready.before")
def test_words_come_true_at_the_last_hex_too_and_one_who_falls_there_has_arrived() -> None:
    enc = near((3, 0), (2, 0), (1, 0), trigger="she comes close")
    while enc["Mara"].position != (1, 0):
        assert [o.who for o in enc.pending] == ["Vex"]
        enc.resolve()
    assert [o.who for o in enc.pending] == ["Vex"], "the last one too"
    enc.condition("Mara", "unconscious")
    assert "stopped" not in [e.kind for e in enc._events]


@pytest.mark.rule("d6.act.hold.interrupts", "d6.act.attack.range")
def test_a_held_shot_goes_off_as_its_target_comes_into_range() -> None:
    gun = {"name": "gun", "attack": "3D", "damage": "2D", "type": "energy", "range": "short"}
    people = {"Mara": pc(9, at="Z0", weapons=[gun]), "Nox": npc(7, at="Z2")}
    enc = d6_table.fight(people, map=d6_table.LINE)
    enc.do("Mara", "hold", action="attack", target="Nox", trigger={"actor": "Nox", "action": "move"})
    enc.do("Nox", "move", to="Z1")
    assert (enc["Nox"].position, [o.who for o in enc.pending]) == ("Z1", ["Mara"])
    enc.do("Mara", "use_held", rolls={"attack": [1, 1, 1]})
    assert (enc.active, enc.pending) == ("Nox", ())


# ── a step as part of what was readied ──


def stepping(**given: Any) -> tuple[ck.Encounter, tuple[ck.Event, ...]]:
    """Vex uses a readied blow at Mara, who stands beside, and takes a step with it."""
    enc = phases_table.fight({"Vex": 9, "Mara": 8}, at={"Vex": (0, 0), "Mara": (1, 0)})
    enc.do("Vex", "ready", action="strike", target="Mara", trigger={"actor": "Mara", "action": "perceive"})
    enc.end_turn()
    enc.do("Mara", "perceive")
    return enc, enc.do("Vex", "use_readied", rolls=[3, 3, 3], **given)


@pytest.mark.rule("phases.ready.step", "phases.step.anytime")
def test_the_step_may_come_after_the_blow() -> None:
    enc, events = stepping(to=(-1, 0), option="after")
    assert [e.kind for e in events if e.kind in ("attack", "move")] == ["attack", "move"]
    assert (enc["Vex"].position, enc.budget("Vex")["step"].left) == ((-1, 0), 0)
    assert any("phases.ready.step" in e.rules for e in events)


@pytest.mark.rule("phases.ready.step")
@pytest.mark.parametrize("option", [None, "before"])
def test_or_before_it_and_then_the_blow_has_to_reach_from_there(option: str | None) -> None:
    given = {"option": option} if option else {}
    enc, events = stepping(to=(0, 1), **given)
    assert [e.kind for e in events if e.kind in ("attack", "move")] == ["move", "attack"]
    enc, _ = stepping(to=(0, 1))
    enc = phases_table.fight({"Vex": 9, "Mara": 8}, at={"Vex": (0, 0), "Mara": (1, 0)})
    enc.do("Vex", "ready", action="strike", target="Mara", trigger={"actor": "Mara", "action": "perceive"})
    enc.end_turn()
    enc.do("Mara", "perceive")
    assert enc.can("Vex", "use_readied", to=(-1, 0), **given).rule == "phases.atk.melee-adj"
    assert enc.can("Vex", "use_readied", to=(-1, 0), option="after").allowed
    assert enc.can("Vex", "use_readied", to=(-2, 0), option="after").rule.startswith("phases.")
    assert not enc.can("Vex", "use_readied", to=(-2, 0), option="after").allowed
    assert not enc.can("Vex", "use_readied", option="after").allowed, "where to?"


# ── a reaction within what was readied; one's own turn ──


def readied_move(**places: Any) -> ck.Encounter:
    """Mara has readied a move for Vex's attack, which has come."""
    options = {"openings": "leaving_reach"} if places else None
    stats = {"Mara": {"hp": 30}}
    sheets = {name: {**stats.get(name, {}), "at": at} for name, at in places.items()} or stats
    enc = table.fight({"Mara": 20, "Kell": 15, "Vex": 10, "Dray": 5}, options=options, **sheets)
    enc.do("Mara", "ready", action="move", trigger={"actor": "Vex", "action": "attack"})
    enc.end_turn()
    enc.end_turn()
    enc.do("Vex", "attack", target="Mara", outcome="miss")
    return enc


@pytest.mark.rule("saga.react.nature", "saga.react.ex.aoo")
@pytest.mark.parametrize(
    ("dray", "asked"), [((1, 1), ["Dray"]), ((-1, 3), []), ((9, 9), [])], ids=["left", "stays beside", "far off"]
)
def test_a_readied_move_is_answered_by_those_whose_reach_it_leaves(dray: tuple[int, int], asked: list[str]) -> None:
    enc = readied_move(Mara=(0, 0), Kell=(0, -9), Vex=(1, 0), Dray=dray)
    enc.do("Mara", "use_readied", to=[(0, 1), (0, 2), (0, 3), (0, 4)])
    assert [(o.who, o.actions) for o in enc.pending] == [(name, ("attack_of_opportunity",)) for name in asked]
    if asked:
        assert enc["Mara"].position == (0, 2), "before the square is left; and it is Vex's own turn"
        events = enc.do("Dray", "attack_of_opportunity", target="Mara", damage=3)
        assert enc["Mara"].values["hp"] == 27
        assert [e.actor for e in events if e.kind == "attack"][-1] == "Vex", "and then what waited goes on"
    assert (enc["Mara"].position, enc.pending) == ((0, 4), ())


@pytest.mark.rule("saga.react.ex.aoo")
def test_without_squares_the_table_says_whom_a_readied_move_gives_an_opening() -> None:
    enc = readied_move()
    enc.trigger("Mara", text="Mara moves away", to=["Dray"])
    assert [(o.who, o.targets) for o in enc.pending] == [("Dray", ("Mara",))]
    enc.do("Dray", "attack_of_opportunity", target="Mara", damage=3)
    assert enc["Mara"].values["hp"] == 27
    assert [o.who for o in enc.pending] == ["Mara"], "and then the readied move is asked for again"
    events = enc.do("Mara", "use_readied")
    assert [e.actor for e in events if e.kind == "attack"] == ["Vex"]
    assert enc.pending == ()


@pytest.mark.rule("saga.react.ex.aoo")
def test_a_readied_move_gives_no_opening_by_itself_as_none_does() -> None:
    enc = readied_move()
    enc.do("Mara", "use_readied")
    assert enc.pending == ()
    told = [(e.kind, e.actor) for e in enc.do("Vex", "speak") if e.kind in ("attack", "action")]
    assert told == [("action", "Vex")]


@pytest.mark.rule("ap.react.purpose")
def test_ap_one_reacts_to_an_event_on_ones_own_turn() -> None:
    enc = ap_table.fight()
    assert not enc.can("Mara", "evade").allowed
    enc.do("Mara", "evade", trigger="a trap springs")
    assert (enc.active, ap_table.points(enc, "Mara"), enc.pending) == ("Mara", [2], ())
    assert refused_rule(enc, "Mara", "evade", trigger="A trap springs") == "ap.react.one-per-threat"


def refused_rule(enc: ck.Encounter, name: str, action: str, **params: Any) -> str:
    """The rule of a refusal."""
    ruling = enc.can(name, action, **params)
    assert not ruling.allowed
    return ruling.rule


@pytest.mark.rule("saga.react.outside-turn")
def test_saga_nobody_reacts_on_their_own_turn() -> None:
    enc = table.fight({"Mara": 20, "Vex": 10})
    assert refused_rule(enc, "Mara", "talent_reaction", trigger="a trap springs") == "saga.react.outside-turn"


@pytest.mark.rule("segments.delay.high", "segments.target.d1")
def test_a_caster_who_delays_in_the_window_of_d1_aims_in_low() -> None:
    row = {"id": "bolt", "title": "Bolt", "tags": ["incantation"], "segments": 2}
    enc = segments_table.fight("Mara", "Bo", "Vex", tables={"actions": [row]})
    for name in ("Mara", "Bo"):
        enc.do(name, "declare", spell="bolt")
    segments_table.roll(enc)
    assert [o.who for o in enc.pending] == ["Mara", "Bo"]
    enc.do("Mara", "delay")
    assert [o.who for o in enc.pending] == ["Bo"]
    assert refused_rule(enc, "Mara", "announce_target", target="Vex")
    enc.do("Bo", "delay")
    assert enc.pending[0].must, "both are asked in LOW"
    assert (enc.clock.phase, [o.who for o in enc.pending]) == ("LOW", ["Mara", "Bo"])


# ── triggers ──


READIES: dict[str, Callable[[], tuple[ck.Encounter, str, str, str]]] = {
    "saga": lambda: (table.fight({"Mara": 20, "Vex": 10}), "ready", "attack", "saga.ready.specify-trigger"),
    "d6": lambda: (d6_table.fight({"Mara": pc(9), "Vex": npc(7)}), "hold", "attack", ""),
    "phases": lambda: (phases_table.fight({"Mara": 9, "Vex": 8}), "ready", "strike", "phases.ready.specify"),
}


@pytest.mark.parametrize("system", READIES)
def test_a_trigger_that_can_never_come_true_is_refused(system: str) -> None:
    enc, ready, action, rule = READIES[system]()
    never: list[dict[str, str]] = [{"actor": "Mara"}, {"actor": "Vex", "side": enc["Mara"].side}]
    aimless = {"saga": "speak", "d6": "defend", "phases": "drop_prone"}[system]
    for trigger in (*never, {"action": aimless, "target": "Vex"}):
        ruling = enc.can("Mara", ready, action=action, trigger=trigger)
        assert not ruling.allowed, trigger
        assert not rule or ruling.rule == rule
        with pytest.raises(ck.IllegalAction):
            enc.do("Mara", ready, action=action, trigger=trigger, override=True)
    assert enc.can("Mara", ready, action=action, trigger={"actor": "Vex"}).allowed


@pytest.mark.parametrize("system", READIES)
def test_what_is_kept_is_aimed_at_nobody_it_could_never_be_aimed_at(system: str) -> None:
    enc, ready, action, _ = READIES[system]()
    enc.join("Dray", side=enc["Vex"].side)
    for target, reason in ((["Vex", "Dray"], "target"), ("Mara", "Mara can't target themselves.")):
        ruling = enc.can("Mara", ready, action=action, target=target, trigger={"actor": "Vex"})
        assert not ruling.allowed
        assert reason in ruling.reason
        assert ruling.rule == enc.can("Mara", action, target=target).rule
    assert enc.can("Mara", ready, action=action, target="Dray", trigger={"actor": "Vex"}).allowed


def test_words_do_not_stand_for_what_another_was_to_do() -> None:
    enc = table.fight({"Mara": 20, "Vex": 15, "Dray": 10})
    enc.do("Mara", "ready", action="attack", target="Dray", trigger={"actor": "Dray"})
    enc.end_turn()
    ruling = enc.can("Mara", "use_readied", trigger="he moves past")
    assert (ruling.allowed, "waits for this: Dray acts. It's Vex's turn" in ruling.reason) == (False, True)
    enc.trigger("Vex", text="stumbles")
    assert "use_readied" not in {action for o in enc.pending for action in o.actions}
    enc.resolve()
    enc.end_turn()
    assert enc.can("Mara", "use_readied", trigger="he moves past").allowed


# ── what is offered can be done ──


def refused_offers(enc: ck.Encounter) -> list[tuple[str, str, str]]:
    """Give what is offered and yet refused: nothing, ever."""
    offers = [offer for offer in enc.pending if offer.who != "GM"]
    found = [(offer, option) for offer in offers for option in enc.options(offer.who) if not option.allowed]
    return [(offer.who, option.action, option.reason) for offer, option in found if option.action in offer.actions]


def test_one_who_is_out_before_the_gm_answers_is_asked_for_no_fate() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Bo", side="b", npc=True, significant=True, resolve=4)
    enc.add("Ada", side="a", resolve=9)
    enc.start()
    for loss in (-4, -1, -1):
        enc.adjust("Bo", by=loss)
    enc.resolve(answer="no")
    assert enc.pending == (), "who is out has no second fate to be asked for"
    enc.end_turn()


def test_one_who_came_back_with_less_is_offered_what_they_can_pay() -> None:
    enc = ck.Encounter("ap", seed=2)
    enc.add("Ada", side="a", ap=3, initiative_rating=5)
    enc.add("Bo", side="b", ap=4, initiative_rating=20)
    enc.start()
    enc.do("Bo", "dash")
    enc.end_turn()
    enc.leave("Bo")
    enc.join("Bo", side="b", ap=1)
    enc.do("Ada", "attack", target="Bo")
    assert enc.pending
    assert refused_offers(enc) == []


def test_one_with_nothing_left_off_turn_is_asked_nothing() -> None:
    enc = ck.Encounter("ap", seed=1)
    enc.add("Ada", side="a", initiative_rating=20)
    enc.add("Bo", side="b", initiative_rating=1)
    enc.start()
    enc.adjust("Bo", "ap", -3)
    enc.do("Ada", "attack", target="Bo")
    assert enc.pending == ()


@pytest.mark.parametrize(
    ("system", "move", "stats"),
    [("ap", "move", {"initiative_rating": 20}), ("phases", "noncombat_move", {"combat_value": 9})],
)
def test_nobody_is_offered_a_blow_at_the_dead_who_move_by_the_gms_word(
    system: str, move: str, stats: dict[str, Any]
) -> None:
    enc = ck.Encounter(system, seed=1, options={"actions": "book"} if system == "ap" else {})
    enc.add("Ada", side="a", at=(0, 0), **stats)
    enc.add("Bo", side="b", at=(1, 0))
    enc.start()
    enc.condition("Ada", "dead")
    enc.do("Ada", move, to=(-2, 0), override=True)
    assert refused_offers(enc) == []


def test_the_gms_word_does_not_stand_for_what_is_not_said() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ada", side="a", combat_value=9)
    enc.add("Bo", side="b")
    enc.start()
    with pytest.raises(ck.IllegalAction, match="Say which full-phase action"):
        enc.do("Bo", "ready", action="start_or_complete", trigger="x", override=True)


def test_a_look_into_a_call_offers_only_what_may_be_done() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="a")
    enc.add("Bo", side="b")
    enc.start(rolls={"Ada": 20, "Bo": 1})
    enc.condition("Bo", "unconscious")
    events = enc.do("Bo", "attack_of_opportunity", target="Ada", override=True)
    opens = next(event.seq for event in events if event.kind == "window")
    assert not enc.at(opens).can("Bo", "attack_of_opportunity", target="Ada").allowed
    assert enc.at(opens).pending == ()


def test_a_condition_of_the_gms_may_be_called_what_rules_keep() -> None:
    enc = ck.Encounter("d6", seed=1, options={"aim_expires": "own_turn"})
    enc.add("Ada", side="a")
    enc.add("Bo", side="b")
    enc.start()
    assert enc.active
    for id in ("ignored_fates", "never_the_same"):
        enc.condition(enc.active, id)
        assert id in {condition.id for condition in enc[enc.active].conditions}
    enc.end_turn()


def test_what_the_gm_tells_of_somebody_reads_as_english_in_the_log_and_to_whom_it_is_asked() -> None:
    enc = ck.Encounter("saga", seed=1)
    for name, side in (("Mara", "x"), ("Kell", "x"), ("Crow", "y")):
        enc.add(name, side=side)
    enc.start(rolls={"Mara": 20, "Kell": 15, "Crow": 2})
    told = {"a trap springs": "Mara: a trap springs", "Mara runs past": "Mara runs past", "": "Mara acts"}
    for text, words in told.items():
        first, window = enc.trigger("Mara", text=text)
        assert (first.actor, first.subject, first.text) == ("Mara", "", words)
        assert (window.subject, enc.pending[0].about) == ("", words)
        assert f"{words} (by the GM)." in str(enc.log())
        enc.resolve()
    assert enc.trigger("Mara", "Kell", text="both flee")[0].text == "Mara and Kell: both flee"
    enc.resolve()
    assert enc.trigger(text="the bridge shakes")[0].text == "the bridge shakes"


def test_a_reason_has_its_capital_in_the_options_as_in_the_ruling() -> None:
    enc = d6_table.fight({"Mara": pc(20), "Vex": npc(12)})
    enc.do("Mara", "hold", action="attack", trigger="a trap springs", target="Vex")
    enc.trigger(text="a trap springs")
    reasons = {o.action: o.reason for o in enc.options("Vex") if not o.allowed}
    assert {reason[:1] for reason in reasons.values()} == {reason[:1].upper() for reason in reasons.values()}
    assert reasons["move"] == enc.can("Vex", "move").reason
