"""What a phone's forms say of those one may act on: how far they are, that they lie, which dice are thrown."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.report.words import plain
from combatkit.widgets._ask import AskChoices, choices_answer
from combatkit.widgets._map_view import MapProjector
from combatkit.widgets._table import table_of
from combatkit.widgets._vantage import Vantage
from tests.windows_asked import ap, seated

HP = {"d6": "resolve", "phases": "stun"}
ZONES = [("quay", "crane"), ("crane", "stacks"), ("stacks", "gate")]


def docks(system: str, spots: tuple[Any, ...], **options: Any) -> ck.Encounter:
    """Two whom players play, and two guards, each at a place; Mara begins."""
    options = {"map": ZONES} | options if system == "d6" else options
    enc = ck.Encounter(system, id="forms", seed=7, **options)
    sheet: dict[str, Any] = {HP.get(system, "hp"): 20}
    people = (("Mara", "rebels"), ("Ilya", "rebels"), ("Guard 1", "empire"), ("Guard 2", "empire"))
    for (name, side), at in zip(people, spots, strict=True):
        enc.add(name, side=side, npc=side == "empire", at=at, **sheet)
    enc.start()
    for _ in range(40):
        if enc.active == "Mara":
            break
        enc.resolve() if enc.pending else enc.end_turn()
    return enc


def form(tracker: ck.Tracker, **params: Any) -> dict[str, Any]:
    asked = {"kind": "choices", "name": "Mara", "action": "attack", "params": params, "rolls": {}}
    answer = tracker._answer(asked)
    assert answer is not None
    return answer


def beside(answer: dict[str, Any]) -> dict[str, str]:
    """What stands in small beside each who may be a target, in their order."""
    param = next(param for param in answer["params"] if param["id"] == "target")
    some = [*param["values"], *(value for no in param.get("no", ()) for value in no["values"])]
    return {each["value"]: each.get("small", "") for each in some if isinstance(each, dict)}


ZONED = ("quay", "crane", "quay", "stacks")


def test_zones_are_counted_from_the_seats_own() -> None:
    enc = docks("d6", ZONED)
    at = seated(enc, Anna="Mara", Ben="Ilya")
    view = {seat: MapProjector()(tracker._vantage) for seat, tracker in at.items()}
    words = {seat: {zone["name"]: zone["word"] for zone in each["zones"]} for seat, each in view.items()}
    captions = {seat: each["caption"] for seat, each in view.items()}
    assert captions == {"GM": "zones from Mara", "Anna": "zones from Mara", "Ben": "zones from Ilya"}
    assert words["Anna"] == words["GM"]
    assert (words["Anna"]["quay"], words["Ben"]["crane"]) == ("Close", "Close")
    assert words["Ben"]["quay"] == words["Anna"]["crane"] != "Close"
    assert MapProjector()(Vantage(enc, "players"))["caption"] == "zones from Mara", "on a screen, from whoever acts"


@pytest.mark.parametrize(
    ("system", "spots", "told"),
    [
        ("d6", ZONED, ("same zone", "2 zones away")),
        ("saga", ((0, 0), (0, 1), (1, 0), (4, 0)), ("1 square away", "4 squares away")),
        ("phases", ((0, 0), (0, 1), (1, 0), (4, 0)), ("1 hex away", "4 hexes away")),
        ("segments", ((0, 0), (0, 1), (1, 0), (4, 0)), ("5 ft away", "20 ft away")),
    ],
)
def test_a_phone_says_how_far_somebody_is(system: str, spots: tuple[Any, ...], told: tuple[str, str]) -> None:
    enc = docks(system, spots)
    at = seated(enc, Anna="Mara")
    shown = beside(form(at["Anna"]))
    assert (shown["Guard 1"], shown["Guard 2"]) == told
    assert "away" not in str(beside(form(at["GM"]))), "beside the GM's form is the map"


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "phases"])
def test_who_is_down_is_marked_and_comes_last_also_where_no_number_is_told(system: str) -> None:
    enc = docks(system, (None,) * 4)
    enc.condition("Guard 1", "down")
    at = seated(enc, Anna="Mara")
    for tracker in at.values():
        shown = beside(form(tracker))
        foes = [name for name in form_names(form(tracker)) if name.startswith("Guard")]
        assert (shown["Guard 1"], foes) == ("down", ["Guard 2", "Guard 1"])


def form_names(answer: dict[str, Any]) -> list[str]:
    """Who may be a target, in their order."""
    param = next(param for param in answer["params"] if param["id"] == "target")
    some = [*param["values"], *(value for no in param.get("no", ()) for value in no["values"])]
    return [each["value"] if isinstance(each, dict) else each for each in some]


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "phases"])
def test_a_player_reads_which_dice_are_thrown_and_not_what_they_need(system: str) -> None:
    enc = docks(system, (None,) * 4)
    weapon = {"name": "axe", "attack": "4D6", "damage": "3d6"}
    if system != "phases":
        enc.edit("Mara", weapons=[weapon] if system == "d6" else [], **({} if system == "d6" else {"attack_bonus": 9}))
        enc.edit("Guard 1", defense=15)
    at = seated(enc, Anna="Mara")
    words = plain(form(at["Anna"], target="Guard 1")["foretold"])
    assert words, "the dice are said"
    assert not {"against", "hits", "more"} & {*words.split()}, words
    assert words.split()[0].rstrip(".") in plain(form(at["GM"], target="Guard 1")["foretold"])


def test_a_phone_says_that_the_map_takes_a_tap() -> None:
    asked: dict[str, Any] = {"kind": "choices", "name": "Mara", "params": {}, "rolls": {}}
    at = seated(docks("phases", ((0, 0), (0, 1), (1, 0), (4, 0))), Anna="Mara")
    hints = {}
    for seat, tracker in at.items():
        answer: Any = tracker._answer(asked | {"action": "half_move"})
        hints[seat] = next(param for param in answer["params"] if param["id"] == "to")["hint"]
    assert hints == {"GM": "Mara is at (0, 0)", "Anna": "Mara is at (0, 0); a tap on the map chooses too"}


def test_a_step_that_a_readied_strike_needs_is_chosen_by_the_place_as_it_is_written_everywhere() -> None:
    enc = ck.Encounter("phases", id="step", seed=3)
    for name, side, score, at in (("Vex", "hunters", 9, (0, 0)), ("Ossik", "rebels", 8, (0, 3))):
        enc.add(name, side=side, combat_value=score, movement=8, at=at, weapons=[{"name": "Axe", "damage": "2d6"}])
    enc.start()
    enc.end_turn()
    enc.do("Ossik", "ready", action="strike", trigger="Vex comes near")
    enc.end_turn()
    enc.do("Vex", "half_move", to=(0, 2))
    asked = {"kind": "choices", "name": "Ossik", "action": "use_readied", "params": {"target": "Vex"}, "rolls": {}}
    answer: Any = ck.Tracker(enc)._answer(asked)
    (to,) = [param for param in answer["params"] if param["id"] == "to"]
    assert [(tuple(each["value"]), each["label"]) for each in to["values"]] == [((0, 2), ["(0, 2)"])]


@pytest.mark.parametrize("system", ["phases", "ap"])
def test_a_seat_is_told_which_action_comes_before_the_next_blow_or_not_at_all(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    for name in ("Mara", "Guard"):
        enc.add(name, side=name, npc=name == "Guard", combat_value=5) if system == "phases" else enc.add(
            name, side=name
        )
    enc.start()
    table_of(enc).plays = {"Anna": ("Mara",)}
    seat, gm = ck.Tracker(enc, view="players", seat="Anna"), ck.Tracker(enc)
    found = [
        {row["id"] for row in tracker.budget.view["action"].values() if row.get("urgent")} for tracker in (seat, gm)
    ]
    assert found == [{"abort"} if system == "phases" else set(), set()]


def test_what_is_let_go_at_a_seat_of_several_is_asked_of_the_one_shown() -> None:
    enc = ap()
    table_of(enc).plays = {"Anna": ("Mara", "Ilya")}
    anna = ck.Tracker(enc, view="players", seat="Anna")
    for name in ("Ilya", "Mara", "Ilya"):
        anna._answer({"kind": "look", "name": name})
        rows = [row for row in anna.view["windows"][0]["rows"] if "waits" not in row]
        assert (rows[0]["who"], len(rows)) == (name, 2)


def test_a_form_that_names_no_weapon_says_which_is_used() -> None:
    enc = ck.Encounter("ap", seed=7)
    weapons = [{"name": "Crossbow", "damage": "2d6", "range": 30}, {"name": "Longsword", "damage": "2d6"}]
    for name, side in (("Vex", "gang"), ("Mara", "crew")):
        enc.add(name, side=side, npc=side == "gang", attack_bonus=4, defense=5, hp=12, weapons=weapons)
    enc.start()
    while enc.active != "Vex":
        enc.end_turn()
    enc.do("Vex", "attack", target="Mara", weapon="Longsword", rolls={"attack": [15]})
    anna = seated(enc, Anna="Mara")["Anna"]

    def told(**given: Any) -> str:
        asked = AskChoices("Mara", "counter_attack", {"target": ["Vex"], **given})
        return plain(choices_answer(anna._vantage, asked).get("foretold", []))

    assert "Made with the Crossbow." in told()
    assert "Made with" not in told(weapon="Longsword"), "what was chosen stands there"
