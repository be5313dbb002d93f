"""What the D6 zone system shows besides the common parts."""

from __future__ import annotations

from collections.abc import Mapping

from combatkit.core.model import Place, State, sides_of
from combatkit.rules.case import Case
from combatkit.rules.presentation import Presentation, Sight
from combatkit.rules.shapes import RungExtras, Strip, Zone
from combatkit.systems.d6 import aid, ladder, places
from combatkit.systems.d6.arms import PENALTIES

_NUMBERS = ("no", "one", "two", "three", "four", "five")


class D6Presentation(Presentation):
    """Zones measured from whoever acts, how a score came about, what counts toward the Action limit."""

    struck_by = "defense"
    beside = ("defense",)

    def sight(self, state: State) -> Sight:
        """Return the zones, the actions taken within the Action limit, and the limit."""
        return Sight(tuple(self._strips(state)), self._headline(state))

    def _strips(self, state: State) -> list[Strip]:
        """Return the zones and who stands there, measured from whoever acts; none without positions."""
        turn = state.turn
        if turn is None or state.fighters[turn.who].position is None:
            return []
        here = state.fighters[turn.who]
        sides = sides_of(state.fighters)
        who: dict[str, list[list[int | str | bool]]] = {band: [] for band in PENALTIES}
        for fighter in sorted(state.fighters.values(), key=lambda f: f.name != here.name):
            stands = fighter is here or not self.rules.is_beaten(fighter)
            if fighter.position is not None and stands and not fighter.effect("left"):
                band = places.band_between(self.rules, state, here, fighter)
                who[band].append([sides[fighter.side], fighter.name, fighter.name == here.name, fighter.position])
        zones: list[Zone] = [
            {"title": band.capitalize(), "note": _penalty(dice), "here": not index, "who": who[band]}
            for index, (band, dice) in enumerate(PENALTIES.items())
        ]
        return [{"type": "zones", "label": f"Zones, measured from {here.name}", "zones": zones}]

    def named(self, case: Case, parameter: str, value: object) -> str:
        """Say what a way to pay for Never the Same costs, and that a move may stay within one's own zone."""
        if parameter == "to" and value == case.fighter.position:
            spot = case.fighter.position
            return f"within {spot}"
        if parameter != "attributes" or not isinstance(value, Mapping):
            return ""
        if len(value) == 1:
            return " ".join(f"{dice}D from {stat}" for stat, dice in value.items())
        return f"1D from each: {', '.join(value)}"

    def tells(self, case: Case) -> bool:
        """Check whether nobody has Help to add to the roll."""
        return not aid.helpers(case.state, case.fighter.name)

    def rung_extras(self, state: State, place: Place) -> RungExtras:
        """Say how a score came about."""
        parts = ladder.told(place)
        return {"sub": [parts]} if parts else {}

    def _headline(self, state: State) -> str:
        """Say what has been taken, and what the limit is."""
        turn = state.turn
        pools = state.fighters[turn.who].pools if turn is not None else {}
        if "cap" not in pools:
            return ""
        cap = pools["cap"].total
        taken = []
        for slot, title in (("action", "Action"), ("free", "Free Action")):
            spent = pools[slot].total - pools[slot].left
            if spent:
                taken.append(f"{_number(spent)} {title}{'' if spent == 1 else 's'} taken")
        return "; ".join([*([" and ".join(taken)] if taken else []), f"at most {_number(cap)} Actions"])


def _number(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _penalty(dice: int) -> str:
    return f"ranged \N{MINUS SIGN}{-dice}D" if dice else "no penalty"
