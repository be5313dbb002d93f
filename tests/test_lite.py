"""What the site in a browser is made of, looked at without building it."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import combatkit as ck
from tools.lite import LITE, PLATFORM, ROOT, german, locked, notebooks, systems

BROWSER = {"sys_platform": "emscripten", "platform_system": "Emscripten", "python_version": "3.14", "extra": ""}
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCKED = {canonicalize_name(name): version for name, (version, _) in locked().items()}

BROUGHT = {"polars", "jupyterlab-widgets", "widgetsnbextension", "pexpect"}
"""What is asked for and not loaded there: tables are plain, front ends are part of the site, nobody has a shell."""


def asked(requirements: list[str]) -> list[Requirement]:
    wanted = [each for each in map(Requirement, requirements) if each.marker is None or each.marker.evaluate(BROWSER)]
    return [each for each in wanted if canonicalize_name(each.name) not in BROUGHT]


def test_every_wheel_is_named_with_its_version_and_its_hash() -> None:
    lines = (LITE / "wheels.txt").read_text(encoding="utf-8").splitlines()
    assert len(locked()) == len(lines) - 1
    assert lines[1:] == sorted(lines[1:], key=lambda line: line.partition("==")[0])


def test_what_combatkit_asks_of_a_browser_is_among_the_wheels() -> None:
    for need in asked(PROJECT["dependencies"]):
        assert LOCKED[canonicalize_name(need.name)] in need.specifier, need


@pytest.mark.parametrize(
    "name", [name for name in sorted(LOCKED) if name not in ("decorator", "micropip", "typing-extensions")]
)
def test_what_a_wheel_asks_for_is_among_the_wheels_too(name: str) -> None:
    assert {canonicalize_name(need.name) for need in asked(requires(name) or [])} <= set(LOCKED)


def test_the_python_of_the_wheels_is_the_one_that_is_taken() -> None:
    package, lock = (json.loads((LITE / name).read_text()) for name in ("package.json", "package-lock.json"))
    version = package["dependencies"]["pyodide"]
    assert lock["packages"]["node_modules/pyodide"]["version"] == version
    assert PLATFORM[PLATFORM.index("--python-version") + 1].replace(".", "") == version.partition(".")[0]


def test_what_builds_the_site_is_pinned_and_so_are_the_front_ends_of_its_widgets() -> None:
    lines = (LITE / "requirements.txt").read_text(encoding="utf-8").splitlines()[1:]
    found = [re.fullmatch(r"([\w-]+)(?:\[\w+\])?==([\d.]+)", line) for line in lines]
    pinned = {each[1]: each[2] for each in found if each}
    assert len(pinned) == len(lines)
    assert pinned["anywidget"] == LOCKED[canonicalize_name("anywidget")]
    assert pinned["jupyterlite-core"] == pinned["jupyterlite-pyodide-kernel"]


def test_saved_outputs_go_into_the_site_as_whole_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.lite.WORK", tmp_path)
    notebooks(None)
    shown = 0
    for path in (tmp_path / "files").glob("*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            assert isinstance(cell["source"], str)
            for output in cell.get("outputs", ()):
                texts = [text for kind, text in output.get("data", {}).items() if not kind.endswith("json")]
                assert all(isinstance(text, str) for text in texts)
                shown += len(texts)
    assert shown > 100


def test_every_scene_that_can_be_chosen_at_the_table_begins() -> None:
    found = {each["id"]: [scene["id"] for scene in each["scenes"]] for each in systems()}
    for system, scenes in found.items():
        assert scenes[-1] == ""
        assert all(ck.scene(scene).encounter(system).names for scene in scenes[:-1])
    assert "ambush" in found["saga"]
    assert "ambush" not in found["d6"], "its rules know no surprise"


def test_all_that_the_table_says_has_a_german_sentence() -> None:
    page, script = ((LITE / "table" / name).read_text(encoding="utf-8") for name in ("index.html", "table.js"))
    shown = {text.strip() for text in [*re.findall(r">([^<>]+)<", page), *re.findall(r'alt="([^"]+)"', page)]}
    texts = re.findall(r'"((?:[^"\\]|\\.)*)"', script)
    said = {text for text in texts if re.search(r"[a-z}] [a-z{]|[.?]$", text) and "/" not in text}
    same = {"", "combatkit", "System", "English", "Deutsch"}
    known = german()
    assert shown - same - set(known) == set()
    assert said - set(known) == set()
    for rules in systems():
        assert {rules["title"], rules["round"]} <= set(known)


def test_the_sites_root_leads_to_the_table_and_to_the_notebooks() -> None:
    root = (LITE / "index.html").read_text(encoding="utf-8")
    assert 'http-equiv="refresh" content="0; url=table/index.html"' in root
    assert re.findall(r'href="([^"]+)"', root) == ["table/index.html", "lab/index.html?path=00-start-here.ipynb"]
    config = re.search(r'<script id="jupyter-config-data" type="application/json">(.*?)</script>', root, re.DOTALL)
    assert config is not None, "every page of notebooks reads it from here"
    assert json.loads(config[1]) == {}
    assert 'shutil.copy(LITE / "index.html", SITE)' in (ROOT / "tools" / "lite.py").read_text(encoding="utf-8")


def test_every_scene_of_the_table_has_a_german_title() -> None:
    titles = {scene["title"] for each in systems() for scene in each["scenes"]}
    assert titles - set(german()) == set()
