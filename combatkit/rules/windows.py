"""Windows: who may step in at an action's stage, what the GM is asked, and what is offered to whom."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import to_builtins
from msgspec.structs import replace

from combatkit.core.model import Act, Bid, Fighter, Lookup, Offer, State, Window, open_bids, present
from combatkit.rules.case import NOTHING, Case, Entry, Question
from combatkit.rules.catalogue import REACTION, Action, Catalogue, Cost
from combatkit.rules.contests import besides, fits, is_by
from combatkit.rules.draft import Draft
from combatkit.rules.judge import Judgement, forbidden, hindrances, judge, kept_for, readied, with_target
from combatkit.rules.params import kind_of
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import USES, used_up
from combatkit.text import Said, Title, say

DECLARED = "declared"
"""The stage every action begins with."""


def entrants(draft: Draft, case: Case, act: Act, entry: Entry | None) -> tuple[Act, tuple[Bid, ...], bool]:
    """Return an action with those who may step in at this stage, and whether nobody waits for them.

    These are those the ruleset lets in, as far as nothing bars them, and anybody with a trigger that fits. The action
    notes who has been asked: what was readied for it, and could be done, is offered once.
    """
    state, found, soft = draft.state, entry.bids if entry is not None else (), entry is None or entry.soft
    if found:

        def hold(probe: Draft) -> None:
            _hold(probe, act, found, say("window.probe"), soft=False)

        if draft.rules.able(case.fighter):
            found = _unbarred(draft, found, hold)
        else:  # by the GM's word, which no system reckons with
            probe = _probe(draft)
            hold(probe)
            found = _still_open(draft.rules, probe.state, found)
    if not state.watchers:
        return act, found, soft
    bids = list(found)
    soft = soft or not bids
    watching = list(watchers_of(case, act))
    if watching:
        probe, asked = _probe(draft), list(act.result.get("asked", ()))
        _hold(probe, act, tuple(bid for bid, _, _ in watching), say("window.probe"), soft=False)
        for bid, hard, effect in watching:
            whole = _can_answer(draft.rules, probe.state, bid, bid.actions[0], whole=True)
            near = hard and not whole and _passes_by(draft.rules, probe.state, act, bid)
            if whole or near or _is_ready(draft.rules, probe.state, act, bid, hard=hard):
                bids.append(bid)
                soft = soft and not hard
                if (hard and whole) or not (hard or draft.rules.watched):
                    asked.append(effect)
        if asked:
            act = replace(act, result={**act.result, "asked": asked})
    return act, tuple(bids), soft


def _unbarred(draft: Draft, bids: tuple[Bid, ...], opens: Callable[[Draft], None]) -> tuple[Bid, ...]:
    """Return offers without what a condition bars and what is used up, in the window that they would open.

    Whoever is under no condition and counts nothing is asked as they are.
    """
    fighters = draft.state.fighters
    doubtful = [bid for bid in bids if fighters[bid.who].effects or fighters[bid.who].stats.get(USES)]
    if not doubtful:
        return bids
    probe, left = _probe(draft), []
    opens(probe)
    for bid in bids:
        if bid in doubtful:
            actions = tuple([id for id in bid.actions if not _is_barred(draft.rules, probe.state, bid, id)])
            bid = bid if actions == bid.actions else replace(bid, actions=actions)  # noqa: PLW2901
        if bid.actions:
            left.append(bid)
    return tuple(left)


def _is_barred(rules: Ruleset, state: State, bid: Bid, id: str) -> bool:
    """Check whether somebody can't do what they are to be offered, whatever it costs and wherever they stand."""
    fighter, action = state.fighters[bid.who], rules.catalogue(state)[id]
    if fighter.effects and not rules.able_to(fighter, action):
        return True
    aimed = {"target": list(bid.targets)} if len(bid.targets) == 1 and "target" in action.required else {}
    case = Case(rules, state, fighter, action, aimed)
    return any(True for found in (forbidden(case), rules.bars(case), used_up(case)) for _ in found)


