"""The rows of rounds and turns, as a tally has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from combatkit.core.model import State
from combatkit.history.sums import Fill, count, standings_of

if TYPE_CHECKING:
    from combatkit.history.tally import Tally


def round_rows(tally: Tally, state: State) -> list[list[object]]:
    """Return a row for everybody with a share in the present round, as things stand."""
    standings = standings_of(state)
    turns = {turn.who for turn in tally._sums.turns}
    rows: list[list[object]] = []
    for who, fighter in state.fighters.items():
        share = tally._sums.shares.get(who)
        if share is None:
            continue
        score, place = share.standing or standings.get(who, (None, None))
        rows.append(
            [
                *tally._fight,
                state.round,
                state.began,
                who,
                fighter.side,
                score,
                place,
                share.acted or who in turns,
                share.surprised,
                share.actions,
                share.reactions,
                share.total,
                share.spent,
                share.dealt,
                share.taken,
                fighter.vitals.get(tally._vital) if tally._vital else None,
                list(dict.fromkeys(effect.id for effect in fighter.effects)),
            ]
        )
    return rows


def turn_rows(tally: Tally) -> list[list[object]]:
    """Return a row for every turn, as things stand."""
    fighters = tally._sums.state.fighters
    return [
        [
            *tally._fight,
            turn.round,
            turn.phase,
            turn.step,
            number,
            turn.who,
            fighters[turn.who].side,
            turn.initiative,
            turn.place,
            turn.seq,
            turn.ended,
            turn.actions,
            turn.reactions,
            None,
        ]
        for number, turn in enumerate(tally._sums.turns, tally._sums.taken + 1)
    ]


def unfill(tally: Tally, who: str, start: int, stop: int, before: tuple[tuple[str, Fill | None], ...]) -> None:
    """Take back what a turn's opening filled."""
    sums = tally._sums
    tally._budgets.remove(start, stop)
    for slot, old in before:
        new = sums.fills.pop((who, slot), None)
        if new is not None and new.index >= start:
            count(sums.shares, who, "total", -new.total)
        if old is not None:
            sums.fills[who, slot] = old
            if old.lent:
                count(sums.shares, who, "total", old.total - old.spent)
    for key, fill in sums.fills.items():
        if fill.index >= stop:
            sums.fills[key] = replace(fill, index=fill.index - (stop - start))
