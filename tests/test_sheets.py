"""Tables as people have them: spreadsheets as real programs save them, frames, lists, text: rows as expected."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from datetime import date
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import polars as pl
import pytest

import combatkit as ck
from combatkit.files.sheets import text_of_bytes
from combatkit.shelf.dropped import read_dropped

MARA = ("Zoë Mara", "rebels", 38, 4, ("Quick Draw", "Run"), False)
GUARD = ("Guard", "empire", 12, -1, (), True)
EXPECTED = [MARA, GUARD]

PLAIN = "name,side,hp,dex,feats,npc\nZoë Mara,rebels,38,4,Quick Draw; Run,no\nGuard,empire,12,-1,,yes\n"
GERMAN = 'name;side;hp;dex;feats;npc\r\nZoë Mara;rebels;38;4;"Quick Draw; Run";FALSCH\r\nGuard;empire;12;-1;;WAHR\r\n'
TABS = GERMAN.replace(";empire;12;-1;;", "\tempire\t12\t-1\t\t").replace('"Quick Draw; Run"', "|").replace(";", "\t")
TABS = TABS.replace("|", "Quick Draw; Run").replace("FALSCH", "FALSE").replace("WAHR", "TRUE")
TITLED = "The docks;;;;;\r\n;;;;;\r\n" + GERMAN
PANDAS = ",name,side,hp,dex,feats,npc\n0,Zoë Mara,rebels,38.0,4,Quick Draw; Run,False\n1,Guard,empire,12.0,-1,,True\n"
CAPITALS = PLAIN.replace("name,side,hp,dex", "Name,SIDE,HP,Dex")
WIDE = PLAIN.replace("npc\n", "npc,,\n").replace("no\n", "no,,\n,,,,,,,\n").replace("yes\n", "yes,,,\n,,,,,,,\n")
QUOTED = "".join(f'"{line.replace(",", chr(34) + "," + chr(34))}"\n' for line in PLAIN.splitlines())
MINUS = GERMAN.replace("-1", "\N{MINUS SIGN}1").replace("38", "38,00")

FILES: dict[str, tuple[str, bytes]] = {
    "Excel, English: CSV": (".csv", PLAIN.replace("\n", "\r\n").encode("cp1252")),
    "Excel, English: CSV UTF-8": (".csv", b"\xef\xbb\xbf" + PLAIN.replace("\n", "\r\n").encode()),
    "Excel, German: CSV": (".csv", GERMAN.encode("cp1252")),
    "Excel, German: CSV UTF-8": (".csv", b"\xef\xbb\xbf" + GERMAN.encode()),
    "Excel, Mac: Unicode text": (".txt", b"\xff\xfe" + TABS.encode("utf-16-le")),
    "Excel: Unicode text, big-endian": (".txt", b"\xfe\xff" + TABS.encode("utf-16-be")),
    "UTF-16 without a mark": (".csv", GERMAN.encode("utf-16-le")),
    "a hint for Excel": (".csv", b"sep=;\r\n" + GERMAN.encode("cp1252")),
    "a hint for Excel, with a mark": (".csv", b"\xef\xbb\xbf" + b'"sep=;"\r\n' + GERMAN.encode()),
    "LibreOffice": (".csv", QUOTED.encode()),
    "LibreOffice, German": (".csv", TITLED.encode()),
    "Numbers": (".csv", b"\xef\xbb\xbf" + ("The docks,,,,,\r\n" + PLAIN.replace("\n", "\r\n")).encode()),
    "Google Sheets": (".tsv", TABS.replace("\r\n", "\n").encode()),
    "Google Sheets, with empty cells": (".csv", WIDE.encode()),
    "pandas with its index": (".csv", PANDAS.encode()),
    "headings in capitals": (".csv", CAPITALS.encode()),
    "old Mac lines": (".csv", PLAIN.replace("\n", "\r").encode()),
    "signs of typography": (".csv", MINUS.encode()),
}


def rows(source: object) -> list[tuple[object, ...]]:
    enc = ck.Encounter("saga", seed=7)
    enc.add_roster(source)
    stats = [enc[name] for name in enc.names]
    npcs = [enc._state.fighters[name].npc for name in enc.names]
    keys = ("hp", "dex", "feats")
    return [(c.name, c.side, *(c.stats[key] for key in keys), npc) for c, npc in zip(stats, npcs, strict=True)]


@pytest.mark.parametrize("program", FILES)
def test_a_table_is_read_as_its_program_saves_it(program: str, tmp_path: Path) -> None:
    ending, written = FILES[program]
    path = tmp_path / f"roster{ending}"
    path.write_bytes(written)
    assert rows(path) == EXPECTED
    assert rows(str(path)) == EXPECTED
    assert rows(written) == EXPECTED
    assert rows(text_of_bytes(written)) == EXPECTED


@pytest.mark.parametrize("program", FILES)
def test_a_table_dropped_on_the_tracker_is_read_by_the_same_door(program: str) -> None:
    ending, written = FILES[program]
    read = read_dropped(f"roster{ending}", written, ck.ruleset("saga"))
    assert (read.title, [entry.row["name"] for entry in read.entries]) == ("Roster", ["Zoë Mara", "Guard"])


def workbook(lines: list[list[object]], **sheets: list[list[object]]) -> bytes:
    """Return a workbook as spreadsheet programs write it: parts in a zip, text in the cells; `Old` is hidden."""

    def cell(value: object, at: str) -> str:
        if isinstance(value, bool):
            return f'<c r="{at}" t="b"><v>{int(value)}</v></c>'
        if isinstance(value, (int, float)):
            return f'<c r="{at}"><v>{value}</v></c>'
        if isinstance(value, bytes):
            return f'<c r="{at}"{value.decode()}</c>'
        return f'<c r="{at}" t="inlineStr"><is><t>{value}</t></is></c>' if value else ""

    def sheet(lines: list[list[object]]) -> str:
        made = "".join(
            f'<row r="{n}">{"".join(cell(value, f"{chr(65 + c)}{n}") for c, value in enumerate(line))}</row>'
            for n, line in enumerate(lines, 1)
        )
        return f'<worksheet xmlns="{main}"><sheetData>{made}</sheetData></worksheet>'

    main, office = "http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://schemas.openxmlformats.org"
    named = {"Docks": lines, **sheets}
    kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{office}/package/2006/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" '
        f'ContentType="{kinds}.sheet.main+xml"/>'
        + "".join(
            f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{kinds}.worksheet+xml"/>'
            for n in range(len(named))
        )
        + "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{office}/package/2006/relationships"><Relationship Id="r1" '
        f'Type="{office}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}/officeDocument/2006/relationships"><sheets>'
        + "".join(
            f'<sheet name="{name}" sheetId="{n + 1}" state="{"hidden" if name == "Old" else "visible"}" r:id="r{n}"/>'
            for n, name in enumerate(named)
        )
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{office}/package/2006/relationships">'
        + "".join(
            f'<Relationship Id="r{n}" Type="{office}/officeDocument/2006/relationships/worksheet" '
            f'Target="worksheets/sheet{n}.xml"/>'
            for n in range(len(named))
        )
        + "</Relationships>",
        **{f"xl/worksheets/sheet{n}.xml": sheet(lines) for n, lines in enumerate(named.values())},
    }
    packed = BytesIO()
    with ZipFile(packed, "w") as book:
        for name, text in parts.items():
            book.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return packed.getvalue()


CELLS: list[list[object]] = [
    ["The docks"],
    [],
    ["Name", "Side", "HP", "Dex", "Feats", "NPC"],
    ["Zoë Mara", "rebels", 38.0, 4, "Quick Draw; Run", False],
    [],
    ["Guard", "empire", 12, -1, "", True],
]


def test_a_workbook_is_read_as_its_owner_sees_it(tmp_path: Path) -> None:
    path = tmp_path / "roster.xlsx"
    path.write_bytes(workbook(CELLS))
    assert rows(path) == EXPECTED
    assert rows(path.read_bytes()) == EXPECTED
    path.write_bytes(workbook([*CELLS[2:4], [], ["Vex", "", 3]]))
    with pytest.raises(ck.InvalidInput, match=r"roster\.xlsx, row 3 \(line 4\): side is missing"):
        rows(path)


def test_a_workbook_s_sheets_of_combatants_are_all_read_and_a_hidden_one_is_not() -> None:
    notes: list[list[object]] = [["How this party came about"], ["in May"]]
    foes: list[list[object]] = [["Name", "Side", "HP"], ["Vex", "hunters", 3]]
    assert rows(workbook(notes, Party=CELLS, Old=foes)) == EXPECTED
    read = rows(workbook(CELLS, Notes=notes, Foes=foes))
    assert (read[:2], [row[:2] for row in read[2:]]) == (EXPECTED, [("Vex", "hunters")])
    with pytest.raises(ck.InvalidInput, match=r"the bytes, Foes, row 1 \(line 2\): side is missing"):
        rows(workbook(CELLS, Foes=[foes[0], ["Vex", "", 3]]))
    with pytest.raises(ck.InvalidInput, match="has several sheets, 'Docks', 'Foes'; save the one with the creatures"):
        ck.foreign(workbook(CELLS, Foes=foes))


@pytest.mark.parametrize(
    ("cell", "holds"),
    [
        (b' t="e"><f>A9</f><v>#REF!</v>', "#REF!"),
        (b' s="1" t="e"><v>#VALUE!</v>', "#VALUE!"),
        (b"><f>30+8</f>", "a formula and no result"),
        (b'><f t="shared" si="0"/><v></v>', "a formula and no result"),
    ],
)
def test_a_cell_of_a_workbook_without_a_value_is_no_empty_one(cell: bytes, holds: str) -> None:
    with pytest.raises(ck.InvalidInput, match=f"cell C4 holds {holds}; mend that in a spreadsheet, and save it"):
        rows(workbook([*CELLS[:3], ["Zoë Mara", "rebels", cell]]))


def test_a_cell_of_a_workbook_that_says_nothing_is_there_is_empty() -> None:
    for cell in (b' t="e"><v>#N/A</v>', b' t="str"><f>A9</f><v></v>', b"><f>A9</f><v>38</v>"):
        assert rows(workbook([*CELLS[:3], ["Mara", "rebels", cell]]))[0][2] == (38 if b"38" in cell else None)


BROKEN = {"its signs": b"PK\x03\x04", "nothing": b"PK\x03\x04" + b"\0" * 900, "half": workbook(CELLS)[:600]}
"""By name: a workbook says when it was made, and tests are called the same by every worker."""


@pytest.mark.parametrize("broken", BROKEN.values(), ids=list(BROKEN))
def test_a_broken_workbook_is_refused_in_words(broken: bytes) -> None:
    with pytest.raises(ck.InvalidInput, match=r"cannot be read: .*; save it as CSV"):
        rows(broken)


COLUMNS: dict[str, list[Any]] = {
    "Name": ["Zoë Mara", "Guard"],
    "side": ["rebels", "empire"],
    "HP": [38.0, 12.0],
    "dex": [4, -1],
    "feats": [["Quick Draw", "Run"], []],
    "npc": [False, True],
}


def pandas_frame(**more: object) -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({**COLUMNS, **more})


def headed_twice(frame: Any) -> Any:
    pandas = pytest.importorskip("pandas")
    frame.columns = pandas.MultiIndex.from_tuples([("Numbers" if n > 1 else "Who", c) for n, c in enumerate(frame)])
    return frame


SOURCES: dict[str, Callable[[], object]] = {
    "polars": lambda: pl.DataFrame(COLUMNS),
    "polars, lazy": lambda: pl.LazyFrame(COLUMNS),
    "polars, empty cells": lambda: pl.DataFrame({**COLUMNS, "group": [None, None], "portrait": ["", ""]}),
    "polars, an index": lambda: pl.DataFrame(COLUMNS).with_row_index(),
    "polars, decimals": lambda: pl.DataFrame(COLUMNS).with_columns(pl.col("HP").cast(pl.Decimal(10, 2))),
    "polars, NaN": lambda: pl.DataFrame({**COLUMNS, "level": [float("nan"), None]}),
    "pandas": pandas_frame,
    "pandas, NaN": lambda: pandas_frame(level=[float("nan"), None]),
    "pandas, by name": lambda: pandas_frame().set_index("Name"),
    "pandas, by side and name": lambda: pandas_frame().set_index(["side", "Name"]),
    "pandas, headings in two lines": lambda: headed_twice(pandas_frame()),
    "pandas, by name under two lines": lambda: headed_twice(pandas_frame().set_index("Name")),
    "pandas, some rows": lambda: pandas_frame().iloc[::-1].iloc[::-1],
    "Arrow": lambda: Arrow(pl.DataFrame(COLUMNS)),
    "a list of mappings": lambda: pl.DataFrame(COLUMNS).to_dicts(),
    "a mapping of lists": lambda: COLUMNS,
    "a mapping of columns": lambda: dict(pl.DataFrame(COLUMNS).to_dict()),
    "rows of the csv module": lambda: [*csv.DictReader(StringIO(PLAIN))],
}


class Arrow:
    """A frame of some other library that has nothing but Arrow's interface."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._frame.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("source", SOURCES)
