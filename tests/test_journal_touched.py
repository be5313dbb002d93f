"""Journals that something else has touched: editors, formatters, sync clients, merges. What fits is read, and said."""

from __future__ import annotations

import json
import os
import re
import sys
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any
from unicodedata import normalize

import pytest

import combatkit as ck


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "friday.combat"


@pytest.fixture
def content(path: Path) -> bytes:
    with ck.Encounter("saga", id="friday", seed=7, journal=path, title="Fri") as enc:
        enc.add("Mara", side="rebels", hp=20)
        enc.add("Zoë", side="empire", hp=20)
        enc.start(rolls={"Mara": 20, "Zoë": 10})
        enc.adjust("Mara", "hp", -4, note="ouch")
        enc.do("Mara", "move")
        enc.end_turn()
        enc.undo()
    return path.read_bytes()


def looked(path: Path, *others: Path, call: bool = True) -> tuple[ck.Encounter, list[str]]:
    """Look at a file in every way, which changes nothing, and go on with it; give the fight and what was said."""
    before = {file: file.read_bytes() for file in path.parent.iterdir()}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        given = [path, *others] if others else path
        listed = ck.campaign(given)
        enc = ck.Encounter.open(given)
        if not others:
            assert ck.load(path).digest == enc.digest
        assert {file: file.read_bytes() for file in path.parent.iterdir()} == before
        length = len(enc._events)
        if call:
            enc.condition("Mara", "tired")
            enc.undo()
            enc.close()
        words = list(dict.fromkeys(str(each.message) for each in said))
    plain = ("has begun too", "goes on otherwise")
    assert all(each.category is ck.DamagedJournal or any(p in str(each.message) for p in plain) for each in said)
    if call:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with ck.Encounter.open(path) as again:
                assert again.digest == enc.digest
            assert [entry.id for entry in ck.campaign(path)] == [entry.id for entry in listed]
        assert len(enc._events) > length
        enc = ck.load(path).branch(length)
    return enc, words


def each_line(content: bytes, change: Callable[[Any], str]) -> bytes:
    return "".join(change(json.loads(line)) for line in content.decode().splitlines()).encode()


MEANS_NOTHING: dict[str, Callable[[bytes], bytes]] = {
    "blank lines": lambda content: content.replace(b"\n", b"\n\n \t\n", 2) + b"\n\n",
    "a formatter's spaces": lambda content: each_line(content, lambda line: json.dumps(line) + "\n"),
    "signs by their numbers": lambda content: each_line(content, lambda line: json.dumps(line) + "\r\n"),
    "a formatter's lines": lambda content: each_line(content, lambda line: json.dumps(line, indent=2) + "\n"),
    "a formatter's lines, Windows'": lambda content: each_line(
        content, lambda line: json.dumps(line, indent="\t", ensure_ascii=False).replace("\n", "\r\n") + "\r\n\r\n"
    ),
    "a formatter's lines, of two lines": lambda content: b"\n".join(
        json.dumps(json.loads(line), indent=2).encode() if n in {4, 6} else line
        for n, line in enumerate(content.split(b"\n"))
    ),
    "a byte order mark": lambda content: b"\xef\xbb\xbf" + content,
    "Windows' line ends": lambda content: content.replace(b"\n", b"\r\n"),
    "ANSI, as Windows calls it": lambda content: content.decode().encode("cp1252"),
    "UTF-16": lambda content: content.decode().replace("\n", "\r\n").encode("utf-16"),
    "UTF-16 without a mark": lambda content: content.decode().encode("utf-16-le"),
    "names as a Mac spells them": lambda content: normalize("NFD", content.decode()).encode(),
    "no end of the last line": lambda content: content.rstrip(),
    "a line twice": lambda content: content + content.splitlines(keepends=True)[4],
    "all of it twice": lambda content: content * 2,
    "lines in another order": lambda content: b"".join(
        [content.splitlines(keepends=True)[0], *content.splitlines(keepends=True)[:0:-1]]
    ),
    "lines from the last to the first": lambda content: b"".join(content.splitlines(keepends=True)[::-1]),
}


@pytest.mark.parametrize("what", MEANS_NOTHING)
def test_what_means_nothing_is_read_and_gone_on_with_in_silence(what: str, path: Path, content: bytes) -> None:
    digest = ck.load(path).digest
    path.write_bytes(MEANS_NOTHING[what](content))
    enc, said = looked(path)
    assert (enc.digest, enc.title, said) == (digest, "Fri", [])
    assert list(path.parent.iterdir()) == [path], "nothing is lost, so nothing is kept beside"


