"""The picture below the map: what is taken, how long it lies there, where it is kept, and who sees it."""

from __future__ import annotations

import json
import re
import sys
from base64 import b64decode, b64encode
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

import combatkit as ck
from combatkit.core.limits import ANSWER, PICTURE
from combatkit.errors import InvalidInput, JournalError
from combatkit.journal.opening import keep
from combatkit.widgets import _map_look
from combatkit.widgets._intents import hear
from combatkit.widgets._map_view import MapProjector
from combatkit.widgets._seat import SeatVantage
from combatkit.widgets._seat_rights import hear_seat
from combatkit.widgets._table import table_of
from combatkit.widgets._tongue import told_from
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.page import page
from tests.wire import recording, sent

GRIDS = [rules.id for rules in ck.rulesets() if rules.id != "d6"]


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def drawn(wide: int = 560, high: int = 430, kind: str = "PNG", **how: Any) -> bytes:
    """Give the content of a file with a picture of one colour, another for each size."""
    out = BytesIO()
    Image.new("RGB", (wide, high), (wide % 256, high % 256, 60)).save(out, kind, **how)
    return out.getvalue()


def noise(side: int) -> bytes:
    """Give a picture that no format makes much smaller."""
    out = BytesIO()
    Image.frombytes("L", (side, side), Random(7).randbytes(side * side)).save(out, "PNG")
    return out.getvalue()


def px(content: bytes) -> tuple[tuple[int, int], bytes]:
    """Give what a picture looks like, whichever format it is in."""
    with Image.open(BytesIO(content)) as shown:
        return shown.size, shown.convert("RGB").tobytes()


def fight(system: str = "saga", **how: Any) -> ck.Encounter:
    enc = ck.Encounter(system, seed=7, **how)
    enc.add("Mara", side="crew", at=(0, 0))
    enc.add("Vex", side="gang", npc=True, at=(2, 1))
    return enc


def name_of(enc: ck.Encounter) -> str:
    look = enc.map_look()
    return "" if look is None else look.name


def picture(enc: ck.Encounter, view: str = "gm") -> Any:
    """Give what a map is sent of its picture."""
    return MapProjector()(Vantage(enc, view)).get("picture")


def answered(vantage: Vantage, content: Any) -> Any:
    """Give what a message is answered with, at a seat or elsewhere."""
    return hear_seat(vantage, content) if isinstance(vantage, SeatVantage) else hear(vantage, content)


def taken(vantage: Vantage, id: str) -> bytes:
    """Ask for all parts of a picture."""
    parts: list[Any] = []
    while not parts or not parts[-1]["last"]:
        answer = hear(vantage, {"kind": "picture", "id": 3, "picture": id, "part": len(parts)})
        assert answer is not None
        assert answer["kind"] == "picture", answer
        assert len(json.dumps(answer)) <= ANSWER
        parts.append(answer)
    assert b64decode("".join(part["data"] for part in parts)) == b"".join(b64decode(part["data"]) for part in parts)
    return b"".join(b64decode(part["data"]) for part in parts)


