"""What the tracker of an exercise offers is what its check takes: every exercise of the kit, walked at random."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import combatkit as ck
from combatkit.study.exercises.played import MOVES
from combatkit.widgets._intents import KINDS
from tests.wire import hear, recording

STRAY = ("is the GM's", "can't be done again")
STEPS = 12
ASKED: dict[str, dict[str, Any]] = {
    "condition": {"name": "Mara", "condition": "prone"},
    "adjust": {"name": "Vex", "vital": "hp", "by": -1},
    "damage": {"names": ["Vex"], "amount": 3},
    "heal": {"names": ["Vex"], "amount": 3},
    "temporary": {"names": ["Mara"], "amount": 3},
    "place": {"name": "Mara", "to": 1},
    "leave": {"name": "Vex"},
    "join": {"name": "Bo", "side": "rebels"},
    "add": {"name": "Bo", "side": "rebels"},
    "edit": {"name": "Vex"},
    "another": {"name": "Vex"},
    "trigger": {"text": "a door opens"},
    "dice": {"mode": "table"},
    "branch": {"seq": 3},
    "entitle": {"title": "Mine"},
    "clear": {"side": "rebels"},
    "timer": {"on": True},
}
"""What a front end might send besides; a kind that is not here is sent bare."""


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def offered(tracker: Any, draw: Random) -> list[dict[str, Any]]:
    """Give messages for what a tracker shows: its buttons, and its forms before they are filled in."""
    view, budget, ladder = tracker.view, tracker.budget.view, tracker.ladder.view
    found: list[dict[str, Any]] = []
    if owed := view.get("result", {}).get("owed"):
        found += [{"kind": "damage", "names": [owed], "amount": draw.choice(["3", "1d6"])}] * 2
    for window in view["windows"]:
        found += [{"kind": "resolve", "answer": each} for row in window["rows"] for each in row.get("choices", ())]
        found += [{"kind": "resolve"}] * 3
    if view["end"]["allowed"]:
        found += [{"kind": "end_turn"}] * 2
    found += [{"kind": way} for way in ("undo", "redo") if view[way]["allowed"]]
    acts = [(row["name"], act) for row in ladder["rows"].values() for act in row.get("acts", ())]
    acts += [
        (budget["name"], budget["action"][key]) for id in budget["groups"] for key in budget["group"][id]["actions"]
    ]
    for name, act in acts:
        if name is not None and act["id"] not in ("", "pass"):
            found.append({"kind": "do", "name": name, "action": act["id"], "params": act.get("params", {})})
    return found


def filled(tracker: Any, call: dict[str, Any], draw: Random) -> dict[str, Any]:
    """Give an action with what its form asks for chosen, as far as it can be."""
    given = dict(call["params"])
    for _ in range(3):
        (answer,) = hear(tracker, {**call, "kind": "choices", "params": given})
        assert "lacks" not in answer, "a sheet is changed by a GM"
        lacks = [each for each in answer.get("params", ()) if each["required"] and each["id"] not in given]
        for param in lacks:
            can = [each["value"] for each in param.get("values", ()) if each["allowed"]]
            if can:
                given[param["id"]] = [draw.choice(can)] if param["type"] == "many" else draw.choice(can)
    return {**call, "params": given}


def walk(task: Any, seed: int) -> Iterator[str]:
    """Play what is offered at random in each fight; say what the check refuses of it."""
    draw = Random(seed)
    for enc in task.encounters.values():
        tracker = ck.Tracker(enc)
        for _ in range(STEPS):
            message = draw.choice(offered(tracker, draw))
            hear(tracker, filled(tracker, message, draw) if message["kind"] == "do" else message)
            reason = task.check().reason
            if any(each in reason for each in STRAY):
                yield f"{task.id}: {message}: {reason}"
                task.restart()
                break


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.long) for n in range(2, 8))])
@pytest.mark.parametrize("id", ck.exercises())
def test_whatever_is_offered_counts(id: str, seed: int) -> None:
    assert list(walk(ck.exercise(id), seed)) == []


@pytest.mark.parametrize("id", ck.exercises())
def test_what_is_the_gms_is_taken_from_no_tracker(id: str) -> None:
    task = ck.exercise(id)
    before = task.encounter.digest
    tracker = ck.Tracker(task.encounter)
    looks = {"look", "log", "rule", "at", "choices", "card", "download", "threats"}
    for kind in sorted(set(KINDS) - set(MOVES) - looks):
        (answer, *_) = hear(tracker, {"kind": kind, **ASKED.get(kind, {})})
        assert answer["kind"] == "refused", kind
    hear(tracker, {"kind": "do", "name": "Vex", "action": "attack", "target": "Mara", "override": True})
    assert task.encounter.digest == before
    assert "gm" not in tracker.view or tracker.view["task"] is True


def test_the_hit_that_asks_how_much_may_be_answered() -> None:
    task = ck.exercise("saga-let-vex-go-first")
    enc = task.encounter
    enc.do("Mara", "delay")
    enc.do("Vex", "attack", target="Mara")
    enc.end_turn()
    enc.damage("Mara", 5)
    enc.do("Mara", "act_now")
    enc.do("Mara", "attack", target="Vex")
    assert task.check().passed
    enc.damage("Mara", 1)
    assert task.check().reason == "damage is the GM's: play it without."


def test_what_led_to_the_moment_is_not_undone() -> None:
    task = ck.exercise("saga-stand-up-and-attack")
    enc = task.encounter
    assert enc.can_undo == ""
    for to in (None, 1):
        with pytest.raises(ck.InvalidInput, match="begins here"):
            enc.undo(to)
    enc.do("Mara", "stand_up")
    assert enc.can_undo == "Stand up (Mara)"
    enc.undo()
    assert enc["Mara"].conditions
    with pytest.raises(ck.InvalidInput, match="begins here"):
        enc.undo()
