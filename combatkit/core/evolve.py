"""The one function that changes state. It knows no ruleset: an event says all there is to do."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import convert
from msgspec.structs import replace

from combatkit.core.model import (
    COUNTER,
    EVENT_KINDS,
    Act,
    Advance,
    Effect,
    Event,
    Fighter,
    Gone,
    Place,
    Pool,
    State,
    Turn,
    Window,
    excuse,
    inserted,
    spot_of,
    to_place,
    tuples,
    window_of,
)


def evolve(state: State, event: Event) -> State:
    """Return the state after an event.

    Parameters
    ----------
    state : State
        The fight before it; stays as it is.
    event : Event
        What happened.

    Returns
    -------
    State
        The fight after it. Folding a whole log over ``State()`` gives every state again, without dice.
    """
    step = EVOLVERS.get(event.kind)
    return state if step is None else step(state, event)


def _put(state: State, fighter: Fighter) -> dict[str, Fighter]:
    fighters = state.fighters.copy()  # of many, half as long as unpacking them
    fighters[fighter.name] = fighter
    return fighters


_BEGINS = ("system", "language", "public", "seed", "options", "tables", "map")
"""What a fight begins with; the rest comes of what is done in it."""


def _encounter(state: State, event: Event) -> State:
    return convert({key: event._data[key] for key in _BEGINS if key in event._data}, State)


def _table(state: State, event: Event) -> State:
    d = event._data
    rows = [*state.tables.get(d["table"], ()), *d["rows"]]
    return replace(state, tables={**state.tables, d["table"]: rows})


def _combatant(state: State, event: Event) -> State:
    fighter = convert(event._data, Fighter)
    stats = {stat: tuples(value) for stat, value in fighter.stats.items()}
    pools = _counters(fighter, state.fighters.get(fighter.name))
    made = replace(fighter, stats=stats, pools=pools, position=tuples(fighter.position))
    return replace(state, fighters=_put(state, made))


def _counters(fighter: Fighter, old: Fighter | None) -> dict[str, Pool]:
    """Return somebody's pools with one for each counter on the sheet, full where its number is new."""
    uses, before = fighter.stats.get("uses") or {}, (old.stats.get("uses") if old is not None else None) or {}
    if not uses and not before:
        return fighter.pools
    pools = {id: pool for id, pool in fighter.pools.items() if not id.startswith(COUNTER)}
    for name, number in uses.items():
        have = fighter.pools.get(COUNTER + name)
        pools[COUNTER + name] = have if have is not None and before.get(name) == number else Pool(number, number)
    return pools


def _leave(state: State, event: Event) -> State:
    who = event.actor
    if state.stage == "setup":  # as if never added, with what was to end at a boundary
        fighters = {name: f for name, f in state.fighters.items() if name != who}
        left = {anchor: tuple(pair for pair in pairs if pair[0] != who) for anchor, pairs in state.anchors.items()}
        anchors = {anchor: pairs for anchor, pairs in left.items() if pairs}
        watchers = tuple(name for name in state.watchers if name != who)
        return replace(state, fighters=fighters, anchors=anchors, watchers=watchers)
    agenda, own, gone = state.agenda, state.place_of(who or ""), state.gone
    if own is not None:
        gone = {**gone, own.who: Gone(own, _next_after(state, own))}
    focus = tuple([excuse(frame, who or "") if type(frame) is Window else frame for frame in state.focus])
    return replace(state, agenda=tuple(p for p in agenda if p.who != who), gone=gone, focus=focus)


def _next_after(state: State, own: Place) -> int | None:
    """Return the place that comes right after somebody's: it may be that of one of the same rank who is gone."""
    agenda, gone, spot = state.agenda, state.gone, state.agenda.index(own) + 1
    even = [g for who, g in gone.items() if g.place.rank == own.rank and spot_of(agenda, gone, who) == spot]
    later = {each.before for each in even}
    after = (p.id for p in agenda[spot:] if p.who != own.who)
    return next((each.place.id for each in even if each.place.id not in later), next(after, None))