def _is_ready(rules: Ruleset, state: State, act: Act, bid: Bid, *, hard: bool) -> bool:
    """Check whether what was readied is offered although it needs more: a mapping waits for the last good moment."""
    stages = rules.mechanisms[rules.catalogue(state)[act.action].does].stages
    last = act.passed == DECLARED or act.stage >= len(stages)
    return (last or not hard) and any(_can_answer(rules, state, bid, id) for id in bid.actions)


def _passes_by(rules: Ruleset, state: State, act: Act, bid: Bid) -> bool:
    """Check whether what was readied takes no more than a place beside it here, and can't be done further on.

    Of what lacks anything else, such as whom it is for, nobody can tell where it could be done.
    """
    ahead = [replace(state.fighters[act.who], position=tuple(spot)) for spot in act.result.get("path", ())]
    if not _takes_a_place(rules, state, bid) or not ahead:
        return False
    later = [replace(state, fighters={**state.fighters, act.who: mover}) for mover in ahead]
    return not any(_takes_a_place(rules, each, bid) for each in later)


def watched_after(draft: Draft, act: Act, stage: str, way: Sequence[Sequence[int]]) -> int | None:
    """Return how many squares of a way somebody goes, short of its end, until what others keep ready could be used.

    It can be used as soon as it can be done, and not only where the way ends or before it begins.
    """
    state, action = draft.state, draft.actions[act.action]
    if not any(name != act.who for name in state.watchers):
        return None
    for gone, spot in enumerate(way[:-1], 1):
        mover = replace(state.fighters[act.who], position=tuple(spot))
        there = replace(state, fighters={**state.fighters, act.who: mover})
        ahead = {**act.result, "path": [list(each) for each in way[gone:]]}
        paused = replace(act, passed=stage, result=ahead)
        case = Case(draft.rules, there, mover, action, act.params, paused)
        if entrants(Draft(draft.rules, there, draft.seq), case, paused, None)[1]:
            return gone
    return None


def _takes_a_place(rules: Ruleset, state: State, bid: Bid) -> bool:
    """Check whether an offered action could be done now, with no more than a place named beside it, if at all."""
    action = rules.catalogue(state)[bid.actions[0]]
    judged = judge(with_target(Case(rules, state, state.fighters[bid.who], action)), brief=True)
    return not judged.objections and {*judged.missing} <= {*action.facts.get("besides", ())}


# ── who may answer, as things stand ──


def answerable(rules: Ruleset, state: State) -> tuple[tuple[Bid, ...], bool]:
    """Return who may still answer the top window and with what, worked out anew; and whether nobody waits for them.

    It is asked of the event itself: of the stage an action has reached, of what the GM told, or else of what was
    offered. What somebody has answered with is left out, at those they struck; what they can't do now, too; and all
    that isn't a must of whoever has left the fight meanwhile, though they may be back.
    """
    window, below = state.window, state.focus[-2] if len(state.focus) > 1 else None
    assert window is not None
    soft, hard = window.soft, frozenset[str]()
    if type(below) is Act:
        bids, soft, hard = _at_stage(rules, state, window, below)
    elif window.told:
        bids = _told(rules, state, window)
    else:
        again = rules.asked(state, window)
        bids = again if again is not None else tuple([bid for bid in window.bids if not bid.answered])
    whole = bids = tuple([bid for bid in bids if bid.must or bid.who not in window.excused])
    bids = tuple([left for bid in bids for left in _unused(rules, state, window, bid)])
    probe = replace(state, focus=(*state.focus[:-1], replace(window, bids=bids)))
    left = _still_open(rules, probe, bids)
    if window.told:
        left = _by_their_rules(rules, state, left, whole)
    return left, soft and hard.isdisjoint([bid.who for bid in left])


def _by_their_rules(rules: Ruleset, state: State, left: tuple[Bid, ...], offered: tuple[Bid, ...]) -> tuple[Bid, ...]:
    """Return offers by the rule of what is left of each, if that isn't all."""
    catalogue, whole = rules.catalogue(state), {(bid.who, bid.actions) for bid in offered}
    return tuple(
        [bid if (bid.who, bid.actions) in whole else replace(bid, rule=catalogue[bid.actions[0]].rule) for bid in left]
    )


