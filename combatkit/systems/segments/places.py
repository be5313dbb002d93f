"""Where a combatant stands in the flow of a round: the keys and ranks of places, and when a place moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, NotRequired, TypedDict

from msgspec.structs import replace

from combatkit.core.model import Effect, Fighter, Place, State
from combatkit.rules.catalogue import Action
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import calls
from combatkit.systems.segments.tables import ORDER, SEGMENTS, STEPS, chart_order
from combatkit.systems.segments.weapons import (
    LOADING,
    arm_of,
    fastest_speed,
    is_shot,
    named_weapon,
    only_loads,
    usual_kind,
    weapon_speed,
)

STAGE = {step.id: step.stage for step in STEPS if step.stage is not None}
"""The steps that call places, with the first term of their rank."""

UNROLLED = 1
"""The first term of a rank before initiative."""

DRAWN = "drawn_weapon"
"""The keyed pools that note a weapon drawn in no time for a coming attack."""

LOST = "segments.cast.lost"
"""The rule by which a spell is lost as if it had been cast."""

PASSED = {kind: ORDER[kind] for kind in ("fast", "multi")}
"""The rules by which a major action is lost that was passed up in its own step, by the kind of place there."""

HALVES = ("LOW", "HIGH")
_PLAIN_SIDE = {"HIGH": 2, "LOW": 1}


def group_of(fighter: Fighter) -> str:
    """Return the group a combatant rolls with: the one given, or else their side; being alike doesn't make a group."""
    group = fighter.group
    if group is None or (fighter.name.startswith(f"{group} ") and fighter.name[len(group) + 1 :].isdigit()):
        return fighter.side
    return group


class Declared(TypedDict):
    """An action as it was declared, with its details."""

    action: str
    weapon: NotRequired[str]
    option: NotRequired[str]
    target: NotRequired[list[str]]
    spell_name: NotRequired[str]
    segments: NotRequired[int]


def declared(fighter: Fighter) -> list[Declared]:
    """Return what a combatant declared this round, in order; a casting that goes on by itself needs no words."""
    found = [e.value for e in fighter.effects if e.id == "declared"]
    casting = fighter.effect("casting")
    if casting is not None and casting.anchor and "since" in casting.value:
        spell: Declared = {"action": casting.value["spell"]}
        if "spell_name" in casting.value:
            spell["spell_name"] = casting.value["spell_name"]
        return found if any(value["action"] == spell["action"] for value in found) else [*found, spell]
    return found


def called(action: Action, said: Mapping[str, Any]) -> str:
    """Return what a declared action is called: a spell by the name it was given, if it was."""
    return str(said.get("spell_name") or action.title.lower())


def is_declared(fighter: Fighter, action: Action) -> bool:
    """Check whether a combatant declared this action this round."""
    return any(value["action"] == action.id for value in declared(fighter))


class Plan(NamedTuple):
    """What a combatant plans to do.

    The action type that orders it, its weapon, the segments of what comes first, whether it can only be done in LOW,
    the major action and the segments it takes; `owed` are those of drawing what is not used.
    """

    kind: str
    weapon: str | None
    before: int
    low: bool
    action: str = ""
    time: int = 1
    owed: int = 0


def plan_of(rules: Ruleset, state: State, fighter: Fighter) -> Plan:
    """Return what a combatant plans to do: as declared, or else as their weapons suggest."""
    plan = Plan("", None, 0, False)
    late = False
    catalogue = rules.catalogue(state)
    for value in declared(fighter) if fighter.effects else ():
        action = catalogue[value["action"]]
        phase = action.facts.get("kind", "other")
        if phase == "delay":
            plan = plan._replace(low=True)
        elif action.cost in ("minor", "quick_spell"):
            late = late or phase == "delaying"
            plan = _with_minor(plan, action, phase, draws_free(rules, state, fighter, value))
        elif not plan.action:
            late = late or phase == "delaying"
            plan = with_major(fighter, plan, action, value)
    if late and plan.kind != "last":  # what delays is done in D4, before a major action or alone
        return plan._replace(kind="other", low=True, time=plan.time if plan.action else 0)
    if not plan.kind:
        assumed = usual_kind(fighter).lower() or str(state.options["unarmed"])  # of who has declared nothing
        return plan._replace(kind=assumed, low=plan.low or only_loads(fighter))
    return plan if plan.action or plan.kind == "innate" else plan._replace(time=0)


