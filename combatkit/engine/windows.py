"""Windows: who may enter where an action stands, what the GM is asked, and what is offered to whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from combatkit.engine.catalogue import Action
from combatkit.engine.draft import Draft
from combatkit.engine.model import Act, Bid, Offer, State, Window
from combatkit.engine.ruleset import Question, Ruleset
from combatkit.engine.rulings import judge, values_of, with_target

DECLARED = "declared"
"""The stage every action begins with."""


def entrants(draft: Draft, act: Act, stage: str, action: Action) -> tuple[tuple[Bid, ...], bool]:
    """Give who may enter after a stage, and whether only text triggers let them in."""
    state = draft.state
    found = draft.rules.entrants(state, act, stage)
    if not found and not state.watchers:
        return (), True
    bids = list(found)
    soft = not bids
    declared = stage == DECLARED
    if state.watchers and (declared or stage in draft.rules.watched):
        watching = list(watchers_of(draft, act, action, declared=declared))
        if watching:
            probe = _probe(draft)
            suspend(probe, act, tuple(bid for bid, _ in watching), "", soft=False)
            for bid, hard in watching:
                if answers_left(draft.rules, probe.state, bid):
                    bids.append(bid)
                    soft = soft and not hard
    return tuple(bids), soft


def watchers_of(draft: Draft, act: Act, action: Action, *, declared: bool = True) -> Iterable[tuple[Bid, bool]]:
    """Give those whose readied or held action fits what was declared; a mapping fits hard, text anything not free.

    Once an action is under way, only words can still come true.
    """
    state, rules = draft.state, draft.rules
    free = rules.price(state, state.fighters[act.who], action)[0].pay == ((),)
    for name in state.watchers:
        if name == act.who or not rules.able(state.fighters[name]):
            continue
        for effect in state.fighters[name].effects:
            if not effect.watches:
                continue
            trigger = effect.value["trigger"]
            hard = not isinstance(trigger, str) and any(part != "text" for part in trigger)
            if (declared and fits(state, trigger, act, action)) if hard else not free:
                use = effect.value["use"]
                yield Bid(name, (use,), rules.catalogue(state)[use].rule), hard


def _probe(draft: Draft) -> Draft:
    """Give a draft of its own, to see what could be done in a window before it is opened."""
    return Draft(draft.rules, draft.state, draft.seq)


def answers_left(rules: Ruleset, state: State, bid: Bid) -> tuple[str, ...]:
    """Give those of an offer's actions that could be done now, in the window on top."""
    return tuple([id for id in bid.actions if _can_answer(rules, state, bid.who, id)])


def _can_answer(rules: Ruleset, state: State, who: str, id: str) -> bool:
    action, fighter = rules.catalogue(state)[id], state.fighters[who]
    if not judge(rules, state, fighter, action, with_target(rules, state, fighter, action, {})).objections:
        return True
    ways = values_of(rules, state, fighter, action, "pay") if "pay" in action.takes else None
    return any(not judge(rules, state, fighter, action, {"pay": way}).objections for way in ways or ())


def fits(state: State, trigger: Mapping[str, str], act: Act, action: Action) -> bool:
    """Say whether a declared action fits a trigger given as a mapping."""
    if "actor" in trigger and trigger["actor"] != act.who:
        return False
    if "side" in trigger and trigger["side"] != state.fighters[act.who].side:
        return False
    if "action" in trigger and trigger["action"] != action.id and trigger["action"] not in action.tags:
        return False
    return "target" not in trigger or trigger["target"] in act.targets


def suspend(draft: Draft, act: Act, bids: tuple[Bid, ...], about: str, *, soft: bool) -> None:
    """Let an action wait under a window."""
    waiting = replace(act, faces=draft.faces.keep())
    data = {
        "about": about,
        "by": [act.who],
        "threat": act.seq,
        "bids": [to_builtins(b) for b in bids],
        "soft": soft,
        "act": to_builtins(waiting),
    }
    names = ", ".join(dict.fromkeys(b.who for b in bids))
    cited = tuple(dict.fromkeys(b.rule for b in bids if b.rule))
    draft.emit("window", act.who, act.action, text=f"is interrupted: {names} may answer", rules=cited, data=data)


