"""What the action-point system shows besides the common parts."""

from __future__ import annotations

from combatkit.core.model import Place, State
from combatkit.rules.presentation import Presentation, Sight
from combatkit.rules.shapes import Parts, RungExtras


class ActionPointsPresentation(Presentation):
    """Points as pips, those spent off turn hatched; a result without a die."""

    strikes_with, struck_by = "attack_bonus", "defense"
    beside = ("defense",)

    under_way = "{done} of {total} AP paid; pay the rest on later turns"
    under_way_rule = "ap.extended.span"

    def rung_extras(self, state: State, place: Place) -> RungExtras:
        """Points left, hatched where spent off turn; how many were spent off turn; a result without a die."""
        fighter = state.fighters[place.who]
        pool = fighter.pools.get("ap")
        extras: RungExtras = {}
        sub: list[Parts] = []
        if pool is not None and self.rules.able(fighter):
            spent = self.rules.spent_off_turn(state, fighter, "ap")
            extras["pips"] = {"total": pool.total, "left": pool.left, "off": spent, "text": f"{pool.left} AP"}
            if spent:
                action = self.rules.catalogue(state).get(fighter.pools["off"].action)
                title = action.title if action is not None else "points"
                said = f"{title} off turn, 1 AP" if spent == 1 else f"{spent} AP off turn, {title} last"
                sub.append([f"{said} ", {"rule": "ap.react.needs-ap"}])
        if place.facts.get("no_die"):
            only = "; reactions only" if fighter.effect("surprised") is not None else ""
            sub.append([f"no die: Rating {place.score} alone{only} ", {"rule": "ap.surprise.no-die"}])
        if sub:
            extras["sub"] = sub
        return extras

    def sight(self, state: State) -> Sight:
        """Say what is spent of the turn's points, and that reactions draw on the rest."""
        turn = state.turn
        if turn is None:
            return Sight()
        fighter = state.fighters[turn.who]
        if fighter.effect("surprised") is not None:
            return Sight(headline="surprised: reactions only until this turn is over")
        pool = fighter.pools["ap"]
        return Sight(headline=f"{pool.total - pool.left} of {pool.total} AP spent; reactions draw on what is left")