def _at_stage(rules: Ruleset, state: State, window: Window, act: Act) -> tuple[tuple[Bid, ...], bool, frozenset[str]]:
    """Return who may step in where an action waits, whether that is soft, and who is waited for whatever it is."""
    case = waiting_case(rules, state, act)
    entry = rules.waits_for(case, act)
    bids = list(entry.bids) if isinstance(entry, Entry) else []
    if _is_ownerless(rules, state, act):
        return tuple([bid for bid in bids if bid.must]), window.soft, frozenset()
    stopped = is_stopped(rules, state, act)
    void = not stopped and is_void(rules, state, act)
    if stopped or void:
        bids = [bid for bid in bids if bid.must or _may_strike(rules, state, bid, whole=void)]
    soft = window.soft and (not bids or (isinstance(entry, Entry) and entry.soft))
    known = {(bid.who, id) for bid in window.bids for id in bid.actions}
    hard = set()
    for bid, waits, _ in watchers_of(case, act, known) if state.watchers else ():
        if stopped and not _strikes(rules, state, bid.who, bid.actions[0]):
            continue
        probe = replace(state, focus=(*state.focus[:-1], replace(window, bids=(bid,))))
        if (bid.who, bid.actions[0]) in known or _is_ready(rules, probe, act, bid, hard=waits):
            bids.append(bid)
            if waits:
                hard.add(bid.who)
    # they were let in at the same moment, and neither what stops the act nor what lets it go on takes it from anybody
    known = {(bid.who, id) for bid in bids for id in bid.actions}
    left = [bid for bid in window.bids if not bid.answered]
    asked = [bid for bid in left if known.isdisjoint([(bid.who, id) for id in bid.actions])]
    bids += [bid for bid in asked if _may_strike(rules, state, bid, whole=void)]
    known |= {(bid.who, id) for bid in asked for id in bid.actions}
    bids += [bid for bid in _let_go(window, known) if _may_strike(rules, state, bid, whole=True)]
    return tuple(bids), soft, frozenset(hard)


def _let_go(window: Window, known: Container[tuple[str, str]]) -> Iterable[Bid]:
    """Yield what was taken from those who could no longer answer: it is theirs again once they can."""
    used, seen = {each[:2] for each in window.used}, set[tuple[str, tuple[str, ...]]]()
    for bid in window.bids:
        mine = [(bid.who, id) for id in bid.actions]
        if bid.answered and used.isdisjoint(mine) and (bid.who, bid.actions) not in seen:
            seen.add((bid.who, bid.actions))
            if not any(each in known for each in mine):
                yield replace(bid, answered=False)


def _may_strike(rules: Ruleset, state: State, bid: Bid, *, whole: bool) -> bool:
    """Check whether somebody could answer with a blow; or, of a `whole` offer, with nothing else.

    Where only the targets are gone there is no attack left to answer, but whoever was provoked still strikes.
    """
    return (all if whole else any)(_strikes(rules, state, bid.who, id) for id in bid.actions)


def is_void(rules: Ruleset, state: State, act: Act) -> bool:
    """Check whether an action that waits can't happen any more, as its owner or all its targets are gone."""
    action = rules.catalogue(state)[act.action]
    stages = rules.mechanisms[action.does].stages
    if act.stage >= len(stages):
        return False
    if _is_ownerless(rules, state, act):
        return True
    targets = [state.fighters[name] for name in act.targets]
    gone = all(map(rules.is_gone, targets))
    stage = stages[act.stage]
    if not targets or not gone or stage.needs is None:
        return False
    return len(hindrances(rules, state, act, action, stage)[1]) == len(targets)


def _is_ownerless(rules: Ruleset, state: State, act: Act) -> bool:
    """Check whether the owner of an unfinished action is gone: then there is nobody left to react to."""
    owner, action = state.fighters[act.who], rules.catalogue(state)[act.action]
    if act.stage >= len(rules.mechanisms[action.does].stages) or rules.able_to(owner, action):
        return False
    return rules.is_gone(owner)


