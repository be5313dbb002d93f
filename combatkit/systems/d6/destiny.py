"""Destiny dice: rolled with another roll, and what they bring."""

from __future__ import annotations

from collections.abc import Mapping

from combatkit.core.dice import Dice
from combatkit.core.faces import Rolled
from combatkit.core.model import Act, State
from combatkit.errors import UnknownName
from combatkit.rules.draft import Draft
from combatkit.rules.mechanisms import roll_data
from combatkit.text import Title, say

MOMENTUM = "gain_momentum"


def throw(draft: Draft, dice: int, sides: int, *keys: str) -> Rolled:
    """Roll dice, or none if there are none to roll."""
    return draft.throw(dice, sides, *keys) if dice else Rolled((), "seeded", 0)


def by_hand(draft: Draft, dice: int, sides: int, *keys: str) -> Rolled | None:
    """Return dice that were rolled at the table; None if there are none, without asking the seed."""
    given = draft.faces.take((sides,) * dice, *keys) if dice else None
    return None if given is None else Rolled(given, "table", 0)


def check_destiny(state: State, params: Mapping[str, object]) -> None:
    """Check a destiny that was given: Gain Momentum, or one from the table.

    Raises
    ------
    UnknownName
        If there is no such effect.
    """
    given = params.get("destiny", MOMENTUM)
    if given not in destinies(state):
        raise UnknownName.of("destiny", given, destinies(state))


def destinies(state: State) -> tuple[str, ...]:
    """Return what a destiny die can bring."""
    rows = state.tables.get("destiny", ())
    return tuple(dict.fromkeys([MOMENTUM, *(row.get("effect", row["id"]) for row in rows)]))


def throw_destiny(draft: Draft, act: Act, *, of_table: bool = False) -> str | None:
    """Roll the destiny die if a table says which numbers bring what; if not, take only one rolled at the table."""
    rows = draft.state.tables.get("destiny")
    if not rows:
        return None
    rolled = by_hand(draft, 1, 20, "destiny") if of_table else draft.throw(1, 20, "destiny")
    if rolled is None:
        return None
    effect = next((str(r.get("effect", r["id"])) for r in rows if rolled.sum in r["faces"]), None)
    data = {**roll_data("destiny", Dice(1, 20), rolled, rolled.sum), "outcome": effect}
    text = say("destiny.rolls", total=rolled.sum, effect=Title((effect or "").replace("_", " ")))
    draft.emit("roll", act.who, act.action, amount=rolled.sum, text=text, data=data)
    return effect


def gain(draft: Draft, who: str, destiny: str | None) -> None:
    """Gain Momentum: one more Action this turn, and the cap goes up by one."""
    turn = draft.state.turn
    if destiny != MOMENTUM or turn is None or turn.who != who:
        return  # a held action's: on another's turn there is no cap to lift
    data: dict[str, object] = {"pools": {}, "raised": {who: {"action": 1, "cap": 1}}, "at": "momentum"}
    draft.emit("refresh", who, text=say("destiny.momentum"), rules=("d6.turn.cap-momentum",), data=data)
