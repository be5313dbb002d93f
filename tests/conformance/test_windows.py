"""Windows at random: whatever happens in one, it asks whoever may still answer, nobody else, and says so truly.

People stand near each other, have several reactions each, gain and lose points, conditions and places, are healed,
leave and come back in the middle of windows, soft and hard. After each call everybody is asked to whom the rules allow
an action that opens windows; nobody else is; every reason is true; no question outlives its ground.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import combatkit as ck
from combatkit.rules.catalogue import Action
from combatkit.rules.windows import answerable
from tests.conformance.facts import Facts, hold_against

STEPS, LONG = 600, 20_000
"""So many calls are made in each system: in `make test`, and in `make test-all`."""

CALLS = 40
"""So many calls are made in one fight."""

REASONS = 7
"""After every so many calls, the reasons are held against the log."""

MOST = 3
"""A window under which so much waits isn't told again."""

NAMES = ("Ann", "Bob", "Cid", "Dov", "Eve")
GUN = {"name": "gun", "attack": "3D", "damage": "2D", "type": "energy", "range": "long"}
SPELLS = (
    {"id": "web", "title": "Web", "tags": ["incantation"], "segments": 2},
    {"id": "wand", "title": "Wand", "tags": ["invocation"], "segments": 1},
)
CONDITIONS = {
    "saga": ("surprised", "prone", "unconscious", "dead"),
    "d6": ("wounded", "helping", "helping", "unconscious", "dead"),
    "ap": ("surprised", "prone", "grappled", "unconscious", "dead", "advantage"),
    "segments": ("surprised", "prone", "unconscious", "dead", "in_melee", "in_melee", "delayed"),
    "phases": ("surprised", "prone", "unconscious", "dead"),
}
SHEETS: dict[str, Callable[[Random], dict[str, Any]]] = {
    "saga": lambda rng: {"dex": rng.randrange(4), "hp": 8, "defense": 12, "attack_bonus": 3, "feats": reflexes(rng)},
    "d6": lambda rng: {"resolve": 4, "weapons": [GUN], "npc": not rng.randrange(3), **wounds(rng)},
    "ap": lambda rng: {"ap": rng.randrange(5), "hp": 8, "initiative_rating": rng.randrange(9)},
    "segments": lambda rng: {"hp": 8, "aac0": 15, "ac": 5, "conditions": ["in_melee"] if rng.randrange(3) else []},
    "phases": lambda rng: {"combat_value": rng.randrange(9), "combat_reflexes": not rng.randrange(2)},
}
OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "saga": ({}, {"actions": "book"}),
    "ap": ({}, {"actions": "book"}, {"surprised_secondary_reactions": False}),
    "segments": ({}, {"actions": "book"}),
    "d6": ({}, {"npc_ties": "gm"}),
}
BOARDS = {"saga", "ap", "phases"}
"""Systems in which people stand on squares or hexes."""


def reflexes(rng: Random) -> list[str]:
    return [] if rng.randrange(2) else ["Combat Reflexes"]


def wounds(rng: Random) -> dict[str, Any]:
    return {"significant": True, "conditions": some(rng, ((), ("wounded",), ("helping",), ("wounded", "helping")))}


def some(rng: Random, values: Any) -> Any:
    """Pick one."""
    values = tuple(values)
    return values[rng.randrange(len(values))]


