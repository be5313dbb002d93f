"""A room in a real JupyterLab and three phones: a round at the table in every system, with the GM at the notebook."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.browser.failures import Recorder, open_page
from tests.browser.harness import LabPage, Watched
from tests.browser.sizes import mostly_long
from tests.browser.widget_views import THEMES

PLAYERS = ("Mara", "Ossik", "Ilya")
# What the GM has in the notebook; none of it is more than anybody would type there.
TABLE = """
import time
from pathlib import Path
import combatkit as ck

fights, rooms = {}, {}

def begin(id, system):
    fight = fights[id] = ck.Encounter(system, id=f"docks-{id}", seed=7)
    for name in ("Mara", "Ossik", "Ilya"):
        fight.add(name, side="rebels")
    fight.add("Lurk", side="empire", npc=True)
    fight.start()
    rooms[id] = fight.share()
    for name in ("Mara", "Ossik", "Ilya"):
        rooms[id].seat(f"{name}'s", plays=[name])
    return [seat.url for seat in rooms[id].seats]

def go_on(id, names):
    fight = fights[id]
    while fight.active not in names:
        (fight.resolve if fight.pending else fight.end_turn)()
    return fight.active

def cut(id, seat):
    room = rooms[id]
    for page in room.posts[seat].pages:
        room._server.loop.call_soon_threadsafe(page.end, 1012)
"""


@dataclass(frozen=True)
class Evening:
    """A system's round: what is done in one's own turn, what provokes whom, and how they answer."""

    own: str
    provokes: str
    react: str
    answers: tuple[tuple[str, str], ...] = ()
    before: str = ""
    amount: str = ""
    sends: bool = False
    """Whether the form is sent by its own button: it asks for more than has to be said."""
    refused: str = "It's {who}'s turn"


RUNS_PAST = 'fight.trigger("Lurk", to=["{who}"], text="Lurk runs past")'
EVENINGS = {
    "saga": Evening("Move", RUNS_PAST, "Attack of opportunity", (("Outcome", "hit"),)),
    "d6": Evening(
        "Move",
        'fight.do("Lurk", "move")',
        "Use held action",
        (("Target", "Lurk"), ("Outcome", "hit")),
        'fight.do("{who}", "hold", action="attack", trigger="a foe moves")',
        amount="3",
        sends=True,
    ),
    "ap": Evening(
        "Dash",
        'fight.do("Lurk", "attack", target="{who}")',
        "Parry",
        (("Outcome", "It worked"),),
        refused="Nothing to react to",
    ),
    "segments": Evening("Move", RUNS_PAST, "Free attack", (("Outcome", "hit"),)),
    "phases": Evening("Open or close a door", RUNS_PAST, "Attack of opportunity", (("Target", "Lurk"),), sends=True),
}


class Phone(Watched):
    """A player's phone."""

    def __init__(self, context: BrowserContext, url: str, who: str) -> None:
        super().__init__(open_page(context))
        self.context = context
        self.who = who
        self.page.goto(url)

    @property
    def end(self) -> Locator:
        return self.page.get_by_role("button", name="End my turn")

    @property
    def held(self) -> Locator:
        """What holds the end of a turn and takes no tap."""
        return self.page.locator("[inert]").filter(has=self.page.locator("button", has_text="End my turn"))

    @property
    def window(self) -> Locator:
        return self.page.locator(".ck-desk [data-window]")

    def heading(self, name: str) -> Locator:
        return self.page.get_by_role("heading", name=name)

    def expect_turn(self, who: str) -> None:
        """Wait until the page says whose turn it is, on top."""
        expect(self.page.locator(".ck-turn")).to_contain_text("Your turn" if who == self.who else f"{who}'s turn")

    def find(self, action: str) -> Locator:
        """Look for an action, and give the first that is found."""
        self.page.get_by_role("textbox", name="Find an action").fill(action)
        return self.page.get_by_role("group", name="Found").locator(".ck-act").first

    def pictures(self, name: str) -> None:
        """Save how it looks in either theme."""
        for theme in THEMES:
            self.page.emulate_media(color_scheme=theme)
            self.screenshot(f"phone-{name}-{theme}")
        self.page.emulate_media(color_scheme="light")


