"""Exercises: each can be solved, an empty play and a forged one fail, and the check believes nothing but the calls."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.study.exercises.task import make

SOLUTIONS: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent / "data" / "solutions.toml").read_text(encoding="utf-8")
)
LIKE = {
    "later-than-vex": ["saga-let-vex-go-first", "d6-let-vex-go-first", "phases-let-vex-go-first"],
    "answer-vex": ["saga-ready-for-vex", "d6-wait-for-vex", "phases-ready-for-vex"],
}


def solve(task: Any) -> None:
    """Play what solves an exercise, in each of its fights."""
    plays = [SOLUTIONS[id] for id in LIKE.get(task.id, [task.id])]
    for enc, play in zip(task.encounters.values(), plays, strict=True):
        for call in play:
            make(enc, call)


@pytest.mark.parametrize("id", ck.exercises())
def test_it_can_be_solved_and_an_empty_play_fails(id: str) -> None:
    task = ck.exercise(id)
    assert len(task.hints) == 3
    empty = task.check()
    assert (empty.passed, empty.calls) == (False, 0)
    assert empty.reason
    assert not empty.rule or any(empty.rule in ck.ruleset(system).rules for system in task.encounters)
    solve(task)
    assert task.check() == (True, "", "", sum(len(enc.calls) for enc in task.encounters.values()))
    task.restart()
    assert task.check() == empty


def test_the_kit_has_some_for_every_system() -> None:
    found = [system for id in ck.exercises() for system in ck.exercise(id).encounters]
    assert set(found) == {rules.id for rules in ck.rulesets()}
    assert min(map(found.count, found)) >= 3


def test_what_was_taken_back_does_not_count() -> None:
    task = ck.exercise("saga-move-twice")
    task.encounter.do("Mara", "move")
    task.encounter.do("Mara", "move")
    task.encounter.undo()
    assert task.check().reason == "Mara hasn't moved twice yet."
    task.encounter.redo()
    assert task.check().passed


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (["condition", "Mara", "prone", {"off": True}], "condition is the GM's"),
        (["do", "Mara", "stand_up", {"override": True}], "override is the GM's"),
        (["adjust", "Vex", {"vital": "hp", "by": -30}], "adjust is the GM's"),
        (["do", "Mara", "attack", {"target": "Vex", "rolls": {"attack": [20]}}], "rolls is the GM's"),
    ],
)
def test_what_is_the_gms_does_not_count(call: list[Any], told: str) -> None:
    task = ck.exercise("saga-stand-up-and-attack")
    task.encounter.do("Mara", "stand_up")
    task.encounter.do("Mara", "attack", target="Vex")
    assert task.check().passed
    task = ck.exercise("saga-stand-up-and-attack")
    make(task.encounter, call)
    assert task.check().passed is False
    assert told in task.check().reason


def test_a_fight_put_in_its_place_proves_nothing() -> None:
    task = ck.exercise("saga-move-twice")
    other = ck.Encounter("saga", seed=1)
    other.add("Mara", side="rebels")
    other.start()
    other.do("Mara", "move")
    other.do("Mara", "move")
    task.encounters["saga"] = other  # type: ignore[assignment]
    assert task.check() == (False, "Mara hasn't moved twice yet.", "saga.move.max-two", 0)


def test_calls_that_cannot_be_made_again_fail() -> None:
    task = ck.exercise("saga-move-twice")
    task.encounter.do("Mara", "move")
    task.encounter.do("Mara", "move")
    task.encounter.calls += task.encounter.calls
    assert "can't be done again" in task.check().reason


def test_ones_own_comes_from_a_mapping_or_a_file(tmp_path: Path) -> None:
    part = {"kind": "does", "who": "Bo", "action": "move", "words": "Bo hasn't moved."}
    fight = {"people": [{"name": "Bo", "side": "a"}], "parts": [part]}
    task = ck.exercise({"goal": "Move.", "fights": {"d6": fight}})
    assert task.check().reason == "Bo hasn't moved."
    task.encounter.do("Bo", "move")
    assert task.check().passed
    path = tmp_path / "own.toml"
    path.write_text(
        'goal = "Move."\n[fights.d6]\npeople = [{ name = "Bo", side = "a" }]\n'
        'parts = [{ kind = "does", who = "Bo", action = "move", words = "Bo stays." }]\n',
        encoding="utf-8",
    )
    assert ck.exercise(path).check().reason == "Bo stays."


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("saga-move-twise", "saga-move-twice"),
        ({"goal": "Move."}, "lacks something"),
        ({"goal": "Move.", "fights": 3}, "lacks something"),
        ({"goal": "Move.", "fights": {"chess": {}}}, "chess"),
        ("no-such-file.toml", "no-such-file.toml cannot be read"),
    ],
)
def test_what_is_no_exercise_is_refused(source: Any, told: str) -> None:
    with pytest.raises(ck.CombatkitError, match=told):
        ck.exercise(source)


def test_a_goal_of_another_kind_is_refused() -> None:
    for part, told in (({"kind": "jumps"}, "kind of a goal"), ({"kind": "round", "most": 3}, "doesn't take most")):
        fight = {"people": [{"name": "Bo", "side": "a"}], "parts": [{"words": "", **part}]}
        with pytest.raises(ck.CombatkitError, match=told):
            ck.exercise({"goal": "Jump.", "fights": {"d6": fight}}).check()
