"""Declarations, and spells from declaration through target to effect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from combatkit.core.model import Act, Bid, Effect, Fighter, State, Window
from combatkit.core.plain import counted, short
from combatkit.errors import InvalidInput
from combatkit.rules.case import NOTHING, Case, Objection
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.judge import grounds, unable
from combatkit.rules.mechanisms import damage_dice, tell_attack
from combatkit.rules.perform import tell_progress
from combatkit.rules.readying import untaken
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.several import DECLARED_AT, declared_at
from combatkit.rules.weapons import said_spot
from combatkit.rules.windows import Happening, offer
from combatkit.systems.segments.agenda import add_place
from combatkit.systems.segments.attacks import wound
from combatkit.systems.segments.checks import (
    aims_of,
    casting_of,
    kind_of,
    may_be_declared,
    spell_title,
)
from combatkit.systems.segments.concentration import begin_maintaining, end_earlier, lose_spell, spoken
from combatkit.systems.segments.moving import (
    comes_later,
    due_last,
    due_later,
    due_low,
    first_before,
    give_way,
    move_place,
)
from combatkit.systems.segments.places import (
    HALVES,
    LOST,
    STAGE,
    called,
    declared,
    half_of,
    is_major,
    is_minor,
    is_spell,
    lost_spell,
    may_add_minor,
    segments_to_cast,
    spell_place,
)
from combatkit.systems.segments.tables import LONGEST, SEGMENTS
from combatkit.systems.segments.weapons import arm_of, unsuited
from combatkit.text import Said, Title, say, say_names

# ── step 1 ──


def chosen_of(case: Case) -> str | None:
    """Return the declared action: the spell, if one is named."""
    chosen: str | None = case.params.get("spell", case.params.get("action"))
    return chosen


def check_declare(case: Case) -> Iterator[Objection]:
    """Refuse declarations outside step 1, of what needs none, or of more than fits a round."""
    rules, state, fighter, params = case.rules, case.state, case.fighter, case.params
    step = rules.present_step(state)
    chosen_id, catalogue = chosen_of(case), rules.catalogue(state)
    chosen = None if chosen_id is None else catalogue[chosen_id]
    if step is None or step.id != "declare":
        if not _means_later(case, chosen):
            yield from _too_late(case, chosen)
        elif "spell" not in params and "segments" not in params:
            return
    if chosen is None:
        return
    if "spell" in params and params.get("action", chosen_id) != chosen_id:
        second = catalogue[params["action"]].title.lower()
        reason = f"Declare one thing at a time: {chosen.title.lower()}, or {second}."
        yield Objection(reason, "segments.seq.1-declare", firm=True)
    if not may_be_declared(fighter, chosen):
        yield Objection(f"{chosen.title} needs no declaration.", "segments.immediate.no-time")
        return
    if "spell_name" in params and chosen.cost != "spell":
        yield Objection("Only an incantation or invocation is given a name.", "segments.spell.def", firm=True)
    if "weapon" in params and is_spell(chosen):
        yield Objection("No weapon goes with a spell.", "segments.spell.def", firm=True)
    yield from untaken(case, chosen, params, *["weapon"] * is_spell(chosen))
    if "spell" in params and not is_spell(chosen):
        yield Objection(f"{chosen.title} isn't a spell.", "segments.spell.def")
    if chosen.cost == "spell" and not 0 <= params.get("segments", 0) <= LONGEST:
        yield Objection(f"A casting time is 0 to {LONGEST:,} segments.", "segments.time.actions-measured")
    if "segments" in params and chosen.cost != "spell":
        yield Objection(
            f"{chosen.title} has a fixed time; only incantations and invocations vary.",
            "segments.time.actions-measured",
        )
    if chosen.cost == "spell" and "means" not in chosen.facts:
        yield from _renamed(chosen, params)
    yield from grounds(case.doing(chosen, _as_done(fighter, chosen, params)))
    yield from unsuited(case.doing(chosen, {"weapon": params["weapon"]} if "weapon" in params else {}))
    major = fighter.pools.get("major")
    if major is not None and major.left < 1 and is_major(chosen) and not lost_spell(fighter):
        yield Objection(f"{fighter.name} has no major action left this round.", "segments.major.one")
    gives_way = [effect.value for effect in replaced(case, chosen)]
    for value in declared(fighter) if fighter.effects else ():
        if value not in gives_way and (against := [*_clash(fighter.name, chosen, catalogue[value["action"]])]):
            if value["action"] == lost_spell(fighter):
                title = called(catalogue[value["action"]], value)
                yield Objection(f"{fighter.name} has lost {title} this round.", against[0].rule)
            yield from against
            return


def _too_late(case: Case, chosen: Action | None) -> Iterator[Objection]:
    """Say that step 1 is over; to a caster who could have added a minor action, that their half is."""
    rules, state, fighter = case.rules, case.state, case.fighter
    half, step = half_of(rules, state, fighter), rules.present_step(state)
    later = step is not None and step.stage is not None and step.stage < STAGE[half.lower()]
    if later and chosen is not None and is_minor(chosen) and fighter.effect("casting") is not None:
        yield Objection(f"{fighter.name}'s half, {half}, is over.", "segments.delay.no-minor-outside")
        return
    yield Objection("Actions are declared in step 1 of the round.", "segments.seq.1-declare")


def _as_done(fighter: Fighter, chosen: Action, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is given with an action that is declared, as it would be done now: with what is at hand."""
    given = {k: v for k, v in params.items() if k not in ("action", "spell")}
    weapon = arm_of(fighter, chosen, given).weapon if "attack" in chosen.tags else None
    return given if weapon is None else {"weapon": weapon["name"], **given}


