"""Segments: five-foot squares, sharing and passing, room for weapons."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.core.geometry import square_line
from tests.systems.segments_table import SPELLS, cites, fight, roll, rolled, rule, to_turn
from tests.systems.table import holds, refused

HALBERD = [{"name": "halberd", "space": 6, "modes": {"spear": 2, "chop": 6}}]


def on_grid(places: dict[str, tuple[int, int]], *, options: Any = None, **stats: Any) -> ck.Encounter:
    """Mara's turn in HIGH, everybody standing in a square."""
    given: Any = {name: {**stats.get(name, {}), "at": at} for name, at in places.items()}
    return rolled(*places, options=options, tables={"actions": SPELLS}, **given)


@pytest.mark.rule("segments.grid.5ft")
def test_a_square_is_five_feet() -> None:
    enc = on_grid({"Mara": (0, 0), "Vex": (9, 9)})
    enc.do("Mara", "missile_attack", target="Vex")
    enc.do("Mara", "position", to=(2, 0))  # ten feet
    assert refused(enc, "Mara", "position", to=(5, 0)).rule == "segments.pos.10ft"
    assert rule("grid.5ft").kind == "definition"


@pytest.mark.rule("segments.grid.measure")
def test_distance_is_from_centre_to_centre() -> None:
    bow = [{"name": "bow", "missile": True, "range": 25}]
    enc = on_grid({"Mara": (0, 0), "Vex": (3, 4), "Ossik": (4, 4)}, Mara={"weapons": bow})
    apart = enc.distance("Mara", "Vex")
    assert apart is not None
    assert (apart.steps, apart.band) == (5, None)
    assert enc.can("Mara", "missile_attack", target="Vex").allowed  # 3 and 4 are 5 squares: 25 ft
    ruling = refused(enc, "Mara", "missile_attack", target="Ossik")
    assert (ruling.rule, ruling.reason) == ("segments.grid.measure", "Ossik is 28 ft away; the range is 25 ft.")
    assert fight("Mara", "Vex").distance("Mara", "Vex") is None


@pytest.mark.rule("segments.grid.no-combat-shared")
def test_nobody_fights_in_a_shared_square_but_the_very_small_or_able() -> None:
    enc = on_grid({"Mara": (0, 0), "Vex": (0, 0)})
    assert refused(enc, "Mara", "attack", target="Vex").rule == "segments.grid.no-combat-shared"
    for condition in ("very_small", "shares_square"):
        enc.condition("Vex", condition)
        assert enc.can("Mara", "attack", target="Vex").allowed
        enc.condition("Vex", condition, off=True)
    enc.place("Vex", at=(1, 0))
    assert enc.can("Mara", "attack", target="Vex").allowed


@pytest.mark.rule("segments.grid.no-combat-shared")
def test_who_is_squeezed_in_with_an_ally_does_not_fight_out_of_the_square_either() -> None:
    bow = [{"name": "bow", "missile": True, "range": 60}]
    enc = on_grid({"Mara": (0, 0), "Bo": (0, 0), "Vex": (1, 0)}, Mara={"weapons": bow})
    for action in ("attack", "missile_attack"):
        ruling = refused(enc, "Mara", action, target="Vex")
        assert ruling.rule == "segments.grid.no-combat-shared"
        assert ruling.reason == "Mara shares a square with Bo, and nobody can fight in it."
    enc.condition("Bo", "very_small")
    assert enc.can("Mara", "attack", target="Vex").allowed
    enc.condition("Bo", "very_small", off=True)
    enc.condition("Bo", "dead")  # who lies there takes no part
    assert enc.can("Mara", "attack", target="Vex").allowed
    # Two enemies in one square can be attacked from outside it.
    enc = on_grid({"Mara": (0, 0), "Vex": (1, 0), "Ossik": (1, 0)})
    assert enc.can("Mara", "attack", target="Vex").allowed


def test_a_place_that_is_only_named_is_no_square() -> None:
    stats: dict[str, Any] = {"Mara": {"at": "the bridge"}, "Vex": {"at": "the bridge"}}
    assert rolled("Mara", "Vex", **stats).can("Mara", "attack", target="Vex").allowed


