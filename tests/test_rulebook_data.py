"""What users give in data: rows of actions that serve several systems, readings, and names of tables and options."""

from __future__ import annotations

import copy
import pickle
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import combatkit as ck
from combatkit.core.plain import MOST

COSTS = {"saga": "move", "d6": "move", "ap": "ap", "phases": "move"}
"""Systems that take every column, each with a cost it knows."""

ROW = {
    "id": "fly",
    "title": "Fly",
    "type": "primary",
    "special": False,
    "when": "own turn",
    "tags": ["movement"],
    "parameters": ["to"],
    "single_turn": True,
    "segments": 0,
    "range": 5,
    "source": "Sky Pirates",
}


def supplied(system: str, *rows: Any) -> Any:
    """Give the catalogue of a fight that was given rows."""
    enc = ck.Encounter(system, seed=1)
    for each in rows:
        enc.add_table("actions", each)
    return enc.ruleset.catalogue(enc._state)


@pytest.mark.rule("saga.meta.source")
@pytest.mark.parametrize("system", COSTS)
def test_one_frame_with_every_column_serves_several_systems_and_keeps_its_source(system: str) -> None:
    bare = {**dict.fromkeys(ROW), "id": "hover", "title": "Hover"}
    frame = pl.DataFrame([ROW, bare]).with_columns(cost=pl.lit(COSTS[system]))
    for given in (frame, frame.to_dicts()):
        catalogue = supplied(system, given)
        fly, hover = catalogue["fly"], catalogue["hover"]
        assert (fly.title, fly.when, fly.tags, fly.facts["source"]) == ("Fly", "own turn", ("movement",), "Sky Pirates")
        assert "to" in [parameter.id for parameter in fly.parameters]
        assert hover.tags == ()
        assert "source" not in hover.facts


@pytest.mark.parametrize("system", COSTS)
def test_supplied_actions_are_read_once_and_more_join_them(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    enc.add_table("actions", [{**ROW, "cost": COSTS[system]}])
    once = enc.ruleset.catalogue(enc._state)
    enc.add("Mara", side="rebels")
    assert enc.ruleset.catalogue(enc._state) is once
    enc.add_table("actions", [{**ROW, "id": "hover", "title": "Hover", "cost": COSTS[system]}])
    assert {"fly", "hover"} <= {*enc.ruleset.catalogue(enc._state).ids()}


def test_a_source_is_kept_by_a_reader_of_its_own_too_and_nulls_are_nothing() -> None:
    row = {"id": "fly", "title": "Fly", "cost": "major", "tags": None, "range": None, "source": "Sky Pirates"}
    assert supplied("segments", [row])["fly"].facts["source"] == "Sky Pirates"


@pytest.mark.parametrize(
    ("column", "value", "right"),
    [
        ("tags", [None], "give a list of texts"),
        ("tags", 5, "give a list of texts"),
        ("parameters", [3], "give a list of texts"),
        ("type", 3, "give text"),
        ("source", 3, "give text"),
        ("cost", 3, "give text"),
        ("special", 1, "give True or False"),
        ("single_turn", "yes", "give True or False"),
        ("segments", -1, "whole number from 0 up"),
        ("segments", True, "whole number from 0 up"),
        ("range", 1.5, "whole number from 0 up"),
        ("range", MOST + 1, "whole number from 0 up"),
    ],
)
def test_a_column_of_the_wrong_kind_is_named(column: str, value: Any, right: str) -> None:
    with pytest.raises(ck.InvalidInput, match=rf"'fly'.*{column} is .*{right}"):
        supplied("saga", [{"id": "fly", "title": "Fly", "cost": "move", column: value}])


def test_words_that_other_systems_know_are_no_mistake() -> None:
    row = {"id": "fly", "title": "Fly", "cost": "move", "segments": "1 round", "range": "touch", "tags": "movement"}
    assert supplied("saga", [row])["fly"].tags == ("movement",)


@pytest.mark.parametrize(("system", "cost"), [("saga", "move"), ("ap", 1), ("segments", 1)])
def test_a_single_tag_needs_no_list_in_any_system(system: str, cost: Any) -> None:
    row = {"id": "fly", "title": "Fly", "cost": cost, "tags": "simple", "parameters": "to"}
    action = supplied(system, [row])["fly"]
    assert "simple" in action.tags
    assert "to" in action.takes


# ── readings ──


def refusal(system: str, option: str, value: Any) -> str:
    """Give what an option's value is refused with."""
    with pytest.raises(ck.InvalidInput) as caught:
        ck.Encounter(system, seed=1, options={option: value})
    return str(caught.value)


@pytest.mark.parametrize(
    ("system", "option", "first"),
    [
        ("saga", "free_action_cap", "None"),
        ("phases", "combat_reflexes_limit", "None"),
        ("ap", "max_attacks", "None, 2"),
    ],
)
def test_an_open_option_says_all_it_takes_its_default_first(system: str, option: str, first: str) -> None:
    assert ck.ruleset(system).options[option].values[0] is None
    for value in (-1, MOST + 1, 10**400, "x", 1.5, True):
        assert refusal(system, option, value).endswith(f"it takes {first} or a whole number from 0 to {MOST}")
    for right in (None, 0, 7, MOST):
        enc = ck.Encounter(system, seed=1, options={option: right})
        assert len(enc.digest) > 10
        assert enc._state.options[option] == right


def test_a_closed_option_lists_its_values() -> None:
    assert refusal("saga", "trade_down", "perhaps").endswith("it takes False or True")
    assert refusal("saga", "trade_down", 1).endswith("it takes False or True")


def test_every_option_lists_its_default() -> None:
    for rules in ck.rulesets():
        for id, setting in rules.options.items():
            assert setting.default in setting.values, (rules.id, id)
            assert len([v for v in setting.values if v == setting.default]) == 1, (rules.id, id)


# ── names ──


def test_an_option_or_table_there_is_not_is_named_with_the_nearest() -> None:
    segments = ck.ruleset("segments")
    with pytest.raises(ck.UnknownName, match="segments has no option 'fast_ordr': did you mean 'fast_order'"):
        segments.options["fast_ordr"]
    with pytest.raises(ck.UnknownName, match="segments has no table 'spell_charts': did you mean 'spell_chart'"):
        segments.tables["spell_charts"]
    with pytest.raises(ck.UnknownName, match="there is none yet"):
        ck.ruleset("saga").tables["spells"]
    for copied in (copy.copy(segments.tables), pickle.loads(pickle.dumps(segments.tables))):
        assert copied == segments.tables
        with pytest.raises(ck.UnknownName, match="'spell_chart'"):
            copied["spell_charts"]
    assert "fast_ordr" not in segments.options
    assert segments.options.get("fast_ordr") is None


def test_the_kit_lists_each_fact_of_an_action_that_it_reads_and_no_other() -> None:
    """Who writes a system finds them there, and one that is misspelled is refused by them."""
    kit = Path(ck.__file__).parent
    code = "\n".join(
        path.read_text(encoding="utf-8") for path in kit.rglob("*.py") if "systems" not in path.relative_to(kit).parts
    )
    read = re.findall(r"""(?<!state\.)(?<!place\.)(?<!moved\.)\bfacts(?:\.get\(|\[)"(\w+)\"""", code)
    read += re.findall(r"""\"(\w+)" (?:not )?in (?:\w+\.)*action\.facts(?!\.)""", code)
    listed = ck.ruleset("saga").facts
    assert sorted({*read} - {*listed}) == []
    assert [fact for fact in listed if f'"{fact}"' not in code] == []
