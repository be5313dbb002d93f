"""Journals that somebody hostile made: refused in words, at once, with nothing read of them, run or written."""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import combatkit as ck
from combatkit.journal.guard import PAGE
from tests.hostile import CALLS, Child, child

Record = Callable[[str, object], None]
Act = Callable[[Path], object]

OPEN = "ck.Encounter.open(path)"
USES = {
    "open": OPEN,
    "open with a check": "ck.Encounter.open(path, check=True)",
    "campaign": "ck.campaign(path)",
    "journal": "ck.Encounter('saga', id='mine', journal=path)",
}
ENDLESS = "WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more)"


@pytest.fixture(scope="module")
def opener() -> Iterator[Child]:
    with child() as made:
        yield made


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("played") / "friday.combat"
    with ck.Encounter("saga", id="friday", seed=7, journal=path) as enc:
        enc.add("Mara", side="rebels", hp=20)
        enc.add("Vex", side="empire", hp=20)
        enc.start(rolls={"Mara": 20, "Vex": 10})
        for _ in range(12):
            enc.end_turn()
    return path


@pytest.fixture
def path(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(played, tmp_path / "friday.combat"))


def sql(*statements: str) -> Act:
    """Change a file by plain SQL."""

    def run(path: Path) -> None:
        db = sqlite3.connect(path, isolation_level=None)
        for statement in statements:
            db.execute(statement)
        db.close()

    return run


def as_schema(old: str, new: str) -> Act:
    """Change what a file's schema says without SQLite's leave."""
    return sql(
        "PRAGMA writable_schema=ON",
        f"UPDATE sqlite_schema SET sql = replace(sql, '{old}', '{new}') WHERE sql LIKE '%{old}%'",
        "PRAGMA writable_schema=OFF",
    )


SCHEMAS: dict[str, tuple[Act, str]] = {
    "an endless trigger": (
        sql(f"CREATE TRIGGER grow AFTER INSERT ON events BEGIN INSERT INTO made {ENDLESS} SELECT n, n FROM more; END"),
        "the trigger 'grow', which none has",
    ),
    "a trigger that deletes": (
        sql("CREATE TRIGGER eat AFTER INSERT ON events BEGIN DELETE FROM events WHERE at < new.at; END"),
        "the trigger 'eat'",
    ),
    "a trigger that forges": (
        sql("CREATE TRIGGER forge AFTER INSERT ON events BEGIN UPDATE events SET amount = 99 WHERE at = new.at; END"),
        "the trigger 'forge'",
    ),
    "a trigger in place of a view's rows": (
        sql("CREATE TRIGGER log_in INSTEAD OF INSERT ON log BEGIN DELETE FROM events; END"),
        "the trigger 'log_in'",
    ),
    "events as an endless view": (
        sql(
            "DROP VIEW log", "DROP TABLE events", f"CREATE VIEW events AS {ENDLESS} SELECT n AS at, 1 AS size FROM more"
        ),
        "its view 'events' is not as combatkit makes it",
    ),
    "encounters as an endless view": (
        sql(
            "DROP VIEW log",
            "DROP TABLE encounters",
            f"CREATE VIEW encounters AS {ENDLESS} SELECT n AS number FROM more",
        ),
        "its view 'encounters'",
    ),
    "made as an endless view": (
        sql("DROP TABLE made", f"CREATE VIEW made AS {ENDLESS} SELECT n AS version, n AS form FROM more"),
        "its view 'made'",
    ),
    "made as an endless view, of a newer format": (
        sql("DROP TABLE made", f"CREATE VIEW made AS {ENDLESS} SELECT n AS version FROM more", "PRAGMA user_version=9"),
        "of format 9",
    ),
    "one table more": (sql("CREATE TABLE extra (x)"), "the table 'extra', which none has"),
    "one index more": (sql("CREATE INDEX quick ON events (kind)"), "the index 'quick'"),
    "one column more": (sql("ALTER TABLE events ADD COLUMN extra"), "its table 'events' is not as"),
    "a column that is reckoned": (
        sql("ALTER TABLE events ADD COLUMN extra AS (hex(zeroblob(1000000000)))"),
        "its table 'events' is not as",
    ),
    "a column with a default that runs": (
        as_schema("taken INTEGER NOT NULL DEFAULT 0", "taken INTEGER NOT NULL DEFAULT (load_extension(''x''))"),
        "its table 'encounters' is not as",
    ),
    "a condition on a column": (as_schema("tip INTEGER", "tip INTEGER CHECK (randomblob(99))"), "its table 'events'"),
    "one table less": (sql("DROP VIEW log", "DROP TABLE states"), "it lacks 'log'"),
    "statistics": (sql("ANALYZE"), "the table 'sqlite_stat1'"),
    "a hundred thousand triggers": (
        sql(
            "PRAGMA writable_schema=ON",
            f"INSERT INTO sqlite_schema {ENDLESS} SELECT 'trigger', 't' || n, 'events', 0, "
            "'CREATE TRIGGER t' || n || ' AFTER INSERT ON events BEGIN SELECT 1; END' FROM more LIMIT 100000",
        ),
        "far too long",
    ),
    "a table whose SQL is long": (
        sql(f"CREATE TABLE extra ({', '.join(f'column_number_{n}' for n in range(1900))})"),
        "the table 'extra'",
    ),
}
"""What a stranger's schema may say, and the words it is refused with."""


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("what", SCHEMAS)
def test_a_schema_that_is_not_to_the_letter_is_refused(opener: Child, path: Path, what: str, use: str) -> None:
    change, words = SCHEMAS[what]
    change(path)
    assert words in opener.refused(USES[use], path)


