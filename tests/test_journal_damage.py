"""A journal is whole at any moment, and of a damaged one all that fits holds; to look at it changes nothing."""

from __future__ import annotations

import json
import shutil
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import combatkit as ck
from combatkit.core.curtain import curtained
from combatkit.journal.lines import LONGEST, MOST, NO_MARK, marked_line
from tests import kills, soaking

SYSTEMS = [rules.id for rules in ck.rulesets()]


class Kept:
    """A fight's file, and what the fight was after each line of it."""

    def __init__(self, system: str, folder: Path, calls: int) -> None:
        self.path = folder / f"{system}.combat"
        self.ends: list[int] = []
        self.digests: list[str] = []
        self.lengths: list[int] = []
        with ck.Encounter(system, id="friday", seed=7, journal=self.path) as enc:
            self._note(enc)
            for call in kills.calls()[:calls]:
                call(enc)
                self._note(enc)
        self.content = self.path.read_bytes()

    def _note(self, enc: ck.Encounter) -> None:
        self.ends.append(self.path.stat().st_size)
        self.digests.append(enc.digest)
        self.lengths.append(len(enc._events))

    def upto(self, size: int) -> str | None:
        """Give the digest of what is whole in the first so many bytes; the end of the last line may be missing."""
        whole = [digest for end, digest in zip(self.ends, self.digests, strict=True) if end - 1 <= size]
        return whole[-1] if whole else None


def opened(path: Path, *, call: bool = False) -> tuple[str | None, list[str]]:
    """Open a journal, and make a call or only look; give its digest, or None if it is refused, and what was said."""
    before = path.read_bytes()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            with ck.Encounter.open(path) as enc:
                digest = enc.digest
                assert path.read_bytes() == before, "to look changes nothing"
                if call:
                    enc.title = "gone on with"
        except ck.JournalError as error:
            return None, [str(error)]
    assert all(each.category is ck.DamagedJournal for each in said), [str(each.message) for each in said]
    return digest, [str(each.message) for each in said]


def left_of(path: Path, content: bytes) -> list[bytes]:
    """Give what lines of a file's former content tell that is neither in it now nor kept beside; marks are others."""
    beside = path.with_name(f"{path.name}.damaged")
    now = path.read_bytes() + (beside.read_bytes() if beside.exists() else b"")
    there = {line.partition(b',"mark":"')[0] for line in now.split(b"\n")}
    return [line for line in content.split(b"\n") if line.partition(b',"mark":"')[0] not in there]


# ── copied at any moment ──


@pytest.mark.parametrize("moments", [12, pytest.param(220, marks=[pytest.mark.long, pytest.mark.soak])])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_copy_of_the_file_has_every_call_that_had_returned(system: str, moments: int, tmp_path: Path) -> None:
    reference, path, returned = kills.Reference(system), tmp_path / "friday.combat", [0]
    copies: list[tuple[Path, int]] = []

    def play() -> None:
        returned[0] = 0
        with ck.Encounter(system, seed=7, journal=path) as enc:
            returned[0] = 1
            for call in kills.calls():
                call(enc)
                returned[0] += 1

    for seed in soaking.rounds(1, 0.02):
        rng, events = Random(f"{system}{seed}"), [0]

        def count(*_: object) -> None:
            events[0] += 1  # noqa: B023

        path.unlink(missing_ok=True)
        profiled(play, count)
        path.unlink()
        at, seen = set(rng.sample(range(events[0]), moments)), [0]

        def copy(*_: object) -> None:
            seen[0] += 1  # noqa: B023
            if seen[0] in at and path.exists():  # noqa: B023
                there = tmp_path / f"{len(copies)}.combat"
                shutil.copy(path, there)
                copies.append((there, returned[0]))

        profiled(play, copy)
        for there, calls in copies:
            if calls == 0 and not ck.campaign(there):
                continue
            digest, said = opened(there)
            assert said == []
            assert digest in reference.digests
            assert calls - 1 <= reference.digests.index(digest, max(calls - 1, 0)) <= calls
            there.unlink()
        assert len(copies) > moments // 2
        copies.clear()


def profiled(action: Any, callback: Any) -> None:
    """Call back at each function's call and return, those of the system among them."""
    sys.setprofile(callback)
    try:
        action()
    finally:
        sys.setprofile(None)


# ── cut and changed ──


