"""The map: what is sent of who stands where, of how far somebody gets, and of how they get to a place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import combatkit as ck
from combatkit.widgets._intents import hear
from combatkit.widgets._map_view import MapProjector, laid, runs
from combatkit.widgets._map_ways import AskWay, ways_answer
from combatkit.widgets._seat import SeatVantage
from combatkit.widgets._seat_rights import hear_seat
from combatkit.widgets._table import table_of
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.page import page
from tests.conformance.test_ground import asked_by_doing, fights, goal, once
from tests.wire import recording, sent

SYSTEMS = tuple(rules.id for rules in ck.rulesets())


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def gantry() -> ck.Encounter:
    """It is Mara's turn; she stands next to a foe, one more is hidden beside her, and one has no place."""
    enc = ck.Encounter("phases", seed=7)
    enc.add("Mara", side="crew", at=(0, 0), movement=6, combat_value=9, stun=30)
    enc.add("Vex", side="gang", npc=True, at=(1, 0), movement=9, stun=30)
    enc.add("Lurk", side="gang", npc=True, at=(0, -1), conditions=["hidden"])
    enc.add("Late", side="gang", npc=True)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    return enc


def shown(enc: ck.Encounter, view: str = "gm") -> Any:
    return MapProjector()(Vantage(enc, view))


def cells(found: Any) -> set[tuple[int, int]]:
    return {(x, row) for row, first, last in found for x in range(first, last + 1)}


def seated(enc: ck.Encounter) -> SeatVantage:
    table_of(enc).plays["Anna"] = ("Mara",)
    return SeatVantage(enc, "Anna")


# ── what is sent ──


def test_where_nobody_has_a_place_there_is_no_map_unless_it_is_asked_for() -> None:
    enc = ck.Encounter("phases", seed=7)
    enc.add("Mara", side="crew")
    assert (shown(enc)["board"], shown(enc)["tokens"]) == ("", {})
    assert [each["name"] for each in ck.Map(enc).view["tokens"].values()] == ["Mara"]
    enc.place("Mara", at=(0, 0))
    assert shown(enc)["board"] == "hexes"


def test_zones_need_a_map() -> None:
    enc = ck.Encounter("d6", seed=7)
    enc.add("Mara", side="crew", at="quay")
    assert shown(enc)["board"] == ""
    assert ck.Map(enc).view["board"] == ""


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("scene", ["bridge", "catwalk"])
def test_everybody_stands_where_they_stand_and_the_ground_is_the_engines(system: str, scene: str) -> None:
    enc = ck.scene(scene).encounter(system, seed=7, places=True)
    view = shown(enc)
    spots = {each["name"]: each.get("at") for each in view["tokens"].values()}
    assert spots == {name: json.loads(json.dumps(enc[name].position)) for name in enc.names}
    assert view["board"] == enc.board.kind
    if enc.active is None:
        assert (view["current"], view["whose"], view["reach"]) == (None, None, [])
        return
    ground = enc.ground(enc.active)
    assert view["tokens"][view["current"]]["name"] == view["tokens"][view["whose"]]["name"] == enc.active
    for each in view["reach"]:
        found: frozenset[Any] = frozenset(each["zones"] if "zones" in each else cells(each["cells"]))
        assert found in [reach.places for reach in ground.reach if reach.action == each["action"]]
    places: list[set[Any]] = [cells(each["cells"]) if "cells" in each else set(each["zones"]) for each in view["reach"]]
    assert set().union(*places) == set(ground.lengths)
    threatened = {spot for threat in ground.threats for spot in threat.places}
    assert set().union(*[cells(each["cells"]) for each in view["threat"]]) == threatened


def test_a_range_goes_along_with_whoever_has_the_weapon() -> None:
    enc = ck.Encounter("segments", seed=7)
    enc.add("Mara", side="crew", at=(3, 4), weapons=[{"name": "sling", "damage": "1d4", "range": 20}])
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    (sling,) = shown(enc)["ranges"]
    assert sling["far"] == "20 ft"
    reached = {(3 + x, 4 + y) for x, y in cells(sling["cells"])}
    assert reached == {
        (x, y)
        for x in range(-5, 12)
        for y in range(-5, 13)
        if enc.distance("Mara", (x, y)).length <= 20  # type: ignore[union-attr, operator]
    }


