"""Counters that a creature brings: how often what stands in its `uses` can be done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from combatkit.core.model import COUNTER, Fighter
from combatkit.core.plain import check_whole, is_text, short
from combatkit.errors import InvalidInput
from combatkit.rules.case import Case, Objection
from combatkit.rules.several import are_several, blows_of
from combatkit.rules.weapons import letters_of, wielded

USES = "uses"
"""The stat."""


def check_uses(uses: object, where: str) -> None:
    """Refuse counters without a name, or with a number that no counter can have."""
    for name, number in uses.items() if isinstance(uses, Mapping) else ():
        if not is_text(name, 100) or not name.strip() or ":" in name:
            raise InvalidInput(f"{where}: uses has {short(name)}; give an action or a weapon, without a colon")
        check_whole(number, f"{where}: uses of {name}", 0, 1000)


def left_of(fighter: Fighter) -> dict[str, int]:
    """Return what is left of each of somebody's counters, by name."""
    return {name: fighter.pools[COUNTER + name].left for name in fighter.stats.get(USES) or ()}


def counter_of(case: Case) -> str | None:
    """Return the counter that an action is done from: one with its name, or that of its weapon or other choice."""
    uses, action, params, specs = case.fighter.stats.get(USES), case.action, case.params, case.rules.parameters
    if not uses or any(specs[id].kind == "action" for id in params):  # what is only kept ready is not used yet
        return None
    weapon = wielded(case).get("name") if "weapon" in action.takes else None
    chosen = [value for id, value in params.items() if specs[id].kind == "text"]
    called = {*_called(case), *(letters_of(each) for each in (weapon, *chosen) if isinstance(each, str))}
    return next((name for name in uses if letters_of(name) in called), None)


def _called(case: Case) -> set[str]:
    """Return what an action itself is called."""
    action = case.action
    return {letters_of(each) for each in (action.id, action.title, *action.also, *case.rules.names_of(case))}


def spent_by(case: Case, *, completed: bool | None = None) -> tuple[str, ...]:
    """Return the pools an action takes one from each, besides what pays for it: each blow of several from its weapon's.

    One of several turns or parts takes it once it is `completed`; of any other that is None.
    """
    action, fighter = case.action, case.fighter
    due = action.id not in fighter.progress if completed is None else completed
    if not (due and fighter.stats.get(USES)):
        return ()
    counters = [counter_of(blow) for blow in (blows_of(case) if are_several(case) else (case,))]
    spent = [counter for counter in counters if counter is not None]
    whole = [counter for counter in spent if letters_of(counter) in _called(case)]
    return tuple([COUNTER + counter for counter in whole[:1] or spent])


def used_up(case: Case) -> Iterable[Objection]:
    """Object to an action whose counter has none left."""
    pools = spent_by(case)
    for pool in dict.fromkeys(pools):
        have, times = case.fighter.pools[pool], pools.count(pool)
        name = pool.removeprefix(COUNTER).replace("_", " ")
        if have.left < 1:
            reason = f"{case.fighter.name} has used {name} as often as possible ({have.total})."
            yield Objection(reason if have.total else f"{case.fighter.name} has no {name}.", "")
        elif have.left < times:
            yield Objection(f"{case.fighter.name} has {have.left} of {name} left; that takes {times}.", "")
