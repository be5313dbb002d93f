"""A real kernel over the real protocol: what a cell and clicks were told is in the file. `make kernels` has more."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tools import kernels


@pytest.mark.slow
def test_every_call_of_a_cell_and_every_click_beside_it_is_in_the_file(
    record_property: Callable[[str, object], None],
) -> None:
    ran = kernels.ran(Path(sys.executable))
    assert (ran.called, ran.clicked, ran.lost) == (kernels.CALLS, kernels.CLICKS, 0)
    told = f"{ran.called} calls of a cell, {ran.clicked} clicks, {ran.beside} of them beside it, {ran.lost} lost"
    record_property("told", f"kernel: ipykernel {ran.version}: {told}")
