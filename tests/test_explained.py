"""Every rule of every ledger shows: an event or a ruling of play cites it, or its rulebook names the place it is seen.

Play is the rules' own tests, each a scene with numbers from the text, and the corpus of fights at random.
"""

from __future__ import annotations

import importlib
import inspect
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import product
from types import FunctionType
from typing import Any

import pytest

import combatkit as ck
from combatkit.core.model import Event
from combatkit.rules.catalogue import PLACES, Rule
from tests import rule_marks
from tests.conformance.corpus import SMALL, WHOLE, by_system, corpus

EVERY = 40
"""In fights of the corpus options are asked for at every so many events."""

whole = pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)])
"""Runs a test on as many scenes as it takes to cite every rule, and in its long form on all of them."""

BOUNDARIES = (
    "begin",
    "round",
    "round_end",
    "step",
    "step_end",
    "turn",
    "turn_lost",
    "refresh",
    "initiative",
    "order",
    "window",
    "progress",
    "fact",
)
"""Kinds of event that only rules bring about, or the GM's word: each says which."""


class Record:
    """What play has cited: for each rule the kinds of event, and rulings, that did; and every event there was."""

    def __init__(self) -> None:
        self.found: dict[str, set[str]] = defaultdict(set)
        self.events: list[Event] = []
        self._fights: list[ck.Encounter] = []

    def ruled(self, ruling: Any) -> None:
        """Take down a ruling, or an option, which has one rule."""
        for rule in (ruling.rule, *getattr(ruling, "rules", ())):
            self.found[rule].add("ruling")

    def close(self) -> None:
        """Take down what every fight begun since has logged."""
        for fight in self._fights:
            for event in fight._events:
                self.events.append(event)
                for rule in event.rules:
                    self.found[rule].add(event.kind)
        self._fights.clear()

    def read(self, fight: ck.Encounter) -> None:
        """Take down what a fight of the corpus has logged, and what is said of options and choices in it."""
        self._fights.append(fight)
        self.close()
        for seq in range(1, len(fight._events) + 1, EVERY):
            then = fight.at(seq)
            for name in then.names:
                options = then.options(name)
                for option in options:
                    self.ruled(option)
                for option in [option for option in options if option.allowed][:2]:
                    for choice in then.choices(name, option.action):
                        self.ruled(choice.ruling)

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        """Follow every fight that is begun, every question that is asked, and every refusal."""
        began, refused = ck.Encounter._hold, ck.IllegalAction.__init__
        can, options, choices = ck.Encounter.can, ck.Encounter.options, ck.Encounter.choices

        def begin(fight: ck.Encounter, *args: Any, **more: Any) -> None:
            began(fight, *args, **more)
            self._fights.append(fight)

        def refuse(error: ck.IllegalAction, ruling: ck.Ruling) -> None:
            refused(error, ruling)
            self.ruled(ruling)

        def ask(fight: ck.Encounter, *args: Any, **more: Any) -> ck.Ruling:
            ruling = can(fight, *args, **more)
            self.ruled(ruling)
            return ruling

        def offer(fight: ck.Encounter, *args: Any) -> tuple[ck.Option, ...]:
            found = options(fight, *args)
            for option in found:
                self.ruled(option)
            return found

        def choose(fight: ck.Encounter, *args: Any, **more: Any) -> tuple[ck.Choice, ...]:
            found = choices(fight, *args, **more)
            for choice in found:
                self.ruled(choice.ruling)
            return found

        patch.setattr(ck.Encounter, "_hold", begin)
        patch.setattr(ck.IllegalAction, "__init__", refuse)
        patch.setattr(ck.Encounter, "can", ask)
        patch.setattr(ck.Encounter, "options", offer)
        patch.setattr(ck.Encounter, "choices", choose)


