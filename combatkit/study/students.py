"""Who has done a lesson: names as people and machines write them."""

from __future__ import annotations

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
