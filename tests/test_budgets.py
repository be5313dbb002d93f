"""No message, at its limits, makes endless work or a long answer; and whatever a message is, nothing breaks.

The fuzzer has a long form, in a soak.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from ipywidgets import Widget  # type: ignore[import-untyped]

import combatkit as ck
from combatkit.core import limits
from combatkit.widgets._base import ViewWidget
from combatkit.widgets._intents import KINDS
from tests import soaking
from tests.conformance.player import some
from tests.counting import calls

ROOT = Path(ck.__file__).parents[1]
SYSTEMS = tuple(ruleset.id for ruleset in ck.rulesets())
CALLS = {200: 2_050_000, limits.COMBATANTS: 4_050_000}
"""So many function calls a message makes at most, by how many combatants there are: where two hundred cause one event,
each of a thousand is asked about each of them."""
ON_A_BOARD = {"area", "far", "map", "map_look", "picture", "spot", "way"}
"""What is told of a map, which a fight of d6 without zones has not."""
SENT = 64_000
VIEW = 400_000
MADE_UP = 1_000_000
"""So many function calls a message makes at most in a fight of two."""

Record = Callable[[str, object], None]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "combatants"),
    [("ap", 200), *(pytest.param(system, limits.COMBATANTS, marks=pytest.mark.long) for system in SYSTEMS)],
)
def test_each_kind_of_message_at_its_limits_is_within_its_budget(
    system: str, combatants: int, record_property: Record
) -> None:
    command = [sys.executable, "-m", "tests.budgets", system, str(combatants)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    told = [json.loads(line) for line in done.stdout.splitlines()]
    for each in told:
        assert each["calls"] <= CALLS[combatants], each
        assert each["answer"] <= SENT, each
        assert each["view"] <= VIEW, each
        assert not each["refused"].startswith("This could not be done"), each
    accepted = {each["kind"] for each in told if not each["refused"]}
    wanted = set(KINDS) - (ON_A_BOARD if system == "d6" else set())
    assert accepted == wanted | {"full", "static", "alone"}, "each kind was accepted at least once"
    most = max(told, key=lambda each: each["calls"])
    words = f"{len(told)} messages at their limits, {most['calls']:,} function calls the most ({most['kind']})"
    record_property("told", f"budgets: {system} {words}")


# ── one more than each limit ──


def fight() -> ck.Encounter:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Vex", side="empire")
    enc.start()
    return enc


def test_as_many_faces_as_one_call_takes_are_looked_at() -> None:
    with pytest.raises(ck.InvalidInput, match="takes no dice"):
        fight().end_turn(rolls=[1] * limits.FACES)


OVER: dict[str, tuple[Callable[[ck.Encounter], object], str]] = {
    "note": (lambda e: e.condition("Mara", "wet", note="n" * (limits.NOTE + 1)), "at most 2,000 characters"),
    "words": (lambda e: e.trigger(text="w" * (limits.WORDS + 1)), "at most 500 characters"),
    "doers": (lambda e: e.trigger(*["Mara"] * (limits.DOERS + 1)), "at most 100, or none"),
    "names": (lambda e: e.adjust(["Mara"] * (limits.NAMES + 1)), "more than 1,000 names"),
    "faces": (lambda e: e.end_turn(rolls=[1] * (limits.FACES + 1)), "at most 1,000"),
    "modifiers": (lambda e: e.condition("Mara", "wet", modifiers={f"m{n}": 1 for n in range(33)}), "up to 32"),
    "value": (lambda e: e.condition("Mara", "wet", value="v" * limits.VALUE), "give at most 4,000"),
    "depth": (lambda e: e.condition("Mara", "wet", value=[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]), "more than 16 deep"),
    "added": (lambda e: e.join("Guard", side="empire", count=limits.ADDED + 1), "from 1 to 100"),
    "conditions": (
        lambda e: e.join("Guard", side="empire", conditions=[f"c{n}" for n in range(limits.CONDITIONS + 1)]),
        "65 conditions given",
    ),
    "rows": (
        lambda e: e.add_table("scene", [{"id": f"r{n}"} for n in range(limits.ROWS + 1)]),
        "the tables of a fight hold 500",
    ),
}


@pytest.mark.parametrize("what", OVER)
def test_one_more_than_a_limit_is_refused_in_plain_words(what: str) -> None:
    enc = fight()
    call, words = OVER[what]
    before, state = enc.digest, enc._state
    with pytest.raises(ck.InvalidInput) as caught:
        call(enc)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 400
    assert (enc.digest, enc._state) == (before, state)


def test_a_fight_is_full_some_time() -> None:
    enc = ck.Encounter("saga", seed=7)
    for number in range(limits.COMBATANTS // limits.ADDED):
        enc.add(f"Guard {number}", side="empire", count=limits.ADDED)
    with pytest.raises(ck.InvalidInput, match="at most 1,000 combatants; it has 1,000"):
        enc.add("Mara", side="rebels")
    sides = ck.Encounter("saga", seed=7)
    for number in range(limits.SIDES):
        sides.add(f"Guard {number}", side=f"side {number}")
    with pytest.raises(ck.InvalidInput, match="at most 100 sides"):
        sides.add("Mara", side="rebels")
    assert sides.add("Mara", side="side 7")


def test_nobody_has_more_than_so_many_conditions() -> None:
    enc = fight()
    for number in range(limits.CONDITIONS):
        enc.condition("Mara", f"c{number}")
    with pytest.raises(ck.InvalidInput, match="nobody can have more than 64"):
        enc.condition("Mara", "one more")
    assert enc.condition("Mara", "c7"), "one that holds is renewed"


@pytest.mark.parametrize("what", ["combatant", "action", "vital"])
def test_an_unknown_name_is_not_echoed_whole(what: str) -> None:
    enc, name = fight(), "z" * 36_000
    calls: dict[str, Callable[[], object]] = {
        "combatant": lambda: enc.do(name, "attack"),
        "action": lambda: enc.do("Mara", name),
        "vital": lambda: enc.adjust("Mara", vital=name),
    }
    with pytest.raises(ck.UnknownName) as caught:
        calls[what]()
    assert len(str(caught.value)) < 600


# ── any message at all ──

JUNK: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    3.5,
    2**70,
    "",
    "Mara",
    "Vex",
    "GM",
    "attack",
    "ready",
    "x" * 3_000,
    "\x00\u202e<script>",
    [],
    {},
    ["Mara", "Vex"],
    [1, 2],
    [10**9, -(10**9)],
    [[[[[[]]]]]],
    {"attack": [1, 20], "damage": 5},
    {"action": "attack", "trigger": "now"},
    {"target": "Vex"},
    {"to": [0, 1]},
)
FIELDS = ("name", "params", "rolls", "note", "to", "by", "value", "at", "count", "seed", "from", "text", "id", "fields")


def made_up(rng: Random, enc: ck.Encounter) -> dict[str, Any]:
    """Give a message: of a known kind with the fields it takes, some of them sensible, or of none."""
    kind = some(rng, [*KINDS, "full", "static", "alone", "nothing", 7])
    message: dict[str, Any] = {"kind": kind}
    known = KINDS.get(kind) if isinstance(kind, str) else None
    own = known.__struct_encode_fields__ if known is not None else ()
    for field in own:
        if rng.randrange(4):
            message[field] = sensible(rng, enc, field) if rng.randrange(3) else some(rng, JUNK)
    if not rng.randrange(6):
        message[some(rng, FIELDS)] = some(rng, JUNK)
    return message


def sensible(rng: Random, enc: ck.Encounter, field: str) -> Any:
    """Give what a field might well hold."""
    actions = enc.ruleset.catalogue(enc._state).ids()
    match field:
        case "name" | "names" | "target" | "before" | "after":
            return some(rng, [*enc.names, "Eve"])
        case "action":
            return some(rng, actions)
        case "params":
            return some(
                rng, [{}, {"target": some(rng, ["Mara", "Vex"])}, {"to": [0, 1]}, {"action": some(rng, actions)}]
            )
        case "seq" | "to" | "from":
            return rng.randrange(1, len(enc._events) + 2)
        case "by":
            return some(rng, [-1, ["Mara"]])
        case "condition":
            return some(rng, ["prone", "stunned", "own"])
        case "side" | "text" | "note":
            return some(rng, ["rebels", "empire"])
        case "ruleset":
            return some(rng, SYSTEMS)
        case "count" | "rounds":
            return rng.randrange(-1, 3)
    return some(rng, JUNK)


@pytest.mark.parametrize("fuzzed", [200, pytest.param(1_000, marks=[pytest.mark.long, pytest.mark.soak])])
@pytest.mark.parametrize("system", SYSTEMS)
def test_whatever_a_message_is_nothing_breaks(
    system: str, fuzzed: int, monkeypatch: pytest.MonkeyPatch, record_property: Record, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)  # journals are named
    sent: list[Any] = []
    monkeypatch.setattr(ViewWidget, "send", lambda _, content: sent.append(content))
    monkeypatch.setattr(ViewWidget, "_shown", True)
    told = refused = fights = 0
    for fights in soaking.rounds(fuzzed // 100, 0.13):
        rng = Random(f"{system} {fights}")
        enc = ck.Encounter(system, id="fuzz", seed=rng.getrandbits(64))
        enc.add("Mara", side="rebels")
        enc.add("Vex", side="empire", npc=True)
        if rng.randrange(4):
            enc.start()
        views = [ck.Tracker(enc, view=view) for view in ("gm", "players")]
        for _ in range(100):
            tracker = some(rng, views)
            message = made_up(rng, tracker.encounter)
            told += 1
            refused += heard(tracker, message, sent)
        Widget.close_all()  # the layouts, too, that a closed widget leaves: else looking for garbage takes ever longer
    record_property("told", f"fuzzed: {system} {told:,} messages in {fights + 1} fights, {refused:,} refused")


def heard(tracker: ck.Tracker, message: dict[str, Any], sent: list[Any]) -> bool:
    """Send a message; say whether it was refused, and then has changed nothing."""
    enc = tracker.encounter
    before, state = enc.digest, enc._state
    sent.clear()
    took = calls(lambda: tracker._hear(None, message, []))
    assert took <= MADE_UP, (message, took)
    answers = [content for content in sent if content["kind"] not in ("delta", "full")]
    for content in answers:
        assert len(json.dumps(content, ensure_ascii=False).encode()) <= SENT, message
        assert not str(content.get("reason", "")).startswith("This could not be done"), (message, content)
    if not any(content["kind"] == "refused" for content in answers):
        return False
    assert tracker.encounter is enc, message
    assert (enc.digest, enc._state) == (before, state), message
    return True
