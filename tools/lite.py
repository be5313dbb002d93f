"""Build the site that runs combatkit in a browser, with no server behind it and no request to anywhere else.

``python -m tools.lite`` makes ``build/lite``: JupyterLite, our notebooks, Pyodide's Python and the wheels of
``lite/wheels.txt``. With ``ONLINE=1`` Pyodide and polars come from Pyodide's own host instead, and frames are polars'.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import nbformat

import combatkit as ck
from combatkit.study.scenes.kit import scenes_of_kit
from tools import offline

ROOT = Path(__file__).parents[1]
LITE = ROOT / "lite"
SITE = ROOT / "build" / "lite"
WORK = ROOT / "build" / "lite-work"
ENVIRONMENT = ROOT / "build" / "lite-env"
PYODIDE = LITE / "node_modules" / "pyodide"

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LIBRARY = "python_stdlib.zip"
PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14", "--abi", "cp314")
AT_TABLE = (
    "anywidget", "combatkit", "comm", "defusedxml", "ipywidgets", "msgspec", "psygnal", "ruamel-yaml", "tomli-w",
    "traitlets", "typing-extensions",
)  # fmt: skip
"""What the table's Python is made of: no notebook."""

KERNEL = "@jupyterlite/pyodide-kernel-extension"


def locked() -> dict[str, tuple[str, str]]:
    """Return version and hash of every wheel that is taken from elsewhere, by its name."""
    lines = (LITE / "wheels.txt").read_text(encoding="utf-8").splitlines()
    found = [re.fullmatch(r"([\w.-]+)==([\w.]+) --hash=sha256:([0-9a-f]{64})", line) for line in lines[1:]]
    return {each[1]: (each[2], each[3]) for each in found if each}


def run(*command: str | Path, **more: Any) -> None:
    """Run a program, and show what it says only if it fails."""
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout}")


def wheels() -> Path:
    """Return a folder with all wheels, bytecode in them; what others made is compiled once."""
    taken, ours, compiled = (WORK / name for name in ("taken", "ours", "compiled"))
    stamp, asks = WORK / "taken.stamp", [*LITE.glob("*.txt"), LITE / "bytecode.mjs", LITE / "package-lock.json"]
    if not stamp.exists() or stamp.stat().st_mtime < max(each.stat().st_mtime for each in asks):
        for each in (taken, compiled):
            shutil.rmtree(each, ignore_errors=True)
        asked = ("--require-hashes", "--no-deps", "--only-binary", ":all:", *PLATFORM, "-r", LITE / "wheels.txt")
        run(ENVIRONMENT / "bin" / "python", "-m", "pip", "download", "-q", "-d", taken, *asked)
        for each in (extensions() / KERNEL / "static" / "pypi").glob("*.whl"):
            if not each.name.startswith("widgetsnbextension-3"):
                shutil.copy(each, taken)
        shutil.copy(PYODIDE / LIBRARY, taken)
        compile_all(taken, compiled)
        stamp.touch()
    shutil.rmtree(ours, ignore_errors=True)
    for each in compiled.glob("combatkit-*.whl"):
        each.unlink()
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", ours, ROOT)
    compile_all(ours, compiled)
    return compiled


def compile_all(folder: Path, to: Path) -> None:
    """Put wheels of a folder into another, with bytecode."""
    to.mkdir(parents=True, exist_ok=True)
    run("node", LITE / "bytecode.mjs", folder, to)


def extensions() -> Path:
    """Return the folder with the front ends of kernel and widgets."""
    return ENVIRONMENT / "share" / "jupyter" / "labextensions"


