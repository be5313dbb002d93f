"""An action budget as plain data: what is left to spend, and every action with its cost or the reason it is refused."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from combatkit.core.model import COUNTER, Event, Fighter, Lookup, Option, Pool, State, open_bids
from combatkit.fight.view import View
from combatkit.report.words import condition_word, reason_parts
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action, Catalogue, Cost
from combatkit.rules.judge import judge
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.shapes import Parts
from combatkit.rules.typed import said_stat
from combatkit.rules.weapons import USES, counters_of, said_spot
from combatkit.widgets._fit import noted
from combatkit.widgets._proposals import recent
from combatkit.widgets._reaction_view import reaction_view, with_weapon
from combatkit.widgets._tokens import place_of
from combatkit.widgets._tongue import as_typed
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import Action as Shown
from combatkit.widgets.shapes import BudgetView, Group, Off, Progress, Reaction, Slot, Spending

T = TypeVar("T")

_MOMENTS = 4
"""How many moments are remembered with what there was to spend."""

_REASONS = 4
"""How many reasons get a line each; everything refused for other reasons shares one line."""


class BudgetProjector:
    """Makes a budget's view.

    Where nobody acts, what was last shown stays in it, unseen, and so do groups in which nothing can be done now: then
    little has to be sent once something can.

    Parameters
    ----------
    name : str, optional
        Whose budget; if nobody is named, that of whoever acts or is looked at.
    """

    def __init__(self, name: str | None = None) -> None:
        self._name = name
        self._recent: dict[str, tuple[Event | None, list[str]]] = {}
        self._weighed: deque[tuple[tuple[object, ...], Spending]] = deque(maxlen=_MOMENTS)
        self._begun: tuple[State | None, frozenset[str]] = (None, frozenset())
        self._last: Spending = {
            "slots": [],
            "progress": [],
            "groups": [],
            "folds": [],
            "group": {},
            "action": {},
            "whys": [],
        }

    def __call__(self, vantage: Vantage) -> BudgetView:
        """Return the view of the moment a vantage looks at."""
        now = vantage.now
        rules, state = now.ruleset, now._state
        name = self._name or vantage.whose
        fighter = state.fighters.get(name) if name and state.stage != "setup" else None
        window = state.window
        asked = None if fighter is None or window is None else reaction_view(vantage, rules, state, fighter)
        spends: Spending = self._last
        # Who only answers leaves what was last shown in the view, unseen.
        if fighter is not None and asked is not None and "soft" not in asked:
            spends = {**spends, "slots": slots_of(now, fighter), "groups": [], "folds": []}
        elif fighter is not None:
            seen = now if window is None else _awaiting(vantage, fighter.name)
            spends = self._last = self._spending(vantage, seen, fighter)
        asks = fighter is None and state.stage == "running" and not vantage.players
        sight = rules.presentation.now(state)
        view: BudgetView = {
            "name": None if fighter is None else fighter.name,
            "caption": _caption(vantage, rules, fighter, asked),
            **spends,
            "turns": _turns(state, fighter),
            "asked": asked,
            "calls": sight.roll_call if asks else None,
            "dice": "table" if vantage.table else "seeded",
            "players": vantage.looks_on,
            "task": vantage.task is not None,
            "past": vantage.past is not None,
            "back": self._back(vantage) if fighter is not None else None,
        }
        if sight.coming:
            view["coming"] = [*sight.coming]
        return view

    def _back(self, vantage: Vantage) -> str | None:
        """Return what was left for the one who is looked at: whose budget, or what everybody is asked."""
        if self._name is not None:
            return None
        if vantage.left is not None or vantage.selected is None:
            return vantage.left
        asked = vantage.now.ruleset.presentation.now(vantage.now._state).roll_call
        return asked["title"] if asked is not None and not vantage.players and vantage.now.active is None else None

    def _spending(self, vantage: Vantage, now: View, fighter: Fighter) -> Spending:
        """Return what somebody has to spend now, and on what.

        It stays where only dice fell or something was told, and is known where a call was undone.
        """
        rules, state = now.ruleset, now._state
        hidden = vantage.hides(fighter)
        again = [] if hidden else self._again(now, fighter.name)
        bare = replace(state, die=0)
        key = (rules, fighter.name, hidden, again, bare)
        for known, before in self._weighed:
            if known == key:
                return before
        weighed = now._options(fighter.name)
        options = [option for option, _ in weighed]
        whys: list[Parts] = []
        found = rules.catalogue(state)
        costs = {option.action: cost for option, cost in weighed}
        own = {} if hidden else _attacks(rules, state, fighter, options, costs, whys)
        could = self._could(rules, bare, fighter, options)
        otherwise = rules.presentation.comes_to(state, fighter)
        said = [id for id in declared(fighter) if id not in otherwise]
        asked = rules.presentation.now(state).roll_call
        # What everybody is asked comes first as long as they have not said it.
        call = asked["rows"].get(str(fighter.number)) if asked is not None else None
        due = [asked["action"]] if asked is not None and call is not None and not call["said"] else []
        usual = _usual(found, [*due, *said], options, again, {row["id"] for row in own.values()}, could)
        rest = [option for option in options if option.action not in usual and option.action not in own]
        groups = _groups(rules, [option for option in rest if option.allowed], costs)
        stays: list[Group] = [
            {"id": "attacks", "title": "Attacks", "actions": list(own)},
            {"id": "usual", "title": "Usual", "actions": usual},
        ]
        groups = [*(group for group in stays if group["actions"]), *groups]
        if fighter.name != now.active and all("off" in row for row in own.values()):  # nothing keeps a place for them
            groups.sort(key=lambda group: group["id"] == "attacks")
        if not rules.able(fighter):  # what lets them act again comes first
            wakes = [action.id for action in rules.recoveries if not rules.incapable.isdisjoint(action.ends)]
            groups.sort(key=lambda group: set(wakes).isdisjoint(group["actions"]))
        folds = _folds([option for option in rest if not option.allowed])
        unseen = {id: group for id, group in self._last["group"].items() if "whys" not in group}
        rows, told = dict[str, Shown](), _told(found)
        for option in options:
            id, action = option.action, found.by_id[option.action]
            extra = otherwise.get(id) or _extra(action, fighter, said)
            words = (id, bool(option.needs or action.required), extra)
            if (row := told.get(words)) is None:
                row = told[words] = _action(action, *words[1:])
            if id in usual:  # the others stand among what costs the same, or is refused for the same
                row = {**row, "cost": costs[id].title, **_off(rules, fighter, option, costs[id], whys)}
            rows[id] = row
        rows |= own
        for id in () if hidden or not fighter.stats.get(USES) else found.by_id.keys() & costs:
            if pips := _pips(Case(rules, state, fighter, found[id])):
                rows[id] = {**rows[id], "uses": pips}
        spending: Spending = {
            "slots": slots_of(now, fighter),
            "progress": _progress(rules, state, fighter),
            "groups": [group["id"] for group in groups],
            "folds": [fold["id"] for fold in folds],
            "group": unseen | _kept(self._last["group"], {group["id"]: group for group in (*groups, *folds)}),
            "action": _kept(self._last["action"], rows),
            "whys": whys,
        }
        if about := rules.presentation.now(state).about if fighter.name == now.active else ():
            spending["about"] = [*about]
        self._weighed.appendleft((key, spending))
        return spending

    def _again(self, now: View, name: str) -> list[str]:
        """Return what somebody did last; in their turn that stays as it was when it began."""
        turn = now._state.turn
        known = self._recent.get(name, (None, []))
        if turn is None or turn.who != name:
            return recent(now, name, known)
        began = now._events[turn.seq - 1]
        if known[0] is not began:
            known = self._recent[name] = began, recent(now, name, known)
        return known[1]

    def _could(
        self, rules: Ruleset, state: State, fighter: Fighter, options: Sequence[Option]
    ) -> Callable[[str], bool]:
        """Return what tells whether somebody could have done an action as their turn began; out of turn, nothing."""
        begun = _as_begun(state, fighter)
        if begun is None:
            return frozenset[str]().__contains__
        if begun == state:
            self._begun = begun, frozenset([o.action for o in options if o.allowed and "pay" not in o.needs])
        known, could = self._begun
        if known is not None and _may_alike(begun, known):
            return could.__contains__
        catalogue, who = rules.catalogue(begun), begun.fighters[fighter.name]
        return lambda action: not judge(Case(rules, begun, who, catalogue[action]), brief=True).objections


def _awaiting(vantage: Vantage, name: str) -> View:
    """Return the moment that is looked at, in whose window nobody else is waited for who has let it go."""
    now, gone = vantage.now, {*vantage.passed} - {name}
    window = now._state.window
    bids = tuple([bid for bid in window.bids if bid.who not in gone]) if window is not None else ()
    if window is None or not gone or not open_bids(bids):
        return now
    focus = (*now._state.focus[:-1], replace(window, bids=bids))
    return View(now.id, now.ruleset, replace(now._state, focus=focus), now._events)


def _may_alike(now: State, then: State) -> bool:
    """Check whether two moments differ in no more than what is left to somebody: who falls comes under an effect."""
    others = then.fighters
    if replace(now, fighters={}) != replace(then, fighters={}) or now.fighters.keys() != others.keys():
        return False
    return all(
        each is others[name] or replace(each, vitals={}) == replace(others[name], vitals={})
        for name, each in now.fighters.items()
    )


def _kept(before: Mapping[str, T], now: Mapping[str, T]) -> dict[str, T]:
    """Return what there is now, by name; what is as it was before is the same object: a delta does not look into it."""
    return {id: before[id] if before.get(id) == each else each for id, each in now.items()}


_UNDER = 2
"""How many conditions are named beside who acts: where ladders fold away, they stand nowhere else."""


def _caption(vantage: Vantage, rules: Ruleset, fighter: Fighter | None, asked: Reaction | None) -> str:
    """Return a word about what is shown; where they act, what is on them, what hits them and how far they go."""
    if vantage.past is not None:
        return f"as it was at event {vantage.seq}"
    if asked is not None and (asked["answers"] or asked["choices"]):
        if asked["must"]:
            return "must answer now"
        if asked["answers"]:
            return "reaction, outside their turn"
        return "the GM decides" if vantage.task is None else "you decide: you play everybody"
    if fighter is None or vantage.hides(fighter):
        return ""
    told = sheet_words(vantage, rules, fighter)
    if at := place_of(rules, fighter):
        if vantage.selected != fighter.name:  # whose name has a way back beside it; the map shows where they are
            told.append(f"at {at}")
    elif fighter.position is not None and vantage.now._state.map:
        told.append(said_spot(fighter.position))
    return " · ".join(told)


def sheet_words(vantage: Vantage, rules: Ruleset, fighter: Fighter) -> list[str]:
    """Return what is on somebody, what hits them and how far they go."""
    state, unsaid = vantage.now._state, rules.told["rung"]
    on = dict.fromkeys([each.id for each in fighter.effects if not (each.watches or each.id in unsaid)])
    public = [id for id in on if not (vantage.players and rules.keeps(state, id))]
    words = {id: condition_word(id) for id in public[:_UNDER]}
    told = [as_typed(vantage, word) if rules.is_own(id) else word for id, word in words.items()]
    for id in rules.presentation.beside:
        value = fighter.stats.get(id)
        if type(value) is not dict:
            value = rules.value(fighter, id)
        if value is not None:
            told.append(said_stat(rules.stats[id], value))
    return told


def _turns(state: State, fighter: Fighter | None) -> int:
    """Return how many of somebody's turns are over; if nobody's, which round it is."""
    if fighter is None:
        return state.round or 0
    return sum(place.done for place in state.agenda if place.who == fighter.name)


def slots_of(now: View, fighter: Fighter) -> list[Slot]:
    """Return what somebody has left to spend."""
    rules, state = now.ruleset, now._state
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
            shown.append({"title": action.title, "done": progress.done, "total": progress.total, "text": text})
    return shown


def _attacks(
    rules: Ruleset,
    state: State,
    fighter: Fighter,
    options: Sequence[Option],
    costs: Mapping[str, Cost],
    whys: list[Parts],
) -> dict[str, Shown]:
    """Return somebody's ordinary attack with each weapon on their sheet, by its name and with its numbers.

    One that is refused stays in its place, as long as any may come back.
    """
    catalogue = rules.catalogue(state)
    armed = _armed(catalogue)
    found = {option.action: option for option in options if option.action in armed}
    usual = next((id for id, option in found.items() if option.allowed), next(iter(found), ""))
    rows: dict[str, Shown] = {}
    weapons = rules.presentation.arsenal(fighter) if found else ()
    for number, weapon in enumerate(weapons):
        attack = found.get(weapon.get("action", usual))
        if attack is None:
            continue
        action = catalogue[attack.action]
        row = with_weapon(rules, action, weapon)
        row |= {"names": " ".join((attack.title, *_names(action))), "cost": costs[action.id].title}
        if attack.needs or action.required:
            row["needs"] = True
        if pips := _pips(Case(rules, state, fighter, action, row["params"])):
            row["uses"] = pips
        if attack.allowed and len(weapons) > 1 and "pay" not in attack.needs:  # another one may be what makes it so
            for no in judge(Case(rules, state, fighter, action, row["params"]), brief=True).objections[:1]:
                attack = replace(attack, allowed=False, reason=no.reason, rule=no.rule)
        rows[f"{action.id}:{number}"] = {**row, **_off(rules, fighter, attack, costs[action.id], whys)}
    said = declared(fighter)
    for id, attack in () if rows else found.items():
        needs = bool(attack.needs or catalogue[id].required)
        row = {**_action(catalogue[id], needs, _extra(catalogue[id], fighter, said)), "cost": costs[id].title}
        rows[id] = {**row, **_off(rules, fighter, attack, costs[id], whys)}
    return rows


def _off(rules: Ruleset, fighter: Fighter, option: Option, cost: Cost, whys: list[Parts]) -> Off:
    """Return why an action that stays in its place can't be done now, as a number; and whether that is its cost."""
    if option.allowed:
        return {}
    why = noted(whys, reason_parts(option.reason, option.rule))
    pools = [[fighter.pools[id].left for id in pay if id in fighter.pools] for pay in cost.pay]
    spent = rules.able(fighter) and all(0 in left for left in pools)
    word = "spent" if cost.title == option.title else f"{cost.title[:1].lower()}{cost.title[1:]} spent"
    return {"off": why, "cost": word if spent else "not now"}


