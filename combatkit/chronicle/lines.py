"""The log as people read it: events become lines, bookkeeping nobody wants to read is folded away."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import convert, json

from combatkit.chronicle.bounds import SHORT, bounded, is_long
from combatkit.chronicle.open_line import OpenLine
from combatkit.chronicle.trail import Trail
from combatkit.chronicle.words import (
    Parts,
    after_colon,
    clock_time,
    dice_parts,
    is_place,
    of_several,
    said_value,
    sentence,
    sides_view,
    spaced,
    trigger_words,
)
from combatkit.engine.checks import say_names
from combatkit.engine.limits import VIEW
from combatkit.engine.model import Bid, Event, State
from combatkit.engine.params import said_trigger
from combatkit.engine.pools import ADJUSTED
from combatkit.engine.projection import MOVES, strokes
from combatkit.engine.ruleset import Ruleset
from combatkit.engine.windows import said_asked
from combatkit.text import Said

Line = dict[str, Any]
Lines = dict[str, Line]
Heads = dict[str, dict[str, str]]

KEPT = 200
"""So many lines a log's view holds; older ones are asked for."""

_ROOM = VIEW * 3 // 4
"""So many bytes the lines of a view take; older ones are asked for."""


class Chronicle:
    """Every line of a fight's log, in order; read on as events come.

    Parameters
    ----------
    rules : Ruleset
        The system, for the titles of actions and rounds.
    players : bool
        Whether what players may not know is left out: what is left of an NPC's vitals, and the GM's notes.
    whole : bool
        Whether long lines stay whole: for a document, not for what is sent again and again.
    """

    def __init__(self, rules: Ruleset, players: bool, *, whole: bool = False) -> None:
        self.rules = rules
        self.players = players
        self._whole = whole
        self.trail = Trail()
        self._sides: Mapping[str, int] = {}
        self._lines: list[Line] = []
        self._seqs: list[int] = []
        self._long: list[int] = []
        """How many lines there were with each line of more than a few words."""
        self._heads: dict[int, dict[str, str]] = {}
        self._head_seqs: list[int] = []
        self._newest: tuple[Lines, Heads] | None = None
        self._state = State()
        self._timed = False
        self._round: int | None = None
        self._began: dict[int, float] = {}
        self._npcs: dict[str, bool] = {}
        self._rolled: set[str | None] = set()
        self._idle: str | None = None
        self._open: OpenLine | None = None
        self._led: dict[str | None, str | None] = {}
        """The action, if any, whose line has said where it leads, by who does it."""

    def __len__(self) -> int:
        """Count the lines."""
        return len(self._lines)

    def read(self, events: Sequence[Event], state: State, sides: Mapping[str, int]) -> None:
        """Take in the events since the last time."""
        if self.trail.count == len(events):
            return
        self._state = state
        self._sides = sides
        self._timed = self.rules.clock(state).seconds is not None
        for event in events[self.trail.count :]:
            self.trail.take(event)
            reader = _READERS.get(event.kind)
            if reader is not None:
                reader(self, event)
        self._close()
        self._newest = None

    # ── looking things up ──

    def span(self, first: int, last: int) -> tuple[Lines, Heads]:
        """Return the lines from one number to another, and the headings they stand under."""
        return self._cut(bisect_left(self._seqs, first), bisect_right(self._seqs, last))

    def _cut(self, start: int, stop: int) -> tuple[Lines, Heads]:
        lines = self._lines[start:stop]
        if not lines:
            return {}, {}
        first = max(0, bisect_right(self._head_seqs, lines[0]["seq"]) - 1)
        last = bisect_right(self._head_seqs, lines[-1]["seq"])
        heads = {str(seq): self._heads[seq] for seq in self._head_seqs[first:last]}
        return {str(line["seq"]): line for line in lines}, heads

    def cursor(self, seq: int, past: bool = False) -> int:
        """Return the number of the line for the moment after an event; the present stands at none that is undone."""
        index = bisect_right(self._seqs, seq) - 1
        while index > 0 and not past and self._lines[index]["undone"]:
            index -= 1
        return self._seqs[index] if index >= 0 else 0

    def view(self, seq: int, past: bool = False) -> dict[str, Any]:
        """Return the log's view, with its cursor at the moment after an event."""
        if self._newest is None:
            heads = {str(head): self._heads[head] for head in self._head_seqs[-KEPT:]}
            first = max(0, len(self._lines) - KEPT)
            if self._long and self._long[-1] > first:
                sizes = [len(json.encode(line)) for line in self._lines[first:]]
                first += next(n for n in range(len(sizes) + 1) if sum(sizes[n:]) <= _ROOM)
            self._newest = {str(line["seq"]): line for line in self._lines[first:]}, heads
        return {
            "first": self._seqs[0] if self._seqs else 0,
            "last": self._seqs[-1] if self._seqs else 0,
            "cursor": self.cursor(seq, past),
            "heads": self._newest[1],
            "lines": self._newest[0],
            "newest": {"lines": KEPT, "heads": KEPT},
            "sides": sides_view(self._sides),
            "players": self.players,
        }

    # ── building lines ──

    def _told(self, said: Said) -> str:
        """Return what is said in the words of the fight's language."""
        return self.rules.language(self._state.language).render(said)

    def _put(self, event: Event, who: str | None, parts: Parts, *, gm: bool = False) -> OpenLine:
        """Begin a line: who it is about, and what is said of them."""
        self._close()
        if event.round is not None and event.round != self._round and event.kind not in MOVES:
            self._round = event.round
            self._head(event.seq, self.rules.round_label(event.round), self._began.get(event.round))
        self._open = line = OpenLine(event, who, parts, gm)
        if event.note and not self._is_secret(event):
            parts += [" ", {"note": event.note}]
        return line

    def _close(self) -> None:
        """End the newest line: nothing more comes to it."""
        line = self._open
        if line is None:
            return
        self._open = None
        parts = line.parts
        if line.names:
            line.who, parts = _told_of(line.names, parts)
        elif isinstance(parts[-1], str) and len(parts) == 1:
            parts[-1] = f"{parts[-1].rstrip('.')}."
        if line.gm:
            parts += [" ", {"quiet": "by GM"}]
        long = not self._whole and is_long(parts)
        if long:
            parts = bounded(parts)
        fighter = self._state.fighters.get(line.who) if line.who else None
        seq = line.event.seq
        self._lines.append(
            {
                "seq": seq,
                "side": self._sides.get(fighter.side) if fighter is not None else None,
                "actor": line.who or "",
                "text": parts,
                "cite": list(line.cite),
                "undone": False,
            }
        )
        self._seqs.append(seq)
        if long or len(self._lines[-1]["actor"]) > SHORT:
            self._long.append(len(self._lines))

    def _head(self, seq: int, title: str, seconds: float | None) -> None:
        self._heads[seq] = {"title": title, "time": clock_time(seconds) if self._timed else ""}
        self._head_seqs.append(seq)

    def _of_action(self, event: Event) -> OpenLine | None:
        """Return the open line of the action that an event is part of."""
        line = self._open
        return line if line is not None and line.action == (event.actor, event.action) else None

    def _line_of(self, who: str | None) -> OpenLine | None:
        """Return the open line, if it tells what somebody does."""
        line = self._open
        return line if line is not None and line.action is not None and line.action[0] == who else None

    def _fold(self, event: Event, words: str) -> None:
        """Tell what several do one after the other in one line."""
        line = self._open
        if line is None or not line.names or line.parts != [words]:
            line = self._put(event, None, [words])
        line.names.append(event.actor or "somebody")

    def _is_npc(self, name: str | None) -> bool:
        """Check whether the GM plays somebody, also one who is no longer in the fight."""
        return name is not None and self._npcs.get(name, True)

    def _is_secret(self, event: Event) -> bool:
        """Check whether players may not read an event's note: only what was said with a player's own deed is theirs."""
        return self.players and (event.by == "gm" or event.actor is None or self._is_npc(event.actor))

    def _does(self, line: OpenLine | None) -> str:
        """Say by which mechanism the action of a line is carried out."""
        if line is None or line.action is None:
            return ""
        action = self.rules.catalogue(self._state).get(line.action[1] or "")
        return action.does if action is not None else ""

    def _says_less(self, line: OpenLine) -> bool:
        """Check whether the action of a line says less than the condition it brings, which is told in its place."""
        does = self._does(line)
        return bool(does) and self.rules.mechanisms[does].says_less

    # ── one reader for each kind of event that is told ──

    def _on_quiet(self, event: Event) -> None:
        if event.text:
            words = event.text if event.actor else sentence(event.text)
            self._put(event, event.actor, [{"quiet": words}, *spaced(dice_parts(event.data))])

    def _on_encounter(self, event: Event) -> None:
        seed = "" if self.players else f", seed {event.data['seed']}"
        self._put(event, None, [{"quiet": f"{self.rules.title}{seed}"}])

    def _on_said(self, event: Event) -> None:
        self._put(event, event.actor, [sentence(event.text) if event.actor is None else event.text])

    def _on_combatant(self, event: Event) -> None:
        self._npcs[str(event.actor)] = event.data["npc"]
        if event.round is not None:
            comes = "comes back" if event.data.get("returns") else "joins"
            self._put(event, event.actor, [f"{comes}, on the {event.data['side']} side"])

    def _on_leave(self, event: Event) -> None:
        if event.round is not None:
            self._put(event, event.actor, ["leaves the fight"], gm=True)

    def _on_round(self, event: Event) -> None:
        assert event.round is not None
        self._close()
        self._round = event.round
        self._began[event.round] = event.data["seconds"]
        self._rolled.clear()
        self._head(event.seq, event.text, event.data["seconds"])

    def _on_step(self, event: Event) -> None:
        if event.data["index"] > 0:
            self._close()
            self._head(event.seq, event.text, event.data["seconds"])

    def _on_roll(self, event: Event) -> None:
        if event.data.get("purpose") == "initiative":
            self._rolled.add(event.actor)
        who, rolls, rest = event.text.partition(f"rolls {event.amount}")
        dice = dice_parts(event.data)
        told = [f"{who}rolls ", *dice, rest] if rolls and dice else [event.text, *after_colon(dice)]
        self._put(event, event.actor, told)

    def _on_initiative(self, event: Event) -> None:
        if event.actor not in self._rolled:
            self._put(event, event.actor, [event.text])

    def _on_order(self, event: Event) -> None:
        if event.by == "gm":
            self._put(event, event.actor, [event.text], gm=True)
            return
        line = self._line_of(event.actor)
        if line is None:
            return
        place = event.data["place"]
        does = self._does(line)
        if does == "delay":
            was = place.get("was")
            if place.get("waits"):
                line.say("delays" if was is None else f"delays (was {was})", event.rules)
            else:  # a system without counts to delay to says itself where one comes
                text = f"delays: {event.text}" if was is None else f"delays from {was} to {place['score']}"
                line.say(text, event.rules)
        elif does != "act_now" or not line.say(event.text):
            line.add(event.text, event.rules)

    def _on_turn(self, event: Event) -> None:
        self._idle = event.actor

    def _on_turn_end(self, event: Event) -> None:
        if self._idle == event.actor and not event.data.get("given_up"):
            self._put(event, event.actor, [{"quiet": "does nothing"}])
        self._idle = None

    def _on_turn_lost(self, event: Event) -> None:
        line = self._line_of(event.actor)
        if line is not None:
            line.add(event.text, event.rules)
        else:
            self._fold(event, event.text)

    def _on_action(self, event: Event) -> None:
        if event.actor == self._idle:
            self._idle = None
        params = event.data.get("params", {})
        text = event.text
        to = params.get("to")
        self._led[event.actor] = event.action if is_place(to) else None
        if is_place(to):
            text = f"{text} to {to if isinstance(to, str) else tuple(to)}"
        parts: Parts = [text]
        trigger = params.get("trigger")
        if trigger and "action" in params and not (self.players and self._is_npc(event.actor)):
            actions = self.rules.catalogue(self._state)
            keeps, chosen = actions.get(event.action or ""), actions.get(params["action"])
            verb = "readies" if keeps is None else keeps.facts.get("verb", "readies")
            title = chosen.title.lower() if chosen is not None else str(params["action"])
            aim = f", aimed at {event.target}" if event.target else ""
            parts = [f"{verb} {title}{aim}: ", {"note": trigger_words(self._told(said_trigger(trigger, actions)))}]
        self._put(event, event.actor, parts)

    def _on_attack(self, event: Event) -> None:
        dice = dice_parts(event.data)
        outcome = event.data.get("outcome")
        said: Parts = [*after_colon(dice), *([f"{',' if dice else ':'} {outcome}"] if outcome else [])]
        if "roll" in event.data:  # dice thrown before, to which help has come
            said = [f": comes to {event.data['total']}", *([f", {outcome}"] if outcome else [])]
        line = self._of_action(event)
        if line is not None and line.event.target == event.target:
            line.parts += said
        else:
            action = self.rules.catalogue(self._state).get(event.action or "")
            verb = action.verb if action is not None and action.verb else "attacks"
            self._put(event, event.actor, [f"{verb} {event.target}", *said])

    def _on_damage(self, event: Event) -> None:
        if self.players and self._is_npc(event.target):
            self._put(event, event.target, ["is hurt"])
        else:
            head, comma, rest = event.text.partition(", ")
            dice = dice_parts(event.data)
            told: Parts = [f"{head} (", *dice, f"){comma}{rest}"] if dice else [event.text]
            self._put(event, event.target, told, gm=event.by == "gm")

    def _on_vital(self, event: Event) -> None:
        if self.players and self._is_npc(event.target):
            self._put(event, event.target, ["is hurt" if (event.amount or 0) < 0 else "recovers"])
        else:
            self._put(event, event.target, [event.text], gm=event.by == "gm")

    def _on_refresh(self, event: Event) -> None:
        if event.data.get("at") == ADJUSTED:  # what a boundary fills is not told
            self._put(event, event.target, [event.text], gm=True)

    def _on_progress(self, event: Event) -> None:
        line = self._of_action(event)
        if line is not None:
            line.parts += [" ", {"quiet": f"{event.data['done']} of {event.data['total']}"}]
        else:
            self._put(event, event.actor, [event.text])

    def _on_effect(self, event: Event) -> None:
        data = event.data
        line = self._line_of(event.target)
        if line is not None and self._says_less(line) and line.say(event.text):
            return
        by_another = data.get("watches") or data["id"] in self.rules.told["begin"]
        told = data["id"] == "left" or (event.by != "gm" and by_another)
        if not told:
            text = event.text
            word = data["id"].replace("_", " ")
            if text in (f"is {word}", f"has {word}") and (self.rules.is_had(data["id"]) or "value" in data):
                text = f"has {word}{said_value(data.get('value'))}"
            self._put(event, event.target, [text], gm=event.by == "gm")

    def _on_effect_end(self, event: Event) -> None:
        id = event.data["id"]
        line = self._line_of(event.target)
        does = self._does(line)
        if event.by == "gm":
            self._put(event, event.target, [event.text], gm=True)
        elif line is not None and does == "use":
            line.say(event.text)
        elif does != "ready" and not self._end_is_told(id, event.text):
            self._put(event, event.target, [{"quiet": event.text}])

    def _end_is_told(self, id: str, text: str) -> bool:
        """Check whether another line tells that rules end a condition, or nothing has to."""
        told = self.rules.told
        return id in told["end"] or (id in told["lapse"] and text == f"is no longer {id}")

    def _on_move(self, event: Event) -> None:
        if event.action is None or self._led.get(event.actor) != event.action:  # of a path each step is told
            self._put(event, event.actor, [event.text], gm=event.by == "gm")

    def _on_trigger(self, event: Event) -> None:
        text = event.text.removeprefix(f"{event.actor} ") if event.actor else sentence(event.text)
        self._put(event, event.actor, [text], gm=True)

    def _on_window(self, event: Event) -> None:
        bids = [convert(bid, Bid) for bid in event.data.get("bids", ())]
        words = self._told(said_asked(bids)) if bids else event.text
        who = None if bids or event.data.get("question") else event.actor
        self._put(event, who, [{"quiet": words if who else sentence(words)}])

    def _on_answer(self, event: Event) -> None:
        if event.data.get("declined"):
            self._fold(event, event.text)

    def _on_window_end(self, event: Event) -> None:
        if event.data.get("answer") is not None:
            self._put(event, None, [f"The GM answers: {event.data['answer']}"])
        elif event.note and not self._is_secret(event):
            self._put(event, None, [{"quiet": sentence(event.text)}])

    def _on_moved(self, event: Event) -> None:
        """Strike the lines of calls that were taken back, or take the stroke off again."""
        self._close()
        for seqs, undone in strokes(event):
            for index in range(bisect_left(self._seqs, seqs.start), bisect_left(self._seqs, seqs.stop)):
                self._lines[index] = {**self._lines[index], "undone": undone}
        self._on_quiet(event)


