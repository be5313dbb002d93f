"""Phases: threatened hexes and attacks of opportunity."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.core.geometry import hex_line, hex_neighbours
from combatkit.errors import InvalidInput
from tests.systems.phases_table import CLOSE, attack, cited, fight, opportunities, question, to
from tests.systems.table import holds, left, refused


def moving(to_: Any = (2, 0), **kept: Any) -> ck.Encounter:
    """Let Mara begin a half move away from Vex, her skill check having failed."""
    enc = fight(at=CLOSE, **kept)
    to(enc, "Mara")
    enc.do("Mara", "half_move", to=to_, outcome="failed")
    return enc


# ── threatened hexes ──


@pytest.mark.rule("phases.aoo.threat", "phases.aoo.reach", "phases.aoo.threat-offturn")
def test_the_six_hexes_around_are_threatened_on_anybodys_turn() -> None:
    enc = fight(at=CLOSE)
    six = {(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)}
    assert six == set(hex_neighbours((0, 0)))
    assert enc["Vex"].threatens == six | {(0, 0)}
    enc.end_turn()
    assert enc.active == "Mara"
    assert enc["Vex"].threatens == six | {(0, 0)}
    assert enc.distance("Vex", "Ilya") == ck.Distance(9)
    assert fight()["Vex"].threatens == frozenset()


@pytest.mark.rule("phases.sur.unaware-idle")
def test_the_unaware_threaten_nothing() -> None:
    enc = fight(at=CLOSE, surprised=["Vex"])
    assert enc["Vex"].threatens == frozenset()
    to(enc, "Mara", 0)
    events = enc.do("Mara", "half_move", to=(3, 0))
    assert not [e.text for e in events if "threaten" in e.text]
    enc.condition("Vex", "surprised", off=True)
    assert enc["Vex"].threatens


@pytest.mark.rule("phases.aoo.reach-more")
def test_more_reach_threatens_more_hexes() -> None:
    enc = fight(at=CLOSE, Vex={"reach": 2})
    assert len(enc["Vex"].threatens) == 1 + 6 + 12
    assert {(2, 0), (1, 1), (-2, 1)} < enc["Vex"].threatens
    assert (3, 0) not in enc["Vex"].threatens
    enc.condition("Vex", "Growth", modifiers={"reach": 1})
    assert (3, 0) in enc["Vex"].threatens


# ── what provokes ──


@pytest.mark.rule("phases.aoo.def", "phases.aoo.two-kinds", "phases.aoo.move-out")
def test_moving_out_of_a_threatened_hex_provokes() -> None:
    enc = moving()
    assert opportunities(enc) == ["Vex"]
    (offer,) = enc.pending
    assert (offer.rule, offer.targets) == ("phases.aoo.move-out", ("Mara",))
    assert enc["Mara"].position == (1, 0)
    enc.resolve()
    assert enc["Mara"].position == (2, 0)


@pytest.mark.rule("phases.aoo.move-in")
def test_entering_a_threatened_hex_does_not() -> None:
    enc = fight(at={**CLOSE, "Mara": (3, 0)})
    enc.end_turn()
    enc.do("Mara", "half_move", to=[(2, 0), (1, 0)])
    assert (opportunities(enc), question(enc), enc["Mara"].position) == ([], None, (1, 0))


@pytest.mark.rule("phases.aoo.two-kinds", "phases.aoo.distract")
def test_a_distracting_action_in_a_threatened_hex_provokes_and_outside_none_it_does_not() -> None:
    enc = fight(at=CLOSE)
    enc.end_turn()
    enc.do("Mara", "pick_up_item")
    assert [o.rule for o in enc.pending] == ["phases.aoo.distract"]
    enc.resolve()
    enc.end_turn()
    enc.do("Ilya", "pick_up_item")
    assert enc.pending == ()


@pytest.mark.rule("phases.aoo.enemy-only")
def test_only_an_enemy_provokes() -> None:
    enc = fight(at={**CLOSE, "Ilya": (2, 0)})
    enc.end_turn()
    enc.do("Mara", "pick_up_item")
    assert opportunities(enc) == ["Vex"]
    enc.resolve()
    ruling = refused(enc, "Ilya", "attack_of_opportunity", target="Mara", trigger="picks it up")
    assert ruling.rule == "phases.aoo.enemy-only"


@pytest.mark.rule("phases.aoo.threat")
def test_one_out_of_reach_gives_no_opportunity() -> None:
    enc = fight(at=CLOSE)
    enc.end_turn()
    ruling = refused(enc, "Dray", "attack_of_opportunity", target="Mara", trigger="moves past")
    assert ruling.rule == "phases.aoo.threat"
    enc.do("Vex", "attack_of_opportunity", target="Mara", trigger="moves past")
    assert left(enc, "Vex")["aoo"] == 0


@pytest.mark.rule("phases.aoo.skills", "phases.tab.move-skill", "phases.tab.full-skill")
@pytest.mark.parametrize("action", ["move_skill", "full_skill"])
def test_using_a_skill_usually_provokes_as_the_gm_says(action: str) -> None:
    for answer, who in (("failed", ["Vex"]), ("negated", [])):
        enc = fight(at=CLOSE)
        enc.end_turn()
        enc.do("Mara", action, rank="stealth")
        offer = question(enc)
        assert offer is not None
        assert (offer.choices, offer.must) == (("failed", "negated"), True)
        events = enc.resolve(answer=answer)
        assert opportunities(enc) == who
        assert "phases.tab.move-skill" in cited(events) or "phases.tab.full-skill" in cited(events)


@pytest.mark.rule("phases.aoo.exceptions")
def test_a_provoking_action_may_be_an_exception_by_the_gms_word() -> None:
    enc = fight(at=CLOSE)
    enc.end_turn()
    ruling = refused(enc, "Mara", "pick_up_item", outcome="negated")
    assert ruling.rule == "phases.tab.move-yes"
    events = enc.do("Mara", "pick_up_item", outcome="negated", override=True, note="it lies at her feet")
    assert opportunities(enc) == []
    (action,) = [e for e in events if e.kind == "action"]
    assert (action.by, action.data["overruled"]) == ("gm", ["phases.tab.move-yes"])
    assert "phases.aoo.exceptions" in action.rules
    with pytest.raises(InvalidInput, match="failed or negated"):
        enc.do("Mara", "draw_or_sheathe_focus", outcome="hit")


# ── without positions ──


def test_without_positions_the_gm_is_asked_who_threatens() -> None:
    enc = fight()
    enc.end_turn()
    enc.do("Mara", "pick_up_item")
    offer = question(enc)
    assert offer is not None
    assert offer.choices == ("Vex", "Dray", "everybody", "nobody")
    assert "who threatens them?" in offer.about
    events = enc.resolve(answer=["Dray"])
    assert next(e.text for e in events if e.kind == "window_end") == "the GM decides that Dray threatens Mara"
    assert opportunities(enc) == ["Dray"]


@pytest.mark.parametrize(
    ("answer", "who"), [("nobody", []), ("everybody", ["Vex", "Dray"]), ("Vex", ["Vex"]), ([], [])]
)
def test_the_gm_may_name_several_or_none(answer: Any, who: list[str]) -> None:
    enc = fight()
    enc.end_turn()
    enc.do("Mara", "pick_up_item")
    enc.resolve(answer=answer)
    assert opportunities(enc) == who
    if not who:
        assert enc.pending == ()


def test_nothing_is_asked_where_nobody_could_answer_and_a_wrong_answer_is_refused() -> None:
    enc = fight({"Mara": 8, "Vex": 5, "Ilya": 4})
    enc.condition("Vex", "unconscious")
    enc.do("Mara", "pick_up_item")
    assert enc.pending == ()
    enc.condition("Vex", "unconscious", off=True)
    enc.do("Mara", "move_heavy_object")
    before = enc.digest
    for answer in ("Ilya", ["Vex", "Ilya"], "failed"):
        with pytest.raises(InvalidInput, match="who threatens them"):
            enc.resolve(answer=answer)
    with pytest.raises(ck.IllegalAction, match=r"The GM must answer first: .*who threatens them") as caught:
        enc.resolve()
    asked = enc.at(len(enc._events)).pending[0]
    assert (asked.who, asked.must, asked.rule) == ("GM", True, caught.value.ruling.rule)
    assert enc.digest == before


@pytest.mark.rule("phases.aoo.cr-move-one")
def test_without_positions_a_second_move_from_the_same_foe_asks_no_more() -> None:
    enc = fight({"Mara": 8, "Vex": 5}, Vex={"combat_reflexes": True})
    enc.do("Mara", "half_move", outcome="failed")
    enc.resolve(answer="Vex")
    enc.do("Vex", "attack_of_opportunity", target="Mara")
    enc.do("Mara", "half_move", outcome="failed")
    assert enc.pending == ()


# ── skill checks ──


@pytest.mark.rule("phases.tab.move-half", "phases.tab.full-move")
@pytest.mark.parametrize("action", ["half_move", "full_move"])
def test_the_gm_settles_the_skill_check_before_the_hex_is_left(action: str) -> None:
    for answer in ("failed", "negated"):
        enc = fight(at=CLOSE)
        enc.end_turn()
        enc.do("Mara", action, to=(4, 0))
        offer = question(enc)
        assert offer is not None
        assert offer.choices == ("failed", "negated")
        assert enc["Mara"].position == (1, 0)
        enc.resolve(answer=answer)
        assert opportunities(enc) == (["Vex"] if answer == "failed" else [])


@pytest.mark.rule("phases.tab.move-half")
def test_or_the_outcome_comes_with_the_action() -> None:
    enc = fight(at=CLOSE)
    enc.end_turn()
    enc.do("Mara", "half_move", to=(3, 0), outcome="negated")
    assert (enc.pending, enc["Mara"].position) == ((), (3, 0))


# ── avoiding it ──


@pytest.mark.rule("phases.aoo.avoid-step", "phases.step.no-aoo")
def test_the_step_avoids_it() -> None:
    enc = fight(at=CLOSE)
    enc.end_turn()
    enc.do("Mara", "1_hex_step", to=(2, 0))
    assert (enc.pending, enc["Mara"].position) == ((), (2, 0))


@pytest.mark.rule("phases.aoo.avoid-withdraw")
def test_withdrawing_avoids_it_for_the_whole_move() -> None:
    enc = fight(at={**CLOSE, "Dray": (3, 1)})
    enc.end_turn()
    events = enc.do("Mara", "withdraw", to=[(2, 0), (3, 0), (4, 0), (5, 0)])
    assert "phases.aoo.avoid-withdraw" in events[0].rules
    assert (enc.pending, enc["Mara"].position) == ((), (5, 0))
    assert left(enc, "Mara") == {"attack": 0, "move": 0, "step": 0, "aoo": 1}


# ── the attack itself ──


@pytest.mark.rule("phases.aoo.single-melee", "phases.aoo.one-per-phase")
def test_it_is_one_melee_attack_and_one_a_phase_across_all_foes() -> None:
    enc = fight(at={**CLOSE, "Ilya": (0, 1)}, tables={"manoeuvres": [{"id": "bow", "ranged": True}]})
    enc.end_turn()
    enc.do("Mara", "pick_up_item")
    both = refused(enc, "Vex", "attack_of_opportunity", target=["Mara", "Ilya"])
    bow = refused(enc, "Vex", "attack_of_opportunity", target="Mara", manoeuvre="bow")
    assert (both.rule, bow.rule) == ("phases.aoo.single-melee", "phases.aoo.single-melee")
    enc.do("Vex", "attack_of_opportunity", target="Mara")
    enc.end_turn()
    enc.do("Ilya", "pick_up_item")
    assert enc.pending == ()
    ruling = refused(enc, "Vex", "attack_of_opportunity", target="Ilya", trigger="picks it up")
    assert ruling.rule == "phases.aoo.one-per-phase"
    to(enc, "Mara", 2)
    enc.do("Mara", "pick_up_item")
    assert opportunities(enc) == ["Vex"]


@pytest.mark.rule("phases.aoo.optional")
def test_it_may_be_declined() -> None:
    enc = moving()
    events = enc.resolve()
    assert [e.text for e in events if e.kind == "answer"] == ["lets it go"]
    assert (left(enc, "Vex")["aoo"], enc["Mara"].position) == (1, (2, 0))


@pytest.mark.rule("phases.aoo.any-manoeuvre")
def test_any_manoeuvre_that_needs_an_attack_roll_and_no_other() -> None:
    enc = moving()
    ruling = refused(enc, "Vex", "attack_of_opportunity", target="Mara", manoeuvre="block")
    assert ruling.rule == "phases.aoo.any-manoeuvre"
    data = attack(enc.do("Vex", "attack_of_opportunity", target="Mara", manoeuvre="disarm", rolls=[6, 3, 2]))
    assert (data["total"], data["needed"], data["outcome"]) == (16, 15, "hit")


@pytest.mark.rule("phases.aoo.any-manoeuvre")
@pytest.mark.parametrize(("manoeuvre", "harmed"), [("grab", False), ("hug", False), ("strike", True)])
def test_made_as_a_grab_or_disarm_it_does_no_damage_by_itself(manoeuvre: str, harmed: bool) -> None:
    sword = {"weapons": [{"name": "sword", "damage": "2d6"}]}
    hug = {"manoeuvres": [{"id": "hug", "of": "grab"}]}
    enc = moving(Vex=sword, Mara={"stun": 30}, tables=hug)
    events = enc.do("Vex", "attack_of_opportunity", target="Mara", manoeuvre=manoeuvre, rolls={"attack": [6, 6, 6]})
    assert (enc["Mara"].values["stun"] < 30) is harmed
    assert attack(events)["outcome"] == "hit"


@pytest.mark.rule("phases.aoo.interrupts", "phases.aoo.resume")
def test_it_is_resolved_at_once_and_the_action_goes_on_after_it() -> None:
    enc = moving([(2, 0), (3, 0)])
    ruling = refused(enc, "Mara", "soliloquy")
    assert (ruling.rule, enc.active) == ("phases.aoo.interrupts", "Mara")
    events = enc.do("Vex", "attack_of_opportunity", target="Mara")
    assert [e.kind for e in events if e.kind in ("attack", "window_end", "move")] == [
        "attack",
        "window_end",
        "move",
        "move",
    ]
    assert (enc["Mara"].position, enc.active) == ((3, 0), "Mara")
    enc.do("Mara", "soliloquy")
    enc.end_turn()
    assert enc.active == "Ilya"


@pytest.mark.rule("phases.aoo.resume")
def test_one_who_falls_in_mid_move_goes_no_farther() -> None:
    enc = moving([(2, 0), (3, 0)])
    enc.condition("Mara", "unconscious")
    assert enc.pending, "whoever was provoked may still strike"
    events = enc.resolve()
    assert [e.kind for e in events if e.kind in ("move", "stopped")] == ["stopped"]
    assert (enc["Mara"].position, enc.active) == ((1, 0), "Mara")


@pytest.mark.rule("phases.aoo.interrupts")
def test_the_window_opens_before_the_next_hex_in_the_middle_of_a_path() -> None:
    enc = fight(at={**CLOSE, "Mara": (3, 0)})
    enc.end_turn()
    enc.do("Mara", "half_move", to=[(2, 0), (1, 0), (1, 1)], outcome="failed")
    assert (opportunities(enc), enc["Mara"].position) == (["Vex"], (1, 0))
    enc.resolve()
    assert enc["Mara"].position == (1, 1)


@pytest.mark.rule("phases.aoo.def")
def test_without_window_or_trigger_it_is_refused_under_the_rule_that_defines_it() -> None:
    enc = fight(at=CLOSE)
    enc.end_turn()
    ruling = refused(enc, "Vex", "attack_of_opportunity", target="Mara")
    assert (ruling.rule, ruling.reason) == ("phases.aoo.def", "Nothing to react to right now.")
    assert enc.can("Mara", "attack_of_opportunity", target="Vex").rule == "phases.aoo.def"
    enc = moving()
    assert refused(enc, "Vex", "attack_of_opportunity", target="Ilya").rules[0] == "phases.aoo.def"


@pytest.mark.rule("phases.aoo.def")
def test_what_no_action_shows_can_be_triggered_by_hand() -> None:
    enc = fight(at=CLOSE)
    enc.end_turn()
    enc.trigger("Mara", text="stumbles")
    assert opportunities(enc) == ["Vex"]
    enc.do("Vex", "attack_of_opportunity", target="Mara")
    assert enc.pending == ()


# ── dodging ──


@pytest.mark.rule("phases.aoo.no-dodge")
def test_one_who_dodged_makes_none_until_its_next_action() -> None:
    enc = fight(at=CLOSE)
    enc.do("Vex", "dodge")
    enc.end_turn()
    enc.do("Mara", "pick_up_item")
    assert enc.pending == ()
    ruling = refused(enc, "Vex", "attack_of_opportunity", target="Mara", trigger="picks it up")
    assert ruling.rule == "phases.aoo.no-dodge"
    to(enc, "Vex", 2)
    assert "dodged" not in holds(enc, "Vex")


@pytest.mark.rule("phases.aoo.no-dodge")
@pytest.mark.parametrize(("until", "who"), [("next_action", []), ("phase_end", ["Dray"])])
def test_how_long_a_dodge_bars_it_is_an_option(until: str, who: list[str]) -> None:
    enc = fight(at={**CLOSE, "Dray": (2, 0)}, options={"dodge_bars_aoo_until": until})
    enc.condition("Vex", "unconscious")
    to(enc, "Dray")
    enc.do("Dray", "dodge")
    to(enc, "Mara", 2)
    enc.do("Mara", "pick_up_item")
    assert opportunities(enc) == who
    with pytest.raises(InvalidInput, match="dodge_bars_aoo_until"):
        fight(options={"dodge_bars_aoo_until": "turn"})


# ── Combat Reflexes ──


def reflexes(**options: Any) -> ck.Encounter:
    """Vex has Combat Reflexes and stands beside both rebels; it is Mara's turn."""
    enc = fight(at={**CLOSE, "Ilya": (0, 1)}, options=options or None, Vex={"combat_reflexes": True})
    enc.end_turn()
    return enc


