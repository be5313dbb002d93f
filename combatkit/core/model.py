"""What a fight is made of, and what a look at it gives: facts, immutable and without rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType, convert, to_builtins
from msgspec.structs import replace

from combatkit.core.limits import NAME, PICTURE_SIDE
from combatkit.core.plain import own
from combatkit.errors import UnknownName

Whole = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
Number = Whole | Annotated[float, Meta(ge=-(2**53), le=2**53)]
"""What numbers may be in events that somebody else wrote."""

EVENT_KINDS: tuple[str, ...] = (
    "encounter",  # the fight is made: system, seed, options, map
    "table",  # rows of a table that users supply
    "combatant",  # somebody is added, comes back, or has another sheet
    "leave",  # somebody leaves the fight
    "begin",  # the fight begins; who is surprised
    "initiative",  # a slot's score, key and place, with its roll
    "order",  # a slot moves: delay, ready, the GM's word
    "round",  # a round begins
    "round_end",
    "step",  # a step of the round begins
    "step_end",
    "turn",  # a turn begins
    "turn_end",
    "turn_back",  # an untouched opening is taken back
    "turn_lost",  # a place passed without a turn
    "refresh",  # pools are filled
    "action",  # an action is declared and paid for
    "stopped",  # an action under way comes to nothing
    "progress",  # an extended action goes on, or starts anew
    "roll",  # dice
    "attack",  # what an attack came to
    "damage",  # harm, and what is left
    "vital",  # the GM's bookkeeping of a vital
    "effect",  # a condition begins
    "effect_end",
    "move",  # somebody stands elsewhere
    "trigger",  # something happened that no action shows
    "window",  # somebody may enter between two stages, or the GM is asked
    "answer",  # an offer is used or let pass, a question settled
    "window_end",
    "fact",  # what a system notes of the round: group dice, declarations
    "undo",
    "redo",
    "over",  # the fight ends
)
"""The closed list of what an event can be."""


class Event(Struct, frozen=True, gc=False):
    """One thing that happened.

    Parameters
    ----------
    seq : int
        Its number in the log, from 1.
    round : int or None
        The round it fell in; None before the fight begins.
    kind : str
        One of `EVENT_KINDS`.
    actor, action, target : str or None
        Who, what, at whom; names and an action's id.
    amount : int or None
        The number that matters: a total, a loss, a score.
    text : str
        What to print after the subject's name.
    note : str
        A person's own words.
    rules : tuple of str
        The ids of the rules it rests on.
    by : str
        ``"player"``, ``"gm"`` or ``"rules"``.
    data : dict
        What else belongs to this kind, plain JSON; a fresh one each time it is read.
    """

    seq: Count
    round: Whole | None
    kind: str
    actor: str | None = None
    action: str | None = None
    target: str | None = None
    amount: Whole | None = None
    text: str = ""
    note: str = ""
    rules: tuple[str, ...] = ()
    by: str = "rules"
    data: dict[str, Any] = {}
    _data: ClassVar[dict[str, Any]]

    def __repr__(self) -> str:
        """Say which it is, and what it says."""
        words = " ".join(word for word in (self.subject, self.text) if word)
        return f"Event({self.seq}, {self.kind}: {words})"

    @property
    def subject(self) -> str:
        """Whose name stands before its text: who is harmed or changed, else who did it; empty for whole sentences."""
        suffers = self.target if self.kind in _SUFFERED else None
        name = suffers or self.actor or ""
        whole = self.text.startswith(name) and not self.text[len(name) : len(name) + 1].isalnum()
        whole = whole or (self.kind == "window" and "question" in self._data)
        return "" if whole else name


def _fresh(event: Event) -> dict[str, Any]:
    fresh: dict[str, Any] = to_builtins(event._data)
    return fresh


# Events and states share what is in `data`, also those of other fights: the kit reads the field as it is, by `_data`;
# whoever else asks pays for a copy of their own.
Event._data = Event.data
Event.data = property(_fresh)  # type: ignore[assignment]

_SUFFERED = frozenset(("damage", "vital", "effect", "effect_end", "refresh"))
"""The kinds whose text is about the target."""


class Ruling(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """The answer to "may I?".

    `rules` holds every rule against it, `rule` the most specific; for an allowed action they are the rules it rests on.
    `notation` and `needed` preview the roll, dice and pips only. What is said is in the fight's `language`.
    """

    allowed: bool
    reason: str = ""
    rule: str = ""
    rules: tuple[str, ...] = ()
    cost: str = ""
    notation: str | None = None
    needed: int | None = None
    language: str = "en"


class Clock(Struct, frozen=True, gc=False):
    """The present moment; what a system lacks is None. `seconds` is game time since the fight began.

    `phase` is a number where a system numbers its phases and a word where it names them; frames, which stack systems,
    hold either as text.
    """

    round: int | None
    step: int | None = None
    phase: int | str | None = None
    segment: int | None = None
    seconds: float | None = None
    label: str = ""


class Distance(Struct, frozen=True, gc=False, eq=False):
    """How far apart two places lie: in steps of the map, with the band's name if the system has bands.

    `length` is the same as the rulebook measures it, in its `unit`: 15 ``"ft"``, 3 ``"squares"``, 4 ``"hexes"``, 3
    ``"m"``. Distances are equal if steps and band are.

    Examples
    --------
    >>> Distance(3, length=15, unit="ft") == Distance(3)
    True
    """

    steps: int
    band: str | None = None
    length: float | None = None
    unit: str = ""

    def __eq__(self, other: object) -> bool:
        """Compare steps and band: what they are told in changes nothing."""
        return isinstance(other, Distance) and (self.steps, self.band) == (other.steps, other.band)

    def __hash__(self) -> int:
        """Go by steps and band, as equality does."""
        return hash((self.steps, self.band))


# None of these can be part of a cycle, so the collector need not look at them: a long log stays as quick as a short
# one.
# What follows is the engine's own; users meet it only through these and through what a look gives.


class Pool(Struct, frozen=True, gc=False):
    """A counter with a total, and what drew on it last.

    The action, its event, and the rule the spend was made under. Of the total, so much was `granted` by the GM. While
    the most there can be is lower than it was filled to, the total is less by `over`, and what is left by `held`; while
    it is higher, both are below 0. Of what a raised sheet adds with the next filling, a condition hides so much that
    comes `late`.
    """

    total: int
    left: int
    action: str = ""
    seq: int = 0
    rule: str = ""
    granted: int = 0
    over: int = 0
    held: int = 0
    late: int = 0


COUNTER = "uses/"
"""What the id of a pool begins with that is a counter of somebody's `uses`: it is never filled again."""