def test_how_far_somebody_is_is_said_in_whole_feet() -> None:
    enc = ck.Encounter("segments", seed=7)
    enc.add("Mara", side="crew", at=(0, 0))
    enc.add("Vex", side="hunters", at=(2, 1))
    enc.start()
    while enc.active is None:
        enc.end_turn()
    assert [*shown(enc)["apart"].values()] == ["11 ft"]


def test_of_whoever_is_looked_at_it_is_said_what_they_have_left_and_how_far_they_are() -> None:
    enc = gantry()
    tracker = ck.Tracker(enc)
    assert "about" not in tracker.map.view, "whoever acts has their sheet beside it"
    hear(tracker._vantage, {"kind": "look", "name": "Vex"})
    assert tracker.map.view["about"] == "30/30 Stun · OCV 0 · DCV 0 · moves 9 · 1 hex from Mara"
    assert tracker.budget.view["caption"] == "OCV 0 · DCV 0 · moves 9", "a way back stands beside it"
    hear(tracker._vantage, {"kind": "look", "name": None})
    assert "about" not in tracker.map.view
    assert " · at (0, 0)" in tracker.budget.view["caption"]


def test_zones_that_touch_are_drawn_beside_each_other() -> None:
    row = {"quay": ("crane",), "crane": ("quay", "roof"), "roof": ("crane",)}
    spots = laid(tuple(row.items()))
    for zone, beside in row.items():
        for other in beside:
            (x, y), (ox, oy) = spots[zone], spots[other]
            assert abs(x - ox) + abs(y - oy) == 1
    apart = laid((("quay", ("crane",)), ("crane", ("quay",)), ("sea", ("reef",)), ("reef", ("sea",))))
    assert len({*apart.values()}) == 4


def test_runs_hold_every_cell_once() -> None:
    rng = Random(7)
    spots = {(rng.randrange(9), rng.randrange(9)) for _ in range(40)}
    found = runs(spots)
    assert cells(found) == spots
    assert sum(last - first + 1 for _, first, last in found) == len(spots)


def test_a_move_sends_where_somebody_is_and_little_else() -> None:
    enc = gantry()
    map = ck.Map(enc)
    map.view  # noqa: B018 - it is shown
    sent(map)
    enc.place("Late", at=(9, 9))
    (delta,) = [each for each in sent(map) if each["kind"] == "delta"]
    assert [path for path, *_ in delta["set"]] == [["tokens", "4", "at"], ["apart", "4"]]
    assert len(json.dumps(delta["set"], separators=(",", ":"))) < 76


def test_whoever_has_left_is_on_no_map() -> None:
    enc = gantry()
    enc.leave("Vex")
    assert "Vex" not in [each["name"] for each in shown(enc)["tokens"].values()]


def test_a_saved_page_says_who_stands_where_and_to_players_only_of_those_they_see() -> None:
    enc = gantry()
    for view, names in (("gm", ["Mara", "Vex", "Lurk", "Late"]), ("players", ["Mara", "Vex", "Late"])):
        _, _, places = page(enc, view, "Gantry").partition("</main>")
        places, _, _ = places.partition("<script")
        assert "Who stands where" in places
        assert 'src="data:image/svg+xml;base64,' in places
        assert re.findall(r"<tr><td>(\w+)", places) == names
    assert "Who stands where" not in page(ck.scene("catwalk").encounter("saga", seed=7), "gm", "Catwalk")


def test_a_seat_moves_whom_it_plays_and_nobody_else() -> None:
    enc = gantry()
    view: Any = MapProjector()(seated(enc))
    assert (view["goes"], view["players"]) == (True, True)
    assert not shown(enc, "players")["goes"]
    table_of(enc).plays["Ben"] = ("Vex",)
    other: Any = MapProjector()(SeatVantage(enc, "Ben"))
    assert (other["whose"], other["reach"]) == ("2", [])  # it is not their turn


