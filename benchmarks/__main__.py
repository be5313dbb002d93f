"""Prints ratios against peers run beside combatkit; `python -m benchmarks turns sizes` runs only those named."""

from __future__ import annotations

import importlib
import sys

SECTIONS = (
    *("turns", "systems", "clicks", "trace", "payload"),
    *("history", "archive", "journal", "sizes", "fights", "odds", "seats"),
)


def main() -> None:
    """Run the sections named on the command line, or all."""
    for name in sys.argv[1:] or SECTIONS:
        section = importlib.import_module(f"benchmarks.{name}")
        for line in section.run():
            print(line, flush=True)


if __name__ == "__main__":
    main()