class Effect(Struct, frozen=True, gc=False):
    """A fact about a combatant with the anchor that ends it (``turn_start:Mara``); one with None never ends by itself.

    One that `watches` lets its owner enter when something happens: what was readied or is held. One that lasts several
    of its bearer's turns has how many `rounds` are left; `counted` is the last occasion in which one was counted.
    """

    number: int
    id: str
    value: Any = None
    modifiers: dict[str, int] = {}
    anchor: str | None = None
    rule: str = ""
    watches: bool = False
    rounds: int = 0
    counted: int = 0


class Gone(Struct, frozen=True, gc=False):
    """The place of somebody who has left, and the number of the place that came right after it, if there was one."""

    place: Place
    before: int | None = None


class Advance(Struct, frozen=True, gc=False):
    """Progress of an extended action, the event that advanced it last, and at whom it was begun if that binds it."""

    done: int
    total: int
    seq: int
    targets: tuple[str, ...] = ()


class Fighter(Struct, frozen=True, gc=False):
    """A combatant in the state; what they readied or held last is `lapsed` if the rules ended it unused."""

    name: str
    side: str
    number: Count
    group: str | None = None
    npc: bool = False
    stats: dict[str, Any] = {}
    vitals: dict[str, int | None] = {}
    pools: dict[str, Pool] = {}
    effects: tuple[Effect, ...] = ()
    progress: dict[str, Advance] = {}
    position: Any = None
    lapsed: Effect | None = None

    def effect(self, id: str) -> Effect | None:
        """Return the first effect with this id, or None."""
        for effect in self.effects:
            if effect.id == id:
                return effect
        return None


