"""The card of a combatant as plain data: vitals, stats, weapons, conditions, what they have left."""

from __future__ import annotations

from collections.abc import Mapping

from combatkit.core.model import Effect, Fighter, Place
from combatkit.fight.view import View
from combatkit.report.shapes import Held
from combatkit.rules.catalogue import Stat
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.sheet import MOST
from combatkit.rules.typed import parts_of, rows_in_boxes, said_plain
from combatkit.rules.vitals import TEMPORARY
from combatkit.widgets._budget_view import slots_of
from combatkit.widgets._fit import LINE, PART, cut, first
from combatkit.widgets._ladder_view import held
from combatkit.widgets._message import Answer, Message
from combatkit.widgets._setup_view import is_typed, shown_stat, typed_apart
from combatkit.widgets._tongue import as_typed
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import Card
from combatkit.widgets.shapes import Stat as ShownStat


class AskCard(Message, frozen=True, tag="card"):
    """Ask for the card of a combatant."""

    name: str

    def carry(self, vantage: Vantage) -> Answer:
        """Return it."""
        return {"kind": "card", **card_view(vantage, self.name)}


def card_view(vantage: Vantage, name: str) -> Card:
    """Return somebody's card."""
    view: View = vantage.now
    rules, fighter = view.ruleset, view._fighter(name)
    typed = [stat for stat in rules.stats if _fits_a_box(stat, fighter)]
    kept = {stat.id: _kept(view, fighter, stat) for stat in typed}
    fitting = {stat.id: rows for stat in typed if parts_of(stat) and (rows := kept[stat.id]) is not None}
    rest = ((id, value) for id, value in kept.items() if value is not None and id not in fitting)
    fitting |= dict(first(rest, PART))
    place = view._state.place_of(name)
    told = [e for e in fighter.effects if not (vantage.players and rules.keeps(view._state, e.id))]
    return {
        "name": name,
        "side": fighter.side,
        "npc": fighter.npc,
        "stats": [
            each
            for stat in typed
            if kept[stat.id] is None or stat.id in fitting
            for each in _boxes(view, fighter, shown_stat(stat, rules))
        ],
        "has": fitting | {f"{stat.id}{MOST}": most for stat in rules.vitals if (most := _most(view, fighter, stat.id))},
        "lines": _lines(rules, fighter, place),
        "conditions": first((_condition(vantage, fighter, effect, place) for effect in told), PART),
        "left": [] if view._state.stage == "setup" else slots_of(view, fighter),
    }


def _kept(view: View, fighter: Fighter, stat: Stat) -> object:
    """Return what somebody has in a stat, None where it is the default; for a vital, what is left now."""
    if stat.vital and view._state.stage != "setup":
        return fighter.vitals.get(stat.id)
    return typed_apart(stat, fighter)


def _most(view: View, fighter: Fighter, vital: str) -> int | None:
    """Return the most somebody can have of a vital that is kept; none before the fight, when it is what they have."""
    most = None if view._state.stage == "setup" else fighter.stats.get(vital)
    return most if type(most) is int and fighter.vitals.get(vital) is not None else None


def _boxes(view: View, fighter: Fighter, stat: ShownStat) -> list[ShownStat]:
    """Return the boxes of a stat: in a fight a vital has one for what is left, and one for the most there can be."""
    if _most(view, fighter, stat["id"]) is None:
        return [stat]
    title = stat["title"]
    return [{**stat, "title": f"{title} now"}, {**stat, "id": f"{stat['id']}{MOST}", "title": f"{title} at most"}]


def _lines(rules: Ruleset, fighter: Fighter, place: Place | None) -> list[list[str]]:
    """Return what can only be read: why somebody is where they are, temporary points, stats that can't be typed."""
    found = [["Place in the order", cut(place.why, LINE)]] if place is not None and place.why else []
    if left := fighter.vitals.get(TEMPORARY):
        found.append(["Temporary points", str(left)])
    for stat in rules.stats:
        value = fighter.stats.get(stat.id)
        if _fits_a_box(stat, fighter) or value in (None, (), stat.default):
            continue
        title = (stat.title or stat.id.replace("_", " ").capitalize()).partition(":")[0].partition(",")[0]
        found.append([title, cut(said_plain(value), LINE)])
    return found


def _fits_a_box(stat: Stat, fighter: Fighter) -> bool:
    """Check whether what somebody has of a stat can be typed into a box, or weapons into several."""
    value = fighter.stats.get(stat.id)
    if not is_typed(stat):
        return False
    return not _is_deep(value) if not parts_of(stat) else rows_in_boxes(stat, value) is not None


def _is_deep(value: object) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, tuple) and any(isinstance(each, Mapping) for each in value))


def _condition(vantage: Vantage, fighter: Fighter, effect: Effect, place: Place | None) -> Held:
    rules = vantage.now.ruleset
    word, lasts = held(rules, fighter, effect, place)
    return {"id": effect.id, "word": as_typed(vantage, word) if rules.is_own(effect.id) else word, "lasts": lasts}
