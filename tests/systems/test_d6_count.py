"""D6: the number of legal lines of one small fight, counted by the engine and by hand from the ledger.

A line is a sequence of name, action and the choices it cannot do without; talk, notes and what is optional are left
out. Mara (with one Free Action) acts before Vex; nobody has a weapon or a place. What is held waits for "anything".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

import combatkit as ck

DEPTH = 3
LINES = {1: 19, 2: 187, 3: 1315}

Step = tuple[str, str, tuple[str, ...]]


# ── by the engine: what `options` and `choices` say ──


def engine_steps(enc: ck.Encounter) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for name in enc.names:
        for option in enc.options(name):
            if option.allowed and option.action != "talk":
                for params in filled(enc, name, option.action, {}, option.needs):
                    yield name, option.action, params


def filled(
    enc: ck.Encounter, name: str, action: str, params: dict[str, Any], needs: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    if not needs:
        yield params
        return
    for choice in enc.choices(name, action, **params):
        if choice.param == needs[0] and choice.ruling.allowed:
            value = "anything" if choice.open else choice.value
            yield from filled(enc, name, action, {**params, needs[0]: value}, needs[1:])


def engine_lines(enc: ck.Encounter, depth: int) -> Iterator[tuple[Step, ...]]:
    if depth == 0:
        yield ()
        return
    answers = {(offer.who, action) for offer in enc.pending for action in offer.actions}
    if answers:  # a soft window is answered, or let pass: what is possible behind it is known only then
        for step in engine_steps(enc):
            if step[:2] in answers:
                yield from lines_after(enc, step, depth)
        enc = enc.branch(len(enc._events))
        enc.resolve()
    for step in engine_steps(enc):
        yield from lines_after(enc, step, depth)


def lines_after(enc: ck.Encounter, deed: tuple[str, str, dict[str, Any]], depth: int) -> Iterator[tuple[Step, ...]]:
    name, action, params = deed
    after = enc.branch(len(enc._events))
    after.do(name, action, **params)
    step = (name, action, tuple(str(v) for k, v in params.items() if k != "trigger"))
    for rest in engine_lines(after, depth - 1):
        yield (step, *rest)


# ── by hand: what the ledger says ──


@dataclass(frozen=True)
class Table:
    """A fight in so far as the ledger's rules on turns look at it."""

    order: tuple[str, ...] = ("Mara", "Vex")
    active: str = "Mara"
    acted: frozenset[str] = frozenset()
    shifted: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()
    held: tuple[tuple[str, str], ...] = ()
    # what the active one has done this turn
    moved: bool = False
    used_object: bool = False
    actions: int = 0
    free: int = 0
    # what was declared and waits, while somebody may use what is held
    waits: str = ""

    def next_turn(self, *, given_up: bool = False) -> Table:
        """The next who has not acted; a new round when all have (d6.init.desc)."""
        acted = self.acted if given_up else self.acted | {self.active}
        shifted = self.shifted
        here = [n for n in self.order if n not in self.left]
        coming = [n for n in here if n not in acted]
        if not here:
            return replace(self, active="", waits="")
        if not coming:
            acted, shifted, coming = frozenset(), frozenset(), here
        name = coming[0]
        held = tuple(h for h in self.held if h[0] != name)  # d6.act.hold.lasts
        return replace(
            self,
            active=name,
            acted=acted,
            shifted=shifted,
            held=held,
            moved=False,
            used_object=False,
            actions=0,
            free=0,
            waits="",
        )

    def settled(self) -> Table:
        """Let what waits take effect."""
        if self.waits.startswith("hold "):  # d6.act.hold.ends-turn
            held = (*self.held, (self.active, self.waits.removeprefix("hold ")))
            return replace(self, held=held).next_turn()
        if self.waits == "escape":
            return replace(self, left=self.left | {self.active}).next_turn()
        return replace(self, waits="")

    def declared(self, waits: str = "done") -> Table:
        """An action that costs something may be interrupted by what another holds (d6.act.hold.interrupts)."""
        after = replace(self, waits=waits)
        return after if any(holder != self.active for holder, _ in self.held) else after.settled()


def hand_steps(table: Table) -> Iterator[tuple[Step, Table]]:
    if table.waits:
        for holder, what in table.held:
            if holder != table.active:
                used = replace(table, held=tuple(h for h in table.held if h[0] != holder))
                yield (holder, "use_held", (f"['{table.active}']",) if what == "attack" else ()), used
        table = table.settled()
    if not table.active:
        return
    name = table.active
    foes = [n for n in table.order if n != name and n not in table.left]
    untouched = not (table.moved or table.used_object or table.actions or table.free)
    capped = table.actions + table.free >= 2  # d6.turn.cap-two
    if not table.actions and not capped:  # d6.turn.action
        done = replace(table, actions=1)
        for foe in foes:
            yield (name, "attack", (foe,)), done.declared()
        for rank in ("agility", "athletics", "hide"):  # d6.act.defend.choice
            yield (name, "defend", (rank,)), done.declared()
        for option in ("bonus", "range"):  # d6.act.aim.exclusive
            yield (name, "aim", (option,)), done.declared()
        for plain in ("dash", "use_item", "use_skill", "help"):
            yield (name, plain, ()), done.declared()
        for kind in ("attack", "use_item", "use_skill"):  # d6.act.hold.kinds
            yield (name, "hold", (kind,)), done.declared(f"hold {kind}")
    if name == "Mara" and not table.free and not capped:  # d6.turn.free
        yield (name, "free_action", ()), replace(table, free=1).declared()
    if not table.moved:  # d6.turn.move
        yield (name, "move", ()), replace(table, moved=True).declared()
    if not table.used_object:  # d6.turn.object
        for either in ("pick_up", "swap_held_item"):
            yield (name, either, ()), replace(table, used_object=True).declared()
    if untouched:
        # d6.escape: a whole turn; without places nobody is at Extreme
        yield (name, "escape", ()), table.declared("escape")
        # d6.init.shift: once a round, after one who has yet to act
        if name not in table.shifted:
            for foe in foes:
                if foe not in table.acted:
                    order = [n for n in table.order if n != name]
                    order.insert(order.index(foe) + 1, name)
                    moved = replace(table, order=tuple(order), shifted=table.shifted | {name})
                    yield (name, "shift", (foe,)), moved.next_turn(given_up=True)


def hand_lines(table: Table, depth: int) -> Iterator[tuple[Step, ...]]:
    if depth == 0:
        yield ()
        return
    for step, after in hand_steps(table):
        for rest in hand_lines(after, depth - 1):
            yield (step, *rest)


def small_fight() -> ck.Encounter:
    enc = ck.Encounter("d6", seed=7)
    enc.add("Mara", side="rebels", initiative=4, free_actions=1)
    enc.add("Vex", side="empire", npc=True, initiative=3)
    enc.start(rolls={"Mara": 5})
    return enc


def named(lines: Iterator[tuple[Step, ...]]) -> set[tuple[tuple[str, ...], ...]]:
    return {tuple((who, action, *(c.strip("[']") for c in choices)) for who, action, choices in line) for line in lines}


@pytest.mark.rule("d6.turn.any-order", "d6.turn.cap-two", "d6.act.hold.ends-turn", "d6.init.shift.not-acted")
@pytest.mark.parametrize("depth", range(1, DEPTH + 1))
def test_the_number_of_legal_lines(depth: int) -> None:
    by_hand = named(hand_lines(Table(), depth))
    by_engine = named(engine_lines(small_fight(), depth))
    assert by_engine == by_hand
    assert len(by_hand) == LINES[depth]
