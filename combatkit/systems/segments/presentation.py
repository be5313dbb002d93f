"""What the widgets show for this system besides the common parts: a flow of steps, ten segments, groups of rungs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from combatkit.core.model import Fighter, Place, State, Step, sides_of
from combatkit.core.plain import counted
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.presentation import Presentation, Sight
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.shapes import Bar, Call, Flow, Mark, Parts, RollCall, RungExtras, Ticks
from combatkit.rules.shapes import Step as Told
from combatkit.rules.weapons import Weapon, armed, calls
from combatkit.systems.segments.attacks import aac0_of, armor_class, blows_of, rating_of
from combatkit.systems.segments.checks import aims_of, casting_of, kind_of, lost_to_delay, spell_title
from combatkit.systems.segments.concentration import broken_by, spoken
from combatkit.systems.segments.moving import meets_others
from combatkit.systems.segments.notation import read_attack
from combatkit.systems.segments.places import (
    LOST,
    STAGE,
    Declared,
    called,
    declared,
    group_of,
    is_minor,
    lost_spell,
    plan_of,
    planned_speed,
    segments_to_cast,
    used_before,
)
from combatkit.systems.segments.spells import chosen_of
from combatkit.systems.segments.tables import SEGMENTS
from combatkit.systems.segments.weapons import attack_lines, changed, is_missile, routines_of, weapons_of
from combatkit.text import say_names
from combatkit.text.phrases import capital

_FAST = {"parley": "A Parley", "flee": "B Flee", "charge": "C Charge", "go_first": "Go first"}
_GROUPS = {
    STAGE["fast"]: "Step 3, fast actions",
    STAGE["multi"]: "Step 4, multi-attack",
    STAGE["remaining"]: "Step 6, remaining attacks",
    STAGE["spells"]: "Step 7, spells",
    STAGE["end"]: "Step 8, go last",
}


def _flow(rules: Ruleset, state: State) -> Flow:
    steps: list[Told] = []
    for index, step in enumerate(rules.schedule(state)):
        place: Literal["done", "now", ""] = "done" if index < state.step else "now" if index == state.step else ""
        title = _TITLES.get(step.id, step.title)
        steps.append({"number": step.number, "title": title, "stands": place, "lines": _lines(rules, state, step)})
    return {"type": "flow", "steps": steps}


_TITLES = {"initiative": "Initiative", "fast": "Fast", "multi": "Multi", "remaining": "Remaining", "end": "Round end"}


def _lines(rules: Ruleset, state: State, step: Step) -> list[Parts]:
    if step.id == "declare":  # of those whom the roll call asks
        said = [bool(declared(f)) for f in state.fighters.values() if rules.able(f)]
        return [[f"{sum(said)} of {len(said)}"]]
    if step.id == "initiative":
        return _dice(state)
    if step.id == "fast":
        marks = {id: _marks(state, id) for id in state.options["fast_order"]}
        return [[*found, _FAST.get(id, id)] for id, found in marks.items() if found or id != "go_first"]
    called: list[Parts] = [
        [{"side": _side(state, p.who)}, p.who]
        for p in state.agenda
        if p.rank[0] == STAGE.get(step.id)
        and rules.able(state.fighters[p.who])
        and (p.done >= state.occasion or rules.calls(state, step, p))
    ]
    return called if len(called) <= _NAMED else [*called[: _NAMED - 1], [f"{len(called) - _NAMED + 1} more"]]


_NAMED = 3
"""How many lines of names a step has; the ladder names everybody, and needs the room."""


def _side(state: State, name: str) -> int:
    """Return the number of somebody's side."""
    return sides_of(state.fighters)[state.fighters[name].side]


def _marks(state: State, kind: str) -> Parts:
    """Return the sides of those who take such a fast action."""
    term = ("fast", kind.replace("_", " "))
    return [{"side": n} for n in dict.fromkeys(_side(state, p.who) for p in state.agenda if term in p.key)]


