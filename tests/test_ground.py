"""Where somebody can go: the cheapest action, who may attack for it, what players are told, and past moments."""

from __future__ import annotations

from typing import Any
from unicodedata import normalize

import numpy as np
import pytest

import combatkit as ck
from tests.counting import calls

BLADE = {"name": "blade", "damage": "2d6+5", "attack": 7, "range": "melee"}


def fight(system: str, at: dict[str, Any], *, options: Any = None, map: Any = None, **more: Any) -> ck.Encounter:
    """It is Mara's turn; everybody else is an enemy."""
    enc = ck.Encounter(system, seed=3, options=options, map=map)
    for name, spot in at.items():
        enc.add(name, side="crew" if name == "Mara" else "gang", npc=name != "Mara", at=spot, **more)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    return enc


def test_each_hex_has_the_cheapest_action_that_leads_there() -> None:
    ground = fight("phases", {"Mara": (0, 0), "Vex": (9, 9)}).ground("Mara")
    found = {n: (ground[(n, 0)].action, ground[(n, 0)].cost, ground.lengths[(n, 0)]) for n in (1, 2, 3, 4, 6)}  # type: ignore[union-attr]
    assert found == {
        1: ("1_hex_step", "1-hex step", 1),
        2: ("half_move", "Move", 2),
        3: ("half_move", "Move", 3),
        4: ("full_move", "Full phase", 4),
        6: ("full_move", "Full phase", 6),
    }
    assert ((7, 0) in ground, ground[(7, 0)], [each.action for each in ground.by((7, 0))]) == (
        False,
        None,
        ["noncombat_move"],
    )
    assert (0, 0) not in ground


def test_what_is_spent_is_what_the_ground_says() -> None:
    enc = fight("saga", {"Mara": (0, 0), "Vex": (9, 9)})
    assert next((each.action, each.cost) for each in enc.ground("Mara").by((1, 0))) == ("move", "Move")
    enc.do("Mara", "move", to=(1, 0))
    found = enc.ground("Mara").by((2, 0))
    assert [(each.action, each.cost) for each in found] == [("move", "Standard"), ("climb", "Standard")]
    assert enc.can("Mara", "move", to=(2, 0)).cost == "Standard"
    enc.do("Mara", "move", to=(2, 0))
    nowhere = enc.ground("Mara")
    assert (nowhere.reach, nowhere.lengths) == ((), {})
    assert nowhere.why == enc.can("Mara", "move", to=(3, 0)).reason


def test_within_the_own_zone_a_move_takes_nothing() -> None:
    enc = fight("d6", {"Mara": "quay", "Vex": "roof"}, map=[("quay", "crane"), ("crane", "roof")])
    ground = enc.ground("Mara")
    assert {zone: (ground[zone].action, ground[zone].cost) for zone in ("quay", "crane")} == {  # type: ignore[union-attr]
        "quay": ("move", "No action"),
        "crane": ("move", "Move"),
    }
    assert [each.action for each in ground.by("crane")] == ["move", "dash"]
    assert "roof" not in ground
    assert ground.apart["Vex"] == ck.Distance(2, "medium")


def test_a_way_around_an_enemy_is_longer() -> None:
    enc = fight("phases", {"Mara": (0, 0), "Vex": (1, 0)})
    ground = enc.ground("Mara")
    assert (ground.lengths[(2, 0)], (1, 0) in ground) == (3, False)
    (way,) = enc.ways("Mara", (2, 0), action="withdraw")
    assert (way.length, len(way.path), enc.can("Mara", "withdraw", to=way.to).allowed) == (3, 3, True)


@pytest.mark.parametrize(("openings", "threatened"), [("asked", []), ("leaving_reach", ["Vex"])])
def test_in_saga_ground_is_threatened_as_the_table_reads_openings(openings: str, threatened: list[str]) -> None:
    at = {"Mara": (0, 0), "Vex": (1, 0), "Bo": (40, 40)}
    enc = fight("saga", at, options={"openings": openings}, weapons=[BLADE])
    ground = enc.ground("Mara")
    assert [each.who for each in ground.threats] == threatened
    assert [each.who for each in enc.foresee("Mara", "move", to=(-4, 0)).asked] == threatened
    assert [(each.weapon, each.steps, each.unit) for each in ground.ranges] == [("blade", 1, "squares")]


