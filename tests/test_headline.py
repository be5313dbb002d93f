"""The headline tells the whole truth: random fights are played, and what is said of each call is held against events.

It knows nothing of how the line is made: it reads names and sums off the text, and counts them in the log.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import Any

import pytest

import combatkit as ck
from combatkit.core.curtain import hidden_in, shows_numbers
from combatkit.core.model import Act, Event, State, Window
from combatkit.report import effects
from combatkit.report.lines import LogLines
from combatkit.report.words import plain
from combatkit.widgets import _told
from combatkit.widgets._seat import SeatVantage, seat_tracker
from combatkit.widgets._table import table_of
from combatkit.widgets._tracker_view import tracker_view
from combatkit.widgets._vantage import Vantage
from tests.conformance.player import Player, some

SYSTEMS = tuple(ruleset.id for ruleset in ck.rulesets())
SMALL, LONG = 40, 2_000
"""How many calls of each system are held against the log."""

FEW, MANY = 2, 100
"""How many fights of each system are read on, and read afresh after each call."""

MOVES = (
    *("act",) * 4,
    *("attack",) * 8,
    *("answer",) * 5,
    *("end_turn",) * 3,
    *("resolve", "damage") * 2,
    *("adjust", "condition", "override", "trigger", "next_round", "undo", "redo", "hide"),
)
ASIDES = ("window", "answer", "refresh")
WORDS = ("nothing", "words", "numbers")


class Brawl(Player):
    """A fight of creatures of the shelf, with weapons and something to lose, half of them the players' own."""

    def __init__(self, system: str, rng: Random) -> None:
        self.accepted = self.refusals = 0
        self.told, self.placed = [], False
        options = {"vital_words": some(rng, WORDS)}
        self.enc = ck.Encounter(system, id="brawl", seed=rng.randrange(1000), options=options)
        shelf = ck.Shelf()
        known = shelf.search("", system=system)["name"].to_list()
        for number, name in enumerate(("Ada", "Bo", "Cy", "Dee", "Eve", "Fay")):
            taken = shelf.take(some(rng, known), system=system)
            self.enc.add(**{**taken, "name": name, "side": "red" if number % 2 else "blue", "npc": number >= 3})
        self.start(rng)

    def attack(self, rng: Random) -> None:
        """Let whoever may attack do so, now and then with dice of the table."""
        names = [self.enc.active] if self.enc.active else list(self.enc.names)
        name = some(rng, names)
        tags = self.enc.ruleset.catalogue(self.enc._state)
        found = [o for o in self.enc.options(name) if o.allowed and "attack" in tags[o.action].tags]
        if not found:
            self.end_turn(rng)
            return
        option = some(rng, found)
        given, _ = self.fill(rng, name, option.action, option.needs)
        takes = tags[option.action].takes
        if "damage" in takes and not rng.randrange(4):
            given["damage"] = some(rng, [7, "3d6", "2d6+1"])
        rolls = {"attack": [some(rng, (20, 17, 3))]} if not rng.randrange(3) else None
        self.attempt(lambda: self.enc.do(name, option.action, rolls=rolls, **given))

    def damage(self, rng: Random) -> None:
        """Deal damage out."""
        names = [name for name in self.enc.names if not rng.randrange(3)]
        self.attempt(lambda: self.enc.damage(names, some(rng, (2, 5, "1d6"))))

    def hide(self, rng: Random) -> None:
        """Hide somebody from the players, or show them."""
        name = some(rng, self.enc.names[3:] or self.enc.names)
        self.attempt(lambda: self.enc.condition(name, "hidden", off=bool(rng.randrange(2))))

    def condition(self, rng: Random) -> None:
        """Let a condition begin."""
        name, id = some(rng, self.enc.names), some(rng, ["prone", "stunned", "dead", "down", "unconscious"])
        self.attempt(lambda: self.enc.condition(name, id, off=not rng.randrange(3)))


