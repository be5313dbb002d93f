"""A fight is told in the language it was made with: the same fight, in other words."""

from __future__ import annotations

import json
import pickle
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

import combatkit as ck
from combatkit.core.dice import Dice, parse_dice
from combatkit.notebook.tables import html_of
from combatkit.share.panel import RoomPanel
from combatkit.simulation.fights import Setup
from combatkit.study.deeds import deed_of
from combatkit.systems.d6.arms import code_of
from combatkit.systems.d6.ruleset import D6
from combatkit.systems.d6.stats import RANKS
from combatkit.text import Language, Languages, Said, Title, read_language, say
from combatkit.text import words as spoken
from combatkit.text.phrases import capital
from combatkit.text.sources import all_words
from combatkit.widgets._budget_view import BudgetProjector
from combatkit.widgets._card_view import card_view
from combatkit.widgets._intents import hear
from combatkit.widgets._ladder_view import LadderProjector
from combatkit.widgets._table import table_of
from combatkit.widgets._tongue import told_from, tongue_of
from combatkit.widgets._tracker_view import tracker_view
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.log import log_view
from tests.conformance.corpus import CALLS, by_system, corpus
from tests.conformance.player import NAMES, NEWCOMERS, play
from tests.systems.d6_table import BLADE, BLASTER
from tests.test_words import PACKAGE, SYSTEMS, branches, calls_of_say
from tools import words

FIGHTS = (2, pytest.param(6, marks=pytest.mark.long))

PERSONS = frozenset(("own", "hidden"))
"""Words for conditions that the player at random makes up, and no rule has."""

SAME = "a trap springs"
"""What is told alike in both languages: words of a person."""


@cache
def german(system: str = "d6") -> Language:
    return read_language("de", PACKAGE / "systems" / system)


@cache
def english(system: str = "d6") -> Language:
    return read_language("en", PACKAGE / "systems" / system)


@pytest.fixture
def untold(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the titles that are said in German while the test runs, and that have no German word."""
    found = set[str]()
    write = Language.write

    def watched(self: Language, value: Any) -> str:
        is_title = type(value) is Title and value and self.id == "de"
        if is_title and value not in self.titles and self.several(value) == value:
            found.add(str(value))
        return write(self, value)

    monkeypatch.setattr(Language, "write", watched)
    return found


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Mark each word that German says while the test runs: what is shown without a mark is not translated."""
    read = spoken.read_toml

    def marking(path: Path) -> dict[str, Any]:
        return _marked(read(path)) if path.stem == "de" else read(path)

    def forget() -> None:
        for each in spoken._read_already:
            each.pop("de", None)

    monkeypatch.setattr(spoken, "read_toml", marking)
    monkeypatch.setattr(spoken, "_kit_parts", cache(spoken._parts_of))  # what is read meanwhile is forgotten after
    forget()
    yield
    forget()


MARK = "\N{MODIFIER LETTER SMALL X}"
UNMARKED = re.compile(rf"[A-Za-zÄÖÜäöüß]{{2,}}(?!{MARK})\b")


def _marked(said: Any) -> Any:
    if isinstance(said, dict):
        return {key: _marked(value) for key, value in said.items()}
    fields = re.split(r"(\{[^{}]*\})", said)
    return "".join(_with_marks(each) if at % 2 == 0 else _choice_marked(each) for at, each in enumerate(fields))


def _with_marks(words: str) -> str:
    return re.sub(r"[A-Za-zÄÖÜäöüß]+", rf"\g<0>{MARK}", words)


def _choice_marked(field: str) -> str:
    """Mark the words of a field that has one for each number: ``{left:Punkt|Punkte}``."""
    name, colon, form = field.partition(":")
    return f"{name}{colon}{_with_marks(form)}" if "|" in form else field


# ── the templates ──


def test_everything_said_in_d6_is_said_in_german() -> None:
    assert not german().missing


def test_what_all_systems_say_is_said_in_german_and_what_a_system_lacks_is_told(
    record_property: Callable[[str, object], None],
) -> None:
    kit = read_language("en", PACKAGE / "text").templates
    for system in SYSTEMS:
        lacking = german(system).missing
        assert not kit.keys() & lacking
        if lacking:
            said = f"{len(lacking)} of {len(english(system).templates)} templates, such as {', '.join(lacking[:4])}"
            record_property("told", f"German: {system} lacks {said}")


def test_a_german_template_has_the_fields_of_the_english_one() -> None:
    theirs = english().templates
    other = [id for id, template in german().templates.items() if id in theirs and template.fields != theirs[id].fields]
    assert not other, other


def given() -> dict[str, set[str]]:
    """Return what every template is filled with wherever it is said by its own id."""
    found: dict[str, set[str]] = {}
    for _, call in calls_of_say():
        for id in branches(call.args[0]):
            words = {word.arg for word in call.keywords if word.arg}
            found[id] = found[id] & words if id in found else words
    return found


@pytest.mark.xdist_group("words")  # as in test_words
def test_what_only_german_says_otherwise_of_one_thing_gets_its_fields() -> None:
    theirs, fields = english().templates, given()
    wrong = []
    for id, template in german().templates.items():
        if id not in theirs:
            stem = id.rpartition(".")[0]
            if stem not in theirs or not template.fields <= fields.get(stem, set()) | theirs[stem].fields:
                wrong.append(id)
    assert not wrong, wrong


# ── the words of the rules ──


def words_of_d6() -> Iterator[str]:
    """Yield every word of the rules that the log can say."""
    rules = ck.ruleset("d6")
    yield rules.title
    for action in rules.actions:
        yield action.called
        yield from (action.facts[key] for key in ("verb", "word") if key in action.facts)
        yield from action.tags
    yield from (condition.id.replace("_", " ") for condition in rules.conditions)
    yield from (vital.name for vital in rules.vitals)
    yield from RANKS
    yield from ("Round", "Turns", "turn", "round", "hit", "miss", "yes", "no", "none", "gain momentum")


def test_every_word_of_the_rules_of_d6_has_a_german_one() -> None:
    wanting = sorted({word for word in words_of_d6() if word not in german().titles})
    assert not wanting, wanting


@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_a_title_in_the_middle_of_a_sentence_is_german_though_it_has_capitals_within(system: str) -> None:
    """Sentences have it in small letters: "take a recovery" for Take a Recovery."""
    wanting = [each.title for each in ck.ruleset(system).actions if german(system).word(each.called) == each.called]
    assert not wanting, wanting


@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_no_action_is_called_in_german_as_the_button_that_closes_its_form(system: str) -> None:
    """In the form of what Mara aborts to, one button aborts and another closes the form."""
    words = german(system).word
    assert words("Cancel") not in [words(each.title) for each in ck.ruleset(system).actions]


def test_every_action_and_budget_of_d6_is_said_in_german_of_its_own() -> None:
    rules, templates = ck.ruleset("d6"), german().templates
    assert not [each.id for each in rules.actions if f"action.done.{each.id}" not in templates]
    pools = [f"pool.{does}.{slot.id}" for slot in rules.slots for does in ("loses", "gains")]
    assert not [id for id in pools if id not in templates]


@pytest.mark.parametrize(
    ("system", "typed", "read"),
    [
        ("segments", "Kurzbogen, 1W6, 7, 5, Geschoss", {"damage": "1W6", "speed": 7, "space": 5, "missile": True}),
        ("saga", "Nahkampf, 1W8+3, 9, Nahkampf", {"damage": "1W8+3", "attack": 9, "range": "melee"}),
        ("ap", "Axt, 1W8+3, 9, nahkampf", {"damage": "1W8+3", "attack": 9, "range": "melee"}),
        ("d6", "Blaster, 4W, 4W, heiß, Mittel", {"attack": "4W", "damage": "4W", "type": "heiß", "range": "medium"}),
        ("saga", "Axt +9 1W8+3", {"attack": 9, "damage": "1W8+3"}),
    ],
)
def test_a_weapon_is_read_in_the_words_that_a_language_has_for_its_parts(
    system: str, typed: str, read: dict[str, object]
) -> None:
    enc = ck.Encounter(system, seed=1, language="de")
    enc.add("Mara", side="rebels", weapons=typed)
    (kept,) = enc._state.fighters["Mara"].stats["weapons"]
    assert kept == {"name": kept["name"], **read}
    assert kept["name"] in ("Axt", "Blaster", "Kurzbogen", "Nahkampf"), "what it is called stays as it was typed"
    enc.edit("Mara", weapons=[{"name": "Schuss", **({"range": "Nahkampf"} if "range" in read else {})}])
    assert enc._state.fighters["Mara"].stats["weapons"][0].get("range", "melee") == "melee"


# ── fights ──


def test_a_weapon_said_in_english_reads_no_other_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spoken, "_kit_languages", dict)  # has none: whoever asks fails
    ranges = {"saga": "Melee", "d6": "Medium", "ap": "Melee"}
    for system, said in ranges.items():
        enc = ck.Encounter(system, seed=1)
        enc.add("Mara", side="x", weapons=[{"name": "a", "range": said}])
        assert enc["Mara"].stats["weapons"][0]["range"] == said.lower()