@pytest.mark.parametrize("system", ["ap", "segments"])
def test_where_no_rule_reads_it_nothing_is_threatened_and_nothing_limits(system: str) -> None:
    ground = fight(system, {"Mara": (0, 0), "Vex": (1, 0)}).ground("Mara")
    assert ground.threats == ()
    assert ground.reach
    assert ground.reach[0].limit is None


def test_squares_of_five_feet_are_measured_from_centre_to_centre() -> None:
    enc = fight("segments", {"Mara": (0, 0), "Vex": (9, 9)}, options={"movement": "refused"}, movement=30)
    ground = enc.ground("Mara")
    assert (ground.lengths[(6, 0)], ground.lengths[(3, 3)]) == (30, 21.2)
    assert (5, 5) not in ground
    assert not enc.can("Mara", "move", to=(5, 5)).allowed


def test_a_short_move_leads_along_a_side_and_to_no_corner() -> None:
    enc = fight("segments", {"Mara": (0, 0), "Vex": (9, 9)}, options={"movement": "refused"}, movement=6)
    assert set(enc.ground("Mara").lengths) == {(1, 0), (-1, 0), (0, 1), (0, -1)}


def test_whoever_cannot_attack_threatens_nothing() -> None:
    enc = fight("phases", {"Mara": (0, 0), "Vex": (1, 0)})
    assert [each.who for each in enc.ground("Mara").threats] == ["Vex"]
    enc.condition("Vex", "unconscious")
    assert enc.ground("Mara").threats == ()


def test_what_is_foreseen_changes_nothing_and_stops_before_the_first_die() -> None:
    enc = fight("saga", {"Mara": (0, 0), "Vex": (3, 0)}, weapons=[BLADE])
    before = enc.digest
    seen = enc.foresee("Mara", "charge", target="Vex", to=(2, 0))
    assert (seen.ruling.allowed, seen.end, seen.path, seen.dice) == (True, (2, 0), ((2, 0),), True)
    refused = enc.foresee("Mara", "move", to=(40, 0))
    assert (refused.ruling, refused.end) == (enc.can("Mara", "move", to=(40, 0)), (0, 0))
    assert enc.digest == before


def test_players_are_told_nothing_of_what_is_readied_or_hidden() -> None:
    enc = fight("phases", {"Mara": (0, 0), "Vex": (1, 0), "Bo": (0, 1)})
    enc.condition("Bo", "hidden")
    assert {each.who for each in enc.ground("Mara").threats} == {"Vex", "Bo"}
    told = enc.ground("Mara", view="players")
    assert [each.who for each in told.threats] == ["Vex"]
    assert "Bo" not in told.apart
    assert "Bo" not in str(enc.foresee("Mara", "half_move", to=(-2, 0), view="players"))
    assert "Bo" not in str(enc.ways("Mara", (-2, 0), view="players"))
    with pytest.raises(ck.InvalidInput, match="'gm' or 'players'"):
        enc.ground("Mara", view="anna")


def test_a_readied_action_is_foreseen_for_the_gm_alone() -> None:
    enc = fight("saga", {"Mara": (0, 0), "Vex": (8, 0)}, weapons=[{**BLADE, "range": 20}])
    enc.end_turn()
    while enc.active != "Vex":
        enc.end_turn()
    enc.do("Vex", "ready", action="attack", target="Mara", trigger={"actor": "Mara", "action": "move"})
    while enc.active != "Mara":
        enc.end_turn()
    assert [each.who for each in enc.foresee("Mara", "move", to=(1, 0)).asked] == ["Vex"]
    assert enc.foresee("Mara", "move", to=(1, 0), view="players").asked == ()
    enc.do("Mara", "move", to=(1, 0))
    assert [offer.who for offer in enc.pending] == ["Vex"]


def test_a_past_moment_is_asked_as_the_present_is() -> None:
    enc = fight("phases", {"Mara": (0, 0), "Vex": (4, 0)})
    ground, moment = enc.ground("Mara"), enc.at()
    enc.do("Mara", "withdraw", to=(-2, 0))
    assert enc.ground("Mara").at == (-2, 0)
    assert (moment.ground("Mara"), moment.board) == (ground, enc.board)
    assert moment.foresee("Mara", "half_move", to=(1, 0)).end == (1, 0)
    assert moment.distance("Mara", "Vex") == ck.Distance(4)


