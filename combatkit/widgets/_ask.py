"""Questions before an action: what it still needs, which values are legal, what the dice typed so far come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice, takewhile
from math import dist, inf
from typing import Any

import msgspec

from combatkit.core.curtain import HIDDEN, shows_numbers
from combatkit.core.dice import faces
from combatkit.core.geometry import as_pair
from combatkit.core.limits import ANSWER
from combatkit.core.model import Act, Fighter, Ground, Ruling
from combatkit.errors import CombatkitError, InvalidInput
from combatkit.fight.commands import Command
from combatkit.fight.fight import Arrival
from combatkit.fight.view import View
from combatkit.report.words import condition_word, reason_parts, said_length
from combatkit.rules import initiative
from combatkit.rules.case import Ask, Case
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.judge import judge, with_target
from combatkit.rules.mechanisms import CHANGES, deal_asks
from combatkit.rules.params import check_params, find_action
from combatkit.rules.perform import rehearsed
from combatkit.rules.several import with_one
from combatkit.rules.shapes import Parts
from combatkit.rules.typed import said_left
from combatkit.rules.weapons import next_to, said_spot, way_of, wielded
from combatkit.text import ENGLISH
from combatkit.text.phrases import capital
from combatkit.widgets._budget_view import declared, plans
from combatkit.widgets._decided import lacking, told_by_table, undecided
from combatkit.widgets._dice import (
    Faces,
    Roll,
    action_asks,
    called,
    dice_of,
    faces_that_do,
    foretold,
    order_of,
    roll_of,
)
from combatkit.widgets._dropped import Bring
from combatkit.widgets._first_dice import rolled
from combatkit.widgets._fit import first, size
from combatkit.widgets._message import Answer, Message
from combatkit.widgets._proposals import first_to_attack, proposed
from combatkit.widgets._rung_acts import choice_told
from combatkit.widgets._shelf import Take
from combatkit.widgets._table import table_of
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import Barred, Choices, Guard, SentChoice, SentParam
from combatkit.widgets.shapes import Ruling as Told

LONGEST = 40
"""With more values than this, one is typed rather than chosen; actions excepted, since nobody knows their ids by
heart."""

_WISHES: dict[str, type[Take | Bring]] = {"take": Take, "bring": Bring}
"""Messages that bring somebody in, and may ask for dice first."""

_WEIGHED = 8
"""For so many targets it is told which faces hit them: a form shows no more of them at first."""

_ROOM = ANSWER * 5 // 8
"""How many bytes the list of parameters may take in an answer."""

_NEAR = 3
"""Beside how many enemies a place is offered."""

_PAID = "pay"


class AskChoices(Message, frozen=True, tag="choices"):
    """Ask what an action, or a call that rolls dice, still needs.

    Parameters
    ----------
    name : str or None
        Who would act; None for the dice of a call of the table's own, which `action` then names.
    action : str
        The action's id.
    params : dict
        What is filled in already.
    rolls : dict
        The faces typed so far, by purpose.
    override : bool
        Whether the GM would set the rules aside.
    propose : bool
        Whether what is not filled in starts as this combatant last had it; `given` then says with what.
    """

    name: str | None
    action: str
    params: dict[str, Any] = msgspec.field(default_factory=dict)
    rolls: dict[str, list[int | None]] = msgspec.field(default_factory=dict)
    override: bool = False
    propose: bool = False

    def carry(self, vantage: Vantage) -> Answer:
        """Return the parameters with their values, the dice, and the ruling."""
        return {"kind": "choices", "name": self.name, "action": self.action, **choices_answer(vantage, self)}


def choices_answer(vantage: Vantage, asked: AskChoices) -> Choices:
    """Return `params`, `dice` and `ruling`, as in ``docs/wire.md``."""
    name, action, params, rolls = asked.name, asked.action, dict(asked.params), asked.rolls
    view = vantage.now
    if name is None:
        asks = call_asks(vantage, action, params, rolls)
        call: Choices = {
            "params": [],
            "dice": first(dice_of(vantage, [roll for roll in asks if not roll.seated], rolls), _ROOM),
            "ruling": {"allowed": True, "reason": []},
        }
        return {**call, "order": first(order_of(vantage, asks), _ROOM // 4)} if action == "start" else call
    view._fighter(name)
    found = find_action(view.ruleset, view._state, action)
    given, wrong, problem = _checked(view, found, params)
    proposals = proposed(view, name, found, given) if asked.propose and not wrong else {}
    roll_call = view.ruleset.presentation.now(view._state).roll_call
    said = [*plans(view._state.fighters[name])] if roll_call is not None and found.id == roll_call["action"] else []
    if asked.propose and said and not given:
        proposals = {**said[0]}
    given |= check_params(view.ruleset, view._state, found, proposals)
    ruling, kept = view._weigh(name, found, given), given
    allowed, reason = ruling.allowed or asked.override, reason_parts(ruling.reason, ruling.rule)
    if wrong:
        allowed, reason = False, [problem]
    elif not allowed and (wrong := _refused(view, name, found, given)):
        kept = {id: value for id, value in given.items() if id != wrong}
    fighter = view._state.fighters[name]
    aimed = with_target(Case(view.ruleset, view._state, fighter, found, given))
    known = rolls if vantage.shows_needed else {}  # which dice are left would say whether it hits
    asks = [] if judge(aimed).missing else action_asks(aimed, known)
    if allowed and (open_yet := undecided(aimed)):  # a blow that nobody has judged would hit, or come to nothing
        allowed, reason, wrong = False, [open_yet], "outcome"
    shown = _params(vantage, view, name, found, kept)
    for param in sorted(shown, key=size, reverse=True):  # a list too long to be sent is typed from, as any long one
        if size(shown) > _ROOM:
            param["type"] = "text"
            param.pop("values", None)
            param.pop("no", None)
    lack = None
    if "outcome" in told_by_table(aimed):
        is_gms = not vantage.players and vantage.task is None  # a sheet is changed by a GM
        lack = lacking(aimed) if "attack" in found.tags and is_gms else None
        _ask_for_it(vantage, aimed, asks, rolls, shown)
    told: Told = {"allowed": allowed, "reason": [] if allowed else reason}
    if wrong:
        told["param"] = wrong
    answer: Choices = {"params": shown, "dice": first(dice_of(vantage, asks, rolls), _ROOM // 4), "ruling": told}
    if lack is not None:
        answer["lacks"] = lack
    leads = [f"{name} goes to {said_spot(spot)}." for spot in way_of(aimed.params)[-1:] if "to" not in given]
    besides = [*leads, *_armed(aimed), *_uncounted(vantage, aimed), *view.ruleset.presentation.loses(aimed)]
    if odds := _followed(foretold(vantage, asks), besides):
        answer["foretold"] = odds
    if said:
        answer["said"] = said
    if "attack" in found.tags and not vantage.players and (guards := _guards(view, aimed)):
        answer["guards"] = guards
    return {**answer, "given": proposals} if proposals else answer


def _followed(odds: Parts, sentences: Sequence[str]) -> Parts:
    """Return what is foretold with sentences after its words, and its rule after those."""
    if not sentences:
        return odds
    said: Parts = [each for each in odds if each != " " and not (isinstance(each, dict) and "rule" in each)]
    if said and isinstance(said[-1], str):
        said[-1] = said[-1].rstrip()
    for number, each in enumerate(sentences):
        said += [". " if not number else " "] if said else []
        said.append(each)
    return [*said, *(each for each in odds if isinstance(each, dict) and "rule" in each)]


def _armed(case: Case) -> list[str]:
    """Say with which weapon an attack is made, where nobody has said that."""
    if "weapon" not in case.action.takes or "weapon" in case.params or not (weapon := wielded(case)):
        return []
    return [f"Made with the {weapon['name']}."]


def _uncounted(vantage: Vantage, case: Case) -> list[str]:
    """Say what those an attack is aimed at do, or are, that the rules give no number for: the GM counts it."""
    view, said = vantage.now, list[str]()
    if vantage.players or "attack" not in case.action.tags:
        return said
    for name in case.targets:
        for effect in case.state.fighters[name].effects:
            counts = effect.modifiers or effect.id not in case.rules.uncounted
            if not counts and effect.value in (None, case.fighter.name):
                said.append(f"{name} is {condition_word(effect.id)}: the GM counts what that is worth.")
    guarding = any("uncounted" in action.facts for action in case.rules.catalogue(case.state))
    for name, deed in _guarding(view, case.targets).items() if guarding else ():
        held = [effect.value for effect in case.state.fighters[name].effects if isinstance(effect.value, Mapping)]
        if not any(value.get(case.rules.struck_by) for value in held):
            said.append(f"{name} {deed.verb}: the GM counts what that is worth.")
    return said


def _guarding(view: View, names: Sequence[str]) -> dict[str, Action]:
    """Return how some have guarded themselves last, until their turn comes; before it, to the end of the step."""
    catalogue, over, unknown = view.ruleset.catalogue(view._state), False, set(names)
    found, before = dict[str, Action](), dict[str, Action]()  # before the end of a step: only a turn since then tells
    for event in reversed(view._events):
        who = event.actor or ""
        if event.kind == "step_end":
            over, unknown = True, unknown.difference(before)
            before.clear()
        elif who not in unknown:
            continue
        elif event.kind == "turn":
            unknown.discard(who)
            found |= {who: before.pop(who)} if who in before else {}
        elif event.kind == "action" and "uncounted" in (deed := catalogue[event.action or ""]).facts:
            if over:
                before.setdefault(who, deed)
            else:
                found[who] = deed
                unknown.discard(who)
        if not unknown:
            break
    return {name: found[name] for name in names if name in found}


def _guards(view: View, case: Case) -> list[Guard]:
    """Return what those an attack is aimed at may do before it: what there is for that, out of turn."""
    guards = [action for action in case.rules.catalogue(case.state) if action.facts.get("guards")]
    found: list[Guard] = []
    for name in case.targets if guards else ():
        if name != case.fighter.name and name in case.state.fighters:
            free = [action for action in guards if view._option(name, action).allowed]
            found += [{"name": name, "action": action.id, "title": action.title} for action in free]
    return found


def _ask_for_it(vantage: Vantage, case: Case, asks: Sequence[Roll], rolls: Faces, shown: list[SentParam]) -> None:
    """Ask whether an attack hits by the total it comes to, and for how much; of the seed's dice it is known already."""
    roll = next((roll for roll in asks if roll.purpose == "attack"), None)
    total = ""
    if roll is not None and not roll.more and not vantage.players:
        sides = roll.ask.thrown.each
        seeded = faces(case.state.seed, case.state.die, sides) if roll is asks[0] else ()
        thrown = [face for face in rolls.get("attack", ()) if face] if vantage.table else seeded
        total = str(roll.ask.thrown.total(thrown)) if len(thrown) == len(sides) else ""
    hits = f"Did {total} hit?" if total else "Does it hit?"
    titles = {
        "outcome": hits
        if "attack" in case.action.tags
        else f"{case.action.title}: did it work? The rules name no roll; roll as your table does, then say.",
        "damage": "How much?",
    }
    for param in shown:
        if param["required"] and param["id"] in titles:
            param["title"] = titles[param["id"]]
            if "attack" in case.action.tags:
                param["told"] = True


