"""Phases: attack rolls, manoeuvres, reach and range."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import combatkit as ck
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.case import Case
from tests.systems.phases_table import CLOSE, FOUR, attack, cited, fight, opportunities, question, to
from tests.systems.table import holds, refused

ROWS = [
    {"id": "lunge", "title": "Lunge", "ocv": 2, "dcv": -1},
    {"id": "press", "title": "Press", "ocv": 3, "dcv": 1},
    {"id": "wild", "title": "Wild swing", "ocv": -1, "dcv": -2},
    {"id": "wary", "title": "Wary blow", "ocv": -2, "dcv": 2},
    {"id": "bow", "title": "Bow", "ocv": 1, "dcv": 0, "ranged": True, "range": 12},
]
TABLES = {"manoeuvres": ROWS}


@pytest.mark.rule("phases.atk.when", "phases.atk.roll", "phases.atk.target")
def test_an_attack_is_one_roll_of_3d6_and_ocv_against_10_and_dcv() -> None:
    enc = fight(Vex={"ocv": 7}, Mara={"dcv": 4})
    ruling = enc.can("Vex", "strike", target="Mara")
    assert (ruling.notation, ruling.needed) == ("3d6+7", 14)
    data = attack(enc.do("Vex", "strike", target="Mara", rolls=[2, 1, 3]))
    assert data["faces"] == [2, 1, 3]
    assert (data["total"], data["needed"], data["outcome"]) == (13, 14, "miss")
    assert data["modifiers"] == {"OCV": 7}


def test_combat_levels_that_are_put_elsewhere_are_where_they_were_no_more() -> None:
    enc = fight(options={"actions": "book"})
    for given, values in (
        ({"ocv": 2}, (7, 5)),
        ({"dcv": 1}, (5, 6)),
        ({"ocv": 1, "dcv": 2}, (6, 7)),
        ({"ocv": 0}, (5, 5)),
    ):
        enc.do("Vex", "assign_combat_levels", modifiers=given)
        assert (enc["Vex"].values["ocv"], enc["Vex"].values["dcv"]) == values


@pytest.mark.rule("phases.atk.roll", "phases.atk.target")
def test_combat_levels_and_conditions_count_on_either_side() -> None:
    enc = fight(Vex={"ocv": 7}, Mara={"dcv": 4})
    enc.condition("Mara", "underwater", modifiers={"dcv": -2})
    data = attack(enc.do("Vex", "strike", target="Mara", modifiers={"ocv": 3}, rolls=[1, 1, 1]))
    assert (data["total"], data["needed"], data["outcome"]) == (13, 12, "hit")
    assert data["modifiers"] == {"OCV": 7, "ocv": 3}


@pytest.mark.rule("phases.atk.roll", "phases.atk.target")
def test_ocv_and_dcv_that_are_not_stated_are_the_combat_value() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Vex", side="hunters", combat_value=6)
    enc.add("Mara", side="rebels", combat_value=3, dcv=8)
    enc.start()
    assert (enc["Vex"].values["ocv"], enc["Mara"].values["ocv"], enc["Mara"].values["dcv"]) == (6, 3, 8)
    ruling = enc.can("Vex", "strike", target="Mara")
    assert (ruling.notation, ruling.needed) == ("3d6+6", 18)


@pytest.mark.rule("phases.atk.ge")
@pytest.mark.parametrize(("meets_hits", "outcome", "ways"), [(True, "hit", 135), (False, "miss", 108)])
def test_whether_meeting_the_number_hits_is_an_option(meets_hits: bool, outcome: str, ways: int) -> None:
    enc = fight(options={"meets_hits": meets_hits})
    data = attack(enc.do("Vex", "strike", target="Mara", rolls=[2, 2, 6]))
    assert (data["total"], data["needed"], data["outcome"]) == (15, 15, outcome)
    (ask,) = enc.ruleset.asks(
        Case(enc.ruleset, enc._state, enc._state.fighters["Vex"], enc.ruleset.actions["strike"], {"target": "Mara"})
    )
    hits = sum(ask.lands(sum(faces)) for faces in product(range(1, 7), repeat=3))
    assert hits == ways  # of 216: 62.5 % and 50 %


@pytest.mark.rule("phases.tab.attack", "phases.tab.full-no")
def test_a_manoeuvre_for_hand_to_hand_is_none_from_afar() -> None:
    enc = fight(at={**CLOSE, "Mara": (9, 0)})
    assert refused(enc, "Vex", "rapid_fire", target="Mara", manoeuvre="grab").reason == "Grab is made hand to hand."
    shot = refused(enc, "Vex", "strike", target="Mara", manoeuvre="grab", option="ranged")
    assert (shot.reason, shot.rule) == ("Grab is made hand to hand.", "phases.tab.attack")
    assert enc.can("Vex", "rapid_fire", target="Mara", manoeuvre="haymaker").allowed
    assert enc.can("Vex", "rapid_fire", target="Mara").allowed


@pytest.mark.rule("phases.atk.ge")
def test_an_option_that_is_neither_is_refused() -> None:
    with pytest.raises(InvalidInput, match="meets_hits"):
        fight(options={"meets_hits": "sometimes"})
    assert ck.ruleset("phases").options["meets_hits"].default is True
    assert ck.ruleset("phases").options["meets_hits"].rules == ("phases.atk.ge",)


@pytest.mark.rule("phases.atk.when", "phases.tab.full-no")
def test_a_sweep_rolls_once_for_each_it_tries_to_hit_and_a_strike_has_one_target() -> None:
    enc = fight({**FOUR, "Ossik": 3})
    assert refused(enc, "Vex", "strike", target=["Mara", "Ilya"]).rule == "phases.tab.attack"
    events = enc.do("Vex", "sweep", target=["Mara", "Ilya"], rolls=[6, 6, 6, 1, 1, 1])
    assert [(e.target, e.amount) for e in events if e.kind == "attack"] == [("Mara", 23), ("Ilya", 8)]


@pytest.mark.rule("phases.atk.when")
def test_damage_comes_off_stun_and_is_bookkeeping() -> None:
    enc = fight(Mara={"stun": 30, "body": 10})
    enc.do("Vex", "strike", target="Mara", rolls={"attack": [6, 6, 6], "damage": [3, 4]}, damage="2d6")
    assert (enc["Mara"].values["stun"], enc["Mara"].values["body"]) == (23, 10)
    enc.end_turn()
    enc.do("Mara", "strike", target="Vex", outcome="miss", damage=9)
    assert enc["Vex"].values.get("stun") is None


# ── reach, range ──


@pytest.mark.rule("phases.atk.melee-adj")
def test_a_melee_attack_strikes_any_adjacent_opponent() -> None:
    enc = fight(at={**CLOSE, "Ilya": (0, -1)})
    assert enc.can("Vex", "strike", target="Mara").allowed
    assert enc.can("Vex", "strike", target="Ilya").allowed
    enc.place("Ilya", at=(2, 0))
    ruling = refused(enc, "Vex", "strike", target="Ilya")
    assert (ruling.rule, ruling.reason) == ("phases.atk.melee-adj", "Ilya is 2 hexes away; the reach of Vex is 1.")


@pytest.mark.rule("phases.aoo.reach-more", "phases.atk.melee-adj")
def test_growth_and_stretching_reach_farther() -> None:
    enc = fight(at={**CLOSE, "Ilya": (2, 0)}, Vex={"reach": 2})
    assert enc.can("Vex", "strike", target="Ilya").allowed
    enc.place("Ilya", at=(3, 0))
    assert refused(enc, "Vex", "strike", target="Ilya").rule == "phases.atk.melee-adj"
    enc.condition("Vex", "Stretching", modifiers={"reach": 1})
    assert enc.can("Vex", "strike", target="Ilya").allowed


@pytest.mark.rule("phases.atk.ranged")
def test_a_ranged_attack_needs_range_and_a_line_of_sight() -> None:
    enc = fight(at={**CLOSE, "Ilya": (12, 0)}, tables=TABLES)
    assert enc.can("Vex", "strike", target="Ilya", manoeuvre="bow").allowed
    enc.place("Ilya", at=(13, 0))
    assert refused(enc, "Vex", "strike", target="Ilya", manoeuvre="bow").rule == "phases.atk.ranged"
    assert enc.can("Vex", "strike", target="Ilya", option="ranged").allowed
    assert enc.can("Vex", "strike", target="Ilya", manoeuvre="shot").allowed
    enc.condition("Ilya", "barrier", note="behind the wall")
    assert refused(enc, "Vex", "strike", target="Ilya", option="ranged").rule == "phases.atk.ranged"
    assert enc.can("Vex", "strike", target="Mara").allowed


@pytest.mark.rule("phases.tab.attack")
@pytest.mark.parametrize(("ranged_provokes", "who"), [(False, []), (True, ["Vex"])])
def test_a_ranged_attack_provokes_nothing_unless_the_option_says_so(ranged_provokes: bool, who: list[str]) -> None:
    enc = fight(at=CLOSE, options={"ranged_provokes": ranged_provokes}, tables=TABLES)
    enc.end_turn()
    enc.do("Mara", "strike", target="Dray", option="ranged")
    assert opportunities(enc) == who
    enc.resolve() if who else None
    to(enc, "Mara", 2)
    enc.do("Mara", "strike", target="Vex")
    assert opportunities(enc) == []
    with pytest.raises(InvalidInput, match="ranged_provokes"):
        fight(options={"ranged_provokes": 1})


# ── several manoeuvres ──


def aoo(enc: ck.Encounter, manoeuvre: str) -> tuple[int, int]:
    """Let Mara provoke Vex, who answers with a manoeuvre; give what it added, and Vex's DCV after it."""
    to(enc, "Mara")
    enc.do("Mara", "pick_up_item")
    data = attack(enc.do("Vex", "attack_of_opportunity", target="Mara", manoeuvre=manoeuvre, rolls=[3, 3, 3]))
    return data["total"] - 9 - 5, enc["Vex"].values["dcv"] - 5


