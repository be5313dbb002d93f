"""How a fight moves on: rounds, steps, turns, and who is next."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import inf

from msgspec import to_builtins
from msgspec.structs import replace

from combatkit.core.model import Act, Effect, Place, State, Step, Turn, Window, excuse, spot_of
from combatkit.rules.draft import Draft, numbered
from combatkit.rules.judge import disabling, unable
from combatkit.rules.moments import Departed, Lapsed, StepBegins, StepEnds, TurnEnds
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.windows import reopen
from combatkit.text import Said, Title, say

_BEGINS, _ENDS = say("turn.begins"), say("turn.ends")
"""What every turn says."""


def next_place(rules: Ruleset, state: State) -> Place | None:
    """Return the place whose turn comes next in this step: the first in order that is called, can act and has not."""
    step = rules.present_step(state)
    if step is None or not step.turns:
        return None
    occasion = state.occasion
    for place in state.agenda:
        if place.done < occasion and not place.waits and rules.calls(state, step, place):
            fighter = state.fighters[place.who]
            if not fighter.effects or rules.has_turns(fighter) or _wakes_there(rules, state, place):
                return place
    return None


def may_come(rules: Ruleset, state: State, place: Place) -> bool:
    """Check whether somebody can act, or will once their turn begins."""
    if rules.has_turns(state.fighters[place.who]):
        return True
    return place.done < state.occasion and _wakes_there(rules, state, place)


def _reached(state: State) -> int:
    """Return the last place that the order has come to in this occasion, or -1: the place of one who is gone counts."""
    agenda, occasion = state.agenda, state.occasion
    come = [i for i, place in enumerate(agenda) if place.come >= occasion]
    come += [spot_of(agenda, state.gone, who) - 1 for who, each in state.gone.items() if each.place.come >= occasion]
    return max(come, default=-1)


def _wakes_there(rules: Ruleset, state: State, place: Place) -> bool:
    """Check whether the order is still to come by a place, where a turn's beginning ends all that holds its owner."""
    fighter = state.fighters[place.who]
    ended = [effect.number for name, effect in _ended_by(state, place) if name == place.who]
    left = tuple([effect for effect in fighter.effects if effect.number not in ended])
    if not ended or not rules.able(replace(fighter, effects=left)):
        return False
    return _reached(state) < state.agenda.index(place)


def _ended_by(state: State, place: Place) -> list[tuple[str, Effect]]:
    """Return what ends as a turn begins at a place, and whose it is: a turn put off begins once it is taken."""
    who = place.who
    pairs = [pair for head in ("turn", "turn_start") for pair in state.anchors.get(f"{head}:{who}", ())]
    return [(name, effect) for name, n in pairs if (effect := numbered(state.fighters[name], n)) is not None]


def waiting(rules: Ruleset, state: State) -> tuple[Place, ...]:
    """Return the places of those who delay without a named place and may still step in."""
    return tuple(p for p in state.agenda if p.waits and p.done < state.occasion and rules.able(state.fighters[p.who]))


def run(draft: Draft) -> None:
    """Go on until somebody may choose, in a turn, a window or a step that stops, or until nobody is left who can act.

    A turn whose owner can no longer act isn't over: they may be healed in it, and the table says when it ends. One
    whose place has moved to another step waits for that.
    """
    rules = draft.rules
    while (state := draft.state).stage == "running":
        if state.focus:
            top = state.focus[-1]
            if type(top) is not Turn:
                return
            fighter = state.fighters[top.who]
            if rules.staged and rules.is_moved(state, top):
                why = "placed" if fighter.effect("delayed") is None else "delayed"
                close_turn(draft, given_up=True, rules=rules.cites(state, f"turn_moved:{why}"))
            else:
                return
            continue
        place = next_place(rules, state)
        if _pass_turnless(draft, len(state.agenda) if place is None else state.agenda.index(place)):
            continue
        if place is not None:
            open_turn(draft, place)
            return
        if waits := waiting(rules, state):
            before = draft.seq
            pass_places(draft, len(state.agenda))  # whoever steps in now comes after all of them
            if draft.seq != before:
                continue
        if waits or not any(may_come(rules, state, p) for p in state.agenda):
            return
        step = rules.present_step(state)
        assert step is not None
        if step.stops:
            return
        leave_step(draft)


