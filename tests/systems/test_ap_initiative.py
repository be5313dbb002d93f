"""Action points: who acts when."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.ap_table import fight, last, log, to
from tests.systems.table import counts, order, rolled, turns


def why(enc: ck.Encounter, name: str) -> str:
    return next(rung.why for rung in enc.order if rung.combatant == name)


@pytest.mark.rule("ap.init.formula", "ap.init.all-roll")
def test_the_result_is_a_d6_plus_the_initiative_rating() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Mara", side="rebels", initiative_rating=9)
    enc.add("Vex", side="hunters", initiative_rating=7)
    events = enc.start(rolls={"Mara": 5, "Vex": 6})
    assert counts(enc) == [("Mara", 14), ("Vex", 13)]
    rolls = [e for e in events if e.kind == "roll"]
    assert [(e.actor, e.data["notation"], e.data["total"]) for e in rolls] == [
        ("Mara", "1d6+9", 14),
        ("Vex", "1d6+7", 13),
    ]
    assert all("ap.init.formula" in e.rules for e in rolls)


@pytest.mark.rule("ap.init.all-roll")
@pytest.mark.parametrize("face", [0, 7])
def test_a_face_that_a_d6_does_not_have_is_refused(face: int) -> None:
    enc = fight(start=False)
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match="is not on a d6"):
        enc.start(rolls={"Mara": face})
    assert enc.digest == before


@pytest.mark.rule("ap.init.order", "ap.init.once", "ap.round.desc", "ap.turn.next")
def test_one_roll_orders_every_round_from_the_highest_down() -> None:
    enc = fight({"Ilya": 10, "Mara": 14, "Vex": 12})
    assert turns(enc, 7) == ["Mara", "Vex", "Ilya"] * 2 + ["Mara"]
    assert [e.actor for e in log(enc) if e.kind == "roll"] == ["Ilya", "Mara", "Vex"]
    assert enc.clock.round == 3
    assert [e.actor for e in log(enc) if e.kind == "initiative"] == ["Mara", "Vex", "Ilya"]


@pytest.mark.rule("ap.init.tie.ir")
def test_the_higher_rating_breaks_a_tie_first() -> None:
    enc = fight({"Mara": 14, "Vex": 14}, Mara={"initiative_rating": 8}, Vex={"initiative_rating": 11})
    assert counts(enc) == [("Vex", 14), ("Mara", 14)]
    assert why(enc, "Vex") == "Rating 11 over 8 [ap.init.tie.ir]"


@pytest.mark.rule("ap.init.tie.luck")
def test_the_higher_luck_bonus_breaks_it_next() -> None:
    enc = fight({"Vex": 14, "Mara": 14}, Mara={"luck_bonus": 4}, Vex={"luck_bonus": 3})
    assert order(enc) == ["Mara", "Vex"]
    assert why(enc, "Mara") == "Rating 11 each, Luck 4 over 3 [ap.init.tie.luck]"
    assert why(enc, "Vex") == ""
    assert dict(enc.order[0].key) == {"initiative": 14, "rating": 11, "luck": 4}


@pytest.mark.rule("ap.init.tie.order")
def test_a_rating_counts_before_any_luck() -> None:
    lucky, quick = {"initiative_rating": 8, "luck_bonus": 9}, {"initiative_rating": 11, "luck_bonus": 0}
    enc = fight({"Mara": 14, "Vex": 14}, Mara=lucky, Vex=quick)
    assert order(enc) == ["Vex", "Mara"]


@pytest.mark.rule("ap.init.tie.pc")
@pytest.mark.parametrize("luck", [None, 0, -3])
def test_an_npc_without_a_luck_bonus_is_below_every_player(luck: int | None) -> None:
    enc = fight({"Vex": 14, "Mara": 14}, Mara={"luck_bonus": luck}, Vex={"npc": True})
    assert order(enc) == ["Mara", "Vex"]
    assert why(enc, "Mara") == "Rating 11 each, PC over NPC [ap.init.tie.pc]"


@pytest.mark.rule("ap.init.tie.pc", "ap.init.tie.luck")
def test_an_npc_with_a_luck_bonus_is_compared_by_number() -> None:
    enc = fight({"Mara": 14, "Vex": 14}, Mara={"luck_bonus": 2}, Vex={"npc": True, "luck_bonus": 5})
    assert order(enc) == ["Vex", "Mara"]
    assert why(enc, "Vex") == "Rating 11 each, Luck 5 over 2 [ap.init.tie.luck]"
    enc = fight({"Dray": 14, "Vex": 14}, Dray={"npc": True}, Vex={"npc": True, "luck_bonus": -1})
    assert why(enc, "Vex") == "Rating 11 each, Luck \N{MINUS SIGN}1 over none [ap.init.tie.luck]"


@pytest.mark.rule("ap.init.tie.pc")
def test_as_an_option_pcs_beat_npcs_whatever_their_luck() -> None:
    beat = {"pcs_beat_npcs": True}
    enc = fight({"Mara": 14, "Vex": 14}, Mara={"luck_bonus": 2}, Vex={"npc": True, "luck_bonus": 5}, options=beat)
    assert order(enc) == ["Mara", "Vex"]
    assert why(enc, "Mara") == "Rating 11 each, PC over NPC [ap.init.tie.pc]"
    npc = {"npc": True}
    enc = fight({"Dray": 14, "Vex": 14}, Dray={**npc, "luck_bonus": 1}, Vex={**npc, "luck_bonus": 3}, options=beat)
    assert why(enc, "Vex") == "Rating 11 each, Luck 3 over 1 [ap.init.tie.luck]"
    enc = fight({"Dray": 14, "Vex": 14}, Dray=npc, Vex={**npc, "luck_bonus": -1}, options=beat)
    assert why(enc, "Vex") == "Rating 11 each, Luck \N{MINUS SIGN}1 over none [ap.init.tie.luck]", (
        "as without the option"
    )
    with pytest.raises(ck.InvalidInput, match="pcs_beat_npcs"):
        fight(options={"pcs_beat_npcs": "always"})


@pytest.mark.rule("ap.init.tie.further")
def test_what_is_still_tied_keeps_the_order_of_adding_and_says_so() -> None:
    enc = fight({"Mara": 14, "Ilya": 14, "Vex": 12}, Mara={"luck_bonus": 2}, Ilya={"luck_bonus": 2})
    assert order(enc) == ["Mara", "Ilya", "Vex"]
    assert why(enc, "Mara") == "Rating and Luck tied, added first [ap.init.tie.further]"
    logged = last(log(enc), "order")
    assert (logged.actor, logged.rules) == ("Mara", ("ap.init.tie.further",))
    assert logged.text == "is ahead of Ilya: Rating and Luck tied, added first"


@pytest.mark.rule("ap.init.tie.further")
def test_the_gm_settles_what_is_still_tied() -> None:
    enc = fight({"Mara": 14, "Ilya": 14, "Dray": 14}, ties=["Dray", "Mara"])
    assert order(enc) == ["Dray", "Mara", "Ilya"]
    assert why(enc, "Dray") == "Rating and Luck tied, the table decided [ap.init.tie.further]"


@pytest.mark.rule("ap.init.tie.further")
@pytest.mark.parametrize(
    ("stats", "rule"),
    [
        ({"luck_bonus": 2}, "ap.init.tie.luck"),
        ({"initiative_rating": 12}, "ap.init.tie.ir"),
        ({"npc": False}, "ap.init.tie.pc"),
    ],
)
def test_the_gm_settles_nothing_that_rating_or_luck_decides(stats: dict[str, Any], rule: str) -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Ilya", side="rebels", npc=True, initiative_rating=11)
    enc.add("Mara", side="rebels", **{"npc": True, "initiative_rating": 11, **stats})
    before, face = enc.digest, 2 if "initiative_rating" in stats else 3
    with pytest.raises(ck.IllegalAction, match=r"^Ilya can't go ahead of Mara on 14: Rating ") as no:
        enc.start(rolls={"Ilya": 3, "Mara": face}, ties=["Ilya", "Mara"])
    assert (no.value.ruling.rule, enc.digest) == (rule, before)


@pytest.mark.rule("ap.init.tie.further")
def test_contested_luck_rolls_are_typed_in_and_contested_again_while_tied() -> None:
    rolls = {"Mara": [3, 40, 22], "Ilya": [3, 71], "Dray": [3, 40, 60]}
    enc = fight({"Mara": 14, "Ilya": 14, "Dray": 14}, rolls=rolls)
    assert order(enc) == ["Ilya", "Dray", "Mara"]
    assert why(enc, "Ilya") == "Rating and Luck tied, Luck roll 71 over 40 [ap.init.tie.further]"
    assert why(enc, "Dray") == "Rating and Luck tied, Luck roll 60 over 22 [ap.init.tie.further]"
    assert rolled(log(enc), "tie") == [
        ("Mara", [40]), ("Ilya", [71]), ("Dray", [40]), ("Mara", [22]), ("Dray", [60]),
    ]  # fmt: skip


@pytest.mark.rule("ap.init.tie.further")
def test_a_luck_roll_for_one_of_two_is_refused() -> None:
    enc = fight({"Mara": 14, "Ilya": 14}, start=False)
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match="Ilya has no Luck roll; give one for each of Mara, Ilya, or none"):
        enc.start(rolls={"Mara": [3, 40], "Ilya": [3]})
    assert enc.digest == before


@pytest.mark.rule("ap.init.gm-rolls")
def test_the_gm_rolls_for_npcs() -> None:
    enc = fight({"Mara": 14, "Vex": 12}, Vex={"npc": True})
    by = {e.actor: (e.by, "ap.init.gm-rolls" in e.rules) for e in log(enc) if e.kind == "roll"}
    assert by == {"Mara": ("player", False), "Vex": ("gm", True)}


@pytest.mark.rule("ap.init.group-roll")
@pytest.mark.parametrize("rolls", [{"Guard": [4]}, {"Guard": 4}, {"Guard 1": [4]}])
def test_similar_npcs_share_one_roll(rolls: dict[str, list[int]]) -> None:
    enc = fight({"Mara": 14}, start=False)
    enc.add("Guard", side="hunters", count=3, npc=True, initiative_rating=7)
    enc.start(rolls={"Mara": [3], **rolls})
    assert counts(enc) == [("Mara", 14), ("Guard 1", 11), ("Guard 2", 11), ("Guard 3", 11)]
    assert rolled(log(enc), "initiative") == [("Mara", [3]), ("Guard 1", [4])]
    assert last(log(enc), "roll").data["group"] == "Guard"
    assert why(enc, "Guard 1") == "one roll for the group, added first [ap.init.group-roll]"


@pytest.mark.rule("ap.init.group-roll")
def test_a_group_named_by_hand_shares_its_die_and_each_adds_its_own_rating() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Vex", side="hunters", npc=True, group="watch", initiative_rating=6)
    enc.add("Dray", side="hunters", npc=True, group="watch", initiative_rating=8)
    enc.add("Ossik", side="hunters", npc=True, initiative_rating=8)
    enc.start(rolls={"watch": [2], "Ossik": [5]})
    assert counts(enc) == [("Ossik", 13), ("Dray", 10), ("Vex", 8)]


@pytest.mark.rule("ap.init.group-roll")
def test_player_characters_roll_each_for_itself() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Twin", side="rebels", count=2, initiative_rating=7)
    enc.start(rolls={"Twin 1": 2, "Twin 2": 6})
    assert counts(enc) == [("Twin 2", 13), ("Twin 1", 9)]


@pytest.mark.rule("ap.init.group-roll", "ap.init.tie.further")
def test_a_group_contests_as_one_and_keeps_its_order() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Guard", side="hunters", count=2, npc=True, initiative_rating=7)
    enc.add("Vex", side="hunters", npc=True, initiative_rating=7)
    enc.start(rolls={"Guard": [4, 30], "Vex": [4, 50]})
    assert order(enc) == ["Vex", "Guard 1", "Guard 2"]
    assert rolled(log(enc), "tie") == [("Guard 1", [30]), ("Vex", [50])]


@pytest.mark.rule("ap.init.newcomer")
def test_a_newcomer_rolls_and_acts_this_round_if_its_place_is_still_to_come() -> None:
    enc = fight({"Mara": 14, "Vex": 12, "Ilya": 10})
    to(enc, "Vex")
    events = enc.join("Ossik", side="hunters", initiative_rating=6, rolls={"Ossik": 5})
    assert counts(enc) == [("Mara", 14), ("Vex", 12), ("Ossik", 11), ("Ilya", 10)]
    assert "ap.init.newcomer" in last(events, "initiative").rules
    assert enc.budget("Ossik")["ap"].left == 3
    assert turns(enc, 6) == ["Vex", "Ossik", "Ilya", "Mara", "Vex", "Ossik"]


@pytest.mark.rule("ap.init.newcomer")
def test_a_newcomer_whose_place_has_passed_waits_for_the_next_round() -> None:
    enc = fight({"Mara": 14, "Vex": 12, "Ilya": 10})
    to(enc, "Ilya")
    enc.join("Ossik", side="hunters", initiative_rating=8, rolls={"Ossik": 5})
    assert order(enc) == ["Mara", "Ossik", "Vex", "Ilya"]
    assert turns(enc, 4) == ["Ilya", "Mara", "Ossik", "Vex"]


@pytest.mark.rule("ap.init.newcomer", "ap.init.tie.further")
def test_a_newcomer_who_ties_comes_after_unless_the_table_says_otherwise() -> None:
    enc = fight({"Mara": 14, "Ilya": 10})
    enc.join("Nix", side="rebels", initiative_rating=7, rolls={"Nix": 3})
    assert order(enc) == ["Mara", "Ilya", "Nix"]
    enc.join("Oru", side="rebels", initiative_rating=7, rolls={"Oru": 3}, ties=["Oru", "Ilya", "Nix"])
    assert order(enc) == ["Mara", "Oru", "Ilya", "Nix"]
    enc.join("Pim", side="rebels", initiative_rating=7, rolls={"Pim": [3, 9], "Oru": 8, "Ilya": 7, "Nix": 6})
    assert order(enc) == ["Mara", "Pim", "Oru", "Ilya", "Nix"]


def held(ties: list[str] | None = None, **faces: list[int]) -> ck.Encounter:
    """Give Ada and Bo on 5, Rating 2, in the order that a word or Luck rolls gave them."""
    enc = ck.Encounter("ap", seed=7)
    for name in ("Ada", "Bo"):
        enc.add(name, side="x", initiative_rating=2)
    enc.start(rolls={name: [3, *faces.get(name, [])] for name in ("Ada", "Bo")}, ties=ties)
    return enc


def decided(enc: ck.Encounter) -> list[tuple[str, tuple[object, ...]]]:
    """Give who is tied, top first, with what decided for it."""
    return [(rung.combatant, tuple(n for _, n in rung.key[3:])) for rung in enc.order]


@pytest.mark.rule("ap.init.newcomer", "ap.init.tie.further")
def test_a_word_about_all_the_tied_orders_those_who_hold_places_too() -> None:
    enc = held()
    enc.join("Nix", side="y", initiative_rating=2, rolls={"Nix": 3}, ties=["Bo", "Nix", "Ada"])
    assert decided(enc) == [("Bo", (1,)), ("Nix", (2,)), ("Ada", (3,))]
    said = "Rating and Luck tied, the table decided [ap.init.tie.further]"
    assert [why(enc, name) for name in ("Bo", "Nix", "Ada")] == [said, said, ""]
    enc.join("Oru", side="y", initiative_rating=2, rolls={"Oru": 3}, ties=["Ada", "Oru", "Bo", "Nix"])
    assert decided(enc) == [("Ada", (1,)), ("Oru", (2,)), ("Bo", (3,)), ("Nix", (4,))]


@pytest.mark.rule("ap.init.newcomer", "ap.init.tie.further")
def test_those_who_rolled_for_luck_keep_their_roll_and_only_the_newcomer_makes_one() -> None:
    enc = held(Ada=[80], Bo=[40])
    events = enc.join("Nix", side="y", initiative_rating=2, rolls={"Nix": [3, 60]})
    assert rolled(events, "tie") == [("Nix", [60])]
    assert decided(enc) == [("Ada", (80,)), ("Nix", (60,)), ("Bo", (40,))]
    assert why(enc, "Ada") == "Rating and Luck tied, Luck roll 80 over 60 [ap.init.tie.further]"
    assert why(enc, "Nix") == "Rating and Luck tied, Luck roll 60 over 40 [ap.init.tie.further]"


@pytest.mark.rule("ap.init.tie.further")
def test_a_luck_roll_for_one_who_has_made_its_own_is_refused() -> None:
    enc = held(Ada=[80], Bo=[40])
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=r"this call takes no dice for Ada, but \[10\] is given"):
        enc.join("Nix", side="y", initiative_rating=2, rolls={"Nix": [3, 60], "Ada": [10], "Bo": [70]})
    assert enc.digest == before


@pytest.mark.rule("ap.init.newcomer", "ap.init.tie.further")
def test_those_still_tied_with_a_newcomer_roll_on() -> None:
    enc = held(Ada=[80], Bo=[40])
    events = enc.join("Nix", side="y", initiative_rating=2, rolls={"Nix": [3, 80, 12], "Ada": [31]})
    assert rolled(events, "tie") == [("Nix", [80]), ("Ada", [31]), ("Nix", [12])]
    assert decided(enc) == [("Ada", (80, 31)), ("Nix", (80, 12)), ("Bo", (40,))]
    enc.join("Oru", side="y", initiative_rating=2, rolls={"Oru": [3, 80]})
    assert decided(enc)[:3] == [("Ada", (80, 31)), ("Nix", (80, 12)), ("Oru", (80,))]
    assert why(enc, "Nix") == "Rating and Luck tied, no further Luck roll for Oru [ap.init.tie.further]"


@pytest.mark.rule("ap.init.newcomer", "ap.init.tie.further")
def test_a_newcomer_without_a_luck_roll_comes_after_those_who_made_one() -> None:
    enc = held(Ada=[40], Bo=[80])
    for name in ("Nix", "Oru"):
        enc.join(name, side="y", initiative_rating=2, rolls={name: 3})
    assert decided(enc) == [("Bo", (80,)), ("Ada", (40,)), ("Nix", ()), ("Oru", ())]
    assert why(enc, "Ada") == "Rating and Luck tied, no Luck roll for Nix [ap.init.tie.further]"
    assert why(enc, "Nix") == "Rating and Luck tied, added first [ap.init.tie.further]"
    enc.join("Pim", side="y", initiative_rating=2, rolls={"Pim": [3, 60]})
    assert decided(enc)[:3] == [("Bo", (80,)), ("Pim", (60,)), ("Ada", (40,))], "who made no roll then makes none now"


@pytest.mark.rule("ap.init.newcomer", "ap.init.tie.further")
def test_a_newcomer_comes_after_those_the_table_named() -> None:
    enc = held(ties=["Bo", "Ada"])
    enc.join("Nix", side="y", initiative_rating=2, rolls={"Nix": 3})
    assert decided(enc) == [("Bo", (1,)), ("Ada", (2,)), ("Nix", ())]
    assert why(enc, "Ada") == "Rating and Luck tied, the table didn't name Nix [ap.init.tie.further]"
    with pytest.raises(ck.InvalidInput, match="Bo has no Luck roll; give one for each of Bo, Ada, Nix, Oru, or none"):
        enc.join("Oru", side="y", initiative_rating=2, rolls={"Oru": [3, 60]})


@pytest.mark.rule("ap.init.tie.further")
def test_a_word_about_some_changes_no_order_that_was_decided_before() -> None:
    enc = held(Ada=[80], Bo=[40])
    with pytest.raises(ck.InvalidInput, match="ties: Ada, Bo and Nix are tied; name them all, not only Bo and Nix"):
        enc.join("Nix", side="y", initiative_rating=2, rolls={"Nix": 3}, ties=["Bo", "Nix"])
    open_still = held()
    open_still.join("Nix", side="y", initiative_rating=2, rolls={"Nix": 3}, ties=["Nix"])
    assert decided(open_still) == [("Nix", (1,)), ("Ada", ()), ("Bo", ())]
    open_still.join("Oru", side="y", initiative_rating=9, rolls={"Oru": 3}, ties=["Oru"])
    assert decided(open_still)[0] == ("Oru", ()), "with nobody tied a word decides nothing"


@pytest.mark.rule("ap.init.tie.further")
def test_who_was_placed_beside_one_of_the_tied_goes_with_it() -> None:
    enc = held()
    for name, rating in (("Nix", 1), ("Oru", 0), ("Qi", -1)):
        enc.join(name, side="y", initiative_rating=rating, rolls={name: 3})
    enc.place("Nix", before="Bo")
    enc.place("Oru", after="Bo")
    enc.place("Qi", before="Oru")
    assert order(enc) == ["Ada", "Nix", "Bo", "Qi", "Oru"]
    enc.join("Pim", side="y", initiative_rating=2, rolls={"Pim": [3, 50], "Ada": [10], "Bo": [90]})
    assert order(enc) == ["Nix", "Bo", "Qi", "Oru", "Pim", "Ada"]
    assert why(enc, "Nix") == "placed just before Bo"
    assert why(enc, "Bo") == "Rating and Luck tied, Luck roll 90 over 50 [ap.init.tie.further]"


@pytest.mark.rule("ap.init.group-roll", "ap.init.tie.further")
def test_a_group_that_rolled_for_luck_keeps_its_roll_as_one() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Guard", side="hunters", count=2, npc=True, initiative_rating=7)
    enc.add("Vex", side="hunters", npc=True, initiative_rating=7)
    enc.start(rolls={"Guard": [4, 30], "Vex": [4, 50]})
    enc.join("Wolf", side="hunters", npc=True, count=2, initiative_rating=7, rolls={"Wolf": [4, 40]})
    assert order(enc) == ["Vex", "Wolf 1", "Wolf 2", "Guard 1", "Guard 2"]
    assert why(enc, "Wolf 2") == "Rating and Luck tied, Luck roll 40 over 30 [ap.init.tie.further]"


@pytest.mark.rule("ap.init.newcomer")
def test_a_newcomer_draws_its_die_from_the_seed_if_none_is_thrown() -> None:
    enc = fight({"Mara": 14, "Vex": 12})
    other = fight({"Mara": 14, "Vex": 12})
    for each in (enc, other):
        each.join("Ossik", side="hunters", initiative_rating=6)
    assert counts(enc) == counts(other)
    assert 7 <= dict(counts(enc))["Ossik"] <= 12


@pytest.mark.rule("ap.init.group-roll")
def test_whoever_came_first_rolls_with_those_named_after_them() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Bandit", side="foes", npc=True, initiative_rating=5)
    enc.add("Bandit 2", side="foes", npc=True, group="Bandit", initiative_rating=5)
    enc.add("Mara", side="party", initiative_rating=5)
    enc.start(rolls={"Bandit": 4, "Mara": 6})
    rolls = enc.history.rolls.filter(purpose="initiative")
    assert rolls["actor"].to_list() == ["Bandit", "Mara"], "one die for both"
    assert [(rung.combatant, rung.initiative) for rung in enc.order] == [("Mara", 11), ("Bandit", 9), ("Bandit 2", 9)]


def test_a_group_of_one_is_not_said_to_be_many() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Bandit", side="foes", npc=True, group="Bandits")
    enc.start(rolls={"Bandit": 4})
    assert "rolls 4 for initiative" in [event.text for event in enc._events]
