"""Tab completion in IPython: names and ids inside a call's strings, and stats by their names.

Names in brackets, ``enc["Mara"]``, IPython asks `View` for itself.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import reduce
from inspect import signature
from types import ModuleType
from typing import Any

from combatkit.fight.view import View
from combatkit.registry import rulesets

_CALLED = re.compile(r"([A-Za-z_][\w.]*\.[A-Za-z_]\w*)\(")
_STRINGS = [(quote, f"{quote}{colon}{end})") for quote in "\"'" for colon in ("", ": 0") for end in ("", "]", "}", ")")]
"""What may end a line within a string, alone or in brackets, as one of several or as a key; and its quote."""

_WORDS = {
    **dict.fromkeys(("name", "names", "target", "before", "after", "to", "a", "b", "trigger.by"), "name"),
    **dict.fromkeys(("surprised", "ties", "damage.half", "heal.half"), "name"),
    **dict.fromkeys(("add.name", "join.name"), "new"),
    **dict.fromkeys(("action", "offers"), "action"),
    "vital": "vital",
    "condition.id": "condition",
    **dict.fromkeys(("Encounter.ruleset", "ruleset.id", "systems"), "ruleset"),
    "contrast.chosen": "topic",
    "scene.combatants": "scene",
}
"""What an argument is, the same in every call, unless its method is named with it."""

_STATED = ("add", "join", "edit")
"""The calls that take stats by their names."""


def complete(names: Mapping[str, object], line: str) -> tuple[str, tuple[str, ...]] | None:
    """Return what could complete a line inside a call of an encounter or of combatkit.

    Parameters
    ----------
    names : mapping of str to object
        What names mean where it is typed.
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
    >>> complete({"enc": enc}, 'enc.do("Ma')
    ('Ma', ('Mara', 'Max'))
    >>> complete({"enc": enc}, 'enc.do("Mara", "att')
    ('att', ('attack', 'attack_of_opportunity'))
    >>> complete({"enc": enc}, 'enc.add("Vex", side="empire", attack_')
    ('attack_', ('attack_bonus=',))
    >>> complete({"ck": ck}, 'ck.Encounter("saga", options={"tra')
    ('tra', ('trade_down',))
    """
    typed = _typed(line)
    if typed is None:
        return None
    called, call, start = typed
    first, *rest, method = called.split(".")
    owner = reduce(lambda found, part: getattr(found, part, None), rest, names.get(first))
    values = _values(owner, method, call, start)
    return None if values is None else (start, tuple(value for value in values if value.startswith(start)))


def _typed(line: str) -> tuple[str, ast.Call, str] | None:
    """Return what a line ends in: what is called, the call closed as if no more came, and the word at the cursor."""
    for called in reversed([*_CALLED.finditer(line)]):
        for quote, end in (*_STRINGS, ("", "_=0)")):  # the last makes a keyword's name of the word
            with suppress(SyntaxError):
                call = ast.parse(f"_{line[called.end() - 1 :]}{end}", mode="eval").body
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                    return called[1], call, line.rpartition(quote)[2] if quote else str(call.keywords[-1].arg)[:-1]
    return None


def _values(owner: object, method: str, call: ast.Call, start: str) -> Iterable[str] | None:
    """Return what may stand where something is typed, whatever it begins with."""
    fight = owner if isinstance(owner, View) else None
    is_kit = isinstance(owner, ModuleType) and owner.__name__ == __name__.partition(".")[0]
    if fight is None and not is_kit:
        return None
    given = [*call.args, *(each.value for each in call.keywords)]
    name = call.keywords[-1].arg if call.keywords else _at(owner, method, len(call.args) - 1)
    if name == f"{start}_":
        if fight is None or method not in _STATED or not call.args:
            return None
        return [
            f"{stat.name}=" for stat in fight.ruleset.stats if stat.name not in {each.arg for each in call.keywords}
        ]
    match given[-1]:
        case ast.Dict() | ast.Set() as typed if name == "options":
            chosen = ast.unparse(given[0])
            known = [fight.ruleset] if fight is not None else [each for each in rulesets() if repr(each.id) == chosen]
            options = known[0].options if known else {}
            match typed:
                case ast.Dict(keys=[*_, ast.Constant(str(id))], values=[*_, ast.Constant(str())]):
                    return [each for each in options[id].values if isinstance(each, str)] if id in options else None
            return options or None
        case ast.Constant() | ast.List() | ast.Tuple():
            return _of(fight, _WORDS.get(f"{method}.{name}") or _WORDS.get(name or "", name))
    return None


def _of(fight: View | None, what: str | None) -> Iterable[str] | None:
    """Return all there is of something; one that no method names may be a parameter of the system's actions."""
    match what:
        case "ruleset":
            return [rules.id for rules in rulesets()]
        case "topic":
            from combatkit.study.differences import topics

            return topics()
        case "scene":
            from combatkit.study.scenes import scenes_of_kit

            return scenes_of_kit()
        case _ if fight is None:
            return None
        case "name" | "names":
            return fight.names
        case "action":
            return fight.ruleset.catalogue(fight._state).ids()
        case "vital":
            return [vital.id for vital in fight.ruleset.vitals]
        case "condition":
            return sorted({effect.id for each in fight._state.fighters.values() for effect in each.effects})
    spec = fight.ruleset.parameters.get(what or "")
    return _of(fight, spec.kind) if spec is not None and spec.kind in ("name", "names", "action") else None


def _at(owner: object, method: str, position: int) -> str | None:
    """Return the name of the argument at a position of a function or method."""
    found = getattr(owner, method, None)
    if not callable(found):
        return None
    taken = [each for each in signature(found).parameters.values() if each.kind is not each.KEYWORD_ONLY]
    meant = taken[min(position, len(taken) - 1)] if taken else None
    return meant.name if meant is not None and "str" in str(meant.annotation) else None


def add_matcher(shell: Any) -> None:
    """Let a running shell complete words in calls of encounters and of combatkit."""
    from IPython.core.completer import SimpleCompletion, context_matcher

    @context_matcher()  # type: ignore[untyped-decorator]
    def combatkit_matcher(context: Any) -> object:
        """Complete a word inside a call of an encounter or of combatkit."""
        start, values = complete(shell.user_ns, context.text_until_cursor) or ("", ())
        kind = "param" if any(value.endswith("=") for value in values) else "string"
        return {
            "completions": [SimpleCompletion(text=value, type=kind) for value in values],
            "matched_fragment": start,
            "suppress": bool(values) and kind == "string",
        }

    matchers = getattr(getattr(shell, "Completer", None), "custom_matchers", None)
    if matchers is not None:
        matchers.append(combatkit_matcher)
