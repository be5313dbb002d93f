"""What is kept in the repository, and how."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from combatkit.rules.catalogue import MARKS
from tools import notebooks

ROOT = Path(__file__).parents[1]

# Put together here, so that this file does not find itself.
MACHINE_PATHS = ["/" + name + "/" for name in ["work", "root", "tmp", "opt/pypi", "opt/wheels"]]
REGISTRIES = ["registry" + r"\.npmjs", "pypi" + r"\.org/simple", "files" + r"\.pythonhosted"]
UNFINISHED = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
FORBIDDEN = {
    "a path of somebody's machine": rf"(?<![\w.~}})-])(?:{'|'.join(MACHINE_PATHS)})",
    "a tool of somebody's machine": r"\." + "library/",
    "a package registry's host": "|".join(REGISTRIES),
    "unfinished work": rf"\b(?:{'|'.join(UNFINISHED)})\b",
}
MARKUP = "|".join(part + "HTML" for part in ["inner", "outer", "insertAdjacent", "unsafe"]) + r"|document\.write"


def git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments, "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split("\0") if name]


@cache
def texts() -> dict[str, str]:
    """Give the text of every tracked file that is text."""
    found = {}
    for name in git("ls-files"):
        path = ROOT / name
        if path.is_file() and b"\0" not in path.read_bytes():
            found[name] = path.read_text(encoding="utf-8")
    return found


def lines_with(pattern: str, files: dict[str, str]) -> list[str]:
    return [
        f"{name}:{number}: {line.strip()[:120]}"
        for name, text in files.items()
        for number, line in enumerate(text.splitlines(), start=1)
        if re.search(pattern, line)
    ]


@pytest.mark.parametrize("what", FORBIDDEN)
def test_tracked_files_do_not_name(what: str) -> None:
    assert lines_with(FORBIDDEN[what], texts()) == []


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("a path of somebody's machine", "see /" + "tmp/x"),
        ("a path of somebody's machine", '"/' + 'work/main"'),
        ("a package registry's host", "https://registry" + ".npmjs.org/lit-html"),
        ("unfinished work", "# TO" + "DO: later"),
    ],
)
def test_forbidden_names_would_be_found(what: str, line: str) -> None:
    assert re.search(FORBIDDEN[what], line)


def test_nothing_generated_is_tracked() -> None:
    assert git("ls-files", "--ignored", "--cached", "--exclude-standard") == []


def test_front_ends_write_text_never_markup() -> None:
    assert lines_with(MARKUP, {name: text for name, text in texts().items() if name.startswith("js/")}) == []


def test_front_ends_draw_every_mark_that_a_status_may_bear() -> None:
    drawn = re.findall(r"^  (\w+): svg`", texts()["js/shared/marks.js"], re.MULTILINE)
    assert set(MARKS) <= set(drawn)


def test_front_ends_depend_on_two_packages() -> None:
    package = json.loads((ROOT / "js" / "package.json").read_text())
    lock = json.loads((ROOT / "js" / "package-lock.json").read_text())
    assert set(package["dependencies"]) == {"esbuild", "lit-html"}
    assert not [name for name, entry in lock["packages"].items() if "resolved" in entry]
    assert all("integrity" in entry for name, entry in lock["packages"].items() if name)


def test_notebooks_keep_no_widget_state() -> None:
    for name, text in texts().items():
        if name.endswith(".ipynb"):
            notebook = json.loads(text)
            assert "widgets" not in notebook["metadata"], name
            assert notebooks.WIDGET_VIEW not in text, name


def cell(source: str, **metadata: object) -> dict[str, object]:
    name = f"cell-{len(source)}"
    rest: dict[str, object] = {"metadata": metadata, "outputs": [], "execution_count": None}
    return {"cell_type": "code", "id": name, "source": source, **rest}


@pytest.mark.slow
def test_running_notebooks_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "small.ipynb"
    cells = [
        cell("print('one', flush=True)\nprint('two')", collapsed=True, tags=["kept"]),
        cell("import ipywidgets\nipywidgets.IntSlider(3)"),
        cell("1 / 0", tags=["raises-exception"]),
    ]
    metadata = {"kernelspec": {"name": "mine", "display_name": "Mine"}, "widgets": {"state": {}}}
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}))

    assert notebooks.main([str(path)]) == 0
    first = path.read_text()
    assert notebooks.main([str(path)]) == 0
    assert path.read_text() == first

    kept = json.loads(first)
    assert kept["metadata"] == {"kernelspec": notebooks.KERNEL, "language_info": {"name": "python"}}
    assert kept["cells"][0]["metadata"] == {"tags": ["kept"]}
    assert kept["cells"][0]["outputs"] == [{"name": "stdout", "output_type": "stream", "text": ["one\n", "two\n"]}]
    assert set(kept["cells"][1]["outputs"][0]["data"]) == {"text/plain"}

    check = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "--rootdir", str(tmp_path), str(path)]
    done = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_notebooks_tool_says_how_to_use_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert notebooks.main([]) == 2
    assert "usage" in capsys.readouterr().err
