"""The durable journal: written before it is shown, reopened with its whole past, never half."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

import combatkit as ck
from combatkit.core.model import State
from combatkit.journal import form, keep
from combatkit.journal.desk import Desk
from combatkit.journal.rows import read_state, write_state
from combatkit.journal.store import Store
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


def rows(path: Path) -> int:
    """Count the events a file holds, by plain SQL."""
    db = sqlite3.connect(path)
    count: int = db.execute("SELECT count(*) FROM log").fetchone()[0]
    db.close()
    return count


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
        assert (again.can_undo, again.can_redo) == ("Move", "Aid another")
        assert encoded(again._state) == digests[1]
        again.redo()
        assert (encoded(again._state), again.can_redo) == (digests[2], "Speak")
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


def test_opened_twice_in_one_process_it_is_the_same_encounter(path: Path) -> None:
    enc = fight(path)
    assert ck.Encounter.open(path) is enc
    assert ck.Encounter.open(str(path), "saga-7", check=True) is enc
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


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_state_is_written_and_read_exactly(system: str) -> None:
    enc = play(system, 5, 120)
    for seq in range(1, len(enc._events) + 1, 3):
        state = enc.at(seq)._state
        read = read_state(write_state(state))
        assert read == state
        assert encoded(read) == encoded(state)
        assert list(read.fighters) == list(state.fighters)


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


def test_a_batch_is_written_at_the_end_of_a_turn_and_at_the_close(path: Path) -> None:
    enc = fight(path, batch=True)
    before = rows(path)
    enc.do("Mara", "move")
    enc.do("Mara", "aid_another")
    enc.undo()
    assert rows(path) == before
    enc.end_turn()
    assert rows(path) == len(enc._events)
    enc.do("Vex", "move")
    assert rows(path) < len(enc._events)
    enc.close()
    assert rows(path) == len(enc._events)
    with ck.Encounter.open(path, batch=True) as again:
        assert again.digest == enc.digest
        again.end_turn()
        again.do("Mara", "move")
        again.finish()
        assert rows(path) == len(again._events)


def test_a_call_that_cannot_be_written_changes_nothing(path: Path) -> None:
    enc = fight(path)
    heard: list[int] = []

    class Listener:
        def hear(self, events: tuple[ck.Event, ...]) -> None:
            heard.append(len(events))

    listener = Listener()
    enc.watch(listener.hear)
    db = enc._timeline.journal._desk.db  # type: ignore[union-attr]
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count={pages}")

    def fill() -> None:
        for _ in range(100):
            enc.condition("Mara", "tired", note="x" * 2000)

    with pytest.raises(ck.JournalError, match=r"friday\.combat: cannot write to it: .*the disk has room"):
        fill()
    assert enc.digest == enc.at(len(enc._events)).digest
    assert rows(path) == len(enc._events)
    count = len(heard)
    with pytest.raises(ck.JournalError):
        enc.condition("Mara", "tired", note="x" * 2000)
    assert len(heard) == count
    db.execute("PRAGMA max_page_count=100000")
    enc.condition("Mara", "tired", note="x" * 2000)
    enc.close()
    assert ck.Encounter.open(path, check=True).digest == enc.digest
    ck.Encounter.open(path).close()


def test_a_file_that_is_taken_away_is_missed(path: Path) -> None:
    enc = fight(path)
    path.rename(path.with_name("elsewhere"))
    digest = enc.digest
    with pytest.raises(ck.JournalError, match="no longer there"):
        enc.do("Mara", "move")
    assert enc.digest == digest
    path.with_name("elsewhere").rename(path)
    enc.do("Mara", "move")
    enc.close()


def test_an_interrupted_call_is_either_there_or_not(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    enc = fight(path)
    commit = Desk.commit

    def interrupted(desk: Desk, entries: Any) -> None:
        commit(desk, entries)
        raise KeyboardInterrupt

    monkeypatch.setattr(Desk, "commit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        enc.do("Mara", "move")
    monkeypatch.undo()
    with pytest.warns(
        ck.InterruptedCall, match=r"saga-7: a call was interrupted after .* read in now: events 14 to"
    ) as told:
        assert enc.can_undo == "Move"
    assert told[0].filename == __file__
    enc.do("Mara", "aid_another")
    digest = enc.digest
    enc.close()
    with ck.Encounter.open(path, check=True) as again:
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


def test_a_path_too_long_for_sqlite_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 200) / ("x" * 200) / ("x" * 200)
    folder.mkdir(parents=True)
    with pytest.raises(ck.JournalError, match=r"friday\.combat: cannot make it: unable to open"):
        ck.Encounter("saga", seed=1, journal=folder / "friday.combat")
    assert list(folder.iterdir()) == []


def test_a_restart_has_no_journal(path: Path) -> None:
    with fight(path) as enc:
        assert enc.restart()._timeline.journal is None


def test_the_file_reads_well_with_plain_sql(path: Path) -> None:
    fight(path).close()
    db = sqlite3.connect(path)
    first = db.execute(
        "SELECT encounter, seq, kind, actor, data ->> 'side' FROM log WHERE kind = 'combatant'"
    ).fetchall()
    db.close()
    assert first == [("saga-7", 2, "combatant", "Mara", "rebels"), ("saga-7", 3, "combatant", "Vex", "empire")]


def test_a_fight_is_kept_in_one_file_and_a_file_has_its_id_once(path: Path) -> None:
    other = path.with_name("other.combat")
    enc, twin = (ck.Encounter("saga", id="saga-7", seed=7) for _ in range(2))
    keep(enc, path)
    for file in (path, other):
        with pytest.raises(ck.JournalError, match=f"{file.name} holds 'saga-7' already: name another file"):
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
    with ck.Encounter.open(path, branch.id, check=True) as again:
        assert (again.can_undo, again.can_redo) == ("Move", "Aid another")
        again.redo()
        assert again.budget("Mara")["standard"].left == 0


def test_a_call_of_many_events_is_kept_by_an_sqlite_that_takes_few_values_at_once(path: Path) -> None:
    with ck.Encounter("saga", seed=7, journal=path) as enc:
        enc.add("Mara", side="rebels")
        journal = enc._timeline.journal
        assert isinstance(journal, Store)
        journal._desk.db.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 999)  # as a build may have it
        enc.add("Guard", side="empire", count=100)
    again = ck.Encounter.open(path)
    assert (len(again.names), again.digest) == (101, enc.digest)
    again.close()


# ── other files, other forms ──


def test_what_is_no_journal_is_refused_and_said(path: Path, tmp_path: Path) -> None:
    with pytest.raises(ck.JournalError, match=r"not there; ck\.Encounter\(\.\.\., journal='friday\.combat'\)"):
        ck.Encounter.open(path)
    with pytest.raises(ck.JournalError, match="a folder"):
        ck.Encounter.open(tmp_path)
    path.write_text("a shopping list\n" * 400)
    with pytest.raises(ck.JournalError, match="not a combatkit journal"):
        ck.Encounter.open(path)
    with pytest.raises(ck.JournalError, match="not a combatkit journal"):
        ck.Encounter("saga", seed=1, journal=path)
    assert path.read_text().startswith("a shopping list")
    path.unlink()
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE shopping (what TEXT)")
    db.close()
    with pytest.raises(ck.JournalError, match="an SQLite file, but not a combatkit journal"):
        ck.Encounter.open(path)
    path.write_bytes(b"")
    with pytest.raises(ck.JournalError, match="holds no encounter yet"):
        ck.Encounter.open(path)
    with pytest.raises(ck.InvalidInput, match="id is 7; give an encounter's id"):
        ck.Encounter.open(path, 7)  # type: ignore[arg-type]


@pytest.mark.parametrize(("at", "byte"), [(0, b"?"), (68, b"?")])
def test_a_journal_that_has_lost_one_of_its_two_signs_is_said_to_be_damaged(path: Path, at: int, byte: bytes) -> None:
    fight(path).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:at] + byte + whole[at + 1 : 100] + b"?" * 100 + whole[200:])
    with pytest.raises(ck.CombatkitError, match="damaged"):
        form.connect(path)


def test_a_newer_file_is_refused_with_what_to_install(path: Path) -> None:
    fight(path).close()
    before = path.read_bytes()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA user_version=99")
    db.execute("UPDATE made SET version = '9.9.0', form = 99")
    db.close()
    with pytest.raises(ck.JournalError, match=r"of format 99, .* reads up to 1: install combatkit 9\.9\.0 or newer"):
        ck.Encounter.open(path)
    with pytest.raises(ck.JournalError, match="of format 99"):
        ck.Encounter("saga", seed=8, journal=path)
    assert len(path.read_bytes()) == len(before)


@pytest.mark.parametrize("mark", ["PRAGMA user_version=99", "UPDATE made SET form = 99"])
def test_a_file_is_newer_if_either_mark_says_so_and_is_left_alone(path: Path, mark: str) -> None:
    fight(path).close()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(mark)
    db.close()
    before = path.read_bytes()
    for opened in (ck.Encounter.open, ck.campaign):
        with pytest.raises(ck.JournalError, match=r"of format 99, .* reads up to 1: install .* \(pip install"):
            opened(path)
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert path.read_bytes() == before


@pytest.mark.parametrize("mark", ["PRAGMA user_version=0", "PRAGMA user_version=-9", "DELETE FROM made"])
def test_of_two_marks_of_the_format_one_is_enough(path: Path, mark: str) -> None:
    with fight(path) as enc:
        digest = enc.digest
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(mark)
    db.close()
    assert ck.Encounter.open(path).digest == digest


def test_without_any_mark_of_the_format_a_file_is_damaged(path: Path) -> None:
    with fight(path) as enc:
        digest = enc.digest
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA user_version=0")
    db.execute("DELETE FROM made")
    db.close()
    with pytest.warns(ck.DamagedJournal, match="what says which format it has is not what was written"):
        assert ck.Encounter.open(path).digest == digest


def test_an_older_file_is_brought_up_to_date_and_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    enc = fight(path)
    enc.close()
    monkeypatch.setattr(form, "MIGRATIONS", (*form.MIGRATIONS, "CREATE TABLE more (what TEXT);"))
    with ck.Encounter.open(path) as again:
        assert again.digest == enc.digest
        again.do("Mara", "move")
    monkeypatch.undo()
    with pytest.raises(ck.JournalError, match="of format 2"):
        ck.Encounter.open(path)


def test_a_fight_by_an_unknown_ruleset_says_how_to_make_it_known(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fight(path).close()

    def unknown(id: str) -> None:
        raise ck.UnknownName.of("ruleset", id, SYSTEMS)

    monkeypatch.setattr("combatkit.journal.opening.ruleset", unknown)
    monkeypatch.setattr("combatkit.journal.listing.ruleset", unknown)
    with pytest.raises(ck.JournalError, match=r"'saga', which is not known here: install it, .* ck\.add_ruleset"):
        ck.Encounter.open(path)
    assert ck.campaign(path)[0].clock == "round 1"


# ── the list ──


def test_a_campaign_lists_its_encounters(path: Path) -> None:
    enc = fight(path)
    other = ck.Encounter("d6", id="d6-2", seed=2, journal=path)
    other.close()
    branch = enc.branch(3)
    listed = ck.campaign(path)
    assert [(e.id, e.system, e.stage, e.clock, e.events, e.parent) for e in listed] == [
        ("saga-7", "saga", "running", "Round 1", len(enc._events), None),
        ("d6-2", "d6", "setup", "Not begun", 1, None),
        ("saga-7@3", "saga", "setup", "Not begun", 3, ("saga-7", 3)),
    ]
    assert listed[0].writer.startswith(f"this process {os.getpid()} on ")
    assert listed[1].writer == ""
    assert str(os.getpid()) not in repr(listed)
    words = " ".join(repr(listed).splitlines()[3].split())
    assert words == "saga-7@3 saga Star Wars Saga Edition setup Not begun 3 saga-7, event 3"
    assert "<td>saga-7, event 3</td>" in listed._repr_html_()
    branch.close()
    enc.close()
    assert [entry.writer for entry in ck.campaign(path)] == ["", "", ""]


def test_closing_leaves_one_file(path: Path) -> None:
    enc = fight(path)
    assert len(list(path.parent.iterdir())) > 1
    enc.close()
    assert list(path.parent.iterdir()) == [path]


# ── damage far back ──


def test_the_far_past_of_a_long_fight_is_read_where_it_is_asked_for(path: Path) -> None:
    with fight(path, batch=True) as enc:
        while len(enc._events) < 1_500:
            enc.end_turn()
        told = [(enc.explain(seq), enc.at(seq).clock) for seq in (3, 200, 400)]
    with ck.Encounter.open(path) as enc:
        assert [(enc.explain(seq), enc.at(seq).clock) for seq in (3, 200, 400)] == told


@pytest.fixture
def long(path: Path) -> Iterator[Path]:
    """A journal whose early part is damaged, and which is long enough that opening does not look there."""
    enc = fight(path, batch=True)
    while len(enc._events) < 3_000:
        enc.end_turn()
    enc.close()
    written = bytearray(path.read_bytes())
    place = written.index(b"is added, on the rebels side")
    written[place] ^= 1
    path.write_bytes(written)
    yield path
    assert not list(path.parent.glob("*-writer-*"))


def test_damage_far_back_does_not_keep_from_playing_on_and_is_told_when_it_is_read(long: Path) -> None:
    with ck.Encounter.open(long) as enc:
        enc.end_turn()
        enc.undo()
        assert enc.at(2_500).clock.round
        with pytest.raises(ck.JournalError, match=r"events 1 to .* not what was written.*check=True"):
            list(enc._events)
        assert isinstance(enc._timeline.journal, Store)


def test_a_checked_opening_recovers_what_is_before_the_damage(long: Path) -> None:
    before = long.read_bytes()
    with pytest.warns(ck.DamagedJournal, match=r"'saga-7' up to event 1 \(at least .* calls are lost"):
        enc = ck.Encounter.open(long, check=True)
    assert len(enc._events) == 1
    enc.add("Mara", side="rebels")
    enc.close()
    assert long.with_name("friday.combat.damaged-1").read_bytes() == before


def test_a_damaged_file_that_somebody_writes_is_left_alone(long: Path) -> None:
    with ck.Encounter.open(long) as enc:
        enc.end_turn()
        with pytest.raises(ck.JournalError, match="is writing in it: close it there"):
            ck.Encounter.open(long, check=True)
