"""How long the long forms go on: `make soak MINUTES=60` says it in `COMBATKIT_SOAK_MINUTES`."""

from __future__ import annotations

import os


def seconds(share: float) -> float | None:
    """Give how many seconds a test may take that has this share of a soak's minutes; None in the short form."""
    minutes = os.environ.get("COMBATKIT_SOAK_MINUTES")
    return 60 * share * float(minutes) if minutes else None
