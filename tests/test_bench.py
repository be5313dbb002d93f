"""The bench runs to its end: every section in its smallest size, with the peers it is measured beside."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import SECTIONS

ROOT = Path(__file__).parents[1]
PEERS = "benchmarks/peers/node_modules/.stamp"

LAB = ("clicks", "trace", "seats")
IN_LAB = (pytest.mark.browser, pytest.mark.lab)
MARKS = {"drag": pytest.mark.browser} | dict.fromkeys(LAB, IN_LAB)


@pytest.fixture(scope="module")
def peers() -> None:
    """Install the peers if they are missing, as `make bench` does; the environment is the one that runs this."""
    subprocess.run(["make", "--old-file=.venv/.stamp", PEERS], cwd=ROOT, check=True)


@pytest.mark.long
@pytest.mark.usefixtures("peers")
@pytest.mark.parametrize("section", [pytest.param(each, marks=MARKS.get(each, ())) for each in SECTIONS])
def test_each_section_of_the_bench_runs_to_its_end(section: str) -> None:
    command = [sys.executable, "-m", "benchmarks", "--quick", section]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 1, "it says what it has measured"


def test_every_file_of_the_bench_that_measures_is_a_section() -> None:
    sections = {path.stem for path in (ROOT / "benchmarks").glob("*.py") if "def run(" in path.read_text("utf-8")}
    assert sections == set(SECTIONS)


def test_asked_for_help_the_bench_lists_its_sections() -> None:
    command = [sys.executable, "-m", "benchmarks"]
    helped = subprocess.run([*command, "--help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert all(f"\n  {name} " in helped for name in SECTIONS)
    wrong = subprocess.run([*command, "nonesuch"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (wrong.returncode, "there is no section 'nonesuch'" in wrong.stderr) == (2, True), wrong.stderr