def _dice(state: State) -> list[Parts]:
    halves = state.facts.get("halves", {})
    thrown = state.facts.get("thrown", ())
    lines: list[Parts] = []
    for group, face in state.facts.get("dice", {}).items():
        member = next((f for f in state.fighters.values() if group_of(f) == group), None)
        mark: Parts = [{"side": _side(state, member.name)}] if member is not None else []
        die: Mark = {"die": face, "table": True} if group in thrown else {"die": face}
        lines.append([*mark, die, " ", str(halves.get(group, "")).lower()])
    return lines


_BARS = 3
"""How many of those still under way have a bar, the last to be done first: the ladder needs the room."""


def _ticks(rules: Ruleset, state: State) -> Ticks:
    step = rules.present_step(state)
    bars = [bar for f in state.fighters.values() if (bar := _bar(rules, state, f)) is not None]
    bars.sort(key=lambda bar: (bar["to"], bar["from"]), reverse=True)
    bars = sorted(bars[:_BARS], key=lambda bar: (bar["from"], bar["to"]))
    now = step.segment if step is not None else None
    label = f"Ten segments of six seconds{f'; segment {now} now' if now else ''}"
    return {"type": "ticks", "label": label, "title": "Segment", "of": SEGMENTS, "now": now, "bars": bars}


def _bar(rules: Ruleset, state: State, fighter: Fighter) -> Bar | None:
    """Return how a combatant spends time: a spell from the first segment on, all else from when they are called.

    What is done already has none.
    """
    catalogue = rules.catalogue(state)
    casting = fighter.effect("casting") if fighter.effects else None
    if casting is not None:
        begun, used = 1, segments_to_cast(casting)
        text = "incantation: broken by any damage" if casting.value["kind"] == "incantation" else "invocation"
    else:
        pool = fighter.pools.get("segments")
        own = state.place_of(fighter.name)
        action = catalogue.get(pool.action) if pool is not None else None
        acts = state.turn is not None and state.turn.who == fighter.name
        if pool is None or own is None or pool.left == pool.total or action is None or not acts:
            return None
        steps = {STAGE.get(s.id): s.segment or 1 for s in rules.schedule(state)}
        begun = 1 if action.facts.get("kind") == "fast" or action.cost == "spell" else steps.get(own.rank[0], 1)
        used, text = pool.total - pool.left, action.title.lower()
    return {
        "side": _side(state, fighter.name),
        "name": fighter.name,
        "from": begun,
        "to": max(1, min(SEGMENTS, begun + used - 1)),
        "text": text,
        "after": f"{used} segment{'s' if used != 1 else ''}",
    }


def _meant(rules: Ruleset, state: State, place: Place, fighter: Fighter) -> Iterator[Parts]:
    """Say what a combatant has declared, or is assumed to do if that decides a tie, and the segments used."""
    catalogue = rules.catalogue(state)
    has_done = place.done >= state.occasion
    lost = lost_spell(fighter)
    said = [(catalogue[v["action"]], v) for v in declared(fighter) if v["action"] != lost] if fighter.effects else []
    if lost_to_delay(rules, state, fighter):
        said = [each for each in said if is_minor(each[0])]
        lost = "delay"
        if not has_done:
            yield ["major action lost to the delay ", {"rule": "segments.delay.low"}]
    if said and any(p.who == fighter.name and p.facts.get("kind") == "fast" for p in state.agenda):  # told there
        said = [each for each in said if (kind_of(each[0]) == "fast") == (place.facts.get("kind") == "fast")]
    titles = [called(*each) for each in said]
    if titles and not has_done:
        yield [{"chip": ", ".join(titles)}, " ", {"rule": "segments.seq.1-declare"}]
    elif not titles and not has_done and not lost and meets_others(state, fighter, place):
        phase = state.options["d_phases"][-int(place.rank[1])]
        yield [f"nothing declared: counts as {phase} ", {"rule": "segments.seq.2-tied-order"}]
    pool = fighter.pools.get("segments")
    if pool is not None and pool.total - pool.left > has_done:  # an action's usual segment is no news once it is done
        yield [
            f"{pool.total - pool.left} of {counted(pool.total, 'segment')} used ",
            {"rule": "segments.time.actions-measured"},
        ]


