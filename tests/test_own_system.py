"""The sixth system of notebook 10: what its cells write is a ruleset like the five, with no change in combatkit."""

from __future__ import annotations

import inspect
import json
import os
import pydoc
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import combatkit as ck
from combatkit import registry
from combatkit.core import model
from combatkit.rules import case, catalogue, draft, mechanisms, ruleset
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.validate import NEEDED
from combatkit.widgets._intents import hear
from tests import guide

ROOT = Path(ck.__file__).parents[1]
NOTEBOOK = ROOT / "notebooks" / "10-your-own-system.ipynb"
MARK = "%%writefile tempo/"

LEAST = {"not long": 20, "long": 2}
"""So many tests of the suite each size has at least: the long ones are random play and windows."""

sizes = pytest.mark.parametrize("size", ["not long", pytest.param("long", marks=pytest.mark.long)])
"""Holds a ruleset to the suite without its long forms, and to those alone in the long form."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder that the notebook's cells write."""
    made = tmp_path_factory.mktemp("own") / "tempo"
    made.mkdir()
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        head, _, body = "".join(cell["source"]).partition("\n")
        if head.startswith(MARK):
            (made / head.removeprefix(MARK)).write_text(body + "\n", encoding="utf-8")
    assert {"rules.toml", "actions.toml", "stats.py", "ruleset.py"} <= {path.name for path in made.iterdir()}
    return made


def test_whoever_writes_a_system_is_helped_with_all_that_hooks_work_on() -> None:
    """Each struct tells its fields' types as well, which are only loaded to be checked."""
    for module in (case, model, catalogue, draft, mechanisms, ruleset):
        for name, each in vars(module).items():
            if inspect.isclass(each) and each.__module__ == module.__name__:
                assert name in pydoc.render_doc(each)


def run(*arguments: str, cwd: Path = ROOT) -> str:
    """Run Python by itself, so that the other tests know five systems only."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def conformance(folder: Path, size: str) -> str:
    """Hold a ruleset to the suite, in the size that pytest's -m says, and give what it says of each test."""
    more = ("-q", "-p", "no:cacheprovider", "-p", "no:nbval", "-rA", "-m", size)
    return run("-m", "pytest", "tests/conformance", "--ruleset", str(folder), *more)


@pytest.mark.slow
@sizes
def test_it_passes_the_conformance_suite(folder: Path, size: str) -> None:
    told = conformance(folder, size)
    passed = [line for line in told.splitlines() if line.startswith("PASSED")]
    assert len(passed) >= LEAST[size]
    assert all("[tempo" in line for line in passed if "[" in line)
    assert "SKIPPED" not in told


LIKE_THE_REST = """
import sys
import combatkit as ck
from combatkit.simulation.aec import env
from pettingzoo.test import api_test

if __name__ == "__main__":
    tempo = ck.add_ruleset(sys.argv[1])
    scene = ck.scene("catwalk")
    for tactic in (ck.tactics.strike, ck.tactics.hold_back, ck.tactics.at_random):
        enc = scene.encounter("tempo", seed=3)
        print(ck.play(enc, tactic, rounds=30).deeds > 0, enc.history.rounds.height > 0)
    alone = ck.simulate(scene, 6, seed=3, systems="tempo", progress=False)
    with ck.simulation.processes(1) as pool:
        print(ck.simulate(scene, 6, executor=pool, seed=3, systems="tempo", progress=False).equals(alone))
    print("tempo" in ck.contrast().frame.columns, "tempo" in ck.simulate(scene, 1, progress=False)["system"])
    print(ck.contrast("reactions").frame["tempo"][0])
    print(ck.Comparison([scene.encounter(id, id=id, seed=1) for id in ("tempo", "saga")]))
    print(scene.encounter("tempo", seed=1).restart(seed=1).odds().first["chance"].sum())
    api_test(env("tempo"))
"""


