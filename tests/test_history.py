"""History: every frame counted by hand, and the same however and whenever it is looked at."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import combatkit as ck
from combatkit.history import SCHEMAS, History, stack
from combatkit.history.table import framed
from combatkit.history.tally import Tally
from tests.conformance import player

FRAMES = ("events", "rolls", "turns", "rounds", "budgets")

COLUMNS = {
    "events": "encounter system seq round phase step clock seconds kind actor action target amount text note rules by "
    "undone",
    "rolls": "encounter system seq round phase step actor purpose notation faces modifier total needed outcome source",
    "turns": "encounter system round phase step turn combatant side initiative place began_seq ended_seq actions "
    "reactions real_seconds",
    "rounds": "encounter system round seconds combatant side initiative place acted surprised actions reactions "
    "budget_total budget_spent damage_dealt damage_taken vital_end conditions",
    "budgets": "encounter system round phase combatant slot total spent",
}


def three(surprised: Sequence[str] = (), **options: Any) -> ck.Encounter:
    """Mara on 24, Vex on 17, Ossik on 14."""
    enc = ck.Encounter("saga", seed=7, id="hand", options=options)
    enc.add("Mara", side="rebels", dex=4, level=6, hp=30, attack_bonus=8, defense=18)
    enc.add("Ossik", side="rebels", dex=2, level=4, hp=20, attack_bonus=5, defense=15)
    enc.add("Vex", side="empire", npc=True, dex=1, level=2, hp=25, attack_bonus=4, defense=14)
    enc.start(surprised=surprised, rolls={"Mara": 17, "Ossik": 10, "Vex": 15})
    return enc


def rows(frame: pl.DataFrame, *columns: str) -> list[tuple[Any, ...]]:
    return frame.select(columns).rows()


# ── the schema ──


def test_columns_are_those_of_the_interface_in_that_order() -> None:
    history = three().history
    for name in FRAMES:
        frame = getattr(history, name)
        assert frame.columns[: len(COLUMNS[name].split())] == COLUMNS[name].split()
        assert frame.schema == SCHEMAS[name]


def test_closed_vocabularies_are_enums_and_nothing_else_is_taken_for_one() -> None:
    assert SCHEMAS["events"]["kind"] == pl.Enum(ck.EVENT_KINDS)
    assert SCHEMAS["events"]["by"] == pl.Enum(["player", "gm", "rules"])
    assert SCHEMAS["rolls"]["source"] == pl.Enum(["seeded", "table"])
    assert SCHEMAS["events"]["system"] == pl.String
    for column, wrong in (("kind", "nope"), ("by", "nobody"), ("seq", 1.5), ("actor", 3)):
        row: dict[str, Any] = dict.fromkeys(SCHEMAS["events"])
        wrong_row = list({**row, "rules": (), column: wrong}.values())
        with pytest.raises((pl.exceptions.InvalidOperationError, TypeError)):
            framed(SCHEMAS["events"], [wrong_row])


def test_an_encounter_without_a_fight_has_all_five_frames() -> None:
    history = ck.Encounter("saga", seed=7).history
    assert rows(history.events, "seq", "round", "clock", "seconds", "kind") == [
        (1, None, "Not begun", None, "encounter")
    ]
    for name in FRAMES[1:]:
        assert_frame_equal(getattr(history, name), SCHEMAS[name].to_frame())


# ── one fight, counted by hand ──


@pytest.fixture
def enc() -> ck.Encounter:
    """Two rounds: an attack answered by another, one taken back, a delay."""
    enc = three()
    enc.do("Mara", "move")
    enc.do("Vex", "attack_of_opportunity", target="Mara", trigger="moves past", damage=3, rolls={"attack": [15]})
    enc.do("Mara", "attack", target="Vex", damage="1d6", rolls={"attack": [10], "damage": [6]}, note="from the catwalk")
    enc.end_turn()
    enc.do("Vex", "attack", target="Mara", damage=5, rolls={"attack": [20]})
    enc.undo()
    enc.do("Vex", "move")
    enc.end_turn()
    enc.do("Ossik", "delay", count=10)
    enc.do("Ossik", "move")
    enc.end_turn()
    return enc


def test_events_are_the_log_and_tell_what_is_undone(enc: ck.Encounter) -> None:
    events = enc.history.events
    assert events["seq"].to_list() == list(range(1, len(enc._events) + 1))
    assert events["kind"].to_list() == [e.kind for e in enc._events]
    assert [tuple(r) for r in events["rules"]] == [e.rules for e in enc._events]
    undone = events.filter("undone")
    assert rows(undone, "kind", "actor", "target", "amount") == [
        ("action", "Vex", "Mara", None),
        ("attack", "Vex", "Mara", 24),
        ("damage", "Vex", "Mara", 5),
    ]
    noted = events.filter(pl.col("note") != "")
    assert rows(noted, "round", "clock", "seconds", "kind", "action", "note", "by") == [
        (1, "Round 1", 0.0, "action", "attack", "from the catwalk", "player")
    ]
    assert rows(events.tail(2), "round", "clock", "seconds", "kind", "actor") == [
        (2, "Round 2", 6.0, "turn", "Mara"),
        (2, "Round 2", 6.0, "refresh", "Mara"),
    ]


def test_rolls_are_those_in_effect(enc: ck.Encounter) -> None:
    rolls = enc.history.rolls
    assert rows(rolls, "round", "actor", "purpose", "notation", "faces", "modifier", "total", "needed", "outcome") == [
        (None, "Mara", "initiative", "1d20+7", [17], 7, 24, None, None),
        (None, "Ossik", "initiative", "1d20+4", [10], 4, 14, None, None),
        (None, "Vex", "initiative", "1d20+2", [15], 2, 17, None, None),
        (1, "Vex", "attack", "1d20+4", [15], 4, 19, 18, "hit"),
        (1, "Mara", "attack", "1d20+8", [10], 8, 18, 14, "hit"),
        (1, "Mara", "damage", "1d6", [6], 0, 6, None, None),
    ]
    assert rolls["source"].unique().to_list() == ["table"]


def test_turns_are_those_taken(enc: ck.Encounter) -> None:
    turns = enc.history.turns
    columns = ("round", "turn", "combatant", "side", "initiative", "place", "actions", "reactions")
    assert rows(turns, *columns) == [
        (1, 1, "Mara", "rebels", 24.0, 1, 2, 1),
        (1, 2, "Vex", "empire", 17.0, 2, 1, 0),
        (1, 3, "Ossik", "rebels", 10.0, 3, 1, 0),
        (2, 4, "Mara", "rebels", 24.0, 1, 0, 0),
    ]
    for began, ended, who in rows(turns.head(3), "began_seq", "ended_seq", "combatant"):
        assert [(enc._events[seq - 1].kind, enc._events[seq - 1].actor) for seq in (began, ended)] == [
            ("turn", who),
            ("turn_end", who),
        ]
    assert turns["ended_seq"][3] is None


def test_rounds_add_up(enc: ck.Encounter) -> None:
    rounds = enc.history.rounds
    standing = ("round", "seconds", "combatant", "side", "initiative", "place", "acted", "surprised")
    assert rows(rounds, *standing) == [
        (1, 0.0, "Mara", "rebels", 24.0, 1, True, False),
        (1, 0.0, "Ossik", "rebels", 10.0, 3, True, False),
        (1, 0.0, "Vex", "empire", 17.0, 2, True, False),
        (2, 6.0, "Mara", "rebels", 24.0, 1, True, False),
        (2, 6.0, "Ossik", "rebels", 10.0, 3, False, False),
        (2, 6.0, "Vex", "empire", 17.0, 2, False, False),
    ]
    sums = ("actions", "reactions", "budget_total", "budget_spent", "damage_dealt", "damage_taken", "vital_end")
    assert rows(rounds, *sums, "conditions") == [
        (2, 0, 4, 2, 6, 3, 27, []),  # a reaction, a standard, a move and a swift action; two spent
        (1, 0, 4, 1, 0, 0, 20, []),  # the move: a delay is no action, a free one in another's turn counts nowhere
        (1, 1, 4, 2, 3, 6, 19, []),  # the move, and the reaction that paid for the attack of opportunity
        (0, 0, 4, 0, 0, 0, 27, []),
        (0, 0, 1, 0, 0, 0, 20, []),
        (0, 0, 1, 0, 0, 0, 19, []),
    ]  # fmt: skip


def test_budgets_tell_what_was_spent_between_refreshes(enc: ck.Encounter) -> None:
    budgets = enc.history.budgets.filter(pl.col("slot") != "aoo")
    reactions = [(name, "reaction", 1) for name in ("Mara", "Ossik", "Vex")]
    assert rows(budgets, "round", "combatant", "slot", "total", "spent") == [
        *[(1, *r, int(r[0] == "Vex")) for r in reactions],
        (1, "Mara", "standard", 1, 1),
        (1, "Mara", "move", 1, 1),
        (1, "Mara", "swift", 1, 0),
        (1, "Vex", "standard", 1, 0),
        (1, "Vex", "move", 1, 1),
        (1, "Vex", "swift", 1, 0),
        (1, "Ossik", "standard", 1, 0),
        (1, "Ossik", "move", 1, 1),
        (1, "Ossik", "swift", 1, 0),
        *[(2, *r, 0) for r in reactions],
        (2, "Mara", "standard", 1, 0),
        (2, "Mara", "move", 1, 0),
        (2, "Mara", "swift", 1, 0),
    ]


def test_redo_brings_the_rows_back() -> None:
    enc = three()
    before = {name: getattr(enc.history, name) for name in FRAMES[1:]}
    enc.do("Mara", "attack", target="Vex", damage=6, rolls={"attack": [10]})
    after = {name: getattr(enc.history, name) for name in FRAMES[1:]}
    assert rows(after["rounds"], "damage_taken") == [(0,), (0,), (6,)]
    enc.undo()
    assert enc.history.events["undone"].sum() == 3
    for name in FRAMES[1:]:
        assert_frame_equal(getattr(enc.history, name), before[name])
    enc.redo()
    assert enc.history.events["undone"].sum() == 0
    for name in FRAMES[1:]:
        assert_frame_equal(getattr(enc.history, name), after[name])


def test_the_clock_goes_back_with_an_undo() -> None:
    enc = three()
    for _ in range(3):
        enc.end_turn()
    enc.undo()
    enc.adjust("Vex", "hp", -1)
    assert rows(enc.history.events.tail(2), "kind", "round", "clock", "seconds") == [
        ("undo", 2, "Round 2", 6.0),
        ("vital", 1, "Round 1", 0.0),
    ]
    assert enc.history.turns["combatant"].to_list() == ["Mara", "Vex", "Ossik"]


# ── what the words mean ──


def test_the_surprised_do_not_act_and_are_so_until_their_own_turn() -> None:
    enc = three(surprised=["Vex"])
    columns = ("round", "combatant", "acted", "surprised", "budget_total", "conditions")
    vex = pl.col("combatant") == "Vex"
    held = ["surprised", "flat_footed"]
    enc.end_turn()
    enc.end_turn()
    assert rows(enc.history.rounds.filter(vex), *columns) == [
        (0, "Vex", False, True, 0, held),
        (1, "Vex", False, True, 0, held),
    ]
    enc.end_turn()
    assert rows(enc.history.rounds.filter(vex), *columns)[1] == (1, "Vex", True, False, 4, [])
    assert rows(enc.history.turns, "round", "turn", "combatant") == [
        (0, 1, "Mara"),
        (0, 2, "Ossik"),
        (1, 3, "Mara"),
        (1, 4, "Vex"),
    ]


def test_a_surprise_that_one_acts_through_counts_for_its_round() -> None:
    enc = three()
    enc.condition("Vex", "surprised", until="end of round")
    enc.next_round()
    surprised = enc.history.rounds.filter("surprised")
    assert rows(surprised, "round", "combatant", "conditions") == [(1, "Vex", [])]


def test_who_is_not_called_after_all_is_surprised_again() -> None:
    enc = three(surprised=["Vex"])
    enc.end_turn()
    enc.end_turn()
    surprised = (pl.col("round") == 1) & pl.col("surprised")
    enc.do("Mara", "delay")
    assert enc.active == "Vex"
    assert enc.history.rounds.filter(surprised).height == 0
    enc.do("Mara", "act_now")
    assert rows(enc.history.rounds.filter(surprised), "combatant") == [("Vex",)]


def test_who_joins_between_an_opening_and_its_taking_back_keeps_its_budget() -> None:
    enc = three()
    enc.end_turn()
    enc.do("Vex", "delay")
    enc.join("Zed", side="rebels", rolls=[3])
    enc.do("Vex", "act_now")
    enc.do("Zed", "attack_of_opportunity", target="Vex", trigger="moves past")
    spent = enc.history.budgets.filter(pl.col("spent") > 0)
    assert rows(spent, "combatant", "slot") == [("Zed", "reaction")]


def test_only_what_comes_off_the_first_vital_is_damage() -> None:
    enc = three()
    seq = len(enc._events) + 1
    wound: dict[str, Any] = {"kind": "damage", "round": 1, "actor": "Mara", "target": "Vex", "amount": 5}
    harm = [
        ck.Event(seq=seq, data={"vital": "hp", "left": 20}, **wound),
        ck.Event(seq=seq + 1, data={"vital": "blood", "left": 3}, **wound),
    ]
    frames = Tally(enc.id, enc.ruleset, [*enc._events, *harm]).frames()
    assert rows(frames["rounds"], "damage_dealt", "damage_taken") == [(5, 0), (0, 0), (0, 5)]


@pytest.mark.parametrize("turns", [2, 3])
def test_what_is_raised_or_lost_counts_in_the_round_it_happens_in(turns: int) -> None:
    """On Ossik's own turn, and in the round after."""
    enc = three()
    for _ in range(turns):
        enc.end_turn()
    seq = len(enc._events) + 1
    more = [
        ck.Event(seq, enc.clock.round, "refresh", data={"pools": {}, "raised": {"Ossik": {"standard": 2}}}),
        ck.Event(seq + 1, enc.clock.round, "stopped", "Ossik", "attack", data={"paid": {"standard": 2}}),
        ck.Event(seq + 2, enc.clock.round, "undo", data={"calls": [[seq, seq + 1]], "to": seq - 1}),
    ]
    mine = pl.col("combatant") == "Ossik"
    before = 3 if turns < 3 else 0
    for count, total, spent in ((0, 1, 0), (2, 3, 2), (3, 1, 0)):
        frames = Tally(enc.id, enc.ruleset, [*enc._events, *more[:count]]).frames()
        budgets = frames["budgets"].filter(mine, slot="standard")
        assert rows(budgets, "total", "spent") == [(total, spent)]
        told = frames["rounds"].filter(mine, round=enc.clock.round)
        lent = total if count == 2 or before else 0
        assert rows(told, "budget_total", "budget_spent") == [(lent + (before or 1), spent)]