_FURTHER = {"multi": "their first attacks", "innate": "their innate ability"}
"""What a further turn is for, where no declaration says it."""

_MINOR_LEFT = "minor actions"
"""What a caster whose spell is lost has a turn for."""

_UNSAID = "A plain attack needs no declaring."

_LATER = {"remaining": "in Remaining", "spells": "in Spells", "end": "at End"}
"""The steps after the two halves, and how it is said that something comes in one."""

_MANY = 6
"""How many of those are named; the ladder has them all."""


def _coming(rules: Ruleset, state: State) -> list[Call]:
    """Say who does what after the two halves of a round, in their order; whoever acts is not among them."""
    later = {STAGE[s.id]: s for s in rules.schedule(state)[state.step :] if s.id in _LATER} if state.round else {}
    acting = state.turn.place if state.turn is not None else 0
    found: list[Call] = []
    for place in state.agenda:
        step = later.get(place.rank[0])
        if step is None or place.id == acting or place.done >= state.occasion or not rules.calls(state, step, place):
            continue
        fighter = state.fighters[place.who]
        is_spell = place.facts.get("kind") == "spell"
        casting = fighter.effect("casting") if is_spell else None
        if is_spell and casting is None:
            what = _MINOR_LEFT
        elif casting is not None:
            aim = say_names(aims_of(rules, state, casting)[0])
            what = called(rules.catalogue(state)[casting.value["spell"]], casting.value)
            what += f" at {aim}" * bool(aim)
        else:
            what = _plans(rules, state, fighter) or "attack"
        breaks = "; damage breaks it" * (casting is not None and casting.value["kind"] == "incantation")
        said = f"{what}, {_LATER[step.id]}{breaks}"
        found.append({"name": place.who, "side": _side(state, place.who), "said": said})
    return found[:_MANY]


def _undeclared(asked: RollCall) -> str:
    """Say who has declared nothing yet, before step 1 ends without them."""
    silent = [call["name"] for call in asked["rows"].values() if not call["said"]]
    if not silent:
        return ""
    number, names = len(silent), say_names(silent)
    if number == 1:
        return f"{names} has not declared. Once more ends the step."
    if number > _MANY:
        return f"{number} have not declared. Once more ends the step."
    return f"{number} have not declared: {names}. Once more ends the step."


def _due(rules: Ruleset, state: State) -> str:
    """Say that whoever acts has a spell to cast now, which their turn's end would lose."""
    place = state.turn_place(state.turn.who) if state.turn is not None else None
    casting = None if place is None else state.fighters[place.who].effect("casting")
    if place is None or casting is None or segments_to_cast(casting) > SEGMENTS:
        return ""
    is_last = casting.value["step"] == "spells"
    at = (STAGE["spells"],) if is_last else (STAGE["high"], STAGE["low"])
    if place.rank[0] not in at or (place.facts.get("kind") or "") not in ("spell" if is_last else ""):
        return ""
    what = called(rules.catalogue(state)[casting.value["spell"]], casting.value)
    return f"{capital(what)} is due now, and is lost if it isn't cast. Once more ends the turn."


def _only_left(rules: Ruleset, state: State) -> Parts:
    """Say that whoever acts has a turn for minor actions alone, since their spell is lost."""
    fighter = state.fighters[state.turn.who] if state.turn is not None else None
    lost = lost_spell(fighter) if fighter is not None else ""
    if fighter is None or not lost:
        return []
    title = spell_title(fighter, rules.catalogue(state)[lost])
    return [{"strong": "Only minor actions"}, f" are left: {title} is lost this round. ", {"rule": LOST}]


def _plans(rules: Ruleset, state: State, fighter: Fighter) -> str:
    """Return what a combatant has declared, in words."""
    catalogue = rules.catalogue(state)
    return ", ".join(_plan(catalogue[v["action"]], v) for v in declared(fighter))


