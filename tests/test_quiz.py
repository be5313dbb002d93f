"""Questions whose answers the rules know: each is the ruling's, no reading changes it, and the key is in no page."""

from __future__ import annotations

import html
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from msgspec.structs import replace

import combatkit as ck
from combatkit.study.quiz import Item, items_of, moments_of
from combatkit.study.quiz.gathering import MIME
from tests import soaking
from tests.wire import hear, recording

SYSTEMS = [rules.id for rules in ck.rulesets()]


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


@pytest.fixture(scope="module")
def made() -> Any:
    return ck.quiz(SYSTEMS, n=10, seed=4, secret="owl").items


def quiz(items: Any, **more: Any) -> Any:
    return ck.Quiz(items, **more)


@pytest.fixture(scope="module")
def rulings() -> list[ck.Ruling]:
    """What the rules say in the same fights, played anew."""
    again = ck.quiz(SYSTEMS, n=10, seed=4, secret="owl").items
    return [item.moment.can(item.name, item.action, **item.params) for item in again]


def test_a_right_answer_is_what_the_rules_say(made: Any, rulings: list[ck.Ruling]) -> None:
    asked = quiz(made)
    assert {item.system for item in made} == set(SYSTEMS)
    for i, (item, ruling) in enumerate(zip(made, rulings, strict=True)):
        assert asked.answer(i, ruling.allowed, ruling.rule) is True
        assert item.name in item.question
    assert asked.score == (10, 10, 10)
    assert set(asked.answers["allowed"]) == {True, False}


def test_one_rule_of_those_to_choose_from_is_right(made: Any, rulings: list[ck.Ruling]) -> None:
    for item, ruling in zip(made, rulings, strict=True):
        right = [id for id in item.choices if id in ruling.rules]
        assert right == ([] if ruling.allowed else [ruling.rule])
        assert len(item.choices) == len(set(item.choices)) == 4


def test_what_is_wrong_is_wrong(made: Any, rulings: list[ck.Ruling]) -> None:
    asked = quiz(made)
    for i, (item, ruling) in enumerate(zip(made, rulings, strict=True)):
        other = next(id for id in item.choices if id not in ruling.rules)
        assert asked.answer(i, ruling.allowed is False, other) is False
    assert asked.score == (10, 10, 0)


def test_what_is_handed_in_has_its_line_from_the_start(made: Any) -> None:
    """Else the first answer would push what stands below it down."""
    asked = quiz(made)
    assert asked._handed_in() == "0 of 10 answered, 0 right"
    asked.answer(0, True)
    assert asked._handed_in().startswith("1 of 10 answered, ")


def test_an_answer_is_for_good(made: Any) -> None:
    asked = quiz(made)
    first = asked.answer(0, True)
    assert asked.answer(0, True) is first
    with pytest.raises(ck.InvalidInput, match="question 1 has been answered already"):
        asked.answer(0, False, made[0].choices[0])
    assert asked.answers.rows() == [(1, made[0].system, made[0].action, True, "", first, 0)]


def test_a_right_verdict_by_a_wrong_rule_says_so(made: Any, rulings: list[ck.Ruling]) -> None:
    asked = quiz(made)
    refused = next(i for i, ruling in enumerate(rulings) if not ruling.allowed)
    allowed = next(i for i, ruling in enumerate(rulings) if ruling.allowed)
    wrong = next(id for id in made[refused].choices if id not in rulings[refused].rules)
    told = {}
    for i, may, rule in ((refused, False, wrong), (allowed, False, made[allowed].choices[0])):
        asked.turn_to(i)
        asked.answer(i, may, rule)
        told[i] = asked.view["answer"]["head"], asked.view["answer"]["told"]
    reason = rulings[refused].reason
    assert told[refused] == ("They may not, but by another rule.", reason)
    assert told[allowed][0] == "No: they may."
    assert told[allowed][1].startswith("Nothing is against it, and ")
    asked.turn_to_end()
    end = asked.view["end"]["rows"]
    assert (end[refused]["told"], end[refused]["rule"]) == (f"They may not. {reason}", rulings[refused].rule)
    assert end[allowed]["told"].startswith("They may. Nothing is against it, and ")
    assert {row["told"] for row in end if row["right"] is None} == {""}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((99, True, ""), "there is no question 99"),
        ((True, True, ""), "there is no question True"),
        ((0, 1, ""), "answer True or False"),
        ((0, False, "no.such"), "has no rule"),
    ],
)
def test_a_wrong_call_answers_nothing(made: Any, given: Any, told: str) -> None:
    asked = quiz(made)
    with pytest.raises(ck.CombatkitError, match=told):
        asked.answer(*given)
    assert asked.score.answered == 0


