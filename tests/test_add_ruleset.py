"""What is wrong with a folder is said with its file and entry, and the registry stays as it was."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import combatkit as ck
from combatkit import registry
from tests import guide

FIVE = ["saga", "d6", "ap", "segments", "phases"]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Give the guide's ruleset; whatever a test adds is forgotten again."""
    known = dict(registry._known)
    yield guide.write(tmp_path)
    registry._known.clear()
    registry._known.update(known)


def change(folder: Path, file: str, old: str, new: str) -> None:
    """Write one thing in one of the files otherwise."""
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")


def refused(folder: object) -> ck.CombatkitError:
    """Give what a folder is refused with, and see that nothing else has changed."""
    known, modules = dict(registry._known), set(sys.modules)
    with pytest.raises((ck.InvalidInput, ck.UnknownName)) as caught:
        ck.add_ruleset(folder)  # type: ignore[arg-type]
    assert registry._known == known
    assert not [name for name in set(sys.modules) - modules if name.startswith("_combatkit_added")]
    assert [rules.id for rules in ck.rulesets()] == FIVE
    with pytest.raises(ck.UnknownName, match="'saga'"):
        ck.ruleset("sage")
    return caught.value


RULES, ACTIONS, STATS, CODE = "rules.toml", "actions.toml", "stats.py", "ruleset.py"
PUNCH = "[[actions]]\nid = 'punch'\ntitle = 'Again'\ncost = 'deed'\n"
SHOUT = 'verb = "shouts"'
USUAL = "[[actions]]\nid = 'a{}'\ntitle = 'A'\ncost = 'deed'\nusual = true\n"


def kept(**facts: object) -> str:
    """Give a shout that is kept for its moment, with some facts otherwise."""
    said = {
        "effect": "readied",
        "use": "punch",
        "kinds": ["deed"],
        "kinds_rule": "brawl.turn",
        "lapse_rule": "brawl.turn",
    }
    inline = ", ".join(f"{key} = {json.dumps(value)}" for key, value in {**said, **facts}.items())
    return f'{SHOUT}\ndoes = "ready"\nfacts = {{ {inline} }}'