@pytest.mark.rule("phases.aoo.any-manoeuvre", "phases.aoo.not-same")
def test_an_opportunity_may_be_taken_with_another_manoeuvre_than_the_one_used_before() -> None:
    enc = fight(at=CLOSE, tables=TABLES)
    enc.do("Vex", "grab", target="Mara")
    enc.end_turn()
    enc.do("Mara", "pick_up_item")
    events = enc.do("Vex", "attack_of_opportunity", target="Mara", manoeuvre="haymaker")
    assert attack(events)["total"] is not None


@pytest.mark.rule("phases.aoo.cv-worst-bonus", "phases.aoo.cv-stack-pen")
@pytest.mark.parametrize(
    ("first", "second", "ocv", "dcv"),
    [
        ("press", "lunge", 2, -1),  # OCV: the least of +3 and +2. DCV: no bonus with both, the penalty of one
        ("press", "press", 3, 1),
        ("wild", "wary", -3, -2),  # OCV: -1 and -2 stack. DCV: of +2 and none, none; the -2 stays
        ("wild", "wild", -2, -4),
        ("lunge", "wild", -1, -3),
        ("strike", "press", 0, 0),  # one that has no bonus is the worst
        ("wary", "press", -2, 1),
    ],
)
def test_of_several_manoeuvres_the_worst_bonus_counts_and_the_penalties_stack(
    first: str, second: str, ocv: int, dcv: int
) -> None:
    enc = fight(at=CLOSE, tables=TABLES)
    enc.do("Vex", "strike", target="Mara", manoeuvre=first)
    assert aoo(enc, second) == (ocv, dcv)


