"""Who has left can come back: same name, same sheet, a new place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.core.timeline import fold

SYSTEMS = [rules.id for rules in ck.rulesets()]


def fight(system: str, **made: Any) -> ck.Encounter:
    """Ada, who acts first where dice do not decide, and Bo and Cy; Bo has what sheets of that system have."""
    enc = ck.Encounter(system, seed=3, **made)
    vital = enc.ruleset.vitals[0].name
    first: dict[str, Any] = {"combat_value": 9} if system == "phases" else {}
    sheet: dict[str, Any] = {vital: 12}
    enc.add("Ada", side="red", **first)
    enc.add("Bo", side="blue", npc=True, at="hall" if system == "d6" else (2, 1), **sheet)
    enc.add("Cy", side="blue")
    enc.start()
    return enc


def pass_step(enc: ck.Encounter) -> None:
    """Go on, until somebody may choose."""
    while enc.pending:
        enc.resolve()
    enc.end_turn()


def acted(system: str) -> tuple[ck.Encounter, str, int | None]:
    """A fight that somebody left after their turn: who, and in which round."""
    enc = fight(system)
    while enc.active is None:
        pass_step(enc)
    who = enc.active
    pass_step(enc)
    round = enc.clock.round
    enc.leave(who)
    return enc, who, round


@pytest.mark.parametrize("system", SYSTEMS)
def test_they_come_back_as_they_were_with_a_new_place(system: str) -> None:
    enc = fight(system)
    vital = enc.ruleset.vitals[0].name
    enc.adjust("Bo", vital, -5)
    enc.condition("Bo", "poisoned", until="start of turn")
    before = enc["Bo"]
    enc.leave("Bo")
    assert "Bo" not in [rung.combatant for rung in enc.order]
    gone = len(enc._events)
    events = enc.join("Bo")
    after = enc["Bo"]
    assert (after.side, after.stats, after.position) == (before.side, before.stats, before.position)
    assert after.values[vital] == 7
    assert after.conditions == before.conditions
    assert [rung.combatant for rung in enc.order].count("Bo") == 1
    assert [e.text for e in events if e.kind == "combatant"] == ["comes back (side: blue)"]
    assert fold(enc._events) == enc._state
    whole = enc.digest
    enc.undo()
    assert {c.id for c in enc["Bo"].conditions} >= {"left"}
    assert enc.at(gone)["Bo"] == enc["Bo"]
    enc.redo()
    assert enc["Bo"] == after
    assert enc.at(len(enc._events))["Bo"] == after
    assert whole != enc.digest
    for _ in range(12):
        pass_step(enc)
    assert fold(enc._events) == enc._state


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_given_anew_is_theirs(system: str) -> None:
    enc = fight(system)
    vital = enc.ruleset.vitals[0].name
    enc.adjust("Bo", vital, -5)
    enc.leave("Bo")
    there: Any = "roof" if system == "d6" else (5, 5)
    sheet: dict[str, Any] = {vital: 30}
    enc.join("Bo", side="red", npc=False, at=there, conditions=["prone"], **sheet)
    bo = enc["Bo"]
    assert (bo.side, bo.position, bo.values[vital]) == ("red", there, 30)
    assert [c.id for c in bo.conditions] == ["prone"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_nobody_has_two_turns_in_a_round_by_leaving_it(system: str) -> None:
    enc, who, round = acted(system)
    events = enc.join(who)
    lost = [e.text for e in events if e.kind == "turn_lost"]
    assert lost == [f"has no turn left this {enc.ruleset.occasion_title}"]
    phase = enc.clock.phase if system == "phases" else None
    while enc.clock.round == round and (phase is None or enc.clock.phase == phase):
        assert enc.active != who
        pass_step(enc)


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system != "segments"])
def test_one_who_left_before_their_turn_still_has_it(system: str) -> None:
    enc = fight(system)
    last = enc.order[-1].combatant
    enc.leave(last)
    events = enc.join(last)
    assert enc.order[-1].combatant == last
    assert not [e.text for e in events if e.kind == "turn_lost"]
    while enc.active != last:
        assert enc.clock.round == 1
        pass_step(enc)


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system != "segments"])
def test_one_who_comes_back_too_late_is_not_said_to_have_acted(system: str) -> None:
    enc = fight(system)
    while enc.clock.round == 1 or enc.active is None or enc.order[-1].status != "waits":
        pass_step(enc)
    who = enc.order[-2].combatant
    status = {rung.combatant: rung.status for rung in enc.order}
    assert status[who] == "waits"
    enc.leave(who)
    pass_step(enc)
    events = enc.join(who)
    assert [e.kind for e in events].count("turn_lost") == 1
    assert next(rung.status for rung in enc.order if rung.combatant == who) == "joining"


@pytest.mark.parametrize("system", SYSTEMS)
def test_one_who_acted_left_and_came_back_is_said_to_have_acted(system: str) -> None:
    enc, who, _ = acted(system)
    enc.join(who)
    assert next(rung.status for rung in enc.order if rung.combatant == who) == "acted"


def test_one_who_came_too_late_and_left_is_not_told_of_a_turn_they_had() -> None:
    enc = fight("saga")
    late = enc.join("Dee", side="red", rolls={"Dee": 20}, dex=9)
    assert [e.text for e in late if e.kind == "turn_lost"] == ["acts from the next round on"]
    enc.leave("Dee")
    back = enc.join("Dee", dex=-3)
    assert [e.text for e in back if e.kind == "turn_lost"] == ["has no turn left this round"]


def test_the_number_of_one_who_has_left_is_not_given_again() -> None:
    enc = fight("saga")
    enc.join("Orc", side="red", count=2)
    enc.leave("Orc 1")
    enc.join("Orc", side="red", count=2)
    assert [name for name in enc.names if name.startswith("Orc")] == ["Orc 1", "Orc 2", "Orc 3", "Orc 4"]


@pytest.mark.parametrize(
    ("system", "action", "slot", "left"),
    [
        ("saga", "attack_of_opportunity", "reaction", 0),
        ("ap", "evade", "ap", 2),
        ("segments", "immediate_attack", "major", 0),
        ("phases", "attack_of_opportunity", "aoo", 0),
    ],
)
def test_what_was_spent_stays_spent(system: str, action: str, slot: str, left: int) -> None:
    enc = fight(system)
    if system == "segments":
        enc.end_turn(rolls={"red": [6], "blue": [1]})
    while enc.active != "Ada":
        pass_step(enc)
    aim: dict[str, Any] = {} if system == "ap" else {"target": "Ada", "outcome": "miss"}
    enc.do("Bo", action, trigger="moves past", **aim)
    assert enc.budget("Bo")[slot].left == left
    round = enc.clock.round
    enc.leave("Bo")
    enc.join("Bo")
    assert enc.clock.round == round
    assert enc.budget("Bo")[slot].left == left, "not before it is filled for everybody"
    while enc.clock.round == round:
        pass_step(enc)
    assert enc.budget("Bo")[slot].left == enc.budget("Bo")[slot].total > left


@pytest.mark.parametrize("by", [1, -1])
@pytest.mark.parametrize(
    ("system", "slot"),
    [("saga", "reaction"), ("d6", "action"), ("ap", "ap"), ("segments", "major"), ("phases", "attack")],
)
def test_what_the_gm_has_granted_or_taken_is_neither_lost_nor_given_back(system: str, slot: str, by: int) -> None:
    enc = fight(system)
    pass_step(enc)
    for name in ("Ada", "Bo", "Cy"):
        enc.adjust(name, slot, by)
        before = enc.budget(name)[slot]
        enc.leave(name)
        enc.join(name)
        after = enc.budget(name)[slot]
        assert (after.left, after.total) == (before.left, before.total)


def test_what_was_not_spent_is_filled_by_the_sheet_they_come_back_with() -> None:
    enc = fight("ap")
    enc.leave("Cy")
    enc.join("Cy", ap=5)
    assert enc.budget("Cy")["ap"] == ck.Slot("ap", "Action Points", 5, 5)


def test_what_a_newcomer_gets_is_told_of_them_and_a_round_fills_everybodys() -> None:
    enc = fight("saga")
    assert [e.actor for e in enc.join("Dee", side="red") if e.kind == "refresh"] == ["Dee"]
    assert next(e for e in enc.next_round() if e.kind == "refresh").actor is None


def test_one_who_is_there_cannot_come_back() -> None:
    enc = fight("saga")
    with pytest.raises(ck.InvalidInput, match="'Bo' is already in the fight"):
        enc.join("Bo", side="blue")
    with pytest.raises(ck.InvalidInput, match="'Bo' is already in the fight; only somebody who has left can come back"):
        enc.join("Bo")
    enc.leave("Bo")
    before = enc.digest
    with pytest.raises(ck.UnknownName, match="levl"):
        enc.join("Bo", levl=3)
    with pytest.raises(ck.InvalidInput, match="side is None"):
        enc.join("Dee")
    assert enc.digest == before


def test_the_round_they_came_back_in_counts_what_they_did_before() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="red", dex=9)
    enc.add("Bo", side="blue")
    enc.start(rolls={"Ada": 20, "Bo": 1})
    enc.do("Ada", "move")
    enc.end_turn()
    enc.leave("Ada")
    enc.join("Ada")
    row = enc.history.rounds.filter(combatant="Ada").row(0, named=True)
    assert (row["acted"], row["actions"], row["initiative"]) == (True, 1, 29.0)


def test_a_journalled_fight_knows_it_when_reopened(tmp_path: Path) -> None:
    path = tmp_path / "friday.combat"
    with fight("saga", journal=path) as enc:
        enc.leave("Bo")
        enc.join("Bo", side="blue", hp=20)
        said, log = enc.digest, str(enc.log())
    again = ck.Encounter.open(path)
    assert (again.digest, str(again.log())) == (said, log)
    assert "comes back (side: blue)" in log
    again.close()


def test_run_again_everybody_is_as_they_were_added() -> None:
    enc = fight("saga")
    enc.adjust("Bo", "hp", -5)
    enc.leave("Bo")
    enc.join("Bo", level=4)
    other = enc.restart(seed=1)
    assert other["Bo"].stats["level"] == 4
    assert other["Bo"].values["hp"] == 12
    assert other["Bo"].conditions == ()


def test_what_lasts_in_d6_is_not_over_by_leaving() -> None:
    enc = fight("d6")
    enc.condition("Bo", "wounded")
    enc.leave("Bo")
    enc.join("Bo")
    assert [c.id for c in enc["Bo"].conditions] == ["wounded"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_several_leave_in_one_step_of_undo(system: str) -> None:
    enc = ck.Encounter(system, seed=5)
    for name in ("Ann", "Bo", "Cy", "Dee"):
        enc.add(name, side="x" if name in ("Ann", "Bo") else "y")
    enc.start()
    if enc.active is None:
        enc.end_turn()
    first, second, *others = (rung.combatant for rung in enc.order)
    before = enc.active, enc.order
    enc.leave([first, second])
    assert [rung.combatant for rung in enc.order] == others
    assert enc.active in (*others, None)
    assert enc.can_undo == "2 combatants leave"
    enc.undo()
    assert (enc.active, enc.order) == before
    with pytest.raises(ck.InvalidInput, match="name at least one combatant"):
        enc.leave([])
    enc.leave(second)
    with pytest.raises(ck.InvalidInput, match=f"{second} has already left"):
        enc.leave([first, second])
    assert first in [rung.combatant for rung in enc.order], "one refused, none gone"


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_was_hidden_stays_hidden_until_they_are_shown(system: str) -> None:
    enc = fight(system)
    enc.condition("Bo", "hidden")
    enc.leave("Bo")
    enc.join("Bo")
    shown = ck.Tracker(enc, view="players")
    views = str([part.view for part in (shown, shown.ladder, shown.budget, shown.log)])
    assert not re.search(r"\bBo\b", views + enc.log(view="players").html)
    enc.condition("Bo", "hidden", off=True)
    assert re.search(r"\bBo\b", str(shown.ladder.view))


LASTS = ("unconscious", "down", "prone", "surprised", "hexed", "wounded", "poisoned")


@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize("system", SYSTEMS)
def test_nobody_wakes_or_becomes_aware_by_leaving_and_coming_back(system: str, by_hand: bool) -> None:
    for id in LASTS:
        if (system, id) == ("d6", "surprised"):  # its text knows none
            continue
        enc = fight(system)
        name = next(each for each in enc.names if each != enc.active)
        enc.condition(name, id, until="3 rounds" if id == "poisoned" else None)
        held = [(each.id, each.until) for each in enc[name].conditions]
        assert id in [each for each, _ in held]
        go_and_come(enc, name, by_hand=by_hand)
        assert [(each.id, each.until) for each in enc[name].conditions] == held
        enc.undo(), enc.redo()
        assert [(each.id, each.until) for each in enc[name].conditions] == held


def go_and_come(enc: ck.Encounter, name: str, *, by_hand: bool) -> None:
    if by_hand:
        enc.condition(name, "left")
        enc.condition(name, "left", off=True)
    else:
        enc.leave(name)
        enc.join(name)


@pytest.mark.parametrize("system", SYSTEMS)
def test_nobody_dead_comes_back_until_the_gm_says_so(system: str) -> None:
    enc = fight(system)
    enc.condition("Bo", "dead")
    before = enc.digest
    with pytest.raises(ck.IllegalAction, match=r'Bo is dead; .*condition\("Bo", "dead", off=True\)'):
        enc.join("Bo")
    enc.leave("Bo")
    with pytest.raises(ck.IllegalAction, match="Bo is dead"):
        enc.join("Bo")
    with pytest.raises(ck.IllegalAction, match="Bo is dead"):
        enc.condition("Bo", "left", off=True)
    assert before != enc.digest
    enc.condition("Bo", "dead", off=True)
    enc.join("Bo")
    assert [rung.combatant for rung in enc.order].count("Bo") == 1


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("when", ["added", "before", "in it"])
def test_the_condition_left_does_what_leave_and_join_do(system: str, when: str) -> None:
    enc = ck.Encounter(system, seed=3)
    for name in ("Ada", "Bo", "Cy"):
        enc.add(name, side=name, conditions=["left"] if name == "Bo" and when == "added" else ())
    if when == "before":
        enc.condition("Bo", "left")
    enc.start()
    if when == "in it":
        enc.condition("Bo", "left")
    assert sorted(rung.combatant for rung in enc.order) == ["Ada", "Cy"]
    pass_step(enc)
    enc.condition("Bo", "left", off=True)
    assert sorted(rung.combatant for rung in enc.order) == ["Ada", "Bo", "Cy"]
    for _ in range(12):
        pass_step(enc)
    turns = enc.history.turns.to_dicts()
    had = [(row["round"], row["phase"], row["combatant"]) for row in turns]
    assert len(had) == len(set(had)), "nobody has two turns in a round, or in a phase"
    assert "Bo" in {row["combatant"] for row in enc.history.rounds.to_dicts()}
    assert enc.history.budgets.height
    assert enc.history.rolls is not None
    assert fold(enc._events) == enc._state


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_condition_left_takes_nothing_else(system: str) -> None:
    enc = fight(system)
    before = enc.digest
    for given in ({"until": "3 rounds"}, {"value": 7}, {"modifiers": {"defense": 1}}):
        with pytest.raises(ck.InvalidInput, match="left takes nothing else"):
            enc.condition("Bo", "left", **given)
    with pytest.raises(ck.InvalidInput, match="Bo has not left"):
        enc.condition("Bo", "left", off=True)
    assert enc.digest == before


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_nothing_left_brings_comes_however_it_comes(system: str) -> None:
    vital = ck.ruleset(system).vitals[0].name
    falls = "wounded" if system == "d6" else "down"

    def held(enc: ck.Encounter, name: str = "Ada") -> bool:
        return falls in [each.id for each in enc[name].conditions]

    nothing: dict[str, Any] = {vital: 0}
    nine: dict[str, Any] = {vital: 9}

    def begun() -> ck.Encounter:
        enc = ck.Encounter(system, seed=3)
        enc.add("Ada", side="red", **nine)
        enc.add("Bo", side="blue", npc=True, **nine)
        enc.start()
        return enc

    for change in (
        lambda enc: enc.damage("Ada", 9),
        lambda enc: enc.adjust("Ada", by=-9),
        lambda enc: enc.edit("Ada", **nothing),
        lambda enc: (enc.leave("Ada"), enc.damage("Ada", 9), enc.join("Ada")),
        lambda enc: (enc.leave("Ada"), enc.edit("Ada", **nothing), enc.join("Ada")),
    ):
        enc = begun()
        change(enc)
        assert held(enc)
    if system != "d6":  # where nobody's sheet says 0
        enc = ck.Encounter(system, seed=3)
        enc.add("Ada", side="red", **nothing)
        enc.add("Bo", side="red", **nine)
        enc.edit("Bo", **nothing)
        assert held(enc)
        assert held(enc, "Bo")
        enc.start()
        enc.join("Cy", side="blue", **nothing)
        assert held(enc, "Cy")
        enc.condition("Ada", "down", off=True)
        go_and_come(enc, "Ada", by_hand=False)
        assert not held(enc), "the GM let them up"


def test_a_minor_npc_of_d6_is_out_however_their_resolve_comes_to_nothing() -> None:
    for option, falls in (("out", "out"), ("wounded", "wounded")):
        enc = ck.Encounter("d6", seed=3, options={"minor_npc_at_zero": option})
        enc.add("Ada", side="red", resolve=9)
        enc.add("Nox", side="blue", npc=True, resolve=9)
        enc.start()
        enc.edit("Nox", resolve=0)
        go_and_come(enc, "Nox", by_hand=True)
        assert [each.id for each in enc["Nox"].conditions] == [falls]


def test_only_the_awake_witness_a_demise() -> None:
    enc = ck.Encounter("d6", seed=3)
    for name in ("Ada", "Bes", "Cyd"):
        enc.add(name, side="red", resolve=9, force_points=1)
    enc.add("Nox", side="blue", npc=True)
    enc.start()
    enc.condition("Bes", "unconscious")
    enc.damage("Ada", 9), enc.damage("Ada", 5)
    enc.do("Ada", "tragic_demise")
    assert (enc["Bes"].values["force_points"], enc["Cyd"].values["force_points"]) == (1, 2)


@pytest.mark.parametrize("system", [each for each in SYSTEMS if each not in ("d6", "segments")])
def test_one_who_holds_back_still_does_after_leaving_and_coming_back(system: str) -> None:
    enc = ck.Encounter(system, seed=3, options={"actions": "book"} if system == "ap" else None)
    for name in ("Ada", "Bo", "Cy", "Dee"):
        enc.add(name, side=name)
    enc.start()
    first = str(enc.active)
    enc.do(first, "delay")
    go_and_come(enc, first, by_hand=False)
    assert next(rung.status for rung in enc.order if rung.combatant == first) == "delayed"
    enc.end_turn()
    enc.do(first, "act_now")
    assert enc.active == first
    enc.end_turn()
    while enc.clock.round == 1 and enc.clock.phase in (None, 1):
        assert enc.active != first
        pass_step(enc)


@pytest.mark.parametrize("system", [each for each in SYSTEMS if each != "d6"])
def test_another_of_somebody_surprised_is_surprised(system: str) -> None:
    enc = ck.Encounter(system, seed=3)
    enc.add("Ada", side="red")
    enc.add("Guard", side="blue", count=2, npc=True)
    enc.start(surprised=["Guard 1", "Guard 2"])
    enc.another("Guard")
    both = [sorted(each.id for each in enc[name].conditions) for name in ("Guard 2", "Guard 3")]
    assert both[0] == both[1]
    assert "surprised" in both[1]
    enc.another("Ada")
    assert enc["Ada 2"].conditions == ()


def test_what_was_for_the_moment_ends_as_somebody_leaves() -> None:
    enc = ck.Encounter("d6", seed=3)
    enc.add("Ada", side="red", initiative=9, tactics=3, agility=2)
    enc.add("Bes", side="red", initiative=5)
    enc.add("Nox", side="blue", npc=True)
    enc.start()
    enc.do("Ada", "aim", option="bonus")
    enc.condition("Ada", "hexed")
    go_and_come(enc, "Ada", by_hand=True)
    assert [each.id for each in enc["Ada"].conditions] == ["hexed"]


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "phases"])
@pytest.mark.parametrize("given", [{"rolls": {"Kob 1": 6}}, {"rolls": [6]}, {"ties": ["Kob 1", "Bo"]}])
def test_nobody_who_returns_rolls_again_for_a_better_place(system: str, given: Any) -> None:
    enc = fight(system)
    enc.join("Kob", side="blue", npc=True, count=2)
    before = enc.order
    enc.leave("Kob 1")
    left = enc.digest
    what = next(iter(given))
    with pytest.raises(ck.InvalidInput, match=rf"{what}: Kob 1 comes back to .*; .*place\('Kob 1', ..."):
        enc.join("Kob 1", **given)
    assert enc.digest == left
    enc.join("Kob 1")
    assert [(r.combatant, r.initiative) for r in enc.order] == [(r.combatant, r.initiative) for r in before]


def test_who_left_before_there_was_an_order_rolls_for_a_place() -> None:
    enc = ck.Encounter("saga", seed=3)
    for name in ("Mara", "Bo", "Vex"):
        enc.add(name, side=name)
    enc.condition("Vex", "left")
    enc.start(rolls={"Mara": 4, "Bo": 4})
    enc.join("Vex", rolls={"Vex": 6})
    assert next((rung.combatant, rung.initiative) for rung in enc.order) == ("Vex", 6)