def _renamed(spell: Action, params: Mapping[str, Any]) -> Iterator[Objection]:
    """Refuse another name or time for a spell that a table lists with its own."""
    name, segments = params.get("spell_name"), params.get("segments")
    if name is not None and name.casefold() not in (spell.title.casefold(), spell.id.casefold()):
        reason = f"{spell.title} has a name of its own; declare an incantation or invocation to cast {name}."
        yield Objection(reason, "segments.seq.1-declare", firm=True)
    if segments is not None and 0 <= segments <= LONGEST and segments != (listed := int(spell.facts["segments"])):
        reason = f"{spell.title} takes {counted(listed, 'segment')}, not {segments}."
        yield Objection(reason, "segments.time.actions-measured", firm=True)


def _clash(name: str, chosen: Action, other: Action) -> Iterator[Objection]:
    """Say why an action can't be declared beside another that was."""
    if "complex" in (chosen.cost, other.cost) and "delay" not in (kind_of(chosen), kind_of(other)):
        yield Objection(f"{other.title} and {chosen.title.lower()} don't fit a round.", "segments.complex.only")
    elif other.id == chosen.id:
        yield Objection(f"{name} has already declared {chosen.title.lower()}.", "segments.seq.1-declare")
    else:
        if is_spell(chosen) and is_spell(other):
            yield Objection(f"{name} has already declared a spell.", "segments.spell.one")
        if is_major(chosen) and is_major(other):
            yield Objection(f"{name} has already declared {other.title.lower()}.", "segments.major.one")


def replaced(case: Case, chosen: Action) -> list[Effect]:
    """Return what somebody declared that gives way to this; after step 1 nothing does, and a spell that is lost never.

    The text says only that actions are declared in step 1; what is declared in it begins as it ends.
    """
    step, fighter = case.rules.present_step(case.state), case.fighter
    if step is None or step.id != "declare":
        return []
    catalogue, lost = case.rules.catalogue(case.state), lost_spell(fighter)
    plans = [effect for effect in fighter.effects if effect.id == "declared" and effect.value["action"] != lost]
    return [plan for plan in plans if any(_clash("", chosen, catalogue[plan.value["action"]]))]