def draws_free(rules: Ruleset, state: State, fighter: Fighter, said: Mapping[str, Any]) -> bool:
    """Check whether drawing a weapon is part of a plan: for an attack with it, or for an action not yet decided."""
    if state.options["drawing"] == "any":
        return True
    catalogue, drawn = rules.catalogue(state), said.get("weapon")
    for value in declared(fighter):
        action = catalogue[value["action"]]
        if is_major(action):
            named = value.get("weapon") if "attack" in action.tags else ""
            if named == "" or (drawn and named and not _same(drawn, named)):
                return False
    return True


def is_major(action: Action) -> bool:
    """Check whether an action is the round's one major action."""
    return action.cost in ("major", "routine", "fast", "spell", "complex")


def is_spell(action: Action) -> bool:
    """Check whether an action is the round's one spell, whether or not it is the major action too."""
    return action.cost in ("spell", "quick_spell")


def has_drawn(fighter: Fighter) -> bool:
    """Check whether a combatant has drawn a weapon this round in no time."""
    return any(pool.startswith(f"{DRAWN}:") for pool in fighter.pools)


def owed_for_drawing(fighter: Fighter, action: Action, params: Mapping[str, object]) -> int:
    """Return the segments that drawing takes after all: of each weapon that the action to follow isn't made with."""
    drawn = [(*pool.split(":", 2), "")[2] for pool in fighter.pools if pool.startswith(f"{DRAWN}:")]
    if not drawn or not is_major(action):
        return 0
    if "attack" not in action.tags:
        return len(drawn)
    weapon, line, _ = arm_of(fighter, action, params)
    used = [strike.name for strike in line.strikes] if line is not None else []
    if weapon is not None and not any(_same(weapon["name"], name) for name in used):
        used = [weapon["name"]]
    used = used or [""]  # with whatever is at hand
    for name in sorted(drawn, key=bool, reverse=True):  # what was drawn by name first; any other may be any weapon
        fits = next((one for one in used if not name or not one or _same(name, one)), None)
        if fits is not None:
            used.remove(fits)
            drawn.remove(name)
    return len(drawn)


def _same(name: str, other: str) -> bool:
    """Check whether two names mean the same weapon: "longbow" and "longbow arrows"."""
    return calls(name, other) or calls(other, name)


def _with_minor(plan: Plan, action: Action, phase: str, free: bool) -> Plan:
    """Add a minor action: alone it sets the type, and before a major action it adds its time.

    An innate ability has a turn of its own in D1, and adds what it takes once it is used there.
    """
    if phase == "innate":
        return plan._replace(kind=plan.kind or phase)
    if not plan.action and not (free and action.facts.get("included")):
        plan = plan._replace(before=plan.before + int(action.facts.get("segments", 1)))
    return plan._replace(kind="other") if plan.kind in ("", "innate") else plan


def with_major(fighter: Fighter, plan: Plan, action: Action, params: Mapping[str, object]) -> Plan:
    """Return a plan with this major action added."""
    kind = str(action.facts.get("kind", "other"))
    loading = loads(fighter, action, params)
    if kind == "delaying":
        kind = "other"
    elif loading and is_delayed(fighter):  # for the delayed it is complex, and goes last
        kind = "last"
    elif kind == "melee" and is_shot(fighter, action, params):
        kind = "missile"
    return plan._replace(
        kind=kind,
        weapon=named_weapon(fighter, action, params),
        low=plan.low or loading,
        action=action.id,
        time=_time_of_major(fighter, action),
        owed=owed_for_drawing(fighter, action, params),
    )


