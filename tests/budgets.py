"""What each kind of message costs at its limits, in a process of its own: `python -m tests.budgets SYSTEM COMBATANTS`.

It prints a line of JSON for each message: its kind, whether it was refused, function calls it took, bytes of the
answer, and bytes of the largest view after it. Seconds and memory are for `python -m benchmarks limits` to tell.
"""

from __future__ import annotations

import json
import os
import sys
from base64 import b64encode
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

from PIL import Image

import combatkit as ck
from combatkit.core import limits
from combatkit.share.seats import SEATS
from combatkit.widgets._base import ViewWidget
from combatkit.widgets._intents import KINDS
from combatkit.widgets._map_view import look_of
from combatkit.widgets._table import Request, table_of
from tests.counting import calls

LONG = "ä" * (limits.NAME - 8)
"""Ends the names of one group, so that long ones are measured too."""
PIECE = 11_000
"""So many bytes of a file fit into a message."""
GROUND = {"saga": 5, "d6": 4, "ap": 2, "segments": 7, "phases": 11}
"""So often the ground of one in a crowd asks the rules, besides once for each enemy who may attack: of each move, what
is nearest and what is farthest away."""
SEED = 1
"""One with which each kind of message is accepted at least once in every system."""
CONDITIONS = [f"condition {n}" for n in range(6)]
Message = dict[str, Any]


def name(group: int, number: int) -> str:
    """Give a combatant's name."""
    return f"G{group}{LONG if group == 1 else ''} {number}"


def grouped(number: int) -> str:
    """Give the name of a group."""
    return name(number, 0).removesuffix(" 0")


def group(number: int, system: str, **more: Any) -> Message:
    """Give the message that brings a hundred."""
    at = {"saga": [number, 0], "segments": [number, 0], "ap": [number, 0], "phases": [number, 0], "d6": "the bridge"}
    whole = {"name": grouped(number), "side": f"side {number % 7}", "count": limits.ADDED, "at": at.get(system)}
    return {**whole, "conditions": CONDITIONS, **more}


class Waiting:
    """A full room of seats that wait for the GM's word."""

    def __init__(self) -> None:
        self.listed = tuple(Request(number, f"{number} {LONG}", "w" * 200) for number in range(SEATS))

    @property
    def failed(self) -> tuple[Request, ...]:
        return ()

    def settle(self, number: int, yes: bool) -> None:
        self.listed = tuple(each for each in self.listed if each.number != number)

    def fail(self, seat: str, words: str) -> None:
        raise AssertionError(f"{seat}: {words}")


class Table:
    """A tracker whose messages are measured, one after the other; so many combatants come to its fight."""

    def __init__(self, system: str, combatants: int = limits.COMBATANTS) -> None:
        self.system = system
        self.groups = combatants // limits.ADDED
        self.folder = TemporaryDirectory()
        self.tracker = ck.Tracker(ck.Encounter(system), shelf=self.folder.name)
        self.sent: list[Any] = []

    @property
    def enc(self) -> ck.Encounter:
        """The fight, as it is now."""
        return self.tracker.encounter

    def names(self, most: int = limits.NAMES) -> list[str]:
        """Give so many names as fit into a message."""
        return [n for n in self.enc.names if LONG not in n][:most]

    def hear(self, message: Message) -> None:
        """Send a message, and keep what is answered."""
        self.sent.clear()
        self.tracker._hear(None, message, [])

    def tell(self, message: Message) -> dict[str, Any]:
        """Send a message, and count what it costs."""
        took = calls(lambda: self.hear(message))
        parts = (self.tracker, self.tracker.ladder, self.tracker.budget, self.tracker.log)
        answers = [content for content in self.sent if content.get("kind") not in ("delta", "full")]
        return {
            "kind": message["kind"],
            "refused": next((c["reason"] for c in answers if c.get("kind") == "refused"), ""),
            "calls": took,
            "answer": max([_bytes(content) for content in answers], default=0),
            "view": max(_bytes(part.view) for part in parts),
        }


def _bytes(content: Any) -> int:
    """Count bytes as a kernel sends them."""
    return len(json.dumps(content, ensure_ascii=False).encode())


