"""Initiative that seats roll before the start: it counts as if the GM had typed it, and is nobody else's to roll."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.widgets._ask import AskChoices, choices_answer
from combatkit.widgets._intents import hear
from combatkit.widgets._seat import SeatVantage, seat_tracker
from combatkit.widgets._seat_rights import hear_seat
from combatkit.widgets._table import table_of
from combatkit.widgets._tracker_view import tracker_view
from combatkit.widgets._vantage import Vantage

ROLLED = {"saga": 17, "d6": 5, "ap": 4}
"""Systems in which each rolls alone as the fight begins, with a face of their die."""


def table(system: str = "saga") -> tuple[ck.Encounter, SeatVantage, Vantage]:
    enc = ck.scene("catwalk").set_up(system, seed=7)
    table_of(enc).plays["Anna"] = ("Mara",)
    return enc, SeatVantage(enc, "Anna"), Vantage(enc)


def roll(seat: SeatVantage, *faces: int, name: str = "Mara") -> Any:
    return hear_seat(seat, {"kind": "roll", "name": name, "faces": list(faces)})


@pytest.mark.parametrize(("system", "face"), ROLLED.items())
def test_it_counts_as_if_the_gm_had_typed_it(system: str, face: int) -> None:
    enc, seat, gm = table(system)
    typed = ck.scene("catwalk").set_up(system, seed=7)
    typed.start(rolls={"Mara": [face]})
    digest = enc.digest
    assert roll(seat, face) is None
    assert enc.digest == digest
    assert hear(gm, {"kind": "start"}) is None
    assert enc.order == typed.order
    assert [e.text for e in enc._events if e.kind == "roll"] == [e.text for e in typed._events if e.kind == "roll"]


@pytest.mark.parametrize("system", ["segments", "phases"])
def test_where_nobody_rolls_at_the_start_nothing_is_asked(system: str) -> None:
    _, seat, _ = table(system)
    assert "mine" not in seat_tracker(seat)
    assert roll(seat, 3)["reason"] == "Mara rolls nothing for initiative now."


def test_the_seat_and_the_gm_see_it_and_it_can_be_taken_back() -> None:
    _, seat, gm = table()
    die = {"name": "Mara", "legend": "Mara rolls 1d20 for initiative", "sides": [20], "faces": []}
    assert seat_tracker(seat)["mine"] == [die]
    roll(seat, 17)
    assert seat_tracker(seat)["mine"] == [die | {"faces": [17]}]

    def summary() -> str:
        return next(m["summary"] for m in tracker_view(gm)["setup"]["combatants"] if m["name"] == "Mara")

    assert summary().startswith("has rolled 17 · ")
    roll(seat)
    assert seat_tracker(seat)["mine"] == [die]
    assert "rolled" not in summary()


def test_the_form_for_the_start_leaves_out_what_was_rolled_at_a_seat() -> None:
    enc, seat, gm = table()
    gm.table = True
    asked = AskChoices(None, "start")
    assert "Mara" in [die["purpose"] for die in choices_answer(gm, asked)["dice"]]
    roll(seat, 17)
    assert "Mara" not in [die["purpose"] for die in choices_answer(gm, asked)["dice"]]
    hear(gm, {"kind": "start", "rolls": {"Vex": [2]}})
    assert {r.combatant: dict(r.key).get("roll", r.initiative) for r in enc.order}.keys() >= {"Mara", "Vex"}
    faces = {e.actor: e.data["faces"] for e in enc._events if e.kind == "roll"}
    assert (faces["Mara"], faces["Vex"]) == ([17], [2])


def test_what_the_gm_says_comes_first() -> None:
    enc, seat, gm = table()
    roll(seat, 17)
    hear(gm, {"kind": "start", "rolls": {"Mara": [3]}})
    assert next(e.data["faces"] for e in enc._events if e.kind == "roll" and e.actor == "Mara") == [3]


@pytest.mark.parametrize(
    ("faces", "told"),
    [((0,), "0 is not on a d20"), ((21,), "21 is not on a d20"), ((3, 4), "This takes one die")],
)
def test_a_face_that_cannot_be_is_refused(faces: tuple[int, ...], told: str) -> None:
    _, seat, _ = table()
    assert told in roll(seat, *faces)["reason"]
    assert table_of(seat.encounter).faces == {}


def test_others_dice_are_not_theirs_to_roll() -> None:
    enc, seat, _ = table()
    assert "your GM's to play" in roll(seat, 3, name="Vex")["reason"]
    table_of(enc).throws = False
    assert roll(seat, 3)["reason"] == "Your GM rolls at this table."
    assert "mine" not in seat_tracker(seat)


def test_once_the_fight_has_begun_it_is_too_late_and_undo_keeps_it() -> None:
    enc, seat, gm = table()
    roll(seat, 17)
    hear(gm, {"kind": "start"})
    assert roll(seat, 3)["reason"] == "Mara rolls nothing for initiative now."
    enc.undo()
    assert seat_tracker(seat)["mine"][0]["faces"] == [17]
    enc.leave("Mara")
    assert "mine" not in seat_tracker(seat)
    assert hear(gm, {"kind": "start"}) is None


@pytest.mark.parametrize(("system", "face"), [each for each in ROLLED.items() if each[0] != "d6"])
def test_a_surprised_combatants_roll_does_not_hold_up_the_start(system: str, face: int) -> None:
    enc, seat, gm = table(system)
    roll(seat, face)
    assert hear(gm, {"kind": "start", "surprised": ["Mara"]}) is None
    assert enc.order


def test_a_roll_counts_no_more_once_the_gm_rolls() -> None:
    enc, seat, gm = table()
    roll(seat, 17)
    table_of(enc).throws = False
    gm.table = True
    assert "Mara" in [die["purpose"] for die in choices_answer(gm, AskChoices(None, "start"))["dice"]]
    hear(gm, {"kind": "start", "rolls": {"Mara": [3]}})
    assert next(e.data["faces"] for e in enc._events if e.kind == "roll" and e.actor == "Mara") == [3]
