"""The log as a document: what it tells, what it leaves out, and that words stay words."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import combatkit as ck
from combatkit.core.plain import bare
from combatkit.report.open_line import OpenLine
from combatkit.report.words import of_several
from combatkit.text import neutral
from combatkit.text.phrases import capital
from tests.conformance.player import play

SYSTEMS = ("saga", "d6", "ap", "segments", "phases")


def fight() -> ck.Encounter:
    """Mara shoots, Vex misses twice, once of it taken back; Ossik waits."""
    enc = ck.Encounter("saga", seed=7, id="hand", options={"trade_down": True})
    enc.add("Mara", side="rebels", dex=4, level=6, hp=30, attack_bonus=8, defense=18)
    enc.add("Ossik", side="rebels", dex=2, level=4, hp=20)
    enc.add("Vex", side="empire", npc=True, dex=1, level=2, hp=25, attack_bonus=4, defense=14)
    enc.start(rolls={"Mara": 17, "Ossik": 10, "Vex": 15})
    enc.do("Mara", "attack", target="Vex", damage="1d6", rolls={"attack": [10], "damage": [6]}, note="from the catwalk")
    enc.do("Mara", "move")
    enc.end_turn()
    enc.do("Vex", "attack", target="Mara", rolls=[2], note="wide")
    enc.undo()
    enc.do("Vex", "attack", target="Mara", rolls=[3])
    enc.end_turn()
    enc.adjust("Vex", vital="hp", by=-4, note="falling crates")
    enc.end_turn()
    enc.end_turn()
    enc.end_turn()
    return enc


def paragraphs(document: object) -> list[str]:
    return str(document).strip().split("\n\n")


THIN = "\N{NARROW NO-BREAK SPACE}"
BEFORE = f"""- The fight begins.¹{THIN}²{THIN}³
- Mara rolls 24 for initiative: 1d20 ⟦17⟧ + 7 = 24.⁴{THIN}⁵{THIN}⁶
- Ossik rolls 14 for initiative: 1d20 ⟦10⟧ + 4 = 14.⁴{THIN}⁵{THIN}⁶
- Vex rolls 17 for initiative: 1d20 ⟦15⟧ + 2 = 17.⁴{THIN}⁵{THIN}⁶"""

MARA = (
    "● **Mara** attacks Vex, *“from the catwalk”*: 1d20 ⟦10⟧ + 8 = 18 against 14, hit.⁷ "
    "Vex loses 6, 19 left: 1d6 ⟦6⟧. Mara moves.⁸"
)


def test_a_log_reads_as_prose_turn_by_turn() -> None:
    told = paragraphs(fight().log())
    assert told[: told.index("## Rules")] == [
        "# hand",
        "Star Wars Saga Edition, seed 7.",
        "- ● **rebels**: Mara, Ossik\n- ◆ **empire**: Vex",
        "Not as usual at this table: trade down: yes.",
        "Dice in double brackets were rolled at the table.",
        "## Before the fight",
        BEFORE,
        "## Round 1 · 0:00",
        MARA,
        "◆ **Vex** attacks Mara: 1d20 ⟦3⟧ + 4 = 7 against 18, miss.⁷",
        "Vex loses 4 hp, 15 left, *“falling crates”* (by the GM). ● **Ossik** does nothing.",
        "## Round 2 · 0:06",
        "Mara and Vex do nothing.",
        "## How things stand",
        "- ● **Mara** 30 of 30 hit points; **Ossik** 20 of 20 hit points\n- ◆ **Vex** 15 of 25 hit points",
    ]


def test_dice_are_set_off_as_each_system_writes_them() -> None:
    enc = ck.Encounter("d6", seed=7)
    blaster = {"name": "blaster", "attack": "2D+1", "damage": "2D", "type": "energy", "range": "medium"}
    enc.add("Mara", side="rebels", initiative=9, weapons=[blaster])
    enc.add("Guard", side="empire", npc=True, defense=5, resolve=9)
    enc.start(rolls=[1])
    enc.do("Mara", "attack", target="Guard", rolls={"attack": [4, 1], "damage": [1, 2]})
    first = next(p for p in paragraphs(enc.log(rules=False)) if p.startswith("● **Mara**"))
    assert re.match(
        r"● \*\*Mara\*\* attacks Guard: 2\w+ ⟦4⟧ ⟦1⟧ \+ 1 = 6 against 5, hit\. "
        r"Guard loses 3, 6 left: 2\w+ ⟦1⟧ ⟦2⟧ = 3\.",
        first,
    )


def test_a_readied_move_is_told_once_and_with_where_it_puts_its_owner() -> None:
    enc = ck.Encounter("saga", seed=1)
    for name, side in (("Mara", "rebels"), ("Kell", "rebels"), ("Guard", "empire")):
        enc.add(name, side=side)
    enc.start(rolls={"Mara": 20, "Kell": 15, "Guard": 10})
    enc.do("Mara", "ready", action="move", trigger={"actor": "Kell", "action": "attack"})
    enc.end_turn()
    enc.do("Kell", "attack", target="Guard", rolls=[12])
    enc.do("Mara", "use_readied", to=(2, 0))
    while enc.pending:
        enc.resolve()
    told = next(p for p in paragraphs(enc.log(rules=False)) if p.startswith("● **Kell**"))
    once = "Mara uses the readied move; is now just before Kell (was 20); moves to (2, 0)."
    assert told == f"● **Kell** attacks Guard. {once} Kell attacks Guard: 1d20 ⟦12⟧."


def test_a_readied_action_that_forfeits_a_turn_says_so_beside_where_it_leads() -> None:
    enc = ck.Encounter("phases", seed=1)
    for name, value, at in (("Crow", 9, (1, 0)), ("Ace", 6, (0, 0))):
        enc.add(name, side=name, combat_value=value, at=at)
    enc.start()
    enc.end_turn()
    enc.do("Ace", "ready", action="strike", target="Crow", trigger={"actor": "Crow", "action": "half_move"})
    enc.end_turn()
    enc.do("Crow", "half_move", to=(2, 0), outcome="negated")
    enc.do("Ace", "use_readied", rolls=[3, 3, 3])
    said = "Ace uses the readied strike on Crow; forfeits this phase's regular action; is now just before Crow (was 6)"
    assert said in str(enc.log(rules=False))


def test_what_the_gm_allows_is_told_before_where_it_leads() -> None:
    enc = ck.Encounter("d6", seed=3, map=[("Z1", "Z2")])
    for name in ("Ada", "Bo"):
        enc.add(name, side=name, at="Z1")
    enc.start()
    while enc.active != "Ada":
        enc.end_turn()
    enc.do("Ada", "dash", to="Z2")
    enc.do("Ada", "dash", to="Z1", override=True)
    assert "dashes to Z2; dashes, the GM allows it, and gets to Z1." in str(enc.log(rules=False))


def test_what_was_declared_is_told_in_one_line_and_its_end_in_none() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Ann", side="party")
    enc.add("Orc", side="foes")
    enc.start()
    enc.do("Ann", "declare", action="parley")
    enc.end_turn(rolls={"party": [4], "foes": [2]})
    enc.next_round()
    told = str(enc.log(rules=False))
    assert "**Ann** plans to parley." in told
    assert "Initiative for party is 4: 1d6 ⟦4⟧." in told
    assert "declare" not in told.lower()


def test_moves_of_one_way_and_an_attack_let_pass_are_told_in_one() -> None:
    enc = ck.Encounter("phases", seed=5)
    enc.add("Mara", side="rebels", at=(0, 0), combat_value=9)
    enc.add("Vex", side="hunters", at=(9, 0), combat_value=2)
    enc.start()
    enc.do("Mara", "half_move", to=[(1, 0), (2, 0), (3, 0)])
    assert "moves to (1, 0), (2, 0), (3, 0)." in str(enc.log(rules=False))


def test_rules_are_told_at_the_end_by_number_with_their_locators() -> None:
    enc = fight()
    rules = paragraphs(enc.log())[-1].splitlines()
    begun = ["saga.seq.surprise-first", "saga.init.when", "saga.surprise.none-if-all-aware"]
    rolled = ["saga.init.formula", "saga.init.half-level-down", "saga.init.as-reaction"]
    cited = [*begun, *rolled, "saga.std.ex.attack", "saga.move.ex.speed"]
    assert [line.split(" ")[:2] for line in rules] == [[f"{n}.", f"`{id}`"] for n, id in enumerate(cited, 1)]
    rule = enc.ruleset.rules["saga.std.ex.attack"]
    assert rule.text in rules[6]
    assert rule.locator.replace("[", r"\[").replace("]", r"\]") in rules[6]
    plain = str(enc.log(rules=False))
    assert "## Rules" not in plain
    assert not re.search("[¹²³⁴⁵⁶⁷⁸]", plain)


def test_what_is_undone_is_left_out_or_struck() -> None:
    enc = fight()
    assert "wide" not in str(enc.log())
    struck = str(enc.log(undone=True))
    assert "~~◆ **Vex** attacks Mara, *“wide”*: 1d20 ⟦2⟧ + 4 = 6 against 18, miss.~~" in struck
    assert (
        "<s>◆ <b>Vex</b> attacks Mara, <i>“wide”</i>: 1d20 ⟦2⟧ + 4 = 6 against 18, miss.</s>"
        in enc.log(undone=True).html
    )
    assert "Undone: Attack" in struck
    enc.undo(to=8)
    assert "Round 1" not in str(enc.log())
    enc.redo()
    assert str(enc.log()).count("## Round 1") == 1


def test_who_was_taken_back_is_told_of_with_the_mark_of_their_side() -> None:
    enc = ck.Encounter("saga", id="friday", seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Vex", side="empire")
    enc.start(rolls={"Mara": 20, "Vex": 1})
    enc.do("Mara", "attack", target="Vex", rolls=[10])
    enc.end_turn()
    enc.do("Vex", "attack", target="Mara", rolls=[3])
    enc.undo(to=1)
    told = str(enc.log(undone=True))
    assert "~~● **Mara** attacks Vex: 1d20 ⟦10⟧" in told
    assert "~~◆ **Vex** attacks Mara: 1d20 ⟦3⟧" in told
    assert "**rebels**" not in told
    assert str(enc.log()) == "# friday\n\nStar Wars Saga Edition, seed 7.\n"


def test_players_are_not_told_what_the_gm_knows() -> None:
    told = str(fight().log(view="players"))
    assert "from the catwalk" in told
    assert "falling crates" not in told
    assert "19 left" not in told
    assert "of 25" not in told
    with pytest.raises(ck.InvalidInput, match="view is 'all'; it is 'gm' or 'players'"):
        fight().log(view="all")


def test_a_log_stays_as_it_was_made() -> None:
    enc = fight()
    document = enc.log()
    before = str(document)
    enc.do("Ossik", "move")
    assert str(document) == before
    assert str(enc.log()) != before
    assert repr(document) == repr(document)
    assert document._repr_markdown_() == before
    assert document._repr_html_() == document.html


def test_it_is_written_as_markdown_or_as_a_page(tmp_path: Path) -> None:
    document = fight().log()
    assert document.write(tmp_path / "friday.md").read_text(encoding="utf-8") == str(document)
    page = document.write(str(tmp_path / "friday.html")).read_text(encoding="utf-8")
    assert page.startswith('<!doctype html>\n<html lang="en">')
    assert document.html in page
    assert "http" not in page
    for path, message in (
        ("friday.txt", r"ends in '\.txt'; a log is written to \.md or \.html"),
        ("no/f.md", "cannot be"),
    ):
        with pytest.raises(ck.InvalidInput, match=message):
            document.write(tmp_path / path)


class Tags(HTMLParser):
    """Counts what opens and closes, and gathers the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.add(tag)
        assert {name for name, _ in attrs} <= {"href", "id"}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


