"""What a form begins with, and what stands among the usual: from the fight's own events."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import combatkit as ck
from combatkit.core.timeline import backward, standing
from combatkit.widgets import Tracker
from tests.wire import hear, recording

SYSTEMS = [rules.id for rules in ck.rulesets()]


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def begun(system: str, journal: Path | None = None) -> ck.Encounter:
    """Give a fight whose first combatant, who acts, has two enemies and an ally."""
    enc = ck.Encounter(system, id="yard", seed=5, journal=journal)
    first: dict[str, Any] = {"combat_value": 20} if system == "phases" else {}
    enc.add("Mara", side="rebels", **first)
    enc.add("Ilya", side="rebels")
    enc.add("Vex", side="empire")
    enc.add("Dray", side="empire")
    enc.start()
    turn_of(enc, "Mara")
    return enc


def turn_of(enc: ck.Encounter, name: str) -> None:
    """Go on until it is somebody's turn."""
    for _ in range(60):
        if enc.active == name:
            return
        enc.end_turn()
    pytest.fail(f"{name} never acts")


def attack(system: str) -> str:
    return "strike" if system == "phases" else "attack"


def hit(enc: ck.Encounter, target: str) -> None:
    enc.do("Mara", attack(enc.ruleset.id), target=target)
    while enc.pending:
        enc.resolve()


def asked(enc: ck.Encounter, **more: Any) -> dict[str, Any]:
    """Ask as a form does that opens."""
    question = {"kind": "choices", "name": "Mara", "action": attack(enc.ruleset.id), "propose": True, **more}
    (answer,) = hear(Tracker(enc), question)
    return dict(answer.get("given", {}))


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_form_begins_with_the_last_target_and_else_with_the_first_enemy(system: str, tmp_path: Path) -> None:
    enc = begun(system, tmp_path / "yard.combat")
    assert asked(enc) == {"target": "Vex"}, "nobody was attacked yet"
    before = len(enc.history.events)
    hit(enc, "Dray")
    enc.end_turn()
    turn_of(enc, "Mara")
    assert asked(enc) == {"target": "Dray"}
    assert asked(enc.branch(before)) == {"target": "Vex"}, "a branch from before it knows nothing of it"
    again = ck.Encounter.open(tmp_path / "yard.combat", "yard")
    assert asked(again) == {"target": "Dray"}, "after a restart too"
    while len(enc.history.events.filter(undone=False, kind="action", actor="Mara")) > 0:
        enc.undo()
    assert asked(enc) == {"target": "Vex"}, "what was taken back was not done"
    enc.redo()
    while enc.pending:
        enc.resolve()
    enc.end_turn()
    turn_of(enc, "Mara")
    assert asked(enc) == {"target": "Dray"}


def test_who_can_no_longer_be_attacked_is_not_proposed() -> None:
    enc = begun("saga")
    hit(enc, "Dray")
    enc.condition("Dray", "dead")
    enc.end_turn()
    turn_of(enc, "Mara")
    assert asked(enc) == {"target": "Vex"}
    enc.leave("Vex")
    assert asked(enc) == {}, "an ally is never proposed"


def test_what_must_be_answered_begins_with_an_enemy() -> None:
    enc = ck.Encounter("segments", seed=5)
    for name, side in (("Ilya", "rebels"), ("Mara", "rebels"), ("Vex", "empire")):
        enc.add(name, side=side)
    enc.start()
    enc.do("Mara", "declare", action="invocation", segments=2)
    steps = iter(range(20))
    while not enc.pending and next(steps) >= 0:
        enc.end_turn()
    assert asked(enc, action="announce_target") == {"target": "Vex"}


