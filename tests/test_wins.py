"""Who wins within some rounds, exactly: worked out by hand where that can be, and held to simulation elsewhere."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest

import combatkit as ck
from combatkit.simulation import Setup, reckoning

pytest.importorskip("numpy")

MANY = 20_000


def duel(**more: Any) -> ck.Encounter:
    """Give a fight in which whoever hits has won: 1 hit point each, and Mara is first whatever the dice say."""
    enc = ck.Encounter("saga", seed=1)
    for name, side, dex in (("Mara", "a", 40), ("Bo", "b", 0)):
        weapon = {"name": "club", "damage": "1d6", "range": "melee"}
        enc.add(name, side=side, dex=dex, hp=1, defense=11, attack_bonus=0, weapons=[weapon], **more)
    enc.add_table("scene", [{"id": name, "at": 0, "becomes": "unconscious"} for name in ("Mara", "Bo")])
    return enc


def test_a_duel_is_what_it_is_by_hand() -> None:
    assert duel().odds().wins().rows() == [("a", 0.5, 0.75, 0.5), ("b", 0.25, 0.5, 0.25)]
    twice = duel().odds().wins(tactics=ck.tactics.strike, rounds=2)
    assert twice.columns == ["side", "low", "high", "chance"]
    assert twice["chance"].to_list() == [0.5 + 0.25 * 0.5, 0.25 + 0.25 * 0.25]


@pytest.mark.parametrize("system", ["saga", "d6", "phases"])
@pytest.mark.parametrize(("people", "rounds"), [(2, 3), (3, 2)])
def test_what_is_reckoned_is_what_simulation_comes_near_to(system: str, people: int, rounds: int) -> None:
    told: list[dict[str, object]] = [
        {"name": f"P{n}", "side": "ab"[n % 2], "toughness": "poor", "skill": ("good", "fair")[n % 2], "weapon": "melee"}
        for n in range(people)
    ]
    enc = ck.scene(told, name="Reckoned").encounter(system, seed=7)
    exact = enc.odds().wins(rounds=rounds)
    frame = ck.simulate(enc, MANY, rounds=rounds, seed=3, engine="arrays", progress=False)
    for side, low, high, chance in exact.iter_rows():
        share = frame.filter(side=side).unique("fight")["won"].fill_null(False).mean()
        assert isinstance(share, float)
        assert abs(share - chance) <= 4.5 * sqrt(max(chance * (1 - chance), 1 / MANY) / MANY), (side, share, chance)
        assert low == chance <= high
    assert exact["low"].sum() <= 1.0
    assert exact["chance"].max() > 0.0  # type: ignore[operator]


def test_what_cannot_be_reckoned_is_refused_with_its_reason_or_size(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ck.InvalidInput, match="can't be reckoned, but simulated: only the tactic strike"):
        duel().odds().wins(tactics=ck.tactics.hold_back)
    with pytest.raises(ck.InvalidInput, match="can't be reckoned, but simulated: Mara has feats"):
        duel(feats=["Quick Draw"]).odds().wins()
    with pytest.raises(ck.InvalidInput, match="can't be reckoned, but simulated: an attack may be answered"):
        ck.scene("catwalk").encounter("ap", seed=7).odds().wins()
    with pytest.raises(ck.InvalidInput, match="without a last round has ways without end"):
        duel().odds().wins(rounds=None)  # type: ignore[arg-type]
    with pytest.raises(ck.InvalidInput, match="rounds is 0"):
        duel().odds().wins(rounds=0)
    monkeypatch.setattr(reckoning, "MOST", 399)
    with pytest.raises(ck.InvalidInput, match="these are 400 orders of the dice, and 399 are gone through"):
        duel().odds().wins()
    monkeypatch.setattr(reckoning, "MOST", 400)
    with pytest.raises(ck.InvalidInput, match="states of the fight"):
        ck.scene("catwalk").encounter("phases", seed=7).odds().wins()


def test_orders_are_as_likely_as_the_odds_say() -> None:
    enc = ck.scene("catwalk").encounter("d6", seed=7)
    orders, weights = reckoning._orders(enc.odds().lots, enc.names)
    for number, name in enumerate(enc.names):
        for place, chance in enumerate(enc.odds().exact[name].chance):
            assert weights[orders[:, place] == number].sum() == pytest.approx(float(chance))
    assert Setup(enc).ruleset is ck.ruleset("d6")
