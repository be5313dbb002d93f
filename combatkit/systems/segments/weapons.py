"""Weapons: what an attack is made with, how fast it is, the space its modes need, and what may be said of one.

A sheet has weapons, attack lines, or both; here they are read together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

from msgspec.structs import replace

from combatkit.core.dice import DICE, is_dice
from combatkit.core.geometry import as_pair
from combatkit.core.model import Act, Effect, Fighter, State
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.case import Case, Given, Objection
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.judge import unable
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import Arms, apart, armed, calls, counter_for, is_spent, unspent
from combatkit.systems.segments.notation import Line, as_dice, read_attack, split_lines
from combatkit.systems.segments.tables import rows
from combatkit.text import Said, say


class Weapon(TypedDict, total=False):
    """A weapon on a sheet, once `check_weapon` has checked it."""

    name: str
    speed: int
    space: float
    modes: Mapping[str, float] | Sequence[str | Weapon]
    missile: bool
    range: float
    delaying: bool
    damage: int | str


class Arm(NamedTuple):
    """What an attack is made with: a weapon, and the attack line that says what its routine is; either may be missing.

    `missile` says whether it is shot or thrown with it.
    """

    weapon: Weapon | None
    line: Line | None
    missile: bool


MELEE, MISSILE = "MELEE", "MISSILE"
"""The kinds of attack line."""

LOADING = "load"
"""The option of an attack that includes loading."""


def weapons_of(fighter: Fighter) -> list[Weapon]:
    """Return a combatant's weapons as mappings, the main hand's first, but those that are used up last."""
    held = _listed(fighter)
    return unspent(fighter, held) if held and fighter.stats.get("uses") else held


def _listed(fighter: Fighter) -> list[Weapon]:
    """Return a combatant's weapons as mappings, in the order of the sheet."""
    listed = fighter.stats.get("weapons")
    return [{"name": w} if isinstance(w, str) else w for w in listed] if listed else []


