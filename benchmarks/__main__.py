"""Prints ratios against peers run beside combatkit; `python -m benchmarks turns sizes` runs only those named.

With `--quick` each runs in its smallest size: to see that it runs, not for its figures.
"""

from __future__ import annotations

import argparse
import ast
import importlib
from pathlib import Path

from benchmarks import pairs

SECTIONS = (
    *("turns", "systems", "clicks", "ground", "drag", "trace", "payload"),
    *("history", "archive", "journal", "sizes", "fights", "many", "odds", "seats", "limits", "hostile", "lite"),
)


def about(name: str) -> str:
    """Return what a section measures: the first line of what it says of itself."""
    told = ast.get_docstring(ast.parse((Path(__file__).parent / f"{name}.py").read_text("utf-8")))
    return (told or "").partition("\n")[0]


def main() -> None:
    """Run the sections named on the command line, or all."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        epilog="\n".join(["sections:", *(f"  {name:8} {about(name)}" for name in SECTIONS)]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="the smallest sizes, one pair each")
    parser.add_argument("sections", nargs="*", metavar="section", help="what to run; all, if none is named")
    given = parser.parse_args()
    for unknown in sorted({*given.sections} - {*SECTIONS}):
        parser.error(f"there is no section {unknown!r}")
    if given.quick:
        print("the smallest sizes, one pair each: these figures say nothing")
    for name in given.sections or SECTIONS:
        section = importlib.import_module(f"benchmarks.{name}")
        if given.quick:
            pairs.PAIRS = 1
            vars(section).update(section.SMALLEST)
        for line in section.run():
            print(line, flush=True)


if __name__ == "__main__":
    main()
