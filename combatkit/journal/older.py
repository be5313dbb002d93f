"""What an older ruleset wrote is completed as it is read: an option or stat that it lacked gets its default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from combatkit.core.model import Event, Fighter, State
from combatkit.rules.ruleset import Ruleset


def completed(rules: Ruleset, events: Iterable[Event]) -> list[Event]:
    """Return events as the ruleset would log them today; those that lack nothing are the same ones."""
    return [_event(rules, event) if event.kind in ("encounter", "combatant") else event for event in events]


def completed_state(rules: Ruleset, state: State) -> State:
    """Return a state that was kept as it would be kept today."""
    fighters = {name: _fighter(rules, fighter) for name, fighter in state.fighters.items()}
    return replace(state, options=_options(rules, state.options), fighters=fighters)


def _event(rules: Ruleset, event: Event) -> Event:
    part, complete = ("options", _options) if event.kind == "encounter" else ("stats", _stats)
    whole = complete(rules, event._data[part])
    return event if whole is event._data[part] else replace(event, data={**event._data, part: whole})


def _fighter(rules: Ruleset, fighter: Fighter) -> Fighter:
    whole = _stats(rules, fighter.stats)
    return fighter if whole is fighter.stats else replace(fighter, stats=whole)


def _options(rules: Ruleset, given: dict[str, object]) -> dict[str, object]:
    return _with(given, {id: setting.default for id, setting in rules.options.items()})


def _stats(rules: Ruleset, given: dict[str, object]) -> dict[str, object]:
    return _with(given, {stat.name: stat.default for stat in rules.stats if not stat.sparse})


def _with(given: dict[str, object], defaults: Mapping[str, object]) -> dict[str, object]:
    return given if given.keys() >= defaults.keys() else {**defaults, **given}