class Table:
    """A fight in the notebook, its room, and the phones at it."""

    def __init__(self, lab: LabPage, contexts: list[BrowserContext], id: str, system: str) -> None:
        self.lab = lab
        self.id = id
        urls = literal_eval(lab.add_and_run_cell(f"begin({id!r}, {system!r})"))
        pairs = zip(contexts, urls, PLAYERS, strict=True)
        self.phones = {who: Phone(context, url, who) for context, url, who in pairs}
        lab.add_and_run_cell(f"rooms[{id!r}]  # the room of {id}")
        cell = lab.page.locator(".jp-NotebookPanel:visible .jp-Cell", has_text=f"# the room of {id}")
        self.room = cell.get_by_role("region", name="Seats")
        expect(self.room).to_be_visible()

    def run(self, code: str) -> str:
        """Run a cell about the fight."""
        return self.lab.add_and_run_cell(f"fight, room = fights[{self.id!r}], rooms[{self.id!r}]\n{code}")

    def go_on(self, *names: str) -> Phone:
        """Let the GM go on until it is somebody's turn, and give their phone."""
        return self.phones[literal_eval(self.run(f"go_on({self.id!r}, {names})"))]

    def press(self, name: str) -> None:
        """Press a button of the room, as the GM."""
        self.room.get_by_role("button", name=name, exact=True).click()


@pytest.fixture
def lab(lab_page: LabPage) -> LabPage:
    """Give the GM's notebook."""
    lab_page.open([TABLE])
    lab_page.run_all()
    return lab_page


@pytest.fixture
def contexts(new_context: Recorder) -> Iterator[list[BrowserContext]]:
    with ExitStack() as stack:
        yield [stack.enter_context(new_context(viewport={"width": 390, "height": 844})) for _ in PLAYERS]


