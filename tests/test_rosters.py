"""Rosters: what is read, and how a broken row is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import combatkit as ck
from combatkit.errors import within
from combatkit.files.rosters import RosterRow, read_roster
from combatkit.rules.catalogue import Stat

CREATURES = Path(__file__).parents[1] / "notebooks" / "data" / "saga-creatures.csv"
SAGA = ck.ruleset("saga")


def write(folder: Path, text: str, name: str = "r.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_117_real_creatures_are_read_with_names_as_they_come() -> None:
    rows = read_roster(SAGA, CREATURES)
    assert len(rows) == 117
    by_name = {row.name: row for row in rows}
    assert by_name["1Raquor'daan"].stats == {"dex": 0, "level": 3, "hp": 1}
    assert by_name["Carrier Butterfly"].stats == {"dex": 4, "level": 0, "hp": 2}
    assert by_name["Watch-Beast"].stats["hp"] == 115
    assert {(row.side, row.npc, row.count) for row in rows} == {("wild", True, 1)}


def test_a_roster_is_one_call_and_one_undo() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels")
    assert len(enc.add_roster(str(CREATURES))) == 117
    assert enc["Krayt Dragon"].values["hp"] == 399
    enc.undo()
    assert enc.names == ("Mara",)


FULL = """name, side ,count,npc,group,at,conditions,dex,feats
Ossik, rebels,,no,,,,4,Quick Draw; Combat Reflexes
Guard,empire,3,YES,patrol,Z1,prone;hidden,-1,

"The ""Hutt"", Bo",empire,1,0,,3;4,,,
"""


def test_csv_cells_are_read_by_the_type_of_their_column(tmp_path: Path) -> None:
    ossik, guard, bo = read_roster(SAGA, write(tmp_path, FULL))
    assert ossik == RosterRow(
        "r.csv, row 1 (line 2)", "Ossik", "rebels", 1, False, None, None, (),
        {"dex": 4, "feats": ("Quick Draw", "Combat Reflexes")},
    )  # fmt: skip
    assert guard == RosterRow(
        "r.csv, row 2 (line 3)", "Guard", "empire", 3, True, "patrol", "Z1", ("prone", "hidden"), {"dex": -1}
    )
    assert (bo.where, bo.name, bo.at, bo.npc) == ("r.csv, row 4 (line 5)", 'The "Hutt", Bo', (3, 4), False)


def test_a_byte_order_mark_and_other_line_ends_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes("\ufeffname,side\r\nZoë,a\r\n".encode())
    assert [(row.name, row.side) for row in read_roster(SAGA, path)] == [("Zoë", "a")]


def test_all_kinds_of_source_give_the_same_rows(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "name": ["Ossik", "Guard"],
            "side": ["rebels", "empire"],
            "count": [None, 3],
            "npc": [False, True],
            "dex": [4, None],
            "feats": [["Quick Draw"], None],
        }
    )
    frame.write_parquet(tmp_path / "r.parquet")
    frame.write_json(tmp_path / "r.json")
    csv = "name,side,count,npc,dex,feats\nOssik,rebels,,false,4,Quick Draw\nGuard,empire,3,true,,\n"
    sources = [frame, tmp_path / "r.parquet", tmp_path / "r.json", write(tmp_path, csv)]
    found = [[(r.name, r.side, r.count, r.npc, r.stats) for r in read_roster(SAGA, source)] for source in sources]
    expected = [
        ("Ossik", "rebels", 1, False, {"dex": 4, "feats": ("Quick Draw",)}),
        ("Guard", "empire", 3, True, {}),
    ]
    assert found == [expected] * 4


class Rules:
    """Stats of types that Saga lacks."""

    id = "other"
    stats = (
        Stat("aac0", "int|text"),
        Stat("armor", "int|mapping"),
        Stat("weapons", "list"),
        Stat("recovers", "bool"),
        Stat("motto", "text"),
    )
    vitals = ()


def test_mixed_types_are_told_apart(tmp_path: Path) -> None:
    csv = """name,side,aac0,armor,weapons,recovers,motto
