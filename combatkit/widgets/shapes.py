"""Shapes of every view as it comes over the wire: see ``docs/wire.md``.

Front ends read them as JSDoc types, which ``tools/shapes.py`` makes; a list with fixed places is annotated as a tuple.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from combatkit.report.shapes import Clock, FirstDie, Held, Numbered, Revised, Side, Travel, Verdict, Words
from combatkit.rules.shapes import Call, Parts, RollCall, RungExtras, Strip

_Two = Annotated[list[int], tuple[int, int]]
_Run = Annotated[list[int], tuple[int, int, int]]
"""Squares or hexes side by side: row, from, to, both included."""
_Asks = Annotated[list[str | int], tuple[str, int]]
_Kept = Annotated[list[int | None], tuple[int | None, int | None]]
"""What is left of a vital, and its maximum; neither if it is not kept."""
_Named = Annotated[list[str], tuple[str, str]]
"""What is filled in, and what it is called."""

_Three = Annotated[list[str], tuple[str, str, str]]
_Left = Annotated[list[int | None], tuple[int | None, int | None, int | None]]
"""What is left of a vital, its maximum, what it would come to."""

Chosen = Annotated[list[str | int | bool], tuple[str | int | bool, str]]
"""An answer to a question, and what it is called."""


class _Titled(TypedDict):
    """Something known by its id and shown by its title."""

    id: str
    title: str


# ── the ladder ──


class Act(_Titled):
    """What somebody may do out of turn; `pass` lets it go. Buttons give `params`, forms ask for `needs`.

    What is no action has the message that it `sends`.
    """

    needs: NotRequired[bool]
    params: NotRequired[dict[str, object]]
    sends: NotRequired[Verdict]


class Token(TypedDict):
    """What stands for somebody: the mark of their side, initials, a portrait; `veil` says what players see instead."""

    side: int
    initials: str
    portrait: NotRequired[str]
    veil: NotRequired[str]


class Row(Token, RungExtras):
    """A rung of the ladder; `mark` belongs to a status that a system adds, `more` are its vitals after the first.

    `temporary` are points that damage takes before the first; `lost` is what the last call took from that; `how` stands
    for the first, where players are told it in a word; `at` is the place they are at, where a strip shows no places.
    `idle` marks one who is out for a while only, as the stunned are; `away` one whose player's pages are all gone;
    `again` marks a further turn of somebody who has a rung of their own: it says what comes in it, and what is left of
    them while it is now.
    """

    name: str
    at: NotRequired[str]
    score: str
    status: str
    word: NotRequired[str]
    mark: NotRequired[str]
    vital: NotRequired[_Two]
    temporary: NotRequired[int]
    lost: NotRequired[int]
    how: NotRequired[str]
    more: NotRequired[list[_Kept]]
    acts: NotRequired[list[Act]]
    tie: Literal["", "top", "mid", "end"]
    idle: NotRequired[bool]
    again: NotRequired[bool]
    away: NotRequired[bool]
    label: Words


class Delay(TypedDict):
    """Where the active combatant may go, or why nowhere."""

    name: str
    places: list[Numbered]
    reason: Parts


class LadderView(TypedDict):
    """The ladder; if the GM `acts`, who was last `aimed` at; `vitals`, if several."""

    system: str
    score: str
    clock: Clock
    sides: list[Side]
    words: dict[str, str]
    current: str | None
    selected: str | None
    delay: Delay | None
    players: bool
    acts: bool
    task: NotRequired[bool]
    aimed: NotRequired[str]
    dice: Literal["seeded", "table"]
    vitals: list[Words]
    strips: list[Strip]
    past: bool
    note: NotRequired[str]
    order: list[str]
    rows: dict[str, Row]


class LadderData(LadderView, Revised):
    """The ladder as it is sent."""


class Lasting(TypedDict):
    """The numbers that a condition kept on the shelf adds to, and until when it lasts; without end if that is empty."""

    modifiers: dict[str, int]
    until: str


class Dealing(TypedDict):
    """What damage would come to: for each, what is left now, the maximum, what would be left; and what may be chosen.

    To whom more than a loss happens, that is told in `words`: who falls, is wounded, or is asked something.
    `why` says what is wrong with the amount, `high` why nobody can be set to it. Of the conditions, those `kept` on the
    shelf come with numbers and a time.
    """

    vitals: list[Words]
    vital: str
    conditions: list[str]
    kept: dict[str, Lasting]
    untils: list[str]
    rungs: dict[str, _Left]
    words: dict[str, str]
    why: Parts
    high: Parts


# ── the budget ──


class Slot(_Titled):
    """Something to spend, and what is left of it."""

    total: NotRequired[int]
    left: NotRequired[int]
    off: NotRequired[int]
    unlimited: NotRequired[str]


class Progress(TypedDict):
    """How far a longer action has come."""

    title: str
    done: int
    total: int
    text: Parts


class Off(TypedDict):
    """What stands beside an action that keeps its place: its cost; where it is `off`, which of the whys is its own."""

    cost: NotRequired[str]
    off: NotRequired[int]


class Action(_Titled, Off):
    """An action, with the `params` that go with it if it is listed in several ways.

    `names` are other words that find it; `uses` are how often it can still be done, and at first, where a counter says
    so. A `brief` says what an answer comes to. At a seat, an `urgent` one is done before the next attack or not at all.
    """

    extra: NotRequired[str]
    brief: NotRequired[str]
    names: NotRequired[str]
    uses: NotRequired[_Two]
    needs: NotRequired[bool]
    urgent: NotRequired[bool]
    params: NotRequired[dict[str, str]]


class Group(_Titled):
    """Actions, by key, that cost the same; or, with `whys`, that are refused: `own` says which reason is whose."""

    small: NotRequired[str]
    actions: list[str]
    whys: NotRequired[list[Parts]]
    own: NotRequired[dict[str, int]]


class Spending(TypedDict):
    """What somebody has to spend, and on what: groups by cost, then folds by reason; each action is sent once.

    `about` is what they have to mind while they act; `coming` what comes later in the round.
    """

    slots: list[Slot]
    progress: list[Progress]
    groups: list[str]
    folds: list[str]
    group: dict[str, Group]
    action: dict[str, Action]
    whys: list[Parts]
    about: NotRequired[Parts]
    coming: NotRequired[list[Call]]
    seat: NotRequired[bool]


class Other(TypedDict):
    """Somebody else who is asked, and with what they may answer."""

    name: str
    side: int
    text: str


class Reaction(TypedDict):
    """What somebody is asked in a window: to what, and with what they may answer; or what the GM may answer.

    Where one thing alone is offered, `text` says which. Then come the others whom it concerns; the `rest` may react
    too, and there are so many `others`. `notes` say who is not asked, and why. Nobody waits for a `soft` one: where
    whoever acts is not asked, what they can do is there besides. Of somebody `aside` others are aimed at: nothing is
    chosen for them. A player who has let it go has no `answers`.
    """

    window: str
    about: str
    answers: list[Action]
    then: list[Other]
    rest: list[Other]
    others: int
    notes: list[Parts]
    must: bool
    choices: list[Chosen]
    text: NotRequired[str]
    soft: NotRequired[bool]
    aside: NotRequired[bool]


class BudgetView(Spending):
    """The budget; where nobody acts, what everybody is asked; what is `asked` in a window.

    What is typed is kept while `turns` stays the same: how many of their turns are over; if nobody acts, the round.
    Where somebody else was chosen, the way goes `back` to whoever it would show.
    """

    name: str | None
    turns: int
    asked: Reaction | None
    calls: RollCall | None
    caption: str
    dice: Literal["seeded", "table"]
    players: bool
    task: bool
    past: bool
    back: str | None


class BudgetData(BudgetView, Revised):
    """The budget as it is sent; `busy` belongs to the front end, while it is waiting."""

    busy: NotRequired[bool]


class SentChoice(TypedDict):
    """A value that may be chosen: with its label where it isn't its own, a name's side where it isn't the field's.

    In `small` stands how much somebody has left and how far they are, and what was declared is said to be. Whoever may
    be attacked, and is nobody to attack without a second thought, stands `aside`. With one that needs `more`, more is
    asked for. An action is found by its other `names` too.
    """

    value: object
    label: NotRequired[Parts]
    names: NotRequired[str]
    side: NotRequired[int]
    small: NotRequired[str]
    aside: NotRequired[Literal["Allies", "Down"]]
    more: NotRequired[bool]


class Barred(TypedDict):
    """Values that can't be chosen, and why."""

    why: Parts
    values: list[object]


