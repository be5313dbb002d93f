"""Help: a rank added to another's roll or, if unused, Resolve for somebody who isn't Wounded."""

from __future__ import annotations

from collections.abc import Iterable

from combatkit.core.model import Act, Bid, Fighter, State, Window
from combatkit.rules.case import Case, Entry, Mechanism, Objection, Stage, against
from combatkit.rules.draft import Draft
from combatkit.rules.judge import unable
from combatkit.rules.windows import Happening, offer
from combatkit.systems.d6.fates import regain
from combatkit.systems.d6.stats import check_rank, increase
from combatkit.text import say

ROLLED = "roll"
"""The stage of an attack or check after which Help may be added."""

_MOST_HELPS = 2


def helpers(state: State, roller: str) -> tuple[str, ...]:
    """Return those with Help to give who are asked about a roll.

    Any other character's roll may be helped; but if everybody were asked about every roll, none would be resolved at
    once. So a roll waits only for somebody on the roller's side, or with the roller in mind; then others may help too.
    """
    side = state.fighters[roller].side
    able = [f for n, f in state.fighters.items() if f.effects and n != roller and _can_help(f)]
    waits = any(f.side == side or roller in _meant_for(f) for f in able)
    return tuple([f.name for f in able]) if waits else ()


def _meant_for(fighter: Fighter) -> tuple[str, ...]:
    """Return everybody, on any side, whom somebody has named for their Help."""
    helping = fighter.effect("helping")
    return () if helping is None or not isinstance(helping.value, list) else tuple(helping.value)


def _can_help(fighter: Fighter) -> bool:
    held = {e.id for e in fighter.effects}
    return "helping" in held and not held & {"dead", "out", "left", "unconscious"}


def help_bids(state: State, act: Act) -> Entry | None:
    """Return who may add Help to what has been rolled."""
    open = "roll" in act.result and _helps(state, act) < _MOST_HELPS
    names = helpers(state, act.who) if open else ()
    return Entry(tuple([Bid(name, ("add_help",), "d6.act.help.timing") for name in names])) if names else None


def check_help(case: Case) -> Iterable[Objection]:
    """Check that whoever is named is somebody else, on any side."""
    if case.fighter.name in case.params.get("target", ()):
        yield Objection(f"{case.fighter.name} can't help their own rolls.", "d6.act.help.not-self")


def stand_by(draft: Draft, act: Act) -> Act:
    """Keep Help for another's roll, until the helper's next turn begins."""
    anchor = f"turn_start:{act.who}"
    meant, rule = list(act.targets) or None, "d6.act.help.add"
    draft.effect(act.who, "helping", value=meant, anchor=anchor, rule=rule, text=say("help.ready"))
    return act


def open_roll(state: State) -> Act | None:
    """Return the roll that waits for Help."""
    below = state.focus[-2] if len(state.focus) > 1 and type(state.focus[-1]) is Window else None
    return below if type(below) is Act and below.passed == ROLLED and "roll" in below.result else None


def with_help(draft: Draft, act: Act) -> tuple[int, dict[str, int], tuple[str, ...]]:
    """Return a roll's total and modifiers with the Help added to it, and its rule if any was; that Help is used up."""
    total: int = act.result["total"]
    modifiers: dict[str, int] = dict(act.result["modifiers"])
    cited: tuple[str, ...] = ()
    for effect in draft.state.fighters[act.who].effects:
        if effect.id == "helped" and effect.value["threat"] == act.seq:
            value = effect.value
            total += value["add"]
            modifiers[f"help from {value['by']} ({value['rank']})"] = value["add"]
            draft.end_effect(act.who, effect, text=say("help.used"))
            cited = ("d6.act.help.add",)
    return total, modifiers, cited


def _helps(state: State, act: Act) -> int:
    effects = state.fighters[act.who].effects
    return sum(1 for e in effects if e.id == "helped" and e.value["threat"] == act.seq)


