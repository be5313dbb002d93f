"""What pays for an action: the first way that works, several where one is not enough, or what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from combatkit.core.model import Fighter, Lookup, Pool, State, what_is_left
from combatkit.core.plain import with_article
from combatkit.rules.case import Case, Objection
from combatkit.rules.catalogue import Cost, SlotSpec
from combatkit.rules.checks import say_names
from combatkit.rules.ruleset import Ruleset

Way = tuple[str, ...]


def payment(case: Case, cost: Cost, found: list[Objection], *, silent: bool = False) -> tuple[Way, int]:
    """Return the pools an action takes one from, and for how many of its parts; objections go into `found`.

    A `silent` one doesn't say what is too dear, and on what it was spent.
    """
    rules, fighter = case.rules, case.fighter
    ways = rules.payments(case, cost)
    pools = fighter.pools
    caps = []
    for cap in rules.capping.get(cost.of or cost.id, ()):
        if cap.id in pools:
            caps.append(cap.id)
            if pools[cap.id].left < 1:
                found.append(Objection(cap.reason.format(name=fighter.name), cap.rule))
    wanted = case.params.get("pay")
    if wanted is not None:
        ways = tuple(w for w in ways if any(pool == wanted or pool.partition(":")[0] == wanted for pool in w))
        if not ways:
            found.append(_not_from(case, str(wanted), cost.rule))
            return (), 1
    if cost.times > 1 and not caps and (whole := _whole(case, cost, ways))[0]:
        return whole
    for way in ways:
        one = pools.get(way[0]) if len(way) == 1 and not cost.untouched else None
        if not way or (one.left > 0 if one is not None else not _short(pools, way, cost)):
            return (way if not caps else (*way, *caps)), 1
    if silent:
        found.append(Objection("", cost.rule))
        return (), 1
    own = {pool for way in cost.pay for pool in way}
    lacking = [pool for way in ways for pool in _short(pools, way, cost)]
    if not found or any(pool in own and pool in pools for pool in lacking):  # a system says what else is short
        said, price = _said(case.state), (fighter.name, cost, ways, tuple(lacking))
        known = said.get(price)
        if known is None or known[0] is not fighter:
            known = said[price] = fighter, _too_dear(case, cost, ways, lacking)
        found.append(known[1])
        found.extend(Objection("", rule) for rule in cost.rules)
    return (what_is_left(pools, (*ways[0], *caps)) if ways else ()), 1


@Lookup
def _said(_: State) -> dict[tuple[object, ...], tuple[Fighter, Objection]]:
    """Keep why a price is too dear, by whom it is for and what is lacking: most of what is too dear costs the same."""
    return {}


def _whole(case: Case, cost: Cost, ways: tuple[Way, ...]) -> tuple[Way, int]:
    """Return how everything still due could be paid now; nothing if it couldn't."""
    progress = case.fighter.progress.get(case.action.id)
    due = cost.times - (progress.done if progress is not None else 0)
    paid: Way = ()
    for _ in range(due):
        way = next((way for way in ways if not _short(case.fighter.pools, (*paid, *way), cost)), None)
        if way is None:
            return (), 1
        paid += way
    return paid, due


def _short(pools: Mapping[str, Pool], way: Way, cost: Cost) -> list[str]:
    """Return the pools that hold less than a way to pay takes from them; a keyed one exists from its first use."""
    short: list[str] = []
    for pool in way:
        have = pools.get(pool)
        if have is None:
            lacks = ":" not in pool
        else:
            lacks = have.left < way.count(pool) or (cost.untouched and have.left < have.total)
        if lacks and pool not in short:
            short.append(pool)
    return short


