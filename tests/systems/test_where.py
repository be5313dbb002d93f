"""Where a move leads: on squares and hexes that is said, and it is a square or hex."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck

MOVES = {
    "saga": ("move", "climb", "run", "charge"),
    "ap": ("dash",),
    "segments": ("move",),
    "phases": ("half_move", "crawl"),
}
UNITS = {"saga": "square", "ap": "square", "segments": "square", "phases": "hex"}
CASES = [(system, action) for system, actions in MOVES.items() for action in actions]


def fight(system: str, at: Any = (0, 0), **more: Any) -> ck.Encounter:
    """It is Mara's turn, who stands there; Vex is three steps away."""
    enc = ck.Encounter(system, seed=3)
    enc.add("Mara", side="rebels", at=at, **more)
    enc.add("Vex", side="empire", at=(3, 0))
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    return enc


def given(action: str) -> dict[str, Any]:
    return {"target": "Vex"} if action == "charge" else {}


@pytest.mark.parametrize(("system", "action"), CASES)
def test_whoever_stands_on_a_square_or_hex_says_where_to(system: str, action: str) -> None:
    enc = fight(system)
    if action == "charge":  # it has its place by its target, unless that is at hand already
        enc.place("Vex", at=(1, 1))
    before = enc.digest
    assert enc.can("Mara", action, **given(action)).reason.endswith("needs a place to go to.")
    with pytest.raises(ck.IllegalAction):
        enc.do("Mara", action, **given(action))
    assert enc.digest == before
    beside = (2, 0) if action == "charge" else (1, 0)
    assert enc.can("Mara", action, to=beside, **given(action)).allowed
    nowhere = fight(system, at=None)
    assert nowhere.can("Mara", action, **given(action)).allowed, "where nobody keeps places none is asked for"


@pytest.mark.parametrize(("system", "action"), CASES)
def test_a_name_is_no_way_off_the_board(system: str, action: str) -> None:
    enc, unit = fight(system), UNITS[system]
    for to in ("east", [(1, 0), "east"]):
        ruling = enc.can("Mara", action, to=to, **given(action))
        assert (ruling.allowed, ruling.reason) == (
            False,
            f"Mara stands on the {unit} (0, 0); name a {unit} to go to, not 'east'.",
        )
    named = fight(system, at="the quay")
    assert named.can("Mara", action, to=["the stair", (2, 0), "the roof"], **given(action)).allowed
    assert named.can("Mara", action, to="the roof", **given(action)).allowed, "from a named place to another"


@pytest.mark.parametrize("system", MOVES)
def test_a_place_that_is_written_as_two_numbers_is_that_square_or_hex(system: str) -> None:
    for written in ("1,0", "(1, 0)", " 1 ; 0 "):
        enc = fight(system, at=written)
        assert (enc["Mara"].position, enc.distance("Mara", "Vex")) == ((1, 0), ck.Distance(2))
    assert fight(system, at="-1,0")["Mara"].position == (-1, 0)


@pytest.mark.rule("saga.full.ex.charge")
def test_a_charge_in_saga_cannot_be_made_at_what_lies_beyond_speed_and_reach() -> None:
    blade = {"name": "blade", "damage": "2d6+5", "attack": 7, "range": "melee"}
    enc = fight("saga", weapons=[blade])
    enc.place("Vex", at=(8, 0))
    reason = "Vex is 8 squares away; Charge takes Mara only 6."
    assert enc.can("Mara", "charge", target="Vex").reason == reason
    enc.place("Vex", at=(7, 0))
    enc.do("Mara", "charge", target="Vex")
    assert enc["Mara"].position == (6, 0)


@pytest.mark.rule("saga.ready.specify-action", "phases.ready.step")
@pytest.mark.parametrize(("system", "action"), [("saga", "move"), ("phases", "half_move")])
def test_a_readied_move_says_where_to_when_it_is_used(system: str, action: str) -> None:
    enc = fight(system)
    enc.do("Mara", "ready", action=action, trigger="Vex draws")
    enc.end_turn()
    while enc.active != "Vex":
        enc.end_turn()
    assert enc.can("Mara", "use_readied", trigger="Vex draws").reason == "Say where Mara goes."
    assert not enc.can("Mara", "use_readied", trigger="Vex draws", to="east").allowed
    enc.do("Mara", "use_readied", trigger="Vex draws", to=(1, 0))
    assert enc["Mara"].position == (1, 0)


@pytest.mark.rule("phases.ready.specify")
def test_a_readied_move_leads_where_it_was_said_to() -> None:
    enc = fight("phases")
    enc.do("Mara", "ready", action="half_move", to=[(1, 0), (2, 0)], trigger="Vex draws")
    enc.end_turn()
    while enc.active != "Vex":
        enc.end_turn()
    other = enc.can("Mara", "use_readied", trigger="Vex draws", to=(0, 1))
    assert other.reason == "Mara's readied half move is to (2, 0), not to (0, 1)."
    enc.do("Mara", "use_readied", trigger="Vex draws")
    assert enc["Mara"].position == (2, 0)


STAYS = [
    ("saga", "move", "saga.move.ex.speed"),
    ("saga", "run", "saga.full.ex.run"),
    ("ap", "dash", "ap.map.metre"),
    ("ap", "disengage", "ap.map.metre"),
    ("segments", "move", "segments.grid.measure"),
    ("phases", "half_move", "phases.tab.move-half"),
    ("phases", "1_hex_step", "phases.step.when"),
    ("d6", "dash", "d6.range.close.free-move"),
]


@pytest.mark.parametrize(("system", "action", "rule"), STAYS)
@pytest.mark.parametrize("named", [False, True])
def test_nobody_moves_to_where_they_are(system: str, action: str, rule: str, named: bool) -> None:
    here: Any = "Z1" if named or system == "d6" else (0, 0)
    enc = ck.Encounter(system, seed=3, map=[("Z1", "Z2")] if system == "d6" else None)
    enc.add("Mara", side="rebels", at=here)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    ruling = enc.can("Mara", action, to=here)
    assert (ruling.allowed, ruling.rule) == (False, rule)
    assert ruling.reason.startswith("Mara is already ")
    assert here not in [choice.value for choice in enc.choices("Mara", action) if choice.ruling.allowed]
    if here == (0, 0):
        there_and_back = enc.can("Mara", action, to=[(1, 0), (0, 0)])
        assert there_and_back.allowed or "already" not in there_and_back.reason
