"""Fights as arrays: the rows are the engine's, seed by seed, in scenes drawn at random; what is not covered says so."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import polars as pl
import pytest

import combatkit as ck
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Cost
from combatkit.simulation import Bounds, Setup, arrays, engine_of, fight, seed_of
from combatkit.simulation.fights import rows
from combatkit.systems.saga.ruleset import Saga

pytest.importorskip("numpy")

SYSTEMS = tuple(rules.id for rules in ck.rulesets() if arrays.kind_of(rules) is not None)
SEEDS = 10
"""How many seeds a scene is fought with."""

sizes = pytest.mark.parametrize("scenes", [5, pytest.param(100, marks=pytest.mark.long)])
"""How many scenes a system: fifty seeds, and in the long form a thousand."""

SHEETS: dict[str, dict[str, list[Any]]] = {
    "saga": {
        "dex": [0, 1, 1, 3],
        "level": [1, 2, 7],
        "initiative_misc": [0, 0, 2],
        "hp": [1, 9, 20],
        "defense": [10, 14, 17],
        "attack_bonus": [0, 3, 8],
    },
    "d6": {
        "initiative": [0, 1, 1, 3],
        "resolve": [1, 6, 11],
        "defense": [7, 10, 12],
        "armor": [0, 3, 5, 8],
        "stamina": [0, 1, 2],
        "control": [0, 0, 1],
        "significant": [False, True],
        "major": [False, False, True],
    },
    "ap": {
        "initiative_rating": [8, 10, 10, 14],
        "luck_bonus": [None, 0, 2],
        "ap": [0, 1, 2, 3, 5],
        "hp": [1, 9, 25],
        "attack_bonus": [0, 4, 9],
        "defense": [8, 13, 19],
    },
    "segments": {
        "aac0": [10, 15, 19, "20*"],
        "ac": [-9, 2, 6, 9, 10],
        "hp": [1, 6, 14],
        "class_level": [0, 3],
    },
    "phases": {
        "combat_value": [3, 4, 4, 6],
        "ocv": [3, 5, 8],
        "dcv": [2, 4, 7],
        "lightning_reflexes": [0, 0, 1],
        "stun": [4, 14, 22],
        "recovery": [0, 3, 9],
        "auto_recovery": [True, True, False],
    },
}
WEAPONS: dict[str, list[dict[str, Any]]] = {
    "saga": [
        {"name": "club", "damage": "1d6", "range": "melee"},
        {"name": "axe", "damage": "2d4+1d6-5", "range": "melee", "attack": 2},
        {"name": "gun", "damage": "d10+3"},
    ],
    "d6": [
        {"name": "club", "attack": "3D", "damage": "2D+1", "range": "melee"},
        {"name": "gun", "attack": "4D+2", "damage": "3D", "range": "long"},
    ],
    "ap": [
        {"name": "club", "damage": "1d6+1"},
        {"name": "spear", "damage": "1d8-2", "range": "melee", "attack": 3},
        {"name": "sword", "damage": "2d6", "range": "melee"},
    ],
    "segments": [
        {"name": "club", "damage": "1d6", "speed": 5},
        {"name": "dagger", "damage": "1d4+1", "speed": 2},
        {"name": "maul", "damage": "2d6-3"},
    ],
    "phases": [
        {"name": "club", "damage": "1d6+1", "ocv": 1},
        {"name": "sword", "damage": "2d6-4"},
        {"name": "gun", "damage": "1d6+2d3", "range": 20},
    ],
}
OPTIONS: dict[str, dict[str, list[Any]]] = {
    "ap": {"actions": ["ours", "ours", "book"], "max_attacks": [None, None, 1, 3]},
    "phases": {"meets_hits": [True, False]},
    "segments": {"weapon_speed_ties": [True, True, False]},
}


def drawn(system: str, seed: int) -> Setup:
    """Draw a scene of what is covered."""
    rng = Random(f"{system} {seed}")
    options = {key: rng.choice(values) for key, values in OPTIONS.get(system, {}).items()}
    enc = ck.Encounter(system, seed=1, options=options)
    names = []
    for number in range(rng.randrange(2, 8)):
        sheet = {stat: rng.choice(values) for stat, values in SHEETS[system].items()}
        if system == "d6":
            sheet["attributes"] = {"might": "3D", "agility": "3D"}
        side = "abc"[number if number < 2 else rng.randrange(2 + (seed % 3 == 0))]
        names.append(f"P{number}")
        enc.add(names[-1], side=side, npc=rng.random() < 0.5, weapons=[rng.choice(WEAPONS[system])], **sheet)
    falls = {} if system == "d6" else {"at": 0, "becomes": "unconscious"}
    enc.add_table("scene", [{"id": name, **falls} for name in names])
    return Setup(enc)


@pytest.mark.parametrize("system", SYSTEMS)
@sizes
def test_rows_are_the_engines_seed_by_seed(system: str, scenes: int) -> None:
    for scene in range(scenes):
        setup = drawn(system, scene)
        assert arrays.reason(setup) == "", (system, scene)
        bounds = Bounds((8, 1, 3, None)[scene % 4] if scene % 5 else 20)
        if bounds.rounds is None:
            bounds = Bounds(12)
        fights = [(number, seed_of(scene, number)) for number in range(SEEDS)]
        found = iter(arrays.rows(setup, fights, bounds))
        for number, seed in fights:
            for row in rows(*_played(setup, seed, bounds, number)):
                assert next(found) == row, (system, scene, seed)


def _played(setup: Setup, seed: int, bounds: Bounds, number: int) -> tuple[Any, int, Any]:
    enc, played = fight(setup, seed, ck.tactics.strike, bounds)
    return enc, number, played


def test_the_frame_is_the_same_whatever_plays_it() -> None:
    scene = ck.scene("catwalk")
    whole = {engine: ck.simulate(scene, 6, seed=7, engine=engine, progress=False) for engine in ("auto", "engine")}
    assert whole["auto"].equals(whole["engine"])
    swept = [
        ck.sweep(scene, {"Mara.hp": [8, 40]}, n=10, systems="saga", engine=engine, progress=False)
        for engine in ("arrays", "engine")
    ]
    assert swept[0].equals(swept[1])


def test_what_is_played_is_said_beforehand(capsys: pytest.CaptureFixture[str]) -> None:
    ck.simulate(ck.scene("catwalk"), 1, systems=["saga", "ap"], rounds=1)
    assert "simulate: 2 fights of saga, ap as arrays" in capsys.readouterr().err
    ck.simulate(ck.scene("ambush"), 1, systems="saga", rounds=1)
    assert "simulate: 1 fight of saga by the engine (somebody is surprised)" in capsys.readouterr().err


class Other(Saga):
    """A stranger's."""

    def payments(self, case: Case, cost: Cost) -> tuple[tuple[str, ...], ...]:
        """Take nothing."""
        return ((),)


