"""What the widgets show of this system beside the common parts: a flow of steps, ten segments, groups of rungs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from combatkit.core.model import Fighter, Place, State, Step
from combatkit.core.plain import counted
from combatkit.rules import flow
from combatkit.rules.presentation import Presentation
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.shapes import Bar, Call, Flow, Mark, Parts, RollCall, RungExtras, Strip, Ticks
from combatkit.rules.shapes import Step as Told
from combatkit.systems.segments.attacks import aac0_of, armor_class, changed, rating_of
from combatkit.systems.segments.moving import meets_others
from combatkit.systems.segments.places import (
    STAGE,
    declared,
    group_of,
    plan_of,
    planned_speed,
    segments_to_cast,
    used_before,
)
from combatkit.systems.segments.tables import SEGMENTS

_FAST = {"parley": "A Parley", "flee": "B Flee", "charge": "C Charge", "go_first": "Go first"}
_SPELLS = "Step 7, spells"
_GROUPS = {
    STAGE["fast"]: "Step 3, fast actions",
    STAGE["multi"]: "Step 4, multi-attack",
    STAGE["remaining"]: "Step 6, remaining attacks",
    STAGE["spells"]: _SPELLS,
    STAGE["end"]: "Step 8, go last",
}


def _flow(rules: Ruleset, state: State, sides: list[str]) -> Flow:
    steps: list[Told] = []
    for index, step in enumerate(rules.schedule(state)):
        place: Literal["done", "now", ""] = "done" if index < state.step else "now" if index == state.step else ""
        title = _TITLES.get(step.id, step.title)
        steps.append(
            {"number": step.number, "title": title, "state": place, "lines": _lines(rules, state, step, sides)}
        )
    return {"type": "flow", "steps": steps}


_TITLES = {"initiative": "Initiative", "fast": "Fast", "remaining": "Remaining", "end": "End"}


def _lines(rules: Ruleset, state: State, step: Step, sides: list[str]) -> list[Parts]:
    fighters = [f for f in state.fighters.values() if not f.effects or not f.effect("left")]
    if step.id == "declare":
        said = sum(1 for f in fighters if f.effects and f.effect("declared"))
        return [[f"{said} of {len(fighters)}"]]
    if step.id == "initiative":
        return _dice(state, sides)
    if step.id == "fast":
        return [
            [*_marks(state, sides, f'"{id}"', step), _FAST.get(id, id)]
            for id in state.options["fast_order"]
            if id != "go_first" or _in_step(state, step, id)
        ]
    return [
        [{"side": sides.index(state.fighters[p.who].side)}, p.who]
        for p in state.agenda
        if p.rank[0] == STAGE.get(step.id) and (p.done >= state.occasion or rules.calls(state, step, p))
    ]


def _in_step(state: State, step: Step, kind: str) -> list[Place]:
    word = kind.replace("_", " ")
    return [p for p in state.agenda if p.rank[0] == STAGE[step.id] and ("fast", word) in p.key]


def _marks(state: State, sides: list[str], quoted: str, step: Step) -> Parts:
    found = _in_step(state, step, quoted.strip('"'))
    return [{"side": n} for n in dict.fromkeys(sides.index(state.fighters[p.who].side) for p in found)]


def _dice(state: State, sides: list[str]) -> list[Parts]:
    halves = state.facts.get("halves", {})
    thrown = state.facts.get("thrown", ())
    lines: list[Parts] = []
    for group, face in state.facts.get("dice", {}).items():
        member = next((f for f in state.fighters.values() if group_of(f) == group), None)
        mark: Parts = [{"side": sides.index(member.side)}] if member is not None else []
        die: Mark = {"die": face, "table": True} if group in thrown else {"die": face}
        lines.append([*mark, die, " ", str(halves.get(group, "")).lower()])
    return lines


def _ticks(rules: Ruleset, state: State, sides: list[str]) -> Ticks:
    step = flow.present_step(rules, state)
    bars = [bar for f in state.fighters.values() if (bar := _bar(rules, state, f, sides)) is not None]
    bars.sort(key=lambda bar: (bar["from"], bar["to"]))
    now = step.segment if step is not None else None
    label = f"Ten segments of six seconds{f'; segment {now} now' if now else ''}"
    return {"type": "ticks", "label": label, "title": "Segment", "of": SEGMENTS, "now": now, "bars": bars}


def _bar(rules: Ruleset, state: State, fighter: Fighter, sides: list[str]) -> Bar | None:
    """Return what somebody spends time on: a spell from the first segment on, else from where its place is called."""
    catalogue = rules.catalogue(state)
    casting = fighter.effect("casting") if fighter.effects else None
    if casting is not None:
        segments = segments_to_cast(casting)
        broken = "incantation: broken by any damage" if casting.value["kind"] == "incantation" else "invocation"
        after = f"{segments} segment{'s' if segments != 1 else ''}"
        return {
            "side": sides.index(fighter.side),
            "name": fighter.name,
            "from": 1,
            "to": _within(segments),
            "text": broken,
            "after": after,
            "done": False,
        }
    pool = fighter.pools.get("segments")
    own = state.place_of(fighter.name)
    if pool is None or own is None or pool.left == pool.total:
        return None
    action = catalogue.get(pool.action)
    if action is None:
        return None
    steps = {STAGE.get(s.id): s.segment or 1 for s in rules.schedule(state)}
    begun = 1 if action.facts.get("kind") == "fast" else steps.get(own.rank[0], 1)
    used = pool.total - pool.left
    after = f"{used} segment{'s' if used != 1 else ''}"
    turn = state.turn
    done = turn is None or turn.who != fighter.name
    return {
        "side": sides.index(fighter.side),
        "name": fighter.name,
        "from": begun,
        "to": _within(begun + used - 1),
        "text": action.title.lower(),
        "after": after,
        "done": done,
    }


def _within(segment: int) -> int:
    return max(1, min(SEGMENTS, segment))


def _meant(rules: Ruleset, state: State, place: Place, fighter: Fighter) -> Iterator[Parts]:
    """Say what somebody has declared, or is taken to mean where that decides a tie; and the segments it has used."""
    catalogue = rules.catalogue(state)
    titles = [catalogue[v["action"]].title.lower() for v in declared(fighter)] if fighter.effects else []
    if titles:
        yield [f"declared {', '.join(titles)} ", {"rule": "segments.seq.1-declare"}]
    elif place.done < state.occasion and meets_others(state, fighter, place):
        phase = state.options["d_phases"][-int(place.rank[1])]
        yield [f"has declared nothing: taken for {phase} ", {"rule": "segments.seq.2-tied-order"}]
    pool = fighter.pools.get("segments")
    if pool is not None and pool.left < pool.total:
        yield [
            f"{pool.total - pool.left} of {counted(pool.total, 'segment')} used ",
            {"rule": "segments.time.actions-measured"},
        ]


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


def values_of(rules: Ruleset, state: State, fighter: Fighter) -> dict[str, Any]:
    """Return what somebody's hit dice and weapons come to, and the segments it has used this round."""
    rating = rating_of(fighter.stats)
    plan = plan_of(rules, state, fighter)
    added = max(plan.before, used_before(fighter))
    pool = fighter.pools.get("segments")
    more = {"save_hd": rating.save_hd, "overall_hd": rating.save_hd, "morale": rating.morale}
    return {
        **{id: n + changed(fighter, id) if n is not None else None for id, n in more.items()},
        "ac": armor_class(fighter),
        "aac0": aac0_of(rules, state, fighter),
        "attack_as": rating.attack_as,
        "hp_dice": rating.hp_dice,
        "weapon_speed": planned_speed(rules, state, fighter, plan) + added,
        "segments": pool.total - pool.left if pool is not None else 0,
    }