def _means_later(case: Case, chosen: Action | None) -> bool:
    """Check whether a combatant declares an action on their own turn that belongs later than that turn.

    Delaying activities belong in LOW, and for the delayed at the end of the round. Of tied groups, those go first who
    come before the planned action: whoever did not declare it gets its place in this way. A caster of step 7 gets a
    turn in their half for a minor action.
    """
    rules, state, fighter = case.rules, case.state, case.fighter
    if may_add_minor(rules, state, fighter, ahead=True) and (chosen is None or is_minor(chosen)):
        return True
    place = state.turn_place(fighter.name)
    major = fighter.pools.get("major")
    if place is None or place.facts.get("kind") or major is None or major.left < 1:
        return False
    if chosen is None:
        last = replace(place, rank=(place.rank[0],))  # lower than any in this half
        return place.rank[0] == STAGE["high"] or first_before(rules, state, last) is not None
    doing = case.doing(chosen)
    if "simple" in chosen.tags:  # done alone it comes in D4; positioning never is, and some take no time
        alone = "movement" not in chosen.tags and chosen.facts.get("segments") != 0
        return alone and comes_later(doing) is not None
    return due_low(doing) or due_last(doing) or due_later(doing) is not None


def may_be_added(case: Case) -> bool:
    """Check whether a caster of step 7 could still declare this, and have a turn for it in their half."""
    return is_minor(case.action) and may_add_minor(case.rules, case.state, case.fighter, ahead=True)


def declare_missing(case: Case) -> tuple[str, ...]:
    """Return what a declaration still needs: the action."""
    return () if chosen_of(case) is not None else ("action",)


def declare(draft: Draft, act: Act) -> Act:
    """Note what a combatant plans to do; a spell begins with it, on the first segment."""
    rules = draft.rules
    chosen = draft.actions[chosen_of(draft.case(act)) or ""]
    late = bool(draft.state.facts.get("dice"))
    if late and is_major(chosen):
        drop_plans(draft, act.who, _no_longer, "declared.drops")
    said = {k: v for k, v in act.params.items() if k in ("weapon", "option", "target", "spell_name", "segments")}
    anchor, value = "round_end", {"action": chosen.id, **said}
    plans = replaced(draft.case(act), chosen)
    if _replan(draft, act.who, plans, chosen, value):
        return act
    if not plans:
        text = say("declared.means", means=means_of(chosen, value))
        draft.effect(act.who, "declared", value=value, anchor=anchor, rule="segments.seq.1-declare", text=text)
    if chosen.cost == "spell":
        segments = act.params.get("segments", chosen.facts.get("segments", 1))
        invoked = "invocation" in chosen.tags
        short = invoked and segments <= 1 and draft.state.options["short_invocations"] == "group"
        casting = {
            "spell": chosen.id,
            "kind": "invocation" if invoked else "incantation",
            "segments": segments,
            "step": "group" if short else "spells",
            **{k: v for k, v in said.items() if k == "spell_name"},
        }
        rule = "segments.seq.7-invocation" if invoked else "segments.seq.7-incantation"
        under_way = draft.state.fighters[act.who].effect("casting") if late else None  # else as the casting begins
        if under_way is not None and under_way.value["spell"] != chosen.id:
            lose_spell(draft, act.who, "segments.conc.one", say("broken.given_up", means=means_of(chosen, value)))
        begun = casting_of(draft.state.fighters[act.who], chosen)
        text = say("spell.begins", of="item" if invoked else "", title=spoken(chosen, said, new=True))
        if begun is not None:
            text = say("spell.goes_on", title=spoken(chosen, begun.value))
            casting |= {"segments": begun.value["segments"], "done": begun.value.get("done", 0)}
            casting |= {k: v for k, v in begun.value.items() if k == "spell_name"}
            draft.end_effect(act.who, begun, text=say("spell.anew"))
        draft.effect(act.who, "casting", value=casting, anchor=anchor, rule=rule, text=text)
        _give_place(draft, act.who)
    if late:
        if kind_of(chosen) == "delay":
            cited: tuple[str, ...] = ("segments.delay.declared-low", "segments.delay.declared-nocond")
        elif due_low(Case(rules, draft.state, draft.state.fighters[act.who], chosen, act.params)):
            cited = ("segments.delaying.low-only", "segments.delaying.no-cond")
        elif is_minor(chosen) and draft.state.turn_place(act.who) is None:
            cited = ("segments.simple.alone-d4",)
        else:
            cited = ("segments.seq.2-tied-order",)
        _come_later(draft, act.who, cited)
    return act


