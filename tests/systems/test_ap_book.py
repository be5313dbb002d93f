"""Action points with the list of the game's own system data: what it holds, attacks of a round, aim, turns put off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import combatkit as ck
from combatkit.rules.validate import check_ruleset
from tests.systems.ap_table import fight, last, log, offered, points, through, to
from tests.systems.table import refused

AP = ck.ruleset("ap")
BOOK = AP.lists["actions"]["book"]
OPTIONS = {"actions": "book"}


def book(**more: Any) -> ck.Encounter:
    """Begin a fight by the list of the game's data: Mara 14, Vex 12, Ilya 10."""
    return fight(options={**OPTIONS, **more.pop("options", {})}, **more)


def answers(enc: ck.Encounter, name: str) -> tuple[str, ...]:
    """Give the actions somebody is offered now."""
    return next((offer.actions for offer in enc.pending if offer.who == name), ())


def conditions(enc: ck.Encounter, name: str) -> list[str]:
    """Give the ids of what somebody is or has."""
    return [condition.id for condition in enc[name].conditions]


# ── the list ──


def test_the_option_picks_the_list_everywhere() -> None:
    ours, chosen = fight(), book()
    assert [o.action for o in ours.options("Mara")] == list(AP.actions.ids())
    assert [o.action for o in chosen.options("Mara")] == list(BOOK.actions.ids())
    assert "attack_of_opportunity" in BOOK.actions
    assert "attack_of_opportunity" not in AP.actions
    with pytest.raises(ck.UnknownName, match="grapple"):
        chosen.do("Mara", "grapple", target="Vex")
    with pytest.raises(ck.UnknownName, match="block"):
        ours.can("Mara", "block")


def test_the_list_is_whole_and_says_where_it_is_from() -> None:
    check_ruleset(AP, "ap")
    assert "system data" in BOOK.source
    assert "MIT" in BOOK.source
    for action in BOOK.actions:
        assert "book" in action.tags, action.id
        assert action.facts["says"] in action.cited, action.id
    for rule in BOOK.rules:
        assert rule.id.startswith("ap.book.")
        assert rule.locator.startswith("game system data: ")


