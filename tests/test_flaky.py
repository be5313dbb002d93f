"""What runs tests ten times over says what failed how often."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import flaky

EVERY_SECOND_RUN = """
from pathlib import Path

def test_that_holds(): pass

def test_that_fails_every_second_time():
    seen = Path(__file__).with_name("seen")
    seen.touch() if not seen.exists() else seen.unlink()
    assert seen.exists()
"""


def test_the_table_begins_with_what_failed_most() -> None:
    runs = [{"a": True, "b": True, "c": False}, {"a": False, "b": True, "c": False}, {"b": False, "c": False}]
    assert flaky.table(runs).splitlines() == ["  2 of   3  b", "  1 of   2  a", "2 of 3 tests failed in 3 runs"]


@pytest.mark.long
def test_each_run_counts_and_none_is_made_green(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(flaky, "KEPT", tmp_path / "flaky")
    monkeypatch.setattr(flaky, "FAILURES", tmp_path / "failures")
    tests = tmp_path / "test_now_and_then.py"
    tests.write_text(EVERY_SECOND_RUN)
    assert flaky.main([str(tests)], times=2) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("  1 of   2  ")
    assert told[0].endswith("test_now_and_then::test_that_fails_every_second_time")
    assert told[1:] == ["1 of 2 tests failed in 2 runs"]
    assert flaky.main([f"{tests}::test_that_holds"], times=1) == 0


@pytest.mark.long
def test_a_run_that_finds_no_test_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(flaky, "KEPT", tmp_path / "flaky")
    monkeypatch.setattr(flaky, "FAILURES", tmp_path / "failures")
    (tmp_path / "test_nothing.py").touch()
    assert flaky.main([str(tmp_path / "test_nothing.py")], times=1) == 1
    assert "(pytest itself ended with status 5)" in capsys.readouterr().out
