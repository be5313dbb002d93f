"""Windows: who may step in at an action's stage, what the GM is asked, and what is offered to whom."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from msgspec import to_builtins
from msgspec.structs import replace

from combatkit.core.looks import Offer
from combatkit.core.lookup import Lookup, open_bids
from combatkit.core.model import Act, Bid, State, Window
from combatkit.rules.case import Case, Entry, Question
from combatkit.rules.draft import Draft
from combatkit.rules.judge import Judgement, judge, with_target
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.triggers import fits, is_by
from combatkit.text import Said, say

DECLARED = "declared"
"""The stage every action begins with."""


def entrants(draft: Draft, case: Case, act: Act, entry: Entry | None) -> tuple[Act, tuple[Bid, ...], bool]:
    """Return an action with those who may step in at this stage, and whether nobody waits for them.

    These are those the ruleset lets in, and anybody with a trigger that fits. The action notes who has been asked: what
    was readied for it, and could be done, is offered once.
    """
    state, found, soft = draft.state, entry.bids if entry is not None else (), entry is None or entry.soft
    if found and not draft.rules.able(case.fighter):  # by the GM's word, which no system reckons with
        probe = _probe(draft)
        suspend(probe, act, found, say("window.probe"), soft=False)
        found = _still_open(probe, found)
    if not state.watchers:
        return act, found, soft
    bids = list(found)
    soft = soft or not bids
    watching = list(watchers_of(case, act))
    if watching:
        probe, asked = _probe(draft), list(act.result.get("asked", ()))
        suspend(probe, act, tuple(bid for bid, _, _ in watching), say("window.probe"), soft=False)
        for bid, hard, effect in watching:
            whole = _can_answer(draft.rules, probe.state, bid.who, bid.actions[0], whole=True)
            last = act.passed == DECLARED or act.stage >= len(draft.rules.mechanisms[case.action.does].stages)
            if whole or ((last or not hard) and can_answer(draft.rules, probe.state, bid)):
                bids.append(bid)
                soft = soft and not hard
                if hard and whole:
                    asked.append(effect)
        if asked:
            act = replace(act, result={**act.result, "asked": asked})
    return act, tuple(bids), soft


def watchers_of(case: Case, act: Act) -> Iterable[tuple[Bid, bool, int]]:
    """Yield those whose readied or held action fits.

    A mapping fits what was declared, and play waits for it; text fits anything that isn't free.

    Once an action is under way, words can still come true after some stages. What a mapping waits for may become
    possible as somebody moves, so it is checked after every stage that leads somewhere, including the last. Each comes
    with the number of the effect that keeps it.
    """
    state, rules, action, stage = case.state, case.rules, case.action, act.passed
    free = not action.counts or rules.price(case.given({}))[0].pay == ((),)
    stages = rules.mechanisms[action.does].stages
    moved = "to" in act.params and any(each.moves and each.name == stage for each in stages)
    words = (
        action.counts
        and not free
        and (stage == DECLARED or (stage in rules.watched and (moved or act.stage < len(stages))))
    )
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
    """Return a separate draft, to see what could be done in a window before it opens."""
    return Draft(draft.rules, draft.state, draft.seq)


def _still_open(probe: Draft, bids: tuple[Bid, ...]) -> tuple[Bid, ...]:
    """Return offers reduced to what could be done, in a window opened on trial."""
    left = ((bid, answers_left(probe.rules, probe.state, bid)) for bid in bids)
    return tuple(replace(bid, actions=actions) for bid, actions in left if actions)


def answers_left(rules: Ruleset, state: State, bid: Bid) -> tuple[str, ...]:
    """Return the actions of an offer that could be done now, in the top window."""
    return tuple([id for id in bid.actions if _can_answer(rules, state, bid.who, id)])


def can_answer(rules: Ruleset, state: State, bid: Bid) -> bool:
    """Check whether any of an offer's actions could be done now; one is enough."""
    return any(_can_answer(rules, state, bid.who, id) for id in bid.actions)


def _can_answer(rules: Ruleset, state: State, who: str, id: str, *, whole: bool = False) -> bool:
    """Check whether an offered action could be done now; a `whole` one needs nothing more."""
    known = _weighed(state)
    judged = known.get((who, id))
    if judged is None:
        case = Case(rules, state, state.fighters[who], rules.catalogue(state)[id])
        judged = known[who, id] = judge(with_target(case))
    return not judged.objections and not (whole and judged.missing)


_weighed: Lookup[State, dict[tuple[str, str], Judgement]] = Lookup(lambda _: {})
"""What offered actions were found to be, by who and what; asked again of the same state, none is judged again."""


def suspend(draft: Draft, act: Act, bids: tuple[Bid, ...], about: Said, *, soft: bool) -> None:
    """Let an action wait under a window."""
    waiting = replace(act, faces=draft.faces.keep())
    data = {
        "about": draft.rules.english.render(about),
        "by": [act.who],
        "threat": act.seq,
        "bids": _plain(bids),
        "soft": soft,
        "act": to_builtins(waiting),
    }
    cited = tuple(dict.fromkeys([b.rule for b in bids if b.rule]))
    draft.emit(
        "window", act.who, act.action, text=say("window.interrupts", asked=said_asked(bids)), rules=cited, data=data
    )