@pytest.mark.slow
def test_it_plays_compares_simulates_and_contrasts_like_the_rest(folder: Path, tmp_path: Path) -> None:
    script = tmp_path / "like_the_rest.py"
    script.write_text(LIKE_THE_REST, encoding="utf-8")
    told = run(str(script), str(folder)).splitlines()
    assert told[:5] == ["True True"] * 3 + ["True", "True True"]
    assert told[5].endswith("before the attack lands. [tempo.riposte.what]")
    assert told[6].startswith("<Comparison: tempo, saga")
    assert float(told[7]) == pytest.approx(1)
    assert told[-1] == "Passed API test"


def test_the_files_of_the_guide_are_a_ruleset_and_play_as_it_says(tmp_path: Path) -> None:
    guide.write(tmp_path)
    code, told = guide.played()
    assert run("-c", code, cwd=tmp_path) == told


def test_the_weapon_and_the_reaction_of_the_guide_play_as_it_says(tmp_path: Path) -> None:
    guide.grown(guide.write(tmp_path))
    code, told = guide.played("A weapon and a reaction")
    assert run("-c", code, cwd=tmp_path) == told


@sizes
def test_the_guide_s_ruleset_with_a_weapon_and_a_reaction_passes_the_suite(size: str, tmp_path: Path) -> None:
    told = conformance(guide.grown(guide.write(tmp_path)), size)
    assert told.count("PASSED") >= LEAST[size]


def test_the_pages_name_each_hook_and_all_that_a_condition_says() -> None:
    pages = "".join(
        (ROOT / "docs" / page).read_text(encoding="utf-8") for page in ("mechanisms.md", "guides/system.md")
    )
    hooks = [id for id, each in vars(Ruleset).items() if inspect.isfunction(each) and id[0] != "_"]
    own = [id for id in hooks if not getattr(getattr(Ruleset, id), "__final__", False)]
    named = " ".join(re.findall("`[^`]+`", re.sub("```.*?```", "", pages, flags=re.DOTALL)))
    fields = catalogue.ConditionSpec.__struct_fields__
    assert [each for each in (*own, *fields) if not re.search(rf"\b{each}\b", named)] == []


IN_TWO_LANGUAGES = """
import combatkit as ck

ck.add_ruleset("brawl")
for language in ("en", "de"):
    enc = ck.Encounter("brawl", id="backyard", seed=1, language=language)
    enc.add("Ann", side="reds", nerve=2)
    enc.add("Bob", side="blues")
    enc.start(rolls={"Ann": 6, "Bob": 1})
    enc.condition("Bob", "prone")
    enc.condition("Bob", "dizzy")
    enc.do("Ann", "punch", target="Bob", damage=1, rolls={"attack": [5]})
    said = [event.text for event in enc._events]
    print("; ".join(said[said.index(next(text for text in said if text in ("is prone", "liegt"))) :]))
    print(enc.digest)
"""


def test_another_language_is_a_file_as_the_guide_shows_it(tmp_path: Path) -> None:
    folder = guide.write(tmp_path)
    (folder / "de.toml").write_text(guide.blocks()["`en.toml`: what the log says"][-1], encoding="utf-8")
    english, digest, german, same = run("-c", IN_TWO_LANGUAGES, cwd=tmp_path).splitlines()
    assert english == "is prone; sees stars; punches Bob; rolls 5 against 4: hit; loses 1, 2 left"
    assert german == "liegt; sieht Sterne; schlägt Bob; würfelt 5 gegen 4: trifft; verliert 1, noch 2"
    assert digest == same


VETTED = """
import combatkit as ck

ck.add_ruleset("brawl")
enc = ck.Encounter("brawl", id="backyard", seed=1)
enc.add("Ann", side="reds", weapons=["Chair"])
enc.add("Bob", side="blues")
enc.start(rolls={"Ann": 6, "Bob": 1})
print(enc.can("Ann", "punch", target="Bob").allowed, ck.Tracker(enc).view["turn"]["title"])
print(*(each["title"] for each in ck.ActionBudget(enc).view["action"].values()))
enc.edit("Ann", weapons=[{"kind": "club"}])
print(enc.do("Ann", "punch", target="Bob", damage=1, rolls={"attack": [1]})[-1].text)
try:
    enc.add_table("actions", [{"id": "zap", "title": "Zap", "cost": "deed"}])
except ck.InvalidInput as error:
    print(error)
"""
VETS = """
    def check_table(self, state, table):
        super().check_table(state, table)
        if table == "actions":
            raise InvalidInput("nobody zaps in Brawl")
"""


