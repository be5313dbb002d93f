"""The picture below the map: shown in parts, dropped or chosen, laid by its scale, kept from who may not see it."""

from __future__ import annotations

import re
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

import combatkit as ck
from tests.browser.failures import Recorder
from tests.browser.harness import StubPage, Theme
from tests.browser.test_map import gantry, recorded  # noqa: F401
from tests.browser.test_map_pane import opened, within
from tests.browser.test_share_phones import PHONE, done, sit
from tests.browser.widget_views import THEMES, WIDTHS
from tests.test_map_look import drawn, noise
from tests.wire import sent

BOX = "el => [el.x, el.y, el.width, el.height].map(each => each.baseVal.value)"
DROP = """(el, [type, name, data]) => {
    const dataTransfer = new DataTransfer();
    const bytes = Uint8Array.from(atob(data), each => each.charCodeAt(0));
    dataTransfer.items.add(new File([bytes], name, { type }));
    for (const kind of ["dragover", "drop"]) {
        el.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
    }
}"""


class Shown:
    """A map whose messages are carried out, and noted."""

    def __init__(self, page: StubPage, enc: ck.Encounter, **how: Any) -> None:
        self._page = page
        self.map = ck.Map(enc, **how)
        self.asked: list[Any] = []
        sent(self.map)
        page.answer_by(self._hear)
        self.root = page.mount("map", {"view": self.map.view})

    def _hear(self, _: str, content: Any) -> list[tuple[str, Any]]:
        self.asked.append(content)
        self.map._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
        return [("map", each) for each in sent(self.map)]

    def tell(self) -> None:
        """Let the page have what has changed in Python meanwhile."""
        for each in sent(self.map):
            self._page.deliver(each, "map")

    @property
    def parts(self) -> list[int]:
        """Which parts of pictures were asked for."""
        return [each["part"] for each in self.asked if each["kind"] == "picture"]


def show(page: StubPage, enc: ck.Encounter, **how: Any) -> tuple[Locator, Shown]:
    shown = Shown(page, enc, **how)
    return shown.root, shown


def yard(square: float = 40) -> ck.Encounter:
    """Two stand on squares, and a picture lies below, before the fight."""
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="crew", at=(2, 2))
    enc.add("Vex", side="gang", npc=True, at=(5, 3))
    enc.map_look(noise(400), name="hangar.png", square=square)
    return enc


def drop(root: Locator, content: bytes, name: str = "roof.png", type: str = "image/png") -> None:
    root.locator(".mp-ground").evaluate(DROP, [type, name, b64encode(content).decode()])


def laid(enc: ck.Encounter) -> Any:
    """Give how the picture lies."""
    return enc.map_look()


def low(page: StubPage) -> Any:
    """Give the picture as it is drawn: its left, its top, how wide and how high it is."""
    return page.page.locator(".mp-pic").evaluate(BOX)


def test_it_lies_below_everything_by_its_scale_and_is_asked_for_once(stub_page: StubPage) -> None:
    enc = yard()
    root, map = show(stub_page, enc)
    expect(root.locator(".mp-pic")).to_have_attribute("href", re.compile("^data:image/webp;base64,"))
    x, y, wide, high = low(stub_page)
    assert wide == high
    size = wide / 10
    assert (x, y) == (-size / 2, -size / 2), "its corner is that of (0, 0)"
    assert root.locator("svg > g > :first-child").get_attribute("class") == "mp-pic"
    assert len(map.parts) > 2
    assert map.parts == list(range(len(map.parts)))
    asked = len(map.asked)
    enc.map_look(square=20)
    map.tell()
    stub_page.wait_until(lambda: low(stub_page)[2] == 2 * wide)
    assert len(map.asked) == asked


@pytest.mark.parametrize("theme", THEMES)
def test_it_is_dimmed_and_no_wash_lies_over_it(stub_page: StubPage, theme: Theme) -> None:
    stub_page.set_theme(theme)
    enc = yard()
    enc.start()
    root, _ = show(stub_page, enc)
    expect(root.locator(".mp-pic")).to_be_attached()
    veil = root.locator(".mp-veil").evaluate("el => getComputedStyle(el).fill")
    assert re.search(r"/ 0\.(\d)\d*\)$", veil), veil
    assert veil.endswith("0.4)" if theme == "light" else "0.5)")
    for mark in root.locator(".mp-edge, .mp-here").all():
        assert mark.evaluate("el => getComputedStyle(el).fill") == "none"
    assert stub_page.axe() == []