def attack_lines(stats: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the attack lines on a sheet, given one by one or in one text."""
    lines = stats.get("attacks") or ()
    return split_lines(lines) if isinstance(lines, str) else tuple(lines)


def _is_spent(fighter: Fighter, line: Line) -> bool:
    """Check whether any attack of a line is used up, and with it the routine."""
    return any(is_spent(fighter, {"name": strike.name}) for strike in line.strikes)


def is_missile(weapon: Weapon) -> bool:
    """Check whether a weapon is shot or thrown."""
    return bool(weapon.get("missile")) or "range" in weapon


def named_weapon(fighter: Fighter, action: Action, params: Mapping[str, Any]) -> str | None:
    """Return the weapon an attack names: given with it, or else as declared."""
    name: str | None = params.get("weapon")
    if name is None:
        for effect in fighter.effects:
            if effect.id == "declared" and effect.value["action"] == action.id:
                name = effect.value.get("weapon")
                break
    return name


def usual_kind(fighter: Fighter) -> str:
    """Return the kind of attack somebody makes if nothing is said: in melee, melee; else what their sheet begins with.

    It is empty if the sheet has neither lines nor weapons.
    """
    lines, held = attack_lines(fighter.stats), weapons_of(fighter)
    if fighter.effects and fighter.effect("in_melee"):
        return MELEE
    if lines:
        return read_attack(lines[0]).kind
    return "" if not held else MISSILE if is_missile(held[0]) else MELEE


def _kinds(fighter: Fighter, action: Action, held: Sequence[Weapon], lines: Sequence[Line]) -> tuple[str, ...]:
    """Return the kinds of attack that an action can be made with, the first choice first.

    Who has nothing but missiles keeps their distance, unless they are in melee; what is only thrown strikes, too.
    """
    if "missile" in action.tags:
        return (MISSILE,)
    if action.facts.get("hand_to_hand"):
        return (MELEE,)
    by_hand = any(not w.get("missile") for w in held) or any(line.kind == MELEE for line in lines)
    return (MELEE, MISSILE) if by_hand or usual_kind(fighter) != MISSILE else (MISSILE, MELEE)


def _of_kind(held: Sequence[Weapon], kind: str) -> list[Weapon]:
    """Return the weapons of a kind; what can be thrown, and is no missile weapon, strikes too."""
    if kind == MISSILE:
        return [w for w in held if is_missile(w)]
    return [w for w in held if not is_missile(w)] or [w for w in held if not w.get("missile")]


def arm_of(fighter: Fighter, action: Action, params: Mapping[str, Any]) -> Arm:
    """Return what an attack is made with: what is named for it, or else the first on the sheet of a kind it can take.

    Somebody with nothing of that kind uses their first weapon, unless the attack is hand to hand by its nature; whose
    weapons and lines for that are used up strikes with bare hands.
    """
    held, lines = _listed(fighter), [read_attack(text) for text in attack_lines(fighter.stats)]
    named, kinds = named_weapon(fighter, action, params), _kinds(fighter, action, held, lines)
    if named is not None:
        weapon = _held(held, named)
        words = (named,) if weapon is None else (named, weapon["name"])
        said = [ln for ln in lines if any(calls(word, s.name) for s in ln.strikes for word in words)]
        line = next((ln for kind in kinds for ln in said if ln.kind == kind), said[0] if said else None)
        return Arm(weapon, line, _is_shot(action, weapon) if line is None else line.kind == MISSILE)
    if counts := fighter.stats.get("uses"):
        held = unspent(fighter, held)
        lines.sort(key=lambda line: _is_spent(fighter, line))
    for kind in kinds:
        line, fit = next((ln for ln in lines if ln.kind == kind), None), _of_kind(held, kind)
        if line is not None or fit:
            if counts:
                line, fit = _left_of(fighter, kind, line, fit)
            own = [w for w in fit if any(calls(w["name"], s.name) for s in line.strikes)] if fit and line else fit
            return Arm((own or fit)[0] if fit else None, line, kind == MISSILE)
    weapon = held[0] if held and kinds != (MELEE,) else None
    return Arm(weapon, None, _is_shot(action, weapon))


def _left_of(fighter: Fighter, kind: str, line: Line | None, fit: list[Weapon]) -> tuple[Line | None, list[Weapon]]:
    """Return what isn't used up of a kind; if nothing is, bare hands to strike with, and what is shot as it was."""
    spent, left = line is None or _is_spent(fighter, line), [w for w in fit if not is_spent(fighter, w)]
    if kind == MISSILE and spent and not left:
        return line, fit
    return None if spent else line, left


def _held(held: Sequence[Weapon], named: str) -> Weapon | None:
    """Return the weapon with this name, or else the one whose attack is called so: "longbow arrows"."""
    exact = next((w for w in held if w["name"].lower() == named.lower()), None)
    return exact or next((w for w in held if calls(w["name"], named)), None)


def _is_shot(action: Action, weapon: Weapon | None) -> bool:
    return "missile" in action.tags or bool(weapon is not None and weapon.get("missile"))


def unsuited(case: Case) -> Iterator[Objection]:
    """Refuse to strike hand to hand with what is shot; and, on a sheet with anything, to shoot with what is not."""
    fighter, action, params = case.fighter, case.action, case.params
    if not ((by_hand := action.facts.get("hand_to_hand")) or action.facts.get("from_afar")):
        return
    weapon, line, missile = arm_of(fighter, action, params)
    named = named_weapon(fighter, action, params)
    if by_hand:
        if missile:
            what = weapon["name"] if weapon is not None else named
            yield case.object(f"{action.title} is made hand to hand, not with the {what}.")
    elif (line is None or line.kind != MISSILE) and (weapon is None or not is_missile(weapon)):
        if named is not None and (weapon or line):
            yield case.object(f"{action.title} is made from afar, not with the {weapon['name'] if weapon else named}.")
        elif named is None and (_listed(fighter) or attack_lines(fighter.stats)):
            yield case.object(f"{fighter.name} has nothing to shoot or throw.")


def is_shot(fighter: Fighter, action: Action, params: Mapping[str, object]) -> bool:
    """Check whether an attack is a missile attack: by its kind or by what it is made with, as a routine of shots is."""
    return "missile" in action.tags or ("attack" in action.tags and arm_of(fighter, action, params).missile)


def farther(fighter: Fighter, action: Action, params: Mapping[str, object]) -> str | None:
    """Return what somebody can shoot with whose sheet gives a melee attack the first place; None if they can't."""
    if "missile" in action.tags or action.facts.get("hand_to_hand") or arm_of(fighter, action, params).missile:
        return None
    if named_weapon(fighter, action, params) is not None:
        return None
    return next((w["name"] for w in weapons_of(fighter) if w.get("missile")), None)


def weapon_speed(rules: Ruleset, state: State, fighter: Fighter, name: str | None, *, missile: bool = False) -> int:
    """Return a weapon's speed with effects: its own, the table's, or else the default."""
    held = weapons_of(fighter)
    if name is not None:
        weapon = _held(held, name)
    else:
        weapon = next(iter(_of_kind(held, MISSILE if missile else MELEE) or held), None)
    return _speed(rules, state, weapon, name) + changed(fighter, "weapon_speed")


def changed(fighter: Fighter, value: str) -> int:
    """Return what effects add to one of a combatant's values."""
    return sum([effect.modifiers.get(value, 0) for effect in fighter.effects])


def routines_of(fighter: Fighter) -> int:
    """Return how many attack routines somebody makes in a round, with effects."""
    return max(1, int(fighter.stats["routines"]) + changed(fighter, "routines"))


def fastest_speed(rules: Ruleset, state: State, fighter: Fighter) -> int:
    """Return the speed of a combatant's fastest melee weapon, with effects."""
    fit = [w for w in _listed(fighter) if not is_missile(w)]
    if not fit:
        return weapon_speed(rules, state, fighter, None)
    return min([_speed(rules, state, w, w["name"]) for w in fit]) + changed(fighter, "weapon_speed")


def only_loads(fighter: Fighter) -> bool:
    """Check whether all that a combatant can attack with must be loaded first, such as a crossbow."""
    held = fighter.stats.get("weapons")
    if not held or not all(isinstance(w, Mapping) and w.get("delaying") for w in held):
        return False
    return all(read_attack(text).kind == "MISSILE" for text in attack_lines(fighter.stats))


def may_load(fighter: Fighter) -> bool:
    """Check whether a combatant has anything that could be loaded; a sheet without weapons doesn't say."""
    held, lines = _listed(fighter), attack_lines(fighter.stats)
    if not held and not lines:
        return True
    return any(is_missile(w) or w.get("delaying") for w in held) or any(read_attack(t).kind == MISSILE for t in lines)


def _speed(rules: Ruleset, state: State, weapon: Weapon | None, name: str | None) -> int:
    if weapon is not None and "speed" in weapon:
        return int(weapon["speed"])
    wanted = (weapon["name"] if weapon is not None else name or "").lower()
    for row in rows(rules, state, "weapon_speeds") if wanted else ():
        if wanted in _called(row):
            return int(row["speed"])
    return int(rules.tables["weapon_speeds"][0]["speed"])


def _called(row: Mapping[str, object]) -> tuple[str, str]:
    return str(row["id"]).lower(), str(row.get("name", "")).lower()


def modes_of(weapon: Mapping[str, Any]) -> dict[str, float]:
    """Return the feet of space each mode of a weapon needs: its own, or else the weapon's."""
    modes, space = weapon.get("modes") or {}, weapon.get("space", 0)
    if isinstance(modes, Mapping):
        return {str(k): v for k, v in modes.items()}
    named = ({"name": m} if isinstance(m, str) else m for m in modes)
    return {str(m["name"]): m.get("space", space) for m in named}


def names_of(fighter: Fighter) -> list[str]:
    """Return what a combatant can name as a weapon: those held, and the attacks of their lines."""
    strikes = (s.name for text in attack_lines(fighter.stats) for s in read_attack(text).strikes)
    named = {name.lower(): name for name in (*strikes, *(w["name"] for w in weapons_of(fighter)))}
    return [*dict.fromkeys([w["name"] for w in weapons_of(fighter)] + [*named.values()])]


# ── checking ──

_KNOWN = tuple(Weapon.__annotations__)
_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "speed": ((int,), "a whole number from 0"),
    "space": ((int, float), "a number from 0"),
    "range": ((int, float), "a number from 0"),
    "missile": ((bool,), "True or False"),
    "delaying": ((bool,), "True or False"),
}