# ── what is taken ──


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
def test_a_file_or_what_it_holds_is_laid_below_the_map(kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"hangar.{kind}"
    file.write_bytes(drawn(kind=kind.upper()))
    enc = fight()
    look = enc.map_look(file, square=48)
    assert look is not None
    assert (look.name, look.kind, look.size) == (file.name, kind, (560, 430))
    assert (look.square, look.at, look.shown) == (48, (24, 24), True)
    assert enc.map_look() == look
    again = fight().map_look(file.read_bytes(), name="hangar", square=48)
    assert again is not None
    assert (again.sha, again.name) == (look.sha, "hangar")


def test_what_is_left_out_stays_as_it_is() -> None:
    enc = fight()
    first = enc.map_look(drawn(), square=48, at=(10, 20), shown=False)
    assert first is not None
    later = enc.map_look(square=60)
    assert later is not None
    assert (later.square, later.at, later.shown, later.sha) == (60, (10, 20), False, first.sha)
    another = enc.map_look(drawn(240, 96))
    assert another is not None
    assert (another.square, another.at, another.shown) == (10, (5, 5), False)
    assert enc.map_look(None) is None
    assert enc.map_look() is None


def test_a_picture_that_a_camera_has_turned_is_as_high_as_it_is_shown() -> None:
    turned = Image.Exif()
    turned[0x0112] = 6
    enc = fight()
    look = enc.map_look(drawn(300, 200, "JPEG", exif=turned))
    assert look is not None
    assert look.size == (200, 300)
    assert Image.open(BytesIO(taken(Vantage(enc), look.sha[:16]))).size == (200, 300)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (drawn(8193, 10), "the picture is 8,193 by 10 px, and a picture has at most 8,192 a side"),
        (bytes(PICTURE + 1), "the picture has 10,000,001 bytes, and a picture has at most 10,000,000"),
        (b"a picture of a cat", "the picture is no picture that can be read; give a PNG, JPEG or WebP file"),
        (drawn()[:-40], "the picture is no picture that can be read"),
        (b"\x89PNG\r\n\x1a\n", "the picture is no picture that can be read"),
        (b"RIFF\0\0\0\0WAVE", "the picture is no picture that can be read"),
        (7, "picture is 7; give the path of a file"),
        ("gone.png", "there is no picture 'gone.png'"),
    ],
    ids=["wide", "heavy", "text", "cut", "head", "sound", "number", "gone"],
)
def test_what_is_no_such_picture_is_refused_by_name_and_with_both_numbers(given: Any, why: str) -> None:
    enc = fight()
    kept = enc.map_look(drawn(), square=48)
    with pytest.raises(InvalidInput, match=re.escape(why)):
        enc.map_look(given)
    assert enc.map_look() == kept


def test_a_file_that_is_no_picture_is_named(tmp_path: Path) -> None:
    text, heavy = tmp_path / "cat.png", tmp_path / "dog.jpg"
    text.write_text("a cat", encoding="utf-8")
    heavy.write_bytes(bytes(PICTURE + 1))
    with pytest.raises(InvalidInput, match=r"^cat\.png is no picture"):
        fight().map_look(text)
    with pytest.raises(InvalidInput, match=r"^dog\.jpg has 10000001 bytes, and a picture has at most 10000000"):
        fight().map_look(heavy)


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"square": 1}, "square is 1; give px, a number from 4 to 8,192"),
        ({"square": float("nan")}, "square is nan"),
        ({"square": "large"}, "square is 'large'"),
        ({"at": 7}, "at is 7; give a pair"),
        ({"at": (1, 1e9)}, "at is 1000000000"),
        ({"shown": "yes"}, "shown is 'yes'; give True or False"),
    ],
    ids=str,
)
def test_how_it_cannot_lie_is_refused(how: Any, why: str) -> None:
    enc = fight()
    with pytest.raises(InvalidInput, match="No picture lies below the map"):
        enc.map_look(**how)
    look = enc.map_look(drawn())
    with pytest.raises(InvalidInput, match=re.escape(why)):
        enc.map_look(**how)
    assert enc.map_look() == look


def test_zones_have_no_size_and_so_no_picture() -> None:
    enc = ck.scene("catwalk").encounter("d6", seed=7)
    with pytest.raises(InvalidInput, match="this fight has zones"):
        enc.map_look(drawn())


# ── how long it lies there ──


@pytest.mark.parametrize("system", GRIDS)
def test_it_is_in_no_digest_and_no_event(system: str) -> None:
    def played(*, looks: bool) -> ck.Encounter:
        enc = fight(system)
        if looks:
            enc.map_look(drawn(), square=48)
        enc.start()
        enc.end_turn()
        if looks:
            enc.map_look(square=50, at=(1, 2))
        enc.undo()
        if looks:
            enc.map_look(drawn(100, 100))
            enc.map_look(None)
        enc.end_turn()
        return enc

    plain, laid = played(looks=False), played(looks=True)
    assert laid.digest == plain.digest
    assert [event.text for event in laid._events] == [event.text for event in plain._events]


