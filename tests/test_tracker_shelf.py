"""The shelf in a tracker: creatures, parties and scenes by name, and files that are dropped, whatever they are."""

from __future__ import annotations

import gc
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.core.limits import FILE, MESSAGE
from combatkit.widgets import Tracker
from tests.test_set_up import members, refused
from tests.wire import hear, recording

SYSTEMS = [each.id for each in ck.rulesets()]
FOREIGN = Path(__file__).parent / "data" / "foreign"
PIECE = 11_000


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


@pytest.fixture
def enc() -> ck.Encounter:
    return ck.Encounter("saga", seed=7)


def asked(tracker: Tracker, text: str = "") -> dict[str, Any]:
    (answer,) = hear(tracker, {"kind": "shelf", "id": 1, "text": text})
    return dict(answer)


def found(tracker: Tracker, text: str) -> list[str]:
    return [row["name"] for row in asked(tracker, text)["rows"]]


# ── creatures ──


@pytest.mark.parametrize("system", SYSTEMS)
def test_creatures_are_found_in_every_system_and_added_by_name(system: str) -> None:
    tracker = Tracker(ck.Encounter(system, seed=7))
    told = asked(tracker)
    assert told["found"] >= 12
    assert len(told["rows"]) == 12
    assert told["others"] > 0
    name = told["rows"][0]["name"]
    hear(tracker, {"kind": "take", "name": name, "source": "kit", "count": 2, "side": "foes"})
    assert list(members(tracker)) == [f"{name} 1", f"{name} 2"]
    expected = ck.Shelf().take(name, system=system)
    assert tracker.encounter[f"{name} 1"].stats["portrait"] == expected.get("portrait")


def test_all_that_is_found_can_be_listed(enc: ck.Encounter) -> None:
    (told,) = hear(Tracker(enc), {"kind": "shelf", "id": 1, "all": True})
    assert len(told["rows"]) == told["found"] > 12


def test_what_is_on_the_shelf_is_found_by_words(enc: ck.Encounter) -> None:
    tracker = Tracker(enc)
    assert found(tracker, "nexu") == ["Nexu"]
    assert found(tracker, "no such beast") == []
    assert asked(tracker, "nexu")["rows"] == [{"name": "Nexu", "source": "kit", "says": "45 hp · Dex 4 · level 5"}]


def test_more_of_them_are_numbered_on(enc: ck.Encounter) -> None:
    tracker = Tracker(enc)
    for count in (1, 2, 1):
        hear(tracker, {"kind": "take", "name": "Nexu", "source": "kit", "count": count, "side": "wild"})
    assert list(members(tracker)) == ["Nexu", "Nexu 2", "Nexu 3", "Nexu 4"]
    assert {each.group for each in (enc[name] for name in enc.names[1:])} == {"Nexu"}
    enc.undo()
    enc.undo()
    assert enc.names == ("Nexu",), "each adding is one step"


def test_a_creature_joins_a_fight(enc: ck.Encounter) -> None:
    enc.add("Mara", side="rebels")
    enc.start()
    tracker = Tracker(enc)
    hear(tracker, {"kind": "take", "name": "Nexu", "source": "kit", "side": "wild"})
    assert enc["Nexu"].stats["hp"] == 45


@pytest.mark.parametrize("system", SYSTEMS)
def test_several_of_the_shelf_join_a_fight_in_one_step_and_are_numbered_on(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Ossik", side="law")
    enc.start()
    tracker = Tracker(enc)
    name = asked(tracker)["rows"][0]["name"]
    for count in (2, 1):
        hear(tracker, {"kind": "take", "name": name, "source": "kit", "side": "wild", "count": count})
    assert list(enc.names) == ["Mara", "Ossik", f"{name} 1", f"{name} 2", f"{name} 3"]
    assert {enc[each].group for each in enc.names[2:]} == {name}
    assert {each.combatant for each in enc.order} == set(enc.names)
    for _ in range(2):
        hear(tracker, {"kind": "undo"})
    assert list(enc.names) == ["Mara", "Ossik"]
    enc.finish()
    message = {"kind": "take", "name": name, "source": "kit", "side": "wild"}
    assert "The fight is over" in refused(tracker, message)


def test_two_who_join_at_once_are_undone_by_their_number(enc: ck.Encounter, tmp_path: Path) -> None:
    (tmp_path / "pair.csv").write_text("name,side,dex\nOssik,rebels,1\nTarn,rebels,0\n")
    enc.add("Mara", side="rebels", dex=4)
    enc.start()
    hear(Tracker(enc, shelf=tmp_path), {"kind": "take", "source": "pair.csv"})
    assert enc.can_undo == "2 combatants join"


def test_a_party_joins_a_fight_in_one_step_and_who_left_comes_back(enc: ck.Encounter, tmp_path: Path) -> None:
    (tmp_path / "crew.csv").write_text("name,side,dex\nMara,rebels,4\nOssik,rebels,1\nTarn,rebels,0\n")
    enc.add("Mara", side="rebels", dex=4)
    enc.add("Vex", side="empire")
    enc.start()
    enc.leave("Mara")
    tracker = Tracker(enc, shelf=tmp_path)
    hear(tracker, {"kind": "take", "source": "crew.csv"})
    assert {rung.combatant for rung in enc.order} == {"Mara", "Vex", "Ossik", "Tarn"}
    assert enc.can_undo == "3 combatants join"
    assert "already in the fight" in refused(tracker, {"kind": "take", "source": "crew.csv"})


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "name": ({"name": "Nexus"}, "Nexu"),
    "source": ({"source": "../kit"}, "creature on the shelf"),
    "count": ({"count": 101}, "from 1 to 100"),
    "side": ({"side": ""}, "side"),
    "stats": ({"dex": 40}, "unknown field"),
}