def test_a_frame_or_a_list_is_a_roster(source: str) -> None:
    assert rows(SOURCES[source]()) == EXPECTED


@pytest.mark.parametrize("source", ["polars", "polars, lazy", "pandas", "Arrow", "rows", "columns"])
def test_what_comes_as_a_roster_comes_as_a_table_too(source: str) -> None:
    """Cells that hold nothing are left out, and whole numbers beside them stay whole."""
    columns: dict[str, list[Any]] = {"id": ["a", "b"], "title": ["Sweep", "Lunge"], "ocv": [1, None], "dcv": [0, -2]}
    made: dict[str, Callable[[], object]] = {
        "polars": lambda: pl.DataFrame(columns),
        "polars, lazy": lambda: pl.LazyFrame(columns),
        "pandas": lambda: pytest.importorskip("pandas").DataFrame(columns),
        "Arrow": lambda: Arrow(pl.DataFrame(columns)),
        "rows": lambda: [{"id": "a", "title": "Sweep", "ocv": 1, "dcv": 0}, {"id": "b", "title": "Lunge", "dcv": -2}],
        "columns": lambda: columns,
    }
    enc = ck.Encounter("phases", seed=7)
    [event] = enc.add_table("manoeuvres", made[source]())
    assert event._data["rows"] == made["rows"]()
    [event] = enc.add_table("manoeuvres", {"id": "c", "title": "Trip", "ocv": 0, "dcv": 0})
    assert [row["id"] for row in event._data["rows"]] == ["c"]
    with pytest.raises(ck.InvalidInput, match="table manoeuvres: its columns differ in length"):
        enc.add_table("manoeuvres", {"id": ["d"], "title": ["X", "Y"]})


