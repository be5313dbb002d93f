"""Defend and Aim: what you do now for a later roll."""

from __future__ import annotations

from collections.abc import Iterable

from combatkit.core.model import Act, Effect, Fighter, Turn
from combatkit.errors import UnknownName
from combatkit.rules.case import Case, Objection
from combatkit.rules.draft import Draft
from combatkit.systems.d6.stats import check_rank
from combatkit.text import Title, say

DEFEND_RANKS = ("agility", "athletics", "hide")
AIM_RANKS = ("tactics", "search")
AIMS = ("bonus", "range")


def aims(fighter: Fighter) -> list[Effect]:
    """Return the Aims that wait for the next attack roll."""
    return [e for e in fighter.effects if e.id == "aiming" and isinstance(e.value, dict) and "option" in e.value]


def added(aimed: Iterable[Effect]) -> dict[str, int]:
    """Return what Aims add to an attack roll, by rank."""
    found: dict[str, int] = {}
    for effect in aimed:
        if effect.value["option"] == "bonus":
            rank = effect.value["rank"]
            found[rank] = found.get(rank, 0) + effect.value["add"]
    return found


def end_aims(draft: Draft, who: str) -> None:
    """Use up all of somebody's Aims."""
    for effect in aims(draft.state.fighters[who]):
        draft.end_effect(who, effect, text=say("aim.used"))


def check_defend(case: Case) -> Iterable[Objection]:
    """Allow only one of three ranks."""
    params = case.params
    if "rank" in params:
        check_rank(params["rank"])
        if params["rank"] not in DEFEND_RANKS:
            reason = f"Defend uses the Agility, Athletics or Hide rank, not {params['rank'].capitalize()}."
            yield Objection(reason, "d6.act.defend.choice")


def defend(draft: Draft, act: Act) -> Act:
    """Raise Defense by twice a rank, until the next turn begins or the bonus has caused a miss."""
    rank = act.params["rank"]
    bonus = 2 * (draft.rules.value(draft.state.fighters[act.who], rank) or 0)
    draft.end_effects(act.who, "defending")
    text = say("defend.raises", bonus=bonus)
    anchor = f"turn_start:{act.who}"
    draft.effect(
        act.who,
        "defending",
        value=rank,
        modifiers={"defense": bonus},
        anchor=anchor,
        rule="d6.act.defend.duration",
        text=text,
    )
    return act


def check_aim(case: Case) -> Iterable[Objection]:
    """Allow only one of two options; a rank belongs to the first."""
    option, rank = case.params.get("option"), case.params.get("rank")
    if option is not None and option not in AIMS:
        raise UnknownName.of("option of aim", option, AIMS)
    if rank is not None:
        check_rank(rank)
        if option == "range":
            yield Objection("An Aim adds a rank or ignores a range penalty, not both.", "d6.act.aim.exclusive")
        elif rank not in AIM_RANKS:
            yield Objection(f"Aim adds the Tactics or Search rank, not {rank.capitalize()}.", "d6.act.aim.bonus")


def aim(draft: Draft, act: Act) -> Act:
    """Keep a bonus, or the right to ignore 1D of a far range's penalty, for the next attack roll."""
    option = act.params["option"]
    ranks = {rank: draft.rules.value(draft.state.fighters[act.who], rank) or 0 for rank in AIM_RANKS}
    if not draft.state.options["aims_add"]:
        for old in aims(draft.state.fighters[act.who]):
            if old.value["option"] == option:
                draft.end_effect(act.who, old, text=say("aim.replaced"))
    value: dict[str, object] = {"option": option}
    if option == "bonus":
        rank = act.params.get("rank") or max(AIM_RANKS, key=lambda r: ranks[r])
        value |= {"rank": rank, "add": ranks[rank]}
        named = None if "rank" in act.params else Title(rank)  # as the action says
        text, rule = say("aim.adds", add=ranks[rank], rank=named), "d6.act.aim.bonus"
    else:
        text, rule = say("aim.ignores"), "d6.act.aim.range"
    turn = draft.state.turn
    if turn is not None and turn.who == act.who and draft.state.options["aim_expires"] == "own_turn":
        value["turn"] = turn.seq
    draft.effect(act.who, "aiming", value=value, rule=rule, text=text)
    return act


def expire_aims(draft: Draft, turn: Turn) -> None:
    """End every Aim taken before the turn that ends now, if the table lets none wait longer."""
    if draft.state.options["aim_expires"] == "own_turn":
        for effect in aims(draft.state.fighters[turn.who]):
            if effect.value.get("turn") != turn.seq:
                draft.end_effect(turn.who, effect, text=say("aim.passes"))
