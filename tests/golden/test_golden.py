"""What fights show is what it was, byte for byte: the house may be rebuilt, and nobody at the table notices."""

from __future__ import annotations

import json
import re

import pytest

from tests.conformance.corpus import by_system, sizes
from tests.golden.fights import HERE, told


@pytest.mark.slow
@sizes
@by_system
def test_everything_shown_of_a_fight_is_as_it_was(system: str, fights: int) -> None:
    whole = json.loads((HERE / f"{system}.json").read_text(encoding="utf-8"))
    kept = {name: figures for name, figures in whole.items() if int(re.sub(r"\D*(\d+)-.*", r"\1", name)) < fights}
    found = told(system, fights)
    changed = sorted(name for name in {**kept, **found} if kept.get(name) != found.get(name))
    assert not changed, f"{len(changed)} of {len(kept)} parts changed, such as {changed[:8]}"
