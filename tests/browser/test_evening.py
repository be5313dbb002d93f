"""An evening by hand in every system: only what a mouse and a keyboard reach, with Python behind it."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests import soaking
from tests.browser.evening import Player
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

SYSTEMS = [rules.id for rules in ck.rulesets()]
LONG_ROUNDS = dict.fromkeys(SYSTEMS, 5) | {"phases": 2}
"""Of phases' rounds, which have four phases and a recovery each, two are as long as the others' five."""

ROUNDS = dict.fromkeys(SYSTEMS, 2) | {"phases": 1}
"""As many as all that an evening holds needs: what `make test` plays, where a soak plays the long ones."""

MOST_STEPS = 400
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
                field.check()
            elif field.evaluate("el => el.tagName") == "SELECT":
                field.select_option(text)
            else:
                field.fill(text)
        self.live.click(form.locator("button.is-main"))
        self.fill_dice()
        if self.live.button("More").get_attribute("aria-expanded") == "true":
            self.live.click("More")

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
        """Damage takes a click, the number and Enter; healing the same; each undoes in one step."""
        vital = self.root.get_by_role("button", name="Damage or heal").last
        before = vital.inner_text()
        self.live.turn()
        self.live.click(vital)
        self.live.press("3", "Enter")
        assert self.live.turn() == (1, 2)
        hurt = vital.inner_text()
        assert hurt != before
        self.live.click(vital)
        self.live.press("2", "Shift+Enter")
        assert self.live.turn() == (1, 2)
        assert vital.inner_text() not in (before, hurt)
        for held in (hurt, before):
            self.live.button("End turn").or_(self.live.button("End phase")).focus()
            self.live.press("u")
            assert vital.inner_text() == held
        self.live.press("Shift+U", "Shift+U")

    def save_the_page(self) -> None:
        self.live.click("More")
        with self.live.page.page.expect_download() as saved:
            self.live.click(self.root.get_by_role("button", name="Save page"))
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
        self.live.click("More")
        self.live.click("Settings")
        self.root.get_by_role("radio", name="we roll at the table").check()
        self.live.settle()
        self.live.click("More")

    def look_back_and_branch(self) -> None:
        given, events = self.enc, self.events
        self.root.get_by_role("slider", name="Moment").focus()
        self.live.press(*["ArrowLeft"] * 12)  # a branch keeps whole calls
        self.live.click(self.root.get_by_role("button", name="Try another line from"))
        assert self.enc is not given
        assert self.events < events
        expect(self.root).to_contain_text("tracker.encounter")
        self.live.click(f"Back to {given.id}")
        assert self.enc is given


def drop(hand: Evening, file: File) -> None:
    """Drop a file on the set-up, and take one of those in it."""
    hand.root.locator(".ck-setup").evaluate(
        """(el, [name, data]) => {
            const dataTransfer = new DataTransfer();
            const bytes = Uint8Array.from(atob(data), each => each.charCodeAt(0));
            dataTransfer.items.add(new File([bytes], name));
            for (const kind of ["dragover", "drop"])
                el.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
        }""",
        [file.name, b64encode(file.content).decode()],
    )
    review = hand.root.get_by_role("form", name=f"Review of {file.name}")
    expect(review).to_be_visible()
    for box in review.get_by_role("checkbox").all():
        box.set_checked(file.who in (box.locator("xpath=..").text_content() or ""))
    for title, text in file.answers.items():
        review.get_by_role("textbox", name=f"{title} of {file.who}").fill(text)
    hand.live.click(review.get_by_role("button", name="Add 1", exact=True))
    taken = hand.enc[file.who]
    assert {stat: taken.stats[stat] for stat in file.stats} == file.stats


def begin(page: StubPage, system: str) -> Evening:
    """Set a fight of eight up, and start it with dice from the table."""
    page.page.set_viewport_size({"width": 848, "height": 800})
    live = Live(page, ck.Tracker(journal="friday.combat"))
    hand = Evening(live)
    live.root.get_by_role("combobox", name="Rules").select_option(system)
    live.settle()
    search = live.root.get_by_role("searchbox", name="Find a creature")
    search.focus()
    live.press(*["Enter"] * 5)
    drop(hand, FILES[system])
    for name in ("Mara", "Vex"):
        sheet = live.root.get_by_role("form", name="By hand")
        if not sheet.count():
            live.click("By hand")
        sheet.get_by_role("textbox", name="Name").fill(name)
        sheet.get_by_role("combobox", name="Side").fill("rebels")
        sheet.get_by_role("textbox", name="Name").press("Enter")
        live.settle()
    live.root.get_by_role("radio", name="we roll at the table").check()
    live.settle()
    live.click("Start")
    hand.fill_dice()
    return hand


@pytest.mark.long
@pytest.mark.soak
@pytest.mark.parametrize("system", SYSTEMS)
def test_an_evening_is_played_by_hand(stub_page: StubPage, system: str) -> None:
    rounds = (ROUNDS if soaking.seconds(1) is None else LONG_ROUNDS)[system]
    hand = begin(stub_page, system)
    assert len(hand.enc.names) == 8
    besides = [hand.undo_a_wrong_click, hand.leave, hand.join, hand.call_for_reactions, hand.come_back]
    besides += [hand.set_a_condition, hand.hurt_and_heal, hand.look_back_and_branch, hand.restart, hand.save_the_page]
    for _ in range(MOST_STEPS):
        if hand.round > rounds:
            break
        if besides and hand.acts:
            besides.pop(0)()
        hand.turn()
    stub_page.screenshot(f"evening-{system}")
    assert hand.enc.clock.round == hand.round > rounds
    assert not besides
    told = hand.enc.history.events
    done = {action for action in told["action"].to_list() if action}
    assert DONE[system] - done == set()
    assert {"combatant", "leave", "damage", "effect", "undo"} - {str(kind) for kind in told["kind"].to_list()} == set()
    live = hand.live
    live.click("More")
    live.click("End the fight")
    expect(live.button("Run it again").or_(live.button("Fight again"))).to_be_visible()
    hand.enc.close()