@pytest.mark.parametrize("fights", FIGHTS)
def test_random_fights_are_told_in_german_throughout(fights: int, untold: set[str]) -> None:
    for seed, other in enumerate(corpus("d6", fights)):
        enc = play("d6", seed, CALLS, language="de")  # not the corpus's, which others may have played unwatched
        for mine, theirs in zip(enc._events, other._events, strict=True):
            assert mine.text != theirs.text or mine.text.endswith(SAME) or not mine.text, (enc.id, mine.kind, mine.text)
        assert enc.log().markdown != other.log().markdown
    assert not untold - PERSONS, sorted(untold - PERSONS)


TYPED = frozenset(
    [
        "blade",
        "bridge",
        "the",
        "there",
        "as",
        "happens",
        "s",
        "springs",
        "advantage",
        "red",
        "blue",
        "ada",
        "bo",
        "cy",
        "dee",
        "eve",
        "fay",
        "gil",
        "hal",
        "ida",
        "jon",
    ]
)
"""What the player at random types, and what they call somebody."""

BY_HAND = TYPED | {"a", "own", "standard", "trap", "door", "opens", *NAMES, *NEWCOMERS}
"""What the player at random calls somebody, and types where there is no list to choose from."""


def by_nobody(text: str) -> set[str]:
    """Return the words of a text that come neither from a language's file nor from a person."""
    return {*UNMARKED.findall(text)} - BY_HAND


@by_system
@pytest.mark.usefixtures("marked")
@pytest.mark.parametrize("fights", FIGHTS)
def test_what_random_fights_tell_comes_from_the_file_of_their_language(system: str, fights: int) -> None:
    found = {
        event.text
        for seed in range(fights)
        for event in play(system, seed, CALLS, language="de")._events
        if by_nobody(event.text)
    }
    assert not found, sorted(found)


def read_in(page: str) -> Iterator[str]:
    """Yield what people read of a page: ids, rules and what a frame's cells hold are no words."""
    aside = r'(?s)<(style|script|code)\b.*?</\1>|<[^<>]*\blang="en"[^<>]*>[^<]*<|<td[^<>]*>"[^<]*"</td>'
    bare = re.sub(aside, " ", page)
    yield from map(unescape, re.findall(r"(?:title|alt|aria-label)=\"([^\"]*)\"", bare))
    yield from map(unescape, filter(None, map(str.strip, re.split(r"<[^<>]*>", bare))))


def looks_of(enc: ck.Encounter) -> Iterator[str]:
    """Yield all that a notebook shows of what can be asked of a fight, as people read it."""
    who = enc.active or enc.names[0]
    asked: list[Any] = [enc.order, enc.budget(who), enc.options(who), enc.pending, enc[who], tuple(enc._events)]
    asked += [enc.can(who, action.id) for action in enc.ruleset.actions]
    for each in asked:
        yield from read_in(html_of(each) or "")
    for shown in (enc, ck.InitiativeLadder(enc), ck.ActionBudget(enc), ck.CombatLog(enc), ck.Map(enc)):
        yield repr(shown).partition(":")[2]
        made: Any = shown._repr_mimebundle_()
        yield from read_in(made[0]["text/html"])
    yield from read_in(enc.summary()._repr_html_())
    charts = enc.history.charts
    for chart in (charts.initiative(), charts.budget(), charts.damage(), charts.turns()):
        told = chart.to_dict()
        yield from [told["title"]["text"], *titles_in({key: value for key, value in told.items() if key != "title"})]
    yield from (enc.clock.label, *(rung.why for rung in enc.order), *(slot.title for slot in enc.budget(who)))
    yield from (word for option in enc.options(who) for word in (option.title, option.cost, option.reason))
    for action in enc.ruleset.actions:
        seen = enc.can(who, action.id)
        yield from (seen.reason, seen.cost)


def titles_in(chart: Any) -> Iterator[str]:
    for key, value in chart.items() if isinstance(chart, dict) else enumerate(chart) if isinstance(chart, list) else ():
        yield from [value] if key == "title" and isinstance(value, str) else titles_in(value)


@by_system
@pytest.mark.usefixtures("marked")
def test_what_looks_show_comes_from_the_file_of_their_language(system: str) -> None:
    enc = ck.scene("catwalk").encounter(system, id="7", seed=7, language="de", localized=True)
    shown = {*looks_of(enc)}
    ck.play(enc, ck.tactics.strike, rounds=2)
    shown |= {*looks_of(enc)}
    on_sheets = {"Ilya", "Mara", "Vex", "melee", "MELEE"}
    found = {text for text in shown if by_nobody(ID.sub("", text)) - on_sheets - {*SYSTEMS}}
    assert not found, sorted(found)


ID = re.compile(r"\[?[a-z]\w*(\.[\w-]+)+\]?")


def test_a_ruling_says_in_the_language_of_its_fight_what_it_says() -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7, language="de")
    who, other = enc.active or "", next(name for name in enc.names if name != enc.active)
    assert enc.can(who, "move") == ck.Ruling(
        True, rule="saga.move.ex.speed", rules=("saga.move.ex.speed",), cost="Bewegung", language="de"
    )
    assert "<caption>Erlaubt</caption>" in (html_of(enc.can(who, "move")) or "")
    refused = enc.can(other, "move")
    with pytest.raises(ck.IllegalAction) as error:
        enc.do(other, "move")
    assert error.value.ruling == refused
    assert pickle.loads(pickle.dumps(error.value)).ruling == refused
    assert "<th" in (shown := html_of(enc.do(who, "move")) or "")
    assert "Was geschieht" in shown
    english = ck.scene("catwalk").encounter("saga", seed=7)
    assert "What happens" in (html_of(english.do(who, "move")) or ""), "another fight has its own language"


WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({"kind": "damage", "names": ["Mara"], "amount": "1d"}, "Wie viel ist '1d'; gib eine Zahl ab 0, oder Würfel wie"),
    ({"kind": "temporary", "names": ["Mara"], "amount": -1}, "Wie viel ist -1; gib eine ganze Zahl ab 0"),
    ({"kind": "edit", "name": "Mara", "hp": -1}, "Mara: TP ist -1; gib eine ganze Zahl von 0 bis 100000"),
    (
        {"kind": "do", "name": "Vex", "action": "attack", "target": "No, not"},
        "'No, not' ist nicht dabei: gib einen Namen",
    ),
    ({"kind": "sheet", "name": "Vex", "called": "Vi", "side": "x"}, "Der Kampf läuft: Namen und Seiten bleiben"),
)
"""What a form can send that nobody can mean, and what is said to it."""


MISNAMED: tuple[Callable[[ck.Encounter], object], ...] = (
    lambda enc: enc.damage("Mara", 3, vital="mana"),
    lambda enc: enc.adjust("Mara", "mana", 1),
    lambda enc: enc.edit("Mara", mana=1),
    lambda enc: enc.do("Vex", "atack"),
    lambda enc: enc.do("Vex", "zzz"),
    lambda enc: enc.do("Vex", "sprint"),
    lambda enc: enc.do("Marra", "attack"),
    lambda enc: enc.budget("Mara")["mana"],
)
"""Calls with a name that nobody and nothing has."""


def unknown_names() -> Iterator[ck.UnknownName]:
    """Give what is raised for every kind of name that a form or a call at the table can get wrong."""
    for system in SYSTEMS:
        enc = ck.scene("catwalk").encounter(system, seed=7, language="de")
        for call in MISNAMED:
            with pytest.raises(ck.UnknownName) as raised:
                call(enc)
            yield raised.value
    for what, owner in (("side", ""), ("seat", ""), ("condition", ""), ("slot", ""), ("weapon", "Mara")):
        yield ck.UnknownName.of(what, "zzz", ("red", "blue"), owner=owner)
        yield ck.UnknownName.of(what, "zzz", (), owner=owner)


def test_whatever_name_is_unknown_is_told_in_german() -> None:
    found = [*map(str, unknown_names())]
    assert len(found) > 40
    told = {words: german().whole(words) for words in found}
    english = re.compile(r"unknown|has no|give one|did you|here it|none yet|' or '")
    assert [words for words, said in told.items() if english.search(said)] == []


@pytest.mark.parametrize(
    "wrong",
    [
        "the message 'damage' cannot be read: Object missing required field `amount`",
        "a message is an object with a kind",
        "unknown kind of message 'stat': did you mean 'start' or 'restart'?",
        "rolls: this call takes no dice, but 'hit' is given",
        "condition left takes nothing else: they are away until they come back, with join",
    ],
)
def test_what_is_not_known_as_a_whole_is_refused_in_english_as_a_whole(wrong: str) -> None:
    say = german().among(["Attack or flee"], whole=True)
    assert say(wrong) == wrong
    assert german().several(wrong) == wrong, "nor is it taken apart later, as it is shown"


