"""Weapons on a sheet: which one an attack uses, who it reaches, what it adds to the attack."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import dist
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import to_builtins
from msgspec.structs import replace

from combatkit.core.dice import parse_dice
from combatkit.core.geometry import (
    Board,
    Square,
    as_pair,
    hex_distance,
    hex_line,
    hex_neighbours,
    square_line,
    square_neighbours,
)
from combatkit.core.limits import PATH
from combatkit.core.model import COUNTER, Act, Fighter, tuples
from combatkit.core.plain import check_whole, counted, is_text, short
from combatkit.errors import InvalidInput
from combatkit.rules.case import Ask, Case, Objection
from combatkit.rules.catalogue import Action, Stat
from combatkit.rules.draft import Draft
from combatkit.rules.several import are_several, blows_of
from combatkit.text import say, signed

if TYPE_CHECKING:
    from combatkit.core.model import State
    from combatkit.rules.ruleset import Ruleset

# ── going somewhere else, and standing where it leads ──


def way_of(params: Mapping[str, Any]) -> list[object]:
    """Return where an action leads, place by place; empty if nothing was given."""
    to = params.get("to")
    if to is None:
        return []
    return [to] if isinstance(to, str) or isinstance(to[0], int) else list(to)


def whither(case: Case) -> tuple[str, ...]:
    """Return where a move goes, if that must still be named: for somebody on a square or hex, unless they may stay.

    What every such action has to be given is asked for already.
    """
    measured = type(case.fighter.position) is tuple and not case.action.facts.get("may_stay")
    return ("to",) if measured and "to" not in case.params and "to" not in case.action.required else ()


def already_there(case: Case, rule: str = "") -> Iterable[Objection]:
    """Refuse, by a rule or by the action's own, a way that never leaves where somebody stands."""
    here = case.fighter.position
    if here is None or "to" not in case.params:
        return
    way = way_of(case.params)
    if way and all((as_pair(place) or place) == here for place in way):
        reason = f"{case.fighter.name} is already there."
        yield Objection(reason, rule) if rule else case.object(reason)


def off_board(case: Case) -> Iterable[Objection]:
    """Refuse a place that is only a name to somebody on a square or hex: nobody could tell how far that is."""
    spot, board = case.fighter.position, case.rules.board
    named = [place for place in way_of(case.params) if isinstance(place, str)] if type(spot) is tuple else []
    if named and board.cell:
        here = f"{case.fighter.name} stands on the {board.cell} {said_spot(spot)}"
        yield case.object(f"{here}; name a {board.cell} to go to, not {short(named[0])}.")


def way_clear(case: Case) -> Iterable[Objection]:
    """Refuse a way through an enemy, or into an enemy's square or hex, by the source's rule if it has one."""
    if "to" not in case.params:
        return
    board, cite = case.rules.board, case.rules.cite
    way = path_of(board, case.fighter, case.params, case.noted("path"))
    if not way:
        return
    passing, ending = case.rules.closed(case)
    given = case.act is not None or len(way_of(case.params)) > 1  # then no other path can be given
    around = "" if given or goes_straight(case) else "; give a path that goes around"
    for spot in dict.fromkeys(way[:-1]):
        if spot in passing:
            reason = f"{passing[spot]} stands in the way at {said_spot(spot)}: only allies pass through{around}."
            yield Objection(reason, cite.get("through", ""))
    if way[-1] in ending:
        reason = f"{ending[way[-1]]} stands at {said_spot(way[-1])}: only allies share a {board.cell}."
        yield Objection(reason, cite.get("share", ""))


def goes_straight(case: Case) -> bool:
    """Check whether an action goes in a straight line, as the option says that the list of actions names for it."""
    option = case.action.facts.get("straight")
    return option is not None and case.state.options[option] == "straight"


def foes_on(rules: Ruleset, state: State, who: str) -> dict[Square, Fighter]:
    """Return the enemies who are not down, by the square or hex each stands on."""
    fighters = state.fighters
    spots, side = rules.standing(fighters), fighters[who].side
    return {spot: foe for name, foe in fighters.items() if foe.side != side and (spot := spots[name]) is not None}