@pytest.mark.rule("phases.aoo.cv-worst-bonus", "phases.aoo.cv-stack-pen")
def test_a_single_manoeuvre_adds_what_it_says_and_is_over_with_the_next_action() -> None:
    enc = fight(at=CLOSE, tables=TABLES)
    data = attack(enc.do("Vex", "strike", target="Mara", manoeuvre="lunge", rolls=[3, 3, 3]))
    assert (data["total"], data["modifiers"]) == (16, {"OCV": 5, "manoeuvres": 2})
    assert enc["Vex"].values["dcv"] == 4
    enc.end_turn()
    assert enc.can("Mara", "strike", target="Vex").needed == 14
    to(enc, "Dray")
    enc.end_turn()
    assert (enc.active, enc["Vex"].values["dcv"]) == ("Vex", 5)


@pytest.mark.rule("phases.aoo.cv-stack-pen")
def test_what_was_used_before_ones_own_place_holds_to_the_end_of_the_phase() -> None:
    enc = fight({"Mara": 9, "Vex": 8}, at=CLOSE, tables=TABLES)
    enc.do("Mara", "pick_up_item")
    enc.do("Vex", "attack_of_opportunity", target="Mara", manoeuvre="wild")
    enc.end_turn()
    data = attack(enc.do("Vex", "strike", target="Mara", manoeuvre="wary", rolls=[3, 3, 3]))
    assert data["modifiers"] == {"OCV": 5, "manoeuvres": -3}
    enc.end_turn()
    assert enc["Vex"].values["dcv"] == 5 + 2
    assert "phases.aoo.cv-worst-bonus" in cited(enc._events)