@pytest.mark.rule("segments.grid.pass-breaks")
def test_allies_pass_through_each_other_which_breaks_concentration() -> None:
    enc = on_grid({"Mara": (0, 0), "Bo": (1, 0), "Vex": (1, 1)})
    for name in ("Mara", "Bo", "Vex"):
        enc.condition(name, "concentration", value="Bless")
    assert refused(enc, "Mara", "move", to=[(1, 1), (2, 1)]).rule == "segments.grid.pass-breaks"  # an enemy's square
    happened = enc.do("Mara", "move", to=[(1, 0), (2, 0)])
    assert enc["Mara"].position == (2, 0)
    assert cites(happened, "segments.grid.pass-breaks")
    assert [n for n in ("Mara", "Bo", "Vex") if "concentration" in holds(enc, n)] == ["Vex"]
    # A spell being cast is broken too.
    enc = ck.Encounter("segments", seed=7, tables={"actions": SPELLS})
    for name, side, at in (("Mara", "party", (0, 0)), ("Bo", "party", (1, 0)), ("Vex", "foes", (9, 9))):
        enc.add(name, side=side, at=at)
    enc.start()
    enc.do("Bo", "declare", spell="fireball")
    roll(enc)
    enc.do("Bo", "announce_target", target="Vex")
    enc.do("Mara", "move", to=[(1, 0), (2, 0)])
    assert "casting" not in holds(enc, "Bo")


@pytest.mark.rule("segments.grid.pass-breaks")
def test_without_a_path_the_way_is_straight_and_passes_who_stands_on_it() -> None:
    enc = on_grid({"Mara": (0, 0), "Bo": (2, 1), "Ana": (2, 2), "Vex": (9, 9)})
    for name in ("Mara", "Bo", "Ana"):
        enc.condition(name, "concentration", value="Bless")
    enc.do("Mara", "move", to=(4, 2))
    assert enc["Mara"].position == (4, 2)
    assert [n for n in ("Mara", "Bo", "Ana") if "concentration" in holds(enc, n)] == ["Ana"]
    # A foe on it bars it; with the way around given as a path there is one.
    enc = on_grid({"Mara": (0, 0), "Vex": (2, 0)})
    ruling = refused(enc, "Mara", "move", to=(4, 0))
    assert ruling.rule == "segments.grid.pass-breaks"
    assert ruling.reason.endswith("only allies pass through; give a path that goes around.")
    enc.do("Mara", "move", to=[(1, 1), (2, 1), (3, 1), (4, 0)])
    assert enc["Mara"].position == (4, 0)


def test_ending_beside_an_ally_in_its_square_is_no_passing() -> None:
    enc = on_grid({"Mara": (0, 0), "Bo": (1, 0), "Vex": (9, 9)})
    enc.condition("Bo", "concentration", value="Bless")
    enc.do("Mara", "move", to=(1, 0))
    assert "concentration" in holds(enc, "Bo")


@pytest.mark.rule("segments.grid.melee-zone")
def test_in_melee_placement_is_the_gms_to_judge() -> None:
    assert rule("grid.melee-zone").kind == "gm"
    enc = on_grid({"Mara": (0, 0), "Vex": (6, 0)})
    for name in ("Mara", "Vex"):
        enc.condition(name, "in_melee")
    assert enc.can("Mara", "attack", target="Vex").allowed  # thirty feet apart on paper
    enc.condition("Mara", "restricted", value=3, note="a narrow stair")
    happened = enc.do("Mara", "attack", target="Vex", weapon="club", note="the stair does not hinder a club")
    assert happened[0].note == "the stair does not hinder a club"


