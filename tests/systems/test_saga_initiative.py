"""Saga Edition: the initiative check, and how ties are broken."""

from __future__ import annotations

import pytest

import combatkit as ck
from combatkit.core.dice import face
from tests.systems.table import counts, fight, last, left, order, refused, rolled, to_round, turns


def party(*names: str, dex: int = 0, seed: int = 7) -> ck.Encounter:
    enc = ck.Encounter("saga", seed=seed)
    for name in names:
        enc.add(name, side="rebels", dex=dex)
    return enc


@pytest.mark.rule("saga.init.formula")
def test_total_is_d20_plus_dexterity_plus_half_level_plus_the_rest() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", dex=4, level=6, initiative_misc=2)
    enc.add("Vex", side="empire", dex=-1, level=3)
    events = enc.start(rolls={"Mara": 17, "Vex": 9})
    assert counts(enc) == [("Mara", 26), ("Vex", 9)], "17 + 4 + 3 + 2, and 9 - 1 + 1"
    roll = next(e for e in events if e.kind == "roll" and e.actor == "Mara")
    assert roll.data["faces"] == [17]
    assert roll.data["modifiers"] == {"Dex": 4, "half level": 3, "other": 2}
    assert (roll.data["notation"], roll.data["total"], roll.data["source"]) == ("1d20+9", 26, "table")


@pytest.mark.rule("saga.init.half-level-down")
@pytest.mark.parametrize(("level", "half"), [(0, 0), (1, 0), (2, 1), (5, 2), (20, 10)])
def test_half_level_is_rounded_down(level: int, half: int) -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", level=level)
    enc.start(rolls={"Mara": 10})
    assert counts(enc) == [("Mara", 10 + half)]


@pytest.mark.rule("saga.init.other-mods")
def test_feats_talents_and_vehicle_size_go_in_as_one_number() -> None:
    stat = ck.ruleset("saga").stats["initiative_misc"]
    assert all(word in stat.title for word in ("feats", "talents", "vehicle size"))
    enc = ck.Encounter("saga", seed=7)
    enc.add("Walker", side="empire", initiative_misc=-10)
    enc.start(rolls={"Walker": 12})
    assert counts(enc) == [("Walker", 2)]


@pytest.mark.rule("saga.init.is-dex")
def test_initiative_is_a_dexterity_check() -> None:
    enc = party("Mara", dex=3)
    events = enc.start(rolls={"Mara": 10})
    roll = next(e for e in events if e.kind == "roll")
    assert roll.data["modifiers"]["Dex"] == 3
    assert "Dexterity" in ck.ruleset("saga").rules["saga.init.is-dex"].text
    assert "Dexterity" in enc.explain(roll.seq)


@pytest.mark.rule("saga.init.when")
def test_initiative_is_rolled_before_any_action() -> None:
    enc = party("Mara", "Bo")
    assert not enc.can("Mara", "speak").allowed
    assert enc.order == ()
    events = enc.start(rolls=[12, 8])
    kinds = [event.kind for event in events]
    assert len(rolled(events, "initiative")) == 2
    assert max(i for i, kind in enumerate(kinds) if kind == "roll") < kinds.index("turn")
    assert "action" not in kinds


@pytest.mark.rule("saga.init.as-reaction")
def test_the_roll_is_called_a_reaction_but_spends_none_and_the_surprised_roll_too() -> None:
    enc = fight({"Mara": 18, "Vex": 15}, surprised=["Vex"])
    assert counts(enc) == [("Mara", 18), ("Vex", 15)]
    assert left(enc, "Mara")["reaction"] == 1


@pytest.mark.rule("saga.init.count")
def test_the_result_is_the_count_one_acts_on() -> None:
    enc = fight({"Mara": 14}, Mara={"dex": 2})
    rung = enc.order[0]
    assert (rung.initiative, dict(rung.key)["count"]) == (14, 14)
    assert enc["Mara"].values["initiative"] == 14


@pytest.mark.rule("saga.init.once")
def test_the_count_holds_for_the_whole_fight() -> None:
    enc = fight({"Mara": 18, "Vex": 15, "Bo": 10})
    before = counts(enc)
    die = last(enc)
    to_round(enc, 4)
    assert counts(enc) == before
    assert not [e for e in enc.at(last(enc))._events[die:] if e.kind == "roll"]