LOST: dict[str, tuple[object, str]] = {
    "a cell without heading": ("name,side,\nA,x,lost\n", r"row 1 \(line 2\): column 3 holds 'lost' and has no heading"),
    "a cell too many": ("name,side\nA,x,lost\n", "'lost' is one cell too many for 2 columns"),
    "numbers in a nameless column that count nothing": (",name,side\n4,A,x\n7,B,x\n", "column 1 holds '4'"),
    "two columns of a name": ("name,side,side\nA,x,y\n", "two columns are called 'side'"),
    "two columns of a name in other cases": ("name,side,Side\nA,x,y\n", "two columns are side: side, Side"),
    "columns of different lengths": ({"name": ["A", "B"], "side": ["x"]}, "columns differ in length"),
    "half a point": ("name,side,hp\nA,x,38.5\n", "hp is '38.5'"),
    "half a point in a frame": (pl.DataFrame({"name": ["A"], "side": ["x"], "hp": [38.5]}), "hp is 38.5"),
    "thousands": ("name;side;hp\nA;x;1,000\n", "hp is '1,000'"),
    "German thousands": ("name;side;hp\nA;x;1.000\n", "hp is '1.000'"),
    "what a sheet made of 3-4": ("name;side;hp\nA;x;03. Apr\n", "hp is '03. Apr', a date that a spreadsheet made"),
    "a date in a frame": (
        pl.DataFrame({"name": ["A"], "side": "x", "hp": [date(2026, 4, 3)]}),
        "hp is '2026-04-03', a",
    ),
    "a quote that is not closed": ('name,side,hp\n"A,x,3\nB,x,4\n', "begins with a double quote and no other ends it"),
    "a sum below": ("name,side,hp\nA,x,3\nTotal,,3\n", r"row 2 \(line 3\): side is missing"),
    "a note below": ("name,side,hp\nA,x,3\n\nas of level 6,,\n", r"row 3 \(line 4\): side is missing"),
    **{
        f"{name} in {codec}": (f"name;side;hp\n{name};x;3\n".encode(codec), "is not text in UTF-8; save it as UTF-8")
        for codec, names in {
            "mac_roman": "Zoë, Müller, Jörg, Nuñez, García, Groß, Libertà",
            "cp850": "Jörg, Käthe, Groß, Weiß",
            "cp1250": "Łukasz, Michał, Gdańsk, Dvořák, Jiří, Růžena, Kučera, Modrić, Erdős, Brăila, Păun",
            "cp1254": "Ayşe, Doğan, Y\u0131lmaz, İbrahim, Çağlar, Iş\u0131k Öztürk",
            "iso8859_2": "Tomáš",
            "cp1251": "Иван",
            "cp437": "Fáfnir, Björn",
            "cp1257": "Vytautė, Jānis, Rūta, Kęstutis, Pēteris, Līga, Ģirts, Ķirsis, Šarūnas, Žemaitis",
            "shift_jis": "太郎, 竜, すずき",
            "gbk": "龙",
        }.items()
        for name in names.split(", ")
    },
    "a byte of another encoding": ("name;side;hp\nZoë;x;3\nMü".encode() + b"\xfcller;x;3\n", "save it as UTF-8"),
    "headings once more": ("name,side,hp\nA,x,3\nname,side,hp\nB,x,3\n", "row 2 .line 3.: hp is 'hp'"),
}