class Place(Struct, frozen=True, gc=False):
    """A place in the agenda.

    `rank` sorts it, higher first; `done` is the last occasion it acted in or gave up, `opened` the last whose turn has
    been opened, `come` the last in which the order came by where it stands, `lost` the rule by which the latest was
    lost; `waits` is a delay without a place named; `steps` limits it to some steps; `facts` are the system's.
    """

    id: Count
    who: str
    score: Number | None
    rank: tuple[Any, ...]
    key: tuple[tuple[str, Any], ...]
    why: str = ""
    why_rule: str = ""
    was: Number | None = None
    waits: bool = False
    done: Whole = 0
    opened: Whole = 0
    come: Whole = 0
    steps: tuple[str, ...] | None = None
    facts: dict[str, Any] = {}
    lost: str = ""

    def term(self, name: str) -> Any:
        """Return what a term of the key says; None if the key has none of that name."""
        for term, value in self.key:
            if term == name:
                return value
        return None

    def terms(self, *names: str) -> tuple[tuple[str, Any], ...]:
        """Return the terms of the key that have one of these names."""
        return tuple(term for term in self.key if term[0] in names)


class Step(Struct, frozen=True, gc=False):
    """One step of a round, as a ruleset lists it.

    `turns` says whether places are called in it, `seconds` how long after the round's beginning it falls,
    `length` how long it takes. A step with turns is an occasion of its own unless `occasion` says otherwise. One that
    `stops` waits for somebody's choice, although it calls nobody. Where each step calls places of its own, `stage` is
    the first term of their rank, which goes down from step to step.
    """

    id: str
    title: str
    number: int | None = None
    phase: int | str | None = None
    segment: int | None = None
    turns: bool = True
    seconds: float = 0
    length: float = 0
    occasion: bool | None = None
    stops: bool = False
    stage: int | None = None


class Deed(Struct, frozen=True, gc=False):
    """An action that another one carries out, with what it pays and the rule that lets it be part of that."""

    action: str
    params: dict[str, Any]
    pay: tuple[str, ...] = ()
    rule: str = ""


class Act(Struct, frozen=True, gc=False, tag="act"):
    """An action that waits under a window: where it is, what it was given, what it has come to.

    `stage` is the number of the stage that comes next, `passed` the name of the one just finished, `then` what
    follows as part of the same action. With it end those conditions that last until its owner's next action, up to the
    one that was the last when it `began`; of none it is 0.
    """

    seq: int
    who: str
    action: str
    targets: tuple[str, ...]
    params: dict[str, Any]
    stage: int
    result: dict[str, Any]
    faces: dict[str, Any]
    passed: str = "declared"
    then: tuple[Deed, ...] = ()
    began: int = 0


class Turn(Struct, frozen=True, gc=False, tag="turn"):
    """A turn under way.

    `touched` is 0 for nothing done, 1 for what costs nothing, 2 for more. `ends` and `pools` are what the opening took,
    so that an untouched turn can be taken back.
    """

    seq: int
    who: str
    place: int
    touched: int = 0
    ends: tuple[tuple[str, Effect], ...] = ()
    pools: dict[str, Pool] = {}


class Bid(Struct, frozen=True, gc=False):
    """One offer of a window, and whether it has been answered; `amount` is how much it is about, where that counts."""

    who: str
    actions: tuple[str, ...]
    rule: str = ""
    must: bool = False
    answered: bool = False
    targets: tuple[str, ...] = ()
    amount: int | UnsetType = UNSET


