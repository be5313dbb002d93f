"""Segments: the minute, its eight steps, and whose turn comes in each."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.segments_table import (
    SPELLS,
    cites,
    events,
    fight,
    hp,
    key,
    roll,
    rolled,
    rule,
    to_round,
    to_step,
    to_turn,
    turns,
    used,
    why,
)
from tests.systems.table import order, refused


@pytest.mark.rule("segments.time.round")
def test_a_round_is_a_minute() -> None:
    enc = fight("Mara", "Vex")
    assert (enc.clock.round, enc.clock.seconds) == (1, 0)
    to_round(enc, 2)
    assert enc.clock.seconds == 60
    to_round(enc, 4)
    assert enc.clock.seconds == 180


@pytest.mark.rule("segments.time.segments")
def test_a_round_has_ten_segments_of_six_seconds() -> None:
    enc = fight("Mara", "Vex")
    assert rule("time.segments").kind == "definition"
    ticks = enc.ruleset.presentation.now(enc._state).strips[1]
    assert ticks["type"] == "ticks"
    assert ticks["of"] == 10
    seen = set()
    while enc.clock.round == 1:
        segment, seconds = enc.clock.segment, enc.clock.seconds
        assert segment is not None
        assert seconds == (segment - 1) * 6
        seen.add(segment)
        enc.end_turn()
    assert seen <= set(range(1, 11))


@pytest.mark.rule("segments.time.actions-measured")
def test_every_action_says_its_time_in_segments_a_round_being_ten() -> None:
    rows = [{"id": "pick", "title": "Pick a lock", "tags": ["simple"], "cost": "major", "segments": 4}]
    enc = rolled("Mara", "Vex", tables={"actions": [*rows, {**rows[0], "id": "barricade", "segments": "1 round"}]})
    assert enc.do("Mara", "pick")[0].data["segments"] == 4
    assert used(enc, "Mara") == 4
    to_turn(enc, "Vex")
    assert enc.do("Vex", "barricade")[0].data["segments"] == 10
    assert "time" in refused(fight("Mara"), "Mara", "declare", action="attack", segments=3).rule


@pytest.mark.rule("segments.time.overflow")
def test_what_goes_beyond_ten_segments_falls_into_another_round() -> None:
    rows = [
        {"id": "pick", "title": "Pick a lock", "tags": ["simple"], "segments": 8},
        {"id": "dig", "title": "Dig", "tags": ["simple"], "cost": "major", "segments": 25},
    ]
    enc = rolled("Mara", "Vex", tables={"actions": rows})
    enc.do("Mara", "pick")
    enc.do("Mara", "speak")
    enc.do("Mara", "speak")
    assert used(enc, "Mara") == 10
    ruling = refused(enc, "Mara", "speak")
    assert ruling.rule == "segments.time.overflow"
    assert "1 segment, and 0 of the round's 10" in ruling.reason
    assert refused(enc, "Mara", "attack", target="Vex").rule == "segments.time.overflow"
    to_round(enc, 2)
    roll(enc)
    assert enc.can("Mara", "speak").allowed
    # One action of 25 segments: ten, ten, and five in the third round.
    to_turn(enc, "Vex")
    for number, taken in ((1, 10), (2, 10), (3, 5)):
        happened = enc.do("Vex", "dig")
        assert happened[0].data["segments"] == taken
        assert happened[0].data["progress"] == [number, 3]
        assert happened[0].data["completed"] is (number == 3)
        if number < 3:
            assert (enc["Vex"].progress["dig"].done, enc["Vex"].progress["dig"].total) == (number, 3)
            to_round(enc, enc.clock.round + 1 if enc.clock.round else 0)
            to_turn(enc, "Vex")
    assert "dig" not in enc["Vex"].progress


@pytest.mark.rule("segments.seq.surprise", "segments.seq.positions")
def test_surprise_is_settled_first_then_positions_then_the_round_is_announced() -> None:
    enc = ck.Encounter("segments", seed=7)
    enc.add("Mara", side="party", at=(0, 0))
    enc.add("Vex", side="foes", at=(3, 4))
    happened = enc.start(surprised=["Vex"])
    surprise = next(i for i, e in enumerate(happened) if "segments.seq.surprise" in e.rules)
    places = next(i for i, e in enumerate(happened) if "segments.seq.positions" in e.rules)
    announced = next(i for i, e in enumerate(happened) if e.kind == "round")
    assert surprise < places < announced
    assert happened[places].by == "gm"
    assert "Mara at (0, 0), Vex at (3, 4)" in happened[places].text
    assert [c.id for c in enc["Vex"].conditions] == ["surprised"]
    to_round(enc, 2)
    assert enc["Vex"].conditions == ()


def test_where_nobody_has_a_place_the_log_says_nothing_of_places() -> None:
    enc = rolled("Mara", "Vex")
    (places,) = [event for event in enc.history.events.rows(named=True) if "segments.seq.positions" in event["rules"]]
    assert not places["text"]
    assert "map" not in enc.log().markdown.casefold()


@pytest.mark.rule("segments.seq.eight-steps")
def test_a_round_is_announced_has_eight_steps_and_repeats() -> None:
    enc = rolled("Mara", "Vex")
    to_round(enc, 3)
    steps = [(e.round, e.data["number"], e.data["phase"]) for e in events(enc, "step")]
    one = [(1, None), (2, None), (3, None), (4, None), (5, "HIGH"), (5, "LOW"), (6, None), (7, None), (8, None)]
    assert steps == [(n, *step) for n in (1, 2) for step in one] + [(3, 1, None)]
    assert [e.text for e in events(enc, "round")] == ["Round 1", "Round 2", "Round 3"]
    flow = enc.ruleset.presentation.now(enc._state).strips[0]
    assert flow["type"] == "flow"
    assert [step["number"] for step in flow["steps"]] == [1, 2, 3, 4, 5, 5, 6, 7, 8]


@pytest.mark.rule("segments.seq.1-declare")
def test_step_one_waits_for_declarations_and_takes_them_then_only() -> None:
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    assert (enc.active, enc.clock.step) == (None, 1)
    enc.do("Mara", "declare", action="attack")
    assert (enc.active, enc.clock.step) == (None, 1)
    (said,) = [c for c in enc["Mara"].conditions if c.id == "declared"]
    assert (said.value["action"], said.until) == ("attack", "end of round")
    roll(enc)
    assert refused(enc, "Mara", "declare", action="fireball").rule == "segments.seq.1-declare"
    assert refused(enc, "Mara", "fireball", target="Vex").rule == "segments.seq.1-declare"
    to_round(enc, 2)
    assert enc["Mara"].conditions == ()
    assert enc.can("Mara", "declare").needed is None
    assert not enc.can("Mara", "declare").allowed  # what is declared is still missing
    assert enc.can("Mara", "declare", action="fireball").allowed


@pytest.mark.rule("segments.seq.2-group")
def test_every_group_rolls_a_d6_anew_each_round() -> None:
    enc = fight("Mara", "Bo", "Vex")
    happened = enc.end_turn(rolls={"party": [5], "foes": [2]})
    dice = [
        (e.data["group"], e.data["faces"], e.data["notation"], e.data["source"]) for e in happened if e.kind == "roll"
    ]
    assert dice == [("party", [5], "1d6", "table"), ("foes", [2], "1d6", "table")]
    assert [(r.combatant, r.initiative) for r in enc.order] == [("Mara", 5), ("Bo", 5), ("Vex", 2)]
    to_round(enc, 2)
    assert all(rung.initiative is None for rung in enc.order)
    roll(enc, party=1, foes=6)
    assert [(r.combatant, r.initiative) for r in enc.order] == [("Vex", 6), ("Mara", 1), ("Bo", 1)]
    # Seeded, it is a d6 too.
    seeded = fight("Mara", "Vex")
    for number in range(2, 40):
        to_round(seeded, number)
    faces = [face for e in events(seeded, "roll") for face in e.data["faces"]]
    assert set(faces) == {1, 2, 3, 4, 5, 6}


def test_a_group_is_the_side_unless_one_is_named() -> None:
    enc = ck.Encounter("segments", seed=7)
    enc.add("Mara", side="party")
    enc.add("Bo", side="party", group="rearguard")
    enc.add("Orc", side="foes", count=2)
    enc.start()
    happened = enc.end_turn(rolls={"party": [2], "rearguard": [6], "foes": [4]})
    assert [e.data["group"] for e in happened if e.kind == "roll"] == ["party", "rearguard", "foes"]
    assert order(enc) == ["Bo", "Mara", "Orc 1", "Orc 2"]  # meeting in LOW, both groups are ordered the same way
    assert [key(enc, name)["half"] for name in ("Bo", "Orc 1", "Mara")] == ["HIGH", "LOW", "LOW"]
    to_round(enc, 2)
    enc.end_turn(rolls={"party": [3], "foes": [1]})  # a face for the side serves its groups
    assert [(r.combatant, r.initiative) for r in enc.order][:2] == [("Mara", 3), ("Bo", 3)]


@pytest.mark.rule("segments.seq.2-high", "segments.seq.2-low", "segments.seq.5-high-low")
def test_the_higher_group_acts_in_high_and_all_of_it_before_low() -> None:
    enc = rolled("Vex", "Mara", "Ossik", "Bo", party=5, foes=2)
    assert {n: key(enc, n)["half"] for n in order(enc)} == {"Mara": "HIGH", "Bo": "HIGH", "Vex": "LOW", "Ossik": "LOW"}
    assert (enc.clock.step, enc.clock.phase) == (5, "HIGH")
    assert turns(enc) == [(5, "Mara"), (5, "Bo"), (5, "Vex"), (5, "Ossik")]
    roll(enc, party=3, foes=4)
    assert turns(enc) == [(5, "Vex"), (5, "Ossik"), (5, "Mara"), (5, "Bo")]
    assert refused(rolled("Mara", "Vex"), "Vex", "attack", target="Mara").rule == "segments.seq.5-high-low"


def test_of_more_than_two_groups_the_highest_is_high_and_the_others_low() -> None:
    enc = ck.Encounter("segments", seed=7)
    for name, side in (("Mara", "party"), ("Vex", "foes"), ("Ghoul", "dead")):
        enc.add(name, side=side)
    enc.start()
    enc.end_turn(rolls={"party": [3], "foes": [5], "dead": [4]})
    assert {n: key(enc, n)["half"] for n in order(enc)} == {"Vex": "HIGH", "Ghoul": "LOW", "Mara": "LOW"}
    to_round(enc, 2)
    enc.end_turn(rolls={"party": [5], "foes": [5], "dead": [4]})
    assert {n: key(enc, n)["half"] for n in order(enc)} == {"Mara": "HIGH", "Vex": "HIGH", "Ghoul": "LOW"}


@pytest.mark.rule("segments.seq.2-tied")
def test_tied_groups_all_act_in_high() -> None:
    enc = rolled("Mara", "Vex", "Bo", party=4, foes=4)
    assert [key(enc, name)["half"] for name in ("Mara", "Vex", "Bo")] == ["HIGH"] * 3
    assert enc.ruleset.presentation.rung_extras(enc._state, enc._state.agenda[0])["group"] == "HIGH, tied on 4"
    assert cites(events(enc, "fact"), "segments.seq.2-tied")


@pytest.mark.rule("segments.seq.2-tied-order")
def test_tied_the_action_type_decides_then_weapon_speed_lower_first_equal_at_once() -> None:
    axe = [{"name": "battle axe", "speed": 7}]
    knife = [{"name": "knife", "speed": 2}]
    bow = [{"name": "bow", "missile": True}]
    stats: dict[str, Any] = {
        "Mara": {"weapons": axe},
        "Vex": {"weapons": knife},
        "Bo": {"weapons": bow},
        "Ossik": {"weapons": axe},
    }
    enc = fight("Mara", "Vex", "Bo", "Ossik", "Dray", **stats)
    enc.do("Dray", "declare", action="move")
    roll(enc, 4, 4)
    assert order(enc) == ["Bo", "Vex", "Mara", "Ossik", "Dray"]
    assert next(r.key for r in enc.order if r.combatant == "Mara") == (("half", "HIGH"), ("type", "D3"), ("speed", 7))
    assert [key(enc, n)["type"] for n in order(enc)] == ["D2", "D3", "D3", "D3", "D4"]
    assert why(enc, "Bo") == "D2 before D3 [segments.seq.2-tied-order]"
    assert why(enc, "Vex") == "speed 2 before 7 [segments.seq.2-tied-order]"
    assert why(enc, "Mara") == "at the same time as Ossik [segments.seq.2-tied-order]"
    assert [name for _, name in turns(enc)] == ["Bo", "Vex", "Mara", "Ossik", "Dray"]


@pytest.mark.parametrize("until", ["1 round", "end of turn"])
def test_who_is_out_for_a_turn_and_had_that_one_at_the_same_time_misses_the_next(until: str) -> None:
    enc = rolled("Mara", "Vex", "Bo", party=4, foes=4)
    enc.condition("Vex", "unconscious", until=until)
    assert {name for _, name in turns(enc)} == {"Mara", "Vex", "Bo"}
    to_round(enc, 2)
    roll(enc, 4, 4)
    assert {name for _, name in turns(enc)} == {"Mara", "Bo"}
    assert not enc["Vex"].conditions


def test_harm_inside_a_simultaneous_block_takes_nobodys_turn_before_it_ends() -> None:
    enc = rolled("Mara", "Vex", "Bo", party=4, foes=4)
    enc.do("Mara", "attack", target="Vex", damage=40, rolls={"attack": [20]})
    enc.condition("Vex", "dead")
    enc.end_turn()
    assert enc.active == "Vex"
    enc.do("Vex", "attack", target="Mara", damage=3, rolls={"attack": [20]})
    assert hp(enc, "Mara") == 27
    enc.end_turn()
    assert enc.active == "Bo"
    assert refused(enc, "Vex", "speak").reason == "Vex is dead."
    to_round(enc, 2)
    roll(enc, 4, 4)
    assert [name for _, name in turns(enc)] == ["Mara", "Bo"]
    # Outside a block it does.
    slow: dict[str, Any] = {"Vex": {"weapons": [{"name": "maul", "speed": 8}]}}
    enc = rolled("Mara", "Vex", party=4, foes=4, **slow)
    enc.condition("Vex", "dead")
    assert [name for _, name in turns(enc)] == ["Mara"]


@pytest.mark.rule("segments.seq.2-dex")
def test_the_gm_moves_an_individual_for_its_dexterity_and_the_log_says_so() -> None:
    enc = rolled("Mara", "Bo", "Vex", party=4, foes=4, Vex={"dex_adjustment": 2})
    assert enc["Vex"].values["dex_adjustment"] == 2
    assert order(enc) == ["Mara", "Bo", "Vex"]
    happened = enc.place("Vex", before="Bo", note="reaction adjustment +2")
    assert order(enc) == ["Mara", "Vex", "Bo"]
    assert (happened[0].kind, happened[0].by, happened[0].note) == ("order", "gm", "reaction adjustment +2")
    enc.do("Mara", "speak")
    assert [name for _, name in turns(enc)] == ["Vex", "Bo", "Mara"]  # what takes a segment lets the others first
    enc = rolled("Mara", "Vex")
    enc.place("Vex", count=6)
    assert (key(enc, "Vex")["half"], enc["Vex"].values["initiative"]) == ("HIGH", 6)


@pytest.mark.rule("segments.seq.3-fast")
def test_declared_fast_actions_come_before_everybody_else() -> None:
    enc = fight("Mara", "Vex", "Bo")
    enc.do("Vex", "declare", action="charge")
    roll(enc, party=6, foes=1)
    assert (enc.active, enc.clock.step) == ("Vex", 3)
    assert refused(enc, "Vex", "attack", target="Mara").rule == "segments.seq.3-fast"
    enc.do("Vex", "charge", target="Mara", rolls=[12])
    assert turns(enc) == [(3, "Vex"), (5, "Mara"), (5, "Bo")]
    roll(enc)
    for action in ("parley", "flee", "charge"):
        params = {"target": "Vex"} if action == "charge" else {}
        assert refused(enc, "Mara", action, **params).rule == "segments.seq.3-fast"
    # Who declared one and let it pass acts in its half after all.
    to_round(enc, 3)
    enc.do("Vex", "declare", action="flee")
    roll(enc)
    assert turns(enc) == [(3, "Vex"), (5, "Mara"), (5, "Bo"), (5, "Vex")]


@pytest.mark.rule("segments.seq.3-order")
def test_fast_actions_come_in_the_order_of_the_flowchart() -> None:
    enc = fight("Mara", "Bo", "Vex", "Ossik", "Dray")
    enc.condition("Mara", "go_first")
    enc.do("Mara", "declare", action="attack")
    enc.do("Bo", "declare", action="charge")
    enc.do("Vex", "declare", action="flee")
    enc.do("Ossik", "declare", action="parley")
    roll(enc)
    assert [(n, key(enc, n)["fast"]) for n in order(enc)[:4]] == [
        ("Ossik", "parley"),
        ("Vex", "flee"),
        ("Bo", "charge"),
        ("Mara", "go first"),
    ]
    assert [t for t in turns(enc) if t[0] == 3] == [(3, "Ossik"), (3, "Vex"), (3, "Bo"), (3, "Mara")]


def test_steps_three_four_and_six_come_whatever_the_groups_rolled() -> None:
    enc = fight("Mara", "Vex", "Ossik", Vex={"routines": 2})
    enc.condition("Vex", "in_melee")
    enc.do("Ossik", "declare", action="parley")
    roll(enc, party=6, foes=1)
    seen = []
    while enc.clock.round == 1:
        if enc.active:
            seen.append((enc.clock.step, enc.active))
            if enc.active == "Vex":
                enc.do("Vex", "attack", target="Mara")
            elif enc.clock.step == 3:
                enc.do("Ossik", "parley")
        enc.end_turn()
    assert seen == [(3, "Ossik"), (4, "Vex"), (5, "Mara"), (6, "Vex")]


@pytest.mark.rule("segments.seq.4-multi")
def test_those_with_multi_attack_in_melee_take_a_turn_in_step_four() -> None:
    enc = fight("Mara", "Bo", "Vex", Mara={"routines": 2}, Bo={"routines": 2})
    enc.condition("Mara", "in_melee")  # Bo is not in melee, and Vex has one routine
    enc.condition("Vex", "in_melee")
    roll(enc)
    assert (enc.active, enc.clock.step) == ("Mara", 4)
    assert refused(enc, "Mara", "move", feet=30).rule == "segments.seq.4-multi"
    enc.do("Mara", "attack", target="Vex")
    assert turns(enc) == [(4, "Mara"), (5, "Bo"), (5, "Vex"), (6, "Mara")]
    # Who comes into melee in step 3 is asked in step 4 as well; who lets step 4 pass acts in its half.
    enc.do("Vex", "declare", action="flee")
    roll(enc)
    enc.condition("Bo", "in_melee")
    assert turns(enc) == [(3, "Vex"), (4, "Mara"), (4, "Bo"), (5, "Mara"), (5, "Bo"), (5, "Vex")]


@pytest.mark.rule("segments.seq.6-remaining")
def test_remaining_attacks_are_completed_in_step_six() -> None:
    enc = fight("Mara", "Vex", Mara={"routines": 3})
    enc.condition("Mara", "in_melee")
    roll(enc)
    first = enc.do("Mara", "attack", target="Vex")
    assert first[0].data["routine"] == "primary"
    assert "has 2 attack routines left" in " ".join(e.text for e in first)
    assert refused(enc, "Mara", "attack", target="Vex").rules[:2] == ("segments.seq.6-remaining", "segments.major.one")
    to_turn(enc, "Mara", 6)
    assert key(enc, "Mara", 2)["multi-attack"] == "remaining"
    assert enc.can("Mara", "speak").allowed  # minor.variety: in addition to the major action, whatever the step
    assert refused(enc, "Mara", "move", feet=10).rule == "segments.seq.6-remaining"
    for _ in range(2):
        assert enc.do("Mara", "attack", target="Vex")[0].data["routine"] == "iterative"
    assert not enc.can("Mara", "attack", target="Vex").allowed
    enc.end_turn()
    assert enc.clock.round == 2
    # Nothing is left over for the next round.
    enc.condition("Mara", "in_melee", off=True)
    roll(enc)
    assert turns(enc) == [(5, "Mara"), (5, "Vex")]


@pytest.mark.rule("segments.seq.7-spells", "segments.seq.7-incantation")
def test_incantations_are_resolved_in_step_seven_high_before_low_then_by_casting_time() -> None:
    enc = fight("Mara", "Bo", "Vex", "Ossik", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="fireball")  # 3 segments
    enc.do("Bo", "declare", spell="sleep")  # 1 segment
    enc.do("Vex", "declare", spell="sleep")
    roll(enc, party=5, foes=2)
    assert [r.combatant for r in enc.order if "type" not in dict(r.key)] == ["Bo", "Mara", "Vex"]
    for name, target in (("Bo", "Vex"), ("Mara", "Vex")):
        enc.do(name, "announce_target", target=target)
    enc.do("Vex", "announce_target", target="Mara")
    assert (enc.clock.step, enc.active) == (5, "Ossik")
    enc.end_turn()
    assert (enc.clock.step, enc.active) == (7, "Bo")
    assert refused(enc, "Bo", "attack", target="Vex").rule == "segments.seq.7-spells"
    happened = enc.do("Bo", "sleep")
    assert happened[0].rules[0] == "segments.seq.7-incantation"
    assert turns(enc) == [(7, "Bo"), (7, "Mara"), (7, "Vex")]
    assert key(enc, "Mara")["group"] == "party"


@pytest.mark.rule("segments.seq.7-invocation")
def test_an_invocation_of_more_than_a_segment_is_resolved_in_step_seven() -> None:
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="staff")  # 4 segments
    roll(enc)
    assert enc["Mara"].conditions[-1].rule == "segments.seq.7-invocation"
    enc.do("Mara", "announce_target", target="Vex")
    assert enc.active == "Vex"
    to_turn(enc, "Mara")
    assert enc.clock.step == 7
    enc.do("Mara", "staff", damage=6)
    assert hp(enc, "Vex") == 24


@pytest.mark.rule("segments.seq.8-end")
def test_the_round_ends_with_what_is_the_gms_and_effects_expire() -> None:
    enc = rolled("Mara", "Vex")
    enc.condition("Mara", "dazzled", until="end of round")
    to_step(enc, 5, "LOW")
    happened = enc.end_turn()
    (hook,) = [e for e in happened if e.kind == "fact" and "segments.seq.8-end" in e.rules]
    assert hook.by == "gm"
    ended = next(e.seq for e in happened if e.kind == "effect_end")
    assert hook.seq < ended < next(e.seq for e in happened if e.kind == "round_end")
    assert enc["Mara"].conditions == ()