ONE = ("Mara", "rebels", 38)
WESTERN = "Hélène Geneviève Søren Øystein Åse Nuñez João Nicolò Loïc Guðrún Camões Ýmir Miloš"
WRITTEN = {
    "a title with commas above semicolons": ("The warehouse, part 2, by Anna\nName;Side;HP\nMara;rebels;38\n", [ONE]),
    "headings of headings": ("Who,,Numbers\nName,Side,HP\nMara,rebels,38\n", [ONE]),
    "merged headings that fill the line": ("Who,Who,Numbers\nName,Side,HP\nMara,rebels,38\n", [ONE]),
    "spaces after the commas": ('Name, Side, HP\n"Mara", "rebels", 38\n', [ONE]),
    "a list full of commas": ("Name;Side;HP;Feats\nMara;rebels;38;Run, Pin, Dodge, Aim\n", [ONE]),
    "titles of the stats": ("Name,Side,Hit points\nMara,rebels,38\n", [ONE]),
    "a heading with a break and nothing seen": ('"Name\u200b","\nSide",HP\nMara,rebels,38\n', [ONE]),
    "text that a spreadsheet is forced to take as text": ('name,side,hp\n="Mara","=""rebels""","=""38"""\n', [ONE]),
    "a row of dashes as Windows writes it": ("name;side;hp\nBo ————;x;3\n".encode("cp1252"), [("Bo ————", "x", 3)]),
    "an old Mac's": ("Name;Side;HP\rZoë;rebels;38\r".encode("mac_roman"), [("Zoë", "rebels", 38)]),
    **{
        f"{name} as Windows writes it": (f"name;side;hp\r\n{name};x;3\r\n".encode("cp1252"), [(name, "x", 3)])
        for name in ("MÜLLER", "Élan", "Þór", "O\u2019Neil\u2019s", "¡Olé!", "«Mara»", "„Bo“", "Sœur", "½ Orc", "Å™…")
    },
    **{
        f"{name}, of the West too": (f"name;side;hp\n{name};x;3\n".encode("cp1252"), [(name, "x", 3)])
        for name in WESTERN.split()
    },
    "a language's own letters beside others'": (
        "name;side;hp\nChâtelaine;x;3\nBrontë;x;3\nRené;x;3\n".encode("cp1252"),
        [("Châtelaine", "x", 3), ("Brontë", "x", 3), ("René", "x", 3)],
    ),
    "JSON in one line": ('[{"name": "Mara", "side": "rebels", "hp": 38}]', [ONE]),
    "JSON Lines": (
        '{"name":"Mara","side":"rebels","hp":38}\n{"name":"Vex","side":"x","hp":5}\n',
        [ONE, ("Vex", "x", 5)],
    ),
    "an old Mac's as text": ("Name;Side;HP\rMara;rebels;38\r", [ONE]),
    "decimals with a comma": ("name;side;hp\nMara;rebels;38,00\n", [ONE]),
    "thousands with a space": ("name;side;hp\nMara;rebels;1\u202f038\n", [("Mara", "rebels", 1038)]),
    "thousands as in Switzerland": ("name;side;hp\nMara;rebels;1'038.00\n", [("Mara", "rebels", 1038)]),
    "an index called row": ("row,name,side,hp\n3,Mara,rebels,38\n9,Vex,x,5\n", [ONE, ("Vex", "x", 5)]),
    "an index that was sorted": (",name,side,hp\n1,Vex,x,5\n0,Mara,rebels,38\n", [("Vex", "x", 5), ONE]),
    "an index saved twice": (",Unnamed: 0,name,side,hp\n0,0,Mara,rebels,38\n", [ONE]),
    **{
        f"nothing there, written {word}": (f"name,side,hp\nMara,rebels,38\nVex,x,{word}\n", [ONE, ("Vex", "x", None)])
        for word in ("NaN", "nan", "", "NA", "n/a", "null", "None", "-", "\N{EM DASH}")
    },
}


