"""Who stands in the way: a move goes through allies, and through enemies only where this table lets it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import combatkit as ck

MOVES = {"saga": "move", "ap": "dash", "segments": "move", "phases": "half_move"}
OPTIONS = {"saga": "through_foes", "ap": "through_foes", "phases": "through_foes", "segments": "squeezing"}
BLADE = {"name": "blade", "damage": "2d6+5", "attack": 7, "range": "melee"}


def fight(system: str, options: Any = None, at: Any = (0, 0), **more: Any) -> ck.Encounter:
    """It is Mara's turn; Vex stands two steps east, Ilya two steps west."""
    enc = ck.Encounter(system, seed=3, options=options)
    enc.add("Mara", side="rebels", at=at, **more)
    enc.add("Ilya", side="rebels", at=(-2, 0))
    enc.add("Vex", side="empire", at=(2, 0))
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    return enc


@pytest.mark.parametrize(("system", "move"), MOVES.items())
def test_a_way_goes_through_allies_and_around_enemies(system: str, move: str) -> None:
    enc, unit = fight(system), "hex" if system == "phases" else "square"
    through, onto = enc.can("Mara", move, to=(3, 0)), enc.can("Mara", move, to=(2, 0))
    way = "Vex stands in the way at (2, 0): only allies pass through; give a path that goes around."
    assert (through.allowed, through.reason) == (False, way)
    assert (onto.allowed, onto.reason) == (False, f"Vex stands at (2, 0): only allies share a {unit}.")
    cited = [("segments.grid.pass-breaks",), ("segments.grid.no-combat-shared",)] if system == "segments" else [(), ()]
    assert [through.rules, onto.rules] == cited, "a rule of the source, or none"
    assert not enc.can("Mara", move, to=[(1, 0), (2, 0), (3, 0)]).allowed
    assert enc.can("Mara", move, to=[(1, 0), (2, -1)]).allowed
    assert enc.can("Mara", move, to=(-2, 0)).allowed
    assert enc.can("Mara", move, to=(-3, 0)).allowed


@pytest.mark.parametrize(("system", "move"), MOVES.items())
def test_nobody_is_in_the_way_who_has_fallen_or_gone(system: str, move: str) -> None:
    enc = fight(system)
    enc.condition("Vex", "unconscious")
    assert enc.can("Mara", move, to=(3, 0)).allowed
    enc.undo()
    enc.leave("Vex")
    assert enc.can("Mara", move, to=(2, 0)).allowed


@pytest.mark.parametrize(("system", "option"), OPTIONS.items())
def test_somebody_prone_is_in_the_way_and_nothing_says_otherwise(system: str, option: str) -> None:
    enc = fight(system)
    enc.condition("Vex", "prone")
    assert not enc.can("Mara", MOVES[system], to=(3, 0)).allowed
    page = Path(__file__).parents[2] / "docs" / "systems" / f"{system}.md"
    said = page.read_text(encoding="utf-8") + ck.ruleset(system).options[option].text
    assert "on their feet" not in " ".join(said.split())


@pytest.mark.parametrize(("system", "option"), OPTIONS.items())
def test_a_table_may_let_enemies_share_a_place(system: str, option: str) -> None:
    enc = fight(system, {option: "anybody" if option == "squeezing" else "allowed"})
    assert enc.can("Mara", MOVES[system], to=(2, 0)).allowed
    assert enc.can("Mara", MOVES[system], to=(3, 0)).allowed is (option == "through_foes")


@pytest.mark.parametrize("system", OPTIONS)
def test_the_systems_page_says_whether_enemies_are_passed_and_by_which_option(system: str) -> None:
    page = Path(__file__).parents[2] / "docs" / "systems" / f"{system}.md"
    assert f"`{OPTIONS[system]}`" in page.read_text(encoding="utf-8")


def test_the_very_small_share_a_square_in_segments() -> None:
    enc = fight("segments")
    enc.condition("Vex", "very_small")
    assert enc.can("Mara", "move", to=(2, 0)).allowed
    assert not enc.can("Mara", "move", to=(3, 0)).allowed


def test_whoever_steps_into_a_way_stops_it() -> None:
    enc = fight("phases")
    enc.place("Vex", at=(1, 0))
    enc.place("Mara", at=(0, 0))
    enc.do("Mara", "half_move", to=[(0, -1), (1, -2)])
    enc.resolve(answer="failed")
    enc.place("Vex", at=(0, -1))
    enc.resolve()
    assert enc["Mara"].position == (0, 0)


def test_a_move_through_goes_through_its_target_and_nobody_else() -> None:
    enc = fight("phases")
    assert enc.can("Mara", "move_through", target="Vex", to=(3, 0)).allowed
    assert not enc.can("Mara", "move_by", target="Vex", to=(3, 0)).allowed
    enc.join("Bo", side="empire", at=(1, 0))
    assert not enc.can("Mara", "move_through", target="Vex", to=(3, 0)).allowed


@pytest.mark.rule("saga.full.ex.charge")
def test_a_charge_in_saga_goes_straight_past_nobody_and_ends_beside_its_target() -> None:
    enc = fight("saga", weapons=[BLADE])
    charge = {"target": "Vex"}
    assert enc.can("Mara", "charge", to=(1, 0), **charge).allowed
    crooked = enc.can("Mara", "charge", to=[(1, 1), (1, 0)], **charge)
    assert (crooked.allowed, crooked.reason) == (False, "Charge goes in a straight line from (0, 0) to (1, 0).")
    own = enc.can("Mara", "charge", to=(2, 0), **charge)
    assert (own.allowed, own.reason) == (False, "Charge ends beside Vex, not on their square (2, 0).")
    enc.place("Vex", at=(4, 0))
    enc.join("Bo", side="empire", at=(2, 0))
    assert not enc.can("Mara", "charge", to=(3, 0), **charge).allowed
    assert enc.can("Mara", "charge", to=(3, 1), **charge).allowed


def test_a_table_may_let_a_charge_go_crooked() -> None:
    enc = fight("saga", {"charge_path": "any"}, weapons=[BLADE])
    assert enc.can("Mara", "charge", target="Vex", to=[(1, 1), (1, 0)]).allowed
    assert not enc.can("Mara", "charge", target="Vex", to=(2, 0)).allowed


def test_a_charge_in_segments_ends_on_nobodys_square() -> None:
    enc = fight("segments")
    ruling = enc.can("Mara", "charge", target="Vex", to=(2, 0))
    assert "segments.grid.no-combat-shared" in ruling.rules
