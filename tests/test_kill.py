"""A journal outlasts its process: killed anywhere, every call that had returned is there, none twice, none half."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import combatkit as ck
from tests import soaking

ROOT = Path(__file__).parents[1]
BUILT_IN = tuple(sorted(p.parent.name for p in (Path(ck.__file__).parent / "systems").glob("*/rules.toml")))
SOAKED, BATCH_SOAKED = 1_800, 1_000
"""How many points of a fight its process is killed at in a soak."""

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")


Record = Callable[[str, object], None]


def killed(record: Record, system: str, points: int, *more: str) -> dict[str, int]:
    command = [sys.executable, "-m", "tests.kills", system, str(points), *more]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    struck: dict[str, int] = json.loads(done.stdout)
    told = ", ".join(f"{count} {where}" for where, count in struck.items() if where != "points")
    record("told", f"killed: {system}{' in batches' if more else ''} at {struck['points']} points ({told})")
    return struck


@pytest.mark.slow
@pytest.mark.parametrize("points", [22, pytest.param(200, marks=[pytest.mark.long, pytest.mark.soak])])
@pytest.mark.parametrize("system", BUILT_IN)
def test_every_call_that_had_returned_is_there(system: str, points: int, record_property: Record) -> None:
    points = points if soaking.seconds(1) is None else SOAKED
    struck = killed(record_property, system, points)
    assert struck["points"] == points
    assert struck["before a call was written"] > points // 11
    assert struck["after one was written, before it returned"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("points", [20, pytest.param(60, marks=[pytest.mark.long, pytest.mark.soak])])
def test_in_a_batch_too_every_call_that_had_returned_is_there(points: int, record_property: Record) -> None:
    points = points if soaking.seconds(1) is None else BATCH_SOAKED
    struck = killed(record_property, BUILT_IN[-1], points, "batch")
    assert struck["points"] == points