def standing(rules: Ruleset, fighter: Fighter) -> Square | None:
    """Return the square or hex somebody stands on; None for whoever has left or is down, too."""
    gone = fighter.effects and (rules.is_felled(fighter) or fighter.effect("left"))
    return None if gone else as_pair(fighter.position)


def stand(draft: Draft, act: Act, rules: tuple[str, ...]) -> Act:
    """Stand where an action leads, by these rules, if that was said."""
    way = way_of(act.params)
    if way:
        go(draft, act, way[-1], rules)
    return act


def go(draft: Draft, act: Act, to: object, rules: tuple[str, ...]) -> None:
    """Go to a place, by these rules; whoever stands there stays."""
    spot = draft.state.fighters[act.who].position
    here = list(spot) if isinstance(spot, tuple) else spot  # an event holds lists, not tuples
    if to != here:
        text = say("move.goes", origin=said_spot(here), to=said_spot(to))
        draft.emit("move", act.who, act.action, text=text, rules=rules, data={"from": here, "to": to})


def set_down(draft: Draft, name: str, at: object) -> None:
    """Set somebody down at a place, by the GM's word; None takes them off the map."""
    spot = None if at is None else spot_of(draft, at)
    data = {"from": to_builtins(draft.state.fighters[name].position), "to": to_builtins(spot)}
    text = say("move.off") if at is None else say("move.stands", to=said_spot(spot))
    draft.emit("move", name, text=text, by="gm", data=data)


def spot_of(draft: Draft, at: object) -> object:
    """Check a place that was given by hand, and return it in plain form."""
    return draft.rules.board.check_position(draft.state.map, at)


def said_spot(spot: Any) -> str:
    """Return a place as the log has it: a zone's name, or coordinates in parentheses; nothing for nowhere."""
    return "" if spot is None else spot if isinstance(spot, str) else f"({signed(spot[0])}, {signed(spot[1])})"


def stops_of(fighter: Fighter, params: Mapping[str, Any]) -> tuple[Square, ...] | None:
    """Return the square or hex a move leaves and those named for it; None if that isn't known."""
    way = way_of(params)
    if not way:
        return None
    stops = [as_pair(spot) for spot in (fighter.position, *way)]
    found = tuple([spot for spot in stops if spot is not None])
    return found if len(found) == len(stops) else None


def length_of(board: Board, stops: tuple[Square, ...]) -> int:
    """Count the steps of a path by arithmetic, since a named path may be too long to walk."""
    between = hex_distance if board.kind == "hexes" else apart
    return sum([between(a, b) for a, b in pairwise(stops)])


