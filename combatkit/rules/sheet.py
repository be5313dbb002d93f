"""Changing a sheet: what happens to stats and vitals, and how that is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from combatkit.core.model import Fighter, State
from combatkit.errors import InvalidInput
from combatkit.rules.catalogue import Stat
from combatkit.rules.checks import check_stat, check_stats
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import USES
from combatkit.text import Said, Title, say

MOST = "_max"
"""What follows a vital's name where its most is given and not what is left of it."""

_TOLD = 120
"""How many characters of a value are shown."""


def begun(
    rules: Ruleset, given: Mapping[str, object], where: str, held: Mapping[str, object] = MappingProxyType({})
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the stats and vitals that somebody comes with: all of a vital, unless its maximum is given besides.

    Somebody who is there may have `held` a sheet like this.

    Examples
    --------
    >>> import combatkit as ck
    >>> stats, vitals = begun(ck.ruleset("saga"), {"hp": 5, "hp_max": 7}, "Mara")
    >>> stats["hp"], vitals
    (7, {'hp': 5})
    """
    plain, mosts = apart(rules, given)
    stats = check_stats(rules, plain | mosts, where, held)
    left = check_stats(rules, plain, where, held) if mosts else stats
    vitals = {v.name: lesser(left[v.name], stats.get(v.most, stats[v.name])) for v in rules.vitals}
    return stats | {v.name: vitals[v.name] for v in rules.vitals if v.most}, vitals


def with_mosts(rules: Ruleset, stats: Mapping[str, Any], vitals: Mapping[str, Any]) -> dict[str, Any]:
    """Return stats as `begun` takes them: of a vital what is left, and its maximum besides where that is more.

    Examples
    --------
    >>> import combatkit as ck
    >>> with_mosts(ck.ruleset("saga"), {"dex": 4, "hp": 7}, {"hp": 5})
    {'dex': 4, 'hp': 5, 'hp_max': 7}
    """
    given = {**stats}
    for vital in rules.vitals:
        left, most = vitals.get(vital.name), stats.get(vital.name)
        if not vital.most and left is not None and most is not None and left < most:
            given |= {vital.name: left, vital.name + MOST: most}
    return given


def in_full(rules: Ruleset, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return stats as somebody has them who has lost nothing: of a vital its maximum.

    Examples
    --------
    >>> import combatkit as ck
    >>> in_full(ck.ruleset("saga"), {"dex": 4, "hp": 5, "hp_max": 7})
    {'dex': 4, 'hp': 7}
    """
    plain, mosts = apart(rules, given)
    return plain | mosts | {vital.name: plain[vital.most] for vital in rules.vitals if vital.most in plain}


def changed(rules: Ruleset, state: State, fighter: Fighter, given: Mapping[str, object]) -> Fighter:
    """Return somebody with other stats; what isn't given stays, and None restores the default.

    Before the fight a vital is what the sheet says. Once it has begun, a given vital is what is left now; the maximum
    stays as stated, or rises to it. What is left may be 0, whatever the least a sheet can say.
    """
    held = fighter.stats
    plain, mosts = apart(rules, given)
    spent = {}
    for vital in rules.vitals if state.stage != "setup" else ():
        left, full = plain.get(vital.name), held.get(vital.name)
        if left is not None and full is not None:
            least, top = vital.range or (0, None)
            spent[vital.name] = check_stat(replace(vital, range=(min(0, least or 0), top)), left, fighter.name)
    stats = check_stats(rules, {**held, **plain, **{v: held[v] for v in spent}}, fighter.name, held)
    vitals = {**fighter.vitals, **{v.name: stats[v.name] for v in rules.vitals if v.name in plain}, **spent}
    most = check_stats(rules, {**stats, **mosts}, fighter.name, held) if mosts else stats
    tops = {v.most or v.name: n for v in rules.vitals if v.name in plain and (n := vitals[v.name]) is not None}
    stats = stats | {stat: max(left, top) for stat, left in tops.items() if (top := stats.get(stat)) is not None}
    for name in mosts:
        stats[name] = most[name]
        vitals[name] = lesser(vitals.get(name), most[name])
    for vital in rules.vitals:
        if (top := most.get(vital.most)) is not None:
            stats[vital.most] = top = top if vital.most in given else stats[vital.most]
            stats[vital.name], vitals[vital.name] = (lesser(n.get(vital.name), top) for n in (stats, vitals))
    return replace(fighter, stats=stats, vitals=vitals)


def apart(rules: Ruleset, given: Mapping[str, object]) -> tuple[dict[str, object], dict[str, object]]:
    """Return what is given of a sheet, and apart from it the maxima of vitals by the vitals' names."""
    capped = (vital.name for vital in rules.vitals if not vital.most)
    mosts = {vital: given[vital + MOST] for vital in capped if vital + MOST in given}
    return {key: value for key, value in given.items() if key.removesuffix(MOST) not in mosts or key in mosts}, mosts


def lesser(held: int | None, most: int | None) -> int | None:
    """Return what is left of a vital: never over its maximum, and all of it where nothing else is said."""
    return most if held is None or most is None else min(held, most)


def check_settled(rules: Ruleset, state: State, old: Fighter, new: Fighter) -> None:
    """Refuse to change a number that has made somebody's place on the ladder: on the new sheet nothing would read it.

    Raises
    ------
    InvalidInput
        If it would change; it says what moves them instead.
    """
    for stat in rules.read_before(state, new):
        if new.stats.get(stat) != old.stats.get(stat):
            raise InvalidInput(f"{rules.unmoved(state, new, stat)}, or change it when the fight is over")


def said_changes(rules: Ruleset, state: State, old: Fighter, new: Fighter, given: Mapping[str, object]) -> list[Said]:
    """Return what is told about a changed sheet, a part for each stat that has changed.

    For a vital that was raised in a fight, that includes its maximum, now and before.
    """
    said: list[Said] = []
    mosts = {vital.most for vital in rules.vitals}
    for stat in rules.stats:
        if stat.vital:
            capped = (stat.most or stat.name + MOST) in given
            if capped or stat.name in given:
                said += _said_vital(stat, old, new, capped=capped or state.stage != "setup")
        elif stat.name in given and stat.name not in mosts:
            said += _said_stat(stat, *(f.stats.get(stat.name, stat.default) for f in (old, new)))
    return said


def _said_vital(stat: Stat, old: Fighter, new: Fighter, *, capped: bool) -> Iterator[Said]:
    """Yield what is told of a vital: what there is now, and of how many, where its maximum is `capped` by more."""
    was, now = (f.vitals.get(stat.name) for f in (old, new))
    before, most = (f.stats.get(stat.most or stat.name) if capped else None for f in (old, new))

    def named(number: int | None) -> Said:
        return say("result.vital", of=stat.name, word=_named(stat), number=number)

    if was != now and before != most and None not in (was, now, before, most):
        yield say("sheet.of", stat=named(most), value=now, top=most, was=was, most=before)
        return
    if was != now:
        yield say("sheet.none" if now is None else "sheet.left", of=stat.name, stat=named(now), value=now, was=was)
    if before != most and (now is not None or most is not None):
        yield say("sheet.endless" if most is None else "sheet.most", stat=named(most), value=most, was=before)


def _said_stat(stat: Stat, before: object, now: object) -> Iterator[Said]:
    """Yield what is told of any other stat."""
    if stat.name == USES and isinstance(before, Mapping) and isinstance(now, Mapping) and before.keys() == now.keys():
        for name, left in now.items():
            if left != before[name]:
                counter = name.replace("_", " ")
                yield say("sheet.uses" if left else "sheet.used_up", stat=counter, value=left, was=before[name])
    elif before != now:
        template = "sheet.list" if isinstance(now, (list, tuple, Mapping)) else "sheet.now"
        if isinstance(now, bool):
            template = "sheet.yes" if now else "sheet.no"
        elif now in (None, (), {}):
            template = "sheet.none"
        new_words, old_words = _words(now), _words(before)
        was = "" if isinstance(now, bool) or old_words == new_words else old_words
        yield say(template, of=stat.name, stat=_named(stat), value=new_words, was=was)


def _named(stat: Stat) -> Title:
    """Return what a stat is called in a sentence."""
    return Title(stat.short if stat.short.isupper() else stat.name.replace("_", " "))


def said_revealed(template: str, called: str, name: str) -> Said:
    """Return what is told of somebody who is known now: "a hooded man" is the hooded man from then on."""
    article, _, rest = called.partition(" ")
    return say(template, of=article.casefold(), who=called, rest=rest, name=name)


def _words(value: object) -> str | int:
    """Say a stat's value in short: for a list, the names."""
    if value is None or value == ():
        return ""
    if type(value) is int:
        return value
    if isinstance(value, (list, tuple)):
        said = ", ".join(str(each.get("name", each)) if isinstance(each, Mapping) else str(each) for each in value)
    elif isinstance(value, Mapping):
        said = ", ".join(f"{str(key).replace('_', ' ')} {each}" for key, each in value.items())
    else:
        said = str(value)
    return said if len(said) <= _TOLD else f"{said[: _TOLD - 1]}…"
