"""Losing Resolve, becoming Wounded, and the Fallen Fates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from combatkit.core.dice import Dice
from combatkit.core.faces import Rolled
from combatkit.core.model import Act, Bid, Fighter, State, Window
from combatkit.core.plain import is_number
from combatkit.rules import flow
from combatkit.rules.case import Case, Given, Mechanism, Objection, Question, Stage, against
from combatkit.rules.draft import Draft
from combatkit.rules.mechanisms import roll_data
from combatkit.rules.vitals import TEMPORARY, Change, Outcome, buffered, fall_or_rise, log_change, most_of, rest_of
from combatkit.rules.windows import Happening, ask, join, offer, reopen
from combatkit.systems.d6.arms import SIDES, attributes_of
from combatkit.text import Title, say

IGNORE, IGNORES = "ignore_fate", "ignores_left"
IGNORED = "ignored_fates"
"""The condition that counts how often a fate was ignored since the last Rest."""
POINTS = "force_points"
FATES = ("never_the_same", "desperate_push", "blaze_of_glory", "tragic_demise")
"""The four Fallen Fates."""

MAY, MAY_NOT = "yes", "no"
"""What the GM may say about a significant NPC's fate."""

_PUSH = 8
"""What a Desperate Push needs on 2D."""

RESTS = ("rested", "rest")
"""The conditions with which the GM says that somebody has rested."""

_ASKED = "d6.fate.trigger"
"""The rule by which a fate is asked for."""

_MINOR, _REFUSED = "d6.wound.minor-npc", "d6.fate.npc"
"""The rules by which NPCs are out of the fight: a minor one falls, a significant one gets no fate."""

_HELPLESS = ("down", "unconscious", "stunned")
"""The conditions that keep somebody from acting, and from no fate but a Blaze of Glory: their player chooses."""

_TWICE = 2
_USED = "never_the_same_used"
"""The stat that counts how often Never the Same was chosen: it is on the sheet for life."""
_GONE = ("dead", "out", "left")


# ── losing and regaining Resolve ──


def suffer(draft: Draft, act: Act, lost: int, cited: tuple[str, ...], data: dict[str, object]) -> None:
    """Take what an action deals off Resolve, which stops at 0, and see what that does.

    Parameters
    ----------
    draft : Draft
        The call under way.
    act : Act
        The action that does the damage; its target takes it.
    lost : int
        The damage left after armor, from 0 up.
    cited : tuple of str
        The rules of the loss.
    data : dict
        What else the event says: dice, armor.
    """
    (name,) = act.targets
    fighter, left = draft.state.fighters[name], None
    before, first, taken = fighter.vitals.get("resolve"), buffered(fighter, lost), lost
    if before is not None:
        left = max(0, before - lost + first)
        taken = before - left + first
        data = {**data, "vital": "resolve", "left": left}
    if first:
        data = {**data, TEMPORARY: first}
    over, buffer = lost if lost != taken else None, first or None
    if over is not None:
        data = {**data, "dealt": over}
    armor, halved = data["armor"], data.get("halved")
    told: dict[str, Any] = {"amount": taken, "over": over, "rolled": data["rolled"], "half": armor, "halved": halved}
    told["armor"] = (armor or None) if halved is None else None
    text = say("damage.armored", **told, temporary=buffer, **rest_of(left))
    draft.emit("damage", act.who, act.action, name, taken - first, text, cited, data=data)
    fall_or_rise(draft, name, before)
    if lost > first and left is not None:
        _hurt(draft, fighter, lost - first)


def lose(draft: Draft, name: str, lost: int, change: Change) -> None:
    """Take a loss off stated Resolve by the GM's word; it counts like any other damage."""
    fighter = draft.state.fighters[name]
    before, first = fighter.vitals["resolve"] or 0, buffered(fighter, lost)
    left = max(0, before - lost + first)
    outcome = Outcome("resolve", left, before - left + first, dealt=lost)
    log_change(draft, name, change, outcome, ("d6.dmg.narration",), first)
    if lost > first:
        _hurt(draft, fighter, lost - first)


def is_gone(fighter: Fighter) -> bool:
    """Check whether somebody is out of the fight for good."""
    return bool(fighter.effects) and any(e.id in _GONE for e in fighter.effects)