class Window(Struct, frozen=True, gc=False, tag="window"):
    """A window: who may react, and to what.

    Any other call lets a soft one pass; a question has `choices` and asks the GM, `question` being its rule:
    the answer, several of the choices if it takes `many`, goes into the waiting action's result under `key`; `on` are
    those it is about, if not whoever did something. Of one that players look at, `unseen` says that they don't see who
    did it, and `aimed` at whom it is aimed then.
    `segment` is when in the round it opened, if that was said. One that is `told` by the GM's word asks those named in
    `to` (everybody, if None), with the actions in `offers` (any, if empty). `used` are the answers given so far: who,
    with what, at whom. Those in `excused` left the fight while they were asked. Where others were asked besides about
    something of their own, `parts` are what it is about, one for each of `by`.
    """

    seq: int
    about: str
    by: tuple[str, ...] = ()
    threat: Count = 0
    bids: tuple[Bid, ...] = ()
    soft: bool = False
    choices: tuple[Any, ...] = ()
    question: str = ""
    key: str = ""
    many: bool = False
    segment: Whole | None = None
    told: bool = False
    to: tuple[str, ...] | None = None
    offers: tuple[str, ...] = ()
    used: tuple[tuple[str, ...], ...] = ()
    on: tuple[str, ...] = ()
    unseen: bool = False
    aimed: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    excused: tuple[str, ...] = ()

    @property
    def own(self) -> tuple[tuple[str, str], ...]:
        """Whom it is about, each with their own part; empty if an older file does not say whose each is."""
        return tuple(zip(self.by, self.parts, strict=True)) if len(self.by) == len(self.parts) else ()


def window_of(event: Event) -> Window:
    """Return the window that an event opens."""
    return convert({**event._data, "seq": event.seq}, Window)


class State(Struct, frozen=True, gc=False):
    """A fight at one moment. Only `evolve` makes a new one."""

    system: str = ""
    language: str = "en"
    public: tuple[str, ...] = ()
    seed: int = 0
    options: dict[str, Any] = {}
    tables: dict[str, Any] = {}
    map: Any = None
    stage: str = "setup"
    die: int = 0
    round: int | None = None
    step: int = -1
    began: int | float = 0
    occasion: int = 0
    fighters: dict[str, Fighter] = {}
    agenda: tuple[Place, ...] = ()
    places: int = 0
    effects: int = 0
    focus: tuple[Turn | Act | Window, ...] = ()
    anchors: dict[str, tuple[tuple[str, int], ...]] = {}
    watchers: tuple[str, ...] = ()
    facts: dict[str, Any] = {}
    gone: dict[str, Gone] = {}

    @property
    def top(self) -> Turn | Act | Window | None:
        """The frame that says who may do what."""
        return self.focus[-1] if self.focus else None

    @property
    def turn(self) -> Turn | None:
        """The turn under way, windows and waiting actions looked through."""
        for frame in reversed(self.focus):
            if type(frame) is Turn:
                return frame
        return None

    @property
    def window(self) -> Window | None:
        """The open window on top, if one is."""
        top = self.focus[-1] if self.focus else None
        return top if type(top) is Window else None

    def turn_place(self, who: str) -> Place | None:
        """Return the place of somebody's turn under way, or None."""
        turn = self.turn
        return self.place(turn.place) if turn is not None and turn.who == who and turn.place else None

    def place(self, id: int) -> Place:
        """Return the place with this number."""
        for place in self.agenda:
            if place.id == id:
                return place
        raise KeyError(id)

    def place_of(self, who: str) -> Place | None:
        """Return a combatant's own place, the first it was given, or None before initiative."""
        found: Place | None = None
        for place in self.agenda:
            if place.who == who and (found is None or place.id < found.id):
                found = place
        return found


# ── a picture below the map: settled about a fight, and no part of it ──


_Side = Annotated[int, Meta(ge=1, le=PICTURE_SIDE)]
_Px = Annotated[float, Meta(ge=-100 * PICTURE_SIDE, le=100 * PICTURE_SIDE)]


class Look(Struct, frozen=True):
    """A picture below the map, and how it lies there.

    Parameters
    ----------
    name : str
        What its file was called.
    sha : str
        The file's SHA-256, in hexadecimal.
    kind : str
        ``"png"``, ``"jpeg"`` or ``"webp"``.
    size : pair of int
        How wide and how high it is, in px.
    square : float
        How many px of it a square has, or a hex from side to side.
    at : pair of float
        Which px of it lies below the middle of the place (0, 0).
    shown : bool
        Whether players see it.
    """

    name: Annotated[str, Meta(max_length=NAME)]
    sha: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    kind: Literal["png", "jpeg", "webp"]
    size: tuple[_Side, _Side]
    square: Annotated[float, Meta(ge=1, le=PICTURE_SIDE)]
    at: tuple[_Px, _Px]
    shown: bool = True

    @property
    def file(self) -> str:
        """What it is called beside a journal: after what is in it, so that it takes no other file's place."""
        return f"map-{self.sha[:16]}.{self.kind}"


