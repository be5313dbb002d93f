"""What a seat may do: play its own, as far as the rules let them; a refusal names its rule, or whose right it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from combatkit.core.faces import Faces
from combatkit.errors import CombatkitError, IllegalAction, InvalidInput
from combatkit.fight.commands import COMMANDS, Command
from combatkit.fight.fight import check_note
from combatkit.rules.case import Case
from combatkit.rules.checks import check_known
from combatkit.rules.params import check_params, find_action
from combatkit.widgets._ask import AskChoices, leave_dice
from combatkit.widgets._asking import said_call
from combatkit.widgets._decided import told_by_table
from combatkit.widgets._first_dice import RollInitiative
from combatkit.widgets._intents import AskLog, AskRule, DiceMode, Kind, Look, hear
from combatkit.widgets._map_look import AskPicture
from combatkit.widgets._map_ways import AskArea, AskFar, AskSpot, AskThreats, AskWay
from combatkit.widgets._message import Answer, Message, tagged
from combatkit.widgets._owed import LeaveOpen, owed_at
from combatkit.widgets._passing import Pass, let_go, settle
from combatkit.widgets._seat import SeatVantage

_LOOKS = tagged(AskArea, AskChoices, AskFar, AskLog, AskPicture, AskRule, AskSpot, AskThreats, AskWay, Look)
QUESTIONS = tuple(_LOOKS)  # a page may send any value as a kind, also one that no mapping takes
"""What is answered while only somebody hidden can do something, too: a form is filled in meanwhile."""
_KINDS: dict[str, Kind] = COMMANDS | (_LOOKS | tagged(DiceMode, LeaveOpen, Pass, RollInitiative))
"""Every kind of message that is read; most calls are the GM's to make."""

_CALLS = ("end_turn", "resolve")
_FILE = frozenset(["data"])
"""The key of an answer under which a piece of a file stands."""

_NOT_ASKED = "Nobody is waiting for your answer."
GMS = "Your GM has to settle that: ask them."
"""Said of what is the GM's to do, and where the reason is nothing players may know: they can't tell which it is."""


def hear_seat(vantage: SeatVantage, content: object) -> Answer | None:
    """Do what a seat asks.

    Parameters
    ----------
    vantage : SeatVantage
        The seat.
    content : object
        The message, as it came.

    Returns
    -------
    dict or None
        The answer to a question, or a refusal; a message that is refused has changed nothing.
    """
    return _heard(vantage, content, _carry)


def check_seat(vantage: SeatVantage, content: object) -> Answer | None:
    """Return the refusal of what a seat asks, as things stand; nothing, if it could be done. Nothing is done here."""
    return _heard(vantage, content, _weigh)


def _heard(vantage: SeatVantage, content: object, carry: Callable[[SeatVantage, Any], Answer | None]) -> Answer | None:
    answer = hear(vantage, content, _KINDS, carry)
    names = vantage.sealed.besides(content)  # a word that was sent comes back as it was, whoever is called so
    if answer is None or not names:
        return answer
    piece = {key: answer[key] for key in _FILE & answer.keys()}  # bytes as text: letters that are a name by chance
    return {**names.seal({key: each for key, each in answer.items() if key not in piece}), **piece}


def _weigh(vantage: SeatVantage, message: Message | Command) -> None:
    if not isinstance(message, Command):
        return
    _check_call(vantage, message)
    if isinstance(message, COMMANDS["do"]):
        _check_allowed(vantage, message)


def _carry(vantage: SeatVantage, message: Message | Command) -> Answer | None:
    """Do what a seat may; neither a reason that rests on somebody hidden is told, nor what only Python knows."""
    try:
        if isinstance(message, Command):
            _call(vantage, message)
        else:
            _check_question(vantage, message)
            if not isinstance(message, Pass):
                return message.carry(vantage)
            _let_go(vantage, [message.name])
    except CombatkitError:
        raise
    except Exception:  # noqa: BLE001 - whatever a message brings about, its sender is told
        raise InvalidInput("This could not be done.") from None
    return None


def _check_call(vantage: SeatVantage, message: Command) -> None:
    """Refuse a call that is not the seat's to make."""
    kind = message.call
    if kind not in _CHECKS:
        raise InvalidInput(GMS)
    _check_words(vantage, message)
    _CHECKS[kind](vantage, message)
    if getattr(message, "rolls", None) is not None and not vantage.at.throws:
        raise InvalidInput("Your GM rolls at this table.")


