"""Which events of a log hold, however often it is gone back and forth."""

from __future__ import annotations

import random

import pytest

import combatkit as ck
from combatkit.core.model import Event
from combatkit.core.timeline import Line, in_turns, standing, strokes


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


@pytest.mark.parametrize("seed", range(3))
def test_what_stands_is_what_was_not_taken_back(seed: int) -> None:
    table = Table(random.Random(seed))
    for _ in range(600):
        table.play()
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


def test_an_undo_falls_in_the_turn_it_leads_to_and_a_turn_holds_its_first_event_and_its_last() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", dex=4)
    enc.add("Vex", side="empire")
    enc.start(rolls={"Mara": [15], "Vex": [5]})
    enc.end_turn()
    enc.undo()
    fell = {(event.kind, event.actor): turn.actor if turn else None for event, turn in in_turns(enc._events)}
    assert (fell["begin", None], fell["turn_end", "Mara"]) == (None, "Mara")
    assert (fell["turn", "Vex"], fell["undo", None]) == ("Vex", "Mara")