@pytest.mark.parametrize("case", WRITTEN)
def test_a_table_is_read_as_its_owner_wrote_it(case: str) -> None:
    text, rows = WRITTEN[case]
    enc = ck.Encounter("saga", seed=7)
    enc.add_roster(text)
    assert [(name, enc[name].side, enc[name].stats.get("hp")) for name in enc.names] == rows


def test_a_box_that_is_ticked_is_yes_and_weapons_are_typed_as_in_a_form() -> None:
    enc = ck.Encounter("d6", seed=7)
    enc.add_roster('name,side,npc,weapons\nA,x,x,"blaster, 4D, 4D; blade, 5D, 4D+2"\nB,x,,\nC,x,ja,\nD,x,nein,\n')
    assert [enc._state.fighters[name].npc for name in enc.names] == [True, False, True, False]
    assert enc["A"].stats["weapons"][1] == {"name": "blade", "attack": "5D", "damage": "4D+2"}


PICK = {"name": "War pick", "damage": "1d8+3"}


@pytest.mark.parametrize(
    "said", ["War pick +9, 1d8+3", "War pick +9 1d8+3", "War pick (+9), 1d8+3", "War pick 1d8+3, , 9"]
)
@pytest.mark.parametrize(("system", "adds"), [("saga", "attack"), ("ap", "attack"), ("phases", "ocv")])
def test_a_weapon_may_be_written_as_a_sheet_says_it(system: str, adds: str, said: str, tmp_path: Path) -> None:
    enc = ck.Encounter(system, seed=7)
    enc.add_roster(f'name,side,weapons\nA,x,"{said}; bow"\n')
    assert enc["A"].stats["weapons"] == ({**PICK, adds: 9}, {"name": "bow"})
    named = [{"name": "Sword +1"}, {"name": "Club 1d4", "damage": "1d6"}]
    enc.add("B", side="x", weapons=named)
    enc.roster(tmp_path / "r.csv")
    again = ck.Encounter(system, seed=7)
    again.add_roster(tmp_path / "r.csv")
    assert again["B"].stats["weapons"] == tuple(named)