def test_who_forces_colours_sees_the_grid_alone(stub_page: StubPage) -> None:
    stub_page.page.emulate_media(forced_colors="active")
    root, map = show(stub_page, yard())
    expect(root.locator(".mp-tok")).to_have_count(2)
    stub_page.wait_until(lambda: len(map.parts) > 2)
    expect(root.locator(".mp-pic")).to_have_count(0)


def test_a_picture_that_is_dropped_is_laid_by_its_scale(stub_page: StubPage) -> None:
    enc = gantry()
    root, _ = show(stub_page, enc)
    drop(root, noise(240))
    scale = root.get_by_role("spinbutton", name="One hex has")
    expect(scale).to_have_value("10")
    expect(scale).to_be_focused()
    expect(root.get_by_role("status")).to_contain_text("roof.png lies below the map.")
    expect(root.locator(".mp-pic")).to_be_attached()
    _, _, wide, _ = low(stub_page)
    scale.fill("20")
    stub_page.wait_until(lambda: abs(low(stub_page)[2] - wide / 2) < 1)
    expect(root.locator(".mp-row")).to_contain_text("12 by 12 hexes")
    look = laid(enc)
    assert look.square == 10, "it is laid only once it is said so"
    scale.press("Enter")
    stub_page.wait_until(lambda: laid(enc).square == 20)
    expect(scale).to_have_count(0)
    expect(root.get_by_role("button", name="Picture")).to_be_focused()


def test_it_is_chosen_moved_and_taken_off_by_keys(stub_page: StubPage, tmp_path: Path) -> None:
    enc = gantry()
    root, _ = show(stub_page, enc)
    (tmp_path / "roof.jpg").write_bytes(drawn(240, 120, "JPEG"))
    # Heard of from here on: a key comes before what is asked for at the same time.
    stub_page.page.once("filechooser", lambda chooser: chooser.set_files(tmp_path / "roof.jpg"))
    press = stub_page.page.keyboard.press
    root.get_by_role("button", name="Picture").press("Enter")
    expect(root.get_by_role("button", name="Choose a file")).to_be_focused()
    press("Enter")
    expect(root.locator(".mp-row")).to_contain_text("roof.jpg")
    root.get_by_role("button", name="Move it").focus()
    press("ArrowRight")
    press("Shift+ArrowDown")
    root.get_by_role("checkbox", name="Players see it").uncheck()
    root.get_by_role("button", name="Done").press("Enter")
    stub_page.wait_until(lambda: enc.map_look() is not None and not laid(enc).shown)
    look = laid(enc)
    assert look.at == (5 - 1, 5 - 10)
    root.get_by_role("button", name="Picture").press("Enter")
    root.get_by_role("spinbutton").fill("50")
    press("Escape")
    expect(root.get_by_role("spinbutton")).to_have_count(0)
    assert enc.map_look() == look, "Escape leaves it as it was"
    root.get_by_role("button", name="Picture").press("Enter")
    root.get_by_role("button", name="Take it off").press("Enter")
    stub_page.wait_until(lambda: enc.map_look() is None)
    expect(root.locator(".mp-pic")).to_have_count(0)


def test_the_ground_is_dragged_with_it_while_it_is_laid(stub_page: StubPage) -> None:
    enc = yard()
    root, map = show(stub_page, enc)
    expect(root.locator(".mp-pic")).to_be_attached()
    root.get_by_role("button", name="Picture").click()
    x, y, wide, _ = low(stub_page)
    box = root.locator(".mp-ground").bounding_box()
    assert box is not None
    mouse = stub_page.page.mouse
    mouse.move(box["x"] + 60, box["y"] + 60)
    mouse.down()
    mouse.move(box["x"] + 90, box["y"] + 70, steps=4)
    mouse.up()
    stub_page.wait_until(lambda: [round(each) for each in low(stub_page)[:2]] == [round(x + 30), round(y + 10)])
    mouse.click(box["x"] + 60, box["y"] + 60)
    root.locator("[role=gridcell][tabindex='0']").press("Enter")
    root.get_by_role("button", name="Done").click()
    stub_page.wait_until(lambda: laid(enc).at != (20, 20))
    look = laid(enc)
    assert look.at == pytest.approx((20 - 30 * 400 / wide, 20 - 10 * 400 / wide), abs=0.5)
    assert {each["kind"] for each in map.asked} == {"picture", "map_look"}, "a tap or Enter sets nobody down meanwhile"
    expect(root.locator(".mp-row")).not_to_contain_text("Tap where they stand")


