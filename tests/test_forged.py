"""What somebody forged who knows how checksums are reckoned is refused, or can be shown, all of it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import combatkit as ck
from combatkit.core.payloads import check_events
from combatkit.journal import store
from combatkit.journal.rows import ROOT, mark_of, mark_state, write_state
from tests import forging, soaking
from tests.conformance.corpus import by_system, corpus, sizes
from tests.conformance.player import play
from tests.hostile import Child, child

Act = Callable[[Path], object]
Record = Callable[[str, object], None]
FORGED, STATES = (40, 400), (10, 30)
"""So many copies and kept states a system are forged in `make test`, and in `make test-all` and a soak."""
USES = ("ck.Encounter.open(path)", "ck.Encounter.open(path, check=True)", "ck.campaign(path)")


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


@sizes
@by_system
def test_what_a_fight_logs_is_what_its_kinds_hold(system: str, fights: int) -> None:
    logs = [list(fight._events) for fight in corpus(system, fights)]
    assert len({event.kind for events in logs for event in events}) > 12
    for events in logs:
        check_events(events)


@pytest.mark.slow
@pytest.mark.parametrize("least", [FORGED[0], pytest.param(FORGED[1], marks=(pytest.mark.long, pytest.mark.soak))])
@by_system
def test_a_copy_is_refused_or_can_be_shown(system: str, least: int, tmp_path: Path, record_property: Record) -> None:
    good = [tmp_path / f"{length}.fight" for length in (45, 70, 95)]
    for fight, file in zip(corpus(system, len(good)), good, strict=True):
        fight.branch(min(int(file.stem), len(fight._events))).save(file)
        forging.show(ck.load(file))
    refused = shown = 0
    for seed in soaking.rounds(least, 0.01):
        rng = Random(f"{system} {seed}")
        heading, steps = forging.read(good[seed % len(good)])
        forging.changed(rng, heading, steps)
        forging.write(file := tmp_path / "forged.fight", heading, steps)
        try:
            enc = ck.load(file)
        except ck.JournalError:
            refused += 1
        else:
            forging.show(enc)
            shown += 1
    record_property("told", f"forged copies: {system}: {refused + shown:,} ({refused} refused, {shown} shown)")
    assert shown > (refused + shown) // 20
    assert refused > (refused + shown) // 4


@sizes
@by_system
def test_what_was_played_is_taken_in(system: str, fights: int, tmp_path: Path) -> None:
    for enc in corpus(system, fights):
        enc.save(tmp_path / "true.fight")
        assert ck.load(tmp_path / "true.fight").digest == enc.digest


def forged(change: Callable[[list[list[object]]], None]) -> Act:
    """Change the rows of the events, and reckon the checksums anew, as somebody who knows how can."""

    def run(path: Path) -> None:
        db = sqlite3.connect(path, isolation_level=None)
        columns = "size, parent, depth, tip, title, at, round, kind, actor, action, target, amount, text, note, rules"
        columns += ', "by", data'
        rows = [list(row) for row in db.execute(f"SELECT {columns} FROM events ORDER BY at")]
        change(rows)
        db.execute("DELETE FROM events")
        db.execute("DELETE FROM states")
        mark = ROOT
        starts = [n for n, row in enumerate(rows) if row[0] is not None] + [len(rows)]
        for start, end in pairwise(starts):
            flat = [value for row in rows[start:end] for value in (*row[:5], row[5] & 0xFFFFFFFF, *row[6:])]
            mark = mark_of(mark, flat)
            for number, row in enumerate(rows[start:end]):
                marks = ", ".join("?" * 18)
                db.execute(f"INSERT INTO events ({columns}, mark) VALUES ({marks})", [*row, None if number else mark])
        db.close()

    return run


def one(place: int, value: object, row: int = -1) -> Act:
    def change(rows: list[list[object]]) -> None:
        rows[row][place] = value

    return forged(change)


def elsewhere(rows: list[list[object]]) -> None:
    """Have the first roll come from neither the seed nor the table."""
    row = next(row for row in rows if row[7] == "roll")
    row[16] = json.dumps({**json.loads(str(row[16])), "source": "a" * 9_000})


ROWS: dict[str, Act] = {
    "dice from nowhere": forged(elsewhere),
    "deep JSON": one(16, "[" * 500_000 + "]" * 500_000),
    "data that is no mapping": one(16, "[1]"),
    "data that is no JSON": one(16, "{"),
    "rules that are none": one(14, "{}"),
    "a kind that is none": one(7, "dance"),
    "an actor that is bytes": one(8, b"Mara"),
    "a round that is text": one(6, "first"),
    "an amount without end": one(11, 1.5),
    "a call that follows itself": one(1, 1, 0),
    "a depth below nothing": one(2, -5, 0),
    "a call that is none": one(2, None, 0),
    "a redo to nowhere": one(3, 1 << 40, 0),
    "a title that is bytes": one(4, b"x", 0),
}
"""What rows may hold whose checksums are right."""


@pytest.mark.parametrize("what", ROWS)
def test_rows_that_no_fight_makes_are_refused(opener: Child, path: Path, what: str) -> None:
    ROWS[what](path)
    for use in USES:
        opener.refused(use, path)


MOVES: dict[str, tuple[int, object]] = {
    "from before all events": (1, 0),
    "from itself": (1, 12),
    "from what is to come": (1, 13),
    "that leads back to before all events": (3, 0),
    "that leads back to itself": (3, 12),
    "that leads back to what is to come": (3, 13),
    "of an action": (7, "action"),
}
"""What the row of a move of the present, the twelfth, may hold that no move does: where, and what."""


@pytest.mark.parametrize("what", MOVES)
def test_a_move_of_the_present_leads_to_what_was_before(path: Path, what: str) -> None:
    moved = path.with_name("moved.combat")
    with ck.Encounter("saga", seed=7, journal=moved) as enc:
        enc.add("Mara", side="rebels")
        enc.start()
        enc.do("Mara", "move")
        assert [event.seq for event in enc.undo()] == [12]
        enc.do("Mara", "speak")
    place, value = MOVES[what]
    forged(lambda rows: rows[11].__setitem__(place, value))(moved)
    with pytest.raises(ck.JournalError, match="were not made by combatkit: event 12 does not follow"):
        ck.Encounter.open(moved)


# ── kept states ──


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Give what gives a journal of a system's in which every 32nd call kept its state, as only long logs do."""
    folder = tmp_path_factory.mktemp("kept")

    def made(system: str) -> Path:
        path = folder / f"{system}.combat"
        if not path.exists():
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(store, "SHORT", 0)
                patch.setattr(ck, "Encounter", partial(ck.Encounter, journal=path))
                enc = play(system, 3, 110)
            enc.close()
        return path

    return made


