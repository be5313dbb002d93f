"""Files of other tools: told by content, read exactly, and what is not read is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.errors import InvalidInput, UnknownName
from combatkit.files.foreign.mapping import check_stats_named, formats_of, unknowing

DATA = Path(__file__).parent / "data" / "foreign"
SYSTEMS = ["saga", "d6", "ap", "segments", "phases"]

RAT = {
    "Name": "Dock rat",
    "HP": {"Value": 3, "Notes": "(1d6)"},
    "AC": {"Value": 12},
    "Abilities": {"Str": 6, "Dex": 15},
}
PIP = {"Name": "Pip", "HP": {"Value": 9}, "AC": {"Value": 14}, "Abilities": {"Dex": 7}, "Player": "Ann"}

OSRIC = """name,Move,Armour Class,Hit Dice,Attacks,Damage,Intelligence
Cave toad,60-ft,7,1+1,1 bite,1d4,Low
Ridge drake,"1,020-ft; 240-ft flying (AA:II)",-2,8 to 10,3,1d6/1d6/4d6,High
Sand mole,120-ft (60-ft burrowing),5,3,2 claws/1 bite,1d3/1d3/1d6,None
Raider,12-ft,7,1d6+1 hp,1 (or 2),By weapon,Mean
"""

BFRPG = [
    {"name": "Marsh eel", "armorclass": "17", "hitdice": "4*", "hitdiceroll": [4, 8, 0], "movement": "30' Fly 60' (9')",
     "noattacks": "2 claws, 1 bite", "damage": "1d4 claw, 2d6 bite", "attackbonus": 4},
    {"name": "Dusk moth", "armorclass": "20 (m)", "hitdice": "1 Hit Point", "hitdiceroll": [0, 0, 1], "movement": "40'",
     "noattacks": "1 bite or 1 spit", "damage": "1d4 bite", "attackbonus": 0},
]  # fmt: skip

GROUNDS = """<?xml version="1.0" encoding="utf-8"?>
<root version="4.4"><combattracker><list>
<id-00001><name type="string">Sela</name><friendfoe type="string">friend</friendfoe><hptotal type="number">12</hptotal>
<ac type="number">16</ac><wounds type="number">5</wounds><link type="windowreference"><class>charsheet</class></link>
<abilities><dexterity><score type="number">14</score></dexterity></abilities></id-00001>
<id-00002><name type="string">Wight</name><friendfoe type="string">foe</friendfoe><hptotal type="number">40</hptotal>
<link type="windowreference"><class>npc</class></link></id-00002>
<id-00003><name type="string">Wight</name><friendfoe type="string">foe</friendfoe><hptotal type="number">40</hptotal>
<link type="windowreference"><class>npc</class></link></id-00003>
</list></combattracker><charsheet><id-00001><name type="string">Sela</name></id-00001></charsheet></root>
"""

RANCOR = {
    "entries": [
        {
            "name": "Cave Brute",
            "type": "npc",
            "system": {
                "attributes": {"dex": {"manual": "9"}, "str": {"manual": "26"}},
                "health": {"max": 138},
                "defense": {"reflex": {"expected": 17}},
                "providedItems": [
                    {"type": "class", "name": "Beast", "quantity": "9"},
                    {"type": "class", "name": "Scout", "quantity": "3"},
                    {"type": "feat", "name": "Cleave"},
                    {"type": "feat", "name": "Quick Draw"},
                ],
            },
        },
        {"name": "A pack of torches", "type": "item"},
    ]
}


def rows(read: ck.Foreign) -> list[dict[str, Any]]:
    """Give the roster as a fight takes it."""
    enc = ck.Encounter(read.system or "saga", seed=1)
    enc.add_roster(read)
    return [{"name": n, "side": enc[n].side, **enc[n].stats} for n in enc.names]


def left(read: ck.Foreign, field: str) -> tuple[str, str]:
    found = [(value, why) for _, at, value, why in read.left_out.rows() if at == field]
    assert found, (field, read.left_out.get_column("field").to_list())
    return found[0]


def asked(read: ck.Foreign, name: str) -> dict[str, str | None]:
    return {stat: proposed for who, stat, _, proposed in read.asks.rows() if who == name}


@pytest.mark.parametrize("name", ["darci", "henkle", "chariot"])
def test_a_hero_file_comes_to_the_numbers_another_importer_made_of_it(name: str) -> None:
    numbers = json.loads((DATA / f"{name}.txt").read_text())
    read = ck.foreign(DATA / f"{name}.hdc")
    row = read.roster.row(0, named=True)
    assert (read.format, read.system, row["name"]) == ("hero-designer", "phases", numbers["character_name"])
    for stat, theirs in {"ocv": "ocv", "dcv": "dcv", "body": "body", "stun": "stun", "end": "endurance"}.items():
        assert str(row.get(stat, "")) == numbers[theirs], stat
    assert str(row.get("recovery", "")) == numbers["recovery"]
    assert row["movement"] == int(numbers["running"]) // 2


def test_a_hero_files_speed_is_left_out_by_name_and_its_combat_value_asked() -> None:
    read = ck.foreign(DATA / "darci.hdc")
    assert left(read, "CHARACTERISTICS.SPD") == ("SPD 2", "SPD: everybody acts in every phase")
    assert asked(read, "Darci") == {"side": "party", "combat_value": "4"}


def test_what_a_vehicle_lacks_is_asked_and_its_powers_change_no_number() -> None:
    read = ck.foreign(DATA / "chariot.hdc")
    assert asked(read, "Chariot").keys() == {"side", "combat_value", "recovery", "stun", "end"}
    assert read.roster["movement"].item() == 0
    assert left(read, "POWERS.RUNNING")[0] == "Motorized Vehicle Ground Movement 45"


def test_fifth_edition_derives_what_its_file_does_not_hold() -> None:
    """STR 20, DEX 12, CON 20, BODY 14: OCV 12/3, REC 4 + 4 + 2, STUN 14 + 10 + 10 + 2, END 40; running 6 + 1 hexes."""
    row = ck.foreign(DATA / "demon-5e.hdc.xml").roster.row(0, named=True)
    assert [row[s] for s in ("ocv", "dcv", "recovery", "stun", "body", "end", "movement")] == [4, 4, 10, 36, 14, 40, 7]


def test_a_base_is_asked_for_what_its_template_sets() -> None:
    read = ck.foreign(DATA / "base-6e.hdc.xml")
    assert read.roster.columns == ["name", "side", "count", "npc"]
    assert asked(read, "TEST 6e Base")["body"] is None
    assert asked(read, "TEST 6e Base")["npc"] == "true"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-8", "utf-8-sig"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_hero_file_is_read_by_its_bytes_whatever_its_header_says(codec: str, mark: str) -> None:
    text = (DATA / "demon-5e.hdc.xml").read_text(encoding="utf-8")
    assert 'encoding="UTF-16"' in text
    assert ck.foreign((mark + text).encode(codec)).roster["name"].to_list() == ["Demon"]


def test_an_empty_name_takes_the_files_stem_and_stands_in_asks(tmp_path: Path) -> None:
    text = (DATA / "demon-5e.hdc.xml").read_text(encoding="utf-8").replace('"Demon"', '""', 1)
    path = tmp_path / "Minor fiend.hdc.xml"
    path.write_text(text, encoding="utf-8")
    read = ck.foreign(path)
    assert read.roster["name"].to_list() == ["Minor fiend"]
    assert asked(read, "Minor fiend")["name"] == "Minor fiend"


def test_blanks_before_xml_mean_nothing_and_lines_are_counted_with_them() -> None:
    text = (DATA / "demon-5e.hdc.xml").read_text(encoding="utf-8")
    assert text.startswith("<?xml")
    assert ck.foreign(" \n\t\n" + text).roster.equals(ck.foreign(text).roster)
    with pytest.raises(InvalidInput, match=r"fiend\.hdc, line 4: it is broken XML"):
        ck.foreign("\n\n<CHARACTER>\n", name="fiend.hdc")


def test_content_may_come_with_the_name_of_its_file() -> None:
    text = (DATA / "demon-5e.hdc.xml").read_text(encoding="utf-8").replace('"Demon"', '""', 1)
    for content in (text, text.encode()):
        named = ck.foreign(content, name="uploads/Minor fiend.hdc")
        assert named.roster["name"].to_list() == ["Minor fiend"]
        assert ck.foreign(content).roster["name"].to_list() == ["Unnamed"]
    with pytest.raises(InvalidInput, match=r"fiend\.hdc, line 2: it is broken XML"):
        ck.foreign("<CHARACTER>\n", name="fiend.hdc")
    for wrong in ("", 3, "x" * 300):
        with pytest.raises(InvalidInput, match="the name of a foreign file is"):
            ck.foreign(text, name=wrong)  # type: ignore[arg-type]


def test_a_template_of_ones_own_is_proposed_and_not_taken() -> None:
    text = (DATA / "darci.hdc").read_bytes().decode("utf-16").replace("builtIn.Heroic6E.hdt", "C:\\mine.hdt")
    read = ck.foreign(text)
    assert "ocv" not in read.roster.columns
    assert (asked(read, "Darci")["ocv"], asked(read, "Darci")["stun"]) == ("4", "26")


def test_a_beast_of_swse_comes_to_its_numbers() -> None:
    """Dexterity 18 is +4; initiative 9 less 4 less half of level 9 is 1."""
    read = ck.foreign(DATA / "gundark.json")
    row = read.roster.row(0, named=True)
    assert (read.format, read.system) == ("foundry-swse", "saga")
    assert [row[s] for s in ("dex", "level", "initiative_misc", "hp", "speed", "defense")] == [4, 9, 1, 105, 6, 19]
    weapons = {each["name"]: (each["attack"], each["damage"]) for each in rows(read)[0]["weapons"]}
    assert weapons["Club with Mighty Swing"] == (15, "2d6+16")


LINES = {
    "Slam +9* (1d8+14)": {"Slam": (9, "1d8+14")},
    "Bite\u2020 +4 (1d6*)\u2021": {"Bite": (4, "1d6")},
    "2 Claws +7 (1d6+4) and Bite +2 (1d8)": {"2 Claws": (7, "1d6+4"), "Bite": (2, "1d8")},
    "Claw +1 (1d4), or Tail -1 (1d6); and Sting +0 (1d3)": {
        "Claw": (1, "1d4"),
        "Tail": (-1, "1d6"),
        "Sting": (0, "1d3"),
    },
    "Breath +3 (1, Area Attack) plus Poison": {"Breath plus Poison, Area Attack": (3, 1)},
    "Bite +5/+2 (1d8)": {"Bite, +5/+2": (5, "1d8")},
    "Bite \N{MINUS SIGN}1 (1d3)": {"Bite": (-1, "1d3")},
    "Sting +2 (2-Square Reach) (1d6+7, See Below) plus Poison": {
        "Sting plus Poison, 2-Square Reach, See Below": (2, "1d6+7")
    },
    "Bite +5 (1d6) (Rot); Slam +2* (1d8) and": {"Bite, Rot": (5, "1d6"), "Slam": (2, "1d8")},
    "Bite and Claw +4 (1d6)": {"Bite and Claw": (4, "1d6")},
    "Android Gun +2 (3d6)": {"Android Gun": (2, "3d6")},
}


@pytest.mark.parametrize("line", LINES)
def test_attacks_of_a_beast_are_read_as_people_write_them(line: str) -> None:
    beast = json.loads((DATA / "gundark.json").read_text())
    beast["flags"]["swse"]["beastData"]["melee"] = line
    (mine,) = rows(ck.foreign(json.dumps(beast)))
    assert {each["name"]: (each["attack"], each["damage"]) for each in mine["weapons"]} == LINES[line]


@pytest.mark.parametrize("line", ["Spit +4 (special)", "and +3 (1d4)", "Bite (1d6)", ""])
def test_who_ends_without_an_attack_is_asked(line: str) -> None:
    beast = json.loads((DATA / "gundark.json").read_text())
    beast["flags"]["swse"]["beastData"]["melee"] = line
    read = ck.foreign(json.dumps(beast))
    assert "weapons" in asked(read, "Gundark")
    assert "weapons" not in rows(read)[0] or not rows(read)[0]["weapons"]


def test_a_word_that_joins_is_no_part_of_a_name() -> None:
    droid = json.loads((DATA / "viper.json").read_text())
    droid["system"]["attacks"]["melee"] = [
        {"name": "and Knife*", "bonus": 2, "damage": "1d4"},
        {"name": "and", "bonus": 0, "damage": ""},
    ]
    assert [each["name"] for each in rows(ck.foreign(json.dumps(droid)))[0]["weapons"]] == ["Knife", "Blaster"]


def test_a_bestiary_lists_nobody_twice() -> None:
    beast = json.loads((DATA / "gundark.json").read_text())
    read = ck.foreign(json.dumps([beast, beast]))
    assert read.roster.select("name", "count").rows() == [("Gundark", 1)]
    assert left(read, "[1]") == ("Gundark", "it is listed twice, the same each time")


def test_an_index_of_templates_says_what_it_is() -> None:
    row = {"name": "Boar", "race": "Boar, wild", "rank": 1, "owner": "Ann", "tags": ["Jungle"], "id": 4, "notes": ""}
    with pytest.raises(ck.InvalidInput, match=r"holds no combatant: it is an index of templates.*Mythras"):
        ck.foreign(json.dumps([row, {**row, "name": "Bat", "id": 5}]))


def test_a_prefab_of_hero_designer_says_what_it_is() -> None:
    with pytest.raises(ck.InvalidInput, match=r"holds no combatant: it is a prefab"):
        ck.foreign("<PREFAB version='6.0'><POWERS/></PREFAB>", name="flight.hdp")


def test_a_droid_trained_in_initiative_has_the_five_for_it_taken_off_and_asked() -> None:
    """Initiative 6, Dexterity 12 (+1), level 1: 5 is left, and those are for being trained."""
    read = ck.foreign(DATA / "viper.json")
    row = read.roster.row(0, named=True)
    assert [row[s] for s in ("dex", "level", "initiative_misc", "hp", "defense")] == [1, 1, 0, 34, 16]
    assert asked(read, row["name"])["initiative_misc"] == "5"


def test_a_droid_without_a_total_is_asked_for_initiative_and_torn_dice_are_left_out() -> None:
    read = ck.foreign(DATA / "r3.json")
    assert "initiative_misc" not in read.roster.columns
    assert asked(read, "R3-Series_Astromech_Droid")["initiative_misc"] is None
    assert left(read, "system.attacks.melee[0].damage") == ("1d8 ( Ion", "it isn't dice")


def test_a_vehicle_of_swse_has_its_hull_and_is_asked_for_a_level() -> None:
    read = ck.foreign(DATA / "at-kt.json")
    row = read.roster.row(0, named=True)
    assert [row[s] for s in ("dex", "hp", "speed", "defense")] == [5, 120, 6, 14]
    assert {"level", "initiative_misc"} <= asked(read, "AT-KT").keys()
    assert left(read, "system.initiative")[0] == "+3"


def test_weapons_are_taken_and_what_one_lacks_is_asked() -> None:
    read = ck.foreign(DATA / "viper.json")
    (mine,) = rows(read)
    assert mine["weapons"] == (
        {"name": "Unarmed", "attack": 4, "damage": "1d6+4", "range": "melee"},
        {"name": "Blaster", "attack": 1, "damage": "3d6"},
    )
    whys = [why for _, stat, why, _ in read.asks.rows() if stat == "weapons"]
    assert whys == ["Blaster: how many squares it reaches"]


def test_of_weapons_with_one_name_the_first_is_taken_and_one_that_cannot_be_is_left_out_alone() -> None:
    droid = json.loads((DATA / "viper.json").read_text())
    droid["system"]["attacks"]["melee"] += [
        {"name": "unarmed", "bonus": -1, "damage": "1d6+4"},
        {"name": "Claw", "bonus": 9_999, "damage": "1d6"},
    ]
    read = ck.foreign(json.dumps(droid))
    assert [weapon["name"] for weapon in rows(read)[0]["weapons"]] == ["Unarmed", "Blaster"]
    assert left(read, "system.attacks.melee[1]") == ("unarmed", "an earlier entry has that name")
    assert left(read, "weapons")[0] == "Claw"


def test_a_compendium_of_saga_edition_counts_levels_and_names_feats() -> None:
    read = ck.foreign(json.dumps(RANCOR))
    (mine,) = rows(read)
    assert [mine[s] for s in ("dex", "level", "hp", "defense")] == [-1, 12, 138, 17]
    assert mine["feats"] == ("Cleave", "Quick Draw")
    assert left(read, "entries[1]") == ("A pack of torches", "it isn't a combatant")


@pytest.mark.parametrize("shape", ["one", "array", "entries", "lines"])
def test_actors_stand_alone_in_lists_in_compendia_and_in_lines(shape: str) -> None:
    one = json.loads((DATA / "gundark.json").read_text())
    other = {**one, "name": "Gundark elder"}
    text = {
        "one": json.dumps(one),
        "array": json.dumps([one, other]),
        "entries": json.dumps({"entries": [one, other], "name": "beasts"}),
        "lines": f"{json.dumps(one)}\n{json.dumps(other)}\n",
    }[shape]
    names = ck.foreign(text).roster["name"].to_list()
    assert names == (["Gundark"] if shape == "one" else ["Gundark", "Gundark elder"])


def test_an_actor_of_uesrpg_comes_to_its_numbers() -> None:
    read = ck.foreign(DATA / "bear.yml")
    row = read.roster.row(0, named=True)
    assert (read.format, read.system, read.roster["name"].item()) == ("foundry-uesrpg", "ap", "Bear")
    assert [row[s] for s in ("initiative_rating", "ap", "hp")] == [7, 3, 35]
    assert asked(read, "Bear").keys() >= {"side", "luck_bonus"}  # its Luck is empty


def test_luck_is_tens_of_luck() -> None:
    text = (
        (DATA / "bear.yml")
        .read_text(encoding="utf-8")
        .replace("    lck:\n      value: null", "    lck:\n      value: 47")
    )
    assert ck.foreign(text).roster["luck_bonus"].to_list() == [4]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_tracker_of_another_game_gives_names_sides_and_hit_points_and_asks_the_rest(system: str) -> None:
    read = ck.foreign(json.dumps([RAT, PIP]), system=system)
    vital = {"d6": "resolve", "phases": ""}.get(system, "hp")
    assert read.roster.select("name", "side", "npc").rows() == [("Dock rat", "foes", True), ("Pip", "party", False)]
    if vital:
        assert read.roster[vital].to_list() == [3, 9]
    needs = {
        "saga": {"level", "initiative_misc", "speed"},
        "d6": {"initiative", "defense", "armor"},
        "ap": {"initiative_rating", "luck_bonus", "ap"},
        "segments": {"ac", "hit_dice", "movement"},
        "phases": {"combat_value", "stun", "body", "end"},
    }[system]
    assert needs <= asked(read, "Pip").keys()
    ck.Encounter(system, seed=1).add_roster(read.roster)


def test_armor_class_and_dexterity_of_another_game_are_taken_only_where_they_mean_the_same() -> None:
    text = json.dumps([RAT, PIP])
    assert ck.foreign(text, system="saga").roster.select("dex", "defense").rows() == [(2, 12), (-2, 14)]
    assert asked(ck.foreign(text, system="segments"), "Pip")["ac"] == "6"
    assert asked(ck.foreign(text, system="d6"), "Pip")["defense"] == "14"


def test_a_backup_holds_its_records_as_text() -> None:
    backup = {
        "Creatures.aa": json.dumps(RAT),
        "PersistentCharacters.bb": json.dumps({"Name": "Pip", "CurrentHP": 2, "StatBlock": PIP}),
        "Spells.cc": json.dumps({"Name": "Fog"}),
    }
    read = ck.foreign(json.dumps(backup), system="saga")
    assert read.roster.select("name", "side", "npc", "hp").rows() == [
        ("Dock rat", "foes", True, 3),
        ("Pip", "party", False, 9),
    ]
    assert "Fog" in left(read, "Spells.cc")[0]


def test_an_encounter_of_the_tracker_gives_its_combatants() -> None:
    among = [
        {"StatBlock": RAT, "CurrentHP": 1, "Alias": "", "IndexLabel": 1},
        {"StatBlock": RAT, "CurrentHP": 3, "Alias": "", "IndexLabel": 2},
        {"StatBlock": PIP, "CurrentHP": 9, "Alias": "Pippa", "IndexLabel": 1, "PersistentCharacterId": "x"},
    ]
    read = ck.foreign(json.dumps({"Name": "Cellar", "Combatants": among}), system="saga")
    assert read.roster.select("name", "count", "npc", "hp").rows() == [
        ("Dock rat", 2, True, 3),
        ("Pippa", 1, False, 9),
    ]


def test_a_campaign_gives_its_combat_tracker_and_counts_those_who_are_alike() -> None:
    read = ck.foreign(GROUNDS, system="saga")
    assert read.roster.select("name", "side", "count", "npc", "hp").rows() == [
        ("Sela", "friend", 1, False, 12),
        ("Wight", "foe", 2, True, 40),
    ]
    assert left(read, "wounds") == ("5", "a fight begins unhurt; deal the damage in it")
    enc = ck.Encounter("saga", seed=1)
    enc.add_roster(read)
    assert enc.names == ("Sela", "Wight 1", "Wight 2")


def test_tables_of_osric_are_taken_where_they_are_exact() -> None:
    read = ck.foreign(OSRIC)
    toad, drake, mole, raider = rows(read)
    assert (read.format, read.system) == ("osric", "segments")
    assert [toad[s] for s in ("ac", "hit_dice", "movement", "attacks")] == [7, "1+1", 60, ("MELEE: bite (1d4)",)]
    assert [drake[s] for s in ("ac", "hit_dice")] == [-2, None]
    assert drake["movement"] == {"walk": 1020, "fly": 240}
    assert drake["attacks"] == ("MELEE: 3 attacks (1d6/1d6/4d6)",)
    assert mole["movement"] == {"walk": 120, "burrow": 60}
    assert mole["attacks"] == ("MELEE: 2 claws (1d3/1d3) and bite (1d6)",)
    assert (raider["movement"], raider["hit_dice"], raider["attacks"]) == (12, None, ())
    assert asked(read, "Raider").keys() == {"side", "hit_dice", "hp", "attacks"}
    assert ("Raider", "Hit Dice", "1d6+1 hp", "these aren't plain hit dice, such as 3+1") in read.left_out.rows()


def test_tables_of_bfrpg_turn_armor_class_round() -> None:
    read = ck.foreign(json.dumps(BFRPG))
    eel, moth = rows(read)
    assert [eel[s] for s in ("ac", "hit_dice", "movement")] == [3, 4, {"walk": 30, "fly": 60}]
    assert eel["attacks"] == ("MELEE: 2 claws (1d4) and bite (2d6)",)
    assert [moth[s] for s in ("ac", "hit_dice", "hp", "movement", "attacks")] == [10, None, 1, 40, ()]
    assert "ac" in asked(read, "Dusk moth")


def test_a_formula_in_a_cell_stays_text() -> None:
    text = OSRIC.replace("Cave toad", '"=HYPERLINK(""http://x"")"').replace("Raider", "@SUM(1+1)")
    names = ck.foreign(text).roster["name"].to_list()
    assert (names[0], names[-1]) == ('=HYPERLINK("http://x")', "@SUM(1+1)")


def test_a_file_read_for_no_system_is_read_for_that_of_the_fight() -> None:
    read = ck.foreign(json.dumps(RAT))
    assert (read.system, read.roster.columns) == (None, ["name", "side", "count", "npc", "hp"])
    enc = ck.Encounter("d6", seed=1)
    enc.add_roster(read)
    assert enc["Dock rat"].stats["resolve"] == 3


def test_a_file_read_for_one_system_is_refused_in_another() -> None:
    enc = ck.Encounter("saga", seed=1)
    digest = enc.digest
    with pytest.raises(InvalidInput, match=r"was read for phases, and this fight is saga; .*system='saga'"):
        enc.add_roster(ck.foreign(DATA / "darci.hdc"))
    assert enc.digest == digest


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    "file", sorted(p.name for p in DATA.iterdir() if p.suffix in (".hdc", ".xml", ".json", ".yml"))
)
def test_every_file_makes_a_roster_in_every_system(file: str, system: str) -> None:
    read = ck.foreign(DATA / file, system=system)
    ck.Encounter(system, seed=1).add_roster(read)
    ck.Encounter(system, seed=1).add_roster(read.roster)
    assert read.left_out.columns == ["name", "field", "value", "why"]
    assert read.asks.columns == ["name", "stat", "why", "proposed"]
    assert not read.left_out.is_empty()


def test_those_called_alike_but_not_alike_are_numbered_and_asked() -> None:
    read = ck.foreign(json.dumps([RAT, {**RAT, "HP": {"Value": 4}}, RAT]), system="saga")
    assert read.roster.select("name", "count", "hp").rows() == [
        ("Dock rat", 1, 3),
        ("Dock rat 2", 1, 4),
        ("Dock rat 3", 1, 3),
    ]
    assert asked(read, "Dock rat 2")["name"] == "Dock rat 2"


def test_names_differ_as_they_are_numbered() -> None:
    """Two alike are Dock rat 1 and 2, so neither a third of that name nor one called so can be."""
    more = [{**RAT, "HP": {"Value": 4}}, {**RAT, "Name": "Dock rat 1"}]
    read = ck.foreign(json.dumps([RAT, RAT, *more]), system="saga")
    assert read.roster.select("name", "count", "hp").rows() == [
        ("Dock rat", 2, 3),
        ("Dock rat 3", 1, 4),
        ("Dock rat 1 2", 1, 3),
    ]
    assert len(rows(read)) == 4


def test_a_file_called_as_nobody_may_be_gives_no_such_name(tmp_path: Path) -> None:
    path = tmp_path / "GM.json"
    path.write_text(json.dumps({**RAT, "Name": ""}), encoding="utf-8")
    assert ck.foreign(path, system="saga").roster["name"].to_list() == ["Unnamed"]


def test_what_was_read_is_shown_as_text() -> None:
    read = ck.foreign(json.dumps({**RAT, "Name": "<script>alert(1)</script>"}), system="saga")
    assert "alert(1)" in read._repr_html_()
    assert "<script>" not in read._repr_html_()
    assert repr(read) == "<Foreign improved-initiative for saga: 1 in the roster, 2 left out, 5 asked>"


def test_a_number_out_of_range_is_left_out_and_asked() -> None:
    read = ck.foreign(json.dumps({**RAT, "HP": {"Value": 10_000_000}}), system="saga")
    assert "hp" not in read.roster.columns
    assert left(read, "hp")[0] == "10000000"
    assert asked(read, "Dock rat")["hp"] is None


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_the_kit_maps_and_asks_are_stats_of_its_system(system: str) -> None:
    rules = ck.ruleset(system)
    for made in formats_of(rules):
        check_stats_named(made, rules, made.format)
        assert {each.stat for shape in made.shapes for each in shape.lists} <= set(rules.stats.ids())
    general = unknowing(rules)
    assert {*general.stats, *general.asks} <= set(rules.stats.ids())
    assert general.asks


MAPPING = """
format = "tavern"
title = "Tavern lists"
system = "saga"
rows = ["people.*"]
quiet = ["id"]

