"""Carrying an action out: paying for it, taking it through its stages, and letting others in between two of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from combatkit.core.faces import NO_FACES, Faces
from combatkit.core.model import Act, Bid, Deed, Fighter, State, Window, open_bids
from combatkit.rules import flow
from combatkit.rules.case import Case, Objection, Question, Stage
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.judge import Judgement, demands, hindrances, judge, unable
from combatkit.rules.moments import Answered, Declared
from combatkit.rules.params import said_trigger
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.several import DECLARED_AT
from combatkit.rules.weapons import ARMING, armed, said_spot, spent_by
from combatkit.rules.windows import (
    DECLARED,
    ask,
    ask_anew,
    asks_more,
    choices_left,
    entrants,
    is_stopped,
    is_void,
    suspend,
    waiting_case,
)
from combatkit.text import PLAIN, Said, Title, say

_DECLINES, _CLOSES = say("answer.declines"), say("window.closes")
_DECLINED = {"declined": True}
"""What an offer that is let go comes to; one object for all, since a log can hold very many."""


def perform(
    draft: Draft,
    case: Case,
    judged: Judgement,
    *,
    overruled: tuple[str, ...] = (),
    then: tuple[Deed, ...] | None = None,
    of: Act | None = None,
) -> None:
    """Declare an action, pay for it, and carry it on until somebody else may step in.

    Parameters
    ----------
    draft : Draft
        The call under way.
    case : Case
        Who does what, its parameters checked.
    judged : Judgement
        What it costs and rests on.
    overruled : tuple of str
        Rules the GM sets aside; empty for an action that is allowed.
    then : tuple of Deed, optional
        What comes after it as part of the same; None for an action of its own, which isn't part of another.
    of : Act, optional
        What it is part of.
    """
    if not ARMING.isdisjoint(case.fighter.stats):
        case = armed(case)
    action, name, targets = case.action, case.fighter.name, case.targets
    params, touches = dict(case.params), 0
    if then is None and action.when in ("own turn", "own turn or reaction"):
        touches = 2 if (judged.pay or overruled) and not judged.cost.light else 1
    aimed = targets if len(params) == 1 and "blows" not in action.facts else ()
    case = Case(draft.rules, draft.state, case.fighter, action, params)
    noted, come = draft.rules.noted(case), _advance(draft, case.fighter, action, judged.parts)
    if come:
        noted = {**noted, **come}
    used = spent_by(case, completed=noted.get("completed"))
    data = _price(judged.cost.id, (*judged.pay, *used), judged.cost.spent_rule, touches, aimed)
    if not aimed and params:
        data = {**data, "params": params}
    if overruled:
        data = {**data, "overruled": list(overruled)}
    if noted:
        data = {**data, **noted}
    cited = draft.rules.cited(case, judged.rule)
    text = draft.rules.said(case)
    if words := _words_of(case):
        said = "action.to" if "trigger" in case.params or "attack" in action.tags else "action.with"
        text = say(said, action=text, words=words)
    if overruled:
        text = say("action.overruled", action=text)
    by = "gm" if overruled else draft.by
    target = ", ".join(targets or noted.get("aims", ())) or None
    event = draft.emit("action", name, action.id, target, text=text, rules=cited, by=by, data=data)
    params = data.get("params", params)
    act = Act(event.seq, name, action.id, targets, params, 0, {}, {}, then=then or ())
    if judged.cost.times > 1:  # what it comes to, it comes to with the last part
        stages = draft.rules.mechanisms[action.does].stages
        act = replace(act, stage=0 if come["completed"] else len(stages), result={_PARTS: judged.parts})
    elif not come and noted.get("completed") and "progress" in noted and case.begun is not None:
        act = replace(act, result={COMPLETES: noted["progress"]})
    draft.rules.follows(draft, Declared(act, action))
    if began := _begun(
        draft, name, action, of, case.state.effects
    ):  # only now: what was there before may last until its end
        act = replace(act, began=began)
    if not _held_up(draft, act, action, text):
        carry(draft, act, action)


def _begun(draft: Draft, who: str, action: Action, of: Act | None, last: int) -> int:
    """Return the last of the conditions that end with an action, as its owner's next; a part has those of the whole."""
    if of is not None and of.began:
        return of.began
    return last if f"action:{who}" in draft.state.anchors and draft.rules.is_next(action) else 0