def since(enc: ck.Encounter) -> list[Event]:
    """Give the events of the last call, with those before it that a hard window it goes on from has waited for."""
    now = enc._timeline.now
    calls = list(enc._timeline.done)
    call, *older = calls
    start = call.first
    focus: tuple[Any, ...] = older[0].state.focus if older else ()
    for index, frame in enumerate(focus):
        if isinstance(frame, Window) and not frame.soft:
            below = focus[index - 1] if index else None
            start = below.seq if isinstance(below, Act) else frame.seq
            break
    found = [event for each in calls if each.last >= start for event in now.log[each.first - 1 : each.last]]
    return sorted((event for event in found if event.seq >= start), key=lambda event: event.seq)


class Reader:
    """Somebody who reads the headline: what they may know, and what they are told."""

    def __init__(self, enc: ck.Encounter, name: str) -> None:
        self.enc, self.name = enc, name
        self.players = name != "GM"
        if name == "seat":
            table_of(enc).plays["Anna"] = ("Ada",)
            self.vantage: Vantage = SeatVantage(enc, "Anna")
        else:
            self.vantage = Vantage(enc, "players" if self.players else "gm")

    def said(self) -> tuple[str, str] | None:
        """Give what stands in the result zone; None while it tells something else."""
        view = (seat_tracker if self.name == "seat" else tracker_view)(self.vantage)
        result = view.get("result")
        return None if result is None else (plain(result["text"]), plain(result["sub"]))

    def knows(self, state: State, who: str) -> bool:
        """Check whether somebody's numbers are told."""
        return not self.players or told_to_all(state, who)


def told_to_all(state: State, who: str) -> bool:
    """Check whether somebody's numbers are told to players too."""
    fighter = state.fighters[who]
    return not fighter.npc or shows_numbers(state, fighter)


