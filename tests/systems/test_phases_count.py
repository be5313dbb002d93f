"""Phases: the number of legal lines of a small fight, counted by the engine and by a second reading of the ledger.

A line is a sequence of who does what, with every required choice made: actions that are free and parameters that may
be left out are no part of it. Ending a turn and closing a window are moves as well, or no line would leave the first
turn. The fight: Vex (9) and Mara (8), enemies in adjacent hexes whose reach covers wherever they go: each of them moves
to and fro between two hexes, so that a distance moved is one line and not one for every place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

import combatkit as ck
from tests.systems.phases_table import fight

Move = tuple[str, str, tuple[str, ...]]

LINES = {1: 51, 2: 914, 3: 11273}
"""Pinned: found by `Book` below, which shares nothing with the engine."""
HEXES = {"Vex": ((0, 0), (-1, 0)), "Mara": ((1, 0), (2, 0))}


# ── the engine ──


def moves_of(enc: ck.Encounter) -> Iterator[tuple[Move, Any]]:
    """Give every move there is, with what carries it out."""
    (window,) = [*enc.pending[:1]] or (None,)
    for name in enc.names:
        for option in enc.options(name):
            if option.allowed and option.cost != "Free":
                for params in chosen(enc, name, option.action, option.needs):
                    values = tuple(str(params[k]) for k in sorted(params) if k != "to")
                    yield (name, option.action, values), lambda n=name, a=option.action, p=params: enc.do(n, a, **p)
    if window is None:
        yield ("", "end_turn", ()), enc.end_turn
    for answer in (window.choices or ((None,) if window.who != "GM" else ())) if window is not None else ():
        yield ("", "resolve", (str(answer),)), lambda a=answer: enc.resolve(answer=a)


def chosen(enc: ck.Encounter, name: str, action: str, needs: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Give every way to make the required choices; one that has no list of values has none."""
    there = fro(enc, name)
    ways: list[dict[str, Any]] = [{"to": there} if "to" in needs else {}]
    for need in needs:
        if need == "to":
            continue
        ways = [
            {**way, need: choice.value}
            for way in ways
            for choice in enc.choices(name, action, **way)
            if choice.param == need and not choice.open and choice.ruling.allowed
        ]
    for way in ways:
        if enc.can(name, action, **way).allowed:
            yield way
        else:  # what is completed wants what it wants
            aimed = [{**way, "target": other} for other in enc.names if other != name]
            more = [{**way, "to": there}, *aimed, *({**full, "to": there} for full in aimed)]
            yield from [full for full in more if enc.can(name, action, **full).allowed][:1]


def fro(enc: ck.Encounter, name: str) -> tuple[int, int]:
    """Give the hex somebody goes to: the other one of their two."""
    here = enc[name].position
    one, other = HEXES[name]
    return other if here == one else one


def count(enc: ck.Encounter, depth: int) -> int:
    """Count the lines of a depth by playing them."""
    found = list(moves_of(enc))
    if depth == 1:
        return len({move for move, _ in found})
    total = 0
    for _, carry_out in found:
        carry_out()
        total += count(enc, depth - 1)
        enc.undo()
    return total


# ── the ledger, read a second time ──

SIMPLE_ATTACKS = ("block", "dodge", "missile_deflection", "roll_with_a_punch")
AIMED_ATTACKS = ("disarm", "grab", "haymaker", "strike", "other_attacks")
MOVES = {
    "half_move": "skill",
    "crawl": "skill",
    "draw_or_sheathe_focus": "skill",
    "mount_or_dismount": "skill",
    "reload": "skill",
    "move_skill": "varies",
    "analyse_weaknesses": "no",
    "perceive": "no",
    "resist_knockback": "no",
    "open_or_close_door": "no",
    "move_heavy_object": "yes",
    "pick_up_item": "yes",
}
FULL = {
    "full_move": "skill",
    "noncombat_move": "yes",
    "full_skill": "varies",
    "retrieve_or_stow_focus": "yes",
    "change_clothes": "yes",
    "move_by": "no",
    "move_through": "no",
    "rapid_fire": "no",
    "sweep": "no",
    "withdraw": "no",
    "take_recovery": "no",
}
AIMED_FULL = ("move_by", "move_through", "rapid_fire", "sweep")
DISTANCE = ("half_move", "crawl", "full_move", "noncombat_move", "move_by", "move_through", "withdraw")
DEFENCES = (*SIMPLE_ATTACKS, "resist_knockback")
OTHER = {"Vex": "Mara", "Mara": "Vex"}


