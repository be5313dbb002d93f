"""Phases, a HERO variant: what is special to this system."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from combatkit.core.geometry import Board, hex_distance, hex_neighbours, hexes_within
from combatkit.core.model import Act, Bid, Fighter, State, Step, Window, foes_of, present
from combatkit.core.plain import check_whole, full_stop
from combatkit.errors import InvalidInput, UnknownName, within
from combatkit.rules import flow
from combatkit.rules.case import Ask, Case, Entry, Given, Mechanism, Objection, Question, Stage
from combatkit.rules.catalogue import Action, Cost
from combatkit.rules.contests import besides
from combatkit.rules.draft import Draft
from combatkit.rules.judge import bid_of, kept_case, readied, unable
from combatkit.rules.mechanisms import MECHANISMS, as_struck, named_modifiers
from combatkit.rules.moments import Declared, Lapsed, Moment, StepBegins, StepEnds
from combatkit.rules.perform import EVERYBODY, tell_progress
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import MELEE, RANGED, Arms, Weapon, damage_asks, wielded
from combatkit.systems.phases import order, threats
from combatkit.systems.phases.deeds import (
    AFTER,
    BEFORE,
    DEEDS,
    FORFEIT,
    OWES,
    STEP,
    WAITING,
    carried,
    farthest,
    forfeited,
    forgive,
    halves,
    has_stepped,
    late_halves,
    lay_on,
    moving,
    readies_half,
    recover,
    verdicts,
    whole_first,
)
from combatkit.systems.phases.order import DRAW
from combatkit.systems.phases.presentation import PhasesPresentation, cells_after
from combatkit.systems.phases.stats import STATS
from combatkit.systems.phases.threats import (
    FAILED,
    NEGATED,
    NOBODY,
    OPPORTUNITY,
    by_nature,
    is_bound,
    is_unaware,
    manoeuvre_of,
    own_reach,
    row_of,
    steps_to,
)
from combatkit.text import Said, Title, say, say_names

# ── what the actions of the list `book` do: the source names them without a price ──


_VALUES = ("ocv", "dcv")


def check_levels(case: Case) -> Iterable[Objection]:
    """Refuse to put levels into anything but OCV and DCV, or to take any out of them."""
    given = case.params.get("modifiers", {})
    if type(given) is int or any(id not in _VALUES or number < 0 for id, number in given.items()):
        raise InvalidInput(f'{case.action.id}: modifiers is {given!r}; give levels by value, as {{"ocv": 2, "dcv": 1}}')
    yield from ()


def assign(draft: Draft, act: Act) -> Act:
    """Put combat levels where they are wanted, and take them out everywhere else."""
    action = draft.actions[act.action]
    id, given = action.facts["begins"], {id: number for id, number in act.params["modifiers"].items() if number}
    draft.end_effects(act.who, id)
    if given:
        draft.effect(act.who, id, modifiers=given, rule=action.rule)
    return act


def said_of_levels(case: Case) -> Said:
    """Return the words for where somebody's combat levels go."""
    given, does = case.params["modifiers"], case.action.said()
    levels = [say("levels.one", value=Title(id.upper()), number=given[id]) for id in _VALUES if given.get(id)]
    return say("levels.assigns", does=does, levels=levels) if levels else say("levels.none", does=does)


BOOK: dict[str, Mechanism] = {"levels": Mechanism(check_levels, (Stage("levels", assign),), facts=("begins",))}
"""The mechanisms of the list, by the name that ``does`` uses."""


# ── weapons: what each adds to OCV, and from how many hexes away it hits ──


