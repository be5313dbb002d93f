"""Binder: what its builder plans for this repository, and those very steps carried out in a fresh environment."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
BINDER = ROOT / "binder"
NOTEBOOK = "notebooks/00-start-here.ipynb"
PYTHON = (BINDER / "runtime.txt").read_text().strip().removeprefix("python-")

BROUGHT = ("ipykernel", "ipython", "ipywidgets", "jupyter_server", "jupyterlab", "notebook")
"""What of Jupyter the builder's own base brings, by its lock file, before anything of ours is installed."""

BEHIND = {"websockets"}
"""What the package asks for and another imports: uvicorn's lines to pages are made with it."""

APT = {"gettext-base", "less", "locales", "unzip"}
"""The Debian packages the builder installs for everybody."""

LEFT_OUT = "combatkit/simulation/aec.py"
"""What a visitor has no use for: the environment for learning agents, and with it PettingZoo."""

NEEDED_PROGRAMS = ("bash", "cp", "mkdir")
"""What the build may find beside Python: no node, no npm, no make."""


def pins() -> dict[str, str]:
    """Give the pinned versions, by the name that stands for all spellings of it."""
    lines = (BINDER / "requirements.txt").read_text().splitlines()
    pinned = [line.split("==") for line in lines if not line.startswith("#")]
    return {str(canonicalize_name(name)): version for name, version in pinned}


def wanted() -> dict[str, list[Requirement]]:
    """Give what pyproject.toml asks for, by extra; what is always needed stands under ``""``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    return {extra: [Requirement(text) for text in texts] for extra, texts in groups.items()}


def test_pins_are_exact_and_name_no_host() -> None:
    for line in (BINDER / "requirements.txt").read_text().splitlines():
        assert re.fullmatch(r"# .*|[\w.-]+==[\d.]+", line), line


def test_pins_lie_in_the_ranges_of_the_package() -> None:
    ranges = {str(canonicalize_name(asked.name)): asked.specifier for group in wanted().values() for asked in group}
    assert [name for name, version in pins().items() if name in ranges and version not in ranges[name]] == []
    needed = {canonicalize_name(asked.name) for extra in ("", "report") for asked in wanted()[extra]}
    assert needed <= set(pins())


def test_pins_are_what_the_notebooks_and_the_package_import_and_nothing_more() -> None:
    notebooks = [source for path in sorted((ROOT / "notebooks").glob("*.ipynb")) for source in cells_of(path)]
    modules = [path for path in (ROOT / "combatkit").rglob("*.py") if path.relative_to(ROOT).as_posix() != LEFT_OUT]
    imported = imports_of([*notebooks, *(path.read_text(encoding="utf-8") for path in modules)])
    strangers = imported - set(sys.stdlib_module_names) - {"combatkit"}
    installed = packages_distributions()
    # Several may own a part of one module; a lower ruamel.yaml brings one more, which is its own to pin.
    owners = {name: {canonicalize_name(owner) for owner in installed[name]} for name in strangers}
    brought = {canonicalize_name(name) for name in BROUGHT}
    assert sorted(name for name in strangers if not owners[name] & {*pins(), *brought}) == [], "not pinned"
    assert sorted(set(pins()).difference(*owners.values(), BEHIND)) == [], "pinned for nobody"
    assert not set(pins()) & (brought - {"ipywidgets"}), "Binder brings its own"


def cells_of(notebook: Path) -> list[str]:
    """Give the code of a notebook's cells, without what is IPython's: lines of magic, and cells written to a file."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    python = [source.splitlines() for source in sources if not source.startswith("%%")]
    return ["\n".join(line for line in lines if not line.lstrip().startswith(("%", "!"))) for lines in python]


