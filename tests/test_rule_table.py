"""The table of rulebooks on the wire, with a recorder in the place of a comm."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

import combatkit as ck
from tests.wire import hear, recording


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def table() -> Any:
    return ck.RuleTable(ck.contrast("delay", "ties", systems=["saga", "d6", "ap"]))


def test_the_view_is_a_topic_with_a_cell_a_question_and_system() -> None:
    view = table().view
    assert view["topic"] == "delay"
    assert view["topics"] == [["delay", "Delay"], ["ties", "Ties"]]
    assert view["systems"] == [
        ["saga", "Star Wars Saga Edition", True],
        ["d6", "D6 zone system", True],
        ["ap", "Action points (UESRPG 3e)", False],
    ]
    price = next(row for row in view["rows"] if row["question"] == "What does it cost?")
    assert price["cells"][0] == [["Delaying costs a free action.", "saga.delay.free", False]]
    assert price["cells"][2] == []
    assert ["saga.delay.on-own-turn", False] in [rule[1:] for rule in view["more"]["cells"][0]]


def test_another_topic_goes_as_a_delta_and_is_no_trait_update() -> None:
    widget = table()
    (delta,) = hear(widget, {"kind": "topic", "topic": "ties", "id": 1})
    assert (delta["kind"], delta["base"], delta["revision"]) == ("delta", 0, 1)
    assert widget.view["topic"] == widget.topic == "ties"
    assert hear(widget, {"kind": "topic", "topic": "ties", "id": 2}) == []
    (full,) = hear(widget, {"kind": "full"})
    assert full["view"]["revision"] == 1


def test_a_rule_and_an_example_are_answered_with_the_number_that_asked() -> None:
    widget = table()
    (rule,) = hear(widget, {"kind": "rule", "rule": "d6.init.tie.pc-pc", "id": 7})
    assert rule["id"] == 7
    assert rule["text"] == ck.ruleset("d6").rules["d6.init.tie.pc-pc"].text
    (example,) = hear(widget, {"kind": "example", "system": "saga", "id": 8})
    assert example["code"].startswith('enc = ck.Encounter("saga", seed=1)')
    assert (example["outcome"], example["id"]) == ("Guard 11\nMara 5", 8)


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ({"kind": "topic", "topic": "spells"}, "one of delay, ties"),
        ({"kind": "topic", "topic": 3}, "cannot be read"),
        ({"kind": "topic"}, "cannot be read"),
        ({"kind": "example", "system": "ap"}, "no example of 'delay'"),
        ({"kind": "example", "system": "saga", "code": "print(1)"}, "cannot be read"),
        ({"kind": "rule", "rule": "phases.time.phase-3s"}, "unknown rule"),
        ({"kind": "do", "name": "Mara", "action": "attack"}, "unknown kind of message"),
        ("topic", "an object with a kind"),
        ({"kind": "topic", "topic": "x" * 20_000}, "20,0"),
    ],
)
def test_a_message_that_cannot_be_is_refused_and_changes_nothing(message: Any, told: str) -> None:
    widget = table()
    before = deepcopy(widget.view)
    (refused,) = hear(widget, message)
    assert refused["kind"] == "refused"
    assert told in refused["reason"]
    assert widget.view == before


def test_without_a_widget_the_table_is_html_without_scripts() -> None:
    differences = ck.contrast("ties", systems=["saga"])
    data, _ = differences._repr_mimebundle_()
    assert data["text/html"] == differences._repr_html_()
    assert "On equal results, the higher Dexterity modifier goes first." in data["text/html"]
    assert "<script" not in data["text/html"]
    assert data["text/plain"] == "<RuleTable: ties, saga>"
    whole, _ = ck.contrast()._repr_mimebundle_()
    assert whole["text/html"] == ck.contrast()._repr_html_()
    words = hear(ck.RuleTable(differences), {"kind": "static"})[0]["text"]
    assert words.splitlines()[0] == "Ties"


def test_what_it_shows_is_what_contrast_gives() -> None:
    assert ck.RuleTable().topic == next(iter(ck.contrast().topics))
    with pytest.raises(ck.InvalidInput, match="contrast"):
        ck.RuleTable("delay")  # type: ignore[arg-type]
    widget = table()
    with pytest.raises(ck.InvalidInput, match="one of delay, ties"):
        widget.topic = "spells"
