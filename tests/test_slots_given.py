"""The GM gives a slot or points back, grants more, or takes what is left; the log and the frames know it."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.core.timeline import fold

SLOTS = {
    "saga": ("standard", "attack", "a standard action"),
    "d6": ("action", "attack", "an Action"),
    "ap": ("ap", "attack", "an Action Point"),
    "segments": ("major", "attack", "a major action"),
    "phases": ("attack", "block", "an attack action"),
}
"""A slot of each system, an action that takes it, and what one of it is called."""


def fight(system: str) -> ck.Encounter:
    """Ada's turn; in segments, in HIGH."""
    enc = ck.Encounter(system, seed=3)
    first: dict[str, Any] = {"combat_value": 9} if system == "phases" else {"dex": 9} if system == "saga" else {}
    enc.add("Ada", side="red", **first)
    enc.add("Bo", side="blue")
    enc.start(ties=["Ada", "Bo"] if system == "d6" else None)
    if system == "segments":
        enc.end_turn(rolls={"red": [6], "blue": [1]})
    while enc.active != "Ada":
        enc.end_turn()
    return enc


def spend(enc: ck.Encounter) -> str:
    """Let Ada do what takes the slot, and name the slot."""
    slot, action, _ = SLOTS[enc.ruleset.id]
    aim: dict[str, Any] = {"target": "Bo"} if action == "attack" else {}
    enc.do("Ada", action, **aim)
    while enc.pending:
        enc.resolve(answer="nobody" if enc.pending[0].who == "GM" else None)
    return slot


def budget_row(enc: ck.Encounter, slot: str) -> tuple[int, int]:
    """Give total and spent of Ada's newest budget of a slot."""
    return enc.history.budgets.filter(combatant="Ada", slot=slot).select("total", "spent").rows()[-1]


@pytest.mark.parametrize("system", SLOTS)
def test_what_is_granted_comes_on_top_of_what_was_spent(system: str) -> None:
    enc = fight(system)
    slot = spend(enc)
    had = enc.budget("Ada")[slot]
    (grant,) = enc.adjust("Ada", slot, 1, note="a hero point")
    assert (grant.by, grant.target, grant.amount, grant.note) == ("gm", "Ada", 1, "a hero point")
    assert grant.text == f"gains {SLOTS[system][2]}, {had.left + 1} left"
    assert (enc.budget("Ada")[slot].total, enc.budget("Ada")[slot].left) == (had.total + 1, had.left + 1)
    assert budget_row(enc, slot) == (had.total + 1, had.total - had.left)
    enc.adjust("Ada", slot, 2)
    now = enc.budget("Ada")[slot]
    assert (now.total, now.left) == (had.total + 3, had.left + 3)
    assert budget_row(enc, slot) == (now.total, now.total - now.left)
    row = enc.history.rounds.filter(combatant="Ada").row(-1, named=True)
    budgets = enc.history.budgets.filter(combatant="Ada", round=row["round"])
    assert (row["budget_total"], row["budget_spent"]) == (budgets["total"].sum(), budgets["spent"].sum())
    assert "a hero point" in str(enc.log())
    assert f"gains {SLOTS[system][2]}" in str(enc.log())
    assert fold(enc._events) == enc._state
    enc.undo()
    enc.undo()
    assert enc.budget("Ada")[slot] == had
    assert budget_row(enc, slot) == (had.total, had.total - had.left)


@pytest.mark.parametrize("system", SLOTS)
def test_what_is_left_is_taken_and_no_more(system: str) -> None:
    enc = fight(system)
    slot, action, _ = SLOTS[system]
    total = enc.budget("Ada")[slot].total
    (loss,) = enc.adjust("Ada", slot, -total - 5)
    assert (loss.amount, enc.budget("Ada")[slot].left) == (-total, 0)
    assert not next(option for option in enc.options("Ada") if option.action == action).allowed
    assert budget_row(enc, slot)[1] == 0, "nobody has spent it"


def test_a_loss_gives_nothing_back_of_what_was_spent() -> None:
    enc = fight("ap")
    spend(enc)
    had = enc.budget("Ada")["ap"]
    assert 1 < had.left < had.total
    enc.adjust("Ada", "ap", -1)
    now = enc.budget("Ada")["ap"]
    assert (now.total, now.left) == (had.total - 1, had.left - 1)