def test_a_journal_of_the_first_release_is_known(path: Path) -> None:
    """The schema of 0.1.0, written out: a later one is reached by migrations, and this one stays readable."""
    db = sqlite3.connect(path)
    found = {name: " ".join((made or "").split()) for name, made in db.execute("SELECT name, sql FROM sqlite_schema")}
    db.close()
    assert found["made"] == "CREATE TABLE made (version TEXT NOT NULL, form INTEGER NOT NULL)"
    assert found["states"] == "CREATE TABLE states (at INTEGER PRIMARY KEY, state BLOB NOT NULL, mark BLOB NOT NULL)"
    with ck.Encounter.open(path) as enc:
        assert enc.id == "friday"


def test_a_schema_with_a_damaged_letter_is_recovered_from_without_being_read(path: Path) -> None:
    with ck.Encounter.open(path) as enc:
        digest = enc.digest
    as_schema("kind TEXT", "kind TExT")(path)
    with pytest.warns(ck.DamagedJournal, match="what says which tables it has is not what was written"):
        again = ck.Encounter.open(path)
    assert again.digest == digest
    again.close()


# ── what stands beside it ──


def beside(ending: str, make: Act) -> Act:
    return lambda path: make(path.with_name(f"friday.combat-{ending}"))


def to_somebodys(file: Path) -> None:
    file.with_name("diary.txt").write_text("dear diary")
    file.symlink_to(file.with_name("diary.txt"))


def naming_another(file: Path) -> None:
    """Make a rollback journal that names somebody's file: SQLite takes such a one away when it has rolled back."""
    diary = file.with_name("diary.txt")
    diary.write_text("dear diary")
    name = str(diary).encode()
    magic = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
    tail = struct.pack(">I", 1) + name + struct.pack(">II", len(name), sum(name)) + magic
    file.write_bytes((magic + struct.pack(">IIIII", 0, 0, 6, 512, PAGE)).ljust(512, b"\0") + tail)


def a_huge_one(file: Path) -> None:
    with file.open("wb") as made:
        made.truncate(1 << 40)


