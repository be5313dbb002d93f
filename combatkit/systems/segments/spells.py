"""Declarations, and spells from the declaration through the target to the effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from combatkit.core.model import Act, Bid, Effect, Fighter, State
from combatkit.core.plain import short
from combatkit.errors import InvalidInput
from combatkit.rules import flow
from combatkit.rules.case import Case, Objection
from combatkit.rules.catalogue import Action
from combatkit.rules.checks import say_names
from combatkit.rules.draft import Draft
from combatkit.rules.mechanisms import damage_dice
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.windows import open_trigger
from combatkit.systems.segments.agenda import add_place
from combatkit.systems.segments.attacks import wound
from combatkit.systems.segments.between import point_in_words
from combatkit.systems.segments.checks import casting_of, is_spell, kind_of, may_be_declared
from combatkit.systems.segments.concentration import begin_maintaining, end_earlier, lose_spell
from combatkit.systems.segments.moving import (
    due_last,
    due_later,
    due_low,
    first_before,
    give_way,
    move_place,
    turn_place,
)
from combatkit.systems.segments.places import HALVES, STAGE, declared, half_of, is_major, segments_to_cast, spell_place
from combatkit.systems.segments.tables import LONGEST, SEGMENTS
from combatkit.text import Said, Title, say

# ── step 1 ──


def chosen_of(params: Mapping[str, Any]) -> str | None:
    """Return the action that is declared: the spell, if one is named."""
    chosen: str | None = params.get("spell", params.get("action"))
    return chosen


def check_declare(case: Case) -> Iterator[Objection]:
    """Refuse a declaration outside step 1, of what needs none, or of more than fits a round."""
    rules, state, fighter, params = case.rules, case.state, case.fighter, case.params
    step = flow.present_step(rules, state)
    chosen_id = chosen_of(params)
    catalogue = rules.catalogue(state)
    if step is None or step.id != "declare":
        if not _means_later(rules, state, fighter, None if chosen_id is None else catalogue[chosen_id], params):
            yield Objection("Actions are declared in step 1 of the round.", "segments.seq.1-declare")
        elif "spell" not in params and "segments" not in params:
            return
    if chosen_id is None:
        return
    chosen = catalogue[chosen_id]
    if not may_be_declared(fighter, chosen):
        yield Objection(f"{chosen.title} needs no declaration.", "segments.immediate.no-time")
        return
    if "spell" in params and not is_spell(chosen):
        yield Objection(f"{chosen.title} isn't a spell.", "segments.spell.def")
    if is_spell(chosen) and not 0 <= params.get("segments", 0) <= LONGEST:
        yield Objection(f"A casting time is 0 to {LONGEST:,} segments.", "segments.time.actions-measured")
    earlier = [catalogue[value["action"]] for value in declared(fighter)] if fighter.effects else []
    if "segments" in params and not is_spell(chosen):
        yield Objection(f"{chosen.title} has its own time.", "segments.time.actions-measured")
    for other in earlier:
        if "complex" in (chosen.cost, other.cost) and "delay" not in (kind_of(chosen), kind_of(other)):
            yield Objection(f"{other.title} and {chosen.title.lower()} do not fit a round.", "segments.complex.only")
            return
        if other.id == chosen.id:
            yield Objection(f"{fighter.name} has declared {chosen.title.lower()}.", "segments.seq.1-declare")
            return
    if is_spell(chosen) and any(is_spell(other) for other in earlier):
        yield Objection(f"{fighter.name} has declared a spell.", "segments.spell.one")
    majors = [other for other in earlier if is_major(other)]
    if majors and is_major(chosen):
        yield Objection(f"{fighter.name} has declared {majors[0].title.lower()}.", "segments.major.one")


def _means_later(
    rules: Ruleset, state: State, fighter: Fighter, chosen: Action | None, params: Mapping[str, Any]
) -> bool:
    """Check whether somebody says in its own turn that it does what belongs later than that turn.

    What delays belongs in LOW, and for the delayed at the end of the round; of tied groups those go first who come
    before what one means to do: whoever did not declare it gets its place in this way.
    """
    place = turn_place(state, fighter.name)
    major = fighter.pools.get("major")
    if place is None or place.facts.get("kind") or major is None or major.left < 1:
        return False
    if chosen is None:
        last = replace(place, rank=(place.rank[0],))  # lower than any in this half
        return place.rank[0] == STAGE["high"] or first_before(rules, state, last) is not None
    if due_low(Case(rules, state, fighter, chosen, params)) or due_last(Case(rules, state, fighter, chosen, params)):
        return True
    return due_later(Case(rules, state, fighter, chosen, params)) is not None


def declare_missing(case: Case) -> tuple[str, ...]:
    """Return what a declaration lacks: what is declared."""
    return () if chosen_of(case.params) is not None else ("action",)


def declare(draft: Draft, act: Act) -> Act:
    """Note what somebody means to do; a spell is begun with it, on the first segment."""
    rules = draft.rules
    chosen = rules.catalogue(draft.state)[chosen_of(act.params) or ""]
    late = bool(draft.state.facts.get("dice"))
    if late and is_major(chosen):
        _drop_other_plans(draft, act.who)
    value: dict[str, Any] = {"action": chosen.id}
    value |= {k: v for k, v in act.params.items() if k in ("weapon", "option", "target", "segments")}
    text = say("declared.means", means=_means(chosen))
    anchor = "round_end"
    draft.effect(act.who, "declared", value=value, anchor=anchor, rule="segments.seq.1-declare", text=text)
    if is_spell(chosen):
        segments = act.params.get("segments", chosen.facts.get("segments", 1))
        invoked = "invocation" in chosen.tags
        short = invoked and segments <= 1 and draft.state.options["short_invocations"] == "group"
        casting = {
            "spell": chosen.id,
            "kind": "invocation" if invoked else "incantation",
            "segments": segments,
            "step": "group" if short else "spells",
        }
        rule = "segments.seq.7-invocation" if invoked else "segments.seq.7-incantation"
        under_way = draft.fighter(act.who).effect("casting")
        if under_way is not None and under_way.value["spell"] != chosen.id:
            lose_spell(draft, act.who, "segments.conc.one", say("broken.given_up", title=chosen.called))
        begun = casting_of(draft.fighter(act.who), chosen)
        text = say("spell.begins" if begun is None else "spell.goes_on", title=chosen.called)
        if begun is not None:
            casting |= {"segments": begun.value["segments"], "done": begun.value.get("done", 0)}
            draft.end_effect(act.who, begun, text=say("spell.anew"))
        draft.effect(act.who, "casting", value=casting, anchor=anchor, rule=rule, text=text)
        effect = draft.fighter(act.who).effect("casting")
        if late and not short and effect is not None:  # by the GM's word: the places of the round are given already
            place = spell_place(rules, draft.state, draft.fighter(act.who), effect)
            add_place(draft, place, say("places.spell"), ("segments.seq.7-spells",))
    if late:
        if kind_of(chosen) == "delay":
            cited: tuple[str, ...] = ("segments.delay.declared-low", "segments.delay.declared-nocond")
        elif due_low(Case(rules, draft.state, draft.fighter(act.who), chosen, act.params)):
            cited = ("segments.delaying.low-only", "segments.delaying.no-cond")
        else:
            cited = ("segments.seq.2-tied-order",)
        _come_later(draft, act.who, cited)
    return act


def _come_later(draft: Draft, name: str, rules: tuple[str, ...]) -> None:
    """Put somebody where what they have just said belongs, and let those go first who come before that."""
    said = "order.comes_later" if len(rules) == 1 else "order.to_low_undelayed"
    if move_place(draft, name, say(said), rules):
        give_way(draft, name, rules[0])


def _drop_other_plans(draft: Draft, name: str) -> None:
    """End what somebody declared in step 1 and does not mean to do any more; minor actions and spells stay."""
    catalogue = draft.rules.catalogue(draft.state)
    for effect in draft.fighter(name).effects:
        if effect.id == "declared":
            action = catalogue[effect.value["action"]]
            if kind_of(action) == "innate" or (is_major(action) and not is_spell(action)):
                draft.end_effect(name, effect, text=say("declared.drops", means=_means(action)))


def begin_castings(draft: Draft) -> None:
    """Begin on the first segment what was declared: it ends what a caster maintains; what nobody went on with is lost.

    An invocation needs no concentration.
    """
    for fighter in draft.state.fighters.values():
        casting = fighter.effect("casting") if fighter.effects else None
        if casting is None:
            continue
        if not casting.anchor:
            lose_spell(draft, fighter.name, "segments.seq.1-declare", say("broken.undeclared"))
        elif casting.value["kind"] == "incantation":
            end_earlier(draft, fighter.name)


def _means(action: Action) -> Title | Said:
    """Return what somebody means to do: as the action's facts have it, else by its title, with a verb for its kind."""
    words = action.facts.get("means")
    return Title(words) if words else say("means.use", of=kind_of(action), title=action.called)


