"""What the ladder shows before initiative is rolled: everybody's exact chance to act first."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from combatkit.core.model import State
from combatkit.rules.draw import GIVEN, Draw
from combatkit.rules.ruleset import Ruleset
from combatkit.study.odds.order import Chances, place_chances
from combatkit.study.odds.table import percent
from combatkit.widgets._tokens import initials
from combatkit.widgets.shapes import LadderView, Row

SCORE = "chance to act first"
"""The heading over the scores while they are chances."""

_MEANS = f"{SCORE} · how often of 100 times somebody is the first of all, alone or with others at the same time"
"""What the heading means: the score of the first in a group is that of its dice, and the next has none."""

_MOST = 60
"""In a larger crowd a chance says little, and the ladder does without."""


def _is_open(state: State) -> bool:
    if state.stage == "setup":
        return bool(state.fighters)
    return state.stage == "running" and bool(state.agenda) and all(place.score is None for place in state.agenda)


def _by_groups(lots: Draw) -> bool:
    """Check whether several share a die: whether somebody is the first of all says little of when their group acts."""
    return len({lot.unit for lot in lots.lots}) < len(lots.lots)


@lru_cache(maxsize=8)
def _chances(lots: Draw) -> Mapping[str, Chances]:
    """Return everybody's chances of the first place, worked out once: a view is made after every call."""
    return place_chances(lots, first=True)


def foretold(view: LadderView, rules: Ruleset, state: State, sides: Mapping[str, int]) -> LadderView:
    """Return a ladder's view with chances for scores: a rung each before the fight begins, the likeliest on top.

    Once the dice have fallen, where no chance is known or groups roll together, it is the view as it was.
    """
    lots = rules.lots(state) if _is_open(state) and len(state.fighters) <= _MOST else None
    if lots is None or all(lot.out for lot in lots.lots) or _by_groups(lots):
        return view
    try:
        chances = _chances(lots)
    except TypeError:  # a system of somebody's own may name rules in a list
        chances = place_chances(lots, first=True)
    if state.stage == "setup":
        likely = sorted(state.fighters, key=lambda who: -chances[who].chance[0] if who in chances else 1)
        rows = {str(state.fighters[who].number): _rung(state, who, sides) for who in likely}
    else:
        rows = dict(view["rows"])
    for id, row in rows.items():
        if row["name"] in chances:
            rows[id] = _with_chance(row, lots, state, chances[row["name"]])
    order = list(rows) if state.stage == "setup" else view["order"]
    return {**view, "score": _MEANS, "note": SCORE, "order": order, "rows": rows}


def _rung(state: State, who: str, sides: Mapping[str, int]) -> Row:
    """Return the rung of a combatant who has no place yet, with their chance if there is one."""
    side = state.fighters[who].side
    label = [f"{who}, cannot act, {side}, ", ""]
    return {
        "name": who,
        "side": sides[side],
        "initials": initials(who),
        "score": "",
        "status": "out",
        "tie": "",
        "label": label,
    }


def _with_chance(row: Row, lots: Draw, state: State, chances: Chances) -> Row:
    chance, least, most = (each[0] for each in chances)
    label = [f"{row['name']}, {percent(chance)} to act first, {state.fighters[row['name']].side}, ", row["label"][1]]
    status = "waits" if state.stage == "setup" else row["status"]
    told: Row = {**row, "score": _short(chance), "status": status, "label": label}
    if least < most and lots.ties == GIVEN:
        words = f"{percent(least)} to {percent(most)}, as ties are chosen"
        told["sub"] = [[f"{words} ", {"rule": lots.tie_rule}] if lots.tie_rule else [words], *row.get("sub", ())]
        label[1] = f"; {words}{label[1]}"
    return told


def _short(chance: Fraction) -> str:
    """Write a chance as a whole percentage."""
    if 0 < chance < Fraction(1, 200):
        return "<1%"
    if Fraction(199, 200) < chance < 1:
        return ">99%"
    return f"{round(100 * chance)}%"
