"""How a fight ended, as a card: who won, the hardest blow, who dealt how much, how the sides fared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from combatkit.core.curtain import HIDDEN, VITAL_WORDS, VITALS, guised
from combatkit.core.guises import told
from combatkit.core.model import Event, Fighter, State
from combatkit.core.plain import counted
from combatkit.core.timeline import Timeline, standing
from combatkit.fight.fight import Encounter
from combatkit.report.words import clock_time, number_word, whole
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.shapes import Parts
from combatkit.rules.vitals import DEAD, DOWN
from combatkit.text import neutral
from combatkit.widgets._table import table_of
from combatkit.widgets._tokens import token
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import Dealt, End, Ended, Fact, Fared

_DEALT = 12
"""How many of those who dealt damage are named."""

_FELL, _STAND, _TIED = 8, 5, 2
"""How many are named in a fact; those who stand last leave room for the others on a picture."""

_LEFT = "What each side had left, from start to end"

# What the kit's own scenes call sides. What somebody types may be no noun at all: no sentence is built around it.
_GROUPS = frozenset(("crew", "cult", "empire", "gang", "garrison", "party", "watch"))
_MANY = frozenset(
    (
        *(
            "bandits",
            "beasts",
            "brigands",
            "dead",
            "foes",
            "goblins",
            "guards",
            "heroes",
            "hunters",
            "machines",
            "masks",
        ),
        *("players", "police", "raiders", "rebels", "thieves", "travellers", "undead"),
    )
)

_STOOD, _FALLEN, _GONE = "Still standing", "Fell", "Left the fight"


def end_view(vantage: Vantage) -> End:
    """Return the card; numbers are those of the events that stand, and players are told those that they may know.

    That is who won and who fell, and the rest where they see the numbers of everybody; of somebody hidden, nothing but
    that nobody has won as long as they stand.
    """
    rules, state = vantage.now.ruleset, vantage.now._state
    names = vantage.guises  # whoever is known by now is told of by that name from the first
    events = [told(event, names) if names else event for event in standing(vantage.encounter._events)]
    dealt: Counter[str] = Counter()
    unnamed = 0
    for event in events:
        if event.kind == "damage" and event.target in state.fighters:
            if event.actor in state.fighters:
                dealt[event.actor] += event.amount or 0
            else:
                unnamed += event.amount or 0
    sides = vantage.sides
    wins = _won(vantage)
    dealers: list[Dealt] = [
        {"who": token(state.fighters[name], sides), "name": name, "amount": amount}
        for name, amount in dealt.most_common(_DEALT)
        if amount
    ]
    victors = [f for f in state.fighters.values() if f.side == wins and not is_out(rules, state, f)]
    hides = vantage.players and state.options.get(VITAL_WORDS) != VITALS[2]
    card: End = {
        "title": victory(wins) if wins else "No side has won",
        "system": rules.languages[state.language].word(rules.title),
        "lead": _lead(vantage, events),
        "faces": [token(f, sides) for f in victors][:6],
        "facts": [
            *_those(_STOOD, victors, sides, _STAND),
            *_longest(vantage, events),
            *_facts(rules, state, sides, events),
            *([_fact("Damage with no attacker named", "", str(unnamed))] if unnamed else []),
        ],
        "dealt": dealers,
        "total": sum(dealt.values()) + unnamed,
        "fared": _fared(vantage, events) if rules.vitals and not hides else [],
    }
    if hides:
        known = [fact for fact in card["facts"] if fact["title"] in (_STOOD, _FALLEN, _GONE)]
        card |= {"facts": known, "dealt": [], "total": 0}
    if not vantage.players:
        if played := _last_played(vantage.encounter):
            card["back"] = played
        theirs = Vantage(vantage.encounter, "players")
        shown = end_view(theirs)
        told_of: Ended = {
            "title": shown["title"],
            "system": shown["system"],
            "lead": shown["lead"],
            "faces": shown["faces"],
            "facts": shown["facts"],
            "fared": shown["fared"] or _fared(theirs, events, standing=True),
            "caption": _LEFT if shown["fared"] else "How many still stood, round by round",
        }
        if title := vantage.encounter.title:
            told_of["scene"] = neutral(title)
        card["told"] = told_of
        if seats := [*table_of(vantage.encounter).plays]:
            card["seats"] = seats
    return card


def _last_played(encounter: Encounter) -> int:
    """Return the last event of what was done before the fight was ended."""
    line = encounter._timeline
    call = line.present
    while call is not None and call.state.stage == "over":
        call = line.now.before(call)
    return call.last if call is not None else 0


def _won(vantage: Vantage) -> str:
    """Return who has won, by a name that is told here; nobody, as long as somebody hidden still stands against them.

    That somebody still stood, all may know once the GM has ended the fight: a victory would be untrue.
    """
    rules = vantage.now.ruleset
    return winner(rules, vantage.now._state) if winner(rules, vantage.present._state) else ""


def winner(rules: Ruleset, state: State) -> str:
    """Return the side that stands, if it is the only one and there were others."""
    sides = dict.fromkeys(fighter.side for fighter in state.fighters.values())
    standing = {f.side for f in state.fighters.values() if not is_out(rules, state, f)}
    return standing.pop() if len(standing) == 1 and len(sides) > 1 else ""


def is_out(rules: Ruleset, state: State, fighter: Fighter) -> bool:
    """Check whether somebody is beaten, or may fall as soon as the GM says so."""
    return rules.is_beaten(fighter) or rules.may_fall(state, fighter)


def victory(wins: str) -> str:
    """Return who has won, in words: the same on every page, and right for whatever a side is called.

    Examples
    --------
    >>> victory("rebels"), victory("watch"), victory("me")
    ('The rebels win', 'The watch wins', 'Winner: me')
    """
    if wins in _GROUPS:
        return f"The {wins} wins"
    return f"The {wins} win" if wins in _MANY else f"Winner: {wins}"


def alone(wins: str) -> str:
    """Return in words which side alone still stands.

    Examples
    --------
    >>> alone("rebels"), alone("me")
    ('Only the rebels still stand.', 'Only one side still stands: me.')
    """
    if wins in _GROUPS:
        return f"Only the {wins} still stands."
    return f"Only the {wins} still stand." if wins in _MANY else f"Only one side still stands: {wins}."


def ending(vantage: Vantage) -> str:
    """Return the side that stands alone, for as long as it does: the GM is asked whether that was the fight.

    It waits until nobody is asked how somebody who fell stands, and while somebody hidden still stands. Damage that the
    GM notes by hand waits for nothing: whoever fells the last foe so knows how they stand.
    """
    rules, line = vantage.now.ruleset, vantage.encounter._timeline
    present, state = line.now.call_at(line.next_seq - 1), line.now.state
    wins = winner(rules, state)
    if not wins:
        return ""
    # After an undo nobody is asked, nor where the rules themselves tell who falls.
    if present.last == line.next_seq - 1 and rules.asks_who_falls:
        names, deed = open_falls(line, state, line.events[present.first - 1 : present.last])
        if names and not _is_noted(deed):
            return ""
    if any(fighter.effect(HIDDEN) is not None and not rules.is_beaten(fighter) for fighter in state.fighters.values()):
        return ""
    return wins


def open_falls(line: Timeline, now: State, events: Sequence[Event]) -> tuple[list[str], Sequence[Event]]:
    """Return who fell by what was done last, and what that was: those of whom the GM has not said how they stand.

    Any word of the GM's settles it, also that they stand as they do already.
    """
    said: list[str] = []
    while events and events[0].by == "gm" and events[0]._data.get("id") in (DOWN, DEAD):
        said += [event.target or "" for event in events]
        call = line.now.before(line.now.call_at(events[0].seq))
        events = line.events[call.first - 1 : call.last] if call is not None else ()
    fell = {e.target or "": e for e in events if e.kind == "effect" and e._data.get("id") in (DOWN, DEAD)}
    fallen = [now.fighters[name] for name in fell if name not in said and name in now.fighters]
    return [each.name for each in fallen if any(each.effect(id) is not None for id in (DOWN, DEAD))], events


def _is_noted(events: Sequence[Event]) -> bool:
    """Check whether the GM has noted damage by hand, also where its dice were rolled first."""
    return any(e.kind == "damage" and e.by == "gm" for e in [e for e in events if e.kind != "roll"][:1])


def _lead(vantage: Vantage, events: Sequence[Event]) -> str:
    clock, rules = vantage.now.clock, vantage.now.ruleset
    fought = clock.round and clock.round - _is_idle(events)
    rounds = counted(fought, rules.round_title.lower()) if fought else rules.round_label(0)
    time, took = clock_time(clock.seconds), sum(vantage.encounter._stopwatch.seconds.values())
    told = [f"{time} of fight"] * bool(time) + [f"{clock_time(took)} at the table"] * (took >= 1)
    return ", ".join([rounds, *told])


def _is_idle(events: Sequence[Event]) -> bool:
    """Check whether the last round, and no first one, had only begun: nobody has done anything in it."""
    begun = [number for number, event in enumerate(events) if event.kind == "round"]
    last = events[begun[-1] :] if len(begun) > 1 else ()
    return bool(last) and all(event.by == "rules" or event.kind in ("turn_end", "over") for event in last)


def _longest(vantage: Vantage, events: Sequence[Event]) -> list[Fact]:
    """Return the turn that took longest, if they were timed."""
    took = vantage.encounter._stopwatch.seconds
    turns = [event for event in events if event.seq in took and event.actor]
    if not turns:
        return []
    turn = max(turns, key=lambda event: took[event.seq])
    when = f"{whole(turn.actor or '')}, {vantage.now.ruleset.round_title.lower()} {turn.round}: "
    return [_fact("Longest turn", when, clock_time(took[turn.seq]))]


def _facts(rules: Ruleset, state: State, sides: dict[str, int], events: Sequence[Event]) -> list[Fact]:
    facts: list[Fact] = []
    blows = [e for e in events if e.kind == "damage" and e.actor in state.fighters and e.target in state.fighters]
    most = max((event.amount or 0 for event in blows), default=0)
    hardest = [event for event in blows if (event.amount or 0) == most]
    attacks = [event for event in events if event.kind == "attack"]
    facts += _hardest(hardest, most, attacks)
    missed = [event for event in attacks if event._data.get("outcome") == "miss" and event.actor]
    often = Counter(event.actor for event in missed).most_common(2)
    if often and len({number for _, number in often}) == len(often):  # alone with so many
        name, number = often[0]
        fact = _fact("Unluckiest", f"{whole(str(name))}: ", f"{number_word(number)} miss{'' if number == 1 else 'es'}")
        own = [event for event in missed if event.actor == name]
        facts.append(_with_natural(fact, ", one with a natural ", 1, own))
    least, order = _courses(rules, events)
    beaten = [f for f in state.fighters.values() if is_out(rules, state, f)]
    beaten.sort(key=lambda fighter: order.get(fighter.name, 0))
    facts += _closest(rules, [f for f in state.fighters.values() if f not in beaten], least)
    fell = [fighter for fighter in beaten if rules.is_felled(fighter) or rules.may_fall(state, fighter)]
    gone = [fighter for fighter in beaten if fighter not in fell]
    return [*facts, *_those(_FALLEN, fell, sides), *_those(_GONE, gone, sides)]


def _hardest(blows: Sequence[Event], amount: int, attacks: Sequence[Event]) -> list[Fact]:
    """Return the hardest blow; two that were equally hard are told together, and of more nothing is told."""
    pairs = list(dict.fromkeys((whole(event.actor or ""), whole(event.target or "")) for event in blows))
    if not 0 < len(pairs) <= _TIED:
        return []
    *others, (actor, target) = pairs
    told: Parts = [f"{actor} at {target}, " for actor, target in others]
    fact: Fact = {"title": "Hardest blow", "text": [*told, f"{actor} at {target}: ", {"strong": f"{amount}"}]}
    if len(blows) > 1:
        return [fact]
    (blow,) = blows
    tried = [e for e in attacks if e.seq < blow.seq and (e.actor, e.target) == (blow.actor, blow.target)]
    return [_with_natural(fact, ", with a natural ", 20, tried[-1:])]


def _those(title: str, fighters: Sequence[Fighter], sides: dict[str, int], most: int = _FELL) -> list[Fact]:
    """Return who did so, if anybody did."""
    parts: Parts = []
    for fighter in fighters[:most]:
        # No line ends between the mark and the name either.
        parts += [", " if parts else "", {"side": sides[fighter.side] % 8}, f"\N{NO-BREAK SPACE}{whole(fighter.name)}"]
    more = len(fighters) - most
    return [{"title": title, "text": [*parts, *([f" and {more} more"] if more > 0 else [])]}] if parts else []


def _closest(rules: Ruleset, stood: Sequence[Fighter], least: dict[str, int]) -> list[Fact]:
    """Return who came closest to going down, of those who stand at the end: also by 0, at which they fought on or rose.

    Nobody was close who kept half of what they have. Who had equally little are named together.
    """
    close: dict[tuple[float, int], list[tuple[str, int]]] = {}
    for fighter in stood:
        left, full = least.get(fighter.name), fighter.stats.get(rules.vitals[0].name)
        if left is not None and type(full) is int and 2 * left < full:
            close.setdefault((left / full, left), []).append((fighter.name, full))
    if not close:
        return []
    (_, left), those = min(close.items())
    names, fulls = zip(*those, strict=True)
    more = len(names) - _FELL
    who = [", ".join(map(whole, names[:_FELL])), *([f" and {more} more"] if more > 0 else []), ": "]
    full, *others = {*fulls}
    of = " points left" if others else f" of {full} left"
    return [{"title": "Closest call", "text": [*who, {"strong": str(left)}, of]}]


def _courses(rules: Ruleset, events: Sequence[Event]) -> tuple[dict[str, int], dict[str, int]]:
    """Return the least that was left to each of the first vital, and by which event who is down fell."""
    vital = rules.vitals[0].name if rules.vitals else ""
    outs = {DOWN, *rules.incapable, *rules.fallen}
    least: dict[str, int] = {}
    fell: dict[str, int] = {}
    for event in events:
        who, is_out = event.target or "", event._data.get("id") in outs
        left: int | None = event._data.get("left") if event._data.get("vital") == vital else None
        if left is not None:
            least[who] = max(0, min(left, least.get(who, left)))
        if (left is not None and left <= 0) or (event.kind == "effect" and is_out):
            fell.setdefault(who, event.seq)
        elif left is not None or (event.kind == "effect_end" and is_out):
            fell.pop(who, None)
    return least, fell


def _fact(title: str, before: str, strong: str, after: str = "") -> Fact:
    return {"title": title, "text": [neutral(before), {"strong": strong}, after]}


def _with_natural(fact: Fact, words: str, face: int, attacks: Sequence[Event]) -> Fact:
    """Return a fact with the natural 20, or 1, that one of its attacks was rolled with."""
    rolled = ((str(event._data.get("notation", "")), list(event._data.get("faces") or ())) for event in attacks)
    if any(dice.startswith("1d20") and faces == [face] for dice, faces in rolled):
        return {"title": fact["title"], "text": [*fact["text"], words, {"strong": str(face)}]}
    return fact


def _fared(vantage: Vantage, events: Sequence[Event], *, standing: bool = False) -> list[Fared]:
    """Return what each side had left of the first vital, or how many stood, at each round's start and at the end."""
    rules, state, sides = vantage.now.ruleset, vantage.now._state, vantage.sides
    rounds = [vantage.encounter.at(event.seq)._state for event in events if event.kind == "round"]
    rounds = rounds[: len(rounds) - _is_idle(events)]
    seen = state.fighters.keys()
    points: dict[str, list[int]] = {fighter.side: [] for fighter in state.fighters.values()}
    for at in (*rounds, state):
        sums = Counter[str]()
        for fighter in [each for each in guised(at, vantage.guises).fighters.values() if each.name in seen]:
            left = not rules.is_beaten(fighter) if standing else fighter.vitals.get(rules.vitals[0].name) or 0
            sums[fighter.side] += max(0, left)
        for side, line in points.items():
            line.append(sums[side])
    return [{"side": sides[side] % 8, "name": side, "points": line} for side, line in points.items()]
