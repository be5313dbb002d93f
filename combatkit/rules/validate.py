"""Whether a ruleset that somebody adds is complete: what it names exists, and it has what the engine asks for.

Tests check the kit's own rulesets, so they are not checked each time.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from inspect import getfile
from pathlib import Path

from msgspec.json import encode

from combatkit.core.plain import check_whole, is_number, is_text, plain, short
from combatkit.errors import InvalidInput, within
from combatkit.rules.case import Mechanism
from combatkit.rules.catalogue import (
    COLUMN_KINDS,
    ELSEWHERE,
    KINDS,
    MARKS,
    PLACES,
    REACTION,
    TAG,
    WHEN,
    Action,
    Catalogue,
    Cost,
    Rule,
    Setting,
    Stat,
)
from combatkit.rules.checks import check_stat, check_words
from combatkit.rules.ladder import STATUSES
from combatkit.rules.mechanisms import MECHANISMS
from combatkit.rules.reading import unknown
from combatkit.rules.rulebook import EVENTS, UNAWARE, ActionList, Boundary
from combatkit.rules.ruleset import Ruleset
from combatkit.text import languages

CITED = {"order": True, "one_turn": True, "reaction": True} | dict.fromkeys(
    ("able", "interrupted", "length", "outside_turn", "removed", "share", "through", "window"), False
)
"""What a folder's ``[cite]`` names rules for, and whether the engine needs it."""

USUAL = 12
"""How many actions of a catalogue may be usual; more wouldn't help anybody find one."""

_SAID = {"for": ("actor",), "lasts": ("round", "next_turn")}
"""All that these facts of an action can say."""
_LISTS = ("actions", "besides", "blows", "examples", "frees", "helpless", "kinds", "kinds_of")
_TABLES = ("bound_if", "lapses_if", "modifiers")
"""The facts of an action that are lists, and tables."""

_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,59}")
_KINDS = ("mechanical", "definition", "gm")
_TYPES = ("int", "bool", "text", "list", "mapping")
NEEDED = ("mechanisms", "steps", "initiative")
"""What every ruleset has to say itself, since no default would be right."""
_BEGIN = "let it call super().__init__(Path(__file__).parent, STATS)"
_TAKEN = ("name", "side", "count", "npc", "group", "at", "conditions", "rolls", "ties")
"""Names that `Encounter.add` and `Encounter.join` use themselves, so no stat may have them."""


def check_class(given: object, where: str) -> type[Ruleset]:
    """Check what a folder's ``RULESET`` names.

    Parameters
    ----------
    given : object
        What it names.
    where : str
        The file, for error messages.

    Returns
    -------
    type
        A subclass of `Ruleset` with everything that has no default.

    Raises
    ------
    InvalidInput
        If it is something else, or lacks one of them.
    """
    if not isinstance(given, type) or not issubclass(given, Ruleset) or given is Ruleset:
        raise InvalidInput(f"{where}: RULESET is {short(given)}; name your subclass of combatkit.rules.ruleset.Ruleset")
    lacking = [name for name in NEEDED if getattr(given, name) is getattr(Ruleset, name)]
    if given.__init__ is Ruleset.__init__:
        raise InvalidInput(f"{where}: {given.__name__} lacks an __init__ of its own, without arguments; {_BEGIN}")
    if lacking:
        raise InvalidInput(f"{where}: {given.__name__} lacks {', '.join(lacking)}; none has a default; define each")
    ways: object = given.mechanisms
    if not isinstance(ways, Mapping) or not all(isinstance(each, Mechanism) for each in ways.values()):
        raise InvalidInput(f"{where}: mechanisms is {short(ways)}; give a dict of Mechanism that includes MECHANISMS")
    return given