@pytest.mark.parametrize(
    ("system", "keep", "use"),
    [("saga", "ready", "use_readied"), ("d6", "hold", "use_held"), ("phases", "ready", "use_readied")],
)
@pytest.mark.parametrize("target", [{}, {"target": "Dray"}, {"target": "Vex"}])
def test_what_was_readied_begins_with_its_target(system: str, keep: str, use: str, target: dict[str, Any]) -> None:
    enc = begun(system)
    given: dict[str, Any] = {"action": attack(system), "trigger": "somebody comes through the door"}
    enc.do("Mara", keep, **given, **target)
    enc.end_turn()
    while enc.active in (None, "Ilya"):
        enc.end_turn()
    told = {"trigger": given["trigger"]}
    assert asked(enc, action=use, params=told)["target"] == target.get("target", enc.active), "else whoever sets it off"


@pytest.mark.parametrize("system", ["saga", "ap", "segments", "phases"])
def test_whoever_has_nothing_left_is_proposed_after_those_who_stand(system: str) -> None:
    enc = begun(system)
    vital = enc.ruleset.vitals[0].name
    for name in enc.names:
        enc.edit(name, **{vital: 10})
    hit(enc, "Vex")
    enc.damage("Vex", 12)
    enc.end_turn()
    turn_of(enc, "Mara")
    assert asked(enc) == {"target": "Dray"}, "the last target is down"
    (answer,) = hear(Tracker(enc), {"kind": "choices", "name": "Mara", "action": attack(system)})
    (shown,) = [each["values"] for each in answer["params"] if each["id"] == "target"]
    assert [(each["value"], each.get("aside")) for each in shown][:2] == [("Dray", None), ("Vex", "Down")]
    enc.damage("Dray", 12)
    assert asked(enc) == {}, "nobody who is down is struck unasked"


@pytest.mark.parametrize("system", SYSTEMS)
def test_whoever_nobody_has_seen_is_proposed_after_those_who_are_seen(system: str) -> None:
    enc = begun(system)
    enc.condition("Vex", "hidden")
    assert asked(enc) == {"target": "Dray"}
    (answer,) = hear(Tracker(enc), {"kind": "choices", "name": "Mara", "action": attack(system)})
    (shown,) = [each["values"] for each in answer["params"] if each["id"] == "target"]
    assert [each["value"] for each in shown][:2] == ["Dray", "Vex"]
    enc.condition("Vex", "hidden", off=True)
    assert asked(enc) == {"target": "Vex"}


def test_dice_named_once_are_proposed_again_for_the_same_action() -> None:
    enc = begun("saga")
    enc.do("Mara", "attack", target="Dray", damage="3d8+2")
    enc.end_turn()
    turn_of(enc, "Mara")
    assert asked(enc) == {"target": "Dray", "damage": "3d8+2"}
    assert asked(enc, params={"target": "Vex", "damage": "1d4"}) == {}, "what is filled in stays"
    assert asked(enc, propose=False) == {}


def test_the_dice_of_a_routine_are_proposed_where_no_roll_tells_that_it_hits() -> None:
    enc = ck.Encounter("segments", seed=5)
    enc.add("Mara", side="rebels", attacks=["MELEE: bite (1d6)"])
    enc.add("Ilya", side="rebels", attacks=["MELEE: 2 claws (1d4/1d4) and bite (1d6)"])
    enc.add("Dray", side="rebels", attacks=["MELEE: bite (1d6)"], aac0=20)
    enc.add("Vex", side="empire")
    enc.start()
    turn_of(enc, "Mara")
    assert asked(enc) == {"target": "Vex", "damage": "1d6"}
    turn_of(enc, "Dray")
    assert asked(enc, name="Dray") == {"target": "Vex"}, "a roll tells whether it hits, and the line for how much"
    turn_of(enc, "Ilya")
    assert asked(enc, name="Ilya") == {"target": "Vex"}, "each blow has dice of its own"
    (answer,) = hear(
        Tracker(enc), {"kind": "choices", "name": "Ilya", "action": "attack", "params": {"outcome": "hit"}}
    )
    assert [param["id"] for param in answer["params"] if param["required"]] == ["target", "outcome"]