@pytest.mark.parametrize("system", mostly_long(EVENINGS, "d6"))
def test_a_round_at_the_table(system: str, lab: LabPage, contexts: list[BrowserContext]) -> None:
    evening = EVENINGS[system]
    table = Table(lab, contexts, system, system)
    phones = table.phones
    for phone in phones.values():
        expect(phone.page.locator(".seat-me")).to_contain_text(phone.who)

    # Two play their own turns; a third tries, and reads why not.
    first = table.go_on("Mara", "Ilya")
    first.expect_turn(first.who)
    third = phones["Ossik"]
    third.expect_turn(first.who)
    before = table.run("fight.digest")
    expect(third.end).to_have_accessible_description(f"It's {first.who}'s turn.")
    third.end.click(force=True)  # it says why
    refusal = evening.refused.format(who=first.who)
    refused = third.find(evening.own)
    expect(refused).to_have_accessible_description(re.compile(f"^{refusal}"))
    refused.click(force=True)
    expect(third.page.get_by_role("status").filter(has_text=refusal).first).to_be_attached()
    assert table.run("fight.digest") == before
    third.page.keyboard.press("Escape")
    second = phones[next(who for who in ("Mara", "Ilya") if who != first.who)]
    for phone in (first, second):
        assert table.go_on(phone.who) is phone
        phone.expect_turn(phone.who)
        phone.find(evening.own).click()
        expect(phone.page.locator("[data-sent]")).to_have_count(0)
        expect(phone.page.locator(".ck-res")).to_contain_text(phone.who)
        if phone is first:
            phone.pictures(f"{system}-turn")
        phone.end.click()
        expect(phone.page.locator(".ck-turn")).not_to_contain_text("Your turn")

    # The third answers what the foe does; whoever else is asked lets it go.
    if evening.before:
        table.go_on(third.who)
        table.run(evening.before.format(who=third.who))
    table.run(f"go_on({table.id!r}, ['Lurk'])\n{evening.provokes.format(who=third.who)}")
    expect(third.window).to_be_visible()
    third.pictures(f"{system}-reaction")
    one_of_several = third.window.get_by_role("group", name="With").get_by_role("button", name=evening.react)
    if one_of_several.count():
        one_of_several.click()
    for _, value in evening.answers:  # what there is only one of is chosen
        choice = third.page.get_by_role("button", name=re.compile(f"^{value}$", re.IGNORECASE))
        if choice.get_attribute("aria-pressed") != "true":
            choice.click()
    if evening.amount:
        third.page.get_by_role("textbox", name="How much?").fill(evening.amount)
    send = third.window.locator(".is-main", has_text=evening.react)
    if evening.sends:
        send.click()
    expect(send).to_have_count(0)
    for who in literal_eval(table.run("[offer.who for offer in fight.pending]")):
        phones[who].page.get_by_role("button", name="Let it go").click()
    for phone in phones.values():
        expect(phone.window).to_have_count(0)

    # The GM pauses all seats, and lets them go on.
    now = table.go_on(first.who, second.who)
    now.expect_turn(now.who)
    before = table.run("fight.digest")
    table.press("Pause all seats")
    for phone in phones.values():
        expect(phone.heading("The table is paused")).to_be_visible()
        expect(phone.held).to_have_count(1)
    now.end.click(force=True)  # on top it says why nothing comes of it
    assert table.run("fight.digest") == before
    table.press("Go on")
    for phone in phones.values():
        expect(phone.heading("The table is paused")).to_have_count(0)
        expect(phone.held).to_have_count(0)
    now.expect_turn(now.who)

    # A foe is hidden, and shown.
    table.run('fight.condition("Lurk", "hidden")')
    for phone in phones.values():
        expect(phone.page.get_by_text("Lurk")).to_have_count(0)
    table.run('fight.condition("Lurk", "hidden", off=True)')
    for phone in phones.values():
        expect(phone.page.locator(".ck-rung", has_text="Lurk").first).to_be_attached()

    # A phone is cut off and comes back to what has happened meanwhile; another's seat is closed.
    third.context.set_offline(True)
    table.run(f'cut({table.id!r}, "{third.who}\'s")')
    expect(third.heading("Not connected")).to_be_visible()
    now.end.click()
    expect(now.page.locator(".ck-turn")).not_to_contain_text(f"{now.who}'s turn")
    third.context.set_offline(False)
    expect(third.heading("Not connected")).to_have_count(0)
    expect(third.page.locator(".ck-turn")).not_to_contain_text(f"{now.who}'s turn")
    third.problems.clear()  # tries without a network
    table.press(f"Revoke, {second.who}'s")
    expect(second.heading("This seat was closed")).to_be_visible()
    expect(second.end).to_be_hidden()

    done = literal_eval(table.run("[(event.actor, event.kind) for event in fight._events if event.by == 'player']"))
    assert {(first.who, "turn_end"), (second.who, "turn_end")} <= set(done)
    assert third.who in dict(done)
    assert table.run("room._problems") == "[]"
    for phone in phones.values():
        phone.assert_clean()
    table.run("room.close()")
    expect(first.heading("The table is closed")).to_be_visible()
    for phone in phones.values():
        # A closed table may open anew: half a second later it is tried again, and nobody is there.
        phone.problems = [each for each in phone.problems if "ERR_CONNECTION_REFUSED" not in each]
        phone.assert_clean()


@pytest.mark.long
def test_while_a_cell_runs_the_gm_is_busy_and_nothing_is_lost(lab: LabPage, contexts: list[BrowserContext]) -> None:
    table = Table(lab, contexts, "busy", "saga")
    phone = table.go_on(*PLAYERS)
    phone.expect_turn(phone.who)
    done = lab.server.folder / "done"
    lab.start_cell("while not Path('done').exists():\n    time.sleep(0.01)")
    for each in table.phones.values():
        expect(each.heading("The GM is busy")).to_be_visible()
    phone.pictures("busy")
    phone.end.click()
    done.touch()
    for each in table.phones.values():
        expect(each.heading("The GM is busy")).to_have_count(0)
        expect(each.page.locator(".ck-turn")).not_to_contain_text("Your turn")
    lab.wait_until_idle()
    assert literal_eval(table.run("fight.active")) != phone.who
    assert table.run("room._problems") == "[]"
    table.run("room.close()")
