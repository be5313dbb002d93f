"""What a goal asks for, as data: each part names one thing that can be seen in a fight."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from combatkit.core.model import Event
from combatkit.core.plain import own, short
from combatkit.errors import InvalidInput, UnknownName, within
from combatkit.fight.view import View
from combatkit.rules.judge import never_aimed
from combatkit.rules.ladder import STATUSES
from combatkit.rules.params import find_action
from combatkit.rules.weapons import said_spot
from combatkit.study.deeds import deed_of
from combatkit.text.words import read_toml

Events = tuple[Event, ...]
Part = dict[str, Any]


def _does(view: View, events: Events, who: str, action: str, target: str | None = None, times: int = 1) -> bool:
    """Check whether somebody has done something so often since the moment, and not taken it back."""
    done = [e for e in events if e.kind == "action" and (e.actor, e.action) == (who, action)]
    return sum(target in (None, e.target) for e in done) >= times


def _before(view: View, events: Events, who: str, other: str) -> bool:
    """Check whether somebody has acted, and the other has not acted before; to wait is not to act."""
    actions = view.ruleset.catalogue(view._state)
    done = [e for e in events if e.kind == "action" and "wait" not in actions[e.action or ""].tags]
    acting = [e.actor for e in done if e.actor in (who, other)]
    return acting[:1] == [who]


def _keeps(view: View, events: Events, who: str, slot: str, least: int = 1) -> bool:
    """Check whether somebody has so much left of a slot."""
    found = view.budget(who)[slot]
    return found.unlimited or found.left >= least


def _active(view: View, events: Events, who: str) -> bool:
    """Check whether it is somebody's turn."""
    return view.active == who


def _round(view: View, events: Events, least: int) -> bool:
    """Check whether a round has been reached."""
    return (view._state.round or 0) >= least


def _has(view: View, events: Events, who: str, condition: str, on: bool = True) -> bool:
    """Check whether somebody has a condition, or not."""
    return (view._fighter(who).effect(condition) is not None) is on


def _status(view: View, events: Events, who: str, status: str) -> bool:
    """Check how somebody stands in the turn order."""
    return any(rung.combatant == who and rung.status == status for rung in view.order)


def _stands(view: View, events: Events, who: str, at: Any) -> bool:
    """Check whether somebody stands at a place."""
    here: object = view._fighter(who).position
    return here == view._spot(at)


def _provoked(view: View, events: Events, who: str, most: int) -> bool:
    """Check whether so many at most might have attacked somebody as they moved, whatever was made of that.

    Each move is foreseen again as things stood before it: what the table said meanwhile changes nothing.
    """
    asked: list[str] = []
    for event in events:
        if event.kind == "action" and event.actor == who and "to" in event._data.get("params", {}):
            before = _before_it(view, event)
            seen = before.foresee(who, event.action or "", **event._data["params"])
            asked += dict.fromkeys(each.who for each in seen.asked if each.who in view.names)
    return len(asked) <= most


def _before_it(view: View, event: Event) -> View:
    """Return the fight as it was before an event."""
    fight: Any = view._fight
    before: View = fight.at(event.seq - 1)
    return before


KINDS: dict[str, Callable[..., bool]] = {
    "does": _does, "before": _before, "keeps": _keeps, "active": _active, "round": _round, "has": _has,
    "status": _status, "stands": _stands, "provoked": _provoked,
}  # fmt: skip
"""Every kind of thing that a goal can ask for."""

_BESIDE = ("kind", "no", "words", "rule")
"""What any part may have beside what its kind takes."""


def met(part: Part, view: View, events: Events) -> bool:
    """Check whether a part of a goal is met.

    Parameters
    ----------
    part : dict
        One that `checked` has passed.
    view : View
        The fight as it stands.
    events : tuple of Event
        What has happened since the moment and still stands.
    """
    given = {key: value for key, value in part.items() if key not in _BESIDE}
    return KINDS[part["kind"]](view, events, **given) is not part.get("no", False)


def aside(part: Part, view: View, events: Events) -> str:
    """Say what helps with a part that is not met: where somebody stands instead, or that their turn is over."""
    tell = view.ruleset.languages[view._state.language].tell
    if part["kind"] == "stands" and not part.get("no"):
        here = view._fighter(part["who"]).position
        return "" if here is None else tell(words()["part"]["here"], who=part["who"], at=said_spot(here))
    missed = _missed(part, view, events)
    return tell(words()["part"][missed], who=part["who"]) if missed else ""


