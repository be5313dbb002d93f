"""Paths as people give them: what can be none is refused in one way, and what must not be written over is not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck

NO_PATHS = (None, 5, 2.5, b"friday", ["friday"], "", "fri\0day", "fri\ud800day")
Use = Callable[[Any], object]


def fight(**more: Any) -> ck.Encounter:
    enc = ck.Encounter("saga", seed=7, **more)
    enc.add("Mara", side="rebels", hp=20)
    enc.add("Vex", side="empire", hp=20)
    enc.start(rolls={"Mara": 20, "Vex": 10})
    return enc


WRITES: dict[str, tuple[Use, str]] = {
    "to_html": (lambda path: fight().to_html(path), ".html"),
    "lanes": (lambda path: ck.Comparison([fight()]).to_html(path), ".html"),
    "log": (lambda path: fight().log().write(path), ".md"),
    "roster": (lambda path: fight().roster(path), ".csv"),
    "template": (lambda path: ck.ruleset("saga").roster_template(path), ".toml"),
    "save": (lambda path: fight().save(path), ".fight"),
}
"""What writes one file, and an ending it takes."""

USES: dict[str, tuple[Use, str]] = {
    **WRITES,
    "journal": (lambda path: fight(journal=path), ".combat"),
    "open": (ck.Encounter.open, ".combat"),
    "campaign": (ck.campaign, ".combat"),
    "load": (ck.load, ".fight"),
    "add_roster": (lambda path: ck.Encounter("saga", seed=7).add_roster(path), ".csv"),
    "write": (fight().history.write, ""),
    "archive": (lambda path: ck.history.archive(path, [fight()]), ""),
    "scan": (ck.history.scan, ""),
}
"""All that takes a path."""

OPTIONAL = ("journal", "roster", "template")


@pytest.mark.parametrize("use", USES)
def test_what_can_be_no_path_is_refused_and_said(use: str) -> None:
    call, _ = USES[use]
    for path in NO_PATHS[use in OPTIONAL :]:
        if use in ("open", "campaign", "load") and path == ["friday"]:
            continue  # they take several
        with pytest.raises(ck.InvalidInput) as caught:
            call(path)
        assert re.search("give a path|give a CSV|has no rows|give a list of mappings", str(caught.value)), path
        str(caught.value).encode()


@pytest.mark.parametrize("use", USES)
def test_a_name_no_folder_can_hold_is_refused_and_leaves_nothing(use: str, tmp_path: Path) -> None:
    call, ending = USES[use]
    for name in ("x" * 300, "é" * 130):
        with pytest.raises(ck.InvalidInput, match="cannot be its path: File name too long; give another"):
            call(tmp_path / (name + ending))
    with pytest.raises(ck.InvalidInput, match="cannot be its path: Could not determine home"):
        call(f"~nobody-of-that-name/x{ending}")
    assert list(tmp_path.iterdir()) == []


def test_a_journals_name_leaves_room_for_what_stands_beside_it(tmp_path: Path) -> None:
    with pytest.raises(ck.InvalidInput, match="File name too long"):
        fight(journal=tmp_path / ("x" * 244))
    assert list(tmp_path.iterdir()) == []
    path = tmp_path / ("x" * 243)
    with fight(journal=path) as enc:
        for _ in range(30):
            enc.end_turn()
    path.write_bytes(path.read_bytes() + b"nonsense\n")
    with pytest.warns(ck.DamagedJournal, match="kept in x+.damaged$"):
        assert ck.Encounter.open(path).id == enc.id


def test_a_name_as_long_as_can_be_is_saved(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)
    fight().save(path)
    assert ck.load(path).digest == fight().digest


@pytest.mark.parametrize("use", WRITES)
def test_what_is_no_file_is_not_written_over(use: str, tmp_path: Path) -> None:
    call, ending = WRITES[use]
    folder = tmp_path / f"folder{ending}"
    folder.mkdir()
    with pytest.raises(ck.CombatkitError, match=r"is a folder|not a saved copy"):
        call(folder)
    with pytest.raises(ck.CombatkitError, match="cannot be written: No such file or directory"):
        call(tmp_path / "none" / f"x{ending}")
    if hasattr(os, "mkfifo"):
        pipe = tmp_path / f"pipe{ending}"
        os.mkfifo(pipe)
        with pytest.raises(ck.CombatkitError, match=r"is not a regular file|not a saved copy"):
            call(pipe)
        assert pipe.is_fifo()


@pytest.mark.parametrize("use", WRITES)
@pytest.mark.parametrize("closed", [False, True])
def test_a_journal_is_not_written_over(use: str, closed: bool, tmp_path: Path) -> None:
    call, ending = WRITES[use]
    path = tmp_path / f"friday{ending}"
    enc = fight(journal=path)
    if closed:
        enc.close()
    link = tmp_path / f"link{ending}"
    link.symlink_to(path)
    before = path.read_bytes()
    for name in (path, link):
        with pytest.raises(ck.CombatkitError, match=r"is a journal and is not written over|not a saved copy"):
            call(name)
    assert path.read_bytes() == before
    enc.close()
    assert ck.Encounter.open(path).digest == enc.digest


@pytest.mark.parametrize("format", ["csv", "json", "parquet"])
def test_frames_are_not_written_over_a_journal(format: str, tmp_path: Path) -> None:
    with fight(journal=tmp_path / f"rolls.{format}") as enc:
        with pytest.raises(ck.InvalidInput, match="is a journal and is not written over"):
            enc.history.write(tmp_path, format)
        enc.end_turn()
    assert not (tmp_path / f"events.{format}").exists()


OTHER = "import combatkit as ck, sys; ck.Encounter.open(sys.argv[1]).end_turn()"


def test_what_else_reads_an_open_journal_or_is_refused_leaves_it_locked(tmp_path: Path) -> None:
    path = tmp_path / "friday.html"
    with fight(journal=path) as enc:
        enc.end_turn()
        for use in (enc.to_html, enc.save):
            with pytest.raises(ck.CombatkitError):
                use(path)
        for look in (ck.load, ck.campaign, Path.read_bytes):
            look(path)
        done = subprocess.run([sys.executable, "-c", OTHER, str(path)], check=False, capture_output=True, text=True)
        assert "being played in another notebook or program" in done.stderr
        enc.end_turn()
    assert ck.Encounter.open(path).digest == enc.digest


def test_a_saved_copy_may_be_read_by_whom_other_files_may(tmp_path: Path) -> None:
    path, plain = tmp_path / "ambush.fight", tmp_path / "plain"
    plain.touch()
    fight().save(path)
    assert path.stat().st_mode == plain.stat().st_mode
    path.chmod(0o664)
    fight().save(path)
    assert path.stat().st_mode & 0o777 == 0o664
    assert {file.name for file in tmp_path.iterdir()} == {"ambush.fight", "plain"}


def test_a_home_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert fight().to_html("~/friday.html") == tmp_path / "friday.html"


def test_importing_it_loads_no_pathlib() -> None:
    code = "import combatkit.files.paths, sys; print([m for m in ('pathlib',) if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "[]\n"


@pytest.mark.parametrize("call", [ck.campaign, ck.Encounter.open])
def test_a_folder_is_no_journal_and_its_name_none_for_one(call: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(ck.JournalError, match=r"is a folder; give a journal in it$"):
        call(tmp_path)
