"""What a tracker's game master takes home: made in Python, sent in parts, never written to a path of a message."""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.core.limits import ANSWER
from combatkit.widgets import _downloads
from combatkit.widgets._downloads import Download, file_name
from combatkit.widgets._intents import hear
from combatkit.widgets._table import table_of
from tests.test_export import record, views_at


def fight(id: str = "docks", turns: int = 6) -> ck.Encounter:
    enc = ck.Encounter("saga", id=id, seed=7)
    enc.add("Mara", side="rebels", dex=4, level=6, feats=["Quick Draw"], hp=38)
    enc.add("Guard", side="empire", count=3, npc=True, dex=1, hp=16)
    enc.start()
    for _ in range(turns):
        enc.end_turn()
    enc.undo()
    return enc


def taken(tracker: ck.Tracker, what: str, **whose: str) -> tuple[bytes, list[dict[str, Any]]]:
    """Ask for all parts of a file, and give it with its answers."""
    parts: list[dict[str, Any]] = []
    while not parts or not parts[-1]["last"]:
        answer = hear(tracker._vantage, {"kind": "download", "id": 3, "what": what, "part": len(parts), **whose})
        assert answer is not None
        assert answer["kind"] == "download", answer
        assert answer["id"] == 3
        assert len(json.dumps(answer)) <= ANSWER
        parts.append(answer)
    return b"".join(b64decode(part["data"]) for part in parts), parts


def rows_at_the_end(page: bytes) -> dict[str, dict[str, Any]]:
    """Give the ladder's rows of a page's last moment, by name."""
    kept = record(page.decode())
    rows = views_at(kept, len(kept["steps"]) + 1)["ladder"]["rows"].values()
    return {row["name"]: row for row in sorted(rows, key=lambda row: str(row["name"]) != "Mara")}


def test_each_file_is_what_its_call_writes(tmp_path: Path) -> None:
    enc = fight()
    tracker = ck.Tracker(enc)
    before = enc.digest
    page, parts = taken(tracker, "page")
    assert page == enc.to_html(tmp_path / "docks.html").read_bytes()
    assert len(parts) > 2
    assert {part["name"] for part in parts} == {"docks.html"}
    log, parts = taken(tracker, "log")
    assert log.decode() == str(enc.log())
    assert (parts[0]["name"], parts[0]["type"]) == ("docks.md", "text/markdown")
    roster, _ = taken(tracker, "roster")
    (tmp_path / "docks.csv").write_bytes(roster)
    again = ck.Encounter("saga", seed=7)
    again.add_roster(tmp_path / "docks.csv")
    assert [again[name] for name in again.names] == [enc.restart()[name] for name in enc.names]
    copy, parts = taken(tracker, "copy")
    assert parts[0]["name"] == "docks.fight"
    enc.save(tmp_path / "one.fight")
    assert copy == (tmp_path / "one.fight").read_bytes()
    assert ck.load(tmp_path / "one.fight").digest == enc.digest == before
    assert tracker._vantage.download is None, "it is forgotten with its last part"


def test_a_page_is_as_the_gm_saw_it_the_players_or_who_sits_at_a_seat(tmp_path: Path) -> None:
    enc = fight()
    tracker = ck.Tracker(enc)
    enc.finish()
    assert "seats" not in tracker.view["card"]
    table_of(enc).plays["Anna"] = ("Guard 2",)
    page, parts = taken(tracker, "page", seen="players")
    assert page == enc.to_html(tmp_path / "docks.html", view="players").read_bytes()
    assert parts[0]["name"] == "docks-players.html"
    own, parts = taken(tracker, "page", seat="Anna")
    assert parts[0]["name"] == "docks-Anna.html"
    assert b"as Anna saw it" in own
    assert [{name: "vital" in row for name, row in rows_at_the_end(each).items()} for each in (page, own)] == [
        {"Mara": True, "Guard 1": False, "Guard 2": False, "Guard 3": False},
        {"Mara": True, "Guard 1": False, "Guard 2": True, "Guard 3": False},
    ], "those whom a seat plays are shown whole there"
    answer = hear(tracker._vantage, {"kind": "download", "what": "page", "seat": "Ben"})
    assert answer is not None
    assert "Anna" in answer["reason"], "it says which seats there are"
    assert answer["kind"] == "refused"


