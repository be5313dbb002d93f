"""Scenes: one description, each system's stats, and what a system cannot express."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import combatkit as ck

SYSTEMS = [rules.id for rules in ck.rulesets()]
DUEL: list[dict[str, Any]] = [
    {"name": "Mara", "side": "rebels", "speed": "great", "skill": 3, "toughness": "fair"},
    {"name": "Guard", "side": "empire", "count": 2, "speed": "poor", "skill": "poor", "role": "extra"},
]


def duel(**more: Any) -> Any:
    return ck.scene(DUEL, name="Duel", **more)


# Worked from the tables of the five files: great is the fourth value, poor the first, good the third.
WORKED = {
    "saga": ({"dex": 4, "level": 7, "attack_bonus": 7, "defense": 17, "hp": 16}, {"dex": -1, "defense": 11, "hp": 24}),
    "d6": ({"initiative": 4, "resolve": 9, "defense": 14, "armor": 4}, {"initiative": 0, "defense": 9, "armor": 6}),
    "ap": ({"initiative_rating": 14, "ap": 3, "attack_bonus": 7, "hp": 28}, {"initiative_rating": 8, "ap": 2}),
    "segments": ({"aac0": 14, "ac": 4, "hp": 7}, {"aac0": 20, "ac": 8, "hp": 10}),
    "phases": ({"combat_value": 6, "ocv": 6, "stun": 22}, {"combat_value": 3, "ocv": 3, "stun": 30}),
}


@pytest.mark.parametrize("system", WORKED)
def test_words_become_each_systems_stats(system: str) -> None:
    stats = duel().stats(system)
    for name, wanted in zip(("Mara", "Guard"), WORKED[system], strict=True):
        assert {key: stats[name][key] for key in wanted} == wanted


def test_terms_fill_what_depends_on_two_fields() -> None:
    (weapon,) = duel().stats("d6")["Mara"]["weapons"]
    assert weapon == {"name": "blade", "attack": "5D", "damage": "3D", "range": "melee"}
    bow = ck.scene([{"name": "Anja", "side": "a", "weapon": "ranged"}]).stats("d6")["Anja"]["weapons"]
    assert bow == [{"name": "blaster", "attack": "4D", "damage": "3D", "range": "long"}]


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_encounter_has_everybody_and_has_begun(system: str) -> None:
    enc = duel().encounter(system, seed=3, id="duel")
    assert (enc.id, enc.seed, enc.names) == ("duel", 3, ("Mara", "Guard 1", "Guard 2"))
    assert [enc._state.fighters[name].npc for name in enc.names] == [False, True, True]
    assert enc.clock.round == 1
    assert duel().encounter(system, seed=3, id="duel").digest == enc.digest


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_mapping_is_shown_and_replaced_and_the_scene_stays(system: str) -> None:
    scene = duel()
    mapping = scene.mapping(system)
    vital = ck.ruleset(system).vitals[0].name
    mapping["stats"][vital] = 5
    changed = scene.with_mapping(system, mapping)
    assert changed.stats(system)["Mara"][vital] == 5
    assert changed.encounter(system, seed=1)["Mara"].values[vital] == 5
    assert scene.stats(system)["Mara"][vital] != 5
    assert scene.mapping(system)["stats"][vital] != 5


def test_what_the_source_leaves_out_is_in_a_table_that_travels_with_the_fight() -> None:
    enc = duel().encounter("saga", seed=1)
    assert enc._state.tables["scene"][0] == {"id": "Mara", "at": 0, "becomes": "unconscious"}
    unarmed = duel().mapping("saga")
    del unarmed["stats"]["weapons"]
    bare = duel().with_mapping("saga", unarmed).encounter("saga", seed=1)
    assert bare._state.tables["scene"][0]["params"] == {"damage": "1d8+2"}
    assert enc.restart(seed=2)._state.tables == enc._state.tables
    with pytest.raises(ck.InvalidInput, match="both of at and becomes"):
        ck.Encounter("saga", seed=1, tables={"scene": [{"id": "Mara", "at": 0}]})
    with pytest.raises(ck.UnknownName, match="harm"):
        ck.Encounter("saga", seed=1, tables={"scene": [{"id": "Mara", "harm": 3}]})


@pytest.mark.parametrize("example", ["catwalk", "ambush", "bridge"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_scenes_of_the_kit_play_in_every_system_or_say_what_is_missing(example: str, system: str) -> None:
    scene = ck.scene(example)
    if system == "d6" and example == "ambush":
        with pytest.raises(ck.InvalidInput, match=r"^d6 cannot express this scene: Tarn: aware is False, .*surprise"):
            scene.encounter(system)
        return
    enc = scene.encounter(system, seed=5)
    assert len(enc.names) == 5
    holds = {c.id for c in enc["Tarn"].conditions} if example == "ambush" else set()
    assert example != "ambush" or "surprised" in holds


def test_a_surprise_that_a_text_does_not_have_is_refused_whatever_the_mapping() -> None:
    mapping = ck.scene("ambush").mapping("d6") | {"surprise": {}}
    with pytest.raises(ck.InvalidInput, match="has no surprise"):
        ck.scene("ambush").with_mapping("d6", mapping).encounter("d6", seed=5)


def test_distance_becomes_places_of_each_system() -> None:
    scene = duel(distance=12)
    assert [scene.encounter(id, seed=1)["Guard 2"].position for id in ("saga", "ap", "phases")] == [
        (8, 1),
        (12, 1),
        (6, 1),
    ]
    zones = scene.encounter("d6", seed=1)
    assert (zones["Mara"].position, zones["Guard 2"].position) == ("Zone 1", "Zone 2")
    band = zones.distance("Mara", "Guard 1")
    assert band is not None
    assert band.band == "short"


def test_who_is_aware_by_name_or_side() -> None:
    scene = duel(aware="empire")
    assert [p.aware for p in scene.participants] == [False, True]
    assert "surprised" in {c.id for c in scene.encounter("saga", seed=1)["Mara"].conditions}


def bad(system: str, **changes: Any) -> Any:
    mapping = duel().mapping(system)
    for part, content in changes.items():
        if content is None:
            del mapping[part]
        else:
            mapping[part] = mapping.get(part, {}) | content
    return duel(distance=12).with_mapping(system, mapping)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_scene_that_a_system_cannot_express_names_combatant_field_and_system(system: str) -> None:
    stat = ck.ruleset(system).vitals[0].name
    scene = bad(system, stats={stat: {"from": "role", "values": {"player": 9}}})
    with pytest.raises(ck.InvalidInput) as caught:
        scene.encounter(system)
    assert str(caught.value) == (
        f"{system} cannot express this scene: Guard: role is 'extra', and its mapping has no value of {stat} for that; "
        f"change the scene, or the mapping with with_mapping('{system}', ...)"
    )
    with pytest.raises(
        ck.InvalidInput, match=rf"^{system} cannot express this scene: Mara: distance is 12, .*\[places\]"
    ):
        bad(system, places=None).encounter(system)


def test_a_mapping_with_what_there_is_none_of_is_refused() -> None:
    with pytest.raises(ck.UnknownName, match="stat"):
        bad("saga", stats={"dexterity": 3})
    with pytest.raises(ck.UnknownName, match="speeed"):
        bad("saga", stats={"dex": {"from": "speeed", "values": [1, 2, 3, 4, 5]}})
    with pytest.raises(ck.UnknownName, match="stast"):
        duel().with_mapping("saga", {"stast": {}})
    with pytest.raises(ck.InvalidInput, match="give a mapping"):
        duel().with_mapping("saga", {"stats": 3})
    within = {"from": "skil", "values": [1, 2, 3, 4, 5]}
    with pytest.raises(ck.UnknownName, match="'skil': did you mean 'skill'"):
        duel().with_mapping("d6", {"stats": {"resolve": {"from": "toughness", "values": [within] * 5}}})


def test_a_value_may_be_chosen_within_another() -> None:
    within = {"from": "skill", "values": [1, 2, 3, 4, 5]}
    told = bad("d6", stats={"resolve": {"from": "weapon", "values": {"melee": within, "ranged": 9}}})
    assert [each["resolve"] for each in told.stats("d6").values()] == [4, 1]


def test_a_ruleset_without_a_mapping_says_so(tmp_path: Path) -> None:
    rules = ck.ruleset("saga")
    folder = rules.folder
    rules.folder = tmp_path
    try:
        with pytest.raises(ck.InvalidInput, match=r"saga has no scene\.toml"):
            duel().stats("saga")
        (tmp_path / "scene.toml").write_text("[stats")
        with pytest.raises(ck.InvalidInput, match=rf"{tmp_path.name}/scene\.toml: "):
            duel().stats("saga")
    finally:
        rules.folder = folder


@pytest.mark.parametrize(
    ("combatants", "words"),
    [
        ([], "nobody is in it"),
        (3, "give a list of mappings"),
        ([3], "is not a combatant"),
        ([{"name": "Mara"}], "Mara: side"),
        ([{"name": "Mara", "side": "a", "speed": "quick"}], "Mara: speed is 'quick'; give one of poor, fair"),
        ([{"name": "Mara", "side": "a", "skill": 5}], "Mara: skill is 5"),
        ([{"name": "Mara", "side": "a", "role": "hero"}], "Mara: role is 'hero'; give one of player"),
        ([{"name": "Mara", "side": "a", "weapon": []}], "Mara: weapon"),
        ([{"name": "Mara", "side": "a", "aware": "no"}], "Mara: aware"),
        ([{"name": "Mara", "side": "a", "count": 0}], "Mara: count"),
        ([{"name": "Mara", "side": "a"}, {"name": "Mara", "side": "b"}], "'Mara' is in it twice"),
    ],
)
def test_bad_input_names_combatant_and_field(combatants: Any, words: str) -> None:
    with pytest.raises(ck.InvalidInput, match=words):
        ck.scene(combatants)


def test_unknown_names_are_told_with_the_nearest() -> None:
    with pytest.raises(ck.UnknownName, match="catwalk"):
        ck.scene("catwalks")
    with pytest.raises(ck.UnknownName, match="toughness"):
        ck.scene([{"name": "Mara", "side": "a", "toughnes": 3}])
    with pytest.raises(ck.UnknownName, match="Mara"):
        duel(aware=["Mora"])
    wrong: Any
    for wrong in ([5], [[]], [None]):
        with pytest.raises(ck.UnknownName, match="'Mara'"):
            duel(aware=wrong)
    with pytest.raises(ck.InvalidInput, match="aware is 5; give names or sides, or None"):
        duel(aware=5)
    with pytest.raises(ck.InvalidInput, match="distance is -1"):
        duel(distance=-1)
    with pytest.raises(ck.UnknownName, match="ruleset"):
        duel().stats("sega")


def test_a_scene_shows_itself_escaped() -> None:
    scene = ck.scene([{"name": "<img src=x>", "side": "a"}, {"name": "B", "side": "b", "count": 3}], name="<b>")
    assert repr(scene) == "<Scene <b>: a: <img src=x>; b: 3 x B>"
    assert "<img" not in scene._repr_html_()
    assert "&lt;img src=x&gt;" in scene._repr_html_()


@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_whoever_hits_in_the_first_scene_rolls_their_own_damage(system: str) -> None:
    enc = ck.scene("catwalk").encounter(system, seed=7)
    assert all(enc[name].stats["weapons"] for name in enc.names)
    if system == "segments":  # nobody strikes before the declarations are done
        while enc.active is None:
            enc.end_turn()
    who = str(enc.active)
    foe = next(name for name in enc.names if enc[name].side != enc[who].side)
    said = [*enc.do(who, "attack", target=foe, outcome="hit")]
    while enc.pending:
        said += enc.resolve()
    assert any(event.kind == "damage" and event.data["faces"] for event in said)
