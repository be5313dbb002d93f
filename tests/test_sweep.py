"""What a number is worth: every combination, the same fights in each, and what a system does not have is named."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import combatkit as ck
from combatkit.simulation.sweeping import _pair, _share

SCENE = ck.scene("catwalk")


def sweep(changes: Any, n: int = 4, **more: Any) -> pl.DataFrame:
    return ck.sweep(SCENE, changes, n=n, progress=False, **{"systems": "saga", **more})


def test_a_row_a_system_combination_and_side() -> None:
    frame = sweep({"Mara.speed": range(2), "distance": [10, 20]}, n=2, systems=["saga", "d6"])
    assert frame.columns == [
        "system", "Mara.speed", "distance", "n", "side", "wins", "low", "high",
        "difference", "low_difference", "high_difference",
    ]  # fmt: skip
    assert frame.select("system", "Mara.speed", "distance", "side").rows() == [
        (system, speed, apart, side)
        for system in ("saga", "d6")
        for speed in (0, 1)
        for apart in (10, 20)
        for side in ("rebels", "hunters")
    ]
    assert frame["n"].to_list() == [2] * 16
    assert ((frame["low"] <= frame["wins"]) & (frame["wins"] <= frame["high"])).all()


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
def test_what_is_counted_is_what_simulate_plays(system: str) -> None:
    frame = sweep({"Mara.toughness": ["good", "poor"]}, systems=system, seed=3)
    for toughness, told in (("good", SCENE), ("poor", _with(toughness="poor"))):
        fights = ck.simulate(told, 4, systems=system, seed=3, progress=False).unique("fight")
        for side in ("rebels", "hunters"):
            row = frame.row(by_predicate=(pl.col("Mara.toughness") == toughness) & (pl.col("side") == side), named=True)
            assert row["wins"] == (fights["winner"] == side).fill_null(False).sum() / 4


def test_a_stat_and_an_option_can_be_changed() -> None:
    frame = sweep({"Mara.hp": [1, 400], "options.trade_down": [False, True]}, n=6)
    rebels = frame.filter(side="rebels")
    assert rebels["Mara.hp"].to_list() == [1, 1, 400, 400]
    assert rebels["options.trade_down"].to_list() == [False, True] * 2
    assert rebels["wins"][2] == 1.0
    assert rebels["difference"].to_list() == [wins - rebels["wins"][0] for wins in rebels["wins"]]


def test_a_combination_is_compared_with_the_first() -> None:
    frame = sweep({"Mara.hp": [24, 400]})
    first, other = frame.filter(side="rebels").rows(named=True)
    assert (first["difference"], first["low_difference"], first["high_difference"]) == (0, 0, 0)
    assert other["low_difference"] <= other["difference"] <= other["high_difference"]


def test_what_a_system_does_not_have_is_skipped_and_named() -> None:
    with pytest.warns(UserWarning, match=r"trade_down .*in d6 \(d6 has no option trade_down\)") as told:
        frame = sweep({"Mara.speed": range(3, 6), "options.trade_down": [False]}, n=1, systems=["saga", "d6"])
    assert frame["Mara.speed"].to_list() == [3, 3, 4, 4]
    assert frame["system"].unique().to_list() == ["saga"]
    assert "Mara.speed 5 in saga, d6 (scene, Mara: speed is 5" in str(told[0].message)


def test_only_what_a_system_did_not_play_is_named_with_it() -> None:
    with pytest.warns(UserWarning, match=r"hp -3 in saga .*; Mara\.hp 8, -3 in d6 \(d6 has no hp\)"):
        assert sweep({"Mara.hp": [8, -3]}, n=1, systems=["saga", "d6"])["Mara.hp"].unique().to_list() == [8]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "give a mapping such as"),
        ({"Mara.sped": [1]}, "speed"),
        ({"Maro.speed": [1]}, "Mara"),
        ({"options.trade": [1]}, "trade_down"),
        ({"speed": [1]}, "combatant of the scene"),
        ({"Mara.speed": 3}, "give several values"),
        ({"Mara.speed": "good"}, "give several values"),
        ({"Mara.speed": []}, "each once"),
        ({"Mara.speed": [1, 1]}, "each once"),
        ({"Mara.speed": [1.5]}, "whole numbers"),
        ({"Mara.hp": range(1, 3000)}, "2,999 combinations"),
        ({"Mara.speed": [9]}, "no system plays any of this: Mara.speed 9 in saga"),
        ({3: [9]}, "is not a name"),
    ],
)
def test_what_is_wrong_is_said(changes: Any, told: str) -> None:
    with pytest.raises(ck.CombatkitError, match=told):
        sweep(changes)


def test_a_scene_is_wanted() -> None:
    with pytest.raises(ck.InvalidInput, match="is not a scene"):
        ck.sweep("catwalk", {"Mara.speed": [1]})  # type: ignore[arg-type]


def test_shares_have_wilsons_interval() -> None:
    """By Newcombe (1998), table I: 81 of 263, and none of 20."""
    assert _share(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert _share(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)


def test_pairs_have_an_interval_that_holds_what_was_found() -> None:
    for n, more, fewer in ((1, 1, 0), (4, 0, 4), (20, 12, 0), (1000, 30, 31)):
        low, high = _pair(more, fewer, n, same=False)
        assert -1 <= low <= (more - fewer) / n <= high <= 1
    assert _pair(60, 20, 200, same=False)[0] > 0


def test_a_chart_shows_every_point() -> None:
    frame = sweep({"Mara.speed": range(2), "Vex.skill": ["poor", "good"]}, n=1)
    drawn: Any = ck.simulation.chart(frame)
    rows = drawn.data.values
    assert [row["wins"] for row in rows] == frame["wins"].to_list()
    assert {row["picture"] for row in rows} == {"saga, Vex.skill poor", "saga, Vex.skill good"}
    with pytest.raises(ck.InvalidInput, match=r"no frame of ck\.sweep"):
        ck.simulation.chart(frame.drop("n"))


def test_a_chart_tells_sides_apart_without_colour() -> None:
    drawn: Any = ck.simulation.chart(sweep({"Mara.speed": range(2)}, n=1)).to_dict()
    shapes = [layer["encoding"]["shape"]["scale"] for layer in drawn["spec"]["layer"] if "shape" in layer["encoding"]]
    assert [scale["domain"] for scale in shapes] == [["rebels", "hunters"]]
    assert len(set(shapes[0]["range"])) == 2


def _with(**words: Any) -> Any:
    people = [
        {"name": p.name, "side": p.side, "count": p.count, "speed": p.speed, "skill": p.skill}
        | {"toughness": p.toughness, "role": p.role, "weapon": p.weapon, "aware": p.aware}
        | (words if p.name == "Mara" else {})
        for p in SCENE.participants
    ]
    return ck.scene(people, name=SCENE.name)
