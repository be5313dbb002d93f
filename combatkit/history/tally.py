"""What the log adds up to: rolls, turns, rounds and budgets, of what is in effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import astuple

from combatkit.core.dice import multiplied
from combatkit.core.evolve import evolve
from combatkit.core.model import Event, State
from combatkit.core.timeline import in_turns, standing
from combatkit.frames import pl
from combatkit.history.schema import SCHEMAS
from combatkit.history.sums import Fill, Row, Share, standings_of
from combatkit.history.table import framed
from combatkit.rules.counts_as import Column, counted_as
from combatkit.rules.ruleset import Ruleset

_SURPRISED = "surprised"


class Tally:
    """Rolls, turns, rounds and budgets of the events of a log that hold.

    Parameters
    ----------
    id : str
        The encounter's id.
    rules : Ruleset
        Its system: which slots there are, which actions are reactions, which vital is the first.
    log : sequence of Event
        What has happened, undo and redo included.
    """

    def __init__(self, id: str, rules: Ruleset, log: Sequence[Event]) -> None:
        self._fight: list[object] = [id, rules.id]
        self._rules = rules
        self._slots = frozenset(rules.slots.ids())
        self._vital = rules.vitals[0].name if rules.vitals else None
        self._rows: dict[str, list[Row]] = {"rolls": [], "turns": [], "rounds": [], "budgets": []}
        self._state = State()
        self._phase: str | None = None
        self._step: int | None = None
        self._turn: Event | None = None  # the beginning of the one under way
        self._turn_rows: dict[int, Row] = {}  # of those that count, by the number of their beginning
        self._shares: dict[str, Share] = {}
        self._fills: dict[tuple[str, str], Fill] = {}
        self._carried: dict[str, list[Column]] = {}  # what they have done in no turn that counts
        self._waiting: dict[int, Row] = {}  # the rows of rolls whose result is still open, by their number
        events = standing(log)
        self._taken_back = {e._data["turn"] for e in events if e.kind == "turn_back"}
        self._given_up = {e._data["turn"] for e in events if e._data.get("given_up")}
        for event, self._turn in in_turns(events):
            self._take(event)
        self._add_round(self._state)  # the one under way stands last

    def _take(self, event: Event) -> None:
        before = self._state
        self._state = evolve(before, event)
        reader = getattr(self, f"_on_{event.kind}", None)
        if reader is not None:
            reader(event, before)
        if event.kind in ("effect", "effect_end"):
            self._fell(event.target or "", before)
        if "faces" in event._data:
            self._roll(event)
        elif "roll" in event._data:
            self._conclude(event)

    def _add(self, frame: str, *values: object) -> Row:
        """Add a row to a frame, and return it: what is known later is filled in."""
        row = dict(zip(SCHEMAS[frame], (*self._fight, *values), strict=True))
        self._rows[frame].append(row)
        return row

    # ── what each kind of event adds: a method of its name ──

    def _roll(self, event: Event) -> None:
        d = event._data
        when = [event.seq, event.round, self._phase, self._step]
        written = multiplied(d.get("notation"), d.get("multiplier", 1))
        what = [event.actor or d.get("group"), d.get("purpose"), written, d["faces"]]
        came = [d.get("modifier"), d.get("total"), d.get("needed"), d.get("outcome")]
        row = self._add("rolls", *when, *what, *came, d.get("source"))
        if d.get("waits"):
            self._waiting[event.seq] = row

    def _conclude(self, event: Event) -> None:
        """Say in its row what a roll that waited came to."""
        d = event._data
        row = self._waiting.pop(d["roll"], None)
        if row is not None:
            row.update(modifier=d["modifier"], total=d["total"], needed=d.get("needed"), outcome=d.get("outcome"))

    def _on_combatant(self, event: Event, before: State) -> None:
        if before.round is not None and "edited" not in event._data:  # an edit brings nobody back
            self._shares.setdefault(event.actor or "", Share()).standing = None

    def _on_leave(self, event: Event, before: State) -> None:
        who = event.actor or ""
        if who in self._shares:
            self._shares[who].standing = standings_of(before).get(who, (None, None))

    def _on_round(self, event: Event, before: State) -> None:
        if before.round is not None:
            self._add_round(before)
            for fill in self._fills.values():
                fill.used, fill.lent = 0, False
        self._phase = self._step = None
        there = [fighter for fighter in self._state.fighters.values() if not fighter.effect("left")]
        self._shares = {f.name: Share(surprised=f.effect(_SURPRISED) is not None) for f in there}

    def _on_step(self, event: Event, before: State) -> None:
        phase = event._data["phase"]
        self._phase = None if phase is None else str(phase)
        self._step = event._data["number"]

    def _on_turn(self, event: Event, before: State) -> None:
        who, id = event.actor or "", event._data["place"]
        score, place = standings_of(before).get(who, (None, None))
        if id:
            place = next(i for i, p in enumerate(before.agenda, 1) if p.id == id)
        if event.seq in self._taken_back or event.seq in self._given_up:
            return  # what is done in it counts with the next one
        self._shares[who].acted = True
        when = [event.round, self._phase, self._step, len(self._rows["turns"]) + 1]
        whose = [who, before.fighters[who].side, event._data.get("initiative", score), place]
        self._turn_rows[event.seq] = self._add("turns", *when, *whose, event.seq, None, 0, 0, None)
        for field in self._carried.pop(who, ()):
            self._count(who, field)

    def _on_turn_end(self, event: Event, before: State) -> None:
        row = self._row()
        if row is not None:
            row["ended_seq"] = event.seq

    def _row(self) -> Row | None:
        """Return the row of the turn under way, if it counts."""
        return None if self._turn is None else self._turn_rows.get(self._turn.seq)

    def _is_taken_back(self) -> bool:
        """Check whether the turn under way is one whose opening is taken back later: it fills and ends nothing."""
        return self._turn is not None and self._turn.seq in self._taken_back

    def _on_refresh(self, event: Event, before: State) -> None:
        if event._data.get("at") == "turn" and self._is_taken_back():
            return
        for who, totals in event._data["pools"].items():
            for slot, total in totals.items():
                if slot in self._slots and not self._is_whole(event, who, slot, total):
                    self._fill(event.round or 0, who, slot, total)
            if who in self._shares:
                share, over = self._shares[who], self._over_cap(totals)
                share.over += over
                share.total -= over if self._has_purse(who) else 0
        for who, more in event._data.get("raised", {}).items():
            for slot, by in more.items():
                fill = self._fills.get((who, slot))
                if fill is not None and not self._has_purse(who):
                    fill.held += by
                elif fill is not None:
                    self._amend(who, fill, more=by)
                elif slot in self._slots:
                    self._fill(event.round or 0, who, slot, by)
        for who, most in event._data.get("capped", {}).items():
            for slot in most:
                fill, by = self._fills.get((who, slot)), self._lent(who, slot, before)
                if fill is not None and by:
                    self._amend(who, fill, more=by)
        for who, back in event._data.get("returned", {}).items():
            for slot, by in back.items():
                fill = self._fills.get((who, slot))
                if fill is not None:  # of what was spent in an earlier round, this one has so much more
                    used = min(by, fill.used)
                    self._amend(who, fill, spent=-by, used=-used)
                    self._shares[who].total += by - used

    def _lent(self, who: str, slot: str, before: State) -> int:
        """Count what a slot has now beyond what it was filled to, or less of that; what has been spent of it stays."""
        was, now = before.fighters[who].pools[slot], self._state.fighters[who].pools[slot]
        by = max(0, -now.over) - max(0, -was.over)
        return max(by, now.left - was.left) if by < 0 else by

    def _over_cap(self, totals: Mapping[str, int | None]) -> int:
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
        now = {"round": event.round, "total": total, "spent": 0}
        return fill is not None and now.items() <= fill.row.items()

    def _fill(self, round: int, who: str, slot: str, total: int | None) -> None:
        old, share = self._fills.pop((who, slot), None), self._shares.get(who)
        if share is None:
            return
        if old is not None and old.lent:  # what is left of it is gone
            share.total += old.row["spent"] - old.row["total"]
        if total is not None and not self._state.fighters[who].effect("left"):
            held = 0 if self._has_purse(who) else total
            row = self._add("budgets", round, self._phase, who, slot, total - held, 0)
            self._fills[who, slot] = Fill(row, held=held)
            share.total += total - held

    def _has_purse(self, who: str) -> bool:
        return self._rules.has_purse(self._state, self._state.fighters[who])

    def _fell(self, who: str, before: State) -> None:
        """Hold back what somebody who goes down has not spent in a round, until they get up in it."""
        lies = not self._has_purse(who)
        share = self._shares.get(who)
        if share is None or lies != self._rules.has_purse(before, before.fighters[who]):
            return
        share.total += share.over if lies else -share.over
        for fill in [fill for (name, _), fill in self._fills.items() if name == who]:
            if fill.row["round"] != self._state.round:
                continue
            more = fill.row["spent"] - fill.row["total"] if lies else fill.held
            fill.held = -more if lies else 0
            if more:
                self._amend(who, fill, more=more)

    def _on_action(self, event: Event, before: State) -> None:
        who = event.actor or ""
        self._pay(event, before)
        action = self._rules.catalogue(before)[event.action or ""]
        if who not in self._shares:
            return
        field = counted_as(self._rules, action, event, None if self._turn is None else self._turn.actor)
        if field is not None:
            self._count(who, field)

    def _count(self, who: str, field: Column) -> None:
        """Count something somebody has done, in the round and in a turn."""
        row = self._row()  # reactions come in the turns of others
        if row is None:
            self._carried.setdefault(who, []).append(field)
            return
        row[field] += 1
        share = self._shares[who]
        setattr(share, field, getattr(share, field) + 1)

    def _pay(self, event: Event, before: State) -> None:
        who = event.actor or ""
        for slot in event._data.get("paid", ()):
            fill = self._fills.get((who, slot))
            if fill is not None:
                paid = before.fighters[who].pools[slot].left - self._state.fighters[who].pools[slot].left
                if fill.held:  # the GM lets somebody act who lies there
                    fill.held -= paid
                    self._shares[who].total += paid
                    fill.row["total"] += paid if fill.row["round"] == self._state.round else 0
                self._amend(who, fill, spent=paid, used=paid)

    _on_stopped = _pay

    def _amend(self, who: str, fill: Fill, *, more: int = 0, spent: int = 0, used: int = 0) -> None:
        """Change what a slot holds or has spent, in its budget and in the present round."""
        share, row = self._shares[who], fill.row
        if row["round"] != self._state.round and not fill.lent:
            share.total += row["total"] - row["spent"]
            fill.lent = True
        row["total"] += more
        row["spent"] += spent
        fill.used += used
        share.total += more
        share.spent += used

    def _on_damage(self, event: Event, before: State) -> None:
        if event.round is None or event._data.get("vital", self._vital) != self._vital:
            return
        amount = event.amount or 0
        if event.actor is not None:  # who has left has a share in the round again
            self._shares.setdefault(event.actor, Share()).dealt += amount
        if event.target is not None:
            self._shares.setdefault(event.target, Share()).taken += amount

    def _on_effect(self, event: Event, before: State) -> None:
        if event._data["id"] == _SURPRISED:
            self._set_surprised(event.target, True)

    def _on_effect_end(self, event: Event, before: State) -> None:
        anchors = (f"turn:{event.target}", f"turn_start:{event.target}")
        if event._data["id"] == _SURPRISED and event._data.get("anchor") in anchors and not self._is_taken_back():
            self._set_surprised(event.target, False)

    def _set_surprised(self, who: str | None, surprised: bool) -> None:
        if who in self._shares:
            self._shares[who].surprised = surprised

    def _add_round(self, state: State) -> None:
        """Add a row for everybody with a share in the present round, as things stand."""
        standings = standings_of(state)
        for who, fighter in state.fighters.items():
            share = self._shares.get(who)
            if share is None:
                continue
            *sums, left, _ = astuple(share)
            whose = [who, fighter.side, *(left or standings.get(who, (None, None)))]
            vital = fighter.vitals.get(self._vital) if self._vital else None
            ends = [vital, list(dict.fromkeys(effect.id for effect in fighter.effects))]
            self._add("rounds", state.round, state.began, *whose, *sums, *ends)

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the frames by their names."""
        return {name: framed(SCHEMAS[name], [[*row.values()] for row in rows]) for name, rows in self._rows.items()}