ALLOWED = {"h1", "h2", "h3", "p", "ul", "ol", "li", "b", "i", "s", "sup", "a", "code"}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("seed", range(4))
def test_any_log_is_well_formed_and_the_same_each_time(system: str, seed: int) -> None:
    enc = play(system, seed, 80)
    for undone in (False, True):
        document = enc.log(undone=undone)
        tags = Tags(document.html)
        assert tags.open == []
        assert tags.seen <= ALLOWED
        assert (str(document), document.html) == (str(enc.log(undone=undone)), enc.log(undone=undone).html)
        assert "None" not in tags.text
        numbers = re.findall(r'href="#([^"]+)"', document.html)
        assert set(numbers) == set(re.findall(r'id="([^"]+)"', document.html))


SIGNS = st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])
WORDS = st.text(SIGNS, min_size=1, max_size=20).map(bare).filter(bool)
"""Words as a fight keeps them."""


@given(name=WORDS.filter(lambda name: name != "GM"), side=WORDS, note=WORDS)
def test_words_stay_words(name: str, side: str, note: str) -> None:
    enc = ck.Encounter("saga", seed=7, id=note)
    enc.add(name, side=side)
    enc.start()
    enc.do(name, "move", note=note)
    document = enc.log()
    tags = Tags(document.html)
    assert tags.seen <= ALLOWED
    assert f"{capital(neutral(name))} moves, “{neutral(note)}”" in tags.text
    line = next(line for line in str(document).splitlines() if line.startswith("● "))
    for mark in "*`<[|$~":
        loose = re.sub(r"\\[\\`*{}\[\]<>#|~$_]", "", line)
        assert loose.count(mark) == (6 if mark == "*" else 0)