# ── stopped on the way, and in the past ──


def stopped() -> ck.Encounter:
    """Mara is stopped where she is about to leave the first hex of her way."""
    enc = ck.Encounter("phases", seed=7)
    enc.add("Mara", side="crew", at=(0, 0), movement=6, combat_value=9, stun=30)
    enc.add("Vex", side="gang", npc=True, at=(2, -1), stun=30)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    enc.do("Mara", "half_move", to=(3, 0))
    return enc


def test_a_move_that_is_stopped_shows_what_is_behind_and_before() -> None:
    enc = stopped()
    assert shown(enc)["halt"] == {"who": "1", "gone": [[0, 0], [1, 0]], "left": [[2, 0], [3, 0]], "asks": []}
    enc.resolve(answer="failed")
    view = shown(enc)
    assert view["halt"]["asks"] == ["2"]
    assert (view["current"], view["whose"]) == ("1", "1")  # not the ground of whoever is asked
    enc.resolve()
    assert "halt" not in shown(enc)


def test_players_are_not_told_where_somebody_is_going_whom_the_gm_plays() -> None:
    enc = ck.Encounter("phases", seed=7)
    enc.add("Vex", side="gang", npc=True, at=(0, 0), movement=6, combat_value=9, stun=30)
    enc.add("Mara", side="crew", at=(2, -1), stun=30)
    enc.start()
    while enc.active != "Vex":
        enc.end_turn()
    enc.do("Vex", "half_move", to=(3, 0))
    assert shown(enc)["halt"]["left"] == [[2, 0], [3, 0]]
    assert shown(enc, "players")["halt"]["left"] == []


def test_in_the_past_everybody_stands_where_they_stood_and_is_where_they_go_next_as_a_ghost() -> None:
    enc = gantry()
    begun = len(enc._events)
    enc.do("Mara", "withdraw", to=(-2, 0))
    while enc.pending:
        enc.resolve()
    moved = next(event.seq for event in enc._events if event.kind == "move" and event.seq > begun)
    vantage = Vantage(enc)
    vantage.travel(begun)
    view: Any = MapProjector()(vantage)
    assert view["tokens"]["1"]["at"] == [0, 0]
    assert view["ghosts"][0] == {"who": "1", "at": list(enc._events[moved - 1].data["to"]), "seq": moved}
    assert (view["whose"], view["reach"], view["past"]) == (None, [], True)
    vantage.travel(None)
    assert "ghosts" not in MapProjector()(vantage)
    enc.undo()
    vantage.travel(begun)
    assert "ghosts" not in MapProjector()(vantage)  # it was taken back


# ── what players are told ──


def test_players_see_nobody_hidden_and_no_numbers_of_those_the_gm_plays() -> None:
    enc = gantry()
    assert {each["name"] for each in shown(enc)["tokens"].values()} == {"Mara", "Vex", "Lurk", "Late"}
    for view in (shown(enc, "players"), MapProjector()(seated(enc))):
        assert {each["name"]: "vital" in each for each in view["tokens"].values()} == {
            "Mara": True,
            "Vex": False,
            "Late": False,
        }
        assert "Lurk" not in json.dumps(view)
        assert (0, -1) in cells(reach for each in view["reach"] for reach in each["cells"])
        assert view["threat"]
    while enc.active != "Vex":
        enc.end_turn()
    assert shown(enc)["reach"]
    for view in (shown(enc, "players"), MapProjector()(seated(enc))):
        assert "reach" in view
        whose = view["tokens"].get(view["whose"] or "")
        assert whose is None or whose["name"] == "Mara"