def test_a_journalled_fight_is_copied_with_what_waits(tmp_path: Path) -> None:
    with ck.Encounter("saga", seed=7, journal=tmp_path / "a.combat", batch=True) as enc:
        enc.add("Mara", side="rebels")
        enc.start()
        copy, _ = taken(ck.Tracker(enc), "copy")
        (tmp_path / "a.fight").write_bytes(copy)
        assert ck.load(tmp_path / "a.fight").digest == enc.digest


def test_one_file_is_under_way_at_a_time_and_its_parts_come_in_order() -> None:
    tracker = ck.Tracker(fight())
    vantage = tracker._vantage

    def ask(what: Any, part: Any) -> dict[str, Any]:
        return hear(vantage, {"kind": "download", "what": what, "part": part}) or {}

    assert ask("page", 1)["reason"] == "part 1 of 'page' isn't the next one; start with part 0"
    assert not ask("page", 0)["last"]
    assert ask("page", 2)["kind"] == "refused"
    assert ask("page", 1)["part"] == 1
    assert ask("log", 0)["last"]
    assert ask("page", 2)["kind"] == "refused", "another file has taken its place"
    assert not ask("page", 0)["last"]
    tracker.encounter.end_turn()
    assert ask("page", 1)["reason"] == "The fight moved on while it was being saved. Save it again."
    assert vantage.download is None
    for what, part in [("everything", 0), (3, 0), ("page", -1), ("page", "0"), ("page", 10**9)]:
        assert ask(what, part)["kind"] == "refused"


def test_a_part_that_takes_long_goes_on_with_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_downloads, "_SLICE", -1.0)
    enc = fight()
    whole, parts = taken(ck.Tracker(enc), "page")
    assert len(parts) > len(enc._events)
    monkeypatch.undo()
    assert whole == taken(ck.Tracker(enc), "page")[0]


def test_of_a_very_long_fight_the_call_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_downloads, "TOLD", 20)
    vantage = ck.Tracker(fight())._vantage
    reasons = {
        what: (hear(vantage, {"kind": "download", "what": what}) or {}).get("reason") for what in _downloads._MADE
    }
    events = len(vantage.encounter._events)
    assert reasons == {
        "page": f"This fight has {events} events: tracker.encounter.to_html('docks.html') in a cell writes its page.",
        "log": f"This fight has {events} events: tracker.encounter.log().write('docks.md') in a cell writes its log.",
        "roster": None,
        "copy": None,
    }


def test_players_take_nothing() -> None:
    for what in ("page", "log", "roster", "copy"):
        answer = hear(ck.Tracker(fight(), view="players")._vantage, {"kind": "download", "what": what})
        assert answer is not None
        assert answer["kind"] == "refused"
        assert answer["reason"] == "this is the players' view: you can only watch"


def test_a_message_names_no_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tracker = ck.Tracker(fight("../../up"))
    for extra in ({"path": "x.html"}, {"name": "x.html"}):
        answer = hear(tracker._vantage, {"kind": "download", "what": "page", **extra})
        assert answer is not None
        assert answer["kind"] == "refused"
    _, parts = taken(tracker, "page")
    assert parts[0]["name"] == "up.html"
    assert list(tmp_path.iterdir()) == [], "nothing is written here"


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("docks", "docks.md"),
        ("saga-3f9c@31-2", "saga-3f9c-31-2.md"),
        ("../..\\x\u202egnp.exe", "x-gnp-exe.md"),
        (".hidden", "hidden.md"),
        ("CON", "fight-CON.md"),
        ("a\nb\x00c", "a-b-c.md"),
        ("x" * 200, "x" * 60 + ".md"),
        ("🐉", "fight.md"),
    ],
)
def test_a_file_has_a_plain_name(id: str, name: str) -> None:
    assert file_name(id, "md") == name


def test_a_file_is_called_after_the_fights_title() -> None:
    enc = ck.Encounter("saga", id="docks", title="The docks, at night")
    assert Download(enc, "copy").name == "The-docks-at-night.fight"


def test_a_file_of_a_fight_that_nobody_has_named_is_called_by_its_rules() -> None:
    assert Download(ck.Encounter("saga", id="saga-2"), "copy").name == "Star-Wars-Saga-Edition.fight"
