"""Checking what people give: stats by their types and ranges, names by who is there."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from combatkit.core.curtain import SHOWN_AS, bare_of_article
from combatkit.core.dice import DICE, is_dice
from combatkit.core.limits import ALL_CONDITIONS, COMBATANTS, NAME, SIDES, STAT, WORDS
from combatkit.core.model import Effect, Fighter, State
from combatkit.core.plain import bare, check_whole, is_number, is_text, looks, plain, seen, short, whole_number
from combatkit.errors import InvalidInput, UnknownName, close_to, warn
from combatkit.rules.case import Given
from combatkit.rules.catalogue import Action, Catalogue, Stat
from combatkit.rules.params import as_names, kind_of, only_one, stand_for
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.typed import as_meant, parts_of, rows_typed, unranged
from combatkit.rules.weapons import USES, check_uses, letters_of
from combatkit.text import meant_word

_RESERVED = ("GM",)

_ALIKE = 0.87
"""How much a condition looks like one that rules read, if it is a slip: "prne" does, "slowed" and "own" do not."""

_CODES = 8
"""How many code points one visible character may be made of: the most that a joined emoji has."""


def check_stats(
    rules: Ruleset, stats: Mapping[str, object], where: str, held: Mapping[str, object] = MappingProxyType({})
) -> dict[str, Any]:
    """Check stats against a ruleset and fill in the defaults.

    Parameters
    ----------
    rules : Ruleset
        Whose stats they are.
    stats : mapping
        By name.
    where : str
        What to call their owner in an error.
    held : mapping, optional
        The sheet as it was. What it holds already is taken as it is: a rule that came later refuses nobody their sheet.

    Returns
    -------
    dict
        Every stat of the ruleset, in its order; a sparse one only where it is stated.

    Raises
    ------
    UnknownName
        For a stat the ruleset does not have.
    InvalidInput
        For a value of the wrong type or out of range.
    """
    for name in stats:
        if name not in rules.stats:
            raise UnknownName.of("stat", name, rules.stats.ids(), owner=rules.id, where=where)
    checked = {
        s.name: check_stat(s, stats[s.name], where) if stats.get(s.name) is not None else s.default for s in rules.stats
    }
    check_uses(checked.get(USES), where)
    new = {s.name: s.default if checked[s.name] == held.get(s.name) else checked[s.name] for s in rules.stats}
    rules.check_combatant(new, where)
    return {s.name: checked[s.name] for s in rules.stats if not s.sparse or checked[s.name] != s.default}


def check_stat(stat: Stat, value: object, where: str) -> Any:
    """Check one stat's value; lists become tuples, and one of mappings may be typed as text."""
    kinds = stat.type.split("|")
    if isinstance(value, str) and kinds == ["list"] and parts_of(stat):
        value = rows_typed(stat, value, where)
    for kind in kinds:
        if kind == "int" and type(value) is int:
            return check_whole(value, f"{where}: {stat.name}", *(stat.range or ()))
        if kind == "bool" and type(value) is bool:
            return value
        if kind == "text" and is_text(value, WORDS):
            said = meant_word(value, stat.words)
            if _is_said(stat, said):
                return said.strip() if stat.longest else said
        if kind == "dice" and is_dice(value):
            return value
        if kind == "list" and isinstance(value, Sequence) and not isinstance(value, str):
            rows = [unranged(stat, item) if isinstance(item, Mapping) else item for item in value]
            given = check_made(stat, rows, where) if stat.parts else rows
            items = tuple(plain(given, f"{where}: {stat.name}", STAT))
            if not stat.words:
                return items
            if parts_of(stat):
                return tuple(as_meant(stat, item) if isinstance(item, Mapping) else item for item in items)
            return tuple(_as_read(stat, item, where) for item in items)
        if kind == "mapping" and isinstance(value, Mapping):
            return plain(dict(value), f"{where}: {stat.name}", STAT)
    right = " or ".join(_right(stat, kind) for kind in kinds)
    raise InvalidInput(f"{where}: {stat.name} is {short(value)}; give {right}")


def _right(stat: Stat, kind: str) -> str:
    """Say what a stat's value may be, of one kind."""
    match kind:
        case "int":
            return whole_number(*(stat.range or ()))
        case "text" if stat.words:
            return " or ".join(map(repr, stat.words))
        case "text":
            return f"text of 1 to {stat.longest} characters" if stat.longest else "text"
        case "list" if stat.parts:
            return f"a list of mappings with {', '.join(part.name for part in stat.parts)}"
    return {"bool": "True or False", "list": "a list", "mapping": "a mapping", "dice": DICE}[kind]