def answer(enc: ck.Encounter, target: str) -> None:
    """Let Vex take the opportunity that is open."""
    enc.do("Vex", "attack_of_opportunity", target=target)


@pytest.mark.rule("phases.aoo.cr-more", "phases.aoo.cr-limit")
def test_combat_reflexes_allows_more_than_one_a_phase_without_a_limit() -> None:
    enc = reflexes()
    slot = enc.budget("Vex")["aoo"]
    assert (slot.left, slot.unlimited, enc.budget("Dray")["aoo"].unlimited) == (1, True, False)
    for name in ("Mara", "Ilya"):
        for action in ("pick_up_item", "move_heavy_object"):
            enc.do(name, action)
            answer(enc, name)
        enc.end_turn()
    attacks = [e for e in enc._events if e.action == "attack_of_opportunity" and e.kind == "attack"]
    assert len(attacks) == 4
    assert enc.budget("Vex")["aoo"].left == 1


@pytest.mark.rule("phases.aoo.cr-limit")
def test_the_number_combat_reflexes_allows_is_an_option() -> None:
    enc = reflexes(combat_reflexes_limit=2)
    assert enc.budget("Vex")["aoo"].total == 2
    for action in ("pick_up_item", "move_heavy_object"):
        enc.do("Mara", action)
        answer(enc, "Mara")
    enc.end_turn()
    enc.do("Ilya", "pick_up_item")
    assert enc.pending == ()
    third = enc.can("Vex", "attack_of_opportunity", target="Ilya")
    assert (third.allowed, third.rule) == (False, "phases.aoo.cr-limit")
    assert "phases.aoo.one-per-phase" not in third.rules
    assert enc.budget("Dray")["aoo"].total == 1
    for wrong in (-1, "three", 1.5):
        with pytest.raises(InvalidInput, match="combat_reflexes_limit"):
            fight(options={"combat_reflexes_limit": wrong})
    assert ck.ruleset("phases").options["combat_reflexes_limit"].default is None