def leave_step(draft: Draft) -> None:
    """Close the present step and open the next one, of the next round if this was the last."""
    close_step(draft)
    state = draft.state
    if state.step + 1 < len(draft.rules.schedule(state)):
        open_step(draft, state.step + 1)
    else:
        close_round(draft)
        assert state.round is not None
        open_round(draft, state.round + 1, draft.rules.round_seconds(state, state.round + 1))


def open_round(draft: Draft, number: int, seconds: float, unaware: str = "") -> None:
    """Begin a round: log it, fill what a round fills, open its first step."""
    rules = draft.rules
    cited = rules.cites(draft.state, "round", round=number, unaware=unaware)
    draft.emit("round", amount=number, text=rules.said_round(number), rules=cited, data={"seconds": seconds})
    refill(draft, "round")
    open_step(draft, 0)


def close_round(draft: Draft) -> None:
    """End a round, and everything that lasted until its end."""
    draft.pass_anchor("round_end")
    state, rules = draft.state, draft.rules
    text = say("round.ends", title=rules.said_round(state.round or 0))
    draft.emit("round_end", amount=state.round, text=text, rules=rules.cites(state, "round_end"))


def end_round(draft: Draft) -> None:
    """End the turn, the step and the round under way by the GM's word, with what is due then; nothing comes after."""
    while draft.state.turn is not None:
        close_turn(draft, by="gm", cut=True)
    close_step(draft)
    close_round(draft)


def open_step(draft: Draft, index: int) -> None:
    """Begin a step; one with turns is a new occasion."""
    step = draft.rules.schedule(draft.state)[index]
    occasion = draft.state.occasion + (1 if _is_occasion(step) else 0)
    seconds = draft.state.began + step.seconds
    data = {
        "index": index,
        "occasion": occasion,
        "id": step.id,
        "seconds": seconds,
        "phase": step.phase,
        "number": step.number,
    }
    cited = draft.rules.cites(draft.state, "step", step=step.id)
    draft.emit("step", text=say("step.begins", of=step.id, title=Title(step.title)), rules=cited, data=data)
    draft.rules.follows(draft, StepBegins(step))


def _is_occasion(step: Step) -> bool:
    return step.turns if step.occasion is None else step.occasion


def close_step(draft: Draft) -> None:
    """End a step: those still waiting have skipped their turn."""
    state = draft.state
    step = draft.rules.present_step(state)
    assert step is not None
    for place in state.agenda:
        if place.waits and place.done < state.occasion:
            cited = draft.rules.cites(state, "turn_lost:waits", step=step.id)
            lose_turn(draft, place, state.occasion, say("turn.skipped"), cited)
            end_given_up(draft, place.who, "turn_end")  # its start has come
    pass_places(draft, len(state.agenda))
    draft.rules.follows(draft, StepEnds(step))
    draft.pass_anchor("step_end")
    cited = draft.rules.cites(draft.state, "step_end", step=step.id)
    text = say("step.ends", of=step.id, title=Title(step.title))
    draft.emit("step_end", text=text, rules=cited, data={"id": step.id})


def lose_turn(draft: Draft, place: Place, occasion: int, text: Said, rules: tuple[str, ...] = ()) -> None:
    """Note that a place has no turn up to an occasion, which may lie ahead."""
    draft.emit("turn_lost", place.who, text=text, rules=rules, data={"place": place.id, "occasion": occasion})


def pass_places(draft: Draft, index: int) -> None:
    """End what was anchored at places of this occasion (``place:3:Mara``) that the order has now passed.

    So ends what waits for a turn at one of them that nobody takes any more.
    """
    while _pass_turnless(draft, index):
        pass
    state = draft.state
    head = f"place:{state.occasion}:"
    due = [anchor for anchor in state.anchors if anchor.startswith(head)]
    if due:
        passed = {place.who for place in state.agenda[:index]}
        passed |= {who for who in state.gone if spot_of(state.agenda, state.gone, who) <= index}
        for anchor in due:
            if anchor[len(head) :] in passed:
                draft.pass_anchor(anchor)