def _checked(view: View, action: Action, params: dict[str, object]) -> tuple[dict[str, object], str, str]:
    """Check what is filled in, one value at a time; leave out what is wrong, and say what the first of them was."""
    given: dict[str, object] = {}
    wrong = problem = ""
    for id, value in params.items():
        try:
            given |= check_params(view.ruleset, view._state, action, {id: value})
        except CombatkitError as error:
            if not wrong:
                wrong, problem = id, view._wrong(error)
    return given, wrong, problem


def _refused(view: View, name: str, action: Action, given: dict[str, object]) -> str:
    """Return which typed value alone is refused: what can be chosen besides stays as if it were empty."""
    for id in given:
        rest = {each: value for each, value in given.items() if each != id}
        typed = view._values(name, action, id, rest) is None
        if typed and view._fits(name, action, rest):
            return id
    return ""


# ── parameters ──


def _params(vantage: Vantage, view: View, name: str, action: Action, given: dict[str, object]) -> list[SentParam]:
    """Return every parameter, including those filled in: a form shows what was chosen beside what could be."""
    option = view._option(name, action)
    first = [id for id in option.needs if id == _PAID]  # what else fits depends on who pays
    now = view._wanted(name, action, given)
    known = {*now, *given}  # what is kept or carried out may take less than the action that does so
    bare = [id for id in view._wanted(name, action, {}) if id in known or id not in action.takes]
    wanted = dict.fromkeys([*first, *bare, *now])
    case = Case(view.ruleset, view._state, view._state.fighters[name], action, given)
    told = told_by_table(case)
    decided = [*told, *view.ruleset.presentation.asked(case)]
    asked: list[SentParam] = []
    for id in wanted:
        if id in vantage.gm_says and id not in told:
            continue
        spec = view.ruleset.parameters[id]
        if spec.implied:
            continue
        field: SentParam = {
            "id": id,
            "title": spec.title,
            "required": id in first or id in decided or _is_required(view, name, action, given, id),
            "type": "number" if spec.kind == "int" else "text",
        }
        values = view._values(name, action, id, given)
        if values is not None and not values and not field["required"] and id not in given:
            continue  # nothing can be chosen
        if values is not None and (len(values) <= LONGEST or spec.kind == "action"):
            several = spec.nobody or (id == "target" and "several" in action.facts)
            field["type"] = "many" if several else "one"
            _fill(vantage, field, case, values)
        elif spec.kind == "places" and (at := case.fighter.position) is not None:
            field["hint"] = f"{name} is at {said_spot(at)}"
            if isinstance(at, tuple):
                if vantage.plays:  # a phone's map lies far below, and takes a tap
                    field["hint"] = f"{name} is at {said_spot(at)}; a tap on the map chooses too"
                field["example"] = said_spot((at[0] + 1, at[1]))
                beside = [] if "flees" in action.facts else _beside(case, at)
                can = (each for each in beside if view._fits(name, action, {**given, id: each[0]}))
                nearest = islice(can if option.allowed else beside, _NEAR)
                near = [(said_spot(spot), f"next to {who}") for spot, who in nearest]
                ground = view.ground(name)
                if leads := next((each for each in ground.reach if each.action == action.id), None):
                    if leads.limit is None:
                        field["hint"] = f"{name} is at {said_spot(at)}; the rules set no limit, the table says how far"
                    elif beside and not near:
                        near = [_towards(case, ground, leads.limit, beside[0])]
                if near:
                    field["near"] = [[spot, words] for spot, words in near]
                    leads_to = way_of(with_target(case).params)[-1:] if id == "to" else []
                    field["example"] = said_spot(leads_to[0]) if leads_to else near[0][0]
        elif spec.example:
            field["example"] = spec.example
        elif vantage.plays and (words := _lacks(action, id)):
            field["example"] = words.replace("{name}", name)  # at a seat an empty box says what it is for
        if id in vantage.gm_says and not vantage.judges:
            no: list[Barred] = [{"why": ["This is your GM's to say."], "values": [*field.get("values", ())]}]
            field |= {"type": "one", "values": [], "no": no}
        asked.append(field)
    if {"action", "trigger"}.issubset(action.takes):
        asked.append(_setters(vantage, case))
    asked.sort(key=lambda param: not param["id"].startswith("trigger"))  # a line to type in before a long list
    if "damage" in decided:  # asked once it hits
        asked.sort(key=lambda param: param["id"] == "damage")
    return asked