def _plan(action: Action, said: Declared) -> str:
    """Return a declaration in words, with how long it takes if that was said."""
    segments = said.get("segments")
    return called(action, said) if segments is None else f"{called(action, said)}, {counted(segments, 'segment')}"


def _heading(state: State, place: Place, fighter: Fighter) -> str:
    stage = place.rank[0]
    if stage in _GROUPS:
        return _GROUPS[stage]
    dice = state.facts.get("dice", {})
    if stage not in (STAGE["high"], STAGE["low"]) or not dice:
        return "Before initiative"
    half = "HIGH" if stage == STAGE["high"] else "LOW"
    group = group_of(fighter)
    halves = state.facts.get("halves", {})
    if halves.get(group) != half:
        return "LOW"
    tied = [g for g in dice if halves.get(g) == half]
    if half == "HIGH" and len(tied) > 1:
        return f"HIGH, tied on {dice[group]}"
    return f"{half}, {group} rolled {dice[group]}"


def values_of(rules: Ruleset, state: State, fighter: Fighter) -> dict[str, object]:
    """Return the values that hit dice and weapons give a combatant, and the segments used this round."""
    rating = rating_of(fighter.stats)
    plan = plan_of(rules, state, fighter)
    added = max(plan.before, used_before(fighter))
    pool, major, own = fighter.pools.get("segments"), fighter.pools.get("major"), state.place_of(fighter.name)
    speed = own.term("speed") if own is not None and major is not None and major.left < 1 else None
    more = {"save_hd": rating.save_hd, "overall_hd": rating.save_hd, "morale": rating.morale}
    return {
        **{id: n + changed(fighter, id) if n is not None else None for id, n in more.items()},
        "ac": armor_class(fighter),
        "routines": routines_of(fighter),
        "aac0": aac0_of(rules, state, fighter),
        "attack_as": rating.attack_as,
        "hp_dice": rating.hp_dice,
        "weapon_speed": planned_speed(rules, state, fighter, plan) + added if speed is None else speed,
        "segments": pool.total - pool.left if pool is not None else 0,
    }


