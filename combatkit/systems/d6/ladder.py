"""The order of a fight: scores, and who is ahead among those with one score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from combatkit.engine.acts import ask
from combatkit.engine.dice import Dice
from combatkit.engine.draft import Draft, plain
from combatkit.engine.lots import Lots, scored
from combatkit.engine.mechanisms import new_place, roll_data
from combatkit.engine.model import Fighter, Place, State
from combatkit.engine.ruleset import Ask, Question, Ruleset
from combatkit.systems.d6.codes import SIDES, write_code

TIED_NPCS = "d6.init.tie.npc-npc"
_PLAYER, _NPC = 1, 0
_USUAL, _MAJOR = 3, 6


def initiative_asks(fighter: Fighter) -> tuple[Ask, ...]:
    """Give the roll a player's character makes as the fight begins; an NPC makes none."""
    if fighter.npc:
        return ()
    return (Ask("initiative", 1, SIDES, ((fighter.stats["initiative"], "rank"),), rule="d6.init.pc"),)


def drawn(rules: Ruleset, state: State) -> Lots:
    """Give what the order rests on: a die for players only, players before NPCs, then whoever is chosen."""
    lots = []
    for fighter in state.fighters.values():
        rank, plus = fighter.stats["initiative"], _plus(fighter)
        kind = _NPC if fighter.npc else _PLAYER
        lots.append(scored(fighter, 0 if fighter.npc else SIDES, rank + plus, (kind,), out=not rules.able(fighter)))
    cited = ("d6.init.pc", "d6.init.npc-plus3", "d6.init.major-plus6", "d6.init.tie.pc-over-npc", "d6.init.tie.pc-pc")
    return Lots(tuple(lots), SIDES, rules=(*cited, TIED_NPCS), tie_rule="d6.init.tie.pc-pc")


def _plus(fighter: Fighter) -> int:
    """Give what is added to an NPC's rank in place of a die."""
    return 0 if not fighter.npc else _MAJOR if fighter.stats["major"] else _USUAL


def take_places(draft: Draft, names: tuple[str, ...]) -> None:
    """Roll for players' characters, add up for NPCs, and put all on the ladder; ties as they are settled."""
    scored = {name: _score(draft, draft.fighter(name)) for name in names}
    for name, (score, facts) in scored.items():
        kind = _NPC if draft.fighter(name).npc else _PLAYER
        index = sum(1 for p in draft.state.agenda if p.rank[:2] == (score, kind))
        key = (("score", score), ("player", bool(kind)))
        place = replace(new_place(draft.state, name), score=score, rank=(score, kind, -index), key=key, facts=facts)
        rules = ("d6.init.pc" if kind else "d6.init.npc-plus3", "d6.init.whole-encounter")
        if facts.get("plus") == _MAJOR:
            rules = ("d6.init.major-plus6", "d6.init.whole-encounter")
        data = {"place": plain(place)}
        draft.emit("initiative", name, amount=score, text=f"acts on {score}", rules=rules, data=data)
    for group in {p.rank[:2] for p in draft.state.agenda if p.who in names}:
        chosen = _chosen(draft.state, group, draft.ties)
        if chosen:
            _arrange(draft, chosen)
    explain_ties(draft)
    ask_ties(draft)


def _score(draft: Draft, fighter: Fighter) -> tuple[int, dict[str, Any]]:
    rank: int = fighter.stats["initiative"]
    if fighter.npc:
        plus = _plus(fighter)
        return rank + plus, {"rank": rank, "plus": plus}
    group = (fighter.group,) if fighter.group else ()
    rolled = draft.throw(1, SIDES, fighter.name, *group, "initiative")
    score = rolled.sum + rank
    dice = Dice(1, SIDES, rank)
    data = {**roll_data("initiative", dice, rolled, score), "notation": write_code(dice), "modifiers": {"rank": rank}}
    draft.emit(
        "roll", fighter.name, amount=score, text=f"rolls {score} for initiative", rules=("d6.init.pc",), data=data
    )
    facts: dict[str, Any] = {"rank": rank, "die": rolled.sum}
    if rolled.source == "table":
        facts["table"] = True
    return score, facts


# ── ties ──


def _tied(state: State, group: Sequence[Any]) -> list[Place]:
    return [p for p in state.agenda if p.rank[:2] == tuple(group)]


