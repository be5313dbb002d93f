"""Star Wars Saga Edition: what only this system does."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import MappingProxyType

from combatkit.core.geometry import Board, as_pair
from combatkit.core.model import Act, Bid, Fighter, State, Step, Window, present
from combatkit.core.plain import full_stop
from combatkit.rules import flow
from combatkit.rules.blows import BLOWS
from combatkit.rules.case import Ask, Case, Entry, Given, Objection, Question, against
from combatkit.rules.catalogue import Cost
from combatkit.rules.contests import contest_question
from combatkit.rules.draft import Draft
from combatkit.rules.initiative import roll
from combatkit.rules.judge import could_strike
from combatkit.rules.mechanisms import MECHANISMS, as_struck, named_modifiers
from combatkit.rules.moments import Declared, Harmed, Moment, Placed
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.several import are_several, blows_of
from combatkit.rules.weapons import bonus_of, damage_asks
from combatkit.rules.windows import DECLARED
from combatkit.systems.saga.arms import SAGA_ARMS
from combatkit.systems.saga.book import (
    DEEDS,
    TRACK,
    added,
    barred,
    harmed,
    plays_book,
    provoked,
    put_on,
    use_up,
)
from combatkit.systems.saga.order import DELAY, DRAW, claim, explain, later, settle
from combatkit.systems.saga.places import MOVES, REACH, leaving
from combatkit.systems.saga.presentation import SagaPresentation
from combatkit.systems.saga.prices import Prices
from combatkit.systems.saga.stats import STATS

_OPPORTUNITY = "attack_of_opportunity"
_NO_REACTIONS: dict[str, int | None] = {"reaction": 0, "aoo": 0}
_SURPRISED = (
    ("surprised", "saga.surprise.surprised-no-actions"),
    ("flat_footed", "saga.surprise.flat-footed"),
)


class Saga(Ruleset):
    """Slots a turn, a d20 for initiative, delay and ready that move a count for good."""

    score_title = "count"
    draw = DRAW
    arms = SAGA_ARMS
    shows = SagaPresentation
    board = Board("squares")
    to_hit, struck_by = ("attack_bonus", "attack"), "defense"
    steps = (Step("turns", "Turns", length=6),)
    surprise_steps = (Step("surprise", "Surprise round", length=6),)
    mechanisms = MappingProxyType({**MECHANISMS, **MOVES, **DEEDS, **DELAY, "blows": BLOWS})
    """Those that systems share, and moves; a delay also says what it changes for others on the ladder."""

    def __init__(self) -> None:
        super().__init__(Path(__file__).parent, STATS)
        self._prices = Prices(self.costs)

    # ── surprise and initiative ──

    def surprise(self, draft: Draft, surprised: tuple[str, ...]) -> None:
        """The surprised have no actions and are flat-footed until their own first regular turn."""
        if len(surprised) < len(present(draft.state.fighters)):
            for name in surprised:
                self._surprise(draft, name)

    def _surprise(self, draft: Draft, name: str, anchor: str | None = None, rounds: int = 0, by: str = "rules") -> None:
        for id, rule in _SURPRISED:
            draft.end_effects(name, id, by=by)
            draft.effect(name, id, anchor=anchor or f"turn:{name}", rounds=rounds, rule=rule, by=by)

    def set_condition(self, draft: Draft, given: Given) -> None:
        """Being flat-footed comes and goes with surprise, which ends with their own first regular turn.

        So does the loss of reactions.
        """
        surprise = given.id == "surprised"
        if surprise and not given.off and given.value is None and not given.modifiers:
            self._surprise(draft, given.who, given.anchor, given.rounds, "gm")
            return
        if given.id == TRACK and not given.modifiers and plays_book(draft):
            put_on(draft, given)
            return
        super().set_condition(draft, given)
        if surprise and given.off:
            super().set_condition(draft, given._replace(id="flat_footed"))
            if draft.state.stage == "running":
                flow.refill(draft, "join", given.who)  # nobody gets back what they have spent

    claim = claim

    def initiative(self, draft: Draft, names: tuple[str, ...]) -> None:
        """Everybody rolls; then ties are broken."""
        settle(draft, roll(draft, names))

    # ── budgets ──

    def price(self, case: Case) -> tuple[Cost, str]:
        """Return what an action costs as the turn stands: the second move of a turn is the standard action given up."""
        cost, rule = super().price(case)
        return self._prices.now(case, cost, rule)

    def refill(self, state: State, fighter: Fighter, boundary: str) -> dict[str, int | None]:
        """Reactions refresh with the round, the rest with your own turn; the surprise round allows one action."""
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

    def listed(self, case: Case, param: str) -> tuple[object, ...] | None:
        """Return the slots an action can be paid from, and the ways it can be done."""
        if param == "option" and "ways" in case.action.facts:
            return tuple(case.action.facts["ways"])
        return self._prices.slots(case.action, super().price(case.given({}))[0]) if param == "pay" else None

    def _reactions(self, fighter: Fighter) -> dict[str, int | None]:
        return {"reaction": 1, "aoo": self._opportunities(fighter)}

    def _opportunities(self, fighter: Fighter) -> int:
        stated: int | None = fighter.stats["extra_opportunities"]
        if stated is None:
            dex = self.value(fighter, "dex") or 0
            stated = max(1, dex) if "Combat Reflexes" in fighter.stats["feats"] else 0
        return max(0, stated + self.bonus(fighter, "extra_opportunities"))

    def bars(self, case: Case) -> Iterable[Objection]:
        """The surprised may do nothing; the surprise round has no room for a full-round action."""
        state, fighter = case.state, case.fighter
        name = fighter.name
        if fighter.effects and fighter.effect("surprised"):
            reason = f"{name} is surprised and can't act before their first regular turn."
            if case.action.when == "reaction":
                yield Objection(reason, "saga.surprise.no-reaction")
            idle = "saga.surprise.unaware-idle" if state.round == 0 else ""
            yield from against(reason, "saga.surprise.surprised-no-actions", idle)
        if fighter.effects:
            yield from barred(case)
        if state.round == 0:
            cost, _ = self.price(case.given({}))
            if cost.id == "full_round":
                yield Objection("A full-round action doesn't fit in the surprise round.", "saga.surprise.no-full-round")
            elif cost.id == "free" and not state.options["surprise_free_actions"]:
                yield Objection("Free actions aren't allowed in the surprise round.", "saga.surprise.free-open")

    # ── delays, places, rolls, windows ──

    later = later

    def threatened(self, state: State, fighter: Fighter) -> frozenset[object]:
        """Return the squares within reach, the combatant's own included."""
        here = as_pair(fighter.position)
        if here is None:
            return frozenset()
        span = range(-REACH, REACH + 1)
        return frozenset((here[0] + x, here[1] + y) for x in span for y in span)

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """An attack is rolled where a bonus is stated: bookkeeping, since the source resolves none."""
        if "blows" in case.action.facts and are_several(case):
            return tuple(ask for blow in blows_of(case) for ask in self.asks(blow) if ask.purpose == "attack")
        params = case.params
        bonus = bonus_of(case, "attack_bonus") if "attack" in case.action.tags else None
        if bonus is None:
            return ()
        addends = (bonus, *_under_conditions(case.fighter), *added(case), *named_modifiers(params, self.struck_by))
        targets = case.targets
        needed = self.value(as_struck(self, case.state.fighters[targets[0]], params), "defense") if targets else None
        return (Ask("attack", 1, 20, addends, needed, case.action.rule), *damage_asks(case))

    def follows(self, draft: Draft, moment: Moment) -> None:
        """Use up what was prepared for an attack, which any other action may break; damage moves down the track."""
        if isinstance(moment, Declared):
            use_up(draft, moment.act, moment.action)
        elif isinstance(moment, Harmed):
            harmed(draft, moment.who, moment.dealt)
        elif isinstance(moment, Placed):
            explain(draft)

    def waits_for(self, case: Case, act: Act) -> Question | Entry | None:
        """Ask how a contest came out, before anything follows from it; then offer attacks of opportunity."""
        if act.passed in (DECLARED, "move") and (foes := leaving(case, act)):
            rule, whom = "saga.react.ex.aoo", (case.fighter.name,)
            able = [name for name in foes if could_strike(self, case.state, name, _OPPORTUNITY, case.fighter.name)]
            return Entry(tuple(Bid(name, (_OPPORTUNITY,), rule, targets=whom) for name in able)) if able else None
        if act.passed != DECLARED:
            return None
        contested = case.action.does == "contest"
        return (contest_question(case, act) if contested else None) or self._opportunity(case)

    def reactions(self, state: State, by: tuple[str, ...]) -> tuple[Bid, ...]:
        """Offer everybody but the triggerer an attack of opportunity; or a talent, where the GM asks for one."""
        actions = (_OPPORTUNITY, "talent_reaction")
        return tuple(Bid(p.who, actions, "saga.react.ex.aoo", targets=by) for p in state.agenda if p.who not in by)

    def unasked(self, case: Case, window: Window) -> Iterable[Objection]:
        """Say that nothing has given an opening."""
        if case.action.id == _OPPORTUNITY:
            about = (
                "." if window.soft else f": {full_stop(window.about)}"
            )  # of a soft one it is told who may still answer
            yield case.object(f"That gives {case.fighter.name} no opening by itself{about}")

    def _opportunity(self, case: Case) -> Entry | None:
        """Offer an attack of opportunity to those with one left, as an enemy moves in the middle of another's action.

        On the mover's own turn the table says when there is an opening; here there is no later moment for it. Openings
        by the list ``book`` are offered to those adjacent. Whoever is known to stand there is waited for; where only
        the table knows who does, nobody is.
        """
        state, fighter, provokes = case.state, case.fighter, case.action.facts.get("provokes")
        if not provokes and not (len(state.focus) > 1 and _moves_in_between(case)):
            return None
        active = state.turn.who if state.turn is not None else None
        foes = (p.who for p in state.agenda if state.fighters[p.who].side != fighter.side and p.who != active)
        return Entry(
            tuple(
                Bid(name, (_OPPORTUNITY,), provokes or "saga.react.ex.aoo", targets=(fighter.name,))
                for name in dict.fromkeys(foes)
                if (not provokes or provoked(case, name))
                and could_strike(self, state, name, _OPPORTUNITY, fighter.name)
            ),
            soft=not (provokes and fighter.position is not None),
        )


def _moves_in_between(case: Case) -> bool:
    under_way = (frame for frame in case.state.focus if type(frame) is Act)
    return "movement" in case.action.tags and any(act.who != case.fighter.name for act in under_way)


def _under_conditions(fighter: Fighter) -> tuple[tuple[int, str], ...]:
    """Return what conditions add to attacks, whatever the bonus is."""
    more = sum([effect.modifiers.get("attack_bonus", 0) for effect in fighter.effects]) if fighter.effects else 0
    return ((more, "conditions"),) if more else ()


RULESET = Saga