def _begin(state: State, event: Event) -> State:
    return replace(state, stage="running")


def _over(state: State, event: Event) -> State:
    return replace(state, stage="over", focus=())


def _initiative(state: State, event: Event) -> State:
    place = to_place(event._data["place"])
    agenda = inserted(state.agenda, place, event._data)
    gone = {who: each for who, each in state.gone.items() if who != place.who} if state.gone else state.gone
    return replace(state, agenda=agenda, places=max(state.places, place.id), gone=gone)


def _order(state: State, event: Event) -> State:
    if "agenda" in event._data:  # built anew, for all: each round's group dice
        agenda = tuple(to_place(place) for place in event._data["agenda"])
        return replace(state, agenda=agenda, places=max([state.places, *(p.id for p in agenda)]))
    place, was, gone = to_place(event._data["place"]), state.agenda, state.gone
    at = [p.id for p in was].index(place.id)
    if place.come != (come := was[at].come):  # as in a file from before events told it
        place = replace(place, come=come)
    agenda = inserted(was, place, event._data)
    if (come or gone) and agenda.index(place) != at:
        after = next((p.id for p in was[at + 1 :]), None)  # who is gone stays before whoever comes after
        gone = {who: replace(each, before=after) if each.before == place.id else each for who, each in gone.items()}
        agenda = inserted(_not_come(was, place.id), replace(place, come=0), event._data)
    return replace(state, agenda=agenda, gone=gone)


def _not_come(agenda: tuple[Place, ...], id: int) -> tuple[Place, ...]:
    """Return the agenda as the order has come no less far, though not to one place, which moves or is put off."""
    at = next(index for index, place in enumerate(agenda) if place.id == id)
    before = agenda[: max(at - 1, 0)]
    come = [replace(place, come=max(place.come, agenda[at].come)) for place in agenda[len(before) : at]]
    return (*before, *come, replace(agenda[at], come=0), *agenda[at + 1 :])


def _round(state: State, event: Event) -> State:
    return replace(state, round=event.round, step=-1, began=event._data["seconds"])


def _step(state: State, event: Event) -> State:
    d = event._data
    return replace(state, step=d["index"], occasion=d["occasion"])


def _turn(state: State, event: Event) -> State:
    d = event._data
    ends = tuple([(who, convert(effect, Effect)) for who, effect in d["ends"]]) if "ends" in d else ()
    place = d["place"]
    focus = (*state.focus, Turn(event.seq, event.actor or "", place, ends=ends))
    if not place:
        return replace(state, focus=focus)
    own, agenda, occasion = state.place(place), state.agenda, state.occasion  # there is one, or this is no turn
    at = agenda.index(own)
    own = replace(own, opened=occasion, come=occasion, waits=False)
    return replace(state, agenda=(*agenda[:at], own, *agenda[at + 1 :]), focus=focus)


def _turn_end(state: State, event: Event) -> State:
    focus = state.focus
    while focus and type(focus[-1]) is not Turn:
        focus = focus[:-1]
    turn = focus[-1]
    assert type(turn) is Turn
    if event._data.get("given_up"):
        waits = not turn.place or state.place(turn.place).waits  # else the order has yet to come by where it is put
        agenda = state.agenda if waits else _not_come(state.agenda, turn.place)
        return replace(state, agenda=agenda, focus=focus[:-1])
    state = _count_round(state, turn.who)
    return replace(state, agenda=_changed(state.agenda, turn.place, state.occasion), focus=focus[:-1])


def _count_round(state: State, who: str) -> State:
    """Count a turn off whatever lasts several of somebody's turns, once an occasion."""
    fighter, occasion = state.fighters[who], state.occasion
    if not any(e.rounds and e.counted < occasion for e in fighter.effects):
        return state
    effects = tuple(
        replace(e, rounds=e.rounds - 1, counted=occasion) if e.rounds and e.counted < occasion else e
        for e in fighter.effects
    )
    return replace(state, fighters=_put(state, replace(fighter, effects=effects)))


