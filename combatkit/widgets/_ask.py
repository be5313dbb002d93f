"""Questions before a deed: what an action still needs, which values are legal, what the dice typed so far come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from combatkit.core.dice import parse_dice
from combatkit.core.limits import ANSWER
from combatkit.core.model import Act, Fighter, Ruling, State
from combatkit.errors import CombatkitError
from combatkit.fight import weighing
from combatkit.fight.view import View
from combatkit.report.words import number_word, reason_parts
from combatkit.rules import initiative
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.checks import check_name, check_stats
from combatkit.rules.dealing import CHANGES, deal_asks
from combatkit.rules.judge import judge, readied, with_target
from combatkit.rules.params import check_params, find_action
from combatkit.rules.parts import Ask
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.shapes import Parts
from combatkit.rules.weapons import damage_of
from combatkit.widgets._fit import first, size
from combatkit.widgets._seat import Seat
from combatkit.widgets.shapes import Choice, Choices, Field, Param, Thrower
from combatkit.widgets.shapes import Roll as Shown
from combatkit.widgets.shapes import Ruling as Told

Faces = Mapping[str, Sequence[int | None]]

LONGEST = 40
"""More values than this are typed instead of chosen from, except actions: nobody knows their ids by heart."""

_ROOM = ANSWER * 5 // 8
"""So many bytes the list of parameters takes in an answer."""

_PAID = "pay"
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def choices_answer(
    seat: Seat, name: str | None, action: str, params: dict[str, Any], rolls: Faces, override: bool
) -> Choices:
    """Answer a question for choices.

    Parameters
    ----------
    seat : Seat
        Where it is asked.
    name : str or None
        Who would act; None for the dice of a call of the table's own, which `action` then names.
    action : str
        The action's id.
    params : dict
        What is filled in already.
    rolls : mapping
        The faces typed so far, by purpose.
    override : bool
        Whether the GM would set the rules aside.

    Returns
    -------
    dict
        `params`, `dice` and `ruling`, as in ``docs/wire.md``.
    """
    view = seat.now
    if name is None:
        asks = _call_asks(view, action, params)
        return {"params": [], "dice": first(_dice(seat, asks, rolls), _ROOM), "ruling": {"allowed": True, "reason": []}}
    view._fighter(name)
    found = find_action(view.ruleset, view._state, action)
    given, wrong, problem = _checked(view, found, params)
    ruling = weighing.weigh(view, name, found, given)
    allowed, reason = ruling.allowed or override, reason_parts(ruling.reason, ruling.rule)
    if wrong:
        allowed, reason = False, [problem]
    fighter = view._state.fighters[name]
    aimed = with_target(Case(view.ruleset, view._state, fighter, found, given))
    asks = [] if judge(aimed).missing else _action_asks(aimed, rolls)
    shown = _params(seat, view, name, found, given)
    for param in sorted(shown, key=size, reverse=True):  # a list too long to be sent is typed from, as any long one
        if size(shown) > _ROOM:
            param["type"] = "text"
            param.pop("values", None)
    told: Told = {"allowed": allowed, "reason": [] if allowed else reason}
    if wrong:
        told["param"] = wrong
    return {"params": shown, "dice": first(_dice(seat, asks, rolls), _ROOM // 4), "ruling": told}


def _checked(view: View, action: Action, params: dict[str, Any]) -> tuple[dict[str, Any], str, str]:
    """Check what is filled in one by one; what is wrong is left out, and the first of it named and told."""
    given: dict[str, Any] = {}
    wrong = problem = ""
    for id, value in params.items():
        try:
            given |= check_params(view.ruleset, view._state, action, {id: value})
        except CombatkitError as error:
            if not wrong:
                wrong, problem = id, str(error)
    return given, wrong, problem


# ── parameters ──


def _params(seat: Seat, view: View, name: str, action: Action, given: dict[str, Any]) -> list[Param]:
    """Return every parameter, also those filled in: a form shows what was chosen beside what could be."""
    option = weighing.option(view, name, action, weighing.moment(view, name, action))
    first = [id for id in option.needs if id == _PAID]  # what else fits depends on who pays
    wanted = dict.fromkeys(
        [*first, *weighing.wanted(view, name, action, {}), *weighing.wanted(view, name, action, given)]
    )
    asked: list[Param] = []
    for id in wanted:
        spec = view.ruleset.parameters[id]
        field: Field = {
            "id": id,
            "title": spec.title,
            "required": id in first or _is_required(view, name, action, given, id),
        }
        if spec.kind == "dice":
            field["kept"] = True
        shown: Param = {**field, "type": "number" if spec.kind == "int" else "text"}
        values = weighing.values(view, name, action, id)
        if values is not None and (len(values) <= LONGEST or spec.kind == "action"):
            shown["type"] = "many" if spec.nobody else "one"
            shown["values"] = []
            for value in values:
                ruling = weighing.weigh(view, name, action, {**given, id: [value] if spec.kind == "names" else value})
                shown["values"].append(_value(seat, view, spec.kind, value, ruling))
            if id == "target":
                shown["values"] = _enemies_first(view, name, shown["values"])
        asked.append(shown)
    return asked


def _enemies_first(view: View, name: str, values: list[Choice]) -> list[Choice]:
    """Put enemies before allies, unless none of them can be chosen."""
    own = view._fighter(name).side
    foes = [value for value in values if view._fighter(value["value"]).side != own]
    if not any(value["allowed"] for value in foes):
        return values
    return [*foes, *(value for value in values if value not in foes)]


def _is_required(view: View, name: str, action: Action, given: dict[str, Any], id: str) -> bool:
    """Check whether an action needs a parameter: always, or as things stand (a place, where there are positions)."""
    declared = next((p for p in action.parameters if p.id == id), None)
    if declared is None or declared.required:
        return True
    rest = {k: v for k, v in given.items() if k != id}
    return id in judge(Case(view.ruleset, view._state, view._state.fighters[name], action, rest)).missing


def _value(seat: Seat, view: View, kind: str, value: Any, ruling: Ruling) -> Choice:
    shown: Choice = {"value": value, "label": _label(seat, view, kind, value), "allowed": ruling.allowed}
    if not ruling.allowed:
        shown["why"] = reason_parts(ruling.reason, ruling.rule)
    return shown


def _label(seat: Seat, view: View, kind: str, value: Any) -> Parts:
    if kind in ("name", "names"):
        return [{"side": seat.sides[view._fighter(value).side] % 8}, value]
    if kind == "action":
        return [view.ruleset.catalogue(view._state)[value].title]
    if isinstance(value, (list, tuple)):
        return [", ".join(str(each) for each in value)]
    return [str(value) if kind == "places" else str(value).replace("_", " ")]


# ── dice ──


class Roll:
    """Dice that will be thrown: for which purpose, how that is said, and, where many roll, by whom."""

    def __init__(self, purpose: str, legend: str, ask: Ask, who: str = "", fighter: Fighter | None = None) -> None:
        self.purpose = purpose
        self.legend = legend
        self.ask = ask
        self.who = who
        self.fighter = fighter


def _action_asks(case: Case, rolls: Faces) -> list[Roll]:
    rules, state, name = case.rules, case.state, case.fighter.name
    kept = readied(case.fighter, case.action) if case.action.does == "use" else None
    if kept is not None:
        both = {**kept.value.get("params", {}), **case.params}
        case = Case(rules, state, case.fighter, rules.catalogue(state)[kept.value["action"]], both)
    params, target = case.params, ", ".join(case.targets)
    found = [_roll(name, ask, target) for ask in rules.asks(case)]
    missed = any(_misses(case, roll.ask, rolls.get(roll.purpose, ())) for roll in found)
    damage = damage_of(case) if params.get("outcome") == "hit" else params.get("damage")
    dice = parse_dice(damage) if isinstance(damage, str) else None
    if dice is not None and dice.count and not missed and not any(r.purpose == "damage" for r in found):
        addends = ((dice.plus, ""),) if dice.plus else ()
        found.append(_roll(name, Ask("damage", dice.count, dice.sides, addends), target))
    return found


def _misses(case: Case, ask: Ask, faces: Sequence[int | None]) -> bool:
    typed = tuple(face for face in faces if face is not None)
    if ask.needed is None or len(typed) != ask.dice:
        return False
    total = sum(typed) + sum(number for number, _ in ask.addends)
    return not case.rules.lands(case.state, ask, typed, total)


def _called(who: str, ask: Ask, fighter: Fighter | None = None) -> Roll:
    """Return the roll of one among many in a call of the table's own."""
    return Roll(who, _roll(who, ask).legend, ask, who, fighter)


