"""Run the tests without browsers with the lowest versions that pyproject.toml allows, and with the newest.

``python tools/versions.py [lowest] [newest] [frames] [-- pytest's arguments]``: the lowest on the lowest Python that
`requires-python` allows, the newest on the newest Python found here; and what makes frames with the polars of a
browser's Python, there too. Each has an environment of its own under
``build/versions``, which pip makes again when pyproject.toml has changed; a file of constraints holds it to the lower
bounds of what the project asks for itself.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "versions"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

EXTRAS = "lab,pictures,report,share,sheets,sim"
BROWSING = ("--ignore=tests/browser", "--ignore=tests/test_flaky.py")
TESTS = ("-m", "not long", "--doctest-modules", "combatkit", "tests", *BROWSING)
FRAMES = (
    "archive",
    "export",
    "history",
    "odds_shown",
    "plain_frames",
    "quiz",
    "rosters",
    "sheets",
    "shelf",
    "simulate",
)
"""The tests of what makes frames."""

BROWSERS = ("marimo", "playwright")
"""What only the tests with browsers are made with; a host of widgets also has lower bounds of its own."""

UNSAID = ["ipython_genutils"]
"""What the lowest ipywidgets imports and does not ask for: an older kernel brought it along."""


def needed(which: str) -> list[str]:
    """Return what users install, extras included; for frames, with the bounds of a browser's Python."""
    project = PROJECT["project"]
    asked = [
        each for several in (project["dependencies"], *project["optional-dependencies"].values()) for each in several
    ]
    other = "!=" if which == "frames" else "=="
    return [each.partition(";")[0] for each in asked if f"sys_platform {other} 'emscripten'" not in each]


def tools() -> list[str]:
    """Return what the tests are made with; of that any version will do."""
    asked = [each for group in PROJECT["dependency-groups"].values() for each in group if isinstance(each, str)]
    return [each for each in asked if not each.startswith(BROWSERS)]


def lowest(requirement: str) -> str:
    """Return the constraint that holds a requirement to its lower bound.

    Examples
    --------
    >>> lowest("altair>=5.5,<7")
    'altair==5.5'
    """
    found = re.fullmatch(r"([\w.-]+)>=([\w.]+)(?:,.*)?", requirement)
    if found is None:
        raise SystemExit(f"pyproject.toml: {requirement!r} has no lower bound; write it as name>=version")
    return f"{found[1]}=={found[2]}"


def pythons() -> dict[tuple[int, int], str]:
    """Return the Pythons found here by version: those on the path, pyenv's, and the one that runs this."""
    names = [f"python3.{minor}" for minor in range(9, 30)]
    found = [path for name in names if (path := shutil.which(name))]
    found += [str(path) for path in Path("~/.pyenv/versions").expanduser().glob("3.*/bin/python")]
    known: dict[tuple[int, int], str] = {}
    for path in (*found, sys.executable):
        said = "import sys; print(*sys.version_info[:2], sys.version_info.releaselevel)"
        done = subprocess.run([path, "-c", said], capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout.split()[2] == "final":
            major, minor = map(int, done.stdout.split()[:2])
            known[major, minor] = path
    return known


def chosen(which: str) -> str:
    """Return the Python a run is made with."""
    bound = tuple(map(int, PROJECT["project"]["requires-python"].removeprefix(">=").split(".")))
    known = {version: path for version, path in pythons().items() if version >= bound}
    if which != "lowest":
        return known[max(known)]
    if bound not in known:
        raise SystemExit(f"Python {bound[0]}.{bound[1]}, the lowest allowed, is not to be found here")
    return known[bound[0], bound[1]]


def environment(which: str) -> Path:
    """Make an environment, or give the one that is there and still right."""
    folder, base = BUILD / which, chosen(which)
    stamp, asked = folder / "made-of", f"{base}\n{(ROOT / 'pyproject.toml').read_text(encoding='utf-8')}"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == asked:
        return python
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([base, "-m", "venv", folder], check=True)
    constraints = folder / "constraints.txt"
    held, unsaid = ([lowest(each) for each in needed(which)], UNSAID) if which == "lowest" else ([], [])
    if which == "frames":
        held = [lowest(each) for each in needed(which) if each.startswith("polars")]
    constraints.write_text("\n".join(held), encoding="utf-8")
    pip: list[str | Path] = [python, "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "--upgrade", "pip"], check=True)
    subprocess.run([*pip, "--upgrade", "--constraint", constraints, *needed(which), *unsaid, *tools()], check=True)
    subprocess.run([*pip, "--no-deps", "--editable", f"{ROOT}[{EXTRAS}]"], check=True)
    stamp.write_text(asked, encoding="utf-8")
    return python


def main(arguments: list[str]) -> int:
    """Run what is asked for; both if nothing is."""
    split = arguments.index("--") if "--" in arguments else len(arguments)
    runs, more = arguments[:split] or ["lowest", "newest", "frames"], arguments[split + 1 :]
    if not set(runs) <= {"lowest", "newest", "frames"}:
        print(__doc__)
        return 2
    if not (ROOT / "combatkit" / "static" / "tracker.js").exists():
        raise SystemExit("the front ends are not built yet: make build")
    failed = []
    for which in runs:
        python = environment(which)
        print(
            f"{which}: {subprocess.run([python, '-VV'], capture_output=True, text=True, check=True).stdout}", flush=True
        )
        tests = [f"tests/test_{name}.py" for name in FRAMES] if which == "frames" else TESTS
        done = subprocess.run([python, "-m", "pytest", *tests, *more], cwd=ROOT, check=False)
        if done.returncode:
            failed.append(which)
    print(f"failed: {', '.join(failed)}" if failed else f"passed: {', '.join(runs)}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
