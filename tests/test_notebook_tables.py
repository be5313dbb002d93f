"""What a notebook shows of what is looked at, and of errors: in a real IPython shell."""

from __future__ import annotations

import re
import subprocess
import sys
from html import unescape
from typing import Any

import pytest

import combatkit as ck
from combatkit.fight.fight import living
from combatkit.notebook.tables import html_of

IN_A_SHELL = '''
import re
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance(colors="nocolor")
shell.run_cell("""
import combatkit as ck
from collections import namedtuple
Pair = namedtuple("Pair", "one two")
enc = ck.Encounter("saga", seed=7)
_ = enc.add("Mara <b>", side="rebels", hp=38), enc.add("Vex", side="empire", hp=30), enc.start()

def tactic():
    enc.do("Vex", "move")
""")
{asked}
'''


def in_a_shell(asked: str) -> str:
    code = IN_A_SHELL.replace("{asked}", asked)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def fight() -> ck.Encounter:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara <b>", side="rebels", dex=-1, hp=38, attack_bonus=4)
    enc.add("Vex", side="empire", defense=15)
    enc.start(rolls={"Mara <b>": 17, "Vex": 3})
    return enc


def cells(html: str | None) -> list[list[str]]:
    """Give the rows of a table as they are read."""
    assert html is not None
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    found = (re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row) for row in rows)
    return [[unescape(re.sub("<[^>]+>", "", cell)) for cell in row] for row in found]


def test_a_shell_shows_tables_of_what_is_looked_at_and_leaves_other_tuples_alone() -> None:
    asked = """
for text in ("enc.order", "enc.budget('Vex')", "enc.options('Vex')", "enc.choices('Vex', 'attack')", "enc['Vex']",
             "enc.can('Vex', 'move')", "enc.end_turn()", "enc.do('Vex', 'move')[0]", "enc.history", "ck.rulesets()",
             "ck.ruleset('d6')", "enc.pending", "(1, 2)", "Pair(1, 2)", "(enc.clock, 1)"):
    shown, _ = shell.display_formatter.format(eval(text, shell.user_ns))
    print(text, "<table>" in shown.get("text/html", ""), len(shown["text/plain"].splitlines()[0]) < 200)
"""
    told = in_a_shell(asked).splitlines()
    assert [line.endswith(" True True") for line in told[:11]] == [True] * 11, told
    assert [line.split()[-2] for line in told[11:]] == ["False"] * 4


def test_who_stands_where_is_a_row_each_and_names_are_escaped() -> None:
    enc = fight()
    heads, first, second = cells(html_of(enc.order))
    assert heads == ["Initiative", "Combatant", "Side", "State", "Why"]
    assert first == ["16", "Mara <b>", "rebels", "now", ""]
    assert second[:2] == ["3", "Vex"]


def test_what_is_left_and_what_somebody_has_are_pairs() -> None:
    enc = fight()
    enc.do("Mara <b>", "move")
    assert cells(html_of(enc.budget("Mara <b>")))[1:4] == [
        ["Standard", "1 of 1"],
        ["Move", "0 of 1"],
        ["Swift", "1 of 1"],
    ]
    told = dict(row for row in cells(html_of(enc["Mara <b>"])))
    assert told["Side"] == "rebels"
    assert told["hp"] == "38"
    assert told["dex"] == "\N{MINUS SIGN}1"


def test_options_fold_away_what_is_refused_and_say_why() -> None:
    enc = fight()
    html = html_of(enc.options("Mara <b>"))
    assert html is not None
    shown, folded = html.split("<details>")
    assert ["Attack", "attack", "Standard", "target"] in cells(shown)
    assert re.search(r"<summary>\d+ refused actions</summary>", folded)
    stand = next(row for row in cells(folded) if row[1] == "stand_up")
    assert stand[2:] == [
        "Move",
        enc.can("Mara <b>", "stand_up").reason,
        "saga.move.ex.stand",
    ]


def test_a_ruling_tells_the_roll_or_the_reason() -> None:
    enc = fight()
    allowed = html_of(enc.can("Mara <b>", "attack", target="Vex"))
    assert allowed is not None
    assert "<caption>Allowed</caption>" in allowed
    assert ["Roll", "1d20+4, needs 15"] in cells(allowed)
    refused = html_of(enc.can("Vex", "move"))
    assert refused is not None
    assert "<caption>Refused</caption>" in refused
    assert cells(refused)[0] == ["Reason", "It's Mara <b>'s turn."]


