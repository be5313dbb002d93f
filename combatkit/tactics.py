"""Tactics: plain functions that say what somebody does next, using nothing but what the interface offers.

A tactic is called with a view of the fight and a name, and returns a `Deed`, or None. On the combatant's own turn, None
ends the turn; in a window, None lets it go; where a step of the round waits for nobody's turn, None lets it go on. It
is asked again after each deed. Random choices come from the fight's seed and the number of the last event (`Chance`),
so that a fight can be replayed.

A tactic knows no system. The catalogue tells by tags what an action is: ``attack`` and ``movement``, of which the
ordinary ones are ``basic``; ``defensive``, ``recovery`` and ``wait``, which lets others go first. Five lines are enough
for one:

>>> import combatkit as ck
>>> def first_come(view, name):
...     for option in view.options(name):
...         if option.allowed and option.action == "attack":
...             return ck.Deed("attack", {"target": ck.tactics.foes(view, name)[0]})
...     return None
>>> enc = ck.scene("catwalk").encounter("saga", seed=7)
>>> first_come(enc, "Vex")
Deed(action='attack', params={'target': 'Mara'})
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from combatkit.core.model import Offer, Option
from combatkit.fight.fight import Chance
from combatkit.fight.view import View
from combatkit.files.tables import SCENE
from combatkit.rules.catalogue import Action
from combatkit.rules.params import check_params

__all__ = [
    "Chance",
    "Deed",
    "answers",
    "asked_for",
    "at_random",
    "basic",
    "filled",
    "foes",
    "hold_back",
    "row",
    "stated",
    "strike",
    "tagged",
    "way",
]


class Deed(NamedTuple):
    """Something to do: an action's id, and its parameters as `Encounter.do` takes them."""

    action: str
    params: Mapping[str, Any] = {}


Tactic = Callable[[View, str], Deed | None]
"""What somebody does next; None for nothing."""


# ── three that come with the kit ──


def strike(view: View, name: str) -> Deed | None:
    """Attack the weakest enemy in reach, as often as the rules allow; if none is in reach, move towards the nearest.

    Parameters
    ----------
    view : View
        The fight.
    name : str
        Who acts.

    Returns
    -------
    Deed or None
        An answer to a window is an attack, if one is offered and it is an enemy who is answered.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.scene("catwalk").encounter("phases", seed=7)
    >>> ck.tactics.strike(enc, enc.active)
    Deed(action='strike', params={'target': 'Mara'})
    """
    if (offered := _against_foes(view, name, "attack")) is not None:
        return next(_attacks(view, name, offered), None)
    if view.active != name:
        return None
    if (freed := _free(view, name)) is not None:
        return freed
    return next(_attacks(view, name, basic(view, name, "attack")), None) or _advance(view, name)


def hold_back(view: View, name: str) -> Deed | None:
    """Let enemies go first, ward off what comes, recover when badly hurt, and only then attack.

    Parameters
    ----------
    view : View
        The fight.
    name : str
        Who acts.

    Returns
    -------
    Deed or None
        An answer to a window is a defence, if one is offered and it is an enemy who is answered.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.scene("catwalk").encounter("saga", seed=7)
    >>> ck.tactics.hold_back(enc, "Vex")
    Deed(action='delay', params={'after': 'Ilya'})
    """
    if (offered := _against_foes(view, name, "defensive")) is not None:
        return next(_plain(view, name, offered), None)
    if view.active != name:
        return None
    if (freed := _free(view, name)) is not None:
        return freed
    if (waiting := _wait(view, name)) is not None:
        return waiting
    if _is_hurt(view, name):
        careful = [*tagged(view, "recovery"), *tagged(view, "defensive")]
        deed = next(_plain(view, name, [a for a in careful if a.when == "own turn"]), None)
        if deed is not None:
            return deed
    return strike(view, name)


def at_random(view: View, name: str) -> Deed | None:
    """Do anything that is allowed, and end the turn about one time in four.

    Parameters
    ----------
    view : View
        The fight.
    name : str
        Who acts.

    Returns
    -------
    Deed or None
        Drawn from the fight's seed and the number of its last event.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.scene("catwalk").encounter("saga", seed=7)
    >>> ck.tactics.at_random(enc, "Vex") == ck.tactics.at_random(enc, "Vex")
    True
    """
    draw = Chance(view, name)
    if draw.below(4) == 0:
        return None
    offered = answers(view, name)
    left = list(view.ruleset.catalogue(view._state) if offered is None else offered)
    while left:  # drawn first and then asked about: each that is allowed is as likely as if only these were drawn from
        action = left.pop(draw.below(len(left)))
        needs = view._needs(name, action)
        params = None if needs is None else fill(view, name, action, needs, stated(view, name, action), draw)
        if params is not None and view.may(name, action.id, **params):
            return Deed(action.id, params)
    return None


# ── what tactics are made of ──


