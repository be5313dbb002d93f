"""Tab completion in IPython: names and ids inside a call's strings, and stats by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from inspect import signature
from types import FunctionType, ModuleType
from typing import Any

from combatkit.fight.view import View
from combatkit.registry import rulesets
from combatkit.rules.ruleset import Ruleset

_CALL = re.compile(r"(?P<object>[A-Za-z_][\w.]*)\.(?P<method>[A-Za-z_]\w*)\((?P<given>[^()]*)\Z")
_KEY = re.compile(r"(?P<object>[A-Za-z_][\w.]*)\[(?P<quote>['\"])(?P<start>[^'\"]*)\Z")
_STRING = r"(?P<quote>['\"])(?P<start>[^'\"]*)\Z"
_ARGUMENT = re.compile(rf"(?:(?P<keyword>[A-Za-z_]\w*)\s*=\s*)?[\[(]?\s*{_STRING}")
_OPTIONS = re.compile(r"\s*options\s*=\s*\{(?P<given>.*)\Z", re.DOTALL)
_PAIR = re.compile(rf"\s*(?:(?P<mark>['\"])(?P<key>\w+)(?P=mark)\s*:\s*)?{_STRING}")
_WORD = re.compile(r"\s*(?P<start>[A-Za-z_]\w*)?\Z")
_FIRST = re.compile(r"\s*(?:ruleset\s*=\s*)?(['\"])(?P<id>\w+)\1\s*,")

_NAME, _ACTION, _VITAL, _CONDITION = "name", "action", "vital", "condition"
_RULESET, _TOPIC, _SCENE = "ruleset", "topic", "scene"

_WORDS = {
    **dict.fromkeys(("name", "names", "target", "before", "after", "to", "a", "b", "trigger.by"), _NAME),
    **dict.fromkeys(("surprised", "ties", "damage.half", "heal.half"), _NAME),
    **dict.fromkeys(("add.name", "join.name"), None),  # a new one
    "action": _ACTION,
    "offers": _ACTION,
    "vital": _VITAL,
    "condition.id": _CONDITION,
    **dict.fromkeys(("Encounter.ruleset", "ruleset.id", "systems"), _RULESET),
    "contrast.chosen": _TOPIC,
    "scene.combatants": _SCENE,
}
"""What an argument is, the same in every call, unless its method is named with it."""

_KINDS = {"name": _NAME, "names": _NAME, "action": _ACTION}
"""What a parameter of an action is, by its kind."""

_STATED = ("add", "join", "edit")
"""The calls that take stats by their names."""


def complete(owner: View | ModuleType, line: str) -> tuple[str, tuple[str, ...]] | None:
    """Return what could complete a line inside a call of an encounter or of combatkit, or inside a key.

    Parameters
    ----------
    owner : View or module
        Whose call it is.
    line : str
        What is typed, up to the cursor.

    Returns
    -------
    tuple or None
        The part of the word already typed, and the whole words it could become; None if there is nothing to offer.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("saga", seed=7)
    >>> _ = enc.add("Mara", side="rebels"), enc.add("Max", side="rebels")
    >>> complete(enc, 'enc.do("Ma')
    ('Ma', ('Mara', 'Max'))
    >>> complete(enc, 'enc.do("Mara", "att')
    ('att', ('attack', 'attack_of_opportunity'))
    >>> complete(enc, 'enc.add("Vex", side="empire", attack_')
    ('attack_', ('attack_bonus=',))
    >>> complete(ck, 'ck.Encounter("saga", options={"tra')
    ('tra', ('trade_down',))
    """
    fight = owner if isinstance(owner, View) else None
    key = _KEY.search(line)
    if key is not None and fight is not None:
        return _matching(fight.names, key["start"])
    call = _CALL.search(line)
    if call is None:
        return None
    before = _cut(call["given"])
    options = _OPTIONS.match(before[-1])
    if options is not None:
        return _option(fight, call["given"], options["given"])
    argument = _ARGUMENT.search(before[-1])
    if argument is None:
        return _stat(fight, call["method"], before)
    name = argument["keyword"] or _at(_method(owner, call["method"]), len(before) - 1)
    values = _values(fight, _meant(fight, call["method"], name))
    return None if values is None else _matching(values, argument["start"])


def _option(fight: View | None, given: str, typed: str) -> tuple[str, tuple[str, ...]] | None:
    """Complete an option's id or value inside a mapping of options, for the ruleset that the call begins with."""
    pair = _PAIR.match(_cut(typed)[-1])
    rules = fight.ruleset if fight is not None else _named(given)
    if pair is None or rules is None:
        return None
    setting = rules.options.get(pair["key"] or "")
    values = [v for v in setting.values if isinstance(v, str)] if setting is not None else list(rules.options)
    return _matching(values if setting is not None or not pair["key"] else (), pair["start"])


