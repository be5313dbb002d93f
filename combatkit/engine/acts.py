"""Carrying an action out: paying for it, taking it through its stages, and letting others enter between two of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from combatkit.engine import flow
from combatkit.engine.catalogue import Action, Catalogue
from combatkit.engine.draft import NO_FACES, Draft, Faces
from combatkit.engine.model import Act, Bid, Fighter, State, Window
from combatkit.engine.params import as_names, trigger_text
from combatkit.engine.ruleset import Question
from combatkit.engine.rulings import Judgement, judge

DECLARED = "declared"
"""The stage every action begins with."""

_DECLINED = {"declined": True}
"""What an offer let pass comes to; one for all, as a log can hold very many."""


def perform(
    draft: Draft,
    fighter: Fighter,
    action: Action,
    params: dict[str, Any],
    judged: Judgement,
    *,
    overruled: tuple[str, ...] = (),
    prepaid: bool = False,
) -> None:
    """Declare an action, pay for it, and carry it as far as nobody else may enter.

    Parameters
    ----------
    draft : Draft
        The call under way.
    fighter : Fighter
        Who acts.
    action : Action
        What is done.
    params : dict
        Its parameters, checked.
    judged : Judgement
        What it costs and rests on.
    overruled : tuple of str
        Rules the GM sets aside; empty for an action that is allowed.
    prepaid : bool
        Whether its cost was paid before: an action that was readied or held.
    """
    name = fighter.name
    targets = as_names(params["target"]) if "target" in params else ()
    touches = 0
    if not prepaid and action.when in ("own turn", "own turn or reaction"):
        touches = 2 if (judged.pay or overruled) and not judged.cost.light else 1
    aimed = targets if len(params) == 1 else ()
    data = _price(judged.cost.id, () if prepaid else judged.pay, judged.cost.spent_rule, touches, aimed)
    if aimed:
        params = data["params"]
    elif params:
        data = {**data, "params": params}
    if overruled:
        data = {**data, "overruled": list(overruled)}
    noted = draft.rules.noted(draft.state, fighter, action, params)
    if noted:
        data = {**data, **noted}
    if action.turns:
        data = {**data, **_advance(fighter, action)}
    cited = draft.rules.cited(action, judged.rule, params)
    text = _words(action, targets)
    if overruled:
        text += ", by the GM's word"
    by = "gm" if overruled else draft.by
    target = ", ".join(targets) or None
    event = draft.emit("action", name, action.id, target, text=text, rules=cited, by=by, data=data)
    if draft.state.anchors:
        draft.pass_anchor(f"action:{name}")
    act = Act(event.seq, name, action.id, targets, params, 0, {}, {})
    draft.rules.declared(draft, act, action)
    if not _held_up(draft, act, action, f"{name} {text}"):
        carry(draft, act, action)


@lru_cache(maxsize=4096)
def _price(cost: str, pay: tuple[str, ...], rule: str, touches: int, targets: tuple[str, ...]) -> dict[str, Any]:
    """Say what an action cost, and whom it is aimed at where no more is given with it.

    Alike for all that cost and aim alike, so that a long log holds it once.
    """
    data: dict[str, Any] = {"cost": cost}
    if pay:
        data["paid"] = {pool: pay.count(pool) for pool in pay}
        if rule:
            data["paid_rule"] = rule
    if touches:
        data["touches"] = touches
    if targets:
        data["params"] = {"target": list(targets)}
    return data


def _words(action: Action, targets: tuple[str, ...]) -> str:
    """Say what is done, and to whom, unless what is used up here says so itself as it is carried out."""
    verb = action.verb or action.title.lower()
    if not targets or action.does == "use":
        return verb
    return " ".join([verb, *filter(None, [action.on]), ", ".join(targets)])


def carry(draft: Draft, act: Act, action: Action) -> None:
    """Take an action through its remaining stages, stopping where somebody may enter.

    A stage that gives its action back with the stage before (`again`) is gone through once more.
    """
    stages = draft.rules.mechanisms[action.does].stages
    while act.stage < len(stages):
        stage, function = stages[act.stage]
        act = function(draft, act)
        act = replace(act, stage=act.stage + 1, passed=stage)
        if draft.state.stage != "running":
            return
        if act.stage < len(stages) and _held_up(draft, act, action, f"{act.who}: {action.title.lower()}"):
            return
    finish(draft, act, action)


def again(act: Act) -> Act:
    """Give an action back to be taken through the same stage once more: the next hex of a path."""
    return replace(act, stage=act.stage - 1)


def _held_up(draft: Draft, act: Act, action: Action, about: str) -> bool:
    """Ask the GM or let others in where an action stands; say whether it waits for them."""
    question = draft.rules.question(draft.state, act, act.passed)
    if question is not None:
        ask(draft, act, question)
        return True
    bids, soft = entrants(draft, act, act.passed, action)
    if bids:
        suspend(draft, act, bids, about, soft=soft)
    return bool(bids)


def finish(draft: Draft, act: Act, action: Action) -> None:
    """Do what an action does besides its stages: conditions it ends, progress it makes."""
    if action.ends:
        draft.end_effects(act.who, *action.ends)
    if action.turns:
        come = _advance(draft.fighter(act.who), action)
        done, title = come["progress"][0], action.title.lower()
        text = f"completes {title}" if come["completed"] else f"{title}: {done} of {action.turns}"
        data = {"done": done, "total": action.turns, **come}
        draft.emit("progress", act.who, action.id, amount=done, text=text, rules=(action.rule,), data=data)


def _advance(fighter: Fighter, action: Action) -> dict[str, Any]:
    """Say how far an action of several turns comes, this turn counted in."""
    progress = fighter.progress.get(action.id)
    done = (progress.done if progress else 0) + 1
    return {"progress": [done, action.turns], "completed": done == action.turns}


# ── windows
# ────────────────────────────────────────────────────────────────────────────────────────────────────────────


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
        for bid, hard in watchers_of(draft, act, action, declared=declared):
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
        if name == act.who or not draft.rules.able(state.fighters[name]):
            continue
        for effect in state.fighters[name].effects:
            if not effect.watches:
                continue
            trigger = effect.value["trigger"]
            hard = not isinstance(trigger, str) and any(part != "text" for part in trigger)
            if not (declared and fits(state, trigger, act, action)) if hard else free:
                continue
            use = effect.value["use"]
            bid = Bid(name, (use,), draft.rules.catalogue(state)[use].rule)
            if answerable(draft, name, use):
                yield bid, hard


def answerable(draft: Draft, name: str, action: str, segment: int | None = None) -> bool:
    """Say whether somebody could pay for and do an answer now, or in a segment that is named, were it offered."""
    found = draft.rules.catalogue(draft.state).get(action)
    if found is None:
        return False
    given: dict[str, Any] = {"trigger": "?"} if segment is None else {"trigger": "?", "segment": segment}
    judged = judge(draft.rules, draft.state, draft.fighter(name), found, given)
    timing = draft.rules.reaction_rule(found)
    return not [o for o in judged.objections if o.rule != timing and o.reason]


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
    if waiting.faces and draft.faces.given and not any(bid.must for bid in bids):
        _rehearse(draft)


def _rehearse(draft: Draft) -> None:
    """Refuse faces that do not fit what a waiting action will throw by itself: only now can they be put right."""
    window = draft.state.window
    assert window is not None
    trial = Draft(draft.rules, draft.state, draft.seq, draft.faces.rehearsal())
    close_window(trial, answer=window.choices[-1] if window.question else None)
    trial.faces.check_left(draft.faces.given)


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
    if act is not None and draft.faces.given:
        _rehearse(draft)


def open_trigger(
    draft: Draft,
    by: tuple[str, ...],
    about: str,
    bids: tuple[Bid, ...],
    segment: int | None = None,
    *,
    soft: bool = False,
) -> None:
    """Open a window on something that happened and that no declared action shows; a soft one is let pass."""
    data: dict[str, Any] = {"about": about, "by": list(by), "threat": draft.seq}
    data["bids"] = [to_builtins(b) for b in bids]
    if segment is not None:
        data["segment"] = segment
    if soft:
        data["soft"] = True
    names = ", ".join(dict.fromkeys(b.who for b in bids))
    cited = tuple(dict.fromkeys(b.rule for b in bids if b.rule))
    draft.emit("window", by[0] if by else None, text=f"{about}: {names} may answer", rules=cited, data=data)


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
    bids = []
    for name, bid in found.items():
        if to is not None and name not in to:
            continue
        wanted = [a for a in bid.actions if not offers or a in offers]
        open_to = tuple(a for a in wanted if answerable(draft, name, a, segment))
        if open_to:
            rule = draft.rules.catalogue(state)[open_to[0]].rule if len(open_to) < len(bid.actions) else bid.rule
            bids.append(replace(bid, actions=open_to, rule=rule))
    return tuple(bids)


def close_window(draft: Draft, *, answer: Any = None, by: str = "rules") -> None:
    """Close the window on top: who has not answered declines, and the action that waited goes on if its owner can."""
    state, rules = draft.state, draft.rules
    window = state.top
    assert type(window) is Window
    for bid in window.bids:
        if not bid.answered:
            cited = tuple(rule for action in bid.actions for rule in rules.cites(state, f"declined:{action}"))
            cited = tuple(dict.fromkeys((bid.rule, *cited) if bid.rule else cited))
            draft.emit("answer", bid.who, text="lets it pass", rules=cited, by=by, data=_DECLINED)
    below = state.focus[-2] if len(state.focus) > 1 else None
    text = "the window closes"
    if window.question:
        words = ", ".join(answer) if isinstance(answer, list) else str(answer)
        text = f"the GM answers: {words or 'none'}"
    cited = (window.question,) if window.question else rules.cites(state, "window_end")
    draft.emit("window_end", text=text, rules=cited, by=by, data={"window": window.seq, "answer": answer})
    draft.rules.closing(draft, window, answer)
    if type(below) is Act:
        if window.question:
            below = replace(below, result={**below.result, window.key: answer})
        resume(draft, below, asked=bool(window.question))
    close_answered(draft)


def close_answered(draft: Draft) -> None:
    """Close a window in which everybody had to answer, and has."""
    while (window := draft.state.window) is not None and window.bids:
        if not all(b.must and b.answered for b in window.bids):
            return
        close_window(draft)


def resume(draft: Draft, act: Act, *, asked: bool = False) -> None:
    """Take up an action that waited, at its next stage; after an answer others may still enter before that."""
    action = draft.rules.catalogue(draft.state)[act.action]
    fighter = draft.fighter(act.who)
    if not draft.rules.able(fighter):
        text = f"{action.title.lower()} comes to nothing"
        draft.emit("stopped", act.who, act.action, text=text, data={"act": act.seq})
        return
    draft.faces = Faces.kept(act.faces, draft.faces)
    act = replace(act, faces={})
    if not asked or not _held_up(draft, act, action, f"{act.who}: {action.title.lower()}"):
        carry(draft, act, action)


def let_pass(draft: Draft) -> None:
    """Let soft windows pass: any other call goes on, so that a readied action at the table never gets in the way.

    What waited under one may have ended the turn; then the next begins.
    """
    if (window := draft.state.window) is None or not window.soft:
        return
    faces, note = draft.faces, draft.note
    draft.faces, draft.note = NO_FACES, ""  # these belong to the call, not to what goes on before it
    while (window := draft.state.window) is not None and window.soft:
        close_window(draft)
    flow.run(draft)
    draft.faces, draft.note = faces, note


def readied_text(action: Action, trigger: Any, actions: Catalogue[Action]) -> str:
    """Say in words what was readied or is held."""
    return f"{action.title}, if {trigger_text(trigger, actions)}"
