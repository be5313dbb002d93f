"""What is loaded can be shown: what somebody else may have written is checked against its ruleset before it is a fight.

That is a copy, and a state that a journal has kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from combatkit.core.model import Act, Event, State, Window
from combatkit.core.payloads import check_depth, check_events
from combatkit.core.plain import short
from combatkit.errors import InvalidInput
from combatkit.fight.encounter import Encounter
from combatkit.fight.view import View
from combatkit.files.tables import SCENE, check_scene
from combatkit.rules.checks import check_map, check_stat
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.uses import USES, check_uses

_TURN = ("turn", "turn_end", "turn_back", "turn_lost")
_DONE = ("action", "stopped", "progress", "attack", "damage")
_BY_HAND = ("damage", "gm")
"""What the GM deals out is nobody's action, and may be before the fight."""
_NEEDED = {
    "actor": frozenset(("combatant", "leave", "initiative", "move", *_TURN, *_DONE)),
    "action": frozenset(_DONE),
    "target": frozenset(("vital", "effect", "effect_end", "damage")),
    "amount": frozenset(("round", "round_end", "roll", "damage", "vital")),
    "round": frozenset(("round", "round_end", "step", "step_end", "refresh", *_TURN, *_DONE)),
}
"""What events of some kinds cannot lack."""


def check_past(fight: Encounter) -> None:
    """Check that a fight's events are of its ruleset: its options, stats, tables and map, as a call would give them.

    Raises
    ------
    CombatkitError, ValueError, msgspec.ValidationError
        If one of them cannot be.
    """
    rules, events = fight.ruleset, list(fight._events)
    check_events(events)
    names = {event.actor for event in events if event.kind == "combatant"} | {None, "GM"}
    actions = {None, *rules.chosen(fight._state.options).ids()}
    for event in events:
        check_depth(event._data)
        if event.kind == "table" and event._data["table"] == "actions":
            actions |= {row.get("id") for row in event._data["rows"]}
        if event.actor not in names or event.action not in actions:
            wrong = event.actor if event.actor not in names else event.action
            raise InvalidInput(f"event {event.seq}: {short(wrong)} is neither a combatant nor an action of the fight")
        who = {field: getattr(event, field) for field in ("actor", "action", "target", "amount", "round")}
        lacking = [field for field, kinds in _NEEDED.items() if who[field] is None and event.kind in kinds]
        if (event.kind, event.by) == _BY_HAND:
            lacking = [field for field in lacking if field in ("target", "amount")]
        if lacking or (event.kind in _NEEDED["target"] and event.target not in names):
            raise InvalidInput(
                f"event {event.seq}, {event.kind!r}: its {(lacking or ['target'])[0]} is not in the fight"
            )
        for place in _placed(event):
            if place["who"] not in names:
                raise InvalidInput(f"event {event.seq}: {short(place['who'])} has a place and is not in the fight")
        if (event.kind == "encounter") != (event.seq == 1):
            raise InvalidInput(f"event {event.seq} is {event.kind!r}: a fight is made by its first event, and once")
        check = _CHECKS.get(event.kind)
        if check is not None:
            check(rules, fight, event)


def check_state(rules: Ruleset, state: State) -> None:
    """Check that a fight may come to a state, as far as its events need not be folded for it.

    Raises
    ------
    Exception
        Whatever a state that no fight can reach may cause.
    """
    if state.system != rules.id or state.stage not in ("setup", "running", "over"):
        raise InvalidInput(f"the state is none of {rules.id}")
    _check_setting(rules, state, state.options, state.map, state.tables)
    for name, fighter in state.fighters.items():
        if fighter.name != name:
            raise InvalidInput(f"{short(fighter.name)} is listed as {short(name)}")
        _check_sheet(rules, fighter.stats, fighter.vitals, name)
        if fighter.position is not None:
            rules.board.check_position(state.map, fighter.position)
    if not _named(state) <= state.fighters.keys():
        raise InvalidInput("somebody is named who is not in the fight")
    places = {place.id for place in state.agenda}
    if len(places) < len(state.agenda) or max(places, default=0) > state.places:
        raise InvalidInput("two places have one number")
    sorted([place.rank for place in state.agenda])
    view = View("kept", rules, state, ())
    check_shown(view, [view.active] if view.active else [])


