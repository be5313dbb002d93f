"""A sweep as a chart; needs the extra ``report``. The same frame gives the same chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from combatkit.errors import InvalidInput
from combatkit.history.drawing import WIDTH, Chart, Shown, dressed, of_sides, one_below_another, tips
from combatkit.history.extra import needs

if TYPE_CHECKING:
    import polars as pl

with needs("altair"):
    import altair as alt

_HEIGHT = 200
"""Enough for the interval of a thousand fights to be longer than its point is high."""
_AFTER = "n"
"""The column after the changes."""


def wins_chart(sweep: pl.DataFrame) -> Shown:
    """Draw the chart of `combatkit.simulation.chart`."""
    columns = list(sweep.columns)
    if columns[:1] != ["system"] or _AFTER not in columns[2:]:
        raise InvalidInput("chart: this is no frame of ck.sweep; give one as it was returned")
    key, *others = columns[1 : columns.index(_AFTER)]
    rows = [
        {
            "picture": ", ".join([row["system"], *(f"{other} {row[other]}" for other in others)]),
            "value": row[key],
            **{name: row[name] for name in ("side", "n", "wins", "low", "high", "difference")},
        }
        for row in sweep.iter_rows(named=True)
    ]
    drawn = sweep.__class__(rows)
    kind = "Q" if sweep.schema[key].is_numeric() else "N"
    across = alt.X(
        f"value:{kind}",
        title=key,
        sort=None,
        axis=alt.Axis(labelAngle=0, tickMinStep=1, format="d" if kind == "Q" else alt.Undefined),
        scale=alt.Scale(zero=False, nice=False, padding=20) if kind == "Q" else alt.Undefined,
    )
    share = alt.Y("wins:Q", title="Wins", axis=alt.Axis(format="%", tickCount=3), scale=alt.Scale(domain=[0, 1]))
    sides = list(dict.fromkeys(drawn["side"]))
    side, shape = of_sides(sides), of_sides(sides, "Shape")
    bars = Chart().mark_rule(strokeWidth=2).encode(across, alt.Y("low:Q", title="Wins"), side, y2="high:Q")
    line = Chart().mark_line(strokeWidth=1, point={"size": 60, "filled": True})
    dots = line.encode(across, share, side, shape, tooltip=tips("side", "value", "wins", "n"))
    spec = alt.layer(bars, dots).properties(width=WIDTH, height=_HEIGHT)
    return dressed(one_below_another(drawn, spec, "picture"), f"Wins by {key}")