def test_a_seat_asks_for_its_own_and_is_told_of_nothing_readied_or_hidden() -> None:
    blade = {"name": "blade", "damage": "2d6+5", "attack": 7, "range": 20}
    enc = ck.Encounter("saga", seed=3)
    enc.add("Mara", side="crew", at=(0, 0))
    enc.add("Vex", side="gang", npc=True, at=(8, 0), weapons=[blade])
    enc.start()
    while enc.active != "Vex":
        enc.end_turn()
    enc.do("Vex", "ready", action="attack", target="Mara", trigger={"actor": "Mara", "action": "move"})
    while enc.active != "Mara":
        enc.end_turn()
    question = {"kind": "way", "name": "Mara", "to": [1, 0]}
    (way,) = hear(Vantage(enc), question)["ways"]  # type: ignore[index]
    assert (way["asks"], way["text"]) == ([["Vex", 0]], "Vex may react.")
    seat = seated(enc)
    (told,) = hear_seat(seat, question)["ways"]  # type: ignore[index]
    assert (told["asks"], told["text"], told["to"]) == ([], "", way["to"])
    refused = hear_seat(seat, question | {"name": "Vex"})
    assert refused is not None
    assert (refused["kind"], "yours" in refused["reason"] or "GM" in refused["reason"]) == ("refused", True)
    enc.condition("Vex", "hidden")
    found = hear_seat(seat, question | {"to": "Vex"})
    assert found == hear_seat(seat, question | {"to": "Nobody"}) | {"reason": found["reason"]}  # type: ignore[operator, index]
    assert hear_seat(seat, question | {"to": [8, 0]})["kind"] == "way"  # type: ignore[index]


def test_who_only_watches_and_who_looks_at_the_past_ask_for_no_way() -> None:
    enc = gantry()
    question = {"kind": "way", "name": "Mara", "to": [-1, 0]}
    assert hear(Vantage(enc, "players"), question)["kind"] == "refused"  # type: ignore[index]
    assert hear(Vantage(enc.at(4)), question)["kind"] == "refused"  # type: ignore[index]


# ── how somebody gets to a place ──


def test_a_way_says_what_it_takes_and_who_may_attack() -> None:
    enc = gantry()
    enc.leave("Lurk")
    enc.leave("Late")
    answer = ways_answer(Vantage(enc), AskWay("Mara", [-2, 0]))
    assert (answer["action"], answer["why"]) == ("half_move", [])
    (way,) = answer["ways"]
    assert (way["title"], way["says"], way["small"]) == ("Straight", "Half move, 2 of 3 hexes", "1 may attack")
    assert (way["to"], way["path"], way["asks"]) == ([-2, 0], [[-1, 0], [-2, 0]], [["Vex", 0]])
    assert way["text"] == "Vex may attack."
    barred = {each["id"]: each["no"] for each in answer["actions"] if "no" in each}
    assert barred["1_hex_step"][0].startswith("That's 2 hexes")  # type: ignore[union-attr]
    assert [each["id"] for each in answer["actions"]][-len(barred) :] == list(barred)


def test_of_ways_that_cost_the_same_the_first_is_the_one_on_which_fewest_may_attack() -> None:
    enc = ck.Encounter("phases", seed=7)
    enc.add("Mara", side="crew", at=(0, 0), movement=12, combat_value=6)
    enc.add("Vex", side="gang", at=(2, -1), combat_value=4)
    enc.start()
    ways = ways_answer(Vantage(enc), AskWay("Mara", [2, 0]))["ways"]
    found = [(way["title"].partition(" by")[0], way["small"]) for way in ways]
    assert found == [("Around", "nobody may attack"), ("Straight", "1 may attack")]


def test_a_way_around_says_by_which_place() -> None:
    enc = gantry()
    enc.leave("Lurk")
    (way,) = ways_answer(Vantage(enc), AskWay("Mara", [2, 0], action="withdraw"))["ways"]
    assert way["title"].startswith("Around by (")
    assert "-" not in way["title"]
    assert way["says"] == "Withdraw, 3 of 6 hexes"


def test_stops_are_kept() -> None:
    enc = gantry()
    enc.leave("Lurk")
    answer = ways_answer(Vantage(enc), AskWay("Mara", stops=[[-2, 1], [-1, 2]]))
    assert answer["action"] == "full_move"
    (way,) = answer["ways"]
    assert way["to"] == [[-2, 1], [-1, 2]]
    assert way["path"][-1] == [-1, 2]
    enc.do("Mara", answer["action"], to=way["to"])
    while enc._state.window is not None:
        enc.resolve(answer=None if not enc._state.window.question else enc._state.window.choices[0])
    assert enc["Mara"].position == (-1, 2)


