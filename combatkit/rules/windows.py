"""Windows: who may enter where an action stands, what the GM is asked, and what is offered to whom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from combatkit.core.looks import Offer
from combatkit.core.model import Act, Bid, State, Window
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.judge import judge, values_of, with_target
from combatkit.rules.parts import Question
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.triggers import fits, is_by
from combatkit.text import Said, say

DECLARED = "declared"
"""The stage every action begins with."""


def entrants(draft: Draft, act: Act, stage: str, action: Action) -> tuple[Act, tuple[Bid, ...], bool]:
    """Return an action with who may enter after a stage, and whether only text triggers let them in.

    The action notes who has been asked: what was readied for it, and could be done, is offered once.
    """
    state = draft.state
    found = draft.rules.entrants(state, act, stage)
    if not found and not state.watchers:
        return act, (), True
    if found and not draft.rules.able(state.fighters[act.who]):  # by the GM's word, which no system reckons with
        probe = _probe(draft)
        suspend(probe, act, found, say("window.probe"), soft=False)
        found = _still_open(probe, found)
    soft = draft.rules.lets_pass(state, act, stage)
    if not state.watchers:
        return act, found, soft
    bids = list(found)
    soft = soft or not bids
    watching = list(watchers_of(draft, act, action, stage))
    if watching:
        probe, asked = _probe(draft), list(act.result.get("asked", ()))
        suspend(probe, act, tuple(bid for bid, _, _ in watching), say("window.probe"), soft=False)
        for bid, hard, effect in watching:
            whole = _can_answer(draft.rules, probe.state, bid.who, bid.actions[0], whole=True)
            last = stage == DECLARED or act.stage >= len(draft.rules.mechanisms[action.does].stages)
            if whole or ((last or not hard) and can_answer(draft.rules, probe.state, bid)):
                bids.append(bid)
                soft = soft and not hard
                if hard and whole:
                    asked.append(effect)
        if asked:
            act = replace(act, result={**act.result, "asked": asked})
    return act, tuple(bids), soft


def watchers_of(draft: Draft, act: Act, action: Action, stage: str) -> Iterable[tuple[Bid, bool, int]]:
    """Yield those whose readied or held action fits: a mapping what was declared, and hard; text anything not free.

    Once an action is under way, words can still come true after some stages. What a mapping was readied for may become
    possible as somebody moves: so after every stage that leads somewhere, the last too. Each comes with the number of
    the effect that keeps it.
    """
    state, rules = draft.state, draft.rules
    free = rules.price(Case(rules, state, state.fighters[act.who], action))[0].pay == ((),)
    stages = rules.mechanisms[action.does].stages
    moved = "to" in act.params and any(each.moves and each.name == stage for each in stages)
    words = not free and (stage == DECLARED or (stage in rules.watched and (moved or act.stage < len(stages))))
    for name in state.watchers:
        if name == act.who or not rules.able(state.fighters[name]):
            continue
        for effect in state.fighters[name].effects:
            if not effect.watches or effect.number in act.result.get("asked", ()):
                continue
            trigger = effect.value["trigger"]
            hard = not isinstance(trigger, str) and any(part != "text" for part in trigger)
            if ((stage == DECLARED or moved) and fits(state, trigger, act, action)) if hard else words:
                use = effect.value["use"]
                yield Bid(name, (use,), rules.catalogue(state)[use].rule), hard, effect.number


def _probe(draft: Draft) -> Draft:
    """Return a draft of its own, to see what could be done in a window before it is opened."""
    return Draft(draft.rules, draft.state, draft.seq)


def _still_open(probe: Draft, bids: tuple[Bid, ...]) -> tuple[Bid, ...]:
    """Return offers with what could be done of them in a window that has been opened to see."""
    left = ((bid, answers_left(probe.rules, probe.state, bid)) for bid in bids)
    return tuple(replace(bid, actions=actions) for bid, actions in left if actions)


def answers_left(rules: Ruleset, state: State, bid: Bid) -> tuple[str, ...]:
    """Return those of an offer's actions that could be done now, in the window on top."""
    return tuple([id for id in bid.actions if _can_answer(rules, state, bid.who, id)])