def test_several_words_on_several_lines_stay_one_line_of_markdown() -> None:
    enc = ck.Encounter("saga", id="saga-7", seed=7)
    enc.add("Mara", side="x")
    enc.start()
    enc.do("Mara", "move", note="one\n\n# two\n- three")
    assert "● **Mara** moves, *“one  \\# two - three”*" in str(enc.log())


def test_the_past_can_be_told_too() -> None:
    from combatkit.report import Document

    enc = fight()
    first = next(event.seq for event in enc._events if event.kind == "turn")
    assert "attacks" not in str(Document(enc.at(first)))


def test_a_log_counts_its_rounds_not_their_steps() -> None:
    enc = ck.Encounter("segments", id="alley", seed=1)
    enc.add("Ann", side="a")
    enc.add("Orc", side="b")
    enc.start()
    enc.next_round()
    enc.next_round()
    assert enc.log().markdown.count("\n### ") == 2
    assert repr(enc.log()).startswith("<Log of alley: 3 parts, ")


def test_what_nobody_did_is_listed_from_three_on_and_bookkeeping_of_the_rules_left_out() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="a", dex=4)
    enc.add("Vex", side="b", dex=2)
    enc.start()
    assert "\n- Mara rolls" in enc.log().markdown
    alone = ck.Encounter("saga", seed=1)
    alone.add("Mara", side="a", dex=4)
    alone.start()
    assert "\n- Mara rolls" not in alone.log().markdown
    segments = ck.Encounter("segments", seed=1)
    segments.add("Ann", side="a")
    segments.add("Orc", side="b")
    segments.start()
    segments.next_round()
    assert any(e.kind == "fact" and e.text == "initiative will be rolled anew" for e in segments._events)
    assert "initiative yet" not in segments.log().markdown


