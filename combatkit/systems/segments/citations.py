"""The rules behind an action or attack roll, besides its own, as things stand."""

from __future__ import annotations

from collections.abc import Iterator

from combatkit.core.model import Fighter, State
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.params import as_names
from combatkit.systems.segments.between import is_open
from combatkit.systems.segments.checks import kind_of
from combatkit.systems.segments.places import is_declared, is_delayed, is_major, loads


def besides(case: Case) -> Iterator[str]:
    """Yield the rules that allow an action beside others, while delayed, undeclared, or through a barrier."""
    state, fighter, action, params = case.state, case.fighter, case.action, case.params
    kind = kind_of(action)
    pool = fighter.pools.get("segments")
    last = case.rules.catalogue(state).get(pool.action) if pool is not None else None
    if kind == "delay":
        step = case.rules.present_step(state)
        if step is not None and step.id == "declare":
            yield "segments.delay.declared-nocond"
    elif action.cost == "minor":
        yield from _minor(fighter, action, last)
    elif action.cost == "quick_spell" and kind == "innate":
        yield "segments.spell.innate-gm"
    elif action.cost == "complex" and is_delayed(fighter):
        yield "segments.complex.delayed-ok"
    elif is_major(action) and last is not None and last.cost == "minor" and kind_of(last) == "delaying":
        yield "segments.delaying.major-after"
    if "invocation" in action.tags:
        yield from ("segments.invoc.time", "segments.invoc.start-1")
    if action.cost == "fast" and is_delayed(fighter):
        yield "segments.delayed.fast-unaffected"
    if loads(fighter, action, params):
        yield "segments.delaying.attack"
    if action.id == "free_attack" and params.get("modifiers"):
        yield "segments.free.mods"
    if action.does == "cast" and any(_through(state, name) for name in as_names(params.get("target", ()))):
        yield "segments.loe.opening"


def _minor(fighter: Fighter, action: Action, last: Action | None) -> Iterator[str]:
    if not is_declared(fighter, action):
        yield "segments.minor.no-declare"
    if last is not None and last.cost == "minor":
        yield from ("segments.minor.many", "segments.minor.multi-delay")
    major = fighter.pools.get("major")
    if major is not None and major.left < 1:
        yield "segments.minor.variety"
        if "simple" in action.tags:
            yield "segments.simple.before-after"


def _through(state: State, name: str) -> bool:
    """Check whether a combatant is behind a barrier with a wide enough opening."""
    barrier = state.fighters[name].effect("barrier") if name in state.fighters else None
    return barrier is not None and is_open(barrier)
