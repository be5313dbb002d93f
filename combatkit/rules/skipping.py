"""Skipping to the next round by the GM's word, and who had no turn."""

from __future__ import annotations

from itertools import takewhile

from combatkit.core.model import State, Step
from combatkit.rules.draft import Draft
from combatkit.rules.flow import _is_occasion, close_turn, end_turnless, leave_step, lose_turn, pass_places
from combatkit.rules.ruleset import Ruleset
from combatkit.text import Title, say


def skip_round(draft: Draft) -> None:
    """Go on to the next round by the GM's word, and log who had no turn."""
    if draft.state.turn is not None:
        close_turn(draft, by="gm")
    began = draft.state.round
    while draft.state.round == began:
        _lose_turns(draft)
        leave_step(draft)


def _lose_turns(draft: Draft) -> None:
    """Note who has not acted in the present occasion and won't; what their turn would have ended or counted is."""
    pass_places(draft, len(draft.state.agenda))  # whoever wakes by that has no turn either, and it is told
    state, rules = draft.state, draft.rules
    steps = _steps_of_occasion(rules, state)
    for place in state.agenda:
        step = next((step for step in steps if rules.calls(state, step, place)), None)
        if step is not None and place.done < state.occasion and rules.has_turns(state.fighters[place.who]):
            text = say("turn.idle")
            if place is not state.place_of(place.who):  # a turn beside their own, which they may have had
                text = say("turn.idle_in", number=step.number, title=Title(step.title))
            lose_turn(draft, place, state.occasion, text, rules.cites(state, "turn_lost:skipped"))
            end_turnless(draft, place.who, told=True)


def _steps_of_occasion(rules: Ruleset, state: State) -> list[Step]:
    """Return the steps with turns that are still to come, the present one first, before the next occasion begins."""
    now, *later = rules.schedule(state)[state.step :]
    return [step for step in (now, *takewhile(lambda step: not _is_occasion(step), later)) if step.turns]
