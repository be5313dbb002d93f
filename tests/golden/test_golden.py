"""What fights show is what it was, byte for byte: the house may be rebuilt, and nobody at the table notices."""

from __future__ import annotations

import json

import pytest

import combatkit as ck
from tests.golden.fights import HERE, told


@pytest.mark.slow
@pytest.mark.parametrize("system", [ruleset.id for ruleset in ck.rulesets()])
def test_everything_shown_of_a_fight_is_as_it_was(system: str) -> None:
    kept = json.loads((HERE / f"{system}.json").read_text(encoding="utf-8"))
    found = told(system)
    changed = sorted(name for name in {**kept, **found} if kept.get(name) != found.get(name))
    assert not changed, f"{len(changed)} of {len(kept)} parts changed, such as {changed[:8]}"
