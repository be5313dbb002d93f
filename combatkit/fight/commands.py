"""Calls of an encounter as plain data: a message may give what the method takes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from inspect import BoundArguments, Parameter, Signature, signature
from typing import Any, ClassVar

from msgspec import Struct, defstruct, field

from combatkit.errors import InvalidInput
from combatkit.fight.fight import Encounter

Names = str | list[str]
Rolls = list[int] | dict[str, int | list[int]] | None

_PLAIN: dict[object, object] = {
    "rolls": Rolls,
    "offers": Names,
    "source": list[dict[str, Any]],
    object: Any,
    Iterable[str]: list[str],
    str | Iterable[str]: Names,
    str | Iterable[str] | None: Names | None,
    str | Mapping[str, object]: str | dict[str, Any],
}
"""What an argument is as plain data, by its name or its type, where the method takes more."""


class Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """A call with its arguments, checked for their form only; the method checks what they say."""

    call: ClassVar[str]
    takes: ClassVar[Signature]

    def run(self, fight: Encounter) -> None:
        """Make the call.

        Raises
        ------
        CombatkitError
            As the method does; or if an argument beside an action's parameters is given among them as well.
        """
        given = OrderedDict[str, Any](self=fight)
        for argument in _arguments(self.takes):
            value = getattr(self, argument.name)
            alone = argument.kind is argument.VAR_POSITIONAL and isinstance(value, str)
            given[argument.name] = [value] if alone else value
        _check_once(given.get("params", {}), given)
        bound = BoundArguments(self.takes, given)
        getattr(fight, self.call)(*bound.args[1:], **bound.kwargs)


def _arguments(takes: Signature) -> list[Parameter]:
    return list(takes.parameters.values())[1:]


def _check_once(params: dict[str, object], given: dict[str, object]) -> None:
    """Refuse an action's parameters that are arguments of the call."""
    if "target" in params and given["target"] is not None:
        raise InvalidInput("the target is given twice: beside params and inside")
    for taken in ("rolls", "note", "override"):
        if taken in params:
            raise InvalidInput(f"{taken} goes beside params, not inside")


def _command(call: str) -> type[Command]:
    """Return the struct of a call: a field for each argument of the method."""
    method = getattr(Encounter, call)
    takes = signature(method, eval_str=True)
    about = {"call": call, "takes": takes, "__doc__": method.__doc__}
    fields = [_field(call, argument) for argument in _arguments(takes)]
    made: type[Any] = defstruct(call, fields, bases=(Command,), namespace=about, module=__name__, frozen=True, tag=call)
    return made


def _field(call: str, argument: Parameter) -> tuple[str, object, object]:
    """Return a field; an `id` is named after what it identifies, since a message has a number of that name."""
    called = call.removeprefix("add_") if argument.name == "id" else None
    if argument.kind is argument.VAR_KEYWORD:
        return argument.name, dict[str, Any], field(default_factory=dict)
    if argument.kind is argument.VAR_POSITIONAL:
        return argument.name, Names, ()
    kind = _PLAIN.get(argument.name, _PLAIN.get(argument.annotation, argument.annotation))
    if argument.default is argument.empty:
        return argument.name, kind, field(name=called)
    return argument.name, kind, field(default=argument.default, name=called)


COMMANDS = {
    call: _command(call)
    for call in (
        "do", "end_turn", "next_round", "finish", "resolve", "trigger", "undo", "redo", "adjust", "damage", "heal",
        "temporary", "condition", "place", "add", "edit", "reveal", "join", "another", "leave", "start", "add_table",
    )
}  # fmt: skip
"""The calls that change a fight and neither name a file nor return another fight."""