def test_it_may_call_a_stat_weapons_and_vet_the_actions_that_its_users_add(tmp_path: Path) -> None:
    folder = guide.write(tmp_path)
    changes = {
        "stats.py": [("\n)", '\n    Stat("weapons", "list", default=()),\n)')],
        "actions.toml": [("parameters = [", 'parameters = [\n  { id = "weapon", required = false },')],
        "ruleset.py": [
            ("\n\nfrom .stats", "\nfrom combatkit.errors import InvalidInput\n\nfrom .stats"),
            ("\n\n\nRULESET", f"\n{VETS}\n\nRULESET"),
        ],
    }
    for name, pairs in changes.items():
        text = (folder / name).read_text(encoding="utf-8")
        for old, put in pairs:
            assert old in text
            text = text.replace(old, put, 1)
        (folder / name).write_text(text, encoding="utf-8")
    assert run("-c", VETTED, cwd=tmp_path).splitlines() == [
        "True Ann's turn",
        "Punch Shout Chair",
        "rolls 1 against 4: miss",
        "nobody zaps in Brawl",
    ]


@pytest.mark.long
@pytest.mark.parametrize("size", ["not long", "long"])
def test_the_ruleset_of_the_guide_passes_the_conformance_suite(tmp_path: Path, size: str) -> None:
    told = conformance(guide.write(tmp_path), size)
    assert "passed" in told


def test_the_guide_and_the_engine_s_page_name_what_has_no_default() -> None:
    hooks = [
        n
        for n, hook in vars(Ruleset).items()
        if inspect.isfunction(hook) and "raise NotImplementedError" in inspect.getsource(hook)
    ]
    own = [*hooks, *(name for name in NEEDED if name not in hooks)]
    assert len(own) == 3
    for page in (guide.GUIDE, ROOT / "docs" / "mechanisms.md"):
        text = page.read_text(encoding="utf-8")
        told = next(part for part in text.split("\n\n") if "no default" in part)
        assert [name for name in own if f"`{name}`" not in told] == [], page.name


# ── words of its own: the guide's system with a parameter, a purpose, a condition, a column and a vital more ──

WORDS = """columns = [{ id = "mood", kind = "text" }]
conditions = [
  { id = "off_balance", status = "off_balance", mark = "bang", offered = true, elsewhere = ["rung"] },
  { id = "limited" },
  { id = "jinxed", offered = true, secret = true },
"""
FEINT = """
[[actions]]
id = "feint"
title = "Feint"
cost = "deed"
does = "feint"
verb = "feints"
on = "at"
rule = "brawl.punch"
parameters = [{ id = "target" }, { id = "flourish", required = false }]

[[parameters]]
id = "flourish"
title = "Flourish"
kind = "text"
"""
ASKS = """if case.action.id == "feint":
            return (Ask("guile", 1, 6),)
        if "attack" not in"""
CODE = """
def feint(draft, act):
    rolled = draft.throw(1, 6, "guile", act.who)
    data = roll_data("guile", Dice(1, 6, 0), rolled, rolled.sum)
    text = say("guile.rolls", total=rolled.sum)
    draft.emit("roll", act.who, amount=rolled.sum, text=text, rules=("brawl.punch",), data=data)
    change_vital(draft, act.who, "breath", -1, by_rules("brawl.punch"))
    for target in act.targets if rolled.sum > 3 else ():
        draft.effect(target, "off_balance", anchor=f"turn_end:{target}", rule="brawl.punch")
    return act


FEINT = {"feint": Mechanism(None, (Stage("feint", feint, ()),))}


class Brawl(Ruleset):"""
SAID = """
[guile]
rolls = "rolls {total} for guile"
"""
SCENE = """
[stats]
nerve = { from = "speed", values = [0, 1, 2, 3, 4] }
hearts = { from = "toughness", values = [2, 3, 4, 5, 6] }

[attack]
damage = 1

[falls]
at = 0
becomes = "unconscious"
"""


