"""What a seat asks for, in words, where the GM confirms each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from combatkit.errors import CombatkitError
from combatkit.rules.checks import say_names
from combatkit.rules.params import find_action
from combatkit.widgets._seat import SeatVantage

_WORDS = 200


def said_request(vantage: SeatVantage, content: Mapping[str, Any]) -> str:
    """Say what a message asks for: what is done, to whom, with what, and which dice were typed.

    Parameters
    ----------
    vantage : SeatVantage
        The seat that asks.
    content : mapping
        The message, as it came; it may be nonsense, and is not refused here.
    """
    kind, name = content.get("kind"), content.get("name")
    if kind == "do":
        words = _said_deed(vantage, content)
    elif kind in ("pass", "resolve"):
        words = "let it go"
    elif kind == "undo":
        words = vantage.taken[:1].lower() + vantage.taken[1:] or "take back"
    else:
        words = str(kind).replace("_", " ")
    several = len(vantage.plays) > 1 and isinstance(name, str)
    return f"{words}{f' ({name})' if several else ''}"[:_WORDS]


def _said_deed(vantage: SeatVantage, content: Mapping[str, Any]) -> str:
    now, given = vantage.now, content.get("params")
    params = {**given} if isinstance(given, Mapping) else {}
    target = content.get("target", params.pop("target", None))
    try:
        title = find_action(now.ruleset, now._state, str(content.get("action"))).title.lower()
    except CombatkitError:
        title = str(content.get("action"))
    weapon = params.pop("weapon", None)
    said = [title, _listed(target), f"with the {weapon}" if weapon else ""]
    rest = [f"{_title(vantage, id)}: {_listed(value)}" for id, value in params.items()]
    return "; ".join(filter(None, [" ".join(filter(None, said)), *rest, _said_dice(content.get("rolls"))]))


def _title(vantage: SeatVantage, id: object) -> str:
    spec = vantage.now.ruleset.parameters.get(str(id))
    return str(id) if spec is None else spec.title.lower()


def _listed(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return say_names([str(each).replace("_", " ") for each in value])
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