def test_who_is_off_the_map_goes_nowhere_on_it() -> None:
    enc = fight("phases", {"Mara": (0, 0), "Vex": (4, 0)})
    enc.place("Mara", off=True)
    ground = enc.ground("Mara")
    assert (ground.at, ground.reach, ground.why) == (None, (), "Mara has no place on the map.")


@pytest.mark.parametrize("given", [[1, 0], (np.int64(1), np.int8(0)), np.array([1, 0]), (1.0, 0.0)])
def test_a_place_may_be_given_as_anything_that_holds_two_numbers(given: Any) -> None:
    enc = ck.Encounter("phases", seed=7)
    enc.add("Mara", side="crew", at=(0, 0), movement=6)
    enc.start()
    ground = enc.ground("Mara")
    assert given in ground
    assert ground[given] is ground[1, 0] is ground.by(given)[0]
    assert enc.ways("Mara", given) == enc.ways("Mara", (1, 0))


def test_a_zone_is_found_in_either_form_and_with_unseen_ends() -> None:
    enc = ck.Encounter("d6", seed=7, map=[("Küche", "Höf")])
    enc.add("Mara", side="crew", at="Küche")
    enc.start()
    other = f" {normalize('NFD', 'Höf')}"
    assert enc.distance("Mara", other) == enc.distance("Mara", "Höf")
    assert enc.ways("Mara", other) == enc.ways("Mara", "Höf")
    ground = enc.ground("Mara")
    assert ground[other] is ground["Höf"] is not None


# ── areas ──


@pytest.mark.parametrize(
    ("system", "kind", "size", "covered"),
    [
        # All around by each board's own measure: diagonals as one, from centre to centre (7.1 ft to a corner), hexes.
        ("saga", "circle", 1, {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)}),
        ("segments", "circle", 7, {(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)}),
        ("segments", "circle", 7.1, {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)}),
        ("phases", "circle", 1, {(0, 0), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)}),
        # To the right: half a right angle on either side, half a hex's corner.
        ("ap", "cone", 2, {(1, -1), (1, 0), (1, 1), *[(2, y) for y in range(-2, 3)]}),
        ("segments", "cone", 10, {(1, -1), (1, 0), (1, 1), (2, 0)}),
        ("phases", "cone", 3, {(1, 0), (2, -1), (2, 0), (1, 1), (3, -1), (3, 0), (2, 1)}),
        ("saga", "line", 3, {(1, 0), (2, 0), (3, 0)}),
        ("phases", "line", 2, {(1, 0), (2, 0)}),
    ],
)
def test_an_area_covers_what_lies_within_the_boards_own_measure(
    system: str, kind: str, size: float, covered: set[Any]
) -> None:
    enc = fight(system, {"Mara": (0, 0), "Vex": (1, 0), "Bo": (9, 9)})
    area = enc.area("Mara", kind=kind, size=size, towards=(4, 0))
    assert (set(area.places), area.unit, area.size) == (covered, enc.board.unit, size)
    assert set(area.names) == {"Mara", "Vex"} - ({"Mara"} if kind != "circle" else set())


def test_an_area_reaches_as_far_as_it_is_drawn() -> None:
    enc = fight("segments", {"Mara": (0, 0), "Vex": (3, 1), "Bo": (6, 2)})
    assert enc.area("Mara", kind="line", towards="Vex").names == ("Vex",)
    assert enc.area("Mara", kind="line", towards="Vex", size=35).places == {
        *[(1, 0), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2)],
    }
    assert enc.area("Mara", towards=(3, 1)).size == enc.distance("Mara", "Vex").length == 15.8  # type: ignore[union-attr]


@pytest.mark.parametrize("system", ["saga", "ap", "segments", "phases"])
def test_a_line_is_walked_only_as_far_as_it_reaches(system: str) -> None:
    enc = fight(system, {"Mara": (0, 0), "Vex": (3, 0)})
    size, far = 3 * enc.board.length, 10**9
    line = enc.area("Mara", kind="line", size=size, towards=(far, 1))
    assert (set(line.places), line.names) == ({(1, 0), (2, 0), (3, 0)}, ("Vex",))
    back = enc.area((far, 0), kind="line", size=size, towards=(3, 0))
    assert back.places == {(far - 1, 0), (far - 2, 0), (far - 3, 0)}