WRONG: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "an id that is no text": (RULES, 'id = "brawl"', "id = 5", ("id is 5", "give text")),
    "an id of nothing": (RULES, 'id = "brawl"', 'id = ""', ("id is ''", "a letter first")),
    "an id with a dot": (RULES, 'id = "brawl"', 'id = "my.brawl"', ("id is 'my.brawl'",)),
    "no id": (RULES, 'id = "brawl"\n', "", ("id is None", "give text")),
    "no title": (RULES, 'title = "Brawl"\n', "", ("title is None", "give text")),
    "an empty title": (RULES, 'title = "Brawl"', 'title = " "', ("title is ' '",)),
    "an order that is no number": (
        RULES,
        'id = "brawl"',
        'id = "brawl"\norder = "x"',
        ("order is 'x'", "whole number"),
    ),
    "a part there is not": (RULES, "[options.hits_on]", "[option.hits_on]", ("'option'", "'options'")),
    "no rules": (RULES, "[[rules]]", "[[ruels]]", ("'ruels'", "'rules'")),
    "a rule that is no table": (RULES, 'title = "Brawl"', 'title = "Brawl"\nrules = 3\n[x]', ("line",)),
    "a rule of another's": (RULES, 'id = "brawl.turn"', 'id = "turn"', ("'turn'", "begin it with 'brawl.'")),
    "a rule twice": (RULES, 'id = "brawl.turn"', 'id = "brawl.order"', ("[[rules]] 'brawl.order'", "twice")),
    "a rule without an id": (RULES, 'id = "brawl.turn"\n', "", ("[[rules]] number 2", "id is missing")),
    "a rule of no text": (
        RULES,
        'locator = "line 2"',
        "locator = 2",
        ("[[rules]] 'brawl.turn'", "locator is 2", "text"),
    ),
    "a mark beside nothing": (
        ACTIONS,
        'id = "dizzy"',
        'id = "dizzy", mark = "bang"',
        ("condition 'dizzy'", "give a status too"),
    ),
    "a tag forbidden that no action has": (
        ACTIONS,
        'id = "dizzy"',
        'id = "dizzy", forbids = ["tag:atack"]',
        ("condition 'dizzy'", "thing to forbid", "'tag:attack'"),
    ),
    "a secret that everybody sees": (
        ACTIONS,
        'id = "dizzy"',
        'id = "dizzy", status = "dizzy", secret = true',
        ("condition 'dizzy'", "everybody sees a status"),
    ),
    "a secret that keeps from acting": (
        ACTIONS,
        'id = "dizzy"',
        'id = "dizzy", secret = true',
        ("'dizzy'", "who is out"),
    ),
    "a name in capitals": (
        ACTIONS,
        SHOUT,
        f"{SHOUT}\nnames = ['Yell']",
        ("'shout'", "names has 'Yell'", "lower-case letters"),
    ),
    "a name twice": (ACTIONS, SHOUT, f"{SHOUT}\nnames = ['yell', 'yell']", ("'shout'", "'yell' twice", "give it once")),
    "a name of nothing": (ACTIONS, SHOUT, f"{SHOUT}\nnames = [' ']", ("'shout'", "names has ' '")),
    "more usual actions than help": (
        ACTIONS,
        "[purposes]",
        "".join(USUAL.format(number) for number in range(13)) + "[purposes]",
        ("actions.toml: 14 actions are usual (punch, a0, ", "at most 12"),
    ),
    "a key there is not": (RULES, 'locator = "line 2"', 'place = "2"', ("'brawl.turn'", "'place'", "give one of")),
    "a kind of rule": (RULES, 'locator = "line 2"', 'locator = "2"\nkind = "gem"', ("'brawl.turn'", "'gem'", "'gm'")),
    "a citation of nothing": (
        RULES,
        'order = "brawl.order"',
        'order = "brawl.oder"',
        ("[cite] order", "'brawl.order'"),
    ),
    "a citation for nothing": (RULES, 'order = "brawl', 'oder = "brawl', ("[cite]", "'oder'", "'order'")),
    "a citation that lacks": (RULES, 'one_turn = "brawl.turn"\n', "", ("[cite] lacks one_turn",)),
    "a citation that lacks for reactions": (RULES, 'reaction = "brawl.answers"\n', "", ("[cite] lacks reaction",)),
    "a citation of no text": (RULES, 'order = "brawl.order"', "order = 5", ("order of [cite]", "5")),
    "a boundary of no event": (
        RULES,
        "[[rules]]",
        '[[boundaries]]\nat = ["rund"]\nrules = ["brawl.turn"]\n[[rules]]',
        ("[[boundaries]] number 2", "'rund'", "'round'"),
    ),
    "a boundary of nobody knows what": (
        RULES,
        "[[rules]]",
        '[[boundaries]]\nat = ["refresh"]\nrules = ["brawl.turn"]\n[[rules]]',
        ("[[boundaries]] number 2", "'refresh'", "refresh:WHAT"),
    ),
    "a boundary of what is never filled": (
        RULES,
        "[[rules]]",
        '[[boundaries]]\nat = ["refresh:trun"]\nrules = ["brawl.turn"]\n[[rules]]',
        ("[[boundaries]] number 2", "'trun'", "'turn'"),
    ),
    "a boundary of no rule": (
        RULES,
        "[[rules]]",
        '[[boundaries]]\nat = ["round"]\nrules = ["brawl.trn"]\n[[rules]]',
        ("[[boundaries]] number 2", "'brawl.turn'"),
    ),
    "a boundary by no value": (
        RULES,
        "[[rules]]",
        '[[boundaries]]\nat = ["round"]\nrules = ["brawl.turn"]\nwhen = [["hits_on", 9]]\n[[rules]]',
        ("[[boundaries]] number 2", "hits_on is never 9"),
    ),
    "a boundary that lacks": (
        RULES,
        "[[rules]]",
        '[[boundaries]]\nat = ["round"]\n[[rules]]',
        ("[[boundaries]] number 2", "rules is missing"),
    ),
    "a rule shown nowhere": (RULES, 'locator = "line 2"', 'locator = "2"\nshown = "sky:blue"', ("'sky'", "'stat'")),
    "a rule shown by no stat": (RULES, 'locator = "line 2"', 'locator = "2"\nshown = "stat:x"', ("unknown stat 'x'",)),
    "a rule shown by nothing": (RULES, 'locator = "line 2"', 'locator = "2"\nshown = "stat"', ("write stat:WHAT",)),
    "an option's rule": (RULES, '["brawl.punch"]', '["brawl.pnch"]', ("'hits_on'", "'brawl.punch'")),
    "an option's key": (RULES, "default = 4", "defalt = 4", ("[options.hits_on]", "'defalt'", "'default'")),
    "an option that is a day": (RULES, "values = [3,", "values = [1979-05-27,", ("'hits_on'", "JSON")),
    "text in no letters": (RULES, "As the fight", "\udcff", ("cannot be read", "UTF-8")),
    "an action of no name": (ACTIONS, 'id = "shout"', 'id = " "', ("id is ' '", "1 to 100 characters")),
    "an action of a long name": (ACTIONS, 'id = "shout"', f'id = "{"s" * 101}"', ("id is 'sss", "1 to 100 characters")),
    "no slots": (ACTIONS, "[[slots]]", "[[sluts]]", ("'sluts'", "'slots'")),
    "no costs": (ACTIONS, "[[costs]]", "[[caps]]", ("costs is missing", "[[costs]]")),
    "a slot twice": (
        ACTIONS,
        "[[slots]]",
        '[[slots]]\nid = "deed"\ntitle = "D"\n\n[[slots]]',
        ("[[slots]] 'deed'", "twice"),
    ),
    "a cost of no slot": (ACTIONS, '[["deed"]]', '[["dead"]]', ("cost 'deed'", "unknown slot 'dead'", "'deed'")),
    "a cost of no rule": (ACTIONS, 'rule = "brawl.turn"', 'rule = "brawl.trn"', ("cost 'deed'", "'brawl.turn'")),
    "a cost by no option": (
        ACTIONS,
        '[["deed"]]',
        '[["deed"]]\nwhen = [["hit_on", 4, [[]]]]',
        ("cost 'deed'", "unknown option 'hit_on'", "'hits_on'"),
    ),
    "a cost by no value": (
        ACTIONS,
        '[["deed"]]',
        '[["deed"]]\nwhen = [["hits_on", 9, [[]]]]',
        ("cost 'deed'", "hits_on is never 9", "3, 4, 5"),
    ),
    "a cost by too little": (
        ACTIONS,
        '[["deed"]]',
        '[["deed"]]\nwhen = [["hits_on"]]',
        ("'deed'", "when[0]", "length"),
    ),
    "a cost twice": (
        ACTIONS,
        "[[costs]]",
        '[[costs]]\nid = "deed"\ntitle = "D"\n[[costs]]',
        ("[[costs]] 'deed'", "twice"),
    ),
    "a cap over nothing": (
        ACTIONS,
        "[[costs]]",
        '[[caps]]\nid = "c"\nover = ["ded"]\nrule = "brawl.turn"\nreason = ""\n[[costs]]',
        ("cap 'c'", "unknown cost 'ded'", "'deed'"),
    ),
    "a cap's reason": (
        ACTIONS,
        "[[costs]]",
        '[[caps]]\nid = "c"\nover = ["deed"]\nrule = "brawl.turn"\nreason = "{who}"\n[[costs]]',
        ("cap 'c'", "'{who}'", "{name}"),
    ),
    "an action twice": (ACTIONS, "[[actions]]", PUNCH + "[[actions]]", ("[[actions]] 'punch'", "twice")),
    "an action without an id": (ACTIONS, 'id = "shout"\n', "", ("[[actions]] number 2", "id is missing")),
    "an action without a cost": (ACTIONS, f'cost = "deed"\n{SHOUT}', SHOUT, ("[[actions]] 'shout'", "cost is missing")),
    "an action of no cost": (
        ACTIONS,
        f'cost = "deed"\n{SHOUT}',
        f'cost = "ded"\n{SHOUT}',
        ("action 'shout'", "'deed'"),
    ),
    "an action of no rule": (
        ACTIONS,
        f'{SHOUT}\nrule = "brawl.turn"',
        f'{SHOUT}\nrule = "brawl.trun"',
        ("action 'shout'", "unknown rule 'brawl.trun'", "'brawl.turn'"),
    ),
    "a fact of no rule": (
        ACTIONS,
        SHOUT,
        f'{SHOUT}\nfacts = {{ bound = "brawl.trun" }}',
        ("'shout'", "'brawl.turn'"),
    ),
    "an action at no time": (
        ACTIONS,
        SHOUT,
        f'{SHOUT}\nwhen = "my turn"',
        ("'shout'", "unknown time 'my turn'", "'own turn'"),
    ),
    "an action of no mechanism": (ACTIONS, '"attack"\nverb', '"atack"\nverb', ("'punch'", "'atack'", "'attack'")),
    "a parameter there is not": (
        ACTIONS,
        '{ id = "target" }',
        '{ id = "targt" }',
        ("'punch'", "'targt'", "'target'"),
    ),
    "a parameter of a kind there is not": (
        ACTIONS,
        'title = "Stance"\nkind = "text"',
        'title = "Stance"\nkind = "word"',
        ("parameter 'stance'", "kind of parameter 'word'", "'text'"),
    ),
    "a parameter that every ruleset has": (
        ACTIONS,
        'id = "stance"\ntitle',
        'id = "weapon"\ntitle',
        ("every ruleset already has the parameter 'weapon'", "another id"),
    ),
    "a condition with a status there is not": (
        ACTIONS,
        'id = "dizzy", out = true',
        'id = "dizzy", status = "spins"',
        ("condition 'dizzy'", "status 'spins'", "'dizzy'"),
    ),
    "a condition with a mark there is not": (
        ACTIONS,
        'id = "dizzy", out = true',
        'id = "dizzy", status = "dizzy", mark = "star"',
        ("condition 'dizzy'", "mark 'star'", "'bang'"),
    ),
    "a condition told elsewhere, nobody knows of what": (
        ACTIONS,
        'id = "dizzy", out = true',
        'id = "dizzy", elsewhere = ["start"]',
        ("condition 'dizzy'", "thing told elsewhere 'start'", "'begin'"),
    ),
    "a column of a kind there is not": (
        ACTIONS,
        "[[slots]]",
        'columns = [{ id = "mood", kind = "txt" }]\n\n[[slots]]',
        ("column 'mood'", "kind of column 'txt'", "'text'"),
    ),
    "a purpose after one there is not": (ACTIONS, 'luck = "attack"', 'luck = "atack"', ("[purposes]", "'attack'")),
    "a parameter twice": (
        ACTIONS,
        '{ id = "target" }',
        '{ id = "target" }, { id = "target" }',
        ("'punch'", "'target'", "twice"),
    ),
    "a parameter of no text": (
        ACTIONS,
        '{ id = "target" }',
        "{ id = 7 }",
        ("[[actions]] 'punch'", "parameters[0].id is 7", "give text"),
    ),
    "a parameter's key": (
        ACTIONS,
        '{ id = "target" }',
        '{ id = "target", need = true }',
        ("[[actions]] 'punch'", "parameters[0]", "'need'", "'required'"),
    ),
    "a parameter without an id": (ACTIONS, '{ id = "target" }', "{}", ("'punch'", "parameters[0]", "id is missing")),
    "tags that are text": (
        ACTIONS,
        'tags = ["attack", "basic"]',
        'tags = "attack"',
        ("'punch'", "tags is 'attack'", "a list"),
    ),
    "another price by no option": (
        ACTIONS,
        SHOUT,
        f'{SHOUT}\nprices = [{{ option = "hit_on" }}]',
        ("'shout'", "'hit_on'", "'hits_on'"),
    ),
    "a price that no value names": (
        ACTIONS,
        SHOUT,
        f'{SHOUT}\nprices = [{{ option = "hits_on" }}]',
        ("action 'shout', by hits_on", "unknown cost 3"),
    ),
    "another price of no cost": (
        ACTIONS,
        SHOUT,
        f'{SHOUT}\nprices = [{{ stat = "nerve", word = "Loud", cost = "ded" }}]',
        ("'shout'", "'ded'", "'deed'"),
    ),
    "another price by no stat": (
        ACTIONS,
        SHOUT,
        f'{SHOUT}\nprices = [{{ stat = "nrve", word = "Loud", cost = "deed" }}]',
        ("'shout'", "unknown stat 'nrve'", "'nerve'"),
    ),
    "another price by a word that no stat holds": (
        ACTIONS,
        SHOUT,
        f'{SHOUT}\nprices = [{{ stat = "nerve", word = "Loud", cost = "deed" }}]',
        ("'shout'", "unknown word of nerve 'Loud'"),
    ),
    "tables that are none": (ACTIONS, "[[costs]]", "[tables]\nx = 3\n[[costs]]", ("tables.x is 3", "[[tables.x]]")),
    "an action that keeps another, and does not say how": (
        ACTIONS,
        SHOUT,
        f'{SHOUT}\ndoes = "ready"',
        ("action 'shout'", "facts lacks effect, use, kinds_rule, lapse_rule, kinds"),
    ),
    "a fact of the kit that is misspelled": (
        ACTIONS,
        SHOUT,
        f'{SHOUT}\ndoes = "begin"\nfacts = {{ begins = "dizzy", last = "round" }}',
        ("action 'shout'", "unknown fact 'last'", "did you mean 'lasts'"),
    ),
    "a fact that lasts for no time there is": (
        ACTIONS,
        SHOUT,
        f'{SHOUT}\ndoes = "begin"\nfacts = {{ begins = "dizzy", lasts = "rond" }}',
        ("action 'shout'", "unknown word for lasts 'rond'", "'round'"),
    ),
    "a fact that changes a number there is not": (
        ACTIONS,
        SHOUT,
        f'{SHOUT}\ndoes = "begin"\nfacts = {{ begins = "dizzy", modifiers = {{ nerv = 1 }} }}',
        ("action 'shout', modifiers", "unknown number 'nerv'", "'nerve'"),
    ),
    "a fact that changes numbers, and is a word": (
        ACTIONS,
        SHOUT,
        f'{SHOUT}\ndoes = "begin"\nfacts = {{ begins = "dizzy", modifiers = "nerve" }}',
        ("brawl/actions.toml, action 'shout'", "facts.modifiers is 'nerve'", "give a table"),
    ),
    "a fact that changes numbers, and is one": (
        ACTIONS,
        SHOUT,
        f'{SHOUT}\ndoes = "begin"\nfacts = {{ begins = "dizzy", modifiers = 3 }}',
        ("brawl/actions.toml, action 'shout'", "facts.modifiers is 3", "give a table"),
    ),
    "a class that goes by an option there is not": (
        CODE,
        "    mechanisms = MECHANISMS",
        '    foes_option = "hit_on"\n    mechanisms = MECHANISMS',
        ("unknown option 'hit_on'", "'hits_on'"),
    ),
    "an action that begins a condition, and does not say which": (
        ACTIONS,
        SHOUT,
        f'{SHOUT}\ndoes = "begin"',
        ("action 'shout'", "facts lacks begins; the mechanism 'begin' needs each"),
    ),
    "what uses an action that was kept, and takes no target": (
        ACTIONS,
        SHOUT,
        kept(use="go") + "\n\n[[actions]]\nid = 'go'\ntitle = 'Go'\ncost = 'deed'\ndoes = 'use'\n",
        ("action 'shout'", "'go' does what was kept, and takes no target, which 'punch' needs", "required = false"),
    ),
    "an action kept that nothing uses": (
        ACTIONS,
        SHOUT,
        kept(use="use_raedied"),
        ("'shout'", "unknown action 'use_raedied'"),
    ),
    "an action kept of no kind": (ACTIONS, SHOUT, kept(kinds=["ded"]), ("'shout'", "unknown kind 'ded'", "'deed'")),
    "an action kept of a kind that is a number": (
        ACTIONS,
        SHOUT,
        kept(kinds=5),
        ("brawl/actions.toml, action 'shout'", "facts.kinds is 5", "give a list"),
    ),
    "an action kept of a kind that is a word": (
        ACTIONS,
        SHOUT,
        kept(kinds="deed"),
        ("brawl/actions.toml, action 'shout'", "facts.kinds is 'deed'", "give a list"),
    ),
    "an action kept by no rule": (ACTIONS, SHOUT, kept(kinds_rule="none"), ("'shout'", "unknown rule 'none'")),
    "no stats": (STATS, "STATS = (", "STATS = 5, (", ("number 1 of STATS is 5", "Stat('name', ...)")),
    "stats that are none": (CODE, "parent, STATS)", "parent, 5)", ("brawl/stats.py", "STATS is 5")),
    "a stat twice": (STATS, 'Stat("hearts"', 'Stat("nerve"', ("'nerve'", "twice")),
    "a stat that add knows": (STATS, 'Stat("nerve"', 'Stat("side"', ("brawl/stats.py, 'side'", "name")),
    "a stat of no type": (STATS, "range=(0, 10)", 'type="number"', ("brawl/stats.py, 'nerve'", "'number'", "'int'")),
    "a range the wrong way": (STATS, "range=(0, 10)", "range=(10, 0)", ("'nerve'", "(10, 0)", "(lowest, highest)")),
    "a range of one": (STATS, "range=(0, 10)", "range=10", ("'nerve'", "range is 10")),
    "a default out of range": (
        STATS,
        "range=(0, 10), default=0",
        "range=(0, 10), default=99",
        ("'nerve'", "99", "0 to 10"),
    ),
    "a vital that is a list": (STATS, "range=(0, 100), default=3", 'type="list"', ("'hearts'", "int")),
    "a ruleset that is none": (CODE, "RULESET = Brawl", "RULESET = 5", ("RULESET is 5", "rules.ruleset.Ruleset")),
    "a class that is none": (CODE, "RULESET = Brawl", "RULESET = dict", ("RULESET is <class 'dict'>",)),
    "no ruleset": (CODE, "RULESET = Brawl", "", ("has no RULESET",)),
    "a hook left out": (CODE, "def initiative", "def inititative", ("brawl/ruleset.py", "Brawl lacks initiative")),
    "no steps": (CODE, "    steps =", "    stages =", ("brawl/ruleset.py", "Brawl lacks steps")),
    "no mechanisms": (CODE, "mechanisms = MECHANISMS", "mechanisms = 5", ("mechanisms is 5", "MECHANISMS")),
    "nobody asked": (CODE, "super().__init__(Path(__file__).parent, STATS)", "pass", ("super().__init__(", "STATS")),
    "no beginning": (CODE, "__init__(self):", "begin(self):", ("brawl/ruleset.py", "__init__", "STATS")),
    "another id in code": (
        CODE,
        "parent, STATS)",
        "parent, STATS)\n        self.id = None",
        ("brawl/rules.toml", "id is None"),
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_folder_that_is_wrong_somewhere_is_refused_with_the_place_and_can_be_put_right(
    what: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)  # bytecode is told from older by the second and the length
    file, old, new, words = WRONG[what]
    sound = (folder / file).read_bytes()
    text = sound.decode()
    assert old in text
    (folder / file).write_bytes(text.replace(old, new, 1).encode(errors="surrogateescape"))
    message = str(refused(folder))
    assert message.startswith("brawl"), message
    blamed = next((word for word in words if word.startswith("brawl/")), f"brawl/{file}")
    assert message.startswith(blamed.partition(",")[0]), message
    assert [word for word in words if word not in message] == [], message
    (folder / file).write_bytes(sound)
    assert ck.add_ruleset(folder).id == "brawl"
    assert [rules.id for rules in ck.rulesets()] == [*FIVE, "brawl"]


@pytest.mark.parametrize(
    ("part", "right"),
    [
        ('sentences]\n"{name} is surprised." = "{wen} ist überrascht."', "unknown field 'wen': "),
        ('sentences]\n"{name} is surprised." = "{nam} ist überrascht."', "unknown field 'nam': did you mean 'name'"),
        ('sentences]\n"Carry on first." = "{wen} zuerst."', "has no field to fill in; leave {wen} out"),
        ('titles]\nshouts = "brüllt {wen} an"', "has no field to fill in; leave {wen} out"),
    ],
)
def test_a_field_that_nothing_fills_in_is_refused_with_the_language(folder: Path, part: str, right: str) -> None:
    (folder / "de.toml").write_text(f"[{part}\n", encoding="utf-8")
    message = str(refused(folder))
    assert message.startswith("brawl/de.toml: ")
    assert right in message


@pytest.mark.parametrize(("words", "asks"), [("", "Braucht Tat;"), ('"a deed" = "eine Tat"', "Braucht eine Tat;")])
def test_what_is_asked_for_has_no_english_article_in_another_language(folder: Path, words: str, asks: str) -> None:
    (folder / "de.toml").write_text(f'[titles]\ndeed = "Tat"\n{words}\n', encoding="utf-8")
    ck.add_ruleset(folder)
    enc = ck.Encounter("brawl", seed=1, language="de")
    enc.add("Ann", side="reds")
    enc.add("Bob", side="blues")
    enc.start()
    who = str(enc.active)
    enc.do(who, "shout")
    assert enc.can(who, "shout").reason.startswith(asks)


@pytest.mark.parametrize("path", [None, 5, b"brawl", "a\0b", Path("a\0b"), "x" * 5000, "no/such/folder", "\ud800"])
def test_what_is_no_folder_is_refused(path: object) -> None:
    refused(path)


def test_a_folder_s_own_code_reads_facts_of_its_own(folder: Path) -> None:
    change(folder, ACTIONS, SHOUT, f"{SHOUT}\nfacts = {{ loudness = 3 }}")
    assert "action 'shout': unknown fact 'loudness'" in str(refused(folder)), "nothing reads it"
    change(
        folder,
        CODE,
        "    def asks",
        "    loud = property(lambda self: self.actions['shout'].facts['loudness'])\n\n    def asks",
    )
    (folder / "notes.py").write_text("no Python at all", encoding="utf-8")
    assert ck.add_ruleset(folder).loud == 3  # type: ignore[attr-defined]
    change(folder, ACTIONS, "loudness", "loudnes")
    with pytest.raises(ck.UnknownName, match="did you mean 'loudness'"):
        ck.add_ruleset(folder)


def test_a_place_that_must_be_given_is_asked_for_once(folder: Path) -> None:
    walk = "[[actions]]\nid = 'walk'\ntitle = 'Walk'\ncost = 'deed'\ndoes = 'walk'\nparameters = [{ id = 'to' }]\n"
    change(folder, ACTIONS, "[[actions]]", f"{walk}\n[[actions]]")
    own = 'mechanisms = {**MECHANISMS, "walk": Mechanism(None, (), whither)}\n    board = Board("squares")'
    change(folder, CODE, "mechanisms = MECHANISMS", own)
    change(folder, CODE, "case import Ask", "case import Ask, Mechanism")
    more = "from combatkit.core.geometry import Board\nfrom combatkit.rules.weapons import whither\n"
    change(folder, CODE, "from combatkit.rules.draw", f"{more}from combatkit.rules.draw")
    ck.add_ruleset(folder)
    enc = ck.Encounter("brawl", seed=1)
    enc.add("Ann", side="reds", at=(0, 0))
    enc.start()
    assert {option.action: option.needs for option in enc.options("Ann")}["walk"] == ("to",)


def test_an_id_that_is_taken_leaves_the_first_folder_s_modules_alone(folder: Path, tmp_path: Path) -> None:
    ck.add_ruleset(folder)
    before = {name: module for name, module in sys.modules.items() if name.startswith("_combatkit_added")}
    (tmp_path / "elsewhere").mkdir()
    with pytest.raises(ck.InvalidInput, match="'brawl' is taken by Brawl; give yours another one"):
        ck.add_ruleset(guide.write(tmp_path / "elsewhere"))
    now = {name: module for name, module in sys.modules.items() if name.startswith("_combatkit_added")}
    assert now == before


def test_a_folder_that_has_changed_is_added_again_and_a_fight_keeps_its_rules(folder: Path) -> None:
    ck.add_ruleset(folder)

    def begun() -> ck.Encounter:
        enc = ck.Encounter("brawl", seed=1)
        for name, side in (("Ann", "reds"), ("Bob", "blues")):
            enc.add(name, side=side)
        enc.start()
        return enc

    first = begun()
    change(folder, CODE, '{"deed": 1}', '{"deed": 2}')
    change(folder, STATS, "default=3", "default=5")
    change(folder, ACTIONS, 'title = "Punch"', 'title = "Hook"')
    ck.add_ruleset(folder)
    assert [rules.id for rules in ck.rulesets()] == [*FIVE, "brawl"]
    anew = begun()
    for enc, title, deeds, hearts in ((first, "Punch", 1, 3), (anew, "Hook", 2, 5)):
        who = str(enc.active)
        other = {"Ann": "Bob", "Bob": "Ann"}[who]
        assert enc.can(who, "punch", target=other).allowed
        assert enc.ruleset.actions["punch"].title == title
        assert enc[who].values["hearts"] == hearts
        for _ in range(deeds):
            enc.do(who, "shout")
        assert not enc.can(who, "shout").allowed
    change(folder, CODE, "RULESET = Brawl", "RULESET = 5")
    known = dict(registry._known)
    with pytest.raises(ck.InvalidInput, match="RULESET is 5"):
        ck.add_ruleset(folder)
    assert registry._known == known, "what was taken stays"


def test_a_system_with_ways_to_pay_of_its_own_may_name_pools_that_it_keys(folder: Path) -> None:
    change(folder, ACTIONS, '[["deed"]]', '[["luck"]]')
    own = (
        "    def payments(self, state, fighter, action, cost, params):\n        return ((f'luck:{state.round}',),)\n\n"
    )
    change(folder, CODE, "    def asks", f"{own}    def asks")
    assert ck.add_ruleset(folder).costs["deed"].pay == (("luck",),)


def test_a_folder_brings_parameters_and_purposes_of_its_own(folder: Path) -> None:
    ck.add_ruleset(folder)
    fights = {id: ck.Encounter(id, seed=7) for id in ("brawl", "saga")}
    for enc in fights.values():
        enc.add("Ann", side="a")
        enc.add("Bob", side="b")
        enc.start()
        while enc.active is None:
            enc.end_turn()
    brawl, saga = fights["brawl"], fights["saga"]
    who = brawl.active
    assert who is not None
    other = {"Ann": "Bob", "Bob": "Ann"}[who]
    assert [choice.open for choice in brawl.choices(who, "punch") if choice.param == "stance"] == [True]
    with pytest.raises(ck.InvalidInput, match="stance is 5; give text"):
        brawl.can(who, "punch", target=other, stance=5)
    with pytest.raises(ck.InvalidInput, match="takes no dice for luck"):
        brawl.do(who, "punch", target=other, rolls={"luck": [3]})
    event = next(e for e in brawl.do(who, "punch", target=other, stance="low") if e.action)
    assert event.data["params"]["stance"] == "low"
    with pytest.raises(ck.UnknownName, match="'stance'"):
        saga.can("Ann", "attack", target="Bob", stance="low")
    with pytest.raises(ck.UnknownName, match="'luck'"):
        saga.do("Ann", "attack", target="Bob", rolls={"luck": [3]})


def test_a_folder_brings_a_condition_that_keeps_somebody_from_acting(folder: Path) -> None:
    ck.add_ruleset(folder)
    enc = ck.Encounter("brawl", seed=7)
    enc.add("Ann", side="a")
    enc.add("Bob", side="b")
    enc.start()
    who = enc.active
    assert who is not None
    enc.condition(who, "dizzy")
    assert enc.can(who, "shout").reason == f"{who} is dizzy."
    enc.end_turn()
    assert {rung.combatant: rung.status for rung in enc.order}[who] == "out"
    assert enc.active != who
    assert "dizzy" in ck.Tracker(enc).view["gm"]["conditions"]


def test_a_boundary_from_a_round_on_is_cited_by_no_earlier_one(folder: Path) -> None:
    change(folder, RULES, 'at = ["round", "turn", "refresh:turn"]', 'at = ["round"]\nfirst = 2')
    ck.add_ruleset(folder)
    enc = ck.Encounter("brawl", seed=1)
    enc.add("Ann", side="reds")
    enc.start()
    enc.end_turn()
    enc.end_turn()
    rounds = [event.rules for event in enc._events if event.kind == "round"]
    assert rounds == [(), ("brawl.turn",), ("brawl.turn",)]


@pytest.mark.parametrize(("values", "found"), [("[3, 5]", (4, 3, 5)), ("[4]", (4,)), ("[5, 4]", (5, 4))])
def test_what_an_option_is_by_default_is_one_of_its_values(folder: Path, values: str, found: tuple[int, ...]) -> None:
    change(folder, RULES, "values = [3, 4, 5]", f"values = {values}")
    assert ck.add_ruleset(folder).options["hits_on"].values == found


def test_what_is_short_by_one_is_counted(folder: Path) -> None:
    change(folder, ACTIONS, 'title = "Deed"', 'title = "Deed"\nnoun = "a deed"')
    change(folder, ACTIONS, 'pay = [["deed"]]', 'pay = [["deed", "deed"]]')
    ck.add_ruleset(folder)
    enc = ck.Encounter("brawl", seed=1)
    enc.add("Ann", side="reds")
    enc.start()
    assert enc.can("Ann", "shout").reason == "Needs 2 deeds; Ann has only 1 left."


def test_a_reason_written_as_a_sentence_gets_no_second_full_stop(folder: Path) -> None:
    change(
        folder, ACTIONS, 'pay = [["deed"]]', 'pay = [["deed"]]\nuntouched = true\nuntouched_reason = "{name} is busy."'
    )
    ck.add_ruleset(folder)
    enc = ck.Encounter("brawl", seed=1)
    enc.add("Ann", side="reds")
    enc.start()
    enc.do("Ann", "shout")
    assert enc.can("Ann", "shout").reason == "Ann is busy (Shout); it can be done in their next turn."


def test_folders_of_one_name_do_not_take_one_another_s_modules(folder: Path, tmp_path: Path) -> None:
    first = ck.add_ruleset(folder)
    (tmp_path / "elsewhere").mkdir()
    other = guide.write(tmp_path / "elsewhere")
    for file in (RULES, ACTIONS, CODE):
        (other / file).write_text((other / file).read_text().replace("brawl", "scrap"))
    change(other, STATS, 'title="Nerve"', 'title="Cheek"')
    second = ck.add_ruleset(other)
    assert (first.stats["nerve"].title, second.stats["nerve"].title) == ("Nerve", "Cheek")
    assert sys.modules[type(first).__module__].STATS[0].title == "Nerve"


class Point(EntryPoint):
    """An entry point whose module is at hand."""

    def load(self) -> Any:
        return SimpleNamespace(RULESET=dict)


def test_a_broken_plug_in_is_refused_by_name_and_takes_no_other_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {
        "odd": Point("odd", "odd.ruleset", "combatkit.systems"),
        "gone": EntryPoint("gone", "nothing_of_the_kind.ruleset", "combatkit.systems"),
        "alias": EntryPoint("alias", "combatkit.systems.saga.ruleset", "combatkit.systems"),
    }
    said = {"odd": "RULESET is <class 'dict'>", "gone": "ModuleNotFoundError", "alias": "calls itself 'saga'"}
    monkeypatch.setattr(registry, "_installed", lambda: broken)
    for id, words in said.items():
        with pytest.raises(ck.InvalidInput, match=rf"installed ruleset {id} .*{words}"):
            ck.ruleset(id)
    with pytest.warns(UserWarning, match="left out") as told:
        assert [rules.id for rules in ck.rulesets()] == FIVE
    assert len(told) == len(broken)
    assert {each.filename for each in told} == {__file__}


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("[hits", ("brawl/de.toml", "line 1")),
        ("[damage]\nloses = 5", ("brawl/de.toml: damage.loses is 5", "give text")),
        ("[damage]\nloses = 'loses [{amount}'", ("brawl/de.toml: damage.loses", "a template")),
        ("[damage]\nloses = 'loses {}'", ("brawl/de.toml: damage.loses", "name each field")),
    ],
)
def test_words_that_are_no_templates_are_refused_as_the_folder_is_added(
    folder: Path, words: str, wrong: tuple[str, ...]
) -> None:
    (folder / "de.toml").write_text(words, encoding="utf-8")
    message = str(refused(folder))
    assert [word for word in wrong if word not in message] == [], message