def check_ruleset(rules: Ruleset, name: str) -> None:
    """Check that a ruleset is complete.

    Parameters
    ----------
    rules : Ruleset
        The ruleset.
    name : str
        What its folder is called, for error messages.

    Raises
    ------
    UnknownName
        For a rule, cost, pool, option, parameter or mechanism that is named but doesn't exist.
    InvalidInput
        For anything else that is wrong; both name the file and the entry.
    """
    words, data, code = (f"{name}/{file}" for file in ("rules.toml", "actions.toml", "ruleset.py"))
    if not hasattr(rules, "needs"):
        made = type(rules).__name__
        raise InvalidInput(f"{code}: the __init__ of {made} never calls Ruleset's own; {_BEGIN}")
    for id in languages(rules.folder):
        rules.languages[id]
    _check_head(rules, words)
    for stat in rules.stats:
        _check_stat(stat, f"{name}/stats.py, {stat.name!r}")
    for id, setting in rules.options.items():
        _check_option(rules, id, setting, f"{words}, option {id!r}")
    for number, row in enumerate(rules.boundaries.rows, 1):
        _check_boundary(rules, row, f"{words}, [[boundaries]] number {number}")
    for slot in rules.slots:
        check_words(slot.id, f"{data}, [[slots]]: id", 100)
        if slot.endless is not None:
            _check_each("stat", (slot.endless.stat,), rules.stats.ids(), f"{data}, slot {slot.id!r}")
            _check_each("option", (slot.endless.option,), rules.options, f"{data}, slot {slot.id!r}")
    for cost in rules.costs:
        _check_cost(rules, cost, f"{data}, cost {cost.id!r}")
    for cap in rules.caps:
        where = f"{data}, cap {cap.id!r}"
        _check_rules(rules, (cap.rule,), where)
        _check_each("cost", cap.over, rules.costs.ids(), where)
        _check_reason(cap.reason, where)
    for each in rules.conditions:
        check_words(each.id, f"{data}, conditions: id", 100)
        where = f"{data}, condition {each.id!r}"
        _check_each("status", filter(None, (each.status,)), (*STATUSES, each.id), where)
        _check_each("mark", filter(None, (each.mark,)), MARKS, where)
        if each.mark and not each.status:
            raise InvalidInput(f"{where}: a mark stands beside a status; give a status too")
        if each.secret and (each.status or each.out or each.fallen):
            raise InvalidInput(
                f"{where}: everybody sees a status and who is out or fallen; leave it, or don't be secret"
            )
        _check_rules(rules, (each.rule,), where)
        tags = {TAG + tag for action in rules.actions for tag in action.tags}
        _check_each("thing to forbid", each.forbids, (REACTION, *sorted(tags)), where)
        _check_each("thing told elsewhere", each.elsewhere, ELSEWHERE, where)
    for column in rules.columns:
        check_words(column.id, f"{data}, columns: id", 100)
        _check_each("kind of column", (column.kind,), COLUMN_KINDS, f"{data}, column {column.id!r}")
    _check_each("table", rules.rows, rules.tables, f"{data}, [rows]")
    for table, rows in rules.rows.items():
        for stat in rows.columns:
            _check_stat(stat, f"{data}, [rows.{table}], {stat.name!r}", inner=True)
    for spec in rules.parameters:
        check_words(spec.id, f"{data}, [[parameters]]: id", 100)
        _check_each("kind of parameter", (spec.kind,), KINDS, f"{data}, parameter {spec.id!r}")
    _check_each("purpose", filter(None, rules.purposes.values()), rules.purposes, f"{data}, [purposes]")
    _check_each("option", filter(None, (rules.foes_option, rules.length_option)), rules.options, code)
    facts = (*rules.facts, *_spelled(rules))
    for action in rules.actions:
        _check_action(rules, action, None, f"{data}, action {action.id!r}")
        _check_each("fact", action.facts, facts, f"{data}, action {action.id!r}")
    _check_usual(rules.actions, data)
    for id, lists in rules.lists.items():
        for value, brought in lists.items():
            where = f"{name}/{rules.options[id].lists[value]}"
            _check_list(rules, brought, where)
            for action in brought.added:
                _check_each("fact", action.facts, facts, f"{where}, action {action.id!r}")


def _spelled(rules: Ruleset) -> list[str]:
    """Return what a system's own code may call a fact by: each word that is spelled in it, beside all its classes."""
    folders = {Path(getfile(each)).parent for each in type(rules).__mro__ if issubclass(each, Ruleset)}
    folders.discard(Path(getfile(Ruleset)).parent)
    spelled = set[str]()
    for path in [path for folder in folders for path in folder.glob("*.py")]:
        with suppress(SyntaxError, ValueError):  # what is no Python reads nothing
            constants = [each for each in ast.walk(ast.parse(path.read_bytes())) if isinstance(each, ast.Constant)]
            spelled |= {each.value for each in constants if isinstance(each.value, str) and each.value.isidentifier()}
    return sorted(spelled)


