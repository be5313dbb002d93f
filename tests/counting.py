"""Work that is counted: the same on every machine, where seconds and memory are not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from cProfile import Profile
from itertools import count


def calls(work: Callable[[], object]) -> int:
    """Do some work, and count the function calls that it makes in this thread, those of functions in C among them."""
    profile = Profile()
    profile.runcall(work)
    return sum(entry.callcount for entry in profile.getstats())


def stopped(work: Callable[[], object], most: int) -> None:
    """Do some work that might have no end, and stop it with an error at so many function calls."""
    made = count(1)

    def step(*_: object) -> None:
        if next(made) > 2 * most:  # each comes and returns
            raise AssertionError(f"not done after {most:,} function calls")

    sys.setprofile(step)
    try:
        work()
    finally:
        sys.setprofile(None)