def apart(a: Square, b: Square) -> int:
    """Count the steps between two squares, a diagonal as one."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def path_of(board: Board, fighter: Fighter, params: Mapping[str, Any], left: Any = None) -> tuple[Square, ...]:
    """Return the squares or hexes ahead of a move: what it noted as `left`, or else the whole way that it names.

    Places that don't touch are joined by the straightest path; there are none if that isn't known, or too many.
    """
    if left is not None:
        return tuple([(x, y) for x, y in left])
    stops = stops_of(fighter, params)
    if stops is None or length_of(board, stops) > PATH:
        return ()
    line = hex_line if board.kind == "hexes" else square_line
    return tuple([spot for here, there in pairwise(stops) for spot in line(here, there)])


def next_to(case: Case, here: tuple[int, ...], other: Fighter) -> list[tuple[float, Square]]:
    """Return the free places next to somebody that are a known way off, and how long that is, the nearest first."""
    state, board, at = case.state, case.rules.board, as_pair(other.position)
    if at is None:
        return []
    around = hex_neighbours if board.kind == "hexes" else square_neighbours
    taken = {each.position for each in state.fighters.values()}
    ways = [(board.distance(state.map, here, spot), spot) for spot in around(at) if spot not in taken]
    free = [(way.length, spot) for way, spot in ways if way is not None and way.length is not None]
    return sorted(free, key=lambda each: (each[0], dist(here, each[1])))


# ── what is struck with ──


Weapon = Mapping[str, Any]

W = TypeVar("W", bound=Mapping[str, object])

MELEE, RANGED = "melee", "ranged"
"""The range of a hand-to-hand weapon; and the two kinds of attack, as tags and facts of actions name them."""

_NONE: Weapon = {}

_NAMED = 8
"""How many weapons are named in a refusal."""


ARMING = frozenset({"weapons", "uses"})
"""What of a sheet says what an attack is made with, or counts it."""


def weapons_stat(*parts: Stat, example: Sequence[Weapon]) -> Stat:
    """Return the stat that holds weapons: mappings with a name, damage, and whatever else the system reads."""
    named = (Stat("name", "text"), Stat("damage", "dice"), *parts)
    said = ", ".join(part.name for part in named)
    text = f"If none is named, the first that reaches is used: {said}."
    return Stat(
        "weapons", "list", default=(), parts=named, sparse=True, title="Weapons", text=text, example=tuple(example)
    )


def weapons_of(fighter: Fighter) -> Sequence[Weapon]:
    """Return somebody's weapons in the order of the sheet, but those that are used up last."""
    held = _listed(fighter)
    return unspent(fighter, held) if held and fighter.stats.get("uses") else held


def _listed(fighter: Fighter) -> Sequence[Weapon]:
    """Return somebody's weapons in the order of the sheet."""
    held = fighter.stats.get("weapons") or ()
    if not isinstance(held, (list, tuple)) or (held and not (hasattr(held[0], "get") and "name" in held[0])):
        return ()  # a system of somebody's own may call something else so
    return held


def letters_of(text: str) -> str:
    """Return the letters by which a word is found, whatever their case."""
    return "".join(text.replace("_", " ").split()).casefold()


@lru_cache(maxsize=4096)
def calls(word: str, thing: str) -> bool:
    """Check whether a word calls a thing by whole words of its name, as one or as several, from some word to its end.

    What is shot may be called after what shoots it, so long as there are several.

    Examples
    --------
    >>> [calls(word, "light crossbow bolts") for word in ("crossbow", "Light crossbow", "bolt", "bow", "light")]
    [True, True, True, False, False]
    """
    words, called = thing.replace("_", " ").casefold().split(), letters_of(word)
    shoots = words[:-1] if words[1:] and words[-1].endswith("s") else ()
    ends = ["".join(part[at:]) for part in (words, shoots) for at in range(len(part))]
    return any(end == called or end in _several(called) or called in _several(end) for end in ends)


def _several(word: str) -> tuple[str, ...]:
    """Return how several of a thing may be written: claws, torches, knives, wolves."""
    stems = word, word, word.removesuffix("e").removesuffix("f")
    return tuple(map("".join, zip(stems, ("s", "es", "ves"), strict=True)))


def counter_for(fighter: Fighter, called: str) -> str | None:
    """Return the counter of what an attack is made with: of those whose name calls it, the one that says most."""
    uses = fighter.stats.get("uses")
    if not uses:
        return None
    return max([name for name in uses if calls(name, called)], key=lambda name: len(letters_of(name)), default=None)


def unspent(fighter: Fighter, held: Sequence[W]) -> list[W]:
    """Return weapons with those that are used up last."""
    return sorted(held, key=lambda weapon: is_spent(fighter, weapon))


def is_spent(fighter: Fighter, weapon: Mapping[str, object]) -> bool:
    """Check whether a weapon is used up: thrown, or empty."""
    counter = counter_for(fighter, str(weapon["name"]))
    return counter is not None and not fighter.pools[COUNTER + counter].left


def _takes_weapon(action: Action) -> bool:
    return "attack" in action.tags and "weapon" in action.takes


