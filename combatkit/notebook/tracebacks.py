"""Errors in a notebook: the lines of yours that led to them, without the way through the library."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

from combatkit.errors import is_own

if TYPE_CHECKING:
    from collections.abc import Iterator

_WHOLE = "Verbose"
"""The mode of ``%xmode`` that shows everything."""


def rendered(error: BaseException) -> list[str]:
    """Return an error as IPython would show it, without the library's frames.

    Parameters
    ----------
    error : BaseException
        What was raised.

    Returns
    -------
    list of str
        The lines; the whole traceback in ``Verbose`` mode, or if none of the frames is the caller's own.
    """
    shell = sys.modules["IPython"].get_ipython()
    show = shell.InteractiveTB.structured_traceback
    outside = _without_own(error.__traceback__)
    if shell.InteractiveTB.mode == _WHOLE or outside is None:
        whole: list[str] = show(type(error), error, error.__traceback__)
        return whole
    with _unchained(error):
        lines: list[str] = show(type(error), error, outside)
    return lines


def _without_own(trace: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames of the package; None if no other is left but the shell's."""
    others = [each for each in _frames(trace) if not is_own(each.tb_frame)]
    found = None
    for each in reversed(others):
        found = TracebackType(found, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return found if len(others) > 1 else None


def _frames(trace: TracebackType | None) -> Iterator[TracebackType]:
    while trace is not None:
        yield trace
        trace = trace.tb_next


@contextmanager
def _unchained(error: BaseException) -> Iterator[None]:
    """Leave out an error's cause while the error is shown, if the cause happened in the library."""
    cause, is_hidden = error.__cause__, error.__suppress_context__
    before = cause or error.__context__
    if before is not None and any(is_own(each.tb_frame) for each in _frames(before.__traceback__)):
        error.__cause__, error.__suppress_context__ = None, True
    try:
        yield
    finally:
        error.__cause__, error.__suppress_context__ = cause, is_hidden