def _call(vantage: SeatVantage, message: Command) -> None:
    """Make a call for somebody the seat plays."""
    _check_call(vantage, message)
    asks = partial(said_call, vantage, message)
    kind, message = message.call, _as_seen(vantage, _placed(vantage, message))
    fight = vantage.encounter
    if kind == "undo" and vantage.let_go:
        vantage.at.take_back(vantage.plays)
        vantage.at.look_again()
    elif kind == "undo":
        _make(vantage, partial(message.run, fight), 0)
    elif kind == "resolve":
        _let_go(vantage, [name for name in vantage.asked if name not in vantage.passed])
    else:
        _make(vantage, partial(message.run, fight), fight._timeline.now.length + 1, asks)
        leave_dice(vantage, message)
        settle(vantage)


def _check_words(vantage: SeatVantage, message: Any) -> None:
    """Refuse a note or dice by what the seat may see, so that no answer tells whether a word in them is a name."""
    check_note(getattr(message, "note", ""))
    if (rolls := getattr(message, "rolls", None)) is not None:
        Faces(rolls).check_keys(vantage.now.ruleset.purposes, vantage.now._state)


def _placed(vantage: SeatVantage, message: Any) -> Any:
    """Return a call with the place that its player is told of: another one would tell where somebody hidden stands."""
    if not vantage.sees_less or message.call != "do" or "to" in message.params:
        return message
    foreseen = vantage.now._case(message.name, message.action, _params(message)).params
    return replace(message, params={**message.params, "to": foreseen["to"]}) if "to" in foreseen else message


def _as_seen(vantage: SeatVantage, message: Any) -> Any:
    """Return a call in which the names that the seat knows stand for those whom it may see."""
    now, meant = vantage.now, vantage.guises.meant
    found: dict[str, object] = {}
    for names in ("target", "names"):
        if (named := getattr(message, names, None)) is not None:
            found[names] = [meant(name) for name in check_known(now._state, named)]
    if isinstance(rolls := getattr(message, "rolls", None), dict):
        found["rolls"] = {meant(key): faces for key, faces in rolls.items()}
    if vantage.guises and (params := getattr(message, "params", None)):
        action = find_action(now.ruleset, now._state, message.action)
        checked = check_params(now.ruleset, now._state, action, params)
        kinds = {id: spec.kind for id in checked if (spec := now.ruleset.parameters.get(id)) is not None}
        found["params"] = {id: _meant(kinds[id], checked[id], meant) if id in kinds else params[id] for id in params}
    return replace(message, **found)


def _meant(kind: str, value: Any, meant: Callable[[str], str]) -> object:
    """Return a parameter with whom it means."""
    if kind == "name":
        return meant(value)
    if kind == "names":
        return [meant(name) for name in value]
    if kind == "trigger" and isinstance(value, dict):
        return {key: each if key == "text" else meant(each) for key, each in value.items()}
    return value


def _let_go(vantage: SeatVantage, names: Sequence[str]) -> None:
    """Let go what some who are played here are asked."""
    if not names:
        raise InvalidInput("Others are asked here, not you." if vantage.now._state.window else _NOT_ASKED)
    _make(vantage, partial(let_go, vantage, names), vantage.encounter._timeline.now.length + 1)


def _make(vantage: SeatVantage, call: Callable[[], object], made: int, asks: Callable[[], str] = str) -> None:
    """Make a call that is this seat's own from an event on, if it is any's.

    Where it fails for a reason that the seat isn't told, the GM is told, with what it `asks` for.
    """
    before, vantage.made = vantage.made, made
    try:
        call()
    except BaseException as error:
        vantage.made = before
        names = vantage.sealed  # by what players may know it would have been done
        if names and (
            isinstance(error, IllegalAction) or (isinstance(error, CombatkitError) and names.within(f"{error}"))
        ):
            if vantage.at.requests is not None:  # else whoever is hidden could be looked for, and nobody would know
                reason = error.ruling.reason if isinstance(error, IllegalAction) else f"{error}"
                said = asks()
                vantage.at.requests.fail(vantage.seat, f"Not done: {said}. {reason}" if said else reason)
            raise InvalidInput(GMS) from None
        raise
    if vantage.encounter._timeline.now.length < made:  # what is only noted is no call: the next one is another's
        vantage.made = before