def _chosen(state: State, group: Sequence[Any], ties: tuple[str, ...]) -> list[Place]:
    """Give those tied in the order chosen; who is not named keeps its place among them."""
    tied = _tied(state, group)
    named = [p for p in tied if p.who in ties]
    if len(tied) < 2 or not named:
        return []
    by_choice = iter(sorted(named, key=lambda p: ties.index(p.who)))
    whole = len(named) == len(tied)
    order = [next(by_choice) if p.who in ties else p for p in tied]
    return [replace(p, facts={**p.facts, "chosen": True}) if whole or p.who in ties else p for p in order]


def _arrange(draft: Draft, order: Sequence[Place]) -> None:
    """Put tied places into an order, logged."""
    rule = "d6.init.tie.pc-pc" if order[0].rank[1] else TIED_NPCS
    for index, place in enumerate(order):
        rank = (*place.rank[:2], -index)
        draft.order(replace(place, rank=rank), f"is {index + 1}. of {len(order)} tied on {place.score}", (rule,))


def explain_ties(draft: Draft) -> None:
    """Say of each who is ahead of another with the same score why it is."""
    for place in draft.state.agenda:
        if place.why_rule and not place.why_rule.startswith("d6.init.tie"):
            continue
        why, rule = _why(draft.state, place)
        if why != place.why:
            text = f"is ahead: {why}" if why else "holds its place"
            draft.order(replace(place, why=why, why_rule=rule), text, (rule,) if rule else ())


def _why(state: State, place: Place) -> tuple[str, str]:
    index = state.agenda.index(place)
    below = state.agenda[index + 1] if index + 1 < len(state.agenda) else None
    if below is None or below.score != place.score or len(below.rank) < 3 or len(place.rank) < 3:
        return "", ""
    if place.rank[1] != below.rank[1]:
        return "player before NPC", "d6.init.tie.pc-over-npc"
    chosen = place.facts.get("chosen") or below.facts.get("chosen")
    if place.rank[1] == _PLAYER:
        return "as the players chose" if chosen else "order of adding", "d6.init.tie.pc-pc"
    return "as the GM chose" if chosen else "order of adding", TIED_NPCS


def ask_ties(draft: Draft) -> None:
    """Ask the GM who goes first among NPCs with one score, if that is how it is settled."""
    state = draft.state
    if state.options["npc_ties"] != "gm" or state.window is not None:
        return
    for place in state.agenda:
        open_to = [p.who for p in _tied(state, place.rank[:2]) if p.rank[1] == _NPC and not p.facts.get("chosen")]
        if len(open_to) > 1 and place.who in open_to:
            text = f"Who goes first on {place.score}: {', '.join(open_to)}?"
            ask(draft, None, Question("first", text, tuple(open_to), TIED_NPCS, many=True), open_to[0])
            return


def settle_tie(draft: Draft, answer: Any) -> None:
    """Put those the GM named ahead of the rest of their tie, and ask on if more than one is left."""
    named = [answer] if isinstance(answer, str) else list(dict.fromkeys(answer))
    place = draft.state.place_of(named[0])
    if place is not None:
        tied = _tied(draft.state, place.rank[:2])
        ahead = [p for p in tied if p.facts.get("chosen")]
        now = [next(p for p in tied if p.who == name) for name in named]
        rest = [p for p in tied if p not in ahead and p not in now]
        last = len(rest) == 1
        now = [replace(p, facts={**p.facts, "chosen": True}) for p in (*now, *(rest if last else ()))]
        _arrange(draft, [*ahead, *now, *(() if last else rest)])
        explain_ties(draft)
    ask_ties(draft)


# ── what a rung says ──


def told(place: Place) -> list[Any]:
    """Give how a score came about, as rich text."""
    facts: Mapping[str, Any] = place.facts
    if "die" in facts:
        die = {"die": facts["die"], "table": True} if facts.get("table") else {"die": facts["die"]}
        return ["1D ", die, f" {'+' if facts['rank'] >= 0 else '-'} rank {abs(facts['rank'])}"]
    if "plus" not in facts:
        return []
    if facts["plus"] == _MAJOR:
        return [f"rank {facts['rank']} + {_MAJOR}, major opponent ", {"rule": "d6.init.major-plus6"}]
    return [f"rank {facts['rank']} + {_USUAL} ", {"rule": "d6.init.npc-plus3"}]
