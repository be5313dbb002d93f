"""Pictures of a history: who acted when, what was spent and wasted, what was dealt and taken, turn by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from combatkit.frames import pl
from combatkit.history.drawing import (
    COLOURS,
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
    from combatkit.history.frames import Frames

with needs("altair"):
    import altair as alt

_COUNT = alt.Axis(tickMinStep=1, format="d")
"""Of whole numbers."""


class Charts:
    """Charts of one fight, or of several one below the other; each is altair's, to be changed and saved like any other.

    They have a transparent background and can be read in light and dark. Sides differ in colour, and by name or shape.
    All rows are in the chart, however many there are.

    Parameters
    ----------
    frames : Frames
        A history or a stack.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("saga", seed=7, id="docks")
    >>> _ = enc.add("Mara", side="rebels"), enc.add("Vex", side="hunters"), enc.start()
    >>> enc.history.charts.turns().to_dict()["title"]["text"]
    'Turns'
    """

    def __init__(self, frames: Frames) -> None:
        self._frames = frames
        self._word = frames._word
        people = frames.rounds.select("encounter", "combatant", "side").unique(maintain_order=True)
        self._people = people
        self._several = people["encounter"].n_unique() > 1
        self._sides = people["side"].unique(maintain_order=True).to_list()

    def __repr__(self) -> str:
        """Name the charts."""
        return "<Charts: initiative(), budget(), damage(), turns()>"

    def initiative(self) -> Shown:
        """Draw everybody's place on the ladder over the rounds; pointing shows the scores.

        Returns
        -------
        altair chart
            A line per combatant, with their name at the end.
        """
        last = pl.col("round") == pl.col("round").max().over("encounter", "combatant")
        rows = self._frames.rounds.filter(pl.col("place").is_not_null()).select(
            "encounter",
            "round",
            "combatant",
            "side",
            "initiative",
            "place",
            pl.when(last).then("combatant").otherwise(pl.lit("")).alias("name"),
        )
        places = int(rows["place"].max() or 1)  # type: ignore[arg-type]
        when = alt.X("round:O", title=self._word("Round"), axis=alt.Axis(labelAngle=0))
        ladder = alt.Axis(values=list(range(1, places + 1)), format="d")
        where = alt.Y(
            "place:Q", title=self._word("Place"), axis=ladder, scale=alt.Scale(reverse=True, zero=False, padding=12)
        )
        line = alt.Chart().mark_line(strokeWidth=2, point={"size": 70, "filled": True})
        names = alt.Chart().mark_text(align="left", dx=9, color=GREY)
        told = tips("combatant", "side", "round", "initiative", "place", word=self._word)
        drawn = line.encode(when, where, self._side(), self._side("Shape"), alt.Detail("combatant:N"), tooltip=told)
        picture = LayerChart(
            layer=[drawn, names.encode(when, where, text="name:N")], width=WIDTH, height=max(80, 24 * places)
        )
        return self._shown("Initiative", rows, picture)

    def budget(self) -> Shown:
        """Draw what everybody spent of each slot over the fight, and what was left when it was filled anew.

        Returns
        -------
        altair chart
            A bar per combatant and slot: used, then wasted.
        """
        keys = ["encounter", "combatant", "slot"]
        used, wasted = map(self._word, ("used", "wasted"))
        whole = self._frames.budgets.group_by(keys, maintain_order=True).agg(
            pl.col("spent").sum().alias(used), (pl.col("total") - pl.col("spent")).sum().alias(wasted)
        )
        rows = (
            self._people.join(whole, on=["encounter", "combatant"], maintain_order="left_right")
            .unpivot([used, wasted], index=keys, variable_name="what", value_name="amount")
            .with_columns((pl.col("what") == wasted).cast(pl.Int64).alias("rank"), self._who())
        )
        shades = alt.Scale(domain=[used, wasted], range=[COLOURS[0], f"{GREY}55"])
        picture = Chart(width=WIDTH, height=alt.Step(14)).mark_bar()
        picture = picture.encode(
            alt.X("amount:Q", title=self._word("Amount"), axis=_COUNT),
            alt.Y("slot:N", title=None, sort=None),
            alt.Color("what:N", title=None, scale=shades),
            alt.Order("rank:Q"),
            tooltip=tips("combatant", "slot", "what", "amount", word=self._word),
        )
        return self._shown("Budget used and wasted", rows, picture, row="who", x="shared")

    def damage(self) -> Shown:
        """Draw what everybody dealt, to the right, and took, to the left.

        Returns
        -------
        altair chart
            Two bars a combatant; what was taken is outlined.
        """
        dealt, taken = map(self._word, ("dealt", "taken"))
        whole = self._frames.rounds.group_by("encounter", "combatant", "side", maintain_order=True).agg(
            pl.col("damage_dealt").sum().alias(dealt), pl.col("damage_taken").sum().alias(taken)
        )
        rows = whole.unpivot(
            [dealt, taken],
            index=["encounter", "combatant", "side"],
            variable_name="what",
            value_name="damage",
        ).with_columns(pl.when(pl.col("what") == taken).then(-pl.col("damage")).otherwise("damage").alias("way"))
        filled = alt.Scale(domain=[dealt, taken], range=[1, 0.15])
        picture = Chart(width=WIDTH).mark_bar(strokeWidth=1.5)
        picture = picture.encode(
            alt.X(
                "way:Q",
                title=self._word("← taken · dealt →"),
                axis=alt.Axis(labelExpr="abs(datum.value)", tickMinStep=1),
            ),
            alt.Y("combatant:N", title=None, sort=None),
            self._side(),
            self._side("Stroke"),
            alt.FillOpacity("what:N", title=None, scale=filled, legend=None),
            tooltip=tips("combatant", "side", "what", "damage", word=self._word),
        )
        return self._shown("Damage dealt and taken", rows, picture, x="shared")

    def turns(self) -> Shown:
        """Draw everybody's turns along the log, from the event each began with to the one it ended with.

        Returns
        -------
        altair chart
            A bar per turn; one under way reaches to the newest event.
        """
        newest = self._frames.events.group_by("encounter").agg(pl.col("seq").max().alias("newest"))
        rows = (
            self._frames.turns.join(newest, on="encounter", maintain_order="left")
            .with_columns(pl.coalesce("ended_seq", "newest").alias("until"))
            .drop("system", "newest", "ended_seq")
        )
        picture = Chart(width=WIDTH).mark_bar(height={"band": 0.6}, cornerRadius=2)
        picture = picture.encode(
            alt.X("began_seq:Q", title=self._word("Event"), scale=alt.Scale(zero=False), axis=_COUNT),
            alt.X2("until:Q"),
            alt.Y("combatant:N", title=None, sort=None),
            self._side(),
            tooltip=tips(
                "combatant", "side", "round", "phase", "turn", "initiative", "actions", "reactions", word=self._word
            ),
        )
        return self._shown("Turns", rows, picture)

    # ── what they share ──

    def _shown(
        self,
        title: str,
        rows: pl.DataFrame,
        picture: Chart | LayerChart,
        *,
        row: str = "",
        x: Literal["independent", "shared"] = "independent",
    ) -> Shown:
        """Put rows under a picture, and dress it for any background."""
        title = self._word(title)
        row = row or ("encounter" if self._several else "")
        if row:
            return dressed(one_below_another(rows, picture, row).resolve_scale(x=x, y="independent"), title)
        picture.data = rows_as_they_are(rows)
        return dressed(picture, title)

    def _who(self) -> pl.Expr:
        """Name a combatant, and their fight where there are several."""
        names = ("encounter", pl.lit(": "), "combatant") if self._several else ("combatant",)
        return pl.concat_str(*names).alias("who")

    def _side(self, channel: str = "Color") -> object:
        return of_sides(self._sides, channel, self._word("Side"))
