"""Saga on squares: whose reach a move leaves, who is threatened, and what a refusal says to do."""

from __future__ import annotations

import pytest

import combatkit as ck

BLADE = {"name": "blade", "damage": "2d6+5", "attack": 7, "range": "melee"}
AT = {"Mara": (0, 0), "Kell": (0, 9), "Guard": (1, 0), "Brute": (9, 9)}


def fight(**options: object) -> ck.Encounter:
    """Bring the guard beside Mara to their turn."""
    enc = ck.Encounter("saga", seed=1, options={"openings": "leaving_reach", **options})
    for name, side in (("Mara", "rebels"), ("Kell", "rebels"), ("Guard", "empire"), ("Brute", "empire")):
        enc.add(name, side=side, hp=20, defense=15, at=AT[name], weapons=[BLADE])
    enc.start(rolls={"Mara": 13, "Kell": 12, "Guard": 10, "Brute": 5})
    enc.end_turn()
    enc.end_turn()
    return enc


def asked(enc: ck.Encounter) -> list[str]:
    return [offer.who for offer in enc.pending]


def test_whoever_leaves_an_enemys_reach_is_struck_where_they_stood() -> None:
    enc = fight()
    enc.do("Guard", "move", to=(6, 0))
    assert (asked(enc), enc["Guard"].position) == (["Mara"], (1, 0))
    enc.do("Mara", "attack_of_opportunity", target="Guard", rolls={"attack": [18], "damage": [2, 3]})
    assert (asked(enc), enc["Guard"].position, enc["Guard"].values["hp"]) == ([], (6, 0), 10)
    enc.undo()
    assert (asked(enc), enc["Guard"].position, enc["Guard"].values["hp"]) == (["Mara"], (1, 0), 20)
    enc.resolve()
    assert enc["Guard"].position == (6, 0)


def test_whoever_falls_to_the_blow_gets_no_further() -> None:
    enc = fight()
    enc.do("Guard", "run", to=(9, 0))
    enc.do("Mara", "attack_of_opportunity", target="Guard", outcome="hit", damage=20)
    assert enc["Guard"].position == (1, 0)


def test_a_way_past_somebody_stops_before_it_leaves_them() -> None:
    enc = fight()
    enc.place("Guard", at=(3, 1))
    enc.do("Guard", "move", to=[(0, 1), (-3, 1)])
    assert (asked(enc), enc["Guard"].position) == (["Mara"], (-1, 1))
    enc.resolve()
    assert (asked(enc), enc["Guard"].position) == ([], (-3, 1))


@pytest.mark.parametrize(
    ("at", "to", "why"),
    [
        ((1, 0), (0, 1), "still beside Mara"),
        ((5, 0), (2, 0), "never in reach"),
        ((5, 0), (1, 0), "coming into reach is no leaving"),
    ],
)
def test_no_reach_left_no_opening(at: tuple[int, int], to: tuple[int, int], why: str) -> None:
    enc = fight()
    enc.place("Guard", at=at)
    enc.do("Guard", "move", to=to)
    assert (asked(enc), enc["Guard"].position) == ([], to), why


def test_who_cannot_strike_is_not_asked() -> None:
    enc = fight()
    enc.condition("Mara", "unconscious")
    enc.do("Guard", "move", to=(6, 0))
    assert (asked(enc), enc["Guard"].position) == ([], (6, 0))


def test_with_the_usual_reading_the_table_says_when_there_is_an_opening() -> None:
    enc = fight(openings="asked")
    enc.do("Guard", "move", to=(6, 0))
    assert enc["Guard"].position == (6, 0)
    reason = enc.can("Mara", "attack_of_opportunity", target="Guard", trigger="Guard moves away").reason
    assert reason == (
        "Guard is 6 squares away; the blade reaches 1 square. "
        "If they were in reach before they moved: take the move back, call for reactions, then move."
    )


def test_the_squares_beside_somebody_are_threatened() -> None:
    enc = fight()
    assert enc["Guard"].threatens == {(x, y) for x in (0, 1, 2) for y in (-1, 0, 1)}
    assert ck.scene("catwalk").encounter("saga", seed=1)["Vex"].threatens == frozenset()


def test_scenes_with_places_open_by_leaving_unless_told_otherwise() -> None:
    scene = ck.scene("bridge")
    assert scene.encounter("saga", seed=1).ruleset.options["openings"].default == "asked"
    assert scene.encounter("saga", seed=1)._state.options["openings"] == "leaving_reach"
    assert scene.encounter("saga", seed=1, options={"openings": "asked"})._state.options["openings"] == "asked"
    assert ck.scene("catwalk").encounter("saga", seed=1)._state.options["openings"] == "asked"


@pytest.mark.parametrize(("away", "reason"), [(7, "Charge needs a place to go to."), (8, "Orc is 8 squares away")])
def test_a_charge_reaches_as_far_as_one_goes_and_one_square_more(away: int, reason: str) -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="red", speed=6, at=(0, 0))
    enc.add("Orc", side="blue", at=(away, 0))
    enc.start(rolls={"Ada": 20, "Orc": 10})
    assert enc.can("Ada", "charge", target="Orc").reason.startswith(reason)


def test_a_charge_ends_beside_its_target_even_if_the_sheet_names_no_weapon() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="red", attack_bonus=5, at=(0, 0))
    enc.add("Orc", side="blue", defense=12, at=(5, 0))
    enc.start(rolls={"Ada": 20, "Orc": 10})
    ruling = enc.can("Ada", "charge", target="Orc", to=(0, 3))
    assert (ruling.allowed, ruling.reason) == (False, "Charge ends beside Orc, not 5 squares away.")
    assert enc.can("Ada", "charge", target="Orc", to=(4, 0)).allowed
