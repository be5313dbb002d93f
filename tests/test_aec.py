"""Fights as PettingZoo environments, for every ruleset there is."""

from __future__ import annotations

from copy import copy, deepcopy
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test  # type: ignore[import-untyped]

import combatkit as ck
from combatkit.fight import view
from combatkit.rules.case import Case
from combatkit.rules.judge import Judgement, allowed
from combatkit.simulation.aec import Fight, OneSide, env

EVERY = [rules.id for rules in ck.rulesets()]


def masked(fight: Any, agent: str) -> Any:
    """Give a random action that the mask allows, or None for a dead step."""
    _, _, terminated, truncated, info = fight.last()
    return None if terminated or truncated else fight.action_space(agent).sample(info["action_mask"])


def at_zones() -> ck.Encounter:
    return ck.scene("bridge").encounter("d6", seed=1)


def at_hexes() -> ck.Encounter:
    return ck.scene("bridge").encounter("phases", seed=3)


@pytest.mark.parametrize("system", EVERY)
def test_pettingzoo_finds_nothing_wrong(system: str) -> None:
    api_test(env(system))


@pytest.mark.parametrize("system", [EVERY[0], *(pytest.param(each, marks=pytest.mark.long) for each in EVERY[1:])])
def test_pettingzoo_finds_the_same_for_the_same_seed(system: str) -> None:
    seed_test(lambda: env(system))


@pytest.mark.parametrize("rounds", [12, pytest.param(60, marks=pytest.mark.long)])
@pytest.mark.parametrize("system", EVERY)
def test_all_agents_take_a_dead_step_and_the_side_that_is_left_wins(system: str, rounds: int) -> None:
    fight = env(system, rounds=rounds)
    fight.reset(seed=3)
    for number, agent in enumerate(fight.possible_agents):
        fight.action_space(agent).seed(number)
    rewards: dict[str, float] = {}
    for agent in fight.agent_iter():
        _, reward, terminated, truncated, _ = fight.last()
        if terminated or truncated:
            rewards[agent] = reward
            fight.step(None)
        else:
            fight.step(masked(fight, agent))
    enc = fight.unwrapped.encounter
    assert set(rewards) == set(enc.names)
    assert fight.agents == []
    winner = fight.unwrapped._table.winner
    sides = {name: enc[name].side for name in enc.names}
    if winner is None:
        assert system in ("ap", "segments"), "whose fights are longer than twelve rounds"
        assert set(rewards.values()) == {0.0}
    else:
        assert rewards == {name: 1.0 if side == winner else -1.0 for name, side in sides.items()}


def test_a_fight_that_runs_out_of_rounds_is_truncated() -> None:
    fight = env("saga", rounds=1)
    fight.reset(seed=1)
    while not any(fight.truncations.values()):
        assert not any(fight.terminations.values())
        fight.step(0)
    assert all(fight.truncations.values())
    assert not any(fight.terminations.values())
    assert fight.unwrapped.encounter._state.round == 2


@pytest.mark.parametrize(
    "make", [lambda: "ap", lambda: "phases", at_zones, at_hexes], ids=["ap", "phases", "zones", "hexes"]
)
def test_the_mask_is_what_can_be_done(make: Any) -> None:
    """What the mask allows is carried out; of the rest, what is asked for is refused and changes nothing."""
    fight = env(make(), rounds=3)
    fight.reset(seed=5)
    rng = np.random.default_rng(5)
    raw = fight.unwrapped
    for agent in fight.agent_iter(60):
        _, _, terminated, truncated, info = fight.last()
        if terminated or truncated:
            break
        refused = np.flatnonzero(info["action_mask"] == 0)
        before = raw.encounter.digest
        with pytest.raises((ck.IllegalAction, ck.InvalidInput)):
            fight.step(int(rng.choice(refused)))
        assert raw.encounter.digest == before
        assert fight.agent_selection == agent
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        deed = raw._legal[action]
        fight.step(action)
        if deed is not None:
            done = [e for e in raw.encounter._events if e.kind == "action"][-1]
            assert (deed.action, agent) in {
                (e.action, e.actor) for e in raw.encounter._events[-40:] if e.kind in ("action", "answer")
            }, (deed, done)


def test_whoever_lies_crawls_nearer_by_the_hexes_of_one_step() -> None:
    fight = env(at_hexes())
    fight.reset(seed=7)
    enc, agent = fight.unwrapped.encounter, fight.agent_selection
    enc.condition(agent, "prone")
    fight.unwrapped.restore(fight.unwrapped.state())
    near = {fight.unwrapped.labels[i] for i in np.flatnonzero(fight.infos[agent]["action_mask"])}
    assert any(label.startswith("Crawl, towards") for label in near)


MAYS = {"saga": 96, "d6": 67, "ap": 91, "segments": 36, "phases": 263}
"""How often a mask asks who may do what, at most: what is refused whoever it is at is asked about once."""