@pytest.mark.parametrize("system", ["saga", "ap", "phases"])
@pytest.mark.parametrize("at", [None, "the door"])
def test_from_no_place_leads_no_way(system: str, at: str | None) -> None:
    enc = ck.Encounter(system, seed=7)
    enc.add("Mara", side="crew", at=at)
    enc.add("Vex", side="gang", at=(2, 0), npc=True)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    for more in ({"to": [1, 1]}, {"stops": [[1, 1], [2, 2]]}):
        answer = hear(Vantage(enc), {"kind": "way", "name": "Mara", **more})
        assert answer is not None
        assert (answer["kind"], answer["ways"], answer["why"]) == ("way", [], ["Mara has no place on the map."])


def test_too_far_says_why_and_without_a_limit_that_there_is_none() -> None:
    enc = ck.scene("bridge").encounter("saga", seed=7)
    who = str(enc.active)
    answer = ways_answer(Vantage(enc), AskWay(who, [400, 0]))
    assert (answer["ways"], answer["action"]) == ([], None)
    assert answer["why"] == answer["actions"][0]["no"]
    enc = ck.scene("bridge").encounter("ap", seed=7)
    answer = ways_answer(Vantage(enc), AskWay(str(enc.active), [10**9, 0]))
    (way,) = answer["ways"]
    assert answer["why"] == ["How far is up to your table: no rule limits it."]
    assert way["path"] == [[10**9, 0]]


@pytest.mark.parametrize("to", [None, [], "Nowhere", [1, 2, 3], {"x": 1}, [[0, 0]], True])
def test_what_is_no_place_is_refused(to: Any) -> None:
    refused = hear(Vantage(gantry()), {"kind": "way", "name": "Mara", "to": to})
    assert refused is not None
    assert (refused["kind"], "could not be done" in refused["reason"]) == ("refused", False)


@pytest.mark.parametrize("shape", ["circle", "cone", "line"])
def test_an_area_says_what_it_covers_and_who_is_there(shape: str) -> None:
    enc = gantry()
    answer = hear(Vantage(enc), {"kind": "area", "shape": shape, "at": "Mara", "towards": [3, 0]})
    area = enc.area("Mara", kind=shape, towards=(3, 0))
    assert answer is not None
    assert (answer["says"], answer["names"]) == (f"{shape.capitalize()} of 3 hexes", [*area.names])
    assert cells(answer["cells"]) == set(area.places)


def test_a_seat_is_told_of_nobody_hidden_in_an_area() -> None:
    enc = gantry()
    seat = seated(enc)
    asked = {"kind": "area", "shape": "circle", "at": [0, 0], "size": 60}
    assert {*(hear(Vantage(enc), asked) or {})["names"]} == {"Mara", "Vex", "Lurk"}
    assert {*(hear_seat(seat, asked) or {})["names"]} == {"Mara", "Vex"}
    hidden, nobody = [(hear_seat(seat, {**asked, "at": name}) or {})["reason"] for name in ("Lurk", "Nobo")]
    assert hidden == nobody.replace("Nobo", "Lurk")


def test_it_is_said_in_the_fights_language() -> None:
    enc = ck.Encounter("phases", seed=7, language="de")
    enc.add("Mara", side="crew", at=(0, 0), movement=6, combat_value=9)
    enc.add("Vex", side="gang", npc=True, at=(1, 0))
    enc.start()
    map = ck.Map(enc)
    assert map.view["caption"] == "Felder"
    map._handle_msg(
        {
            "content": {"data": {"method": "custom", "content": {"kind": "way", "name": "Mara", "to": [-2, 0]}}},
            "buffers": [],
        }
    )
    (way,) = next(each for each in sent(map) if each["kind"] == "way")["ways"]
    assert (way["title"], way["says"]) == ("Geradeaus", "Halbe Bewegung: 2, höchstens 3 Felder")
    assert way["text"] == "Vex: Angriff möglich."


