"""One fight of many: how it is made, by which seed, and what is noted of it, as plain columns.

Nothing here needs polars or NumPy, so that it runs in any worker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from combatkit.core.dice import face
from combatkit.core.model import Event
from combatkit.core.timeline import as_added, begins_as, in_turns, unaware_of
from combatkit.errors import UnknownName
from combatkit.fight.fight import Encounter
from combatkit.fight.view import View
from combatkit.registry import add_ruleset, ruleset
from combatkit.rules.counts_as import counted_as
from combatkit.rules.ruleset import Ruleset
from combatkit.simulation.play import Played, play
from combatkit.tactics import Tactic
from combatkit.text import spoken

Tactics = Tactic | Mapping[str, Tactic]

_WORD = 1 << 32


def seed_of(seed: int, number: int) -> int:
    """Return the seed of one fight of many.

    The first fight's is the seed itself, so that a fight is played again alone by its own. Fight ``i`` has two faces of
    a die with 2**32 sides, thrown with that seed, less one each: ``face(seed, 2 * i)`` above ``face(seed, 2 * i + 1)``;
    see `combatkit.core.dice`.

    Parameters
    ----------
    seed : int
        The seed of all fights.
    number : int
        Which fight, from 0.

    Returns
    -------
    int
        From 0 to 2**64 - 1.

    Examples
    --------
    >>> [seed_of(7, number) for number in range(3)]
    [7, 16616101746187103088, 8346079844791664262]
    """
    if number == 0:
        return seed
    return (face(seed, 2 * number, _WORD) - 1) * _WORD + face(seed, 2 * number + 1, _WORD) - 1


class Setup:
    """What a fight is made of, to be made again and again with other seeds, in other processes too.

    Parameters
    ----------
    encounter : View
        A fight with the same combatants, options, tables and surprise; whether it has begun makes no difference.

    Examples
    --------
    >>> import combatkit as ck
    >>> setup = Setup(ck.scene("catwalk").encounter("saga", seed=7))
    >>> setup.encounter(8)
    <Encounter saga-8: Round 1, Vex's turn, 5 combatants>
    """

    def __init__(self, encounter: View) -> None:
        begin = next((e for e in reversed(encounter._events) if e.kind == "begin"), None)
        begun = begin is not None and encounter._state.stage != "setup"
        state = encounter._state
        if begin is not None and begun and isinstance(encounter, Encounter):
            state = encounter.at(begin.seq)._state
        added = as_added(encounter._events)
        surprised = tuple(begin._data["surprised"]) if begin is not None and begun else ()
        marked = {*unaware_of(encounter._events)}.difference(surprised)  # before it began
        rules = encounter.ruleset
        self._saved: dict[str, Any] = {
            "ruleset": rules.id,
            "folder": str(rules.folder),
            "kind": None if _is_known(rules) else type(rules),
            "made": {
                "options": state.options,
                "map": state.map,
                "tables": state.tables,
                "language": spoken(state.language, rules.folder),
            },
            "people": [
                (name, begins_as({**added[name]._data, "position": fighter.position}, surprised=name in marked))
                for name, fighter in state.fighters.items()
            ],
            "surprised": surprised,
        }
        self._model = self._make(rules)

    def _make(self, rules: Ruleset) -> Encounter:
        enc = Encounter(rules, id=f"{rules.id}-0", seed=0, **self._saved["made"])
        enc._bring_all(self._saved["people"])
        return enc

    @property
    def ruleset(self) -> Ruleset:
        """The system."""
        return self._model.ruleset

    def encounter(self, seed: int) -> Encounter:
        """Return the fight with a seed, just begun."""
        enc = self._model.restart(seed, id=f"{self._model.ruleset.id}-{seed}")
        enc.start(surprised=self._saved["surprised"])
        return enc

    def __getstate__(self) -> dict[str, object]:
        """Pickle what the fight is made of, not what has happened in it."""
        return self._saved

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Make it of what was pickled; a ruleset that no registry knows here is added, or made of its class."""
        self._saved = saved
        try:
            rules = ruleset(saved["ruleset"]) if saved["kind"] is None else saved["kind"]()
        except UnknownName:
            rules = add_ruleset(saved["folder"])
        self._model = self._make(rules)