def test_who_left_before_the_fight_and_came_back_is_in_it() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Vex", side="empire")
    enc.leave("Vex")
    enc.add("Vex", side="empire")
    enc.start()
    assert enc.history.rounds["combatant"].to_list() == ["Mara", "Vex"]
    assert set(enc.history.budgets["combatant"]) == {"Mara", "Vex"}


def test_an_opening_that_is_taken_back_leaves_no_turn_and_no_budget() -> None:
    enc = three()
    enc.end_turn()
    enc.do("Vex", "delay")
    before = enc.history.budgets
    enc.do("Vex", "act_now")
    assert rows(enc.history.turns, "turn", "combatant", "actions", "reactions") == [
        (1, "Mara", 0, 0),
        (2, "Vex", 0, 0),
    ]
    ossik = (pl.col("combatant") == "Ossik") & (pl.col("slot") == "standard")
    assert (before.filter(ossik).height, enc.history.budgets.filter(ossik).height) == (1, 0)
    enc.end_turn()
    assert rows(enc.history.budgets.filter(ossik), "total", "spent") == [(1, 0)]
    assert rows(enc.history.rounds, "combatant", "acted", "actions", "reactions", "budget_total") == [
        ("Mara", True, 0, 0, 4),
        ("Ossik", True, 0, 0, 4),
        ("Vex", True, 0, 0, 4),
    ]
    enc.undo()
    assert enc.history.budgets.filter(ossik).height == 0
    enc.undo()
    assert_frame_equal(enc.history.budgets, before)


