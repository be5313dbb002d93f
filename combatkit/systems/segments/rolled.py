"""Saving throws, morale and the surprise check: the number to meet, and the d20 rolled for it.

The source names them and gives no chart: the number stands on the sheet, or is given with the call.
"""

from __future__ import annotations

from collections.abc import Iterable

from combatkit.core.dice import Dice
from combatkit.core.faces import Rolled
from combatkit.core.model import Act, Fighter
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.case import Ask, Case, Objection
from combatkit.rules.draft import Draft
from combatkit.rules.mechanisms import named_modifiers, roll_data
from combatkit.rules.weapons import letters_of
from combatkit.systems.segments.attacks import rating_of
from combatkit.systems.segments.concentration import break_concentration
from combatkit.text import Said, Title, say

CHECKS = "checks"
"""The stat that holds the numbers."""

SAVE, MORALE, SURPRISE = "save", "morale", "surprise"

FAILED = "failed"
RESULTS = (FAILED, "negated")
"""What may be said of a check for which nothing is rolled: it fails, or the harm is negated."""


def number_of(fighter: Fighter, name: str) -> int | None:
    """Return the number on the sheet for a check, whatever the case of its name."""
    found = (n for each, n in (fighter.stats.get(CHECKS) or {}).items() if letters_of(each) == letters_of(name))
    return next(found, None)


def kinds_of_save(fighter: Fighter) -> tuple[str, ...]:
    """Return the saving throws on the sheet that have names of their own."""
    names = fighter.stats.get(CHECKS) or {}
    return tuple(name for name in names if letters_of(name) not in (SAVE, MORALE, SURPRISE))


def needed_of(case: Case) -> int | None:
    """Return the number to meet: given with the call, or on the sheet; a single save need not be named."""
    if "needed" in case.params:
        return int(case.params["needed"])
    named = case.params.get("option")
    if named is not None:
        return number_of(case.fighter, named)
    found, kinds = number_of(case.fighter, case.action.id), kinds_of_save(case.fighter)
    return number_of(case.fighter, kinds[0]) if found is None and case.action.id == SAVE and len(kinds) == 1 else found


def check_check(case: Case) -> Iterable[Objection]:
    """Refuse a number that no d20 is thrown for, and a save that is not on the sheet.

    Raises
    ------
    InvalidInput, UnknownName
        If a value cannot be.
    """
    params, kinds = case.params, kinds_of_save(case.fighter)
    named = params.get("option")
    if named is not None and not {"needed", "outcome"} & params.keys() and number_of(case.fighter, named) is None:
        if not kinds:
            raise InvalidInput(f"{case.action.id}: there is no number for {named!r}; give needed=, or the stat checks")
        raise UnknownName.of("check", named, kinds, owner=case.fighter.name)
    if not 1 <= params.get("needed", 1) <= 100:
        raise InvalidInput(f"{case.action.id}: needed is {params['needed']}; give the number to meet, from 1 to 100")
    return ()


def check_missing(case: Case) -> tuple[str, ...]:
    """Return what a check still needs: what it comes to, if there is no number to meet."""
    return () if "outcome" in case.params or needed_of(case) is not None else ("outcome",)


def check_ask(case: Case) -> Ask:
    """Return the roll of a check, with the bonus of enhanced hit dice on morale."""
    fighter, action = case.fighter, case.action
    bonus = rating_of(fighter.stats).morale if action.id == MORALE else 0
    addends = [(bonus, "enhanced hit dice")] if bonus else []
    addends += [(e.modifiers[action.id], e.id) for e in fighter.effects if e.modifiers.get(action.id)]
    return Ask(action.id, 1, 20, (*addends, *named_modifiers(case.params)), needed_of(case), action.rule)


def said_of_check(case: Case) -> Said:
    """Return the words for a check: what it is against, and what it comes to if the table says so."""
    does, against, outcome = case.action.said(), case.params.get("option"), case.params.get("outcome")
    if against is not None:
        does = say("check.against", does=does, what=against)
    return does if outcome is None else say("check.comes_to", does=does, outcome=Title(_word(outcome != FAILED)))


def check(draft: Draft, act: Act) -> Act:
    """Roll a check against its number, or take what the table says; a failed save breaks concentration."""
    ask, outcome = check_ask(draft.case(act)), act.params.get("outcome")
    if outcome is None:
        rolled: Rolled | None = draft.throw(1, 20, ask.purpose, act.who)
    else:  # what was rolled at the table is kept
        faces = draft.faces.take((20,), ask.purpose, act.who)
        rolled = None if faces is None else Rolled(faces, "table", 0)
    if rolled is not None:
        tell(draft, act.who, ask, rolled, outcome, act.action)
        outcome = outcome or ("negated" if ask.lands(rolled.sum) else FAILED)
    if outcome == FAILED and act.action == SAVE:
        break_concentration(draft, act.who, "segments.conc.break-save", say("broken.save"))
    return act


def tell(draft: Draft, who: str, ask: Ask, rolled: Rolled, said: str | None = None, action: str | None = None) -> bool:
    """Log the roll of a check with the number to meet, and return whether it is met."""
    plus = sum([number for number, _ in ask.addends])
    total = rolled.sum + plus
    met = said != FAILED if said is not None else ask.lands(rolled.sum)
    data = roll_data(ask.purpose, Dice(1, 20, plus), rolled, total)
    data |= {
        "needed": ask.needed,
        "outcome": _word(met),
        "modifiers": {n: k for k, n in ask.addends},
    }
    text = say("check.rolled", total=total, needed=ask.needed, outcome=Title(data["outcome"]))
    draft.emit("roll", who, action, amount=total, text=text, rules=(ask.rule,), data=data)
    return met


def _word(met: bool) -> str:
    return "passed" if met else FAILED


def surprise(draft: Draft, surprised: tuple[str, ...]) -> tuple[str, ...]:
    """Roll for those whose sheet has a number for surprise, and return who is surprised, with those the GM names."""
    found = list(surprised)
    for name, fighter in draft.state.fighters.items():
        needed = number_of(fighter, SURPRISE)
        if needed is None or name in surprised or fighter.effect("left") or fighter.effect("surprised"):
            continue
        ask = Ask(SURPRISE, 1, 20, needed=needed, rule="segments.seq.surprise")
        if not tell(draft, name, ask, draft.throw(1, 20, SURPRISE, name)):
            found.append(name)
    return tuple(found)
