"""The odds of one fight, as frames and charts."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from combatkit.core.model import State
from combatkit.errors import InvalidInput
from combatkit.rules.case import Case
from combatkit.rules.checks import check_known
from combatkit.rules.draft import Draft
from combatkit.rules.draw import Draw
from combatkit.rules.params import as_names, check_params, find_action, only_one
from combatkit.rules.ruleset import Ruleset
from combatkit.study.odds.order import Chances, of_units, place_chances, score_chances
from combatkit.study.odds.rolls import hit_chance
from combatkit.text import say

if TYPE_CHECKING:
    import polars as pl

    from combatkit.fight.view import View
    from combatkit.history.drawing import Shown
    from combatkit.simulation.fights import Tactics


class Odds:
    """Who acts first, who acts in which place, on which score, and what hits: exact, by the rules' own ties.

    `odds` of an encounter makes it. It shows the moment it was made in: initiative as it would be rolled then.

    Parameters
    ----------
    encounter : View
        The fight.
    surprised : iterable of str
        Who would be unaware as the fight begins, as `Encounter.start` takes it.

    Attributes
    ----------
    lots : Draw
        What the order rests on: dice, modifiers, ties.

    Raises
    ------
    InvalidInput
        If the ruleset does not say what its order rests on, nobody has been added, or somebody is given as surprised in
        a fight that has begun.
    UnknownName
        For a name nobody has.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("saga", id="docks")
    >>> _ = enc.add("Mara", side="rebels", dex=4), enc.add("Vex", side="empire", dex=1)
    >>> enc.odds()
    <Odds: docks, acts first: Mara 66.0 %, Vex 34.0 %>
    >>> enc.odds().exact["Mara"].chance[0]
    Fraction(33, 50)
    """

    def __init__(self, encounter: View, surprised: Iterable[str] = ()) -> None:
        self._id = encounter.id
        self._view = encounter
        self._rules = encounter.ruleset
        self._state = _moment(encounter, surprised)
        lots = self._rules.lots(self._state)
        if lots is None:
            raise InvalidInput(f"{self._rules.id} does not say what its order rests on: its ruleset declares no `draw`")
        if all(lot.out for lot in lots.lots):
            raise InvalidInput("nobody here can act; add a combatant first")
        self.lots: Draw = lots

    def _word(self, text: str) -> str:
        """Return a word of a picture in the language of the fight."""
        return self._rules.languages[self._state.language].word(text)

    def wins(self, *, tactics: Tactics | None = None, rounds: int = 1) -> pl.DataFrame:
        """Return who wins within so many rounds, exactly: every way the dice can fall is gone through.

        The fight is fought from its beginning, as `combatkit.simulate` plays it. What `combatkit.simulation.engine_of`
        says is played as arrays can be reckoned, while the ways are not too many.

        Parameters
        ----------
        tactics : callable or mapping of str to callable, optional
            As `combatkit.simulate` takes them; `combatkit.tactics.strike`, if none is given.
        rounds : int
            The last round.

        Returns
        -------
        polars.DataFrame
            A row per side, in the order of joining: its ``chance`` of having won by then, and of ever winning from
            ``low``, if it never does in what is still undecided, to ``high``, if it always does.

        Raises
        ------
        InvalidInput
            If it can't be reckoned, with the reason, or has too many ways, with their number.

        Examples
        --------
        >>> import combatkit as ck
        >>> scene = ck.scene([{"name": "Mara", "side": "rebels"}, {"name": "Vex", "side": "hunters"}], name="Duel")
        >>> scene.encounter("saga", seed=7).odds().wins(rounds=3).row(0)
        ('rebels', 0.020297527313, 0.979702472687, 0.020297527313)
        """
        from combatkit.frames import pl
        from combatkit.simulation.fights import Setup
        from combatkit.simulation.reckoning import chances
        from combatkit.tactics import strike

        won, open_ = chances(Setup(self._view), strike if tactics is None else tactics, rounds)
        rows = [(side, *(round(number, 12) for number in (won[side], won[side] + open_, won[side]))) for side in won]
        return pl.DataFrame(rows, schema=["side", "low", "high", "chance"], orient="row")

    @cached_property
    def exact(self) -> dict[str, Chances]:
        """Everybody's chance of each place as fractions: `chance`, `least` and `most`, the first place first."""
        return place_chances(self.lots)

    @property
    def first(self) -> pl.DataFrame:
        """Who acts first: a row per combatant, the likeliest first; the columns are those of `places`."""
        frame = self.places.filter(place=1).drop("place")
        return frame.sort("chance", descending=True, maintain_order=True)

    @property
    def groups(self) -> pl.DataFrame:
        """Which die acts first: a row per group that shares one, or combatant who rolls alone, the likeliest first."""
        from combatkit.frames import pl

        rows = [
            (unit, float(c.chance[0]), str(c.chance[0]), float(c.least[0]), float(c.most[0]))
            for unit, c in place_chances(of_units(self.lots), first=True).items()
        ]
        schema = {"group": pl.String, "chance": pl.Float64, "exact": pl.String, "least": pl.Float64, "most": pl.Float64}
        return pl.DataFrame(rows, schema, orient="row").sort("chance", descending=True, maintain_order=True)

    @property
    def places(self) -> pl.DataFrame:
        """Who acts in which place: a row per combatant and place, in the order they were added.

        ``chance`` is the chance of that place in the order of first turns, ``exact`` the same as a fraction. ``least``
        and ``most`` bound it where a tie is open to somebody's choice; ``chance`` then holds for the order they were
        added in, which stands until somebody chooses. Those who act at once share a place, the next one is empty, and
        ``least`` is the chance to have it alone.
        """
        from combatkit.frames import pl

        fighters = self._state.fighters
        rows = [
            (who, fighters[who].side, place, float(chance), str(chance), float(least), float(most))
            for who, chances in self.exact.items()
            for place, (chance, least, most) in enumerate(zip(*chances, strict=True), 1)
        ]
        schema = {"combatant": pl.String, "side": pl.String, "place": pl.Int64, "chance": pl.Float64}
        schema |= {"exact": pl.String, "least": pl.Float64, "most": pl.Float64}
        return pl.DataFrame(rows, schema, orient="row")

    @property
    def scores(self) -> pl.DataFrame:
        """The distribution of initiative: a row per combatant and score.

        ``initiative`` is the score, ``label`` the same as text; where a round has halves instead, ``label`` alone names
        the half.
        """
        from combatkit.frames import pl

        rows = [
            (who, self._state.fighters[who].side, None if type(score) is str else score, str(score), float(c), str(c))
            for who, spread in score_chances(self.lots).items()
            for score, c in spread.items()
        ]
        schema = {"combatant": pl.String, "side": pl.String, "initiative": pl.Int64}
        schema |= {"label": pl.String, "chance": pl.Float64, "exact": pl.String}
        return pl.DataFrame(rows, schema, orient="row")

    def to_hit(self, name: str, action: str = "", /, **params: object) -> pl.DataFrame:
        """Return the chance of each attack roll of an action.

        Parameters
        ----------
        name : str
            Who attacks.
        action : str
            The action's id; the system's ordinary attack if none is given.
        **params
            Its parameters, as `Encounter.do` takes them; `target` names one or several.

        Returns
        -------
        polars.DataFrame
            A row per attack roll: ``combatant``, ``target``, ``attack`` (its number in the routine), ``notation``,
            ``needed``, ``chance``, ``exact``; the last three are null where nobody knows what is needed.

        Raises
        ------
        UnknownName, InvalidInput
            For what is not a question of rules: a name nobody has, an action that rolls no attack.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("phases", seed=7)
        >>> _ = enc.add("Mara", side="party", ocv=7), enc.add("Vex", side="cult", dcv=7)
        >>> enc.odds().to_hit("Mara", target="Vex").row(0)
        ('Mara', 'Vex', 1, '3d6+7', 17, 0.625, '5/8')
        """
        from combatkit.frames import pl

        rules, state = self._rules, self._state
        who = only_one(state, *as_names([name]))
        found = find_action(rules, state, action or _ordinary(rules, state))
        checked = check_params(rules, state, found, params)
        rows = []
        for target in as_names(checked.get("target", ())) or (None,):
            given = checked if target is None else {**checked, "target": [target]}
            asks = [
                a for a in rules.asks(Case(rules, state, state.fighters[who], found, given)) if a.purpose == "attack"
            ]
            for number, ask in enumerate(asks, 1):
                chance = hit_chance(ask)
                rows.append((who, target, number, rules.notation(ask.thrown), ask.needed, *_both(chance)))
        if not rows:
            raise InvalidInput(f"{found.title} of {who} asks for no attack roll: state what it attacks with")
        schema = {"combatant": pl.String, "target": pl.String, "attack": pl.Int64}
        schema |= {"notation": pl.String, "needed": pl.Int64, "chance": pl.Float64, "exact": pl.String}
        return pl.DataFrame(rows, schema, orient="row")

    def chart(self, of: str = "first") -> Shown:
        """Draw the odds, to be read in light and dark.

        Parameters
        ----------
        of : str
            ``"first"``, ``"places"`` or ``"scores"``.

        Returns
        -------
        altair chart
            The same for the same odds.

        Raises
        ------
        InvalidInput
            For another word.
        MissingExtra
            Without altair, which comes with the extra ``report``.
        """
        from combatkit.study.odds import charts

        draw = {"first": charts.first_chart, "places": charts.places_chart, "scores": charts.scores_chart}
        if of not in draw:
            raise InvalidInput(f"a chart is of {', '.join(map(repr, draw))}, not of {of!r}")
        return draw[of](self)

    def __repr__(self) -> str:
        """Say who is likely to act first."""
        firsts = sorted(((c.chance[0], who) for who, c in self.exact.items()), key=lambda each: -each[0])
        said = ", ".join([f"{who} {self._word(percent(chance))}" for chance, who in firsts[:_NAMED]])
        if len(firsts) > _NAMED:
            said += self._word(" and ") + self._word(f"{len(firsts) - _NAMED} more")
        return self._view._language.tell("<Odds: {id}, acts first: {chances}>", id=self._id, chances=said)

    def _repr_html_(self) -> str:
        return self.first._repr_html_()


