"""Takes the README's pictures: a tracker in mid-fight, in real JupyterLab, light and dark."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Literal

from playwright.sync_api import sync_playwright

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


def main() -> None:
    """Write the pictures into docs/pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, run_jupyter(Path(home)) as server, sync_playwright() as playwright:
        path = find_chromium(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        lab = LabPage(browser.new_page(viewport={"width": 1280, "height": 800}), server)
        lab.open([FIGHT])
        lab.run_all()
        tracker = lab.cell(0).locator(".ck").first
        themes: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
        for theme in themes:
            lab.set_theme(theme)
            tracker.screenshot(path=PICTURES / f"tracker-{theme}.png")
        browser.close()


if __name__ == "__main__":
    main()
