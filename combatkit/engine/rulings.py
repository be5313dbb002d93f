"""May I? One function answers it for options, buttons, refusals and deeds, so they cannot disagree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from combatkit.engine.catalogue import Action, Cost, Parameter
from combatkit.engine.checks import say_names
from combatkit.engine.dice import Dice
from combatkit.engine.model import Bid, Effect, Fighter, Ruling, State, Turn, Window
from combatkit.engine.params import OUTCOMES, PARAMETERS, check_params
from combatkit.engine.ruleset import Ask, Objection, Ruleset
from combatkit.errors import InvalidInput

_NAMED = 4
"""So many are named; of more, their number is said."""


class Judgement(Struct, frozen=True, gc=False):
    """What is against an action, and how it would be paid."""

    objections: list[Objection]
    cost: Cost
    pay: tuple[str, ...]
    rule: str
    missing: tuple[str, ...]


def judge(rules: Ruleset, state: State, fighter: Fighter, action: Action, params: Mapping[str, Any]) -> Judgement:
    """Weigh an action: who may act now, what bars it, what it needs, what it costs, what is still missing.

    Parameters
    ----------
    rules : Ruleset
        The system.
    state : State
        The present.
    fighter : Fighter
        Who would act.
    action : Action
        What they would do.
    params : mapping
        The parameters given so far, checked.

    Returns
    -------
    Judgement
        Objections in order, the most specific first; the pools it would take; required parameters not given.
    """
    found: list[Objection] = []
    if state.stage != "running":
        over = state.stage == "over"
        found.append(Objection("The fight is over." if over else "The fight has not begun: start it first.", ""))
    if fighter.effects:
        if not rules.able(fighter) and not rules.despite(fighter, action):
            found.append(_unable(rules, fighter))
        found.extend(rules.bars(state, fighter, action))
    else:
        found.extend(rules.bars(state, fighter, action))
    timing = _timing(rules, state, fighter, action, params)
    if timing is not None:
        found.extend(timing)
    if action.requires:
        lacking = [c for c in action.requires if fighter.effect(c) is None]
        found.extend(Objection(f"{fighter.name} is not {c.replace('_', ' ')}.", action.rule) for c in lacking)
    mechanism = rules.mechanisms[action.does]
    if mechanism.check is not None:
        found.extend(mechanism.check(rules, state, fighter, action, params))
    if "target" in params:
        found.extend(_targets(state, fighter, action, params["target"]))
    cost, rule = rules.price(state, fighter, action, params)
    pay = _payment(rules, state, fighter, action, cost, params, found)
    if timing is not None:
        _say_late_last(found)
    required = action.required
    missing = tuple([id for id in required if id not in params]) if required else ()
    if mechanism.missing is not None and not found:
        missing = (*missing, *mechanism.missing(rules, state, fighter, action, params))
    if missing and not found:
        for id in missing:
            found.extend(_nothing_will_do(rules, state, fighter, action, params, id))
    return Judgement(found, cost, pay, rule, missing)


def _say_late_last(found: list[Objection]) -> None:
    """Let what asks for something say what else is in the way: being given it would not help."""
    more = next((o.reason for o in found if o.reason and not o.late), None)
    if more is not None:
        found[:] = [o._replace(reason=more) if o.late else o for o in found]


def values_of(rules: Ruleset, state: State, fighter: Fighter, action: Action, param: str) -> tuple[Any, ...] | None:
    """Give the values a parameter can be chosen from, allowed or not; None for text, numbers and dice."""
    listed = rules.listed(state, fighter, action, param)
    if listed is not None:
        return listed
    match PARAMETERS[param].kind:
        case "names" | "name":
            return tuple(n for n, f in state.fighters.items() if n != fighter.name and not f.effect("left"))
        case "action":
            return rules.catalogue(state).ids()
        case "outcome":
            return OUTCOMES[:2]
    return None


def _nothing_will_do(
    rules: Ruleset, state: State, fighter: Fighter, action: Action, params: Mapping[str, Any], param: str
) -> list[Objection]:
    """Say so if a parameter that an action needs has no value that would be allowed: then the action is not either."""
    values = values_of(rules, state, fighter, action, param)
    if values is None:
        return []
    spec = PARAMETERS[param]
    if spec.kind in ("names", "name"):  # foes first: one of them will usually do
        values = tuple(sorted(values, key=lambda n: state.fighters[n].side == fighter.side))
    reason = f"There is no {spec.title.lower()} for {action.title}."
    cited: tuple[str, ...] = (action.rule,)
    for number, value in enumerate(values):
        against = _against(rules, state, fighter, action, params, param, value)
        if not against:
            return []
        if not number:
            reason = f"No {spec.title.lower()} will do: {against[0].reason}"
            cited = tuple(o.rule for o in against if o.rule) or cited
    return [Objection(reason if not number else "", rule, firm=True) for number, rule in enumerate(cited)]


def _against(
    rules: Ruleset, state: State, fighter: Fighter, action: Action, params: Mapping[str, Any], param: str, value: Any
) -> list[Objection]:
    """Give what is against an action with one more parameter."""
    try:
        given = {**params, **check_params(rules, state, action, {param: value})}
        return judge(rules, state, fighter, action, given).objections
    except InvalidInput as error:
        return [Objection(str(error), action.rule)]


def with_target(
    rules: Ruleset, state: State, fighter: Fighter, action: Action, given: dict[str, Any]
) -> dict[str, Any]:
    """Give the parameters of an answer, with its target where what it answers leaves no doubt whom it is aimed at.

    That is whom an open window names for it, if that is one; of an attack that was readied or answers something
    told by `trigger`, the one who set it off, if that is a foe.
    """
    if "target" in given or action.when == "own turn":
        return given
    kept = readied(fighter, action)
    deed = action if kept is None else rules.catalogue(state)[kept.value["action"]]
    if "target" not in deed.required or (kept is not None and "target" in kept.value.get("params", ())):
        return given
    aimed = _aimed_at(state, fighter, action, deed, given)
    if aimed is None or _against(rules, state, fighter, action, given, "target", aimed):
        return given
    return {**given, "target": [aimed]}


def _aimed_at(state: State, fighter: Fighter, action: Action, deed: Action, params: Mapping[str, Any]) -> str | None:
    bid, turn = bid_of(state, fighter.name, action.id), state.turn
    if bid is not None and bid.targets:
        return bid.targets[0] if len(bid.targets) == 1 else None
    by: tuple[str, ...] = ()
    if bid is not None and state.window is not None:
        by = state.window.by
    elif "trigger" in params and state.window is None and turn is not None:
        by = (turn.who,)
    foe = len(by) == 1 and state.fighters[by[0]].side != fighter.side
    return by[0] if foe and "attack" in deed.tags else None


def readied(fighter: Fighter, action: Action) -> Effect | None:
    """Give the effect an answer such as `use_readied` would use up."""
    return next((e for e in fighter.effects if e.watches and e.value["use"] == action.id), None)


def ruling_of(
    rules: Ruleset, state: State, fighter: Fighter, action: Action, params: Mapping[str, Any], judged: Judgement
) -> Ruling:
    """Say a judgement as a `Ruling`, a missing parameter counted as a refusal."""
    notation, needed = _preview(rules, rules.asks(state, fighter, action, params))
    objections = judged.objections
    if not objections and judged.missing:
        objections = [_missing(rules, state, fighter, action, params, judged.missing)]
    if objections:
        first = objections[0]
        cited = tuple(dict.fromkeys([o.rule for o in objections if o.rule] + [r for r in (action.rule,) if r]))
        return Ruling(False, first.reason, first.rule, cited, judged.cost.title, notation, needed)
    cited = rules.cited(action, judged.rule, params)
    return Ruling(True, "", judged.rule, cited, judged.cost.title, notation, needed)


def _preview(rules: Ruleset, asks: tuple[Ask, ...]) -> tuple[str | None, int | None]:
    if not asks:
        return None, None
    first = asks[0]
    return rules.notation(Dice(first.dice, first.sides, sum(n for n, _ in first.addends))), first.needed


def _unable(rules: Ruleset, fighter: Fighter) -> Objection:
    held = fighter.effect("left") or next(e for e in fighter.effects if e.id in rules.incapable)  # whatever else it is
    word = "has left the fight" if held.id == "left" else f"is {held.id}"
    return Objection(f"{fighter.name} {word}.", held.rule or rules.cite.get("able", ""), firm=held.id == "left")


def _targets(state: State, fighter: Fighter, action: Action, targets: list[str]) -> list[Objection]:
    found = []
    for target in targets:
        if target == fighter.name and "attack" in action.tags:
            found.append(Objection(f"{fighter.name} cannot be its own target.", action.rule))
        elif state.fighters[target].effect("left"):
            found.append(Objection(f"{target} has left the fight.", action.rule, firm=True))
    return found


def open_window(state: State) -> Window | None:
    """Give the window that must be answered first; a soft one holds nobody up."""
    window = state.window
    return None if window is None or window.soft else window


def bid_of(state: State, who: str, action: str) -> Bid | None:
    """Give somebody's unanswered offer of an action in the window on top."""
    window = state.window
    if window is not None:
        for bid in window.bids:
            if bid.who == who and not bid.answered and action in bid.actions:
                return bid
    return None


