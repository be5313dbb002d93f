"""Messages from a front end: each is a request, checked to the letter; if allowed, it becomes a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any

import msgspec

from combatkit.core.limits import ANSWER, MESSAGE
from combatkit.core.plain import short
from combatkit.errors import CombatkitError, IllegalAction, InvalidInput, UnknownName
from combatkit.fight.commands import COMMANDS, Command
from combatkit.registry import ruleset
from combatkit.text import neutral, spoken
from combatkit.widgets._ask import AskChoices, leave_dice
from combatkit.widgets._card_view import AskCard
from combatkit.widgets._deal_view import AskDeal, SetTo, as_meant
from combatkit.widgets._downloads import AskDownload
from combatkit.widgets._dropped import Bring, File, OpenCopy
from combatkit.widgets._first_dice import with_first_dice
from combatkit.widgets._fit import TEXT, cut, first
from combatkit.widgets._map_look import AskPicture, MapFile, MapLook
from combatkit.widgets._map_view import LayMap
from combatkit.widgets._map_ways import AskArea, AskFar, AskSpot, AskThreats, AskWay
from combatkit.widgets._message import Answer, Message, is_number, numbered, tagged
from combatkit.widgets._moment_view import AskMoment
from combatkit.widgets._passing import Pass, last_passed, settle
from combatkit.widgets._settings import Anew, AskSettings, Entitle, KeepIn, TurnTimer, TurnTo, read_seed
from combatkit.widgets._shelf import AskShelf, ClearFoes, Keep, LoadScene, Take
from combatkit.widgets._table import table_of
from combatkit.widgets._vantage import Vantage

_TOLD = 200
"""How many lines of the log are told at once."""

Kind = type[Message] | type[Command]


class At(Message, frozen=True, tag="at"):
    """Look at a past moment, or at one so many rounds on or back from there; null returns to the present."""

    seq: int | None
    rounds: int = 0

    def carry(self, vantage: Vantage) -> None:
        """Look there."""
        seq = self.seq
        if seq is not None and self.rounds:
            seq = vantage.log_lines.index.round_from(seq, self.rounds)
        vantage.travel(None if self.rounds and seq == len(vantage.encounter._events) else seq)


class Confirm(Message, frozen=True, tag="confirm"):
    """Let a seat do what it asked for."""

    number: int

    def carry(self, vantage: Vantage) -> None:
        """Let it."""
        table_of(vantage.encounter).settle(self.number, True)


class Decline(Message, frozen=True, tag="decline"):
    """Refuse a seat what it asked for."""

    number: int

    def carry(self, vantage: Vantage) -> None:
        """Refuse it."""
        table_of(vantage.encounter).settle(self.number, False)


class Branch(Message, frozen=True, tag="branch"):
    """Branch from a moment; what is shown from then on is the branch."""

    seq: int

    def carry(self, vantage: Vantage) -> None:
        """Branch there."""
        vantage.branch(self.seq)


class Switch(Message, frozen=True, tag="switch"):
    """Show another branch, or what it branched from."""

    branch: str

    def carry(self, vantage: Vantage) -> None:
        """Turn to it."""
        vantage.switch(self.branch)


class GoOn(Message, frozen=True, tag="go_on"):
    """Go on with a fight that another tracker of this kernel has begun, by its number."""

    fight: int

    def carry(self, vantage: Vantage) -> None:
        """Turn to it."""
        earlier = vantage.earlier
        if self.fight not in earlier:
            raise InvalidInput("that fight can't be gone on with here any more")
        vantage.adopt(earlier[self.fight])


class Sheet(Message, frozen=True, tag="sheet"):
    """Change who somebody is before the fight: what they are called, whose side they are on, stats by name."""

    name: str
    called: str
    side: str
    stats: dict[str, Any] = msgspec.field(default_factory=dict)

    def carry(self, vantage: Vantage) -> None:
        """Change it, in one step."""
        vantage.encounter._turn_into(self.name, self.called, self.side, self.stats)


class Restart(Message, frozen=True, tag="restart"):
    """Begin anew with the same combatants: another encounter."""

    seed: int | str | None = None

    def carry(self, vantage: Vantage) -> None:
        """Turn to the new one."""
        seed = None if self.seed is None else read_seed(self.seed)
        vantage.adopt(vantage.encounter._anew(seed, journal=vantage.journal, caught=True))


class ChooseRuleset(Message, frozen=True, tag="ruleset"):
    """Choose the rules for a fight that has not begun. Their id is `ruleset`: `id` is the front end's number."""

    id: str = msgspec.field(name="ruleset")

    def carry(self, vantage: Vantage) -> None:
        """Turn to a fight by that ruleset with the same combatants."""
        if vantage.encounter._state.stage != "setup":
            raise InvalidInput("the rules are chosen before the fight begins; undo the start or set up a new fight")
        rules = ruleset(self.id)
        vantage.play_by(rules, spoken(vantage.encounter._state.language, rules.folder))


