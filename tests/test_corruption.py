"""A damaged journal opens to a true prefix and says what is missing, or is refused; it is never a wrong fight.

Most files here hold two encounters. Each is cut, or 200 of its bytes are changed, as it lies after a clean close and
with the write-ahead log of a process that was killed beside it.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec
import pytest

import combatkit as ck
from combatkit.core.fold import fold
from combatkit.journal.rescue import damage
from combatkit.journal.rescue.salvage import salvage
from tests.kills import MEMORY

PAGE = 4096
Record = Callable[[str, object], None]


class Kept(NamedTuple):
    """A sound journal, and what it holds: each encounter's events, written out, and where its calls end."""

    folder: Path
    events: dict[str, list[bytes]]
    ends: dict[str, set[int]]

    @property
    def files(self) -> list[Path]:
        return sorted(path for path in self.folder.iterdir() if path.suffix in (".combat", ".combat-wal"))


def lines(enc: ck.Encounter) -> list[bytes]:
    return [msgspec.json.encode(event) for event in enc._events]


def apart(tmp_path: Path) -> Path:
    """Give a path in a folder `killed`, beside one `played`: what is copied over is as a kill leaves it."""
    for name in ("played", "killed"):
        (tmp_path / name).mkdir()
    return tmp_path / "killed" / "friday.combat"


def fight(enc: ck.Encounter, rounds: int, ends: set[int]) -> None:
    """Play, with something undone and something redone; note where each call ends."""

    def made(events: tuple[ck.Event, ...]) -> None:
        ends.add(events[-1].seq)

    ends.add(len(enc._events))
    made(enc.add("Mara", side="rebels"))
    made(enc.add("Guard", side="empire", count=5, npc=True))
    made(enc.start())
    for _ in range(rounds):
        made(enc.condition("Mara", "tired", note="so tired " * 20))
        made(enc.end_turn())
        made(enc.undo())
        made(enc.redo())


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """A journal after a clean close."""
    folder = tmp_path_factory.mktemp("closed")
    path = folder / "friday.combat"
    ends: dict[str, set[int]] = {"saga-7": set(), "phases-7": set()}
    events = {}
    for system in ("saga", "phases"):
        with ck.Encounter(system, id=f"{system}-7", seed=7, journal=path) as enc:
            fight(enc, 60, ends[enc.id])
            events[enc.id] = lines(enc)
    return Kept(folder, events, ends)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """A journal as it lies when its process is killed: the newest calls in the write-ahead log."""
    folder, played = tmp_path_factory.mktemp("killed"), tmp_path_factory.mktemp("played")
    path = played / "friday.combat"
    ends: dict[str, set[int]] = {"d6-7": set(), "ap-7": set()}
    with ck.Encounter("d6", id="d6-7", seed=7, journal=path) as one:
        fight(one, 60, ends["d6-7"])
    with ck.Encounter("ap", id="ap-7", seed=7, journal=path) as other, ck.Encounter.open(path, "d6-7") as one:
        fight(other, 30, ends["ap-7"])
        for _ in range(20):
            ends["d6-7"].add(one.condition("Mara", "tired")[-1].seq)
        events = {each.id: lines(each) for each in (one, other)}
        for file in (path, path.with_name("friday.combat-wal")):
            shutil.copy(file, folder / file.name)
    kept = Kept(folder, events, ends)
    assert len(kept.files) == 2
    return kept


def opened(kept: Kept, path: Path, *, check: bool = False) -> str:
    """Open every encounter of a damaged file and hold it against what was played; say what came of it."""
    lengths = {}
    refusals = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ck.DamagedJournal)
        for id, events in kept.events.items():
            try:
                with ck.Encounter.open(path, id, check=check) as enc:
                    lengths[id] = compared(kept, enc, events)
            except (ck.JournalError, ck.UnknownName) as error:
                refusals.append(str(error))
    said = [str(warning.message) for warning in caught]
    assert len(said) <= 1
    assert all(path.name in refusal for refusal in refusals)
    if said:
        assert all(f"{id!r} up to event {length}" in said[0] for id, length in lengths.items())
        assert (path.parent / "friday.combat.damaged-1").exists()
    if not lengths:
        return "refused"
    if all(lengths.get(id) == len(events) for id, events in kept.events.items()):
        return "whole"
    return "a true prefix, and told" if said else "a true prefix"


