"""Weapons on a sheet: which one an attack uses, who it reaches, what it adds to the attack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, TypeVar

from msgspec.structs import replace

from combatkit.core.dice import parse_dice
from combatkit.core.model import COUNTER, Fighter, tuples
from combatkit.core.plain import counted, short
from combatkit.rules.case import Ask, Case, Objection
from combatkit.rules.catalogue import Action, Stat
from combatkit.rules.moves import way_of
from combatkit.rules.several import blows_of

Weapon = Mapping[str, Any]

W = TypeVar("W", bound=Mapping[str, object])

MELEE, RANGED = "melee", "ranged"
"""The range of a hand-to-hand weapon; and the two kinds of attack, as tags and facts of actions name them."""

_NONE: Weapon = {}

_NAMED = 8
"""How many weapons are named in a refusal."""


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
    held = fighter.stats.get("weapons") or ()
    if not isinstance(held, (list, tuple)) or (held and not (hasattr(held[0], "get") and "name" in held[0])):
        return ()  # a system of somebody's own may call something else so
    return unspent(fighter, held) if held and fighter.stats.get("uses") else held


def letters_of(text: str) -> str:
    """Return the letters by which a word is found, whatever their case."""
    return "".join(text.replace("_", " ").split()).casefold()


def counter_for(fighter: Fighter, weapon: Mapping[str, object]) -> str | None:
    """Return the counter that has a weapon's name."""
    called = letters_of(str(weapon["name"]))
    return next((name for name in fighter.stats.get("uses") or () if letters_of(name) == called), None)


def unspent(fighter: Fighter, held: Sequence[W]) -> list[W]:
    """Return weapons with those that are used up last."""

    def is_spent(weapon: W) -> bool:
        counter = counter_for(fighter, weapon)
        return counter is not None and not fighter.pools[COUNTER + counter].left

    return sorted(held, key=is_spent)


def _takes_weapon(action: Action) -> bool:
    return "attack" in action.tags and "weapon" in action.takes


class Arms:
    """How a system reads the weapons on its sheets; one that reads them otherwise provides this part.

    An attack that can use a weapon uses the one named, else the first that fits the attack, reaches all its targets and
    isn't used up.
    """

    adds = "attack"
    """Which part of a weapon is added to the attack."""
    unit = "square"
    """The unit of distance."""
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

    def fits(self, case: Case, weapon: Weapon) -> bool:
        """Check whether an attack of this kind can use a weapon that is not named for it."""
        return self.suits(case, weapon)

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

    # ── what follows from it ──

    def wielded(self, case: Case) -> Weapon:
        """Return the weapon an attack uses; an empty one for an attack without weapon.

        If none reaches, it is the one that comes closest.
        """
        held = weapons_of(case.fighter) if _takes_weapon(case.action) else ()
        named = case.params.get("weapon")
        if named is not None:
            first = named[0] if type(named) is list else named  # of several blows
            return next((w for w in held if w["name"].casefold() == first.casefold()), _NONE)
        fitting = [w for w in held if self.fits(case, w)]
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
            yield Objection(f"{far}; the {weapon['name']} reaches {reach}.", self.rule)

    def beyond(self, case: Case, weapon: Weapon) -> list[tuple[str, int]]:
        """Return who a weapon doesn't reach, and how far away they are."""
        reach = self.reach(case, weapon)
        if reach is None:
            return []
        apart = [(target, self.steps(case, target)) for target in self.aimed_at(case)]
        return [(target, steps) for target, steps in apart if steps is not None and steps > reach]


def wielded(case: Case) -> Weapon:
    """Return the weapon on the sheet that an attack uses; an empty one if there is none."""
    return case.rules.arms.wielded(case) if case.fighter.stats.get("weapons") else _NONE


def bonus_of(case: Case, stat: str) -> tuple[int, str] | None:
    """Return the stated bonus that an attack is made with and its name: the weapon's own, or the combatant's stat."""
    weapon = wielded(case)
    if "attack" in weapon:
        return weapon["attack"], weapon["name"]
    bonus = case.fighter.stats.get(stat)
    return None if bonus is None else (bonus, stat.replace("_", " "))


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


def within_reach(case: Case) -> Iterable[Objection]:
    """Refuse a target out of reach of the weapon an attack uses, if the sheet has weapons."""
    arms = case.rules.arms
    return (*arms.unheld(case), *arms.unreached(case)) if case.fighter.stats.get("weapons") else ()


def damage_of(case: Case) -> int | str | None:
    """Return the damage given with an action, else its weapon's, unless it is meant to do none."""
    said: int | str | None = case.params.get("damage")
    if said is not None or "damage" not in case.action.takes or case.action.facts.get("harmless"):
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
