"""The durable journal: written before it is shown, reopened with its whole past, never half."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
from datetime import UTC, datetime
from functools import partial
from io import FileIO
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest

import combatkit as ck
from combatkit.core.model import State
from combatkit.journal import book, lock
from combatkit.journal.book import Book
from combatkit.journal.opening import keep
from tests.conformance.player import play

SYSTEMS = [ruleset.id for ruleset in ck.rulesets()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "friday.combat"


def fight(path: Path, **more: Any) -> ck.Encounter:
    enc = ck.Encounter("saga", id="saga-7", seed=7, journal=path, **more)
    enc.add("Mara", side="rebels", hp=20)
    enc.add("Vex", side="empire", hp=20)
    enc.start(rolls={"Mara": 20, "Vex": 10})
    return enc


def lines(path: Path) -> list[Any]:
    """Give what the lines of a file say."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def rows(path: Path) -> int:
    """Count the events a file holds."""
    return sum(len(line.get("events", ())) for line in lines(path))


def encoded(state: State) -> bytes:
    return msgspec.msgpack.encode(state)


# ── reopened ──


def test_a_reopened_fight_is_the_same_and_goes_on_the_same(path: Path) -> None:
    enc, other = fight(path), fight(path.with_name("other.combat"))
    enc.do("Mara", "attack", target="Vex")
    other.do("Mara", "attack", target="Vex")
    digest = enc.digest
    enc.close()
    again = ck.Encounter.open(path)
    assert (again.id, again.ruleset.id, again.digest) == ("saga-7", "saga", digest)
    assert [e.data for e in again.end_turn()] == [e.data for e in other.end_turn()]
    again.close()
    other.close()


def test_undo_and_redo_reach_back_before_a_reopening(path: Path) -> None:
    enc = fight(path)
    digests = [encoded(enc._state)]
    for action in ("move", "aid_another", "speak"):
        enc.do("Mara", action)
        digests.append(encoded(enc._state))
    enc.undo()
    enc.undo()
    enc.close()
    with ck.Encounter.open(path) as again:
        assert (again.can_undo, again.can_redo) == ("Move (Mara)", "Aid another (Mara)")
        assert encoded(again._state) == digests[1]
        again.redo()
        assert (encoded(again._state), again.can_redo) == (digests[2], "Speak (Mara)")
    with ck.Encounter.open(path) as again:
        again.redo()
        assert (encoded(again._state), again.can_redo) == (digests[3], "")
        while again.can_undo:
            again.undo()
        assert again.names == ()
    with ck.Encounter.open(path) as again:
        again.redo(to=4)
        assert again.can_undo == "Start the fight"
        again.do("Mara", "move")
        assert again.can_redo == ""


def test_the_last_encounter_taken_up_is_opened_unless_one_is_named(path: Path) -> None:
    for seed in (1, 2):
        ck.Encounter("saga", id=f"saga-{seed}", seed=seed, journal=path).close()
    with ck.Encounter.open(path, "saga-1") as one:
        assert ck.Encounter.open(path).id == "saga-2"
        one.add("Mara", side="rebels")
        assert ck.Encounter.open(path).id == "saga-1"
    with pytest.raises(ck.UnknownName, match="did you mean 'saga-1'"):
        ck.Encounter.open(path, "sagq-1")
    ck.Encounter.open(path).close()
    ck.Encounter.open(path, "saga-2").close()


def test_of_a_fight_and_its_branch_the_one_played_last_is_opened(path: Path) -> None:
    enc = ck.Encounter("saga", id="docks", seed=7, journal=path)
    enc.add("Mara", side="rebels")
    enc.start()
    branch = enc.branch(3)
    assert ck.Encounter.open(path) is branch
    enc.end_turn()
    for each in (enc, branch):
        each.close()
    assert ck.Encounter.open(path).id == "docks"


def test_a_branch_that_was_played_last_is_said_to_be_one(path: Path) -> None:
    with ck.Encounter("saga", id="docks", seed=7, journal=path) as enc:
        enc.add("Mara", side="rebels")
        enc.start()
        enc.branch(3).close()
    line = "ck.Encounter.open('friday.combat', 'docks') opens what it is a branch of"
    with pytest.warns(match=re.escape(f"friday.combat: this is 'docks@10', a branch that was played last: {line}")):
        ck.Encounter.open(path).close()
    with ck.Encounter.open(path, "docks") as enc:
        enc.finish()
        enc.branch(3).close()
    assert ck.Encounter.open(path).id == "docks@10-2", "what it parted from is over"


