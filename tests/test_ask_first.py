"""The GM confirms what seats ask: only what needs it, only as long as it can be done, and in the log's words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import combatkit as ck
from combatkit.share.room import Room
from tests.share_client import Page, settled
from tests.systems import d6_table
from tests.windows_asked import SCENES, ap, seated

PARRY = {"kind": "do", "action": "parry", "params": {"outcome": "foiled"}}


@pytest.fixture
def room() -> Iterator[Room]:
    with ap().share(ask=True) as room:
        yield room


def sat(room: Room, name: str, who: str) -> tuple[Page, int]:
    page = Page(room, room.seat(name, plays=[who]))
    return page, page.until("welcome")["moment"]


@pytest.mark.parametrize("system", SCENES)
def test_to_let_it_go_and_to_take_that_back_need_no_word_of_the_gms(system: str) -> None:
    with SCENES[system]().share(ask=True) as room:
        page, _ = sat(room, "Anna", "Mara")
        with page:
            for kind, gone in (("pass", ("Mara",)), ("undo", ())):
                page.send({"kind": kind, "id": 1 + len(gone), **({"name": "Mara"} if kind == "pass" else {})})
                assert page.until("done", "refused", "room")["kind"] == "done"
                assert room.posts["Anna"].vantage.passed == gone
            assert room.requests == ()


def test_what_the_gm_has_carried_on_without_goes_from_the_tracker_and_whoever_asked_is_told(room: Room) -> None:
    gm = ck.Tracker(room.encounter)
    (anna, annas), (ben, bens) = sat(room, "Anna", "Mara"), sat(room, "Ben", "Ilya")
    with anna, ben:
        for page, name, moment in ((anna, "Mara", annas), (ben, "Ilya", bens)):
            page.send({**PARRY, "name": name, "id": 1, "moment": moment})
            assert page.until("room")["state"] == "asking"
        settled(room)
        assert [row["who"] for row in gm.view["ready"]] == ["Anna", "Ben"]
        assert gm._answer({"kind": "resolve"}) is None
        for page in (anna, ben):
            assert page.until("refused")["reason"] == "The fight has gone on without it."
        assert {room.posts[name].state for name in ("Anna", "Ben")} == {"open"}
        settled(room)
        assert room.requests == ()
        assert "ready" not in gm.view
        assert gm.view["result"]["text"] != []


def test_once_one_has_foiled_it_nobody_waits_to_foil_it_as_well(room: Room) -> None:
    (anna, annas), (ben, bens) = sat(room, "Anna", "Mara"), sat(room, "Ben", "Ilya")
    with anna, ben:
        for page, name, moment in ((anna, "Mara", annas), (ben, "Ilya", bens)):
            page.send({**PARRY, "name": name, "id": 1, "moment": moment})
            said = page.until("room")
            assert (said["state"], said["about"]) == ("asking", f"{name} parries Guard 1; it worked")
        room.confirm()
        assert anna.until("done", "refused")["kind"] == "done"
        assert ben.until("done", "refused")["reason"] == "Mara foiled it; there is nothing left to ward off."
        assert room.requests == ()


def test_a_seat_takes_back_what_it_asked(room: Room) -> None:
    anna, _ = sat(room, "Anna", "Mara")
    with anna:
        anna.send({**PARRY, "name": "Mara", "id": 1})
        anna.until("room")
        anna.send({"kind": "withdraw"})
        assert anna.until("refused")["reason"] == "You took it back."
        assert room.posts["Anna"].state == "open"
        assert room.requests == ()
        assert room.encounter.pending


def test_the_gm_hears_that_what_they_confirmed_could_not_be_done(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    gm = ck.Tracker(room.encounter)
    anna, _ = sat(room, "Anna", "Mara")
    with anna:
        anna.send({**PARRY, "name": "Mara", "id": 1})
        anna.until("room")
        told: dict[str, Any] = {"kind": "refused", "reason": "Too late.", "rule": "", "id": 1}
        monkeypatch.setattr(room.posts["Anna"], "hear", lambda _: told)
        room.confirm()
        anna.until("refused")
        settled(room)
        (row,) = gm.view["ready"]
        assert row["text"] == "Not done: Mara parries Guard 1; it worked. Too late."
        (seen,) = row["actions"]
        assert gm._answer(seen["sends"]) is None
        settled(room)
        assert "ready" not in gm.view


def test_nothing_is_chosen_for_whoever_others_are_aimed_at_also_once_it_is_foiled() -> None:
    enc = ap()
    at = seated(enc, Anna="Mara", Ben="Ilya")

    def asked(seat: str) -> Any:
        return at[seat].budget.view["asked"]

    assert "aside" not in asked("Anna")
    assert at["Anna"].view["turn"]["mine"] == "asked"
    enc.do("Mara", "parry", outcome="foiled")
    assert asked("Ben")["aside"]
    assert at["Ben"].view["turn"]["mine"] == "may"
    assert "parry" not in [answer["id"] for answer in asked("Ben")["answers"]]


@pytest.mark.parametrize("system", sorted({*SCENES} - {"ap"}))
def test_whoever_keeps_something_ready_or_has_an_opening_is_not_aside(system: str) -> None:
    at = seated(SCENES[system](), Anna="Mara", Ben="Ilya")
    for seat in ("Anna", "Ben"):
        assert "aside" not in at[seat].budget.view["asked"]
        assert at[seat].view["turn"]["mine"] == "asked"


def test_help_that_was_prepared_is_the_helpers_to_answer() -> None:
    enc = d6_table.fight({"Mara": d6_table.pc(11), "Ilya": d6_table.pc(9), "Guard": d6_table.npc(7)})
    enc.do("Mara", "help")
    enc.end_turn()
    enc.do("Ilya", "attack", target="Guard", rolls={"attack": [2, 2, 2, 2]})
    at = seated(enc, Anna="Mara", Ben="Ilya")
    assert [each["id"] for each in at["Anna"].budget.view["asked"]["answers"]] == ["add_help"]
    assert "aside" not in at["Anna"].budget.view["asked"]
    assert at["Anna"].view["turn"]["mine"] == "asked"