_NAMED = 8


def percent(chance: Fraction) -> str:
    """Write a chance in per cent, to one decimal; never 0 or 100 unless it is.

    Examples
    --------
    >>> percent(Fraction(1, 3)), percent(Fraction(1, 10**6)), percent(Fraction(1))
    ('33.3 %', '< 0.1 %', '100 %')
    """
    if chance in (0, 1):
        return f"{100 * chance} %"
    if chance < Fraction(1, 2000):
        return "< 0.1 %"
    if chance > 1 - Fraction(1, 2000):
        return "> 99.9 %"
    return f"{float(100 * chance):.1f} %"


def _ordinary(rules: Ruleset, state: State) -> str:
    """Return the attack that needs no more than a target: the first that is tagged so."""
    attacks = [action for action in rules.chosen(state.options) if "attack" in action.tags]
    if not attacks:
        raise InvalidInput(f"{rules.id} has no attack; name the action")
    return next((action for action in attacks if "basic" in action.tags), attacks[0]).id


def _both(chance: Fraction | None) -> tuple[float | None, str | None]:
    return (None, None) if chance is None else (float(chance), str(chance))


def _moment(encounter: View, surprised: Iterable[str]) -> State:
    """Return the state initiative would be rolled in: as the fight is begun, if it has not been."""
    state = encounter._state
    unaware = check_known(state, surprised)
    if state.stage != "setup":
        if unaware:
            raise InvalidInput("the fight has begun, and its state says who is surprised; give no names")
        return state
    draft = Draft(encounter.ruleset, state, 1)
    draft.emit("begin", text=say("begin.begins", unaware=""), data={"surprised": list(unaware)})
    encounter.ruleset.surprise(draft, unaware)
    return draft.state