@pytest.mark.parametrize(
    ("was", "becomes", "line", "told"),
    [
        (b'"title":"Fri"', b'"title":"Friday"', 2, "Make the fight, title"),
        (b'"note":"ouch"', '"note":"autsch, böse"'.encode(), 6, "Hit points (Mara)"),
        (
            b'"amount":-4',
            b'"amount":-5',
            6,
            "Hit points (Mara), amount -5 does not lead from 20 to 16 left; left counts",
        ),
        (
            b'"left":16',
            b'"left":11',
            6,
            (
                "Hit points (Mara), amount -4 does not lead from 20 to 11 left; left counts, "
                "its text still says 'loses 4 hp, 16 left'"
            ),
        ),
        (b'"mark":"', b'"marks":"', 2, "Make the fight, title"),
    ],
)
def test_a_line_changed_by_hand_is_read_and_said_and_the_evening_goes_on(
    was: bytes, becomes: bytes, line: int, told: str, path: Path, content: bytes
) -> None:
    length = len(ck.load(path)._events)
    path.write_bytes(content.replace(was, becomes, 1))
    enc, (said,) = looked(path)
    assert said == f"friday.combat: line {line} was changed after it was written: {told}"
    assert len(enc._events) == length
    assert becomes.partition(b":")[2] in path.read_bytes() or was == b'"mark":"'
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("typed", ['"2026-11-27 20:00"', '"27.11.2026"', "null", '"Friday"', "20261127"])
@pytest.mark.parametrize(("name", "line"), [(b"begun", 1), (b"when", 1), (b"when", 4)])
def test_a_date_typed_by_hand_costs_no_evening(name: bytes, line: int, typed: str, path: Path, content: bytes) -> None:
    length = len(ck.load(path)._events)
    lines = content.splitlines(keepends=True)
    lines[line] = re.sub(rb'"%b":"[^"]*"' % name, b'"%b":%b' % (name, typed.encode()), lines[line], count=1)
    path.write_bytes(b"".join(lines))
    enc, (said,) = looked(path)
    assert said.startswith(f"friday.combat: line {line + 1} was changed after it was written")
    is_read = typed.startswith(('"2026', "2026"))
    assert is_read == ("is no date" not in said)
    assert is_read or re.search(
        rf"{name.decode()} {typed} is no date like 2026-11-27 20:00; [-0-9]+ [:0-9]+ counts", said
    )
    assert len(enc._events) == length
    if typed.startswith('"2026') and name == b"begun":
        assert f"{ck.campaign(path)[0].begun:%d %b %H:%M %Z}" == "27 Nov 20:00 UTC"


def test_a_blow_that_is_made_less_is_told_to_have_the_old_words_until_they_are_changed_too(path: Path) -> None:
    with ck.Encounter("saga", seed=7, journal=path) as enc:
        enc.add("Mara", side="rebels", hp=38)
        enc.add("Vex", side="hunters", hp=44)
        enc.start(rolls={"Mara": 17, "Vex": 18})
        enc.do("Vex", "attack", target="Mara", rolls={"attack": [19], "damage": [6, 5]}, damage="2d8+3")
    numbers = path.read_bytes().replace(b'"amount":14,', b'"amount":3,').replace(b'"left":24', b'"left":35')
    path.write_bytes(numbers)
    with pytest.warns(ck.DamagedJournal) as said:
        assert "**Mara** 35 of 38" in str(ck.load(path).log())
    assert [str(each.message) for each in said] == [
        "friday.combat: line 6 was changed after it was written: Attack (Vex), its text still says 'loses 14, 24 left'"
    ]
    words = numbers.replace(b"loses 14, 24 left", b"loses 3, 35 left")
    path.write_bytes(words.replace(b'"total":14', b'"total":3'))
    with pytest.warns(ck.DamagedJournal, match=r"Attack \(Vex\), its dice still make 14, its total is 3$"):
        ck.load(path)
    words = words.replace(b'"faces":[6,5],"modifier":3,"total":14', b'"faces":[],"total":3')
    path.write_bytes(words)
    with pytest.warns(ck.DamagedJournal, match=r"Attack \(Vex\)$"):
        log = str(ck.load(path).log(rules=False))
    assert "14" not in log.partition("Vex** attacks")[2]