def _give_place(draft: Draft, name: str) -> None:
    """Give a casting that the GM's word begins after step 1 its place in step 7: those of the round are given.

    It takes the place of another that they were casting.
    """
    state = draft.state
    fighter = state.fighters[name]
    casting = fighter.effect("casting")
    if casting is None or casting.value["step"] != "spells" or not state.facts.get("dice"):
        return
    place, text, cited = (
        spell_place(draft.rules, state, fighter, casting),
        say("places.spell"),
        ("segments.seq.7-spells",),
    )
    for had in state.agenda:
        if had.who == name and had.facts.get("kind") == "spell" and had.done < state.occasion:
            draft.order(replace(place, id=had.id), text, cited)
            return
    add_place(draft, place, text, cited)


def begin_by_hand(draft: Draft, name: str) -> None:
    """Let a casting that the GM's word has begun cost and be what it would have, had it been declared."""
    fighter = draft.state.fighters[name]
    casting, pool = fighter.effect("casting"), fighter.pools.get("spell")
    if casting is None or not is_spell(action := draft.actions[casting.value["spell"]]):
        return
    lost, major = lost_spell(fighter), fighter.pools.get("major")
    drop_plans(draft, name, lambda plan: is_spell(plan) and plan.id not in (action.id, lost), "declared.drops")
    if is_major(action) and major is not None and major.left > 0:  # by the GM's word another may have been done before
        drop_plans(draft, name, _no_longer, "declared.drops")
    rule, value = "segments.seq.1-declare", {"action": action.id}
    value |= {k: v for k, v in casting.value.items() if k == "spell_name"}
    if pool is not None and pool.left > 0:  # by the GM's word another may have been cast before
        text = say("spell.begins", title=spoken(action, casting.value, new=True))
        data: dict[str, object] = {"pools": {}, "returned": {name: {"spell": -1}}, "at": "casting"}
        draft.emit("refresh", name, text=text, rules=(rule,), data=data)
    if all(plan["action"] != action.id for plan in declared(fighter)):
        draft.effect(name, "declared", value=value, anchor="round_end", rule=rule, text=say("spell.keeps_up"))
    _give_place(draft, name)
    _come_later(draft, name, ("segments.seq.2-tied-order",))


def _replan(draft: Draft, who: str, plans: list[Effect], chosen: Action, value: dict[str, object]) -> bool:
    """Put what somebody declares in the place of these plans; what says nothing new about one takes it back.

    Returns
    -------
    bool
        Whether it did.
    """
    back = any(value.items() <= plan.value.items() for plan in plans)
    for plan in plans:
        old = draft.actions[plan.value["action"]]
        drops = say("declared.drops", means=means_of(old, plan.value))
        if not back and plan is plans[0]:
            text = say("declared.changes", means=means_of(chosen, value))
            draft.renew(who, replace(plan, value=value), text, plan.rule)
        else:
            draft.end_effect(who, plan, text=drops)
        if old.cost != "spell":
            continue
        if back or chosen.cost != "spell":
            data: dict[str, object] = {"pools": {}, "returned": {who: {"spell": 1}}, "at": "declaration"}
            draft.emit("refresh", who, text=drops, rules=("segments.seq.1-declare",), data=data)
        for casting in draft.state.fighters[who].effects:
            if casting.id == "casting" and casting.value["spell"] == old.id:
                if casting.value.get("done"):  # it goes on from an earlier round
                    text = say("spell.still", title=spoken(old, casting.value))
                    draft.renew(who, replace(casting, anchor=None), text, casting.rule)
                else:
                    draft.end_effect(who, casting)
    return back


def _come_later(draft: Draft, name: str, rules: tuple[str, ...]) -> None:
    """Put combatants where the action they just declared belongs, and let those who come before it go first."""
    said = "order.comes_later" if len(rules) == 1 else "order.to_low_undelayed"
    if move_place(draft, name, say(said), rules):
        give_way(draft, name, rules[0])


def _no_longer(action: Action) -> bool:
    """Check whether something declared is no longer planned after another major action; minor ones and spells are."""
    return kind_of(action) == "innate" or (is_major(action) and action.cost != "spell")