@dataclass(frozen=True)
class One:
    """What the ledger says of one combatant in a phase."""

    attack: bool = True
    move: bool = True
    step: str = ""  # what used the 1-hex step up: itself, or a distance moved
    opportunity: bool = True
    acted: bool = False  # had its place, or gave it up
    touched: bool = False
    waits: bool = False
    delayed: bool = False
    dodged: bool = False
    barred: bool = False  # had dodged as this turn began: holds on if it is put off
    debt: int = -1  # the phase whose action an abort took, while its place is still to come
    halves: frozenset[str] = frozenset()
    left: bool = False  # has left the other's threatened hex in this phase


@dataclass(frozen=True)
class Book:
    """The fight as the ledger has it."""

    phase: int = 1
    active: str | None = "Vex"
    order: tuple[str, str] = ("Vex", "Mara")
    who: dict[str, One] = field(default_factory=lambda: {"Vex": One(), "Mara": One()})
    window: tuple[str, ...] = ()  # ("check", what goes on) or ("attack", what goes on)

    def of(self, name: str, **changes: Any) -> Book:
        return replace(self, who={**self.who, name: replace(self.who[name], **changes)})

    # ── what may be done ──

    def moves(self) -> Iterator[tuple[Move, Book]]:
        if self.window[:1] == ("check",):
            yield ("", "resolve", ("failed",)), replace(self, window=("attack", *self.window[1:]))
            yield ("", "resolve", ("negated",)), self.go_on()
            return
        if self.window:
            yield ("", "resolve", ("None",)), self.go_on()
            foe = OTHER[str(self.active)]
            yield (foe, "attack_of_opportunity", (str(self.active),)), self.of(foe, opportunity=False).go_on()
        else:
            yield ("", "end_turn", ()), self.end_turn()
            if self.active is not None:
                yield from self.own(self.active)
        for name in self.order:
            if name != self.active:
                yield from self.out_of_turn(name)

    def may_attack(self, foe: str) -> bool:
        return self.who[foe].opportunity and not self.who[foe].dodged

    def own(self, name: str) -> Iterator[tuple[Move, Book]]:
        me, other = self.who[name], OTHER[name]
        begun = self.of(name, touched=True)
        if me.attack and me.move:  # a step is no action
            yield (name, "delay", ()), self.of(name, waits=True, delayed=True, dodged=me.barred).next_turn()
        if not me.step:
            yield (name, "1_hex_step", ()), begun.of(name, step="step")
        if me.attack:
            for action in SIMPLE_ATTACKS:
                yield (name, action, ()), begun.of(name, attack=False, dodged=me.dodged or action == "dodge")
            for action in AIMED_ATTACKS:
                yield (name, action, (other,)), begun.of(name, attack=False)
        if me.attack or me.move:
            paid = begun.of(name, move=False) if me.move else begun.of(name, attack=False)
            for action, provokes in MOVES.items():
                if action not in DISTANCE or me.step != "step":
                    yield (name, action, ()), paid.declare(name, action, provokes)
            yield from self.half(name, paid)
        if me.attack and me.move:
            paid = begun.of(name, attack=False, move=False)
            for action, provokes in FULL.items():
                if action not in DISTANCE or me.step != "step":
                    target = (other,) if action in AIMED_FULL else ()
                    yield (name, action, target), paid.declare(name, action, provokes)

    def half(self, name: str, paid: Book) -> Iterator[tuple[Move, Book]]:
        me = self.who[name]
        for action, provokes in FULL.items():  # nobody is stunned, who could recover from that
            if action not in me.halves:
                started = paid.declare(name, f"start {action}", "varies")
                yield (name, "start_or_complete", (action,)), started
            elif not (action in DISTANCE and me.step == "step"):
                target = (OTHER[name],) if action in AIMED_FULL else ()
                rest = paid.of(name, halves=me.halves - {action})
                if provokes == "no":  # completing usually provokes; what provokes by itself does so once
                    done = rest.declare(name, f"complete {action}", "varies")
                else:
                    done = rest.declare(name, action, provokes)
                yield (name, "start_or_complete", (action, *target)), done

    def out_of_turn(self, name: str) -> Iterator[tuple[Move, Book]]:
        me = self.who[name]
        if me.debt < 0:
            for action in DEFENCES:
                yield (name, "abort", (action,)), self.abort(name, action)
        free = self.active is None or not self.who[self.active].touched
        if me.delayed and not me.acted and free and not self.window:
            yield (name, "act_now", ()), self.step_in(name)

    # ── what follows ──

    def declare(self, name: str, action: str, provokes: str) -> Book:
        """Declare an action: those who threaten may attack, if it provokes and no skill check negates it."""
        moved = action in DISTANCE
        if provokes == "no" or not self.may_attack(OTHER[name]) or (moved and self.who[name].left):
            return replace(self, window=("", action)).go_on(negated=provokes == "no")
        return replace(self, window=("attack" if provokes == "yes" else "check", action))

    def go_on(self, *, negated: bool | None = None) -> Book:
        """Carry out what waited; an opportunity that was given by moving is given once a phase."""
        assert self.active is not None
        name, action = self.active, self.window[1]
        gave = self.window[0] == "attack" or (self.window[0] == "" and negated is False)
        book = replace(self, window=())
        if action.startswith("start "):
            return book.of(name, halves=book.who[name].halves | {action.removeprefix("start ")})
        if action.removeprefix("complete ") in DISTANCE and action not in DISTANCE:
            return book.of(name, step=book.who[name].step or "moved")
        if action in DISTANCE:
            return book.of(name, step=book.who[name].step or "moved", left=book.who[name].left or gave)
        return book

    def abort(self, name: str, action: str) -> Book:
        me = self.who[name]
        late = me.acted
        book = self.of(name, dodged=action == "dodge", delayed=False, waits=False)
        if late:
            book = book.of(name, debt=self.phase + 1)
        else:
            book = book.of(name, debt=self.phase, acted=True, attack=False, move=False).settle()
        asked = book.window[:1] == ("attack",) and name != book.active
        return book.go_on() if asked and not book.may_attack(name) else book  # who has dodged is asked no more

    def settle(self) -> Book:
        """With nobody active, go on to whoever is next."""
        return self.next_turn() if self.active is None else self

    def step_in(self, name: str) -> Book:
        order = (OTHER[name], name) if self.active is None else (name, self.active)
        return replace(self, order=order).open(name)

    def end_turn(self) -> Book:
        if self.active is not None:
            return self.of(self.active, acted=True).next_turn()
        return self.next_phase()

    def next_turn(self) -> Book:
        for name in self.order:
            if not self.who[name].acted and not self.who[name].waits:
                return self.open(name)
        book = replace(self, active=None)
        return book if any(one.waits for one in self.who.values()) else book.next_phase()

    def next_phase(self) -> Book:
        phase = self.phase + 1
        who = {}
        for name, one in self.who.items():
            owes = one.debt == phase
            fresh = One(
                attack=not owes,
                move=not owes,
                step="owed" if owes else "",
                acted=owes,
                debt=one.debt if owes else -1,
                delayed=one.delayed,
                dodged=one.dodged,
                halves=one.halves,
            )
            who[name] = fresh
        return replace(self, phase=phase, who=who).next_turn()

    def open(self, name: str) -> Book:
        """Begin a turn: a debt whose place lies above has passed."""
        book = self
        for above in self.order[: self.order.index(name)]:
            if book.who[above].debt == self.phase:
                book = book.of(above, debt=-1)
        fresh = {"waits": False, "delayed": False, "dodged": False, "touched": False}
        return replace(book, active=name).of(name, barred=book.who[name].dodged, **fresh)

    def count(self, depth: int) -> int:
        found = list(self.moves())
        assert len({move for move, _ in found}) == len(found)
        return len(found) if depth == 1 else sum(book.count(depth - 1) for _, book in found)