def _lacks(action: Action, id: str) -> str:
    """Return what an action says it lacks without a parameter, unless that hangs on what fits at the time."""
    lacks = action.facts.get("lacking")
    words = str(lacks.get(id, "")) if isinstance(lacks, Mapping) else ""
    return "" if "{fit}" in words else words


def _setters(vantage: Vantage, case: Case) -> SentParam:
    """Return who may set off what somebody keeps ready: those who stand, enemies first, then the beaten; or anybody."""
    own = case.fighter.side
    others = [each for each in case.state.fighters.values() if each is not case.fighter and not each.effect(HIDDEN)]
    there = [each for each in others if not each.effect("left")]
    there.sort(key=lambda each: (case.rules.is_beaten(each), each.side == own))
    values = [{"value": each.name, "side": vantage.sides[each.side] % 8} for each in there[:LONGEST]]
    return {"id": "trigger.actor", "title": "Set off by", "required": False, "type": "one", "values": [*values]}


def _beside(case: Case, here: tuple[int, ...]) -> list[tuple[tuple[int, int], str]]:
    """Return the nearest free place beside each enemy who stands and is seen, and who that is: the nearest of them."""
    found: list[tuple[float, tuple[int, int], str]] = []
    for foe in case.state.fighters.values():
        if foe.side == case.fighter.side or case.rules.is_beaten(foe) or foe.effect(HIDDEN) or foe.effect("left"):
            continue
        found += [(length, spot, foe.name) for length, spot in next_to(case, here, foe)[:1]]
    return [(spot, who) for _, spot, who in sorted(found, key=lambda each: each[0])[:LONGEST]]


