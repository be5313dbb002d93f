"""The order of a fight: scores, and who is ahead among those with the same score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from combatkit.core.model import Fighter, Place, State
from combatkit.rules.case import Question
from combatkit.rules.delays import is_beside, new_place
from combatkit.rules.draft import Draft
from combatkit.rules.draw import Claim, Draw
from combatkit.rules.flow import come_late
from combatkit.rules.initiative import Score, chosen, put, roll
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.shapes import Mark, Parts
from combatkit.rules.windows import ask
from combatkit.systems.d6.arms import SIDES
from combatkit.systems.d6.fates import is_gone
from combatkit.text import Said, say

TIED_NPCS = "d6.init.tie.npc-npc"
_PLAYER, _NPC = 1, 0
_USUAL, _MAJOR = 3, 6


_ROLLED, _PLUS = ("d6.init.pc",), ("d6.init.npc-plus3", "d6.init.major-plus6")

DRAW = Draw(
    sides=SIDES,
    rules=(*_ROLLED, *_PLUS, "d6.init.tie.pc-over-npc", "d6.init.tie.pc-pc", TIED_NPCS),
    tie_rule="d6.init.tie.pc-pc",
)


def claim(rules: Ruleset, state: State, fighter: Fighter) -> Claim:
    """Return what a score is made of: 1D and rank for a player's character, rank and a number for an NPC."""
    rank = (rules.value(fighter, "initiative") or 0, "rank")
    if not fighter.npc:
        return Claim((rank,), (_PLAYER,), DRAW.sides, rules=_ROLLED)
    major = bool(fighter.stats["major"])
    return Claim((rank, (_MAJOR if major else _USUAL, "plus")), (_NPC,), rules=(_PLUS[major],))


def take_places(rules: Ruleset, draft: Draft, names: tuple[str, ...]) -> None:
    """Roll for players' characters, add up for NPCs, and put everybody on the ladder, ties settled."""
    for name, score in roll(draft, names).items():
        index = sum(1 for p in draft.state.agenda if p.rank[:2] == score.rank)
        key = (("score", score.total), ("player", bool(score.rank[-1])))
        place = new_place(draft.state, name, score.total, (*score.rank, -index), key)
        put(draft, replace(place, facts=_facts(score)), (*score.claim.rules, "d6.init.whole-encounter"))
    for tied in {p.rank[:2]: _tied(draft.state, p) for p in draft.state.agenda if p.who in names}.values():
        order = [_settled(p, True) for name in chosen(draft, [p.who for p in tied]) for p in tied if p.who == name]
        if order:
            _arrange(draft, order)
    explain_ties(draft)
    ask_ties(draft)


def _facts(score: Score) -> dict[str, object]:
    """Return how a score came about, as its place keeps it."""
    facts: dict[str, object] = {label: n for n, label in score.claim.addends}
    if score.die is not None:
        facts["die"] = score.die.sum
        if score.die.source == "table":
            facts["table"] = True
    return facts


# ── ties ──


def _tied(state: State, place: Place) -> list[Place]:
    """Return those of one kind with the same score, leaving out anybody put beside somebody else."""
    return [p for p in state.agenda if p.rank[:2] == place.rank[:2] and p.score == place.rank[0] and not is_beside(p)]


def _settled(place: Place, ahead: bool) -> Place:
    """Mark a place as settled: ahead of what comes after it, or only behind others so far."""
    return replace(place, facts={**place.facts, "chosen": ahead})


def _arrange(draft: Draft, order: Sequence[Place]) -> None:
    """Put tied places into an order, and log it."""
    rule = "d6.init.tie.pc-pc" if order[0].term("player") else TIED_NPCS
    for index, place in enumerate(order):
        rank = (*place.rank[:2], -index)
        text = say("order.number", number=index + 1, total=len(order), score=place.score)
        draft.order(replace(place, rank=rank), text, (rule,))