def drop_plans(draft: Draft, name: str, drops: Callable[[Action], bool], said: str, rule: str = "") -> None:
    """End what a combatant declared of a kind, and say so."""
    for effect in draft.state.fighters[name].effects:
        if effect.id == "declared" and drops(action := draft.actions[effect.value["action"]]):
            draft.end_effect(name, effect, text=say(said, means=means_of(action)), rule=rule)


def begin_castings(draft: Draft) -> None:
    """Begin declared castings on the first segment, ending what casters maintain; an invocation needs no concentration.

    One of an earlier round goes on by itself, unless its caster has declared another major action, or, by the option,
    has not declared it anew.
    """
    for fighter in draft.state.fighters.values():
        casting = fighter.effect("casting") if fighter.effects else None
        if casting is None:
            continue
        if not casting.anchor and not _goes_on(draft, fighter, casting):
            casting = draft.state.fighters[fighter.name].effect("casting")
        if casting is not None and casting.value["kind"] == "incantation":
            end_earlier(draft, fighter.name)


def _goes_on(draft: Draft, fighter: Fighter, casting: Effect) -> bool:
    """Go on with a casting of an earlier round, which is the round's spell; or lose it, and say so."""
    catalogue, name = draft.actions, fighter.name
    other = next((a for value in declared(fighter) if is_major(a := catalogue[value["action"]])), None)
    if other is not None or draft.state.options["long_casting"] == "declare_anew":
        why = say("broken.undeclared") if other is None else say("broken.given_up", means=means_of(other))
        lose_spell(draft, name, "segments.seq.1-declare", why)
        return False
    title, own = spoken(catalogue[casting.value["spell"]], casting.value), fighter.pools.get("spell")
    due = -1 if own is not None and own.left > 0 else 0  # by the GM's word another may have been cast before
    data: dict[str, object] = {"pools": {}, "returned": {name: {"spell": due}}, "at": "casting"}
    draft.emit("refresh", name, text=say("spell.goes_on", title=title), rules=("segments.time.overflow",), data=data)
    draft.renew(name, replace(casting, anchor="round_end"), say("spell.still", title=title), casting.rule)
    return True


def means_of(action: Action, said: Mapping[str, Any] = NOTHING) -> Title | Said:
    """Return what a combatant plans, in words: a spell by its name, else from the action's facts, else by its title."""
    if said.get("spell_name"):
        return say("means.use", of="" if "invocation" in action.tags else "spell", title=said["spell_name"])
    words = action.facts.get("means")
    of = "item" if "invocation" in action.tags else kind_of(action)
    return Title(words) if words else say("means.use", of=of, title=action.called)


def leave_off(draft: Draft, name: str) -> None:
    """End what somebody who leaves planned and had begun, and say so: they may return; a spell is lost as if cast."""
    casting = draft.state.fighters[name].effect("casting")
    deep = casting is not None and casting.value["kind"] == "incantation"
    lose_spell(draft, name, "segments.cast.deep" if deep else "segments.seq.7-spells")
    told = {event.action for event in draft.events if event.kind == "stopped" and event.actor == name}
    fighter = draft.state.fighters[name]
    major = fighter.pools.get("major")
    spent = major is not None and major.left < 1
    for effect in fighter.effects:
        if effect.id == "declared":
            plan = draft.actions[effect.value["action"]]
            over = plan.id in told or (spent and is_major(plan))  # said already, or carried out, or lost before
            drops = say("declared.drops", means=means_of(plan, effect.value))
            draft.end_effect(name, effect, text=say("declared.leaves") if over else drops)
    leave_undone(draft, name)


def leave_undone(draft: Draft, name: str) -> None:
    """End what somebody was to complete last: as any progress, it is lost with whoever leaves or goes down."""
    for effect in draft.state.fighters[name].effects:
        if effect.id == "completing":
            title = spoken(draft.actions[effect.value], {}, new=True)
            draft.end_effect(name, effect, text=say("progress.left_undone", title=title))


# ── D1: the target ──