def test_undo_redo_and_past_moments_show_the_picture_of_then() -> None:
    enc = fight()
    enc.map_look(drawn(), name="hangar")
    enc.start()
    hangar = len(enc._events)
    enc.end_turn()
    enc.map_look(drawn(100, 100), name="roof")
    roof = len(enc._events)
    enc.end_turn()
    enc.map_look(None)
    assert name_of(enc) == ""
    enc.undo()
    assert name_of(enc) == "roof"
    enc.undo()
    assert name_of(enc) == "hangar"
    enc.redo()
    assert name_of(enc) == "roof"
    enc.redo()
    assert name_of(enc) == ""
    for seq, name in ((1, "hangar"), (hangar, "hangar"), (roof, "roof")):
        shown = MapProjector()(Vantage(enc.at(seq))).get("picture")
        assert shown is not None
        assert shown["name"] == name
    enc.undo(to=hangar)
    enc.end_turn()
    assert name_of(enc) == "hangar", "what was undone is not taken up by another call"


def test_redo_shows_the_picture_that_was_laid_last_of_those_that_stand() -> None:
    enc = fight()
    enc.map_look(drawn(), name="hangar")
    enc.start()
    enc.end_turn()
    enc.map_look(drawn(100, 100), name="roof")
    enc.undo()
    enc.map_look(drawn(200, 100), name="cellar")
    assert name_of(enc) == "cellar"
    enc.redo()
    assert name_of(enc) == "roof"
    enc.undo()
    assert name_of(enc) == "cellar"


def test_to_take_off_what_does_not_lie_there_writes_nothing() -> None:
    enc = fight()
    assert enc.map_look(None) is None
    assert "looks" not in enc._timeline.settings


def test_to_undo_what_was_done_before_takes_the_first_picture_away_as_little_as_its_scale() -> None:
    enc = fight()
    enc.map_look(drawn())
    enc.map_look(square=48)
    enc.undo()
    look = enc.map_look()
    assert look is not None
    assert look.square == 48


def test_a_branch_has_the_picture_of_where_it_leaves() -> None:
    enc = fight()
    enc.map_look(drawn(), name="hangar")
    enc.start()
    seq = len(enc._events)
    for _ in range(3):
        enc.end_turn()
    enc.map_look(drawn(100, 100), name="roof")
    other = enc.branch(seq)
    assert (name_of(enc), name_of(other)) == ("roof", "hangar")
    while len(other._events) <= len(enc._events):  # its own calls come to have the same numbers
        other.end_turn()
        assert name_of(other) == "hangar"
    assert px(taken(Vantage(other), picture(other)["id"])) == px(drawn())


def test_a_fight_begun_anew_has_it_too(tmp_path: Path) -> None:
    enc = fight()
    look = enc.map_look(drawn(), square=48, at=(3, 4), shown=False)
    enc.start()
    again = enc.restart()
    assert again.map_look() == look
    kept = enc.restart(journal=tmp_path / "friday.combat")
    assert kept.map_look() == look
    assert px(taken(Vantage(kept), picture(kept)["id"])) == px(drawn())
    kept.close()


# ── where it is kept ──


def test_with_a_journal_its_file_is_kept_beside_it_and_its_name_and_sum_within(tmp_path: Path) -> None:
    file, hangar = tmp_path / "friday.combat", tmp_path / "hangar.png"
    hangar.write_bytes(drawn())
    enc = fight(journal=file)
    look = enc.map_look(hangar, square=48)
    assert look is not None
    assert (tmp_path / look.file).read_bytes() == drawn()
    assert {each.name for each in tmp_path.iterdir()} == {"friday.combat", "hangar.png", look.file}
    assert b'"hangar.png"' in file.read_bytes()
    assert look.sha.encode() in file.read_bytes()
    hangar.unlink()
    enc.close()
    again = ck.Encounter.open(file)
    assert again.map_look() == look
    assert px(taken(Vantage(again), picture(again)["id"])) == px(drawn())
    branch = again.branch(len(again._events))
    assert branch.map_look() == look
    branch.close()
    again.close()


def test_another_file_of_that_name_stays_as_it_is(tmp_path: Path) -> None:
    enc = fight(journal=tmp_path / "friday.combat")
    look = fight().map_look(drawn())
    assert look is not None
    (tmp_path / look.file).write_text("mine", encoding="utf-8")
    with pytest.raises(JournalError, match="is another file: move it away"):
        enc.map_look(drawn())
    assert enc.map_look() is None
    assert (tmp_path / look.file).read_text(encoding="utf-8") == "mine"
    enc.close()


