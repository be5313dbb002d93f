"""Widgets leave each other alone: each looks as it does by itself, beside all others and in every host we name."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import ViewportSize

import combatkit as ck
from combatkit.share.shapes import RoomView
from combatkit.widgets.exercise import ExercisePanel
from tests.browser.failures import Recorder
from tests.browser.harness import LabPage, StubPage, settle, write_notebook
from tests.browser.servers import NO_DELAY, ROOT, run_jupyter
from tests.browser.sizes import mostly_long
from tests.browser.test_hosts import run_marimo
from tests.browser.test_share_page import PHONE, Table, fight
from tests.browser.widget_views import FIGHTS, PARTS, press, setup_views
from tests.browser.widget_views import fight as pictured
from tests.wire import recording

recorded = pytest.fixture(autouse=True)(recording)

ROOM: RoomView = {
    "seats": [
        {
            "name": "Anna",
            "role": "seat",
            "plays": [["Mara", 0], ["Ilya", 0]],
            "says": "nobody yet",
            "mark": "check",
            "state": "connected",
            "here": True,
            "code": True,
        },
        {
            "name": "Table screen",
            "role": "screen",
            "plays": [],
            "says": "nobody: ladder and results",
            "mark": "wait",
            "state": "not here yet",
            "here": False,
            "code": True,
        },
    ],
    "unplayed": ["Ossik"],
    "requests": [{"number": 1, "seat": "Anna", "words": "Mara attacks Vex"}],
    "paused": False,
    "closed": False,
    "dice": True,
    "asks": True,
    "notice": "",
    "astray": "",
    "url": "http://127.0.0.1:8123/",
    "elsewhere": [],
}
MARIMO = """
import marimo

app = marimo.App()


@app.cell
def _():
    print("here")
    "there"
    return