def test_a_message_that_cannot_be_read_is_refused_in_one_language() -> None:
    tracker = ck.Tracker(ck.scene("catwalk").encounter("saga", seed=7, language="de"))
    refused = tracker._answer({"kind": "damage", "names": ["Mara"]})
    reason = "the message 'damage' cannot be read: Object missing required field `amount`"
    assert refused == {"kind": "refused", "reason": reason, "rule": ""}
    unknown = tracker._answer({"kind": "do", "name": "Vex", "action": "atack"})
    assert unknown
    assert unknown["reason"] == "Eine Aktion 'atack' gibt es hier nicht: vielleicht 'attack'?"


@pytest.mark.parametrize(
    ("action", "params", "said"),
    [
        ("attack", {"target": "Mara", "damage": "1d"}, "Der Schaden ist '1d'; gib eine Zahl ab 0, oder Würfel wie"),
        ("attack", {"target": "Marra"}, "'Marra' ist nicht dabei: vielleicht 'Mara'?"),
        ("move", {"to": [1, 1, "x"]}, "move: to: a place is 1; give a name, or a pair of whole numbers"),
    ],
)
def test_what_is_typed_wrong_into_a_form_is_told_in_one_language(
    action: str, params: dict[str, Any], said: str
) -> None:
    tracker = ck.Tracker(ck.scene("catwalk").encounter("saga", seed=7, language="de"))
    answer: Any = tracker._answer({"kind": "choices", "name": "Vex", "action": action, "params": params})
    (told,) = answer["ruling"]["reason"]
    assert told.startswith(said)


@pytest.mark.parametrize(("sent", "said"), WRONG)
def test_what_a_form_sends_in_vain_is_refused_in_german(sent: dict[str, Any], said: str) -> None:
    tracker = ck.Tracker(ck.scene("catwalk").encounter("saga", seed=7, language="de"))
    refused = tracker._answer(sent)
    assert refused
    assert str(refused["reason"]).startswith(said)


def test_a_picture_that_cannot_lie_so_is_refused_in_german() -> None:
    said = {
        "map_look: square is 1.0; give px, a number from 4 to 4,096": "Ein Feld des Bildes ist 1.0 px groß; gib eine",
        "map_look: at is -9e9; give px, a number from -409,600 to 409,600": "Der Platz des Bildes liegt bei -9e9 px",
    }
    assert [told for told, words in said.items() if not german().several(told).startswith(words)] == []


def test_a_rule_of_d6_is_no_dice() -> None:
    assert german().dice("by hand [d6.init.tie]: 2d6. d6") == "by hand [d6.init.tie]: 2W6. W6"


def test_somebody_who_comes_late_is_told_in_german_whatever_an_occasion_is_called() -> None:
    enc = ck.Encounter("phases", seed=1, language="de")
    for name in ("Ada", "Bo"):
        enc.add(name, side=name)
    enc.start(rolls={"Ada": 6, "Bo": 1})
    enc.end_turn()
    enc.leave("Ada")
    assert "hat keinen Zug mehr (Phase)" in [event.text for event in enc.join("Ada")]


def test_a_title_with_whom_it_was_aimed_at_is_one_whatever_stands_in_it() -> None:
    said = ck.ruleset("phases").languages["de"].several
    assert said("Other attacks (Bo)") == f"{said('Other attacks')} (Bo)"


@pytest.mark.parametrize("fights", FIGHTS)
def test_the_german_and_the_english_fight_are_the_same_but_for_words(fights: int) -> None:
    for enc, other in zip(corpus("d6", fights, "de"), corpus("d6", fights), strict=True):
        assert enc.digest == other.digest
        for mine, theirs in zip(enc._events, other._events, strict=True):
            data = dict(mine.data)
            if mine.kind == "encounter":
                assert data.pop("language") == "de"
            assert data == theirs.data
            told = [(e.kind, e.actor, e.action, e.target, e.amount, e.note, e.rules, e.by) for e in (mine, theirs)]
            assert told[0] == told[1]


def staged(language: str, ruleset: Any = "d6", **more: Any) -> ck.Encounter:
    """Play what a player at random never comes to: weapons, Help, destiny, fates."""
    table = {"destiny": [{"id": "momentum", "faces": [20], "effect": "gain_momentum"}]}
    enc = ck.Encounter(ruleset, id="d6-table", seed=7, tables=table, language=language, **more)
    least: dict[str, Any] = {"resolve": 8, "defense": 10, "weapons": [BLASTER, BLADE]}
    least["attributes"] = {"might": "3D", "wits": "2D"}
    enc.add("Mara", side="rebels", initiative=9, tactics=2, agility=1, stamina=1, free_actions=1, **least)
    enc.add("Ossik", side="rebels", initiative=5, tactics=3, **least)
    enc.add("Vex", side="empire", npc=True, significant=True, initiative=1, **least)
    enc.add("Guard", side="empire", npc=True, initiative=0, armor=3, **least)
    enc.start(rolls={"Mara": 4, "Ossik": 4})
    enc.do("Mara", "attack", target="Guard", rolls={"attack": [4, 4, 4, 4], "destiny": 20, "damage": [2, 2, 2]})
    enc.do("Mara", "aim", option="bonus")
    enc.end_turn()
    enc.do("Ossik", "help", target="Mara")
    enc.end_turn()
    enc.do("Vex", "defend", rank="agility")
    enc.adjust("Vex", "action", 2)
    enc.adjust("Vex", "free", 1)
    enc.adjust("Vex", "force_points", 1)
    enc.adjust("Mara", "resolve", -8)
    enc.adjust("Mara", "resolve", -3)
    enc.do("Mara", "ignore_fate")
    enc.adjust("Vex", "resolve", -8)
    enc.adjust("Vex", "resolve", -1)
    enc.resolve(answer="yes")
    enc.do("Vex", "never_the_same", attributes={"might": 1, "wits": 1})
    enc.end_turn()
    enc.do("Mara", "use_skill", option="might", rolls={"skill": [3, 3, 3]})
    enc.do("Ossik", "add_help", rank="tactics")
    return enc


def test_what_is_played_at_a_table_is_told_as_a_german_table_would_say_it(untold: set[str]) -> None:
    enc, other = staged("de"), staged("en")
    told = [f"{event.subject} {event.text}".strip() for event in enc._events]
    assert untold == {"wits"}, "an attribute of their own"
    assert not [e.text for e, o in zip(enc._events, other._events, strict=True) if e.text and e.text == o.text]
    for sentence in (
        "der Kampf beginnt",
        "Mara würfelt 13 für die Initiative",
        "Mara greift Guard an",
        "Mara würfelt 17 gegen 10, um Guard zu treffen: trifft",
        "Mara würfelt 20 für das Schicksal: Schwung",
        "Guard verliert 5 (6 minus 1, die Hälfte von Rüstung 3), noch 3",
        "Mara hat +2 (Taktik) auf den nächsten Angriffswurf",
        "Ossik hält sich bereit, Mara zu helfen",
        "Vex bekommt 2 Aktionen, jetzt 2",
        "Vex bekommt 1 freie Aktion, jetzt 1",
        "Vex bekommt 1 Machtpunkt, jetzt 1",
        "Mara ist verwundet und wird noch einmal verletzt: 3; Antwort nötig von Mara",
        "Darf Vex nach weiterem Schaden ein Schicksal der Gefallenen wählen?",
        "die SL entscheidet: Vex darf ein Schicksal der Gefallenen wählen",
        "Vex verliert für immer 1W Stärke und 1W wits",
        "Mara bekommt +3 von Ossik",
        "Mara kommt mit Hilfe auf 12",
        "Ende von Runde 1",
    ):
        assert sentence in told


# ── which languages there are ──


def test_a_language_that_is_not_known_is_refused_and_the_known_ones_are_named() -> None:
    with pytest.raises(ck.UnknownName, match=r"unknown language 'xx'.*de.*en"):
        ck.Encounter("d6", language="xx")


@pytest.mark.parametrize("language", ["", "../de", "de.toml", "deu", "de-", "de-AT-", None, 5, b"de", [], {}])
def test_only_a_code_names_a_language(language: Any) -> None:
    with pytest.raises(ck.UnknownName, match="unknown language"):
        ck.Encounter("d6", language=language)
    assert language in ([], {}) or language not in ck.ruleset("d6").languages, "what is refused is not kept"


def test_a_fight_is_in_english_unless_told_otherwise() -> None:
    enc = ck.Encounter("d6", seed=1)
    assert "language" not in enc._events[0].data
    assert enc._state.language == "en"