def _is_said(stat: Stat, value: str) -> bool:
    """Check whether text is one of the words it can be, and as short as it has to be."""
    if stat.longest and not (1 <= seen(value) <= stat.longest and len(value) <= _CODES * stat.longest):
        return False
    return not stat.words or value in stat.words


def check_made(stat: Stat, items: Iterable[Any], where: str) -> list[dict[str, object]]:
    """Check a list of mappings part by part; each has a name, and names differ."""
    parts = {part.name: part for part in stat.parts}
    made: list[dict[str, object]] = []
    taken: set[str] = set()
    for item in items:
        name = item.get("name") if isinstance(item, Mapping) else None
        if not isinstance(name, str) or not is_text(name, NAME) or not name.strip():
            raise InvalidInput(f"{where}: {stat.name} holds {short(item)}; give {', '.join(parts)}, at least a name")
        if name.casefold() in taken:
            raise InvalidInput(f"{where}: {stat.name} has {short(name)} twice; names must differ")
        taken.add(name.casefold())
        for key in item:
            if key not in parts:
                raise UnknownName.of("part", key, parts, owner=name, where=f"{where}: {stat.name}")
        inner = f"{where}: {stat.name}: {name}"
        made.append({key: check_stat(parts[key], value, inner) for key, value in item.items() if value is not None})
    return made


def _as_read(stat: Stat, item: object, where: str) -> str:
    """Return an item of a list as the rules spell it, or as given if no rule reads it."""
    if not is_text(item, NAME) or not item.strip():
        raise InvalidInput(f"{where}: {stat.name} holds {short(item)}; give text")
    return next((word for word in stat.words if letters_of(word) == letters_of(item)), item.strip())


def check_row(rules: Ruleset, table: str, row: Mapping[str, object]) -> None:
    """Check a row of one of a ruleset's tables: its columns exist and hold what they may, and none it needs is missing.

    Raises
    ------
    UnknownName
        For a column that the table does not have.
    InvalidInput
        For a value that is missing or of the wrong kind.
    """
    spec, where = rules.rows[table], f"table {table}, {row.get('id')!r}"
    columns = {"id": Stat("id", "text", longest=NAME), **{column.name: column for column in spec.columns}}
    for name, value in row.items():
        if name not in columns:
            raise UnknownName.of("column", name, columns, owner=table)
        check_stat(columns[name], value, where)
    for name in ("id", *spec.needed):
        if name not in row:
            raise InvalidInput(f"{where}: {name} is missing")


def unread(catalogue: Catalogue[Action], stats: Iterable[Stat], given: Mapping[str, Any]) -> list[str]:
    """Return the words given for a combatant that no rule uses."""
    found = []
    for stat in stats:
        if stat.words and not parts_of(stat):
            found += [item for item in given[stat.name] if item not in stat.words]
        elif stat.actions and given[stat.name]:
            known = {spelled(word) for action in catalogue for word in (action.id, action.title)}
            found += [item for item in given[stat.name] if spelled(str(item)) not in known]
    return found


def spelled(word: str) -> str:
    """Return an action's id or title as both are compared."""
    return word.strip().lower().replace(" ", "_")


def check_name(name: object) -> str:
    """Check a combatant's name: text, not empty, not reserved."""
    given = check_words(name, "a combatant's name")
    if given in _RESERVED:
        raise InvalidInput(f"{given!r} is reserved for the game master (GM); pick another name")
    return given


def check_words(value: object, what: str, most: int = NAME) -> str:
    """Check a name, a side, a group or a condition: text of which something can be seen. Return it as it is kept."""
    given = bare(value) if is_text(value, most) else ""
    if not given:
        raise InvalidInput(f"{what} is {short(value)}; give text of 1 to {most} characters")
    return given


def check_guise(fighters: Mapping[str, Fighter], words: Sequence[str | None], shown_as: str | None) -> None:
    """Refuse another name for somebody that others could be taken for, and what is another's other name.

    Parameters
    ----------
    fighters : mapping
        Who is there, by name.
    words : sequence of str
        Their name, and what else stands for them: their side and their group.
    shown_as : str or None
        What players read for them.

    Raises
    ------
    InvalidInput
        If players read that name for others, or it is their own.
    """
    name = words[0]
    others = [fighter for each, fighter in fighters.items() if each != name]
    worn = Counter(fighter.stats.get(SHOWN_AS) for fighter in others)
    for fighter in others:
        guise = fighter.stats.get(SHOWN_AS)
        for word in filter(None, words):
            if guise and (_is_like(guise, word) or (worn[guise] > 1 and _is_one_of(guise, word, fighter.name))):
                raise InvalidInput(f"{word!r} is what players read for {fighter.name}; give another name")
    if shown_as is None:
        return
    check_name(shown_as)
    if _is_like(shown_as, str(name)):
        raise InvalidInput(f"{name}: shown_as is {shown_as!r}, their own name; give another, or none")
    stands = {word: f.name for f in reversed(others) for word in (f.name, f.side, f.group) if word}
    for word, other in reversed(stands.items()):
        if _is_like(shown_as, word):
            raise InvalidInput(f"{name}: shown_as is {shown_as!r}, which stands for {other}; give another name")


