"""What setting a fight up needs, as plain data: who is in, and what may be typed for somebody new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from combatkit.core.curtain import is_hidden
from combatkit.core.model import Fighter
from combatkit.fight.fight import Encounter
from combatkit.report.words import sides_view
from combatkit.rules.catalogue import Stat
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.typed import boxes_of, example_typed, parts_of, rows_in_boxes, sheet_line
from combatkit.rules.weapons import said_spot
from combatkit.text import say_names
from combatkit.widgets._first_dice import rolled
from combatkit.widgets._fit import MANY, first
from combatkit.widgets._shelf import party_of
from combatkit.widgets._tokens import initials
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import Member, Setup
from combatkit.widgets.shapes import Stat as ShownStat

_TYPED: dict[str, Literal["int", "text", "list", "bool", "either"]] = {
    "int": "int",
    "text": "text",
    "list": "list",
    "bool": "bool",
    "int|text": "either",
    "text|int": "either",
    "list|text": "text",
    "int|mapping": "int",
}
"""Kinds of stats that can be typed into a box, and how; mappings can't."""


def setup_view(vantage: Vantage, mode: str) -> Setup:
    """Return what the set-up shows; in play, what is asked for somebody who joins."""
    rules, state, sides = vantage.encounter.ruleset, vantage.encounter._state, vantage.sides
    typed = [stat for stat in rules.stats if is_typed(stat)]
    setup: Setup = {"stats": [shown_stat(stat, rules) for stat in typed], "sides": sides_view(sides)}
    needed = {rules.presentation.struck_by}
    if not any("attack" in parts_of(stat) for stat in typed):  # else what they attack with says so
        needed.add(rules.presentation.strikes_with)
    for shown in setup["stats"]:
        if shown["vital"] or shown["type"] == "rows" or shown["id"] in needed:
            shown["row"] = True
    foes = next((f.side for f in reversed(state.fighters.values()) if f.npc), "")
    if foes:
        setup["foes"] = foes
    party = party_of(state) if mode in ("setup", "over") else ""
    if party:
        setup["party"] = party
    if mode == "setup" and vantage.keeps:
        setup["keeps"] = True
    if mode == "setup":
        if earlier := vantage.earlier:
            titles = [_goes_on(fight) for fight in earlier.values()]
            told = [
                ", ".join(filter(None, (title, _BEFORE[titles[:at].count(title)]))) for at, title in enumerate(titles)
            ]
            setup["earlier"] = [{"fight": number, "title": title} for number, title in zip(earlier, told, strict=True)]
        if vantage.own and vantage.journal is None:
            setup["here"] = True
        people = sorted(state.fighters.values(), key=lambda fighter: fighter.number)
        faces = rolled(vantage.encounter)
        members = (_member(vantage, typed, each, sides[each.side], faces.get(each.name, ())) for each in people)
        setup["combatants"] = first(members, MANY)
    return setup


_BEFORE = ("", "the one before", "the first of them")
"""How fights are told apart that are called alike and have come as far, the last one first."""


def _goes_on(encounter: Encounter) -> str:
    """Say which fight a button goes on with, and how far it has come; who is in it, where nobody has named it."""
    clock = encounter.clock
    fight = encounter.title or (say_names(encounter.names) if encounter._is_unnamed else encounter._called)
    far = f"{len(encounter.names)} in" if clock.round is None else clock.label
    if encounter._state.stage == "over":
        return f"Look at \N{LEFT DOUBLE QUOTATION MARK}{fight}\N{RIGHT DOUBLE QUOTATION MARK}, ended in {far}"
    return f"Go on with \N{LEFT DOUBLE QUOTATION MARK}{fight}\N{RIGHT DOUBLE QUOTATION MARK}, {far}"


def is_typed(stat: Stat) -> bool:
    """Check whether a stat can be typed into a box."""
    return stat.type in _TYPED


def shown_stat(stat: Stat, rules: Ruleset) -> ShownStat:
    """Return what a form asks about a stat."""
    low, high = stat.range or (None, None)
    shown: ShownStat = {
        "id": stat.id,
        "title": _title(stat),
        "type": "rows" if parts_of(stat) else _TYPED[stat.type],
        "default": typed_value(stat, stat.default),
        "min": low,
        "max": high,
        "vital": stat.vital,
    }
    if parts_of(stat):
        shown["parts"] = [list(box) for box in boxes_of(stat)]
        shown["example"] = example_typed(stat)
        if "range" in parts_of(stat):
            shown["rangeless"] = rules.arms.rangeless
    if stat.vital or type(stat.example) is int or parts_of(stat):  # as in a roster to begin with
        shown["first"] = True
    return shown


def _title(stat: Stat) -> str:
    """Return what a stat is called in a form; where its text has a form of its own, with an example."""
    title = stat.title or stat.id.replace("_", " ").capitalize()
    return f"{title}, {stat.text[:1].lower()}{stat.text[1:].rstrip('.')}" if stat.type == "list|text" else title


def _member(vantage: Vantage, typed: list[Stat], fighter: Fighter, side: int, faces: Sequence[int]) -> Member:
    veil, hidden = vantage.veil(fighter), is_hidden(fighter)
    rolled = [f"has rolled {face}" for face in faces[:1]]
    sheet = sheet_line(vantage.now.ruleset, fighter.stats, fighter.vitals) or "only the name"
    where = "" if fighter.position is None else f"at {said_spot(fighter.position)}"
    parts = (*rolled, "hidden" if hidden else "", where, sheet)
    member: Member = {
        "name": fighter.name,
        "side": side,
        "initials": initials(fighter.name),
        "npc": fighter.npc,
        "summary": " · ".join(filter(None, parts)),
        "stats": {stat.id: value for stat in typed if (value := typed_apart(stat, fighter)) is not None},
        "surprised": fighter.effect("surprised") is not None,
    }
    return member | {"veil": veil} if veil else member


def typed_apart(stat: Stat, fighter: Fighter) -> object:
    """Return what somebody has in a stat, as it stands in its box; None where it is the default."""
    value = typed_value(stat, fighter.stats.get(stat.id, stat.default))
    return None if value == typed_value(stat, stat.default) else value


def typed_value(stat: Stat, value: Any) -> object:
    """Return a stat's value as it stands in its box; nothing where it can't be typed there."""
    if parts_of(stat):
        return rows_in_boxes(stat, value) or []
    if not isinstance(value, tuple):
        return None if isinstance(value, Mapping) else value
    return "; ".join(map(str, value)) if stat.type == "list|text" else list(value)
