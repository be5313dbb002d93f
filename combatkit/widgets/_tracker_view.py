"""The turn's controls as plain data: the clock, whose turn it is, open windows."""

from __future__ import annotations

from typing import Literal

from combatkit.core.model import Act, Bid, Event, Fighter, State, Window
from combatkit.registry import rulesets
from combatkit.report.shapes import Line
from combatkit.report.words import (
    clock_view,
    condition_word,
    number_word,
    ordinal,
    reason_parts,
    said_time,
    sides_view,
)
from combatkit.rules.case import Case
from combatkit.rules.checks import say_names
from combatkit.rules.judge import judge, with_target
from combatkit.rules.params import trigger_text
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.shapes import Parts
from combatkit.rules.windows import answers_left
from combatkit.text import neutral
from combatkit.widgets._decided import told_by_table
from combatkit.widgets._first_dice import rolled
from combatkit.widgets._fit import first
from combatkit.widgets._rung_acts import rung_acts
from combatkit.widgets._setup_view import setup_view
from combatkit.widgets._table import table_of
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import Answer, Asked, Ending, TrackerView, TurnWords, Way
from combatkit.widgets.shapes import Window as ShownWindow

UNTILS = (
    "",
    "end of round",
    "start of turn",
    "end of turn",
    "next action",
    "1 round",
    "2 rounds",
    "3 rounds",
    "10 rounds",
)
"""Until when a form sets a condition; a call takes any number of rounds, and another's turn."""

_ASKED = 4
"""How many are asked in a window; if there are more, only the first few, and the others answer from their budget."""

_SHOWN = 2

_READY = 4
"""How many who may use what they keep ready are named above the stage."""

_LINES = 4
"""How many lines of a call's result stand under the turn's controls."""

_MODES: dict[str, Literal["setup", "play", "over"]] = {"setup": "setup", "running": "play", "over": "over"}
"""What can be done, by the stage of the fight."""

_ASIDES = ("window", "answer", "refresh")
"""Kinds of event that are no result where a call came to something else: who was asked, and who let it go."""

_SET_UP = ("encounter", "table", "combatant", "begin")
"""Calls that begin with such an event set a fight up."""

_MANY = 110_000
"""How many bytes a list of names may take; a name that doesn't fit can be typed."""


def tracker_view(vantage: Vantage) -> TrackerView:
    """Return the view of the turn's controls."""
    now = vantage.now
    rules, state = now.ruleset, now._state
    sides = vantage.sides
    mode = "past" if vantage.past is not None else _MODES[state.stage]
    shown = [] if state.stage != "running" else _windows(vantage, rules, state)
    encounter = vantage.encounter
    view: TrackerView = {
        "mode": mode,
        "system": rules.id,
        "clock": clock_view(now.clock),
        "turn": _turn(rules, state, vantage),
        "end": _end(rules, state),
        "undo": _way("" if vantage.players else encounter.can_undo, "Undo"),
        "redo": _way("" if vantage.players else encounter.can_redo, "Redo"),
        "windows": shown,
        "result": _result(vantage) if mode in ("play", "over") and not shown else [],
        "announce": neutral(_announcement(vantage, rules, state)),
        "sides": sides_view(sides),
        "players": vantage.players,
        "dice": "table" if vantage.table else "seeded",
    }
    if vantage.players:
        return view
    asks = table_of(encounter).asked(vantage)
    if mode == "play" and (ready := [*asks, *(() if shown else _ready(vantage, rules, state))]):
        view["ready"] = ready
        view["announce"] = " ".join([*(f"{each['text']}." for each in asks), view["announce"]])
    watch = encounter._stopwatch
    if watch.runs and mode == "play":
        watch.lap()  # of what has just happened it may not have been told
        view["timer"] = round(watch.began * 1000)
    view["systems"] = [[each.id, each.title] for each in rulesets()] if mode == "setup" else []
    present = encounter._state
    view["setup"] = setup_view(rules, present, sides, mode)
    for name, faces in rolled(encounter).items():
        for member in view["setup"].get("combatants", ()):
            if member["name"] == name:
                member["summary"] = " · ".join(filter(None, [f"has rolled {faces[0]}", member["summary"]]))
    if mode == "setup" and vantage.keeps:
        view["setup"]["keeps"] = True
    gone = [f.name for f in present.fighters.values() if f.effect("left") is not None]
    view["gm"] = {
        "names": first((f.name for f in present.fighters.values() if f.effect("left") is None), _MANY),
        "conditions": condition_words(vantage),
        "untils": list(UNTILS),
    }
    if gone:
        view["gm"]["gone"] = first(gone, _MANY)
    return view