@pytest.mark.parametrize(
    "args",
    [{"source": 3}, {"source": []}, {"source": "chess"}, {"source": "saga", "n": 0}, {"source": "saga", "topics": "x"}],
)
def test_a_quiz_that_cannot_be_made_says_why(args: Any) -> None:
    with pytest.raises(ck.CombatkitError):
        ck.quiz(args.pop("source"), **args)


def test_the_same_seed_and_student_have_the_same_questions() -> None:
    def told(**more: Any) -> list[str]:
        return [f"{i.question} {i.choices}" for i in ck.quiz("saga", n=2, **more).items]

    assert told(seed=1) == told(seed=1)
    assert told(seed=1) != told(seed=2)
    assert told(seed=1, student=7) == told(seed=1, student=7)
    assert told(seed=1, student=7) != told(seed=1, student=8)
    as_a_mac_spells_it = f" {normalize('NFD', 'Zoë')} "
    assert told(student="Zoë") == told(student=as_a_mac_spells_it) != told(student="Zoe")


def _guesses(item: Item) -> dict[str, list[str]]:
    """What somebody chooses who knows no rule, and goes by how the options look: all that are best, by way."""

    def words(text: str) -> set[str]:
        return {word[:5] for word in re.findall("[a-z]{4,}", text.lower())}

    rules = ck.ruleset(item.system).rules
    said = {id: words(rules[id].text) for id in item.choices}
    asked = words(item.question)
    alike = {id: sum(len(said[id] & said[o]) / len(said[id] | said[o]) for o in said if o != id) for id in said}
    topics = [rules[id].topic for id in said]
    ways: dict[str, dict[str, float]] = {
        "longest": {id: len(rules[id].text) for id in said},
        "shortest": {id: -len(rules[id].text) for id in said},
        "the odd one out": {id: -alike[id] for id in said},
        "most like the others": alike,
        "another topic": {id: -topics.count(rules[id].topic) for id in said},
        "the question's words": {id: len(said[id] & asked) for id in said},
        "those of the situation": {id: len(said[id] & (asked | words(item.situation))) for id in said},
    }
    return {way: [id for id in said if worth[id] == max(worth.values())] for way, worth in ways.items()}


@pytest.mark.slow
@pytest.mark.parametrize(("seeds", "most"), [(1, 0.5), pytest.param(3, 0.4, marks=pytest.mark.long)])
def test_a_right_rule_is_not_guessed_by_how_it_looks(seeds: int, most: float) -> None:
    hits: dict[str, float] = defaultdict(float)
    count = 0
    for system in SYSTEMS:
        for item in [item for seed in range(seeds) for item in ck.quiz(system, n=8, seed=seed).items]:
            right = item.ruling.rule
            count += not item.ruling.allowed
            for way, best in _guesses(item).items():
                hits[way] += (right in best) / len(best) if not item.ruling.allowed else 0
    shares = {way: hit / count for way, hit in hits.items()}
    assert max(shares.values()) < most, f"of {count}, where chance is 0.25: {shares}"


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(("students", "least"), [(12, 1), pytest.param(60, 15, marks=pytest.mark.long)])
def test_no_place_has_the_same_answer_for_a_whole_class(system: str, students: int, least: int) -> None:
    asked = [ck.quiz(system, n=4, student=f"Student {i}").items for i in range(students)]
    for place in range(4):
        allowed = sum(items[place].ruling.allowed for items in asked)
        assert least <= allowed <= students - least, f"question {place + 1}: they may in {allowed}"