@pytest.mark.rule("saga.init.tie.dex")
def test_a_tie_goes_to_the_higher_dexterity_modifier() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Bo", side="rebels", dex=1)
    enc.add("Mara", side="rebels", dex=3)
    events = enc.start(rolls={"Bo": 14, "Mara": 12})
    assert counts(enc) == [("Mara", 15), ("Bo", 15)]
    assert "saga.init.tie.dex" in enc.order[0].why
    assert enc.order[1].why == ""
    assert rolled(events, "tie") == [], "Dexterity settles it: nobody rolls"


@pytest.mark.rule("saga.init.tie.dex", "saga.init.tie.d20")
def test_the_ladder_says_why_whoever_was_added_first() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", dex=3)
    enc.add("Bo", side="rebels", dex=1)
    enc.add("Ilya", side="rebels", dex=1)
    enc.start(rolls={"Mara": 12, "Bo": [14, 16], "Ilya": [14, 7]})
    assert [rung.why for rung in enc.order] == [
        "Dex +3 over +1 [saga.init.tie.dex]",
        "Dex tied, d20 16 over 7 [saga.init.tie.d20]",
        "",
    ]


@pytest.mark.rule("saga.init.tie.dex")
def test_a_newcomer_gives_a_place_its_reason() -> None:
    enc = fight({"Mara": 15, "Vex": 10}, Mara={"dex": 3})
    assert enc.order[0].why == ""
    enc.join("Bo", side="rebels", dex=1, rolls={"Bo": 14})
    assert enc.order[0].why == "Dex +3 over +1 [saga.init.tie.dex]"
    assert order(enc) == ["Mara", "Bo", "Vex"]


@pytest.mark.rule("saga.init.tie.dex")
def test_level_and_other_modifiers_break_no_tie() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Bo", side="rebels", dex=1, level=10, initiative_misc=4)
    enc.add("Mara", side="rebels", dex=2)
    enc.start(rolls={"Bo": 5, "Mara": 13})
    assert counts(enc) == [("Mara", 15), ("Bo", 15)]


@pytest.mark.rule("saga.init.tie.d20")
def test_equal_dexterity_rolls_off_with_a_d20_each() -> None:
    enc = party("Bo", "Ilya", dex=2)
    events = enc.start(rolls={"Bo": [11, 9], "Ilya": [11, 14]})
    assert counts(enc) == [("Ilya", 13), ("Bo", 13)]
    assert rolled(events, "tie") == [("Bo", [9]), ("Ilya", [14])]
    assert "saga.init.tie.d20" in enc.order[0].why
    assert enc.order[0].key == (("count", 13), ("dex", 2), ("d20", 14))


@pytest.mark.rule("saga.init.tie.d20")
def test_of_two_ties_that_of_the_first_added_is_rolled_off_first() -> None:
    enc = party("Bo", "Mara", "Ilya", "Vera", dex=2)
    events = enc.start(rolls={"Bo": [5, 9], "Mara": [11, 2], "Ilya": [5, 14], "Vera": [11, 3]})
    assert rolled(events, "tie") == [("Bo", [9]), ("Ilya", [14]), ("Mara", [2]), ("Vera", [3])]
    assert order(enc) == ["Vera", "Mara", "Ilya", "Bo"]


@pytest.mark.rule("saga.init.tie.reroll")
def test_a_tied_roll_off_is_rolled_again_only_among_those_still_tied() -> None:
    enc = party("Bo", "Ilya", "Mara")
    events = enc.start(rolls={"Bo": [11, 14, 3], "Ilya": [11, 14, 8], "Mara": [11, 17]})
    assert order(enc) == ["Mara", "Ilya", "Bo"]
    assert rolled(events, "tie") == [("Bo", [14]), ("Ilya", [14]), ("Mara", [17]), ("Bo", [3]), ("Ilya", [8])]
    assert "saga.init.tie.reroll" in enc.order[1].why


@pytest.mark.rule("saga.init.tie.reroll")
def test_roll_offs_go_on_until_nobody_is_tied() -> None:
    enc = party("Bo", "Ilya")
    enc.start(rolls={"Bo": [11, 5, 5, 5, 6], "Ilya": [11, 5, 5, 5, 7]})
    assert order(enc) == ["Ilya", "Bo"]


@pytest.mark.rule("saga.init.tie.reroll")
def test_two_pairs_tied_roll_again_each_for_itself() -> None:
    enc = party("Bo", "Ilya", "Mara", "Tam")
    enc.start(rolls={"Bo": [8, 4, 2], "Ilya": [8, 4, 9], "Mara": [8, 15, 1], "Tam": [8, 15, 20]})
    assert order(enc) == ["Tam", "Mara", "Ilya", "Bo"]