def falls(draft: Draft, name: str) -> None:
    """Let somebody with no Resolve left be Wounded, or out of the fight if they are a minor NPC."""
    fighter = draft.state.fighters[name]
    if any(effect.id in ("wounded", "out", "dead") for effect in fighter.effects):
        return
    if not fighter.npc or fighter.stats["significant"]:
        draft.effect(name, "wounded", rule="d6.wound.at0")
    elif draft.state.options["minor_npc_at_zero"] == "wounded":
        draft.effect(name, "wounded", rule=_MINOR)
    else:
        draft.effect(name, "out", rule=_MINOR, text=say("fate.out"))


def rises(draft: Draft, name: str) -> None:
    """Let an NPC back into the fight whom their wounds took out of it; whom the GM puts out stays out."""
    for effect in draft.state.fighters[name].effects:
        if effect.id == "out" and effect.rule in (_MINOR, _REFUSED):
            draft.end_effect(name, effect)


def dies(draft: Draft, name: str, rule: str) -> None:
    """Let somebody die who is not dead yet: whoever takes a last turn may die before it ends."""
    if draft.state.fighters[name].effect("dead") is None:
        draft.effect(name, "dead", rule=rule, text=say("fate.dies"))


def regraded(draft: Draft, name: str) -> None:
    """Let somebody be Wounded who is out of the fight as a minor NPC with nothing left, and is significant now."""
    fighter = draft.state.fighters[name]
    fallen = next((e for e in fighter.effects if e.id == "out" and e.rule == _MINOR), None)
    if fallen is not None and fighter.stats["significant"] and fighter.vitals["resolve"] == 0:
        draft.end_effect(name, fallen)
        falls(draft, name)


def _hurt(draft: Draft, fighter: Fighter, lost: int) -> None:
    """Ask for a fate if somebody was Wounded before: of a character at once, of a significant NPC if the GM allows.

    Who had nothing left and was not Wounded (after a Rest, or by the GM's word) falls as whoever comes to 0 does.
    """
    if is_gone(fighter):
        return
    if fighter.effect("wounded") is None:
        if fighter.vitals["resolve"] == 0:
            falls(draft, fighter.name)
    elif not fighter.npc:
        _offer(draft, fighter, lost)
    elif fighter.stats["significant"]:
        text = say("fate.may", who=fighter.name)
        ask(draft, None, Question(f"fate:{lost}", text, (MAY, MAY_NOT), _REFUSED), fighter.name)
    else:
        draft.effect(fighter.name, "out", rule=_MINOR, text=say("fate.out"))


def answered(draft: Draft, window: Window, answer: object) -> None:
    """Do as the GM says of a significant NPC's fate."""
    fighter = draft.state.fighters[window.by[0]]
    if is_gone(fighter):  # since it was asked
        return
    if answer == MAY:
        _offer(draft, fighter, int(window.key.partition(":")[2]))
    else:
        draft.effect(fighter.name, "out", rule=_REFUSED, text=say("fate.out"))


def _offer(draft: Draft, fighter: Fighter, lost: int) -> None:
    """Open the window in which a fate must be chosen, or ignored if that is open."""
    actions = tuple([id for id in (IGNORE, *FATES) if not any(_against(fighter, id, lost))])
    # What an NPC loses is not for players, who read what is asked.
    about = say("fate.asked", who=fighter.name, amount=None if fighter.npc else lost)
    bid = Bid(fighter.name, actions, _ASKED, must=True, amount=lost)
    window = draft.state.window
    asked = [] if window is None else [b.who for b in window.bids if b.rule == _ASKED and not b.answered]
    strict = IGNORE in actions and lost == threshold(fighter)
    cited = ("d6.fate.list", *(("d6.fate.ignore.big.strict",) if strict else ()))
    fate = Happening((fighter.name,), about, cited=cited)
    if window is not None and asked and fighter.name not in asked:
        join(draft, window, fate, bid)
    else:
        offer(draft, fate, (bid,))


def threshold(fighter: Fighter) -> int:
    """Return the most damage a fate can be ignored at: half of maximum Resolve, rounded down."""
    top: int | None = fighter.stats["resolve"]
    return 0 if top is None else top // 2


def ignores_left(fighter: Fighter) -> int:
    """Return how often a fate can still be ignored before a Rest."""
    more = {stat: sum([e.modifiers.get(stat, 0) for e in fighter.effects]) for stat in ("stamina", "control", IGNORES)}
    most: int = max(fighter.stats["stamina"] + more["stamina"], fighter.stats["control"] + more["control"])
    return max(0, most + more[IGNORES] - ignored(fighter))


def ignored(fighter: Fighter) -> int:
    """Return how often a fate was ignored since the last Rest; a condition the GM sets may have that name, too."""
    used = fighter.effect(IGNORED)
    return used.value if used is not None and type(used.value) is int else 0