@pytest.mark.parametrize(
    ("calls", "last", "every"),
    [(6, 120, 1), pytest.param(len(kills.calls()), 10_000, 16, marks=[pytest.mark.long, pytest.mark.soak])],
)
@pytest.mark.parametrize("system", SYSTEMS)
def test_cut_at_any_byte_the_whole_lines_are_the_fight_and_the_rest_is_kept_beside(
    system: str, calls: int, last: int, every: int, tmp_path: Path
) -> None:
    kept, path = Kept(system, tmp_path, calls), tmp_path / "cut.combat"
    size = len(kept.content)
    for at in range(max(size - last, 0), size):
        path.write_bytes(kept.content[:at])
        digest, said = opened(path)
        assert digest == kept.upto(at), f"cut at byte {at}"
        if digest is None:
            continue
        whole = at in kept.ends or at + 1 in kept.ends
        assert ["is the last, and not whole" in words for words in said] == ([] if whole else [True])
        aside = path.with_name("cut.combat.damaged")
        assert not aside.exists()
        if at % every:
            continue
        assert opened(path, call=True) == (digest, said), "it is said until it is put right"
        assert opened(path) == (digest, [])
        assert path.read_bytes().startswith(kept.content[: max(end for end in kept.ends if end - 1 <= at)])
        if not whole:
            assert kept.content[:at].endswith(aside.read_bytes())
            aside.unlink()
    assert {file.name for file in tmp_path.iterdir()} == {path.name, kept.path.name}


@pytest.mark.parametrize(
    ("calls", "places"), [(6, 25), pytest.param(len(kills.calls()), 400, marks=[pytest.mark.long, pytest.mark.soak])]
)
@pytest.mark.parametrize("system", SYSTEMS)
def test_where_a_bit_is_changed_the_lines_before_hold_and_those_after_as_far_as_they_fit(
    system: str, calls: int, places: int, tmp_path: Path
) -> None:
    kept, path = Kept(system, tmp_path, calls), tmp_path / "changed.combat"
    begins, found = kept.content.index(b"\n") + 1, Counter[str]()
    for seed in soaking.rounds(places, 0.02):
        rng = Random(f"{system}{seed}")
        at, bit = rng.randrange(len(kept.content) - 1), 1 << rng.randrange(8)
        changed = bytearray(kept.content)
        changed[at] ^= bit
        path.write_bytes(changed)
        before = [end for end in kept.ends if end <= at]
        digest, said = opened(path)
        if at < begins:  # a head that is none is nobody's journal; a version may be another's
            assert digest in (None, kept.digests[-1])
            continue
        if digest is None:
            assert not before or "comes to" in said[0], "the line that begins the fight, or facts that mean nothing"
            assert "holds no encounter" not in said[0]
            continue
        if said:
            assert len(said) == 1
            assert f"line {len(before) + 2}" in said[0] or f"lines {len(before) + 2} to" in said[0]
        else:  # a line feed that is a blank, or the like
            assert digest == kept.digests[-1]
        found["fits" if len(events_of(path)) == kept.lengths[-1] else "does not"] += 1
        if before:
            assert at_event(path, kept.lengths[len(before) - 1]) == kept.digests[len(before) - 1]
        assert opened(path, call=True) == (digest, said)
        assert opened(path) == (digest, [])
        assert len(left_of(path, bytes(changed))) <= 1, "the one that was changed, if read in another form"
        path.with_name("changed.combat.damaged").unlink(missing_ok=True)
    assert min(found["fits"], found["does not"]) > 0


def events_of(path: Path) -> Any:
    with warnings.catch_warnings(action="ignore"):
        return ck.load(path)._events


def at_event(path: Path, seq: int) -> str:
    with warnings.catch_warnings(action="ignore"):
        return ck.load(path).at(seq).digest


def test_what_is_kept_beside_is_never_written_over(tmp_path: Path) -> None:
    kept = Kept("saga", tmp_path, 4)
    for name in ("saga.combat.damaged", "saga.combat.damaged-2", "saga.combat.damaged-3"):
        kept.path.write_bytes(kept.content + f"nonsense {name}\n".encode())
        digest, (said,) = opened(kept.path, call=True)
        assert digest == kept.digests[-1]
        assert said.endswith(f"it is kept in {name}")
        assert (tmp_path / name).read_text() == f"nonsense {name}\n"