def _towards(case: Case, ground: Ground, limit: float, goal: tuple[tuple[int, int], str]) -> tuple[str, str]:
    """Return where an action leads that is nearest to a place too far for it, and towards whom that is."""
    board, map, (spot, who) = case.rules.board, case.state.map, goal

    def left(cell: Any) -> tuple[float, ...]:
        way = board.distance(map, cell, spot)
        far = way.length if way is not None and way.length is not None else inf
        return far, ground.lengths[cell], dist(as_pair(cell) or spot, spot)

    there = [cell for cell, length in ground.lengths.items() if length <= limit]
    return said_spot(min(there, key=left, default=case.fighter.position)), f"towards {who}"


def _fill(vantage: Vantage, field: SentParam, case: Case, values: Sequence[Any]) -> None:
    """Put the values in, those that can't be chosen by reason: what is its own label stands alone.

    What may be left out is not to blame for what stands in the action's way without it.
    """
    view, id, kind = vantage.now, field["id"], case.rules.parameters[field["id"]].kind
    more = case.rules.presentation.asked
    free = {key: value for key, value in case.params.items() if key not in more(case)}  # another choice drops those
    rest = free if kind == "action" else case.params
    others = {key: value for key, value in rest.items() if key != id}
    stands = "" if field["required"] else view._weigh(case.fighter.name, case.action, others).reason

    def chosen(value: Any) -> dict[str, object]:
        return with_one(case.action, rest, id, value) if kind == "names" else {**rest, id: value}

    weighed = [(value, view._weigh(case.fighter.name, case.action, chosen(value))) for value in values]
    if kind == "action":
        field["titled"] = True
        weighed.sort(key=lambda each: _rank(case, *each))
    elif id == "target":
        weighed = _enemies_first(view, case, weighed)
    fitting, no = list[object](), dict[str, Barred]()
    tells = id == "target" and not undecided(case)  # else it is asked whether it hits, whoever is chosen
    for value, ruling in weighed:
        made: SentChoice = {"value": value}
        if kind in ("name", "names"):
            side = vantage.sides[case.state.fighters[value].side] % 8
            if field.setdefault("side", side) != side:
                made["side"] = side
        elif label := _label(case, id, kind, value):
            made["label"] = [label]
        # What is made ready has all who may set it off beside it, and no room for more words.
        if kind == "action" and "trigger" not in case.action.takes and (names := _found_by(case, value)):
            made["names"] = names
        if kind == "action" and value in declared(case.fighter):
            made["small"] = "declared"
        if kind == "action" and more(case.given({**free, id: value})):
            made["more"] = True
        if id == "target":
            fighter = case.state.fighters[value]
            if "attack" in case.action.tags and fighter.side == case.fighter.side:
                made["aside"] = "Allies"
            elif "attack" in case.action.tags and case.rules.is_beaten(fighter):
                made["aside"] = "Down"
            is_told = ruling.allowed and len(fitting) < _WEIGHED and not case.rules.lies(case.state, fighter)
            does = faces_that_do(vantage, case.given(chosen(value))) if is_told else ""
            told = (_left(vantage, view, fighter), _apart(vantage, case, fighter), does)
            if beside := " · ".join(filter(None, told)):
                made["small"] = beside
            if ruling.allowed and tells and undecided(case.given(chosen(value))):
                made["more"] = True
        fits = ruling.allowed or ruling.reason == stands
        why = [] if fits else reason_parts(ruling.reason, ruling.rule)
        some = fitting if fits else no.setdefault(str(why), {"why": why, "values": []})["values"]
        some.append(value if len(made) == 1 else made)
    field["values"] = fitting
    if no:
        field["no"] = [*no.values()]


