"""Lists of mappings as people type them, weapons above all: "blaster, 4D, 4D; blade, 5D, 4D+2"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from combatkit.core.model import Lookup
from combatkit.core.plain import short
from combatkit.errors import InvalidInput
from combatkit.rules.catalogue import Stat
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import MELEE
from combatkit.text import meant_word, signed

_BESIDE, _NEXT = ",", ";"
_NUMBER = re.compile(r"[+-]?\d{1,9}")
_DAMAGE = r"\d{1,3}[dDwW]\d{0,4}(?:[+-]\d{1,3})?"
_SAID = re.compile(rf"(.*?\S)\s+(?:\(?([+-]\d{{1,3}})\)?(?:\s+({_DAMAGE}))?|({_DAMAGE}))")
"""A weapon as a sheet says it: its name, what it adds to the attack, its damage."""
_DICE_WITHIN = re.compile(rf"\S\s+{_DAMAGE}\s+\S")
"""Dice among the words of a name."""


@Lookup
def parts_of(stat: Stat) -> tuple[str, ...]:
    """Return what may be typed of each mapping in a list, in order: its parts, else those of its example.

    What is true or false comes last: it is typed as its own name, wherever it stands.
    """
    if stat.parts:
        return tuple(part.name for part in stat.parts)
    if type(stat.example) not in (tuple, list):
        return ()
    keys = dict.fromkeys([key for row in stat.example if isinstance(row, Mapping) for key in row])
    return tuple(sorted(keys, key=_flags(stat).__contains__))


def _flags(stat: Stat) -> frozenset[str]:
    """Return the parts that are true or false, by the example."""
    rows = stat.example if isinstance(stat.example, (tuple, list)) else ()
    return frozenset([key for row in rows if isinstance(row, Mapping) for key in row if row[key] is True])


def as_meant(stat: Stat, row: Mapping[str, object]) -> dict[str, object]:
    """Return one such mapping with the words of the list as rules read them, in whichever language they were typed.

    They stand where an example has one: what else somebody has typed, they have typed.
    """
    read = {key for each in stat.example for key, value in each.items() if value in stat.words}
    return {
        key: meant_word(value, stat.words) if key in read and isinstance(value, str) else value
        for key, value in row.items()
    }


def unranged(stat: Stat, row: Mapping[str, object]) -> Mapping[str, object]:
    """Return one such mapping without a range that says melee, where that can only be a number.

    There a weapon without range is one for melee, as other systems and other tools spell it out.
    """
    said = row.get("range")
    if not isinstance(said, str):
        return row
    kinds = [part.type for part in stat.parts if part.name == "range"]
    if not kinds and "range" in parts_of(stat):
        kinds = [type(each["range"]).__name__ for each in stat.example if "range" in each]
    if set(kinds) != {"int"} or meant_word(said, (MELEE,)) != MELEE:
        return row
    return {key: value for key, value in row.items() if key != "range"}


def is_typed(text: str) -> bool:
    """Check whether text says more of a weapon, or of one of several, than its name.

    Examples
    --------
    >>> [is_typed(each) for each in ("axe; bow", "axe, 1d8", "bow; axe +9 1d8")]
    [False, True, True]
    """
    return _BESIDE in text or any(
        _SAID.fullmatch(_plain(each)) or _DICE_WITHIN.search(_plain(each)) for each in text.split(_NEXT)
    )


def rows_typed(stat: Stat, text: str, where: str) -> list[dict[str, object]]:
    """Return the mappings that somebody has typed.

    Raises
    ------
    InvalidInput
        If one has more parts than there are or one of them twice, or can be read in two ways.
    """
    flags = _flags(stat)
    names, rows = tuple(name for name in parts_of(stat) if name not in flags), []
    texts = {names[0], *(part.name for part in stat.parts if part.type == "text")}
    for typed in text.split(_NEXT):
        first, *others = [word.strip() for word in typed.split(_BESIDE)]
        others = [meant_word(word, flags) for word in others]
        said = flags.intersection(others)
        called = [part for word in others if (part := _stated(names, word))]
        words = [first, *(word for word in others if word not in flags and not _stated(names, word))]
        if len(words) > len(names):
            raise InvalidInput(f"{where}: {stat.name} holds {short(typed.strip())}; give {', '.join(parts_of(stat))}")
        words = _placed(stat, names, words, where)
        row: dict[str, object] = {n: _read(word, n in texts) for n, word in zip(names, words, strict=False) if word}
        for name, number in called if row else ():
            if name in row:
                raise InvalidInput(f"{where}: {stat.name} holds {short(typed.strip())}; give {name} once")
            row[name] = number
        row |= dict.fromkeys(sorted(said), True) if row else {}
        if row:
            rows.append({**row, **_said(stat, row, where)})
    return rows


def _stated(names: tuple[str, ...], word: str) -> tuple[str, object] | None:
    """Return a part with its number where it is called by its name: "range 20"."""
    part, _, number = word.partition(" ")
    part = meant_word(part, names[1:])
    return (part, int(number)) if part in names[1:] and _NUMBER.fullmatch(number := _plain(number)) else None


def _placed(stat: Stat, names: tuple[str, ...], words: list[str], where: str) -> list[str]:
    """Return what is typed in its places, also where what is added stands behind the name and is left out later.

    A number that comes next could be what is added or what follows that: a range, by which a sword would be shot.
    """
    while len(words) > 1 and not words[-1]:
        words = words[:-1]
    at = names.index(adds) if (adds := _adds(stat)) in names else len(words)
    if not at < len(words) < len(names):
        return words
    found, (first, *between), (number, *rest) = _SAID.fullmatch(_plain(words[0])), words[:at], words[at:]
    if found is None or not found[2] or _plain(number)[:1] in ("+", "-"):
        return words
    if not number:  # left out, as it stands behind the name: what follows could stand one place further on
        *before, last = [word for word in words if word]
        ways = [f"'{', '.join((*before, f'{name} {last}'))}'" for name in names[at + 1 :]]
        raise InvalidInput(f"{where}: {stat.name} holds {short(', '.join(words))}; write {' or '.join(ways)}")
    if _NUMBER.fullmatch(number):
        name, adds_to, *_ = found.groups()
        damage = [each or found[3] or "" for each in between]
        follows, added = (
            ", ".join([name, *damage, adds_to, number]),
            ", ".join([f"{name} {adds_to}", *damage, f"+{number}"]),
        )
        more = "".join(f", {word}" for word in rest)
        raise InvalidInput(
            f"{where}: {stat.name} holds {short(', '.join(words))}; "
            f"write '{follows}{more}' if {number} is its {names[at + 1]}, '{added}{more}' if it is its {adds}"
        )
    return [first, *between, "", number, *rest]


def _said(stat: Stat, row: Mapping[str, object], where: str) -> dict[str, object]:
    """Return what stands behind a weapon's name, unless it is stated as a part of its own, too."""
    first, *others = parts_of(stat)
    found = _SAID.fullmatch(_plain(str(row.get(first, ""))))
    if "damage" not in others:
        return {}
    if found is None:
        if "damage" not in row and _DICE_WITHIN.search(str(row.get(first, ""))):  # as if it were part of the name
            right = ", ".join((first, *others))
            raise InvalidInput(f"{where}: {stat.name} holds {short(row[first])}; put commas between {right}")
        return {}
    adds = _adds(stat)
    said = {adds: found[2] and int(found[2]), "damage": found[3] or found[4]}
    more = {name: value for name, value in said.items() if value is not None}
    if any(name in row for name in more):
        return {}
    if "" in more or others[0] != "damage":  # it could as well be something else
        right = ", ".join((first, *others))
        raise InvalidInput(f"{where}: {stat.name} holds {short(row[first])}; put commas between {right}")
    return {first: found[1], **more}


