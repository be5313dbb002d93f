"""Tables where polars is not to be had: the same rows and columns, and plain words for the rest."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.frames import pl, plain

ROOT = Path(__file__).parents[1]

LOOKS = """
import json
import re
import combatkit as ck
from combatkit.widgets import Comparison

def looks(system):
    enc = ck.scene("catwalk").encounter(system, seed=7, id="catwalk")
    ck.play(enc, ck.tactics.strike, rounds=3)
    history = enc.history
    frames = {name: getattr(history, name) for name in ("events", "rolls", "turns", "rounds", "budgets")}
    frames |= {f"flat {name}": getattr(history.flat, name) for name in frames}
    frames["roster"] = enc.roster()
    frames["stacked"] = ck.history.stack([enc, enc]).rounds
    frames["simulated"] = ck.simulate(ck.scene("catwalk"), 1, systems=system, seed=7, progress=False)
    frames["first"] = enc.restart(seed=7).odds().first
    frames["swept"] = ck.sweep(ck.scene("catwalk"), {"Mara.skill": ["fair"]}, n=1, systems=system, progress=False)
    quiz = ck.quiz([system], seed=7, n=2, secret="tide")
    quiz.answer(1, True)
    frames |= {"answers": quiz.answers, "key": quiz.key("tide")}
    again = ck.Encounter(system, seed=7)
    again.add_roster(enc.roster())
    tracker = ck.Tracker(enc)
    tracker.encounter.undo()
    return {
        "frames": {name: [frame.columns, frame.rows()] for name, frame in frames.items()},
        "digest": enc.digest,
        "names": again.names,
        "comparison": Comparison([enc])._repr_mimebundle_()[0]["text/html"],
    }
