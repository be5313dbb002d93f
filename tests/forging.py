"""Saved copies that somebody changed who knows how checksums are reckoned, and all the looks at what is loaded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec

import combatkit as ck
from combatkit.journal.copies import Line
from combatkit.journal.rows import ROOT, mark_of, values

Steps = list[dict[str, Any]]

WRONG: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 10**9, -(10**9), 2**62, 2**70, 1.5, 1e308, "", "x", "Ada", "GM", "\0", "a" * 5000,
    [], [1], ["x"], [[]], [None], {}, {"x": 1}, {"": None}, {"id": []}, [[[[[[[[[[1]]]]]]]]]],
    [["x", 1]], {"x": {"y": []}},
)  # fmt: skip
"""What a value may be made."""


def read(path: Path) -> tuple[Any, Steps]:
    """Give a copy's heading and its steps."""
    first, *rest = path.read_bytes().splitlines()
    return json.loads(first), [json.loads(line) for line in rest]


def write(path: Path, heading: Any, steps: Steps) -> None:
    """Write a copy with right checksums, as far as what it holds is of types that have one."""
    mark = ROOT
    lines = [msgspec.json.encode(heading)]
    for step in steps:
        try:
            line = msgspec.convert({**step, "mark": ""}, Line)
            mark = mark_of(mark, values((len(line.events), line.parent, line.depth, line.tip, line.title), line.events))
        except (msgspec.MsgspecError, OverflowError, TypeError, RecursionError):
            pass
        lines.append(msgspec.json.encode({**step, "mark": mark.hex()}))
    path.write_bytes(b"\n".join(lines) + b"\n")


def places(value: Any, most: int = 6) -> Iterator[tuple[Any, Any]]:
    """Give every place in plain data, by what holds it and where."""
    if not most:
        return
    if not isinstance(value, (dict, list)):
        return
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from places(value[key], most - 1)


def changed(rng: Random, heading: Any, steps: Steps) -> None:
    """Change one to three things in a copy."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        step = rng.choice(steps) if rng.randrange(12) else heading
        found = list(places(step["events"] if "events" in step and rng.randrange(8) else step))
        if not found:
            continue
        holder, key = rng.choice(found)
        match rng.randrange(6):
            case 0:
                del holder[key]
            case 1:
                other_holder, other = rng.choice(found)
                if key in holder if isinstance(holder, dict) else key < len(holder):
                    holder[key] = json.loads(json.dumps(other_holder[other]))
            case _:
                holder[key] = rng.choice(WRONG)


def show(enc: ck.Encounter) -> None:
    """Look at all there is to see of a fight, its past too."""
    length = len(enc._events)
    for seq in {1, length, *range(1, length, max(1, length // 4))}:
        look(enc.at(seq))
    look(enc)
    assert enc.log().markdown and enc.log().html  # noqa: PT018
    enc._repr_mimebundle_()
    for frame in ("events", "rolls", "turns", "rounds", "budgets"):
        getattr(enc.history, frame)
    enc.summary()
    for event in enc._events:
        enc.explain(event.seq)
    for call in (enc.undo, enc.redo):
        try:
            call()
        except (ck.IllegalAction, ck.InvalidInput):
            continue
        look(enc)


def look(enc: Any) -> None:
    """Look at a moment."""
    repr(enc)
    repr((enc.order, enc.clock, enc.pending, enc.active, enc.digest))
    for name in enc.names:
        enc[name]
        enc.budget(name)
        for option in enc.options(name):
            if option.needs and option.action in ("attack", "move", "strike"):
                enc.choices(name, option.action)


def play_on(enc: ck.Encounter, rng: Random) -> None:
    """Do what may be done without more being said, a few turns long."""
    for _ in range(4):
        for name in enc.names:
            for option in enc.options(name):
                if option.allowed and not option.needs and not rng.randrange(4):
                    with suppress(ck.IllegalAction, ck.InvalidInput):
                        enc.do(name, option.action)
        with suppress(ck.IllegalAction, ck.InvalidInput):
            (enc.resolve if enc.pending else enc.end_turn)()