def test_what_is_kept_and_used_at_any_time_takes_its_owner_before_whoever_is_active(folder: Path) -> None:
    use = """
[[costs]]
id = "free"
title = "Free"
pay = [[]]
rule = "brawl.turn"

[[actions]]
id = "let_go"
title = "Let go"
cost = "free"
does = "use"
when = "any time"
verb = "lets go"
rule = "brawl.turn"
facts = { moves = "brawl.order" }
parameters = [{ id = "target" }]
"""
    change(folder, ACTIONS, '[[actions]]\nid = "punch"', use + '[[actions]]\nid = "punch"')
    change(folder, ACTIONS, SHOUT, kept(use="let_go") + '\nparameters = [{ id = "action" }, { id = "trigger" }]')
    ck.add_ruleset(folder)
    enc = ck.Encounter("brawl", seed=1)
    for name, nerve in (("Ann", 10), ("Bob", 5), ("Cy", 0)):
        enc.add(name, side=name, nerve=nerve)
    enc.start(rolls={"Ann": 1, "Bob": 1, "Cy": 1})
    enc.end_turn()
    enc.end_turn()
    enc.do("Cy", "shout", action="punch", trigger="it gets dark")
    assert "order" not in [event.kind for event in enc.do("Cy", "let_go", target="Ann")], "nobody steps before oneself"
    enc.undo()
    enc.end_turn()
    enc.end_turn()
    assert (enc.active, [rung.combatant for rung in enc.order]) == ("Bob", ["Ann", "Bob", "Cy"])
    enc.do("Cy", "let_go", target="Ann")
    assert [rung.combatant for rung in enc.order] == ["Ann", "Cy", "Bob"]