@pytest.mark.parametrize(
    "what", ["as it is", "UTF-16", "UTF-16 without a mark", "a byte order mark", "a formatter's lines"]
)
def test_while_it_arrives_the_last_line_is_said_to_be_not_whole(what: str, path: Path, content: bytes) -> None:
    whole = {"as it is": bytes, **MEANS_NOTHING}[what](content)
    said = set()
    for size in (*range(0, 120, 7), *range(120, len(whole), len(whole) // 60 | 1)):
        path.write_bytes(whole[:size])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                assert len(ck.campaign(path)) < 2
            except ck.JournalError as error:
                said.add(str(error))
        said |= {re.sub(r"line \d+", "line N", str(each.message).partition(". ")[0]) for each in caught}
        assert (path.read_bytes(), [*path.parent.iterdir()]) == (whole[:size], [path])
    torn = "friday.combat: line N is the last, and not whole: the call it tells of has not happened"
    head = "friday.combat: nothing of it can be read: not even its first line is whole"
    assert torn in said
    assert said <= {torn, head}


@pytest.mark.parametrize(
    ("was", "becomes", "why"),
    [
        (b'"hp":20', b'"hp":"many"', "(Expected `int | null`, got `str` - at `$.vitals[...]`)"),
        (b'"name":"Mara"', b'"name":"Nora"', "(event 2: its actor is 'Mara', its data is of 'Nora')"),
        (
            b'"who":"Mara","score"',
            '"who":"Zoë","score"'.encode(),
            "(event 7: its actor is 'Mara', its data is of 'Zoë')",
        ),
    ],
)
def test_why_a_line_has_no_place_is_said_in_no_class_s_name(
    was: bytes, becomes: bytes, why: str, path: Path, content: bytes
) -> None:
    assert was in content
    path.write_bytes(content.replace(was, becomes))
    _, (said,) = looked(path, call=False)
    assert f"of nothing that a fight does there {why}" in said


def test_a_target_that_the_line_contradicts_is_refused_there(path: Path) -> None:
    with ck.Encounter("saga", seed=7, journal=path) as enc:
        for name, side in (("Mara", "r"), ("Vex", "e"), ("Kell", "e")):
            enc.add(name, side=side, hp=20)
        enc.start(rolls={"Mara": 20, "Vex": 10, "Kell": 5})
        enc.do("Mara", "attack", target="Vex")
    path.write_bytes(
        path.read_bytes().replace(b'"action":"attack","target":"Vex"', b'"action":"attack","target":"Kell"', 1)
    )
    with pytest.warns(ck.DamagedJournal, match="its target is 'Kell', its data is of 'Vex'"):
        assert ck.load(path).can_undo == "Start the fight"


def test_what_is_no_journal_is_told_how_one_begins(path: Path, content: bytes) -> None:
    for other in (b"".join(content.splitlines(keepends=True)[1:]), b"[" + content, b"\x1f\x8b\x08\0", b"hello"):
        path.write_bytes(other)
        with pytest.raises(ck.JournalError) as refused:
            ck.campaign(path)
        right = """a journal has a first line like {"combatkit":"journal","format":3}"""
        assert str(refused.value) == f"friday.combat is not a combatkit journal: {right}. It stays as it is"


def test_without_its_first_line_a_journal_is_read_again_once_it_has_the_one_that_the_refusal_shows(
    path: Path, content: bytes
) -> None:
    digest = ck.load(path).digest
    path.write_bytes(rest := content.partition(b"\n")[2])
    with pytest.raises(ck.JournalError, match="a first line like") as refused:
        ck.Encounter.open(path)
    shown = str(refused.value).partition("line like ")[2].removesuffix(". It stays as it is")
    path.write_bytes(shown.encode() + b"\n" + rest)
    enc, said = looked(path)
    assert (enc.digest, said) == (digest, [])


def test_what_does_not_fit_is_said_by_line_and_kept(path: Path, content: bytes) -> None:
    lines = content.splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:4], lines[4][:90] + b"\n", *lines[5:]]))
    enc, (said,) = looked(path, call=False)
    assert "line 5 is not what was written" in said
    assert "lines 6 to 9 rest on what is missing there" in said
    assert enc.can_undo == "Add Zoë"
    enc.add("Vex", side="empire")
    enc.close()
    assert path.with_name("friday.combat.damaged").read_bytes() == b"".join([lines[4][:90] + b"\n", *lines[5:]])


