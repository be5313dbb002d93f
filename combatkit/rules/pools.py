"""Slots and other pools by the GM's word: grant more, or take what is left."""

from __future__ import annotations

from msgspec.structs import replace

from combatkit.core.model import COUNTER, Fighter, Pool, State
from combatkit.errors import InvalidInput
from combatkit.rules.catalogue import SlotSpec
from combatkit.rules.draft import Draft
from combatkit.text import Title, say

MOST = 1000
"""The most a pool holds."""

ADJUSTED = "adjust"
"""What a `refresh` by the GM's word gives as its boundary."""


def adjust_pool(draft: Draft, name: str, pool: str, by: int) -> None:
    """Give to a pool, on top of what it held, or take from what is left in it.

    Parameters
    ----------
    draft : Draft
        The call under way.
    name : str
        Whose pool it is.
    pool : str
        Which.
    by : int
        How much, negative for a loss.

    Raises
    ------
    InvalidInput
        If the pool has no limit, or would hold more than a pool can.
    """
    rules, fighter = draft.rules, draft.state.fighters[name]
    counter = pool.removeprefix(COUNTER).replace("_", " ")
    title = next((slot.title for slot in rules.slots if slot.id == pool), counter)
    if pool in rules.unlimited(draft.state, fighter):
        raise InvalidInput(f"adjust: {title} has no limit for {name}, so there is nothing to give or take")
    have = fighter.pools.get(pool, Pool(0, 0))
    if have.total + by > MOST:
        raise InvalidInput(f"adjust: {name}'s {title} would come to {have.total + by:,}; the most is {MOST:,}")
    changed = {id: _change(fighter, id, by) for id in (pool, *(_bound(draft, fighter, pool) if by > 0 else ()))}
    data: dict[str, object] = {"pools": {}, "at": ADJUSTED}
    if raised := {id: more for id, more in changed.items() if more}:
        data["raised"] = {name: raised}
    uses = SlotSpec(pool, counter, f"a use of {counter}", f"uses of {counter}")
    number, left = abs(changed[pool]), have.left + changed[pool]
    some = Title((uses if pool.startswith(COUNTER) else rules.slots[pool]).so_many(number or left))
    if number:
        text = say("pool.loses" if by < 0 else "pool.gains", of=pool, some=some, number=number, left=left)
    else:
        text = say("pool.same", some=some)
    draft.emit("refresh", None, None, name, changed[pool], text, by="gm", data=data)


def tell_later(draft: Draft, name: str, before: State) -> None:
    """Say what a raised sheet gives somebody, as soon as their slots are filled again, and when that is."""
    rules, state, fighter = draft.rules, draft.state, draft.state.fighters[name]
    if state.stage != "running" or not rules.has_purse(state, fighter):
        return
    was, then = rules.most(before, before.fighters[name]), replace(state, occasion=state.occasion + 1)
    then, told = replace(then, round=(state.round or 0) + 1), set[str]()
    for boundary in ("turn", "round", "step"):
        slots = []
        for id, most in rules.refill(then, fighter, boundary).items():
            old, pool = was.get(id), fighter.pools.get(id)
            if id not in told and id in rules.slots and pool is not None and None not in (old, most):
                more = (most or 0) - pool.total if old != most else 0  # what was granted ends with the filling
                slots += [Title(rules.slots[id].more(more))] if more > 0 else []
                told.add(id)
        if slots:
            text = say("pool.later", of=boundary, slots=slots, occasion=Title(rules.occasion_title))
            draft.emit("refresh", None, None, name, text=text, data={"pools": {}, "at": "capped"})


def _change(fighter: Fighter, pool: str, by: int) -> int:
    """Return how far a pool is raised or, by a loss, lowered: nobody loses more than they have left."""
    return max(by, -fighter.pools.get(pool, Pool(0, 0)).left)


def _bound(draft: Draft, fighter: Fighter, pool: str) -> list[str]:
    """Return the pools that would keep a gain from being spent.

    Those are caps over the slot, what the system counts with it, and what is kept for each kind of it by name.
    """
    caps = [cap.id for cap in draft.rules.capping.get(pool, ())]
    slot, kinds = draft.rules.slots.get(pool), [id for id in fighter.pools if id.startswith(f"{pool}:")]
    return [id for id in (*caps, slot.off if slot is not None else None, *kinds) if id in fighter.pools]