def _label(case: Case, id: str, kind: str, value: Any) -> str:
    """Return what a value is called, unless a front end knows that from the value: it does in English."""
    told = _called(case, id, kind, value)
    if told or case.state.language == ENGLISH or type(value) is not str:
        return told
    words = value.replace("_", " ")
    return capital(words) if kind == "action" else words


def _found_by(case: Case, value: str) -> str:
    """Return the other words that find an action among those to choose from, as they do on its own button."""
    action = case.rules.catalogue(case.state)[value]
    own = action.title.lower()
    return " ".join([each for each in action.names if each.lower() not in own])


def _called(case: Case, id: str, kind: str, value: Any) -> str:
    """Return what a value is called, if that is more than the value itself."""
    if named := case.rules.presentation.named(case, id, value):
        return named
    if kind == "action":
        title = case.rules.catalogue(case.state)[value].title
        return "" if title == capital(value.replace("_", " ")) else title
    if kind == "places" and (isinstance(value, tuple) or "_" in value):
        return said_spot(value)
    if isinstance(value, (bool, float)):
        return str(value)
    told = choice_told(case.rules, case.state, value) if kind == "outcome" else ""
    return "" if told == capital(str(value)) else told


def _rank(case: Case, id: str, ruling: Ruling) -> tuple[bool, bool, bool, float]:
    """Return where an action stands among those to choose from: attacks, what is usual, the rest, as on the stage.

    What a table of the fight brings is usual, and stands before what it is one of: a spell by name before any spell.
    """
    action, known = case.rules.catalogue(case.state)[id], case.rules.chosen(case.state.options)
    usual = [each for each in known if each.usual]
    kin = usual.index(action) + 0.5 if action in usual else len(usual)
    if id not in known:
        kin = next((n for n, each in enumerate(usual) if {*action.tags} & {*each.tags}), kin)
    is_usual = action.usual or id not in known
    return not ruling.allowed, not {"attack", "basic"}.issubset(action.tags), not is_usual, kin if is_usual else 0


