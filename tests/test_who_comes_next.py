"""Who should come next, by the ladder and the rules, is who comes: worked out beside the engine, in random fights.

The order is read off the ladder, what keeps somebody from acting off their conditions; who has had a turn is what the
events told. From that, `Ladder.next_one` says who comes: the first who hasn't had their turn and can act. Whoever wakes
at the start of their turn has it there, unless the order has come by; whoever is out to the end of it, or for so many
rounds, misses it. One who is out until the turn of somebody who takes none any more (gone, dead, out) wakes where the
order passes that place. Who is woken after their own place has passed still acts: in phases with the next phase, in
segments while their half is open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import combatkit as ck

SYSTEMS = ("saga", "d6", "ap", "segments", "phases")
NAMES = ("Ada", "Bes", "Cyd", "Orc", "Nox", "Vex")
OUT = frozenset(("unconscious", "down", "dead", "paralysed", "stunned", "out", "left"))
ENDS = (None, None, "start of turn", "start of turn", "end of turn", "1 round", "2 rounds")
OTHERS = ("start of turn: ", "end of turn: ")
HALVES = {"HIGH": 1, "LOW": 2}


class Moment(NamedTuple):
    """What there is to see before a call: the ladder, who is kept from acting, who has acted, waits, was passed by."""

    order: list[str]
    outs: dict[str, list[str | None]]
    done: set[str]
    waits: set[str]
    unaware: set[str]
    passed: set[str]
    round: int | None


def counted(outs: list[str | None]) -> list[str | None]:
    """Return what still keeps somebody from acting after a turn of theirs, had or missed."""
    return ["1 round" if until == "2 rounds" else until for until in outs if until not in ("end of turn", "1 round")]


def wakes(outs: list[str | None]) -> bool:
    """Check whether somebody's own turn ends all that keeps them from acting, as it begins."""
    return all(until == "start of turn" for until in outs)