def compared(kept: Kept, enc: ck.Encounter, events: list[bytes]) -> int:
    found = lines(enc)
    length = len(found)
    assert found == events[:length], "a wrong fight"
    assert length in kept.ends[enc.id], "half a call"
    assert enc._state == fold(list(enc._events)), "a wrong state"
    if "Mara" in enc:
        enc.condition("Mara", "awake")
    else:
        enc.add("Mara", side="rebels")
    return length


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where the damaged files are: in memory where that can be, since there are hundreds."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as made:
        yield Path(made)


def copies(kept: Kept, folder: Path, damage: Callable[[Path], None], file: Path) -> Path:
    folder.mkdir()
    for each in kept.files:
        shutil.copy(each, folder / each.name)
    damage(folder / file.name)
    return folder / "friday.combat"


def cuts(file: Path) -> Iterator[int]:
    """Give every page boundary of a file: of a log, every frame's."""
    size = file.stat().st_size
    log = file.suffix.endswith("wal")
    yield from range(32, size, PAGE + 24) if log else range(0, size, PAGE)


def tally(record: Record, what: str, came: Counter[str]) -> None:
    told = ", ".join(f"{count} {how}" for how, count in sorted(came.items()))
    record("told", f"damaged: {what}: {sum(came.values())} files ({told})")


@pytest.mark.slow
@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("which", ["closed", "killed"])
def test_cut_at_every_page_boundary(
    which: str, every: int, request: pytest.FixtureRequest, folder: Path, record_property: Record
) -> None:
    kept: Kept = request.getfixturevalue(which)
    came = Counter[str]()
    for file in kept.files:
        for cut in islice(cuts(file), 0, None, every):

            def shorten(path: Path, size: int = cut) -> None:
                with path.open("r+b") as whole:
                    whole.truncate(size)

            how = opened(kept, copies(kept, folder / f"{file.suffix}-{cut}", shorten, file))
            assert how != "a true prefix" or file.suffix == ".combat-wal", "nothing was said of what is missing"
            came[how] += 1
    tally(record_property, f"{which}, cut", came)
    assert came["a true prefix, and told"] > 5 // every


def small(folder: Path, turns: int) -> Kept:
    """Give a journal of one short fight, cleanly closed."""
    folder.mkdir()
    ends = set()
    with ck.Encounter("saga", id="saga-7", seed=7, journal=folder / "friday.combat") as enc:
        ends.add(len(enc._events))
        ends.add(enc.add("Mara", side="rebels", hp=30)[-1].seq)
        ends.add(enc.add("Vex", side="empire", hp=20)[-1].seq)
        ends.add(enc.start()[-1].seq)
        for _ in range(turns):
            ends.add(enc.end_turn()[-1].seq)
        return Kept(folder, {"saga-7": lines(enc)}, {"saga-7": ends})


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.long)])
def test_cut_inside_the_last_pages_of_a_small_journal(every: int, tmp_path: Path, record_property: Record) -> None:
    """What the file ends within, SQLite reads as if zeros followed: no events, and no error."""
    came = Counter[str]()
    for turns in (0, 3, 8, 20, 33):
        kept = small(tmp_path / f"{turns}", turns)
        came += cut_inside(kept, kept.files[0], tmp_path / f"{turns}-cut", 8, every)
    tally(record_property, "small, cut inside pages", came)
    assert came["a true prefix, and told"] > 20 // every
    assert came["refused"] > 5 // every


