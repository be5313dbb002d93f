"""What an action is here: its type, its cost, what it says about itself; and the rows that users write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec.structs import replace

from combatkit.core.model import Act, Effect, Fighter
from combatkit.errors import InvalidInput
from combatkit.rules.catalogue import Action, Parameter, open_row, parameters_of, texts
from combatkit.rules.rulebook import Rulebook

SAVED = "saved_ap"
"""The condition of somebody who has saved a point for a reaction."""


ADVANTAGE = "advantage"
"""The condition of somebody who has gained one Advantage or more: its value, if it is a number, says how many."""


def advantages_of(fighter: Fighter) -> int:
    """Return how many Advantages somebody has."""
    effect = fighter.effect(ADVANTAGE)
    if effect is None:
        return 0
    return effect.value if type(effect.value) is int and effect.value > 0 else 1


class _Kind(NamedTuple):
    """A type of action: when it can be taken, and the rules it rests on."""

    when: str
    rule: str
    rules: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


_KINDS = {
    "primary": _Kind("own turn", "ap.primary.own-turn", ("ap.turn.spend",), (("bound", "ap.primary.own-turn"),)),
    "secondary": _Kind("own turn or reaction", "ap.secondary.when", (), (("nature", "ap.secondary.when"),)),
    "reaction": _Kind("reaction", "ap.react.purpose"),
    "free": _Kind("any time", "ap.free.any-time", ("ap.free.zero", "ap.free.gm")),
}


def whole(action: Action, when: str = "") -> Action:
    """Fill in what follows from an action's type, and the parameters every action of its kind takes."""
    kind = _KINDS[action.cost]
    when = when or kind.when
    facts = {"ap": 0 if action.cost == "free" else 1, "says": "", **dict(kind.facts), **action.facts}
    more: list[str] = []
    if "reaction" in when:
        more += ["threat", "outcome"]
    if action.cost in ("primary", "secondary"):
        more.append("unaware")
    rules = kind.rules
    if facts["says"]:
        rules += (facts["says"],)
    if "special" in action.tags:
        rules += ("ap.special.typed",)
        more.append("pay")
    if facts["ap"] > 1:
        rules += ("ap.extended.def",)
    known = {p.id for p in action.parameters}
    parameters = (*action.parameters, *(Parameter(id, required=False) for id in more if id not in known))
    return replace(action, when=when, rule=kind.rule, rules=rules, parameters=parameters, facts=facts)


def read_row(rules: Rulebook, row: Mapping[str, object]) -> Action:
    """Read an action of a user's own.

    Raises
    ------
    InvalidInput
        For an impossible value; it names the action and the column.
    """
    row, where = open_row(rules, row, "id", "title")
    kind = row.get("type", "primary")
    if kind not in _KINDS:
        raise InvalidInput(f"{where}: type is {kind!r}; give one of {', '.join(_KINDS)}")
    tags = texts(where, "tags", row.get("tags", ()))
    if row.get("special") and kind != "free":
        tags = (*tags, "special")
    facts: dict[str, object] = {"ap": _cost(where, kind, row.get("cost"))}
    if row.get("single_turn"):
        facts["single_turn"] = True
    if row.get("range") is not None:
        if type(row["range"]) is not int or row["range"] < 0:
            raise InvalidInput(f"{where}: range is {row['range']!r}; give metres, a whole number from 0 up")
        facts["range"] = row["range"]
    names = parameters_of(rules, where, row)
    attack = "attack" in tags
    if attack:
        names = tuple(dict.fromkeys((*(() if kind == "reaction" else ("target",)), *names, "damage", "outcome")))
    parameters = tuple(Parameter(name, name == "target") for name in names)
    harms, leads = attack or "damage" in names, "to" in names
    does = ("charge" if leads else "attack") if harms else "move" if leads else "plain"
    action = Action(
        row["id"],
        row["title"],
        kind,
        does=does,
        verb=f"uses {row['title'].lower()}",
        on="on",
        tags=tags,
        parameters=parameters,
        facts=facts,
    )
    return whole(action, _when(where, kind, row.get("when")))


def _cost(where: str, kind: str, given: object) -> int:
    """Read a cost: points, or for one point the name of the slot it comes from; a free action has none."""
    if given is None:
        return 0 if kind == "free" else 1
    words = {"free": 0, "ap": 1}
    points = words.get(given, given) if isinstance(given, str) else given
    if isinstance(points, str) and points.isdecimal():
        points = int(points)
    if type(points) is not int or not 0 <= points <= 1000:
        raise InvalidInput(f"{where}: cost is {given!r}; give Action Points, a whole number from 0 to 1000")
    if kind == "free" and points:
        raise InvalidInput(f"{where}: a free action costs no Action Points, not {points}")
    return points


def _when(where: str, kind: str, given: object) -> str:
    """Read when an action can be taken; a type can be narrowed, not widened."""
    if given is None:
        return ""
    usual = _KINDS[kind].when
    right = ("own turn", "reaction", usual) if kind == "secondary" else (usual,)
    if given not in right:
        known = " or ".join(repr(r) for r in right)
        raise InvalidInput(f"{where}: when is {given!r}; for a {kind} action give {known}")
    return str(given)


def still_due(fighter: Fighter, action: Action) -> int:
    """Return the points an action still needs."""
    points: int = action.facts["ap"]
    progress = fighter.progress.get(action.id)
    return points - progress.done if progress is not None else points


def saved_of(fighter: Fighter) -> Effect | None:
    """Return the point somebody has saved for a reaction; not a condition the GM set under that name."""
    for effect in fighter.effects:
        if effect.id == SAVED and effect.value == 1:
            return effect
    return None


def points_left(fighter: Fighter, reacts: bool) -> int:
    """Return the points somebody could spend; off turn, no more than may be spent there, plus a saved one."""
    pool, off = fighter.pools.get("ap"), fighter.pools.get("off")
    left = pool.left if pool is not None else 0
    if not reacts:
        return left
    left = min(left, off.left) if off is not None else left
    return left + 1 if fighter.effects and saved_of(fighter) is not None else left


def points_now(fighter: Fighter, action: Action, reacts: bool) -> int:
    """Return the points to be paid now: for an extended action on your own turn, as many as there are."""
    due: int = still_due(fighter, action) if fighter.progress else action.facts["ap"]
    if due < 2 or reacts or action.facts.get("single_turn"):
        return due
    pool = fighter.pools.get("ap")
    return max(1, min(due, pool.left)) if pool is not None else due


def is_counted(action: Action) -> bool:
    """Check whether an action is one of the attacks that the option ``max_attacks`` limits."""
    return "counted" in action.facts or (action.cost == "primary" and "attack" in action.tags)


def is_threat(action: Action, act: Act) -> bool:
    """Check whether an action can be reacted to: an attack, or anything aimed at somebody else."""
    if action.cost == "free":
        return False
    return "attack" in action.tags or "threat" in action.tags or any(t != act.who for t in act.targets)