def test_what_lasts_until_a_turn_ends_by_the_rule_that_its_passing_cites(folder: Path) -> None:
    change(
        folder,
        RULES,
        "[[boundaries]]",
        '[[boundaries]]\nat = ["passed:turn_start"]\nrules = ["brawl.order"]\n[[boundaries]]',
    )
    ck.add_ruleset(folder)
    enc = ck.Encounter("brawl", seed=1)
    enc.add("Ann", side="reds", nerve=9)
    enc.add("Bob", side="blues")
    enc.start(rolls={"Ann": 6, "Bob": 1})
    enc.condition("Bob", "wet", until="start of turn")
    (ended,) = [event for event in enc.end_turn() if event.kind == "effect_end"]
    assert (ended.target, ended.rules) == ("Bob", ("brawl.order",))


def test_what_a_condition_forbids_is_refused_by_its_rule_and_nothing_else_is(folder: Path) -> None:
    change(folder, ACTIONS, 'id = "dizzy", out = true', 'id = "dizzy", forbids = ["tag:attack"], rule = "brawl.turn"')
    ck.add_ruleset(folder)
    enc = ck.Encounter("brawl", seed=1)
    enc.add("Ann", side="reds", nerve=9)
    enc.add("Bob", side="blues")
    enc.start(rolls={"Ann": 6, "Bob": 1})
    enc.condition("Ann", "dizzy")
    ruling = enc.can("Ann", "punch", target="Bob")
    assert (ruling.reason, ruling.rules) == ("Ann can't attack: dizzy.", ("brawl.turn",))
    assert enc.can("Ann", "shout").allowed
    enc.condition("Ann", "dizzy", off=True)
    assert enc.can("Ann", "punch", target="Bob").allowed
