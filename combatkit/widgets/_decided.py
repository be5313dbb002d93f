"""What only the table can say: whether an attack hits or a reaction works, where no roll tells, and for how much."""

from __future__ import annotations

from combatkit.rules.case import Case
from combatkit.rules.judge import kept_case, with_target
from combatkit.rules.weapons import damage_of, weapons_of, wielded
from combatkit.widgets.shapes import Lack


def told_by_table(case: Case) -> list[str]:
    """Return the parameters that resolve an attack, or a reaction to somebody's action, where no roll does.

    Parameters
    ----------
    case : Case
        Who would do what, with what is given already.

    Returns
    -------
    list of str
        None of them where a roll tells, or there is nothing to resolve.
    """
    case = meant(case)
    takes = case.action.takes
    if "outcome" not in takes:
        return []
    if "attack" not in case.action.tags:
        return ["outcome"] if _answers(case) else []
    aimed = with_target(case)
    if not aimed.targets and "target" in takes:  # whoever it is, there is something to roll with or there is not
        foe = next((each for each in case.state.fighters.values() if each.side != case.fighter.side), case.fighter)
        aimed = _at(case, foe.name)
    rolled = _rolled(aimed)
    if rolled and all(rolled.values()):
        return []
    asks_harm = case.params.get("outcome") == "hit" and "damage" in takes
    known = damage_of(aimed) is not None or case.rules.presentation.routine(aimed)
    return ["outcome", "damage"] if asks_harm and ("damage" in case.params or not known) else ["outcome"]


def undecided(case: Case) -> str:
    """Say that somebody has to say whether an attack hits, if it is rolled or deals damage and nothing else tells."""
    case = meant(case)
    if "outcome" in case.params or "attack" not in case.action.tags or not told_by_table(case):
        return ""
    if not _rolled(case) and damage_of(case) is None:
        return ""
    lack = lacking(case)
    why = "" if lack is None else f"{lack['name']}'s sheet has no {lack['title']}. "
    return f"{why}Say whether it hits."


def lacking(case: Case) -> Lack | None:
    """Return what would tell whether an attack hits, or for how much, if it is something a sheet can be given."""
    case = meant(case)
    if case.params.get("outcome") == "hit":
        return _harmless(case)
    rolled, shows = _rolled(case), case.rules.presentation
    unknown = next((name for name, tells in rolled.items() if name and not tells), "")
    name, id = (unknown, shows.struck_by) if unknown else (case.fighter.name, shows.strikes_with)
    stat = case.rules.stats.get(id)
    if (rolled and not unknown) or stat is None or case.rules.value(case.state.fighters[name], id) is not None:
        return None
    return {"name": name, "stat": id, "title": stat.title or id.replace("_", " ")}


def _harmless(case: Case) -> Lack | None:
    """Return the sheet's weapons with the one an attack uses, or would be made with, that has no damage."""
    if "weapons" not in case.rules.stats or "weapon" not in case.action.takes:
        return None
    held: list[dict[str, object]] = [dict(each) for each in weapons_of(case.fighter)]
    used = dict(wielded(case)) or {"name": str(case.params.get("weapon", case.action.title))}
    if used not in held:
        held.append(used)
    return {
        "name": case.fighter.name,
        "stat": "weapons",
        "title": "damage",
        "weapons": held,
        "place": held.index(used),
    }


def meant(case: Case) -> Case:
    """Return what is done: where something kept ready is used, that."""
    return (kept_case(case) if case.action.does == "use" else None) or case


def _at(case: Case, name: str) -> Case:
    return case.given({**case.params, "target": [name]})


def _rolled(case: Case) -> dict[str, bool]:
    """Return against whom an attack is rolled, and whether it is known what the roll needs."""
    each = {name: _at(case, name) for name in case.targets} or {"": case}
    asks = {name: [ask for ask in one.rules.asks(one) if ask.purpose == "attack"] for name, one in each.items()}
    return {name: all(ask.needed is not None for ask in rolls) for name, rolls in asks.items() if rolls}


def _answers(case: Case) -> bool:
    """Check whether an action only ever answers others, and one of theirs waits for an answer."""
    return case.state.window is not None and case.action.when == "reaction" and case.action.does != "contest"
