"""Takes the README's pictures: trackers in mid-fight, one with its map, in real JupyterLab, light and dark."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Literal

from playwright.sync_api import Locator, sync_playwright

from tests.browser.harness import CHROMIUM_FLAGS, LabPage, find_chromium
from tests.browser.servers import run_jupyter

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"

FIGHT = """
import combatkit as ck

enc = ck.Encounter("saga", seed=7, id="the-docks")
enc.add("Mara", side="rebels", dex=4, level=6, hp=38, attack_bonus=9, defense=19, feats=["Quick Draw"])
enc.add("Ossik", side="rebels", dex=3, level=7, hp=40, attack_bonus=8, defense=18)
enc.add("Captain Dray", side="empire", npc=True, dex=2, level=8, hp=30, attack_bonus=8, defense=19)
enc.add("Guard", side="empire", count=2, npc=True, dex=1, level=2, hp=16, attack_bonus=3, defense=15)
enc.add("Vex", side="hunters", npc=True, dex=5, level=6, hp=44, attack_bonus=9, defense=20)
enc.start(rolls={"Vex": 18, "Ossik": 19, "Mara": 17, "Captain Dray": 18, "Guard 1": [16, 14], "Guard 2": [16, 9]})
enc.do("Vex", "move")
enc.do("Vex", "attack", target="Ossik", damage="2d8+3")
enc.end_turn()
enc.do("Ossik", "ready", action="attack", trigger={"actor": "Captain Dray", "action": "move"})
enc.end_turn()
enc.do("Mara", "attack", target="Guard 2", rolls=[14], damage="3d8+2", note="from the catwalk")
enc.condition("Guard 2", "prone")
ck.Tracker(enc)
"""

ON_A_MAP = """
fight = ck.Encounter("phases", seed=7, id="the-yard")
fight.add("Mara", side="crew", combat_value=9, movement=7, stun=34, body=12)
fight.add("Kess", side="crew", combat_value=7, movement=6, stun=30, body=11)
fight.add("Gang boss", side="gang", npc=True, combat_value=6, stun=30, body=12)
fight.add("Watchman", side="watch", npc=True, count=3, combat_value=4, stun=22, body=10)
fight.place({"Mara": (0, 0), "Kess": (-3, 2), "Gang boss": (1, -2)})
fight.place({"Watchman 1": (-2, -1), "Watchman 2": (3, -1), "Watchman 3": (0, 3)})
fight.start()
ck.Tracker(fight)
"""


def _choose_a_place(tracker: Locator) -> None:
    """Choose a place on the map, so that the way there and what it takes can be seen."""
    tracker.get_by_role("gridcell", name="(\N{MINUS SIGN}1, \N{MINUS SIGN}2). Half move").focus()
    tracker.page.keyboard.press("Enter")
    tracker.get_by_role("button", name="Move Mara").wait_for()


def main() -> None:
    """Write the pictures into docs/pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, run_jupyter(Path(home)) as server, sync_playwright() as playwright:
        path = find_chromium(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        lab = LabPage(browser.new_page(viewport={"width": 1280, "height": 800}), server)
        lab.open([FIGHT, ON_A_MAP])
        lab.run_all()
        trackers = {"tracker": lab.cell(0).locator(".ck").first, "map": lab.cell(1).locator(".ck").first}
        _choose_a_place(trackers["map"])
        themes: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
        for theme in themes:
            lab.set_theme(theme)
            for name, tracker in trackers.items():
                tracker.screenshot(path=PICTURES / f"{name}-{theme}.png")
        browser.close()


if __name__ == "__main__":
    main()
