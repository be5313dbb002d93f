"""Tables and charts need an extra; without it, asking for one says how to get it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from combatkit.errors import CombatkitError


class MissingExtra(CombatkitError, ImportError):
    """Something that is not installed, and the extra it comes with."""


@contextmanager
def needs(library: str) -> Iterator[None]:
    """Say what to install if an import fails.

    Raises
    ------
    MissingExtra
        If the library is not there.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != library:
            raise
        right = 'pip install "combatkit[report]"'
        raise MissingExtra(f"{library} is not installed, and this needs it: {right}") from None