def test_what_one_bad_line_stops_is_told_from_it_and_comes_back_when_it_is_mended(path: Path, content: bytes) -> None:
    digest, beside = ck.load(path).digest, path.with_name("friday.combat.damaged")
    path.write_bytes(content.replace(b'"target":"Mara","amount":-4', b'"target":"Maro","amount":-4'))
    with pytest.warns(ck.DamagedJournal) as said:
        enc = ck.Encounter.open(path)
    (why,) = said
    assert "line 6 tells of nothing that a fight does there (" in str(why.message)
    assert "); lines 7 to 9 rest on what is missing there. The next call" in str(why.message)
    enc.end_turn()
    enc.close()
    path.write_bytes(path.read_bytes() + beside.read_bytes().replace(b'"Maro"', b'"Mara"'))
    with pytest.warns(ck.DamagedJournal, match="of another history: 'friday@13', a branch from event 13 on"):
        assert ck.Encounter.open(path, "friday@13").digest == digest


def test_a_line_that_is_missing_is_said(path: Path, content: bytes) -> None:
    lines = content.splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:6], *lines[7:]]))
    enc, (said,) = looked(path)
    assert "line 7 comes after one that is missing; lines 7 to 8 rest on what is missing there" in said
    assert enc.can_undo == "Hit points (Mara)"


def test_a_fight_whose_beginning_cannot_be_read_is_never_called_none(path: Path, content: bytes) -> None:
    path.write_bytes(content.replace(b'"fight":1', b'"fight":', 1))
    for use in (ck.Encounter.open, ck.load):
        for _ in range(2):
            with pytest.raises(
                ck.JournalError, match=r"nothing of it can be read: line 2 is not what was written.*stays"
            ):
                use(path)
    assert path.read_bytes() == content.replace(b'"fight":1', b'"fight":', 1)


def test_a_fight_is_begun_in_a_file_that_is_put_right_and_not_in_one_of_which_nothing_can_be_read(
    path: Path, content: bytes
) -> None:
    path.write_bytes(content + b"nonsense\n")
    with pytest.warns(ck.DamagedJournal, match="line 10 is not what was written"):
        ck.Encounter("saga", seed=1, id="second", journal=path).close()
    assert [entry.id for entry in ck.campaign(path)] == ["friday", "second"]
    assert path.with_name("friday.combat.damaged").read_bytes() == b"nonsense\n"
    path.write_bytes(unread := content.replace(b'"fight":1', b'"fight":', 1))
    with pytest.raises(ck.JournalError, match="nothing of it can be read"):
        ck.Encounter("saga", seed=1, journal=path)
    assert path.read_bytes() == unread