def _check_mine(vantage: SeatVantage, name: str, done: str = "") -> None:
    """Refuse to play somebody whom others play."""
    if name in vantage.plays:
        return
    vantage.now._fighter(name)
    owner = vantage.at.seat_of(vantage.guises.meant(name))
    whose = f"{owner}'s" if owner else "your GM's"
    raise InvalidInput(f"{done}{name} is {whose} to play; you play {' and '.join(vantage.plays) or 'nobody'}.")


def _check_do(vantage: SeatVantage, message: Any) -> None:
    _check_mine(vantage, message.name)
    if message.override:
        raise InvalidInput("Only your GM can allow what the rules refuse.")
    _check_said(vantage, message.name, message.action, _params(message))
    if vantage.sees_less:  # first by what players may know, so that no reason tells more
        _check_allowed(vantage, message)


def _check_allowed(vantage: SeatVantage, message: Any) -> None:
    """Refuse what the rules refuse, by what players may know."""
    ruling = vantage.now.can(message.name, message.action, **_params(message))
    if not ruling.allowed:
        raise IllegalAction(ruling)


def _params(message: Any) -> dict[str, object]:
    return message.params if message.target is None else {**message.params, "target": message.target}


def _check_said(vantage: SeatVantage, name: str, deed: str, given: Mapping[str, object]) -> None:
    """Refuse what the table decides about an action; but where seats throw and no roll tells, they say how it went."""
    said = [id for id in vantage.gm_says if id in given]
    if not said:
        return
    now = vantage.now
    rules, state = now.ruleset, now._state
    action = find_action(rules, state, deed)
    params = check_params(rules, state, action, given)
    theirs = told_by_table(Case(rules, state, state.fighters[name], action, params)) if vantage.judges else []
    for id in said:
        if id not in theirs:
            raise InvalidInput(f"{rules.parameters[id].title}: this is your GM's to say.")


def _check_damage(vantage: SeatVantage, message: Any) -> None:
    """Refuse to say how much anybody loses, but whom a blow of theirs has hit for nobody has said how much."""
    owed = owed_at(vantage)
    blow = None if owed is None else (owed["name"], owed["attacker"])
    names = [message.names] if isinstance(message.names, str) else message.names
    if blow is None or (*names, message.attacker) != blow or message.vital is not None or message.half:
        raise InvalidInput(GMS)


def _check_end(vantage: SeatVantage, message: Command) -> None:
    active = vantage.now.active
    if active is None:
        raise InvalidInput("No turn of yours is running; your GM goes on.")
    _check_mine(vantage, active, f"It's {active}'s turn. ")
    if still := vantage.still:
        raise InvalidInput(still)


def _check_resolve(vantage: SeatVantage, message: Any) -> None:
    if message.answer is not None:
        raise InvalidInput("This question is your GM's to answer.")


def _check_undo(vantage: SeatVantage, message: Any) -> None:
    if message.to is not None or not vantage.taken:
        raise InvalidInput(
            "You can take back your own last call, while nothing followed and no die was thrown; ask your GM."
        )


_CHECKS: Mapping[str, Callable[[SeatVantage, Command], None]] = {
    "do": _check_do,
    "damage": _check_damage,
    "end_turn": _check_end,
    "resolve": _check_resolve,
    "undo": _check_undo,
}


def _check_question(vantage: SeatVantage, message: Message) -> None:
    """Refuse questions about others."""
    if isinstance(message, (DiceMode, RollInitiative)) and not vantage.at.throws:
        raise InvalidInput("Your GM rolls at this table.")
    if isinstance(message, (AskSpot, AskWay, Pass, RollInitiative)):
        _check_mine(vantage, message.name)
    if not isinstance(message, AskChoices):
        return
    if message.override:
        raise InvalidInput("Only your GM can allow what the rules refuse.")
    if message.name is not None:
        _check_mine(vantage, message.name)
    elif message.action not in _CALLS or vantage.now.active not in vantage.plays:
        raise InvalidInput(GMS)
