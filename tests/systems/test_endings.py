"""What ends, in all five systems: fights with what is due, work with those who do it, effects with their turns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck

SYSTEMS = [rules.id for rules in ck.rulesets()]
FIGHTERS = {"Ada": "heroes", "Nox": "foes", "Bes": "heroes"}


def three(system: str, **options: Any) -> ck.Encounter:
    """Three combatants, begun, and in segments past the rolls."""
    enc = ck.Encounter(system, seed=1, options=options)
    for name, side in FIGHTERS.items():
        enc.add(name, side=side)
    enc.start()
    return enc


def said(events: Sequence[ck.Event], who: str) -> list[str]:
    return [event.text for event in events if event.subject == who]


# ── the end of a fight ──


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_fight_ends_with_what_is_due_at_the_end_of_turn_step_and_round(system: str) -> None:
    enc = three(system)
    while enc.active is None:
        enc.end_turn()
    for until in ("end of turn", "end of step", "end of round"):
        enc.condition(enc.active, until, until=until)
    ended = enc.finish()
    assert enc["Ada"].conditions == enc["Nox"].conditions == enc["Bes"].conditions == ()
    kinds = [event.kind for event in ended if event.kind.endswith("_end") and event.kind != "effect_end"]
    assert (kinds, ended[-1].kind) == (["turn_end", "step_end", "round_end"], "over")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_fight_does_not_end_over_an_open_question(system: str) -> None:
    enc = three(system)
    while enc.active is None:
        enc.end_turn()
    if system == "d6":
        enc.edit("Bes", resolve=5)
        enc.damage("Bes", 5)
        enc.damage("Bes", 1)
    else:
        enc.trigger(enc.active, text="runs past")
    assert enc.pending
    before = enc.digest
    with pytest.raises(ck.IllegalAction, match="answer"):
        enc.finish()
    assert enc.digest == before


@pytest.mark.rule("d6.fate.blaze.die")
def test_who_wins_by_a_blaze_of_glory_dies_as_the_fight_ends() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="r", initiative=9, resolve=9)
    enc.add("Nox", side="e", npc=True, resolve=3)
    enc.start(rolls={"Ada": 1})
    enc.damage("Ada", 9)
    enc.damage("Ada", 5)
    enc.do("Ada", "blaze_of_glory")
    enc.damage("Nox", 3)
    assert "dies" in said(enc.finish(), "Ada")
    assert enc["Ada"].conditions[-1].id == "dead"


# ── work that is completed last ──

TORCH = {"id": "torch", "title": "Torch", "tags": ["delaying"], "segments": 1}


def torchbearer() -> ck.Encounter:
    """Bob lights a torch in LOW: it will be done as the round ends."""
    enc = ck.Encounter("segments", seed=3, tables={"actions": [TORCH]})
    for name, side in (("Bob", "party"), ("Orc", "foes"), ("Pip", "foes")):
        enc.add(name, side=side, hp=20)
    enc.start()
    enc.end_turn(rolls={"party": [6], "foes": [1]})
    enc.do("Bob", "delay")
    enc.end_turn()
    enc.end_turn()
    assert enc.active == "Bob"
    return enc


@pytest.mark.rule("segments.complex.go-last")
def test_what_is_completed_last_is_not_complete_as_it_is_begun() -> None:
    enc = torchbearer()
    assert [e.data["completed"] for e in enc.do("Bob", "torch") if "completed" in e.data] == [False]
    assert [e.data["completed"] for e in enc.end_turn() if "completed" in e.data] == [True]


@pytest.mark.rule("segments.complex.go-last")
@pytest.mark.parametrize("how", ["dead", "unconscious", "left"])
def test_nobody_who_is_out_by_then_completes_anything(how: str) -> None:
    enc = torchbearer()
    enc.do("Bob", "torch")
    events = enc.leave("Bob") if how == "left" else (*enc.condition("Bob", how), *enc.end_turn())
    assert "doesn't finish torch" in said(events, "Bob")
    assert not any(event.data.get("completed") for event in events)


# ── what is lost for good ──


@pytest.mark.rule("d6.fate.never.reduce", "d6.fate.never.twice")
def test_what_never_the_same_takes_is_gone_from_the_sheet_for_good(tmp_path: Path) -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="r", resolve=9, attributes={"might": "3D"})
    enc.add("Nox", side="e", npc=True)
    enc.start()
    enc.damage("Ada", 9)
    enc.damage("Ada", 1)
    enc.do("Ada", "never_the_same", attributes={"might": 2})
    later = ck.Encounter("d6")
    later.add_roster(enc.roster())
    kept = ck.Encounter("d6")
    kept.add_roster(ck.Shelf(tmp_path).keep("friday", enc, "r"))
    for each in (enc, later, kept, enc.restart()):
        stats = each["Ada"].stats
        assert (stats["attributes"], stats["never_the_same_used"]) == ({"might": "1D"}, 1)
    with pytest.raises(ck.IllegalAction, match="taken out of this encounter") as caught:
        enc.join("Ada")
    assert caught.value.ruling.rule == "d6.fate.never.removed"


def test_the_dead_are_not_kept_on_the_shelf(tmp_path: Path) -> None:
    enc = three("saga")
    enc.condition("Bes", "dead")
    kept = ck.Encounter("saga")
    kept.add_roster(ck.Shelf(tmp_path).keep("friday", enc, "heroes"))
    assert kept.names == ("Ada",)


@pytest.mark.rule("d6.dmg.narration")
def test_damage_counts_what_the_vital_lost_and_keeps_the_whole_roll() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="r", weapons=[{"name": "gun", "attack": "9D", "damage": 39}])
    enc.add("Nox", side="e", npc=True, resolve=6, defense=2)
    enc.start()
    for event in (enc.damage("Nox", 39)[0], _shot(enc.restart())):
        assert (event.amount, event.data["left"], event.data["rolled"]) == (6, 0, 39)
    assert enc.history.rounds["damage_taken"].to_list() == [0, 6]


def _shot(enc: ck.Encounter) -> ck.Event:
    enc.start(rolls={"Ada": 6})
    enc.place("Ada", before="Nox")
    return next(event for event in enc.do("Ada", "attack", target="Nox") if event.kind == "damage")


def test_what_is_left_of_a_vital_may_be_edited_to_nothing() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="r", resolve=9)
    enc.start()
    enc.edit("Ada", resolve=0)
    assert (enc["Ada"].values["resolve"], enc["Ada"].stats["resolve"]) == (0, 9)
    with pytest.raises(ck.InvalidInput, match="resolve is -1; give a whole number from 0"):
        enc.edit("Ada", resolve=-1)


# ── effects whose turn never comes ──


def in_order(system: str) -> ck.Encounter:
    """Ada, then Vex, then Bes, in an order that everybody keeps; Ada's turn is under way."""
    enc = ck.Encounter(system, seed=1)
    for name, side in (("Ada", "a"), ("Vex", "b"), ("Bes", "c")):
        enc.add(name, side=side)
    enc.start()
    while enc.active is None:
        enc.end_turn(rolls={"a": [6], "b": [4], "c": [1]} if system == "segments" and enc.clock.step == 1 else None)
    if system != "segments":
        enc.place("Bes", after="Vex")
        enc.place("Ada", before="Vex")
        enc.next_round()
    while enc.active != "Ada":
        enc.end_turn()
    return enc


