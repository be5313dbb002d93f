"""A name that turns text round turns nothing outside itself, and one that reads from the right reads so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


@pytest.mark.parametrize("name", ["Ma\u202era", "\u2067Mara", "\u05de\u05e8\u05d4"])
def test_no_element_of_a_tracker_lets_a_name_turn_what_is_beside_it(stub_page: StubPage, name: str) -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add(name, side="rebels", hp=20)
    enc.add("Vex", side="empire", npc=True, hp=20)
    name = enc.names[0]  # signs that only turn what follows are left out of it
    enc.start(rolls={name: 17, "Vex": 3})
    live = Live(stub_page, ck.Tracker(enc))
    live.settle()
    open_ones = live.root.evaluate(
        """root => {
            const turns = /[\u202a-\u202e\u2066-\u2069\u05d0-\u05ea]/;
            const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
            const found = [];
            while (walker.nextNode()) {
                const { data, parentElement: of } = walker.currentNode;
                const style = getComputedStyle(of);
                const leaks = style.display.startsWith("inline") && style.unicodeBidi !== "isolate";
                if (leaks && turns.test(data) && of.checkVisibility()) found.push(`${of.tagName}.${of.className}`);
            }
            return found;
        }"""
    )
    assert open_ones == []
    title = live.root.locator(".ck-turn b").inner_text()
    assert title == ("Mara's turn" if name.isascii() or "Ma" in name else f"{name}'s turn")