_OF_TURNS = ("turn", "turn_start", "turn_end")
"""What is anchored at somebody's turn."""


def _pass_turnless(draft: Draft, index: int) -> bool:
    """End what waits for the turn of whoever comes first before an index, and has left or can't act.

    Whoever wakes by that may come before all others that are still to come: so the order is passed by one at a time.
    """
    state, rules = draft.state, draft.rules
    step = rules.present_step(state)
    waited = dict.fromkeys(anchor.partition(":")[2] for anchor in state.anchors if _is_of_turn(anchor))
    awaited = [who for who in waited if not rules.has_turns(state.fighters[who]) and _due(draft, who)]
    if not awaited or step is None or not step.turns:
        return False
    come = _reached(state)
    spots = {who: spot for who in awaited if (spot := _turnless_spot(rules, state, step, who, come, index)) >= 0}
    if not spots:
        return False
    draft.come = min(spots.values())
    first = [who for who, spot in spots.items() if spot == draft.come]
    gone = [who for who in first if who in state.gone]  # they come before the place at that spot
    who = max(gone, key=lambda who: state.gone[who].place.rank) if gone else first[0]
    draft.passed = state.gone[who].place.id if gone else state.agenda[draft.come].id
    end_turnless(draft, who)
    draft.come = draft.passed = 0
    return True


def _is_of_turn(anchor: str) -> bool:
    return anchor.partition(":")[0] in _OF_TURNS


def _turnless_spot(rules: Ruleset, state: State, step: Step, who: str, come: int, index: int) -> int:
    """Return how many places come before that of somebody who takes no turn there, if the order passes it; or -1.

    It passes what lies after the last place that has `come`, before the one at the index.
    """
    gone, occasion = state.gone.get(who), state.occasion
    places = [(i, p) for i, p in enumerate(state.agenda[:index]) if i > come and p.who == who]
    if gone is not None and come < (spot := spot_of(state.agenda, state.gone, who)) <= index:
        later = (other.place for other in state.gone.values() if other.place.rank < gone.place.rank)
        passed = any(place.come >= occasion for place in (gone.place, *later))
        places = [] if passed else [(spot, gone.place)]
    still = (
        i
        for i, p in places
        if p.done < occasion and not (p.waits and p.opened >= occasion) and rules.calls(state, step, p)
    )
    return next(still, -1)


def _due(draft: Draft, who: str, *heads: str) -> list[tuple[str, Effect]]:
    """Return what waits for somebody's turn and ends or counts there, unless it has counted this occasion already."""
    state = draft.state
    pairs = [pair for head in heads or _OF_TURNS for pair in state.anchors.get(f"{head}:{who}", ())]
    held = [(name, effect) for name, n in pairs if (effect := numbered(state.fighters[name], n)) is not None]
    return [(name, each) for name, each in held if not (draft.lasts(each) and each.counted >= state.occasion)]


def end_turnless(draft: Draft, who: str, *, told: bool = False) -> None:
    """End what waits for a turn that doesn't come, and say why, unless that is told; what ends by itself costs it."""
    rules, fighter = draft.rules, draft.state.fighters[who]
    due = _due(draft, who)
    _miss(draft, who)
    knows: set[str] = set()  # of whom the reason is said
    for name, effect in due:
        ended = draft.rules.said_of("ends", effect.id, effect)
        silent = told or name in knows or (name == who and effect.id in rules.incapable)
        if silent:
            text = None
        elif name == who:
            out = disabling(rules, fighter)
            text = say("condition.turnless_own", ended=ended, why=rules.said_of("begins", out.id))
        else:
            why = Title(unable(rules, fighter).reason.removesuffix("."))
            text = say("condition.turnless", ended=ended, why=why, who=who)
        if text is not None and not draft.lasts(effect):
            knows.add(name)
        _let_end(draft, name, effect, text)


def end_given_up(draft: Draft, who: str, *heads: str, until: float = inf) -> None:
    """End what waits for a turn that somebody has given up, where it would come; what lasts until they act goes on.

    What began after the condition with the number `until` waits for a later turn.
    """
    for name, effect in [each for each in _due(draft, who, *heads) if each[1].number <= until]:
        ended = draft.rules.said_of("ends", effect.id, effect)
        own = "_own" if name == who else ""
        _let_end(draft, name, effect, say(f"condition.given_up{own}", ended=ended, who=who))


