"""Actions of a user's own: a row of a table, or an ability as the source notes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combatkit.core.plain import is_text, short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.catalogue import WHEN, Action, Parameter
from combatkit.rules.rows import open_row, parameters_of, texts
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.segments.notation import Header, read_ability
from combatkit.systems.segments.tables import LONGEST, SEGMENTS, SPELLS

_FOREIGN = ("primary", "secondary", "reaction", "free")
"""Types that mean something in other systems and nothing here: one table serves several."""

_TARGET = Parameter("target", required=False)
_OWN = (_TARGET, Parameter("damage", required=False), Parameter("outcome", required=False))


def read_action(rules: Ruleset, row: Mapping[str, Any]) -> Action:
    """Make an action of a user's row; what it does not say is what the source takes for granted.

    Raises
    ------
    InvalidInput, UnknownName
        If the row lacks an id or title, or holds what cannot be.
    """
    row, where = open_row(rules, row, "id", "title")
    _check_columns(where, row)
    header = _header(where, row.get("notation", ""))
    tags, starred = _tags(where, texts(where, "tags", row.get("tags", ()))) or (header.tags, False)
    known = [t for t in tags if t in _KINDS]
    kind = known[0] if known else "innate"
    if "immediate" in tags:
        kind = "immediate"
    tags = tags if known else ("innate", *tags)
    taken = 0 if starred else header.segments if row.get("notation") else _TIMES.get(kind, 1)
    segments = _segments(where, row.get("segments"), taken)
    cost = _cost(rules, where, _stated_cost(row), header.type if row.get("notation") else "", kind, tags)
    rounds = -(-segments // SEGMENTS)
    facts: dict[str, Any] = {"segments": segments, "kind": _PHASE[kind]}
    if "range" in row:
        facts["range"] = 0 if row["range"] == "touch" else row["range"]
    if "(C)" in row.get("duration", "") or "concentration" in tags:
        facts["concentration"] = True
    if header.declared and kind not in ("incantation", "invocation", "complex", "immediate"):
        facts["declared"] = True
    if "source" in row:
        facts["source"] = row["source"]
    spell = any(t in SPELLS for t in tags) or cost in ("spell", "quick_spell")
    own = tuple(Parameter(p, required=False) for p in parameters_of(rules, where, row))
    parameters = tuple({p.id: p for p in (*_OWN, *own)}.values())
    when = row.get("when") or ("any time" if kind in ("immediate", "innate") else "own turn")
    rule = _RULE[kind]
    return Action(
        row["id"],
        row["title"],
        cost,
        rule=rule,
        when=when,
        does="cast" if spell or "damage" in str(row.get("parameters")) or kind == "innate" else "act",
        verb=f"{'casts' if spell else 'uses'} {row['title'].lower()}",
        on="at" if spell else "on",
        parameters=parameters,
        tags=tags,
        turns=rounds if rounds > 1 and cost != "spell" else 0,  # a spell counts its own segments as it is cast
        facts=facts,
    )


def _tags(where: str, given: tuple[str, ...]) -> tuple[tuple[str, ...], bool] | None:
    """Read tags as the text writes them, and say whether one has the asterisk of no time; None if none is given.

    Raises
    ------
    InvalidInput
        For an asterisk with anything but a kind, and for what the text calls otherwise.
    """
    words = tuple(" ".join(tag.lower().split()) for tag in given)
    starred = False
    tags: list[str] = []
    for word in words:
        tag = word.rstrip("* ")
        if tag != word:
            starred = True
            if tag not in _KINDS:
                right = ", ".join(f"{kind}*" for kind in _KINDS)
                raise InvalidInput(f"{where}: tag {word!r}: the asterisk of no time goes with a kind: {right}")
        if tag in _MEANT:
            raise InvalidInput(f"{where}: tag {word!r}; give {_MEANT[tag]!r}")
        tags.append("spell-like" if tag in _SPELL_LIKE else tag)
    return (tuple(dict.fromkeys(tags)), starred) if words else None


_SPELL_LIKE = ("spell", "spell-like", "spell-like ability")
"""What the text calls a spell besides incantations and invocations."""

_KINDS = ("incantation", "invocation", "complex", "delaying", "simple", "immediate", "innate")
_TIMES = {"immediate": 0, "complex": SEGMENTS}
_MEANT = {
    "delay": "delaying",
    "go last": "complex",
    **{f"{kind}s": kind for kind in _KINDS},
    **{f"{kind} {word}": kind for kind in _KINDS for word in ("activity", "ability", "action", "attack")},
}
"""Words near the kinds that would be attributes no rule reads."""

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


def _check_columns(where: str, row: Mapping[str, Any]) -> None:
    """Check each column for its type, those too that mean nothing here but something in another system."""
    for key in ("type", "duration", "notation", "source"):
        if key in row and not is_text(row[key], 500):
            raise InvalidInput(f"{where}: {key} is {short(row[key])}; give text of at most 500 characters")
    for key in ("special", "single_turn"):
        if key in row and type(row[key]) is not bool:
            raise InvalidInput(f"{where}: {key} is {short(row[key])}; give True or False")
    cost = row.get("cost", 0)
    if not isinstance(cost, str) and (type(cost) is not int or cost < 0):
        raise InvalidInput(f"{where}: cost is {short(cost)}; give a slot, or a number from 0, which means nothing here")
    when = row.get("when", WHEN[0])
    if when not in WHEN:
        raise InvalidInput(f"{where}: when is {short(when)}; it is one of {', '.join(repr(w) for w in WHEN)}")
    reach = row.get("range", 0)
    if reach != "touch" and (type(reach) is not int or reach < 0):
        raise InvalidInput(f"{where}: range is {short(reach)}; give feet, 0 or 'touch'")


def _header(where: str, notation: str) -> Header:
    try:
        return read_ability(notation)
    except InvalidInput as error:
        raise InvalidInput(f"{where}: notation: {error}") from None


def _stated_cost(row: Mapping[str, Any]) -> str:
    """Return the cost a row states: its slot, else its type; numbers and types of other systems say nothing here."""
    cost, kind = row.get("cost", 0), row.get("type", "")
    if isinstance(cost, str) and cost:
        return cost
    return "" if kind in _FOREIGN else str(kind)


def _segments(where: str, given: Any, taken: int) -> int:
    if given is None:
        return taken
    if given == "1 round":
        return SEGMENTS
    if type(given) is not int or not 0 <= given <= LONGEST:
        raise InvalidInput(f"{where}: segments is {given!r}; give a number from 0 to {LONGEST}, or '1 round'")
    return given


def _cost(rules: Ruleset, where: str, given: str, noted: str, kind: str, tags: tuple[str, ...]) -> str:
    spell = any(t in SPELLS for t in tags)
    given = given or noted
    if "spell-like" in tags and kind in ("innate", "immediate"):  # takes no major action, and is the round's one spell
        return "quick_spell"
    if kind == "immediate":
        return "quick_spell" if spell or given == "spell" else "immediate_attack" if given == "major" else "immediate"
    if spell:
        return "spell"
    if given == "spell":  # an innate ability that counts as a spell takes no major action
        return "quick_spell" if kind == "innate" else "spell"
    if kind == "complex":
        return "complex"
    if given and given not in rules.costs:
        raise UnknownName.of(f"cost of {where}", given, rules.costs.ids())
    return given or "minor"
