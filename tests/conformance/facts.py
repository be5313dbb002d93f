"""What a fight's log says, read line by line without the engine's state, and which reasons say otherwise."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import combatkit as ck
from combatkit.core.timeline import standing

CALLS = 60
"""So many turns are ended at most to see whether somebody's is still to come."""


WORDS = {"unaware": "surprised", "delaying": "delayed"}
"""Words that reasons have for a condition, where they are not its id."""

Claim = Callable[..., bool]


class Turn:
    """A turn that the log says has begun, and what its opening took from whose turn it is."""

    def __init__(self, event: ck.Event) -> None:
        self.seq, self.who, self.ends = event.seq, event.actor or "", event.data.get("ends", ())
        self.pools: dict[str, int] = {}


class Facts:
    """What the log says of the present moment: who is there, whose turn it is, who had one, what holds, what is left.

    `had` are the turns taken since the round (or the phase, by `begins`) began, `acted` who did something since theirs,
    `denied` the lines that took a turn from somebody for one that they have not had, `held` what a lower maximum keeps.
    """

    def __init__(self, enc: ck.Encounter) -> None:
        self.enc = enc
        self.events = {event.seq: event for event in standing(enc._events)}
        self.begins = "step" if enc.ruleset.occasion_title == "phase" else "round"
        self.turns: list[Turn] = []
        self.had: list[Turn] = []
        self.acted: set[str] = set()
        self.here: set[str] = set()
        self.holds: dict[str, dict[int, str]] = {}
        self.pools: dict[str, dict[str, int]] = {}
        self.filled: dict[tuple[str, str], int] = {}
        self.held: dict[tuple[str, str], int] = {}
        self.denied: list[ck.Event] = []
        self.stage = "setup"
        for event in self.events.values():
            read = getattr(self, f"_{event.kind}", None)
            if read is not None:
                read(event, event.data)

    # ── the log ──

    def _combatant(self, event: ck.Event, data: dict[str, Any]) -> None:
        if "edited" in data:  # who has left stays away
            return
        name = event.actor or ""
        self.here.add(name)
        self.pools.setdefault(name, {})
        self.holds[name] = {e["number"]: e["id"] for e in map(as_mapping, data["effects"])}

    def _leave(self, event: ck.Event, data: dict[str, Any]) -> None:
        name = event.actor or ""
        self.here.discard(name)
        if self.stage == "setup":  # as if never added
            del self.holds[name]

    def _begin(self, event: ck.Event, data: dict[str, Any]) -> None:
        self.stage = "running"

    def _over(self, event: ck.Event, data: dict[str, Any]) -> None:
        self.stage = "over"
        self.turns.clear()

    def _round(self, event: ck.Event, data: dict[str, Any]) -> None:
        self.had.clear()

    def _step(self, event: ck.Event, data: dict[str, Any]) -> None:
        if self.begins == "step":
            self.had.clear()

    def _turn(self, event: ck.Event, data: dict[str, Any]) -> None:
        turn = Turn(event)
        self.turns.append(turn)
        self.had.append(turn)
        self.acted.discard(turn.who)

    def _turn_end(self, event: ck.Event, data: dict[str, Any]) -> None:
        turn = self.turns.pop()
        if data.get("given_up"):
            self.had = [had for had in self.had if had is not turn]

    def _turn_lost(self, event: ck.Event, data: dict[str, Any]) -> None:
        assert event.text, f"{event.actor} loses a turn, and nothing says so"
        if "already had a turn" in event.text and not self.had_turn(event.actor or ""):
            self.denied.append(event)

    def _turn_back(self, event: ck.Event, data: dict[str, Any]) -> None:
        turn = self.turns.pop()
        self.had = [had for had in self.had if had is not turn]
        for who, effect in turn.ends:
            self.holds[who][effect["number"]] = effect["id"]
        self.pools[turn.who] |= turn.pools

    def _refresh(self, event: ck.Event, data: dict[str, Any]) -> None:
        for who, totals in data["pools"].items():
            if data.get("at") == "turn" and self.turns and self.turns[-1].who == who:
                self.turns[-1].pools = {p: self.pools[who][p] for p in totals if p in self.pools[who]}
            for pool, total in totals.items():
                self.filled[who, pool] = event.seq
                self.pools[who][pool] = total or 0
                self.held.pop((who, pool), None)
        for part in ("raised", "returned"):
            for who, more in data.get(part, {}).items():
                for pool, by in more.items():
                    self.pools[who][pool] = max(0, self.pools[who].get(pool, 0) + by)
        for who, capped in data.get("capped", {}).items():
            for pool, most in capped.items():
                whole = self.pools[who][pool] + self.held.get((who, pool), 0)
                self.pools[who][pool] = min(whole, most)
                self.held[who, pool] = whole - self.pools[who][pool]

    def _action(self, event: ck.Event, data: dict[str, Any]) -> None:
        name = event.actor or ""
        self.acted.add(name)
        for pool, amount in (data.get("paid") or {}).items():
            self.pools[name][pool] = max(0, self.pools[name].get(pool, amount) - amount)

    _stopped = _action

    def _effect(self, event: ck.Event, data: dict[str, Any]) -> None:
        self.holds[event.target or ""][data["number"]] = data["id"]

    def _effect_end(self, event: ck.Event, data: dict[str, Any]) -> None:
        self.holds[event.target or ""].pop(data["number"], None)

    # ── what a reason may name ──

    @property
    def active(self) -> str | None:
        """Whose turn it is."""
        return self.turns[-1].who if self.turns else None

    def stands(self, who: str, word: str) -> bool:
        """Say whether a condition holds of somebody, by the word that a reason has for it."""
        return WORDS.get(word, word) in self.holds[who].values()

    def had_turn(self, who: str) -> bool:
        """Say whether somebody has had a turn in this round or phase, and has not given it up to take it later."""
        return any(turn.who == who for turn in self.had)

    def is_spent(self, who: str, title: str | None, seq: int) -> bool:
        """Say whether this event is something that somebody did, and what it took was not filled since."""
        event = self.events.get(seq)
        if event is None or event.actor != who or event.kind not in ("action", "stopped"):
            return False
        done = self.enc.ruleset.catalogue(self.enc._state).get(event.action or "")
        named = title is None or (done is not None and done.title == title)
        paid = event.data.get("paid") or {}
        return named and any(self.filled.get((who, pool), 0) < seq for pool in paid)

    def all_spent(self, who: str, spent: str) -> bool:
        """Say whether all that a reason names, title and event, was done and paid by somebody."""
        named = [each.rpartition(", event ") for each in spent.split("; ")]
        return all(self.is_spent(who, title, int(seq)) for title, _, seq in named)

    def are_awaited(self, said: str) -> bool:
        """Say whether an open window waits for those named, or for so many."""
        awaited = {"the GM" if offer.who == "GM" else offer.who for offer in self.enc.pending}
        said = said.replace("The GM", "the GM")
        number = re.fullmatch(r"(\d+) combatants", said)
        return len(awaited) == int(number[1]) if number else awaited == set(re.split(", | and ", said))

    def waved_on(self, holds: Claim, words: Iterable[str]) -> bool:
        """Say whether it is so as a window that any call lets pass is let pass: what is asked then is asked of that."""
        window = self.enc._state.window
        if window is None or not window.soft:
            return False
        other = self.enc.branch(len(self.enc._events))
        other.resolve()
        return holds(Facts(other), *words)

    def has_turn_to_come(self, who: str) -> bool:
        """Say whether somebody is called in this round or phase, if all others let their turns pass."""
        other = self.enc.branch(len(self.enc._events))
        began, last = self._moment(other), len(self.enc._events)
        for _ in range(CALLS):
            try:
                if other.pending:
                    asked = next((o.choices for o in other.pending if o.who == "GM" and o.choices), None)
                    other.resolve(answer=asked[0] if asked else None)
                else:
                    other.end_turn()
            except ck.CombatkitError:  # somebody must choose first
                return False
            for event in other._events[last:]:
                if event.kind == self.begins or event.kind == "over":
                    return False
                if event.kind == "turn" and event.actor == who and event.data["place"]:
                    return True
            last = len(other._events)
            if self._moment(other) != began:
                return False
        return False

    def _moment(self, enc: ck.Encounter) -> Any:
        return enc.clock.round if self.begins == "round" else (enc.clock.round, enc.clock.phase)


