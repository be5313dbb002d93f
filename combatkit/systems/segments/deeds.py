"""What is done besides attacks and spells: delays, activities and movement, and what follows any of them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from combatkit.core.model import Act, Effect, Fighter, Place, Turn
from combatkit.rules import flow
from combatkit.rules.case import Case, Objection
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.judge import turn_gone, unable
from combatkit.rules.perform import tell_progress
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import said_spot, spent_by, way_of
from combatkit.systems.segments.agenda import attack_again
from combatkit.systems.segments.checks import aimed, aims_of, casting_of, in_feet, kind_of, time_of
from combatkit.systems.segments.concentration import (
    break_concentration,
    broken_by,
    end_maintained,
    end_or_lose,
    lose_spell,
    spoken,
)
from combatkit.systems.segments.movement import feet_of, native, passed_on, path_of, too_far, too_fast, walked
from combatkit.systems.segments.moving import due_last, give_way, move_place, tell_place
from combatkit.systems.segments.places import (
    PASSED,
    STAGE,
    declared,
    group_half,
    half_of,
    in_d1,
    is_declared,
    is_delayed,
    is_major,
    is_minor,
    plan_of,
    plans_minor,
)
from combatkit.systems.segments.rolled import said_of_check
from combatkit.systems.segments.spells import drop_plans, means_of, rounds_of
from combatkit.systems.segments.weapons import arm_of, go_away, leave_melee, routines_of
from combatkit.text import Said, Title, say

# ── delay ──


def check_delay(case: Case) -> Iterator[Objection]:
    """Allow a delay in step 1, or at any time in the combatant's own half while there is something to delay."""
    rules, state, fighter = case.rules, case.state, case.fighter
    name = fighter.name
    step = rules.present_step(state)
    if step is not None and step.id == "declare":
        if is_declared(fighter, case.action):
            yield case.object(f"{name} has already declared a delay.")
        return
    own = state.place_of(name)
    if step is None or step.id not in ("high", "low") or own is None:
        yield case.object("A delay is announced during group actions, or declared in step 1.")
        return
    if step.phase != half_of(rules, state, fighter):
        reason = f"{name} takes no minor actions outside {half_of(rules, state, fighter)}, not even a delay."
        yield Objection(reason, "segments.delay.no-minor-outside")
    elif gone := turn_gone(rules, state, fighter):
        yield Objection(f"{gone[0]}.", gone[1])
    major = fighter.pools.get("major")
    if major is not None and major.left < 1:
        yield case.object(f"{name} has already used their major action: there is nothing left to delay.")
    turn = state.turn
    if turn is not None and turn.who == name and type(state.top) is not Turn:
        yield case.object("Something is still under way and comes first.")


def delay(draft: Draft, act: Act) -> Act:
    """Delay: go to LOW, or in LOW lose the major action; a declared delay brings no condition."""
    rules, state, name = draft.rules, draft.state, act.who
    step = rules.present_step(state)
    assert step is not None
    if step.id == "declare":
        text = say("declared.delays")
        rule = "segments.delay.declared-low"
        draft.effect(name, "declared", value={"action": act.action}, anchor="round_end", rule=rule, text=text)
        return act
    rule = "segments.delay.high" if step.id == "high" else "segments.delay.low"
    text = say("delayed.high" if step.id == "high" else "delayed.low")
    for effect in draft.state.fighters[name].effects:
        if effect.id == "delayed":
            draft.end_effect(name, effect, text=say("delayed.again"), rule=rule)
    draft.effect(name, "delayed", value=step.phase, anchor="round_end", rule="segments.delay.condition", text=text)
    casting = draft.state.fighters[name].effect("casting")
    if step.id == "low" and casting is not None and casting.anchor:  # the spell is the major action
        lose_spell(draft, name, rule, say("broken.delayed"))
    own = draft.state.turn_place(name)
    begun = step.id if own is not None and state.turn is not None and state.turn.touched else ""
    text = say("order.to_low" if step.id == "high" else "order.waits_in_low")
    cited = (rule, "segments.delayed.always-low")
    if not move_place(draft, name, text, cited, begun):  # delayed before, and where they were, but with less to do
        tell_place(draft, name, text, cited)
    if own is not None:
        flow.close_turn(draft, given_up=True, rules=(rule,))
    return act


