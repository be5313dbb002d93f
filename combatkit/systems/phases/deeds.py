"""How actions are carried out: hex by hex, in halves of a full phase, out of turn, and what an abort owes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from combatkit.core.geometry import Hex, as_pair, hex_distance, hex_neighbours
from combatkit.core.limits import PATH
from combatkit.core.model import Act, Deed, Fighter, Lookup
from combatkit.core.plain import counted, with_article
from combatkit.errors import InvalidInput
from combatkit.rules import flow, mechanisms, readying
from combatkit.rules.case import Case, Mechanism, Objection, Stage, against
from combatkit.rules.catalogue import Action, Catalogue
from combatkit.rules.contests import held_by
from combatkit.rules.draft import Draft
from combatkit.rules.judge import demands, judge, kept_case, lacking
from combatkit.rules.params import find_action
from combatkit.rules.perform import again, carry_on, perform, tell_progress
from combatkit.rules.readying import as_said, untaken
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.vitals import fall_or_rise
from combatkit.rules.weapons import (
    already_there,
    length_of,
    path_of,
    said_spot,
    stops_of,
    way_clear,
    way_of,
    whither,
    wielded,
)
from combatkit.systems.phases.threats import (
    BARRED,
    FAILED,
    MANOEUVRE,
    NEGATED,
    aim_objections,
    guards,
    hex_of,
    is_defence,
    is_manoeuvre,
    is_ranged,
    manoeuvre_objections,
    manoeuvre_of,
    manoeuvres,
    named,
    nature_objections,
    own_modifiers,
    provocation,
    threatening,
    threatens,
)
from combatkit.text import Title, say

if TYPE_CHECKING:
    from combatkit.core.model import Effect, Place, State
    from combatkit.rules.case import Given

# ── full-phase actions done in two halves, and actions that another action carries out ──


Params = Mapping[str, object]
STEP = "1_hex_step"


def has_stepped(fighter: Fighter) -> bool:
    """Check whether a combatant has taken this phase's 1-hex step."""
    pool = fighter.pools.get("step")
    return pool is not None and pool.left < 1 and pool.action == STEP


def _sorted(catalogue: Catalogue[Action]) -> tuple[str, ...]:
    return tuple(sorted(catalogue.ids(), key=lambda each: catalogue[each].cost != "full_phase"))


whole_first = Lookup(_sorted)
"""All actions, those that can be done in halves first."""


def check_half(case: Case) -> Iterable[Objection]:
    """Allow only a full-phase action to be started, if it could be done at all."""
    params = case.params
    if "action" not in params:
        return
    whole = case.rules.catalogue(case.state).by_id[params["action"]]
    yield from untaken(case, whole, params, "outcome")
    if whole.cost != "full_phase":
        reason = f"“{whole.title}” isn't a full-phase action."
        yield Objection(reason, "phases.act.start-complete", firm=only_by_itself(whole))
    elif whole.id not in case.fighter.progress:  # what is completed is judged as if it were done at once
        yield from as_said(by_itself(case.doing(whole, {k: v for k, v in params.items() if k != "outcome"})))


def whole_fits(case: Case) -> Iterable[Objection]:
    """Allow a full-phase action to be completed only if it could be done at once."""
    chosen = case.params.get("action")
    whole = None if chosen is None else case.rules.catalogue(case.state).get(chosen)
    if whole is not None and whole.cost == "full_phase" and whole.id in case.fighter.progress:
        yield from as_done(case.doing(whole, _for_whole(whole, case.params)))


def verdicts(case: Case) -> tuple[str, ...]:
    """Return what half of an action can come to: how its check went; of an attack completed, also whether it hits."""
    whole = case.rules.catalogue(case.state).get(case.params.get("action", ""))
    completes = whole is not None and whole.id in case.fighter.progress and "attack" in whole.tags
    return (FAILED, NEGATED, *(("hit", "miss") if completes else ()))


def _for_whole(whole: Action, params: Params) -> Params:
    """Return the full-phase action's own parameters: provoking nobody by completing it is not a miss."""
    if whole.facts.get("provokes") or params.get("outcome") not in (FAILED, NEGATED):
        return params
    return {k: v for k, v in params.items() if k != "outcome"}


def only_by_itself(action: Action) -> bool:
    """Check whether an action decides when or what somebody does, and so can't be part of another."""
    return action.when != "own turn" or action.does in ("delay", "ready", "half")