def _enemies_first(view: View, case: Case, weighed: list[tuple[Any, Ruling]]) -> list[tuple[Any, Ruling]]:
    """Put enemies before allies, as they come to mind."""
    by_name = dict(weighed)
    foes = [name for name in by_name if case.state.fighters[name].side != case.fighter.side]
    return [(name, by_name[name]) for name in dict.fromkeys([*first_to_attack(view, case.fighter, foes), *by_name])]


def _left(vantage: Vantage, view: View, fighter: Fighter) -> str:
    """Return what somebody has left, beside their name, or that they lie; nothing where it isn't kept or shown."""
    felled = [effect.id for effect in fighter.effects if effect.id in view.ruleset.felling]
    if felled:
        return felled[-1]
    vitals = view.ruleset.vitals
    if not vitals or (vantage.hides(fighter) and not shows_numbers(view._state, fighter)):
        return ""
    left, most = fighter.vitals.get(vitals[0].name), fighter.stats.get(vitals[0].name)
    return "" if left is None else said_left(left, most)


def _apart(vantage: Vantage, case: Case, other: Fighter) -> str:
    """Say at a seat how far somebody is: a phone's map lies far below. Nothing where it isn't known."""
    far = case.rules.distance(case.state, case.fighter, other) if vantage.plays and other is not case.fighter else None
    if far is None or far.length is None:
        return ""
    if not far.steps:
        return "same place" if case.rules.board.cell else "same zone"
    return f"{said_length(far.length, far.unit)} away"


def _is_required(view: View, name: str, action: Action, given: dict[str, object], id: str) -> bool:
    """Check whether an action needs a parameter: always, or only as things stand (a place, if there are positions)."""
    if id == "trigger" and isinstance(given.get(id), Mapping):  # who sets it off says enough
        return False
    declared = next((p for p in action.parameters if p.id == id), None)
    if declared is None or declared.required:
        return True
    rest = {k: v for k, v in given.items() if k != id}
    case = Case(view.ruleset, view._state, view._state.fighters[name], action, rest)
    return id in judge(with_target(case) if id == "to" or action.when == "own turn" else case).missing


# ── the dice of a call of the table's own ──


def call_asks(vantage: Vantage, call: str, params: dict[str, Any], rolls: Faces) -> list[Roll]:
    """Return the rolls of a call of the table's own; refuse now, before anybody rolls, what would be refused later."""
    fight, rules, state = vantage.encounter, vantage.encounter.ruleset, vantage.encounter._state
    if call == "start":
        draft, _ = fight._begin(params.get("surprised", ()))
        seats = rolled(fight, params.get("surprised", ()))
        asks = _initiative(draft, fight.names, {**seats, **rolls})
        for roll in asks:
            roll.seated = roll.seated or (roll.who in seats and not roll.again[0])
        return asks
    if call == "join" or (call in _WISHES and state.stage == "running"):
        people = [Arrival.of(params)] if call == "join" else _wish(call, params).comers(vantage)
        draft, names = fight._let_in(people)
        return _initiative(draft, tuple(name for name in names if not fight._keeps_place(draft, name)), rolls)
    if call in ("end_turn", "next_round") and not state.focus:
        return [called(name, ask) for name, ask in rules.step_asks(state)]
    if call in CHANGES:
        return [roll_of("The GM", ask) for ask in deal_asks(rules, CHANGES[call], params.get("amount"))]
    if call == "resolve" and state.window is not None and len(state.focus) > 1:
        act = state.focus[-2]
        if isinstance(act, Act) and act.stage == 0 and not act.faces and act.seq not in table_of(fight).left:
            case = Case(rules, state, state.fighters[act.who], rules.catalogue(state)[act.action], act.params)
            thrown = rehearsed(Draft(rules, state, fight._timeline.next_seq)).asked  # none, if that was foiled
            return [
                roll for roll in action_asks(case, {}) if thrown & {roll.purpose, rules.purposes[roll.purpose]} - {""}
            ]
    return []


