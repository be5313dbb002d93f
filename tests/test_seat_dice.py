"""A seat's own dice: asked for where the table rolls, as the GM's are; nothing is offered that is the GM's to say."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import combatkit as ck
from combatkit.report.words import plain
from combatkit.widgets._table import table_of
from tests.windows_asked import SCENES, ap, seated

GUN = {"name": "gun", "attack": "3D", "damage": "2D", "type": "energy", "range": "long"}
SHEETS: dict[str, dict[str, Any]] = {
    "saga": {"dex": 1, "hp": 20, "defense": 12, "attack_bonus": 3, "weapons": [{"name": "blaster", "damage": "3d8"}]},
    "d6": {"resolve": 9, "weapons": [GUN]},
    "ap": {"hp": 20, "attack_bonus": 3, "defense": 11, "weapons": [{"name": "axe", "damage": "1d6"}]},
    "segments": {"hp": 20, "aac0": 15, "ac": 5, "attacks": ["MELEE: sword (1d8)"]},
    "phases": {"ocv": 5, "dcv": 5},
}
UNARMED = {"phases": {"stun": 20}}
"""What a sheet needs besides, so that there is something to lose."""


def duel(system: str) -> ck.Encounter:
    """Mara's turn, against a guard she can strike."""
    enc = ck.Encounter(system, id="duel", seed=7)
    for name, side in (("Mara", "rebels"), ("Guard", "empire")):
        enc.add(name, side=side, npc=side != "rebels", **SHEETS[system])
    enc.start()
    if system == "segments":
        enc.do("Mara", "declare", action="attack")
    while enc.active != "Mara":
        enc.end_turn()
    return enc


def ask(tracker: ck.Tracker, **asked: Any) -> Any:
    answer: Any = tracker._answer({"kind": "choices", "id": 1, **asked})
    return answer


@pytest.mark.parametrize("system", SHEETS)
def test_where_the_table_rolls_a_seat_is_asked_for_the_same_dice_as_the_gm(system: str) -> None:
    enc = duel(system)
    at = seated(enc, Anna="Mara")
    asked = {"name": "Mara", "action": "attack", "params": {"target": "Guard"}}
    assert at["Anna"].view["dice"] == "seeded"
    assert ask(at["Anna"], **asked)["dice"] == []
    at["GM"]._answer({"kind": "dice", "mode": "table"})
    assert {at["Anna"].view["dice"], at["Anna"].budget.view["dice"]} == {"table"}, "a seat sees it at once"
    dice = {name: ask(tracker, **asked)["dice"] for name, tracker in at.items()}
    boxes = {name: [(roll["purpose"], roll["sides"]) for roll in rolls] for name, rolls in dice.items()}
    assert boxes["Anna"] == boxes["GM"] != []
    purpose, sides = boxes["Anna"][0]
    wrong = ask(at["Anna"], **asked, rolls={purpose: [sides[0] + 9]})["dice"][0]["error"]
    assert wrong.startswith(f"{sides[0] + 9} is not on a d{sides[0]}. Type 1 to {sides[0]}")
    assert wrong.endswith("Nothing has been rolled yet.")
    digest = enc.digest
    refused: Any = at["Anna"]._answer({"kind": "do", **asked, "rolls": {purpose: [sides[0] + 9] * len(sides)}})
    assert refused["kind"] == "refused"
    assert enc.digest == digest
    faces = {purpose: [2] * len(sides) for purpose, sides in boxes["Anna"]}
    assert at["Anna"]._answer({"kind": "do", **asked, "rolls": faces}) is None
    while enc.pending:
        enc.resolve()
    rolled = next(event for event in enc._events if event.kind == "attack" and event.actor == "Mara")
    assert list(rolled.data["faces"]) == faces[purpose]