def condition_words(vantage: Vantage) -> list[str]:
    """Return the conditions that a form offers: the system's, and those kept on the shelf."""
    offered = [condition_word(each.id) for each in vantage.now.ruleset.conditions if each.offered]
    return list(dict.fromkeys([*offered, *(each.id for each in vantage.kept)]))


def _way(title: str, word: str) -> Way:
    return {"allowed": bool(title), "title": f"{word}: {title}" if title else f"Nothing to {word.lower()}."}


def _turn(rules: Ruleset, state: State, vantage: Vantage) -> TurnWords:
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
        title = f"{neutral(turn.who)}'s turn, interrupted" if turn is not None else "Interrupted"
        return {"title": title, "sub": neutral(who)}
    if turn is None:
        step = rules.present_step(state)
        chooses = step is not None and step.stops
        hint = "pick somebody on the ladder, then an action" if chooses else "anyone waiting may act now"
        seen = rules.presentation.now(state)
        if seen.roll_call is not None:
            hint = "say what each will do, then end the step"
        return {
            "title": "It's nobody's turn",
            "sub": " · ".join(word for word in (seen.headline, hint) if word),
        }
    headline = rules.presentation.now(state).headline
    fighter = state.fighters[turn.who]
    if rules.may_fall(state, fighter) and not vantage.hides(fighter):
        vital = rules.vitals[0]
        left = f"no {(vital.title or vital.name).lower()} left: end the turn if they are down"
        headline = " · ".join(word for word in (headline, left) if word)
    if headline:
        return {"title": f"{neutral(turn.who)}'s turn", "sub": headline}
    ladder = [place.who for place in state.agenda if rules.able(state.fighters[place.who])]
    sub = f"{ordinal(ladder.index(turn.who) + 1)} of {len(ladder)} this round" if turn.who in ladder else ""
    return {"title": f"{neutral(turn.who)}'s turn", "sub": sub}


def _result(vantage: Vantage) -> list[Parts]:
    """Return what the last call in the log came to, a line each; setting a fight up is no result.

    If that call was taken back, say so: what came before it is no news.
    """
    last = vantage.encounter._timeline.events[-1:]
    if last and last[0].kind == "undo":
        return [] if vantage.players else [[last[0].text[:1].upper() + last[0].text[1:]]]
    line, log_lines = vantage.encounter._timeline, vantage.log_lines
    call = line.now.call_at(log_lines.cursor(vantage.cursor) or 1)
    if _sets_up(line.events[call.first - 1]):
        return []
    lines = list(log_lines.span(call.first, call.last)[0].values())
    lines = [each for each in lines if line.events[each["seq"] - 1].kind not in _ASIDES] or lines
    told = lines if len(lines) <= _LINES else [lines[0], *lines[1 - _LINES :]]
    return [_told(each) for each in told]


def _sets_up(event: Event) -> bool:
    return event.kind in _SET_UP and event.round is None and "edited" not in event._data


def _told(line: Line) -> Parts:
    mark: Parts = [] if line["side"] is None else [{"side": line["side"] % 8}, " "]
    cited: Parts = [" ", {"rule": line["cite"][0]}] if line["cite"] else []
    return [*mark, f"{neutral(line['actor'])} " if line["actor"] else "", *line["text"], *cited]


def _end(rules: Ruleset, state: State) -> Ending:
    label = rules.end_title if state.turn is not None else "End step"
    window = state.window
    if window is not None and not window.soft:
        return {"label": label, "allowed": False, "reason": ["Waiting for an answer."]}
    if state.stage != "running":
        return {"label": label, "allowed": False, "reason": ["The fight isn't running."]}
    return {"label": label, "allowed": True, "reason": []}


def _announcement(vantage: Vantage, rules: Ruleset, state: State) -> str:
    if state.stage == "setup" or vantage.past is not None:  # the log says to which moment one has gone
        return ""
    if state.stage == "over":
        return "The fight is over."
    window = state.window
    if window is not None:
        asked = [bid for bid in window.bids if not bid.answered]
        words = f"{say_names([b.who for b in asked])} may react"
        if len(asked) == 1:
            words = _offer(rules, state, asked[0], vantage.hides(state.fighters[asked[0].who]))
        return f"{window.about}. {words}." if asked else f"{window.about}."
    clock = rules.clock(state)
    time = said_time(clock.seconds)
    turn = f"{state.turn.who}'s turn. " if state.turn is not None else "It's nobody's turn. "
    return f"{turn}{clock.label}{f', {time}' if time else ''}."


# ── windows ──


