"""A shelf: creatures of the kit, one's own rosters, files of other tools, found by name and taken into a fight."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import combatkit as ck
from combatkit.errors import InvalidInput, UnknownName
from combatkit.shelf.items import KIT

DATA = Path(__file__).parent / "data" / "foreign"
SYSTEMS = ["saga", "d6", "ap", "segments", "phases"]
ROSTER = "name,side,dex,hp\nMara,party,4,38\nNexu,party,9,99\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "party.csv").write_text(ROSTER, encoding="utf-8")
    for name in ("darci.hdc", "gundark.json"):
        shutil.copy(DATA / name, tmp_path / name)
    rats = [{"Name": "Dock rat", "HP": {"Value": 3}, "Abilities": {"Dex": 15}}]
    (tmp_path / "rats.json").write_text(json.dumps(rats), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("system", "least"), [("saga", 117), ("d6", 12), ("ap", 12), ("segments", 12), ("phases", 12)])
def test_the_kit_has_creatures_in_every_system_and_a_scene_on_them(system: str, least: int) -> None:
    shelf = ck.Shelf()
    found = shelf.search(system=system)
    assert found.filter(source=KIT, system=system).height >= least
    assert found["name"].n_unique() == found.height
    (scene,) = [each for each in shelf.scenes if each.system == system]
    enc = scene.encounter(system, seed=1)
    taken = [name for name in enc.names if name.rstrip(" 1234567890") in set(found["name"])]
    assert len(taken) >= 3


@pytest.mark.parametrize(
    ("system", "hit_by"),
    [("saga", "defense"), ("d6", "defense"), ("ap", "defense"), ("segments", "ac"), ("phases", "dcv")],
)
def test_whoever_stands_first_on_a_shelf_can_hit_and_be_hit(system: str, hit_by: str) -> None:
    shelf = ck.Shelf()
    for name in shelf.search(system=system)["name"].to_list()[:12]:
        sheet = shelf.take(name, system=system)
        assert sheet.get("weapons") or sheet.get("attacks"), name
        assert hit_by in sheet, name


@pytest.mark.parametrize(
    ("beast", "attack", "defense"),
    [("Gundark", ("Bite", 15, "1d6+13"), 19), ("Mynock Swarm", ("Wing Buffet", 0, "1d4"), 15)],
)
def test_beasts_whose_attacks_are_known_have_them(beast: str, attack: tuple[str, int, str], defense: int) -> None:
    sheet = ck.Shelf().take(beast, system="saga")
    first = sheet["weapons"][0]
    assert (first["name"], first["attack"], first["damage"]) == attack
    assert sheet["defense"] == defense


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_shelf_tells_sheets_in_words(system: str) -> None:
    for says in ck.Shelf().search(system=system)["says"]:
        assert not set(says) & set("_{}[]'"), says


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_creature_of_the_kit_can_be_taken(system: str) -> None:
    shelf = ck.Shelf()
    enc = ck.Encounter(system, seed=1)
    names = shelf.search(system=system)["name"].to_list()
    for name in names:
        enc.add(**shelf.take(name, count=2, system=system), side="foes")
    assert enc.names == tuple(f"{name} {number}" for name in names for number in (1, 2))


@pytest.mark.parametrize("scene", [each for each in ck.Shelf().scenes if each.system], ids=lambda each: each.id)
def test_a_scene_on_the_shelf_plays_in_its_system(scene: object) -> None:
    assert isinstance(scene, type(ck.scene("catwalk")))
    enc = scene.encounter(scene.system or "", seed=4)
    ck.play(enc, ck.tactics.strike, rounds=6)
    assert enc.history.events.filter(kind="damage").height > 3


def test_a_scenes_creatures_have_the_numbers_of_the_shelf() -> None:
    enc = ck.scene("cantina-cages").encounter("saga", seed=1)
    assert [enc["Gundark"].stats[s] for s in ("dex", "level", "hp")] == [4, 9, 105]
    assert enc["Nexu 2"].stats["hp"] == 45
    named = ck.scene("warehouse-raid").encounter("d6", seed=1)
    assert named["Juno"].stats["weapons"][0]["name"] == "heavy pistol"


def test_a_scene_of_one_system_plays_in_another_by_its_grades() -> None:
    assert ck.scene("warehouse-raid").encounter("saga", seed=1)["Juno"].stats["dex"] == 2


def test_words_are_found_in_any_order_and_beginnings_come_first() -> None:
    shelf = ck.Shelf()
    assert shelf.search("captain harb", system="d6").is_empty()
    assert shelf.search("captain smug", system="d6")["name"].to_list() == ["Smuggler captain"]
    assert shelf.search("gang g", system="phases")["name"].to_list() == ["Gang gunner", "Gang boss"]
    assert shelf.search("WATCH", system="d6")["name"].to_list() == ["Watch sergeant", "Harbour watch"]
    assert shelf.search("no such thing").columns == ["name", "system", "source", "npc", "says"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_shelf_opens_with_names_that_begin_with_a_letter(system: str) -> None:
    letters = [name[0].isalpha() for name in ck.Shelf().search(system=system)["name"]]
    assert letters == sorted(letters, reverse=True)


def test_ones_own_stand_before_the_kits(folder: Path) -> None:
    shelf = ck.Shelf(folder)
    assert shelf.search("nexu").select("source", "says").rows()[0] == ("party.csv", "99 hp · Dex 9")
    assert shelf.take("nexu", system="saga")["hp"] == 99


def test_rosters_and_foreign_files_of_a_folder_are_found_and_taken(folder: Path) -> None:
    shelf = ck.Shelf(str(folder))
    found = shelf.search().iter_rows(named=True)
    sources = {row["name"]: (row["system"], row["source"]) for row in found if row["source"] != KIT}
    assert sources == {
        "Mara": ("saga", "party.csv"),
        "Nexu": ("saga", "party.csv"),
        "Darci": ("phases", "darci.hdc"),
        "Gundark": ("saga", "gundark.json"),
        "Dock rat": (None, "rats.json"),
    }
    assert shelf.take("Darci")["stun"] == 26
    assert shelf.take("Dock rat", system="saga") == {"name": "Dock rat", "count": 1, "npc": True, "dex": 2, "hp": 3}
    assert shelf.take("Dock rat", system="d6")["resolve"] == 3
    with pytest.raises(InvalidInput, match="Dock rat could be for any system; say which"):
        shelf.take("Dock rat")


@pytest.mark.parametrize("system", SYSTEMS)
def test_whatever_is_found_for_a_system_can_be_taken_into_its_fight(folder: Path, system: str) -> None:
    shelf = ck.Shelf(folder)
    enc = ck.Encounter(system, seed=1)
    for number, name in enumerate(dict.fromkeys(shelf.search(system=system)["name"])):
        taken = shelf.take(name, system=system)
        if number % 9 == 0 or taken["name"] in ("Mara", "Darci", "Dock rat"):
            enc.add(**taken, side="all")


def test_a_roster_that_fits_several_systems_is_taken_for_the_one_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "crowd.csv").write_text("name,side,hp\nBystander,crowd,4\n", encoding="utf-8")
    shelf = ck.Shelf(tmp_path)
    with pytest.raises(InvalidInput, match=r"Bystander could be for ap, saga, segments; say which"):
        shelf.take("Bystander")
    assert shelf.take("Bystander", 3, "ap") == {"name": "Bystander", "count": 3, "npc": False, "hp": 4}


def test_a_party_is_kept_and_comes_back_as_it_was_added(tmp_path: Path) -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="party", dex=4, hp=38, feats=["Quick Draw"], at=(1, 2))
    enc.add("Ilya", side="party", dex=1, hp=40)
    enc.add("Pell", side="party", hp=12)
    enc.add("Guard", side="empire", count=2, npc=True)
    enc.start()
    enc.adjust("Mara", "hp", -5)
    enc.condition("Pell", "dead")
    enc.leave("Ilya")
    shelf = ck.Shelf(tmp_path)
    path = shelf.keep("friday", enc, "party")
    assert path == tmp_path.resolve() / "friday.saga.toml"
    again = ck.Encounter("saga", seed=2)
    again.add_roster(path)
    assert again.names == ("Mara", "Ilya")
    assert again["Mara"].stats == enc["Mara"].stats
    assert (again["Mara"].values["hp"], again["Mara"].position) == (38, None)
    assert shelf.take("Mara")["feats"] == ("Quick Draw",)
    enc.condition("Ilya", "dead")
    shelf.keep("friday", enc, "party")
    assert shelf.search("ilya").is_empty()


@pytest.mark.parametrize(
    "name", ["", " ", "../x", "a/b", "a\\b", "C:x", ".hidden", "x.toml", "a\nb", "x" * 81, 3, None, "\ud800"]
)
def test_a_party_is_kept_under_a_bare_name_only(tmp_path: Path, name: object) -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="party")
    with pytest.raises(InvalidInput, match="can't be a file's name"):
        ck.Shelf(tmp_path).keep(name, enc, "party")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_keeping_says_what_it_lacks(tmp_path: Path) -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="party")
    with pytest.raises(InvalidInput, match="this shelf has no folder"):
        ck.Shelf().keep("friday", enc, "party")
    with pytest.raises(UnknownName, match="did you mean 'party'"):
        ck.Shelf(tmp_path).keep("friday", enc, "partei")


def test_a_file_that_cannot_be_read_takes_none_of_the_others_with_it(folder: Path) -> None:
    (folder / "broken.json").write_text('{"Name": ', encoding="utf-8")
    (folder / "notes.csv").write_text("a,b,c\n1,2,3\n", encoding="utf-8")
    shelf = ck.Shelf(folder)
    assert shelf.search("mara").height == 1
    assert shelf.unread.keys() == {"broken.json", "notes.csv"}
    assert "broken.json" in shelf.unread["broken.json"]


def test_a_file_that_changes_is_read_anew_and_one_that_goes_is_gone(folder: Path) -> None:
    shelf = ck.Shelf(folder)
    assert shelf.search("mara").height == 1
    (folder / "party.csv").write_text(ROSTER.replace("Mara", "Maruska"), encoding="utf-8")
    assert shelf.search("mara").is_empty()
    assert shelf.search("maruska").height == 1
    (folder / "party.csv").unlink()
    assert shelf.search("maruska").is_empty()


@pytest.mark.parametrize("name", ["Nexuu", 3, None, ["Nexu"], "x" * 1000])
def test_nobody_of_that_name_is_told_with_the_nearest(name: object) -> None:
    with pytest.raises(UnknownName, match="unknown creature on the shelf"):
        ck.Shelf().take(name, system="saga")  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [0, -1, 101, True, "2", 1.5])
def test_a_count_that_cannot_be_is_refused(count: object) -> None:
    with pytest.raises(InvalidInput, match="count is"):
        ck.Shelf().take("Nexu", count)  # type: ignore[arg-type]


def test_a_folder_there_is_none_of_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="there is no folder"):
        ck.Shelf(tmp_path / "nowhere")
    with pytest.raises(UnknownName, match="unknown ruleset"):
        ck.Shelf().search("x", system="gurps")
    with pytest.raises(InvalidInput, match="give words of a name"):
        ck.Shelf().search(3)  # type: ignore[arg-type]


def test_rows_of_one_name_in_a_roster_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "den.csv").write_text("name,side,hp\nKobold,den,5\nKobold,den,4\n")
    shelf = ck.Shelf(tmp_path)
    assert [shelf.take(name, system="saga")["hp"] for name in ("Kobold", "Kobold 2")] == [5, 4]
    enc = ck.Encounter("saga", seed=7)
    enc.add_roster(shelf.party("den.csv", "saga"))
    assert [(name, enc[name].stats["hp"]) for name in enc.names] == [("Kobold", 5), ("Kobold 2", 4)]


@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_a_shelf_begins_with_people_who_can_hit_and_be_hit(system: str) -> None:
    first = ck.Shelf().search(system=system).head(2)["name"].to_list()
    enc = ck.Encounter(system, seed=7)
    for name in first:
        enc.add(**ck.Shelf().take(name, system=system), side=name)
        assert enc[name].stats["weapons" if system != "segments" else "attacks"]
