"""May I? One function answers that for options, buttons, refusals and actions, so they cannot disagree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, filterfalse
from typing import Any

from msgspec import Struct

from combatkit.core.model import Act, Effect, Fighter, Ruling, State, foes_first, present
from combatkit.core.plain import short, with_article
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.case import NOTHING, Case, Objection, Stage, against
from combatkit.rules.catalogue import Action, Cost
from combatkit.rules.checks import say_names, spelled
from combatkit.rules.moves import off_board
from combatkit.rules.params import ALWAYS, CARRIERS, check_params
from combatkit.rules.paying import payment
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.several import with_one
from combatkit.rules.timing import bid_of, forbidden, not_under_way, timing
from combatkit.rules.uses import USES, used_up
from combatkit.rules.weapons import weapons_of
from combatkit.text import ENGLISH

_NAMED = 4
"""How many values are named."""

_TRIED = 100
"""How many values are tried before another is assumed to be possible."""

_PLAIN = ("names", "name", "action")
"""Kinds of parameters whose listed values need no check: they come from the fight."""


class Judgement(Struct, frozen=True, gc=False):
    """The objections to an action, how it would be paid, and for how many of its parts."""

    objections: list[Objection]
    cost: Cost
    pay: tuple[str, ...]
    rule: str
    missing: tuple[str, ...]
    parts: int = 1


def judge(case: Case, *, brief: bool = False) -> Judgement:
    """Weigh an action: who may act now, what bars it, what it needs, what it costs, what is still missing.

    Parameters
    ----------
    case : Case
        Who would do what, with the parameters given so far, checked.
    brief : bool
        Whether the first objection is enough: then nothing is asked that could only bring others, or say what is paid.

    Returns
    -------
    Judgement
        Objections in order, the most specific first; the pools it would take, or, if it costs too much, what is left in
        them; required parameters not given.
    """
    rules, fighter, action = case.rules, case.fighter, case.action
    found: list[Objection] = []
    cost, rule = rules.price(case)
    if case.state.stage != "running" or case.state.step < 0:  # no rule says so, and none of a fight under way does
        return Judgement([Objection(not_under_way(case.state), "", firm=True)], cost, (), rule, ())
    missing = action.required
    if missing and case.params:
        missing = tuple(filterfalse(case.params.__contains__, missing))
    held = (unable(rules, fighter),) if fighter.effects and not rules.able_to(fighter, action) else ()
    unfit = forbidden(case) if fighter.effects and rules.forbidding else ()
    late = timing(case)
    for objection in chain(held, unfit, rules.bars(case), late or (), _at_hand(case)):
        if brief and (late is None or not objection.late):  # it comes first whatever else there is
            return Judgement([objection], cost, (), rule, missing)
        found.append(objection)
    pay, parts = payment(case, cost, found)
    own = len(found)
    for need in rules.needs[action.does]:  # going nearer wouldn't help, if nothing is left to spend
        found.extend(need(case))
    if action.does == "use":  # why what is kept can't be done is told first, whether or not its moment has come
        own = len(found)
    if late is not None and len(found) > len(late):
        found = _late_last(found, own, windowed=case.window is not None)
    if not found and (more := rules.mechanisms[action.does].missing) is not None:
        missing = (*missing, *more(case))
    if missing and not found:
        for id in missing:
            found.extend(_nothing_will_do(case, id))
    return Judgement(found, cost, pay, rule, missing, parts)


def allowed(case: Case) -> Judgement | None:
    """Weigh an action, yes or no: as `judge` does, but nothing is put into words.

    Parameters
    ----------
    case : Case
        Who would do what, with the parameters given so far, checked.

    Returns
    -------
    Judgement or None
        What `judge` would say, if nothing is against it; None if anything is.
    """
    rules, fighter, action = case.rules, case.fighter, case.action
    cost, rule = rules.price(case)
    if case.state.stage != "running" or case.state.step < 0:
        return None
    if (fighter.effects and not rules.able_to(fighter, action)) or timing(case):
        return None
    found: list[Objection] = []
    pay, parts = payment(case, cost, found, silent=True)  # what is too dear is the most common: it is asked first
    needs = rules.needs[action.does]
    if found or any(True for _ in chain(rules.bars(case), _at_hand(case), *[need(case) for need in needs])):
        return None
    more = rules.mechanisms[action.does].missing
    missing = tuple(
        filterfalse(case.params.__contains__, (*action.required, *(more(case) if more is not None else ())))
    )
    if any(_nothing_will_do(case, id, silent=True) for id in missing):
        return None
    return Judgement([], cost, pay, rule, missing, parts)


def demands(case: Case) -> list[Objection]:
    """Return the objections to an action, also within another, apart from who may act now and what it costs."""
    world = [objection for need in case.rules.needs[case.action.does] for objection in need(case)]
    return [*_at_hand(case), *world]


def _at_hand(case: Case) -> Iterator[Objection]:
    """Return the objections to an action wherever everybody stands."""
    return chain(itself(case), _targets(case)) if "target" in case.params else itself(case)


def itself(case: Case) -> Iterator[Objection]:
    """Yield the objections to an action that no moment changes by itself: also one kept for later is held to them."""
    check = case.rules.mechanisms[case.action.does].check
    if case.params or case.action.requires or case.fighter.stats.get(USES):  # else there is nothing to look at
        yield from grounds(case)
    if check is not None:
        yield from check(case)
    if "to" in case.params:
        yield from off_board(case)


def grounds(case: Case) -> Iterator[Objection]:
    """Yield the objections to what lacks a condition or is used up, and refuse an outcome that an action can't have."""
    for id in case.action.requires:
        if case.fighter.effect(id) is None:
            without: str = case.action.facts.get("without", "{name} is not {id}.")
            yield case.object(without.format(name=case.fighter.name, id=id))
    given = case.params.get("outcome")
    for said in given if type(given) is list else (given,):
        if said is not None and said not in (right := values_of(case, "outcome") or (said,)):
            raise InvalidInput(f"{case.action.id}: outcome is {said!r}; give {say_names(right, ' or ')}")
    if "modifiers" in case.params:
        _check_modifiers(case)
    if case.fighter.stats.get(USES):
        yield from used_up(case)