"""


SYSTEMS = [rules.id for rules in ck.rulesets()]


def looks(blocked: bool) -> Any:
    """Give how the fights of all systems look in a process of their own."""
    block = "import sys; sys.modules['polars'] = None\n" if blocked else ""
    code = f"{block}{LOOKS}\nprint(json.dumps([looks(system) for system in {SYSTEMS}]))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_without_polars_a_fight_and_all_its_tables_are_the_same() -> None:
    for system, with_polars, without in zip(SYSTEMS, looks(False), looks(True), strict=True):
        assert without.pop("frames") == with_polars.pop("frames"), system
        assert without == with_polars, system


def in_plain_tables(code: str) -> str:
    given = f"import sys\nsys.modules['polars'] = None\nimport combatkit as ck\n{code}"
    done = subprocess.run([sys.executable, "-c", given], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


FIGHT = """
enc = ck.Encounter("saga", id="docks", seed=7)
enc.add("<Mara>", side="rebels", hp=20, attack_bonus=5)
enc.add("Vex", side="empire", hp=10, defense=10)
enc.start(rolls={"<Mara>": 20, "Vex": 2})
enc.do("<Mara>", "attack", target="Vex", damage="1d6", rolls={"attack": [20], "damage": [4]})
"""


def test_without_polars_a_summary_is_a_table_with_a_row_a_round() -> None:
    shown = in_plain_tables(f"{FIGHT}\nprint(enc.summary())").splitlines()
    assert re.split("  +", shown[0]) == [
        *("round", "clock", "acted", "attacks", "hits", "damage by rebels", "damage by empire", "fell", "budget")
    ]
    assert shown[1].split() == ["1", "0:00", "<Mara>", "1", "1", "4", "0", "1", "of", "5"]


def test_what_is_missing_is_said_once_and_names_are_words() -> None:
    shown = in_plain_tables(
        f"{FIGHT}\nprint(enc.history.rounds._repr_html_())\nprint(enc.history.turns)\nprint(enc.roster())"
    )
    assert shown.count("usually made of, is not available here") == 1
    assert "<Mara>" not in shown.split("\n")[0]
    assert "<td>&lt;Mara&gt;</td>" in shown


@pytest.mark.parametrize(
    "asked",
    [
        *("enc.history.rounds.group_by('side')", "enc.history.rolls['total'].mean()", "enc.history.turns.filter(1)"),
        *(
            "enc.roster('crew.parquet')",
            "ck.Encounter('saga').add_roster(b'PAR1')",
            "enc.history.rolls['actor'] == 'Vex'",
        ),
        "ck.history.archive('all', [enc])",
    ],
)
def test_what_takes_polars_says_so_without_it(asked: str, tmp_path: Path) -> None:
    tried = f"try:\n    {asked}\nexcept ck.CombatkitError as error:\n    print(error)"
    said = in_plain_tables(f"import os\n{FIGHT}\nenc.can('Vex', 'attack')\nos.chdir({str(tmp_path)!r})\n{tried}")
    assert "takes polars, which is not available here; a plain table has rows()" in said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("format", ["csv", "json", "xlsx"])
def test_without_polars_frames_are_written_as_with_it(format: str, tmp_path: Path) -> None:
    in_plain_tables(f"{FIGHT}\nenc.history.write({str(tmp_path / 'plain')!r}, {format!r})")
    scope: dict[str, Any] = {"ck": ck}
    exec(FIGHT, scope)
    scope["enc"].history.write(tmp_path / "polars", format)
    for path in sorted((tmp_path / "polars").iterdir()):
        assert (tmp_path / "plain" / path.name).read_bytes() == path.read_bytes(), path.name


def test_a_plain_table_sorts_and_picks_as_polars_does() -> None:
    rows = [("b", None, 2), ("a", 1, 2), ("b", 3, 1), ("a", 2, None)]
    schema = {"who": "String", "n": "Int64", "m": "Int64"}
    made = [
        module.DataFrame(rows, {name: getattr(module, kind) for name, kind in schema.items()}, orient="row")
        for module in (pl, plain)
    ]
    for how in ({}, {"descending": True}, {"nulls_last": True}, {"descending": True, "nulls_last": True}):
        for by in ("who", "n", "m"):
            one, two = (frame.sort(by, maintain_order=True, **how).rows() for frame in made)
            assert one == two, (by, how)
    for ask in (
        lambda frame: frame.filter(who="b").rows(),
        lambda frame: frame.select("n", "who").rows(named=True),
        lambda frame: frame.drop("n").columns,
        lambda frame: (frame.head(2).rows(), frame.tail(1).row(0), frame.shape, frame["n"].to_list()),
    ):
        assert ask(made[0]) == ask(made[1])


def test_a_plain_table_is_gone_through_as_polars_goes_through_one() -> None:
    rows = {"name": ["Mara", "Vex"], "hp": [5, None]}
    ways = [[(each.name, each.to_list()) for each in kind(rows)] for kind in (plain.DataFrame, pl.DataFrame)]
    assert ways[0] == ways[1]
    assert [len(list(kind(rows))) for kind in (plain.DataFrame, pl.DataFrame)] == [2, 2]


@pytest.mark.parametrize("at", [0, -1, slice(0, 1), slice(None, None, -1), "round"])
def test_a_plain_frame_is_asked_for_rows_and_columns_as_polars_is(at: Any) -> None:
    held = {"round": [1, 2, 3], "side": ["a", "b", "c"]}
    ours, theirs = plain.DataFrame(held)[at], pl.DataFrame(held)[at]
    assert ours.to_list() == theirs.to_list() if isinstance(at, str) else ours.rows() == theirs.rows()


def test_a_plain_frame_is_gone_through_as_polars_is() -> None:
    held = {"round": [1, 2], "side": ["a", "b"]}
    ours, theirs = plain.DataFrame(held), pl.DataFrame(held)
    assert [each.name for each in reversed(ours)] == [each.name for each in reversed(theirs)]
    assert ("round" in ours, "x" in ours) == ("round" in theirs, "x" in theirs) == (True, False)
    with pytest.raises(plain.NeedsPolars, match="takes polars"):
        ours[0, 1]
