"""Who threatens whom in phases, what provokes, what manoeuvres add: questions only, nothing here changes a fight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from combatkit.core.geometry import Hex, hex_distance, hex_line
from combatkit.core.limits import PATH
from combatkit.core.model import Act, Effect, Fighter, State
from combatkit.core.plain import counted
from combatkit.errors import UnknownName
from combatkit.rules.case import Case, Objection
from combatkit.rules.judge import judge
from combatkit.rules.params import as_names
from combatkit.rules.weapons import weapons_of, wielded

if TYPE_CHECKING:
    from combatkit.rules.catalogue import Action
    from combatkit.rules.ruleset import Ruleset
    from combatkit.systems.phases.ruleset import Phases

OPPORTUNITY = "attack_of_opportunity"
BARRED = "dodged"
MANOEUVRE = "manoeuvre"
NOBODY, EVERYBODY = "nobody", "everybody"
FAILED, NEGATED = "failed", "negated"
"""How a check came out, or what the GM says, of an action that would provoke."""


# ── places ──


def hex_of(fighter: Fighter) -> Hex | None:
    """Return the hex somebody stands in; None without a position, or with one that is only a name."""
    return as_hex(fighter.position)


def as_hex(value: Any) -> Hex | None:
    """Return a pair of whole numbers as a hex; None for anything else."""
    pair = isinstance(value, (tuple, list)) and len(value) == 2 and all(type(n) is int for n in value)
    return (value[0], value[1]) if pair else None


def reach(rules: Ruleset, fighter: Fighter) -> int:
    """Return how many hexes away somebody can strike in melee, with the longest of their weapons."""
    stated: list[int] = [weapon["reach"] for weapon in weapons_of(fighter) if "reach" in weapon]
    return max(own_reach(rules, fighter), *stated) if stated else own_reach(rules, fighter)


def own_reach(rules: Ruleset, fighter: Fighter) -> int:
    """Return how many hexes away somebody strikes without a weapon; no more than the stat may be, whatever adds to it.

    So it is with a weapon of which no reach is said.
    """
    _, most = rules.stats["reach"].range or (None, None)
    return min(rules.value(fighter, "reach") or 0, most or 0)


def stops_of(state: State, who: str, to: Any) -> tuple[Hex, ...] | None:
    """Return the hex a move leaves and those named for it; None where that cannot be told."""
    here = hex_of(state.fighters[who])
    if here is None or to is None:
        return None
    named = [as_hex(place) for place in ([to] if as_hex(to) is not None or isinstance(to, str) else to)]
    places = tuple(place for place in named if place is not None)
    return (here, *places) if len(places) == len(named) else None


def length_of(stops: tuple[Hex, ...]) -> int:
    """Count the hexes of a way, reckoned and not walked: a way may be named that no one could ever go."""
    return sum(hex_distance(a, b) for a, b in pairwise(stops))


def path_of(state: State, who: str, to: Any) -> tuple[Hex, ...] | None:
    """Return the hexes a move goes through, without the one it leaves; None where that cannot be told, or is too long.

    Places that do not touch are joined by the straightest way.
    """
    stops = stops_of(state, who, to)
    if stops is None or length_of(stops) > PATH:
        return None
    return tuple(spot for here, there in pairwise(stops) for spot in hex_line(here, there))


def way_of(state: State, act: Act) -> tuple[Hex, ...] | None:
    """Return the hexes a move under way still has before it."""
    return ways_left(state, act.who, act.params.get("to"), act.result.get("path"))


def ways_left(state: State, who: str, to: Any, left: Any) -> tuple[Hex, ...] | None:
    """Return the hexes a move has before it: what it noted as `left`, or else all the way it names."""
    return path_of(state, who, to) if left is None else tuple((q, r) for q, r in left)


# ── threats ──


def foes_of(state: State, who: str) -> list[str]:
    """Return everybody on another side who is on the ladder."""
    side = state.fighters[who].side
    return [p.who for p in state.agenda if state.fighters[p.who].side != side]


def threatens(rules: Phases, foe: Fighter, other: Fighter) -> bool | None:
    """Check whether somebody could make a melee attack into another's hex; None without positions."""
    a, b = hex_of(foe), hex_of(other)
    return None if a is None or b is None else hex_distance(a, b) <= reach(rules, foe)