def _check_modifiers(case: Case) -> None:
    """Refuse modifiers of a call that nothing reads: they name a number that counts here, or a circumstance."""
    rules, action, given = case.rules, case.action, case.params["modifiers"]
    if {"modifiers", "action"} & {*action.takes} or carried(case) is not None:
        return  # it checks them itself, or what it keeps or carries out does
    rolled, holds = rules.rolled(case), rules.mechanisms[action.does].holds
    known = rules.numbers(case.state, case.fighter)
    read = known if holds else [*rolled, *((rules.struck_by,) if rules.struck_by and rules.strikes(action) else ())]
    if not rolled and not holds:
        raise InvalidInput(f"{action.id}: nothing is rolled for it, so no modifiers are read; leave them out")
    right = f"{', '.join(read)}{'' if holds else ', or a circumstance such as cover'}"
    if holds and not isinstance(given, Mapping):
        raise InvalidInput(f"{action.id}: modifiers is {given}; give numbers by name: {right}")
    words = set[str]() if holds else _circumstances(case).difference(known, [vital.name for vital in rules.vitals])
    for name in given if isinstance(given, Mapping) else ():
        if name not in read and spelled(name) not in words:
            raise InvalidInput(f"{action.id}: modifiers has {short(name)}, which nothing reads here; give {right}")


def _circumstances(case: Case) -> set[str]:
    """Return the words that say why a roll is modified: what is usual, conditions, what somebody may be doing."""
    words = [*case.rules.circumstances, *(condition.id for condition in case.rules.conditions)]
    words += [effect.id for fighter in case.state.fighters.values() for effect in fighter.effects]
    for action in case.rules.catalogue(case.state):
        words += (action.id, action.title, *action.also, *action.names)
    return {spelled(word) for word in words}


def hindrances(
    rules: Ruleset, state: State, act: Act, action: Action, stage: Stage
) -> tuple[list[Objection], dict[str, list[Objection]]]:
    """Ask again what a stage of an action under way needs from the world, which may have changed since it was declared.

    Returns
    -------
    tuple
        The objections to the whole, and to each target that is lost. What was paid is not asked again.
    """
    fighter, needs = state.fighters[act.who], stage.needs or ()
    bare = dict(act.params)
    bare.pop("target", None)
    lost = {}
    for name in act.targets:
        case = Case(rules, state, fighter, action, {**bare, "target": [name]}, act)
        found = [o for need in needs for o in need(case)]
        found.extend(_targets(case))
        if found:
            lost[name] = found
    case = Case(rules, state, fighter, action, bare, act)
    return [o for need in needs for o in need(case)], lost