def test_where_the_rest_cannot_be_kept_beside_nothing_is_cut_off_or_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Kept("saga", tmp_path, 4)
    damaged = kept.content + b"nonsense\n"
    kept.path.write_bytes(damaged)

    def refused(path: Path) -> Any:
        raise OSError(28, "No space left on device")

    with pytest.warns(ck.DamagedJournal, match="line 7 is not what was written"):
        enc = ck.Encounter.open(kept.path)
    with monkeypatch.context() as patch:
        patch.setattr("combatkit.journal.book.whole_file", refused)
        assert enc.digest == kept.digests[-1]
        for _ in range(2):
            with pytest.raises(ck.JournalError, match="cannot put it right: No space left on device"):
                enc.end_turn()
        assert kept.path.read_bytes() == damaged
        assert list(tmp_path.iterdir()) == [kept.path]
    enc.end_turn()
    enc.close()
    assert opened(kept.path) == (enc.digest, [])


def test_a_fight_goes_on_after_the_damage(tmp_path: Path) -> None:
    kept = Kept("saga", tmp_path, 8)
    kept.path.write_bytes(kept.content[: kept.ends[5] - 40] + kept.content[kept.ends[5] - 30 :])
    with pytest.warns(ck.DamagedJournal):
        enc = ck.Encounter.open(kept.path)
    with enc:
        assert enc.digest == kept.digests[4]
        for call in kills.calls()[4:8]:
            call(enc)
        assert enc.digest == kept.digests[8]
    assert opened(kept.path) == (kept.digests[8], [])


@pytest.mark.parametrize("size", [-9, 1200])
def test_to_look_at_a_file_that_is_still_arriving_changes_nothing_and_the_rest_may_come(
    size: int, tmp_path: Path
) -> None:
    kept = Kept("saga", tmp_path, 8)
    part, enc = kept.content[:size], None
    kept.path.write_bytes(part)
    for use in (ck.campaign, ck.load, ck.Encounter.open):
        with pytest.warns(ck.DamagedJournal, match="is the last, and not whole: the call it tells of has not happened"):
            enc = use(kept.path)
        assert kept.path.read_bytes() == part
        assert list(tmp_path.iterdir()) == [kept.path]
    with kept.path.open("ab") as rest:
        rest.write(kept.content[size:])
    assert isinstance(enc, ck.Encounter)
    assert enc.digest == kept.digests[-1]
    enc.end_turn()
    enc.close()
    assert opened(kept.path) == (enc.digest, [])


def test_of_a_saved_copy_that_ends_too_soon_it_is_said(tmp_path: Path) -> None:
    kept, path = Kept("saga", tmp_path, 8), tmp_path / "copy.fight"
    ck.load(kept.path).save(path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-3]))
    with pytest.warns(ck.DamagedJournal, match=r"copy\.fight: its last 3 lines are missing"):
        assert ck.load(path).digest == kept.digests[-4]


# ── by strangers' hands ──


def forged(lines: list[Any]) -> bytes:
    """Give a file with right marks, whatever its lines say: text as it is, all else as JSON."""
    head, *rest = (line if isinstance(line, bytes) else msgspec.json.encode(line) for line in lines)
    written, mark = [head + b"\n"], NO_MARK
    for line in rest:
        raw, mark = marked_line(line, mark)
        written.append(raw)
    return b"".join(written)


def read(content: bytes) -> list[Any]:
    lines = [json.loads(line) for line in content.splitlines()]
    for line in lines:
        line.pop("mark", None)
    return lines


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    return Kept("saga", tmp_path_factory.mktemp("sound"), 8)


def test_marks_are_what_the_guide_says_they_are(sound: Kept) -> None:
    mark = b"0" * 16
    for line in sound.content.splitlines()[1:]:
        body, _, rest = line.rpartition(b',"mark":"')
        own = blake2b(mark + body, digest_size=8).hexdigest().encode()
        assert rest == mark + own + b'"}'
        mark = own
    assert forged(read(sound.content)).count(b"\n") == sound.content.count(b"\n")