class Table:
    """A fight in which windows are opened, answered and disturbed."""

    def __init__(self, system: str, rng: Random, told: Counter[str]) -> None:
        self.system, self.rng, self.told = system, rng, told
        tables = {"actions": list(SPELLS)} if system == "segments" else None
        options = some(rng, OPTIONS.get(system, ({},)))
        self.enc = ck.Encounter(system, id="windows", seed=rng.randrange(100), options=options, tables=tables)
        self.placed = system in BOARDS and bool(rng.randrange(3))
        for number, name in enumerate(NAMES[: rng.randrange(3, 6)]):
            sheet = SHEETS[system](rng) if system in SHEETS else {}
            if self.placed:
                sheet["at"] = self.spot()
            self.enc.add(name, side="left" if number % 2 else "right", **sheet)
        unaware = [name for name in self.enc.names if not rng.randrange(6)]
        try:
            self.enc.start(surprised=unaware)
        except ck.InvalidInput:  # a text that knows no surprise
            self.enc.start()

    def spot(self) -> tuple[int, int]:
        return self.rng.randrange(4), self.rng.randrange(3)

    def anybody(self) -> str:
        return str(some(self.rng, self.enc.names))

    # ── calls ──

    def step(self) -> None:
        """Make a call: in a window mostly one that answers or disturbs it, else one that may open it."""
        rng = self.rng
        calls: tuple[Callable[[], None], ...]
        if self.enc.pending:
            calls = (self.answer, self.answer, self.answer, self.resolve, self.disturb, self.disturb, self.trigger)
        else:
            calls = (self.act, self.act, self.act, self.keep, self.keep, self.trigger, self.end, self.disturb)
        try:
            some(rng, calls)()
        except ck.CombatkitError as error:
            self.told[f"refused: {type(error).__name__}"] += 1

    def filled(self, name: str, action: str) -> dict[str, Any] | None:
        """Give values for what an action needs, as far as any are listed; None if one can't be told."""
        option = next((o for o in self.enc.options(name) if o.action == action and o.allowed), None)
        if option is None:
            return None
        given: dict[str, Any] = {}
        for param in option.needs:
            choices = [c for c in self.enc.choices(name, action, **given) if c.param == param]
            allowed = [c.value for c in choices if c.ruling.allowed and not c.open]
            if allowed:
                given[param] = some(self.rng, allowed)
            elif param == "trigger":
                given[param] = self.a_trigger(name)
            elif param == "to":
                given[param] = self.spot()
            else:
                return None
        return given

    def a_trigger(self, name: str) -> Any:
        other = some(self.rng, [each for each in self.enc.names if each != name])
        return some(self.rng, ["the bell rings", {"actor": other}, {"actor": other, "action": "attack"}])

    def do(self, name: str, action: str) -> None:
        """Do something allowed; it comes out as it was said, unless a soft window stands before it."""
        given = self.filled(name, action)
        if given is None:
            return
        window = self.enc._state.window
        ruling = self.enc.can(name, action, **given)
        try:
            self.enc.do(name, action, **given)
        except ck.IllegalAction:
            assert not ruling.allowed or (window is not None and window.soft), f"{name} {action} {given}: {ruling}"
            raise
        assert ruling.allowed
        self.told["done" if window is None else "done in a window"] += 1

    def answer(self) -> None:
        offer = some(self.rng, self.enc.pending)
        if offer.who == "GM":
            self.resolve()
        elif not self.rng.randrange(6) and self.system == "saga":
            self.do(self.anybody(), "talent_reaction")
        else:
            self.do(offer.who, some(self.rng, offer.actions))

    def resolve(self) -> None:
        question = next((o for o in self.enc.pending if o.who == "GM"), None)
        answer = some(self.rng, question.choices) if question is not None else None
        self.enc.resolve(answer=answer)

    def act(self) -> None:
        name = self.enc.active or self.anybody()
        tags = {"attack", "movement", "wait"} if self.rng.randrange(3) else None
        catalogue = self.enc.ruleset.catalogue(self.enc._state)
        able = [o.action for o in self.enc.options(name) if o.allowed]
        able = [id for id in able if tags is None or tags & {*catalogue[id].tags}] or able
        if able:
            self.do(name, some(self.rng, able))

    def keep(self) -> None:
        """Let the active one keep something ready, hold it, or help."""
        name = self.enc.active
        known = self.enc.ruleset.catalogue(self.enc._state).ids()
        ways = [id for id in ("ready", "hold", "help", "declare") if id in known]
        if name is not None and ways:
            self.do(name, some(self.rng, ways))
        elif name is None and "declare" in known:
            self.do(self.anybody(), "declare")
        else:
            self.act()

    def trigger(self) -> None:
        by = self.rng.sample(self.enc.names, self.rng.randrange(3))
        to = None if self.rng.randrange(3) else self.anybody()
        self.enc.trigger(*by, to=to, text="something happens")

    def end(self) -> None:
        self.enc.end_turn()

    def disturb(self) -> None:
        """Give or take points, conditions, places, life; let somebody leave or come back; take a call back."""
        rng, enc, name = self.rng, self.enc, self.anybody()
        concerned = [n for o in enc.pending for n in (o.who, *o.targets) if n in enc]
        if concerned and rng.randrange(3):
            name = some(rng, concerned)
        held = [c.id for c in enc[name].conditions]
        match rng.randrange(9):
            case 0 | 1:
                slot = some(rng, [slot.id for slot in enc.ruleset.slots])
                enc.adjust(name, slot, some(rng, (-2, -1, 1, 1, 2)))
            case 2:
                enc.damage(name, rng.randrange(1, 9))
            case 3:
                enc.heal(name, rng.randrange(1, 9))
            case 4 | 5:
                id = some(rng, CONDITIONS.get(self.system, ("unconscious", "dead")))
                enc.condition(name, id, off=id in held)
            case 6 if self.placed:
                enc.place(name, at=self.spot())
            case 7:
                if "left" in held:
                    enc.join(name)
                elif rng.randrange(2) and len(enc.names) > 2:
                    enc.leave(name)
            case _:
                enc.undo()
                if enc.clock.round is None:
                    enc.redo()

    # ── what must hold ──

    def check(self, reasons: bool) -> None:
        enc, state = self.enc, self.enc._state
        if state.window is None:
            assert enc.pending == ()
            return
        offers = enc.pending
        asked = {(offer.who, action) for offer in offers for action in offer.actions}
        question = any(offer.who == "GM" for offer in offers)
        may = set()
        for name in enc.names:
            for action in asking(enc, name, asked):
                option = enc._whole()._option(name, action)
                if option.allowed:
                    may.add((name, action.id))
                elif reasons:
                    self.told["reasons"] += 1
                    self.true(name, action, option.reason)
        assert may == asked, f"{state.window}: allowed and not asked {may - asked}, asked in vain {asked - may}"
        assert offers, f"nobody is asked: {state.window}"
        if not question:
            now, _ = answerable(enc.ruleset, state)
            assert {(bid.who, id) for bid in now for id in bid.actions} == asked, (
                f"{state.window}: {asked} are asked, now {[*now]}"
            )
        if reasons and state.window.told and not state.window.used and len(state.focus) < MOST:
            self.as_if_anew()
        assert question == bool(state.window.question)
        for offer in offers:
            self.told["questions" if question else "musts" if offer.must else "offers"] += 1
            self.grounded(offer)

    def as_if_anew(self) -> None:
        """Let a window pass in which nobody has answered, and tell the same again: the same are asked."""
        window, other = self.enc._state.window, self.enc.branch(len(self.enc._events))
        assert window is not None
        other.resolve()
        now, then = self.enc._state, other._state
        if any(other.ruleset.is_gone(then.fighters[who]) for who in window.by):  # they cause nothing any more
            return
        goes_on = (then.round, then.step) != (now.round, now.step)  # a new round brings what was spent
        if other.active == self.enc.active and not goes_on and not other.pending:
            other.trigger(*window.by, to=window.to, text="something happens")
            self.told["told again"] += 1
            asked = [{(o.who, *o.actions) for o in enc.pending} for enc in (self.enc, other)]
            assert asked[0] == asked[1], f"{window}: anew it would ask {asked[1] - asked[0]}, not {asked[0] - asked[1]}"

    def true(self, name: str, action: Action, reason: str) -> None:
        """Hold a reason against the log, and against the window."""
        enc, window = self.enc, self.enc._state.window
        assert window is not None
        assert reason, f"{name} {action.id}: no reason"
        hold_against(Facts(enc), [reason], self.told)
        if "has already answered this" in reason or "already used this opportunity" in reason:
            assert any(used[:2] == (name, action.id) for used in window.used), reason
        if "what they do themselves" in reason:
            assert name in window.by, reason
        if reason.endswith(("'s enemy.", "'s side.")):
            assert all(enc[by].side == enc[name].side for by in window.by if by in reason), reason
        if "doesn't threaten" in reason:
            far = [enc.distance(name, by) for by in window.by if by != name]
            assert all(each is None or each.steps > 1 for each in far), reason

    def grounded(self, offer: ck.Offer) -> None:
        """Check that what is asked has its ground: somebody who can be asked, something that still matters."""
        enc, window = self.enc, self.enc._state.window
        assert window is not None
        if offer.who != "GM":
            held = {c.id for c in enc[offer.who].conditions}
            fate = "d6.fate" in offer.rule
            assert "left" not in held, offer
            assert fate or enc.ruleset.able(enc._state.fighters[offer.who]), offer
            if fate:
                assert "wounded" in held, offer
                assert held.isdisjoint({"dead", "out"}), offer
            if "announce_target" in offer.actions:
                (casting,) = [c for c in enc[offer.who].conditions if c.id == "casting"]
                assert "target" not in casting.value, offer
            return
        tie = "tie" in window.question
        here = [{c.id for c in enc[who].conditions} for who in (offer.choices if tie else window.by)]
        gone = {
            "dead",
            "left",
            {"d6": "out", "phases": "dead"}.get(self.system, "unconscious"),
        }  # who falls has provoked
        assert len([held for held in here if held.isdisjoint(gone)]) > tie or not here, offer
        if window.key == "falls":
            vital = enc.ruleset.vitals[0].name
            assert enc[window.by[0]].values[vital] <= 0, offer