def _changed(agenda: tuple[Place, ...], id: int, done: int = 0, **changes: object) -> tuple[Place, ...]:
    """Return the agenda with one place changed, which has been called, or lost it, up to the occasion `done` at least.

    What has been given up ahead stays so.
    """
    for index, place in enumerate(agenda):
        if place.id == id:
            done = max(place.done, done)
            return (*agenda[:index], replace(place, done=done, **changes), *agenda[index + 1 :])
    return agenda


def _turn_back(state: State, event: Event) -> State:
    turn = state.turn
    assert turn is not None
    agenda = _not_come(_changed(state.agenda, turn.place, opened=state.occasion - 1), turn.place)
    state = replace(state, focus=(), agenda=agenda)
    for who, effect in turn.ends:
        state = _add_effect(state, who, effect)
    if turn.pools:
        fighter = state.fighters[turn.who]
        state = replace(state, fighters=_put(state, replace(fighter, pools={**fighter.pools, **turn.pools})))
    return state


def _turn_lost(state: State, event: Event) -> State:
    place, occasion = event._data["place"], event._data["occasion"]
    lost = event.rules[0] if event.rules else ""
    return replace(state, agenda=_changed(state.agenda, place, occasion, waits=False, lost=lost))


def _refresh(state: State, event: Event) -> State:
    fighters, focus, d = state.fighters.copy(), state.focus, event._data
    if d.get("at") == "turn" and focus and type(top := focus[-1]) is Turn:  # it may have to be taken back
        held, totals = fighters[top.who].pools, d["pools"][top.who]
        before = {pool: held[pool] for pool, total in totals.items() if pool in held and held[pool].left != total}
        focus = (*focus[:-1], replace(top, pools=before)) if before or top.pools else focus
    for who, totals in d["pools"].items():
        fighter = fighters[who]
        pools = fighter.pools.copy()
        for pool, total in totals.items():
            if total is None:
                pools.pop(pool, None)
            else:
                pools[pool] = Pool(total, total)
        fighters[who] = replace(fighter, pools=pools)
    for change in d:
        if (changed := _CHANGES.get(change)) is None:
            continue
        for who, amounts in d[change].items():
            pools = fighters[who].pools.copy()
            for pool, amount in amounts.items():
                pools[pool] = changed(pools.get(pool, Pool(0, 0)), amount)
            fighters[who] = replace(fighters[who], pools=pools)
    return replace(state, fighters=fighters, focus=focus)


def _raised(pool: Pool, by: int) -> Pool:
    total, left = max(0, pool.total + by), max(0, pool.left + by)
    return replace(pool, total=total, left=left, granted=pool.granted + by)


def _returned(pool: Pool, by: int) -> Pool:
    return replace(pool, left=pool.left + by)


def _capped(pool: Pool, most: int) -> Pool:
    """Return a pool that holds at most so much now, whatever it was filled to: with more, there is more to spend.

    It knows what comes back when it can hold more again, and what goes when it can't hold so much any more.
    """
    whole, left = pool.total + pool.over, pool.left + pool.held - max(0, -pool.over)
    left += max(0, most - whole)
    kept = min(max(0, left), most)
    return replace(pool, total=most, left=kept, over=whole - most, held=left - kept)


def _late(pool: Pool, by: int) -> Pool:
    return replace(pool, late=by)


_CHANGES = {"raised": _raised, "returned": _returned, "capped": _capped, "late": _late}
"""What else happens to pools as some are filled."""


