"""A fight at a glance, as rows: one a round."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from combatkit.core.timeline import standing
from combatkit.frames import pl
from combatkit.report.words import clock_time
from combatkit.text import say_names

if TYPE_CHECKING:
    from combatkit.fight.fight import Encounter

DAMAGE = "damage by "
"""What the columns of the damage that sides have dealt begin with."""


def overview(encounter: Encounter) -> pl.DataFrame:
    """Return a row for each round: what `Encounter.summary` shows."""
    attacks, hits = _attacks(encounter)
    rounds: dict[int, list[dict[str, Any]]] = {}
    sides: dict[str, None] = {}
    for row in encounter.history.rounds.iter_rows(named=True):
        rounds.setdefault(row["round"], []).append(row)
        sides.setdefault(row["side"])
    down: set[str] = set()
    rows = []
    word = encounter.ruleset.languages[encounter._state.language].word
    for number, part in rounds.items():
        out = {row["combatant"] for row in part if encounter.ruleset.felling & {*row["conditions"]}}
        acted = [row for row in part if row["actions"] + row["reactions"] > 0]
        acted.sort(key=lambda row: (row["place"] is None, row["place"]))
        rows.append(
            (
                word(encounter.ruleset.round_label(number)).removeprefix(f"{word(encounter.ruleset.round_title)} "),
                clock_time(part[0]["seconds"]),
                say_names([row["combatant"] for row in acted], ", "),
                attacks[number],
                hits[number],
                *(sum(row["damage_dealt"] for row in part if row["side"] == side) for side in sides),
                ", ".join(row["combatant"] for row in part if row["combatant"] in out - down),
                word(f"{sum(row['budget_spent'] for row in part)} of {sum(row['budget_total'] for row in part)}"),
            )
        )
        down = out
    schema = dict.fromkeys(("round", "clock", "acted"), pl.String()) | dict.fromkeys(("attacks", "hits"), pl.Int64())
    schema |= dict.fromkeys((DAMAGE + side for side in sides), pl.Int64()) | dict.fromkeys(
        ("fell", "budget"), pl.String()
    )
    return pl.DataFrame(rows, schema=schema, orient="row")


def _attacks(encounter: Encounter) -> tuple[Counter[object], Counter[object]]:
    """Count attacks that were decided, and those that hit, by round."""
    decided = [e for e in standing(encounter._events) if e.kind == "attack" and e._data.get("outcome")]
    hits = [e for e in decided if e._data["outcome"] == "hit"]
    return Counter(e.round for e in decided), Counter(e.round for e in hits)