# ── both ──


def small() -> ck.Encounter:
    far = {"reach": 3}
    return fight({"Vex": 9, "Mara": 8}, at={name: hexes[0] for name, hexes in HEXES.items()}, Vex=far, Mara=far)


def test_the_ledger_gives_the_pinned_numbers() -> None:
    assert {depth: Book().count(depth) for depth in LINES} == LINES


def test_the_engine_allows_the_same_lines_to_depth_two() -> None:
    enc = small()
    book = dict(Book().moves())
    engine = dict(moves_of(enc))
    assert set(engine) == set(book)
    for move, after in book.items():
        engine[move]()
        assert {m for m, _ in moves_of(enc)} == {m for m, _ in after.moves()}, move
        enc.undo()


@pytest.mark.rule("phases.tab.startfull", "phases.act.start-complete")
@pytest.mark.parametrize("answer", ["failed", "negated"])
def test_both_go_the_same_way_through_a_full_phase_action_in_two_halves(answer: str) -> None:
    for whole, provokes in FULL.items():
        enc, book = small(), Book()
        target = ("Mara",) if whole in AIMED_FULL else ()
        line: list[Move] = [("Vex", "start_or_complete", (whole,)), ("", "resolve", ("negated",))]
        line.append(("Vex", "start_or_complete", (whole, *target)))
        if provokes != "yes":
            line.append(("", "resolve", (answer,)))
        if provokes == "yes" or answer == "failed":
            line.append(("Mara", "attack_of_opportunity", ("Vex",)))
        for move in line:
            dict(moves_of(enc))[move]()
            book = dict(book.moves())[move]
            assert {m for m, _ in moves_of(enc)} == {m for m, _ in book.moves()}, (whole, move)


@pytest.mark.long
def test_the_engine_gives_the_same_number_to_depth_three() -> None:
    assert count(small(), 3) == LINES[3]