def _timing(
    rules: Ruleset, state: State, fighter: Fighter, action: Action, params: Mapping[str, Any]
) -> list[Objection] | None:
    turn = state.turn
    name = fighter.name
    if action.when == "reaction" and turn is not None and turn.who == name and "outside_turn" in rules.cite:
        reason = f"A reaction comes outside one's own turn; it is {name}'s own turn."
        cited = (rules.cite["outside_turn"], rules.reaction_rule(action), action.rule)
        if "trigger" not in params:
            cited = (cited[1], cited[0], action.rule)
        return [Objection(reason, rule) for rule in cited]
    if bid_of(state, name, action.id) is not None:
        return None
    when = rules.when(action, params)
    own = turn is not None and turn.who == name
    if when == "own turn" or (own and when == "own turn or reaction"):
        if own:
            window = open_window(state)
            return None if window is None else [_window_first(rules, window)]
        return _out_of_turn(rules, state, fighter, action, turn)
    if when != "any time":
        nature = rules.reaction_rule(action)
        if own and len(state.focus) == 1:
            reason = f"A reaction answers somebody else; it is {name}'s own turn."
            return [Objection(reason, nature), Objection(reason, action.rule)]
        if state.window is not None and not state.window.soft:
            return [Objection(f"{name} has no such answer in the open window.", nature)]
        if "trigger" not in params:
            reason = "A reaction answers an event or another's action; say which with trigger."
            return [Objection(reason, nature, late=True), Objection(reason, action.rule, late=True)]
        return None
    window = open_window(state)
    return [_window_first(rules, window)] if window is not None and window.question else None


