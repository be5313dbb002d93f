"""Segments: while step 1 lasts, what was declared can be declared otherwise, or taken back, with nothing undone."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.report.words import plain
from tests.systems.segments_table import SPELLS, fight, key, left, roll, to_round, to_turn, turns
from tests.systems.table import holds, refused

CLUB = {"weapons": [{"name": "club", "damage": "1d6", "speed": 4}, {"name": "axe", "damage": "1d8", "speed": 7}]}


def plans(enc: ck.Encounter, name: str = "Mara") -> list[str]:
    """What somebody has declared."""
    return [c.value["action"] for c in enc[name].conditions if c.id == "declared"]


def declaring(*declared: str, **stats: object) -> ck.Encounter:
    """Mara has declared this; it is still step 1."""
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS}, **stats)  # type: ignore[arg-type]
    for action in declared:
        enc.do("Mara", "declare", action=action)
    return enc


def told(enc: ck.Encounter) -> list[str]:
    """The lines of the log, with whom each is about."""
    return [f"{line['actor']} {plain(line['text'])}".strip() for line in ck.CombatLog(enc).view["lines"].values()]


@pytest.mark.rule("segments.seq.1-declare", "segments.major.one", "segments.complex.only")
@pytest.mark.parametrize(
    ("before", "now", "stay"),
    [
        (("attack",), "charge", ["charge"]),
        (("attack",), "complex_activity", ["complex_activity"]),
        (("complex_activity",), "attack", ["attack"]),
        (("sheathe", "attack", "delay"), "missile_attack", ["sheathe", "missile_attack", "delay"]),
        (("sheathe", "attack", "delay"), "complex_activity", ["complex_activity", "delay"]),
        (("fireball",), "attack", ["attack"]),
        (("fireball",), "staff", ["staff"]),
    ],
)
def test_declared_again_an_action_takes_the_place_of_what_does_not_go_with_it(
    before: tuple[str, ...], now: str, stay: list[str]
) -> None:
    enc = declaring(*before)
    lines = told(enc)
    enc.do("Mara", "declare", action=now)
    assert plans(enc) == stay
    spells = [id for id in stay if id in ("fireball", "staff")]
    line, *more = told(enc)[len(lines) :]
    assert line.startswith("Mara now plans to")
    items = {"wand": "using a wand", "staff": "using a staff"}
    assert more == [f"Mara starts {items.get(id, id)} in segment 1." for id in spells]
    assert [c.value["spell"] for c in enc["Mara"].conditions if c.id == "casting"] == spells
    assert left(enc, "Mara", "spell") == 1 - len(spells)
    enc.undo()
    assert plans(enc) == list(before)


@pytest.mark.rule("segments.seq.1-declare")
def test_the_same_action_is_declared_again_with_another_weapon() -> None:
    enc = declaring(Mara=CLUB)
    enc.do("Mara", "declare", action="attack", weapon="club")
    enc.do("Mara", "declare", action="attack", weapon="axe")
    (plan,) = [c.value for c in enc["Mara"].conditions if c.id == "declared"]
    assert plan == {"action": "attack", "weapon": "axe"}


@pytest.mark.rule("segments.seq.1-declare", "segments.spell.one")
@pytest.mark.parametrize("action", ["delay", "fireball", "sheathe"])
def test_what_is_declared_again_just_as_it_was_is_taken_back(action: str) -> None:
    enc = declaring("sheathe", "delay", "fireball")
    enc.do("Mara", "declare", action=action)
    assert action not in plans(enc)
    assert len(plans(enc)) == 2
    assert told(enc)[-1].startswith("Mara no longer plans to")
    assert left(enc, "Mara", "spell") == (action == "fireball")
    assert ("casting" in holds(enc, "Mara")) == (action != "fireball")


@pytest.mark.rule("segments.seq.1-declare", "segments.cast.lost", "segments.spell.one")
def test_a_spell_that_is_lost_while_others_still_declare_is_not_taken_back() -> None:
    enc = declaring("fireball")
    enc.adjust("Mara", by=-1)
    for how, rule in (({"action": "attack"}, "segments.major.one"), ({"spell": "staff"}, "segments.spell.one")):
        ruling = refused(enc, "Mara", "declare", **how)
        assert (ruling.rule, ruling.reason) == (rule, "Mara has lost fireball this round.")


@pytest.mark.rule("segments.seq.1-declare", "segments.conc.one")
def test_a_casting_of_an_earlier_round_is_given_up_only_as_step_one_ends() -> None:
    enc = fight("Mara", "Vex", tables={"actions": [*SPELLS, {**SPELLS[0], "id": "ritual", "segments": 25}]})
    enc.do("Mara", "declare", spell="ritual")
    roll(enc)
    to_round(enc, 2)
    for spell in ("sleep", "ritual", "sleep"):
        enc.do("Mara", "declare", spell=spell)
        assert "ritual" in [c.value["spell"] for c in enc["Mara"].conditions if c.id == "casting"]
    enc.do("Mara", "declare", spell="sleep")
    assert plans(enc) == []
    assert left(enc, "Mara", "spell") == 1
    other = enc.branch(len(enc._events))
    roll(other)
    assert [c.value["spell"] for c in other["Mara"].conditions if c.id == "casting"] == ["ritual"]
    enc.do("Mara", "declare", spell="sleep")
    roll(enc)
    assert [c.value["spell"] for c in enc["Mara"].conditions if c.id == "casting"] == ["sleep"]


@pytest.mark.rule("segments.seq.1-declare", "segments.seq.3-fast")
def test_the_round_goes_by_what_was_declared_last() -> None:
    enc = declaring("charge", "delay", "delay", "fireball", "missile_attack")
    assert plans(enc) == ["missile_attack"]
    roll(enc, party=5, foes=5)
    to_turn(enc, "Mara")
    assert (enc.clock.step, enc.clock.phase) == (5, "HIGH")
    assert turns(enc)


@pytest.mark.rule("segments.seq.1-declare", "segments.activity.add-before")
def test_what_takes_the_place_of_a_plan_stands_where_that_stood() -> None:
    enc = declaring("attack", "sheathe")
    enc.do("Mara", "declare", action="charge")
    enc.do("Mara", "declare", action="attack")
    roll(enc, party=5, foes=5)
    assert key(enc, "Mara")["speed"] == 5, "what follows an attack takes no time before it"


@pytest.mark.rule("segments.seq.7-incantation", "segments.cast.lost")
def test_a_spell_is_called_by_the_name_it_was_declared_with() -> None:
    enc = declaring()
    enc.do("Mara", "declare", action="incantation", spell_name="Web", segments=14)
    assert told(enc)[-2:] == ["Mara plans to cast Web.", "Mara starts Web in segment 1."]
    assert ck.Tracker(enc).budget.view["calls"]["rows"]["1"]["said"] == "Web, 14 segments"
    roll(enc)
    assert "Web, in Spells" in enc.ruleset.presentation.now(enc._state).coming[0]["said"]
    to_round(enc, 2)
    enc.do("Mara", "declare", action="incantation")
    assert told(enc)[-1] == "Mara goes on with Web."
    enc.adjust("Mara", by=-1)
    assert "Mara takes damage, and loses Web as if cast." in told(enc)


@pytest.mark.rule("segments.seq.1-declare")
def test_only_a_spell_is_given_a_name() -> None:
    enc = declaring()
    ruling = refused(enc, "Mara", "declare", action="attack", spell_name="Web")
    assert ruling.reason == "Only an incantation or invocation is given a name."
    assert refused(enc, "Mara", "declare", spell="fireball", weapon="axe").reason == "No weapon goes with a spell."


@pytest.mark.rule("segments.cast.lost", "segments.simple.alone-d4")
@pytest.mark.parametrize("minor", ["", "speak", "drop_item"])
def test_who_has_lost_a_spell_has_a_turn_for_minor_actions_which_need_no_declaration(minor: str) -> None:
    """ "most minor actions do not need to be declared before the round starts"."""
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    enc.do("Vex", "declare", spell="fireball")
    enc.do("Bo", "declare", action="delay")
    roll(enc)
    enc.adjust("Vex", by=-1)
    assert told(enc)[-1] == "Vex has only minor actions left"
    if minor:
        to_turn(enc, "Vex")
        enc.do("Vex", minor)
        assert refused(enc, "Vex", "attack", target="Bo").rule == "segments.cast.lost"
    else:
        rungs = [str(row.get("sub")) for row in ck.InitiativeLadder(enc).view["rows"].values() if row["name"] == "Vex"]
        assert not any("nothing declared" in said for said in rungs)
        assert turns(enc) == [(5, "Mara"), (5, "Bo"), (5, "Vex")]


@pytest.mark.rule("segments.cast.lost")
def test_a_spell_lost_in_step_one_leaves_a_turn_for_minor_actions() -> None:
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="fireball")
    enc.adjust("Mara", by=-1)
    roll(enc, 4, 4)
    assert [name for _, name in turns(enc)] == ["Bo", "Vex", "Mara"]


def test_that_everybody_waits_for_initiative_is_one_line() -> None:
    enc = fight("Mara", "Bo", "Vex")
    assert [line for line in told(enc) if "initiative" in line] == ["Mara, Bo and Vex wait for initiative"]
    assert [event.kind for event in enc._events].count("initiative") == 3


@pytest.mark.rule("segments.spell.one", "segments.spell.def")
@pytest.mark.parametrize("first", ["spell_like_ability", "fireball"])
def test_of_two_spells_declared_the_later_takes_the_place_of_the_first(first: str) -> None:
    """ "Only one spell": a spell-like ability is one too, though it takes no major action."""
    enc = fight("Mara", "Vex", tables={"actions": SPELLS}, options={"actions": "book"})
    second = {"fireball": "spell_like_ability", "spell_like_ability": "fireball"}[first]
    for name in (first, second):
        assert enc.can("Mara", "declare", spell=name).allowed
        assert ("spell", name) in {(choice.param, choice.value) for choice in enc.choices("Mara", "declare")}
        enc.do("Mara", "declare", spell=name)
    assert plans(enc) == [second]
    assert [c.id for c in enc["Mara"].conditions if c.id == "casting"] == ["casting"] * (second == "fireball")
    assert left(enc, "Mara", "spell") == (second != "fireball")
    roll(enc)
    if second == "fireball":
        enc.do("Mara", "announce_target", target="Vex")
        assert turns(enc) == [(5, "Vex"), (7, "Mara")]
    else:
        assert (enc.active, key(enc, "Mara")["type"]) == ("Mara", "D1")
        assert enc.can("Mara", "spell_like_ability", target="Vex").allowed


def test_a_spell_like_ability_has_a_fixed_time_and_takes_no_weapon() -> None:
    enc = fight("Mara", "Vex", options={"actions": "book"})
    reasons = [
        refused(enc, "Mara", "declare", spell="spell_like_ability", **more).reason
        for more in ({"segments": 3}, {"spell_name": "Web"}, {"weapon": "axe"})
    ]
    assert "isn't" not in " ".join(reasons)
    assert reasons[0] == "Spell-like ability has a fixed time; only incantations and invocations vary."


@pytest.mark.rule("segments.seq.1-declare", "segments.seq.2-tied-order")
@pytest.mark.parametrize(
    ("declared", "kept"),
    [
        ({"weapon": "axe"}, {}),
        ({"weapon": "bow", "option": "load"}, {}),
        ({"weapon": "sword"}, {"weapon": "sword"}),
    ],
)
def test_a_plan_drops_the_weapon_that_the_sheet_has_no_more(declared: dict[str, Any], kept: dict[str, str]) -> None:
    sword, axe = {"name": "sword", "speed": 5, "damage": "1d8"}, {"name": "axe", "speed": 7, "damage": "1d10"}
    enc = fight("Mara", "Vex", Mara={"weapons": [sword, axe, {"name": "bow", "missile": True}]})
    enc.do("Mara", "declare", action="attack", **declared)
    roll(enc)
    enc.edit("Mara", weapons=[sword])
    (plan,) = [c.value for c in enc["Mara"].conditions if c.id == "declared"]
    assert plan == {"action": "attack", **kept}
    assert key(enc, "Mara")["speed"] == 5
    to_turn(enc, "Mara")
    happened = enc.do("Mara", "attack", target="Vex", rolls={"attack": [19], "damage": [4]})
    (hurt,) = [event for event in happened if event.kind == "damage"]
    assert (hurt.amount, "axe" in str([event.text for event in happened])) == (4, False)
