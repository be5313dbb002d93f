"""How long the long forms go on: `make soak MINUTES=60` says it in `COMBATKIT_SOAK_MINUTES`.

`COMBATKIT_SEED=17` lets a test that goes by seeds look at that one alone; a failing one says which it was.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import count


def seconds(share: float) -> float | None:
    """Give how many seconds a test may take that has this share of a soak's minutes; None in the short form."""
    minutes = os.environ.get("COMBATKIT_SOAK_MINUTES")
    return 60 * share * float(minutes) if minutes else None


def rounds(least: int, share: float) -> Iterator[int]:
    """Give 0, 1, 2 and on: so many in the short form, and in the long one at least as many, until its share is up."""
    budget, began, alone = seconds(share), time.monotonic(), os.environ.get("COMBATKIT_SEED")
    for number in count() if alone is None else (int(alone),):
        if alone is None and number >= least and (budget is None or time.monotonic() - began > budget):
            return
        test = os.environ.get("PYTEST_CURRENT_TEST", "").removesuffix(" (call)")
        print(f"seed {number}; alone: COMBATKIT_SEED={number} .venv/bin/pytest '{test}'")  # noqa: T201
        yield number
