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
from tests.browser.failures import Recorder, open_page
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.sizes import mostly_long
from tests.browser.test_german import NAMES, PATHS, unmarked_on
from tests.browser.test_share_page import BEAMER, HOME, PAGE, PHONE, Table
from tests.test_language import UNMARKED, marked  # noqa: F401
from tests.wire import recording


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


OWN = NAMES | {"Anna", "Ben", "ck", "hof"}


def fight(system: str) -> ck.Encounter:
    return ck.scene("catwalk").encounter(system, id="hof", seed=7, language="de", localized=True)


@pytest.mark.usefixtures("marked")
def test_the_page_of_a_seat(new_context: Recorder) -> None:
    with new_context.lent() as context:
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


@pytest.mark.usefixtures("marked")
@pytest.mark.parametrize("system", mostly_long(PATHS, "segments"))
def test_a_table_with_its_phones_its_screen_and_the_gms_page(system: str, new_context: Recorder) -> None:
    """From the lobby to the end: somebody is asked, and something is taken back."""
    enc = ck.Encounter(system, id="hof", seed=7, language="de")
    for name, side in (("Mara", "Ilya"), ("Ilya", "Ilya"), ("Vex", "Vex")):
        enc.add(name, side=side, npc=name == "Vex")
    found: set[str] = set()
    with enc.share() as room, new_context.lent(viewport=PHONE) as phone, new_context.lent(viewport=BEAMER) as wide:
        seats = [room.seat("Anna", plays=["Mara"]), room.seat("Ben", plays=["Ilya"]), room.gm()]
        pages = [open_page(phone) for _ in seats] + [open_page(wide)]
        for page, seat in zip(pages, [*seats, room.screen()], strict=True):
            page.goto(seat.url)

        def look() -> None:
            for page in pages:
                page.wait_for_function("() => new Promise(requestAnimationFrame)")
                words = {text.replace(room.url, "") for text in unmarked_on(page)}
                found.update(text for text in words if {*UNMARKED.findall(text)} - OWN)

        for page in pages:
            expect(page.locator(".ck").first).to_be_visible()
        look()
        enc.start()
        for page in pages[:2]:
            expect(page.locator(".ck-rung").first).to_be_attached()
        look()
        while enc.active is None:
            enc.end_turn()
        acts = enc.active
        room.pause()
        expect(pages[0].locator(".seat-said")).to_be_visible()
        look()
        room.pause(False)
        offers = [each.action for each in enc.options(acts) if each.allowed and not each.needs]
        enc.do(acts, offers[0])
        enc.undo()
        expect(pages[3].locator(".scr-result")).to_contain_text("Zurückgenommen")
        look()
        enc.finish()
        expect(pages[3].locator(".scr-facts, .scr-result h2").first).to_be_visible()
        look()
    assert not found, "\n".join(sorted(found))