@pytest.mark.parametrize(
    ("content", "name", "why"),
    [
        (b"a cat", "cat.png", "cat.png is no picture that can be read; give a PNG, JPEG or WebP file"),
        (bytes(10_000_001), "dog.png", "dog.png has 10,000,001 bytes, and a picture has at most 10,000,000."),
    ],
    ids=["none", "heavy"],
)
def test_what_is_no_picture_is_refused_where_it_was_dropped(
    stub_page: StubPage, content: bytes, name: str, why: str
) -> None:
    enc = gantry()
    root, _ = show(stub_page, enc)
    drop(root, content, name)
    expect(root.locator(".mp-row")).to_contain_text(why)
    assert enc.map_look() is None


def test_a_picture_that_is_gone_is_said_once(stub_page: StubPage, tmp_path: Path) -> None:
    enc = gantry()
    enc.map_look(drawn(), name="roof.png", square=40)
    enc._timeline.settle(pictures={})
    enc._small.clear()
    root, _ = show(stub_page, enc)
    expect(root.locator(".mp-row")).to_contain_text("(roof.png), the picture below the map, isn't beside the journal")
    expect(root.locator(".mp-tok")).to_have_count(3)


def test_players_lay_none_and_get_none_that_is_not_shown(stub_page: StubPage) -> None:
    enc = yard()
    enc.map_look(shown=False)
    root, map = show(stub_page, enc, view="players")
    expect(root.locator(".mp-tok")).to_have_count(2)
    expect(root.get_by_role("button", name="Picture")).to_have_count(0)
    drop(root, drawn())
    assert map.asked == []
    enc.map_look(shown=True)
    map.tell()
    expect(root.locator(".mp-pic")).to_be_attached()
    assert {each["kind"] for each in map.asked} == {"picture"}


def test_a_second_screen_lays_it_otherwise_and_is_offered_no_file(stub_page: StubPage) -> None:
    root = stub_page.mount("map", {"view": {**ck.Map(yard()).view, "second": True}})
    root.get_by_role("button", name="Picture").click()
    expect(root.get_by_role("button", name="Take it off")).to_be_visible()
    expect(root.get_by_role("checkbox", name="Players see it")).to_be_visible()
    expect(root.get_by_role("button", name="Another picture")).to_have_count(0)


@pytest.mark.parametrize("width", WIDTHS)
def test_what_it_is_laid_by_has_room_and_is_clean_for_readers(stub_page: StubPage, width: int) -> None:
    stub_page.page.set_viewport_size({"width": width, "height": 700})
    root, _ = show(stub_page, yard())
    root.get_by_role("button", name="Picture").click()
    expect(root.get_by_role("spinbutton", name="One square has")).to_be_focused()
    assert stub_page.axe() == []
    assert root.evaluate("el => el.scrollWidth <= el.clientWidth")
    assert root.locator(".mp-row").evaluate("el => el.scrollWidth <= el.clientWidth")
    stub_page.screenshot(f"map-picture-{width}")


@pytest.mark.parametrize("width", [420, 833, 1262])
def test_a_tracker_has_it_too_and_takes_a_picture_that_is_dropped_on_its_map(stub_page: StubPage, width: int) -> None:
    enc = yard()
    enc.start()
    live = opened(stub_page, enc, width)
    root = live.root
    live.settle()
    expect(root.locator(".mp-pic")).to_be_attached()
    drop(root, drawn(480, 240))
    scale = root.get_by_role("spinbutton", name="One square has")
    expect(scale).to_have_value("20")
    stub_page.screenshot(f"tracker-picture-{width}")
    assert within(root, ".ck-map", ".mp-row")
    assert root.locator(".mp-row").evaluate("el => el.scrollWidth <= el.clientWidth")
    live.click(root.get_by_role("button", name="Done"))
    expect(scale).to_have_count(0)
    look = laid(enc)
    assert look.name == "roof.png"
    stub_page.assert_clean()


def test_a_phone_and_the_screen_get_it_once_they_may_also_after_a_pause(new_context: Recorder) -> None:
    enc = yard()
    enc.start()
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        room.pause()
        anna, screen = sit(context, room.seat("Anna", plays=["Mara"])), sit(context, room.screen())
        fold = anna.locator(".seat-fold.is-map")
        if fold.get_attribute("open") is None:
            fold.locator("summary").click()
        for page in (anna, screen):
            expect(page.locator(".mp-tok")).to_have_count(2)
            expect(page.locator(".mp-pic")).to_have_count(0)
        room.pause(False)
        for page in (anna, screen):
            expect(page.locator(".mp-pic")).to_have_attribute("href", re.compile("^data:image"))
        enc.map_look(shown=False)
        for page in (anna, screen):
            expect(page.locator(".mp-pic")).to_have_count(0)
        done(room)