@pytest.mark.rule("phases.aoo.cr-one-per-opp")
def test_but_never_more_than_one_for_an_opportunity() -> None:
    enc = reflexes()
    enc.place("Dray", at=(2, 0))
    enc.do("Mara", "pick_up_item")
    enc.do("Vex", "attack_of_opportunity", target="Mara")
    assert opportunities(enc) == ["Dray"], "what is answered is offered no more"
    ruling = refused(enc, "Vex", "attack_of_opportunity", target="Mara")
    assert ruling.rule == "phases.aoo.cr-one-per-opp"


@pytest.mark.rule("phases.aoo.cr-same-foe")
def test_two_provocations_by_one_opponent_allow_two() -> None:
    enc = reflexes()
    enc.do("Mara", "pick_up_item")
    answer(enc, "Mara")
    enc.do("Mara", "half_move", to=(2, 0), outcome="failed")
    answer(enc, "Mara")
    attacks = [e for e in enc._events if e.action == "attack_of_opportunity" and e.kind == "attack"]
    assert [e.target for e in attacks] == ["Mara", "Mara"]


@pytest.mark.rule("phases.aoo.cr-move-one")
@pytest.mark.parametrize("declined", [False, True])
def test_leaving_several_hexes_one_foe_threatens_is_one_opportunity_a_phase(declined: bool) -> None:
    enc = reflexes()
    enc.do("Mara", "half_move", to=[(1, -1), (0, -1), (-1, 0)], outcome="failed")
    enc.resolve() if declined else answer(enc, "Mara")
    assert (enc.pending, enc["Mara"].position) == ((), (-1, 0))
    enc.do("Mara", "crawl", to=(-1, 1), outcome="failed")
    assert (enc.pending, enc["Mara"].position) == ((), (-1, 1))
    to(enc, "Mara", 2)
    enc.do("Mara", "crawl", to=(-1, 0), outcome="failed")
    assert opportunities(enc) == ["Vex"]


