"""The harness itself, on the smallest widgets there are."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.request import Request, urlopen
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser import failures
from tests.browser.failures import FAILED, Lender, Recorder, open_page
from tests.browser.harness import CellError, LabPage, StubPage, find_chromium
from tests.browser.servers import JupyterServer, StubSite

COUNTER = "fixtures/counter"

NOTEBOOK = [
    '''
import anywidget
import traitlets


class Counter(anywidget.AnyWidget):
    """A button that counts in Python: what it shows, a cell sees."""

    _esm = """
    export default {
      render({ model, el, signal }) {
        const button = el.appendChild(document.createElement("button"));
        const show = () => { button.textContent = `Count: ${model.get("count")}`; };
        button.addEventListener("click", () => model.send({}), { signal });
        model.on("change:count", show);
        show();
      },
    };
    """
    count = traitlets.Int(0).tag(sync=True)

    def __init__(self):
        super().__init__()
        self.on_msg(self._more)

    def _more(self, *_):
        self.count += 1
''',
    "counter = Counter()\ncounter",
]


def test_stub_answers_clicks_messages_and_changes(stub_page: StubPage) -> None:
    root = stub_page.mount(COUNTER, {"count": 1})
    button = root.get_by_role("button")
    expect(button).to_have_text("Count: 1")
    expect(button).to_have_css("min-width", "160px")

    button.click()
    expect(button).to_have_text("Count: 2")
    assert stub_page.sent() == [{"kind": "clicked", "count": 2}]
    assert stub_page.wait_for_sent("clicked") == {"kind": "clicked", "count": 2}
    assert stub_page.saved() == [{"count": 2}]

    stub_page.change(count=7)
    expect(button).to_have_text("Count: 7")
    stub_page.deliver({"text": "<b>as text</b>"})
    expect(root.get_by_text("<b>as text</b>")).to_be_visible()
    assert stub_page.state() == {"count": 7}
    assert stub_page.saved() == [{"count": 2}]


def test_stub_mounts_children_and_more_views(stub_page: StubPage) -> None:
    root = stub_page.mount(COUNTER, {"count": 0, "child": "anywidget:inner"}, {"inner": (COUNTER, {"count": 5})})
    second = stub_page.show("inner")
    root.get_by_role("button", name="Count: 5").click()
    expect(second.get_by_role("button")).to_have_text("Count: 6")
    assert stub_page.sent("inner") == [{"kind": "clicked", "count": 6}]
    assert stub_page.sent() == []


def test_stub_teardown_leaves_nothing(stub_page: StubPage) -> None:
    stub_page.mount(COUNTER, {"count": 0, "child": "anywidget:inner"}, {"inner": (COUNTER, {"count": 5})})
    assert stub_page.listener_count() == 6
    stub_page.teardown()
    assert stub_page.listener_count() == 0
    expect(stub_page.page.locator("[data-view]")).to_have_count(0)


def test_stub_sees_a_listener_left_behind(stub_page: StubPage) -> None:
    stub_page.mount("fixtures/leak", {})
    stub_page.teardown()
    assert stub_page.listener_count() == 2


def test_stub_sees_errors_and_markup(stub_page: StubPage) -> None:
    stub_page.mount(COUNTER, {"count": 0})
    stub_page.page.evaluate("() => { setTimeout(() => { throw new Error('broken'); }); console.error('said'); }")
    stub_page.page.evaluate("() => fetch('/static/nothing.js')")
    with pytest.raises(Exception, match="TrustedHTML"):
        stub_page.page.evaluate("() => { document.body.innerHTML = '<p>markup</p>'; }")
    stub_page.wait_until(lambda: len(stub_page.problems) >= 3)
    seen = " ".join(stub_page.problems)
    stub_page.problems.clear()
    assert "broken" in seen
    assert "said" in seen
    assert "404" in seen


def test_stub_themes_and_widths(stub_page: StubPage) -> None:
    root = stub_page.mount(COUNTER, {"count": 0})
    body = stub_page.page.locator("body")
    stub_page.set_theme("dark")
    expect(body).to_have_attribute("data-jp-theme-light", "false")
    dark = root.evaluate("el => getComputedStyle(document.body).backgroundColor")
    stub_page.set_theme("light", jupyter=False)
    assert root.evaluate("el => getComputedStyle(document.body).backgroundColor") != dark
    stub_page.set_width(420)
    assert stub_page.page.evaluate("innerWidth") == 420
    assert stub_page.screenshot("harness-counter").stat().st_size > 0


def test_axe_finds_what_is_wrong(stub_page: StubPage) -> None:
    root = stub_page.mount(COUNTER, {"count": 0})
    assert stub_page.axe() == []
    root.evaluate("el => el.append(document.createElement('img'), document.createElement('input'))")
    assert {violation.id for violation in stub_page.axe()} >= {"image-alt", "label"}


def test_missing_chromium_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pytest.fail.Exception, match="apt-get install chromium"):
        find_chromium(str(tmp_path / "chromium"))


def test_chromium_named_in_the_environment_goes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = tmp_path / "my-browser"
    own.touch(0o755)
    monkeypatch.setenv("CHROMIUM", str(own))
    assert find_chromium("nowhere") == str(own)
    monkeypatch.setenv("CHROMIUM", "no-such-browser")
    with pytest.raises(pytest.fail.Exception, match="no-such-browser"):
        find_chromium("nowhere")


@pytest.fixture
def acted(browser: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Recorder]:
    """Give the recorder of a test that is only played, and a log."""
    monkeypatch.setattr(failures, "FAILURES", tmp_path)
    (tmp_path / "server.log").write_text("what the server said")
    test: Any = SimpleNamespace(nodeid="tests/browser/test_x.py::test_y[<a/b>]@lab", stash=pytest.Stash())
    lender = Lender(browser)
    recorder = Recorder(browser, lender, test)
    recorder.logs.append(tmp_path / "server.log")
    yield recorder
    lender.close()


def test_what_fails_leaves_its_traces_pictures_and_logs(acted: Recorder, tmp_path: Path) -> None:
    def browse_and_fail() -> None:
        with acted() as first, acted() as second:
            for context in (first, second):
                page = context.new_page()
                page.set_content("<p>As it was</p>")
                assert page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
            raise AssertionError("wrong")

    with pytest.raises(AssertionError, match="wrong"):
        browse_and_fail()
    kept = tmp_path / "test_x.py-test_y[-a-b-]"
    names = ["page-2.png", "page.png", "server.log", "trace-2.zip", "trace.zip"]
    assert sorted(path.name for path in kept.iterdir()) == names
    assert "As it was" in ZipFile(kept / "trace.zip").read("trace.trace").decode()


def test_what_a_failed_test_has_opened_is_kept_and_what_a_sound_one_has_is_not(acted: Recorder, tmp_path: Path) -> None:
    with acted() as context:
        context.new_page()
    assert [path.name for path in tmp_path.iterdir()] == ["server.log"]
    with acted():
        acted._test.stash[FAILED] = True  # as the hook says when the test has failed and fixtures are torn down
    assert (tmp_path / "test_x.py-test_y[-a-b-]" / "trace.zip").exists()


def test_a_context_is_lent_in_turn_as_good_as_new_and_goes_with_a_test_that_failed(
    acted: Recorder, stub_site: StubSite, tmp_path: Path
) -> None:
    had: list[BrowserContext] = []

    def browse(*, fails: bool = False) -> list[object]:
        with acted.lent(viewport={"width": 390, "height": 844}) as context:
            had.append(context)
            page = open_page(context)
            page.goto(f"{stub_site.url}/index.html")
            stored = page.evaluate("() => { const had = localStorage.had; localStorage.had = 'x'; return had; }")
            found = [stored, page.evaluate("innerWidth"), len(context.pages), context.cookies()]
            context.add_cookies([{"name": "had", "value": "x", "url": stub_site.url}])
            assert not fails
        return found

    assert browse() == browse() == [None, 390, 2, []]
    with pytest.raises(AssertionError):
        browse(fails=True)
    assert had[0] is had[1] is had[2]
    kept = tmp_path / "test_x.py-test_y[-a-b-]"
    assert sorted(path.name for path in kept.iterdir()) == ["page.png", "server.log", "trace.zip"]
    acted._test.stash[FAILED] = False
    assert browse() == [None, 390, 2, []]
    assert had[3] is not had[0]


def test_kernels_end_with_their_test_and_servers_share_a_worker(
    lab_server: JupyterServer, request: pytest.FixtureRequest
) -> None:
    session = {"path": "x.ipynb", "name": "x", "type": "notebook", "kernel": {"name": "python3"}}
    with urlopen(Request(f"{lab_server.url}/api/sessions", json.dumps(session).encode())) as answer:
        kernel = json.load(answer)["kernel"]["id"]
    assert kernel in kernels(lab_server)
    lab_server.end_sessions()
    assert kernels(lab_server) == []
    assert [mark.args for mark in request.node.iter_markers("xdist_group")] == [("lab",)]
    # This is how workers are told of it.
    assert request.node.nodeid.endswith("@lab") == ("PYTEST_XDIST_WORKER" in os.environ)


def kernels(server: JupyterServer) -> list[str]:
    with urlopen(f"{server.url}/api/kernels") as answer:
        return [each["id"] for each in json.load(answer)]


@pytest.mark.long
def test_lab_runs_clicks_and_reloads(lab_page: LabPage) -> None:
    lab_page.open(NOTEBOOK)
    lab_page.run_all()
    button = lab_page.cell(1).get_by_role("button", name="Count")
    button.click()
    expect(button).to_have_text("Count: 1")
    assert lab_page.add_and_run_cell("print(counter.count)") == "1"
    lab_page.set_theme("dark")
    lab_page.screenshot("harness-lab")
    lab_page.set_theme("light")
    lab_page.reload()
    button.click()
    expect(button).to_have_text("Count: 2")
    assert lab_page.add_and_run_cell("counter.count") == "2"


@pytest.mark.long
def test_lab_reports_a_failing_cell(lab_page: LabPage) -> None:
    lab_page.open(["1 / 0"])
    with pytest.raises(CellError, match="ZeroDivisionError"):
        lab_page.run_all()
    with pytest.raises(CellError, match="NameError"):
        lab_page.add_and_run_cell("nowhere")
