"""The key of a quiz, as a frame that is shown in full: when, what is asked, what is right, and the rule's words."""

from __future__ import annotations

from html import escape
from typing import Any

from combatkit.frames import pl
from combatkit.registry import ruleset
from combatkit.report.table import html_table

COLUMNS = ("question", "system", "action", "allowed", "rules", "moment", "asks", "says", "text")


class Key(pl.DataFrame):
    """Rows of right answers; `Quiz.key` makes it."""

    def _repr_html_(self, **how: Any) -> str:
        """Return the key as a table: nothing in it is cut, and its columns are the ones that are read."""
        if (*self.columns,) != COLUMNS:
            return str(super()._repr_html_(**how))
        rows = (
            (
                str(row["question"]),
                *map(escape, (ruleset(row["system"]).title, row["moment"], row["asks"], _right(row))),
            )
            for row in self.to_dicts()
        )
        return html_table("Key", ("", "System", "Moment", "Question", "Answer"), rows, left=True)

    def __str__(self) -> str:
        """Return the key as text: nothing in it is cut."""
        if (*self.columns,) != COLUMNS:
            return str(super().__str__())
        told = (
            (f"{row['question']}. {ruleset(row['system']).title}: {row['moment']}", row["asks"], _right(row))
            for row in self.to_dicts()
        )
        return "\n\n".join("\n   ".join(lines) for lines in told)

    __repr__ = __str__


def _right(row: dict[str, Any]) -> str:
    """Return what is right, and the words of the rule that refuses it."""
    return f"{row['says']} {row['text']} [{', '.join(row['rules'])}]" if row["rules"] else str(row["says"])
