"""The timer: how long turns take at the table, known to the frame of turns and to nothing else."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import combatkit as ck
from combatkit.fight.fight import Stopwatch
from combatkit.history.schema import SCHEMAS
from combatkit.report.words import plain
from combatkit.widgets._end_view import end_view
from combatkit.widgets._vantage import Vantage


def fight(timed: bool, journal: Path | None = None) -> ck.Encounter:
    """Give a fight whose clock goes on by one second each time it is looked at."""
    enc = ck.Encounter("saga", id="duel", seed=7, journal=journal)
    ticks = count()
    enc._stopwatch._clock = lambda: float(next(ticks))
    enc.add("Mara", side="rebels", hp=9)
    enc.add("Vex", side="empire")
    enc.start(rolls={"Mara": 20, "Vex": 1})
    enc.end_turn()
    if timed:
        enc.timer()
    enc.do(enc.active or "", "move")
    enc.end_turn()
    enc.end_turn()
    return enc


def test_the_end_card_tells_the_longest_turn_that_was_timed() -> None:
    for timed in (True, False):
        enc = fight(timed)
        enc.finish()
        told = {fact["title"]: plain(fact["text"]) for fact in end_view(Vantage(enc, "gm"))["facts"]}
        assert told.get("Longest turn") == ("Vex, round 1: 0:02" if timed else None)


def test_turns_have_real_seconds_only_where_the_timer_ran() -> None:
    enc = fight(timed=True)
    # from the timer on: Vex moves (1 s), and ends the turn (1 s); Mara ends hers (1 s); Vex has just begun
    assert enc.history.turns["real_seconds"].to_list() == [None, 2.0, 1.0, None]
    enc.timer(False)
    measured = enc.history.turns["real_seconds"].to_list()
    assert measured == [None, 2.0, 1.0, 1.0]
    enc.end_turn()
    assert enc.history.turns["real_seconds"].to_list() == [*measured, None]
    assert fight(timed=False).history.turns["real_seconds"].null_count() == 4
    assert SCHEMAS["turns"]["real_seconds"] == pl.Float64


def test_real_time_is_no_part_of_log_digest_dice_or_journal(tmp_path: Path) -> None:
    timed, other = fight(True, tmp_path / "a.combat"), fight(False, tmp_path / "b.combat")
    assert timed.digest == other.digest
    assert timed._state == other._state
    assert timed._events[:] == other._events[:]
    timed.close()
    with ck.Encounter.open(tmp_path / "a.combat") as again:
        assert again.digest == other.digest
        assert again.history.turns["real_seconds"].null_count() == 4


def test_undo_takes_the_row_and_redo_gives_it_back_with_its_seconds() -> None:
    enc = fight(timed=True)
    before = enc.history.turns
    enc.undo()
    assert enc.history.turns.height == before.height - 1
    enc.redo()
    assert enc.history.turns["real_seconds"].to_list()[:2] == before["real_seconds"].to_list()[:2]


@pytest.mark.parametrize("wrong", [1, "on", None])
def test_the_timer_is_on_or_off(wrong: Any) -> None:
    with pytest.raises(ck.InvalidInput, match="timer: on is"):
        fight(False).timer(wrong)


def test_a_stopwatch_that_is_stopped_measures_nothing() -> None:
    watch = Stopwatch(lambda: 3, clock=iter(range(99)).__next__)
    watch.lap()
    assert watch.seconds == {}
    watch.start()
    watch.start()
    watch.lap()
    watch.stop()
    watch.lap()
    assert watch.seconds == {3: 2.0}
