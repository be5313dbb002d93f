"""The lines of a log put together to be read through: sections per round, a passage per turn, clauses per line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from combatkit.core.curtain import NOBODY, Names
from combatkit.core.model import Event, State
from combatkit.core.timeline import Line as Held
from combatkit.core.timeline import in_turns
from combatkit.report.lines import LogLines
from combatkit.report.shapes import Line
from combatkit.report.words import of_several
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.shapes import Parts
from combatkit.rules.weapons import said_spot
from combatkit.text import Language, say
from combatkit.text.phrases import capital

_DICE = re.compile(r"-?\d+[dD]\d*(?:[+-]\d+[dD]\d*)* \Z")
"""The part of a line that a roll begins with, as systems write dice: 2d8, 4D, 1d6+1d4."""


class Clause(NamedTuple):
    """What one line says of somebody, and the rules it rests on."""

    who: str | None
    parts: Parts
    rules: tuple[str, ...] = ()
    undone: bool = False
    kind: str = ""
    goal: str = ""
    """Where a move leads."""

    @property
    def has_dice(self) -> bool:
        """Whether faces stand in it."""
        return any(isinstance(part, dict) and "die" in part for part in self.parts)


class Passage(NamedTuple):
    """What belongs together: somebody's turn, or what happened between turns."""

    owner: str | None
    clauses: list[Clause]


class Section(NamedTuple):
    """A heading and what stands under it; a round is of level 2, a step of it 3."""

    level: int
    title: str
    time: str
    undone: bool
    passages: list[Passage]


def sections(
    rules: Ruleset,
    events: Sequence[Event],
    begins: Callable[[int], bool],
    state: State,
    guises: Names = NOBODY,
    *,
    players: bool = False,
) -> list[Section]:
    """Return a log as sections.

    Parameters
    ----------
    rules : Ruleset
        The system.
    events : sequence of Event
        Those to be told, in order; what is undone among them is marked as such.
    begins : callable
        Says of an event's number whether a call begins with it.
    state : State
        Where the fight stands, for the titles of actions and whose side everybody is on.
    guises : Names
        What finds the names that players do not know at their end.
    players : bool
        Whether what players may not know is left out.

    Returns
    -------
    list of Section
        Without headings that nothing stands under.
    """
    log_lines = LogLines(rules, players, whole=True)
    log_lines.read(events, begins, state, {}, guises)
    lines, heads = log_lines.span(0, events[-1].seq if events else 0)
    by_seq = {event.seq: (event, turn) for event, turn in in_turns(events)}
    held = Held(events)
    built = [Section(2, log_lines.told(say("document.before")), "", False, [])]
    starts = sorted(int(seq) for seq in heads)
    last: Event | None = None
    for line in lines.values():
        event, turn = by_seq[line["seq"]]
        while starts and starts[0] <= event.seq:
            seq = starts.pop(0)
            level = 3 if by_seq[seq][0].kind == "step" else 2
            head = heads[str(seq)]
            built.append(Section(level, head["title"], head["time"], not held.holds(seq), []))
            last = None
        clause = _clause(event, line)
        if clause is None:
            continue
        passages = built[-1].passages
        if not passages or turn is not last:
            passages.append(Passage(turn.actor if turn else None, []))
            last = turn
        clauses = passages[-1].clauses
        clauses.append(_following(clauses[-1], clause) if clauses else clause)
    told = [section._replace(passages=_gathered(section.passages, log_lines.language)) for section in built]
    return [section for i, section in enumerate(told) if section.passages or _has_steps(told[i + 1 :], section.level)]


def _has_steps(rest: Sequence[Section], level: int) -> bool:
    """Check whether something is told in the steps under a heading."""
    return any(section.passages for section in takewhile(lambda section: section.level > level, rest))


# ── clauses ──


def _clause(event: Event, line: Line) -> Clause | None:
    """Return a line as a clause, or None if nobody would want to read it again."""
    if _is_passing(event, line["text"]):
        return None
    who = line["actor"] or None
    parts = _punctuated(line["text"])
    goal = said_spot(event._data["to"]) if event.kind == "move" else ""
    return Clause(who, parts, tuple(line["cite"]), line["undone"], event.kind, goal)


def _following(last: Clause, clause: Clause) -> Clause:
    """Leave out of a question who does what, where the clause before it says that."""
    (first, *rest), known = clause.parts, f"{last.who} {last.parts[0]}: "
    asked = str(first.get("quiet", "")) if clause.kind == "window" and isinstance(first, dict) else ""
    left = asked.removeprefix(known)
    return clause if left == asked else clause._replace(parts=[{"quiet": capital(left)}, *rest])