def as_done(case: Case) -> Iterable[Objection]:
    """Yield what rules out an action that another one carries out, besides its cost and time."""
    if "movement" in case.action.tags and has_stepped(case.fighter):
        yield Objection(f"{case.fighter.name} has already taken a 1-hex step this phase.", "phases.step.no-move")
    yield from demands(by_itself(case))


def by_itself(case: Case) -> Case:
    """Return an action that another one carries out with only the parameters that it takes itself."""
    own = {*case.action.takes, "modifiers"} - ({"action"} if case.action.does != "half" else set())
    return case.given({k: v for k, v in case.params.items() if k in own})


def half_missing(case: Case) -> tuple[str, ...]:
    """Return what an action still needs when it is completed."""
    whole = case.rules.catalogue(case.state).get(case.params.get("action", ""))
    if whole is None or whole.id not in case.fighter.progress:
        return ()
    return lacking(case.doing(whole))


def halves(fighter: Fighter, whole: str) -> dict[str, Any]:
    """Say how far a full-phase action is, with the half just done."""
    done = 2 if whole in fighter.progress else 1
    return {"progress": [done, 2], "completed": done == 2}


def late_halves(state: State, fighter: Fighter) -> list[str]:
    """Return what somebody began before this phase, has not completed in it, and would lose with it."""
    if state.options["full_phase_halves"] != "consecutive":
        return []
    before = state.facts.get("ended", 0)
    return [id for id, progress in fighter.progress.items() if progress.seq < before]


def half(draft: Draft, act: Act) -> Act:
    """Start a full-phase action, or complete it and carry it out."""
    whole = draft.actions[act.params["action"]]
    come = halves(draft.state.fighters[act.who], whole.id)
    tell_progress(draft, act.who, whole, come["progress"], ("phases.act.start-complete",), "starts")
    if come["completed"]:
        carry_out(draft, replace(act, params=dict(_for_whole(whole, act.params))), whole)
    return act


def carry_out(draft: Draft, act: Act, chosen: Action) -> None:
    """Carry out an action that another one has paid for; a distance moved still uses up the 1-hex step."""
    case = by_itself(draft.case(act).doing(chosen))
    perform(draft, case, replace(judge(case), pay=moving(case.fighter, chosen)), then=(), of=act)


def moving(fighter: Fighter, action: Action) -> tuple[str, ...]:
    """Return the pool that any distance moved in a phase uses up."""
    pool = fighter.pools.get("step")
    return ("step",) if "movement" in action.tags and pool is not None and pool.left > 0 else ()


# ── moves and attacks ──


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
    value = {"id": id, **own_modifiers(rules, state, id), **({"defends": True} if guards(action) else {})}
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
        yield case.object(f"“{action.title}” provokes, and no skill check negates it.")


# ── moves ──


def way_on(case: Case) -> Iterable[Objection]:
    """Refuse a path longer than the action allows; a move under way goes on only from where its mover stands."""
    fighter, action = case.fighter, case.action
    rule, left, here = action.facts.get("distance_rule", action.rule), case.noted("path"), hex_of(fighter)
    if left is not None:
        if left and (here is None or hex_distance(here, (left[0][0], left[0][1])) != 1):
            yield Objection(f"{fighter.name} stands elsewhere now, and {tuple(left[0])} is not the next hex.", rule)
            return
        length = len(case.noted("walked", ())) + len(left)
    else:
        yield from already_there(case, rule)
        stops = stops_of(fighter, case.params)
        if stops is None:
            return
        length = length_of(case.rules.board, stops)
    far = farthest(case.rules, case)
    if length > PATH:
        yield Objection(f"That is {counted(length, 'hex')}; no path has more than {PATH:,}.", rule, firm=True)
    elif far is not None and length > far:
        yield Objection(
            f"That's {counted(length, 'hex')}; {with_article(action.title.lower())} is at most {counted(far, 'hex')}.",
            rule,
        )