def test_opened_twice_in_one_process_it_is_the_same_encounter(path: Path) -> None:
    enc = fight(path)
    assert ck.Encounter.open(path) is enc
    assert ck.Encounter.open(str(path), "saga-7") is enc
    enc.close()
    again = ck.Encounter.open(path)
    assert again is not enc
    again.close()


@pytest.mark.parametrize("system", SYSTEMS)
def test_random_play_is_read_back_exactly(system: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ck, "Encounter", partial(ck.Encounter, journal=path))
    enc = play(system, 3, 150)
    monkeypatch.undo()
    length = len(enc._events)
    states = {seq: encoded(enc.at(seq)._state) for seq in range(1, length + 1, 7)}
    enc.close()
    with ck.Encounter.open(path) as again:
        assert again.digest == enc.digest
        assert encoded(again._state) == encoded(enc._state)
        for seq in sorted(states, key=lambda seq: seq * 7919 % length):
            assert encoded(again.at(seq)._state) == states[seq]
        assert (again.can_undo, again.can_redo) == (enc.can_undo, enc.can_redo)
        assert list(again._events[5:90]) == list(again._events)[5:90]


# ── written ──


def test_every_accepted_call_is_in_the_file_and_a_refused_one_is_not(path: Path) -> None:
    enc = fight(path)
    assert rows(path) == len(enc._events)
    enc.do("Mara", "move")
    assert rows(path) == len(enc._events)
    enc.undo()
    assert rows(path) == len(enc._events)
    digest = enc.digest
    with pytest.raises(ck.IllegalAction):
        enc.do("Vex", "move")
    with pytest.raises(ck.UnknownName):
        enc.adjust("Nobody", by=1)
    assert (rows(path), enc.digest) == (len(enc._events), digest)
    enc.close()


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give how many bytes the file had each time the disk was waited for."""
    found: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: found.append(os.fstat(descriptor).st_size))
    return found


def test_the_disk_is_waited_for_at_ends_of_turn_after_a_pause_and_at_the_close(
    path: Path, synced: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr("combatkit.journal.store.monotonic", lambda: now[0])
    enc = fight(path)
    synced.clear()
    enc.do("Mara", "move")
    enc.do("Mara", "aid_another")
    assert synced == []
    now[0] += 2
    enc.undo()
    assert synced == [path.stat().st_size]
    enc.end_turn()
    assert synced[1:] == [path.stat().st_size]
    enc.close()
    assert synced[2:] == [path.stat().st_size]


def test_a_batch_is_written_call_by_call_and_waits_for_the_disk_at_ends_of_turn(
    path: Path, synced: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr("combatkit.journal.store.monotonic", lambda: now[0])
    enc = fight(path, batch=True)
    synced.clear()
    for call in (partial(enc.do, "Mara", "move"), partial(enc.do, "Mara", "aid_another"), enc.undo):
        now[0] += 10
        call()
        assert rows(path) == len(enc._events)
    assert synced == []
    enc.end_turn()
    assert synced == [path.stat().st_size]
    enc.close()


class Full:
    """A file whose disk has room for so many bytes more."""

    def __init__(self, file: Any, room: int) -> None:
        self.file, self.room = file, room

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)

    def write(self, data: bytes) -> int:
        if not self.room:
            raise OSError(28, "No space left on device")
        part = data[: self.room]
        self.room -= len(part)
        written: int = self.file.write(part)
        return written


@pytest.mark.parametrize("room", [0, 1, 60, 400])
def test_a_call_that_cannot_be_written_changes_nothing_and_leaves_the_file_whole(path: Path, room: int) -> None:
    enc = fight(path)
    heard: list[int] = []

    class Listener:
        def hear(self, events: tuple[ck.Event, ...]) -> None:
            heard.append(len(events))

    listener = Listener()
    enc.watch(listener.hear)
    held: Any = enc._timeline.journal.book  # type: ignore[union-attr]
    before, digest, file = path.read_bytes(), enc.digest, held._file
    held._file = Full(file, room)
    for _ in range(2):
        with pytest.raises(ck.JournalError, match=r"friday\.combat: cannot write to it: No space.*the disk has room"):
            enc.condition("Mara", "tired", note="x" * 2000)
        held._file.room = 0
    assert (path.read_bytes(), enc.digest, heard) == (before, digest, [])
    held._file = file
    enc.condition("Mara", "tired", note="x" * 2000)
    enc.close()
    again = ck.Encounter.open(path)
    assert again.digest == enc.digest
    again.close()


def test_a_call_that_the_disk_has_not_taken_changes_nothing_and_can_be_made_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enc = fight(path)
    held, digest = path.read_bytes(), enc.digest

    def refuse(descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refuse)
        with pytest.raises(ck.JournalError, match="cannot write to it: Input/output error"):
            enc.end_turn()
    assert (path.read_bytes(), enc.digest) == (held, digest)
    enc.end_turn()
    assert [event.kind for event in enc._events].count("turn_end") == 1
    enc.close()
    assert ck.Encounter.open(path).digest == enc.digest


@pytest.mark.parametrize("theirs", [False, True])
def test_a_fight_that_is_refused_leaves_no_empty_file(
    theirs: bool, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if theirs:
        path.touch()
    with monkeypatch.context() as patched:
        patched.setattr(book, "LONGEST", 100)
        with pytest.raises(ck.JournalError, match="a line has at most"):
            fight(path)
    assert path.exists() == theirs
    assert fight(path).id in {entry.id for entry in ck.campaign(path)}


def test_a_file_that_is_taken_away_is_missed_and_one_with_the_same_content_is_gone_on_with(path: Path) -> None:
    enc = fight(path)
    held, digest = path.read_bytes(), enc.digest
    path.unlink()
    with pytest.raises(ck.JournalError, match=r"no longer there: nothing is written.*enc\.save\('friday\.combat'\)"):
        enc.do("Mara", "move")
    for content in (b"", held[:-80], held.replace(b"Mara", b"Tara")):
        path.write_bytes(content)
        with pytest.raises(ck.JournalError, match=r"changed by something else: nothing is written\. enc\.close\(\)"):
            enc.do("Mara", "move")
        assert (path.read_bytes(), enc.digest) == (content, digest)
    for begins, ends in ((b"", b"\n"), (b"", b"\r\n"), (b"\xef\xbb\xbf", b"\n")):
        path.with_name("new").write_bytes(begins + held.replace(b"\n", ends))
        path.with_name("new").replace(path)
        enc.adjust("Mara", "hp", -1)
        held = path.read_bytes()
    enc.close()
    with ck.Encounter.open(path) as again:
        assert again.digest == enc.digest


def test_a_file_that_was_saved_anew_is_gone_on_with(path: Path) -> None:
    with fight(path) as enc:
        path.unlink()
        enc.save(path)
        enc.do("Mara", "move")
    with ck.Encounter.open(path) as again:
        assert again.digest == enc.digest


def test_where_an_open_file_shows_nothing_new_another_kernels_turn_is_taken_in(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a browser nothing locks a file, and whoever has it open reads only what they knew."""
    monkeypatch.setattr(book, "lock", lambda _: True)
    enc = fight(path)
    enc.save(path.with_name("there.combat"))
    held: Any = enc._timeline.journal.book  # type: ignore[union-attr]
    known = path.read_bytes()

    class Stale(FileIO):
        def readall(self) -> bytes:
            return known[self.tell() :]

    held._file.close()
    held._file = Stale(path, "r+b")
    with ck.Encounter.open(path.with_name("there.combat")) as there:
        there.end_turn()
    path.write_bytes(path.with_name("there.combat").read_bytes())
    with pytest.raises(ck.JournalError, match=r"gone on with this fight\. What it did is shown now"):
        enc.end_turn()
    assert enc.active == "Vex"
    enc.end_turn()
    assert len(ck.campaign(path)) == 1
    assert ck.load(path).digest == enc.digest


