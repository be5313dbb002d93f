"""An evening by hand in every system: only what a mouse and a keyboard reach, with Python behind it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.evening import Player
from tests.browser.harness import StubPage
from tests.browser.live import Keys, Live
from tests.wire import recording

SYSTEMS = [rules.id for rules in ck.rulesets()]
ROUNDS = dict.fromkeys(SYSTEMS, 5) | {"phases": 2}
"""Of phases' rounds, in which everybody acts four times, two are longer than the others' five."""
CREATURES = 5
EVENINGS = [
    ("segments", 1, 2),
    *(pytest.param(system, many, CREATURES, marks=pytest.mark.long) for system, many in ROUNDS.items()),
]
"""A round of five in segments, and the first turn of another, hold all that an evening does: so `make test` has one."""
MOST_STEPS = 600
"""More than any evening takes; a fight that hangs ends here."""

DATA = Path(__file__).parents[1] / "data" / "foreign"
STAT_BLOCKS = [
    {"Name": "Dock rat", "HP": {"Value": 9}, "AC": {"Value": 12}, "Abilities": {"Dex": 15}},
    {"Name": "Gull", "HP": {"Value": 2}, "AC": {"Value": 10}, "Abilities": {"Dex": 12}},
]
TABLE = """name,Move,Armour Class,Hit Dice,Attacks,Damage,Intelligence
Cave toad,60-ft,7,1+1,1 bite,1d4,Low
Sand mole,120-ft (60-ft burrowing),5,3,2 claws/1 bite,1d3/1d3/1d6,None
"""


class File(NamedTuple):
    """A file of another tool, who of it is taken, what is answered for them, and what they then have."""

    name: str
    content: bytes
    who: str
    answers: dict[str, str]
    stats: dict[str, object]


FILES = {
    "saga": File("gundark.json", (DATA / "gundark.json").read_bytes(), "Gundark", {}, {"hp": 105, "dex": 4}),
    "d6": File(
        "docks.json",
        json.dumps(STAT_BLOCKS).encode(),
        "Dock rat",
        {"Initiative rank": "2"},
        {"resolve": 9, "defense": 12, "initiative": 2},
    ),
    "ap": File("bear.yml", (DATA / "bear.yml").read_bytes(), "Bear", {"Luck bonus": "2"}, {"ap": 3, "luck_bonus": 2}),
    "segments": File(
        "beasts.csv", TABLE.encode(), "Cave toad", {"Hit points": "7"}, {"ac": 7, "hp": 7, "hit_dice": "1+1"}
    ),
    "phases": File("darci.hdc", (DATA / "darci.hdc").read_bytes(), "Darci", {}, {"stun": 26, "combat_value": 4}),
}
"""One for each system, in a format that its tables use; d6 has none of its own, and takes what any tool has."""

DONE = {
    "saga": {"delay", "act_now", "ready", "use_readied", "attack_of_opportunity"},
    "d6": {"shift", "hold", "use_held", "help"},
    "ap": {"parry", "evade"},
    "segments": {"declare", "delay", "free_attack"},
    "phases": {"delay", "act_now", "ready", "use_readied", "attack_of_opportunity"},
}
"""What is done in an evening besides attacks: who delays comes back, what is readied is used, and others react."""


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield from recording(monkeypatch)


class Evening(Player):
    """An evening's player, with Python at hand to look whether it was done."""

    live: Live

    @property
    def enc(self) -> ck.Encounter:
        return self.live.tracker.encounter

    def more(self, title: str, **fields: str) -> None:
        """Fill in a form of More, each field by its label, and send it."""
        self.live.click("More")
        self.live.click(title)
        form = self.root.get_by_role("form", name=title)
        for label, text in fields.items():
            field = form.get_by_label(label.replace("_", " ")).first
            if field.get_attribute("type") == "checkbox":
                self.live.tick(field)
            elif field.evaluate("el => el.tagName") == "SELECT":
                self.live.choose(field, text)
            else:
                self.live.type(field, text)
        self.live.click(form.locator("button.is-main"))
        self.fill_dice()
        if self.live.button("More").get_attribute("aria-expanded") == "true":
            self.live.click("Close")

    def leave(self) -> None:
        self.gone = self.enc.names[0]
        self.more("Take out of the fight", Who=self.gone)
        assert self.gone not in [rung.combatant for rung in self.enc.order]

    def join(self) -> None:
        self.more("Bring somebody in", Name="Ossik", Side="rebels")
        assert "Ossik" in self.enc.names

    def come_back(self) -> None:
        self.more("Bring somebody in", Name=self.gone, Side="foes")
        assert self.gone in [rung.combatant for rung in self.enc.order]

    def undo_a_wrong_click(self) -> None:
        before = self.enc["Vex"].conditions
        self.more("Set a condition", Who="Vex", Condition="hidden")
        assert [each.id for each in self.enc["Vex"].conditions if each not in before] == ["hidden"]
        self.live.click("Undo")
        assert self.enc["Vex"].conditions == before

    def set_a_condition(self) -> None:
        self.more("Set a condition", Who="Mara", Condition="shaken by the blast")
        assert "shaken by the blast" in [each.id for each in self.enc["Mara"].conditions]
        expect(self.root.get_by_role("list", name="Initiative ladder")).to_contain_text("shaken by the blast")

    def call_for_reactions(self) -> None:
        """Something happens that no button stands for; the others are asked, and somebody takes it up.

        In d6 only who holds an action or has helped reacts, so nobody is asked here.
        """
        who = self.enc.active or ""
        self.more("Call for reactions", What_happens="the crane swings", **{who: "on"})
        expect(self.root).to_contain_text("the crane swings")
        if self.enc.ruleset.id == "d6":
            assert not self.windows.count()
        else:
            self.answer(self.windows)

    def hurt_and_heal(self) -> None:
        """From somebody's bar: the number and Enter for damage, Shift+Enter for healing, and each undone by itself."""
        vital = self.root.get_by_role("button", name="Damage or heal").last
        held = [vital.inner_text()]
        for number, enter in (("3", "Enter"), ("2", "Shift+Enter")):
            self.live.click(vital)
            self.live.press(number, enter)
            held.append(vital.inner_text())
        assert len({*held}) == 3
        for before in (held[1], held[0]):
            self.live.click("Undo")
            assert vital.inner_text() == before
        self.live.press("Shift+U", "Shift+U")

    def save_the_page(self) -> None:
        self.live.click("More")
        with self.live.page.page.expect_download() as saved:
            self.live.click(self.root.get_by_role("button", name="Save web page"))
        assert saved.value.suggested_filename.endswith(".html")
        assert "the crane swings" in saved.value.path().read_text(encoding="utf-8")
        if self.live.button("More").get_attribute("aria-expanded") == "true":
            self.live.click("More")

    def restart(self) -> None:
        """The kernel ends; one cell in the next goes on (test_lab_restart.py ends a real one)."""
        before = self.enc.digest
        self.enc.close()
        self.live.tracker.close()
        self.live.show(ck.Tracker(journal="friday.combat"))
        assert self.enc.digest == before

    def look_back_and_branch(self) -> None:
        given, events = self.enc, self.events
        self.live.go(self.root.get_by_role("slider", name="Moment"))
        self.live.press(*["ArrowLeft"] * 12)  # a branch keeps whole calls
        self.live.click(self.root.get_by_role("button", name="Play on from"))
        assert self.enc is not given
        assert self.events < events
        expect(self.root.get_by_role("group", name="Result")).to_contain_text("Played on from an earlier moment: ")
        self.live.click("Back to the fight you began with")
        assert self.enc is given