def hand(rules: Any = "saga", **more: Any) -> ck.Encounter:
    """Give a fight made by hand."""
    enc = ck.Encounter(rules, seed=1, options=more.pop("options", None))
    club = WEAPONS["saga"][0]
    enc.add("Mara", side="a", **{"hp": 9, "defense": 10, "attack_bonus": 2, "weapons": [club], **more})
    enc.add("Bo", side="b", hp=9, defense=10, attack_bonus=2, weapons=[club])
    enc.add_table("scene", [{"id": name, "at": 0, "becomes": "unconscious"} for name in ("Mara", "Bo")])
    return enc


def refusals() -> Iterator[tuple[Any, Any, dict[str, Any], str]]:
    """Give what is not covered, and why."""
    strike, two = ck.tactics.strike, [*WEAPONS["saga"][:2]]
    yield hand(weapons=two), strike, {}, "Mara has two weapons"
    yield hand(weapons=[]), strike, {}, "Mara has no weapon"
    yield hand(feats=["Quick Draw"]), strike, {}, "Mara has feats"
    yield hand(conditions=["prone"]), strike, {}, "Mara has a condition, or uses that are counted"
    yield hand(at=(1, 1)), strike, {}, "the fight has places"
    yield hand(options={"trade_down": True}), strike, {}, "the option trade_down is True"
    yield hand(hp=None), strike, {}, "nobody says how much Mara can take"
    yield hand(attack_bonus=None), strike, {}, "Mara's attack is not a roll to hit and one for damage"
    yield hand(Other()), strike, {}, "Star Wars Saga Edition is played by its engine only"
    yield hand(), ck.tactics.hold_back, {}, "only the tactic strike is played as arrays"
    yield hand(), {"a": strike, "b": ck.tactics.at_random}, {}, "only the tactic strike is played as arrays"
    yield hand(), strike, {"seconds": 60}, "they end after so many seconds"
    yield hand(), strike, {"events": True}, "their events are asked for"