def regain(draft: Draft, name: str, amount: int, cited: tuple[str, ...]) -> None:
    """Give Resolve back, up to the maximum."""
    fighter = draft.state.fighters[name]
    old, top = fighter.vitals.get("resolve"), fighter.stats["resolve"]
    if old is None or top is None:
        return
    left = max(old, min(old + amount, top))
    if left == old:
        return
    data = {"vital": "resolve", "left": left}
    text = say("vital.regains", of="resolve", amount=left - old, vital=Title("resolve"), **rest_of(left))
    draft.emit("vital", None, None, name, left - old, text, cited, data=data)


def rest(draft: Draft, given: Given) -> None:
    """Let a Rest do its work: end being Wounded, and reset how often fates can be ignored."""
    (name, id, value, modifiers, anchor, _, rounds, *_), rule = given, "d6.fate.ignore.refresh"
    draft.end_effects(name, *RESTS, by="gm")
    text = say("fate.rested")
    lasts: dict[str, Any] = {"anchor": anchor, "rounds": rounds}
    draft.effect(name, id, value=value, modifiers=modifiers, **lasts, rule=rule, text=text, by="gm")
    draft.end_effects(name, "wounded", by="gm")
    used = draft.state.fighters[name].effect(IGNORED)
    if used is not None:
        draft.end_effect(name, used, by="gm", rule=rule)


# ── choosing ──


def _bid(state: State, name: str) -> Bid | None:
    """Return the fate somebody must choose now."""
    window = state.window
    return None if window is None else _asked_in(window, name)


def _asked_in(window: Window, name: str) -> Bid | None:
    return next((b for b in window.bids if b.who == name and not b.answered and b.rule == _ASKED), None)


def asked_anew(window: Window) -> tuple[Bid, ...] | None:
    """Return who must choose a fate in a window that asks for one: among all of them, as things stand."""
    bids = [bid for bid in window.bids if not bid.answered]
    if all(bid.rule != _ASKED for bid in bids):
        return None
    return tuple([replace(bid, actions=(IGNORE, *FATES)) if bid.rule == _ASKED else bid for bid in bids])


def _against(fighter: Fighter, fate: str, lost: int) -> Iterable[Objection]:
    """Yield what rules out a fate, chosen for so much damage."""
    if fate == IGNORE:
        if not ignores_left(fighter):
            reason = f"{fighter.name} can't ignore another fate before a Rest."
            if not ignored(fighter):
                reason = f"{fighter.name} has no Stamina or Control rank to ignore a fate with."
            yield from against(reason, "d6.fate.ignore", "d6.fate.ignore.refresh")
        if lost > threshold(fighter):
            reason = f"{lost} damage is more than {threshold(fighter)}, half of {fighter.name}'s maximum Resolve."
            yield Objection(reason, "d6.fate.ignore.big")
    elif fate == "never_the_same":
        if fighter.stats[_USED] >= _TWICE:
            reason = f"{fighter.name} has already chosen Never the Same twice in their life."
            yield Objection(reason, "d6.fate.never.twice")
        elif fighter.stats["attributes"] and not reductions(fighter):
            yield Objection(f"{fighter.name} has no attribute left to reduce.", "d6.fate.never.reduce")
    elif fate == "blaze_of_glory" and fighter.effect("last_turn") is not None:
        yield Objection(f"{fighter.name} is already in their last turn.", "d6.fate.blaze.die")
    elif fate == "blaze_of_glory" and (kept := next((e.id for e in fighter.effects if e.id in _HELPLESS), None)):
        yield Objection(f"{fighter.name} is {kept} and can't take a last turn.", "d6.fate.blaze.interrupt")


def check_fate(case: Case) -> Iterable[Objection]:
    """Allow a fate only when further damage calls for one."""
    state, fighter, action, params = case.state, case.fighter, case.action, case.params
    bid = _bid(state, fighter.name)
    if bid is None:
        if fighter.npc and not fighter.stats["significant"]:
            reason = f"A Fallen Fate is for players' characters and significant NPCs, and {fighter.name} is neither."
            yield Objection(reason, _REFUSED)
        elif state.window is not None and any(type(f) is Window and _asked_in(f, fighter.name) for f in state.focus):
            about = state.window.about
            yield Objection(f"{fighter.name} must choose a Fallen Fate, and this comes first: {about}.", _ASKED)
        else:
            yield Objection(f"{fighter.name} chooses a Fallen Fate only when Wounded and hurt again.", _ASKED)
    elif fighter.effect("wounded") is None:
        yield Objection(f"{fighter.name} is no longer Wounded.", _ASKED)
    yield from _against(fighter, action.id, (bid.amount or 0) if bid is not None else 0)
    if action.id == "never_the_same" and "attributes" in params:
        yield from _check_reduction(fighter, params["attributes"])
    if action.id == "tragic_demise":
        named = params.get("witnesses", ())
        for name in named:
            is_own = name == fighter.name
            if is_own and len(named) == 1:  # who names a side, names it whole
                yield Objection(f"{name} can't be their own witness.", "d6.fate.tragic.allies")
            elif not is_own and name not in allies(state, fighter):
                yield Objection(f"{name} isn't an ally of {fighter.name}'s who could see it.", "d6.fate.tragic.allies")