class Arms:
    """How a system reads the weapons on its sheets; one that reads them otherwise provides this part.

    An attack that can use a weapon uses the one named, else the first that fits the attack, reaches all its targets and
    isn't used up; if all are, it is made with bare hands where those reach.
    """

    adds = "attack"
    """Which part of a weapon is added to the attack."""
    unit = "square"
    """The unit of distance."""
    rangeless = "at any distance"
    """How a weapon is used whose range nobody has stated."""
    rule = ""
    """The rule against attacking somebody out of reach, if the source has one."""

    def nature(self, case: Case) -> str:
        """Return how an attack is made whatever else is said, ``"melee"`` or ``"ranged"``; empty if either will do."""
        tags = case.action.tags
        return MELEE if MELEE in tags else RANGED if RANGED in tags else ""

    def suits(self, case: Case, weapon: Weapon) -> bool:
        """Check whether a weapon is of the kind that an attack takes by its nature; one of no stated range is."""
        nature = self.nature(case)
        return not nature or "range" not in weapon or (weapon["range"] == MELEE) is (nature == MELEE)

    def harmless(self, case: Case) -> bool:
        """Check whether an attack does no damage by itself."""
        return bool(case.action.facts.get("harmless"))

    def fits(self, case: Case, weapon: Weapon) -> bool:
        """Check whether an attack of this kind can use a weapon that is not named for it."""
        return self.suits(case, weapon)

    def bare(self, case: Case) -> int:
        """Return how far somebody strikes with bare hands."""
        return 1

    def is_bare(self, case: Case, spent: Weapon) -> bool:
        """Check whether an attack for which a weapon is used up can be made with bare hands.

        So can what is done hand to hand, with a weapon for that or by its nature; anything else if all whom it is aimed
        at are known to be near enough.
        """
        nature, reach = self.nature(case), self.bare(case)
        if nature or spent.get("range", self.rangeless) == MELEE:
            return nature != RANGED
        steps = [self.steps(case, target) for target in self.aimed_at(case)]
        return bool(steps) and all(far is not None and far <= reach for far in steps)

    def reach(self, case: Case, weapon: Weapon) -> int | None:
        """Return how far a weapon reaches as it is used now; None if nothing says."""
        stated = weapon.get("range")
        return 1 if stated == MELEE else stated

    def steps(self, case: Case, target: str) -> int | None:
        """Return how far somebody is from the attacker, or from where a preceding move leads; None if unknown."""
        fighter = case.fighter
        if self.goes_first(case):
            way = way_of(case.params)
            fighter = replace(fighter, position=tuples(way[-1]) if way else None)
        apart = case.rules.distance(case.state, fighter, case.state.fighters[target])
        return None if apart is None else apart.steps

    def goes_first(self, case: Case) -> bool:
        """Check whether a move that is still to come precedes the attack."""
        stages = case.rules.mechanisms[case.action.does].stages
        return any(map(attrgetter("moves"), stages[0 if case.act is None else case.act.stage :]))

    def aimed_at(self, case: Case) -> tuple[str, ...]:
        """Return who an attack is aimed at, if that is known."""
        return case.targets

    def counted(self, case: Case) -> Collection[str]:
        """Return the counters that what an attack is made with is taken from."""
        called = self.wielded(case).get("name", case.params.get("weapon"))
        counter = counter_for(case.fighter, called) if isinstance(called, str) else None
        return () if counter is None else (counter,)

    # ── what follows from it ──

    def wielded(self, case: Case) -> Weapon:
        """Return the weapon an attack uses; an empty one for an attack without weapon.

        If none reaches, it is the one that comes closest.
        """
        held = _listed(case.fighter) if _takes_weapon(case.action) else ()
        named = case.params.get("weapon")
        if named is not None:
            first = named[0] if type(named) is list else named  # of several blows
            return next((w for w in held if w["name"].casefold() == first.casefold()), _NONE)
        fitting = [w for w in held if self.fits(case, w)]
        if fitting and case.fighter.stats.get("uses"):
            fitting = unspent(case.fighter, fitting)
            if is_spent(case.fighter, fitting[0]) and self.is_bare(case, fitting[0]):
                return _NONE
        reaching = next((w for w in fitting if not self.beyond(case, w)), None)
        return reaching or max(fitting, key=lambda w: self.reach(case, w) or 0, default=_NONE)

    def unheld(self, case: Case) -> Iterable[Objection]:
        """Refuse a weapon that is not on a sheet with weapons; if the sheet has none, any word will do."""
        named = case.params.get("weapon")
        held = weapons_of(case.fighter) if named is not None else ()
        weapon = self.wielded(case) if held else _NONE
        if held and not weapon and _takes_weapon(case.action):
            names = ", ".join(weapon["name"] for weapon in held[:_NAMED])
            yield Objection(f"{case.fighter.name} has no {short(named)} on their sheet, only {names}.", "", firm=True)
        elif weapon and not self.suits(case, weapon):
            kind = "made hand to hand" if self.nature(case) == MELEE else "made from afar"
            yield case.object(f"{case.action.title} is {kind}, not with the {weapon['name']}.")

    def unreached(self, case: Case) -> Iterable[Objection]:
        """Refuse a target out of the weapon's reach."""
        weapon = self.wielded(case)
        reach = self.reach(case, weapon) if weapon else None
        for target, steps in self.beyond(case, weapon) if weapon else ():
            far = f"{target} is {counted(steps, self.unit)} away"
            if self.goes_first(case):
                far = f"From {tuples(way_of(case.params)[-1])} {target} is still {counted(steps, self.unit)} away"
            yield Objection(f"{far}; the {weapon['name']} reaches {counted(reach or 0, self.unit)}.", self.rule)

    def beyond(self, case: Case, weapon: Weapon) -> list[tuple[str, int]]:
        """Return who a weapon doesn't reach, and how far away they are."""
        reach = self.reach(case, weapon)
        if reach is None:
            return []
        apart = [(target, self.steps(case, target)) for target in self.aimed_at(case)]
        return [(target, steps) for target, steps in apart if steps is not None and steps > reach]