def is_stopped(rules: Ruleset, state: State, act: Act) -> bool:
    """Check whether the owner of an action that waits can't go on with it: whoever may strike them still may."""
    action = rules.catalogue(state)[act.action]
    unfinished = act.stage < len(rules.mechanisms[action.does].stages)
    return unfinished and not rules.able_to(state.fighters[act.who], action)


def _strikes(rules: Ruleset, state: State, who: str, id: str) -> bool:
    """Check whether an answer is an attack, or uses one that was readied or held."""
    action = rules.catalogue(state)[id]
    kept = readied(state.fighters[who], action)
    return "attack" in (action if kept is None else rules.catalogue(state)[kept.value["action"]]).tags


def waiting_case(rules: Ruleset, state: State, act: Act) -> Case:
    """Return the case of an action that waits under the top window, as it was before that opened."""
    beneath = replace(state, focus=state.focus[:-2])
    return Case(rules, beneath, state.fighters[act.who], rules.catalogue(state)[act.action], act.params, act)


def _told(rules: Ruleset, state: State, window: Window) -> tuple[Bid, ...]:
    """Return who may answer something the GM told: with reactions from the catalogue, or what is readied or held."""
    by, catalogue = window.by, rules.catalogue(state)
    found = {bid.who: bid for bid in rules.reactions(state, by)}
    for name in state.watchers:
        others = besides(name, by)
        for effect in state.fighters[name].effects if others or not by else ():
            if effect.watches and (not by or any(is_by(state, effect.value["trigger"], who) for who in others)):
                use = effect.value["use"]
                old = found.get(name, Bid(name, (), catalogue[use].rule))
                found[name] = replace(old, actions=(*old.actions, use))
    told, words = [], _by_words(catalogue)
    for bid in found.values():
        left = tuple([id for id in bid.actions if (id in window.offers if window.offers else id not in words)])
        if not by and not window.offers:  # what nobody caused gives no opportunity to strike at anybody
            left = tuple([id for id in left if "attack" not in catalogue[id].tags])
        if left and (window.to is None or bid.who in window.to):
            rule = bid.rule if left[0] == bid.actions[0] else catalogue[left[0]].rule
            told.append(replace(bid, actions=left, rule=rule))
    return tuple(told)


def _unused(rules: Ruleset, state: State, window: Window, bid: Bid) -> Iterable[Bid]:
    """Yield an offer without the reactions used: each counts once for everybody who did something there.

    An attack counts once for each whom it may strike.
    """
    given = [each for each in window.used if each[0] == bid.who]
    if not given:
        yield bid
        return
    left: dict[tuple[str, ...], list[str]] = {}
    for id in bid.actions:
        action = rules.catalogue(state)[id]
        struck = {name for _, used, *at in given if used == id for name in at}
        targets = tuple([name for name in bid.targets if name not in struck])
        times = sum(used == id for _, used, *_ in given)
        if action.when == "any time" or not times or (not struck and times < len(besides(bid.who, window.by))):
            left.setdefault(bid.targets, []).append(id)
        elif struck and targets and "attack" in action.tags:
            left.setdefault(targets, []).append(id)
    for targets, actions in left.items():
        yield replace(bid, actions=tuple(actions), targets=targets)


def ask_anew(draft: Draft) -> None:
    """Ask anew who may answer the top window: those who can no longer are let go, those who now can are asked."""
    window, rules = draft.state.window, draft.rules
    assert window is not None
    now, soft = answerable(rules, draft.state)
    may = {(bid.who, id) for bid in now for id in bid.actions}
    for number, bid in enumerate(window.bids):
        if not bid.answered and may.isdisjoint([(bid.who, id) for id in bid.actions]):
            data = {"declined": True, "offer": number}
            draft.emit("answer", bid.who, text=say("answer.unable"), rules=tuple(filter(None, [bid.rule])), data=data)
    asked = {(bid.who, id) for bid in window.bids if not bid.answered for id in bid.actions}
    more = [bid for bid in now if not asked.issuperset([(bid.who, id) for id in bid.actions])]
    if more:
        window = draft.state.window
        assert window is not None
        done = [bid for bid in window.bids if bid.answered]
        asks_more(draft, replace(window, bids=(*done, *now), soft=soft), more)