"""
GEOMETRY = """root => {
    const { left, top } = root.getBoundingClientRect();
    const round = pixels => Math.round(pixels * 2) / 2;
    return [...root.querySelectorAll("*")].map(el => {
        const box = el.getBoundingClientRect();
        const seen = el.checkVisibility() && box.width + box.height > 0;
        const name = `${el.localName}.${[...el.classList].join(".")} "${el.textContent.trim().slice(0, 20)}"`;
        return [name, ...(seen ? [box.left - left, box.top - top, box.width, box.height].map(round) : [])];
    });
}"""
"""Every element of a widget, with where it stands in it and how large it is."""

Geometry = list[list[Any]]


class Shown(NamedTuple):
    """A widget as it is mounted: its bundle, its view, and what is pressed before it is measured."""

    bundle: str
    view: Mapping[str, Any]
    parts: Mapping[str, Any] = {}
    pressed: tuple[str, ...] = ()


def shown() -> dict[str, Shown]:
    """Give every widget there is, with something in it."""
    quiz = ck.quiz(["saga"], student="Anna")
    trackers = {f"tracker {name}": pictured(name) for name in FIGHTS} | {"tracker setup": setup_views()}
    exercise = ck.exercise("saga-let-vex-go-first")
    goal = ExercisePanel(exercise)
    goal.check()
    lone = pictured("slots")
    found = {name: of_parts("tracker", views) for name, views in trackers.items()}
    found["exercise"] = Shown("exercise", goal.view)
    found["its tracker"] = found_of(ck.Tracker(exercise.encounter))
    found["tracker More"] = found["tracker slots"]._replace(pressed=("More",))
    found["tracker settings"] = found["tracker slots"]._replace(pressed=("More", "Settings"))
    found |= {part: Shown(part, lone[part]) for part in PARTS}
    found["quiz"] = Shown("quiz", quiz.view)
    found["comparison"] = Shown("comparison", ck.Comparison(list(fights())).view)
    found["rules"] = Shown("rules", ck.RuleTable().view)
    found["room"] = Shown("room", {"revision": 0, **ROOM})
    found["screen"] = found["tracker slots"]._replace(bundle="screen")
    return found


def of_parts(bundle: str, views: Mapping[str, Any]) -> Shown:
    return Shown(bundle, views["tracker"], {part: views[part] for part in PARTS})


def found_of(tracker: ck.Tracker) -> Shown:
    return of_parts("tracker", {"tracker": tracker.view} | {part: getattr(tracker, part).view for part in PARTS})


def fights() -> Iterator[ck.Encounter]:
    """Give a fight of two systems."""
    for system in ("saga", "d6"):
        enc = ck.Encounter(system, seed=7)
        enc.add("Mara", side="rebels")
        enc.add("Vex", side="hunters")
        enc.start()
        enc.end_turn()
        yield enc


def place(page: StubPage, name: str, it: Shown) -> None:
    """Show a widget below those that are there, in a place as wide as ever, and press what is to be pressed."""
    if it.bundle == "screen":
        views = {"tracker": it.view, **it.parts}
        page.page.evaluate(
            """async ([name, views, address]) => {
                await new Promise(onload => {
                    const sheet = { rel: "stylesheet", href: `${address}.css`, onload };
                    document.head.append(Object.assign(document.createElement("link"), sheet));
                });
                const { default: screen } = await import(`${address}.js`);
                const el = document.getElementById("views").appendChild(document.createElement("div"));
                el.dataset.view = name;
                const model = view => ({ get: () => view, on() {}, send() {} });
                const models = Object.fromEntries(Object.entries(views).map(([part, view]) => [part, model(view)]));
                screen.render({ models, el });
            }""",
            [name, views, "/static/screen"],
        )
        return
    refs = {part: f"anywidget:{name} {part}" for part in it.parts}
    for part, view in it.parts.items():
        page._add(f"{name} {part}", part, {"view": view, "within": True})
    page._add(name, it.bundle, {"view": it.view, **refs})
    page._root = name
    root = page.show(name)
    for button in it.pressed:
        press(root, button).click()


def measured(page: StubPage, name: str) -> Geometry:
    """Give the geometry of a widget that is there."""
    settle(page.page)
    # Whoever waits for a frame before they measure themselves has had it.
    root = page.page.locator(f'[data-view="{name}"]')
    root.evaluate("el => Promise.all(el.getAnimations({ subtree: true }).map(each => each.finished))")
    found: Geometry = root.evaluate(GEOMETRY)
    assert len(found) > 10, f"{name} shows nothing"
    return found


WINDOW: ViewportSize = {"width": 1000, "height": 800}
AS_WIDE = "#views > * { width: 900px; }"


def blank(page: StubPage) -> None:
    """Open an empty page with a place for widgets that is as wide as ever."""
    page.page.set_viewport_size(WINDOW)
    page.page.goto(f"{page.site.url}/index.html")
    page.wait_until(lambda: bool(page.page.evaluate("() => window.stub !== undefined")))
    page.page.add_style_tag(content=AS_WIDE)


BY_ITSELF: dict[str, Geometry] = {}
"""What was measured with nothing else on the page, once a run."""


def alone(page: StubPage, name: str, it: Shown) -> Geometry:
    """Give the geometry of a widget with nothing else on the page."""
    if name not in BY_ITSELF:
        blank(page)
        place(page, name, it)
        BY_ITSELF[name] = measured(page, name)
    return BY_ITSELF[name]


def differences(page: StubPage, widgets: Mapping[str, Shown], there: Mapping[str, Geometry]) -> list[str]:
    """Say which elements stand elsewhere, or have another size, than by themselves."""
    return [each for name, it in widgets.items() for each in compared(name, alone(page, name, it), there[name])]


def compared(name: str, before: Geometry, after: Geometry) -> list[str]:
    """Say which elements of a widget are not as they were."""
    if len(before) != len(after):
        return [f"{name}: {len(after)} elements, alone {len(before)}"]
    return [f"{name}: {one} is {two[1:]}" for one, two in zip(before, after, strict=True) if not is_same(one, two)]


def is_same(one: list[Any], two: list[Any]) -> bool:
    return len(one) == len(two) and all(abs(a - b) <= 0.5 for a, b in zip(one[1:], two[1:], strict=True))


def installed(package: str, *sheets: str) -> list[Path]:
    """Give sheets of a package as it is installed here; each pattern finds one."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    found = [sorted(folder.glob(sheet)) for sheet in sheets]
    assert all(len(each) == 1 for each in found), f"{package}: {found}"
    return [path for each in found for path in each]


class Host(NamedTuple):
    """What a host lays over what is shown in it: its sheets as they are installed, and what stands around an output."""

    sheets: Callable[[], list[Path]]
    around: tuple[str, ...]
    attributes: Mapping[str, str] = {}


