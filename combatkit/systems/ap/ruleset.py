"""Action points: one pool that pays for the turn and for every reaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from combatkit.core.model import Act, Bid, Clock, Distance, Fighter, Place, State, Step, Turn
from combatkit.rules.case import Case, Objection
from combatkit.rules.catalogue import Action, Cost
from combatkit.rules.contests import FAILED, HIT, check_contest, contest, contest_question
from combatkit.rules.delays import beside, check_act_now, check_delay
from combatkit.rules.draft import Draft
from combatkit.rules.initiative import roll
from combatkit.rules.mechanisms import MECHANISMS, harm, named_modifiers
from combatkit.rules.parts import Ask, Mechanism, Question, Stage
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import damage_asks, weapons_of
from combatkit.rules.windows import DECLARED
from combatkit.systems.ap import costs
from combatkit.systems.ap.actions import (
    SAVED,
    is_threat,
    points_left,
    read_row,
    saved_of,
    whole,
)
from combatkit.systems.ap.answers import Reactive, answers_of, reactive_of, too_far
from combatkit.systems.ap.arms import ActionPointArms, bonus_of
from combatkit.systems.ap.deeds import resolve, skip
from combatkit.systems.ap.initiative import DRAW, claim, place
from combatkit.systems.ap.limits import (
    answered,
    check,
    check_stance,
    unanswerable,
    while_surprised,
    within_range,
)
from combatkit.systems.ap.modes import added, aim, check_aim, keep_aim, modes_of, reach_of, shoot
from combatkit.systems.ap.openings import BEFORE, as_square, in_reach, openings, takers
from combatkit.systems.ap.places import check_way, distance_between, move
from combatkit.systems.ap.presentation import ActionPointsPresentation
from combatkit.systems.ap.stats import STATS
from combatkit.text import say

Check = Callable[[Case], Iterable[Objection]]
"""What is against an action besides its cost and what its stages need."""
_TURNS = (Step("turns", "Turns", length=6),)
_NONE: frozenset[str] = frozenset()
_NOTHING: Mapping[str, Any] = {}
_GIVEN = {"surprised": "ap.surprise.reactions-only", "advantage": "ap.special.advantage"}
"""Conditions the GM gives that rules read, and the rule."""


class ActionPoints(Ruleset):
    """Points a round, spent on one's own turn and off it; d6 plus Initiative Rating; one attempt a threat."""

    shows = ActionPointsPresentation

    score_title = "result · AP left"
    draw = DRAW
    arms = ActionPointArms()
    pooled_with = MappingProxyType({"ap": ("off",)})

    def __init__(self) -> None:
        super().__init__(Path(__file__).parent, STATS)
        self._prices: dict[tuple[str, int], Cost] = {}

    def whole_action(self, action: Action) -> Action:
        """Return an action with what its type says: when it can be taken, by which rules, with which parameters."""
        return whole(action)

    def mechanics(self) -> dict[str, Mechanism]:
        """What is done comes to something once its points are paid and what others did about it is settled."""
        first, moved = Stage("resolve", resolve, (within_range,)), Stage("move", move, moves=True)
        blow = (Stage("strike", shoot, (within_range,)), Stage("harm", harm))
        return {
            "plain": Mechanism(check, (first,)),
            "move": Mechanism(_both(check, check_way), (first, moved)),
            "attack": Mechanism(check, (first, *blow)),
            "charge": Mechanism(_both(check, check_way), (first, moved, *blow)),
            "aim": Mechanism(_both(check, check_aim), (first, Stage("aim", aim))),
            "contest": Mechanism(_both(check, check_contest), (first, Stage("contest", contest, (within_range,)))),
            "stance": Mechanism(_both(check, check_stance), (Stage("stance", skip),)),
            "delay": MECHANISMS["delay"]._replace(check=_both(check, check_delay)),
            "act_now": MECHANISMS["act_now"]._replace(check=_both(check, check_act_now)),
        }

    # ── time ──

    def schedule(self, state: State) -> tuple[Step, ...]:
        """One turn each, within six seconds."""
        return _TURNS

    def clock(self, state: State) -> Clock:
        """Rounds of six seconds."""
        if state.round is None:
            return Clock(None, seconds=None, label="Not begun")
        return Clock(state.round, seconds=state.began, label=self.round_label(state.round))

    def step_ends(self, draft: Draft, step: Step) -> None:
        """End surprise with the first round, where a table has it so, also for those who never had their turn."""
        if draft.state.round == 1 and draft.state.options["surprise_lasts"] == "first_round":
            for name in draft.state.fighters:
                draft.end_effects(name, "surprised", rule="ap.surprise.first-round")

    # ── surprise and initiative ──

    def surprise(self, draft: Draft, surprised: tuple[str, ...]) -> None:
        """Mark each surprised character by itself; then the scene is set."""
        for name in surprised:
            draft.end_effects(name, "surprised")
            draft.effect(name, "surprised", anchor=f"turn_end:{name}", rule=_GIVEN["surprised"])
        fighters = draft.state.fighters.values()
        grid = {f.name: list(f.position) for f in fighters if type(f.position) is tuple}
        text = say("scene.set", number=len(fighters), placed=len(grid) or None)
        rules = ("ap.scene.describe", *(("ap.scene.map", "ap.map.assumed") if grid else ("ap.map.optional",)))
        draft.emit("fact", text=text, rules=rules, by="gm", data={"facts": {"scene": grid}})

    def begin_condition(
        self, draft: Draft, name: str, id: str, value: Any, modifiers: dict[str, int], anchor: str | None
    ) -> None:
        """Surprise lasts until the next turn has passed, unless the GM says otherwise; an Advantage, until spent."""
        if id not in _GIVEN:
            super().begin_condition(draft, name, id, value, modifiers, anchor)
            return
        if id == "surprised":
            anchor = anchor or f"turn_end:{name}"
        draft.end_effects(name, id, by="gm")
        draft.effect(name, id, value=value, modifiers=modifiers, anchor=anchor, rule=_GIVEN[id], by="gm")

    claim = claim

    def initiative(self, draft: Draft, names: tuple[str, ...]) -> None:
        """Give everybody a result and a place; a newcomer who is surprised rolls no die either."""
        place(draft, roll(draft, names))

    # ── points ──

    def refill(self, state: State, fighter: Fighter, boundary: str) -> dict[str, int | None]:
        """To the maximum, with nothing carried over: as the round begins, or from round 2 on as one's own turn does.

        ``off`` counts what was spent off turn. Attempts are forgotten with the round.
        """
        most = max(0, self.value(fighter, "ap") or 0)
        points: dict[str, int | None] = {"ap": most, "off": most}
        number = state.round or 1
        by_turn = state.options["ap_refresh"] == "turn"
        if boundary == "turn":
            return points if by_turn and number > 1 else {}
        cap = state.options["max_attacks"]
        filled: dict[str, int | None] = {} if cap is None else {"attacks": cap}
        if boundary == "join" or number == 1 or not by_turn:
            filled |= points
        filled.update((pool, None) for pool in fighter.pools if ":" in pool)
        return filled

    price = costs.price
    cited = costs.cited
    payments = costs.payments
    noted = costs.noted

    def declared(self, draft: Draft, act: Act, action: Action) -> None:
        """Points paid, an Advantage spent and an aim broken are gone, whatever others then do about it."""
        keep_aim(draft, act, action)
        saved = saved_of(draft.fighter(act.who))
        if saved is not None and f"{SAVED}:{saved.number}" in draft.fighter(act.who).pools:
            draft.end_effect(act.who, saved, text=say("saved.spends"))
        if "begins" in action.facts and draft.fighter(act.who).effect(action.facts["begins"]) is None:
            anchor, rule = f"turn_end:{act.who}", action.facts["says"]
            draft.effect(act.who, action.facts["begins"], anchor=anchor, rule=rule)
        if act.params.get("pay") == "advantage":
            effect = draft.fighter(act.who).effect("advantage")
            if effect is not None:
                draft.end_effect(act.who, effect, text=say("advantage.spends"))
        if action.facts["ap"] < 2:
            return
        data = draft.events[act.seq - draft.events[0].seq].data
        done, total = data["progress"]
        if data["completed"] and action.id not in draft.fighter(act.who).progress:
            return
        said = "progress.completes" if data["completed"] else "progress.paid"
        text = say(said, title=action.called, done=done, total=total)
        plain = {"done": done, "total": total, "completed": data["completed"], "progress": [done, total]}
        rules = ("ap.extended.span", "ap.extended.def")
        draft.emit("progress", act.who, action.id, amount=done, text=text, rules=rules, data=plain)

    # ── may I? ──

    def when(self, action: Action, params: Mapping[str, Any]) -> str:
        """Through Advantage a Special Action is bound to no type, save that a reaction still answers something."""
        through = params and params.get("pay") == "advantage" and action.when != "reaction"
        return "any time" if through else action.when

    def bars(self, case: Case) -> Iterable[Objection]:
        """The surprised only react; an open window is answered once, by the aware who have the points."""
        found: list[Objection] = []
        if case.has("surprised"):
            found.extend(while_surprised(case))
        if "reaction" in case.action.when and (window := case.state.window) is not None:
            found.extend(unanswerable(case, window))
        return found

    def listed(self, case: Case, param: str) -> tuple[Any, ...] | None:
        """Return the ways to pay for a Special Action, the open threat, and what a reaction can come to."""
        action = case.action
        match param:
            case "pay":
                return ("ap", "advantage")
            case "threat":
                return (case.state.window.threat,) if case.state.window is not None else ()
            case "option" if "modes" in action.facts:
                return modes_of(action)
            case "outcome" if action.does == "contest":
                return (HIT, FAILED)
            case "outcome" if "attack" not in action.tags and "spell" not in action.tags:
                return ("foiled", "failed")
        return None

    # ── reactions ──

    def entrants(self, state: State, act: Act, stage: str) -> tuple[Bid, ...]:
        """Whoever is aware, has the points and has not tried may answer a threat or an opening before it resolves.

        Reactions are not themselves reacted to, unless they say so; what Advantage pays for off turn is none, and is.
        """
        if stage not in (DECLARED, BEFORE) or act.action in state.fighters[act.who].progress:
            return ()
        action, found = self.catalogue(state)[act.action], dict[str, Bid]()
        if stage == DECLARED and is_threat(action, act) and self._is_answered(state, act, action):
            unaware, rule = act.params.get("unaware", ()), action.facts.get("answered", "ap.react.purpose")
            reactive = reactive_of(self.catalogue(state))
            for who in dict.fromkeys([p.who for p in state.agenda]):
                if who != act.who and who not in unaware:
                    fighter = state.fighters[who]
                    answers = self._open_answers(state, fighter, reactive)
                    if fighter.position is not None:
                        ranged = reactive.armed if weapons_of(fighter) else reactive.ranged
                        far = too_far(self, state, who, act.who, ranged)
                        answers = tuple([id for id in answers if id not in far])
                    if answers:
                        found[who] = Bid(who, answers, rule, targets=(act.who,))
        for who, reaction, rule in openings(self, state, act, stage):
            bid = found.get(who, Bid(who, (), rule, targets=(act.who,)))
            found[who] = replace(bid, actions=(*bid.actions, reaction))
        return tuple(found.values())

    def _is_answered(self, state: State, act: Act, action: Action) -> bool:
        """Check whether others may react to a threat: one of somebody's own turn, or a reaction that says so."""
        if action.facts.get("answered"):
            return True
        top = state.top
        own = type(top) is Turn and top.who == act.who
        return own or ((top is None or type(top) is Turn) and act.params.get("pay") == "advantage")

    def _open_answers(self, state: State, fighter: Fighter, reactive: Reactive) -> tuple[str, ...]:
        """Return what somebody can react with: it has the points, the conditions it takes, and surprise allows it."""
        if not self.able(fighter):
            return ()
        left, held, only = points_left(fighter, reacts=True), _NONE, False
        if fighter.effects:
            held = reactive.needed.intersection([e.id for e in fighter.effects])
            only = fighter.effect("surprised") is not None and not state.options["surprised_secondary_reactions"]
        attacks = fighter.pools.get("attacks")
        spent = attacks is not None and attacks.left < 1
        if fighter.progress:
            return answers_of(fighter, reactive.answers, left, held, only, spent)
        key = (left, held, only, spent)
        known = reactive.known.get(key)
        if known is None:
            known = reactive.known[key] = answers_of(fighter, reactive.answers, left, held, only, spent)
        return known

    def reactions(self, state: State, by: tuple[str, ...]) -> tuple[Bid, ...]:
        """Whoever is not its cause may answer something that happened, an enemy near enough with a blow as well."""
        reactive = reactive_of(self.catalogue(state))
        actions = tuple(a.id for a in reactive.answers)
        bids = []
        for who in dict.fromkeys(p.who for p in state.agenda if p.who not in by):
            more = tuple(a.id for a in reactive.takers if self._may_strike(state, who, by))
            bids.append(Bid(who, (*actions, *more), "ap.react.purpose", targets=by))
        return tuple(bids)

    def _may_strike(self, state: State, who: str, by: tuple[str, ...]) -> bool:
        """Check whether one who did something is an enemy within somebody's reach, as far as positions tell."""
        fighter = state.fighters[who]
        others = (state.fighters[name] for name in by if state.fighters[name].side != fighter.side)
        return any(self.distance(state, fighter, each) is None or in_reach(self, fighter, each) for each in others)

    def question(self, state: State, act: Act, stage: str) -> Question | None:
        """Ask how a contest came out, once others have reacted to it."""
        contested = stage == "resolve" and self.catalogue(state)[act.action].does == "contest"
        return contest_question(self, state, act) if contested else None

    def last_place(self, state: State, fighter: Fighter, place: Place) -> Place:
        """Just after the last in the order."""
        last = state.agenda[-1]
        return place if last.id == place.id else beside(place, last, "after")

    # ── rolls, places ──

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """An attack is rolled where a bonus is stated: bookkeeping, since the source resolves none."""
        params = case.params
        bonus = bonus_of(case) if "attack" in case.action.tags else None
        if bonus is None:
            return ()
        targets = case.targets if "target" in params else answered(case.state, case.fighter.name, case.action)
        needed = self.value(case.state.fighters[targets[0]], "defense") if targets else None
        addends = (bonus, *added(case), *named_modifiers(params))
        return (Ask("attack", 1, 20, addends, needed), *damage_asks(case))

    def distance(self, state: State, a: Fighter, b: Fighter) -> Distance | None:
        """Count squares of one metre."""
        return distance_between(a, b)

    def threatened(self, state: State, fighter: Fighter) -> frozenset[Any]:
        """Return the squares within reach, where anything that is done in them may be struck at."""
        here = as_square(fighter.position)
        if here is None or not takers(self.catalogue(state)):
            return frozenset()
        reach = reach_of(self, fighter)
        side = range(-reach, reach + 1)
        return frozenset((here[0] + x, here[1] + y) for x in side for y in side if x or y)

    # ── a user's own actions ──

    action_of_row = read_row

    def spent_off_turn(self, state: State, fighter: Fighter, slot: str) -> int:
        """Return the points spent on others' turns since they were replenished."""
        off = fighter.pools.get("off")
        return off.total - off.left if off is not None else 0


def _both(*checks: Check) -> Check:
    """Yield a check that is several, one after the other."""

    def check_all(case: Case) -> Iterable[Objection]:
        for each in checks:
            yield from each(case)

    return check_all


RULESET = ActionPoints
