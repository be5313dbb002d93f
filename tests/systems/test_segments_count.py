"""Segments: the lines of one small fight counted twice, by the engine and by a model written from the ledger alone."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field

import combatkit as ck
from tests.systems.segments_table import rolled

DEPTH = 3
LINES = (1, 18, 231, 3030)
"""How many lines there are of 0, 1, 2 and 3 calls."""

NO_TIME = {"free_action", "immediate_action", "save", "morale"}
"""Left out of a line: they take no time and change nothing here."""

Move = tuple[str, str, str]

# ── the model: Mara in HIGH; Vex and Ossik in LOW; nobody declared anything ──

ROUTINES = ("attack", "missile_attack", "called_shot", "grab_item")
SIMPLE = ("draw", "sheathe", "speak", "drop_item", "simple_activity")
DECLARED = (
    *ROUTINES,
    *SIMPLE,
    *("move", "position", "parley", "flee", "charge", "incantation", "invocation"),
    *("delaying_activity", "innate_ability", "delay", "free_action", "complex_activity"),
)
NAMES = ("Mara", "Vex", "Ossik")


@dataclass
class Person:
    """What the ledger says matters of one: half, major action, segments used, whether it has had its turn."""

    half: str
    major: bool = True
    used: int = 0
    delayed: bool = False
    late: bool = False
    minor: bool = False
    drawn: int = 0
    melee: bool = False
    done: bool = False


@dataclass
class Model:
    """The round from the first turn on; `phase` is HIGH, LOW or, in the next round, step 1."""

    people: dict[str, Person] = field(
        default_factory=lambda: {"Mara": Person("HIGH"), "Vex": Person("LOW"), "Ossik": Person("LOW")}
    )
    phase: str = "HIGH"
    active: str = "Mara"
    d1: bool = True
    placed: list[str] = field(default_factory=lambda: list(NAMES))

    def moves(self) -> Iterator[Move]:
        """What may be done, as the ledger has it."""
        yield "", "end_turn", ""
        for name, person in self.people.items():
            if self.phase == "declare":
                yield name, "delay", ""  # delay.declared-low
                yield from ((name, "declare", action) for action in DECLARED)
                continue
            if person.half == self.phase and person.major and not person.done:
                yield name, "delay", ""  # delay.when: any time during group actions, in one's own half
            if person.half == self.phase and self.d1 and person.used < 10:
                yield name, "innate_ability", ""  # innate.d1
        if self.phase == "declare":
            return
        name, person = self.active, self.people[self.active]
        if person.used == 10:  # a whole round's activity leaves room for nothing
            return
        if person.major:
            yield from ((name, action, target) for action in ROUTINES for target in NAMES if target != name)
            moves = self.gives_way(name, 1 + person.used + person.drawn)
            yield (name, "declare", "move") if moves else (name, "move", "")  # major.one
            if self.gives_way(name, 1 + person.used):
                yield from ((name, "declare", action) for action in SIMPLE)  # simple.alone-d4
            if self.phase == "HIGH":
                yield name, "declare", "delaying_activity"  # delaying.low-only, delaying.no-cond
        elif not person.melee:
            yield name, "position", ""  # pos.after-major, pos.not-melee
        yield from ((name, action, "") for action in SIMPLE)  # minor.many
        if self.phase == "LOW" and not (person.delayed and (person.used or not person.major)):
            yield name, "delaying_activity", ""  # delaying.low-only, delayed.delaying-complex

    def after(self, move: Move) -> Model:
        """The fight after a move."""
        new = deepcopy(self)
        name, action, choice = move
        if action == "end_turn":
            new.people[new.active].done = True  # whoever passes has done nothing: innate.d1
            new.go_on()
            return new
        person = new.people[name]
        if action == "delay":
            if new.phase == "LOW":
                person.major, person.late, person.minor = False, True, True  # delay.low; simple.alone-d4
            person.delayed, person.half = True, "LOW"
            new.placed.remove(name)
            new.placed.append(name)
            if name == new.active:
                new.go_on()
            return new
        if action == "innate_ability":
            person.used += 1
            return new
        if action == "declare":
            person.late, person.minor = True, choice != "move"
            if choice == "delaying_activity":
                person.half = "LOW"
                new.placed.remove(name)
                new.placed.append(name)
            new.go_on()
            return new
        new.d1 = False
        if action in ROUTINES or action == "move":
            person.major = False
            person.used += 1
            if action in ("attack", "grab_item"):  # hand to hand
                person.melee = new.people[choice].melee = True
        elif action == "delaying_activity" and person.delayed:
            person.major, person.used = False, 10
        elif action != "draw" or not person.major:
            person.used += 1
        else:  # simple.included: for an attack, and for nothing else
            person.drawn += 1
        if action == "delaying_activity":  # its D4
            person.late = person.minor = True
        if person.major and any(new.comes(n) < new.comes(name) for n in new.waiting() if new.opposed(n, name)):
            new.go_on()  # activity.add-before: a tie with the other group may be lost by it
        return new

    def gives_way(self, name: str, segments: int) -> bool:
        """Whether a tied group comes before what one does in D4, such as its D3: seq.2-tied-order."""
        later = (True, self.people[name].delayed, segments)
        return any(self.comes(n) < later for n in self.waiting() if self.opposed(n, name))

    def go_on(self) -> None:
        """Find whose turn comes next: those of the phase, the delayed last, then by speed; else the next phase."""
        while self.phase != "declare":
            if waiting := self.waiting():
                self.active = min(waiting, key=self.comes)
                return
            self.phase, self.d1 = ("LOW", True) if self.phase == "HIGH" else ("declare", False)

    def waiting(self) -> list[str]:
        """Who is still to act in this phase; of those who act at once, the one placed first."""
        return [n for n in self.placed if self.people[n].half == self.phase and not self.people[n].done]

    def comes(self, name: str) -> tuple[bool, bool, int]:
        """By action type, the delayed last, then by speed, five, or by segments; what is done before counts too."""
        person = self.people[name]
        used = person.used if person.major else 0
        return person.late, person.delayed, max(1, used) if person.minor else used + (1 if person.late else 5)

    def opposed(self, a: str, b: str) -> bool:
        """Whether two are of different groups."""
        return (a == "Mara") != (b == "Mara")


def model_lines(model: Model, depth: int) -> list[tuple[Move, ...]]:
    """Every line of the model."""
    if depth == 0:
        return [()]
    return [(move, *rest) for move in model.moves() for rest in model_lines(model.after(move), depth - 1)]


# ── the engine ──


def offered(enc: ck.Encounter) -> Iterator[Move]:
    """What `options` and `choices` offer."""
    yield "", "end_turn", ""
    for name in NAMES:
        for option in enc.options(name):
            if not option.allowed or option.action in NO_TIME:
                continue
            if not option.needs:
                yield name, option.action, ""
                continue
            (need,) = option.needs
            choices = [c for c in enc.choices(name, option.action) if c.param == need and c.ruling.allowed]
            yield from ((name, option.action, str(c.value)) for c in choices)


def play(enc: ck.Encounter, move: Move) -> None:
    """Make a move; nobody ever rolls a natural 20."""
    name, action, choice = move
    if action == "end_turn":
        enc.end_turn()
    elif action == "declare":
        enc.do(name, action, action=choice)
    elif choice:
        enc.do(name, action, target=choice, rolls=[10])
    else:
        enc.do(name, action)


def engine_lines(enc: ck.Encounter, depth: int) -> list[tuple[Move, ...]]:
    """Every line of the engine."""
    if depth == 0:
        return [()]
    lines: list[tuple[Move, ...]] = []
    for move in list(offered(enc)):
        if depth == 1:
            lines.append((move,))
            continue
        play(enc, move)
        lines += [(move, *rest) for rest in engine_lines(enc, depth - 1)]
        enc.undo()
    return lines


def test_the_lines_of_a_small_fight_are_those_the_ledger_allows() -> None:
    enc = rolled(*NAMES, party=5, foes=2)
    for depth in range(DEPTH + 1):
        expected = model_lines(Model(), depth)
        found = engine_lines(enc, depth)
        assert len(set(found)) == len(found)
        assert sorted(set(found) ^ set(expected))[:5] == []
        assert len(found) == LINES[depth]