def compared(system: str, rng: Random, most: int) -> None:
    """Ask for ways at moments of random fights, go each, and see that it was as told."""
    count = 0
    for enc in fights(system, rng):
        who, ground = enc.active, enc.ground(enc.active or enc.names[0])
        window = enc._state.window
        spot = None if who is None else enc[who].position
        if who is None or spot is None or isinstance(spot, str) != (enc.board.kind == "zones"):
            continue
        if window is not None and window.soft:
            continue  # any call lets it go first
        before = enc.digest
        to = json.loads(json.dumps(goal(rng, enc, ground)))
        answer = ways_answer(Vantage(enc), AskWay(who, to))
        assert enc.digest == before
        allowed = [each["id"] for each in answer["actions"] if "no" not in each]
        assert bool(answer["ways"]) == (bool(allowed) and answer["action"] in allowed), (who, to, answer)
        for way in answer["ways"]:
            action = str(answer["action"])
            assert enc.can(who, action, to=way["to"]).cost == next(
                each["cost"] for each in answer["actions"] if each["id"] == action
            )
            found, end = asked_by_doing(enc, who, action, way["to"])
            spots = [spot, *[tuple(each) if isinstance(each, list) else each for each in way["path"]]]
            told = [(str(name), spots[int(step)]) for name, step in way["asks"]]
            assert once([each for each in found if each[0] != "GM"]) == once(told), (who, to, way)
            assert (end == spots[-1]) or any(name == "GM" for name, _ in found), (who, to, way, end)
        count += 1
        if count >= most:
            return


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_a_way_says_is_what_is_done(system: str) -> None:
    compared(system, Random(f"way {system}"), 15)


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
def test_what_a_way_says_is_what_is_done_many_times(system: str) -> None:
    compared(system, Random(f"ways {system}"), 2_000)


def test_a_fight_run_again_has_everybody_where_they_were_first_set_down() -> None:
    enc = ck.Encounter("phases", seed=7)
    enc.add("Sela", side="heroes", combat_value=6, stun=25)
    enc.add("Gang", side="foes", npc=True, count=2, combat_value=4, stun=20)
    enc.place({"Gang 1": (9, 9)})
    enc.place({"Gang 1": (4, 0)})
    enc.start()
    enc.place({"Sela": (0, 0)})
    enc.do("Sela", "half_move", to="(2, 0)")
    again = enc.restart()
    assert {name: again[name].position for name in again.names} == {"Sela": (0, 0), "Gang 1": (4, 0), "Gang 2": None}
    assert list(enc.roster()["at"]) == list(again.roster()["at"])


def test_who_went_onto_the_map_by_themselves_was_not_set_down_there() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Vex", side="empire", npc=True)
    enc.start(rolls={"Mara": 18, "Vex": 2})
    enc.do("Mara", "move", to=(4, 4))
    enc.place({"Vex": (9, 9), "Mara": (0, 0)})
    again = enc.restart()
    assert {name: again[name].position for name in again.names} == {"Mara": None, "Vex": (9, 9)}


# ── what is measured, and all that is threatened ──


def test_how_far_places_are_is_told_to_players_and_in_the_past() -> None:
    enc = gantry()
    question = {"kind": "far", "start": [1, 0], "end": [-2, 1]}
    for vantage in (Vantage(enc), Vantage(enc, "players"), Vantage(enc.at(4))):
        assert hear(vantage, question) == {"kind": "far", "says": "3 hexes"}
    assert hear(Vantage(enc), question | {"end": [0.5, 1]})["kind"] == "refused"  # type: ignore[index]


