"""What the log adds up to: rolls, turns, rounds and budgets, of what is in effect."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import polars as pl
from msgspec.structs import replace

from combatkit.core.evolve import evolve
from combatkit.core.model import Event, State
from combatkit.core.projection import Projection
from combatkit.history import tallied
from combatkit.history.schema import BUDGETS, ROLLS, ROUNDS, TURNS
from combatkit.history.sums import Fill, Mark, Share, Sums, Turn, count, standings_of
from combatkit.history.table import Table
from combatkit.rules.counts_as import Column, counted_as
from combatkit.rules.ruleset import Ruleset

_SURPRISED = "surprised"


class Tally(Projection[Mark]):
    """Rolls, turns, rounds and budgets, kept as events are read.

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
        self._rolls = Table(ROLLS)
        self._turns = Table(TURNS)
        self._rounds = Table(ROUNDS)
        self._budgets = Table(BUDGETS)
        self._tables = (self._rolls, self._turns, self._rounds, self._budgets)
        self._sums = Sums(State())
        super().__init__()

    # ── reading ──

    def take(self, event: Event) -> None:
        """Take in the next event that holds."""
        sums = self._sums
        before = sums.state
        sums.state = evolve(before, event)
        reader = _READERS.get(event.kind)
        if reader is not None:
            reader(self, event, before)
        if "faces" in event._data:
            self._roll(event)
        elif "roll" in event._data:
            self._conclude(event)

    def mark(self) -> Mark:
        """Return the heights of the tables, and the sums."""
        rolls, turns, rounds, budgets = (table.height for table in self._tables)
        return Mark((rolls, turns, rounds, budgets), self._sums.copy())

    def rewind(self, mark: Mark) -> None:
        """Remove the rows that have come since, and restore those that have changed."""
        self._sums = mark.sums.copy()
        for table, height in zip(self._tables, mark.heights, strict=True):
            table.remove(height)
        for fill in self._sums.fills.values():
            self._mend_budget(fill)
        for row, modifier, total in self._sums.waiting.values():
            self._mend_roll(row, modifier, total, None, None)

    # ── what each kind of event adds ──

    def _roll(self, event: Event) -> None:
        d = event._data
        if d.get("waits"):
            waiting = self._sums.waiting
            self._sums.waiting = {**waiting, event.seq: (self._rolls.height, d["modifier"], d["total"])}
        self._rolls.append(
            [
                *self._fight,
                event.seq,
                event.round,
                self._sums.phase,
                self._sums.step,
                event.actor or d.get("group"),
                d.get("purpose"),
                d.get("notation"),
                d["faces"],
                d.get("modifier"),
                d.get("total"),
                d.get("needed"),
                d.get("outcome"),
                d.get("source"),
            ]
        )

    def _conclude(self, event: Event) -> None:
        """Say in its row what a roll that waited came to."""
        d = event._data
        waiting = self._sums.waiting.get(d["roll"])
        if waiting is not None:
            self._mend_roll(waiting[0], d["modifier"], d["total"], d.get("needed"), d.get("outcome"))
            self._sums.waiting = {seq: roll for seq, roll in self._sums.waiting.items() if seq != d["roll"]}

    def _mend_roll(self, row: int, modifier: int, total: int, needed: int | None, outcome: str | None) -> None:
        values = (("modifier", modifier), ("total", total), ("needed", needed), ("outcome", outcome))
        for column, value in values:
            self._rolls.mend(row, column, value)

    def _combatant(self, event: Event, before: State) -> None:
        if "edited" in event._data:  # they were here, or had left, and are still so
            return
        who = event.actor or ""
        shares = self._sums.shares
        self._sums.gone -= {who}  # who left may come back
        if before.round is not None:
            shares[who] = replace(shares[who], standing=None) if who in shares else Share()

    def _leave(self, event: Event, before: State) -> None:
        sums, who = self._sums, event.actor or ""
        sums.gone |= {who}
        if who in sums.shares:
            sums.shares[who] = replace(sums.shares[who], standing=standings_of(before).get(who, (None, None)))

    def _round(self, event: Event, before: State) -> None:
        sums = self._sums
        if before.round is not None:
            self._close_round(before)
        sums.phase = sums.step = None
        fighters = sums.state.fighters
        sums.shares = {
            n: Share(surprised=f.effect(_SURPRISED) is not None) for n, f in fighters.items() if n not in sums.gone
        }

    def _close_round(self, state: State) -> None:
        for row in tallied.round_rows(self, state):
            self._rounds.append(row)
        self._sums.fills = {key: replace(fill, used=0, lent=False) for key, fill in self._sums.fills.items()}

    def _step(self, event: Event, before: State) -> None:
        phase = event._data["phase"]
        self._sums.phase = None if phase is None else str(phase)
        self._sums.step = event._data["number"]

    def _turn(self, event: Event, before: State) -> None:
        sums, who, id = self._sums, event.actor or "", event._data["place"]
        score, place = standings_of(before).get(who, (None, None))
        if id:
            place = next(i for i, p in enumerate(before.agenda, 1) if p.id == id)
        turn = Turn(
            event.seq,
            event.round,
            sums.phase,
            sums.step,
            who,
            event._data.get("initiative", score),
            place,
            sums.shares[who].surprised,
        )
        sums.turns = (*sums.turns, turn)
        deeds = [deed for deed in sums.carried if deed[0] == who]
        sums.carried = tuple(deed for deed in sums.carried if deed[0] != who)
        for _, field in deeds:
            self._count(who, field)

    def _present(self, who: str | None = None) -> tuple[int, Turn] | None:
        """Return the turn under way and its index, if it is `who`'s."""
        turns = self._sums.turns
        for i in range(len(turns) - 1, -1, -1):
            if turns[i].ended is None:
                return (i, turns[i]) if who in (None, turns[i].who) else None
        return None

    def _put_turn(self, index: int, turn: Turn) -> None:
        turns = self._sums.turns
        self._sums.turns = (*turns[:index], turn, *turns[index + 1 :])

    def _turn_end(self, event: Event, before: State) -> None:
        present = self._present()
        if present is None:
            return
        index, turn = present
        if event._data.get("given_up"):
            self._drop_turn(index)
        else:
            self._end_turn(index, turn, event.seq)

    def _end_turn(self, index: int, turn: Turn, seq: int) -> None:
        shares = self._sums.shares
        self._put_turn(index, replace(turn, ended=seq))
        shares[turn.who] = replace(shares[turn.who], acted=True)
        self._settle_turns()

    def _drop_turn(self, index: int) -> None:
        turns = self._sums.turns
        self._sums.turns = (*turns[:index], *turns[index + 1 :])
        self._carry(turns[index].deeds)
        self._settle_turns()

    def _carry(self, deeds: tuple[tuple[str, Column], ...]) -> None:
        """Let what was done in a turn that doesn't count wait for the next turn of whoever did it."""
        self._sums.carried = (*self._sums.carried, *deeds)
        for who, field in deeds:
            count(self._sums.shares, who, field, -1)

    def _settle_turns(self) -> None:
        """Write turns down once none of them is under way: in the order they began."""
        sums = self._sums
        if all(turn.ended is not None for turn in sums.turns):
            for row in tallied.turn_rows(self):
                self._turns.append(row)
            sums.taken += len(sums.turns)
            sums.turns = ()

    def _turn_back(self, event: Event, before: State) -> None:
        present = self._present()
        if present is None:
            return
        index, turn = present
        shares, who = self._sums.shares, turn.who
        shares[who] = replace(shares[who], surprised=turn.surprised)
        if turn.filled is not None:
            tallied.unfill(self, who, *turn.filled, turn.before)
            count(shares, who, "total", turn.capped)
            self.forget(turn.seq)  # marks since then count rows that are no more
        self._drop_turn(index)

    def _over(self, event: Event, before: State) -> None:
        while (present := self._present()) is not None:
            self._end_turn(*present, event.seq)

    def _refresh(self, event: Event, before: State) -> None:
        sums = self._sums
        present = self._present(event.actor) if event._data.get("at") == "turn" else None
        start, capped = self._budgets.height, 0
        replaced: list[tuple[str, Fill | None]] = []
        for who, totals in event._data["pools"].items():
            for slot, total in totals.items():
                if slot not in self._slots or self._is_whole(event, who, slot, total):
                    continue
                replaced.append((slot, sums.fills.get((who, slot))))
                self._fill(event.round or 0, who, slot, total)
            capped = self._over_cap(who, totals)
            if capped and who in sums.shares:
                count(sums.shares, who, "total", -capped)
        for who, more in event._data.get("raised", {}).items():
            for slot, by in more.items():
                fill = sums.fills.get((who, slot))
                if fill is not None:
                    self._amend(who, slot, replace(fill, total=fill.total + by))
                elif slot in self._slots:
                    self._fill(event.round or 0, who, slot, by)
        for who, back in event._data.get("returned", {}).items():
            for slot, by in back.items():
                fill = sums.fills.get((who, slot))
                if fill is not None:  # of what was spent in an earlier round, this one has so much more
                    used = min(by, fill.used)
                    again = replace(fill, spent=fill.spent - by, used=fill.used - used)
                    self._amend(who, slot, again)
                    count(sums.shares, who, "total", by - used)
        if present is not None and present[1].filled is None:
            filled = (start, self._budgets.height)
            self._put_turn(present[0], replace(present[1], filled=filled, before=tuple(replaced), capped=capped))

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
        fill = self._sums.fills.get((who, slot)) if event.data.get("at") == "join" else None
        return fill is not None and (fill.round, fill.total, fill.spent) == (event.round, total, 0)

    def _fill(self, round: int, who: str, slot: str, total: int | None) -> None:
        sums = self._sums
        old = sums.fills.get((who, slot))
        if old is not None and old.lent:  # what is left of it is gone
            count(sums.shares, who, "total", old.spent - old.total)
        if total is None or who in sums.gone:
            sums.fills.pop((who, slot), None)
            return
        sums.fills[who, slot] = Fill(self._budgets.height, round, total)
        self._budgets.append([*self._fight, round, sums.phase, who, slot, total, 0])
        share = sums.shares[who]
        sums.shares[who] = replace(share, total=share.total + total)

    def _action(self, event: Event, before: State) -> None:
        who = event.actor or ""
        self._pay(event, before)
        action = self._rules.catalogue(before)[event.action or ""]
        if who not in self._sums.shares:
            return
        turn = before.turn
        field = counted_as(self._rules, action, event, turn.who if turn is not None else None)
        if field is not None:
            self._count(who, field)

    def _count(self, who: str, field: Column) -> None:
        """Count something somebody has done, in the round and in a turn."""
        count(self._sums.shares, who, field, 1)
        present = self._present()  # reactions come in the turns of others, and so does what the GM allows out of turn
        if present is None:
            self._carry(((who, field),))
            return
        index, under_way = present
        deeds = (*under_way.deeds, (who, field))
        self._put_turn(index, replace(under_way, deeds=deeds, **{field: getattr(under_way, field) + 1}))

    def _pay(self, event: Event, before: State) -> None:
        who = event.actor or ""
        for slot in event._data.get("paid", ()):
            fill = self._sums.fills.get((who, slot))
            if fill is not None:
                paid = before.fighters[who].pools[slot].left - self._sums.state.fighters[who].pools[slot].left
                self._amend(who, slot, replace(fill, spent=fill.spent + paid, used=fill.used + paid))

    def _amend(self, who: str, slot: str, fill: Fill) -> None:
        """Change what a slot holds or has spent, in its budget and in the present round."""
        sums = self._sums
        old, share = sums.fills[who, slot], sums.shares[who]
        lent = 0
        if fill.round != sums.state.round and not old.lent:
            lent, fill = old.total - old.spent, replace(fill, lent=True)
        sums.fills[who, slot] = fill
        self._mend_budget(fill)
        more, used = fill.total - old.total + lent, fill.used - old.used
        sums.shares[who] = replace(share, total=share.total + more, spent=share.spent + used)

    def _mend_budget(self, fill: Fill) -> None:
        self._budgets.mend(fill.index, "total", fill.total)
        self._budgets.mend(fill.index, "spent", fill.spent)

    def _damage(self, event: Event, before: State) -> None:
        if event.round is None or event._data.get("vital", self._vital) != self._vital:
            return
        shares = ((event.actor, "dealt"), (event.target, "taken"))
        for who, field in shares:
            if who is not None:  # who has left has a share in the round again
                self._sums.shares.setdefault(who, Share())
                count(self._sums.shares, who, field, event.amount or 0)

    def _effect(self, event: Event, before: State) -> None:
        if event._data["id"] == _SURPRISED:
            self._set_surprised(event.target, True)

    def _effect_end(self, event: Event, before: State) -> None:
        anchors = (f"turn:{event.target}", f"turn_start:{event.target}")
        if event._data["id"] == _SURPRISED and event._data.get("anchor") in anchors:
            self._set_surprised(event.target, False)

    def _set_surprised(self, who: str | None, surprised: bool) -> None:
        shares = self._sums.shares
        if who in shares:
            shares[who] = replace(shares[who], surprised=surprised)

    # ── looking ──

    def frame(self, name: str) -> pl.DataFrame:
        """Return a frame by its name; what is under way stands last."""
        match name:
            case "turns":
                return self._turns.frame(tallied.turn_rows(self))
            case "rounds":
                return self._rounds.frame(tallied.round_rows(self, self._sums.state))
            case "rolls":
                return self._rolls.frame()
        return self._budgets.frame()


_READERS: dict[str, Callable[[Tally, Event, State], None]] = {
    "combatant": Tally._combatant,
    "leave": Tally._leave,
    "round": Tally._round,
    "step": Tally._step,
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