def _time_of_major(fighter: Fighter, action: Action) -> int:
    """Return the segments a major action takes in its half; a spell of step 7 takes none there."""
    casting = fighter.effect("casting") if fighter.effects else None
    if casting is None or casting.value["spell"] != action.id:
        return min(SEGMENTS, still_to_take(fighter, action))
    return segments_to_cast(casting) if casting.value["step"] == "group" else 0


def loads(fighter: Fighter, action: Action, params: Mapping[str, object]) -> bool:
    """Check whether an attack includes a delaying activity, such as loading a light crossbow."""
    if "attack" not in action.tags:
        return False
    weapon = arm_of(fighter, action, params).weapon
    return params.get("option") == LOADING or bool(weapon is not None and weapon.get("delaying"))


# ── halves, types, ranks ──


def is_delayed(fighter: Fighter) -> bool:
    """Check whether a combatant has the delayed condition."""
    return bool(fighter.effects) and fighter.effect("delayed") is not None


def kept_to_low(rules: Ruleset, state: State, fighter: Fighter, plan: Plan | None = None) -> bool:
    """Check whether a combatant acts in LOW whatever their group rolls: delayed, or doing what needs LOW."""
    return is_delayed(fighter) or (plan or plan_of(rules, state, fighter)).low


def half_of(rules: Ruleset, state: State, fighter: Fighter, plan: Plan | None = None) -> str:
    """Return the half a combatant acts in: their group's, unless they are kept to LOW, or the GM has chosen."""
    return "LOW" if kept_to_low(rules, state, fighter, plan) else own_half(state, fighter)


def own_half(state: State, fighter: Fighter) -> str:
    """Return the half of a combatant's group, or the one in which the GM has put them.

    Whoever has yet to act in LOW stays there: nobody goes back to a half that is over.
    """
    placed = next((p for p in state.agenda if p.who == fighter.name and p.facts.get("placed")), None)
    if placed is None:
        return "LOW" if _stays_low(state, fighter) else group_half(state, fighter)
    return next((half for half in HALVES if STAGE[half.lower()] == placed.rank[0]), group_half(state, fighter))


def _stays_low(state: State, fighter: Fighter) -> bool:
    """Check whether it is LOW, and a combatant has yet to act in it."""
    own = state.place_of(fighter.name) if state.step >= 0 and STEPS[state.step].stage == STAGE["low"] else None
    return own is not None and own.rank[0] == STAGE["low"] and own.done < state.occasion


def group_half(state: State, fighter: Fighter) -> str:
    """Return the half of a combatant's group, whatever their own condition."""
    return "HIGH" if state.facts.get("halves", {}).get(group_of(fighter)) == "HIGH" else "LOW"


def d_phase(state: State, kind: str) -> int:
    """Return the index of an action type's D phase; a type the list lacks comes last."""
    phases = state.options["d_phases"]
    if kind in phases:
        return int(phases.index(kind))
    return 0 if kind == "innate" else len(phases) - 1


def used_before(fighter: Fighter) -> int:
    """Return the segments a combatant has used this round before their major action."""
    major, segments = fighter.pools.get("major"), fighter.pools.get("segments")
    if major is None or segments is None or major.left < 1:
        return 0
    return segments.total - segments.left


def segments_to_cast(casting: Effect) -> int:
    """Return the segments a spell still takes, less those cast in earlier rounds."""
    return int(casting.value["segments"]) - int(casting.value.get("done", 0))


def still_to_take(fighter: Fighter, action: Action) -> int:
    """Return the segments left of an action that may have begun in earlier rounds."""
    segments, progress = int(action.facts.get("segments", 1)), fighter.progress.get(action.id)
    return segments - SEGMENTS * progress.done if progress is not None and action.turns else segments


