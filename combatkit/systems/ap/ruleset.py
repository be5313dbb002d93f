"""Action points: one pool that pays for the turn and for every reaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from types import MappingProxyType

from msgspec.structs import replace

from combatkit.core.geometry import Board, as_pair
from combatkit.core.model import Act, Bid, Fighter, State, Step, Window, foes_of
from combatkit.core.plain import full_stop, short
from combatkit.errors import InvalidInput
from combatkit.rules.case import Ask, Case, Entry, Given, Mechanism, Objection, Question, Stage
from combatkit.rules.catalogue import Action, Cost
from combatkit.rules.contests import FAILED, HIT, are_helpless, besides, check_contest, contest, contest_question
from combatkit.rules.delays import check_act_now, check_delay, go_home
from combatkit.rules.draft import Draft
from combatkit.rules.initiative import roll
from combatkit.rules.mechanisms import MECHANISMS, as_struck, harm, named_modifiers
from combatkit.rules.moments import Declared, Moment, StepEnds
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import arms_attack, bonus_of, damage_asks, way_clear, weapons_of, whither
from combatkit.rules.windows import DECLARED, waiting_case
from combatkit.systems.ap.deeds import foil_question, outcomes_of, resolve, skip, spend
from combatkit.systems.ap.limits import (
    ADVANTAGE,
    SAVED,
    ActionPointArms,
    advantages_of,
    answered,
    check,
    check_stance,
    is_counted,
    is_threat,
    points_left,
    read_row,
    saved_of,
    still_due,
    taken,
    threat_of,
    unanswerable,
    while_surprised,
    whole,
    within_range,
)
from combatkit.systems.ap.modes import added, aim, check_aim, modes_of, reach_of, shoot
from combatkit.systems.ap.order import DRAW, ahead, check_way, claim, move, place
from combatkit.systems.ap.presentation import ActionPointsPresentation
from combatkit.systems.ap.reactions import (
    BEFORE,
    Means,
    Reactive,
    answers_of,
    could,
    in_reach,
    is_free_to_go,
    openings,
    reactive_of,
    takers,
    too_far,
)
from combatkit.systems.ap.stats import STATS
from combatkit.text import say

Check = Callable[[Case], Iterable[Objection]]
"""What else rules out an action, besides its cost and what its stages need."""
_NONE: frozenset[str] = frozenset()

_THROUGH = ("ap.special.advantage", "ap.special.style", "ap.special.advantage-cost")
"""What an action taken through Advantage rests on."""
_AGAIN: dict[str, tuple[str, ...]] = {
    "primary": ("ap.multi.allowed", "ap.primary.any-number"),
    "secondary": ("ap.multi.allowed", "ap.secondary.any-number"),
}
"""What a further action on your own turn rests on, by its type."""
_MORE = ("ap.react.any-number",)
"""What a further reaction in the round rests on."""


def _both(*checks: Check) -> Check:
    """Combine several checks, one after the other."""

    def check_all(case: Case) -> Iterable[Objection]:
        for each in checks:
            yield from each(case)

    return check_all


def _ways() -> dict[str, Mechanism]:
    """An action takes effect once its points are paid and others' reactions are settled."""
    first, moved = Stage("resolve", resolve, (within_range,)), Stage("move", move, (way_clear,), moves=True)
    blow = (Stage("strike", shoot, (within_range,)), Stage("harm", harm))
    return {
        "plain": Mechanism(check, (first,)),
        "move": Mechanism(_both(check, check_way), (first, moved), whither),
        "attack": Mechanism(check, (first, *blow)),
        "charge": Mechanism(_both(check, check_way), (first, moved, *blow), whither),
        "aim": Mechanism(_both(check, check_aim), (first, Stage("aim", aim))),
        "contest": Mechanism(
            _both(check, check_contest),
            (first, Stage("contest", contest, (within_range, are_helpless))),
            outcomes=(HIT, FAILED),
        ),
        "stance": Mechanism(_both(check, check_stance), (Stage("stance", skip),)),
        "delay": MECHANISMS["delay"]._replace(check=_both(check, check_delay)),
        "act_now": MECHANISMS["act_now"]._replace(check=_both(check, check_act_now)),
    }


