"""What browser tests drive: one widget on a page with a stub model, or a notebook in a real JupyterLab."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from playwright.sync_api import ConsoleMessage, Locator, Page, Response, expect

from tests.browser.servers import PATIENCE, ROOT, JupyterServer, StubSite, write_json

Theme = Literal["light", "dark"]
Hearing = Callable[[str, Any], list[tuple[str, Any]]]

SCREENSHOTS = ROOT / "build" / "screenshots"
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A site of its own process starts one for each page: here all pages of a context are the tests' own.
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
]
BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
expect.set_options(timeout=PATIENCE * 1000)


def find_chromium(installed: str) -> str:
    """Give the path of a Chromium or Chrome, or fail and say how to get one.

    ``CHROMIUM`` in the environment goes first, then what is on the path, then ``installed``, where Playwright
    would keep its own.
    """
    named = os.environ.get("CHROMIUM")
    if named:
        found = shutil.which(named)
        if found is None:
            pytest.fail(f"CHROMIUM={named} is no program", pytrace=False)
        return found
    for browser in BROWSERS:
        found = shutil.which(browser)
        if found is not None:
            return found
    if Path(installed).exists():
        return installed
    pytest.fail(
        "the browser tests need Chromium or Chrome, and none was found: install one "
        "(Debian: apt-get install chromium; anywhere: .venv/bin/playwright install chromium) or name it in CHROMIUM",
        pytrace=False,
    )


class Watched:
    """A page whose errors are kept, so that a test can end with none.

    Attributes
    ----------
    page
        Playwright's page, for whatever has no method here.
    problems
        Console errors, uncaught exceptions and failed requests so far. A test that provokes some clears the list.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems: list[str] = []
        page.set_default_timeout(PATIENCE * 1000)
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.problems.append(f"uncaught: {error.stack or error}"))
        page.on("response", self._on_response)

    def screenshot(self, name: str, of: Locator | None = None) -> Path:
        """Save a picture of the page, or of a part of it, under ``build/screenshots``."""
        path = SCREENSHOTS / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        if of is None:
            self.page.screenshot(path=path, full_page=True)
        else:
            of.screenshot(path=path)
        return path

    def set_width(self, pixels: int) -> None:
        """Make the window that wide."""
        size = self.page.viewport_size
        self.page.set_viewport_size({"width": pixels, "height": size["height"] if size else 800})

    def wait_until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, looked at from here: a page that forbids `eval` cannot be asked to wait."""
        deadline = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < deadline, f"still not so after {PATIENCE} s"
            self.page.wait_for_timeout(10)

    def assert_clean(self) -> None:
        """Fail if anything went wrong on the page."""
        assert not self.problems, "\n".join(self.problems)

    def _on_console(self, message: ConsoleMessage) -> None:
        # A failed request is reported twice; the response names the address.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.problems.append(f"console: {message.text}")

    def _on_response(self, response: Response) -> None:
        if response.status >= 400:
            self.problems.append(f"{response.status}: {response.url}")


def faults_of(page: Page, within: str = "html") -> list[tuple[str, str]]:
    """Give impact and rule of the serious faults axe-core finds on a page, or within a part of it.

    It is put there by the browser, since a page may let nothing else in.
    """
    settle(page)
    source = (ROOT / "js/node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
    page.context.new_cdp_session(page).send("Runtime.evaluate", {"expression": source})
    run = "async within => (await axe.run(within)).violations.map(each => [each.impact, each.id])"
    found = page.evaluate(run, within)
    return [(impact, id) for impact, id in found if impact in ("serious", "critical")]


class Violation(NamedTuple):
    """What axe found wrong with one rule."""

    id: str
    impact: str
    help: str
    nodes: tuple[str, ...]


class StubPage(Watched):
    """One widget in Chromium, its model played by the test.

    Examples
    --------
    In a test, with the fixture ``stub_page``::

        root = stub_page.mount("ladder", {"rungs": [], "revision": 0})
        root.get_by_role("button", name="End turn").click()
        assert stub_page.sent() == [{"kind": "end_turn"}]
        stub_page.deliver({"kind": "refused", "reason": "not yet", "rule": "saga.1"})
        stub_page.change(revision=1)
        assert stub_page.axe() == []
        stub_page.teardown()
        assert stub_page.listener_count() == 0
    """

    def __init__(self, page: Page, site: StubSite) -> None:
        super().__init__(page)
        self.site = site
        self._root: str | None = None
        self._hear: Hearing | None = None
        self._answered: list[Any] = []
        page.expose_function("toPython", lambda name, content: self._hear(name, content) if self._hear else [])
        self.renew()

    def renew(self) -> None:
        """Make the page as good as new, for the next test that uses it."""
        self.page.goto("about:blank")
        self.page.mouse.up()
        self.page.mouse.move(0, 0)
        self.page.set_viewport_size({"width": 960, "height": 800})
        self.page.emulate_media(color_scheme="light", reduced_motion="reduce", forced_colors="none")
        self.problems.clear()
        self._hear = None
        self._root = None

    def answer_by(self, hear: Hearing) -> None:
        """Put Python behind what is mounted from now on: what a widget sends is answered, and not kept in `sent`."""
        self._hear = hear

    def mount(
        self,
        name: str,
        traits: Mapping[str, object],
        children: Mapping[str, tuple[str, Mapping[str, object]]] | None = None,
    ) -> Locator:
        """Open an empty page and show a widget on it.

        Parameters
        ----------
        name
            The bundle: ``"ladder"`` for the built one, ``"fixtures/counter"`` for a file of the tests. Also the name
            of its model.
        traits
            The model's state.
        children
            Models the widget finds through ``host``: by name, the bundle and the state of each. The widget refers to
            one as ``"anywidget:<name>"``.

        Returns
        -------
        Locator
            The element the widget is rendered in.
        """
        self.page.goto(f"{self.site.url}/index.html")
        self.wait_until(lambda: bool(self.page.evaluate("() => window.stub !== undefined")))
        self.page.evaluate("answered => { stub.answered = answered; }", self._hear is not None)
        for child, (bundle, state) in (children or {}).items():
            self._add(child, bundle, state)
        self._add(name, name, traits)
        self._root = name
        self._answered = []
        return self.show(name)

    def show(self, name: str | None = None) -> Locator:
        """Show one more view of a model, and give its element."""
        model = self._name(name)
        self.page.evaluate("name => stub.show(name)", model)
        return self.page.locator(f'[data-view="{model}"]').last

    def hide(self) -> None:
        """End the oldest view, as running its cell again does."""
        self.page.evaluate("() => stub.hide()")

    def sent(self, name: str | None = None) -> list[Any]:
        """Give the custom messages a widget has sent, oldest first."""
        return list(self.page.evaluate("name => stub.model(name).sent", self._name(name)))

    def wait_for_sent(self, kind: str, name: str | None = None) -> Any:
        """Wait until a widget has sent a message of that kind, and give the last such message."""
        self.wait_until(lambda: any(message["kind"] == kind for message in self.sent(name)))
        return [message for message in self.sent(name) if message["kind"] == kind][-1]

    def wait_for_question(self, kind: str, name: str | None = None) -> Any:
        """Wait until the last message of that kind is one that this has not given yet, and give it."""
        self.wait_until(lambda: self.wait_for_sent(kind, name) not in self._answered)
        question = self.wait_for_sent(kind, name)
        self._answered.append(question)
        return question

    def saved(self, name: str | None = None) -> list[dict[str, Any]]:
        """Give the traits a widget has sent to Python with ``save_changes``, one entry a call."""
        return list(self.page.evaluate("name => stub.model(name).saved", self._name(name)))

    def state(self, name: str | None = None) -> dict[str, Any]:
        """Give a model's traits as they are now."""
        return dict(self.page.evaluate("name => stub.model(name).state", self._name(name)))

    def deliver(self, content: object, name: str | None = None) -> None:
        """Send a custom message to a widget, as Python's ``send`` does."""
        self.page.evaluate(
            "([name, content]) => stub.model(name).trigger('msg:custom', content, [])", [self._name(name), content]
        )

    def change(self, name: str | None = None, /, **traits: object) -> None:
        """Change traits of a model from Python's side, all in one update."""
        self.page.evaluate("([name, traits]) => stub.model(name).receive(traits)", [self._name(name), traits])

    def teardown(self) -> None:
        """End all views and models: their signals abort, as when the notebook is closed."""
        self.page.evaluate("() => stub.abort()")

    def listener_count(self) -> int:
        """Count listeners on models, window, document, body and media queries; none may be left after teardown."""
        return int(self.page.evaluate("() => stub.listenerCount()"))

    def set_theme(self, theme: Theme, *, jupyter: bool = True) -> None:
        """Switch between light and dark: as JupyterLab marks its body, or by the reader's preference alone."""
        self.page.emulate_media(color_scheme=theme)
        self.page.evaluate(
            "light => light === null ? document.body.removeAttribute('data-jp-theme-light')"
            " : document.body.setAttribute('data-jp-theme-light', light)",
            str(theme == "light").lower() if jupyter else None,
        )

    def axe(self, impacts: Sequence[str] = ("serious", "critical")) -> list[Violation]:
        """Give the accessibility faults axe-core finds in the mounted widgets, of those impacts."""
        settle(self.page)
        assert self.site.find("/axe/axe.min.js"), "axe-core is not installed: run make build"
        found = self.page.evaluate(
            """async () => {
                if (!window.axe) await import("/axe/axe.min.js");
                return (await axe.run("#views")).violations;
            }"""
        )
        return [
            Violation(each["id"], each["impact"], each["help"], tuple(node["html"] for node in each["nodes"]))
            for each in found
            if each["impact"] in impacts
        ]

    def _add(self, name: str, bundle: str, traits: Mapping[str, object]) -> None:
        address = f"/{bundle}" if "/" in bundle else f"/static/{bundle}"
        if self.site.find(f"{address}.js") is None:
            pytest.fail(f"there is no bundle {address}.js: run make build", pytrace=False)
        css = self.site.find(f"{address}.css")
        widget = {"address": f"{address}.js", "traits": dict(traits)}
        if css is not None:
            widget["css"] = css.read_text()
        self.page.evaluate("([name, widget]) => stub.add(name, widget)", [name, widget])

    def _name(self, name: str | None) -> str:
        assert self._root is not None, "nothing is mounted yet"
        return self._root if name is None else name