def is_reaction(rules: Ruleset, state: State, who: str, action: Action, params: Mapping[str, Any]) -> bool:
    """Say whether an action done now would be a reaction; one that can be either is so off turn."""
    when = rules.when(action, params)
    if when == "own turn or reaction":
        turn = state.turn
        return turn is None or turn.who != who
    return when == "reaction"


def window_first(rules: Ruleset, window: Window) -> Ruling:
    """Say that an open window must be answered or let pass before anything else."""
    objection = _window_first(rules, window)
    return Ruling(False, objection.reason, objection.rule, (objection.rule,) if objection.rule else ())


def _window_first(rules: Ruleset, window: Window) -> Objection:
    waiting = [b for b in window.bids if not b.answered]
    said = "all have answered"
    if waiting or window.question:
        names = say_names([b.who for b in waiting]) if len(waiting) < _NAMED else f"{len(waiting)} combatants"
        said = f"{names or 'the GM'} may answer"
    rule = rules.cite.get("window") or window.question or next((b.rule for b in waiting or window.bids), "")
    return Objection(f"A window is open ({window.about}): {said}; resolve it first.", rule, firm=True)


def _out_of_turn(rules: Ruleset, state: State, fighter: Fighter, action: Action, turn: Turn | None) -> list[Objection]:
    whose = f"it is {turn.who}'s turn" if turn else "nobody's turn is under way"
    place = state.place_of(fighter.name)
    if place is not None and place.done >= state.occasion > 0 and turn is not None:
        reason, rule = f"{fighter.name} has had its turn; {whose}.", rules.cite["one_turn"]
    else:
        reason, rule = f"{fighter.name} is not active: {whose}.", rules.cite["order"]
    bound = rules.turn_rule(action)
    return [Objection(reason, bound), Objection("", rule)] if bound else [Objection(reason, rule)]