REFUSALS = tuple(refusals())


@pytest.mark.parametrize(("enc", "tactics", "options", "why"), REFUSALS, ids=range(len(REFUSALS)))
def test_what_arrays_do_not_play_is_the_engines_and_says_why(
    enc: ck.Encounter, tactics: Any, options: dict[str, Any], why: str
) -> None:
    assert engine_of(enc, tactics, options) == ("engine", why)
    with pytest.raises(ck.InvalidInput, match="can't be played as arrays"):
        ck.simulate(enc, 2, tactics, engine="arrays", progress=False, **options)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"sytems": "saga"}, "simulate has no option 'sytems': did you mean 'systems'"),
        ({"tactics": ck.tactics.strike}, "simulate has no option 'tactics'"),
        ({"rounds": "3"}, "engine_of: rounds is '3'"),
        ("saga", "engine_of: options is 'saga'; give a mapping"),
    ],
)
def test_what_simulate_would_not_take_is_not_answered(options: Any, told: str) -> None:
    with pytest.raises(ck.CombatkitError, match=told):
        engine_of(hand(), options=options)
    assert engine_of(hand(), options={"n": 10_000, "seed": 7, "progress": False}) == ("arrays", "")


def test_tactics_by_side_are_arrays_if_all_strike() -> None:
    assert engine_of(hand(), {"a": ck.tactics.strike, "b": ck.tactics.strike}) == ("arrays", "")
    with pytest.raises(ck.InvalidInput, match="engine is 'fast'; give 'auto', 'engine' or 'arrays'"):
        ck.simulate(hand(), 1, engine="fast", progress=False)  # type: ignore[call-overload]


# ── stopped, and gone on with ──


def stopping(after: int) -> Any:
    """Give a tactic that stops everything when its turn has come so often."""
    asked = 0

    def tactic(view: Any, name: str) -> ck.Deed | None:
        nonlocal asked
        asked += 1
        if asked == after:
            raise KeyboardInterrupt
        return ck.tactics.strike(view, name)

    return tactic


def test_what_is_stopped_keeps_what_is_done_and_goes_on_with_the_same_rows() -> None:
    scene = ck.scene("catwalk")
    more: dict[str, Any] = {"seed": 7, "systems": ["saga", "phases"], "rounds": 2, "progress": False}
    whole = ck.simulate(scene, 4, engine="engine", **more)
    with pytest.warns(UserWarning, match=r"stopped; the frame holds \d of 8 fights\. With resume=FRAME"):
        part = ck.simulate(scene, 4, stopping(60), **more)
    assert 0 < part.height < whole.height
    assert ck.simulate(scene, 4, resume=part, **more).equals(whole)
    with pytest.raises(ck.InvalidInput, match="resume has another seed in fight 0"):
        ck.simulate(scene, 4, resume=part, **{**more, "seed": 8, "systems": "saga"})
    with pytest.raises(ck.InvalidInput, match="resume has other combatants or systems"):
        ck.simulate(scene, 4, resume=part, **{**more, "systems": "d6"})
    with pytest.raises(ck.InvalidInput, match="resume can't be gone on with"):
        ck.simulate(scene, 4, resume=part.drop("won"), **more)
    with pytest.raises(ck.InvalidInput, match="resume can't be gone on with"):
        ck.simulate(scene, 4, resume=part.lazy(), **more)
    with pytest.raises(ck.InvalidInput, match="resume has another seed in fight 0"):
        ck.simulate(scene, 4, resume=part.cast({"fight": pl.String}), **more)
    with pytest.raises(ck.InvalidInput, match="resume has other fights in saga"):
        ck.simulate(scene, 4, ck.tactics.hold_back, resume=part, **more)
    assert ck.simulate(scene, 1, resume=whole, **more).equals(whole.filter(fight=0))