class DiceMode(Message, frozen=True, tag="dice"):
    """Say whether dice are rolled at the table."""

    mode: str

    def carry(self, vantage: Vantage) -> None:
        """Note it."""
        if self.mode not in ("seeded", "table"):
            raise InvalidInput(f"mode is {short(self.mode)}; it is 'seeded' or 'table'")
        vantage.throw(self.mode == "table")


class Look(Message, frozen=True, tag="look"):
    """Say whose budget is shown."""

    name: str | None

    def carry(self, vantage: Vantage) -> None:
        """Show it."""
        vantage.look(self.name)


class AskLog(Message, frozen=True, tag="log"):
    """Ask for lines of the log."""

    first: int = msgspec.field(name="from")
    last: int = msgspec.field(name="to")

    def carry(self, vantage: Vantage) -> Answer:
        """Return the newest of them with their headings."""
        log_lines = vantage.log_lines
        last = min(self.last, log_lines.last)
        lines, heads = log_lines.page(max(self.first, last - _TOLD + 1), last)
        fitting = first(reversed(lines.items()), ANSWER * 3 // 4)
        if len(fitting) < len(lines):  # the older ones are asked for next
            lines, heads = log_lines.page(int(fitting[-1][0]) if fitting else last + 1, last)
        return {"kind": "log", "lines": lines, "heads": heads}


class AskRule(Message, frozen=True, tag="rule"):
    """Ask for a rule's words."""

    rule: str

    def carry(self, vantage: Any) -> Answer:
        """Return them, from whichever rulebook shown here has the rule."""
        books = vantage.rulebooks
        rule = next((book for book in books if self.rule in book.rules), books[0]).rules[self.rule]
        return {"kind": "rule", "rule": rule.id, "text": rule.text, "locator": rule.locator, "disputed": rule.disputed}


_OWN = (
    *(
        At,
        Branch,
        Switch,
        GoOn,
        Restart,
        ChooseRuleset,
        DiceMode,
        Look,
        AskChoices,
        AskCard,
        AskDeal,
        SetTo,
        AskLog,
        AskRule,
        AskMoment,
        AskWay,
        AskArea,
        AskFar,
        AskThreats,
        AskSpot,
    ),
    *(AskDownload, AskSettings, Anew, Entitle, TurnTimer, KeepIn, TurnTo, Confirm, Decline, Pass),
    *(LayMap, MapLook, MapFile, AskPicture),
    *(AskShelf, Take, LoadScene, Keep, ClearFoes, File, Bring, OpenCopy, Sheet),
)
KINDS: dict[str, Kind] = COMMANDS | tagged(*_OWN)
"""Every kind of message there is, besides the question for the whole view."""


def _carry(vantage: Any, message: Message | Command) -> Answer | None:
    """Make a call or answer a question; in a fight's players' view, and in its past, one can only look."""
    if isinstance(vantage, Vantage) and not isinstance(message, _LOOKS):
        _check_open(vantage, message)
    if not isinstance(message, Command):
        return message.carry(vantage)
    if isinstance(message, COMMANDS["undo"]) and not _leads(message) and (name := last_passed(vantage.encounter)):
        table_of(vantage.encounter).take_back((name,))
        table_of(vantage.encounter).look_again()
        return None
    call = with_first_dice(vantage.encounter, as_meant(vantage, message))
    with nullcontext() if vantage.task is None else vantage.task.by_hand():
        call.run(vantage.encounter)
    leave_dice(vantage, call)
    settle(vantage)  # whoever was still asked may have answered, or gone
    return None


def hear(
    vantage: Any, content: object, kinds: Mapping[str, Kind] = KINDS, carry: Callable[..., Answer | None] = _carry
) -> Answer | None:
    """Do what a message asks.

    Parameters
    ----------
    vantage : object
        Where it comes from and what it acts on: the `Vantage` of a fight, if not a widget's own place.
    content : object
        The message, as it came.
    kinds : mapping of str to type, optional
        The messages known there.
    carry : callable, optional
        What does it, once it is read.

    Returns
    -------
    dict or None
        What goes back: the answer to a question, or a refusal with its reason and rule. A message that is refused has
        changed nothing.
    """
    answer: Answer | None
    try:
        answer = carry(vantage, read(content, kinds))
    except IllegalAction as error:
        answer = {"kind": "refused", "reason": error.ruling.reason, "rule": error.ruling.rule}
    except CombatkitError as error:
        answer = {"kind": "refused", "reason": str(error), "rule": "", "whole": True}
    except Exception as error:  # noqa: BLE001 - whatever a message brings about, its sender is told
        answer = {"kind": "refused", "reason": f"This could not be done: {type(error).__name__}: {error}", "rule": ""}
        answer["whole"] = True
    if answer is None:
        return None
    if answer["kind"] == "refused":
        answer["reason"] = neutral(cut(answer["reason"], TEXT))
    return numbered(answer, content)


def read(content: object, kinds: Mapping[str, Kind] = KINDS) -> Message | Command:
    """Read a message.

    Raises
    ------
    InvalidInput
        If it isn't one, is too long, or has a field too many, too few or of the wrong kind.
    UnknownName
        If there is no such kind of message.
    """
    if not isinstance(content, dict):
        raise InvalidInput("a message is an object with a kind")
    try:
        length = len(msgspec.json.encode(content))
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        raise InvalidInput("this message is not plain data") from None
    if length > MESSAGE:
        raise InvalidInput(f"this message has {length:,} bytes; at most {MESSAGE:,} are read")
    kind = content.get("kind")
    wanted = kinds.get(kind) if isinstance(kind, str) else None
    if wanted is None:
        raise UnknownName.of("kind of message", kind, kinds)
    try:
        return msgspec.convert(_in_place(wanted, content), wanted)
    except msgspec.ValidationError as error:
        raise InvalidInput(f"the message {kind!r} cannot be read: {cut(str(error), 300)}") from None


def _in_place(wanted: Kind, content: dict[str, object]) -> dict[str, object]:
    """Put what a call takes where the message keeps it, without the front end's own number."""
    rest = {key: value for key, value in content.items() if key != "id"}
    number = content.get("id")
    called = dict(zip(wanted.__struct_fields__, wanted.__struct_encode_fields__, strict=True))
    if "id" in called and isinstance(number, str):
        return {called["id"]: number, **rest}
    if number is not None and not is_number(number):
        raise InvalidInput(f"the message's id is {short(number)}; give a number")
    if "stats" in called:
        fields = {"kind", *called} - {"stats"}
        stats = {key: value for key, value in rest.items() if key not in fields}
        return {**{key: value for key, value in rest.items() if key in fields}, "stats": stats}
    return rest


_LOOKS = (Look, AskLog, AskPicture, AskRule, AskFar, AskThreats)
"""What is answered in the players' view and in the past as well."""

_ASKS = (AskChoices, AskCard, AskDownload, AskWay, AskArea, AskSpot)
"""What is answered in an exercise besides."""

_TRAVEL = (COMMANDS["undo"], COMMANDS["redo"])


def _leads(message: Message | Command) -> bool:
    """Check whether a call goes to a moment that it names."""
    return isinstance(message, _TRAVEL) and getattr(message, "to", None) is not None


def _check_open(vantage: Vantage, message: Message | Command) -> None:
    if vantage.players:
        raise InvalidInput("this is the players' view: you can only watch")
    if vantage.task is not None and not isinstance(message, (Command, At, *_ASKS)):
        raise InvalidInput("this is an exercise: nobody is its GM")
    if (
        vantage.past is not None
        and not _leads(message)
        and not isinstance(message, (At, Branch, Switch, DiceMode, AskMoment))
    ):
        raise InvalidInput("this is the past: you can't act here; go back to now first")
