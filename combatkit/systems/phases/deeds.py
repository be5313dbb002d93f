"""How the actions that only phases has are carried out: moves hex by hex, halves of a full-phase action."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from combatkit.core.geometry import hex_distance
from combatkit.core.limits import PATH
from combatkit.core.model import Act, foes_of
from combatkit.core.plain import counted, with_article
from combatkit.rules import mechanisms
from combatkit.rules.case import Case, Mechanism, Objection, Stage, against
from combatkit.rules.contests import held_by
from combatkit.rules.perform import again
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.vitals import fall_or_rise
from combatkit.rules.weapons import length_of, path_of, said_spot, stops_of, way_clear, way_of, whither, wielded
from combatkit.systems.phases.halves import STEP, check_half, half, half_missing, whole_fits
from combatkit.systems.phases.threats import (
    BARRED,
    MANOEUVRE,
    NEGATED,
    aim_objections,
    hex_of,
    is_ranged,
    manoeuvre_objections,
    manoeuvre_of,
    manoeuvres,
    named,
    nature_objections,
    own_modifiers,
    provocation,
    threatens,
)
from combatkit.text import Title, say

if TYPE_CHECKING:
    from combatkit.core.model import Fighter
    from combatkit.rules.catalogue import Action
    from combatkit.rules.draft import Draft

HALF = "start_or_complete"
FORFEIT = "forfeit"  # a pool of those whose action of the present phase an earlier abort took


# ── attacks ──


def check_attack(case: Case) -> Iterable[Objection]:
    """Refuse a manoeuvre that is not an attack, the wrong way to make one, and several targets for most."""
    action = case.action
    yield from manoeuvre_objections(case)
    yield from nature_objections(case)
    if len(case.targets) > 1 and not action.facts.get("several"):
        yield case.object(f"{action.title} takes one target; Sweep and Rapid Fire take several.")


def aimed(case: Case) -> Iterable[Objection]:
    """Refuse a target that is out of reach, range or sight."""
    yield from case.rules.arms.unheld(case)
    yield from aim_objections(case.rules, case)


def guard(draft: Draft, act: Act) -> Act:
    """Apply a manoeuvre's modifiers, but only if some row has any, so that simple fights log nothing about it.

    A manoeuvre used before the combatant's own place in a phase lasts to its end; later ones last until their next
    turn.
    """
    rules, state = draft.rules, draft.state
    rows, action = manoeuvres(rules, state).values(), draft.actions[act.action]
    held = held_by(act) if rules.mechanisms[action.does].holds else {}
    if not held and not any(row.get("ocv") or row.get("dcv") for row in rows):
        return act
    id = manoeuvre_of(action, act.params)
    place = state.place_of(act.who)
    turn = state.turn
    acted = place is not None and (place.done >= state.occasion or (turn is not None and turn.place == place.id))
    anchor = f"turn:{act.who}" if acted else "step_end"
    value = {"id": id, **own_modifiers(rules, state, id)}
    rule = "phases.aoo.cv-worst-bonus"
    text = say("manoeuvre.begins", manoeuvre=Title(id.replace("_", " ")))
    draft.effect(act.who, MANOEUVRE, value=value, modifiers=held, anchor=anchor, rule=rule, text=text)
    return act


def dodge(draft: Draft, act: Act) -> Act:
    """Bar the combatant's own attacks of opportunity, until their next action or to the end of the phase."""
    until = draft.state.options["dodge_bars_aoo_until"]
    anchor = f"turn:{act.who}" if until == "next_action" else "step_end"
    draft.end_effects(act.who, BARRED)
    draft.effect(act.who, BARRED, anchor=anchor, rule="phases.aoo.no-dodge", text=say("dodge.begins"))
    return act


def check_opportunity(case: Case) -> Iterable[Objection]:
    """Allow only one melee attack for each opportunity, on the enemy who gave it."""
    if case.has(BARRED):
        yield Objection(f"{case.fighter.name} has dodged.", "phases.aoo.no-dodge")
    yield from manoeuvre_objections(case)
    if is_ranged(case):
        yield Objection("An attack of opportunity is a melee attack.", "phases.aoo.single-melee")