JUPYTER = Path(sys.prefix) / "share" / "jupyter"
HOSTS = {
    # JupyterLab keeps its sheet in its scripts; nbconvert brings the same as a file.
    "JupyterLab": Host(
        lambda: [
            JUPYTER / "nbconvert/templates/lab/static/index.css",
            JUPYTER / "lab/themes/@jupyterlab/theme-light-extension/index.css",
        ],
        (
            "div.jp-LabShell",
            "div.jp-NotebookPanel.jp-Document.lm-Widget",
            "div.jp-Notebook.jp-NotebookPanel-notebook.jp-mod-commandMode",
            "div.jp-Cell.jp-CodeCell.jp-Notebook-cell.jp-mod-selected.jp-mod-active",
            "div.jp-Cell-outputWrapper",
            "div.jp-OutputArea.jp-Cell-outputArea",
            "div.jp-OutputArea-child.jp-OutputArea-executeResult",
            "div.lm-Widget.jp-OutputArea-output",
            "div.lm-Widget.jupyter-widgets",
        ),
        {"data-jp-theme-light": "true", "data-jp-theme-name": "JupyterLab Light", "data-jp-theme-scrollbars": "false"},
    ),
    "marimo": Host(
        lambda: installed("marimo", "_static/assets/index-*.css"),
        ("div#root", "div.marimo.app-width-medium", "div.marimo-cell.published", "div.output-area", "div.output"),
    ),
    "documentation": Host(
        lambda: [
            *installed("furo", "theme/furo/static/styles/furo.css", "theme/furo/static/styles/furo-extensions.css"),
            *installed("myst_nb", "static/mystnb.css"),
            ROOT / "docs/static/site.css",
        ],
        (
            "div.page",
            "div.main",
            "div.content",
            "div.article-container",
            "article#furo-main-content",
            "section",
            "div.cell.docutils.container",
            "div.cell_output.docutils.container",
            "div.output",
        ),
        {"data-theme": "light"},
    ),
    "table page": Host(lambda: [ROOT / "lite/table/table.css"], ("main", "div#fight")),
    "saved page": Host(lambda: [ROOT / "combatkit/static/page.css"], ("main#fight",)),
    "saved lanes": Host(lambda: [ROOT / "combatkit/static/lanes.css"], ("main#fight",)),
}
"""The hosts that `docs/guides/hosts.md` and the site name."""


def dress(page: StubPage, host: Host) -> None:
    """Make the page look as a host does."""
    for sheet in host.sheets():
        # Fonts and pictures it would fetch decide no geometry: a widget brings its own font.
        css = re.sub(r"@import[^;]+;|url\([^)]*\)", "", sheet.read_text(encoding="utf-8"))
        page.page.add_style_tag(content=css)
    page.page.evaluate(
        """([around, attributes]) => {
            for (const [name, value] of Object.entries(attributes)) document.body.setAttribute(name, value);
            const views = document.getElementById("views");
            for (const each of around) {
                const [, tag, id, classes] = each.match(/^(\\w+)(?:#([\\w-]+))?((?:\\.[\\w-]+)*)$/);
                const el = document.createElement(tag);
                el.className = classes.replaceAll(".", " ");
                if (id) el.id = id;
                views.before(el);
                el.append(views);
            }
        }""",
        [host.around, host.attributes],
    )


def beside_each_other(page: StubPage, widgets: Mapping[str, Shown]) -> list[str]:
    """Say what is not as it is alone where all stand in one page, in this order and the other way round."""
    found = []
    for order in (list(widgets), list(widgets)[::-1]):
        blank(page)
        for name in order:
            place(page, name, widgets[name])
        found += differences(page, widgets, {name: measured(page, name) for name in order})
    return found


def within(page: StubPage, widgets: Mapping[str, Shown], host: Host) -> list[str]:
    """Say what is not as it is alone under the sheets of a host."""
    inside = {}
    for name, it in widgets.items():
        blank(page)
        dress(page, host)
        place(page, name, it)
        inside[name] = measured(page, name)
    return differences(page, widgets, inside)


def test_a_tracker_and_a_quiz_leave_each_other_alone(stub_page: StubPage) -> None:
    few = {name: it for name, it in shown().items() if name in ("its tracker", "quiz")}
    found = beside_each_other(stub_page, few) + within(stub_page, few, HOSTS["table page"])
    assert not found, told(found)


