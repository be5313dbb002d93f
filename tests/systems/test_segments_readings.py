"""Segments: what readings.md says besides its options, what users supply, and what the widgets are given."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.core.timeline import fold
from tests.systems.segments_table import (
    SPELLS,
    events,
    fight,
    hp,
    key,
    left,
    roll,
    rolled,
    rule,
    to_round,
    to_step,
    to_turn,
    turns,
)
from tests.systems.table import holds, order, refused


def spell_places(enc: ck.Encounter) -> list[tuple[str, dict[str, Any]]]:
    """Whose spells come in which order, with their keys."""
    return [(r.combatant, dict(r.key)) for r in enc.order if "type" not in dict(r.key) and "segments" in dict(r.key)]


# ── tables ──


def test_weapon_speeds_are_supplied_with_a_labelled_default() -> None:
    (default,) = ck.ruleset("segments").tables["weapon_speeds"]
    assert default == {"id": "any other weapon", "speed": 5, "label": "the project's own"}
    weapons: dict[str, Any] = {"Mara": {"weapons": ["battle axe"]}, "Vex": {"weapons": ["net"]}}
    enc = fight("Mara", "Vex", **weapons)
    roll(enc)
    assert [key(enc, n)["speed"] for n in ("Mara", "Vex")] == [5, 5]
    enc = fight("Mara", "Vex", **weapons)
    enc.add_table("weapon_speeds", [{"id": "battle axe", "speed": 7}])
    roll(enc)
    assert [key(enc, n)["speed"] for n in ("Mara", "Vex")] == [7, 5]
    with pytest.raises(ck.InvalidInput, match="is already there"):
        enc.add_table("weapon_speeds", [{"id": "battle axe", "speed": 8}])


def test_spells_go_by_a_supplied_chart_high_before_low_only_until_then() -> None:
    chart = [
        {"id": "quick", "max": 2, "order": 1},
        {"id": "invocations", "kind": "invocation", "order": 2},
        {"id": "the rest, LOW", "half": "LOW", "order": 3},
        {"id": "the rest, HIGH", "half": "HIGH", "order": 4},
    ]
    expected = {
        False: ["Bo", "Mara", "Ossik", "Vex"],  # HIGH: 1, 3; LOW: 1, 4
        True: ["Bo", "Ossik", "Vex", "Mara"],  # 1 and 1 are quick, then the invocation, then HIGH's 3
    }
    for supplied, names in expected.items():
        enc = fight("Mara", "Bo", "Vex", "Ossik", tables={"actions": SPELLS})
        if supplied:
            enc.add_table("spell_chart", chart)
        enc.do("Mara", "declare", spell="fireball")
        enc.do("Bo", "declare", spell="sleep")
        enc.do("Vex", "declare", spell="staff")
        enc.do("Ossik", "declare", spell="sleep")
        roll(enc)
        assert [name for name, _ in spell_places(enc)] == names
        assert ("chart" in spell_places(enc)[0][1]) is supplied
    labels = {row["label"] for row in ck.ruleset("segments").tables["spell_chart"]}
    assert labels == {"the project's own"}


def test_equal_spells_are_simultaneous() -> None:
    enc = fight("Mara", "Bo", "Ana", "Vex", tables={"actions": SPELLS})
    for name, spell in (("Mara", "fireball"), ("Bo", "fireball"), ("Ana", "bless")):
        enc.do(name, "declare", spell=spell)
    roll(enc)
    for name, target in (("Mara", "Bo"), ("Bo", "Mara"), ("Ana", "Vex")):
        enc.do(name, "announce_target", target=target)
    to_turn(enc, "Mara", 7)
    enc.do("Mara", "fireball", damage=30)
    enc.condition("Bo", "dead")
    assert "casting" in holds(enc, "Bo")  # both take three segments: Bo's spell is completed at the same time
    enc.adjust("Ana", by=-1)
    assert "casting" not in holds(enc, "Ana")  # hers takes ten
    enc.end_turn()
    assert enc.active == "Bo"
    enc.do("Bo", "fireball", damage=4)
    assert hp(enc, "Mara") == 26
    enc.end_turn()
    assert enc.active == "Ana"  # hers is lost, and minor actions are left to her
    enc.end_turn()
    assert enc.clock.round == 2
    assert refused(enc, "Bo", "declare", action="attack").reason == "Bo is dead."


@pytest.mark.parametrize(
    ("table", "row", "says"),
    [
        ("weapon_speeds", {"id": "axe"}, "speed is missing"),
        ("weapon_speeds", {"id": "axe", "speed": "slow"}, "speed is 'slow'"),
        ("weapon_speeds", {"id": "axe", "speed": 7, "reach": 2}, "weapon_speeds has no column"),
        ("spell_chart", {"id": "x", "order": 1, "half": "MIDDLE"}, "half is 'MIDDLE'"),
        ("attack_tables", {"id": "x", "table": "thief", "row": "1", "aac0": 20}, "table is 'thief'"),
        ("attributes", {"id": "x", "implies": "fear"}, "implies is 'fear'"),
        ("manoeuvres", {"id": "x"}, "segments has no table"),
    ],
)
def test_table_rows_that_cannot_be_are_refused(table: str, row: dict[str, Any], says: str) -> None:
    enc = fight("Mara", start=False)
    before = enc.digest
    with pytest.raises(ck.CombatkitError, match=says):
        enc.add_table(table, [row])
    assert enc.digest == before


# ── the fight as a whole ──


def test_a_newcomer_takes_its_groups_half_and_acts_if_its_place_is_still_to_come() -> None:
    enc = rolled("Mara", "Bo", "Vex", "Ossik")
    enc.join("Ana", side="party")
    assert (enc["Ana"].values["initiative"], key(enc, "Ana")["half"]) == (5, "HIGH")
    assert [name for _, name in turns(enc)] == ["Mara", "Bo", "Ana", "Vex", "Ossik"]
    roll(enc)
    to_step(enc, 5, "LOW")
    enc.join("Tam", side="party")
    assert "Tam" not in [name for _, name in turns(enc)]
    # A group that joins throws a die of its own.
    roll(enc)
    enc.join("Wolf", side="beasts", rolls={"beasts": [6]})
    assert (enc["Wolf"].values["initiative"], key(enc, "Wolf")["half"]) == (6, "HIGH")
    enc.join("Rat", side="vermin", rolls={"vermin": [1]})
    assert key(enc, "Rat")["half"] == "LOW"
    to_round(enc, 4)
    assert all(rung.initiative is None for rung in enc.order)


def test_who_leaves_is_off_the_ladder_and_the_round_goes_on() -> None:
    enc = rolled("Mara", "Bo", "Vex")
    enc.leave("Mara")
    assert (enc.active, order(enc)) == ("Bo", ["Bo", "Vex"])
    to_round(enc, 2)
    roll(enc)
    assert order(enc) == ["Bo", "Vex"]


def test_nobody_acts_twice_from_one_place_in_a_round() -> None:
    enc = fight("Mara", "Bo", "Vex", "Ossik", Mara={"routines": 3}, tables={"actions": SPELLS})
    enc.condition("Mara", "in_melee")
    enc.do("Bo", "declare", spell="sleep")
    enc.do("Vex", "declare", action="charge")
    roll(enc, 4, 4)
    enc.do("Vex", "charge", target="Mara")
    enc.end_turn()
    enc.do("Mara", "attack", target="Vex")
    enc.end_turn()
    enc.do("Bo", "announce_target", target="Vex")
    to_round(enc, 2)
    begun = [(e.actor, e.data["place"]) for e in events(enc, "turn")]
    assert len(begun) == len(set(begun))
    assert [name for name, _ in begun] == ["Vex", "Mara", "Ossik", "Mara", "Bo"]


def test_the_gm_overrules_and_the_log_says_what() -> None:
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "attack", target="Vex")
    happened = enc.do("Mara", "attack", target="Vex", override=True, note="haste")
    assert (happened[0].by, happened[0].note) == ("gm", "haste")
    assert "segments.major.one" in happened[0].data["overruled"]


def test_the_log_folds_to_the_same_state_and_undo_takes_a_call_back_whole() -> None:
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="fireball")
    before = enc.digest
    state = enc._state
    roll(enc, 4, 4)
    enc.undo()
    assert enc._state == state
    enc.redo()
    enc.do("Mara", "announce_target", target="Vex")
    enc.do("Bo", "delay")
    enc.adjust("Mara", by=-3)
    to_round(enc, 2)
    assert before != enc.digest
    again = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    again.do("Mara", "declare", spell="fireball")
    roll(again, 4, 4)
    again.do("Mara", "announce_target", target="Vex")
    again.do("Bo", "delay")
    again.adjust("Mara", by=-3)
    to_round(again, 2)
    assert fold(again._events) == again._state == enc._state


def test_the_same_seed_and_calls_give_the_same_log() -> None:
    def play() -> list[ck.Event]:
        enc = fight("Mara", "Vex", seed=11)
        for _ in range(5):
            enc.end_turn()
            if enc.active:
                enc.do(enc.active, "attack", target="Vex" if enc.active == "Mara" else "Mara", damage="1d8")
        return list(enc._events)

    assert play() == play()


def test_choices_list_what_can_be_declared_aimed_at_and_saved() -> None:
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    declared = {c.value: c.ruling.allowed for c in enc.choices("Mara", "declare") if c.param == "action"}
    assert declared["attack"]
    assert declared["fireball"]
    assert "free_attack" not in declared
    assert "immediate_action" not in declared
    assert {c.value for c in enc.choices("Mara", "declare") if c.param == "spell"} >= {"fireball", "staff"}
    assert [c.value for c in enc.choices("Mara", "save") if c.param == "outcome"] == ["failed", "negated"]
    enc.do("Mara", "declare", spell="fireball")
    roll(enc)
    aims = [(c.param, c.value) for c in enc.choices("Mara", "announce_target")]
    assert aims == [("target", "Mara"), ("target", "Vex"), ("point", None), ("option", "no target")]


def test_the_dice_asked_for_as_step_one_closes_are_the_groups() -> None:
    enc = fight("Mara", "Vex")
    assert [(name, ask.dice, ask.sides) for name, ask in enc.ruleset.step_asks(enc._state)] == [
        ("party", 1, 6),
        ("foes", 1, 6),
    ]
    roll(enc)
    assert enc.ruleset.step_asks(enc._state) == ()


def test_every_disputed_rule_is_marked() -> None:
    disputed = {r.id.removeprefix("segments.") for r in ck.ruleset("segments").rules if r.disputed}
    assert disputed == {
        "seq.2-dex",
        "seq.3-order",
        "seq.7-invocation",
        "seq.8-end",
        "minor.adds-1",
        "activity.add-before",
        "simple.included",
        "invoc.time",
        "called.20",
        "grid.pass-breaks",
        "immatk.surprised",
    }
    assert rule("seq.2-dex").kind == "gm"


# ── what the widgets are given ──


@pytest.mark.rule("segments.seq.1-declare")
def test_the_flow_counts_the_declarations_that_are_asked_for() -> None:
    enc = fight("Mara", "Bo", "Vex")
    enc.do("Mara", "declare", action="attack")
    enc.condition("Bo", "down")
    now = enc.ruleset.presentation.now(enc._state)
    assert now.roll_call is not None
    flow = now.strips[0]
    assert flow["type"] == "flow"
    said = [bool(call["said"]) for call in now.roll_call["rows"].values()]
    assert flow["steps"][0]["lines"] == [[f"{sum(said)} of {len(said)}"]] == [["1 of 2"]]


def test_the_flow_of_steps_shows_dice_and_who_comes_where() -> None:
    enc = fight("Mara", "Bo", "Vex", Mara={"routines": 2}, tables={"actions": SPELLS})
    enc.condition("Mara", "in_melee")
    enc.do("Bo", "declare", spell="fireball")
    enc.do("Vex", "declare", action="charge")
    roll(enc)
    enc.do("Vex", "charge", target="Mara")
    flow, ticks = enc.ruleset.presentation.now(enc._state).strips
    assert flow["type"] == "flow"
    assert ticks["type"] == "ticks"
    steps = {(s["number"], s["title"]): s for s in flow["steps"]}
    assert [s["stands"] for s in flow["steps"]] == ["done", "done", "now", "", "", "", "", "", ""]
    assert steps[1, "Declare"]["lines"] == [["2 of 3"]]
    dice = [[{"side": 0}, {"die": 5, "table": True}, " ", "high"], [{"side": 1}, {"die": 2, "table": True}, " ", "low"]]
    assert steps[2, "Initiative"]["lines"] == dice
    assert steps[3, "Fast"]["lines"] == [["A Parley"], ["B Flee"], [{"side": 1}, "C Charge"]]
    assert steps[4, "Multi"]["lines"] == [[{"side": 0}, "Mara"]]
    assert steps[7, "Spells"]["lines"] == [[{"side": 0}, "Bo"]]
    assert [(b["name"], b["from"], b["to"], b["after"]) for b in ticks["bars"]] == [
        ("Vex", 1, 1, "1 segment"),
        ("Bo", 1, 3, "3 segments"),
    ]
    assert ticks["now"] == enc.clock.segment == 1


def test_what_comes_later_in_the_round_is_told_in_its_order_until_it_is_done() -> None:
    enc = fight("Mara", "Bo", "Vex", "Ilya", Mara={"routines": 2}, tables={"actions": SPELLS})
    for who in ("Bo", "Ilya"):
        enc.do(who, "declare", spell="fireball" if who == "Bo" else "staff")

    def coming() -> list[tuple[str, str]]:
        return [(each["name"], each["said"]) for each in enc.ruleset.presentation.now(enc._state).coming]

    assert coming() == [], "nobody has a place before initiative"
    roll(enc)
    spells = [("Bo", "fireball, in Spells; damage breaks it"), ("Ilya", "staff, in Spells")]
    assert coming() == spells, "in D1 of their half they are asked whom the spells are for"
    for who in ("Bo", "Ilya"):
        enc.do(who, "announce_target", target="Vex")
    spells = [("Bo", "fireball at Vex, in Spells; damage breaks it"), ("Ilya", "staff at Vex, in Spells")]
    seen: list[list[tuple[str, str]]] = []
    while enc.clock.round == 1:
        if not seen or seen[-1] != coming():
            seen.append(coming())
        if enc.active == "Mara":
            enc.do("Mara", "attack", target="Vex", outcome="miss")
        enc.end_turn()
    assert seen == [spells, [("Mara", "attack, in Remaining"), *spells], spells, spells[1:], []]


def test_rungs_stand_under_the_heading_of_their_half_or_step() -> None:
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    rules = enc.ruleset
    assert rules.presentation.rung_extras(enc._state, enc._state.agenda[0])["group"] == "Before initiative"
    enc.do("Bo", "declare", spell="fireball")
    roll(enc)
    extras = [(p.who, rules.presentation.rung_extras(enc._state, p)) for p in enc._state.agenda]
    assert [(who, e["group"]) for who, e in extras] == [
        ("Mara", "HIGH, party rolled 5"),
        ("Bo", "HIGH, party rolled 5"),
        ("Vex", "LOW, foes rolled 2"),
        ("Bo", "Step 7, spells"),
    ]
    assert extras[-1][1]["sub"] == [["their spell: fireball, 3 segments ", {"rule": "segments.seq.7-incantation"}]]
    enc.do("Bo", "announce_target", target="Vex")
    assert rules.presentation.now(enc._state).headline == "step 5 of 8 · segment 3 of 10"
    assert left(enc, "Bo", "spell") == 0
    assert "casting" in next(r.status for r in enc.order if r.combatant == "Bo")


def test_a_ruling_outside_the_rules_changes_nothing() -> None:
    enc = rolled("Mara", "Vex")
    for action in ("declare", "flee", "complex_activity", "delaying_activity", "incantation"):
        params = {"action": "attack"} if action == "declare" else {}
        assert refused(enc, "Mara", action, **params).rule.startswith("segments.")