def test_a_readied_action_is_one_reaction_and_what_it_carries_out_is_none() -> None:
    enc = three()
    enc.do("Mara", "ready", action="attack", target="Vex", trigger={"actor": "Vex", "action": "move"})
    enc.end_turn()
    enc.do("Vex", "move")
    enc.do("Mara", "use_readied", damage=4, rolls={"attack": [12]})
    assert [e.action for e in enc._events if e.kind == "action"] == ["ready", "move", "use_readied", "attack"]
    assert rows(enc.history.turns, "combatant", "actions", "reactions") == [("Mara", 1, 0), ("Vex", 1, 1)]
    assert rows(enc.history.rounds, "combatant", "actions", "reactions", "budget_spent", "damage_dealt") == [
        ("Mara", 1, 1, 2, 4),
        ("Ossik", 0, 0, 0, 0),
        ("Vex", 1, 0, 1, 0),
    ]


def test_the_dead_keep_their_rows_and_those_who_left_do_until_they_leave() -> None:
    enc = three()
    enc.condition("Vex", "dead")
    enc.leave("Ossik")
    enc.join("Zed", side="empire", rolls=[3])
    enc.end_turn()
    enc.end_turn()
    columns = ("round", "combatant", "initiative", "place", "acted", "budget_total", "conditions")
    assert rows(enc.history.rounds, *columns) == [
        (1, "Mara", 24.0, 1, True, 4, []),
        (1, "Ossik", 14.0, 3, False, 1, ["left"]),
        (1, "Vex", 17.0, 2, False, 0, ["dead"]),
        (1, "Zed", 3.0, 3, True, 4, []),
        (2, "Mara", 24.0, 1, True, 4, []),
        (2, "Vex", 17.0, 2, False, 0, ["dead"]),
        (2, "Zed", 3.0, 3, False, 1, []),
    ]