# ── activities ──


def noted(rules: Ruleset, case: Case) -> dict[str, object]:
    """Return what an action's event holds: its segments, whether it is completed, the routine and the weapon."""
    fighter, action = case.fighter, case.action
    time = time_of(case)
    rounds = rounds_of(fighter, action, time)
    last = (kind_of(action) == "delaying" and is_delayed(fighter)) or (bool(fighter.effects) and due_last(case))
    completed = not last and (action.cost != "complex" or not only_in_part(fighter, action))
    noted: dict[str, object] = {"segments": time, "completed": completed, **aimed(case)}
    if rounds is not None:
        noted |= {"progress": list(rounds), "completed": rounds[0] == rounds[1]}
    if "attack" in action.tags:
        place = case.state.turn_place(fighter.name)
        again = place is not None and place.facts.get("kind") == "remaining" and action.when == "own turn"
        noted["routine"] = "iterative" if again else "primary"
        weapon = arm_of(fighter, action, case.params).weapon
        if weapon is not None:
            noted["weapon"] = weapon["name"]
    return noted


def do(draft: Draft, act: Act) -> Act:
    """Do what needs no dice; a complex activity is completed last, and only in part if it was not declared."""
    action = draft.actions[act.action]
    fighter = draft.state.fighters[act.who]
    if action.cost == "complex":
        _complete(draft, act, action, fighter)
    elif kind_of(action) == "delaying" and is_delayed(fighter):
        rule = "segments.delayed.delaying-complex"
        text = say("progress.last", title=spoken(action, {}, new=True))
        draft.effect(act.who, "completing", value=action.id, anchor="round_end", rule=rule, text=text)
    elif kind_of(action) == "delaying" and not is_declared(fighter, action):
        value, rule = {"action": action.id}, "segments.delaying.low-only"  # from now on its place is in D4
        draft.effect(act.who, "declared", value=value, anchor="round_end", rule=rule, text=say("declared.at_it"))
    return act


def _complete(draft: Draft, act: Act, action: Action, fighter: Fighter) -> None:
    if action.turns:  # one of several rounds is counted as any action of several is, when it is through
        return
    if only_in_part(fighter, action):
        tell_progress(draft, act.who, action, (1, 2), ("segments.complex.undeclared",), "in_part")
        return
    progress = fighter.progress.get(action.id)
    completed(draft, act.who, action, progress.total if progress else 1)


def only_in_part(fighter: Fighter, action: Action) -> bool:
    """Check whether a complex activity stays unfinished: it was neither declared nor partly done before."""
    return fighter.progress.get(action.id) is None and not is_declared(fighter, action)


def completed(draft: Draft, name: str, action: Action, total: int = 1, used: tuple[str, ...] = ()) -> None:
    """Log that a complex activity is complete, and what of it is used up by that."""
    tell_progress(draft, name, action, (total, total), ("segments.complex.go-last",), used=used)


def complete_last(draft: Draft) -> None:
    """Complete last what a delayed combatant began, unless they are out by now."""
    rules, catalogue = draft.rules, draft.actions
    for fighter in draft.state.fighters.values():
        effect = fighter.effect("completing") if fighter.effects else None
        if effect is None:
            continue
        text, rule = say("progress.through"), ""
        if rules.able(fighter):
            action = catalogue[effect.value]
            used = spent_by(Case(rules, draft.state, fighter, action), completed=True)
            completed(draft, fighter.name, action, used=used)
        else:
            against = unable(rules, fighter)
            why = against.reason.removesuffix(".")
            title = spoken(catalogue[effect.value], {}, new=True)
            text, rule = say("stopped.unfinished", title=title, why=why), against.rule
        draft.end_effect(fighter.name, effect, text=text, rule=rule)