def _named(state: State) -> set[str]:
    """Return everybody whom a state names."""
    named = {place.who for place in state.agenda} | {*state.watchers}
    named |= {who for pairs in state.anchors.values() for who, _ in pairs}
    for frame in state.focus:
        if isinstance(frame, Window):
            named |= {who for bid in frame.bids for who in (bid.who, *bid.targets)} | {*frame.by, *(frame.to or ())}
        elif isinstance(frame, Act):
            named |= {frame.who, *frame.targets}
        else:
            named |= {frame.who, *(who for who, _ in frame.ends)}
    return named


def check_shown(fight: View, choosers: Iterable[str]) -> None:
    """Look at a fight as it stands, as its tracker does, and at what some may do.

    Raises
    ------
    Exception
        Whatever a state that no fight can reach may cause.
    """
    repr((fight.order, fight.clock, fight.pending, fight.active))
    for name in fight.names:
        repr((fight[name], fight.budget(name)))
    for name in choosers:
        repr(fight.options(name))


def _placed(event: Event) -> list[dict[str, object]]:
    """Return the places on the ladder that an event makes."""
    data = event._data
    if event.kind in ("initiative", "order"):
        return [*([data["place"]] if "place" in data else ()), *data.get("agenda", ())]
    return []


def _encounter(rules: Ruleset, fight: Encounter, event: Event) -> None:
    data = event._data
    if data["system"] != rules.id:
        raise InvalidInput(f"event 1 is of {data['system']!r}, and the copy of {rules.id!r}")
    if data["seed"] >= 1 << 64:
        raise InvalidInput("event 1: its seed has over 64 bits")
    _check_setting(rules, fight.at(1)._state, data["options"], data.get("map"), data.get("tables", {}))


def _check_setting(
    rules: Ruleset, state: State, options: Mapping[str, object], map: object, tables: Mapping[str, Any]
) -> None:
    """Check that what a fight is made with could have been given."""
    rules.settle(options)
    if map is not None:
        rules.board.check_map(check_map(map))
    for table, rows in tables.items():
        _check_rows(rules, state, table, rows)


def _table(rules: Ruleset, fight: Encounter, event: Event) -> None:
    _check_rows(rules, fight.at(event.seq)._state, event._data["table"], event._data["rows"])


def _check_rows(rules: Ruleset, state: State, table: str, rows: list[Mapping[str, object]]) -> None:
    if table == SCENE:
        check_scene(rows)
    elif table == "actions" or table in rules.tables:
        rules.check_table(state, table)
    else:
        raise InvalidInput(f"there is no table {table[:40]!r} in {rules.id}")


def _window(rules: Ruleset, fight: Encounter, event: Event) -> None:
    if not {*event.data.get("by", ()), *(event.data.get("to") or ())} <= fight._state.fighters.keys():
        raise InvalidInput(f"event {event.seq}: somebody is named who is not in the fight")


def _combatant(rules: Ruleset, fight: Encounter, event: Event) -> None:
    if event._data["name"] != event.actor:
        raise InvalidInput(f"event {event.seq}: {event.actor!r} has another name")
    _check_sheet(rules, event._data["stats"], event._data["vitals"], f"event {event.seq}")


def _check_sheet(rules: Ruleset, stats: Mapping[str, object], vitals: Mapping[str, object], where: str) -> None:
    """Check that somebody has the stats and vitals of their ruleset."""
    known = {stat.name: stat for stat in rules.stats}
    if not {name for name, stat in known.items() if not stat.sparse} <= stats.keys() <= known.keys():
        raise InvalidInput(f"{where}: there are other stats than {rules.id} has")
    for name, value in stats.items():
        if value != known[name].default and [*_listed(value)] != [*_listed(known[name].default)]:
            check_stat(known[name], value, where)
    check_uses(stats.get(USES), where)
    rules.check_combatant(dict(stats), where)
    lacking = {stat.name for stat in rules.vitals} - vitals.keys()
    if lacking:
        raise InvalidInput(f"{where}: there is no {min(lacking)}")


def _listed(value: object) -> Any:
    return value if isinstance(value, (list, tuple)) else (value,)


_CHECKS = {"encounter": _encounter, "table": _table, "window": _window, "combatant": _combatant}