Laid = tuple[Count, Look | None]
"""A picture below the map, or None for none, behind the first event of the call for as long as which it lies there."""


# ── a place of the agenda: as an event tells it, and where it goes ──


def inserted(agenda: tuple[Place, ...], place: Place, data: dict[str, object]) -> tuple[Place, ...]:
    """Put a place where the event says: just before or after another, else by rank, after those of equal rank."""
    rest = [p for p in agenda if p.id != place.id]
    index = len(rest)
    if "before" in data or "after" in data:
        other = data.get("before", data.get("after"))
        index = next(i for i, p in enumerate(rest) if p.id == other) + ("after" in data)
    else:
        rank = place.rank
        index = next((i for i, p in enumerate(rest) if p.rank < rank), index)
    rest.insert(index, place)
    return tuple(rest)


SIDES = ("before", "after")
"""The last term of a place's key if it is beside another: ``("before", "Vex")``."""


def spot_of(agenda: tuple[Place, ...], gone: Mapping[str, Gone], who: str) -> int:
    """Return how many places come before that of somebody who has left: those of equal rank keep their order.

    Two who stand beside each other stay together.
    """
    place, before = gone[who].place, gone[who].before
    following = {each.place.id: each.before for each in gone.values()}
    while before in following:
        before = following[before]
    following_it = (
        index
        for index, other in enumerate(agenda)
        if other.rank < place.rank or (other.id == before and other.rank == place.rank)
    )
    spot = next(following_it, len(agenda))
    while _parts(agenda, spot, place):
        spot -= 1
    return spot


def _parts(agenda: tuple[Place, ...], spot: int, place: Place) -> bool:
    """Check whether a place put at a spot would come between others that stand beside each other, and not beside it."""
    if not 0 < spot < len(agenda) or agenda[spot - 1].rank != agenda[spot].rank:
        return False
    above, below = agenda[spot - 1], agenda[spot]
    own, upper, lower = (each.key[-1] if each.key else ("", None) for each in (place, above, below))
    joined = [other.who for other in agenda[spot:] if other.rank == below.rank and upper == ("before", other.who)]
    joined += [other.who for other in agenda[:spot] if other.rank == above.rank and lower == ("after", other.who)]
    return bool(joined) and not (own[0] in SIDES and own[1] in joined)


def to_place(data: dict[str, object]) -> Place:
    """Return a place as an event holds it."""
    place = convert(data, Place)
    # JSON has no tuples: what compares must be tuples again, all the way down
    return replace(place, rank=tuples(place.rank), key=tuple([(k, tuples(v)) for k, v in place.key]))


def tuples(value: object) -> object:
    """Return a value with tuples for lists, all the way down."""
    return tuple([tuples(v) for v in value]) if isinstance(value, (list, tuple)) else value


# ── what would otherwise be searched for again and again ──


Items = TypeVar("Items")
Made = TypeVar("Made")


class Lookup(Generic[Items, Made]):
    """What is made from a frozen object, kept while that same object is asked about: questions come in runs.

    Parameters
    ----------
    make : callable
        Makes it.
    """

    __slots__ = ("_last", "_make")

    def __init__(self, make: Callable[[Items], Made]) -> None:
        self._make = make
        self._last: tuple[Items, Made] | None = None

    def __call__(self, items: Items) -> Made:
        """Return what is made of it."""
        last = self._last
        if last is None or last[0] is not items:
            last = self._last = (items, self._make(items))  # replaced whole, so that threads can share it
        return last[1]


class LookupEach(Generic[Items, Made]):
    """What is made from each of many frozen objects, by name: made anew only of those that have changed.

    A step changes one of a thousand.

    Parameters
    ----------
    make : callable
        Makes it of one.
    """

    __slots__ = ("_last", "_make")

    def __init__(self, make: Callable[[Items], Made]) -> None:
        self._make = make
        self._last: tuple[Mapping[str, Items], dict[str, Made]] = ({}, {})

    def __call__(self, items: Mapping[str, Items]) -> dict[str, Made]:
        """Return what is made of each."""
        old, made = self._last
        if old is not items:
            make = self._make
            made = {
                name: made[name] if name in old and old[name] is each else make(each) for name, each in items.items()
            }
            self._last = (items, made)  # replaced whole, so that threads can share it
        return made