def _check_head(rules: Ruleset, where: str) -> None:
    id: object = rules.id
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise InvalidInput(f"{where}: id is {short(id)}; give letters, digits, _ or -, a letter first, at most 60")
    for what in ("title", "source"):
        check_words(getattr(rules, what), f"{where}: {what}", 500)
    check_whole(rules.order, f"{where}: order")
    for rule in rules.rules:
        _check_rule(rules, rule, f"{where}, rule {rule.id!r}")
    for key, rule_id in rules.cite.items():
        _check_each("key", (key,), CITED, f"{where}, [cite]")
        _check_rules(rules, (rule_id,), f"{where}, [cite] {key}")
    lacking = [key for key, needed in CITED.items() if needed and not rules.cite.get(key)]
    if lacking:
        raise InvalidInput(f"{where}: [cite] lacks {', '.join(lacking)}; name the rule for the engine to cite")


def _check_rule(rules: Ruleset, rule: Rule, where: str) -> None:
    head = f"{rules.id}."
    if not rule.id.startswith(head) or rule.id == head:
        raise InvalidInput(f"{where}: a rule's id starts with its ruleset's; begin it with {head!r}")
    _check_each("kind of rule", (rule.kind,), _KINDS, where)
    if rule.shown:
        _check_shown(rules, rule.shown, where)


def _check_list(rules: Ruleset, brought: ActionList, where: str) -> None:
    """Check a list of actions that an option brings, its rules, and the defaults it gives other options."""
    for rule in brought.rules:
        _check_rule(rules, rule, f"{where}, rule {rule.id!r}")
    for option, value in brought.defaults.items():
        _check_each("option", (option,), rules.options, f"{where}, [defaults]")
        with within(f"{where}, [defaults]"):
            rules.check_option(option, rules.options[option], value)
    for cost in brought.costs:
        if cost.id in rules.costs.ids():
            raise InvalidInput(f"{where}: {cost.id!r} is a cost of the folder's own; give it another id")
        _check_cost(rules, rules.costs[cost.id], f"{where}, cost {cost.id!r}")
    for action in brought.added:
        _check_action(rules, action, brought, f"{where}, action {action.id!r}")
    _check_usual(brought.actions, where)


def _check_shown(rules: Ruleset, shown: str, where: str) -> None:
    """Check that a definition names a place that exists, and something in it."""
    place, _, what = shown.partition(":")
    _check_each("place", (place,), PLACES, where)
    known = {
        "action": rules.actions.ids(),
        "cost": rules.costs.ids(),
        "option": tuple(rules.options),
        "slot": rules.slots.ids(),
        "source": ("title", "source"),
        "stat": rules.stats.ids(),
        "table": tuple(rules.tables),
    }.get(place)
    if not what:
        raise InvalidInput(f"{where}: shown is {shown!r}; write {place}:WHAT")
    if known is not None:
        _check_each(place, (what,), known, where)


def _check_stat(stat: Stat, where: str, inner: bool = False) -> None:
    """Check a stat, or a part of one, which may have any name."""
    bounds: object = stat.range
    if not stat.name.isidentifier() or (stat.name in _TAKEN and not inner):
        raise InvalidInput(f"{where}: that can't be a stat's name; use letters, digits and _, but none of {_TAKEN}")
    kinds = str(stat.type).split("|")
    _check_each("type of stat", kinds, _TYPES if not inner else (*_TYPES, "dice"), where)
    for part in stat.parts:
        _check_stat(part, f"{where}: {part.name!r}", inner=True)
    if bounds is not None:
        ends = bounds if isinstance(bounds, (tuple, list)) else ()
        stated = [end for end in ends if end is not None]
        if len(ends) != 2 or not all(is_number(end) for end in stated) or stated != sorted(stated):
            raise InvalidInput(f"{where}: range is {short(bounds)}; give (lowest, highest), or None for no end")
    if stat.vital and "int" not in kinds:
        raise InvalidInput(f"{where}: a vital goes down and up, so its type is int, not {stat.type}")
    for value in (stat.default, stat.example):
        if value is not None:
            check_stat(stat, value, where)