def _is_passing(event: Event, parts: Parts) -> bool:
    """Check whether a line only helps along the fight as it is played: who may answer."""
    if event.kind in ("encounter", "answer"):
        return True
    if event.kind == "window":
        return bool(event._data.get("bids"))
    quiet = all(isinstance(part, dict) and "quiet" in part for part in parts)
    return event.kind == "fact" and quiet and event.actor is None


def _punctuated(parts: Parts) -> Parts:
    """Separate by commas and colons what a line shows side by side; the full stop is the sentence's."""
    said: Parts = []
    rolls = 0
    for part in parts:
        if isinstance(part, dict) and "note" in part and said:
            _trim(said)
            said.append(" " if str(said[-1]).endswith(":") else ", ")
        elif isinstance(part, dict) and "quiet" in part and len(parts) > 1:
            _trim(said, ". ")
            said.append({"quiet": f" ({part['quiet']})"})
            continue
        elif isinstance(part, str) and _DICE.match(part) and said and not str(said[-1]).endswith("("):
            _trim(said)
            rolls += 1
            if not str(said[-1]).endswith((":", ";", ",")):
                said.append(": " if rolls == 1 else "; ")
            else:
                said.append(" ")
        said.append(part)
    if said and isinstance(said[-1], str):
        said[-1] = said[-1].removesuffix(".")
    return said


def _trim(said: Parts, off: str = " ") -> None:
    """Strip spaces, or other characters, from the end."""
    while said and isinstance(said[-1], str) and said[-1].endswith(tuple(off)):
        said[-1] = said[-1].rstrip(off)
        if not said[-1]:
            said.pop()


# ── passages ──


def _gathered(passages: Sequence[Passage], language: Language) -> list[Passage]:
    """Tell in one clause what several did alike, one after the other."""
    runs: list[tuple[str | None, list[Clause], bool]] = []
    for passage in passages:
        clauses = _joined(passage.clauses, language)
        lone = len(clauses) == 1 and not clauses[0].has_dice and clauses[0].who is not None
        if lone and runs and runs[-1][2] and _same(runs[-1][1], clauses[0]):
            runs[-1][1].append(clauses[0])
        else:
            runs.append((passage.owner, clauses, lone))
    return [_told_once(run, language) if lone else Passage(owner, run) for owner, run, lone in runs]


def _told_once(alike: Sequence[Clause], language: Language) -> Passage:
    clause = _together(alike, language)
    return Passage(clause.who, [clause])


def _joined(clauses: Sequence[Clause], language: Language) -> list[Clause]:
    """Put together neighbours that say the same of several, or steps of one way."""
    runs: list[list[Clause]] = []
    for clause in clauses:
        run = runs[-1] if runs else []
        one = _in_one(run[0], clause) if len(run) == 1 else None
        if one is not None:
            run[0] = one
        elif run and clause.who is not None and _same(run, clause):
            run.append(clause)
        else:
            runs.append([clause])
    return [_together(run, language) for run in runs]


def _same(run: Sequence[Clause], clause: Clause) -> bool:
    """Check whether a clause says of somebody else what those of a run say, each of another."""
    last = run[-1]
    if last.parts != clause.parts or last.undone != clause.undone or last.has_dice:
        return False
    return clause.who not in [each.who for each in run]


def _together(clauses: Sequence[Clause], language: Language) -> Clause:
    if len(clauses) == 1:
        return clauses[0]
    first = clauses[0]
    lead: Any = first.parts[0]
    key = next(iter(lead)) if isinstance(lead, dict) else ""
    names = [clause.who or "" for clause in clauses]
    text = of_several(str(lead[key]) if key else lead, names, language)
    told: Any = {key: text} if key else text
    rules = tuple(dict.fromkeys(rule for clause in clauses for rule in clause.rules))
    return Clause(None, [told, *first.parts[1:]], rules, first.undone, first.kind)


def _in_one(one: Clause, other: Clause) -> Clause | None:
    """Tell in one what goes on: steps of a way, "moves to (2, 0), (2, 1)", and a declared attack that is rolled."""
    if one.who != other.who or one.undone != other.undone:
        return None
    (first, *paid), then = one.parts, other.parts[0]
    if not (isinstance(first, str) and isinstance(then, str)):
        return None
    rules = tuple(dict.fromkeys((*one.rules, *other.rules)))
    how_far = all(isinstance(each, dict) and "quiet" in each for each in paid)
    if one.kind == "action" and other.kind == "attack" and then == first and how_far:
        return other._replace(parts=[first, *paid, *other.parts[1:]], rules=rules)
    if paid:
        return None
    step = one.kind == other.kind == "move" and len(other.parts) == 1
    if step and first.startswith(then.removesuffix(other.goal)):
        return one._replace(parts=[f"{first}, {other.goal}"], rules=rules)
    return None
