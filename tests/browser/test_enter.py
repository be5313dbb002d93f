"""Keys alone through every form of every action: an Enter too many ends no turn, step or phase."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

import combatkit as ck
from combatkit.rules.ruleset import Ruleset
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.sizes import mostly_long
from tests.test_asked import kept
from tests.test_table_dice import ARMED
from tests.wire import recording

SYSTEMS = [rules.id for rules in ck.rulesets()]
ENDS = ("end_turn", "next_round", "resolve", "start", "finish")
"""Calls that end a turn, a step, a window or the fight, or begin it."""

MOST = 14
"""With more than this nobody fills in a form."""

recorded = pytest.fixture(autouse=True)(recording)

HERE = """() => {
    const on = document.activeElement;
    const shell = document.querySelector(".ck-shell");
    if (!shell.contains(on)) return ["lost"];
    if (on.matches(".ck-res")) return ["rests"];
    if (on.matches("input.ck-face")) return ["die", on.ariaLabel, on.value];
    const isField = on.matches("input:not([type=checkbox], [type=range])");
    if (isField) return ["field", on.ariaLabel ?? on.labels?.[0]?.innerText ?? "", on.value, on.type];
    return ["button", on.ariaLabel ?? on.innerText, on.closest(".ck-work, .ck-asked") ? "form" : ""];
}"""


class Walk(Live):
    """A tracker whose every message is kept, and what a hand does that knows Enter only."""

    def __init__(self, page: StubPage, tracker: ck.Tracker, seed: int = 0) -> None:
        self.said: list[dict[str, Any]] = []
        self.rng = Random(seed)
        super().__init__(page, tracker)
        self.settle()

    def _hear(self, name: str, content: Any) -> list[tuple[str, Any]]:
        self.said.append(content)
        return super()._hear(name, content)

    @property
    def calls(self) -> list[str]:
        return [each["kind"] for each in self.said]

    def here(self) -> list[str]:
        """Say what has the focus."""
        return list(self.page.page.evaluate(HERE))

    def open(self, action: str) -> bool:
        """Find an action among those that can be done, or are allowed by the GM, and press it."""
        finder = self.root.get_by_label("Find an action")
        if not finder.count():
            return False
        enc = self.tracker.encounter
        finder.fill(enc.ruleset.catalogue(enc._state)[action].title)
        found = self.root.locator(f'.ck-desk [data-action="{action}"]')
        if not found.count():
            return False
        found.first.focus()
        self.press("Enter")
        allow = self.button("GM allows it")
        if allow.count():
            allow.focus()
            self.press("Enter")
        return True

    def fill(self) -> bool:
        """Fill in whatever the form leads to, and press Enter until something is sent; say whether it was."""
        for _ in range(MOST):
            if any(kind in ("do", *ENDS) for kind in self.calls):
                return True
            if not self.root.locator(".ck-work").count():
                return False
            what, *rest = self.here()
            if what == "die" and not rest[1]:
                self.press(*str(self.rng.randint(1, 4)))
            elif what == "field" and not rest[1]:
                self.press(*("3" if rest[2] == "number" or "ow much" in rest[0] else "3, 4"))
            elif what in ("lost", "rests"):
                return False
            self.press("Enter")
        return False


def fight(system: str, *, table: bool) -> ck.Tracker:
    """Begin a fight in which there is something to do with everything: two a side, armed."""
    armed, target, _ = ARMED[system]
    enc = ck.Encounter(system, seed=5, id="keys")
    for name, side, stats in (("Mara", "rebels", armed), ("Ilya", "rebels", armed)):
        enc.add(name, side=side, npc=False, **stats)
    enc.add("Vex", side="empire", **target)
    enc.add("Guard", side="empire", count=2, npc=True, **target)
    enc.start()
    while enc.active != "Mara":
        for name in enc.names if "declare" in [each.id for each in enc.ruleset.actions] and enc.active is None else ():
            if enc.can(name, "declare", action="attack").allowed:
                enc.do(name, "declare", action="attack")
        enc.end_turn()
    tracker = ck.Tracker(enc)
    tracker._vantage.throw(table)
    return tracker


def walk(page: StubPage, rules: Ruleset, actions: list[str], *, table: bool) -> tuple[Counter[str], list[str]]:
    """Go through the forms of so many actions; give what became of them, and what the last Enter did wrong."""
    live = Walk(page, fight(rules.id, table=table))
    enc, start = live.tracker.encounter, live.tracker.encounter._state
    became, wrong = Counter[str](), list[str]()
    for action in actions:
        live.said.clear()
        if not live.open(action):
            became["not offered"] += 1
            continue
        sent = live.fill()
        became["sent" if sent else "not sent"] += 1
        if sent:
            done = [kind for kind in live.calls if kind in ENDS]
            before = len(live.calls)
            if done:
                wrong.append(f"{action}: {done} before it was sent")
            live.press("Enter")
            if ended := [kind for kind in live.calls[before:] if kind in ENDS]:
                wrong.append(f"{action}: {ended}")
            if live.here() == ["lost"]:
                wrong.append(f"{action}: the focus is lost")
        while enc._state != start and enc.can_undo:
            enc.undo()
        live.show(live.tracker)
        live.settle()
    return became, wrong


def some(system: str) -> list[str]:
    """Give two actions of a system, the same each time."""
    catalogue = [action.id for action in ck.ruleset(system).actions]
    return Random(41).sample(catalogue, 2)


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_enter_too_many_ends_nothing(stub_page: StubPage, system: str) -> None:
    became, wrong = walk(stub_page, ck.ruleset(system), some(system), table=system in ("d6", "phases"))
    assert became["sent"], became
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
@pytest.mark.timeout(1800)  # every action there is
@pytest.mark.parametrize("table", [False, True], ids=["seeded", "table"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_an_enter_too_many_ends_nothing_in_any_form(stub_page: StubPage, system: str, table: bool) -> None:
    catalogue = [action.id for action in ck.ruleset(system).actions]
    became, wrong = walk(stub_page, ck.ruleset(system), catalogue, table=table)
    assert became["sent"] > len(catalogue) / 2, became
    assert not wrong, "\n".join(wrong)


# ── one by one ──


def seated(page: StubPage, system: str, *, table: bool = False) -> Walk:
    return Walk(page, fight(system, table=table))


def test_letters_count_behind_a_click_beside_everything_and_on_a_page_that_is_only_this(stub_page: StubPage) -> None:
    live = seated(stub_page, "saga")
    enc, who = live.tracker.encounter, live.tracker.encounter.active
    live.press("n")
    assert enc.active == who, "on a page of others nothing is taken that is meant for them"
    live.root.locator(".ck-shell").click(position={"x": 3, "y": 300})
    live.press("n")
    assert enc.active != who
    who = enc.active
    stub_page.page.evaluate("""() => {
        document.activeElement.blur();
        document.querySelector(".ck-shell").parentElement.dataset.ckPage = "";
    }""")
    live.press("n")
    assert enc.active != who


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "segments"))
def test_a_figure_again_leads_into_its_form_and_whoever_is_chosen_stays(stub_page: StubPage, system: str) -> None:
    live = seated(stub_page, system, table=True)
    live.root.locator(".ck-res").focus()
    live.press("1")
    form = live.root.locator(".ck-work")
    live.click(form.get_by_role("button", name="Guard 2"))
    for _ in range(2):
        form.get_by_role("button", name="Cancel").focus()
        live.press("1")
        assert form.locator(".ck-pick[aria-pressed=true]").first.inner_text().startswith("Guard 2")
    live.root.locator(".ck-res").focus()
    live.press("1", "1")
    assert form.locator(".ck-pick[aria-pressed=true]").first.inner_text().startswith("Guard 2")
    assert live.here()[0] == "die"


def test_until_is_sent_by_enter(stub_page: StubPage) -> None:
    live = seated(stub_page, "phases")
    ladder = live.root.get_by_role("list", name="Initiative ladder")
    ladder.get_by_role("listitem").filter(has_text="Mara").focus()
    live.press("d")
    live.click("Condition")
    live.press(*"Blessed", "Tab", *"3 rounds", "Enter")
    found = [effect for effect in live.tracker.encounter._state.fighters["Mara"].effects if effect.id == "Blessed"]
    assert len(found) == 1
    assert live.calls[-2:].count("damage") == 0


def test_what_is_looked_for_is_left_by_escape(stub_page: StubPage) -> None:
    live = seated(stub_page, "phases")
    live.root.locator(".ck-res").focus()
    live.press("/", *"grab", "Enter")  # the form is open before Escape leaves it
    live.press("Escape", "Escape")
    assert live.root.get_by_label("Find an action").input_value() == ""
    assert live.here() == ["rests"]


def test_dice_of_the_table_are_not_rolled_by_enter(stub_page: StubPage) -> None:
    live = seated(stub_page, "segments", table=True)
    live.open("attack")
    for _ in range(4):
        live.press("Enter")
    assert "do" not in live.calls
    assert not live.tracker.encounter.history.rolls.filter(purpose="attack").height


def test_the_last_die_of_initiative_starts_nothing(stub_page: StubPage) -> None:
    for count in (1, 3):
        enc = ck.Encounter("saga", seed=7)
        enc.add("Guard", side="empire", dex=1, count=count)
        tracker = ck.Tracker(enc)
        tracker._vantage.throw(True)
        live = Walk(stub_page, tracker)
        live.click("Start")
        live.press(*["7", "Enter", "1", "2", "Enter", "4", "Enter"][: 2 if count == 1 else None])
        assert "start" not in live.calls
        live.press("Enter")
        assert "start" in live.calls


def test_what_words_may_have_set_off_is_let_go_before_the_turn_ends(stub_page: StubPage) -> None:
    enc, tracker = kept("phases", "somebody does something")
    live, who = Walk(stub_page, tracker), enc.active
    assert live.root.locator(".ck-ctl > .is-main").inner_text().startswith("Carry on")
    offers = live.root.locator(".ck-desk [data-action]")
    assert not offers.count()
    live.click(live.root.get_by_role("button", name=f"{who} plays on; then nobody reacts"))
    assert offers.count()
    live.press("n")
    assert (enc._state.window, enc.active) == (None, who)


@pytest.mark.parametrize("table", [False, True], ids=["seeded", "table"])
def test_whoever_is_attacked_may_abort_by_one_key(stub_page: StubPage, table: bool) -> None:
    live = seated(stub_page, "phases", table=table)
    enc = live.tracker.encounter
    live.root.locator(".ck-res").focus()
    live.press("1")
    live.page.screenshot(f"keys-abort-{table}")
    live.press("a")
    target = next(name for name in enc.names if live.root.get_by_role("form", name=f"Abort: {name}").count())
    assert enc[target].side != enc["Mara"].side
    live.click(live.root.locator(".ck-work").get_by_role("button", name="Dodge", exact=True))
    assert enc[target].conditions, "they dodge"
    form = live.root.get_by_role("form", name="knife: Mara")
    assert form.count() == 1, "the attack is where it was"
    assert not enc.history.events.filter(kind="attack").height