def wielded(case: Case) -> Weapon:
    """Return the weapon on the sheet that an attack uses; an empty one if there is none."""
    return _NONE if ARMING.isdisjoint(case.fighter.stats) else case.rules.arms.wielded(case)


def bonus_of(case: Case, stat: str) -> tuple[int, str] | None:
    """Return the stated bonus that an attack is made with and its name: the weapon's own, or the combatant's stat."""
    weapon = wielded(case)
    if "attack" in weapon:
        return weapon["attack"], weapon["name"]
    bonus = case.fighter.stats.get(stat)
    return None if bonus is None else (bonus, stat.replace("_", " "))


def arms_attack(fighter: Fighter) -> bool:
    """Check whether a weapon on the sheet says by itself what is rolled for an attack with it."""
    return any("attack" in weapon for weapon in weapons_of(fighter))


def armed(case: Case) -> Case:
    """Return an attack with its weapon named, so that it stays the same whatever happens meanwhile.

    As long as a target is to be named, so is the weapon: it may depend on that, and for each blow anew. Blows have
    theirs named if something on the sheet is counted: what a blow takes would make the next weapon the first.
    """
    if "attack" not in case.action.tags or ("target" in case.action.required and "target" not in case.params):
        return case
    if "blows" in case.action.facts:
        weapons = [wielded(blow).get("name") for blow in blows_of(case)] if case.fighter.stats.get("uses") else []
        return case.given({**case.params, "weapon": weapons}) if all(weapons) and weapons else case
    weapon = wielded(case)
    return case.given({**case.params, "weapon": weapon["name"]}) if weapon else case


def nothing_to_shoot(case: Case) -> Iterable[Objection]:
    """Refuse an attack from afar with nothing that shoots, if the sheet has weapons."""
    if weapons_of(case.fighter) and not wielded(case):
        yield case.object(f"{case.fighter.name} has no weapon with a range.")