def test_a_system_without_german_of_its_own_is_told_in_both() -> None:
    enc = ck.Encounter("saga", seed=1, language="de")
    enc.add("Mara", side="rebels")
    assert enc._events[-1].text == "tritt für rebels an"


# ── kept ──


# ── everything on screen ──


def test_the_list_of_all_words_is_up_to_date() -> None:
    kept = set(words.LISTED.read_text(encoding="utf-8").splitlines())
    found = set(words.listed().splitlines())
    assert (sorted(found - kept), sorted(kept - found)) == ([], []), "run python -m tools.words"


def test_german_lacks_nothing() -> None:
    assert ck.languages() == {"de": (), "en": ()}


def test_a_german_sentence_has_no_field_that_the_english_one_lacks() -> None:
    sentences = {text: said for rules in ck.rulesets() for text, said in rules.languages["de"].sentences.items()}
    fields = re.compile(r"\{(\w*)\}")
    assert not [text for text, said in sentences.items() if not {*fields.findall(said)} <= {*fields.findall(text)}]


WORD = re.compile(r"[A-Za-zÄÖÜäöüß]+(?:['\u2019-][A-Za-z]+)*")

DATA = frozenset(
    [
        "name",
        "who",
        "id",
        "tongue",
        "side",
        "rule",
        "kind",
        "key",
        "rules",
        "cite",
        "group",
        "order",
        "params",
        "sends",
        "value",
        "values",
        "type",
        "stat",
        "action",
        "names",
        "choices",
        "conditions",
        "untils",
        "status",
        "mark",
        "system",
        "systems",
        "current",
        "selected",
        "actor",
        "dice",
        "mode",
        "tie",
        "initials",
        "modifiers",
        "window",
        "folds",
        "groups",
        "actions",
        "default",
        "example",
        "token",
        "way",
        "branch",
        "branches",
        "parts",
        "vitals",
        "stands",
        "at",
        "given",
        "note",
    ]
)
"""Keys of what is no word of ours, or whose words are tried by themselves."""


@cache
def english_words() -> frozenset[str]:
    """Return the words that stand in English and in nothing that is said in German."""
    english, german = set[str](), set[str]()
    for rules in ck.rulesets():
        said = rules.languages["de"]
        for texts, into in (((*said.titles.values(), *said.sentences.values()), german), (all_words(), english)):
            into.update(word.lower() for text in texts for word in WORD.findall(re.sub(r"\{.*?\}", "", text)))
        for code, into in (("de", german), ("en", english)):
            for template in rules.languages[code].templates.values():
                into.update(word.lower() for word in WORD.findall(str(template.literal)))
    return frozenset(english - german - TYPED)


def spoken_in(view: object, key: str = "") -> Iterator[str]:
    """Yield what people read of a view."""
    if isinstance(view, str):
        yield view
    elif isinstance(view, dict):
        for name, value in view.items():
            if name not in DATA:
                yield from spoken_in(value, name)
    elif isinstance(view, (list, tuple)):
        for value in view:
            yield from spoken_in(value, key)


def is_english(text: str) -> bool:
    return any(word.lower() in english_words() - PERSONS for word in WORD.findall(text))


@by_system
def test_what_somebody_may_do_is_german_as_a_whole_or_by_its_title(system: str) -> None:
    enc = ck.Encounter(system, language="de")
    told = {action.id: deed_of(enc, action, "") for action in enc.ruleset.actions}
    assert {id: deed for id, deed in told.items() if is_english(deed)} == {}


@by_system
def test_a_fight_in_german_shows_no_english_word_of_ours(system: str) -> None:
    enc = play(system, 2, 160, language="de")
    found = {event.text for event in enc._events if is_english(event.text)}
    vantage, ladder, budget = Vantage(enc), LadderProjector(), BudgetProjector()
    for seq in (*range(1, len(enc._events), 20), None):
        vantage.travel(seq)
        for project in (tracker_view, ladder, budget, log_view):
            found.update(text for text in spoken_in(told_from(vantage, project(vantage))) if is_english(text))
    found = {text for text in found if not re.fullmatch(r"[a-z]+-?\d*\.?[\w.-]*", text)}
    actions = [*enc.ruleset.actions]
    found.update(why for who in enc.names for each in actions if is_english(why := enc.can(who, each.id).reason))
    assert not found, sorted(found)


def test_what_is_said_already_is_not_said_again() -> None:
    said = ck.ruleset("saga").languages["de"]
    once = said.word("Mara can't target themselves.")
    assert (once, said.word(once)) == ("Mara kann nicht das eigene Ziel sein.", once)


@pytest.mark.parametrize("name", ["Start", "Attack", "Mara, the GM allows it", "prone", "{name}", "Ende. Down"])
def test_a_name_stays_a_name(name: str) -> None:
    enc = ck.Encounter("saga", id="names", seed=1, language="de")
    enc.add(name, side="Helden")
    enc.add("Vex", side="Schurken")
    enc.start(rolls={name: 20, "Vex": 1})
    assert name in enc.can("Vex", "attack", target=name).reason or enc.active == name
    assert enc.can(name, "attack", target=name).reason.startswith(f"{name[:1].upper()}{name[1:]} ")
    view = ck.Tracker(enc).ladder.view
    assert name in [row["name"] for row in view["rows"].values()]


NAMED = ("Attack", "Mara and Bo", "Down", "Captain of Guards", "Vex, the elder")


def named(language: str) -> list[dict[str, Any]]:
    """Return what is shown of a fight of people who are called as something of ours."""
    enc = ck.Encounter("saga", id="named", seed=3, language=language)
    for number, name in enumerate(NAMED):
        enc.add(name, side=("Sword and Sorcery", "Action")[number % 2], hp=90)
    enc.start(rolls=dict.fromkeys(NAMED, 10))
    for _ in NAMED:
        enc.do(enc.active or "", "attack", target=next(name for name in NAMED if name != enc.active))
        enc.end_turn()
    vantage = Vantage(enc)
    return [told_from(vantage, project(vantage)) for project in (tracker_view, LadderProjector(), log_view)]


def texts_at(view: object, path: tuple[object, ...] = ()) -> Iterator[tuple[tuple[object, ...], str]]:
    if isinstance(view, str):
        yield path, view
    for key, value in view.items() if isinstance(view, dict) else enumerate(view) if isinstance(view, list) else ():
        yield from texts_at(value, (*path, key))


def test_names_stay_names_wherever_they_stand() -> None:
    german = dict(texts_at(named("de")))
    changed = [
        (text, german.get(path))
        for path, text in texts_at(named("en"))
        for name in (*NAMED, "Sword and Sorcery")
        if name in text and path[-1] != "title" and "setup" not in path and name not in german.get(path, "")
    ]
    assert not changed, changed


def test_what_somebody_gains_and_cannot_pay_with_is_in_the_right_case() -> None:
    enc = ck.Encounter("ap", seed=1, language="de")
    enc.add("Mara", side="a")
    enc.add("Vex", side="b", npc=True)
    enc.start(rolls=[6, 1])
    told = [enc.adjust("Mara", "ap", by)[0].text for by in (-1, 1)]
    assert told == ["verliert einen Aktionspunkt, noch 2", "bekommt einen Aktionspunkt, jetzt 3"]
    enc = ck.Encounter("saga", seed=1, language="de")
    enc.add("Mara", side="a")
    enc.start()
    refused = enc.can("Mara", "draw_weapon", pay="free").reason
    assert refused == "Waffe ziehen lässt sich nicht durch eine freie Aktion bezahlen."
    assert enc.adjust("Mara", "aoo", 1)[0].text == "bekommt einen zusätzlichen Gelegenheitsangriff, jetzt 1"


@by_system
def test_of_every_slot_one_and_several_are_german_and_so_is_when_more_come(system: str) -> None:
    rules = ck.ruleset(system)
    german = rules.languages["de"]
    for slot, number in product(rules.slots, (1, 2)):
        for some in (slot.so_many(number), slot.more(number)):
            for text in (
                say("pool.gains", some=Title(some), number=number, left=3),
                say("pool.more", slots=[Title(some)]),
                *(
                    say("pool.later", of=of, slots=[Title(some)], occasion=Title(rules.occasion_title))
                    for of in ("", "turn", "step")
                ),
            ):
                told = german.render(text)
                assert not is_english(told), told
                assert german.several(some) in told, told
                assert german.several(some) != some, some


def test_a_front_end_is_told_which_names_look_like_words_of_ours() -> None:
    enc = ck.Encounter("saga", id="own", seed=1, language="de")
    for name in ("Mara", "Attack", "Captain of Guards"):
        enc.add(name, side="Helden")
    assert ck.Tracker(enc).view["own"] == ["Attack", "Captain of Guards"]
    room = enc.share()
    room.seat("Anna", plays=["Mara"])
    enc.condition("Attack", "hidden")
    seen = room.posts["Anna"]._project()["tracker"]
    room.close()
    assert seen["own"] == ["Captain of Guards"]


