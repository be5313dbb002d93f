"""The same wishes asked of every system: a second attack, a move too, a delay.

At the end of a turn its owner is asked what else it might have done; what a system refuses, and by which rule, is
what tells it apart from the others. Asking changes nothing and is not logged.
"""

from __future__ import annotations

from typing import NamedTuple

from combatkit.core.model import Ruling
from combatkit.fight.view import View
from combatkit.rules.catalogue import Action
from combatkit.tactics import basic, foes, stated, tagged


class Wish(NamedTuple):
    """Something a combatant would have liked to do, and what the rules say."""

    title: str
    ruling: Ruling


def wishes(view: View, name: str) -> list[Wish]:
    """Ask three wishes of a combatant at one moment: a second attack, a move too, a delay.

    Parameters
    ----------
    view : View
        The moment.
    name : str
        Whose wishes.

    Returns
    -------
    list of Wish
        Each with the ruling: of several actions that would do, the first allowed one's, else the first one's. A
        wish that a catalogue has no action for is refused without a rule.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.scene("catwalk").encounter("saga", seed=7)
    >>> _ = enc.do("Vex", "attack", target="Mara")
    >>> for wish in wishes(enc, "Vex"):
    ...     print(wish.title, wish.ruling.allowed, wish.ruling.rule)
    second attack False saga.std.one
    move too True saga.move.ex.speed
    delay False saga.delay.what
    """
    return [
        Wish("second attack", _attack(view, name)),
        Wish("move too", _any(view, name, basic(view, name, "movement"))),
        Wish("delay", _any(view, name, tagged(view, "wait"))),
    ]


def _attack(view: View, name: str) -> Ruling:
    targets = foes(view, name)
    if not targets:
        return Ruling(False, "No enemy is left.")
    actions = basic(view, name, "attack")
    rulings = [
        view.can(name, action.id, target=foe, **stated(view, name, action)) for action in actions[:1] for foe in targets
    ]
    return _best(rulings)


def _any(view: View, name: str, actions: tuple[Action, ...]) -> Ruling:
    return _best([_could(view, name, action) for action in actions])


def _could(view: View, name: str, action: Action) -> Ruling:
    option = next(o for o in view.options(name) if o.action == action.id)
    return Ruling(option.allowed, option.reason, option.rule, (option.rule,), option.cost)


def _best(rulings: list[Ruling]) -> Ruling:
    if not rulings:
        return Ruling(False, "This system has no such action.")
    return next((ruling for ruling in rulings if ruling.allowed), rulings[0])