def main_place(rules: Ruleset, state: State, fighter: Fighter, place: Place, plan: Plan | None = None) -> Place:
    """Return a combatant's own place as it is now: half, type, delayed or not, speed or segments."""
    facts = {k: v for k, v in place.facts.items() if k != "placed"} if place.facts else place.facts
    place = replace(place, score=score_of(state, fighter), why="", why_rule="", was=None, waits=False, facts=facts)
    if "dice" not in state.facts or not state.facts["dice"]:
        return replace(place, score=None, rank=(UNROLLED, -fighter.number), key=(("group", group_of(fighter)),))
    if plan is None:
        plan = plan_of(rules, state, fighter)
        if plan.kind not in ("innate", "last") and _is_spent(state, fighter, place):
            plan = plan._replace(kind="other", time=0 if plan.before else 1)
    half = half_of(rules, state, fighter, plan)
    late = is_delayed(fighter)
    if plan.kind == "last":
        key: tuple[tuple[str, object], ...] = (("half", half), ("type", "go last"))
        rank: tuple[object, ...] = (STAGE["end"], 0, 0 if late else 1, 0)
        return replace(place, rank=rank, key=(*key, ("delayed", True)) if late else key)
    kind = "other" if plan.kind in ("spell", "fast") else plan.kind
    index = d_phase(state, kind)
    key = (("half", half), ("type", f"D{index + 1}"))
    if late:
        key = (*key, ("delayed", True))
    added = max(plan.before, used_before(fighter)) + plan.owed
    time = plan.time + added
    if kind == "melee":
        time = planned_speed(rules, state, fighter, plan) + added
        if state.options["weapon_speed_ties"]:
            key = (*key, ("speed", time))
        else:
            time = 0
    else:
        key = (*key, ("segments", time))
    return replace(place, rank=(STAGE[half.lower()], -index, 0 if late else 1, -time), key=key)


def _is_spent(state: State, fighter: Fighter, place: Place) -> bool:
    """Check whether the major action is gone before the turn at a place, which is for minor actions then: in D4."""
    major = fighter.pools.get("major")
    if major is None or major.left > 0 or place.done >= state.occasion:
        return False
    turn = state.turn
    return turn is None or turn.place != place.id or major.seq < turn.seq


def planned_speed(rules: Ruleset, state: State, fighter: Fighter, plan: Plan) -> int:
    """Return the speed of the weapon a combatant plans to use, or of the fastest they may choose.

    The weapon they then use decides: a slower one counts with its own speed.
    """
    if plan.weapon is None and plan.kind == "melee":
        return fastest_speed(rules, state, fighter)
    return weapon_speed(rules, state, fighter, plan.weapon, missile=plan.kind == "missile")


def lost_spell(fighter: Fighter) -> str:
    """Return the spell that was lost this round as if it had been cast; empty if there is none."""
    major = fighter.pools.get("major")
    return major.action if major is not None and major.left < 1 and major.rule == LOST else ""


def has_made_major(fighter: Fighter) -> bool:
    """Check whether a major action was taken: one lost with its spell, or passed up, was not."""
    major = fighter.pools.get("major")
    return major is not None and major.left < 1 and major.rule not in (LOST, *PASSED.values())


def owes_spell(rules: Ruleset, state: State, fighter: Fighter) -> bool:
    """Check whether a casting of an earlier round has yet to take this round's spell, as it does when step 1 ends."""
    casting, step = fighter.effect("casting") if fighter.effects else None, rules.present_step(state)
    return casting is not None and not casting.anchor and step is not None and step.id == "declare"


def acts_in_half(rules: Ruleset, state: State, fighter: Fighter) -> bool:
    """Check whether a combatant takes a turn in their half; a caster of step 7 only for a declared minor action.

    Whoever has lost the spell keeps that turn, for minor actions: most of them need no declaration.
    """
    casting = fighter.effect("casting") if fighter.effects else None
    return casting is None or casting.value["step"] == "group" or plans_minor(rules, state, fighter)


def in_d1(place: Place) -> bool:
    """Check whether a place is in D1 of a half."""
    return place.rank[:2] in ((STAGE["high"], 0), (STAGE["low"], 0))  # by hand a rank may be a score alone


def plans_minor(rules: Ruleset, state: State, fighter: Fighter) -> bool:
    """Check whether a combatant has declared a minor action that is done in their half, after D1."""
    catalogue = rules.catalogue(state)
    others = (catalogue[value["action"]] for value in declared(fighter))
    return any(is_minor(action) for action in others)