def test_those_in_an_area_are_what_several_targets_are_given_as() -> None:
    enc = fight("phases", {"Mara": (0, 0), "Vex": (1, 0), "Bo": (0, 1), "Cy": (1, 1)})
    enc.condition("Cy", "dead")
    area = enc.area((1, 0), size=1)
    assert list(area.names) == [rung.combatant for rung in enc.order if rung.combatant != "Cy"]
    around = [name for name in area.names if name != "Mara"]
    assert enc.can("Mara", "presence_attack", target=around).allowed


def test_players_are_told_of_nobody_hidden_in_an_area() -> None:
    enc = fight("phases", {"Mara": (0, 0), "Vex": (1, 0), "Bo": (0, 1)})
    enc.condition("Bo", "hidden")
    assert set(enc.area("Mara", size=2).names) == {"Mara", "Bo", "Vex"}
    assert set(enc.area("Mara", size=2, view="players").names) == {"Mara", "Vex"}
    with pytest.raises(ck.UnknownName):
        enc.area("Bo", size=2, view="players")


def test_among_zones_an_area_takes_in_those_so_many_steps_away() -> None:
    enc = fight("d6", {"Mara": "quay", "Vex": "crane", "Bo": "roof"}, map=[("quay", "crane"), ("crane", "roof")])
    assert enc.area("quay", size=0).names == ("Mara",)
    assert set(enc.area("Vex", size=1).names) == {"Mara", "Vex", "Bo"}
    assert enc.area("quay", size=1).places == {"quay", "crane"}


@pytest.mark.parametrize(
    ("system", "at", "more", "said"),
    [
        ("saga", "Mara", {"kind": "cirle", "size": 2}, "did you mean 'circle'"),
        ("saga", "Mara", {}, "size is None; give a number from 0 to 60 (squares)"),
        ("segments", "Mara", {"size": 301}, "size is 301; give a number from 0 to 300 (ft)"),
        ("saga", "Mara", {"size": True}, "size is True"),
        ("saga", "Mara", {"size": float("nan")}, "size is nan"),
        ("saga", "Mara", {"kind": "cone", "size": 3}, "a cone leads somewhere: give towards"),
        ("saga", "Mara", {"kind": "line", "size": 3, "towards": (0, 0)}, "a line leads somewhere"),
        ("saga", "Bo", {"size": 3}, "at is nowhere on the map"),
        ("saga", "Mara", {"towards": "Bo"}, "towards is nowhere on the map"),
        ("saga", "Cy", {"size": 3}, "at is nowhere on the map"),
        ("d6", "quay", {"kind": "cone", "towards": "crane"}, "among zones there is no cone"),
    ],
)
def test_what_is_no_area_is_refused_by_what_is_wrong(system: str, at: Any, more: Any, said: str) -> None:
    zones = system == "d6"
    enc = ck.Encounter(system, seed=3, map=[("quay", "crane")] if zones else None)
    enc.add("Mara", side="crew", at="quay" if zones else (0, 0))
    enc.add("Bo", side="gang")
    enc.add("Cy", side="gang", at="quay" if zones else "the bridge")
    with pytest.raises(ck.CombatkitError) as refused:
        enc.area(at, **more)
    assert said in str(refused.value)


def test_a_long_way_asks_nobody_far_from_it_anew_at_each_step() -> None:
    def asked(foes: int) -> int:
        enc = ck.Encounter("phases", seed=3)
        enc.add("Mara", side="crew", at=(0, 0))
        enc.add("Vex", side="gang", npc=True, count=foes, at=(0, 30))
        enc.start()
        while enc.active != "Mara":
            enc.end_turn()
        return calls(lambda: enc.ways("Mara", (60, 0), action="noncombat_move"))

    assert asked(2) > 0  # the first asks what is the same for all fights
    assert (asked(70) - asked(20)) / 50 < 3 * 60, "so many function calls for each of them, on sixty hexes"