def scenes(system: str) -> Iterator[tuple[set[str], Callable[[], Any]]]:
    """Give the rules that a system's own tests are marked with, and each test once for each of its parameters.

    Those that want more than parameters are left out.
    """
    for path in sorted((rule_marks.TESTS / "systems").glob(f"test_{system}_*.py")):
        module = importlib.import_module(f"tests.systems.{path.stem}")
        for name, test in [*vars(module).items()]:  # a scene that warns adds to them
            if name.startswith("test_") and isinstance(test, FunctionType):
                marked = {rule for mark in rule_marks.marks_of(test) if mark.name == "rule" for rule in mark.args}
                for run in runs(test):
                    yield marked, run


def runs(test: FunctionType) -> Iterator[Callable[[], Any]]:
    """Give a test with each set of its parameters."""
    sets = [values(mark) for mark in rule_marks.marks_of(test) if mark.name == "parametrize"]
    for chosen in product(*sets):
        given = {name: value for part in chosen for name, value in part.items()}
        if set(given) == set(inspect.signature(test).parameters):
            yield partial(test, **given)


def values(mark: pytest.Mark) -> list[dict[str, Any]]:
    """Give the arguments of each case of a parametrize mark."""
    names, cases = mark.args[:2]
    names = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)
    plain = [getattr(case, "values", case) if type(case).__name__ == "ParameterSet" else case for case in cases]
    whole = [type(c).__name__ == "ParameterSet" for c in cases]
    return [
        dict(zip(names, case if len(names) > 1 or set_ else (case,), strict=True))
        for case, set_ in zip(plain, whole, strict=True)
    ]


def directed(system: str, record: Record) -> Iterator[Callable[[], Any]]:
    """Give scenes for as long as a rule is not cited: first those that are marked with it, then any."""
    there, rules = list(scenes(system)), ck.ruleset(system).rules
    for id in rule_marks.ledger(system):
        for _, run in sorted(there, key=lambda scene: id not in scene[0]):
            if id in record.found or rules[id].shown:
                break
            yield run


@cache
def played(system: str, whole: bool) -> Record:
    """Play scenes of a system, and some fights at random, and give what was cited."""
    record = Record()
    for fight in corpus(system, WHOLE if whole else SMALL):
        record.read(fight)
    with pytest.MonkeyPatch.context() as patch:
        record.watch(patch)
        for scene in (run for _, run in scenes(system)) if whole else directed(system, record):
            scene()
            record.close()
    return record


def unreached(rules: Iterable[Rule], cited: Iterable[str]) -> list[str]:
    """Give the rules that nothing has cited and that name no place."""
    found = set(cited)
    return [rule.id for rule in rules if rule.id not in found and not rule.shown]


@whole
@by_system
def test_every_rule_is_cited_in_play_or_shown_where_its_rulebook_says(
    system: str, whole: bool, record_property: Callable[[str, object], None]
) -> None:
    record, book = played(system, whole), ck.ruleset(system).rules
    ids = rule_marks.ledger(system)
    left = unreached((book[id] for id in ids), record.found)
    by_event = [id for id in ids if record.found.get(id, set()) - {"ruling"}]
    by_ruling = [id for id in ids if record.found.get(id) == {"ruling"}]
    shown = [id for id in ids if book[id].shown]
    told = f"{len(by_event)} by events, {len(by_ruling)} by rulings alone, {len(shown)} shown as definitions"
    record_property("told", f"explained: {system} {told}, of {len(ids)}; {len(record.events)} events played")
    assert left == [], "no play cites these, and no place shows them"


@whole
@by_system
def test_what_is_marked_as_shown_is_cited_by_nothing(system: str, whole: bool) -> None:
    """A mark would only hide it: a rule that an event or ruling can cite is cited by it."""
    cited = played(system, whole).found
    assert [rule.id for rule in ck.ruleset(system).rules if rule.shown and rule.id in cited] == []


@by_system
def test_a_definition_is_shown_where_its_rulebook_says(system: str) -> None:
    rules = ck.ruleset(system)
    enc = ck.Encounter(system, seed=1)
    enc.add("Ada", side="blue")
    for rule in rules.rules:
        if not rule.shown:
            continue
        place, _, what = rule.shown.partition(":")
        assert place in PLACES, rule.id
        told = stems(f"{rule.id.removeprefix(system)} {rule.text}")
        assert told & stems(said_there(enc, place, what)), f"{rule.id}: {rule.shown} says nothing of it"


