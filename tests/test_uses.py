"""Counters that a creature brings: spent by what bears their name, refused at none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.rules.case import Case, Objection
from combatkit.rules.judge import judge
from tests.systems.test_down import strike
from tests.wire import hear, recording

SYSTEMS = [rules.id for rules in ck.rulesets()]


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def fight(system: str, **stats: Any) -> ck.Encounter:
    enc = ck.Encounter(system, id="duel", seed=7)
    enc.add("Mara", side="rebels", **stats)
    enc.add("Vex", side="empire")
    enc.start()
    return enc


def hit(enc: ck.Encounter, **more: Any) -> None:
    enc.do("Mara", strike(enc), target="Vex", outcome="miss", override=True, **more)
    while enc.pending:
        enc.resolve()


def left(enc: ck.Encounter) -> Any:
    return enc["Mara"].values["uses"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_bears_its_name_spends_it_and_undo_gives_it_back(system: str) -> None:
    title = ck.ruleset(system).actions[strike(ck.Encounter(system, seed=1))].title
    enc = fight(system, uses={title.upper(): 2, "Luck": 1})
    assert left(enc) == {title.upper(): 2, "Luck": 1}
    hit(enc)
    assert left(enc) == {title.upper(): 1, "Luck": 1}
    enc.undo()
    if enc.pending:  # that only took back how the window closed
        enc.undo()
    assert left(enc)[title.upper()] == 2


@pytest.mark.parametrize("system", SYSTEMS)
def test_at_none_it_is_refused_in_words(system: str) -> None:
    title = ck.ruleset(system).actions[strike(ck.Encounter(system, seed=1))].title
    enc = fight(system, uses={title: 1})
    hit(enc)
    enc.next_round()
    rules, fighter = enc.ruleset, enc._fighter("Mara")
    case = Case(rules, enc._state, fighter, rules.actions[strike(enc)], {"target": ["Vex"]})
    assert Objection(f"Mara has used {title} as often as possible (1).", "") in judge(case).objections
    assert not enc.can("Mara", strike(enc), target="Vex").allowed


def test_a_power_of_ones_own_is_counted_and_no_rule_is_cited() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add_table("actions", [{"id": "force_grip", "title": "Force grip", "cost": "standard", "tags": ["attack"]}])
    enc.add("Mara", side="rebels", dex=9, uses={"Force grip": 1})
    enc.add("Vex", side="empire")
    enc.start(rolls={"Mara": [20], "Vex": [1]})
    enc.do("Mara", "force_grip")
    enc.next_round()
    ruling = enc.can("Mara", "force_grip")
    assert (ruling.allowed, ruling.reason, ruling.rule) == (
        False,
        "Mara has used Force grip as often as possible (1).",
        "",
    )
    assert enc.can("Mara", "attack", target="Vex").allowed
    enc.adjust("Mara", "Force grip", 1)
    assert (left(enc), enc.can("Mara", "force_grip").allowed) == ({"Force grip": 1}, True)
    assert enc._events[-1].text == "gains a use of Force grip, 1 left"
    enc.edit("Mara", uses={"Force grip": 3, "Heal": 2})
    assert left(enc) == {"Force grip": 3, "Heal": 2}


def test_a_weapon_is_counted_by_its_name_whether_it_is_named_or_taken() -> None:
    weapons = [{"name": "grenade", "damage": "4d6", "attack": 1}, {"name": "blade", "damage": "1d8", "attack": 2}]
    enc = fight("saga", weapons=weapons, uses={"Grenade": 2})
    hit(enc)
    hit(enc, weapon="blade")
    assert left(enc) == {"Grenade": 1}
    hit(enc, weapon="grenade")
    assert (
        enc.can("Mara", "attack", target="Vex", weapon="grenade").reason
        == "Mara has used Grenade as often as possible (2)."
    )


DRAWS = {"saga": "draw_weapon", "ap": "ready_weapon", "segments": "draw", "phases": "draw_or_sheathe_focus"}


@pytest.mark.parametrize("system", DRAWS)
def test_to_draw_a_weapon_is_no_use_of_it(system: str) -> None:
    enc = fight(system, weapons=[{"name": "dagger"}], uses={"dagger": 2})
    enc.do("Mara", DRAWS[system], weapon="dagger", override=True)
    assert left(enc) == {"dagger": 2}


def test_each_blow_of_a_full_attack_is_a_use_of_its_weapon() -> None:
    weapons = [{"name": "grenade", "damage": 4}, {"name": "blade", "damage": 1}]
    enc = fight("saga", weapons=weapons, uses={"Grenade": 3})

    def blows(number: int, **params: Any) -> ck.Ruling:
        return enc.can("Mara", "full_attack", target="Vex", attacks=number, **params)

    assert blows(4).reason == "Mara has 3 of Grenade left; that takes 4."
    assert blows(4, weapon=["grenade", "blade", "grenade", "blade"]).allowed
    events = enc.do("Mara", "full_attack", target="Vex", attacks=3, outcome="hit")
    assert ([e.amount for e in events if e.kind == "damage"], left(enc)) == ([4, 4, 4], {"Grenade": 0})
    enc.undo()
    assert left(enc) == {"Grenade": 3}
    enc.edit("Mara", uses={"Full attack": 1})
    enc.do("Mara", "full_attack", target="Vex", attacks=3, outcome="hit")
    assert left(enc) == {"Full attack": 0}, "the whole is one, if that is what is counted"


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_next_weapon_is_taken_once_the_first_is_used_up(system: str) -> None:
    first, second = {"name": "axe"}, {"name": "blade"}
    enc = fight(system, weapons=[first, second], uses={"Axe": 1, "blade": 1})
    hit(enc)
    assert left(enc) == {"Axe": 0, "blade": 1}
    offered = [c.value for c in enc.choices("Mara", strike(enc), target="Vex") if c.param == "weapon"]
    assert offered == ["blade", "axe"], "the one it would take comes first"
    hit(enc)
    assert left(enc) == {"Axe": 0, "blade": 0}
    given = {"target": ["Vex"], "weapon": "axe"}
    case = Case(enc.ruleset, enc._state, enc._fighter("Mara"), enc.ruleset.actions[strike(enc)], given)
    assert Objection("Mara has used Axe as often as possible (1).", "") in judge(case).objections


BARE: dict[str, dict[str, Any]] = {"saga": {"range": "melee"}, "d6": {"range": "melee"}, "ap": {"range": "melee"}}
"""What makes a weapon one for hand to hand."""

EMPTY: dict[str, dict[str, Any]] = {"saga": {"range": 30}, "ap": {"range": 30}, "phases": {"range": 30}}
"""What makes a weapon one that is shot, where squares, metres or hexes tell who is near."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_whose_weapon_for_hand_to_hand_is_used_up_has_bare_hands(system: str) -> None:
    enc = fight(system, weapons=[{"name": "net", **BARE.get(system, {})}], uses={"net": 0})
    events = enc.do("Mara", strike(enc), target="Vex", outcome="hit", damage=1, override=enc.active != "Mara")
    assert "net" not in " ".join(event.text for event in events)
    given = {"target": ["Vex"], "weapon": "net"}
    case = Case(enc.ruleset, enc._state, enc._fighter("Mara"), enc.ruleset.actions[strike(enc)], given)
    assert Objection("Mara has no net.", "") in judge(case).objections


