"""What a ruleset's folder says in data: rules, actions, costs, options, stats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from combatkit.core.plain import counted, with_article
from combatkit.errors import UnknownName
from combatkit.text import Said, Title, say


class _Named(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=_Named)


class Catalogue(Generic[T]):
    """Records in order, found by their id as well.

    Parameters
    ----------
    what : str
        What one record is, for error messages.
    records : iterable
        Structs with an ``id``; one may have more ids in ``also``, by which it is found too.
    beside : iterable
        More that are found by their ids, and are not among the records: what another source says.

    Examples
    --------
    >>> rules = Catalogue("rule", [Rule("saga.std.one", "One a turn.", "AT[0]")])
    >>> rules["saga.std.one"].text, len(rules), "saga.std.one" in rules
    ('One a turn.', 1, True)
    """

    def __init__(self, what: str, records: Any, beside: Any = ()) -> None:
        self._what = what
        self._own: dict[str, T] = {record.id: record for record in records}
        also = {id: each for each in self for id in getattr(each, "also", ())}
        self._known: dict[str, T] = also | {record.id: record for record in beside} | self._own

    def __getitem__(self, id: str) -> T:
        """Return the record with this id.

        Raises
        ------
        UnknownName
            If there is none; it names the nearest.
        """
        try:
            return self._known[id]
        except KeyError:
            raise UnknownName.of(self._what, id, self._own) from None

    def get(self, id: str) -> T | None:
        """Return the record with this id, or None."""
        return self._known.get(id)

    def __contains__(self, id: object) -> bool:
        """Check whether a record has this id."""
        return id in self._known

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

    Examples
    --------
    >>> tables = Named("table of saga", {"weapons": []})
    >>> tables["weapon"]
    Traceback (most recent call last):
    combatkit.errors.UnknownName: unknown table of saga 'weapon': did you mean 'weapons'?
    """

    def __init__(self, what: str, items: Mapping[str, V]) -> None:
        super().__init__(items)
        self._what = what

    def __missing__(self, key: str) -> V:
        """Say which key is unknown."""
        raise UnknownName.of(self._what, key, self)


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """One numbered rule: our own words, where the source says it, whether its reading is disputed.

    `kind` is "mechanical", "definition" or "gm" (the GM's call); `topic` groups rules across systems, and `answers`
    names the questions, topic and question ("delay.price"), that are put to every system and that this rule answers.
    `shown` is for a rule that only names or defines something, or makes a number that is only looked at, so that no
    event or ruling rests on it: the place where it can be seen, one of `PLACES`, and what stands there ("stat:dex").
    """

    id: str
    text: str
    locator: str
    disputed: bool = False
    kind: str = "mechanical"
    topic: str = ""
    answers: tuple[str, ...] = ()
    shown: str = ""


PLACES = {
    "action": "an action of the catalogue",
    "call": "a call of an encounter, or one of its parameters",
    "cost": "what an action can cost",
    "option": "an option of the ruleset",
    "slot": "a slot of the budget",
    "source": "what the rulebook says of itself",
    "stat": "a stat that a combatant is given",
    "step": "a step of the round",
    "table": "a table that users fill",
    "value": "a number of a combatant, as its values give it",
}
"""Where a rule that only names or defines something can be seen."""


class Setting(Struct, frozen=True, forbid_unknown_fields=True):
    """An option of a ruleset: its default, the values it may take, the rules it bears on.

    `values` lists them all for a closed option; an open one names a type in `open` ("int", "band", "list") and lists
    examples. The default is among them in either case. `lists` names, by a value that brings a list of actions of its
    own, the file of the folder that holds it.
    """

    default: Any = None
    values: tuple[Any, ...] = ()
    rules: tuple[str, ...] = ()
    text: str = ""
    open: str = ""
    lists: dict[str, str] = {}


class Stat(Struct, frozen=True, forbid_unknown_fields=True):
    """A stat that `add` takes.

    `range` bounds a number, both ends included; a `vital` is a number that goes down and up. `words` are those of a
    list that some rule reads, however they are spelt; of text, all that it can be. Of text, `longest` is how many
    characters can be seen of it. A list with `parts` holds mappings, each with a name of its own, made of those. What
    is `sparse` stands in the log only where somebody states it. An `example` is what a roster to begin with shows,
    where the default says little.
    """

    name: str
    type: str = "int"
    range: tuple[int | None, int | None] | None = None
    default: Any = None
    vital: bool = False
    title: str = ""
    text: str = ""
    words: tuple[str, ...] = ()
    longest: int = 0
    parts: tuple[Stat, ...] = ()
    sparse: bool = False
    example: Any = None

    @property
    def id(self) -> str:
        """Its name: what it is found by."""
        return self.name