def test_a_rooms_picture_names_its_screen_in_the_fights_language() -> None:
    enc = ck.Encounter("saga", id="raum", seed=1, language="de")
    enc.add("Mira", side="Helden")
    room = enc.share()
    room.seat("Attack", plays=["Mira"])
    room.screen()
    panel = RoomPanel(room)
    picture, own = panel._static(), panel.view["own"]
    room.close()
    assert "Bildschirm für den Tisch" in picture
    assert (">Attack<" in picture, own) == (True, ["Attack"])


def test_a_quiz_and_an_exercise_are_in_a_language() -> None:
    quiz = ck.quiz("saga", n=3, seed=5, language="de-AT")
    assert [item.action for item in quiz.items] == [item.action for item in ck.quiz("saga", n=3, seed=5).items]
    assert not [item for item in quiz.items if is_english(f"{item.situation} {item.question}")]
    task = ck.exercise("saga-move-twice", language="de")
    assert repr(task.check()) == "Noch nicht. Mara hat sich noch nicht zweimal bewegt. §saga.move.max-two"
    for _ in range(2):
        task.encounter.do("Mara", "move")
    assert repr(task.check()) == "Geschafft, in 2 Schritten."
    with pytest.raises(ck.UnknownName, match="unknown language 'xx'"):
        ck.quiz("saga", language="xx")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_scene_is_the_same_fight_in_every_language_unless_its_names_are_to_be(system: str) -> None:
    scene = ck.scene("catwalk")
    english, german = (scene.encounter(system, seed=7, language=language) for language in ("en", "de"))
    assert german.digest == english.digest
    assert german.names[-1] == "Guard 2"
    called = scene.encounter(system, seed=7, language="de", localized=True)
    assert called.names[-1] == "Wache 2"
    assert {called[name].side for name in called.names} == {"Rebellen", "Jäger"}
    assert scene.encounter(system, seed=7, localized=True).digest == english.digest


def test_a_teachers_own_sentence_stays_theirs() -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7, language="de")
    part = {"kind": "does", "who": "Vex", "action": "draw_weapon", "words": "Vex, draw!"}
    task = ck.exercise(enc.at(), goal=part, words="Attack, then move.", hints=["Move"])
    assert (task.goal, task.hints, task.check().reason) == ("Attack, then move.", ("Move",), "Vex, draw!")
    assert ck.exercise(enc.at(), goal={**part, "words": ""}).goal == "Aufgabe für Vex: Waffe ziehen."


def test_a_class_is_told_in_a_language(tmp_path: Path) -> None:
    frame = ck.gather(tmp_path, students=["Anna"], language="de_DE")
    table = frame._repr_html_()
    assert "1 Person, 0 Aufgaben. Die ersten Antworten zählen." in table
    assert "<b>Anna</b> hat nichts abgegeben" in table


def test_who_comes_next_keeps_their_name() -> None:
    enc = ck.Encounter("saga", id="next", seed=1, language="de")
    for name in ("Mara", "Attack", "Down"):
        enc.add(name, side=name)
    enc.start(rolls={"Mara": 20, "Attack": 10, "Down": 5})
    assert ck.Tracker(enc).view["turn"]["sub"] == "1. von 3 Zügen, dann Attack"


def test_a_refusal_is_german_wherever_it_comes_from() -> None:
    enc = ck.Encounter("saga", seed=1, language="de")
    enc.add("Mara", side="a")
    with pytest.raises(ck.IllegalAction, match="Der Kampf hat nicht begonnen"):
        enc.do("Mara", "attack", target="Mara")
    enc.add("Vex", side="b")
    enc.start(rolls={"Mara": 20, "Vex": 1})
    ruling = enc.can("Vex", "move")
    with pytest.raises(ck.IllegalAction) as refused:
        enc.do("Vex", "move")
    assert (refused.value.ruling, ruling.reason) == (ruling, "Mara ist am Zug.")


def test_how_far_a_movement_leads_is_german_in_phases() -> None:
    enc = ck.Encounter("phases", seed=2, language="de")
    enc.add("Mara", side="crew", at=(0, 0))
    enc.add("Vex", side="gang", at=(-9, 0), npc=True)
    enc.start(rolls={"Mara": 6})
    while enc.active != "Mara":
        enc.end_turn()
    far = [enc.can("Mara", f"{each}_move", to=(90, 0)).reason for each in ("half", "full")]
    assert far == [
        "Das sind 90 Felder; eine halbe Bewegung geht höchstens 3 Felder weit.",
        "Das sind 90 Felder; eine volle Bewegung geht höchstens 6 Felder weit.",
    ]
    through = enc.can("Mara", "noncombat_move", to=(-90, 0)).reason
    assert through.endswith("im Weg: nur Verbündete kommen durch; gib einen Weg außen herum an.")


@by_system
def test_what_stands_beside_whoever_acts_is_german_with_their_place_too(system: str) -> None:
    enc = ck.Encounter(system, seed=7, language="de")
    for name, side in (("Ada", "rot"), ("Bo", "blau")):
        enc.add(name, side=side, npc=True)
    enc.start()
    for name in enc.names:
        enc.place(name, at="Close" if system == "d6" else (3, len(name)))
    captions = [str(ck.ActionBudget(enc, name).view["caption"]) for name in enc.names]
    assert not [text for text in captions if re.search(r"Defense|speed|moves|\bat\b", text)], captions


def test_a_distance_has_its_unit_in_german_too() -> None:
    enc = ck.Encounter("ap", seed=7, language="de")
    enc.add("Ada", side="rot", weapons=[{"name": "Speer", "damage": "1d6", "attack": 2, "range": "melee"}], at=(0, 0))
    enc.add("Bo", side="blau", at=(9, 0))
    enc.start(rolls={"Ada": 6, "Bo": 1})
    reason = enc.can("Ada", "attack", target="Bo").reason
    assert "9 Meter entfernt" in reason, reason
    assert "1 Meter weit" in reason, reason


def test_the_kits_own_words_are_read_once_for_all_rulesets(monkeypatch: pytest.MonkeyPatch) -> None:
    read, file = Counter[Path](), spoken.read_toml

    def counted(path: Path) -> dict[str, Any]:
        read[path] += 1
        return file(path)

    monkeypatch.setattr(spoken, "read_toml", counted)
    spoken._kit_parts.cache_clear()
    said = [read_language("de", PACKAGE / "systems" / system) for system in SYSTEMS]
    assert read[PACKAGE / "text" / "de.toml"] == read[PACKAGE / "text" / "en.toml"] == 1
    assert len({str(each.titles) for each in said}) > 1, "each has its own besides"


def test_a_third_language_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "la.toml").write_text(
        '[turn]\nbegins = "agit"\n[action]\n"done.move" = "movet"\n[titles]\n"Attack" = "Impetus"\n'
        '[sentences]\n"{active}\'s turn" = "{active} agit"\n"Nobody on the shelf" = ""\n'
        '[systems.saga.titles]\n"Swift" = "Celer"\n',
        encoding="utf-8",
    )
    assert ck.add_language(tmp_path / "la.toml") == "la"
    try:
        enc = ck.Encounter("saga", seed=1, language="la")
        enc.add("Mara", side="a")
        enc.start()
        tracker = ck.Tracker(enc)
        assert (tracker.view["turn"]["title"], tracker.view["tongue"]["lang"]) == ("Mara agit", "la")
        assert {slot["title"] for slot in tracker.budget.view["slots"]} >= {"Celer", "Standard"}
        lacks = ck.languages()["la"]
        assert {"Move", "turn.ends"} <= {*lacks}
        assert not {"Attack", "turn.begins"} & {*lacks}
    finally:
        spoken._added.pop("la")
        for rules in ck.rulesets():
            rules.languages.pop("la", None)


