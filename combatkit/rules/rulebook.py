"""What a ruleset's folder holds: rules, actions with their prices, options with their values, stats and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from combatkit.core.curtain import REVEALED, VITAL_WORDS, VITALS
from combatkit.core.model import State
from combatkit.core.plain import MOST, is_number, is_text, short, whole_number
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.case import Case
from combatkit.rules.catalogue import (
    ELSEWHERE,
    Action,
    Cap,
    Catalogue,
    ColumnSpec,
    ConditionSpec,
    Cost,
    Named,
    ParameterSpec,
    Rule,
    Setting,
    SlotSpec,
    Stat,
    TableSpec,
    read_row,
)
from combatkit.rules.reading import Page, check_stats
from combatkit.text import ENGLISH, Language, Languages

if TYPE_CHECKING:
    from pathlib import Path

# ── what rounds, steps, turns, fillings and endings cite ──


EVENTS: dict[str, tuple[str, ...] | None] = {
    **dict.fromkeys(("begin", "over", "round", "round_end", "step", "step_end", "turn", "turn_end", "window_end")),
    "refresh": ("turn", "round", "step", "join"),
    "turn_lost": ("waits", "skipped", "late"),
    "turn_moved": ("delayed", "placed"),
    "passed": ("round_end", "step_end", "turn_start", "turn_end", "turn", "place", "action"),
    "effect": (),
    "effect_end": (),
    "declined": (),
    "interrupted": (),
}
"""Events that a row may name: as they are, or, where it isn't None, with what they are about: ``refresh:turn``. Empty
ones take any id, of a condition or an action. ``passed`` is an effect that ends as its anchor is passed, whatever
condition it is; ``declined``, an offer that is let go; ``interrupted``, what goes on after it was used.
"""

UNAWARE = ("none", "some", "all")
"""How many are surprised as the fight begins."""


class Boundary(Struct, frozen=True, forbid_unknown_fields=True):
    """One row of a rulebook's ``[[boundaries]]``: the rules that events of these kinds rest on, wherever it fits.

    `first` and `last` bound the rounds, `steps` names steps by id, `when` gives options the values they must have;
    `unaware` says how many are surprised as the fight begins, and fits only what begins it.
    """

    at: tuple[str, ...]
    rules: tuple[str, ...]
    first: int | None = None
    last: int | None = None
    steps: tuple[str, ...] = ()
    when: tuple[tuple[str, str | int | bool | None], ...] = ()
    unaware: tuple[str, ...] = ()

    @property
    def always(self) -> bool:
        """Whether it fits wherever its kind of event happens."""
        return self.first is None and self.last is None and not (self.steps or self.when or self.unaware)

    def fits(self, options: Mapping[str, object], round: int, step: str, unaware: str) -> bool:
        """Check whether an event in this round and step rests on these rules, under a fight's readings."""
        if (self.first is not None and round < self.first) or (self.last is not None and round > self.last):
            return False
        if (self.steps and step not in self.steps) or (self.unaware and unaware not in self.unaware):
            return False
        return all(options.get(option) == value for option, value in self.when)


class Boundaries:
    """A rulebook's rows, in the order in which they are cited, and those for each kind of event.

    Examples
    --------
    >>> rows = [Boundary(("round",), ("x.round",)), Boundary(("round", "turn"), ("x.again",), first=2)]
    >>> {kind: [row.rules for row in kept] for kind, kept in Boundaries(rows).kinds.items()}
    {'round': [('x.round',), ('x.again',)], 'turn': [('x.again',)]}
    """

    def __init__(self, rows: Iterable[Boundary]) -> None:
        self.rows = tuple(rows)
        kinds = dict.fromkeys(at for row in self.rows for at in row.at)
        self.kinds = {at: [row for row in self.rows if at in row.at] for at in kinds}


# ── the folder ──


_WORDS = ("conditions", "effects", "moments", "given", "columns", "circumstances", "parameters", "purposes")
"""The parts of a folder's data that add to the words every ruleset has."""