# ── D1: the target ──


def ask_targets(draft: Draft, half: str) -> None:
    """Ask the casters of a half for their targets, in its D1: nobody may pass."""
    rules, state = draft.rules, draft.state
    bids = tuple(
        Bid(fighter.name, ("announce_target",), "segments.target.d1", must=True)
        for fighter in state.fighters.values()
        if fighter.effects
        and (casting := fighter.effect("casting")) is not None
        and "target" not in casting.value
        and rules.able(fighter)
        and half_of(rules, state, fighter) == half
    )
    if bids:
        open_trigger(draft, (), say("spell.announce", half=Title(half)), bids)


def check_announce(case: Case) -> Iterator[Objection]:
    """Let a caster announce its target when it is asked to: in D1 of its own half."""
    rules, state, fighter = case.rules, case.state, case.fighter
    point = case.params.get("point", "")
    if not isinstance(point, str) and any(type(n) is not int for n in point):
        raise InvalidInput(f"announce_target: point is {short(point)}; give one place, or the name of an object")
    casting = fighter.effect("casting") if fighter.effects else None
    if casting is None:
        yield Objection(f"{fighter.name} has declared no spell.", "segments.target.d1", firm=True)
        return
    window, step = state.window, flow.present_step(rules, state)
    if window is None or not any(b.who == fighter.name and b.must and not b.answered for b in window.bids):
        yield Objection(_why_not_asked(rules, state, fighter, casting), "segments.target.d1")
    elif step is not None and step.phase in HALVES and step.phase != half_of(rules, state, fighter):
        half = half_of(rules, state, fighter)
        reason = f"{fighter.name} acts in {half} now, and says there what the spell is aimed at."
        yield Objection(reason, "segments.delay.high")
    said = [word for word in _AIMS if word in case.params]
    if len(said) > 1:
        yield Objection(f"A spell is aimed at one of these: {' or '.join(said)}.", "segments.target.d1", firm=True)


