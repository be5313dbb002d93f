"""The sixth system of notebook 10: what its cells write is a ruleset like the five, with no change in combatkit."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import combatkit as ck
from combatkit.engine.ruleset import Ruleset
from tests import guide

ROOT = Path(ck.__file__).parents[1]
NOTEBOOK = ROOT / "notebooks" / "10-your-own-system.ipynb"
MARK = "%%writefile tempo/"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder that the notebook's cells write."""
    made = tmp_path_factory.mktemp("own") / "tempo"
    made.mkdir()
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        head, _, body = "".join(cell["source"]).partition("\n")
        if head.startswith(MARK):
            (made / head.removeprefix(MARK)).write_text(body + "\n", encoding="utf-8")
    assert {"rules.toml", "actions.toml", "stats.py", "ruleset.py"} <= {path.name for path in made.iterdir()}
    return made


def run(*arguments: str, cwd: Path = ROOT) -> str:
    """Run Python by itself, so that the other tests know five systems only."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_it_passes_the_conformance_suite(folder: Path) -> None:
    told = run("-m", "pytest", "tests/conformance", "--ruleset", str(folder), "-q", "-p", "no:cacheprovider", "-rA")
    passed = [line for line in told.splitlines() if line.startswith("PASSED")]
    assert len(passed) >= 20
    assert all("[tempo" in line for line in passed if "[" in line)
    assert "SKIPPED" not in told


LIKE_THE_REST = """
import sys
import combatkit as ck
from combatkit.simulation.aec import env
from pettingzoo.test import api_test

if __name__ == "__main__":
    tempo = ck.add_ruleset(sys.argv[1])
    scene = ck.scene("catwalk")
    for tactic in (ck.tactics.strike, ck.tactics.hold_back, ck.tactics.at_random):
        enc = scene.encounter("tempo", seed=3)
        print(ck.play(enc, tactic, rounds=30).deeds > 0, enc.history.rounds.height > 0)
    alone = ck.simulate(scene, 6, seed=3, systems="tempo", progress=False)
    with ck.simulation.processes(1) as pool:
        print(ck.simulate(scene, 6, executor=pool, seed=3, systems="tempo", progress=False).equals(alone))
    print("tempo" in ck.contrast().frame.columns, "tempo" in ck.simulate(scene, 1, progress=False)["system"])
    print(ck.contrast("reactions").frame["tempo"][0])
    print(ck.Comparison([scene.encounter(id, id=id, seed=1) for id in ("tempo", "saga")]))
    print(scene.encounter("tempo", seed=1).restart(seed=1).odds().first["chance"].sum())
    api_test(env("tempo"))
"""


@pytest.mark.slow
def test_it_plays_compares_simulates_and_contrasts_like_the_rest(folder: Path, tmp_path: Path) -> None:
    script = tmp_path / "like_the_rest.py"
    script.write_text(LIKE_THE_REST, encoding="utf-8")
    told = run(str(script), str(folder)).splitlines()
    assert told[:5] == ["True True"] * 3 + ["True", "True True"]
    assert told[5].endswith("before the attack lands. [tempo.riposte.what]")
    assert told[6].startswith("<Comparison: tempo, saga")
    assert float(told[7]) == pytest.approx(1)
    assert told[-1] == "Passed API test"


def test_the_four_files_of_the_guide_are_a_ruleset_and_play_as_it_says(tmp_path: Path) -> None:
    guide.write(tmp_path)
    code, told = guide.played()
    assert run("-c", code, cwd=tmp_path) == told


@pytest.mark.slow
def test_the_ruleset_of_the_guide_passes_the_conformance_suite(tmp_path: Path) -> None:
    told = run(
        "-m", "pytest", "tests/conformance", "--ruleset", str(guide.write(tmp_path)), "-q", "-p", "no:cacheprovider"
    )
    assert "passed" in told


def test_the_guide_and_the_engine_s_page_name_the_hooks_that_have_no_default() -> None:
    own = [
        n
        for n, hook in vars(Ruleset).items()
        if inspect.isfunction(hook) and "raise NotImplementedError" in inspect.getsource(hook)
    ]
    assert len(own) == 5
    for page in (guide.GUIDE, ROOT / "docs" / "engine.md"):
        text = page.read_text(encoding="utf-8")
        told = next(part for part in text.split("\n\n") if "no default" in part)
        assert [name for name in own if f"`{name}`" not in told] == [], page.name


def test_combatkit_knows_nothing_of_it() -> None:
    for path in (ROOT / "combatkit").rglob("*.*"):
        if path.suffix in (".py", ".toml"):
            assert "tempo." not in path.read_text(encoding="utf-8"), path.name
