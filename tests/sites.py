"""The documentation's site, built once: the tests of its text keep it for those that open it in a browser."""

from __future__ import annotations

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
    sources = [path for folder in ("docs", "combatkit", "notebooks") for path in (ROOT / folder).rglob("*.*")]
    newest = max(path.stat().st_mtime for path in sources if "__pycache__" not in path.parts)
    return html if (html / "index.html").is_file() and _POINTER.stat().st_mtime > newest else None
