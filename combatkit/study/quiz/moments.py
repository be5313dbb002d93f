"""Where questions come from: moments of real fights at which somebody may choose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain, cycle, islice

from combatkit.core.plain import short
from combatkit.errors import InvalidInput
from combatkit.fight.fight import Encounter
from combatkit.fight.view import View
from combatkit.registry import ruleset, rulesets
from combatkit.rules.ruleset import Ruleset
from combatkit.simulation.fights import seed_of
from combatkit.simulation.table import Table
from combatkit.study.scenes import Scene, scene
from combatkit.tactics import Chance, Deed, at_random, strike
from combatkit.text import ENGLISH

Moments = Iterator[tuple[View, str]]
"""A moment, and who may choose at it."""

_SCENES = ("catwalk", "ambush", "bridge")
_ROUNDS = 3
_STRIKES = 3
"""Of six times so many somebody strikes, if they can."""
_IDLE = 4
"""Of so many things that cost nothing, one is done."""
_STEPS = 120
"""So many choices a fight goes on for, at most."""


def moments_of(source: object, language: str = ENGLISH) -> Callable[[int], Moments]:
    """Return what gives moments, from a seed: of the fight that is given, or of fights played as people might.

    Parameters
    ----------
    source : Encounter, Scene, str or iterable of str
        A fight; a scene, for every system; or systems by id, for scenes of the kit.
    language : str
        What fights are told in that are played for it.

    Returns
    -------
    callable
        Takes a seed; the moments of fights played as people might never end.

    Raises
    ------
    InvalidInput, UnknownName
        If `source` is none of these.
    """
    if isinstance(source, Encounter):
        fight = source
        return lambda _: _of_fight(fight)
    if isinstance(source, Scene):
        told = source
        return lambda seed: _of_scenes([told], rulesets(), seed, language)
    ids = [source] if isinstance(source, str) else source
    if not isinstance(ids, (list, tuple)) or not ids or not all(isinstance(id, str) for id in ids):
        raise InvalidInput(f"quiz: {short(source)} is no source; give an encounter, a scene, or ids of systems")
    systems = [ruleset(id) for id in ids]
    return lambda seed: _of_scenes([scene(id) for id in _SCENES], systems, seed, language)


def _of_fight(enc: Encounter) -> Moments:
    """Yield the moments after each call of a fight that is there."""
    begun = next((event.seq for event in enc._events if event.kind == "begin"), None)
    if begun is None:
        raise InvalidInput(f"quiz: {enc.id} has not begun; start it first")
    for seq in range(begun, len(enc._events) + 1):
        view = enc.at(seq)
        name = view.active
        if name is not None and view._state.window is None and view._state.stage == "running":
            yield view, name


def _of_scenes(scenes: list[Scene], systems: Iterable[Ruleset], seed: int, language: str) -> Moments:
    """Return moments of fights played as people might: of each system by turns, so that none is asked about more."""
    running = [_of_system(told, rules, seed, language) for rules in systems if (told := _told(scenes, rules, seed))]
    return chain.from_iterable(zip(*running, strict=False))


def usual_moments(rules: Ruleset, n: int) -> Moments:
    """Return the first moments of fights of one system that are always the same."""
    told = _told([scene(id) for id in _SCENES], rules, 0)
    return islice(_of_system(told, rules, 0, ENGLISH), n) if told else iter(())


def _told(scenes: list[Scene], rules: Ruleset, seed: int) -> list[Scene]:
    """Return the scenes that a system has words for."""
    told = []
    for each in scenes:
        with suppress(InvalidInput):
            each.encounter(rules, seed=seed, id=f"{rules.id}-quiz")
            told.append(each)
    return told


def _of_system(told: list[Scene], rules: Ruleset, seed: int, language: str) -> Moments:
    """Yield moments of one system: its scenes by turns, without end."""
    for number, each in enumerate(cycle(told)):
        yield from _played(each, rules, seed_of(seed, number), language)


def _played(told: Scene, rules: Ruleset, seed: int, language: str) -> Moments:
    enc = told.encounter(rules, seed=seed, id=f"{rules.id}-quiz", language=language, localized=True)
    table = Table(enc, rounds=_ROUNDS)
    for name in islice(iter(table.next, None), _STEPS):
        yield enc.at(len(enc._events)), name
        table.take(name, _choice(enc, name))


def _choice(view: Encounter, name: str) -> Deed | None:
    """Return what somebody does as people would: as often as not they strike, and they don't chatter on."""
    draw = Chance(view, name)
    draw.below(1 << 16)  # what `at_random` draws from
    mood = draw.below(6)
    if mood < _STRIKES and view.active is not None:
        return strike(view, name)
    deed = at_random(view, name)
    if deed is None or view._state.window is not None:
        return deed
    done = view._events[view._state.turn.seq if view._state.turn is not None else 0 :]
    again = any((e.kind, e.actor, e.action) == ("action", name, deed.action) for e in done)
    return strike(view, name) if again or (not _costs(view, deed) and draw.below(_IDLE)) else deed


def _costs(view: View, deed: Deed) -> bool:
    """Check whether something takes any part of a turn."""
    cost = view.ruleset.catalogue(view._state)[deed.action].cost
    return any(view.ruleset.costs[cost].pay)