[own]
name = "who"
npc = "1"

[fields]
who = { at = "who", as = "text" }
agility = "agility"
grade = { at = "grade", or = 1 }

[stats]
dex = "(agility - 10) // 2"
level = "grade"

[[shapes]]
id = "guest"
has = ["who", "agility"]
lacks = ["kind = furniture"]
"""


@pytest.fixture
def mapping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    from combatkit.shelf import reading

    monkeypatch.setattr(reading, "_added", {})
    path = tmp_path / "tavern.toml"
    path.write_text(MAPPING, encoding="utf-8")
    return path


def test_an_added_mapping_is_a_table_of_paths_and_formulas(mapping: Path) -> None:
    ck.add_mapping(str(mapping))
    people = [
        {"id": 7, "who": "Tarn", "agility": 15, "mood": "grim"},
        {"who": "Bench", "agility": 1, "kind": "furniture"},
    ]
    read = ck.foreign(json.dumps({"people": people}))
    assert (read.format, read.system) == ("tavern", "saga")
    assert read.roster.select("name", "npc", "dex", "level").rows() == [("Tarn", True, 2, 1)]
    assert left(read, "mood") == ("grim", "these rules don't use it")
    assert (
        left(read, "people[1]") == ("2 entries", "it isn't a combatant")
        or left(read, "people[1]")[1] == "it isn't a combatant"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('dex = "(', 'dexx = "(', "tavern.toml, shape guest: saga has no stat 'dexx'"),
        ("agility - 10", "agilty - 10", "unknown field in '(agilty - 10) // 2' (tavern.toml, shape guest)"),
        ("agility - 10", "__import__('os')", "isn't a formula"),
        ("agility - 10", "agility - 10and", "isn't a formula"),
        ("agility - 10", "agility ** 10", "isn't a formula"),
        ('as = "text"', 'as = "poem"', "unknown reader"),
        ("[stats]", "[statistics]", "tavern.toml: Object contains unknown field `statistics`"),
        ('system = "saga"', 'system = "sagas"', "unknown ruleset"),
        ('rows = ["people.*"]', 'rows = ["people..x"]', "isn't a path"),
        ('title = "Tavern lists"', "title = 3", "Expected `str`"),
        ("[[shapes]]", "[[shapes", "tavern.toml"),
    ],
)
def test_a_mapping_that_is_wrong_says_where_and_changes_nothing(mapping: Path, old: str, new: str, said: str) -> None:
    mapping.write_text(MAPPING.replace(old, new, 1), encoding="utf-8")
    with pytest.raises((InvalidInput, UnknownName)) as error:
        ck.add_mapping(mapping)
    assert said in str(error.value)
    with pytest.raises(InvalidInput, match="from no tool known here"):
        ck.foreign('{"people": [{"who": "Tarn", "agility": 15}]}')