class Ladder:
    """One fight, and who has had a turn in it."""

    def __init__(self, system: str, seed: int) -> None:
        self.random = Random(f"{system} {seed}")
        self.system = system
        self.still = seed % 2 == 0 and system != "segments"  # nobody moves in the order: who is gone has a place in it
        options = {"actions": "book"} if system == "ap" and seed % 2 else None
        self.enc = ck.Encounter(system, seed=seed, options=options)
        vital = self.enc.ruleset.vitals[0].name
        for number, name in enumerate(NAMES[: self.random.randint(3, 6)]):
            self.enc.add(name, side="red" if number % 2 else "blue", npc=bool(number % 2), **self.sheet(vital))
        self.actions = {option.action for option in self.enc.options(NAMES[0])}
        self.done: set[str] = set()
        self.waits: set[str] = set()
        self.passed: set[str] = set()
        self.told: list[str] = []
        unaware = [name for name in self.enc.names if self.random.random() < 0.25] if system != "d6" else []
        self.told.append(f"start, surprised {unaware}")
        self.read(self.enc.start(surprised=unaware))
        self.first_order = self.order()
        self.to_a_turn()

    def sheet(self, vital: str) -> dict[str, Any]:
        quick = self.random.randint(1, 12)
        own = {"saga": {"dex": quick - 5}, "phases": {"combat_value": quick}, "ap": {"initiative_rating": quick}}
        return {vital: 10, **own.get(self.system, {"initiative": quick} if self.system == "d6" else {})}

    # ── what has happened ──

    def read(self, events: Iterable[ck.Event]) -> None:
        for event in events:
            who = event.actor or ""
            if event.kind == "step" and event.data["occasion"] != getattr(self, "occasion", 0):
                self.occasion, self.done, self.waits = event.data["occasion"], set(), set()
            elif event.kind == "turn":
                self.waits.discard(who)
            elif event.kind == "turn_end" and not event.data.get("given_up"):
                self.done.add(who)

    def to_a_turn(self) -> None:
        """Go on until somebody has a turn, or nobody can."""
        for _ in range(20):
            self.let_go()
            if self.enc.active:
                return
            occasion, seen = self.occasion, self.look()
            self.told.append("nobody's turn ends")
            self.read(self.enc.end_turn())
            if self.system == "phases" and self.enc.clock.phase is None:  # the Post-Turn: the phase before is over
                self.done = set(self.order())
                continue
            wanted, missed = self.next_one(seen, None)
            came = any(rung.status == "now" for rung in self.enc.order)
            if self.system == "segments":  # the dice say who comes when, once they are thrown
                wanted, missed = self.first_of(seen.outs) if came else (None, set())
            self.check(wanted)
            self.done |= missed if occasion != self.occasion or self.system == "segments" else set()

    def first_of(self, outs: dict[str, list[str | None]]) -> tuple[str | None, set[str]]:
        """Return who should come first in an order that was drawn just now, and who has missed their turn by then."""
        self.passed = set()
        return self.walk(self.order(), dict(outs), set(self.done), -1, self.passed)

    def let_go(self) -> None:
        while self.enc.pending:
            self.read(self.enc.resolve())

    # ── what should happen ──

    def order(self) -> list[str]:
        """Return the ladder from the top, and keep in whose half of the round everybody stands."""
        self.half = {rung.combatant: HALVES.get(str(dict(rung.key).get("half")), 0) for rung in self.enc.order}
        return [rung.combatant for rung in self.enc.order]

    def outs(self, name: str) -> list[str | None]:
        held = self.enc[name].conditions
        if name not in self.done and any(each.id == "at_the_same_time" for each in held):  # they still have their turn
            return []
        ends = {self.enc.ruleset.said_span(until): until for until in ENDS if until}
        until = [(each.until or "").removesuffix(f": {name}") for each in held if each.id in OUT]
        return [ends.get(words, words or None) for words in until]

    def lies(self, name: str) -> bool:
        """Check whether somebody is out, also one who still acts as what felled them happens at the same time."""
        return any(each.id in OUT for each in self.enc[name].conditions)

    def look(self) -> Moment:
        """Return what there is to see before a call; those who are gone stand where they stood."""
        order = self.first_order if self.still else self.order()
        outs = {name: self.outs(name) for name in order}
        unaware = {name for name in order if any(each.id == "surprised" for each in self.enc[name].conditions)}
        return Moment(order, outs, set(self.done), set(self.waits), unaware, set(self.passed), self.enc.clock.round)

    def next_one(self, seen: Moment, now: str | None) -> tuple[str | None, set[str]]:
        """Return who comes after somebody's turn, or in the next occasion, and who has missed their turn by then."""
        outs, (_, _, done, waits, unaware, self.passed, round) = dict(seen.outs), seen
        if now in done:  # their turn has ended, and what ended with it
            outs[now] = counted(outs[now])
            for name, held in outs.items():
                outs[name] = [until for until in held if until != f"end of turn: {now}"]
        order = self.order() if self.system == "segments" and now not in done else seen.order  # a delay moves somebody
        if now not in done:
            self.passed.discard(str(now))  # the order comes by where they have gone
        held_back = set(waits)
        if now is None:  # who has held back this long has had their chance
            done, waits = done | waits, set()
        come = done | waits | self.passed
        at = max([n for n, name in enumerate(order) if name in come], default=0)
        for later in range(3):
            wanted, missed = self.walk(order, outs, done | waits | (unaware if round == 0 else set()), at, self.passed)
            if wanted is not None:
                return wanted, missed - waits
            able = [name for name in order if not outs[name]]
            if round == 0:  # who is surprised has no turn yet, and would wake in it
                yet = [name for name in order[at:] if name not in self.passed | done]
                able += [name for name in yet if name in unaware and wakes(outs[name])]
            if waits.intersection(able) or (not able and (later or now is not None)):
                return None, missed - waits
            if self.system == "segments":
                return None, set()
            self.give_up(outs, held_back)
            held_back = set()
            done, waits, at, self.passed, order = set(), set(), 0, set(), seen.order if self.still else self.order()
            round = (round or 0) + 1 if self.system != "phases" or round == 0 else round
        return None, set()

    def give_up(self, outs: dict[str, list[str | None]], waits: set[str]) -> None:
        """End what lasts until the end of a turn that somebody has held back, as the occasion is over."""
        for name in waits & outs.keys():
            outs[name] = counted(outs[name])
            for each, held in outs.items():
                outs[each] = [until for until in held if until != f"end of turn: {name}"]

    def walk(
        self, order: list[str], outs: dict[str, list[str | None]], had: set[str], at: int, passed: set[str]
    ) -> tuple[str | None, set[str]]:
        """Go down the order, on from a place: return who comes next, and who has missed their turn by then."""
        missed = set[str]()
        for index, name in enumerate(order):
            if name in had:
                continue
            late = {each for each in order[:index] if outs[each] and self.too_late(each, name)}
            still = index >= at and name not in passed  # the order has yet to come by
            if not outs[name] or (still and wakes(outs[name])):
                return name, missed | late
            if not still:
                continue
            yet = (each for each in order if not outs[each] or (each not in had and wakes(outs[each])))
            if self.system == "segments" and self.half[name] > self.half[order[at]] and not any(yet):
                return None, missed  # a half is over, and nobody can act, or will
            if any(until in ("end of turn", "1 round") for until in outs[name]):
                missed.add(name)
            outs[name] = counted(outs[name])
            outs[name] = [until for until in outs[name] if until not in ("start of turn", "end of turn")]
            passed.add(name)
            for each, held in outs.items():  # this is where what waits for their turn ends
                outs[each] = [until for until in held if until not in [kind + name for kind in OTHERS]]
            missed |= late
            woken = [each for each in order[:index] if not outs[each] and each not in had | missed]
            if woken:
                return woken[0], missed
        return None, missed

    def too_late(self, name: str, now: str) -> bool:
        """Check whether somebody who is out as they are passed by has no turn any more."""
        return self.system == "phases" or (self.system == "segments" and self.half[name] < self.half[now])

    def may(self, name: str, action: str, /, **given: Any) -> bool:
        return action in self.actions and self.enc.can(name, action, **given).allowed

    # ── a move ──

    def end(self, call: str, now: str) -> None:
        """Make a call that ends a turn or puts it off, and hold who comes against who should."""
        occasion, seen = self.occasion, self.look()
        self.told.append(f"{now}: {call}")
        self.read(self.enc.end_turn() if call == "end_turn" else self.enc.do(now, "delay"))
        wanted, missed = self.next_one(seen, now)
        self.check(wanted)
        self.done |= missed if occasion == self.occasion or wanted is not None else set()

    def check(self, wanted: str | None) -> None:
        now = [f"{rung.combatant}: {rung.status}" for rung in self.enc.order]
        said = f"{wanted} should come, not {self.enc.active}: {', '.join(now)}; had a turn: {sorted(self.done)}"
        assert self.enc.active == wanted, "\n".join([*self.told[-12:], said])

    def play(self, turns: int = 14) -> None:
        for _ in range(turns):
            now = self.enc.active
            if now is None:
                return
            for _ in range(self.random.randint(0, 2)):
                self.meddle(now)
            if not self.still and self.random.random() < 0.15 and self.may(now, "delay") and not self.lies(now):
                if self.system != "segments":  # there they go to LOW
                    self.waits.add(now)
                self.end("delay", now)
            elif self.waits and self.random.random() < 0.5:
                self.step_in(now)
            else:
                if self.random.random() < 0.2 and not self.outs(now):
                    self.ready(now)
                if self.enc.active == now:
                    self.done.add(now)
                    self.end("end_turn", now)
            if self.enc.active is None:
                self.to_a_turn()

    def step_in(self, now: str) -> None:
        who = self.random.choice(sorted(self.waits))
        if who in self.order() and self.may(who, "act_now"):
            self.told.append(f"{who} acts now")
            self.read(self.enc.do(who, "act_now"))
            self.check(who)

    def ready(self, now: str) -> None:
        other = self.random.choice([name for name in self.enc.names if name != now])
        call = "hold" if self.system == "d6" else "ready"
        if self.still and self.system != "d6":
            return
        given: dict[str, Any] = {
            "action": "strike" if self.system == "phases" else "attack",
            "trigger": {"actor": other},
        }
        if self.system not in ("ap", "segments") and self.may(now, call, target=other, **given):
            self.told.append(f"{now} readies")
            if call == "hold":  # which ends the turn
                self.done.add(now)
            seen = self.look()
            self.read(self.enc.do(now, call, target=other, **given))
            self.let_go()
            wanted, missed = self.next_one(seen, now) if call == "hold" else (now, set[str]())
            self.check(wanted)
            self.done |= missed

    def meddle(self, now: str) -> None:
        """Let the GM do something to somebody: whoever goes down in their own turn still has it until it is ended."""
        name = self.random.choice(self.enc.names)
        away = any(each.id == "left" for each in self.enc[name].conditions)
        what = self.random.choice(("out", "out", "on", "left", "hurt"))
        if away:
            if what == "left":
                self.told.append(f"{name} comes back")
                self.read(self.enc.join(name) if self.random.random() < 0.5 else self.back(name))
                order = self.order()
                if name not in self.done and name not in self.waits and order.index(name) < order.index(now):
                    self.done.add(name)
        elif what == "out":
            stunned = ("stunned",) if self.system != "phases" else ()  # there they have a turn, to recover in
            id, until = self.random.choice(("unconscious", "down", *stunned)), self.random.choice(ENDS)
            other = self.random.choice(self.enc.names if self.still else self.order())
            if self.random.random() < 0.4:
                until = self.random.choice(OTHERS) + other
            self.told.append(f"{name} {id} until {until}")
            self.read(self.enc.condition(name, id, until=until))
        elif what == "on" and self.outs(name):
            for id in sorted({each.id for each in self.enc[name].conditions if each.id in OUT}):
                self.told.append(f"{name} no longer {id}")
                self.read(self.enc.condition(name, id, off=True))
        elif what == "left" and (name == now or not all(until is None for until in self.outs(name)) or self.held(name)):
            pass
        elif what == "left":
            self.told.append(f"{name} leaves")
            by_hand = self.random.random() < 0.5
            self.read(self.enc.condition(name, "left") if by_hand else self.enc.leave(name))
        elif what == "hurt" and self.system != "d6":
            more = self.random.choice((-20, 8))
            self.told.append(f"{name} loses {-more}")
            self.read(self.enc.damage(name, -more) if more < 0 else self.enc.heal(name, more))
        self.let_go()
        self.check(now)

    def held(self, name: str) -> bool:
        """Check whether somebody is out until a turn of one whose place, once they are gone, nobody could tell."""
        ends = [held.until for each in self.enc.names for held in self.enc[each].conditions if held.id in OUT]
        return not self.still and any(kind + name in ends for kind in OTHERS)

    def back(self, name: str) -> tuple[ck.Event, ...]:
        return self.enc.condition(name, "left", off=True)


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_should_come_next_comes_next(system: str) -> None:
    for seed in range(40):
        Ladder(system, seed).play()


