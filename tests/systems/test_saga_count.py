"""Saga: every legal line of a small fight, counted twice.

A line is a sequence of name, action and choices, free actions and notes left out (a delay is none: it is the turn put
off), within one round; between two of its deeds windows may close and turns may end. Mara (20) acts before Vex (15);
what is readied waits for "anything". The brute force below is written from the ledger: it asks the engine nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import combatkit as ck
from tests.systems.table import fight

Deed = tuple[str, str, str]
Line = tuple[Deed, ...]
Seen = dict[object, set[Line]]

COUNTS = [60, 1_496, 20_836]
"""So many lines of one, two and three deeds. By hand: 30 deeds are open to either on its own turn (4 standard actions
and 14 to ready, 5 moves, 2 swift, 4 full-round, the delay), so 60 of one. Of two, within one turn: 18 x 7 after a
standard action, 5 x 25 after a move, 2 x 23 after a swift one, so 297; for Vex, who may also delay and act, 298. Mara,
then Vex: 29 x 30; Mara delays, then Vex, or she steps in: 31. All of it: 297 + 298 + 870 + 31 = 1496."""

STANDARD = ("attack", "aid_another", "use_skill", "force_power")
MOVE = ("move", "climb", "draw_weapon", "holster", "open_or_close_door")
SWIFT = ("second_wind", "talent_or_power")
FULL = ("full_attack", "charge", "run", "full_round_skill")
FREE = ("speak", "drop_item", "free_action")
AIMED = ("attack", "full_attack", "charge")
READIED = (*STANDARD, *MOVE, *SWIFT, *FREE)
"""What may be readied: less than a turn, and not another wait. Nobody is prone, so nobody can stand up, or use that;
nor does anybody concentrate."""

ORDER = ("Mara", "Vex")


class One(NamedTuple):
    """What is left to somebody in this round."""

    score: int
    standard: bool = True
    move: bool = True
    swift: bool = True
    reaction: bool = True
    ready: str = ""
    acted: bool = False
    waits: bool = False


class Table(NamedTuple):
    """All that matters: whose turn it is, whether it has done anything in it, and who may use what it has readied."""

    who: tuple[One, One]
    turn: int | None = 0
    begun: bool = False
    answers: int | None = None

    def having(self, index: int, **changes: object) -> Table:
        who = list(self.who)
        who[index] = who[index]._replace(**changes)  # type: ignore[arg-type]
        return self._replace(who=(who[0], who[1]))

    def next_turn(self) -> Table:
        """The highest count that has not acted and does not wait; nobody, while delayers may still step in."""
        left = [i for i in (0, 1) if not self.who[i].acted and not self.who[i].waits]
        return self._replace(turn=max(left, key=lambda i: (self.who[i].score, -i), default=None), begun=False)


def deeds(table: Table) -> Iterator[tuple[Deed, Table]]:
    """Give what can be done now, without closing a window or ending a turn."""
    if table.answers is not None:  # saga.ready.optional, saga.ready.uses-reaction; what waits goes on afterwards
        index = table.answers
        target = ORDER[1 - index] if table.who[index].ready in AIMED else ""
        yield (
            (ORDER[index], "use_readied", target),
            table.having(index, ready="", reaction=False)._replace(answers=None),
        )
        return
    for index in (0, 1):
        yield from stepping_in(table, index)
    if table.turn is not None:
        yield from own_turn(table, table.turn)


def own_turn(table: Table, index: int) -> Iterator[tuple[Deed, Table]]:
    name, me = ORDER[index], table.who[index]

    def deed(action: str, **spent: bool) -> tuple[Deed, Table]:
        other = table.who[1 - index]
        usable = bool(other.ready) and other.reaction
        after = table.having(index, **spent)._replace(begun=True, answers=1 - index if usable else None)
        return (name, action, ORDER[1 - index] if action in AIMED else ""), after

    if me.standard:  # saga.std.one
        yield from (deed(action, standard=False) for action in STANDARD)
        for kept in READIED:  # saga.ready.specify-action
            _, after = deed("ready", standard=False)
            yield (name, "ready", kept), after.having(index, ready=kept)
    if me.move or me.standard:  # saga.std.trade-to-move, saga.move.max-two
        yield from (deed(action, **({"move": False} if me.move else {"standard": False})) for action in MOVE)
    if me.swift:  # saga.swift.one
        yield from (deed(action, swift=False) for action in SWIFT)
    if me.standard and me.move and me.swift:  # saga.full.excludes, saga.full.symmetric
        yield from (deed(action, standard=False, move=False, swift=False) for action in FULL)
    if not table.begun:  # saga.delay.on-own-turn: the whole turn is put off
        yield (name, "delay", ""), table.having(index, waits=True).next_turn()


def stepping_in(table: Table, index: int) -> Iterator[tuple[Deed, Table]]:
    """A delayer takes its turn just before one who has done nothing yet, or after all: saga.delay.lower-only."""
    me, other = table.who[index], table.who[1 - index]
    if not me.waits:
        return
    if table.turn is None:
        score = min(me.score - 1, other.score)
    elif not table.begun and other.score < me.score:
        score = other.score
    else:
        return
    yield (ORDER[index], "act_now", ""), table.having(index, waits=False, score=score)._replace(turn=index, begun=False)


def lines(table: Table, depth: int) -> set[Line]:
    """Give every line of so many deeds from here, however windows are closed and turns ended between them."""
    if depth == 0:
        return {()}
    found = {(deed, *rest) for deed, after in deeds(table) for rest in lines(after, depth - 1)}
    if table.answers is not None:
        return found | lines(table._replace(answers=None), depth)
    if table.turn is not None:
        return found | lines(table.having(table.turn, acted=True).next_turn(), depth)
    return found


def played(enc: ck.Encounter, depth: int, seen: Seen) -> set[Line]:
    """Give every line that the engine's own `options` and `choices` offer, each deed done and taken back.

    Positions that look the same in every view are played on from once.
    """
    if depth == 0:
        return {()}
    pending = enc.pending[0].actions if enc.pending else ()
    place = (depth, enc.clock.round, enc.order, pending, *((enc.budget(n), str(enc[n])) for n in ORDER))
    if place in seen:
        return seen[place]
    found: set[Line] = set()
    for name in ORDER:
        for option in enc.options(name):
            if not option.allowed or (option.cost == "Free" and option.action != "delay"):
                continue
            if (
                pending and option.action not in pending
            ):  # what is possible behind a soft window is known once it has passed
                continue
            needs = [n for n in option.needs if n != "trigger"]
            values = [""]
            if needs:
                values = [c.value for c in enc.choices(name, option.action) if c.param == needs[0] and c.ruling.allowed]
            for value in values:
                params: dict[str, Any] = {needs[0]: value} if needs else {}
                if "trigger" in option.needs:
                    params["trigger"] = "anything"
                enc.do(name, option.action, **params)
                found |= {((name, option.action, value), *rest) for rest in played(enc, depth - 1, seen)}
                enc.undo()
    if enc.pending or enc.active is not None:
        enc.resolve() if enc.pending else enc.end_turn()
        if enc.clock.round == 1:
            found |= played(enc, depth, seen)
        enc.undo()
    seen[place] = found
    return found


@pytest.mark.rule("saga.delay.what", "saga.ready.uses-reaction", "saga.full.symmetric", "saga.std.trade-to-move")
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_engine_plays_the_lines_of_the_ledger(depth: int) -> None:
    by_ledger = lines(Table((One(20), One(15))), depth)
    by_engine = played(fight({"Mara": 20, "Vex": 15}), depth, {})
    assert by_engine == by_ledger
    assert len(by_engine) == COUNTS[depth - 1]
