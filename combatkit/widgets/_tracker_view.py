"""The turn's controls as plain data: the clock, whose turn it is, open windows."""

from __future__ import annotations

from typing import Literal

from combatkit.core.model import Bid, Event, Fighter, State, Window
from combatkit.registry import rulesets
from combatkit.report.shapes import Line
from combatkit.report.words import clock_view, number_word, ordinal, reason_parts, said_time, sides_view
from combatkit.rules.case import Case
from combatkit.rules.checks import say_names
from combatkit.rules.flow import present_step
from combatkit.rules.judge import judge, with_target
from combatkit.rules.params import trigger_text
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.shapes import Parts
from combatkit.rules.windows import answers_left
from combatkit.widgets._fit import first
from combatkit.widgets._seat import Seat
from combatkit.widgets._setup_view import setup_view
from combatkit.widgets.shapes import Answer, Asked, Ending, TrackerView, TurnWords, Way
from combatkit.widgets.shapes import Window as ShownWindow

UNTILS = ("", "end of round", "start of turn", "end of turn", "next action")

_ASKED = 8
"""So many are asked in a window; of more only the first few are, and the others answer from their budget."""

_FIRST = 4

_LINES = 4
"""So many lines of what a call has come to stand under the turn's controls."""

_MODES: dict[str, Literal["setup", "play", "over"]] = {"setup": "setup", "running": "play", "over": "over"}
"""What can be done, by the stage of the fight."""

_SET_UP = ("encounter", "table", "combatant", "begin")
"""Calls that begin with such an event set a fight up."""

_MANY = 110_000
"""So many bytes a list of names takes; what does not fit can be typed."""


def tracker_view(seat: Seat) -> TrackerView:
    """Return the view of the turn's controls."""
    now = seat.now
    rules, state = now.ruleset, now._state
    sides = seat.sides
    mode = "past" if seat.past is not None else _MODES[state.stage]
    shown = [] if state.stage != "running" else _windows(seat, rules, state)
    encounter = seat.encounter
    view: TrackerView = {
        "mode": mode,
        "system": rules.id,
        "clock": clock_view(now.clock),
        "turn": _turn(rules, state),
        "end": _end(rules, state),
        "undo": _way("" if seat.players else encounter.can_undo, "Undo"),
        "redo": _way("" if seat.players else encounter.can_redo, "Redo"),
        "windows": shown,
        "result": _result(seat) if mode in ("play", "over") and not shown else [],
        "announce": _announcement(seat, rules, state),
        "sides": sides_view(sides),
        "players": seat.players,
        "dice": "table" if seat.table else "seeded",
    }
    if seat.players:
        return view
    watch = encounter._stopwatch
    if watch.runs and mode == "play":
        watch.lap()  # of what has just happened it may not have been told
        view["timer"] = round(watch.began * 1000)
    view["systems"] = [[each.id, each.title] for each in rulesets()] if mode == "setup" and not state.fighters else []
    present = encounter._state
    view["setup"] = setup_view(rules, present, sides, mode)
    if mode == "setup" and seat.keeps:
        view["setup"]["keeps"] = True
    view["gm"] = {
        "names": first((f.name for f in present.fighters.values() if f.effect("left") is None), _MANY),
        "vitals": [[vital.id, vital.title or vital.id] for vital in rules.vitals],
        "conditions": [each.id for each in rules.conditions if each.offered],
        "untils": list(UNTILS),
    }
    return view


def _way(title: str, word: str) -> Way:
    return {"allowed": bool(title), "title": f"{word}: {title}" if title else f"Nothing to {word.lower()}."}


