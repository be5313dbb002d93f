"""What is given with an action: its types, and how a wrong value is refused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from combatkit.core.dice import DICE, Dice
from combatkit.core.limits import MODIFIERS, NAMES, PATH, VALUE, WORDS
from combatkit.core.plain import bare, check_whole, is_number, is_text, own, plain, short
from combatkit.errors import InvalidInput, UnknownName, within
from combatkit.text import PLAIN, Said, Title, say, say_names
from combatkit.text.words import SEVERAL

if TYPE_CHECKING:
    from combatkit.core.model import Fighter, State
    from combatkit.rules.catalogue import Action, ParameterSpec
    from combatkit.rules.ruleset import Ruleset


OUTCOMES = ("hit", "miss", "failed", "foiled", "negated")

ALWAYS = frozenset({"pay", "modifiers", "option"})
"""What may be given with any action."""

CARRIERS = frozenset({"action", "trigger", "threat"})
"""What belongs to an action that keeps or carries another one, and not to that."""


def as_names(value: Any, state: State | None = None, of: str = "combatant") -> tuple[str, ...]:
    """Return a name or names as a tuple; those of a set in the order of the ladder, then of adding, then of letters.

    What they are names `of` is said where one is refused.

    Raises
    ------
    InvalidInput
        If it is neither.
    """
    if isinstance(value, str):
        return (bare(str(value)),)
    if isinstance(value, (tuple, list)) or (isinstance(value, Iterable) and not isinstance(value, Mapping)):
        names = tuple(islice(value, NAMES + 1))
        if len(names) > NAMES:
            raise InvalidInput(f"there are more than {NAMES:,} names; give at most that many")
        if all(isinstance(name, str) for name in names):
            names = tuple([bare(str(name)) for name in names])
            return tuple(sorted(names, key=_rank(state))) if isinstance(value, (set, frozenset)) else names
    raise InvalidInput(f"{short(value)} is not a name; give a {of}'s name, or several")


def _rank(state: State | None) -> Callable[[str], tuple[int, str]]:
    """Return what puts names in the order of the ladder, those who aren't on it in that of adding, others last."""
    ladder = [] if state is None else [*(place.who for place in state.agenda), *state.fighters]
    ranks = {who: number for number, who in reversed([*enumerate(ladder)])}
    return lambda name: (ranks.get(name, len(ladder)), name)


def stand_for(state: State, name: str, *, gone: bool = False) -> tuple[str, ...]:
    """Return whom a name stands for: a combatant, else a group, a side, or all the numbers of a kind.

    The dead and those who have left are not meant by a group, a side or a kind; of those who are `gone`, only the dead.

    Raises
    ------
    UnknownName
        If it stands for nobody; it suggests the nearest combatant, group or side.
    InvalidInput
        If all for whom it stands are dead or have left.
    """
    if name in state.fighters:
        return (name,)
    alive = [f for f in state.fighters.values() if f.effect("dead") is None]
    if found := _named([f for f in alive if (f.effect("left") is not None) is gone], name):
        return found
    if others := meant_by(state, name):
        why = "nobody who has left" if gone else "nobody now: all are dead or have left"
        raise InvalidInput(f"{name!r} stands for {why}; name {others[0]!r}, for one")
    labels = [label for f in state.fighters.values() for label in (f.group, f.side) if label]
    raise UnknownName.of("combatant", name, dict.fromkeys([*state.fighters, *labels]))


def meant_by(state: State, name: str) -> tuple[str, ...]:
    """Return whom a name stands for, the dead and those who have left too; nobody if nobody is called so."""
    return (name,) if name in state.fighters else _named(state.fighters.values(), name)


def _named(fighters: Iterable[Fighter], name: str) -> tuple[str, ...]:
    for named in (_group, _side, _kind):
        if found := tuple([fighter.name for fighter in fighters if named(fighter) == name]):
            return found
    return ()


def _group(fighter: Fighter) -> str | None:
    return fighter.group


def _side(fighter: Fighter) -> str:
    return fighter.side


def _kind(fighter: Fighter) -> str | None:
    return kind_of(fighter.name)


def kind_of(name: str) -> str | None:
    """Return what a name is without its number, if it has one."""
    kind, _, number = name.rpartition(" ")
    return kind if number.isdigit() else None


def only_one(state: State, name: str) -> str:
    """Return whom a name stands for where somebody alone is meant.

    Raises
    ------
    InvalidInput
        If it stands for several; it lists them.
    """
    first, *others = stand_for(state, name)
    if others:
        names, more = [first, *others][:SEVERAL], len(others) + 1 - SEVERAL
        raise InvalidInput(
            f"{name!r} stands for {', '.join(names)}{f' and {more} more' * (more > 0)}; name one of them"
        )
    return first


def refuse_twice(names: tuple[str, ...], where: str) -> None:
    """Refuse a name that is given twice where each stands for somebody once."""
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidInput(f"{where}: {twice} is named twice; name everybody once")


