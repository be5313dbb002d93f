"""The odds as charts; needs the extra ``report``. The same odds give the same chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from combatkit.history.drawing import (
    GREY,
    WIDTH,
    Chart,
    LayerChart,
    Shown,
    dressed,
    of_sides,
    one_below_another,
    rows_as_they_are,
    tips,
)
from combatkit.history.extra import needs

if TYPE_CHECKING:
    import polars as pl

    from combatkit.study.odds.table import Odds

with needs("altair"):
    import altair as alt

_ROW = 26


def first_chart(odds: Odds) -> Shown:
    """Draw who acts first as bars, the likeliest on top; a line shows what an open choice could change it to.

    Parameters
    ----------
    odds : Odds
        What to draw.

    Returns
    -------
    altair chart
        A bar per combatant, with their chance at the end.
    """
    rows = odds.first
    word, colours = odds._word, of_sides(_sides(odds), title=odds._word("Side"))
    who = alt.Y("combatant:N", sort=None, title=None)
    share = alt.X(
        "chance:Q", title=word("Chance to act first"), axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])
    )
    bars = Chart().mark_bar().encode(share, who, colours, tooltip=tips("combatant", "side", "exact", word=word))
    words = Chart().mark_text(align="left", dx=6, color=GREY)
    layers = [bars, words.encode(alt.X("most:Q"), who, text=alt.Text("chance:Q", format=".1%"))]
    if (rows["least"] < rows["most"]).any():
        layers.insert(1, Chart().mark_rule(strokeWidth=3, color=GREY).encode(alt.X("least:Q"), who, x2="most:Q"))
    picture = LayerChart(layer=layers, data=rows_as_they_are(rows), width=WIDTH, height=_ROW * rows.height)
    return dressed(picture, word("Who acts first"))


def places_chart(odds: Odds) -> Shown:
    """Draw everybody's chance of each place as a table of dots (the larger, the likelier) with the numbers beside them.

    Parameters
    ----------
    odds : Odds
        What to draw.

    Returns
    -------
    altair chart
        A row per combatant, a column per place.
    """
    rows, order = _likeliest_first(odds, odds.places), odds.first["combatant"]
    word, colours = odds._word, of_sides(_sides(odds), title=odds._word("Side"))
    who = alt.Y("combatant:N", sort=None, title=None)
    when = alt.X("place:O", title=word("Place"), axis=alt.Axis(labelAngle=0))
    area = alt.Size("chance:Q", scale=alt.Scale(domain=[0, 1], range=[0, _ROW**2]), legend=None)
    dots = Chart().mark_circle(xOffset=-_ROW, opacity=1)
    words = Chart().mark_text(align="left", color=GREY, dx=-_ROW // 4)
    layers = [
        dots.encode(when, who, area, colours, tooltip=tips("combatant", "place", "exact", word=word)),
        words.encode(when, who, text=alt.Text("chance:Q", format=".0%")),
    ]
    width = max(WIDTH, 3 * _ROW * len(order))
    picture = LayerChart(layer=layers, data=rows_as_they_are(rows), width=width, height=_ROW * len(order))
    return dressed(picture, word("Who acts in which place"))


def scores_chart(odds: Odds) -> Shown:
    """Draw the distribution of initiative, a picture per combatant; where a round has halves, the chance of each.

    Parameters
    ----------
    odds : Odds
        What to draw.

    Returns
    -------
    altair chart
        A bar per score.
    """
    rows = _likeliest_first(odds, odds.scores)
    word, colours = odds._word, of_sides(_sides(odds), title=odds._word("Side"))
    halves = rows["initiative"].is_null().any()
    level = alt.Axis(labelAngle=0)
    score = alt.X("label:N", title=word("Half"), sort=["HIGH", "LOW"], axis=level)
    if not halves:
        score = alt.X("initiative:O", title=word("Initiative"), axis=level)
    chance = alt.Y("chance:Q", title=None, axis=alt.Axis(format="%", tickCount=2))
    bars = Chart(width=WIDTH, height=2 * _ROW).mark_bar()
    spec = bars.encode(score, chance, colours, tooltip=tips("combatant", "label", "exact", word=word))
    return dressed(one_below_another(rows, spec, "combatant"), word("Initiative"))


def _likeliest_first(odds: Odds, rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows in the order of who acts first, as a chart is to show them."""
    return odds.first.select("combatant").join(rows, on="combatant", maintain_order="left_right")


def _sides(odds: Odds) -> list[str]:
    sides: list[str] = odds.places["side"].unique(maintain_order=True).to_list()
    return sides