def check_weapon(weapon: object, where: str) -> None:
    """Check one weapon as given.

    Raises
    ------
    InvalidInput
        If it is neither a name nor a mapping with one, or has a key that weapons don't.
    """
    if isinstance(weapon, str) and weapon:
        return
    if not isinstance(weapon, Mapping) or not isinstance(weapon.get("name"), str):
        raise InvalidInput(f"{where}: weapon {weapon!r}; give its name, or a mapping with a name")
    for key, value in weapon.items():
        if key not in _KNOWN:
            raise InvalidInput(f"{where}: weapon {weapon['name']!r} has {key!r}; it takes {', '.join(_KNOWN)}")
        kinds, right = _KINDS.get(key, ((type(value),), ""))
        if type(value) not in kinds or (right.startswith(("a number", "a whole")) and value < 0):
            raise InvalidInput(f"{where}: weapon {weapon['name']!r}: {key} is {value!r}; give {right}")
    if not is_dice(as_dice(weapon.get("damage", 0))):
        raise InvalidInput(f"{where}: weapon {weapon['name']!r}: damage is {weapon['damage']!r}; give {DICE}")
    modes = weapon.get("modes") or ()
    listed = isinstance(modes, (list, tuple)) and all(
        isinstance(m, str) or (isinstance(m, Mapping) and isinstance(m.get("name"), str)) for m in modes
    )
    fits = listed or isinstance(modes, Mapping)
    if not fits or any(type(n) not in (int, float) or n < 0 for n in modes_of(weapon).values()):
        raise InvalidInput(f"{where}: weapon {weapon['name']!r}: modes is {modes!r}; give feet by mode")
    more = [key for m in modes if isinstance(m, Mapping) for key in m if key not in ("name", "space")]
    if more:
        raise InvalidInput(f"{where}: weapon {weapon['name']!r}: modes has {more[0]!r}; a mode takes name, space")