def _missing(
    rules: Ruleset,
    state: State,
    fighter: Fighter,
    action: Action,
    params: Mapping[str, Any],
    missing: tuple[str, ...],
) -> Objection:
    extra = (Parameter(id) for id in missing if id not in {p.id for p in action.parameters})
    parameter = next(p for p in (*action.parameters, *extra) if p.id in missing)
    spec = PARAMETERS[parameter.id]
    title = spec.title.lower()
    wanted = spec.wanted or f"{'an' if title[0] in 'aeiou' else 'a'} {title}"
    hint = ""
    if parameter.id == "target":
        hint = ": one of " + say_names(values_of(rules, state, fighter, action, parameter.id) or ())
    elif spec.kind in ("places", "text"):
        values = values_of(rules, state, fighter, action, parameter.id)
        fit = [v for v in values or () if not _against(rules, state, fighter, action, params, parameter.id, v)]
        hint = f": {' or '.join(str(v) for v in fit)}" if 0 < len(fit) <= _NAMED else ""
    return Objection(f"{action.title} needs {wanted}{hint}.", parameter.rule or action.rule)


def _payment(
    rules: Ruleset,
    state: State,
    fighter: Fighter,
    action: Action,
    cost: Cost,
    params: Mapping[str, Any],
    found: list[Objection],
) -> tuple[str, ...]:
    ways = rules.payments(state, fighter, action, cost, params)
    pools = fighter.pools
    caps = [c for c in rules.caps_over(cost.id) if c.id in pools]
    if caps:
        full = [c for c in caps if pools[c.id].left < 1]
        found.extend(Objection(c.reason.format(name=fighter.name), c.rule) for c in full)
    wanted = params.get("pay")
    if wanted is not None:
        ways = tuple(w for w in ways if any(pool == wanted or pool.partition(":")[0] == wanted for pool in w))
        if not ways:
            found.append(Objection(f"{action.title} cannot be paid from {wanted}.", cost.rule))
            return ()
    for way in ways:
        if _affordable(fighter, way, cost):
            return way if not caps else (*way, *(c.id for c in caps))
    found.append(_too_dear(rules, state, fighter, action, cost, ways))
    found.extend(Objection("", rule) for rule in cost.rules)
    return ()


def _affordable(fighter: Fighter, way: tuple[str, ...], cost: Cost) -> bool:
    pools = fighter.pools
    for pool in way:
        have = pools.get(pool)
        if have is None and ":" in pool:
            continue
        if have is None or have.left < way.count(pool) or (cost.untouched and have.left < have.total):
            return False
    return True


def _too_dear(
    rules: Ruleset, state: State, fighter: Fighter, action: Action, cost: Cost, ways: tuple[tuple[str, ...], ...]
) -> Objection:
    for way in ways:
        for pool in way:
            have = fighter.pools.get(pool)
            if have is None or have.left >= have.total:
                continue
            spent = rules.catalogue(state).get(have.action)
            title = spent.title if spent else have.action
            if have.rule:
                return Objection(f"Spent on {title}, event {have.seq}.", have.rule)
            if cost.untouched:
                return Objection(cost.untouched_reason or f"Spent on {title}, event {have.seq}.", cost.rule)
            return Objection(f"Spent on {title}, event {have.seq}.", cost.rule)
    named = {slot.id: slot.title for slot in rules.slots}
    titles = " or ".join(dict.fromkeys(" + ".join(named.get(pool, pool) for pool in way) for way in ways))
    return Objection(f"{action.title} costs {titles}, and {fighter.name} has none.", cost.rule)
