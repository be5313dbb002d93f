"""What is not a regular file is refused at once: links in a circle, pipes, devices, files without end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.hostile import Child, child

Make = Callable[[Path], object]

READS = {
    "load": ("ck.load(path)", ".fight"),
    "open": ("ck.Encounter.open(path)", ".combat"),
    "campaign": ("ck.campaign(path)", ".combat"),
    "journal": ("ck.Encounter('saga', id='mine', journal=path)", ".combat"),
    **{f"add_roster {ending}": ("ck.Encounter('saga').add_roster(path)", ending) for ending in (".csv", ".json")},
    **{f"add_roster {ending}": ("ck.Encounter('saga').add_roster(path)", ending) for ending in (".toml", ".parquet")},
    "add_table": ("ck.Encounter('saga').add_table('actions', path)", ".toml"),
    "scene table": ("ck.Encounter('saga').add_table('scene', path)", ".toml"),
    "add_ruleset": ("ck.add_ruleset(path)", ""),
    "scan": ("ck.history.scan(path)", ""),
    "archive": ("ck.history.archive(path, [ck.Encounter('saga')])", ""),
}
"""All that reads what somebody gives, and an ending it takes."""


def without_end(path: Path) -> None:
    with path.open("wb") as made:
        made.truncate(1 << 43)


def in_a_circle(path: Path) -> None:
    path.symlink_to(path.with_name("other"))
    path.with_name("other").symlink_to(path)


KINDS: dict[str, Make] = {
    "a link to itself": lambda path: path.symlink_to(path),
    "a link in a circle": in_a_circle,
    "a pipe": os.mkfifo,
    "a link to zeros": lambda path: path.symlink_to("/dev/zero"),
    "a link to a full disk": lambda path: path.symlink_to("/dev/full"),
    "a link to nothing": lambda path: path.symlink_to(path.with_name("nothing")),
    "a folder": Path.mkdir,
    "a file without end": without_end,
}


@pytest.fixture(scope="module")
def reader() -> Iterator[Child]:
    with child() as made:
        yield made


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("use", READS)
def test_what_is_no_file_is_said_at_once(reader: Child, use: str, kind: str, tmp_path: Path) -> None:
    code, ending = READS[use]
    path = tmp_path / f"friday{ending}"
    KINDS[kind](path)
    if kind in ("a folder", "a link to nothing") and use in ("archive", "journal", "scan"):
        reader.run(code, path)  # an empty folder is an archive to be, and a link may lead to a journal to be
        return
    said = reader.refused(code, path)
    assert said
    assert kind != "a pipe" or "not there" not in said


@pytest.mark.parametrize("kind", ["a pipe", "a link to zeros", "a folder", "a file without end"])
def test_a_part_of_an_archive_is_a_file(reader: Child, kind: str, tmp_path: Path) -> None:
    assert reader.run("ck.history.archive(path, [ck.Encounter('saga', id='one')])", tmp_path / "all").error == ""
    file = tmp_path / "all" / "part-0001" / "events.parquet"
    file.unlink()
    KINDS[kind](file)
    assert "events.parquet" in reader.refused("ck.history.scan(path)", tmp_path / "all")


@pytest.mark.parametrize("use", ["add_ruleset"])
@pytest.mark.parametrize("kind", ["a pipe", "a link to itself", "a link to zeros"])
def test_a_file_of_a_ruleset_is_a_file(reader: Child, kind: str, use: str, tmp_path: Path) -> None:
    for name in ("rules.toml", "actions.toml", "stats.py", "ruleset.py"):
        KINDS[kind](tmp_path / name)
    assert "it lacks rules.toml" in reader.refused("ck.add_ruleset(path)", tmp_path)