def _check_option(rules: Ruleset, id: str, setting: Setting, where: str) -> None:
    check_words(id, f"{where}: id", 100)
    _check_rules(rules, setting.rules, where)
    _check_each("value that brings a list", setting.lists, [v for v in setting.values if isinstance(v, str)], where)
    for value in setting.values:
        if plain(value, where) != value:
            raise InvalidInput(f"{where} lists {short(value)}; give what JSON can hold: text, numbers, lists")


def _check_boundary(rules: Ruleset, row: Boundary, where: str) -> None:
    """Check that a row names events the engine logs, existing rules and options, and values they take."""
    for at in row.at:
        head, _, about = at.partition(":")
        _check_each("kind of event", (head,), EVENTS, where)
        known = rules.actions.ids() if head in ("declined", "interrupted") else EVENTS[head]
        if (known is None) == bool(about):
            right = f"write {head} alone" if known is None else f"write {head}:WHAT"
            raise InvalidInput(f"{where}: at has {at!r}; {right}")
        if about and known:
            _check_each(f"kind of {head}", (about,), known, where)
    _check_rules(rules, row.rules, where)
    _check_each("share of the surprised", row.unaware, UNAWARE, where)
    for option, value in row.when:
        _check_value(rules, option, value, where)


def _check_value(rules: Ruleset, option: str, value: object, where: str) -> None:
    """Check that there is such an option, and that it can have the value given for it."""
    _check_each("option", (option,), rules.options, where)
    setting = rules.options[option]
    if not setting.open and value not in setting.values:
        right = ", ".join(repr(v) for v in setting.values)
        raise InvalidInput(f"{where}: {option} is never {short(value)}; its values are {right}")


def _check_cost(rules: Ruleset, cost: Cost, where: str) -> None:
    check_words(cost.id, f"{where}: id", 100)
    _check_rules(rules, (cost.rule, *cost.rules, cost.spent_rule, cost.again_rule), where)
    _check_each("cost", filter(None, (cost.of,)), rules.costs.ids(), where)
    if not is_number(cost.times) or cost.times < 1 or (cost.times > 1 and not cost.of):
        raise InvalidInput(f"{where}: times is {short(cost.times)}; give how many times the cost named by of, from 1")
    _check_pools(rules, cost.pay, where)
    for option, value, pay in cost.when:
        _check_value(rules, option, value, where)
        _check_pools(rules, pay, where)


def _check_pools(rules: Ruleset, ways: Iterable[tuple[str, ...]], where: str) -> None:
    """Check the pools that costs take from.

    A keyed pool (``attempt:43``) exists from its first use; a system with ways of its own may key any.
    """
    if type(rules).payments is not Ruleset.payments:
        return
    known = (*rules.slots.ids(), *(cap.id for cap in rules.caps))
    _check_each("slot", (pool for way in ways for pool in way if ":" not in pool), known, where)


