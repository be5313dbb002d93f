"""The card of a combatant as plain data: vitals, stats, weapons, conditions, what they have left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combatkit.core.limits import ANSWER
from combatkit.core.model import Effect, Fighter
from combatkit.fight.view import View
from combatkit.report.words import condition_word, said_value
from combatkit.rules.catalogue import Stat
from combatkit.rules.checks import say_anchor
from combatkit.rules.ruleset import Ruleset
from combatkit.widgets._fit import cut, first
from combatkit.widgets._message import Answer, Message
from combatkit.widgets._seat import Seat
from combatkit.widgets._setup_view import is_typed, plain_value, shown_stat
from combatkit.widgets.shapes import Card, CardWeapons, Held

_PART = ANSWER // 5
"""So many bytes stats and conditions take at most, each; weapons are one stat, which has a limit of its own."""

_LINE = 400
"""So many characters a stat has that can only be read."""


class AskCard(Message, frozen=True, tag="card"):
    """Ask for the card of a combatant."""

    name: str

    def carry(self, seat: Seat) -> Answer:
        """Return it."""
        return {"kind": "card", **card_view(seat, self.name)}


def card_view(seat: Seat, name: str) -> Card:
    """Return somebody's card."""
    view: View = seat.now
    rules, fighter = view.ruleset, view._fighter(name)
    typed = [stat for stat in rules.stats if is_typed(stat) and not _is_deep(fighter.stats.get(stat.id))]
    held = {stat.id: _held(view, fighter, stat) for stat in typed}
    fitting = dict(first(((id, value) for id, value in held.items() if value is not None), _PART))
    card: Card = {
        "name": name,
        "side": fighter.side,
        "npc": fighter.npc,
        "stats": [shown_stat(stat) for stat in typed if held[stat.id] is None or stat.id in fitting],
        "has": fitting,
        "lines": _lines(rules, fighter),
        "conditions": first((_condition(fighter, effect) for effect in fighter.effects), _PART),
        "left": _left(view, name),
    }
    weapons = next((stat for stat in rules.stats if stat.id == "weapons" and stat.parts), None)
    if weapons is not None:
        card["weapons"] = _weapons(weapons, fighter)
    return card


def _held(view: View, fighter: Fighter, stat: Stat) -> Any:
    """Return what somebody has in a stat, None where it is as usual; of a vital what is left now."""
    value = plain_value(fighter.stats.get(stat.id, stat.default))
    if stat.vital and view._state.stage != "setup":
        return fighter.vitals.get(stat.id)
    return None if value == plain_value(stat.default) else value


def _lines(rules: Ruleset, fighter: Fighter) -> list[list[str]]:
    """Return the stats that can only be read: mappings, and lists of them."""
    found = []
    for stat in rules.stats:
        value = fighter.stats.get(stat.id)
        if (
            (is_typed(stat) and not _is_deep(value))
            or (stat.id == "weapons" and stat.parts)
            or value in (None, (), stat.default)
        ):
            continue
        title = (stat.title or stat.id.replace("_", " ").capitalize()).partition(":")[0].partition(",")[0]
        found.append([title, cut(_said(value), _LINE)])
    return found


def _is_deep(value: Any) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, tuple) and any(isinstance(each, Mapping) for each in value))


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{str(key).replace('_', ' ')} {_said(each)}" for key, each in value.items())
    if isinstance(value, (tuple, list)):
        return "; ".join(_said(each) for each in value)
    return str(value)


def _weapons(stat: Stat, fighter: Fighter) -> CardWeapons:
    parts = [[part.id, part.title or part.id.capitalize(), part.type] for part in stat.parts]
    return {"parts": parts, "rows": [dict(row) for row in fighter.stats.get("weapons") or ()]}


def _condition(fighter: Fighter, effect: Effect) -> Held:
    value = effect.value.get("id") if isinstance(effect.value, dict) else effect.value
    return {
        "id": effect.id,
        "word": condition_word(effect.id) + said_value(value),
        "until": say_anchor(fighter.name, effect.anchor) or "",
    }


def _left(view: View, name: str) -> str:
    """Return what is left of a budget, in words; nothing before the fight."""
    if view._state.stage == "setup":
        return ""
    slots = [slot for slot in view.budget(name) if slot.unlimited or slot.total]
    return ", ".join(f"{slot.title} {'any' if slot.unlimited else f'{slot.left} of {slot.total}'}" for slot in slots)