@pytest.mark.rule("phases.aoo.cv-worst-bonus")
def test_where_no_row_adds_anything_nothing_is_logged_of_it() -> None:
    enc = fight(at=CLOSE)
    enc.do("Vex", "strike", target="Mara")
    assert "manoeuvre" not in holds(enc, "Vex")


@pytest.mark.rule("phases.aoo.any-manoeuvre")
def test_the_table_of_manoeuvres_is_a_users_and_its_own_row_adds_nothing() -> None:
    assert [(r["id"], r["ocv"], r["dcv"]) for r in ck.ruleset("phases").tables["manoeuvres"]] == [("shot", 0, 0)]
    enc = fight(start=False)
    enc.add_table("manoeuvres", ROWS)
    with pytest.raises(InvalidInput, match="'lunge' is already there"):
        enc.add_table("manoeuvres", [ROWS[0]])
    enc.start()
    for row in ({"id": "x", "ocv": "two"}, {"id": "x", "range": -1}, {"title": "X"}, {"id": "x", "ranged": 1}):
        with pytest.raises(InvalidInput, match="manoeuvre"):
            fight(tables={"manoeuvres": [row]})
    with pytest.raises(UnknownName, match="ocv"):
        fight(tables={"manoeuvres": [{"id": "x", "ovc": 2}]})
    listed = [c.value for c in enc.choices("Vex", "strike", target="Mara") if c.param == "manoeuvre"]
    assert {"strike", "haymaker", "lunge", "bow"} < set(listed)
    with pytest.raises(UnknownName, match="lunge"):
        enc.do("Vex", "strike", target="Mara", manoeuvre="lunch")
    assert refused(enc, "Vex", "strike", target="Mara", manoeuvre="dodge").rule == "phases.tab.attack"


@pytest.mark.rule("phases.aoo.exceptions")
def test_a_users_own_action_says_whether_it_provokes_and_how_far_it_reaches() -> None:
    rows: list[dict[str, Any]] = [
        {"id": "zap", "title": "Zap", "cost": "attack", "tags": ["attack"], "parameters": ["target"], "range": 4},
        {"id": "juggle", "title": "Juggle", "cost": "move", "provokes": "yes"},
        {"id": "tumble", "title": "Tumble", "cost": "move", "tags": ["movement"], "parameters": ["to"]},
    ]
    enc = fight(at={**CLOSE, "Ilya": (4, 0)}, tables={"actions": rows})
    assert enc.can("Vex", "zap", target="Ilya").allowed
    assert refused(enc, "Vex", "zap", target="Dray").rule == "phases.atk.ranged"
    enc.end_turn()
    enc.do("Mara", "juggle")
    assert opportunities(enc) == ["Vex"]
    enc.resolve()
    enc.do("Mara", "tumble", to=[(2, 0), (3, 0)])
    assert (opportunities(enc), question(enc), enc["Mara"].position) == ([], None, (3, 0))
    with pytest.raises(InvalidInput, match="provokes"):
        fight(tables={"actions": [{"id": "x", "title": "X", "cost": "move", "provokes": "maybe"}]})
    with pytest.raises(InvalidInput, match="range"):
        fight(tables={"actions": [{"id": "x", "title": "X", "cost": "attack", "range": "far"}]})