def _let_end(draft: Draft, name: str, effect: Effect, text: Said | None) -> None:
    """Let a condition end with a turn that doesn't come, or count it; it may have gone with another one."""
    if numbered(draft.state.fighters[name], effect.number) is None:
        return
    if draft.lasts(effect):
        left = replace(effect, rounds=effect.rounds - 1, counted=draft.state.occasion)
        begins = draft.rules.said_begun(draft.state, effect.id, effect.value)
        words = say("condition.rounds", begins=begins, number=left.rounds)
        draft.renew(name, left, words)
        return
    draft.lapse(name, effect, text)
    draft.rules.follows(draft, Lapsed(name, effect))


def _miss(draft: Draft, who: str) -> None:
    """Note that somebody misses their turn, if what keeps them from it ends with it, and has none later."""
    rules, state, turn = draft.rules, draft.state, draft.state.turn
    outs = [e for e in state.fighters[who].effects if e.id in rules.incapable and e.anchor == f"turn_end:{who}"]
    if not (over := [effect for effect in outs if not draft.lasts(effect)]):
        return
    rule = over[0].rule or rules.cite.get("able", "")
    cited = (rule,) if rule else rules.cites(state, "turn_lost:waits")  # the order passes them by
    of, word = "", Title(over[0].id.replace("_", " "))
    for place in state.agenda:
        if place.who == who and place.done < state.occasion and (turn is None or turn.place != place.id):
            lose_turn(draft, place, state.occasion, say("turn.missed", of=of, word=word), cited)
            of = "besides"


def refill(draft: Draft, boundary: str, who: str | None = None, at: State | None = None) -> None:
    """Fill what a boundary fills, for one or for everybody, as it was `at` a moment, if that isn't the present.

    Joining gives nobody back what they have spent, counts nothing anew, and leaves what the GM has granted or taken.
    """
    state, slots = at or draft.state, draft.rules.slots
    fighters = [*state.fighters.values()] if who is None else [state.fighters[who]]
    pools = []
    for fighter in fighters:
        totals = draft.rules.refill(state, fighter, boundary)
        if boundary == "join":
            kept = {id for id, pool in fighter.pools.items() if pool.left < pool.total or pool.granted}
            totals = {id: total for id, total in totals.items() if id not in kept}
            had = {id: pool.total for id, pool in fighter.pools.items() if id not in slots}
            if totals.items() <= had.items():
                continue
        if totals:
            pools.append((fighter.name, tuple(totals.items())))
    if pools:
        cited = draft.rules.cites(state, f"refresh:{boundary}")
        fills = boundary == "join" or any(id in slots for _, totals in pools for id, _ in totals)
        of = boundary if fills else "counts"
        joined = state.fighters[who] if boundary == "join" and who is not None else None
        if joined is not None and not (draft.rules.able(joined) and draft.rules.has_purse(state, joined)):
            of = "unable"
        draft.emit(
            "refresh",
            who,
            text=say("refresh.filled", of=of),
            rules=cited,
            data=_filled(boundary, tuple(pools)),
        )


@lru_cache(maxsize=1024)
def _filled(boundary: str, pools: tuple[tuple[str, tuple[tuple[str, int | None], ...]], ...]) -> dict[str, object]:
    """Say what a boundary fills; the same text each time, so that a long log holds it once."""
    return {"pools": {name: dict(totals) for name, totals in pools}, "at": boundary}