@pytest.mark.long
def test_a_widget_looks_the_same_beside_all_others(stub_page: StubPage) -> None:
    found = beside_each_other(stub_page, shown())
    assert not found, told(found)


@pytest.mark.long
@pytest.mark.parametrize("host", HOSTS)
def test_a_widget_looks_the_same_under_the_sheets_of_each_host(stub_page: StubPage, host: str) -> None:
    found = within(stub_page, shown(), HOSTS[host])
    assert not found, told(found)


def moved_in(page: StubPage, output: str) -> list[str]:
    """Say what is not as it is alone in an output of a host that runs: its page lends its sheets and its elements."""
    page.page.route(
        re.compile(r"/(stub|static/(exercise|ladder|budget|log|tracker|quiz|comparison|rules|room|screen))\.(js|css)$"),
        lambda route: route.fulfill(path=page.site.find(urlsplit(route.request.url).path)),
    )
    page.page.locator(output).first.evaluate(
        "el => (el.appendChild(document.createElement('div')).id = 'views') && (window.stubbed = import('/stub.js'))"
    )
    page.wait_until(lambda: bool(page.page.evaluate("() => window.stub !== undefined")))
    page.page.set_viewport_size(WINDOW)
    page.page.add_style_tag(content=AS_WIDE)
    widgets = shown()
    inside = {}
    for name, it in widgets.items():
        place(page, name, it)
        inside[name] = measured(page, name)
        page.page.evaluate("() => document.getElementById('views').replaceChildren()")
    page.page.unroute_all()
    page.problems.clear()
    return differences(page, widgets, inside)


@pytest.mark.long
@pytest.mark.lab
@pytest.mark.slow
@pytest.mark.parametrize("app", ["jupyterlab", "notebook"])
def test_a_widget_looks_the_same_in_a_notebook_that_runs(stub_page: StubPage, tmp_path: Path, app: str) -> None:
    options = ["--JupyterNotebookApp.expose_app_in_browser=True"] if app == "notebook" else []
    with run_jupyter(tmp_path, app=app, connection=NO_DELAY, options=options) as server:
        write_notebook(server.folder / "one.ipynb", ["print('here')"])
        lab = LabPage(stub_page.page, server)
        stub_page.set_width(1400)
        stub_page.page.goto(f"{server.url}/{'lab/tree' if app == 'jupyterlab' else 'notebooks'}/one.ipynb")
        lab.wait_until_idle()
        lab.run_all()
        found = moved_in(stub_page, ".jp-OutputArea-output")
    assert not found, told(found)


@pytest.mark.long
@pytest.mark.lab
@pytest.mark.slow
def test_a_widget_looks_the_same_in_marimo_that_runs(stub_page: StubPage, tmp_path: Path) -> None:
    with run_marimo(tmp_path, MARIMO, []) as url:
        stub_page.page.goto(url)
        found = moved_in(stub_page, ".output")
    assert not found, told(found)


@pytest.mark.parametrize("role", mostly_long(["seat", "screen"], "seat"))
def test_a_page_at_the_table_heeds_no_other_sheet(new_context: Recorder, role: str) -> None:
    with new_context.lent(viewport=PHONE) as context:
        table = Table(context, fight(), role)
        table.open()
        table.page.locator(".ck-desk, .scr-log").first.wait_for()
        settle(table.page)
        seat = table.page.locator("#seat")
        before = seat.evaluate(GEOMETRY)
        for sheet in (
            "exercise",
            "ladder",
            "budget",
            "log",
            "quiz",
            "room",
            "rules",
            "comparison",
            "screen",
            "tracker",
        ):
            table.page.evaluate(
                """href => new Promise(onload => {
                    const sheet = { rel: "stylesheet", href, onload };
                    document.head.append(Object.assign(document.createElement("link"), sheet));
                })""",
                f"assets/{sheet}.css",
            )
        settle(table.page)
        found = compared(role, before, seat.evaluate(GEOMETRY))
        assert not found, told(found)
        table.assert_clean()


def told(found: list[str]) -> str:
    """Say how many there are, and the first of each widget."""
    counted = Counter(each.split(":")[0] for each in found)
    first = {name: next(each for each in found if each.startswith(f"{name}:")) for name in counted}
    return f"{len(found)} findings\n" + "\n".join(f"{n} in {first[name]}" for name, n in counted.items())