def _turn(rules: Ruleset, state: State) -> TurnWords:
    if state.stage == "setup":
        sides = len({fighter.side for fighter in state.fighters.values()})
        return {"title": "", "sub": f"{len(state.fighters)} in, {sides} side{'' if sides == 1 else 's'}"}
    if state.round is None:
        return {"title": "", "sub": "not begun yet"}
    if state.stage == "over":
        return {"title": "The fight is over", "sub": ""}
    turn = state.turn
    asked = [bid.who for bid in state.window.bids if not bid.answered] if state.window is not None else []
    if state.window is not None and (turn is None or asked or state.window.question):
        who = "a question to the GM"
        if asked:
            who = f"{asked[0] if len(asked) == 1 else number_word(len(asked))} may react"
        return {"title": f"{turn.who}'s turn, interrupted" if turn is not None else "Interrupted", "sub": who}
    if turn is None:
        step = present_step(rules, state)
        chooses = step is not None and rules.stops(state, step)
        hint = "pick somebody on the ladder, then an action" if chooses else "whoever waits may act now"
        return {
            "title": "Nobody's turn",
            "sub": " · ".join(word for word in (rules.presentation.headline(state), hint) if word),
        }
    headline = rules.presentation.headline(state)
    if headline:
        return {"title": f"{turn.who}'s turn", "sub": headline}
    ladder = [place.who for place in state.agenda if rules.able(state.fighters[place.who])]
    sub = f"{ordinal(ladder.index(turn.who) + 1)} of {len(ladder)} this round" if turn.who in ladder else ""
    return {"title": f"{turn.who}'s turn", "sub": sub}


def _result(seat: Seat) -> list[Parts]:
    """Return what the last call that the log tells of came to, a line each; how a fight was set up is no result."""
    line, log_lines = seat.encounter._timeline, seat.log_lines
    call = line.now.call_at(log_lines.cursor(seat.cursor) or 1)
    if call is None or _sets_up(line.events[call.first - 1]):
        return []
    lines = list(log_lines.span(call.first, call.last)[0].values())
    told = lines if len(lines) <= _LINES else [lines[0], *lines[1 - _LINES :]]
    return [_told(each) for each in told]


def _sets_up(event: Event) -> bool:
    return event.kind in _SET_UP and "edited" not in event.data


def _told(line: Line) -> Parts:
    mark: Parts = [] if line["side"] is None else [{"side": line["side"] % 8}, " "]
    cited: Parts = [" ", {"rule": line["cite"][0]}] if line["cite"] else []
    return [*mark, f"{line['actor']} " if line["actor"] else "", *line["text"], *cited]


def _end(rules: Ruleset, state: State) -> Ending:
    label = rules.end_title if state.turn is not None else "End step"
    window = state.window
    if window is not None and not window.soft:
        return {"label": label, "allowed": False, "reason": ["An open window comes first."]}
    if state.stage != "running":
        return {"label": label, "allowed": False, "reason": ["The fight is not under way."]}
    return {"label": label, "allowed": True, "reason": []}


def _announcement(seat: Seat, rules: Ruleset, state: State) -> str:
    if state.stage == "setup" or seat.past is not None:  # the log says to which moment one has gone
        return ""
    if state.stage == "over":
        return "The fight is over."
    window = state.window
    if window is not None:
        asked = [bid for bid in window.bids if not bid.answered]
        words = f"{say_names([b.who for b in asked])} may react"
        if len(asked) == 1:
            words = _offer(rules, state, asked[0], seat.players and state.fighters[asked[0].who].npc)
        return f"{window.about}. {words}." if asked else f"{window.about}."
    clock = rules.clock(state)
    time = said_time(clock.seconds)
    turn = f"{state.turn.who}'s turn. " if state.turn is not None else "Nobody's turn. "
    return f"{turn}{clock.label}{f', {time}' if time else ''}."


# ── windows ──