def asks_more(draft: Draft, window: Window, more: Sequence[Bid], cited: tuple[str, ...] = ()) -> None:
    """Let the open window ask more than it did."""
    _again(draft, window, more, [*(bid.rule for bid in more), *cited], {"joins": window.seq})


@Lookup
def _by_words(catalogue: Catalogue[Action]) -> frozenset[str]:
    """Return the reactions to what only words tell: they open no window and ask nobody, but may be taken in one."""
    return frozenset([action.id for action in catalogue if action.facts.get("words")])


def watchers_of(case: Case, act: Act, known: Container[tuple[str, str]] = ()) -> Iterable[tuple[Bid, bool, int]]:
    """Yield those whose readied or held action fits.

    A mapping fits what was declared, and play waits for it; text fits anything that isn't free, except what friends do
    to friends or in reaction, unless it names them: whoever means that says so in a mapping, or uses it by the words
    told. Who uses what they kept ready is waited for once, as they do it, unless a mapping names that very use.

    Once an action is under way, words can still come true after some stages. What is waited for may become possible as
    somebody moves, so it is checked after every stage that leads somewhere, including the last; words are asked once,
    unless the system says after which stages they are. Each comes with the number of the effect that keeps it; what was
    offered already is left out, unless it is `known` to be what the open window offers.
    """
    state, rules, action, stage = case.state, case.rules, case.action, act.passed
    cost = rules.price(case.given({}))[0]
    costs = action.counts and not cost.light and cost.pay != ((),)
    stages = rules.mechanisms[action.does].stages
    moved = "to" in act.params and any(each.moves and each.name == stage for each in stages)
    uses = action.does == "use"
    goes_on = moved or act.stage < len(stages)
    words = costs and (stage == DECLARED or (goes_on if stage in rules.watched else moved and not rules.watched))
    for name in state.watchers:
        if name == act.who or not rules.able(state.fighters[name]):
            continue
        for effect in state.fighters[name].effects:
            if not effect.watches:
                continue
            trigger, use = effect.value["trigger"], effect.value["use"]
            if effect.number in act.result.get("asked", ()) and (name, use) not in known:
                continue
            hard = not isinstance(trigger, str) and any(part != "text" for part in trigger)
            if hard:
                named = not uses or "action" in trigger
                meant = named and (stage == DECLARED or moved) and fits(state, trigger, act, action)
            else:
                meant = words and not uses and _may_mean(state, state.fighters[name], trigger, act, action)
            if meant:
                yield Bid(name, (use,), rules.catalogue(state)[use].rule), hard, effect.number


def _may_mean(state: State, fighter: Fighter, trigger: str | Mapping[str, str], act: Act, action: Action) -> bool:
    """Check whether words that somebody waits for may be about an act; what friends do in reaction must name them."""
    sides = {state.fighters[name].side for name in (act.who, *act.targets)}
    is_friend = state.fighters[act.who].side == fighter.side
    if not is_friend or (action.when != REACTION and (not act.targets or sides != {fighter.side})):
        return True
    words = trigger if isinstance(trigger, str) else trigger["text"]
    return re.search(rf"(?<!\w){re.escape(kind_of(act.who) or act.who)}(?!\w)", words, re.IGNORECASE) is not None


def _probe(draft: Draft) -> Draft:
    """Return a separate draft, to see what could be done in a window before it opens."""
    return Draft(draft.rules, draft.state, draft.seq)


def _still_open(rules: Ruleset, state: State, bids: tuple[Bid, ...]) -> tuple[Bid, ...]:
    """Return offers reduced to what could be done, and to those it could be done to, in a window opened on trial."""
    left = ((bid, answers_left(rules, state, bid)) for bid in bids)
    return tuple(
        replace(bid, actions=actions, targets=_in_question(rules, state, bid, actions))
        for bid, actions in left
        if actions
    )


