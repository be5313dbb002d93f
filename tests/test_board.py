"""What combatants stand on: the board, distances in the rulebook's unit, placing several and taking off the map."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck

BOARDS = {
    "saga": ("squares", "squares", 1, 3),
    "segments": ("centres", "ft", 5, 15),
    "phases": ("hexes", "hexes", 1, 3),
    "ap": ("squares", "m", 1, 3),
}
DOCKS = [("quay", "crane"), ("crane", "roof")]


def fight(system: str, **more: Any) -> ck.Encounter:
    enc = ck.Encounter(system, seed=3, **more)
    for name, at in (("Mara", (0, 0)), ("Vex", (3, 0)), ("Ilya", None)):
        enc.add(name, side="rebels", at=at)
    return enc


@pytest.mark.parametrize(("system", "board"), BOARDS.items())
def test_a_board_says_what_there_is_to_stand_on_and_how_long_it_is(system: str, board: Any) -> None:
    kind, unit, length, apart = board
    enc = fight(system)
    found, distance = enc.board, enc.distance("Mara", "Vex")
    assert (found.kind, found.unit, found.length, found.zones) == (kind, unit, length, {})
    assert distance is not None
    assert (distance.steps, distance.length, distance.unit) == (3, apart, unit)
    assert enc.at().board == found


def test_zones_are_told_with_those_that_touch() -> None:
    enc = ck.Encounter("d6", seed=3, map=DOCKS)
    enc.add("Mara", side="rebels", at="quay")
    assert enc.board.zones == {"quay": ("crane",), "crane": ("quay", "roof"), "roof": ("crane",)}
    apart = enc.distance("Mara", "roof")
    assert apart is not None
    assert (apart.steps, apart.band, apart.length, apart.unit) == (2, "medium", 2, "zones")
    assert enc.distance("quay", "quay") == ck.Distance(0, "close")


@pytest.mark.parametrize("system", BOARDS)
def test_a_distance_is_also_from_a_place(system: str) -> None:
    enc = fight(system)
    assert enc.distance("Mara", (2, 0)) == enc.distance((0, 0), "2,0") == enc.distance([0, 0], (2, 0)) == ck.Distance(2)
    assert enc.distance("Mara", "Ilya") is None
    with pytest.raises(ck.UnknownName, match="Mara"):
        enc.distance("Mra", (2, 0))
    with pytest.raises(ck.InvalidInput, match="a place is"):
        enc.distance("Mara", (1, 2, 3))


@pytest.mark.parametrize("system", BOARDS)
def test_several_are_placed_together_in_one_step_of_undo(system: str) -> None:
    enc = fight(system)
    events = enc.place({"Mara": (1, 1), "Vex": None, "Ilya": "4, 4"})
    assert [event.text for event in events] == ["stands at (1, 1)", "is off the map", "stands at (4, 4)"]
    assert [enc[name].position for name in enc.names] == [(1, 1), None, (4, 4)]
    assert enc.can_undo == "Place (3 combatants)"
    enc.undo()
    assert [enc[name].position for name in enc.names] == [(0, 0), (3, 0), None]


@pytest.mark.parametrize(
    ("places", "error", "said"),
    [
        ({"Mara": (1, 1), "Mra": (2, 2)}, ck.UnknownName, "Mra"),
        ({"Mara": (1, 1), "Vex": (2, 2, 2)}, ck.InvalidInput, "Vex: a place is"),
        ({}, ck.InvalidInput, "names to places"),
    ],
)
def test_if_one_cannot_be_placed_nobody_is(places: Any, error: type[Exception], said: str) -> None:
    enc = fight("phases")
    before = enc.digest
    with pytest.raises(error, match=said):
        enc.place(places)
    assert (enc.digest, enc["Mara"].position) == (before, (0, 0))


def test_somebody_alone_is_taken_off_the_map() -> None:
    enc = fight("saga")
    (event,) = enc.place("Mara", off=True, note="fell overboard")
    assert (enc["Mara"].position, event.note, event.data["to"]) == (None, "fell overboard", None)
    for given in ({"at": (1, 1), "off": True}, {"off": False}, {"before": "Vex", "after": "Vex"}):
        with pytest.raises(ck.InvalidInput, match="place takes"):
            enc.place("Vex", **given)
    with pytest.raises(ck.InvalidInput, match="mapping"):
        enc.place({"Vex": (1, 1)}, before="Mara")


def test_who_is_off_the_map_is_so_in_a_saved_fight(tmp_path: Any) -> None:
    enc = fight("ap")
    enc.place({"Mara": None, "Ilya": (9, 9)})
    enc.save(tmp_path / "copy.combat")
    again = ck.load(tmp_path / "copy.combat")
    assert (again["Mara"].position, again["Ilya"].position, again.digest) == (None, (9, 9), enc.digest)


@pytest.mark.parametrize("system", [*BOARDS, "d6"])
def test_a_scene_has_places_if_it_is_asked_to(system: str) -> None:
    scene = ck.scene("catwalk")
    plain, placed = scene.encounter(system, seed=7), scene.encounter(system, seed=7, places=True)
    assert {plain[name].position for name in plain.names} in ({None}, {"the scene"})
    spots = [placed[name].position for name in placed.names]
    assert None not in spots
    assert len(set(spots)) == (2 if system == "d6" else len(spots))
    assert scene.encounter(system, seed=7, places=False).digest == plain.digest
    bridge = ck.scene("bridge")
    assert bridge.encounter(system, seed=7, places=True).digest == bridge.encounter(system, seed=7).digest


def test_an_ambush_with_places_stays_refused_where_nobody_is_surprised() -> None:
    assert ck.scene("ambush").set_up("phases", seed=7, places=True)["Tarn"].position == (0, 0)
    with pytest.raises(ck.InvalidInput, match="d6 cannot express this scene: Tarn: aware"):
        ck.scene("ambush").encounter("d6", places=True)
