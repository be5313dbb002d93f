"""Many fights: the same frame for the same seed wherever it is worked out, nothing lost, and failures told by seed."""

from __future__ import annotations

import gc
import os
import pickle
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import combatkit as ck
from combatkit.fight.view import View
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Cost
from combatkit.simulation import Setup, fight, processes, running, seed_of
from combatkit.simulation.executors import LostWorkerError
from combatkit.systems.d6.ruleset import D6

SCENE = ck.scene("catwalk")
SEED = 7
TACTICS = (ck.tactics.strike, ck.tactics.hold_back, ck.tactics.at_random)


def simulate(n: int = 6, tactics: Any = ck.tactics.strike, executor: Executor | None = None, **more: Any) -> Any:
    more = {"seed": SEED, "systems": "saga", "progress": False, **more}
    return ck.simulate(SCENE, n, tactics, executor, **more)


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with processes(2) as executor:
        yield executor


# ── one frame ──


def test_a_row_a_system_fight_and_combatant() -> None:
    frame = simulate(3, systems=["saga", "phases"])
    names = ["Mara", "Ilya", "Vex", "Guard 1", "Guard 2"]
    assert frame["combatant"].to_list() == names * 6
    assert frame["system"].to_list() == ["saga"] * 15 + ["phases"] * 15
    assert frame["fight"].to_list() == [i // 5 for i in range(15)] * 2
    assert frame["seed"].unique(maintain_order=True).to_list() == [seed_of(SEED, i) for i in range(3)]
    assert frame.schema["seed"] == pl.UInt64
    assert (frame["won"] == (frame["winner"] == frame["side"])).fill_null(True).all()


def test_every_system_is_asked_if_none_is_named() -> None:
    frame = simulate(1, systems=None)
    assert frame["system"].unique(maintain_order=True).to_list() == [rules.id for rules in ck.rulesets()]


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
@pytest.mark.parametrize("tactic", TACTICS)
def test_what_is_counted_is_what_the_history_tells(system: str, tactic: Any) -> None:
    counted = simulate(1, tactic, systems=system, rounds=4)
    enc, _ = fight(Setup(SCENE.encounter(system, seed=SEED)), SEED, tactic, ck.simulation.Bounds(4))
    sums = ("actions", "reactions", "damage_dealt", "damage_taken")
    rounds = enc.history.rounds.group_by("combatant", maintain_order=True).agg(pl.col(sums).sum())
    assert counted.select("combatant", *sums).rows() == rounds.rows()
    ended = enc.history.turns.filter(pl.col("ended_seq").is_not_null())
    turns = dict(ended.group_by("combatant").len().iter_rows())
    assert dict(counted.select("combatant", "turns").iter_rows()) == {n: turns.get(n, 0) for n in enc.names}
    vital = enc.ruleset.vitals[0].name
    assert counted["vital_end"].to_list() == [enc[name].values[vital] for name in enc.names]


def test_a_fights_seed_alone_plays_it_again() -> None:
    whole = simulate(4, ck.tactics.at_random, rounds=3)
    again = simulate(1, ck.tactics.at_random, rounds=3, seed=seed_of(SEED, 3))
    assert whole.filter(pl.col("fight") == 3).drop("fight").equals(again.drop("fight"))


def test_a_fight_of_many_is_the_fight_played_by_hand() -> None:
    enc = SCENE.encounter("saga", seed=SEED)
    played = ck.play(enc, ck.tactics.strike)
    row = simulate(1).row(0, named=True)
    assert (row["winner"], row["rounds"], row["seconds"], row["deeds"]) == played


def test_events_on_request_are_those_of_the_history() -> None:
    frame, events = simulate(2, events=True)
    assert events["encounter"].unique(maintain_order=True).to_list() == [f"saga-{seed_of(SEED, i)}" for i in range(2)]
    enc, _ = fight(Setup(SCENE.encounter("saga", seed=1)), seed_of(SEED, 1), ck.tactics.strike)
    assert events.filter(pl.col("encounter") == enc.id).equals(enc.history.events)
    assert frame.height == 10


def test_seeds_are_as_documented() -> None:
    from combatkit.core.dice import face

    word = [face(SEED, i, 2**32) - 1 for i in range(6)]
    assert [seed_of(SEED, i) for i in range(3)] == [SEED, word[2] * 2**32 + word[3], word[4] * 2**32 + word[5]]
    assert len({seed_of(SEED, i) for i in range(20_000)}) == 20_000


# ── an encounter ──


def test_an_encounter_is_fought_anew_from_its_beginning_and_is_not_touched() -> None:
    enc = ck.Encounter("saga", seed=1, options={"trade_down": True})
    enc.add("Mara", side="rebels", dex=4, level=6, hp=30, attack_bonus=9, defense=15)
    enc.add("Guard", side="empire", count=2, npc=True, dex=1, hp=8, attack_bonus=2, defense=12, at=(3, 4))
    enc.start(surprised=["Guard 1"])
    enc.end_turn()
    before = enc.digest
    setup = Setup(enc)
    assert enc.digest == before
    again: Setup = pickle.loads(pickle.dumps(setup))
    for made in (setup.encounter(5), again.encounter(5)):
        assert made.id == "saga-5"
        assert made._state.options["trade_down"] is True
        assert made["Guard 2"].position == (3, 4)
        assert made.clock.label == "Surprise round"
    frame = ck.simulate(enc, 2, seed=3, rounds=2, progress=False)
    assert frame["combatant"].to_list() == ["Mara", "Guard 1", "Guard 2"] * 2
    assert enc.digest == before


class Freely(D6):
    """Whoever acts pays nothing: it is handed over, and no registry knows it."""

    def payments(self, case: Case, cost: Cost) -> tuple[tuple[str, ...], ...]:
        """Take what the system takes, and leave it."""
        return tuple(() for _ in super().payments(case, cost))


def test_a_ruleset_that_is_handed_over_is_the_one_that_is_played_elsewhere() -> None:
    enc = ck.Encounter(Freely(), seed=1)
    enc.add("Mara", side="rebels")
    setup: Setup = pickle.loads(pickle.dumps(Setup(enc)))
    assert type(setup.ruleset) is Freely
    assert pickle.loads(pickle.dumps(Setup(SCENE.encounter("d6", seed=1)))).ruleset is ck.ruleset("d6")


# ── executors ──


def test_the_same_whatever_the_executor(pool: Executor) -> None:
    alone, events = simulate(9, ck.tactics.at_random, rounds=2, events=True, systems=["saga", "ap"])
    with ThreadPoolExecutor(3) as threads:
        for executor in (pool, threads):
            other = simulate(9, ck.tactics.at_random, executor, rounds=2, events=True, systems=["saga", "ap"])
            assert other[0].equals(alone)
            assert other[1].equals(events)


def test_a_tactic_that_is_in_no_module_reaches_a_worker(pool: Executor) -> None:
    def own(view: View, name: str) -> ck.Deed | None:
        return ck.tactics.strike(view, name)

    assert simulate(3, own, pool).equals(simulate(3))


class Killer:
    """A tactic that ends its process: once, or each time it meets a seed."""

    def __init__(self, seed: int, once: Path | None = None) -> None:
        self.seed = seed
        self.once = once

    def __call__(self, view: View, name: str) -> ck.Deed | None:
        if view._state.seed == self.seed and not (self.once and self.once.exists()):
            if self.once:
                self.once.touch()
            os._exit(9)
        return ck.tactics.strike(view, name)


def test_a_worker_lost_in_the_middle_loses_nothing(tmp_path: Path) -> None:
    once = tmp_path / "killed"
    with processes(2) as doomed:
        frame = simulate(24, Killer(seed_of(SEED, 11), once), doomed)
    assert once.exists()
    assert frame.equals(simulate(24))


def test_a_fight_that_always_loses_its_worker_is_named() -> None:
    with processes(2) as doomed, pytest.raises(ck.CombatkitError, match=f"seed={seed_of(SEED, 3)}") as caught:
        simulate(6, Killer(seed_of(SEED, 3)), doomed)
    assert "number 3" in str(caught.value)


@pytest.mark.parametrize(("piece", "hinted"), [(0, True), (1, False)])
def test_if_no_worker_ever_starts_it_is_said_where_a_script_makes_its_pool(
    piece: int, hinted: bool, pool: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(_: object) -> Any:
        raise LostWorkerError(piece)

    monkeypatch.setattr(running, "in_order", lambda *_: map(lost, [0]))
    with pytest.raises(ck.CombatkitError, match="lost their worker") as caught:
        simulate(6, executor=pool, engine="engine")
    assert ('under if __name__ == "__main__":' in str(caught.value)) == hinted


@pytest.mark.slow
@pytest.mark.filterwarnings("default::ResourceWarning", "default::DeprecationWarning")
def test_dask_on_two_workers_one_of_them_lost(tmp_path: Path) -> None:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,  # type: ignore[no-untyped-call]
        Client(cluster) as client,  # type: ignore[no-untyped-call]
    ):
        assert simulate(9, executor=client.get_executor()).equals(simulate(9))
        once = tmp_path / "killed"
        assert simulate(9, Killer(seed_of(SEED, 4), once), client.get_executor()).equals(simulate(9))
        assert once.exists()


def test_a_pools_workers_start_at_once_and_collect_garbage_between_pieces_only(pool: Executor) -> None:
    assert len(pool._processes) == 2  # type: ignore[attr-defined]
    assert pool.submit(gc.isenabled).result() is False
    assert pool.submit(gc.get_freeze_count).result() > 0


# ── failures ──


def refused(view: View, name: str) -> ck.Deed | None:
    """Choose, in one fight only, what the rules refuse."""
    return (
        ck.Deed("attack", {"target": name}) if view._state.seed == seed_of(SEED, 2) else ck.tactics.strike(view, name)
    )


class OddError(Exception):
    """An exception that cannot be pickled."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__("odd")


def odd(view: View, name: str) -> ck.Deed | None:
    raise OddError(1, 2)


@pytest.mark.parametrize("where", ["here", "pool"])
def test_a_tactic_that_chooses_what_is_refused_is_told_the_ruling_and_the_seed(where: str, pool: Executor) -> None:
    seed = seed_of(SEED, 2)
    with pytest.raises(ck.IllegalAction, match="can't target themselves") as caught:
        simulate(6, refused, pool if where == "pool" else None)
    assert caught.value.ruling.rule == "saga.std.ex.attack"
    told = "\n".join(caught.value.__notes__)
    assert f"in fight 2 of saga, seed {seed}" in told
    assert "chosen by refused for " in told
    assert simulate(2, refused, pool if where == "pool" else None).height == 10
    with pytest.raises(ck.IllegalAction, match="can't target themselves"):
        simulate(1, refused, seed=seed)


def test_the_first_failure_in_order_is_told_wherever_it_is_worked_out(pool: Executor) -> None:
    def late(view: View, name: str) -> ck.Deed | None:
        if view._state.seed in (seed_of(SEED, 1), seed_of(SEED, 5)):
            raise ValueError(f"fails {view._state.seed}")
        return ck.tactics.strike(view, name)

    for executor in (None, pool):
        with pytest.raises(ValueError, match=f"fails {seed_of(SEED, 1)}"):
            simulate(8, late, executor)


def test_what_cannot_be_sent_back_is_told_in_words(pool: Executor) -> None:
    with pytest.raises(OddError):
        simulate(1, odd)
    with pytest.raises(ck.CombatkitError, match=f"seed {SEED}(?s:.*)OddError: odd"):
        simulate(1, odd, pool)


def test_a_tactic_that_cannot_be_sent_says_so(pool: Executor) -> None:
    class Stuck:
        def __call__(self, view: View, name: str) -> None:
            return None

        def __reduce__(self) -> str:
            raise TypeError("held by an open file")

    with pytest.raises(ck.InvalidInput, match="cannot be sent to a worker"):
        simulate(1, Stuck(), pool)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"n": 0}, "n is 0"),
        ({"n": True}, "n is True"),
        ({"seed": -1}, "seed is -1"),
        ({"systems": []}, "systems is empty"),
        ({"systems": 5}, "systems is 5; give a ruleset's id, or several"),
        ({"rounds": "3"}, "simulate: rounds is '3'; give a whole number from 0 up, or None"),
        ({"seconds": "3"}, "simulate: seconds is '3'; give a number from 0 up, or None"),
        ({"executor": 4}, "executor is 4"),
    ],
)
def test_bad_input_is_told(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(ck.InvalidInput, match=told):
        simulate(**wrong)
    with pytest.raises(ck.InvalidInput, match="is not a fight"):
        ck.simulate("catwalk", 1)  # type: ignore[call-overload]
    with pytest.raises(ck.InvalidInput, match="a fight of saga already"):
        ck.simulate(SCENE.encounter("saga", seed=1), 1, systems="d6")
