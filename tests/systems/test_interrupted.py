"""What is interrupted is judged again: what the world has made impossible is stopped, or loses that target."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems import ap_table, d6_table, phases_table, segments_table, table
from tests.systems.d6_table import LINE, npc, pc
from tests.systems.table import refused


def stopped(events: tuple[ck.Event, ...]) -> ck.Event:
    """The one thing that was stopped."""
    (event,) = [event for event in events if event.kind == "stopped"]
    return event


def blows(events: tuple[ck.Event, ...]) -> list[str | None]:
    """Whom the attacks were rolled against."""
    return [event.target for event in events if event.kind in ("attack", "damage")]


# ── phases ──


@pytest.mark.rule("phases.atk.melee-adj", "phases.ready.resume")
def test_phases_a_blow_does_not_reach_one_who_has_moved_away() -> None:
    enc = phases_table.fight({"Ace": 9, "Vex": 8}, at={"Ace": (1, 0), "Vex": (0, 0)})
    enc.do("Ace", "ready", action="half_move", trigger={"actor": "Vex", "action": "strike"})
    enc.end_turn()
    enc.do("Vex", "strike", target="Ace", rolls=[6, 6, 6])
    events = enc.do("Ace", "use_readied", to=(4, 0), outcome="negated")
    assert blows(events) == []
    event = stopped(events)
    assert (event.actor, event.text) == ("Vex", "strikes nobody: Ace is 4 hexes away; the reach of Vex is 1")
    assert (event.rules[0], event.rules[-1]) == ("phases.atk.melee-adj", "phases.ready.resume")
    assert enc.budget("Vex")["attack"].left == 0, "what was paid stays paid"


@pytest.mark.rule("phases.atk.melee-adj")
def test_phases_a_sweep_loses_only_whom_it_no_longer_reaches() -> None:
    at = {"Mara": (0, 0), "Vex": (1, 0), "Dray": (0, 1)}
    enc = phases_table.fight({"Vex": 9, "Mara": 8, "Dray": 7}, at=at)
    enc.do("Vex", "ready", action="half_move", trigger={"actor": "Mara"})
    enc.end_turn()
    enc.do("Mara", "sweep", target=["Vex", "Dray"])
    events = enc.do("Vex", "use_readied", to=(4, 0), outcome="negated")
    event = stopped(events)
    assert (event.target, event.rules[0]) == ("Vex", "phases.atk.melee-adj")
    assert blows(events) == ["Dray"]


def test_phases_a_mover_whose_way_is_barred_is_not_told_to_give_another() -> None:
    enc = phases_table.fight({"Vex": 9, "Mara": 8}, at={"Mara": (0, 0), "Vex": (4, 1)})
    enc.do("Vex", "ready", action="half_move", to=(4, 0), trigger={"actor": "Mara"})
    enc.end_turn()
    enc.do("Mara", "full_move", to=(6, 0))
    event = stopped(enc.do("Vex", "use_readied"))
    assert event.text == "gets no further: Vex stands in the way at (4, 0): only allies pass through"


@pytest.mark.rule("phases.atk.melee-adj")
def test_phases_a_move_by_that_finds_nobody_has_been_made_all_the_same() -> None:
    enc = phases_table.fight({"Vex": 9, "Mara": 8}, at={"Mara": (3, 0), "Vex": (0, 0)})
    enc.do("Vex", "ready", action="half_move", to=(-3, 0), trigger={"actor": "Mara"})
    enc.end_turn()
    enc.do("Mara", "move_by", target="Vex", to=[(2, 0), (1, 0), (1, -1)])
    event = stopped(enc.do("Vex", "use_readied"))
    assert event.text == "strikes nobody: Vex is 4 hexes away; the reach of Mara is 1"
    assert enc["Mara"].position == (1, -1)


def test_phases_a_move_goes_only_as_far_as_its_mover_can_by_now() -> None:
    enc = phases_table.fight({"Mara": 9, "Vex": 8}, at={"Mara": (3, 0), "Vex": (0, 0)})
    enc.do("Mara", "half_move", to=[(2, 0), (1, 0), (1, 1)], outcome="failed")
    enc.condition("Mara", "lamed", modifiers={"movement": -4})
    event = stopped(enc.resolve())
    assert event.text.startswith("gets no further: That's 3 hexes; a half move is at most")
    assert enc["Mara"].position == (1, 0)


def test_phases_the_dice_for_a_target_that_is_lost_go_to_no_other() -> None:
    at = {"Mara": (0, 0), "Vex": (1, 0), "Dray": (0, 1)}
    enc = phases_table.fight({"Vex": 9, "Mara": 8, "Dray": 7}, at=at)
    enc.do("Vex", "ready", action="half_move", trigger={"actor": "Mara"})
    enc.end_turn()
    enc.do("Mara", "sweep", target=["Vex", "Dray"], rolls={"attack": [6, 6, 6, 1, 2, 3]})
    events = enc.do("Vex", "use_readied", to=(4, 0), outcome="negated")
    assert [event.data["faces"] for event in events if event.kind == "attack"] == [[1, 2, 3]]


@pytest.mark.rule("phases.tab.move-half")
def test_phases_a_move_goes_on_only_from_where_its_mover_stands() -> None:
    enc = phases_table.fight({"Mara": 9, "Vex": 8}, at={"Mara": (1, 0), "Vex": (0, 0)})
    enc.do("Mara", "half_move", to=[(1, 1), (1, 2), (1, 3)], outcome="failed")
    enc.place("Mara", at=(1, -1), note="thrown back")
    enc.resolve()
    assert enc["Mara"].position == (1, 3), "nothing was walked yet: the way is taken from there"
    enc = phases_table.fight({"Mara": 9, "Vex": 8}, at={"Mara": (3, 0), "Vex": (0, 0)})
    enc.do("Mara", "half_move", to=[(2, 0), (1, 0), (1, 1)], outcome="failed")
    assert enc["Mara"].position == (1, 0)
    events = enc.place("Mara", at=(3, 0), note="thrown back")
    assert enc.pending == (), "Vex cannot reach her there"
    assert (stopped(events).rules[0], enc["Mara"].position) == ("phases.tab.move-half", (3, 0))


@pytest.mark.rule("phases.tab.move-half")
def test_phases_a_way_that_has_become_too_long_is_not_begun() -> None:
    enc = phases_table.fight({"Mara": 9, "Vex": 8}, at={"Mara": (1, 0), "Vex": (0, 0)})
    enc.do("Mara", "half_move", to=(3, 0), outcome="failed")
    event = stopped(enc.place("Mara", at=(-4, 0)))
    assert event.text == "gets no further: That's 7 hexes; a half move is at most 4 hexes"


@pytest.mark.rule("phases.aoo.resume")
def test_phases_one_who_can_no_longer_act_is_said_to_be_so() -> None:
    enc = phases_table.fight({"Mara": 9, "Vex": 8}, at={"Mara": (1, 0), "Vex": (0, 0)})
    enc.do("Mara", "move_heavy_object")
    enc.condition("Mara", "paralysed")
    event = stopped(enc.resolve())
    assert event.text == "is paralysed and gets no further"
    assert event.rules == ("phases.init.retain", "phases.aoo.resume")


@pytest.mark.rule("phases.abort.what")
def test_phases_an_abort_is_judged_again_too() -> None:
    enc = phases_table.fight({"Mara": 9, "Vex": 8, "Dray": 7}, at={"Mara": (5, 0), "Vex": (0, 0), "Dray": (1, 0)})
    enc.do("Mara", "ready", action="block", trigger={"actor": "Dray", "action": "abort"})
    enc.end_turn()
    enc.do("Dray", "abort", action="dodge")
    assert [o.who for o in enc.pending] == ["Mara"]
    events = enc.condition("Dray", "unconscious")
    assert (stopped(events).actor, stopped(events).action) == ("Dray", "abort")
    assert "dodged" not in {c.id for c in enc["Dray"].conditions}


# ── d6 ──


def shot(map: Any = None, at: dict[str, str] | None = None, **weapon: Any) -> ck.Encounter:
    """Ada shoots at Nox; Bes, who holds an attack on Nox for that, may come first."""
    gun = {"name": "gun", "attack": "4D", "damage": "3D", "type": "energy", "range": "long", **weapon}
    people = {
        "Bes": pc(9, weapons=[gun]),
        "Ada": pc(7, weapons=[gun]),
        "Nox": npc(5, resolve=5),
    }
    for name, zone in (at or {}).items():
        people[name]["at"] = zone
    enc = d6_table.fight(people, map=map)
    enc.do("Bes", "hold", action="attack", target="Nox", trigger={"actor": "Ada", "action": "attack"})
    enc.do("Ada", "attack", target="Nox", rolls={"attack": [6, 6, 6, 6], "damage": [6, 6, 6]})
    return enc


@pytest.mark.rule("d6.act.attack", "d6.act.hold.interrupts")
def test_d6_nobody_shoots_at_one_who_is_out() -> None:
    enc = shot()
    events = enc.do("Bes", "use_held", rolls={"attack": [6, 6, 6, 6], "damage": [6, 6, 6]})
    assert blows(events) == ["Nox", "Nox"], "Bes's shot alone"
    event = stopped(events)
    assert (event.actor, event.text) == ("Ada", "strikes nobody: Nox is out")
    assert event.rules == ("d6.wound.minor-npc", "d6.act.hold.interrupts")
    assert enc.budget("Ada")["action"].left == 0


@pytest.mark.rule("d6.act.attack")
@pytest.mark.parametrize("how", ["dead", "left"])
def test_d6_nor_at_the_dead_or_at_one_who_has_left(how: str) -> None:
    enc = shot()
    events = enc.leave("Nox") if how == "left" else enc.condition("Nox", "dead")
    assert blows(events) == [], "Bes cannot shoot at Nox any more either, so nobody is asked"
    assert stopped(events).actor == "Ada"
    assert enc.pending == ()


@pytest.mark.rule("d6.act.attack.range")
def test_d6_a_weapon_does_not_reach_one_who_has_been_moved_out_of_range() -> None:
    enc = shot(LINE, {"Bes": "Z0", "Ada": "Z0", "Nox": "Z1"}, range="short")
    event = stopped(enc.place("Nox", at="Z4"))
    assert enc.pending == (), "neither Bes nor Ada reaches that far"
    assert event.rules[0] == "d6.act.attack.range"
    assert "Nox is at Extreme" in event.text


@pytest.mark.rule("d6.act.help.timing")
def test_d6_a_roll_that_waits_for_help_is_for_nothing_once_its_target_is_gone() -> None:
    enc = d6_table.fight({"Bes": pc(9), "Ada": pc(7), "Nox": npc(5)})
    enc.do("Bes", "help")
    enc.end_turn()
    enc.do("Ada", "attack", target="Nox", rolls={"attack": [6, 6, 6, 6]})
    assert [o.actions for o in enc.pending] == [("add_help",)]
    events = enc.leave("Nox")
    assert (stopped(events).actor, blows(events)) == ("Ada", [])


@pytest.mark.rule("d6.escape.cond", "d6.zone.move-cost")
def test_d6_an_escape_and_a_move_are_judged_by_where_everybody_stands_now() -> None:
    people = {"Bes": pc(9, at="Z0"), "Nox": npc(7, at="Z1")}
    enc = d6_table.fight(people, map=LINE)
    enc.do("Bes", "hold", action="use_item", trigger={"actor": "Nox"})
    enc.do("Nox", "escape")
    enc.place("Bes", at="Z5")
    assert stopped(enc.resolve()).rules[0] == "d6.escape.cond"
    enc = d6_table.fight(people, map=LINE)
    enc.do("Bes", "hold", action="use_item", trigger={"actor": "Nox"})
    enc.do("Nox", "move", to="Z2")
    enc.place("Nox", at="Z4")
    event = stopped(enc.resolve())
    assert "Z2 isn't next to Z4" in event.text
    assert (enc["Nox"].position, enc.budget("Nox")["move"].left) == ("Z4", 0)


# ── saga ──


@pytest.mark.rule("saga.ready.outside-turn")
def test_saga_what_is_readied_strikes_nobody_who_has_left() -> None:
    enc = table.fight({"Mara": 20, "Kell": 15, "Vex": 10, "Dray": 5}, Kell={"attack_bonus": 3})
    enc.end_turn()
    enc.do("Kell", "ready", action="attack", target="Dray", trigger={"actor": "Vex"})
    enc.end_turn()
    enc.leave("Dray")
    enc.do("Vex", "move")
    assert enc.pending == ()
    assert refused(enc, "Kell", "use_readied", trigger="Vex moves").reason == "Dray has left the fight."


@pytest.mark.rule("saga.ready.outside-turn")
def test_saga_an_attack_that_waits_is_stopped_by_its_targets_departure() -> None:
    enc = table.fight({"Mara": 20, "Vex": 10, "Ilya": 5}, Vex={"attack_bonus": 3})
    enc.do("Mara", "ready", action="attack", target="Vex", trigger={"actor": "Vex"})
    enc.end_turn()
    enc.do("Vex", "attack", target="Ilya")
    enc.leave("Ilya")
    event = stopped(enc.resolve())
    assert (event.actor, event.text) == ("Vex", "strikes nobody: Ilya has left the fight")
    assert event.rules == ("saga.std.ex.attack",), "a reaction stops nothing by itself"


@pytest.mark.parametrize(
    ("given", "rolled", "lost"),
    [
        ({"rolls": {"attack": [1, 16]}}, [(19, "hit")], []),
        ({"rolls": {"attack": [18, 16], "damage": [1, 6]}, "damage": "1d6"}, [(19, "hit")], [6]),
        ({"rolls": {"attack": [1, 16], "damage": [5]}, "damage": "1d6"}, [(19, "hit")], [5]),
        ({"rolls": [18, 1, 16, 6], "damage": "1d6"}, [(19, "hit")], [6]),
        ({"outcome": ["miss", "hit"], "damage": [1, 6]}, [(None, "hit")], [6]),
    ],
)
def test_saga_the_dice_of_a_blow_that_is_lost_go_to_no_other(
    given: dict[str, Any], rolled: list[tuple[int | None, str]], lost: list[int]
) -> None:
    enc = table.fight(
        {"Mara": 20, "Bo": 15, "Vex": 10}, Vex={"attack_bonus": 3}, Mara={"defense": 15}, Bo={"defense": 15}
    )
    enc.do("Mara", "ready", action="attack", target="Vex", trigger={"actor": "Vex"})
    enc.end_turn()
    enc.end_turn()
    enc.do("Vex", "full_attack", target=["Bo", "Mara"], **given)
    enc.leave("Bo")
    events = enc.resolve()
    assert [(e.amount, e.data["outcome"]) for e in events if e.kind == "attack"] == rolled
    assert [e.amount for e in events if e.kind == "damage"] == lost


def test_saga_dice_given_once_a_blow_is_lost_are_for_what_is_left() -> None:
    enc = table.fight({"Mara": 20, "Bo": 15, "Vex": 10}, Vex={"attack_bonus": 3}, Mara={"defense": 15})
    enc.do("Mara", "ready", action="attack", target="Vex", trigger={"actor": "Vex"})
    enc.end_turn()
    enc.end_turn()
    enc.do("Vex", "full_attack", target=["Bo", "Mara"])
    enc.leave("Bo")
    assert [e.amount for e in enc.resolve(rolls={"attack": [16]}) if e.kind == "attack"] == [19]


@pytest.mark.rule("saga.move.ex.speed")
def test_saga_a_way_is_measured_from_where_the_mover_stands() -> None:
    enc = table.fight({"Mara": 20, "Vex": 10}, Vex={"at": (0, 0), "speed": 6})
    enc.do("Mara", "ready", action="attack", target="Vex", trigger={"actor": "Vex"})
    enc.end_turn()
    enc.do("Vex", "move", to=(6, 0))
    enc.place("Vex", at=(-3, 0))
    assert stopped(enc.resolve()).rules[0] == "saga.move.ex.speed"
    assert enc["Vex"].position == (-3, 0)


@pytest.mark.parametrize(
    ("who", "mark", "asked"),
    [
        ("Vex", "down", True),
        ("Ilya", "down", True),
        ("Ilya", "dead", True),
        ("Ilya", "left", True),
        ("Vex", "dead", False),
        ("Vex", "left", False),
    ],
)
def test_saga_who_readied_against_an_attack_is_asked_on_whoever_of_its_targets_is_gone(
    who: str, mark: str, asked: bool
) -> None:
    enc = table.fight({"Mara": 20, "Vex": 10, "Ilya": 5}, Vex={"attack_bonus": 3})
    enc.do("Mara", "ready", action="attack", target="Vex", trigger={"actor": "Vex", "action": "attack"})
    enc.end_turn()
    enc.do("Vex", "attack", target="Ilya")
    enc.condition(who, mark)
    assert [(o.who, o.actions) for o in enc.pending] == ([("Mara", ("use_readied",))] if asked else [])
    if asked:
        events = enc.do("Mara", "use_readied", outcome="hit", damage=2)
        assert [e.target for e in events if e.kind == "damage"] == ["Vex"]


@pytest.mark.parametrize("placed", [True, False])
def test_saga_whoever_is_grabbed_in_the_middle_of_a_move_stops(placed: bool) -> None:
    at: dict[str, Any] = {"Mara": {"at": (0, 0)}, "Vex": {"at": (0, 1)}} if placed else {}
    enc = table.fight({"Mara": 20, "Vex": 10}, options={"actions": "book"}, **at)
    enc.do("Mara", "ready", action="grab", target="Vex", trigger={"actor": "Vex", "action": "move"})
    enc.end_turn()
    to: dict[str, Any] = {"to": (0, 6)} if placed else {}
    enc.do("Vex", "move", **to)
    event = stopped(enc.do("Mara", "use_readied", outcome="hit"))
    assert (event.text, event.rules) == ("is grabbed and gets no further", ("saga.book.grab",))
    assert enc["Vex"].position == ((0, 1) if placed else None)


@pytest.mark.parametrize(
    ("how", "why", "where"),
    [
        ("elsewhere", "gets no further: Mara stands elsewhere now, and (0, 2) is not the next square", (20, -20)),
        ("off", "is off the map and gets no further", None),
        ("slowed", "gets no further: That is 5 squares; {title} takes Mara only 1, at speed 1", (0, 1)),
        ("held", "is grabbed and gets no further", (0, 1)),
    ],
)
@pytest.mark.parametrize("action", ["move", "charge"])
def test_saga_a_way_under_way_is_measured_again(action: str, how: str, why: str, where: object) -> None:
    at: dict[str, Any] = {"Mara": {"at": (0, 0)}, "Vex": {"at": (1, 0)}, "Dray": {"at": (0, 6)}}
    options = {"openings": "leaving_reach", "actions": "book"}
    enc = table.fight({"Mara": 20, "Vex": 10, "Dray": 5}, options=options, **at)
    more: dict[str, Any] = {"target": "Dray", "damage": 2} if action == "charge" else {}
    enc.do("Mara", action, to=(0, 5), **more)
    assert enc["Mara"].position == (0, 1)
    match how:
        case "elsewhere":
            enc.place("Mara", at=(20, -20))
        case "off":
            enc.place("Mara", off=True)
        case "slowed":
            enc.condition("Mara", "lamed", modifiers={"speed": -5})
        case "held":
            enc.condition("Mara", "grabbed", value="Vex")
    if enc.pending:
        enc.resolve()
    (told,) = [e["text"] for e in enc.history.events.to_dicts() if e["kind"] == "stopped"]
    assert told == why.format(title=action.title())
    assert enc["Mara"].position == where


# ── ap ──


@pytest.mark.rule("ap.map.metre", "ap.multi.resolve-reactions-first")
def test_ap_an_attack_reaches_only_as_far_as_it_says() -> None:
    rows = [{"id": "thrust", "title": "Thrust", "tags": ["attack"], "range": 2}]
    enc = ap_table.fight(rows=rows, Mara={"at": (0, 0)}, Vex={"at": (1, 0)})
    enc.do("Mara", "thrust", target="Vex")
    enc.place("Vex", at=(5, 0))
    event = stopped(enc.resolve())
    assert event.rules == ("ap.map.metre", "ap.multi.resolve-reactions-first")
    assert ap_table.points(enc, "Mara") == [2]


def test_ap_one_of_several_targets_may_be_lost() -> None:
    enc = ap_table.fight({"Mara": 14, "Vex": 12, "Dray": 10, "Ilya": 8}, Mara={"attack_bonus": 5})
    enc.do("Mara", "attack", target=["Vex", "Dray"])
    enc.leave("Dray")
    events = enc.resolve()
    assert (stopped(events).target, blows(events)) == ("Dray", ["Vex"])


def test_ap_the_dice_for_a_target_that_is_lost_go_to_no_other() -> None:
    foe = {"defense": 15}
    enc = ap_table.fight({"Mara": 14, "Vex": 12, "Dray": 10, "Ilya": 8}, Mara={"attack_bonus": 5}, Vex=foe, Dray=foe)
    enc.do("Mara", "attack", target=["Vex", "Dray"], rolls={"attack": [2, 16], "damage": [4]}, damage="1d6")
    enc.leave("Vex")
    events = enc.resolve()
    assert [(e.target, e.amount) for e in events if e.kind in ("attack", "damage")] == [("Dray", 21), ("Dray", 4)]


def test_ap_what_the_gm_allows_out_of_reach_is_not_stopped_as_nobody_reacts() -> None:
    rows = [{"id": "thrust", "title": "Thrust", "tags": ["attack"], "range": 2}]
    enc = ap_table.fight(rows=rows, Mara={"at": (0, 0), "attack_bonus": 5}, Vex={"at": (5, 0)})
    enc.do("Mara", "thrust", target="Vex", override=True)
    assert blows(enc.resolve()) == ["Vex"]


# ── segments ──


@pytest.mark.rule("segments.grid.pass-breaks", "segments.free.before")
def test_segments_who_flees_does_not_pass_through_one_who_has_come_in_the_way() -> None:
    spots: dict[str, Any] = {"Mara": {"at": (0, 1)}, "Bo": {"at": (5, 5)}, "Vex": {"at": (0, 0)}}
    enc = segments_table.fight("Mara", "Bo", "Vex", **spots)
    for name in ("Mara", "Bo", "Vex"):
        enc.condition(name, "in_melee")
    enc.do("Vex", "declare", action="flee")
    segments_table.roll(enc)
    enc.do("Vex", "flee", to=[(1, 0), (2, 0), (3, 0)])
    enc.place("Bo", at=(2, 0))
    event = stopped(enc.resolve())
    assert event.rules == ("segments.grid.pass-breaks", "segments.free.before")
    assert enc["Vex"].position == (0, 0)


@pytest.mark.rule("segments.called.20")
def test_segments_a_called_shot_is_for_nothing_once_its_target_is_gone() -> None:
    enc = segments_table.rolled("Mara", "Vex")
    enc.do("Mara", "called_shot", target="Vex", rolls=[20], damage=3)
    events = enc.leave("Vex")
    assert enc.pending == (), "there is nothing left to ask"
    assert (stopped(events).actor, blows(events)) == ("Mara", [])


# ── who has nothing left, where only the GM knows who is down ──

ASKED = {"down_at_zero": False}


@pytest.mark.rule("phases.aoo.resume")
@pytest.mark.parametrize(("answer", "spot"), [("falls", (1, 0)), ("goes on", (3, 0))])
def test_the_gm_says_whether_one_who_has_nothing_left_goes_on(answer: str, spot: Any) -> None:
    enc = phases_table.fight({"Mara": 9, "Vex": 8}, at={"Mara": (1, 0), "Vex": (0, 0)}, options=ASKED, Mara={"stun": 5})
    enc.do("Mara", "half_move", to=(3, 0), outcome="failed")
    enc.do("Vex", "attack_of_opportunity", target="Mara", damage=7, rolls={"attack": [6, 6, 1]})
    (offer,) = enc.pending
    assert (offer.who, offer.choices, offer.rule) == ("GM", ("goes on", "falls"), "phases.aoo.resume")
    assert offer.about == "Mara has \N{MINUS SIGN}2 stun: does the half move go on?"
    events = enc.resolve(answer=answer)
    assert enc["Mara"].position == spot
    assert [e.text for e in events if e.kind == "stopped"] == ["gets no further: Mara falls"] * (answer == "falls")


@pytest.mark.rule("phases.ready.resume")
@pytest.mark.parametrize(("damage", "left", "asked"), [(4, 1, []), (5, 0, ["GM"])])
def test_the_gm_is_asked_of_one_who_has_come_to_nothing_and_of_nobody_else(
    damage: int, left: int, asked: list[str]
) -> None:
    enc = phases_table.fight({"Mara": 9, "Vex": 8}, at={"Mara": (1, 0), "Vex": (0, 0)}, options=ASKED, Mara={"stun": 5})
    enc.do("Mara", "half_move", to=(3, 0), outcome="failed")
    enc.do("Vex", "attack_of_opportunity", target="Mara", damage=damage, rolls={"attack": [6, 6, 1]})
    assert (enc["Mara"].values["stun"], [offer.who for offer in enc.pending]) == (left, asked)


@pytest.mark.rule("phases.ready.resume")
@pytest.mark.parametrize(("further", "asked"), [([], []), ([(1, 1), (1, 2)], ["GM"])])
def test_the_gm_is_asked_only_if_there_is_something_left_to_go_on_with(further: list[Any], asked: list[str]) -> None:
    enc = phases_table.fight({"Vex": 9, "Mara": 8}, at={"Vex": (0, 0), "Mara": (3, 0)}, options=ASKED, Mara={"stun": 5})
    enc.do("Vex", "ready", action="strike", target="Mara", trigger={"actor": "Mara", "action": "half_move"})
    enc.end_turn()
    enc.do("Mara", "half_move", to=[(2, 0), (1, 0), *further], outcome="negated")
    assert enc["Mara"].position == (1, 0)
    enc.do("Vex", "use_readied", rolls={"attack": [6, 6, 6]}, damage=7)
    assert [offer.who for offer in enc.pending] == asked
    assert (enc["Mara"].values["stun"], enc["Mara"].position) == (-2, (1, 0))


def test_a_ruleset_without_a_rule_for_it_has_the_gm_say_so_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    enc = phases_table.fight({"Vex": 9, "Mara": 8}, at={"Vex": (0, 0), "Mara": (1, 0)}, options=ASKED, Mara={"stun": 5})
    monkeypatch.delitem(enc.ruleset.cite, "interrupted")
    enc.do("Vex", "ready", action="strike", target="Mara", trigger={"actor": "Mara", "action": "half_move"})
    enc.end_turn()
    enc.do("Mara", "half_move", to=(3, 0), outcome="negated")
    enc.do("Vex", "use_readied", damage=7, rolls={"attack": [6, 6, 1]})
    (offer,) = enc.pending
    assert (offer.choices, offer.rule) == (("goes on", "falls"), enc.ruleset.actions["half_move"].rule)
    enc.resolve(answer="falls")
    assert enc["Mara"].position == (1, 0)


@pytest.mark.rule("phases.aoo.cr-one-per-opp")
def test_who_goes_on_gives_no_second_opening_where_they_were_struck() -> None:
    quick: dict[str, Any] = {"combat_reflexes": True}
    at = {"Mara": (1, 0), "Vex": (0, 0)}
    enc = phases_table.fight({"Mara": 9, "Vex": 8}, at=at, options=ASKED, Mara={"stun": 5}, Vex=quick)
    enc.do("Mara", "half_move", to=(3, 0), outcome="failed")
    enc.do("Vex", "attack_of_opportunity", target="Mara", damage=7, rolls={"attack": [6, 6, 1]})
    enc.resolve(answer="goes on")
    assert (enc.pending, enc["Mara"].position) == ((), (3, 0))


# ── whom an attack is aimed at ──


@pytest.mark.rule("saga.std.ex.attack", "saga.react.ex.aoo")
def test_saga_a_single_attack_has_a_single_target() -> None:
    enc = table.fight({"Mara": 20, "Vex": 15, "Dray": 10, "Bo": 5})
    assert refused(enc, "Mara", "attack", target=["Vex", "Dray"]).rule == "saga.std.ex.attack"
    assert enc.can("Mara", "full_attack", target=["Vex", "Dray"]).allowed
    enc.trigger("Mara", text="moves past")
    assert refused(enc, "Vex", "attack_of_opportunity", target="Bo").reason == "Bo gave Vex no opening; Mara did."
    assert refused(enc, "Vex", "attack_of_opportunity", target="Dray").reason == "Dray isn't Vex's enemy."
    assert refused(enc, "Vex", "attack_of_opportunity", target=["Mara", "Bo"]).rule == "saga.react.ex.aoo"
    assert enc.can("Vex", "attack_of_opportunity", target="Mara").allowed


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
def test_nobody_attacks_the_dead(system: str) -> None:
    people = {
        "saga": lambda: table.fight({"Mara": 20, "Vex": 10}),
        "d6": lambda: d6_table.fight({"Mara": pc(9), "Vex": npc(7)}),
        "ap": lambda: ap_table.fight({"Mara": 14, "Vex": 12}),
        "segments": lambda: segments_table.rolled("Mara", "Vex"),
        "phases": lambda: phases_table.fight({"Mara": 9, "Vex": 8}),
    }
    enc, attack = people[system](), {"phases": "strike"}.get(system, "attack")
    assert enc.can("Mara", attack, target="Vex").allowed
    enc.condition("Vex", "dead")
    assert refused(enc, "Mara", attack, target="Vex").reason == "Vex is dead."
    assert enc.do("Mara", attack, target="Vex", override=True), "unless the GM says so"


def waited_for(system: str) -> ck.Encounter:
    """Vex's attack on Ilya, or in segments Vex's flight, waits for what others do about it."""
    if system == "segments":
        enc = segments_table.fight("Mara", "Ilya", "Vex")
        for name in ("Mara", "Ilya", "Vex"):
            enc.condition(name, "in_melee")
        enc.do("Vex", "declare", action="flee")
        segments_table.roll(enc)
        enc.do("Vex", "flee")
        return enc
    if system == "ap":
        enc = ap_table.fight({"Vex": 14, "Ilya": 12, "Mara": 10})
    elif system == "d6":
        enc = d6_table.fight({"Mara": pc(9), "Vex": pc(7), "Ilya": npc(5)})
        enc.do("Mara", "help")
    elif system == "saga":
        enc = table.fight({"Mara": 20, "Vex": 10, "Ilya": 5})
        enc.do("Mara", "ready", action="attack", target="Vex", trigger={"actor": "Vex"})
    else:
        enc = phases_table.fight({"Mara": 9, "Vex": 8, "Ilya": 7})
        enc.do("Mara", "ready", action="half_move", trigger={"actor": "Vex", "action": "strike"})
    while enc.active != "Vex":
        enc.end_turn()
    enc.do("Vex", {"phases": "strike"}.get(system, "attack"), target="Ilya")
    return enc


AGAINST = [("Vex", "dead"), ("Vex", "unconscious"), ("Vex", "left"), ("Ilya", "dead"), ("Ilya", "left")]
"""Who comes to what: in segments only Vex, who flees from nobody in particular."""


STRUCK = [("saga", "Vex", "unconscious"), ("segments", "Vex", "unconscious")]
STRUCK += [(system, "Ilya", how) for system in ("saga", "phases") for how in ("dead", "left")]
"""Where somebody waits who may still strike, or use what they readied against the attack: it was made."""


@pytest.mark.parametrize(
    ("system", "who", "how"),
    [
        (system, who, how)
        for system in ("saga", "d6", "ap", "segments", "phases")
        for who, how in AGAINST
        if (system, who) != ("segments", "Ilya") and (system, who, how) not in STRUCK
    ],
)
def test_nobody_is_asked_any_more_about_what_can_no_longer_happen(system: str, who: str, how: str) -> None:
    enc = waited_for(system)
    assert enc.pending
    events = enc.leave(who) if how == "left" else enc.condition(who, how)
    assert enc.pending == ()
    assert (stopped(events).actor, blows(events)) == ("Vex", [])


@pytest.mark.parametrize(("system", "who", "how"), STRUCK)
def test_whoever_may_strike_one_who_goes_down_still_may(system: str, who: str, how: str) -> None:
    enc = waited_for(system)
    asked = enc.pending
    enc.condition(who, how)
    assert enc.pending == asked
    events = enc.resolve()
    assert (stopped(events).actor, blows(events)) == ("Vex", [])


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "phases"])
def test_those_asked_may_still_answer_an_attack_on_one_who_has_fainted(system: str) -> None:
    enc = waited_for(system)
    enc.condition("Ilya", "unconscious")
    assert "Mara" in [offer.who for offer in enc.pending]