def _paid(given: object) -> Any:
    """Return the dice that each attribute loses; one that is named by hand loses two, each of two named loses one."""
    if isinstance(given, str):
        given = [name for name in re.split(r"\s*(?:,|\band\b)\s*", given.strip()) if name]
    if not isinstance(given, (list, tuple)) or not all(isinstance(name, str) for name in given):
        return given
    return dict(Counter(given if len(given) > 1 else [*given, *given]))


def _check_reduction(fighter: Fighter, given: object) -> Iterable[Objection]:
    """Allow only two dice off one attribute, or one off each of two, and never below zero.

    Even the GM can't allow what says of no attribute that is there how many dice it loses.
    """
    rule, paid = "d6.fate.never.reduce", _paid(given)
    says = isinstance(paid, Mapping) and bool(paid) and all(is_number(lost) and lost > 0 for lost in paid.values())
    if not says or sorted(paid.values()) not in ([2], [1, 1]):
        yield Objection("Never the Same takes 2D from one attribute, or 1D from each of two.", rule, firm=not says)
        return
    codes = attributes_of(fighter)
    for name, lost in paid.items():
        if not codes:
            break
        if name not in codes:
            yield Objection(f"{fighter.name} has no attribute {name!r}, only {', '.join(codes)}.", rule, firm=True)
        elif codes[name].count < lost:
            yield Objection(f"{name} is {codes[name].code}: it has no {lost}D to lose.", rule)


def reductions(fighter: Fighter) -> tuple[dict[str, int], ...]:
    """Return every way to pay for Never the Same."""
    codes = attributes_of(fighter)
    two = [{name: 2} for name, code in codes.items() if code.count >= 2]
    one = [name for name, code in codes.items() if code.count]
    return (*two, *({a: 1, b: 1} for a, b in combinations(one, 2)))


def allies(state: State, fighter: Fighter) -> tuple[str, ...]:
    """Return those of the same side who are still in the fight and could see it."""
    return tuple(
        n
        for n, f in state.fighters.items()
        if f.side == fighter.side and n != fighter.name and not is_gone(f) and f.effect("unconscious") is None
    )


def witnesses(state: State, fighter: Fighter, named: Iterable[str] | None) -> tuple[str, ...]:
    """Return the allies who see a death: those named (possibly none), or all of them if nobody says."""
    return allies(state, fighter) if named is None else tuple([n for n in dict.fromkeys(named) if n != fighter.name])


# ── what they do ──


def _settle(draft: Draft, who: str) -> None:
    """Mark the fate as chosen, even if the GM chose one that was not offered."""
    bid = _bid(draft.state, who)
    if bid is not None:
        draft.emit("answer", who, text=say("fate.chosen"), by="gm", data={"declined": False})


def ignore(draft: Draft, act: Act) -> Act:
    """Carry on Wounded, with one fewer fate to ignore until a Rest."""
    _settle(draft, act.who)
    fighter, rule = draft.state.fighters[act.who], "d6.fate.ignore"
    count, left = ignored(fighter) + 1, max(0, ignores_left(fighter) - 1)
    text = say("fate.ignored" if left else "fate.ignored_last", left=left)
    used = fighter.effect(IGNORED)
    if used is None:
        draft.effect(act.who, IGNORED, value=count, rule=rule, text=text)
    else:
        draft.renew(act.who, replace(used, value=count), text, rule)
    return act