@pytest.mark.parametrize(
    ("system", "said", "right"),
    [
        ("d6", "War pick +9, 1d8+3", "put commas between name, attack, damage, type"),
        ("d6", "Blaster 4D large", "put commas between name, attack, damage, type"),
        ("saga", "short bow 1d6 what", "put commas between name, damage, attack"),
        ("segments", "short bow 1d6 what", "put commas between name, damage, speed"),
        ("d6", "Blaster 4D", "put commas between name, attack, damage, type"),
        ("segments", "War pick +9, 1d8+3", "put commas between name, damage, speed"),
    ],
)
def test_what_stands_behind_a_weapons_name_is_never_taken_for_a_part_of_it(system: str, said: str, right: str) -> None:
    enc = ck.Encounter(system, seed=7)
    with pytest.raises(ck.InvalidInput, match=rf"row 1 \(line 2\): weapons holds '[^,]*'; {right}"):
        enc.add_roster(f'name,side,weapons\nA,x,"{said}"\n')
    assert not enc.names


def test_a_list_is_written_with_commas_too_and_each_is_kept_apart(tmp_path: Path) -> None:
    enc = ck.Encounter("saga", seed=7)
    rows = 'A;x;Quick Draw, Focus (rifles, pistols);prone, blessed\nB;x;Run;"wet; cold"\n'
    enc.add_roster(f"name;side;feats;conditions\n{rows}")
    assert enc["A"].stats["feats"] == ("Quick Draw", "Focus (rifles, pistols)")
    assert [[held.id for held in enc[name].conditions] for name in "AB"] == [["prone", "blessed"], ["wet", "cold"]]
    enc.add("C", side="x", feats=["One, and the same"])
    enc.roster(tmp_path / "out.csv")
    back = ck.Encounter("saga", seed=7)
    back.add_roster(tmp_path / "out.csv")
    assert [back[name].stats["feats"] for name in "ABC"] == [enc[name].stats["feats"] for name in "ABC"]


def test_a_mapping_is_written_as_people_write_one() -> None:
    enc = ck.Encounter("d6", seed=7)
    enc.add_roster('name;side;armor;attributes;uses\nA;x;"fire: 3; cold: 2";might: 3D+1;Force grip: 3\nB;x;4;;\n')
    sheet = enc["A"].stats
    assert (sheet["armor"], sheet["attributes"], sheet["uses"]) == (
        {"fire": 3, "cold": 2},
        {"might": "3D+1"},
        {"Force grip": 3},
    )
    assert enc["B"].stats["armor"] == 4
    with pytest.raises(ck.InvalidInput, match="uses of Force grip is 'many'"):
        enc.add_roster("name,side,uses\nC,x,Force grip: many\n")


@pytest.mark.parametrize("case", LOST)
def test_nothing_is_lost_without_a_word(case: str) -> None:
    source, words = LOST[case]
    enc = ck.Encounter("saga", seed=7)
    before = enc.digest
    with pytest.raises(ck.CombatkitError, match=words):
        enc.add_roster(source)
    assert enc.digest == before


