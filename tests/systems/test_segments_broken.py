"""What a table is told of a spell that damage breaks, of who can still act, and of how long a condition lasts."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.report.words import plain
from combatkit.widgets._ask import AskChoices, choices_answer
from combatkit.widgets._vantage import Vantage
from tests.systems.segments_table import fight, roll, rolled, to_round, to_step, to_turn
from tests.systems.table import holds

CLUB = {"weapons": [{"name": "club", "damage": "1d6", "speed": 4}]}


def broken() -> ck.Encounter:
    """Let Vex hit Mara, who casts."""
    enc = fight("Mara", "Vex", "Bo", Vex=CLUB)
    enc.do("Mara", "declare", action="incantation")
    roll(enc, party=2, foes=5)
    to_step(enc, 5, "HIGH")
    enc.do("Vex", "attack", target="Mara", weapon="club", rolls={"attack": [19], "damage": [3]})
    return enc


@pytest.mark.rule("segments.cast.lost")
def test_the_headline_says_that_a_blow_breaks_a_spell() -> None:
    result = ck.Tracker(broken()).view["result"]
    assert "Vex hits Mara" in plain(result["text"])
    assert "Mara takes damage, and loses the incantation as if cast." in plain(result["sub"])


@pytest.mark.rule("segments.cast.lost")
def test_a_broken_spell_stays_on_no_rung() -> None:
    rows = ck.InitiativeLadder(broken()).view["rows"].values()
    (own,) = [row for row in rows if row["name"] == "Mara"]
    assert "incantation" not in str(own.get("sub"))
    assert "vital" in own


def test_the_rung_of_a_spell_says_what_comes_and_no_more() -> None:
    enc = fight("Mara", "Vex", "Bo", Mara={"hp": 9, "at": (0, 0)}, Vex=CLUB, Bo={"hp": 9})
    enc.do("Mara", "declare", action="incantation", spell_name="Sleep", segments=3)
    roll(enc, party=2, foes=5)
    to_step(enc, 5, "HIGH")
    enc.condition("Mara", "dazzled")
    view = ck.InitiativeLadder(enc).view
    shown = [view["rows"][id] for id in view["order"]]
    own, spell = (row for row in shown if row["name"] == "Mara")
    assert own["vital"] == [9, 9]
    assert "again" not in own
    assert "dazzled" in str(own["sub"])
    assert spell["again"]
    assert not spell.keys() & {"vital", "acts", "at", "more"}
    assert [plain(part) for part in spell["sub"]] == ["their spell: Sleep, 3 segments"]
    assert spell["tie"] == ""
    assert [row["tie"] for row in shown if row["name"] in ("Mara", "Bo")][:2] == ["top", "end"]
    assert "vitality" not in "".join(spell["label"])
    assert "their spell: Sleep" in "".join(spell["label"])


def test_the_rung_of_a_spell_that_is_now_says_how_its_caster_is() -> None:
    enc = fight("Mara", "Vex", "Bo", Mara={"hp": 9, "at": (0, 0)}, Vex=CLUB, Bo={"hp": 9})
    enc.do("Mara", "declare", action="incantation", spell_name="Sleep", segments=3)
    roll(enc, party=2, foes=5)
    enc.condition("Mara", "dazzled")
    ladder = ck.InitiativeLadder(enc)
    now: dict[str, Any] = {}
    for _ in range(20):
        now = ladder.view["rows"].get(ladder.view["current"], {})
        if "again" in now:
            break
        if any(offer.must for offer in enc.pending):
            enc.do("Mara", "announce_target", target="Vex")
        else:
            (enc.resolve if enc.pending else enc.end_turn)()
    assert (now["name"], now["vital"], now["at"]) == ("Mara", [9, 9], "(0, 0)")
    assert [part for part in now["sub"] if "dazzled" in str(part)]
    assert "dazzled" in "".join(now["label"])


def test_the_strip_names_those_who_can_still_act() -> None:
    enc = rolled("Mara", "Bo", "Ilya", "Vex")
    enc.condition("Mara", "down")
    (flow, _) = enc.ruleset.presentation.now(enc._state).strips
    assert flow["type"] == "flow"
    names = [plain(line) for step in flow["steps"] if step["title"] == "HIGH" for line in step["lines"]]
    assert [name.split()[-1] for name in names] == ["Bo", "Ilya"]


def test_the_log_says_for_how_many_rounds_a_condition_lasts() -> None:
    enc = rolled("Mara", "Vex")
    enc.condition("Vex", "stunned", until="3 rounds")
    assert "**Vex** is stunned for 3 rounds" in str(enc.log())


def test_while_everybody_declares_the_head_says_so() -> None:
    view = ck.Tracker(fight("Mara", "Vex")).view
    assert view["turn"]["title"] == "Declarations"
    assert view["announce"].startswith("Declarations. ")


def test_a_headline_has_no_negative_rest() -> None:
    enc = rolled("Mara", "Vex", Mara=CLUB, Vex={"hp": 2})
    to_step(enc, 5, "HIGH")
    enc.do("Mara", "attack", target="Vex", weapon="club", rolls={"attack": [19], "damage": [6]})
    told = plain(ck.Tracker(enc).view["result"]["text"])
    assert "loses 6" in told
    assert " left" not in told


def broken_late(until: str) -> ck.Encounter:
    """Let Vex break Mara's spell in LOW, when her own half is over and she waits for step 7."""
    enc = fight("Mara", "Vex", Vex=CLUB)
    enc.condition("Mara", "cursed", modifiers={"attack": -4}, until=until)
    enc.do("Mara", "declare", action="incantation")
    roll(enc, party=5, foes=2)
    enc.do("Mara", "announce_target", target="Vex")
    assert (enc.active, enc.clock.phase) == ("Vex", "LOW")
    enc.do("Vex", "attack", target="Mara", weapon="club", rolls={"attack": [19], "damage": [3]})
    return enc