def _adds(stat: Stat) -> str:
    """Return which part is added to the attack."""
    return next((part.name for part in stat.parts if part.type == "int"), "")


def example_typed(stat: Stat) -> str:
    """Return the first example of such a mapping as somebody would type it, in the short way where there is one.

    Examples
    --------
    >>> import combatkit as ck
    >>> [example_typed(ck.ruleset(id).stats["weapons"]) for id in ("saga", "segments")]
    ['blaster pistol +9, 3d6+3', 'short bow, 1d6, 7, 5, missile']
    """
    row, (first, second, *others) = stat.example[0], parts_of(stat)
    if second == "damage" and _adds(stat) in row:
        return f"{row[first]} {row[_adds(stat)]:+}, {row[second]}"
    flags = _flags(stat)
    stated = [str(row.get(part, "")) for part in (first, second, *others) if part not in flags]
    return ", ".join([", ".join(stated).rstrip(", "), *(part for part in others if row.get(part) is True)])


def _plain(text: str) -> str:
    return text.strip().replace("\N{MINUS SIGN}", "-")


def _read(word: str, is_text: bool) -> object:
    plain = _plain(word)
    return int(plain) if not is_text and _NUMBER.fullmatch(plain) else word


def boxes_of(stat: Stat) -> list[tuple[str, str, str]]:
    """Return the boxes into which one such mapping is typed: what each holds, its title, and its kind."""
    if stat.parts:
        return [(part.id, part.title or part.id.capitalize(), part.type) for part in stat.parts]
    (first, *others), flags = parts_of(stat), _flags(stat)
    kinds = {first: "text"} | {key: "bool" if key in flags else "int|text" for key in others}
    return [(key, key.capitalize(), kind) for key, kind in kinds.items()]