class SentParam(_Titled):
    """A field of an action's form: values that are their own label stand alone, those that can't be chosen under `no`.

    What is `told` only the table can say. A `titled` one's labels begin with a capital letter; the mark of its `side`
    stands before names. A `hint` says what helps to fill it in; an `example` stands in it while it is empty. What is
    `near` may be chosen instead of typed: what it fills in, and what it is called.
    """

    required: bool
    type: Literal["one", "many", "text", "number"]
    values: NotRequired[list[object]]
    no: NotRequired[list[Barred]]
    titled: NotRequired[bool]
    told: NotRequired[bool]
    side: NotRequired[int]
    hint: NotRequired[str]
    example: NotRequired[str]
    near: NotRequired[list[_Named]]


class Thrower(TypedDict):
    """Who rolls, for a line in a table of dice: what is added to the faces, and the total once all are typed."""

    name: str
    side: int | None
    note: str
    plus: str
    total: NotRequired[int]


class Roll(TypedDict):
    """Dice rolled at the table; with `who`, of a call in which many roll; the last `again` of them for a tie.

    What one alone rolls for stands before the boxes in a `word`.
    """

    purpose: str
    legend: str
    word: NotRequired[str]
    sides: list[int]
    again: int
    sum: Parts
    error: str
    who: NotRequired[Thrower]


