"""Playing a fight by tactics: a tactic decides for whoever may choose, until one side is down or time is up.

Tactics choose; a `combatkit.simulation.table.Table` carries out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from combatkit.core.plain import bare, short
from combatkit.errors import CombatkitError, InvalidInput
from combatkit.fight.fight import Encounter
from combatkit.simulation.table import GameMaster, Table
from combatkit.tactics import Deed, Tactic

_MOST = 200
"""How many deeds in one turn count as a tactic that never ends it."""


class Played(NamedTuple):
    """What came of a fight.

    Parameters
    ----------
    winner : str or None
        The side that alone can still act; None if time was up first, or nobody can.
    round : int or None
        The round it ended in.
    seconds : float
        Game seconds at the end; where a round has no fixed length, by the ruleset's option.
    deeds : int
        How often a tactic chose to do something.
    """

    winner: str | None
    round: int | None
    seconds: float
    deeds: int


def play(
    enc: Encounter,
    tactics: Tactic | Mapping[str, Tactic],
    *,
    rounds: int | None = 20,
    seconds: float | None = None,
    gm: GameMaster | None = None,
) -> Played:
    """Play a fight by tactics until one side is down, or so many rounds or game seconds have passed.

    Parameters
    ----------
    enc : Encounter
        A fight that has begun; `Scene.encounter` gives one.
    tactics : callable or mapping of str to callable
        One tactic for all, or tactics by combatant, group or side.
    rounds : int or None
        The last round to be played; None for no limit.
    seconds : float, optional
        The game seconds at which it stops, counted from the fight's beginning.
    gm : callable, optional
        Settles questions to the GM; without it the first choice is taken.

    Returns
    -------
    Played
        The winner, the round and the second it ended in, and how many deeds were done.

    Raises
    ------
    IllegalAction
        If a tactic chooses what the rules refuse: the ruling, with a note that names fight, seed and event.
    InvalidInput
        If an argument is wrong, the fight has not begun, somebody has no tactic, or a tactic never ends its turn.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.scene("catwalk").encounter("saga", seed=7)
    >>> ck.play(enc, {"rebels": ck.tactics.hold_back, "hunters": ck.tactics.strike}, rounds=2).round
    3
    """
    given: object = enc
    if not isinstance(given, Encounter):
        raise InvalidInput(f"play: {short(given)} is not a fight; give an encounter that has begun")
    if enc._state.stage == "setup":
        raise InvalidInput("play: the fight has not begun; start it first")
    table = Table(enc, rounds=rounds, seconds=seconds, gm=gm)
    choose = by_name(enc, tactics)
    turn, in_turn = 0, 0
    while (name := table.next()) is not None:
        deed = _choose(table, name, choose[name])
        if deed is not None and enc.active == name and enc._state.turn is not None:
            turn, in_turn = enc._state.turn.seq, in_turn + 1 if enc._state.turn.seq == turn else 1
            if in_turn > _MOST:
                raise InvalidInput(f"{table.where(name)}: {_MOST} deeds in one turn; return None to end the turn")
        try:
            table.take(name, deed)
        except CombatkitError as error:
            error.add_note(f"chosen by {_called(choose[name])} for {table.where(name)}: {deed}")
            raise
    return Played(table.winner, enc._state.round, table.seconds, table.deeds)


def _choose(table: Table, name: str, tactic: Tactic) -> Deed | None:
    deed: object = tactic(table.enc, name)
    if deed is None:
        return None
    if not isinstance(deed, tuple) or len(deed) != 2 or not isinstance(deed[1], Mapping):
        raise InvalidInput(f"{table.where(name)}: its tactic returned {short(deed)}; return a Deed, or None")
    return Deed(*deed)


def by_name(enc: Encounter, tactics: Tactic | Mapping[str, Tactic]) -> dict[str, Tactic]:
    """Return everybody's tactic; refuse a mapping that leaves somebody without, or names nobody."""
    if callable(tactics):
        return dict.fromkeys(enc.names, tactics)
    if not isinstance(tactics, Mapping):
        raise InvalidInput(f"play: tactics is {short(tactics)}; give a function, or functions by combatant or side")
    tactics = {bare(str(key)): tactic for key, tactic in tactics.items()}
    found: dict[str, Tactic] = {}
    for name, fighter in enc._state.fighters.items():
        keys = [key for key in (name, fighter.group, fighter.side) if key is not None and key in tactics]
        if not keys or not callable(tactics[keys[0]]):
            raise InvalidInput(f"play: {name} has no tactic; give one for them, or for their side {fighter.side!r}")
        found[name] = tactics[keys[0]]
    known = {key for n, f in enc._state.fighters.items() for key in (n, f.group, f.side)}
    stray = next((key for key in tactics if key not in known), None)
    if stray is not None:
        raise InvalidInput(f"play: {stray!r} is neither a combatant nor a side of {enc.id}")
    return found


def _called(tactic: Tactic) -> str:
    return getattr(tactic, "__name__", repr(tactic))