def test_fights_of_another_sheet_are_not_gone_on_with() -> None:
    more: dict[str, Any] = {"seed": 7, "progress": False}
    part = ck.simulate(hand(), 40, **more)
    assert ck.simulate(hand(), 50, resume=part, **more).equals(ck.simulate(hand(), 50, **more))
    with pytest.raises(ck.InvalidInput, match="resume has other fights in saga"):
        ck.simulate(hand(defense=11), 50, resume=part, **more)


def test_what_is_stopped_before_anything_is_done_is_stopped() -> None:
    with pytest.raises(KeyboardInterrupt):
        ck.simulate(ck.scene("catwalk"), 2, stopping(1), systems="saga", progress=False)


def stops_at(hp: int) -> Any:
    """Give a tactic that stops everything where Mara has so many hit points."""

    def tactic(view: Any, name: str) -> ck.Deed | None:
        if view["Mara"].stats["hp"] == hp:
            raise KeyboardInterrupt
        return ck.tactics.strike(view, name)

    return tactic


def test_a_sweep_that_is_stopped_keeps_its_whole_combinations_and_goes_on() -> None:
    scene, changes = ck.scene("catwalk"), {"Mara.hp": [8, 40, 60]}
    more: dict[str, Any] = {"n": 12, "systems": "saga", "progress": False}
    whole = ck.sweep(scene, changes, **more)
    with pytest.warns(UserWarning, match="stopped; 2 of 3 combinations are whole, and kept"):
        part = ck.sweep(scene, changes, tactics=stops_at(60), **more)
    assert part["Mara.hp"].to_list() == [8, 8, 40, 40]
    fought: list[int] = []

    def counting(view: Any, name: str) -> ck.Deed | None:
        fought.append(view["Mara"].stats["hp"])
        return ck.tactics.strike(view, name)

    assert ck.sweep(scene, changes, tactics=counting, resume=part, **more).equals(whole)
    assert set(fought) == {8, 60}
    assert ck.sweep(scene, changes, resume=part.reverse(), **more).equals(whole)
    for odd in (part.tail(-1), part.head(-1)):  # a side of a combination is not there
        assert ck.sweep(scene, changes, resume=odd, **more).equals(whole)
    with pytest.raises(ck.InvalidInput, match="resume can't be gone on with"):
        ck.sweep(scene, changes, resume=part.lazy(), **more)  # type: ignore[arg-type]
    with pytest.warns(UserWarning, match="stopped; 2 of 3 combinations are whole"):  # before what they go by
        assert ck.sweep(scene, changes, tactics=stops_at(8), resume=part, **more).equals(part)
    with pytest.raises(ck.InvalidInput, match="resume has other fights in saga"):
        ck.sweep(scene, changes, seed=1, resume=part, **more)
    with pytest.raises(ck.InvalidInput, match="resume has other combinations"):
        ck.sweep(scene, changes, resume=part, **{**more, "n": 5})
    with pytest.raises(ck.InvalidInput, match="resume can't be gone on with"):
        ck.sweep(scene, {"Mara.defense": [1]}, resume=part, **more)


def test_without_tqdm_lines_say_what_is_done_and_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from combatkit.simulation import running

    monkeypatch.setattr(running, "find_spec", lambda _: None)
    monkeypatch.setattr(running.Lines, "EVERY", -1.0)
    ck.simulate(ck.scene("catwalk"), 2, systems="ap", rounds=1, engine="engine")
    assert "simulate: 1 of 2 fights done, about " in capsys.readouterr().err


def test_how_long_the_rest_takes_goes_by_what_was_played_last(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from combatkit.simulation import running

    clock = [0.0]
    monkeypatch.setattr(running, "monotonic", lambda: clock[0])
    lines = running.Lines("sweep", 2_000)
    for seconds, count in ((2.1, 1_000), (4.2, 20), (6.3, 20)):  # as arrays, then by the engine
        clock[0] = seconds
        lines.update(count)
    told = capsys.readouterr().err.splitlines()
    assert [line.partition("about ")[2] for line in told] == ["2 s left", "103 s left", "101 s left"]