class SegmentsPresentation(Presentation):
    """Show the round as a flow of steps, actions that take time as bars, and what everybody has declared."""

    strikes_with, struck_by = "aac0", "ac"
    beside = ("ac", "movement")

    def sight(self, state: State) -> Sight:
        """Return the round as a flow of steps and ticks, where in it we are, what is asked in step 1, what comes."""
        begun, said = state.round is not None, self._headline(state)
        strips = (_flow(self.rules, state), _ticks(self.rules, state)) if begun else ()
        asked = self._roll_call(state)
        skipped = _undeclared(asked) if asked is not None else _due(self.rules, state)
        left = _only_left(self.rules, state)
        return Sight(
            strips, said, asked, about=left, coming=_coming(self.rules, state), skipped=skipped, unsaid=_UNSAID
        )

    def rung_extras(self, state: State, place: Place) -> RungExtras:
        """Return the heading a rung stands under, and what the combatant has declared or has yet to do."""
        fighter = state.fighters[place.who]
        extras: RungExtras = {"group": _heading(state, place, fighter)}
        sub: list[Parts] = []
        if place.facts.get("kind") == "spell":
            casting = fighter.effect("casting")
            if casting is not None:
                n = segments_to_cast(casting)
                what = called(self.rules.catalogue(state)[casting.value["spell"]], casting.value)
                sub.append([f"their spell: {what}, {counted(n, 'segment')} ", {"rule": casting.rule}])
            elif place.done < state.occasion:
                sub.append([_MINOR_LEFT])
        elif place.facts.get("kind") == "remaining":
            left = fighter.pools.get("iterative")
            if left is not None:
                done = f"their remaining attacks: {left.total - left.left} of {left.total} made "
                sub.append([done, {"rule": "segments.seq.6-remaining"}])
        elif place.facts.get("kind") in _FURTHER:
            sub.append([_FURTHER[place.facts["kind"]]])
        elif place.facts.get("kind") in (None, "fast"):
            sub.extend(_meant(self.rules, state, place, fighter))
        if sub:
            extras["sub"] = sub
        return extras

    def _roll_call(self, state: State) -> RollCall | None:
        """Ask everybody in step 1 what they declare; rule segments.seq.1-declare."""
        step = self.rules.present_step(state)
        if step is None or step.id != "declare":
            return None
        rows: dict[str, Call] = {}
        for fighter in filter(self.rules.able, state.fighters.values()):
            said = _plans(self.rules, state, fighter)
            rows[str(fighter.number)] = {"name": fighter.name, "side": _side(state, fighter.name), "said": said}
        declare = self.rules.catalogue(state)["declare"]
        return {"action": declare.id, "title": declare.title, "rows": rows}

    def arsenal(self, fighter: Fighter) -> Sequence[Weapon]:
        """Return the attack lines as they are written, then the weapons that no line names."""
        found: list[Weapon] = []
        lines = [read_attack(text) for text in attack_lines(fighter.stats)]
        for line in lines:
            blows = [f"{s.times} {s.name}" if s.times > 1 else s.name for s in line.strikes]
            kind = "missile_attack" if line.kind == "MISSILE" else "attack"
            damage = ", ".join("/".join(each or "by weapon" for each in strike.damages) for strike in line.strikes)
            first = line.strikes[0].name
            found.append({"name": " and ".join(blows), "weapon": first, "damage": damage, "action": kind})
        named = [strike.name for line in lines for strike in line.strikes]
        held = [weapon for weapon in weapons_of(fighter) if not any(calls(weapon["name"], name) for name in named)]
        return [*found, *({**w, "action": "missile_attack" if is_missile(w) else "attack"} for w in held)]

    def comes_to(self, state: State, fighter: Fighter) -> Mapping[str, str]:
        """Say that a delay in LOW loses the major action: one declared in step 1 has come there already."""
        step, major = self.rules.present_step(state), fighter.pools.get("major")
        if step is None or step.stage is None or step.stage > STAGE["low"] or major is None:
            return {}
        word = "loses the major action" if step.id == "low" and major.left > 0 else ""
        return {action.id: word for action in self.rules.actions if kind_of(action) == "delay"}

    def loses(self, case: Case) -> Sequence[str]:
        """Say which spell a free or an immediate attack costs, and what is maintained no longer after a free one."""
        fighter = case.fighter
        said: list[str] = []
        for effect in broken_by(fighter, case.action, spends=case.action.does == "immediate_attack"):
            if effect.id == "casting":
                spell = spoken(case.rules.catalogue(case.state)[effect.value["spell"]], effect.value)
                said.append(f"{fighter.name} loses {spell} by it.")
            else:
                named = isinstance(effect.value, str)
                ends = f"{fighter.name} loses concentration by it: {effect.value} ends."
                said.append(ends if named else f"{fighter.name} loses concentration by it.")
        return said

    def asked(self, case: Case) -> Sequence[str]:
        """Ask which spell is declared and how long it takes, where no row of a table and no casting says so."""
        chosen = case.rules.catalogue(case.state).get(chosen_of(case) or "") if case.action.id == "declare" else None
        if chosen is None or chosen.cost != "spell" or "segments" in chosen.facts:
            return ()
        casting = casting_of(case.fighter, chosen)
        return () if casting is not None and casting.value.get("done") else ("spell_name", "segments")

    def routine(self, case: Case) -> tuple[str, ...]:
        """Return the damage of each blow of an attack line."""
        blows = blows_of(case.fighter, case.action, armed(case).params) if "attack" in case.action.tags else ()
        return tuple(str(blow.damage) for blow in blows if blow.damage is not None)

    def _headline(self, state: State) -> str:
        """Say which step and segment it is."""
        step = self.rules.present_step(state)
        if step is None:
            return ""
        segment = f" · segment {step.segment} of {SEGMENTS}" if step.segment else ""
        return f"step {step.number} of 8{segment}"
