"""Every file is written beside and renamed: when the disk is full the good one stays, and nothing is left over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import combatkit as ck
from tests.hostile import Child, child, held

FIGHT = """
enc = ck.Encounter("saga", id="friday", seed=7)
for n in range(20):
    enc.add(f"Guard of the long watch {n}", side="rebels" if n % 2 else "empire", hp=20, feats=["Run"])
enc.start()
for n in range(20):
    enc.end_turn()
"""

WRITES = {
    "page.html": "enc.to_html(path)",
    "log.md": "enc.log().write(path)",
    "log.html": "enc.log().write(path)",
    "friday.fight": "enc.save(path)",
    "roster.csv": "enc.roster(path)",
    "roster.json": "enc.roster(path)",
    "roster.toml": "enc.roster(path)",
    "roster.parquet": "enc.roster(path)",
    "template.toml": "ck.ruleset('segments').roster_template(path)",
    "frames-csv": "enc.history.write(path, 'csv')",
    "frames-json": "enc.history.write(path, 'json')",
    "frames-parquet": "enc.history.write(path, 'parquet')",
    "archive": "ck.history.archive(path, [enc])",
}
"""All that writes files, by a name it takes."""

FULL = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))
"""
"""No file may be longer than so many bytes from here on, as on a disk that has no more room."""


@pytest.fixture(scope="module")
def writer() -> Iterator[Child]:
    with child() as made:
        yield made


@pytest.mark.parametrize("name", WRITES)
def test_a_full_disk_leaves_the_good_file_and_nothing_else(writer: Child, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    first = f"enc.id = 'before'\n{WRITES[name]}\nenc.id = 'friday'\n"
    assert writer.run(FIGHT + first, path).error == ""
    before = [held(folder) for folder in (tmp_path, path) if folder.is_dir()]
    folders = [folder for folder in (tmp_path, path) if folder.is_dir()]
    outcome = writer.run(FIGHT + FULL + WRITES[name], path)
    assert outcome.error in ("InvalidInput", "JournalError"), outcome
    assert "cannot be written" in outcome.words
    assert "File too large" in outcome.words or "parquet: " in outcome.words
    assert [held(folder) for folder in folders] == before


@pytest.mark.parametrize("name", WRITES)
def test_a_full_disk_leaves_nothing_where_nothing_was(writer: Child, name: str, tmp_path: Path) -> None:
    outcome = writer.run(FIGHT + FULL + WRITES[name], tmp_path / name)
    assert outcome.error in ("InvalidInput", "JournalError"), outcome
    assert not [each for each in tmp_path.rglob("*") if each.is_file()]


@pytest.mark.parametrize("name", [name for name in WRITES if "." in name])
def test_modes_and_links_stay(name: str, tmp_path: Path) -> None:
    enc = ck.Encounter("saga", id="friday", seed=7)
    enc.add("Mara", side="rebels")
    there = {"ck": ck, "enc": enc}
    path, link = tmp_path / "there" / name, tmp_path / name
    path.parent.mkdir()
    link.symlink_to(path)
    exec(WRITES[name], {**there, "path": link})
    assert link.is_symlink()
    first = path.read_bytes()
    path.chmod(0o640)
    enc.add("Vex", side="empire")
    exec(WRITES[name], {**there, "path": link})
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert (path.read_bytes() == first) == name.startswith("template")
    assert list(path.parent.iterdir()) == [path]