def _pips(case: Case) -> list[int]:
    """Return what is left of the counter an action is done from, the least of several, and its number; or nothing."""
    counters = counters_of(case)
    if not counters:
        return []
    pools = [case.fighter.pools[COUNTER + counter] for counter in counters]
    return min([pool.left, pool.total] for pool in pools)


def _with_weapons(catalogue: Catalogue[Action]) -> frozenset[str]:
    return frozenset([a.id for a in catalogue if {"attack", "basic"}.issubset(a.tags) and "weapon" in a.takes])


_armed = Lookup(_with_weapons)
"""The ordinary attacks, which stand there once for each weapon."""


def _usual(
    catalogue: Catalogue[Action],
    said: Collection[str],
    options: Sequence[Option],
    again: Sequence[str],
    armed: Collection[str],
    could: Callable[[str], bool],
) -> list[str]:
    """Return what is declared, what is usual, what was done last; what an attack of their own does is not among it.

    What they could have done as their turn began keeps its place, so that nothing moves up under a pointer.
    """
    ids = [
        id
        for id, allowed in ((option.action, option.allowed) for option in options if option.action not in armed)
        if catalogue[id].usual or id in again or id in said
        if allowed or could(id)
    ]
    usual = [id for id in ids if catalogue[id].usual]
    found = [*usual, *(id for id in again if id in ids and id not in usual)]
    first = [id for id in ids if id in said]
    return [*first, *(id for id in found if id not in first)]


