"""Saga Edition: what a turn holds, and what each action costs."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.rules.case import Case
from combatkit.systems.saga.ruleset import Saga
from tests.systems.table import fight, holds, last, left, refused, to_round, turns

TWO = {"Mara": 20, "Vex": 10}
FULL = {"standard": 1, "move": 1, "swift": 1, "reaction": 1, "aoo": 0}


def spent(**slots: int) -> dict[str, int]:
    return FULL | slots


def cost(action: str, **setup: object) -> str:
    """What an action costs Mara at the start of her turn."""
    given = dict.fromkeys(["target"], "Vex") if action in ("attack", "full_attack", "charge") else {}
    return fight(TWO, **setup).can("Mara", action, **given).cost  # type: ignore[arg-type]


# ── the turn ──


@pytest.mark.rule("saga.act.budget-std-move")
@pytest.mark.parametrize("turn", [("aid_another", "move"), ("move", "aid_another")])
def test_a_standard_and_a_move_action_in_either_order(turn: tuple[str, str]) -> None:
    enc = fight(TWO)
    assert left(enc, "Mara") == FULL
    for action in turn:
        enc.do("Mara", action)
    assert left(enc, "Mara") == spent(standard=0, move=0)


@pytest.mark.rule("saga.act.budget-swift")
@pytest.mark.parametrize("first", [True, False])
def test_and_a_swift_action_besides(first: bool) -> None:
    enc = fight(TWO)
    turn = ["aid_another", "move"]
    turn.insert(0 if first else 2, "talent_or_power")
    for action in turn:
        enc.do("Mara", action)
    assert left(enc, "Mara") == spent(standard=0, move=0, swift=0)


@pytest.mark.rule("saga.act.budget-free", "saga.free.many")
def test_and_any_number_of_free_actions() -> None:
    enc = fight(TWO)
    for _ in range(50):
        enc.do("Mara", "speak")
    assert left(enc, "Mara") == FULL
    enc.do("Mara", "run")
    enc.do("Mara", "drop_item")


@pytest.mark.rule("saga.act.budget-reaction", "saga.react.one")
def test_and_one_reaction_a_round() -> None:
    enc = fight(TWO)
    enc.do("Vex", "attack_of_opportunity", target="Mara", trigger="moves past")
    assert left(enc, "Vex")["reaction"] == 0
    ruling = refused(enc, "Vex", "attack_of_opportunity", target="Mara", trigger="moves on")
    assert ruling.rule == "saga.react.one"


@pytest.mark.rule("saga.act.budget-or-full", "saga.full.replaces", "saga.full.whole-turn")
def test_or_one_full_round_action_in_place_of_both() -> None:
    enc = fight(TWO)
    assert enc.can("Mara", "run").cost == "Full-round"
    enc.do("Mara", "run")
    assert left(enc, "Mara") == spent(standard=0, move=0, swift=0)
    assert refused(enc, "Mara", "full_round_skill").rule == "saga.full.replaces", "one a turn"


@pytest.mark.rule("saga.act.budget-std-move")
def test_the_budget_is_whole_again_at_the_start_of_ones_own_turn() -> None:
    enc = fight(TWO)
    enc.do("Mara", "run")
    enc.end_turn()
    assert left(enc, "Mara") == spent(standard=0, move=0, swift=0), "not before"
    enc.end_turn()
    assert left(enc, "Mara") == FULL


# ── standard and move ──


@pytest.mark.rule("saga.std.one")
def test_one_standard_action_a_turn() -> None:
    enc = fight(TWO)
    enc.do("Mara", "aid_another")
    ruling = refused(enc, "Mara", "use_skill")
    assert ruling.rule == "saga.std.one"
    assert "(Aid another)" in ruling.reason


@pytest.mark.rule("saga.std.trade-to-move", "saga.move.second")
def test_the_standard_action_may_be_traded_for_a_second_move() -> None:
    enc = fight(TWO)
    enc.do("Mara", "move")
    assert left(enc, "Mara") == spent(move=0)
    enc.do("Mara", "stand_up") if "prone" in {c.id for c in enc["Mara"].conditions} else enc.do("Mara", "climb")
    assert left(enc, "Mara") == spent(move=0, standard=0)
    assert refused(enc, "Mara", "aid_another").rule == "saga.std.one"


@pytest.mark.rule("saga.std.trade-to-move")
def test_the_standard_action_may_be_traded_while_the_move_is_kept() -> None:
    enc = fight(TWO)
    enc.do("Mara", "move", pay="standard")
    assert left(enc, "Mara") == spent(standard=0)
    assert enc.can("Mara", "move").allowed


@pytest.mark.rule("saga.move.max-two")
def test_two_moves_a_turn_at_most() -> None:
    enc = fight(TWO)
    enc.do("Mara", "move")
    enc.do("Mara", "open_or_close_door")
    assert refused(enc, "Mara", "climb").rule == "saga.move.max-two"


@pytest.mark.rule("saga.move.one")
def test_one_move_a_turn_if_the_standard_action_is_used() -> None:
    enc = fight(TWO)
    enc.do("Mara", "aid_another")
    enc.do("Mara", "move")
    assert "saga.move.one" in refused(enc, "Mara", "climb").rules


@pytest.mark.rule("saga.move.second", "saga.std.trade-to-move", "saga.move.one")
def test_a_second_move_refused_names_what_the_standard_action_went_on() -> None:
    enc = fight(TWO)
    enc.do("Mara", "attack", target="Vex")
    enc.do("Mara", "move")
    gone = "Attack; Move"
    ruling = refused(enc, "Mara", "climb")
    assert (ruling.rule, ruling.reason) == (
        "saga.move.one",
        f"Needs a standard or move action; Mara has neither left until their next turn ({gone}).",
    )
    assert ruling.rules == ("saga.move.one", "saga.move.second", "saga.std.trade-to-move")
    assert refused(enc, "Mara", "climb", pay="move").reason.startswith(
        "Needs a move action; Mara has none left until their next turn (Move"
    )


@pytest.mark.rule("saga.move.max-two")
def test_a_third_move_breaks_the_limit_of_two_and_nothing_about_the_standard_action() -> None:
    enc = fight(TWO)
    enc.do("Mara", "move")
    enc.do("Mara", "move")
    assert refused(enc, "Mara", "climb").rules == ("saga.move.max-two", "saga.move.one")


@pytest.mark.rule("saga.move.second")
def test_a_second_move_says_that_the_standard_action_is_given_up_for_it() -> None:
    enc = fight(TWO)
    assert enc.can("Mara", "climb").rule == "saga.move.ex.climb"
    enc.do("Mara", "move")
    ruling = enc.can("Mara", "climb")
    assert (ruling.rule, ruling.cost) == ("saga.move.second", "Standard")
    event = enc.do("Mara", "climb")[0]
    assert event.rules == ("saga.move.second", "saga.move.ex.climb")
    assert (event.data["cost"], event.data["paid"]) == ("move", {"standard": 1})


@pytest.mark.rule("saga.std.trade-to-move")
def test_a_standard_action_that_was_given_up_for_a_move_is_said_to_be() -> None:
    enc = fight(TWO)
    enc.do("Mara", "move")
    assert "saga.std.trade-to-move" not in enc.can("Mara", "aid_another").rules
    enc.do("Mara", "climb")
    ruling = refused(enc, "Mara", "aid_another")
    assert ruling.rules == ("saga.std.one", "saga.std.no-trade-up", "saga.std.trade-to-move")
    enc = fight(TWO)
    enc.do("Mara", "aid_another")
    assert "saga.std.trade-to-move" not in refused(enc, "Mara", "use_skill").rules, "it went on a standard action"


@pytest.mark.rule("saga.full.excludes")
def test_what_a_full_round_action_took_is_neither_traded_nor_given_up() -> None:
    enc = fight(TWO)
    enc.do("Mara", "run")
    assert refused(enc, "Mara", "move").rules == (
        "saga.full.excludes",
        "saga.move.one",
    )


@pytest.mark.rule("saga.std.no-trade-up")
def test_neither_move_nor_swift_is_traded_up() -> None:
    enc = fight(TWO, options={"trade_down": True})
    enc.do("Mara", "aid_another")
    assert left(enc, "Mara") == spent(standard=0)
    ruling = refused(enc, "Mara", "use_skill")
    assert "saga.std.no-trade-up" in ruling.rules
    for slot in ("move", "swift"):
        assert not enc.can("Mara", "use_skill", pay=slot).allowed


@pytest.mark.rule("saga.std.no-trade-up")
def test_where_nothing_is_left_to_trade_no_rule_about_trading_is_cited() -> None:
    enc = fight(TWO)
    for action in ("aid_another", "move"):
        enc.do("Mara", action)
    assert "saga.std.no-trade-up" in refused(enc, "Mara", "use_skill").rules
    enc.do("Mara", "second_wind", override=True)
    assert "saga.std.no-trade-up" not in refused(enc, "Mara", "use_skill").rules


@pytest.mark.rule("saga.std.no-trade-up")
def test_a_swift_action_is_not_traded_for_a_move() -> None:
    enc = fight(TWO)
    enc.do("Mara", "move")
    enc.do("Mara", "move")
    assert not enc.can("Mara", "move", pay="swift").allowed


# ── swift ──


@pytest.mark.rule("saga.swift.one")
def test_option_trade_down_for_swift_actions() -> None:
    by_the_text = fight(TWO)
    by_the_text.do("Mara", "talent_or_power")
    assert refused(by_the_text, "Mara", "talent_or_power").rule == "saga.swift.one"
    published = fight(TWO, options={"trade_down": True})
    for _ in range(3):
        published.do("Mara", "talent_or_power")
    assert left(published, "Mara") == spent(standard=0, move=0, swift=0)
    assert refused(published, "Mara", "talent_or_power").rule == "saga.swift.one"


@pytest.mark.rule("saga.swift.ex.secondwind")
def test_a_second_wind_takes_three_swift_actions_in_consecutive_turns() -> None:
    enc = fight(TWO)
    for done in (1, 2):
        said = enc.do("Mara", "second_wind")[0]
        assert (said.kind, said.data["progress"], said.data["completed"]) == ("action", [done, 3], False)
        progress = enc["Mara"].progress["second_wind"]
        assert (progress.done, progress.total) == (done, 3)
        assert not enc.can("Mara", "second_wind").allowed, "one swift action a turn"
        turns(enc, 2)
    events = enc.do("Mara", "second_wind")
    for kind in ("action", "progress"):
        step = next(e for e in events if e.kind == kind)
        assert (step.data["progress"], step.data["completed"]) == ([3, 3], True)
    assert enc["Mara"].progress == {}


@pytest.mark.rule("saga.swift.ex.secondwind")
def test_a_second_wind_that_a_fall_breaks_off_rests_on_who_can_act() -> None:
    enc = fight(TWO)
    enc.do("Mara", "second_wind")
    (lost,) = [e for e in enc.condition("Mara", "unconscious") if e.kind == "progress"]
    assert lost.rules == ("saga.round.eligible-only",)


@pytest.mark.rule("saga.swift.ex.secondwind")
def test_a_turn_without_it_starts_the_second_wind_anew() -> None:
    enc = fight(TWO)
    enc.do("Mara", "second_wind")
    to_round(enc, 2, "Mara")
    enc.do("Mara", "second_wind")
    to_round(enc, 3, "Mara")
    events = enc.end_turn()
    assert [e.data["done"] for e in events if e.kind == "progress"] == [0]
    to_round(enc, 4, "Mara")
    enc.do("Mara", "second_wind")
    assert enc["Mara"].progress["second_wind"].done == 1


@pytest.mark.rule("saga.swift.ex.secondwind")
def test_option_trade_down_fits_a_second_wind_in_one_turn() -> None:
    enc = fight(TWO, options={"trade_down": True})
    completed = [
        event.data["completed"] for _ in range(3) for event in enc.do("Mara", "second_wind") if event.kind == "progress"
    ]
    assert completed == [False, False, True]


# ── full-round ──


@pytest.mark.rule("saga.full.excludes", "saga.full.whole-turn")
@pytest.mark.parametrize("action", ["aid_another", "move", "talent_or_power"])
def test_after_a_full_round_action_no_standard_move_or_swift(action: str) -> None:
    enc = fight(TWO)
    enc.do("Mara", "run")
    assert refused(enc, "Mara", action).rule == "saga.full.excludes"


@pytest.mark.rule("saga.full.symmetric")
@pytest.mark.parametrize("action", ["aid_another", "move", "talent_or_power"])
def test_no_full_round_action_after_a_standard_move_or_swift(action: str) -> None:
    enc = fight(TWO)
    enc.do("Mara", action)
    assert refused(enc, "Mara", "run").rule == "saga.full.symmetric"


@pytest.mark.rule("saga.full.whole-turn")
def test_a_full_round_action_uses_the_whole_turn() -> None:
    enc = fight(TWO)
    enc.condition("Mara", "concentration")
    enc.do("Mara", "run")
    assert left(enc, "Mara") == spent(standard=0, move=0, swift=0)
    allowed = {o.action for o in enc.options("Mara") if o.allowed}
    assert allowed == {"speak", "drop_item", "end_concentration", "free_action"}


@pytest.mark.rule("saga.full.free-ok")
def test_free_actions_go_with_a_full_round_action_before_and_after() -> None:
    enc = fight(TWO)
    enc.do("Mara", "speak")
    enc.do("Mara", "full_attack", target="Vex")
    enc.do("Mara", "drop_item")


@pytest.mark.rule("saga.full.excludes", "saga.act.budget-swift")
def test_option_full_round_takes_swift() -> None:
    beside = {"full_round_takes_swift": False}
    after = fight(TWO, options=beside)
    after.do("Mara", "run")
    assert left(after, "Mara") == spent(standard=0, move=0)
    after.do("Mara", "talent_or_power")
    assert refused(after, "Mara", "move").rule == "saga.full.excludes"
    before = fight(TWO, options=beside)
    before.do("Mara", "talent_or_power")
    before.do("Mara", "run")
    assert left(before, "Mara") == spent(standard=0, move=0, swift=0)
    moved = fight(TWO, options=beside)
    moved.do("Mara", "move")
    assert refused(moved, "Mara", "run").rule == "saga.full.symmetric"


# ── what costs what ──


@pytest.mark.parametrize(
    ("action", "title", "rule"),
    [
        pytest.param("attack", "Standard", "saga.std.ex.attack", marks=pytest.mark.rule("saga.std.ex.attack")),
        pytest.param("use_skill", "Standard", "saga.std.ex.skill", marks=pytest.mark.rule("saga.std.ex.skill")),
        pytest.param("force_power", "Standard", "saga.std.ex.force", marks=pytest.mark.rule("saga.std.ex.force")),
        pytest.param("aid_another", "Standard", "saga.std.ex.aid", marks=pytest.mark.rule("saga.std.ex.aid")),
        pytest.param("ready", "Standard", "saga.std.ex.ready", marks=pytest.mark.rule("saga.std.ex.ready")),
        pytest.param("move", "Move", "saga.move.ex.speed", marks=pytest.mark.rule("saga.move.ex.speed")),
        pytest.param("climb", "Move", "saga.move.ex.climb", marks=pytest.mark.rule("saga.move.ex.climb")),
        pytest.param("draw_weapon", "Move", "saga.move.ex.draw", marks=pytest.mark.rule("saga.move.ex.draw")),
        pytest.param("holster", "Move", "saga.move.ex.holster", marks=pytest.mark.rule("saga.move.ex.holster")),
        pytest.param("stand_up", "Move", "saga.move.ex.stand", marks=pytest.mark.rule("saga.move.ex.stand")),
        pytest.param("open_or_close_door", "Move", "saga.move.ex.door", marks=pytest.mark.rule("saga.move.ex.door")),
        pytest.param(
            "full_attack", "Full-round", "saga.full.ex.full-attack", marks=pytest.mark.rule("saga.full.ex.full-attack")
        ),
        pytest.param("charge", "Full-round", "saga.full.ex.charge", marks=pytest.mark.rule("saga.full.ex.charge")),
        pytest.param("run", "Full-round", "saga.full.ex.run", marks=pytest.mark.rule("saga.full.ex.run")),
        pytest.param(
            "full_round_skill", "Full-round", "saga.full.ex.skill", marks=pytest.mark.rule("saga.full.ex.skill")
        ),
        pytest.param(
            "talent_or_power", "Swift", "saga.swift.ex.talents", marks=pytest.mark.rule("saga.swift.ex.talents")
        ),
        pytest.param(
            "second_wind", "Swift", "saga.swift.ex.secondwind", marks=pytest.mark.rule("saga.swift.ex.secondwind")
        ),
        pytest.param("drop_item", "Free", "saga.free.ex.drop", marks=pytest.mark.rule("saga.free.ex.drop")),
        pytest.param("speak", "Free", "saga.free.ex.speak", marks=pytest.mark.rule("saga.free.ex.speak")),
        pytest.param(
            "end_concentration",
            "Free",
            "saga.free.ex.concentration",
            marks=pytest.mark.rule("saga.free.ex.concentration"),
        ),
    ],
)
def test_what_an_action_costs_and_which_rule_says_so(action: str, title: str, rule: str) -> None:
    enc = fight(TWO)
    enc.condition("Mara", "prone")
    enc.condition("Mara", "concentration")
    needs = {o.action: o.needs for o in enc.options("Mara")}[action]
    given: dict[str, Any] = {
        k: v for k, v in {"target": "Vex", "action": "move", "trigger": "the door opens"}.items() if k in needs
    }
    assert enc.can("Mara", action, **given).cost == title
    events = enc.do("Mara", action, **given)
    assert rule in events[0].rules
    slots = {
        "Standard": {"standard": 0},
        "Move": {"move": 0},
        "Full-round": {"standard": 0, "move": 0, "swift": 0},
        "Swift": {"swift": 0},
        "Free": {},
    }
    assert left(enc, "Mara") == FULL | slots[title]


@pytest.mark.rule("saga.move.ex.stand")
def test_standing_up_ends_being_prone_and_only_the_prone_stand_up() -> None:
    enc = fight(TWO)
    assert "not prone" in refused(enc, "Mara", "stand_up").reason
    enc.condition("Mara", "prone")
    enc.do("Mara", "stand_up")
    assert enc["Mara"].conditions == ()


@pytest.mark.rule("saga.free.ex.concentration")
def test_ending_concentration_ends_it() -> None:
    enc = fight(TWO)
    enc.condition("Mara", "concentration", value="battle meditation")
    enc.do("Mara", "end_concentration")
    assert enc["Mara"].conditions == ()


@pytest.mark.rule("saga.move.quickdraw", "saga.swift.ex.quickdraw")
def test_quick_draw_makes_drawing_a_swift_action() -> None:
    enc = fight(TWO, Mara={"feats": ["Quick Draw"]})
    assert enc.can("Mara", "draw_weapon").cost == "Swift"
    events = enc.do("Mara", "draw_weapon", weapon="blaster pistol")
    assert "saga.move.quickdraw" in events[0].rules
    assert left(enc, "Mara") == spent(swift=0)
    assert refused(enc, "Mara", "talent_or_power").rule == "saga.swift.one"


@pytest.mark.rule("saga.move.quickdraw", "saga.move.ex.draw")
def test_with_quick_draw_a_move_action_still_draws() -> None:
    enc = fight(TWO, Mara={"feats": ["Quick Draw"]})
    assert enc.can("Mara", "draw_weapon", pay="move").cost == "Move"
    event = enc.do("Mara", "draw_weapon", pay="move")[0]
    assert (event.rules, event.data["cost"]) == (("saga.move.ex.draw",), "move")
    assert left(enc, "Mara") == spent(move=0), "the swift action is kept"
    enc.do("Mara", "talent_or_power")
    option = next(o for o in enc.options("Mara") if o.action == "draw_weapon")
    assert (option.allowed, option.needs) == (True, ()), "the standard action can be given up for it"
    payers = {c.value: c.ruling.allowed for c in enc.choices("Mara", "draw_weapon") if c.param == "pay"}
    assert payers == {"swift": False, "move": False, "standard": True}
    enc.do("Mara", "draw_weapon", pay="standard")
    assert left(enc, "Mara") == spent(swift=0, move=0, standard=0)
    assert not next(o for o in enc.options("Mara") if o.action == "draw_weapon").allowed


@pytest.mark.rule("saga.move.quickdraw", "saga.swift.one")
def test_with_the_swift_action_gone_a_weapon_is_drawn_as_without_the_feat() -> None:
    enc = fight(TWO, Mara={"feats": ["Quick Draw"]})
    enc.do("Mara", "talent_or_power")
    assert enc.can("Mara", "draw_weapon").cost == "Move"
    enc.do("Mara", "draw_weapon")
    assert left(enc, "Mara") == spent(swift=0, move=0)


@pytest.mark.rule("saga.move.quickdraw-not-holster")
def test_quick_draw_holsters_nothing_from_a_swift_action() -> None:
    enc = fight(TWO, Mara={"feats": ["Quick Draw"]})
    assert refused(enc, "Mara", "holster", pay="swift").rule == "saga.move.quickdraw-not-holster"


@pytest.mark.rule("saga.move.quickdraw", "saga.move.ex.draw")
def test_without_quick_draw_no_swift_action_draws() -> None:
    enc = fight(TWO)
    assert refused(enc, "Mara", "draw_weapon", pay="swift").rules == ("saga.move.quickdraw",)
    attack = refused(enc, "Mara", "attack", target="Vex", pay="move")
    assert attack.rules == ("saga.std.no-trade-up",)
    assert [c.value for c in enc.choices("Mara", "draw_weapon") if c.param == "pay"] == ["move", "standard"]


@pytest.mark.rule("saga.move.quickdraw", "saga.std.trade-to-move")
def test_the_price_of_a_drawn_weapon_is_that_of_the_slot_that_is_named() -> None:
    enc = fight(TWO, Mara={"feats": ["Quick Draw"]})
    rules, state = Saga(), enc._state
    prices = {
        pay: rules.price(
            Case(rules, state, state.fighters["Mara"], rules.actions["draw_weapon"], {"pay": pay} if pay else {})
        )
        for pay in (None, "swift", "move", "standard")
    }
    assert {pay: (cost.title, rule) for pay, (cost, rule) in prices.items()} == {
        None: ("Swift", "saga.move.quickdraw"),
        "swift": ("Swift", "saga.move.quickdraw"),
        "move": ("Move", "saga.move.ex.draw"),
        "standard": ("Move", "saga.std.trade-to-move"),
    }


@pytest.mark.rule("saga.surprise.budget-one")
def test_in_the_surprise_round_nothing_but_its_one_action_is_against_a_second() -> None:
    enc = fight(TWO, surprised=["Vex"], Mara={"feats": ["Quick Draw"]})
    enc.do("Mara", "move")
    assert refused(enc, "Mara", "climb").rules == ("saga.surprise.budget-one",)
    assert refused(enc, "Mara", "draw_weapon").rules[0] == "saga.surprise.budget-one"


@pytest.mark.rule("saga.move.quickdraw-not-holster")
def test_quick_draw_does_not_change_holstering() -> None:
    enc = fight(TWO, Mara={"feats": ["Quick Draw"]})
    assert enc.can("Mara", "holster").cost == "Move"
    enc.do("Mara", "holster")
    assert left(enc, "Mara") == spent(move=0)


@pytest.mark.rule("saga.full.ex.charge")
def test_option_charge() -> None:
    assert cost("charge") == "Full-round"
    enc = fight(TWO, options={"charge": "standard"})
    enc.do("Mara", "move")
    enc.do("Mara", "charge", target="Vex")
    assert left(enc, "Mara") == spent(standard=0, move=0)


@pytest.mark.rule("saga.free.ex.drop")
def test_option_drop_item() -> None:
    assert cost("drop_item") == "Free"
    enc = fight(TWO, options={"drop_item": "swift"})
    enc.do("Mara", "drop_item")
    assert left(enc, "Mara") == spent(swift=0)
    assert refused(enc, "Mara", "drop_item").rule == "saga.swift.one"


@pytest.mark.rule("saga.free.gm-cap")
def test_option_free_action_cap() -> None:
    open_ended = fight(TWO)
    for _ in range(20):
        open_ended.do("Mara", "speak")
    capped = fight(TWO, options={"free_action_cap": 2})
    capped.do("Mara", "speak")
    capped.do("Mara", "drop_item")
    ruling = refused(capped, "Mara", "free_action")
    assert ruling.rule == "saga.free.gm-cap"
    assert "Mara" in ruling.reason
    assert capped.can("Mara", "move").allowed, "only free actions are capped"
    turns(capped, 2)
    assert capped.can("Mara", "speak").allowed, "a turn has its own"
    made = next(e for e in capped.at(last(capped))._events if e.kind == "encounter")
    assert made.data["options"]["free_action_cap"] == 2, "the GM's word is in the log"


@pytest.mark.rule("saga.free.gm-cap")
@pytest.mark.parametrize("cap", [-1, "two", 1.5, True])
def test_option_free_action_cap_is_a_number(cap: object) -> None:
    with pytest.raises(ck.InvalidInput, match="free_action_cap"):
        ck.Encounter("saga", options={"free_action_cap": cap})


@pytest.mark.rule("saga.free.gm-cap")
def test_the_default_of_the_cap_may_be_said_too() -> None:
    enc = ck.Encounter("saga", seed=7, options={"free_action_cap": None})
    assert enc.restart(seed=8).ruleset.id == "saga"


@pytest.mark.parametrize(
    ("option", "bears_on"),
    [
        ("trade_down", {"saga.swift.one", "saga.swift.ex.secondwind"}),
        ("full_round_takes_swift", {"saga.full.excludes", "saga.act.budget-swift"}),
        ("charge", {"saga.full.ex.charge"}),
        ("drop_item", {"saga.free.ex.drop"}),
        ("surprise_free_actions", {"saga.surprise.free-open"}),
        ("readied_target", {"saga.ready.specify-action"}),
        ("ready_lapses", {"saga.ready.lapse-open"}),
        ("delay_may_rise", {"saga.delay.lower-only", "saga.delay.permanent"}),
        ("free_action_cap", {"saga.free.gm-cap"}),
        ("charge_distance", {"saga.full.ex.charge"}),
        ("run_distance", {"saga.full.ex.run"}),
        ("openings", {"saga.react.ex.aoo"}),
        ("charge_path", {"saga.full.ex.charge"}),
        ("through_foes", {"saga.move.ex.speed"}),
        ("actions", {"saga.std.use", "saga.move.use", "saga.swift.nature"}),
    ],
)
def test_each_option_names_the_rules_it_bears_on(option: str, bears_on: set[str]) -> None:
    settings = ck.ruleset("saga").options
    assert set(settings[option].rules) == bears_on
    assert len(settings) == 16


@pytest.mark.parametrize(
    ("option", "default", "values"),
    [
        ("trade_down", False, {False, True}),
        ("full_round_takes_swift", True, {False, True}),
        ("charge", "full_round", {"full_round", "standard"}),
        ("drop_item", "free", {"free", "swift"}),
        ("surprise_free_actions", True, {False, True}),
        ("ready_lapses", "own_turn", {"own_turn", "never"}),
        ("delay_may_rise", False, {False, True}),
    ],
)
def test_a_closed_option_takes_its_values_and_no_other(option: str, default: object, values: set[object]) -> None:
    setting = ck.ruleset("saga").options[option]
    assert setting.default == default
    assert set(setting.values) == values
    for value in values:
        ck.Encounter("saga", seed=1, options={option: value})
    for wrong in ("perhaps", 1, None):
        with pytest.raises(ck.InvalidInput, match=option):
            ck.Encounter("saga", seed=1, options={option: wrong})


# ── places ──


def placed(**speeds: int) -> ck.Encounter:
    """Give a fight on squares: Mara on (0, 0), Vex on (8, 3)."""
    enc = fight(TWO, Mara=speeds)
    enc.place("Mara", at=(0, 0))
    enc.place("Vex", at=(8, 3))
    return enc


@pytest.mark.rule("saga.move.ex.speed")
def test_a_move_leads_up_to_ones_speed() -> None:
    enc = placed()
    assert enc.distance("Mara", "Vex") == ck.Distance(8)
    ruling = refused(enc, "Mara", "move", to=(7, 3))
    assert (ruling.rule, ruling.reason) == (
        "saga.move.ex.speed",
        "That is 7 squares; Move takes Mara only 6, at speed 6.",
    )
    moved = enc.do("Mara", "move", to=(6, 3))[-1]
    assert (moved.kind, moved.text, moved.rules) == ("move", "goes from (0, 0) to (6, 3)", ("saga.move.ex.speed",))
    assert (enc["Mara"].position, enc.distance("Mara", "Vex")) == ((6, 3), ck.Distance(2))
    fast = placed(speed=8)
    fast.do("Mara", "move", to=(7, 3))
    fast.condition("Mara", "limping", modifiers={"speed": -6})
    assert not fast.can("Mara", "move", to=(4, 3)).allowed
    assert fast.can("Mara", "move", to=(5, 3)).allowed


@pytest.mark.rule("saga.move.ex.speed")
def test_a_path_is_as_long_as_its_parts() -> None:
    enc = placed()
    assert not enc.can("Mara", "move", to=[(0, 4), (3, 4)]).allowed, "4 and 3 squares"
    enc.do("Mara", "move", to=[(0, 3), (3, 3)])
    assert enc["Mara"].position == (3, 3)


@pytest.mark.rule("saga.move.ex.climb")
@pytest.mark.parametrize(("speed", "far"), [(3, 0), (4, 1), (6, 1), (8, 2)])
def test_climbing_leads_up_to_a_quarter_of_ones_speed(speed: int, far: int) -> None:
    enc = placed(speed=speed)
    assert refused(enc, "Mara", "climb", to=(0, far + 1)).rule == "saga.move.ex.climb"
    if far:
        enc.do("Mara", "climb", to=(0, far))
    assert enc["Mara"].position == (0, far)


@pytest.mark.rule("saga.full.ex.run", "saga.full.ex.charge")
def test_how_far_a_run_or_a_charge_leads_is_an_option_since_the_source_does_not_say() -> None:
    for action, option, times in (("run", "run_distance", 4), ("charge", "charge_distance", 1)):
        aimed = {"target": "Vex"} if action == "charge" else {}
        for factor in (None, 0, 3):
            enc = fight(TWO, options={} if factor is None else {option: factor})
            enc.place("Mara", at=(0, 0))
            far = 6 * (times if factor is None else factor)
            assert enc.can("Mara", action, to=(far or 40, 0), **aimed).allowed
            if far:
                ruling = refused(enc, "Mara", action, to=(far + 1, 0), **aimed)
                assert ruling.rule == f"saga.full.ex.{action}"
                assert f"takes Mara only {far}, at speed 6." in ruling.reason
        with pytest.raises(ck.InvalidInput, match=option):
            fight(TWO, options={option: "far"})


def test_a_charge_strikes_from_where_it_ends() -> None:
    enc = placed(speed=7)
    events = enc.do("Mara", "charge", target="Vex", to=(7, 3), rolls={"attack": [12]})
    assert [e.kind for e in events] == ["action", "move", "attack"]
    assert enc["Mara"].position == (7, 3)


@pytest.mark.rule("saga.move.ex.speed")
def test_where_nothing_is_measured_no_move_is_too_long() -> None:
    enc = fight(TWO)
    assert enc.distance("Mara", "Vex") is None
    assert [e.kind for e in enc.do("Mara", "move")] == ["action"]
    moved = enc.do("Mara", "move", to=(30, 30))[-1]
    assert (enc["Mara"].position, moved.text) == ((30, 30), "goes to (30, 30)"), "from nowhere to a square"
    turns(enc, 2)
    assert enc.can("Mara", "move", to=(30, 30)).reason == "Mara is already there."
    enc.place("Mara", at="the catwalk")
    moved = enc.do("Mara", "move", to="the quay")[-1]
    assert (enc["Mara"].position, moved.text) == ("the quay", "goes from the catwalk to the quay")
    assert enc.distance("Mara", "Vex") is None


@pytest.mark.rule("saga.ready.specify-action", "saga.move.ex.speed")
def test_a_readied_move_leads_where_it_is_then_told() -> None:
    enc = placed()
    enc.do("Mara", "ready", action="move", trigger="Vex draws")
    enc.end_turn()
    assert refused(enc, "Mara", "use_readied", trigger="Vex draws", to=(9, 0)).rule == "saga.move.ex.speed"
    enc.do("Mara", "use_readied", trigger="Vex draws", to=(5, 0))
    assert enc["Mara"].position == (5, 0)


# ── feats ──


@pytest.mark.rule("saga.swift.ex.quickdraw", "saga.react.reflexes-aoo-only")
@pytest.mark.parametrize("spelt", ["Quick Draw", "quick draw", "Quickdraw", " QUICK  DRAW "])
def test_a_feat_is_the_same_however_it_is_spelt(spelt: str) -> None:
    enc = fight(TWO, Mara={"feats": [spelt, "combatreflexes"]})
    assert enc["Mara"].stats["feats"] == ("Quick Draw", "Combat Reflexes")
    assert enc.can("Mara", "draw_weapon").cost == "Swift"
    assert enc.budget("Mara")["aoo"].total == 1


def test_a_feat_that_no_rule_reads_is_said_to_be_such_and_a_number_is_none() -> None:
    enc = ck.Encounter("saga", seed=1)
    (event,) = enc.add("Kell", side="rebels", feats=["Dodge", "quick draw", "Mobility"])
    assert event.text == "is added (side: rebels); no rule here uses Dodge and Mobility"
    assert enc["Kell"].stats["feats"] == ("Dodge", "Quick Draw", "Mobility")
    with pytest.raises(ck.InvalidInput, match="Bo: feats holds 1; give text"):
        enc.add("Bo", side="rebels", feats=[1])


@pytest.mark.parametrize("to", [(3, 2), [(3, 2)], [(1, 2), (3, 2)]])
def test_a_move_leads_to_a_place_or_by_some_places_to_the_last(to: Any) -> None:
    enc = fight({"Mara": 20, "Vex": 10}, Mara={"at": (0, 2)})
    enc.do("Mara", "move", to=to)
    assert enc["Mara"].position == (3, 2)
    assert [e.text for e in enc._events if e.kind == "move"] == ["goes from (0, 2) to (3, 2)"]


def test_a_speed_below_nothing_refuses_no_place_whose_distance_nobody_knows() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="rebels", speed=6, at="bridge")
    enc.add("Vex", side="empire")
    enc.start(rolls={"Mara": 20, "Vex": 1})
    enc.condition("Mara", "slow", modifiers={"speed": -8})
    assert enc.can("Mara", "move", to="deck").allowed


@pytest.mark.rule("saga.std.ex.aid")
def test_nobody_aids_themselves() -> None:
    enc = fight(TWO)
    ruling = enc.can("Mara", "aid_another", target="Mara")
    assert (ruling.reason, ruling.rule) == ("Mara can't target themselves.", "saga.std.ex.aid")


@pytest.mark.rule("saga.free.ex.concentration")
def test_only_a_concentration_that_is_kept_can_be_ended() -> None:
    enc = fight(TWO)
    ruling = refused(enc, "Mara", "end_concentration")
    assert (ruling.reason, ruling.rule) == ("Mara isn't concentrating.", "saga.free.ex.concentration")
    enc.condition("Mara", "concentration", value="move object")
    enc.do("Mara", "end_concentration")
    assert "concentration" not in holds(enc, "Mara")


def test_nobody_recovers_who_is_not_on_the_condition_track() -> None:
    enc = fight(TWO, options={"actions": "book"})
    ruling = refused(enc, "Mara", "recover")
    assert (ruling.reason, ruling.rule) == ("Mara isn't on the condition track.", "saga.book.recover")
    enc.condition("Mara", "condition_track", value=2)
    assert enc.can("Mara", "recover").allowed


def test_a_price_that_an_option_sets_is_no_way_to_pay_beside_it() -> None:
    ruling = refused(fight(TWO), "Mara", "drop_item", pay="swift")
    assert (ruling.reason, ruling.rule) == ("Drop item can't be paid from a swift action.", "saga.free.ex.drop")


@pytest.mark.rule("saga.full.ex.charge")
def test_a_charge_ends_hand_to_hand() -> None:
    blaster, blade = {"name": "blaster", "damage": "3d8", "range": 20}, {"name": "blade", "range": "melee"}
    enc = fight(TWO, Mara={"weapons": [blaster, blade]}, Vex={"weapons": [blaster]})
    ruling = refused(enc, "Mara", "charge", target="Vex", weapon="blaster")
    assert ruling.reason == "Charge is made hand to hand, not with the blaster."
    assert enc.can("Mara", "charge", target="Vex", weapon="blade").allowed
    enc.end_turn()
    assert enc.can("Vex", "charge", target="Mara", weapon="blaster").allowed, "it is all that Vex has"


@pytest.mark.rule("saga.full.replaces")
def test_a_whole_turn_without_a_slot_that_was_never_spent_is_refused_by_what_it_replaces() -> None:
    enc = fight({"Mara": 20, "Vex": 10})
    enc.adjust("Mara", "standard", -1)
    ruling = refused(enc, "Mara", "full_attack", target="Vex")
    assert (ruling.rule, "saga.full.symmetric" in ruling.rules) == ("saga.full.replaces", False)
    enc.adjust("Mara", "standard", 1)
    enc.do("Mara", "move")
    assert refused(enc, "Mara", "full_attack", target="Vex").rule == "saga.full.symmetric"


@pytest.mark.rule("saga.surprise.no-reaction")
def test_whoever_is_surprised_has_spent_no_reaction() -> None:
    enc = fight({"Mara": 20, "Vex": 10}, surprised=["Vex"])
    ruling = enc.can("Vex", "attack_of_opportunity", target="Mara", trigger="moves past")
    assert ruling.rule == "saga.surprise.no-reaction"
    assert "saga.react.one" not in ruling.rules


def test_aid_and_a_second_wind_are_told_in_sentences() -> None:
    enc = fight({"Mara": 20, "Vex": 10})
    assert enc.do("Mara", "second_wind")[0].text == "catches their breath"
    assert enc.do("Mara", "aid_another")[0].text == "lends aid"
    enc.end_turn()
    assert enc.do("Vex", "aid_another", target="Mara")[0].text == "lends aid to Mara"


@pytest.mark.rule("saga.std.one")
def test_a_slot_asked_for_that_is_gone_is_refused_by_its_own_rule() -> None:
    enc = fight({"Mara": 20, "Vex": 15})
    enc.do("Mara", "attack", target="Vex", outcome="miss")
    ruling = refused(enc, "Mara", "draw_weapon", pay="standard")
    assert ruling.rules == ("saga.std.one",)
    assert ruling.reason.startswith("Needs a standard action; Mara has none left")
    enc.do("Mara", "draw_weapon")
    assert refused(enc, "Mara", "draw_weapon", pay="standard").rule == "saga.std.one"
    enc = fight({"Mara": 20, "Vex": 15})
    enc.do("Mara", "move")
    enc.do("Mara", "move")
    assert refused(enc, "Mara", "draw_weapon", pay="standard").rule == "saga.move.max-two"