def imports_of(sources: list[str]) -> set[str]:
    """Give the top-level modules that pieces of code import, late or at once."""
    found = set()
    for node in (node for source in sources for node in ast.walk(ast.parse(source))):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def test_the_badge_opens_the_first_notebook_in_lab() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (address,) = re.findall(r"\(https://mybinder\.org/v2/gh/[\w.-]+/[\w.-]+/HEAD\?urlpath=([^)]+)\)", readme)
    assert address == f"lab/tree/{NOTEBOOK}"
    assert (ROOT / NOTEBOOK).is_file()


@cache
def plan() -> tuple[str, ...]:
    """Give what the builder would do here, one instruction of its Dockerfile an entry, preceded by what it says."""
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = [line for line in (done.stdout + done.stderr).splitlines() if not line.lstrip().startswith("#")]
    return tuple(line.strip() for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines() if line.strip())


@pytest.mark.slow
def test_the_builder_takes_our_python_and_finds_it_in_its_list() -> None:
    assert f"Building conda environment for python={PYTHON}" in plan()
    assert set(base_versions()) == set(BROUGHT)


@pytest.mark.slow
def test_the_plan_is_our_three_files_and_nothing_more() -> None:
    instructions = [line for line in plan() if re.match(r"(COPY|RUN) ", line)]
    ours = [line for line in instructions if re.search(r"src/|binder/|\bpip\b|mamba|conda env", line)]
    user = r"COPY --chown=\d+:\d+"
    expected = [
        rf"{user} src/binder/requirements\.txt \$\{{REPO_DIR\}}/binder/requirements\.txt",
        r'RUN \$\{KERNEL_PYTHON_PREFIX\}/bin/pip install --no-cache-dir -r "binder/requirements\.txt"',
        rf"{user} src/ \$\{{REPO_DIR\}}/",
        r"RUN chmod \+x binder/postBuild",
        r"RUN \./binder/postBuild",
    ]
    assert len(ours) == len(expected)
    assert [line for line, pattern in zip(ours, expected, strict=True) if not re.fullmatch(pattern, line)] == []


@pytest.mark.slow
def test_the_plan_asks_apt_for_nothing_of_ours() -> None:
    asked = [part for line in plan() for part in re.findall(r"apt-get[^&]* install ([^&>]*)", line)]
    assert {name for part in asked for name in part.split() if not name.startswith("-")} == APT


def base_versions() -> dict[str, str]:
    """Give what of Jupyter the builder's base brings, by the lock file it installs from."""
    # Found without importing it: the builder's own imports warn.
    found = importlib.util.find_spec("repo2docker")
    assert found is not None
    assert found.submodule_search_locations is not None
    folder = Path(found.submodule_search_locations[0]) / "buildpacks" / "conda"
    lock = (folder / f"environment.py-{PYTHON}-linux-64.lock").read_text()
    return dict(re.findall(rf"/({'|'.join(BROUGHT)})-([\d.]+)-[^/]*$", lock, flags=re.MULTILINE))


def python_at_hand() -> tuple[str, str]:
    """Give a Python to build the environment with, and in words whether it is the one that Binder will take."""
    named = shutil.which(f"python{PYTHON}")
    if named is not None:
        # A version manager's stand-in has to be told which of its versions is meant.
        command = [named, "-c", "import ensurepip, sys; print(sys.executable)"]
        asked = subprocess.run(
            command, env=os.environ | {"PYENV_VERSION": PYTHON}, capture_output=True, text=True, check=False
        )
        if asked.returncode == 0:
            return asked.stdout.strip(), f"Python {PYTHON} as in runtime.txt"
    here = ".".join(map(str, sys.version_info[:2]))
    return sys.executable, f"Python {here}, since runtime.txt's {PYTHON} is not at hand"