def ask_targets(draft: Draft, half: str) -> None:
    """Ask the casters of a half for their targets, in D1; nobody may pass."""
    bids = without_target(draft.rules, draft.state, half)
    if bids:
        offer(draft, Happening((), say("spell.announce", half=Title(half))), bids)


def ask_late(draft: Draft, name: str) -> None:
    """Ask a caster for the target who comes into the half under way by the GM's word, its D1 being over."""
    step, window = draft.rules.present_step(draft.state), draft.state.window
    if step is None or step.id not in ("high", "low") or (window is not None and _is_d1(window)):
        return
    half = str(step.phase)
    bids = tuple([bid for bid in without_target(draft.rules, draft.state, half) if bid.who == name])
    if bids:
        offer(draft, Happening((), say("spell.announce", half=Title(half))), bids)


def without_target(rules: Ruleset, state: State, half: str) -> tuple[Bid, ...]:
    """Return the casters of a half who must still announce their target."""
    return tuple(
        Bid(fighter.name, ("announce_target",), D1, must=True)
        for fighter in state.fighters.values()
        if fighter.effects
        and (casting := fighter.effect("casting")) is not None
        and "target" not in casting.value
        and ends_this_round(casting)
        and rules.able(fighter)
        and half_of(rules, state, fighter) == half
    )


def ends_this_round(casting: Effect) -> bool:
    """Check whether a casting can be through this round: only then does it owe a target."""
    return segments_to_cast(casting) <= SEGMENTS


def asked_anew(rules: Ruleset, state: State, window: Window) -> tuple[Bid, ...] | None:
    """Return whom the casters' window asks now: also somebody who has come to in it."""
    step = rules.present_step(state)
    if step is None or not _is_d1(window):
        return None
    return without_target(rules, state, str(step.phase))


def _is_d1(window: Window) -> bool:
    """Check whether a window asks casters for their targets."""
    return any(bid.rule == D1 for bid in window.bids)


D1 = "segments.target.d1"
"""The rule by which casters are asked for their target."""


def check_announce(case: Case) -> Iterator[Objection]:
    """Let casters announce their target when asked: in D1 of their own half."""
    rules, state, fighter = case.rules, case.state, case.fighter
    point = case.params.get("point", "")
    if not isinstance(point, str) and any(type(n) is not int for n in point):
        raise InvalidInput(f"announce_target: point is {short(point)}; give one place, or the name of an object")
    casting = fighter.effect("casting") if fighter.effects else None
    if casting is None:
        yield _without_casting(rules, state, fighter)
        return
    window, step = state.window, rules.present_step(state)
    if window is None or not any(b.who == fighter.name and b.must and not b.answered for b in window.bids):
        yield Objection(_why_not_asked(rules, state, fighter, casting), "segments.target.d1")
    elif step is not None and step.phase in HALVES and step.phase != half_of(rules, state, fighter):
        half = half_of(rules, state, fighter)
        reason = f"{fighter.name} now acts in {half} and announces the target there."
        yield Objection(reason, "segments.delay.high")
    said = [word for word in _AIMS if word in case.params]
    if len(said) > 1:
        yield Objection(f"Aim the spell at only one of these: {' or '.join(said)}.", "segments.target.d1", firm=True)


def _without_casting(rules: Ruleset, state: State, fighter: Fighter) -> Objection:
    """Say why somebody who casts nothing has no target to announce: it is lost, or named only as it is used."""
    plans = [rules.catalogue(state)[value["action"]] for value in declared(fighter)]
    innate = next((plan.title.lower() for plan in plans if kind_of(plan) == "innate"), None)
    if lost := lost_spell(fighter):
        title = spell_title(fighter, rules.catalogue(state)[lost])
        return Objection(f"{fighter.name} has lost {title} this round.", LOST, firm=True)
    if innate is not None:
        reason = f"{fighter.name} names the target of the {innate} as they use it, in D1."
        return Objection(reason, "segments.innate.d1", firm=True)
    return Objection(f"{fighter.name} has declared no spell.", D1, firm=True)


_AIMS = ("target", "point", "option")
"""What a spell is aimed at: creatures, a point or object, or nothing, which is said too."""