def _words_of(case: Case) -> Said | None:
    """Return what is told of an action besides: what somebody said they do or react to, and what it has come to."""
    rules, params, option = case.rules, case.params, case.params.get("option")
    if "trigger" in params and "reaction" in case.action.when and "action" not in params:
        return said_trigger(params["trigger"], rules, case.state)
    told: list[Said | Title] = []
    if option:
        facts = case.action.facts
        if option in facts.get("examples", ()):
            told = [Title(option)]
        elif facts.get("said") or rules.listed(case, "option") is None:
            kept = rules.carried(case)
            free = kept is None or rules.listed(kept, "option") is None  # what somebody said in their own words
            told = [say(PLAIN, text=str(option)) if free else Title(option)]
    if not any(rules.parameters.by_id[id].kind == "action" for id in params):  # which tells it itself
        strikes = "attack" in case.action.tags  # and says with what where it rolls
        named = [id for id in params if rules.parameters.by_id[id].told and not (strikes and id == "weapon")]
        told += [_named(rules, params[id]) for id in named]  # a word of the rules, in the language's own
    if "outcome" in params and (outcome := rules.told_outcome(case)):
        told.append(Title(outcome))
    # A manoeuvre that is the action itself has been told.
    return say("action.words", words=told) if told and told != [case.action.called] else None


def _named(rules: Ruleset, value: object) -> Title:
    """Return a word that somebody gave as a sentence has it: with a capital if it is a number on a sheet."""
    word = str(value).replace("_", " ")
    return Title(f"{word[:1].upper()}{word[1:]}" if value in rules.stats.ids() else word)


@lru_cache(maxsize=4096)
def _price(cost: str, pay: tuple[str, ...], rule: str, touches: int, targets: tuple[str, ...]) -> dict[str, Any]:
    """Say what an action cost, and who it is aimed at if nothing else is given with it.

    The same object whenever both are the same, so that a long log holds it once.
    """
    data: dict[str, object] = {"cost": cost}
    if pay:
        data["paid"] = {pool: pay.count(pool) for pool in pay}
        if rule:
            data["paid_rule"] = rule
    if touches:
        data["touches"] = touches
    if targets:
        data["params"] = {"target": list(targets)}
    return data


def carry(draft: Draft, act: Act, action: Action, *, doubtful: bool = False, interrupted: str = "") -> None:
    """Take an action through its remaining stages, stopping where somebody may step in.

    A stage that hands its action back (`again`) is gone through once more. If the action is `doubtful`, because
    something happened in between, each stage first asks whether the world still gives what it needs; `interrupted` is
    the rule by which it goes on after that.
    """
    stages = draft.rules.mechanisms[action.does].stages
    while act.stage < len(stages):
        stage = stages[act.stage]
        if doubtful and stage.needs is not None:
            left = _weigh_again(draft, act, action, stage, interrupted)
            if left is None:
                return
            act = left
        act = stage.run(draft, act)
        act = replace(act, stage=act.stage + 1, passed=stage.name)
        if draft.state.stage != "running":
            return
        on = act.stage < len(stages) or stage.moves
        if on and _held_up(draft, act, action):
            return
    finish(draft, act, action)