def _is_like(shown_as: str, name: str) -> bool:
    """Check whether somebody could be taken for one of a name, or of its kind."""
    return looks(shown_as) in (looks(name), looks(kind_of(name) or name))


def _is_one_of(shown_as: str, name: str, bearer: str) -> bool:
    """Check whether a name has a number, and is of a kind as which several others are shown: "thug 2"."""
    kind = kind_of(name)
    if kind is None or kind == kind_of(bearer):
        return False
    return looks(kind.casefold()) == looks(bare_of_article(shown_as).casefold())


def check_side(state: State, side: object, name: str) -> str:
    """Check a side: one that differs from another only in case is that one, misspelled."""
    given = check_words(side, f"{name}: side")
    sides = {fighter.side for fighter in state.fighters.values()}
    alike = None if given in sides else next((s for s in sides if s.casefold() == given.casefold()), None)
    if alike is not None:
        raise InvalidInput(f"{name}: side is {given!r}, and there is a side {alike!r}; write it as that one")
    return given


def check_map(map: object) -> list[object]:
    """Check that a map is a list of plain values; what they must be is the system's."""
    if isinstance(map, (str, Mapping)) or not isinstance(map, Iterable):
        raise InvalidInput(f"map is {short(map)}; give a list")
    checked: list[object] = plain(list(map), "map")
    return checked


def check_segment(rules: Ruleset, segment: object) -> int:
    """Check when in a round something happened: in one of its segments, where the system counts any."""
    number = check_whole(segment, "segment")
    if rules.segments and not 1 <= number <= rules.segments:
        raise InvalidInput(f"segment is {number}; a round has 1 to {rules.segments}")
    return number


def check_count(rules: Ruleset, count: object) -> int | str:
    """Check the score the GM puts somebody on: a whole number, or one of the system's own words for one."""
    if isinstance(count, str) and count.upper() in rules.count_words:
        return count.upper()
    if is_number(count):
        return count
    words = f"{' or '.join(map(repr, rules.count_words))}, or " if rules.count_words else ""
    raise InvalidInput(f"place: count is {short(count)}; give {words}a whole number")


def check_condition(id: object) -> str:
    """Check a condition's id: text, not empty."""
    return check_words(id, "condition", 100)


def known_condition(rules: Ruleset, id: str) -> str:
    """Return the id of a condition that rules read, however it is spelled: "In melee" is ``in_melee``; else the text.

    Any text is a condition: of one that looks like a slip of the pen there is only a warning.
    """
    spelled = _spelled(id)
    if spelled in rules.read:
        return spelled
    if near := close_to(spelled, sorted(rules.read), 1, _ALIKE):
        warn(f"condition {id}: no rule reads it; did you mean {near[0]}?")
    return id


def _spelled(id: str) -> str:
    return "_".join(id.casefold().replace("-", " ").replace("_", " ").split())


def check_by_hand(rules: Ruleset, state: State, given: Given) -> None:
    """Refuse to begin by hand what only an action of this fight gives."""
    who, id = given.who, given.id
    action = rules.catalogue(state).get(rules.giver(state.options, id))
    if action is not None:
        raise InvalidInput(f'condition {id}: only an action gives it; use do("{who}", "{action.id}", ...)')


def check_said(rules: Ruleset, state: State, given: Given, first: str = "") -> None:
    """Refuse a condition that no rule would read as it is given; what comes `first` is said before the call for it."""
    who, id = given.who, given.id
    needs = rules.conditions[id].needs if id in rules.conditions else None
    if needs is None or given.modifiers:
        return
    if given.value is None:
        says = "whom" if isinstance(needs, str) else "how much"
        call = f'condition("{who}", "{id}", value={json.dumps(needs)})'
        raise InvalidInput(f"condition {id}: {first}say {says}, as in {call}")
    others = state.fighters.keys() - {who}
    if isinstance(needs, str) and not (isinstance(given.value, str) and given.value in others):
        raise InvalidInput(f"condition {id}: value is {short(given.value)}; give who else it is about")


def check_begins(rules: Ruleset, state: State, who: object, conditions: object) -> tuple[str, ...]:
    """Return the conditions somebody is to come with; refuse one that no rule would read without its value."""
    begins = as_names(conditions, of="condition")
    for each in begins:
        check_said(rules, state, Given(str(who), _spelled(each)), f"bring {who} in first, then ")
    return begins


