"""The key of a quiz, as a frame that a notebook shows in full: what is asked, what is right, and why."""

from __future__ import annotations

from html import escape
from typing import Any

from combatkit.frames import pl
from combatkit.report.table import html_table

COLUMNS = ("question", "system", "action", "allowed", "rules", "asks", "says")


class Key(pl.DataFrame):
    """Rows of right answers; `Quiz.key` makes it."""

    def _repr_html_(self, **how: Any) -> str:
        """Return the key as a table: nothing in it is cut, and its columns are the ones that are read."""
        if (*self.columns,) != COLUMNS:
            return str(super()._repr_html_(**how))
        rows = (
            (str(row["question"]), *map(escape, (row["asks"], row["says"], ", ".join(row["rules"]))))
            for row in self.to_dicts()
        )
        return html_table("Key", ("", "Question", "Answer", "Rules"), rows, left=True)