def _named(given: str) -> Ruleset | None:
    """Return the ruleset that a call names first."""
    first = _FIRST.match(given)
    return next((rules for rules in rulesets() if first is not None and rules.id == first["id"]), None)


def _stat(fight: View | None, method: str, before: list[str]) -> tuple[str, tuple[str, ...]] | None:
    """Complete a stat's name where a call takes stats, besides what IPython knows about the call itself."""
    word = _WORD.match(before[-1])
    if fight is None or method not in _STATED or len(before) < 2 or word is None:
        return None
    given = {each.partition("=")[0].strip() for each in before}
    return _matching((f"{stat.name}=" for stat in fight.ruleset.stats if stat.name not in given), word["start"] or "")


def _cut(given: str) -> list[str]:
    """Cut arguments at their commas, but not inside a list or a string."""
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


def _method(owner: object, name: str) -> object:
    """Return what is called, as it is defined: a module's own function, or a class's constructor."""
    found = getattr(owner if isinstance(owner, ModuleType) else type(owner), name, None)
    return found.__init__ if isinstance(found, type) else found  # type: ignore[misc]


def _at(method: object, position: int) -> str:
    """Return the name of the argument at a position of a method or function, if it is text."""
    if not isinstance(method, FunctionType):
        return ""
    taken = [p for p in signature(method).parameters.values() if p.kind is not p.KEYWORD_ONLY and p.name != "self"]
    rest = (p for p in taken if p.kind is p.VAR_POSITIONAL)
    found = taken[position] if position < len(taken) else next(rest, None)
    return found.name if found is not None and "str" in found.annotation else ""


def _meant(fight: View | None, method: str, name: str) -> str | None:
    """Return what an argument is; one that no method names may be one of the system's own parameters."""
    for known in (f"{method}.{name}", name):
        if known in _WORDS:
            return _WORDS[known]
    spec = fight.ruleset.parameters.get(name) if fight is not None else None
    return _KINDS.get(spec.kind) if spec is not None else None


def _values(fight: View | None, what: str | None) -> Iterable[str] | None:
    match what:
        case "ruleset":
            return [rules.id for rules in rulesets()]
        case "topic":
            from combatkit.study.differences import topics

            return topics()
        case "scene":
            from combatkit.study.scenes import scenes_of_kit

            return scenes_of_kit()
    if fight is None:
        return None
    match what:
        case "name":
            return fight.names
        case "action":
            return fight.ruleset.catalogue(fight._state).ids()
        case "vital":
            return [vital.id for vital in fight.ruleset.vitals]
        case "condition":
            return sorted({effect.id for name in fight.names for effect in fight._state.fighters[name].effects})
    return None


def _matching(values: Iterable[str], start: str) -> tuple[str, tuple[str, ...]]:
    return start, tuple(value for value in values if value.startswith(start))


def add_matcher(shell: object) -> None:
    """Let a running shell complete words in calls of encounters and of combatkit."""
    matchers = getattr(getattr(shell, "Completer", None), "custom_matchers", None)
    if matchers is not None:
        matchers.append(_matcher(shell))


def _matcher(shell: Any) -> object:
    from IPython.core.completer import SimpleCompletion, context_matcher

    @context_matcher()  # type: ignore[untyped-decorator]
    def combatkit_matcher(context: Any) -> object:
        """Complete a word inside a call of an encounter or of combatkit."""
        line = context.text_until_cursor
        found = _CALL.search(line) or _KEY.search(line)
        owner = _look_up(shell.user_ns, found["object"]) if found is not None else None
        is_kit = isinstance(owner, ModuleType) and owner.__name__ == __name__.partition(".")[0]
        done = complete(owner, line) if owner is not None and (is_kit or isinstance(owner, View)) else None
        if done is None:
            return {"completions": []}
        start, values = done
        kind = "string" if all(not value.endswith("=") for value in values) else "param"
        # A name has spaces, and what counts as one word is the completer's to say.
        typed = start[: len(start) - len(context.token)] if start.endswith(context.token) else ""
        return {
            "completions": [SimpleCompletion(text=value[len(typed) :], type=kind) for value in values],
            "matched_fragment": start[len(typed) :],
            "suppress": bool(values) and kind == "string",
        }

    return combatkit_matcher


def _look_up(names: dict[str, object], path: str) -> Any:
    """Find what a dotted name refers to, without running anything but attribute access."""
    first, *rest = path.split(".")
    found = names.get(first)
    for part in rest:
        found = getattr(found, part, None)
    return found
