"""Who threatens whom in phases, what provokes, and what manoeuvres add: nothing here changes a fight."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from combatkit.core.geometry import Hex, as_pair, hex_distance
from combatkit.core.model import Act, Effect, Fighter, Lookup, LookupEach, State, Turn, foes_of
from combatkit.core.plain import counted, short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.case import Case, Objection, against
from combatkit.rules.draft import Draft
from combatkit.rules.judge import could_strike, would_strike
from combatkit.rules.params import as_names
from combatkit.rules.perform import EVERYBODY
from combatkit.rules.weapons import MELEE, RANGED, is_spent, nothing_to_shoot, path_of, weapons_of, wielded
from combatkit.text import say, say_names

if TYPE_CHECKING:
    from combatkit.rules.catalogue import Action
    from combatkit.rules.ruleset import Ruleset

OPPORTUNITY = "attack_of_opportunity"
BARRED = "dodged"
MANOEUVRE = "manoeuvre"
NOBODY = "nobody"
WAYS = (MELEE, RANGED)
"""How an attack can be made, if that is said."""
FAILED, NEGATED = "failed", "negated"
"""How a check came out, or what the GM says, for an action that would provoke."""


# ── places ──


def hex_of(fighter: Fighter) -> Hex | None:
    """Return the hex a combatant stands in; None without a position, or with one that is only a name."""
    return None if fighter.position is None else as_pair(fighter.position)


def reach(rules: Ruleset, fighter: Fighter) -> int:
    """Return how many hexes away a combatant can strike in melee, with their longest weapon that isn't used up."""
    held = [weapon for weapon in weapons_of(fighter) if "reach" in weapon]
    stated: list[int] = [weapon["reach"] for weapon in held if not is_spent(fighter, weapon)]
    return max(own_reach(rules, fighter), *stated) if stated else own_reach(rules, fighter)


def own_reach(rules: Ruleset, fighter: Fighter) -> int:
    """Return how many hexes away a combatant can strike without a weapon, never beyond the stat's own limit.

    A weapon with no stated reach strikes just as far.
    """
    _, most = rules.stats["reach"].range or (None, None)
    return min(rules.value(fighter, "reach") or 0, most or 0)


# ── threats ──


def is_unaware(state: State, fighter: Fighter) -> bool:
    """Check whether somebody is surprised in the Surprise Phase: they do nothing, and have nothing to spend."""
    return state.round == 0 and fighter.effect("surprised") is not None


class Grasp(NamedTuple):
    """Where somebody stands, if on a hex, how many hexes away they strike in melee, and whether they can act at all."""

    hex: Hex | None
    reach: int
    able: bool


def grasp(rules: Ruleset, fighter: Fighter) -> Grasp:
    """Return what a combatant could strike in melee."""
    return Grasp(hex_of(fighter), reach(rules, fighter), not fighter.effects or rules.able(fighter))


def threatens(rules: Ruleset, foe: Fighter, other: Fighter) -> bool | None:
    """Check whether a combatant could make a melee attack into another's hex; None without positions."""
    a, steps, able = grasp(rules, foe)
    b = hex_of(other)
    return able and (None if a is None or b is None else hex_distance(a, b) <= steps)


@lru_cache
def grasps(rules: Ruleset) -> LookupEach[Fighter, Grasp]:
    """Return what tells what everybody could strike, as a ruleset reads it."""
    return LookupEach(partial(grasp, rules))


def threatening(rules: Ruleset, state: State, mover: Fighter) -> dict[str, bool]:
    """Return the enemies who could strike into somebody's hex, in the ladder's order: True if positions tell that.

    Of the others only the GM can tell.
    """
    found, here, each = dict[str, bool](), hex_of(mover), grasps(rules)(state.fighters)
    q, r = here or (0, 0)
    for foe in foes_of(state, mover.name):
        at, n, able = each[foe.name]
        placed = here is not None and at is not None
        if at is not None and placed:
            near = -n <= at[0] - q <= n and -n <= at[1] - r <= n and -n <= at[0] + at[1] - q - r <= n
            able = able and near  # as `hex_distance`
        if able and not is_unaware(state, foe):  # asked last: a long way asks it of those who are near
            found[foe.name] = placed
    return found


