"""How a chart is drawn: by the notebook itself, on any background, in the same colours everywhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from combatkit.frames import pl
from combatkit.history.extra import needs

with needs("altair"):
    import altair as alt

COLOURS = ("#4682b4", "#b8608a", "#6f8f45", "#94793f")
SHAPES = ("circle", "diamond", "triangle-up", "square")
"""Of sides in order of joining, as in the widgets: each at least 3 to 1 on white and on black."""

GREY = "#777777"
"""Of words and lines: it can be read on white and on black."""

_VEGA_LITE = "application/vnd.vegalite.v5+json"
_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.20.1.json"
"""What JupyterLab and its kin draw themselves; altair's own default loads the library from a network."""

WIDTH = 560

_NTH = "nth"
"""The column by which pictures one below the other are ordered."""

_INK = {"labelColor": GREY, "titleColor": GREY}
_DRESS: dict[str, Any] = {
    "axis": {**_INK, "gridColor": f"{GREY}33", "domainColor": GREY, "tickColor": GREY},
    "legend": _INK,
    "header": _INK,
    "title": {"color": GREY},
    "view": {"stroke": None},
}


class _ForPages(json.JSONEncoder):
    """Writes JSON in which no name can end the script of the page that it stands in."""

    def encode(self, o: object) -> str:
        return super().encode(o).replace("<", r"\u003c")


def _for_pages(kwargs: dict[str, Any]) -> dict[str, object]:
    return {**kwargs, "json_kwds": {"cls": _ForPages, **(kwargs.get("json_kwds") or {})}}


class _Drawn:
    """Notebooks draw it themselves, without a network; in a page names stay text. Everything else is as in altair."""

    def to_html(self, *args: object, **kwargs: object) -> str:
        """Return it as a page, as altair does."""
        page: str = super().to_html(*args, **_for_pages(kwargs))  # type: ignore[misc]
        return page

    def save(self, *args: object, **kwargs: object) -> None:
        """Write it to a file, as altair does."""
        super().save(*args, **_for_pages(kwargs))  # type: ignore[misc]

    def _repr_mimebundle_(self, *args: object, **kwargs: object) -> dict[str, object]:
        spec = self.to_dict()  # type: ignore[attr-defined]
        return {_VEGA_LITE: {**spec, "$schema": _SCHEMA}, "text/plain": f"<Chart: {spec['title']['text']}>"}


class Chart(_Drawn, alt.Chart):
    """One picture."""


class LayerChart(_Drawn, alt.LayerChart):
    """Pictures one over the other."""


class FacetChart(_Drawn, alt.FacetChart):
    """Alike pictures one below the other."""


Shown = Chart | LayerChart | FacetChart
"""What a chart is: several fights, or a bar for each slot of each combatant, make it a `FacetChart`."""


def dressed(chart: Shown, title: str) -> Shown:
    """Return a chart with its title, on a transparent background, in colours that can be read in light and dark."""
    config = alt.Config(**_DRESS)
    return chart.properties(title=alt.TitleParams(title, anchor="start"), background="transparent", config=config)


def of_sides(sides: list[str], channel: str = "Color", title: str = "Side") -> object:
    """Return the channel that tells sides apart in their order: by colour, or by shape."""
    marks = SHAPES if channel == "Shape" else COLOURS
    each = [marks[i % len(marks)] for i in range(len(sides))]
    return getattr(alt, channel)("side:N", title=title, scale=alt.Scale(domain=sides, range=each))


def one_below_another(rows: pl.DataFrame, picture: alt.SchemaBase, field: str) -> FacetChart:
    """Draw a picture for each name in a field, under it, in the order of the rows.

    An order given as a list of names becomes a part of Vega's expressions, and not every name can stand in one.
    """
    header = alt.Header(title=None, labelAngle=0, labelAlign="left", labelAnchor="start", labelOrient="top")
    row = alt.Row(f"{field}:N", sort=alt.EncodingSortField(field=_NTH, op="min"), header=header)
    numbered = rows.with_columns(pl.int_range(pl.len()).min().over(field).alias(_NTH))
    return FacetChart(data=rows_as_they_are(numbered), spec=picture, facet=alt.FacetMapping(row=row), spacing=8)


def tips(*names: str, word: Callable[[str], str] = str) -> list[alt.Tooltip]:
    """Show these columns where somebody points, each called by a word."""
    return [alt.Tooltip(f"{name}:N", title=word(name.replace("_", " ").capitalize())) for name in names]


def rows_as_they_are(rows: pl.DataFrame) -> alt.InlineData:
    """Return rows for a chart, so that none is lost to a limit on frames."""
    return alt.InlineData(
        values=[{k: v for k, v in row.items() if v is not None} for row in rows.iter_rows(named=True)]
    )