def test_an_older_file_that_lost_who_was_asked_about_what_is_opened_whole(tmp_path: Path) -> None:
    """One asked again after a Blaze was told without its parts, and got two for three with the next who fell."""
    path, people = tmp_path / "friday.combat", ("Mara", "Bo", "Ada", "Kell")
    with ck.Encounter("d6", seed=1, journal=path) as enc:
        for name in people:
            enc.add(name, side="heroes", resolve=20, stamina=2, control=2)
        enc.start()
        for name in people:
            enc.condition(name, "wounded")
        enc.damage(people[:3], 3)
        enc.do("Mara", "blaze_of_glory")
        enc.damage("Kell", 3)
        for name in ("Kell", "Bo"):
            enc.do(name, "ignore_fate")
    lines = read(path.read_bytes())
    again = [event["data"] for line in lines for event in line.get("events", ()) if "parts" in event["data"]]
    for data in again:
        del data["parts"]
    assert [data["by"] for data in again] == [["Bo", "Ada"]]
    path.write_bytes(forged(lines))
    _, said = opened(path)
    assert said == []
    enc = ck.Encounter.open(path)
    (asked,) = enc.pending
    assert (asked.who, len(enc._events)) == ("Ada", lines[-1]["events"][-1]["seq"])
    told = [f"{name} is Wounded and takes damage again, 3" for name in ("Bo", "Ada", "Kell")]
    assert asked.about == "; ".join(told)
    enc.condition("Bo", "hidden")
    window = curtained(enc._state).window
    assert window is not None
    assert window.about.endswith("; ".join(told[1:])), "the parts are nobody's own"
    enc.do("Ada", "ignore_fate")
    enc.close()


def test_of_a_move_in_an_older_file_whoever_had_an_opening_is_not_asked_again(tmp_path: Path) -> None:
    """Such a file names only who had one, and that was all they were ever asked in a move."""
    path = tmp_path / "friday.combat"
    with ck.Encounter("ap", seed=1, journal=path, options={"actions": "book"}) as enc:
        enc.add("Mara", side="heroes", initiative_rating=50, at=(-6, 1))
        enc.add("Vex", side="foes", reach=4, at=(0, 0))
        enc.add("Oss", side="foes", at=(-3, 2))
        enc.start()
        enc.do("Mara", "move", to=(6, 1))
        enc.resolve()
        assert [offer.who for offer in enc.pending] == ["Oss"]
    lines = read(path.read_bytes())
    waiting = lines[-1]["events"][-1]["data"]["act"]["result"]
    assert [who for who, _ in waiting["had"]] == ["Vex"]
    waiting["had"] = ["Vex"]
    path.write_bytes(forged(lines))
    with ck.Encounter.open(path) as enc:
        enc.resolve()
        assert (enc.pending, enc["Mara"].position) == ((), (6, 1))


DEEP = b'{"fight":1,"call":99,"events":' + b"[" * 100_000
NO_LINES: dict[str, bytes] = {
    "nothing of JSON": b"a shopping list",
    "deeper than anything": DEEP,
    "half a sign of UTF-8": b'{"fight":1,"set":{"title":"\xc3"}',
    "another type": b'{"fight":"one"',
    "a list": b"[1, 2",
    "a fight that has not begun": b'{"fight":7,"set":{"title":"x"}',
    "a fight whose id is taken": b'{"fight":2,"id":"friday","system":"saga","begun":"2026-01-01T00:00:00Z","past":1,'
    b'"parent":["friday",3]',
    "a branch of a fight to come": b'{"fight":2,"id":"x","system":"saga","begun":"2026-01-01T00:00:00Z","past":2,'
    b'"parent":["friday",3]',
    "a call without a date": b'{"fight":1,"call":99,"events":[1]',
    "a number nobody has": b'{"fight":99999999999999999999999999999,"set":{}',
}


@pytest.mark.parametrize("what", NO_LINES)
def test_a_line_nobody_writes_ends_the_fight_though_its_mark_is_right(what: str, sound: Kept, tmp_path: Path) -> None:
    path = tmp_path / "a.combat"
    raw, _ = marked_line(NO_LINES[what] + b"}", last_mark(sound.content))
    path.write_bytes(sound.content + raw)
    digest, (said,) = opened(path)
    assert digest == sound.digests[-1]
    assert "line 11 is not what was written" in said or "line 11 tells of nothing that a fight does" in said
    assert len(said) < 600


def last_mark(content: bytes) -> bytes:
    return content[-len(b'"}\n') - 16 : -len(b'"}\n')]


Change = tuple[str, Any]


