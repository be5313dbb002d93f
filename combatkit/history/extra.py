"""What tables and charts are made with comes in an extra; without it, a look says how to get it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from combatkit.errors import CombatkitError


class MissingExtra(CombatkitError, ImportError):
    """Something that is not installed, and the extra it comes with."""


@contextmanager
def needs(library: str) -> Iterator[None]:
    """Let an import that fails say what to install.

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
        raise MissingExtra(f"{library} is not installed, which this is made with: {right}") from None
