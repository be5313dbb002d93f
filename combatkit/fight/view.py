"""Looking at a fight: everything a user can ask of one moment, past or present."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, wraps
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NoReturn, Self, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from combatkit.core.geometry import Board
from combatkit.core.model import (
    Area,
    Budget,
    Choice,
    Clock,
    Combatant,
    Distance,
    Fighter,
    Foresight,
    Ground,
    Offer,
    Option,
    Ruling,
    Rung,
    State,
    Way,
)
from combatkit.core.plain import bare, counted, is_number, own
from combatkit.core.timeline import Log, digest_of
from combatkit.errors import CombatkitError, InvalidInput, UnknownName
from combatkit.fight import ground as grounds
from combatkit.rules import ladder
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action, Cost
from combatkit.rules.judge import (
    Judgement,
    allowed,
    is_answer,
    is_asked,
    judge,
    ruling_of,
    still_asked,
    still_due,
    values_of,
    with_target,
)
from combatkit.rules.params import check_params, find_action, only_one
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.several import with_one
from combatkit.rules.windows import offers
from combatkit.text import ENGLISH, Language, say
from combatkit.text.phrases import capital

if TYPE_CHECKING:
    from combatkit.study.odds.table import Odds

F = TypeVar("F", bound=Callable[..., object])
Told = TypeVar("Told", Ruling, Option)
Looked = TypeVar("Looked")

_OURS = frozenset(("title", "cost", "reason", "why", "about", "label"))
"""What is words of ours in what a look gives, by the names of its fields; what else it says is ids, names, numbers."""


def whole(look: F) -> F:
    """Let a look that reads several things read them all at one moment, whatever another thread does meanwhile."""

    @wraps(look)
    def looked(self: View, *args: object, **kwargs: object) -> object:
        return look(self._whole(), *args, **kwargs)

    return cast(F, looked)


class View:
    """A fight at one moment, read-only.

    `Encounter.at` gives one of the past; an `Encounter` is one of the present.

    Attributes
    ----------
    id : str
        The encounter's id.
    ruleset : Ruleset
        The system it is played by.
    """

    _judged: tuple[Case, Judgement] | None = None
    _fight: View | None = None
    """The fight of which this is a past moment."""

    def __init__(
        self, id: str, rules: Ruleset, state: State | Callable[[], State], log: Log, *, ended: bool = False
    ) -> None:
        self.id = id
        self.ruleset = rules
        self._found = state
        self._log = log
        self._ended = ended
        """Whether this is known to be the end of a call; a look at the past may be in the middle of one."""

    @property
    def _called(self) -> str:
        """What it is called where people read it, if nobody has given it a title."""
        return self._named(None)

    def _named(self, title: str | None) -> str:
        """Return its name, by a title if it has one: an id that nobody chose is none; a branch says where it leaves."""
        head, *forks = self._parts
        called = title or ("" if self._is_unnamed else head) or self.ruleset.title
        return ", ".join([called, *[f"from event {fork}" for fork in forks]])

    @property
    def _is_unnamed(self) -> bool:
        """Whether nobody has chosen its id."""
        return bool(re.fullmatch(rf"{re.escape(self.ruleset.id)}(?:-\d+|-(?:[0-9a-f]{{4}}){{1,2}})?", self._parts[0]))

    @property
    def _parts(self) -> list[str]:
        """The id of the fight that it branched from, and from which event, each time."""
        return re.split(r"@(?=\d)", self.id)

    @property
    def _state(self) -> State:
        found = self._found
        if not isinstance(found, State):
            found = self._found = found()
        return found

    @property
    def _events(self) -> Log:
        return self._log

    @property
    def _language(self) -> Language:
        return self.ruleset.languages[self._state.language]

    def _worded(self, found: Looked) -> Looked:
        """Return what a look gives in the words of the fight: all behind it is in English."""
        state = self._state
        if state.language == ENGLISH:
            return found
        return cast(Looked, _in_words(found, self._language.among(state.fighters), state.language))

    def _whole(self) -> View:
        """Return the moment that is looked at: itself, since it never changes."""
        return self

    def __copy__(self, memo: object = None) -> Self:
        return self

    __deepcopy__ = __copy__

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise InvalidInput(
            f"{self.id!r} cannot be copied or pickled: a fight has one log. enc.branch(seq) gives one that goes its "
            "own way from event seq on, enc.save(path) a file that ck.load reads"
        )

    # ── who, when ──

    @property
    def active(self) -> str | None:
        """Whose turn it is, or None."""
        turn = self._state.turn
        return turn.who if turn is not None else None

    @property
    def order(self) -> tuple[Rung, ...]:
        """The initiative ladder, top first; empty before the fight begins."""
        return self._worded(ladder.rungs(self.ruleset, self._state))

    @property
    def clock(self) -> Clock:
        """The present moment: round, step, phase, segment, game seconds."""
        state = self._state
        clock = self.ruleset.clock(state)
        return clock if state.language == ENGLISH else self._worded(clock)

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody in the fight, in the order they were added."""
        return tuple(self._state.fighters)

    @property
    def digest(self) -> str:
        """A checksum of everything that happened, and of the dice: the same before and after a refused call.

        Fights with the same seed and the same calls have the same digest, whatever their ids; ``docs/engine.md`` says
        what it covers. It gives the seed away, so it is not for players.
        """
        now = self._whole()
        return digest_of(now._events, now._state)

    @whole
    def __repr__(self) -> str:
        """Say which fight it is and how it stands."""
        moment = self._language.several(f"event {len(self._events)}")
        return f"<{type(self).__name__} {self.id}, {moment}: {self._stands}, {self._people}>"

    @property
    def _stands(self) -> str:
        """When it is and whose turn, in the words of the fight."""
        whose = self._language.tell("{active}'s turn", active=self.active) if self.active else ""
        return ", ".join(filter(None, (self.clock.label, whose)))

    @property
    def _people(self) -> str:
        """How many there are, in the words of the fight."""
        return self._language.several(counted(len(self._state.fighters), "combatant"))

    @whole
    def __getitem__(self, name: str) -> Combatant:
        """Return a combatant as they stand.

        Raises
        ------
        UnknownName
            If nobody has the name; it suggests the nearest.
        """
        return self._worded(ladder.combatant(self.ruleset, self._state, self._fighter(name)))

    def __contains__(self, name: object) -> bool:
        """Check whether somebody of this name is in the fight."""
        return name in self._state.fighters

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._state.fighters)

    def _fighter(self, name: str) -> Fighter:
        state, known = self._state, bare(str(name))
        return state.fighters.get(known) or state.fighters[only_one(state, known)]

    # ── may I? ──

    @whole
    def budget(self, name: str) -> Budget:
        """Return what a combatant has left to spend.

        Parameters
        ----------
        name : str
            The combatant.

        Returns
        -------
        Budget
            Its slots, caps counted in; ``budget["standard"].left``.
        """
        name, state = self._fighter(name).name, self._state
        budget = ladder.budget(self.ruleset, state, name)
        return budget if state.language == ENGLISH else self._worded(budget)

    @whole
    def options(self, name: str | None = None) -> tuple[Option, ...]:
        """Return every action for a combatant, including refused ones, each with its reason and rule.

        Parameters
        ----------
        name : str, optional
            The combatant; the active one if none is named.

        Returns
        -------
        tuple of Option
            `needs` are the parameters still to be given.

        Raises
        ------
        InvalidInput
            If nobody is named and nobody is active.
        """
        if name is None:
            name = self.active
            if name is None:
                raise InvalidInput("nobody is active; say whose options: options('NAME')")
        return tuple(map(itemgetter(0), self._options(self._fighter(name).name)))

    @whole
    def can(self, name: str, action: str, /, **params: object) -> Ruling:
        """Check whether an action would be allowed; a refusal by the rules is an answer, not an exception.

        Parameters
        ----------
        name : str
            Who would act.
        action : str
            The action's id.
        **params
            Its parameters, as `Encounter.do` takes them.

        Returns
        -------
        Ruling
            Allowed or not, the reason and the rules, the cost, and a preview of the roll.

        Raises
        ------
        UnknownName, InvalidInput
            For anything that is not a question of rules: a name nobody has, a value of the wrong kind.
        """
        case = self._case(name, action, params)
        ruling = ruling_of(case, self._judge(case))
        return self._worded(self._still_asked(case.fighter.name, case.action, case.params, ruling))

    @whole
    def may(self, name: str, action: str, /, **params: object) -> bool:
        """Check whether an action would be allowed, yes or no: as `can`, but quicker, since it says no reason.

        Parameters
        ----------
        name : str
            Who would act.
        action : str
            The action's id.
        **params
            Its parameters, as `Encounter.do` takes them.

        Returns
        -------
        bool
            Whether `Encounter.do` would carry it out.

        Raises
        ------
        UnknownName, InvalidInput
            As `can` does, unless it would be refused anyway.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.scene("catwalk").encounter("saga", seed=7)
        >>> enc.may("Vex", "attack", target="Mara"), enc.may("Mara", "attack", target="Vex")
        (True, False)
        """
        case = self._case(name, action, params)
        judged = self._known(case)
        if judged is None:
            judged = allowed(case)
            if judged is None:
                return False
            self._judged = (case, judged)
        return not judged.objections and not judged.missing

    def _case(self, name: str, action: str, params: Mapping[str, object]) -> Case:
        """Return the case of what somebody would do, its parameters checked, and its target if nobody else can be."""
        rules, state = self.ruleset, self._state
        found = find_action(rules, state, action)
        checked = check_params(rules, state, found, params)
        return with_target(Case(rules, state, self._fighter(name), found, checked))

    def _known(self, case: Case) -> Judgement | None:
        """Return what the case asked about last was judged to be, if it is this one."""
        known = self._judged
        if known is not None:
            last = known[0]
            same = last.state is case.state and last.fighter is case.fighter and last.action is case.action
            if same and last.params == case.params:
                return known[1]
        return None

    def _judge(self, case: Case) -> Judgement:
        """Return what is against an action; asking first and then acting costs only one judgement."""
        judged = self._known(case)
        if judged is None:
            judged = judge(case)
            self._judged = (case, judged)
        return judged

    @whole
    def choices(self, name: str, action: str, /, **params: object) -> tuple[Choice, ...]:
        """Return the legal and the refused values of each parameter.

        Parameters
        ----------
        name : str
            Who would act.
        action : str
            The action's id.
        **params
            What is chosen already.

        Returns
        -------
        tuple of Choice
            Free text, numbers and dice are `open`: there is no list of them.
        """
        name = self._fighter(name).name
        found = find_action(self.ruleset, self._state, action)
        given = check_params(self.ruleset, self._state, found, params)
        choices: list[Choice] = []
        for id in self._wanted(name, found, given):
            if id in given:
                continue
            values = self._values(name, found, id, given)
            if values is None:
                choices.append(Choice(id, None, Ruling(True, "open"), True))
                continue
            several = self.ruleset.parameters[id].kind == "names"
            tried = [with_one(found, given, id, v) if several else {**given, id: v} for v in values]
            rulings = ((v, self._weigh(name, found, more)) for v, more in zip(values, tried, strict=True))
            choices.extend(Choice(id, value, ruling) for value, ruling in rulings)
        return self._worded(tuple(choices))

    def _options(self, name: str) -> list[tuple[Option, Cost]]:
        """Return every action as an option, and what it costs where nothing is said of that."""
        rules, state = self.ruleset, self._state
        fighter, catalogue = state.fighters[name], rules.catalogue(state)
        found = list(map(partial(judged_option, rules, state, fighter), catalogue))
        if state.window is not None:
            each = zip(catalogue, found, strict=True)
            found = [(self._still_asked(name, action, {}, option), cost) for action, (option, cost) in each]
        return found if state.language == ENGLISH else [(self._worded(option), cost) for option, cost in found]

    def _option(self, name: str, action: Action) -> Option:
        """Return an action as an option: allowed, with what is still needed, or refused and why."""
        state = self._state
        return self._still_asked(name, action, {}, judged_option(self.ruleset, state, state.fighters[name], action)[0])

    def _still_asked(self, name: str, action: Action, params: Mapping[str, object], found: Told) -> Told:
        """Return a ruling with who may still answer, if a soft window is let go first: what comes of it is unknown."""
        state = self._state
        if state.window is None or not state.window.soft:
            return found
        if is_answer(Case(self.ruleset, state, state.fighters[name], action, params)):
            return found
        return replace(found, reason=" ".join(filter(None, (found.reason, still_asked(state)))))

    def _wanted(self, name: str, action: Action, given: Mapping[str, object]) -> tuple[str, ...]:
        """Return the parameters an action takes with what is given, in order; of another's, those it takes."""
        missing = self.ruleset.mechanisms[action.does].missing
        case = Case(self.ruleset, self._state, self._state.fighters[name], action, given)
        more = missing(case) if missing else ()
        return tuple(dict.fromkeys([*(id for id in action.takes if is_asked(case, id)), *more]))

    def _values(self, name: str, action: Action, param: str, given: Mapping[str, object]) -> tuple[Any, ...] | None:
        """Return the values a parameter can be chosen from, with what is given; None for what is open."""
        return values_of(Case(self.ruleset, self._state, self._state.fighters[name], action, given), param)

    def _wrong(self, error: CombatkitError, *, bare: bool = False) -> str:
        """Return why a value can't be, in the words of the fight: all of it, or none; `bare`, without which call."""
        said = str(error)
        told = self._said_whole(said)
        return said.partition(": ")[2] or said if bare and told == said else told

    def _said_whole(self, sentence: str) -> str:
        """Return a sentence in the words of the fight: all of it, or none."""
        return self._language.among(self._state.fighters, whole=True)(sentence)

    def _weigh(self, name: str, action: Action, params: dict[str, object]) -> Ruling:
        """Judge a choice by itself: what else is still missing does not count against it."""
        state = self._state
        try:
            params = check_params(self.ruleset, state, action, params)
            case = Case(self.ruleset, state, state.fighters[name], action, params)
            judged = judge(case)
        except (
            InvalidInput,
            UnknownName,
        ) as error:  # a value that goes with such a parameter, but not with this action
            return Ruling(False, self._wrong(error), action.rule, (action.rule,))
        return self._still_asked(name, action, params, ruling_of(case, replace(judged, missing=())))

    def _needs(self, name: str, action: Action) -> tuple[str, ...] | None:
        """Return what an action still needs, as its option says; None if it is refused, without a reason."""
        case = Case(self.ruleset, self._state, self._state.fighters[name], action)
        judged = allowed(case)
        if judged is not None:
            return judged.missing
        ways = (values_of(case, "pay") or ()) if "pay" in action.takes else ()
        paid = next(filter(None, (allowed(case.given({"pay": way})) for way in ways)), None)
        return None if paid is None else ("pay", *paid.missing)

    def _fits(self, name: str, action: Action, params: Mapping[str, object]) -> bool:
        """Check whether a choice is allowed, as `_weigh` judges it, yes or no."""
        state = self._state
        try:
            params = check_params(self.ruleset, state, action, params)
            case = Case(self.ruleset, state, state.fighters[name], action, params)
            judged = allowed(case)
        except (InvalidInput, UnknownName):
            return False
        if judged is not None:
            self._judged = (case, judged)
        return judged is not None

    @whole
    def odds(self, *, surprised: Iterable[str] = ()) -> Odds:
        """Return the exact odds: who acts first, in any place, on which score, and the chance of an attack.

        Parameters
        ----------
        surprised : iterable of str
            Who would be unaware as the fight begins, as `Encounter.start` takes it.

        Returns
        -------
        Odds
            Frames, fractions and charts of initiative as it would be rolled now.

        Raises
        ------
        InvalidInput
            If nobody has been added, or the ruleset does not say what its order rests on.
        UnknownName
            For a name nobody has.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Mara", side="rebels", dex=4), enc.add("Vex", side="empire", dex=1)
        >>> enc.odds().first.select("combatant", "chance", "exact").rows()
        [('Mara', 0.66, '33/50'), ('Vex', 0.34, '17/50')]
        """
        from combatkit.study.odds.table import Odds

        return Odds(self, surprised)

    # ── windows, places, rules ──

    @property
    def pending(self) -> tuple[Offer, ...]:
        """What can be answered now, in the window on top; a question to the GM has ``who="GM"``.

        Windows that were interrupted before it, with their offers, wait their turn.
        """
        return self._worded(self._offered()) if self._state.window is not None else ()

    @whole
    def _offered(self, who: str | None = None) -> tuple[Offer, ...]:
        """Return what all can answer now, or only one of them."""
        window = self._state.window
        fresh = self._ended and window is not None and window.seq == len(self._events)
        return offers(self.ruleset, self._state, fresh=fresh, who=who)

    @property
    def board(self) -> Board:
        """What combatants stand on: its kind, what lengths are measured in, and the zones of the map.

        Examples
        --------
        >>> import combatkit as ck
        >>> board = ck.Encounter("segments", seed=7).board
        >>> board.kind, board.length, board.unit
        ('centres', 5, 'ft')
        >>> ck.Encounter("d6", seed=7, map=[("quay", "crane"), ("crane", "roof")]).board.zones["crane"]
        ('quay', 'roof')
        """
        return self.ruleset.board.on(self._state.map)

    @whole
    def distance(self, a: str | Sequence[int], b: str | Sequence[int]) -> Distance | None:
        """Return how far apart two combatants stand, or two places; None without positions.

        Parameters
        ----------
        a, b : str, or a place
            Names, or places as `Encounter.place` takes them.

        Returns
        -------
        Distance or None
            Steps on the map, and the band's name where the system has bands.

        Raises
        ------
        UnknownName
            For a name that is neither somebody's nor a place's.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("phases", seed=7)
        >>> _ = enc.add("Mara", side="crew", at=(0, 0)), enc.add("Boss", side="gang", at=(3, 1))
        >>> enc.distance("Mara", "Boss")
        Distance(steps=4, band=None, length=4, unit='hexes')
        >>> enc.distance("Boss", (2, 1)).steps
        1
        """
        return self.ruleset.board.distance(self._state.map, self._spot(a), self._spot(b))

    def _spot(self, given: object) -> object:
        """Return where somebody stands, or the place itself."""
        board, state, given = self.board, self._state, own(given)
        if not isinstance(given, str):
            return board.check_position(state.map, given)
        if given in state.fighters:
            return state.fighters[given].position
        spot = given if given in board.zones else board.pair(given)
        return self._fighter(given).position if spot is None else spot

    @whole
    def ground(self, name: str, *, view: str = "gm") -> Ground:
        """Return where somebody can go as things stand, by the cheapest action, and who may attack them for it.

        Parameters
        ----------
        name : str
            Who.
        view : str
            ``"gm"``, or ``"players"`` for what players know: nobody hidden is there.

        Returns
        -------
        Ground
            ``ground[place]`` is the cheapest action that leads there.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("phases", seed=7)
        >>> _ = enc.add("Mara", side="crew", at=(0, 0), combat_value=9), enc.add("Boss", side="gang", at=(1, 0))
        >>> _ = enc.start()
        >>> ground = enc.ground("Mara")
        >>> ground
        Ground('Mara' at (0, 0): 124 places, threatened by Boss)
        >>> ground[(-1, 0)], ground.lengths[(-4, 0)]
        (Reach('1_hex_step', '1-hex step': 1, cheapest to 5 places), 4)
        >>> [reach.action for reach in ground.by((-4, 0))]
        ['full_move', 'withdraw', 'noncombat_move']
        """
        seen = self._as_seen(view)
        return self._worded(grounds.ground(seen.ruleset, seen._state, seen._fighter(name)))

    @whole
    def foresee(
        self,
        name: str,
        action: str,
        /,
        *,
        target: str | Iterable[str] | None = None,
        view: str = "gm",
        **params: object,
    ) -> Foresight:
        """Return what an action would come to, up to its first die, if nobody who is asked steps in.

        The call is made on a copy: nothing changes. A question to the GM counts as answered by its first choice, or by
        everybody it names: by that, most follows.

        Parameters
        ----------
        name : str
            Who would act.
        action : str
            The action's id.
        target : str or iterable of str, optional
            Who they would target.
        view : str
            ``"gm"``, or ``"players"`` for what players know: nobody hidden is there, and nothing is told of what others
            have readied or hold.
        **params
            The action's own parameters, as `Encounter.do` takes them.

        Returns
        -------
        Foresight
            The ruling with what it spends, where it ends, and who will be asked where.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("phases", seed=7)
        >>> _ = enc.add("Mara", side="crew", at=(0, 0), combat_value=9), enc.add("Boss", side="gang", at=(1, 0))
        >>> _ = enc.start()
        >>> seen = enc.foresee("Mara", "half_move", to=(-3, 0))
        >>> seen.ruling.cost, seen.end, [(asked.who, asked.at) for asked in seen.asked]
        ('Move', (-3, 0), [('GM', (0, 0)), ('Boss', (0, 0))])
        """
        given = params if target is None else {**params, "target": target}
        seen = self._as_seen(view)
        who = seen._fighter(name).name
        return self._worded(grounds.foresee(seen.ruleset, seen._state, who, action, given, len(self._events) + 1))

    @whole
    def ways(
        self, name: str, to: str | Sequence[int], *, action: str | None = None, view: str = "gm"
    ) -> tuple[Way, ...]:
        """Return the ways to a place: the straight one, and one on which fewer may attack for the same cost.

        Parameters
        ----------
        name : str
            Who would go.
        to : object
            Where to: a place, or where somebody stands.
        action : str, optional
            By which action; the cheapest that leads there if none is named.
        view : str
            As `ground` takes it.

        Returns
        -------
        tuple of Way
            None at all if no such action leads there; ``do(name, way.action, to=way.to)`` goes it.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("phases", seed=7)
        >>> _ = enc.add("Mara", side="crew", at=(0, 0), combat_value=9), enc.add("Boss", side="gang", at=(2, -1))
        >>> _ = enc.start()
        >>> straight, around = enc.ways("Mara", (3, 0), action="full_move")
        >>> straight.to, straight.length, straight.asked[-1].who
        ((3, 0), 3, 'Boss')
        >>> around.length, around.asked
        (4, ())
        """
        seen = self._as_seen(view)
        goal, who = seen._spot(to), seen._fighter(name).name
        return self._worded(grounds.ways(seen.ruleset, seen._state, who, goal, action, len(self._events) + 1))

    @whole
    def area(
        self,
        at: str | Sequence[int],
        *,
        kind: str = "circle",
        size: float | None = None,
        towards: str | Sequence[int] | None = None,
        view: str = "gm",
    ) -> Area:
        """Return what a circle, a cone or a line on the map covers, and who stands in it.

        Parameters
        ----------
        at : str, or a place
            The middle of a circle, or where a cone or a line begins, which is no part of it; or who stands there.
        kind : str
            ``"circle"``, ``"cone"`` or ``"line"``. A cone is a quarter of the circle on squares and a sixth on hexes; a
            line is one square or hex wide. Zones have circles only.
        size : float, optional
            How far it reaches, in the board's unit and by its own measure; left out, as far as `towards`.
        towards : str, or a place, optional
            Where a cone or a line leads; of a circle a place at its edge.
        view : str
            As `ground` takes it.

        Returns
        -------
        Area
            Its ``names`` are what an action with several targets takes.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("segments", seed=7)
        >>> _ = enc.add("Odo", side="party", at=(0, 0)), enc.add("Orc", side="orcs", count=2, at=(3, 1))
        >>> _ = enc.place("Orc 2", at=(5, 4))
        >>> enc.area((3, 3), size=20)
        Area(circle of 20 ft: Orc 1, Orc 2)
        >>> enc.area("Odo", kind="line", towards="Orc 1", size=30).names
        ('Orc 1',)
        """
        seen = self._as_seen(view)
        given = {"at": at} if towards is None else {"at": at, "towards": towards}
        spots = {what: seen._spot(each) for what, each in given.items()}
        return grounds.area(seen.board, seen._state, kind, own(size), spots)

    def _as_seen(self, view: str) -> View:
        """Return this moment as the GM or players know it."""
        state = grounds.as_seen(view, self._state, self._events)
        return self if state is self._state else View(self.id, self.ruleset, state, self._events)

    @whole
    def explain(self, seq: int) -> str:
        """Say the rules an event rests on, in words, with their locators.

        Parameters
        ----------
        seq : int
            The event's number in the log.

        Returns
        -------
        str
            What happened, and a line for each rule.

        Raises
        ------
        InvalidInput
            If there is no such event.
        """
        seq = self._seq(seq)
        event = self._events[seq - 1]
        told, rules = self._language.render, self.ruleset.rules
        words = event.text or told(say("explain.untold", of=event.kind))  # the log says nothing of it
        lines = [f"{seq}. {capital(' '.join(filter(None, (event.subject, words))))}"]
        for stands, ids in (("", event.rules), ("aside", event._data.get("overruled", ()))):
            for rule in [rules[id] for id in ids if id in rules]:
                text = f"{rule.id}: {rule.text} [{rule.locator}]"
                of = stands or ("disputed" if rule.disputed else "")
                lines.append(f"   {told(say('explain.rule', of=of, rule=text))}")
        return "\n".join(lines)

    def _seq(self, seq: object) -> int:
        """Return an event's number as a plain one, whatever kind of whole number it is."""
        if not is_number(seq := own(seq)) or not 1 <= seq <= len(self._events):
            raise InvalidInput(f"there is no event {seq!r}; the log has 1 to {len(self._events)}")
        return int(seq)