@pytest.mark.rule("saga.init.tie.reroll", "saga.init.tie.d20")
def test_dice_not_thrown_at_the_table_come_from_the_seed_in_order() -> None:
    enc = party("Bo", "Ilya", seed=11)
    events = enc.start(rolls={"Bo": 11, "Ilya": 11})
    faces = [roll[0] for _, roll in rolled(events, "tie")]
    assert faces == [face(11, i, 20) for i in range(len(faces))]
    assert order(enc)[0] == ("Bo" if faces[-2] > faces[-1] else "Ilya")


@pytest.mark.rule("saga.init.tie.d20", "saga.init.once")
def test_a_tie_once_settled_is_kept_when_others_join() -> None:
    enc = party("Bo", "Ilya")
    enc.start(rolls={"Bo": [11, 9], "Ilya": [11, 14]})
    events = enc.join("Mara", side="rebels", rolls={"Mara": [11, 12]})
    assert order(enc) == ["Ilya", "Mara", "Bo"]
    assert rolled(events, "tie") == [("Mara", [12])], "only the newcomer rolls"
    events = enc.join("Tam", side="rebels", rolls={"Tam": [11, 14, 2], "Ilya": 6})
    assert order(enc) == ["Ilya", "Tam", "Mara", "Bo"]
    assert rolled(events, "tie") == [("Tam", [14]), ("Ilya", [6]), ("Tam", [2])], "again only those still tied"


@pytest.mark.rule("saga.init.tie.d20", "saga.init.tie.reroll")
def test_one_who_stands_beside_the_tied_goes_with_it_as_it_rolls_on() -> None:
    enc = party("Bo", "Ilya", "Mara")
    enc.start(rolls={"Bo": [11, 9], "Ilya": [11, 14], "Mara": 20})
    enc.do("Mara", "delay")
    enc.end_turn()
    enc.do("Mara", "act_now")
    assert order(enc) == ["Ilya", "Mara", "Bo"]
    enc.join("Tam", side="rebels", rolls={"Tam": [11, 9, 8, 14], "Bo": [8, 3]})
    assert order(enc) == ["Ilya", "Tam", "Mara", "Bo"]
    assert enc.order[1].why == "Dex tied, d20 14 over 3 [saga.init.tie.reroll]"


@pytest.mark.rule("saga.init.tie.d20")
def test_one_who_stood_beside_somebody_gone_still_goes_with_the_tied() -> None:
    enc = party("Bo", "Ilya", "Mara", "Vex")
    enc.start(rolls={"Bo": [11, 9], "Ilya": [11, 14], "Mara": 20, "Vex": 19})
    enc.place("Mara", before="Bo")
    enc.place("Vex", before="Mara")
    assert order(enc) == ["Ilya", "Vex", "Mara", "Bo"]
    enc.leave("Mara")
    enc.join("Tam", side="rebels", rolls={"Tam": [11, 9, 3], "Bo": 8})
    assert order(enc) == ["Ilya", "Vex", "Bo", "Tam"]


@pytest.mark.rule("saga.init.tie.d20")
def test_one_who_had_no_tie_rolls_off_with_a_newcomer() -> None:
    enc = party("Bo", "Ilya")
    enc.start(rolls={"Bo": 11, "Ilya": 15})
    enc.join("Mara", side="rebels", rolls={"Mara": [11, 20], "Bo": [3]})
    assert order(enc) == ["Ilya", "Mara", "Bo"]


@pytest.mark.rule("saga.init.tie.d20")
def test_an_order_of_ties_chosen_at_the_table_stands_for_the_roll_off() -> None:
    enc = party("Bo", "Ilya", "Mara")
    events = enc.start(rolls={"Bo": 11, "Ilya": 11, "Mara": 11}, ties=["Mara", "Bo", "Ilya"])
    assert order(enc) == ["Mara", "Bo", "Ilya"]
    assert rolled(events, "tie") == []
    assert [rung.why for rung in enc.order] == ["Dex tied, the table decided"] * 2 + [""]


