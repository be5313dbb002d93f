"""Bytes of a click: JSON data both ways, all models of one Tracker, with the clicks that the tests pin."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from unittest.mock import patch

import comm

from tests.test_export import evening
from tests.test_widgets import CLICKS, LIMIT, branch, crowd, weigh
from tests.wire import Recorder

COUNTS = (8, 200)
LENGTHS = (10, 10_000)
EVENING = 3_000
SMALLEST = {"COUNTS": (8,), "LENGTHS": (10, 100), "EVENING": 100}

# A Jupyter message's header, parent header, metadata and channel, as one message of the protocol carries them.
ENVELOPE = {
    "header": {
        "msg_id": "0" * 36 + "_000000_000",
        "msg_type": "comm_msg",
        "username": "username",
        "session": "0" * 36,
        "date": "2026-11-21T00:00:00.000000Z",
        "version": "5.4",
    },
    "parent_header": {
        "date": "2026-11-21T00:00:00.000000Z",
        "msg_id": "0" * 36,
        "msg_type": "comm_msg",
        "session": "0" * 36,
        "username": "",
        "version": "5.2",
    },
    "metadata": {},
    "channel": "iopub",
}


def run() -> list[str]:
    """Measure and give the lines to print."""
    lines = []
    with patch.object(comm, "create_comm", Recorder):
        crowds = {(count, events): crowd(count, events) for count in COUNTS for events in LENGTHS}
        for count in COUNTS:
            sizes = {}
            for name, clicks in CLICKS.items():
                short, long = (weigh(branch(crowds[count, events]), clicks) for events in LENGTHS)
                sizes[name] = (short, long)
            worst = max(sizes, key=lambda name: max(sizes[name]))
            growth = max(abs(long / short - 1) for short, long in sizes.values())
            largest = max(sizes[worst])
            met = "met" if largest <= LIMIT and growth <= 0.05 else "NOT MET"
            growing = f"from {LENGTHS[0]} to {LENGTHS[-1]:,} events {growth:.1%} at most; target 5%"
            lines.append(
                f"(c) {count} combatants: end turn {sizes['end turn'][0]:,} bytes, largest of {len(sizes)} clicks "
                f"{largest:,} ({worst}); target at most {LIMIT:,}; {growing}: {met}"
            )
    lines.extend(_page(system) for system in ("saga", "d6", "ap", "segments", "phases"))
    lines.append(f"(c) beside them, the envelope of each message: about {len(json.dumps(ENVELOPE)):,} bytes")
    return lines


def _page(system: str) -> str:
    """Say how long saving an evening as a page takes, the second time."""
    enc = evening(system, EVENING)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "evening.html"
        enc.to_html(path)
        began = perf_counter()
        enc.to_html(path)
        took = perf_counter() - began
        size = path.stat().st_size
    met = "met" if took <= 1 else "NOT MET"
    return f"(c) a page of {len(enc._events):,} events in {system}: {took:.2f} s, {size:,} bytes; at most 1 s: {met}"