def _in_question(rules: Ruleset, state: State, bid: Bid, actions: tuple[str, ...]) -> tuple[str, ...]:
    """Return whom an offer of several targets could still be aimed at; all of them if that makes no difference."""
    if len(bid.targets) < 2:
        return bid.targets
    fighter, catalogue = state.fighters[bid.who], rules.catalogue(state)
    aimed = [catalogue[id] for id in actions if "target" in catalogue[id].required]
    if len(aimed) < len(actions):
        return bid.targets
    cases = {name: [Case(rules, state, fighter, each, {"target": [name]}) for each in aimed] for name in bid.targets}
    left = [n for n, each in cases.items() if any(not judge(case, brief=True).objections for case in each)]
    return tuple(left) or bid.targets


def answers_left(rules: Ruleset, state: State, bid: Bid) -> tuple[str, ...]:
    """Return the actions of an offer that could be done now, in the top window."""
    return tuple([id for id in bid.actions if _can_answer(rules, state, bid, id)])


def _can_answer(rules: Ruleset, state: State, bid: Bid, id: str, *, whole: bool = False) -> bool:
    """Check whether an offered action could be done now; a `whole` one needs nothing more."""
    known, key = _weighed(state), (bid.who, id, bid.targets)
    judged = known.get(key)
    if judged is None or (whole and judged is _OFFERED):
        case = Case(rules, state, state.fighters[bid.who], rules.catalogue(state)[id])
        judged = known[key] = judge(with_target(case), brief=True)
    return not judged.objections and not (whole and judged.missing)


_Judged = dict[tuple[str, str, tuple[str, ...]], Judgement]
_OFFERED = Judgement([], Cost("", ""), (), "", ())
"""What is known of whatever a window opens with: it can be done."""


class _Weighed:
    """What offered actions were found to be, by who, what and at whom: kept while nothing that bears on them changes.

    An answer changes dice, and what is left to whoever gave it. What others were found able to do stays as it was,
    unless somebody has moved, fallen, come under an effect, or anything else has happened. What a window opens with
    can be done.
    """

    def __init__(self) -> None:
        self._last: tuple[State, _Judged] | None = None

    def __call__(self, state: State) -> _Judged:
        """Return what is known of a state, with what still holds of the one asked about before."""
        last = self._last
        if last is not None and last[0] is state:
            return last[1]
        kept = {} if last is None else _still_known(*last, state)
        self._last = (state, kept)  # replaced whole, so that threads can share it
        return kept

    def opens(self, state: State, bids: Iterable[Bid]) -> None:
        """Note the state in which a window has opened with what can be done in it."""
        self._last = (state, {(bid.who, id, bid.targets): _OFFERED for bid in bids for id in bid.actions})


_weighed = _Weighed()
_BARE = tuple(field for field in State.__struct_fields__ if field not in ("die", "fighters", "focus"))
_SEEN = tuple(field for field in Fighter.__struct_fields__ if field not in ("pools", "vitals"))
"""What of a combatant bears on what others can do: who falls comes under an effect."""


def _still_known(old: State, known: _Judged, new: State) -> _Judged:
    before, now = old.window, new.window
    same = known and before is not None and now is not None and before.seq == now.seq
    if not same or len(old.focus) != len(new.focus) or len(old.fighters) != len(new.fighters):
        return {}
    if any(a is not b for a, b in zip(old.focus[:-1], new.focus, strict=False)):
        return {}
    if any(getattr(old, field) is not getattr(new, field) for field in _BARE):
        return {}
    others = [(old.fighters.get(name), fighter) for name, fighter in new.fighters.items()]
    changed = [(a, b) for a, b in others if a is not b]
    if any(a is None or any(getattr(a, field) is not getattr(b, field) for field in _SEEN) for a, b in changed):
        return {}
    spent = {fighter.name for _, fighter in changed}
    return {key: found for key, found in known.items() if key[0] not in spent}