def foes(view: View, name: str) -> tuple[str, ...]:
    """Return the enemies who can still act, in the order they were added.

    Parameters
    ----------
    view : View
        The fight.
    name : str
        Whose enemies.

    Returns
    -------
    tuple of str
        Their names.
    """
    fighters = view._state.fighters
    side = fighters[name].side
    return tuple(n for n, f in fighters.items() if f.side != side and not view.ruleset.is_beaten(f))


def stated(view: View, name: str, action: Action) -> dict[str, object]:
    """Return what the table `scene` gives with somebody's attack, as far as the action takes it.

    Parameters
    ----------
    view : View
        The fight.
    name : str
        Who attacks.
    action : Action
        The attack; for any other action nothing is stated.

    Returns
    -------
    dict
        Parameters by id: the damage, for one.
    """
    if "attack" not in action.tags and action.does != "use":
        return {}
    return {k: v for k, v in row(view, name).get("params", {}).items() if k in action.takes or k == "option"}


def row(view: View, name: str) -> Mapping[str, Any]:
    """Return somebody's row of the table `scene`: their own, else their group's, else an empty one."""
    state = view._state
    keys = (name, state.fighters[name].group)
    rows = state.tables.get(SCENE, ())
    return next((r for key in keys for r in rows if r["id"] == key), {})


def tagged(view: View, tag: str) -> tuple[Action, ...]:
    """Return the actions of the catalogue that have a tag, in its order."""
    return tuple(a for a in view.ruleset.catalogue(view._state) if tag in a.tags)


def basic(view: View, name: str, tag: str) -> tuple[Action, ...]:
    """Return the ordinary actions of a kind, ``attack`` or ``movement``: the one of choice first.

    Parameters
    ----------
    view : View
        The fight.
    name : str
        Who would act.
    tag : str
        The kind.

    Returns
    -------
    tuple of Action
        Those that are ``basic``; where a catalogue marks none, all of that kind for your own turn.
    """
    found = [a for a in tagged(view, tag) if a.when == "own turn"]
    found = [a for a in found if "basic" in a.tags] or found
    chosen = row(view, name).get("action")
    return tuple(sorted(found, key=lambda a: a.id != chosen))


def answers(view: View, name: str) -> tuple[Action, ...] | None:
    """Return what somebody is offered in the open window; None if no window is open, or none that asks them.

    Parameters
    ----------
    view : View
        The fight.
    name : str
        Who may answer.

    Returns
    -------
    tuple of Action or None
        The actions of its offer.
    """
    offer = _offer(view, name)
    if offer is None:
        return None
    catalogue = view.ruleset.catalogue(view._state)
    return tuple(catalogue[id] for id in offer.actions)


def asked_for(view: View, name: str) -> list[Option]:
    """Return the options somebody is asked to choose from: in an open window what it offers them, else all."""
    offered = answers(view, name)
    ids = None if offered is None else {action.id for action in offered}
    return [option for option in view.options(name) if ids is None or option.action in ids]


def way(view: View, name: str, action: Action, here: object, there: Any, steps: int) -> Iterator[Any]:
    """Yield places on the way to somebody, those nearest to them first: where it is listed, or a straight line.

    Parameters
    ----------
    view : View
        The fight.
    name : str
        Who would go.
    action : Action
        How.
    here, there : object
        Where the two stand.
    steps : int
        How far a move leads.

    Yields
    ------
    object
        Places, whether or not the rules allow going there.
    """
    listed = [c for c in view.choices(name, action.id) if c.param == "to" and not c.open]
    if listed:
        board, map = view.board, view._state.map
        ways = [(board.distance(map, c.value, there), c.value) for c in listed if c.ruling.allowed]
        nearer = [(far.steps, spot) for far, spot in ways if far is not None and far.steps < steps]
        yield from (spot for _, spot in sorted(nearer))
    elif isinstance(here, tuple) and isinstance(there, tuple):
        for far in range(steps - 1, 0, -1):
            yield tuple(a + round((b - a) * far / steps) for a, b in zip(here, there, strict=True))


def filled(
    view: View, name: str, option: Option, params: Mapping[str, object], draw: Chance | None = None
) -> dict[str, object] | None:
    """Return parameters with a value for what an action needs besides, from what `choices` lists.

    Parameters
    ----------
    view : View
        The fight.
    name : str
        Who acts.
    option : Option
        The action.
    params : mapping
        Parameters that are settled.
    draw : Chance, optional
        What draws a value; without it the first is taken.

    Returns
    -------
    dict or None
        None if something that is needed has no value that is allowed; a target is an enemy if one can be.
    """
    return fill(view, name, view.ruleset.catalogue(view._state)[option.action], option.needs, params, draw)


def fill(
    view: View, name: str, action: Action, needs: Sequence[str], params: Mapping[str, object], draw: Chance | None
) -> dict[str, object] | None:
    """Return parameters with a value for each that is needed besides, as `filled` does for an option."""
    found = dict(params)
    for param in needs:
        if param not in found:
            value = next(_values(view, name, action, param, found, draw), None)
            if value is None:
                return None
            found[param] = value
    return found


# ── how the three go about it ──