def forge(path: Path, change: Callable[[Any], object]) -> None:
    """Change the newest kept state, and reckon its checksum anew."""
    db = sqlite3.connect(path, isolation_level=None)
    read = "SELECT at, state, events.mark FROM states JOIN events USING (at) ORDER BY at DESC LIMIT 1"
    at, written, mark = db.execute(read).fetchone()
    state = msgspec.msgpack.decode(written)
    change(state)
    written = msgspec.msgpack.encode(state)
    db.execute("UPDATE states SET state = ?, mark = ? WHERE at = ?", (written, mark_state(mark, written), at))
    db.close()


def anywhere(rng: Random) -> Callable[[Any], None]:
    """Give what changes one thing in a state; its parts are as likely to be hit as what a fighter holds."""

    def change(state: dict[str, Any]) -> None:
        holder, key = rng.choice([*forging.places(state, 1), *forging.places(state, 8)])
        if rng.randrange(6):
            holder[key] = rng.choice([wrong for wrong in forging.WRONG if wrong != 2**70])  # which cannot be packed
        else:
            del holder[key]

    return change


@pytest.mark.slow
@pytest.mark.parametrize("least", [STATES[0], pytest.param(STATES[1], marks=(pytest.mark.long, pytest.mark.soak))])
@by_system
def test_a_forged_state_is_refused_or_can_be_played_on(
    system: str,
    least: int,
    kept: Callable[[str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Record,
) -> None:
    monkeypatch.setattr(store, "SHORT", 0)
    with ck.Encounter.open(kept(system)) as enc:
        true = write_state(enc._state)
    folded = shown = 0
    for seed in soaking.rounds(least, 0.01):
        rng = Random(f"{system} {seed}")
        path = Path(shutil.copy(kept(system), tmp_path / "forged.combat"))
        forge(path, anywhere(rng))
        with ck.Encounter.open(path) as enc:
            if write_state(enc._state) == true:
                folded += 1
                continue
            shown += 1
            forging.look(enc)
            forging.play_on(enc, rng)
    record_property("told", f"forged states: {system}: {folded + shown:,} ({folded} folded anew, {shown} shown)")
    assert folded > least // 2


@by_system
def test_in_a_short_log_nothing_kept_is_trusted(system: str, kept: Callable[[str], Path], tmp_path: Path) -> None:
    path = Path(shutil.copy(kept(system), tmp_path / "forged.combat"))
    forge(path, lambda state: state.update(stage="over", fighters={}, agenda=[], focus=[]))
    with ck.Encounter.open(kept(system)) as enc:
        true = enc.digest, write_state(enc._state)
    with ck.Encounter.open(path) as enc:
        assert (enc.digest, write_state(enc._state)) == true


UNSOUND: dict[str, Callable[[Any], object]] = {
    "two places of one number": lambda state: state["agenda"][-1].update(id=state["agenda"][2]["id"]),
    "a place that is still to be given": lambda state: state["agenda"][-1].update(id=state["places"] + 9),
    "no turn where one ends": lambda state: state.update(focus=[]),
}


@pytest.mark.parametrize("what", UNSOUND)
def test_a_state_that_no_fight_comes_to_is_not_trusted(
    what: str, kept: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "SHORT", 0)
    with ck.Encounter.open(kept("saga")) as enc:
        true = write_state(enc._state)
    path = Path(shutil.copy(kept("saga"), tmp_path / "forged.combat"))
    forge(path, UNSOUND[what])
    with ck.Encounter.open(path) as enc:
        assert write_state(enc._state) == true


def test_a_checked_opening_holds_states_against_their_events(
    kept: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "SHORT", 0)
    path = Path(shutil.copy(kept("saga"), tmp_path / "forged.combat"))
    with ck.Encounter.open(path, check=True) as enc:
        true = write_state(enc._state)
    forge(path, lambda state: state["fighters"]["Ada"].update(side="theirs"))
    with ck.Encounter.open(path) as enc:
        assert enc["Ada"].side == "theirs"
    with pytest.warns(ck.DamagedJournal, match="state kept with event"), ck.Encounter.open(path, check=True) as enc:
        assert write_state(enc._state) == true


def to_nobody(rows: list[list[object]]) -> None:
    """Have the first turn be nobody's."""
    next(row for row in rows if row[7] == "turn")[8] = None


def test_events_that_cannot_be_folded_are_refused(opener: Child, path: Path) -> None:
    forged(to_nobody)(path)
    for use in USES:
        opener.refused(use, path)
