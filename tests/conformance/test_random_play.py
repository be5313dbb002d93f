"""Random play of any ruleset: whatever is called in whatever order, what must hold does hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import takewhile
from random import Random
from typing import Any, ClassVar

import msgspec
import polars as pl
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from polars.testing import assert_frame_equal

import combatkit as ck
from combatkit.core.timeline import fold, standing
from combatkit.history.frames import History
from combatkit.history.schema import SCHEMAS
from tests import soaking
from tests.conformance.facts import Facts, hold_against
from tests.conformance.player import MOVES, Player, soft, some

LONG, SHORT, OWN = (230, 10_000), (60, 2_000), (40, 1_000)
"""How many fights a run plays, and how many calls it makes in them at least: in a soak, in `make test-all`, and for
somebody's own ruleset. They are the same ones each time; in a soak others come after them."""

SEEDS, STEPS = (0, 1, pytest.param(2, marks=pytest.mark.long)), 60
"""The fights that `make test` plays, one more in `make test-all`, and how many calls it makes in each."""

MORE = range(100, 160)
"""The fights that `make test-all` plays besides, until every kind of claim has come up: the rarest, that
somebody must answer first (d6 and segments), comes up in one of seven."""

SOME = 2
"""So many of the actions that somebody may do, and may not, are tried after every call."""

ANSWERS = 2
"""So many of the actions of each offer are tried: a window may have seven offers of twelve."""

CLAIMED = {"whose turn", "had a turn", "none to come", "left", "holds", "awaited"}
"""What the reasons of every system claim at some time."""

SHARE = 0.08
"""What share of a soak's minutes each ruleset has."""

SAME = settings(stateful_step_count=60)
OTHER = settings(derandomize=False, max_examples=50, stateful_step_count=100)

RANDOM = st.randoms(use_true_random=False)


def coded(state: Any) -> bytes:
    """Give a state as bytes: equal states have equal ones."""
    return msgspec.msgpack.encode(state, order="deterministic")


def allowed(enc: ck.Encounter, who: str) -> dict[str, ck.Option]:
    """Give what somebody may do now."""
    return {option.action: option for option in enc.options(who) if option.allowed}