def test_a_fight_of_ones_own_is_asked_about() -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7)
    enc.do("Vex", "move")
    enc.end_turn()
    asked = ck.quiz(enc, n=1)
    assert asked.items[0].moment.digest == enc.at(asked.items[0].moment._events[-1].seq).digest


def test_a_quiz_that_is_short_of_questions_says_so() -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7)
    enc.do("Vex", "move")
    with pytest.warns(UserWarning, match=r"questions? found of the 9 asked for"):
        asked = ck.quiz(enc, n=9)
    assert 0 < len(asked.items) < 9


def test_topics_are_kept_to() -> None:
    for item in ck.quiz("saga", n=2, topics="delay").items:
        ruling = item.ruling
        rested = ruling.rules if ruling.allowed else (ruling.rule,)
        assert "delay" in {ck.ruleset("saga").rules[id].topic for id in rested}


def test_the_key_opens_for_its_secret_alone(made: Any, rulings: list[ck.Ruling]) -> None:
    asked = quiz(made, secret="owl")
    key = asked.key("owl")
    shown = key._repr_html_()
    assert all(html.escape(text) in shown for text in (*key["asks"], *key["says"])), "in full"
    assert key["question"].to_list() == list(range(1, len(made) + 1)), "as the page numbers them, and `gather`"
    assert key["allowed"].to_list() == [ruling.allowed for ruling in rulings]
    with pytest.raises(ck.InvalidInput, match="doesn't open the key"):
        asked.key("crow")
    with pytest.raises(ck.InvalidInput, match="made without a secret, so it has no key"):
        quiz(made).key("")
    assert all(text in str(key) for text in (*key["moment"], *key["asks"], *key["says"], *key["text"])), "printed, too"
    assert all(ck.ruleset(item.system).title in shown and item.situation in str(key) for item in made)


def test_a_page_holds_no_answer_before_it_is_given(made: Any) -> None:
    asked = quiz(made, secret="owl")
    for i in range(len(made)):
        asked.turn_to(i)
        assert "answer" not in asked.view
        text = json.dumps(asked.view)
        assert "owl" not in text
        assert made[i].ruling.reason == "" or made[i].ruling.reason not in text


def test_clicks_answer_and_hint(made: Any, rulings: list[ck.Ruling]) -> None:
    asked, right = quiz(made), rulings[0]
    hear(asked, {"kind": "hint", "question": 0})
    assert len(asked.view["hints"]) == 1
    hear(asked, {"kind": "answer", "question": 0, "allowed": right.allowed, "rule": right.rule, "id": 3})
    assert asked.view["answer"]["right"] is True
    assert asked.view["answer"]["may"] is right.allowed
    assert asked.view["answer"]["because"][0][0] in right.rules
    assert asked.answers["hints"].to_list() == [1]
    hear(asked, {"kind": "turn_to", "question": 1})
    assert asked.view["at"] == 1
    (refused,) = hear(asked, {"kind": "turn_to", "question": 10})
    assert refused["kind"] == "refused"
    (refused,) = hear(asked, {"kind": "end_turn"})
    assert refused["kind"] == "refused"


