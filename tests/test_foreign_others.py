"""More tools whose files are read: enemies, creatures of another game, what has no numbers, and what is no creature."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck

SYSTEMS = ("saga", "d6", "ap", "segments", "phases")
VITAL = {"saga": "hp", "d6": "resolve", "ap": "hp", "segments": "hp", "phases": None}

ENEMY: dict[str, Any] = {
    "name": "Trollkin",
    "notes": "",
    "stats": [{"STR": 11}, {"CON": 12}, {"DEX": 14}],
    "attributes": {
        "action_points": 2,
        "damage_modifier": "-1d2",
        "magic_points": 9,
        "strike_rank": "11(13-2)",
        "movement": "6m",
    },
    "skills": [{"Athletics": 42}],
    "hit_locations": [
        {"name": "Right leg", "range": "1-3", "ap": "2", "hp": 4},
        {"name": "Head", "range": "19-20", "hp": 4},
    ],
    "combat_styles": [{"name": "Trollkin rabble", "value": 45, "weapons": [{"name": "Sling", "damage": "1d8"}]}],
}


def test_a_generators_enemies_come_with_points_and_initiative() -> None:
    other = {
        **ENEMY,
        "name": "Boss",
        "attributes": {**ENEMY["attributes"], "action_points": 3, "strike_rank": "14(14-0)"},
    }
    read = ck.foreign(json.dumps([ENEMY, ENEMY, other]))
    assert (read.format, read.system) == ("mythras-encounter-generator", "ap")
    assert read.roster.select("name", "count", "ap", "initiative_rating").rows() == [
        ("Trollkin", 2, 2, 11),
        ("Boss", 1, 3, 14),
    ]
    left = dict(read.left_out.select("field", "why").rows())
    assert any(field.startswith("hit_locations") for field in left)
    assert {"hp", "weapons"} <= {*read.asks["stat"]}
    enc = ck.Encounter("ap", seed=7)
    enc.add_roster(read)
    assert enc.names == ("Trollkin 1", "Trollkin 2", "Boss")


TOOLS: dict[str, Any] = {
    "5etools": {
        "monster": [{"name": "Goblin", "source": "X", "ac": [15], "hp": {"average": 7, "formula": "2d6"}, "dex": 14}]
    },
    "5etools, armor with its source": {
        "name": "Goblin",
        "ac": [{"ac": 15, "from": ["shield"]}],
        "hp": {"average": 7},
        "dex": 14,
    },
    "open5e": {"results": [{"slug": "goblin", "name": "Goblin", "hit_points": 7, "armor_class": 15, "dexterity": 14}]},
    "open5e, second version": {
        "name": "Goblin",
        "hit_points": 7,
        "armor_class": 15,
        "ability_scores": {"dexterity": 14},
    },
    "foundry-dnd5e": {
        "name": "Goblin",
        "type": "npc",
        "system": {
            "attributes": {"hp": {"value": 3, "max": 7}, "ac": {"flat": 15}},
            "abilities": {"dex": {"value": 14}},
        },
        "items": [{"name": "Scimitar", "type": "weapon"}],
    },
    "foundry-dnd5e, older": {
        "name": "Goblin",
        "type": "npc",
        "data": {
            "attributes": {"hp": {"value": 3, "max": 7}, "ac": {"value": 15}},
            "abilities": {"dex": {"value": 14}},
        },
    },
}


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_creature_of_another_game_brings_its_name_and_hit_points(tool: str, system: str) -> None:
    read = ck.foreign(json.dumps(TOOLS[tool]), system=system)
    assert read.format == tool.partition(",")[0]
    row = read.roster.row(0, named=True)
    assert (row["name"], row["npc"]) == ("Goblin", True)
    vital = VITAL[system]
    assert vital is None or row[vital] == 7
    if system in ("saga", "ap"):
        assert row["defense"] == 15
    asked = {ask["stat"]: ask["proposed"] for ask in read.asks.to_dicts()}
    if system == "segments":
        assert asked["ac"] == "5"
    enc = ck.Encounter(system, seed=7)
    enc.add_roster(read)
    assert enc.names == ("Goblin",)


def test_creatures_that_are_alike_are_counted() -> None:
    goblin = TOOLS["5etools"]["monster"][0]
    read = ck.foreign(json.dumps({"monster": [goblin, goblin, {**goblin, "name": "Wolf"}]}), system="saga")
    assert read.roster.select("name", "count").rows() == [("Goblin", 2), ("Wolf", 1)]


@pytest.mark.parametrize("tool", ["5etools", "open5e"])
def test_a_creature_without_a_name_is_named_by_its_file_and_asked_about(tool: str, tmp_path: Path) -> None:
    whole: Any = TOOLS[tool]
    one = whole["monster"][0] if "monster" in whole else whole["results"][0] if "results" in whole else whole
    nameless = {key: value for key, value in one.items() if key != "name"}
    for each in (nameless, {**nameless, "name": ""}, [one, nameless]):
        path = tmp_path / "den.json"
        path.write_text(json.dumps(each))
        read = ck.foreign(path, system="saga")
        assert read.format == tool
        assert read.roster.row(-1, named=True)["name"] == "den"
        assert ("den", "name", "the file does not say") in read.asks.select("name", "stat", "why").rows()
        assert read.left_out.filter(read.left_out["why"] == "it isn't a combatant").is_empty()


def test_a_changed_copy_of_another_creature_is_read_and_its_numbers_asked() -> None:
    copy = {"name": "Boss", "_copy": {"name": "Goblin", "source": "MM"}}
    read = ck.foreign(json.dumps({"monster": [*TOOLS["5etools"]["monster"], copy]}), system="segments")
    assert read.roster.row(-1, named=True)["name"] == "Boss"
    assert ("Boss", "hp") in read.asks.select("name", "stat").rows()
    told = read.left_out.filter(read.left_out["name"] == "Boss")["why"].to_list()
    assert set(told) == {"it is a changed copy; the numbers stand with the other"}


HERO = '<CHARACTER version="6.0"{}><CHARACTER_INFO CHARACTER_NAME="Vigil" PLAYER_NAME=""/></CHARACTER>'


@pytest.mark.parametrize("template", ["", ' TEMPLATE="builtIn.Heroic6E.hdt"'])
def test_a_character_without_sections_is_read_and_everything_asked(template: str) -> None:
    read = ck.foreign(HERO.format(template))
    assert (read.format, read.roster["name"].to_list()) == ("hero-designer", ["Vigil"])
    assert {"combat_value", "ocv", "dcv", "stun", "body", "end", "recovery", "movement"} <= {*read.asks["stat"]}


def test_a_droid_that_nobody_finished_is_read_and_the_rest_asked() -> None:
    read = ck.foreign('{"name": "R9", "type": "droid", "system": {"HP": 12}, "items": []}')
    assert (read.format, read.roster.select("name", "hp").rows()) == ("foundry-swse", [("R9", 12)])
    assert {"dex", "level", "initiative_misc", "defense"} <= {*read.asks["stat"]}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("<TEMPLATE><CHARACTERISTICS><STR/></CHARACTERISTICS></TEMPLATE>", "it is a template"),
        ('{"name": "Foes", "type": "Actor", "sorting": "a", "color": null}', "it is a folder"),
        ('{"name": "Sword", "type": "weapon", "system": {"damage": {"parts": []}}}', "it is an item, not an actor"),
        ('[{"name": "Sword", "type": "weapon", "system": {}}]', "it is an item, not an actor"),
    ],
)
def test_what_is_no_creature_is_called_what_it_is(text: str, what: str) -> None:
    with pytest.raises(ck.InvalidInput, match=f"holds no combatant: {what}"):
        ck.foreign(text, name="thing")


def test_an_item_among_actors_is_left_out_as_what_it_is() -> None:
    folder = {"name": "Foes", "type": "Actor", "sorting": "a"}
    read = ck.foreign(json.dumps([TOOLS["foundry-dnd5e"], folder]), system="saga")
    assert [row["why"] for row in read.left_out.to_dicts() if row["name"] == ""] == ["it is a folder"]


def test_what_a_stat_cannot_be_is_not_proposed() -> None:
    made = '{{"Name":"A","HP":{{"Value":4}},"AC":{{"Value":{ac}}},"Abilities":{{"Dex":10}}}}'
    proposed = {}
    for ac in (8, 15):
        asks = ck.foreign(made.format(ac=ac), "segments").asks
        proposed[ac] = dict(zip(asks["stat"], asks["proposed"], strict=True))["ac"]
    assert proposed == {8: None, 15: "5"}


def test_letters_of_another_encoding_are_refused_with_what_to_do() -> None:
    written = '{"Name":"Zoë","HP":{"Value":27},"AC":{"Value":15}}'
    assert ck.foreign(written.encode("cp1252"), "saga").roster["name"].to_list() == ["Zoë"]
    with pytest.raises(ck.InvalidInput, match=r"it is not UTF-8 at byte 11 \(line 1\); save it as UTF-8"):
        ck.foreign(written.encode("mac_roman"), "saga")