def announce_missing(case: Case) -> tuple[str, ...]:
    """Return what an announcement still needs: whom or what the spell is aimed at."""
    return () if any(word in case.params for word in _AIMS) else ("target",)


def _why_not_asked(rules: Ruleset, state: State, fighter: Fighter, casting: Effect) -> str:
    """Say why a caster is not asked for a target now: it was announced already, or this is not the moment."""
    value = casting.value
    if "target" in value:
        aim = said_spot(value["point"]) if "point" in value else say_names(value["target"])
        return f"{fighter.name} has already announced {f'a target: {aim}' if aim else 'that there is no target'}."
    if not ends_this_round(casting):
        return f"{fighter.name} announces the target in the last round of the casting, when D1 begins."
    half = half_of(rules, state, fighter) if state.facts.get("dice") else "HIGH or LOW"
    return f"{fighter.name} announces the target when D1 of {half} begins; it's {rules.clock(state).label}."


def announce(draft: Draft, act: Act) -> Act:
    """Keep a spell's aim with its casting; an empty aim if it has no target."""
    casting = draft.state.fighters[act.who].effect("casting")
    assert casting is not None
    value = {**casting.value, "target": list(act.targets)}
    fallen = [name for name in act.targets if draft.rules.is_gone(draft.state.fighters[name])]
    if fallen:  # it is meant for the dead
        value["fallen"] = fallen
    aim = list(act.targets)
    if "point" in act.params:
        value["point"] = act.params["point"]
        aim = [said_spot(value["point"])]
    title = spoken(draft.actions[casting.value["spell"]], casting.value)
    text = say("spell.aims" if aim else "spell.aimless", aim=aim, title=title)
    draft.renew(act.who, replace(casting, value=value), text, "segments.target.d1")
    return act


# ── the spell ──


def rounds_of(fighter: Fighter, action: Action, time: int) -> tuple[int, int] | None:
    """Return which round of casting this is, and of how many, with these segments spent now; None for a single one."""
    casting = casting_of(fighter, action)
    if casting is None:
        return None
    come = fighter.progress.get(action.id)
    done = (come.done if come is not None else 0) + 1
    total = done - (time - segments_to_cast(casting)) // SEGMENTS
    return (done, total) if total > 1 else None


def outlasts(draft: Draft, fighter: Fighter, casting: Effect) -> bool:
    """Go on with a casting that takes more than the round had left, though its turn went by; check whether it does."""
    action, pool = draft.actions[casting.value["spell"]], fighter.pools.get("segments")
    left = SEGMENTS if pool is None else pool.left
    go_on_casting(draft, fighter.name, action, left)
    return segments_to_cast(casting) > left


def casts_on(draft: Draft, who: str) -> None:
    """Go on with a long casting as its turn in step 7 ends without a word."""
    step, fighter = draft.rules.present_step(draft.state), draft.state.fighters[who]
    casting = fighter.effect("casting")
    if casting is not None and casting.anchor and step is not None and step.id == "spells":
        outlasts(draft, fighter, casting)


def go_on_casting(draft: Draft, who: str, action: Action, time: int, since: int = 0) -> None:
    """Keep up a casting that takes more segments than the round has left, and go on in the next one."""
    casting = casting_of(draft.state.fighters[who], action)
    rounds = rounds_of(draft.state.fighters[who], action, time)
    if casting is None or rounds is None or rounds[0] == rounds[1]:
        return
    title = spoken(action, casting.value)
    draft.end_effect(who, casting, text=say("spell.not_yet", title=title))
    value = {k: v for k, v in casting.value.items() if k not in ("target", "point")}
    value |= {"done": int(value.get("done", 0)) + time, "since": since}
    draft.effect(who, "casting", value=value, rule="segments.cast.deep", text=say("spell.keeps_up"))
    done, total = rounds
    data = {"done": done, "total": total, "progress": [done, total], "completed": False}
    text, cited = say("spell.casts_on", title=title, done=done, total=total), (action.rule, "segments.time.overflow")
    draft.emit("progress", who, action.id, amount=done, text=text, rules=cited, data=data)