def _weigh_again(draft: Draft, act: Act, action: Action, stage: Stage, interrupted: str) -> Act | None:
    """Return an action with the targets it still has; stop it if the world no longer gives what its stage needs."""
    against, lost = hindrances(draft.rules, draft.state, act, action, stage)
    if lost and len(lost) == len(act.targets):
        nobody = not against and "attack" in action.tags and not stage.moves
        stop(draft, act, action, [*against, *next(iter(lost.values()))], nobody=nobody, interrupted=interrupted)
        return None
    if against:
        stop(draft, act, action, against, interrupted=interrupted)
        return None
    if not lost:
        return act
    for name, why in lost.items():
        stop(draft, act, action, why, name, interrupted=interrupted)
    left = tuple([name for name in act.targets if name not in lost])
    # what is said of each blow goes by all that were declared
    params = act.params if "blows" in action.facts else {**act.params, "target": list(left)}
    return replace(act, targets=left, params=params, result={DECLARED_AT: list(act.targets), **act.result})


def stop(
    draft: Draft,
    act: Act,
    action: Action,
    against: list[Objection],
    target: str | None = None,
    *,
    nobody: bool = False,
    interrupted: str = "",
) -> None:
    """Stop an action under way, or drop one of its targets, by the rules that are against it now.

    One that stands still stops because there is `nobody` left to do it to. By the rule `interrupted` it would have gone
    on, the usual one if none is named.
    """
    data: dict[str, object] = {"act": act.seq}
    rules = (*(o.rule for o in against), interrupted or draft.rules.cite.get("interrupted", ""))
    rules = rules if any(rules) else (action.rule,)
    why = against[0].reason.removesuffix(".")
    said = "target" if target is not None else "nobody" if nobody else "action"
    text = say(f"stopped.{said}", target=target, why=Title(why))
    gone = draft.state.fighters[act.who].effect("left") is not None
    if target is None and why.startswith(f"{act.who} " if gone else f"{act.who} is "):  # it says itself who it is
        text = say("stopped.itself", why=Title(why.removeprefix(f"{act.who} ")))
        data["itself"] = True
    draft.emit(
        "stopped", act.who, act.action, target, text=text, rules=tuple(dict.fromkeys(r for r in rules if r)), data=data
    )
    if target is None:
        _go_on(draft, act)


def again(act: Act) -> Act:
    """Hand an action back to be taken through the same stage once more: the next hex of a path."""
    return replace(act, stage=act.stage - 1)


def _held_up(draft: Draft, act: Act, action: Action, text: Said | None = None) -> bool:
    """Ask the GM or let others in where an action is now, as declared in a text; say whether it waits for them."""
    case = Case(draft.rules, draft.state, draft.state.fighters[act.who], action, act.params, act)
    waits = draft.rules.waits_for(case, act)
    if waits is None and not draft.state.watchers:
        return False
    left = bool(draft.faces.given) and bool(draft.faces.left())
    if isinstance(waits, Question):
        ask(draft, act, waits)
    else:
        act, bids, soft = entrants(draft, case, act, waits)
        if not bids:
            return False
        own = waits.about if waits is not None else None
        where = "" if act.passed == DECLARED else _where(draft, act, action)
        does = text or action.said(act.targets)
        told = say("window.action", who=act.who, action=does)
        if where:
            told = say("window.action", of="at", who=act.who, action=does, where=where)
        about = own or told
        suspend(draft, act, bids, about, where, soft=soft)
    if left:  # faces that don't fit what the waiting action will roll by itself: only now can they be put right
        rehearsed(draft).check_left(draft.faces.given)
    return True


def _where(draft: Draft, act: Act, action: Action) -> str:
    """Return where an action has just led; nothing if it hasn't."""
    moves = any(each.moves and each.name == act.passed for each in draft.rules.mechanisms[action.does].stages)
    return said_spot(draft.state.fighters[act.who].position) if moves else ""


def finish(draft: Draft, act: Act, action: Action) -> None:
    """Do what an action does outside its stages: end conditions, make progress."""
    if action.ends:
        draft.end_effects(act.who, *action.ends)
    come = _advance(draft, draft.state.fighters[act.who], action, act.result.get(_PARTS, 1))
    if come:
        tell_progress(draft, act.who, action, come["progress"], (action.rule,))
    _go_on(draft, act)


def _go_on(draft: Draft, act: Act) -> None:
    """Do what comes after an action as part of the same; else it is over, with what lasted until then."""
    if act.then:
        carry_on(draft, act, act.then)
    elif act.began:
        draft.pass_action(act)