def _late_last(found: list[Objection], own: int, *, windowed: bool) -> list[Objection]:
    """Return objections with those that ask for something after what it wouldn't help against.

    What stands in the way as everybody stands, as all but the first `own` do, may change by the time there is something
    to answer, so it comes last. In a window it is why somebody isn't asked, and comes instead.
    """
    now = [o for o in found if not o.late]
    if windowed and any(o.reason for o in now):
        return now
    first = [o for n, o in enumerate(found) if not o.late and (n < own or o.firm)]
    return list(dict.fromkeys([*first, *[o for o in found if o.late], *now]))


def carried(case: Case) -> Case | None:
    """Return the case of what an action keeps, carries out or uses up, as far as that is known."""
    return case.rules.carried(case) if "action" in case.action.takes else kept_case(case)


def goes_with(case: Case, chosen: Action, param: str) -> bool:
    """Check whether a parameter of an action that keeps or carries out another one is its own, or taken by that."""
    return param in {*CARRIERS, *ALWAYS, *chosen.takes, *case.action.facts.get("besides", ())}


def values_of(case: Case, param: str) -> tuple[Any, ...] | None:
    """Return the values a parameter can be chosen from, allowed or not; None for text, numbers and dice.

    What belongs to an action that another keeps or carries out is chosen as for that.
    """
    rules = case.rules
    listed = rules.listed(case, param)
    if listed is not None:
        return listed
    if param not in CARRIERS and (inner := carried(case)) is not None and param in inner.action.takes:
        return values_of(inner, param)
    match rules.parameters.by_id[param].kind:
        case "names" | "name":
            name = case.fighter.name
            return tuple([n for n in present(case.state.fighters) if n != name])
        case "action":
            return rules.catalogue(case.state).ids()
        case "text" if param == "weapon":
            return tuple([weapon["name"] for weapon in weapons_of(case.fighter)]) or None
        case "outcome" if "action" not in case.action.takes:
            return rules.mechanisms[case.action.does].outcomes
        case "outcome":
            return ()
    return None


def _nothing_will_do(case: Case, param: str, *, silent: bool = False) -> list[Objection]:
    """Object if a parameter that an action needs has no allowed value, since the action isn't allowed then either.

    A `silent` objection says no reason.
    """
    action = case.action
    if (values := values_of(case, param)) is None:
        return []
    spec = case.rules.parameters.by_id[param]
    reason = f"There is no {spec.title.lower()} for {action.title}."
    if spec.kind in ("names", "name"):  # foes first: one of them will usually do
        answered = _openers(case) if len(case.state.focus) > 1 and "reaction" in action.when else ()
        values = foes_first(case.state.fighters, case.fighter.side, answered or values, _TRIED + 1)
        reason = f"{spec.lacking if spec.wanted else 'Nobody to target'} with {action.title}."
    cited: tuple[str, ...] = (action.rule,)
    for number, value in enumerate(values):
        if number == _TRIED:
            return []
        against = _against(case, param, value, silent=silent)
        if not against:
            return []
        if not number and not silent:
            reason = f"{spec.lacking}: {against[0].reason}"
            cited = tuple(o.rule for o in against if o.rule) or cited
    return [Objection(reason if not number else "", rule, firm=True) for number, rule in enumerate(cited)]


def _against(case: Case, param: str, value: object, *, silent: bool = False) -> list[Objection]:
    """Return the objections to an action with one more parameter, as it is listed; a `silent` one says no reason."""
    kind = case.rules.parameters.by_id[param].kind
    try:
        if kind not in _PLAIN:
            value = check_params(case.rules, case.state, case.action, {param: value})[param]
        several = kind == "names"
        given = {**case.params, param: [value] if several else value}
        if several and "blows" in case.action.facts:
            given = with_one(case.action, case.params, param, value)
        tried = Case(case.rules, case.state, case.fighter, case.action, given, case.act)
        if silent:
            return [] if allowed(tried) is not None else [case.object("")]
        return judge(tried).objections
    except (InvalidInput, UnknownName) as error:
        return [case.object(str(error))]


