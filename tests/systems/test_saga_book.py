"""Saga Edition with the list of the game's public system data: prices of several, aim, areas, grabs and the rest."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.table import fight as begin
from tests.systems.table import holds, left, refused, to_round

THREE = {"Mara": 20, "Vex": 12, "Ossik": 8}
SHOT = {"attack_bonus": 4, "hp": 20, "defense": 12}


def fight(**more: Any) -> ck.Encounter:
    """Begin a fight by the list: Mara on 20, against Vex on 12 (defense 10, hp 20) and Ossik on 8 (defense 18)."""
    options = {"actions": "book", **more.pop("options", {})}
    stats = {"Mara": SHOT, "Vex": {"defense": 10, "hp": 20}, "Ossik": {"defense": 18, "hp": 30}, **more}
    return begin(THREE, options=options, **stats)


def kinds(events: tuple[ck.Event, ...], kind: str) -> list[ck.Event]:
    return [event for event in events if event.kind == kind]


# ── prices of several ──


def test_three_swift_actions_are_one_a_turn_in_consecutive_turns() -> None:
    enc = fight()
    enc.condition("Mara", "condition_track", value=1)
    assert enc.can("Mara", "recover").cost == "Swift", "what this call spends; the price of all is the option's"
    for number, due in ((1, "Three swift"), (2, "Two swift"), (3, "Swift")):
        to_round(enc, number, "Mara")
        assert next(option.cost for option in enc.options("Mara") if option.action == "recover") == due
        event = enc.do("Mara", "recover")[0]
        assert event.data["paid"] == {"swift": 1}
        assert event.data["progress"] == [number, 3]
        assert left(enc, "Mara")["swift"] == 0
        if number < 3:
            assert enc["Mara"].progress["recover"] == ck.Progress(number, 3)
            refusal = refused(enc, "Mara", "recover")
            assert (refusal.rule, refusal.cost) == ("saga.swift.one", ("Two swift", "Swift")[number - 1])
    assert "recover" not in enc["Mara"].progress


def test_one_of_several_that_only_the_gm_allows_is_one() -> None:
    enc = fight()
    assert refused(enc, "Mara", "aim", pay="move").reason
    assert enc.do("Mara", "aim", pay="move", override=True)[0].data["progress"] == [1, 2]
    assert "aim" not in holds(enc, "Mara")
    assert left(enc, "Mara")["swift"] == 1


def test_a_turn_without_it_starts_a_recovery_anew() -> None:
    enc = fight()
    enc.condition("Mara", "condition_track", value=1)
    enc.do("Mara", "recover")
    to_round(enc, 3, "Mara")
    assert enc.do("Mara", "recover")[0].data["progress"] == [1, 3]


def test_what_this_call_spends_of_a_price_of_several_is_said() -> None:
    enc = fight(options={"trade_down": True})
    enc.condition("Mara", "condition_track", value=1)
    enc.do("Mara", "move")
    enc.do("Mara", "attack", target="Vex", outcome="miss")
    enc.do("Mara", "recover")
    to_round(enc, 2, "Mara")
    assert enc.can("Mara", "recover").cost == "Two swift"


def test_where_actions_are_traded_down_all_three_are_paid_at_once() -> None:
    enc = fight(options={"trade_down": True})
    enc.condition("Mara", "condition_track", value=1)
    event = enc.do("Mara", "recover")[0]
    assert event.data["paid"] == {"swift": 1, "move": 1, "standard": 1}
    assert event.data["completed"]
    assert [left(enc, "Mara")[slot] for slot in ("standard", "move", "swift")] == [0, 0, 0]


def test_one_is_paid_where_not_all_can_be_or_where_its_slot_is_named() -> None:
    enc = fight(options={"trade_down": True})
    enc.condition("Mara", "condition_track", value=1)
    enc.do("Mara", "move")
    assert enc.do("Mara", "recover")[0].data["paid"] == {"swift": 1}
    assert left(enc, "Mara")["standard"] == 1, "two of three would have taken it"
    assert enc.do("Mara", "recover")[0].data["paid"] == {"standard": 1}
    assert enc["Mara"].progress["recover"] == ck.Progress(2, 3)


def test_a_stowed_item_takes_two_moves_the_standard_action_given_up_for_one() -> None:
    enc = fight()
    event = enc.do("Mara", "retrieve_stowed_item")[0]
    assert event.data["paid"] == {"move": 1, "standard": 1}
    assert left(enc, "Mara")["swift"] == 1


def test_in_the_surprise_round_one_part_is_paid() -> None:
    enc = begin(THREE, surprised=["Vex"], options={"actions": "book", "trade_down": True})
    enc.condition("Mara", "condition_track", value=1)
    assert enc.clock.round == 0
    assert enc.do("Mara", "recover")[0].data["progress"] == [1, 3]
    assert "saga.surprise.budget-one" in enc.can("Mara", "recover").rules


def test_a_recovery_takes_a_step_off_the_track_as_it_is_completed() -> None:
    enc = fight(options={"trade_down": True})
    enc.condition("Mara", "condition_track", value=2)
    enc.do("Mara", "recover")
    assert [c.value for c in enc["Mara"].conditions if c.id == "condition_track"] == [1]
    to_round(enc, 2, "Mara")
    enc.do("Mara", "recover")
    assert "condition_track" not in holds(enc, "Mara")


# ── aim ──


def aimed(**more: Any) -> ck.Encounter:
    enc = fight(options={"trade_down": True}, **more)
    enc.do("Mara", "aim")
    assert "aim" in holds(enc, "Mara")
    return enc


def test_two_swift_actions_aim_and_the_next_shot_uses_it_up() -> None:
    enc = aimed()
    assert [left(enc, "Mara")[slot] for slot in ("standard", "move", "swift")] == [1, 0, 0]
    events = enc.do("Mara", "attack", target="Vex")
    assert "saga.book.aim" in kinds(events, "effect_end")[0].rules
    assert "aim" not in holds(enc, "Mara")


def test_an_aim_holds_till_the_next_turn_and_through_free_actions() -> None:
    enc = aimed()
    enc.do("Mara", "speak")
    to_round(enc, 2, "Mara")
    assert "aim" in holds(enc, "Mara")


def test_a_blow_with_a_weapon_for_hand_to_hand_breaks_the_aim() -> None:
    blade = {"name": "blade", "attack": 6, "damage": "1d8", "range": "melee"}
    enc = aimed(Mara={**SHOT, "weapons": [blade]})
    events = enc.do("Mara", "attack", target="Vex")
    assert "saga.book.aim.lost" in kinds(events, "effect_end")[0].rules


def test_an_aim_that_is_broken_is_lost_and_one_that_was_shot_is_used_up() -> None:
    shot = ["shoots with the aim: cover doesn't count", "is no longer aiming"]
    for action, told in (("attack", shot), ("use_skill", ["loses the aim"])):
        enc = aimed()
        events = enc.do("Mara", action, target="Vex")
        assert [event.text for event in events if event.kind in ("effect", "effect_end")] == told
        assert "aim" not in holds(enc, "Mara")
        assert enc.log().markdown.count(told[0]) == 1


COVER: dict[str, Any] = {"modifiers": {"defense": 5}}
IN_THE_CALL: dict[str, Any] = {"modifiers": {"cover": -5}}


@pytest.mark.parametrize(
    ("cover", "said", "clear"),
    [
        ("Cover", {}, "16 against 15"),
        ("improved cover", {}, "16 against 15"),
        ("prone", {}, "16 against 20"),
        ("", IN_THE_CALL, "16 against 15"),
        ("", {"modifiers": {"prone": -5}}, "11 against 15"),
    ],
)
@pytest.mark.parametrize("action", ["attack", "full_attack", "area_attack"])
def test_cover_counts_for_nothing_against_a_shot_that_was_aimed(
    action: str, cover: str, said: dict[str, Any], clear: str
) -> None:
    open_shot = {"attack_bonus": 9, "dex": 4}
    enc = fight(options={"trade_down": True}, Mara=open_shot, Vex={"dex": 1, "defense": 15})
    enc.do("Mara", "aim")
    to_round(enc, 2, "Mara")
    if cover:
        enc.condition("Vex", cover, **COVER)
    while enc.active != "Mara":
        enc.end_turn()
    told = [e.text for e in enc.do("Mara", action, target="Vex", rolls={"attack": [7]}, **said) if e.kind == "attack"]
    assert told[0].startswith(f"rolls {clear}")
    to_round(enc, 3, "Mara")
    again = [e.text for e in enc.do("Mara", action, target="Vex", rolls={"attack": [7]}, **said) if e.kind == "attack"]
    assert again[0].startswith("rolls 11 against 15" if said else "rolls 16 against 20"), "the aim is used up"


def test_what_hits_is_foretold_with_the_aim() -> None:
    enc = fight(options={"trade_down": True}, Mara={"attack_bonus": 9, "dex": 4}, Vex={"dex": 1, "defense": 15})
    enc.do("Mara", "aim")
    assert enc.can("Mara", "attack", target="Vex", **IN_THE_CALL).notation == "1d20+9"
    assert enc.can("Mara", "attack", target="Vex", modifiers={"prone": -5}).notation == "1d20+4"


def test_the_weapon_of_the_sheet_brings_bonus_and_damage_to_these_too() -> None:
    rifle = {"name": "rifle", "attack": 6, "damage": "3d8", "range": 30}
    enc = fight(Mara={**SHOT, "weapons": [rifle]})
    assert enc.can("Mara", "burst_fire", target="Vex").notation == "1d20+1"
    events = enc.do("Mara", "burst_fire", target="Vex", rolls={"attack": [11], "damage": [1, 2, 3, 4, 5]})
    assert kinds(events, "damage")[0].amount == 15
    enc.do("Mara", "fight_defensively", override=True)
    assert enc.can("Mara", "attack", target="Vex").notation == "1d20+1"


@pytest.mark.parametrize("action", ["move", "use_skill", "grab"])
def test_anything_else_breaks_the_aim(action: str) -> None:
    enc = aimed()
    to_round(enc, 2, "Mara")
    events = enc.do("Mara", action, target="Vex" if action == "grab" else None)
    assert "saga.book.aim.lost" in kinds(events, "effect_end")[0].rules
    assert "aim" not in holds(enc, "Mara")


def test_half_an_aim_is_lost_with_anything_else_as_well() -> None:
    enc = fight()
    enc.do("Mara", "aim")
    assert enc["Mara"].progress["aim"] == ck.Progress(1, 2)
    assert "aim" not in holds(enc, "Mara")
    events = enc.do("Mara", "move")
    assert "saga.book.aim.lost" in kinds(events, "progress")[0].rules
    assert "aim" not in enc["Mara"].progress


def test_an_aim_takes_two_turns_with_a_swift_action_each() -> None:
    enc = fight()
    enc.do("Mara", "aim")
    to_round(enc, 2, "Mara")
    enc.do("Mara", "aim")
    assert "aim" in holds(enc, "Mara")
    assert left(enc, "Mara")["standard"] == 1


# ── attacks ──


@pytest.mark.parametrize(("action", "face"), [("area_attack", 8), ("autofire", 13)])
def test_an_area_is_one_roll_and_a_miss_takes_half(action: str, face: int) -> None:
    enc = fight()
    rolls = {"attack": [face], "damage": [3, 4]}
    events = enc.do("Mara", action, target=["Vex", "Ossik"], damage="2d6+2", rolls=rolls)
    assert [(e.target, e.amount, e.data["outcome"]) for e in kinds(events, "attack")] == [
        ("Vex", 12, "hit"),
        ("Ossik", 12, "miss"),
    ]
    assert [(e.target, e.amount) for e in kinds(events, "damage")] == [("Vex", 9), ("Ossik", 4)]
    assert [enc[name].values["hp"] for name in ("Vex", "Ossik")] == [11, 26]
    assert enc.history.rolls.height == 3 + 2, "three for initiative, one attack, one damage"


def test_one_roll_for_an_area_hits_each_whose_defense_it_equals() -> None:
    enc = fight(Vex={"defense": 12, "hp": 20})
    events = enc.do("Mara", "area_attack", target=["Ossik", "Vex"], damage=7, rolls=[8])  # 8 + 4 = 12
    assert [(e.target, e.data["outcome"]) for e in kinds(events, "attack")] == [("Ossik", "miss"), ("Vex", "hit")]
    assert [enc[name].values["hp"] for name in ("Ossik", "Vex")] == [30 - 3, 20 - 7]


def test_a_burst_has_five_less_to_hit_and_two_dice_more() -> None:
    enc = fight()
    ruling = enc.can("Mara", "burst_fire", target="Vex")
    assert (ruling.notation, ruling.needed) == ("1d20-1", 10)
    events = enc.do("Mara", "burst_fire", target="Vex", damage="3d8", rolls={"attack": [11], "damage": [1, 2, 3, 4, 5]})
    assert kinds(events, "damage")[0].amount == 15
    assert refused(enc, "Mara", "burst_fire", target=["Vex", "Ossik"]).rule == "saga.book.burst"


def test_a_disarm_has_ten_less_or_fifteen_against_two_hands() -> None:
    enc = fight()
    assert enc.can("Mara", "disarm", target="Vex").notation == "1d20-6"
    assert enc.can("Mara", "disarm", target="Vex", option="two_hands").notation == "1d20-11"
    with pytest.raises(ck.InvalidInput, match="two_hands"):
        enc.do("Mara", "disarm", target="Vex", option="left hand")
    enc.do("Mara", "disarm", target="Vex", rolls=[16])
    assert "disarmed" in holds(enc, "Vex")
    to_round(enc, 1, "Vex")
    enc.do("Vex", "draw_weapon")
    assert "disarmed" not in holds(enc, "Vex"), "with another weapon in hand"
    to_round(enc, 2, "Mara")
    enc.do("Mara", "disarm", target="Ossik", rolls=[20])
    assert "disarmed" not in holds(enc, "Ossik"), "14 against 18"


def test_a_disarm_without_a_weapon_for_melee_takes_somebody_beside_one() -> None:
    enc = fight()
    enc.place("Mara", at=(0, 0))
    for weapons in ([], [{"name": "rifle", "range": 30}]):
        enc.edit("Mara", weapons=weapons)
        enc.place("Vex", at=(20, 0))
        ruling = refused(enc, "Mara", "disarm", target="Vex")
        assert ruling.reason == "Vex is 20 squares away; Disarm needs them beside Mara."
        assert ruling.rule == "saga.book.disarm"
        enc.place("Vex", at=(1, 1))
        assert enc.can("Mara", "disarm", target="Vex").allowed
    enc.edit("Mara", weapons=[{"name": "whip", "range": "melee"}])
    enc.place("Vex", at=(2, 0))
    assert refused(enc, "Mara", "disarm", target="Vex").reason == "Vex is 2 squares away; the whip reaches 1 square."


def test_who_is_grabbed_cannot_move_away_until_they_are_free() -> None:
    enc = fight()
    enc.do("Mara", "grab", target="Vex", rolls=[11])
    assert "grabbed" in holds(enc, "Vex")
    enc.end_turn()
    assert refused(enc, "Vex", "move").rule == "saga.book.grab"
    enc.do("Vex", "escape_bonds")
    enc.resolve(answer=["grabbed"])
    assert enc.can("Vex", "move").allowed


def test_whether_a_grab_is_escaped_is_told_only_once_the_gm_has_said_so() -> None:
    enc = fight()
    enc.do("Mara", "grab", target="Vex", outcome="hit")
    enc.end_turn()
    enc.do("Vex", "escape_bonds")
    told = enc.log().markdown
    assert "Vex is grabbed by Mara." in told
    assert "tries to break free." in told
    assert "Which conditions end?" in told
    assert "Vex tries to break free: " not in told, "the line before says so"
    enc.resolve(answer=["nothing"])
    assert "grabbed" in holds(enc, "Vex")
    assert "struggles free" not in enc.log().markdown


def test_a_feint_is_told_with_whom_it_leaves_open() -> None:
    enc = fight()
    enc.do("Mara", "feint", target="Vex", outcome="hit")
    assert "Vex is flat-footed against Mara." in enc.log().markdown


def test_a_question_that_has_changed_is_told_as_still_open() -> None:
    enc = fight()
    enc.condition("Mara", "grabbed")
    enc.condition("Mara", "bound")
    enc.do("Mara", "escape_bonds")
    enc.condition("Mara", "bound", off=True)
    about = "Mara tries to break free: which conditions end?"
    assert [e.text for e in enc._events if e.kind == "window"] == [about, f"{about} (still to be answered)"]


def test_bonds_can_be_escaped_for_a_whole_round_and_only_where_there_are_any() -> None:
    enc = fight()
    assert refused(enc, "Mara", "escape_bonds").reason == "Mara is not bound or grabbed."
    enc.condition("Mara", "bound")
    enc.do("Mara", "escape_bonds_full_round", outcome="hit")
    assert "bound" not in holds(enc, "Mara")
    assert left(enc, "Mara")["move"] == 0


def test_a_coup_de_grace_is_for_the_helpless_beside_one_and_kills_at_nothing_left() -> None:
    enc = fight()
    assert refused(enc, "Mara", "coup_de_grace", target="Vex").rule == "saga.book.coup"
    enc.condition("Vex", "helpless")
    enc.place("Mara", at=(0, 0))
    enc.place("Vex", at=(2, 0))
    for action, title in (("coup_de_grace", "Coup de grace"), ("grab", "Grab")):
        far = f"Vex is 2 squares away; {title} needs them beside Mara."
        assert refused(enc, "Mara", action, target="Vex").reason == far
    enc.place("Vex", at=(1, 1))
    enc.do("Mara", "coup_de_grace", target="Vex", damage=19)
    assert (enc["Vex"].values["hp"], "dead" in holds(enc, "Vex")) == (1, False)
    to_round(enc, 2, "Mara")
    enc.do("Mara", "coup_de_grace", target="Vex", damage=1)
    assert "dead" in holds(enc, "Vex")


def test_a_coup_de_grace_rolls_no_attack_and_what_is_typed_is_its_damage() -> None:
    enc = fight()
    enc.condition("Vex", "helpless")
    ruling = enc.can("Mara", "coup_de_grace", target="Vex")
    assert (ruling.allowed, ruling.notation, ruling.needed) == (True, None, None)
    with pytest.raises(ck.InvalidInput, match="nothing is rolled for it"):
        enc.can("Mara", "coup_de_grace", target="Vex", modifiers={"attack_bonus": 2})
    events = enc.do("Mara", "coup_de_grace", target="Vex", damage="2d6", rolls=[6, 5])
    assert [kinds(events, "attack")[0].text, kinds(events, "damage")[0].data["faces"]] == ["hits Vex", [6, 5]]
    assert enc["Vex"].values["hp"] == 9


def test_a_feint_that_works_holds_for_the_next_attack_of_whoever_feinted() -> None:
    enc = fight()
    enc.do("Mara", "feint", target="Vex")
    enc.resolve(answer="wins")
    assert "flat_footed" in holds(enc, "Vex")
    enc.end_turn()
    enc.end_turn()
    enc.do("Ossik", "attack", target="Vex")
    assert "flat_footed" in holds(enc, "Vex"), "Ossik's attack is another's"
    to_round(enc, 2, "Mara")
    events = enc.do("Mara", "attack", target="Vex")
    assert "saga.book.feint" in kinds(events, "effect_end")[0].rules
    assert "flat_footed" not in holds(enc, "Vex")


@pytest.mark.rule("saga.surprise.flat-footed-ends")
@pytest.mark.parametrize("ends", ["on their turn", "by hand"])
def test_a_feint_that_works_outlasts_a_surprise(ends: str) -> None:
    enc = fight()
    enc.do("Mara", "feint", target="Vex")
    enc.resolve(answer="wins")
    for _ in range(2):
        enc.condition("Vex", "surprised")
    assert [c.value for c in enc["Vex"].conditions if c.id == "flat_footed"] == ["Mara", None]
    if ends == "by hand":
        enc.condition("Vex", "surprised", off=True)
    else:
        to_round(enc, 2, "Mara")
    assert [c.value for c in enc["Vex"].conditions if c.id == "flat_footed"] == ["Mara"]
    enc.condition("Vex", "flat_footed", off=True)
    assert "flat_footed" not in holds(enc, "Vex")


@pytest.mark.parametrize("goes", ["leaves", "dies"])
@pytest.mark.parametrize("who", ["Mara", "Vex"])
def test_what_one_does_to_another_ends_as_either_has_gone(who: str, goes: str) -> None:
    """A grab ends with whoever holds and whoever is held, a feint with whoever made it."""
    for action, brings in (("grab", "grabbed"), ("feint", "flat_footed")):
        enc = fight()
        enc.do("Mara", action, target="Vex", outcome="hit")
        happened = enc.leave(who) if goes == "leaves" else enc.condition(who, "dead")
        ends = [event.rules for event in happened if event.kind == "effect_end" and event.target == "Vex"]
        if action == "feint" and who == "Vex":  # they may come back, as open to it as they were
            assert brings in holds(enc, "Vex")
            continue
        assert ends == [(f"saga.book.{action}",)]
        assert brings not in holds(enc, "Vex")


def test_flat_footed_against_one_is_used_up_by_their_attack_also_by_hand() -> None:
    enc = fight()
    enc.condition("Vex", "flat_footed", value="Mara")
    events = enc.do("Mara", "attack", target="Vex")
    assert [e.rules for e in kinds(events, "effect_end")] == [("saga.book.feint",)]
    enc.condition("Vex", "flat_footed", value="Mara", until="2 rounds")
    to_round(enc, 2, "Mara")
    enc.do("Mara", "attack", target="Vex")
    assert "flat_footed" in holds(enc, "Vex"), "the GM has said how long"
    enc.condition("Vex", "flat_footed", value="Mara")
    enc.leave("Mara")
    assert "flat_footed" not in holds(enc, "Vex")


def test_flat_footed_against_one_is_used_up_without_a_list_that_has_feints_too() -> None:
    enc = begin({"Mara": 15, "Vex": 9})
    enc.condition("Vex", "flat_footed", value="Mara")
    enc.do("Mara", "attack", target="Vex", outcome="miss")
    assert "flat_footed" not in holds(enc, "Vex")
    (used,) = [event for event in enc._events if event.kind == "effect_end"]
    assert (used.text, used.rules) == ("is caught flat-footed by Mara", ())


def test_a_feint_that_fails_brings_nothing() -> None:
    enc = fight()
    events = enc.do("Mara", "feint", target="Vex", outcome="failed")
    assert "flat_footed" not in holds(enc, "Vex")
    assert events[-1].text == "fails", "a line of its own, as nothing else tells it"


# ── defence, the floor, items ──


def test_fighting_defensively_is_five_less_to_attack_and_two_more_to_be_hit() -> None:
    enc = fight()
    enc.do("Mara", "fight_defensively")
    assert (enc["Mara"].values["attack_bonus"], enc["Mara"].values["defense"]) == (-1, 14)
    enc.end_turn()
    assert enc.can("Mara", "attack_of_opportunity", target="Vex", trigger="he runs").notation == "1d20-1"
    to_round(enc, 2, "Mara")
    assert enc["Mara"].values["defense"] == 12


def test_total_defense_is_five_more_for_the_whole_turn_and_makes_no_attack() -> None:
    enc = fight()
    enc.do("Mara", "total_defense")
    assert enc["Mara"].values["defense"] == 17
    enc.end_turn()
    ruling = enc.can("Mara", "attack_of_opportunity", target="Vex", trigger="he runs")
    assert "saga.book.total" in ruling.rules
    to_round(enc, 2, "Mara")
    assert enc["Mara"].values["defense"] == 12
    enc.do("Mara", "move")
    assert refused(enc, "Mara", "total_defense").rule == "saga.full.symmetric"


def test_to_fall_prone_is_swift_and_once() -> None:
    enc = fight()
    enc.do("Mara", "fall_prone")
    assert "prone" in holds(enc, "Mara")
    assert left(enc, "Mara")["swift"] == 0
    assert "fall_prone" not in [option.action for option in enc.options("Mara") if option.allowed]
    enc.do("Mara", "stand_up")
    assert "prone" not in holds(enc, "Mara")


def test_reloading_beside_an_enemy_offers_them_an_attack_and_waits_for_it() -> None:
    enc = fight()
    for name, spot in (("Mara", (0, 0)), ("Vex", (1, 0)), ("Ossik", (3, 0))):
        enc.place(name, at=spot)
    enc.do("Mara", "reload")
    offers = {offer.who: (offer.actions, offer.rule) for offer in enc.pending}
    assert offers == {"Vex": (("attack_of_opportunity",), "saga.book.provokes")}, "Ossik stands too far off"
    enc.do("Vex", "attack_of_opportunity", target="Mara")
    assert left(enc, "Vex")["reaction"] == 0
    to_round(enc, 2, "Mara")
    enc.do("Mara", "manipulate_item")
    assert "Waiting for Vex" in refused(enc, "Mara", "attack", target="Vex").reason
    enc.resolve()
    enc.do("Mara", "attack", target="Vex")


def test_where_only_the_table_knows_who_stands_beside_them_nobody_is_waited_for() -> None:
    enc = fight()
    enc.do("Mara", "reload")
    assert enc.pending
    enc.do("Mara", "attack", target="Vex")
    assert not enc.pending


def test_what_has_its_price_alone_is_done_at_that_price() -> None:
    enc = fight()
    enc.do("Mara", "activate_an_item")
    enc.do("Mara", "draw_a_concealed_item", weapon="hold-out blaster")
    assert left(enc, "Mara") == {"standard": 0, "move": 1, "swift": 0, "reaction": 1, "aoo": 0}
    to_round(enc, 2, "Mara")
    assert enc.can("Mara", "create_a_diversion_to_hide").cost == "Standard"
    told = str(enc.explain(enc.do("Mara", "create_diversion")[0].seq))
    assert "game system data: Create a diversion to hide" in told


def test_the_plain_list_knows_nothing_of_it() -> None:
    enc = begin(THREE, Mara=SHOT)
    enc.condition("Mara", "grabbed")
    enc.condition("Mara", "total_defense")
    enc.condition("Mara", "aim")
    assert enc.can("Mara", "move").allowed
    enc.do("Mara", "attack", target="Vex")
    assert "aim" in holds(enc, "Mara"), "the GM's own word stays the GM's"


def test_what_is_typed_for_bonus_by_a_condition_counts_in_attacks() -> None:
    enc = begin(THREE, Mara=SHOT, Vex={"defense": 10})
    enc.condition("Mara", "shaken", modifiers={"attack_bonus": -2})
    assert enc.can("Mara", "attack", target="Vex").notation == "1d20+2"


# ── the damage threshold ──


def track(enc: ck.Encounter, name: str) -> list[object]:
    return [c.value for c in enc[name].conditions if c.id == "condition_track"]


def hardy(**options: Any) -> ck.Encounter:
    sheet = {"hp": 90, "threshold": 10, "attack_bonus": 6, "defense": 20}
    return begin(THREE, options={"actions": "book", **options}, Mara=sheet, Vex=sheet)


def test_damage_that_reaches_the_threshold_moves_down_the_condition_track() -> None:
    enc = hardy()
    enc.do("Mara", "attack", target="Vex", outcome="hit", damage=9)
    assert track(enc, "Vex") == []
    came = []
    for _ in range(5):
        events = enc.damage("Vex", 10)
        came.append((*track(enc, "Vex"), enc["Vex"].values["attack_bonus"], enc["Vex"].values["defense"]))
        assert "saga.book.track" in kinds(events, "effect")[0].rules
    assert came == [(1, 5, 19), (2, 4, 18), (3, 1, 15), (4, -4, 10), (5, -4, 10)]
    assert "unconscious" in holds(enc, "Vex")


def test_a_step_of_the_track_is_felt_in_attack_defense_and_initiative() -> None:
    enc = hardy()
    enc.condition("Mara", "condition_track", value=2)
    enc.condition("Vex", "condition_track", value=3)
    ruling = enc.can("Mara", "attack", target="Vex")
    assert (ruling.notation, ruling.needed) == ("1d20+4", 15)
    enc = ck.Encounter("saga", seed=1, options={"actions": "book"})
    enc.add("Vex", side="empire")
    enc.condition("Vex", "condition_track", value=3)
    events = enc.start(rolls={"Vex": 15})
    assert kinds(events, "initiative")[0].amount == 15 - 5, "half of level 1, and what the track takes off"


def test_recovery_gives_back_what_a_step_took() -> None:
    enc = hardy(trade_down=True)
    enc.condition("Mara", "condition_track", value=2)
    enc.do("Mara", "recover")
    assert (track(enc, "Mara"), enc["Mara"].values["attack_bonus"]) == ([1], 5)
    to_round(enc, 2, "Mara")
    enc.do("Mara", "recover")
    assert (track(enc, "Mara"), enc["Mara"].values["attack_bonus"]) == ([], 6)


def test_who_recovers_from_the_end_of_the_track_wakes_by_the_same_rule() -> None:
    enc = fight()
    enc.condition("Mara", "condition_track", value=5)
    events = [event for _ in range(3) for event in enc.do("Mara", "recover", override=True)]
    assert [(e.text, e.rules) for e in events if e.kind == "effect_end"] == [
        ("is no longer unconscious", ("saga.book.recover",))
    ]
    assert track(enc, "Mara") == [4]


def test_without_the_book_nothing_moves_down_a_track() -> None:
    enc = begin(THREE, Vex={"hp": 90, "threshold": 10})
    enc.damage("Vex", 50)
    assert track(enc, "Vex") == []


def test_who_is_moved_up_from_the_end_of_the_track_wakes() -> None:
    enc = hardy()
    enc.condition(["Mara", "Vex"], "condition_track", value=5)
    enc.condition("Mara", "condition_track", value=4)
    enc.condition("Vex", "condition_track", off=True)
    assert (holds(enc, "Mara"), holds(enc, "Vex")) == ({"condition_track"}, set())
    enc.condition("Mara", "unconscious")
    enc.condition("Mara", "condition_track", value=5)
    enc.condition("Mara", "condition_track", value=1)
    assert "unconscious" in holds(enc, "Mara"), "it was not the track that put them there"


def test_a_step_that_is_not_said_is_one_further_down() -> None:
    enc = hardy()
    enc.condition(["Mara", "Vex"], "condition_track")
    enc.condition("Mara", "condition_track")
    assert (track(enc, "Mara"), track(enc, "Vex"), enc["Mara"].values["defense"]) == ([2], [1], 18)
    enc.join("Lin", side="rebels", conditions=["condition_track"])
    assert track(enc, "Lin") == [1]
    with pytest.raises(ck.InvalidInput, match="lasts until somebody recovers"):
        enc.condition("Mara", "condition_track", value=3, until="2 rounds")


@pytest.mark.parametrize("value", [0, -1, 6, "2", True])
def test_the_gm_puts_somebody_on_a_step_there_is(value: object) -> None:
    enc = hardy()
    with pytest.raises(ck.InvalidInput, match=r"condition_track: value is .+; give a step from 1 to 5, or off=True"):
        enc.condition("Mara", "condition_track", value=value)
    enc.condition("Mara", "condition_track", value=5)
    assert "unconscious" in holds(enc, "Mara")
    assert enc.condition("Mara", "condition_track", off=True)[0].text == "is no longer on the condition track"


@pytest.mark.parametrize("mark", ["aim", "fighting_defensively", "total_defense"])
def test_what_only_an_action_of_the_list_gives_is_not_laid_on_by_hand(mark: str) -> None:
    enc = fight()
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=rf'condition {mark}: only an action gives it; use do\("Mara", '):
        enc.condition("Mara", mark)
    assert enc.digest == before


@pytest.mark.parametrize("lets_go", ["Mara", "Kell"])
def test_who_is_held_by_two_is_held_until_both_let_go(lets_go: str) -> None:
    enc = begin({"Mara": 20, "Kell": 15, "Vex": 12}, options={"actions": "book"})
    for name in ("Mara", "Kell"):
        enc.do(name, "grab", target="Vex", outcome="hit")
        enc.end_turn()
    assert enc.active == "Vex"
    enc.leave(lets_go)
    assert refused(enc, "Vex", "move").reason == "Vex is grabbed and can't move away."
    enc.condition({"Mara": "Kell", "Kell": "Mara"}[lets_go], "unconscious")
    assert enc.can("Vex", "move").allowed


def test_each_of_two_feints_is_used_up_by_its_own_attack() -> None:
    enc = begin({"Mara": 20, "Kell": 15, "Vex": 12}, options={"actions": "book"})
    for name in ("Mara", "Kell"):
        enc.do(name, "feint", target="Vex", outcome="hit")
        enc.end_turn()
    enc.end_turn()
    for name, left_over in (("Mara", ["Kell"]), ("Kell", [])):
        enc.do(name, "attack", target="Vex", outcome="miss")
        assert [each.value for each in enc["Vex"].conditions] == left_over
        enc.end_turn()


def test_what_was_readied_is_barred_by_what_has_come_since() -> None:
    enc = fight()
    enc.do("Mara", "ready", action="move", trigger={"actor": "Vex", "action": "attack"})
    enc.end_turn()
    enc.condition("Mara", "grabbed", value="Ossik")
    enc.do("Vex", "attack", target="Ossik", outcome="miss")
    assert enc.pending == ()
    ruling = refused(enc, "Mara", "use_readied", trigger="Vex attacks")
    assert (ruling.reason, ruling.rule) == ("Mara is grabbed and can't move away.", "saga.book.grab")


@pytest.mark.parametrize(("system", "action"), [("saga", "fall_prone"), ("phases", "drop_prone")])
def test_nobody_falls_prone_twice(system: str, action: str) -> None:
    enc = ck.Encounter(system, seed=1, options={"actions": "book"})
    enc.add("Ada", side="a")
    enc.start()
    enc.do("Ada", action)
    enc.adjust("Ada", "swift", 1) if system == "saga" else None
    assert enc.can("Ada", action).reason == "Ada is already prone."
    enc.do("Ada", "stand_up")
    assert enc.may("Ada", action)


@pytest.mark.parametrize(
    ("places", "allowed"),
    [({"Vex": (3, 0), "Ossik": (4, 1)}, True), ({"Vex": (3, 0), "Ossik": (5, 0)}, False), ({"Vex": (3, 0)}, True)],
)
def test_autofire_covers_two_by_two_squares(places: dict[str, Any], allowed: bool) -> None:
    enc = fight()
    for name, at in places.items():
        enc.place(name, at=at)
    ruling = enc.can("Mara", "autofire", target=["Vex", "Ossik"])
    assert ruling.allowed is allowed
    if not allowed:
        assert (ruling.rule, "2 squares apart" in ruling.reason) == ("saga.book.autofire", True)
    assert enc.can("Mara", "area_attack", target=["Vex", "Ossik"]).allowed