@pytest.mark.rule("phases.aoo.cr-move-one")
def test_of_two_foes_each_has_one() -> None:
    enc = fight(at={**CLOSE, "Dray": (3, -1)})
    enc.end_turn()
    enc.do("Mara", "half_move", to=[(2, 0), (3, 0), (4, 0)], outcome="failed")
    assert (opportunities(enc), enc["Mara"].position) == (["Vex"], (1, 0))
    enc.resolve()
    assert (opportunities(enc), enc["Mara"].position) == (["Dray"], (2, 0))
    enc.resolve()
    assert enc["Mara"].position == (4, 0)


@pytest.mark.parametrize("start", [(1, -2), (-3, 5)])
def test_a_straight_way_is_the_same_wherever_it_begins(start: tuple[int, int]) -> None:
    for end in ((4, -2), (-1, 4), (2, 3), (-3, 1)):
        there = (start[0] + end[0], start[1] + end[1])
        assert hex_line(start, there) == tuple((q + start[0], r + start[1]) for q, r in hex_line((0, 0), end))


@pytest.mark.rule("phases.tab.move-half")
def test_the_question_about_a_check_names_all_whom_it_keeps_from_attacking() -> None:
    at = {"Mara": (1, 0), "Vex": (0, 0), "Dray": (3, -1), "Ilya": (9, 9)}
    enc = fight({"Mara": 9, "Vex": 8, "Dray": 5, "Ilya": 3}, at=at)
    enc.do("Mara", "half_move", to=[(2, 0), (2, 1), (2, 2)])
    (offer,) = enc.pending
    assert "Vex and Dray" in offer.about
    enc.resolve(answer="failed")
    assert opportunities(enc) == ["Vex"]
    enc.resolve()
    assert opportunities(enc) == ["Dray"]
    enc.undo()
    enc.undo()
    enc.resolve(answer="negated")
    assert (enc.pending, enc["Mara"].position) == ((), (2, 2))