_BROUGHT = "not from the source"
"""The mark of an action that a list brings."""


class ActionList(NamedTuple):
    """A list of actions that an option brings in place of the ruleset's own, or beside them.

    Where it comes from, the rules and costs it adds to those of the text, its actions, everything that can be done with
    it, the defaults it gives other options, and the conditions that only its actions give.
    """

    source: str
    rules: Catalogue[Rule]
    costs: Catalogue[Cost]
    added: Catalogue[Action]
    actions: Catalogue[Action]
    defaults: dict[str, object]
    given: dict[str, str]


class Rulebook:
    """The data of a combat system, and what can be read from it under the chosen readings.

    Attributes
    ----------
    id, title, source : str
        Its id, its name, and where its text comes from.
    order : int
        Its place among the rulesets, lower first.
    rules, actions, stats, slots : Catalogue
        Every rule, action, stat and budget slot, in the order of the folder's files.
    options : dict of str to Setting
        The readings that can be chosen, with their defaults, values and the rules they concern.
    lists : dict of str to dict
        Other lists of actions, by the option that brings them and its value. Their rules and costs can be found by id
        among those of the text, but are not counted with them.
    conditions : Catalogue
        The conditions that rules read: what every ruleset has, and what the folder adds or changes.
    incapable, fallen : frozenset of str
        Those that keep somebody from acting and from being called, and from being attacked.
    felling : frozenset of str
        Those that leave their owner nothing begun and nothing to spend.
    recoveries : tuple of Action
        What somebody can do in their own turn although a condition keeps them from acting.
    given : dict of str to str
        Those that nobody begins by hand, each with the action that gives it.
    read : frozenset of str
        The conditions that rules read or actions bring, each as rules spell it.
    moments : frozenset of str
        Those that are only for the moment: they end as their owner leaves.
    secret : frozenset of str
        Conditions that players are not told of.
    holding : frozenset of str
        Conditions in which somebody is held by whoever their value names.
    forbidding : dict of str to tuple of str
        What conditions forbid whoever has them: "reaction", or "tag:" and a tag.
    marks : dict of str to str
        The marks of the statuses that conditions bring.
    told : dict of str to frozenset of str
        Those that something else tells, by what it tells of them.
    columns : Catalogue
        The columns of a user's own actions: what every ruleset has, and what the folder adds.
    parameters : Catalogue
        What can be given with an action: what every ruleset has, and what the folder adds.
    facts : dict of str to str
        The facts of actions that every ruleset reads, and what each says; a folder's own code may read more.
    circumstances : tuple of str
        What modifiers of a roll may be called by, besides numbers, conditions and what somebody does.
    purposes : dict of str to str
        What dice are rolled for, each with the roll it may come after.
    several : dict of str to int
        How many parts a cost has, by its id, if it has more than one.
    capping : dict of str to tuple of Cap
        The caps that a cost or a slot counts against, by its id.
    tables : dict of str to list
        What the source leaves out, with labelled defaults.
    rows : dict of str to TableSpec
        What the rows of those tables hold.
    languages : Languages
        What a log can be told in, by its code.
    hints : dict of str to str
        What to do instead, by words that people try as an action's id.
    """

    asks_who_falls = True
    """Whether the text is silent on somebody whose first vital is used up: they are down, or else only the GM knows."""

    def __init__(self, folder: Path, stats: Iterable[Stat]) -> None:
        self.folder = folder
        self.languages = Languages(folder)
        book = Page(folder / "rules.toml", ("id", "title", "source", "order", "cite", "options", "boundaries", "rules"))
        data = Page(folder / "actions.toml", (*_WORDS, "slots", "costs", "caps", "actions", "tables", "rows", "hints"))
        # By the folder's own type, so that pathlib isn't loaded before anybody needs it.
        kit = Page(type(folder)(__file__).with_name("kit.toml"), (*_WORDS, "facts", "options", "stats"))
        self.id = book.value("id", str)
        self.title = book.value("title", str)
        self.source = book.value("source", str)
        self.order = book.value("order", int, 100)
        self.cite: dict[str, str] = book.texts("cite")
        settings = {id: _whole(setting) for id, setting in book.by_name("options", Setting).items()}
        if self.asks_who_falls:
            borne = tuple(filter(None, [self.cite.get("one_turn")]))  # whoever is down has no turn
            silent = {id: replace(each, rules=borne) for id, each in kit.by_name("options", Setting).items()}
            settings |= {id: each for id, each in silent.items() if id not in settings}  # or in its own words
        self.options: dict[str, Setting] = Named("option", settings, owner=self.id)
        self.actions = self._whole(data)
        self.lists: dict[str, dict[str, ActionList]] = {
            id: {value: self._read_list(folder / file) for value, file in setting.lists.items()}
            for id, setting in settings.items()
            if setting.lists
        }
        brought = [each for lists in self.lists.values() for each in lists.values()]
        every = (*self.actions, *(action for each in brought for action in each.actions))
        self.languages.deeds = {(each.id, each.verb, each.on): None for each in every}
        self.rules: Catalogue[Rule] = Catalogue(
            "rule", book.records("rules", Rule), [rule for each in brought for rule in each.rules]
        )
        conditions = [each for page in (kit, data) for each in page.records("conditions", ConditionSpec, needed=False)]
        self.conditions: Catalogue[ConditionSpec] = Catalogue("condition", conditions)
        self.incapable = frozenset(each.id for each in self.conditions if each.out)
        self.recoveries = tuple(each for each in self.actions if each.despite and each.when == "own turn")
        self.sparing = frozenset(each.id for each in self.conditions if each.spares)
        self.fallen = frozenset(each.id for each in self.conditions if each.fallen)
        self.felling = frozenset(each.id for each in self.conditions if each.fells)
        self.effects = frozenset(" ".join([*kit.texts("effects").values(), *data.texts("effects").values()]).split())
        self.called = {each.id: each.called for each in self.conditions if each.called}
        self.held: dict[str, str] = {}
        """How somebody is in a condition, by its id, as far as that has been asked."""
        self._given: dict[str, str] = {**kit.texts("given"), **data.texts("given")}
        self.given = dict(self._given)
        for each in brought:
            self.given |= each.given
        self.moments = frozenset([*kit.texts("moments"), *data.texts("moments")])
        self.read = frozenset([*self.conditions.by_id, *self.given, *self.moments, *_of_deeds(every)])
        self.secret = frozenset((REVEALED, *(each.id for each in self.conditions if each.secret)))
        self.forbidding = {each.id: each.forbids for each in self.conditions if each.forbids}
        self.holding = frozenset(each.id for each in self.conditions if each.holder)
        self.open_to_one = frozenset(each.facts["brings"] for each in every if each.facts.get("for") == "actor")
        """The conditions that leave somebody open to the one they name."""
        self.uncounted = frozenset(each.id for each in self.conditions if each.uncounted)
        self.marks = {each.status: each.mark for each in self.conditions if each.status and each.mark}
        self.told = {
            what: frozenset(each.id for each in self.conditions if what in each.elsewhere) for what in ELSEWHERE
        }
        columns = [each for page in (kit, data) for each in page.records("columns", ColumnSpec, needed=False)]
        self.columns: Catalogue[ColumnSpec] = Catalogue("column", columns)
        common, own = kit.records("parameters", ParameterSpec), data.records("parameters", ParameterSpec, needed=False)
        self.parameters: Catalogue[ParameterSpec] = Catalogue("parameter", [*common, *own])
        said = [*kit.texts("circumstances").values(), *data.texts("circumstances").values()]
        self.circumstances = tuple([word for words in said for word in words.split(", ")])
        self.facts: dict[str, str] = kit.texts("facts")
        self.purposes: dict[str, str] = {**kit.texts("purposes"), **data.texts("purposes")}
        for spec in common:
            if spec is not self.parameters[spec.id]:
                raise InvalidInput(
                    f"{data.where}: every ruleset already has the parameter {spec.id!r}; give yours another id"
                )
        self.boundaries = Boundaries(book.rows("boundaries", Boundary))
        costs = data.records("costs", Cost)
        known = {cost.id: cost for cost in costs}
        self.costs: Catalogue[Cost] = Catalogue(
            "cost",
            [_several(cost, known) for cost in costs],
            [_several(cost, known) for each in brought for cost in each.costs],
        )
        self.several = {cost.id: cost.times for cost in self.costs.by_id.values() if cost.times > 1}
        self.hints: dict[str, str] = data.texts("hints")
        self.slots: Catalogue[SlotSpec] = Catalogue("slot", data.records("slots", SlotSpec))
        self.endless = {each.id: each.endless for each in self.slots if each.endless is not None}
        self.caps: tuple[Cap, ...] = tuple(data.records("caps", Cap, needed=False))
        self.tables: dict[str, list[dict[str, Any]]] = Named("table", data.tables("tables"), owner=self.id)
        self.rows: dict[str, TableSpec] = data.by_name("rows", TableSpec)
        listed = check_stats(folder, stats)
        taken = {stat.name for stat in listed}
        added = [stat for name, stat in kit.by_name("stats", Stat).items() if name not in taken]
        self.stats: Catalogue[Stat] = Catalogue("stat", [*listed, *added])
        self.vitals: tuple[Stat, ...] = tuple(s for s in self.stats if s.vital)
        self.read_once = tuple([stat for stat in self.stats if stat.once])
        self.capping = {id: tuple(c for c in self.caps if id in c.over) for c in self.caps for id in c.over}
        self._supplied: tuple[object, Catalogue[Action], Catalogue[Action]] = (None, self.actions, self.actions)
        self._chosen: tuple[object, Catalogue[Action]] = (None, self.actions)

    @cached_property
    def never_below(self) -> frozenset[str]:
        """The numbers that stop at 0, however much conditions take off them."""
        whole = [s for s in self.stats if "int" in s.type.split("|") and not s.vital]
        return frozenset(s.name for s in whole if s.range is not None and s.range[0] == 0)

    def __repr__(self) -> str:
        """Name it and count what it holds."""
        return f"Ruleset({self.id!r}: {self.title}, {len(self.rules)} rules, {len(self.actions)} actions)"

    def _read_list(self, path: Path) -> ActionList:
        page = Page(path, ("source", "beside", "defaults", "given", "rules", "costs", "actions"))
        rules: Catalogue[Rule] = Catalogue("rule", page.records("rules", Rule, needed=False))
        costs: Catalogue[Cost] = Catalogue("cost", page.records("costs", Cost, needed=False))
        whole = added = self._whole(page)
        if page.value("beside", bool, False):
            added = Catalogue("action", map(_marked, added))  # of one that stands alone its option tells
            double = next((action.id for action in added if action.id in self.actions), None)
            if double is not None:
                raise InvalidInput(f"{page.where}: {double!r} is an action of the folder's own; give it another id")
            whole = Catalogue("action", [*self.actions, *added])
        source, defaults, given = page.value("source", str), page.table("defaults"), page.texts("given")
        return ActionList(source, rules, costs, added, whole, defaults, given)

    @cached_property
    def english(self) -> Language:
        """The language of data, whatever the log is told in."""
        return self.languages[ENGLISH]

    def _whole(self, page: Page) -> Catalogue[Action]:
        return Catalogue("action", [self.whole_action(action) for action in page.records("actions", Action)])

    def whole_action(self, action: Action) -> Action:
        """Return an action from the folder's data, with whatever its type adds."""
        return action

    def roster_template(self, path: str | Path | None = None) -> Any:
        """Return a roster to start from: every column, and two combatants to write over.

        Parameters
        ----------
        path : str or Path, optional
            A file to write it to as well; it ends in ``.csv``, ``.json``, ``.toml`` or ``.parquet``. TOML says in
            comments what each column holds, its range and its default.

        Returns
        -------
        polars.DataFrame
            Lists and mappings are text, as they are in CSV; `add_roster` takes it, edited or not.

        Examples
        --------
        >>> import combatkit as ck
        >>> ck.ruleset("saga").roster_template().select("name", "side", "count", "dex", "feats").rows()
        [('Mara', 'heroes', 1, 4, 'Quick Draw; Combat Reflexes'), ('Guard', 'guards', 3, None, None)]
        """
        from combatkit.files.rosters import roster_template

        return roster_template(self, path)

    # ── data, with the readings chosen ──────────────────────────────────────────────────────────────────────────────

    def settle(self, options: Mapping[str, object] | None) -> dict[str, object]:
        """Return a value for every option: the chosen ones, checked, and the defaults.

        Raises
        ------
        UnknownName
            For an option this ruleset does not have.
        InvalidInput
            For a value that an option does not allow.
        """
        chosen: dict[str, object] = {}
        for id, value in (options or {}).items():
            setting = self.options.get(id)
            if id == VITAL_WORDS:
                if value not in VITALS:
                    raise InvalidInput(f"option {id} is {short(value)}; it is {', '.join(map(repr, VITALS))}")
                if value != VITALS[0]:  # as it is where nobody says anything
                    chosen[id] = value
                continue
            if setting is None:
                raise UnknownName.of("option", id, [*self.options, VITAL_WORDS], owner=self.id)
            chosen[id] = self.check_option(id, setting, value)
        defaults = {id: setting.default for id, setting in self.options.items()}
        brought = self.list_of(chosen)
        return defaults | (brought.defaults if brought is not None else {}) | chosen

    def changed(self, options: Mapping[str, object], by: Mapping[str, object] | None) -> dict[str, object]:
        """Return options with some changed; a list of actions comes and goes with its own defaults."""
        if by is not None and not isinstance(by, Mapping):
            raise InvalidInput(f"options is {short(by)}; give a mapping")
        lists = {id: options[id] for id in self.lists if id in options}
        usual = self.settle(lists)
        return {**{id: value for id, value in options.items() if id in lists or value != usual.get(id)}, **(by or {})}

    def check_option(self, id: str, setting: Setting, value: object) -> object:
        """Check one option's value; a ruleset with its own kind of open option extends this."""
        if any(type(value) is type(v) and value == v for v in setting.values):
            return value
        right = [repr(v) for v in setting.values]
        if setting.open == "int":
            if is_number(value) and value >= setting.least:
                return value
            right.append(whole_number(setting.least, MOST))
        said = " or ".join(part for part in (", ".join(right[:-1]), right[-1]) if part)
        raise InvalidInput(f"option {id!r} of {self.id} cannot be {short(value)}: it takes {said}")

    def price(self, case: Case) -> tuple[Cost, str]:
        """Return what an action costs this combatant now, and the rule that says so; parameters may change it."""
        action = case.action
        for price in action.prices:
            if price.given:
                if price.given.items() <= case.params.items():
                    return self.costs.by_id[price.cost], price.rule
                continue
            if price.is_for(case.fighter.stats):
                return self.costs.by_id[price.cost], price.rule
            if price.option and not price.stat:
                return self.costs.by_id[case.state.options[price.option]], price.rule or action.rule
        return self.costs.by_id[action.cost], action.rule

    def cited(self, case: Case, rule: str) -> tuple[str, ...]:
        """Return the rules that carrying out an action now rests on: the one that sets its price, and its own."""
        action = case.action
        if rule == action.rule:
            return action.cited
        price = next((price for price in action.prices if price.rule == rule), None)
        beside = () if price is None else price.rules
        return tuple(dict.fromkeys((rule, *beside, *(action.rules if price and price.given else action.cited))))

    def payments(self, case: Case, cost: Cost) -> tuple[tuple[str, ...], ...]:
        """Return the ways to pay a cost, first choice first; each lists the pools it takes one from.

        A keyed pool (``free:3``) is full until it is first drawn on.
        """
        for option, value, pay in cost.when:
            if case.state.options[option] == value:
                return pay
        return cost.pay

    def catalogue(self, state: State) -> Catalogue[Action]:
        """Return every action in a fight: the ruleset's, from the list chosen, and those a user supplied."""
        chosen, rows = self._chosen, state.tables.get("actions")
        base = chosen[1] if chosen[0] is state.options else self.chosen(state.options)
        if not rows:
            return base
        known = self._supplied
        if known[0] is not rows or known[1] is not base:
            extra = [self._supply(row) for row in rows]
            known = self._supplied = (rows, base, Catalogue("action", [*base, *extra]))
        return known[2]

    def list_of(self, options: Mapping[str, object]) -> ActionList | None:
        """Return the list of actions that options bring; None for the ruleset's own."""
        for option, lists in self.lists.items():
            value = options.get(option)
            if isinstance(value, str) and value in lists:
                return lists[value]
        return None

    def giver(self, options: Mapping[str, object], condition: str) -> str:
        """Return the action that alone gives a condition, with the list that options bring; empty if a hand may."""
        brought = self.list_of(options)
        return self._given.get(condition, "" if brought is None else brought.given.get(condition, ""))

    def chosen(self, options: Mapping[str, object]) -> Catalogue[Action]:
        """Return the actions of the list that options bring, else the ruleset's own; without what a user supplied."""
        known = self._chosen
        if known[0] is not options:
            brought = self.list_of(options)
            known = self._chosen = (options, self.actions if brought is None else brought.actions)
        return known[1]

    def _supply(self, row: Mapping[str, object]) -> Action:
        """Make an action from a row as given: a frame's null means nothing, and a source of its own is kept."""
        given = {key: value for key, value in row.items() if value is not None}
        source = given.pop("source", "")
        if not is_text(source, 500):
            raise InvalidInput(f"action {given.get('id')!r}: source is {short(source)}; give text")
        made = self.action_of_row(given)
        return replace(made, facts={**made.facts, "source": source}) if source else made

    def action_of_row(self, row: Mapping[str, object]) -> Action:
        """Make an action from a user's row; a ruleset with columns of its own extends this.

        Raises ------ UnknownName For a column, cost, time or parameter that doesn't exist. InvalidInput If the row
        lacks an id, a title or a cost, or has a value of the wrong kind.
        """
        return read_row(self, row)