def threatened(case: Case) -> Iterable[Objection]:
    """Refuse a target in a hex the combatant doesn't threaten with the weapon used."""
    yield from case.rules.arms.unheld(case)
    for target in case.targets:
        if threatens(case.rules, case.fighter, case.state.fighters[target]) is False:
            yield Objection(f"{case.fighter.name} doesn't threaten {target}'s hex.", "phases.aoo.threat")
        elif wielded(case):
            yield from aim_objections(case.rules, case.given({**case.params, "target": [target]}))


# ── what provokes ──


def check_plain(case: Case) -> Iterable[Objection]:
    """Accept a skill check only where the table lets one negate the provocation."""
    action = case.action
    if case.params.get("outcome") == NEGATED and action.facts.get("provokes") == "yes":
        yield case.object(f"{action.title} provokes, and no skill check negates it.")


# ── moves ──


def way_on(case: Case) -> Iterable[Objection]:
    """Refuse a path longer than the action allows; a move under way goes on only from where its mover stands."""
    fighter, action = case.fighter, case.action
    rule, left, here = action.facts.get("distance_rule", action.rule), case.noted("path"), hex_of(fighter)
    if left is not None:
        if left and (here is None or hex_distance(here, (left[0][0], left[0][1])) != 1):
            yield Objection(f"{fighter.name} stands elsewhere now, and {tuple(left[0])} is not the next hex.", rule)
        return
    stops = stops_of(fighter, case.params)
    if stops is None:
        return
    length, far = length_of(case.rules.board, stops), farthest(case.rules, fighter, action)
    if not length:
        yield Objection(f"{fighter.name} is already there.", rule)
    if length > PATH:
        yield Objection(f"That is {counted(length, 'hex')}; no path has more than {PATH:,}.", rule, firm=True)
    elif far is not None and length > far:
        yield Objection(
            f"That's {counted(length, 'hex')}; {with_article(action.title.lower())} is at most {counted(far, 'hex')}.",
            rule,
        )


