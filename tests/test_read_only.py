"""A folder that may only be read: what can't be written is said, nothing is lost, and what was clicked counts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import combatkit as ck

HELD = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
"""What takes from root, who may write everywhere, the right to pass over the rights of files."""

TRY = """
import json, os, sys
import combatkit as ck

said = {}

def tell(what, call):
    try:
        said[what] = repr(call())
    except ck.CombatkitError as error:
        said[what] = f"{type(error).__name__}: {error}"

def whole(folder, copy):
    os.chdir(folder)
    tell("campaign", lambda: [entry.id for entry in ck.campaign("friday.combat")])
    enc = ck.Encounter.open("friday.combat")
    tell("call", enc.end_turn)
    tell("events", lambda: len(enc._events))
    tell("copy", lambda: enc.save(copy))
    tell("save", lambda: enc.save("here.combat"))
    enc.close()
    tell("journal", lambda: ck.Encounter("saga", journal="new.combat"))
    quiz = ck.quiz("saga", n=2, seed=5, student="Anna", keep="anna.answers")
    tell("note", lambda: quiz.view["note"])
    tell("click", lambda: quiz._click(0, quiz.items[0].ruling.allowed, quiz.items[0].ruling.rule))
    tell("score", lambda: quiz.score)
    tell("at", lambda: bool(quiz._record()["answers"][0]["at"]))
    quiz.turn_to_end()
    tell("end", lambda: quiz.view["end"]["text"])
    tell("gather", lambda: ck.gather(".")["problem"].to_list())

here, spare = sys.argv[1:]
whole(here, f"{spare}/again.combat")
print(json.dumps(said))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (inside := tmp_path / "class").mkdir()
    with ck.Encounter("saga", id="friday", seed=1, journal=inside / "friday.combat") as enc:
        enc.add("Mara", side="rebels")
        enc.start()
    shutil.copytree(inside, tmp_path / "out")
    inside.chmod(0o555)
    (inside / "friday.combat").chmod(0o444)
    yield inside
    inside.chmod(0o755)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="rights are others there")
def test_what_cannot_be_written_is_said_and_nothing_is_lost(folder: Path) -> None:
    held = {path: path.read_bytes() for path in folder.iterdir()}
    events = len(ck.load(folder / "friday.combat")._events)
    spare = folder.parent / "out"
    run = [*HELD, sys.executable, "-B", "-W", "ignore", "-c", TRY, str(folder), str(spare)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["campaign"] == "['friday']"
    assert said["call"].startswith("JournalError: friday.combat may only be read, so this was not done.")
    assert said["events"] == str(events)
    assert said["copy"] == "None"
    assert len(ck.load(spare / "again.combat")._events) == events
    assert said["save"].endswith("here.combat cannot be written: Permission denied")
    assert said["journal"].startswith("JournalError: new.combat: cannot make it: Permission denied")
    assert "anna.answers can't be written, so your answers stand in this notebook alone" in said["note"]
    assert said["click"].startswith("InvalidInput: This counts, but is not kept: anna.answers can't be written")
    assert said["score"] == "1 of 2 answered, 1 right"
    assert said["at"] == "True"
    assert "anna.answers can't be written" in said["end"]
    assert said["gather"] == "[]"
    assert {path: path.read_bytes() for path in folder.iterdir()} == held