def test_a_log_is_read_backwards_as_it_holds() -> None:
    enc = begun("saga")
    rng = Random(3)
    for _ in range(60):
        call = rng.choice((enc.end_turn, enc.end_turn, enc.undo, enc.redo))
        try:
            call()
        except ck.CombatkitError:
            continue
        log = list(enc._events)
        assert [e.seq for e in backward(log)] == [e.seq for e in reversed(standing(log))]


def usual(enc: ck.Encounter) -> list[str]:
    group: list[str] = Tracker(enc).budget.view["group"]["usual"]["actions"]
    return group


def test_what_somebody_did_last_stands_after_the_usual_once_each() -> None:
    enc = begun("saga")
    plain = usual(enc)
    for action in ("climb", "climb", "holster"):
        enc.do("Mara", action)
        enc.end_turn()
        turn_of(enc, "Mara")
    assert usual(enc) == [*plain, *(id for id in ("holster", "climb") if id not in plain)]
    budget = Tracker(enc).budget.view
    assert budget["action"]["climb"]["cost"] == "Move"
    shown = [id for group in budget["groups"] for id in budget["group"][group]["actions"]]
    assert len(shown) == len(set(shown)), "each stands once"
    enc.undo()
    turn_of(enc, "Ilya")
    assert "climb" not in usual(enc), "it is what this combatant did"


@pytest.mark.parametrize("system", ["saga", "ap", "d6", "phases"])
def test_a_weapon_that_reaches_nobody_does_not_stand_as_if_it_could(system: str) -> None:
    zones = system == "d6"
    enc = ck.Encounter(system, seed=1, map=[("Deck", "Stairs"), ("Stairs", "Hold")] if zones else None)
    reach: dict[str, dict[str, Any]] = {"saga": {"range": "melee"}, "d6": {"range": "melee"}, "ap": {"range": "melee"}}
    bow: dict[str, Any] = {"name": "Bow", "damage": "2D" if zones else "1d6", "range": "long" if zones else 30}
    sword = {"name": "Sword", "damage": bow["damage"], **reach.get(system, {})}
    enc.add("Mara", side="rebels", weapons=[sword, bow], at="Deck" if zones else (0, 0))
    enc.add("Vex", side="empire", at="Hold" if zones else (6, 0))
    enc.start()
    turn_of(enc, "Mara")

    def refused() -> dict[str, bool]:
        budget = Tracker(enc).budget.view
        rows = [budget["action"][key] for key in budget["group"]["attacks"]["actions"]]
        return {row["title"]: "off" in row for row in rows}

    assert refused() == {"Sword": True, "Bow": False}
    enc.place("Vex", at="Deck" if zones else (1, 0))
    assert not refused()["Sword"]


def test_a_spell_begins_with_whom_it_was_announced_for() -> None:
    enc = ck.Encounter("segments", id="yard", seed=3)
    bolt = {"id": "bolt", "title": "Bolt", "tags": ["incantation"], "parameters": ["target", "damage"], "segments": 3}
    enc.add_table("actions", [bolt])
    enc.add("Mara", side="rebels", hp=20)
    enc.add("Vex", side="empire", count=2, hp=20)
    enc.start()
    enc.do("Mara", "declare", spell="bolt")
    while enc.clock.step != 7:
        if any(offer.must for offer in enc.pending):
            enc.do("Mara", "announce_target", target="Vex 2")
        else:
            enc.end_turn()
    asked = {"kind": "choices", "name": "Mara", "action": "bolt", "propose": True}
    (answer,) = hear(Tracker(enc), asked)
    assert answer["given"] == {"target": "Vex 2"}
    assert enc.can("Mara", "bolt", **answer["given"]).allowed
    enc.leave("Vex 2")
    assert "given" not in hear(Tracker(enc), asked)[0], "who has left is proposed no more"