class Stood(Token):
    """Where somebody stands in the order so far: what they have rolled, dice of a tie included."""

    name: str
    score: str


class Ruling(TypedDict):
    """What the rules say; `param` names what is wrong."""

    allowed: bool
    reason: NotRequired[Parts]
    param: NotRequired[str]


class Lack(TypedDict):
    """What somebody's sheet lacks: a number, or the damage of the weapon at a place in their `weapons`."""

    name: str
    stat: str
    title: str
    weapons: NotRequired[list[dict[str, object]]]
    place: NotRequired[int]


class Guard(TypedDict):
    """What somebody who is aimed at may do before the attack."""

    name: str
    action: str
    title: str


class Choices(TypedDict):
    """What an action still needs; `given` is what its form begins with, if that was asked for.

    What those who are attacked may do first stands in `guards`. What somebody has declared stands in `said`: the same
    again would take it back, so that is asked for by name.

    A number that a sheet `lacks` would tell what else only the table can; what dice must show that the seed rolls is
    `foretold`. Where a fight begins, those who have rolled stand in `order`, who is even beside each other.
    """

    params: list[SentParam]
    dice: list[Roll]
    ruling: Ruling
    given: NotRequired[dict[str, object]]
    lacks: NotRequired[Lack]
    foretold: NotRequired[Parts]
    order: NotRequired[list[list[Stood]]]
    said: NotRequired[list[dict[str, object]]]
    guards: NotRequired[list[Guard]]


# ── the map ──


class MapToken(Token):
    """Somebody on the map, or not on it yet: `at` is a column and a row, a zone, or another place by its name.

    The first `vital` goes where players are not told it.
    """

    name: str
    at: NotRequired[_Two | str]
    status: str
    vital: NotRequired[_Two]


class MapReach(TypedDict):
    """Where an action leads to which nothing cheaper does, and how `far` it leads at most.

    `cells` are runs of squares or hexes: row, from, to, both included.
    """

    action: str
    title: str
    cost: str
    far: str
    cells: NotRequired[list[_Run]]
    zones: NotRequired[list[str]]


class MapThreat(TypedDict):
    """The places for leaving which somebody of a side may attack."""

    side: int
    cells: list[_Run]