_AIMS = ("target", "point", "option")
"""What a spell is aimed by: creatures, a point of origin or an object, or the word that it has no target."""


def announce_missing(case: Case) -> tuple[str, ...]:
    """Return what an announcement lacks: whom or what the spell is aimed at."""
    return () if any(word in case.params for word in _AIMS) else ("target",)


def _why_not_asked(rules: Ruleset, state: State, fighter: Fighter, casting: Effect) -> str:
    """Say why a caster is not asked for a target now: they have named one, or it is another moment."""
    value = casting.value
    if "target" in value:
        aim = point_in_words(value["point"]) if "point" in value else say_names(value["target"])
        return f"{fighter.name} has already announced {f'a target: {aim}' if aim else 'that there is no target'}."
    half = half_of(rules, state, fighter) if state.facts.get("dice") else "HIGH or LOW"
    return f"{fighter.name}'s target is announced as D1 of {half} begins; it's {rules.clock(state).label}."


def announce(draft: Draft, act: Act) -> Act:
    """Keep with the casting what it is aimed at; nobody, if it has no target."""
    casting = draft.fighter(act.who).effect("casting")
    assert casting is not None
    value = {**casting.value, "target": list(act.targets)}
    aim = ", ".join(act.targets)
    if "point" in act.params:
        value["point"] = act.params["point"]
        aim = point_in_words(value["point"])
    text = say("spell.aims" if aim else "spell.aimless", aim=aim)
    data: dict[str, Any] = {
        "number": casting.number,
        "id": casting.id,
        "rule": casting.rule,
        "value": value,
        "anchor": casting.anchor,
    }
    draft.emit("effect", None, None, act.who, text=text, rules=("segments.target.d1",), data=data)
    return act


# ── the spell ──


