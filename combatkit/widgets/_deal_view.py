"""Damage and healing on the ladder: what an amount would come to, and what the form offers."""

from __future__ import annotations

from typing import Any

from combatkit.errors import CombatkitError
from combatkit.fight.view import View
from combatkit.report.words import reason_parts
from combatkit.rules.checks import check_known
from combatkit.rules.dealing import Deal, deal_asks, deal_of, deal_out
from combatkit.rules.draft import Draft
from combatkit.rules.vitals import DAMAGE
from combatkit.widgets._message import Answer, Message
from combatkit.widgets._seat import Seat
from combatkit.widgets._tracker_view import UNTILS
from combatkit.widgets.shapes import Dealing

_MOST = 200
"""Of so many it is said what the damage would come to; of more ticked, of the first."""


class AskDeal(Message, frozen=True, tag="deal"):
    """Ask what damage would come to, of those who are ticked."""

    names: list[str]
    amount: int | str = ""
    vital: str | None = None
    half: tuple[str, ...] = ()

    def carry(self, seat: Seat) -> Answer:
        """Return it, with what the form offers."""
        return {"kind": "deal", **deal_answer(seat, self)}


def deal_answer(seat: Seat, asked: AskDeal) -> Dealing:
    """Return what damage would leave of each, and what may be chosen; of dice nobody knows it yet."""
    view = seat.now
    rules, state = view.ruleset, view._state
    names = check_known(state, asked.names)
    vitals = [[each.name, each.title or each.name] for each in rules.vitals]
    vital = asked.vital or (vitals[0][0] if vitals else "")
    answer: Dealing = {
        "vitals": vitals,
        "vital": vital,
        "conditions": [each.id for each in rules.conditions if each.offered],
        "untils": list(UNTILS),
        "rungs": {},
        "why": [],
    }
    left: dict[str, int | None] = {}
    if asked.amount != "" and names:
        try:
            few = names[:_MOST]
            half = [name for name in asked.half if name in few or name not in names]
            deal = deal_of(rules, state, DAMAGE, few, asked.amount, vital, half)
            left = {} if deal_asks(DAMAGE, asked.amount) else _left(view, deal)
        except CombatkitError as error:
            answer["why"] = reason_parts(str(error).partition(": ")[2] or str(error), "")
    for name in names:
        fighter = state.fighters[name]
        full: Any = fighter.stats.get(vital)
        answer["rungs"][name] = [fighter.vitals.get(vital), full if type(full) is int else None, left.get(name)]
    return answer


def _left(view: View, deal: Deal) -> dict[str, int | None]:
    """Return what would be left of each, without any of it being done."""
    draft = Draft(view.ruleset, view._state, len(view._events) + 1, by="gm")
    deal_out(draft, deal)
    return {name: draft.fighter(name).vitals.get(deal.vital) for name in deal.who}