@pytest.mark.parametrize("system", EVERY)
def test_a_mask_asks_no_more_than_it_did(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0

    def counting(case: Case) -> Judgement | None:
        nonlocal asked
        asked += 1
        return allowed(case)

    monkeypatch.setattr(view, "allowed", counting)
    fight = env(ck.scene("catwalk").encounter(system, seed=7))
    fight.reset(seed=7)
    assert fight.infos[fight.agent_selection]["action_mask"].any()
    assert asked <= MAYS[system]


def test_a_refused_action_is_told_its_ruling() -> None:
    fight = env("saga")
    fight.reset(seed=7)
    agent = fight.agent_selection
    own = fight.unwrapped.labels.index(f"Attack, at {agent}")
    with pytest.raises(ck.IllegalAction, match="target themselves") as caught:
        fight.step(own)
    assert caught.value.ruling.rule.startswith("saga.")


def test_a_window_is_for_those_who_may_answer() -> None:
    enc = ck.scene("catwalk").encounter("ap", seed=1)
    fight = env(enc)
    fight.reset(seed=1)
    agent, raw = fight.agent_selection, fight.unwrapped
    target = next(n for n in raw.encounter.names if raw.encounter[n].side != raw.encounter[agent].side)
    fight.step(raw.labels.index(f"Attack, at {target}"))
    offers = {offer.who for offer in raw.encounter.pending}
    assert fight.agent_selection in offers
    titles = {raw.labels[i] for i in np.flatnonzero(fight.infos[fight.agent_selection]["action_mask"])}
    assert any(title.startswith("Parry") for title in titles)
    assert not any(title.startswith("Attack") for title in titles)
    for _ in offers:
        fight.step(0)
    assert fight.agent_selection == agent


def test_the_observation_is_as_documented() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Bo", side="a", hp=20, dex=9)
    enc.add("Cy", side="b", hp=10, dex=0)
    fight = env(enc, rounds=10)
    fight.reset(seed=1)
    raw = fight.unwrapped
    raw.encounter.adjust("Cy", "hp", -5)
    slots = [1.0, 1.0, 1.0, 1.0, 0.0]  # standard, move, swift, reaction, and no opportunities besides
    bo = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, *slots]
    seen = fight.observe("Bo")
    assert fight.agent_selection == "Bo"
    assert seen[:3].tolist() == pytest.approx([0.1, 0.0, 1.0])
    assert seen[3:15].tolist() == pytest.approx(bo, abs=1e-6)
    cy = seen[15:22].tolist()
    flat_footed = len(raw.encounter._state.fighters["Cy"].effects) / 8
    assert cy == pytest.approx([-1.0, 1.0, 0.0, 0.5, 0.5, 1.0, flat_footed])
    assert fight.observe("Cy")[2] == 0.0
    assert fight.observe("Cy").shape == seen.shape == (3 + 2 * 12,)


def test_an_encounter_is_not_touched_and_episodes_follow_from_the_seed() -> None:
    enc = ck.scene("ambush").encounter("saga", seed=2)
    before = enc.digest
    fight = env(enc, render_mode="ansi")
    fight.reset(seed=9)
    first = fight.unwrapped.encounter.seed
    assert fight.render().splitlines()[0] == "Surprise round"
    fight.reset()
    assert (first, fight.unwrapped.encounter.seed) == (9, ck.simulation.seed_of(9, 1))
    assert enc.digest == before
    fight.close()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((3,), "3 is not a fight"),
        (("saga", {"rounds": 0}), "rounds is 0"),
        (("saga", {"render_mode": "human"}), "'ansi'"),
    ],
)
def test_bad_input_is_told(given: tuple[Any, ...], told: str) -> None:
    with pytest.raises(ck.InvalidInput, match=told):
        env(given[0], **(given[1] if len(given) > 1 else {}))
    with pytest.raises(ck.UnknownName, match="saag"):
        env("saag")


# ── copies ──


def gone_on(fight: Any, seed: int, steps: int = 12) -> list[Any]:
    """Go on at random by the mask, and give all that is told on the way."""
    rng, told = np.random.default_rng(seed), []
    for _ in range(steps):
        if not fight.agents:
            break
        agent = fight.agent_selection
        seen, reward, terminated, truncated, info = fight.last()
        over = terminated or truncated
        action = None if over else int(rng.choice(np.flatnonzero(info["action_mask"])))
        told.append((agent, seen.tobytes(), reward, over, action))
        fight.step(action)
    return [*told, fight.unwrapped.encounter.digest]


@pytest.mark.parametrize("system", EVERY)
def test_a_copy_and_a_state_go_on_as_the_episode_does(system: str) -> None:
    fight = env(system, rounds=3)
    fight.reset(seed=4)
    gone_on(fight, 1)
    there = deepcopy(fight.state())
    copies = [copy(fight), deepcopy(fight)]
    before = fight.unwrapped.encounter.digest
    first = gone_on(copies[0], 2)
    assert gone_on(copies[1], 2) == first
    assert fight.unwrapped.encounter.digest == before != copies[1].unwrapped.encounter.digest
    assert gone_on(fight, 2) == first
    for _ in range(2):
        fight.restore(there)
        assert gone_on(fight, 2) == first
    third = env(system, rounds=3)
    third.restore(there)
    assert gone_on(third, 2) == first