def _in_words(found: Any, say: Callable[[str], str], language: str) -> Any:
    """Return what a look gives with the words of ours as a language says them; a reason is a sentence."""
    if type(found) is tuple:
        return tuple([_in_words(each, say, language) for each in found])
    if not isinstance(found, Struct):
        return found
    told: dict[str, object] = {}
    for field in found.__struct_fields__:
        value = getattr(found, field)
        if field in _OURS:
            told[field] = capital(say(value)) if field == "reason" else say(value)
        elif type(value) is tuple or isinstance(value, Struct):
            told[field] = _in_words(value, say, language)
        elif field == "language":
            told[field] = language
    return replace(found, **told) if told else found


def judged_option(rules: Ruleset, state: State, fighter: Fighter, action: Action) -> tuple[Option, Cost]:
    """Return an action as an option, whoever may still answer, and what it costs where nothing is said of that."""
    judged = judge(case := Case(rules, state, fighter, action), brief=True)
    cost = still_due(case, judged.cost) if fighter.progress else judged.cost
    if not judged.objections:
        return Option(action.id, action.title, cost.title, True, "", judged.rule, judged.missing), cost
    if "pay" in action.takes:  # it may be bought in another way
        for way in values_of(Case(rules, state, fighter, action), "pay") or ():
            paid = judge(Case(rules, state, fighter, action, {"pay": way}), brief=True)
            if not paid.objections:
                needs = ("pay", *paid.missing)  # first, since what else is chosen is weighed by it
                return Option(action.id, action.title, paid.cost.title, True, "", paid.rule, needs), cost
    first = judged.objections[0]
    return Option(action.id, action.title, cost.title, False, first.reason, first.rule), cost