def can_answer(rules: Ruleset, state: State, bid: Bid) -> bool:
    """Check whether any of an offer's actions could be done now; the first that can be is enough."""
    return any(_can_answer(rules, state, bid.who, id) for id in bid.actions)


def _can_answer(rules: Ruleset, state: State, who: str, id: str, *, whole: bool = False) -> bool:
    """Check whether an offered action could be done now; a `whole` one without anything more said."""
    action, fighter = rules.catalogue(state)[id], state.fighters[who]
    judged = judge(with_target(Case(rules, state, fighter, action)))
    if not judged.objections:
        return not (whole and judged.missing)
    if any(rules.bars(Case(rules, state, fighter, action))):  # whatever it is paid from
        return False
    ways = values_of(Case(rules, state, fighter, action), "pay") if "pay" in action.takes else None
    return any(not judge(Case(rules, state, fighter, action, {"pay": way})).objections for way in ways or ())


def suspend(draft: Draft, act: Act, bids: tuple[Bid, ...], about: Said, *, soft: bool) -> None:
    """Let an action wait under a window."""
    waiting = replace(act, faces=draft.faces.keep())
    data = {
        "about": draft.rules.english.render(about),
        "by": [act.who],
        "threat": act.seq,
        "bids": to_builtins(list(bids)),
        "soft": soft,
        "act": to_builtins(waiting),
    }
    cited = tuple(dict.fromkeys([b.rule for b in bids if b.rule]))
    draft.emit(
        "window", act.who, act.action, text=say("window.interrupts", asked=said_asked(bids)), rules=cited, data=data
    )


def said_asked(bids: Iterable[Bid]) -> Said:
    """Return what is said of who may react, and who must answer."""
    must = list(dict.fromkeys([bid.who for bid in bids if bid.must]))
    may = [name for name in dict.fromkeys([bid.who for bid in bids]) if name not in must]
    return say("asked.both" if must and may else "asked.must" if must else "asked.may", must=must, may=may)


def ask(draft: Draft, act: Act | None, question: Question, *by: str) -> None:
    """Ask the GM; an action that asks waits for the answer, else `by` says whom it is about."""
    data: dict[str, Any] = {
        "about": draft.rules.english.render(question.text),
        "by": [act.who] if act is not None else list(by),
        "threat": act.seq if act is not None else draft.seq,
        "choices": list(question.choices),
        "question": question.rule,
        "key": question.key,
        "many": question.many,
    }
    if act is None:
        who, action = None, None
    else:
        data["act"] = to_builtins(replace(act, faces=draft.faces.keep()))
        who, action = act.who, act.action
    draft.emit("window", who, action, text=question.text, rules=(question.rule,), data=data)


def open_trigger(
    draft: Draft,
    by: tuple[str, ...],
    about: Said,
    bids: tuple[Bid, ...],
    segment: int | None = None,
    *,
    soft: bool = False,
    cited: tuple[str, ...] = (),
) -> None:
    """Open a window on something that happened and that no declared action shows; a soft one is let pass.

    It rests on the rules of its offers, and on those `cited` besides.
    """
    data: dict[str, Any] = {"about": draft.rules.english.render(about), "by": list(by), "threat": draft.seq}
    data["bids"] = [to_builtins(b) for b in bids]
    if segment is not None:
        data["segment"] = segment
    if soft:
        data["soft"] = True
    cited = tuple(dict.fromkeys((*(b.rule for b in bids if b.rule), *cited)))
    draft.emit(
        "window",
        by[0] if by else None,
        text=say("window.opens", about=about, asked=said_asked(bids)),
        rules=cited,
        data=data,
    )


