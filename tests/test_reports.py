"""What is read afterwards: summaries and charts, told by hand, the same each time, whatever people are called."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import vl_convert

import combatkit as ck
from combatkit.history import SCHEMAS
from combatkit.history.extra import MissingExtra, needs
from tests.conformance.player import play

SYSTEMS = ("saga", "d6", "ap", "segments", "phases")
CHARTS = ("initiative", "budget", "damage", "turns")
EVIL = "<img src=x onerror=alert(1)>"


def fight(id: str = "hand") -> ck.Encounter:
    """Two rounds; Vex falls in the second."""
    enc = ck.Encounter("saga", seed=7, id=id)
    enc.add("Mara", side="rebels", dex=4, level=6, hp=30, attack_bonus=8, defense=18)
    enc.add("Vex", side="empire", npc=True, dex=1, level=2, hp=9, attack_bonus=4, defense=14)
    enc.start(rolls={"Mara": 17, "Vex": 15})
    enc.do("Mara", "attack", target="Vex", rolls=[10], damage=5)
    enc.end_turn()
    enc.do("Vex", "attack", target="Mara", rolls=[20], damage=9)
    enc.undo()
    enc.do("Vex", "attack", target="Mara", rolls=[2])
    enc.end_turn()
    enc.do("Mara", "attack", target="Vex", rolls=[11], damage=6)
    enc.condition("Vex", "dead")
    enc.end_turn()
    return enc


# ── the summary ──


def test_a_summary_tells_each_round_and_nothing_that_is_undone() -> None:
    table = fight().summary()
    frame: Any = table._tbl_data
    assert frame.rows() == [
        ("1", "0:00", "Mara, Vex", 2, 1, 5, 0, "", "2 of 8"),
        ("2", "0:06", "Mara", 1, 1, 6, 0, "Vex", "1 of 4"),
        ("3", "0:12", "", 0, 0, 0, 0, "", "0 of 4"),
    ]
    html = table._repr_html_()
    heads = ("Round", "Clock", "Acted", "Attacks", "Hits", "Damage dealt by", "rebels", "empire", "Fell", "Budget used")
    assert all(f">{head}<" in html for head in heads)


@pytest.mark.parametrize(("count", "acted"), [(5, "P, Q, R, S, T"), (6, "P, Q, R, S and 2 more")])
def test_of_many_who_acted_a_summary_names_four_and_nobody_is_one_more(count: int, acted: str) -> None:
    enc = ck.Encounter("saga", seed=7)
    names = "PQRSTU"[:count]
    for number, name in enumerate(names):
        enc.add(name, side="crew", dex=9 - number)
    enc.start(rolls=dict.fromkeys(names, 10))
    for name in names:
        enc.do(name, "move")
        enc.end_turn()
    frame: Any = enc.summary()._tbl_data
    assert frame["acted"][0] == acted


def test_a_system_without_seconds_has_no_clock_in_its_summary() -> None:
    enc = ck.Encounter("d6", seed=7)
    enc.add("Mara", side="rebels")
    enc.start()
    assert ">Clock<" not in enc.summary()._repr_html_()


def test_a_summary_is_lean_transparent_and_the_same_each_time() -> None:
    html = fight().summary()._repr_html_()
    assert html == fight().summary()._repr_html_()
    style = html[html.index("<style>") : html.index("</style>")]
    assert len(style) < 1_000
    assert "background" not in style
    assert repr(fight().summary()) == "<Summary of hand: Round 3>"
    assert fight().summary().tab_source_note("by hand")._repr_html_().count("by hand") == 1


@pytest.mark.parametrize("system", SYSTEMS)
def test_any_fight_can_be_summed_up_and_drawn(system: str) -> None:
    enc = play(system, 5, 60)
    assert enc.summary()._repr_html_().count("<tr>") >= enc.history.rounds["round"].n_unique()
    for name in CHARTS:
        assert getattr(enc.history.charts, name)().to_dict()["background"] == "transparent"


def test_names_are_words_never_markup() -> None:
    enc = ck.Encounter("saga", seed=7, id=EVIL)
    enc.add(EVIL, side=EVIL, hp=3)
    enc.start()
    enc.do(EVIL, "move")
    enc.condition(EVIL, "dead")
    html = enc.summary()._repr_html_()
    assert "<img" not in html
    assert html.count("&lt;img src=x onerror=alert(1)&gt;") == 4


# ── charts ──


def drawn(spec: dict[str, Any]) -> str:
    """Give the picture that Vega makes, its words as they are read."""
    return html.unescape(vl_convert.vegalite_to_svg(spec))


def spec(history: Any, name: str) -> dict[str, Any]:
    found: dict[str, Any] = getattr(history.charts, name)()._repr_mimebundle_()["application/vnd.vegalite.v5+json"]
    return found


def values(chart: dict[str, Any]) -> list[dict[str, Any]]:
    """Give the rows a chart holds, wherever altair put them."""
    if "datasets" in chart:
        (rows,) = chart["datasets"].values()
        return list(rows)
    return list(chart["data"]["values"])


def test_a_chart_is_the_same_each_time_and_loads_nothing() -> None:
    for name in CHARTS:
        one, two = spec(fight().history, name), spec(fight().history, name)
        assert json.dumps(one) == json.dumps(two)
        assert json.dumps(one).count("http") == 1, "the schema's own name, and no address besides"
        bundle = getattr(fight().history.charts, name)()._repr_mimebundle_()
        assert sorted(bundle) == ["application/vnd.vegalite.v5+json", "text/plain"]
        assert bundle["text/plain"] == f"<Chart: {one['title']['text']}>"


def test_charts_hold_what_the_frames_say() -> None:
    history = fight().history
    ladder = [(r["round"], r["combatant"], r["place"], r["initiative"]) for r in values(spec(history, "initiative"))]
    assert ladder[:2] == [(1, "Mara", 1, 24.0), (1, "Vex", 2, 17.0)]
    named = [(r["round"], r["name"]) for r in values(spec(history, "initiative")) if r["name"]]
    assert named == [(3, "Mara"), (3, "Vex")], "each line has its name at its end"
    up = spec(history, "initiative")["layer"][0]["encoding"]["y"]
    assert up["axis"]["values"] == [1, 2], "each place is marked"
    assert up["scale"]["reverse"], "who acts first is on top"
    budget = {(r["who"], r["slot"], r["what"]): r["amount"] for r in values(spec(history, "budget"))}
    assert (budget["Mara", "standard", "used"], budget["Mara", "standard", "wasted"]) == (2, 1)
    damage = {(r["combatant"], r["what"]): (r["damage"], r["way"]) for r in values(spec(history, "damage"))}
    assert damage == {
        ("Mara", "dealt"): (11, 11),
        ("Mara", "taken"): (0, 0),
        ("Vex", "dealt"): (0, 0),
        ("Vex", "taken"): (11, -11),
    }
    turns = values(spec(history, "turns"))
    assert [r["combatant"] for r in turns] == history.turns["combatant"].to_list()
    assert all(r["began_seq"] <= r["until"] for r in turns)
    assert turns[-1]["until"] == history.events.height


def test_sides_differ_by_colour_and_shape_in_the_order_they_joined() -> None:
    shown = spec(fight().history, "initiative")["layer"][0]["encoding"]
    assert shown["color"]["scale"]["domain"] == shown["shape"]["scale"]["domain"] == ["rebels", "empire"]
    assert shown["shape"]["scale"]["range"] == ["circle", "diamond"]
    assert len(set(shown["color"]["scale"]["range"])) == 2
    assert [tip["field"] for tip in shown["tooltip"]] == ["combatant", "side", "round", "initiative", "place"]


def test_a_stack_is_drawn_fight_by_fight() -> None:
    stack = ck.history.stack([fight("z"), fight("a")])
    for name in CHARTS:
        order = ["z: Mara", "z: Vex", "a: Mara", "a: Vex"] if name == "budget" else ["z", "a"]
        words = re.findall(r">([^<>]+)</text>", drawn(spec(stack, name)))
        assert [word for word in words if word in order] == order


def test_no_row_is_lost_beyond_five_thousand() -> None:
    fights = [play("phases", 3, 20)]
    columns = fights[0].history.turns

    class Many(ck.history.Frames):
        """A thousand times the same turns."""

        def _frame(self, name: str) -> Any:
            frame = fights[0].history._frame(name)
            return (
                frame if name != "turns" else type(frame)(frame.rows() * 6_000, schema=SCHEMAS["turns"], orient="row")
            )

    assert len(values(spec(Many(), "turns"))) == columns.height * 6_000 > 5_000


WITHOUT = """
import sys
sys.modules["altair"] = sys.modules["great_tables"] = None
import combatkit as ck
enc = ck.Encounter("saga", seed=7)
for look in (lambda: enc.history.charts, enc.summary):
    try:
        look()
    except ck.CombatkitError as error:
        print(type(error).__name__, isinstance(error, ImportError), error)