def cast(draft: Draft, act: Act) -> Act:
    """Complete a spell on its announced target, and end the casting."""
    rules = draft.rules
    action = draft.actions[act.action]
    casting = casting_of(draft.state.fighters[act.who], action)
    if casting is not None and casting.value.get("since") == act.seq:
        return replace(act, result={**act.result, "unfinished": True})
    if casting is not None:
        act = _reached(draft, act, casting)
        point = said_spot(casting.value["point"]) if "point" in casting.value else ""
        of = "item" if "invocation" in action.tags else ""
        text = say("spell.done", of=of, title=spoken(action, casting.value), point=point)
        draft.end_effect(act.who, casting, text=text)
        come = draft.state.fighters[act.who].progress.get(action.id)
        if come is not None:
            tell_progress(draft, act.who, action, (come.done + 1, come.done + 1), (action.rule,))
    elif "incantation" in action.tags:
        end_earlier(draft, act.who)
    reached = []
    for name in act.targets:
        attribute = immune_to(rules, draft.state, draft.state.fighters[name], action)
        if attribute:
            text = say("attack.immune", target=name, attribute=Title(attribute))
            implied = () if attribute in action.tags else ("segments.attr.implied",)
            tell_attack(draft, act, name, "negated", text, ("segments.attr.magic-tags", *implied))
        elif act.params.get("outcome") in (None, "hit", "failed"):
            reached.append(name)
    return replace(act, result={**act.result, "reached": reached})


def _reached(draft: Draft, act: Act, casting: Effect) -> Act:
    """Drop those who have left or died since they were announced; with nobody left the spell has no effect."""
    aims, gone = aims_of(draft.rules, draft.state, casting, act.targets)
    lapses = bool(gone) and not aims and "point" not in casting.value
    for name in gone:
        why = unable(draft.rules, draft.state.fighters[name]).reason.removesuffix(".")
        text = say("spell.at_nobody") if lapses else say("stopped.target", target=name, why=why)  # said as it was cast
        draft.emit("stopped", act.who, act.action, name, text=text, rules=("segments.los.when",), data={"act": act.seq})
    lost: dict[str, object] = {DECLARED_AT: [*(act.targets or casting.value.get("target", ()))]} if gone else {}
    return replace(act, targets=tuple(aims), result={**lost, **act.result, **({"unfinished": True} if lapses else {})})


def take_effect(draft: Draft, act: Act) -> Act:
    """Deal the damage given with a spell, and begin to maintain one that needs concentration."""
    if act.result.get("unfinished"):
        if (amount := act.params.get("damage")) is not None:
            draft.faces.pass_by(max(1, len(act.targets)) * len(damage_dice(amount).each), "damage")
        return act
    amount = act.params.get("damage")
    if amount is not None:
        reached = act.result.get("reached", ())
        for name in declared_at(act):
            if name in reached:
                wound(draft, act, name, amount)
            elif name not in act.targets:
                draft.faces.forgo(damage_dice(amount).each, "damage")
        draft.faces.pass_by((len(act.targets) - len(reached)) * len(damage_dice(amount).each), "damage")
    action = draft.actions[act.action]
    if action.facts.get("concentration"):
        begin_maintaining(draft, act.who, action.title)
    return act


def attributes_of(rules: Ruleset, state: State, action: Action) -> tuple[str, ...]:
    """Return an ability's attributes, including those that others imply."""
    table = {row["id"]: row["implies"] for row in [*rules.tables["attributes"], *state.tables.get("attributes", ())]}
    found: list[str] = []
    waiting = list(action.tags)
    while waiting:
        tag = waiting.pop(0)
        if tag not in found:
            found.append(tag)
            waiting.extend(table.get(tag, ()))
    return tuple(found)


def immune_to(rules: Ruleset, state: State, target: Fighter, action: Action) -> str:
    """Return the ability's attribute that a target is immune to, or an empty text."""
    attributes = attributes_of(rules, state, action)
    for effect in target.effects:
        if effect.id == "immune":
            held: Iterable[object] = effect.value if isinstance(effect.value, (list, tuple)) else (effect.value,)
            for attribute in attributes:
                if attribute in held:
                    return attribute
    return ""
