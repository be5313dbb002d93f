"""How numbers and names are shown to people: a real minus sign, and no name that turns round what stands beside it."""

from __future__ import annotations

import re

_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that have no shape and set the direction of what follows them."""


def neutral(text: str) -> str:
    """Return text without the characters that would turn round what stands after it.

    Examples
    --------
    >>> neutral("Ma\u202era"), neutral("מרה")
    ('Mara', 'מרה')
    """
    return text if text.isascii() else _TURNING.sub("", text)


def signed(number: float, form: str = "") -> str:
    r"""Return a number as people write it: a minus sign before what is less than zero.

    Examples
    --------
    >>> signed(3, "+"), signed(-7) == "\N{MINUS SIGN}7"
    ('+3', True)
    """
    return format(number, form).replace("-", "\N{MINUS SIGN}")