def rows_in_boxes(stat: Stat, value: object) -> list[dict[str, object]] | None:
    """Return mappings, or names alone, as they stand in such boxes; None where they can't."""
    if not isinstance(value, (tuple, list)):
        return None if value else []
    names = parts_of(stat)
    rows = [dict(each) if isinstance(each, Mapping) else {names[0]: each} for each in value]
    plain = all(key in names and isinstance(part, (int, str)) for row in rows for key, part in row.items())
    return rows if plain else None


# ── a sheet in one line, as people say it ──


_HEAD = re.compile("[:;,]")
_TOKEN = "portrait"
"""What is drawn, and not told."""

_LINES = "list|text"
"""The kind of a stat that holds attacks as a book prints them."""


def sheet_line(rules: Ruleset, stats: Mapping[str, object], vitals: Mapping[str, int | None] | None = None) -> str:
    """Return a sheet in one line: the first weapon, what an attack has to reach, what can be lost, the rest.

    Whatever is as usual is left out. Of who has lost something, their `vitals` tell what is left.

    Examples
    --------
    >>> import combatkit as ck
    >>> blaster = {"name": "Blaster", "attack": 6, "damage": "3d8"}
    >>> sheet_line(ck.ruleset("saga"), {"dex": 2, "level": 1, "hp": 16, "defense": 15, "weapons": (blaster,)})
    'Blaster +6, 3d8 · Defense 15 · 16 hp · Dex 2'
    >>> sheet_line(ck.ruleset("segments"), {"hp": 16}, {"hp": 9})
    '16 hp · 9 left'
    """
    attacks: list[str] = []
    struck: list[str] = []
    told: dict[bool, list[str]] = {True: [], False: []}
    for stat in rules.stats:
        value = stats.get(stat.id)
        if value in (None, False, (), [], stat.default) or stat.id == _TOKEN:
            continue
        if isinstance(value, (tuple, list)) and (parts_of(stat) or stat.type == _LINES):
            attacks += [_weapon(each, rules.arms.adds) for each in value]
        else:
            at = struck if stat.id == rules.presentation.struck_by else told[stat.vital]
            at.append(said_stat(stat, value))
            has = vitals.get(stat.id) if vitals else None
            if has is not None and isinstance(value, int) and has < value:
                left = said_left(has, None)
                at.append(f"{left} left")
    return " · ".join([*attacks[:1], *struck, *told[True], *told[False], *attacks[1:]])


def _weapon(weapon: object, adds: str) -> str:
    """Return a weapon in short: its name, what it adds, its damage."""
    if not isinstance(weapon, Mapping):
        return str(weapon)
    bonus = weapon.get(adds)
    words = [f"+{bonus}" if type(bonus) is int and bonus >= 0 else signed(bonus) if type(bonus) is int else bonus]
    name = " ".join(str(each) for each in (weapon.get("name"), *words) if each is not None)
    return ", ".join(str(each) for each in (name, weapon.get("damage")) if each is not None)


def said_stat(stat: Stat, value: object) -> str:
    """Return a stat in short: ``"Dex 2"``, ``"16 hp"``."""
    word = stat.short or _HEAD.split(stat.title or stat.id.replace("_", " ").capitalize())[0]
    if value is True:
        return word
    said = said_plain(value)
    if isinstance(value, (tuple, list)):
        return said
    if isinstance(value, Mapping):
        return f"{word}: {said}"
    return f"{said} {word}" if stat.vital else f"{word} {said}"


def said_left(left: int, most: object) -> str:
    """Return what is left of a vital, and of how many, where that is known: ``"3/10"``."""
    return (f"{left}/{most}" if type(most) is int else str(left)).replace("-", "\N{MINUS SIGN}")


def said_plain(value: object) -> str:
    """Return plain data as words: ``{"walk": 90, "fly": 240}`` is "walk 90, fly 240"."""
    if isinstance(value, Mapping):
        return ", ".join(f"{str(key).replace('_', ' ')} {said_plain(each)}" for key, each in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(map(said_plain, value))
    return signed(value) if type(value) is int else str(value)
