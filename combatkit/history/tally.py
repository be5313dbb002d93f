"""What the log adds up to: rolls, turns, rounds and budgets, of what is in effect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import polars as pl
from msgspec import Struct

from combatkit.core.evolve import evolve
from combatkit.core.model import Event, State
from combatkit.core.projection import MOVES, standing
from combatkit.history.rows import frame_of
from combatkit.history.schema import SCHEMAS
from combatkit.rules.counts_as import Column, counted_as
from combatkit.rules.ruleset import Ruleset

_SURPRISED = "surprised"

Row = list[Any]
Standing = tuple[float | None, int | None]
"""Somebody's score and place on the ladder."""


class Fill(Struct, eq=False):
    """A slot as it was filled: a row of the budgets.

    `used` is what was spent of it in the present round. What is left of one that was filled in an earlier round is
    `lent` to the present one as soon as something is spent of it there.
    """

    round: int
    phase: str | None
    who: str
    slot: str
    total: int
    spent: int = 0
    used: int = 0
    lent: bool = False


class Turn(Struct, eq=False):
    """A turn that has begun; `filled` are the budgets of its opening, `before` those they replaced, by slot.

    `capped` is how much of what was filled lies beyond a cap, `deeds` what was done in it and counts, with who did it.
    """

    seq: int
    round: int | None
    phase: str | None
    step: int | None
    who: str
    initiative: float | None
    place: int | None
    surprised: bool
    ended: int | None = None
    actions: int = 0
    reactions: int = 0
    deeds: list[tuple[str, Column]] = []
    filled: list[Fill] | None = None
    before: list[tuple[str, Fill | None]] = []
    capped: int = 0


class Share(Struct):
    """A combatant's share in the present round; `standing` is its score and place if it has left."""

    acted: bool = False
    surprised: bool = False
    actions: int = 0
    reactions: int = 0
    total: int = 0
    spent: int = 0
    dealt: int = 0
    taken: int = 0
    standing: Standing | None = None

    def count(self, field: str, by: int) -> None:
        """Count on a number."""
        setattr(self, field, getattr(self, field) + by)


def _standings(state: State) -> dict[str, Standing]:
    """Return everybody's score and place on the ladder: of several places, the first."""
    standings: dict[str, Standing] = {}
    for number, place in enumerate(state.agenda, 1):
        standings.setdefault(place.who, (place.score, number))
    return standings


