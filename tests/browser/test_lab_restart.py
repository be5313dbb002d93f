"""A kernel that is restarted in the middle of an evening: Run All, and play goes on as if nothing had been."""

from __future__ import annotations

from ast import literal_eval

import pytest
from playwright.sync_api import expect

from tests import soaking
from tests.browser.evening import Hand, Player
from tests.browser.harness import LabPage

SYSTEMS = ("saga", "d6", "ap", "segments", "phases")
LONG_ROUNDS, LONG_TURNS = dict.fromkeys(SYSTEMS, 2) | {"phases": 1}, 4
"""A round of phases has four phases and a recovery, and is as long as two of the others'."""
ROUNDS, TURNS = dict.fromkeys(SYSTEMS, 1), 2
"""So many `make test` plays before the restart and after it; a soak plays the long ones."""
MOST = 80
"""So many times a hand does something until a round or two are over: one that is stuck would go on for ever."""
CELL = 'import combatkit as ck\n{0} = ck.Tracker(journal="{0}-{1}.combat")\n{0}'
DIGEST = "each.encounter.digest"
CLOCK = "(each.encounter.clock.round, len(each.encounter.names))"
UNDONE = "each.encounter.history.events['kind'].to_list().count('undo')"
# Which messages of widgets the kernel is not done with yet.
WATCH = """
    () => {
        globalThis.asked = new Set();
        jupyterapp.shell.currentWidget.sessionContext.session.kernel.anyMessage.connect((_, { msg, direction }) => {
            if (direction === "send" && msg.header.msg_type === "comm_msg") asked.add(msg.header.msg_id);
            if (direction === "recv" && msg.content.execution_state === "idle") asked.delete(msg.parent_header.msg_id);
        });
    }
"""
SETTLE = """
    async () => {
        const frame = () => new Promise(requestAnimationFrame);
        for (let quiet = 0; quiet < 2; quiet = asked.size ? 0 : quiet + 1) await frame();
    }
"""


class LabHand(Hand):
    """The hand of one who plays in a notebook's cell."""

    def __init__(self, page: LabPage, cell: int) -> None:
        self.page = page.page
        self.root = page.cell(cell).locator("[data-lm-suppress-shortcuts]").first

    def settle(self) -> None:
        """Wait until the kernel has answered and all that came of it is drawn."""
        self.page.evaluate(SETTLE)


def begin(hand: LabHand, system: str) -> None:
    """Set a fight of three up, from the shelf."""
    hand.root.get_by_role("combobox", name="Rules").select_option(system)
    hand.settle()
    search = hand.root.get_by_role("searchbox", name="Find a creature")
    search.fill("e")
    hand.settle()
    for side in ("rebels", "empire", "empire"):
        hand.root.get_by_role("combobox", name="On side").fill(side)
        search.press("Enter")
        hand.settle()
    expect(hand.root.get_by_role("list", name="Combatants").get_by_role("listitem")).to_have_count(3)
    hand.click("Start")


@pytest.mark.soak
@pytest.mark.parametrize("systems", [("ap",), pytest.param(SYSTEMS, marks=pytest.mark.long)], ids=len)
def test_after_a_restart_and_run_all_every_fight_goes_on_where_it_was(
    lab_page: LabPage, systems: tuple[str, ...]
) -> None:
    """A round or two by hand, a new kernel and the same digests; Undo reaches back before it, and play goes on."""
    rounds, turns = (ROUNDS, TURNS) if soaking.seconds(1) is None else (LONG_ROUNDS, LONG_TURNS)
    lab_page.page.set_viewport_size({"width": 1280, "height": 1000})
    lab_page.open([CELL.format(system, len(systems)) for system in systems])
    lab_page.run_all()
    lab_page.page.evaluate(WATCH)
    hands = [LabHand(lab_page, cell) for cell in range(len(systems))]
    players = [Player(hand) for hand in hands]
    for hand, system in zip(hands, systems, strict=True):
        begin(hand, system)
    for player, system in zip(players, systems, strict=True):
        for _ in range(MOST):
            if player.round > rounds[system]:
                break
            player.turn()

    def tell(what: str) -> list[object]:
        return list(literal_eval(lab_page.add_and_run_cell(f"[{what} for each in ({', '.join(systems)},)]")))

    before = tell(DIGEST)
    assert tell(CLOCK) == [(rounds[system] + 1, 3) for system in systems]

    lab_page.restart()
    lab_page.run_all()
    assert tell(DIGEST) == before
    for hand, player, system in zip(hands, players, systems, strict=True):
        there = player.events
        assert player.round == rounds[system] + 1
        hand.click("Undo")
        hand.click("Redo")
        lab_page.screenshot(f"lab-restarted-{system}", of=hand.root)
        for _ in range(turns):
            player.turn()
        assert player.events > there + 2
    assert tell(UNDONE) == [1] * len(systems)
