"""Waiting for what another thread or process does: for as long as it may take on any machine, and no longer."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 30.0


def until(holds: Callable[[], bool], what: str, pause: float = 0.01) -> None:
    """Wait until something holds; fail if it does not come to it."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, f"still not so after {PATIENCE} s: {what}"
        time.sleep(pause)
