"""Action points: what the ladder shows of them."""

from __future__ import annotations

import combatkit as ck
from combatkit.rules import initiative
from combatkit.rules.case import Case
from combatkit.rules.shapes import RungExtras
from combatkit.widgets._budget_view import BudgetProjector
from combatkit.widgets._ladder_view import LadderProjector
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import BudgetView
from tests.systems.ap_table import fight, to

AP = ck.ruleset("ap")


def extras(enc: ck.Encounter, name: str) -> RungExtras:
    place = enc._state.place_of(name)
    assert place is not None
    return AP.presentation.rung_extras(enc._state, place)


def test_a_rung_shows_its_points_and_which_were_spent_off_turn() -> None:
    enc = fight()
    assert extras(enc, "Vex") == {"pips": {"total": 3, "left": 3, "off": 0, "text": "3 AP"}}
    enc.do("Mara", "attack", target="Vex")
    enc.do("Vex", "parry", outcome="failed")
    enc.resolve()
    to(enc, "Vex")
    enc.do("Vex", "dash")
    assert extras(enc, "Vex") == {
        "pips": {"total": 3, "left": 1, "off": 1, "text": "1 AP"},
        "sub": [["Parry off turn, 1 AP ", {"rule": "ap.react.needs-ap"}]],
    }
    assert extras(enc, "Mara")["pips"] == {"total": 3, "left": 2, "off": 0, "text": "2 AP"}
    to(enc, "Mara", 2)
    assert extras(enc, "Vex") == {"pips": {"total": 3, "left": 3, "off": 0, "text": "3 AP"}}


def test_of_several_spent_off_turn_the_sum_and_the_last_are_said() -> None:
    enc = fight()
    for answer in ("evade", "parry"):
        enc.do("Mara", "attack", target="Vex")
        enc.do("Vex", answer, outcome="failed")
        enc.resolve()
    assert extras(enc, "Vex")["sub"][0][0] == "2 AP off turn, Parry last "


def test_each_action_tells_the_points_it_takes() -> None:
    enc = fight()
    actions = enc.ruleset.catalogue(enc._state).by_id
    priced = [each for each in enc.options("Mara") if actions[each.action].cost in ("primary", "secondary", "reaction")]
    assert {"attack", "dash", "parry"} <= {each.action for each in priced}
    for each in priced:
        shown = enc.ruleset.price(Case(enc.ruleset, enc._state, enc._state.fighters["Mara"], actions[each.action]))[0]
        assert shown.title == f"{actions[each.action].facts['ap']} AP"


def test_points_spent_off_turn_stay_hatched_until_the_turn_that_refreshes_them() -> None:
    enc = fight(options={"ap_refresh": "turn"})
    to(enc, "Mara", 2)
    enc.do("Ilya", "hide", trigger="Mara runs")
    assert extras(enc, "Ilya")["pips"] == {"total": 3, "left": 2, "off": 1, "text": "2 AP"}
    to(enc, "Ilya")
    assert extras(enc, "Ilya")["pips"] == {"total": 3, "left": 3, "off": 0, "text": "3 AP"}


def test_a_rung_without_a_die_says_so_and_what_surprise_leaves() -> None:
    enc = fight({"Mara": 14, "Vex": 7}, surprised=["Vex"])
    assert extras(enc, "Vex")["sub"] == [["no die: Rating 7 alone; reactions only ", {"rule": "ap.surprise.no-die"}]]
    to(enc, "Vex")
    assert AP.presentation.now(enc._state).headline == "surprised: reactions only until this turn is over"
    enc.end_turn()
    assert extras(enc, "Vex")["sub"] == [["no die: Rating 7 alone ", {"rule": "ap.surprise.no-die"}]]


def test_the_headline_counts_the_points_of_the_turn() -> None:
    enc = fight()
    assert AP.presentation.now(enc._state).headline == "0 of 3 AP spent; reactions draw on what is left"
    enc.do("Mara", "dash")
    assert AP.presentation.now(enc._state).headline == "1 of 3 AP spent; reactions draw on what is left"
    enc.do("Mara", "attack", target="Vex")
    assert AP.presentation.now(enc._state).headline == "2 of 3 AP spent; reactions draw on what is left"
    assert AP.presentation.now(fight(start=False)._state).headline == ""


def test_the_dice_to_be_thrown_are_one_for_each_and_one_for_a_group() -> None:
    enc = fight({"Mara": 14}, start=False)
    enc.add("Guard", side="hunters", count=2, npc=True, initiative_rating=7)
    enc.add("Ossik", side="hunters", npc=True, conditions=["surprised"])
    asks = initiative.asked(AP, enc._state, enc.names)
    assert list(asks) == ["Mara", "Guard 1"]
    ask = asks["Guard 1"]
    assert (ask.dice, ask.sides, ask.addends) == (1, 6, ((7, "Initiative Rating"),))
    assert ask.rule == "ap.init.formula"


