"""A fight at a glance: a table with one row per round."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from combatkit.history.extra import needs
from combatkit.history.overview import DAMAGE, overview

if TYPE_CHECKING:
    from combatkit.fight.fight import Encounter

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
        return self._about


def summary(encounter: Encounter) -> Summary:
    """Return the table; see `Encounter.summary`."""
    id = "summary-" + re.sub(r"[^a-z0-9]+", "-", encounter.id.lower())
    rows = overview(encounter)
    dealt = [name for name in rows.columns if name.startswith(DAMAGE)]
    plain = {name: f"damage {number}" for number, name in enumerate(dealt)}  # a side's name is no id in a page
    damage: dict[str, Any] = {id: name.removeprefix(DAMAGE) for name, id in plain.items()}
    table = Summary(rows.rename(plain), id=id)
    tell, word = encounter._language.tell, encounter._language.word
    table._about = tell("<Summary of {id}: {clock}>", id=encounter.id, clock=encounter.clock.label)
    table = table.tab_header(title=encounter.id, subtitle=word(encounter.ruleset.title))
    table = table.cols_label(
        round=word(encounter.ruleset.round_title),
        clock=word("Clock"),
        acted=word("Acted"),
        attacks=word("Attacks"),
        hits=word("Hits"),
        fell=word("Fell"),
        budget=word("Budget used"),
        **damage,
    )
    if damage:
        table = table.tab_spanner(label=word("Damage dealt by"), columns=list(damage))
    if encounter.clock.seconds is None:
        table = table.cols_hide("clock")
    return table.cols_align("left", ["clock", "acted", "fell"]).cols_align("right", ["budget"])
