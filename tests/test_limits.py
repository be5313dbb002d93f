"""What nobody could mean is refused before any work is done for it."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.core import limits
from tests.counting import stopped

FAR = 1_000_000_000

MOST = 1_000_000
"""So many function calls it takes at most to refuse what nobody could mean."""


def on_hexes() -> ck.Encounter:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Mara", side="rebels", at=(0, 0), movement=1000, combat_value=20)
    enc.add("Vex", side="empire", at=(5, 50))
    enc.start()
    return enc


@pytest.mark.parametrize("kind", ["do", "choices"])
def test_a_way_is_measured_before_it_is_walked(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Any] = []
    monkeypatch.setattr(ck.Tracker, "send", lambda _, content, buffers=None: heard.append(content))  # noqa: ARG005
    tracker = ck.Tracker(on_hexes())
    message = {"kind": kind, "name": "Mara", "action": "half_move", "params": {"to": [FAR, -FAR]}}
    stopped(lambda: tracker._hear(None, message, []), MOST)
    assert "1,000,000,000 hexes" in (heard[0].get("reason") or heard[0]["ruling"]["reason"][0])


def test_no_way_is_longer_even_by_the_gms_word() -> None:
    enc = on_hexes()
    before = enc.digest
    with pytest.raises(ck.IllegalAction, match="no path has more than 1,000"):
        enc.do("Mara", "full_move", to=[(500, 0), (-1, 0)], override=True)
    assert enc.digest == before
    assert enc.do("Mara", "full_move", to=[(500, 0), (0, 0)])
    assert enc["Mara"].position == (0, 0)


@pytest.mark.parametrize(
    ("system", "action"),
    [("phases", "full_move"), ("segments", "move"), ("saga", "move"), ("d6", "move"), ("ap", "dash")],
)
def test_only_so_many_places_are_read(system: str, action: str) -> None:
    enc = ck.Encounter(system, seed=1)
    places: list[Any] = ["here"] * (limits.PATH + 1) if system == "d6" else [(0, n % 2) for n in range(limits.PATH + 1)]
    enc.add("Mara", side="rebels", at=places[0])
    enc.add("Vex", side="empire")
    enc.start()
    with pytest.raises(ck.InvalidInput, match="1,001 places; give at most 1,000"):
        enc.do("Mara", action, to=places)


def test_reach_is_no_longer_than_the_stat_may_be() -> None:
    """Conditions add to it without end, and every hex within it may be asked for."""
    enc = on_hexes()
    enc.condition("Mara", "Stretching", modifiers={"reach": 50_000})
    assert len(enc["Mara"].threatens) == 3 * 100 * 101 + 1