@pytest.mark.parametrize("wrong", ["isn't beside the journal any more", "was changed by something else"])
def test_a_fight_whose_picture_is_gone_or_another_opens_and_says_so(wrong: str, tmp_path: Path) -> None:
    enc = fight(journal=tmp_path / "friday.combat")
    look = enc.map_look(drawn(), name="hangar.png", square=48)
    assert look is not None
    enc.close()
    if "changed" in wrong:
        (tmp_path / look.file).write_bytes(drawn(300, 300))
    else:
        (tmp_path / look.file).unlink()
    with pytest.warns(UserWarning, match=rf"{look.file} \(hangar\.png\), the picture below the map, {wrong}") as said:
        again = ck.Encounter.open(tmp_path / "friday.combat")
    assert len(said) == 1
    assert again.map_look() == look
    answer = hear(Vantage(again), {"kind": "picture", "id": 1, "picture": look.sha[:16]})
    assert answer is not None
    assert wrong in answer["reason"]
    assert "Who stands where" in ck.Map(again)._static()
    again.save(tmp_path / "copy.combat")
    again.to_html(tmp_path / "friday.html")
    with pytest.warns(UserWarning, match=rf"{wrong}: the new fight begins without it") as said:
        anew = again.restart()
    assert len(said) == 1
    assert anew.map_look() is None
    again.close()


def test_players_learn_no_name_of_a_picture_that_is_gone(tmp_path: Path) -> None:
    enc = fight(journal=tmp_path / "friday.combat")
    enc.start()
    table_of(enc).plays["Anna"] = ("Mara",)
    look = enc.map_look(drawn(), name="secret lair.png", square=48)
    assert look is not None
    (tmp_path / look.file).unlink()
    enc._small.clear()
    for vantage in (Vantage(enc, "players"), SeatVantage(enc, "Anna")):
        answer = answered(vantage, {"kind": "picture", "id": 1, "picture": look.sha[:16]})
        assert answer["reason"] == "The picture below the map can't be shown: ask your GM."
    enc.close()


