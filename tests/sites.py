"""The documentation's site, built once: the tests of its text keep it for those that open it in a browser."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
_POINTER = ROOT / "build" / "site"


def keep(html: Path) -> None:
    """Say where a whole site has been built."""
    _POINTER.parent.mkdir(exist_ok=True)
    _POINTER.write_text(str(html), encoding="utf-8")


def kept() -> Path | None:
    """Give the site that was built, if nothing that it is built from has changed since."""
    if not _POINTER.is_file():
        return None
    html = Path(_POINTER.read_text(encoding="utf-8"))
    folders = ("docs", "combatkit", "lite", "notebooks", "tools")
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*.*")]
    newest = max(path.stat().st_mtime for path in sources if "__pycache__" not in path.parts)
    return html if (html / "index.html").is_file() and _POINTER.stat().st_mtime > newest else None


def made(folder: Path) -> Path:
    """Give the site that was built, or build it there without running its cells: these are looked at elsewhere."""
    built = kept()
    if built is not None:
        return built
    command = [sys.executable, "-m", "sphinx", "-E", "-q", "-D", "nb_execution_mode=off"]
    where = ["-d", str(folder / "doctrees"), "docs", str(folder / "html")]
    subprocess.run([*command, *where], cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    return folder / "html"
