"""How far a call goes through the house, and how many calls of Python somebody's options take: no farther than now."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tools.house import calls, way

WAYS = {"saga": (29, 72), "d6": (36, 100), "ap": (33, 79), "segments": (43, 137), "phases": (31, 94)}
"""How many modules a first deed passes in each system, and with how many moves between them."""

CALLS = {"saga": 513, "d6": 528, "ap": 1_006, "segments": 2_003, "phases": 1_466}
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