@pytest.mark.filterwarnings("ignore:Exception ignored:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
@pytest.mark.parametrize("change", [b"nonsense\n", b'"note":"ou'])
def test_a_file_is_put_right_whole_or_not_at_all(change: bytes, path: Path, content: bytes) -> None:
    broken = content + change if change.endswith(b"\n") else content.replace(b'"note":"ouch"', change)
    beside = path.with_name("friday.combat.damaged")
    lines = {line.partition(b',"mark"')[0] for line in broken.splitlines()}
    seen, at = 0, -1

    here = sys._getframe()

    def strike(frame: FrameType, *_: object) -> None:
        nonlocal seen
        seen += frame is not here  # not in what ends it
        if seen == at and frame is not here:
            raise KeyboardInterrupt

    while seen >= at:
        path.unlink()
        path.write_bytes(broken)
        with warnings.catch_warnings(action="ignore"):
            enc = ck.Encounter.open(path)
        digest, seen, at = enc.digest, 0, at + 3
        sys.setprofile(strike)
        try:
            enc.title = "gone on with"
        except KeyboardInterrupt:
            pass
        finally:
            sys.setprofile(None)
        now = path.read_bytes() + (beside.read_bytes() if beside.exists() else b"")
        assert lines <= {line.partition(b',"mark"')[0] for line in now.splitlines()}, at
        enc.title = "gone on with"
        enc.close()
        with warnings.catch_warnings(action="error"):
            assert ck.load(path).digest == digest
        for file in path.parent.iterdir():
            if file != path:
                file.unlink()
    assert at > 60


def test_other_fights_of_a_file_hold_where_one_is_damaged(path: Path, content: bytes) -> None:
    with ck.Encounter("d6", id="second", seed=1, journal=path) as enc:
        enc.add("Ossik", side="rebels")
        enc.start()
        digest = enc.digest
    path.write_bytes(path.read_bytes().replace(b'"note":"ouch"', b'"note":"ou', 1))
    enc, (said, beside) = looked(path, call=False)
    assert "line 6 is not what was written" in said
    assert "this is 'second', which was played last" in beside
    assert (enc.id, enc.digest) == ("second", digest)
    enc.close()


# ── two histories ──


def parted(path: Path, name: str, *amounts: int) -> tuple[Path, str]:
    """Let a copy of a file be gone on with by itself; give it and the fight's digest."""
    copy = path.with_name(name)
    copy.write_bytes(path.read_bytes())
    with ck.Encounter.open(copy) as enc:
        for amount in amounts:
            enc.adjust("Zoë", "hp", amount)
        return copy, enc.digest


def union(common: bytes, ours: bytes, theirs: bytes) -> bytes:
    return common + ours + theirs


def in_turns(common: bytes, ours: bytes, theirs: bytes) -> bytes:
    return common + b"".join(
        line for pair in zip(ours.splitlines(True), theirs.splitlines(True), strict=True) for line in pair
    )


def marked(common: bytes, ours: bytes, theirs: bytes) -> bytes:
    return common + b"<<<<<<< HEAD\n" + ours + b"=======\n" + theirs + b">>>>>>> laptop\n"


def marked_with_base(common: bytes, ours: bytes, theirs: bytes) -> bytes:
    return common + b"<<<<<<< ours\n" + ours + b"||||||| 4f5a\n=======\n" + theirs + b">>>>>>> laptop\n"


def one_after_the_other(common: bytes, ours: bytes, theirs: bytes) -> bytes:
    return common + ours + common + theirs


MERGES: dict[Callable[[bytes, bytes, bytes], bytes], str] = {
    union: "friday@20",
    in_turns: "friday@20",
    marked: "friday@20 (laptop)",
    marked_with_base: "friday@20 (laptop)",
    one_after_the_other: "friday@20",
}


@pytest.mark.parametrize("merge", MERGES)
def test_another_history_in_the_file_is_a_branch(
    merge: Callable[[bytes, bytes, bytes], bytes], path: Path, content: bytes
) -> None:
    (ours, digest), (theirs, other) = parted(path, "a", -1, -2, -3), parted(path, "b", -4, -5, -6)
    length = len(ck.load(path)._events)
    path.write_bytes(merge(content, *(file.read_bytes().removeprefix(content) for file in (ours, theirs))))
    ours.unlink()
    theirs.unlink()
    enc, (said,) = looked(path)
    name = MERGES[merge].replace("20", str(length))
    assert f"of another history: {name!r}, a branch from event {length} on" in said
    assert enc.digest == digest
    assert [(each.id, each.parent) for each in ck.campaign(path)] == [("friday", None), (name, ("friday", length))]
    with ck.Encounter.open(path, name) as branch:
        assert branch.digest == other
        assert branch.title == "Fri"
    assert list(path.parent.iterdir()) == [path]


def test_conflicted_copies_are_branches_named_after_where_they_came_from(path: Path, content: bytes) -> None:
    one, _ = parted(path, "friday (Ann's conflicted copy).combat", -1)
    two, second = parted(one, "friday.sync-conflict-20261129.combat", -9)
    with ck.Encounter.open(one) as enc:
        enc.adjust("Zoë", "hp", -2)
        first = enc.digest
    with pytest.warns(match="holds what isn't in friday.combat"):
        enc = ck.Encounter.open(path)
    with enc:
        enc.adjust("Zoë", "hp", -7)
        digest = enc.digest
    length, seen = len(ck.load(one)._events), len(enc._events) - 1
    enc, said = looked(path, one, two)
    assert enc.digest == digest
    names = [f"friday@{seen} (friday (Ann's conflicted copy))"]
    names += [f"{names[0]}@{seen + 1} (friday.sync-conflict-20261129)"]
    assert [name for name in names if sum(f"{name!r}" in each or f'"{name}"' in each for each in said) != 1] == []
    assert [(each.id, each.parent) for each in ck.campaign(path)[1:]] == [
        (names[0], ("friday", seen)),
        (names[1], (names[0], seen + 1)),
    ], "a branch of a branch: they parted later"
    for name, other in zip(names, (first, second), strict=True):
        with ck.Encounter.open(path, name) as branch:
            assert branch.digest == other
    assert length == seen + 2
    held = path.read_bytes()
    assert looked(path, one, two, call=False)[1] == []
    assert path.read_bytes() == held, "what is there is not taken in again"


@pytest.mark.parametrize(
    "name",
    [
        "friday (Anna's conflicted copy 2026-11-27).combat",
        "friday.sync-conflict-20261127-193000-ABCDEFG.combat",
        "friday (In Konflikt stehende Kopie).combat",
    ],
)
def test_a_conflicted_copy_beside_is_told_until_it_is_read_too(name: str, path: Path, content: bytes) -> None:
    path.with_name("friday conflict.combat").write_bytes(content)  # it adds nothing
    path.with_name("friday conflict 2.combat").write_bytes(b"arriving")
    copy, _ = parted(path, name, -1)
    with pytest.warns(match=re.escape(f"{name} holds what isn't in friday.combat: ck.Encounter.open([")) as said:
        ck.Encounter.open(path).close()
    assert len(said) == 1
    with ck.Encounter.open([path, copy]) as enc:
        enc.adjust("Mara", "hp", -3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ck.Encounter.open(path).close()


def test_of_a_line_that_two_files_tell_otherwise_the_first_file_s_counts(path: Path, content: bytes) -> None:
    mended, other = path.with_name("mended.combat"), "there in another form as well"
    hand = content.replace(b'"left":16', b'"left":18').replace(b'"amount":-4', b'"amount":-2')
    mended.write_bytes(hand := hand.replace(b"loses 4 hp, 16 left", b"loses 2 hp, 18 left"))
    with pytest.warns(ck.DamagedJournal) as said:
        assert "**Mara** 16 of 20" in str(ck.load([path, mended]).log())
    (why,) = said
    assert str(why.message) == f"friday.combat: line 6 of mended.combat is {other}, as it was written, which counts"
    with pytest.warns(ck.DamagedJournal) as said:
        enc = ck.Encounter.open([mended, path])
    (why,) = said
    assert str(why.message) == (
        "mended.combat: line 6 was changed after it was written: Hit points (Mara); line 6 of friday.combat is "
        f"{other}, which stands before it and counts"
    )
    assert "**Mara** 18 of 20" in str(enc.log())
    enc.adjust("Mara", "hp", -1)
    enc.close()
    assert "**Mara** 17 of 20" in str(ck.load(mended).log())
    assert path.read_bytes() == content
    mended.write_bytes(content + hand.splitlines(keepends=True)[5])
    with pytest.warns(ck.DamagedJournal, match=f"line 10 is {other}, as it was written, which counts"):
        assert "**Mara** 16 of 20" in str(ck.load(mended).log())


def test_a_copy_that_is_behind_or_ahead_adds_no_branch(path: Path, content: bytes) -> None:
    ahead, digest = parted(path, "ahead.combat", -1, -2)
    behind = path.with_name("behind.combat")
    behind.write_bytes(content[: content.rindex(b"\n", 0, -1) + 1])
    enc, said = looked(path, behind, ahead)
    assert (enc.digest, said) == (digest, [])
    assert len(ck.campaign(path)) == 1


def test_fights_that_only_the_other_machine_went_on_with_or_began_are_taken_over(path: Path, content: bytes) -> None:
    other = path.with_name("other.combat")
    with ck.Encounter("d6", id="second", seed=1, journal=path) as enc:
        enc.add("Ossik", side="rebels")
    other.write_bytes(path.read_bytes())
    with ck.Encounter.open(other, "friday") as enc:
        enc.adjust("Mara", "hp", -2)
        digest = enc.digest
    for file, seed in ((other, 3), (path, 4)):
        ck.Encounter("ap", id="third", seed=seed, journal=file).close()
    with ck.Encounter.open(path, "second") as enc:
        enc.add("Vex", side="empire")
        later = enc.digest
    with ck.Encounter.open([path, other], "second") as enc:
        assert enc.digest == later
        enc.add("Guard", side="empire")
    assert [entry.id for entry in ck.campaign(path)] == ["friday", "second", "third", "third-2"]
    with ck.Encounter.open(path, "friday") as enc:
        assert enc.digest == digest
    assert [ck.Encounter.open(path, id).seed for id in ("third", "third-2")] == [4, 3]


def test_the_line_that_opens_a_fight_which_only_the_copy_has_names_the_copy(
    path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    other = path.with_name("other.combat")
    other.write_bytes(content)
    with ck.Encounter("d6", id="second", seed=1, journal=other) as enc:
        enc.add("Ossik", side="rebels")
        enc.start()
    with ck.Encounter.open(path) as enc:
        enc.adjust("Mara", "hp", -1)
    with pytest.warns(match="'second' has begun too") as said, ck.Encounter.open([path.name, other.name]) as enc:
        assert enc.id == "friday"
    told = " ".join(str(each.message) for each in said)
    (line,) = re.findall(r"'second' has begun too, and is not over: ck\.(Encounter\.open\(.*?\)) opens that", told)
    with eval(line, {"Encounter": ck.Encounter}) as enc:
        assert enc.id == "second"


def test_a_saved_copy_that_was_gone_on_with_is_told_from_what_it_was(path: Path, content: bytes) -> None:
    copy = path.with_name("mailed.combat")
    ck.load(path).save(copy)
    with ck.Encounter.open(copy) as enc:
        enc.adjust("Mara", "hp", -2)
        other = enc.digest
    with ck.Encounter.open(path) as enc:
        enc.adjust("Mara", "hp", -3)
    with pytest.warns(UserWarning, match=r"mailed\.combat goes on otherwise than friday\.combat after event") as said:
        enc = ck.Encounter.open([path, copy])
    with enc:
        (branch,) = enc.branches
        assert f"ck.Encounter.open(['friday.combat', 'mailed.combat'], {branch.id!r}) opens it" in str(said[0].message)
        assert branch.digest == other
        assert "(mailed)" in branch.id
        branch.close()


@pytest.mark.parametrize(("ours", "held"), [(False, ["Ben"]), (True, ["Anna"])])
def test_seats_of_a_copy_hold_where_the_first_file_has_none(
    path: Path, content: bytes, *, ours: bool, held: list[str]
) -> None:
    copy = path.with_name("mailed.combat")
    copy.write_bytes(content)
    with ck.Encounter.open(copy) as enc, enc.share() as room:
        room.seat("Ben", plays=["Mara"])
    with ck.Encounter.open(path) as enc:
        if ours:
            with enc.share() as room:
                room.seat("Anna", plays=["Mara"])
        enc.adjust("Mara", "hp", -3)
    told = pytest.warns(UserWarning, match="settled otherwise") if ours else nullcontext()
    with told, ck.Encounter.open([path, copy]) as enc, enc.share() as room:
        assert [seat.name for seat in room.seats] == held


def test_the_cell_that_opens_two_files_can_be_run_again(path: Path, content: bytes) -> None:
    other, _ = parted(path, "other.combat", -1)
    first = ck.Encounter.open([path, other])
    assert ck.Encounter.open([path, other]) is first
    first.end_turn()
    assert ck.Encounter.open([path, other]) is first
    with pytest.raises(ck.JournalError, match=r"friday\.combat is open here: close its fights, and open it together"):
        ck.Encounter.open([path, path.with_name("friday.other")])
    first.close()
    with pytest.raises(ck.InvalidInput, match="give a path"):
        ck.Encounter.open([])


@pytest.mark.parametrize("seeds", [40, pytest.param(600, marks=pytest.mark.long)])
def test_whatever_is_done_to_its_lines_nothing_of_them_is_on_no_disk(seeds: int, path: Path, content: bytes) -> None:
    copies = [parted(path, f"{n}.combat", *range(-1 - n, 0))[0] for n in range(3)]
    pool = [file.read_bytes().splitlines() for file in copies]
    for file in copies:
        file.unlink()
    for seed in range(seeds):
        rng = Random(seed)
        lines = [*pool[0]]
        for _ in range(rng.choice((1, 2, 3))):
            at, length = rng.randrange(1, len(lines)), rng.randrange(1, 5)
            match rng.randrange(6):
                case 0:
                    lines[at:at] = rng.choice(pool)[-length:]
                case 1:
                    del lines[at : at + length]
                    lines = lines if len(lines) > 1 else [*pool[0]]
                case 2:
                    lines[at] = lines[at].replace(b"Mara", b"Tara")
                case 3:
                    lines[at:at] = [b"<<<<<<< x", *rng.choice(pool), b"=======", b">>>>>>> y"][: length + 2]
                case 4:
                    rest = lines[1:]
                    rng.shuffle(rest)
                    lines[1:] = rest
                case 5:
                    lines[at] = lines[at][:-length]
        path.write_bytes(b"\n".join(lines) + b"\n")
        beside = path.with_name("friday.combat.damaged")
        with warnings.catch_warnings(action="ignore"):
            found = ck.campaign(path)
            if not found:
                continue
            enc = ck.Encounter.open(path)
            enc.title = f"after {seed}"
            enc.close()
        with warnings.catch_warnings(action="error"):
            assert ck.Encounter.open(path).digest == enc.digest, seed
        now = path.read_bytes() + (beside.read_bytes() if beside.exists() else b"")
        told = {
            json.dumps(json.loads(line).get("events"))
            for line in now.splitlines()
            if line.startswith(b'{"fight') and line.endswith(b"}")
        }
        for line in lines:
            if line.endswith(b"}") and line.startswith(b'{"fight') and b'"call"' in line:
                assert json.dumps(json.loads(line)["events"]) in told, (seed, line)
        beside.unlink(missing_ok=True)


def test_a_name_that_its_own_line_contradicts_is_refused_by_its_number(path: Path, content: bytes) -> None:
    path.write_bytes(content.replace(b'"actor":"Mara"', b'"actor":"Maro"', 1))
    with pytest.warns(
        ck.DamagedJournal, match="line 3 .*its actor is 'Maro', its data is of 'Mara'.; lines 4 to 9 rest"
    ):
        enc = ck.Encounter.open(path)
    assert enc.roster()["name"].to_list() == []


@pytest.mark.parametrize(
    ("line", "becomes", "why"),
    [
        (4, "Mara", "(event 3: there is a 'Mara' already)"),
        (8, "Kell", "(there is no 'Kell')"),
        (8, "Zoë", "(event 16: its actor is 'Zoë', the turn is that of 'Mara')"),
    ],
)
def test_a_changed_line_names_who_is_there_and_nobody_twice(
    line: int, becomes: str, why: str, path: Path, content: bytes
) -> None:
    lines = content.decode().splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].replace("Zoë" if line == 4 else "Mara", becomes)
    path.write_text("".join(lines), encoding="utf-8")
    _, (said,) = looked(path, call=line > 4)
    assert said.startswith(f"friday.combat: line {line} tells of nothing that a fight does there {why}; ")


@pytest.mark.parametrize("amount", [b"-5", b"-14"])
def test_a_file_edited_beside_an_open_fight_is_loaded_as_it_is_and_open_says_so(
    amount: bytes, path: Path, content: bytes
) -> None:
    enc = ck.Encounter.open(path)
    enc.adjust("Mara", "hp", -4)
    written = path.read_bytes()
    path.write_bytes(written.replace(b"ouch", b"auch" if amount == b"-5" else b"aautsch", 1))
    edited = path.read_bytes()
    with pytest.warns(ck.DamagedJournal, match="line 6 was changed"):
        loaded = ck.load(path)
    assert any(event.note.startswith("a") for event in loaded._events)
    with pytest.warns(ck.DamagedJournal, match="was changed by something else"):
        assert ck.Encounter.open(path) is enc
    with pytest.raises(ck.JournalError, match="was changed by something else"):
        enc.adjust("Mara", "hp", -1)
    assert path.read_bytes() == edited


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no time of change: there the date is all there is")
def test_an_edit_that_keeps_length_and_date_is_noticed_beside_an_open_fight(path: Path, content: bytes) -> None:
    enc = ck.Encounter.open(path)
    enc.adjust("Mara", "hp", -4)
    written, date = path.read_bytes(), path.stat().st_mtime_ns
    path.write_bytes(written.replace(b"ouch", b"auch", 1))
    os.utime(path, ns=(date, date))
    with pytest.raises(ck.JournalError, match="was changed by something else"):
        enc.adjust("Mara", "hp", -1)
    assert path.read_bytes() == written.replace(b"ouch", b"auch", 1)


def test_several_files_are_loaded_together_as_they_are_opened(path: Path, content: bytes) -> None:
    other, _ = parted(path, "friday-2.combat", 2)
    loaded = ck.load([path, other])
    assert loaded.id == ck.Encounter.open([path, other]).id
    with pytest.raises(ck.InvalidInput, match="names none"):
        ck.load([])


def test_what_is_said_of_a_file_of_which_nothing_can_be_read_is_so(path: Path, content: bytes) -> None:
    lines = content.splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], *lines[2:]]))
    with pytest.warns(ck.DamagedJournal, match="It stays as it is"):
        assert ck.campaign(path) == ()
    with pytest.raises(ck.JournalError, match="It stays as it is"):
        ck.Encounter.open(path)
