"""A call as plain data: it takes what the method takes, and does what it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import combatkit as ck
from combatkit.fight.commands import COMMANDS
from combatkit.widgets._intents import hear
from combatkit.widgets._vantage import Vantage

Call = Callable[[ck.Encounter], object]

FILES = {"add_roster", "map_look", "save", "to_html"}
OTHERS = {"timer", "branch", "close", "refresh", "watch", "unwatch"}
"""What gives another fight, or changes nothing in this one: a front end has words of its own for it, or none."""


def fight(system: str = "saga") -> ck.Encounter:
    enc = ck.Encounter(system, id="docks", seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Vex", side="empire")
    return enc


def test_every_call_that_changes_a_fight_and_names_no_file_is_a_command() -> None:
    calls = {name for name in dir(ck.Encounter) if hasattr(getattr(ck.Encounter, name), "__guarded__")}
    assert {name for name in calls if name[0] != "_"} - FILES - OTHERS == set(COMMANDS)


GUARD: dict[str, Any] = {"count": 2, "npc": True, "dex": 1, "level": 2}
OWN = [{"id": "own", "title": "Own", "cost": "standard"}]
EVENING: tuple[tuple[dict[str, Any], Call], ...] = (
    ({"kind": "add", "name": "Guard", "side": "empire", **GUARD}, lambda e: e.add("Guard", side="empire", **GUARD)),
    ({"kind": "add_table", "id": "actions", "source": OWN}, lambda e: e.add_table("actions", OWN)),
    ({"kind": "start", "surprised": ["Vex"], "rolls": {"Mara": 17}}, lambda e: e.start(surprised="Vex", rolls=[17])),
    ({"kind": "trigger", "by": "Vex", "text": "it falls"}, lambda e: e.trigger("Vex", text="it falls")),
    ({"kind": "resolve", "note": "it is shut"}, lambda e: e.resolve(note="it is shut")),
    ({"kind": "trigger", "by": ["Vex", "Guard 2"], "to": "Mara"}, lambda e: e.trigger("Vex", "Guard 2", to="Mara")),
    ({"kind": "resolve", "id": 7}, lambda e: e.resolve()),
    ({"kind": "next_round"}, lambda e: e.next_round()),
    (
        {
            "kind": "do",
            "name": "Mara",
            "action": "attack",
            "params": {"target": "Vex"},
            "rolls": [14],
            "override": True,
        },
        lambda e: e.do("Mara", "attack", target="Vex", rolls=[14], override=True),
    ),
    ({"kind": "adjust", "names": ["Vex"], "vital": "hp", "by": -1}, lambda e: e.adjust("Vex", "hp", -1)),
    ({"kind": "condition", "name": "Vex", "id": "prone"}, lambda e: e.condition("Vex", "prone")),
    ({"kind": "condition", "name": "Vex", "condition": "dazed"}, lambda e: e.condition("Vex", "dazed")),
    ({"kind": "undo"}, lambda e: e.undo()),
    ({"kind": "join", "name": "Ossik", "side": "hunters", "dex": 3}, lambda e: e.join("Ossik", side="hunters", dex=3)),
    ({"kind": "finish"}, lambda e: e.finish()),
)


def test_a_message_is_the_call() -> None:
    enc, other = fight(), fight()
    vantage = Vantage(enc)
    for message, call in EVENING:
        assert hear(vantage, message) is None
        call(other)
        assert enc.digest == other.digest, message


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"target": "Vex", "params": {"target": "Mara"}}, "the target is given twice"),
        ({"params": {"note": "from above"}}, "note goes beside params, not inside"),
    ],
)
def test_an_argument_is_given_once(given: dict[str, Any], words: str) -> None:
    enc = fight()
    enc.start()
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=words):
        COMMANDS["do"](name="Mara", action="attack", **given).run(enc)
    assert enc.digest == before


def test_a_place_is_named_in_a_message_as_in_a_call() -> None:
    enc, other = fight("segments"), fight("segments")
    for each in (enc, other):
        each.start()
        while each.clock.step is None or each.clock.step < 3:
            each.end_turn()
    COMMANDS["place"](name="Mara", count="LOW").run(enc)
    other.place("Mara", count="LOW")
    assert enc.digest == other.digest