def check_params(rules: Ruleset, state: State, action: Action, params: Mapping[str, object]) -> dict[str, object]:
    """Check an action's parameters one by one and give them in plain form.

    Raises
    ------
    UnknownName
        For a parameter no action has, or a name nobody has.
    InvalidInput
        For a parameter this action does not take, or a value of the wrong kind.
    """
    if not params:
        return {}
    checked: dict[str, object] = {}
    for id, value in params.items():
        spec = rules.parameters.get(id)
        if spec is None:
            raise UnknownName.of("parameter", id, sorted(action.takes) or sorted(ALWAYS), owner=action.id)
        if value is None:
            continue
        if id not in action.takes and id not in ALWAYS and not (id == "trigger" and "reaction" in action.when):
            right = ", ".join(sorted(action.takes)) or "none"
            raise InvalidInput(f"{action.id} takes no {id!r}; its parameters are: {right}")
        given = own(value)
        if id in action.facts.get("blows", ()) and isinstance(given, (list, tuple)) and given:
            checked[id] = [_check(rules, state, action, spec, each) for each in islice(given, NAMES)]
        else:
            checked[id] = _check(rules, state, action, spec, given)
    return checked


def _check(rules: Ruleset, state: State, action: Action, spec: ParameterSpec, value: object) -> object:
    where = f"{action.id}: {spec.id}"
    match spec.kind:
        case "int":
            return check_whole(value, where)
        case "name" | "names":
            names = as_names(value, state) if isinstance(value, (str, list, tuple, set, frozenset)) else None
            if names is None or not (names or spec.nobody) or (spec.kind == "name" and len(names) != 1):
                raise InvalidInput(f"{where} is {short(value)}; give a combatant's name")
            if spec.kind == "name":
                return only_one(state, names[0])
            if not state.fighters.keys() >= set(names):
                if rules.takes_one(action):  # who is named one by one is refused by its rule
                    names = tuple([only_one(state, name) for name in names])
                names = tuple([each for name in names for each in stand_for(state, name)])
            if spec.id == "target" and "blows" not in action.facts:
                refuse_twice(names, where)
            return list(names)
        case "action":
            return find_action(rules, state, value).id
        case "trigger":
            return _trigger(rules, state, where, value)
        case "places":
            return _places(rules, state, where, value)
        case "dice":
            value = rules.as_dice(value)
            if not rules.takes_dice(value):
                right = DICE.replace("2d6+3", rules.notation(Dice(3, 6, 2)))
                raise InvalidInput(f"{where} is {short(value)}; give {right}")
        case "outcome":
            if value not in OUTCOMES:
                if "outcome" in action.takes and "action" not in action.takes:
                    return plain(value, where, VALUE)  # `grounds` says which outcomes the action can have
                raise InvalidInput(f"{where} is {short(value)}; give one of {', '.join(OUTCOMES)}")
        case "modifiers":
            if not is_number(value) and not is_modifiers(value):
                raise InvalidInput(
                    f"{where} is {short(value)}; give a number, or up to {MODIFIERS} by name: {{'cover': -2}}"
                )
            return dict(value) if isinstance(value, Mapping) else value
        case "any":
            return plain(value, where, VALUE)
        case "text":
            if not is_text(value, WORDS) or not value.strip():
                raise InvalidInput(
                    f"{where} is {short(value)}; give text of at most {WORDS} characters, or leave it out"
                )
    return value


def _places(rules: Ruleset, state: State, where: str, value: Any) -> object:
    """Return a place, or a path of them, plain: an event holds lists, not tuples."""
    path = isinstance(value, (list, tuple)) and not (len(value) == 2 and all(type(n) is int for n in value))
    if path and not value:
        raise InvalidInput(f"{where} is {short(value)}; give a place, or a path of them")
    if path and len(value) > PATH:
        raise InvalidInput(f"{where} has {len(value):,} places; give at most {PATH:,}")
    with within(where):
        spots = [rules.board.check_position(state.map, each) for each in (value if path else [value])]
    plain = [list(spot) if isinstance(spot, tuple) else spot for spot in spots]
    return plain if path else plain[0]


def find_action(rules: Ruleset, state: State, name: object) -> Action:
    """Find an action by id, among the ruleset's and those a user supplied.

    Raises
    ------
    UnknownName
        If there is none; it suggests the nearest.
    """
    catalogue = rules.catalogue(state)
    found = catalogue.get(name) if isinstance(name, str) else None
    if found is None:
        word = name.lower() if isinstance(name, str) else ""
        hint = rules.hints.get(word) or " or ".join(action.id for action in catalogue if word in action.names)
        if hint:
            raise UnknownName(f"{rules.id} has no action {name!r}: here it is {hint}")
        raise UnknownName.of("action", name, catalogue.ids(), owner=rules.id)
    return found