@pytest.mark.parametrize("what", WRONG)
def test_nothing_else_comes_from_the_shelf(enc: ck.Encounter, what: str) -> None:
    changed, words = WRONG[what]
    tracker = Tracker(enc)
    message = {"kind": "take", "name": "Nexu", "source": "kit", "side": "wild", **changed}
    assert words in refused(tracker, message)
    assert enc.names == ()


def test_of_two_of_a_name_the_source_decides(enc: ck.Encounter, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("name,side,dex\nNexu,pets,1\n")
    tracker = Tracker(enc, shelf=tmp_path)
    assert [row["source"] for row in asked(tracker, "nexu")["rows"]] == ["mine.csv", "kit"]
    for source in ("mine.csv", "kit"):
        hear(tracker, {"kind": "take", "name": "Nexu", "source": source, "side": "wild"})
    assert [enc[name].stats["dex"] for name in enc.names] == [1, 4]


# ── scenes ──


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_scene_of_a_system_is_set_up_and_plays_as_ever(system: str) -> None:
    scenes = asked(Tracker(ck.Encounter(system)))["scenes"]
    assert len(scenes) >= 3
    for id, _ in scenes:
        tracker = Tracker(ck.Encounter(system))
        hear(tracker, {"kind": "scene", "scene": id})
        hear(tracker, {"kind": "undo"})
        assert tracker.encounter.names == (), "a scene is one step of undo"
        hear(tracker, {"kind": "redo"})
        surprised = [each["name"] for each in tracker.view["setup"]["combatants"] if each["surprised"]]
        hear(tracker, {"kind": "start", "surprised": surprised})
        assert tracker.encounter._state.stage == "running", id
        seed = tracker.encounter.seed
        at_once = ck.scene(id).encounter(system, seed=seed)
        assert [rung.combatant for rung in at_once.order] == [rung.combatant for rung in tracker.encounter.order], id


def test_a_scene_is_loaded_into_an_empty_fight_only(enc: ck.Encounter) -> None:
    tracker = Tracker(enc)
    assert "saga has no scene" in refused(tracker, {"kind": "scene", "scene": "warehouse-raid"})
    hear(tracker, {"kind": "add", "name": "Mara", "side": "rebels"})
    assert "remove the combatants first" in refused(tracker, {"kind": "scene", "scene": "catwalk"})


# ── parties ──


def party(tracker: Tracker) -> None:
    for name in ("Mara", "Ossik"):
        hear(tracker, {"kind": "add", "name": name, "side": "rebels", "dex": 4, "hp": 38})
    hear(tracker, {"kind": "take", "name": "Nexu", "source": "kit", "count": 2, "side": "wild"})


def test_a_party_is_kept_found_and_brought_in(enc: ck.Encounter, tmp_path: Path) -> None:
    tracker = Tracker(enc, shelf=ck.Shelf(tmp_path))
    party(tracker)
    assert tracker.view["setup"]["keeps"] is True
    (answer,) = hear(tracker, {"kind": "keep", "name": "Night crew", "side": "rebels"})
    assert answer["file"] == "Night crew.saga.toml"
    assert [path.name for path in tmp_path.iterdir()] == ["Night crew.saga.toml"]
    other = Tracker(ck.Encounter("saga"), shelf=[tmp_path])
    kept = {"name": "Night crew", "source": "Night crew.saga.toml", "says": "Mara, Ossik"}
    for words in ("night", "ossik"):
        assert asked(other, words)["parties"] == [kept]
    hear(other, {"kind": "take", "source": "Night crew.saga.toml"})
    told = {each["name"]: (each["npc"], each["stats"]) for each in members(other).values()}
    assert told == dict.fromkeys(("Mara", "Ossik"), (False, {"dex": 4, "hp": 38}))
    hear(other, {"kind": "undo"})
    assert other.encounter.names == ()


@pytest.mark.parametrize("name", ["../night", "a/b", "night.toml", "", ".hidden", "x" * 81, "C:night", "a\0b"])
def test_a_party_is_kept_in_the_shelf_s_folder_and_nowhere_else(enc: ck.Encounter, tmp_path: Path, name: str) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    tracker = Tracker(enc, shelf=inner)
    party(tracker)
    refused(tracker, {"kind": "keep", "name": name, "side": "rebels"})
    assert [*tmp_path.rglob("*.toml")] == []


def test_without_a_folder_nothing_is_kept(enc: ck.Encounter) -> None:
    tracker = Tracker(enc)
    party(tracker)
    assert "keeps" not in tracker.view["setup"]
    assert "no folder" in refused(tracker, {"kind": "keep", "name": "night", "side": "rebels"})


def test_the_party_stays_and_the_foes_are_cleared(enc: ck.Encounter) -> None:
    tracker = Tracker(enc)
    party(tracker)
    assert tracker.view["setup"]["party"] == "rebels"
    hear(tracker, {"kind": "clear", "side": "rebels"})
    assert list(members(tracker)) == ["Mara", "Ossik"]
    assert "party" not in tracker.view["setup"]
    hear(tracker, {"kind": "undo"})
    assert list(members(tracker)) == ["Mara", "Ossik", "Nexu 1", "Nexu 2"], "one click is one step of undo"
    hear(tracker, {"kind": "start"})
    assert "end it first" in refused(tracker, {"kind": "clear", "side": "rebels"})
    enc.damage("Mara", 30)
    hear(tracker, {"kind": "finish"})
    assert tracker.view["setup"]["party"] == "rebels"
    assert "'wyld'" in refused(tracker, {"kind": "clear", "side": "wyld"})
    hear(tracker, {"kind": "clear", "side": "rebels"})
    assert tracker.encounter is not enc
    assert tracker.view["mode"] == "setup"
    assert {name: each["stats"]["hp"] for name, each in members(tracker).items()} == {"Mara": 38, "Ossik": 38}


# ── files ──


def pieces(name: str, content: bytes) -> list[dict[str, Any]]:
    """Give the messages a file comes in."""
    return [
        {
            "kind": "file",
            "id": at,
            "name": name,
            "size": len(content),
            "at": at,
            "data": b64encode(content[at : at + PIECE]).decode(),
        }
        for at in range(0, len(content), PIECE)
    ]


def dropped(tracker: Tracker, name: str, content: bytes) -> dict[str, Any]:
    """Drop a file, and give what comes back on its last piece."""
    answer: dict[str, Any] = {}
    for message in pieces(name, content):
        (answer,) = hear(tracker, message)
    return answer


def test_a_roster_is_reviewed_and_only_what_is_chosen_is_added(enc: ck.Encounter) -> None:
    tracker = Tracker(enc)
    text = "name,side,count,npc,dex,feats\nMara,rebels,1,no,4,Run; Pin\nGuard,,3,yes,1,\n".replace(
        "Guard,,", "Guard,law,"
    )
    review = dropped(tracker, "crew.csv", text.encode())["review"]
    assert review["title"] == "Roster"
    assert review["found"] == 4, "a creature that comes three times is three"
    assert [(row["name"], row["count"], row["side"], row["says"]) for row in review["rows"]] == [
        ("Mara", 1, "rebels", "Dex 4 · Run, Pin"),
        ("Guard", 3, "law", "Dex 1"),
    ]
    assert not enc.names
    hear(tracker, {"kind": "bring", "rows": [{"row": 1, "side": "empire"}]})
    assert enc.names == ("Guard 1", "Guard 2", "Guard 3")
    assert {enc[each].side for each in enc.names} == {"empire"}
    assert "no file is under review" in refused(tracker, {"kind": "bring", "rows": [{"row": 0}]})


@pytest.mark.parametrize("ending", ["csv", "json", "toml", "parquet"])
def test_one_s_own_rosters_come_back_from_any_format(enc: ck.Encounter, tmp_path: Path, ending: str) -> None:
    enc.add("Mara", side="rebels", dex=4, feats=["Run"], weapons=[{"name": "Blaster", "damage": "3d8", "attack": 9}])
    path = tmp_path / f"crew.{ending}"
    enc.roster(path)
    tracker = Tracker(ck.Encounter("saga"))
    dropped(tracker, path.name, path.read_bytes())
    hear(tracker, {"kind": "bring", "rows": [{"row": 0}]})
    assert tracker.encounter["Mara"].stats == enc["Mara"].stats


def test_a_foreign_file_says_what_was_left_out_and_asks(enc: ck.Encounter) -> None:
    path = FOREIGN / "bear.yml"
    read = ck.foreign(path, system="saga")
    tracker = Tracker(enc)
    review = dropped(tracker, path.name, path.read_bytes())["review"]
    assert [row["name"] for row in review["rows"]] == read.roster["name"].to_list()
    (row,) = review["rows"]
    assert row["unused"].startswith("11 items, 8 characteristics, armor (6), ")
    assert row["left"][0].startswith("items: Maul, Natural Toughness (3), ")
    assert all("system." not in each and "[" not in each for each in (row["unused"], *row["left"]))
    assert read.left_out.height > len(row["left"]) + row["more"] > 20
    hear(tracker, {"kind": "bring", "rows": [{"row": 0, "side": "wild"}]})
    assert enc[enc.names[0]].side == "wild"


def test_what_could_not_be_read_is_told_apart_from_what_is_not_used(enc: ck.Encounter) -> None:
    path = FOREIGN / "gundark.json"
    spat = path.read_bytes().replace(b"Bite +15 (1d6+13)", b"Bite +15 (1d6+13); Spit +4 (special)")
    (row,) = dropped(Tracker(enc), path.name, spat)["review"]["rows"]
    (unread,) = row["unread"]
    assert unread == "melee “Spit +4 (special)”: it isn't dice"
    assert "28 skills" in row["unused"]
    assert row["says"].startswith("Bite +15, 1d6+13 · Defense 19 · 105 hp · ")


def test_a_table_without_sides_is_offered_for_the_foes(enc: ck.Encounter) -> None:
    tracker = Tracker(enc)
    rows = dropped(tracker, "pasted rows.txt", b"Name\tHP\nKobold\t4\nOgre\t30\n")["review"]["rows"]
    assert [(row["name"], row["side"], row["says"]) for row in rows] == [
        ("Kobold", "foes", "4 hp"),
        ("Ogre", "foes", "30 hp"),
    ]


def test_columns_that_are_no_stats_are_told_and_headings_are_asked_for(enc: ck.Encounter) -> None:
    tracker = Tracker(enc)
    text = b"Name;Side;HP;Notes\nKobold;;4;sneaky\nOgre;wild;30;\n"
    kobold, ogre = dropped(tracker, "pasted rows.txt", text)["review"]["rows"]
    assert (kobold["side"], kobold["says"], kobold["unused"]) == ("foes", "4 hp", "Notes")
    assert kobold["left"] == ["Notes: sneaky (no stat is called so)"]
    assert (ogre["side"], ogre["unused"], ogre["left"]) == ("wild", "", [])
    hear(tracker, {"kind": "bring", "rows": [{"row": 0, "side": "foes"}, {"row": 1, "side": "wild"}]})
    assert enc.names == ("Kobold", "Ogre")
    (bare,) = pieces("pasted rows.txt", b"Kobold\tfoes\t4\nOgre\tfoes\t30\n")
    assert "has no column called name, only 'Kobold', 'foes', '4'" in refused(tracker, bare)


def test_a_column_that_is_a_part_of_a_weapon_is_told_where_weapons_go(enc: ck.Encounter) -> None:
    text = b"name,side,weapon,damage,notes\nKobold,wild,Sword,1d8,sneaky\n"
    (kobold,) = dropped(Tracker(enc), "rows.csv", text)["review"]["rows"]
    right = "no stat is called so; the column is weapons: blaster pistol, 3d6+3, 9, 12"
    assert kobold["left"][:2] == [f"weapon: Sword ({right})", f"damage: 1d8 ({right})"]
    assert kobold["left"][2:] == ["notes: sneaky (no stat is called so)"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_file_joins_a_fight_and_its_dice_are_asked_for(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    enc.add("Mara", side="rebels")
    enc.start()
    tracker = Tracker(enc)
    hear(tracker, {"kind": "dice", "mode": "table"})
    dropped(tracker, "crew.csv", b"name,side,count\nMara,rebels,1\nGuard,law,2\n")
    rows = [{"row": 1, "side": "law"}]
    (answer,) = hear(tracker, {"kind": "choices", "id": 1, "name": None, "action": "bring", "params": {"rows": rows}})
    asked = {each["purpose"] for each in answer["dice"]}
    assert asked == {"Guard 1", "Guard 2"} or system != "saga", "only there does each of them roll"
    assert "already in the fight" in refused(tracker, {"kind": "bring", "rows": [{"row": 0}]})
    hear(tracker, {"kind": "bring", "rows": rows})
    assert enc.names == ("Mara", "Guard 1", "Guard 2")
    assert enc.can_undo == "Guard joins"


def test_what_a_file_asks_is_answered_and_nothing_else() -> None:
    table = b"name,Move,Armour Class,Hit Dice,Attacks,Damage\nCave toad,60-ft,7,1+1,1 bite,1d4\n"
    tracker = Tracker(ck.Encounter("segments"))
    (row,) = dropped(tracker, "toads.csv", table)["review"]["rows"]
    assert row["asks"]
    ask = next(each for each in row["asks"] if each["open"])
    assert ask["title"] != ask["stat"]
    answer = {"row": 0, "side": "wild", "given": {ask["stat"]: "12"}}
    for given, words in (({"ac": "2"}, "was not asked"), ({ask["stat"]: "x"}, ask["stat"])):
        assert words in refused(tracker, {"kind": "bring", "rows": [{**answer, "given": given}]})
    hear(tracker, {"kind": "bring", "rows": [answer]})
    assert tracker.encounter["Cave toad"].stats[ask["stat"]] == 12


def test_a_name_is_changed_in_review(enc: ck.Encounter) -> None:
    tracker = Tracker(enc)
    rows: list[dict[str, Any]] = [
        {"row": 0, "given": {"name": "Mara of the docks"}},
        {"row": 1, "given": {"name": "Sentry"}},
    ]
    dropped(tracker, "crew.csv", b"name,side\nMara,rebels\nGuard,law\n")
    alike = [rows[0], {"row": 1, "given": rows[0]["given"]}]
    assert "Mara of the docks" in refused(tracker, {"kind": "bring", "rows": alike})
    assert not enc.names
    dropped(tracker, "crew.csv", b"name,side,count\nMara,rebels,1\nGuard,law,2\n")
    hear(tracker, {"kind": "bring", "rows": rows})
    assert enc.names == ("Mara of the docks", "Sentry 1", "Sentry 2")


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_is_chosen_from_a_file_is_kept_on_the_shelf_beside_all_there_are(system: str, tmp_path: Path) -> None:
    shelf = ck.Shelf(tmp_path)
    enc = ck.Encounter(system, seed=7)
    tracker = Tracker(enc, shelf=shelf)
    text = b"name,side,count\nMara,rebels,1\nGuard,law,2\nVex,hunters,1\n"
    file = f"the.docks: at night.{system}.csv"
    assert dropped(tracker, file, text)["review"]["keeps"]
    rows = [{"row": 0, "given": {"name": "Nell"}}, {"row": 1, "side": "empire"}]
    hear(tracker, {"kind": "bring", "rows": rows, "keep": True})
    assert enc.names == ("Nell", "Guard 1", "Guard 2")
    enc.start()
    dropped(tracker, file, text)
    assert "already in the fight" in refused(tracker, {"kind": "bring", "rows": [rows[0]], "keep": True})
    hear(tracker, {"kind": "bring", "rows": [{"row": 2}], "keep": True})
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"the docks at night 2.{system}.toml",
        f"the docks at night.{system}.toml",
    ], "none takes another's place, and what is refused leaves none"
    kept = ck.Encounter(system).add_roster(tmp_path / f"the docks at night.{system}.toml")
    assert [(each.actor, each.data["side"]) for each in kept if each.kind == "combatant"] == [
        ("Nell", "rebels"),
        ("Guard 1", "empire"),
        ("Guard 2", "empire"),
    ]
    assert shelf.take("Vex", system=system)["name"] == "Vex"


def test_nothing_is_kept_where_there_is_no_shelf_of_ones_own(enc: ck.Encounter) -> None:
    tracker = Tracker(enc)
    assert not dropped(tracker, "crew.csv", b"name,side\nMara,rebels\n")["review"]["keeps"]
    assert "no folder" in refused(tracker, {"kind": "bring", "rows": [{"row": 0}], "keep": True})
    assert not enc.names


def test_a_file_of_another_time_or_system_is_not_added(enc: ck.Encounter) -> None:
    tracker = Tracker(enc)
    dropped(tracker, "crew.csv", b"name,side\nMara,rebels\n")
    for rows in ([{"row": 1}], [{"row": 0}, {"row": 0}], [{"row": -1}], []):
        assert refused(tracker, {"kind": "bring", "rows": rows})
    hear(tracker, {"kind": "ruleset", "ruleset": "d6"})
    assert "was read for saga" in refused(tracker, {"kind": "bring", "rows": [{"row": 0}]})


BROKEN: dict[str, tuple[str, bytes, str]] = {
    "no roster": ("crew.csv", b"who\nMara\n", "who"),
    "another tool": ("crew.json", b'{"a": 1}', "crew.json"),
    "another ending": ("crew.exe", b"MZ", "choose one that ends in .csv"),
    "no text": ("crew.csv", b"\xff\xfe\x00x", "crew.csv"),
    "deep": ("crew.json", b"[" * 100_000, "nested too deeply"),
    "entities": ("x.xml", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "x.xml"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_refused_in_plain_words(enc: ck.Encounter, what: str) -> None:
    name, content, words = BROKEN[what]
    tracker = Tracker(enc)
    for message in pieces(name, content)[:-1]:
        hear(tracker, message)
    why = refused(tracker, pieces(name, content)[-1])
    assert words in why
    assert not why.startswith("This could not be done")
    assert tracker._vantage.drop.read is None


def test_pieces_come_in_order_or_the_file_is_forgotten(enc: ck.Encounter) -> None:
    tracker = Tracker(enc)
    content = b"name,side\n" + b"".join(b"Guard %d,law\n" % n for n in range(4_000))
    first, second, *_ = pieces("crew.csv", content)
    wrong: list[tuple[dict[str, Any], str]] = [
        (second | {"at": 2 * PIECE}, "out of order"),
        (second | {"name": "other.csv"}, "out of order"),
        (second | {"size": len(content) + 1}, "out of order"),
        (second | {"data": "###"}, "base64"),
        (second | {"data": ""}, "didn't arrive whole"),
        (second | {"at": -1}, "out of order"),
        (second | {"name": ""}, "1 to 200 characters"),
        (first | {"size": 5}, "didn't arrive whole"),
        (first | {"size": 0}, "is empty"),
        (first | {"size": FILE + 1}, "1,048,577 bytes"),
        (first | {"size": -1}, "1 to 1,048,576 bytes"),
    ]
    for message, words in wrong:
        assert hear(tracker, first)[0]["at"] == PIECE
        assert words in refused(tracker, message)
        assert tracker._vantage.drop.come == 0
    assert "out of order" in refused(tracker, second), "what was forgotten is not gone on with"


def test_twenty_files_in_a_row_hold_no_more_than_one(enc: ck.Encounter) -> None:
    tracker = Tracker(enc)
    (message,) = pieces("x.csv", b"x" * PIECE)
    assert len(str(message)) < MESSAGE
    begun = [message | {"size": FILE, "name": f"{number}.csv", "at": 0} for number in range(20)]
    hear(tracker, begun[0])
    before = pieces_held()
    for each in begun:
        hear(tracker, each)
        for at in range(PIECE, 3 * PIECE, PIECE):
            hear(tracker, each | {"at": at})
    assert tracker._vantage.drop.come == 3 * PIECE
    assert pieces_held() <= before + 1


def pieces_held() -> int:
    """Count what holds at least a piece of a file."""
    gc.collect()
    gc.unfreeze()  # what was there before all tests may be what holds it
    kept = gc.get_referents(*gc.get_objects())
    gc.freeze()
    return len({id(held) for held in kept if isinstance(held, (str, bytes, bytearray)) and len(held) >= PIECE})


def test_a_file_as_large_as_may_be_is_reviewed_within_an_answer(enc: ck.Encounter) -> None:
    line = b"Guard %04d of the long northern wall," + b"x" * 60 + b",law\n"
    rows = [line % number for number in range(9_000)]
    content = (b"name,group,side\n" + b"".join(rows))[:FILE]
    content = content[: content.rindex(b"\n") + 1]
    answer = dropped(Tracker(enc), "wall.csv", content)
    assert len(answer["review"]["rows"]) == 100
    assert answer["review"]["more"] > 8_000
    assert len(str(answer)) < 64_000


# ── the journal ──


def test_a_fight_of_the_tracker_is_kept_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "friday.combat"
    tracker = Tracker(journal=path)
    hear(tracker, {"kind": "ruleset", "ruleset": "saga"})
    party(tracker)
    hear(tracker, {"kind": "start"})
    before = tracker.encounter.digest
    tracker.encounter.close()
    tracker.close()
    again = Tracker(journal=path)
    assert again.encounter.digest == before
    assert again.view["mode"] == "play"
    hear(again, {"kind": "finish"})
    hear(again, {"kind": "restart"})
    hear(again, {"kind": "start"})
    fresh = again.encounter.id
    assert fresh in {entry.id for entry in ck.campaign(path)}
    hear(again, {"kind": "finish"})
    hear(again, {"kind": "clear", "side": "rebels"})
    last = again.encounter
    last.close()
    again.close()
    assert Tracker(journal=path).encounter.id == last.id
    last.close()


def test_a_scene_is_kept_in_the_journal_too(tmp_path: Path) -> None:
    path = tmp_path / "friday.combat"
    tracker = Tracker(journal=path)
    hear(tracker, {"kind": "ruleset", "ruleset": "saga"})
    hear(tracker, {"kind": "scene", "scene": "catwalk"})
    assert tracker.encounter.id in {entry.id for entry in ck.campaign(path)}
    tracker.encounter.close()


def test_a_journal_beside_a_fight_that_is_given_is_refused(enc: ck.Encounter, tmp_path: Path) -> None:
    with pytest.raises(ck.InvalidInput, match=r"was made without a journal: make it with Encounter\('saga', journal"):
        Tracker(enc, journal=tmp_path / "a.combat")
    kept = ck.Encounter("saga", journal=tmp_path / "b.combat")
    with pytest.raises(ck.InvalidInput, match="is already kept in a journal: leave journal= out"):
        Tracker(kept, journal=tmp_path / "a.combat")
    kept.close()
    assert not (tmp_path / "a.combat").exists()


def test_what_is_no_journal_and_no_shelf_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a journal")
    with pytest.raises(ck.JournalError):
        Tracker(journal=text)
    assert text.read_text() == "not a journal"
    wrong: Any = 3
    for shelf in (tmp_path / "none", wrong):
        with pytest.raises(ck.InvalidInput, match="folder"):
            Tracker(shelf=shelf)


def test_the_players_view_asks_the_shelf_nothing(enc: ck.Encounter) -> None:
    tracker = Tracker(enc, view="players")
    for message in ({"kind": "shelf"}, {"kind": "file", "name": "x", "size": 1, "at": 0, "data": "eA=="}):
        assert "you can only watch" in refused(tracker, message)


def test_the_rules_can_be_chosen_anew_and_nobody_is_lost() -> None:
    tracker = ck.Tracker()
    hear(tracker, {"kind": "ruleset", "ruleset": "saga"})
    hear(tracker, {"kind": "add", "name": "Mara", "side": "rebels", "dex": 4, "hp": 38, "portrait": "M"})
    hear(tracker, {"kind": "add", "name": "Guard", "side": "empire", "count": 2, "npc": True})
    assert [id for id, _ in tracker.view["systems"]] == [rules.id for rules in ck.rulesets()]
    assert hear(tracker, {"kind": "ruleset", "ruleset": "d6", "id": 3})[0]["kind"] == "delta"
    enc = tracker.encounter
    assert (enc.ruleset.id, enc.names) == ("d6", ("Mara", "Guard 1", "Guard 2"))
    assert [(enc[name].side, enc[name].group) for name in enc.names] == [
        ("rebels", None),
        ("empire", "Guard"),
        ("empire", "Guard"),
    ]
    assert enc["Mara"].stats["portrait"] == "M"
    assert [enc._state.fighters[name].npc for name in enc.names] == [False, True, True]
    hear(tracker, {"kind": "leave", "name": "Guard 2"})
    hear(tracker, {"kind": "add", "name": "Vex", "side": "empire", "resolve": 9})
    hear(tracker, {"kind": "ruleset", "ruleset": "saga"})
    enc = tracker.encounter
    assert (enc.ruleset.id, sorted(enc.names)) == ("saga", ["Guard 1", "Mara", "Vex"])
    assert (enc["Mara"].stats["dex"], enc["Mara"].stats["hp"]) == (4, 38), "what was typed is as it was"
    enc.start()
    (refused,) = hear(tracker, {"kind": "ruleset", "ruleset": "d6", "id": 4})
    assert "before the fight begins" in refused["reason"]


@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_the_set_up_asks_for_a_number_a_roll_however_many_share_it(system: str) -> None:
    tracker = ck.Tracker(ck.Encounter(system, seed=7))
    hear(tracker, {"kind": "dice", "mode": "table"})
    found = tracker._vantage.shelf.search("", system=system).row(0, named=True)
    for count in (1, 1, 2):
        hear(
            tracker, {"kind": "take", "name": found["name"], "source": found["source"], "side": "foes", "count": count}
        )
    question = {"kind": "choices", "name": None, "action": "start", "id": 1}
    (answer,) = hear(tracker, question)
    asked = [die["who"]["name"] for die in answer["dice"]]
    enc = tracker.encounter
    claims = {name: enc.ruleset.claim(enc._state, enc._state.fighters[name]).shares or name for name in enc.names}
    assert len(asked) in (0, len({*claims.values()}))
    if system in ("ap", "saga"):
        assert len(asked) == {"ap": 1, "saga": 4}[system]


# ── saved fights ──


def saved(system: str, tmp_path: Path) -> tuple[ck.Encounter, bytes]:
    """Give a fight under way, with a call undone, and its saved copy."""
    enc = ck.scene("catwalk").encounter(system, seed=7)
    enc.end_turn()
    enc.damage(enc.names[0], 1)
    enc.undo()
    enc.save(tmp_path / "docks.fight")
    return enc, (tmp_path / "docks.fight").read_bytes()


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_saved_fight_that_is_dropped_goes_on_where_it_was(system: str, tmp_path: Path) -> None:
    enc, content = saved(system, tmp_path)
    tracker = Tracker()
    assert "leaves" in dropped(tracker, "docks.combat", content)["copy"], "a copy is a journal"
    told = dropped(tracker, "docks.fight", content)["copy"]
    assert told["file"] == "docks.fight"
    assert told["says"].startswith(f"{enc.ruleset.title}: ")
    assert told["says"].endswith(", 5 combatants")
    assert not told["leaves"]
    assert tracker.view["mode"] == "setup", "nothing is opened unasked"
    hear(tracker, {"kind": "open"})
    assert tracker.encounter.digest == enc.digest
    assert (tracker.view["mode"], tracker.encounter.active) == ("play", enc.active)
    hear(tracker, {"kind": "redo"})
    enc.redo()
    assert tracker.encounter.digest == enc.digest
    assert "no saved fight is under review" in refused(tracker, {"kind": "open"})


def test_a_fight_that_is_set_up_is_left_for_a_saved_one_only_when_that_is_said(tmp_path: Path) -> None:
    enc, content = saved("saga", tmp_path)
    tracker = Tracker()
    hear(tracker, {"kind": "add", "name": "Tarn", "side": "rebels"})
    assert dropped(tracker, "docks.fight", content)["copy"]["leaves"]
    assert "Press again to leave it" in refused(tracker, {"kind": "open"})
    assert tracker.encounter.names == ("Tarn",)
    hear(tracker, {"kind": "open", "leave": True})
    assert tracker.encounter.digest == enc.digest


def test_a_fight_under_way_is_not_left_for_a_saved_one(tmp_path: Path) -> None:
    _, content = saved("saga", tmp_path)
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels")
    enc.start()
    tracker = Tracker(enc)
    dropped(tracker, "docks.fight", content)
    assert "A fight is under way here" in refused(tracker, {"kind": "open", "leave": True})
    assert tracker.encounter is enc


def test_a_saved_fight_is_kept_in_the_trackers_journal_once(tmp_path: Path) -> None:
    enc, content = saved("saga", tmp_path)
    journal = tmp_path / "friday.combat"
    tracker = Tracker(journal=journal)
    dropped(tracker, "docks.fight", content)
    hear(tracker, {"kind": "open"})
    tracker.encounter.end_turn()
    digest = tracker.encounter.digest
    tracker.encounter.close()
    again = ck.Encounter.open(journal, enc.id)
    assert again.digest == digest
    again.close()
    other = Tracker(ck.Encounter("saga", id="other", journal=journal))
    dropped(other, "docks.fight", content)
    assert "friday.combat already holds this fight" in refused(other, {"kind": "open"})


def test_what_is_run_again_is_kept_where_the_fight_was(tmp_path: Path) -> None:
    journal = tmp_path / "friday.combat"
    tracker = Tracker(ck.scene("catwalk").encounter("saga", id="first", journal=journal))
    hear(tracker, {"kind": "finish"})
    hear(tracker, {"kind": "restart"})
    hear(tracker, {"kind": "start"})
    assert [each.stage for each in ck.campaign(journal)] == ["over", "running"]
    assert ck.campaign(journal)[1].id == tracker.encounter.id


def test_whom_a_fight_surprised_it_surprises_again_unless_that_is_unticked() -> None:
    tracker = Tracker(ck.scene("ambush").encounter("saga"))
    hear(tracker, {"kind": "finish"})
    hear(tracker, {"kind": "restart"})
    (caught,) = [each["name"] for each in tracker.view["setup"]["combatants"] if each["surprised"]]
    hear(tracker, {"kind": "start", "surprised": [caught]})
    assert tracker.view["clock"]["label"] == "Surprise round"
    hear(tracker, {"kind": "undo"})
    hear(tracker, {"kind": "condition", "name": caught, "condition": "surprised", "off": True})
    hear(tracker, {"kind": "start"})
    assert tracker.view["clock"]["label"] == "Round 1"


def test_a_forged_copy_is_refused_and_a_large_one_says_what_opens_it(tmp_path: Path) -> None:
    _, content = saved("saga", tmp_path)
    tracker = Tracker()
    *before, last = pieces("docks.fight", content.replace(b"Mara", b"Tara", 1))
    for message in before:
        hear(tracker, message)
    assert "docks.fight: line 2 was changed after it was written" in refused(tracker, last)
    assert "no saved fight is under review" in refused(tracker, {"kind": "open"})
    large = {"kind": "file", "name": "docks.fight", "size": FILE + 1, "at": 0, "data": "AA=="}
    assert 'ck.Tracker(ck.load("docks.fight")) opens it' in refused(tracker, large)