def _is_last_part(fighter: Fighter, action: Action) -> bool:
    progress = fighter.progress.get(action.id)
    return progress is not None and progress.done + 1 >= action.turns


def _said_of_spell(case: Case, casting: Effect) -> Said:
    """Return the words for a spell: its name, whom it is aimed at, or that its caster goes on with it."""
    action, value = case.action, casting.value
    title, time = spoken(action, value), time_of(case)
    rounds = rounds_of(case.fighter, action, time)
    if rounds is not None and rounds[0] < rounds[1]:
        return say("spell.casts_on", title=title, done=rounds[0], total=rounds[1])
    aims, gone = aims_of(case.rules, case.state, casting, case.targets)
    aim = [said_spot(value["point"])] if "point" in value else aims
    said = "spell.uses" if value["kind"] == "invocation" else "spell.casts"
    if gone and not aim:
        why = [unable(case.rules, case.state.fighters[name]).reason.removesuffix(".") for name in gone]
        return say(said, of="lapses", title=title, why=why)
    return say(said, title=title, aim=aim)


# ── movement ──


def said_of_deed(case: Case) -> Said | None:
    """Return the words for a move, with how far it goes and whether that is more than the sheet says.

    The same for a save, what it is against and comes to; for a spell, its name and whom it is aimed at; for a complex
    activity, whether it is completed.
    """
    fighter, action, params = case.fighter, case.action, case.params
    if action.does == "cast" and (casting := casting_of(fighter, action)) is not None:
        return _said_of_spell(case, casting)
    if fighter.effects and due_last(case):
        return say("declared.prepares", means=means_of(action), target=list(case.targets))
    if action.cost == "complex":
        whole = not only_in_part(fighter, action) and (action.turns <= 1 or _is_last_part(fighter, action))
        return say("progress.completes_it" if whole else "progress.works", title=spoken(action, {}, new=True))
    if action.does == "save":
        return said_of_check(case)
    if action.does not in ("move", "charge") or (feet := feet_of(fighter, params)) is None:
        return None
    beyond = too_far(fighter, params)
    does, most = action.said(case.targets), beyond[1] if beyond is not None else None
    return say("move.covers", of=action.id, does=does, feet=in_feet(feet, most), most=most)


def move(draft: Draft, act: Act) -> Act:
    """Go from square to square; passing an ally breaks concentration by jostling."""
    name = act.who
    rule = draft.actions[act.action].rule
    path = path_of(act.params)
    if "feet" not in draft.actions[act.action].facts:  # who takes a position stays where they are
        go_away(draft, name)
    feet = feet_of(draft.state.fighters[name], act.params)
    passed = list(passed_on(draft.rules, draft.state, draft.state.fighters[name], act.params))
    for square in path:
        here = draft.state.fighters[name].position
        data = {"from": list(here) if here else None, "to": list(square)}
        text = say("move.goes", origin="", to=said_spot(square))
        draft.emit("move", name, act.action, text=text, rules=(rule, "segments.grid.5ft"), data=data)
    for ally in passed:
        if ally.side == draft.state.fighters[name].side:
            _jostle(draft, name, ally.name)
    goal = way_of(act.params)[-1:]
    if goal and not path:
        text = say("move.goes", origin="", to=said_spot(goal[0]))
        draft.emit("move", name, act.action, text=text, rules=(rule,), data={"to": goal[0]})
    fighter, mode = draft.state.fighters[name], act.params.get("option")
    kept = fighter.effect("concentration")
    if not feet or kept is None:
        return act
    limit = too_fast(fighter, feet, mode)
    if limit is not None:
        gone = in_feet(feet + walked(fighter), limit[2])
        end_maintained(draft, name, kept, limit[1], say("broken.moves", feet=gone, most=limit[0]))
    elif not native(fighter, mode):
        total = feet + walked(fighter)
        draft.end_effects(name, "walked", anew=True)
        rule, text = "segments.conc.half-move", say("walked.has_gone", feet=in_feet(total) if total > feet else "")
        draft.effect(name, "walked", value=total, anchor="round_end", rule=rule, text=text)
    return act