def tell_progress(
    draft: Draft,
    who: str,
    action: Action,
    come: Sequence[int],
    rules: tuple[str, ...],
    under_way: str = "goes_on",
    used: Sequence[str] = (),
    through: str = "completes",
    targets: Sequence[str] = (),
) -> None:
    """Log how far an action of several turns or parts has come: what is done of it, of how much, what it has used.

    With `targets` it can be completed at no others.
    """
    done, total = come
    said = through if done == total else under_way
    text = say(f"progress.{said}", of=action.id, title=action.called, deed=action.to_do, done=done, total=total)
    data = {"done": done, "total": total, "progress": [done, total], "completed": done == total}
    if used:
        data["paid"] = dict.fromkeys(used, 1)
    if targets and done != total:
        data["targets"] = list(targets)
    draft.emit("progress", who, action.id, amount=done, text=text, rules=rules, data=data)


def carry_on(draft: Draft, act: Act, deeds: tuple[Deed, ...]) -> None:
    """Carry out what belongs to the same action, one thing after the other, leaving out what is no longer possible."""
    rules, fighter = draft.rules, draft.state.fighters[act.who]
    first, rest = deeds[0], deeds[1:]
    action = draft.actions[first.action]
    case = Case(rules, draft.state, fighter, action, first.params)
    against = demands(case) if rules.able_to(fighter, action) else [unable(rules, fighter)]
    if against:
        began = _begun(draft, act.who, action, act, draft.state.effects)
        part = Act(draft.seq, act.who, action.id, (), first.params, 0, {}, {}, then=rest, began=began)
        stop(draft, part, action, against)
        return
    judged = judge(case)
    judged = replace(judged, pay=first.pay, rule=first.rule or judged.rule)
    perform(draft, case, judged, then=rest, of=act)


_PARTS = "parts"
"""How many parts of an action were paid at once, in its result."""
COMPLETES = "completes"
"""How far an action has come with what is paid for it now, in its result, if that completes what was begun before."""


def _advance(draft: Draft, fighter: Fighter, action: Action, parts: int) -> dict[str, Any]:
    """Say how far an action of several turns or parts has come with what is done now; nothing for any other."""
    total = action.turns or draft.rules.several.get(action.cost, 0)
    if not total:
        return {}
    progress = fighter.progress.get(action.id)
    done = (progress.done if progress else 0) + parts
    return {"progress": [done, total], "completed": done == total}


# ── windows
# ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def rehearsed(draft: Draft) -> Faces:
    """Return what dice are thrown for if the top window is closed now, which is only tried out."""
    window = draft.state.window
    assert window is not None
    trial = Draft(draft.rules, draft.state, draft.seq, draft.faces.rehearsal())
    close_window(trial, answer=window.choices[-1] if window.question else None, by="gm")
    return trial.faces


def close_window(draft: Draft, *, answer: object = None, by: str = "rules") -> None:
    """Close the top window: anyone who hasn't answered declines; the action that waited goes on if its owner can."""
    state, rules = draft.state, draft.rules
    window = state.top
    assert type(window) is Window
    below = state.focus[-2] if len(state.focus) > 1 else None
    quiet = type(below) is Act and draft.seq == below.seq + 2 and not window.question  # no event since it was declared
    known: dict[object, tuple[str, ...]] = {}  # many are offered the same
    for who, let in open_bids(window.bids).items():
        offered = tuple([(bid.rule, bid.actions) for bid in let])
        if offered not in known:
            known[offered] = _declining(rules, state, let)
        draft.emit("answer", who, text=_DECLINES, rules=known[offered], by=by, data=_DECLINED, passing=True)
    moot = bool(window.question) and by != "gm"
    text = say("window.moot") if moot else _said_answer(state, window, answer) if window.question else _CLOSES
    if window.bids and all(bid.must for bid in window.bids):
        text = say("window.closes", of="must")
    cited = (window.question,) if window.question else rules.cites(state, "window_end")
    end = draft.emit("window_end", text=text, rules=cited, by=by, data={"window": window.seq, "answer": answer})
    if not moot:
        draft.rules.follows(draft, Answered(window, answer))
    if type(below) is Act:
        interrupted = window.question if window.key == _FALLS else _goes_on_by(rules, state, window)
        if window.question and not moot:
            below = replace(below, result={**below.result, window.key: answer})
        if window.bids and _is_unfinished(draft, below) and _may_have_fallen(draft, below.who):
            _ask_whether_on(draft, below, interrupted)
        else:
            doubtful = not quiet or draft.seq > end.seq + 1
            asked = bool(window.question) and window.key != _FALLS
            resume(draft, below, asked=asked, doubtful=doubtful, interrupted=interrupted)
    settle(draft)