def changes(lines: list[Any]) -> Iterator[Change]:
    """Give changes to a sound file that leave it one of lines, and make no sense."""
    last = lines[-1]
    yield "a call that does not follow", {**last, "after": 1}
    yield "a call by another number", {**last, "call": last["call"] + 1}
    yield "a call that is there already", lines[-2]
    yield "no events", {**last, "events": []}
    yield "events of other types", {**last, "events": [7]}
    yield "a kind there is not", {**last, "events": [{**last["events"][0], "kind": "dance"}]}
    yield "data of another shape", {**last, "events": [{**last["events"][0], "data": {"turn": "x", "calls": 3}}]}
    undo = {"seq": last["call"], "round": 1, "kind": "undo", "data": {"calls": [[4, 4]], "to": 2}}
    turn = {"kind": "turn", "actor": "Mara", "data": {"place": 99}}
    yield "a turn by a place there is not", {**last, "events": [{**last["events"][0], **turn}]}
    yield "an undo of other calls", {**last, "after": None, "to": 2, "events": [undo]}
    yield "an undo inside a call", {**last, "events": [undo]}
    yield "a round beyond any", {**last, "events": [{**last["events"][0], "round": 2**70}]}
    yield "a second beginning", {**last, "events": [{**lines[1]["events"][0], "seq": last["call"]}]}


@pytest.mark.parametrize("what", [name for name, _ in changes([{"call": 1, "events": [{}]}] * 3)])
def test_events_that_make_no_sense_end_the_fight_though_their_marks_are_right(
    what: str, sound: Kept, tmp_path: Path
) -> None:
    lines, path = read(sound.content), tmp_path / "a.combat"
    path.write_bytes(forged([*lines[:-1], dict(changes(lines))[what]]))
    digest, (said,) = opened(path)
    assert digest == sound.digests[-2]
    assert "line 10 tells of nothing that a fight does" in said
    assert f"kept in {path.name}.damaged" in said
    assert opened(path, call=True) == (digest, [said])
    assert opened(path) == (digest, [])


def _in_fractions(data: Any) -> None:
    data["calls"] = [[float(first), float(last)] for first, last in data["calls"]]


def _to_a_fraction(data: Any) -> None:
    data["to"] = float(data["to"])


@pytest.mark.parametrize("forge", [_in_fractions, _to_a_fraction])
@pytest.mark.parametrize("move", ["undo", "redo"])
def test_a_move_told_in_fractions_ends_the_fight(move: str, forge: Callable[[Any], None], tmp_path: Path) -> None:
    path = tmp_path / "a.combat"
    enc = ck.Encounter("saga", seed=1, id="docks", journal=path)
    enc.add("Mara", side="rebels")
    enc.start()
    enc.undo()
    if move == "redo":
        enc.redo()
    enc.close()
    lines = read(path.read_bytes())
    forge(lines[-1]["events"][0]["data"])
    path.write_bytes(forged(lines))
    (said,) = opened(path)[1]
    assert "tells of nothing that a fight does" in said


def test_what_a_beginning_says_besides_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.combat"
    ck.Encounter("saga", seed=1, id="docks", journal=path).close()
    lines = read(path.read_bytes())
    lines[1]["events"][0]["data"] |= {"round": 5, "stage": "running", "step": 3}
    path.write_bytes(forged(lines))
    again = ck.Encounter.open(path)
    assert (again.clock.round, again.clock.label) == (None, "Not begun")
    assert str(again.log())
    again.close()


def _drop_armor(data: Any) -> None:
    del data["stats"]["ac"]


def _name_rank(data: Any) -> None:
    data["place"]["facts"] = {"die": 3, "rank": "x"}


def _fill_nothing(data: Any) -> None:
    data["pools"] = {who: dict.fromkeys(pools) for who, pools in data["pools"].items()}


NO_FACTS: dict[str, tuple[str, tuple[str, ...], Any, int]] = {
    "an armor class that is not there": ("segments", ("combatant",), _drop_armor, 2),
    "a rank of letters": ("d6", ("initiative", "order"), _name_rank, 5),
    "a round that fills nothing": ("ap", ("refresh",), _fill_nothing, 5),
}


@pytest.mark.parametrize("what", NO_FACTS)
def test_facts_that_fold_but_mean_nothing_to_their_system_are_refused_with_where_they_begin(
    what: str, tmp_path: Path
) -> None:
    system, kinds, forge, first = NO_FACTS[what]
    kept = Kept(system, tmp_path, 12)
    lines, path = read(kept.content), tmp_path / "a.combat"
    for event in (each for line in lines[1:] for each in line["events"] if each["kind"] in kinds):
        forge(event["data"])
    content = forged(lines)
    path.write_bytes(content)
    (why,) = opened(path)[1]
    assert f"a.combat: event {first} and what follows tells of nothing that a fight comes to (" in why
    assert path.read_bytes() == content, "it stays as it is"
    with pytest.raises(ck.JournalError, match="comes to"):
        ck.load(path)
    number = next(n for n, line in enumerate(lines) if line.get("call") == first)
    path.write_bytes(b"".join(content.splitlines(keepends=True)[:number]))
    assert opened(path) == (kept.digests[number - 2], []), "what is before it opens, as the message says"