@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_all_damage_that_has_a_round_is_in_its_rows_and_what_came_before_the_fight_in_none(system: str) -> None:
    vital = {"d6": "resolve", "phases": "stun"}.get(system, "hp")
    enc, stats = ck.Encounter(system, seed=7), dict[str, Any]({vital: 40})
    for name in ("Ann", "Bob", "Cy"):
        enc.add(name, side=name, **stats)
    enc.damage("Ann", 4)
    enc.start()
    enc.leave("Ann")
    enc.damage("Ann", 1)
    enc.next_round()
    enc.damage(["Ann", "Bob"], 5)
    enc.next_round()
    enc.finish()
    enc.damage("Ann", 2)
    enc.damage("Ann", 3)
    enc.undo()
    told = enc.history.events.filter(pl.col("kind") == "damage", ~pl.col("undone"))
    assert told.select("round", "target", "amount").rows() == [
        (None, "Ann", 4),
        (1, "Ann", 1),
        (2, "Ann", 5),
        (2, "Bob", 5),
        (3, "Ann", 2),
    ]
    hurt = enc.history.rounds.filter(pl.col("damage_taken") > 0)
    assert (
        hurt.select("round", "combatant", "damage_taken").rows()
        == told.drop_nulls("round").select("round", "target", "amount").rows()
    )
    assert hurt.filter(combatant="Ann")["vital_end"].to_list() == [35, 30, 28]