class Stage:
    """A folder that stands for Binder's image: an environment and a copy of the repository."""

    def __init__(self, folder: Path, python: str) -> None:
        self.prefix = folder / "environment"
        self.repository = folder / "repository"
        self.programs = folder / "programs"
        self.home = folder / "home"
        self.home.mkdir()
        self.programs.mkdir()
        for name in NEEDED_PROGRAMS:
            found = shutil.which(name)
            assert found is not None, name
            (self.programs / name).symlink_to(found)
        copy_of_the_repository(self.repository)
        self.run("environment", python, "-m", "venv", str(self.prefix))

    @property
    def environment(self) -> Mapping[str, str]:
        """What a step finds: our Python, the few programs, a home without anything."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "JUPYTER", "IPYTHON"))}
        return kept | {
            "HOME": str(self.home),
            "PATH": os.pathsep.join([str(self.prefix / "bin"), str(self.programs)]),
            "KERNEL_PYTHON_PREFIX": str(self.prefix),
            "NB_PYTHON_PREFIX": str(self.prefix),
        }

    def run(self, name: str, *command: str, cwd: Path | None = None) -> str:
        """Carry out a step; fail with what it said if it fails."""
        done = subprocess.run(
            command, cwd=cwd or self.repository, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{name}:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
        return done.stdout

    def follow(self, name: str, pattern: str) -> None:
        """Carry out the one step of the plan that fits, as the builder would."""
        (step,) = [line for line in plan() if re.search(pattern, line)]
        self.run(name, "bash", "-c", step.removeprefix("RUN "))


def copy_of_the_repository(folder: Path) -> None:
    """Copy what git holds or would hold, which is what Binder sees: nothing built, nothing ignored."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        source, target = ROOT / name, folder / name
        if source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)


def size(folder: Path) -> float:
    """Give what a folder holds, in MB."""
    return sum(file.lstat().st_size for file in folder.rglob("*") if not file.is_dir()) / 1e6


@pytest.mark.long
def test_the_plan_carried_out_plays_the_first_notebook(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    python, in_words = python_at_hand()
    stage = Stage(tmp_path, python)
    pip = str(stage.prefix / "bin" / "pip")
    stage.run("base", pip, "install", "--quiet", *(f"{name}=={version}" for name, version in base_versions().items()))
    base = size(stage.prefix)
    stage.follow("requirements", r"^RUN .*/bin/pip install")
    required = size(stage.prefix)
    stage.follow("postBuild", r"^RUN \./binder/postBuild")

    jupyter = str(stage.prefix / "bin" / "jupyter")
    shown = stage.run("settings", jupyter, "lab", "--show-config-json")
    connection = json.loads(shown)["ServerApp"]["kernel_websocket_connection_class"]
    assert connection == "combatkit.lab.NoDelayWebsocketConnection"
    played = tmp_path / "played.ipynb"
    stage.run("notebook", jupyter, "nbconvert", "--to=notebook", "--execute", f"--output={played}", NOTEBOOK)

    assert_it_was_played(json.loads(played.read_text(encoding="utf-8")))
    (package,) = stage.prefix.glob("lib/python*/site-packages/combatkit")
    every = "import combatkit as ck; print(ck.__file__); [getattr(ck, name) for name in ck.__all__]"
    where = stage.run("names", str(stage.prefix / "bin" / "python"), "-c", every, cwd=tmp_path)
    assert Path(where.strip()).parent == package
    record_property(
        "told",
        f"binder: {in_words}; Jupyter {base:.0f} MB, requirements {required - base:.0f} MB, "
        f"combatkit {size(package):.1f} MB, played notebook {played.stat().st_size / 1e3:.0f} kB",
    )


def assert_it_was_played(notebook: dict[str, object]) -> None:
    """Fail unless every code cell ran, none failed, and the tracker is there, live and as a picture."""
    cells = notebook["cells"]
    assert isinstance(cells, list)
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell["outputs"]]
    assert [output for output in outputs if output["output_type"] == "error"] == []
    shown = [output["data"] for output in outputs if "data" in output]
    widgets = [data for data in shown if "application/vnd.jupyter.widget-view+json" in data]
    assert len(widgets) >= 1
    assert all("Mara" in "".join(data["text/html"]) for data in widgets)