@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_a_column_nobody_knows_is_left_out_and_the_nearest_is_named(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    with pytest.warns(UserWarning, match=r"left out of the text: unknown column '(sidee|x{9})") as warned:
        enc.add_roster(f"name,side,sidee,{'x' * 100_000},empty\nA,x,3,4,\n")
    assert enc.names == ("A",)
    assert len(warned) == 2
    assert "did you mean 'side'" in str(warned[0].message)
    assert all(len(str(each.message)) < 500 for each in warned)


@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_no_far_name_is_guessed(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    with pytest.warns(UserWarning, match="left out") as warned:
        enc.add_roster("name,side,XP,Race,Int,Number,weapon\nA,x,1,2,3,4,5\n")
    said = [str(each.message) for each in warned]
    assert [words for words in said if "did you mean" in words] == [
        "left out of the text: unknown column 'weapon': did you mean 'weapons'?"
    ]


def test_a_name_is_guessed_by_one_of_its_words() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Baron Vex", side="e")
    enc.add("Mara", side="r")
    with pytest.raises(ck.UnknownName, match=r"unknown combatant 'Vex': did you mean 'Baron Vex'\?"):
        enc.damage("Vex", 3)


MARKDOWN = """# The party

| Name         | Side | HP      |
|:-------------|:----:|--------:|
| Mara \\| Jade | r    | 5/7     |
| Kell         | r    | 7 (2d6) |
| Tuk          | r    | 9 / 9   |

Written by hand.
"""


@pytest.mark.parametrize("system", ["saga", "ap", "segments"])
def test_the_sheet_everybody_has_is_read(system: str) -> None:
    for source in (MARKDOWN, "name;side;hp;max hp\nMara | Jade;r;5;7\nKell;r;7 (2W6);\nTuk;r;9/9;\n"):
        enc = ck.Encounter(system, seed=7)
        enc.add_roster(source)
        left = {name: enc[name].values["hp"] for name in enc.names}
        assert left == {"Mara | Jade": 5, "Kell": 7, "Tuk": 9}
        assert [enc[name].stats["hp"] for name in enc.names] == [7, 7, 9]


@pytest.mark.parametrize(("system", "vital"), [(each.id, each.vitals[0].name) for each in ck.rulesets()])
def test_more_left_than_there_can_be_is_refused_by_row(system: str, vital: str) -> None:
    enc = ck.Encounter(system, seed=7)
    for cells in (f"{vital}\nMara,r,9/7\n", f"{vital},{vital}_max\nMara,r,9,7\n"):
        with pytest.raises(ck.InvalidInput, match=rf"row 1 \(line 2\): {vital} is 9/7, .* write 7/9 if 7 are left"):
            enc.add_roster("name,side," + cells)
    assert enc.names == ()


NOTES = r"""# Tonight: heroes | foes

| Spell | Uses |
|-------|------|
| Fire  | 3    |

| **Name**            | Side    | _HP_  |
|---------------------|---------|-------|
| **Vex**             | *bad*   | `12`  |
| [Mara](pcs/mara.md) | rebels  | **5** |
| [[Kell]]            | rebels  | 7     |
| [[npcs/old\|Tuk]]   | ~~bad~~ | 7     |

An inn | a road

## Later
Name | Side | HP
--- | --- | ---
**[Ada](a.md)** the \*new\* | rebels | 9
A \| B | bad | 4
hp_max | bad | 4
"""


def test_marks_and_several_tables_in_markdown_are_read() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add_roster(NOTES)
    assert [(name, enc[name].side, enc[name].values["hp"]) for name in enc.names] == [
        ("Vex", "bad", 12),
        ("Mara", "rebels", 5),
        ("Kell", "rebels", 7),
        ("Tuk", "bad", 7),
        ("Ada the *new*", "rebels", 9),
        ("A | B", "bad", 4),
        ("hp_max", "bad", 4),
    ]


def test_marks_outside_of_markdown_are_what_they_are() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add_roster("name,side\n**Vex**,r\n")
    assert enc.names == ("**Vex**",)


def test_somebody_comes_with_less_than_their_maximum() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="r", hp=5, hp_max=7)
    enc.add("Kell", side="r", hp_max=9)
    enc.add("Tuk", side="r", hp=12, hp_max=9)
    assert [(enc[name].values["hp"], enc[name].stats["hp"]) for name in enc.names] == [(5, 7), (9, 9), (9, 9)]
    enc.start()
    enc.heal("Mara", 10)
    assert enc["Mara"].values["hp"] == 7
    for wrong, words in (({"hp_max": "x"}, "give a whole number"), ({"dex_max": 3}, "saga .*has no stat")):
        with pytest.raises(ck.CombatkitError, match=words):
            enc.join("Vex", side="e", **wrong)


FORMULAS = ("=1+1", "+1d6 fire", "-5", "@home", "'=1+1", "''+x", "'quoted'", "a=b", "Mara", "\t=1", '="x"', 'size="9"')
BROAD = ("\uff1d1+1", "\uff0b2", "\uff0d1", "\uff20home")
"""Japanese spreadsheets take these for formulas."""


def test_a_csv_of_ours_holds_no_formula_and_reads_back(tmp_path: Path) -> None:
    enc = ck.Encounter("saga", seed=7)
    named = [name for name in (*FORMULAS, *BROAD) if name.strip() == name]
    for name in named:
        enc.add(name, side=name, group=name)
    enc.start()
    enc.roster(tmp_path / "r.csv")
    signs = {*"=+@", *(each[0] for each in BROAD)}
    for path in (tmp_path / "r.csv", *enc.history.write(tmp_path / "d", format="csv").iterdir()):
        cells = [cell for row in csv.reader(StringIO(path.read_text("utf-8-sig"))) for cell in row]
        assert not [cell for cell in cells if cell[:1] in signs or re.match(r"-\D", cell)], path.name
    again = ck.Encounter("saga", seed=7)
    again.add_roster(tmp_path / "r.csv")
    assert [(each, again[each].side, again[each].group) for each in again.names] == [(each,) * 3 for each in named]


NOTATIONS = ("1-8", "2-8", "8-32", "1-4/1-4", "1-3/1-3/2-12", "3\N{EN DASH}18", "By weapon", "1d6+1", "1-6")
HIT_DICE = ("1-1", "½", "1d4 hp", "1d6 hp", "3", "4+1", "11", "2+2", "6")


def test_a_table_of_141_old_creatures_loses_nothing() -> None:
    lines = ["Old creatures of the moors;;;;;", "Name;Move;Armour class;Hit dice;Attacks;Damage"]
    for n in range(141):
        damage = NOTATIONS[n % len(NOTATIONS)]
        times = str(damage.count("/") + 1)
        lines.append(f'Creature {n};{9 + n % 7}";{n % 11};{HIT_DICE[n % 8 % len(HIT_DICE)]};{times};{damage}')
    written = "\r\n".join(lines).encode("cp1252")
    read = ck.foreign(written)
    assert (read.format, read.system, read.roster.height) == ("osric", "segments", 141)
    assert read.left_out.height == 0, read.left_out
    assert not read.asks.filter(pl.col("stat").is_in(["attacks", "hit_dice", "ac", "movement"])).height
    enc = ck.Encounter("segments", seed=7)
    enc.add_roster(read)
    assert len(enc.names) == 141
    goblin, ogre = enc["Creature 0"], enc["Creature 2"]
    assert (goblin.stats["hit_dice"], goblin.stats["movement"], goblin.stats["ac"]) == ("1-1", 90, 0)
    assert ogre.stats["attacks"] == ("MELEE: attack (8-32)",)
    assert enc["Creature 6"].stats["attacks"] == ("MELEE: attack (by weapon)",)


@pytest.mark.rule("segments.aac0")
def test_the_columns_of_old_sheets_are_read_by_the_terms_of_the_field() -> None:
    enc = ck.Encounter("segments", seed=7)
    enc.add_roster("Name\tSide\tHP\tTHAC0\tArmour class\tHD\nMara\trebels\t38\t17\t4\t5\n")
    assert [enc["Mara"].stats[stat] for stat in ("hp", "aac0", "ac", "hit_dice")] == [38, 17, 4, 5]
    with pytest.raises(ck.UnknownName, match=r"segments .*has no stat"):
        enc.add("Bo", side="rebels", thac0=17)  # a call takes the stat by its name
    read = ck.foreign('Name;Move;Armour class;Hit dice;THAC0;Attacks;Damage\nOrc;9";6;1;19;1;1-8\n')
    enc.add_roster(read)
    assert (read.format, enc["Orc"].stats["aac0"], read.left_out.height) == ("osric", 19, 0)


def test_each_table_of_a_text_spells_its_headings_in_its_own_way() -> None:
    first = "| Name | Side | HP |\n|--|--|--|\n| Mara | a | 9 |\n"
    text = f"{first}\n| name | side | Hit Points |\n|--|--|--|\n| Vex | b | 7 |\n"
    enc = ck.Encounter("saga", seed=7)
    enc.add_roster(text)
    assert [(name, enc[name].side, enc[name].values["hp"]) for name in enc.names] == [("Mara", "a", 9), ("Vex", "b", 7)]
    with pytest.raises(ck.InvalidInput, match="two columns are name: Name, name"):
        enc.add_roster("| Name | name | side |\n|--|--|--|\n| Bo | Bo | a |\n")