@pytest.mark.parametrize("longer", [False, True])
def test_a_file_that_something_else_has_changed_is_not_written_to(path: Path, longer: bool) -> None:
    enc = fight(path)
    enc.adjust("Mara", "hp", -4)
    held = path.read_bytes()
    if longer:
        with path.open("ab") as other:
            other.write(b"a line of mine\n")
    else:
        with path.open("r+b") as other:
            other.write(held.replace(b'"amount":-4', b'"amount":-5'))
    digest, changed = enc.digest, path.read_bytes()
    assert changed != held
    for _ in range(2):
        with pytest.raises(ck.JournalError, match=r"changed by something else.*enc\.save\('friday-2\.combat'\)"):
            enc.do("Mara", "move")
    assert (enc.digest, path.read_bytes()) == (digest, changed)
    enc.save(path.with_name("friday-2.combat"))
    enc.close()
    assert ck.load(path.with_name("friday-2.combat")).digest == digest
    with pytest.warns(ck.DamagedJournal, match=r"friday\.combat\.damaged" if longer else "line 6 was changed after"):
        again = ck.Encounter.open(path)
    with again:
        assert (again.digest == digest) == longer
        again.do("Mara", "move")
    assert path.with_name("friday.combat.damaged").exists() == longer


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, 524])
def test_where_no_file_can_be_locked_it_is_said_once_and_the_fight_goes_on(
    number: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(file: Any) -> bool:
        raise OSError(number, "No locks available")

    monkeypatch.setattr(book, "lock", refused)
    monkeypatch.setattr(book, "unlock", refused)
    with pytest.warns(UserWarning, match=r"friday\.combat can't be locked where it is \(No locks available; a") as told:
        enc = fight(path)
    enc.end_turn()
    enc.close()
    with ck.Encounter.open(path) as again:
        assert again.digest == enc.digest
        again.end_turn()
    assert len(told) == 1


def test_an_interrupted_call_is_either_there_or_not(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    enc = fight(path)
    write = Book.write

    def interrupted(book: Book, lines: Any, *, sync: bool) -> None:
        write(book, lines, sync=sync)
        raise KeyboardInterrupt

    monkeypatch.setattr(Book, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        enc.do("Mara", "move")
    monkeypatch.undo()
    with pytest.warns(
        ck.InterruptedCall, match=r"saga-7: a call was interrupted after .* read in now: events 14 to"
    ) as told:
        assert enc.can_undo == "Move (Mara)"
    assert told[0].filename == __file__
    enc.do("Mara", "aid_another")
    digest = enc.digest
    enc.close()
    with ck.Encounter.open(path) as again:
        assert again.digest == digest


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_does_not_write_in_its_parents_name(path: Path) -> None:
    enc = fight(path)
    child = os.fork()
    if child == 0:
        try:
            enc.do("Mara", "move")
        except ck.JournalError as error:
            os._exit(3 if "another process" in str(error) else 4)
        os._exit(5)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
    enc.do("Mara", "move")
    enc.close()


def test_a_closed_fight_can_be_looked_at_but_not_gone_on_with(path: Path) -> None:
    with fight(path) as enc:
        pass
    assert enc.active == "Mara"
    with pytest.raises(ck.JournalError, match=r"ck\.Encounter\.open"):
        enc.do("Mara", "move")
    enc.close()


def test_a_past_moment_that_was_asked_for_can_be_looked_at_when_the_file_is_closed(path: Path) -> None:
    with fight(path, batch=True) as enc:
        while len(enc._events) < 1_500:
            enc.end_turn()
        told = enc.at(20).clock
    with ck.Encounter.open(path) as enc:
        past = enc.at(20)
    assert past.clock == told


def test_an_id_is_taken_once_and_the_message_says_how_to_go_on(path: Path) -> None:
    enc = fight(path)
    with pytest.raises(ck.JournalError) as caught:
        ck.Encounter("saga", id="saga-7", seed=7, journal=path)
    assert "ck.Encounter.open('friday.combat', 'saga-7')" in str(caught.value)
    assert "id='saga-7-2'" in str(caught.value)
    ck.Encounter("saga", seed=7, id="saga-7-2", journal=path).close()
    enc.close()


def test_what_is_refused_at_the_making_leaves_no_file(path: Path) -> None:
    with pytest.raises(ck.InvalidInput):
        ck.Encounter("saga", seed=-1, journal=path)
    with pytest.raises(ck.InvalidInput, match="batch"):
        ck.Encounter("saga", seed=1, journal=path, batch=1)  # type: ignore[arg-type]
    assert not path.exists()
    with pytest.raises(ck.JournalError, match="there is no folder"):
        ck.Encounter("saga", seed=1, journal=path / "deeper" / "x")
    with pytest.raises(ck.InvalidInput, match="give a path"):
        ck.Encounter("saga", seed=1, journal=7)  # type: ignore[arg-type]


def test_a_restart_has_no_journal(path: Path) -> None:
    with fight(path) as enc:
        assert enc.restart()._timeline.journal is None


def test_the_file_is_read_with_polars_as_the_guide_says(path: Path) -> None:
    with fight(path) as enc:
        enc.do("Mara", "attack", target="Vex")
    event: dict[str, Any] = {"seq": pl.Int64, "round": pl.Int64, "actor": pl.String, "text": pl.String}
    events = pl.List(pl.Struct(event))
    schema: dict[str, Any] = {"fight": pl.Int64, "title": pl.String, "when": pl.String, "events": events}
    told = pl.scan_ndjson(path, schema=schema).explode("events").unnest("events").drop_nulls("seq").collect()
    assert told["seq"].to_list() == [event.seq for event in enc._events]
    assert told["text"].to_list() == [event.text for event in enc._events]
    assert told["title"][0] == "Make the fight"


def test_the_first_line_says_what_it_is_and_each_call_is_a_line_with_its_date(path: Path) -> None:
    fight(path).close()
    head, *calls = lines(path)
    assert (head["combatkit"], head["format"]) == ("journal", 3)
    assert [call["title"] for call in calls] == ["Make the fight", "Add Mara", "Add Vex", "Start the fight"]
    assert [call["after"] for call in calls] == [0, *(call["call"] for call in calls[:-1])]
    dates = [datetime.fromisoformat(call["when"]) for call in calls]
    assert dates == sorted(dates)
    assert {date.tzinfo for date in dates} == {UTC}
    assert abs(dates[-1].timestamp() - path.stat().st_mtime) < 3600, "what the file's own date says"
    assert len({call["mark"] for call in calls}) == len(calls)


def test_a_fight_is_kept_in_one_file_and_a_file_has_its_id_once(path: Path) -> None:
    other = path.with_name("other.combat")
    enc, twin = (ck.Encounter("saga", id="saga-7", seed=7) for _ in range(2))
    keep(enc, path)
    for file in (path, other):
        with pytest.raises(ck.JournalError, match=r"'saga-7' is kept in friday\.combat already"):
            keep(enc, file)
    with pytest.raises(ck.JournalError, match=r"friday\.combat holds 'saga-7' already: name another file"):
        keep(twin, path)
    assert not other.exists()
    enc.close()


# ── branches ──


def test_a_branch_stays_in_the_file_and_goes_its_own_way(path: Path) -> None:
    enc = fight(path)
    start = len(enc._events)
    enc.do("Mara", "move")
    one, other = enc.branch(start), enc.branch(start)
    assert (one.id, other.id) == (f"saga-7@{start}", f"saga-7@{start}-2")
    assert (one.parent, enc.parent) == (("saga-7", start), None)
    one.do("Mara", "aid_another")
    assert enc.budget("Mara")["standard"].left == 1
    assert other.digest != one.digest
    digests = [one.digest, other.digest]
    for each in (*enc.branches, enc):
        each.close()
    with ck.Encounter.open(path, "saga-7") as again:
        assert [branch.digest for branch in again.branches] == digests
        assert again.branches[0].parent == ("saga-7", start)
        first = again.branches[0]
        while first.can_undo:
            first.undo()
        assert first.names == ()
        for each in again.branches:
            each.close()


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_branch_is_the_same_in_a_file_and_in_memory(system: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ck, "Encounter", partial(ck.Encounter, journal=path))
    enc = play(system, 2, 60)
    monkeypatch.undo()
    plain = play(system, 2, 60)
    for seq in range(1, len(plain._events) + 1, 5):
        one, other = enc.branch(seq), plain.branch(seq)
        assert one.digest == other.digest
        assert (one.can_undo, one.can_redo) == (other.can_undo, other.can_redo)
        if one.can_undo:
            assert [e.data for e in one.undo()] == [e.data for e in other.undo()]
            assert encoded(one._state) == encoded(other._state)
        one.close()
    enc.close()


def test_a_branch_from_an_undo_can_still_redo(path: Path) -> None:
    with fight(path) as enc:
        enc.do("Mara", "move")
        enc.do("Mara", "aid_another")
        (undo,) = enc.undo()
        branch = enc.branch(undo.seq)
        assert encoded(branch._state) == encoded(enc._state)
        branch.close()
    with ck.Encounter.open(path, branch.id) as again:
        assert (again.can_undo, again.can_redo) == ("Move (Mara)", "Aid another (Mara)")
        again.redo()
        assert again.budget("Mara")["standard"].left == 0


# ── other files, other forms ──


def test_what_is_no_journal_is_refused_and_said(path: Path, tmp_path: Path) -> None:
    with pytest.raises(ck.JournalError, match=r"not there; ck\.Encounter\(\.\.\., journal='friday\.combat'\)"):
        ck.Encounter.open(path)
    for read in (path, [path]):
        with pytest.raises(
            ck.JournalError, match=r"friday\.combat is not there; it belongs beside the notebook"
        ) as told:
            ck.load(read)
        assert "journal=" not in str(told.value)
    with pytest.raises(ck.JournalError, match="a folder"):
        ck.Encounter.open(tmp_path)
    path.write_text("a shopping list\n" * 400)
    with pytest.raises(ck.JournalError, match="not a combatkit journal"):
        ck.Encounter.open(path)
    with pytest.raises(ck.JournalError, match="not a combatkit journal"):
        ck.Encounter("saga", seed=1, journal=path)
    assert path.read_text().startswith("a shopping list")
    path.write_bytes(b"")
    with pytest.raises(ck.JournalError, match="holds no encounter yet"):
        ck.Encounter.open(path)
    with pytest.raises(ck.InvalidInput, match="id is 7; give an encounter's id"):
        ck.Encounter.open(path, 7)  # type: ignore[arg-type]


def test_a_newer_file_is_refused_with_what_to_install_and_left_alone(path: Path) -> None:
    fight(path).close()
    path.write_bytes(b'{"combatkit":"journal","format":99,"version":"9.9.0"}\n' + path.read_bytes().split(b"\n", 1)[1])
    before = path.read_bytes()
    for use in (ck.Encounter.open, ck.campaign, ck.load, lambda path: ck.Encounter("saga", seed=8, journal=path)):
        with pytest.raises(ck.JournalError, match=r"of format 99, .* reads up to 3: install combatkit 9\.9\.0"):
            use(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_file_whose_lines_end_as_on_windows_is_read_and_gone_on_with(path: Path) -> None:
    with fight(path) as enc:
        digest = enc.digest
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    with ck.Encounter.open(path) as again:
        assert again.digest == digest
        again.do("Mara", "move")
    assert ck.load(path).digest == again.digest


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has no modes")
def test_a_file_that_may_only_be_read_is_shown(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with fight(path) as enc:
        digest = enc.digest
    path.write_bytes(path.read_bytes() + b"half a line")
    opened = FileIO

    def read_only(file: Path, mode: str = "r") -> Any:
        if mode != "r":
            raise PermissionError(13, "Permission denied")
        return opened(file, mode)

    monkeypatch.setattr(book, "FileIO", read_only)
    monkeypatch.setattr(lock, "FileIO", read_only)
    before = path.read_bytes()
    with pytest.warns(ck.DamagedJournal, match="line 6 is the last, and not whole"):
        again = ck.Encounter.open(path)
    assert again.digest == digest
    with pytest.raises(ck.JournalError, match="may only be read"):
        again.do("Mara", "move")
    again.close()
    assert path.read_bytes() == before


def test_a_fight_by_an_unknown_ruleset_says_how_to_make_it_known(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fight(path).close()

    def unknown(id: str) -> None:
        raise ck.UnknownName.of("ruleset", id, SYSTEMS)

    monkeypatch.setattr("combatkit.journal.opening.ruleset", unknown)
    with pytest.raises(ck.JournalError, match=r"'saga', which is not known here: install it, .* ck\.add_ruleset"):
        ck.Encounter.open(path)
    assert ck.campaign(path)[0].rounds == 1


# ── the list ──


def test_a_campaign_lists_its_encounters(path: Path) -> None:
    enc = fight(path, title="The warehouse")
    ck.Encounter("d6", id="d6-2", seed=2, journal=path).close()
    enc.do("Mara", "move")
    enc.undo()
    branch = enc.branch(3)
    listed = ck.campaign(path)
    assert [(e.id, e.system, e.title, e.stage, e.rounds, e.calls, e.parent) for e in listed] == [
        ("saga-7", "saga", "The warehouse", "running", 1, 4, None),
        ("d6-2", "d6", "", "setup", 0, 1, None),
        ("saga-7@3", "saga", "The warehouse", "setup", 0, 3, ("saga-7", 3)),
    ]
    dates = [entry.begun for entry in listed]
    assert dates == sorted(dates)
    words = repr(listed).splitlines()
    assert words[0].split() == ["id", "system", "title", "begun", "rounds", "calls", "stage", "parent"]
    assert words[3].endswith("3      setup    saga-7, event 3")
    assert "<td>saga-7, event 3</td>" in listed._repr_html_()
    branch.close()
    enc.close()


def test_a_fight_leaves_one_file_while_it_is_played_and_after(path: Path) -> None:
    enc = fight(path)
    assert list(path.parent.iterdir()) == [path]
    enc.close()
    assert list(path.parent.iterdir()) == [path]


# ── settings ──


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_next_fight_of_a_journal_asks_for_the_tables_dice_if_the_last_one_did(system: str, path: Path) -> None:
    with ck.Encounter(system, journal=path) as first:
        assert not first.table_dice
        first.table_dice = True
    with ck.Encounter(system, journal=path) as second, ck.Encounter(system) as alone:
        assert (second.table_dice, alone.table_dice) == (True, False)
        second.table_dice = False
    with ck.Encounter(system, journal=path) as third:
        assert not third.table_dice
    with ck.Encounter.open(path, first.id) as first, ck.Encounter.open(path, second.id) as second:
        assert (first.table_dice, second.table_dice) == (True, False)
        with first.restart(journal=path) as again, second.restart(journal=path) as other:
            assert (again.table_dice, other.table_dice) == (True, False), "what is run again is as it was"


def test_title_and_table_dice_are_kept_and_in_no_digest(path: Path) -> None:
    enc = fight(path)
    digest = enc.digest
    assert (enc.title, enc.table_dice) == ("", False)
    enc.title, enc.table_dice = "The warehouse", True
    assert (enc.digest, enc.can_undo) == (digest, "Start the fight")
    enc.close()
    with ck.Encounter.open(path) as again:
        assert (again.title, again.table_dice, again.digest) == ("The warehouse", True, digest)
        assert str(again.log()).startswith("# The warehouse")
        again.save(path.with_name("copy.fight"))
        branch = again.branch(3)
        assert branch.table_dice
        branch.table_dice = False
        assert again.table_dice
        assert again.restart().table_dice
        branch.close()
    assert (ck.load(path.with_name("copy.fight")).title, enc.table_dice) == ("The warehouse", True)
    with pytest.raises(ck.InvalidInput, match="table_dice is 1; give True or False"):
        enc.table_dice = 1  # type: ignore[assignment]
    with pytest.raises(ck.InvalidInput, match="title is 7"):
        ck.Encounter("saga", title=7)  # type: ignore[arg-type]


def test_the_tracker_reads_and_writes_whether_dice_are_thrown_at_the_table(path: Path) -> None:
    from combatkit.widgets._intents import hear

    with fight(path) as enc:
        hear(ck.Tracker(enc)._vantage, {"kind": "dice", "mode": "table"})
    with ck.Encounter.open(path) as again:
        assert ck.Tracker(again).view["dice"] == "table"


# ── copies ──


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_copy_is_the_same_with_its_undone_calls_and_is_a_journal(system: str, path: Path) -> None:
    enc = play(system, 4, 120)
    enc.save(path)
    again = ck.load(path)
    assert (again.id, again.digest) == (enc.id, enc.digest)
    assert (again.can_undo, again.can_redo) == (enc.can_undo, enc.can_redo)
    for seq in range(1, len(enc._events) + 1, 11):
        assert again.at(seq).digest == enc.at(seq).digest
    with ck.Encounter.open(path) as opened:
        assert opened.digest == enc.digest
        assert opened._timeline.begun == pytest.approx(enc._timeline.begun, abs=2e-6)
        while enc.can_redo:
            assert [e.data for e in enc.redo()] == [e.data for e in again.redo()] == [e.data for e in opened.redo()]
        while enc.can_undo:
            enc.undo()
            again.undo()
            opened.undo()
        assert again.digest == enc.digest == opened.digest


def test_a_copy_of_a_journalled_fight_is_the_same_and_has_no_journal(path: Path) -> None:
    copy, of_branch = path.with_name("a.fight"), path.with_name("branch.fight")
    with fight(path) as enc:
        enc.do("Mara", "move")
        branch = enc.branch(2)
        enc.save(copy)
        branch.save(of_branch)
        branch.close()
        loaded = ck.load(copy)
        assert loaded.digest == enc.digest
        loaded.end_turn()
    assert loaded.digest != enc.digest
    assert (ck.load(of_branch).parent, ck.load(of_branch).digest) == (("saga-7", 2), branch.digest)
    assert ck.load(path).digest == branch.digest, "of several the one played last"


def test_a_copy_is_replaced_whole_and_nothing_else_is(path: Path) -> None:
    enc, other = fight(path), path.with_name("b.fight")
    enc.save(other)
    enc.do("Mara", "move")
    enc.save(other)
    ck.Encounter("d6", seed=1).save(other)
    enc.save(other)
    assert ck.load(other).digest == enc.digest
    with ck.Encounter.open(other) as gone_on_with:
        gone_on_with.end_turn()
    enc.close()
    shopping = path.with_name("shopping.txt")
    shopping.write_text("milk")
    before = {file: file.read_bytes() for file in (other, path, shopping)}
    for file in before:
        with pytest.raises(ck.JournalError, match="not a saved copy: name another file"):
            enc.save(file)
    assert {file: file.read_bytes() for file in path.parent.iterdir()} == before
    with pytest.raises(ck.JournalError, match="cannot be written"):
        enc.save(path / "deeper" / "x")


@pytest.mark.parametrize("name", ["friday.html", "Friday.HTM"])
def test_a_copy_is_called_as_no_page_is(tmp_path: Path, name: str) -> None:
    with pytest.raises(ck.JournalError, match=rf"no browser shows: to_html\('{name}'\) writes a page, save\('.riday.c"):
        ck.Encounter("saga", seed=1).save(tmp_path / name)
    assert not [*tmp_path.iterdir()]


# ── many ──


def test_the_far_past_of_a_long_fight_is_read_where_it_is_asked_for(path: Path) -> None:
    with fight(path, batch=True) as enc:
        while len(enc._events) < 1_500:
            enc.end_turn()
        told = [(enc.explain(seq), enc.at(seq).clock) for seq in (3, 200, 400)]
    with ck.Encounter.open(path) as enc:
        assert [(enc.explain(seq), enc.at(seq).clock) for seq in (3, 200, 400)] == told


def test_branches_of_branches_share_the_past_and_take_no_room_for_it(path: Path) -> None:
    enc = fight(path)
    sizes, digests, fights = [], [], [enc]
    for _ in range(12):
        fights.append(fights[-1].branch(len(fights[-1]._events)))
        before = path.stat().st_size
        fights[-1].condition("Mara", "tired")
        sizes.append(path.stat().st_size - before)
        digests.append(fights[-1].digest)
    assert max(sizes) < 1_000
    for each in fights:
        each.close()
    for each, digest in zip(fights[1:], digests, strict=True):
        with ck.Encounter.open(path, each.id) as again:
            assert again.digest == digest
            again.undo()
            assert again.can_undo == ("Start the fight" if each is fights[1] else "Condition")


def test_on_a_disk_that_takes_a_file_as_it_is_closed_nothing_is_lost(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Disk(FileIO):
        """A file that a writer puts on the disk as they close it, with what they have read and written."""

        def __init__(self, name: str, mode: str) -> None:
            self.all = Path(name).read_bytes()
            super().__init__(name, mode)

        def write(self, data: Any) -> int:
            self.all += bytes(data)
            return len(data)

        def close(self) -> None:
            if not self.closed:
                Path(self.name).write_bytes(self.all)
            super().close()

    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(lock, "FileIO", Disk)
    enc = ck.Encounter("saga", seed=7, id="friday", journal=path)
    for call in (partial(enc.add, "Mara", side="a"), partial(enc.add, "Vex", side="b"), enc.start, enc.end_turn):
        before = path.read_bytes()
        call()
        assert len(path.read_bytes()) > len(before), "each call is there at once"
    there = path.with_name("there.combat")
    there.write_bytes(path.read_bytes())
    with ck.Encounter.open(there) as other:
        other.end_turn()
    path.write_bytes(there.read_bytes())
    with pytest.raises(ck.JournalError, match="another process has just gone on with this fight"):
        enc.end_turn()
    assert path.read_bytes() == there.read_bytes()
    assert enc.digest == other.digest, "it is shown, and can be gone on with"
    enc.end_turn()
    enc.close()
    monkeypatch.undo()
    with ck.Encounter.open(path) as again:
        assert again.digest == enc.digest != other.digest