def test_dice_of_the_table_are_explained_only_where_there_are_some() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="a")
    enc.start()
    assert "double brackets" not in enc.log().markdown
    assert "double brackets" not in enc.log().html


def test_the_first_that_an_action_brings_says_it() -> None:
    event = ck.Event(3, 1, "action", "Mara", "ready", text="readies an action")
    line = OpenLine(event, "Mara", ["readies an action"], gm=False)
    assert line.say("readies an attack", ("saga.ready",))
    assert not line.say("is readied")
    assert line.parts == ["readies an attack"]
    assert line.cite == ("saga.ready",)


def test_an_attack_is_told_once_with_what_it_uses_up() -> None:
    enc = ck.Encounter("saga", seed=1, options={"actions": "book", "trade_down": True})
    enc.add("Mara", side="rebels", dex=2, attack_bonus=9)
    enc.add("Vex", side="hunters", dex=1, defense=20)
    enc.start(rolls={"Mara": 19, "Vex": 5})
    enc.do("Mara", "aim")
    enc.do("Mara", "attack", target="Vex", rolls={"attack": [2]})
    enc.end_turn()
    enc.do("Vex", "feint", target="Mara", outcome="hit")
    enc.next_round()
    enc.end_turn()
    enc.do("Vex", "attack", target="Mara", outcome="miss")
    told = enc.log(rules=False).markdown
    assert "attacks Vex (shoots with the aim: cover doesn't count): 1d20 ⟦2⟧ + 9 = 11 against 20, miss." in told
    assert "attacks Mara (Mara is caught flat-footed by Vex): miss." in told
    assert told.count("attacks") == 2


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_turn_that_passed_idle_is_told_before_what_its_end_brings(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    enc.add("Mara", side="a")
    enc.start()
    if system == "segments":
        enc.end_turn(rolls={"a": 3})
    enc.condition("Mara", "shaken", until="end of turn")
    enc.condition("Mara", "hexed", until="end of turn")
    enc.end_turn()
    assert "; does nothing; is no longer shaken; is no longer hexed." in enc.log().markdown


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system != "segments"])
def test_what_somebody_has_of_a_condition_stands_behind_it(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    enc.add("Mara", side="a")
    enc.start()
    enc.condition("Mara", "cover", value=2)
    enc.condition("Mara", "barrier", value=5)
    assert "has cover: 2 (by the GM); has a barrier: 5 (by the GM)." in enc.log().markdown


def test_who_dies_as_their_last_turn_ends_had_their_turn_first() -> None:
    enc = ck.Encounter("d6", seed=1)
    for name in ("Mara", "Vex"):
        enc.add(name, side=name, resolve=10)
    enc.start(rolls={"Vex": 6, "Mara": 1})
    for amount in (10, 6):
        enc.damage("Mara", amount)
    enc.do("Mara", "blaze_of_glory")
    enc.end_turn()
    assert "does nothing; has had their last turn; dies." in enc.log().markdown


def test_a_slot_taken_by_hand_is_told_as_the_gms() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="a")
    enc.start()
    enc.adjust("Mara", "swift", -1)
    assert "loses a swift action, 0 left (by the GM)" in enc.log().markdown


