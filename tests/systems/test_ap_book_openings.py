"""Action points with the list of the game's own system data: attacks of opportunity, and what gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import combatkit as ck
from tests.systems.ap_table import fight, last, log, offered, points, through, to
from tests.systems.table import refused

OPPORTUNITY = "attack_of_opportunity"
HEAD = "ap.book.opportunity"


def grid(spots: Mapping[str, tuple[int, int]] | None = None, **more: Any) -> ck.Encounter:
    """Begin a fight on squares: Mara at (0, 0), Vex beside her at (1, 0), Ilya far off, unless told."""
    given = {"Mara": (0, 0), "Vex": (1, 0), "Ilya": (20, 20), **(spots or {})}
    options = {"actions": "book", **more.pop("options", {})}
    enc = fight(options=options, **more)
    for name, spot in given.items():
        enc.place(name, at=spot)
    return enc


def opened(enc: ck.Encounter) -> dict[str, str]:
    """Give who may strike now, and the rule that the offer is made by."""
    return {o.who: o.rule for o in enc.pending if OPPORTUNITY in o.actions}


def moves(enc: ck.Encounter) -> list[Any]:
    """Give where moves have led so far."""
    return [tuple(e.data["to"]) for e in log(enc) if e.kind == "move" and e.action]


# ── moves ──


def test_leaving_reach_is_struck_at_before_the_first_step() -> None:
    enc = grid(Vex={"attack_bonus": 4}, Mara={"defense": 12, "hp": 9})
    enc.do("Mara", "move", to=(-3, 0))
    assert opened(enc) == {"Vex": f"{HEAD}.retreat"}
    assert enc["Mara"].position == (0, 0)
    enc.do("Vex", OPPORTUNITY, damage=4, rolls=[10])
    events = enc.resolve()
    assert [e.kind for e in events if e.kind in ("damage", "move")] == ["damage", "move"]
    assert (enc["Mara"].values["hp"], enc["Mara"].position) == (5, (-3, 0))
    assert (points(enc, "Mara", "Vex"), enc.active) == ([3, 2], "Mara")


def test_who_has_disengaged_leaves_freely_for_the_rest_of_the_turn() -> None:
    enc = grid()
    enc.do("Mara", "disengage")
    enc.do("Mara", "move", to=(-3, 0))
    assert (enc.pending, enc["Mara"].position) == ((), (-3, 0))
    enc.do("Mara", "dash", to=(0, 0))
    enc.do("Mara", "dash", to=(-3, 0))
    assert enc.pending == ()
    enc.end_turn()
    assert [c.id for c in enc["Mara"].conditions] == []
    enc = grid()
    enc.do("Mara", "disengage", to=(-3, 0))
    assert (enc.pending, enc["Mara"].position) == ((), (-3, 0))


def test_coming_closer_within_reach_stops_the_move_where_it_does() -> None:
    enc = grid({"Mara": (6, 0), "Vex": (0, 0)}, Vex={"reach": 3})
    enc.do("Mara", "move", to=(1, 0))
    assert opened(enc) == {"Vex": f"{HEAD}.approach"}
    assert enc["Mara"].position == (3, 0)
    enc.resolve()
    assert (enc["Mara"].position, enc.pending, moves(enc)) == ((1, 0), (), [(3, 0), (1, 0)])


def test_to_step_into_reach_or_along_its_edge_gives_no_opening() -> None:
    enc = grid({"Mara": (4, 0), "Vex": (0, 0)})
    enc.do("Mara", "move", to=(1, 0))
    enc.do("Mara", "dash", to=(1, 1))
    assert (moves(enc), [e for e in log(enc) if e.kind == "window"]) == ([(1, 0), (1, 1)], [])


def test_a_move_past_somebody_is_one_threat_with_an_opening_as_it_comes_and_one_as_it_goes() -> None:
    """Only an attempt spends the one try; whoever lets the first opening go may still take the second."""
    enc = grid({"Mara": (-4, 1), "Vex": (0, 0)}, Vex={"reach": 2})
    enc.do("Mara", "move", to=(4, 1))
    assert (opened(enc), enc["Mara"].position) == ({"Vex": f"{HEAD}.approach"}, (-2, 1))
    enc.resolve()
    assert (opened(enc), enc["Mara"].position) == ({"Vex": f"{HEAD}.retreat"}, (2, 1))
    enc.resolve()
    assert (enc["Mara"].position, enc.pending) == ((4, 1), ())
    enc.undo()
    enc.undo()
    enc.do("Vex", OPPORTUNITY)
    if enc.pending:
        enc.resolve()
    assert (enc["Mara"].position, enc.pending, points(enc, "Vex")) == ((4, 1), (), [2])


def test_a_way_is_gone_as_it_is_said() -> None:
    enc = grid({"Mara": (0, 0), "Vex": (3, 0)})
    enc.do("Mara", "move", to=[(2, 0), (2, 3), (9, 3)])
    assert (opened(enc), enc["Mara"].position) == ({"Vex": f"{HEAD}.retreat"}, (2, 1))
    enc.resolve()
    assert moves(enc) == [(2, 1), (9, 3)]


def test_each_enemy_has_an_opening_of_their_own() -> None:
    enc = grid({"Mara": (0, 0), "Vex": (1, 0), "Dray": (-5, 0)}, results={"Mara": 14, "Vex": 12, "Ilya": 10, "Dray": 8})
    enc.do("Mara", "move", to=[(-4, 0), (-4, 6)])
    assert (opened(enc), enc["Mara"].position) == ({"Vex": f"{HEAD}.retreat"}, (0, 0))
    enc.resolve()
    assert (opened(enc), enc["Mara"].position) == ({"Dray": f"{HEAD}.retreat"}, (-4, 1))
    enc.resolve()
    assert enc["Mara"].position == (-4, 6)


def test_who_stands_elsewhere_after_the_blow_goes_no_further() -> None:
    enc = grid({"Mara": (6, 0), "Vex": (0, 0)}, Vex={"reach": 3})
    enc.do("Mara", "move", to=(1, 0))
    stopped = last(enc.place("Mara", at=(9, 9)), "stopped")
    assert (stopped.rules[0], enc["Mara"].position) == ("ap.map.metre", (9, 9))


def test_who_falls_by_the_blow_goes_nowhere() -> None:
    enc = grid(Vex={"attack_bonus": 4}, Mara={"defense": 12, "hp": 3})
    enc.do("Mara", "move", to=(-3, 0))
    enc.do("Vex", OPPORTUNITY, damage=4, rolls=[15])
    enc.resolve()
    enc.condition("Mara", "dead")
    while enc.pending:
        enc.resolve(answer="falls" if enc.pending[0].who == "GM" else None)
    assert enc["Mara"].position == (0, 0)


def test_no_way_is_watched_for_ever() -> None:
    enc = grid()
    assert "a move that others can react to" in refused(enc, "Mara", "move", to=(5_000, 0)).reason
    ours = fight()
    ours.place("Mara", at=(0, 0))
    ours.do("Mara", "dash", to=(5_000, 0))
    assert ours["Mara"].position == (5_000, 0)


@pytest.mark.parametrize("order", [("Vex", "Dray"), ("Dray", "Vex")])
def test_two_whose_reach_is_left_both_strike_in_either_order(order: tuple[str, str]) -> None:
    first, second = order
    enc = fight({"Mara": 14, "Vex": 12, "Dray": 10}, options={"actions": "book"}, Mara={"hp": 20})
    for name, at in (("Mara", (0, 0)), ("Vex", (1, 0)), ("Dray", (0, 1))):
        enc.place(name, at=at)
    enc.do("Mara", "move", to=(-3, -3))
    assert set(opened(enc)) == {"Vex", "Dray"}
    enc.do(first, OPPORTUNITY, damage=4, outcome="hit")
    waits = refused(enc, second, OPPORTUNITY)
    blow = f"{first} makes an attack of opportunity on Mara."
    assert (
        waits.reason
        == f"{blow} Waiting for Mara and {second}: answer or let it go. Then {second} may answer this: Mara moves."
    )
    enc.resolve()
    enc.do(second, OPPORTUNITY, damage=4, outcome="hit")
    enc.resolve()
    assert (enc["Mara"].values["hp"], enc["Mara"].position, enc.pending) == (12, (-3, -3), ())
    assert points(enc, "Vex", "Dray") == [2, 2]


# ── deeds ──


@pytest.mark.parametrize(
    ("action", "given", "rule"),
    [
        ("cast_magic", {}, "spell"),
        ("cast_attack", {"target": "Vex"}, "spell"),
        ("cast_attack", {"target": "Vex", "option": "melee"}, None),
        ("attack", {"target": "Vex", "option": "ranged"}, "ranged"),
        ("attack", {"target": "Vex"}, None),
        ("precision_strike", {"target": "Vex", "option": "ranged"}, "ranged"),
        ("ready_weapon", {}, "ready"),
        ("drink_potion", {}, "ready"),
        ("free_action", {"option": "drops the bow"}, None),
        ("aim", {}, None),
        ("hide", {"outcome": "failed"}, None),
    ],
)
def test_what_leaves_one_open_within_reach(action: str, given: dict[str, Any], rule: str | None) -> None:
    enc = grid()
    enc.do("Mara", action, **given)
    offers = {o.who for o in enc.pending if OPPORTUNITY in o.actions}
    assert offers == ({"Vex"} if rule else set())
    if rule:
        enc.do("Vex", OPPORTUNITY)
        struck = next(e for e in log(enc) if e.kind == "action" and e.action == OPPORTUNITY)
        assert (struck.target, points(enc, "Vex")) == ("Mara", [2])
    away = grid({"Vex": (2, 0)})
    away.do("Mara", action, **{**given, **({"option": "ranged"} if "target" in given else {})})
    assert opened(away) == {}


def test_standing_up_leaves_one_open_and_arise_does_not() -> None:
    enc = grid()
    assert refused(enc, "Mara", "stand_up").reason == "Mara is not prone."
    enc.condition("Mara", "prone")
    enc.do("Mara", "stand_up")
    assert opened(enc) == {"Vex": f"{HEAD}.standing"}
    assert [c.id for c in enc["Mara"].conditions] == ["prone"]
    enc.resolve()
    assert ([c.id for c in enc["Mara"].conditions], points(enc, "Mara")) == ([], [3])
    enc.condition("Mara", "prone")
    enc.do("Mara", "arise")
    assert (enc.pending, enc["Mara"].conditions, points(enc, "Mara")) == ((), (), [2])


def test_a_potion_leaves_one_open_as_it_is_drunk_not_as_it_is_begun() -> None:
    enc = grid(Mara={"ap": 1})
    enc.do("Mara", "drink_potion")
    assert opened(enc) == {}
    to(enc, "Mara", 2)
    enc.do("Mara", "drink_potion")
    assert opened(enc) == {"Vex": f"{HEAD}.ready"}


def test_a_users_row_gives_openings_by_its_tags() -> None:
    hex_row = {"id": "hex", "title": "Hex", "type": "secondary", "tags": ["spell"]}
    leap = {"id": "leap", "title": "Leap", "parameters": ["to"]}
    enc = grid(rows=[hex_row, leap])
    enc.do("Mara", "hex")
    assert opened(enc) == {"Vex": f"{HEAD}.spell"}
    enc.resolve()
    enc.do("Mara", "leap", to=(-5, 0))
    assert opened(enc) == {"Vex": f"{HEAD}.retreat"}


def test_the_kits_own_list_has_no_such_thing() -> None:
    enc = fight()
    enc.place("Mara", at=(0, 0))
    enc.place("Vex", at=(1, 0))
    enc.do("Mara", "dash", to=(-3, 0))
    enc.do("Mara", "cast_magic")
    assert (enc.pending, enc["Vex"].threatens) == ((), frozenset())


# ── whose, how often, at what price ──


def test_it_is_for_enemies_who_are_aware_able_and_have_a_point() -> None:
    enc = grid(
        {"Ilya": (-1, 0), "Ossik": (0, 1)}, results={"Mara": 14, "Vex": 12, "Ilya": 10, "Ossik": 8}, Vex={"ap": 0}
    )
    enc.do("Mara", "ready_weapon")
    assert list(opened(enc)) == ["Ossik"]
    enc.resolve()
    enc.do("Mara", "ready_weapon", unaware=["Ossik"])
    assert opened(enc) == {}
    enc.condition("Ossik", "unconscious")
    enc.do("Mara", "ready_weapon")
    assert opened(enc) == {}


def test_the_surprised_may_strike_since_it_is_a_reaction() -> None:
    enc = grid(surprised=["Vex"])
    enc.do("Mara", "ready_weapon")
    assert list(opened(enc)) == ["Vex"]


def test_it_counts_to_the_two_attacks_of_the_round() -> None:
    enc = grid(Vex={"ap": 5}, Mara={"ap": 5})
    for _ in range(2):
        enc.do("Mara", "ready_weapon")
        enc.do("Vex", OPPORTUNITY)
        enc.resolve()
    enc.do("Mara", "ready_weapon")
    assert opened(enc) == {}
    ruling = refused(enc, "Vex", OPPORTUNITY, target="Mara", trigger="she fumbles")
    assert ruling.rule == "ap.book.two-attacks"
    to(enc, "Vex")
    assert (points(enc, "Vex"), refused(enc, "Vex", "attack", target="Mara").rule) == ([3], "ap.book.two-attacks")


def test_it_may_be_reacted_to_and_what_it_answers_goes_on() -> None:
    enc = grid(Vex={"attack_bonus": 4}, Mara={"defense": 12, "hp": 9})
    enc.do("Mara", "move", to=(-3, 0))
    enc.do("Vex", OPPORTUNITY, damage=4, rolls=[15])
    assert offered(enc) == ["Mara", "Ilya"]
    assert enc.pending[0].rule == f"{HEAD}.answered"
    enc.do("Mara", "parry", outcome="foiled")
    events = enc.resolve()
    assert last(events, "stopped").text.startswith("is foiled: ")
    assert (enc["Mara"].values["hp"], enc["Mara"].position) == (9, (-3, 0))
    assert points(enc, "Mara", "Vex", "Ilya") == [2, 2, 3]


def test_what_was_foiled_before_the_blow_stays_foiled_after_it() -> None:
    names = {"Mara": 14, "Vex": 12, "Ilya": 10, "Dray": 8}
    enc = grid({"Dray": (0, 1)}, results=names, Mara={"attack_bonus": 5}, Vex={"defense": 1, "hp": 20})
    enc.do("Mara", "attack", target="Vex", option="ranged", damage=6)
    enc.do("Vex", "evade", outcome="foiled")
    enc.do("Dray", OPPORTUNITY)
    enc.do("Mara", "block", outcome="foiled")
    events = enc.resolve()
    while enc.pending:
        events += enc.resolve()
    assert [e.action for e in events if e.kind == "stopped"] == [OPPORTUNITY, "attack"]
    assert enc["Vex"].values["hp"] == 20


def test_one_attempt_at_what_gives_the_opening_whatever_it_is() -> None:
    enc = grid()
    enc.do("Mara", "attack", target="Vex", option="ranged")
    assert {"parry", OPPORTUNITY} <= set(next(o.actions for o in enc.pending if o.who == "Vex"))
    enc.do("Vex", "parry", outcome="failed")
    assert refused(enc, "Vex", OPPORTUNITY, target="Mara").rule == "ap.react.one-per-threat"
    enc.resolve()


def test_off_the_grid_a_player_says_what_gives_the_opening() -> None:
    enc = fight(options={"actions": "book"}, Vex={"attack_bonus": 4}, Mara={"defense": 12, "hp": 9})
    enc.do("Mara", "move", to="the door")
    assert enc.pending == ()
    assert refused(enc, "Vex", OPPORTUNITY).rule == "ap.react.purpose"
    assert refused(enc, "Ilya", OPPORTUNITY, target="Mara", trigger="backs off").rule == HEAD
    enc.do("Vex", OPPORTUNITY, trigger="Mara backs off", damage=2, rolls=[12])
    events = enc.resolve()
    assert (last(events, "attack").target, enc["Mara"].values["hp"], points(enc, "Vex")) == ("Mara", 7, [2])
    ruling = refused(enc, "Vex", OPPORTUNITY, trigger="Mara backs off")
    assert ruling.rule == "ap.react.one-per-threat"


def test_nobody_strikes_beyond_their_reach() -> None:
    enc = grid({"Vex": (2, 0)})
    ruling = refused(enc, "Vex", OPPORTUNITY, target="Mara", trigger="she fumbles")
    assert ruling.reason == "Mara is 2 metres away; Vex reaches 1 metre."
    enc.trigger("Mara", text="stumbles")
    assert opened(enc) == {}
    enc.resolve()
    enc.place("Vex", at=(1, 1))
    enc.trigger("Mara", text="stumbles")
    assert list(opened(enc)) == ["Vex"]


def test_an_opening_that_is_taken_back_is_open_again() -> None:
    enc = grid()
    enc.do("Mara", "move", to=(-3, 0))
    before = enc.digest
    enc.do("Vex", OPPORTUNITY)
    enc.undo()
    assert (list(opened(enc)), points(enc, "Vex")) == (["Vex"], [3])
    enc.redo()
    assert enc.digest != before
    assert points(enc, "Vex") == [2]


def test_the_squares_somebody_threatens_are_those_within_reach() -> None:
    enc = grid(Vex={"reach": 2})
    assert len(enc["Vex"].threatens) == 24
    assert (3, 2) in enc["Vex"].threatens
    assert (1, 0) not in enc["Vex"].threatens


def test_a_reaction_that_moves_gives_an_opening_too() -> None:
    enc = grid()
    through(enc, "Mara", "free_action")
    enc.do("Mara", "attack", target="Vex")
    enc.do("Vex", "dash", to=(5, 0))
    assert opened(enc) == {"Mara": f"{HEAD}.retreat"}
    enc.do("Mara", OPPORTUNITY)
    while enc.pending:
        enc.resolve()
    assert enc["Vex"].position == (5, 0)


def test_an_opportunity_told_in_words_was_given_by_whom_it_strikes() -> None:
    enc = grid({"Vex": (5, 0)})
    enc.join("Crow", side=enc["Vex"].side, at=(1, 0))
    while enc.active != "Vex":
        enc.end_turn()
    events = enc.do("Mara", OPPORTUNITY, target="Crow", trigger="stands up", rolls={"attack": [10]})
    assert next(e.data["by"] for e in events if e.kind == "window") == ["Crow"]


@pytest.mark.parametrize("falls", [True, False])
def test_a_potion_of_two_turns_is_completed_once_the_opening_it_gives_is_over(falls: bool) -> None:
    enc = grid(Mara={"ap": 1, "hp": 5}, Vex={"attack_bonus": 4})
    enc.do("Mara", "drink_potion")
    to(enc, "Mara", 2)
    events = enc.do("Mara", "drink_potion")
    assert last(events, "progress").text == "has paid 2 of 2 AP for a potion"
    assert (opened(enc), enc["Mara"].progress) == ({"Vex": f"{HEAD}.ready"}, {})
    enc.do("Vex", OPPORTUNITY, damage=6 if falls else 4, rolls=[19])
    events = enc.resolve()
    told = [event.text for event in events if event.kind in ("damage", "progress", "stopped")]
    assert told[1:] == ["is down and gets no further" if falls else "finishes the potion"]
    if not falls:
        assert last(events, "progress").rules == ("ap.extended.span", "ap.extended.def")


def test_a_way_round_is_found_where_fewer_may_strike() -> None:
    enc = ck.Encounter("ap", seed=1, options={"actions": "book"})
    enc.add("Mara", side="rebels", initiative_rating=20, at=(0, 0))
    enc.add("Vex", side="empire", at=(3, 1))
    enc.start()
    straight, around = enc.ways("Mara", (6, 0))
    assert [each.who for each in straight.asked] == ["Vex"]
    assert not around.asked
    enc.do("Mara", "disengage")
    assert len(enc.ways("Mara", (6, 0))) == 1, "who has disengaged may go straight"