def bring(hand: Evening, file: File) -> None:
    """Choose a file, and take one of those in it."""
    with hand.live.page.page.expect_file_chooser() as chooser:
        hand.live.click("Choose a file")
    chooser.value.set_files({"name": file.name, "mimeType": "application/octet-stream", "buffer": file.content})
    review = hand.root.get_by_role("form", name=f"Review of {file.name}")
    expect(review).to_be_visible()
    hand.live.click(review.get_by_role("button", name="None", exact=True))
    hand.live.tick(review.get_by_role("checkbox", name=file.who).first)
    for title, text in file.answers.items():
        hand.live.type(review.get_by_role("textbox", name=f"{title} of {file.who}"), text)
    hand.live.click(review.get_by_role("button", name="Add 1", exact=True))
    taken = hand.enc[file.who]
    assert {stat: taken.stats[stat] for stat in file.stats} == file.stats


def begin(live: Live, system: str, creatures: int) -> Evening:
    """Set a fight of so many from the shelf and three others up, and start it with dice from the table."""
    live.page.page.set_viewport_size({"width": 848, "height": 800})
    hand = Evening(live)
    live.choose(live.root.get_by_role("combobox", name="Rules"), ck.ruleset(system).title)
    live.go(live.root.get_by_role("searchbox", name="Find a creature"))
    live.press("e", *["Enter"] * creatures)
    bring(hand, FILES[system])
    for name in ("Mara", "Vex"):
        sheet = live.root.get_by_role("form", name="By hand")
        live.type(sheet.get_by_role("combobox", name="Side"), "rebels")
        live.type(sheet.get_by_role("textbox", name="Name", exact=True), name)
        live.press("Enter")
    live.tick(live.root.get_by_role("radio", name="we roll at the table"))
    live.click("Start")
    hand.fill_dice()
    return hand


@pytest.mark.parametrize(("system", "rounds", "creatures"), EVENINGS)
def test_an_evening_is_played_by_hand(stub_page: StubPage, system: str, rounds: int, creatures: int) -> None:
    play(Live(stub_page, ck.Tracker(journal="friday.combat")), system, rounds, creatures)


@pytest.mark.long
@pytest.mark.timeout(900)  # some two thousand keys
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_same_evening_is_played_by_keys_alone(stub_page: StubPage, system: str) -> None:
    """Everything is reached by Tab and arrows, and the focus is never lost."""
    live = Keys(stub_page, ck.Tracker(journal="friday.combat"))
    play(live, system, 2, CREATURES)
    assert live.clicks == 0


def play(live: Live, system: str, rounds: int, creatures: int) -> None:
    """Play an evening, with all that one holds."""
    hand = begin(live, system, creatures)
    assert len(hand.enc.names) == creatures + 3
    besides = [hand.undo_a_wrong_click, hand.leave, hand.join, hand.call_for_reactions, hand.come_back]
    besides += [hand.set_a_condition, hand.hurt_and_heal, hand.look_back_and_branch, hand.restart, hand.save_the_page]
    for _ in range(MOST_STEPS):
        if hand.round > rounds and not besides:
            break
        if besides and hand.acts:
            besides.pop(0)()
        hand.turn()
    live.page.screenshot(f"evening-{system}")
    assert hand.enc.clock.round == hand.round > rounds
    assert not besides
    told = hand.enc.history.events
    done = {action for action in told["action"].to_list() if action}
    assert DONE[system] - done == set()
    assert {"combatant", "leave", "damage", "effect", "undo"} - {str(kind) for kind in told["kind"].to_list()} == set()
    rolled = hand.enc.history.rolls
    assert rolled.filter(source="seeded").to_dicts() == [], "every die is the table's"
    live.click("More")
    live.click("End the fight")
    expect(live.button("Run it again")).to_be_visible()
    hand.enc.close()