def declared(fighter: Fighter) -> Collection[str]:
    """Return what somebody has said that they'd do."""
    return [said["action"] for said in plans(fighter)]


def plans(fighter: Fighter) -> list[dict[str, Any]]:
    """Return what somebody has said that they'd do, with how."""
    return [each.value for each in fighter.effects if each.id == "declared"]


def _as_begun(state: State, fighter: Fighter) -> State | None:
    """Return what a turn was like before anything was done or spent in it; nothing out of turn."""
    turn = state.turn
    if turn is None or turn.who != fighter.name:
        return None
    pools = {id: Pool(pool.total, pool.total) for id, pool in fighter.pools.items()}
    fighters = {**state.fighters, fighter.name: replace(fighter, pools=pools)}
    return replace(state, fighters=fighters, focus=(replace(turn, touched=0),))


def _groups(rules: Ruleset, options: Sequence[Option], costs: Mapping[str, Cost]) -> list[Group]:
    """Return what else can be done, by cost.

    Costs come in the ruleset's order, with those it makes up as needed last.
    """
    groups: dict[tuple[str, str], tuple[Cost, list[Option]]] = {}
    for cost in rules.costs:
        groups.setdefault((cost.title, cost.small), (cost, []))
    for option in options:
        cost = costs[option.action]
        groups.setdefault((cost.title, cost.small), (cost, []))[1].append(option)
    shown: list[Group] = []
    for cost, found in groups.values():
        if found:
            shown.append({"id": cost.id, "title": cost.title, "actions": [option.action for option in found]})
            if cost.small:
                shown[-1]["small"] = cost.small
    return shown