def _roll(name: str, ask: Ask, target: str = "") -> Roll:
    what = {"attack": f"to hit {target}" if target else "to hit"}.get(ask.purpose, f"for {ask.purpose}")
    return Roll(ask.purpose, f"{name} rolls {ask.dice}d{ask.sides} {what}", ask)


def _call_asks(view: View, call: str, params: dict[str, Any]) -> list[Roll]:
    """Return the rolls of a call of the table's own."""
    rules, state = view.ruleset, view._state
    if call == "start":
        fighters = [f for f in state.fighters.values() if rules.able(f)]
        if len(fighters) > LONGEST:
            fighters = [f for f in fighters if not f.npc]
        return _initiative(rules, state, fighters)
    if call == "join":
        return _initiative(rules, state, [_newcomer(rules, state, params)])
    if call in ("end_turn", "next_round") and not state.focus:
        return [_called(name, ask) for name, ask in rules.step_asks(state)]
    if call in CHANGES:
        return [_roll("The GM", ask) for ask in deal_asks(CHANGES[call], params.get("amount"))]
    if call == "resolve" and len(state.focus) > 1:
        act = state.focus[-2]
        if isinstance(act, Act) and act.stage == 0 and not act.faces:
            case = Case(rules, state, state.fighters[act.who], rules.catalogue(state)[act.action], act.params)
            return _action_asks(case, {})
    return []