def rounds_of(fighter: Fighter, action: Action, time: int) -> tuple[int, int] | None:
    """Return which of how many rounds a casting is in, so many of its segments taken in this one; None if it is one."""
    casting = casting_of(fighter, action)
    if casting is None:
        return None
    come = fighter.progress.get(action.id)
    done = (come.done if come is not None else 0) + 1
    total = done - (time - segments_to_cast(casting)) // SEGMENTS
    return (done, total) if total > 1 else None


def go_on_casting(draft: Draft, act: Act, action: Action, time: int) -> None:
    """Keep up a casting that takes longer than the round has segments left: it goes on in the next one."""
    casting = casting_of(draft.fighter(act.who), action)
    rounds = rounds_of(draft.fighter(act.who), action, time)
    if casting is None or rounds is None or rounds[0] == rounds[1]:
        return
    draft.end_effect(act.who, casting, text=say("spell.not_yet", title=action.called))
    value = {k: v for k, v in casting.value.items() if k not in ("target", "point")}
    value |= {"done": int(value.get("done", 0)) + time, "since": act.seq}
    text = say("spell.still", title=action.called)
    draft.effect(act.who, "casting", value=value, rule="segments.cast.deep", text=text)
    tell_progress(draft, act.who, action, *rounds)


def tell_progress(draft: Draft, name: str, action: Action, done: int, total: int) -> None:
    """Log which of its rounds a casting is through."""
    said = "progress.completes" if done == total else "progress.goes_on"
    text = say(said, title=action.called, done=done, total=total)
    data = {"done": done, "total": total, "progress": [done, total], "completed": done == total}
    rules = (action.rule,) if done == total else (action.rule, "segments.time.overflow")
    draft.emit("progress", name, action.id, amount=done, text=text, rules=rules, data=data)


def cast(draft: Draft, act: Act) -> Act:
    """Complete a spell: its target is the one announced, and what it was being cast is over."""
    rules = draft.rules
    action = rules.catalogue(draft.state)[act.action]
    casting = casting_of(draft.fighter(act.who), action)
    if casting is not None and casting.value.get("since") == act.seq:
        return replace(act, result={**act.result, "unfinished": True})
    if casting is not None:
        act = replace(act, targets=act.targets or tuple(casting.value.get("target", ())))
        point = point_in_words(casting.value["point"]) if "point" in casting.value else ""
        draft.end_effect(act.who, casting, text=say("spell.done", title=action.called, point=point))
        come = draft.fighter(act.who).progress.get(action.id)
        if come is not None:
            tell_progress(draft, act.who, action, come.done + 1, come.done + 1)
    elif "incantation" in action.tags:
        end_earlier(draft, act.who)
    reached = []
    for name in act.targets:
        attribute = immune_to(rules, draft.state, draft.fighter(name), action)
        if attribute:
            data: dict[str, Any] = {"total": None, "needed": None, "outcome": "negated", "modifiers": {}}
            text = say("attack.immune", target=name, attribute=Title(attribute))
            implied = () if attribute in action.tags else ("segments.attr.implied",)
            cited = ("segments.attr.magic-tags", *implied)
            draft.emit("attack", act.who, act.action, name, text=text, rules=cited, data=data)
        elif act.params.get("outcome") in (None, "hit", "failed"):
            reached.append(name)
    return replace(act, result={**act.result, "reached": reached})


def take_effect(draft: Draft, act: Act) -> Act:
    """Deal the damage given with a spell, and begin to maintain what needs concentration."""
    if act.result.get("unfinished"):
        return act
    amount = act.params.get("damage")
    if amount is not None:
        reached = act.result.get("reached", ())
        for name in reached:
            wound(draft, act, name, amount)
        draft.faces.pass_by((len(act.targets) - len(reached)) * damage_dice(amount).count, "damage")
    action = draft.rules.catalogue(draft.state)[act.action]
    if action.facts.get("concentration"):
        begin_maintaining(draft, act.who, action.title)
    return act


def attributes_of(rules: Ruleset, state: State, action: Action) -> tuple[str, ...]:
    """Return an ability's attributes, those that others imply counted in."""
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
    """Return the attribute of an ability a target is immune to, or an empty text."""
    attributes = attributes_of(rules, state, action)
    for effect in target.effects:
        if effect.id == "immune":
            held: Iterable[Any] = effect.value if isinstance(effect.value, (list, tuple)) else (effect.value,)
            for attribute in attributes:
                if attribute in held:
                    return attribute
    return ""