def _missed(part: Part, view: View, events: Events) -> str:
    """Return how a turn passed without what is asked, which only Undo brings back: `late`, `idle` or ``""``."""
    who = part.get("who")
    if part["kind"] not in ("does", "before") or part.get("no"):
        return ""
    if not any(e.kind == "turn_end" and e.actor == who for e in events):
        return ""
    if any(rung.combatant == who and rung.status not in _OVER for rung in view.order):
        return ""
    if part["kind"] == "before":
        return "" if any(e.kind == "action" and e.actor == who for e in events) else "idle"
    return "late" if view.ruleset.catalogue(view._state)[part["action"]].when == "own turn" else ""


_OVER = ("acted", "readied", "out")
"""How somebody stands whose turn doesn't come again in this round."""


# ── as it is written ──


def checked(parts: object, view: View) -> tuple[Part, ...]:
    """Return the parts of a goal, each with what it asks for in words, and the rule behind it.

    Parameters
    ----------
    parts : mapping, or iterable of mappings
        Each has a `kind` and what that kind takes; with ``no=True`` it must not be so. `words` say what is missing as
        long as it is not met, `rule` why.
    view : View
        The moment it starts from.

    Raises
    ------
    InvalidInput, UnknownName
        If a part is of no kind there is, lacks something, or names what is not there.
    """
    given = own(parts)
    listed = [given] if isinstance(given, Mapping) else given
    if not isinstance(listed, (list, tuple)) or not listed:
        raise InvalidInput(f"exercise: the goal is {short(parts)}; give a part such as {EXAMPLE}, or several")
    return tuple(_part(each, view, f"part {number} of the goal") for number, each in enumerate(listed, 1))


EXAMPLE = "{'kind': 'does', 'who': 'Mara', 'action': 'move'}"


def _part(given: Any, view: View, where: str) -> Part:
    if not isinstance(given, Mapping):
        raise InvalidInput(f"exercise: {where} is {short(given)}; give a mapping such as {EXAMPLE}")
    kind = given.get("kind")
    if kind is None:
        raise InvalidInput(f"exercise: {where} has no kind, only {_listed(given)}; give one of {_listed(KINDS)}")
    if not isinstance(kind, str) or kind not in KINDS:
        with within(f"exercise: {where}"):
            raise UnknownName.of("kind of a goal", kind, KINDS)
    part = dict(given)
    takes = dict(list(signature(KINDS[kind]).parameters.items())[2:])
    if more := [key for key in part if key not in (*_BESIDE, *takes)]:
        raise InvalidInput(f"exercise: {where}: {kind} doesn't take {_listed(more)}; it takes {_listed(takes)}")
    if lacks := [key for key, each in takes.items() if each.default is Parameter.empty and key not in part]:
        raise InvalidInput(f"exercise: {where}: {kind} needs {_listed(lacks)}")
    with within(f"exercise: {where}"):
        for key, value in given.items():
            _CHECKS[key](view, part, value)
    said = said_of(view, part)
    words = view.ruleset.languages[view._state.language].own(part.get("words") or said["lacks"])
    return {**part, "words": words, "rule": part.get("rule") or _rule_of(view, part)}


def _listed(words: Any) -> str:
    return ", ".join(map(str, words))


def _check_name(view: View, part: Part, value: object) -> None:
    if value is not None and value not in view.names:
        raise UnknownName.of("combatant", value, view.names)


def _check_action(view: View, part: Part, value: object) -> None:
    action = find_action(view.ruleset, view._state, value)
    part["action"] = action.id
    if part.get("who") in view.names and part.get("target") in view.names:
        for objection in never_aimed(view._fighter(part["who"]), action, [part["target"]]):
            raise InvalidInput(f"{objection.reason} Give another target")


def _check_slot(view: View, part: Part, value: object) -> None:
    slots = [slot.id for slot in view.budget(part["who"])] if part.get("who") in view.names else []
    if value not in slots:
        raise UnknownName.of("slot", value, slots)
    slot, least = view.budget(part["who"])[value], part.get("least", 1)
    if type(least) is int and not (slot.unlimited or part.get("no")) and least > slot.total:
        raise InvalidInput(f"{part['who']} never has more than {slot.total} of {slot.title}; give least={slot.total}")


