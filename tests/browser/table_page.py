"""The table page without Pyodide: the page as it is, and its Python beside the test."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, expect

from tests.browser.failures import open_page
from tests.browser.harness import Watched
from tests.browser.servers import ROOT, StubSite
from tools.lite import german, systems

PYTHON = """
import json, sys
from types import ModuleType

page, posted, out = ModuleType("page"), [], sys.stdout
page.post = lambda text: posted.append(json.loads(text))
sys.modules["page"] = page
source = open(sys.argv[1], encoding="utf-8").read()
for line in sys.stdin:
    if "disk" in (asked := json.loads(line)):
        scope = {"__name__": "table"}
        exec(compile(source.replace('"/table"', repr(asked["disk"])), sys.argv[1], "exec"), scope)
        continue
    posted.clear()
    scope["hear"](line)
    print(json.dumps(posted), flush=True, file=out)
"""
"""Hears a line, and says what it posts: what `worker.js` does in a browser. A disk is a first visit."""
WORKER = """
window.Worker = class {
  // As with the true one, the rules are there some time after the page.
  set onmessage(heed) {
    this.heed = heed;
    window.loadRules = () => heed({ data: { hears: true } });
  }
  async postMessage(message) {
    for (const data of await window.hearTable(JSON.stringify(message))) this.heed({ data });
  }
};
"""


@cache
def served() -> dict[str, str]:
    """Give what the page is told of the rules, made once a run."""
    told = {"pyodide": "", "packages": [], "systems": systems(), "loads": 1}
    return {"site.json": json.dumps(told), "de.json": json.dumps(german(), ensure_ascii=False)}


class TablePage(Watched):
    """The table page in a context, with its Python in a process beside it."""

    def __init__(self, context: BrowserContext, site: StubSite, python: subprocess.Popen[str]) -> None:
        super().__init__(open_page(context))
        self._url = f"{site.url}/table/index.html"
        self._python = python
        self.page.add_init_script(WORKER)
        self.page.expose_function("hearTable", self._hear)

    def open(self) -> None:
        """Open the page; its rules are still loading."""
        self.page.goto(self._url)
        self.wait_until(lambda: bool(self.page.evaluate("() => window.loadRules !== undefined")))

    def load(self) -> None:
        """Let the rules be loaded, and wait for the fight that comes with them: it folds the form for another."""
        self.page.evaluate("() => loadRules()")
        expect(self.page.locator("#fight .ck-shell")).to_be_visible()

    def begin(self, system: str, scene: str, language: str) -> None:
        """Begin a fight, by the form that the page has for it."""
        if not self.page.locator("#new").evaluate("fold => fold.open"):
            self.page.locator("#new > summary").click()
        for name, chosen in (("language", language), ("system", system), ("scene", scene)):
            self.page.locator(f"select[name={name}]").select_option(chosen)
        self.page.locator("#choose button").click()

    def tell(self, message: object) -> None:
        """Tell its Python something, which says nothing to it."""
        self._write(json.dumps(message))

    def _write(self, line: str) -> None:
        assert self._python.stdin
        self._python.stdin.write(f"{line}\n")
        self._python.stdin.flush()

    def _hear(self, message: str) -> Any:
        assert self._python.stdout
        self._write(message)
        return json.loads(self._python.stdout.readline())


@contextmanager
def table_python() -> Iterator[subprocess.Popen[str]]:
    """Run the Python of table pages: most of what a visit takes is to load the rules, which one visit does for all."""
    command = [sys.executable, "-c", PYTHON, str(ROOT / "lite" / "table" / "table.py")]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as python:
        yield python


def table_page(context: BrowserContext, site: StubSite, folder: Path, python: subprocess.Popen[str]) -> TablePage:
    """Open the table page in a context, as on a first visit; whatever it writes goes into an empty folder."""
    made, disk = folder / "page", folder / "disk"
    shutil.copytree(ROOT / "lite" / "table", made)
    disk.mkdir()
    for part in ("tracker.css", "map.css", "tracker.js", "ladder.js", "budget.js", "log.js", "map.js"):
        shutil.copy(ROOT / "combatkit" / "static" / part, made)
    shutil.copy(ROOT / "js" / "shared" / "model.js", made)
    for theme in ("light", "dark"):
        shutil.copy(ROOT / "docs" / "pictures" / f"tracker-{theme}.png", made / f"coming-{theme}.png")
    for name, text in served().items():
        (made / name).write_text(text, encoding="utf-8")
    (made / "offline.js").touch()
    site.folders["/table/"] = made
    page = TablePage(context, site, python)
    page.tell({"disk": str(disk)})
    return page