@pytest.mark.parametrize("seeds", [60, pytest.param(2_000, marks=[pytest.mark.long, pytest.mark.soak])])
def test_whatever_somebody_writes_is_a_fight_or_its_beginning_or_refused(
    seeds: int, sound: Kept, tmp_path: Path
) -> None:
    numbers = (None, True, 0, -1, 2**62, 2**70, 1.5)
    wrong: tuple[Any, ...] = (*numbers, "", "x", "Mara", "a" * 5000, [], [[]], {}, {"x": 1}, [["x", 1]])
    path = tmp_path / "a.combat"
    for seed in soaking.rounds(seeds, 0.02):
        rng, lines = Random(seed), read(sound.content)
        for _ in range(rng.choice((1, 1, 2, 3))):
            holder, key = rng.choice(list(places(rng.choice(lines))))
            if rng.randrange(4):
                holder[key] = rng.choice(wrong)
            else:
                del holder[key]
        path.write_bytes(forged(lines))
        digest, said = opened(path)
        assert all(len(words) < 700 for words in said)
        if digest is not None:
            assert opened(path, call=True) == (digest, said)
            assert opened(path) == (digest, [])
        path.with_name("a.combat.damaged").unlink(missing_ok=True)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Give every place in plain data, by what holds it and where."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from places(value[key])


def test_a_line_longer_than_any_is_not_decoded(sound: Kept, tmp_path: Path) -> None:
    path = tmp_path / "a.combat"
    path.write_bytes(sound.content + b'{"fight":1,"set":{"title":"' + b"x" * LONGEST + b'"}}\n')
    digest, (said,) = opened(path)
    assert digest == sound.digests[-1]
    assert f"it has over {LONGEST:,} bytes" in said


def test_a_line_longer_than_any_without_an_end_is_kept_beside(sound: Kept, tmp_path: Path) -> None:
    path = tmp_path / "a.combat"
    path.write_bytes(sound.content + b"x" * (LONGEST + 1))
    digest, (said,) = opened(path, call=True)
    assert digest == sound.digests[-1]
    assert f"has over {LONGEST:,} bytes" in said
    assert path.with_name("a.combat.damaged").stat().st_size == LONGEST + 1


def test_a_file_larger_than_any_is_not_read(sound: Kept, tmp_path: Path) -> None:
    path = tmp_path / "a.combat"
    with path.open("wb") as out:
        out.write(sound.content)
        out.truncate(MOST + 1)
    digest, (said,) = opened(path)
    assert digest is None
    assert f"no journal has over {MOST:,}" in said
    assert path.stat().st_size == MOST + 1


def test_many_branches_of_branches_are_no_more_work_than_their_lines(sound: Kept, tmp_path: Path) -> None:
    lines = read(sound.content)
    for number in range(2, 3_000):
        parent = ["friday" if number == 2 else f"b{number - 1}", 4]
        begun = {"fight": number, "id": f"b{number}", "system": "saga", "begun": "2026-01-01T00:00:00Z"}
        lines.append({**begun, "past": number - 1, "parent": parent})
    path = tmp_path / "a.combat"
    path.write_bytes(forged(lines))
    with pytest.warns(UserWarning, match="a branch that was played last"), ck.Encounter.open(path) as enc:
        assert (enc.id, len(enc._events)) == ("b2999", 4)


def test_a_name_that_is_markup_stays_text_wherever_the_fight_is_shown(sound: Kept, tmp_path: Path) -> None:
    name, path = "<img src=x onerror=alert(1)>", tmp_path / "a.combat"
    path.write_bytes(forged([json.loads(json.dumps(line).replace("Mara", name)) for line in read(sound.content)]))
    enc = ck.load(path)
    assert enc.names[0] == name
    shown = [enc.to_html(tmp_path / "a.html").read_text(encoding="utf-8"), enc.log().html, enc.history._repr_html_()]
    shown += [ck.campaign(path)._repr_html_(), enc.summary()._repr_html_()]
    assert not any("<img" in page for page in shown)
    assert any("&lt;img src=x" in page for page in shown)