def _offer(view: View, name: str) -> Offer | None:
    """Return what somebody may answer in the open window, if anything."""
    return next((offer for offer in view._offered(name) if offer.actions), None)


def _attacks(view: View, name: str, actions: Sequence[Action]) -> Iterator[Deed]:
    """Yield each attack that is allowed, the weakest target first; an answer may need no target."""
    for action in actions:
        more = stated(view, name, action)
        if "target" not in action.required and action.when == "reaction":
            if view.may(name, action.id, **more):
                yield Deed(action.id, more)
            continue
        aims = sorted(foes(view, name), key=lambda n: _strength(view, n))
        for number, foe in enumerate(aims):
            if view.may(name, action.id, target=foe, **more):
                yield Deed(action.id, {"target": foe, **more})
            elif not number and len(aims) > 2 and not view._fits(name, action, more):
                break  # it is refused whoever it is at


def _against_foes(view: View, name: str, tag: str) -> list[Action] | None:
    """Return the answers of a kind that are offered to what an enemy does; None if nothing is asked.

    Rules may let anybody answer who is aware of a deed, also of a friend's: whether that makes sense is not theirs.
    """
    offer = _offer(view, name)
    if offer is None:
        return None
    fighters, catalogue = view._state.fighters, view.ruleset.catalogue(view._state)
    if offer.targets and all(fighters[each].side == fighters[name].side for each in offer.targets):
        return []
    return [catalogue[id] for id in offer.actions if tag in catalogue[id].tags]


def _values(
    view: View, name: str, action: Action, param: str, given: Mapping[str, object], draw: Chance | None
) -> Iterator[object]:
    """Yield the allowed values of a parameter, of targets the enemies first; with `draw` in an order that is drawn."""
    given = check_params(view.ruleset, view._state, action, given)
    if param not in view._wanted(name, action, given):
        return
    wrap = view.ruleset.parameters[param].kind == "names"
    left = list(view._values(name, action, param, given) or ())
    enemies = foes(view, name) if param == "target" else ()
    for drawn in ([v for v in left if v in enemies], [v for v in left if v not in enemies]):
        while drawn:
            value = drawn.pop(0 if draw is None else draw.below(len(drawn)))
            if view._fits(name, action, {**given, param: [value] if wrap else value}):
                yield value


def _strength(view: View, name: str) -> int:
    vitals = view.ruleset.vitals
    return (view._state.fighters[name].vitals.get(vitals[0].name) or 0) if vitals else 0


def _is_hurt(view: View, name: str) -> bool:
    """Check whether somebody has lost more than half of their first vital."""
    vitals = view.ruleset.vitals
    top = view._state.fighters[name].stats.get(vitals[0].name) if vitals else None
    return top is not None and 2 * _strength(view, name) < top


def _plain(view: View, name: str, actions: Sequence[Action]) -> Iterator[Deed]:
    """Yield each action that is allowed, with the first allowed value of what it needs."""
    options = {o.action: o for o in view.options(name)}
    for action in actions:
        option = options[action.id]
        params = filled(view, name, option, stated(view, name, action)) if option.allowed else None
        if params is not None and view.may(name, action.id, **params):
            yield Deed(action.id, params)


def _free(view: View, name: str) -> Deed | None:
    """Shake off what keeps somebody from doing anything else, where an action ends that despite it."""
    held = {effect.id for effect in view._state.fighters[name].effects} & {*view.ruleset.incapable}
    actions = [a for a in view.ruleset.catalogue(view._state) if held & {*a.ends} & {*a.despite}] if held else []
    return next(_plain(view, name, actions), None) if actions else None


def _wait(view: View, name: str) -> Deed | None:
    """Let the slowest enemy who has yet to act go first, where the rules allow it and nothing was done yet."""
    turn = view._state.turn
    if turn is None or turn.touched:
        return None
    behind = [r.combatant for r in view.order if r.combatant in foes(view, name) and r.status == "waits"]
    if not behind:
        return None
    for action in tagged(view, "wait"):
        params = {"after": behind[-1]} if "after" in action.takes else {}
        if view.may(name, action.id, **params):
            return Deed(action.id, params)
    return None


def _advance(view: View, name: str) -> Deed | None:
    """Move towards the nearest enemy, as far as one move leads; None where there is no map."""
    near = [(d.steps, foe) for foe in foes(view, name) if (d := view.distance(name, foe)) is not None]
    if not near or _has_attacked(view, name):
        return None
    steps, foe = min(near)
    here, there = view[name].position, view[foe].position
    for action in basic(view, name, "movement"):
        for spot in way(view, name, action, here, there, steps):
            if view.may(name, action.id, to=spot):
                return Deed(action.id, {"to": spot})
    return None


def _has_attacked(view: View, name: str) -> bool:
    """Check whether somebody has attacked in the turn under way; if so, they stay where they are."""
    turn, catalogue = view._state.turn, view.ruleset.catalogue(view._state)
    done = [e for e in view._events[turn.seq if turn is not None else 0 :] if e.kind == "action" and e.actor == name]
    return any("attack" in catalogue[e.action or ""].tags for e in done)