class Play(RuleBasedStateMachine):
    """One fight, played by calls in any order. `past` and `future` are the states that undo and redo lead through."""

    system: ClassVar[str]
    steps: ClassVar[int] = 0
    offers: ClassVar[int] = 0
    claims: ClassVar[Counter[str]]

    def __init__(self) -> None:
        super().__init__()
        self.past: list[bytes] = []
        self.future: list[bytes] = []
        self.turn = 0

    @initialize(rng=RANDOM)
    def begin(self, rng: Random) -> None:
        self.player = Player(self.system, rng)
        self.enc = self.player.enc
        while True:
            self.past.insert(0, coded(self.enc._state))
            if not self.enc.can_undo:
                break
            self.enc.undo()
        while self.enc.can_redo:
            self.enc.redo()

    def call(self, name: str, rng: Random) -> None:
        """Make a call, and keep the state it leads to if it goes through."""
        type(self).steps += 1
        if not self.enc.names:
            return
        length = len(self.enc._events)
        getattr(self.player, name)(rng)
        calls = list(takewhile(lambda call: call.first > length, self.enc._line.done))
        for call in reversed(calls):  # a soft window passes as a call of its own
            self.past.append(coded(self.enc.at(call.last)._state))
        if calls:
            self.future.clear()

    @rule(rng=RANDOM)
    def act(self, rng: Random) -> None:
        self.call("act", rng)

    @rule(rng=RANDOM)
    def act_on(self, rng: Random) -> None:
        self.call("act", rng)

    @rule(rng=RANDOM)
    def act_further(self, rng: Random) -> None:
        self.call("act", rng)

    @rule(rng=RANDOM)
    def answer(self, rng: Random) -> None:
        self.call("answer", rng)

    @rule(rng=RANDOM)
    def end_turn(self, rng: Random) -> None:
        self.call("end_turn", rng)

    @rule(rng=RANDOM)
    def end_another_turn(self, rng: Random) -> None:
        self.call("end_turn", rng)

    @rule(rng=RANDOM)
    def start(self, rng: Random) -> None:
        self.call("start", rng)

    @rule(rng=RANDOM)
    def resolve(self, rng: Random) -> None:
        self.call("resolve", rng)

    @rule(rng=RANDOM)
    def trigger(self, rng: Random) -> None:
        self.call("trigger", rng)

    @rule(rng=RANDOM)
    def disturb(self, rng: Random) -> None:
        self.call("disturb", rng)

    @rule(rng=RANDOM)
    def deal(self, rng: Random) -> None:
        self.call("deal", rng)

    @rule(rng=RANDOM)
    def edit(self, rng: Random) -> None:
        self.call("edit", rng)

    @rule(rng=RANDOM)
    def next_round(self, rng: Random) -> None:
        self.call("next_round", rng)

    @rule(rng=RANDOM)
    def join(self, rng: Random) -> None:
        self.call("join", rng)

    @rule(rng=RANDOM)
    def leave(self, rng: Random) -> None:
        self.call("leave", rng)

    @rule(rng=RANDOM)
    def back_again(self, rng: Random) -> None:
        self.call("back_again", rng)

    @rule(rng=RANDOM)
    def strike_down(self, rng: Random) -> None:
        self.call("strike_down", rng)

    @rule(rng=RANDOM)
    def override(self, rng: Random) -> None:
        self.call("override", rng)

    @rule(rng=RANDOM)
    def adjust(self, rng: Random) -> None:
        self.call("adjust", rng)

    @rule(rng=RANDOM)
    def condition(self, rng: Random) -> None:
        self.call("condition", rng)

    @rule(rng=RANDOM)
    def place(self, rng: Random) -> None:
        self.call("place", rng)

    @rule()
    def undo(self) -> None:
        type(self).steps += 1
        if self.enc.can_undo:
            self.back()

    @rule()
    def redo(self) -> None:
        type(self).steps += 1
        if self.enc.can_redo:
            self.forth()

    def back(self) -> None:
        """Undo; the state is the one there was."""
        self.enc.undo()
        self.future.append(self.past.pop())
        assert coded(self.enc._state) == self.past[-1]

    def forth(self) -> None:
        """Redo; the state is the one there was."""
        self.enc.redo()
        self.past.append(self.future.pop())
        assert coded(self.enc._state) == self.past[-1]

    # ── what must hold after every call ──

    @invariant()
    def what_must_hold_holds(self) -> None:
        self.no_budget_is_below_zero()
        self.nobody_has_two_turns_in_a_round()
        self.the_ladder_holds_everybody_once_who_has_a_place()
        self.whoever_watches_is_known_once()
        self.an_option_is_as_it_is_shown()
        self.a_window_is_open_only_while_somebody_can_answer()
        self.the_history_can_be_read()

    def no_budget_is_below_zero(self) -> None:
        for name in self.enc.names:
            for slot in self.enc.budget(name):
                assert slot.left >= 0, (name, slot)
                assert slot.unlimited or slot.left <= slot.total, (name, slot)

    def nobody_has_two_turns_in_a_round(self) -> None:
        occasion, began, had = 0, dict[int, tuple[int, int]](), set[tuple[int, int]]()
        for event in standing(self.enc._events):
            if event.kind == "step":
                occasion = event.data["occasion"]
            elif event.kind == "turn" and event.data["place"]:
                began[event.seq] = (event.data["place"], occasion)
                assert began[event.seq] not in had, f"{event.actor} has a second turn, event {event.seq}"
            elif event.kind == "turn_end" and not event.data.get("given_up") and event.data["turn"] in began:
                had.add(began[event.data["turn"]])

    def the_ladder_holds_everybody_once_who_has_a_place(self) -> None:
        state = self.enc._state
        assert [rung.place for rung in self.enc.order] == list(range(1, len(state.agenda) + 1))
        assert len({place.id for place in state.agenda}) == len(state.agenda)
        assert {place.who for place in state.agenda} <= set(self.enc.names)

    def whoever_watches_is_known_once(self) -> None:
        state = self.enc._state
        watching = {name for name, fighter in state.fighters.items() if any(e.watches for e in fighter.effects)}
        assert sorted(state.watchers) == sorted(watching)

    def an_option_is_as_it_is_shown(self) -> None:
        """What is allowed can be done; what is refused raises with the ruling that was shown. One combatant a step."""
        enc = self.enc
        if not enc.names:
            return
        name = enc.names[self.turn % len(enc.names)]
        self.turn += 1
        before = enc.digest
        rng = Random(self.turn)
        options = enc.options(name)
        refused = [option for option in options if not option.allowed]
        for option in rng.sample(refused, min(SOME, len(refused))):
            ruling = enc.can(name, option.action)
            assert (ruling.allowed, ruling.reason, ruling.rule) == (False, option.reason, option.rule)
            if soft(enc._state):
                continue
            with pytest.raises(ck.IllegalAction) as caught:
                enc.do(name, option.action)
            assert caught.value.ruling == ruling
        allowed = [option for option in options if option.allowed]
        for option in rng.sample(allowed, min(SOME, len(allowed))):
            self.do_elsewhere(name, option)
        reasons = [option.reason for option in refused]
        for option in rng.sample(allowed, min(1, len(allowed))):
            reasons += [
                choice.ruling.reason for choice in enc.choices(name, option.action) if not choice.ruling.allowed
            ]
        self.no_reason_names_what_is_not_so(reasons)
        assert enc.digest == before

    def no_reason_names_what_is_not_so(self, reasons: list[str]) -> None:
        """Hold against the log what is said to somebody now, and what was said to the player's last calls."""
        told, now = self.player.told, len(self.enc._events)
        reasons += [reason for at, reason in told if at == now]
        told.clear()
        hold_against(Facts(self.enc), dict.fromkeys(reasons), self.claims)

    def a_window_is_open_only_while_somebody_can_answer(self) -> None:
        """Whatever is offered can be done, and there is no window without an offer."""
        enc = self.enc
        assert bool(enc.pending) == (enc._state.window is not None)
        for offer in enc.pending:
            if offer.who == "GM":
                assert offer.choices
            else:
                options = allowed(enc, offer.who)
                assert offer.actions
                assert set(offer.actions) <= set(options), offer
                for action in Random(self.turn).sample(offer.actions, min(ANSWERS, len(offer.actions))):
                    type(self).offers += 1
                    self.do_elsewhere(offer.who, options[action])

    def the_history_can_be_read(self) -> None:
        """Now and then, so that it has something to take in: what is read bit by bit is what is read at once."""
        if self.turn % 30 == 0:
            self.the_history_is_as_read_at_once()

    def the_history_is_as_read_at_once(self) -> None:
        anew = History(self.enc)
        for name in SCHEMAS:
            assert_frame_equal(getattr(self.enc.history, name), getattr(anew, name))
        there = anew.events.filter(~pl.col("undone") & ~pl.col("kind").is_in(["undo", "redo"]))
        assert there["seq"].to_list() == sorted(event.seq for event in standing(self.enc._events))

    def do_elsewhere(self, name: str, option: ck.Option) -> None:
        """Do what is allowed on a branch, with values from `choices`."""
        enc = self.enc
        values, listed = self.player.fill(Random(self.turn), name, option.action, option.needs)
        try:
            ruling = enc.can(name, option.action, **values)
        except ck.CombatkitError:  # a value of the wrong kind for what has no list of values
            assert not listed
            return
        if ruling.allowed:
            other = enc.branch(len(enc._events))
            assert coded(other._state) == coded(enc._state)
            if soft(enc._state):  # what is possible behind it is known only once it has passed
                with suppress(ck.IllegalAction):
                    other.do(name, option.action, **values)
                return
            assert other.do(name, option.action, **values)
        else:
            assert not listed, f"{name} may {option.action} with {values}, yet: {ruling}"

    def teardown(self) -> None:
        if hasattr(self, "player"):
            self.the_log_gives_every_state_again()
            self.the_history_is_as_read_at_once()
            self.undo_leads_to_the_start_and_redo_to_the_end()
            self.the_history_is_as_read_at_once()
            again = self.enc.restart(seed=self.enc.seed)
            assert set(again.names) == set(self.enc.names)
            if again.names:
                again.start()

    def the_log_gives_every_state_again(self) -> None:
        events = msgspec.json.decode(msgspec.json.encode(list(self.enc._events)), type=list[ck.Event])
        assert fold(events) == self.enc._state
        # The one digest was kept as events came, the other is made of them now: none has changed since, shared or not.
        assert self.enc.digest == self.enc.at(len(events)).digest
        for seq in range(1, len(events) + 1, max(1, len(events) // 10)):
            assert coded(self.enc.at(seq)._state) == coded(fold(events[:seq]))
            branch = self.enc.branch(seq)
            assert coded(branch._state) == coded(fold(events[: len(branch._events)]))
            for offer in branch.pending:
                assert offer.who == "GM" or set(offer.actions) <= set(allowed(branch, offer.who))

    def undo_leads_to_the_start_and_redo_to_the_end(self) -> None:
        while self.enc.can_redo:
            self.forth()
        calls = len(self.past)
        for _ in range(calls - 1):
            self.back()
        assert not self.enc.can_undo
        for _ in range(calls - 1):
            self.forth()
        assert not self.enc.can_redo


def play_seeded(machine: Play, seed: int) -> None:
    """Play one fight that a seed draws, and hold after every call what must hold."""
    rng = Random(seed)
    machine.begin(rng)
    for _ in range(STEPS):
        match some(rng, (*MOVES, "deal", "edit", "start")):
            case "undo":
                machine.undo()
            case "redo":
                machine.redo()
            case name:
                machine.call(name, rng)
        machine.what_must_hold_holds()
    machine.teardown()


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_what_must_hold_holds_after_every_call_of_a_seeded_fight(system: str, seed: int) -> None:
    class Machine(Play):
        pass

    Machine.system, Machine.claims = system, Counter()
    play_seeded(Machine(), seed)
    assert Machine.claims


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.long
def test_random_play(system: str, record_property: Callable[[str, object], None], pytestconfig: pytest.Config) -> None:
    class Machine(Play):
        pass

    Machine.system, Machine.claims = system, Counter()
    soaked = soaking.seconds(SHARE) is not None
    own = pytestconfig.getoption("--ruleset", None) is not None  # somebody's own, who waits for the answer
    fights, least = OWN if own else LONG if soaked else SHORT
    run_state_machine_as_test(Machine, settings=settings(SAME, max_examples=fights))
    for _ in soaking.rounds(0, SHARE):
        run_state_machine_as_test(Machine, settings=OTHER)
    for seed in MORE if not own else ():  # what has not come up yet comes up in one of these
        if Machine.claims.keys() >= CLAIMED:
            break
        play_seeded(Machine(), seed)
    claims = f"{Machine.claims.total():,} claims of reasons held against the log"
    tried = f"{Machine.steps:,} calls tried, {Machine.offers:,} offers taken up"
    record_property("told", f"random play: {system}, {tried}, {claims}")
    assert Machine.steps >= least
    assert own or Machine.claims.keys() >= CLAIMED