def test_a_turn_under_way_ends_with_the_fight() -> None:
    enc = three()
    enc.do("Mara", "move")
    ended = enc.finish()[0]
    assert ended.kind == "turn_end"
    assert rows(enc.history.turns, "combatant", "ended_seq", "actions") == [("Mara", ended.seq, 1)]
    assert enc.history.rounds["acted"].to_list() == [True, False, False]


def test_what_is_spent_late_counts_where_it_is_spent() -> None:
    enc = three()
    for _ in range(3):
        enc.end_turn()
    enc.do("Vex", "move", override=True)
    spent = pl.col("budget_spent") > 0
    assert rows(enc.history.rounds.filter(spent), "round", "combatant", "budget_spent", "reactions") == [
        (2, "Vex", 1, 0)
    ]
    late = enc.history.rounds.filter((pl.col("combatant") == "Vex") & (pl.col("round") == 2))
    assert rows(late, "actions", "reactions") == [(1, 0)], "by the GM's word, which makes it no reaction"
    enc.undo()
    assert enc.history.rounds.filter(spent).height == 0
    assert_frame_equal(enc.history.rounds, History(enc).rounds)


# ── however and whenever it is looked at ──


def play(enc: ck.Encounter, dice: random.Random) -> None:
    """Do something at random, allowed or not; what is refused changes nothing."""
    names = enc.names
    who = enc.active if enc.active and dice.random() < 0.8 else dice.choice(names)
    other = dice.choice(names)
    begun = next(e.seq for e in enc._events if e.kind == "begin")
    calls: list[Any] = [
        lambda: enc.do(who, "attack", target=other, damage=dice.choice(["1d6", 2])),
        lambda: enc.do(who, "move"),
        lambda: enc.do(who, dice.choice(enc.ruleset.actions.ids())),
        lambda: enc.do(who, "delay") if dice.random() < 0.5 else enc.do(who, "delay", count=dice.randint(0, 20)),
        lambda: enc.do(other, "act_now"),
        lambda: enc.do(who, "ready", action="attack", target=other, trigger={"actor": dice.choice(names)}),
        lambda: enc.do(other, "use_readied", trigger="moves"),
        lambda: enc.do(other, "attack_of_opportunity", target=who, trigger="moves past", damage=1),
        lambda: enc.do(other, "move", override=True),
        *[enc.end_turn] * 3,
        lambda: enc.next_round() if dice.random() < 0.2 else None,
        enc.resolve,
        lambda: enc.adjust(other, "hp", dice.randint(-3, 3)),
        lambda: enc.condition(other, dice.choice(["prone", "surprised", "dead"]), until="end of round"),
        lambda: enc.leave(other) if len(names) > 6 else enc.join(f"N{len(enc._events)}", side="late", dex=1),
        *[lambda: enc.undo() if enc.can_undo != "Start the fight" else None] * 2,
        lambda: enc.undo(to=max(begun, len(enc._events) - dice.randint(1, 60))),
        *[enc.redo] * 2,
    ]
    with suppress(ck.CombatkitError):
        dice.choice(calls)()