class SegmentsPresentation(Presentation):
    """The round as a flow of steps, what takes time as bars, what each has declared."""

    def strips(self, state: State) -> list[Strip]:
        """Return the round as a flow of steps, and what takes time as bars over ten segments."""
        if state.round is None:
            return []
        sides = list(dict.fromkeys(f.side for f in state.fighters.values()))
        return [_flow(self.rules, state, sides), _ticks(self.rules, state, sides)]

    def rung_extras(self, state: State, place: Place) -> RungExtras:
        """Return the heading a rung stands under, and what it has declared or still has to come."""
        fighter = state.fighters[place.who]
        extras: RungExtras = {"group": _heading(state, place, fighter)}
        sub: list[Parts] = []
        if place.facts.get("kind") == "spell" and fighter.effects:
            casting = fighter.effect("casting")
            if casting is not None:
                n = segments_to_cast(casting)
                text = f"declared {casting.value['kind']}, {n} segment{'s' if n != 1 else ''} "
                sub.append([text, {"rule": casting.rule}])
        elif place.facts.get("kind") == "remaining":
            left = fighter.pools.get("iterative")
            if left is not None:
                done = f"{left.total - left.left} of {left.total} made "
                sub.append([done, {"rule": "segments.seq.6-remaining"}])
        elif place.facts.get("kind") is None:
            sub.extend(_meant(self.rules, state, place, fighter))
        if sub:
            extras["sub"] = sub
        return extras

    def roll_call(self, state: State) -> RollCall | None:
        """Ask everybody in step 1 what they declare; rule segments.seq.1-declare."""
        step = flow.present_step(self.rules, state)
        if step is None or step.id != "declare":
            return None
        catalogue = self.rules.catalogue(state)
        sides = list(dict.fromkeys(f.side for f in state.fighters.values()))
        rows: dict[str, Call] = {}
        for fighter in filter(self.rules.able, state.fighters.values()):
            said = ", ".join(catalogue[v["action"]].title.lower() for v in declared(fighter))
            rows[str(fighter.number)] = {"name": fighter.name, "side": sides.index(fighter.side), "said": said}
        declare = catalogue["declare"]
        return {"action": declare.id, "title": declare.title, "rows": rows}

    def headline(self, state: State) -> str:
        """Say which step and segment it is."""
        step = flow.present_step(self.rules, state)
        if step is None:
            return ""
        segment = f" · segment {step.segment} of {SEGMENTS}" if step.segment else ""
        return f"step {step.number} of 8{segment} · one round is a minute"