def test_the_dice_to_be_thrown_add_what_the_throw_adds() -> None:
    enc = fight({"Mara": 14}, start=False)
    enc.condition("Mara", "inspired", modifiers={"initiative_rating": 2})
    ask = initiative.asked(AP, enc._state, ["Mara"])["Mara"]
    roll = next(e for e in enc.start(rolls={"Mara": 4}) if e.kind == "roll" and e.actor == "Mara")
    assert ask.addends == ((13, "Initiative Rating"),)
    assert (roll.amount, roll.data["modifiers"]) == (17, {"Initiative Rating": 13})


def test_what_is_left_shows_in_the_budget_before_and_in_the_fight() -> None:
    enc = fight(start=False, Mara={"ap": 4})
    assert enc.budget("Mara")["ap"] == ck.Slot("ap", "Action Points", 4, 4)
    enc = fight(Mara={"ap": 4})
    enc.do("Mara", "dash")
    assert enc.budget("Mara")["ap"] == ck.Slot("ap", "Action Points", 4, 3)
    assert [slot.id for slot in enc.budget("Mara")] == ["ap"]


def shown(enc: ck.Encounter, name: str) -> BudgetView:
    return BudgetProjector(name)(Vantage(enc))


def test_actions_stand_together_by_points_and_type() -> None:
    enc = fight(rows=[{"id": "bind_ward", "title": "Bind the ward", "cost": 5}])
    view = shown(enc, "Mara")
    _, usual, *others = [view["group"][id] for id in view["groups"]]
    assert [(group["title"], group["small"]) for group in others] == [
        ("1 AP", "primary"), ("1 AP", "secondary"), ("2 AP", "secondary"), ("Free", "any time"), ("5 AP", "primary"),
    ]  # fmt: skip
    costs = {id: view["action"][id]["cost"] for id in usual["actions"]}
    assert costs == {id: "2 AP" if id == "all_out_attack" else "1 AP" for id in costs}
    assert [slot["title"] for slot in view["slots"]] == ["Action Points", "Free"]


def test_the_budget_hatches_what_was_spent_off_turn_and_says_what_is_paid_of_an_extended_action() -> None:
    enc = fight(rows=[{"id": "bind_ward", "title": "Bind the ward", "cost": 5}])
    enc.do("Vex", "evade", trigger="a beam falls")
    to(enc, "Vex")
    enc.do("Vex", "bind_ward")
    view = shown(enc, "Vex")
    assert view["slots"][0] == {"id": "ap", "title": "Action Points", "total": 3, "left": 0, "off": 1}
    assert view["progress"] == [
        {
            "title": "Bind the ward",
            "done": 2,
            "total": 5,
            "text": ["2 of 5 AP paid; pay the rest on later turns ", {"rule": "ap.extended.span"}],
        }
    ]


def test_a_window_shows_who_is_asked_with_the_usual_answers_first() -> None:
    enc = fight()
    enc.do("Mara", "attack", target="Vex")
    view = BudgetProjector()(Vantage(enc))
    assert (view["name"], view["caption"]) == ("Vex", "reaction, outside their turn")
    assert view["asked"] is not None
    assert [each["id"] for each in view["asked"]["answers"]][:4] == ["parry", "evade", "counter_attack", "aim"]
    assert len(view["asked"]["answers"]) == 12
    assert view["asked"]["then"] == []  # nobody else is aimed at
    assert [each["name"] for each in view["asked"]["rest"]] == ["Ilya"]
    rung = LadderProjector()(Vantage(enc))["rows"][str(enc._state.agenda[1].id)]
    assert [act["title"] for act in rung["acts"]] == ["React", "Let go"]
    assert rung["pips"] == {"total": 3, "left": 3, "off": 0, "text": "3 AP"}


def test_the_static_picture_tells_primary_from_secondary_and_the_log_what_a_reaction_came_to() -> None:
    enc = fight(rows=[{"id": "bind_ward", "title": "Bind the ward", "cost": 5}])
    before = static(enc)
    for words in ("<td>1 AP, primary</td>", "<td>1 AP, secondary</td>"):
        assert words in before
    enc.do("Mara", "attack", target="Vex")
    enc.do("Vex", "parry", outcome="foiled")
    enc.resolve()
    enc.do("Mara", "bind_ward")
    for words in ("Vex foils it", "uses bind the ward"):
        assert words in static(enc)


def static(enc: ck.Encounter) -> str:
    bundle = ck.Tracker(enc)._repr_mimebundle_()
    assert bundle is not None
    return str(bundle[0]["text/html"])


def test_what_an_action_that_nothing_is_rolled_for_comes_to_is_told() -> None:
    enc = fight()
    for action in ("hide", "aim"):
        event, *_ = enc.do("Mara", action, outcome="failed")
        assert event.text.endswith(": failed")
    event, *_ = enc.do("Mara", "attack", target="Vex", outcome="hit")
    assert event.text == "attacks Vex", "whose line says so by itself"
    event = next(e for e in enc.do("Vex", "parry", outcome="failed") if e.kind == "action")
    assert not event.text.endswith("failed"), "which is told as the answer"


def test_whoever_is_down_shows_no_points_until_they_are_up_again() -> None:
    enc = fight()
    for out in ("down", "unconscious", "dead"):
        enc.condition("Vex", out)
        assert "pips" not in extras(enc, "Vex")
        enc.condition("Vex", out, off=True)
        assert extras(enc, "Vex")["pips"]["text"] == "3 AP"
