"""Numbers of NumPy wherever numbers go: what they say is what Python's own say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import combatkit as ck

SCENE = ck.scene("catwalk")


def fight(**more: Any) -> ck.Encounter:
    return SCENE.encounter("saga", **{"seed": 7, **more})


def answered(number: Callable[[int], Any]) -> object:
    quiz = ck.quiz(["saga"], seed=number(3), n=number(2))
    quiz.answer(number(0), np.bool_(True))  # type: ignore[arg-type]
    return quiz.answers.rows()


def simulated(number: Callable[[int], Any], **more: Any) -> object:
    return ck.simulate(SCENE, number(2), systems="saga", seed=number(3), progress=False, **more).rows()


def played(**more: Any) -> object:
    enc = fight()
    ck.play(enc, ck.tactics.strike, **more)
    return enc.digest


def dealt(number: Callable[[int], Any]) -> object:
    enc = fight(seed=number(4))
    enc.damage("Mara", number(3))
    enc.adjust("Mara", "hp", number(-1))
    enc.edit("Mara", defense=number(9))
    enc.temporary("Mara", number(2))
    enc.condition("Mara", "prone", until="2 rounds", modifiers={"defense": number(-2)})
    enc.undo(to=number(enc.history.events.height - 1))
    return enc.at(number(5)).digest, enc.branch(number(5)).digest, enc.digest


def shared(port: int) -> object:
    room = fight().share(port=port)
    room.close()
    return type(room.port)


def listed(number: Callable[[int], Any]) -> object:
    row = {"id": "whirl", "title": "Whirl", "type": "primary", "cost": number(2)}
    return ck.Encounter("ap", seed=1, tables={"actions": [row]}).digest


def environment(number: Callable[[int], Any]) -> object:
    from combatkit.simulation.aec import env

    fighting = env("saga", rounds=number(2))
    fighting.reset(seed=number(7))
    return fighting.agent_selection


CALLS: dict[str, Callable[[Callable[[int], Any]], object]] = {
    "a quiz": answered,
    "rounds of simulate": lambda number: simulated(number, rounds=number(2)),
    "seconds of simulate": lambda number: simulated(number, seconds=number(12)),
    "rounds of play": lambda number: played(rounds=number(1)),
    "seconds of play": lambda number: played(seconds=number(6)),
    "a sweep": lambda number: ck.sweep(
        SCENE, {"Mara.hp": [number(30), number(33)]}, n=number(2), systems="saga", seed=number(1), progress=False
    ).rows(),
    "the shelf": lambda number: ck.Shelf().take("Nexu", number(2)),
    "a fight": dealt,
    "a table": listed,
    "a port": lambda number: shared(number(0)),
    "an environment": environment,
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("kind", [np.int64, np.int16, np.float64])
def test_a_number_of_numpy_says_what_pythons_own_says(call: str, kind: type) -> None:
    assert CALLS[call](kind) == CALLS[call](int)


def test_an_array_of_numpy_is_a_list_of_values() -> None:
    given = {"Mara.hp": np.arange(30, 36, 3)}
    frame = ck.sweep(SCENE, given, n=2, systems=np.array(["saga"]), progress=False)
    assert frame.equals(ck.sweep(SCENE, {"Mara.hp": [30, 33]}, n=2, systems="saga", progress=False))


def test_what_numpy_gives_instead_of_numbers_is_refused_as_it_reads() -> None:
    with pytest.raises(ck.InvalidInput, match=r"Mara\.hp is 30; give several values"):
        ck.sweep(SCENE, {"Mara.hp": np.array(30)}, n=2)
    for call in (fight().damage, fight().heal):
        with pytest.raises(ck.InvalidInput, match=r"amount is 1\.5; give"):
            call("Mara", np.float32(1.5))  # type: ignore[arg-type]


def test_seconds_may_be_parts_of_seconds_and_nothing_else() -> None:
    assert played(seconds=np.float32(7.5)) == played(seconds=7.5)
    for wrong in (np.bool_(True), True, np.nan, -1, "6", np.array([6, 7])):
        with pytest.raises(ck.InvalidInput, match="seconds is"):
            played(seconds=wrong)