def _windows(vantage: Vantage, rules: Ruleset, state: State) -> list[ShownWindow]:
    """Return the window on top: those below wait for it."""
    window = state.window
    if window is None:
        return []
    asked = _by_concern(state, window)
    few = asked if len(asked) <= _ASKED else asked[: max(_SHOWN, sum(bid.must for bid in asked))]
    rows = [_asked(vantage, rules, state, bid) for bid in few]
    if window.question:
        row: Asked = {"who": "GM", "side": None, "text": "The GM decides", "sub": [{"rule": window.question}]}
        row["must"] = True
        row["choices"] = [] if vantage.players else first(window.choices, _MANY)
        rows.append(row)
    notes = _not_asked(vantage, rules, state, window)
    if len(few) < len(asked):
        notes.append([f"{len(asked) - len(few)} more may react: pick them on the ladder."])
    shown: ShownWindow = {
        "id": str(window.seq),
        "title": neutral(window.about),
        "question": bool(window.question),
        "rows": rows,
        "notes": notes,
    }
    if window.soft:
        shown["soft"] = True
    return [shown]


def _by_concern(state: State, window: Window) -> list[Bid]:
    """Return those who may answer: first who must, then whom it is aimed at, then the others down the ladder."""
    order = {place.who: index for index, place in reversed(list(enumerate(state.agenda)))}
    acts = (frame for frame in state.focus if isinstance(frame, Act) and frame.seq == window.threat)
    aimed = {target for act in acts for target in act.targets}
    asked = [bid for bid in window.bids if not bid.answered]
    return sorted(asked, key=lambda bid: (not bid.must, bid.who not in aimed, order.get(bid.who, len(order))))


def _asked(vantage: Vantage, rules: Ruleset, state: State, bid: Bid) -> Asked:
    fighter = state.fighters[bid.who]
    actions: list[Answer] = []
    sub: Parts = []
    for id in answers_left(rules, state, bid):
        action = rules.catalogue(state)[id]
        case = with_target(Case(rules, state, fighter, action))
        judged = judge(case)
        answer: Answer = {"id": id, "title": action.title}
        if judged.missing or told_by_table(case):
            answer["needs"] = True
        actions.append(answer)
        spends = _pools(rules, fighter, judged.pay) if not sub else ""
        if spends:
            sub = [f"Spends {spends} "]
    if bid.rule:
        sub.append({"rule": bid.rule})
    asked: Asked = {
        "who": bid.who,
        "side": vantage.sides[fighter.side],
        "text": neutral(_offer(rules, state, bid, vantage.hides(fighter))),
        "sub": sub,
        "actions": actions if vantage.acts_for(bid.who) else [],
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
    kept = _kept(rules, state, bid.who, bid.actions[0])
    return f"{bid.who} {word} {f'use {kept}' if kept else f'answer: {catalogue[bid.actions[0]].title.lower()}'}"


def _kept(rules: Ruleset, state: State, name: str, use: str) -> str:
    """Say which thing kept ready an action would use, and what that waits for; nothing if there is none."""
    catalogue = rules.catalogue(state)
    for effect in state.fighters[name].effects:
        if effect.watches and effect.value["use"] == use:
            word = catalogue[use].facts.get("word", "readied")
            title = catalogue[effect.value["action"]].title.lower()
            return f"the {word} {title}: {trigger_text(rules, state, effect.value['trigger'])}"
    return ""


def _ready(vantage: Vantage, rules: Ruleset, state: State) -> list[Asked]:
    """Return who may use what they keep ready at any time: the table sees when it is due."""
    found: list[Asked] = []
    for name, acts in rung_acts(rules, state).items():
        for act in acts:
            if "params" in act and len(found) < _READY:
                side, text = (
                    vantage.sides[state.fighters[name].side],
                    f"{name} may use {_kept(rules, state, name, act['id'])}",
                )
                found.append({"who": name, "side": side, "text": text, "sub": [], "actions": [{**act}]})
    return found


def _not_asked(vantage: Vantage, rules: Ruleset, state: State, window: Window) -> list[Parts]:
    """Say who keeps something ready and can't use it now, and why; about an NPC, only to the GM."""
    asked = {bid.who for bid in window.bids}
    notes: list[Parts] = []
    for name in state.watchers:
        if name in asked or name in window.by:
            continue
        fighter = state.fighters[name]
        if vantage.hides(fighter):
            continue
        for effect in fighter.effects:
            if effect.watches:
                action = rules.catalogue(state)[effect.value["use"]]
                against = judge(Case(rules, state, fighter, action, {"trigger": window.about})).objections
                found = next((o for o in against if o.reason and o.rule != rules.cite["reaction"]), None)
                if found is not None:
                    notes.append(reason_parts(f"Not asked: {name}. {found.reason}", found.rule))
    return notes