@pytest.mark.rule("segments.space.open")
def test_a_weapon_that_needs_more_than_four_feet_needs_an_open_square_beside_it() -> None:
    around = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
    names = ["Vex", "Ossik", "Orc", "Bo", "Ana", "Tam", "Kit", "Gil"]
    places = {"Mara": (0, 0), **dict(zip(names, around, strict=True))}
    enc = on_grid(places, Mara={"weapons": [{"name": "sword", "space": 4}]})
    assert enc.can("Mara", "attack", target="Vex").allowed
    enc = on_grid(places, Mara={"weapons": [{"name": "sword", "space": 5}]})
    assert refused(enc, "Mara", "attack", target="Vex").rule == "segments.space.open"
    enc.place("Gil", at=(5, 5))
    assert enc.can("Mara", "attack", target="Vex").allowed


@pytest.mark.rule("segments.space.effects")
def test_it_caps_a_rank_or_makes_a_weapon_useless_when_mobbed() -> None:
    assert rule("space.effects").kind == "gm"
    around = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
    names = ["Vex", "Ossik", "Orc", "Bo", "Ana", "Tam", "Kit", "Gil"]
    enc = on_grid(
        {"Mara": (0, 0), **dict(zip(names, around, strict=True))}, Mara={"weapons": [{"name": "maul", "space": 6}]}
    )
    assert "segments.space.effects" in refused(enc, "Mara", "attack", target="Vex").rules
    # A rank shoulder to shoulder: the GM says how much room each has.
    enc = rolled("Mara", "Bo", "Vex", Mara={"weapons": [{"name": "axe", "space": 4}]}, Bo={"weapons": ["dagger"]})
    for name in ("Mara", "Bo"):
        enc.condition(name, "restricted", value=3, note="three abreast")
    assert refused(enc, "Mara", "attack", target="Vex").rule == "segments.space.effects"
    to_turn(enc, "Bo")
    assert enc.can("Bo", "attack", target="Vex").allowed


@pytest.mark.rule("segments.space.modes")
def test_a_halberd_needs_two_feet_as_a_spear_and_six_as_a_chopper() -> None:
    enc = rolled("Mara", "Vex", Mara={"weapons": HALBERD})
    enc.condition("Mara", "restricted", value=3)
    assert enc.can("Mara", "attack", target="Vex", option="spear").allowed
    assert refused(enc, "Mara", "attack", target="Vex", option="chop").rule == "segments.space.modes"
    enc.condition("Mara", "restricted", value=6)
    assert enc.can("Mara", "attack", target="Vex", option="chop").allowed


@pytest.mark.rule("segments.space.modes")
def test_a_mode_that_is_only_named_needs_the_space_of_its_weapon() -> None:
    weapon = {"name": "halberd", "space": 6, "modes": ["chop", {"name": "spear", "space": 2}]}
    enc = rolled("Mara", "Vex", Mara={"weapons": [weapon]})
    enc.condition("Mara", "restricted", value=3)
    assert enc.can("Mara", "attack", target="Vex", option="spear").allowed
    assert refused(enc, "Mara", "attack", target="Vex", option="chop").rule == "segments.space.modes"


@pytest.mark.parametrize(
    ("weapon", "says"),
    [
        ({"speed": 3}, "give its name"),
        ({"name": "axe", "weight": 3}, "'weight'"),
        ({"name": "axe", "speed": "slow"}, "speed is 'slow'"),
        ({"name": "axe", "modes": {"chop": "wide"}}, "modes is"),
        ({"name": "axe", "modes": "chop"}, "modes is 'chop'"),
        ({"name": "axe", "modes": [{"space": 3}]}, "modes is"),
    ],
)
def test_weapons_that_cannot_be_are_refused(weapon: dict[str, Any], says: str) -> None:
    with pytest.raises(ck.InvalidInput, match=says):
        fight("Mara", Mara={"weapons": [weapon]})


@pytest.mark.parametrize("start", [(3, -5), (-4, 2)])
@pytest.mark.parametrize("end", [(4, 2), (1, 4), (-3, 3), (2, -5), (-5, 0)])
def test_a_straight_way_is_the_same_wherever_it_lies(start: tuple[int, int], end: tuple[int, int]) -> None:
    there = (start[0] + end[0], start[1] + end[1])
    way = square_line(start, there)
    assert [(x - start[0], y - start[1]) for x, y in way] == list(square_line((0, 0), end))
    assert len(way) == max(map(abs, end))
