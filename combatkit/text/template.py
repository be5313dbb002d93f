"""A template: text with fields in braces, and brackets around what is left out where a field in it is empty."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import Any, NamedTuple

from combatkit.errors import InvalidInput
from combatkit.text.said import Said
from combatkit.text.shown import signed

_PIECES = re.compile(r"\[([^\[\]]*)\]|([^\[\]]+)|(.)", re.DOTALL)
_SPEC = re.compile(r"|\^|all|and|[^{|}]*\|[^{|}]*|\+?,?(?:\.[0-9])?[dfg%]?")
_LITERAL = re.compile(r"\{[^{}|]*\}|\{\w*:|[\[\]|}]")
_EMPTY: tuple[object, ...] = ("", None, (), [])

_COMMA = Said("names.comma", {})
_LAST = {"all": _COMMA, "and": Said("names.and", {})}
"""What stands before the last of several that are all named, by how that is asked for."""

Write = Callable[[object], str]
"""How a language writes a value."""


class _Piece(NamedTuple):
    """A piece of a template: each text with the field after it, if there is one, and how that is written.

    It is left out if a field that it `hangs` on is empty.
    """

    hangs: tuple[str, ...]
    parts: tuple[tuple[str, str | None, str], ...]


class Template:
    """A template, taken apart once.

    ``{left}`` stands for a field, ``{left:+}`` for a number with its sign, ``{left:hex|hexes}`` for one of two words by
    whether the number is one, ``{who:^}`` for a field with a capital letter first, ``{names:all}`` and ``{names:and}``
    for several that are all named. What stands in ``[`` and ``]`` is left out if a field in it is empty, or not given.

    Parameters
    ----------
    where : str
        What to call it in an error.
    text : str
        The text.

    Raises
    ------
    InvalidInput
        If a brace or a bracket is alone, or a field is to be written in a form that is none of these.

    Examples
    --------
    >>> template = Template("en.toml: loses", "loses {amount}[, {left} {left:point|points} left]")
    >>> template.fill({"amount": 3, "left": 1}, str), template.fill({"amount": 3, "left": None}, str)
    ('loses 3, 1 point left', 'loses 3')
    """

    __slots__ = ("_pieces", "fields", "literal", "whole")

    def __init__(self, where: str, text: str) -> None:
        pieces = []
        for optional, plain, stray in _PIECES.findall(text):
            try:
                parsed = [_field(*each) for each in Formatter().parse(optional or plain)]
            except ValueError as error:
                raise InvalidInput(f"{where}: {text!r} isn't a template: {error}") from None
            if stray or any(name == "" for _, name, _ in parsed):
                raise InvalidInput(f"{where}: {text!r} isn't a template; close each bracket, and name each field")
            hangs = tuple(name for _, name, _ in parsed if name) if optional else ()
            pieces.append(_Piece(hangs, tuple(parsed)))
        self._pieces = tuple(pieces)
        self.whole = text if not any(name for piece in pieces for _, name, _ in piece.parts) else None
        """The text itself, if nothing has to be filled in."""
        self.literal = _LITERAL.sub(" ", text)
        """What stands in it besides fields."""
        self.fields = frozenset(name for piece in pieces for _, name, _ in piece.parts if name)

    def fill(self, fields: Mapping[str, object], write: Write) -> str:
        """Return the text with its fields filled in, each value as `write` writes it."""
        said: list[str] = []
        for hangs, parts in self._pieces:
            for name in hangs:
                if fields.get(name) in _EMPTY:
                    break
            else:
                for before, field, spec in parts:
                    said.append(before)
                    if field:
                        value = fields[field]
                        said.append(_formed(value, spec, write) if spec else write(value))
        return "".join(said)


def _field(before: str, name: str | None, spec: str | None, conversion: str | None) -> tuple[str, str | None, str]:
    """Return a text and the field after it, if it is named and formed as a template can have it."""
    if conversion is not None or not _SPEC.fullmatch(spec or ""):
        raise ValueError(f"a field cannot be written as {conversion or spec!r}")
    if name and not name.isidentifier():
        raise ValueError(f"no field is called {name!r}")
    return before, name, spec or ""


def _formed(value: Any, spec: str, write: Write) -> str:
    """Return a value in the form its template asks for."""
    one, bar, many = spec.partition("|")
    if bar:
        return one if value == 1 else many
    if spec == "^":
        text = write(value)
        return text[:1].upper() + text[1:]
    return joined(value, spec, write) if spec in _LAST else signed(value, spec)


def joined(several: Sequence[object], spec: str, write: Write) -> str:
    """Return several with commas between, or with "and" before the last."""
    *first, last = map(write, several) if several else ("",)
    return write(_LAST[spec]).join([write(_COMMA).join(first), last] if first else [last])