def guarded(rules: Ruleset, state: State, fighter: Fighter, among: Collection[object]) -> dict[str, frozenset[object]]:
    """Return the enemies who may attack somebody for leaving a hex, and the hexes they threaten.

    Whoever has had an opportunity from this mover in the phase has none again.
    """
    had = [foe for foe, mover in state.facts.get("left", ()) if mover == fighter.name]
    found: dict[str, frozenset[object]] = {}
    for foe in foes_of(state, fighter.name):
        if foe.name in had or rules.is_felled(foe):
            continue
        hexes = rules.threatened(state, foe)
        if not hexes.isdisjoint(among) and would_strike(rules, state, foe, OPPORTUNITY, fighter):
            found[foe.name] = hexes
    return found


def provocation(case: Case, act: Act) -> str:
    """Return how an action provokes: "yes", "skill", "varies" or not at all.

    Completing a full-phase action usually provokes, as starting it does, unless it is an action that provokes by
    itself: then it provokes as it is carried out, and only once.
    """
    action, kind = case.action, own_provocation(case)
    if action.facts.get("provokes"):
        if act.params.get("outcome") == NEGATED or act.result.get("check") == NEGATED:
            return ""
        if action.does == "half" and act.params["action"] in case.fighter.progress:
            whole = case.rules.catalogue(case.state)[act.params["action"]]
            return "" if own_provocation(case.doing(whole, act.params)) else kind
    return kind


def own_provocation(case: Case) -> str:
    """Return how an action provokes by its own row of the table, and by the reading of attacks at range."""
    action, kind = case.action, str(case.action.facts.get("provokes", ""))
    if kind or "attack" not in action.tags or action.id == OPPORTUNITY or not case.state.options["ranged_provokes"]:
        return kind
    return "yes" if is_ranged(case) else ""


def provoked(case: Case, act: Act) -> tuple[list[str], list[str]]:
    """Return who may attack as an action goes on from the stage it has passed.

    Returns
    -------
    tuple
        Those who threaten, by positions or the GM's word, and those of whom only the GM can tell.
    """
    state, mover, first = case.state, case.fighter, act.passed == "declared"
    moving = "movement" in case.action.tags
    onward = moving and act.passed == "hex"
    if not first and not (onward and path_of(case.rules.board, mover, act.params, act.result.get("path"))):
        return [], []
    given = [pair[0] for pair in state.facts.get("left", ()) if pair[1] == act.who] if moving else []
    said, found = named(state, act), threatening(case.rules, state, mover)
    likely = [name for name, told in found.items() if told or (first and (said is None or name in said))]
    able = [n for n in likely if n not in given and could_strike(case.rules, state, n, OPPORTUNITY, act.who)]
    return [n for n in able if found[n] or said is not None], [n for n in able if not found[n] and said is None]


def ahead(case: Case, act: Act) -> list[str]:
    """Return the enemies whose hexes a move that has got so far still leaves, the present one included."""
    here = hex_of(case.fighter)
    way = path_of(case.rules.board, case.fighter, act.params, act.result.get("path"))
    if here is None or "movement" not in case.action.tags:
        return []
    return [*guarded(case.rules, case.state, case.fighter, {here, *way[:-1]})]


def named(state: State, act: Act) -> list[str] | None:
    """Return who the GM says is threatening, or None if the GM wasn't asked."""
    answer = act.result.get("threatens")
    if answer is None:
        return None
    if EVERYBODY in as_names(answer):
        return [foe.name for foe in foes_of(state, act.who)]
    return [name for name in as_names(answer) if name != NOBODY]


# ── manoeuvres ──


