"""The errors combatkit raises: one family, each saying what was wrong, where, and what would be right."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

    from combatkit.core.model import Ruling


class CombatkitError(Exception):
    """The root of everything combatkit raises on purpose.

    A notebook shows where your own code led to it; ``%xmode Verbose`` shows the way through the library as well.
    """

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows of it."""
        from combatkit.notebook.tracebacks import rendered

        return rendered(self)


class IllegalAction(CombatkitError):
    """A call that the rules refuse; nothing has changed.

    Parameters
    ----------
    ruling : Ruling
        Why it is refused, and under which rule.
    """

    def __init__(self, ruling: Ruling) -> None:
        self.ruling = ruling
        super().__init__(f"{ruling.reason} [{ruling.rule}]" if ruling.rule else ruling.reason)

    def say(self, ruling: Ruling) -> None:
        """Give the ruling in other words."""
        self.args = (str(self.args[0]).replace(self.ruling.reason, ruling.reason),)
        self.ruling = ruling

    def __reduce__(self) -> tuple[type[IllegalAction], tuple[Ruling], dict[str, object]]:
        """Pickle the ruling and the notes, so that a worker's refusal reaches its caller whole."""
        return (IllegalAction, (self.ruling,), self.__dict__)


class UnknownName(CombatkitError):
    """An unknown name: of a combatant, action, stat, option, ruleset or parameter."""

    @classmethod
    def of(cls, what: str, name: object, known: Iterable[str], *, owner: str = "", where: str = "") -> UnknownName:
        """Say which name is unknown and name the nearest known ones.

        Parameters
        ----------
        what : str
            What kind of thing was asked for, such as ``"combatant"``.
        name : object
            The name as it was given.
        known : iterable of str
            The names that would have been right.
        owner : str
            Who or what has those, if that need be said.
        where : str
            Where it was given, if that need be said.
        """
        lead = f"{owner} has no {what}" if owner else f"unknown {what}"
        place = f"{where}: " if where else ""
        return cls(f"{place}{lead} {short(name)}: {_nearest(name, list(known))}")


class InvalidInput(CombatkitError):
    """A bad value: of the wrong type, out of range, or in a broken row."""


@contextmanager
def within(where: str) -> Iterator[None]:
    """Say of anything refused inside where it stands; the class of the error stays the same.

    Raises
    ------
    CombatkitError
        What was raised inside, with the place in front.
    """
    try:
        yield
    except CombatkitError as error:
        error.args = (f"{where}: {error}",)
        raise


class JournalError(CombatkitError):
    """A journal that cannot be written or read."""


class InterruptedCall(UserWarning):
    """A call was interrupted after it had reached the journal: it counts, and has been read from there."""


class DamagedJournal(UserWarning):
    """A journal is not as it was written: what fits has been read, and the warning says the rest."""


def warn(warning: str | Warning) -> None:
    """Warn, and point to the line outside the package that led here: the user's own."""
    level, frame = 1, sys._getframe()  # Python 3.12 can do this by `skip_file_prefixes`
    while frame.f_back is not None and is_own(frame):
        level, frame = level + 1, frame.f_back
    warnings.warn(warning, stacklevel=level)


def is_own(frame: FrameType) -> bool:
    """Check whether a frame runs code of the package."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == __package__


def short(value: object) -> str:
    """Say a value in a message, cut if it is long."""
    try:
        words = repr(value)
    except (RecursionError, ValueError):  # nested too deeply, or a number of thousands of digits
        return f"a {type(value).__name__} too large to show"
    return words if len(words) <= 80 else f"{words[:60]}... ({len(words)} characters)"


def clipped(words: str) -> str:
    """Return what another library's error says, cut if it is long: it may contain the whole input."""
    return words if len(words) <= 300 else f"{words[:280]}... ({len(words)} characters)"


_LOOKED = 60
"""How much of an unknown name is compared with the known ones."""

_ALIKE = 0.7
"""How much alike a name must be to be the one that was meant; less makes "count" of "con"."""

_BETWEEN = re.compile(r"[\W_]+")
"""What stands between the words of a name."""


def close_to(name: str, known: Iterable[str], most: int, least: float) -> list[str]:
    """Return the known names that are most like one, by how much alike they are at least: 0 to 1."""
    from difflib import get_close_matches

    return get_close_matches(name, list(known), n=most, cutoff=least)


def _said_shorter(name: str, known: Iterable[str]) -> list[str]:
    """Return the first known names that have all words of one: "Baron Vex" for "Vex"."""
    words = {*_BETWEEN.split(name)}
    return [each for each in known if words.issubset(_BETWEEN.split(each))][:3]


def _nearest(name: object, known: list[str]) -> str:
    if not known:
        return "there is none yet"
    folded = {k.casefold(): k for k in known}
    looked = name[:_LOOKED].casefold() if isinstance(name, str) else short(name)
    if near := close_to(looked, folded, 3, _ALIKE) or _said_shorter(looked, folded):
        return f"did you mean {' or '.join(short(folded[k]) for k in near)}?"
    shown = ", ".join(short(k) for k in known[:12])
    return f"give one of {shown}{', ...' if len(known) > 12 else ''}"
