"""What an evening played by hand has found, as far as Python decides it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import combatkit as ck
from combatkit.rules.typed import parts_of
from tests.wire import hear, recording


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


@pytest.mark.parametrize("stage", ["before", "after"])
@pytest.mark.parametrize("system", [each.id for each in ck.rulesets()])
def test_nobody_is_asked_while_no_fight_runs(system: str, stage: str) -> None:
    enc = ck.Encounter(system, seed=7)
    vitals: dict[str, Any] = {vital.name: 4 for vital in enc.ruleset.vitals}
    for name, npc in (("Ada", False), ("Foe", True)):
        enc.add(name, side=name, npc=npc, **vitals)
    if system == "d6":
        enc.edit("Foe", significant=True)
    if stage == "after":
        enc.start()
        enc.finish()
    for name in ("Ada", "Foe"):
        for vital in vitals:
            for _ in range(3):
                enc.damage(name, 20, vital=vital)
    assert enc.pending == ()
    if stage == "before":
        enc.start()
        assert enc.pending == ()
        enc.end_turn()


def test_a_condition_that_rules_read_is_known_however_it_is_spelled() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels")
    for written, id in (("In melee", "in_melee"), ("flat-footed", "flat_footed"), ("Prone", "prone")):
        enc.condition("Mara", written)
        assert enc["Mara"].conditions[-1].id == id
        enc.condition("Mara", written, off=True)
        assert not enc["Mara"].conditions
    enc.condition("Mara", "On fire")
    assert enc["Mara"].conditions[-1].id == "On fire"
    enc.add("Vex", side="empire", conditions=["In melee", "Flat-Footed", "on fire"])
    assert [each.id for each in enc["Vex"].conditions] == ["in_melee", "flat_footed", "on fire"]
    enc.start()
    enc.join("Dray", side="empire", conditions=["In melee"])
    enc.leave("Vex")
    enc.join("Vex", conditions=["In Melee"])
    assert {"in_melee"} <= {each.id for each in enc["Vex"].conditions} & {each.id for each in enc["Dray"].conditions}


def test_who_is_in_melee_with_whom_is_told_once() -> None:
    enc = ck.Encounter("segments", seed=7)
    enc.add("Mara", side="party", hp=20, ac=5, aac0=20)
    enc.add("Vex", side="cult", hp=20, ac=5, aac0=20)
    enc.start()
    while (
        enc.active is None
        or not enc.can(enc.active, "attack", target="Vex" if enc.active == "Mara" else "Mara").allowed
    ):
        enc.end_turn()
    enc.do(enc.active, "attack", target="Vex" if enc.active == "Mara" else "Mara")
    assert str(enc.log()).count("in melee with") == 1


@pytest.mark.parametrize("system", [each.id for each in ck.rulesets()])
def test_weapons_can_be_typed_into_the_boxes_of_the_form(system: str) -> None:
    stat = ck.ruleset(system).stats["weapons"]
    enc = ck.Encounter(system, seed=7)
    tracker = ck.Tracker(enc)
    (shown,) = [each for each in tracker.view["setup"]["stats"] if each["id"] == "weapons"]
    assert shown["type"] == "rows"
    assert [id for id, _, _ in shown["parts"]] == [*parts_of(stat)]
    typed = [{id: row[id] for id, _, _ in shown["parts"] if id in row} for row in stat.example]
    enc.add("Mara", side="party", weapons=typed)
    assert enc["Mara"].stats["weapons"] == stat.example
    assert ck.Tracker(enc).view["setup"]["combatants"][0]["stats"]["weapons"] == typed
    enc.edit("Mara", weapons=None)
    assert enc["Mara"].stats.get("weapons", ()) == ()


@pytest.mark.parametrize("system", [each.id for each in ck.rulesets()])
def test_the_example_of_an_attack_is_read_as_it_stands(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    tracker = ck.Tracker(enc)
    (shown,) = [each for each in tracker.view["setup"]["stats"] if each["id"] == "weapons"]
    assert shown["row"], "it is asked for at once"
    example = enc.ruleset.stats["weapons"].example[0]
    hear(tracker, {"kind": "add", "name": "Mara", "side": "party", "weapons": shown["example"]})
    (weapon,) = enc["Mara"].stats["weapons"]
    assert weapon.items() <= example.items()
    assert weapon.keys() >= {"name", "damage"}
    assert {"attack", "ocv", "speed"} & weapon.keys()
    many = shown["example"] + ", 1" * 5
    (answer,) = hear(tracker, {"kind": "add", "name": "Vex", "side": "law", "weapons": many})
    assert f"give {', '.join(parts_of(enc.ruleset.stats['weapons']))}" in answer["reason"]
    assert enc.names == ("Mara",)


@pytest.mark.parametrize("system", [each.id for each in ck.rulesets()])
def test_weapons_can_be_written_in_one_cell(system: str) -> None:
    stat = ck.ruleset(system).stats["weapons"]
    typed = [{part: part if said is True else str(said) for part, said in row.items()} for row in stat.example]
    cell = "; ".join(", ".join(row.get(part, "") for part in parts_of(stat)).rstrip(", ") for row in typed)
    enc = ck.Encounter(system, seed=7)
    enc.add("Mara", side="party", weapons=cell)
    assert enc["Mara"].stats["weapons"] == stat.example
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=f"give {', '.join(parts_of(stat))}"):
        enc.edit("Mara", weapons="club, 1, 2, 3, 4, 5, 6")
    assert enc.digest == before


ARMED: dict[str, dict[str, Any]] = {
    "saga": {"attack_bonus": 5, "weapons": [{"name": "blade", "damage": "1d8+2"}]},
    "ap": {"attack_bonus": 5, "weapons": [{"name": "blade", "damage": "1d8+2"}]},
    "d6": {"weapons": [{"name": "blade", "attack": "2D", "damage": "1D+2"}]},
}
"""Who can hit, by system: in these an attack needs a number that a sheet may lack."""


def unguarded(system: str) -> ck.Encounter:
    """Return a fight in which Mara attacks Bo, whose sheet has no Defense."""
    enc = ck.Encounter(system, seed=7)
    left: dict[str, Any] = {enc.ruleset.vitals[0].name: 20}
    enc.add("Mara", side="rebels", **ARMED[system], **left)
    enc.add("Bo", side="wild", npc=True, **left)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    return enc


@pytest.mark.parametrize("table", [False, True])
@pytest.mark.parametrize("system", ARMED)
def test_whether_an_attack_hits_is_asked_where_a_sheet_has_no_defense(system: str, table: bool) -> None:
    enc = unguarded(system)
    tracker = ck.Tracker(enc)
    tracker._vantage.throw(table)
    params: dict[str, object] = {"target": ["Bo"] if system != "d6" else "Bo", "weapon": "blade"}

    def asked(**more: object) -> dict[str, Any]:
        answer: dict[str, Any]
        (answer,) = hear(tracker, {"kind": "choices", "name": "Mara", "action": "attack", **more})
        return answer

    first = asked(params=params)
    assert [each["id"] for each in first["params"] if each["required"]] == ["target", "outcome"]
    why = "Bo's sheet has no Defense. Say whether it hits."
    assert (first["ruling"]["allowed"], first["ruling"]["reason"]) == (False, [why])
    for outcome in ("hit", "miss"):
        answer = asked(params={**params, "outcome": outcome})
        assert answer["ruling"]["allowed"]
        assert ("damage" in [die["purpose"] for die in answer["dice"]]) == (table and outcome == "hit")
    assert not asked(params=params, override=True)["ruling"]["allowed"], "the GM has to say it, or nobody does"
    enc.edit("Bo", defense=10)
    assert asked(params=params)["ruling"]["allowed"], "then a roll tells"


@pytest.mark.parametrize("system", ARMED)
def test_a_name_whose_sheet_has_no_defense_does_not_attack_at_once(system: str) -> None:
    enc = unguarded(system)
    sheet: dict[str, Any] = {"defense": 10, enc.ruleset.vitals[0].name: 20}
    enc.join("Vex", side="wild", npc=True, **sheet)
    asked = {"kind": "choices", "name": "Mara", "action": "attack"}
    for target, more in (("Vex", ["Bo"]), ("Bo", [])):
        (answer,) = hear(ck.Tracker(enc), {**asked, "params": {"target": target, "weapon": "blade"}})
        (field,) = [each for each in answer["params"] if each["id"] == "target"]
        assert [each["value"] for each in field["values"] if each.get("more")] == more, target


@pytest.mark.parametrize("system", ARMED)
def test_damage_thrown_at_the_table_is_dealt_although_nothing_says_whether_it_hits(system: str) -> None:
    enc = unguarded(system)
    faces = {"attack": [6, 6] if system == "d6" else [15], "damage": [4]}
    enc.do("Mara", "attack", target="Bo", rolls=faces)
    while enc.pending:
        enc.resolve()
    (left,) = [enc["Bo"].values[vital.name] for vital in enc.ruleset.vitals[:1]]
    assert left == 20 - 6
    again = unguarded(system)
    again.do("Mara", "attack", target="Bo", rolls={"attack": faces["attack"]})
    while again.pending:
        again.resolve()
    assert again["Bo"].values[again.ruleset.vitals[0].name] == 20, "a weapon's own damage waits for a hit"