"""

HEAVY = """
import combatkit as ck, sys
enc = ck.Encounter("saga", seed=7); enc.add("Mara", side="x"); enc.start()
enc.summary()._repr_html_(); enc.history.charts.turns().to_dict()
print(sorted({"pandas", "pyarrow"} & set(sys.modules)))
"""


def run(code: str) -> list[str]:
    root = Path(ck.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_without_the_extra_it_is_said_how_to_get_it() -> None:
    assert issubclass(MissingExtra, ImportError)
    assert run(WITHOUT) == [
        f'MissingExtra True {library} is not installed, and this needs it: pip install "combatkit[report]"'
        for library in ("altair", "great_tables")
    ]


@pytest.mark.parametrize("missing", ["narwhals", None])
def test_another_library_that_is_missing_is_said_as_python_says_it(missing: str | None) -> None:
    error = ModuleNotFoundError("there is no such thing", name=missing)
    with pytest.raises(ModuleNotFoundError) as caught, needs("altair"):
        raise error
    assert caught.value is error
    with pytest.raises(MissingExtra, match="altair is not installed"), needs("altair"):
        raise ModuleNotFoundError("there is no such part", name="altair.vegalite")


def test_neither_pandas_nor_pyarrow_is_needed() -> None:
    assert run(HEAVY) == ["[]"]


HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "{{1+1}}${x}",
    "datum.x",
    "\"]; alert(1); //'\\",
    "two\u2028lines",
    "ev\u202eom",
    "__proto__",
    "l" * 100,
)
"""Names that would do something if a page, or Vega's expressions, took them for anything but text."""


def test_hostile_names_are_words_in_every_chart() -> None:
    enc = ck.Encounter("saga", seed=7, id=HOSTILE[0])
    for number, name in enumerate(HOSTILE):
        enc.add(name, side=HOSTILE[number % 4], dex=9 - number)
    odds = enc.odds()
    enc.start()
    for _ in HOSTILE:
        enc.end_turn()
    shown = [getattr(enc.history.charts, name)() for name in CHARTS]
    for chart in (*shown, *(odds.chart(of) for of in ("first", "places", "scores"))):
        seen = drawn(chart.to_dict())
        assert [name for name in enc.names if name[:12] not in seen] == []
        page = chart.to_html()
        assert "<img" not in page
        assert page.count("</script>") == page.count("<script")


def test_a_chart_that_is_saved_as_a_page_holds_names_as_text(tmp_path: Path) -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add(HOSTILE[0], side="red")
    enc.start()
    enc.history.charts.budget().save(tmp_path / "chart.html")
    assert "<img" not in (tmp_path / "chart.html").read_text("utf-8")
    enc.history.charts.budget().save(tmp_path / "chart.json")
    assert HOSTILE[0] in json.dumps(json.loads((tmp_path / "chart.json").read_bytes()))
