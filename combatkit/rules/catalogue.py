"""What a ruleset's folder holds as data: rules, actions, costs, options, stats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec import Struct

from combatkit.core.plain import check_bool, counted, is_number, is_text, short, with_article
from combatkit.errors import InvalidInput, UnknownName
from combatkit.text import Said, Title

if TYPE_CHECKING:
    from combatkit.rules.rulebook import Rulebook

ELSEWHERE = ("begin", "end", "lapse", "rung")
"""What something else can tell about a condition. That rules set it; that they end it; that it runs out, unless it has
words of its own for that; that the owner of a rung has it.
"""


REACTION = "reaction"
"""What a condition forbids that lets its owner do nothing out of turn."""

TAG = "tag:"
"""What a condition forbids by a tag of actions begins with."""


MARKS = ("bang", "check", "down", "now", "pause", "ready", "slash", "wait")
"""What front ends can draw beside a status."""


class ConditionSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition that rules use.

    `out` keeps whoever has it from acting and from being called, `fallen` from being attacked; one that `fells` leaves
    its owner nothing to spend, and ends what they have begun of an action of several turns or parts; `had` is for what
    somebody has rather than is. One that `spares` lets somebody who is still there act, whatever else they have.
    `called` is the part of its value that it is called by as it ends. `status` is what a rung with it is called, one of
    the engine's or its own id, with a `mark`, one of `MARKS`. An `offered` one is listed where the GM sets one. A
    `secret` one is the GM's to know: players are shown and told nothing of it. `elsewhere`, some of `ELSEWHERE`, is
    what another line of the log tells of it, or the rung without a chip. One that is simply set rests on `rule`, and
    lasts `until` an anchor, with ``{who}`` for its owner, if no longer is said. One with a
    `holder` names them as its value, and ends as they can no longer hold on: they have fallen, have gone, or aren't
    beside its owner any more. What it `forbids` its owner: "reaction", or "tag:" and a tag, for actions with it.
    An `uncounted` one changes how easily somebody is hit, and no rule says by how much. One that `needs` a value,
    a number such as this or somebody's name, is read by no rule without it, unless it changes numbers.
    """

    id: str
    out: bool = False
    fallen: bool = False
    fells: bool = False
    had: bool = False
    spares: bool = False
    called: str = ""
    status: str = ""
    mark: str = ""
    offered: bool = False
    secret: bool = False
    holder: bool = False
    uncounted: bool = False
    forbids: tuple[str, ...] = ()
    rule: str = ""
    until: str = ""
    elsewhere: tuple[str, ...] = ()
    needs: int | str | None = None


KINDS = ("action", "any", "dice", "int", "modifiers", "name", "names", "outcome", "places", "text", "trigger")
"""What a parameter can be."""


class ParameterSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """How a parameter is asked for and checked.

    `kind` names the check, one of `KINDS`. What an action lacks without it is called `wanted`, or else `title`; an
    empty list of names will do if it can be `nobody`. Where it is typed, an `example` stands in its field. One that is
    `told` stands in the log beside what was done. For one that is `implied` no form asks: the moment says it. A
    `phrase` is how a sentence goes on with its value: "to just after {value}".
    """

    id: str
    title: str
    kind: str
    wanted: str = ""
    example: str = ""
    nobody: bool = False
    told: bool = False
    implied: bool = False
    phrase: str = ""

    @property
    def lacking(self) -> str:
        """Say that nothing or nobody will do: "No target is possible", "Nobody to come before"."""
        if self.kind == "name" and self.wanted:
            return self.wanted.replace("somebody", "nobody").capitalize()
        return f"No {self.title.lower()} is possible"


COLUMN_KINDS = ("", "text", "flag", "number")
"""What every system requires of a column of a user's own actions."""


class ColumnSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A column of a user's own actions; one frame serves several systems, so each accepts the others' columns, too.

    `kind` says what it holds, one of `COLUMN_KINDS`; if that is empty, the system judges. A `word` may stand for a
    number.
    """

    id: str
    kind: str = ""
    word: str = ""


# ── actions, costs, slots, tables ──


class _Named(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=_Named)


class Catalogue(Generic[T]):
    """Records in order, which can also be found by id.

    Parameters
    ----------
    what : str
        What to call one record in error messages.
    records : iterable
        Structs with an ``id``; one may have more ids in ``also`` that find it too.
    beside : iterable
        More that can be found by id but are not among the records: what another source says.

    Attributes
    ----------
    by_id : Named
        Everything that can be found, by id.
    get : callable
        Return the record with an id, or None.

    Examples
    --------
    >>> rules = Catalogue("rule", [Rule("saga.std.one", "One a turn.", "AT[0]")])
    >>> rules["saga.std.one"].text, len(rules), "saga.std.one" in rules
    ('One a turn.', 1, True)
    """

    def __init__(self, what: str, records: Iterable[T], beside: Iterable[T] = ()) -> None:
        self._what = what
        self._own: dict[str, T] = {record.id: record for record in records}
        also = {id: each for each in self for id in getattr(each, "also", ())}
        known = also | {record.id: record for record in beside} | self._own
        self.by_id: Named[T] = Named(what, known, self._own)
        self.get = self.by_id.get

    def __getitem__(self, id: str) -> T:
        """Return the record with this id.

        Raises
        ------
        UnknownName
            If there is none; it suggests the nearest.
        """
        return self.by_id[id]

    def __contains__(self, id: object) -> bool:
        """Check whether a record has this id."""
        return id in self.by_id

    def __iter__(self) -> Iterator[T]:
        """Go through the records in order."""
        return iter(self._own.values())

    def __len__(self) -> int:
        """Count the records."""
        return len(self._own)

    def ids(self) -> tuple[str, ...]:
        """Return every id, in order."""
        return tuple(self._own)

    def __repr__(self) -> str:
        """Say what is inside, by id."""
        return f"Catalogue({self._what}: {', '.join(self._own)})"


V = TypeVar("V")


class Named(dict[str, V]):
    """A mapping that names the nearest of its keys when asked for one it does not have.

    Parameters
    ----------
    what : str
        What one key is, for error messages.
    items : mapping
        What it holds.
    listed : iterable of str, optional
        The keys that an error may name; all of them if none are given.
    owner : str
        Who has them, for error messages, if that need be said.

    Examples
    --------
    >>> tables = Named("table", {"weapons": []}, owner="saga")
    >>> tables["weapon"]
    Traceback (most recent call last):
    combatkit.errors.UnknownName: saga has no table 'weapon': did you mean 'weapons'?
    """

    def __init__(
        self, what: str, items: Mapping[str, V], listed: Iterable[str] | None = None, *, owner: str = ""
    ) -> None:
        super().__init__(items)
        self._what, self._owner = what, owner
        self._listed = self if listed is None else listed

    def __missing__(self, key: str) -> V:
        """Say which key is unknown."""
        raise UnknownName.of(self._what, key, self._listed, owner=self._owner)


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """One numbered rule: in our own words, where the source says it, and whether its reading is disputed.

    `kind` is "mechanical", "definition" or "gm" (the GM's call); `topic` groups rules across systems, and `answers`
    names the questions put to every system that this rule answers, by topic and question ("delay.price").
    `shown` is for a rule that only names or defines something, or makes a number that is only looked at, so that no
    event or ruling rests on it: the place where it can be seen, one of `PLACES`, and what is there ("stat:dex").
    One that only says what something is, costs or allows is no `reason` why something may not be done: a refusal may
    cite it, for want of a nearer one, and a quiz asks nobody for it.
    """

    id: str
    text: str
    locator: str
    disputed: bool = False
    kind: str = "mechanical"
    topic: str = ""
    answers: tuple[str, ...] = ()
    shown: str = ""
    reason: bool = True


PLACES = ("action", "call", "cost", "option", "slot", "source", "stat", "step", "table", "value")
"""Where a rule that only names or defines something can be seen.

``call`` is a call of an encounter, or one of its parameters; ``source``, what the rulebook says about itself;
``value``, a number of a combatant as its `values` give it.
"""


class Setting(Struct, frozen=True, forbid_unknown_fields=True):
    """An option of a ruleset: its default, the values it may take, the rules it concerns, what it is called.

    `values` lists them all for a closed option; an open one names a type in `open` ("int", "band", "list") and lists
    examples; a number is at `least` so much. The default is among them in either case. If a value brings its own list
    of actions, `lists` names the file in the folder that holds it.
    """

    default: object = None
    values: tuple[object, ...] = ()
    rules: tuple[str, ...] = ()
    text: str = ""
    open: str = ""
    least: int = 0
    lists: dict[str, str] = {}
    title: str = ""


class Stat(Struct, frozen=True, forbid_unknown_fields=True):
    """A stat that `add` takes.

    `range` bounds a number, both ends included; a `vital` is a number that goes down and up.
    Its maximum is what the sheet says, or, with a `most`, only what that stat says. `words` are, for a list,
    those that some rule uses, however they are spelled; for text, all it can be; for mappings, what a rule reads in
    them. A list with `actions` names actions.
    `longest` is how many visible characters text may have. A list with `parts` holds mappings made of those, each with
    a name of its own. A `sparse` stat is in the log only if somebody states it. An `example` is what a new roster
    shows, where the default says little. `short` is what it is called beside its value, where the title is too long;
    `headed`, in small letters, how else the columns of people's tables are headed. What is read `once` makes somebody's
    place on the ladder, and nothing reads it after that; or once others are stated, which it stands in for.
    """

    name: str
    type: str = "int"
    range: tuple[int | None, int | None] | None = None
    default: object = None
    vital: bool = False
    most: str = ""
    title: str = ""
    text: str = ""
    words: tuple[str, ...] = ()
    actions: bool = False
    longest: int = 0
    parts: tuple[Stat, ...] = ()
    sparse: bool = False
    example: Any = None
    short: str = ""
    headed: tuple[str, ...] = ()
    once: bool | tuple[str, ...] = False

    @property
    def id(self) -> str:
        """Its name: what it is found by."""
        return self.name


class TableSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """What the rows of a table hold, column by column, besides an id; `needed` columns are in every row."""

    columns: tuple[Stat, ...]
    needed: tuple[str, ...] = ()


class Endless(Struct, frozen=True, forbid_unknown_fields=True):
    """Who a slot never runs out for: those with a `stat`, as long as an `option` sets no number."""

    stat: str
    option: str


class SlotSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A slot of the budget: a pool that is shown; `noun` is what one of it is called in a sentence, `many` are several.

    `off` is the pool that counts what is spent of it off turn, if one does; it gains what the GM gives of the slot.
    For some it is `endless`.
    """

    id: str
    title: str
    noun: str = ""
    many: str = ""
    off: str | None = None
    endless: Endless | None = None

    @property
    def called(self) -> str:
        """What a single one is called, with its article."""
        return self.noun or with_article(self.title.lower())

    def so_many(self, number: int) -> str:
        """Say a number of them: "a move action", "2 beats"."""
        return self.called if number == 1 else f"{number:,} {self._things(number)}"

    def in_all(self, number: int) -> str:
        """Say a number that is all there is: "1 move action", "2 beats"."""
        return f"{number:,} {self._things(number)}"

    def more(self, number: int) -> str:
        """Say how many more there are: "one more move action", "2 more beats"."""
        return f"{'one' if number == 1 else f'{number:,}'} more {self._things(number)}"

    def _things(self, number: int) -> str:
        one = self.called.partition(" ")[2]
        many = self.many or (one if one.endswith("s") else counted(number, one).partition(" ")[2])
        return one if number == 1 else many


class Cost(Struct, frozen=True, forbid_unknown_fields=True):
    """What an action can cost: alternatives, each a set of pools; the first affordable one is paid.

    `rule` is cited when none can; `spent_rule`, when given, is the rule the spend is made under, which refusals
    of others then cite; `again_rule`, those of another of its kind.
    `when` replaces `pay` if an option has a value: option id, value, alternatives. `untouched` needs its pools full.
    A `light` cost spends no action: a turn with nothing else in it can still be delayed. A cost that is several
    `times` another (`of`) is paid all at once if it can be, or else one at a time; the action is done with the last.
    """

    id: str
    title: str
    pay: tuple[tuple[str, ...], ...] = ((),)
    rule: str = ""
    rules: tuple[str, ...] = ()
    spent_rule: str = ""
    again_rule: str = ""
    small: str = ""
    when: tuple[tuple[str, object, tuple[tuple[str, ...], ...]], ...] = ()
    untouched: bool = False
    untouched_reason: str = ""
    light: bool = False
    of: str = ""
    times: int = 1


class Cap(Struct, frozen=True, forbid_unknown_fields=True):
    """A pool that several costs draw on as well, wherever a combatant has it."""

    id: str
    over: tuple[str, ...]
    rule: str
    reason: str


class Parameter(Struct, frozen=True, forbid_unknown_fields=True):
    """A parameter an action takes; `rule` says what it is for, where one does."""

    id: str
    required: bool = True
    rule: str = ""


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """Another cost of an action: for those whose `stat`, a list, has a `word` in it, or under an option's value.

    Or what it costs by another rule, where the parameters `given` say that it is done in another way. `rule` says so;
    `rules` are cited beside it.
    """

    cost: str = ""
    given: dict[str, str] = {}
    stat: str = ""
    word: str = ""
    option: str = ""
    rule: str = ""
    rules: tuple[str, ...] = ()

    def is_for(self, stats: Mapping[str, Any]) -> bool:
        """Check whether it applies to somebody with these stats, by a word in them."""
        return bool(self.stat) and self.word in (stats.get(self.stat) or ())


WHEN = ("own turn", "reaction", "any time", "own turn or reaction")
"""When an action can be done."""


_JOINTS = ("at", "from", "on", "to")
"""What a verb may end with that a target follows."""
_SELF = Title("themselves")


class Action(Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """One action of a catalogue; the word in `on`, if there is one, joins its `verb` to a target.

    The `infinitive` goes after "may": it is given where the title can't be one, as that of a noun ("full attack").
    It can also be found by the ids in `also`, but is always called by its own. `names` are other words people look for
    it by ("shoot"); a `usual` one is shown before the rest, and a `brief` says what it comes to. It can be done
    `despite` the conditions named, though they keep whoever has them from acting: the player decides it, not the
    character, or it is what ends them. One that `presumes` has something that nobody has by the rules alone, such as a
    power or a mount: whether they have it, a quiz doesn't ask.
    """

    id: str
    title: str
    cost: str
    rule: str = ""
    when: str = "own turn"
    does: str = "plain"
    verb: str = ""
    infinitive: str = ""
    on: str = ""
    parameters: tuple[Parameter, ...] = ()
    tags: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    usual: bool = False
    brief: str = ""
    requires: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    despite: tuple[str, ...] = ()
    prices: tuple[Price, ...] = ()
    turns: int = 0
    presumes: bool = False
    facts: dict[str, Any] = {}

    @cached_property
    def cited(self) -> tuple[str, ...]:
        """The rules it rests on whatever it costs."""
        return tuple(dict.fromkeys(r for r in (self.rule, *self.rules) if r))

    @cached_property
    def counts(self) -> bool:
        """Whether it is an action at all: a delay, a word that is due, or what a text says is none, is not."""
        return self.facts.get("counts") is not False

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """What a trigger may wait for it as: its tags, and what it is as well, though that kind's rules aren't its."""
        return (*self.tags, *self.facts.get("kinds_of", ()))

    @cached_property
    def called(self) -> Title:
        """Its title in the middle of a sentence."""
        return Title(self.title.lower())

    @property
    def to_do(self) -> str:
        """What it is to do it, as it goes after "to" in English."""
        return self.infinitive or str(self.called)

    def deed(self, target: str = "", aside: str = "") -> str:
        """Return what somebody may do, as it goes after "may", and to whom; a title that is no verb is quoted.

        Examples
        --------
        >>> action = Action("full_attack", "Full attack", "full_round", infinitive="make a full attack", on="on")
        >>> action.deed("Mara"), Action("flurry", "Flurry", "standard", verb="uses flurry").deed()
        ('make a full attack on Mara', 'use “Flurry”')
        """
        title = self.title[:1].lower() + self.title[1:]
        is_verb = self.verb.startswith(title.split()[0][:-1])  # "parries", "parry"
        plain = self.infinitive or (title if is_verb else f"use “{self.title}”")
        if not aside and not target and ("target" in self.required or "others" in self.facts):
            target = "anybody"
        ends = [text.rpartition(" ")[2] for text in (plain, self.verb)]
        on = self.on or next((word for word in ends if word in _JOINTS), "")
        return " ".join(word for word in (plain.removesuffix(f" {on}"), on if target else "", target, aside) if word)

    @cached_property
    def hangs(self) -> bool:
        """Whether its verb says nothing without a target: "feints at", "tries to grab"."""
        return "target" in self.required and any(word in ("of", *_JOINTS) for word in self.verb.split())

    def said(self, targets: str | Said | tuple[str, ...] = ()) -> Said:
        """Return the words for somebody doing it, and to whom."""
        verb, on = self._words
        one = targets[0] if type(targets) is tuple and len(targets) == 1 else targets
        return Said("action.done", {"verb": verb, "on": on if one else "", "targets": one or ""}, self.id)

    @cached_property
    def said_alone(self) -> Said:
        """The words for somebody doing it to themselves."""
        verb, on = self._words
        return Said("action.done", {"verb": verb, "on": Title("on") if on else "", "targets": _SELF}, self.id)

    @cached_property
    def _words(self) -> tuple[Title, Title]:
        return Title(self.verb or self.title.lower()), Title(self.on)

    def rule_of(self, id: str) -> str:
        """Return the rule that says what one of its parameters is for; empty if none does."""
        return next((p.rule for p in self.parameters if p.id == id), "")

    @cached_property
    def takes(self) -> tuple[str, ...]:
        """The parameters it has."""
        return tuple(p.id for p in self.parameters)

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The parameters it can't do without."""
        return tuple(p.id for p in self.parameters if p.required)


# ── a user's own actions: one row each, with the columns that any system knows ──


def read_row(rules: Rulebook, row: Mapping[str, Any]) -> Action:
    """Make an action from a user's row.

    Parameters
    ----------
    rules : Rulebook
        The system whose costs it names.
    row : mapping
        Values by column; what is None was not given.

    Returns
    -------
    Action
        The action.

    Raises
    ------
    UnknownName
        For a column, cost, time or parameter that doesn't exist.
    InvalidInput
        If the row lacks an id, a title or a cost, or has a value of the wrong kind.
    """
    given, where = open_row(rules, row, "id", "title", "cost")
    if given["cost"] not in rules.costs:
        raise UnknownName.of("cost", given["cost"], rules.costs.ids())
    if given.get("when", WHEN[0]) not in WHEN:
        raise UnknownName.of(f"time for {given['id']}", given["when"], WHEN)
    parameters = parameters_of(rules, where, given)
    return Action(
        given["id"],
        given["title"],
        given["cost"],
        when=given.get("when", WHEN[0]),
        verb=f"uses {given['title'].lower()}",
        on="on",
        parameters=tuple(Parameter(name) for name in parameters),
        tags=texts(where, "tags", given.get("tags", ())),
    )


def open_row(rules: Rulebook, row: Mapping[str, object], *needed: str) -> tuple[dict[str, Any], str]:
    """Return what a row says, each column checked as declared, and what to call it in a message.

    Parameters
    ----------
    rules : Rulebook
        The system, which says what columns there are.
    row : mapping
        Values by column.
    *needed : str
        Columns that must hold text.

    Raises
    ------
    UnknownName
        For a column that doesn't exist.
    InvalidInput
        For missing text, or a value of the wrong kind.
    """
    for key in row:
        if key not in rules.columns:
            raise UnknownName.of("column of an action", key, rules.columns.ids())
    for key in needed:
        if not isinstance(row.get(key), str) or not row[key]:
            raise InvalidInput(f"action {short(row.get('id'))}: {key} is {short(row.get(key))}; give text")
    given, where = {key: value for key, value in row.items() if value is not None}, f"action {row['id']!r}"
    _check_columns(rules, where, given)
    return given, where


def parameters_of(rules: Rulebook, where: str, given: Mapping[str, object]) -> tuple[str, ...]:
    """Return the parameters a row names; all of them must exist."""
    names = texts(where, "parameters", given.get("parameters", ()))
    for name in names:
        if name not in rules.parameters:
            raise UnknownName.of("parameter", name, rules.parameters.ids(), owner=rules.id, where=where)
    return names


_LONGEST = 500
"""How many characters of text a column may hold."""


def _check_columns(rules: Rulebook, where: str, given: Mapping[str, Any]) -> None:
    """Check the types of columns, including those that mean something only in other systems."""
    for column in rules.columns:
        value = given.get(column.id)
        if value is None:
            continue
        if column.kind == "text" and not is_text(value, _LONGEST):
            raise InvalidInput(f"{where}: {column.id} is {short(value)}; give text of at most {_LONGEST} characters")
        if column.kind == "flag":
            check_bool(value, f"{where}: {column.id}")
        if column.kind == "number" and not (is_number(value) and value >= 0) and value != column.word:
            right = f"a whole number from 0 up, or {column.word!r}"
            raise InvalidInput(f"{where}: {column.id} is {short(value)}; give {right}")


def texts(where: str, key: str, value: object) -> tuple[str, ...]:
    """Return texts, each once; a single text counts as a list."""
    listed = (value,) if isinstance(value, str) else value
    if not isinstance(listed, (list, tuple)) or not all(isinstance(each, str) for each in listed):
        raise InvalidInput(f"{where}: {key} is {short(value)}; give a list of texts")
    return tuple(dict.fromkeys(listed))
