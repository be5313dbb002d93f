"""How far a call goes through the house, and how many calls of Python somebody's options take: no farther than now."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tools.house import calls, way

WAYS = {"saga": (28, 66), "d6": (37, 97), "ap": (34, 79), "segments": (40, 121), "phases": (32, 89)}
"""How many modules a first deed passes in each system, and with how many moves between them."""

CALLS = {"saga": 459, "d6": 470, "ap": 908, "segments": 1_789, "phases": 1_406}
"""How many calls the options of whoever acts first take."""

Record = Callable[[str, object], None]


@pytest.mark.parametrize("system", WAYS)
def test_a_first_deed_passes_no_more_of_the_house_than_it_did(system: str, record_property: Record) -> None:
    modules, moves = way(system)
    record_property("told", f"ways: {system} {modules} modules, {moves} moves")
    most = WAYS[system]
    assert modules <= most[0]
    assert moves <= most[1]


@pytest.mark.parametrize("system", CALLS)
def test_options_take_no_more_calls_than_they_did(system: str, record_property: Record) -> None:
    count = calls(system)
    record_property("told", f"options: {system} {count:,} calls")
    assert count <= CALLS[system]