def check_against_the_log(enc: ck.Encounter) -> None:
    """Compare the frames with plain counts over what is in effect, and with what the encounter shows."""
    history = enc.history
    undone = history.events["undone"].to_list()
    present = [e for e, u in zip(enc._events, undone, strict=True) if not u and e.kind not in ("undo", "redo")]
    assert history.events["seq"].to_list() == [e.seq for e in enc._events]
    if enc._events[-1].kind not in ("undo", "redo"):
        assert rows(history.events.tail(1), "clock", "seconds") == [(enc.clock.label, enc.clock.seconds)]
    assert history.rolls["seq"].to_list() == [e.seq for e in present if "faces" in e.data]
    given_up = {e.data["turn"] for e in present if e.kind == "turn_back" or e.data.get("given_up")}
    turns = [e.seq for e in present if e.kind == "turn" and e.seq not in given_up]
    assert history.turns["began_seq"].to_list() == turns
    assert history.turns["turn"].to_list() == list(range(1, len(turns) + 1))
    taken: Counter[tuple[int | None, str | None]] = Counter()
    dealt: Counter[tuple[int | None, str | None]] = Counter()
    for e in present:
        if e.kind == "damage" and e.amount:
            taken[e.round, e.target] += e.amount
            dealt[e.round, e.actor] += e.amount
    told = rows(history.rounds, "round", "combatant", "damage_taken", "damage_dealt")
    assert {(r, c): t for r, c, t, _ in told if t} == taken
    assert {(r, c): d for r, c, _, d in told if d} == dealt
    acted = set(rows(history.rounds.filter("acted"), "round", "combatant"))
    assert acted == set(rows(history.turns, "round", "combatant"))
    filled: Counter[tuple[int, str]] = Counter()
    for r, c, total in rows(history.budgets, "round", "combatant", "total"):
        filled[r, c] += total
    spent: Counter[tuple[int | None, str | None]] = Counter()
    for e in present:
        for slot, count in e.data.get("paid", {}).items():
            spent[e.round, e.actor] += count if slot in enc.ruleset.slots else 0
    told = rows(history.rounds, "round", "combatant", "budget_total", "budget_spent")
    assert {(r, c): s for r, c, _, s in told if s} == {k: n for k, n in spent.items() if n}
    for r, c, total, used in told:
        most = 2 if r == 0 and filled[r, c] >= 3 else 0  # of three slots in a surprise round, one can be used
        assert filled[r, c] - most <= total, "what was left of an earlier round comes on top where it is used"
        assert used <= total or r == 0
    last = {(c, s): (t, t - u) for c, s, t, u in rows(history.budgets, "combatant", "slot", "total", "spent")}
    for (name, slot), counted in last.items():
        fighter = enc._state.fighters[name]
        if not enc.ruleset.has_purse(enc._state, fighter):
            continue
        pool = fighter.pools[slot]
        assert (pool.total, pool.left) == counted or fighter.effect("left")
    now = history.rounds.filter(pl.col("round") == enc.clock.round)
    for name, hp, conditions, place in rows(now, "combatant", "vital_end", "conditions", "place"):
        assert hp == enc[name].values.get("hp")
        assert conditions == list(dict.fromkeys(c.id for c in enc[name].conditions))
        assert enc._state.place_of(name) is None or enc.order[place - 1].combatant == name


