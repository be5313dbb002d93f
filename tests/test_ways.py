"""How far a call goes through the house, and what a turn, somebody's options and a click take: no more than now."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from tools.house import Work, click, options, turn, way

WAYS = {"saga": (24, 66), "d6": (29, 92), "ap": (26, 72), "segments": (33, 123), "phases": (26, 91)}
"""How many modules a first deed passes in each system, and with how many moves between them."""

CALLS = {"saga": 513, "d6": 529, "ap": 1_040, "segments": 1_906, "phases": 1_475}
"""How many calls the options of whoever acts first take."""

COUNTED = (3, 11)
"""The Python that bytecodes are counted in: each has its own."""

WORK: dict[str, tuple[Callable[[str], Work], dict[str, int]]] = {
    "a turn": (turn, {"saga": 6_350, "d6": 8_270, "ap": 8_400, "segments": 10_840, "phases": 7_120}),
    "options": (options, {"saga": 20_300, "d6": 19_100, "ap": 41_310, "segments": 53_010, "phases": 54_900}),
    "a click": (click, {"saga": 103_800, "d6": 93_900, "ap": 105_650, "segments": 138_000, "phases": 143_750}),
}
"""How many bytecodes a first deed with the end of its turn takes, the options before it, and a click that ends it."""

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
    count = options(system).calls
    record_property("told", f"options: {system} {count:,} calls")
    assert count <= CALLS[system]


@pytest.mark.skipif(sys.version_info[:2] != COUNTED, reason="another Python has other bytecodes")
@pytest.mark.parametrize("system", WAYS)
@pytest.mark.parametrize("what", WORK)
def test_it_takes_no_more_bytecodes_than_it_did(what: str, system: str, record_property: Record) -> None:
    measure, most = WORK[what]
    count = measure(system).bytecodes
    record_property("told", f"bytecodes: {what} in {system} {count:,}")
    assert count <= most[system]