BESIDE: dict[str, tuple[Act, str]] = {
    **{f"a {ending} that is a link": (beside(ending, to_somebodys), "a link") for ending in ("wal", "shm", "journal")},
    **{f"a {ending} that is a pipe": (beside(ending, os.mkfifo), "a pipe") for ending in ("wal", "shm", "journal")},
    **{f"a {ending} that is a folder": (beside(ending, Path.mkdir), "a folder") for ending in ("wal", "shm")},
    "a wal without an end": (beside("wal", a_huge_one), "no journal has over"),
    "a shm without an end": (beside("shm", a_huge_one), "no journal has over"),
    "a rollback that names a file": (beside("journal", naming_another), "names another file"),
    "a file without an end": (a_huge_one, "no journal has over"),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("what", BESIDE)
def test_what_stands_beside_a_journal_is_plain_files(opener: Child, path: Path, what: str, use: str) -> None:
    make, words = BESIDE[what]
    make(path)
    assert words in opener.refused(USES[use], path)


CLAIMS: dict[str, tuple[Act, str]] = {
    "a link": (beside("writer-1", to_somebodys), "is a link"),
    "a link to nothing": (beside("writer-1", lambda file: file.symlink_to("nothing")), "is a link"),
    "a pipe": (beside("writer-1", os.mkfifo), "is a pipe"),
    "a folder": (beside("writer-1", Path.mkdir), "is a folder"),
    "a text": (beside("writer-1", lambda file: file.write_text("mine" * 100)), "is a file of 400 bytes"),
    "a database": (beside("writer-1", sql("CREATE TABLE x (y)")), "is a file of 8192 bytes"),
}


@pytest.mark.parametrize("what", CLAIMS)
@pytest.mark.parametrize("use", [f"{OPEN}.end_turn()", USES["campaign"]])
def test_a_claim_is_an_empty_file(opener: Child, path: Path, what: str, use: str) -> None:
    make, words = CLAIMS[what]
    make(path)
    assert words in opener.refused(use, path, writes=use != USES["campaign"])
    diary = path.with_name("diary.txt")
    assert not diary.exists() or diary.read_text() == "dear diary"


# ── what its pages and rows hold ──


@pytest.mark.parametrize("column", ["data", "note", "actor"])
def test_a_row_of_many_bytes_is_refused(opener: Child, path: Path, column: str) -> None:
    """What is too long for any row counts as damage: the file is put aside, and what is before it recovered."""
    sql(f"UPDATE events SET {column} = zeroblob(100000000) WHERE at = (SELECT max(at) FROM events)")(path)
    outcome = opener.run(OPEN, path)
    assert outcome.error == "", outcome
    assert outcome.calls < CALLS, outcome
    assert path.with_name("friday.combat.damaged-1").exists()


def in_circles(path: Path, table: str, leaf: bytes) -> None:
    """Let a table's pages lead to one another so often that no machine comes to their end."""
    db = sqlite3.connect(path)
    root = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0]
    db.close()
    written = bytearray(path.read_bytes())
    count = len(written) // PAGE
    levels = range(count + 1, count + 16)
    for level in [root, *levels[:-1]]:
        below = levels[0] if level == root else level + 1
        cells = 300
        page = bytearray(PAGE)
        page[:8] = struct.pack(">BHHHB", 5, 0, cells, PAGE - cells * 6, 0)
        page[8:12] = struct.pack(">I", below)
        for n in range(cells):
            at = PAGE - (n + 1) * 6
            page[12 + 2 * n : 14 + 2 * n] = struct.pack(">H", at)
            page[at : at + 6] = struct.pack(">I", below) + bytes([0x80 + 64, 5])
        if level == root:
            written[(root - 1) * PAGE : root * PAGE] = page
        else:
            written += page
    written += leaf
    struct.pack_into(">I", written, 28, len(written) // PAGE)
    path.write_bytes(written)


def leaf_of(cell: bytes, cells: int) -> bytes:
    page = bytearray(PAGE)
    page[:8] = struct.pack(">BHHHB", 13, 0, cells, PAGE - len(cell), 0)
    page[PAGE - len(cell) :] = cell
    for n in range(cells):
        page[8 + 2 * n : 10 + 2 * n] = struct.pack(">H", PAGE - len(cell))
    return bytes(page)


def cell_of(key: int, types: list[int], rest: bytes) -> bytes:
    def varint(value: int) -> bytes:
        out = [value & 0x7F]
        while value := value >> 7:
            out.append(value & 0x7F | 0x80)
        return bytes(reversed(out))

    header = bytes([len(types) + 1, *types])
    return varint(len(header) + len(rest)) + varint(key) + header + rest


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("table", ["events", "encounters", "made", "states"])
def test_pages_that_lead_in_circles_come_to_an_end(opener: Child, path: Path, table: str, use: str) -> None:
    columns = {"events": 18, "encounters": 11, "made": 2, "states": 3}[table]
    in_circles(path, table, leaf_of(cell_of((1 << 32) + 3, [0] * columns, b""), 200))
    outcome = opener.run(USES[use], path)
    assert outcome.error in ("", "JournalError", "UnknownName"), outcome
    assert outcome.calls < CALLS, outcome


def test_a_clock_that_goes_back_disturbs_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ck.Encounter.open(path) as enc:
        monkeypatch.setattr(time, "time", lambda: 0.0)
        enc.end_turn()
        digest = enc.digest
    os.utime(path, (0, 0))
    with ck.Encounter.open(path) as again:
        assert again.digest == digest


READ_ONLY = """
import os, pathlib
if not os.getuid():
    os.setuid(65534)
enc = ck.Encounter.open(path)
enc.end_turn()
"""


def test_a_folder_that_cannot_be_written_is_said(opener: Child, path: Path) -> None:
    for part in (path.parent, *path.parent.parents[:3]):  # a worker's folder lies one deeper
        part.chmod(0o755)
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        assert "must be yours to write" in opener.refused(READ_ONLY, path)
    finally:
        path.parent.chmod(0o755)
