"""The log as people read it: events become lines, and bookkeeping that nobody wants to read is folded away."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from combatkit.core.curtain import NOBODY, VITAL_WORDS, VITALS, Names, asks_seen, said_about
from combatkit.core.model import Bid, Event, State, window_of
from combatkit.core.timeline import MOVES, strokes, taken_out
from combatkit.report.bounds import bounded
from combatkit.report.index import LogIndex
from combatkit.report.open_line import OpenLine
from combatkit.report.shapes import Head, Heads, Line, Lines, LogPage
from combatkit.report.telling import READERS
from combatkit.report.veil import Veil
from combatkit.report.words import (
    FAILS,
    clock_time,
    dice_parts,
    of_several,
    sides_view,
)
from combatkit.rules.catalogue import Action
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.shapes import Parts
from combatkit.text import SEVERAL, Language, Said, Title, say
from combatkit.text.phrases import capital

KEPT = 60
"""How many lines a log's view holds; older ones are asked for."""


class LogLines:
    """Every line of a fight's log, in order; read on as events come.

    Parameters
    ----------
    rules : Ruleset
        The system, for the titles of actions and rounds.
    players : bool
        Whether what players may not know is left out: what is left of an NPC's vitals, the GM's
        notes and secrets.
    own : collection of str
        Whom those who read play: of them they may know all, also of NPCs.
    whole : bool
        Whether long lines stay whole: for a document, not for what is sent again and again.
    """

    def __init__(self, rules: Ruleset, players: bool, *, own: Collection[str] = (), whole: bool = False) -> None:
        self.rules = rules
        self.players = players
        self._own = own
        self._whole = whole
        self.index = LogIndex()
        self._sides: Mapping[str, int] = {}
        self.lines: list[Line] = []
        self.seqs: list[int] = []
        self._tells: dict[int, tuple[int, ...]] = {}
        self._heads: dict[int, Head] = {}
        self._newest: tuple[Lines, Heads] | None = None
        self._told: tuple[object, int, list[int]] | None = None
        self._veil = Veil()
        self._never: frozenset[int] = frozenset()
        self._has_left = False
        self.state = State()
        self._timed = not rules.length_option
        self.round: int | None = None
        self._struck: set[int] = set()
        """The events of headings that an undo has struck out."""
        self._resumed: Head | None = None
        """The heading of the moment that the last undo or redo led to, if the newest is another."""
        self.began: dict[int, float] = {}
        self.rolled: set[str | None] = set()
        self.fell: dict[str | None, int] = {}  # who can't act, and the event that told it
        self.idle: str | None = None
        self._open: OpenLine | None = None
        self._unasked: set[int] = set()
        self.in_full: tuple[str | None, str | None] | None = None
        """The attack over several turns that was last told to be paid in full, before its blow."""
        self.asked: list[Bid] = []
        """What the last window that was opened or widened asks, of those whom those who read see."""
        self._noticed: set[tuple[str | None, str | None]] = set()
        """Who does what about which somebody was asked whom those who read see."""
        self.unnamed: set[int] = set()
        """The blows that are told without whose they are."""

    def read(
        self,
        events: Sequence[Event],
        begins: Callable[[int], bool],
        state: State,
        sides: Mapping[str, int],
        guises: Names = NOBODY,
    ) -> None:
        """Take in the calls since the last time, and which names are not known at their end.

        A line tells of one call, however many are read at once: what `begins` a call ends the line before.
        """
        if self.index.count == len(events):
            return
        self.state = state
        self._sides = sides
        moved = False
        for event in events[self.index.count :]:
            self._has_left = self._has_left or (event.kind == "leave" and event.round is None)
            moved = moved or (event.kind in (*MOVES, "leave") and self._has_left)
            if begins(event.seq):
                self.close()
            self.index.take(event)
            if self.players:
                self._veil.begin(event, self.index, events)
            line, reader = self._open, READERS.get(event.kind)
            if reader is not None:
                reader(self, event)
            if line is not None and line is self._open:
                line.goes_on(event)
            if event.kind in MOVES:
                self._resume(event)
            if self.players:
                if self._veil.now:
                    self._notice(event)
                self._veil.end(event)
        self.close()
        if self.players:
            self._veil.stand(state, self.told(say("group.of", name="{name}")), guises)
        if moved:
            self._never = frozenset(self._of_nobody(events))
        self._newest = None

    def _notice(self, event: Event) -> None:
        """Tell what an attack from hiding came to where somebody was asked about it, and not whose it is."""
        if event.kind == "window" and self.asked and (act := event._data.get("act")):
            self._noticed.add((act["who"], act["action"]))
        elif event.kind == "action":
            self._noticed.discard((event.actor, event.action))
        elif event.kind == "attack" and event.target and not self.sees(str(event.actor)):
            outcome = event._data.get("outcome")
            if outcome and (event.actor, event.action) in self._noticed:
                self.unnamed.add(event.seq)
                self.put(
                    event, event.target, [self.told(say("log.attacked", outcome=Title(FAILS.get(outcome, outcome))))]
                )

    def _of_nobody(self, events: Sequence[Event]) -> Iterator[int]:
        """Yield the numbers of lines that speak of those who were taken out before the fight began."""
        for who, first, last in taken_out(events, self.index):
            names = Names((who,), {*self.state.fighters} - {who})
            for line in self.lines[bisect_left(self.seqs, first) : bisect_right(self.seqs, last)]:
                if names.within([line["actor"], line["text"]]):
                    yield line["seq"]

    def _shown(self, lines: Sequence[Line]) -> list[Line]:
        """Return the lines without what nobody, or no player, may read."""
        return self._veil.shown([line for line in lines if line["seq"] not in self._never] if self._never else lines)

    # ── looking things up ──

    def span(self, first: int, last: int) -> tuple[Lines, Heads]:
        """Return the lines from one number to another, and the headings they stand under."""
        lines = self._shown(self.lines[bisect_left(self.seqs, first) : bisect_right(self.seqs, last)])
        if not lines:
            return {}, {}
        seqs = list(self._heads)
        above = max(0, bisect_right(seqs, lines[0]["seq"]) - 1)
        heads = {str(seq): self._heads[seq] for seq in seqs[above : bisect_right(seqs, lines[-1]["seq"])]}
        return {str(line["seq"]): line for line in lines}, heads

    def page(self, first: int, last: int) -> tuple[Lines, Heads]:
        """Return lines by the numbers they are shown under, and their headings.

        To the GM a line has its event's number; to players their own lines are numbered among themselves, so that
        nobody can count what they are not told.
        """
        if not self.players:
            return self.span(first, last)
        seqs = self.shown[max(0, first - 1) : max(0, last)]
        return self._numbered(*self.span(seqs[0], seqs[-1])) if seqs else ({}, {})

    @property
    def last(self) -> int:
        """The number under which the newest line is shown."""
        return len(self.shown) if self.players else (self.seqs[-1] if self.seqs else 0)

    def number(self, seq: int) -> int:
        """Return the number under which a line is shown; of other events, that of the last line up to there."""
        number = bisect_right(self.shown, seq)
        return number if self.players else self.shown[number - 1] if seq in self._never and number else seq

    @property
    def shown(self) -> list[int]:
        """The events of all lines that are told, in order: in the players' view of none that names somebody hidden."""
        by = (self._veil.by, self._never)
        if by == (None, frozenset()):
            return self.seqs
        if self._told is None or self._told[0] != by:
            self._told = (by, 0, [])
        _, count, seqs = self._told
        seqs += [line["seq"] for line in self._shown(self.lines[count:])]
        self._told = (by, len(self.lines), seqs)
        return seqs

    def _numbered(self, lines: Lines, heads: Heads) -> tuple[Lines, Heads]:
        own: Lines = {}
        for line in lines.values():
            number = self.number(line["seq"])
            own[str(number)] = {**line, "seq": number, "actor": capital(line["actor"])}
        return own, {str(self.number(int(seq) - 1) + 1): head for seq, head in heads.items()}

    def tells(self, line: Line) -> tuple[int, ...]:
        """Return the numbers of the events that a line tells: the one it begins with, and those put into it."""
        return (line["seq"], *self._tells.get(line["seq"], ()))

    def told_in(self, lines: Iterable[Line]) -> set[int]:
        """Return the numbers of all events that lines tell."""
        told = {line["seq"] for line in lines}
        return told.union(*[self._tells[seq] for seq in told if seq in self._tells])

    def cursor(self, seq: int, past: bool = False) -> int:
        """Return the number of the line for the moment after an event; the present stands at none that is undone."""
        index = bisect_right(self.seqs, seq) - 1
        while index > 0 and not past and self.lines[index]["undone"]:
            index -= 1
        return self.seqs[index] if index >= 0 else 0

    def view(self, seq: int, past: bool = False) -> LogPage:
        """Return the log's view, with its cursor at the moment after an event."""
        shown = self.shown
        if self._newest is None:
            heads = {str(head): self._heads[head] for head in list(self._heads)[-KEPT:]}
            newest = {str(line["seq"]): line for line in self._shown(self.lines[-KEPT:])}
            self._newest = self._numbered(newest, heads) if self.players else (newest, heads)
        cursor = self.cursor(seq, past)
        return {
            "first": (1 if self.players else shown[0]) if shown else 0,
            "last": self.last,
            "cursor": self.number(cursor),
            "heads": self._newest[1],
            "lines": self._newest[0],
            "newest": {"lines": KEPT, "heads": KEPT},
            "sides": sides_view(self._sides),
            "players": self.players,
        }

    # ── building lines ──

    @property
    def language(self) -> Language:
        """What the fight is told in."""
        return self.rules.languages[self.state.language]

    def told(self, said: Said) -> str:
        """Return what is said in the words of the fight's language."""
        return self.language.render(said)

    def dice(self, event: Event) -> Parts:
        """Return what was rolled, as the fight's language writes dice."""
        return dice_parts(event._data, self.language)

    def put(self, event: Event, who: str | None, parts: Parts, *, gm: bool = False) -> OpenLine:
        """Begin a line: who it is about, and what is said of them."""
        self.close()
        if self._resumed is not None and event.kind not in MOVES:
            self._heads[event.seq], self.round = self._resumed, event.round
            self._resumed = None
        elif event.round is not None and event.round != self.round and event.kind not in MOVES:
            self.round = event.round
            self.head(event.seq, self.told(self.rules.said_round(event.round)), self.began.get(event.round))
        self._open = line = OpenLine(event, who, parts, gm)
        line.veil = self._veil.now
        if event.target and event.target != who:  # whom it is done to, named or not
            line.about = event.target
        if event.note and not self.is_secret(event):
            parts += [" ", {"note": event.note}]
        return line

    def before(self, event: Event, kind: str) -> Event | None:
        """Return the event just before, if it is of a kind, about the same condition, and the newest line tells it."""
        before = None if self._open is None else self._open.event
        if before is None or (before.seq, before.kind) != (event.seq - 1, kind):
            return None
        return before if before._data["id"] == event._data["id"] else None

    def drop_told_by(self, event: Event) -> Event | None:
        """Leave out the newest line, if what stops somebody says just that anew; return what befell them then."""
        line = self._open
        if line is None or line.who != event.actor or not event._data.get("itself"):
            return None
        if line.event.kind != "effect" or line.event._data["id"] not in self.rules.incapable - {"left"}:
            return None
        self._open = None
        return line.event

    def close(self) -> None:
        """End the newest line: nothing more comes to it."""
        line = self._open
        if line is None:
            return
        self._open = None
        parts = line.parts
        if line.names:
            line.who, parts = _told_of(line.names, parts, self.language)
        elif isinstance(parts[-1], str) and len(parts) == 1:
            parts[-1] = parts[-1].rstrip(".") + ("" if line.gm else ".")
        if line.gm:
            parts += [" ", {"quiet": self.told(say("log.by_gm"))}]
        told = [line.who or "", parts, line.about]
        if any(names and names.within(told) for names in (line.veil, self._veil.now)):
            return
        fighter = self.state.fighters.get(line.who) if line.who else None
        side = fighter.side if fighter is not None else self._veil.side_of(line.who)
        seq = line.event.seq
        if line.tells:
            self._tells[seq] = tuple(line.tells)
        if line.about:
            self._veil.about[seq] = line.about
        entry: Line = {
            "seq": seq,
            "side": None if side is None else self._sides.get(side),
            "actor": line.who or "",
            "text": parts if self._whole else bounded(parts),
            "cite": list(line.cite),
            "undone": False,
        }
        if line.event.kind in ("undo", "redo"):
            entry["moved"] = True
        if line.done != seq and not self.players:
            entry["done"] = line.done
        self.lines.append(entry)
        self.seqs.append(seq)

    def _resume(self, event: Event) -> None:
        """Let what comes after an undo or redo stand under the heading of the moment that it leads to."""
        for span, struck in strokes(event):
            within = {seq for seq in self._heads if seq in span}
            self._struck = self._struck | within if struck else self._struck - within
        calls = event._data["calls"]
        at = min(first for first, _ in calls) - 1 if event.kind == "undo" else max(last for _, last in calls)
        standing = [head for seq, head in self._heads.items() if seq <= at and seq not in self._struck]
        self._resumed = standing[-1] if standing and standing[-1] != [*self._heads.values()][-1] else None

    def head(self, seq: int, title: str, seconds: float | None) -> None:
        """Begin a part of the log under a heading."""
        self.close()
        self._resumed = None
        self._heads[seq] = {"title": title, "time": clock_time(seconds) if self._timed else ""}

    def of_action(self, event: Event) -> OpenLine | None:
        """Return the open line of the action that an event is part of."""
        line = self._open
        return line if line is not None and line.action == (event.actor, event.action) else None

    def line_of(self, who: str | None) -> OpenLine | None:
        """Return the open line, if it tells what somebody does."""
        line = self._open
        return line if line is not None and line.action is not None and line.action[0] == who else None

    def unstruck(self) -> OpenLine | None:
        """Return the open line, if it tells an attack of which no blow has been told yet."""
        line, action = self._open, self.done(self._open)
        return line if line is not None and action is not None and "attack" in action.tags and not line.struck else None

    def fold(self, event: Event, words: str) -> None:
        """Tell what several do one after the other in one line."""
        if self._veil.now.within(event.actor):
            return
        line = self._open
        if line is None or not line.names or line.parts != [words]:
            line = self.put(event, None, [words])
        line.names.append(event.actor or self.told(say("trigger.somebody")))
        line.done = event.seq

    def is_npc(self, name: str | None) -> bool:
        """Check whether the GM plays somebody, even if they are no longer in the fight, and those who read do not."""
        return name is not None and name not in self._own and self._veil.is_npc(name)

    def sees(self, name: str) -> bool:
        """Check whether those who read are shown somebody as the log stands here."""
        return name not in self._veil.now.hidden

    def sees_asked(self, event: Event) -> bool:
        """Check whether those who read see whom a window asks, or about whom its question is; note if they don't."""
        sees = not self._veil.now or asks_seen(self._veil.now.hidden, window_of(event))
        if not sees:
            self._unasked.add(event.seq)
        return sees

    def tells_asked(self, window: int) -> bool:
        """Check whether it is told what a window has asked, and so what is answered."""
        return window not in self._unasked

    def said_about(self, event: Event) -> str:
        """Say what a window asks: of several whom those who read may not all see, as if there were no others."""
        about = window_of(event).about
        told = said_about(self._veil.now, window_of(event), event._data.get("act", {}).get("targets", ()))
        return event.text if told == about else self.language.several(told)

    @property
    def withholds(self) -> bool:
        """Whether there has been anybody whom players are not told all of."""
        return self.players and self._veil.has_held

    def hides_numbers(self, name: str | None) -> bool:
        """Check whether players may not know what somebody has lost or has left."""
        told = self.state.options.get(VITAL_WORDS) == VITALS[2] or self._veil.reveals(name)
        return self.players and self.is_npc(name) and not told

    def is_secret(self, event: Event) -> bool:
        """Check whether players may not read an event's note: only what was said with a player's own deed is theirs."""
        return self.players and (event.by == "gm" or event.actor is None or self.is_npc(event.actor))

    def keeps(self, condition: str) -> bool:
        """Check whether a condition is kept from players."""
        return self.players and self.rules.keeps(self.state, condition)

    def does(self, line: OpenLine | None) -> str:
        """Say by which mechanism the action of a line is carried out."""
        action = self.done(line)
        return action.does if action is not None else ""

    def done(self, line: OpenLine | None) -> Action | None:
        """Return the action that a line tells, if it tells one."""
        if line is None or line.action is None:
            return None
        return self.rules.catalogue(self.state).get(line.action[1] or "")

    def says_less(self, line: OpenLine) -> bool:
        """Check whether the action of a line says less than the condition it brings, which is told in its place."""
        does = self.does(line)
        return bool(does) and self.rules.mechanisms[does].says_less


def _told_of(names: list[str], parts: Parts, language: Language) -> tuple[str | None, Parts]:
    """Say what was folded into one line: for one combatant as usual, for several by their names."""
    words = str(parts[0])
    if len(names) == 1:
        return names[0], [{"quiet": words}, *parts[1:]]
    some = names if len(names) <= SEVERAL else [language.write(names)]
    return None, [{"quiet": of_several(words, some, language)}, *parts[1:]]
