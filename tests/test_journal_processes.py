"""Several processes, one journal: readers see, a second writer is told who writes, nobody is in the way for good."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck

ROOT = Path(ck.__file__).parents[1]

OTHER = """
import json, sys
import combatkit as ck
enc = None
for line in sys.stdin:
    try:
        answer = eval(line)
    except ck.CombatkitError as error:
        answer = f"{type(error).__name__}: {error}"
    print(json.dumps(answer, default=repr), flush=True)
"""


class Other:
    """Another process with combatkit, such as a second notebook's kernel."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", OTHER], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, code: str) -> Any:
        """Let it work out an expression, and give what comes of it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(code + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def open(self, path: Path, id: str | None = None) -> None:
        """Let it open a journal as `enc`."""
        self.ask(f"globals().update(enc=ck.Encounter.open({str(path)!r}, {id!r}))")

    def end(self) -> None:
        """Let it end as a process does."""
        self.process.communicate()

    def kill(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.communicate()


@contextmanager
def other_process() -> Iterator[Other]:
    made = Other()
    try:
        yield made
    finally:
        if made.process.returncode is None:
            made.kill()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "friday.combat"
    with ck.Encounter("saga", id="saga-7", seed=7, journal=path) as enc:
        enc.add("Mara", side="rebels", hp=20)
        enc.add("Vex", side="empire", hp=20)
        enc.start(rolls={"Mara": 20, "Vex": 10})
    return path


def test_a_second_writer_is_told_who_writes_and_nothing_is_lost(path: Path) -> None:
    with other_process() as other, ck.Encounter.open(path) as enc:
        other.open(path)
        other.ask("enc.do('Mara', 'move') and None")
        before = enc.digest
        with pytest.raises(ck.JournalError) as caught:
            enc.do("Mara", "aid_another")
        said = str(caught.value)
        assert "friday.combat is being played in another notebook or program" in said
        assert "close it there" in said
        assert enc.digest == before == other.ask("enc.digest")
        other.ask("enc.end_turn() and None")
        other.ask("enc.close()")
        enc.do("Vex", "move")
        assert "is closed" in other.ask("enc.do('Vex', 'speak')")


def test_a_reader_sees_what_the_writer_does_and_its_widgets_can_be_told(path: Path) -> None:
    heard: list[str] = []

    class Listener:
        def hear(self, events: tuple[ck.Event, ...]) -> None:
            heard.extend(event.kind for event in events)

    listener = Listener()
    with other_process() as other, ck.Encounter.open(path) as enc:
        enc.watch(listener.hear)
        other.open(path)
        assert enc.refresh() == ()
        for call in ("enc.do('Mara', 'move')", "enc.end_turn()", "enc.undo()"):
            other.ask(f"{call} and None")
            assert enc.digest == other.ask("enc.digest")
            assert (enc.active, enc.can_undo, enc.can_redo) == tuple(
                other.ask("(enc.active, enc.can_undo, enc.can_redo)")
            )
        assert heard == []
        told = enc.refresh()
        assert [event.kind for event in told] == heard
        assert (heard[0], heard[-1]) == ("action", "undo")
        assert enc.refresh() == ()
        assert enc.history.events.height == len(enc._events)


def test_a_reader_that_looks_again_after_a_long_time_reads_all_that_came(path: Path) -> None:
    with other_process() as other, ck.Encounter.open(path) as enc:
        other.open(path)
        other.ask("[enc.end_turn() for _ in range(500)] and None")
        assert enc.digest == other.ask("enc.digest")
        assert len(enc._events) > 1_500
        assert [enc._events[index].seq for index in range(100)] == [*range(1, 101)]


def test_a_writer_that_was_killed_is_in_nobodys_way(path: Path) -> None:
    with other_process() as other, ck.Encounter.open(path) as enc:
        other.open(path)
        other.ask("enc.do('Mara', 'move') and None")
        other.kill()
        enc.do("Mara", "aid_another")
        assert enc.can_undo == "Aid another (Mara)"
        enc.undo()
        assert enc.can_undo == "Move (Mara)"


def test_one_process_writes_a_file_whichever_of_its_fights_it_plays(path: Path) -> None:
    made = f"globals().update(enc=ck.Encounter('d6', id='d6-2', seed=2, journal={str(path)!r}))"
    with other_process() as other, ck.Encounter.open(path) as enc:
        other.ask(made)
        other.ask("enc.add('Guard', side='empire') and None")
        with pytest.raises(ck.JournalError, match="played in another notebook or program"):
            enc.do("Mara", "move")
        with pytest.raises(ck.JournalError, match="played in another notebook or program"):
            enc.branch(2)
        other.ask("enc.close()")
        enc.do("Mara", "move")
        assert [(entry.id, entry.calls) for entry in ck.campaign(path)] == [("saga-7", 5), ("d6-2", 2)]


def test_who_looks_at_a_fight_keeps_nobody_from_writing(path: Path) -> None:
    with other_process() as other, ck.Encounter.open(path) as enc:
        other.open(path)
        other.ask("enc.end_turn() and None")
        other.ask("enc.close()")
        enc.end_turn()
        assert len(ck.campaign(path)) == 1


def test_what_a_script_that_was_started_meanwhile_inherits_keeps_nobody_from_writing(path: Path) -> None:
    with ck.Encounter.open(path) as enc:
        enc.end_turn()
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, cwd=ROOT)
    with other_process() as other:
        other.open(path)
        assert other.ask("len(enc.end_turn()) > 0") is True
    child.communicate(b"\n")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_that_lives_on_keeps_nobody_from_writing(path: Path) -> None:
    heard, told = os.pipe()
    with ck.Encounter.open(path) as enc:
        enc.end_turn()
        child = os.fork()
        if child == 0:
            os.close(told)
            os.read(heard, 1)
            os._exit(0)
        os.close(heard)
        enc.end_turn()
    with other_process() as other:
        other.open(path)
        assert other.ask("len(enc.end_turn()) > 0") is True
    os.close(told)
    os.waitpid(child, 0)


def test_a_batch_is_there_when_its_process_has_ended(path: Path) -> None:
    with other_process() as other:
        other.ask(f"globals().update(enc=ck.Encounter.open({str(path)!r}, batch=True))")
        other.ask("enc.do('Mara', 'move') and None")
        digest = other.ask("enc.digest")
        other.end()
    assert list(path.parent.iterdir()) == [path]
    with ck.Encounter.open(path) as enc:
        assert enc.digest == digest


def test_a_damaged_file_that_somebody_writes_is_shown_and_left_alone(path: Path) -> None:
    with other_process() as other:
        other.open(path)
        other.ask("enc.end_turn() and None")
        sound = path.read_bytes()
        path.write_bytes(sound[:-60] + b"?" + sound[-59:])
        damaged = path.read_bytes()
        with pytest.warns(ck.DamagedJournal):
            enc = ck.Encounter.open(path)
        assert enc.can_undo == "Start the fight"
        with pytest.raises(ck.JournalError, match="played in another notebook or program"):
            enc.do("Mara", "move")
        assert "changed by something else" in other.ask("enc.end_turn()")
        assert path.read_bytes() == damaged
        other.ask("enc.close()")
        enc.do("Mara", "move")
        enc.close()
        assert path.with_name("friday.combat.damaged").exists()


def test_a_reader_goes_on_with_a_file_that_the_writer_has_put_right(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n\n").replace(b'"Add Vex"', b'"Add Wex"') + b"nonsense\n")
    with other_process() as other:
        with pytest.warns(ck.DamagedJournal, match="line 7 was changed after it was written: Add Wex"):
            enc = ck.Encounter.open(path)
        other.open(path)
        other.ask("enc.end_turn() and None")
        assert path.with_name("friday.combat.damaged").read_bytes() == b"nonsense\n"
        assert enc.digest == other.ask("enc.digest")
        with pytest.raises(ck.JournalError, match="played in another notebook or program"):
            enc.do("Vex", "move")
        other.ask("enc.close()")
        enc.do("Vex", "move")
        enc.close()
    assert ck.load(path).digest == enc.digest


def test_half_a_line_of_somebody_who_is_writing_is_left_to_them(path: Path) -> None:
    with other_process() as other:
        other.open(path)
        other.ask("enc.end_turn() and None")
        digest = other.ask("enc.digest")
        with path.open("ab") as out:
            out.write(b'{"fight":1,"title":"Mo')
        with ck.Encounter.open(path) as enc:
            assert enc.digest == digest
        assert path.read_bytes().endswith(b'"Mo')
