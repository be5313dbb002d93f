"""An action budget as plain data: what is left to spend, and every action with its cost or the reason it is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from combatkit.core.looks import Option
from combatkit.core.model import Fighter, State
from combatkit.fight.view import View
from combatkit.report.words import reason_parts
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action, Cost
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import Arms, Weapon, weapons_of
from combatkit.widgets._seat import Seat
from combatkit.widgets.shapes import Action as Shown
from combatkit.widgets.shapes import BudgetView, Group, Progress, Slot, Spending

_REASONS = 4
"""So many reasons have a line each; what is refused for another has one line together."""


class BudgetProjector:
    """Makes a budget's view.

    Where nobody acts, what was shown last stays in it, unseen, and so do groups in which nothing can be done now: so
    little has to be sent when something can.

    Parameters
    ----------
    name : str, optional
        Whose budget; that of whoever acts, or is looked at, if nobody is named.
    """

    def __init__(self, name: str | None = None) -> None:
        self._name = name
        self._last: Spending = {"slots": [], "progress": [], "groups": [], "folds": [], "group": {}, "action": {}}

    def __call__(self, seat: Seat) -> BudgetView:
        """Return the view of the moment a seat looks at."""
        now = seat.now
        rules, state = now.ruleset, now._state
        name = self._name or seat.selected or now.active
        fighter = state.fighters.get(name) if name and state.stage != "setup" else None
        if fighter is not None:
            options = now.options(fighter.name)
            allowed = [option for option in options if option.allowed]
            hidden = seat.players and fighter.npc
            own = {} if hidden else _attacks(rules, state, fighter, allowed)
            costs = {option.action: _cost(rules, state, fighter, option) for option in options}
            groups = _groups(rules, state, allowed, costs)
            if own:
                groups.insert(0, {"id": "attacks", "title": "Attacks", "actions": list(own)})
            folds = _folds([option for option in options if not option.allowed])
            unseen = {id: group for id, group in self._last["group"].items() if "whys" not in group}
            self._last = {
                "slots": _slots(now, rules, state, fighter),
                "progress": _progress(rules, state, fighter),
                "groups": [group["id"] for group in groups],
                "folds": [fold["id"] for fold in folds],
                "group": unseen | {group["id"]: group for group in (*groups, *folds)},
                "action": own | {o.action: _action(rules, state, fighter, o, costs[o.action]) for o in options},
            }
        asks = fighter is None and state.stage == "running" and not seat.looks_on
        return {
            "name": None if fighter is None else fighter.name,
            "caption": "Action budget" if seat.past is None else f"as it was at event {seat.seq}",
            **self._last,
            "calls": rules.presentation.roll_call(state) if asks else None,
            "dice": "table" if seat.table else "seeded",
            "players": seat.looks_on,
        }


def _slots(now: View, rules: Ruleset, state: State, fighter: Fighter) -> list[Slot]:
    slots: list[Slot] = []
    for slot in now.budget(fighter.name).slots:
        if slot.unlimited:
            slots.append({"id": slot.id, "title": slot.title, "unlimited": "any"})
        elif slot.total > 0:
            shown: Slot = {"id": slot.id, "title": slot.title, "total": slot.total, "left": slot.left}
            off = rules.spent_off_turn(state, fighter, slot.id) if slot.left < slot.total else 0
            if off:
                shown["off"] = off
            slots.append(shown)
    for cost in rules.costs:
        if cost.pay != ((),) or not cost.small:
            continue
        cap = next((fighter.pools[c.id] for c in rules.capping.get(cost.id, ()) if c.id in fighter.pools), None)
        if cap is None:
            slots.append({"id": cost.id, "title": cost.title, "unlimited": "any"})
        else:
            slots.append({"id": cost.id, "title": cost.title, "total": cap.total, "left": cap.left})
    return slots


def _progress(rules: Ruleset, state: State, fighter: Fighter) -> list[Progress]:
    shown: list[Progress] = []
    for id, progress in fighter.progress.items():
        action = rules.catalogue(state).get(id)
        if action is not None:
            text = reason_parts(*rules.presentation.progress_words(fighter, action))
            shown.append(
                {"action": id, "title": action.title, "done": progress.done, "total": progress.total, "text": text}
            )
    return shown


def _attacks(rules: Ruleset, state: State, fighter: Fighter, options: list[Option]) -> dict[str, Shown]:
    """Return somebody's ordinary attack with each weapon of their sheet, by its name and with what it brings."""
    catalogue = rules.catalogue(state)
    attack = next((option for option in options if _is_armed(catalogue[option.action])), None)
    if attack is None:
        return {}
    weapons: Sequence[Weapon | str] = weapons_of(fighter)
    adds = (rules.arms or Arms).adds
    needs = list(attack.needs or catalogue[attack.action].required)
    names = " ".join((attack.title, *_names(catalogue[attack.action])))
    rows: dict[str, Shown] = {}
    for number, weapon in enumerate(weapons):
        sheet = {"name": weapon} if isinstance(weapon, str) else weapon
        name = sheet["name"]
        row: Shown = {"id": attack.action, "title": name, "params": {"weapon": name}, "needs": needs, "names": names}
        brings = (sheet.get(adds), sheet.get("damage"))
        if said := " · ".join(f"{each:+}" if isinstance(each, int) else each for each in brings if each):
            row["extra"] = said.replace("-", "\N{MINUS SIGN}")
        rows[f"{attack.action}:{number}"] = row
    return rows