def as_mapping(effect: Any) -> dict[str, Any]:
    """Give an effect of a sheet as the log writes it."""
    return effect if isinstance(effect, dict) else {"number": effect.number, "id": effect.id}


CLAIMS: tuple[tuple[str, str, Claim], ...] = (
    ("whose turn", r"[Ii]t's (?:already )?(WHO)'s (?:own )?turn", lambda f, w: f.active == w),
    ("no turn", r"[Ii]t's nobody's turn|nobody acts before step", lambda f: f.active is None),
    ("had a turn", r"(WHO) has already had a turn this", lambda f, w: f.had_turn(w)),
    ("acted", r"(WHO) has already acted(?: this turn|;)", lambda f, w: f.active == w and w in f.acted),
    ("lapsed", r"What (WHO) had (readied|held) .+ has lapsed", lambda f, w, what: not f.stands(w, what)),
    ("nothing readied", r"(WHO) has nothing (readied|held)", lambda f, w, what: not f.stands(w, what)),
    ("left", r"(WHO) has (?:already )?left", lambda f, w: w not in f.here),
    ("gone", r"(WHO) (?:isn't|is not|is no longer) in the fight", lambda f, w: w not in f.here),
    ("there", r"'(WHO)' is in the fight", lambda f, w: w in f.here),
    ("holds", r"(WHO) is (dead|unconscious|stunned|surprised|prone|unaware)\b", lambda f, w, what: f.stands(w, what)),
    ("holds not", r"(WHO) (?:is not|isn't) (prone|stunned|delaying|delayed)", lambda f, w, what: not f.stands(w, what)),
    ("none to come", r"(WHO) has no turn (?:left|to come) (?:in )?this", lambda f, w: not f.has_turn_to_come(w)),
    (
        "spent",
        r"(WHO) (?:has|already)[^(:]*(?:: | \()([^()]+, event \d+)",
        lambda f, w, spent: f.all_spent(w, spent),
    ),
    ("tried", r"(WHO) has tried: event (\d+)", lambda f, w, seq: f.is_spent(w, None, int(seq))),
    ("left of AP", r"Takes \d+ AP; (WHO) has (\d+)", lambda f, w, n: f.pools[w].get("ap", 0) == int(n)),
    ("awaited", r"Waiting for ([^:]+):", lambda f, names: f.are_awaited(names)),
    ("awaited", r"(?<=[.:?] )([^.:?]+?) must answer first", lambda f, names: f.are_awaited(names)),
    ("not begun", r"The fight has not begun", lambda f: f.stage == "setup"),
    ("over", r"The fight is over", lambda f: f.stage == "over"),
)
"""What a reason may claim, by kind: the words, with a name where WHO stands, and whether it is so."""


def claims(names: Iterable[str]) -> list[tuple[str, re.Pattern[str], Claim]]:
    """Give what can be claimed of these combatants."""
    who = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return [(kind, re.compile(rf"(?<!\w){words.replace('WHO', who)}"), holds) for kind, words, holds in CLAIMS]


def hold_against(facts: Facts, reasons: Iterable[str], told: Counter[str]) -> None:
    """Fail if a reason names what isn't so; count what was held against the log, by kind."""
    known = claims(facts.holds)
    for reason in reasons:
        for kind, words, holds in known:
            for found in words.finditer(reason):
                told[kind] += 1
                assert holds(facts, *found.groups()) or facts.waved_on(holds, found.groups()), (
                    f"{kind}, not so: {reason}"
                )
    assert not facts.denied