def check_rank_given(case: Case) -> Iterable[Objection]:
    """Check that the rank exists."""
    if "rank" in case.params:
        check_rank(case.params["rank"])
    return ()


def helpable(case: Case) -> Iterable[Objection]:
    """Allow Help only between another's roll and its result, from somebody who has it to give."""
    name = case.fighter.name
    roll = open_roll(case.state)
    if roll is None:
        reason = "Help is added to another combatant's attack roll or check, before its result. No roll is waiting."
        yield from against(reason, "d6.act.help.timing", "d6.act.help.not-damage")
    elif roll.who == name:
        yield Objection(f"{name} made that roll; Help is for another combatant's.", "d6.act.help.not-self")
    if not case.has("helping"):
        yield Objection(f"{name} has no Help to give.", "d6.act.help.add")


def add_help(draft: Draft, act: Act) -> Act:
    """Add one of the helper's ranks to the roll that waits."""
    roll = open_roll(draft.state)
    if roll is None:
        return act  # by the GM's word alone: there is nothing to add it to
    helper = draft.state.fighters[act.who]
    rank = act.params["rank"]
    helping = helper.effect("helping")
    if helping is not None:
        draft.end_effect(act.who, helping, text=say("help.given"))
    turn = draft.state.turn
    add = increase(draft.rules, helper, rank)
    value = {"by": act.who, "rank": rank, "add": add, "threat": roll.seq}
    draft.effect(
        roll.who,
        "helped",
        value=value,
        anchor=f"turn_end:{turn.who}" if turn else None,
        rule="d6.act.help.add",
        text=say("help.added", of="" if add else "none", by=act.who, add=add),
    )
    if _helps(draft.state, roll) >= _MOST_HELPS:
        window = draft.state.window
        assert window is not None
        for bid in window.bids:
            if not bid.answered and bid.who != act.who:
                draft.emit(
                    "answer",
                    bid.who,
                    text=say("help.enough"),
                    rules=("d6.act.help.max-two",),
                    data={"declined": True},
                )
    return act


def helped_out(draft: Draft, who: str) -> None:
    """Let unused Help give 1 Resolve, as the helper's turn begins, to somebody of their choice who isn't Wounded."""
    able = tuple(n for n, f in draft.state.fighters.items() if not _past_help(f))
    if able:
        bid = Bid(who, ("help_recovery",), "d6.act.help.unused", targets=able)
        offer(draft, Happening((who,), say("help.unused", who=who)), (bid,))


def _past_help(fighter: Fighter) -> bool:
    return any(e.id in ("wounded", "dead", "out", "left") for e in fighter.effects)


def check_recovery(case: Case) -> Iterable[Objection]:
    """Allow it only at the start of the helper's next turn, for somebody who isn't Wounded."""
    window = case.state.window
    if window is None or not any(b.who == case.fighter.name and "help_recovery" in b.actions for b in window.bids):
        reason = f"{case.fighter.name} can do this only at the start of their turn, if their Help went unused."
        yield Objection(reason, "d6.act.help.unused")
    if len(case.params.get("target", ())) > 1:
        yield Objection("Only one character regains Resolve.", "d6.act.help.unused")


def can_regain(case: Case) -> Iterable[Objection]:
    """Refuse somebody who is Wounded or out of the fight."""
    for name in case.targets:
        fighter = case.state.fighters[name]
        if _past_help(fighter):
            reason = f"{name} is Wounded." if fighter.effect("wounded") else unable(case.rules, fighter).reason
            yield Objection(reason, "d6.act.help.unused")


def recover(draft: Draft, act: Act) -> Act:
    """Give 1 Resolve back."""
    regain(draft, act.targets[0], 1, ("d6.act.help.unused",))
    return act


MECHANISMS: dict[str, Mechanism] = {
    "help": Mechanism(check_help, (Stage("help", stand_by, ()),)),
    "add_help": Mechanism(check_rank_given, (Stage("add_help", add_help, (helpable,)),)),
    "help_recovery": Mechanism(check_recovery, (Stage("recover", recover, (can_regain,)),)),
}