def _told_of(names: list[str], parts: Parts) -> tuple[str | None, Parts]:
    """Say what was folded into one line: of one as usual, of several by their names."""
    words = str(parts[0])
    if len(names) == 1:
        return names[0], [{"quiet": words}, *parts[1:]]
    return None, [{"quiet": f"{of_several(words)}: {say_names(names)}"}, *parts[1:]]


_READERS: dict[str, Callable[[Chronicle, Event], None]] = {
    "encounter": Chronicle._on_encounter,
    "table": Chronicle._on_quiet,
    "combatant": Chronicle._on_combatant,
    "leave": Chronicle._on_leave,
    "begin": Chronicle._on_said,
    "initiative": Chronicle._on_initiative,
    "order": Chronicle._on_order,
    "round": Chronicle._on_round,
    "step": Chronicle._on_step,
    "turn": Chronicle._on_turn,
    "turn_end": Chronicle._on_turn_end,
    "turn_lost": Chronicle._on_turn_lost,
    "action": Chronicle._on_action,
    "stopped": Chronicle._on_said,
    "progress": Chronicle._on_progress,
    "roll": Chronicle._on_roll,
    "attack": Chronicle._on_attack,
    "damage": Chronicle._on_damage,
    "vital": Chronicle._on_vital,
    "refresh": Chronicle._on_refresh,
    "effect": Chronicle._on_effect,
    "effect_end": Chronicle._on_effect_end,
    "move": Chronicle._on_move,
    "trigger": Chronicle._on_trigger,
    "window": Chronicle._on_window,
    "answer": Chronicle._on_answer,
    "window_end": Chronicle._on_window_end,
    "fact": Chronicle._on_quiet,
    "undo": Chronicle._on_moved,
    "redo": Chronicle._on_moved,
    "over": Chronicle._on_said,
}
"""How each kind of event is told; a kind that is missing is bookkeeping, and is not."""
