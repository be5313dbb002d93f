"""Segments: activities and spells that take more than one round."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.segments_table import cites, events, fight, hp, left, roll, to_round, to_step, to_turn, turns
from tests.systems.table import holds, refused

ROWS: list[dict[str, Any]] = [
    {"id": "dig", "title": "Dig", "tags": ["complex"], "segments": 20},
    {"id": "ritual", "title": "Ritual", "tags": ["incantation"], "segments": 12},
    {"id": "sleep", "title": "Sleep", "tags": ["incantation"]},
    {"id": "portal", "title": "Portal", "tags": ["invocation"], "segments": 12},
]


def first_round(spell: str = "ritual") -> ck.Encounter:
    """Mara has cast through the first ten of twelve segments; it is still her turn in step 7."""
    enc = fight("Mara", "Bo", "Vex", tables={"actions": ROWS})
    cast_on(enc, spell)
    return enc


def cast_on(enc: ck.Encounter, spell: str = "ritual", target: str = "Vex", **params: Any) -> tuple[ck.Event, ...]:
    """Cast through a round: declare, aim, and in step 7 do it."""
    enc.do("Mara", "declare", spell=spell)
    roll(enc)
    if enc.pending:  # in the last round of a casting
        enc.do("Mara", "announce_target", target=target)
    to_turn(enc, "Mara", 7)
    return enc.do("Mara", spell, **params)


@pytest.mark.rule("segments.complex.major", "segments.complex.go-last")
def test_a_complex_activity_of_two_rounds_is_completed_in_the_second() -> None:
    enc = fight("Mara", "Vex", tables={"actions": ROWS})
    for number, completed in ((1, False), (2, True)):
        enc.do("Mara", "declare", action="dig")
        roll(enc)
        to_turn(enc, "Mara", 8)
        happened = enc.do("Mara", "dig")
        (come,) = [e for e in happened if e.kind == "progress"]
        assert (come.data["progress"], come.data["completed"]) == ([number, 2], completed)
        assert (happened[0].data["segments"], happened[0].data["completed"]) == (10, completed)
        assert come.text == ("has finished: dig" if completed else "has done 1 of 2: dig")
        to_round(enc, number + 1)
    assert enc["Mara"].progress == {}


@pytest.mark.rule("segments.complex.undeclared")
def test_a_part_that_the_gm_allows_of_an_undeclared_activity_is_not_its_completion() -> None:
    enc = fight("Mara", "Vex")
    roll(enc)
    happened = enc.do("Mara", "complex_activity", override=True)
    assert [e.data["completed"] for e in happened if "completed" in e.data] == [False, False]


@pytest.mark.rule("segments.cast.deep", "segments.cast.lost")
@pytest.mark.parametrize("moment", ["in step 8", "in step 1", "declared anew", "in step 5"])
def test_harm_at_any_time_between_its_rounds_loses_a_long_spell_whole(moment: str) -> None:
    enc = first_round()
    assert [(c.value["spell"], c.until) for c in enc["Mara"].conditions if c.id == "casting"] == [("ritual", None)]
    if moment != "in step 8":
        to_round(enc, 2)
    if moment in ("declared anew", "in step 5"):
        enc.do("Mara", "declare", spell="ritual")
    if moment == "in step 5":
        roll(enc)
    happened = enc.adjust("Mara", by=-3)
    (lost,) = [e for e in happened if e.kind == "stopped"]
    assert lost.rules == ("segments.cast.lost", "segments.conc.break-damage")
    assert "casting" not in holds(enc, "Mara")
    assert enc["Mara"].progress == {}
    # Only a round it was declared in loses its major action to it.
    assert left(enc, "Mara", "major") == (1 if moment == "in step 1" else 0)
    # Begun anew, it takes its twelve segments again.
    to_round(enc, 2 if moment in ("in step 8", "in step 1") else 3)
    assert cast_on(enc)[0].data["progress"] == [1, 2]


@pytest.mark.rule("segments.time.overflow", "segments.cast.deep")
def test_a_spell_of_twelve_segments_is_completed_in_the_second_of_the_next_round() -> None:
    enc = first_round()
    ended = [e.text for e in events(enc, "effect_end") if e.target == "Mara"]
    assert ended == ["has not finished ritual yet"]
    assert hp(enc, "Vex") == 30
    to_round(enc, 2)
    enc.do("Mara", "declare", spell="ritual")
    enc.do("Bo", "declare", spell="sleep")
    roll(enc)
    spells = [(r.combatant, dict(r.key)["segments"]) for r in enc.order if "type" not in dict(r.key)]
    assert spells == [("Bo", 1), ("Mara", 2)]
    enc.do("Bo", "announce_target", target="Vex")
    enc.do("Mara", "announce_target", target="Vex")
    assert turns(enc)[:1] == [(5, "Vex")]
    to_round(enc, 3)
    # The casting was let go in round 2: it is lost, and begun anew it takes both rounds.
    assert enc["Mara"].progress == {}
    cast_on(enc, damage=4)
    to_round(enc, 4)
    happened = cast_on(enc, damage=4)
    assert (happened[0].data["segments"], happened[0].data["completed"]) == (2, True)
    assert (hp(enc, "Vex"), "casting" in holds(enc, "Mara")) == (26, False)


@pytest.mark.rule("segments.time.overflow", "segments.cast.lost")
@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("option", ["goes_on", "declare_anew"])
def test_a_long_casting_goes_on_undeclared_or_by_the_option_is_lost(option: str, again: bool) -> None:
    enc = fight("Mara", "Vex", tables={"actions": ROWS}, options={"long_casting": option})
    cast_on(enc)
    to_round(enc, 2)
    if again:
        enc.do("Mara", "declare", spell="ritual")
    roll(enc)
    if not again and option == "declare_anew":
        assert ("casting" in holds(enc, "Mara"), enc["Mara"].progress) == (False, {})
        return
    assert left(enc, "Mara", "spell") == 0, "it is the round's spell"
    assert not enc.can("Mara", "declare", spell="sleep").allowed
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara", 7)
    assert enc.do("Mara", "ritual", damage=4)[0].data["completed"] is True
    assert (hp(enc, "Vex"), "casting" in holds(enc, "Mara")) == (26, False)


@pytest.mark.rule("segments.cast.lost")
def test_a_long_spell_is_lost_for_another_major_action_and_leaves_the_round_free() -> None:
    enc = first_round()
    to_round(enc, 2)
    enc.do("Mara", "declare", action="attack")
    happened = enc.end_turn(rolls={"party": [5], "foes": [2]})
    assert cites(happened, "segments.cast.lost")
    assert ("casting" in holds(enc, "Mara"), enc["Mara"].progress) == (False, {})
    assert (left(enc, "Mara", "major"), left(enc, "Mara", "spell"), enc.active) == (1, 1, "Mara")
    # Another spell takes its place as that begins.
    enc = first_round()
    to_round(enc, 2)
    enc.do("Mara", "declare", spell="sleep")
    happened = enc.end_turn(rolls={"party": [5], "foes": [2]})
    assert cites(happened, "segments.cast.lost")
    assert [c.value["spell"] for c in enc["Mara"].conditions if c.id == "casting"] == ["sleep"]


def test_damage_breaks_no_long_invocation() -> None:
    enc = first_round("portal")
    to_step(enc, 7)
    enc.adjust("Mara", by=-3)
    to_round(enc, 2)
    assert cast_on(enc, "portal")[0].data["completed"] is True


@pytest.mark.rule("segments.time.overflow")
def test_a_casting_time_may_be_said_and_go_over_the_round() -> None:
    enc = fight("Mara", "Vex", tables={"actions": ROWS})
    assert refused(enc, "Mara", "declare", spell="sleep", segments=-1).rule == "segments.time.actions-measured"
    assert refused(enc, "Mara", "declare", spell="sleep", segments=1001).rule == "segments.time.actions-measured"
    enc.do("Mara", "declare", spell="incantation", segments=12)
    roll(enc)
    assert enc.pending == (), "it owes its target in its last round"
    to_turn(enc, "Mara", 7)
    assert enc.do("Mara", "incantation")[0].data["progress"] == [1, 2]
    to_round(enc, 2)
    assert cast_on(enc, "incantation")[0].data["segments"] == 2


@pytest.mark.rule("segments.time.overflow", "segments.minor.adds-1")
def test_a_spell_that_minor_actions_push_over_ten_segments_goes_on_in_the_next_round() -> None:
    rows = [{"id": "rite", "title": "Rite", "tags": ["incantation"], "segments": 9}]
    enc = fight("Mara", "Vex", tables={"actions": rows})
    enc.do("Mara", "declare", spell="rite")
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara", 7)
    enc.do("Mara", "sheathe")
    enc.do("Mara", "drop_item")
    happened = enc.do("Mara", "rite", damage=4)
    data = happened[0].data
    assert (data["segments"], data["completed"], data["progress"]) == (8, False, [1, 2])
    assert cites(happened, "segments.time.overflow")
    assert (hp(enc, "Vex"), enc["Mara"].progress["rite"]) == (30, ck.Progress(1, 2))
    to_round(enc, 2)
    assert not cites(events(enc, "stopped"), "segments.cast.lost")
    happened = cast_on(enc, "rite", damage=4)
    data = happened[0].data
    assert (data["segments"], data["completed"], data["progress"]) == (1, True, [2, 2])
    assert (hp(enc, "Vex"), enc["Mara"].progress, "casting" in holds(enc, "Mara")) == (26, {}, False)


@pytest.mark.rule("segments.time.overflow")
def test_a_dropped_item_costs_a_long_rite_a_segment_and_not_the_rite() -> None:
    rows = [{"id": "rite", "title": "Rite", "tags": ["incantation"], "segments": n} for n in (25, 30)]
    for row, rounds in zip(rows, ([10, 10, 5], [10, 10, 10]), strict=True):
        enc = fight("Mara", "Vex", tables={"actions": [row]})
        for number, segments in enumerate(rounds, 1):
            assert cast_on(enc, "rite")[0].data["segments"] == segments
            to_round(enc, number + 1)
    # With a segment less in the first round, 25 still take three rounds, and 30 take a fourth.
    for row, rounds in zip(rows, ([9, 10, 6], [9, 10, 10, 1]), strict=True):
        enc = fight("Mara", "Vex", tables={"actions": [row]})
        for number, segments in enumerate(rounds, 1):
            enc.do("Mara", "declare", spell="rite")
            roll(enc)
            if enc.pending:
                enc.do("Mara", "announce_target", target="Vex")
            to_turn(enc, "Mara", 7)
            if number == 1:
                enc.do("Mara", "drop_item")
            data = enc.do("Mara", "rite")[0].data
            assert (data["segments"], data["progress"]) == (segments, [number, len(rounds)])
            to_round(enc, number + 1)
        assert enc["Mara"].progress == {}


@pytest.mark.rule("segments.cast.deep")
def test_a_spell_is_completed_whatever_ends_with_the_action() -> None:
    enc = fight("Mara", "Vex", tables={"actions": ROWS})
    enc.condition("Mara", "guided", until="next action")
    enc.do("Mara", "declare", spell="sleep")
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara", 7)
    enc.condition("Mara", "guided", until="next action")
    happened = enc.do("Mara", "sleep", damage=2)
    assert (happened[0].data["segments"], happened[0].data["completed"], hp(enc, "Vex")) == (1, True, 28)