@pytest.mark.parametrize("seed", range(4))
def test_frames_looked_at_again_and_again_are_those_looked_at_once(seed: int) -> None:
    dice = random.Random(seed)
    enc = three(surprised=["Vex"] if seed % 2 else [])
    for _ in range(250):
        play(enc, dice)
        if dice.random() < 0.3:
            _ = getattr(enc.history, dice.choice(FRAMES))
        if dice.random() < 0.05:
            check_against_the_log(enc)
    check_against_the_log(enc)
    fresh = History(enc)
    for name in FRAMES:
        frame = getattr(enc.history, name)
        assert frame.schema == SCHEMAS[name]
        assert_frame_equal(frame, getattr(fresh, name))
    kinds = set(enc.history.events["kind"])
    assert {"undo", "redo", "turn", "turn_end", "round"} <= kinds


def test_a_branch_has_the_history_of_its_past() -> None:
    enc = three()
    dice = random.Random(1)
    for _ in range(150):
        play(enc, dice)
    log = enc.history.events.drop("encounter", "undone")
    for seq in dice.sample(range(20, len(enc._events)), 12):
        other = enc.branch(seq)
        check_against_the_log(other)
        assert_frame_equal(other.history.events.drop("encounter", "undone"), log.head(len(other._events)))


@pytest.mark.parametrize("turns", [50, pytest.param(150, marks=pytest.mark.long)])
def test_a_long_fight_that_goes_far_back_and_forth_has_the_frames_of_what_stands(turns: int) -> None:
    enc = three()
    for _ in range(turns):
        enc.do(enc.active or "", "move")
        _ = enc.history.events, enc.history.budgets
        enc.end_turn()
    assert_frame_equal(enc.history.budgets, History(enc).budgets)
    enc.undo(to=40)
    to, last = enc._events[-1].data["to"], len(enc._events)
    assert enc.history.events["undone"].to_list() == [to < seq < last for seq in range(1, last + 1)]
    assert enc.history.turns.height == len([e for e in enc._events[:to] if e.kind == "turn"])
    for name in FRAMES:
        assert_frame_equal(getattr(enc.history, name), getattr(History(enc), name))
    enc.redo(to=len(enc._events) - 1)
    assert not enc.history.events["undone"].any()
    assert enc.history.turns.height == turns + 1


def test_what_a_user_does_to_a_frame_stays_with_the_user() -> None:
    enc = three()
    frame = enc.history.turns
    frame.insert_column(0, pl.Series("mine", [0]))
    assert enc.history.turns.columns == COLUMNS["turns"].split()


# ── several fights, and none of polars ──