def _paid(state: State, event: Event) -> dict[str, Fighter]:
    """Return the combatants once an action is paid for."""
    d = event._data
    paid = d.get("paid")
    if not paid:
        return state.fighters
    fighter = state.fighters[event.actor or ""]
    pools, action, rule = fighter.pools.copy(), event.action or "", d.get("paid_rule", "")
    for pool, amount in paid.items():
        old = pools.get(pool)
        if old is None:  # a keyed pool exists from its first use
            old = Pool(amount, amount)
        left = old.left - amount
        pools[pool] = replace(old, left=max(0, left), action=action, seq=event.seq, rule=rule)
    return _put(state, replace(fighter, pools=pools))


def _stopped(state: State, event: Event) -> State:  # what is lost as if done is paid for all the same
    return replace(state, fighters=_paid(state, event))


def _action(state: State, event: Event) -> State:
    focus, touches = state.focus, event._data.get("touches")
    if focus and touches:
        top = focus[-1]
        if type(top) is Turn and top.touched < touches and top.who == event.actor:
            focus = (*focus[:-1], replace(top, touched=touches))
    return replace(state, fighters=_paid(state, event), focus=focus)


def _progress(state: State, event: Event) -> State:  # what counts once it is through is paid for then
    d, fighters = event._data, _paid(state, event)
    fighter = fighters[event.actor or ""]
    progress = dict(fighter.progress)
    action = event.action or ""
    if d["done"] in (0, d["total"]):
        progress.pop(action, None)
    else:
        progress[action] = Advance(d["done"], d["total"], event.seq, tuple(d.get("targets", ())))
    return replace(state, fighters=_put(state, replace(fighter, progress=progress)))


def _count_dice(state: State, event: Event) -> State:
    drawn = event._data.get("drawn", 0)
    return replace(state, die=state.die + drawn) if drawn else state


def _vital(state: State, event: Event) -> State:
    d = event._data
    who = event.target or ""
    fighter = state.fighters[who]
    vitals = fighter.vitals.copy()
    if "vital" in d:
        vitals[d["vital"]] = d["left"]
    if "temporary" in d:
        vitals["temporary"] = (vitals.get("temporary") or 0) - d["temporary"]
    return replace(state, fighters=_put(state, replace(fighter, vitals=vitals)))


def _damage(state: State, event: Event) -> State:
    state = _count_dice(state, event)
    return _vital(state, event) if "vital" in event._data or "temporary" in event._data else state


def _effect(state: State, event: Event) -> State:
    if "passed" in event._data:
        state = _passed(state, event._data["passed"])
    return _add_effect(state, event.target or "", convert(event._data, Effect))


def _passed(state: State, id: int) -> State:
    """Let the order come by a place whose owner takes no turn."""
    gone = {
        who: replace(each, place=replace(each.place, come=state.occasion)) if each.place.id == id else each
        for who, each in state.gone.items()
    }
    return replace(state, agenda=_changed(state.agenda, id, come=state.occasion), gone=gone)


def _add_effect(state: State, who: str, effect: Effect) -> State:
    fighter = state.fighters[who]
    held = {e.number: e for e in fighter.effects} | {effect.number: effect}  # one that is held already keeps its place
    anchors = state.anchors
    if effect.anchor and (who, effect.number) not in anchors.get(effect.anchor, ()):
        anchors = {**anchors, effect.anchor: (*anchors.get(effect.anchor, ()), (who, effect.number))}
    lapsed = None if effect.watches else fighter.lapsed
    fighters = _put(state, replace(fighter, effects=tuple(held.values()), lapsed=lapsed))
    watchers = state.watchers
    if effect.watches and who not in watchers:
        watchers = (*watchers, who)
    number = max(state.effects, effect.number)
    return replace(state, fighters=fighters, anchors=anchors, effects=number, watchers=watchers)