def explain_ties(draft: Draft) -> None:
    """Say why each is ahead of the next with the same score."""
    for place in draft.state.agenda:
        if place.why_rule and not place.why_rule.startswith("d6.init.tie"):
            continue
        why, rule = ahead(draft.rules, draft.state, draft.state.agenda.index(place))
        words = draft.rules.english.render(why) if why else ""
        if words != place.why:
            text = say("order.ahead" if why else "order.stays", why=why)
            draft.order(replace(place, why=words, why_rule=rule), text, (rule or "d6.init.desc",))


def ahead(_: Ruleset, state: State, index: int) -> tuple[Said | None, str]:
    """Say what puts a place ahead of the next with the same score, and by which rule."""
    place = state.agenda[index]
    below = state.agenda[index + 1] if index + 1 < len(state.agenda) else None
    if below is None or below.score != place.score:
        return None, ""
    if place.term("player") != below.term("player"):
        return say("why.player"), "d6.init.tie.pc-over-npc"
    settled = place.facts.get("chosen") and "chosen" in below.facts
    if place.term("player"):
        return say("why.players" if settled else "why.added"), "d6.init.tie.pc-pc"
    if not settled and state.options["npc_ties"] == "gm":
        return None, ""  # the GM is asked
    return say("why.gm" if settled else "why.added"), TIED_NPCS


def ask_ties(draft: Draft) -> None:
    """Ask the GM who goes first among NPCs with the same score, if that is how ties are settled.

    The question covers the whole tie, even if only a newcomer has no place yet.
    """
    state = draft.state
    if state.options["npc_ties"] != "gm" or state.window is not None:
        return
    for place in state.agenda:
        tied = _tied(state, place)
        here = [p for p in tied if not is_gone(state.fighters[p.who])]
        if not place.term("player") and place in tied and _open(here):
            _ask(draft, tied)
            return


def _open(tied: Sequence[Place]) -> bool:
    """Check whether it is still open which of the tied goes first."""
    return len(tied) > 1 and not all(p.facts.get("chosen") for p in tied)


def _ask(draft: Draft, tied: Sequence[Place]) -> None:
    names = tuple(p.who for p in tied)
    text = say("order.first", score=tied[0].score, names=names)
    ask(draft, None, Question("first", text, names, TIED_NPCS, many=True, on=names), names[0])


def settle_tie(draft: Draft, asked: tuple[str, ...], answer: Any) -> None:
    """Put those the GM named ahead of the others asked about, and keep asking while it is open who goes first."""
    named = [answer] if isinstance(answer, str) else list(dict.fromkeys(answer))
    first = draft.state.place_of((*named, *asked)[0])
    if first is not None:
        tied = _tied(draft.state, first)
        now = [_settled(p, True) for name in named for p in tied if p.who == name]
        rest = [p for p in tied if p.who in asked and p.who not in named]
        still = _open([p for p in rest if not is_gone(draft.state.fighters[p.who])])
        if now:
            after = [_settled(p, bool(p.facts.get("chosen")) or not still) for p in rest]
            _arrange(draft, [*(p for p in tied if p.who not in asked), *now, *after])
            explain_ties(draft)
            fresh = {p.id for p in tied if not p.facts.get("chosen")}
            for newcomer in [p for p in draft.state.agenda if p.id in fresh]:
                come_late(draft, newcomer)
        if still:
            _ask(draft, rest)
            return
    ask_ties(draft)


# ── what a rung says ──


def told(place: Place) -> Parts:
    """Return how a score came about, as rich text."""
    facts: Mapping[str, int] = place.facts
    if "die" in facts:
        die: Mark = {"die": facts["die"], "table": True} if facts.get("table") else {"die": facts["die"]}
        return ["1D ", die, f" {'+' if facts['rank'] >= 0 else '-'} rank {abs(facts['rank'])}"]
    if "plus" not in facts:
        return []
    if facts["plus"] == _MAJOR:
        return [f"rank {facts['rank']} + {_MAJOR}, major opponent ", {"rule": "d6.init.major-plus6"}]
    return [f"rank {facts['rank']} + {_USUAL} ", {"rule": "d6.init.npc-plus3"}]
