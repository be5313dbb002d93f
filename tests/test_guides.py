"""What the guides to an evening and to files of other tools show runs, in order, as it stands."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import combatkit as ck
from tests.wire import recording

ROOT = Path(__file__).parent
BLOCK = re.compile(r"^```(?:python|\{code-cell\} ipython3)\n((?!:tags:).*?)^```$", re.DOTALL | re.MULTILINE)


def run(guide: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run a guide's cells in a folder; give the names that are there after it."""
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {}
    for code in BLOCK.findall((ROOT.parent / "docs" / "guides" / guide).read_text(encoding="utf-8")):
        exec(compile(code, guide, "exec"), names)
    return names


def test_the_evening_runs_with_the_part_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.MonkeyPatch.context() as wire:
        for _ in recording(wire):
            names = run("evening.md", tmp_path, monkeypatch)
            assert names["tracker"].encounter.title == "The catwalk"
    made = {path.name for path in tmp_path.iterdir()}
    assert made >= {"friday.combat", "catwalk.html", "party.csv", "campaign"}


def test_places_and_where_somebody_can_go_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Image.new("RGB", (1120, 860)).save(tmp_path / "hangar.jpg")
    names = run("map.md", tmp_path, monkeypatch)
    assert names["ground"].why == ""
    assert names["ground"][(-3, 0)].action == "half_move"
    assert [asked.who for asked in names["seen"].asked] == ["GM", "Boss"]
    assert names["way"].asked == ()


def test_the_shelf_and_another_tools_file_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(ROOT / "data" / "foreign" / "darci.hdc", tmp_path / "Darci.hdc")
    names = run("foreign.md", tmp_path, monkeypatch)
    assert [path.name for path in (tmp_path / "campaign").iterdir()] == ["friday.d6.toml"]
    assert isinstance(names["enc"], ck.Encounter)
    assert (names["enc"].ruleset.id, len(names["enc"].names)) == ("phases", 1)