def texts(value: Any) -> Iterator[str]:
    """Give every text inside plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list, tuple)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts(inner)


def test_every_rule_of_the_list_is_one_that_an_action_of_it_rests_on() -> None:
    named = {text for action in BOOK.actions for text in (*action.cited, *texts(action.facts))}
    assert [id for id in BOOK.rules.ids() if id not in named] == []


def test_its_rules_are_found_and_not_counted_with_those_of_the_text() -> None:
    assert len(AP.rules) == 76
    assert "ap.book.aim" not in AP.rules.ids()
    assert AP.rules["ap.book.aim"].text.startswith("Aim adds +10")
    enc = book()
    enc.do("Mara", "aim")
    told = enc.explain(last(log(enc), "effect").seq)
    assert "+30 at most" in str(told)
    assert "game system data: Secondary Actions, Aim" in str(told)


def test_a_users_rows_come_on_top_of_the_list_chosen() -> None:
    row = {"id": "grapple", "title": "Grapple", "parameters": ["target"]}
    enc = book(rows=[row])
    assert enc.can("Mara", "grapple", target="Vex").allowed
    with pytest.raises(ck.InvalidInput, match="grapple"):
        fight(rows=[row])
    with pytest.raises(ck.InvalidInput, match="block"):
        book(rows=[{"id": "block", "title": "Block"}])


def test_a_fight_begun_anew_a_branch_and_a_copy_keep_the_list(tmp_path: Any) -> None:
    enc = book()
    enc.do("Mara", "aim")
    path = tmp_path / "fight.combat"
    enc.save(path)
    for other in (enc.restart(), enc.branch(len(log(enc))), ck.load(path)):
        assert "block" in [o.action for o in other.options("Mara")]
        assert other._state.options["max_attacks"] == 2


# ── two attacks a round ──


def test_two_attacks_a_round_unless_the_option_says_otherwise() -> None:
    enc = book()
    through(enc, "Mara", "attack", target="Vex")
    through(enc, "Mara", "precision_strike", target="Vex")
    ruling = refused(enc, "Mara", "attack", target="Vex")
    assert ruling.rule == "ap.book.two-attacks"
    assert "2 attacks this round" in ruling.reason
    assert enc.can("Mara", "dash").allowed
    free = book(options={"max_attacks": None})
    for _ in range(3):
        through(free, "Mara", "attack", target="Vex")
    assert fight()._state.options["max_attacks"] is None


def test_counter_attacks_count_to_the_two_and_are_offered_no_more() -> None:
    enc = book()
    enc.do("Mara", "attack", target="Vex")
    enc.do("Vex", "counter_attack")
    enc.resolve()
    enc.do("Mara", "attack", target="Vex")
    enc.do("Vex", "counter_attack")
    enc.resolve()
    to(enc, "Vex")
    assert points(enc, "Vex") == [1]
    assert refused(enc, "Vex", "attack", target="Mara").rule == "ap.book.two-attacks"
    assert refused(enc, "Vex", "cast_attack", target="Mara").rule == "ap.book.two-attacks"
    to(enc, "Vex", 2)
    through(enc, "Vex", "attack", target="Mara")
    through(enc, "Vex", "attack", target="Mara")
    to(enc, "Ilya")
    enc.do("Ilya", "attack", target="Vex")
    assert {"parry", "block"} <= set(answers(enc, "Vex"))
    assert "counter_attack" not in answers(enc, "Vex")


def test_all_out_adds_20_for_two_points_at_once_and_precision_takes_20() -> None:
    enc = book(Mara={"attack_bonus": 5}, Vex={"defense": 30})
    assert enc.can("Mara", "all_out_attack", target="Vex").notation == "1d20+25"
    assert enc.can("Mara", "precision_strike", target="Vex").notation == "1d20-15"
    struck = last(through(enc, "Mara", "all_out_attack", target="Vex", rolls=[5]), "attack")
    assert (struck.amount, struck.data["outcome"]) == (30, "hit")
    assert struck.data["modifiers"] == {"attack bonus": 5, "all-out attack": 20}
    assert points(enc, "Mara") == [1]
    assert refused(enc, "Mara", "all_out_attack", target="Vex").rule == "ap.book.all-out"
    with pytest.raises(ck.InvalidInput, match="option"):
        enc.do("Mara", "all_out_attack", target="Vex", option="ranged")


def test_hand_to_hand_goes_as_far_as_the_reach() -> None:
    enc = book(Mara={"reach": 2})
    enc.place("Mara", at=(0, 0))
    enc.place("Vex", at=(3, 0))
    ruling = refused(enc, "Mara", "attack", target="Vex", option="melee")
    assert ruling.reason == "Vex is 3 metres away; Mara reaches 2 metres."
    assert refused(enc, "Mara", "all_out_attack", target="Vex").rule == "ap.map.metre"
    assert refused(enc, "Mara", "trip", target="Vex").reason == "Vex is 3 metres away; Trip reaches 2 metres."
    assert enc.can("Mara", "attack", target="Vex").allowed
    enc.place("Vex", at=(2, 2))
    assert enc.can("Mara", "all_out_attack", target="Vex").allowed


def test_a_threat_is_answered_with_what_could_be_done() -> None:
    enc = book()
    for name, spot in (("Mara", (0, 0)), ("Vex", (3, 0)), ("Ilya", (5, 0))):
        enc.place(name, at=spot)
    enc.condition("Ilya", "grappled")
    enc.do("Mara", "attack", target="Vex", option="ranged")
    vex, ilya = answers(enc, "Vex"), answers(enc, "Ilya")
    assert "resist" in ilya
    assert "resist" not in vex, "nothing holds them"
    assert "counter_attack" not in vex, "Mara is out of their reach"
    assert "trip" not in vex, "so she is out of a trip's"
    assert refused(enc, "Vex", "trip", target="Mara").reason == "Mara is 3 metres away; Trip reaches 2 metres."
    for name in ("Vex", "Ilya"):
        assert set(answers(enc, name)) <= {option.action for option in enc.options(name) if option.allowed}
    enc.place("Mara", at=(1, 0))
    assert "trip" in answers(enc, "Vex"), "what changes within the window is seen"


# ── aim ──


def aimed(enc: ck.Encounter, name: str = "Mara") -> int:
    """Give the bonus somebody has aimed to."""
    return sum(c.value["bonus"] for c in enc[name].conditions if c.id == "aim")


def test_aim_adds_10_a_time_to_30_and_goes_with_the_shot() -> None:
    enc = book(Mara={"ap": 4, "attack_bonus": 6}, Vex={"defense": 40})
    for bonus in (10, 20, 30):
        enc.do("Mara", "aim")
        assert aimed(enc) == bonus
    assert refused(enc, "Mara", "aim").rule == "ap.book.aim"
    assert enc.can("Mara", "attack", target="Vex", option="ranged").notation == "1d20+36"
    assert enc.can("Mara", "attack", target="Vex", option="melee").notation == "1d20+6"
    shot = last(through(enc, "Mara", "attack", target="Vex", option="ranged", rolls=[4]), "attack")
    assert (shot.amount, shot.data["outcome"]) == (40, "hit")
    assert shot.data["modifiers"] == {"attack bonus": 6, "aim": 30}
    assert aimed(enc) == 0


def test_nobody_aims_with_what_only_strikes_hand_to_hand() -> None:
    arms = [{"name": "Sword", "range": "melee"}, {"name": "bow", "range": 60}]
    enc = fight({"Mara": 14, "Vex": 12}, options={"actions": "book"}, Mara={"weapons": arms})
    refusal = refused(enc, "Mara", "aim", weapon="sword")
    assert refusal.reason == "Aiming helps the next ranged attack, and the Sword is for melee."
    assert refusal.rule == "ap.book.aim"
    assert enc.can("Mara", "aim", weapon="bow").allowed
    assert enc.can("Mara", "aim", weapon="a spell").allowed, "the sheet says nothing against it"


def test_aim_goes_on_across_rounds() -> None:
    enc = book()
    enc.do("Mara", "aim")
    to(enc, "Mara", 2)
    enc.do("Mara", "aim")
    assert aimed(enc) == 20


@pytest.mark.parametrize(
    ("action", "given"),
    [
        ("dash", {}),
        ("attack", {"target": "Vex", "option": "melee"}),
        ("attack", {"target": "Vex", "option": "ranged", "weapon": "knife"}),
        ("aim", {"weapon": "knife"}),
    ],
)
def test_aim_is_lost_with_anything_else(action: str, given: dict[str, Any]) -> None:
    enc = book()
    enc.do("Mara", "aim", weapon="bow")
    events = through(enc, "Mara", action, **given)
    assert "ap.book.aim.broken" in last(events, "effect_end").rules
    assert aimed(enc) == (10 if action == "aim" else 0)


def test_no_word_of_the_gms_takes_an_aim_beyond_its_most() -> None:
    enc = book(Mara={"ap": 9})
    for bonus in (10, 20, 30, 30):
        enc.do("Mara", "aim", override=True)
        assert aimed(enc) == bonus


@pytest.mark.parametrize(("reach", "range", "far"), [(1, 1, False), (1, 2, True), (2, 2, False)])
def test_what_reaches_no_farther_than_an_arm_is_no_shot(reach: int, range: int, far: bool) -> None:
    jab = {"id": "jab", "title": "Jab", "type": "primary", "tags": ["attack"], "range": range}
    enc = book(rows=[jab], Mara={"reach": reach})
    enc.do("Mara", "aim")
    events = through(enc, "Mara", "jab", target="Vex")
    assert ("ap.book.aim.broken" in last(events, "effect_end").rules) is not far


def test_a_reaction_breaks_the_aim_and_a_free_action_does_not() -> None:
    enc = book()
    enc.do("Mara", "aim")
    enc.do("Mara", "free_action", option="shouts")
    assert aimed(enc) == 10
    enc.end_turn()
    enc.do("Vex", "attack", target="Mara")
    enc.do("Mara", "block", outcome="failed")
    assert aimed(enc) == 0


def test_a_shot_that_is_foiled_has_used_up_the_aim() -> None:
    enc = book(Mara={"attack_bonus": 6})
    enc.do("Mara", "aim")
    enc.do("Mara", "attack", target="Vex", option="ranged")
    assert aimed(enc) == 10
    enc.do("Vex", "evade", outcome="foiled")
    enc.resolve()
    assert aimed(enc) == 0


# ── turns that are put off or skipped ──


def test_a_delayed_turn_costs_nothing_and_is_taken_when_it_comes_about() -> None:
    enc = book()
    enc.do("Mara", "delay", trigger="Vex draws")
    assert (enc.active, points(enc, "Mara")) == ("Vex", [3])
    enc.do("Vex", "dash")
    assert not enc.can("Mara", "act_now").allowed
    enc.end_turn()
    assert enc.active == "Ilya"
    enc.do("Mara", "act_now")
    assert (enc.active, points(enc, "Mara")) == ("Mara", [3])
    assert [rung.combatant for rung in enc.order] == ["Vex", "Mara", "Ilya"]
    enc.end_turn()
    assert enc.active == "Ilya"


def test_a_delayed_turn_that_is_not_taken_is_lost_with_its_points() -> None:
    enc = book()
    enc.do("Mara", "delay")
    to(enc, "Ilya")
    enc.do("Mara", "evade", trigger="a beam falls")
    assert points(enc, "Mara") == [2]
    to(enc, "Mara", 2)
    assert points(enc, "Mara") == [3]
    assert "ap.book.delay.lost" in last(log(enc), "effect_end").rules
    assert [e.actor for e in log(enc) if e.kind == "turn_lost"] == ["Mara"]


def test_who_has_acted_can_put_nothing_off() -> None:
    enc = book()
    enc.do("Mara", "dash")
    assert "already acted" in refused(enc, "Mara", "delay").reason
    assert refused(enc, "Mara", "defensive_stance").rule == "ap.book.stance"


def test_a_defensive_stance_saves_a_point_for_a_reaction_to_the_end_of_the_round() -> None:
    enc = book(Mara={"ap": 1})
    enc.do("Mara", "defensive_stance")
    assert (enc.active, points(enc, "Mara"), conditions(enc, "Mara")) == ("Vex", [0], ["saved_ap"])
    enc.do("Vex", "attack", target="Mara")
    assert "Mara" in offered(enc)
    enc.do("Mara", "block", outcome="failed")
    enc.resolve()
    assert conditions(enc, "Mara") == []
    enc.do("Vex", "attack", target="Mara")
    assert refused(enc, "Mara", "block").rule == "ap.react.needs-ap"


def test_a_point_saved_by_hand_is_one_for_a_reaction_before_the_round_ends() -> None:
    enc = book()
    with pytest.raises(ck.InvalidInput, match="condition saved_ap: value is 2; one point is saved"):
        enc.condition("Vex", "saved_ap", value=2)
    enc.condition("Vex", "saved_ap")
    assert "has saved 1 AP until the end of the round (by the GM)" in str(enc.log())
    enc.adjust("Vex", "ap", -3)
    enc.do("Mara", "attack", target="Vex", outcome="hit", damage=1)
    assert enc.can("Vex", "parry").allowed
    enc.do("Vex", "parry", outcome="foiled")
    assert "saved_ap" not in conditions(enc, "Vex")
    enc.resolve()
    enc.condition("Vex", "saved_ap")
    enc.next_round()
    assert "saved_ap" not in conditions(enc, "Vex")
    with pytest.raises(ck.InvalidInput, match="condition saved_ap: no action of this fight saves a point"):
        fight().condition("Vex", "saved_ap")


def test_a_saved_point_is_for_no_action_and_is_lost_with_the_round() -> None:
    enc = book(Mara={"ap": 1}, options={"ap_refresh": "turn"})
    to(enc, "Mara", 2)
    enc.do("Mara", "defensive_stance")
    to(enc, "Vex", 2)
    assert "saved_ap" in conditions(enc, "Mara")
    to(enc, "Mara", 3)
    assert conditions(enc, "Mara") == []
    lost = next(e for e in log(enc) if e.kind == "effect_end" and e.data["id"] == "saved_ap")
    assert {"ap.book.stance", "ap.end.effects"} <= set(lost.rules)


def test_a_defensive_stance_off_turn_by_the_gms_word_ends_nobodys_turn() -> None:
    enc = book()
    enc.do("Vex", "defensive_stance", override=True)
    assert (enc.active, conditions(enc, "Vex")) == ("Mara", ["saved_ap"])


def test_a_defensive_stance_ends_as_its_owner_leaves() -> None:
    enc = book(Mara={"ap": 1})
    enc.do("Mara", "defensive_stance")
    assert "loses the saved AP" in [e.text for e in enc.leave("Mara")]
    enc.join("Mara")
    assert (conditions(enc, "Mara"), points(enc, "Mara")) == ([], [0])
    enc.do("Vex", "attack", target="Mara")
    assert refused(enc, "Mara", "block").rule == "ap.react.needs-ap"


# ── what only the table knows ──


def test_resist_ends_what_the_gm_says() -> None:
    enc = book()
    assert refused(enc, "Mara", "resist").reason == "Mara is not restrained, grappled or blinded."
    for id in ("grappled", "blinded"):
        enc.condition("Mara", id)
    enc.do("Mara", "resist")
    assert enc.pending[0].choices == ("grappled", "blinded", "nothing")
    enc.resolve(answer=["grappled"])
    assert conditions(enc, "Mara") == ["blinded"]
    enc.do("Mara", "resist", outcome="failed")
    assert conditions(enc, "Mara") == ["blinded"]
    enc.do("Mara", "resist", outcome="hit")
    assert conditions(enc, "Mara") == []


def test_a_contest_that_is_won_brings_what_it_says_after_reactions_to_it() -> None:
    enc = book()
    enc.do("Mara", "trip", target="Vex")
    assert offered(enc) == ["Vex", "Ilya"]
    enc.resolve()
    assert (enc.pending[0].who, enc.pending[0].choices) == ("GM", ("wins", "loses"))
    enc.resolve(answer="wins")
    assert conditions(enc, "Vex") == ["prone"]
    through(enc, "Mara", "blind_opponent", target="Vex", outcome="hit")
    assert conditions(enc, "Vex") == ["prone", "blinded"]
    enc.do("Mara", "hide")
    enc.resolve(answer="loses")
    assert conditions(enc, "Mara") == []
    to(enc, "Mara", 2)
    assert conditions(enc, "Vex") == ["prone"]


def test_a_contest_that_is_foiled_asks_nothing() -> None:
    enc = book()
    enc.do("Mara", "trip", target="Vex")
    ruling = refused(enc, "Vex", "evade", outcome="foiled")
    assert (ruling.reason, ruling.rule) == ("Evade answers an attack, and trip isn't one.", "ap.book.defend")
    enc.do("Vex", "cast_magic", outcome="foiled")
    enc.resolve()
    assert (enc.pending, conditions(enc, "Vex")) == ((), [])


def test_a_coup_de_grace_kills_the_helpless_only() -> None:
    enc = book()
    enc.condition("Vex", "restrained")
    assert refused(enc, "Mara", "coup_de_grace", target="Vex").rule == "ap.book.coup"
    enc.condition("Vex", "prone")
    through(enc, "Mara", "coup_de_grace", target="Vex", outcome="failed")
    assert "dead" not in conditions(enc, "Vex")
    through(enc, "Mara", "coup_de_grace", target="Vex")
    assert "dead" in conditions(enc, "Vex")


def test_a_delay_is_for_one_round() -> None:
    enc = ck.Encounter("ap", seed=1, options={"actions": "book"})
    for name, rating in (("Ada", 6), ("Orc", 4), ("Bes", 1)):
        enc.add(name, side=name, initiative_rating=rating)
    enc.start(rolls={"Ada": 4, "Orc": 4, "Bes": 4})
    before = [(rung.combatant, rung.initiative) for rung in enc.order]
    enc.end_turn()
    enc.do("Orc", "delay")
    enc.end_turn()
    (moved,) = [e for e in enc.do("Orc", "act_now") if e.kind == "order"]
    assert moved.rules == ("ap.book.delay.act",)
    enc.end_turn()
    assert (enc.clock.round, enc.active) == (2, "Ada")
    assert [(rung.combatant, rung.initiative) for rung in enc.order] == before
    order = []
    for _ in range(3):
        order.append(enc.active)
        enc.end_turn()
    assert (order, enc.clock.round) == (["Ada", "Orc", "Bes"], 3)


def test_a_delay_into_the_next_round_ends_with_it() -> None:
    enc = book()
    before = [(rung.combatant, rung.initiative) for rung in enc.order]
    late = before[1][0]
    while enc.active != late:
        enc.end_turn()
    enc.do(late, "delay")
    while enc.clock.round == 1:
        enc.end_turn()
    enc.do(late, "act_now")
    assert enc.order[0].combatant == late
    while enc.clock.round == 2:
        enc.end_turn()
    assert [(rung.combatant, rung.initiative) for rung in enc.order] == before


def test_a_coup_de_grace_is_judged_again_before_it_falls() -> None:
    enc = book()
    enc.condition("Vex", "unconscious")
    enc.do("Mara", "coup_de_grace", target="Vex")
    enc.condition("Vex", "unconscious", off=True)
    while enc.pending:
        enc.resolve()
    assert "dead" not in {condition.id for condition in enc["Vex"].conditions}


@pytest.mark.parametrize("action", ["disarm", "force_movement", "feint"])
def test_what_is_a_contest_is_asked_of_the_table(action: str) -> None:
    enc = book()
    enc.do("Mara", action, target="Vex")
    while enc.pending and enc.pending[0].who != "GM":
        enc.resolve()
    assert enc.pending[0].choices == ("wins", "loses")


def test_a_feint_is_a_secondary_action_and_may_answer() -> None:
    enc = book()
    enc.do("Mara", "attack", target="Vex", option="melee")
    assert enc.can("Vex", "feint", target="Mara").allowed


def feint(enc: ck.Encounter, name: str, answer: str, **params: Any) -> None:
    """Let somebody feint, and say how it comes out."""
    enc.do(name, "feint", **params)
    while enc.pending[0].who != "GM":
        enc.resolve()
    enc.resolve(answer=answer)


def test_a_feint_that_is_won_helps_the_next_melee_attack_on_its_target() -> None:
    enc = book()
    feint(enc, "Mara", "wins", target="Vex")
    assert log(enc)[-1].text == "has an advantage on the next melee attack on Vex"
    assert [(c.id, c.value, c.rule) for c in enc["Mara"].conditions] == [("upper_hand", "Vex", "ap.book.feint")]
    to(enc, "Mara", 2)
    through(enc, "Mara", "attack", target="Ilya", option="melee")
    through(enc, "Mara", "cast_magic", target="Vex")
    assert conditions(enc, "Mara") == ["upper_hand"], "on somebody else, or no attack"
    ended = last(through(enc, "Mara", "attack", target="Vex", option="melee"), "effect_end")
    assert (ended.text, ended.rules) == ("attacks Vex at an advantage", ("ap.book.feint",))
    assert conditions(enc, "Mara") == []


def test_an_advantage_on_somebody_by_the_gms_word_says_on_whom() -> None:
    enc = book()
    whom = r'say whom, as in condition\("Mara", "upper_hand", value="NAME"\)'
    for value, says in ((None, whom), ("Nobody", "give who else"), ("Mara", "give who else")):
        with pytest.raises(ck.InvalidInput, match=says):
            enc.condition("Mara", "upper_hand", value=value)
    enc.condition("Mara", "upper_hand", value="Vex")
    to(enc, "Mara", 2)
    through(enc, "Mara", "attack", target="Vex", option="melee")
    assert conditions(enc, "Mara") == []


def test_a_shot_leaves_the_advantage_of_a_feint_as_it_is() -> None:
    enc = book()
    feint(enc, "Mara", "wins", target="Vex")
    through(enc, "Mara", "attack", target="Vex", option="ranged")
    assert conditions(enc, "Mara") == ["upper_hand"]


@pytest.mark.parametrize("own", [True, False], ids=["on their own turn", "as an answer"])
def test_a_feint_lasts_to_the_end_of_the_winners_next_turn(own: bool) -> None:
    enc = book()
    if own:
        to(enc, "Vex")
        feint(enc, "Vex", "wins", target="Mara")
    else:
        to(enc, "Ilya")
        enc.do("Ilya", "attack", target="Vex", option="melee")
        feint(enc, "Vex", "wins", target="Ilya")
        enc.resolve()
    to(enc, "Vex", 2)
    assert conditions(enc, "Vex") == ["upper_hand"]
    enc.end_turn()
    assert conditions(enc, "Vex") == []
    assert "no longer has an advantage on the next melee attack" in [event.text for event in log(enc)]


def test_a_feint_that_is_lost_gives_nothing_and_one_won_again_lasts_anew() -> None:
    enc = book()
    feint(enc, "Mara", "loses", target="Vex")
    assert conditions(enc, "Mara") == []
    feint(enc, "Mara", "wins", target="Vex")
    to(enc, "Mara", 2)
    feint(enc, "Mara", "wins", target="Vex")
    to(enc, "Mara", 3)
    assert conditions(enc, "Mara") == ["upper_hand"]
    enc.end_turn()
    assert conditions(enc, "Mara") == []
