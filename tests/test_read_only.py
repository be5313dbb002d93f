"""A folder that may only be read: what can't be written is said, nothing is lost, and what was clicked counts."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import combatkit as ck

NOBODY = 65534
"""Whose rights a test has that runs as root, who may write everywhere."""

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

here, spare, nobody = sys.argv[1:]
whole(spare, f"{spare}/copy.combat")  # what is imported late is read before the rights are given up
if os.getuid() == 0:
    os.setgroups([])
    os.setresgid(*[int(nobody)] * 3)
    os.setresuid(*[int(nobody)] * 3)
whole(here, f"{spare}/again.combat")
print(json.dumps(said))
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp())  # others may look into it, as they may not into pytest's own
    (inside := made / "class").mkdir()
    with ck.Encounter("saga", id="friday", seed=1, journal=inside / "friday.combat") as enc:
        enc.add("Mara", side="rebels")
        enc.start()
    shutil.copytree(inside, made / "out")
    (made / "out").chmod(0o777)
    made.chmod(0o755)
    inside.chmod(0o555)
    (inside / "friday.combat").chmod(0o444)
    yield inside
    inside.chmod(0o755)
    shutil.rmtree(made)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="rights are others there")
def test_what_cannot_be_written_is_said_and_nothing_is_lost(folder: Path) -> None:
    held = {path: path.read_bytes() for path in folder.iterdir()}
    events = len(ck.load(folder / "friday.combat")._events)
    spare = folder.parent / "out"
    run = [sys.executable, "-B", "-W", "ignore", "-c", TRY, str(folder), str(spare), str(NOBODY)]
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