# ── defences with numbers of their own ──

WAYS = [
    {"id": "martial_dodge", "title": "Martial dodge", "of": "dodge", "dcv": 5},
    {"id": "iron_guard", "title": "Iron guard", "ocv": 1, "dcv": 2},
    {"id": "dodge", "dcv": 3},
    {"id": "bow", "ranged": True},
]


def defends(action: str, **given: Any) -> tuple[ck.Encounter, list[ck.Event]]:
    """Vex, whose DCV is 5, defends."""
    enc = fight(at=CLOSE, Vex={"ocv": 5, "dcv": 5}, tables={"manoeuvres": WAYS})
    return enc, list(enc.do("Vex", action, **given))


@pytest.mark.rule("phases.atk.target", "phases.tab.attack")
@pytest.mark.parametrize(
    ("action", "manoeuvre", "dcv"),
    [
        ("dodge", None, 8),
        ("dodge", "martial_dodge", 10),
        ("dodge", "iron_guard", 7),
        ("block", "iron_guard", 7),
        ("block", None, 5),
        ("roll_with_a_punch", "iron_guard", 7),
        ("missile_deflection", "iron_guard", 7),
    ],
)
def test_a_defence_has_the_numbers_of_its_manoeuvre(action: str, manoeuvre: str | None, dcv: int) -> None:
    given = {} if manoeuvre is None else {"manoeuvre": manoeuvre}
    enc, events = defends(action, **given)
    assert enc["Vex"].values["dcv"] == dcv
    does = enc.ruleset.actions[action].verb
    assert events[0].text == (does if manoeuvre is None else f"{does}: {manoeuvre.replace('_', ' ')}")


@pytest.mark.rule("phases.abort.what", "phases.ready.specify")
def test_an_abort_and_something_readied_carry_a_defence_with_its_manoeuvre() -> None:
    enc = fight(at=CLOSE, Mara={"dcv": 4}, tables={"manoeuvres": WAYS})
    last = enc.order[-1].combatant
    was = enc[last].values["dcv"]
    enc.do(last, "abort", action="dodge", manoeuvre="martial_dodge")
    assert enc[last].values["dcv"] == was + 5
    assert enc.can(enc.active or "", "ready", action="dodge", manoeuvre="martial_dodge", trigger="x").allowed
    wrong = refused(enc, enc.active or "", "ready", action="block", manoeuvre="martial_dodge", trigger="x")
    assert wrong.reason == "Martial dodge is no kind of block."


def test_what_is_offered_for_a_defence_is_what_it_takes() -> None:
    enc = fight(at=CLOSE, tables={"manoeuvres": WAYS})

    def takes(action: str, /, **given: Any) -> list[object]:
        offered = enc.choices("Vex", action, **given)
        return [c.value for c in offered if c.param == "manoeuvre" and c.ruling.allowed]

    assert takes("dodge") == ["dodge", "martial_dodge", "iron_guard"]
    assert takes("block") == ["block", "iron_guard"]
    assert takes("ready", action="dodge", trigger="x") == takes("dodge")
    assert "martial_dodge" not in takes("strike", target="Mara")
    assert "iron_guard" in takes("strike", target="Mara")
    assert refused(enc, "Vex", "dodge", manoeuvre="bow").reason == "Bow is an attack from afar."
    assert refused(enc, "Vex", "strike", target="Mara", manoeuvre="martial_dodge").rule == "phases.tab.attack"
    with pytest.raises(UnknownName, match="manoeuvre 'strike'"):
        enc.can("Vex", "dodge", manoeuvre="strike")
    with pytest.raises(UnknownName, match="table manoeuvres, 'x'"):
        enc.add_table("manoeuvres", [{"id": "x", "of": "half_move"}])