def open_turn(draft: Draft, place: Place, stepped_in: str = "") -> None:
    """Begin a turn. Its opening fires once an occasion: effects that end at its start, and the pools it fills.

    `stepped_in` is the rule by which a delayer takes it now; then that is what ends the delay.
    """
    state = draft.state
    who = place.who
    if state.anchors and not stepped_in:  # the order had come as far before
        pass_places(draft, state.agenda.index(place))
        state = draft.state
    opening = place.opened < state.occasion
    data: dict[str, object] = {"place": place.id, "initiative": place.score}
    ends: list[tuple[str, Effect]] = []
    if state.anchors:
        ends = _ended_by(state, place)
    if ends:
        data["ends"] = [[n, to_builtins(e)] for n, e in ends]
        state = _unmodified(state, who, ends)  # what the turn fills is filled without
    amount = place.score if type(place.score) is int else None
    rules = draft.rules
    draft.emit("turn", who, amount=amount, text=_BEGINS, rules=rules.cites(state, "turn"), data=data)
    for name, effect in ends:
        if name == who and effect.id == "delayed" and (taken := stepped_in or _taken(rules, place, effect)):
            draft.end_effect(name, effect, rule=taken)
            continue
        draft.lapse(name, effect)
    if opening:
        refill(draft, "turn", who, state)
    for name, effect in ends:
        draft.rules.follows(draft, Lapsed(name, effect))


def _unmodified(state: State, who: str, ends: Iterable[tuple[str, Effect]]) -> State:
    """Return a state in which somebody still has the conditions that end, but none of the numbers they came with."""
    bare = {each.number: replace(each, modifiers={}) for name, each in ends if name == who and each.modifiers}
    if not bare:
        return state
    fighter = state.fighters[who]
    effects = tuple([bare.get(effect.number, effect) for effect in fighter.effects])
    return replace(state, fighters={**state.fighters, who: replace(fighter, effects=effects)})


def _taken(rules: Ruleset, place: Place, delayed: Effect) -> str:
    """Return what gives a turn to one who held back and lost nothing; empty if the delay ends as it says itself.

    They stepped in, and others before them, or were placed: where somebody was is noted as long as they only wait.
    """
    waited = isinstance(delayed.value, dict) and "count" not in delayed.value
    return place.why_rule or rules.cite.get("order", "") if waited and place.was is None else ""


def grant_turn(draft: Draft, who: str, text: Said, rules: tuple[str, ...] = ()) -> None:
    """Begin a turn out of order, which belongs to no place and no occasion, so that nobody loses their own turn."""
    draft.emit("turn", who, text=text, rules=rules, data={"place": 0})
    refill(draft, "turn", who)
    draft.pass_anchor(f"turn:{who}")
    draft.pass_anchor(f"turn_start:{who}")


def break_off(draft: Draft, rules: tuple[str, ...] = (), *, leaves: bool = False) -> list[Window]:
    """End the turn under way with all that is under way in it; without a turn, only what is under way.

    Where that is because its owner `leaves`, others are asked on about whatever doesn't wait with an action.

    Returns
    -------
    list of Window
        The closed windows in which somebody still must or may answer, whatever becomes of the turn: they have to be
        opened again.
    """
    owed: list[Window] = []
    state = draft.state
    gone = state.turn.who if leaves and state.turn is not None else None
    for depth in reversed(range(len(state.focus))):
        frame = state.focus[depth]
        if type(frame) is Turn:
            close_turn(draft, rules=rules)
            break
        if type(frame) is Window:
            waits = depth > 0 and type(state.focus[depth - 1]) is Act
            on = leaves and not waits
            must = bool(frame.bids) and all(bid.must for bid in frame.bids)
            text = say("window.moot") if frame.question else say("window.closes", of="must" if must else "")
            if (frame.question and not waits) or any(
                (bid.must or on) and not bid.answered and bid.who != gone for bid in frame.bids
            ):
                owed.insert(0, frame)
                text = say("window.still", about=Title(frame.about))
            elif any(not bid.answered for bid in frame.bids):
                text = say("window.cut", about=Title(frame.about))
            draft.emit("window_end", text=text, rules=rules, data={"window": frame.seq, "answer": None})
        elif type(frame) is Act:
            text = say("stopped.turn")
            draft.emit("stopped", frame.who, frame.action, text=text, rules=rules, data={"act": frame.seq})
            draft.pass_action(frame)
    return owed


