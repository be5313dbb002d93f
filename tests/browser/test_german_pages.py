"""What is served beside a tracker in German: whatever is read there comes from the language's file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

import combatkit as ck
from combatkit.share.panel import RoomPanel
from combatkit.widgets._tongue import told_from, tongue_of
from tests.browser.failures import Recorder
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.test_german import unmarked_on
from tests.browser.test_share_page import HOME, PAGE, Table
from tests.test_language import marked  # noqa: F401
from tests.wire import recording


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def fight(system: str) -> ck.Encounter:
    return ck.scene("catwalk").encounter(system, id="hof", seed=7, language="de", localized=True)


@pytest.mark.usefixtures("marked")
def test_the_page_of_a_seat(new_context: Recorder) -> None:
    with new_context() as context:
        table = Table(context, fight("saga"), "seat")
        table.views = {
            name: {"revision": 0, **told_from(table.vantage, project(table.vantage), root=name == "tracker")}
            for name, project in table.projectors.items()
        }
        words = json.dumps(tongue_of(table.enc.ruleset.languages["de"]))
        served = PAGE.replace("</main>", f'</main><script type="application/json" id="tongue">{words}</script>')
        table.page.route(
            re.compile(f"{HOME}(#.*)?$"), lambda route: route.fulfill(body=served, content_type="text/html")
        )
        table.open()
        expect(table.page.locator(".ck-rung").first).to_be_visible()
        found = unmarked_on(table.page) - {"Anna"}
        table.assert_clean()
    assert not found, "\n".join(sorted(found))


@pytest.mark.usefixtures("marked")
def test_the_panel_of_a_room(stub_page: StubPage) -> None:
    with fight("saga").share() as room:
        room.seat("Anna", plays=["Mara"])
        room.screen()
        root = stub_page.mount("room", {"view": RoomPanel(room).view})
        expect(root.locator(".ck-seats li").first).to_be_visible()
        found = {text for text in unmarked_on(stub_page.page) if not text.endswith("Anna")}
    assert not found, "\n".join(sorted(found))


@pytest.mark.usefixtures("marked")
def test_a_map(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", id="hof", seed=7, language="de")
    enc.add("Mara", side="Ilya", at=(0, 0)), enc.add("Vex", side="Vex", at=(2, 0)), enc.start()
    live = Live(stub_page, ck.Tracker(enc))
    live.press("g")
    found = unmarked_on(stub_page.page)
    assert not found, "\n".join(sorted(found))