@pytest.fixture
def brawl(tmp_path: Path) -> Iterator[Ruleset]:
    """Make the guide's system known with words more; it is forgotten again."""
    made = guide.write(tmp_path)
    changes = {
        "actions.toml": [("conditions = [", WORDS), ("[purposes]", "[purposes]\nguile = ''")],
        "stats.py": [("\n)", '\n    Stat("breath", range=(0, 100), default=9, vital=True, title="Breath"),\n)')],
        "ruleset.py": [
            ("import MECHANISMS", "import roll_data, MECHANISMS"),
            ("case import Ask", "case import Ask, Mechanism, Stage\nfrom combatkit.core.dice import Dice"),
            ("\n\nfrom .stats", "\nfrom combatkit.text import say\n\nfrom .stats"),
            ("\n\nfrom .stats", "\nfrom combatkit.rules.vitals import by_rules, change_vital\n\nfrom .stats"),
            ("mechanisms = MECHANISMS", "mechanisms = MECHANISMS | FEINT"),
            ('if "attack" not in', ASKS),
            ("class Brawl(Ruleset):", CODE),
        ],
    }
    for name, pairs in changes.items():
        text = (made / name).read_text(encoding="utf-8")
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new, 1)
        (made / name).write_text(text, encoding="utf-8")
    for name, more in {"actions.toml": FEINT, "en.toml": SAID}.items():
        with (made / name).open("a", encoding="utf-8") as file:
            file.write(more)
    (made / "scene.toml").write_text(SCENE, encoding="utf-8")
    known = dict(registry._known)
    yield ck.add_ruleset(made)
    registry._known.clear()
    registry._known.update(known)


@pytest.fixture
def feinted(brawl: Ruleset) -> ck.Encounter:
    """Give a fight in which Ann has brought Bob off balance."""
    enc = ck.Encounter(brawl, id="yard", seed=1)
    enc.add("Ann", side="reds", nerve=9)
    enc.add("Bob", side="blues", npc=True)
    enc.start(rolls={"Ann": 6, "Bob": 1})
    enc.do("Ann", "feint", target="Bob", flourish="wide", rolls={"guile": [5]})
    return enc


def test_words_of_its_own_are_played(feinted: ck.Encounter) -> None:
    held = feinted["Bob"].conditions[0]
    assert (held.id, held.until, held.rule) == ("off_balance", "end of turn", "brawl.punch")
    assert next(e for e in feinted._events if e.kind == "action").data["params"]["flourish"] == "wide"
    assert {rung.combatant: rung.status for rung in feinted.order} == {"Ann": "now", "Bob": "off_balance"}
    assert feinted["Ann"].values["breath"] == 8
    with pytest.raises(ck.InvalidInput, match="takes no dice for guile"):
        feinted.do("Bob", "punch", target="Ann", rolls={"guile": [2]}, override=True)
    feinted.adjust("Ann", vital="breath", by=-2)
    assert feinted["Ann"].values["breath"] == 6
    feinted.undo()
    assert feinted["Ann"].values["breath"] == 8
    jeer = {"id": "jeer", "title": "Jeer", "cost": "deed"}
    with pytest.raises(ck.InvalidInput, match="mood is 5; give text"):
        feinted.add_table("actions", [jeer | {"mood": 5}])
    feinted.add_table("actions", [jeer | {"mood": "sour"}])
    for tactic in (ck.tactics.strike, ck.tactics.hold_back, ck.tactics.at_random):
        played = ck.play(ck.scene("catwalk").encounter("brawl", seed=3), tactic, rounds=9)
        assert played.deeds > 0


def test_words_of_its_own_are_logged_and_come_back_from_files(feinted: ck.Encounter, tmp_path: Path) -> None:
    log = feinted.log().markdown
    for words in ("feints at Bob", "for guile", "loses 1 breath, 8 left", "Bob is off balance", "8 of 9 breath"):
        assert words in log
    rolls = feinted.history.rolls
    assert rolls.filter(pl.col("purpose") == "guile")["total"].to_list() == [5]
    assert feinted.history.rounds["conditions"].to_list() == [[], ["off_balance"]]
    feinted.save(tmp_path / "yard.json")
    assert ck.load(tmp_path / "yard.json").digest == feinted.digest
    page = feinted.to_html(tmp_path / "yard.html").read_text(encoding="utf-8")
    assert '"status"],"off_balance"],[["rows","2","word"],"off balance"],[["rows","2","mark"],"bang"]' in page
    hidden = feinted.to_html(tmp_path / "seen.html", view="players").read_text(encoding="utf-8")
    assert "loses 1 breath" in hidden  # of her own