def _check_action(rules: Ruleset, action: Action, brought: ActionList | None, where: str) -> None:
    beside = rules.actions if brought is None else brought.actions
    costs = (*rules.costs.ids(), *(brought.costs.ids() if brought is not None else ()))
    check_words(action.id, f"{where}: id", 100)
    check_words(action.title, f"{where}: title")
    _check_names(action, where)
    _check_each("cost", (action.cost,), costs, where)
    _check_each("time", (action.when,), WHEN, where)
    _check_each("mechanism", (action.does,), rules.mechanisms, where)
    parameters = [p.id for p in action.parameters]
    _check_each("parameter", parameters, rules.parameters.ids(), where)
    _check_once("parameters", parameters, where)
    told = re.findall(rf'"({re.escape(rules.id)}\.[^"]*)"', encode(action.facts).decode())
    _check_rules(rules, (action.rule, *action.rules, *(p.rule for p in action.parameters), *told), where)
    for price in action.prices:
        _check_rules(rules, (price.rule, *price.rules), where)
        if price.option and not price.stat:
            _check_each("option", (price.option,), rules.options, where)
            _check_each("cost", rules.options[price.option].values, rules.costs.ids(), f"{where}, by {price.option}")
        else:
            _check_each("cost", (price.cost,), rules.costs.ids(), where)
        if price.stat:
            _check_each("stat", (price.stat,), rules.stats.ids(), where)
            _check_each(f"word of {price.stat}", (price.word,), rules.stats[price.stat].words, where)
    for fact, given in action.facts.items():
        if fact in _LISTS and not isinstance(given, (list, tuple)):
            raise InvalidInput(f"{where}: facts.{fact} is {short(given)}; give a list")
        if fact in _TABLES and not isinstance(given, Mapping):
            raise InvalidInput(f"{where}: facts.{fact} is {short(given)}; give a table")
    mechanism = rules.mechanisms[action.does]
    keeps = mechanism == MECHANISMS["ready"]
    which = ("actions" if "actions" in action.facts else "kinds",) if keeps else ()
    lacking = [fact for fact in (*mechanism.facts, *which) if not action.facts.get(fact)]
    if lacking:
        raise InvalidInput(f"{where}: facts lacks {', '.join(lacking)}; the mechanism {action.does!r} needs each")
    for fact, right in _SAID.items():
        _check_each(f"word for {fact}", filter(None, (action.facts.get(fact),)), right, where)
    numbers = (*rules.stats.ids(), *rules.follow_from, *rules.to_hit, *filter(None, (rules.struck_by,)))
    _check_each("number", action.facts.get("modifiers", ()), numbers, f"{where}, modifiers")
    if keeps:
        _check_kept(rules, action, beside, where)


def _check_usual(actions: Catalogue[Action], where: str) -> None:
    """Check that few actions are shown before the rest."""
    usual = [action.id for action in actions if action.usual]
    if len(usual) > USUAL:
        raise InvalidInput(f"{where}: {len(usual)} actions are usual ({', '.join(usual)}); at most {USUAL} may be")


def _check_names(action: Action, where: str) -> None:
    """Check an action's other names: short, in lower case, each once."""
    for name in action.names:
        if not is_text(name, 40) or not name.strip() or name != name.lower():
            raise InvalidInput(f"{where}: names has {short(name)}; give 1 to 40 lower-case letters, such as 'shoot'")
    _check_once("names", action.names, where)


def _check_once(what: str, names: Sequence[str], where: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput(f"{where}: {what} has {name!r} twice; give it once")


def _check_kept(rules: Ruleset, action: Action, beside: Catalogue[Action], where: str) -> None:
    """Check the facts of an action that keeps another for a trigger: what it becomes, what uses it, what fits."""
    which = "actions" if "actions" in action.facts else "kinds"
    _check_each("action", (action.facts["use"],), beside.ids(), where)
    known = beside.ids() if which == "actions" else rules.costs.ids()
    _check_each(which.removesuffix("s"), action.facts[which], known, where)
    _check_rules(rules, (action.facts["kinds_rule"], action.facts["lapse_rule"]), where)
    use = beside[action.facts["use"]]
    kept = [each for each in beside if (each.id if which == "actions" else each.cost) in action.facts[which]]
    lacks = {
        id: each.id for each in reversed(kept) if each is not action for id in each.required if id not in use.takes
    }
    for id, example in lacks.items():
        raise InvalidInput(
            f"{where}: {use.id!r} does what was kept, and takes no {id}, which {example!r} needs; "
            f"give it the parameter {{ id = {id!r}, required = false }}"
        )


def _check_rules(rules: Ruleset, ids: Iterable[str], where: str) -> None:
    _check_each("rule", (id for id in ids if id and id not in rules.rules), rules.rules.ids(), where)


def _check_each(what: str, names: Iterable[object], known: Iterable[str], where: str) -> None:
    right = tuple(known)
    for name in names:
        if name not in right:
            raise unknown(where, what, name, right)


def _check_reason(reason: str, where: str) -> None:
    try:
        reason.format(name="Mara")
    except (LookupError, ValueError, AttributeError):
        raise InvalidInput(f"{where}: reason is {short(reason)}; the only field it may have is {{name}}") from None