def test_an_action_and_the_condition_it_brings_are_both_told() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Mara", side="a", hide=1)
    enc.add("Vex", side="b", hide=1)
    enc.start(ties=["Mara", "Vex"])
    who = enc.active
    assert who is not None
    enc.do(who, "defend", rank="hide")
    assert f"**{who}** defends" in enc.log().markdown
    assert "gets Defense +2" in enc.log().markdown


def test_an_id_that_was_drawn_is_no_title() -> None:
    enc = ck.Encounter("ap", seed=1)
    enc.add("Mara", side="rebels")
    enc.start()
    second = ck.Encounter("ap", seed=2)
    second.add("Mara", side="rebels")
    for fight in (enc, second):
        assert fight.log().markdown.startswith(f"# {enc.ruleset.title}\n"), fight.id
    branch = ck.Encounter("ap", id="friday", seed=1)
    branch.add("Mara", side="rebels")
    branch.start()
    last = len(branch._events)
    assert branch.log().markdown.startswith("# friday\n")
    assert branch.branch(last).log().markdown.startswith(f"# friday, from event {last}\n")


NUMBERS: dict[str, dict[str, Any]] = {
    "saga": {"attack_bonus": 4, "defense": 15},
    "d6": {"defense": 9, "weapons": [{"name": "knife", "attack": "3D", "damage": "1D"}]},
    "ap": {"attack_bonus": 4, "defense": 12},
    "segments": {"aac0": 15, "ac": 5},
    "phases": {"ocv": 5, "dcv": 5},
}


@pytest.mark.parametrize(
    ("system", "met"),
    [("saga", "15"), ("d6", "9"), ("ap", "12"), ("segments", "10"), ("phases", "15")],
)
def test_an_attack_says_the_number_it_met_to_whoever_may_know_it(system: str, met: str) -> None:
    enc = ck.Encounter(system, seed=1)
    for name, side in (("Ada", "red"), ("Orc", "blue")):
        enc.add(name, side=side, npc=name == "Orc", **NUMBERS[system])
    enc.start()
    for name, target in (("Ada", "Orc"), ("Orc", "Ada")) if enc.active == "Ada" else (("Orc", "Ada"), ("Ada", "Orc")):
        while enc.active != name:
            enc.end_turn()
        enc.do(name, "attack", target=target)
        while enc.pending:
            enc.resolve()
        (said,) = re.findall(rf"\*\*{name}\*\* \w+ {target}: [^.]*", str(enc.log()))
        assert re.search(rf" against {met}, (hit|miss)", said)
        (said,) = re.findall(rf"\*\*{name}\*\* \w+ {target}: [^.]*", str(enc.log(view="players")))
        assert (" against " in said) is (target == "Ada"), "an NPC's number is theirs"


# ── what is told of several at once ──


def told_of_guards(language: str) -> str:
    """Tell what the GM says of two at once."""
    enc = ck.Encounter("saga", seed=1, language=language)
    enc.add("Guard", side="a", count=2, hp=30, defense=15)
    guards = ["Guard 1", "Guard 2"]
    enc.edit(guards, defense=20)
    enc.temporary(guards, 4)
    enc.temporary(guards, 2)
    enc.edit(guards, hp_max=40)
    enc.edit(guards, shown_as="a trooper")
    return str(enc.log())