def test_points_granted_can_be_spent_off_turn_too() -> None:
    enc = fight("ap")
    enc.adjust(["Ada", "Bo"], "ap", 2)
    most = enc.budget("Bo")["ap"].left
    for threat in range(most):
        enc.do("Bo", "evade", trigger=f"arrow {threat}")
    assert enc.budget("Bo")["ap"].left == 0


def test_a_slot_of_a_turn_that_was_not_yet_is_granted_all_the_same() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="a", dex=9)
    enc.add("Bo", side="b")
    enc.start(rolls={"Ada": 20, "Bo": 1})
    enc.adjust("Bo", "standard", 1)
    assert enc.budget("Bo")["standard"].left == 1
    assert budget_row(enc, "standard") == (1, 0)
    enc.end_turn()
    assert enc.budget("Bo")["standard"].total == 1


def test_a_gain_in_the_surprise_round_can_be_spent() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="a", dex=9)
    enc.add("Bo", side="b")
    enc.start(surprised=["Bo"], rolls={"Ada": 20, "Bo": 1})
    enc.do("Ada", "attack", target="Bo")
    assert not enc.can("Ada", "attack", target="Bo").allowed
    enc.adjust("Ada", "standard", 1)
    enc.do("Ada", "attack", target="Bo")


@pytest.mark.parametrize(
    ("slot", "by", "words"),
    [
        ("standrad", 1, "did you mean 'standard'"),
        ("standard", 5000, "would come to 5,001; the most is 1,000"),
        ("standard", "1", "whole number"),
    ],
)
def test_what_cannot_be_is_refused(slot: str, by: Any, words: str) -> None:
    enc = fight("saga")
    before = enc.digest
    with pytest.raises(ck.CombatkitError, match=words):
        enc.adjust("Ada", slot, by)
    assert enc.digest == before


def test_a_slot_without_a_limit_has_nothing_to_give() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ace", side="a", combat_value=9, combat_reflexes=True)
    enc.add("Crow", side="b")
    enc.start()
    with pytest.raises(ck.InvalidInput, match="Opportunity has no limit for Ace"):
        enc.adjust("Ace", "aoo", 1)


def test_before_the_fight_there_are_no_slots_yet() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="a", hp=5)
    with pytest.raises(ck.IllegalAction, match="not begun"):
        enc.adjust("Ada", "standard", 1)
    enc.adjust("Ada", "hp", -1)


def test_the_message_takes_a_slot_too() -> None:
    enc = fight("saga")
    tracker = ck.Tracker(enc)
    tracker._handle_custom_msg({"kind": "adjust", "names": "Ada", "vital": "standard", "by": 1}, [])
    assert enc.budget("Ada")["standard"].left == 2


@pytest.mark.parametrize("system", SLOTS)
def test_what_the_gm_allows_beyond_what_is_left_leaves_nothing_and_owes_nothing(system: str) -> None:
    enc = fight(system)
    slot, action, _ = SLOTS[system]
    enc.adjust("Ada", slot, -enc.budget("Ada")[slot].left)
    aim: dict[str, Any] = {"target": "Bo"} if action == "attack" else {}
    event, *_ = enc.do("Ada", action, override=True, **aim)
    assert slot not in event.data.get("paid", {})
    assert enc.budget("Ada")[slot].left == 0


@pytest.mark.parametrize("system", ["saga", "d6"])
def test_of_a_slot_not_yet_given_nothing_is_taken(system: str) -> None:
    enc = fight(system)
    enc.join("Zed", side="blue")
    (event,) = enc.adjust("Zed", SLOTS[system][0], -1)
    assert event.amount == 0
    assert "raised" not in event.data


def test_a_move_granted_after_a_move_leaves_no_whole_turn() -> None:
    enc = fight("saga")
    enc.do("Ada", "move")
    enc.adjust("Ada", "move", 1)
    assert (enc.budget("Ada")["move"].total, enc.budget("Ada")["move"].left) == (2, 1)
    assert not enc.can("Ada", "full_attack", target="Bo").allowed


