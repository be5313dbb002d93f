"""Vitals that change, mostly by the GM's word: what somebody loses and gets back, and in which words the log has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from combatkit.errors import InvalidInput
from combatkit.rules.moments import Harmed
from combatkit.text import Title, say

if TYPE_CHECKING:
    from combatkit.core.model import Fighter
    from combatkit.rules.draft import Draft
    from combatkit.rules.ruleset import Ruleset


class Change(NamedTuple):
    """In what way a vital changes: its word, the kind of its event, what a loss and a gain are told as.

    Where somebody takes only half, `whole` is what the others take. It is `by` the GM, or by the rules. Whose blow it
    comes of, and by which action, is said by `actor` and `action`.
    """

    word: str
    kind: str
    loses: str
    gains: str
    whole: int | None = None
    by: str = "gm"
    rules: tuple[str, ...] = ()
    actor: str | None = None
    action: str | None = None


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
    held, top = fighter.vitals.get(vital), most_of(draft.rules, fighter, vital)
    first = buffered(fighter, -by) if vital == draft.rules.vitals[0].name else 0
    if held is None and change.word != ADJUST.word:
        if change.word == HEAL.word:
            title = draft.rules.stats[vital].title
            raise InvalidInput(f"heal: {name}'s sheet has no {title}; edit the sheet first")
        # of what nobody has stated there is no rest
        log_change(draft, name, change, Outcome(vital, None, -by), change.rules, first)
        return
    old = held or 0
    left = old + by + first if top is None or by <= 0 else max(old, min(old + by, top))
    if vital == TEMPORARY:
        left = max(0, left)
    lost = -by if by < 0 or change.kind == DAMAGE.kind else None
    log_change(draft, name, change, Outcome(vital, left, lost, full=by > 0 and left == old), change.rules, first)


TEMPORARY = "temporary"
"""What temporary points are called beside the vitals."""


def buffered(fighter: Fighter, lost: int) -> int:
    """Return how much of a loss somebody's temporary points take, before anything comes off the vital."""
    return min(fighter.vitals.get(TEMPORARY) or 0, max(0, lost))


def give_temporary(draft: Draft, name: str, amount: int) -> None:
    """Give somebody temporary points by the GM's word; of those there are and those given the greater counts."""
    old = draft.state.fighters[name].vitals.get(TEMPORARY) or 0
    left = max(old, amount)
    text = say("vital.temporary" if left > old else "vital.keeps", left=left, amount=amount)
    draft.emit("vital", None, None, name, left - old, text, by="gm", data={"vital": TEMPORARY, "left": left})


def most_of(rules: Ruleset, fighter: Fighter, vital: str) -> int | None:
    """Return the most somebody can have of a vital; None where nobody has stated it."""
    stat = rules.stats.get(vital)
    most: int | None = fighter.stats.get(stat.most or vital) if stat is not None else None
    return most


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


def log_change(
    draft: Draft, name: str, change: Change, outcome: Outcome, rules: tuple[str, ...] = (), temporary: int = 0
) -> None:
    """Log what a vital comes to; what is lost was so much `temporary` points."""
    vital, left, lost, full, dealt = outcome
    fighter = draft.state.fighters[name]
    before, by = first_vital(draft.rules, fighter), (left or 0) - (fighter.vitals.get(vital) or 0)
    amount, named = by if lost is None else lost, Title(vital.replace("_", " "))
    template = "vital.full" if full else change.gains if lost is None else change.loses
    harm = dealt if change.kind == DAMAGE.kind else 0  # of what a slip takes off nothing but the loss is told
    if not (by or amount or harm or temporary or full):
        template = "vital.unhurt" if change.kind == DAMAGE.kind else "vital.same"
    usual = change.word != ADJUST.word and vital == draft.rules.vitals[0].name
    if usual and template not in ("vital.full", "vital.same"):
        named = Title("")  # what is harmed and healed, where nobody says otherwise
    data: dict[str, object] = {} if left is None else {"vital": vital, "left": left}
    told = amount
    if change.kind == DAMAGE.kind:
        told, by = amount if dealt is None else dealt, amount - temporary
        data |= {"rolled": told if change.whole is None else change.whole, "armor": 0}
        if told != amount:
            data["dealt"] = told
    if temporary:
        data[TEMPORARY] = temporary
    taken = temporary or None
    text = say(template, of=vital, amount=told, vital=named, temporary=taken, whole=change.whole, **rest_of(left))
    draft.emit(change.kind, change.actor, change.action, name, by, text, rules, change.by, data)
    fall_or_rise(draft, name, before)
    if change.kind == DAMAGE.kind:
        draft.rules.follows(draft, Harmed(name, told))


def rest_of(left: int | None) -> dict[str, Any]:
    """Return how what is left of a vital is told: as what is `left`, or as how far `below` 0 it is."""
    return {"left": left} if left is None or left >= 0 else {"below": left}


DEAD = "dead"

DOWN, DOWN_AT_ZERO = "down", "down_at_zero"
"""The condition of those who have nothing left where the text is silent, and the option that brings it."""


def first_vital(rules: Ruleset, fighter: Fighter) -> int | None:
    """Return what somebody has left of the vital that takes damage; None if nobody has stated it."""
    vitals = rules.vitals
    return fighter.vitals.get(vitals[0].name) if vitals else None


def fall_or_rise(draft: Draft, name: str, before: int | None) -> None:
    """Let somebody fall whose first vital has come to 0, or further below, and get up who has more than 0 again.

    `before` is what they had, if anybody had stated it. Whom the GM has let up stays up until they lose more. Whose
    vital is no longer counted isn't down for want of it.
    """
    rules = draft.rules
    left = first_vital(rules, draft.state.fighters[name])
    if left is not None and left <= 0:
        if before is None or left < before:
            rules.falls(draft, name)
    elif before is not None and before <= 0:
        rules.rises(draft, name)