def could(rules: Phases, state: State, foe: str, who: str) -> bool:
    """Check whether somebody could make an attack of opportunity on another, were it provoked now."""
    action = rules.actions[OPPORTUNITY]
    judged = judge(Case(rules, state, state.fighters[foe], action, {"trigger": "?", "target": [who]}))
    timing = rules.reaction_rule(action)
    return not [o for o in judged.objections if o.reason and o.rule != timing]


def provocation(rules: Phases, state: State, act: Act) -> str:
    """Return how an action provokes: "yes", "skill", "varies" or not at all.

    Completing a full-phase action usually provokes, as starting it does, unless that action is one that provokes by
    itself: then it does so as it is carried out, and once.
    """
    action = rules.catalogue(state)[act.action]
    case = Case(rules, state, state.fighters[act.who], action, act.params, act)
    kind = own_provocation(case)
    if action.facts.get("provokes"):
        if act.params.get("outcome") == NEGATED or act.result.get("check") == NEGATED:
            return ""
        if action.does == "half" and act.params["action"] in state.fighters[act.who].progress:
            whole = rules.catalogue(state)[act.params["action"]]
            return "" if own_provocation(Case(rules, state, case.fighter, whole, act.params)) else kind
    return kind


def own_provocation(case: Case) -> str:
    """Return how an action provokes by its own row of the table, and by how attacks at range are read."""
    action, kind = case.action, str(case.action.facts.get("provokes", ""))
    if kind or "attack" not in action.tags or action.id == OPPORTUNITY or not case.state.options["ranged_provokes"]:
        return kind
    return "yes" if is_ranged(case) else ""


def leaves(rules: Phases, state: State, act: Act) -> bool:
    """Check whether an action provokes by leaving a hex, not by what it is."""
    return "movement" in rules.catalogue(state)[act.action].tags


def provoked(rules: Phases, state: State, act: Act, stage: str) -> tuple[list[str], list[str]]:
    """Return who may attack as an action goes on from a stage.

    Returns
    -------
    tuple
        Those who threaten, by positions or the GM's word, and those of whom only the GM can tell.
    """
    first = stage == "declared"
    moving = leaves(rules, state, act)
    if not first and not (moving and stage == "hex" and way_of(state, act)):
        return [], []
    mover = state.fighters[act.who]
    given = [pair[0] for pair in state.facts.get("left", ()) if pair[1] == act.who] if moving else []
    said = named(state, act)
    known: list[str] = []
    unknown: list[str] = []
    for foe in foes_of(state, act.who):
        if foe in given:
            continue
        near = threatens(rules, state.fighters[foe], mover)
        if near is None and first and said is not None:
            near = foe in said
        if near is not False and could(rules, state, foe, act.who):
            if near:
                known.append(foe)
            elif first:
                unknown.append(foe)
    return known, unknown


def named(state: State, act: Act) -> list[str] | None:
    """Return whom the GM has named as threatening, or None if that was not asked."""
    answer = act.result.get("threatens")
    if answer is None:
        return None
    if answer == EVERYBODY:
        return foes_of(state, act.who)
    return [name for name in as_names(answer) if name != NOBODY]


# ── manoeuvres ──