class MapRange(TypedDict):
    """How far a weapon reaches: `cells` lie around whoever stands at 0, 0; none where that is too far to see."""

    weapon: str
    far: str
    cells: NotRequired[list[_Run]]


class MapZone(TypedDict):
    """A zone, the column and row in which it is drawn, and which zones it touches, by number.

    The band it is in from whoever acts is a `word`; the `note` says what that means.
    """

    name: str
    at: _Two
    beside: list[int]
    word: NotRequired[str]
    note: NotRequired[str]


class MapHalt(TypedDict):
    """A move that somebody has been stopped in: where they have been, what they have still before them, who may act."""

    who: str
    gone: list[_Two | str]
    left: list[_Two | str]
    asks: list[str]


class MapGhost(TypedDict):
    """Where somebody goes later in the round, and with which event."""

    who: str
    at: _Two | str
    seq: int


class MapPicture(TypedDict):
    """A picture below the map: its bytes are asked for by its `id`.

    It is `size` px large, a square or hex has `square` of them, and the px `at` lies below the middle of 0, 0. The GM
    is told its `name`, and whether it is `shown` to players.
    """

    id: str
    size: list[int]
    square: float
    at: list[float]
    name: NotRequired[str]
    shown: NotRequired[bool]


class MapView(TypedDict):
    """The map; without a `board`, where nobody has a place, there is none.

    Whoever acts is `current`. The ground is that of `whose`: `reach`, `threat`, `ranges`, and how far `apart` everybody
    else is; none in the past, which has `ghosts`. They can be moved from here if that is said by `goes`. `about` says
    of whoever is looked at what they have left. Of an exercise the places to reach are `marked`. A
    `picture` can be laid below it from here if that is said by `lays`; on a `second` screen only the one that is there.
    That the fight has not begun, and people can be set down, is said by `setup`; of a `saved` one nothing can be asked.
    """

    board: Literal["", "squares", "centres", "hexes", "zones"]
    unit: str
    caption: str
    sides: list[Side]
    tokens: dict[str, MapToken]
    current: str | None
    whose: str | None
    reach: list[MapReach]
    threat: list[MapThreat]
    ranges: list[MapRange]
    apart: dict[str, str]
    about: NotRequired[str]
    halt: NotRequired[MapHalt]
    ghosts: NotRequired[list[MapGhost]]
    marked: NotRequired[list[list[int]]]
    picture: NotRequired[MapPicture]
    lays: NotRequired[bool]
    second: NotRequired[bool]
    setup: NotRequired[bool]
    saved: NotRequired[bool]
    zones: list[MapZone]
    goes: bool
    players: bool
    past: bool


class MapData(MapView, Revised):
    """The map as it is sent."""


class MapAction(_Titled):
    """An action that leads somewhere, what it takes, and `no`, why it does not lead there."""

    cost: str
    no: NotRequired[Parts]


class MapWay(TypedDict):
    """A way: what to give as `to`, and the `path` over which it leads.

    It `says` how long it is; `small` how many may attack, and `text` who: `asks` has each with the steps gone by then.
    """

    to: object
    path: list[object]
    title: str
    says: str
    small: str
    text: str
    asks: list[_Asks]


class MapWays(TypedDict):
    """How somebody gets to a place: by which actions, and on which ways by the `action` chosen; `why` if they don't."""

    action: str | None
    actions: list[MapAction]
    ways: list[MapWay]
    why: Parts


class MapArea(TypedDict):
    """What an area on the map covers, cells as runs or zones, and who can be seen in it; it `says` how large it is."""

    says: str
    cells: NotRequired[list[_Run]]
    zones: NotRequired[list[str]]
    names: list[str]


# ── the tracker ──


class Asked(TypedDict):
    """Somebody who is asked in a window, or what a seat asks: then `text` says it, and its `actions` settle it.

    Who has let it go has `passed`; at a seat, whoever it has no answer for any more `waits`. Of its own, who is `aside`
    may be let go unasked: others are aimed at, and nothing has been taken back since. Where it plays several, `lets`
    says who lets it go.
    """

    who: str
    side: int | None
    text: NotRequired[str]
    actions: NotRequired[list[Act]]
    must: NotRequired[bool]
    waits: NotRequired[bool]
    passed: NotRequired[bool]
    aside: NotRequired[bool]
    lets: NotRequired[str]
    choices: NotRequired[list[Chosen]]
    many: NotRequired[bool]