def check_conditions(state: State, more: int) -> None:
    """Refuse more conditions than a fight has room for."""
    held = sum(len(fighter.effects) for fighter in state.fighters.values()) if more else 0
    if more and held + more > ALL_CONDITIONS:
        raise InvalidInput(f"this fight has {held:,} conditions and room for {ALL_CONDITIONS:,}; end some first")


def check_known(state: State, names: object, *, gone: bool = False) -> tuple[str, ...]:
    """Return everybody named, alone or in a list, a set or a column; a group, a side or a kind is all who are in it.

    Of those in one, only they are meant who are still there, or else who are `gone`.
    """
    return tuple(dict.fromkeys([each for name in as_names(names, state) for each in stand_for(state, name, gone=gone)]))


def check_some(state: State, names: object, call: str, *, gone: bool = False) -> tuple[str, ...]:
    """Check that a call names at least one combatant, and that everybody named is in the fight."""
    known = check_known(state, names, gone=gone)
    if not known:
        raise InvalidInput(f"{call}: name at least one combatant")
    return known


_UNTIL = {"end of round": "round_end", "end of step": "step_end"}
_UNTIL_OWN = {"start of turn": "turn_start", "end of turn": "turn_end", "next action": "action"}


_ROUNDS = re.compile(r"([1-9]\d{0,3}) rounds?")


def anchor_of(state: State, name: str, until: object) -> tuple[str | None, int]:
    """Return the anchor of an ending said in words, and how many rounds it is off if it is said in those.

    The words are "end of round", "start of turn", "start of turn: NAME", "3 rounds" ...

    Raises
    ------
    InvalidInput
        If it isn't one of the endings there are.
    """
    if until is None:
        return None, 0
    if isinstance(until, str):
        head, colon, who = until.partition(":")
        head, who = head.strip().casefold(), bare(who)
        if head in _UNTIL and not colon:
            return _UNTIL[head], 0
        if (found := _ROUNDS.fullmatch(head)) and not colon:
            return f"turn_end:{name}", int(found[1])
        if head in _UNTIL_OWN:
            if colon:
                who = only_one(state, who)
            return f"{_UNTIL_OWN[head]}:{who or name}", 0
    known = ", ".join(repr(k) for k in (*_UNTIL, *_UNTIL_OWN, "start of turn: NAME", "end of turn: NAME", "3 rounds"))
    raise InvalidInput(f"until is {until!r}; give one of {known}, or leave it out")


def say_until(rules: Ruleset, name: str, effect: Effect) -> str | None:
    """Say in the system's own words, as `condition` takes them, how long a condition lasts; of rounds, what is left."""
    anchor = effect.anchor
    if effect.rounds:
        return rules.said_span(f"{effect.rounds} round{'s' if effect.rounds > 1 else ''}")
    if anchor is None:
        return None
    head, _, who = anchor.partition(":")
    words = next((words for words, key in {**_UNTIL, **_UNTIL_OWN}.items() if key == head), None)
    if words is not None:
        return rules.said_span(words) if not who or who == name else f"{words}: {who}"
    if head == "place":
        return "own place passed"
    return "own turn" if head == "turn" else head.replace("_", " ")


def tell_until(rules: Ruleset, name: str, effect: Effect) -> str:
    """Say in a sentence when a condition ends that counts no rounds: "until the end of their turn"."""
    head, _, who = (effect.anchor or "").partition(":")
    own = not who or who == name
    match head:
        case "turn_start":
            return "until the start of their turn" if own else f"until the start of {who}'s turn"
        case "turn_end":
            return "until the end of their turn" if own else f"until the end of {who}'s turn"
        case "action":
            return "until their next action" if own else f"until {who}'s next action"
        case "round_end" | "step_end":
            whole = rules.said_span(f"end of {head.removesuffix('_end')}").removeprefix("end of ")
            return f"until the end of the {whole}"
        case "turn":
            return "until their own turn" if own else f"until {who}'s own turn"
        case "place":
            return "until their own place has passed"
    return f"until {say_until(rules, name, effect)}"


def check_room(fighters: Collection[Fighter], count: int, side: str) -> None:
    """Refuse more combatants, or sides, than a fight has room for."""
    if len(fighters) + count > COMBATANTS:
        raise InvalidInput(f"a fight holds at most {COMBATANTS:,} combatants; it has {len(fighters):,}")
    sides = {fighter.side for fighter in fighters}
    if side not in sides and len(sides) >= SIDES:
        raise InvalidInput(f"a fight has at most {SIDES} sides, and this one is full; use one of its sides")