def test_stack_has_the_rows_of_each_fight_in_turn() -> None:
    one, two = three(), ck.Encounter("saga", id="saga-1", seed=1)
    two.add("Bo", side="solo")
    two.start()
    for name in FRAMES:
        frame = getattr(stack([one, two]), name)
        assert frame.schema == SCHEMAS[name]
        assert_frame_equal(frame, pl.concat([getattr(one.history, name), getattr(two.history, name)]))
    stacked = ck.history.stack(enc for enc in (one, two))
    assert stacked.events["encounter"].unique(maintain_order=True).to_list() == ["hand", "saga-1"]
    two.do("Bo", "move")
    assert stacked.turns["actions"].to_list() == [0, 1]
    assert repr(stacked) == "<Histories of hand, saga-1>"


def test_a_stack_of_nothing_has_the_columns_all_the_same() -> None:
    for name in FRAMES:
        assert_frame_equal(getattr(stack([]), name), SCHEMAS[name].to_frame())


@pytest.mark.parametrize("wrong", [None, 5, [5], ["saga-1"]])
def test_a_stack_of_what_is_no_encounter_is_refused(wrong: Any) -> None:
    with pytest.raises(ck.InvalidInput, match=r"encounters is .*; give a list|is not an encounter; give encounters"):
        stack(wrong)
    with pytest.raises(ck.InvalidInput, match="encounters is <Encounter saga-1"):
        stack(ck.Encounter("saga", id="saga-1", seed=1))  # type: ignore[arg-type]


def test_a_history_says_whose_it_is(enc: ck.Encounter) -> None:
    assert repr(enc.history) == f"<History of hand: {len(enc._events)} events>"
    assert repr(ck.Encounter("saga", id="new").history) == "<History of new: 1 event>"


def test_a_fight_is_fought_without_polars() -> None:
    code = """
import sys
sys.modules["polars"] = None
import combatkit as ck
enc = ck.Encounter("saga", seed=7)
enc.add("Mara", side="rebels")
enc.start()
enc.do("Mara", "move")
enc.undo()
print(enc.clock.label)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "Round 1\n"


@pytest.mark.parametrize("system", [ruleset.id for ruleset in ck.rulesets()])
def test_the_clock_of_an_event_is_that_of_the_fight_just_after_it(system: str) -> None:
    """In D-phases too, where segments name them: what the clock reads is the turn and the window then."""
    for seed in range(4):
        enc = player.play(system, seed, 80)
        if system == "segments":
            assert "d_phases" in enc.ruleset.options
        log = enc.history.events.select("seq", "kind", "clock").rows()
        told = {seq: clock for seq, kind, clock in log if kind not in ("undo", "redo")}
        assert told == {seq: enc.at(seq).clock.label for seq in told}


# ── rounds and turns of any fight ──


def check_sums(enc: ck.Encounter) -> None:
    """Compare what rounds and turns count, round by round, and what was spent with the log."""
    history = enc.history
    for column in ("actions", "reactions"):
        sums: list[Counter[int]] = []
        for frame in (history.rounds, history.turns):
            sums.append(Counter())
            for round, count in rows(frame, "round", column):
                sums[-1][round] += count
        assert +sums[0] == +sums[1], column
    undone = history.events["undone"].to_list()
    paid: Counter[int | None] = Counter()
    for event, gone in zip(enc._events, undone, strict=True):
        for slot, count in {} if gone else event.data.get("paid", {}).items():
            paid[event.round] += count if slot in enc.ruleset.slots else 0
        for back in {} if gone else event.data.get("returned", {}).values():  # a spell that goes on takes the next slot
            paid[event.round] -= sum(by for slot, by in back.items() if by < 0 and slot in enc.ruleset.slots)
    spent: Counter[int | None] = Counter()
    for round, count in rows(history.rounds, "round", "budget_spent"):
        spent[round] += count
    assert +spent == +paid
    acted = set(rows(history.rounds.filter("acted"), "round", "combatant"))
    assert acted == set(rows(history.turns, "round", "combatant"))


@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 60), marks=pytest.mark.long)])
def test_rounds_and_turns_of_any_fight_add_up_to_the_same(system: str, seeds: range) -> None:
    for seed in seeds:
        check_sums(player.play(system, seed, 80))