def test_hints_count_what_is_left_only_where_that_decides() -> None:
    asked = ck.quiz(["saga", "d6"], n=10, seed=1)
    for i, item in enumerate(asked.items):
        hints = [asked.hint(i) for _ in range(5)]
        first, second, third, fourth = hints[:4]
        assert fourth == hints[4]
        assert first.startswith("Where to look: "), "the first gives nothing away"
        if not item.ruling.allowed and item.ruling.reason.startswith("Needs"):
            assert "cost" in third
        if item.ruling.allowed or " isn't " in item.ruling.reason or " is not " in item.ruling.reason:
            assert "Left to" not in second, item
            assert fourth == "Look for a rule against it. There may be none."
    asked.answer(0, True)
    assert asked.answers["hints"].to_list() == [4]


@pytest.mark.parametrize(("system", "n"), [("saga", 7), ("ap", 4), ("phases", 9)])
def test_no_question_tells_the_answer_to_another(system: str, n: int) -> None:
    items = ck.quiz(system, n=n, seed=4).items
    cited = [item.ruling.rule for item in items if not item.ruling.allowed]
    assert len(cited) == len(set(cited))
    for one in items:
        for other in items:
            state = other.moment._state
            if one is other or state.seed != one.moment._state.seed or state.turn != one.moment._state.turn:
                continue
            later = other.moment._events[len(one.moment._events) :]
            assert all((e.actor, e.action) != (one.name, one.action) for e in later if e.kind == "action")


def test_what_a_class_handed_in_is_one_frame(tmp_path: Path) -> None:
    def book(name: str, *answers: dict[str, Any]) -> None:
        kept = {MIME: {"student": name, "seed": 5, "answers": list(answers)}, "text/plain": "1 of 2"}
        cells = [{"cell_type": "markdown", "source": ""}, {"cell_type": "code", "outputs": [{"data": kept}]}]
        (tmp_path / f"{name}.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")

    one = {"question": 0, "system": "saga", "action": "move", "allowed": True, "rule": "", "right": True, "hints": 1}
    book("Ben", one)
    book("Anna", one | {"right": False}, one | {"question": 1})
    frame = ck.gather(tmp_path)
    assert frame.select("student", "file", "question", "right", "seed").rows() == [
        ("Anna", "Anna.ipynb", 1, False, 5),
        ("Anna", "Anna.ipynb", 2, True, 5),
        ("Ben", "Ben.ipynb", 1, True, 5),
    ]
    assert ck.gather([tmp_path / "Ben.ipynb"]).height == 1
    (tmp_path / "Ben.ipynb").write_text("{", encoding="utf-8")
    read = ck.gather(tmp_path).select("file", "problem").rows()
    assert read == [("Anna.ipynb", None)] * 2 + [("Ben.ipynb", "can't be read: it is no notebook, or a broken one")]


@pytest.mark.soak
def test_every_question_has_one_answer_by_every_reading(record_property: Any) -> None:
    asked: set[str] = set()
    count = 0
    for number in soaking.rounds(1, 0.2):
        items, again = (items_of(moments_of(SYSTEMS)(1000 + number), 15) for _ in range(2))
        for item, other in zip(items, again, strict=True):
            ruling, count = other.ruling, count + 1
            assert (item.question, item.choices, item.ruling) == (other.question, other.choices, ruling)
            assert set(ruling.rules) <= set(ck.ruleset(item.system).rules.ids())
            asked |= {ruling.rule} if not ruling.allowed else set(ruling.rules)
            wrong = {*item.choices} - {*ruling.rules}
            for read in readings(item):
                assert (read.allowed, read.allowed or read.rule) == (ruling.allowed, ruling.allowed or ruling.rule)
                assert read.allowed or not wrong & {*read.rules}
    record_property("told", f"quiz: {count:,} questions about {len(asked)} rules, each with one answer")
    assert count


def readings(item: Any) -> Iterator[ck.Ruling]:
    """Judge a question by each other value of each option that rules concern."""
    view, rules = item.moment, ck.ruleset(item.system)
    for id, setting in rules.options.items():
        for value in setting.values if setting.rules else ():
            state = replace(view._state, options={**view._state.options, id: value})
            yield type(view)(view.id, rules, state, view._events).can(item.name, item.action, **item.params)