def check_named(case: Case, name: str) -> None:
    """Refuse an unknown weapon; any name is allowed only where neither weapons nor speeds are stated.

    Raises
    ------
    UnknownName
        If it is neither held, nor an attack of a line, nor in the table of speeds; the message names the nearest.
    """
    fighter = case.fighter
    own = names_of(fighter)
    table = [str(row.get("name") or row["id"]) for row in case.state.tables.get("weapon_speeds") or ()]
    wanted = name.lower()
    if not own and not table:
        return
    strikes = (s.name.lower() for text in attack_lines(fighter.stats) for s in read_attack(text).strikes)
    held = (w["name"].lower() for w in weapons_of(fighter))
    speeds = (_called(row) for row in case.state.tables.get("weapon_speeds") or ())
    if any(calls(wanted, s) for s in strikes) or wanted in held or any(wanted in called for called in speeds):
        return
    raise UnknownName.of("weapon", name, [*own, *table], owner=fighter.name, where=case.action.id)


def check_mode(fighter: Fighter, action: Action, params: Mapping[str, object]) -> None:
    """Refuse a mode that the attack's weapon does not have.

    Raises
    ------
    InvalidInput
        If it is neither one of the weapon's modes nor the loading of what is shot.
    """
    option, (weapon, line, shot) = params["option"], arm_of(fighter, action, params)
    known = weapon is not None or line is not None
    loads = shot or bool(weapon and weapon.get("delaying")) or (not known and may_load(fighter))
    if option == LOADING and loads:
        return
    modes = modes_of(weapon) if weapon is not None else {}
    takes = [repr(each) for each in (*modes, *[LOADING] * loads)]
    if weapon is None or not modes:
        what = weapon["name"] if weapon is not None else line.strikes[0].name if line else "an unlisted weapon"
        right = ", ".join(takes) or "none"
        raise InvalidInput(f"{action.id}: option is {option!r}, and {what} has no modes; its options are: {right}")
    if option not in modes:
        raise InvalidInput(f"{action.id}: option is {option!r}; the modes of {weapon['name']} are {', '.join(takes)}")


# ── who is in melee with whom: attacks and charges begin it; fleeing ends it, and so does the last foe's fall ──


IN_MELEE = "in_melee"
"""The condition: its value names the foes, or is empty where the GM says only that a combatant is in melee."""