@pytest.mark.parametrize("system", ["saga", "segments", "ap"])
def test_far_is_said_in_the_rulebooks_measure(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    told = hear(Vantage(enc), {"kind": "far", "start": [0, 0], "end": [3, 0]})
    assert told == {"kind": "far", "says": {"saga": "3 squares", "segments": "15 ft", "ap": "3 m"}[system]}


def test_all_that_is_threatened_is_told_by_side_and_of_nobody_hidden() -> None:
    enc = ck.Encounter("phases", seed=7)
    for name, side, at in (("Mara", "crew", (0, 0)), ("Vex", "gang", (30, 0)), ("Bo", "pack", (-30, 0))):
        enc.add(name, side=side, at=at, npc=side != "crew", stun=20, body=10)
    enc.start()

    def told(view: str = "gm") -> list[tuple[int, bool]]:
        threat = hear(Vantage(enc, view), {"kind": "threats"})["threat"]  # type: ignore[index]
        return sorted((each["side"], bool(each["cells"])) for each in threat)

    assert told() == [(0, True), (1, True), (2, True)]
    enc.condition("Bo", "hidden")
    assert len(told("players")) == 2
    enc.damage(["Vex"], 200)
    assert told() == [(0, True), (2, True)], "who is down threatens nothing"


def test_who_lets_one_go_may_still_attack_the_others_of_that_side() -> None:
    enc = ck.Encounter("ap", seed=3, options={"actions": "book"})
    for name, side, at in (("Mara", "crew", (0, 0)), ("Bea", "crew", (0, 1)), ("Orc", "orcs", (1, 0))):
        enc.add(name, side=side, at=at)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    before = hear(Vantage(enc), {"kind": "threats"})
    enc.do("Mara", "disengage")
    assert [each.who for each in enc.ground("Bea").threats] == ["Orc"]
    assert hear(Vantage(enc), {"kind": "threats"}) == before


# ── a place that is typed ──


@pytest.mark.parametrize(
    ("to", "beside", "at"),
    [
        ("-2 1", False, [-2, 1]),
        ("(\N{MINUS SIGN}2, 1)", False, [-2, 1]),
        ("ve", False, [1, -1]),  # nobody may end where Vex stands
        ("VEX", True, [1, -1]),
        ("night", True, [-1, -1]),  # a whole word of one name
    ],
)
def test_a_place_is_meant_by_what_is_typed(to: str, beside: bool, at: list[int]) -> None:
    enc = ck.Encounter("phases", seed=7)
    enc.add("Mara", side="crew", at=(0, -1), movement=6, combat_value=9)
    enc.add("Vex", side="gang", npc=True, at=(1, 0))
    enc.add("Bo", side="gang", npc=True, at=(0, 0))
    enc.add("Tall Night", side="gang", npc=True, at=(-2, -1))
    enc.start()
    asked = {"kind": "spot", "name": "Mara", "to": to, "beside": beside}
    assert hear(Vantage(enc), asked) == {"kind": "spot", "at": at}


def test_a_place_that_nobody_knows_is_refused_in_plain_words() -> None:
    enc = gantry()
    told = hear(Vantage(enc), {"kind": "spot", "name": "Mara", "to": "nobody"}) or {}
    assert told["reason"].startswith("Nobody and no place is called nobody here. There is ")


def test_a_zone_and_whoever_is_in_it_are_typed_alike() -> None:
    enc = ck.Encounter("d6", seed=7, map=[("Quay", "Crane"), ("Crane", "Roof")])
    enc.add("Mara", side="crew", at="Quay")
    enc.add("Vex", side="gang", npc=True, at="Crane")
    enc.start()
    for to in ("crane", "Vex"):
        assert hear(Vantage(enc), {"kind": "spot", "name": "Mara", "to": to}) == {"kind": "spot", "at": "Crane"}


def test_what_a_seat_types_leads_to_nobody_hidden() -> None:
    enc = gantry()
    seat = seated(enc)
    told = [(hear_seat(seat, {"kind": "spot", "name": "Mara", "to": to}) or {})["reason"] for to in ("Lurk", "Nobo")]
    assert told[0] == told[1].replace("called Nobo", "called Lurk")
    assert (hear_seat(seat, {"kind": "spot", "name": "Vex", "to": "Mara"}) or {})["kind"] == "refused"