def asking(enc: ck.Encounter, name: str, asked: set[tuple[str, str]]) -> list[Action]:
    """Give the actions that a window may ask for: reactions, but those by words; and what it asks anybody for."""
    offered = {action for _, action in asked}
    catalogue = enc.ruleset.catalogue(enc._state)
    return [
        action
        for action in catalogue
        if action.id in offered or ("reaction" in action.when and not action.facts.get("words"))
    ]


@pytest.mark.parametrize("steps", [STEPS, pytest.param(LONG, marks=pytest.mark.long)])
def test_a_window_asks_whoever_may_answer_and_nobody_else(system: str, steps: int) -> None:
    told: Counter[str] = Counter()
    for fight in range(steps // CALLS + 1):
        rng = Random(f"{system} {fight}")
        table = Table(system, rng, told)
        for call in range(CALLS):
            table.step()
            if table.enc._state.stage != "running":
                break
            try:
                table.check(reasons=not call % REASONS)
            except AssertionError as error:
                lines = [f"{e.seq} {e.kind} {e.subject} {e.text}" for e in table.enc._events[-12:]]
                raise AssertionError("\n".join([f"{system} {fight}, call {call}: {error}", *lines])) from error
    if system in SHEETS:
        assert told["offers"] > steps // 10, "many windows are open"
        assert told["done in a window"] > steps // 50