def _check_condition(view: View, part: Part, value: object) -> None:
    known = [each.id for each in view.ruleset.conditions]
    held = [effect.id for fighter in view._state.fighters.values() for effect in fighter.effects]
    if value not in (*known, *held):
        raise UnknownName.of("condition", value, list(dict.fromkeys([*known, *held])))


def _check_status(view: View, part: Part, value: object) -> None:
    known = [*STATUSES, *(each.status for each in view.ruleset.conditions if each.status)]
    if value not in known:
        raise UnknownName.of("status", value, list(dict.fromkeys(known)))


def _check_rule(view: View, part: Part, value: object) -> None:
    if value and value not in view.ruleset.rules:
        raise UnknownName(
            f"unknown rule {short(value)}: give the id of one of {view.ruleset.id}, such as enc.can(...).rule has, or "
            f"leave it out: {', '.join(view.ruleset.rules.ids()[:2])}, ..."
        )


def _check_count(view: View, part: Part, value: object) -> None:
    if type(value) is not int or value < 1:
        raise InvalidInput(f"{short(value)} is no number of times; give a whole number from 1 up")


def _check_most(view: View, part: Part, value: object) -> None:
    if type(value) is not int or value < 0:
        raise InvalidInput(f"most is {short(value)}; give a whole number from 0 up")


def _check_place(view: View, part: Part, value: object) -> None:
    view._spot(value)
    if part.get("who") in view.names and view._fighter(part["who"]).position is None:
        raise InvalidInput(
            f"{part['who']} stands nowhere in this fight, so no place can be reached; take a moment of one in which "
            "people are placed, such as encounter(..., places=True)"
        )


def _check_flag(view: View, part: Part, value: object) -> None:
    if type(value) is not bool:
        raise InvalidInput(f"{short(value)} is neither; give True or False")


def _check_words(view: View, part: Part, value: object) -> None:
    if not isinstance(value, str):
        raise InvalidInput(f"words is {short(value)}; give a sentence")


def _known(view: View, part: Part, value: object) -> None:
    """Let it be: it has been looked at before."""


_CHECKS: dict[str, Callable[[View, Part, Any], None]] = {
    **dict.fromkeys(("who", "other", "target"), _check_name),
    **dict.fromkeys(("times", "least"), _check_count),
    **dict.fromkeys(("on", "no"), _check_flag),
    "kind": _known,
    "at": _check_place,
    "most": _check_most,
    "action": _check_action,
    "slot": _check_slot,
    "condition": _check_condition,
    "status": _check_status,
    "rule": _check_rule,
    "words": _check_words,
}


def _rule_of(view: View, part: Part) -> str:
    """Return the rule that what is asked for rests on, if it is something that somebody does."""
    action = view.ruleset.catalogue(view._state).get(part.get("action", ""))
    return action.cited[0] if action is not None and action.cited else ""


# ── in words ──


@cache
def words() -> dict[str, Any]:
    """Return what an exercise says, by part and id."""
    return read_toml(Path(__file__).with_name("words.toml"))


def said_of(view: View, part: Part) -> dict[str, str]:
    """Return what a part asks for, as a sentence, and what is said while it lacks."""
    no = bool(part.get("no", False)) is (part.get("on", True) is True)
    said = words()["not" if no else "goal"][part["kind"]]
    language, aside = view.ruleset.languages[view._state.language], words()["part"]
    titles = {key: str(value).replace("_", " ") for key, value in part.items() if key in ("condition", "status")}
    deed = ""
    if "action" in part:
        action = view.ruleset.catalogue(view._state)[part["action"]]
        target = part.get("target") or ""
        deed = deed_of(view, action, f" {language.tell(aside['target'], target=target)}" if target else "", target)
    if "slot" in part:
        titles["slot"] = view.budget(part["who"])[part["slot"]].title
    fields: dict[str, object] = {
        "times": f" {language.tell(aside['times'], times=part['times'])}" if part.get("times", 1) > 1 else "",
        "deed": deed,
        "least": part.get("least", 1),
        **{key: part[key] for key in ("who", "other", "most") if key in part},
        "at": said_spot(view._spot(part["at"])) if "at" in part else "",
        **{key: language.word(title) for key, title in titles.items()},
    }
    return {key: language.tell(each, **fields) for key, each in said.items()}
