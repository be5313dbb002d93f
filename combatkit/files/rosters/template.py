"""A roster to begin with: every column of a ruleset, and two combatants to replace."""

from __future__ import annotations

from pathlib import Path

from combatkit.core.plain import whole_number
from combatkit.files.rosters.read import columns
from combatkit.files.rosters.write import roster_frame, write_roster
from combatkit.frames import pl
from combatkit.rules.catalogue import Stat
from combatkit.rules.rulebook import Rulebook

_KINDS = {"bool": "true or false", "text": "text", "list": "list", "mapping": "mapping"}


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
    lines += map(_about, columns(rules))
    return "".join(f"# {line}".rstrip() + "\n" for line in lines) + "\n"


def _about(stat: Stat) -> str:
    kinds = {**_KINDS, "int": whole_number(*(stat.range or ())).removeprefix("a ")}
    said = " or ".join(kinds[kind] for kind in stat.type.split("|"))
    meaning = " ".join(word for word in (stat.title, stat.text) if word)
    usual = "" if stat.default in (None, (), {}) else f"; {str(stat.default).lower()} if left out"
    return f"{stat.name}: {meaning} ({said}{usual})"
