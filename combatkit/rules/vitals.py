"""Vitals by the GM's word: what somebody loses and gets back, and in which words the log has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from combatkit.errors import InvalidInput
from combatkit.text import Title, say

if TYPE_CHECKING:
    from combatkit.rules.draft import Draft


class Change(NamedTuple):
    """In what way the GM changes a vital: its word, the kind of its event, what a loss and a gain are told as.

    Where somebody takes only half, `whole` is what the others take.
    """

    word: str
    kind: str
    loses: str
    gains: str
    whole: int | None = None


ADJUST = Change("adjust", "vital", "vital.loses", "vital.gains")
"""A number that is set down, whatever it is for."""

DAMAGE = Change("damage", "damage", "vital.takes", "vital.heals")
"""Harm: sums of damage taken count it."""

HEAL = Change("heal", "vital", "vital.takes", "vital.heals")
"""What is healed."""


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
        If something is healed that nobody has stated.
    """
    fighter = draft.fighter(name)
    held, top = fighter.vitals.get(vital), fighter.stats.get(vital)
    if held is None and change.word != ADJUST.word:
        if change.word == HEAL.word:
            raise InvalidInput(f"heal: nobody has said how much {vital} {name} has; say so with edit first")
        log_change(draft, name, vital, None, change, lost=-by)  # of what nobody has stated there is no rest
        return
    old = held or 0
    left = old + by if top is None or by <= 0 else max(old, min(old + by, top))
    lost = -by if by < 0 or change.kind == DAMAGE.kind else None
    log_change(draft, name, vital, left, change, lost=lost, full=by > 0 and left == old)


def log_change(
    draft: Draft,
    name: str,
    vital: str,
    left: int | None,
    change: Change,
    *,
    lost: int | None = None,
    full: bool = False,
    rules: tuple[str, ...] = (),
) -> None:
    """Log what a vital comes to by the GM's word.

    What is `lost` may be more than there was; it is None of a gain. One that is `full` already has gained nothing.
    """
    by = (left or 0) - (draft.fighter(name).vitals.get(vital) or 0)
    amount, named = by if lost is None else lost, Title(vital.replace("_", " "))
    if change.word != ADJUST.word and vital == draft.rules.vitals[0].name and not full:
        named = Title("")  # what is harmed and healed, where nobody says otherwise
    template = "vital.full" if full else change.gains if lost is None else change.loses
    text = say(template, of=vital, amount=amount, vital=named, left=left, whole=change.whole)
    data: dict[str, object] = {} if left is None else {"vital": vital, "left": left}
    if change.kind == DAMAGE.kind:
        data |= {"rolled": amount if change.whole is None else change.whole, "armor": 0}
        by = amount
    draft.emit(change.kind, None, None, name, by, text, rules, by="gm", data=data)