@pytest.mark.parametrize("how", ["dead", "down", "unconscious"])
@pytest.mark.parametrize("system", SLOTS)
def test_whoever_lies_there_has_nothing_to_spend_and_threatens_nobody(system: str, how: str) -> None:
    enc = fight(system)
    if system != "d6":
        enc.place("Bo", at=(1, 1))
    had = enc.budget("Bo"), enc["Bo"].threatens, sums(enc)
    enc.condition("Bo", how)
    assert {(slot.total, slot.left) for slot in enc.budget("Bo").slots} == {(0, 0)}
    assert enc["Bo"].threatens == frozenset()
    assert sums(enc) == (0, 0)
    enc.condition("Bo", how, off=True)
    assert (enc.budget("Bo"), enc["Bo"].threatens, sums(enc)) == had
    enc.condition("Bo", how)
    round = enc.clock.round
    while enc.clock.round == round:
        enc.end_turn()
    assert sums(enc) == (0, 0)


def sums(enc: ck.Encounter) -> tuple[int, int]:
    """Give what Bo has and has spent in the newest round, which both frames say."""
    row = enc.history.rounds.filter(combatant="Bo").row(-1, named=True)
    budgets = enc.history.budgets.filter(combatant="Bo", round=row["round"])
    if enc.ruleset.id != "d6":  # where a cap says how much of it can be spent
        assert (row["budget_total"], row["budget_spent"]) == (budgets["total"].sum(), budgets["spent"].sum())
    return row["budget_total"], row["budget_spent"]


@pytest.mark.parametrize("system", SLOTS)
def test_rounds_that_are_skipped_count_as_turns_not_taken(system: str) -> None:
    enc = fight(system)
    enc.next_round()
    enc.condition("Bo", "hexed", until="2 rounds")
    enc.next_round()
    assert [each.until for each in enc["Bo"].conditions] == ([] if system == "phases" else ["1 round"])
    enc.next_round()
    assert enc["Bo"].conditions == ()


def ritual() -> ck.Encounter:
    """Ada has begun a ritual she can do once: 3 of its 5 points are paid."""
    enc = ck.Encounter("ap", seed=1)
    enc.add_table("actions", [{"id": "ritual", "title": "Ritual", "type": "primary", "cost": 5}])
    enc.add("Ada", side="h", initiative_rating=9, hp=10, uses={"ritual": 1})
    enc.add("Orc", side="f", npc=True)
    enc.start(rolls={"Ada": 4, "Orc": 4})
    enc.do("Ada", "ritual")
    return enc


@pytest.mark.parametrize("how", ["damage", "down", "unconscious", "dead"])
def test_progress_is_lost_however_its_owner_falls_and_no_use_with_it(how: str) -> None:
    enc = ritual()
    enc.leave("Ada"), enc.join("Ada")
    assert (enc["Ada"].values["uses"], enc["Ada"].progress) == ({"ritual": 1}, {"ritual": ck.Progress(3, 5)})
    events = enc.damage("Ada", 10) if how == "damage" else enc.condition("Ada", how)
    (lapse,) = [event for event in events if event.kind == "progress"]
    assert (enc["Ada"].progress, enc["Ada"].values["uses"]) == ({}, {"ritual": 1})
    assert "ap.multi.resolve-reactions-first" not in lapse.rules


def test_a_counted_use_is_spent_as_the_work_is_finished() -> None:
    enc = ritual()
    enc.end_turn(), enc.end_turn()
    enc.do("Ada", "ritual")
    assert (enc["Ada"].values["uses"], enc["Ada"].progress) == ({"ritual": 0}, {})


def test_a_granted_use_is_told_in_words() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ace", side="h", combat_value=9, ocv=5, dcv=5, uses={"presence_attack": 1})
    enc.start()
    assert enc.adjust("Ace", "presence_attack", 1)[0].text == "gains a use of presence attack, 2 left"


@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_what_only_follows_from_the_slots_is_not_given(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    enc.add("Mara", side="rebels")
    enc.add("Vex", side="empire")
    enc.start()
    slots, before = enc.ruleset.slots.ids(), enc.digest
    for pool in {id for fighter in enc._state.fighters.values() for id in fighter.pools if id not in slots} | {"mana"}:
        with pytest.raises(ck.UnknownName, match=f"{system} has no vital or slot '{pool}': give one of "):
            enc.adjust("Mara", pool, 1)
    assert enc.digest == before
