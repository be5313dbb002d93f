"""Vitals that change, mostly by the GM's word: what somebody loses and gets back, and in which words the log has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from combatkit.errors import InvalidInput
from combatkit.text import Title, say

if TYPE_CHECKING:
    from combatkit.rules.draft import Draft


class Change(NamedTuple):
    """In what way a vital changes: its word, the kind of its event, what a loss and a gain are told as.

    Where somebody takes only half, `whole` is what the others take. It is `by` the GM, or by the rules.
    """

    word: str
    kind: str
    loses: str
    gains: str
    whole: int | None = None
    by: str = "gm"
    rules: tuple[str, ...] = ()


ADJUST = Change("adjust", "vital", "vital.loses", "vital.gains")
"""A number the GM notes, whatever it is for."""

DAMAGE = Change("damage", "damage", "vital.takes", "vital.heals")
"""Damage: totals of damage taken count it."""

HEAL = Change("heal", "vital", "vital.takes", "vital.heals")
"""Healing."""


def by_rules(*rules: str) -> Change:
    """Return the way in which rules take from a vital or give to it."""
    return ADJUST._replace(by="rules", rules=rules)


def change_vital(draft: Draft, name: str, vital: str, by: int, change: Change = ADJUST) -> None:
    """Take from a vital or give to it; what is given stops at the maximum that was stated.

    Parameters
    ----------
    draft : Draft
        The call under way.
    name : str
        Whose vital it is.
    vital : str
        Which.
    by : int
        How much, negative for a loss.
    change : Change
        In what way.

    Raises
    ------
    InvalidInput
        If nobody has stated what is healed.
    """
    fighter = draft.state.fighters[name]
    held, top = fighter.vitals.get(vital), fighter.stats.get(vital)
    if held is None and change.word != ADJUST.word:
        if change.word == HEAL.word:
            raise InvalidInput(f"heal: nobody has said how much {vital} {name} has; say so with edit first")
        log_change(
            draft, name, change, Outcome(vital, None, -by), change.rules
        )  # of what nobody has stated there is no rest
        return
    old = held or 0
    left = old + by if top is None or by <= 0 else max(old, min(old + by, top))
    lost = -by if by < 0 or change.kind == DAMAGE.kind else None
    log_change(draft, name, change, Outcome(vital, left, lost, full=by > 0 and left == old), change.rules)


class Outcome(NamedTuple):
    """What a vital comes to: what is `left`, None if nobody has stated it.

    What is `lost` is None for a gain; `dealt` is the whole harm where a vital that stops at 0 has lost less. A vital
    that was already `full` gains nothing.
    """

    vital: str
    left: int | None
    lost: int | None
    full: bool = False
    dealt: int | None = None


def log_change(draft: Draft, name: str, change: Change, outcome: Outcome, rules: tuple[str, ...] = ()) -> None:
    """Log what a vital comes to."""
    vital, left, lost, full, dealt = outcome
    by = (left or 0) - (draft.state.fighters[name].vitals.get(vital) or 0)
    amount, named = by if lost is None else lost, Title(vital.replace("_", " "))
    if change.word != ADJUST.word and vital == draft.rules.vitals[0].name and not full:
        named = Title("")  # what is harmed and healed, where nobody says otherwise
    template = "vital.full" if full else change.gains if lost is None else change.loses
    data: dict[str, object] = {} if left is None else {"vital": vital, "left": left}
    told = amount
    if change.kind == DAMAGE.kind:
        told, by = amount if dealt is None else dealt, amount
        data |= {"rolled": told if change.whole is None else change.whole, "armor": 0}
    text = say(template, of=vital, amount=told, vital=named, left=left, whole=change.whole)
    draft.emit(change.kind, None, None, name, by, text, rules, change.by, data)
