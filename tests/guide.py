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


def played() -> tuple[str, str]:
    """Give the code that plays a round of it, and what the guide says it prints."""
    code, told = blocks()["It plays"]
    return code, told
