"""Weapons of the sheet in saga, ap and phases: which one is taken, whom it reaches, what it brings to the attack."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from tests.wire import hear, recording

recorded = pytest.fixture(recording)

SAGA = (
    {"name": "vibroblade", "damage": "2d6+5", "attack": 7, "range": "melee"},
    {"name": "blaster pistol", "damage": "3d6+3", "attack": 9, "range": 12},
)
AP = (
    {"name": "spear", "damage": "1d8+1", "attack": 6, "range": "melee"},
    {"name": "bow", "damage": 4, "attack": 4, "range": 60},
)
PHASES = (
    {"name": "polearm", "damage": "2d6", "ocv": -1, "reach": 2},
    {"name": "bow", "damage": "1d6+2", "range": 10},
)
WEAPONS: dict[str, tuple[dict[str, Any], ...]] = {"saga": SAGA, "ap": AP, "phases": PHASES}
FOE: dict[str, dict[str, Any]] = {
    "saga": {"hp": 40, "defense": 15},
    "ap": {"hp": 40, "defense": 10},
    "phases": {"stun": 40, "dcv": 2},
}
AT = {"saga": [15], "ap": [15], "phases": [5, 5, 4]}
SYSTEMS = tuple(WEAPONS)


def fight(system: str, apart: int | None = None, journal: Path | None = None, **options: Any) -> ck.Encounter:
    """Give a fight in which it is the turn of Mara, who has the weapons, so far from Vex."""
    enc = ck.Encounter(system, id="duel", seed=7, journal=journal, options=options)
    here, there = (None, None) if apart is None else ((0, 0), (apart, 0))
    enc.add("Mara", side="rebels", at=here, weapons=WEAPONS[system])
    enc.add("Vex", side="empire", npc=True, at=there, **FOE[system])
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    return enc


def attack(enc: ck.Encounter, **given: Any) -> dict[str, ck.Event]:
    """Let Mara attack Vex, let all reactions pass, and give the events by their kind."""
    events = [*enc.do("Mara", "attack", target="Vex", **given)]
    while enc.pending:
        events += enc.resolve()
    return {event.kind: event for event in events}


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_first_weapon_is_taken_where_no_positions_are_kept(system: str) -> None:
    events = attack(fight(system), rolls={"attack": AT[system]})
    assert events["action"].data["params"]["weapon"] == WEAPONS[system][0]["name"]


def test_an_attack_in_saga_has_the_bonus_and_the_damage_of_the_weapon_that_reaches() -> None:
    enc = fight("saga", apart=5)
    ruling = enc.can("Mara", "attack", target="Vex")
    assert (ruling.allowed, ruling.notation, ruling.needed) == (True, "1d20+9", 15)
    events = attack(enc, rolls={"attack": [6], "damage": [1, 2, 6]})  # 6 + 9 = 15 hits; 1 + 2 + 6 + 3 = 12
    assert events["action"].data["params"]["weapon"] == "blaster pistol"
    assert events["attack"].data["modifiers"] == {"blaster pistol": 9}
    assert (events["attack"].amount, events["attack"].data["outcome"]) == (15, "hit")
    assert (events["damage"].amount, events["damage"].data["left"]) == (12, 28)
    assert enc["Vex"].values["hp"] == 28


def test_an_attack_in_ap_has_the_bonus_and_the_damage_of_the_weapon_that_reaches() -> None:
    events = attack(fight("ap", apart=5), rolls={"attack": [6]})  # 6 + 4 = 10 hits, and the bow does 4
    assert events["action"].data["params"]["weapon"] == "bow"
    assert (events["attack"].amount, events["damage"].amount, events["damage"].data["left"]) == (10, 4, 36)
    near = attack(fight("ap", apart=1), rolls={"attack": [4], "damage": [8]})  # 4 + 6 = 10; 8 + 1 = 9
    assert near["action"].data["params"]["weapon"] == "spear"
    assert (near["attack"].amount, near["damage"].amount) == (10, 9)


def test_attack_is_another_word_for_strike_in_phases() -> None:
    enc = fight("phases", apart=2)
    events = attack(enc, rolls={"attack": [5, 5, 3], "damage": [3, 4]})  # 13 + 0 - 1 = 12, and 10 + 2 is needed
    assert events["action"].action == "strike"
    assert "attack" not in {option.action for option in enc.options("Mara")}
    assert events["attack"].data["modifiers"] == {"OCV": 0, "polearm": -1}
    assert (events["attack"].amount, events["attack"].data["needed"]) == (12, 12)
    assert (events["damage"].amount, events["damage"].data["left"]) == (7, 33)
    assert enc["Vex"].values["stun"] == 33


def test_a_weapon_of_phases_hits_as_far_as_its_reach_and_threatens_so_far() -> None:
    enc = fight("phases", apart=3)
    assert (2, 0) in enc["Mara"].threatens
    assert (3, 0) not in enc["Mara"].threatens
    assert attack(enc)["action"].data["params"]["weapon"] == "bow"
    enc = fight("phases", apart=3)
    ruling = enc.can("Mara", "attack", target="Vex", weapon="polearm")
    assert ruling.reason == "Vex is 3 hexes away; the reach of the polearm is 2."
    assert ruling.rules == ("phases.atk.melee-adj", "phases.aoo.reach-more")
    far = fight("phases", apart=11).can("Mara", "attack", target="Vex")
    assert (far.reason, far.rule) == ("Vex is 11 hexes away; the range is 10.", "phases.atk.ranged")


def test_a_ranged_weapon_of_phases_provokes_where_ranged_attacks_do() -> None:
    assert not fight("phases", apart=1).do("Mara", "attack", target="Vex", weapon="bow")[0].data.get("about")
    enc = fight("phases", apart=1, ranged_provokes=True)
    enc.do("Mara", "attack", target="Vex", weapon="bow")
    assert [offer.who for offer in enc.pending] == ["Vex"]
    enc = fight("phases", apart=1, ranged_provokes=True)
    enc.do("Mara", "attack", target="Vex", weapon="polearm")
    assert not enc.pending


def test_an_attack_of_opportunity_is_made_with_a_weapon_for_melee() -> None:
    enc = ck.Encounter("phases", seed=7)
    enc.add("Mara", side="rebels", at=(0, 0), weapons=PHASES[::-1], combat_value=1)
    enc.add("Vex", side="empire", at=(1, 0), combat_value=9, stun=40, dcv=-9)
    enc.start()
    enc.do("Vex", "half_move", to=[(2, 0), (3, 0)])
    enc.resolve(answer="failed")
    refused = enc.can("Mara", "attack_of_opportunity", target="Vex", weapon="bow")
    assert (refused.allowed, refused.rule) == (False, "phases.aoo.single-melee")
    events = enc.do("Mara", "attack_of_opportunity", target="Vex", rolls={"attack": [6, 6, 6], "damage": [1, 1]})
    struck = {event.action: event for event in events if event.kind == "damage"}
    assert struck["attack_of_opportunity"].amount == 2


def test_what_grabs_or_disarms_does_no_harm_by_itself() -> None:
    for action in ("grab", "disarm"):
        enc = fight("phases", apart=1)
        events = enc.do("Mara", action, target="Vex", rolls={"attack": [6, 6, 6]})
        assert [event.data["outcome"] for event in events if event.kind == "attack"] == ["hit"]
        assert not [event for event in events if event.kind == "damage"]
    enc = fight("phases", apart=1)
    assert [e.amount for e in enc.do("Mara", "grab", target="Vex", damage=3, outcome="hit") if e.kind == "damage"] == [
        3
    ]


@pytest.mark.parametrize("system", SYSTEMS)
def test_damage_that_is_said_stands_in_for_the_weapons(system: str) -> None:
    enc = fight(system)
    events = attack(enc, damage=1, outcome="hit")
    assert (events["damage"].amount, events["damage"].data["left"]) == (1, 39)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_miss_does_no_damage_and_its_dice_are_no_mistake(system: str) -> None:
    low = {"saga": [1], "ap": [1], "phases": [1, 1, 1]}[system]
    first = WEAPONS[system][0]["damage"]
    dice = {"2d6+5": [1, 1], "1d8+1": [1], "2d6": [1, 1]}[first]
    events = attack(fight(system), rolls={"attack": low, "damage": dice})
    assert events["attack"].data["outcome"] == "miss"
    assert "damage" not in events


def test_a_weapon_does_nothing_where_nobody_knows_whether_it_hit() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", weapons=[{"name": "net", "damage": 3}])
    enc.add("Vex", side="empire", hp=9)
    enc.start(rolls={"Mara": 20, "Vex": 1})
    assert {event.kind for event in enc.do("Mara", "attack", target="Vex")} == {"action"}
    assert enc["Vex"].values["hp"] == 9


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_weapon_can_be_named_in_any_case_and_choices_list_them(system: str) -> None:
    enc = fight(system, apart=1)
    held = [weapon["name"] for weapon in WEAPONS[system]]
    listed = [c.value for c in enc.choices("Mara", "attack", target="Vex") if c.param == "weapon"]
    assert listed == held
    events = attack(enc, weapon=held[1].upper())
    assert events["action"].data["params"]["weapon"] == held[1]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_weapon_that_is_not_on_the_sheet_is_refused_and_changes_nothing(system: str) -> None:
    enc = fight(system, apart=1)
    before = enc.digest
    ruling = enc.can("Mara", "attack", target="Vex", weapon="trebuchet")
    assert ruling.reason.startswith("Mara has no 'trebuchet' on their sheet, only ")
    for override in (False, True):
        with pytest.raises(ck.IllegalAction, match="trebuchet"):
            enc.do("Mara", "attack", target="Vex", weapon="trebuchet", override=override)
    assert enc.digest == before
    free = fight(system, apart=1)  # without weapons any word will do, as ever
    assert free.can("Vex", "attack", target="Mara", weapon="trebuchet").reason.startswith("It's Mara's turn")


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_is_out_of_reach_of_every_weapon_is_refused_by_the_farthest(system: str) -> None:
    enc = fight(system, apart=99)
    before = enc.digest
    refused = enc.can("Mara", "attack", target="Vex")
    assert not refused.allowed
    assert "99" in refused.reason
    assert str(WEAPONS[system][1]["range"]) in refused.reason
    with pytest.raises(ck.IllegalAction):
        enc.do("Mara", "attack", target="Vex")
    assert enc.digest == before
    assert attack(enc, override=True)["action"].by == "gm"


def test_a_charge_is_measured_from_where_it_leads() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", at=(0, 0), weapons=SAGA[:1])
    enc.add("Vex", side="empire", at=(6, 0), hp=40, defense=1)
    enc.start(rolls={"Mara": 20, "Vex": 1})
    assert not enc.can("Mara", "attack", target="Vex").allowed
    assert enc.can("Mara", "charge", target="Vex", to=(5, 0)).allowed
    assert (
        enc.can("Mara", "charge", target="Vex", to=(3, 0)).reason
        == "From (3, 0) Vex is still 3 squares away; the vibroblade reaches 1 square."
    )
    events = {e.kind: e for e in enc.do("Mara", "charge", target="Vex", to=(5, 0), rolls={"attack": [9]})}
    assert events["damage"].action == "charge"


def test_the_book_of_ap_takes_a_weapon_of_the_way_that_is_said() -> None:
    enc = fight("ap", apart=1, actions="book")
    assert enc.can("Mara", "attack", target="Vex").notation == "1d20+6"
    assert enc.can("Mara", "attack", target="Vex", option="ranged").notation == "1d20+4"
    assert enc.can("Mara", "all_out_attack", target="Vex").notation == "1d20+26"  # melee only, +20 of its own
    far = fight("ap", apart=5, actions="book")
    assert (
        far.can("Mara", "attack", target="Vex", option="melee").reason
        == "Vex is 5 metres away; the spear reaches 1 metre."
    )


def test_an_answer_in_ap_is_offered_only_with_a_weapon_that_reaches() -> None:
    for apart, offered in ((1, True), (2, False)):
        enc = ck.Encounter("ap", seed=7)
        enc.add("Vex", side="empire", at=(apart, 0), initiative_rating=20)
        enc.add("Mara", side="rebels", at=(0, 0), weapons=AP[:1])
        enc.start()
        enc.do("Vex", "attack", target="Mara", damage=1)
        (offer,) = enc.pending
        assert ("counter_attack" in offer.actions) is offered
        assert enc.can("Mara", "counter_attack").allowed is offered


def test_a_readied_attack_keeps_the_weapon_it_names() -> None:
    enc = fight("saga", apart=1)
    with pytest.raises(ck.IllegalAction, match="trebuchet"):
        enc.do("Mara", "ready", action="attack", trigger="Vex moves", weapon="trebuchet")
    enc.do("Mara", "ready", action="attack", trigger="Vex moves", weapon="blaster pistol")
    enc.end_turn()
    events = enc.do("Mara", "use_readied", target="Vex", trigger="Vex moves")
    (done,) = [event for event in events if event.action == "attack" and event.kind == "action"]
    assert done.data["params"]["weapon"] == "blaster pistol"


@pytest.mark.parametrize(
    ("system", "weapon", "wrong"),
    [
        ("saga", {"damage": 3}, "weapons holds .*at least a name"),
        ("saga", "sword", "weapons holds 'sword'"),
        ("saga", {"name": "a", "damage": -1}, "a: damage is -1; give a number from 0 up, or dice such as '2d6\\+3'"),
        ("saga", {"name": "a", "damage": "1e9d6"}, "damage is '1e9d6'"),
        ("saga", {"name": "a", "damage": float("nan")}, "damage is"),
        ("saga", {"name": "a", "damage": True}, "damage is True"),
        ("saga", {"name": "a", "range": "far"}, "range is 'far'; give a whole number from 0 to 1000 or 'melee'"),
        ("saga", {"name": "a", "range": -1}, "range is -1"),
        ("saga", {"name": "a", "atack": 1}, "weapons: a has no part 'atack': did you mean 'attack'"),
        ("saga", {"name": "a", "ocv": 1}, "weapons: a has no part 'ocv'"),
        ("d6", {"name": "a", "range": "far"}, "a has no range 'far'"),
        ("ap", {"name": "a", "attack": 1.5}, "attack is 1.5"),
        ("phases", {"name": "a", "range": "far"}, "range is 'far'"),
        ("phases", {"name": "a", "range": 3, "reach": 2}, "a has a reach and a range"),
    ],
)
def test_a_weapon_that_cannot_be_is_refused(system: str, weapon: Any, wrong: str) -> None:
    enc = ck.Encounter(system, seed=7)
    before = enc.digest
    with pytest.raises(ck.CombatkitError, match=wrong):
        enc.add("Mara", side="rebels", weapons=[weapon])
    with pytest.raises(ck.InvalidInput, match=r"twice; names must differ"):
        enc.add("Mara", side="rebels", weapons=[{"name": "axe"}, {"name": "Axe"}])
    assert enc.digest == before


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("word", ["melee", "Melee"])
def test_a_range_of_melee_is_taken_everywhere_and_is_none_where_a_range_is_a_number(system: str, word: str) -> None:
    enc = ck.Encounter(system, seed=7)
    own = (
        {}
        if system == "segments"
        else {"reach": 2}
        if system == "phases"
        else {"attack": "3D" if system == "d6" else 3}
    )
    enc.add("Mara", side="rebels", weapons=[{"name": "pike", "damage": 3, "range": word, **own}])
    (weapon,) = enc["Mara"].stats["weapons"]
    assert weapon.get("range") == (None if system in ("phases", "segments") else "melee")
    assert "range" in weapon or system in ("phases", "segments")


@pytest.mark.parametrize(
    ("system", "typed", "read"),
    [
        ("saga", "bow +7, 2d6, , 20", {"name": "bow", "damage": "2d6", "attack": 7, "range": 20}),
        ("saga", "bow, 2d6, +7, 20", {"name": "bow", "damage": "2d6", "attack": 7, "range": 20}),
        ("saga", "bow +7 2d6, , melee", {"name": "bow", "damage": "2d6", "attack": 7, "range": "melee"}),
        ("saga", "bow +7, 2d6, melee", {"name": "bow", "damage": "2d6", "attack": 7, "range": "melee"}),
        ("ap", "bow +7, 2d6, melee", {"name": "bow", "damage": "2d6", "attack": 7, "range": "melee"}),
        ("phases", "polearm, 2d6, +1, 2", {"name": "polearm", "damage": "2d6", "ocv": 1, "reach": 2}),
        ("saga", "club +1, 2d6, +9", {"name": "club +1", "damage": "2d6", "attack": 9}),
        ("saga", "club +1, 2d6, 9, melee", {"name": "club +1", "damage": "2d6", "attack": 9, "range": "melee"}),
    ],
)
def test_what_is_added_may_stand_behind_the_name_with_a_range_typed(system: str, typed: str, read: Any) -> None:
    enc = ck.Encounter(system)
    enc.add("Mara", side="rebels", weapons=typed)
    assert [dict(each) for each in enc["Mara"].stats["weapons"]] == [read]


@pytest.mark.parametrize(
    ("system", "typed", "right"),
    [
        (
            "saga",
            "sword +1, 1d8, 7",
            "write 'sword, 1d8, +1, 7' if 7 is its range, 'sword +1, 1d8, +7' if it is its attack",
        ),
        (
            "saga",
            "sword +1, 1d8, 7,",
            "write 'sword, 1d8, +1, 7' if 7 is its range, 'sword +1, 1d8, +7' if it is its attack",
        ),
        (
            "saga",
            "bow (+7) 2d6, , 20",
            "write 'bow, 2d6, +7, 20' if 20 is its range, 'bow +7, 2d6, +20' if it is its attack",
        ),
        (
            "ap",
            "bow +7, 2d6, 20",
            "write 'bow, 2d6, +7, 20' if 20 is its range, 'bow +7, 2d6, +20' if it is its attack",
        ),
        (
            "phases",
            "pike +1, 2d6, 2",
            "write 'pike, 2d6, +1, 2' if 2 is its reach, 'pike +1, 2d6, +2' if it is its ocv",
        ),
        ("phases", "bow +1, 3d6, , 20", "write 'bow +1, 3d6, reach 20' or 'bow +1, 3d6, range 20'"),
    ],
)
def test_a_number_that_could_be_added_or_come_next_is_refused_with_how_to_write_each(
    system: str, typed: str, right: str
) -> None:
    enc = ck.Encounter(system)
    with pytest.raises(ck.InvalidInput, match=re.escape(right)):
        enc.add("Mara", side="rebels", weapons=typed)
    for written in re.findall("'([^']+)'", right):
        enc.add(f"Mara {len(enc.names)}", side="rebels", weapons=written)


@pytest.mark.parametrize(
    ("system", "typed", "read"),
    [
        ("phases", "bow +1, 3d6, range 20", {"ocv": 1, "range": 20}),
        ("phases", "pike, 3d6, Reach 2", {"reach": 2}),
        ("saga", "bow +1 3d6, Range 20", {"attack": 1, "range": 20}),
        ("segments", "bow, 3d6, range 20, missile", {"range": 20, "missile": True}),
    ],
)
def test_a_part_may_be_called_by_its_name(system: str, typed: str, read: dict[str, object]) -> None:
    enc = ck.Encounter(system)
    enc.add("Mara", side="rebels", weapons=typed)
    (weapon,) = enc["Mara"].stats["weapons"]
    assert {key: value for key, value in weapon.items() if key not in ("name", "damage")} == read


@pytest.mark.parametrize(
    ("system", "typed", "part"),
    [
        ("segments", "axe, 1d8, speed 7, 4", "speed"),
        ("saga", "bow, 3d6, 7, 20, range 30", "range"),
        ("saga", "bow, 3d6, range 20, range 30", "range"),
        ("phases", "bow +1, 3d6, range 20, range 20", "range"),
    ],
)
def test_a_part_is_given_once_by_its_name_or_in_its_place(system: str, typed: str, part: str) -> None:
    enc = ck.Encounter(system)
    with pytest.raises(ck.InvalidInput, match=f"give {part} once$"):
        enc.add("Mara", side="rebels", weapons=typed)


def test_a_fight_in_which_nobody_states_weapons_logs_none() -> None:
    enc = ck.Encounter("saga", seed=7)
    (added,) = enc.add("Mara", side="rebels")
    assert added.data["stats"].keys().isdisjoint(("weapons", "portrait"))
    assert enc["Mara"].stats["weapons"] == ()
    assert enc["Mara"].stats["portrait"] is None


@pytest.mark.parametrize("system", SYSTEMS)
def test_weapons_come_through_rosters_journals_copies_and_undo(system: str, tmp_path: Path) -> None:
    enc = fight(system, apart=1, journal=tmp_path / "a.combat")
    again = ck.Encounter(system, id="duel", seed=7)
    again.add_roster(enc.roster())
    assert again["Mara"].stats == enc["Mara"].stats
    for suffix in ("csv", "json", "toml", "parquet"):
        enc.roster(tmp_path / f"r.{suffix}")
        other = ck.Encounter(system, seed=7)
        other.add_roster(tmp_path / f"r.{suffix}")
        assert other["Mara"].stats["weapons"] == enc["Mara"].stats["weapons"]
    attack(enc, rolls={"attack": AT[system]})
    told = enc.digest
    enc.save(tmp_path / "a.fight")
    with ck.Encounter.open(tmp_path / "a.combat") as opened:
        assert opened.digest == told
    assert ck.load(tmp_path / "a.fight").digest == told
    assert enc.restart(7)["Mara"].stats == enc["Mara"].stats


def test_the_tracker_asks_for_the_dice_of_a_weapons_damage(recorded: None) -> None:
    tracker = ck.Tracker(fight("saga", apart=5))
    hear(tracker, {"kind": "dice", "mode": "table"})
    message = {"kind": "choices", "name": "Mara", "action": "attack", "params": {"target": ["Vex"]}, "id": 1}
    (answer,) = hear(tracker, message)
    assert [(dice["purpose"], dice["sides"]) for dice in answer["dice"]] == [("attack", [20]), ("damage", [6, 6, 6])]


def test_an_attack_of_opportunity_in_saga_takes_the_first_weapon_that_reaches() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="rebels", at=(0, 0), weapons=SAGA[:1])
    enc.add("Vex", side="empire", at=(12, 0), **FOE["saga"])
    enc.start(rolls={"Mara": 1, "Vex": 20})
    far = enc.can("Mara", "attack_of_opportunity", target="Vex", trigger="Vex runs")
    assert not far.allowed
    assert far.reason.startswith(
        "Vex is 12 squares away; the vibroblade reaches 1 square. If they were in reach before"
    )
    enc.place("Vex", at=(1, 0))
    events = enc.do("Mara", "attack_of_opportunity", target="Vex", trigger="Vex runs", rolls=[10, 6, 6])
    assert [e.amount for e in events if e.kind in ("attack", "damage")] == [17, 17]  # 10 + 7; 6 + 6 + 5
    assert not enc.can("Mara", "attack_of_opportunity", target="Vex", weapon="spoon", trigger="Vex runs").allowed


def test_an_opportunity_is_offered_only_to_those_whose_weapon_reaches() -> None:
    enc = ck.Encounter("saga", seed=1)
    for name, at in (("Near", (1, 0)), ("Far", (5, 0))):
        enc.add(name, side="rebels", at=at, weapons=SAGA[:1])
    enc.add("Vex", side="empire", at=(0, 0), **FOE["saga"])
    enc.start(rolls={"Vex": 20, "Near": 5, "Far": 4})
    enc.trigger("Vex", text="Vex runs", offers=("attack_of_opportunity",))
    assert [offer.who for offer in enc.pending] == ["Near"]


def test_what_is_melee_by_nature_in_phases_takes_no_bow_and_rapid_fire_takes_nothing_else() -> None:
    enc = fight("phases", apart=6)
    for close, more in (("grab", {}), ("sweep", {}), ("move_by", {"to": (0, -6)}), ("move_through", {"to": (0, -6)})):
        ruling = enc.can("Mara", close, target="Vex", **more)
        assert ruling.reason == "Vex is 6 hexes away; the reach of the polearm is 2."
        reason = enc.can("Mara", close, target="Vex", weapon="bow", **more).reason
        assert reason.endswith("is made hand to hand, not with the bow.")
        assert enc.can("Mara", close, target="Vex", option="ranged", **more).reason.endswith("is made hand to hand.")
    assert enc.can("Mara", "rapid_fire", target="Vex").allowed
    assert not enc.can("Mara", "rapid_fire", target="Vex", weapon="polearm").allowed
    assert not enc.can("Mara", "strike", target="Vex", weapon="polearm", option="ranged").allowed
    assert not enc.can("Mara", "ready", action="grab", target="Vex", weapon="bow", trigger="x").allowed
    enc.edit("Mara", weapons=PHASES[:1])
    for shot, option in (("rapid_fire", {}), ("strike", {"option": "ranged"}), ("disarm", {"option": "ranged"})):
        reason = enc.can("Mara", shot, target="Vex", **option).reason
        assert reason == "Mara has no weapon with a range.", shot
        assert not enc.can("Mara", "ready", action=shot, target="Vex", trigger="x", **option).allowed
    assert enc.can("Mara", "strike", target="Vex", manoeuvre="shot", option="ranged").allowed, "the row shoots"
    enc.edit("Mara", weapons=PHASES[1:])
    assert enc.can("Mara", "grab", target="Vex").reason == "Vex is 6 hexes away; the reach of Mara is 1.", "bare hands"


def test_who_has_only_a_blade_shoots_nothing_in_ap_and_a_spell_needs_no_weapon() -> None:
    enc = fight("ap", apart=1, actions="book")
    enc.edit("Mara", weapons=[{"name": "knife", "damage": "1d4", "range": "melee"}])
    shot = {"target": "Vex", "option": "ranged"}
    assert enc.can("Mara", "attack", **shot).reason == "Mara has no weapon with a range."
    assert enc.can("Mara", "attack", weapon="knife", **shot).reason == "Attack is made from afar, not with the knife."
    assert enc.may("Mara", "attack", target="Vex", option="melee")
    assert enc.may("Mara", "cast_attack", **shot)
    enc.edit("Mara", weapons=[{"name": "stone"}])
    assert enc.may("Mara", "attack", **shot), "nothing says how a stone is used"


def test_a_charge_in_saga_and_a_blow_in_ap_take_the_melee_weapon() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="rebels", at=(0, 0), weapons=SAGA[::-1])
    enc.add("Vex", side="empire", at=(5, 0), **FOE["saga"])
    enc.start(rolls={"Mara": 20, "Vex": 1})
    used = enc.do("Mara", "charge", target="Vex", to=(4, 0), rolls={"attack": [2]})
    assert used[0].data["params"]["weapon"] == "vibroblade"
    ap = fight("ap", apart=1, actions="book")
    ruling = ap.can("Mara", "all_out_attack", target="Vex", weapon="bow")
    assert (ruling.allowed, ruling.reason) == (False, "All-out attack is made hand to hand, not with the bow.")
