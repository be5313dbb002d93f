"""What the dearest message at its limits takes: seconds, and memory above what was held before."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import combatkit as ck
from combatkit.core import limits
from tests.budgets import messages, set_up

SECONDS, STARTING, MEMORY = 0.5, 1.0, 64 << 20
"""The targets: for any message, for the one that starts a fight of a thousand, and of memory for each."""

COMBATANTS = limits.COMBATANTS
SMALLEST = {"COMBATANTS": 200}


def peak() -> int:
    """Return the most memory held since it was last asked to begin anew; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    told = status.read_text(encoding="ascii") if status.exists() else ""
    return next((int(line.split()[1]) * 1024 for line in told.splitlines() if line.startswith("VmHWM")), 0)


def measure(system: str, combatants: int) -> None:
    """Send every message, and print what each took."""
    table = set_up(system, combatants)
    anew = Path("/proc/self/clear_refs")
    for message in messages(table):
        if anew.exists():
            anew.write_text("5", encoding="ascii")
        before, began = peak(), time.process_time()
        table.hear(message)
        sys.stdout.write(json.dumps([time.process_time() - began, peak() - before, message["kind"]]) + "\n")


def run() -> list[str]:
    """Measure and give the lines to print."""
    lines = []
    for ruleset in ck.rulesets():
        command = [sys.executable, "-m", "benchmarks.limits", ruleset.id, str(COMBATANTS)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        told = [json.loads(line) for line in done.stdout.splitlines()]
        seconds, _, slow = max(each for each in told if each[2] != "start")
        starting = max(each[0] for each in told if each[2] == "start")
        memory, large = max((each[1], each[2]) for each in told)
        met = seconds <= SECONDS and starting <= STARTING and memory <= MEMORY
        lines.append(
            f"(l) {ruleset.id}: {len(told)} messages at their limits, {seconds:.2f} s the slowest ({slow}), "
            f"{starting:.2f} s to start, {memory / (1 << 20):.0f} MiB the largest ({large}); "
            f"target {SECONDS} s, {STARTING:g} s, {MEMORY >> 20} MiB: {'met' if met else 'NOT MET'}"
        )
    return lines


if __name__ == "__main__":
    measure(sys.argv[1], int(sys.argv[2]))
