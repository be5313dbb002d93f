"""What phases shows besides the common parts: everybody's actions in each phase, and who threatens whoever acts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from combatkit.core.model import Fighter, Place, State, Step, Turn
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.presentation import Presentation, Sight
from combatkit.rules.shapes import Cells, Parts, RungExtras, Strip
from combatkit.systems.phases import threats
from combatkit.systems.phases.deeds import HALF, forfeited, late_halves
from combatkit.text import say_names

if TYPE_CHECKING:
    from combatkit.rules.ruleset import Ruleset

OWED = "\u00d7"
_THIN = "\u200a"
_ORDINALS = ("", "first", "second", "third", "last")


def cell(rules: Ruleset, state: State, fighter: Fighter) -> str:
    """Return what a combatant has done this phase: A attack, M move, F full phase, R readied; or given up."""
    if forfeited(fighter):
        return OWED
    pools = [p for p in (fighter.pools.get("attack"), fighter.pools.get("move")) if p is not None and p.left < p.total]
    if len(pools) == 2 and pools[0].seq == pools[1].seq:
        return "R" if pools[0].action == "use_readied" else "F"
    catalogue = rules.catalogue(state)
    letters = []
    for pool in pools:
        action = catalogue.get(pool.action)
        letters.append("A" if action is not None and action.cost == "attack" else "M")
    return _THIN.join(letters)


def cells_after(rules: Ruleset, state: State, step: Step) -> dict[str, object]:
    """Return the cells of the turn as they stand at the end of a phase, as plain data."""
    before = state.facts.get("cells", {})
    kept: dict[str, list[str]] = before.get("by", {}) if before.get("turn") == state.round else {}
    number = int(step.phase or 0)
    by = {}
    for place in state.agenda:
        row = [*kept.get(place.who, ()), *[""] * 4][: max(0, number - 1)]
        by[place.who] = [*row, cell(rules, state, state.fighters[place.who])]
    return {"turn": state.round, "by": by}


class PhasesPresentation(Presentation):
    """Show what was done in each phase of the turn, what an abort still owes, and who threatens whoever acts."""

    on_rung = 3
    struck_by = "combat_value"
    beside = ("ocv", "dcv", "movement")

    def sight(self, state: State) -> Sight:
        """Return the column heads, which phase of the turn it is, and who threatens whoever acts."""
        return Sight(tuple(self._strips(state)), self._headline(state), about=self._about(state))

    def lapsing(self, state: State, turn: Turn) -> Sequence[tuple[Action, Case]]:
        """Return what was begun in the phase before, where its second half has to follow in this one."""
        fighter, found = state.fighters[turn.who], self.rules.catalogue(state)
        case = Case(self.rules, state, fighter, found[HALF])
        return [(found[id], case.given({"action": id})) for id in late_halves(state, fighter)]

    def _strips(self, state: State) -> list[Strip]:
        """Return the column heads."""
        step = self.rules.present_step(state)
        if step is None:
            return []
        heads: Cells = {
            "type": "cells",
            "label": "CV",
            "titles": [*(f"Phase {n}" for n in range(1, 5)), "Post-Turn"],
            "now": int(step.phase or 0) - 1,
            "note": self._left(state) if step.turns else "",
        }
        if gave_up := [name for name, fighter in state.fighters.items() if step.turns and forfeited(fighter)]:
            heads["why"] = " ".join(f"{name} gave up this phase's action to an abort." for name in gave_up)
        return [heads]

    def _left(self, state: State) -> str:
        """Say how many have yet to act in this phase, whoever acts included, and how many have given it up."""
        acting = state.turn.place if state.turn is not None else 0
        coming = (state.fighters[p.who] for p in state.agenda if p.id == acting or p.done < state.occasion)
        count = sum(self.rules.has_turns(fighter) for fighter in coming)
        given = sum(map(forfeited, state.fighters.values()))
        return ", ".join([f"{count} to act"] * (count > 0) + [f"{given} aborted"] * (given > 0))

    def rung_extras(self, state: State, place: Place) -> RungExtras:
        """Return a rung's cells, and what an abort still owes, in words."""
        step = self.rules.present_step(state)
        if step is None or not step.phase:
            return {}
        fighter = state.fighters[place.who]
        number = int(step.phase)
        record = state.facts.get("cells", {})
        past = record.get("by", {}).get(place.who, []) if record.get("turn") == state.round else []
        cells = [*past, *[""] * 5][:5]
        cells[number - 1] = cell(self.rules, state, fighter)
        extras: RungExtras = {"cells": cells}
        owed = fighter.effect("owes")
        if owed is not None and type(owed.value) is int:
            if number < owed.value <= 4:
                cells[owed.value - 1] = OWED
            extras["sub"] = [[{"chip": f"owes phase {owed.value}"}, {"rule": owed.rule}]]
        return extras

    def _headline(self, state: State) -> str:
        """Say which phase of the turn it is."""
        if state.round == 0:
            return "one attack or move action each; the unaware do not act"
        step = self.rules.present_step(state)
        if step is None or not step.turns:
            return ""
        number = int(step.phase or 0)
        after = "Post-Turn recovery follows" if number == 4 else "Post-Turn recovery follows phase 4"
        return f"{_ORDINALS[number]} of four {step.length:g}-second phases; {after}"

    def _about(self, state: State) -> Parts:
        """Say who may attack whoever acts for leaving their hex, where it is known where they stand."""
        turn = next((f for f in reversed(state.focus) if type(f) is Turn), None)
        if turn is None:
            return []
        who = state.fighters[turn.who]
        here = threats.hex_of(who)
        near = [*threats.guarded(self.rules, state, who, {here})] if here is not None else []
        words = f" by {say_names(near)}: moving out of this hex provokes; a 1-hex step or withdrawing does not. "
        rules: Parts = [{"rule": f"phases.aoo.{id}"} for id in ("move-out", "avoid-step", "avoid-withdraw")]
        return [{"strong": "Threatened"}, words, *rules] if near else []