def test_where_the_gm_rolls_or_a_seat_would_rather_not_there_are_no_boxes() -> None:
    enc = duel("saga")
    at = seated(enc, Anna="Mara")
    at["GM"]._answer({"kind": "dice", "mode": "table"})
    at["Anna"]._answer({"kind": "dice", "mode": "seeded"})
    assert at["Anna"].view["dice"] == "seeded"
    assert at["GM"].view["dice"] == "table"
    at["Anna"]._answer({"kind": "dice", "mode": "table"})
    table_of(enc).throws = False
    table_of(enc).look_again()
    assert at["Anna"].view["dice"] == "seeded"


def test_a_reactions_dice_are_asked_for_too() -> None:
    enc = ap()
    enc.undo()
    for name in ("Mara", "Guard 1"):
        enc.edit(name, **SHEETS["ap"])
    enc.do("Guard 1", "attack", target="Mara", rolls={"attack": [3], "damage": [2]})
    enc.table_dice = True
    at = seated(enc, Anna="Mara", Ben="Ilya")
    asked = {"name": "Mara", "action": "counter_attack"}
    dice = {name: ask(tracker, **asked)["dice"] for name, tracker in at.items() if name != "Ben"}
    assert [roll["sides"] for roll in dice["Anna"]] == [roll["sides"] for roll in dice["GM"]] == [[20], [6]]
    assert at["Anna"]._answer({"kind": "do", **asked, "rolls": {"attack": [19], "damage": [5]}}) is None
    assert [event.data["faces"] for event in enc._events if event.kind == "attack" and event.actor == "Mara"] == [[19]]


@pytest.mark.parametrize("system", SHEETS)
def test_nothing_is_offered_at_a_seat_that_is_the_gms_to_say(system: str) -> None:
    enc = duel(system)
    at = seated(enc, Anna="Mara")
    seen = 0
    for action in at["Anna"].budget.view["action"].values():
        answer = ask(at["Anna"], name="Mara", action=action["id"], params=action.get("params", {}))
        for param in answer["params"]:
            seen += 1
            if param["id"] not in ("modifiers", "outcome", "damage"):
                continue
            for value in param.get("values", ["1"]):
                given = value["value"] if isinstance(value, dict) else value
                params = {**action.get("params", {}), "target": "Guard", param["id"]: given}
                sent = {"kind": "do", "name": "Mara", "action": action["id"], "params": params}
                refused: Any = at["Anna"]._answer(sent) or {"reason": ""}
                assert "your GM's to say" not in refused["reason"], (action["id"], param["id"])
                if enc._state.focus and enc.can_undo and refused["reason"] == "":
                    enc.undo()
    assert seen


@pytest.mark.parametrize("system", SCENES)
def test_nothing_is_offered_in_a_window_that_is_the_gms_to_say(system: str) -> None:
    enc = SCENES[system]()
    at = seated(enc, Anna="Mara", Ben="Ilya")
    for answer in at["Anna"].budget.view["asked"]["answers"]:
        asked = ask(at["Anna"], name="Mara", action=answer["id"], params=answer.get("params", {}))
        gm = ask(at["GM"], name="Mara", action=answer["id"], params=answer.get("params", {}))
        told = {param["id"] for param in gm["params"] if param["required"]}
        assert {param["id"] for param in asked["params"]} & {"modifiers", "outcome", "damage"} <= told


def test_where_the_gm_judges_a_seat_is_told_so_and_can_choose_none() -> None:
    enc = ap()
    at = seated(enc, Anna="Mara")
    table_of(enc).throws = False
    (outcome,) = [each for each in ask(at["Anna"], name="Mara", action="parry")["params"] if each["id"] == "outcome"]
    assert (outcome["required"], outcome["values"]) == (True, [])
    assert outcome["no"][0]["why"] == ["This is your GM's to say."]