def faults(reader: Reader, events: list[Event]) -> Iterator[str]:
    """Yield what is wrong with what is said of events."""
    enc = reader.enc
    state, rules = enc._state, enc.ruleset
    log = LogLines(rules, reader.players)
    log.read(enc._events, enc._events.begins, state, {})
    lines = list(log.span(events[0].seq, events[-1].seq)[0].values())
    numbers = {event.seq: event for event in events}
    lines = [line for line in lines if line["seq"] in numbers]
    shown, named = {line["seq"] for line in lines}, log.told_in(lines)
    actors = {(numbers[s].actor, numbers[s].action) for s in shown if numbers[s].kind in ("action", "attack", "roll")}
    unseen: Collection[str] = hidden_in(state) if reader.players else ()
    losses, blows, falls, gains, brought = [], [], [], [], []
    for before, event in zip([None, *events], events, strict=False):
        hurt = (
            event.kind == "effect" and before is not None and (before.kind, before.target) == ("damage", event.target)
        )
        if event.kind == "damage" or (event.kind == "vital" and (event.amount or 0) < 0):
            losses += [event] if event.seq in shown else []
        elif event.kind == "vital" and event.amount and event.by != "gm":
            gains += [event] if event.seq in shown else []
        elif hurt and event.by != "gm" and event._data["id"] not in rules.incapable:
            brought += [event] if event.seq in shown else []
        elif event.kind == "effect" and event._data["id"] in rules.incapable - {"left"}:
            falls += [event] if event.seq in named else []  # of who dies by a deed its line tells
        elif event.kind == "attack" and not {event.actor, event.target} & {*unseen}:
            blows += [event] if event.seq in shown or (event.actor, event.action) in actors else []
    if not (losses or blows or falls or gains):
        return
    said = reader.said()
    if said is None:
        yield "nothing is said"
        return
    text, sub = said
    sums: dict[str, Counter[str]] = {}
    usual = rules.vitals[0].name
    for event in losses:
        assert event.target is not None
        vital = event._data.get("vital", usual)
        taken = abs(event.amount or 0) + event._data.get("temporary", 0)
        sums.setdefault(event.target, Counter())["" if vital == usual else vital] += taken
    places = {}
    for name, lost in sums.items():
        clause = re.search(rf"(?:^|\. |: ){name} ((?:loses|takes)[^.]*)\.", text)
        if clause is None:
            yield f"what {name} lost is not said"
            continue
        places[name] = clause.start()
        parts = re.split(r", | and | \(", re.sub(r" of \d+ dealt", "", clause[1]))
        spoken = [
            m for part in parts if (m := re.fullmatch(r"(?:loses |takes )?(\d+)(?: (?!left|of )([A-Za-z ]+))?", part))
        ]
        told = {"" if m[2] in (None, "damage", usual) else m[2]: int(m[1]) for m in spoken}
        if not reader.knows(state, name):
            if re.search(r"\d", clause[1]):
                yield f"a number of {name}'s is told"
        elif told != points(lost):
            yield f"{name} lost {dict(lost)}, and {told} is said"
    came_back: dict[str, Counter[str]] = {}
    for event in gains:
        came_back.setdefault(str(event.target), Counter())[event._data["vital"]] += event.amount or 0
    for name, got in came_back.items():
        clause = re.search(rf"(?:^|\. ){name} (recovers ([^.]*)|heals)\.", text)
        if clause is None:
            yield f"what {name} got back is not said"
        elif not reader.knows(state, name):
            if clause[1] != "heals":
                yield f"a number of {name}'s is told"
        elif {m[2]: int(m[1]) for m in re.finditer(r"(\d+) ([A-Za-z ]+?)(?:, | and |$)", clause[2])} != points(got):
            yield f"{name} got {dict(got)} back, and {clause[1]} is said"
    for event in (*falls, *brought):
        mine = [s for s in re.split(r"(?<=\.) ", text) if s.startswith(f"{event.target} ")]
        if not any(event.text in s for s in mine):
            yield f"that {event.target} {event.text} is not said"
    for event in falls:
        places.setdefault(str(event.target), text.find(f"{event.target} "))
    struck: dict[tuple[Any, Any], Counter[str]] = {}
    for event in blows:
        struck.setdefault((event.actor, event.target), Counter())[event._data.get("outcome") or "?"] += 1
    for (who, whom), came in struck.items():
        if sorted(came.elements()) != sorted(told_of(text, who, whom)):
            yield f"{who} at {whom} came to {dict(came)}, which is not said"
    if places:
        dead = {e.target for e in falls if e._data["id"] == "dead"}
        fell = {e.target for e in falls}
        grave = {
            # The same for all who read it: by what players may know.
            n: (2 if n in dead else n in fell, sum(sums.get(n, {}).values()) if told_to_all(state, n) else 0)
            for n in places
        }
        top = max(grave.values())
        if grave[min(places, key=lambda n: places[n])] != top:
            yield "the gravest is not named first"
    spelled = {e.seq for e in (*losses, *falls, *blows, *gains, *brought)}
    # What a window is about that they see.
    spelled |= {frame.seq for frame in reader.vantage.now._state.focus if isinstance(frame, Act)}
    # That the GM let an answer fail is said by what it came to.
    failed = {(e.actor, e.action) for e in events if e.kind == "fact" and e.action and f"{e.actor} {e.text}." in text}
    asked = {e.seq for e in events if e.kind == "window" and (e.actor, e.action) in failed}
    spelled |= {e.seq for e in events if e.kind == "window_end" and e._data["window"] in asked}
    deeds = {(e.actor, e.action) for e in blows}
    stops = [event for event in events if event.kind == "stopped" and event._data.get("by")]
    deeds |= {each for stop in stops for each in (*map(tuple, stop._data["by"]), (stop.actor, stop.action))}
    fallen = {e.seq for e in falls}
    other = [line for line in lines if not ({line["seq"]} & spelled or {*log.tells(line)} & fallen)]
    other = [line for line in other if numbers[line["seq"]].kind not in ASIDES]
    kinds = {line["seq"]: numbers[line["seq"]] for line in other}
    other = [
        line
        for line in other
        if kinds[line["seq"]].kind == "stopped" or (kinds[line["seq"]].actor, kinds[line["seq"]].action) not in deeds
    ]
    whole, unsaid = f"{text} {sub}", []
    for phrase in sorted((spoken_of(line) for line in other), key=len, reverse=True):
        unsaid += [] if phrase in whole else [phrase]
        whole = whole.replace(phrase, "", 1)
    more = int(found[1]) if (found := re.search(r"(\d+) more in the log", sub)) else 0
    if more != len(unsaid):
        yield f"{more} more in the log, and these are not named: {unsaid}"
    if more and len(losses) + len(blows) + len(falls) + len(gains) + len(other) <= 2:
        yield f"{more} more in the log, of two"


