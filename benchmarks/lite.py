"""The site in a browser: how long a visit takes, cold and warm, what it loads, and where Python's time goes."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, sync_playwright

from tests.browser.harness import CHROMIUM_FLAGS, find_chromium
from tests.browser.servers import FolderSite
from tools.lite import AT_TABLE, LITE, ROOT, SITE

VISITS = 5
SMALLEST = {"VISITS": 0}
PATIENCE = 600_000
LADDER = "[aria-label='Initiative ladder']"
KINDS = {".wasm": "wasm", ".whl": "wheels", ".zip": "Python's library", ".js": "scripts", ".mjs": "scripts"}


def _notebook(page: Page, url: str) -> dict[str, float]:
    """Open the first notebook and run it: seconds until it is in sight, and from Run All to the Tracker."""
    began = time.perf_counter()
    page.goto(f"{url}/lab/index.html?path=00-start-here.ipynb")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=PATIENCE)
    seen = time.perf_counter()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_selector(LADDER, timeout=PATIENCE)
    return {"notebook in sight": seen - began, "Tracker after Run All": time.perf_counter() - seen}


def _table(page: Page, url: str) -> dict[str, float]:
    began = time.perf_counter()
    page.goto(f"{url}/table/")
    page.wait_for_selector(LADDER, timeout=PATIENCE)
    return {"table ready to click": time.perf_counter() - began}


def _visit(context: BrowserContext, url: str, look: Callable[[Page, str], dict[str, float]]) -> dict[str, float]:
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    found = look(page, url)
    page.wait_for_timeout(3_000)  # what is kept for the next visit comes in the background
    page.close()
    return found


def _told(site: FolderSite) -> str:
    """Tell what a visit has loaded: each file once, and what was sent again."""
    files = dict(site.sent)
    number, size = Counter[str](), Counter[str]()
    for file, held in files.items():
        kind = KINDS.get(file.suffix, "the rest")
        number[kind] += 1
        size[kind] += held
    again = sum(held for _, held in site.sent) - sum(files.values())
    kinds = ", ".join(f"{kind} {size[kind] / 1e6:.1f} MB in {number[kind]}" for kind in sorted(size))
    return f"{sum(size.values()) / 1e6:.1f} MB in {len(files)} files ({kinds}); {again / 1e6:.1f} MB sent again"


def run() -> list[str]:
    """Measure and give the lines to print."""
    if not SITE.exists():
        return ["build/lite is not there; make lite builds it"]
    size = {
        name: sum(p.stat().st_size for p in (SITE / name).rglob("*") if p.is_file()) for name in ("static", "build")
    }
    wheels = sum(p.stat().st_size for p in (SITE / "static" / "wheels").glob("*.whl") if _is_at_table(p.name))
    core = sum(p.stat().st_size for p in (SITE / "static" / "pyodide").iterdir())
    lines = [
        f"Python and wheels {size['static'] / 1e6:.1f} MB, JupyterLab at most {size['build'] / 1e6:.1f} MB",
        f"the table: Python {core / 1e6:.1f} MB, wheels {wheels / 1e6:.1f} MB",
    ]
    if not VISITS:
        return lines
    said = subprocess.run(
        ["node", LITE / "imports.mjs", SITE / "static"], check=True, capture_output=True, text=True, cwd=ROOT
    )
    lines += said.stdout.splitlines()
    times: dict[str, list[float]] = {}
    loads: dict[str, str] = {}
    with sync_playwright() as playwright:
        path = find_chromium(playwright.chromium.executable_path)
        for _ in range(VISITS):
            for what, look in {"notebook": _notebook, "table": _table}.items():
                site = FolderSite(SITE)
                browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
                context = browser.new_context(viewport={"width": 1280, "height": 900})
                for when in ("cold", "warm"):
                    site.sent.clear()
                    for passed, seconds in _visit(context, site.url, look).items():
                        times.setdefault(f"{passed}, {when}", []).append(seconds)
                    loads[f"a {when} visit to the {what} loads"] = _told(site)
                browser.close()
                site.close()
    for what, each in times.items():
        median, least, most = statistics.median(each), min(each), max(each)
        lines.append(f"{what}: {median:.1f} s, median of {VISITS} ({least:.1f} to {most:.1f})")
    return [*lines, *(f"{what} {told}" for what, told in loads.items())]


def _is_at_table(wheel: str) -> bool:
    return wheel.split("-", maxsplit=1)[0].replace("_", "-") in AT_TABLE
