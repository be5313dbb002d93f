"""The ladder before initiative is rolled: everybody's chance to act first."""

from __future__ import annotations

import subprocess
import sys

import pytest

import combatkit as ck
from combatkit.errors import InvalidInput
from tests.odds_scenes import SYSTEMS


def two(system: str, **options: object) -> ck.Encounter:
    enc = ck.Encounter(system, seed=7, options=options or None)
    enc.add("Vex", side="hunters", npc=True)
    enc.add("Mara", side="rebels")
    return enc


def rungs(enc: ck.Encounter, view: str = "gm") -> dict[str, str]:
    shown = ck.InitiativeLadder(enc, view=view).view
    return {shown["rows"][id]["name"]: shown["rows"][id]["score"] for id in shown["order"]}


@pytest.mark.parametrize(
    ("system", "scores"),
    [
        ("saga", {"Vex": "50%", "Mara": "50%"}),
        ("d6", {"Mara": "67%", "Vex": "33%"}),
        ("ap", {"Mara": "58%", "Vex": "42%"}),
        ("segments", {"Vex": "58%", "Mara": "58%"}),
        ("phases", {"Vex": "50%", "Mara": "50%"}),
    ],
)
def test_a_fight_not_begun_has_chances_for_scores(system: str, scores: dict[str, str]) -> None:
    """Worked by hand: in d6 a 3 is enough, players first; in ap 21 pairs of 36 are, and in segments as many."""
    enc = two(system)
    assert rungs(enc) == scores
    shown = ck.InitiativeLadder(enc).view
    assert shown["note"] == "chance to act first"
    assert shown["score"].startswith("chance to act first · how often of 100 times somebody is the first of all")


def test_a_screen_reader_hears_the_chance_and_what_a_choice_could_make_of_it() -> None:
    enc = ck.Encounter("d6", seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Ossik", side="rebels")
    rows = ck.InitiativeLadder(enc).view["rows"]
    assert rows["1"]["label"] == ["Mara, 58.3 % to act first, rebels, ", "; 41.7 % to 58.3 %, as ties are chosen"]
    assert rows["1"]["sub"] == [["41.7 % to 58.3 %, as ties are chosen ", {"rule": "d6.init.tie.pc-pc"}]]
    assert rows["2"]["score"] == "42%"


@pytest.mark.parametrize("system", [s for s in SYSTEMS if s != "segments"])
def test_scores_take_their_place_once_they_are_rolled(system: str) -> None:
    enc = two(system)
    ladder = ck.InitiativeLadder(enc)
    enc.start()
    assert ladder.view["score"] == enc.ruleset.score_title
    assert [ladder.view["rows"][id]["score"] for id in ladder.view["order"]] == [str(r.initiative) for r in enc.order]


def test_where_every_round_is_rolled_anew_the_chances_are_there_until_the_dice_are() -> None:
    enc = two("segments")
    enc.start()
    ladder = ck.InitiativeLadder(enc)
    assert [row["score"] for row in ladder.view["rows"].values()] == ["58%", "58%"]
    enc.do("Mara", "declare", action="charge")
    assert {row["name"]: row["score"] for row in ladder.view["rows"].values()} == {"Vex": "0%", "Mara": "100%"}
    enc.end_turn()
    assert ladder.view["score"] == enc.ruleset.score_title
    while enc.clock.round == 1:
        enc.end_turn()
    assert [row["score"] for row in ladder.view["rows"].values()] == ["58%", "58%"]


def test_who_is_added_or_taken_off_changes_the_chances() -> None:
    enc = two("saga")
    ladder = ck.InitiativeLadder(enc)
    enc.add("Ossik", side="rebels", dex=20)
    assert next(iter(ladder.view["rows"].values()))["name"] == "Ossik"
    enc.leave("Ossik")
    assert rungs(enc) == {"Vex": "50%", "Mara": "50%"}


def test_one_who_cannot_act_has_no_chance_and_stands_last() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Vex", side="hunters", conditions=["unconscious"])
    enc.add("Mara", side="rebels")
    shown = ck.InitiativeLadder(enc).view
    assert rungs(enc) == {"Mara": "100%", "Vex": ""}
    assert (shown["rows"]["1"]["status"], shown["rows"]["1"]["label"][0]) == ("out", "Vex, cannot act, hunters, ")


def test_small_chances_are_not_written_as_none() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", dex=18)
    enc.add("Vex", side="hunters")
    assert rungs(enc) == {"Mara": ">99%", "Vex": "<1%"}


def test_players_are_not_shown_what_the_odds_would_tell_of_npcs() -> None:
    assert rungs(two("saga"), "players") == {}


def test_a_crowd_and_an_empty_fight_have_none() -> None:
    enc = ck.Encounter("saga", seed=7)
    assert rungs(enc) == {}
    enc.add("Guard", side="empire", count=61)
    assert rungs(enc) == {}


def test_the_static_picture_shows_them() -> None:
    picture = ck.InitiativeLadder(two("d6"))._static()
    assert "<td>67%</td><td>Mara</td>" in picture
    assert "Chance to act first" in picture


WITHOUT = """
import sys
for name in ("numpy", "icepool", "altair", "polars"):
    sys.modules[name] = None
import combatkit as ck
enc = ck.Encounter("saga", seed=7)
enc.add("Mara", side="rebels", dex=1)
enc.add("Vex", side="empire")
print(enc.odds().exact["Mara"].chance[0], ck.InitiativeLadder(enc).view["rows"]["1"]["score"])
"""


def test_fractions_and_the_ladder_need_no_extra() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert done.stdout == "229/400 57%\n", done.stderr


def test_a_ruleset_that_does_not_describe_its_order_plays_without_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    enc = two("saga")
    monkeypatch.setattr(type(enc.ruleset), "draw", None)
    assert rungs(enc) == {}
    with pytest.raises(InvalidInput, match="saga does not say what its order rests on: its ruleset declares no `draw`"):
        enc.odds()
    enc.start()
    assert len(rungs(enc)) == 2
