"""What users supply because the source leaves it out: weapon speeds, the spell chart, attack tables, actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from combatkit.engine.catalogue import Action, Parameter
from combatkit.engine.model import State
from combatkit.engine.ruleset import Ruleset
from combatkit.errors import InvalidInput, UnknownName
from combatkit.systems.segments.notation import read_aac0, read_ability

SEGMENTS = 10
"""A round's segments."""

SPELLS = ("incantation", "invocation")


def rows(rules: Ruleset, state: State, table: str) -> list[dict[str, Any]]:
    """Give a table's rows: those supplied, or the labelled default if there are none."""
    return state.tables.get(table) or rules.tables.get(table, [])


# ── the spell chart ──


def chart_order(rules: Ruleset, state: State, action: Action, half: str, segments: int) -> int:
    """Give where the chart puts a spell, lower first; one the chart does not know comes last."""
    chart = rows(rules, state, "spell_chart")
    for row in chart:
        if _fits(row, action, half, segments):
            return int(row["order"])
    return max((int(row["order"]) for row in chart), default=0) + 1


def _fits(row: Mapping[str, Any], action: Action, half: str, segments: int) -> bool:
    return (
        row.get("half", half) == half
        and row.get("spell", action.id) == action.id
        and row.get("kind", "") in ("", *action.tags)
        and row.get("min", segments) <= segments <= row.get("max", segments)
    )


# ── checking what is supplied ──

_COLUMNS: dict[str, dict[str, type]] = {
    "weapon_speeds": {"id": str, "name": str, "speed": int, "label": str},
    "spell_chart": {
        "id": str,
        "order": int,
        "half": str,
        "spell": str,
        "kind": str,
        "min": int,
        "max": int,
        "label": str,
    },
    "attack_tables": {"id": str, "table": str, "row": str, "aac0": object, "label": str},
    "attributes": {"id": str, "implies": list, "label": str},
}
_NEEDED = {
    "weapon_speeds": ("id", "speed"),
    "spell_chart": ("id", "order"),
    "attack_tables": ("id", "table", "row", "aac0"),
    "attributes": ("id", "implies"),
}


def check_rows(table: str, given: Iterable[Mapping[str, Any]]) -> None:
    """Check the rows of one of this system's tables.

    Raises
    ------
    UnknownName
        For a column the table does not have.
    InvalidInput
        For a value that is missing or of the wrong kind.
    """
    columns = _COLUMNS[table]
    for row in given:
        where = f"table {table}, {row.get('id')!r}"
        for name, value in row.items():
            if name not in columns:
                raise UnknownName.of(f"column of {table}", name, columns)
            if not isinstance(value, columns[name]) or (type(value) is bool and columns[name] is int):
                raise InvalidInput(f"{where}: {name} is {value!r}; give {_WORDS[columns[name]]}")
        for name in _NEEDED[table]:
            if name not in row:
                raise InvalidInput(f"{where}: {name} is missing")
        if row.get("half", "HIGH") not in ("HIGH", "LOW"):
            raise InvalidInput(f"{where}: half is {row['half']!r}; it is HIGH or LOW")
        if row.get("speed", 0) < 0:
            raise InvalidInput(f"{where}: speed is {row['speed']}; give a whole number from 0")
        if "aac0" in row:
            try:
                read_aac0(row["aac0"])
            except InvalidInput as error:
                raise InvalidInput(f"{where}: {error}") from None
        if row.get("table", "class") not in ("class", "monster"):
            raise InvalidInput(f"{where}: table is {row['table']!r}; it is class or monster")


_WORDS: dict[type, str] = {str: "text", int: "a whole number", list: "a list"}


# ── actions of one's own ──

_ACTION_COLUMNS = (
    "id",
    "title",
    "cost",
    "type",
    "when",
    "tags",
    "parameters",
    "segments",
    "range",
    "duration",
    "notation",
)
_TARGET = Parameter("target", required=False)
_OWN = (_TARGET, Parameter("damage", required=False), Parameter("outcome", required=False))