class Window(_Titled):
    """A window: what it is about, who is asked and how many `more`, on which rules it rests.

    It is `shared` where those at seats may answer still, and others whom the GM plays; it is `held` where it waits for
    players alone who are there.
    """

    question: bool
    rows: list[Asked]
    sub: Parts
    rules: list[str]
    more: int
    soft: bool
    shared: NotRequired[bool]
    held: NotRequired[bool]


class Fell(TypedDict):
    """Who went down by what was done last, and how they stand until the GM says so: ``"down"``, ``"dead"``."""

    name: str
    stands: str


class Owed(TypedDict):
    """Who is hit for nobody has said how much, by whom, and at which `seat` that is said, if at one."""

    name: str
    attacker: str
    seat: NotRequired[str]


class Result(TypedDict):
    """What the last call came to: a sentence, what it rests on; `twenty` if a natural 20 was rolled.

    Where somebody is hit for nobody has said how much, that is `owed`. It is `news` beside what play has stopped for.
    """

    text: Parts
    sub: Parts
    news: NotRequired[bool]
    rules: NotRequired[list[str]]
    who: NotRequired[Token]
    twenty: NotRequired[bool]
    fell: NotRequired[Fell]
    owed: NotRequired[Owed]


class Fact(TypedDict):
    """Something worth telling of a fight that is over."""

    title: str
    text: Parts


class Dealt(TypedDict):
    """Somebody, and how much damage they dealt."""

    who: Token
    name: str
    amount: int


class Fared(TypedDict):
    """What a side had left of the first vital: at the start of each round, and at the end."""

    side: int
    name: str
    points: list[int]


class Ended(TypedDict):
    """How a fight ended, as everybody is told it; `system` is what its rules are called, `scene` what it is called.

    Where players don't see what is left, `fared` tells in its picture how many of each side still stood; the `caption`
    says which.
    """

    title: str
    system: str
    lead: str
    scene: NotRequired[str]
    faces: list[Token]
    facts: list[Fact]
    fared: list[Fared]
    caption: NotRequired[str]


class End(Ended):
    """How a fight ended: a card; `told` is what players read of it, `seats` those whose page can be saved besides.

    To look `back` leads to the last event before it was ended.
    """

    dealt: list[Dealt]
    total: int
    back: NotRequired[int]
    told: NotRequired[Ended]
    seats: NotRequired[list[str]]


class Stat(_Titled):
    """A stat that can be typed; the `first` ones are what a fight needs, those in the `row` are asked for at once.

    One of `rows` holds several things alike, as weapons; each has `parts` (id, title, kind), and can be typed as in the
    `example`. One whose range nobody states is used as `rangeless` says.
    """

    type: Literal["int", "text", "list", "bool", "either", "rows"]
    default: object
    min: int | None
    max: int | None
    vital: bool
    first: NotRequired[bool]
    row: NotRequired[bool]
    parts: NotRequired[list[_Three]]
    example: NotRequired[str]
    rangeless: NotRequired[str]


class Member(Token):
    """Somebody in a fight that is being set up, with those `stats` that can be typed and differ from their defaults."""

    name: str
    npc: bool
    summary: str
    stats: dict[str, object]
    surprised: bool


class Card(TypedDict):
    """A combatant's card: what can be typed, what of it differs from the defaults (`has`), and `lines` only to read."""

    name: str
    side: str
    npc: bool
    stats: list[Stat]
    has: dict[str, object]
    lines: list[Words]
    conditions: list[Held]
    left: list[Slot]


class Earlier(TypedDict):
    """A fight of this kernel, by its number, and what the button says that goes on with it."""

    fight: int
    title: str