_RULE = "segments.grid.melee-zone"


def engage(draft: Draft, act: Act, action: Action) -> None:
    """Put those in melee who come hand to hand by an attack or a charge; missiles don't count."""
    if not action.facts.get("engages") or is_shot(draft.state.fighters[act.who], action, act.params):
        return
    for target in act.targets:
        if draft.rules.able(draft.state.fighters[target]):
            _join(draft, act.who, target)
            _join(draft, target, act.who)


def _join(draft: Draft, name: str, foe: str) -> None:
    held = draft.state.fighters[name].effect(IN_MELEE)
    if held is None:
        draft.effect(name, IN_MELEE, value=[foe], rule=_RULE, text=say("melee.joins", foe=[foe]))
    elif held.value is not None and foe not in held.value:
        draft.renew(name, replace(held, value=[*held.value, foe]), say("melee.joins", foe=[foe]), _RULE)


def set_by_gm(draft: Draft, given: Given) -> None:
    """Put somebody in melee with those the GM names, and these with them, as a blow would have done.

    Raises
    ------
    InvalidInput
        For oneself, or somebody who can't fight.
    """
    who, id, value, modifiers, anchor, _, rounds, by, _ = given
    for foe in value:
        if foe == who:
            raise InvalidInput(f"condition {id}: {who} can't be in melee with themselves; name somebody else")
        if not draft.rules.able(fighter := draft.state.fighters[foe]):
            why = unable(draft.rules, fighter).reason.removesuffix(".")
            raise InvalidInput(f"condition {id}: {why}; name somebody who can fight")
    for effect in draft.state.fighters[who].effects:
        if effect.id == id:
            draft.end_effect(who, effect, text=say("melee.anew"), by=by)
    value = [*dict.fromkeys(value)]
    text = say("melee.joins", foe=value)
    draft.effect(who, id, value=value, modifiers=modifiers, anchor=anchor, rule=_RULE, rounds=rounds, by=by, text=text)
    for foe in value:
        _join(draft, foe, who)
    settle(draft)


def leave_melee(draft: Draft, name: str, text: Said) -> None:
    """Take a combatant out of melee, and everybody whose last foe that was."""
    for effect in draft.state.fighters[name].effects:
        if effect.id == IN_MELEE:
            draft.end_effect(name, effect, text=text, rule=_RULE)
    settle(draft, draft.state.fighters[name].side)


def settle(draft: Draft, *parted: str) -> None:
    """End the melee of those who have fallen or left, and name none of them any more: both sides tell the same.

    `parted` are the sides of those who have just got out of it.
    """
    over, sides = True, {*parted}
    while over:  # one who is out of it may have been the last foe of another
        over = False
        for fighter, held in [(f, e) for f in draft.state.fighters.values() for e in f.effects if e.id == IN_MELEE]:
            if not _goes_on(draft.rules, draft.state, fighter, held, sides):
                facts = _felled(draft, fighter, held)
                draft.end_effect(fighter.name, held, text=say("melee.over"), rule=_RULE, facts=facts)
                sides.add(fighter.side)
                over = True
    for fighter, held in [(f, e) for f in draft.state.fighters.values() for e in f.effects if e.id == IN_MELEE]:
        if held.value is not None and (left := _foes(draft.rules, draft.state, fighter, held)) != [*held.value]:
            draft.renew(fighter.name, replace(held, value=left), say("melee.still", foe=left), _RULE)


def go_away(draft: Draft, name: str) -> None:
    """Part somebody who moves for good from those who fell beside them."""
    parted = _parted(draft.state)
    if any(name in foes for foes in parted.values()):
        left = {who: [foe for foe in foes if foe != name] for who, foes in parted.items()}
        draft.emit("fact", data={"facts": _kept(draft.state, left)})


def rejoin(draft: Draft, name: str) -> None:
    """Put somebody who is up again in melee with those whom their fall parted from them and who are still there."""
    fighter = draft.state.fighters[name]
    for foe in _parted(draft.state).get(name, ()) if draft.rules.able(fighter) else ():
        other = draft.state.fighters[foe]
        here, there = as_pair(fighter.position), as_pair(other.position)
        if draft.rules.able(other) and (here is None or there is None or apart(here, there) <= 1):
            _join(draft, name, foe)
            _join(draft, foe, name)