A,x,20*,"{""fire"": 3}","[{""name"": ""axe""}]",yes,12
B,x,19,4,axe;bow,0,no
"""
    rules: Any = Rules
    a, b = read_roster(rules, write(tmp_path, csv))
    assert a.stats == {
        "aac0": "20*",
        "armor": {"fire": 3},
        "weapons": ({"name": "axe"},),
        "recovers": True,
        "motto": "12",
    }
    assert b.stats == {"aac0": 19, "armor": 4, "weapons": ("axe", "bow"), "recovers": False, "motto": "no"}
    json = '[{"name": "A", "side": "x", "armor": {"fire": 3}}, {"name": "B", "side": "x", "armor": 4}]'
    assert [r.stats for r in read_roster(rules, write(tmp_path, json, "r.json"))] == [
        {"armor": {"fire": 3}},
        {"armor": 4},
    ]
    frame = pl.DataFrame({"name": ["A", "B"], "side": "x", "armor": [{"fire": 3, "cold": None}, None]})
    assert [r.stats for r in read_roster(rules, frame)] == [{"armor": {"fire": 3}}, {}]


BROKEN = {
    "level": ("name,side,level\nA,x,1\nB,x,four\n", "r.csv, row 2 (line 3): level is 'four'; give a whole number"),
    "negative": ("name,side,level\nA,x,-1\n", "r.csv, row 1 (line 2): level is -1; give a whole number from 0"),
    "half": ("name,side,level\nA,x,1.5\n", "r.csv, row 1 (line 2): level is '1.5'; give a whole number"),
    "after a line break": ('name,side,dex\n"A\nB",x,1\nC,x,two\n', "r.csv, row 2 (line 4): dex is 'two'"),
    "after a blank line": ("name,side,dex\nA,x,1\n\nC,x,two\n", "r.csv, row 3 (line 4): dex is 'two'"),
    "npc": ("name,side,npc\nA,x,maybe\n", "r.csv, row 1 (line 2): npc is 'maybe'; give True or False"),
    "count": ("name,side,count\nA,x,0\n", "r.csv, row 1 (line 2): count is 0; give a whole number from 1 to 100"),
    "too many": ("name,side,count\nA,x,1001\n", "count is 1001; give a whole number from 1 to 100"),
    "place": ("name,side,at\nA,x,1;b\n", "r.csv, row 1 (line 2): at is ('1', 'b'); give a name, or a pair"),
    "no side": ("name,side\nA,x\nB,\n", "r.csv, row 2 (line 3): side is missing; every row has a name and a side"),
    "no column": ("name,Seite\nA,x\n", "r.csv has no column called side, only 'name', 'Seite'; write headings"),
    "a sum": ("name,side,hp\nA,x,3\nTotal,,3\n", "has a name and a side; if 'Total' is a sum, leave that row out"),
    "no name": ("name,side\n  ,x\n", "r.csv, row 1 (line 2): name is missing"),
    "reserved": ("name,side\nGM,x\n", "r.csv, row 1 (line 2): 'GM' is reserved for the game master"),
    "oversized": (f"name,side\n{'A' * 201},x\n", "r.csv, row 1 (line 2): a combatant's name is 'AAA"),
    "twice": ("name,side\nA,x\nB,x\nA,y\n", "r.csv, row 3 (line 4): 'A' is already in the fight"),
    "counted twice": ("name,side,count\nA,x,2\nA 2,x,\n", "r.csv, row 2 (line 3): 'A 2' is already in the fight"),
    "ragged": ("name,side\nA,x\nB,x,1\n", "r.csv, row 2 (line 3): '1' is one cell too many for 2 columns"),
    "open quote": ('name,side\n"A,x\n', "r.csv cannot be read: "),
    "no rows": ("name,side\n", "r.csv has no rows"),
    "nothing": ("", "r.csv has no rows; give one for each combatant"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_row_is_refused_by_file_row_and_column_and_nothing_is_added(tmp_path: Path, case: str) -> None:
    text, message = BROKEN[case]
    enc = ck.Encounter("saga", seed=7)
    before = enc.digest
    with pytest.raises(ck.InvalidInput) as caught:
        enc.add_roster(write(tmp_path, text))
    assert message in str(caught.value)
    assert enc.digest == before


def test_an_unknown_column_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(ck.UnknownName, match=r"unknown column in r\.csv 'lvl': did you mean 'level'"):
        read_roster(SAGA, write(tmp_path, "name,side,lvl\nA,x,1\n"))


def test_broken_json_is_refused_by_row(tmp_path: Path) -> None:
    row = '{"name": "A", "side": "x"}'
    for text, message in (
        (f'[{row}, {{"name": "B", "side": "x", "level": "4"}}]', "r.json, row 2: level is '4'; give a whole number"),
        (f"[{row}, 3]", "r.json, row 2: 3 is not an object"),
        (row, "r.json is not an array"),
        ("[{]", "r.json cannot be read: JSON is malformed"),
        ('[{"name": 4, "side": "x"}]', "r.json, row 1: name is 4; give text"),
        ('[{"name": "A", "side": " "}]', "r.json, row 1: side is ' '; give text"),
        ('[{"name": "A", "side": "x", "conditions": [3]}]', "r.json, row 1: conditions has 3; give text"),
    ):
        with pytest.raises(ck.InvalidInput) as caught:
            read_roster(SAGA, write(tmp_path, text, "r.json"))
        assert message in str(caught.value)


def test_toml_holds_rows_under_one_name(tmp_path: Path) -> None:
    right = '[[combatants]]\nname = "A"\nside = "x"\ndex = 4\nfeats = ["Run; Pin"]\n'
    assert [(r.where, r.stats) for r in read_roster(SAGA, write(tmp_path, right, "r.toml"))] == [
        ("r.toml, row 1", {"dex": 4, "feats": ("Run; Pin",)})
    ]
    for text, message in (
        (right.replace("4", '"four"'), "r.toml, row 1: dex is 'four'; give a whole number"),
        (right.replace("combatants", "people"), "r.toml has no rows; write each combatant under [[combatants]]"),
        ("combatants = 3", "r.toml has no rows"),
        ("version = 1\n" + right, "unknown table in r.toml 'version'"),
        (right + "level\n", "r.toml cannot be read: Expected '=' after a key"),
    ):
        with pytest.raises(ck.CombatkitError) as caught:
            read_roster(SAGA, write(tmp_path, text, "r.toml"))
        assert message in str(caught.value)


def test_quoted_text_is_text_where_numbers_may_stand_too(tmp_path: Path) -> None:
    rows = read_roster(ck.ruleset("segments"), write(tmp_path, 'name,side,hit_dice\nA,x,4\nB,x,"""4"""\nC,x,4+4\n'))
    assert [row.stats["hit_dice"] for row in rows] == [4, "4", "4+4"]


def test_a_frame_with_a_broken_row_names_it() -> None:
    with pytest.raises(ck.InvalidInput, match=r"frame, row 2: level is 2\.5; give a whole number"):
        read_roster(SAGA, pl.DataFrame({"name": ["A", "B"], "side": "x", "level": [None, 2.5]}))


def test_a_table_in_a_markdown_file_is_a_roster_and_notes_on_a_shelf_are_none(tmp_path: Path) -> None:
    table = "[map](map.png)\n\n| Name | Side | HP |\n|------|------|---:|\n| Mara | rebels | 38 |\n\nThat's all.\n"
    (row,) = read_roster(SAGA, Path(write(tmp_path, table, "party.md")))
    assert (row.name, row.side, row.stats["hp"]) == ("Mara", "rebels", 38)
    write(tmp_path, "# Friday\n\nA note.\n", "log.md")
    assert ck.Shelf(tmp_path).unread == {}


def test_what_is_no_roster_is_refused(tmp_path: Path) -> None:
    binary = tmp_path / "r.csv"
    binary.write_bytes(b"name,side\nA,\x81\n")
    parquet = write(tmp_path, "no parquet", "r.parquet")
    for source, message in (
        (tmp_path / "absent.csv", "there is no roster"),
        (
            tmp_path / "r.odt",
            "a roster is a file that ends in .csv, .tsv, .txt, .json, .toml",
        ),
        (binary, "r.csv cannot be read: "),
        (parquet, "r.parquet cannot be read: "),
        ([{"name": "A"}], "list, row 1: side is missing"),
        (["A"], "a roster holds 'A'; give a list of mappings"),
        (7, "a roster is int; give a CSV"),
    ):
        with pytest.raises(ck.InvalidInput) as caught:
            read_roster(SAGA, source)
        assert message in str(caught.value)


@pytest.mark.parametrize("ending", ["csv", "json", "toml"])
def test_a_file_that_is_no_text_in_utf_8_is_called_that(ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"r.{ending}"
    file.write_bytes('[{"name": "Andr\x81", "side": "x"}]'.encode("latin-1"))
    with pytest.raises(
        ck.InvalidInput, match=rf"r\.{ending} cannot be read: byte \d+ of it is not text in UTF-8; save it"
    ):
        read_roster(SAGA, file)


def test_what_is_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    for text, name in (("[" * 50_000, "r.json"), ("combatants = " + "[" * 50_000, "r.toml")):
        with pytest.raises(ck.InvalidInput, match="cannot be read: it is nested too deeply"):
            read_roster(SAGA, write(tmp_path, text, name))
    with pytest.raises(ck.InvalidInput, match=r"row 1 \(line 2\): feats is "):
        read_roster(SAGA, write(tmp_path, f"name,side,feats\nA,x,{'[' * 50_000}\n"))


def test_a_name_taken_in_the_fight_is_refused_with_its_row(tmp_path: Path) -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("B", side="rebels")
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=r"^r\.csv, row 2 \(line 3\): 'B' is already in the fight"):
        enc.add_roster(write(tmp_path, "name,side\nA,x\nB,x\n"))
    assert enc.digest == before


def test_located_keeps_the_class_of_what_it_names() -> None:
    row = RosterRow("f.csv, row 1", "A", "x", 1, False, None, None, (), {})
    ruling = ck.Ruling(False, "Too late.", "saga.turn")
    for error in (ck.InvalidInput("bad"), ck.UnknownName("bad"), ck.IllegalAction(ruling)):
        with pytest.raises(type(error), match=r"^f\.csv, row 1: ") as caught, within(row.where):
            raise error
        assert caught.value is error