def within_reach(case: Case) -> Iterable[Objection]:
    """Refuse a target out of reach of the weapon an attack uses, if the sheet has weapons."""
    arms = case.rules.arms
    return (*arms.unheld(case), *arms.unreached(case)) if case.fighter.stats.get("weapons") else ()


def damage_of(case: Case) -> int | str | None:
    """Return the damage given with an action, else its weapon's, unless it is meant to do none."""
    said: int | str | None = case.params.get("damage")
    if said is not None or "damage" not in case.action.takes or case.rules.arms.harmless(case):
        return said
    damage: int | str | None = wielded(case).get("damage")
    return damage


def damage_asks(case: Case) -> tuple[Ask, ...]:
    """Return the roll for a weapon's damage; none for a plain number, or if other damage is given."""
    if "damage" in case.params or not case.fighter.stats.get("weapons"):
        return ()
    damage = damage_of(case)
    dice = parse_dice(damage) if isinstance(damage, str) else None
    return (Ask.of("damage", dice),) if dice is not None and dice.each else ()


# ── counters that a creature brings ──


USES = "uses"
"""The stat."""


def check_uses(uses: object, where: str) -> None:
    """Refuse counters without a name, or with a number that no counter can have."""
    for name, number in uses.items() if isinstance(uses, Mapping) else ():
        if not is_text(name, 100) or not name.strip() or ":" in name:
            raise InvalidInput(f"{where}: uses has {short(name)}; give an action or a weapon, without a colon")
        check_whole(number, f"{where}: uses of {name}", 0, 1000)


def left_of(fighter: Fighter) -> dict[str, int]:
    """Return what is left of each of somebody's counters, by name."""
    return {name: fighter.pools[COUNTER + name].left for name in fighter.stats.get(USES) or ()}


def counters_of(case: Case) -> list[str]:
    """Return the counters that an action is done from: with its name, or that of what it is made with or a choice."""
    uses, action, params, specs = case.fighter.stats.get(USES), case.action, case.params, case.rules.parameters
    if not uses or any(specs[id].kind == "action" for id in params):  # what is only kept ready is not used yet
        return []
    made_with = case.rules.arms.counted(case) if _takes_weapon(action) else ()
    chosen = [value for id, value in params.items() if specs[id].kind == "text" and id != "weapon"]
    called = {*_called(case), *(letters_of(each) for each in chosen if isinstance(each, str))}
    return [name for name in uses if name in made_with or letters_of(name) in called]


def _called(case: Case) -> set[str]:
    """Return what an action itself is called."""
    action = case.action
    return {letters_of(each) for each in (action.id, action.title, *action.also, *case.rules.names_of(case))}


def spent_by(case: Case, *, completed: bool | None = None) -> tuple[str, ...]:
    """Return the pools an action takes one from each, besides what pays for it: each blow of several from its weapon's.

    One that may be only begun, as of several turns or parts, takes it once it is `completed`; of any other that is
    None.
    """
    action, fighter = case.action, case.fighter
    due = action.id not in fighter.progress if completed is None else completed
    if not (due and fighter.stats.get(USES)):
        return ()
    spent = [name for blow in (blows_of(case) if are_several(case) else (case,)) for name in counters_of(blow)]
    whole = [counter for counter in spent if letters_of(counter) in _called(case)]
    return tuple([COUNTER + counter for counter in whole[:1] or spent])


def used_up(case: Case) -> Iterable[Objection]:
    """Object to an action whose counter has none left."""
    pools = spent_by(case)
    for pool in dict.fromkeys(pools):
        have, times = case.fighter.pools[pool], pools.count(pool)
        name = pool.removeprefix(COUNTER).replace("_", " ")
        if have.left < 1:
            reason = f"{case.fighter.name} has used {name} as often as possible ({have.total})."
            yield Objection(reason if have.total else f"{case.fighter.name} has no {name}.", "")
        elif have.left < times:
            yield Objection(f"{case.fighter.name} has {have.left} of {name} left; that takes {times}.", "")
