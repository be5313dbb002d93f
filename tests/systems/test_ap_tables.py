"""Action points: actions of a user's own, from rows, TOML or a frame; and the options as they are listed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import combatkit as ck
from tests.systems.ap_table import fight, offered, points, through, to
from tests.systems.table import refused

AP = ck.ruleset("ap")
ROWS: list[dict[str, Any]] = [
    {"id": "smite", "title": "Smite", "type": "primary", "cost": 2, "tags": ["attack"]},
    {"id": "pommel", "title": "Pommel strike", "type": "primary", "special": True, "parameters": ["target"]},
    {"id": "tumble", "title": "Tumble", "type": "secondary"},
    {"id": "brace", "title": "Brace", "type": "secondary", "when": "reaction"},
    {"id": "block", "title": "Block", "type": "reaction"},
    {"id": "great_block", "title": "Great block", "type": "reaction", "cost": 2},
    {"id": "curse", "title": "Curse", "type": "free"},
    {"id": "alarm", "title": "Raise the alarm", "tags": ["threat"]},
]


def supplied(source: Any) -> dict[str, str]:
    enc = ck.Encounter("ap", seed=7)
    enc.add_table("actions", source)
    enc.add("Mara", side="rebels")
    enc.start()
    return {o.action: o.cost for o in enc.options("Mara") if o.action not in AP.actions}


COSTS = {
    "smite": "2 AP", "pommel": "1 AP", "tumble": "1 AP", "brace": "1 AP",
    "block": "1 AP", "great_block": "2 AP", "curse": "Free", "alarm": "1 AP",
}  # fmt: skip


def test_rows_toml_and_frames_say_the_same(tmp_path: Path) -> None:
    toml = "\n".join(
        "[[actions]]\n" + "\n".join(f"{k} = {str(v).lower() if v is True else repr(v)}" for k, v in row.items())
        for row in ROWS
    ).replace("'", '"')
    (tmp_path / "mine.toml").write_text(toml)
    assert supplied(ROWS) == COSTS
    assert supplied(str(tmp_path / "mine.toml")) == COSTS
    assert supplied(pl.DataFrame(ROWS, infer_schema_length=None)) == COSTS


@pytest.mark.rule("ap.act.min-cost", "ap.secondary.when", "ap.primary.own-turn")
def test_a_rows_type_says_when_it_can_be_taken() -> None:
    enc = fight(rows=ROWS)
    assert refused(enc, "Vex", "smite", target="Mara").rule == "ap.primary.own-turn"
    assert refused(enc, "Mara", "block").rule == "ap.react.purpose"
    assert refused(enc, "Mara", "brace").rule == "ap.secondary.when"
    enc.do("Vex", "curse")
    enc.do("Mara", "tumble")
    enc.do("Mara", "smite", target="Vex")
    assert {"block", "great_block", "tumble", "brace", "parry"} <= set(enc.pending[0].actions)
    enc.do("Vex", "great_block")
    assert points(enc, "Mara", "Vex") == [0, 1]


@pytest.mark.rule("ap.react.purpose")
def test_a_row_tagged_threat_can_be_reacted_to_without_a_target() -> None:
    enc = fight(rows=ROWS)
    enc.do("Mara", "alarm")
    assert offered(enc) == ["Vex", "Ilya"]


@pytest.mark.rule("ap.free.any-time", "ap.react.purpose")
def test_a_free_row_is_open_to_all_and_opens_no_window() -> None:
    enc = fight(rows=[{"id": "taunt", "title": "Taunt", "type": "free", "parameters": ["target"]}])
    enc.do("Mara", "taunt", target="Vex")
    enc.do("Ilya", "taunt", target="Vex")
    assert (enc.pending, points(enc, "Mara", "Ilya")) == ((), [3, 3])


@pytest.mark.rule("ap.special.style", "ap.special.typed")
def test_a_special_row_is_open_through_advantage() -> None:
    enc = fight(rows=ROWS, Mara={"style_advantages": ["pommel strike"]})
    enc.condition("Mara", "advantage")
    through(enc, "Mara", "pommel", target="Vex", pay="advantage")
    assert points(enc, "Mara") == [3]
    through(enc, "Mara", "pommel", target="Vex")
    assert points(enc, "Mara") == [2]


def test_an_attack_of_a_row_is_rolled_and_harms() -> None:
    enc = fight(rows=ROWS, Mara={"attack_bonus": 3}, Vex={"defense": 10, "hp": 9})
    assert enc.can("Mara", "smite", target="Vex").notation == "1d20+3"
    assert not enc.can("Mara", "smite").allowed
    through(enc, "Mara", "smite", target="Vex", damage=4, rolls=[7])
    assert enc["Vex"].values["hp"] == 5


def test_a_cost_may_name_the_slot() -> None:
    rows = [{"id": "a", "title": "A", "cost": "ap"}, {"id": "b", "title": "B", "cost": "3"}]
    assert supplied(rows) == {"a": "1 AP", "b": "3 AP"}


def test_a_column_of_another_system_means_nothing_here() -> None:
    assert supplied([{"id": "a", "title": "A", "segments": 4}]) == {"a": "1 AP"}


def test_a_column_left_empty_is_one_not_given() -> None:
    empty = dict.fromkeys(("type", "special", "cost", "when", "tags", "parameters", "single_turn", "range", "source"))
    assert supplied([{"id": "a", "title": "A", **empty}]) == {"a": "1 AP"}


def test_a_row_says_which_book_it_is_from() -> None:
    enc = fight(rows=[{"id": "a", "title": "A", "source": "Combat Companion, p. 12"}, {"id": "b", "title": "B"}])
    rows = enc.ruleset.catalogue(enc._state)
    assert (rows["a"].facts["source"], "source" in rows["b"].facts) == ("Combat Companion, p. 12", False)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"title": "A"}, "id is None"),
        ({"id": "a", "title": ""}, "title is ''"),
        ({"id": "a", "title": "A", "type": "swift"}, "type is 'swift'; give one of primary, secondary"),
        ({"id": "a", "title": "A", "cost": -1}, "cost is -1; give Action Points"),
        ({"id": "a", "title": "A", "cost": 1.5}, "cost is 1.5"),
        ({"id": "a", "title": "A", "cost": True}, "cost is True"),
        ({"id": "a", "title": "A", "cost": "two"}, "cost is 'two'"),
        ({"id": "a", "title": "A", "type": "free", "cost": 1}, "a free action costs no Action Points"),
        ({"id": "a", "title": "A", "when": "reaction"}, "for a primary action give 'own turn'"),
        ({"id": "a", "title": "A", "type": "secondary", "when": "whenever"}, "when is 'whenever'"),
        ({"id": "a", "title": "A", "tags": ["attack", 5]}, "give a list of texts"),
        ({"id": "a", "title": "A", "special": 1}, "special is 1; give True or False"),
        ({"id": "a", "title": "A", "range": -2}, "range is -2; give metres"),
        ({"id": "a", "title": "A", "parameters": ["aim_at"]}, "parameter"),
        ({"id": "a", "title": "A", "points": 2}, "column of an action"),
        ({"id": "a", "title": "A", "source": 12}, "source is 12; give text"),
        ({"id": "attack", "title": "A"}, "is already there"),
    ],
)
def test_a_row_that_cannot_be_is_refused_whole(row: dict[str, Any], message: str) -> None:
    enc = fight(start=False)
    before = enc.digest
    with pytest.raises(ck.CombatkitError, match=message):
        enc.add_table("actions", [{"id": "fine", "title": "Fine"}, row])
    assert enc.digest == before


def test_the_tables_travel_with_the_fight() -> None:
    enc = ck.Encounter("ap", seed=7, tables={"actions": ROWS})
    enc.add("Mara", side="rebels")
    other = enc.restart(seed=8)
    other.start()
    assert other.can("Mara", "curse").allowed


@pytest.mark.parametrize(
    ("id", "default", "rules"),
    [
        ("ap_refresh", "round", {"ap.var.own-turn", "ap.var.not-round-start", "ap.var.carry"}),
        ("surprised_secondary_reactions", False, {"ap.surprise.no-secondary-react"}),
        ("surprised_free_actions", True, {"ap.surprise.reactions-only"}),
        ("special_by_advantage", "free", {"ap.special.advantage-cost"}),
        ("max_attacks", None, {"ap.primary.any-number"}),
        ("actions", "ours", {"ap.act.def", "ap.special.typed"}),
        ("pcs_beat_npcs", False, {"ap.init.tie.pc", "ap.init.tie.luck"}),
        ("surprise_lasts", "first_turn", {"ap.surprise.first-round", "ap.surprise.until-own-turn"}),
    ],
)
def test_every_reading_is_an_option_with_its_default_and_its_rules(id: str, default: Any, rules: set[str]) -> None:
    setting = AP.options[id]
    assert setting.default == default
    assert rules <= set(setting.rules) <= set(AP.rules.ids())
    assert len(AP.options) == 10
    enc = fight(options={id: default})
    through(enc, "Mara", "attack", target="Vex")
    to(enc, "Mara", 2)
    assert points(enc, "Mara") == [3]


def test_an_option_that_is_none_names_the_nearest() -> None:
    with pytest.raises(ck.UnknownName, match="ap_refresh"):
        ck.Encounter("ap", options={"ap_refrsh": "turn"})