class ActionPoints(Ruleset):
    """Points for each round, spent on your own turn and off it; d6 plus Initiative Rating; one attempt per threat."""

    shows = ActionPointsPresentation

    score_title = "result · AP left"
    draw = DRAW
    arms = ActionPointArms()
    board = Board("squares", unit="m")
    foes_option = "through_foes"
    to_hit, struck_by = ("attack_bonus", "attack"), "defense"
    steps = (Step("turns", "Turns", length=6),)
    mechanisms = MappingProxyType(_ways())
    untimed_pay = "advantage"

    def __init__(self) -> None:
        super().__init__(Path(__file__).parent, STATS)
        self._prices: dict[tuple[str, int], Cost] = {}

    def whole_action(self, action: Action) -> Action:
        """Return an action with what its type says: when it can be taken, by which rules, with which parameters."""
        return whole(action)

    # ── time ──

    # ── surprise and initiative ──

    def surprise(self, draft: Draft, surprised: tuple[str, ...]) -> None:
        """Mark each surprised character; then the scene is set."""
        for name in surprised:
            self.set_condition(draft, Given(name, "surprised", by="rules"))
        fighters = draft.state.fighters.values()
        grid = {f.name: list(f.position) for f in fighters if type(f.position) is tuple}
        text = say("scene.set", of="grid" if grid else "")
        rules = ("ap.scene.describe", *(("ap.scene.map", "ap.map.assumed") if grid else ("ap.map.optional",)))
        draft.emit("fact", text=text, rules=rules, by="gm", data={"facts": {"scene": grid}})

    claim = claim
    ahead = ahead

    def initiative(self, draft: Draft, names: tuple[str, ...]) -> None:
        """Give everybody a result and a place; a newcomer who is surprised rolls no die either."""
        place(draft, roll(draft, names))

    # ── points ──

    def refill(self, state: State, fighter: Fighter, boundary: str) -> dict[str, int | None]:
        """Fill to the maximum, carrying nothing over: at the start of the round, or from round 2 on of their own turn.

        ``off`` counts what was spent off turn. Attempts are forgotten after the round.
        """
        most = self.value(fighter, "ap") or 0
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

    def price(self, case: Case) -> tuple[Cost, str]:
        """Return the points an action costs, by its type; through Advantage, what the chosen reading asks."""
        action = case.action
        if case.params.get("pay") != "advantage" or "special" not in action.tags:
            points = action.facts["ap"]
            return self._prices.get((action.cost, points)) or self._price(action, points), action.rule
        cost = self.costs["advantage"]
        if case.state.options["special_by_advantage"] == "ap":
            points = self._price(action, action.facts["ap"])
            rule = points.rule if advantages_of(case.fighter) else cost.rule  # what the price lacks first
            cost = replace(points, title=f"{points.title} + {cost.title}", rule=rule)
        return cost, _THROUGH[0]

    def due(self, case: Case, cost: Cost) -> Cost:
        """Return what an extended action still takes, as its cost."""
        whole = self._price(case.action, case.action.facts["ap"])
        return self._price(case.action, still_due(case)) if cost == whole else cost

    def _price(self, action: Action, points: int) -> Cost:
        found = self._prices.get((action.cost, points))
        if found is None:
            base = self.costs[action.cost]
            known = self.costs.get(f"{base.id}_{points}")
            if points == (0 if base.id == "free" else 1):
                known = base
            found = known or replace(base, id=f"{base.id}_{points}", title=f"{points} AP", pay=(("ap",) * points,))
            self._prices[action.cost, points] = found
        return found

    def payments(self, case: Case, cost: Cost) -> tuple[tuple[str, ...], ...]:
        """Return what is paid: points, the attempt at a threat, the Advantage, one of the attacks of the round.

        An extended action takes what there is now, and the rest later.
        """
        state, fighter = case.state, case.fighter
        reacts, points, own = taken(case)
        way: tuple[str, ...] = ()
        if case.params.get("pay") == "advantage":
            effect = fighter.effect(ADVANTAGE)
            if effect is None:
                return ()
            held = advantages_of(fighter)
            way = (f"{ADVANTAGE}:{effect.number}{f':{held}' if held > 1 else ''}",)
            if state.options["special_by_advantage"] == "free":
                points = 0
        elif "attacks" in fighter.pools and is_counted(case.action):
            way = ("attacks",)
        saved = saved_of(fighter) if reacts and points else None
        if saved is not None:
            way, points = (*way, f"{SAVED}:{saved.number}"), points - 1
        way += ("ap",) * points
        if points and not own:
            way += ("off",) * points
        threat = threat_of(case) if reacts else None
        return ((*way, f"attempt:{threat}") if threat is not None else way,)

    def cited(self, case: Case, rule: str) -> tuple[str, ...]:
        """Return what an action rests on; one through Advantage rests on that, not on its type.

        A second action in a turn, or a second reaction in a round, also rests on what allows more than one.
        """
        action = case.action
        if rule == _THROUGH[0]:
            return (*_THROUGH, *((action.facts["says"],) if action.facts["says"] else ()))
        cited = action.cited
        turn = case.state.turn
        if turn is not None and turn.who == case.fighter.name:
            more = _AGAIN.get(action.cost) if turn.touched > 1 else None
        else:
            more = _MORE if self.spent_off_turn(case.state, case.fighter, "ap") and action.cost != "free" else None
        return (*cited, *more) if more else cited

    def noted(self, case: Case) -> dict[str, object]:
        """For an extended action, how far it has come; for a reaction, what it answers."""
        state, fighter, action = case.state, case.fighter, case.action
        data: dict[str, object] = {}
        total = action.facts["ap"]
        if total > 1 and action.cost != "free":
            reacts, paid, _ = taken(case)
            due = still_due(case)
            left = points_left(fighter, reacts)
            bought = case.params.get("pay") == "advantage" and state.options["special_by_advantage"] == "free"
            if bought or paid > left:  # bought whole, or done by the GM's word without the points for it
                paid = due
            data = {"progress": [total - due + paid, total], "completed": paid == due}
        if state.window is not None and "reaction" in self.when(action, case.params):
            data["threat"] = state.window.threat
        return data

    def told_outcome(self, case: Case) -> str:
        """Return what an action has come to, where the words for it have to say that: no roll and no answer does."""
        answers = case.window is not None or ("trigger" in case.params and "reaction" in case.action.when)
        told = answers or case.action.does in ("attack", "charge", "contest")
        return "" if told else case.params.get("outcome", "")

    def follows(self, draft: Draft, moment: Moment) -> None:
        """Clear what has been used; end surprise with the first round, if the table plays it that way."""
        match moment:
            case Declared(act, action):
                spend(draft, act, action)
            case StepEnds():
                self._step_ends(draft)

    def _step_ends(self, draft: Draft) -> None:
        """End a surprise that lasts for a round; a delay moves nobody for longer than one."""
        go_home(draft)
        if draft.state.round == 1 and draft.state.options["surprise_lasts"] == "first_round":
            for name in draft.state.fighters:
                draft.end_effects(name, "surprised", rule="ap.surprise.first-round")

    def set_condition(self, draft: Draft, given: Given) -> None:
        """An Advantage gained by somebody who has one is one more; a number says how many they have.

        A point saved by hand is one, for a reaction before the round ends, where an action saves points.

        Raises
        ------
        InvalidInput
            If that is none, or fewer, or if no action saves a point.
        """
        if given.id == ADVANTAGE and not given.off:
            if given.value is not None and (type(given.value) is not int or given.value < 1):
                right = "give how many they have, from 1 up, or off=True; words go in note"
                raise InvalidInput(f"condition {ADVANTAGE}: value is {short(given.value)}; {right}")
            many = advantages_of(draft.state.fighters[given.who]) + 1 if given.value is None else given.value
            given = given._replace(value=None if many == 1 else many)
        if given.id == SAVED and not given.off:
            if all(action.does != "stance" for action in self.catalogue(draft.state)):
                raise InvalidInput(f"condition {SAVED}: no action of this fight saves a point; use adjust")
            if given.value not in (None, 1):
                raise InvalidInput(
                    f"condition {SAVED}: value is {short(given.value)}; one point is saved: give 1, or none"
                )
            given = given._replace(value=1, anchor=given.anchor or "round_end")
        super().set_condition(draft, given)

    # ── may I? ──

    def bars(self, case: Case) -> Iterable[Objection]:
        """The surprised can only react; an open window is answered once, by those who are aware and have the points."""
        found: list[Objection] = []
        if case.fighter.effects and case.has("surprised"):
            found.extend(while_surprised(case))
        if "reaction" in case.action.when and (window := case.window) is not None:
            found.extend(unanswerable(case, window))
        return found

    def listed(self, case: Case, param: str) -> tuple[object, ...] | None:
        """Return the ways to pay for a Special Action, the open threat, and the outcomes of a reaction."""
        action = case.action
        match param:
            case "pay":
                return ("ap", "advantage")
            case "threat":
                return (case.window.threat,) if case.window is not None else ()
            case "option" if "modes" in action.facts:
                return modes_of(action)
            case "outcome":
                return outcomes_of(self, action)
        return None

    # ── reactions ──

    def waits_for(self, case: Case, act: Act) -> Question | Entry | None:
        """Ask how a contest came out, once others have reacted to it, and whether a reaction foils what it answers.

        Before a threat or an opening resolves, offer it to anybody who is aware, has the points and has not tried.
        Nobody reacts to a reaction unless it says so; what Advantage pays for off turn isn't a reaction, so they may.
        """
        action, state, stage = case.action, case.state, act.passed
        if stage == "resolve" and action.does == "contest":
            return contest_question(case, act)
        if stage not in (DECLARED, BEFORE) or act.action in case.fighter.progress:
            return None
        if stage == DECLARED and action.when == "reaction" and (question := foil_question(case, act)) is not None:
            return question
        found = dict[str, Bid]()
        if stage == DECLARED and is_threat(action, act) and self._is_answered(case, act):
            unaware, rule = act.params.get("unaware", ()), action.facts.get("answered", "ap.react.purpose")
            reactive = reactive_of(self.catalogue(state))
            for who in dict.fromkeys([p.who for p in state.agenda]):
                fighter = state.fighters[who]
                if who != act.who and who not in unaware and f"attempt:{act.seq}" not in fighter.pools:
                    answers = self._open_answers(state, fighter, reactive)
                    if fighter.position is not None:
                        ranged = reactive.armed if weapons_of(fighter) else reactive.ranged
                        far = too_far(self, state, who, act.who, ranged)
                        answers = tuple([id for id in answers if id not in far])
                    friend = fighter.side == case.fighter.side
                    answers = tuple(
                        [
                            id
                            for id in answers
                            if reactive.against.get(id, "") in ("", *action.tags)
                            and not (friend and id in reactive.foes)
                        ]
                    )
                    if answers:
                        found[who] = Bid(who, answers, rule, targets=(act.who,))
        for who, reaction, rule in openings(self, state, act, stage):
            bid = found.get(who, Bid(who, (), rule, targets=(act.who,)))
            found[who] = replace(bid, actions=(*bid.actions, reaction))
        return Entry(tuple(found.values())) if found else None

    def unasked(self, case: Case, window: Window) -> Iterable[Objection]:
        """Say that somebody is too far away, or that what happened isn't what a reaction answers."""
        action, state = case.action, case.state
        below = state.focus[-2] if len(state.focus) > 1 else None
        below = below if type(below) is Act else None
        deed = None if below is None else self.catalogue(state)[below.action]
        against = action.facts.get("against")
        if deed is not None and against is not None and against not in deed.tags:
            reason = f"{action.title} answers an attack, and {deed.title.lower()} isn't one."
            yield case.object(reason, action.facts["says"])
        elif "openings" in action.facts:
            yield case.object(
                f"That gives {case.fighter.name} no opening: {full_stop(window.about)}", action.facts["says"]
            )
        elif below is not None and not self._is_answered(waiting_case(self, state, below), below):
            yield case.object(f"Nobody reacts to a reaction: {full_stop(window.about)}", "ap.react.purpose")

    def _is_answered(self, case: Case, act: Act) -> bool:
        """Check whether others may react to a threat: any that isn't itself a reaction, or one that says so."""
        if case.action.facts.get("answered"):
            return True
        top = case.state.top
        if type(top) is not Window:
            return True
        return act.params.get("pay") != "advantage" and all(used[:2] != (act.who, act.action) for used in top.used)

    def _open_answers(self, state: State, fighter: Fighter, reactive: Reactive) -> tuple[str, ...]:
        """Return what somebody can react with: they have the points and the conditions, and surprise allows it."""
        if fighter.effects and not self.able(fighter):
            return ()
        left, held, only = points_left(fighter, reacts=True), _NONE, False
        if fighter.effects:
            held = reactive.needed.intersection([e.id for e in fighter.effects])
            only = fighter.effect("surprised") is not None and not state.options["surprised_secondary_reactions"]
        attacks = fighter.pools.get("attacks")
        spent = attacks is not None and attacks.left < 1
        means: Means = (left, held, only, spent)
        if fighter.progress:
            return answers_of(fighter, reactive.answers, means)
        known = reactive.known.get(means)
        if known is None:
            known = reactive.known[means] = answers_of(fighter, reactive.answers, means)
        return known

    def reactions(self, state: State, by: tuple[str, ...]) -> tuple[Bid, ...]:
        """Let everybody react to what others caused; an enemy near enough may also strike."""
        reactive = reactive_of(self.catalogue(state))
        actions = tuple(a.id for a in reactive.answers)
        bids = []
        for who in dict.fromkeys(p.who for p in state.agenda):
            others = besides(who, by)
            if others or not by:
                more = tuple(a.id for a in reactive.takers if self._may_strike(state, who, others))
                bids.append(Bid(who, (*actions, *more), "ap.react.purpose", targets=others))
        return tuple(bids)

    def _may_strike(self, state: State, who: str, by: tuple[str, ...]) -> bool:
        """Check whether somebody who did something is an enemy within reach, as far as positions tell."""
        fighter = state.fighters[who]
        others = (state.fighters[name] for name in by if state.fighters[name].side != fighter.side)
        return any(self.distance(state, fighter, each) is None or in_reach(self, fighter, each) for each in others)

    # ── rolls, places ──

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """An attack is rolled where a bonus is stated: bookkeeping, since the source resolves none."""
        params = case.params
        bonus = bonus_of(case, "attack_bonus") if self.rolled(case) else None
        if bonus is None:
            return ()
        targets = case.targets if "target" in params else answered(case.state, case.fighter.name, case.action)
        needed = self.value(as_struck(self, case.state.fighters[targets[0]], params), "defense") if targets else None
        more = sum(effect.modifiers.get("attack_bonus", 0) for effect in case.fighter.effects)
        addends = ((bonus[0] + more, bonus[1]), *added(case), *named_modifiers(params, self.struck_by))
        return (Ask("attack", 1, 20, addends, needed), *damage_asks(case))

    def modified(self, fighter: Fighter) -> tuple[str, ...]:
        """Return what conditions may add to although the sheet states none: Luck, and a weapon's attacks."""
        return ("luck_bonus", *(["attack_bonus"] if arms_attack(fighter) else []))

    def rolled(self, case: Case) -> tuple[str, ...]:
        """Return what goes to an attack's roll, where a bonus is stated; a contest has none, whatever it does."""
        rolls = case.action.does != "contest" and bonus_of(case, "attack_bonus") is not None
        return super().rolled(case) if rolls else ()

    def threatened(self, state: State, fighter: Fighter) -> frozenset[object]:
        """Return the squares within reach, if there are openings for what is done in them."""
        here = as_pair(fighter.position)
        if here is None or not takers(self.catalogue(state)):
            return frozenset()
        reach = reach_of(self, fighter)
        side = range(-reach, reach + 1)
        return frozenset((here[0] + x, here[1] + y) for x in side for y in side if x or y)

    def guarded(self, state: State, fighter: Fighter, among: Collection[object]) -> dict[str, frozenset[object]]:
        """Return the enemies who may strike somebody for leaving their reach, and the squares within it."""
        taking, found = takers(self.catalogue(state)), dict[str, frozenset[object]]()
        for foe in foes_of(state, fighter.name) if taking and not is_free_to_go(fighter, taking) else ():
            squares = frozenset[object]() if self.is_felled(foe) else self.threatened(state, foe)
            near = not squares.isdisjoint(among)
            if near and any(could(self, foe, each, 0) for each in taking):
                found[foe.name] = squares
        return found

    # ── a user's own actions ──

    action_of_row = read_row


RULESET = ActionPoints
