"""What a hit takes that says nothing of it: a player is asked until it is said, left to the GM, or undone."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.report.words import plain
from combatkit.widgets._table import table_of
from tests.test_seat_dice import SHEETS, UNARMED
from tests.test_share_returning import moment, phone
from tests.windows_asked import seated

ASKED = ["saga", "ap", "segments", "phases"]
GUARD, RAT = ({"name": name, "attacker": "Mara"} for name in ("Guard", "Rat"))


def brawl(system: str) -> tuple[ck.Encounter, dict[str, Any]]:
    """Mara and Ilya, at a seat each, against two of the GM's; nobody's weapon says what it does."""
    enc = ck.Encounter(system, id="brawl", seed=7)
    sheet: dict[str, Any] = {key: SHEETS[system][key] for key in SHEETS[system].keys() - {"weapons", "attacks"}}
    sheet |= UNARMED.get(system, {})
    for name, side in (("Mara", "rebels"), ("Ilya", "rebels"), ("Guard", "empire"), ("Rat", "empire")):
        enc.add(name, side=side, npc=side != "rebels", **sheet)
    enc.start()
    return enc, seated(enc, Anna="Mara", Ben="Ilya")


def turn_of(enc: ck.Encounter, name: str) -> None:
    if enc.ruleset.id == "segments" and not enc.active:
        enc.do("Mara", "declare", action="attack")
    while enc.active != name:
        enc.end_turn()


def hit(enc: ck.Encounter, target: str, by: str = "Mara") -> None:
    """Hit somebody, allowed as often as a test wants."""
    roll = [4, 4, 4] if enc.ruleset.id == "phases" else [19]
    enc.do(by, "attack", target=target, rolls={"attack": roll}, override=True)
    while enc.pending:
        enc.resolve()


@pytest.mark.parametrize("system", ASKED)
def test_it_is_asked_until_it_is_said_whatever_happens_meanwhile_and_one_after_the_other(system: str) -> None:
    enc, at = brawl(system)
    turn_of(enc, "Mara")
    hit(enc, "Guard")
    assert at["Anna"].view["owed"] == GUARD
    assert at["Anna"].view["end"]["allowed"], "nobody's turn is kept from ending"
    assert at["Anna"]._answer({"kind": "end_turn"}) is None
    for _ in range(9):
        enc.condition("Rat", "prone" if system == "saga" else "own words")
        enc.undo()
        enc.end_turn()
    assert at["Anna"].view["owed"] == GUARD
    assert ck.Tracker(enc, view="players", seat="Anna").view["owed"] == GUARD, "on a page that is opened anew"
    assert "owed" not in at["Ben"].view
    told = [plain(each.view["result"]["sub"]) for each in (at["GM"], ck.Tracker(enc))]
    assert all(each.count("Anna says how much Guard loses.") == 1 for each in told), told
    hit(enc, "Rat")
    assert at["Anna"].view["owed"] == GUARD
    said = {"kind": "damage", "names": ["Rat"], "attacker": "Mara", "amount": "4"}
    assert at["Anna"]._answer(said)["kind"] == "refused", "one after the other"
    assert at["Anna"]._answer({**said, "names": ["Guard"]}) is None
    assert at["Anna"].view["owed"] == RAT
    assert at["Anna"]._answer({"kind": "undo"}) is None
    assert at["Anna"].view["owed"] == GUARD
    enc.redo()
    assert at["Anna"]._answer(said) is None
    assert "owed" not in at["Anna"].view
    vital = "stun" if system == "phases" else "hp"
    assert [enc[name].values[vital] for name in ("Guard", "Rat")] == [16, 16]
    for _ in range(3):
        enc.undo()
    assert at["Anna"].view["owed"] == GUARD
    hit(enc, "Rat")
    enc.damage("Guard", 2)
    assert at["Anna"].view["owed"] == RAT, "the GM has said it"


@pytest.mark.parametrize("system", ASKED)
def test_two_hits_on_one_are_two_questions_and_a_weapon_that_says_what_it_does_answers_neither(system: str) -> None:
    enc, at = brawl(system)
    turn_of(enc, "Mara")
    hit(enc, "Guard")
    hit(enc, "Guard", by="Ilya")
    hit(enc, "Guard")
    enc.damage("Guard", 1, attacker="Ilya")
    said = {"kind": "damage", "names": ["Guard"], "attacker": "Mara", "amount": "3"}
    for _ in range(2):
        assert at["Anna"].view["owed"] == GUARD
        assert at["Anna"]._answer(said) is None
    assert "owed" not in at["Anna"].view
    assert at["Anna"]._answer(said)["kind"] == "refused"
    hit(enc, "Rat")
    enc.condition("Rat", "down")
    assert "owed" not in at["Anna"].view, "who has fallen loses nothing more"


def test_it_can_be_left_to_the_gm_and_no_hit_is_asked_about_that_nobody_saw() -> None:
    enc, at = brawl("saga")
    turn_of(enc, "Mara")
    hit(enc, "Guard")
    hit(enc, "Rat")
    left = {"kind": "leave_open", **GUARD}
    assert at["Ben"]._answer(left)["kind"] == "refused"
    assert at["Anna"]._answer(left) is None
    assert at["Anna"].view["owed"] == RAT
    assert at["Anna"]._answer(left)["reason"] == "Nobody is asked that any more."
    enc.condition("Rat", "hidden")
    assert "owed" not in at["Anna"].view
    assert at["Anna"]._answer({**left, "name": "Rat"})["reason"] == "Nobody is asked that any more."
    enc.condition("Rat", "hidden", off=True)
    assert at["Anna"].view["owed"] == RAT
    assert at["GM"].view["result"].get("owed") is None
    assert at["Anna"]._answer({**left, "name": "Rat"}) is None
    hit(enc, "Rat")
    table_of(enc).left_open |= {event.seq for event in enc._events if event.kind == "attack"}
    enc.condition("Rat", "own words")
    enc.undo()
    assert at["GM"].view["result"]["owed"] == RAT, "it is the GM's to say"


def test_a_second_hit_with_a_weapon_that_says_it_leaves_the_first_to_be_said() -> None:
    enc, at = brawl("saga")
    turn_of(enc, "Mara")
    hit(enc, "Guard")
    enc.edit("Mara", weapons=[{"name": "axe", "damage": "1d6"}])
    enc.do("Mara", "attack", target="Guard", rolls={"attack": [19], "damage": [2]}, override=True)
    assert enc["Guard"].values["hp"] < 20
    assert at["Anna"].view["owed"] == GUARD


def test_a_number_typed_as_the_turn_ends_is_taken_and_two_taps_say_it_once() -> None:
    enc, _ = brawl("saga")
    turn_of(enc, "Mara")
    hit(enc, "Guard")
    hit(enc, "Guard")
    with enc.share() as room, phone(room, room.seat("Anna", plays=["Mara"])) as page:
        said = {"kind": "damage", "names": ["Guard"], "attacker": "Mara", "amount": "4", "moment": moment(page)}
        enc.end_turn()
        page.send({**said, "id": 1})
        assert page.until("done", "refused") == {"kind": "done", "id": 1}
        page.send({**said, "id": 2})
        assert page.until("done", "refused")["late"]
    assert enc["Guard"].values["hp"] == 16
