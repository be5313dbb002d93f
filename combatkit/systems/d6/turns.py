"""What a turn holds besides its Action: Free Actions, by number or by name."""

from __future__ import annotations

from collections.abc import Iterable

from combatkit.core.model import Fighter
from combatkit.rules.case import Case, Mechanism, Objection


def named_free_actions(fighter: Fighter) -> tuple[str, ...] | None:
    """Return which Free Actions a combatant has; None if only their number was stated."""
    stated: int | Iterable[str] = fighter.stats["free_actions"]
    return None if isinstance(stated, int) else tuple(stated)


def free_actions(fighter: Fighter) -> int:
    """Return how many Free Actions a combatant has in a turn, under the cap."""
    named = named_free_actions(fighter)
    number: int = fighter.stats["free_actions"] if named is None else len(named)
    return max(0, number + sum([effect.modifiers.get("free_actions", 0) for effect in fighter.effects]))


def pool_of(name: str) -> str:
    """Return the pool of a named Free Action: each can be used once a turn."""
    return f"free:{name}"


def check_free(case: Case) -> Iterable[Objection]:
    """Allow only those the combatant has, and none twice; if only their number was stated, any."""
    fighter = case.fighter
    named, name = named_free_actions(fighter), case.params.get("option")
    if not free_actions(fighter):
        yield case.object(f"{fighter.name} has no Free Actions.")
    elif named is not None and name is not None:
        pool = fighter.pools.get(pool_of(name))
        if name not in named:
            has = ", ".join(dict.fromkeys(named))
            yield case.object(f"{fighter.name} has no Free Action {name!r}, only {has}.")
        elif pool is not None and pool.left < 1:
            yield case.object(f"{fighter.name} has already used {name} this turn.")


def which_free(case: Case) -> tuple[str, ...]:
    """Ask which Free Action is taken, if they have names."""
    return ("option",) if named_free_actions(case.fighter) and "option" not in case.params else ()


MECHANISMS: dict[str, Mechanism] = {"free": Mechanism(check_free, (), which_free)}
