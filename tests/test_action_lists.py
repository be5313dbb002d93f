"""A list of actions that an option brings in place of the folder's own: chosen, and refused where it is not whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import combatkit as ck
from combatkit import registry
from tests import guide

OPTION = """
[options.table]
default = "house"
values = ["house", "dark"]
rules = ["brawl.turn"]
text = "Which actions are played."
lists = { dark = "dark.toml" }
"""
LIST = """
source = "Brawls After Dark"

[defaults]
hits_on = 5

[[actions]]
id = "bite"
title = "Bite"
cost = "deed"
does = "attack"
rule = "brawl.dark.bite"
tags = ["attack", "basic"]
parameters = [{ id = "target" }]

[[rules]]
id = "brawl.dark.bite"
text = "In the dark one may bite."
locator = "page 2"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Give the guide's ruleset with a list beside its own; whatever a test adds is forgotten again."""
    known = dict(registry._known)
    made = guide.write(tmp_path)
    rules = made / "rules.toml"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("[[rules]]", f"{OPTION}\n[[rules]]", 1), encoding="utf-8")
    (made / "dark.toml").write_text(LIST, encoding="utf-8")
    yield made
    registry._known.clear()
    registry._known.update(known)


def test_an_option_brings_a_list_with_rules_and_defaults_of_its_own(folder: Path) -> None:
    rules = ck.add_ruleset(folder)
    usual = rules.options["hits_on"].default
    assert "bite" not in rules.actions
    assert "brawl.dark.bite" not in rules.rules.ids()
    assert rules.rules["brawl.dark.bite"].locator == "page 2"
    for options, ids, hits in (
        ({}, rules.actions.ids(), usual),
        ({"table": "dark"}, ("bite",), 5),
        ({"table": "dark", "hits_on": usual}, ("bite",), usual),
    ):
        enc = ck.Encounter("brawl", seed=1, options=options)
        enc.add("Ada", side="red")
        assert tuple(o.action for o in enc.options("Ada")) == ids
        assert enc._state.options["hits_on"] == hits


def test_two_fights_with_different_lists_do_not_disturb_each_other(folder: Path) -> None:
    ck.add_ruleset(folder)
    row = {"id": "spit", "title": "Spit", "cost": "deed"}
    fights = [ck.Encounter("brawl", seed=1, options=given) for given in ({}, {"table": "dark"})]
    for enc in fights:
        enc.add("Ada", side="red")
        enc.add_table("actions", [row])
    for _ in range(2):
        own, dark = ([o.action for o in enc.options("Ada")] for enc in fights)
        assert ("bite" in own, "bite" in dark) == (False, True)
        assert own[-1] == dark[-1] == "spit"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('cost = "deed"', 'cost = "dead"', ("brawl/dark.toml, action 'bite'", "'dead'", "'deed'")),
        ('rule = "brawl.dark.bite"', 'rule = "brawl.bite"', ("action 'bite'", "'brawl.bite'")),
        ('id = "brawl.dark.bite"', 'id = "dark.bite"', ("rule 'dark.bite'", "begin it with 'brawl.'")),
        ("hits_on = 5", "hit_on = 5", ("dark.toml, [defaults]", "'hits_on'")),
        ("hits_on = 5", 'hits_on = "x"', ("dark.toml, [defaults]", "'x'")),
        ('source = "Brawls After Dark"', "", ("dark.toml", "source is None")),
        ("[[actions]]", "[[action]]", ("dark.toml", "'action'", "'actions'")),
    ],
)
def test_what_is_wrong_with_a_list_is_said_with_its_file(folder: Path, old: str, new: str, said: tuple[str]) -> None:
    (folder / "dark.toml").write_text(LIST.replace(old, new, 1), encoding="utf-8")
    with pytest.raises((ck.InvalidInput, ck.UnknownName)) as caught:
        ck.add_ruleset(folder)
    assert all(part in str(caught.value) for part in said), caught.value


def test_a_list_is_a_file_there_is_for_a_value_there_is(folder: Path) -> None:
    rules = folder / "rules.toml"
    text = rules.read_text(encoding="utf-8")
    for old, new, said in (("dark.toml", "dusk.toml", "dusk.toml"), ("{ dark =", "{ dusk =", "'dusk'")):
        rules.write_text(text.replace(old, new, 1), encoding="utf-8")
        with pytest.raises((ck.InvalidInput, ck.UnknownName), match=said):
            ck.add_ruleset(folder)


# ── beside the folder's own, and costs of several ──

BESIDE = LIST.replace("[defaults]", "beside = true\n\n[defaults]").replace('cost = "deed"', 'cost = "two"')
BESIDE = BESIDE.replace('{ id = "target" }', '{ id = "target" }, { id = "damage", required = false }')
TWO = """
[[costs]]
id = "two"
title = "Two deeds"
of = "deed"
times = 2
"""


def beside(folder: Path, more: str = TWO, text: str = BESIDE) -> None:
    (folder / "dark.toml").write_text(text + more, encoding="utf-8")


def test_a_list_may_stand_beside_what_the_folder_has(folder: Path) -> None:
    beside(folder)
    rules = ck.add_ruleset(folder)
    brought = rules.lists["table"]["dark"]
    assert brought.added.ids() == ("bite",)
    assert brought.actions.ids() == (*rules.actions.ids(), "bite")
    assert "two" not in rules.costs.ids()
    assert rules.costs["two"].pay == rules.costs["deed"].pay


def test_a_cost_of_several_is_paid_in_parts_where_a_turn_has_too_few(folder: Path) -> None:
    beside(folder)
    ck.add_ruleset(folder)
    enc = ck.Encounter("brawl", seed=1, options={"table": "dark"})
    enc.add("Ada", side="red")
    enc.add("Bea", side="blue")
    enc.start(rolls={"Ada": 6, "Bea": 1})
    bitten = enc.do("Ada", "bite", target="Bea", damage=1)
    assert bitten[0].data["progress"] == [1, 2]
    assert not any(event.kind in ("attack", "damage") for event in bitten), "it comes about with the last part"
    assert enc.can("Ada", "bite", target="Bea").rule == "brawl.turn"
    enc.end_turn()
    enc.end_turn()
    bitten = enc.do("Ada", "bite", target="Bea", damage=1, rolls={"attack": [6]})
    assert bitten[0].data["completed"]
    assert [event.amount for event in bitten if event.kind == "damage"] == [1]


@pytest.mark.parametrize(
    ("more", "text", "words"),
    [
        (TWO, BESIDE.replace('"bite"', '"punch"', 1), "'punch' is an action of the folder's own"),
        (TWO.replace('"two"', '"deed"'), BESIDE.replace('"two"', '"deed"'), "'deed' is a cost of the folder's own"),
        (TWO.replace('of = "deed"', 'of = "dead"'), BESIDE, "dead"),
        (TWO.replace("times = 2", "times = 0"), BESIDE, "times is 0"),
        (TWO.replace('of = "deed"\n', ""), BESIDE, "times is 2"),
        ("", BESIDE, "two"),
        (TWO, BESIDE.replace("beside = true", "beside = 1"), "beside is 1; give true or false"),
    ],
)
def test_what_such_a_list_lacks_is_said_with_its_place(folder: Path, more: str, text: str, words: str) -> None:
    beside(folder, more, text)
    with pytest.raises(ck.CombatkitError, match=words) as caught:
        ck.add_ruleset(folder)
    assert "dark.toml" in str(caught.value)