@pytest.mark.parametrize("name", ["bad\udcff.png", "\u202e\u200b"], ids=["no text", "unseen"])
def test_a_file_whose_name_is_no_text_is_refused_before_anything_is_kept(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(drawn())
    enc = fight(journal=tmp_path / "friday.combat")
    with pytest.raises(InvalidInput, match="the name of a picture is "):
        enc.map_look(tmp_path / name)
    enc.save(tmp_path / "copy.combat")
    assert {each.name for each in tmp_path.iterdir()} == {name, "friday.combat", "copy.combat"}
    enc.close()


def test_a_name_of_two_lines_is_kept_on_one(tmp_path: Path) -> None:
    (tmp_path / "han\ngar.png").write_bytes(drawn())
    look = fight().map_look(tmp_path / "han\ngar.png")
    assert look is not None
    assert look.name == "han gar.png"


def test_a_fight_begun_anew_beside_another_file_begins_without_the_picture_once(tmp_path: Path) -> None:
    enc, file = fight(), tmp_path / "friday.combat"
    look = enc.map_look(drawn())
    assert look is not None
    (tmp_path / look.file).write_text("mine", encoding="utf-8")
    with pytest.warns(UserWarning, match=r"is another file.*: the new fight begins without it"):
        anew = enc.restart(journal=file)
    assert (anew.names, anew.map_look()) == (("Mara", "Vex"), None)
    anew.close()
    again = ck.Encounter.open(file)
    assert again.names == ("Mara", "Vex")
    again.close()


def test_a_fight_that_is_kept_later_brings_its_pictures_along(tmp_path: Path) -> None:
    enc = fight()
    first = enc.map_look(drawn())
    enc.start()
    second = enc.map_look(noise(700))
    assert first is not None
    assert second is not None
    keep(enc, tmp_path / "friday.combat")
    assert {each.name for each in tmp_path.iterdir()} == {"friday.combat", first.file, second.file}
    assert b'"pictures"' not in (tmp_path / "friday.combat").read_bytes()
    assert picture(enc)["id"] == second.sha[:16]
    enc.close()


def test_a_saved_copy_holds_it_made_small(tmp_path: Path) -> None:
    enc = fight()
    look = enc.map_look(drawn(4000, 1000), square=48)
    enc.start()
    enc.save(tmp_path / "copy.combat")
    copy = ck.load(tmp_path / "copy.combat")
    assert copy.map_look() == look
    assert look is not None
    assert Image.open(BytesIO(taken(Vantage(copy), look.sha[:16]))).size == (2048, 512)
    (tmp_path / "on").mkdir()
    keep(copy, tmp_path / "on" / "later.combat")  # it is no longer the file that its sum is of
    copy.close()
    again = ck.Encounter.open(tmp_path / "on" / "later.combat")
    assert [each.name for each in (tmp_path / "on").iterdir()] == ["later.combat"]
    assert Image.open(BytesIO(taken(Vantage(again), look.sha[:16]))).size == (2048, 512)
    again.close()


def test_a_copy_that_was_tampered_with_opens(tmp_path: Path) -> None:
    enc = fight()
    enc.map_look(drawn(), square=48)
    held = b64encode(drawn()).decode()
    enc._timeline.settle(pictures=dict.fromkeys(enc._timeline.settings["pictures"], "no base64"))
    with pytest.warns(UserWarning, match="isn't beside the journal"):
        enc.restart()
    enc._small.clear()
    enc.save(tmp_path / "copy.combat")
    assert held not in (tmp_path / "copy.combat").read_text(encoding="utf-8")


def test_a_copy_shows_it_also_where_nothing_reads_pictures_and_a_journal_says_what_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enc = fight(journal=tmp_path / "friday.combat")
    look = enc.map_look(drawn(), square=48)
    assert look is not None
    enc.save(tmp_path / "copy.combat")
    enc._small.clear()
    monkeypatch.setitem(sys.modules, "PIL.PngImagePlugin", None)
    copy = ck.load(tmp_path / "copy.combat")
    assert px(taken(Vantage(copy, "players"), look.sha[:16])) == px(drawn())
    assert "<image" in b64decode(re.findall(r"svg\+xml;base64,([^\"]+)", ck.Map(copy)._static())[0]).decode()
    answer = hear(Vantage(enc), {"kind": "picture", "id": 1, "picture": look.sha[:16]})
    assert answer is not None
    assert "needs Pillow" in answer["reason"]
    enc.close()


# ── what is shown of it ──


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_where_and_by_whom_a_picture_was_made_is_sent_to_nobody(kind: str, tmp_path: Path) -> None:
    taken_with = Image.Exif()
    taken_with[0x010F] = "Mara's phone"
    noted = PngInfo()
    noted.add_text("Comment", "Mara's phone")
    given = drawn(kind=kind, exif=taken_with, pnginfo=noted)
    assert b"Mara's phone" in given
    enc = fight()
    look = enc.map_look(given, square=48)
    assert look is not None
    assert b"Mara's phone" not in taken(Vantage(enc, "players"), look.sha[:16])
    enc.save(tmp_path / "copy.combat")
    copy = ck.load(tmp_path / "copy.combat")
    assert b"Mara's phone" not in b64decode(copy._timeline.settings["pictures"][look.sha])
    copy.to_html(tmp_path / "fight.html", view="players")
    (inside,) = re.findall(r'href="data:image/webp;base64,([^"]+)"', page_picture(tmp_path / "fight.html"))
    assert b"Mara's phone" not in b64decode(inside)


@pytest.mark.parametrize("side", [64, 3000])
def test_grey_of_16_bits_stays_as_light_as_it_is(side: int) -> None:
    out = BytesIO()
    Image.new("I;16", (side, 64), 0x4000).save(out, "PNG")
    enc = fight()
    look = enc.map_look(out.getvalue())
    assert look is not None
    (light, *_) = px(taken(Vantage(enc), look.sha[:16]))[1]
    assert abs(light - 0x40) < 3


def test_a_map_is_told_how_it_lies_and_asks_for_it_in_parts() -> None:
    enc = fight()
    look = enc.map_look(noise(420), name="hangar.png", square=48, at=(10, 20))
    assert look is not None
    shown = picture(enc)
    assert shown == {
        "id": look.sha[:16],
        "size": [420, 420],
        "square": 48,
        "at": [10, 20],
        "name": "hangar.png",
        "shown": True,
    }
    assert look.sha not in json.dumps(ck.Map(enc).view)
    come = taken(Vantage(enc), shown["id"])
    assert px(come) == px(noise(420))
    assert len(come) > 2 * _map_look._PART
    for wrong in ({"part": 99}, {"part": -1}, {"picture": "0" * 16}):
        answer = hear(Vantage(enc), {"kind": "picture", "id": 1, "picture": shown["id"], **wrong})
        assert answer is not None
        assert answer["kind"] == "refused"


def test_what_is_sent_has_at_most_2048_px_a_side() -> None:
    enc = fight()
    enc.map_look(drawn(1000, 5000))
    shown = picture(enc)
    assert shown["size"] == [1000, 5000]
    assert Image.open(BytesIO(taken(Vantage(enc), shown["id"]))).size == (410, 2048)


def test_who_looks_on_learns_of_it_at_once_and_of_nothing_but_how_it_lies() -> None:
    enc = fight()
    tracker = ck.Tracker(enc)
    sent(tracker)
    enc.map_look(drawn(), square=48)
    (news,) = sent(tracker)
    assert [entry[0] for entry in news["parts"]["map"]["set"]] == [["picture"]]
    enc.map_look(square=49)
    (news,) = sent(tracker)
    assert news["parts"]["map"]["set"] == [[["picture", "square"], 49.0]]


def test_a_tracker_has_a_map_from_when_on_a_picture_lies_there() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="crew"), enc.start()
    tracker = ck.Tracker(enc)
    before = tracker.map
    enc.map_look(drawn())
    assert before is None
    assert tracker.map.view["picture"]["size"] == [560, 430]