def with_target(case: Case) -> Case:
    """Return the case of an answer, with its target if what it answers leaves no doubt who that is.

    It is whoever an open window names for it, if that is one person; for an attack that was readied, or that answers
    something told by `trigger`, whoever set it off, if they are an enemy.
    """
    action = case.action
    if "target" in case.params or action.when == "own turn":
        return case
    kept = kept_case(case)
    deed = action if kept is None else kept.action
    if "target" not in deed.required or (kept is not None and kept.targets):
        return case
    aimed = _aimed_at(case, deed)
    if aimed is None or _against(case, "target", aimed, silent=True):
        return case
    return case.given({**case.params, "target": [aimed]})


def _aimed_at(case: Case, deed: Action) -> str | None:
    state = case.state
    bid, turn = bid_of(case.window, case.fighter.name, case.action.id), state.turn
    if bid is not None and bid.targets:
        targets = [name for name in bid.targets if name in present(state.fighters)]
        return targets[0] if len(targets) == 1 else None
    by: tuple[str, ...] = ()
    if bid is not None and case.window is not None:
        by = tuple([name for name in case.window.by if name in present(state.fighters)])
    elif "trigger" in case.params and turn is not None:
        by = (turn.who,)
    foe = len(by) == 1 and state.fighters[by[0]].side != case.fighter.side
    return by[0] if foe and "attack" in deed.tags else None


def readied(fighter: Fighter, action: Action) -> Effect | None:
    """Return the effect an answer such as `use_readied` would use up."""
    for effect in fighter.effects:
        if effect.watches and effect.value["use"] == action.id:
            return effect
    return None


def is_bound(state: State, action: Action) -> bool:
    """Check whether what an answer such as `use_readied` uses up is used only as it was said to be."""
    return all(state.options[id] == value for id, value in action.facts.get("bound_if", {}).items())


def kept_for(rules: Ruleset, state: State, who: str, action: Action) -> tuple[str, ...]:
    """Return at whom alone an answer such as `use_readied` may go; nobody if that is open, or it is another answer."""
    kept = kept_case(Case(rules, state, state.fighters[who], action)) if is_bound(state, action) else None
    return () if kept is None else kept.targets


def ruling_of(case: Case, judged: Judgement) -> Ruling:
    """Return a judgement as a `Ruling`, counting a missing parameter as a refusal."""
    rules = case.rules
    asks = rules.asks(case)
    notation, needed = (rules.notation(asks[0].thrown), asks[0].needed) if asks else (None, None)
    objections = judged.objections
    if not objections and judged.missing:
        objections = [_missing(case, judged.missing)]
    if objections:
        first = objections[0]
        cited = tuple(dict.fromkeys([o.rule for o in objections if o.rule]))
        reason, language = first.reason, case.state.language
        if language != ENGLISH:
            reason = rules.languages[language].word(reason)
        return Ruling(False, reason, first.rule, cited, judged.cost.title, notation, needed)
    cited = rules.cited(case, judged.rule)
    return Ruling(True, "", judged.rule, cited, judged.cost.title, notation, needed)


def unable(rules: Ruleset, fighter: Fighter) -> Objection:
    """Return what keeps somebody from acting at all."""
    gone = fighter.effect("left") or _fallen(rules, fighter)  # whatever else it is
    held = gone or next(e for e in fighter.effects if e.id in rules.incapable)
    word = "has left the fight" if held.id == "left" else f"is {held.id}"
    return Objection(f"{fighter.name} {word}.", held.rule or rules.cite.get("able", ""), firm=held.id == "left")


def never_aimed(fighter: Fighter, action: Action, targets: Sequence[str]) -> list[Objection]:
    """Return the objections to an action's targets that no event can change: too many, or themselves."""
    found = []
    if len(targets) > 1 and (single := action.facts.get("single")):
        found.append(Objection(f"{action.title} takes one target.", single))
    if fighter.name in targets and ("attack" in action.tags or "others" in action.facts):
        rule = action.facts.get("single") or action.facts.get("others", "")
        found.append(Objection(f"{fighter.name} can't target themselves.", rule))
    return found


