"""What a seat asks for, in words, where the GM confirms each: as the log tells it once it is done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import asdict

from combatkit.core.geometry import as_pair
from combatkit.core.plain import is_number
from combatkit.fight.commands import Command
from combatkit.rules.case import Case
from combatkit.rules.judge import with_target
from combatkit.rules.params import as_names, check_params, find_action, trigger_text
from combatkit.text import say_names, signed
from combatkit.widgets._rung_acts import choice_told
from combatkit.widgets._seat import SeatVantage

_WORDS = 200


def said_call(vantage: SeatVantage, message: Command) -> str:
    """Say to the GM what a call that was read asks for."""
    return vantage.guises.unmasked(said_request(vantage, {"kind": message.call, **asdict(message)}))


def said_request(vantage: SeatVantage, content: Mapping[str, Any]) -> str:
    """Say what a message asks for: who does what, to whom, with what, what came of it, and which dice were typed.

    Parameters
    ----------
    vantage : SeatVantage
        The seat that asks.
    content : mapping
        The message, as it came; it could be done as things stand.
    """
    kind = content.get("kind")
    if kind == "do":
        words = _said_deed(vantage, content)
    elif kind == "damage":
        whom = say_names(as_names(content["names"]))
        words = f"{content['attacker']} hits {whom}; damage: {content['amount']}"
    elif kind == "undo":
        words = vantage.taken
    else:
        words = f"{vantage.now.active} ends the turn"
    return words[:_WORDS]


def _said_deed(vantage: SeatVantage, content: Mapping[str, Any]) -> str:
    now, given = vantage.now, {**content.get("params", {})}
    rules, state = now.ruleset, now._state
    if content.get("target") is not None:
        given["target"] = content["target"]
    action = find_action(rules, state, content["action"])
    case = Case(rules, state, state.fighters[content["name"]], action, check_params(rules, state, action, given))
    if "to" in (placed := with_target(case).params):  # where it ends, also where that follows from the target
        given["to"] = placed["to"]
    did = rules.languages[state.language].render(action.said(_whom(case)))
    weapon, outcome = given.pop("weapon", None), given.pop("outcome", None)
    given.pop("target", None)
    rest = [f"{rules.parameters[id].title.lower()}: {_listed(case, id, value)}" for id, value in given.items()]
    said = [
        f"{case.fighter.name} {did}{f' with the {weapon}' if weapon else ''}",
        choice_told(rules, state, outcome).lower() if outcome else "",
        *rest,
        _said_dice(content.get("rolls")),
    ]
    return "; ".join(filter(None, said))


def _whom(case: Case) -> tuple[str, ...]:
    """Return at whom something is aimed; what wards off a threat is about whoever that comes from."""
    window = case.state.window
    wards = window is not None and "defensive" in case.action.tags
    return with_target(case).targets or (window.by if window is not None and wards else ())


def _listed(case: Case, id: str, value: object) -> str:
    if case.rules.parameters[id].kind == "trigger":
        return trigger_text(case.rules, case.state, case.params[id])
    if pair := as_pair(value):
        return str(pair)
    if isinstance(value, (list, tuple)):
        return say_names([_listed(case, id, each) for each in value])
    if isinstance(value, Mapping):  # what counts by its name
        return ", ".join(
            [f"{key} {signed(each, '+')}" if is_number(each) else str(each) for key, each in value.items()]
        )
    if case.rules.parameters[id].kind == "action":
        return find_action(case.rules, case.state, value).title.lower()
    return str(value).replace("_", " ")


def _said_dice(rolls: object) -> str:
    """Say which dice were typed, each with what it is for."""
    if isinstance(rolls, Mapping):
        dice: Iterable[tuple[str, object]] = [(_for(purpose), faces) for purpose, faces in rolls.items()]
    else:
        dice = [("", rolls)] if rolls else []
    said = [f"{', '.join(map(str, faces))}{words}" for words, faces in dice if isinstance(faces, Sequence)]
    return f"dice: {' and '.join(said)}" if said else ""


def _for(purpose: object) -> str:
    return " to hit" if purpose == "attack" else f" for {purpose}"
