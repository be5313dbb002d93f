"""Action points: the types of actions, what they cost, and how several go together."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import combatkit as ck
from combatkit.report.lines import LogLines
from combatkit.rules.case import Case
from combatkit.systems.ap.ruleset import ActionPoints
from tests.systems.ap_table import fight, last, log, offered, points, through, to
from tests.systems.table import holds, refused

AP = ck.ruleset("ap")
WARD = {"id": "bind_ward", "title": "Bind the ward", "type": "primary", "cost": 5}


def of_type(type: str) -> set[str]:
    return {action.id for action in AP.actions if action.cost == type}


@pytest.mark.rule("ap.act.def")
def test_everything_a_character_can_do_is_an_action_of_one_type() -> None:
    assert AP.rules["ap.act.def"].kind == "definition"
    assert of_type("primary") | of_type("secondary") | of_type("reaction") | of_type("free") == set(AP.actions.ids())
    assert {"attack", "grapple", "disengage", "defensive_stance", "all_out_attack"} <= of_type("primary")
    assert {"aim", "dash", "hide", "ready_weapon", "cast_magic"} <= of_type("secondary")
    assert {"parry", "evade", "counter_attack", "resist"} == of_type("reaction")
    assert all("ours" in action.tags for action in AP.actions)


@pytest.mark.rule("ap.act.max")
@pytest.mark.parametrize("most", [0, 1, 4])
def test_the_maximum_of_points_is_how_often_one_can_act(most: int) -> None:
    enc = fight(Mara={"ap": most})
    done = 0
    while enc.can("Mara", "dash").allowed:
        enc.do("Mara", "dash")
        done += 1
    assert done == most


@pytest.mark.rule("ap.act.min-cost")
def test_what_is_not_free_costs_one_point_unless_stated_otherwise() -> None:
    rows: list[dict[str, Any]] = [{"id": "climb", "title": "Climb"}, {"id": "nod", "title": "Nod", "cost": 0}]
    enc = fight(rows=rows)
    costs = {option.action: option.cost for option in enc.options("Mara")}
    assert (costs["climb"], costs["nod"], costs["attack"], costs["all_out_attack"]) == ("1 AP", "0 AP", "1 AP", "2 AP")
    enc.do("Mara", "climb")
    assert points(enc, "Mara") == [2]
    enc.do("Mara", "nod")
    assert points(enc, "Mara") == [2]


@pytest.mark.rule("ap.act.no-debt")
def test_without_points_nothing_that_costs_any_is_possible() -> None:
    enc = fight(Mara={"ap": 1})
    enc.do("Mara", "dash")
    for action in ("attack", "all_out_attack", "dash"):
        params = {"target": "Vex"} if "attack" in action else {}
        ruling = refused(enc, "Mara", action, **params)
        assert ruling.rule == "ap.act.no-debt"
    assert refused(enc, "Mara", "dash").reason == "Takes 1 AP; Mara has 0 until the next round."
    assert enc.can("Mara", "speak").allowed


@pytest.mark.rule("ap.primary.own-turn", "ap.primary.instigator")
def test_a_primary_action_is_for_ones_own_turn_and_never_a_reaction() -> None:
    enc = fight()
    ruling = refused(enc, "Vex", "attack", target="Mara")
    assert ruling.rule == "ap.primary.own-turn"
    assert "ap.primary.instigator" in ruling.rules
    enc.do("Mara", "attack", target="Vex")
    assert "attack" not in enc.pending[0].actions
    assert refused(enc, "Vex", "attack", target="Mara").rule == "ap.primary.own-turn"
    with pytest.raises(ck.InvalidInput, match="trigger"):
        enc.do("Vex", "attack", target="Mara", trigger="she strikes")


@pytest.mark.rule("ap.primary.any-number")
def test_any_number_of_primary_actions_as_points_permit() -> None:
    enc = fight(Mara={"ap": 4})
    for _ in range(4):
        through(enc, "Mara", "attack", target="Vex")
    assert refused(enc, "Mara", "attack", target="Vex").rule == "ap.act.no-debt"


@pytest.mark.rule("ap.primary.any-number")
@pytest.mark.parametrize(("cap", "attacks"), [(None, 5), (2, 2), (3, 3)])
def test_the_published_limit_of_attacks_is_an_option(cap: int | None, attacks: int) -> None:
    enc = fight(options={"max_attacks": cap}, Mara={"ap": 5})
    for _ in range(attacks):
        through(enc, "Mara", "attack", target="Vex")
    ruling = refused(enc, "Mara", "attack", target="Vex")
    assert ruling.rule == ("ap.act.no-debt" if cap is None else "ap.primary.any-number")
    assert enc.can("Mara", "grapple", target="Vex").allowed is (cap is not None)
    to(enc, "Mara", 2)
    assert enc.can("Mara", "attack", target="Vex").allowed


@pytest.mark.rule("ap.primary.any-number")
def test_the_limit_of_attacks_counts_no_reaction() -> None:
    enc = fight(options={"max_attacks": 1}, Mara={"ap": 1}, Vex={"ap": 3})
    enc.do("Mara", "attack", target="Vex")
    enc.do("Vex", "counter_attack")
    enc.resolve()
    enc.end_turn()
    through(enc, "Vex", "attack", target="Mara")
    assert refused(enc, "Vex", "attack", target="Mara").rule == "ap.primary.any-number"


@pytest.mark.rule("ap.primary.any-number")
@pytest.mark.parametrize("cap", [-1, 1.5, "two", True])
def test_the_limit_of_attacks_is_a_whole_number(cap: Any) -> None:
    with pytest.raises(ck.InvalidInput, match="max_attacks"):
        fight(options={"max_attacks": cap})


@pytest.mark.rule("ap.primary.any-number", "ap.extended.span")
def test_the_limit_counts_an_extended_attack_when_it_is_made() -> None:
    enc = fight(options={"max_attacks": 2}, Mara={"ap": 3})
    through(enc, "Mara", "attack", target="Vex")
    through(enc, "Mara", "attack", target="Vex")
    assert refused(enc, "Mara", "all_out_attack", target="Vex").rule == "ap.primary.any-number"
    enc = fight(options={"max_attacks": 2}, Mara={"ap": 3})
    enc.do("Mara", "dash")
    enc.do("Mara", "dash")
    enc.do("Mara", "all_out_attack", target="Vex")
    assert enc["Mara"].progress == {"all_out_attack": ck.Progress(1, 2)}
    to(enc, "Mara", 2)
    through(enc, "Mara", "all_out_attack", target="Vex")
    through(enc, "Mara", "attack", target="Vex")
    assert refused(enc, "Mara", "attack", target="Vex").rule == "ap.primary.any-number"


# ── extended actions ──


@pytest.mark.rule("ap.extended.def")
def test_an_extended_action_needs_more_than_one_point() -> None:
    assert AP.rules["ap.extended.def"].kind == "definition"
    extended = {action.id for action in AP.actions if "ap.extended.def" in action.rules}
    assert extended == {"all_out_attack", "drink_potion"}
    enc = fight()
    through(enc, "Mara", "all_out_attack", target="Vex")
    assert points(enc, "Mara") == [1]
    assert (last(log(enc), "action").data["progress"], enc["Mara"].progress) == ([2, 2], {})


@pytest.mark.rule("ap.extended.def", "ap.extended.span")
def test_what_is_begun_at_somebody_is_finished_at_them_and_at_another_it_begins_anew() -> None:
    enc = fight()
    enc.join("Ossik", side="hunters")
    enc.do("Mara", "dash")
    enc.do("Mara", "dash")
    enc.do("Mara", "all_out_attack", target="Vex")
    to(enc, "Mara", 2)
    assert enc.can("Mara", "all_out_attack", target="Vex").cost == "an Action Point"
    assert enc.can("Mara", "all_out_attack", target="Ossik").cost == "2 AP"
    events = enc.do("Mara", "all_out_attack", target="Ossik")
    (given_up,) = [e for e in events if e.kind == "progress"]
    assert given_up.text == "gives up the all-out attack on Vex, begun before"
    assert given_up.rules == ("ap.extended.def",)
    assert (points(enc, "Mara"), enc["Mara"].progress) == ([1], {})
    enc.resolve()
    assert "completes the all-out attack" not in [e.text for e in log(enc)], "it was done at once"
    assert "gives up the all-out attack on Vex" in enc.log().markdown
    assert "0 of 2" not in enc.log().markdown
    enc.do("Mara", "all_out_attack", target="Vex")
    assert enc["Mara"].progress == {"all_out_attack": ck.Progress(1, 2)}, "what was paid for it before is lost"


@pytest.mark.rule("ap.extended.def", "ap.extended.span")
def test_what_was_begun_at_several_goes_on_at_those_who_are_left() -> None:
    enc = fight(rows=[{"id": "hail", "title": "Hail", "cost": 5, "tags": ["attack"]}])
    enc.do("Mara", "hail", target=["Vex", "Ilya"])
    enc.leave("Vex")
    to(enc, "Mara", 2)
    assert enc.can("Mara", "hail", target="Ilya").cost == "2 Action Points"


@pytest.mark.rule("ap.extended.span", "ap.act.no-debt")
def test_an_extended_action_is_begun_with_less_and_paid_over_turns() -> None:
    enc = fight(rows=[WARD])
    assert enc.can("Mara", "bind_ward").cost == "3 Action Points", "of 5, what this call spends"
    first = enc.do("Mara", "bind_ward")
    assert points(enc, "Mara") == [0]
    assert enc["Mara"].progress == {"bind_ward": ck.Progress(3, 5)}
    assert (first[0].data["progress"], first[0].data["completed"]) == ([3, 5], False)
    assert last(first, "progress").text == "has paid 3 of 5 AP for bind the ward"
    assert refused(enc, "Mara", "bind_ward").rule == "ap.act.no-debt"
    to(enc, "Mara", 2)
    assert enc["Mara"].progress == {"bind_ward": ck.Progress(3, 5)}
    assert enc.can("Mara", "bind_ward").cost == "2 Action Points"
    assert next(o.cost for o in enc.options("Mara") if o.action == "bind_ward") == "2 AP", "what is still due"
    second = enc.do("Mara", "bind_ward")
    assert points(enc, "Mara") == [1]
    assert (second[0].data["progress"], second[0].data["completed"]) == ([5, 5], True)
    assert enc["Mara"].progress == {}
    assert [event.text for event in second[1:]] == [
        "has paid 5 of 5 AP for bind the ward",
        "has finished: bind the ward",
    ]
    assert enc.log().markdown.count("(5 of 5)") == 1
    enc.do("Mara", "bind_ward")
    assert enc["Mara"].progress == {"bind_ward": ck.Progress(1, 5)}


@pytest.mark.rule("ap.extended.span")
def test_other_actions_may_come_between_and_several_may_be_under_way() -> None:
    enc = fight(rows=[WARD, {"id": "pick_lock", "title": "Pick lock", "cost": 4}], Mara={"ap": 2})
    enc.do("Mara", "bind_ward")
    to(enc, "Mara", 2)
    enc.do("Mara", "dash")
    enc.do("Mara", "pick_lock")
    to(enc, "Mara", 3)
    enc.do("Mara", "bind_ward")
    assert enc["Mara"].progress == {"bind_ward": ck.Progress(4, 5), "pick_lock": ck.Progress(1, 4)}
    to(enc, "Mara", 4)
    enc.do("Mara", "bind_ward")
    assert enc["Mara"].progress == {"pick_lock": ck.Progress(1, 4)}


@pytest.mark.rule("ap.extended.span")
def test_an_extended_attack_strikes_and_threatens_only_when_it_is_paid() -> None:
    enc = fight(Mara={"ap": 1, "attack_bonus": 5}, Vex={"defense": 10, "hp": 20})
    events = enc.do("Mara", "all_out_attack", target="Vex", damage=7)
    assert [e.kind for e in events] == ["action", "progress"]
    assert enc.pending == ()
    to(enc, "Mara", 2)
    enc.do("Mara", "all_out_attack", target="Vex", damage=7, rolls=[10])
    assert offered(enc) == ["Vex", "Ilya"]
    assert enc["Vex"].values["hp"] == 20
    enc.resolve()
    assert enc["Vex"].values["hp"] == 13


@pytest.mark.rule("ap.extended.span", "ap.act.no-debt")
def test_one_marked_for_a_single_turn_is_paid_at_once_or_not_at_all() -> None:
    enc = fight(rows=[{"id": "leap", "title": "Leap", "cost": 3, "single_turn": True}])
    enc.do("Mara", "dash")
    ruling = refused(enc, "Mara", "leap")
    assert (ruling.rule, ruling.reason) == ("ap.act.no-debt", "Takes 3 AP; Mara has 2 until the next round.")
    to(enc, "Mara", 2)
    enc.do("Mara", "leap")
    assert (points(enc, "Mara"), enc["Mara"].progress) == ([0], {})


@pytest.mark.rule("ap.act.no-debt", "ap.extended.span")
def test_a_reaction_of_two_points_is_not_begun_with_one() -> None:
    enc = fight(Vex={"ap": 1})
    enc.do("Mara", "attack", target="Vex")
    assert "drink_potion" not in enc.pending[0].actions
    assert "drink_potion" in enc.pending[1].actions
    assert refused(enc, "Vex", "drink_potion").rule == "ap.react.needs-ap"
    enc.do("Ilya", "drink_potion")
    assert points(enc, "Vex", "Ilya") == [1, 1]
    enc.resolve()
    assert refused(enc, "Vex", "drink_potion", trigger="he feels faint").rule == "ap.react.needs-ap"


@pytest.mark.rule("ap.extended.span")
def test_the_gm_may_let_an_extended_action_be_done_without_the_points() -> None:
    enc = fight(rows=[WARD], Mara={"ap": 1})
    enc.do("Mara", "dash")
    (event, *_) = enc.do("Mara", "bind_ward", override=True)
    assert (event.data["progress"], event.data["completed"], event.by) == ([5, 5], True, "gm")
    assert "ap.act.no-debt" in event.data["overruled"]
    assert (points(enc, "Mara"), enc["Mara"].progress) == ([0], {})


# ── secondary actions ──


@pytest.mark.rule("ap.secondary.when")
def test_a_secondary_action_is_for_ones_own_turn_or_a_reaction() -> None:
    enc = fight()
    enc.do("Mara", "dash")
    assert refused(enc, "Vex", "dash").rule == "ap.secondary.when"
    enc.do("Vex", "hide", trigger="Mara runs at him")
    assert points(enc, "Mara", "Vex") == [2, 2]
    assert enc.pending == ()
    enc.do("Mara", "attack", target="Vex")
    enc.do("Vex", "dash")
    enc.resolve()
    assert points(enc, "Mara", "Vex") == [1, 1]


@pytest.mark.rule("ap.secondary.any-number")
def test_any_number_of_secondary_actions() -> None:
    enc = fight(Mara={"ap": 5})
    for action in ("dash", "aim", "hide", "dash", "ready_weapon"):
        enc.do("Mara", action)
    assert refused(enc, "Mara", "dash").rule == "ap.act.no-debt"


# ── special actions ──


def brawl(**options: Any) -> ck.Encounter:
    return fight(options=options, Mara={"style_advantages": ["trip", "Force movement"]})


@pytest.mark.rule("ap.special.typed")
def test_a_special_action_follows_the_rules_of_its_type() -> None:
    special = {action.id: action.cost for action in AP.actions if "special" in action.tags}
    assert special == {
        "bash": "primary", "disarm": "primary", "feint": "primary", "force_movement": "primary",
        "arise": "secondary", "blind_opponent": "secondary", "trip": "secondary", "resist": "reaction",
    }  # fmt: skip
    enc = fight()
    for action in ("bash", "disarm", "feint", "force_movement", "blind_opponent", "trip"):
        assert "needs a target" in refused(enc, "Mara", action).reason
    assert refused(enc, "Vex", "bash", target="Mara").rule == "ap.primary.own-turn"
    assert refused(enc, "Mara", "resist").rule == "ap.react.purpose"
    through(enc, "Mara", "bash", target="Vex")
    assert points(enc, "Mara") == [2]
    enc.do("Mara", "attack", target="Vex")
    assert {"trip", "resist"} <= set(enc.pending[0].actions)
    assert "bash" not in enc.pending[0].actions
    enc.do("Vex", "trip", target="Mara")
    assert points(enc, "Vex") == [2]


@pytest.mark.rule("ap.special.advantage")
def test_a_special_action_is_taken_through_advantage() -> None:
    enc = brawl()
    assert refused(enc, "Mara", "trip", target="Vex", pay="advantage").rule == "ap.special.advantage"
    enc.condition("Mara", "advantage")
    assert enc["Mara"].conditions[0].rule == "ap.special.advantage"
    enc.do("Mara", "trip", target="Vex", pay="advantage")
    assert holds(enc, "Mara") == set()
    enc.resolve()
    assert refused(enc, "Mara", "trip", target="Vex", pay="advantage").rule == "ap.special.advantage"
    assert refused(enc, "Mara", "dash", pay="advantage").rule == "ap.special.advantage"
    assert enc.can("Mara", "trip", target="Vex").allowed
    unknown = refused(enc, "Mara", "trip", target="Vex", pay="gold")
    assert (unknown.reason, unknown.rules) == ("Trip can't be paid from 'gold'.", ())  # no rule speaks of it


@pytest.mark.rule("ap.special.advantage")
def test_each_of_several_advantages_is_spent_by_itself_and_the_last_is_told_without_a_number() -> None:
    enc = brawl()
    enc.condition("Mara", "advantage", value=3)
    held = []
    for _ in range(3):
        through(enc, "Mara", "trip", target="Vex", pay="advantage", outcome="failed")
        held.append([condition.value for condition in enc["Mara"].conditions])
    assert held == [[2], [None], []]


@pytest.mark.rule("ap.special.style")
def test_only_what_the_combat_style_includes_is_taken_through_advantage() -> None:
    enc = brawl()
    enc.condition("Mara", "advantage")
    ruling = refused(enc, "Mara", "bash", target="Vex", pay="advantage")
    assert (ruling.rule, ruling.reason) == ("ap.special.style", "Bash isn't one of Mara's Special Advantages.")
    assert enc.can("Mara", "force_movement", target="Vex", pay="advantage").allowed
    values = {c.value: c.ruling.allowed for c in enc.choices("Mara", "bash", target="Vex") if c.param == "pay"}
    assert values == {"ap": True, "advantage": False}


@pytest.mark.rule("ap.special.advantage", "ap.special.typed")
def test_through_advantage_a_special_action_is_bound_to_no_turn() -> None:
    enc = fight(Vex={"style_advantages": ["bash"]})
    enc.condition("Vex", "advantage")
    enc.do("Mara", "attack", target="Vex")
    assert refused(enc, "Vex", "bash", target="Mara").rule == "ap.primary.own-turn"
    enc.do("Vex", "bash", target="Mara", pay="advantage")
    assert points(enc, "Vex") == [3]
    enc.do("Vex", "parry", outcome="failed")
    enc.resolve()
    assert points(enc, "Vex") == [2]


@pytest.mark.rule("ap.special.advantage", "ap.react.purpose")
def test_what_is_done_through_advantage_on_anothers_turn_is_reacted_to_by_the_active_one_too() -> None:
    enc = fight(Vex={"style_advantages": ["bash"]})
    enc.condition("Vex", "advantage")
    enc.do("Vex", "bash", target="Mara", pay="advantage")
    assert {o.who for o in enc.pending} == {"Mara", "Ilya"}
    enc.do("Mara", "resist", outcome="failed")
    enc.resolve()
    assert (enc.active, points(enc, "Vex"), points(enc, "Mara")) == ("Mara", [3], [2])


@pytest.mark.rule("ap.special.advantage")
def test_advantage_buys_no_action_that_is_not_special() -> None:
    enc = fight(rows=[{"id": "sing", "title": "Sing"}], Mara={"style_advantages": ["dash", "attack", "sing"]})
    enc.condition("Mara", "advantage")
    for action, params in (("dash", {}), ("attack", {"target": "Vex"}), ("sing", {})):
        ruling = refused(enc, "Mara", action, pay="advantage", **params)
        assert ruling.rule == "ap.special.advantage"
        assert "Advantage pays only for Special Actions" in ruling.reason


@pytest.mark.rule("ap.special.advantage", "ap.multi.resolve-reactions-first")
def test_even_through_advantage_the_active_one_waits_for_the_reactions() -> None:
    enc = brawl()
    enc.condition("Mara", "advantage")
    enc.do("Mara", "attack", target="Vex")
    ruling = refused(enc, "Mara", "trip", target="Vex", pay="advantage")
    assert ruling.rule == "ap.multi.resolve-reactions-first"


@pytest.mark.rule("ap.special.advantage-cost")
@pytest.mark.parametrize(("option", "left"), [("free", 3), ("ap", 2)])
def test_whether_advantage_spares_the_points_is_an_option(option: str, left: int) -> None:
    enc = brawl(special_by_advantage=option)
    enc.condition("Mara", "advantage")
    enc.do("Mara", "trip", target="Vex", pay="advantage")
    assert (points(enc, "Mara"), holds(enc, "Mara")) == ([left], set())
    with pytest.raises(ck.InvalidInput, match="special_by_advantage"):
        brawl(special_by_advantage="half")


@pytest.mark.rule("ap.special.advantage-cost", "ap.act.no-debt")
def test_with_its_points_asked_for_an_advantage_alone_is_not_enough() -> None:
    for option, allowed in (("free", True), ("ap", False)):
        enc = fight(
            options={"special_by_advantage": option}, Mara={"ap": 1, "style_advantages": ["trip", "resist", "parry"]}
        )
        enc.condition("Mara", "advantage")
        enc.do("Mara", "dash")
        ruling = enc.can("Mara", "trip", target="Vex", pay="advantage")
        assert ruling.allowed is allowed
        assert allowed or ruling.rule == "ap.act.no-debt"


@pytest.mark.rule("ap.special.advantage")
@pytest.mark.parametrize("option", ["free", "ap"])
def test_with_points_and_no_advantage_it_is_the_advantage_that_lacks(option: str) -> None:
    enc = fight(options={"special_by_advantage": option}, Mara={"style_advantages": ["trip"]})
    ruling = enc.can("Mara", "trip", target="Vex", pay="advantage")
    assert (ruling.reason, ruling.rules) == ("Mara has no Advantage to spend.", ("ap.special.advantage",))


@pytest.mark.rule("ap.special.advantage")
def test_a_special_reaction_through_advantage_is_the_attempt_at_its_threat() -> None:
    enc = fight(Vex={"style_advantages": ["resist"]})
    enc.condition("Vex", "advantage")
    enc.do("Mara", "grapple", target="Vex")
    enc.do("Vex", "resist", pay="advantage", outcome="failed")
    assert points(enc, "Vex") == [3]
    assert refused(enc, "Vex", "evade").rule == "ap.react.one-per-threat"


@pytest.mark.rule("ap.react.purpose", "ap.special.typed")
def test_a_reaction_through_advantage_still_answers_something() -> None:
    enc = fight(Vex={"style_advantages": ["resist"]})
    enc.condition("Vex", "advantage")
    assert refused(enc, "Vex", "resist", pay="advantage").rule == "ap.react.purpose"
    enc.do("Vex", "resist", pay="advantage", trigger="the floor gives way")
    assert points(enc, "Vex") == [3]
    duck = {"id": "duck", "title": "Duck", "type": "secondary", "when": "reaction", "special": True}
    tail = fight(rows=[duck], Vex={"style_advantages": ["duck"]})
    tail.condition("Vex", "advantage")
    assert refused(tail, "Vex", "duck", pay="advantage").rule == "ap.secondary.when"


@pytest.mark.rule("ap.special.advantage", "ap.special.advantage-cost")
@pytest.mark.parametrize(
    ("option", "bash", "twice"), [("free", "Advantage", "Advantage"), ("ap", "1 AP + Advantage", "2 AP + Advantage")]
)
def test_through_advantage_an_action_has_another_price(option: str, bash: str, twice: str) -> None:
    rows = [{"id": "slam", "title": "Slam", "special": True, "cost": 2, "parameters": ["target"]}]
    enc = fight(options={"special_by_advantage": option}, rows=rows)
    state, rules = enc._state, ActionPoints()
    for action, by_points, through_it in (("bash", "1 AP", bash), ("slam", "2 AP", twice)):
        found = rules.catalogue(state)[action]
        cost, rule = rules.price(Case(rules, state, state.fighters["Mara"], found, {"pay": "advantage"}))
        assert (cost.title, rule) == (through_it, "ap.special.advantage")
        for pay in ({}, {"pay": "ap"}):
            cost, rule = rules.price(Case(rules, state, state.fighters["Mara"], found, pay))
            assert (cost.title, rule) == (by_points, "ap.primary.own-turn")


@pytest.mark.rule("ap.special.advantage", "ap.special.style", "ap.special.advantage-cost")
def test_what_is_done_through_advantage_rests_on_that_and_on_nothing_its_type_asks() -> None:
    enc = fight(Vex={"style_advantages": ["bash"]})
    enc.condition("Vex", "advantage")
    through_it = ("ap.special.advantage", "ap.special.style", "ap.special.advantage-cost")
    ruling = enc.can("Vex", "bash", target="Mara", pay="advantage")
    assert (ruling.rule, ruling.rules, ruling.cost) == (through_it[0], through_it, "Advantage")
    event = enc.do("Vex", "bash", target="Mara", pay="advantage")[0]
    assert (event.kind, event.rules) == ("action", through_it), "it is Mara's turn"
    assert (event.data["cost"], event.data["paid"]) == ("advantage", {"advantage:1": 1})


@pytest.mark.rule("ap.special.typed")
def test_arise_ends_being_prone_and_needs_it() -> None:
    enc = fight()
    assert not enc.can("Mara", "arise").allowed
    enc.condition("Mara", "prone")
    enc.do("Mara", "arise")
    assert (holds(enc, "Mara"), points(enc, "Mara")) == (set(), [2])


# ── free actions ──


@pytest.mark.rule("ap.free.any-time", "ap.free.zero")
def test_free_actions_are_open_at_any_time_and_cost_nothing() -> None:
    enc = fight()
    enc.do("Vex", "speak", note="there she is!")
    enc.do("Mara", "free_action", option="drop the torch")
    enc.do("Mara", "attack", target="Vex")
    enc.do("Mara", "speak")
    enc.do("Vex", "speak")
    enc.do("Ilya", "speak")
    assert offered(enc) == ["Vex", "Ilya"]
    enc.resolve()
    assert points(enc, "Mara", "Vex", "Ilya") == [2, 3, 3]
    enc.end_turn()
    enc.do("Mara", "speak")
    assert enc.active == "Vex"


@pytest.mark.rule("ap.free.zero")
def test_free_actions_are_open_without_a_point_left() -> None:
    enc = fight(Mara={"ap": 0})
    assert enc.can("Mara", "speak").cost == "Free"
    for _ in range(4):
        enc.do("Mara", "speak")
    assert AP.costs["free"].pay == ((),)


@pytest.mark.rule("ap.free.gm")
def test_the_gm_sees_in_the_log_what_was_done_for_free_in_six_seconds_and_takes_back_what_does_not_fit() -> None:
    enc = fight()
    enc.do("Mara", "free_action", option="recite the whole saga", note="really?")
    done = last(log(enc), "action")
    assert (done.data["params"], done.note, enc.clock.seconds) == ({"option": "recite the whole saga"}, "really?", 0)
    enc.undo()
    assert last(log(enc), "undo").by == "gm"
    assert AP.rules["ap.free.gm"].kind == "gm"


# ── several actions in a turn ──


@pytest.mark.rule("ap.multi.allowed")
def test_primary_and_secondary_actions_go_together_up_to_all_points() -> None:
    enc = fight(Mara={"ap": 5})
    enc.do("Mara", "dash")
    through(enc, "Mara", "attack", target="Vex")
    enc.do("Mara", "aim")
    through(enc, "Mara", "all_out_attack", target="Vex")
    assert points(enc, "Mara") == [0]
    assert [e.action for e in log(enc) if e.kind == "action"] == ["dash", "attack", "aim", "all_out_attack"]


@pytest.mark.rule("ap.multi.declare-singly", "ap.multi.resolve-reactions-first")
def test_the_next_is_declared_only_when_the_reactions_to_this_one_are_resolved() -> None:
    enc = fight()
    enc.do("Mara", "attack", target="Vex")
    for action, params in (("attack", {"target": "Ilya"}), ("dash", {}), ("all_out_attack", {"target": "Vex"})):
        assert refused(enc, "Mara", action, **params).rule == "ap.multi.resolve-reactions-first"
    with pytest.raises(ck.IllegalAction) as caught:
        enc.end_turn()
    assert caught.value.ruling.rule == "ap.multi.resolve-reactions-first"
    enc.do("Vex", "parry", outcome="failed")
    assert not enc.can("Mara", "dash").allowed
    enc.resolve()
    enc.do("Mara", "dash")
    declared = [e for e in log(enc) if e.kind == "action" and e.actor == "Mara"]
    assert [(e.action, e.data["paid"]) for e in declared] == [("attack", {"ap": 1}), ("dash", {"ap": 1})]


@pytest.mark.rule("ap.multi.adapt")
def test_later_actions_are_chosen_in_the_light_of_earlier_ones() -> None:
    enc = fight(Mara={"attack_bonus": 5}, Vex={"defense": 12, "hp": 10})
    enc.do("Mara", "attack", target="Vex", damage=4, rolls=[2])
    enc.do("Vex", "trip", target="Mara")
    missed = enc.resolve()
    assert last(missed, "attack").data["outcome"] == "miss"
    enc.condition("Mara", "prone")
    assert enc.can("Mara", "arise").allowed
    enc.do("Mara", "arise")
    hit = through(enc, "Mara", "attack", target="Vex", damage=4, rolls=[9])
    assert (last(hit, "attack").data["outcome"], enc["Vex"].values["hp"]) == ("hit", 6)


@pytest.mark.rule("ap.special.style")
def test_a_special_advantage_that_names_no_action_is_told() -> None:
    enc = fight(Mara={"style_advantages": ["disram", "Trip"]}, start=False)
    told = [e.text for e in log(enc) if e.kind == "combatant" and e.actor == "Mara"]
    assert told == ["is added (side: rebels); no rule here uses disram"]
    (event,) = enc.edit("Mara", style_advantages=["disarm"])
    assert event.text == "now has style advantages: disarm (was disram, Trip)"


@pytest.mark.rule("ap.special.advantage", "ap.react.needs-ap")
def test_what_an_advantage_pays_for_is_not_refused_for_points_it_does_not_take() -> None:
    enc = fight(Vex={"style_advantages": ["resist"]})
    enc.condition("Vex", "advantage")
    enc.adjust("Vex", "ap", -3)
    enc.do("Mara", "attack", target="Vex")
    assert (
        refused(enc, "Vex", "resist", pay="advantage").reason
        == "You can react only while you have AP left; Vex has 0 until the next round."
    )


def test_who_hides_from_an_attack_hides_nobody_else() -> None:
    enc = fight(options={"actions": "book"})
    enc.do("Mara", "attack", target="Vex", option="melee")
    enc.do("Vex", "hide")
    assert [offer.about for offer in enc.pending] == ["Vex tries to hide: does Vex win the contest?"]


def test_what_is_used_on_somebody_is_told_so() -> None:
    enc = fight(rows=[{"id": "slam", "title": "Slam", "tags": ["attack"]}])
    assert enc.do("Mara", "slam", target="Vex")[0].text == "uses slam on Vex"
    assert fight().do("Mara", "cast_magic", target="Vex")[0].text == "casts magic at Vex"


@pytest.mark.rule("ap.act.no-debt", "ap.act.min-cost")
def test_a_refusal_cites_only_what_is_against_it() -> None:
    enc = fight()
    enc.adjust("Mara", "ap", -3)
    assert refused(enc, "Mara", "attack", target="Vex").rules == ("ap.act.no-debt", "ap.act.min-cost")
    enc.adjust("Mara", "ap", 3)
    enc.condition("Vex", "dead")
    ruling = refused(enc, "Mara", "attack", target="Vex")
    assert (ruling.reason, ruling.rules) == ("Vex is dead.", ())


@pytest.mark.rule("ap.special.advantage")
def test_advantages_are_counted_and_spent_one_by_one() -> None:
    enc = brawl()
    enc.condition("Mara", "advantage")
    enc.condition("Mara", "advantage")
    assert enc["Mara"].conditions[0].value == 2
    said = through(enc, "Mara", "trip", target="Vex", pay="advantage")
    assert "spends an Advantage, 1 left" in [event.text for event in said]
    through(enc, "Mara", "trip", target="Vex", pay="advantage")
    assert refused(enc, "Mara", "trip", target="Vex", pay="advantage").rule == "ap.special.advantage"
    assert points(enc, "Mara") == [3]


@pytest.mark.rule("ap.special.advantage")
def test_a_number_says_how_many_advantages_somebody_has() -> None:
    enc = brawl()
    enc.condition("Mara", "advantage", value=3)
    through(enc, "Mara", "trip", target="Vex", pay="advantage")
    enc.condition("Mara", "advantage")
    for _ in range(3):
        through(enc, "Mara", "force_movement", target="Vex", pay="advantage")
    assert enc["Mara"].conditions == ()
    with pytest.raises(ck.InvalidInput, match="give how many they have, from 1 up"):
        enc.condition("Mara", "advantage", value=0)
    with pytest.raises(ck.InvalidInput, match="Mara has no Advantage"):
        enc.condition("Mara", "advantage", off=True)
    with pytest.raises(ck.InvalidInput, match="from 1 up, or off=True; words go in note"):
        enc.condition("Mara", "advantage", value="over Vex")


@pytest.mark.parametrize(
    ("by", "attack", "left"),
    [("Vex", [12, 3, 15], {"Guard": 12, "Ilya": 13}), ("Guard", [1, 9, 15], {"Vex": 26, "Ilya": 13})],
)
def test_dice_thrown_for_whoever_foils_it_are_for_nobody_else(by: str, attack: list[int], left: dict[str, int]) -> None:
    enc = ck.Encounter("ap", seed=1)
    enc.add("Mara", side="rebels", initiative_rating=9, attack_bonus=6)
    for name, defense, hp in (("Vex", 13, 26), ("Guard", 11, 12), ("Ilya", 12, 18)):
        enc.add(name, side="hunters", npc=True, defense=defense, hp=hp)
    enc.start(rolls=[6, 1, 1, 1])
    names = ["Vex", "Guard", "Ilya"]
    enc.do("Mara", "cast_magic", target=names, damage="1d6", rolls={"attack": attack, "damage": [4, 5, 6]})
    enc.do(by, "evade", outcome="foiled")
    struck = [(e.target, e.data["faces"]) for e in enc.resolve() if e.kind == "attack"]
    assert struck == [(name, [die]) for name, die in zip(names, attack, strict=True) if name != by]
    assert {name: enc[name].values["hp"] for name in left} == left


def test_a_blow_paid_over_two_turns_is_told_in_one_with_what_is_paid() -> None:
    enc = ck.Encounter("ap", seed=1)
    enc.add("Mara", side="rebels", initiative_rating=9, attack_bonus=6, ap=1)
    enc.add("Vex", side="hunters", npc=True, defense=13, hp=26)
    enc.start(rolls=[6, 1])
    enc.do("Mara", "all_out_attack", target="Vex")
    enc.next_round()
    enc.do("Mara", "all_out_attack", target="Vex", rolls=[15])
    enc.resolve()
    told = str(enc.log()).partition("## Round 2")[2]
    assert "**Mara** makes an all-out attack on Vex (2 of 2): 1d20" in told
    assert told.count("all-out attack") == 1


def test_a_completion_is_told_though_one_before_was_told_with_its_blow() -> None:
    enc = ck.Encounter("ap", seed=1)
    enc.add("Mara", side="rebels", initiative_rating=9, attack_bonus=6, ap=1)
    enc.add("Vex", side="hunters", npc=True, defense=13, hp=260)
    enc.start(rolls=[6, 1])
    for _ in range(2):
        enc.do("Mara", "all_out_attack", target="Vex")
        enc.next_round()
        enc.do("Mara", "all_out_attack", target="Vex", rolls=[15])
        enc.resolve()
        enc.next_round()
    events = enc._events
    paid = [e for e in events if e.kind == "progress" and e._data["completed"]][2]
    silent = [replace(e, kind="fact") if e is paid else e for e in events]  # nothing told it before others reacted
    lines = LogLines(enc.ruleset, players=False)
    lines.read(silent, enc._events.begins, enc._state, {})
    assert [line["text"] for line in lines.lines].count(["completes the all-out attack."]) == 1