class CellError(AssertionError):
    """A cell ended with an exception: its traceback is the message."""


# What the page knows of the cells of the notebook in front, since its state is not to be read off their looks.
CELLS = """
    () => jupyterapp.shell.currentWidget.content.widgets
        .filter(cell => cell.model.type === "code" && cell.model.sharedModel.source.trim())
        .map(cell => ({
            count: cell.model.executionCount,
            running: cell.model.executionState === "running" || cell.promptNode.textContent.includes("*"),
            outputs: cell.model.outputs.toJSON(),
            mayFail: Boolean(cell.model.getMetadata("tags")?.includes("raises-exception")),
        }))
"""


# Adds a cell below all others, which is the active one then.
ADD = """
    async code => {
        const notebook = jupyterapp.shell.currentWidget.content;
        notebook.activeCellIndex = notebook.widgets.length - 1;
        await jupyterapp.commands.execute("notebook:insert-cell-below");
        notebook.activeCell.model.sharedModel.setSource(code);
        return notebook.activeCell;
    }
"""


class LabPage(Watched):
    """A notebook in JupyterLab, driven as a user does.

    Examples
    --------
    In a test, with the fixture ``lab_page``::

        lab_page.open("notebooks/00-start-here.ipynb")
        lab_page.run_all()
        lab_page.cell(1).get_by_role("button", name="End turn").click()
        assert lab_page.add_and_run_cell("enc.active") == "'Guard 1'"
    """

    _opened = 0

    def __init__(self, page: Page, server: JupyterServer) -> None:
        super().__init__(page)
        self.server = server

    def open(self, notebook: str | Path | Sequence[str]) -> None:
        """Open a notebook and wait until its kernel is idle.

        Parameters
        ----------
        notebook
            A notebook of this repository, opened as a copy that has not run, or the code cells of a new one.
        """
        LabPage._opened += 1
        if isinstance(notebook, str | Path):
            name = f"{LabPage._opened}-{Path(notebook).name}"
            copy_unrun(ROOT / notebook, self.server.folder / name)
        else:
            name = f"{LabPage._opened}.ipynb"
            write_notebook(self.server.folder / name, notebook)
        # JupyterLab hangs on a workspace with a dot in its name.
        self.page.goto(f"{self.server.url}/lab/workspaces/test-{LabPage._opened}/tree/{name}?reset")
        self.wait_until_idle()

    def reload(self) -> None:
        """Load the page again; the kernel lives on."""
        self.page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
        self.page.reload()
        self.wait_until_idle()

    def wait_until_idle(self) -> None:
        """Wait until the notebook is there and its kernel has nothing to do."""
        self.page.wait_for_function(
            """() => {
                const panel = globalThis.jupyterapp?.shell.currentWidget;
                return panel?.sessionContext?.isReady && panel.sessionContext.session?.kernel?.status === "idle";
            }""",
        )
        # The indicator says idle also while there is no kernel yet; once there is, it has the last word.
        indicator = self.page.locator(".jp-NotebookPanel:visible .jp-Notebook-ExecutionIndicator")
        expect(indicator).to_have_attribute("data-status", "idle")

    def run_all(self) -> None:
        """Run all cells from the menu, and wait until the last is done.

        Raises
        ------
        CellError
            If a cell ends with an exception and has no tag ``raises-exception``.
        """
        before = max((cell["count"] or 0 for cell in self._cells()), default=0)
        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        self.page.wait_for_function(
            f"""before => {{
                const cells = ({CELLS})();
                const done = cell => cell.count > before && !cell.running;
                const failed = cell => !cell.mayFail && cell.outputs.some(output => output.output_type === "error");
                return cells.every(done) || cells.some(cell => done(cell) && failed(cell));
            }}""",
            arg=before,
        )
        self.wait_until_idle()
        for cell in self._cells():
            if not cell["mayFail"]:
                text_of(cell["outputs"])

    def restart(self) -> None:
        """Restart the kernel from the menu, and take the cells' outputs and numbers away."""
        self.page.get_by_role("menuitem", name="Kernel", exact=True).click()
        self.page.get_by_role("menuitem", name="Restart Kernel and Clear Outputs of All Cells…").click()
        self.page.get_by_role("dialog").get_by_role("button", name="Restart", exact=False).last.click()
        self.page.wait_for_function(
            "() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.status !== 'idle'"
        )
        self.wait_until_idle()

    def add_and_run_cell(self, code: str) -> str:
        """Add a cell at the end, run it, and give the text it puts out.

        Raises
        ------
        CellError
            If the cell ends with an exception.
        """
        cell = self.page.evaluate_handle(ADD, code)
        outputs = cell.evaluate(
            """async cell => {
                await jupyterapp.commands.execute("notebook:run-cell");
                return cell.model.outputs.toJSON();
            }"""
        )
        return text_of(outputs)

    def start_cell(self, code: str) -> None:
        """Add a cell at the end and let it run, without waiting for it."""
        self.page.evaluate_handle(ADD, code)
        self.page.evaluate("() => void jupyterapp.commands.execute('notebook:run-cell')")

    def cell(self, index: int) -> Locator:
        """Give a cell of the notebook, with its output; negative indices count from the end."""
        return self.page.locator(".jp-NotebookPanel:visible .jp-Notebook .jp-Cell").nth(index)

    def set_theme(self, theme: Theme) -> None:
        """Switch JupyterLab between its light and its dark theme.

        Its splash screen fades for a while after a load or a switch. One shown again meanwhile is taken off the page
        twice, which is an error; so each waits until the last is gone.
        """
        splash = self.page.locator("#jupyterlab-splash")
        expect(splash).to_have_count(0)
        self.page.evaluate(
            "theme => jupyterapp.commands.execute('apputils:change-theme', { theme })", f"JupyterLab {theme.title()}"
        )
        expect(self.page.locator("body")).to_have_attribute("data-jp-theme-light", str(theme == "light").lower())
        expect(splash).to_have_count(0)

    def _cells(self) -> list[dict[str, Any]]:
        return list(self.page.evaluate(CELLS))


def settle(page: Page) -> None:
    """Let what is to be drawn be drawn."""
    page.evaluate("async () => { for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame); }")


def write_notebook(path: Path, sources: Sequence[str]) -> None:
    """Write a notebook of code cells that have not run."""
    fresh: dict[str, object] = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [fresh | {"id": f"cell-{index}", "source": source} for index, source in enumerate(sources)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    write_json(path, {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": cells})


def copy_unrun(notebook: Path, path: Path) -> None:
    """Copy a notebook without its outputs and numbers, so that a cell with a number is one that has run here."""
    content = json.loads(notebook.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
    write_json(path, content)


def text_of(outputs: Sequence[Mapping[str, Any]]) -> str:
    """Give the plain text of a cell's outputs, or raise what the cell raised."""
    texts = []
    for output in outputs:
        if output["output_type"] == "error":
            raise CellError("\n".join(output["traceback"]))
        text = output["text"] if output["output_type"] == "stream" else output["data"].get("text/plain", "")
        texts.append(text if isinstance(text, str) else "".join(text))
    return "".join(texts).rstrip("\n")