def _goes_on_by(rules: Ruleset, state: State, window: Window) -> str:
    """Return the rule by which what a window held up goes on, by what was used in it last, or else offered."""
    ids = [window.used[-1][1]] if window.used else [id for bid in window.bids for id in bid.actions]
    found = (rule for id in ids for rule in rules.cites(state, f"interrupted:{id}"))
    return next(found, rules.cite.get("interrupted", ""))


def _said_answer(state: State, window: Window, answer: object) -> Said:
    """Return how the GM's answer to a question is told: of several that could be named, which, or that it is none."""
    given, words = [str(each) for each in (answer if isinstance(answer, list) else [answer])], own_words(window)
    named = [each for each in given if each not in words or each == EVERYBODY]
    which = "all" if not words.isdisjoint(named) else "some" if named else "none"
    kind = f"{window.key}_{which}" if window.many else str(answer)
    told = [each if each in state.fighters else Title(each.replace("_", " ")) for each in given]
    return say("window.answered", of=kind, answer=told, number=len(named), who=window.by[0] if window.by else "")


def _declining(rules: Ruleset, state: State, let: Iterable[Bid]) -> tuple[str, ...]:
    """Return the rules of offers that are let go, and the rules about letting them go."""
    found = [bid.rule for bid in let if bid.rule]
    for id in (id for bid in let for id in bid.actions):
        found.extend(rules.cites(state, f"declined:{id}"))
    return tuple(dict.fromkeys(found))


def _is_unfinished(draft: Draft, act: Act) -> bool:
    """Check whether a waiting action has anything left to do, unlike one only looked at as it ended."""
    action = draft.actions[act.action]
    return act.passed == DECLARED or act.stage < len(draft.rules.mechanisms[action.does].stages)


_FALLS, _ON = "falls", "goes on"
"""What the GM may say about somebody struck down in the middle of an action."""

EVERYBODY = "everybody"
"""What the GM may answer instead of naming each, to a question that several can be the answer to."""
_WORDS = frozenset(("nothing", "nobody", EVERYBODY))
"""What they may answer instead of naming any, or each."""


def own_words(window: Window) -> frozenset[str]:
    """Return what goes with no other answer: the words a question puts after those it is about, but nobody's name."""
    return _WORDS.intersection(window.choices[len(window.on) :])


def _may_have_fallen(draft: Draft, who: str) -> bool:
    """Check whether somebody struck in this call has nothing left, where the system doesn't say what that means."""
    fighter = draft.state.fighters[who]
    if not draft.rules.may_fall(draft.state, fighter) or not draft.rules.able(fighter):
        return False
    return any(event.kind == "damage" and event.target == who for event in draft.events)


def _ask_whether_on(draft: Draft, act: Act, interrupted: str) -> None:
    """Ask the GM whether somebody with nothing left goes on: only the table knows who falls."""
    action = draft.actions[act.action]
    vital = draft.rules.vitals[0]
    left = draft.state.fighters[act.who].vitals[vital.name]
    named = Title((vital.title or vital.name).lower())
    text = say("question.falls", who=act.who, left=left, vital=named, title=action.called)
    draft.faces = draft.faces.take_up(act.faces)
    ask(draft, act, Question(_FALLS, text, (_ON, _FALLS), interrupted or action.rule))