def farthest(rules: Ruleset, case: Case) -> int | None:
    """Return how many hexes an action may go; None without a limit. Even the slowest may half move one hex."""
    movement = rules.value(case.fighter, "movement") or 0
    limits = {"one": 1, "half": max(1, movement // 2), "full": max(1, movement)}
    return limits.get(str(case.action.facts.get("distance")))


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
        before, now = [threatening(rules, draft.state, each) for each in (mover, there)]
        if any(told and not before.get(foe) for foe, told in now.items()):
            cited = (*cited, "phases.aoo.move-in")
    draft.emit("move", act.who, act.action, text=say("move.steps", to=said_spot(spot)), rules=cited, data=data)


def _note_left(draft: Draft, act: Act) -> None:
    rules, state = draft.rules, draft.state
    said = named(state, act) or []
    mover = state.fighters[act.who]
    before = state.facts.get("left", [])
    found = threatening(rules, state, mover)
    near = [n for n, told in found.items() if (told or n in said) and [n, act.who] not in before]
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
        text = say("vital.recovers", of=vital, amount=left - old, vital=Title(vital), left=left)
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
    "half": Mechanism(check_half, (Stage("half", half, (whole_fits,)),), half_missing, says_less=True),
    "recovery": Mechanism(None, (Stage("recovery", recovery),)),
}
"""The mechanisms of this system beside the common ones, by the name that the catalogue's ``does`` uses."""


# ── what an abort owes ──


OWES = "owes"
"""The condition, which is the debt."""


def owe(draft: Draft, place: Place, *, late: bool, title: Title | None = None, by: str = "rules") -> None:
    """Take the next action from somebody: this phase's before their place has come, else the next one's.

    With it is over what a delay, a dodge or something readied kept until then.
    """
    draft.end_effects(place.who, "delayed", BARRED, "readied")
    until = f"turn:{place.who}"
    for effect in draft.state.fighters[place.who].effects:
        if is_manoeuvre(effect) and effect.anchor == until and (is_defence(effect.value) or not late):
            draft.end_effect(place.who, effect)
    state, step = draft.state, draft.rules.present_step(draft.state)
    now = int(step.phase or 0) if step is not None else 0
    phase = now % 4 + 1 if late else now
    occasion = state.occasion + 1 if late else state.occasion
    rule = "phases.abort.after" if late else "phases.abort.cost"
    which = say("which.phase", of="next" if phase < now else str(phase), number=phase)
    flow.lose_turn(draft, place, occasion, say("abort.gives_up", which=which), (rule,))
    text = None if title is None else say("abort.owes", title=title, which=which)
    anchor = _at_place(occasion, place.who)
    draft.effect(place.who, OWES, value=phase, anchor=anchor, rule=rule, text=text, by=by)


def _at_place(occasion: int, who: str) -> str:
    """Return the anchor of what ends as the order passes somebody's place."""
    return f"place:{occasion}:{who}"


def lay_on(draft: Draft, given: Given) -> None:
    """Let somebody owe their next action by the GM's word, as after an abort."""
    who, turn = given.who, draft.state.turn
    if draft.state.stage != "running" or draft.state.place_of(who) is None:
        raise InvalidInput(f"condition owes: {who} has no action to owe; start the fight first, or bring them back")
    if given.anchor is not None or given.value is not None or given.modifiers:
        raise InvalidInput(f"condition owes takes nothing else: {who} owes their next action, and that ends it")
    forgive(draft, given)
    place = draft.state.place_of(who)
    assert place is not None
    owe(draft, place, late=place.done >= draft.state.occasion or (turn is not None and turn.who == who), by="gm")


def forgive(draft: Draft, given: Given) -> None:
    """Let somebody off what they owe: the action that it would have cost is theirs again."""
    who, place = given.who, draft.state.place_of(given.who)
    owed = draft.state.fighters[who].effect(OWES)
    if owed is None:
        return
    draft.end_effect(who, owed, by=given.by)
    occasion = int((owed.anchor or "").split(":")[1])
    if place is None or place.done != occasion or occasion < draft.state.occasion:
        return
    agenda = draft.state.agenda
    below = agenda[agenda.index(place) + 1 :]
    at = ("before", below[0].id) if below else None
    draft.order(replace(place, done=occasion - 1, lost=""), say("abort.forgiven"), by=given.by, at=at)
    if occasion > draft.state.occasion:
        return
    pools = draft.state.fighters[who].pools
    totals: dict[str, int | None] = {id: 1 for id in ("attack", "move", "step") if id in pools}
    if FORFEIT in pools:
        totals[FORFEIT] = None
    data = {"pools": {who: totals}, "at": "condition"}
    draft.emit("refresh", who, text=say("abort.spends"), by=given.by, data=data)


# ── acting out of turn: ready, the readied action, and abort ──


BEFORE, AFTER = "before", "after"
STEPS = (BEFORE, AFTER, "step")
"""When a 1-hex step that is part of a readied action is taken: an option of using it, by default before it."""

# ── ready ──


def ready_missing(case: Case) -> tuple[str, ...]:
    """Ask which full-phase action will be started or completed: it is the option."""
    return ("option",) if readies_half(case) and "option" not in case.params else ()


def readies_half(case: Case) -> bool:
    """Check whether half of a full-phase action is readied."""
    kept = Ruleset.carried(case.rules, case) if case.action.does == "ready" else None
    return kept is not None and kept.action.does == "half"


def carried(rules: Ruleset, case: Case) -> Case | None:
    """Return the case of what an action keeps or carries out; of a readied half, the whole is named as the option."""
    kept = Ruleset.carried(rules, case)
    if kept is None or not readies_half(case):
        return kept
    given = dict(kept.params)
    whole = given.pop("option", None)
    return kept.given(given if whole is None else {"action": find_action(rules, case.state, whole).id, **given})


def ready(draft: Draft, act: Act) -> Act:
    """Keep an action for its condition, and with it the full-phase action that it starts or completes."""
    case = draft.case(act)
    kept = carried(draft.rules, case)
    if kept is None or not readies_half(case):
        return readying.ready(draft, act)
    return readying.keep(draft, act, kept, say("ready.half", title=_deed(kept).called))


# ── what was readied ──


def usable(case: Case) -> Iterable[Objection]:
    """Allow a readied action if it could be done now and there is a regular action to forfeit for it."""
    kept, fighter = kept_case(case), case.fighter
    if kept is None:
        yield from readying.usable(case)
        return
    acts = (frame for frame in case.state.focus if type(frame) is Act)
    if any(act.who == fighter.name and act.action == case.action.id for act in acts):
        yield case.object(f"{fighter.name} is already using it.", firm=True)
    against = [*readying.spoiled(case)]
    yield from against
    if against:
        return
    yield from readying.against_use(case, kept)
    if not _step_helps(kept):
        yield from as_done(_stepped(kept))
    if kept.params.get("option") in STEPS and "movement" in _deed(kept).tags:
        yield Objection("No 1-hex step is part of a readied action that moves.", "phases.ready.step")
    if wants_step(kept):
        if has_stepped(fighter):
            yield Objection(f"{fighter.name} has already taken a 1-hex step this phase.", "phases.step.one")
        for objection in demands(kept.doing(case.rules.actions[STEP], {"to": kept.params.get("to")})):
            if objection.rule == "phases.step.no-move":  # what lets a step be part of it says so as well
                yield replace(objection, rule="phases.ready.step")
            yield objection


def use_missing(case: Case) -> tuple[str, ...]:
    """Return what a readied action still needs: a place to step to, if only that brings the target within reach."""
    kept = kept_case(case)
    if kept is None:
        return ()
    missing = lacking(kept)
    said = kept.params.get("option") in STEPS and "to" not in kept.params and hex_of(kept.fighter) is not None
    return (*missing, "to") if said or _step_helps(kept) else missing


def _deed(kept: Case) -> Action:
    """Return what a readied action does: for a half, the full-phase action it starts or completes."""
    return kept.rules.catalogue(kept.state)[kept.params["action"]] if kept.action.does == "half" else kept.action


def _stepped(kept: Case) -> Case:
    """Return a readied action as it is done: after the 1-hex step, if that comes first."""
    first = wants_step(kept) and kept.params.get("option") != AFTER
    spot = as_pair(kept.params.get("to")) if first else None
    kept = _bare(kept)
    return kept if spot is None else _from(kept, spot)


def _bare(kept: Case) -> Case:
    """Return a readied action without when a step is taken, which is no way to do it."""
    said = kept.params.get("option")
    return kept.given({k: v for k, v in kept.params.items() if k != "option"}) if said in STEPS else kept


def _from(kept: Case, spot: Hex) -> Case:
    return replace(kept, fighter=replace(kept.fighter, position=spot))


def _step_helps(kept: Case) -> bool:
    """Check whether a readied action can't be done from here, but could after a 1-hex step not yet named."""
    kept = _bare(kept)
    here, pool = hex_of(kept.fighter), kept.pool("step")
    moves = "movement" in _deed(kept).tags
    if here is None or "to" in kept.params or moves or pool is None or pool.left < 1 or not list(as_done(kept)):
        return False
    return not demands(kept.doing(kept.rules.actions[STEP], {})) and any(
        not list(as_done(_from(kept, spot))) for spot in hex_neighbours(here)
    )


def wants_step(kept: Case) -> bool:
    """Check whether a 1-hex step is part of a readied action: it names a place and moves nobody by itself."""
    said = kept.params.get("to") is not None or kept.params.get("option") in STEPS
    return said and "movement" not in _deed(kept).tags


def use(draft: Draft, act: Act) -> Act:
    """Use what was readied; in the next phase it takes the place of the regular action."""
    state, kept = draft.state, kept_case(draft.case(act))
    if kept is None:
        return readying.use(draft, act)
    place = state.place_of(act.who)
    if place is not None and place.done < state.occasion:
        cited = ("phases.ready.next-phase",)
        flow.lose_turn(draft, place, state.occasion, say("ready.forfeits"), cited)
    said = act.params.get("option")
    if said in STEPS:
        act = replace(act, params={k: v for k, v in act.params.items() if k != "option"})
    if not wants_step(kept):
        return readying.use(draft, act)
    place_named = {"to": kept.params["to"]} if kept.params.get("to") is not None else {}
    step = Deed(STEP, place_named, ("step",), "phases.ready.step")
    act = replace(readying.as_before(draft, act), params={k: v for k, v in act.params.items() if k != "to"})
    deed = readying.use_up(draft, act)
    assert deed is not None
    carry_on(draft, act, (deed, step) if said == AFTER else (step, deed))
    return act


# ── abort ──


def check_abort(case: Case) -> Iterable[Objection]:
    """Allow a combatant to defend out of turn at the price of a later action, unless they owe one already."""
    rules, state = case.rules, case.state
    name = case.fighter.name
    owed = case.effect(OWES)
    if owed is not None and not _is_over(state, name, owed):
        yield Objection(f"{name} has already given up phase {owed.value}.", "phases.abort.no-chain")
    turn = state.turn
    if turn is not None and turn.who == name:
        yield Objection(f"It's {name}'s own turn: they can act, and needn't abort.", "phases.abort.what")
    attack = _attack_under_way(rules, state)
    if attack is not None:
        title = rules.catalogue(state)[attack.action].title.lower()
        reason = f"{attack.who}'s {title} is already declared: you abort before an attack, not against it."
        yield Objection(reason, "phases.abort.what")
    if "action" in case.params:
        chosen = rules.catalogue(state)[case.params["action"]]
        yield from readying.untaken(case, chosen, case.params)
        if "defensive" not in chosen.tags or chosen.cost not in ("attack", "move"):
            reason = f"You abort to a defensive attack or move action, and “{chosen.title}” isn't one."
            yield Objection(reason, "phases.abort.what", firm=only_by_itself(chosen))


def _is_over(state: State, who: str, owed: Effect) -> bool:
    """Check whether the order has already passed the place that was given up, as after a delay."""
    place, turn = state.place_of(who), state.turn
    if place is None or owed.anchor != _at_place(state.occasion, who):
        return False
    if turn is None:
        return not state.focus  # in a window the order may still be above it
    return bool(turn.place) and state.agenda.index(place) < state.agenda.index(state.place(turn.place))


def defence_fits(case: Case) -> Iterable[Objection]:
    """Allow aborting only to what could be done now."""
    chosen = case.rules.catalogue(case.state).get(case.params.get("action", ""))
    if chosen is not None and not only_by_itself(chosen):
        yield from as_done(case.doing(chosen))


def _attack_under_way(rules: Ruleset, state: State) -> Act | None:
    """Return the attack that is declared but not yet carried out, if there is one."""
    catalogue = rules.catalogue(state)
    acts = (frame for frame in state.focus if type(frame) is Act)
    return next((act for act in acts if "attack" in catalogue[act.action].tags), None)


def abort_missing(case: Case) -> tuple[str, ...]:
    """Return what the defence itself still needs."""
    if "action" not in case.params:
        return ()
    return lacking(by_itself(case.doing(case.rules.catalogue(case.state)[case.params["action"]])))


def abort(draft: Draft, act: Act) -> Act:
    """Give up the next action for a defence now: this phase's before the combatant's place, the next one's after it."""
    rules, state = draft.rules, draft.state
    chosen = rules.catalogue(state)[act.params["action"]]
    place, owed = state.place_of(act.who), state.fighters[act.who].effect(OWES)
    assert place is not None
    if owed is not None:
        draft.pass_anchor(str(owed.anchor))
    owe(draft, place, late=place.done >= state.occasion, title=chosen.called)
    carry_out(draft, act, chosen)
    return act


WAITING: dict[str, Mechanism] = {
    "ready": Mechanism(readying.check_ready, (Stage("ready", ready),), ready_missing),
    "use": Mechanism(None, (Stage("use", use, (usable,)), Stage("over", readying.over)), use_missing),
    "abort": Mechanism(check_abort, (Stage("abort", abort, (defence_fits,)),), abort_missing),
}
"""The mechanisms of this module, by the name that the catalogue's ``does`` uses."""
