"""Saga Edition: what the source does not resolve and the table still wants written down; and the GM's word."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.table import counts, fight, holds, last, left, refused, turns

TWO = {"Mara": 20, "Vex": 10}


def duel(**vex: Any) -> ck.Encounter:
    return fight(TWO, Mara={"attack_bonus": 5}, Vex={"defense": 15, "hp": 30, **vex})


@pytest.mark.parametrize(("face", "total", "outcome"), [(9, 14, "miss"), (10, 15, "hit"), (20, 25, "hit")])
def test_an_attack_is_rolled_where_the_attacker_has_a_bonus(face: int, total: int, outcome: str) -> None:
    enc = duel()
    ruling = enc.can("Mara", "attack", target="Vex")
    assert (ruling.notation, ruling.needed) == ("1d20+5", 15)
    events = enc.do("Mara", "attack", target="Vex", rolls={"attack": [face]})
    strike = next(e for e in events if e.kind == "attack")
    assert (strike.amount, strike.data["needed"], strike.data["outcome"]) == (total, 15, outcome)
    assert strike.data["faces"] == [face]
    assert strike.data["modifiers"] == {"attack bonus": 5}


def test_damage_as_dice_comes_off_the_vital() -> None:
    enc = duel()
    events = enc.do("Mara", "attack", target="Vex", damage="3d8+2", rolls={"attack": [10], "damage": [4, 5, 6]})
    harm = next(e for e in events if e.kind == "damage")
    assert (harm.amount, harm.data["rolled"], harm.data["armor"], harm.data["left"]) == (17, 17, 0, 13)
    assert enc["Vex"].values["hp"] == 13


def test_damage_as_a_number_comes_off_the_vital() -> None:
    enc = duel()
    enc.do("Mara", "attack", target="Vex", damage=8, rolls=[10])
    assert enc["Vex"].values["hp"] == 22


def test_a_miss_deals_no_damage_and_throws_no_damage_dice() -> None:
    enc = duel()
    events = enc.do("Mara", "attack", target="Vex", damage="3d8+2", rolls={"attack": [9], "damage": [4, 5, 6]})
    assert [e.kind for e in events if e.kind == "damage"] == []
    assert enc["Vex"].values["hp"] == 30


def test_without_a_bonus_nothing_is_rolled_and_the_table_says_what_came_of_it() -> None:
    enc = fight(TWO, Vex={"hp": 30})
    events = enc.do("Mara", "attack", target="Vex", outcome="hit", damage=6)
    strike = next(e for e in events if e.kind == "attack")
    assert (strike.data["outcome"], strike.data["total"]) == ("hit", None)
    assert enc["Vex"].values["hp"] == 24
    enc.end_turn()
    enc.end_turn()
    enc.do("Mara", "attack", target="Vex", outcome="miss", damage=6)
    assert enc["Vex"].values["hp"] == 24


def test_a_die_thrown_at_the_table_is_logged_even_without_a_bonus() -> None:
    enc = fight(TWO)
    events = enc.do("Mara", "attack", target="Vex", rolls=[13])
    strike = next(e for e in events if e.kind == "attack")
    assert (strike.data["total"], strike.data["source"], strike.data["outcome"]) == (13, "table", None)


def test_faces_may_be_given_by_the_name_of_who_throws() -> None:
    enc = duel()
    enc.do("Mara", "attack", target="Vex", damage="2d6", rolls={"Mara": [12, 3, 4]})
    assert enc["Vex"].values["hp"] == 23


def test_modifiers_are_named_and_counted() -> None:
    enc = duel()
    assert enc.can("Mara", "attack", target="Vex", modifiers={"aim": 2, "cover": -5}).notation == "1d20+2"
    events = enc.do("Mara", "attack", target="Vex", modifiers={"aim": 2, "cover": -5}, rolls=[12])
    strike = next(e for e in events if e.kind == "attack")
    assert (strike.amount, strike.data["outcome"]) == (14, "miss")
    assert strike.data["modifiers"] == {"attack bonus": 5, "aim": 2, "cover": -5}


def test_a_condition_with_modifiers_changes_what_is_needed_while_it_lasts() -> None:
    enc = duel()
    enc.condition("Vex", "prone", modifiers={"defense": -5}, until="end of round")
    assert enc["Vex"].values["defense"] == 10
    assert enc.can("Mara", "attack", target="Vex").needed == 10
    turns(enc, 2)
    assert enc["Vex"].values["defense"] == 15


def test_each_target_of_an_attack_is_rolled_for() -> None:
    enc = fight(
        {"Mara": 20, "Vex": 10, "Ossik": 5},
        Mara={"attack_bonus": 5},
        Vex={"defense": 15, "hp": 9},
        Ossik={"defense": 20, "hp": 9},
    )
    enc.do("Mara", "full_attack", target=["Vex", "Ossik"], damage=4, rolls={"attack": [10, 14]})
    assert (enc["Vex"].values["hp"], enc["Ossik"].values["hp"]) == (5, 9)


def test_the_gm_adjusts_vitals_of_several_at_once() -> None:
    enc = fight({"Mara": 20, "Vex": 10, "Ossik": 5}, Vex={"hp": 30}, Ossik={"hp": 12})
    events = enc.adjust(["Vex", "Ossik"], by=-4, note="the bridge falls")
    assert [(e.kind, e.target, e.amount, e.by) for e in events] == [
        ("vital", "Vex", -4, "gm"),
        ("vital", "Ossik", -4, "gm"),
    ]
    assert events[0].note == "the bridge falls"
    assert (enc["Vex"].values["hp"], enc["Ossik"].values["hp"]) == (26, 8)
    enc.adjust("Vex", "hp", note="nothing, yet")
    assert enc["Vex"].values["hp"] == 26
    enc.adjust("Vex", vital="hp", by=+9)
    assert enc["Vex"].values["hp"] == 30, "what is given stops at the maximum"


@pytest.mark.parametrize(
    ("until", "ended"),
    [
        ("end of turn", 1),
        ("start of turn: Vex", 1),
        ("end of turn: Vex", 2),
        ("end of round", 2),
        ("start of turn", 2),
    ],
)
def test_a_condition_ends_at_its_anchor(until: str, ended: int) -> None:
    enc = fight(TWO)
    enc.condition("Mara", "dazed", until=until)
    lasted = 0
    while enc["Mara"].conditions:
        enc.end_turn()
        lasted += 1
    assert lasted == ended


def test_a_condition_until_the_next_action_ends_with_it() -> None:
    enc = fight(TWO)
    enc.condition("Mara", "hidden", until="next action")
    assert [c.until for c in enc["Mara"].conditions] == ["next action"]
    enc.do("Mara", "speak")
    assert enc["Mara"].conditions == ()


def test_an_override_is_logged_as_the_gms_with_what_it_overruled() -> None:
    enc = fight(TWO)
    enc.do("Mara", "run")
    assert refused(enc, "Mara", "move").rule == "saga.full.excludes"
    events = enc.do("Mara", "move", override=True, note="the floor tilts")
    assert (events[0].by, events[0].note) == ("gm", "the floor tilts")
    assert "saga.full.excludes" in events[0].data["overruled"]
    assert "the GM allows it" in events[0].text
    assert "set aside by the GM: saga.full.excludes" in enc.explain(events[0].seq)
    assert min(left(enc, "Mara").values()) == 0


def test_an_override_out_of_turn() -> None:
    enc = fight(TWO)
    events = enc.do("Vex", "move", override=True)
    assert events[0].data["overruled"][0] == "saga.round.order"
    assert enc.active == "Mara"


def test_an_override_of_what_is_allowed_overrules_nothing() -> None:
    enc = fight(TWO)
    events = enc.do("Mara", "move", override=True)
    assert "overruled" not in events[0].data
    assert events[0].by == "player"


def test_an_overridden_action_is_an_action_all_the_same() -> None:
    enc = fight(TWO, options={"free_action_cap": 0})
    enc.do("Mara", "run")
    enc.do("Mara", "aid_another", override=True)
    assert refused(enc, "Mara", "delay", count=3).rule


@pytest.mark.parametrize("action", ["use_readied", "act_now", "delay"])
def test_what_is_not_there_cannot_be_overruled_into_being(action: str) -> None:
    enc = fight(TWO)
    before = enc.digest
    with pytest.raises(ck.IllegalAction):
        enc.do("Vex", action, override=True, **({"trigger": "now"} if action == "use_readied" else {}))
    assert enc.digest == before


def test_a_note_goes_with_any_action() -> None:
    enc = fight(TWO)
    events = enc.do("Mara", "attack", target="Vex", note="from the catwalk")
    assert [e.note for e in events] == ["from the catwalk", *[""] * (len(events) - 1)]


def test_one_who_joins_brings_what_add_takes() -> None:
    enc = fight(TWO)
    enc.join("Rancor", side="beasts", count=2, npc=True, dex=1, level=8, hp=80, rolls={"Rancor 1": 2, "Rancor 2": 9})
    assert counts(enc) == [("Mara", 20), ("Rancor 2", 14), ("Vex", 10), ("Rancor 1", 7)]
    assert enc["Rancor 1"].group == "Rancor"
    assert left(enc, "Rancor 1")["reaction"] == 1


def test_one_who_leaves_stays_in_the_log() -> None:
    enc = fight(TWO)
    enc.do("Mara", "attack", target="Vex")
    enc.leave("Vex")
    assert [e.target for e in enc.at(last(enc))._events if e.kind == "action"] == ["Vex"]
    assert "Vex has left" in refused(enc, "Mara", "full_attack", target="Vex").reason
    with pytest.raises(ck.InvalidInput, match="has already left"):
        enc.leave("Vex")


def test_restart_gives_the_same_fight_before_its_start() -> None:
    enc = fight(TWO, Mara={"dex": 3, "feats": ["Quick Draw"]}, options={"trade_down": True})
    enc.do("Mara", "move")
    again = enc.restart(seed=9)
    assert (again.seed, again.clock.round, list(again.names)) == (9, None, ["Mara", "Vex"])
    again.start(rolls={"Mara": 10, "Vex": 2})
    assert counts(again)[0] == ("Mara", 13)
    assert again.can("Mara", "draw_weapon").cost == "Swift"
    again.do("Mara", "second_wind")
    assert again.can("Mara", "second_wind").allowed


def test_restart_keeps_conditions_one_began_with_and_forgets_what_was_undone() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", dex=4)
    enc.undo()
    enc.add("Mara", side="rebels", dex=1, conditions=["prone"])
    again = enc.restart(seed=9)
    assert again["Mara"].stats["dex"] == 1
    assert [c.id for c in again["Mara"].conditions] == ["prone"]


ARMED = [
    {"name": "blade", "damage": "2d6+5", "attack": 7, "range": "melee"},
    {"name": "pistol", "damage": "3d6", "attack": 9, "range": 12},
]


def brawl(**options: Any) -> ck.Encounter:
    hurt = {"defense": 15, "hp": 60}
    return fight({"Mara": 20, "Vex": 10, "Ossik": 5}, options=options, Mara={"weapons": ARMED}, Vex=hurt, Ossik=hurt)


def blows(events: tuple[ck.Event, ...]) -> list[tuple[str | None, int | None, str | None]]:
    return [(e.target, e.data["total"], e.data["outcome"]) for e in events if e.kind == "attack"]


@pytest.mark.rule("saga.full.ex.full-attack")
@pytest.mark.parametrize("options", [{}, {"actions": "book"}])
@pytest.mark.parametrize("given", [{"target": ["Vex", "Vex"]}, {"target": "Vex", "attacks": 2}])
def test_a_full_attack_strikes_the_same_again(options: dict[str, str], given: dict[str, Any]) -> None:
    enc = brawl(**options)
    assert not enc.can("Mara", "attack", target=["Vex", "Ossik"]).allowed
    events = enc.do("Mara", "full_attack", rolls={"attack": [8, 7], "damage": [3, 4]}, **given)
    assert blows(events) == [("Vex", 15, "hit"), ("Vex", 14, "miss")]
    assert enc["Vex"].values["hp"] == 60 - (3 + 4 + 5)
    assert enc.history.rolls.filter(purpose="attack")["outcome"].to_list() == ["hit", "miss"]
    assert enc.budget("Mara")["standard"].left == enc.budget("Mara")["move"].left == 0


def test_the_blows_of_a_full_attack_come_in_the_order_that_is_said() -> None:
    enc = brawl()
    events = enc.do("Mara", "full_attack", target=["Vex", "Ossik", "Vex"], rolls=[15, 1, 1, 2, 15, 2, 2])
    assert blows(events) == [("Vex", 22, "hit"), ("Ossik", 9, "miss"), ("Vex", 22, "hit")]
    assert (enc["Vex"].values["hp"], enc["Ossik"].values["hp"]) == (60 - 7 - 9, 60)


def test_each_blow_of_a_full_attack_has_what_is_said_of_it() -> None:
    enc = brawl()
    rolls = {"attack": [10, 10], "damage": [1, 1, 2, 2, 2]}
    events = enc.do("Mara", "full_attack", target=["Vex", "Ossik"], weapon=["blade", "pistol"], rolls=rolls)
    assert blows(events) == [("Vex", 17, "hit"), ("Ossik", 19, "hit")]
    assert (enc["Vex"].values["hp"], enc["Ossik"].values["hp"]) == (60 - 7, 60 - 6)
    table = fight(TWO, Vex={"hp": 30})
    table.do("Mara", "full_attack", target=["Vex", "Vex"], outcome=["hit", "miss"], damage=[7, 9])
    assert table["Vex"].values["hp"] == 23


def test_what_is_given_for_each_blow_rules_out_no_target_while_more_may_follow() -> None:
    enc = brawl()
    choices = enc.choices("Mara", "full_attack", weapon=["blade", "pistol"])
    assert [c.ruling.allowed for c in choices if c.param == "target"] == [True, True]
    ruling = enc.can("Mara", "full_attack", weapon=["blade", "pistol"])
    assert ruling.reason.startswith("Full attack needs a target: ")
    assert (
        "2 of weapon are given" in refused(enc, "Mara", "full_attack", weapon=["blade", "pistol"], target="Vex").reason
    )


def test_a_full_attack_of_so_many_blows_as_there_cannot_be_is_refused() -> None:
    enc = brawl()
    for given, reason in (
        ({"attacks": 0}, "Full attack has 1 to 20 attacks in all."),
        ({"attacks": 21}, "Full attack has 1 to 20 attacks in all."),
        ({"attacks": 2, "damage": [1, 2, 3]}, "That is 2 attacks, and 3 of damage are given; give one for all"),
    ):
        assert enc.can("Mara", "full_attack", target="Vex", **given).reason.startswith(reason)
    with pytest.raises(ck.InvalidInput, match="Vex is named twice"):
        enc.can("Mara", "attack", target=["Vex", "Vex"])
    with pytest.raises(ck.InvalidInput, match="takes 2 dice for attack, but 3 are given"):
        enc.do("Mara", "full_attack", target=["Vex", "Vex"], rolls={"attack": [1, 1, 1]})


def test_a_full_attack_goes_on_against_those_who_are_still_there() -> None:
    enc = brawl()
    turns(enc, 1)
    trigger = {"actor": "Mara", "action": "attack"}
    enc.do("Vex", "ready", action="attack", target="Mara", trigger=trigger)
    turns(enc, 2)
    enc.do(
        "Mara",
        "full_attack",
        target=["Vex", "Ossik", "Vex"],
        weapon=["blade", "pistol", "blade"],
        rolls=[1, 10, 1, 1, 1, 1],
    )
    assert enc.pending
    enc.leave("Vex")
    assert (enc["Ossik"].values["hp"], enc["Vex"].values["hp"]) == (60 - 3, 60)


def test_the_log_tells_a_full_attack_once_and_each_of_its_blows() -> None:
    enc = brawl()
    enc.do("Mara", "full_attack", target=["Vex", "Ossik", "Vex"], rolls=[15, 1, 1, 2, 15, 2, 2])
    told = enc.log(rules=False).markdown
    assert told.count("full attack") == 1
    for blow in (
        "Vex: 1d20 ⟦15⟧ + 7 = 22 against 15, hit",
        "attacks Ossik: 1d20 ⟦2⟧ + 7 = 9 against",
        "attacks Vex: 1d20 ⟦15⟧",
    ):
        assert blow in told


def test_blows_that_come_to_the_same_are_told_by_their_number() -> None:
    enc = brawl()
    enc.do("Mara", "full_attack", target=["Vex", "Vex", "Vex"], outcome="miss")
    assert "full attack on Vex: 3 misses." in enc.log(rules=False).markdown


@pytest.mark.parametrize(
    ("typed", "meant"), [("prne", "prone"), ("Flat fotted", "flat_footed"), ("Unconcious", "unconscious")]
)
def test_a_condition_that_looks_like_a_slip_is_said_and_stays_text(typed: str, meant: str) -> None:
    enc = brawl()
    with pytest.warns(UserWarning, match=f"condition {typed}: no rule reads it; did you mean {meant}"):
        enc.condition("Mara", typed)
    assert holds(enc, "Mara") == {typed}
    enc.condition("Mara", "own")  # free text, and no slip
    enc.condition("Mara", "Condition track")
    enc.condition("Mara", "Left")
    assert holds(enc, "Mara") >= {"condition_track", "left"}, "however it is spelled"


def test_one_action_granted_out_of_turn_is_no_whole_turn() -> None:
    enc = fight(TWO)
    enc.adjust("Vex", "standard", 1)
    enc.place("Vex", before="Mara")
    assert refused(enc, "Vex", "full_attack", target="Mara").cost == "Full-round"


@pytest.mark.parametrize(
    ("meant", "dead", "hurt"),
    [(["Ossik", "Rey"], ["Rey"], {"Ossik"}), (["Rey"], ["Rey"], None), (["Ossik", "Rey"], ["Rey", "Ossik"], None)],
)
def test_what_is_readied_is_not_carried_out_on_the_dead(
    meant: list[str], dead: list[str], hurt: set[str] | None
) -> None:
    """Attacks kept to that; a power took hit points from somebody who had died since it was readied."""
    tough: dict[str, Any] = {name: {"hp": 20} for name in ("Vex", "Ossik", "Rey")}
    enc = fight({"Ada": 20, "Vex": 15, "Ossik": 10, "Rey": 5}, **tough)
    enc.do("Ada", "ready", action="force_power", target=meant, trigger={"actor": "Vex"})
    for name in dead:
        enc.condition(name, "dead")
    enc.end_turn()
    enc.do("Vex", "attack", target="Ada", outcome="miss")
    if hurt is None:
        assert enc.can("Ada", "use_readied").reason == f"{meant[0]} is dead."
        return
    enc.do("Ada", "use_readied", damage=2)
    assert {name for name in ("Ossik", "Rey") if enc[name].values["hp"] < 20} == hurt


def test_what_is_readied_for_the_dead_is_carried_out_on_them() -> None:
    enc = fight({"Ada": 20, "Vex": 15, "Rey": 5})
    enc.condition("Rey", "dead")
    enc.do("Ada", "ready", action="aid_another", target="Rey", trigger={"actor": "Vex"})
    enc.end_turn()
    enc.do("Vex", "attack", target="Ada", outcome="miss")
    assert enc.can("Ada", "use_readied").allowed


def test_whoever_is_said_once_more_to_be_dead_has_not_died_since() -> None:
    enc = fight({"Ada": 20, "Vex": 15, "Rey": 5})
    enc.condition("Rey", "dead")
    enc.do("Ada", "ready", action="aid_another", target="Rey", trigger={"actor": "Vex"})
    enc.condition("Rey", "dead", note="quite dead")
    enc.end_turn()
    enc.do("Vex", "attack", target="Ada", outcome="miss")
    assert enc.can("Ada", "use_readied").allowed
    enc.condition("Rey", "dead", off=True)
    enc.condition("Rey", "dead")
    assert enc.can("Ada", "use_readied").reason == "Rey is dead."
