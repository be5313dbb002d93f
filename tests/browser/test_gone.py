"""Views that go and come back: the last one says so, and the first that comes shows the present."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.widget_views import fight
from tests.wire import recording


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def test_the_last_view_that_goes_says_so_and_the_first_that_comes_back_asks(stub_page: StubPage) -> None:
    stub_page.mount("ladder", {"view": fight()["ladder"]})
    stub_page.show()
    stub_page.hide()
    assert stub_page.sent() == []
    stub_page.hide()
    assert stub_page.sent() == [{"kind": "gone"}]
    stub_page.show()
    assert stub_page.sent() == [{"kind": "gone"}, {"kind": "full"}]
    stub_page.deliver({"kind": "gone"})
    assert stub_page.sent()[2:] == [{"kind": "full"}], "another page has none any more"
    assert stub_page.state()["views"] == 1


def rests(live: Live) -> bool:
    return live.tracker.gone


def test_a_tracker_that_comes_back_shows_what_happened_meanwhile(stub_page: StubPage) -> None:
    live = Live(stub_page, ck.Tracker(ck.scene("catwalk").encounter("saga", seed=7)))
    live.settle()
    enc = live.tracker.encounter
    stub_page.hide()
    live.settle()
    assert rests(live)
    enc.end_turn()
    root = stub_page.show()
    live.settle()
    assert not rests(live)
    expect(root.locator(".ck-rung[aria-current=true]")).to_contain_text(str(enc.active))
    expect(root.get_by_role("group", name=f"Action budget: {enc.active}")).to_be_visible()
    live.root, before = root, enc.active
    live.click("End turn")
    assert enc.active != before
    expect(root.locator(".ck-rung[aria-current=true]")).to_contain_text(str(enc.active))
