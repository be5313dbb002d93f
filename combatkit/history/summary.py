"""A fight at a glance: a table with one row per round."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import polars as pl

from combatkit.core.projection import standing
from combatkit.history.extra import needs
from combatkit.report.words import clock_time
from combatkit.rules.checks import say_names

if TYPE_CHECKING:
    from combatkit.fight.encounter import Encounter

with needs("great_tables"):
    from great_tables import GT

_STYLE = re.compile(r"<style>.*?</style>\n?", re.DOTALL)
_LEAN = """<style>
#{id} table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
#{id} th, #{id} td {{ padding: 4px 8px; text-align: left; vertical-align: top; border-bottom: 1px solid #7773; }}
#{id} th {{ font-weight: 600; }}
#{id} .gt_right {{ text-align: right; }}
#{id} .gt_center {{ text-align: center; }}
</style>
"""
"""What a notebook keeps with each table: great_tables' own is fifteen times that, and dark on white."""


class Summary(GT):
    """A `great_tables.GT` whose notebook form is lean, and the same for the same fight; all else is as there."""

    _about = ""

    def _repr_html_(self) -> str:
        id = str(self._options.table_id.value)
        return _STYLE.sub(_LEAN.format(id=id), self.as_raw_html(), count=1)

    def __repr__(self) -> str:
        """Say what it sums up."""
        return f"<Summary of {self._about}>"


def summary(encounter: Encounter) -> Summary:
    """Return the table; see `Encounter.summary`."""
    rounds = encounter.history.rounds
    id = "summary-" + re.sub(r"[^a-z0-9]+", "-", encounter.id.lower())
    sides = rounds["side"].unique(maintain_order=True).to_list()
    damage = {side: f"damage {number}" for number, side in enumerate(sides)}
    table = Summary(_rows(encounter, rounds, damage), id=id)
    table._about = f"{encounter.id}: {encounter.clock.label}"
    table = table.tab_header(title=encounter.id, subtitle=encounter.ruleset.title)
    table = table.cols_label(
        round=encounter.ruleset.round_title,
        clock="Clock",
        acted="Acted",
        attacks="Attacks",
        hits="Hits",
        fell="Fell",
        budget="Budget used",
        **{column: side for side, column in damage.items()},
    )
    if sides:
        table = table.tab_spanner(label="Damage dealt by", columns=list(damage.values()))
    if encounter.clock.seconds is None:
        table = table.cols_hide("clock")
    return table.cols_align("left", ["clock", "acted", "fell"]).cols_align("right", ["budget"])


def _rows(encounter: Encounter, rounds: pl.DataFrame, damage: dict[str, str]) -> pl.DataFrame:
    attacks, hits = _attacks(encounter)
    incapable = encounter.ruleset.incapable - {"left"}
    down: set[str] = set()
    rows = []
    for (number,), part in rounds.group_by("round", maintain_order=True):
        out = {who for who, ids in part.select("combatant", "conditions").rows() if incapable & set(ids)}
        deeds = part.filter(pl.col("actions") + pl.col("reactions") > 0)
        acted = deeds.sort("place", nulls_last=True)["combatant"].to_list()
        dealt = dict(part.group_by("side").agg(pl.col("damage_dealt").sum()).rows())
        rows.append(
            {
                "round": encounter.ruleset.round_label(int(str(number))).removeprefix(
                    f"{encounter.ruleset.round_title} "
                ),
                "clock": clock_time(part["seconds"][0]),
                "acted": say_names(acted, ", "),
                "attacks": attacks[number],
                "hits": hits[number],
                **{column: dealt.get(side, 0) for side, column in damage.items()},
                "fell": ", ".join(who for who in part["combatant"] if who in out - down),
                "budget": f"{part['budget_spent'].sum()} of {part['budget_total'].sum()}",
            }
        )
        down = out
    schema = {
        "round": pl.String(),
        "clock": pl.String(),
        "acted": pl.String(),
        "attacks": pl.Int64(),
        "hits": pl.Int64(),
        **dict.fromkeys(damage.values(), pl.Int64()),
        "fell": pl.String(),
        "budget": pl.String(),
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def _attacks(encounter: Encounter) -> tuple[Counter[object], Counter[object]]:
    """Count attacks that were decided, and those that hit, by round."""
    decided = [e for e in standing(encounter._events) if e.kind == "attack" and e._data.get("outcome")]
    hits = [e for e in decided if e._data["outcome"] == "hit"]
    return Counter(e.round for e in decided), Counter(e.round for e in hits)