class PhasesArms(Arms):
    """A weapon with a range attacks at range; any other hits as far as its own reach, or its owner's."""

    adds = "ocv"
    unit = "hex"
    rangeless = MELEE

    def nature(self, case: Case) -> str:
        """Return how an attack is made by its manoeuvre, or else as it is said to be made from afar."""
        ranged = by_nature(case)
        if ranged is None:
            return RANGED if case.params.get("option") == RANGED else ""
        return RANGED if ranged else MELEE

    def suits(self, case: Case, weapon: Weapon) -> bool:
        """Check whether a weapon is of the kind that an attack takes by its nature: only one with a range shoots."""
        nature = self.nature(case)
        return not nature or ("range" in weapon) is (nature == RANGED)

    def harmless(self, case: Case) -> bool:
        """Check whether an attack does no damage by itself, or is made with a manoeuvre that does none."""
        id = row_of(case).get("of", manoeuvre_of(case.action, case.params))
        used = case.rules.actions.get(id, case.action)
        return super().harmless(case) or bool(used.facts.get("harmless"))

    def fits(self, case: Case, weapon: Weapon) -> bool:
        """Check whether a weapon is of the kind an attack needs; an attack of opportunity is made in melee."""
        bound = False if case.action.id == OPPORTUNITY else is_bound(case)
        return bound is None or bound is ("range" in weapon)

    def bare(self, case: Case) -> int:
        """Return how many hexes away somebody strikes with bare hands."""
        return own_reach(case.rules, case.fighter)

    def reach(self, case: Case, weapon: Weapon) -> int | None:
        """Return how many hexes away a weapon hits."""
        bound = is_bound(case)
        ranged = "range" in weapon if bound is None else bound
        return weapon.get("range") if ranged else weapon.get("reach", own_reach(case.rules, case.fighter))

    def steps(self, case: Case, target: str) -> int | None:
        """Return the distance from a target to the nearest hex the attacker comes through."""
        return steps_to(case, target)


# ── the ruleset ──


PHASE_SECONDS = 3
_UNAWARE = -3


_PHASES = [
    Step(f"phase{n}", f"Phase {n}", phase=n, seconds=PHASE_SECONDS * (n - 1), length=PHASE_SECONDS) for n in range(1, 5)
]


_OF_ROWS = {"attack": "phases.tab.attack", "full_phase": "phases.full.entire", "free": "phases.act.free"}


"""The rule behind an action that a user adds, by its cost."""