@pytest.mark.parametrize("system", EMPTY)
@pytest.mark.parametrize(("far", "why"), [(1, ""), (9, "Mara has no bow.")])
def test_whoever_stands_beside_one_with_an_empty_bow_is_struck_with_bare_hands(system: str, far: int, why: str) -> None:
    enc = ck.Encounter(system, seed=7)
    enc.add("Mara", side="rebels", at=(0, 0), weapons=[{"name": "bow", **EMPTY[system]}], uses={"bow": 0})
    enc.add("Vex", side="empire", at=(far, 0))
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    assert enc.can("Mara", strike(enc), target="Vex").reason == why


def test_a_weapon_that_is_used_up_threatens_nobody_and_bare_hands_strike_whoever_passes() -> None:
    enc = ck.Encounter("phases", seed=7)
    enc.add("Ace", side="h", combat_value=9, at=(1, 0))
    enc.add("Crow", side="v", combat_value=5, at=(0, 0), weapons=[{"name": "net", "reach": 2}], uses={"net": 1})
    enc.start()
    enc.do("Ace", "half_move", to=(2, 0), outcome="failed")
    enc.do("Crow", "attack_of_opportunity", target="Ace", outcome="miss")
    assert enc["Crow"].values["uses"] == {"net": 0}
    enc.next_round()
    assert enc.can("Crow", "attack_of_opportunity", target="Ace", trigger="moves").rule == "phases.aoo.threat"
    enc.place("Ace", at=(1, 0))
    enc.do("Ace", "half_move", to=(3, 0), outcome="failed")
    assert [offer.who for offer in enc.pending] == ["Crow"]
    enc.do("Crow", "attack_of_opportunity", target="Ace", outcome="hit")
    assert enc["Ace"].position == (3, 0)