def to_the_turn_of(enc: ck.Encounter, who: str) -> None:
    """Let turns pass until somebody's comes; the one under way passes too."""
    enc.end_turn()
    while enc.pending or enc.active != who:
        enc.resolve() if enc.pending else enc.end_turn()


def until_gone(enc: ck.Encounter, who: str, id: str, most: int = 40) -> tuple[list[str], str]:
    """Whose turns begin until a condition is gone, and in what words it goes."""
    seen: list[str] = []
    for _ in range(most):
        for event in enc.end_turn(rolls=_group_dice(enc)):
            if event.kind == "turn":
                seen.append(event.actor or "")
            if event.kind == "effect_end" and (event.target, event.data["id"]) == (who, id):
                return seen, event.text
    pytest.fail(f"{id} of {who} is still there after {most} ends of turns")


def _group_dice(enc: ck.Encounter) -> Any:
    asked = enc.ruleset.id == "segments" and enc.clock.step == 1
    left = {rung.combatant for rung in enc.order}
    return {enc[n].side: [{"Ada": 6, "Vex": 4, "Bes": 1}[n]] for n in left} if asked else None


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("how", ["left", "dead", "unconscious"])
@pytest.mark.parametrize("until", ["start of turn: Vex", "end of turn: Vex"])
def test_what_waits_for_a_turn_that_comes_no_more_ends_where_it_would_have_come(
    system: str, how: str, until: str
) -> None:
    enc = in_order(system)
    enc.condition("Ada", "blessed", until=until)
    if how == "left":
        enc.leave("Vex")
    else:
        enc.condition("Vex", how)
    seen, text = until_gone(enc, "Ada", "blessed")
    why = "Vex has left the fight" if how == "left" else f"Vex is {how}"
    assert text == f"is no longer blessed: {why}; this is where Vex's turn would come"
    assert seen == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_turn_that_has_been_taken_is_not_the_one_that_is_waited_for(system: str) -> None:
    enc = in_order(system)
    while enc.active != "Bes":
        enc.end_turn()
    enc.condition("Ada", "blessed", until="start of turn: Vex")
    enc.leave("Vex")
    seen, _ = until_gone(enc, "Ada", "blessed")
    assert seen == ["Ada"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_faints_still_sees_the_end_of_what_lasts_until_their_turn(system: str) -> None:
    enc = in_order(system)
    enc.condition("Vex", "blessed", until="end of turn")
    enc.condition("Vex", "cursed", until="2 rounds")
    enc.condition("Vex", "unconscious")
    assert until_gone(enc, "Vex", "blessed")[0] == []
    assert {c.id: c.until for c in enc["Vex"].conditions} == {
        "unconscious": None,
        "cursed": enc.ruleset.said_span("1 round"),
    }
    seen, text = until_gone(enc, "Vex", "cursed")
    assert (seen, text.partition(":")[0]) == (["Ada"], "is unconscious, and is no longer cursed")


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("how", ["left", "dead"])
@pytest.mark.parametrize("until", ["start of turn", "end of turn", "2 rounds"])
def test_who_is_gone_for_good_still_sees_the_end_of_what_lasts_until_their_turn(
    system: str, how: str, until: str
) -> None:
    enc = in_order(system)
    enc.condition("Vex", "blessed", until=until)
    if how == "left":
        enc.leave("Vex")
    else:
        enc.condition("Vex", how)
    seen, text = until_gone(enc, "Vex", "blessed")
    why = "has left" if how == "left" else f"is {how}"
    assert text == f"{why}, and is no longer blessed: this is where their turn would come"
    assert seen.count("Ada") == (1 if until == "2 rounds" else 0)


@pytest.mark.parametrize("allies", [False, True])
@pytest.mark.parametrize("until", ["start of turn: Vex", "end of turn: Vex"])
@pytest.mark.parametrize("move_on", ["end_turn", "next_round"])
def test_who_leaves_before_the_dice_would_have_had_their_turn_in_the_half_of_their_group(
    move_on: str, until: str, allies: bool
) -> None:
    enc = ck.Encounter("segments", seed=1)
    for name, side in (("Ada", "a"), ("Vex", "b"), ("Bes", "b" if allies else "c")):
        enc.add(name, side=side)
    enc.start()
    enc.condition("Ada", "blessed", until=until)
    enc.leave("Vex")
    sides = dict.fromkeys(enc[name].side for name in ("Ada", "Bes"))
    events = [*getattr(enc, move_on)(rolls={side: [1 if side == "a" else 6] for side in sides})]
    while enc.clock.round == 1:
        events += enc.end_turn()
    (ended,) = [event for event in events if event.kind == "effect_end" and event.data["id"] == "blessed"]
    assert ended.text == "is no longer blessed: Vex has left the fight; this is where Vex's turn would come"
    when = enc.history.events.filter(seq=ended.seq).select("round", "phase").row(0)
    assert when == (1, "HIGH" if allies else "LOW")


def test_why_a_turn_did_not_come_is_told_once_of_all_that_ends_there() -> None:
    enc = ck.Encounter("saga", seed=1)
    for name in ("Mara", "Vex", "Bo"):
        enc.add(name, side=name)
    enc.start(rolls={"Mara": 18, "Vex": 15, "Bo": 10})
    for condition in ("blessed", "hexed"):
        enc.condition("Vex", condition, until="end of turn")
    enc.leave("Vex")
    told = [event.text for event in enc.end_turn() if event.kind == "effect_end"]
    where = "this is where their turn would come"
    assert told == [f"has left, and is no longer blessed: {where}", "is no longer hexed"]


def test_whose_own_turn_does_not_come_is_not_named_over_and_over() -> None:
    enc = ck.Encounter("saga", seed=1)
    for name in ("Mara", "Vex", "Bo"):
        enc.add(name, side=name)
    enc.start(rolls={"Mara": 18, "Vex": 15, "Bo": 10})
    enc.do("Mara", "delay", count=12)
    enc.condition("Mara", "stunned")
    told = [event.text for event in enc.end_turn() if event.kind == "effect_end"]
    assert told == ["is stunned, and is no longer delaying: this is where their turn would come"]


@pytest.mark.parametrize("plan", ["charge", "multi-attack"])
@pytest.mark.parametrize("until", ["end of turn", "1 round"])
@pytest.mark.parametrize("before", [True, False])
def test_what_ends_with_somebodys_turn_costs_the_others_they_have_in_the_round(
    plan: str, until: str, before: bool
) -> None:
    enc = ck.Encounter("segments", seed=1)
    for name, side in FIGHTERS.items():
        enc.add(name, side=side, hp=9, routines=2 if (plan, name) == ("multi-attack", "Ada") else 1)
    enc.start()
    if plan == "multi-attack":
        enc.condition("Ada", "in_melee", value=["Nox"])
    else:
        enc.do("Ada", "declare", action=plan)
    if before:
        enc.condition("Ada", "stunned", until=until)
    began = enc.end_turn(rolls={"heroes": [6], "foes": [1]})
    if not before:
        assert enc.active == "Ada"
        enc.condition("Ada", "stunned", until=until)
        began = enc.end_turn()
    assert (said(began, "Ada").count("misses a turn: stunned"), enc.clock.round) == (1, 1)
    assert "stunned" not in {condition.id for condition in enc["Ada"].conditions}
    while enc.clock.round == 1:
        assert enc.active != "Ada"
        enc.end_turn()


# ── a turn that is given up ──


def abort(enc: ck.Encounter) -> None:
    enc.do("Vex", "abort", action="dodge")
    assert "blessed" in {each.id for each in enc["Bes"].conditions}, "the place is still to come"


def past(enc: ck.Encounter) -> None:
    """Vex has acted."""
    to_the_turn_of(enc, "Bes")


def readied(enc: ck.Encounter) -> None:
    """Vex readies, and uses it in the next round before their own place has come."""
    to_the_turn_of(enc, "Vex")
    deed: dict[str, Any] = {"action": "dodge"} if enc.ruleset.id == "phases" else {"action": "attack", "target": "Ada"}
    enc.do("Vex", "ready", trigger={"actor": "Ada"}, **deed)
    to_the_turn_of(enc, "Ada")


def use_it(enc: ck.Encounter) -> None:
    enc.do("Ada", "strike" if enc.ruleset.id == "phases" else "attack", target="Bes", outcome="miss")
    enc.do("Vex", "use_readied", outcome=None if enc.ruleset.id == "phases" else "miss")


GIVEN_UP = [
    ("phases", None, abort),
    ("phases", past, abort),
    ("phases", readied, use_it),
    ("saga", readied, use_it),
]


@pytest.mark.parametrize(("system", "first", "give_up"), GIVEN_UP)
@pytest.mark.parametrize("until", ["start of turn", "end of turn"])
def test_what_waits_for_a_turn_that_is_given_up_ends_where_that_would_come(
    system: str, first: Any, give_up: Any, until: str
) -> None:
    enc = in_order(system)
    if first is not None:
        first(enc)
    enc.condition("Bes", "blessed", until=f"{until}: Vex")
    enc.condition("Vex", "cursed", until=until)
    enc.condition("Vex", "slowed", until="2 rounds")
    give_up(enc)
    to_the_turn_of(enc, "Bes")
    assert "blessed" not in {each.id for each in enc["Bes"].conditions}
    left = {each.id: each.until for each in enc["Vex"].conditions}
    assert "cursed" not in left
    assert left["slowed"] == enc.ruleset.said_span("1 round"), "a turn given up is one of two"


def test_what_a_readied_action_brings_waits_for_a_turn_after_the_one_it_takes() -> None:
    enc = ck.Encounter("saga", seed=1, options={"actions": "book"})
    for name in ("Ada", "Vex", "Bes"):
        enc.add(name, side=name, defense=15)
    enc.start(rolls={"Ada": 18, "Vex": 12, "Bes": 10})
    enc.end_turn()
    enc.do("Vex", "ready", action="fight_defensively", trigger={"actor": "Ada", "action": "attack"})
    to_the_turn_of(enc, "Ada")
    enc.do("Ada", "attack", target="Vex", outcome="miss")
    enc.do("Vex", "use_readied")
    assert enc["Vex"].values["defense"] == 17
    to_the_turn_of(enc, "Vex")
    assert (enc.clock.round, enc["Vex"].values["defense"]) == (3, 15)


@pytest.mark.parametrize("system", ["saga", "ap", "phases"])
def test_who_holds_back_to_the_end_of_the_round_has_come_to_the_end_of_their_turn(system: str) -> None:
    enc = ck.Encounter(system, seed=1, options={"actions": "book"} if system == "ap" else {})
    for name in FIGHTERS:
        enc.add(name, side=name)
    enc.start()
    now = str(enc.active)
    other = next(name for name in FIGHTERS if name != now)
    enc.do(now, "delay")
    enc.condition(other, "blessed", until=f"end of turn: {now}")
    enc.condition(other, "warded", until=f"start of turn: {now}")
    began = enc.clock.round, enc.clock.phase
    while (enc.clock.round, enc.clock.phase) == began:
        enc.end_turn()
    ends = {e.data["id"]: e.seq for e in enc._events if e.kind == "effect_end" and e.target == other}
    turn = max(e.seq for e in enc._events if e.kind == "turn" and e.actor == now)
    assert ends["blessed"] < turn < ends["warded"], "its start came before, and comes again"


# ── so many rounds ──


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("who", ["Ada", "Vex"])
def test_three_rounds_are_three_turns_of_the_bearer_and_show_what_is_left(system: str, who: str) -> None:
    enc = in_order(system)
    enc.condition(who, "blessed", until="3 rounds")
    left: list[str | None] = []
    while enc[who].conditions:
        if enc.active == who:
            left.append(enc[who].conditions[0].until)
        enc.end_turn(rolls=_group_dice(enc))
    unit = "phase" if system == "phases" else "round"
    assert left == [f"3 {unit}s", f"2 {unit}s", f"1 {unit}"]


@pytest.mark.parametrize("until", ["3 Rounds", " End of Turn", "Start of turn:  Vex", "END OF ROUND"])
def test_an_ending_is_read_in_whatever_case(until: str) -> None:
    enc = in_order("saga")
    enc.condition("Ada", "blessed", until=until)
    said = enc["Ada"].conditions[0].until
    assert said is not None
    assert said.casefold() == " ".join(until.split()).casefold()


def test_an_ending_that_is_none_names_all_there_are() -> None:
    with pytest.raises(ck.InvalidInput, match="'start of turn: NAME', 'end of turn: NAME', '3 rounds'"):
        in_order("saga").condition("Ada", "blessed", until="tomorrow")


# ── conditions put on and off by hand ──


@pytest.mark.parametrize("system", ["saga", "phases"])
def test_whose_delay_the_gm_ends_comes_next(system: str) -> None:
    enc = in_order(system)
    enc.do("Ada", "delay")
    assert enc.active == "Vex"
    enc.condition("Ada", "delayed", off=True)
    assert [rung.combatant for rung in enc.order] == ["Vex", "Ada", "Bes"]
    enc.end_turn()
    assert (enc.active, enc.clock.round) == ("Ada", 2)


def test_whose_delay_the_gm_ends_while_nobody_acts_has_the_turn_at_once() -> None:
    enc = in_order("saga")
    enc.do("Ada", "delay")
    enc.end_turn()
    enc.end_turn()
    assert enc.active is None
    enc.condition("Ada", "delayed", off=True)
    assert enc.active == "Ada"


@pytest.mark.rule("segments.delayed.always-low")
def test_whose_delay_the_gm_ends_in_low_keeps_their_place_there() -> None:
    enc = ck.Encounter("segments", seed=3)
    for name, side in (("Ann", "party"), ("Bob", "party"), ("Orc", "foes")):
        enc.add(name, side=side)
    enc.start()
    enc.end_turn(rolls={"party": [6], "foes": [1]})
    enc.do("Ann", "delay")
    enc.end_turn()
    assert (enc.active, enc.clock.phase) == ("Orc", "LOW")
    enc.condition("Ann", "delayed", off=True)
    enc.end_turn()
    assert (enc.active, enc.clock.round) == ("Ann", 1)


@pytest.mark.rule("phases.act.limited")
def test_a_limit_that_the_gm_ends_leaves_what_it_held_back() -> None:
    enc = in_order("phases")
    enc.condition("Ada", "limited")
    enc.do("Ada", "open_or_close_door")
    assert not enc.can("Ada", "dodge").allowed
    enc.condition("Ada", "limited", off=True)
    assert enc.can("Ada", "dodge").allowed
    assert (enc.budget("Ada")["attack"].left, enc.budget("Ada")["move"].left) == (1, 0)


def points(**options: Any) -> ck.Encounter:
    enc = ck.Encounter("ap", seed=1, options=options)
    enc.add("Ada", side="a", initiative_rating=9, ap=3)
    enc.add("Orc", side="b", npc=True, ap=3)
    enc.start()
    return enc


@pytest.mark.rule("ap.act.max")
def test_points_left_are_capped_by_the_most_there_can_be_now() -> None:
    enc = points()
    enc.condition("Ada", "dazed", modifiers={"ap": -2})
    assert (enc.budget("Ada")["ap"].total, enc.budget("Ada")["ap"].left) == (1, 1)
    enc.do("Ada", "aim")
    assert enc.can("Ada", "aim").reason == "Takes 1 AP; Ada has 0 until the next round."
    enc.condition("Ada", "dazed", off=True)
    assert (enc.budget("Ada")["ap"].total, enc.budget("Ada")["ap"].left) == (3, 2)
    enc.edit("Ada", ap=1)
    assert enc.budget("Ada")["ap"].left == 1
    enc.adjust("Ada", "ap", 2)
    assert enc.budget("Ada")["ap"].left == 3
    enc.condition("Ada", "dazed", modifiers={"ap": -1})
    assert enc.budget("Ada")["ap"].left == 2


def test_a_gain_that_ends_in_mid_round_is_gone() -> None:
    enc = points()
    enc.condition("Ada", "quick", modifiers={"ap": 2})
    enc.next_round()
    assert enc.budget("Ada")["ap"].left == 5
    enc.condition("Ada", "quick", off=True)
    assert enc.budget("Ada")["ap"].left == 3


@pytest.mark.rule("ap.act.max")
def test_a_gain_in_mid_round_is_there_at_once_and_gone_with_what_brought_it() -> None:
    enc = points()
    for _ in range(3):
        enc.do("Ada", "aim")
    assert not enc.may("Ada", "aim")
    gained = enc.condition("Ada", "quick", modifiers={"ap": 2}, until="end of round")
    assert [event.text for event in gained] == ["is quick", "has 2 more Action Points now"]
    assert (enc.budget("Ada")["ap"].total, enc.budget("Ada")["ap"].left) == (5, 2)
    enc.do("Ada", "aim")
    for _ in range(2):
        enc.condition("Ada", "quick", off=True)
        assert (enc.budget("Ada")["ap"].total, enc.budget("Ada")["ap"].left) == (3, 0)
        enc.condition("Ada", "quick", modifiers={"ap": 2})
        assert (enc.budget("Ada")["ap"].total, enc.budget("Ada")["ap"].left) == (5, 1), "what is spent stays spent"
    enc.condition("Ada", "dazed", modifiers={"ap": -3})
    assert (enc.budget("Ada")["ap"].total, enc.budget("Ada")["ap"].left) == (2, 0)
    row = enc.history.budgets.filter(combatant="Ada").row(-1, named=True)
    assert row["spent"] == 4
    enc.next_round()
    assert enc.budget("Ada")["ap"].left == 2


def test_a_gain_above_a_sheet_that_was_edited_is_that_gain_alone() -> None:
    enc = points()
    enc.edit("Ada", ap=6)
    enc.condition("Ada", "quick", modifiers={"ap": 1})
    assert enc.budget("Ada")["ap"].left == 4
    enc.condition("Ada", "quick", off=True)
    assert enc.budget("Ada")["ap"].left == 3
    enc.next_round()
    assert enc.budget("Ada")["ap"].left == 6


# ── words and numbers that are given ──


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_somebody_says_they_do_is_in_the_log(system: str) -> None:
    enc = in_order(system)
    if system == "d6":
        enc.edit("Ada", free_actions=1)
        enc.adjust("Ada", "free", 1)
    event = next(e for e in enc.do("Ada", "free_action", option="drops the torch") if e.kind == "action")
    assert event.text.endswith(": drops the torch")
    assert "drops the torch" in str(enc.log())


def test_what_a_reaction_answers_is_in_the_log() -> None:
    enc = points()
    enc.do("Orc", "evade", trigger="a beam falls")
    assert "evades (a beam falls)" in str(enc.log())
    with pytest.raises(ck.InvalidInput, match="speak takes no 'trigger'"):
        enc.do("Orc", "speak", trigger="a beam falls")


def test_a_trigger_in_words_is_not_taken_for_the_window_that_is_open() -> None:
    enc = points()
    enc.do("Ada", "attack", target="Orc", damage=1)
    enc.do("Orc", "evade", trigger="the roof falls in")
    assert "evades (the roof falls in)" in str(enc.log())
    assert enc.can("Orc", "parry").allowed, "the attack is another event, and still to be answered"


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_number_that_does_not_exist_is_refused_with_the_nearest(system: str) -> None:
    enc = in_order(system)
    real = enc.ruleset.numbers(enc._state, enc._state.fighters["Ada"])[0]
    with pytest.raises(ck.UnknownName, match=rf"Ada has no number '{real}x': did you mean '{real}'"):
        enc.condition("Ada", "cursed", modifiers={f"{real}x": -2})
    enc.condition("Ada", "cursed", modifiers={real: -2})


# ── places that are kept ──


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system != "segments"])
def test_who_comes_back_keeps_the_score_and_the_settled_ties_they_had(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    names = ["Cy", "Ada", "Bo"]
    for name in names:
        enc.add(name, side=name)
    dice = {"saga": 10, "d6": 3, "ap": 4}.get(system)
    enc.start(rolls=dict.fromkeys(names, dice) if dice else None, ties=["Bo", "Cy", "Ada"])
    before = [(rung.combatant, rung.initiative, rung.why) for rung in enc.order]
    assert [name for name, _, _ in before] == ["Bo", "Cy", "Ada"]
    die = enc._state.die
    enc.leave(["Bo", "Cy"])
    enc.join("Bo")
    enc.join("Cy")
    assert [(rung.combatant, rung.initiative, rung.why) for rung in enc.order] == before
    assert enc._state.die == die, "nobody rolls"


@pytest.mark.rule("phases.init.tie-once")
@pytest.mark.parametrize("seed", range(6))
def test_a_newcomer_comes_before_or_after_those_whose_order_has_no_dice(seed: int) -> None:
    enc = ck.Encounter("phases", seed=seed)
    for name in ("Ace", "Crow"):
        enc.add(name, side=name, combat_value=5)
    enc.start(ties=["Ace", "Crow"])
    events = enc.join("Dirk", side="v", combat_value=5)
    order = [rung.combatant for rung in enc.order]
    assert order in (["Dirk", "Ace", "Crow"], ["Ace", "Crow", "Dirk"])
    block, dirk = [e.amount or 0 for e in events if e.kind == "roll" and e.data["purpose"] == "tie"]
    assert (dirk > block) == (order[0] == "Dirk"), "the dice told agree with the order"
    enc.join("Eve", side="v", combat_value=5)
    assert order == [rung.combatant for rung in enc.order if rung.combatant != "Eve"]


@pytest.mark.rule("phases.ready.score")
@pytest.mark.parametrize("seed", range(6))
def test_no_newcomer_parts_a_readied_pair(seed: int) -> None:
    enc = ck.Encounter("phases", seed=seed)
    for name, value in (("Ace", 9), ("Crow", 7), ("Bolt", 5)):
        enc.add(name, side=name, combat_value=value)
    enc.start()
    enc.do("Ace", "ready", action="soliloquy", trigger={"actor": "Bolt"})
    enc.end_turn()
    enc.end_turn()
    enc.do("Bolt", "open_or_close_door")
    enc.do("Ace", "use_readied")
    for name in ("Dirk", "Eve", "Fay"):
        enc.join(name, side="v", combat_value=5)
        order = [rung.combatant for rung in enc.order]
        assert order.index("Bolt") == order.index("Ace") + 1


# ── long castings ──

SPELLS = [
    {"id": "web", "title": "Web", "tags": ["incantation"], "segments": 2},
    {"id": "rite", "title": "Rite", "tags": ["incantation"], "segments": 25},
]


def casting(spell: str, wizards: int, foes: int, **options: Any) -> ck.Encounter:
    """Wiz has declared a spell, and the dice have fallen."""
    enc = ck.Encounter("segments", seed=3, tables={"actions": SPELLS}, options=options)
    enc.add("Wiz", side="party")
    enc.add("Orc", side="foes", hp=20)
    enc.start()
    enc.do("Wiz", "declare", spell=spell)
    enc.end_turn(rolls={"party": [wizards], "foes": [foes]})
    return enc


@pytest.mark.rule("segments.cast.deep")
@pytest.mark.parametrize("long_casting", ["goes_on", "declare_anew"])
def test_a_casting_longer_than_the_round_goes_on_undeclared(long_casting: str) -> None:
    enc = casting("rite", 6, 1, long_casting=long_casting)
    assert not enc.pending  # a target is owed in the last round only
    while enc.active != "Wiz":
        enc.end_turn()
    enc.do("Wiz", "rite")
    enc.end_turn()
    events = enc.end_turn(rolls={"party": [6], "foes": [1]})
    lost = any("loses rite" in text for text in said(events, "Wiz"))
    assert lost == (long_casting == "declare_anew")
    assert ("casting" in {c.id for c in enc["Wiz"].conditions}) != lost
    if not lost:
        while enc.active != "Wiz":
            enc.end_turn()
        assert enc.can("Wiz", "rite").allowed


@pytest.mark.rule("segments.time.overflow", "segments.seq.7-spells")
@pytest.mark.parametrize(("spell", "rounds"), [("web", 1), ("rite", 3)])
def test_a_turn_that_goes_by_loses_a_spell_only_if_it_could_have_been_finished(spell: str, rounds: int) -> None:
    enc = casting(spell, 6, 1)
    for number in range(1, rounds + 1):
        assert {"casting"} <= {c.id for c in enc["Wiz"].conditions}
        if number == rounds:
            enc.do("Wiz", "announce_target", target="Orc")
        before = len(enc.history.events)
        while enc.clock.round == number:
            enc.end_turn()
        enc.end_turn(rolls={"party": [6], "foes": [1]})
        told = enc.history.events[before:]["text"].to_list()
        lost = f"doesn't finish it in the round, and loses {spell} as if cast"
        assert (lost in told) == (number == rounds), "rite takes 25 segments"


@pytest.mark.rule("segments.cast.deep")
def test_a_long_casting_is_lost_for_another_major_action() -> None:
    enc = casting("rite", 6, 1)
    while enc.active != "Wiz":
        enc.end_turn()
    enc.do("Wiz", "rite")
    enc.end_turn()
    enc.do("Wiz", "declare", action="attack")
    told = said(enc.end_turn(rolls={"party": [6], "foes": [1]}), "Wiz")
    assert "gives up rite to attack: it is lost as if cast" in told


@pytest.mark.rule("segments.delay.low")
def test_who_delays_in_low_loses_the_spell_with_the_major_action() -> None:
    enc = casting("web", 1, 6)
    enc.end_turn()
    events = enc.do("Wiz", "delay")
    assert "delays in LOW and loses the major action, and loses web as if cast" in said(events, "Wiz")
    assert not enc.pending
    assert "casting" not in {c.id for c in enc["Wiz"].conditions}


def test_the_outcomes_of_an_attack_are_all_listed() -> None:
    enc = in_order("segments")
    outcomes = [c.value for c in enc.choices("Ada", "attack", target="Vex") if c.param == "outcome"]
    assert outcomes == ["hit", "miss", "foiled"]
    with pytest.raises(ck.InvalidInput, match="outcome is 'negated'; give hit, miss or foiled"):
        enc.do("Ada", "attack", target="Vex", outcome="negated")


@pytest.mark.rule("phases.sur.unaware-idle")
def test_the_unaware_have_nothing_to_spend_until_they_are_aware() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ace", side="h", combat_value=9)
    enc.add("Crow", side="v", combat_value=5)
    enc.start(surprised=["Crow"])
    assert all((slot.total, slot.left) == (0, 0) for slot in enc.budget("Crow").slots)
    assert enc.history.rounds.filter(combatant="Crow")["budget_total"].to_list() == [0]
    enc.condition("Crow", "surprised", off=True)
    assert enc.budget("Crow")["attack"].left == 1
