"""The guide to a system of one's own: the files it shows, and the fight it plays with them."""

from __future__ import annotations

import re
from pathlib import Path

GUIDE = Path(__file__).parents[1] / "docs" / "guides" / "system.md"


def blocks() -> dict[str, list[str]]:
    """Give the plain blocks of code under each heading, by the heading."""
    sections = GUIDE.read_text(encoding="utf-8").split("\n## ")[1:]
    return {
        section.partition("\n")[0]: re.findall(
            r"^```(?:toml|python|text)\n(.*?)^```$", section, re.DOTALL | re.MULTILINE
        )
        for section in sections
    }


def write(parent: Path) -> Path:
    """Write the guide's ruleset into a folder of its own."""
    folder = parent / "brawl"
    folder.mkdir()
    for heading, shown in blocks().items():
        name = re.match(r"`([\w.]+)`:", heading)
        if name is not None:
            (folder / name[1]).write_text(shown[0], encoding="utf-8")
    return folder


def grown(folder: Path) -> Path:
    """Write what the guide adds later below what stands in the files."""
    for shown in blocks()["A weapon and a reaction"]:
        if name := re.match(r"# ([\w.]+)\n", shown):
            with (folder / name[1]).open("a", encoding="utf-8") as file:
                file.write(f"\n{shown}")
    return folder


def played(heading: str = "It plays") -> tuple[str, str]:
    """Give the code under a heading that plays a round of it, and what the guide says it prints."""
    code, told = blocks()[heading][-2:]
    return code, told