def _initiative(rules: Ruleset, state: State, fighters: list[Fighter]) -> list[Roll]:
    return [_called(f.name, ask, f) for f in fighters for ask in initiative.asked(rules, state, f)]


def _newcomer(rules: Ruleset, state: State, params: dict[str, Any]) -> Fighter:
    name = check_name(params.get("name"))
    beside = ("name", "side", "count", "npc", "group", "at", "conditions", "ties")
    given = {k: v for k, v in params.items() if k not in beside}
    old = state.fighters.get(name)
    if old is not None and old.effect("left") is not None:
        return replace(old, stats=check_stats(rules, {**old.stats, **given}, name), effects=())
    stats = check_stats(rules, given, name)
    return Fighter(name, str(params.get("side", "")), len(state.fighters) + 1, stats=stats)


def _dice(seat: Seat, asks: list[Roll], rolls: Faces) -> list[Shown]:
    if not seat.table:
        return []
    return [_die(seat, roll, rolls.get(roll.purpose, ())) for roll in asks]


def _die(seat: Seat, roll: Roll, faces: Sequence[int | None]) -> Shown:
    ask = roll.ask
    error = next((_wrong(ask, index, face) for index, face in enumerate(faces) if _is_wrong(ask, index, face)), "")
    shown: Shown = {
        "purpose": roll.purpose,
        "legend": roll.legend,
        "sides": [ask.sides] * ask.dice,
        "sum": [] if error else _sum(ask, faces),
        "error": error,
    }
    if roll.who:
        shown["who"] = _thrower(seat, roll)
        if not error and _is_whole(ask, faces):
            shown["who"]["total"] = _total(ask, faces)
    return shown


def _thrower(seat: Seat, roll: Roll) -> Thrower:
    fighter = roll.fighter
    notes = []
    if fighter is not None:
        mates = [f for f in seat.now._state.fighters.values() if fighter.group and f.group == fighter.group]
        notes = [f"for all of {fighter.group}"] if len(mates) > 1 and _share(seat, fighter) else []
        notes += ["GM"] if fighter.npc else []
    return {
        "name": roll.who,
        "side": None if fighter is None else seat.sides.get(fighter.side),
        "note": " · ".join(notes),
        "plus": _plus(roll.ask),
    }


def _share(seat: Seat, fighter: Fighter) -> bool:
    return bool(seat.now.ruleset.claim(seat.now._state, fighter).shares)


def _is_wrong(ask: Ask, index: int, face: int | None) -> bool:
    return index >= ask.dice or (face is not None and not 1 <= face <= ask.sides)


def _wrong(ask: Ask, index: int, face: int | None) -> str:
    if index >= ask.dice:
        dice = f"{number_word(ask.dice)} {'die' if ask.dice == 1 else 'dice'}"
        return f"This takes {dice}. Nothing has been rolled yet."
    which = ""
    if ask.dice > 1:
        which = f" for {f'the {_ORDINALS[index]} die' if index < len(_ORDINALS) else f'die {index + 1}'}"
    return f"{face} is not a face of a d{ask.sides}. Type 1 to {ask.sides}{which}. Nothing has been rolled yet."


def _sum(ask: Ask, faces: Sequence[int | None]) -> Parts:
    """Return the sum as it stands: dice not typed yet are named, and only whole sums have a total."""
    typed = [*faces, *[None] * (ask.dice - len(faces))]
    words = " + ".join(f"d{ask.sides}" if face is None else str(face) for face in typed)
    words = " ".join(word for word in (words, _plus(ask)) if word)
    if _is_whole(ask, faces):
        words += f" = {_total(ask, faces)}"
    if ask.needed is not None:
        words += f", needs {ask.needed}"
    return reason_parts(words, ask.rule)


def _is_whole(ask: Ask, faces: Sequence[int | None]) -> bool:
    return len(faces) == ask.dice and None not in faces


def _total(ask: Ask, faces: Sequence[int | None]) -> int:
    return sum(face or 0 for face in faces) + sum(number for number, _ in ask.addends)


def _plus(ask: Ask) -> str:
    """Say what is added, each number with its name."""
    return " ".join(
        f"{'+' if number >= 0 else '-'} {abs(number)}{f' {label}' if label else ''}" for number, label in ask.addends
    )