@Lookup
def open_bids(bids: tuple[Bid, ...]) -> dict[str, list[Bid]]:
    """Return the offers of a window that have not been answered, by combatant."""
    found: dict[str, list[Bid]] = {}
    for bid in bids:
        if not bid.answered:
            found.setdefault(bid.who, []).append(bid)
    return found


def excuse(window: Window, who: str) -> Window:
    """Return a window in which somebody who leaves has let go whatever they were asked."""
    if who in window.excused or all(bid.who != who for bid in window.bids):
        return window
    return replace(window, excused=(*window.excused, who))


@Lookup
def present(fighters: dict[str, Fighter]) -> tuple[str, ...]:
    """Return those who have not left."""
    return tuple([name for name, fighter in fighters.items() if not (fighter.effects and fighter.effect("left"))])


def foes_first(fighters: dict[str, Fighter], side: str, names: Iterable[str], most: int) -> tuple[str, ...]:
    """Return so many of some names at most, other sides first."""
    foes: list[str] = []
    friends: list[str] = []
    for name in names:
        (foes if fighters[name].side != side else friends).append(name)
        if len(foes) == most:
            break
    return (*foes, *friends)[:most]


def numbered(came: Iterable[tuple[str, bool]]) -> dict[str, int]:
    """Return the number of every side in the order in which they came, the players' own first.

    Marks and colours go by it, so that those of the heroes are the same in every fight, whoever was added first.

    Parameters
    ----------
    came : iterable of (str, bool)
        The side of everybody, and whether the GM plays them.

    Examples
    --------
    >>> numbered([("gang", True), ("crew", False), ("watch", True)])
    {'crew': 0, 'gang': 1, 'watch': 2}
    """
    foes: dict[str, bool] = {}
    for side, npc in came:
        foes[side] = npc and foes.get(side, True)
    own = [side for side, is_foe in foes.items() if not is_foe][:1]
    return {side: number for number, side in enumerate(dict.fromkeys([*own, *foes]))}


@Lookup
def sides_of(fighters: dict[str, Fighter]) -> dict[str, int]:
    """Return the number of every side of a fight."""
    return numbered((each.side, each.npc) for each in fighters.values())


def what_is_left(pools: Mapping[str, Pool], way: tuple[str, ...]) -> tuple[str, ...]:
    """Return what can still be paid of a price: the GM may allow what is too dear, and then it takes all there is."""
    left = {pool: pools[pool].left for pool in way if pool in pools}
    paid = []
    for pool in way:
        if left.get(pool, int(":" in pool)) > 0:  # a keyed pool exists from its first use
            left[pool] = left.get(pool, 1) - 1
            paid.append(pool)
    return tuple(paid)


def foes_of(state: State, who: str) -> list[Fighter]:
    """Return everybody of another side who is on the ladder, in its order."""
    fighters, side = state.fighters, state.fighters[who].side
    return [fighters[place.who] for place in state.agenda if fighters[place.who].side != side]


# ── what a look gives ──


class Option(Struct, frozen=True, gc=False):
    """One action of the catalogue for one combatant, open or refused; `needs` are the parameters still to be given."""

    action: str
    title: str
    cost: str
    allowed: bool
    reason: str = ""
    rule: str = ""
    needs: tuple[str, ...] = ()
    language: str = "en"

    def __repr__(self) -> str:
        """Say what it costs, or why not."""
        return f"Option({self.action!r}, {self.cost!r}, {'allowed' if self.allowed else self.reason!r})"


class Choice(Struct, frozen=True, gc=False):
    """One value a parameter can take, with its ruling.

    `open` ones (free text, dice, numbers) have no list of values.
    """

    param: str
    value: Any
    ruling: Ruling
    open: bool = False

    def __repr__(self) -> str:
        """Say whether it can be chosen, or why not."""
        value = "anything" if self.open else repr(self.value)
        return f"Choice({self.param}={value}, {'allowed' if self.ruling.allowed else repr(self.ruling.reason)})"


