"""Damage and healing on the ladder: what an amount would come to, and what the form offers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from combatkit.core.model import State, Window
from combatkit.errors import CombatkitError, InvalidInput, UnknownName
from combatkit.fight.commands import Command
from combatkit.fight.view import View
from combatkit.report.words import reason_parts
from combatkit.rules.checks import check_known
from combatkit.rules.draft import Draft
from combatkit.rules.mechanisms import Deal, deal_asks, deal_of, deal_out
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.vitals import DAMAGE, most_of
from combatkit.widgets._message import Answer, Message
from combatkit.widgets._tongue import language_at
from combatkit.widgets._tracker_view import condition_words, untils
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import Dealing

_MOST = 200
"""For how many the form says what the damage would come to; if more are ticked, for the first of them."""


_NUMBER = re.compile(r"\s*([0-9]{1,9})\s*%?\s*")
"""The number that a condition is typed with: "cover 60", "60% cover"."""

_SEVERAL = "2"
"""A number of rounds that the form offers: any other is typed like it."""


class AskDeal(Message, frozen=True, tag="deal"):
    """Ask what damage would come to for those who are ticked."""

    names: list[str]
    amount: int | str = ""
    vital: str | None = None
    half: tuple[str, ...] = ()

    def carry(self, vantage: Vantage) -> Answer:
        """Return it, with what the form offers."""
        return {"kind": "deal", **deal_answer(vantage, self)}


def deal_answer(vantage: Vantage, asked: AskDeal) -> Dealing:
    """Return what damage would leave each with, and what may be chosen; with dice, nobody knows it yet."""
    view = vantage.now
    rules, state = view.ruleset, view._state
    names = check_known(state, asked.names)
    vitals = [[each.name, each.title or each.name] for each in rules.vitals]
    vital = asked.vital or (vitals[0][0] if vitals else "")
    answer: Dealing = {
        "vitals": vitals,
        "vital": vital,
        "conditions": [*condition_words(vantage)],
        "kept": {each.id: {"modifiers": each.modifiers, "until": each.until or ""} for each in vantage.kept},
        "untils": [*untils(rules, language_at(vantage))],
        "rungs": {},
        "words": {},
        "why": [],
        "high": [],
    }
    if str(asked.amount).isdecimal() and (high := too_high(rules, state, names, vital, int(asked.amount))):
        answer["high"] = [high]
    left: dict[str, int | None] = {}
    words: dict[str, str] = {}
    if asked.amount != "" and names:
        try:
            few = names[:_MOST]
            half = [name for name in asked.half if name in few or name not in names]
            deal = deal_of(rules, state, DAMAGE, few, asked.amount, vital, half)
            left, words = ({}, {}) if deal_asks(rules, DAMAGE, asked.amount) else _outcome(view, deal)
        except CombatkitError as error:
            answer["why"] = reason_parts(view._wrong(error, bare=True), "")
    for name in names:
        fighter = state.fighters[name]
        full: object = most_of(rules, fighter, vital)
        answer["rungs"][name] = [fighter.vitals.get(vital), full if type(full) is int else None, left.get(name)]
    answer["words"] = words
    return answer


def as_meant(vantage: Vantage, message: Command) -> Command:
    """Return a call that sets a condition as the form means it: what it says in the fight's language is English again.

    One that gives neither numbers nor a time has those that the condition is kept with.
    """
    if message.call != "condition":
        return message
    meant: Command = replace(message, **_in_english(vantage, message))
    given: Any = meant
    if given.modifiers or given.until or given.off or given.value is not None:
        return meant
    kept = next((each for each in vantage.kept if each.id.casefold() == given.id.casefold()), None)
    return meant if kept is None else replace(meant, modifiers=kept.modifiers or None, until=kept.until)


def _in_english(vantage: Vantage, given: Any) -> dict[str, object]:
    """Return which condition is meant, and until when, by the words of the form, whichever case they are typed in."""
    meant = {said.casefold(): word for said, word in condition_words(vantage).items()}
    counted = {_bare(each): word for each, word in meant.items() if _NUMBER.search(each) and each != word.casefold()}
    typed, value = given.id.casefold(), given.value
    id, said = meant.get(typed, given.id), _NUMBER.search(typed)
    if said and _bare(typed) in counted:  # the number it is offered with stands for any
        id, value = counted[_bare(typed)], int(said[1]) if value is None else value
    spans = {said.casefold(): word for said, word in untils(vantage.now.ruleset, language_at(vantage)).items()}
    until = given.until
    if isinstance(until, str):
        number, _, unit = until.casefold().partition(" ")
        several = spans.get(f"{_SEVERAL} {unit}") if number.isdigit() else None
        until = several.replace(_SEVERAL, number) if several else spans.get(until.casefold(), until)
    return {"id": id, "value": value, "until": until or None}


def _bare(said: str) -> str:
    """Return what is said, without its number."""
    return _NUMBER.sub(" ", said).strip()


class SetTo(Message, frozen=True, tag="set"):
    """Set what is left of a vital, for one combatant or several; its maximum stays as it is."""

    names: list[str]
    amount: int
    vital: str | None = None

    def carry(self, vantage: Vantage) -> None:
        """Set it, in one step of undo."""
        fight = vantage.encounter
        rules, state = fight.ruleset, fight._state
        names, known = check_known(state, self.names), [each.name for each in rules.vitals]
        vital = known[0] if self.vital is None else self.vital
        if vital not in known:
            raise UnknownName.of("vital", vital, known, owner=rules.id)
        if high := too_high(rules, state, names, vital, self.amount):
            raise InvalidInput(high)
        fight.edit(names, **{vital: self.amount})


def too_high(rules: Ruleset, state: State, names: Sequence[str], vital: str, amount: int) -> str:
    """Say who can't have that much of a vital, and where that could be changed; nothing if everybody can.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("saga", seed=1)
    >>> _ = enc.add("Mara", side="rebels", hp=30), enc.add("Vex", side="empire")
    >>> too_high(enc.ruleset, enc._state, enc.names, "hp", 40)
    'Mara has at most 30 hit points. Their card can raise that.'
    >>> too_high(enc.ruleset, enc._state, enc.names, "hp", 30)
    ''
    """
    for name in names:
        full = most_of(rules, state.fighters[name], vital)
        if type(full) is int and amount > full:
            title = rules.stats[vital].title or vital
            return f"{name} has at most {full} {title.lower()}. Their card can raise that."
    return ""


def _outcome(view: View, deal: Deal) -> tuple[dict[str, int | None], dict[str, str]]:
    """Return what each would have left, and of those to whom more than a loss happens what that is; nothing is done."""
    before, draft = view._state, Draft(view.ruleset, view._state, len(view._events) + 1, by="gm")
    deal_out(draft, deal)
    opened = [each for each in draft.state.focus if type(each) is Window and each not in before.focus]
    told = {str(e.target): e.text for e in draft.events if e.kind == "effect"}
    ends = {}
    for name in deal.who:
        if any(bid.who == name and bid.must and not bid.answered for window in opened for bid in window.bids):
            ends[name] = "must answer"
        elif any(window.question and name in window.by for window in opened):
            ends[name] = "the GM decides"
        elif name in told:
            ends[name] = told[name]
        elif draft.rules.may_fall(draft.state, draft.state.fighters[name]) and not draft.rules.may_fall(
            before, before.fighters[name]
        ):
            ends[name] = "falls"
    return {name: draft.state.fighters[name].vitals.get(deal.vital) for name in deal.who}, ends
