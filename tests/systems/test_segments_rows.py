"""Segments: actions of one's own, from tables that serve several systems; and how the log words what is done."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import combatkit as ck
from tests.systems.segments_table import SPELLS, fight, key, left, roll, rolled, to_turn
from tests.systems.table import refused

FULL: dict[str, Any] = {
    "id": "vault",
    "title": "Vault",
    "type": "primary",
    "special": True,
    "cost": 2,
    "when": "own turn",
    "tags": ["simple"],
    "parameters": ["target"],
    "single_turn": True,
    "segments": 3,
    "range": 10,
    "source": "house rules, page 3",
}


def made(row: dict[str, Any]) -> Any:
    """Give the action that a row makes."""
    enc = fight("Mara", "Vex", start=False)
    enc.add_table("actions", [row])
    return enc.ruleset.catalogue(enc._state)[row["id"]]


# ── the columns ──


def test_a_row_with_the_columns_of_every_system_is_taken_and_what_means_nothing_here_has_no_effect() -> None:
    vault = made(FULL)
    assert (vault.cost, vault.tags, vault.when) == ("minor", ("simple",), "own turn")
    assert (vault.facts["segments"], vault.facts["range"], vault.facts["source"]) == (3, 10, "house rules, page 3")
    plain = {k: v for k, v in FULL.items() if k not in ("type", "special", "cost", "single_turn", "source")}
    bare = made(plain)
    assert (bare.cost, bare.parameters, bare.turns) == (vault.cost, vault.parameters, vault.turns)
    assert {k: v for k, v in vault.facts.items() if k != "source"} == bare.facts
    # The slot is the cost, in whichever of the two columns; nothing is what a frame leaves empty.
    assert made({**FULL, "cost": "major"}).cost == "major"
    assert made({**FULL, "cost": None, "type": "major"}).cost == "major"
    assert made(dict.fromkeys(FULL, None) | {"id": "vault", "title": "Vault"}).tags == ("innate",)


def test_one_frame_of_actions_serves_this_system_too() -> None:
    frame = pl.DataFrame([FULL, {"id": "sing", "title": "Sing", "tags": ["simple"], "source": "own"}], strict=False)
    enc = rolled("Mara", "Vex", tables={"actions": frame})
    assert enc.do("Mara", "sing")[0].data["segments"] == 1
    assert enc.do("Mara", "vault")[0].data["segments"] == 3
    assert left(enc, "Mara", "major") == 1


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("special", "yes", "special is 'yes'; give True or False"),
        ("single_turn", 1, "single_turn is 1; give True or False"),
        ("type", 3, "type is 3; give text"),
        ("type", "majr", "action 'vault': segments has no cost 'majr'"),
        ("cost", -1, "cost is -1; give a slot"),
        ("cost", True, "cost is True; give a slot"),
        ("source", ["p. 3"], "source is .*; give text"),
        ("notation", 3, "notation is 3; give text"),
        ("notation", "innate", "action 'vault': notation: ability 'innate': it reads like"),
        ("when", 3, "when is 3; give one of"),
        ("range", True, "range is True; give feet"),
        ("parameters", ["bogus"], "action 'vault': segments has no parameter 'bogus'"),
        ("parameters", 3, "parameters is 3; give a list of texts"),
    ],
)
def test_a_column_of_the_wrong_kind_is_refused_by_its_name(column: str, value: Any, says: str) -> None:
    enc = fight("Mara", start=False)
    before = enc.digest
    with pytest.raises(ck.CombatkitError, match=says):
        enc.add_table("actions", [{**FULL, column: value}])
    assert enc.digest == before


def test_an_attack_line_that_cannot_be_read_names_its_field() -> None:
    with pytest.raises(ck.InvalidInput, match="Mara: attacks: attack line 'claws': it begins with"):
        fight("Mara", Mara={"attacks": ["claws"]})


# ── what is noted as declared ──


@pytest.mark.rule("segments.note.innate", "segments.seq.1-declare")
@pytest.mark.parametrize("notation", ["(declared; major; 2 segments)", "[simple] (declared; major, 2 segments)"])
def test_what_is_noted_as_declared_must_be(notation: str) -> None:
    tables = {"actions": [{"id": "rite", "title": "Rite", "notation": notation}]}
    enc = rolled("Mara", "Vex", tables=tables)
    ruling = refused(enc, "Mara", "rite")
    assert (ruling.rule, "segments.seq.1-declare" in ruling.rules) == ("segments.note.innate", True)
    assert refused(enc, "Mara", "declare", action="rite").rule == "segments.seq.1-declare"
    enc = fight("Mara", "Vex", tables=tables)
    enc.do("Mara", "declare", action="rite")
    roll(enc)
    to_turn(enc, "Mara")
    enc.do("Mara", "rite")
    assert left(enc, "Mara", "major") == 0


# ── going first, and ties at the start ──


@pytest.mark.rule("segments.seq.3-fast")
def test_an_action_of_ones_own_may_go_first() -> None:
    rows = [{"id": "ambush", "title": "Spring the ambush", "cost": "major", "tags": ["simple", "go_first"]}]
    enc = fight("Mara", "Vex", tables={"actions": rows})
    enc.do("Vex", "declare", action="ambush")
    roll(enc, party=6, foes=1)
    assert (enc.active, enc.clock.step, key(enc, "Vex")["fast"]) == ("Vex", 3, "go first")
    enc.do("Vex", "ambush")


@pytest.mark.rule("segments.seq.2-tied")
def test_an_order_of_ties_is_refused_as_there_is_none_to_settle() -> None:
    enc = fight("Mara", "Vex", start=False)
    with pytest.raises(ck.InvalidInput, match="tied groups all act in HIGH"):
        enc.start(ties=["Vex", "Mara"])
    enc.start()
    with pytest.raises(ck.InvalidInput, match="this system has none to settle"):
        enc.join("Bo", side="party", ties=["Mara"])


# ── words ──


def test_the_log_says_what_somebody_plans_to_do() -> None:
    enc = fight("Mara", "Bo", "Ana", "Vex", tables={"actions": SPELLS})
    said = {
        "Mara": ("incantation", "plans to cast a spell"),
        "Bo": ("attack", "plans to attack"),
        "Ana": ("staff", "plans to use the staff"),
        "Vex": ("charge", "plans to charge"),
    }
    for name, (action, words) in said.items():
        happened = enc.do(name, "declare", action=action)
        assert next(e.text for e in happened if e.kind == "effect") == words


def test_the_log_says_what_is_cast_with_a_target_and_without() -> None:
    rows = [*SPELLS, {"id": "gaze", "title": "Gaze"}]
    enc = fight("Mara", "Vex", tables={"actions": rows})
    enc.do("Vex", "declare", action="parley")
    enc.do("Mara", "declare", spell="fireball")
    roll(enc)
    assert enc.do("Vex", "parley")[0].text == "parleys"
    enc.end_turn()
    assert enc.do("Mara", "gaze", target="Vex")[0].text == "uses gaze on Vex"
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara", 7)
    assert enc.do("Mara", "fireball")[0].text == "casts fireball at Vex"
    enc.undo()
    assert enc.do("Mara", "fireball", target="Vex")[0].text == "casts fireball at Vex"


def test_an_item_that_takes_no_time_is_used_and_not_cast() -> None:
    ring = {"id": "ring", "title": "Ring", "tags": ["immediate", "invocation"]}
    enc = rolled("Mara", "Vex", tables={"actions": [ring]})
    assert enc.do("Mara", "ring", target="Vex")[0].text == "uses ring on Vex"