@pytest.mark.parametrize(
    ("system", "seed"), [("saga", 1975), ("saga", 6410), ("segments", 1320), ("ap", 20097), ("ap", 26561)]
)
def test_who_came_otherwise_once_comes_next(system: str, seed: int) -> None:
    Ladder(system, seed).play()


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
def test_who_should_come_next_comes_next_in_a_thousand_fights(system: str) -> None:
    for seed in range(1000):
        Ladder(system, seed).play()


@pytest.mark.parametrize("system", ["saga", "phases"])
def test_who_leaves_while_they_wait_keeps_nobody_out(system: str) -> None:
    enc = three(system)
    enc.do("Ada", "delay")
    enc.condition("Bes", "unconscious", until="end of turn: Ada")
    enc.leave("Ada")
    came = [turn_of(enc) for _ in range(4)]
    assert came == ["Bes", "Cyd", "Bes", "Cyd"], "Bes wakes where the order passes Ada's place in the next round"


def test_who_are_tied_come_back_in_the_order_they_had() -> None:
    for gone in (("Bes", "Cyd"), ("Cyd", "Bes")):
        for back in (gone, gone[::-1]):
            enc = ck.Encounter("phases", seed=1)
            for name in ("Ada", "Bes", "Cyd", "Orc"):
                enc.add(name, side="red", combat_value=5)
            enc.start(ties=("Ada", "Bes", "Cyd", "Orc"))
            for name in gone:
                enc.leave(name)
            for name in back:
                enc.join(name)
            assert [rung.combatant for rung in enc.order] == ["Ada", "Bes", "Cyd", "Orc"], f"{gone} left, {back} back"


