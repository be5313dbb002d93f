"""The table of a class at the width of a phone: the names stay, and the table shows that it goes on."""

from __future__ import annotations

import pytest

from combatkit.study.quiz.handed_in import class_table
from combatkit.text import kit_language
from tests.browser.harness import StubPage

TASKS = [f"exercise-number-{n}-of-the-lesson" for n in range(8)]
BLANK = dict.fromkeys(("first", "question", "seed", "problem", "right", "allowed", "file"))
ROWS = [
    {**BLANK, "student": student, "task": task, "exercise": task, "anew": True}
    for student in ("Anna", "Maximiliane")
    for task in TASKS
]
PLACES = """root => {
  const scroller = root.querySelector("table").parentElement;
  const rim = scroller.getBoundingClientRect();
  const box = (of) => of.getBoundingClientRect();
  const name = root.querySelector("td");
  const read = () => ({
    name: box(name).left - rim.left,
    top: document.elementFromPoint(box(name).left + 8, box(name).top + 12).closest("td") === name,
    end: box(root.querySelector("th:last-child")).right - rim.right,
  });
  const before = read();
  scroller.scrollLeft = 1e6;
  return {
    before,
    after: read(),
    scrolled: scroller.scrollLeft > 0,
    page: document.documentElement.scrollWidth - innerWidth,
    shade: getComputedStyle(scroller).backgroundAttachment,
    alpha: getComputedStyle(name).backgroundColor,
  };
}"""


def test_names_stay_and_the_table_shows_that_it_goes_on(stub_page: StubPage) -> None:
    page = stub_page.page
    page.set_viewport_size({"width": 390, "height": 800})
    page.set_content(f"<main>{class_table(ROWS, kit_language('en'), {})}</main>")
    found = page.locator("main").evaluate(PLACES)
    assert found["scrolled"]
    assert found["page"] <= 0, "the table scrolls, not the page"
    assert found["before"]["name"] == pytest.approx(0, abs=1)
    assert found["after"]["name"] == pytest.approx(0, abs=1)
    assert found["after"]["top"], "nothing that goes by lies over a name"
    assert found["alpha"] == "rgb(255, 255, 255)", "what goes by shines through"
    assert found["before"]["end"] > 0
    assert found["after"]["end"] <= 1, "the last column can be read whole"
    assert found["shade"] == "local, scroll", "its end covers the shade at the rim"


@pytest.mark.parametrize("name", ["Anna", "Maximiliane Oberhuber", "maximiliane.oberhuber-schmidt@school.example"])
def test_a_long_name_leaves_room_for_tasks_on_a_phone(stub_page: StubPage, name: str) -> None:
    page = stub_page.page
    page.set_viewport_size({"width": 390, "height": 800})
    rows = [{**row, "student": name} for row in ROWS]
    page.set_content(f"<main>{class_table(rows, kit_language('en'), {})}</main>")
    cell = page.locator("td").first
    box = cell.bounding_box()
    assert box is not None
    assert box["width"] <= 195, "half of the phone is left"
    assert cell.evaluate("cell => cell.scrollWidth <= cell.clientWidth"), "it is read whole"
    assert "Maximiliane" not in name or cell.evaluate("cell => cell.querySelector('b').getClientRects().length") == 2