def said_there(enc: ck.Encounter, place: str, what: str) -> str:
    """Give the words that stand in a place, if there is such a thing."""
    rules = enc.ruleset
    match place:
        case "action":
            action = rules.actions[what]
            return " ".join((action.id, action.title, *action.tags, *(rules.rules[r].text for r in action.cited)))
        case "call":
            method, _, parameter = what.partition(".")
            assert not parameter or parameter in inspect.signature(getattr(ck.Encounter, method)).parameters
            return f"{what} {getattr(ck.Encounter, method).__doc__}"
        case "cost":
            return f"{what} {rules.costs[what].title} {rules.costs[what].small}"
        case "option":
            return f"{what} {rules.options[what].text}"
        case "slot":
            return f"{what} {enc.budget('Ada')[what].title}"
        case "source":
            return str(getattr(rules, what))
        case "stat":
            return f"{what} {rules.stats[what].title} {rules.stats[what].text}"
        case "step":
            return what
        case "table":
            return f"{what} {rules.tables[what]}"
    assert place == "value"
    assert what in enc["Ada"].values
    return what.replace("hp", "hit points").replace("hd", "hit dice")


def stems(text: str) -> set[str]:
    """Give the beginnings of a text's longer words."""
    plain = "".join(letter if letter.isalpha() else " " for letter in text.lower())
    return {word[:5] for word in plain.split() if len(word) > 3}


@whole
@by_system
def test_what_only_rules_bring_about_says_which(system: str, whole: bool) -> None:
    mute = {
        f"{event.kind}: {event.text}"
        for event in played(system, whole).events
        if not event.rules and event.by == "rules" and event.kind in BOUNDARIES and event.text != "had no turn"
    }
    assert mute == set()


@by_system
def test_explain_tells_every_rule_an_event_rests_on(system: str) -> None:
    enc = corpus(system)[0]
    for event in enc._events[::3]:
        said = enc.explain(event.seq)
        assert all(f"   {rule}: {enc.ruleset.rules[rule].text}" in said for rule in event.rules), event


@by_system
def test_what_the_log_does_not_tell_is_explained_in_words_all_the_same(system: str) -> None:
    for enc in corpus(system):
        firsts = [(enc.explain(e.seq).splitlines()[0].partition(". ")[2], e.subject) for e in enc._events]
        assert not [said for said, who in firsts if said in ("", who)]


@pytest.mark.parametrize("system", ["saga", "d6", "ap"])
def test_the_one_step_of_a_round_is_told_as_what_happens_in_it(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    enc.add("Mara", side="rebels")
    enc.start()
    enc.next_round()
    said = [str(enc.explain(event.seq)) for event in enc._events if event.kind in ("step", "step_end")]
    assert [each.splitlines()[0].partition(". ")[2] for each in said] == [
        "The turns begin",
        "The turns are over",  # by the GM's word, too, who ended the round
        "The turns begin",
    ]


def test_a_question_is_told_without_another_name_before_it() -> None:
    enc = ck.Encounter("ap", seed=3)
    enc.add("Ann", side="a")
    enc.add("Bob", side="b")
    enc.start()
    while enc.active != "Ann":
        enc.end_turn()
    enc.do("Ann", "attack", target="Bob")
    enc.do("Bob", "parry")
    asked = len(enc.history.events)
    assert enc.explain(asked).startswith(f"{asked}. Ann attacks Bob. Bob parries: does that foil it?")


def test_a_rule_that_nothing_shows_is_found() -> None:
    rules = [Rule("x.cited", "One.", "here"), Rule("x.shown", "Two.", "here", shown="stat:x"), Rule("x.no", "No.", "-")]
    assert unreached(rules, ["x.cited"]) == ["x.no"]
