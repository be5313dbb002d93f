"""Moving on by the GM's word, and dice that nobody throws."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import combatkit as ck
from combatkit.core.faces import NO_FACES


def lost(events: tuple[ck.Event, ...]) -> list[str | None]:
    return [event.actor for event in events if event.kind == "turn_lost"]


def test_the_next_round_logs_who_misses_each_of_its_phases() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ada", side="a", combat_value=9)
    enc.add("Bo", side="b", combat_value=5)
    enc.start()
    enc.end_turn()
    enc.do("Bo", "strike", target="Ada", outcome="miss")
    enc.end_turn()
    assert enc.clock.phase == 2
    assert lost(enc.next_round()) == ["Bo", "Ada", "Bo", "Ada", "Bo"]  # Ada's turn of phase 2 was begun and ends
    assert enc.clock.label == "Turn 2 · Phase 1"


def test_the_next_round_logs_nobody_twice_where_a_round_is_one_occasion() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Ada", side="a")
    enc.add("Bo", side="b")
    enc.start()
    assert sorted(str(name) for name in lost(enc.next_round())) == ["Ada", "Bo"]


@pytest.mark.parametrize(
    ("system", "npc", "rolls"),
    [
        ("segments", False, {"a": [6], "b": [1]}),  # group dice go with the call that closes step 1
        ("segments", False, [3]),
        ("segments", False, {"Ada": [6]}),
        ("d6", True, {"a": [6]}),  # NPCs add 3 or 6
        ("d6", True, {"Ada": [6]}),
        ("phases", False, [10]),  # nobody throws unless there is a tie
    ],
)
def test_dice_that_no_one_throws_at_the_start_are_refused_and_not_lost(
    system: str, npc: bool, rolls: dict[str, list[int]]
) -> None:
    enc = ck.Encounter(system, seed=1)
    quick: dict[str, Any] = {"combat_value": 9} if system == "phases" else {}
    enc.add("Ada", side="a", npc=npc, **quick)
    enc.add("Bo", side="b", npc=npc)
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match="this call takes no dice"):
        enc.start(rolls=rolls)
    assert enc.digest == before


def test_a_die_for_a_tie_that_is_none_is_refused_and_may_be_left_out() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ada", side="a", combat_value=5)
    enc.add("Bo", side="b", combat_value=4)
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=r"this call takes no dice for Ada, but \[3\] is given"):
        enc.start(rolls={"Ada": [3], "Bo": [4]})
    assert enc.digest == before
    enc.start()
    assert enc.history.rolls.is_empty()


def test_a_die_for_one_who_is_surprised_is_refused_as_they_roll_none() -> None:
    enc = ck.Encounter("ap", seed=1)
    enc.add("Ada", side="a", initiative_rating=2)
    enc.add("Bo", side="b", initiative_rating=2)
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=r"this call takes no dice for Bo, but \[4\] is given.*dice for: Ada"):
        enc.start(surprised=["Bo"], rolls={"Ada": 3, "Bo": 4})
    assert enc.digest == before
    enc.start(surprised=["Bo"], rolls={"Ada": 3})
    assert [(rung.combatant, rung.initiative) for rung in enc.order] == [("Ada", 5), ("Bo", 2)]


def test_a_word_given_for_an_attack_is_the_table_s_and_logged_as_such() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="a", attack_bonus=0)
    enc.add("Bo", side="b", defense=20)
    enc.start(rolls={"Ada": 20, "Bo": 1})
    (attack,) = [e for e in enc.do("Ada", "attack", target="Bo", outcome="hit", rolls=[2]) if e.kind == "attack"]
    assert (attack.text, attack.by) == ("rolls 2 against 20: hit", "gm")


def test_of_a_vital_that_nobody_has_stated_nothing_is_left() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="a")
    enc.add("Bo", side="b")
    enc.start(rolls={"Ada": 20, "Bo": 1})
    events = enc.do("Ada", "attack", target="Bo", outcome="hit", damage=3)
    assert [event.text for event in events if event.kind == "damage"] == ["loses 3"]
    assert enc["Bo"].values.get("hp") is None
    last = enc.history.rounds.row(by_predicate=pl.col("combatant") == "Bo", named=True)
    assert (last["damage_taken"], last["vital_end"]) == (3, None)


def test_an_offer_rests_on_the_rule_of_what_is_offered() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="a")
    enc.add("Bo", side="b")
    enc.start(rolls={"Ada": 20, "Bo": 1})
    enc.trigger("Ada", offers=["talent_reaction"], text="a shot")
    assert [(offer.who, offer.rule) for offer in enc.pending] == [("Bo", "saga.react.ex.talents")]


def test_what_is_offered_may_be_bought_in_another_way() -> None:
    enc = ck.Encounter("ap", seed=1)
    enc.add("Ada", side="a", initiative_rating=9, ap=1, style_advantages=["Bash"])
    enc.add("Bo", side="b")
    enc.start(rolls={"Ada": 6, "Bo": 1})
    enc.do("Ada", "aim")
    (bash,) = [option for option in enc.options("Ada") if option.action == "bash"]
    assert (bash.allowed, bash.rule) == (False, "ap.act.no-debt")
    enc.condition("Ada", "advantage")
    (bash,) = [option for option in enc.options("Ada") if option.action == "bash"]
    assert bash.allowed
    assert "pay" in bash.needs
    assert {c.value: c.ruling.allowed for c in enc.choices("Ada", "bash") if c.param == "pay"} == {
        "ap": False,
        "advantage": True,
    }


def test_a_declaration_is_no_reaction() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Ada", side="a")
    enc.add("Bo", side="b")
    enc.start()
    enc.do("Ada", "declare", action="attack")
    assert enc.history.rounds["reactions"].to_list() == [0, 0]


class Drawn(str):
    """Text as a draw from an array gives it: not quite Python's own."""

    __slots__ = ()


