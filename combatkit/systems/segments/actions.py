"""Actions that users add: rows of a table, or abilities in the source's notation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from combatkit.core.plain import short
from combatkit.errors import InvalidInput, UnknownName, within
from combatkit.rules.catalogue import WHEN, Action, Parameter, open_row, parameters_of, texts
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.segments.notation import as_tag, read_ability
from combatkit.systems.segments.tables import LONGEST, SEGMENTS, SPELLS

_FOREIGN = ("primary", "secondary", "reaction", "free")
"""Types that mean something in other systems but not here: one table may serve several."""

_TARGET = Parameter("target", required=False)
_OWN = (_TARGET, Parameter("damage", required=False), Parameter("outcome", required=False))


def read_action(rules: Ruleset, row: Mapping[str, object]) -> Action:
    """Make an action from a user's row; whatever it leaves out is as the source assumes.

    Raises
    ------
    InvalidInput, UnknownName
        If the row lacks an id or title, or has an impossible value.
    """
    row, where = open_row(rules, row, "id", "title")
    cost = row.get("cost", 0)
    if not isinstance(cost, str) and (type(cost) is not int or cost < 0):
        raise InvalidInput(f"{where}: cost is {short(cost)}; give a slot, or a number from 0, which means nothing here")
    if row.get("when", WHEN[0]) not in WHEN:
        raise InvalidInput(f"{where}: when is {short(row['when'])}; give one of {', '.join(map(repr, WHEN))}")
    reach = row.get("range", 0)
    if reach != "touch" and (type(reach) is not int or reach < 0):
        raise InvalidInput(f"{where}: range is {short(reach)}; give feet, 0 or 'touch'")
    with within(f"{where}: notation"):
        header = read_ability(row.get("notation", ""))
    tags, starred = _tags(where, texts(where, "tags", row.get("tags", ()))) or (header.tags, False)
    known = [t for t in tags if t in _KINDS]
    kind = known[0] if known else "innate"
    if "immediate" in tags:
        kind = "immediate"
    tags = tags if known else ("innate", *tags)
    taken = 0 if starred else header.segments if row.get("notation") else _KINDS[kind].time
    segments = _segments(where, row.get("segments"), taken)
    given = _stated_cost(row) or (header.type if row.get("notation") else "")
    cost = _cost(rules, where, given, kind, tags)
    rounds = -(-segments // SEGMENTS)
    facts: dict[str, object] = {"segments": segments, "kind": _KINDS[kind].phase}
    if "range" in row:
        facts["range"] = 0 if reach == "touch" else reach
    if "(C)" in row.get("duration", "") or "concentration" in tags:
        facts["concentration"] = True
    if header.declared and kind not in ("incantation", "invocation", "complex", "immediate"):
        facts["declared"] = True
    spell = any(t in SPELLS for t in tags) or cost in ("spell", "quick_spell")
    cast = spell and "invocation" not in tags  # an item is used
    own = tuple(Parameter(p, required=False) for p in parameters_of(rules, where, row))
    parameters = tuple({p.id: p for p in (*_OWN, *own)}.values())
    when = row.get("when") or ("any time" if kind in ("immediate", "innate") else "own turn")
    return Action(
        row["id"],
        row["title"],
        cost,
        rule=_KINDS[kind].rule,
        when=when,
        does="cast" if spell or "damage" in str(row.get("parameters")) or kind == "innate" else "act",
        verb=f"{'casts' if cast else 'uses'} {row['title'].lower()}",
        on="at" if cast else "on",
        parameters=parameters,
        tags=tags,
        turns=rounds if rounds > 1 and cost != "spell" else 0,  # a spell counts its own segments as it is cast
        facts=facts,
    )


def _tags(where: str, given: tuple[str, ...]) -> tuple[tuple[str, ...], bool] | None:
    """Read tags as the text writes them, and whether one has the asterisk for no time; None if none is given.

    Raises
    ------
    InvalidInput
        For an asterisk with anything but a kind, and for a word the text has another name for.
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
                raise InvalidInput(f"{where}: tag {word!r}: the asterisk for no time goes with a kind: {right}")
        if tag in _MEANT:
            raise InvalidInput(f"{where}: tag {word!r}; give {_MEANT[tag]!r}")
        tags.append(as_tag(tag))
    return (tuple(dict.fromkeys(tags)), starred) if words else None


class _Kind(NamedTuple):
    """What a kind of action means: its kind in the flow of a round, the rule behind it, the segments it takes."""

    phase: str
    rule: str
    time: int = 1


_KINDS = {
    "incantation": _Kind("spell", "segments.seq.7-incantation"),
    "invocation": _Kind("spell", "segments.seq.7-invocation"),
    "complex": _Kind("last", "segments.complex.major", SEGMENTS),
    "delaying": _Kind("delaying", "segments.delaying.low-only"),
    "simple": _Kind("other", "segments.simple.def"),
    "immediate": _Kind("immediate", "segments.immediate.anytime", 0),
    "innate": _Kind("innate", "segments.ability.default-innate"),
}
_MEANT = {
    "delay": "delaying",
    "go last": "complex",
    **{f"{kind}s": kind for kind in _KINDS},
    **{f"{kind} {word}": kind for kind in _KINDS for word in ("activity", "ability", "action", "attack")},
}
"""Words close to the kinds, which would otherwise become attributes that no rule reads."""


def _stated_cost(row: Mapping[str, object]) -> str:
    """Return the cost a row states: its slot, or else its type; numbers and other systems' types mean nothing here."""
    cost, kind = row.get("cost", 0), row.get("type", "")
    if isinstance(cost, str) and cost:
        return cost
    return "" if kind in _FOREIGN else str(kind)


def _segments(where: str, given: object, taken: int) -> int:
    if given is None:
        return taken
    if given == "1 round":
        return SEGMENTS
    if type(given) is not int or not 0 <= given <= LONGEST:
        raise InvalidInput(f"{where}: segments is {given!r}; give a number from 0 to {LONGEST}, or '1 round'")
    return given


def _cost(rules: Ruleset, where: str, given: str, kind: str, tags: tuple[str, ...]) -> str:
    spell = any(t in SPELLS for t in tags)
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
        raise UnknownName.of("cost", given, rules.costs.ids(), owner=rules.id, where=where)
    return given or "minor"
