"""The other hosts: a turn passed by a click in Notebook 7 and in marimo. JupyterLab has test files of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.failures import Recorder
from tests.browser.harness import LabPage, Watched, write_notebook
from tests.browser.servers import NO_DELAY, PATIENCE, ROOT, free_port, listens, run_jupyter, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.lab, pytest.mark.long]

FIGHT = """
import combatkit as ck

enc = ck.Encounter("saga", seed=7)
enc.add("Mara", side="rebels", dex=4, level=6, hp=38, attack_bonus=9)
enc.add("Guard", side="empire", count=2, npc=True, dex=1, level=2, hp=16, attack_bonus=4, defense=15)
enc.start(rolls={"Mara": 17, "Guard 1": 12, "Guard 2": 5})
"""
TRACKER = "ck.Tracker(enc)"
LADDER = "ck.InitiativeLadder(enc)"

MARIMO = """
import marimo

app = marimo.App()


@app.cell
def _():{fight}
    return ck, enc


@app.cell
def _(ck, enc):
    {tracker}
    return


@app.cell
def _(ck, enc):
    {ladder}
    return
"""


def pass_a_turn(page: Page) -> Locator:
    """End Mara's turn by a click in the tracker, see it pass there and in a ladder beside it, and give the tracker."""
    tracker = page.locator("[data-lm-suppress-shortcuts]").filter(has=page.get_by_role("button", name="End turn")).first
    ladders = page.get_by_role("list", name="Initiative ladder")
    now = '[aria-current="true"]'
    expect(ladders).to_have_count(2)
    expect(tracker.get_by_role("group", name="Action budget: Mara")).to_be_visible()
    tracker.get_by_role("button", name="End turn", exact=True).click()
    for ladder in ladders.all():
        expect(ladder.locator(now)).to_contain_text("Guard 1")
    expect(tracker.get_by_role("group", name="Action budget: Guard 1")).to_be_visible()
    expect(tracker.get_by_role("group", name="Result")).to_contain_text("does nothing")
    return tracker


def test_notebook_7(new_context: Recorder, tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    options = ["--JupyterNotebookApp.expose_app_in_browser=True"]
    with (
        run_jupyter(tmp_path, app="notebook", connection=NO_DELAY, options=options) as server,
        new_context(viewport={"width": 1280, "height": 1400}) as context,
    ):
        new_context.logs.append(server.log)
        page = LabPage(context.new_page(), server)
        write_notebook(server.folder / "fight.ipynb", [FIGHT, TRACKER, LADDER])
        page.page.goto(f"{server.url}/notebooks/fight.ipynb")
        page.wait_until_idle()
        # Notebook 7.6 opens even an empty notebook with an uncaught error of its own.
        page.problems.clear()
        page.run_all()
        page.screenshot("host-notebook-7", of=pass_a_turn(page.page))
        assert page.add_and_run_cell("enc.active") == "'Guard 1'"
        page.assert_clean()
    record_property("told", f"host: Notebook {version('notebook')}, a turn passed by a click")


@contextmanager
def run_marimo(home: Path, notebook: str, logs: list[Path]) -> Iterator[str]:
    """Run a notebook as an app, and give its address."""
    path = home / "fight.py"
    path.write_text(notebook)
    port = free_port()
    command = [sys.executable, "-m", "marimo", "run", "--headless", "--no-token", "--host=127.0.0.1", f"--port={port}"]
    environment = os.environ | {"HOME": str(home), "PYTHONPATH": str(ROOT)}
    log = home / "server.log"
    logs.append(log)
    with log.open("w") as output:
        server = subprocess.Popen([*command, str(path)], cwd=home, env=environment, stdout=output, stderr=output)
        try:
            wait_until(lambda: listens(port), server, log)
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()
            server.wait(timeout=PATIENCE)


def test_marimo(new_context: Recorder, tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    fight = FIGHT.rstrip().replace("\n", "\n    ").replace("\n    \n", "\n\n")
    notebook = MARIMO.format(fight=fight, tracker=TRACKER, ladder=LADDER)
    with (
        run_marimo(tmp_path, notebook, new_context.logs) as url,
        new_context(viewport={"width": 1280, "height": 1400}) as context,
    ):
        page = Watched(context.new_page())
        page.page.goto(url)
        page.screenshot("host-marimo", of=pass_a_turn(page.page))
        page.assert_clean()
    record_property("told", f"host: marimo {version('marimo')}, a turn passed by a click")
