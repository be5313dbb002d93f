"""The odds as charts; needs the extra ``report``. The same odds give the same chart, byte for byte."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from combatkit.errors import InvalidInput

if TYPE_CHECKING:
    import altair as alt

    from combatkit.odds.table import Odds

_INK = {"light": "#1c1c1c", "dark": "#e6e6e6"}
_LINES = {"light": "#d8d8d8", "dark": "#4a4a4a"}
_SIDES = {"light": ("#0b6bcb", "#b3500b", "#2f7d32", "#8a3ffc"), "dark": ("#6cb2ff", "#f2a65a", "#7fd483", "#c3a1ff")}
"""Colours of sides, in their order; each has a contrast of 3 or more with its page, and tells apart without red."""
_RAMP = {"light": ["#f3f7fc", "#0b4f9e"], "dark": ["#1b2430", "#8fc4ff"]}
_ROW = 26
_WIDTH = 420


def first_chart(odds: Odds, *, theme: str = "light") -> alt.TopLevelMixin:
    """Draw who acts first as bars, the likeliest on top; a line shows what an open choice could make of it.

    Parameters
    ----------
    odds : Odds
        What to draw.
    theme : str
        ``"light"`` or ``"dark"``.

    Returns
    -------
    altair.TopLevelMixin
        The chart.
    """
    import altair as alt

    order = odds.first["combatant"].to_list()
    base = alt.Chart(_data(odds.first)).encode(y=alt.Y("combatant:N", sort=order, title=None))
    share = alt.X("chance:Q", title="chance to act first", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1]))
    tips = [alt.Tooltip("combatant:N"), alt.Tooltip("chance:Q", format=".2%"), alt.Tooltip("exact:N")]
    bars = base.mark_bar().encode(x=share, color=_sides(odds, theme), tooltip=tips)
    spans = base.mark_rule(strokeWidth=3, color=_INK[_checked(theme)]).encode(x=alt.X("least:Q"), x2="most:Q")
    words = base.mark_text(align="left", dx=6, color=_INK[theme]).encode(
        x=alt.X("most:Q"), text=alt.Text("chance:Q", format=".1%")
    )
    layers = (bars, spans, words) if (odds.first["least"] < odds.first["most"]).any() else (bars, words)
    return _dressed(alt.layer(*layers), len(order), theme)


def places_chart(odds: Odds, *, theme: str = "light") -> alt.TopLevelMixin:
    """Draw everybody's chance of each place as a table of shades, with the numbers in it.

    Parameters
    ----------
    odds : Odds
        What to draw.
    theme : str
        ``"light"`` or ``"dark"``.

    Returns
    -------
    altair.TopLevelMixin
        The chart.
    """
    import altair as alt

    order = odds.first["combatant"].to_list()
    base = alt.Chart(_data(odds.places)).encode(
        x=alt.X("place:O", title="place", axis=alt.Axis(labelAngle=0)), y=alt.Y("combatant:N", sort=order, title=None)
    )
    scale = alt.Scale(range=_RAMP[_checked(theme)], domain=[0, 1])
    tips = [alt.Tooltip(f"{name}:N") for name in ("combatant", "place", "exact")]
    cells = base.mark_rect().encode(
        color=alt.Color("chance:Q", title="chance", scale=scale, legend=alt.Legend(format="%")), tooltip=tips
    )
    bright = alt.value("#ffffff" if theme == "light" else "#101010")
    ink = alt.condition("datum.chance > 0.55", bright, alt.value(_INK[theme]))
    words = base.mark_text().encode(text=alt.Text("chance:Q", format=".0%"), color=ink)
    return _dressed(alt.layer(cells, words), len(order), theme)


def scores_chart(odds: Odds, *, theme: str = "light") -> alt.TopLevelMixin:
    """Draw the distribution of initiative as bars, a row a combatant; where a round has halves, by half.

    Parameters
    ----------
    odds : Odds
        What to draw.
    theme : str
        ``"light"`` or ``"dark"``.

    Returns
    -------
    altair chart
        Layered or plain.
    """
    import altair as alt

    frame = odds.scores
    halves = frame["initiative"].is_null().any()
    across = (
        alt.X("label:N", title="half", sort=["HIGH", "LOW"]) if halves else alt.X("initiative:O", title="initiative")
    )
    chart = (
        alt.Chart(_data(frame))
        .mark_bar()
        .encode(
            x=across.axis(labelAngle=0),
            y=alt.Y("chance:Q", title=None, axis=alt.Axis(format="%", tickCount=2)),
            color=_sides(odds, theme),
            row=alt.Row("combatant:N", title=None, sort=odds.first["combatant"].to_list(), spacing=4).header(
                labelAngle=0, labelAlign="left", labelColor=_INK[_checked(theme)]
            ),
            tooltip=[alt.Tooltip(f"{name}:N") for name in ("combatant", "label", "exact")],
        )
        .properties(width=_WIDTH, height=2 * _ROW)
    )
    return _coloured(chart, theme)


def _checked(theme: str) -> str:
    if theme not in _INK:
        raise InvalidInput(f"theme is {theme!r}; it is 'light' or 'dark'")
    return theme


def _data(frame: Any) -> Any:
    """Give a frame's rows as Altair takes them, inline: nothing is named by a hash or kept in a file."""
    import altair as alt

    return alt.InlineData(values=frame.to_dicts())


def _sides(odds: Odds, theme: str) -> alt.Color:
    import altair as alt

    sides = odds.places["side"].unique(maintain_order=True).to_list()
    colours = _SIDES[_checked(theme)]
    scale = alt.Scale(domain=sides, range=[colours[n % len(colours)] for n in range(len(sides))])
    return alt.Color("side:N", title="side", scale=scale)


def _dressed(chart: Any, rows: int, theme: str) -> alt.TopLevelMixin:
    return _coloured(chart.properties(width=_WIDTH, height=_ROW * rows), theme)


def _coloured(chart: Any, theme: str) -> alt.TopLevelMixin:
    """Let the page show through, and write on it in a colour that can be read there."""
    ink, lines = _INK[theme], _LINES[theme]
    plain: alt.TopLevelMixin = (
        chart.configure(background="transparent")
        .configure_view(stroke=None)
        .configure_axis(labelColor=ink, titleColor=ink, gridColor=lines, domainColor=lines, tickColor=lines)
        .configure_legend(labelColor=ink, titleColor=ink)
    )
    return plain