def packages(folder: Path) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield what Pyodide is told of each wheel."""
    for wheel in sorted(folder.glob("*.whl")):
        name, version = wheel.name.split("-")[:2]
        name = name.replace("_", "-").lower()
        with zipfile.ZipFile(wheel) as held:
            tops = {part[0] for each in held.namelist() if len(part := each.split("/")) > 1 or each.endswith(".py")}
        imports = sorted(top.removesuffix(".py") for top in tops if not re.search(r"\.(dist-info|data)$", top))
        yield (
            name,
            {
                "name": name,
                "version": version,
                "file_name": wheel.name,
                "install_dir": "site",
                "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
                "package_type": "package",
                "imports": imports,
                "depends": [],
                "unvendored_tests": False,
            },
        )


def python(online: str | None) -> list[str]:
    """Put wheels and Python into the site, with the list of just these, and return the wheels' names."""
    static, core = (WORK / "static" / name for name in ("wheels", "pyodide"))
    static.mkdir(parents=True)
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8"))
    theirs = lock["packages"]["polars"]
    folder = wheels()
    lock["packages"] = dict(packages(folder))
    for each in lock["packages"].values():
        shutil.copy(folder / each["file_name"], static)
    if online:
        lock["packages"]["polars"] = {**theirs, "file_name": f"{online}/{theirs['file_name']}"}
    else:
        core.mkdir()
        for name in CORE:
            shutil.copy(PYODIDE / name, core)
        shutil.copy(folder / LIBRARY, core)
    (static / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    return [*lock["packages"]]


def notebooks(online: str | None) -> None:
    """Put the notebooks into the site, in whole texts: it shows lists of lines with commas between them.

    Without polars its name is that of the plain tables, and Run All goes on.
    """
    files = WORK / "files"
    shutil.copytree(ROOT / "notebooks", files, ignore=shutil.ignore_patterns(".*", "*.combat"))
    for path in sorted(files.glob("*.ipynb")):
        book = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        for cell in book.cells if online is None else ():
            cell.source = cell.source.replace("import polars as pl", "from combatkit.frames import pl")
            if cell.cell_type == "code" and "pl." in cell.source:
                cell.metadata.tags = [*cell.metadata.get("tags", ()), "raises-exception"]
        path.write_text(json.dumps(book, ensure_ascii=False, indent=1), encoding="utf-8")


def configure(online: str | None, names: list[str]) -> None:
    """Say what the site is called, and which Python it starts with which wheels."""
    base = online or "./static/pyodide"
    kernel = {
        "pyodideUrl": f"{base}/pyodide.mjs",
        "loadPyodideOptions": {"lockFileURL": "./static/wheels/pyodide-lock.json", "packages": names},
        "disablePyPIFallback": True,
    }
    config = {
        "appName": "combatkit",
        "enableServiceWorkerCache": True,
        "exposeAppInBrowser": True,
        "litePluginSettings": {f"{KERNEL}:kernel": kernel},
        "settingsOverrides": {"@jupyterlab/apputils-extension:themes": {"adaptive-theme": True}},
    }
    said = {"jupyter-lite-schema-version": 0, "jupyter-config-data": config}
    (WORK / "site" / "jupyter-lite.json").write_text(json.dumps(said), encoding="utf-8")


def table(online: str | None) -> None:
    """Make the page with a table and no notebook, and the list of what it keeps for the next visit."""
    page = SITE / "table"
    shutil.copytree(LITE / "table", page)
    for part in ("tracker.css", "map.css", "tracker.js", "ladder.js", "budget.js", "log.js", "map.js"):
        shutil.copy(ROOT / "combatkit" / "static" / part, page)
    shutil.copy(ROOT / "js" / "shared" / "model.js", page)
    for theme in ("light", "dark"):
        shutil.copy(ROOT / "docs" / "pictures" / f"tracker-{theme}.png", page / f"coming-{theme}.png")
    packages = [*AT_TABLE, *(("polars",) if online else ())]
    pyodide, loads = (
        f"{online or '../static/pyodide'}/pyodide.mjs",
        len(CORE) + len((LIBRARY, "its lock")) + len(packages),
    )
    said = {"pyodide": pyodide, "packages": packages, "systems": systems(), "loads": loads}
    (page / "site.json").write_text(json.dumps(said), encoding="utf-8")
    (page / "de.json").write_text(json.dumps(german(), ensure_ascii=False), encoding="utf-8")
    folder = SITE / "static" / "wheels"
    lock = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]
    kept = [*page.iterdir(), folder / "pyodide-lock.json", *(folder / lock[name]["file_name"] for name in AT_TABLE)]
    if not online:
        kept += (SITE / "static" / "pyodide").iterdir()
    offline.keep(page, "table", kept)


def systems() -> list[dict[str, Any]]:
    """Return what can be chosen at the table: every system, and the scenes that its rules can tell."""
    found: list[dict[str, Any]] = []
    for rules in ck.rulesets():
        scenes = []
        for id, (told, of) in scenes_of_kit().items():
            if of is None or of.id == rules.id:
                with suppress(ck.InvalidInput):
                    ck.scene(id).encounter(rules.id)
                    scenes.append({"id": id, "title": told["name"]})
        scenes.append({"id": "", "title": "An empty table"})
        named = {"title": rules.title, "round": rules.round_title, "surprise": rules.round_label(0)}
        found.append({"id": rules.id, **named, "scenes": scenes})
    return found


def german() -> dict[str, str]:
    """Return what the page says in German: its own words, and what the rules call themselves and their rounds."""
    own: dict[str, str] = json.loads((LITE / "table" / "de.json").read_text(encoding="utf-8"))
    for rules in ck.rulesets():
        spoken = rules.languages["de"]
        own |= {text: spoken.word(text) for text in (rules.title, rules.round_title)}
        own[rules.round_label(0)] = spoken.render(rules.said_round(0))
    return own


def keep() -> None:
    """Make what a visit has loaded open without a network: JupyterLite's worker keeps too little for that."""
    (SITE / "service-worker.js").rename(SITE / "service-worker-lite.js")
    shutil.copy(LITE / "service-worker.js", SITE)
    shutil.copy(LITE / "keep.js", SITE)
    for page in SITE.glob("*/index.html"):
        text = page.read_text(encoding="utf-8")
        if "jupyter-lite-main" in text:
            page.write_text(text.replace("<head>", '<head><script src="../keep.js"></script>', 1), encoding="utf-8")


def main() -> None:
    """Build the site."""
    WORK.mkdir(parents=True, exist_ok=True)
    for each in ("site", "files", "static"):
        shutil.rmtree(WORK / each, ignore_errors=True)
    (WORK / "site").mkdir()
    online = None
    if os.environ.get("ONLINE") == "1":
        said = "from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL; print(PYODIDE_CDN_URL)"
        online = subprocess.check_output([ENVIRONMENT / "bin" / "python", "-c", said], text=True).strip()
    names = python(online)
    notebooks(online)
    configure(online, names)
    shutil.rmtree(SITE, ignore_errors=True)
    chosen = ("--apps", "lab", "--apps", "notebooks", "--apps", "repl", "--no-sourcemaps", "--no-libarchive")
    jupyter = ENVIRONMENT / "bin" / "jupyter-lite"
    source = WORK / "site"  # it keeps there what it has done
    run(jupyter, "build", "--contents", WORK / "files", "--output-dir", SITE, *chosen, cwd=source)
    shutil.copytree(WORK / "static", SITE / "static", dirs_exist_ok=True)
    keep()
    shutil.copy(LITE / "index.html", SITE)  # whoever opens the site comes to the table
    table(online)
    size = sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file())
    print(f"{SITE.relative_to(ROOT)}: {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
