"""Saga on squares: whose reach a move leaves, who is threatened, and what a refusal says to do."""

from __future__ import annotations

from pathlib import Path

import pytest

import combatkit as ck
from combatkit.widgets import Tracker
from combatkit.widgets._ask import AskChoices, choices_answer
from tests.systems.table import refused

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


def test_nobody_who_is_down_parts_a_way_that_leaves_where_they_lie() -> None:
    enc = fight()
    enc.damage("Mara", 20)
    told = [event.text for event in enc.do("Guard", "move", to=(6, 0)) if event.kind == "move"]
    assert (told, asked(enc)) == (["goes from (1, 0) to (6, 0)"], [])


def test_the_squares_beside_somebody_are_threatened() -> None:
    enc = fight()
    assert enc["Guard"].threatens == {(x, y) for x in (0, 1, 2) for y in (-1, 0, 1)}
    assert ck.scene("catwalk").encounter("saga", seed=1)["Vex"].threatens == frozenset()


def test_the_surprised_threaten_nothing() -> None:
    enc = ck.Encounter("saga", seed=1)
    for name, at in (("Mara", (0, 0)), ("Guard", (1, 0))):
        enc.add(name, side=name, dex=1, level=2, at=at)
    enc.start(surprised=["Guard"])
    assert (enc["Guard"].threatens, enc["Mara"].threatens != frozenset()) == (frozenset(), True)


def test_scenes_with_places_open_by_leaving_unless_told_otherwise() -> None:
    scene = ck.scene("bridge")
    assert scene.encounter("saga", seed=1).ruleset.options["openings"].default == "asked"
    assert scene.encounter("saga", seed=1)._state.options["openings"] == "leaving_reach"
    assert scene.encounter("saga", seed=1, options={"openings": "asked"})._state.options["openings"] == "asked"
    assert ck.scene("catwalk").encounter("saga", seed=1)._state.options["openings"] == "asked"


def test_a_charge_reaches_as_far_as_one_goes_and_one_square_more() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="red", speed=6, at=(0, 0))
    for name, at in (("Near", (7, 0)), ("Far", (0, 8)), ("Beside", (-1, 0))):
        enc.add(name, side="blue", at=at)
    enc.start(rolls={"Ada": 20, "Near": 10, "Far": 9, "Beside": 8})
    assert enc.can("Ada", "charge", target="Near").allowed
    assert enc.can("Ada", "charge", target="Far").reason.startswith("Far is 8 squares away")
    assert enc.can("Ada", "charge", target="Beside").reason.startswith("Charge needs a place to go to.")


def test_a_charge_that_names_no_place_ends_at_the_nearest_one_it_can_straight_beside_its_target() -> None:
    enc = ck.Encounter("saga", seed=1)
    for name, side, at in (
        ("Ada", "red", (0, 0)),
        ("Bo", "red", (4, 0)),
        ("Orc", "blue", (5, 0)),
        ("Imp", "blue", (2, 2)),
    ):
        enc.add(name, side=side, at=at)
    enc.start(rolls={"Ada": 20, "Bo": 15, "Orc": 10, "Imp": 5})
    tracker = Tracker(enc)
    shown = {}
    for target in ("Orc", "Imp"):  # the place follows the target, and what was typed is kept
        answer = choices_answer(tracker._vantage, AskChoices("Ada", "charge", {"target": target}))
        (shown[target],) = answer["foretold"]
        assert [p["id"] for p in answer["params"] if p["required"]] == ["target", "outcome"]
        assert next(p["example"] for p in answer["params"] if p["id"] == "to") in shown[target]
    assert shown == {"Orc": "Ada goes to (4, \N{MINUS SIGN}1).", "Imp": "Ada goes to (1, 1)."}
    assert enc.can("Ada", "charge", target="Orc", to=(4, 1)).allowed
    enc.do("Ada", "charge", target="Orc", outcome="miss")
    assert enc["Ada"].position == (4, -1)


def test_a_charge_stopped_on_its_way_is_the_same_from_its_file(tmp_path: Path) -> None:
    enc = fight()
    enc.place("Kell", at=(6, 0))
    enc.do("Guard", "charge", target="Kell", outcome="miss")
    assert (asked(enc), enc["Guard"].position) == (["Mara"], (1, 0))
    enc.save(tmp_path / "stopped.combat")
    again = ck.load(tmp_path / "stopped.combat")
    assert again._state == enc._state
    enc.resolve()
    assert enc["Guard"].position == (5, 0)


def test_a_charge_the_gm_allows_off_turn_ends_beside_its_target_as_any_other() -> None:
    enc = ck.Encounter("saga", seed=1)
    for name, side, at in (("Ada", "red", (0, 0)), ("Bo", "red", (4, 0)), ("Orc", "blue", (5, 0))):
        enc.add(name, side=side, at=at)
    enc.start(rolls={"Ada": 10, "Bo": 5, "Orc": 20})
    assert "turn" in refused(enc, "Ada", "charge", target="Orc", outcome="miss").reason
    enc.do("Ada", "charge", target="Orc", outcome="miss", override=True)
    assert enc["Ada"].position == (4, -1)


def test_a_charge_too_far_for_the_rules_ends_beside_its_target_by_the_gms_word() -> None:
    enc = ck.Encounter("saga", seed=1)
    for name, side, at in (
        ("Ada", "red", (0, 0)),
        ("Bo", "red", (5, 0)),
        ("Orc", "blue", (9, 0)),
        ("Gob", "blue", (8, 0)),
    ):
        enc.add(name, side=side, at=at, speed=6)
    enc.start(rolls={"Ada": 20, "Bo": 5, "Orc": 3, "Gob": 1})
    assert refused(enc, "Ada", "charge", target="Orc").reason.startswith("Orc is 9 squares away")
    enc.do("Ada", "charge", target="Orc", outcome="miss", override=True)
    assert enc["Ada"].position == (8, -1), "the nearest that only the distance bars"


def test_a_readied_charge_that_names_no_place_ends_beside_its_target_too() -> None:
    enc = ck.Encounter("saga", seed=1, options={"charge": "standard"})
    for name, side, at in (("Ada", "red", (0, 0)), ("Orc", "blue", (5, 0))):
        enc.add(name, side=side, at=at)
    enc.start(rolls={"Ada": 20, "Orc": 10})
    enc.do("Ada", "ready", action="charge", trigger={"actor": "Orc"})
    enc.end_turn()
    enc.do("Orc", "draw_weapon")
    answer = choices_answer(Tracker(enc)._vantage, AskChoices("Ada", "use_readied", {}))
    assert [p["id"] for p in answer["params"] if p["required"]] == ["target", "outcome"]
    enc.do("Ada", "use_readied", outcome="miss")
    assert enc["Ada"].position == (4, 0)


def test_a_charge_ends_beside_its_target_even_if_the_sheet_names_no_weapon() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="red", attack_bonus=5, at=(0, 0))
    enc.add("Orc", side="blue", defense=12, at=(5, 0))
    enc.start(rolls={"Ada": 20, "Orc": 10})
    ruling = enc.can("Ada", "charge", target="Orc", to=(0, 3))
    assert (ruling.allowed, ruling.reason) == (False, "Charge ends beside Orc, not 5 squares away.")
    assert enc.can("Ada", "charge", target="Orc", to=(4, 0)).allowed
