"""D6: the readings that can be chosen, what a combatant states, and the house rules of both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.core.timeline import fold
from tests.systems.d6_table import BLADE, BLASTER, LINE, fight, npc, pc, wound
from tests.systems.table import holds, to_round, turns

OPTIONS: dict[str, tuple[Any, tuple[Any, ...], tuple[Any, ...], tuple[str, ...]]] = {
    "npc_ties": ("order_added", ("order_added", "gm"), ("roll", True), ("d6.init.tie.npc-npc",)),
    "shift_persists": (True, (True, False), (1, "yes"), ("d6.init.shift.persist",)),
    "aim_expires": ("never", ("never", "own_turn"), ("round", None), ("d6.act.aim.next",)),
    "readied_target": ("named", ("named", "any"), ("all", True), ("d6.act.hold",)),
    "aims_add": (True, (True, False), (1, "no"), ("d6.act.aim.next", "d6.act.aim.bonus", "d6.act.aim.range")),
    "escape_means_far": (False, (True, False), (0, "far"), ("d6.escape.cond",)),
    "minor_npc_at_zero": ("out", ("out", "wounded"), ("dead", False), ("d6.wound.minor-npc",)),
    "melee_reach": (
        "close",
        ("close", "short", "medium", "long", "extreme"),
        ("melee", 0),
        ("d6.range.melee-open",),
    ),
    "actions": ("ours", ("ours", "book"), ("mine", None), ("d6.fate.ignore.refresh",)),
    "round_seconds": (6, (6, 1, 60), (-1, 0, 6.5, "6"), ("d6.round.elastic",)),
}


def test_the_options_are_these_with_these_defaults_and_rules() -> None:
    options = ck.ruleset("d6").options
    assert set(options) == set(OPTIONS)
    for id, (default, values, _, rules) in OPTIONS.items():
        assert options[id].default == default
        assert type(options[id].default) is type(default)
        assert options[id].rules == rules
        assert options[id].text
        assert set(options[id].values) <= set(values)


@pytest.mark.parametrize("id", OPTIONS)
def test_an_option_takes_its_values_and_no_others(id: str) -> None:
    _, values, wrong, _ = OPTIONS[id]
    for value in values:
        ck.Encounter("d6", seed=7, options={id: value})
    for value in wrong:
        with pytest.raises(ck.InvalidInput, match=id):
            ck.Encounter("d6", seed=7, options={id: value})


@pytest.mark.parametrize(("reach", "zones"), [("close", 1), ("short", 2), ("medium", 3), ("long", 4), ("extreme", 6)])
def test_melee_reaches_as_far_as_the_option_says(reach: str, zones: int) -> None:
    foes = {f"Foe {n}": npc(7, at=f"Z{n}") for n in range(6)}
    enc = fight({"Mara": pc(9, at="Z0", weapons=[BLADE]), **foes}, map=LINE, options={"melee_reach": reach})
    reached = [name for name in foes if enc.can("Mara", "attack", target=name).allowed]
    assert reached == list(foes)[:zones]
    assert {enc.can("Mara", "attack", target=name).notation for name in reached} == {"3D"}


@pytest.mark.rule("d6.round.elastic")
@pytest.mark.parametrize("seconds", [6, 60])
def test_the_frames_count_rounds_by_our_number_and_the_clock_does_not(seconds: int) -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)}, options={"round_seconds": seconds})
    turns(enc, 5)
    frame = enc.history.rounds
    assert sorted(set(frame["seconds"])) == [0, seconds, 2 * seconds]
    assert enc.clock.seconds is None


# ── what a combatant states ──


def test_vitals_are_resolve_and_force_points_in_that_order() -> None:
    assert [s.name for s in ck.ruleset("d6").stats if s.vital] == ["resolve", "force_points"]
    assert [slot.id for slot in ck.ruleset("d6").slots] == ["move", "action", "free", "cap", "object"]


@pytest.mark.parametrize(
    "stats",
    [
        {"attributes": {"might": "three"}},
        {"attributes": {"might": 3}},
        {"armor": {"energy": -1}},
        {"armor": "heavy"},
        {"weapons": ["blaster"]},
        {"weapons": [{"attack": "3D"}]},
        {"weapons": [{"name": "blaster", "attack": "lots"}]},
        {"weapons": [{"name": "blaster", "damage": "2d"}, {"name": "blaster"}]},
        {"weapons": [{"name": "blaster", "damage": 2.5}]},
        {"weapons": [{"name": "blaster", "type": 3}]},
        {"weapons": [{"name": "blaster", "piercing": "yes"}]},
        {"free_actions": [3]},
        {"never_the_same_used": 3},
        {"resolve": 0},
    ],
)
def test_stats_that_cannot_be_are_refused_by_name(stats: dict[str, Any]) -> None:
    enc = ck.Encounter("d6", seed=7)
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match="Mara"):
        enc.add("Mara", side="rebels", **stats)
    assert enc.digest == before


def test_a_part_of_a_weapon_or_a_range_there_is_none_of_names_the_nearest() -> None:
    enc = ck.Encounter("d6", seed=7)
    with pytest.raises(ck.UnknownName, match="'damage'"):
        enc.add("Mara", side="rebels", weapons=[{"name": "blaster", "damgae": "3D"}])
    with pytest.raises(ck.UnknownName, match="'medium'"):
        enc.add("Mara", side="rebels", weapons=[{"name": "blaster", "range": "medum"}])


def test_resolve_that_is_given_back_does_not_end_being_wounded() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    wound(enc, "Mara")
    enc.adjust("Mara", "resolve", 50)
    assert enc["Mara"].values["resolve"] == 12
    assert holds(enc, "Mara") == {"wounded"}
    enc.condition("Mara", "rested")
    assert "wounded" not in holds(enc, "Mara")


def test_force_points_go_up_and_down_and_never_below_none() -> None:
    enc = fight({"Mara": pc(9, force_points=4), "Vex": npc(7)})
    enc.adjust("Mara", "force_points", -3)
    assert enc["Mara"].values["force_points"] == 1
    enc.adjust("Mara", "force_points", 9)
    assert enc["Mara"].values["force_points"] == 10, "the number on a sheet is no maximum"
    enc.adjust("Mara", "force_points", -19)
    assert enc["Mara"].values["force_points"] == 0


def test_force_points_stop_at_a_maximum_only_where_one_is_stated() -> None:
    enc = fight({"Mara": pc(9, force_points=2, force_points_max=3), "Ossik": pc(8, force_points_max=1), "Vex": npc(7)})
    assert (enc["Mara"].values["force_points"], enc["Ossik"].values["force_points"]) == (2, 1)
    enc.adjust("Mara", "force_points", 9)
    assert enc.adjust("Mara", "force_points", 1)[0].text == "is already at full: 3 Force Points"
    said = enc.edit("Mara", force_points_max=6)
    assert said[0].text == "now has at most 6 Force Points (was 3)"
    enc.adjust("Mara", "force_points", 1)
    assert enc["Mara"].values["force_points"] == 4
    enc.edit("Mara", force_points=7)
    assert enc["Mara"].values["force_points"] == 7, "and the maximum rises to it"
    enc.edit("Mara", force_points_max=2)
    assert enc["Mara"].values["force_points"] == 2
    enc.edit("Mara", force_points_max=None)
    enc.adjust("Mara", "force_points", 9)
    assert enc["Mara"].values["force_points"] == 11
    again = ck.Encounter("d6", seed=1)
    again.add_roster(enc.roster())
    assert again["Ossik"].values["force_points"] == 1


def test_without_a_stated_resolve_harm_is_logged_and_does_nothing() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, resolve=None)})
    events = enc.do("Mara", "attack", target="Vex", rolls={"attack": [3, 3, 3, 3], "damage": [6, 6, 6]})
    assert events[-1].amount == 18
    assert holds(enc, "Vex") == set()


def test_the_source_in_full_is_kept_fold_by_fold(tmp_path: Path) -> None:
    """Every event of a fight with most of what can happen in it is plain JSON and folds to the same state."""
    people = {
        "Ossik": pc(11, tactics=2),
        "Mara": pc(9, at="Z0", attributes={"might": "3D"}, stamina=1, weapons=[BLASTER]),
        "Vex": npc(7, at="Z2", resolve=60),
    }
    enc = fight(people, map=LINE)
    enc.do("Ossik", "help")
    enc.end_turn()
    enc.do("Mara", "attack", target="Vex")
    enc.do("Ossik", "add_help", rank="tactics")
    enc.do("Mara", "move", to="Z1")
    enc.end_turn()
    enc.do("Vex", "defend", rank="hide")
    wound(enc, "Mara")
    enc.adjust("Mara", "resolve", -2)
    enc.do("Mara", "ignore_fate")
    to_round(enc, 2, "Mara")
    enc.do("Mara", "hold", action="attack", trigger={"actor": "Vex"}, target="Vex")
    state = fold(enc._events)
    assert state == enc._state
    assert fold(list(enc._events)[: len(enc._events) // 2]) == enc.at(len(enc._events) // 2)._state


@pytest.mark.rule("d6.range.close.free-move")
def test_a_move_within_a_zone_rests_on_what_makes_it_free() -> None:
    enc = ck.Encounter("d6", seed=1, map=[("A", "B")])
    enc.add("Mara", side="a", at="A")
    enc.add("Vex", side="b", at="B")
    enc.start(rolls={"Mara": 6, "Vex": 1})
    assert enc.do("Mara", "move", to="A")[0].rules == ("d6.range.close.free-move",)
    assert "d6.turn.move" in enc.do("Mara", "move", to="B")[0].rules