@pytest.mark.parametrize("name", ["latin.toml", "la.txt", "en.toml"])
def test_a_file_is_a_language_by_its_name(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("", encoding="utf-8")
    with pytest.raises(ck.InvalidInput, match="two letters"):
        ck.add_language(tmp_path / name)


def test_summary_and_charts_are_in_the_fights_language() -> None:
    fights = [ck.Encounter("saga", id=language, seed=1, language=language) for language in ("de", "en")]
    for enc in fights:
        enc.add("Mira", side="a")
        enc.add("Vex", side="b")
        enc.start()
    german = fights[0]
    assert ">Vorrat benutzt<" in german.summary()._repr_html_()
    assert german.history.charts.turns().to_dict()["title"]["text"] == "Züge"
    assert ck.history.stack(fights).charts.turns().to_dict()["title"]["text"] == "Turns"
    ladder = german.history.charts.initiative().to_dict()["layer"][0]["encoding"]  # one legend, not two
    assert [ladder[channel]["title"] for channel in ("color", "shape")] == ["Seite", "Seite"]


@pytest.mark.parametrize(("language", "title"), [("de", "Am Tisch"), ("en", "At the table")])
def test_a_seats_page_is_in_the_fights_language(language: str, title: str) -> None:
    enc = ck.Encounter("saga", id="seat", seed=1, language=language)
    enc.add("Mira", side="a")
    room = enc.share()
    try:
        with urlopen(room.url) as answer:
            page = answer.read().decode()
    finally:
        room.close()
    assert f'<html lang="{language}">' in page
    assert f"<title>{title}</title>" in page
    assert ('"lang":"de"' in page) == (language == "de")


def test_a_page_says_what_language_it_is_in(tmp_path: Path) -> None:
    enc = ck.Encounter("saga", id="seite", seed=1, language="de")
    enc.add("Mara", side="a")
    enc.start()
    enc.do("Mara", "speak")
    page = enc.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert '<html lang="de">' in page
    assert '"lang":"de"' in page
    rules = enc.log().html
    assert '<span lang="en">' in rules


@pytest.mark.parametrize("spelled", ["de", "DE", "de-AT", "de_DE", "De-ch", "de_DE.UTF-8"])
def test_a_language_is_known_however_it_is_spelled(spelled: str) -> None:
    enc = ck.Encounter("saga", seed=1, language=spelled)
    assert (enc._state.language, enc._events[0].data["language"]) == ("de", "de")


@pytest.mark.parametrize("dice", ["1W6", "2W6+3", "w20", "1w6 + 1W4", "5½W6", "W%"])
def test_dice_are_read_as_german_tables_write_them(dice: str) -> None:
    read, same = parse_dice(dice), parse_dice(dice.upper().replace("W", "d"))
    assert read == same
    assert read is not None
    enc = ck.Encounter("saga", seed=1, language="de")
    enc.add("Mara", side="Rebellen", hp=100)
    enc.damage("Mara", dice)
    assert (enc["Mara"].values["hp"] or 0) < 100


@pytest.mark.parametrize("system", [*SYSTEMS])
def test_dice_are_shown_as_german_tables_write_them(system: str) -> None:
    enc = ck.scene("catwalk").encounter(system, seed=7, language="de")
    enc.join("3d6", side="rebels")
    ck.play(enc, ck.tactics.strike, rounds=1)
    told = "\n".join(line for line in enc.log().markdown.splitlines() if "`" not in line)  # rules stay in English
    assert re.search(r"\dW(6|8|10|20)?\b", told)
    assert set(re.findall(r"\b\d+[dD]\d*\b", told)) == {"3d6"}, "whoever is called so"


def test_words_beside_dice_are_said_one_by_one() -> None:
    enc = ck.Encounter("d6", seed=1, language="de")
    enc.add("Mara", side="a", attributes={"might": "3D", "agility": "2D+1"})
    (mara,) = ck.Tracker(enc).view["setup"]["combatants"]
    assert mara["summary"] == "Attribute: Stärke 3W, Gewandtheit 2W+1"


def test_what_somebody_has_not_kept_ready_is_a_german_sentence() -> None:
    told = {word: german("d6").several(f"Mara has nothing {word}.") for word in ("held", "readied")}
    assert told == {"held": "Mara hat nichts bereitgehalten.", "readied": "Mara hat nichts vorbereitet."}


def test_a_german_code_of_dice_is_read_on_a_sheet() -> None:
    enc = ck.Encounter("d6", seed=1, language="de")
    enc.add("Mara", side="a", attributes={"agility": "3W+1"})
    assert code_of(enc._state.fighters["Mara"].stats["attributes"]["agility"]) == Dice(3, 6, 1)


def test_undo_and_redo_keep_the_language() -> None:
    enc = staged("de")
    enc.undo()
    assert enc._events[-1].text.startswith("zurückgenommen: ")
    enc.redo()
    assert enc._events[-1].text.startswith("wiederhergestellt: ")
    while enc.can_undo:
        enc.undo()
    assert enc._state.language == "de"
    enc.add("Ilya", side="rebels")
    assert enc._events[-1].text == "tritt für rebels an"


def test_a_reopened_fight_goes_on_in_its_language(tmp_path: Path) -> None:
    path = tmp_path / "freitag.combat"
    with staged("de", journal=path) as enc:
        told = [event.text for event in enc._events]
    with ck.Encounter.open(path) as again:
        assert [event.text for event in again._events] == told
        again.end_turn()
        assert [event.text for event in again._events if event.kind == "turn_end"][-1] == "beendet den Zug"


def test_a_fight_begun_anew_is_told_in_the_same_language() -> None:
    again = staged("de").restart()
    assert [event.text for event in again._events if event.actor == "Mara"] == ["tritt für rebels an"]


def test_a_simulated_fight_is_told_in_the_language_of_the_one_it_is_made_of() -> None:
    setup = Setup(staged("de"))
    for each in (setup, pickle.loads(pickle.dumps(setup))):
        assert "ist am Zug" in [event.text for event in each.encounter(3)._events]


def test_an_empty_fight_keeps_its_language_when_its_ruleset_is_chosen() -> None:
    tracker = ck.Tracker(ck.Encounter("d6", seed=1, language="de"))
    hear(tracker._vantage, {"kind": "ruleset", "ruleset": "saga"})
    assert (tracker.encounter.ruleset.id, tracker.encounter._state.language) == ("saga", "de")


def test_a_fight_whose_language_is_gone_goes_on_in_english(tmp_path: Path) -> None:
    (tmp_path / "en.toml").write_bytes((PACKAGE / "systems" / "d6" / "en.toml").read_bytes())
    (tmp_path / "fr.toml").write_text('turn.begins = "commence"', encoding="utf-8")
    rules = D6()
    rules.folder, rules.languages = tmp_path, Languages(tmp_path)
    enc = staged("fr", ruleset=rules)
    assert "commence" in [event.text for event in enc._events]
    enc.save(tmp_path / "vendredi.combat")
    again = ck.load(tmp_path / "vendredi.combat")
    assert again._state.language == "fr"
    again.end_turn()
    assert [event.text for event in again._events if event.kind == "turn_end"][-1] == "ends the turn"
    assert again.restart()._state.language == "en"
    assert "begins the turn" in [event.text for event in Setup(again).encounter(3)._events]


@pytest.mark.parametrize(
    ("language", "one", "two"), [("en", "acts", "and Ossik act"), ("de", "handelt", "und Ossik handeln")]
)
def test_one_acts_and_several_act(language: str, one: str, two: str) -> None:
    enc = ck.Encounter("d6", seed=1, language=language)
    for name in ("Mara", "Ossik", "Vex"):
        enc.add(name, side=name)
    enc.start()
    for doers in (["Mara"], ["Mara", "Ossik"]):
        enc.trigger(*doers)
        while enc.pending:
            enc.resolve()
    assert [e.text for e in enc._events if e.kind == "trigger"] == [f"Mara {one}", f"Mara {two}"]


def test_what_is_said_within_what_is_said_is_in_the_same_language() -> None:
    why = Said("why.gm", {})
    assert german().render(Said("order.ahead", {"why": why})) == "ist vorn: so will es die SL"
    assert english().render(Said("order.ahead", {"why": why})) == "is ahead: as the GM chose"


def test_every_field_of_a_word_of_ours_has_a_name() -> None:
    assert [text for text in all_words() if re.search(r"\{\W*\}|\{\d", text)] == []


def test_a_word_that_means_two_things_is_said_for_each() -> None:
    d6 = ck.ruleset("d6").languages["de"]
    assert (d6.word("Close"), tongue_of(d6)["words"]["Close"]) == ("Nah", "Schließen")


@pytest.mark.parametrize("said", ["the players", "start"])
def test_what_the_end_card_says_by_itself_is_told_in_german(said: str) -> None:
    assert said in tongue_of(ck.ruleset("saga").languages["de"])["words"]


def test_who_is_waited_for_is_named_in_the_language_whoever_it_is() -> None:
    say = german().among(["Ben"])
    for english, said in (
        ("Waiting for you, Ben and your GM.", "Noch gefragt: du, Ben und die SL."),
        ("Waiting for Anna and the GM.", "Noch gefragt: Anna und die SL."),
        ("You, Ben and your GM may react.", "Du, Ben und die SL: Reaktion möglich."),
    ):
        assert say(english) == said


def test_who_must_answer_is_said_in_whole_german_however_many_they_are() -> None:
    for count, said in (
        (1, "Ada muss antworten"),
        (2, "Bo und Ada müssen antworten"),
        (6, "Bo, Cy, Fay, Eve und 2 weitere müssen antworten"),
    ):
        enc = ck.Encounter("d6", seed=3, language="de")
        names = ["Ada", "Bo", "Cy", "Dee", "Eve", "Fay"]
        for name in (*names, "Vex"):
            enc.add(name, side="gang" if name == "Vex" else "crew", resolve=6)
        enc.start()
        table_of(enc).plays = {"Anna": ("Ada", "Bo"), "Ben": ("Ada",)}
        gm, anna, ben = (ck.Tracker(enc), *(ck.Tracker(enc, view="players", seat=seat) for seat in ("Anna", "Ben")))
        for hurt in (6, 2):
            enc.damage(names[:count], hurt)
        (window,) = gm.view["windows"]
        first = said if count < 6 else "Sechs müssen antworten"
        assert window["sub"][-1] == first + (".", ", in beliebiger Reihenfolge.")[count > 1]
        assert gm.view["announce"].endswith(f" {said}.")
        titles = [at.view["turn"]["title"] for at in (anna, ben)]
        assert titles == [("Ada und Bo müssen" if count > 1 else "Ada muss") + " antworten", "Du musst antworten"]


@pytest.mark.parametrize(
    ("until", "lasts"),
    [
        (None, ""),
        ("2 rounds", " für 2 Runden"),
        ("end of round", " bis Rundenende"),
        ("start of turn: Bo", " bis zum Zug von Bo"),
    ],
)
def test_over_whom_somebody_has_the_upper_hand_is_told_in_german(until: str | None, lasts: str) -> None:
    enc = ck.Encounter("ap", seed=3, language="de", options={"actions": "book"})
    for name in ("Ada", "Bo"):
        enc.add(name, side=name, hp=9)
    enc.start()
    enc.condition("Ada", "upper_hand", value="Bo", until=until)
    (ada,) = [row for row in ck.Tracker(enc).ladder.view["rows"].values() if row["name"] == "Ada"]
    assert ada["sub"][0][0]["chip"] == "im Vorteil gegen Bo"
    assert f"im Vorteil gegen Bo{lasts};" in "".join(map(str, ada["label"]))


@pytest.mark.parametrize("held", ["upper hand Bo", "in melee with Bo"])
@pytest.mark.parametrize(
    ("lasts", "said"),
    [
        ("for 2 rounds", "für 2 Runden"),
        ("until the start of their turn", "bis zum Beginn des eigenen Zugs"),
        ("until their next action", "bis zur nächsten Aktion"),
    ],
)
def test_how_long_a_condition_lasts_is_told_in_german_behind_a_name(held: str, lasts: str, said: str) -> None:
    assert german("ap").several(f"{held} {lasts}").endswith(f" Bo {said}")


@pytest.mark.parametrize(
    ("english", "said"),
    [
        ("You may react too", "Du darfst auch reagieren"),
        ("Kess may react too", "Kess: Reaktion auch möglich"),
        (
            "interrupted: Kess and one other may react",
            "unterbrochen: Kess und eine weitere Person, Reaktion möglich",
        ),
    ],
)
def test_who_may_react_as_well_is_said_in_whole_german(english: str, said: str) -> None:
    assert german().among(["Kess"])(english) == said


def test_of_several_sentences_each_is_known_by_its_own_stop() -> None:
    german = ck.ruleset("segments").languages["de"]
    said = german.several("Mara's sheet has no Roll to hit AC 0. Say whether it hits.")
    assert said == "Auf dem Bogen von Mara fehlt: Nötiger Wurf gegen RK 0. Sag, ob es trifft."


def test_what_was_kept_ready_and_what_is_left_are_said_in_whole_german() -> None:
    enc = ck.Encounter("saga", seed=1, language="de")
    for name in ("Mara", "Vex"):
        enc.add(name, side=name, hp=30)
    enc.start(rolls={"Mara": 18, "Vex": 5})
    enc.do("Mara", "ready", action="attack", trigger={"actor": "Vex"})
    enc.end_turn()
    enc.do("Vex", "move")
    enc.do("Mara", "use_readied", target="Vex")
    enc.next_round()
    enc.next_round()
    told = enc.log().markdown
    assert "setzt ein, was vorbereitet war: Angriff, Ziel Vex" in told
    assert "**Vex** kam nicht zum Zug." in told
    assert "**Vex** Trefferpunkte: 30 von 30" in told


@pytest.mark.parametrize(
    ("system", "asked", "said"),
    [
        ("saga", "Mara has 0 hp: does the Charge go on?", "Mara hat noch 0 TP: geht es weiter (Sturmangriff)?"),
        ("d6", "Which of Vex and Zed goes first on 7?", "Wer von Vex und Zed ist auf 7 zuerst dran?"),
        (
            "ap",
            "Mara attacks Vex. Vex parries: does that foil it?",
            "Mara greift Vex an. Vex pariert: vereitelt das die Aktion?",
        ),
        ("phases", "Mara moves: who threatens them?", "Mara bewegt sich: wer bedroht dabei?"),
        (
            "segments",
            "Mara rolled a natural 20: does it come to anything?",
            "Mara hat eine natürliche 20 gewürfelt: wird etwas daraus?",
        ),
    ],
)
def test_who_must_answer_first_is_told_in_german_after_what_is_asked(system: str, asked: str, said: str) -> None:
    german = ck.ruleset(system).languages["de"]
    assert german.word(f"{asked} The GM must answer first.") == f"{said} Erst muss die SL antworten."


def test_a_free_attack_in_another_segment_is_refused_in_german() -> None:
    told = "This happens in segment 4, and so does a free attack."
    said = "Das geschieht in Segment 4, und ein freier Angriff darauf auch."
    assert ck.ruleset("segments").languages["de"].word(told) == said


def test_what_the_gm_is_asked_to_foil_is_told_in_german() -> None:
    enc = ck.Encounter("ap", seed=1, language="de")
    enc.add("Gil", side="crew")
    enc.add("Ada", side="city")
    enc.start()
    who, other = ("Gil", "Ada") if enc.active == "Gil" else ("Ada", "Gil")
    enc.do(who, "grapple", target=other)
    asked = enc.do(other, "resist")[-1]
    assert asked.text == f"{who} ringt mit {other}. {other} widersteht: vereitelt das die Aktion?"


@pytest.mark.parametrize("name", ["Capt. Ilya", "Dr. Bo", "Ilya Jr.", "Bo Senr.", "der Kpt. Bo"])
def test_a_name_with_a_stop_in_it_ends_no_sentence(name: str) -> None:
    enc = ck.Encounter("d6", seed=1, language="de")
    for each in (name, "Mara"):
        enc.add(each, side="party", resolve=9)
    enc.start()
    enc.damage([name, "Mara"], 9)
    enc.damage(name, 2)
    begun, ended = capital(name), name.removesuffix(".")
    hurt = f"{begun} ist verwundet und wird noch einmal verletzt: 2"
    with pytest.raises(ck.IllegalAction, match=re.escape(f"{hurt}. Erst antworten: {capital(ended)}. [")):
        enc.end_turn()
    enc.damage("Mara", 3)
    with pytest.raises(ck.IllegalAction) as told:
        enc.end_turn()
    assert str(told.value).startswith(f"{hurt}; Mara ist verwundet und wird noch einmal verletzt: 3. Erst antworten: ")
    assert re.search(rf"antworten: (Mara und {re.escape(ended)}|{re.escape(begun)} und Mara)[.] ", str(told.value))


def test_a_fate_that_must_be_chosen_first_is_told_in_german() -> None:
    enc = ck.Encounter("d6", seed=1, language="de")
    for name in ("Mara", "Bo"):
        enc.add(name, side="party", resolve=9)
    enc.start()
    enc.damage(["Mara", "Bo"], 9)
    enc.damage("Bo", 2)
    hurt = "Bo ist verwundet und wird noch einmal verletzt: 2."
    with pytest.raises(ck.IllegalAction, match=re.escape(f"{hurt} Erst antworten: Bo.")):
        enc.end_turn()
    with pytest.raises(ck.IllegalAction, match=re.escape(f"Erst muss Bo antworten, oder die SL: {hurt}")):
        enc.leave("Bo")
    enc.damage("Mara", 3)
    both = f"{hurt[:-1]}; Mara ist verwundet und wird noch einmal verletzt: 3. Erst antworten: Bo und Mara."
    with pytest.raises(ck.IllegalAction, match=re.escape(both)):
        enc.end_turn()


def test_no_german_words_write_dice_the_english_way() -> None:
    said = german()
    written = [*said.sentences.values(), *said.titles.values(), *(t.literal for t in said.templates.values())]
    assert [text for text in written if re.search(r"(?<!\w)(\d|\{\w+\})D(?!\w)", text) and "3D+1" not in text] == []


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
def test_a_condition_in_somebodys_own_words_stays_as_it_was_typed(system: str) -> None:
    enc = ck.Encounter(system, language="de", seed=1)
    enc.add("Mara", side="rebels")
    enc.add("Vex", side="hunters")
    enc.start()
    own = ("on fire", "at bay", "for real", "the leader", "at bay spell")
    for typed in own:
        enc.condition("Mara", typed)
    tracker = ck.Tracker(enc)
    rows = json.dumps(tracker.ladder.view, ensure_ascii=False)
    log = json.dumps(tracker.log.view, ensure_ascii=False)
    for typed in own:
        assert f'{{"chip": "{typed}", "theirs": true}}' in rows
        assert any(f"{how} {typed}" in log for how in ("ist", "steht unter"))
        assert f"; {typed}" in rows, "it is read out so too"
    assert ck.ActionBudget(enc, name="Mara").view["caption"].startswith("on fire · at bay")
    card = told_from(Vantage(enc), card_view(Vantage(enc), "Mara"))
    assert tuple(each["word"] for each in card["conditions"]) == own
    players = Vantage(enc, "players")
    assert "at bay" not in json.dumps(told_from(players, tracker_view(players), root=True)), "it's the GM's own"


def test_what_is_refused_is_german_as_a_whole() -> None:
    language = ck.Encounter("saga", language="de")._language
    for reason, said in (
        ("a cone leads somewhere: give towards, another place than the one where it begins", "Ein Kegel führt"),
        ("size is 90; give a number from 0 to 60 (squares)", "gib eine Zahl von 0 bis 60 (Felder)"),
        ("size is 900; give a number from 0 to 300 (ft)", "gib eine Zahl von 0 bis 300 (Fuß)"),
        ("Vex: saga has no stat 'dx': did you mean 'dex'?", "Bogen nicht: vielleicht 'dex'?"),
        (
            "A: saga has no stat 'foo': give one of 'dex', 'level', ...",
            "A: einen Wert 'foo' gibt es auf dem Bogen nicht: gib",
        ),
        ("attack: Mara has no weapon 'daxger': did you mean 'dagger'?", "Mara: eine Waffe 'daxger' gibt es auf dem"),
        ("heal: Mara's sheet has no Force Points; edit the sheet first", "fehlt: Machtpunkte; bearbeite"),
    ):
        assert said in language.whole(reason)


@pytest.mark.parametrize(
    ("system", "said", "german"),
    [
        ("ap", "Cy is not aware of it: Dee attacks Cy.", "Cy bekommt es nicht mit: Dee greift Cy an."),
        ("ap", "Rating 0 each, PC over NPC [ap.init.tie.pc]", "Wert je 0, Spielerfigur vor NSC [ap.init.tie.pc]"),
        (
            "ap",
            "+ 6 attack bonus - 20 precision strike against 2: ",
            "+ 6 Angriffsbonus - 20 Präzisionsschlag gegen 2: ",
        ),
        ("d6", "player before NPC [d6.init.tie.pc-over-npc]", "Spielerfigur vor NSC [d6.init.tie.pc-over-npc]"),
        ("d6", "Eve's Help goes unused. Waiting for Eve: answer or let it go.", "Eve: die Hilfe blieb ungenutzt. "),
        ("d6", "helping with Bo and Fay", "hilft Bo und Fay"),
        ("d6", "Never the Same, Blaze of Glory or Tragic Demise", "Nie mehr wie früher, Ruhmreicher Untergang oder "),
        ("phases", "Eve already acts just before Bo.", "Eve handelt schon direkt vor Bo."),
        ("phases", "Undo: Roll with a punch (Ada)", "Zurücknehmen: Mit dem Schlag gehen (Ada)"),
        (
            "phases",
            "No target is possible: Bo is 2 hexes away; the reach of Cy is 0.",
            "Ziel: nichts möglich. Bo ist 2 Felder entfernt; die Reichweite von Cy ist 0.",
        ),
        (
            "saga",
            "No target is possible: Dee 2 didn't do this; Ada and Bo did.",
            "Ziel: nichts möglich. Das war nicht Dee 2, sondern Ada und Bo.",
        ),
        (
            "ap",
            "No weapon is possible: Ada has no weapon with a range.",
            "Waffe: nichts möglich. Ada hat keine Waffe mit Reichweite.",
        ),
        (
            "ap",
            "Gil feints at Bo: does Gil win the contest? The GM must answer first.",
            "Gil täuscht Bo mit einer Finte: ",
        ),
        ("d6", "one Action taken and one Free Action taken; at most two Actions", "eine Aktion und eine freie Aktion"),
        ("d6", "It's nobody's turn. Round 2, 6 seconds.", "Niemand ist am Zug. Runde 2"),
        ("phases", "Somebody changes clothes", "Jemand wechselt die Kleidung"),
        (
            "saga",
            "Vex is unconscious. Name nobody to choose one when it is used.",
            "Vex ist bewusstlos. Ohne Ziel wird es",
        ),
        (
            "segments",
            "Declare one thing at a time: a spell, or move.",
            "Sag eins nach dem anderen an: einen Zauber oder Bew",
        ),
        (
            "d6",
            "Bo, Cy and Dee are closer than Extreme; all enemies must be that far.",
            "Bo, Cy und Dee: näher als Extrem",
        ),
        ("phases", "an attack action and a move action", "eine Angriffsaktion und eine Bewegungsaktion"),
        (
            "segments",
            "Innate abilities go first: in D1 of their half, before anybody else there acts.",
            "Angeborene Fähig",
        ),
        ("saga", "Extra attacks of opportunity 3", "Zusätzliche Gelegenheitsangriffe 3"),
        (
            "saga",
            "Second wind is under way, and lost if it doesn't go on now. Once more ends the turn.",
            "Durchatmen ist im Gang und geht verloren, wenn es jetzt nicht weitergeht. Noch einmal beendet den Zug.",
        ),
        ("segments", "Position, 7 of 10 ft", "Position: 7, höchstens 10 Fuß"),
        ("phases", "Half move, 2 of 3 hexes", "Halbe Bewegung: 2, höchstens 3 Felder"),
        (
            "segments",
            "Bo comes again in step 6, Remaining attacks.",
            "Bo ist erst wieder in Schritt 6, Übrige Angriffe am",
        ),
    ],
)
def test_no_sentence_is_told_half_in_german(system: str, said: str, german: str) -> None:
    assert ck.ruleset(system).languages["de"].several(said).startswith(german)


def test_why_an_amount_cannot_be_is_told_as_a_whole_in_its_form() -> None:
    tracker = ck.Tracker(ck.scene("catwalk").encounter("saga", seed=7, language="de"))
    answer: Any = tracker._answer({"kind": "deal", "names": ["Mara"], "amount": "x"})
    assert answer["why"] == ["Wie viel ist 'x'; gib eine Zahl ab 0, oder Würfel wie '2W6+3' oder '1W6+1W4'"]


def test_what_makes_a_question_of_a_moment_is_told_in_german() -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7, language="de")
    tracker = ck.Tracker(enc)
    who, other = enc.active or "", next(name for name in enc.names if name != enc.active)
    form: Any = tracker._answer({"kind": "moment", "what": "exercise", "name": other, "action": "move"})
    assert form["right"] == f"Noch nicht: {enc.can(other, 'move').reason} Das Ziel kann später kommen."
    form = tracker._answer({"kind": "moment", "what": "question", "name": who, "action": "stand_up"})
    assert form["why"].startswith("Das lässt sich nicht fragen: ")
    assert enc.can(who, "stand_up").reason.rstrip(".") in form["why"]