def join(draft: Draft, window: Window, who: str, about: Said, bid: Bid, cited: tuple[str, ...] = ()) -> None:
    """Ask somebody in the window on top, beside those who are asked there already, in the order of the ladder."""
    ladder = {place.who: index for index, place in reversed(list(enumerate(draft.state.agenda)))}
    bids = sorted((*window.bids, bid), key=lambda each: ladder.get(each.who, len(ladder)))
    data = {
        "joins": window.seq,
        "about": f"{window.about}; {draft.rules.english.render(about)}",
        "by": [*window.by, who],
        "threat": window.threat,
        "bids": [to_builtins(each) for each in bids],
    }
    cited = tuple(filter(None, (bid.rule, *cited)))
    text = say("window.opens", about=about, asked=said_asked([bid]))
    draft.emit("window", who, text=text, rules=cited, data=data)


def reopen(draft: Draft, windows: Iterable[Window]) -> None:
    """Ask anew what was still to be answered in windows that something else has closed, and still can be."""
    for window in windows:
        asked = tuple(bid for bid in window.bids if not bid.answered)
        probe = _probe(draft)
        _ask_anew(probe, window, asked)
        asked = _still_open(probe, asked)
        if asked or window.question:
            _ask_anew(draft, window, asked)


def _ask_anew(draft: Draft, window: Window, asked: tuple[Bid, ...]) -> None:
    rule = window.question or (window.bids[0].rule if window.bids else "")
    text = say("window.again", about=window.about, asked=said_asked(asked) if asked else say("asked.still"))
    data = {**to_builtins(window), "bids": [to_builtins(bid) for bid in asked]}
    draft.emit("window", window.by[0] if window.by else None, text=text, rules=(rule,) if rule else (), data=data)


def trigger_bids(
    draft: Draft, by: tuple[str, ...], to: tuple[str, ...] | None, offers: tuple[str, ...], segment: int | None = None
) -> tuple[Bid, ...]:
    """Return who may answer something that happened: reactions of the catalogue, and what was readied or is held."""
    state = draft.state
    found: dict[str, Bid] = {}
    for bid in draft.rules.reactions(state, by):
        found[bid.who] = bid
    for name in state.watchers:
        for effect in state.fighters[name].effects:
            if (
                effect.watches
                and name not in by
                and (not by or any(is_by(state, effect.value["trigger"], b) for b in by))
            ):
                old = found.get(name, Bid(name, (), draft.rules.catalogue(state)[effect.value["use"]].rule))
                found[name] = replace(old, actions=(*old.actions, effect.value["use"]))
    wanted = [b for b in found.values() if to is None or b.who in to]
    if offers:
        wanted = [replace(b, actions=tuple(a for a in b.actions if a in offers)) for b in wanted]
    probe = _probe(draft)
    open_trigger(probe, by, say("window.probe"), tuple(wanted), segment)
    bids = []
    for bid in wanted:
        left = answers_left(draft.rules, probe.state, bid)
        if left:
            rule = bid.rule if left == found[bid.who].actions else draft.rules.catalogue(state)[left[0]].rule
            bids.append(replace(bid, actions=left, rule=rule))
    return tuple(bids)


def choices_left(state: State, window: Window) -> tuple[Any, ...]:
    """Return what the GM may answer: what the question names, but those who have left since."""
    gone = [name for name, fighter in state.fighters.items() if fighter.effect("left")]
    return tuple([each for each in window.choices if each not in gone])


def offers(rules: Ruleset, state: State, *, fresh: bool) -> tuple[Offer, ...]:
    """Return what can be answered now: the offers of the window on top that are open, with what can be done of them.

    What a window offers can be done as it opens: a `fresh` one, opened as the last thing of a call, is not judged anew.
    """
    window = state.window
    if window is None:
        return ()
    if window.question:
        choices, rule = choices_left(state, window), window.question
        return (Offer("GM", window.threat, window.about, choices=choices, must=True, rule=rule),)
    found = []
    for bid in window.bids:
        if not bid.answered and (actions := bid.actions if fresh else answers_left(rules, state, bid)):
            aimed = bid.targets or window.by
            found.append(Offer(bid.who, window.threat, window.about, actions, aimed, (), bid.must, bid.rule))
    return tuple(found)