class Tally:
    """Rolls, turns, rounds and budgets; read on as the log grows, and anew after an undo or redo.

    Parameters
    ----------
    id : str
        The encounter's id.
    rules : Ruleset
        Its system: which slots there are, which actions are reactions, which vital is the first.
    """

    def __init__(self, id: str, rules: Ruleset) -> None:
        self._fight = [id, rules.id]
        self._rules = rules
        self._slots = frozenset(rules.slots.ids())
        self._vital = rules.vitals[0].name if rules.vitals else None
        self._begin()

    def _begin(self) -> None:
        self.count = 0
        self._state = State()
        self._phase: str | None = None
        self._step: int | None = None
        self._rolls: list[Row] = []
        self._rounds: list[Row] = []
        self._budgets: list[Fill] = []
        self._turns: list[Row] = []
        self._open: list[Turn] = []
        """Turns since one has been under way that is so still: they are written down in the order they began."""
        self._shares: dict[str, Share] = {}
        self._fills: dict[tuple[str, str], Fill] = {}
        self._carried: list[tuple[str, Column]] = []
        """What has been done in no turn that counts, with who did it: it counts with their next turn."""
        self._gone: set[str] = set()
        self._waiting: dict[int, Row] = {}
        """The rolls whose result is still open, by their number."""

    # ── reading ──

    def read(self, log: Sequence[Event]) -> None:
        """Take in what is new of a log."""
        new: Iterable[Event] = log[self.count :]
        if any(event.kind in MOVES for event in new):
            self._begin()
            new = standing(log)
        for event in new:
            self._take(event)
        self.count = len(log)

    def _take(self, event: Event) -> None:
        before = self._state
        self._state = evolve(before, event)
        reader = _READERS.get(event.kind)
        if reader is not None:
            reader(self, event, before)
        if "faces" in event._data:
            self._roll(event)
        elif "roll" in event._data:
            self._conclude(event)

    # ── what each kind of event adds ──

    def _roll(self, event: Event) -> None:
        d = event._data
        who = event.actor or d.get("group")
        row = [*self._fight, event.seq, event.round, self._phase, self._step, who, d.get("purpose"), d.get("notation")]
        row += [d["faces"], d.get("modifier"), d.get("total"), d.get("needed"), d.get("outcome"), d.get("source")]
        self._rolls.append(row)
        if d.get("waits"):
            self._waiting[event.seq] = row

    def _conclude(self, event: Event) -> None:
        """Say in its row what a roll that waited came to."""
        d = event._data
        row = self._waiting.pop(d["roll"], None)
        if row is not None:
            row[-5:-1] = d["modifier"], d["total"], d.get("needed"), d.get("outcome")

    def _combatant(self, event: Event, before: State) -> None:
        if "edited" in event._data:  # they were here, or had left, and are still so
            return
        who = event.actor or ""
        self._gone.discard(who)  # who left may come back
        if before.round is not None:
            self._shares.setdefault(who, Share()).standing = None

    def _leave(self, event: Event, before: State) -> None:
        who = event.actor or ""
        self._gone.add(who)
        if who in self._shares:
            self._shares[who].standing = _standings(before).get(who, (None, None))

    def _round(self, event: Event, before: State) -> None:
        if before.round is not None:
            self._rounds += self._round_rows(before)
            for fill in self._fills.values():
                fill.used, fill.lent = 0, False
        self._phase = self._step = None
        here = {name: f for name, f in self._state.fighters.items() if name not in self._gone}
        self._shares = {name: Share(surprised=f.effect(_SURPRISED) is not None) for name, f in here.items()}

    def _step_begins(self, event: Event, before: State) -> None:
        phase = event._data["phase"]
        self._phase = None if phase is None else str(phase)
        self._step = event._data["number"]

    def _turn(self, event: Event, before: State) -> None:
        who, id = event.actor or "", event._data["place"]
        score, place = _standings(before).get(who, (None, None))
        if id:
            place = next(i for i, p in enumerate(before.agenda, 1) if p.id == id)
        score, surprised = event._data.get("initiative", score), self._shares[who].surprised
        self._open.append(Turn(event.seq, event.round, self._phase, self._step, who, score, place, surprised))
        carried, self._carried = self._carried, []
        for deed in carried:
            if deed[0] == who:
                self._done(*deed)
            else:
                self._carried.append(deed)

    def _present(self) -> Turn | None:
        """Return the turn under way."""
        return next((turn for turn in reversed(self._open) if turn.ended is None), None)

    def _turn_end(self, event: Event, before: State) -> None:
        turn = self._present()
        if turn is not None and event._data.get("given_up"):
            self._drop(turn)
        elif turn is not None:
            self._end(turn, event.seq)

    def _end(self, turn: Turn, seq: int) -> None:
        turn.ended = seq
        self._shares[turn.who].acted = True
        self._settle()

    def _drop(self, turn: Turn) -> None:
        """Let what was done in a turn that doesn't count wait for the next turn of whoever did it."""
        self._open.remove(turn)
        self._carried += turn.deeds
        for who, field in turn.deeds:
            self._share(who, field, -1)
        self._settle()

    def _settle(self) -> None:
        if self._present() is None:
            self._turns += self._turn_rows()
            self._open = []

    def _turn_back(self, event: Event, before: State) -> None:
        turn = self._present()
        if turn is None:
            return
        self._shares[turn.who].surprised = turn.surprised
        if turn.filled is not None:
            self._unfill(turn, turn.filled)
        self._drop(turn)

    def _over(self, event: Event, before: State) -> None:
        while (turn := self._present()) is not None:
            self._end(turn, event.seq)

    def _refresh(self, event: Event, before: State) -> None:
        start, capped = len(self._budgets), 0
        replaced: list[tuple[str, Fill | None]] = []
        for who, totals in event._data["pools"].items():
            for slot, total in totals.items():
                if slot in self._slots and not self._is_whole(event, who, slot, total):
                    replaced.append((slot, self._fills.get((who, slot))))
                    self._fill(event.round or 0, who, slot, total)
            capped = self._over_cap(who, totals)
            self._share(who, "total", -capped)
        for who, more in event._data.get("raised", {}).items():
            for slot, by in more.items():
                fill = self._fills.get((who, slot))
                if fill is not None:
                    self._amend(fill, total=by)
                elif slot in self._slots:
                    self._fill(event.round or 0, who, slot, by)
        for who, back in event._data.get("returned", {}).items():
            for slot, by in back.items():
                fill = self._fills.get((who, slot))
                if fill is not None:  # of what was spent in an earlier round, this one has so much more
                    used = min(by, fill.used)
                    self._amend(fill, spent=-by, used=-used)
                    self._share(who, "total", by - used)
        turn = self._present() if event._data.get("at") == "turn" else None
        if turn is not None and turn.who == event.actor and turn.filled is None:
            turn.filled, turn.before, turn.capped = self._budgets[start:], replaced, capped

    def _over_cap(self, who: str, totals: Mapping[str, int | None]) -> int:
        """Count what was filled beyond the caps that were filled with it: nobody can spend that."""
        over = 0
        for cap in self._rules.caps:
            most = None if cap.id in self._slots else totals.get(cap.id)
            if most is not None:
                over += max(0, sum(totals.get(slot) or 0 for slot in cap.over if slot in self._slots) - most)
        return over

    def _is_whole(self, event: Event, who: str, slot: str, total: int | None) -> bool:
        """Check whether somebody who comes back has the slot as it was filled in this round."""
        fill = self._fills.get((who, slot)) if event._data.get("at") == "join" else None
        return fill is not None and (fill.round, fill.total, fill.spent) == (event.round, total, 0)

    def _fill(self, round: int, who: str, slot: str, total: int | None) -> None:
        old = self._fills.get((who, slot))
        if old is not None and old.lent:  # what is left of it is gone
            self._share(who, "total", old.spent - old.total)
        if total is None or who in self._gone:
            self._fills.pop((who, slot), None)
            return
        fill = self._fills[who, slot] = Fill(round, self._phase, who, slot, total)
        self._budgets.append(fill)
        self._share(who, "total", total)

    def _unfill(self, turn: Turn, filled: Sequence[Fill]) -> None:
        """Take back what a turn's opening filled."""
        self._budgets = [fill for fill in self._budgets if fill not in filled]
        for slot, old in turn.before:
            new = self._fills.pop((turn.who, slot), None)
            if new is not None:
                self._share(turn.who, "total", -new.total)
            if old is not None:
                self._fills[turn.who, slot] = old
                if old.lent:
                    self._share(turn.who, "total", old.total - old.spent)
        self._share(turn.who, "total", turn.capped)

    def _action(self, event: Event, before: State) -> None:
        who = event.actor or ""
        self._pay(event, before)
        action = self._rules.catalogue(before)[event.action or ""]
        field = counted_as(self._rules, action, event, before.turn.who if before.turn is not None else None)
        if field is not None and who in self._shares:
            self._done(who, field)

    def _done(self, who: str, field: Column) -> None:
        """Count something somebody has done, in the round and in a turn."""
        turn = self._present()  # reactions come in the turns of others, and so does what the GM allows out of turn
        if turn is None:
            self._carried.append((who, field))
            return
        turn.deeds.append((who, field))
        setattr(turn, field, getattr(turn, field) + 1)
        self._share(who, field, 1)

    def _pay(self, event: Event, before: State) -> None:
        who = event.actor or ""
        for slot in event._data.get("paid", ()):
            fill = self._fills.get((who, slot))
            if fill is not None:
                paid = before.fighters[who].pools[slot].left - self._state.fighters[who].pools[slot].left
                self._amend(fill, spent=paid, used=paid)

    def _amend(self, fill: Fill, *, total: int = 0, spent: int = 0, used: int = 0) -> None:
        """Change what a slot holds or has spent, in its budget and in the present round."""
        if fill.round != self._state.round and not fill.lent:
            fill.lent = True
            self._share(fill.who, "total", fill.total - fill.spent)
        fill.total += total
        fill.spent += spent
        fill.used += used
        self._share(fill.who, "total", total)
        self._share(fill.who, "spent", used)

    def _share(self, who: str, field: str, by: int) -> None:
        """Count on a number of somebody's share in the round, if they have one."""
        if who in self._shares:
            self._shares[who].count(field, by)

    def _damage(self, event: Event, before: State) -> None:
        if event.round is None or event._data.get("vital", self._vital) != self._vital:
            return
        for who, field in ((event.actor, "dealt"), (event.target, "taken")):
            if who is not None:  # who has left has a share in the round again
                self._shares.setdefault(who, Share()).count(field, event.amount or 0)

    def _effect(self, event: Event, before: State) -> None:
        if event._data["id"] == _SURPRISED and event.target in self._shares:
            self._shares[event.target].surprised = True

    def _effect_end(self, event: Event, before: State) -> None:
        anchors = (f"turn:{event.target}", f"turn_start:{event.target}")
        own = event._data["id"] == _SURPRISED and event._data.get("anchor") in anchors
        if own and event.target in self._shares:
            self._shares[event.target].surprised = False

    # ── looking ──

    def frame(self, name: str) -> pl.DataFrame:
        """Return a frame by its name; what is under way stands last."""
        match name:
            case "turns":
                rows = [*self._turns, *self._turn_rows()]
            case "rounds":
                rows = [*self._rounds, *self._round_rows(self._state)]
            case "rolls":
                rows = self._rolls
            case _:
                rows = [[*self._fight, f.round, f.phase, f.who, f.slot, f.total, f.spent] for f in self._budgets]
        return frame_of(rows, SCHEMAS[name])

    def _turn_rows(self) -> list[Row]:
        rows = []
        for number, turn in enumerate(self._open, len(self._turns) + 1):
            row: Row = [
                *self._fight,
                turn.round,
                turn.phase,
                turn.step,
                number,
                turn.who,
                self._state.fighters[turn.who].side,
            ]
            row += [turn.initiative, turn.place, turn.seq, turn.ended, turn.actions, turn.reactions, None]
            rows.append(row)
        return rows

    def _round_rows(self, state: State) -> list[Row]:
        """Return a row for everybody with a share in the present round, as things stand."""
        standings = _standings(state)
        turns = {turn.who for turn in self._open}
        rows = []
        for who, fighter in state.fighters.items():
            share = self._shares.get(who)
            if share is None:
                continue
            score, place = share.standing or standings.get(who, (None, None))
            row: Row = [*self._fight, state.round, state.began, who, fighter.side, score, place]
            row += [share.acted or who in turns, share.surprised, share.actions, share.reactions]
            row += [share.total, share.spent, share.dealt, share.taken]
            row += [fighter.vitals.get(self._vital) if self._vital else None]
            row += [list(dict.fromkeys(effect.id for effect in fighter.effects))]
            rows.append(row)
        return rows


_READERS: dict[str, Callable[[Tally, Event, State], None]] = {
    "combatant": Tally._combatant,
    "leave": Tally._leave,
    "round": Tally._round,
    "step": Tally._step_begins,
    "turn": Tally._turn,
    "turn_end": Tally._turn_end,
    "turn_back": Tally._turn_back,
    "over": Tally._over,
    "refresh": Tally._refresh,
    "action": Tally._action,
    "stopped": Tally._pay,
    "damage": Tally._damage,
    "effect": Tally._effect,
    "effect_end": Tally._effect_end,
}
"""What each kind of event adds; a kind that is missing adds nothing besides its roll."""