def settle(draft: Draft) -> None:
    """Stop asking those who can no longer answer, and close every window with nobody or nothing left to ask."""
    while (window := draft.state.window) is not None and (window.bids or window.choices):
        if draft.seq == window.seq + 1:  # in a window opened by the last event nothing can have changed
            return
        if window.question:
            if _still_asks(draft, window):
                return
            close_window(draft)
            continue
        ask_anew(draft)
        window = draft.state.window
        if window is None or open_bids(window.bids):
            return
        draft.faces.drop_idle()
        close_window(draft)


def _still_asks(draft: Draft, window: Window) -> bool:
    """Check whether the GM's question still has its ground: the action that waits for the answer would ask it now."""
    state, rules = draft.state, draft.rules
    act = state.focus[-2] if len(state.focus) > 1 else None
    if not choices_left(state, window):
        return False
    if type(act) is not Act:
        return rules.stands(state, window)
    case = waiting_case(rules, state, act)
    if is_void(rules, state, act) or is_stopped(rules, state, act):
        return False
    if window.key == _FALLS:
        return rules.may_fall(state, case.fighter)
    asks = rules.waits_for(case, act)
    if not isinstance(asks, Question) or asks.key != window.key:
        return False
    if asks.choices != window.choices:
        asks_more(draft, replace(window, choices=asks.choices), (), (asks.rule,))
    return True


def proceed(draft: Draft) -> None:
    """Go on with whatever is due after a call: windows that are done, then whoever comes next."""
    if draft.rules.holding:
        _let_go(draft)
    focus = draft.state.focus
    if focus and type(focus[-1]) is Window:
        settle(draft)
    flow.run(draft)


def _let_go(draft: Draft) -> None:
    """End what holds somebody whose holder can't hold on: they have fallen, gone, or aren't beside them any more.

    It ends as well once who is held has gone; and what leaves somebody open to one alone, as that one goes or dies.
    """
    rules, state = draft.rules, draft.state
    for fighter in tuple(state.fighters.values()):
        for effect in fighter.effects:
            other = state.fighters.get(effect.value) if isinstance(effect.value, str) else None
            if other is None:
                continue
            over = effect.id in rules.open_to_one and rules.is_gone(other)
            if effect.id in rules.holding:
                apart = rules.distance(state, other, fighter)
                over = not rules.able(other) or (apart is not None and apart.steps > 1) or rules.is_gone(fighter)
            if over:
                draft.end_effect(fighter.name, effect, rule=effect.rule)


def resume(draft: Draft, act: Act, *, asked: bool, doubtful: bool, interrupted: str) -> None:
    """Resume a waiting action at its next stage; after an answer, others may still step in before that.

    It is `doubtful` if anything but answers that decline has happened since it was declared; `interrupted` is the rule
    by which it goes on.
    """
    action = draft.actions[act.action]
    fighter = draft.state.fighters[act.who]
    if not draft.rules.able_to(fighter, action) and _is_unfinished(draft, act):
        stop(draft, act, action, [unable(draft.rules, fighter)], interrupted=interrupted)
        return
    if act.result.get(_FALLS) == _FALLS:
        stop(draft, act, action, [Objection(f"{act.who} falls.", interrupted)], interrupted=interrupted)
        return
    if act.faces or draft.faces is not NO_FACES:
        draft.faces = draft.faces.take_up(act.faces)
        act = replace(act, faces={})
    if not asked or is_void(draft.rules, draft.state, act) or not _held_up(draft, act, action):
        carry(draft, act, action, doubtful=doubtful, interrupted=interrupted)
        draft.faces.forget()


def let_pass(draft: Draft) -> None:
    """Let soft windows go: any other call carries on, so that a readied action never gets in the table's way.

    What waited under one may have ended the turn; then the next begins.
    """
    while (window := draft.state.window) is not None and window.soft:
        close_window(draft)