COMMON = (
    Stat("portrait", "text", longest=4, sparse=True, title="Portrait", text="A short text or an emoji.", example="★"),
)
"""The stats that every ruleset has, after its own."""


class SlotSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A slot of the budget: a pool that is shown; `noun` is what one of it is called in a sentence."""

    id: str
    title: str
    noun: str = ""

    @property
    def called(self) -> str:
        """What one of it is called, with its article."""
        return self.noun or with_article(self.title.lower())

    def so_many(self, number: int) -> str:
        """Say so many of it: "a move action", "2 beats"."""
        if number == 1:
            return self.called
        return counted(number, self.noun.partition(" ")[2]) if self.noun else f"{number} {self.title.lower()}"


class Cost(Struct, frozen=True, forbid_unknown_fields=True):
    """What an action can cost: alternatives, each a set of pools; the first that can be paid is.

    `rule` is cited when none can; `spent_rule`, when given, is the rule the spend is made under, which refusals
    of others then cite.
    `when` replaces `pay` if an option has a value: option id, value, alternatives. `untouched` wants its pools full.
    What is done at a `light` cost spends no action: a turn with nothing else in it can still be put off.
    Of a cost that is several `times` another (`of`) all that is due is paid at once if it can be, else one, and what
    is bought comes about with the last.
    """

    id: str
    title: str
    pay: tuple[tuple[str, ...], ...] = ((),)
    rule: str = ""
    rules: tuple[str, ...] = ()
    spent_rule: str = ""
    small: str = ""
    when: tuple[tuple[str, Any, tuple[tuple[str, ...], ...]], ...] = ()
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
    """A parameter an action takes; a required one that is missing is refused under `rule`."""

    id: str
    required: bool = True
    rule: str = ""


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """Another cost of an action: for those whose `stat`, a list, holds a `word`, or as an option's value says.

    `rule` says so; `rules` are cited beside it.
    """

    cost: str = ""
    stat: str = ""
    word: str = ""
    option: str = ""
    rule: str = ""
    rules: tuple[str, ...] = ()

    def is_for(self, stats: Mapping[str, Any]) -> bool:
        """Check whether it is for one with these stats, by a word that they hold."""
        return bool(self.stat) and self.word in (stats.get(self.stat) or ())


WHEN = ("own turn", "reaction", "any time", "own turn or reaction")
"""When an action can be done."""


class Action(Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """One action of a catalogue; its `verb` is joined to a target, if it has one, by the word in `on`, if one is.

    It is found by the ids in `also` as well, and is always called by its own. `names` are other words by which people
    look for it ("shoot"); one that is `usual` is shown before the rest.
    """

    id: str
    title: str
    cost: str
    rule: str = ""
    when: str = "own turn"
    does: str = "plain"
    verb: str = ""
    on: str = ""
    parameters: tuple[Parameter, ...] = ()
    tags: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    group: str = ""
    also: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    usual: bool = False
    requires: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    prices: tuple[Price, ...] = ()
    turns: int = 0
    facts: dict[str, Any] = {}

    @cached_property
    def cited(self) -> tuple[str, ...]:
        """The rules it rests on, whatever it costs."""
        return tuple(dict.fromkeys(r for r in (self.rule, *self.rules) if r))

    @cached_property
    def called(self) -> Title:
        """Its title in the middle of a sentence."""
        return Title(self.title.lower())

    def said(self, targets: str | tuple[str, ...] = ()) -> Said:
        """Return what it is told as that somebody does it, and to whom."""
        verb, on = self._words
        if not targets:
            return say("action.done", of=self.id, verb=verb, on="", targets="")
        one = targets[0] if type(targets) is tuple and len(targets) == 1 else targets
        return say("action.done", of=self.id, verb=verb, on=on, targets=one)

    @cached_property
    def _words(self) -> tuple[Title, Title]:
        return Title(self.verb or self.title.lower()), Title(self.on)

    @cached_property
    def takes(self) -> tuple[str, ...]:
        """The parameters it has."""
        return tuple(p.id for p in self.parameters)

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The parameters it cannot do without."""
        return tuple(p.id for p in self.parameters if p.required)