@pytest.mark.rule("saga.init.tie.d20")
def test_a_newcomer_comes_after_an_order_chosen_at_the_table_and_nobody_rolls() -> None:
    enc = party("Bo", "Ilya")
    enc.start(rolls={"Bo": 11, "Ilya": 11}, ties=["Ilya", "Bo"])
    die = enc._state.die
    events = [e for name in ("Mara", "Tam") for e in enc.join(name, side="rebels", rolls={name: 11})]
    assert order(enc) == ["Ilya", "Bo", "Mara", "Tam"]
    assert (rolled(events, "tie"), enc._state.die) == ([], die), "there is no d20 it could be compared with"
    behind = "Dex tied, the table put them first"
    assert [rung.why for rung in enc.order] == ["Dex tied, the table decided", behind, behind, ""]
    assert [rung.key[2:] for rung in enc.order] == [
        (("chosen", 2),),
        (("chosen", 1),),
        (("added", 0),),
        (("added", -1),),
    ]


@pytest.mark.rule("saga.init.tie.d20")
def test_an_order_chosen_anew_for_all_the_tied_holds_for_the_newcomer_too() -> None:
    enc = party("Bo", "Ilya")
    enc.start(rolls={"Bo": 11, "Ilya": 11}, ties=["Ilya", "Bo"])
    enc.join("Mara", side="rebels", rolls={"Mara": 11}, ties=["Bo", "Mara", "Ilya"])
    assert order(enc) == ["Bo", "Mara", "Ilya"]
    enc.join("Tam", side="rebels", rolls={"Tam": 11}, ties=["Tam", "Bo", "Mara", "Ilya"])
    assert order(enc) == ["Tam", "Bo", "Mara", "Ilya"]
    assert [rung.why for rung in enc.order] == ["Dex tied, the table decided"] * 3 + [""]


@pytest.mark.rule("saga.init.tie.reroll")
def test_a_newcomer_rolls_until_it_meets_a_choice_and_comes_after_that() -> None:
    enc = party("Bo", "Ilya", "Tam")
    enc.start(rolls={"Bo": [11, 14], "Ilya": [11, 14], "Tam": [11, 9]}, ties=["Ilya", "Bo"])
    assert order(enc) == ["Ilya", "Bo", "Tam"], "a tied d20 may be settled by choice instead of another roll"
    events = enc.join("Mara", side="rebels", rolls={"Mara": [11, 14]})
    assert order(enc) == ["Ilya", "Bo", "Mara", "Tam"]
    assert rolled(events, "tie") == [("Mara", [14])]


@pytest.mark.rule("saga.init.tie.d20")
@pytest.mark.parametrize(
    ("ties", "said"),
    [
        (["Mara", "Bo"], "ties: Bo, Ilya and Mara are tied; name them all, not only Mara and Bo"),
        (["Ilya"], "ties: Bo, Ilya and Mara are tied; name them all, not only Ilya"),
    ],
)
def test_an_order_that_names_some_of_the_tied_is_refused(ties: list[str], said: str) -> None:
    enc = party("Bo", "Ilya", "Mara", "Tam")
    before = enc.digest
    faces = {"Bo": [11, 4], "Ilya": [11, 5], "Mara": [11, 6], "Tam": [2]}
    with pytest.raises(ck.InvalidInput, match=said):
        enc.start(rolls=faces, ties=ties)
    assert enc.digest == before
    enc.start(rolls={"Bo": 11, "Ilya": 11, "Mara": 11, "Tam": 2}, ties=["Tam", "Mara", "Bo", "Ilya"])
    assert order(enc) == ["Mara", "Bo", "Ilya", "Tam"], "who is not tied may be named"


@pytest.mark.rule("saga.init.tie.d20")
def test_an_order_for_a_newcomer_names_those_it_is_tied_with() -> None:
    enc = party("Bo", "Ilya")
    enc.start(rolls={"Bo": [11, 14], "Ilya": [11, 9]})
    with pytest.raises(ck.InvalidInput, match="Bo, Ilya and Mara are tied; name them all"):
        enc.join("Mara", side="rebels", rolls={"Mara": [11, 12]}, ties=["Ilya", "Mara"])
    enc.join("Mara", side="rebels", rolls={"Mara": 11}, ties=["Ilya", "Mara", "Bo"])
    assert order(enc) == ["Ilya", "Mara", "Bo"]


@pytest.mark.rule("saga.init.tie.dex")
def test_an_order_of_ties_does_not_overrule_dexterity() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Bo", side="rebels", dex=1)
    enc.add("Mara", side="rebels", dex=3)
    before = enc.digest
    with pytest.raises(ck.IllegalAction, match=r"^Bo can't go ahead of Mara on 15: Dex \+3 over \+1\. ") as no:
        enc.start(rolls={"Bo": 14, "Mara": 12}, ties=["Bo", "Mara"])
    assert (no.value.ruling.rule, enc.digest) == ("saga.init.tie.dex", before)


