"""Action points: every legal line of a small fight, counted twice.

A line is a sequence of name, action and choices, free actions and notes left out, within one round; between two of
its deeds windows may close and turns may end. The brute force below is written from the ledger: it asks the engine
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

import combatkit as ck
from tests.systems.ap_table import fight

Deed = tuple[str, str, str]
Line = tuple[Deed, ...]
Seen = dict[object, set[Line]]

COUNTS = [38, 1_183, 22_307]
"""So many lines of one, two and three deeds. By hand: 19 deeds are open to either on its own turn, so 38. Of two:
Mara, then anybody, 7 x 38 + 19 + 10 x 42 + 23 = 728; Vex, once Mara has let her turn pass,
7 x 19 + 10 x 31 + 12 = 455."""

AIMED = {
    "primary": ("attack", "precision_strike", "coup_de_grace", "grapple", "bash", "disarm", "feint", "force_movement"),
    "secondary": ("blind_opponent", "trip"),
    "reaction": ("counter_attack",),
}
ALONE = {
    "primary": ("disengage", "defensive_stance"),
    "secondary": ("aim", "cast_magic", "dash", "hide", "ready_weapon"),
    "reaction": ("parry", "evade", "resist"),
}
DOUBLE = {"all_out_attack": "primary", "drink_potion": "secondary"}
"""The two actions that cost 2 AP; the others cost 1. Nobody is prone, so nobody can arise."""

START = {"Mara": 2, "Vex": 2}
ORDER = ("Mara", "Vex")


class Table(NamedTuple):
    """All that matters: whose turn it is, the points, what is begun, and who may still answer a threat."""

    turn: int
    points: tuple[tuple[str, int], ...]
    begun: frozenset[tuple[str, str]] = frozenset()
    answers: str = ""


def other(name: str) -> str:
    return ORDER[1 - ORDER.index(name)]


def spent(table: Table, name: str, points: int) -> tuple[tuple[str, int], ...]:
    return tuple((who, left - points if who == name else left) for who, left in table.points)


def deeds(table: Table) -> Iterator[tuple[Deed, Table]]:
    """Give what can be done now, without closing a window or ending a turn."""
    left = dict(table.points)
    if table.answers:  # an open window: one attempt, by who is aware and has the points; the active one waits
        name = table.answers
        if left[name] >= 1:
            aimed = (*AIMED["secondary"], *AIMED["reaction"])
            for action in (*ALONE["secondary"], *ALONE["reaction"], *aimed):
                target = other(name) if action in aimed else ""
                yield (name, action, target), table._replace(points=spent(table, name, 1), answers="")
        # a reaction is paid whole: the potion wants both points, or what is missing of it
        due = 1 if (name, "drink_potion") in table.begun else 2
        if left[name] >= due:
            after = table._replace(points=spent(table, name, due), answers="")
            yield (name, "drink_potion", ""), after._replace(begun=table.begun - {(name, "drink_potion")})
        return
    name = ORDER[table.turn]
    if left[name] < 1:
        return
    paid = table._replace(points=spent(table, name, 1))
    for action in (*ALONE["primary"], *ALONE["secondary"]):
        yield (name, action, ""), paid
    threat = paid._replace(answers=other(name) if left[other(name)] >= 1 else "")
    for action in (*AIMED["primary"], *AIMED["secondary"]):
        yield (name, action, other(name)), threat
    for action in DOUBLE:
        target = other(name) if action == "all_out_attack" else ""
        due = 1 if (name, action) in table.begun else 2
        pays = min(due, left[name])
        after = table._replace(points=spent(table, name, pays), begun=table.begun - {(name, action)})
        if pays < due:
            after = after._replace(begun=table.begun | {(name, action)})
        elif target and left[target] >= 1:  # it threatens only when it is paid in full
            after = after._replace(answers=target)
        yield (name, action, target), after


def lines(table: Table, depth: int) -> set[Line]:
    """Give every line of so many deeds from here, however windows are closed and turns ended between them."""
    if depth == 0:
        return {()}
    found = {(deed, *rest) for deed, after in deeds(table) for rest in lines(after, depth - 1)}
    if table.answers:
        return found | lines(table._replace(answers=""), depth)
    return found | lines(table._replace(turn=1), depth) if table.turn == 0 else found


def played(enc: ck.Encounter, depth: int, seen: Seen | None = None) -> set[Line]:
    """Give every line that the engine's own `options` and `choices` offer, each deed done and taken back.

    With `seen`, positions that look the same in every view are played on from once.
    """
    if depth == 0:
        return {()}
    place = (depth, enc.active, enc.pending and enc.pending[0].actions, *((enc.budget(n), str(enc[n])) for n in ORDER))
    if seen is not None and place in seen:
        return seen[place]
    found: set[Line] = set()
    for name in ORDER:
        for option in enc.options(name):
            if not option.allowed or option.cost == "Free":
                continue
            targets = [""]
            if "target" in option.needs:
                wanted = [c for c in enc.choices(name, option.action) if c.param == "target"]
                targets = [c.value for c in wanted if c.ruling.allowed]
            for target in targets:
                enc.do(name, option.action, target=target or None)
                found |= {((name, option.action, target), *rest) for rest in played(enc, depth - 1, seen)}
                enc.undo()
    if enc.pending or enc.active == ORDER[0]:
        enc.resolve() if enc.pending else enc.end_turn()
        found |= played(enc, depth, seen)
        enc.undo()
    if seen is not None:
        seen[place] = found
    return found


def small() -> ck.Encounter:
    return fight({"Mara": 14, "Vex": 12}, Mara={"ap": 2}, Vex={"ap": 2})


START_TABLE = Table(0, tuple(START.items()))


@pytest.mark.parametrize(("depth", "seen"), [(1, None), (2, None), (3, {})])
def test_the_engine_plays_the_lines_of_the_ledger(depth: int, seen: Seen | None) -> None:
    by_ledger, by_engine = lines(START_TABLE, depth), played(small(), depth, seen)
    assert by_engine == by_ledger
    assert len(by_engine) == COUNTS[depth - 1]