class Setup(TypedDict):
    """What setting a fight up needs.

    `party` is the side that stays when the others are cleared; `keeps` says whether a party can be kept; `foes` is the
    side of the last combatant the GM plays. `earlier` are fights that were begun in this kernel, by number, with what
    the button says; `here` says that only this kernel keeps what is begun.
    """

    stats: list[Stat]
    sides: list[Side]
    foes: NotRequired[str]
    party: NotRequired[str]
    keeps: NotRequired[bool]
    combatants: NotRequired[list[Member]]
    earlier: NotRequired[list[Earlier]]
    here: NotRequired[bool]


class Bookkeeping(TypedDict):
    """What the GM may note and do; `gone` have left and may come back, `chosen` is looked at out of turn.

    `skip` is what going on to the next round is called.
    """

    names: list[str]
    gone: list[str]
    conditions: list[str]
    untils: list[str]
    skip: str
    chosen: NotRequired[str]


class TurnWords(TypedDict):
    """Whose turn it is, and `then`, for players, whose comes next; at a seat, what of that is `mine`."""

    title: str
    sub: str
    who: NotRequired[Token]
    then: NotRequired[str]
    mine: NotRequired[Literal["now", "asked", "may", "next", "here"]]


class Ending(TypedDict):
    """The button that ends a turn; `first` is said, at the first press, of what would be passed over by it."""

    label: str
    allowed: bool
    reason: Parts
    first: NotRequired[str]


class Way(TypedDict):
    """The undo or the redo button."""

    allowed: bool
    title: str


class Sitter(TypedDict):
    """Who has a seat, whom they play, and whether they are there, also in a `word`."""

    name: str
    plays: list[str]
    here: bool
    word: str


class Join(TypedDict):
    """How to join, for a table's screen: where the page is, and its QR code; no link, no code."""

    url: str
    qr: list[str]


class ForSeats(TypedDict):
    """What is chosen for all seats: whether each throws its own dice, and whether the GM confirms what they do."""

    throws: bool
    asks: bool


class TrackerView(TypedDict):
    """The turn's controls; a saved fight has what stands at the head of a moment, and the last result.

    `ends` proposes that the fight is over, while one side alone stands. A `task` is an exercise: nobody is its GM.

    At a seat, `hurt` is what those who are played there have just lost, and `owed` which hit of theirs is asked about
    first, for as long as nobody has said how much it takes. Before the start, players are told who `sits`
    at the table and what the fight is `called`, and a table's screen says how to `join`. A `second` screen of the GM's
    says who sits there always, with what is `chosen` for all seats, and has neither shelf nor files nor other fights.
    """

    mode: Literal["setup", "play", "over", "past"]
    system: str
    clock: Clock
    turn: TurnWords
    windows: list[Window]
    announce: str
    sides: list[Side]
    systems: NotRequired[list[Words]]
    end: NotRequired[Ending]
    undo: NotRequired[Way]
    redo: NotRequired[Way]
    ready: NotRequired[list[Asked]]
    result: NotRequired[Result]
    ends: NotRequired[str]
    past: NotRequired[Travel]
    card: NotRequired[End]
    setup: NotRequired[Setup]
    gm: NotRequired[Bookkeeping]
    players: bool
    seat: NotRequired[bool]
    task: NotRequired[bool]
    dice: NotRequired[Literal["seeded", "table"]]
    timer: NotRequired[int]
    mine: NotRequired[list[FirstDie]]
    hurt: NotRequired[str]
    owed: NotRequired[Owed]
    sits: NotRequired[list[Sitter]]
    called: NotRequired[str]
    join: NotRequired[Join]
    second: NotRequired[bool]
    chosen: NotRequired[ForSeats]


class MomentForm(TypedDict):
    """What a question or an exercise is made of, what else may be chosen, and the lines of Python that make it.

    It is `told` in words; `right` is what the rules say, by which rule; `why` is what is still wrong with it.
    """

    people: list[str]
    actions: list[Words]
    targets: list[str]
    name: str
    action: str
    target: str
    words: str
    line: str
    why: str
    told: NotRequired[str]
    right: NotRequired[str]
    rule: NotRequired[str]


class TrackerData(TrackerView, Revised):
    """The turn's controls as they are sent."""