def test_events_tell_what_happened_with_note_and_rules() -> None:
    enc = fight()
    events = enc.do("Mara <b>", "move", note="past <it>")
    row = cells(html_of(events))[1]
    assert row == [str(events[0].seq), "1", "Mara <b> moves “past <it>”", "saga.move.ex.speed"]
    assert cells(html_of(events[0])) == cells(html_of(events))


def test_of_a_long_log_the_newest_are_shown() -> None:
    event = fight().do("Mara <b>", "move")[0]
    html = html_of((event,) * 201)
    assert html is not None
    assert "<caption>Events, the last 200 of 201</caption>" in html
    assert len(cells(html)) == 201


def test_a_name_is_shown_as_it_is_and_turns_nothing_round() -> None:
    html = html_of(fight().order)
    assert html is not None
    assert "<bdi>Mara &lt;b&gt;</bdi>" in html


def test_a_table_has_no_colour_no_class_and_no_script() -> None:
    enc = fight()
    for value in (enc.order, enc.options(), ck.rulesets(), enc["Vex"], enc.budget("Vex")):
        html = html_of(value)
        assert html is not None
        assert not re.search(r"class=|<script|color|background", html)


@pytest.mark.parametrize("value", [(), (1, 2), [1], "Mara", None])
def test_nothing_else_is_made_a_table(value: Any) -> None:
    assert html_of(value) is None


def test_plain_words_are_short_too() -> None:
    enc = fight()
    assert repr(enc.order[0]) == "Rung('Mara <b>', 16, now)"
    enc.condition("Vex", "prone")
    values = {"dex": 0, "level": 1, "initiative_misc": 0, "speed": 6, "defense": 15, "initiative": 3}
    held = "conditions=(Condition(id='prone'),)"
    assert repr(enc["Vex"]) == f"Combatant('Vex', side='empire', values={values}, {held})"
    assert repr(enc.can("Vex", "move")) == (
        "Ruling(allowed=False, reason=\"It's Mara <b>'s turn.\", rule='saga.round.order', rules=('saga.round.order',), "
        "cost='Move')"
    )
    assert repr(enc.do("Mara <b>", "move")[0]) == f"Event({len(enc.history.events)}, action: Mara <b> moves)"
    assert repr(enc.budget("Mara <b>")).startswith("Budget('Mara <b>': standard 1 of 1, move 0 of 1")


# ── errors ──


def test_an_error_shows_ones_own_lines_and_none_of_the_librarys() -> None:
    told = in_a_shell('shell.run_cell("tactic()")')
    assert "----> 1 tactic()" in told
    assert 'enc.do("Vex", "move")' in told
    assert "IllegalAction: It's Mara <b>'s turn. [saga.round.order]" in told
    assert "fight.py" not in told
    assert "lock.py" not in told


def test_the_mode_verbose_shows_the_whole_way() -> None:
    asked = 'shell.run_line_magic("xmode", "Verbose"); shell.run_cell("tactic()")'
    assert "fight.py" in in_a_shell(asked)


def test_what_went_wrong_inside_is_left_out_and_what_was_under_way_outside_is_not() -> None:
    asked = """
shell.run_cell("ck.Encounter('saga').add_roster('{')")
print("=====")
shell.run_cell("try:\\n    {}['key']\\nexcept KeyError:\\n    enc.do('Vex', 'move')")
"""
    inside, outside = in_a_shell(asked).split("=====")
    assert "combatkit/" not in inside
    assert "During handling" not in inside
    assert "During handling" in outside
    assert "KeyError" in outside


def test_fights_made_meanwhile_do_not_disturb_what_an_event_is_shown_in() -> None:
    enc = fight()
    events = enc.do("Mara <b>", "move")
    meanwhile: list[ck.Encounter] = []

    def another(*_: object) -> Any:
        if len(meanwhile) < 50:
            sys.settrace(None)
            meanwhile.append(ck.Encounter("saga"))
            sys.settrace(another)
        return another

    before = sys.gettrace()
    sys.settrace(another)  # another thread may go on between any two lines
    try:
        shown = living()
    finally:
        sys.settrace(before)
    assert meanwhile
    assert enc in shown
    assert "What happens" in (html_of(events) or "")
