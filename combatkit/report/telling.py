"""How each kind of event is told: one reader for each, by which a line begins, goes on, or is left out."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from msgspec import convert

from combatkit.core.curtain import HIDDEN, NOBODY, REVEALS
from combatkit.core.model import EVENT_KINDS, Bid, Effect, Event
from combatkit.core.timeline import strokes
from combatkit.report.effects import harms
from combatkit.report.words import (
    FAILS,
    after_colon,
    is_place,
    spaced,
    trigger_words,
)
from combatkit.rules.checks import tell_until
from combatkit.rules.params import said_trigger
from combatkit.rules.pools import ADJUSTED
from combatkit.rules.shapes import Parts
from combatkit.rules.sheet import said_revealed
from combatkit.rules.weapons import said_spot
from combatkit.rules.windows import said_asked
from combatkit.text import PLAIN, Title, say
from combatkit.text.phrases import capital

if TYPE_CHECKING:
    from combatkit.report.lines import LogLines
    from combatkit.report.open_line import OpenLine
    from combatkit.report.shapes import Line


def _on_quiet(log: LogLines, event: Event) -> None:
    if event.text:
        words = event.text if event.actor else capital(event.text)
        log.put(event, event.actor, [{"quiet": words}, *spaced(log.dice(event))])


def _on_encounter(log: LogLines, event: Event) -> None:
    seed = "" if log.players else str(event._data["seed"])
    log.put(event, None, [{"quiet": log.told(say("log.encounter", title=Title(log.rules.title), seed=seed))}])


def _on_said(log: LogLines, event: Event) -> OpenLine:
    return log.put(event, event.actor, [capital(event.text) if event.actor is None else event.text])


def _on_stopped(log: LogLines, event: Event) -> None:
    if event.actor == log.idle:
        log.idle = None
    if befell := log.drop_told_by(event):
        _on_said(log, event).tells.append(befell.seq)
    elif event._data.get("itself") and log.fell.get(event.actor, 0) > event._data["act"]:
        log.put(event, event.actor, [log.told(say("stopped.fell"))])  # others' answers came between
    elif event.text:
        _on_said(log, event)


def _on_combatant(log: LogLines, event: Event) -> None:
    if was := event._data.get(REVEALS):
        log.put(event, None, [capital(log.told(said_revealed("shown.reveals", was, str(event.actor))))])
    elif "edited" in event._data:
        if not (log.players and log.is_npc(event.actor)):
            log.put(event, event.actor, [event.text], gm=event.by == "gm")
    elif event.round is not None or (event.note and not log.is_secret(event)):
        said = "log.returns" if event._data.get("returns") else "log.joins"
        log.put(event, event.actor, [log.told(say(said, side=event._data["side"]))])


def _on_leave(log: LogLines, event: Event) -> None:
    if event.round is not None and event.by != "gm" and log.line_of(event.actor) is None:  # who escapes has left
        log.put(event, event.actor, [event.text])


def _on_round(log: LogLines, event: Event) -> None:
    assert event.round is not None
    log.round = event.round
    log.began[event.round] = event._data["seconds"]
    log.rolled.clear()
    log.head(event.seq, event.text, event._data["seconds"])


def _on_step(log: LogLines, event: Event) -> None:
    if event._data["index"] > 0:
        log.head(event.seq, event.text, event._data["seconds"])


def _on_roll(log: LogLines, event: Event) -> None:
    if event._data.get("purpose") == "initiative":
        log.rolled.add(event.actor)
    by_gm = event.by == "gm" and event.actor is None  # for what the GM deals out, which says what players may know
    if by_gm and log.players:
        return
    if "needed" in event._data and "waits" not in event._data:  # a check, which says what it took
        line, purpose = log.of_action(event), event._data["purpose"]
        if line is None:  # of an action that is nothing but this roll, its line says which
            line = log.put(event, event.actor, [log.told(say("log.checks", of=purpose, purpose=Title(purpose)))])
        needed = None if log.hides_numbers(event.actor) else event._data["needed"]
        is_said = "outcome" in line.event._data.get("params", ())
        came = say("log.against", needed=needed, outcome=Title("" if is_said else event._data.get("outcome") or ""))
        dice = after_colon(log.dice(event))
        line.parts += [", " if is_said and dice else "", *dice[is_said:], log.told(came)]
        return
    words = event.text if event.actor else capital(event.text)
    log.put(event, event.actor, [words, *after_colon(log.dice(event))])


def _on_initiative(log: LogLines, event: Event) -> None:
    if event.actor in log.rolled:
        return
    if event._data["place"]["score"] is None:  # until the dice fall, all wait alike
        log.fold(event, event.text)
    else:
        log.put(event, event.actor, [event.text])


def _on_order(log: LogLines, event: Event) -> None:
    if not event.text:
        return
    if event.by == "gm":
        log.put(event, event.actor, [event.text], gm=True)
        return
    line = log.line_of(event.actor)
    if line is None:
        return
    place = event._data["place"]
    does = log.does(line)
    if does == "delay":
        was = place.get("was")
        if place.get("waits"):
            line.say(log.told(say("log.delays", was=was)), event.rules)
        elif was in (None, place["score"]):  # without another count to delay to the event says itself where one comes
            line.say(log.told(say("log.delays_to", where=event.text)), event.rules)
        else:
            line.say(log.told(say("log.delays_from", was=was, score=place["score"])), event.rules)
    elif does != "act_now" or not line.say(event.text):
        line.add(event.text, event.rules)


def _on_turn(log: LogLines, event: Event) -> None:
    line = log.line_of(event.actor)
    # Whose delay leads into their own turn has been told what they do.
    log.idle = None if line is not None and log.does(line) == "delay" else event.actor


def _on_turn_end(log: LogLines, event: Event) -> None:
    if log.idle == event.actor and event._data.keys().isdisjoint(("given_up", "cut")):
        _tell_idle(log, event)
    log.idle = None


def _tell_idle(log: LogLines, event: Event, then: str = "") -> None:
    """Say that a turn has passed with nothing done, and what comes of its end in the same line."""
    log.put(event, log.idle, [{"quiet": "; ".join(filter(None, (log.told(say("log.idle")), then)))}])
    log.idle = None


def _on_turn_lost(log: LogLines, event: Event) -> None:
    if not event.text:
        return
    line = log.line_of(event.actor)
    if line is not None:
        line.add(event.text, event.rules)
    else:
        log.fold(event, event.text)


def _on_action(log: LogLines, event: Event) -> None:
    if event.actor == log.idle:
        log.idle = None
    if log.in_full == (event.actor, event.action):
        log.in_full = None  # what is done anew is told anew
    params = event._data.get("params", {})
    text = event.text
    parts: Parts = [text]
    trigger = params.get("trigger")
    if trigger and "action" in params and not (log.players and log.is_npc(event.actor)):
        actions = log.rules.catalogue(log.state).by_id
        keeper, chosen = actions.get(event.action or ""), actions.get(params["action"])
        verb = Title("readies" if keeper is None else keeper.facts.get("verb", "readies"))
        title = chosen.called if chosen is not None else str(params["action"])
        kept = params["action"]
        keeps = say("ready.keeps", of=kept, verb=verb, title=title)
        aims = params.get("target", ())
        aim = [aims] if isinstance(aims, str) else aims
        told = log.told(say("log.readies", of=kept, keeps=keeps, aim=aim))
        parts = [told, {"note": trigger_words(said_trigger(trigger, log.rules, log.state), log.language)}]
    line = log.put(event, event.actor, parts)
    if isinstance(trigger, dict):
        line.about = [line.about, trigger]


def _on_attack(log: LogLines, event: Event) -> None:
    dice = log.dice(event)
    word = event._data.get("outcome") or ""
    word = Title(FAILS.get(word, word))
    outcome = log.told(say(PLAIN, text=word))
    said: Parts = after_colon(dice)
    again = "roll" in event._data  # dice thrown before, to which help has come
    if again:
        said = after_colon([log.told(say("log.comes_to", total=event._data["total"]))])
    if said:
        needed = None if log.hides_numbers(event.target) else event._data.get("needed")
        said.append(log.told(say("log.came", needed=needed, outcome=word)))
    elif outcome:
        said = [f": {outcome}"]
    line, number = log.of_action(event), 1
    if line is not None and line.alike[:2] == (event.target, word) and line.parts[-1] == line.alike[3] and not dice:
        number += line.alike[2]
        mark = str(line.parts.pop())[:2]
        line.blow(event, [mark + log.told(say("log.alike", of=word, outcome=word, number=number))])
    elif line is not None and line.event.target == event.target:
        if line.struck and said:  # each blow with what it came to
            said = ["; ", *said[1:]] if len(said) > 1 else [f"; {outcome}"]
        line.blow(event, said)
    elif line is not None and event.target and not log.withholds:
        line.blow(event, [f"; {event.target}", *said])
    elif again:
        log.put(event, event.actor, said[1:])
    else:
        action = log.rules.catalogue(log.state).get(event.action or "")
        alone = None if action is None or "blows" in action.facts else action  # one blow of several is no action
        verb, on = ("attacks", "") if alone is None else (alone.verb or "attacks", alone.on)
        done = say("action.done", of=event.action or "", verb=Title(verb), on=Title(on), targets=event.target)
        log.put(event, event.actor, [log.told(done), *said])
    if line is not None and outcome:
        line.alike = (event.target, word, number, str(line.parts[-1]))


def _on_vital(log: LogLines, event: Event) -> None:
    if log.hides_numbers(event.target):
        hurt = event.kind == "damage" or (event.amount or 0) < 0
        # What one of the players threw they have seen; what armor leaves of it, and what is left then, they have not.
        thrown = () if event.actor is None or log.is_npc(event.actor) else log.dice(event)
        said = "log.recovers" if not hurt else "log.hurt" if harms(event) else "log.unhurt"
        log.put(event, event.target, [log.told(say(said)), *after_colon([*thrown])])
    else:
        by_gm = event.by == "gm" and event.actor is None  # what a blow takes is said for whoever struck it
        log.put(event, event.target, [event.text, *after_colon(log.dice(event))], gm=by_gm)


def _on_refresh(log: LogLines, event: Event) -> None:
    if event._data.get("at") == ADJUSTED:  # what a boundary fills is not told
        log.put(event, event.target, [event.text], gm=True)


def _on_progress(log: LogLines, event: Event) -> None:
    line = log.of_action(event)
    if event.actor == log.idle:
        log.idle = None
    deed = log.line_of(event.actor)
    if line is None and event._data.get("completed") and log.in_full == (event.actor, event.action):
        return  # reactions came between what was paid and the blow, which tells it
    if (line is not None and event._data["total"] == 1) or (deed is not None and event.text in str(deed.parts[0])):
        return  # it says so itself
    if deed is not None and log.says_less(deed) and deed.say(event.text):
        deed.tells.append(event.seq)
        return
    if line is not None and event._data["done"]:
        done = say("log.done_of", done=event._data["done"], total=event._data["total"])
        how_far: Parts = [" ", {"quiet": log.told(done)}]
        if how_far[1] not in line.parts:  # what is paid in full and done at once comes as far twice
            line.parts += how_far
        if event._data.get("completed") and log.unstruck() is line:
            log.in_full = line.action
    else:
        log.put(event, event.actor, [event.text])


def _on_effect(log: LogLines, event: Event) -> None:
    data = event._data
    if log.keeps(data["id"]) or not event.text:
        return
    line = log.line_of(event.target)
    if line is not None and log.says_less(line) and line.say(event.text):
        line.tells.append(event.seq)
        return
    action, given = log.done(line), data.get("value")
    plainly = event.text == log.told(log.rules.said_begun(log.state, data["id"], given))
    of_somebody = plainly and isinstance(given, str) and given in log.state.fighters  # whose it is, nothing else says
    by_another = data.get("watches") or (data["id"] in log.rules.told["begin"] and not of_somebody)
    if action is not None and action.facts.get("begins") == data["id"] and "value" not in data:
        by_another = True  # whoever drops prone is prone
    if event.by != "gm" and by_another:
        if line is not None:
            line.tells.append(event.seq)
    elif not _mirrors(log, event):
        text, id = event.text, data["id"]
        if plainly and "rounds" in data:
            text = log.told(say("log.lasts", text=text, number=data["rounds"]))
        elif plainly and event.by == "gm" and "anchor" in data and event.target:
            until = tell_until(log.rules, event.target, convert(data, Effect))
            text = log.told(say("log.ends", text=text, until=Title(until)))
        ends = str(data.get("anchor")).startswith("action:") and event.by != "gm"
        attack = log.unstruck() if ends and not plainly else None
        if attack is not None and line is attack:  # what it is made with, which ends with it
            attack.aside(event, text)
        else:
            log.put(event, event.target, [text], gm=event.by == "gm")
        if id in log.rules.incapable:
            log.fell[event.target] = event.seq


def _mirrors(log: LogLines, event: Event) -> bool:
    """Check whether the line before tells the same from the other side, as who is in melee with whom."""
    before = log.before(event, "effect")
    return before is not None and _names(before, event.target) and _names(event, before.target)


def _names(event: Event, who: str | None) -> bool:
    value = event._data.get("value")
    return isinstance(value, (list, tuple)) and who in value


def _on_effect_end(log: LogLines, event: Event) -> None:
    id = event._data["id"]
    if id == HIDDEN and log.players and (log.is_npc(event.target) or not log.sees(event.target or "")):
        # Whoever reads knew nothing of them: they don't come out of anything, they are there.
        log.put(event, event.target, [log.told(say("log.appears"))]).veil = NOBODY
        return
    untold = log.keeps(id) or event._data.get("anew") or not event.text
    if event.target == log.idle and event._data.get("anchor") == f"turn_end:{log.idle}":
        _tell_idle(log, event, "" if untold or _end_is_told(log, id, event.text) else event.text)
        return
    if untold:
        return
    line = log.line_of(event.target)
    does, action = log.does(line), log.done(line)
    if event.by == "gm":
        log.put(event, event.target, [event.text], gm=True)
    elif line is not None and (does == "use" or log.says_less(line)):
        line.say(event.text)
    elif action is not None and action.ends == (id,):
        return  # whoever stands up is no longer prone
    elif does != "ready" and not _end_is_told(log, id, event.text):
        if (attack := log.unstruck()) is None:
            log.put(event, event.target, [{"quiet": event.text}])
        else:
            attack.aside(event, event.text if line is attack else f"{event.target} {event.text}")


def _end_is_told(log: LogLines, id: str, text: str) -> bool:
    """Check whether another line tells that rules end a condition, or nothing has to."""
    told = log.rules.told
    return id in told["end"] or (id in told["lapse"] and text == log.told(log.rules.said_of("ends", id)))


def _on_move(log: LogLines, event: Event) -> None:
    """Say where an action has led so far, in its line until something comes between; of a path each step is told."""
    line = log.of_action(event)
    params = {} if line is None else line.event._data.get("params", {})
    if line is not None and "action" not in params and is_place(params.get("to")):
        more = "more" if _says_more(log, line) else ""
        line.parts[0] = log.told(say("log.leads", of=more, action=line.bare, to=said_spot(event._data["to"])))
    else:
        log.put(event, event.actor, [event.text], gm=event.by == "gm")


def _says_more(log: LogLines, line: OpenLine) -> bool:
    """Check whether an action says more than the deed: that the GM allows it, how it went, or in what way."""
    data, known = line.event._data, log.rules.parameters.by_id
    given = data.get("params", {})
    went = given.get("outcome") and log.told(say(PLAIN, text=Title(given["outcome"])))
    told = bool(went) and f": {went}" in str(line.bare)
    rest = [id for id in given if id == "option" or (known[id].told and id != "weapon")]  # with what, the roll says
    return told or bool(rest) or "overruled" in data


def _on_trigger(log: LogLines, event: Event) -> None:
    who = event.subject or None  # a person's words may begin with the name
    log.put(event, who, [event.text if who else capital(event.text)], gm=True)


def _on_window(log: LogLines, event: Event) -> None:
    asked = [convert(bid, Bid) for bid in event._data.get("bids", ())]
    bids = [bid for bid in asked if log.sees(bid.who)]
    before, log.asked = log.asked, bids
    if not log.sees_asked(event) or ("joins" in event._data and len(bids) < len(asked) and bids == before):
        return  # nobody is asked, or asked besides, whom those who read see
    words = log.told(said_asked(bids)) if bids else log.said_about(event)
    if event._data.get("question") and (deed := log.of_action(event)) is not None:
        words = words.rpartition(f"{event.actor} {deed.parts[0]}: ")[2]  # the line before says who does what
    who = None if bids or event._data.get("question") else event.actor
    line = log.put(event, who, [{"quiet": words if who else capital(words)}])
    if bids:
        line.about = [bid.who for bid in bids]  # of many only the first are named


def _on_answer(log: LogLines, event: Event) -> None:
    unable = event.text == log.told(say("answer.unable"))  # what befell them says it
    if event._data.get("declined") and event.text and not unable:
        log.fold(event, event.text)


def _on_window_end(log: LogLines, event: Event) -> None:
    if not log.tells_asked(event._data["window"]):
        return
    if event._data.get("answer") is not None:
        log.put(event, None, [capital(event.text)])
    elif event.note and not log.is_secret(event):
        log.put(event, None, [{"quiet": capital(event.text)}])


def _on_moved(log: LogLines, event: Event) -> None:
    """Strike the lines of calls that were taken back, or take the stroke off again."""
    log.close()
    struck: list[Line] = []
    for seqs, undone in strokes(event):
        for index in range(bisect_left(log.seqs, seqs.start), bisect_left(log.seqs, seqs.stop)):
            log.lines[index] = {**log.lines[index], "undone": undone}
            struck.append(log.lines[index])
    if not log.players:
        _on_quiet(log, event)
    elif struck or not log.withholds:  # of what was never told nobody learns that it was taken back
        log.put(event, event.actor, [{"quiet": capital(_uncounted(log, event.text, struck))}])


def _uncounted(log: LogLines, text: str, struck: Iterable[Line]) -> str:
    """Return which calls were taken back without a number of people, among whom may be some whom players do not see."""
    people = {str(line["actor"]) for line in struck}
    noun = log.told(say(PLAIN, text=Title(f"{len(people)} combatants"))).partition(" ")[2]
    whom = f" ({people.pop()})" if len(people) == 1 and "" not in people else ""
    return re.sub(rf"\b\d+ (?={noun}\b)", "", re.sub(rf" \(\d+ {noun}\)", lambda _: whom, text))


_on_table = _on_fact = _on_quiet
_on_damage = _on_vital
_on_begin = _on_over = _on_said
_on_undo = _on_redo = _on_moved

READERS: dict[str, Callable[[LogLines, Event], None]] = {
    kind: reader for kind in EVENT_KINDS if (reader := globals().get(f"_on_{kind}")) is not None
}
"""How each kind of event is told: by the function of its name; a kind without one is bookkeeping, and is not."""
