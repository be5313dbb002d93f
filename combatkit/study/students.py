"""Who has done a lesson: names as people and machines write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from combatkit.core.plain import bare, own, short
from combatkit.errors import InvalidInput


def student_name(student: object) -> str:
    """Return what a student is called: in NFC, without spaces at the ends; a number as text.

    Examples
    --------
    >>> student_name(" anna "), student_name(7)
    ('anna', '7')
    """
    given = own(student)
    name = bare(str(given)) if isinstance(given, (str, int)) and type(given) is not bool else ""
    if not name:
        raise InvalidInput(f"student is {short(student)}; give a name or a number")
    return name


def numbered(names: Sequence[str], value: Any) -> Any:
    """Return plain data with numbers in the place of names: the same for a fight whose people are called otherwise.

    Examples
    --------
    >>> numbered(["Mara", "Guard 1"], {"who": "Guard 1", "aims": ["Mara", "Quay"]})
    {'who': 1, 'aims': [0, 'Quay']}
    """
    if isinstance(value, str):
        return names.index(value) if value in names else value
    if isinstance(value, Mapping):
        return {key: numbered(names, each) for key, each in value.items()}
    return [numbered(names, each) for each in value] if isinstance(value, (list, tuple)) else value