def test_the_next_round_tells_whose_turn_it_skips_as_they_wake() -> None:
    enc = three("saga")
    enc.condition("Cyd", "unconscious", until="start of turn: Bes")
    enc.condition("Bes", "dead")
    lost = [event.actor for event in enc.next_round() if event.kind == "turn_lost"]
    assert lost == ["Cyd"]


def test_the_place_of_one_who_is_gone_comes_before_the_one_after_it() -> None:
    enc = three("ap", names=("Cyd", "Bes", "Ada"))
    enc.leave("Bes")
    enc.condition("Ada", "unconscious", until="end of turn: Bes")
    enc.condition("Cyd", "unconscious", until="start of turn: Ada")
    told = [event.text for event in enc.end_turn() if event.kind == "effect_end"]
    assert (enc.active, len(told)) == ("Ada", 2)
    assert "Ada's turn would come" not in " ".join(told), "it does come"


def test_a_place_is_passed_once_a_round_though_whoever_came_after_it_has_left() -> None:
    enc = three("ap")
    enc.leave("Bes")
    enc.end_turn()
    enc.condition("Ada", "unconscious", until="start of turn: Cyd")
    assert [turn_of(enc) for _ in range(2)] == ["Cyd", "Cyd"], "who wakes Ada, after her place"
    assert (enc.active, enc.clock.round) == ("Ada", 2)
    enc.leave("Cyd")
    enc.condition("Ada", "unconscious", until="end of turn: Bes")
    enc.end_turn()
    assert turn_of(enc) is None, "the order has come by Bes's place in this round"
    assert (enc.active, enc.clock.round) == ("Ada", 3)