def is_minor(action: Action) -> bool:
    """Check whether an action is a minor one that has no phase of its own."""
    return action.cost == "minor" and action.facts.get("kind") not in ("innate", "delay")


def plans_innate(rules: Ruleset, state: State, fighter: Fighter) -> bool:
    """Check whether a combatant has declared an innate ability and not used it yet."""
    catalogue = rules.catalogue(state)
    return any(catalogue[value["action"]].facts.get("kind") == "innate" for value in declared(fighter))


def may_add_minor(rules: Ruleset, state: State, fighter: Fighter, *, ahead: bool = False) -> bool:
    """Check whether a caster of step 7 could still have a turn in their half, for a minor action declared in it.

    Whoever acts in LOW may say it `ahead`, in HIGH.
    """
    place, step = state.place_of(fighter.name), rules.present_step(state)
    if place is None or step is None or place.done >= state.occasion or acts_in_half(rules, state, fighter):
        return False
    return step.id in ("high", "low") and (step.stage == place.rank[0] or (ahead and step.id == "high"))


def score_of(state: State, fighter: Fighter) -> int | None:
    """Return the group's die, on which a combatant acts."""
    rolled = state.facts.get("dice", {}).get(group_of(fighter))
    return None if rolled is None else int(rolled)


def fast_place(state: State, fighter: Fighter, action: str, kind: str) -> Place:
    """Return the place of a fast action: in the flowchart's order, then by the group's half."""
    half = group_half(state, fighter)
    order = state.options["fast_order"].index(kind)
    key = (("fast", kind.replace("_", " ")), ("half", half))
    facts = {"kind": "fast", "action": action}
    rank = (STAGE["fast"], -order, _PLAIN_SIDE[half], 0)
    return Place(0, fighter.name, score_of(state, fighter), rank, key, facts=facts)


def multi_place(rules: Ruleset, state: State, fighter: Fighter, step: str) -> Place:
    """Return the place of a first routine (step 4) or of the remaining ones (step 6)."""
    half = half_of(rules, state, fighter)
    word = "first" if step == "multi" else "remaining"
    key = (("multi-attack", word), ("half", half))
    rank = (STAGE[step], _PLAIN_SIDE[half], 0, 0)
    return Place(0, fighter.name, score_of(state, fighter), rank, key, facts={"kind": step})


def innate_place(rules: Ruleset, state: State, fighter: Fighter) -> Place:
    """Return the place in D1 of whoever declared an innate ability and something else, be that kept to LOW."""
    catalogue = rules.catalogue(state)
    delays = any(catalogue[value["action"]].facts.get("kind") == "delay" for value in declared(fighter))
    half = "LOW" if delays or is_delayed(fighter) else own_half(state, fighter)
    index = d_phase(state, "innate")
    key: tuple[tuple[str, object], ...] = (("half", half), ("type", f"D{index + 1}"), ("segments", 1))
    late = is_delayed(fighter)
    rank = (STAGE[half.lower()], -index, 0 if late else 1, -1)
    key = (*key, ("delayed", True)) if late else key
    return Place(0, fighter.name, score_of(state, fighter), rank, key, facts={"kind": "innate"})


def spell_place(rules: Ruleset, state: State, fighter: Fighter, casting: Effect) -> Place:
    """Return the place of a spell: by the chart (HIGH before LOW until one is supplied), then by casting time."""
    plan = plan_of(rules, state, fighter)
    half = half_of(rules, state, fighter, plan)
    action = rules.catalogue(state)[casting.value["spell"]]
    segments = segments_to_cast(casting) + max(plan.before, used_before(fighter))
    order = chart_order(rules, state, action, half, segments)
    key: tuple[tuple[str, object], ...] = (("half", half), ("segments", segments))
    if state.tables.get("spell_chart"):
        key = (*key, ("chart", order))
    facts = {"kind": "spell", "action": action.id}
    rank = (STAGE["spells"], -order, -segments, 0)
    return Place(0, fighter.name, score_of(state, fighter), rank, key, facts=facts)