def suspend(draft: Draft, act: Act, bids: tuple[Bid, ...], about: Said, where: str, *, soft: bool) -> None:
    """Let an action wait under a window, in which everything that is offered can be done; of a move, `where` it is."""
    _hold(draft, act, bids, about, where, soft=soft)
    _weighed.opens(draft.state, bids)


def _hold(draft: Draft, act: Act, bids: tuple[Bid, ...], about: Said, where: str = "", *, soft: bool) -> None:
    data = {"bids": _plain(bids), "soft": soft}
    asked = said_asked(bids)
    text = (
        say("window.interrupts", of="at", asked=asked, where=where) if where else say("window.interrupts", asked=asked)
    )
    _open(draft, act.who, text, [bid.rule for bid in bids], _about(draft, about, (act.who,), act) | data, act)


def _about(draft: Draft, about: Said, by: Sequence[str], act: Act | None = None) -> dict[str, object]:
    """Return what every window says: what it is about, who did it, and the event that it may be answered in."""
    threat = draft.seq if act is None else act.seq
    return {"about": draft.rules.english.render(about), "by": list(by), "threat": threat}


def _open(
    draft: Draft, who: str | None, text: Said, cited: Iterable[str], data: dict[str, object], act: Act | None = None
) -> None:
    """Log a window; an action that waits under it keeps the dice given for it."""
    if act is not None:
        held = to_builtins(replace(act, faces=draft.faces.keep()))
        if not act.began:
            del held["began"]
        data["act"] = held
    rules = tuple(dict.fromkeys([rule for rule in cited if rule]))
    draft.emit("window", who, None if act is None else act.action, text=text, rules=rules, data=data)


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

    What is asked of one after the other by the same rule is answered in that order. Before a fight and after it nobody
    is asked: no answer could be given.
    """
    if draft.state.stage != "running":
        return
    key, text, choices, rule, many, on = question
    who = None if act is None else act.who
    data = _about(draft, text, by if who is None else (who,), act)
    data |= {"choices": list(choices), "question": rule, "key": key, "many": many} | ({"on": list(on)} if on else {})
    if act is None and (before := _asked_before(draft.state, rule)):
        data["under"] = before
    _open(draft, who, text, (rule,), data, act)


def _asked_before(state: State, rule: str) -> int:
    """Return how many questions by one rule wait on top, none of them with an action."""
    frames = state.focus[::-1]
    for number, frame in enumerate(frames):
        waits = type(frames[number + 1]) is Act if number + 1 < len(frames) else False
        if type(frame) is not Window or frame.question != rule or waits:
            return number
    return len(frames)


class Happening(NamedTuple):
    """Something that happened that no declared action shows: who did it, and what it is.

    A window on it rests on the rules of its offers and on any `cited`.
    """

    by: tuple[str, ...]
    about: Said
    segment: int | None = None
    cited: tuple[str, ...] = ()


def offer(draft: Draft, happening: Happening, bids: tuple[Bid, ...]) -> None:
    """Open a window on something that happened, for those whom nothing bars from what they are offered."""
    bids = _unbarred(draft, bids, lambda probe: open_trigger(probe, happening, bids))
    if bids:
        open_trigger(draft, happening, bids)


def open_trigger(
    draft: Draft, happening: Happening, bids: tuple[Bid, ...], told: Mapping[str, object] = NOTHING
) -> None:
    """Open a window on something that happened; before a fight and after it there is none, as nobody could answer.

    All that is offered can be done. `told` is what a window holds that the GM's word opens: whom it asks, and with
    which actions.
    """
    if draft.state.stage != "running":
        return
    by, about, segment, cited = happening
    data = {**_about(draft, about, by), "bids": _plain(bids), **told}
    if segment is not None:
        data["segment"] = segment
    text = say("window.opens", about=about, asked=said_asked(bids))
    _open(draft, by[0] if by else None, text, [*(bid.rule for bid in bids), *cited], data)


def join(draft: Draft, window: Window, happening: Happening, bid: Bid) -> None:
    """Ask somebody in the top window, besides those already asked there, in ladder order, unless all is barred."""
    who, about = bid.who, happening.about
    left = _unbarred(draft, (bid,), lambda probe: open_trigger(probe, happening, (bid,)))
    if not left:
        return
    (bid,) = left
    ladder = {place.who: index for index, place in reversed(list(enumerate(draft.state.agenda)))}
    spots = [ladder.get(each, len(ladder)) for each in (who, *(asked.who for asked in window.bids))]
    at = next((n for n, spot in enumerate(spots[1:]) if spot > spots[0]), len(window.bids))
    data = {**_about(draft, about, (who,)), "threat": window.threat, "bids": _plain((bid,)), "at": at}
    data["adds"] = window.seq
    _open(draft, who, say("window.opens", about=about, asked=said_asked([bid])), (bid.rule, *happening.cited), data)


def reopen(draft: Draft, windows: Iterable[Window]) -> None:
    """Ask again what was still unanswered in windows that something else closed, if it still can be answered."""
    for window in windows:
        asked = tuple(bid for bid in window.bids if not bid.answered)
        probe = _probe(draft)
        _ask_anew(probe, window, asked)
        asked = _still_open(draft.rules, probe.state, asked)
        if asked or window.question:
            _ask_anew(draft, window, asked)


def _ask_anew(draft: Draft, window: Window, asked: tuple[Bid, ...]) -> None:
    rule = window.question or (window.bids[0].rule if window.bids else "")
    _again(draft, window, asked, [rule], {"bids": _plain(asked)})


def _whole(window: Window) -> dict[str, object]:
    whole: dict[str, object] = to_builtins(window)
    if not window.parts:
        del whole["parts"]
    if not window.excused:
        del whole["excused"]
    return whole


def _again(draft: Draft, window: Window, asked: Sequence[Bid], cited: Iterable[str], data: dict[str, object]) -> None:
    about = Title(window.about)
    text = say("window.again", about=about, asked=said_asked(asked)) if asked else say("window.still", about=about)
    _open(draft, window.by[0] if window.by else None, text, cited, {**_whole(window), **data})


def call_for(draft: Draft, happening: Happening, to: tuple[str, ...] | None, offers: tuple[str, ...]) -> None:
    """Open a window on what the GM tells, for all whom the rules let answer it, if there are any."""
    told: dict[str, object] = {"told": True}
    if to is not None:
        told["to"] = list(to)
    if offers:
        told["offers"] = list(offers)
    probe = _probe(draft)
    open_trigger(probe, happening._replace(about=say("window.probe")), (), told)
    if probe.state.window is None:
        return
    bids, _ = answerable(draft.rules, probe.state)
    if bids:
        open_trigger(draft, happening, bids, told)


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
            aimed = _aimed(rules, state, bid, actions)
            found.append(Offer(bid.who, window.threat, window.about, actions, aimed, (), bid.must, bid.rule))
    return tuple(found)


def _not_friends(state: State, who: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of other sides than somebody's: a blow that was kept is offered at no friend."""
    side = state.fighters[who].side
    return tuple([name for name in names if state.fighters[name].side != side])


def _aimed(rules: Ruleset, state: State, bid: Bid, actions: Iterable[str]) -> tuple[str, ...]:
    """Return at whom an offer may go: those the window is about, and whom something was readied or held for.

    What was kept and takes no target goes at nobody; nobody strikes the dead.
    """
    window, catalogue, aims = state.window, rules.catalogue(state), list[tuple[str, ...]]()
    about = bid.targets or (besides(bid.who, window.by) if window is not None else ())
    for id in actions:
        kept = readied(state.fighters[bid.who], catalogue[id])
        chosen = None if kept is None else catalogue[kept.value["action"]]
        if chosen is None or "target" in chosen.takes:
            at = about if chosen is None or "attack" not in chosen.tags else _not_friends(state, bid.who, about)
            at = (kept_for(rules, state, bid.who, catalogue[id]) if kept is not None else ()) or at
            struck = "attack" in (chosen or catalogue[id]).tags
            aims.append(tuple([n for n in at if not rules.is_gone(state.fighters[n])]) if struck else at)
    here = present(state.fighters)
    return tuple(dict.fromkeys(name for each in aims for name in each if name in here))