def depart(draft: Draft, name: str, text: Said, rule: str = "", by: str = "rules") -> None:
    """Take a combatant off the ladder; its own turn ends with it."""
    turn, owed = draft.state.turn, []
    if turn is not None and turn.who == name:
        owed = break_off(draft, leaves=True)
    window = draft.state.window
    if window is not None and any(b.who == name and not b.answered for b in window.bids):
        draft.emit("answer", name, text=say("answer.excused"), by=by, data={"declined": True})
    own = draft.state.place_of(name)  # a turn beside it, such as a spell's, takes nothing from that one
    acted = own.done if own is not None else 0
    draft.effect(name, "left", value=acted or None, rule=rule, text=text, by=by)
    draft.end_effects(name, *draft.rules.moments)
    draft.emit("leave", name, text=say("leave.leaves"), rules=(rule,) if rule else (), by=by)
    draft.rules.follows(draft, Departed(name))
    reopen(draft, [excuse(window, name) for window in owed])


def close_turn(
    draft: Draft, *, given_up: bool = False, cut: bool = False, by: str = "rules", rules: tuple[str, ...] = ()
) -> None:
    """End the turn under way; one given up by delay is still to come, one that is cut was not played to its end."""
    turn = draft.state.turn
    assert turn is not None
    if given_up:
        draft.emit(
            "turn_end", turn.who, text=say("turn.waits"), rules=rules, by=by, data={"given_up": True, "turn": turn.seq}
        )
        return
    draft.rules.follows(draft, TurnEnds(turn, by))
    if draft.state.turn is not turn:  # it is put off
        return
    if draft.state.anchors:
        _miss(draft, turn.who)
        draft.pass_anchor(f"turn_end:{turn.who}")
    for action in draft.rules.neglected(draft.state, turn):
        draft.lapse_progress(turn.who, action, action.rule)
    cited = rules or draft.rules.cites(draft.state, "turn_end")
    data = {"turn": turn.seq} | ({"cut": True} if cut else {})
    draft.emit("turn_end", turn.who, text=_ENDS, rules=cited, by=by, data=data)


def take_back_turn(draft: Draft, rules: tuple[str, ...] = ()) -> None:
    """Take back the start of a turn that hasn't been used: what it ended holds again, what it filled is as before."""
    turn = draft.state.turn
    assert turn is not None
    draft.emit("turn_back", turn.who, text=say("turn.taken_back"), rules=rules, data={"turn": turn.seq})


def give_up_moved(draft: Draft, name: str) -> None:
    """Let an unused turn follow its place when that is moved: whoever now comes first begins."""
    turn = draft.state.top
    if type(turn) is not Turn or turn.who != name or not turn.place or turn.touched:
        return
    first = next_place(draft.rules, draft.state)
    if first is None or first.id != turn.place:
        take_back_turn(draft)


def admit(draft: Draft, name: str, acted: int = 0) -> None:
    """Let a newcomer in: their pools are filled, and they act this round only if their place is still to come.

    For somebody who comes back, what is spent stays spent, and `acted` is the occasion of their last turn: nobody has
    two in one.
    """
    refill(draft, "join", name)
    state, rules = draft.state, draft.rules
    place = state.place_of(name)
    if place is None:
        return
    if acted >= state.occasion > 0:
        text, cited = (
            say("turn.none_left", of=rules.occasion_title, occasion=Title(rules.occasion_title)),
            rules.cite["one_turn"],
        )
        if rules.staged and (step := rules.next_step_of(state, name)) is not None:
            text = say("turn.comes_in", number=step.number, title=Title(step.title))
            cited = rules.order_rule(state, step)
        lose_turn(draft, place, acted, text, (cited,))
        return
    come_late(draft, place)


def come_late(draft: Draft, place: Place) -> None:
    """Let somebody whose place has passed act from the next occasion on; who waits to step in comes late nowhere."""
    state, rules = draft.state, draft.rules
    turn = state.turn
    below = state.agenda[state.agenda.index(place) + 1 :]
    if turn is not None and turn.place:
        passed = any(p.id == turn.place for p in below)
    elif draft.come > state.agenda.index(place):
        passed = True
    else:  # one who opened a turn and gave it up has not acted there
        had = (p for p in below if p.opened >= state.occasion and p.done >= state.occasion)
        passed = any(state.fighters[p.who].effect("delayed") is None for p in had)
    if passed and not place.waits and place.done < state.occasion:
        text = say("turn.joins_next", of=rules.occasion_title, occasion=Title(rules.occasion_title))
        lose_turn(draft, place, state.occasion, text, rules.cites(state, "turn_lost:late"))
