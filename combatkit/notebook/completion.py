"""Tab completion in IPython: names and action ids as arguments of an encounter's methods, and names as its keys."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from inspect import signature
from types import FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from combatkit.fight.encounter import Encounter

_CALL = re.compile(r"(?P<object>[A-Za-z_][\w.]*)\.(?P<method>[A-Za-z_]\w*)\((?P<given>[^()]*)\Z")
_KEY = re.compile(r"(?P<object>[A-Za-z_][\w.]*)\[(?P<quote>['\"])(?P<start>[^'\"]*)\Z")
_ARGUMENT = re.compile(r"(?:(?P<keyword>[A-Za-z_]\w*)\s*=\s*)?\[?\s*(?P<quote>['\"])(?P<start>[^'\"]*)\Z")

_NAME, _ACTION, _VITAL, _CONDITION = "name", "action", "vital", "condition"

_WORDS = {
    **dict.fromkeys(("name", "names", "target", "before", "after", "to", "a", "b", "trigger.by"), _NAME),
    **dict.fromkeys(("surprised", "ties"), _NAME),
    **dict.fromkeys(("add.name", "join.name"), None),  # a new one
    "action": _ACTION,
    "offers": _ACTION,
    "vital": _VITAL,
    "condition.id": _CONDITION,
}
"""What an argument is, the same wherever it stands, unless its method is named with it."""

_KINDS = {"name": _NAME, "names": _NAME, "action": _ACTION}
"""What a parameter of an action is, by its kind."""


def complete(encounter: Encounter, line: str) -> tuple[str, tuple[str, ...]] | None:
    """Return what could end a line that stands in a string argument or key of an encounter.

    Parameters
    ----------
    encounter : Encounter
        Whose method it is.
    line : str
        What is typed, up to the cursor.

    Returns
    -------
    tuple or None
        What of the string is there already, and the whole strings it could become; None if there is nothing to offer.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("saga", seed=7)
    >>> _ = enc.add("Mara", side="rebels"), enc.add("Max", side="rebels")
    >>> complete(enc, 'enc.do("Ma')
    ('Ma', ('Mara', 'Max'))
    >>> complete(enc, 'enc.do("Mara", "att')
    ('att', ('attack', 'attack_of_opportunity'))
    """
    key = _KEY.search(line)
    if key is not None:
        return _matching(encounter.names, key["start"])
    call = _CALL.search(line)
    if call is None:
        return None
    before = _cut(call["given"])
    argument = _ARGUMENT.search(before[-1])
    if argument is None:
        return None
    name = argument["keyword"] or _at(getattr(type(encounter), call["method"], None), len(before) - 1)
    values = _values(encounter, _meant(encounter, call["method"], name))
    return None if values is None else _matching(values, argument["start"])


def _cut(given: str) -> list[str]:
    """Cut arguments at their commas; those inside a list or a string hold together."""
    parts, depth, quote = [""], 0, ""
    for letter in given:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "[{":
            depth += 1
        elif letter in "]}":
            depth -= 1
        elif letter == "," and not depth:
            parts.append("")
            continue
        parts[-1] += letter
    return parts


def _at(method: object, position: int) -> str:
    """Return the name of the argument of a method that stands at a position, if it is text."""
    if not isinstance(method, FunctionType):
        return ""
    _, *taken = (p for p in signature(method).parameters.values() if p.kind is not p.KEYWORD_ONLY)
    rest = (p for p in taken if p.kind is p.VAR_POSITIONAL)
    found = taken[position] if position < len(taken) else next(rest, None)
    return found.name if found is not None and "str" in found.annotation else ""


def _meant(encounter: Encounter, method: str, name: str) -> str | None:
    """Return what an argument is; one that no method names may be a parameter of the system's own."""
    for known in (f"{method}.{name}", name):
        if known in _WORDS:
            return _WORDS[known]
    spec = encounter.ruleset.parameters.get(name)
    return _KINDS.get(spec.kind) if spec is not None else None


def _values(encounter: Encounter, what: str | None) -> Iterable[str] | None:
    rules = encounter.ruleset
    if what == _NAME:
        return encounter.names
    if what == _ACTION:
        return rules.catalogue(encounter._state).ids()
    if what == _VITAL:
        return [vital.id for vital in rules.vitals]
    if what == _CONDITION:
        return sorted({effect.id for name in encounter.names for effect in encounter._state.fighters[name].effects})
    return None


def _matching(values: Iterable[str], start: str) -> tuple[str, tuple[str, ...]]:
    return start, tuple(value for value in values if value.startswith(start))


def offer() -> None:
    """Let the running IPython, if there is one, complete names and actions; once, however often it is asked."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None and hasattr(module, "get_ipython") else None
    matchers = getattr(getattr(shell, "Completer", None), "custom_matchers", None)
    if matchers is not None and not any(getattr(each, "__name__", "") == _MATCHER for each in matchers):
        matchers.append(_matcher(shell))


_MATCHER = "combatkit_matcher"


def _matcher(shell: Any) -> Any:
    from IPython.core.completer import SimpleCompletion, context_matcher

    @context_matcher()  # type: ignore[untyped-decorator]
    def combatkit_matcher(context: Any) -> Any:
        """Complete what stands in a string of an encounter's call."""
        from combatkit.fight.encounter import Encounter

        line = context.text_until_cursor
        found = _CALL.search(line) or _KEY.search(line)
        owner = _look_up(shell.user_ns, found["object"]) if found is not None else None
        done = complete(owner, line) if isinstance(owner, Encounter) else None
        if done is None:
            return {"completions": []}
        start, values = done
        # A name has spaces, and what counts as one word is the completer's to say.
        typed = start[: len(start) - len(context.token)] if start.endswith(context.token) else ""
        return {
            "completions": [SimpleCompletion(text=value[len(typed) :], type="string") for value in values],
            "matched_fragment": start[len(typed) :],
            "suppress": bool(values),
        }

    return combatkit_matcher


def _look_up(names: dict[str, Any], path: str) -> Any:
    """Find what a dotted name stands for, without running anything but attribute access."""
    first, *rest = path.split(".")
    found = names.get(first)
    for part in rest:
        found = getattr(found, part, None)
    return found
