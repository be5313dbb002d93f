"""Differences by rule: what every rulebook answers to the same questions, and examples that run."""

from __future__ import annotations

import polars as pl
import pytest

import combatkit as ck
from combatkit.study.differences import topics
from combatkit.study.differences.examples import examples, outcome

FIVE = ["saga", "d6", "ap", "segments", "phases"]


def test_without_a_topic_every_topic_has_its_leading_question() -> None:
    frame = ck.contrast(systems=FIVE).frame
    assert frame.columns == ["topic", "question", *FIVE]
    assert frame["topic"].to_list() == [topic.title for topic in topics().values() if topic.questions]
    row = frame.row(by_predicate=pl.col("topic") == "Time", named=True)
    assert row["segments"] == "A round is one minute. [segments.time.round]"
    assert row["phases"] == "Four phases make a turn of 12 seconds. [phases.time.turn-12s]"


def test_a_topic_has_a_row_a_question_and_is_silent_where_the_rulebook_is() -> None:
    found = ck.contrast("delay", systems=FIVE).frame.rows_by_key("question", named=True, unique=True)
    price = found["What does it cost?"]
    assert price["saga"] == "Delaying costs a free action. [saga.delay.free]"
    assert price["ap"] is None
    assert set(found) == set(topics()["delay"].questions.values())


def test_no_rule_of_a_topic_is_lost() -> None:
    for topic in topics():
        shown = set(ck.contrast(topic).rules["rule"])
        assert {rule.id for s in ck.rulesets() for rule in s.rules if rule.topic == topic} <= shown


def test_the_words_are_those_of_the_rulebooks() -> None:
    for row in ck.contrast(*topics()).rules.iter_rows(named=True):
        rule = ck.ruleset(row["system"]).rules[row["rule"]]
        assert (row["text"], row["locator"], row["disputed"]) == (rule.text, rule.locator, rule.disputed)


def test_the_same_table_every_time() -> None:
    first, second = ck.contrast("economy", "ties"), ck.contrast("economy", "ties")
    assert first._repr_html_() == second._repr_html_()
    assert repr(ck.contrast("economy", systems=FIVE)) == "<Differences: economy, saga, d6, ap, segments, phases>"


def test_rules_are_escaped() -> None:
    html = ck.contrast("damage")._repr_html_()
    assert "<script" not in html
    assert html.count("<table>") == 1


@pytest.mark.parametrize(
    ("given", "id"), [("reaction", "reactions"), ("Tie", "ties"), ("delays", "delay"), ("free attack", "free attacks")]
)
def test_a_topic_is_found_by_one_as_well_as_by_many(given: str, id: str) -> None:
    assert ck.contrast(given).topics == (id,)


def test_a_quiz_finds_its_topics_the_same_way() -> None:
    told = [[item.question for item in ck.quiz("saga", n=2, topics=name).items] for name in ("delay", "Delays")]
    assert told[0] == told[1]


@pytest.mark.parametrize("wrong", ["delys", "Initiativ", 3])
def test_an_unknown_topic_is_told_the_nearest(wrong: str) -> None:
    with pytest.raises(ck.UnknownName, match="topic"):
        ck.contrast(wrong)


def test_systems_are_a_list() -> None:
    with pytest.raises(ck.InvalidInput, match="list"):
        ck.contrast("delay", systems="saga")
    with pytest.raises(ck.InvalidInput, match=r"systems is 'saga'; give a list of rulesets: \['saga'\]"):
        ck.contrast("delay", systems=ck.ruleset("saga"))  # type: ignore[arg-type]
    with pytest.raises(ck.InvalidInput, match="systems is 5; give a list of rulesets, or None"):
        ck.contrast("delay", systems=5)  # type: ignore[arg-type]
    with pytest.raises(ck.InvalidInput, match="empty"):
        ck.contrast("delay", systems=[])
    with pytest.raises(ck.UnknownName, match="saag"):
        ck.contrast("delay", systems=["saag"])


# Worked by hand from the rules; an outcome is what the last line of an example comes to.
WORKED = {
    ("saga", "initiative"): "Guard 17\nMara 16",  # 15 + 1 + 1; 9 + 4 + 3
    ("saga", "ties"): "Cy 14 Dex +3 over +2 [saga.init.tie.dex]\nBo 14 ",
    ("saga", "surprise"): "Surprise round\nA full-round action doesn't fit in the surprise round.",
    ("saga", "delay"): "Guard 11\nMara 5",
    ("saga", "ready"): "standard action left: 0, readied",
    ("saga", "free attacks"): "True",
    ("d6", "initiative"): "Vex 8\nMara 7\nGuard 5",  # 2 + 6; 4 + 3; 2 + 3
    ("d6", "ties"): "Mara 5 player before NPC [d6.init.tie.pc-over-npc]\nGuard 5 ",
    ("d6", "delay"): "Guard 1 5\nMara 9\nGuard 2 5",
    ("d6", "ready"): "Guard's turn; Mara waits with held",
    ("ap", "initiative"): "Bandit 1 10\nBandit 2 10\nIlya 9",
    ("ap", "ties"): "Vex 12 Rating 9 over 8 [ap.init.tie.ir]\nIlya 12 ",
    ("ap", "surprise"): "Ilya 12 now\nVex 9 surprised",
    ("ap", "reactions"): "Ilya has 2 of 3 AP left for the turns to come",
    ("segments", "initiative"): "Bo HIGH\nOrc 1 LOW\nOrc 2 LOW",
    ("segments", "delay"): "Orc LOW now\nBo LOW delayed",
    ("segments", "free attacks"): "Orc has already made a free attack on Bo this round.",
    ("phases", "initiative"): "Dray 8\nIlya 6",
    ("phases", "surprise"): "Surprise Phase\nDray's DCV is 2, not 5",  # -3 DCV
    ("phases", "delay"): "Ilya 6 delayed\nDray 5 now",
    ("phases", "ready"): "attack action left: 0, readied",
    ("phases", "abort"): "Ilya owes phase 2",
}


@pytest.mark.parametrize(("system", "topic"), WORKED)
def test_an_example_shows_what_the_rule_comes_to(system: str, topic: str) -> None:
    assert outcome(examples(ck.ruleset(system))[topic]) == WORKED[system, topic]


def test_an_example_that_is_refused_says_so() -> None:
    assert outcome("ck.ruleset('saag')").startswith("UnknownName: unknown ruleset 'saag'")
    with pytest.raises(TypeError, match="ends with an expression"):
        outcome("x = 1")