def points(sums: Counter[str]) -> dict[str, int]:
    """Give sums by what so many of each vital are called."""
    called = {"force_points": "Force Point{}", "end": "endurance"}
    return {called.get(id, id.replace("_", " ")).format("" if n == 1 else "s"): n for id, n in sums.items()}


def spoken_of(line: Any) -> str:
    """Give a line of the log as it is said: without what is only for who looks closely."""
    loud = [part for part in line["text"] if not (isinstance(part, dict) and "quiet" in part)]
    return plain([f"{line['actor']} ", *(loud if plain(loud) else line["text"])]).rstrip(".")


def told_of(text: str, who: str, whom: str) -> list[str]:
    """Give what is said that somebody's blows at somebody came to."""
    found: list[str] = []
    times = r"(?: (once|twice|\d+ times))?"

    def often(said: str | None) -> int:
        return 1 if said in (None, "once") else 2 if said == "twice" else int(said.split()[0])

    for m in re.finditer(rf"\b{who} hits {whom}{times}( and misses{times})?", text):
        found += ["hit"] * often(m[1])
        found += ["miss"] * (often(m[3]) if m[2] else 0)
    for m in re.finditer(rf"\b{who} misses {whom}{times}", text):
        found += ["miss"] * often(m[1])
    for m in re.finditer(rf"\b{who} attacks {whom}[^:.]*: ([^.]*)\.", text):
        found += ["?" if "comes to" in each else each for each in m[1].split(", ")]
    return found


def look(system: str, calls: int, readers: Collection[str] = ("GM", "seat", "screen")) -> tuple[int, list[str]]:
    """Play so many calls, and give how many of them came to something, and the faults of what is said."""
    seen, found, number = 0, [], 0
    while seen < calls:
        rng = Random(f"{system} {number}")
        number += 1
        fight = Brawl(system, rng)
        reads = [Reader(fight.enc, name) for name in readers]
        for step in range(60):
            before = len(fight.enc._events)
            getattr(fight, some(rng, MOVES))(rng)
            new = fight.enc._events[before:]
            if len(new) == 0 or new[0].kind in ("undo", "redo") or fight.enc._state.stage != "running":
                continue
            seen += 1
            events = since(fight.enc)
            wrong = [f"{r.name}: {fault}" for r in reads for fault in faults(r, events)]
            if wrong:
                found.append(f"{system} fight {number - 1} step {step}: {wrong}")
            if seen >= calls:
                break
    return seen, found


def read(enc: ck.Encounter, name: str) -> tuple[str, str]:
    """Give what somebody is told of the last call."""
    said = Reader(enc, name).said()
    assert said is not None
    return said


@pytest.mark.parametrize("calls", [SMALL, pytest.param(LONG, marks=pytest.mark.long)])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_headline_tells_every_blow_and_loss_and_whoever_fell(system: str, calls: int) -> None:
    seen, found = look(system, calls)
    sys.stdout.write(f"{system}: {len(found)} of {seen} calls are told wrongly\n")
    assert found == []


def told(log: LogLines) -> tuple[Any, ...]:
    """Give what a log has told so far."""
    return log.span(0, log.index.count), {line["seq"]: log.tells(line) for line in log.lines}


def headline(enc: ck.Encounter) -> str:
    """Give what the GM's headline says, and what stands below it."""
    shown = tracker_view(Vantage(enc))["result"]
    assert shown is not None
    return f"{plain(shown['text'])} / {plain(shown['sub'])}"


def test_the_end_of_a_phase_leaves_the_last_blow_in_the_headline() -> None:
    enc = ck.scene("catwalk").encounter("phases", seed=7)
    told, steps = "", 0
    for _ in range(60):
        before = len(enc._events)
        deed = ck.tactics.strike(enc, str(enc.active))
        if deed is not None:
            enc.do(str(enc.active), deed.action, **deed.params)
        else:
            enc.end_turn()
        new = [event.kind for event in enc._events[before:]]
        if "step_end" in new and not {"vital", "round"} & {*new}:
            steps += 1
            assert headline(enc) == told
        told = headline(enc)
        if {"vital", "round"} <= {*new}:  # a Recovery is news, who rises by it first
            rises = next((e for e in enc._events[before:] if e.kind == "effect_end" and e.data["id"] == "down"), None)
            who = "" if rises is None else rises.target
            assert rises is None or re.match(rf"{who} recovers \d+ stun\. {who} is no longer down\.", told)
    assert steps > 3