def _too_dear(case: Case, cost: Cost, ways: tuple[tuple[str, ...], ...], lacking: list[str]) -> Objection:
    """Say which part of the price somebody can't pay, and what they spent it on."""
    rules, fighter = case.rules, case.fighter
    catalogue = rules.catalogue(case.state)
    gone: dict[str, str] = {}
    rule = cost.rule
    pools = fighter.pools  # what somebody never has is nothing they could have kept
    own = [way for way in ways if all(":" in pool or (pool in pools and pools[pool].total) for pool in way)]
    if own and len(own) < len(ways):
        ways, lacking = tuple(own), [pool for pool in lacking if any(pool in way for way in own)]
    for pool in lacking:
        have = fighter.pools.get(pool)
        if have is not None and have.action and have.left < have.total:
            spent = catalogue.get(have.action)
            gone[pool] = spent.title if spent else have.action
            again = cost.again_rule if have.rule == cost.spent_rule else ""
            rule = again or have.rule or rule
    went = f" ({'; '.join(dict.fromkeys(gone.values()))})" if gone else ""
    went = "" if went == f" ({cost.title})" else went  # a step goes on a step
    if gone and cost.untouched and cost.untouched_reason:
        when = filled_in(case, ways)
        then = f"; it can be done in {when}" if when else ""
        return Objection(f"{cost.untouched_reason.format(name=fighter.name).rstrip('.')}{went}{then}.", rule)
    gaps = dict.fromkeys(lacking)
    short = [[_slot(rules, pool).so_many(way.count(pool)) for pool in gaps if pool in way] for way in ways]
    needed = list(dict.fromkeys(" and ".join(way) for way in short if way)) or [with_article(cost.title.lower())]
    have = fighter.pools.get(lacking[0]) if len(gaps) == 1 else None
    rest = have.left if have is not None else 0
    none = f"only {rest}" if rest else "neither" if len(needed) == 2 else "none"
    left = " left" if gone or rest else ""
    when = filled_in(case, [tuple([pool for pool in way if pool in gaps]) for way in ways]) if left else ""
    until = f" until {when}" if when else ""
    return Objection(f"Needs {_one_of(needed)}; {fighter.name} has {none}{left}{until}{went}.", rule)


def filled_in(case: Case, ways: Iterable[Way]) -> str:
    """Return when the pools of one way to pay are filled again: "their next turn", "the next round"; empty if never."""
    rules, state = case.rules, case.state
    then = replace(state, round=(state.round or 0) + 1, occasion=state.occasion + 1)
    titles = {"turn": "their next turn", "step": f"the next {rules.occasion_title}"}
    titles["round"] = f"the next {rules.round_title.lower()}"
    for boundary, title in titles.items():
        filled = rules.refill(then, case.fighter, boundary)
        if any(way and all((filled.get(pool) or 0) >= way.count(pool) for pool in way) for way in ways):
            return title
    return ""


def _not_from(case: Case, wanted: str, rule: str) -> Objection:
    """Say that an action can't be paid for in the way asked for, and what would let it."""
    rules, action = case.rules, case.action
    open_to = [
        price for price in action.prices if price.cost and any(wanted in way for way in rules.costs[price.cost].pay)
    ]
    words = [price.word for price in open_to if price.word]
    slot = _slot(rules, wanted).so_many(1)
    reason = f"{action.title} can't be paid from {slot}."
    if words:
        reason = f"{action.title} takes {slot} only with {say_names(words, ' or ')}."
    return Objection(reason, open_to[0].rule if words else rule)


def _one_of(needed: list[str]) -> str:
    """Say what would do: "a standard or move action", "an Action or a Move"."""
    words = [each.split(" ") for each in needed]
    if len(words) > 1 and all(len(each) == 3 and each[2] == "action" for each in words):
        return f"{words[0][0]} {say_names([each[1] for each in words], ' or ')} action"
    return say_names(needed, " or ")


def _slot(rules: Ruleset, pool: str) -> SlotSpec:
    """Return the slot that a pool is shown as; its own name if it isn't shown."""
    return rules.slots.get(pool) or SlotSpec(pool, pool.partition(":")[0])