class Offer(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """What somebody may answer in an open window.

    ``who="GM"`` is a question to the GM, and a `must` cannot be declined.
    """

    who: str
    threat: int
    about: str
    actions: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    choices: tuple[Any, ...] = ()
    must: bool = False
    rule: str = ""
    language: str = "en"


class Rung(Struct, frozen=True, gc=False):
    """One place of the initiative ladder, top first.

    `key` names the terms that put it there, `why` says what broke a tie.
    """

    combatant: str
    initiative: int | float | None
    place: int
    status: str
    side: str
    group: str | None
    key: tuple[tuple[str, Any], ...]
    why: str = ""
    language: str = "en"

    def __repr__(self) -> str:
        """Say who stands where, and how they stand."""
        return f"Rung({self.combatant!r}, {self.initiative}, {self.status})"


class Slot(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """One slot of a budget: what is left of its total, caps counted in; an `unlimited` one always has one left."""

    id: str
    title: str
    total: int
    left: int
    unlimited: bool = False


class Budget(Struct, frozen=True, gc=False):
    """What a combatant has left to spend: ``budget["standard"].left``."""

    combatant: str
    slots: tuple[Slot, ...]
    language: str = "en"

    def __repr__(self) -> str:
        """Say what is left of what."""
        slots = (f"{slot.id} {'no limit' if slot.unlimited else f'{slot.left} of {slot.total}'}" for slot in self.slots)
        return f"Budget({self.combatant!r}: {', '.join(slots)})"

    def __getitem__(self, slot: str) -> Slot:
        """Return the slot with this id.

        Raises
        ------
        UnknownName
            If there is no such slot; it names the nearest.
        """
        for found in self.slots:
            if found.id == slot:
                return found
        raise UnknownName.of("slot of a budget", slot, [found.id for found in self.slots])

    def __iter__(self) -> Iterator[Slot]:
        """Go through the slots in the ruleset's order."""
        return iter(self.slots)


class Condition(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """A condition a combatant has: until when, and under which rule."""

    id: str
    value: Any = None
    modifiers: dict[str, int] = {}
    until: str | None = None
    rule: str = ""


class Progress(Struct, frozen=True, gc=False):
    """How far an extended action has come."""

    done: int
    total: int


class Combatant(Struct, frozen=True, gc=False):
    """A combatant as they stand now, read-only."""

    name: str
    side: str
    group: str | None
    stats: dict[str, Any]
    values: dict[str, Any]
    conditions: tuple[Condition, ...]
    progress: dict[str, Progress]
    position: Any
    threatens: frozenset[Any]
    language: str = "en"

    def __repr__(self) -> str:
        """Say how they stand now; what is not stated, or is none, is left out."""
        values = {id: value for id, value in self.values.items() if value is not None}
        found = {"group": self.group, "values": values, "conditions": self.conditions, "progress": self.progress}
        said = [f"{what}={value!r}" for what, value in {**found, "position": self.position}.items() if value]
        return f"Combatant({', '.join([repr(self.name), f'side={self.side!r}', *said])})"


class Reach(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """Where one action leads somebody, as things stand.

    Parameters
    ----------
    action, title, cost : str
        The action's id, its title, and what it spends now.
    limit : float or None
        How far it leads, in the board's unit; None if no rule sets a limit.
    places : frozenset
        Those to which nothing cheaper leads; none without a limit.
    """

    action: str
    title: str
    cost: str
    limit: float | None
    places: frozenset[Any] = frozenset()

    def __repr__(self) -> str:
        """Say how far it leads, and for what."""
        far = "anywhere" if self.limit is None else f"{self.limit:g}"
        return f"Reach({self.action!r}, {self.cost!r}: {far}, cheapest to {len(self.places)} places)"


class Threat(Struct, frozen=True, gc=False):
    """An enemy who may attack somebody for leaving one of these places."""

    who: str
    side: str
    places: frozenset[Any]

    def __repr__(self) -> str:
        """Say who it is, and of how many places."""
        return f"Threat({self.who!r}, {len(self.places)} places)"


class Range(Struct, frozen=True, gc=False):
    """How far away somebody attacks with a weapon: in steps, and in the board's unit; None if nothing says."""

    weapon: str
    steps: int | None
    length: float | None
    unit: str


class Ground(Struct, frozen=True, gc=False):
    """Where somebody can go as things stand, by the cheapest action, and who may attack them for it.

    Parameters
    ----------
    name : str
        Whose ground it is.
    at : object
        Where they stand; None if that isn't known.
    reach : tuple of Reach
        Every action that leads somewhere now, the cheapest first.
    lengths : dict
        Every place that can be reached, with the length of the shortest way there, in the board's unit.
    threats : tuple of Threat
        Who may attack them for leaving which places; none where no rule reads it.
    ranges : tuple of Range
        How far each of their weapons reaches.
    apart : dict of str to Distance
        How far away everybody else is whose place is known.
    why : str
        Why they can go nowhere, if they can't.
    """

    name: str
    at: Any
    reach: tuple[Reach, ...] = ()
    lengths: dict[Any, float] = {}
    threats: tuple[Threat, ...] = ()
    ranges: tuple[Range, ...] = ()
    apart: dict[str, Distance] = {}
    why: str = ""

    def __getitem__(self, place: Any) -> Reach | None:
        """Return the cheapest action that leads to a place; None if none does."""
        spot = _spot(place)
        return next((reach for reach in self.reach if spot in reach.places), None)

    def __contains__(self, place: object) -> bool:
        """Check whether a place can be reached."""
        return _spot(place) in self.lengths

    def by(self, place: Any) -> tuple[Reach, ...]:
        """Return all actions that lead to a place, the cheapest first, and last those that lead anywhere."""
        length = self.lengths.get(_spot(place))
        fits = [reach for reach in self.reach if length is not None and length <= (reach.limit or 0)]
        return (*fits, *[reach for reach in self.reach if reach.limit is None])

    def __repr__(self) -> str:
        """Say how many places can be reached, and who may attack."""
        who = f", threatened by {', '.join(each.who for each in self.threats)}" if self.threats else ""
        return f"Ground({self.name!r} at {self.at!r}: {len(self.lengths)} places{who})"


def _spot(place: object) -> object:
    """Return a place as the ground knows it, however it is given."""
    spot = own(place)
    return tuple(spot) if type(spot) is list else spot


class Area(Struct, frozen=True, gc=False):
    """A circle, a cone or a line on the map, and who stands in it.

    Parameters
    ----------
    kind : str
        ``"circle"``, ``"cone"`` or ``"line"``.
    size : float
        How far it reaches from where it begins, in the board's unit.
    unit : str
        What that is measured in.
    places : frozenset
        What it covers.
    names : tuple of str
        Who stands there, in the order of the ladder: what an action takes as its targets. The dead are left out.
    """

    kind: str
    size: float
    unit: str
    places: frozenset[Any]
    names: tuple[str, ...]

    def __repr__(self) -> str:
        """Say how large it is, and who stands in it."""
        return f"Area({self.kind} of {self.size:g} {self.unit}: {', '.join(self.names) or 'nobody'})"


class Asked(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """Who will be asked on the way, and where: the place that is about to be left, after so many steps.

    ``who="GM"`` is a question to the GM. Nobody waits for a `soft` one.
    """

    who: str
    at: Any
    step: int
    actions: tuple[str, ...] = ()
    rule: str = ""
    soft: bool = False


class Foresight(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """What an action would come to, up to its first die, if nobody who is asked steps in.

    Parameters
    ----------
    ruling : Ruling
        As `View.can` gives it; `cost` is what it spends.
    end : object
        Where whoever acts stands then.
    path : tuple
        The places they come to, in order.
    asked : tuple of Asked
        Who will be asked, in order.
    dice : bool
        Whether dice come next.
    """

    ruling: Ruling
    end: Any = None
    path: tuple[Any, ...] = ()
    asked: tuple[Asked, ...] = ()
    dice: bool = False


class Way(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """One way to a place: what to give as `to`, where it leads, how long it is, and who will be asked on it."""

    action: str
    cost: str
    to: Any
    path: tuple[Any, ...]
    length: float
    asked: tuple[Asked, ...] = ()
