"""Run tests ten times over, and print what failed how often: `make flaky ARGS=tests/browser/test_log.py`.

What the browser tests keep of a failure, see `tests/browser/failures.py`, is moved to `build/flaky`, a folder a run.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.browser.servers import FAILURES

KEPT = FAILURES.with_name("flaky")
TIMES = 10


def outcomes(report: Path) -> dict[str, bool]:
    """Give each test of a run's JUnit report, and whether it failed."""
    cases = ET.parse(report).iter("testcase")
    return {
        f"{case.get('classname')}::{case.get('name')}": any(case.find(how) is not None for how in ("failure", "error"))
        for case in cases
    }


def table(runs: Sequence[Mapping[str, bool]]) -> str:
    """Give a line for each test that failed in any run, those that failed most first, and a line for them all."""
    tests = {test for run in runs for test in run}
    failed = {test: sum(run.get(test, False) for run in runs) for test in tests}
    bad = sorted((test for test in tests if failed[test]), key=lambda test: (-failed[test], test))
    lines = [f"{failed[test]:3} of {sum(test in run for run in runs):3}  {test}" for test in bad]
    return "\n".join([*lines, f"{len(bad)} of {len(tests)} tests failed in {len(runs)} runs"])


def main(args: Sequence[str], times: int = TIMES) -> int:
    """Run pytest so many times, say what failed, and give a status: whether anything did."""
    shutil.rmtree(KEPT, ignore_errors=True)
    runs = []
    for number in range(1, times + 1):
        folder = KEPT / str(number)
        folder.mkdir(parents=True)
        report = folder / "report.xml"
        command = [sys.executable, "-m", "pytest", "-p", "no:nbval", "-q", f"--junitxml={report}", *args]
        status = subprocess.run(command, check=False).returncode
        found = outcomes(report) if report.exists() else {}
        if status and not any(found.values()):
            found[f"(pytest itself ended with status {status})"] = True
        runs.append(found)
        if FAILURES.exists():
            FAILURES.rename(folder / FAILURES.name)
    print(table(runs))
    return int(any(any(run.values()) for run in runs))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