def test_a_secret_condition_is_nowhere_in_what_players_see(feinted: ck.Encounter, tmp_path: Path) -> None:
    trackers = {view: ck.Tracker(feinted, view=view) for view in ("gm", "players")}
    feinted.condition("Ann", "jinxed")
    feinted.condition("Bob", "jinxed")
    feinted.condition("Bob", "prone")
    feinted.condition("Bob", "jinxed", off=True)
    feinted.undo()
    seen = {}
    for view, tracker in trackers.items():
        parts = (tracker, tracker.ladder, tracker.budget, tracker.log)
        shown = [json.dumps(part.view).lower() + part._static().lower() for part in parts]
        page = feinted.to_html(tmp_path / f"{view}.html", view=view).read_text(encoding="utf-8")
        seen[view] = [*shown, page, feinted.log(view=view).markdown]
        tracker.close()
    for told, others in (("jinxed", "is no longer jinxed"), ("prone", "is prone")):
        assert any(told in part for part in seen["gm"])
        assert any(others in part for part in seen["gm"])
    assert any("prone" in part for part in seen["players"])
    assert not any("jinxed" in part for part in seen["players"])


def test_words_of_its_own_are_shown_in_every_widget(feinted: ck.Encounter) -> None:
    tracker = ck.Tracker(feinted)
    rows = {row["name"]: row for row in tracker.ladder.view["rows"].values()}
    assert [rows["Bob"].get(key) for key in ("status", "word", "mark")] == ["off_balance", "off balance", "bang"]
    assert "sub" not in rows["Bob"]  # its status tells it
    assert "off balance" in tracker.ladder._static()
    deal = hear(tracker._vantage, {"kind": "deal", "names": ["Bob"]})
    assert deal is not None
    assert deal["vitals"] == [["hearts", "Hearts"], ["breath", "Breath"]]
    offered = deal["conditions"]
    assert offered[0] == "prone"
    assert offered[-3:] == ["off balance", "jinxed", "dizzy"]
    assert "limited" not in offered
    feinted.end_turn()
    hear(tracker._vantage, {"kind": "dice", "mode": "table"})
    asked = hear(tracker._vantage, {"kind": "choices", "name": "Bob", "action": "feint", "params": {"target": ["Ann"]}})
    assert asked is not None
    assert [param["title"] for param in asked["params"]] == ["Target", "Flourish"]
    assert [(roll["purpose"], roll["legend"]) for roll in asked["dice"]] == [("guile", "Bob rolls 1d6 for guile")]
    assert "Feint" in tracker.budget._static()
    assert "off balance" in tracker.log._static()
    tracker.close()


def test_a_system_with_words_of_its_own_stands_beside_the_rest(brawl: Ruleset, feinted: ck.Encounter) -> None:
    scene = ck.scene("catwalk")
    beside = ck.Comparison([feinted, scene.encounter("saga", seed=1)])
    assert [lane["system"] for lane in beside.view["lanes"].values()] == ["brawl", "saga"]
    assert "brawl" in ck.contrast("initiative").frame.columns
    assert "brawl" in {id for id, *_ in ck.RuleTable(ck.contrast("initiative")).view["systems"]}
    assert ck.simulate(scene, 3, seed=1, systems=["brawl", "saga"], progress=False)["system"].unique().len() == 2
    assert feinted.restart(seed=2).odds().first["chance"].sum() == pytest.approx(1)


def test_combatkit_knows_nothing_of_it() -> None:
    for path in (ROOT / "combatkit").rglob("*.*"):
        if path.suffix in (".py", ".toml"):
            assert "tempo." not in path.read_text(encoding="utf-8"), path.name