def _jostle(draft: Draft, passer: str, passed: str) -> None:
    rule = "segments.grid.pass-breaks"
    break_concentration(draft, passer, rule, say("broken.passing", other=passed))
    if draft.state.options["passing_breaks"] == "both":
        break_concentration(draft, passed, rule, say("broken.passed", other=passer))


# ── what follows ──


def after(draft: Draft, act: Act) -> Act:
    """Do what follows any action: spells given up for it, attacks still to come, places moved by the time taken."""
    action = draft.actions[act.action]
    name = act.who
    fighter = draft.state.fighters[name]
    major = fighter.pools.get("major")
    spent = major is not None and major.left < 1 and major.seq == act.seq
    for effect in broken_by(fighter, action, spends=spent) if fighter.effects else ():
        free = action.id == "free_attack"
        rule = "segments.free.breaks-conc" if free else "segments.immatk.consequence"
        why = say("broken.free_attack") if free else say("broken.given_up", means=means_of(action))
        end_or_lose(draft, name, effect, rule, why)
    if spent and action.does == "immediate_attack":
        _give_up_major(draft, name, action)
    if action.id == "flee":
        leave_melee(draft, name, say("melee.flees"))
    place = draft.state.turn_place(name)
    early = place is not None and place.rank[0] in (STAGE["fast"], STAGE["multi"])
    if kind_of(action) == "innate" or (early and is_minor(action)):  # the next place is that of what comes after
        for effect in fighter.effects:
            if effect.id == "declared" and effect.value["action"] == action.id:
                draft.end_effect(name, effect, text=say("declared.leaves"))
    if action.cost in ("minor", "quick_spell") and major is not None and major.left > 0:
        _take_time(draft, name, action, place)
    if place is None:
        return act
    if spent and action.cost == "routine" and routines_of(fighter) > 1:
        _remaining(draft, name, routines_of(fighter) - 1)
    if early and major is not None and major.left < 1:
        own, now = draft.state.place_of(name), draft.state.fighters[name]
        more = plans_minor(draft.rules, draft.state, now) or plan_of(draft.rules, draft.state, now).kind == "innate"
        if own is not None and own.done < draft.state.occasion and not more:
            rule = PASSED["fast" if place.rank[0] == STAGE["fast"] else "multi"]
            index = draft.state.agenda.index(own)
            at = ("after", draft.state.agenda[index - 1].id) if index else None
            text = say("order.had_turn")
            draft.order(replace(own, done=draft.state.occasion), text, (rule,), at=at)
        else:
            move_place(draft, name, say("spell.minor_left"), ("segments.simple.alone-d4",))
    return act


def _give_up_major(draft: Draft, name: str, action: Action) -> None:
    """End the major action a combatant declared and gives up for another; only minor actions are left."""

    def is_other(plan: Action) -> bool:
        return is_major(plan) and plan.id != action.id and plan.cost != "spell"

    plans = len(declared(draft.state.fighters[name]))
    drop_plans(draft, name, is_other, "declared.gives_up", "segments.immatk.consequence")
    text, cited = say("spell.minor_left"), ("segments.immatk.replace",)
    if not move_place(draft, name, text, cited) and len(declared(draft.state.fighters[name])) < plans:
        tell_place(draft, name, text, cited)


def _take_time(draft: Draft, name: str, action: Action, place: Place | None) -> None:
    """Move a combatant, or their spell, back by the time just taken; others may go first now."""
    own = draft.state.place_of(name)
    step = draft.rules.present_step(draft.state)
    casts = place is not None and place.facts.get("kind") == "spell"
    if own is None or step is None or (own.done >= draft.state.occasion and not casts):
        return
    begun = "" if kind_of(action) == "innate" else step.id
    rules = ("segments.activity.add-before", "segments.minor.adds-1", "segments.minor.adds-speed")
    if move_place(draft, name, say("order.takes_time"), rules, begun) and place is not None:
        give_way(draft, name)


