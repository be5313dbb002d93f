"""What is taken in can be shown: a copy that somebody else wrote is held against its ruleset before it is a fight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combatkit.encounter import Encounter
from combatkit.engine.checks import check_map, check_stat
from combatkit.engine.model import Event, State
from combatkit.engine.payloads import check_depth, check_events
from combatkit.engine.plain import short
from combatkit.engine.ruleset import Ruleset
from combatkit.errors import InvalidInput
from combatkit.tables import SCENE, check_scene

_TURN = ("turn", "turn_end", "turn_back", "turn_lost")
_DONE = ("action", "stopped", "progress", "attack", "damage")
_NEEDED = {
    "actor": frozenset(("combatant", "leave", "initiative", "move", *_TURN, *_DONE)),
    "action": frozenset(_DONE),
    "target": frozenset(("vital", "effect", "effect_end", "damage")),
    "amount": frozenset(("round", "round_end", "roll", "damage", "vital")),
    "round": frozenset(("round", "round_end", "step", "step_end", "refresh", *_TURN, *_DONE)),
}
"""What events of some kinds cannot lack."""


def check_past(fight: Encounter) -> None:
    """See that a fight's events are of its ruleset: its options, stats, tables and map, as a call would give them.

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
        check_depth(event.data)
        if event.kind == "table" and event.data["table"] == "actions":
            actions |= {row.get("id") for row in event.data["rows"]}
        if event.actor not in names or event.action not in actions:
            wrong = event.actor if event.actor not in names else event.action
            raise InvalidInput(f"event {event.seq}: {short(wrong)} is neither a combatant nor an action of the fight")
        who = {field: getattr(event, field) for field in ("actor", "action", "target", "amount", "round")}
        lacking = [field for field, kinds in _NEEDED.items() if who[field] is None and event.kind in kinds]
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


def check_shown(fight: Encounter) -> None:
    """Look at a fight as it stands, as its tracker does.

    Raises
    ------
    Exception
        Whatever a state may lead to that no fight comes to.
    """
    repr((fight.order, fight.clock, fight.pending, fight.active))
    for name in fight.names:
        repr((fight[name], fight.budget(name), fight.options(name)))


def _placed(event: Event) -> list[dict[str, Any]]:
    """Give the places on the ladder that an event makes."""
    data = event.data
    if event.kind in ("initiative", "order"):
        return [*([data["place"]] if "place" in data else ()), *data.get("agenda", ())]
    return []


def _encounter(rules: Ruleset, fight: Encounter, event: Event) -> None:
    data = event.data
    if data["system"] != rules.id:
        raise InvalidInput(f"event 1 is of {data['system']!r}, and the copy of {rules.id!r}")
    if data["seed"] >= 1 << 64:
        raise InvalidInput("event 1: its seed has over 64 bits")
    rules.settle(data["options"])
    if data.get("map") is not None:
        rules.check_map(check_map(data["map"]))
    for table, rows in data.get("tables", {}).items():
        _check_rows(rules, fight.at(1)._state, table, rows)


def _table(rules: Ruleset, fight: Encounter, event: Event) -> None:
    _check_rows(rules, fight.at(event.seq)._state, event.data["table"], event.data["rows"])


def _check_rows(rules: Ruleset, state: State, table: str, rows: list[Mapping[str, Any]]) -> None:
    if table == SCENE:
        check_scene(rows)
    elif table == "actions" or table in rules.tables:
        rules.check_table(state, table)
    else:
        raise InvalidInput(f"there is no table {table[:40]!r} in {rules.id}")


def _combatant(rules: Ruleset, fight: Encounter, event: Event) -> None:
    given, known = event.data["stats"], {stat.name: stat for stat in rules.stats}
    if event.data["name"] != event.actor or given.keys() != known.keys():
        raise InvalidInput(f"event {event.seq}: {event.actor!r} has other stats than {rules.id} has, or another name")
    for name, value in given.items():
        if value != known[name].default and [*_listed(value)] != [*_listed(known[name].default)]:
            check_stat(known[name], value, f"event {event.seq}")
    lacking = {stat.name for stat in rules.vitals} - event.data["vitals"].keys()
    if lacking:
        raise InvalidInput(f"event {event.seq}: {event.actor!r} has no {min(lacking)}")


def _listed(value: Any) -> Any:
    return value if isinstance(value, (list, tuple)) else (value,)


_CHECKS = {"encounter": _encounter, "table": _table, "combatant": _combatant}