def test_what_is_readied_is_spent_when_it_is_used() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", uses={"attack": 1})
    enc.add("Vex", side="empire")
    enc.start(rolls={"Mara": [20], "Vex": [1]})
    enc.do("Mara", "ready", action="attack", trigger="Vex moves")
    assert left(enc) == {"attack": 1}
    enc.end_turn()
    enc.do("Mara", "use_readied", trigger="Vex moves", target="Vex", outcome="miss")
    assert left(enc) == {"attack": 0}


def test_a_sheet_that_is_edited_otherwise_keeps_what_is_left_and_a_new_fight_begins_full(tmp_path: Path) -> None:
    enc = fight("saga", uses={"attack": 3})
    hit(enc)
    enc.edit("Mara", dex=2)
    assert left(enc) == {"attack": 2}
    enc.edit("Mara", uses={"attack": 3, "Heal": 1})
    assert left(enc) == {"attack": 2, "Heal": 1}
    enc.save(tmp_path / "copy.combat")
    assert left(ck.load(tmp_path / "copy.combat")) == {"attack": 2, "Heal": 1}
    assert enc.restart()["Mara"].values["uses"] == {"attack": 3, "Heal": 1}
    enc.leave("Mara")
    enc.join("Mara")
    assert left(enc) == {"attack": 2, "Heal": 1}
    enc.another("Mara")
    assert enc["Mara 2"].values["uses"] == {"attack": 3, "Heal": 1}


def test_the_pips_stand_beside_the_action_and_only_where_they_may_be_seen() -> None:
    weapons = [{"name": "grenade", "damage": "4d6", "attack": 1}]
    enc = fight("saga", weapons=weapons, uses={"Grenade": 2, "aid_another": 1})
    hit(enc)
    tracker = ck.Tracker(enc)
    hear(tracker, {"kind": "look", "name": "Mara"})
    found = ck.ActionBudget(enc, "Mara").view["action"]
    assert [row["uses"] for row in found.values() if "uses" in row].count([1, 2]) >= 1
    assert all("uses" not in row for row in ck.ActionBudget(enc, "Vex").view["action"].values())


@pytest.mark.parametrize("wrong", [{"Heal": -1}, {"Heal": "3"}, {"": 1}, {"a:b": 1}, {"Heal": 1.5}, ["Heal"]])
def test_a_bad_counter_is_refused_and_changes_nothing(wrong: Any) -> None:
    enc = fight("saga", uses={"Heal": 1})
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match="uses"):
        enc.edit("Mara", uses=wrong)
    assert enc.digest == before