def manoeuvres(own: Mapping[str, Any], supplied: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the rows of the table of manoeuvres by id, a user's beside the project's own."""
    return {row["id"]: row for tables in (own, supplied) for row in tables.get("manoeuvres", ())}


def needs_roll(rules: Phases, state: State, id: str) -> bool:
    """Check whether a manoeuvre needs an attack roll: any row, and any action of the catalogue that is an attack."""
    action = rules.actions.get(id)
    return "attack" in action.tags if action is not None else id in rules.manoeuvres(state.tables)


def manoeuvre_ids(rules: Phases, state: State) -> tuple[str, ...]:
    """Return every manoeuvre that can be named: attack actions and the table's rows."""
    listed = [a.id for a in rules.actions if a.cost == "attack" and a.id != "ready"]
    return tuple(dict.fromkeys([*listed, *rules.manoeuvres(state.tables)]))


def manoeuvre_of(action: Action, params: Mapping[str, Any]) -> str:
    """Return the manoeuvre an action is made with: the one named, else the action's own."""
    return str(params.get("manoeuvre") or ("strike" if action.id == OPPORTUNITY else action.id))


def own_modifiers(rules: Phases, state: State, id: str) -> dict[str, int]:
    """Return what a manoeuvre adds by itself; none where no row says so."""
    row = rules.manoeuvres(state.tables).get(id, {})
    return {stat: row.get(stat, 0) for stat in ("ocv", "dcv")}


def worst(modifiers: Iterable[int]) -> int:
    """Return what several manoeuvres add together: the least bonus, and every penalty.

    Examples
    --------
    >>> worst([3, 1]), worst([3, 1, -2]), worst([2, -1, -3]), worst([])
    (1, -2, -4, 0)
    """
    given = list(modifiers)
    bonus = min([max(0, n) for n in given], default=0)
    return bonus + sum([n for n in given if n < 0])


def in_effect(fighter: Fighter, stat: str) -> list[int]:
    """Return what each manoeuvre somebody has used adds to a stat."""
    return [effect.value[stat] for effect in fighter.effects if is_manoeuvre(effect)]


def is_manoeuvre(effect: Effect) -> bool:
    """Check whether an effect is a manoeuvre that was used, and not a condition of the GM's that is called so."""
    return effect.id == MANOEUVRE and isinstance(effect.value, dict) and {"ocv", "dcv"} <= set(effect.value)


def is_ranged(case: Case) -> bool:
    """Check whether an attack is made at range: as said, by its manoeuvre's row, its data, or its weapon."""
    return "range" in wielded(case) if (bound := is_bound(case)) is None else bound


def is_bound(case: Case) -> bool | None:
    """Check whether an attack is made at range whatever the weapon; None if that is the weapon's to say."""
    said = case.params.get("option")
    if said:
        return bool(said == "ranged")
    row, facts = row_of(case), case.action.facts
    return True if row.get("ranged") or row.get("range") or facts.get("ranged") or facts.get("range") else None


def row_of(case: Case) -> Mapping[str, Any]:
    """Return the row of the manoeuvre an attack is made with; an empty one where no table has it."""
    known = cast("Phases", case.rules).manoeuvres(case.state.tables)
    return known.get(manoeuvre_of(case.action, case.params), {})


# ── what is against an attack ──


def manoeuvre_objections(rules: Phases, state: State, action: Action, params: Mapping[str, Any]) -> Iterable[Objection]:
    """Refuse a manoeuvre that is none, and one without an attack roll."""
    id = params.get("manoeuvre")
    if id is not None and id not in manoeuvre_ids(rules, state):
        raise UnknownName.of("manoeuvre", id, manoeuvre_ids(rules, state))
    if id is not None and not needs_roll(rules, state, id):
        rule = "phases.aoo.any-manoeuvre" if action.id == OPPORTUNITY else action.rule
        yield Objection(f"{id.replace('_', ' ').capitalize()} needs no attack roll.", rule)


def aim_objections(rules: Phases, case: Case) -> Iterable[Objection]:
    """Refuse a target that is out of reach, range or sight, of a moving attacker from all of its way."""
    if not case.targets:
        return
    ranged, weapon = is_ranged(case), wielded(case)
    limits = (row_of(case).get("range", case.action.facts.get("range")), weapon.get("range")) if ranged else ()
    farthest = min([limit for limit in limits if limit is not None], default=None)
    reach = None if ranged else weapon.get("reach", own_reach(rules, case.fighter))
    for target in case.targets:
        if ranged and case.state.fighters[target].effect("barrier"):
            yield Objection(f"{target} is out of {case.fighter.name}'s line of sight.", "phases.atk.ranged")
        steps = steps_to(case, target)
        if steps is None:
            continue
        if reach is not None and steps > reach:
            whose = f"the {weapon['name']}" if weapon else case.fighter.name
            yield Objection(
                f"{target} is {counted(steps, 'hex')} away, {whose}'s reach is {reach}.", "phases.atk.melee-adj"
            )
            yield Objection("", "phases.aoo.reach" if reach == 1 else "phases.aoo.reach-more")
        elif farthest is not None and steps > farthest:
            yield Objection(f"{target} is {counted(steps, 'hex')} away, the range is {farthest}.", "phases.atk.ranged")


def steps_to(case: Case, target: str) -> int | None:
    """Return how far somebody is from the nearest hex the attacker comes through; None without positions."""
    here, there = hex_of(case.fighter), hex_of(case.state.fighters[target])
    if here is None or there is None:
        return None
    ahead = ways_left(case.state, case.fighter.name, case.params.get("to"), case.noted("path"))
    way = (*case.noted("walked", ()), *(ahead or ())) if "movement" in case.action.tags else ()
    return min(hex_distance(spot, there) for spot in (here, *((q, r) for q, r in way)))