def _is_armed(action: Action) -> bool:
    return {"attack", "basic"}.issubset(action.tags) and "weapon" in action.takes


def _cost(rules: Ruleset, state: State, fighter: Fighter, option: Option) -> Cost:
    return rules.price(Case(rules, state, fighter, rules.catalogue(state)[option.action]))[0]


def _groups(rules: Ruleset, state: State, options: list[Option], costs: Mapping[str, Cost]) -> list[Group]:
    """Return what can be done: what is usual, then the rest by its cost.

    Costs come in the ruleset's order, those it makes up as needed last.
    """
    catalogue = rules.catalogue(state)
    usual = [option.action for option in options if catalogue[option.action].usual]
    groups: dict[tuple[str, str], tuple[Cost, list[Option]]] = {}
    for cost in rules.costs:
        groups.setdefault((cost.title, cost.small), (cost, []))
    for option in options:
        if option.action not in usual:
            cost = costs[option.action]
            groups.setdefault((cost.title, cost.small), (cost, []))[1].append(option)
    first: list[Group] = [{"id": "usual", "title": "Usual", "actions": usual}] if usual else []
    return first + [_group(cost, found) for cost, found in groups.values() if found]


def _group(cost: Cost, options: list[Option]) -> Group:
    group: Group = {"id": cost.id, "title": cost.title, "actions": [option.action for option in options]}
    return {**group, "small": cost.small} if cost.small else group


def _folds(options: list[Option]) -> list[Group]:
    """Return what is refused, a line for each reason, that of most actions first."""
    refused: dict[tuple[str, str], list[Option]] = {}
    for option in options:
        refused.setdefault((option.reason, option.rule), []).append(option)
    ordered = sorted(refused.items(), key=lambda pair: -len(pair[1]))
    lines = len(ordered) if len(ordered) <= _REASONS + 1 else _REASONS
    folds: list[Group] = []
    for (reason, rule), found in ordered[:lines]:
        title = found[0].title if len(found) == 1 else f"{len(found)} actions"
        same = sum(fold["id"].startswith(f"no:{rule}:") for fold in folds)
        actions, whys = [option.action for option in found], [reason_parts(reason, rule)]
        folds.append({"id": f"no:{rule}:{same}", "title": title, "actions": actions, "whys": whys})
    if rest := ordered[lines:]:
        own = {option.action: number for number, (_, found) in enumerate(rest) for option in found}
        whys = [reason_parts(f"{', '.join(o.title for o in found)}: {reason}", rule) for (reason, rule), found in rest]
        folds.append({"id": "no", "title": f"{len(own)} more", "actions": list(own), "whys": whys, "own": own})
    return folds


def _action(rules: Ruleset, state: State, fighter: Fighter, option: Option, cost: Cost) -> Shown:
    found = rules.catalogue(state)[option.action]
    action: Shown = {"id": option.action, "title": option.title}
    if needs := option.needs or found.required:
        action["needs"] = list(needs)
    if extra := _extra(found, fighter):
        action["extra"] = extra
    if names := _names(found):
        action["names"] = " ".join(names)
    if found.usual and cost.title != option.title:
        action["cost"] = cost.title  # the others stand among what costs the same
    return action


def _names(action: Action) -> tuple[str, ...]:
    """Return the words by which an action is found, besides its title."""
    return (*action.names, *(id.replace("_", " ") for id in action.also))


def _extra(action: Action, fighter: Fighter) -> str:
    """Return what makes an action another for this one: how far it has come, what changes its cost, a warning."""
    progress = fighter.progress.get(action.id)
    if progress is not None:
        return f"{progress.done} of {progress.total}"
    word = next((price.word for price in action.prices if price.is_for(fighter.stats)), "")
    return word or str(action.facts.get("extra", ""))
