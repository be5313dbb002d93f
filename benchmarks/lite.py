"""The site in a browser: what a visit loads, how long it takes, cold and warm, and where Python's time goes."""

from __future__ import annotations

import functools
import statistics
import subprocess
import threading
import time
from collections.abc import Callable
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import BrowserContext, Page, sync_playwright

from tests.browser.harness import CHROMIUM_FLAGS, find_chromium
from tools.lite import AT_TABLE, LITE, ROOT, SITE

VISITS = 5
SMALLEST = {"VISITS": 0}
PATIENCE = 600_000
LADDER = "[aria-label='Initiative ladder']"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


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
    return {"table": time.perf_counter() - began}


def _visit(context: BrowserContext, url: str, look: Callable[[Page, str], dict[str, float]]) -> dict[str, float]:
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    found = look(page, url)
    page.wait_for_timeout(3_000)  # what is kept for the next visit comes in the background
    page.close()
    return found


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
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    times: dict[str, list[float]] = {}
    with sync_playwright() as playwright:
        path = find_chromium(playwright.chromium.executable_path)
        for _ in range(VISITS):
            for look in (_notebook, _table):
                browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
                context = browser.new_context(viewport={"width": 1280, "height": 900})
                for when in ("first visit", "second visit"):
                    for what, seconds in _visit(context, url, look).items():
                        times.setdefault(f"{what}, {when}", []).append(seconds)
                browser.close()
    server.shutdown()
    server.server_close()
    lines += [f"{what}: {statistics.median(each):.1f} s, median of {VISITS}" for what, each in times.items()]
    return lines


def _is_at_table(wheel: str) -> bool:
    return wheel.split("-", maxsplit=1)[0].replace("_", "-") in AT_TABLE
