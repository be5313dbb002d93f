"""Down: what becomes of somebody with nothing left, in the systems whose texts don't say."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.tactics import foes
from tests.systems import ap_table, phases_table

SILENT = ["saga", "ap", "segments", "phases"]


def fight(system: str, **options: Any) -> ck.Encounter:
    """Give a fight under way in which everybody has 10 of every vital."""
    enc = ck.Encounter(system, seed=7, options=options)
    full: dict[str, Any] = {vital.name: 10 for vital in enc.ruleset.vitals}
    for name, side in (("Mara", "rebels"), ("Vex", "empire"), ("Bo", "empire")):
        enc.add(name, side=side, **full)
    enc.start()
    return enc


def first(enc: ck.Encounter) -> str:
    return enc.ruleset.vitals[0].name


def strike(enc: ck.Encounter) -> str:
    return next(action.id for action in enc.ruleset.actions if {"attack", "basic"} <= {*action.tags})


def ids(enc: ck.Encounter, name: str) -> list[str]:
    return [condition.id for condition in enc[name].conditions]


@pytest.mark.parametrize("system", SILENT)
def test_the_call_that_leaves_nothing_puts_somebody_down_and_undo_takes_all_of_it_back(system: str) -> None:
    enc = fight(system)
    before, line = enc._state, len(enc._events)
    blow, fall, *_ = enc.damage("Vex", 10)
    assert (blow.text, fall.subject, fall.text) == ("takes 10 damage, 0 left", "Vex", "is down")
    assert (fall.rules, fall.by) == ((), "rules")
    assert ids(enc, "Vex") == ["down"]
    enc.undo()
    assert enc._state == before
    assert enc.at(line + 2)["Vex"].conditions[0].id == "down"


@pytest.mark.parametrize("system", SILENT)
def test_whose_vital_is_no_longer_counted_is_down_for_want_of_it_no_longer(system: str) -> None:
    enc = fight(system)
    enc.damage("Vex", 10)
    enc.edit("Vex", **{first(enc): None})
    assert ids(enc, "Vex") == []
    enc.condition("Bo", "down")
    enc.edit("Bo", **{first(enc): None})
    assert ids(enc, "Bo") == ["down"], "the GM put them down"


@pytest.mark.parametrize("system", SILENT)
@pytest.mark.parametrize("call", ["damage", "adjust", "attack"])
def test_whatever_call_brings_it_to_0_or_below_brings_them_down(system: str, call: str) -> None:
    enc = fight(system)
    vital = first(enc)
    match call:
        case "damage":
            enc.damage("Vex", 12)
        case "adjust":
            enc.adjust("Vex", by=-12)
        case "attack":
            enc.do("Mara", strike(enc), target="Vex", outcome="hit", damage=12, override=True)
            while enc.pending:
                enc.resolve()
    assert (ids(enc, "Vex")[-1:], enc["Vex"].values[vital]) == (["down"], -2)


def test_a_sheet_on_which_nothing_is_left_brings_them_down_too_and_one_with_more_lets_them_up() -> None:
    enc = fight("phases")
    enc.edit("Vex", stun=0)
    assert ids(enc, "Vex") == ["down"]
    enc.edit("Vex", stun=4)
    assert ids(enc, "Vex") == []


@pytest.mark.parametrize("other", ["body", "end"])
def test_phases_says_that_only_stun_at_0_brings_anybody_down(other: str) -> None:
    enc = fight("phases")
    enc.damage("Vex", 10, vital=other)
    enc.edit("Bo", **{other: 0})
    assert (ids(enc, "Vex"), ids(enc, "Bo")) == ([], [])
    said = enc.ruleset.options["down_at_zero"].text
    assert "whose Stun comes to 0" in said
    assert "Body or Endurance at 0 fells nobody" in said


@pytest.mark.parametrize("system", SILENT)
def test_whoever_is_down_has_no_turn_and_may_not_act_but_may_be_attacked(system: str) -> None:
    enc = fight(system)
    enc.damage("Vex", 10)
    for _ in range(40):
        assert enc.active != "Vex"
        enc.end_turn()
    assert enc._state.round is not None
    assert enc._state.round > 2
    assert {rung.status for rung in enc.order if rung.combatant == "Vex"} == {"out"}
    ruling = enc.can("Vex", strike(enc), target="Mara")
    assert (ruling.allowed, ruling.reason) == (False, "Vex is down.")
    assert "down" not in enc.can("Mara", strike(enc), target="Vex").reason
    rows = enc.history.rounds.filter(combatant="Vex")
    assert rows["conditions"].to_list()[-1] == ["down"]
    assert rows["acted"].to_list()[-1] is False


@pytest.mark.parametrize("system", SILENT)
def test_whoever_falls_in_their_own_turn_can_do_nothing_more_until_they_are_healed(system: str) -> None:
    enc = fight(system)
    while enc.active is None:
        enc.end_turn()
    name = enc.active
    foe = next(each for each in enc.names if enc[each].side != enc[name].side)
    before, may = enc.budget(name), enc.can(name, strike(enc), target=foe).allowed
    for how in ("damage", "unconscious", "dead"):
        if how == "damage":
            enc.damage(name, 10)
        else:
            enc.condition(name, how)
        assert (enc.active, enc.can(name, strike(enc), target=foe).allowed) == (name, False)
        if how == "damage":
            enc.heal(name, 10)
        else:
            enc.condition(name, how, off=True)
        assert (enc.active, enc.budget(name)) == (name, before)
        assert enc.can(name, strike(enc), target=foe).allowed is may
    enc.damage(name, 10)
    enc.end_turn()
    assert enc.active != name
    assert [e.kind for e in enc._events if e.actor == name and e.kind.startswith("turn")][-1] == "turn_end"


@pytest.mark.parametrize("system", SILENT)
def test_healing_above_0_lets_them_up_and_the_log_says_so(system: str) -> None:
    enc = fight(system)
    enc.damage("Vex", 14)
    assert [e.kind for e in enc.heal("Vex", 4)] == ["vital"], "0 is still nothing"
    _, up = enc.heal("Vex", 1)
    assert (up.subject, up.text, up.by, up.rules) == ("Vex", "is no longer down", "rules", ())
    assert ids(enc, "Vex") == []


@pytest.mark.parametrize("system", SILENT)
@pytest.mark.parametrize("how", ["damage", "adjust"])
def test_whom_the_gm_lets_up_stays_up_until_they_lose_more(system: str, how: str) -> None:
    enc = fight(system)
    vital = enc.ruleset.vitals[0].name
    enc.damage("Vex", 12)
    enc.condition("Vex", "down", off=True)
    enc.temporary("Vex", 2)
    enc.damage("Vex", 2)
    enc.heal("Vex", 1)
    assert ids(enc, "Vex") == [], "nothing was lost since"
    enc.damage("Vex", 2) if how == "damage" else enc.adjust("Vex", vital, -2)
    assert ids(enc, "Vex") == ["down"]


@pytest.mark.parametrize("system", SILENT)
def test_the_dead_do_not_go_down_and_the_gm_may_say_who_is_dead(system: str) -> None:
    enc = fight(system)
    enc.condition("Vex", "dead")
    enc.damage("Vex", 10)
    enc.damage("Bo", 10)
    enc.condition("Bo", "dead")
    assert (ids(enc, "Vex"), ids(enc, "Bo")) == (["dead"], ["down", "dead"])


@pytest.mark.parametrize("system", SILENT)
def test_off_nobody_goes_down_of_themselves(system: str) -> None:
    enc = fight(system, down_at_zero=False)
    enc.damage("Vex", 14)
    assert (ids(enc, "Vex"), enc["Vex"].values[first(enc)]) == ([], -4)


def test_where_the_text_says_what_becomes_of_them_there_is_no_such_option() -> None:
    with pytest.raises(ck.UnknownName, match="down_at_zero"):
        ck.Encounter("d6", seed=1, options={"down_at_zero": True})


@pytest.mark.parametrize("system", SILENT)
def test_who_has_left_and_comes_back_is_down_or_up_by_what_they_have(system: str) -> None:
    enc = fight(system)
    enc.damage(["Vex", "Bo"], 10)
    enc.leave(["Vex", "Bo"])
    enc.join("Vex")
    more: dict[str, Any] = {first(enc): 6}
    enc.join("Bo", **more)
    assert (ids(enc, "Vex"), ids(enc, "Bo")) == (["down"], [])


@pytest.mark.rule("phases.ready.resume")
def test_what_they_had_under_way_stops_and_nobody_is_asked() -> None:
    enc = phases_table.fight({"Mara": 9, "Vex": 8}, at={"Mara": (1, 0), "Vex": (0, 0)}, Mara={"stun": 5})
    enc.do("Mara", "half_move", to=(3, 0), outcome="failed")
    events = enc.do("Vex", "attack_of_opportunity", target="Mara", damage=7, rolls={"attack": [6, 6, 1]})
    assert enc.pending == ()
    (stopped,) = [e for e in events if e.kind == "stopped"]
    assert (stopped.text, enc["Mara"].position) == ("is down and gets no further", (1, 0))
    assert enc.log(rules=False).markdown.count("is down") == 1, "which says both"
    assert enc.active == "Mara"
    enc.undo()
    assert (enc["Mara"].conditions, enc.active) == ((), "Mara")


@pytest.mark.parametrize("up", [True, False])
def test_what_they_had_under_way_stops_if_they_are_down_as_the_window_closes(up: bool) -> None:
    """Who was felled by a slip that is mended while others are still asked goes on as if it had not happened."""
    enc = ck.Encounter("saga", seed=1, options={"openings": "leaving_reach"})
    enc.add("Mara", side="rebels", hp=5, at=(0, 0))
    enc.add("Vex", side="empire", hp=5, at=(1, 0)), enc.add("Ossik", side="empire", hp=5, at=(1, 1))
    enc.start(rolls={"Mara": 20, "Vex": 10, "Ossik": 5})
    enc.do("Mara", "move", to=(-5, 0))
    enc.do("Vex", "attack_of_opportunity", target="Mara", outcome="hit", damage=9)
    if up:
        enc.heal("Mara", 9)
    enc.do("Ossik", "attack_of_opportunity", target="Mara", outcome="miss")
    assert [event.kind for event in enc._events if event.kind in ("stopped", "move")] == ["move" if up else "stopped"]
    assert enc["Mara"].position == ((-5, 0) if up else (0, 0))


def test_an_action_of_several_turns_is_lost_with_them() -> None:
    enc = ap_table.fight({"Mara": 12, "Vex": 6}, Mara={"ap": 1, "hp": 10})
    enc.do("Mara", "all_out_attack", target="Vex")
    assert enc["Mara"].progress == {"all_out_attack": ck.Progress(1, 2)}
    *_, fall, lapse = [e for e in enc.damage("Mara", 10) if e.kind in ("effect", "progress")]
    assert (fall.text, lapse.action, enc["Mara"].progress) == ("is down", "all_out_attack", {})


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments"])
def test_whoever_is_stunned_has_no_turn_until_it_ends_and_still_stands(system: str) -> None:
    enc = fight(system)
    while enc.active is None:
        enc.end_turn()
    first, second = enc.active, next(name for name in enc.names if name != enc.active)
    enc.condition(second, "stunned", until="end of turn")
    assert [option.action for option in enc.options(second) if option.allowed] == []
    came = []
    while enc.clock.round in (None, 0, 1) and enc.active:
        came.append(enc.active)
        enc.end_turn()
    assert second not in came
    assert first in came
    assert "stunned" not in ids(enc, second)


@pytest.mark.parametrize("system", SILENT)
def test_a_side_that_is_stunned_has_not_lost(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Vex", side="empire", conditions=("stunned",))
    assert foes(enc, "Mara") == ("Vex",)
    assert ck.simulate(enc, 1, rounds=1, progress=False)["winner"].to_list() == [None, None]


@pytest.mark.parametrize("system", [*SILENT, "d6"])
def test_nobody_is_told_twice_to_be_what_they_are_already(system: str) -> None:
    enc = fight(system)
    enc.condition("Vex", "down")
    enc.damage("Vex", 10)
    (told,) = [event for event in enc.condition("Vex", "down") if event.kind == "effect"]
    assert told.text == "is down already"
    first, again, less = [enc.condition("Bo", "cover", value=value)[-1].text for value in (50, 50, 25)]
    more, lower = ("has 50% cover", "has 25% cover") if system == "segments" else ("has cover: 50", "has cover: 25")
    assert (first, again, less) == (more, f"{more} already", lower)
    assert str(enc.log()).count("is down") == str(enc.log()).count("is down already") + 1


def test_a_fall_that_stops_a_move_is_told_once_whoever_answers_in_between() -> None:
    enc = ck.Encounter("phases", seed=1)
    for name, side, value, at in (("Ace", "h", 9, (1, 0)), ("Crow", "v", 7, (0, 0)), ("Dirk", "v", 3, (0, 1))):
        enc.add(name, side=side, combat_value=value, at=at, stun=20)
    enc.start()
    enc.do("Ace", "half_move", to=(4, 0), outcome="failed")
    enc.damage("Ace", 40)
    enc.resolve()
    told = str(enc.log())
    assert told.count("is down") == 1
    assert "is down; gets no further" in told


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
@pytest.mark.parametrize("state", ["stunned", "unconscious"])
def test_whoever_comes_back_unable_is_not_said_to_have_actions(system: str, state: str) -> None:
    enc = ck.Encounter(system, seed=3)
    for name, side in (("Mara", "a"), ("Vex", "b"), ("Zed", "b")):
        enc.add(name, side=side)
    enc.start()
    enc.leave("Vex")
    assert [event.text for event in enc.join("Vex") if event.kind == "refresh"] != [""]
    enc.condition("Zed", state)
    enc.leave("Zed")
    assert {event.text for event in enc.join("Zed") if event.kind == "refresh"} <= {""}
