"""Sizes of the bundles, and what `import combatkit` costs as a whole process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.pairs import paired, verdict

STATIC = Path(__file__).parents[1] / "combatkit" / "static"
LIMITS = {".js": 80 * 1024, ".css": 64 * 1024}
"""What a bundle may weigh, as `js/build.mjs` has it."""
LATE = ("polars", "anywidget", "traitlets", "importlib.metadata")
IMPORTS_PER_FIGURE = 5
SMALLEST = {"IMPORTS_PER_FIGURE": 1}


# What is installed has its bytecode beside it, as the standard library has; a setting that forbids to keep it would
# have only ours compiled anew in every process.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _process(code: str) -> float:
    began = time.perf_counter()
    for _ in range(IMPORTS_PER_FIGURE):
        subprocess.run([sys.executable, "-c", code], check=True, env=ENVIRONMENT)
    return time.perf_counter() - began


def run() -> list[str]:
    """Measure and give the lines to print."""
    lines = []
    for path in sorted(STATIC.iterdir()):
        size, limit = path.stat().st_size, LIMITS[path.suffix]
        met = "met" if size <= limit else "NOT MET"
        lines.append(f"(e) {path.name}: {size:,} bytes; target at most {limit:,}: {met}")
    check = f"import combatkit, sys; print([m for m in {LATE!r} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", check], check=True, capture_output=True, text=True).stdout.strip()
    lines.append(f"(e) of {', '.join(LATE)}, loaded by `import combatkit`: {found}; target []")
    _process("import combatkit")  # the bytecode is kept
    ratio = paired(lambda: _process("import combatkit"), lambda: _process("import json, dataclasses, sqlite3"))
    lines.append(verdict("(e) import combatkit over import json, dataclasses, sqlite3", ratio, at_most=3))
    return lines
