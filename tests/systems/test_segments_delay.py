"""Segments: delay in its three forms, and the delayed condition."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.report.words import plain
from tests.systems.segments_table import (
    SPELLS,
    cites,
    events,
    fight,
    hp,
    key,
    left,
    roll,
    rolled,
    to_round,
    to_step,
    to_turn,
    turns,
    used,
    why,
)
from tests.systems.table import holds, order, refused

AXE = [{"name": "axe", "speed": 7}]
MAUL = [{"name": "maul", "speed": 9}]


@pytest.mark.rule("segments.delay.when")
def test_delay_is_a_minor_action_of_its_own_kind_announced_any_time_during_group_actions() -> None:
    enc = fight("Mara", "Bo", "Vex")
    enc.do("Vex", "declare", action="charge")
    roll(enc)
    assert enc.clock.step == 3
    assert refused(enc, "Mara", "delay").rule == "segments.delay.when"
    enc.end_turn()
    assert enc.active == "Mara"
    happened = enc.do("Bo", "delay")  # while Mara acts
    assert happened[0].data["segments"] == 0
    assert (used(enc, "Bo"), enc.active, key(enc, "Bo")["half"]) == (0, "Mara", "LOW")
    enc.do("Mara", "speak")
    assert enc.do("Mara", "delay")[0].data["segments"] == 0
    assert used(enc, "Mara") == 1
    assert (enc.active, enc.clock.phase) == ("Bo", "LOW")
    enc.do("Bo", "attack", target="Vex")
    assert refused(enc, "Bo", "delay").rule == "segments.delay.when"
    enc.end_turn()
    assert refused(enc, "Bo", "delay").rule == "segments.major.one"


@pytest.mark.rule("segments.delay.high")
def test_in_high_all_actions_are_lost_until_low() -> None:
    enc = rolled("Mara", "Bo", "Vex")
    assert cites(enc.do("Mara", "delay"), "segments.delay.high")
    assert (enc.active, enc.clock.phase) == ("Bo", "HIGH")
    for action in ("speak", "attack"):
        assert not enc.can("Mara", action, **({"target": "Vex"} if action == "attack" else {})).allowed
    assert left(enc, "Mara", "major") == 1
    assert turns(enc) == [(5, "Bo"), (5, "Vex"), (5, "Mara")]
    # Her own half is LOW now, and she has all her actions in it.
    enc = rolled("Mara", "Bo", "Vex")
    enc.do("Mara", "delay")
    to_turn(enc, "Mara")
    assert enc.clock.phase == "LOW"
    enc.do("Mara", "attack", target="Vex")
    enc.do("Mara", "speak")


@pytest.mark.rule("segments.delay.high", "segments.immatk.needs-major")
def test_an_immediate_attack_has_no_major_action_to_use_until_low() -> None:
    enc = rolled("Mara", "Bo", "Vex")
    enc.do("Mara", "delay")
    enc.trigger("Vex", offers=["immediate_attack", "free_attack"])
    assert {o.who: o.actions for o in enc.pending}["Mara"] == ("free_attack",)  # which takes no major action
    assert refused(enc, "Mara", "immediate_attack", target="Vex").rule == "segments.delay.high"
    assert enc.can("Bo", "immediate_attack", target="Vex").allowed
    enc.resolve()
    to_turn(enc, "Mara")
    assert enc.clock.phase == "LOW"
    enc.trigger("Vex", offers=["immediate_attack"])
    assert enc.can("Mara", "immediate_attack", target="Vex").allowed
    # The delayed by the GM's word have lost nothing.
    enc = rolled("Mara", "Bo", "Vex")
    enc.condition("Mara", "delayed")
    enc.trigger("Vex", offers=["immediate_attack"])
    assert enc.can("Mara", "immediate_attack", target="Vex").allowed


@pytest.mark.rule("segments.delay.no-minor-outside")
def test_no_minor_actions_outside_ones_own_initiative_group() -> None:
    enc = rolled("Mara", "Vex")
    assert "segments.delay.no-minor-outside" in refused(enc, "Vex", "speak").rules
    assert refused(enc, "Vex", "delay").rule == "segments.delay.no-minor-outside"
    enc.do("Mara", "delay")
    assert (enc.active, enc.clock.phase) == ("Vex", "LOW")
    assert enc.can("Vex", "speak").allowed
    assert "segments.delay.no-minor-outside" in refused(enc, "Mara", "speak").rules


@pytest.mark.rule("segments.delay.condition", "segments.delayed.always-low")
def test_a_delayer_is_delayed_for_the_rest_of_the_round_and_always_low() -> None:
    enc = rolled("Mara", "Vex", party=6, foes=6)
    enc.do("Mara", "delay")
    (held,) = [c for c in enc["Mara"].conditions if c.id == "delayed"]
    assert (held.until, held.rule) == ("end of round", "segments.delay.condition")
    assert (key(enc, "Mara")["half"], key(enc, "Vex")["half"]) == ("LOW", "HIGH")
    assert next(r.status for r in enc.order if r.combatant == "Mara") == "delayed"
    to_round(enc, 2)
    assert "delayed" not in holds(enc, "Mara")
    # By the GM's word, whatever the dice said; and off again.
    enc.condition("Mara", "delayed")
    roll(enc, party=6, foes=1)
    assert (key(enc, "Mara")["half"], enc["Mara"].values["initiative"]) == ("LOW", 6)
    enc.condition("Mara", "delayed", off=True)
    assert key(enc, "Mara")["half"] == "LOW", "HIGH is over: nobody loses a turn by it"


@pytest.mark.rule("segments.delay.condition")
def test_the_delayed_by_the_gms_word_are_so_for_the_rest_of_the_round() -> None:
    enc = rolled("Mara", "Vex", "Ossik", party=6, foes=1)
    to_turn(enc, "Mara")
    enc.do("Mara", "attack", target="Vex", outcome="miss")
    enc.end_turn()
    enc.condition("Mara", "delayed")
    assert next(c for c in enc["Mara"].conditions if c.id == "delayed").until == "end of round"
    assert next(r.status for r in enc.order if r.combatant == "Mara") == "acted"
    to_round(enc, 2)
    assert "delayed" not in holds(enc, "Mara")


@pytest.mark.rule("segments.delay.low")
def test_in_low_the_major_action_is_lost() -> None:
    enc = rolled("Mara", "Vex", "Ossik")
    to_turn(enc, "Vex")
    happened = enc.do("Vex", "delay")
    assert cites(happened, "segments.delay.low")
    assert left(enc, "Vex", "major") == 0
    assert "delayed" in holds(enc, "Vex")
    assert turns(enc) == [(5, "Ossik"), (5, "Vex")]
    enc = rolled("Mara", "Vex", "Ossik")
    to_turn(enc, "Vex")
    enc.do("Vex", "delay")
    to_turn(enc, "Vex")
    assert refused(enc, "Vex", "attack", target="Mara").rule == "segments.delay.low"
    assert refused(enc, "Vex", "delay").rule == "segments.delay.when"
    enc.do("Vex", "speak")
    # One already delayed from HIGH who delays again in LOW loses it too.
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "delay")
    to_turn(enc, "Mara")
    enc.do("Mara", "delay")
    assert left(enc, "Mara", "major") == 0


@pytest.mark.rule("segments.delay.low")
def test_a_second_delay_is_no_longer_declared_and_says_what_it_loses() -> None:
    enc = fight("Mara", "Vex")
    enc.do("Mara", "declare", action="delay")
    assert ck.ActionBudget(enc, "Mara").view["action"]["delay"]["extra"] == "declared"
    roll(enc, party=6, foes=1)
    to_turn(enc, "Mara")
    assert ck.ActionBudget(enc).view["action"]["delay"]["extra"] == "loses the major action"
    enc.do("Mara", "delay")
    to_turn(enc, "Mara")
    assert "extra" not in ck.ActionBudget(enc).view["action"]["delay"]
    view = ck.InitiativeLadder(enc).view
    (rung,) = (row for row in view["rows"].values() if row["name"] == "Mara")
    assert [plain(part).strip() for part in rung["sub"]] == ["major action lost to the delay"]


@pytest.mark.rule("segments.delay.declared-low", "segments.delay.declared-nocond")
@pytest.mark.parametrize("how", ["declare", "delay"])
def test_a_delay_declared_in_step_one_acts_in_low_without_the_condition(how: str) -> None:
    enc = fight("Mara", "Vex", Mara={"weapons": AXE}, Vex={"weapons": MAUL})
    if how == "declare":
        enc.do("Mara", "declare", action="delay")
    else:
        enc.do("Mara", "delay")
    enc.do("Mara", "declare", action="attack", weapon="axe")
    roll(enc, party=6, foes=1)
    assert key(enc, "Mara") == {"half": "LOW", "type": "D3", "speed": 7}
    assert "delayed" not in holds(enc, "Mara")
    assert order(enc) == ["Mara", "Vex"]  # in LOW, both groups are ordered the same way: 7 before 9
    assert turns(enc) == [(5, "Mara"), (5, "Vex")]
    enc.do("Mara", "delay")
    assert refused(enc, "Mara", "delay").rule == "segments.delay.when"
    assert left(enc, "Mara", "major") == 1


def test_a_delay_of_step_one_is_told_once() -> None:
    enc = fight("Mara", "Vex")
    enc.do("Mara", "delay")
    assert "delays; will act in LOW." in enc.log(rules=False).markdown


@pytest.mark.rule("segments.delayed.loses-ties")
def test_the_delayed_lose_every_tie_except_against_the_delayed() -> None:
    bow = [{"name": "bow", "missile": True}]
    stats: dict[str, Any] = {
        "Mara": {"weapons": AXE},
        "Vex": {"weapons": MAUL},
        "Bo": {"weapons": bow},
        "Ossik": {"weapons": bow},
    }
    enc = fight("Mara", "Bo", "Vex", "Ossik", **stats)
    enc.condition("Mara", "delayed", until="end of round")
    enc.condition("Bo", "delayed", until="end of round")
    roll(enc, party=6, foes=1)
    # Missile against missile and melee against melee: the faster axe loses to the maul, but comes after no bow.
    assert order(enc) == ["Ossik", "Bo", "Vex", "Mara"]
    assert key(enc, "Mara") == {"half": "LOW", "type": "D3", "delayed": True, "speed": 7}
    # Both groups meet in LOW, whatever their dice: that Mara is delayed is what puts Vex first.
    assert why(enc, "Vex") == "Mara is delayed [segments.delayed.loses-ties]"
    enc.condition("Vex", "delayed", until="end of round")
    assert order(enc) == ["Ossik", "Bo", "Mara", "Vex"]
    # Between tied groups the ladder says it.
    enc = rolled("Mara", "Vex", party=4, foes=4, Mara={"weapons": AXE}, Vex={"weapons": MAUL})
    enc.condition("Vex", "delayed", until="end of round")
    enc.condition("Mara", "delayed", until="end of round")
    assert order(enc) == ["Mara", "Vex"]
    enc = fight("Mara", "Vex", Mara={"weapons": AXE}, Vex={"weapons": MAUL})
    enc.do("Vex", "declare", action="delay")
    enc.condition("Mara", "delayed", until="end of round")
    roll(enc, 4, 4)
    assert why(enc, "Vex") == "Mara is delayed [segments.delayed.loses-ties]"


@pytest.mark.rule("segments.delayed.fast-unaffected")
def test_fast_actions_ignore_the_condition_and_use_the_groups_initiative() -> None:
    enc = fight("Mara", "Vex")
    enc.condition("Mara", "delayed", until="end of round")
    enc.do("Mara", "declare", action="charge")
    enc.do("Vex", "declare", action="charge")
    roll(enc, party=6, foes=1)
    assert [(r.combatant, dict(r.key)) for r in enc.order][:2] == [
        ("Mara", {"fast": "charge", "half": "HIGH"}),
        ("Vex", {"fast": "charge", "half": "LOW"}),
    ]
    assert turns(enc)[:2] == [(3, "Mara"), (3, "Vex")]


@pytest.mark.rule("segments.delayed.spells-low")
def test_spells_take_the_delayed_for_low_but_ties_are_not_lost() -> None:
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="sleep")
    enc.do("Vex", "declare", spell="fireball")
    enc.condition("Mara", "delayed", until="end of round")
    roll(enc, party=6, foes=1)
    places = [(r.combatant, dict(r.key)) for r in enc.order if "segments" in dict(r.key) and "type" not in dict(r.key)]
    # Both are LOW; by casting time the delayed Mara comes first all the same.
    assert places == [("Mara", {"half": "LOW", "segments": 1}), ("Vex", {"half": "LOW", "segments": 3})]
    # Delaying in HIGH takes the spell to LOW.
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="fireball")
    roll(enc, party=6, foes=1)
    enc.do("Mara", "announce_target", target="Vex")
    enc.do("Mara", "delay")
    assert next(dict(r.key) for r in enc.order if "type" not in dict(r.key))["half"] == "LOW"
    to_step(enc, 7)
    assert enc.active == "Mara"


def test_a_tied_round_with_a_delayed_individual() -> None:
    enc = rolled("Mara", "Bo", "Vex", "Ossik", party=4, foes=4)
    enc.do("Bo", "delay")
    assert [key(enc, n)["half"] for n in ("Mara", "Bo", "Vex", "Ossik")] == ["HIGH", "LOW", "HIGH", "HIGH"]
    assert turns(enc) == [(5, "Mara"), (5, "Vex"), (5, "Ossik"), (5, "Bo")]
    assert len([e for e in events(enc, "turn") if e.actor == "Bo"]) == 1


def test_a_turn_given_up_by_delay_is_no_row_of_turns() -> None:
    enc = rolled("Mara", "Bo", "Vex")
    enc.do("Mara", "delay")
    to_round(enc, 2)
    rows = enc.history.turns.select("combatant", "phase", "step").rows()
    assert rows == [("Bo", "HIGH", 5), ("Vex", "LOW", 5), ("Mara", "LOW", 5)]


def test_who_delays_into_their_own_turn_is_not_said_to_do_nothing() -> None:
    enc = ck.Encounter("segments", seed=3)
    enc.add("Tess", side="party", aac0=16, weapons="short bow, 1d6, 7, 5, missile")
    enc.add("Cutthroat", side="dead", ac=7, aac0=19)
    enc.start()
    enc.do("Tess", "declare", action="missile_attack")
    while enc.active != "Tess" or enc.clock.phase != "LOW":
        enc.end_turn()
    enc.do("Tess", "delay")
    while enc.active == "Tess":
        enc.end_turn()
    assert "Tess** delays" in enc.log().markdown
    assert "Tess does nothing" not in enc.log().markdown
    assert "Tess** does nothing" not in enc.log().markdown


# ── what the delayed do last is used up once it is done ──

TORCH = {"actions": [{"id": "torch", "title": "Torch", "tags": ["delaying"], "segments": 1}]}
CROSSBOW = {"weapons": [{"name": "crossbow", "missile": True, "delaying": True, "damage": "1d6"}]}


def test_a_shot_that_takes_loading_is_counted_as_it_is_shot() -> None:
    def begun() -> ck.Encounter:
        enc = fight("Mara", "Vex", Mara={**CROSSBOW, "uses": {"crossbow": 1}})
        enc.condition("Mara", "delayed")
        roll(enc)
        to_turn(enc, "Mara")
        (first, *_) = enc.do("Mara", "missile_attack", target="Vex")
        assert first.text == "gets ready to make a missile attack against Vex"
        assert enc["Mara"].values["uses"] == {"crossbow": 1}
        to_turn(enc, "Mara", 8)
        return enc

    enc = begun()
    enc.do("Mara", "missile_attack", target="Vex", rolls={"attack": [20], "damage": [4]})
    assert enc["Mara"].values["uses"] == {"crossbow": 0}
    assert hp(enc, "Vex") == 26
    enc = begun()
    assert enc.end_turn()[0].text == "doesn't make a missile attack"
    assert enc["Mara"].values["uses"] == {"crossbow": 1}


@pytest.mark.parametrize("stunned", [False, True])
def test_a_delaying_activity_of_the_delayed_is_counted_as_it_is_completed(stunned: bool) -> None:
    enc = fight("Mara", "Vex", tables=TORCH, Mara={"uses": {"torch": 1}})
    enc.condition("Mara", "delayed")
    roll(enc)
    to_turn(enc, "Mara")
    enc.do("Mara", "torch")
    assert enc["Mara"].values["uses"] == {"torch": 1}
    if stunned:
        enc.condition("Mara", "stunned")
    to_round(enc, 2)
    assert enc["Mara"].values["uses"] == {"torch": 1 if stunned else 0}
    assert "completes it" not in enc.log().markdown
    enc.undo()
    assert enc["Mara"].values["uses"] == {"torch": 1}


@pytest.mark.rule("segments.delayed.loses-ties", "segments.seq.2-tied-order")
def test_whose_delay_the_gm_takes_off_in_low_stands_there_by_what_they_do() -> None:
    sword = {"weapons": [{"name": "sword", "speed": 5}]}
    enc = rolled("Mara", "Bo", "Vex", "Ossik", Mara=sword, Bo=sword, Vex={"weapons": MAUL}, Ossik=sword)
    enc.condition("Mara", "delayed")
    to_step(enc, 5, "LOW")
    assert order(enc)[1:] == ["Ossik", "Vex", "Mara"]
    enc.condition("Mara", "delayed", off=True)
    assert order(enc)[1:] == ["Ossik", "Mara", "Vex"]
    assert key(enc, "Mara") == {"half": "LOW", "type": "D3", "speed": 5}
    to_turn(enc, "Mara")
    enc.do("Mara", "speak")  # 6 before 9: she is in LOW, and goes back to no half that is over
    assert (enc.active, key(enc, "Mara")["half"]) == ("Mara", "LOW")
    enc.end_turn()
    assert turns(enc) == [(5, "Vex")]