def _targets(case: Case) -> list[Objection]:
    """Return the objections to an action's targets: themselves, too many, an ally, the wrong one, somebody gone."""
    fighter, action, targets = case.fighter, case.action, case.targets
    found = never_aimed(fighter, action, targets)
    strikes, foes = "attack" in action.tags, action.facts.get("foes")
    aimed = strikes or "target" in action.required
    openers = _openers(case) if targets and "reaction" in action.when and action.does != "use" else ()
    for target in targets:
        other = case.state.fighters[target]
        if target == fighter.name and strikes:
            continue
        if other.effects and other.effect("left"):
            found.append(Objection(f"{target} has left the fight.", "", firm=True))
        elif strikes and other.effects and (fallen := _fallen(case.rules, other)) is not None:
            found.append(Objection(f"{target} is {fallen.id}.", fallen.rule))
        elif foes and other.side == fighter.side:
            found.append(Objection(f"{target} isn't {fighter.name}'s enemy.", foes))
        elif openers and target not in openers and (aimed or other.side != fighter.side):
            reason = f"{target} didn't do this; {say_names(openers)} did."
            if foes:
                reason = f"{target} gave {fighter.name} no opening; {say_names(openers)} did."
            found.extend(against(reason, action.rule, action.facts.get("opening", "")))
    return found


def _fallen(rules: Ruleset, fighter: Fighter) -> Effect | None:
    return next((e for e in fighter.effects if e.id in rules.fallen), None)


def _openers(case: Case) -> tuple[str, ...]:
    """Return whom an answer to the open window may strike: who did it; empty if words tell it or a trap did it."""
    window = case.window
    bid = bid_of(window, case.fighter.name, case.action.id)
    return () if bid is None or window is None else bid.targets or window.by


def _missing(case: Case, missing: tuple[str, ...]) -> Objection:
    """Say what is still to be given, by the rule that asks for it, if one does."""
    action, inner = case.action, carried(case)
    id = next(id for id in (*action.takes, *missing) if id in missing)
    rule = action.rule_of(id) or (inner.action.rule_of(id) if inner is not None else "")
    lacking: str | Mapping[str, str] = action.facts.get("lacking", NOTHING)
    words = lacking if isinstance(lacking, str) else lacking.get(id, "")
    spec = case.rules.parameters[id]
    title = spec.title.lower()
    wanted = spec.wanted or with_article(title)
    hint = ""
    if id == "target":
        known = values_of(case, id) or ()
        fit = [v for v in known if not _against(case, id, v)] if len(known) <= _TRIED else known
        fit = fit or known
        hint = f": {'one of ' * (len(fit) > 1)}{say_names(fit, ', ')}"
    elif spec.kind in ("places", "text"):
        fit = [v for v in values_of(case, id) or () if not _against(case, id, v)]
        hint = f": {say_names([str(v) for v in fit], ' or ')}" if 0 < len(fit) <= _NAMED else ""
    if words and not ("{fit}" in words and not hint):
        return Objection(words.format(name=case.fighter.name, fit=hint.removeprefix(": ")), rule)
    return Objection(f"{action.title} needs {wanted}{hint}.", rule)


def kept_case(case: Case) -> Case | None:
    """Return the case of what an answer such as `use_readied` would use up, with what was said before and is now."""
    effect = readied(case.fighter, case.action)
    if effect is None:
        return None
    chosen = case.rules.catalogue(case.state)[effect.value["action"]]
    bound, params = is_bound(case.state, case.action), effect.value.get("params", NOTHING)
    said = still_aimed(case.rules, case.state, chosen, params, bound=bound)
    return case.doing(chosen, {**said, **case.params})


def still_aimed(
    rules: Ruleset, state: State, action: Action, said: Mapping[str, Any], *, bound: bool = True
) -> Mapping[str, Any]:
    """Return what was said of an action without the targets that are gone since.

    If none is left, they stay where the action is `bound` to them, and else anybody may be its target.
    """
    named: Sequence[str] = said.get("target", ())
    if not named or (bound and len(named) < 2):
        return said
    fallen = rules.fallen if "attack" in action.tags else frozenset()
    left = [n for n in named if not any(e.id == "left" or e.id in fallen for e in state.fighters[n].effects)]
    if left or bound:
        return {**said, "target": left} if left else said
    return {id: value for id, value in said.items() if id != "target"}


def lacking(case: Case) -> tuple[str, ...]:
    """Return the parameters still to be given for an action that another one carries out."""
    more = case.rules.mechanisms[case.action.does].missing
    found = tuple(id for id in case.action.required if id not in case.params)
    return found if more is None else (*found, *more(case))


def could_strike(rules: Ruleset, state: State, who: str, action: str, target: str) -> bool:
    """Check whether somebody could answer with this action, if another gave them an opening now."""
    told = {"trigger": "?", "target": [target]}
    case = Case(rules, state, state.fighters[who], rules.catalogue(state)[action], told)
    return not judge(case, brief=True).objections