@pytest.mark.parametrize("who", ["Anna", "GM"])
def test_dice_that_whoever_attacks_has_left_to_the_seed_are_not_asked_for_behind_the_reactions(who: str) -> None:
    enc = ap()
    enc.undo()
    for name in ("Mara", "Guard 1"):
        enc.edit(name, **SHEETS["ap"])
    enc.table_dice = True
    at = seated(enc, Anna="Mara", Ben="Ilya")
    attacker, target = ("Mara", "Guard 1") if who == "Anna" else ("Guard 1", "Mara")
    while enc.active != attacker:
        enc.end_turn()
    attack = {"kind": "do", "name": attacker, "action": "attack", "params": {"target": target}}
    assert at[who]._answer(attack) is None
    assert enc.pending
    assert ask(at["GM"], name=None, action="resolve")["dice"] == []
    assert at["GM"]._answer({"kind": "undo"}) is None
    enc.do(attacker, "attack", target=target)
    rolls = ask(at["GM"], name=None, action="resolve")["dice"]
    assert [roll["purpose"] for roll in rolls] == ["attack", "damage"], "nobody was asked for them yet"


@pytest.mark.parametrize("system", ["saga", "ap", "segments", "phases"])
def test_how_much_a_blow_takes_is_said_by_whoever_plays_the_attacker_and_counts_as_theirs(system: str) -> None:
    enc = duel(system)
    known = {stat.name for stat in enc.ruleset.stats}
    for name in ("Mara", "Guard"):
        enc.edit(name, **{key: [] for key in ("weapons", "attacks") if key in known}, **UNARMED.get(system, {}))
    at = seated(enc, Anna="Mara", Ben="Guard")
    enc.do("Mara", "attack", target="Guard", rolls={"attack": [4, 4, 4] if system == "phases" else [19]})
    while enc.pending:
        enc.resolve()
    owed = {"name": "Guard", "attacker": "Mara"}

    def asked() -> dict[str, object]:
        gm = (at["GM"].view.get("result") or {}).get("owed")
        return {"GM": gm, **{who: at[who].view.get("owed") for who in ("Anna", "Ben")}}

    assert asked() == {"GM": owed | {"seat": "Anna"}, "Anna": owed, "Ben": None}
    said = {"kind": "damage", "names": ["Guard"], "attacker": "Mara", "amount": "5"}
    digest = enc.digest
    others = {"names": ["Mara"]}, {"attacker": "Guard"}, {"attacker": None}, {"half": ["Guard"]}
    for who, wrong in (("Ben", {}), *(("Anna", each) for each in others)):
        refused: Any = at[who]._answer({**said, **wrong})
        assert refused["reason"] == "Your GM has to settle that: ask them.", (who, wrong)
    assert enc.digest == digest
    assert at["Anna"]._answer({**said, "amount": "9"}) is None
    assert at["Anna"].view["undo"]["title"] == "Take back: Damage (Guard)", "a slip is mended"
    assert at["Anna"]._answer({"kind": "undo"}) is None
    assert asked() == {"GM": owed | {"seat": "Anna"}, "Anna": owed, "Ben": None}
    assert at["Anna"]._answer(said) is None
    assert enc["Guard"].values["stun" if system == "phases" else "hp"] == 15
    headline = {who: plain(at[who].view["result"]["text"]) for who in at}
    loses = "loses 5 stun" if system == "phases" else "loses 5"
    assert f"Guard {loses}, 15 of 20 left." in headline["GM"]
    assert headline["Anna"] == "Mara hits Guard. Guard takes damage."
    assert asked() == {"GM": None, "Anna": None, "Ben": None}
    assert enc.history.rounds.filter(pl.col("combatant") == "Mara")["damage_dealt"].sum() == 5
    (line,) = [told for each in at["GM"].log.view["lines"].values() if "takes 5" in (told := plain(each["text"]))]
    assert "by the GM" not in line


def test_where_the_gm_rolls_it_is_the_gm_alone_who_says_how_much() -> None:
    enc = duel("saga")
    enc.edit("Mara", weapons=[])
    at = seated(enc, Anna="Mara")
    table_of(enc).throws = False
    enc.do("Mara", "attack", target="Guard", rolls={"attack": [19]})
    assert at["GM"].view["result"]["owed"] == {"name": "Guard", "attacker": "Mara"}
    assert "owed" not in at["Anna"].view
    refused: Any = at["Anna"]._answer({"kind": "damage", "names": "Guard", "attacker": "Mara", "amount": "5"})
    assert refused["reason"] == "Your GM has to settle that: ask them."
