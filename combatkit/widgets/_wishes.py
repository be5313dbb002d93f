"""The same wishes asked of every system: a second attack, a move too, a delay.

At the end of a turn its owner is asked what else it might have done; what a system refuses, and by which rule, is
what tells it apart from the others. Asking changes nothing and is not logged.
"""

from __future__ import annotations

from collections.abc import Sequence

from combatkit.core.model import Ruling
from combatkit.fight.view import View
from combatkit.rules.catalogue import Action
from combatkit.tactics import basic, foes, stated, tagged


def wishes(view: View, name: str) -> dict[str, Ruling]:
    """Ask three wishes of a combatant at one moment: a second attack, a move too, a delay.

    Parameters
    ----------
    view : View
        The moment.
    name : str
        Whose wishes.

    Returns
    -------
    dict of Ruling by str
        Of several actions that would do, the first allowed one's, else the first one's. A wish that a catalogue has no
        action for is refused without a rule.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.scene("catwalk").encounter("saga", seed=7)
    >>> _ = enc.do("Vex", "attack", target="Mara")
    >>> for title, ruling in wishes(enc, "Vex").items():
    ...     print(title, ruling.allowed, ruling.rule)
    second attack False saga.std.one
    move too True saga.move.ex.speed
    delay False saga.delay.what
    """
    options = {option.action: option for option in view.options(name)}

    def could(actions: Sequence[Action]) -> Ruling:
        found = [options[action.id] for action in actions]
        return _best([Ruling(o.allowed, o.reason, o.rule, (o.rule,), o.cost) for o in found])

    enemies, attacks = foes(view, name), basic(view, name, "attack")[:1]
    blows = [view.can(name, a.id, target=foe, **stated(view, name, a)) for a in attacks for foe in enemies]
    return {
        "second attack": _best(blows) if enemies else Ruling(False, "No enemy is left."),
        "move too": could(basic(view, name, "movement")),
        "delay": could(tagged(view, "wait")),
    }


def _best(rulings: list[Ruling]) -> Ruling:
    if not rulings:
        return Ruling(False, "This system has no such action.")
    return next((ruling for ruling in rulings if ruling.allowed), rulings[0])
