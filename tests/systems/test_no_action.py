"""What is no action ends no "next action", sets off nothing, and counts nowhere; what is one counts once."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck

DELAYS = ("saga", "phases", "segments")
READY = {"saga": ("ready", "speak"), "phases": ("ready", "soliloquy")}
OPTIONS: dict[str, dict[str, Any]] = {"ap": {"actions": "book"}}


def fight(system: str) -> ck.Encounter:
    """Mara is before Vex, who is before Bo; it is Mara's turn."""
    enc = ck.Encounter(system, seed=3, options=OPTIONS.get(system))
    for name, at in (("Mara", (0, 0)), ("Vex", (8, 0)), ("Bo", (0, 8))):
        enc.add(name, side=name, at=None if system == "d6" else at)
    enc.start()
    if system == "segments":
        enc.end_turn(rolls={"Mara": [6], "Vex": [4], "Bo": [2]})
    else:
        enc.end_turn()
        enc.undo()
    return enc


def first(enc: ck.Encounter) -> tuple[str, str]:
    names = [rung.combatant for rung in enc.order]
    return names[0], names[1]


def counted(enc: ck.Encounter) -> tuple[int, int]:
    """The actions and reactions of all turns, and of all rounds."""
    turns, rounds = enc.history.turns, enc.history.rounds
    both = [sum(frame[column].to_list()) for frame in (turns, rounds) for column in ("actions", "reactions")]
    assert both[:2] == both[2:], "turns and rounds agree"
    return both[0], both[1]


@pytest.mark.rule("phases.delay.no-act", "saga.delay.free")
@pytest.mark.parametrize(
    ("system", "action", "given"),
    [*((system, "delay", {}) for system in (*DELAYS, "ap")), ("phases", "1_hex_step", {"to": (1, 0)})],
)
def test_waiting_and_a_step_are_no_next_action(system: str, action: str, given: dict[str, Any]) -> None:
    enc = fight(system)
    name = str(enc.active)
    if action == "1_hex_step":
        x, y = enc[name].position
        given = {"to": (x + 1, y)}
    enc.condition(name, "off balance", until="next action")
    enc.do(name, action, **given)
    assert [c.id for c in enc[name].conditions if c.id == "off balance"] == ["off balance"]
    enc.end_turn()
    enc.finish()
    assert counted(enc) == (0, 0)


@pytest.mark.rule("saga.ready.outside-turn", "phases.ready.interrupt")
@pytest.mark.parametrize("system", READY)
@pytest.mark.parametrize("words", [False, True])
def test_what_waits_for_somebody_is_not_set_off_by_their_waiting(system: str, words: bool) -> None:
    enc = fight(system)
    one, two = first(enc)
    ready, kept = READY[system]
    enc.do(one, ready, action=kept, trigger="somebody does something" if words else {"actor": two})
    enc.end_turn()
    enc.do(two, "delay")
    assert enc.pending == ()


@pytest.mark.rule("saga.ready.count-moves", "saga.delay.permanent")
@pytest.mark.parametrize("system", READY)
def test_stepping_in_sets_nothing_off_and_what_then_is_done_does(system: str) -> None:
    enc = fight(system)
    one, two = first(enc)
    ready, kept = READY[system]
    enc.do(one, "delay")
    enc.do(two, ready, action=kept, trigger={"actor": one})
    enc.end_turn()
    assert enc.active not in (one, two)
    enc.do(one, "act_now")
    assert (enc.pending, enc.active) == ((), one)
    enc.do(one, "open_or_close_door")
    assert [offer.who for offer in enc.pending] == [two]
    enc.do(two, "use_readied")
    order = [rung.combatant for rung in enc.order]
    assert order.index(two) + 1 == order.index(one), "just before the one whose action it answers"
    scores = {rung.combatant: rung.initiative for rung in enc.order}
    assert scores[two] == scores[one]


@pytest.mark.rule("phases.abort.what", "phases.abort.cost")
@pytest.mark.parametrize("defence", ["block", "dodge"])
def test_an_abort_is_one_reaction(defence: str) -> None:
    enc = fight("phases")
    one, _ = first(enc)
    enc.end_turn()
    enc.do(one, "abort", action=defence)
    enc.end_turn()
    enc.finish()
    assert counted(enc) == (0, 1)


@pytest.mark.rule("phases.act.start-complete")
def test_the_second_half_of_an_action_is_one_action_with_what_it_completes() -> None:
    enc = fight("phases")
    one, _ = first(enc)
    for _ in range(2):
        while enc.active != one:
            enc.end_turn()
        enc.do(one, "start_or_complete", action="full_skill")
        enc.end_turn()
    enc.finish()
    assert counted(enc) == (2, 0)


@pytest.mark.rule("d6.act.hold")
def test_a_fate_sets_no_held_action_off() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="r", resolve=9)
    enc.add("Nox", side="e", npc=True, initiative=30)
    enc.start()
    enc.do("Nox", "hold", action="use_skill", trigger={"actor": "Ada"})
    enc.damage("Ada", 9)
    enc.damage("Ada", 1)
    enc.do("Ada", "desperate_push")
    assert enc.pending == ()


@pytest.mark.rule("d6.turn.action", "d6.turn.free", "d6.turn.talk", "d6.turn.object")
def test_only_an_action_is_the_next_action() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="r", free_actions=1)
    enc.add("Nox", side="e", npc=True, initiative=-9)
    enc.start()
    enc.condition("Ada", "off balance", until="next action")
    for action in ("move", "talk", "pick_up", "free_action"):
        enc.do("Ada", action)
        assert [c.id for c in enc["Ada"].conditions] == ["off balance"]
    enc.do("Ada", "use_item")
    assert enc["Ada"].conditions == ()


@pytest.mark.rule("saga.ready.specify-trigger")
@pytest.mark.parametrize("system", READY)
@pytest.mark.parametrize("deed", ["delay", "act_now"])
def test_nobody_waits_for_somebody_to_wait(system: str, deed: str) -> None:
    enc = fight(system)
    who, other = first(enc)
    kept = {"saga": "attack", "phases": "strike"}[system]
    ruling = enc.can(who, "ready", action=kept, target=other, trigger={"actor": other, "action": deed})
    assert ruling.reason.endswith("is no action and sets nothing off; name something that is done.")
    assert ruling.rule == {"saga": "saga.ready.specify-trigger"}.get(system, ruling.rule)