def test_drawn_text_is_kept_as_text() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="a", hp=9)
    enc.add("Bo", side="b", hp=9, at=Drawn("the bridge"))
    enc.start(rolls={"Ada": 20, "Bo": 1})
    enc.do("Ada", "attack", target=Drawn("Bo"), weapon=Drawn("axe"), outcome=Drawn("hit"), damage=Drawn("1d6"))
    enc.adjust(Drawn("Bo"), Drawn("hp"), by=-1)
    enc.place("Bo", at=Drawn("the stairs"))
    assert enc.digest
    assert enc["Bo"].position == "the stairs"
    assert type(enc["Bo"].position) is str


def test_a_slot_nobody_has_is_named_with_the_nearest() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="a")
    with pytest.raises(ck.UnknownName, match="'standard'"):
        enc.budget("Ada")["standrd"]


def test_a_number_of_thousands_of_digits_is_refused_like_any() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="a", hp=9)
    with pytest.raises(ck.InvalidInput, match="too large to show"):
        enc.adjust("Ada", by=10**5000)


def test_a_table_that_is_no_text_says_so(tmp_path: Path) -> None:
    path = tmp_path / "speeds.toml"
    path.write_bytes(b'[[weapon_speeds]]\nid = "axe\xff"\nspeed = 7\n')
    enc = ck.Encounter("segments", seed=1)
    for source, words in (
        (path, r"speeds.toml cannot be read: byte \d+ of it is not text in UTF-8"),
        (tmp_path / "none.toml", "none.toml cannot be read"),
        ("\0", "is not a path"),
    ):
        with pytest.raises(ck.InvalidInput, match=words):
            enc.add_table("weapon_speeds", source)


@pytest.mark.parametrize("segment", [0, 11])
def test_nothing_happens_in_a_segment_there_is_not(segment: int) -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Ada", side="a")
    enc.add("Bo", side="b")
    enc.start()
    with pytest.raises(ck.InvalidInput, match="a round has 1 to 10"):
        enc.trigger("Ada", segment=segment)


@pytest.mark.parametrize("segment", ["noon", 2.5])
def test_a_segment_is_a_number(segment: Any) -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Ada", side="a")
    enc.add("Bo", side="b")
    enc.start()
    with pytest.raises(ck.InvalidInput, match=f"segment is {segment!r}; give a whole number"):
        enc.trigger("Ada", segment=segment)


def test_a_call_without_faces_notes_nothing_for_the_next() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="a", attack_bonus=1)
    enc.add("Bo", side="b")
    enc.start()
    enc.join("Cy", side="b")
    assert (NO_FACES.asked, NO_FACES.left(), NO_FACES.firm) == (set(), {}, False)


@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_who_is_gone_does_nothing_more_even_by_the_gm_s_word(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    for name in ("Ada", "Bo", "Cy"):
        enc.add(name, side=name[0])
    enc.start()
    enc.condition("Bo", "dead")
    enc.leave("Bo")
    before = enc.digest
    for option in enc.options("Bo"):
        needs = {"target": "Ada"} if "target" in option.needs else {}
        assert not option.allowed
        with pytest.raises(ck.IllegalAction, match="Bo has left the fight"):
            enc.do("Bo", option.action, override=True, **needs)
    assert enc.digest == before