def read_action(rules: Ruleset, row: Mapping[str, Any]) -> Action:
    """Make an action of a user's row; what it does not say is what the source takes for granted.

    Raises
    ------
    InvalidInput, UnknownName
        If the row lacks an id or title, or holds what cannot be.
    """
    for key in row:
        if key not in _ACTION_COLUMNS:
            raise UnknownName.of("column of an action", key, _ACTION_COLUMNS)
    for key in ("id", "title"):
        if not isinstance(row.get(key), str) or not row[key]:
            raise InvalidInput(f"action {row.get('id')!r}: {key} is {row.get(key)!r}; give text")
    where = f"action {row['id']!r}"
    header = read_ability(row.get("notation") or "")
    tags = _texts(where, "tags", row.get("tags", ())) or header.tags
    known = [t for t in tags if t in _KINDS]
    kind = known[0] if known else "innate"
    if "immediate" in tags:
        kind = "immediate"
    tags = tags if known else ("innate", *tags)
    segments = _segments(where, row.get("segments"), header.segments if row.get("notation") else _TIMES.get(kind, 1))
    cost = _cost(rules, where, row.get("cost", row.get("type")), header.type if row.get("notation") else "", kind, tags)
    rounds = -(-segments // SEGMENTS)
    facts: dict[str, Any] = {"segments": segments, "kind": _PHASE[kind]}
    reach = row.get("range")
    if reach is not None:
        if reach != "touch" and (type(reach) is not int or reach < 0):
            raise InvalidInput(f"{where}: range is {reach!r}; give feet, 0 or 'touch'")
        facts["range"] = 0 if reach == "touch" else reach
    if "(C)" in str(row.get("duration", "")) or "concentration" in tags:
        facts["concentration"] = True
    spell = any(t in SPELLS for t in tags) or cost in ("spell", "quick_spell")
    own = tuple(Parameter(p, required=False) for p in _texts(where, "parameters", row.get("parameters", ())))
    parameters = tuple({p.id: p for p in (*_OWN, *own)}.values())
    when = row.get("when") or ("any time" if kind in ("immediate", "innate") else "own turn")
    if when not in ("own turn", "reaction", "any time"):
        raise InvalidInput(f"{where}: when is {when!r}; it is 'own turn', 'reaction' or 'any time'")
    rule = _RULE[kind]
    return Action(
        row["id"],
        row["title"],
        cost,
        rule=rule,
        when=when,
        does="cast" if spell or "damage" in str(row.get("parameters")) or kind == "innate" else "act",
        verb=f"uses {row['title'].lower()}" if not spell else f"casts {row['title'].lower()} at",
        parameters=parameters,
        tags=tags,
        turns=rounds if rounds > 1 else 0,
        facts=facts,
    )


_KINDS = ("incantation", "invocation", "complex", "delaying", "simple", "immediate", "innate")
_TIMES = {"immediate": 0, "complex": SEGMENTS}
_PHASE = {
    "incantation": "spell",
    "invocation": "spell",
    "complex": "last",
    "delaying": "delaying",
    "simple": "other",
    "immediate": "immediate",
    "innate": "innate",
}
_RULE = {
    "incantation": "segments.seq.7-incantation",
    "invocation": "segments.seq.7-invocation",
    "complex": "segments.complex.major",
    "delaying": "segments.delaying.low-only",
    "simple": "segments.simple.def",
    "immediate": "segments.immediate.anytime",
    "innate": "segments.ability.default-innate",
}


def _texts(where: str, name: str, given: Any) -> tuple[str, ...]:
    if isinstance(given, str) or any(not isinstance(t, str) for t in given):
        raise InvalidInput(f"{where}: {name} is {given!r}; give a list of texts")
    return tuple(given)


def _segments(where: str, given: Any, taken: int) -> int:
    if given is None:
        return taken
    if given == "1 round":
        return SEGMENTS
    if type(given) is not int or not 0 <= given <= 1000:
        raise InvalidInput(f"{where}: segments is {given!r}; give a number from 0 to 1000, or '1 round'")
    return given


def _cost(rules: Ruleset, where: str, given: Any, noted: str, kind: str, tags: tuple[str, ...]) -> str:
    spell = any(t in SPELLS for t in tags)
    given = given or noted
    if kind == "immediate":
        return "quick_spell" if spell or given == "spell" else "immediate_attack" if given == "major" else "immediate"
    if spell:
        return "spell"
    if given == "spell":  # an innate ability that counts as a spell takes no major action
        return "quick_spell" if kind == "innate" else "spell"
    if kind == "complex":
        return "complex"
    if given and given not in rules.costs:
        raise UnknownName.of("cost", str(given), rules.costs.ids())
    return str(given) if given else "minor"