@pytest.mark.rule("segments.cast.lost", "segments.minor.variety")
def test_whose_spell_is_broken_after_their_half_has_its_turn_for_minor_actions() -> None:
    enc = broken_late("end of turn")
    rung = [row for row in ck.InitiativeLadder(enc).view["rows"].values() if row["name"] == "Mara"][-1]
    assert [plain(part) for part in rung["sub"]] == ["minor actions"]
    enc.end_turn()
    assert (enc.active, enc.clock.step) == ("Mara", 7)
    about = ck.Tracker(enc).budget.view["about"]
    assert about[:2] == [{"strong": "Only minor actions"}, " are left: incantation is lost this round. "]
    assert not enc.can("Mara", "incantation").allowed
    enc.do("Mara", "speak")
    enc.end_turn()
    assert (enc.clock.round, holds(enc, "Mara")) == (2, {"in_melee"})


@pytest.mark.rule("segments.cast.lost")
def test_what_lasts_turns_counts_the_turn_of_a_spell_that_is_lost() -> None:
    enc = broken_late("2 rounds")
    to_round(enc, 2)
    assert [each.until for each in enc["Mara"].conditions if each.id == "cursed"] == ["1 round"]
    # Who is out until the end of their turn misses that one.
    enc = broken_late("2 rounds")
    enc.condition("Mara", "stunned", until="end of turn")
    to_round(enc, 2)
    assert "stunned" not in holds(enc, "Mara")


@pytest.mark.rule("segments.cast.lost", "segments.minor.variety")
@pytest.mark.parametrize("by_hand", [True, False])
def test_whose_spell_is_broken_has_its_turn_for_minor_actions_though_they_left_and_came_back(by_hand: bool) -> None:
    enc = broken()
    enc.condition("Mara", "left") if by_hand else enc.leave("Mara")
    told = enc.condition("Mara", "left", off=True) if by_hand else enc.join("Mara")
    assert [event.text for event in told if event.kind == "turn_lost"] == []
    to_turn(enc, "Mara")
    assert (enc.clock.round, enc.clock.phase) == (1, "LOW")
    assert not enc.can("Mara", "attack", target="Vex").allowed
    enc.do("Mara", "speak")


@pytest.mark.parametrize("answer", ["free_attack", "immediate_attack"])
@pytest.mark.parametrize("tag", ["incantation", "invocation", None])
def test_whoever_may_answer_is_told_before_it_which_spell_that_costs(tag: str | None, answer: str) -> None:
    spells = [{"id": "sleep", "title": "Sleep", "tags": [tag], "segments": 1}] if tag else []
    enc = ck.Encounter("segments", seed=4, tables={"actions": spells})
    for name in ("Vex", "Bo"):
        enc.add(name, side=name, aac0=19, ac=8, hp=14, weapons=["dagger"])
    enc.start()
    if tag:
        enc.do("Vex", "declare", spell="sleep")
    enc.end_turn(rolls={"Vex": [2], "Bo": [5]})
    enc.trigger("Bo", to=["Vex"], text="slips", offers=[answer])
    asked = AskChoices(name="Vex", action=answer, params={"target": "Bo"})
    told = plain(choices_answer(Vantage(enc), asked).get("foretold", []))
    events = enc.do("Vex", answer, target="Bo", damage=1, rolls=[3])
    lost = any(event.kind == "stopped" for event in events)
    assert lost == ("Vex loses " in told)
    assert lost == bool(tag and (tag == "incantation" or answer == "immediate_attack"))


@pytest.mark.parametrize("answer", ["free_attack", "immediate_attack"])
@pytest.mark.parametrize("segments", [2, 8])
def test_a_spell_that_still_waits_for_step_7_is_told_to_be_lost_there_too(segments: int, answer: str) -> None:
    spells = [
        {"id": "zap", "title": "Zap", "tags": ["incantation"], "segments": segments},
        {"id": "sleep", "title": "Sleep", "tags": ["incantation"], "segments": 2},
    ]
    enc = ck.Encounter("segments", seed=4, tables={"actions": spells})
    for name in ("Vex", "Bo"):
        enc.add(name, side=name, aac0=19, ac=8, hp=14, weapons=["dagger"])
    enc.start()
    enc.do("Vex", "declare", spell="zap")
    enc.do("Bo", "declare", spell="sleep")
    enc.end_turn(rolls={"Vex": [2], "Bo": [5]})
    enc.do("Bo", "announce_target", target="Vex")
    enc.do("Vex", "announce_target", target="Bo")
    to_turn(enc, "Bo", 7)
    enc.condition("Vex", "concentration", value="Bless")
    enc.trigger("Bo", to=["Vex"], text="slips", offers=[answer])
    asked = AskChoices(name="Vex", action=answer, params={"target": "Bo"})
    told = plain(choices_answer(Vantage(enc), asked).get("foretold", []))
    enc.do("Vex", answer, target="Bo", damage=1, rolls=[3])
    held = holds(enc, "Vex")
    assert ("Vex loses zap by it." in told) == ("casting" not in held)
    assert ("Bless ends." in told) == ("concentration" not in held)
    assert "casting" not in held