def messages(table: Table) -> Iterator[Message]:
    """Give messages at their limits, in an order in which most of them are accepted."""
    system = table.system
    words, note = "w" * limits.WORDS, "n" * limits.NOTE
    other = ck.Tracker()  # a cell that is run again, in place of a fight that is given
    other.encounter.add("Mara", side="rebels")
    table.tracker._vantage.begin()
    yield {"kind": "go_on", "fight": next(iter(table.tracker._vantage.earlier))}
    yield {"kind": "leave", "name": "Mara"}
    yield {"kind": "ruleset", "ruleset": system}
    yield from from_the_shelf(table)
    yield {"kind": "anew", "options": dict(table.enc._state.options), "seed": str(2**64 - 1)}
    yield {"kind": "settings"}
    yield {"kind": "timer", "on": False}
    yield {"kind": "title", "title": "The docks"}
    yield {"kind": "restart", "seed": SEED}
    cost = {"ap": {"type": "primary", "cost": 1}}.get(system, {"cost": next(iter(table.enc.ruleset.actions)).cost})
    actions = [{"id": f"own_{n}", "title": f"Own {n} {'x' * 40}", **cost} for n in range(120)]
    yield {"kind": "add_table", "table": "actions", "source": actions}
    yield {"kind": "add", **group(0, system, conditions=[f"c{n}" for n in range(limits.CONDITIONS)], count=10)}
    yield {"kind": "leave", "name": name(0, 1)}
    yield {"kind": "undo"}
    yield {"kind": "undo"}
    for number in range(table.groups - 1):
        yield {"kind": "add", **group(number, system, npc=number % 2 == 1)}
    yield {"kind": "another", "name": name(0, 1)}
    yield {"kind": "undo"}
    yield {"kind": "sheet", "name": name(0, 1), "called": "z" * limits.NAME, "side": "z" * limits.NAME}
    yield {"kind": "undo"}
    yield {"kind": "dice", "mode": "table"}
    yield {"kind": "choices", "name": None, "action": "start"}
    yield {"kind": "dice", "mode": "seeded"}
    yield {"kind": "start", "surprised": table.names()[::3]}
    if table.enc.clock.round is None:  # a ruleset without surprise
        yield {"kind": "start"}
    yield {"kind": "static"}
    yield {"kind": "full"}
    yield {"kind": "alone"}
    yield {"kind": "map"}
    yield {"kind": "join", **group(table.groups - 1, system, npc=True, shown_as="a hooded stranger")}
    yield from in_play(table, words, note)
    rule = next(iter(table.enc.ruleset.rules)).id
    yield {"kind": "rule", "rule": rule}
    yield {"kind": "rule", "rule": "r" * 15_000}
    yield {"kind": "card", "name": name(1, 7)}
    yield {"kind": "card", "name": table.names()[0]}
    yield {"kind": "deal", "names": table.names(), "amount": 3, "half": table.names()}
    yield {"kind": "log", "from": 1, "to": 10**9}
    yield {"kind": "look", "name": name(1, 7)}
    for what in ("page", "log", "roster", "copy"):
        for part in range(4):
            yield {"kind": "download", "what": what, "part": part}
    events = len(table.enc._events)
    yield {"kind": "at", "seq": events // 2}
    whose = {"name": table.names()[0], "action": "attack", "target": table.names()[-1], "words": "w" * limits.WORDS}
    for what in ("question", "exercise"):
        yield {"kind": "moment", "what": what}
        yield {"kind": "moment", "what": what, **whose}
    yield {"kind": "at", "seq": events, "rounds": -1}
    yield {"kind": "at", "seq": None}
    yield {"kind": "branch", "seq": events}
    yield {"kind": "switch", "branch": table.tracker._vantage._home.id}
    yield {"kind": "undo", "to": events // 2}
    yield {"kind": "redo", "to": events}
    yield {"kind": "journal", "name": "evening"}
    yield {"kind": "fight", "fight": table.enc.id}
    yield {"kind": "finish"}
    yield {"kind": "restart"}


def from_the_shelf(table: Table) -> Iterator[Message]:
    """Give what fills a fight, and leaves it as empty as it was."""
    side = ck.scene("catwalk").participants[0].side
    yield {"kind": "scene", "scene": "catwalk"}
    yield {"kind": "keep", "name": "k" * 80, "side": side}
    yield {"kind": "clear", "side": side}
    yield from ({"kind": "leave", "name": each} for each in table.enc.names)
    for text in ("", "a", "w " * 7_000):
        yield {"kind": "shelf", "text": text}
    (most,) = {path.name for path in Path(table.folder.name).iterdir()}
    creature = next(ck.Shelf().search("", system=table.system).iter_rows(named=True))["name"]
    for take in ({"name": creature, "source": "kit", "side": "wild", "count": limits.ADDED}, {"source": most}):
        yield {"kind": "take", **take}
        yield {"kind": "undo"}
    yield {"kind": "take", "name": "x" * 8_000, "source": "y" * 8_000, "side": "wild"}
    yield from dropped("wall.csv", wall())
    yield {"kind": "bring", "rows": [{"row": row, "side": "law"} for row in range(limits.ADDED * table.groups // 4)]}
    yield {"kind": "undo"}
    yield from dropped("deep.json", b"[" * limits.FILE)
    yield from dropped("wall.xml", b"<a>" * 340_000)
    yield from dropped("evening.combat", evening(table))
    yield {"kind": "open", "leave": True}


def dropped(name: str, content: bytes, kind: str = "file") -> Iterator[Message]:
    """Give the messages in which a file comes."""
    for at in range(0, len(content), PIECE):
        data = b64encode(content[at : at + PIECE]).decode()
        yield {"kind": kind, "name": name, "size": len(content), "at": at, "data": data}


def below_the_map(table: Table) -> Iterator[Message]:
    """Give the messages in which a picture comes below the map, is laid, asked for and taken away."""
    out = BytesIO()
    Image.frombytes("L", (400, 400), Random(7).randbytes(160_000)).save(out, "PNG")
    yield from dropped(f"{'p' * (limits.NAME - 4)}.png", out.getvalue(), "map_file")
    yield {"kind": "map_look", "square": 48, "at": [-3_000, 3_000], "shown": True}
    look = look_of(table.tracker._vantage)
    yield {"kind": "picture", "picture": look.sha[:16] if look is not None else "none"}
    yield {"kind": "map_look", "off": True}


def evening(table: Table) -> bytes:
    """Give a saved fight as large as a file may be, with room for another message's worth of events."""
    fight, path = ck.Encounter(table.system), Path(table.folder.name).with_suffix(".combat")
    whole = b""
    for number in range(table.groups):
        fight.add(f"N{number}", side="law", count=limits.ADDED)
        fight.save(path)
        more = path.read_bytes()
        path.unlink()
        if len(more) > limits.FILE:
            break
        whole = more
    return whole


def wall() -> bytes:
    """Give a roster as large as a file may be."""
    lines = b"".join(b"Guard %d,%s,law\n" % (number, b"g" * 60) for number in range(10_000))
    whole = (b"name,group,side\n" + lines)[: limits.FILE]
    return whole[: whole.rindex(b"\n") + 1]


def in_play(table: Table, words: str, note: str) -> Iterator[Message]:
    """Give what is said while the fight goes on."""
    enc, everybody = table.enc, table.names()
    catalogue = list(enc.ruleset.catalogue(enc._state))
    attacks = [a.id for a in catalogue if "attack" in a.tags and "target" in a.takes][:3]

    def let_go() -> Iterator[Message]:
        yield from ({"kind": "pass", "name": offer.who} for offer in enc.pending[:1] if offer.who != "GM")

    yield {"kind": "next_round"}
    for keep in [a.id for a in catalogue if a.id in ("ready", "hold")]:
        kept = {"action": attacks[0], "trigger": words}
        yield {"kind": "do", "name": enc.active or everybody[5], "action": keep, "params": kept}
    for one, spot in ((everybody[0], [40, 40]), (everybody[150], [41, 40])):  # nobody fights in a square they share
        yield {"kind": "place", "name": one, "at": "the quay" if table.system == "d6" else spot}
    yield {"kind": "trigger", "by": everybody[:1], "text": words}
    yield from let_go()
    yield {"kind": "resolve"}
    yield {"kind": "trigger", "by": everybody[:1], "text": words}
    yield {"kind": "resolve", "note": note}
    yield {"kind": "trigger", "by": everybody[: limits.DOERS], "to": everybody[limits.DOERS :]}
    yield from let_go()
    yield {"kind": "resolve"}
    yield {"kind": "end_turn", "rolls": [1] * limits.FACES}
    yield {"kind": "end_turn"}
    acting = enc.active or everybody[5]
    numbers = {f"m{n}": 1 for n in range(limits.MODIFIERS)}
    path = [["the bridge", "the quay"][n % 2] if table.system == "d6" else [n % 2, 0] for n in range(limits.PATH)]
    yield {"kind": "place", "name": acting, "at": "the quay" if table.system == "d6" else [44, 44]}
    for to in ("the bridge",) if table.system == "d6" else ([3, 0], [900, 5], [10**9, 7], everybody[-1]):
        yield {"kind": "way", "name": acting, "to": to}
        yield {"kind": "far", "start": [-3_000, 3_000], "end": [3_000, -3_000]}
        yield {"kind": "threats"}
    yield {"kind": "way", "name": acting, "stops": path}
    yield {"kind": "spot", "name": acting, "to": everybody[-1], "beside": True}
    far = {} if table.system == "d6" else {"towards": [0, 44]}
    for shape in ("circle", "cone", "line"):
        yield {"kind": "area", "shape": shape, "at": acting, "size": 60 * enc.board.length, **far}
    for at, to in (([10**9, 0], [3, 0]), ([0, 0], [10**9, 7])):  # refused in words where places are names
        for shape in ("circle", "cone", "line"):
            yield {"kind": "area", "shape": shape, "at": at, "towards": to, "size": 60 * enc.board.length}
        yield {"kind": "far", "start": at, "end": to}
    for action in catalogue[:60]:
        yield {"kind": "choices", "name": acting, "action": action.id, "params": {}}
        taken = action.takes
        if "target" in taken:
            yield {"kind": "choices", "name": acting, "action": action.id, "params": {"target": everybody}}
    for attack in attacks:
        yield {"kind": "do", "name": acting, "action": attack, "params": {"target": everybody}, "note": note}
        params = {"target": everybody[:3], "modifiers": numbers, "damage": "1000d1000"}
        yield {"kind": "do", "name": acting, "action": attack, "params": params, "override": True}
        yield {"kind": "resolve"}
    for move in [a.id for a in catalogue if "movement" in a.tags and "to" in a.takes][:3]:
        yield {"kind": "do", "name": acting, "action": move, "params": {"to": path}}
        yield {"kind": "do", "name": acting, "action": move, "params": {"to": path}, "override": True}
        yield from let_go()
        yield {"kind": "resolve"}
    yield {"kind": "do", "name": acting, "action": "ready", "params": {"action": attacks[0], "trigger": words}}
    yield {"kind": "reveal", "name": grouped(table.groups - 1)}
    yield {"kind": "set", "names": everybody, "amount": 2}  # so that it is the damage that all of them fall by
    yield {"kind": "adjust", "names": everybody, "by": -1, "note": note}
    weapons = [{"name": f"{number}{'w' * 60}", "damage": "1000d1000"} for number in range(140)]
    yield {"kind": "edit", "name": everybody[0], "weapons": weapons, "portrait": "M"}
    named = [{"name": f"{number}{'w' * 90}"} for number in range(140)]  # where damage is of another kind, or none
    yield {"kind": "edit", "name": everybody[0], "weapons": named, "portrait": "M"}
    for call in ("damage", "heal"):
        yield {"kind": call, "names": everybody, "half": everybody, "amount": "1000d1000", "note": note}
    yield {"kind": "set", "names": everybody, "amount": 1}
    yield {"kind": "temporary", "names": everybody, "amount": 1, "note": note}
    for number in range(3):
        known = enc.ruleset.numbers(enc._state, enc._state.fighters[everybody[0]])[: limits.MODIFIERS]
        rest = {"modifiers": dict.fromkeys(known, 1), "value": ["v" * 3_900], "until": "end of round", "note": note}
        yield {"kind": "condition", "name": everybody[0], "condition": f"{number}{'c' * 99}", **rest}
    yield {"kind": "place", "name": everybody[3], "after": everybody[-1], "note": note}
    yield {"kind": "place", "name": everybody[3], "at": "a" * limits.NAME}
    yield from below_the_map(table)
    yield {"kind": "leave", "name": everybody[7]}
    table_of(enc).requests = Waiting()
    table_of(enc).look_again()
    yield {"kind": "confirm", "number": 0}
    yield {"kind": "decline", "number": 1}
    yield {"kind": "do", "name": "x" * 16_000, "action": "attack"}
    yield {"kind": "do", "name": everybody[0], "action": "y" * 16_000}


def set_up(system: str, combatants: int) -> Table:
    """Give a table in a folder of its own, whose answers are kept."""
    os.chdir(mkdtemp())
    ViewWidget._shown = True
    table = Table(system, combatants)
    ViewWidget.send = lambda _, content, buffers=None: table.sent.append(content)  # noqa: ARG005
    return table


def main(system: str, combatants: int) -> None:
    """Send them all, and print what each cost."""
    table = set_up(system, combatants)
    kinds = set()
    for message in messages(table):
        kinds.add(message["kind"])
        sys.stdout.write(json.dumps(table.tell(message)) + "\n")
        sys.stdout.flush()
    assert set(KINDS) <= kinds, f"never sent: {set(KINDS) - kinds}"


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