def _parted(state: State) -> dict[str, list[str]]:
    """Return who has fallen in the turn under way, and whom they fought."""
    kept, turn = state.facts.get("parted"), state.turn
    return kept["foes"] if kept is not None and turn is not None and kept["turn"] == turn.seq else {}


def _felled(draft: Draft, fighter: Fighter, held: Effect) -> dict[str, Any] | None:
    """Return what is kept of the melee of one who falls until the turn under way ends: they may yet be up again."""
    state = draft.state
    falls = held.value is not None and not draft.rules.able(fighter) and fighter.effect("left") is None
    return _kept(state, {**_parted(state), fighter.name: [*held.value]}) if falls and state.turn is not None else None


def _kept(state: State, foes: dict[str, list[str]]) -> dict[str, Any]:
    return {"parted": {"turn": state.turn.seq if state.turn is not None else 0, "foes": foes}}


def _foes(rules: Ruleset, state: State, fighter: Fighter, held: Effect) -> list[str]:
    """Return those named who are still in melee with somebody, by their own account too."""
    found = []
    for name in held.value:
        foe = state.fighters.get(name)
        theirs = foe.effect(IN_MELEE) if foe is not None and rules.able(foe) else None
        if theirs is not None and (theirs.value is None or fighter.name in theirs.value):
            found.append(name)
    return found


def _goes_on(rules: Ruleset, state: State, fighter: Fighter, held: Effect, parted: Collection[str]) -> bool:
    """Check whether somebody is still in melee.

    Where nobody is named, any foe will do, until one gets out of it: then somebody else must be in it.
    """
    if not rules.able(fighter):
        return False
    if held.value is None:
        standing = [f for f in state.fighters.values() if f.side != fighter.side and rules.able(f)]
        return any(f.effect(IN_MELEE) for f in standing) or (bool(standing) and not {*parted} - {fighter.side})
    return bool(_foes(rules, state, fighter, held))


def fights(foe: Fighter, other: Fighter) -> bool:
    """Check whether two are in the same melee; if the GM gave no foes, every foe in melee counts."""
    mine, theirs = foe.effect(IN_MELEE), other.effect(IN_MELEE)
    if mine is None or theirs is None or foe.side == other.side:
        return False
    return mine.value is None or theirs.value is None or other.name in mine.value or foe.name in theirs.value


# ── which weapon an attack takes where squares tell how far its target is ──


_NONE: Mapping[str, Any] = {}


class SegmentsArms(Arms):
    """The source gives melee weapons no reach; who could as well shoot at somebody not beside them does that."""

    rangeless = "melee"

    def wielded(self, case: Case) -> Mapping[str, Any]:
        """Return what is shot at somebody too far to strike, or is counted; nothing if nothing else need be said."""
        targets = case.targets
        if "attack" not in case.action.tags or not targets:
            return _NONE
        far = [self.steps(case, name) for name in targets if not fights(case.fighter, case.state.fighters[name])]
        name = farther(case.fighter, case.action, case.params) if any(n is not None and n > 1 for n in far) else None
        if name is None and case.fighter.stats.get("uses"):
            name = next((each for each in _made_with(case) if counter_for(case.fighter, each) is not None), None)
        return _NONE if name is None else {"name": name}

    def counted(self, case: Case) -> Collection[str]:
        """Return the counters of all attacks of a routine, each once."""
        found = [counter_for(case.fighter, each) for each in _made_with(armed(case))]
        return {counter for counter in found if counter is not None}


def _made_with(case: Case) -> list[str]:
    """Return what an attack is made with: its weapon and each attack of its line, or whatever else is named for it."""
    weapon, line, _ = arm_of(case.fighter, case.action, case.params)
    if line is None:
        name = weapon["name"] if weapon is not None else named_weapon(case.fighter, case.action, case.params)
        return [] if name is None else [name]
    strikes = [strike.name for strike in line.strikes][: 1 if "called" in case.action.tags else None]
    if weapon is not None and any(calls(weapon["name"], name) for name in strikes):
        return [weapon["name"], *strikes]
    return strikes
