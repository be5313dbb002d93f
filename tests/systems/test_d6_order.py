"""D6: rounds, initiative, ties, the shift."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from tests.systems.d6_table import cites, fight, kinds, npc, only, pc
from tests.systems.table import counts, left, order, refused, rolled, to_round, turns


@pytest.mark.rule("d6.round.scope")
def test_a_round_gives_everybody_one_turn_with_room_for_one_or_two_moments() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7), "Ossik": pc(5)})
    assert turns(enc, 6) == ["Mara", "Vex", "Ossik"] * 2
    assert enc.clock.round == 3
    assert enc.budget("Mara")["cap"].total == 2
    assert "chases" in ck.ruleset("d6").rules["d6.round.scope"].text


@pytest.mark.rule("d6.round.elastic")
def test_the_clock_has_rounds_and_no_seconds() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    assert enc.clock == ck.Clock(1, seconds=None, label="Round 1")
    turns(enc, 2)
    assert enc.clock == ck.Clock(2, seconds=None, label="Round 2")


@pytest.mark.rule("d6.init.desc")
def test_turns_come_in_descending_order_of_score() -> None:
    enc = fight({"Vex": npc(4), "Mara": pc(9), "Ossik": pc(6), "Dray": npc(12)})
    assert counts(enc) == [("Dray", 12), ("Mara", 9), ("Ossik", 6), ("Vex", 4)]
    assert turns(enc, 4) == ["Dray", "Mara", "Ossik", "Vex"]
    assert refused(enc, "Vex", "move").rule == "d6.init.desc"


@pytest.mark.rule("d6.init.declare-and-resolve")
def test_what_is_declared_is_resolved_before_the_next_has_a_turn() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    events = enc.do("Mara", "attack", target="Vex", rolls={"attack": [6, 6, 6, 6], "damage": [1, 1, 1]})
    assert [e.kind for e in events] == ["action", "attack", "damage"]
    assert enc["Vex"].values["resolve"] == 3
    assert [step for step in kinds(enc.at(len(enc._events))._events, "step") if step.text != "the turns begin"] == []


@pytest.mark.rule("d6.init.pc")
@pytest.mark.parametrize(("face", "rank", "score"), [(5, 2, 7), (1, 0, 1), (6, 4, 10), (2, -1, 1)])
def test_a_player_rolls_one_die_and_adds_the_rank(face: int, rank: int, score: int) -> None:
    enc = ck.Encounter("d6", seed=7)
    enc.add("Mara", side="rebels", initiative=rank)
    events = enc.start(rolls={"Mara": face})
    assert counts(enc) == [("Mara", score)]
    roll = only(events, "roll")
    assert roll.data["faces"] == [face]
    assert roll.data["modifiers"] == {"rank": rank}
    assert roll.data["notation"] == f"1D{rank:+d}" if rank else "1D"
    assert roll.data["total"] == score
    assert roll.rules == ("d6.init.pc",)


def test_initiative_not_given_comes_from_the_seed() -> None:
    for seed in range(20):
        enc = ck.Encounter("d6", seed=seed)
        enc.add("Mara", side="rebels")
        ((_, faces),) = rolled(enc.start(), "initiative")
        assert len(faces) == 1
        assert 1 <= faces[0] <= 6


@pytest.mark.rule("d6.init.whole-encounter")
def test_the_score_stands_for_the_whole_encounter() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    first = counts(enc)
    seen = len(enc._events)
    turns(enc, 6)
    assert counts(enc) == first
    assert not [e for e in enc._events[seen:] if e.kind in ("initiative", "order") or "faces" in e.data]


@pytest.mark.rule("d6.init.npc-plus3")
def test_an_npc_adds_three_to_its_rank_and_rolls_nothing() -> None:
    enc = ck.Encounter("d6", seed=7)
    enc.add("Guard", side="empire", count=2, npc=True, initiative=2)
    events = enc.start()
    assert counts(enc) == [("Guard 1", 5), ("Guard 2", 5)]
    assert not kinds(events, "roll")
    assert cites(kinds(events, "initiative"), "d6.init.npc-plus3")


@pytest.mark.rule("d6.init.major-plus6")
def test_a_major_npc_adds_six_if_the_gm_says_so() -> None:
    enc = ck.Encounter("d6", seed=7)
    enc.add("Dray", side="empire", npc=True, major=True, initiative=2)
    enc.add("Guard", side="empire", npc=True, initiative=2)
    events = enc.start()
    assert counts(enc) == [("Dray", 8), ("Guard", 5)]
    assert cites(kinds(events, "initiative"), "d6.init.major-plus6")


# ── ties ──


@pytest.mark.rule("d6.init.tie.pc-over-npc")
@pytest.mark.parametrize("names", list(permutations(("Mara", "Vex", "Ossik", "Dray"))))
def test_players_characters_come_before_npcs_on_ties(names: tuple[str, ...]) -> None:
    people = {"Mara": pc(6), "Ossik": pc(6), "Vex": npc(6), "Dray": npc(6)}
    enc = fight({name: people[name] for name in names})
    assert set(order(enc)[:2]) == {"Mara", "Ossik"}
    assert enc.order[1].why == "player before NPC [d6.init.tie.pc-over-npc]"


@pytest.mark.rule("d6.init.tie.pc-pc")
def test_players_tied_with_each_other_choose() -> None:
    people = {"Mara": pc(6), "Ossik": pc(6), "Ilya": pc(6), "Vex": npc(6)}
    for chosen in permutations(("Mara", "Ossik", "Ilya")):
        enc = fight(people, ties=chosen)
        assert order(enc) == [*chosen, "Vex"]
        assert enc.order[0].why == "as the players chose [d6.init.tie.pc-pc]"


@pytest.mark.rule("d6.init.tie.pc-over-npc")
def test_a_choice_that_puts_an_npc_before_a_players_character_is_refused() -> None:
    enc = fight({"Vex": npc(6), "Mara": pc(6)}, start=False)
    before = enc.digest
    with pytest.raises(ck.IllegalAction, match=r"^Vex can't go ahead of Mara on 6: player before NPC\. ") as no:
        enc.start(rolls={"Mara": 3}, ties=["Vex", "Mara"])
    assert (no.value.ruling.rule, enc.digest) == ("d6.init.tie.pc-over-npc", before)
    enc.start(rolls={"Mara": 4}, ties=["Vex", "Mara"])  # they are tied no more
    enc.do("Mara", "shift", after="Vex")
    with pytest.raises(ck.IllegalAction, match=r"^Mara can't go ahead of Ossik on 7: Mara is just after Vex\. ") as no:
        enc.join("Ossik", side="rebels", initiative=3, rolls={"Ossik": 4}, ties=["Mara", "Ossik"])
    assert no.value.ruling.rule == "d6.init.shift.later"


def test_without_a_choice_tied_players_come_in_the_order_of_adding_and_the_log_says_so() -> None:
    enc = fight({"Ossik": pc(6), "Mara": pc(6)})
    assert order(enc) == ["Ossik", "Mara"]
    assert enc.order[0].why == "added first [d6.init.tie.pc-pc]"
    assert [e.actor for e in enc._events if e.kind == "order" and "added first" in e.text] == ["Ossik"]


@pytest.mark.rule("d6.init.tie.pc-pc")
def test_a_choice_that_leaves_out_one_of_those_tied_is_refused() -> None:
    # Where the one left out goes was nobody's choice, and the ladder would say that the players chose it.
    people = {"Mara": pc(6), "Ossik": pc(6), "Ilya": pc(6), "Bo": pc(9)}
    enc = fight(people, start=False)
    before = enc.digest
    faces = dict.fromkeys(people, 3)
    with pytest.raises(ck.InvalidInput, match="Mara, Ossik and Ilya are tied; name them all, not only Ilya and"):
        enc.start(rolls=faces, ties=["Ilya", "Ossik"])
    assert enc.digest == before
    enc.start(rolls=faces, ties=["Ilya", "Bo", "Ossik", "Mara"])  # Bo is tied with nobody
    assert order(enc) == ["Bo", "Ilya", "Ossik", "Mara"]
    assert enc.order[1].why == "as the players chose [d6.init.tie.pc-pc]"


@pytest.mark.rule("d6.init.tie.pc-pc")
def test_a_newcomer_tied_with_others_is_chosen_among_them_or_comes_last_and_the_ladder_tells_which() -> None:
    for ties, expected in ((["Ilya", "Ossik", "Mara"], ["Ilya", "Ossik", "Mara"]), (None, ["Ossik", "Mara", "Ilya"])):
        enc = fight({"Mara": pc(6), "Ossik": pc(6)}, ties=["Ossik", "Mara"])
        enc.join("Ilya", side="rebels", initiative=2, rolls={"Ilya": 4}, ties=ties)
        assert order(enc) == expected
        chose, added = "as the players chose [d6.init.tie.pc-pc]", "added first [d6.init.tie.pc-pc]"
        assert [rung.why for rung in enc.order[:2]] == [chose, chose if ties else added]


@pytest.mark.rule("d6.init.tie.npc-npc")
def test_tied_npcs_come_in_the_order_of_adding() -> None:
    enc = fight({"Vex": npc(6), "Dray": npc(6), "Mara": pc(3)})
    assert order(enc) == ["Vex", "Dray", "Mara"]
    assert enc.order[0].why == "added first [d6.init.tie.npc-npc]"
    assert enc.active == "Vex"


@pytest.mark.rule("d6.init.tie.npc-npc")
def test_the_gm_is_asked_about_tied_npcs_and_the_answer_is_logged() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(6), "Dray": npc(6), "Bo": npc(6)}, options={"npc_ties": "gm"})
    (question,) = enc.pending
    assert (question.who, question.must, question.rule) == ("GM", True, "d6.init.tie.npc-npc")
    assert question.choices == ("Vex", "Dray", "Bo")
    assert enc.active is None
    assert not any("added first" in event.text for event in enc._events), "nothing is settled yet"
    assert [rung.why for rung in enc.order] == [""] * 4
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match="'Mara'"):
        enc.resolve(answer="Mara")
    assert enc.digest == before
    events = enc.resolve(answer="Dray")
    assert [e.by for e in events if "Dray" in e.text] == ["gm"]
    (question,) = enc.pending
    assert question.choices == ("Vex", "Bo")
    enc.resolve(answer="Bo")
    assert not enc.pending
    assert order(enc) == ["Mara", "Dray", "Bo", "Vex"]
    assert enc.order[1].why == "as the GM chose [d6.init.tie.npc-npc]"
    assert enc.active == "Mara"


@pytest.mark.rule("d6.init.tie.npc-npc")
def test_the_gm_may_name_the_whole_order_at_once_or_with_the_start() -> None:
    people = {"Vex": npc(6), "Dray": npc(6), "Bo": npc(6)}
    enc = fight(people, options={"npc_ties": "gm"})
    enc.resolve(answer=["Bo", "Dray", "Vex"])
    assert order(enc) == ["Bo", "Dray", "Vex"]
    assert not enc.pending
    enc = fight(people, options={"npc_ties": "gm"}, ties=["Dray", "Bo", "Vex"])
    assert order(enc) == ["Dray", "Bo", "Vex"]
    assert not enc.pending


@pytest.mark.rule("d6.init.tie.npc-npc")
@pytest.mark.parametrize("name", ["everybody", "nobody", "nothing"])
def test_a_name_that_other_questions_take_as_a_word_is_a_name(name: str) -> None:
    for answer in (name, [name], [name, "Bo"]):
        enc = fight({"Mara": pc(9), "Bo": npc(6), name: npc(6)}, options={"npc_ties": "gm"})
        (told,) = [event for event in enc.resolve(answer=answer) if event.kind == "window_end"]
        named = f"{name}, Bo" if answer == [name, "Bo"] else name
        assert told.text == f"the GM decides who goes first: {named}"
        assert order(enc) == ["Mara", name, "Bo"]


@pytest.mark.rule("d6.init.tie.npc-npc")
def test_one_who_has_left_is_no_answer_to_who_goes_first() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(6), "Dray": npc(6), "Bo": npc(6)}, options={"npc_ties": "gm"})
    enc.leave("Dray")
    (question,) = enc.pending
    assert question.choices == ("Vex", "Bo")
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match="takes 'Vex', 'Bo'"):
        enc.resolve(answer="Dray")
    assert enc.digest == before
    enc.resolve(answer="Bo")
    assert [name for name in order(enc) if name != "Dray"] == ["Mara", "Bo", "Vex"]


@pytest.mark.rule("d6.init.tie.npc-npc")
def test_nobody_is_asked_who_goes_first_once_only_one_who_tied_is_left() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(6), "Dray": npc(6)}, options={"npc_ties": "gm"})
    assert [offer.choices for offer in enc.pending] == [("Vex", "Dray")]
    events = enc.leave("Dray")
    assert [(e.by, e.text) for e in events if e.kind == "window_end"] == [("rules", "the question settles itself")]
    assert (enc.pending, enc.active) == ((), "Mara")
    enc.end_turn()


def tied_with_newcomer() -> ck.Encounter:
    """Two NPCs whose tie the GM has settled, and a third who joins on their score."""
    enc = fight({"Mara": pc(9), "Vex": npc(6), "Dray": npc(6)}, options={"npc_ties": "gm"})
    enc.resolve(answer="Dray")
    enc.join("Bo", side="empire", npc=True, initiative=3)
    return enc


@pytest.mark.rule("d6.init.tie.npc-npc")
@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["Bo"], ["Bo", "Dray", "Vex"]),  # what was settled before is not asked again
        (["Dray", "Bo"], ["Dray", "Bo", "Vex"]),
        (["Dray", "Vex"], ["Dray", "Vex", "Bo"]),
        ([["Vex", "Bo", "Dray"]], ["Vex", "Bo", "Dray"]),
        ([[], "Bo"], ["Bo", "Dray", "Vex"]),  # naming nobody settles nothing
    ],
)
def test_the_gm_is_asked_where_a_newcomer_comes_among_tied_npcs(answers: list[Any], expected: list[str]) -> None:
    enc = tied_with_newcomer()
    assert [rung.why for rung in enc.order[1:3]] == ["as the GM chose [d6.init.tie.npc-npc]", ""], "the GM is asked"
    for answer in answers:
        (offer,) = enc.pending
        assert (offer.who, offer.rule, "Bo" in offer.choices) == ("GM", "d6.init.tie.npc-npc", True)
        enc.resolve(answer=answer)
    assert (enc.pending, order(enc)) == ((), ["Mara", *expected])
    assert [rung.why for rung in enc.order[1:3]] == ["as the GM chose [d6.init.tie.npc-npc]"] * 2


@pytest.mark.rule("d6.init.tie.npc-npc", "d6.init.shift.later")
def test_one_who_shifted_among_npcs_is_not_tied_with_them() -> None:
    enc = fight({"Mara": npc(9), "Vex": npc(6)}, options={"npc_ties": "gm"})
    enc.do("Mara", "shift", after="Vex")
    enc.join("Bo", side="empire", npc=True, initiative=3)
    (offer,) = enc.pending
    assert offer.choices == ("Vex", "Bo")


def test_a_newcomer_takes_its_place_by_the_same_rules() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(6)})
    enc.join("Ossik", side="rebels", initiative=2, rolls={"Ossik": 4})
    assert order(enc) == ["Mara", "Ossik", "Vex"]
    assert enc.order[1].why == "player before NPC [d6.init.tie.pc-over-npc]"
    assert turns(enc, 3) == ["Mara", "Ossik", "Vex"]


# ── the shift ──


def three(**options: object) -> ck.Encounter:
    return fight({"Mara": pc(9), "Ossik": pc(7), "Vex": npc(5)}, options=options)


@pytest.mark.rule("d6.init.shift")
def test_one_may_change_its_place_at_the_start_of_its_turn() -> None:
    enc = three()
    events = enc.do("Mara", "shift", after="Vex")
    assert order(enc) == ["Ossik", "Vex", "Mara"]
    assert turns(enc, 3) == ["Ossik", "Vex", "Mara"]
    assert enc.clock.round == 2
    assert cites(events, "d6.init.shift")
    assert enc.order[2].initiative == 9, "the score stands; the place has changed"


@pytest.mark.rule("d6.init.shift.later")
def test_the_new_place_is_just_after_the_other() -> None:
    enc = fight({"Mara": pc(9), "Ossik": pc(7), "Vex": npc(5), "Dray": npc(3)})
    enc.do("Mara", "shift", after="Ossik")
    assert order(enc) == ["Ossik", "Mara", "Vex", "Dray"]
    assert enc.order[1].why == "just after Ossik [d6.init.shift.later]"
    assert refused(enc, "Ossik", "shift", after="Ossik").rule == "d6.init.shift.later"
    assert refused(enc, "Ossik", "shift").rules == ("d6.init.shift.later",)
    assert "needs" in refused(enc, "Ossik", "shift").reason


@pytest.mark.rule("d6.init.shift.not-acted")
def test_not_after_one_who_has_had_its_turn() -> None:
    enc = three()
    enc.end_turn()
    assert refused(enc, "Ossik", "shift", after="Mara").rule == "d6.init.shift.not-acted"
    enc.condition("Vex", "dead")
    assert refused(enc, "Ossik", "shift", after="Vex").rule == "d6.init.shift.not-acted"


@pytest.mark.rule("d6.init.shift.start-only")
@pytest.mark.parametrize("first", ["move", "pick_up", "talk", "use_item"])
def test_not_once_something_was_done(first: str) -> None:
    enc = three()
    enc.do("Mara", first)
    assert refused(enc, "Mara", "shift", after="Vex").rule == "d6.init.shift.start-only"


def test_a_shift_is_for_ones_own_turn_and_once_a_round() -> None:
    enc = three()
    assert refused(enc, "Ossik", "shift", after="Vex").rule == "d6.init.desc"
    enc.do("Mara", "shift", after="Ossik")
    enc.do("Ossik", "shift", after="Vex")
    assert order(enc) == ["Mara", "Vex", "Ossik"]
    assert enc.active == "Mara"
    assert refused(enc, "Mara", "shift", after="Vex").rule == "d6.init.shift"
    to_round(enc, 2, "Mara")
    assert enc.can("Mara", "shift", after="Vex").allowed


def test_a_shift_leads_after_a_sleeper_who_wakes_at_their_own_turn() -> None:
    enc = three()
    enc.condition("Ossik", "unconscious", until="start of turn")
    enc.do("Mara", "shift", after="Ossik")
    assert turns(enc, 3) == ["Ossik", "Mara", "Vex"]
    enc = three()
    enc.condition("Ossik", "unconscious", until="end of turn")
    assert refused(enc, "Mara", "shift", after="Ossik").rule == "d6.init.shift.not-acted", "it costs that turn"


@pytest.mark.rule("d6.init.shift.persist")
@pytest.mark.parametrize("back", ["in the round", "later"])
def test_a_place_for_one_round_is_given_up_while_its_owner_is_away(back: str) -> None:
    enc = three(shift_persists=False)
    enc.do("Mara", "shift", after="Vex")
    enc.leave("Mara")
    if back == "later":
        to_round(enc, 2)
    enc.join("Mara")
    assert order(enc) == (["Mara", "Ossik", "Vex"] if back == "later" else ["Ossik", "Vex", "Mara"])
    to_round(enc, 3)
    assert order(enc) == ["Mara", "Ossik", "Vex"]
    assert enc.order[0].why == ""


def test_a_place_left_for_one_round_is_the_same_from_its_file(tmp_path: Path) -> None:
    enc = three(shift_persists=False)
    enc.do("Mara", "shift", after="Vex")
    enc.save(tmp_path / "a.combat")
    assert ck.load(tmp_path / "a.combat")._state == enc._state


@pytest.mark.parametrize("given", [{"before": "Vex"}, {"count": 6}])
def test_a_place_the_gm_gives_outlasts_one_for_a_round(given: dict[str, Any]) -> None:
    enc = three(shift_persists=False)
    enc.do("Mara", "shift", after="Vex")
    enc.place("Mara", **given)
    to_round(enc, 2)
    assert order(enc) == ["Ossik", "Mara", "Vex"]


def test_the_gms_word_shifts_nobody_out_of_turn_and_nobody_after_themselves() -> None:
    enc = ck.Encounter("d6", seed=1)
    for name in ("Ada", "Bo", "Cy"):
        enc.add(name, side=name)
    enc.start(ties=("Ada", "Bo", "Cy"), rolls={"Ada": 6, "Bo": 5, "Cy": 4})
    before, order = enc.digest, [rung.combatant for rung in enc.order]
    other = order[1]
    with pytest.raises(ck.IllegalAction, match=f"{other} can shift only at the start of their own turn"):
        enc.do(other, "shift", after=order[2], override=True)
    with pytest.raises(ck.IllegalAction, match="shift behind themselves; name somebody else"):
        enc.do(order[0], "shift", after=order[0], override=True)
    assert (enc.digest, enc.active, [rung.combatant for rung in enc.order]) == (before, order[0], order)
    enc.do(order[0], "shift", after=order[2], override=True)
    assert [rung.combatant for rung in enc.order] == [order[1], order[2], order[0]]


def test_the_gms_word_holds_nothing_that_only_says_when_somebody_acts() -> None:
    enc = three()
    with pytest.raises(ck.IllegalAction, match=r"^Only .* can be held\."):
        enc.do("Mara", "hold", action="use_held", trigger={"side": "empire"}, override=True)
    enc.do("Mara", "hold", action="defend", trigger={"side": "empire"}, override=True)
    assert [c.id for c in enc["Mara"].conditions] == ["held"]


def test_what_a_turn_opened_with_is_not_opened_again_after_a_shift() -> None:
    enc = three()
    enc.do("Mara", "defend", rank="hide")
    to_round(enc, 2, "Mara")
    enc.do("Mara", "shift", after="Vex")
    to_round(enc, 2, "Mara")
    assert left(enc, "Mara") == {"move": 1, "action": 1, "free": 0, "cap": 2, "object": 1}
    seen = [e for e in enc._events if e.kind == "refresh" and e.round == 2 and "Mara" in e.data["pools"]]
    assert len(seen) == 1


@pytest.mark.rule("d6.init.shift.persist")
def test_the_new_place_is_kept() -> None:
    enc = three()
    enc.do("Mara", "shift", after="Ossik")
    assert "shifts in the order; goes to just after Ossik." in str(enc.log()), "told once"
    to_round(enc, 2)
    assert order(enc) == ["Ossik", "Mara", "Vex"]
    assert enc.active == "Ossik"


@pytest.mark.rule("d6.init.shift.persist")
def test_as_an_option_the_place_is_given_back_with_the_round() -> None:
    enc = fight({"Mara": pc(9), "Ossik": pc(7), "Vex": npc(5), "Dray": npc(3)}, options={"shift_persists": False})
    enc.do("Mara", "shift", after="Vex")
    assert "shifts in the order; goes to just after Vex for this round." in str(enc.log())
    enc.do("Ossik", "shift", after="Dray")
    assert turns(enc, 4) == ["Vex", "Mara", "Dray", "Ossik"]
    assert enc.clock.round == 2
    assert order(enc) == ["Mara", "Ossik", "Vex", "Dray"]
    assert enc.order[0].why == ""


def test_nobody_has_two_turns_in_a_round_or_none_by_shifting() -> None:
    people = {"Mara": pc(9), "Ossik": pc(7), "Vex": npc(5), "Dray": npc(3)}
    for persists in (True, False):
        enc = fight(people, options={"shift_persists": persists})
        for _ in range(4):
            number, seen = enc.clock.round, []
            while enc.clock.round == number:
                name = enc.active
                assert name is not None
                later = [r.combatant for r in enc.order if enc.can(name, "shift", after=r.combatant).allowed]
                if later:
                    enc.do(name, "shift", after=later[-1])
                else:
                    seen.append(name)
                    enc.end_turn()
            assert sorted(seen) == sorted(people)


def test_nobody_is_surprised_in_a_text_that_has_no_surprise() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Mara", side="rebels")
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match="has no surprise"):
        enc.start(surprised=["Mara"])
    assert enc.digest == before


@pytest.mark.parametrize("persists", [True, False])
def test_a_shift_that_is_over_says_what_may_be_done_again(persists: bool) -> None:
    enc = fight({"Mara": pc(9), "Bo": pc(7), "Vex": npc(3)}, options={"shift_persists": persists})
    enc.do("Mara", "shift", after="Bo")
    for _ in range(3):
        enc.end_turn()
    (said,) = [e.text for e in enc._events if e.kind == "effect_end" and e.data.get("id") == "shifted"]
    assert said == "may shift again"


@pytest.mark.rule("d6.escape")
def test_the_log_says_that_somebody_escaped_and_not_that_the_gm_took_them_out() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(3)})
    enc.do("Mara", "escape")
    enc.leave("Vex")
    told = [line for line in str(enc.log()).splitlines() if "escapes" in line or "leaves the fight" in line]
    assert ["(by the GM)" in line for line in told] == [False, True]


@pytest.mark.parametrize(("first", "then"), [("Bo", ["Mara", "Dray"]), ("Vex", ["Bo", "Mara"])])
def test_a_newcomer_whom_the_gm_puts_before_whoever_acts_waits_for_the_next_round(first: str, then: list[str]) -> None:
    enc = fight({"Dray": npc(6), "Vex": npc(6), "Mara": pc(2)}, options={"npc_ties": "gm"})
    enc.resolve(answer="Dray")
    enc.end_turn()
    assert enc.active == "Vex"
    enc.join("Bo", **npc(6))
    for answer in ("Dray", first):
        enc.resolve(answer=answer)
    assert not enc.pending
    enc.end_turn()
    had = [enc.active]
    enc.end_turn()
    assert [*had, enc.active] == then
