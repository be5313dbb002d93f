"""What is delivered: the wheel holds the package and its bundles, the sdist what a wheel is built from."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]  # it is built once


def run(*command: str, **environment: str) -> None:
    everything = os.environ | environment
    done = subprocess.run(command, cwd=ROOT, env=everything, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def expected_bundles() -> set[str]:
    entries = [entry for kind in ("widget", "page", "seat") for entry in (ROOT / "js").glob(f"*/{kind}.js")]
    widgets = [entry.parent for entry in entries if entry.parent.name != "node_modules"]
    scripts = {f"combatkit/static/{folder.name}.js" for folder in widgets}
    styles = {f"combatkit/static/{folder.name}.css" for folder in widgets if (folder / "view.css").exists()}
    return scripts | styles


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel as ``pip install .`` does, with an empty home and no program on the path."""
    folder = tmp_path_factory.mktemp("wheel")
    home = tmp_path_factory.mktemp("home")
    path = tmp_path_factory.mktemp("path")
    run(sys.executable, "-m", "pip", "wheel", ".", "--no-deps", "-w", str(folder), HOME=str(home), PATH=str(path))
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    run(sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(folder))
    (built,) = folder.iterdir()
    return built


def test_wheel_holds_the_bundles(wheel: Path) -> None:
    assert {name for name in names_in(wheel) if name.startswith("combatkit/static/")} == expected_bundles()


def test_wheel_holds_the_package(wheel: Path) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "-z", "combatkit"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert set(tracked.stdout.split("\0")) - {""} <= names_in(wheel)
    assert "combatkit/py.typed" in names_in(wheel)


def test_wheel_holds_nothing_else(wheel: Path) -> None:
    others = {name for name in names_in(wheel) if not re.match(r"combatkit(-[\d.]+\.dist-info)?/", name)}
    assert others == set()
    assert not [name for name in names_in(wheel) if name.endswith((".ipynb", ".mjs", ".ts")) or "node_modules" in name]


def test_wheel_names_its_licence_and_needs(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        text = archive.read(metadata).decode()
    assert "License-Expression: MIT" in text
    plain = {line for line in text.splitlines() if line.startswith("Requires-Dist") and "extra ==" not in line}
    assert {re.split(r"[^\w-]", line.removeprefix("Requires-Dist: "))[0] for line in plain} == {
        "anywidget",
        "defusedxml",
        "ipywidgets",
        "msgspec",
        "polars",
        "ruamel-yaml",
        "tomli-w",
        "traitlets",
    }


def test_bundles_are_whole(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for name in expected_bundles():
            content = archive.read(name)
            assert content, name
            assert b"sourceMappingURL" not in content, name


@pytest.mark.long
def test_sdist_builds_the_same_wheel(sdist: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {"hatch_build.py", "pyproject.toml", "LICENSE"} <= inside
    assert {"js/build.mjs", "js/package.json", "js/package-lock.json", "js/.npmrc"} <= inside
    outside = ("tests/", "notebooks/", "js/node_modules", "js/test", "combatkit/static")
    assert not [name for name in inside if name.startswith(outside)]
    # Hatchling and node are in the development environment already: a second isolated build would check nothing more.
    run(sys.executable, "-m", "pip", "wheel", str(sdist), "--no-deps", "--no-build-isolation", "-w", str(tmp_path))
    (again,) = tmp_path.iterdir()
    assert names_in(again) == names_in(wheel)
