"""What is said, before it is words: the id of a template and what it is filled with."""

from __future__ import annotations

from msgspec import Struct


class Title(str):
    """A word of the rules that a language may have its own for: a title, a verb, the name of a condition."""

    __slots__ = ()


class Said(Struct, frozen=True, gc=False):
    """A template, and what fills it.

    Parameters
    ----------
    id : str
        The template's id.
    fields : dict
        What fills it: numbers, names, a `Title`, lists of those, or something else that is said.
    of : str, optional
        What it is said of, where a language may say it otherwise of that: the template ``id.of`` goes before ``id``.
    """

    id: str
    fields: dict[str, object]
    of: str = ""


PLAIN = "plain"
"""The template of what a person, or the data of a ruleset, says in full."""


def say(id: str, /, *, of: str = "", **fields: object) -> Said:
    """Return what is said by a template, filled with fields.

    Examples
    --------
    >>> say("vital.loses", amount=3, vital="hp", left=4)
    Said(id='vital.loses', fields={'amount': 3, 'vital': 'hp', 'left': 4}, of='')
    """
    return Said(id, fields, of)