@pytest.mark.rule("phases.aoo.interrupts")
@pytest.mark.parametrize("face", [6, 1])
def test_where_a_move_led_is_told_once_it_has_led_there(face: int) -> None:
    enc = moving((2, 0), Mara={"stun": 5})
    enc.do("Vex", "attack_of_opportunity", target="Mara", rolls=[face] * 3, damage=7)
    log = enc.log(rules=False).markdown.replace("*", "")
    assert "Mara moves. Vex" in log
    assert ("moves to (2, 0)" in log) is (enc["Mara"].position == (2, 0)) is (face == 1)
    free = fight({"Mara": 9, "Vex": 8}, at={"Mara": (5, 0), "Vex": (0, 0)})
    free.do("Mara", "half_move", to=(6, 0))
    assert "Mara moves to (6, 0)" in free.log(rules=False).markdown.replace("*", "")


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "the GM decides that everybody threatens Mara"), ("de", "die SL entscheidet: alle bedrohen Mara")],
)
def test_everybody_threatens_in_the_words_of_the_language(language: str, words: str) -> None:
    enc = ck.Encounter("phases", seed=3, language=language)
    enc.add("Mara", side="a")
    enc.add("Orc", side="b", count=2)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    enc.do("Mara", "half_move")
    for both in (["everybody", "nobody"], ["Orc 1", "nobody"], ["Orc 1", "everybody"]):
        with pytest.raises(ck.InvalidInput, match="alone, or only names"):
            enc.resolve(answer=both)
    assert enc.resolve(answer="everybody")[0].text == words


def test_a_question_about_somebody_who_leaves_settles_itself() -> None:
    enc = fight(at=CLOSE)
    to(enc, "Mara")
    enc.do("Mara", "half_move", to=(3, 0))
    asked = question(enc)
    assert asked is not None
    events = enc.leave("Mara")
    assert [e.text for e in events if e.kind == "window_end"] == ["the question settles itself"]
    assert not enc.pending


@pytest.mark.rule("phases.aoo.one-per-phase")
def test_an_opportunity_that_is_gone_is_not_said_to_have_gone_on_one() -> None:
    enc = fight(at=CLOSE)
    to(enc, "Mara")
    enc.do("Mara", "pick_up_item")
    enc.do("Vex", "attack_of_opportunity", target="Mara", outcome="miss")
    reason = enc.can("Vex", "attack_of_opportunity", target="Mara", trigger="stumbles").reason
    assert reason == "Needs an attack of opportunity; Vex has none left until the next phase."