def leave_dice(vantage: Vantage, call: Command) -> None:
    """Note that what whoever acts was asked to type, and has not, is left to the seed: nobody is asked for it later."""
    if call.call != "do" or not vantage.table:
        return
    fight = vantage.encounter
    made = fight._timeline.now.present
    begun = made.first if made is not None else 0
    table_of(fight).left |= {frame.seq for frame in fight._state.focus if isinstance(frame, Act) and frame.seq >= begun}


def _wish(call: str, params: dict[str, object]) -> Take | Bring:
    try:
        return msgspec.convert(params, _WISHES[call])
    except msgspec.ValidationError as error:
        raise InvalidInput(f"the newcomer cannot be read: {error}") from None


def _initiative(draft: Draft, names: tuple[str, ...], rolls: Faces) -> list[Roll]:
    """Return what those who come to their places roll; once all of that is typed, what the tied roll as well."""
    rules, fighters = draft.rules, draft.state.fighters
    able = [name for name in names if rules.able(fighters[name])]
    many = len(able) > LONGEST
    asks = initiative.asked(rules, draft.state, [name for name in able if not (many and fighters[name].npc)])
    shown = {
        name: called(name, ask, _note(draft, fighters[name]) if name in fighters else "") for name, ask in asks.items()
    }
    sides = 0 if rules.draw is None or many else rules.draw.tie_sides
    typed = {name: _whole(faces, asks.get(name), sides) for name, faces in rolls.items()}
    if sides and all(typed.get(name) for name in asks):
        for name, times in initiative.roll_offs(draft, names, typed).items():
            none = Ask("initiative", 0, sides, rules.claim(draft.state, fighters[name]).addends)
            roll = shown.setdefault(name, Roll(name, f"{name} is tied", none, name, _note(draft, fighters[name])))
            roll.again = times, sides
            tied = "tied: roll again" if name in asks or times > 1 else "tied: roll for it"
            roll.note = " · ".join(each for each in (tied, roll.note) if each)
    for name in able if shown and not asks else ():
        if name not in shown:  # dice break ties only, and their place is known without
            nothing = Ask("initiative", 0, sides, rules.claim(draft.state, fighters[name]).addends)
            shown[name] = Roll(name, f"{name}'s place", nothing, name, seated=True)
    for name, roll in shown.items():
        if name in fighters:
            roll.side = fighters[name].side
            faces, count = typed.get(name, []), asks[name].dice if name in asks else 0
            if len(faces) >= count:
                claim = rules.claim(draft.state, fighters[name])
                roll.stands = sum(faces[:count]) + claim.modifier, claim.terms, tuple(faces[count:])
    return list(shown.values())


def _whole(faces: Sequence[int | None], ask: Ask | None, again: int) -> list[int]:
    """Return the faces typed up to the first that is missing or impossible: those of `ask`, then those for ties."""
    sides = [*([ask.sides] * ask.dice if ask else ()), *[again] * len(faces)]
    pairs = zip(faces, sides, strict=False)
    return list(takewhile(bool, (face if face and 1 <= face <= most else 0 for face, most in pairs)))


def _note(draft: Draft, fighter: Fighter) -> str:
    """Say who else somebody rolls for, and whether the GM plays them."""
    rules, state = draft.rules, draft.state
    unit = rules.claim(state, fighter).shares
    mates = [f for f in state.fighters.values() if rules.claim(state, f).shares == unit] if unit else []
    return " · ".join([f"for all of {unit}"] * (len(mates) > 1) + ["the GM rolls"] * fighter.npc)