def _windows(seat: Seat, rules: Ruleset, state: State) -> list[ShownWindow]:
    """Return the window on top: those below wait for it."""
    window = state.window
    if window is None:
        return []
    asked = [bid for bid in window.bids if not bid.answered]
    order = {place.who: index for index, place in reversed(list(enumerate(state.agenda)))}
    asked.sort(key=lambda bid: order.get(bid.who, len(order)))
    few = asked if len(asked) <= _ASKED else asked[:_FIRST]
    rows = [_asked(seat, rules, state, bid) for bid in few]
    if window.question:
        row: Asked = {"who": "GM", "side": None, "text": "The GM decides", "sub": [{"rule": window.question}]}
        row["must"] = True
        row["choices"] = [] if seat.players else first(window.choices, _MANY)
        rows.append(row)
    notes = _not_asked(seat, rules, state, window)
    if len(few) < len(asked):
        notes.append([f"{len(asked) - _FIRST} more may react: pick them on the ladder."])
    shown: ShownWindow = {
        "id": str(window.seq),
        "title": window.about,
        "question": bool(window.question),
        "rows": rows,
        "notes": notes,
    }
    if window.soft:
        shown["soft"] = True
    return [shown]


def _asked(seat: Seat, rules: Ruleset, state: State, bid: Bid) -> Asked:
    fighter = state.fighters[bid.who]
    actions: list[Answer] = []
    sub: Parts = []
    for id in answers_left(rules, state, bid):
        action = rules.catalogue(state)[id]
        judged = judge(with_target(Case(rules, state, fighter, action)))
        answer: Answer = {"id": id, "title": action.title}
        if judged.missing:
            answer["needs"] = list(judged.missing)
        actions.append(answer)
        spends = _pools(rules, fighter, judged.pay) if not sub else ""
        if spends:
            sub = [f"Spends {spends} "]
    if bid.rule:
        sub.append({"rule": bid.rule})
    asked: Asked = {
        "who": bid.who,
        "side": seat.sides[fighter.side],
        "text": _offer(rules, state, bid, seat.players and fighter.npc),
        "sub": sub,
        "actions": [] if seat.players else actions,
    }
    if bid.must:
        asked["must"] = True
    return asked


def _pools(rules: Ruleset, fighter: Fighter, pay: tuple[str, ...]) -> str:
    words = []
    for id in dict.fromkeys(pay):
        slot, pool = rules.slots.get(id), fighter.pools.get(id)
        if slot is None:
            continue
        title = slot.title
        words.append(f"{title.lower()}, {pool.left} of {pool.total} left" if pool is not None else title.lower())
    return "; ".join(words)


def _offer(rules: Ruleset, state: State, bid: Bid, hides: bool = False) -> str:
    """Say what somebody may answer with."""
    if len(bid.actions) != 1 or hides:
        return f"{bid.who} {'must answer' if bid.must else 'may react'}"
    word = "must" if bid.must else "may"
    catalogue = rules.catalogue(state)
    for effect in state.fighters[bid.who].effects:
        if effect.watches and effect.value["use"] == bid.actions[0]:
            kept = catalogue[bid.actions[0]].facts.get("word", "readied")
            title = catalogue[effect.value["action"]].title.lower()
            trigger = trigger_text(rules, state, effect.value["trigger"])
            return f"{bid.who} {word} use the {kept} {title}: {trigger}"
    return f"{bid.who} {word} answer: {catalogue[bid.actions[0]].title.lower()}"


def _not_asked(seat: Seat, rules: Ruleset, state: State, window: Window) -> list[Parts]:
    """Say who keeps something ready and cannot use it now, and why; of an NPC that is the GM's to know."""
    asked = {bid.who for bid in window.bids}
    notes: list[Parts] = []
    for name in state.watchers:
        if name in asked or name in window.by:
            continue
        fighter = state.fighters[name]
        if seat.players and fighter.npc:
            continue
        for effect in fighter.effects:
            if effect.watches:
                action = rules.catalogue(state)[effect.value["use"]]
                against = judge(Case(rules, state, fighter, action, {"trigger": window.about})).objections
                found = next((o for o in against if o.reason and o.rule != rules.cite["reaction"]), None)
                if found is not None:
                    notes.append(reason_parts(f"Not asked: {name}. {found.reason}", found.rule))
    return notes