def test_players_get_it_only_if_they_may_see_it(tmp_path: Path) -> None:
    enc = fight()
    enc.add("Lurk", side="gang", npc=True, conditions=["hidden"])
    enc.start()
    table_of(enc).plays["Anna"] = ("Mara",)
    look = enc.map_look(drawn(), name="secret lair.png", square=48, shown=False)
    assert look is not None
    asked = {"kind": "picture", "id": 1, "picture": look.sha[:16]}
    seat = SeatVantage(enc, "Anna")
    for vantage in (Vantage(enc, "players"), seat):
        assert "picture" not in MapProjector()(vantage)
        answer = answered(vantage, asked)
        assert answer["kind"] == "refused"
    enc.to_html(tmp_path / "players.html", view="players")
    assert "<image" not in page_picture(tmp_path / "players.html")
    enc.map_look(shown=True)
    for vantage in (Vantage(enc, "players"), seat):
        assert {*MapProjector()(vantage)["picture"]} == {"id", "at", "square", "size"}
        answer = answered(vantage, asked)
        assert px(b64decode(answer["data"])) == px(drawn())
    enc.to_html(tmp_path / "players.html", view="players")
    assert "<image" in page_picture(tmp_path / "players.html")
    assert "secret" not in (tmp_path / "players.html").read_text(encoding="utf-8")


def page_picture(page: Path) -> str:
    """Give the static picture of a map in a page."""
    found = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', page.read_text(encoding="utf-8"))
    assert found is not None
    return b64decode(found[1]).decode()


def test_no_name_that_its_bytes_happen_to_spell_is_taken_out_of_them() -> None:
    enc = fight()
    enc.map_look(drawn(), square=48)
    text = b64encode(taken(Vantage(enc), picture(enc)["id"])).decode()
    name = next(each for each in re.split(r"[^A-Za-z]+", text) if len(each) > 4)
    enc.add(name, side="gang", npc=True, conditions=["hidden"])
    enc.start()
    table_of(enc).plays["Anna"] = ("Mara",)
    seat = SeatVantage(enc, "Anna")
    answer = hear_seat(seat, {"kind": "picture", "id": 1, "picture": MapProjector()(seat)["picture"]["id"]})
    assert answer is not None
    assert answer["data"] == text


def test_who_only_watches_and_a_seat_lay_none() -> None:
    enc = fight()
    enc.map_look(drawn(), square=48)
    table_of(enc).plays["Anna"] = ("Mara",)
    file = {"kind": "map_file", "name": "a", "size": 1, "at": 0, "data": ""}
    for content in ({"kind": "map_look", "off": True}, file):
        for vantage in (Vantage(enc, "players"), SeatVantage(enc, "Anna")):
            answer = answered(vantage, content)
            assert answer["kind"] == "refused"
    assert enc.map_look() is not None


# ── laying it from a map ──


