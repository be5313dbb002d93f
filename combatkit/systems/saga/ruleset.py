"""Star Wars Saga Edition: what only this system does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from combatkit.core.model import Act, Bid, Clock, Distance, Fighter, Place, State, Step
from combatkit.rules import flow
from combatkit.rules.case import Case, Objection
from combatkit.rules.catalogue import Action, Cost
from combatkit.rules.contests import contest_question
from combatkit.rules.delays import delay
from combatkit.rules.draft import Draft
from combatkit.rules.draw import Claim
from combatkit.rules.initiative import roll
from combatkit.rules.mechanisms import MECHANISMS, named_modifiers
from combatkit.rules.parts import Ask, Mechanism, Question, Stage
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import damage_asks
from combatkit.rules.windows import DECLARED
from combatkit.systems.saga.arms import ARMS, bonus_of, under_conditions
from combatkit.systems.saga.book import DEEDS, added, barred, provoked, use_up
from combatkit.systems.saga.order import DRAW, claim, delayed, explain, followed, settle
from combatkit.systems.saga.places import MOVES, distance_between
from combatkit.systems.saga.prices import Prices
from combatkit.systems.saga.stats import STATS

_SURPRISE = (Step("surprise", "Surprise round", length=6),)
_REGULAR = (Step("turns", "Turns", length=6),)
_NOTHING: Mapping[str, Any] = {}
_NO_REACTIONS: dict[str, int | None] = {"reaction": 0, "aoo": 0}
_SURPRISED = (
    ("surprised", "saga.surprise.surprised-no-actions"),
    ("flat_footed", "saga.surprise.flat-footed"),
)


class Saga(Ruleset):
    """Slots a turn, a d20 for initiative, delay and ready that move a count for good."""

    score_title = "count"
    draw = DRAW
    arms = ARMS

    def __init__(self) -> None:
        super().__init__(Path(__file__).parent, STATS)
        self._prices = Prices(self.costs)

    def mechanics(self) -> dict[str, Mechanism]:
        """Return those that systems share, and moves; a delay says as well what it changes for others on the ladder."""
        return {**MECHANISMS, **MOVES, **DEEDS, "delay": MECHANISMS["delay"]._replace(stages=(Stage("delay", _delay),))}

    # ── time ──

    def schedule(self, state: State) -> tuple[Step, ...]:
        """A surprise round is one step; so is a regular round."""
        return _SURPRISE if state.round == 0 else _REGULAR

    def clock(self, state: State) -> Clock:
        """Rounds of six seconds."""
        if state.round is None:
            return Clock(None, seconds=None, label="Not begun")
        return Clock(state.round, seconds=state.began, label=self.round_label(state.round))

    def calls(self, state: State, step: Step, place: Place) -> bool:
        """The surprised are not called in the surprise round."""
        return state.round != 0 or state.fighters[place.who].effect("surprised") is None

    # ── surprise and initiative ──

    def surprise(self, draft: Draft, surprised: tuple[str, ...]) -> None:
        """The surprised have no actions and are flat-footed until their own first regular turn."""
        if len(surprised) < len(draft.state.fighters):
            for name in surprised:
                self._surprise(draft, name)

    def _surprise(self, draft: Draft, name: str, anchor: str | None = None, by: str = "rules") -> None:
        for id, rule in _SURPRISED:
            draft.end_effects(name, id, by=by)
            draft.effect(name, id, anchor=anchor or f"turn:{name}", rule=rule, by=by)

    def begin_condition(
        self, draft: Draft, name: str, id: str, value: Any, modifiers: dict[str, int], anchor: str | None
    ) -> None:
        """Surprise comes with being flat-footed, and both end with one's own first regular turn."""
        if id == "surprised" and value is None and not modifiers:
            self._surprise(draft, name, anchor, "gm")
        else:
            super().begin_condition(draft, name, id, value, modifiers, anchor)

    def end_condition(self, draft: Draft, name: str, id: str) -> None:
        """Being flat-footed came with surprise and goes with it; so do the reactions that it took."""
        super().end_condition(draft, name, id)
        if id != "surprised":
            return
        super().end_condition(draft, name, "flat_footed")
        if draft.state.stage == "running":
            flow.refill(draft, "round", name)

    def claim(self, state: State, fighter: Fighter) -> Claim:
        """A d20 plus Dexterity, half level and the rest; ties by Dexterity, then by a d20 each."""
        return claim(fighter)

    def initiative(self, draft: Draft, names: tuple[str, ...]) -> None:
        """Everybody rolls; then the ties are parted."""
        settle(draft, roll(draft, names))

    # ── budgets ──

    def price(self, case: Case) -> tuple[Cost, str]:
        """Return what an action costs as the turn stands: the second move of a turn is the standard action given up."""
        cost, rule = super().price(case)
        return self._prices.now(case, cost, rule)

    def refill(self, state: State, fighter: Fighter, boundary: str) -> dict[str, int | None]:
        """Reactions refresh with the round, the rest with one's own turn; the surprise round allows one action."""
        surprised = fighter.effect("surprised") is not None
        if boundary in ("round", "join"):
            return _NO_REACTIONS if surprised else self._reactions(fighter)
        totals: dict[str, int | None] = {"standard": 1, "move": 1, "swift": 1}
        if surprised:  # until now they had none, and this turn ends that
            totals |= self._reactions(fighter)
        if state.round == 0:
            totals["surprise"] = 1
        elif "surprise" in fighter.pools:
            totals["surprise"] = None
        cap = state.options["free_action_cap"]
        if cap is not None:
            totals["free"] = cap
        return totals

    def listed(self, case: Case, param: str) -> tuple[Any, ...] | None:
        """Return the slots an action can be paid from."""
        return self._prices.slots(case.action, self.price(case.given({}))[0]) if param == "pay" else None

    def _reactions(self, fighter: Fighter) -> dict[str, int | None]:
        return {"reaction": 1, "aoo": self._opportunities(fighter)}

    def _opportunities(self, fighter: Fighter) -> int:
        stated: int | None = fighter.stats["extra_opportunities"]
        if stated is not None:
            return stated
        dex: int = fighter.stats["dex"]
        return max(1, dex) if "Combat Reflexes" in fighter.stats["feats"] else 0

    def bars(self, case: Case) -> Iterable[Objection]:
        """The surprised may do nothing; the surprise round has no room for a full-round action."""
        state, fighter = case.state, case.fighter
        name = fighter.name
        if fighter.effects and fighter.effect("surprised"):
            reason = f"{name} is surprised and has no actions before their first regular turn."
            if case.action.when == "reaction":
                yield Objection(reason, "saga.surprise.no-reaction")
            yield Objection(reason, "saga.surprise.surprised-no-actions")
            if state.round == 0:
                yield Objection("", "saga.surprise.unaware-idle")
        if fighter.effects:
            yield from barred(case)
        if state.round == 0:
            cost, _ = self.price(case.given({}))
            if cost.id == "full_round":
                yield Objection("No full-round action fits in the surprise round.", "saga.surprise.no-full-round")
            elif cost.id == "free" and not state.options["surprise_free_actions"]:
                yield Objection("Free actions are not allowed in the surprise round.", "saga.surprise.free-open")

    # ── delay and ready ──

    def delay_objections(
        self, state: State, fighter: Fighter, place: Place, params: Mapping[str, Any]
    ) -> Iterable[Objection]:
        """The new count is lower than the present one; with the option, it may rise in a later round."""
        later = params.get("round")
        assert state.round is not None
        if later is not None and later < state.round:
            yield Objection(f"Round {later} is past; name round {state.round} or a later one.", "saga.delay.next-round")
        count = self._count(state, params)
        if count is None:
            if later is not None and later > state.round:
                yield Objection("A delay into a later round names its count.", "saga.delay.next-round")
            return
        rises = state.options["delay_may_rise"] and later is not None and later > state.round
        if place.score is not None and count >= place.score and not rises:
            reason = f"{fighter.name} is at {place.score}; a delay takes a lower count, {place.score - 1} or less."
            yield Objection(reason, "saga.delay.lower-only")

    def _count(self, state: State, params: Mapping[str, Any]) -> int | None:
        if "count" in params:
            return int(params["count"])
        for side in ("after", "before"):
            if side in params:
                other = state.place_of(params[side])
                return None if other is None or other.score is None else int(other.score)
        return None

    def delayed_place(self, state: State, fighter: Fighter, place: Place, params: Mapping[str, Any]) -> Place | None:
        """After those who hold the count; among delayers the higher Dexterity, then the earlier delay."""
        if "count" not in params and ("after" not in params or followed(state, place, params["after"])):
            return None
        count = self._count(state, params)
        return None if count is None else delayed(self, state, fighter, place, count)

    def step_in_objections(self, state: State, fighter: Fighter, place: Place) -> Iterable[Objection]:
        """Stepping in takes the count of the one stepped in before, which must be lower than one's own."""
        turn = state.turn
        if turn is None or place.score is None:
            return
        score = state.place(turn.place).score
        if score is not None and score >= place.score and not state.options["delay_may_rise"]:
            yield Objection(
                f"{turn.who} is at {score}, {fighter.name} at {place.score}: a delay takes a lower count.",
                "saga.delay.lower-only",
            )

    def last_place(self, state: State, fighter: Fighter, place: Place) -> Place:
        """After everybody else, on the lowest count there is or one below one's own."""
        scores = [int(p.score) for p in state.agenda if p.score is not None and p.who != fighter.name]
        own = int(place.score) if place.score is not None else 0
        return delayed(self, state, fighter, place, min([own - 1, *scores]))

    def ready_anchor(self, state: State, who: str) -> str | None:
        """A readied action is lost at the owner's next turn, or never."""
        return f"turn_start:{who}" if state.options["ready_lapses"] == "own_turn" else None

    # ── places, rolls, windows ──

    def distance(self, state: State, a: Fighter, b: Fighter) -> Distance | None:
        """Count squares, in which speed is given."""
        return distance_between(a, b)

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """An attack is rolled where a bonus is stated: bookkeeping, since the source resolves none."""
        params = case.params
        bonus = bonus_of(case) if "attack" in case.action.tags else None
        if bonus is None:
            return ()
        addends = (bonus, *under_conditions(case.fighter), *added(case), *named_modifiers(params))
        targets = case.targets
        needed = self.value(case.state.fighters[targets[0]], "defense") if targets else None
        return (Ask("attack", 1, 20, addends, needed, case.action.rule), *damage_asks(case))

    def declared(self, draft: Draft, act: Act, action: Action) -> None:
        """Use up what was prepared for an attack; what else is done may break it."""
        use_up(draft, act, action)

    def question(self, state: State, act: Act, stage: str) -> Question | None:
        """Ask how a contest came out, before what it comes to."""
        contested = stage == DECLARED and self.catalogue(state)[act.action].does == "contest"
        return contest_question(self, state, act) if contested else None

    def reactions(self, state: State, by: tuple[str, ...]) -> tuple[Bid, ...]:
        """Whoever is not the triggerer may answer with an attack of opportunity or a reaction talent."""
        actions = ("attack_of_opportunity", "talent_reaction")
        return tuple(Bid(p.who, actions, "saga.react.ex.aoo", targets=by) for p in state.agenda if p.who not in by)

    def entrants(self, state: State, act: Act, stage: str) -> tuple[Bid, ...]:
        """Whoever has an opportunity left may take it as an enemy moves in the middle of another's action.

        On a mover's own turn the table says when one gives an opening; here there is no later moment for it. What the
        list ``book`` says gives one is offered to those beside.
        """
        if stage != DECLARED:
            return ()
        action = self.catalogue(state)[act.action]
        provokes = action.facts.get("provokes")
        if not provokes and not (len(state.focus) > 1 and _moves_in_between(state, act, action)):
            return ()
        side, active = state.fighters[act.who].side, state.turn.who if state.turn is not None else None
        foes = (p.who for p in state.agenda if state.fighters[p.who].side != side and p.who != active)
        return tuple(
            Bid(name, ("attack_of_opportunity",), provokes or "saga.react.ex.aoo", targets=(act.who,))
            for name in dict.fromkeys(foes)
            if self._can_oppose(state.fighters[name]) and (not provokes or provoked(self, state, act, name))
        )

    def lets_pass(self, state: State, act: Act, stage: str) -> bool:
        """Nobody waits for an opportunity that a readied move may give."""
        return True

    def _can_oppose(self, fighter: Fighter) -> bool:
        left = sum(fighter.pools[id].left for id in ("aoo", "reaction") if id in fighter.pools)
        return left > 0 and self.able(fighter) and fighter.effect("surprised") is None


def _moves_in_between(state: State, act: Act, action: Action) -> bool:
    return "movement" in action.tags and any(type(frame) is Act and frame.who != act.who for frame in state.focus)


def _delay(draft: Draft, act: Act) -> Act:
    act = delay(draft, act)
    explain(draft)
    return act


RULESET = Saga