@pytest.mark.parametrize("system", ["saga", "ap"])
@pytest.mark.parametrize("until", ["start of turn", "end of turn", "1 round"])
def test_a_place_is_passed_once_though_somebody_before_it_has_their_turn_late(system: str, until: str) -> None:
    enc = three(system, names=("Ada", "Bes", "Cyd", "Nox"))
    assert [turn_of(enc) for _ in range(3)] == ["Ada", "Bes", "Cyd"]
    for name, end in (("Ada", "end of turn: Cyd"), ("Bes", None), ("Cyd", None)):
        enc.condition(name, "unconscious", until=end)
    enc.end_turn()
    assert (enc.active, enc.clock.round) == ("Ada", 2), "who wakes where Cyd's place is passed"
    for name in ("Bes", "Cyd"):
        enc.condition(name, "unconscious", until=until)
    came = ["Ada", "Nox", "Ada", *(["Bes", "Cyd"] if until == "start of turn" else []), "Nox"]
    assert [turn_of(enc) for _ in came] == came, "the order had come by both"


def test_whose_place_has_been_moved_down_after_their_turn_keeps_nobody_from_waking() -> None:
    for system in ("saga", "ap", "phases"):
        enc = three(system)
        enc.end_turn()
        enc.condition("Cyd", "unconscious", until="start of turn")
        enc.place("Ada", after="Cyd")
        assert [turn_of(enc), enc.active] == ["Bes", "Cyd"], system


def test_who_used_what_they_readied_keeps_nobody_from_waking() -> None:
    enc = ck.Encounter("saga", seed=1)
    for name, dex in (("Ada", 9), ("Bes", 6), ("Cyd", 3), ("Nox", 0)):
        enc.add(name, side=name, dex=dex)
    enc.start(rolls=dict.fromkeys(("Ada", "Bes", "Cyd", "Nox"), 10))
    enc.do("Ada", "ready", action="attack", target="Nox", trigger={"actor": "Nox"})
    enc.end_turn()
    enc.condition("Cyd", "stunned", until="start of turn")
    enc.do("Nox", "attack_of_opportunity", target="Bes", trigger="Bes runs by")
    enc.do("Ada", "use_readied")
    assert [turn_of(enc), enc.active] == ["Bes", "Cyd"], "though Ada, who has acted, stands after Cyd now"


def test_how_far_the_order_has_come_is_known_of_a_file_from_before_it_was_kept(tmp_path: Path) -> None:
    enc = three("saga")
    enc.do("Ada", "delay")
    file = tmp_path / "a.combat"
    enc.save(file)
    text = file.read_text("utf-8")
    older = re.sub(r',"come":\d+', "", text)
    assert older != text
    file.write_text(older, "utf-8")
    with pytest.warns(UserWarning, match="changed after"):
        assert ck.load(file)._state == enc._state


def three(system: str, names: tuple[str, ...] = ("Ada", "Bes", "Cyd")) -> ck.Encounter:
    """Return a fight of three or four whose turns come in the order of their names; it is the first one's."""
    enc = ck.Encounter(system, seed=1)
    stat = {"saga": "dex", "phases": "combat_value", "ap": "initiative_rating"}[system]
    for quick, name in zip((30, 20, 10, 0), names, strict=False):
        sheet: dict[str, Any] = {stat: quick}
        enc.add(name, side=name, **sheet)
    enc.start()
    return enc


def turn_of(enc: ck.Encounter) -> str | None:
    """End a turn, and return whose it was."""
    now = enc.active
    enc.end_turn()
    return now