def ask(draft: Draft, act: Act | None, question: Question, *by: str) -> None:
    """Ask the GM; an action that asks waits for the answer, else `by` says whom it is about."""
    data: dict[str, Any] = {
        "about": question.text,
        "by": [act.who] if act is not None else list(by),
        "threat": act.seq if act is not None else draft.seq,
        "choices": list(question.choices),
        "question": question.rule,
        "key": question.key,
        "many": question.many,
    }
    if act is None:
        who, action, text = (by[0] if by else None), None, f"the GM is asked: {question.text}"
    else:
        data["act"] = to_builtins(replace(act, faces=draft.faces.keep()))
        who, action, text = act.who, act.action, f"waits: {question.text}"
    draft.emit("window", who, action, text=text, rules=(question.rule,), data=data)


def open_trigger(
    draft: Draft,
    by: tuple[str, ...],
    about: str,
    bids: tuple[Bid, ...],
    segment: int | None = None,
    *,
    soft: bool = False,
    cited: tuple[str, ...] = (),
) -> None:
    """Open a window on something that happened and that no declared action shows; a soft one is let pass.

    It rests on the rules of its offers, and on those `cited` besides.
    """
    data: dict[str, Any] = {"about": about, "by": list(by), "threat": draft.seq}
    data["bids"] = [to_builtins(b) for b in bids]
    if segment is not None:
        data["segment"] = segment
    if soft:
        data["soft"] = True
    names = ", ".join(dict.fromkeys(b.who for b in bids))
    cited = tuple(dict.fromkeys((*(b.rule for b in bids if b.rule), *cited)))
    draft.emit("window", by[0] if by else None, text=f"{about}: {names} may answer", rules=cited, data=data)


def join(draft: Draft, window: Window, who: str, about: str, bid: Bid, cited: tuple[str, ...] = ()) -> None:
    """Ask somebody in the window on top, beside those who are asked there already, in the order of the ladder."""
    ladder = {place.who: index for index, place in reversed(list(enumerate(draft.state.agenda)))}
    bids = sorted((*window.bids, bid), key=lambda each: ladder.get(each.who, len(ladder)))
    data = {
        "joins": window.seq,
        "about": f"{window.about}; {about}",
        "by": [*window.by, who],
        "threat": window.threat,
        "bids": [to_builtins(each) for each in bids],
    }
    cited = tuple(filter(None, (bid.rule, *cited)))
    draft.emit("window", who, text=f"{about}: {who} may answer", rules=cited, data=data)


def reopen(draft: Draft, windows: Iterable[Window]) -> None:
    """Ask anew what was still to be answered in windows that something else has closed."""
    for window in windows:
        data = to_builtins(window)
        bids = [bid for bid in data.pop("bids") if not bid["answered"]]
        rule = window.question or (window.bids[0].rule if window.bids else "")
        text = f"{window.about}: still to be answered"
        rules = (rule,) if rule else ()
        draft.emit("window", window.by[0] if window.by else None, text=text, rules=rules, data={**data, "bids": bids})


def trigger_bids(
    draft: Draft, by: tuple[str, ...], to: tuple[str, ...] | None, offers: tuple[str, ...], segment: int | None = None
) -> tuple[Bid, ...]:
    """Give who may answer something that happened: reactions of the catalogue, and what was readied or is held."""
    state = draft.state
    found: dict[str, Bid] = {}
    for bid in draft.rules.reactions(state, by):
        found[bid.who] = bid
    for name in state.watchers:
        for effect in state.fighters[name].effects:
            if effect.watches and name not in by:
                old = found.get(name, Bid(name, (), draft.rules.catalogue(state)[effect.value["use"]].rule))
                found[name] = replace(old, actions=(*old.actions, effect.value["use"]))
    wanted = [b for b in found.values() if to is None or b.who in to]
    if offers:
        wanted = [replace(b, actions=tuple(a for a in b.actions if a in offers)) for b in wanted]
    probe = _probe(draft)
    open_trigger(probe, by, "", tuple(wanted), segment)
    bids = []
    for bid in wanted:
        left = answers_left(draft.rules, probe.state, bid)
        if left:
            rule = bid.rule if left == found[bid.who].actions else draft.rules.catalogue(state)[left[0]].rule
            bids.append(replace(bid, actions=left, rule=rule))
    return tuple(bids)


def offers(rules: Ruleset, state: State) -> tuple[Offer, ...]:
    """Give what can be answered now: the offers of the window on top that are open, with what can be done of them."""
    window = state.window
    if window is None:
        return ()
    if window.question:
        choices, rule = window.choices, window.question
        return (Offer("GM", window.threat, window.about, choices=choices, must=True, rule=rule),)
    found = ((bid, answers_left(rules, state, bid)) for bid in window.bids if not bid.answered)
    return tuple(
        Offer(b.who, window.threat, window.about, actions, b.targets or window.by, (), b.must, b.rule)
        for b, actions in found
        if actions
    )
