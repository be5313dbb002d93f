"""Several processes, one journal: readers see, a second writer is told who writes, nobody is in the way for good."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

import combatkit as ck
from combatkit.journal import form

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
        assert f"'saga-7' is being written by process {other.process.pid} on " in said
        assert "since 20" in said
        assert "close it there" in said
        assert enc.digest == before == other.ask("enc.digest")
        assert ck.campaign(path)[0].writer.startswith(f"process {other.process.pid} on ")
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
        assert enc.can_undo == "Aid another"
        enc.undo()
        assert enc.can_undo == "Move"


def test_two_processes_write_two_encounters_of_one_file(path: Path) -> None:
    with other_process() as other, ck.Encounter.open(path) as enc:
        made = f"globals().update(enc=ck.Encounter('d6', id='d6-2', seed=2, journal={str(path)!r}))"
        other.ask(made)
        for number in range(20):
            other.ask(f"enc.add('Guard {number}', side='empire') and None")
            enc.condition("Mara", "tired", note=str(number))
        digest = other.ask("enc.digest")
        other.end()
        assert [(entry.id, entry.events) for entry in ck.campaign(path)] == [("saga-7", len(enc._events)), ("d6-2", 21)]
        with ck.Encounter.open(path, "d6-2", check=True) as again:
            assert again.digest == digest
        enc.condition("Mara", "tired")
    with ck.Encounter.open(path, "saga-7", check=True) as again:
        assert again.digest == enc.digest


def test_a_batch_is_written_when_its_process_ends(path: Path) -> None:
    with other_process() as other:
        other.ask(f"globals().update(enc=ck.Encounter.open({str(path)!r}, batch=True))")
        other.ask("enc.do('Mara', 'move') and None")
        digest = other.ask("enc.digest")
        other.end()
    assert list(path.parent.iterdir()) == [path]
    with ck.Encounter.open(path) as enc:
        assert enc.digest == digest


CHECKPOINT = 121
"""The byte of a log's index that SQLite locks to take the log into the file (sqlite.org/walformat.html)."""


@pytest.mark.skipif(sys.platform == "win32", reason="locks of bytes are others there")
def test_a_log_that_is_being_taken_in_is_waited_for_and_not_called_damaged(path: Path) -> None:
    with ck.Encounter("saga", seed=8, journal=path) as enc, other_process() as other:
        enc.add("Mara", side="rebels")
        other.ask(f"globals().update(fcntl=__import__('fcntl'), held=open({str(path) + '-shm'!r}, 'r+b'))")
        other.ask(f"fcntl.lockf(held, fcntl.LOCK_EX, 1, {CHECKPOINT})")
        letting_go = Timer(0.6, other.ask, ["held.close()"])
        letting_go.start()
        with ck.Encounter.open(path, "saga-7") as again:
            assert len(again._events) > 3
        letting_go.join()


def test_a_damaged_file_that_somebody_writes_is_left_alone(path: Path) -> None:
    with ck.Encounter.open(path, batch=True) as enc:
        while len(enc._events) < 3_000:
            enc.end_turn()
    written = bytearray(path.read_bytes())
    written[written.index(b"is added, on the rebels side")] ^= 1
    path.write_bytes(written)
    with other_process() as other:
        other.open(path)
        other.ask("enc.end_turn() and None")
        with pytest.raises(ck.JournalError, match="writing in it: close it there"):
            ck.Encounter.open(path, check=True)
        other.ask("enc.close()")
    with pytest.warns(ck.DamagedJournal), ck.Encounter.open(path, check=True) as enc:
        assert len(enc._events) == 1


@pytest.mark.parametrize("name", ["SQLITE_PROTOCOL", "SQLITE_IOERR_LOCK", "SQLITE_IOERR_SHMLOCK"])
def test_where_locks_fail_a_sound_file_is_not_called_damaged(
    name: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enc = ck.Encounter.open(path)
    enc.close()
    before = sorted(path.parent.iterdir())

    def no_locks(connection: sqlite3.Connection) -> None:
        error = sqlite3.OperationalError("locking protocol")
        error.sqlite_errorname = name
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(form, "secure", no_locks)
        with pytest.raises(ck.JournalError, match="whose locks fail: keep it on a disk of this computer") as caught:
            ck.Encounter.open(path)
    assert not isinstance(caught.value, form.Damage)
    assert sorted(path.parent.iterdir()) == before
    again = ck.Encounter.open(path)
    assert again.names
    again.close()