def never_the_same(draft: Draft, act: Act) -> Act:
    """Lose dice for good, and leave the encounter."""
    _settle(draft, act.who)
    lost = {str(k): int(v) for k, v in dict(_paid(act.params["attributes"])).items()}
    dice = [say("fate.dice", number=n, attribute=Title(name)) for name, n in lost.items()]
    fighter = draft.state.fighters[act.who]
    codes = attributes_of(fighter)
    left = {n: replace(code, count=max(0, code.count - lost.get(n, 0))).code for n, code in codes.items()}
    stats = {**fighter.stats, "attributes": left, _USED: min(_TWICE, fighter.stats[_USED] + 1)}
    data = {**to_builtins(replace(fighter, stats=stats)), "edited": ["attributes", _USED]}
    draft.emit("combatant", act.who, text=say("fate.reduced", dice=dice), rules=("d6.fate.never.reduce",), data=data)
    flow.depart(draft, act.who, say("fate.removed"), "d6.fate.never.removed")
    return act


def _roll(draft: Draft, who: str, purpose: str, rule: str, *keys: str) -> int:
    rolled: Rolled = draft.throw(2, SIDES, *keys)
    dice = Dice(2, SIDES)
    data = {**roll_data(purpose, dice, rolled, rolled.sum), "notation": dice.code}
    text = say(f"roll.{purpose}", total=rolled.sum)
    draft.emit("roll", who, amount=rolled.sum, text=text, rules=(rule,), data=data)
    return rolled.sum


def desperate_push(draft: Draft, act: Act) -> Act:
    """Roll 2D: on 7 or less, die; otherwise regain that much and no longer be Wounded."""
    _settle(draft, act.who)
    total = _roll(draft, act.who, "push", "d6.fate.push.roll", "push", act.who)
    if total < _PUSH:
        dies(draft, act.who, "d6.fate.push.low")
    else:
        regain(draft, act.who, total, ("d6.fate.push.high",))
        draft.end_effects(act.who, "wounded")
    return act


def blaze_of_glory(draft: Draft, act: Act) -> Act:
    """End the turn under way, with everything unspent or unresolved in it, and take a last turn."""
    _settle(draft, act.who)
    owed = flow.break_off(draft, rules=("d6.fate.blaze.interrupt",))
    flow.grant_turn(draft, act.who, say("fate.last_turn"), ("d6.fate.blaze.interrupt",))
    anchor = f"turn_end:{act.who}"
    draft.effect(act.who, "last_turn", anchor=anchor, rule="d6.fate.blaze.die", text=say("fate.dying"))
    reopen(draft, owed)
    return act


def tragic_demise(draft: Draft, act: Act) -> Act:
    """Die; the allies who see it each regain 2D Resolve and 1 Force Point."""
    _settle(draft, act.who)
    dies(draft, act.who, "d6.fate.tragic.die")
    rule = "d6.fate.tragic.allies"
    for name in witnesses(draft.state, draft.state.fighters[act.who], act.params.get("witnesses")):
        total = _roll(draft, name, "regain", rule, name, "regain")
        regain(draft, name, total, (rule,))
        _regain_point(draft, name, rule)
    return act


def _regain_point(draft: Draft, name: str, rule: str) -> None:
    """Give a Force Point back, up to the maximum where one is stated; what a sheet says they have is none."""
    fighter = draft.state.fighters[name]
    points, top = (fighter.vitals.get(POINTS) or 0) + 1, most_of(draft.rules, fighter, POINTS)
    if top is not None and points > top:
        return
    text = say("vital.regains", of=POINTS, amount=1, vital=Title("Force Point"), **rest_of(points))
    draft.emit("vital", None, None, name, 1, text, (rule,), data={"vital": POINTS, "left": points})


def check_points(case: Case) -> Iterable[Objection]:
    """Refuse to spend a Force Point that isn't there."""
    if not case.fighter.vitals.get(POINTS):
        yield Objection(f"{case.fighter.name} has no Force Point.", "")


def spend_point(draft: Draft, act: Act) -> Act:
    """Take one Force Point off; the source doesn't say what it brings, the note does."""
    left = (draft.state.fighters[act.who].vitals.get(POINTS) or 0) - 1
    data = {"vital": POINTS, "left": left}
    text = say("vital.spends", of=POINTS, left=left)
    draft.emit("vital", None, None, act.who, -1, text, (draft.actions[act.action].rule,), data=data)
    return act


_CARRIED_OUT = {
    IGNORE: ignore,
    "never_the_same": never_the_same,
    "desperate_push": desperate_push,
    "blaze_of_glory": blaze_of_glory,
    "tragic_demise": tragic_demise,
}

MECHANISMS: dict[str, Mechanism] = {
    **{id: Mechanism(check_fate, (Stage(id, does),)) for id, does in _CARRIED_OUT.items()},
    "spend_force_point": Mechanism(None, (Stage("spend", spend_point, (check_points,)),)),
}
