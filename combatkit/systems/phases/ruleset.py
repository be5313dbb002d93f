"""Phases, a HERO variant: what only this system does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from combatkit.core.geometry import hex_distance, hex_neighbours, hexes_within
from combatkit.core.lookup import Lookup
from combatkit.core.model import Act, Bid, Clock, Distance, Effect, Fighter, Place, State, Step
from combatkit.errors import InvalidInput
from combatkit.rules import flow
from combatkit.rules.case import Case, Objection
from combatkit.rules.catalogue import Action
from combatkit.rules.delays import beside
from combatkit.rules.draft import Draft
from combatkit.rules.draw import Claim
from combatkit.rules.mechanisms import MECHANISMS, named_modifiers
from combatkit.rules.parts import Ask, Mechanism, Question
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import damage_asks, wielded
from combatkit.systems.phases import book, costs, limits, rows, threats
from combatkit.systems.phases.arms import PhasesArms
from combatkit.systems.phases.deeds import DEEDS, recover
from combatkit.systems.phases.halves import halves
from combatkit.systems.phases.order import DRAW, claim, take_places
from combatkit.systems.phases.presentation import PhasesPresentation, cells_after
from combatkit.systems.phases.stats import STATS
from combatkit.systems.phases.threats import EVERYBODY, FAILED, NEGATED, NOBODY, OPPORTUNITY
from combatkit.systems.phases.waiting import AFTER, BEFORE, WAITING
from combatkit.text import Said, Title, say

PHASE_SECONDS = 3
_SURPRISE = (Step("surprise", "Surprise Phase", phase=0, length=PHASE_SECONDS),)
_TURN = (
    *(
        Step(f"phase{n}", f"Phase {n}", phase=n, seconds=PHASE_SECONDS * (n - 1), length=PHASE_SECONDS)
        for n in range(1, 5)
    ),
    Step("post_turn", "Post-Turn", turns=False, seconds=4 * PHASE_SECONDS),
)


class Phases(Ruleset):
    """Four phases a turn, an order without dice, attacks of opportunity, and defences borrowed from the next action."""

    shows = PhasesPresentation
    arms = PhasesArms()

    score_title = "CV · phase by phase"
    draw = DRAW
    round_title = "Turn"
    occasion_title = "phase"
    end_title = "End phase"
    watched = ("hex",)

    def __init__(self) -> None:
        super().__init__(Path(__file__).parent, STATS)
        self.manoeuvres = Lookup(partial(threats.manoeuvres, self.tables))

    def mechanics(self) -> dict[str, Mechanism]:
        """Return the common mechanisms and this system's own, which stand in for some."""
        return {**MECHANISMS, **DEEDS, **WAITING, **book.DEEDS}

    # ── time ──

    def schedule(self, state: State) -> tuple[Step, ...]:
        """A turn is four phases and the Post-Turn; a Surprise Phase stands alone."""
        return _SURPRISE if state.round == 0 else _TURN

    def clock(self, state: State) -> Clock:
        """Turns of 12 seconds in phases of 3; a Surprise Phase is phase 0, and none of the four."""
        if state.round is None:
            return Clock(None, label="Not begun")
        step = flow.present_step(self, state)
        seconds = state.began + (step.seconds if step else 0)
        label = self.round_label(state.round)
        if step is not None and state.round:
            label += f" · {step.title}"
        return Clock(state.round, phase=step.phase if step else None, seconds=seconds, label=label)

    def calls(self, state: State, step: Step, place: Place) -> bool:
        """The unaware are not called in the Surprise Phase."""
        return state.round != 0 or state.fighters[place.who].effect("surprised") is None

    def step_begins(self, draft: Draft, step: Step) -> None:
        """A phase fills everybody's pools; in the Post-Turn most take a Recovery."""
        if step.turns:
            flow.refill(draft, "step")
            return
        for fighter in tuple(draft.state.fighters.values()):
            if fighter.stats["auto_recovery"] and not (fighter.effect("left") or fighter.effect("dead")):
                recover(draft, fighter.name, "phases.time.post-turn-recovery")

    def step_ends(self, draft: Draft, step: Step) -> None:
        """Keep what everybody did in the phase, and let half-done full-phase actions lapse."""
        if not step.turns:
            return
        state = draft.state
        if state.options["full_phase_halves"] == "consecutive":
            before = state.facts.get("ended", 0)
            for fighter in state.fighters.values():
                for id, progress in fighter.progress.items():
                    if progress.seq < before:
                        self._lapse(draft, fighter, id)
        facts = {"ended": draft.seq, "left": [], "cells": cells_after(self, state, step)}
        cited = self.cites(state, "step_end", step=step.id)
        draft.emit("fact", text=say("step.over", title=Title(step.title)), rules=cited, data={"facts": facts})

    def _lapse(self, draft: Draft, fighter: Fighter, id: str) -> None:
        text = say("progress.lapses", title=self.catalogue(draft.state)[id].called)
        data = {"done": 0, "total": 2, "completed": False, "progress": [0, 2]}
        cited = ("phases.act.start-complete",)
        draft.emit("progress", fighter.name, id, amount=0, text=text, rules=cited, data=data)

    # ── surprise and initiative ──

    def surprise(self, draft: Draft, surprised: tuple[str, ...]) -> None:
        """The unaware have -3 DCV in the Surprise Phase and do not act; there is none if all or none are unaware."""
        marked = [f.name for f in draft.state.fighters.values() if f.effect("surprised")]
        for name in marked:
            draft.end_effects(name, "surprised")
        unaware = dict.fromkeys([*marked, *surprised])
        if len(unaware) < len(draft.state.fighters):
            for name in unaware:
                rule = "phases.sur.unaware-dcv"
                draft.effect(name, "surprised", modifiers={"dcv": -3}, anchor="step_end", rule=rule)

    def claim(self, state: State, fighter: Fighter) -> Claim:
        """Combat Value plus Lightning Reflexes, and no die but for ties."""
        return claim(fighter)

    def initiative(self, draft: Draft, names: tuple[str, ...]) -> None:
        """Everybody takes their place; only ties are drawn."""
        take_places(draft, names)

    # ── budgets ──

    refill = costs.refill

    def _opportunities(self, state: State, fighter: Fighter) -> int:
        limit = state.options["combat_reflexes_limit"]
        return max(1, limit or 1) if fighter.stats["combat_reflexes"] else 1

    unlimited = costs.unlimited
    payments = costs.payments
    bars = limits.bars
    cited = limits.cited

    def begin_condition(
        self, draft: Draft, name: str, id: str, value: Any, modifiers: dict[str, int], anchor: str | None
    ) -> None:
        """A limit set in the middle of a phase or turn holds from that moment."""
        super().begin_condition(draft, name, id, value, modifiers, anchor)
        pools = draft.fighter(name).pools
        totals: dict[str, int | None] = {}
        if id == "limited" and "attack" in pools:
            spent = any(pools[p].left < pools[p].total for p in ("attack", "move"))
            totals = {"single": 0 if spent else 1}
        elif id == "free_limit":
            if type(value) is not int or value < 0:
                raise InvalidInput(f"condition free_limit: value is {value!r}; give a whole number from 0 up")
            totals = {"free_limit": value} if draft.state.round is not None else {}
        if totals:
            text = say("condition.holds", word=Title(id.replace("_", " ")))
            draft.emit("refresh", name, text=text, by="gm", data={"pools": {name: totals}, "at": "condition"})

    def said_of(self, what: str, id: str, ended: Effect | None = None) -> Said:
        """Say which manoeuvre is over."""
        if ended is not None and threats.is_manoeuvre(ended):
            return say("manoeuvre.ends", manoeuvre=Title(str(ended.value.get("id")).replace("_", " ")))
        return super().said_of(what, id, ended)

    # ── delay ──

    def delay_objections(
        self, state: State, fighter: Fighter, place: Place, params: Mapping[str, Any]
    ) -> Iterable[Objection]:
        """A place that is named is another than one's own."""
        rule = "phases.delay.name-or-wait"
        if "count" in params:
            if params["count"] == place.score:
                yield Objection(f"{fighter.name} is already at {place.score}.", rule)
            return
        for side, beyond in (("before", 1), ("after", -1)):
            there = state.place_of(params.get(side, ""))
            if there is not None and state.agenda.index(there) == state.agenda.index(place) + beyond:
                yield Objection(f"{fighter.name} already acts just {side} {there.who}.", rule)

    def delayed_place(self, state: State, fighter: Fighter, place: Place, params: Mapping[str, Any]) -> Place | None:
        """After those who act on the score; a higher one comes in the next phase."""
        if "count" not in params:
            return None
        count = int(params["count"])
        moved = self.placed(state, fighter, place, count)
        rises = place.score is not None and count > place.score
        return replace(moved, key=(("count", count),), done=state.occasion if rises else place.done)

    def last_place(self, state: State, fighter: Fighter, place: Place) -> Place:
        """Just after the last in the order."""
        last = state.agenda[-1]
        return place if last.id == place.id else beside(place, last)

    def declared(self, draft: Draft, act: Act, action: Action) -> None:
        """A delay takes no action, so what lasts until the next one goes on."""
        turn = draft.state.turn
        if action.does == "delay" and turn is not None:
            for name, effect in turn.ends:
                if effect.id in (threats.BARRED, threats.MANOEUVRE):
                    text = say("dodge.goes_on" if effect.id == threats.BARRED else "manoeuvre.goes_on")
                    draft.effect(name, effect.id, value=effect.value, anchor=effect.anchor, rule=effect.rule, text=text)

    # ── attacks ──

    def value(self, fighter: Fighter, stat: str) -> int | None:
        """OCV and DCV are the Combat Value where they are not stated, and what manoeuvres add counts in."""
        if stat not in ("ocv", "dcv"):
            return super().value(fighter, stat)
        stated = fighter.stats.get(stat)
        base: int = fighter.stats["combat_value"] if stated is None else stated
        if not fighter.effects:
            return base
        more = sum([e.modifiers.get(stat, 0) for e in fighter.effects])
        return base + more + threats.worst(threats.in_effect(fighter, stat))

    def values(self, state: State, fighter: Fighter) -> dict[str, Any]:
        """Return a combatant's numbers, OCV and DCV as they hold now."""
        values = super().values(state, fighter)
        return {**values, "ocv": self.value(fighter, "ocv"), "dcv": self.value(fighter, "dcv")}

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """Roll 3d6 plus OCV against 10 plus DCV."""
        params = case.params
        if "attack" not in case.action.tags:
            return ()
        used = threats.in_effect(case.fighter, "ocv")
        now = threats.own_modifiers(self, case.state, threats.manoeuvre_of(case.action, params))["ocv"]
        plain = (case.value("ocv") or 0) - threats.worst(used)
        both = threats.worst([*used, now])
        weapon = wielded(case)
        more = ((both, "manoeuvres"), (weapon.get("ocv", 0), weapon.get("name", "")))
        addends = ((plain, "OCV"), *((n, name) for n, name in more if n), *named_modifiers(params))
        targets = case.targets
        needed = 10 + (self.value(case.state.fighters[targets[0]], "dcv") or 0) if targets else None
        return (Ask("attack", 3, 6, addends, needed, "phases.atk.roll", even="phases.atk.ge"), *damage_asks(case))

    def lands(self, state: State, ask: Ask, faces: tuple[int, ...], total: int) -> bool:
        """Whether meeting the target number hits is a reading."""
        assert ask.needed is not None
        return total >= ask.needed if state.options["meets_hits"] else total > ask.needed

    action_of_row = rows.action_of_row
    check_table = rows.check_table

    # ── opportunities ──

    def noted(self, case: Case) -> dict[str, Any]:
        """Half of a full-phase action says how far it has come."""
        return halves(case.fighter, case.params.get("action", "")) if case.action.does == "half" else {}

    def question(self, state: State, act: Act, stage: str) -> Question | None:
        """Ask who threatens where no positions tell, then whether a skill check negates what would provoke."""
        kind = threats.provocation(self, state, act)
        if not kind:
            return None
        known, unknown = threats.provoked(self, state, act, stage)
        action = self.catalogue(state)[act.action]
        if unknown:
            choices = (*unknown, *((EVERYBODY,) if len(unknown) > 1 else ()), NOBODY)
            about = say("question.threatens", who=act.who, verb=Title(action.verb or action.called))
            return Question("threatens", about, choices, "phases.aoo.threat", many=True)
        said = act.params.get("outcome") in (FAILED, NEGATED)
        if known and kind != "yes" and "check" not in act.result and not said:
            asked = "question.varies" if kind == "varies" else "question.check"
            about = say(asked, who=act.who, verb=Title(action.verb))
            return Question("check", about, (FAILED, NEGATED), action.rule)
        return None

    def entrants(self, state: State, act: Act, stage: str) -> tuple[Bid, ...]:
        """Whoever threatens may attack one who leaves a threatened hex or is distracted in one."""
        if not threats.provocation(self, state, act):
            return ()
        known, _ = threats.provoked(self, state, act, stage)
        rule = "phases.aoo.move-out" if threats.leaves(self, state, act) else "phases.aoo.distract"
        return tuple(Bid(name, (OPPORTUNITY,), rule, targets=(act.who,)) for name in known)

    def reactions(self, state: State, by: tuple[str, ...]) -> tuple[Bid, ...]:
        """An enemy near enough, as far as positions tell, may answer with an attack of opportunity."""
        found: dict[str, list[str]] = {}
        fighters = [state.fighters[place.who] for place in state.agenda]
        reaches = [(f, threats.hex_of(f), threats.reach(self, f)) for f in fighters]
        for who in by:
            side, there = state.fighters[who].side, threats.hex_of(state.fighters[who])
            for foe, here, reach in reaches:
                near = here is None or there is None or hex_distance(here, there) <= reach
                if near and foe.side != side:
                    found.setdefault(foe.name, []).append(who)
        return tuple(Bid(foe, (OPPORTUNITY,), "phases.aoo.def", targets=tuple(whom)) for foe, whom in found.items())

    def threatened(self, state: State, fighter: Fighter) -> frozenset[Any]:
        """Every hex within reach, one's own too: an enemy may stand in it."""
        here = threats.hex_of(fighter)
        return frozenset() if here is None else hexes_within(here, threats.reach(self, fighter))

    def distance(self, state: State, a: Fighter, b: Fighter) -> Distance | None:
        """Count hexes."""
        here, there = threats.hex_of(a), threats.hex_of(b)
        return None if here is None or there is None else Distance(hex_distance(here, there))

    def listed(self, case: Case, param: str) -> tuple[Any, ...] | None:
        """Return what can be listed: manoeuvres, modes, the hexes of one step, how a check came out."""
        action = case.action
        if param == "manoeuvre":
            return threats.manoeuvre_ids(self, case.state)
        if param == "option" and "attack" in action.tags:
            return ("melee", "ranged")
        if param == "option" and action.does == "use":
            return (BEFORE, AFTER)
        if param == "outcome" and action.facts.get("provokes"):
            return (FAILED, NEGATED)
        if param == "to" and (action.facts.get("distance") == "one" or action.does == "use"):
            here = threats.hex_of(case.fighter)
            return None if here is None else hex_neighbours(here)
        return None

    def check_combatant(self, stats: Mapping[str, Any], where: str) -> None:
        """A weapon is one for melee, or one for attacks at range."""
        for weapon in stats.get("weapons", ()):
            if "reach" in weapon and "range" in weapon:
                raise InvalidInput(
                    f"{where}: {weapon['name']} has a reach and a range; give one of them, or it as two weapons"
                )


RULESET = Phases
