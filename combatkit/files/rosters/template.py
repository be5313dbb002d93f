"""A roster to begin with: every column of a ruleset, and two combatants to replace."""

from __future__ import annotations

from pathlib import Path

from combatkit.files.rosters.read import OWN
from combatkit.files.rosters.write import roster_frame, write_roster
from combatkit.frames import pl
from combatkit.rules.catalogue import Stat
from combatkit.rules.rulebook import Rulebook

_KINDS = {"int": "whole number", "bool": "true or false", "text": "text", "list": "list", "mapping": "mapping"}

_MEANT = {
    "name": "their name; no two may be the same",
    "side": "whose side they are on",
    "count": "how many alike; they are numbered",
    "npc": "whether the GM plays them",
    "group": "a group that shares what the rules let groups share",
    "at": "where they stand",
    "conditions": "conditions they begin with",
}


def roster_template(rules: Rulebook, path: str | Path | None = None) -> pl.DataFrame:
    """Return a roster with every column of a ruleset and two example rows; see `Ruleset.roster_template`."""
    rows = _examples(rules)
    if path is not None:
        write_roster(rules, rows, path, head=_head(rules))
    return roster_frame(rules, rows)


def _examples(rules: Rulebook) -> list[dict[str, object]]:
    """Return a hero with an example or the default of every stat, and guards with every stat at its default."""
    hero = {stat.name: stat.default if stat.example is None else stat.example for stat in rules.stats}
    return [
        {"name": "Mara", "side": "heroes", "count": 1, "npc": False, **hero},
        {"name": "Guard", "side": "guards", "count": 3, "npc": True},
    ]


def _head(rules: Rulebook) -> str:
    """Say in comments what every column holds, and its value if left out."""
    lines = [f"{rules.title}: a roster. Leave out anything at its default; a row may have any of", ""]
    lines += [_about(column, _MEANT[column.name]) for column in OWN]
    lines += [_about(stat, " ".join(word for word in (stat.title, stat.text) if word)) for stat in rules.stats]
    return "".join(f"# {line}".rstrip() + "\n" for line in lines) + "\n"


def _about(stat: Stat, meaning: str) -> str:
    kinds = " or ".join(_KINDS[kind] for kind in stat.type.split("|"))
    low, high = stat.range or (None, None)
    bounds = "" if low is None else f" from {low} up" if high is None else f" from {low} to {high}"
    usual = "" if stat.default in (None, (), {}) else f"; {str(stat.default).lower()} if left out"
    return f"{stat.name}: {meaning} ({kinds}{bounds}{usual})"