def find_answer(rules: Ruleset, state: State, name: object) -> Action:
    """Find an action that can answer what somebody does, by id.

    Raises
    ------
    UnknownName
        If there is none; it suggests the nearest.
    InvalidInput
        If it answers nothing, as what is done on one's own turn or at any time; it says what does.
    """
    found = find_action(rules, state, name)
    if "reaction" not in found.when:
        answers = say_names([each.id for each in rules.catalogue(state) if "reaction" in each.when], " or ")
        raise InvalidInput(f"trigger: {found.id} answers nothing that others do; give {answers}")
    return found


def check_modifiers(value: Mapping[str, int] | None, where: str) -> dict[str, int]:
    """Check the numbers that a condition changes, by name; without any there are none."""
    if value is not None and not is_modifiers(value):
        raise InvalidInput(f"{where}: modifiers is {short(value)}; give up to {MODIFIERS} whole numbers by name")
    return dict(value or {})


def is_modifiers(value: object) -> bool:
    """Check whether a value is a mapping of names to numbers."""
    return (
        isinstance(value, Mapping)
        and len(value) <= MODIFIERS
        and all(is_text(k, 100) and is_number(v) for k, v in value.items())
    )


KINDS = {"move": "movement", "attack": "attack"}
"""What a trigger may wait for of any kind, by the word for it, with the tag of all that it covers."""

_TRIGGER_KEYS = ("actor", "side", "action", "target", "text")


def _trigger(rules: Ruleset, state: State, where: str, value: object) -> object:
    """Check a trigger: words, or a mapping whose names all exist."""
    if is_text(value, WORDS) and value.strip():
        return value
    if not isinstance(value, Mapping) or not value:
        raise InvalidInput(f"{where} is {short(value)}; give text, or a mapping of {', '.join(_TRIGGER_KEYS)}")
    for key, inner in value.items():
        if key not in _TRIGGER_KEYS:
            raise UnknownName.of("part of a trigger", key, _TRIGGER_KEYS)
        if not is_text(inner, WORDS) or not inner.strip():
            raise InvalidInput(f"{where}: {key} is {short(inner)}; give text")
        known = _known_to_triggers(rules, state, key)
        if known is not None and inner not in known and not (key in ("actor", "target") and meant_by(state, inner)):
            raise UnknownName.of(f"{key} of a trigger", inner, known)
    deed = value.get("action")
    found = None if deed is None or deed in KINDS.values() else rules.catalogue(state).get(deed)
    meant = KINDS.get(str(deed)) or (deed if found is None else found.id)  # by whichever of its ids
    return dict(value) if deed is None else {**value, "action": meant}


def _known_to_triggers(rules: Ruleset, state: State, key: str) -> Collection[str] | None:
    match key:
        case "actor" | "target":
            return state.fighters
        case "side":
            return {fighter.side: None for fighter in state.fighters.values()}
        case "action":
            catalogue = rules.catalogue(state)
            return dict.fromkeys([*catalogue.by_id, *KINDS, *(tag for action in catalogue for tag in action.tags)])
    return None


def said_trigger(trigger: str | Mapping[str, str], rules: Ruleset, state: State) -> Said:
    """Return how a trigger is told: in somebody's own words, or as a sentence made of a mapping's parts."""
    actions = rules.catalogue(state).by_id
    if isinstance(trigger, str):
        return say(PLAIN, text=trigger)
    side = say("trigger.one_of", side=trigger["side"]) if "side" in trigger else ""
    who = _anybody(state, trigger.get("actor", "")) or side
    target = _anybody(state, trigger.get("target", ""))
    deed, text = trigger.get("action", ""), trigger.get("text", "")
    if text and not deed and not target:
        return say("trigger.told", of="does" if who and _says_what(text) else "", who=who, text=text)
    found = None if deed in KINDS.values() else actions.get(deed)
    if deed in KINDS.values():
        does = say(f"trigger.any_{deed}{'_on' if target else ''}")
    elif found is not None:
        does, target = found.said(target or (say("trigger.somebody") if found.hangs else "")), ""
    elif deed:
        does = say("trigger.any_of", tag=Title(deed.replace("_", " ")))
    else:
        does = say("trigger.does_to" if target else "trigger.does")
    return say("trigger.does_that", who=who or say("trigger.somebody"), does=does, target=target, text=text)


_NO_DEEDS = frozenset(("as", "his", "its", "others", "perhaps", "plus", "this"))
"""Short words that end like what somebody does, and are none of it."""


def _says_what(text: str) -> bool:
    """Check whether a trigger's words go on from a name: "draws a blade", "is hit"."""
    word = text.split(" ", 1)[0]
    return word.islower() and word.endswith("s") and not word.endswith("ss") and word not in _NO_DEEDS


def _anybody(state: State, name: str) -> str | Said:
    """Return a name in a trigger as it is told: of what stands for several, that anybody of them is meant."""
    if name in state.fighters or not (meant := meant_by(state, name)):
        return name
    return say("trigger.one_kind" if kind_of(meant[0]) == name else "trigger.one_of", side=name)


def trigger_text(rules: Ruleset, state: State, trigger: str | Mapping[str, str]) -> str:
    """Return a trigger in words, for use outside the log."""
    return rules.languages[state.language].render(said_trigger(trigger, rules, state))