def test_what_a_fight_gives_represents_itself_in_its_language() -> None:
    enc = ck.scene("catwalk").encounter("saga", id="steg", seed=7, language="de")
    ck.play(enc, ck.tactics.strike, rounds=1)
    told = repr(enc.log())
    assert re.fullmatch(r"<Protokoll von steg: \d+ Teile?, \d+ Wörter>", told), told
    assert repr(enc.history) == f"<Verlauf von steg: {len(enc._events)} Ereignisse>"
    assert repr(enc.summary()) == f"<Zusammenfassung von steg: {enc.clock.label}>"
    assert re.match(r"<Chancen: steg, zuerst am Zug: \w+ \d+,\d %", repr(enc.odds())), repr(enc.odds())
    asked = ck.quiz(ck.question(enc.at(len(enc._events)), enc.names[0], "move"))
    assert repr(asked.score) == "0 von 1 beantwortet, 0 richtig"
    assert asked.score == (1, 0, 0)


def test_a_room_and_its_seats_represent_themselves_in_the_fights_language() -> None:
    enc = ck.scene("catwalk").encounter("saga", id="steg", seed=7, language="de")
    with enc.share(host="127.0.0.1") as room:
        seat = room.seat("Anna", plays=[enc.names[0]])
        assert repr(seat) == f"<Platz Anna: spielt {enc.names[0]}>"
        assert repr(room) == f"<Raum von steg unter {room.url}: offen, 1 Platz, 0 verbunden>"