def test_only_the_gm_is_offered_to_lay_one_and_nobody_in_an_exercise() -> None:
    enc = fight()
    assert MapProjector()(Vantage(enc)).get("lays")
    lesson = ck.exercise("saga-move-twice").encounters["saga"]
    for vantage in (Vantage(enc, "players"), Vantage(enc.at(1)), Vantage(lesson)):
        assert not MapProjector(alone=True)(vantage).get("lays")
    zones = ck.scene("catwalk").encounter("d6", seed=7)
    assert not MapProjector()(Vantage(zones)).get("lays")


def test_a_file_that_is_dropped_comes_in_pieces_and_is_laid() -> None:
    enc = fight()
    map, content = ck.Map(enc), noise(200)
    for at in range(0, len(content), 11_000):
        data = b64encode(content[at : at + 11_000]).decode()
        piece = {"kind": "map_file", "name": "roof.png", "size": len(content), "at": at, "data": data}
        answer = hear(map._vantage, piece)
        assert answer == {"kind": "map_file", "at": min(len(content), at + 11_000)}
    assert name_of(enc) == "roof.png"
    assert hear(map._vantage, {"kind": "map_look", "square": 20, "at": [1, 2], "shown": False}) is None
    look = enc.map_look()
    assert look is not None
    assert (look.square, look.at, look.shown) == (20, (1, 2), False)
    assert hear(map._vantage, {"kind": "map_look", "off": True}) is None
    assert enc.map_look() is None
    cat = {"kind": "map_file", "name": "cat.png", "size": 5, "at": 0, "data": b64encode(b"a cat").decode()}
    answer = hear(map._vantage, cat)
    assert answer is not None
    assert answer["reason"].startswith("cat.png is no picture")
    answer = hear(map._vantage, cat | {"size": PICTURE + 1})
    assert answer is not None
    assert "10,000,001 bytes; give a file of 1 to 10,000,000 bytes" in answer["reason"]


def test_what_is_refused_of_a_picture_is_said_in_german(tmp_path: Path) -> None:
    enc = fight(journal=tmp_path / "friday.combat", language="de")
    map, table = ck.Map(enc), table_of(enc)
    table.plays["Anna"] = ("Mara",)

    def refused(content: dict[str, Any], vantage: Vantage = map._vantage) -> str:
        answer = answered(vantage, {"id": 1, **content})
        assert answer["kind"] == "refused"
        return str(told_from(vantage, answer)["reason"])

    def dropped(content: bytes, name: str) -> dict[str, Any]:
        data = b64encode(content).decode()
        return {"kind": "map_file", "name": name, "size": len(content), "at": 0, "data": data}

    assert refused({"kind": "map_look", "square": 9}).startswith("Unter der Karte liegt kein Bild: ")
    assert refused(dropped(b"a cat", "cat.png")).startswith("cat.png ist kein Bild, das sich lesen lässt; ")
    wide = refused(dropped(drawn(8193, 1), "wide.png"))
    assert wide == "wide.png hat 8,193 mal 1 px, und ein Bild hat höchstens 8,192 je Seite"
    taken_by = fight().map_look(drawn())
    assert taken_by is not None
    (tmp_path / taken_by.file).write_text("mine", encoding="utf-8")
    assert "ist eine andere Datei: Verschiebe sie" in refused(dropped(drawn(), "hangar.png"))
    (tmp_path / taken_by.file).unlink()
    look = enc.map_look(drawn(), name="hangar.png")
    assert look is not None
    asked = {"kind": "picture", "picture": look.sha[:16]}
    assert refused(asked | {"picture": "0" * 16}) == "Unter der Karte liegt jetzt ein anderes Bild oder keines."
    enc._small.clear()
    (tmp_path / look.file).write_bytes(drawn(300, 300))
    assert refused(asked) == f"{look.file} (hangar.png), das Bild unter der Karte, wurde von etwas anderem geändert"
    (tmp_path / look.file).unlink()
    assert refused(asked) == f"{look.file} (hangar.png), das Bild unter der Karte, liegt nicht mehr neben dem Journal"
    ours = refused(asked, SeatVantage(enc, "Anna"))
    assert ours == "Das Bild unter der Karte lässt sich nicht zeigen: Frag deine SL."
    enc.close()


