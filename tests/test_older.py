"""Files that an older version wrote open as they were, and can be played on: `tests/written` holds some of each.

They are an evening of ``tests/written/VERSION``: Mara against two called Vex, six turns, a wound.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import combatkit as ck

SYSTEMS = {path.parent.name for path in (Path(ck.__file__).parent / "systems").glob("*/rules.toml")}
KINDS = (".combat", ".fight")
WRITTEN = sorted(path for path in (Path(__file__).parent / "written").glob("*/*") if path.suffix in KINDS)


@pytest.fixture(params=WRITTEN, ids=lambda path: f"{path.parent.name}-{path.name}")
def fight(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ck.Encounter]:
    path = Path(shutil.copy(request.param, tmp_path))
    if path.suffix == ".fight":
        yield ck.load(path)
    else:
        with ck.Encounter.open(path, check=True) as enc:
            yield enc


def test_every_version_has_both_kinds_of_every_system() -> None:
    for version in {path.parent for path in WRITTEN}:
        for kind in KINDS:
            assert {path.stem for path in version.glob(f"*{kind}")} == SYSTEMS


def test_what_it_lacks_has_its_default(fight: ck.Encounter) -> None:
    rules = fight.ruleset
    for seq in range(1, len(fight._events) + 1):
        assert fight.at(seq)._state.options.keys() >= rules.options.keys()
    for name in fight.names:
        assert fight[name].stats.keys() == {stat.name for stat in rules.stats}
        kept = fight._state.fighters[name].stats  # what is sparse stands there only where somebody has stated it
        assert kept.keys() == {stat.name for stat in rules.stats if not stat.sparse}
    fresh = ck.Encounter(rules, seed=1)
    fresh.add("Mara", side="rebels")
    assert fight._state.options == fresh._state.options
    assert fight._state.fighters["Mara"].stats == fresh._state.fighters["Mara"].stats


def test_it_shows_what_it_showed_and_is_played_on(fight: ck.Encounter, tmp_path: Path) -> None:
    texts = [event.text for event in fight._events]
    turns = len(fight.history.turns)
    for name in fight.names:
        assert fight.options(name)
    assert ck.Tracker(fight).view["mode"] == "play"
    fight.undo()
    fight.redo()
    fight.end_turn()
    assert [event.text for event in fight._events][: len(texts)] == texts
    assert len(fight.history.turns) == turns + 1
    fight.save(tmp_path / "again.fight")
    assert ck.load(tmp_path / "again.fight").digest == fight.digest