def test_what_a_loss_is_of_is_said_where_there_are_several_and_what_it_brings_with_it() -> None:
    enc = ck.scene("catwalk").encounter("phases", seed=7)
    enc.do("Vex", "strike", target="Mara", rolls={"attack": [6, 6, 6]}, damage=5)
    assert "Mara loses 5 stun, 25 of 30 left." in headline(enc)
    enc = ck.scene("catwalk").encounter("d6", seed=7)
    enc.damage("Mara", 40)
    assert re.search(r"Mara loses \d+.* and is wounded\.", headline(enc).partition(" / ")[0])


@pytest.mark.parametrize("fights", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_log_read_on_call_by_call_tells_what_one_read_at_once_tells(system: str, fights: int) -> None:
    for number in range(fights):
        rng = Random(f"{system} {number}")
        fight = Brawl(system, rng)
        enc = fight.enc
        logs = [LogLines(enc.ruleset, players) for players in (False, True)]
        for step in range(60):
            for log in logs:
                log.read(enc._events, enc._events.begins, enc._state, {})
                afresh = LogLines(enc.ruleset, log.players)
                afresh.read(enc._events, enc._events.begins, enc._state, {})
                assert told(log) == told(afresh), f"fight {number}, step {step}, players: {log.players}"
            getattr(fight, some(rng, MOVES))(rng)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_blow_that_is_left_out_is_found(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def without(events: Sequence[Event], falling: Collection[str], usual: str) -> list[effects.Suffered]:
        last = max((e.seq for e in events if e.kind in ("attack", "damage")), default=0)
        return suffered([event for event in events if event.seq != last], falling, usual)

    suffered = effects.suffered
    monkeypatch.setattr(_told, "suffered", without)
    _, found = look(system, SMALL)
    assert found, "a call is told without its last blow, and nobody minds"


def test_on_a_phone_a_blow_leaves_little_room_for_what_happened_besides() -> None:
    enc = ck.Encounter("phases", seed=7)
    for name, side in (("Mara", "rebels"), ("Toren", "rebels"), ("Vex", "hunters")):
        enc.add(name, side=side, npc=name == "Vex", stun=30)
    enc.start()
    while enc.active != "Vex":
        enc.end_turn()
    enc.do("Vex", "half_move")
    enc.resolve(answer=["Mara", "Toren"])
    enc.resolve(answer="failed")
    enc.do("Mara", "attack_of_opportunity", target="Vex")
    enc.resolve()
    text, sub = read(enc, "seat")
    assert "Vex (attack of opportunity)" in text
    assert len(sub) < 130
    assert sub.endswith("more in the log.")


def test_three_attacks_at_once_are_summed_up() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Crypt thing", side="dead", npc=True, aac0=15, ac=5, hp=20, attacks=["MELEE: 2 claws (1d4) and bite (1d6)"])
    enc.add("Pell", side="party", ac=5, hp=8)
    enc.start()
    enc.do("Crypt thing", "declare", action="attack")
    while enc.active != "Crypt thing":
        enc.end_turn()
    enc.do("Crypt thing", "attack", target="Pell", rolls={"attack": [18, 15, 4], "damage": [3, 2]})
    for reader in ("GM", "screen"):
        text, sub = read(enc, reader)
        assert text == "Crypt thing hits Pell twice and misses once. Pell loses 5, 3 of 8 left."
        assert sub.startswith("18 hit, 15 hit, 4 miss; 3, 2 damage. Pell is bloodied.")
    told = str(enc.log())
    assert "1d20 ⟦18⟧ against 10, hit; 1d20 ⟦15⟧ against 10, hit; 1d20 ⟦4⟧ against 10, miss" in told, (
        "each die stands beside what it came to"
    )


def test_a_counter_blow_is_told_with_the_attack_it_answers() -> None:
    enc = ck.Encounter("ap", seed=7)
    for name, side, npc in (("Wolf", "wild", True), ("Corin", "party", False), ("Ann", "party", False)):
        weapon = {"name": "Fang", "damage": "2d6"}
        enc.add(name, side=side, npc=npc, attack_bonus=5, defense=5, hp=20, weapons=[weapon])
    enc.start()
    while enc.active != "Wolf":
        enc.end_turn()
    enc.do("Wolf", "attack", target="Corin", rolls={"attack": [15], "damage": [3, 1]})
    enc.do("Corin", "counter_attack", target="Wolf", rolls={"attack": [18], "damage": [6, 4]})
    if enc.pending:
        enc.resolve()  # nobody else; the attack goes on in a call of its own
    wolf = "Corin hits Wolf (counter-attack). Wolf loses 10, 10 of 20 left."
    corin = "Wolf hits Corin. Corin loses 4, 16 of 20 left."
    assert read(enc, "GM")[0] == f"{corin} {wolf}", "in the order in which players read it"
    text, sub = read(enc, "screen")
    assert text == f"{corin} Corin hits Wolf (counter-attack). Wolf takes damage."
    assert "Corin: 18 + 5 = 23 hit, 6 4 = 10 damage" in sub, "what a player threw they have seen"


def test_of_two_strikes_at_one_each_deals_its_own() -> None:
    enc = ck.Encounter("segments", seed=1)
    for name in ("Ada", "Bo"):
        enc.add(name, side=name, hp=40, aac0=15, ac=5, attacks=["MELEE: claw (1d4)"])
    enc.start()
    while enc.active is None:
        enc.end_turn()
    enc.trigger("Bo", text="Bo runs past")
    enc.do("Ada", "free_attack", target="Bo", rolls={"attack": [18], "damage": [3]})
    enc.do("Ada", "immediate_attack", target="Bo", rolls={"attack": [17], "damage": [2]})
    assert read(enc, "GM")[1].startswith("18 hit, 3 damage; 17 hit, 2 damage.")


@pytest.mark.parametrize(("id", "does"), [("parry", "parries"), ("evade", "evades")])
@pytest.mark.parametrize("hidden", [False, True])
def test_an_answer_that_failed_stands_between_the_attack_and_the_loss(id: str, does: str, *, hidden: bool) -> None:
    enc = ck.Encounter("ap", seed=7)
    for name, side, npc in (("Mara", "hunters", True), ("Ada", "party", False), ("Ann", "party", False)):
        weapon = {"name": "Longsword", "damage": "2d6"}
        enc.add(name, side=side, npc=npc, attack_bonus=5, defense=5, hp=12, weapons=[weapon])
    enc.start()
    if hidden:
        enc.condition("Mara", "hidden")
    while enc.active != "Mara":
        enc.end_turn()
    enc.do("Mara", "attack", target="Ada", rolls={"attack": [15], "damage": [4, 3]})
    enc.do("Ada", id)
    enc.resolve(answer="failed")
    enc.resolve()
    came = f"Ada {does}. Ada fails, and can't try again. Ada loses 7, 5 of 12 left."
    for reader in ("GM", "seat", "screen"):
        text, sub = read(enc, reader)
        attack = "Ada is attacked: hit." if hidden and reader != "GM" else "Mara hits Ada: 20 against 5."
        assert text == f"{attack} {came}"
        assert sub.endswith("Ada is bloodied.")


def test_players_read_their_natural_20_their_dice_and_who_went_down() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="rebels", weapons=[{"name": "Carbine", "attack": 7, "damage": "3d8+2"}])
    enc.add("Guard", side="empire", npc=True, hp=15, defense=14)
    enc.start(rolls={"Ada": 20, "Guard": 1})
    enc.do("Ada", "attack", target="Guard", rolls={"attack": [20], "damage": [4, 5, 4]})
    text, sub = read(enc, "seat")
    assert text == "Ada hits Guard. Guard takes damage and is down."
    assert sub == "20 + 7 = 27 to hit, 4 5 4 + 2 = 15 damage."
    assert read(enc, "GM") == (
        "Ada hits Guard: 27 against 14. Guard loses 15 and is down.",
        "20 + 7 to hit, 4 5 4 + 2 damage.",
    )


def test_what_happened_besides_is_told_as_it_came() -> None:
    enc = ck.Encounter("phases", seed=1)
    common: dict[str, Any] = {"end": 30, "movement": 8, "ocv": 7, "dcv": 6, "stun": 35}
    enc.add("Vex", side="hunters", combat_value=9, at=(0, 0), **common)
    enc.add("Mara", side="rebels", combat_value=8, at=(1, 0), **common)
    enc.start()
    enc.end_turn()
    enc.do("Mara", "half_move", to=[(2, -1), (3, -2)], outcome="failed")
    enc.do("Vex", "attack_of_opportunity", target="Mara", rolls=[5, 5, 4], damage=15)
    _, sub = read(enc, "seat")
    assert sub == "5 5 4 + 7 to hit. Mara leaves a hex that Vex threatens. Mara moves to (3, \N{MINUS SIGN}2)."


def test_where_somebody_moves_and_what_answers_it_is_said_once() -> None:
    enc = ck.Encounter("saga", seed=1, options={"openings": "leaving_reach"})
    enc.add("Mara", side="rebels", dex=20, hp=20, at=(0, 0))
    enc.add("Guard", side="empire", count=2, npc=True, hp=20)
    enc.place({"Guard 1": (1, 0), "Guard 2": (1, 1)})
    enc.start()
    enc.do("Mara", "move", to=(-3, 0))
    enc.do("Guard 1", "attack_of_opportunity", target="Mara", outcome="hit", damage=3)
    enc.do("Guard 2", "attack_of_opportunity", target="Mara", outcome="miss")
    text, sub = read(enc, "GM")
    assert text == (
        "Guard 1 hits Mara (attack of opportunity). Guard 2 misses Mara (likewise). Mara loses 3, 17 of 20 left."
    )
    assert sub == "Mara goes from (0, 0) to (\N{MINUS SIGN}3, 0)."


def test_why_nothing_was_lost_stands_in_the_headline() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Mara", side="rebels", weapons=[{"name": "Knife", "attack": "4D", "damage": "1D"}])
    enc.add("Vex", side="hunters", npc=True, resolve=20, defense=10, armor=6)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    enc.do("Mara", "attack", target="Vex", rolls={"attack": [3, 3, 3, 3], "damage": [6]})
    assert "Vex loses 0 (6 less armor 6), 20 of 20 left." in read(enc, "GM")[0]
    assert "Vex takes no damage." in read(enc, "screen")[0]


def test_who_got_up_before_they_fell_is_not_told_to_have_done_both_at_once() -> None:
    enc = ck.Encounter("ap", seed=7)
    for name, side in (("Wolf", "wild"), ("Corin", "party"), ("Ann", "party")):
        enc.add(name, side=side, npc=name == "Wolf", attack_bonus=5, defense=5, hp=9)
    enc.start()
    while enc.active != "Wolf":
        enc.end_turn()
    enc.damage("Ann", 9)
    enc.do("Wolf", "attack", target="Corin")
    enc.heal("Ann", 2)
    enc.damage("Ann", 2)
    text, sub = read(enc, "GM")
    assert text == "Ann loses 2 and is down."
    assert "Ann is no longer down" in sub


def test_who_gets_up_from_what_had_felled_them_before_is_told_apart() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Dee", side="red", npc=True, aac0=15, hp=20, attacks=["MELEE: bite (1d4)"])
    enc.add("Fay", side="blue", hp=5)
    enc.start()
    enc.damage("Fay", 5)
    enc.trigger("Dee", to=["Fay"], offers=("free_attack",), text="a trap springs")
    enc.condition("Fay", "stunned")
    enc.heal("Fay", 2)
    text, sub = read(enc, "GM")
    assert "Fay is no longer down" in f"{text} {sub}"
    assert "stunned and is no longer down" not in text


def called_shot() -> ck.Encounter:
    """Give a called shot whose natural 20 the GM has yet to rule on."""
    enc = ck.Encounter("segments", seed=1, options={"called_shot_on_20": "gm"})
    enc.add("Ada", side="red", aac0=15, hp=20, weapons=["short sword"])
    enc.add("Eve", side="blue", npc=True, ac=5, hp=20)
    enc.start()
    enc.do("Ada", "declare", action="called_shot")
    while enc.active != "Ada":
        enc.end_turn()
    enc.do("Ada", "called_shot", target="Eve", rolls={"attack": [20]})
    assert [offer.who for offer in enc.pending] == ["GM"]
    return enc


def test_what_a_roll_that_waits_needs_is_told_to_nobody_before_it_is_ruled_on() -> None:
    enc = called_shot()
    for view in ("players", "gm"):
        (line,) = [line for line in enc.log(view=view).markdown.splitlines() if "rolls 20: 1d20" in line]
        assert "against" not in line
        assert "AC 5" not in line
    enc.resolve(answer="wasted")
    assert "comes to 20 against 10, wasted" in enc.log().markdown
    assert "against 10" not in enc.log(view="players").markdown


def test_a_blow_at_somebody_hidden_is_told_to_no_player_though_its_line_names_nobody() -> None:
    enc = called_shot()
    enc.condition("Eve", "hidden")
    enc.damage("Ada", 1)
    enc.resolve(answer="wasted")
    for reader in ("seat", "screen"):
        text, sub = read(enc, reader)
        assert "Eve" not in f"{text} {sub}"
        assert "20" not in f"{text} {sub}".replace("of 20", "")
    assert "Ada attacks Eve: wasted" in read(enc, "GM")[0]
    assert "comes to 20" not in enc.log(view="players").markdown


def test_what_came_back_at_the_end_of_a_turn_stands_in_the_headline_of_all() -> None:
    enc = ck.Encounter("phases", seed=1)
    for name, side in (("Ada", "blue"), ("Bo", "blue"), ("Cy", "red")):
        enc.add(name, side=side, npc=side == "red", stun=30, end=30, recovery=6)
    enc.start()
    enc.adjust(["Ada", "Cy"], "stun", -9)
    enc.adjust(["Ada", "Bo"], "end", -4)
    while enc.clock.round == 1:
        enc.end_turn()
    assert read(enc, "GM")[0] == "Ada recovers 6 stun and 4 endurance. Bo recovers 4 endurance. Cy recovers 6 stun."
    for reader in ("seat", "screen"):
        assert read(enc, reader)[0] == "Ada recovers 6 stun and 4 endurance. Bo recovers 4 endurance. Cy heals."


def test_what_is_left_of_any_vital_stands_in_the_headline_below_0_too() -> None:
    enc = ck.Encounter("phases", seed=7)
    enc.add("Lio", side="party", stun=26, body=12, end=30)
    enc.start()
    enc.damage("Lio", 13, vital="body")
    assert plain(tracker_view(Vantage(enc))["result"]["text"]) == "Lio loses 13 body, now at \N{MINUS SIGN}1."


def test_what_is_left_of_a_vital_without_a_maximum_stands_in_the_headline_too() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Mara", side="rebels", force_points=3)
    enc.add("Vex", side="empire", npc=True)
    enc.start(rolls={"Mara": 6})
    enc.do("Mara", "spend_force_point")
    assert headline(enc) == "Mara loses 1 Force Point, 2 left. / Mara spends a Force Point."


@pytest.mark.parametrize(
    ("system", "action", "to", "said"),
    [
        ("saga", "move", (2, 0), "Mara moves to (2, 0)."),
        ("d6", "move", "Z2", "Mara moves to Z2."),
        ("ap", "dash", (2, 0), "Mara dashes to (2, 0)."),
        ("segments", "move", (2, 0), "Mara moves 10 ft to (2, 0)."),
        ("phases", "half_move", (2, 0), "Mara moves to (2, 0)."),
    ],
)
def test_a_plain_move_is_told_and_told_again_when_it_is_redone(
    system: str, action: str, to: tuple[int, int] | str, said: str
) -> None:
    enc = ck.Encounter(system, seed=1, map=[("Z1", "Z2")] if system == "d6" else None)
    enc.add("Mara", side="rebels", at="Z1" if system == "d6" else (0, 0))
    enc.start()
    while enc.active is None:
        enc.end_turn()
    enc.do("Mara", action, to=to)
    told = [read(enc, name)[0] for name in ("GM", "seat", "screen")]
    enc.undo()
    enc.redo()
    assert [*told, read(enc, "GM")[0]] == [said] * 4
