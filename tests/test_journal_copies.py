"""A saved copy: one text file with the whole timeline, which is read back exactly or refused with the line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.journal.rows import ROOT
from tests.conformance.player import play

SYSTEMS = [ruleset.id for ruleset in ck.rulesets()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ambush.fight"


def fight() -> ck.Encounter:
    enc = ck.Encounter("saga", id="saga-7", seed=7)
    enc.add("Mara", side="rebels", hp=20)
    enc.add("Vex", side="empire", hp=20)
    enc.start(rolls={"Mara": 20, "Vex": 10})
    enc.do("Mara", "move", note="behind the crates")
    enc.end_turn()
    enc.undo()
    return enc


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_copy_is_the_same_with_its_undone_calls(system: str, path: Path) -> None:
    enc = play(system, 4, 120)
    enc.save(path)
    again = ck.load(path)
    assert (again.id, again.digest) == (enc.id, enc.digest)
    assert (again.can_undo, again.can_redo) == (enc.can_undo, enc.can_redo)
    for seq in range(1, len(enc._events) + 1, 11):
        assert again.at(seq).digest == enc.at(seq).digest
    while enc.can_redo:
        assert [e.data for e in enc.redo()] == [e.data for e in again.redo()]
    while enc.can_undo:
        enc.undo()
        again.undo()
    assert again.digest == enc.digest


def test_a_copy_of_a_journalled_fight_is_the_same_and_has_no_journal(path: Path) -> None:
    journal = path.with_name("friday.combat")
    with ck.Encounter("saga", id="saga-7", seed=7, journal=journal, batch=True) as enc:
        enc.add("Mara", side="rebels")
        enc.start()
    with ck.Encounter.open(journal, batch=True) as enc:
        enc.do("Mara", "move")
        branch = enc.branch(2)
        enc.save(path)
        branch.save(path.with_name("branch.fight"))
        branch.close()
        copy = ck.load(path)
        assert copy.digest == enc.digest
        copy.end_turn()
    assert ck.load(path.with_name("branch.fight")).parent == ("saga-7", 2)


def test_a_copy_is_replaced_whole_and_nothing_else_is(path: Path) -> None:
    enc = fight()
    enc.save(path)
    enc.redo()
    enc.save(path)
    assert ck.load(path).digest == enc.digest
    assert list(path.parent.iterdir()) == [path]
    other = path.with_name("shopping.txt")
    other.write_text("milk")
    with pytest.raises(ck.JournalError, match="not a saved copy: name another file"):
        enc.save(other)
    assert other.read_text() == "milk"
    with pytest.raises(ck.JournalError, match="cannot be written"):
        enc.save(path / "deeper" / "x")


def lines_of(path: Path) -> list[str]:
    return path.read_text().splitlines()


DAMAGES: list[tuple[Callable[[list[str]], list[str]], str]] = [
    (lambda lines: lines[:-1], r"line 8: it ends here, but 7 lines should follow line 1"),
    (lambda lines: [*lines[:3], lines[3].replace("Vex", "Rex"), *lines[4:]], r"line 4 is not what was saved"),
    (lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]], r"line 3 is not what was saved"),
    (lambda lines: [*lines[:4], lines[4][:50], *lines[5:]], r"line 5: Input data was truncated"),
    (
        lambda lines: [*lines[:4], lines[4].replace('"events":[', '"events":7,"x":['), *lines[5:]],
        r"line 5: Expected `array`",
    ),
    (lambda lines: ["{}", *lines[1:]], r"line 1: this is not a saved copy"),
    (lambda lines: [lines[0].replace('"form":1', '"form":8'), *lines[1:]], r"of format 8, .* install combatkit"),
    (
        lambda lines: [lines[0].replace('"saga"', '"sage"'), *lines[1:]],
        r"'sage', which is not known here: .*add_ruleset",
    ),
]


@pytest.mark.parametrize(("damage", "said"), DAMAGES)
def test_what_is_not_what_was_saved_is_refused_with_its_line(
    damage: Callable[[list[str]], list[str]], said: str, path: Path
) -> None:
    fight().save(path)
    assert len(lines_of(path)) == 8
    path.write_text("\n".join(damage(lines_of(path))) + "\n")
    with pytest.raises(ck.JournalError, match=said) as caught:
        ck.load(path)
    assert "ambush.fight" in str(caught.value)


def test_a_byte_that_is_no_text_is_refused_wherever_it_stands(path: Path) -> None:
    fight().save(path)
    sound = path.read_bytes()
    changed = bytearray(sound)
    for at in range(len(sound)):
        changed[at] = 0xFF
        path.write_bytes(changed)
        with pytest.raises(ck.JournalError, match=r"ambush\.fight"):
            ck.load(path)
        changed[at] = sound[at]


def test_what_is_nested_too_deep_is_refused_with_its_line(path: Path) -> None:
    fight().save(path)
    lines = path.read_bytes().splitlines()
    deep = b'{"a":' * 100_000
    path.write_bytes(deep)
    with pytest.raises(ck.JournalError, match="line 1: this is not a saved copy"):
        ck.load(path)
    path.write_bytes(b"\n".join([*lines[:2], deep, *lines[3:], b""]))
    with pytest.raises(ck.JournalError, match="line 3: "):
        ck.load(path)


def without_data(event: dict[str, Any]) -> None:
    event["data"] = {}


def without_hp(event: dict[str, Any]) -> None:
    del event["data"]["vitals"]["hp"]


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        ("initiative", without_data, "its events are not what a fight makes"),
        ("combatant", without_hp, "event 2: there is no hp"),
    ],
)
def test_events_nobody_logged_are_refused_though_their_checksums_hold(
    kind: str, change: Callable[[dict[str, Any]], None], said: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fight().save(path)
    made = [json.loads(line) for line in lines_of(path)]
    change(next(event for line in made[1:] for event in line["events"] if event["kind"] == kind))
    monkeypatch.setattr("combatkit.journal.copies.mark_of", lambda *_: ROOT)
    for line in made[1:]:
        line["mark"] = ROOT.hex()
    path.write_text("".join(json.dumps(line) + "\n" for line in made))
    with pytest.raises(ck.JournalError, match=said):
        ck.load(path)


def test_a_journal_and_a_copy_are_told_apart(path: Path) -> None:
    journal = path.with_name("friday.combat")
    ck.Encounter("saga", id="saga-7", seed=7, journal=journal).close()
    fight().save(path)
    with pytest.raises(ck.JournalError, match=r"ck\.Encounter\.open\('friday\.combat'\)"):
        ck.load(journal)
    with pytest.raises(ck.JournalError, match=r"ck\.load\('ambush\.fight'\)"):
        ck.Encounter.open(path)
    with pytest.raises(ck.JournalError, match="cannot be read"):
        ck.load(path.with_name("nothing"))