def _marked(action: Action) -> Action:
    """Mark an action of a list as not from the source, which front ends show beside its title."""
    extra = ", ".join(word for word in (action.facts.get("extra", ""), _BROUGHT) if word)
    return replace(action, facts={**action.facts, "extra": extra})


def _of_deeds(actions: Iterable[Action]) -> Iterator[str]:
    """Yield the conditions that actions begin, bring, end or need, as their data name them."""
    for action in actions:
        facts = action.facts
        yield from (facts[key] for key in ("begins", "brings", "gains") if key in facts)
        yield from (*facts.get("frees", ()), *action.requires, *action.ends)
        for together in facts.get("helpless", ()):
            yield from together


def _several(cost: Cost, known: Mapping[str, Cost]) -> Cost:
    """Return a cost that is several of another, if it is one, with what the other says about paying it."""
    if not cost.of or cost.of not in known:  # `rules/validate.py` refuses one of nothing
        return cost
    one = known[cost.of]
    return replace(one, id=cost.id, title=cost.title, of=cost.of, times=cost.times, small=cost.small)


def _whole(setting: Setting) -> Setting:
    """Return a setting whose values name its default too."""
    listed = any(type(setting.default) is type(v) and setting.default == v for v in setting.values)
    return setting if listed else replace(setting, values=(setting.default, *setting.values))