def farthest(rules: Ruleset, fighter: Fighter, action: Action) -> int | None:
    """Return how many hexes an action may go; None without a limit. Even the slowest may half move one hex."""
    movement = rules.value(fighter, "movement") or 0
    limits = {"one": 1, "half": max(1, movement // 2), "full": max(1, movement)}
    return limits.get(action.facts["distance"])


def leave_hex(draft: Draft, act: Act) -> Act:
    """Go on by one hex; those who threatened the hex left have had this mover's opportunity for the phase."""
    rules, state = draft.rules, draft.state
    way = path_of(rules.board, state.fighters[act.who], act.params, act.result.get("path"))
    case = Case(rules, state, state.fighters[act.who], draft.actions[act.action], act.params, act)
    if "movement" in case.action.tags and provocation(case, act):
        _note_left(draft, act)
    goal: list[Any] = way_of(act.params)
    if way:
        spot, rest = way[0], way[1:]
        _go(draft, act, list(spot))
        walked = [*act.result.get("walked", ()), list(spot)]
        act = replace(act, result={**act.result, "path": [list(h) for h in rest], "walked": walked})
        return again(act) if rest else act
    if goal:
        _go(draft, act, goal[-1])
    return act


def _go(draft: Draft, act: Act, spot: object) -> None:
    rules, mover = draft.rules, draft.state.fighters[act.who]
    old = mover.position
    data = {"from": list(old) if isinstance(old, tuple) else old, "to": spot}
    cited: tuple[str, ...] = (draft.actions[act.action].rule,)
    if isinstance(spot, list):
        there = replace(mover, position=tuple(spot))
        foes = foes_of(draft.state, act.who)
        if any(threatens(rules, foe, there) and not threatens(rules, foe, mover) for foe in foes):
            cited = (*cited, "phases.aoo.move-in")
    draft.emit("move", act.who, act.action, text=say("move.steps", to=said_spot(spot)), rules=cited, data=data)


def _note_left(draft: Draft, act: Act) -> None:
    rules, state = draft.rules, draft.state
    said = named(state, act) or []
    mover = state.fighters[act.who]
    before = state.facts.get("left", [])
    near = []
    for foe in foes_of(state, act.who):
        known = threatens(rules, foe, mover)
        if (known or (known is None and foe.name in said)) and [foe.name, act.who] not in before:
            near.append(foe.name)
    if near:
        facts = {"left": [*before, *([foe, act.who] for foe in near)]}
        text = say("move.leaves", foes=near, number=len(near))
        rules_ = ("phases.aoo.move-out", "phases.aoo.cr-move-one")
        draft.emit("fact", act.who, text=text, rules=rules_, data={"facts": facts})


def check_step(case: Case) -> Iterable[Objection]:
    """Refuse a 1-hex step beside any other movement in the phase."""
    name = case.fighter.name
    pool = case.pool("step")
    if pool is not None and pool.left < 1 and pool.action not in ("", STEP):
        spent = case.rules.catalogue(case.state)[pool.action].title
        yield Objection(
            f"No 1-hex step in a phase with other movement, and {name} has moved ({spent}).",
            "phases.step.no-move",
        )


def can_step(case: Case) -> Iterable[Objection]:
    """Refuse a 1-hex step if the combatant is too slow or hampered."""
    fighter = case.fighter
    name = fighter.name
    if fighter.effect("hampered") is not None:
        yield Objection(f"{name}'s movement is hampered.", "phases.step.terrain")
    if (case.rules.value(fighter, "movement") or 0) <= 1:
        reason = f"{name} is too slow: one hex takes a move action."
        yield from against(reason, "phases.step.slow", "phases.step.slow-cost")


def forfeited(fighter: Fighter) -> bool:
    """Check whether this phase's action was given up to an abort."""
    pool = fighter.pools.get("attack")
    return FORFEIT in fighter.pools or (pool is not None and pool.action == "abort")


# ── halves of a full-phase action ──


# ── the rest ──


def recovery(draft: Draft, act: Act) -> Act:
    """Take a Recovery."""
    recover(draft, act.who, draft.actions[act.action].rule)
    return act


def recover(draft: Draft, name: str, rule: str) -> None:
    """Restore stun and endurance by the Recovery stat, up to their stated values."""
    fighter = draft.state.fighters[name]
    gain = draft.rules.value(fighter, "recovery") or 0
    for vital in ("stun", "end"):
        top, old = fighter.stats.get(vital), fighter.vitals.get(vital)
        if top is None or old is None or old >= top or gain < 1:
            continue
        left = min(top, old + gain)
        text = say("vital.recovers", amount=left - old, vital=Title(vital), left=left)
        draft.emit("vital", None, None, name, left - old, text, (rule,), data={"vital": vital, "left": left})
        if vital == draft.rules.vitals[0].name:
            fall_or_rise(draft, name, old)


_BLOW = (Stage("strike", mechanisms.strike, (aimed,)), Stage("guard", guard), Stage("harm", mechanisms.harm))
_HEX = Stage("hex", leave_hex, (way_on, way_clear), moves=True)

DEEDS: dict[str, Mechanism] = {
    "plain": Mechanism(check_plain, ()),
    "attack": Mechanism(check_attack, _BLOW),
    "opportunity": Mechanism(check_opportunity, (_BLOW[0]._replace(needs=(threatened,)), *_BLOW[1:])),
    "travel": Mechanism(check_plain, (_HEX,), whither),
    "travel_attack": Mechanism(check_attack, (_HEX, *_BLOW), whither),
    "step": Mechanism(check_step, (_HEX._replace(needs=(can_step, way_on, way_clear)),), whither),
    "guard": Mechanism(manoeuvre_objections, (Stage("guard", guard),), holds=True),
    "dodge": Mechanism(manoeuvre_objections, (Stage("dodge", dodge), Stage("guard", guard)), holds=True),
    "half": Mechanism(check_half, (Stage("half", half, (whole_fits,)),), half_missing),
    "recovery": Mechanism(None, (Stage("recovery", recovery),)),
}
"""The mechanisms of this system beside the common ones, by the name that the catalogue's ``does`` uses."""