def _remaining(draft: Draft, name: str, routines: int) -> None:
    """Keep the routines that multi-attack leaves for step 6."""
    rules = ("segments.seq.6-remaining",)
    text = say("attack.left", number=routines)
    data: dict[str, object] = {"pools": {name: {"iterative": routines}}, "at": "multi-attack"}
    draft.emit("refresh", name, text=text, rules=rules, data=data)
    attack_again(draft, name)


def passed_up(draft: Draft, turn: Turn) -> None:
    """Leave minor actions to whoever lets the turn go in which a declared fast action, or multi-attack, was due."""
    name, state = turn.who, draft.state
    place, fighter, catalogue = state.turn_place(name), state.fighters[name], draft.actions
    major = fighter.pools.get("major")
    if place is None or major is None or major.left < 1 or not draft.rules.able(fighter):
        return
    kind = place.facts.get("kind")
    plans = [a for value in declared(fighter) if is_major(a := catalogue[value["action"]])]
    undone = next(iter(plans), None)
    if kind is None and place.rank[0] == STAGE["end"] and undone is not None:
        rule = "segments.complex.only" if undone.cost == "complex" else "segments.delayed.delaying-complex"
        draft.emit(
            "stopped", name, undone.id, text=say("declared.undone", means=means_of(undone)), rules=(rule,), data={}
        )
    if kind not in PASSED:
        return
    due = catalogue.get(str(place.facts.get("action", "")))
    if due is not None and not is_major(due):
        return
    if kind == "multi" and any(action.cost != "routine" for action in plans):  # which comes in its own place
        return
    rule = PASSED[kind]
    text = say("declared.passed", of=kind, means="" if due is None else means_of(due))
    data = {"paid": {"major": 1}, "paid_rule": rule}
    draft.emit("stopped", name, due.id if due is not None else "attack", text=text, rules=(rule,), data=data)
    move_place(draft, name, say("order.changes_half"), ("segments.simple.alone-d4",))


def _lets_go(draft: Draft, name: str) -> None:
    """Put off the turn of whoever lets D1 go and has declared nothing but an innate ability: the rest comes later."""
    rule, rules, state = "segments.innate.d1", draft.rules, draft.state
    place, fighter, step = state.turn_place(name), state.fighters[name], rules.present_step(state)
    if place is None or step is None or not in_d1(place) or not rules.able(fighter):
        return
    major = fighter.pools.get("major")
    if major is None or major.left < 1 or plan_of(rules, state, fighter).kind != "innate":
        return
    drop_plans(draft, name, lambda action: kind_of(action) == "innate", "declared.drops", rule)
    move_place(draft, name, say("order.changes_half"), (rule,), step.id)
    flow.close_turn(draft, given_up=True, rules=(rule,))


def alone(draft: Draft, turn: Turn, by: str) -> None:
    """Put a simple activity done on its own where it belongs: in D4; and a turn that is let go in D1 in its own."""
    if not turn.touched:
        if by == "player":
            _lets_go(draft, turn.who)
        return
    name = turn.who
    state = draft.state
    place = state.turn_place(name)
    major = state.fighters[name].pools.get("major")
    if place is None or place.facts.get("kind") or major is None or major.left < 1:
        return
    last = len(state.options["d_phases"]) - 1
    if place.rank[0] not in (STAGE["high"], STAGE["low"]) or place.rank[1] == -last or place.facts.get("placed"):
        return
    half = group_half(state, draft.state.fighters[name]) if place.rank[0] == STAGE["high"] else "LOW"
    key = (("half", half), ("type", f"D{last + 1}"), *(t for t in place.key if t[0] == "delayed"))
    moved = replace(place, rank=(place.rank[0], -last, place.rank[2], -1), key=key, why="", why_rule="")
    phase = f"D{last + 1} ({state.options['d_phases'][last]})"
    draft.order(moved, say("order.simple", phase=Title(phase)), ("segments.simple.alone-d4",))
