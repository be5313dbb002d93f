"""The ladder, the budget, a combatant: what the state looks like to those who play."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import to_builtins
from msgspec.structs import replace

from combatkit.core.model import (
    Budget,
    Combatant,
    Condition,
    Fighter,
    Progress,
    Rung,
    Slot,
    State,
    Turn,
    Window,
    open_bids,
)
from combatkit.rules.checks import say_until
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.vitals import TEMPORARY
from combatkit.rules.weapons import USES, left_of

STATUSES = ("now", "paused", "reacts", "out", "surprised", "delayed", "readied", "acted", "joining", "waits")
"""What a rung can be in any system, besides what a system's conditions bring by their own ids."""


def rungs(rules: Ruleset, state: State) -> tuple[Rung, ...]:
    """Return the ladder, top first."""
    return tuple(rung(rules, state, index) for index in range(len(state.agenda)))


def rung(rules: Ruleset, state: State, index: int) -> Rung:
    """Return one rung of the ladder by its index."""
    place = state.agenda[index]
    fighter = state.fighters[place.who]
    status = status_of(rules, state, index)
    why = f"{place.why} [{place.why_rule}]" if place.why_rule else place.why
    return Rung(place.who, place.score, index + 1, status, fighter.side, fighter.group, place.key, why)


def explained_anew(rules: Ruleset, state: State, seen: State, hidden: Collection[str]) -> State:
    """Return a moment as it is `seen` without those hidden, in which no place is ahead of somebody who isn't there.

    What rules say of a place they say again of those that are left; what else is said of one stays.
    """
    if len(seen.agenda) == len(state.agenda):
        return seen
    render = rules.english.render
    kept = [index for index, place in enumerate(state.agenda) if place.who not in hidden]
    agenda = [*seen.agenda]
    for at, index in enumerate(kept):
        why, _ = rules.ahead(state, index)
        if why is not None and render(why) == state.agenda[index].why:
            why, rule = rules.ahead(seen, at)
            agenda[at] = replace(agenda[at], why="" if why is None else render(why), why_rule=rule)
    return replace(seen, agenda=tuple(agenda))


def status_of(rules: Ruleset, state: State, index: int) -> str:
    """Say what a rung is doing: one of `STATUSES`, or a condition that is a status of its own."""
    place = state.agenda[index]
    fighter = state.fighters[place.who]
    turn = state.turn
    if turn is not None and turn.who == place.who and turn.place in (place.id, 0):
        return "now" if type(state.top) is Turn else "paused"
    window = state.top
    if type(window) is Window and place.who in open_bids(window.bids):
        return "reacts"
    done = place.done >= state.occasion > 0
    acted = done or rules.passed(state, place)
    if fighter.effects:
        if not rules.has_turns(fighter):
            return "out"
        held = {e.id: e for e in fighter.effects}
        for each in rules.conditions:
            id = each.id
            if each.status and id in held and not (id == "delayed" and acted and held[id].anchor == "round_end"):
                return each.status
    if done and place.opened < state.occasion:  # whoever came, or came back, too late for this round has had no turn
        late = rules.cites(state, "turn_lost:late")
        if place.lost == "".join(late[:1]):
            return "joining"
    return "acted" if acted else "waits"


def budget(rules: Ruleset, state: State, name: str) -> Budget:
    """Return what a combatant has left, allowing for any cap; whoever lies there has nothing to spend."""
    fighter = state.fighters[name]
    pools = fighter.pools
    planned: dict[str, int | None] = {}
    if state.stage == "setup":
        for boundary in ("round", "turn"):
            planned |= rules.refill(state, fighter, boundary)
    slots = []
    if not rules.has_purse(state, fighter):
        return Budget(name, tuple([Slot(spec.id, spec.title, 0, 0) for spec in rules.slots]))
    unlimited = rules.unlimited(state, fighter)
    for spec in rules.slots:
        if spec.id in unlimited:
            slots.append(Slot(spec.id, spec.title, 1, 1, True))
            continue
        pool = pools.get(spec.id)
        total = pool.total if pool else planned.get(spec.id) or 0
        left = pool.left if pool else total
        for cap in rules.capping.get(spec.id, ()):
            if cap.id in pools:
                left = min(left, pools[cap.id].left)
        slots.append(Slot(spec.id, spec.title, total, left))
    return Budget(name, tuple(slots))


def combatant(rules: Ruleset, state: State, fighter: Fighter) -> Combatant:
    """Return a combatant as they stand, their values including the score they act on."""
    name, place = fighter.name, state.place_of(fighter.name)
    values = rules.values(state, fighter)
    if TEMPORARY in fighter.vitals:
        values = {**values, TEMPORARY: fighter.vitals[TEMPORARY]}
    if fighter.stats.get(USES):
        values = {**values, USES: left_of(fighter)}
    if place is not None:
        values = {**values, "initiative": place.score}
    conditions = tuple(
        Condition(e.id, to_builtins(e.value), e.modifiers.copy(), say_until(rules, name, e), e.rule)
        for e in fighter.effects
    )
    progress = {k: Progress(p.done, p.total) for k, p in fighter.progress.items()}
    ready = rules.able(fighter) and rules.has_purse(state, fighter)
    threatens = rules.threatened(state, fighter) if ready else frozenset[object]()
    stats = {stat.name: fighter.stats.get(stat.name, stat.default) for stat in rules.stats}
    stats, values = to_builtins((stats, values))  # whoever looks may do with them what they like
    return Combatant(
        name, fighter.side, fighter.group, stats, values, conditions, progress, fighter.position, threatens
    )