def record(enc: ck.Encounter, view: str) -> Any:
    """Give what a saved page keeps of a fight."""
    found = re.search(r'id="record">(.*?)</script>', page(enc, view, "Hangar"), re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_a_saved_page_has_what_lay_below_and_players_only_what_they_may_see() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="crew", at=(0, 0))
    enc.start()
    enc.map_look(picture=drawn(), square=48)
    look = enc._look()
    assert look is not None
    kept = record(enc, "gm")
    assert [b64decode(each["data"]) for each in kept["pictures"].values()] == [enc._picture(look)]
    assert record(enc, "players")["pictures"] == kept["pictures"]
    enc.map_look(shown=False)
    assert "pictures" not in record(enc, "players")


def test_a_saved_map_keeps_no_ground_for_each_moment() -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=5, places=True)
    enc.end_turn()
    kept = record(enc, "gm")
    assert not any(entry[0] in ("reach", "threat", "ranges") for step in kept["steps"] for entry in step.get("map", []))
    assert "map" not in record(ck.scene("catwalk").encounter("saga", seed=5), "gm")["views"]


# ── where zones are drawn ──


def pier(**more: Any) -> ck.Encounter:
    """Give a fight in three zones in a row."""
    enc = ck.Encounter("d6", map=[("quay", "deck"), ("deck", "hold")], seed=7, **more)
    enc.add("Mara", side="crew", at="quay")
    return enc


def spots(enc: ck.Encounter) -> dict[str, list[int]]:
    """Give the column and row in which each zone is drawn."""
    view: Any = ck.Map(enc).view
    return {zone["name"]: zone["at"] for zone in view["zones"]}


def test_zones_are_drawn_where_the_gm_says_and_the_others_beside_them() -> None:
    enc = pier()
    assert spots(enc) == {"quay": [0, 0], "deck": [1, 0], "hold": [2, 0]}
    before = enc.digest
    assert enc.map_look(zones={"quay": (2, 1), "deck": (2, 0)}) is None
    assert enc.digest == before
    assert {"quay": [0, 1], "deck": [0, 0]}.items() <= spots(enc).items()
    assert len({*map(tuple, spots(enc).values())}) == 3
    enc.map_look(zones=None)
    assert spots(enc) == {"quay": [0, 0], "deck": [1, 0], "hold": [2, 0]}


def test_zones_stay_where_they_are_drawn(tmp_path: Path) -> None:
    enc = pier(journal=tmp_path / "night.combat")
    enc.map_look(zones={"quay": (0, 1), "deck": (0, 0)})
    drawn = spots(enc)
    enc.start()
    enc.undo()
    copy = tmp_path / "copy.combat"
    enc.save(copy)
    assert spots(enc.restart()) == drawn
    enc.close()
    for path in (tmp_path / "night.combat", copy):
        again = ck.Encounter.open(path)
        assert spots(again) == drawn
        again.close()


@pytest.mark.parametrize(
    ("zones", "words"),
    [
        ({"quaz": (0, 0)}, "unknown zone 'quaz': did you mean 'quay'?"),
        ({"quay": (0, 12)}, "quay's row is 12; give a whole number from 0 to 11"),
        ({"quay": 3}, "quay is drawn at 3; give a pair"),
        ({"quay": (0, 0), "deck": (0, 0)}, "deck is drawn where quay is"),
        ([("quay", (0, 0))], "give each zone's column and row"),
    ],
)
def test_a_zone_that_can_t_be_drawn_there_is_refused(zones: Any, words: str) -> None:
    enc = pier()
    with pytest.raises(ck.CombatkitError, match=re.escape(words)):
        enc.map_look(zones=zones)
    assert spots(enc) == {"quay": [0, 0], "deck": [1, 0], "hold": [2, 0]}


@pytest.mark.parametrize(
    ("system", "said"),
    [
        ("saga", "map_look: this fight has squares; zones are drawn only where there are zones"),
        ("phases", "map_look: this fight has hexes; zones are drawn only where there are zones"),
        ("d6", "There is no map: this fight has no zones. They are named as it is made."),
    ],
)
def test_a_fight_without_zones_draws_none(system: str, said: str) -> None:
    enc = ck.Encounter(system, seed=7)
    with pytest.raises(InvalidInput, match=f"^{re.escape(said)}$"):
        enc.map_look(zones={"quay": (0, 0)})