def _effect_end(state: State, event: Event) -> State:
    who, number = event.target or "", event._data["number"]
    if "passed" in event._data:
        state = _passed(state, event._data["passed"])
    fighter = state.fighters[who]
    effects = tuple(e for e in fighter.effects if e.number != number)
    lapsed = fighter.lapsed
    for effect in fighter.effects:
        if effect.number == number and effect.watches:
            lapsed = effect if event.by == "rules" and effect.rule in event.rules else None
    anchors = state.anchors
    anchor = event._data.get("anchor")
    if anchor in anchors:
        left = tuple(pair for pair in anchors[anchor] if pair != (who, number))
        anchors = {k: v for k, v in anchors.items() if k != anchor}
        if left:
            anchors[anchor] = left
    watchers = state.watchers
    if who in watchers and not any(e.watches for e in effects):
        watchers = tuple(w for w in watchers if w != who)
    fighters = _put(state, replace(fighter, effects=effects, lapsed=lapsed))
    facts = {**state.facts, **event._data["facts"]} if "facts" in event._data else state.facts
    return replace(state, fighters=fighters, anchors=anchors, watchers=watchers, facts=facts)


def _move(state: State, event: Event) -> State:
    fighter = state.fighters[event.actor or ""]
    return replace(state, fighters=_put(state, replace(fighter, position=tuples(event._data["to"]))))


def _window(state: State, event: Event) -> State:
    d = event._data
    window = window_of(event)
    if "adds" in d:  # somebody else is asked in a window that is open, about something more
        top, at = state.focus[-1], d["at"]
        assert type(top) is Window
        bids = (*top.bids[:at], *window.bids, *top.bids[at:])
        parts = (*(top.parts or (top.about,)), window.about)
        wider = replace(top, about="; ".join(parts), by=(*top.by, *window.by), bids=bids, parts=parts)
        return replace(state, focus=(*state.focus[:-1], wider))
    if "joins" in d:  # others are asked in a window that is open
        top = state.focus[-1]
        assert type(top) is Window
        return replace(state, focus=(*state.focus[:-1], replace(window, seq=top.seq)))
    act = d.get("act")
    below = state.focus if act is None else (*state.focus, convert(act, Act))
    at = len(below) - d.get("under", 0)
    return replace(state, focus=(*below[:at], window, *below[at:]))


def _answer(state: State, event: Event) -> State:
    focus, who, data = state.focus, event.actor, event._data
    if not focus:
        return state
    depth = len(focus) - 1
    while type(window := focus[depth]) is not Window:
        depth -= 1
    used, offer = data.get("used"), data.get("offer")
    bids = list(window.bids)  # one may have several offers, and answers one at a time
    for number, bid in enumerate(bids):
        if bid.who == who and (used is None or used in bid.actions) and (offer is None or offer == number):
            bids[number] = replace(bid, answered=True)
    given = window.used if used is None else (*window.used, (who or "", used, *data.get("targets", ())))
    left = _still_asked(replace(window, bids=tuple(bids), used=given))
    return replace(state, focus=(*focus[:depth], left, *focus[depth + 1 :]))


def _still_asked(window: Window) -> Window:
    """Return a window as it is about those alone who have not answered yet, where each was asked about their own."""
    open_for = {bid.who for bid in window.bids if not bid.answered}
    left = {who: part for who, part in window.own if who in open_for}
    if not left:
        return window
    return replace(window, about="; ".join(left.values()), by=tuple(left), parts=tuple(left.values()))


def _window_end(state: State, event: Event) -> State:
    focus = state.focus[:-1]
    if focus and type(focus[-1]) is Act:  # the action that waited is taken up by the draft, which now holds it
        focus = focus[:-1]
    return replace(state, focus=focus)


def _fact(state: State, event: Event) -> State:
    return _count_dice(replace(state, facts={**state.facts, **event._data["facts"]}), event)


_roll = _attack = _count_dice

EVOLVERS: dict[str, Callable[[State, Event], State]] = {
    kind: step for kind in EVENT_KINDS if (step := globals().get(f"_{kind}")) is not None
}
"""What each kind of event does to the state: the function of its name; a kind without one does nothing to it."""
