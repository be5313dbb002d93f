"""Who reads a log on as it grows, and has undo and redo followed for them."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

import combatkit as ck
from combatkit.core.model import Event
from combatkit.core.projection import Line, Projection, standing, strokes


class Reader(Projection[int]):
    """Keeps the numbers of the events that hold; `taken` counts how often it was given one."""

    def __init__(self, spacing: int) -> None:
        self.spacing = spacing
        self.held: list[int] = []
        self.taken = 0
        super().__init__()

    def take(self, event: Event) -> None:
        self.held.append(event.seq)
        self.taken += 1

    def mark(self) -> int:
        return len(self.held)

    def rewind(self, mark: int) -> None:
        del self.held[mark:]


class Table:
    """Plays calls of a few events, takes some back and up again, and knows by plain lists which of them hold."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.log: list[Event] = []
        self.done: list[list[int]] = []
        self.undone: list[list[int]] = []
        self.call()

    @property
    def held(self) -> list[int]:
        return [seq for call in self.done for seq in range(call[0], call[1] + 1)]

    def call(self) -> None:
        first = len(self.log) + 1
        self.log += [Event(first + n, 1, "action", "Mara") for n in range(self.dice.randint(1, 4))]
        self.done.append([first, len(self.log)])
        self.undone.clear()

    def go_back(self, count: int) -> None:
        self._go("undo", self.done, self.undone, min(count, len(self.done) - 1))

    def go_forth(self, count: int) -> None:
        self._go("redo", self.undone, self.done, min(count, len(self.undone)))

    def _go(self, kind: str, off: list[list[int]], on: list[list[int]], count: int) -> None:
        calls = [off.pop() for _ in range(count)]
        on += calls
        if calls:
            data = {"calls": calls, "to": self.done[-1][1]}
            self.log.append(Event(len(self.log) + 1, 1, kind, data=data))

    def play(self) -> None:
        count = self.dice.choice((1, 1, 2, 30))
        match self.dice.randrange(5):
            case 0:
                self.go_back(count)
            case 1:
                self.go_forth(count)
            case _:
                self.call()


@pytest.mark.parametrize("spacing", [1, 3, 20])
@pytest.mark.parametrize("seed", range(3))
def test_a_reader_holds_what_holds_however_often_it_reads(seed: int, spacing: int) -> None:
    table = Table(random.Random(seed))
    always, seldom = Reader(spacing), Reader(spacing)
    for number in range(600):
        table.play()
        always.read(table.log)
        assert always.held == table.held
        if number % 7 == 0:
            seldom.read(table.log)
            assert seldom.held == table.held
    assert [event.seq for event in standing(table.log)] == table.held
    assert {event.kind for event in table.log} == {"action", "undo", "redo"}


def test_a_line_says_of_each_event_whether_it_holds() -> None:
    table, line = Table(random.Random(5)), Line()
    for _ in range(300):
        table.play()
        for event in table.log[line.count :]:
            line.take(event)
        assert [seq for seq in range(len(table.log) + 2) if line.holds(seq)] == table.held
    struck: set[int] = set()
    for event in table.log:
        for seqs, undone in strokes(event):
            struck = struck | {*seqs} if undone else struck - {*seqs}
    assert {event.seq for event in table.log if event.kind == "action"} - struck == {*table.held}


def test_new_events_are_taken_once_and_an_undo_takes_few_again() -> None:
    table, reader = Table(random.Random(2)), Reader(16)
    while len(table.log) < 5000:
        table.call()
        reader.read(table.log)
    assert reader.taken == len(table.log)
    reader.read(table.log)
    assert reader.taken == len(table.log), "there was nothing new"
    for _ in range(20):
        before = reader.taken
        table.go_back(1)
        reader.read(table.log)
        assert reader.taken - before <= 16 + 4
        before = reader.taken
        table.go_forth(1)
        reader.read(table.log)
        assert reader.taken - before <= 4, "what comes back is taken, and no more"


@pytest.mark.parametrize("spacing", [4, 64])
@pytest.mark.parametrize("back", [10, 100, 1000, 2500])
def test_an_undo_takes_no_more_again_than_half_of_what_it_goes_back(back: int, spacing: int) -> None:
    table, reader = Table(random.Random(2)), Reader(spacing)
    while len(table.done) < 3000:
        table.call()
        reader.read(table.log)
    last, before = len(table.log), reader.taken
    table.go_back(back)
    reader.read(table.log)
    assert reader.held == table.held
    assert reader.taken - before <= (last - reader.held[-1]) / 2 + spacing + 4
    assert len(reader._marks) <= 50


def test_each_event_is_given_when_it_has_been_taken_in() -> None:
    table, reader = Table(random.Random(3)), Reader(2)
    for _ in range(50):
        table.play()
    told: list[tuple[int, Sequence[int]]] = [(e.seq, tuple(reader.held)) for e in reader.follow(table.log)]
    assert [seq for seq, _ in told] == [event.seq for event in table.log]
    for seq, held in told:
        assert list(held) == [event.seq for event in standing(table.log[:seq])]


def test_a_mark_that_is_forgotten_is_not_gone_back_to() -> None:
    log = [Event(seq, 1, "action", "Mara") for seq in range(1, 10)]
    reader = Reader(1)
    reader.read(log)
    reader.forget(1)
    before = reader.taken
    reader.read([*log, Event(10, 1, "undo", data={"calls": [[9, 9]], "to": 8})])
    assert reader.taken - before == 8, "from the beginning"
    assert reader.held == [*range(1, 9)]


def test_the_clock_is_that_of_the_very_event_an_undo_goes_back_to() -> None:
    """That event moves the clock itself: the one that made the fight."""
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels")
    enc.undo()
    enc.add("Vex", side="empire")
    columns = ("kind", "clock", "undone")
    assert enc.history.events.select(*columns).rows() == [
        ("encounter", "Not begun", False),
        ("combatant", "Not begun", True),
        ("undo", "Not begun", False),
        ("combatant", "Not begun", False),
    ]
