"""What a fight is called, and its digest: which fights are the same, whatever they are called."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import combatkit as ck
from combatkit.core import timeline
from combatkit.core.model import Event
from tests.conformance.player import play

Call = Callable[[], object]
SYSTEMS = tuple(ruleset.id for ruleset in ck.rulesets())


def fight(system: str = "saga", **more: Any) -> ck.Encounter:
    enc = ck.Encounter(system, seed=7, **more)
    enc.add("Mara", side="rebels")
    enc.add("Vex", side="empire", npc=True)
    enc.start()
    return enc


# ── ids ──


IDS = """
import combatkit as ck, json, pathlib, sys
path = pathlib.Path(sys.argv[1], "friday.combat")
made = [ck.Encounter("saga", seed=7).id for _ in range(3)] + [ck.Encounter("d6").id]
held = ck.Encounter("d6", id="d6-2")
made += [ck.Encounter("d6").id, held.restart().id]
try:
    ck.Encounter("ap", options={"no": 1})
except ck.UnknownName as error:
    kept = error
made += [ck.Encounter("ap", journal=path).id, ck.Encounter("ap", id="ap-2").id, ck.Encounter("ap").id]
ck.simulate(ck.scene("catwalk"), 3, systems="segments", progress=False)
ck.quiz("segments", n=3, seed=1)
made += [ck.Encounter("segments").id, ck.Encounter("segments").id]
print(json.dumps(made))
"""


def test_a_fight_without_an_id_has_the_systems_and_a_number_where_it_is_taken(tmp_path: Path) -> None:
    first, again = (
        json.loads(
            subprocess.run(
                [sys.executable, "-c", IDS, str(tmp_path)],
                capture_output=True,
                check=True,
                cwd=Path(ck.__file__).parents[1],
            ).stdout
        )
        for _ in range(2)
    )
    fights = ["saga", "saga-2", "saga-3", "d6", "d6-3", "d6-4"]
    assert first == [*fights, "ap", "ap-2", "ap-2", "segments", "segments-2"]
    assert again == [*fights, "ap-2", "ap-2", "ap", "segments", "segments-2"], "its journal holds 'ap'"


# ── digests ──


def counted(enc: ck.Encounter) -> str:
    """Give a fight's digest as docs/engine.md says it is made, by nothing but the standard library."""
    text = ""
    for event in enc._events:
        told = msgspec.to_builtins(event)
        if told["kind"] == "encounter":
            told["data"] = {key: value for key, value in told["data"].items() if key not in ("id", "language")}
        fields = ("kind", "actor", "action", "target", "amount", "note", "rules", "by", "data")
        text += json.dumps([told[f] for f in fields], sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"
    text += json.dumps([enc.seed, enc._state.die], separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_same_seed_and_calls_have_the_same_digest_whatever_the_id(system: str, tmp_path: Path) -> None:
    one, other = play(system, 4, 40), play(system, 4, 40, id="another fight by far")
    assert (one.id, one._events[0].data["id"]) != (other.id, other._events[0].data["id"])
    assert one.digest == other.digest == counted(one)
    one.save(tmp_path / "one.fight")
    assert ck.load(tmp_path / "one.fight").digest == other.digest
    assert one.branch(len(one._events)).digest == other.digest
    assert one.at(len(one._events)).digest == other.digest
    assert play(system, 5, 40).digest != other.digest


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_journalled_fight_has_the_digest_of_one_in_memory(system: str, tmp_path: Path) -> None:
    path, there = tmp_path / "friday.combat", fight(system)
    with fight(system, journal=path) as enc:
        assert enc.digest == there.digest
        enc.condition("Mara", "tired", note="a long day")
    there.condition("Mara", "tired", note="a long day")
    with ck.Encounter.open(path) as again:
        assert again.digest == there.digest


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_digest_changes_with_every_accepted_call_and_only_then(system: str) -> None:
    enc = fight(system)
    seen = [enc.digest]
    calls: list[Call] = [
        lambda: enc.condition("Mara", "tired"),
        enc.undo,
        enc.redo,
        lambda: enc.condition("Mara", "wet"),
    ]
    for call in calls:
        call()
        seen.append(enc.digest)
    assert len(set(seen)) == len(seen)
    wrong: list[Call] = [enc.start, lambda: enc.condition("Ghost", "wet"), enc.redo]
    for refused in wrong:
        with pytest.raises(ck.CombatkitError):
            refused()
    assert enc.digest == seen[-1]


EVENT = Event(9, 2, "action", "Mara", "move", "Vex", 3, "moves", "quietly", ("saga.move",), "player", {"cost": "move"})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kind", "answer"),
        ("actor", "Vex"),
        ("action", "climb"),
        ("target", None),
        ("amount", 4),
        ("note", ""),
        ("rules", ()),
        ("by", "gm"),
        ("data", {"cost": "swift"}),
    ],
)
def test_what_the_digest_covers(field: str, value: Any) -> None:
    assert timeline.canonical(msgspec.structs.replace(EVENT, **{field: value})) != timeline.canonical(EVENT)


@pytest.mark.parametrize(("field", "value"), [("seq", 10), ("round", None), ("text", "geht")])
def test_what_it_does_not_cover(field: str, value: Any) -> None:
    assert timeline.canonical(msgspec.structs.replace(EVENT, **{field: value})) == timeline.canonical(EVENT)


def test_of_an_encounter_the_id_is_left_out_and_the_seed_counts() -> None:
    made = Event(1, None, "encounter", data={"id": "docks", "seed": 7})
    for id, seed, same in (("bridge", 7, True), ("docks", 8, False)):
        other = msgspec.structs.replace(made, data={"seed": seed, "id": id})
        assert (timeline.canonical(other) == timeline.canonical(made)) is same
    elsewhere = Event(2, 1, "effect", "Mara", data={"id": "prone"})
    assert timeline.canonical(elsewhere) != timeline.canonical(msgspec.structs.replace(elsewhere, data={"id": "wet"}))


def test_the_dices_number_counts() -> None:
    enc = fight()
    thrown = enc.branch(len(enc._events))
    line = thrown._timeline
    line.now = msgspec.structs.replace(line.now, state=msgspec.structs.replace(line.now.state, die=99))
    assert thrown.digest != enc.digest