@pytest.mark.slow
@pytest.mark.parametrize("every", [9, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("which", ["closed", "killed"])
def test_cut_inside_the_last_pages(
    which: str, every: int, request: pytest.FixtureRequest, folder: Path, record_property: Record
) -> None:
    kept: Kept = request.getfixturevalue(which)
    came = cut_inside(kept, kept.files[0], folder, 6, every)
    tally(record_property, f"{which}, cut inside pages", came)
    assert came["a true prefix, and told"] > 20 // every


def cut_inside(kept: Kept, file: Path, folder: Path, pages: int, every: int) -> Counter[str]:
    """Cut a file at each 512 bytes over its last pages, and a little beside them; say what came of it."""
    came = Counter[str]()
    size = file.stat().st_size
    folder.mkdir(exist_ok=True)
    for off in [1, 100, *range(512, min(pages * PAGE, size), 512)][::every]:

        def shorten(path: Path, size: int = size - off) -> None:
            with path.open("r+b") as whole:
                whole.truncate(size)

        how = opened(kept, copies(kept, folder / f"{off}", shorten, file), check=bool(off // 512 % 2))
        assert how != "a true prefix", "nothing was said of what is missing"
        came[how] += 1
    return came


@pytest.mark.slow
@pytest.mark.parametrize("every", [25, pytest.param(1, marks=pytest.mark.long)])
def test_one_bit_changed(every: int, tmp_path: Path, folder: Path, record_property: Record) -> None:
    kept = small(tmp_path / "small", 20)
    came = Counter[str]()
    size = kept.files[0].stat().st_size
    for at in [*range(0, size - PAGE, 53), *range(size - PAGE, size, 7)][::every]:

        def flip(path: Path, at: int = at) -> None:
            written = bytearray(path.read_bytes())
            written[at] ^= 1 << at % 8
            path.write_bytes(written)

        how = opened(kept, copies(kept, folder / f"{at}", flip, kept.files[0]), check=True)
        assert how != "a true prefix", "nothing was said of what is missing"
        came[how] += 1
    tally(record_property, "small, one bit changed", came)
    assert came["a true prefix, and told"] > 100 // every


def rewrite(kept: Kept, statement: str) -> None:
    """Change rows of a journal behind its back."""
    db = sqlite3.connect(kept.files[0], isolation_level=None)
    db.execute(statement)
    db.close()


@pytest.mark.parametrize("size", ["'x'", "2.5", "x'00'"])
def test_a_call_that_says_no_number_of_events_is_damage(tmp_path: Path, size: str) -> None:
    kept = small(tmp_path / "small", 8)
    rewrite(kept, f"UPDATE events SET size = {size} WHERE at = (SELECT max(at) FROM events WHERE size IS NOT NULL)")
    assert opened(kept, kept.files[0]) == "a true prefix, and told"


@pytest.mark.parametrize("column", ["id", "system", "title"])
def test_a_list_of_fights_that_says_what_was_not_written_is_told_and_made_anew(tmp_path: Path, column: str) -> None:
    kept = small(tmp_path / "small", 8)
    rewrite(kept, f"UPDATE encounters SET {column} = {column} || '-2'")
    with pytest.warns(ck.DamagedJournal), ck.Encounter.open(kept.files[0]) as enc:
        assert {enc.id: lines(enc)} == kept.events


def test_numbers_of_every_size_and_long_words_are_recovered(tmp_path: Path) -> None:
    path = tmp_path / "friday.combat"
    with ck.Encounter("saga", id="saga-7", seed=7, journal=path) as enc:
        enc.add("Mara", side="rebels", hp=10)
        for by in (1, 200, 40_000, 10_000_000):
            enc.adjust("Mara", "hp", -by)
            enc.adjust("Mara", "hp", by)
        for letter in ("x", "é", "€", "\N{CROSSED SWORDS}", "\N{CAT FACE}"):
            enc.condition("Mara", "tired", note=letter * 2_000)
        sound = lines(enc)
        for _ in range(3):
            enc.condition("Mara", "awake")
        whole = len(enc._events)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(f"UPDATE events SET text = 'sleeps' WHERE at % 4294967296 = {len(sound) + 1}")
    db.close()
    written = bytearray(path.read_bytes())
    for start in range(0, len(written), PAGE):  # what would follow after the last page of a note is that page again
        if written[start : start + 4] == bytes(4) and "\N{CAT FACE}".encode() * 100 in written[start : start + PAGE]:
            written[start : start + 4] = (start // PAGE + 1).to_bytes(4, "big")
    path.write_bytes(written)
    told = rf"'saga-7' up to event {len(sound)} \(at least 3 calls are lost, up to event {whole} "
    with pytest.warns(ck.DamagedJournal, match=told) as warned, ck.Encounter.open(path) as enc:
        assert lines(enc) == sound
    assert warned[0].filename == __file__


def test_a_file_that_was_emptied_is_made_anew_from_what_lies_beside_it(tmp_path: Path) -> None:
    path = apart(tmp_path)
    with ck.Encounter("saga", id="saga-7", seed=7, journal=tmp_path / "played" / path.name) as enc:
        fight(enc, 3, set())
        whole = lines(enc)
        shutil.copy(tmp_path / "played" / "friday.combat-wal", path.parent)
    path.touch()
    with pytest.warns(ck.DamagedJournal, match="friday.combat is empty, and"), ck.Encounter.open(path) as enc:
        assert lines(enc) == whole


def test_a_last_call_that_was_damaged_is_told_of(tmp_path: Path) -> None:
    path = apart(tmp_path)
    with ck.Encounter("saga", id="saga-7", seed=7, journal=tmp_path / "played" / path.name) as enc:
        fight(enc, 3, set())
        sound = lines(enc)
        log = tmp_path / "played" / "friday.combat-wal"
        before = log.stat().st_size
        enc.condition("Mara", "awake")
        assert log.stat().st_size == before + 24 + PAGE, "it took one page"
        for file in (path.name, log.name):
            shutil.copy(tmp_path / "played" / file, path.parent)
    written = bytearray(path.with_name(log.name).read_bytes())
    written[-100] ^= 1
    path.with_name(log.name).write_bytes(written)
    with pytest.warns(ck.DamagedJournal, match="1 of its pages are lost"), ck.Encounter.open(path) as enc:
        assert lines(enc) == sound


@pytest.mark.parametrize("at", [0, 20])
def test_newest_calls_that_do_not_begin_as_they_were_written_are_told_of(tmp_path: Path, at: int) -> None:
    """A log whose head does not fit its checksum is as good as none to SQLite, which says nothing of it."""
    path = apart(tmp_path)
    with ck.Encounter("saga", id="saga-7", seed=7, journal=tmp_path / "played" / path.name) as enc:
        fight(enc, 3, set())
        for name in (path.name, "friday.combat-wal"):
            shutil.copy(tmp_path / "played" / name, path.parent)
    log = path.with_name("friday.combat-wal")
    written = bytearray(log.read_bytes())
    written[at] ^= 1
    log.write_bytes(written)
    with pytest.warns(ck.DamagedJournal, match="does not begin as it was written"), ck.Encounter.open(path):
        pass


def test_a_log_that_is_not_taken_in_at_once_is_looked_at_again(tmp_path: Path) -> None:
    """Somebody may be writing just now: what is there at the second look was never lost."""
    path = tmp_path / "friday.combat"
    answers = iter([(0, 0, 0), (0, 10_000, 10_000)])

    class Busy(sqlite3.Connection):
        def execute(self, *_: object) -> Any:
            return SimpleNamespace(fetchone=lambda: next(answers))

    with ck.Encounter("saga", id="saga-7", seed=7, journal=path) as enc:
        fight(enc, 1, set())
        damage.check_taken_in(path, Busy(":memory:"))
    assert next(answers, None) is None


def test_what_was_taken_in_of_a_log_that_began_anew_is_not_missed(tmp_path: Path) -> None:
    """A process may be killed as it begins its log anew: what stands behind the new head is in the file already."""
    path = apart(tmp_path)
    with ck.Encounter("saga", id="saga-7", seed=7, journal=tmp_path / "played" / path.name) as enc:
        fight(enc, 3, set())
        db = sqlite3.connect(tmp_path / "played" / path.name)
        db.execute("PRAGMA wal_checkpoint(FULL)")
        db.close()
        for name in (path.name, "friday.combat-wal"):
            shutil.copy(tmp_path / "played" / name, path.parent)
        whole = lines(enc)
    log = path.with_name("friday.combat-wal")
    written = bytearray(log.read_bytes())
    written[16:24] = bytes(8)
    written[24:32] = damage._sum(bytes(written[:24]), ">" if written[3] & 1 else "<")
    log.write_bytes(written)
    with ck.Encounter.open(path) as enc:
        assert lines(enc) == whole


def test_a_file_whose_newest_pages_lie_beside_it_since_somebody_reads_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "friday.combat"
    with ck.Encounter("saga", id="saga-7", seed=7, journal=path) as enc:
        enc.add("Mara", side="rebels")
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM events").fetchone()
        for _ in range(100):
            enc.condition("Mara", "tired", note="so tired " * 20)
        assert [entry.events for entry in ck.campaign(path)] == [len(enc._events)]
        assert path.stat().st_size < PAGE * 12, "the rest is beside it"
        reader.close()


def test_a_fight_of_which_nothing_is_left_is_named(tmp_path: Path) -> None:
    path = tmp_path / "friday.combat"
    for id in ("first", "second"):
        with ck.Encounter("saga", id=id, seed=7, journal=path) as enc:
            enc.add("Mara", side="rebels")
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("DELETE FROM events WHERE at > (SELECT max(at) FROM events) - 9")
    db.execute("VACUUM")
    db.close()
    said = r"'second' is listed, .*: 'first' up to event 2 [^;]*; nothing of 'second'\. The damaged file"
    with pytest.warns(ck.DamagedJournal, match=said):
        assert [entry.id for entry in ck.campaign(path)] == ["first"]


def test_a_row_of_any_length_is_made_out(tmp_path: Path) -> None:
    """How much of a long row lies beside it on other pages turns on its length."""
    path = tmp_path / "friday.combat"
    ck.Encounter("saga", seed=7, journal=path).close()
    texts = [letter * length for most, letter in ((PAGE, "a"), (2 * PAGE, "b")) for length in range(most - 120, most)]
    db = sqlite3.connect(path, isolation_level=None)
    db.executemany("INSERT INTO events (at, text) VALUES (?, ?)", enumerate(texts, 1 << 40))
    db.close()
    found = salvage(path).events
    assert [found[at][6] for at, _ in enumerate(texts, 1 << 40)] == texts


@pytest.mark.slow
@pytest.mark.parametrize("times", [6, pytest.param(50, marks=pytest.mark.long)])
@pytest.mark.parametrize("which", ["closed", "killed"])
def test_two_hundred_bytes_changed(
    which: str, times: int, request: pytest.FixtureRequest, folder: Path, record_property: Record
) -> None:
    kept: Kept = request.getfixturevalue(which)
    came = Counter[str]()
    for file in kept.files:
        for seed in range(times):

            def scramble(path: Path, seed: int = seed) -> None:
                rng = Random(seed)
                written = bytearray(path.read_bytes())
                for _ in range(200):
                    written[rng.randrange(len(written))] ^= rng.randrange(1, 256)
                path.write_bytes(written)

            how = opened(kept, copies(kept, folder / f"{file.suffix}-{seed}", scramble, file))
            assert how != "a true prefix", "nothing was said of what is missing"
            came[how] += 1
    tally(record_property, f"{which}, 200 bytes changed", came)
    assert came["a true prefix, and told"] > times // 10