def test_a_deep_copy_samples_on_its_own() -> None:
    fight = env("saga", rounds=2)
    fight.reset(seed=4)
    fight.action_space("foe_1").seed(1)
    other = deepcopy(fight)
    told = [[int(each.action_space("foe_1").sample()) for _ in range(9)] for each in (fight, other)]
    assert told[0] == told[1]


@pytest.mark.parametrize("copied", [copy, deepcopy])
def test_an_episode_is_restored_after_its_end_and_a_copy_is_made_before_its_beginning(copied: Any) -> None:
    fight = env("saga", rounds=1)
    other = copied(fight)
    fight.reset(seed=4)
    there = fight.state()
    first = gone_on(fight, 2, 200)
    assert not fight.agents
    fight.restore(there)
    assert gone_on(fight, 2, 200) == first
    other.reset(seed=4)
    assert gone_on(other, 2, 200) == first


def test_whoever_passes_without_a_look_has_no_mask_made(monkeypatch: pytest.MonkeyPatch) -> None:
    fight = env("saga", rounds=2)
    fight.reset(seed=7)
    monkeypatch.setattr(Fight, "_deeds", lambda *_: pytest.fail("a mask was made"))
    for _ in fight.agent_iter():
        over = any(fight.last()[2:4])
        fight.step(None if over else 0)
    assert not fight.agents


def test_a_mask_is_made_when_it_is_read_and_stays_that_of_its_moment() -> None:
    fight = env("saga")
    fight.reset(seed=7)
    raw, agent = fight.unwrapped, fight.agent_selection
    told = fight.infos[agent]
    assert "action_mask" in told
    assert raw._legal_known is None
    again = env("saga")
    again.reset(seed=7)
    mask = again.infos[agent]["action_mask"]
    fight.step(int(np.flatnonzero(mask)[1]))
    assert raw._legal_known is None
    assert np.array_equal(told["action_mask"], mask)
    assert told.get("action_mask") is told["action_mask"]
    assert next(iter(told.values())) is dict(told.items())["action_mask"]


# ── one side ──


@pytest.mark.parametrize("system", EVERY)
def test_gymnasium_finds_nothing_wrong_with_one_side(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fight = OneSide(system, "heroes", rounds=3)
    monkeypatch.setattr(fight.action_space, "sample", lambda *_: 0)  # it would choose without a look at the mask
    check_env(fight, skip_render_check=True)


@pytest.mark.parametrize("system", EVERY)
def test_a_side_that_strikes_as_all_others_do_fights_the_fight_that_is_played(system: str) -> None:
    enc = ck.scene("catwalk").encounter(system, seed=7)
    fight = OneSide(enc, "rebels")
    _, info = fight.reset(seed=7)
    labels, over, reward = fight.fight.labels, False, 0.0
    while not over:
        name = fight.fight.agent_selection
        assert enc[name].side == "rebels"
        deed = ck.tactics.strike(fight.fight.encounter, name)
        number = 0 if deed is None else label(fight, deed)
        assert info["action_mask"][number] == fight.action_masks()[number] == 1, labels[number]
        _, reward, terminated, truncated, info = fight.step(number)
        over = terminated or truncated
    assert np.flatnonzero(mask := fight.action_masks()).tolist() == [0], "nobody is asked any more"
    assert len(mask) == len(labels)
    alone = ck.simulation.Setup(enc).encounter(7)
    played = ck.play(alone, ck.tactics.strike)
    assert fight.fight.encounter.digest == alone.digest
    assert reward == {"rebels": 1.0, "hunters": -1.0, None: 0.0}[played.winner]


def label(fight: OneSide, deed: ck.Deed) -> int:
    """Give the number of a deed."""
    title = fight.fight.encounter.ruleset.catalogue(fight.fight.encounter._state)[deed.action].title
    return fight.fight.labels.index(f"{title}, at {deed.params['target']}" if "target" in deed.params else title)


def test_one_sides_others_go_by_their_own_tactics_and_bad_input_is_told() -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7)
    asked: list[str] = []

    def noted(view: Any, name: str) -> ck.Deed | None:
        asked.append(name)
        return ck.tactics.strike(view, name)

    fight = OneSide(enc, "rebels", {"hunters": noted}, rounds=2, render_mode="ansi")
    fight.reset(seed=7)
    assert asked
    assert set(asked) <= {"Vex", "Guard 1", "Guard 2"}
    assert str(fight.render()).startswith("Round 1")
    with pytest.raises(ck.UnknownName, match="unknown side 'rebel'"):
        OneSide(enc, "rebel")
    with pytest.raises(ck.InvalidInput, match="Vex has no tactic"):
        OneSide(enc, "rebels", {})