def _folds(options: list[Option]) -> list[Group]:
    """Return what is refused, a line for each reason, the reason with the most actions first."""
    refused: dict[str, list[Option]] = {}
    for option in options:
        refused.setdefault(option.reason, []).append(option)
    ordered = sorted(refused.values(), key=lambda found: -len(found))
    lines = len(ordered) if len(ordered) <= _REASONS + 1 else _REASONS
    folds: list[Group] = []
    for found in ordered[:lines]:
        rule = found[0].rule
        same = sum(fold["id"].startswith(f"no:{rule}:") for fold in folds)
        folds.append(_fold(f"no:{rule}:{same}", found))
    if rest := [option for found in ordered[lines:] for option in found]:
        folds.append(_fold("no", rest))
    return folds


def _fold(id: str, found: Sequence[Option]) -> Group:
    """Return a line of what is refused: where its reasons or their rules differ, each action has its own."""
    places: dict[tuple[str, str], int] = {}
    own = {option.action: places.setdefault((option.reason, option.rule), len(places)) for option in found}
    title = found[0].title if len(found) == 1 else f"{len(found)} actions"
    fold: Group = {"id": id, "title": title, "actions": list(own), "whys": [reason_parts(*why) for why in places]}
    return fold | {"own": own} if len(places) > 1 else fold


def _action(found: Action, needs: bool, extra: str) -> Shown:
    action: Shown = {"id": found.id, "title": found.title}
    if needs:
        action["needs"] = True
    if extra:
        action["extra"] = extra
    if names := _names(found):
        action["names"] = " ".join(names)
    return action


_told = Lookup[Catalogue[Action], dict[tuple[str, bool, str], Shown]](lambda _: {})
"""How actions of a catalogue are shown, by what may be otherwise about them: alike time and again."""


def _names(action: Action) -> tuple[str, ...]:
    """Return the other words that find an action, besides its title."""
    return (*action.names, *(id.replace("_", " ") for id in action.also))


def _extra(action: Action, fighter: Fighter, said: Collection[str]) -> str:
    """Return what is special about an action for somebody: how far along it is, what changes its cost, a warning."""
    progress = fighter.progress.get(action.id)
    if progress is not None:
        return f"{progress.done} of {progress.total}"
    if action.id in said:
        return "declared"
    word = next((p.word for p in action.prices if p.is_for(fighter.stats)), "") if action.prices else ""
    return word or str(action.facts.get("extra", ""))
