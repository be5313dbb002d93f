"""How long the long forms go on: `make soak MINUTES=60` says it in `COMBATKIT_SOAK_MINUTES`."""

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
    budget, began = seconds(share), time.monotonic()
    for number in count():
        if number >= least and (budget is None or time.monotonic() - began > budget):
            return
        yield number
