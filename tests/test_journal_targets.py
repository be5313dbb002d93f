"""What is done to several at once is read back from its file as it was: every action of every system that takes two."""

from __future__ import annotations

from pathlib import Path

import pytest

import combatkit as ck


def begun(system: str, actions: str) -> ck.Encounter:
    enc = ck.Encounter(system, seed=1, options={"actions": actions} if actions else {})
    for name, side in (("Ada", "red"), ("Bo, the tall", "blue"), ("Cy", "blue")):
        enc.add(name, side=side)
    enc.start()
    return enc


@pytest.mark.parametrize("actions", ["", "book"])
@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_what_is_done_to_two_is_read_back_as_it_was(system: str, actions: str, tmp_path: Path) -> None:
    several = 0
    for action in begun(system, actions).ruleset.catalogue(begun(system, actions)._state).ids():
        enc = begun(system, actions)
        try:
            events = enc.do("Ada", action, target=["Bo, the tall", "Cy"], override=True)
        except (ck.IllegalAction, ck.InvalidInput):
            continue
        several += events[0].target == "Bo, the tall, Cy"
        enc.damage("Cy", 1)
        enc.save(tmp_path / f"{action}.combat")
        assert ck.load(tmp_path / f"{action}.combat").digest == enc.digest
    assert several > 3