def _is_known(rules: Ruleset) -> bool:
    """Check whether the id of a ruleset, or its folder, brings it elsewhere: not if another has its id."""
    try:
        return type(ruleset(rules.id)) is type(rules)
    except UnknownName:
        return True


class Bounds(NamedTuple):
    """When a fight is over, if no side is down before: after so many rounds, or game seconds."""

    rounds: int | None = 20
    seconds: float | None = None


BOUNDS = Bounds()

COLUMNS = (
    "system", "fight", "seed", "combatant", "side", "winner", "won", "standing", "rounds", "seconds", "deeds", "first",
    "turns", "actions", "reactions", "attacks", "damage_dealt", "damage_taken", "vital_end",
)  # fmt: skip
"""What is noted of each combatant in each fight."""


def rows(enc: Encounter, number: int, played: Played) -> list[tuple[object, ...]]:
    """Return a row for each combatant of a fight that has been played, in the order of `COLUMNS`.

    Parameters
    ----------
    enc : Encounter
        The fight.
    number : int
        Which of many it is.
    played : Played
        What came of it.

    Returns
    -------
    list of tuple
        In the order they were added.
    """
    rules, state = enc.ruleset, enc._state
    vital = rules.vitals[0].name if rules.vitals else None
    counts = _counts(enc._events, enc)
    head = (rules.id, number, enc.seed)
    ends = (played.round, played.seconds, played.deeds)
    found: list[tuple[object, ...]] = []
    for name, fighter in state.fighters.items():
        won = played.winner == fighter.side
        first = counts["first"].get(name)
        tally = [counts[what][name] for what in _COUNTED]
        left = fighter.vitals.get(vital) if vital else None
        who = (name, fighter.side, played.winner, won, not rules.is_beaten(fighter))
        found.append((*head, *who, *ends, first, *tally, left))
    return found


_COUNTED = ("turns", "actions", "reactions", "attacks", "dealt", "taken")


def _counts(events: Iterable[Event], enc: Encounter) -> dict[str, Counter[str]]:
    """Count what everybody did, by name, as `Encounter.history` tells it; `first` is the number of their first turn."""
    rules, state = enc.ruleset, enc._state
    catalogue = rules.catalogue(state)
    vital = rules.vitals[0].name if rules.vitals else None
    counts: dict[str, Counter[str]] = {what: Counter() for what in (*_COUNTED, "first")}
    for event, turn in in_turns(events):
        who = event.actor or ""
        if event.kind == "turn_end" and not event._data.get("given_up"):
            counts["turns"][who] += 1
            counts["first"].setdefault(who, counts["turns"].total())
        elif event.kind == "action":
            action = catalogue[event.action or ""]
            column = counted_as(rules, action, event, None if turn is None else turn.actor)
            if column is not None:
                counts[column][who] += 1
                counts["attacks"][who] += "attack" in action.tags
        elif event.kind == "damage" and event._data.get("vital", vital) == vital:
            counts["dealt"][who] += event.amount or 0
            counts["taken"][event.target or ""] += event.amount or 0
    return counts


def fight(setup: Setup, seed: int, tactics: Tactics, bounds: Bounds = BOUNDS) -> tuple[Encounter, Played]:
    """Play one fight.

    Parameters
    ----------
    setup : Setup
        What it is made of.
    seed : int
        Its seed.
    tactics : callable or mapping of str to callable
        As `combatkit.play` takes them.
    bounds : Bounds
        When it is over.

    Returns
    -------
    tuple
        The fight, and what came of it.
    """
    enc = setup.encounter(seed)
    return enc, play(enc, tactics, rounds=bounds.rounds, seconds=bounds.seconds)