def _rows(tables: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {row["id"]: row for row in tables.get("manoeuvres", ())}


_own, _supplied = Lookup(_rows), Lookup(_rows)


def manoeuvres(rules: Ruleset, state: State) -> dict[str, Mapping[str, Any]]:
    """Return the rows of the table of manoeuvres by id, users' beside the project's own."""
    own = _own(rules.tables)
    return {**own, **_supplied(state.tables)} if "manoeuvres" in state.tables else own


def needs_roll(rules: Ruleset, state: State, id: str) -> bool:
    """Check whether a manoeuvre needs an attack roll: any attack in the catalogue, and any row not `of` another."""
    action = rules.actions.get(manoeuvres(rules, state).get(id, {}).get("of", id))
    return action is None or "attack" in action.tags


def manoeuvre_ids(rules: Ruleset, state: State, action: Action) -> tuple[str, ...]:
    """Return every manoeuvre that can be named with an action: attack actions, or a defence itself, and table rows.

    Of what only carries out a defence, that is any of them.
    """
    listed = [action.id] if guards(action) else owners(rules)
    if action.does == "abort":
        listed = [id for id in listed if guards(rules.actions[id])]
    return tuple(dict.fromkeys([*listed, *manoeuvres(rules, state)]))


def owners(rules: Ruleset) -> tuple[str, ...]:
    """Return the actions that are manoeuvres, which a row may be `of`."""
    return tuple([a.id for a in rules.actions if a.cost == "attack" and a.id != "ready"])


def guards(action: Action) -> bool:
    """Check whether an action is a defence that takes a manoeuvre without an attack roll."""
    return "defensive" in action.tags and "attack" not in action.tags


def manoeuvre_of(action: Action, params: Mapping[str, object]) -> str:
    """Return the manoeuvre an action uses: the one named, or else the action's own."""
    return str(params.get("manoeuvre") or ("strike" if action.id == OPPORTUNITY else action.id))


def own_modifiers(rules: Ruleset, state: State, id: str) -> dict[str, int]:
    """Return what a manoeuvre adds by itself; nothing if no row says so."""
    row = manoeuvres(rules, state).get(id, {})
    return {stat: row.get(stat, 0) for stat in ("ocv", "dcv")}


def worst(modifiers: Iterable[int]) -> int:
    """Return what several manoeuvres add together: the smallest bonus, and every penalty.

    Examples
    --------
    >>> worst([3, 1]), worst([3, 1, -2]), worst([2, -1, -3]), worst([])
    (1, -2, -4, 0)
    """
    given = list(modifiers)
    if not given:
        return 0
    least = min(given)
    return least if least > 0 else sum([n for n in given if n < 0])


def added(fighter: Fighter, stat: str, *now: int) -> int:
    """Return what the manoeuvres somebody has used add to a stat, with those they attack with now.

    The worst bonus is that of several attacks; a defence stands beside them.
    """
    used = [effect.value for effect in fighter.effects if is_manoeuvre(effect)] if fighter.effects else []
    if not used:
        return worst(now)
    attacks = [value[stat] for value in used if not is_defence(value)]
    return worst([*attacks, *now]) + worst([value[stat] for value in used if is_defence(value)])


def is_defence(value: Mapping[str, object]) -> bool:
    """Check whether a manoeuvre in use was a defence, by what is noted of it."""
    return bool(value.get("defends"))


def is_manoeuvre(effect: Effect) -> bool:
    """Check whether an effect is a manoeuvre in use, and not a condition of the GM's with that name."""
    return effect.id == MANOEUVRE and isinstance(effect.value, dict) and {"ocv", "dcv"} <= set(effect.value)


def is_ranged(case: Case) -> bool:
    """Check whether an attack is made at range: as given, or by its manoeuvre's row, its data, or its weapon."""
    return "range" in wielded(case) if (bound := is_bound(case)) is None else bound


def is_bound(case: Case) -> bool | None:
    """Check whether an attack is made at range whatever the weapon; None if the weapon decides."""
    nature, said = by_nature(case), case.params.get("option")
    return said == RANGED if nature is None and said else nature


def by_nature(case: Case) -> bool | None:
    """Check whether an action or its manoeuvre is always made at range; None if it can be made either way."""
    row, facts = row_of(case), case.action.facts
    if by_hand(case.action):
        return False
    return True if row.get(RANGED) or row.get("range") or facts.get(RANGED) or facts.get("range") else None


def nature_objections(case: Case) -> Iterable[Objection]:
    """Refuse to make an attack the way that its manoeuvre never is, and to shoot with nothing that shoots."""
    said, title = case.params.get("option"), case.action.title
    if said not in (None, *WAYS):
        raise InvalidInput(f"{case.action.id}: option is {short(said)}; give {say_names(WAYS, ' or ')}, or none")
    if said is not None and (nature := by_nature(case)) is not None and (said == RANGED) is not nature:
        yield case.object(f"{title} is made {'from afar' if nature else 'hand to hand'}.")
    elif said == RANGED or case.action.facts.get(RANGED):
        row = row_of(case)
        if not (row.get(RANGED) or row.get("range")):
            yield from nothing_to_shoot(case)


def row_of(case: Case) -> Mapping[str, Any]:
    """Return the row of an attack's manoeuvre; an empty one if no table has it."""
    return manoeuvres(case.rules, case.state).get(manoeuvre_of(case.action, case.params), {})


def by_hand(action: Action) -> bool:
    """Check whether an action is always done hand to hand."""
    return bool(action.facts.get(MELEE))


# ── what is against an attack ──


def manoeuvre_objections(case: Case) -> Iterable[Objection]:
    """Refuse an unknown manoeuvre, one that is another action's, an attack roll in a defence and none in an attack."""
    rules, state, action, id = case.rules, case.state, case.action, case.params.get("manoeuvre")
    if id is None:
        return
    if id not in (known := manoeuvre_ids(rules, state, action)):
        raise UnknownName.of("manoeuvre", id, known)
    row, title = manoeuvres(rules, state).get(id, {}), str(id).replace("_", " ").capitalize()
    of = row.get("of", id if id in rules.actions else action.id)
    if guards(action) and of != action.id:
        yield Objection(f"{title} is no kind of {action.title.lower()}.", action.rule)
    elif guards(action) and (row.get("ranged") or row.get("range")):
        yield Objection(f"{title} is an attack from afar.", action.rule)
    elif not guards(action) and not needs_roll(rules, state, id):
        rule = "phases.aoo.any-manoeuvre" if action.id == OPPORTUNITY else action.rule
        yield Objection(f"{title} needs no attack roll.", rule)
    elif RANGED in (case.params.get("option"), *action.facts) and id in rules.actions and by_hand(rules.actions[id]):
        yield Objection(f"{title} is made hand to hand.", action.rule)


def aim_objections(rules: Ruleset, case: Case) -> Iterable[Objection]:
    """Refuse a target out of reach, range or sight, seen from the whole way of a moving attacker."""
    if not case.targets or (case.action.does == "travel_attack" and case.act is None and "to" not in case.params):
        return  # the way is still to be given, and it is measured from that
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
            reason = f"{target} is {counted(steps, 'hex')} away; the reach of {whose} is {reach}."
            yield from against(reason, "phases.atk.melee-adj", f"phases.aoo.reach{'-more' * (reach != 1)}")
        elif farthest is not None and steps > farthest:
            yield Objection(f"{target} is {counted(steps, 'hex')} away; the range is {farthest}.", "phases.atk.ranged")


def steps_to(case: Case, target: str) -> int | None:
    """Return the distance from a target to the nearest hex the attacker comes through; None without positions."""
    here, there = hex_of(case.fighter), hex_of(case.state.fighters[target])
    if here is None or there is None:
        return None
    if "movement" not in case.action.tags:
        return hex_distance(here, there)
    return min([hex_distance(spot, there) for spot in (here, *_way(case))])


@Lookup
def _way(case: Case) -> tuple[Hex, ...]:
    """Return the hexes that a moving attacker comes through."""
    ahead = path_of(case.rules.board, case.fighter, case.params, case.noted("path"))
    return (*((q, r) for q, r in case.noted("walked", ())), *ahead)


def keep_on(draft: Draft, turn: Turn) -> None:
    """Restore what a turn ended that lasts until the next action: the turn is delayed."""
    for name, effect in turn.ends:
        if effect.id in (BARRED, MANOEUVRE):
            text = say("dodge.goes_on" if effect.id == BARRED else "manoeuvre.goes_on")
            kept = {"value": effect.value, "modifiers": effect.modifiers, "anchor": effect.anchor}
            draft.effect(name, effect.id, **kept, rule=effect.rule, text=text)