class Phases(Ruleset):
    """Four phases a turn, an order without dice, attacks of opportunity, and defences borrowed from the next action."""

    shows = PhasesPresentation
    arms = PhasesArms()
    board = Board("hexes")
    foes_option = "through_foes"
    to_hit, struck_by = ("ocv", "attack"), "dcv"

    score_title = "CV · phase by phase"
    draw = DRAW
    round_title = "Turn"
    next_title = "Next Turn"
    skip_title = "Skip to the next Turn"
    occasion_title = "phase"
    end_title = "Done acting"
    watched = ("hex",)
    steps = (*_PHASES, Step("post_turn", "Post-Turn", turns=False, seconds=4 * PHASE_SECONDS))
    surprise_steps = (Step("surprise", "Surprise Phase", phase=0, length=PHASE_SECONDS),)
    mechanisms = MappingProxyType({**MECHANISMS, **DEEDS, **WAITING, **BOOK})

    def __init__(self) -> None:
        super().__init__(Path(__file__).parent, STATS)

    # ── time ──

    def follows(self, draft: Draft, moment: Moment) -> None:
        """Begin and end phases; a delayed turn takes no action, so keep what lasts until the next action."""
        match moment:
            case StepBegins(step):
                self._step_begins(draft, step)
            case StepEnds(step):
                self._step_ends(draft, step)
            case Lapsed(who, effect):
                self._lift(draft, who, effect.id)
                if effect.id == OWES:  # the order comes by the place whose action was given up
                    flow.end_given_up(draft, who, "turn_start", "turn_end")
            case Declared(_, action) if action.does == "delay" and draft.state.turn is not None:
                threats.keep_on(draft, draft.state.turn)

    def _step_begins(self, draft: Draft, step: Step) -> None:
        """Fill everybody's pools as a phase begins; in the Post-Turn, give most a Recovery."""
        if step.turns:
            flow.refill(draft, "step")
            return
        for fighter in tuple(draft.state.fighters.values()):
            if fighter.stats["auto_recovery"] and not (fighter.effect("left") or fighter.effect("dead")):
                recover(draft, fighter.name, "phases.time.post-turn-recovery")

    def _step_ends(self, draft: Draft, step: Step) -> None:
        """Note what everybody did in the phase, and let half-done full-phase actions lapse."""
        if not step.turns:
            return
        state = draft.state
        for fighter in state.fighters.values():
            for id in late_halves(state, fighter):
                rules = ("phases.act.start-complete",)
                tell_progress(draft, fighter.name, draft.actions[id], (0, 2), rules, "lapses")
        facts = {"ended": draft.seq, "left": [], "cells": cells_after(self, state, step)}
        cited = self.cites(state, "step_end", step=step.id)
        draft.emit("fact", text=say("step.over", title=Title(step.title)), rules=cited, data={"facts": facts})

    # ── surprise and initiative ──

    def surprise(self, draft: Draft, surprised: tuple[str, ...]) -> None:
        """Give the unaware -3 DCV and no turn in the Surprise Phase, which needs some, but not all, to be unaware."""
        marked = [f.name for f in draft.state.fighters.values() if f.effect("surprised")]
        for name in marked:
            draft.end_effects(name, "surprised")
        unaware = dict.fromkeys([*marked, *surprised])
        if len(unaware) < len(present(draft.state.fighters)):
            for name in unaware:
                rule = "phases.sur.unaware-dcv"
                draft.effect(name, "surprised", modifiers={"dcv": _UNAWARE}, anchor="step_end", rule=rule)

    claim = order.claim
    ahead = order.ahead
    initiative = order.take_places

    def said_span(self, until: str) -> str:
        """Say phases and the Turn of twelve seconds for what is elsewhere a round and its end."""
        number, _, unit = until.partition(" ")
        if unit in ("round", "rounds"):
            return "1 phase" if number == "1" else f"{number} phases"
        return {"end of round": "end of Turn", "end of step": "end of phase"}.get(until, until)

    # ── budgets ──

    def refill(self, state: State, fighter: Fighter, boundary: str) -> dict[str, int | None]:
        """Fill an attack, a move, a step and an opportunity per phase; only the last in a phase given up beforehand."""
        if boundary == "round":
            return self._free_limit(fighter)
        if boundary not in ("step", "join"):
            return {}
        place = state.place_of(fighter.name)
        if is_unaware(state, fighter):
            return {"attack": 0, "move": 0, "step": 0, "aoo": 0, "surprise": 0}
        given_up = place is not None and place.done >= state.occasion
        each = 0 if given_up else 1
        totals: dict[str, int | None] = {"attack": each, "move": each, "step": each}
        totals["aoo"] = self._opportunities(state, fighter)
        limited = fighter.effect("limited") is not None
        for cap, holds in (("surprise", state.round == 0), ("single", limited), (FORFEIT, given_up)):
            if holds:
                totals[cap] = 1
            elif cap in fighter.pools:
                totals[cap] = None
        return totals

    def has_purse(self, state: State, fighter: Fighter) -> bool:
        """Check whether somebody has anything to spend; the unaware have not in the Surprise Phase."""
        return super().has_purse(state, fighter) and not is_unaware(state, fighter)

    def _free_limit(self, fighter: Fighter) -> dict[str, int | None]:
        limit = fighter.effect("free_limit")
        if limit is not None and type(limit.value) is int:
            return {"free_limit": max(0, limit.value)}
        return {"free_limit": None} if "free_limit" in fighter.pools else {}

    def _opportunities(self, state: State, fighter: Fighter) -> int:
        limit = state.options["combat_reflexes_limit"]
        return max(1, limit or 1) if fighter.stats["combat_reflexes"] else 1

    def payments(self, case: Case, cost: Cost) -> tuple[tuple[str, ...], ...]:
        """Return the pools that pay: a distance moved also uses up the 1-hex step, an abort the regular action."""
        state, fighter = case.state, case.fighter
        if cost.id == "opportunity" and self.unlimited(state, fighter):
            return ((),)
        step = fighter.pools.get("step")
        if cost.id == "step" and step is not None and step.action not in ("", STEP):
            return ((),)  # other movement is against a step, not one that was taken
        if cost.id in ("abort", "readied"):
            place = state.place_of(fighter.name)
            regular = ("attack", "move") if place is not None and place.done < state.occasion else ()
            effect = readied(fighter, case.action) if cost.id == "readied" else None
            more = moving(fighter, self.catalogue(state)[effect.value["action"]]) if effect is not None else ()
            return ((*regular, *more),)
        more = moving(fighter, case.action) if "movement" in case.action.tags else ()
        ways = super().payments(case, cost) if cost.when else cost.pay
        return tuple([(*way, *more) for way in ways]) if more else ways

    def bars(self, case: Case) -> Iterable[Objection]:
        """Yield what surprise, a single-action limit, an abort or a 1-hex step rules out."""
        state, fighter, action = case.state, case.fighter, case.action
        name = fighter.name
        if fighter.effects and action.despite and "action" in case.params:
            whole = self.catalogue(state)[case.params["action"]]
            if not self.able_to(fighter, whole):
                yield unable(self, fighter)
        if is_unaware(state, fighter):
            yield Objection(f"{name} is unaware and does not act in the Surprise Phase.", "phases.sur.unaware-idle")
        if action.id == OPPORTUNITY and (window := case.window) is not None:
            for _, _, *at in [used for used in window.used if used[:2] == (name, OPPORTUNITY)]:
                if set(at) & set(case.targets) or bid_of(window, name, OPPORTUNITY) is None:
                    reason = f"{name} has already used this opportunity, on {say_names(at)}."
                    yield Objection(reason, "phases.aoo.cr-one-per-opp")
        keeps = action.cost == "readied" and readied(fighter, action) is not None
        if (action.when == "own turn" or keeps) and forfeited(fighter):
            yield Objection(f"{name} gave up this phase's action to an abort.", "phases.abort.skip")
        if action.does == "delay" and (owed := fighter.effect(OWES)) is not None:
            reason = f"{name} has given up phase {owed.value}: a delayed action would be lost with it."
            yield Objection(reason, "phases.delay.next-phase-cost")
        if action.cost == "attack" and state.turn is not None and state.turn.who == name:
            yield from self._second_attack(state, fighter)
        if action.cost == "full_phase":
            if state.round == 0:
                yield Objection("No full-phase action fits in the Surprise Phase.", "phases.sur.no-full")
            if state.round == 0 or fighter.effect("limited") is not None:
                reason = f"{name} has only one attack or move action, but can start a full-phase action with a move."
                yield Objection(reason, "phases.act.limited-no-full")
        if "movement" in action.tags and has_stepped(fighter):
            yield Objection(f"{name} has already taken a 1-hex step this phase.", "phases.step.no-move")

    def _second_attack(self, state: State, fighter: Fighter) -> Iterable[Objection]:
        """Name the rule against two attack actions, if a second one is asked for and an action is still left for it."""
        pool = fighter.pools.get("attack")
        if pool is None or pool.left or pool.total != 1 or "surprise" in fighter.pools or "single" in fighter.pools:
            return
        spent = self.catalogue(state).get(pool.action)
        if spent is not None and spent.cost == "attack":
            reason = f"Only one attack action a phase, and {fighter.name} has taken it ({spent.title})."
            yield Objection(reason, "phases.act.no-two-attacks")

    later = order.later
    carried = carried

    def cited(self, case: Case, rule: str) -> tuple[str, ...]:
        """Return the rules an action rests on: exceptions, what a limit still allows, what allows it again."""
        cited = super().cited(case, rule)
        more = tuple(self._besides(case))
        return (*cited, *(rule for rule in more if rule not in cited)) if more else cited

    def _besides(self, case: Case) -> Iterable[str]:
        state, fighter, action = case.state, case.fighter, case.action
        if case.params.get("outcome") == NEGATED and action.facts.get("provokes") == "yes":
            yield "phases.aoo.exceptions"
        if action.cost == "free":
            if state.round == 0:
                yield "phases.sur.free-ok"
            if "single" in fighter.pools:
                yield "phases.act.limited-free"
        elif action.id == STEP:
            whole = fighter.pools.get("attack")
            if whole is not None and whole.rule == "phases.full.entire":
                yield "phases.full.step-ok"
        elif action.id == OPPORTUNITY:
            if "manoeuvre" in case.params:
                yield "phases.aoo.not-same"
            if fighter.stats["combat_reflexes"]:
                yield from ("phases.aoo.cr-more", "phases.aoo.cr-same-foe")
                if state.options["combat_reflexes_limit"] is None:
                    yield "phases.aoo.cr-limit"
        elif action.does == "delay":
            ended = state.turn.ends if state.turn is not None else ()
            if any(effect.id == "delayed" for _, effect in ended):
                yield "phases.delay.again"

    def takes_one(self, action: Action) -> bool:
        """Check whether an action is an attack that takes one target, unlike Sweep and Rapid Fire."""
        return super().takes_one(action) or ("attack" in action.tags and not action.facts.get("several"))

    def wakes(self, draft: Draft, who: str) -> None:
        """Who comes to after their place has passed acts from the next phase on."""
        place = draft.state.place_of(who)
        if draft.state.stage == "running" and place is not None:
            flow.come_late(draft, place)

    def set_condition(self, draft: Draft, given: Given) -> None:
        """Begin or end a condition; a limit set in the middle of a phase or turn applies from that moment.

        Surprise lasts for the phase, and a debt is its condition: forgiven it costs nothing, laid on the next action.
        """
        if given.id == OWES:
            (forgive if given.off else lay_on)(draft, given)
            return
        if given.id == "surprised" and not given.off and draft.state.stage == "running":
            given = given._replace(anchor=given.anchor or "step_end")
            if draft.state.round == 0:
                unaware = {"dcv": _UNAWARE, **(given.modifiers or {})}
                given = given._replace(modifiers=unaware, rule=given.rule or "phases.sur.unaware-dcv")
        super().set_condition(draft, given)
        if given.off:
            self._lift(draft, given.who, given.id, "gm")
            if given.id == "surprised" and draft.state.round == 0:
                flow.refill(draft, "join", given.who)
            return
        name, id, value = given[:3]
        pools = draft.state.fighters[name].pools
        totals: dict[str, int | None] = {}
        if id == "limited" and "attack" in pools:
            spent = any(pools[p].left < pools[p].total for p in ("attack", "move"))
            totals = {"single": 0 if spent else 1}
        elif id == "free_limit":
            limit = check_whole(value, "condition free_limit: value", 0)
            totals = {"free_limit": limit} if draft.state.round is not None else {}
        if totals:
            text = say("condition.holds", of=id, word=Title(id.replace("_", " ")))
            draft.emit("refresh", name, text=text, by="gm", data={"pools": {name: totals}, "at": "condition"})

    def _lift(self, draft: Draft, name: str, id: str, by: str = "rules") -> None:
        """Take away the limit that a condition was: what it has not let be spent can be spent again."""
        cap = {"limited": "single", "free_limit": "free_limit"}.get(id)
        if cap in draft.state.fighters[name].pools:
            text = say("condition.lifted", of=id, word=Title(id.replace("_", " ")))
            rule = "phases.act.limited" if cap == "single" else "phases.free.limit"
            data = {"pools": {name: {cap: None}}, "at": "condition"}
            draft.emit("refresh", name, text=text, rules=(rule,), by=by, data=data)

    # ── attacks ──

    def value(self, fighter: Fighter, stat: str) -> int | None:
        """Return a value; OCV and DCV are the Combat Value unless stated, plus what manoeuvres add."""
        if stat not in ("ocv", "dcv"):
            return super().value(fighter, stat)
        stated = fighter.stats.get(stat)
        base: int = (super().value(fighter, "combat_value") or 0) if stated is None else stated
        if not fighter.effects:
            return base
        more = sum([e.modifiers.get(stat, 0) for e in fighter.effects])
        return base + more + threats.added(fighter, stat)

    def values(self, state: State, fighter: Fighter) -> dict[str, object]:
        """Return a combatant's numbers, with OCV and DCV as they are now."""
        values = super().values(state, fighter)
        return {**values, "ocv": self.value(fighter, "ocv"), "dcv": self.value(fighter, "dcv")}

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """Roll 3d6 plus OCV against 10 plus DCV."""
        params = case.params
        if "attack" not in case.action.tags:
            return ()
        now = threats.own_modifiers(self, case.state, threats.manoeuvre_of(case.action, params))["ocv"]
        plain = (self.value(case.fighter, "ocv") or 0) - threats.added(case.fighter, "ocv")
        both = threats.added(case.fighter, "ocv", now)
        weapon = wielded(case)
        more = ((both, "manoeuvres"), (weapon.get("ocv", 0), weapon.get("name", "")))
        addends = ((plain, "OCV"), *((n, name) for n, name in more if n), *named_modifiers(params, self.struck_by))
        targets = case.targets
        foe = as_struck(self, case.state.fighters[targets[0]], params) if targets else None
        needed = None if foe is None else 10 + (self.value(foe, "dcv") or 0)
        above = not case.state.options["meets_hits"]
        attack = Ask("attack", 3, 6, addends, needed, "phases.atk.roll", even="phases.atk.ge", above=above)
        return (attack, *damage_asks(case))

    def action_of_row(self, row: Mapping[str, object]) -> Action:
        """Make an action from a user's row, which may also say whether it provokes and how far it reaches."""
        own = {k: row[k] for k in ("provokes", "range") if k in row}
        if own.get("provokes", "no") not in ("no", "yes", "skill", "varies"):
            wrong = own["provokes"]
            raise InvalidInput(f"action {row.get('id')!r}: provokes is {wrong!r}; give no, yes, skill or varies")
        check_whole(own.get("range", 0), f"action {row.get('id')!r}: range", 0)
        made = super().action_of_row({k: v for k, v in row.items() if k not in own})
        made = replace(made, rule=_OF_ROWS.get(made.cost, "phases.act.four"))
        facts = {k: v for k, v in own.items() if v != "no"}
        if "attack" in made.tags:
            return replace(made, does="attack", facts=facts)
        if "movement" in made.tags:
            return replace(made, does="travel", facts={"distance": "any", **facts})
        return replace(made, facts=facts)

    # ── opportunities ──

    def noted(self, case: Case) -> dict[str, object]:
        """Note how far half of a full-phase action has come."""
        return halves(case.fighter, case.params.get("action", "")) if case.action.does == "half" else {}

    def said(self, case: Case) -> Said:
        """Return the words for what somebody does: of half of a full-phase action, which half; of levels, where to."""
        if case.action.does == "levels":
            return said_of_levels(case)
        whole = self.catalogue(case.state).get(case.params.get("action", "")) if case.action.does == "half" else None
        if whole is None:
            return super().said(case)
        begun = whole.id in case.fighter.progress
        return say("progress.resumes" if begun else "progress.starts", title=whole.called, deed=whole.to_do)

    def waits_for(self, case: Case, act: Act) -> Question | Entry | None:
        """Ask who threatens if positions don't tell, then whether a skill check negates what would provoke.

        Let those who threaten attack a combatant who leaves a threatened hex or is distracted in one.
        """
        kind = threats.provocation(case, act)
        if not kind:
            return None
        action, who = case.action, act.who
        known, unknown = threats.provoked(case, act)
        if unknown:
            choices = (*unknown, *((EVERYBODY,) if len(unknown) > 1 else ()), NOBODY)
            about = say("question.threatens", who=who, verb=Title(action.verb or action.called))
            return Question("threatens", about, choices, "phases.aoo.threat", many=True, on=tuple(unknown))
        said = act.params.get("outcome") in (FAILED, NEGATED)
        if known and kind != "yes" and "check" not in act.result and not said:
            asked = "question.varies" if kind == "varies" else "question.check"
            foes = [*dict.fromkeys([*known, *threats.ahead(case, act)])]  # one check for the whole way
            text = say(asked, who=who, verb=Title(action.verb), foes=foes, number=len(foes))
            return Question("check", text, (FAILED, NEGATED), action.rule, on=tuple(foes))
        rule = "phases.aoo.move-out" if "movement" in action.tags else "phases.aoo.distract"
        return Entry(tuple([Bid(name, (OPPORTUNITY,), rule, targets=(who,)) for name in known])) if known else None

    def reactions(self, state: State, by: tuple[str, ...]) -> tuple[Bid, ...]:
        """Let an enemy who is near enough, as far as positions tell, make an attack of opportunity."""
        found: dict[str, list[str]] = {}
        grasps = threats.grasps(self)(state.fighters)
        for who in by:
            there, foes = grasps[who].hex, foes_of(state, who)
            for foe in foes:
                here, reach, _ = grasps[foe.name]
                if here is None or there is None or hex_distance(here, there) <= reach:
                    found.setdefault(foe.name, []).append(who)
        return tuple(Bid(foe, (OPPORTUNITY,), "phases.aoo.def", targets=tuple(whom)) for foe, whom in found.items())

    def unasked(self, case: Case, window: Window) -> Iterable[Objection]:
        """Say that somebody doesn't threaten the hex of whoever may have given an opportunity."""
        if case.action.id == OPPORTUNITY:
            foes = [case.state.fighters[who] for who in besides(case.fighter.name, window.by)]
            if foes and not any(threats.threatens(self, case.fighter, foe) for foe in foes):
                whose = say_names([foe.name for foe in foes])
                yield Objection(f"{case.fighter.name} doesn't threaten {whose}'s hex.", "phases.aoo.threat")
            else:
                yield Objection(
                    f"That gives {case.fighter.name} no opportunity: {full_stop(window.about)}", "phases.aoo.two-kinds"
                )

    leads = farthest
    guarded = threats.guarded

    def is_left(self, places: Collection[object], here: object, there: object) -> bool:
        """Check whether a step leaves a threatened hex, whichever hex it goes to."""
        return here in places

    def threatened(self, state: State, fighter: Fighter) -> frozenset[object]:
        """Return every hex within reach, the combatant's own included, since an enemy may stand in it."""
        here = threats.hex_of(fighter)
        return frozenset() if here is None else hexes_within(here, threats.reach(self, fighter))

    def listed(self, case: Case, param: str) -> tuple[object, ...] | None:
        """Return what can be listed: manoeuvres, modes, the hexes of one step, the results of a check."""
        action = case.action
        if param == "manoeuvre":
            inner = self.carried(case) if "action" in action.takes else kept_case(case)
            return threats.manoeuvre_ids(self, case.state, action if inner is None else inner.action)
        if (param == "option" and readies_half(case)) or (param == "action" and action.does == "half"):
            return whole_first(self.catalogue(case.state))
        if param == "outcome" and action.does == "half":
            return verdicts(case)
        if param == "option" and "attack" in action.tags:
            return threats.WAYS
        if param == "option" and action.does == "use":
            return (BEFORE, AFTER)
        if param == "outcome" and action.facts.get("provokes"):
            return (FAILED, NEGATED)
        if param == "to" and (action.facts.get("distance") == "one" or action.does == "use"):
            here = threats.hex_of(case.fighter)
            return None if here is None else hex_neighbours(here)
        return None

    def check_table(self, state: State, table: str) -> None:
        """Check what each manoeuvre is a way to do."""
        for row in state.tables[table] if table == "manoeuvres" else ():
            if (of := row.get("of")) is not None and of not in (owners := threats.owners(self)):
                with within(f"table {table}, {row['id']!r}"):
                    raise UnknownName.of("action that a manoeuvre is of", of, owners)

    def check_combatant(self, stats: Mapping[str, Any], where: str) -> None:
        """Check that each weapon is for melee or for attacks at range, not both."""
        for weapon in stats.get("weapons", ()):
            if "reach" in weapon and "range" in weapon:
                raise InvalidInput(
                    f"{where}: {weapon['name']} has a reach and a range; give only one, or list it as two weapons"
                )


RULESET = Phases