def test_an_adverb_before_the_verb_leaves_it_in_the_plural() -> None:
    told = told_of_guards("en")
    for words in (
        "now have a defense of 20 (was 15)",
        "still have 4 temporary points",
        "now have at most 40 hp",
        "now have the look of a trooper",
    ):
        assert f"Guard 1 and Guard 2 {words}" in told


def test_a_look_given_to_several_is_german() -> None:
    assert "Hat jetzt das Aussehen von a trooper: Guard 1 und Guard 2" in told_of_guards("de")


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("doesn't finish it, and loses web as if cast", "don't finish it, and lose web as if cast"),
        ("no longer plans to flee", "no longer plan to flee"),
        ("only did something simple, and so acts in D4", "only did something simple, and so act in D4"),
        ("falls, and Jess sees it", "fall, and Jess sees it"),
    ],
)
def test_each_clause_of_several_has_its_verb_in_the_plural(one: str, many: str) -> None:
    assert of_several(one, ["Ann", "Bob"], ck.ruleset("segments").languages["en"]) == f"Ann and Bob {many}"


def test_two_who_let_a_declared_deed_go_by_are_told_in_the_plural() -> None:
    enc = ck.Encounter("segments", seed=5)
    for name, side in {"Ann": "party", "Bob": "party", "Orc": "foes"}.items():
        enc.add(name, side=side, hp=20)
    enc.start()
    for name in ("Ann", "Bob"):
        enc.do(name, "declare", action="parley")
    enc.end_turn(rolls={"party": [6], "foes": [1]})
    while enc.active in {"Ann", "Bob"}:
        enc.end_turn()
    assert "Ann and Bob don't parley in step 3, and have only minor actions left" in str(enc.log())


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
def test_what_follows_an_undo_stands_under_the_heading_of_its_moment(system: str) -> None:
    from combatkit.widgets import CombatLog

    enc = ck.Encounter(system, seed=7)
    for name, side in (("Mara", "rebels"), ("Vex", "empire")):
        enc.add(name, side=side)
    enc.start()
    before = 0
    while enc.clock.round == enc.ruleset.first_round(enc._state):
        before = len(enc._events)
        enc.end_turn()
    heads = CombatLog(enc).view["heads"]
    stood = [head for seq, head in heads.items() if int(seq) <= before][-1]
    enc.undo()
    enc.condition("Mara", "blessed")
    heads = CombatLog(enc).view["heads"]
    assert [*heads.values()][-1] == stood
    enc.undo()
    enc.redo()
    enc.condition("Vex", "blessed")
    assert [*CombatLog(enc).view["heads"].values()][-1] == stood


def test_a_question_after_a_deed_does_not_tell_the_deed_again() -> None:
    enc = ck.Encounter("ap", seed=1, options={"actions": "book"})
    enc.add("Bo", side="a", initiative_rating=9)
    enc.add("Vex", side="b")
    enc.start()
    enc.do("Bo", "trip", target="Vex")
    enc.resolve()
    enc.resolve(answer="loses")
    enc.do("Bo", "attack", target="Vex", outcome="miss")
    enc.do("Vex", "parry")
    enc.resolve(answer="failed")
    told = enc.log(rules=False).markdown
    assert "**Bo** tries to trip Vex. Does Bo win the contest? The GM decides that Bo loses the contest." in told
    assert "Bo attacks Vex. Vex parries. Does that foil it? The GM decides that it failed." in told


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_has_left_is_not_said_to_have_points_left(system: str) -> None:
    stats: dict[str, Any] = {ck.ruleset(system).vitals[0].name: 9}
    enc = ck.Encounter(system, seed=1)
    enc.add("Ann", side="red", **stats)
    enc.add("Bo", side="blue", **stats)
    enc.start()
    enc.leave("Bo")
    standing = str(enc.log()).split("## How things stand")[1]
    assert ", has left" in standing
    assert ", left" not in standing


def test_what_somebody_breaks_free_of_is_told_once() -> None:
    enc = ck.Encounter("saga", seed=1, options={"actions": "book"})
    enc.add("Ann", side="red")
    enc.add("Bo", side="blue")
    enc.start(rolls={"Ann": 20, "Bo": 1})
    enc.condition("Ann", "bound")
    enc.do("Ann", "escape_bonds")
    enc.resolve(answer="bound")
    assert str(enc.log()).count("no longer bound") == 1
