"""Prints ratios against peers run beside combatkit; `python -m benchmarks turns sizes` runs only those named.

With `--quick` each runs in its smallest size: to see that it runs, not for its figures.
"""

from __future__ import annotations

import importlib
import sys

from benchmarks import pairs

SECTIONS = (
    *("turns", "systems", "clicks", "trace", "payload"),
    *("history", "archive", "journal", "sizes", "fights", "odds", "seats", "limits", "hostile", "lite"),
)

QUICK = "--quick"


def main() -> None:
    """Run the sections named on the command line, or all."""
    if QUICK in sys.argv:
        print("the smallest sizes, one pair each: these figures say nothing")
    named = [each for each in sys.argv[1:] if each != QUICK]
    for name in named or SECTIONS:
        section = importlib.import_module(f"benchmarks.{name}")
        if QUICK in sys.argv:
            pairs.PAIRS = 1
            vars(section).update(section.SMALLEST)
        for line in section.run():
            print(line, flush=True)


if __name__ == "__main__":
    main()