@pytest.mark.rule("saga.init.when", "saga.round.one-turn-each")
def test_a_newcomer_rolls_as_it_joins_and_acts_if_its_place_is_still_to_come() -> None:
    enc = fight({"Mara": 18, "Vex": 15, "Bo": 5})
    enc.end_turn()
    enc.join("Ilya", side="rebels", dex=2, rolls={"Ilya": 8})
    enc.join("Dray", side="empire", rolls={"Dray": 17})
    assert counts(enc) == [("Mara", 18), ("Dray", 17), ("Vex", 15), ("Ilya", 10), ("Bo", 5)]
    assert turns(enc, 4) == ["Vex", "Ilya", "Bo", "Mara"], "Dray's place has passed in round 1"
    assert enc.active == "Dray"


def test_a_newcomer_below_one_who_gave_the_round_up_still_acts() -> None:
    enc = fight({"Mara": 18, "Vex": 15})
    enc.do("Mara", "delay", count=2, round=2)
    enc.join("Bo", side="rebels", rolls={"Bo": 9})
    assert turns(enc, 3) == ["Vex", "Bo", "Vex"]


def test_moving_somebody_by_hand_keeps_its_place_when_others_join() -> None:
    enc = fight({"Mara": 18, "Vex": 15, "Bo": 5})
    enc.place("Bo", before="Vex")
    enc.join("Ilya", side="rebels", dex=-1, rolls={"Ilya": 16})
    assert order(enc) == ["Mara", "Bo", "Vex", "Ilya"]


def test_one_placed_just_before_another_goes_with_it_through_a_roll_off() -> None:
    enc = fight({"Mara": 18, "Vex": 15, "Bo": 5})
    enc.place("Bo", before="Vex")
    events = enc.join("Ilya", side="rebels", rolls={"Ilya": [15, 20], "Vex": [4]})
    assert order(enc) == ["Mara", "Ilya", "Bo", "Vex"]
    assert rolled(events, "tie") == [("Vex", [4]), ("Ilya", [20])], "Bo is not tied with anybody"


def test_several_placed_beside_one_keep_their_order_through_a_roll_off() -> None:
    enc = fight({"Mara": 18, "Vex": 15, "Bo": 5, "Tam": 4, "Dray": 3})
    enc.place("Tam", after="Vex")
    enc.place("Bo", after="Vex")
    enc.place("Dray", before="Vex")
    assert order(enc) == ["Mara", "Dray", "Vex", "Bo", "Tam"]
    enc.join("Ilya", side="rebels", rolls={"Ilya": [15, 9], "Vex": [4]})
    assert order(enc) == ["Mara", "Ilya", "Dray", "Vex", "Bo", "Tam"]
    enc.join("Jon", side="rebels", rolls={"Jon": [15, 2]})
    assert order(enc) == ["Mara", "Ilya", "Dray", "Vex", "Bo", "Tam", "Jon"]


def test_two_are_never_told_the_same_key_for_a_place_beside_another() -> None:
    enc = fight({"Mara": 18, "Vex": 15, "Bo": 5})
    enc.place("Bo", after="Vex")
    assert order(enc) == ["Mara", "Vex", "Bo"]
    assert enc.order[2].key[-1] == ("after", "Vex")


@pytest.mark.rule("saga.init.when")
def test_before_the_start_nothing_can_be_done() -> None:
    enc = fight({"Mara": 18, "Vex": 15}, start=False)
    assert "not begun" in refused(enc, "Mara", "attack", target="Vex").reason


@pytest.mark.rule("saga.init.tie.dex")
@pytest.mark.parametrize(("dex", "place"), [(5, ["Mara", "Cy", "Bo"]), (2, ["Mara", "Bo", "Cy"])])
def test_one_whom_the_gm_puts_on_a_count_ranks_there_as_any_other(dex: int, place: list[str]) -> None:
    enc = fight({"Mara": 20, "Bo": 15, "Cy": 10}, Bo={"dex": 3}, Cy={"dex": dex})
    enc.place("Cy", count=15)
    assert order(enc) == place
    assert {rung.combatant: rung.key for rung in enc.order}["Cy"] == (("count", 15), ("dex", dex))