@lru_cache(maxsize=1024)
def _plain(bids: tuple[Bid, ...]) -> list[object]:
    """Return offers as an event holds them: alike time and again, so that a long log holds them once."""
    plain: list[object] = to_builtins(list(bids))
    return plain


def said_asked(bids: Iterable[Bid]) -> Said:
    """Return what is said of who may react, and who must answer."""
    must = tuple(dict.fromkeys([bid.who for bid in bids if bid.must]))
    may = tuple([name for name in dict.fromkeys([bid.who for bid in bids]) if name not in must])
    return say("asked.both" if must and may else "asked.must" if must else "asked.may", must=must, may=may)


def ask(draft: Draft, act: Act | None, question: Question, *by: str) -> None:
    """Ask the GM; an action that asks waits for the answer, else `by` says who it is about.

    Before a fight and after it nobody is asked: no answer could be given.
    """
    if draft.state.stage != "running":
        return
    data: dict[str, object] = {
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


class Happening(NamedTuple):
    """Something that happened that no declared action shows: who did it, and what it is.

    A window on it rests on the rules of its offers and on any `cited`; a soft one is let go.
    """

    by: tuple[str, ...]
    about: Said
    segment: int | None = None
    soft: bool = False
    cited: tuple[str, ...] = ()


def open_trigger(draft: Draft, happening: Happening, bids: tuple[Bid, ...]) -> None:
    """Open a window on something that happened; before a fight and after it there is none, as nobody could answer."""
    if draft.state.stage != "running":
        return
    by, about, segment, soft, cited = happening
    data: dict[str, object] = {"about": draft.rules.english.render(about), "by": list(by), "threat": draft.seq}
    data["bids"] = _plain(bids)
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


def join(draft: Draft, window: Window, happening: Happening, bid: Bid) -> None:
    """Ask somebody in the top window, besides those already asked there, in ladder order."""
    who, about = bid.who, happening.about
    ladder = {place.who: index for index, place in reversed(list(enumerate(draft.state.agenda)))}
    bids = tuple(sorted((*window.bids, bid), key=lambda each: ladder.get(each.who, len(ladder))))
    data = {
        "joins": window.seq,
        "about": f"{window.about}; {draft.rules.english.render(about)}",
        "by": [*window.by, who],
        "threat": window.threat,
        "bids": _plain(bids),
    }
    cited = tuple(filter(None, (bid.rule, *happening.cited)))
    text = say("window.opens", about=about, asked=said_asked([bid]))
    draft.emit("window", who, text=text, rules=cited, data=data)


def reopen(draft: Draft, windows: Iterable[Window]) -> None:
    """Ask again what was still unanswered in windows that something else closed, if it still can be answered."""
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
    data = {**to_builtins(window), "bids": _plain(asked)}
    draft.emit("window", window.by[0] if window.by else None, text=text, rules=(rule,) if rule else (), data=data)


def trigger_bids(
    draft: Draft, by: tuple[str, ...], to: tuple[str, ...] | None, offers: tuple[str, ...], segment: int | None = None
) -> tuple[Bid, ...]:
    """Return who may answer something that happened: with reactions from the catalogue, or what is readied or held."""
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
                old = found.get(name, Bid(name, (), draft.actions[effect.value["use"]].rule))
                found[name] = replace(old, actions=(*old.actions, effect.value["use"]))
    wanted = [b for b in found.values() if to is None or b.who in to]
    if offers:
        wanted = [replace(b, actions=tuple(a for a in b.actions if a in offers)) for b in wanted]
    probe = _probe(draft)
    open_trigger(probe, Happening(by, say("window.probe"), segment), tuple(wanted))
    bids = []
    for bid in wanted:
        left = answers_left(draft.rules, probe.state, bid)
        if left:
            rule = bid.rule if left == found[bid.who].actions else draft.actions[left[0]].rule
            bids.append(replace(bid, actions=left, rule=rule))
    return tuple(bids)


def choices_left(state: State, window: Window) -> tuple[object, ...]:
    """Return what the GM may answer: what the question names, except those who have since left."""
    gone = [name for name, fighter in state.fighters.items() if fighter.effect("left")]
    return tuple([each for each in window.choices if each not in gone])


def offers(rules: Ruleset, state: State, *, fresh: bool, who: str | None = None) -> tuple[Offer, ...]:
    """Return what can be answered now, by one or by all: the open offers of the top window, as far as they can be done.

    Whatever a window offers can be done as it opens, so a `fresh` one, opened last in a call, is not judged again.
    """
    window = state.window
    if window is None:
        return ()
    if window.question:
        choices, rule = choices_left(state, window), window.question
        return (Offer("GM", window.threat, window.about, choices=choices, must=True, rule=rule),)
    found = []
    for bid in window.bids if who is None else open_bids(window.bids).get(who, ()):
        if not bid.answered and (actions := bid.actions if fresh else answers_left(rules, state, bid)):
            aimed = bid.targets or window.by
            found.append(Offer(bid.who, window.threat, window.about, actions, aimed, (), bid.must, bid.rule))
    return tuple(found)
