"""Damage and healing by the GM's word: who, how much, of which vital, and who takes half."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from combatkit.core.dice import DICE, parse_dice
from combatkit.core.model import State
from combatkit.core.plain import short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.case import Ask
from combatkit.rules.checks import check_known, check_some
from combatkit.rules.mechanisms import amount_of
from combatkit.rules.vitals import DAMAGE, HEAL, Change

if TYPE_CHECKING:
    from combatkit.rules.draft import Draft
    from combatkit.rules.ruleset import Ruleset

CHANGES = {change.word: change for change in (DAMAGE, HEAL)}
"""The ways an amount is dealt out, by the call's name."""


class Deal(NamedTuple):
    """An amount dealt out to some combatants, in full or by half."""

    change: Change
    who: tuple[str, ...]
    amount: int | str
    vital: str
    half: tuple[str, ...]


def deal_of(
    rules: Ruleset, state: State, change: Change, names: object, amount: object, vital: str | None, half: object
) -> Deal:
    """Check what a call deals out, and return it; if no vital is named, the ruleset's first is meant.

    Raises
    ------
    UnknownName
        For an unknown combatant or vital.
    InvalidInput
        For an amount that is neither a number nor dice, or somebody who takes half and is not named.
    """
    amount = rules.as_dice(amount)
    call = change.word
    who, halved = check_some(state, names, call), check_known(state, half)
    if others := [name for name in halved if name not in who]:
        raise InvalidInput(f"{call}: half is {short(others[0])}, who is not among those named; name them there too")
    vitals = [each.name for each in rules.vitals]
    meant = vitals[0] if vital is None and vitals else vital
    if meant not in vitals:
        raise UnknownName.of(f"vital of {rules.id}", meant, vitals)
    if not rules.takes_dice(amount):
        raise InvalidInput(f"{call}: amount is {short(amount)}; give {DICE}")
    return Deal(change, who, amount, meant, halved)


def deal_out(draft: Draft, deal: Deal) -> None:
    """Deal an amount out; dice are rolled once for everybody."""
    whole = amount_of(draft, deal.amount, deal.change)
    for name in deal.who:
        part, told = (whole // 2, deal.change._replace(whole=whole)) if name in deal.half else (whole, deal.change)
        draft.rules.adjust(draft, name, deal.vital, part if deal.change is HEAL else -part, told)


def deal_asks(rules: Ruleset, change: Change, amount: object) -> tuple[Ask, ...]:
    """Return the roll for an amount that is dealt out; none for a plain number."""
    amount = rules.as_dice(amount)
    dice = parse_dice(amount) if isinstance(amount, str) and rules.takes_dice(amount) else None
    return (Ask.of(change.word, dice),) if dice is not None and dice.each else ()