def test_what_an_abort_offers_for_a_defence_is_what_that_knows() -> None:
    enc = fight(at=CLOSE, tables={"manoeuvres": [{"id": "dodge", "dcv": 3}]})

    def reasons(**given: Any) -> list[str]:
        return [c.ruling.reason for c in enc.choices("Mara", "abort", **given) if c.param == "manoeuvre"]

    assert reasons() == ["", "", "", "", "No action is possible: Shot is an attack from afar."]
    assert reasons(action="dodge") == ["", "Shot is an attack from afar."]
    said = reasons(action="missile_deflection")
    assert said[-1] == "Dodge is no kind of missile deflection.", "said as a title is, which need not be a verb"


ABORTS = [*WAYS, {"id": "haymaker", "dcv": -5}, {"id": "lunge", "of": "strike", "ocv": 2, "dcv": 1}]


@pytest.mark.rule("phases.aoo.cv-worst-bonus", "phases.aoo.cv-stack-pen", "phases.abort.after")
@pytest.mark.parametrize(
    ("attack", "given", "dcv"), [("strike", {}, 8), ("strike", {"manoeuvre": "lunge"}, 9), ("haymaker", {}, 3)]
)
def test_a_defence_is_no_attack_so_an_earlier_one_takes_nothing_from_it(attack: str, given: Any, dcv: int) -> None:
    enc = fight(at=CLOSE, Vex={"ocv": 5, "dcv": 5}, tables={"manoeuvres": ABORTS})
    enc.do("Vex", attack, target="Mara", **given)
    enc.end_turn()
    enc.do("Vex", "abort", action="dodge")
    assert enc["Vex"].values["dcv"] == dcv, "the bonus is the dodge's own, a penalty counts all the same"
    to(enc, "Mara", 2)
    assert enc["Vex"].values["dcv"] == dcv, "phase 2 was given up for it"
    to(enc, "Vex", 3)
    assert enc["Vex"].values["dcv"] == 5


@pytest.mark.rule("phases.aoo.cv-worst-bonus", "phases.abort.cost")
def test_an_abort_is_the_next_action_that_ends_what_was_used_in_the_one_before() -> None:
    enc = fight({"Mara": 9, "Vex": 8}, at=CLOSE, Vex={"dcv": 5}, tables={"manoeuvres": ABORTS})
    to(enc, "Vex", 1)
    enc.do("Vex", "haymaker", target="Mara")
    to(enc, "Mara", 2)
    assert enc["Vex"].values["dcv"] == 0
    enc.do("Vex", "abort", action="dodge")
    assert enc["Vex"].values["dcv"] == 8
    to(enc, "Mara", 3)
    enc.do("Vex", "abort", action="block", manoeuvre="iron_guard")
    assert enc["Vex"].values["dcv"] == 7, "the dodge was one action, this is another"


@pytest.mark.rule("phases.init.same-order")
def test_a_combat_value_that_nothing_reads_any_more_is_neither_changed_nor_added_to() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ace", side="a", combat_value=9, ocv=5, dcv=5)
    enc.add("Crow", side="b", combat_value=7, ocv=5)
    enc.edit("Ace", combat_value=8)
    enc.start()
    with pytest.raises(InvalidInput, match="combat_value only decides where Ace comes in the order"):
        enc.edit("Ace", combat_value=3)
    with pytest.raises(InvalidInput, match="combat_value only decides where Ace comes in the order"):
        enc.condition("Ace", "x", modifiers={"combat_value": 2})
    enc.edit("Ace", ocv=None, combat_value=3)
    assert enc["Ace"].values["ocv"] == 3, "it stands in for the OCV from this call on"
    enc.condition("Crow", "shaken", modifiers={"combat_value": -2})
    assert enc["Crow"].values["dcv"] == 5, "it stands in for the DCV"
    enc.edit("Crow", combat_value=6)
    assert enc["Crow"].values["dcv"] == 4
