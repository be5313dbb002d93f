"""Frames written to files, and archives of many fights: what goes in comes out, one fight without the others."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from weakref import ref
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import combatkit as ck
from combatkit.history import SCHEMAS, parquet
from tests.conformance.player import play

FRAMES = tuple(SCHEMAS)
SYSTEMS = ("saga", "d6", "ap", "segments", "phases")


def fights() -> list[ck.Encounter]:
    """One of each system, played at random, with a note that a format might stumble over."""
    played = [play(system, seed, 60) for seed, system in enumerate(SYSTEMS)]
    enc = ck.Encounter("saga", seed=99, id='a "quoted"; id')
    enc.add("Zoë, the\nsecond", side="x")
    enc.start()
    enc.do("Zoë, the\nsecond", "move", note='"up"; \\ the [ladder], -- \u2028 😀')
    return [*played, enc]


# ── files ──


def as_read(name: str, path: Path) -> pl.DataFrame:
    """Read a file as the documentation says."""
    schema = SCHEMAS[name]
    match path.suffix:
        case ".parquet":
            return pl.read_parquet(path)
        case ".json":
            words = {column: pl.String() if isinstance(dtype, pl.Enum) else dtype for column, dtype in schema.items()}
            return pl.read_json(path, schema=words).cast(schema)
    lists = {column: dtype for column, dtype in schema.items() if isinstance(dtype, pl.List)}
    flat = {column: pl.String() if column in lists else dtype for column, dtype in schema.items()}
    frame = pl.read_csv(path, schema=flat)
    return frame.with_columns(pl.col(column).str.json_decode(dtype) for column, dtype in lists.items())


@pytest.mark.parametrize("format", ["parquet", "csv", "json"])
def test_frames_written_are_read_back_the_same(tmp_path: Path, format: str) -> None:
    for number, enc in enumerate(fights()):
        folder = tmp_path / "deep" / str(number)
        assert enc.history.write(folder, format) == folder
        assert sorted(path.name for path in folder.iterdir()) == sorted(f"{name}.{format}" for name in FRAMES)
        for name in FRAMES:
            frame = getattr(enc.history, name)
            assert_frame_equal(as_read(name, folder / f"{name}.{format}"), frame)


def test_a_stack_is_written_too_and_written_again_over_itself(tmp_path: Path) -> None:
    one, two = ck.Encounter("saga", id="saga-1", seed=1), ck.Encounter("d6", id="d6-2", seed=2)
    ck.history.stack([one]).write(tmp_path)
    ck.history.stack([one, two]).write(tmp_path)
    assert pl.read_parquet(tmp_path / "events.parquet")["encounter"].to_list() == ["saga-1", "d6-2"]


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    history = ck.Encounter("saga", id="saga-1", seed=1).history
    with pytest.raises(ck.InvalidInput, match="format is 'ods'; give one of parquet, csv, xlsx, json"):
        history.write(tmp_path, "ods")
    (tmp_path / "file").write_text("")
    with pytest.raises(ck.InvalidInput, match="cannot be written to"):
        history.write(tmp_path / "file")


# ── archives ──


def test_an_archive_gives_all_five_frames_of_every_fight_with_their_types(tmp_path: Path) -> None:
    played = fights()
    archive = ck.history.scan(ck.history.archive(tmp_path / "a", played))
    assert set(archive.encounters) == {enc.id for enc in played}
    for name in FRAMES:
        lazy = getattr(archive, name)
        assert isinstance(lazy, pl.LazyFrame)
        assert lazy.collect_schema() == SCHEMAS[name]
        for enc in played:
            found = lazy.filter(pl.col("encounter") == enc.id).collect()
            assert_frame_equal(found, getattr(enc.history, name))
    assert archive.events.select("kind").collect().schema["kind"] == pl.Enum(ck.EVENT_KINDS)


def test_an_archive_grows_and_refuses_a_fight_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "campaign"
    ck.history.archive(path, [ck.Encounter("saga", id="saga-1", seed=1)])
    before = ck.history.scan(path)
    ck.history.archive(str(path), [ck.Encounter("saga", id="saga-2", seed=2), ck.Encounter("d6", id="d6-3", seed=3)])
    assert before.encounters == ("saga-1",)
    assert ck.history.scan(path).encounters == ("saga-1", "d6-3", "saga-2")
    for more in (
        [ck.Encounter("saga", seed=4), ck.Encounter("saga", id="saga-1", seed=1)],
        [ck.Encounter("saga", id="saga-5")] * 2,
    ):
        with pytest.raises(
            ck.InvalidInput, match=r"'saga-.' is in the archive 'campaign' already; give this one an id"
        ):
            ck.history.archive(path, more)
    assert ck.history.scan(path).encounters == ("saga-1", "d6-3", "saga-2")
    assert sorted(entry.name for entry in path.iterdir()) == ["part-0001", "part-0002"]


def test_fights_are_taken_one_at_a_time_and_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "_PART_EVENTS", 3)
    seen: list[Any] = []
    alive = []

    def played() -> Iterator[ck.Encounter]:
        for seed in range(8):
            enc = ck.Encounter("saga", id=f"saga-{seed}", seed=seed)
            seen.append(ref(enc))
            yield enc
            del enc
            gc.collect()
            alive.append(sum(each() is not None for each in seen))

    archive = ck.history.scan(ck.history.archive(tmp_path / "a", played()))
    assert max(alive) <= 2
    assert archive.encounters == tuple(f"saga-{seed}" for seed in range(8))
    assert sorted(entry.name for entry in (tmp_path / "a").iterdir()) == ["part-0001", "part-0002", "part-0003"]


def test_what_fails_on_the_way_leaves_no_trace(tmp_path: Path) -> None:
    def breaks() -> Iterator[ck.Encounter]:
        yield ck.Encounter("saga", id="saga-1", seed=1)
        raise RuntimeError("the power went")

    with pytest.raises(RuntimeError, match="the power went"):
        ck.history.archive(tmp_path / "a", breaks())
    assert list(tmp_path.iterdir()) == []


def test_an_archive_of_nothing_has_the_columns_all_the_same(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "campaign"):
        archive = ck.history.scan(ck.history.archive(path, []))
        for name in FRAMES:
            assert getattr(archive, name).collect().equals(SCHEMAS[name].to_frame())
        assert archive.encounters == ()
        assert repr(archive) == f"<Archive {path.name}: events, rolls, turns, rounds, budgets>"
        assert not list(path.iterdir())


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ck.InvalidInput, match=r"there is no archive .*; archive\(path, encounters\) makes one"):
        ck.history.scan(tmp_path / "none")
    (tmp_path / "notes.txt").write_text("mine")
    enc = ck.Encounter("saga", id="saga-1", seed=1)
    with pytest.raises(ck.InvalidInput, match=r"holds 'notes\.txt' and is not an archive; give a folder of its own"):
        ck.history.archive(tmp_path, [enc])
    assert [entry.name for entry in tmp_path.iterdir()] == ["notes.txt"]
    for wrong, message in (
        (enc, "encounters is <Encounter saga-1"),
        ([3], "3 is not an encounter"),
        (3, "encounters is 3"),
    ):
        with pytest.raises(ck.InvalidInput, match=message):
            ck.history.archive(tmp_path / "a", wrong)  # type: ignore[arg-type]
    assert not (tmp_path / "a").exists()


def test_a_damaged_part_or_one_of_another_version_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = ck.history.archive(tmp_path / "a", [ck.Encounter("saga", id="saga-1", seed=1)])
    file = path / "part-0001" / "rolls.parquet"
    whole = file.read_bytes()
    file.write_bytes(whole[:100])
    with pytest.raises(ck.InvalidInput, match=r"a/part-0001/rolls\.parquet cannot be read: "):
        ck.history.scan(path)
    file.write_bytes(whole)
    assert ck.history.scan(path).encounters == ("saga-1",)
    monkeypatch.setattr(parquet, "FORMAT", "0")
    with pytest.raises(ck.InvalidInput, match=r"was written by another combatkit \(format 2\): read it with that one"):
        ck.history.scan(path)


def test_one_fight_is_read_without_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "_GROUP", 50)
    played = [play("saga", seed, 40) for seed in range(6)]
    archive = ck.history.scan(ck.history.archive(tmp_path / "a", played))
    file = next((tmp_path / "a").glob("*/events.parquet"))
    spoilt = bytearray(file.read_bytes())
    spoilt[4:200] = bytes(196)  # the first row group, where the first fight lies
    file.write_bytes(spoilt)
    last = max(enc.id for enc in played)
    assert archive.events.filter(pl.col("encounter") == last).collect().height > 0
    with pytest.raises(pl.exceptions.PolarsError):
        archive.events.collect()


def test_a_part_of_other_columns_or_of_too_many_rows_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ck.history.archive(tmp_path / "a", [play("saga", 1, 20)])
    file = path / "part-0001" / "events.parquet"
    whole, of_ours = file.read_bytes(), pl.read_parquet_metadata(file)
    pl.DataFrame({"encounter": ["a"]}).write_parquet(file, metadata={"combatkit": of_ours["combatkit"]})
    with pytest.raises(
        ck.InvalidInput, match=r"a/part-0001/events\.parquet doesn't have the columns of the frame events"
    ):
        ck.history.scan(path)
    file.write_bytes(whole)
    assert ck.history.scan(path).encounters
    monkeypatch.setattr(parquet, "_ROWS", 10)
    with pytest.raises(ck.InvalidInput, match=r"events\.parquet holds \d+ rows, and no part of an archive has over 10"):
        ck.history.scan(path)


# ── for spreadsheets ──


def test_flat_frames_have_no_lists() -> None:
    enc = play("saga", 1, 40)
    for name in FRAMES:
        frame, whole = getattr(enc.history.flat, name), getattr(enc.history, name)
        assert not [kind for kind in frame.schema.values() if isinstance(kind, (pl.List, pl.Enum))]
        assert (frame.columns, frame.height) == (whole.columns, whole.height)
        assert frame.write_csv()
    joined = [", ".join(map(str, faces)) for faces in enc.history.rolls["faces"]]
    assert enc.history.flat.rolls["faces"].to_list() == joined


def test_csv_begins_with_a_mark_that_spreadsheets_look_for(tmp_path: Path) -> None:
    fights()[-1].history.write(tmp_path, "csv")
    assert (tmp_path / "events.csv").read_bytes().startswith("\ufeffencounter,".encode())


def test_a_workbook_holds_what_the_flat_frame_holds(tmp_path: Path) -> None:
    enc = fights()[-1]
    enc.history.write(tmp_path, "xlsx")
    main = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    for name in FRAMES:
        with ZipFile(tmp_path / f"{name}.xlsx") as book:
            sheet = ET.fromstring(book.read("xl/worksheets/sheet1.xml"))
        rows = [
            [c.findtext(f"{main}v") or c.findtext(f"{main}is/{main}t") for c in row] for row in sheet.iter(f"{main}row")
        ]
        frame = getattr(enc.history.flat, name)
        told = [["" if v is None else str(int(v) if isinstance(v, bool) else v) for v in row] for row in frame.rows()]
        assert [[cell or "" for cell in row] for row in rows] == [frame.columns, *told]
