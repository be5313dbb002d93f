"""Rounds of one minute in ten segments, eight steps a round: what only this system does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from combatkit.core.geometry import square_distance
from combatkit.core.model import Act, Bid, Clock, Distance, Effect, Fighter, Place, State, Step, Turn
from combatkit.core.plain import is_number, short
from combatkit.errors import InvalidInput
from combatkit.rules import flow
from combatkit.rules.case import Case, Objection
from combatkit.rules.catalogue import Action, Setting
from combatkit.rules.draft import Draft
from combatkit.rules.judge import demands
from combatkit.rules.mechanisms import MECHANISMS
from combatkit.rules.parts import Ask, Mechanism, Question, Stage
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.vitals import ADJUST, Change
from combatkit.systems.segments import (
    actions,
    agenda,
    attacks,
    blows,
    changes,
    checks,
    citations,
    costs,
    deeds,
    given,
    initiative,
    melee,
    movement,
    moving,
    places,
    spells,
    tables,
    weapons,
)
from combatkit.systems.segments.concentration import break_concentration, lose_spell
from combatkit.systems.segments.initiative import drawn
from combatkit.systems.segments.presentation import SegmentsPresentation, values_of
from combatkit.systems.segments.stats import STATS
from combatkit.text import say

_FAST = ("parley", "flee", "charge", "go_first")
_NOTHING: Mapping[str, Any] = {}


class Segments(Ruleset):
    """One major action a minute; groups roll a d6 anew each round, and what one declares decides when one acts."""

    shows = SegmentsPresentation
    draw = initiative.DRAW
    score_title = "group d6"
    end_title = "End turn"
    clock_moves = None
    """A turn and a window say which D-phase it is."""

    def __init__(self) -> None:
        super().__init__(Path(__file__).parent, STATS)

    def mechanics(self) -> dict[str, Mechanism]:
        """Return the ways of this system; every one ends with what follows any action."""
        after, struck = Stage("after", deeds.after), Stage("strike", attacks.strike, (blows.can_strike,))
        harm = Stage("harm", attacks.harm, ())
        blow, called = (
            (struck, harm, after),
            (struck, Stage("settle", attacks.settle_called, (blows.can_strike,)), harm, after),
        )
        go, cast = Stage("move", deeds.move, moves=True), Stage("cast", spells.cast, (checks.in_line,))
        own = {
            "act": Mechanism(checks.common, (Stage("do", deeds.do), after)),
            "declare": Mechanism(
                spells.check_declare, (Stage("declare", spells.declare),), spells.declare_missing, says_less=True
            ),
            "announce": Mechanism(
                spells.check_announce,
                (Stage("announce", spells.announce, ()),),
                spells.announce_missing,
                says_less=True,
            ),
            "cast": Mechanism(checks.check_cast, (cast, Stage("effect", spells.take_effect), after)),
            "attack": Mechanism(blows.check_attack, blow),
            "charge": Mechanism(blows.check_attack, (go, *blow)),
            "called_shot": Mechanism(blows.check_attack, called),
            "free_attack": Mechanism(blows.check_free, blow),
            "immediate_attack": Mechanism(blows.check_immediate, blow),
            "move": Mechanism(movement.check_move, (go._replace(needs=(movement.way_clear,)), after)),
            "delay": Mechanism(deeds.check_delay, (Stage("delay", deeds.delay),)),
            "save": Mechanism(None, (Stage("save", deeds.save),)),
        }
        return {**MECHANISMS, **{id: way._replace(check=given.checked(way.check)) for id, way in own.items()}}

    # ── data that users give ──

    def check_option(self, id: str, setting: Setting, value: Any) -> Any:
        """Take any order of the four for the fast actions, and any names for the D phases."""
        if setting.open != "list":
            return super().check_option(id, setting, value)
        return given.check_order(self.id, id, value, _FAST if id == "fast_order" else None)

    def check_combatant(self, stats: Mapping[str, Any], where: str) -> None:
        """Check what types cannot say: AAC0, hit dice, attack lines, weapons, movement by mode."""
        given.check_stats(stats, where)

    def check_segment(self, segment: int) -> None:
        """A round has ten segments."""
        if not 1 <= segment <= tables.SEGMENTS:
            raise InvalidInput(f"segment is {segment}; a round has 1 to {tables.SEGMENTS}")

    def check_table(self, state: State, table: str) -> None:
        """Check the rows that were added."""
        if table == "actions":
            self.catalogue(state)
        else:
            tables.check_rows(table, state.tables[table])

    action_of_row = actions.read_action

    # ── time ──

    def schedule(self, state: State) -> tuple[Step, ...]:
        """Eight steps, the fifth in two halves."""
        return tables.STEPS

    def stops(self, state: State, step: Step) -> bool:
        """Step 1 waits for declarations."""
        return step.id == "declare"

    def clock(self, state: State) -> Clock:
        """Minutes, steps and segments."""
        if state.round is None:
            return Clock(None, seconds=None, label="Not begun")
        step = tables.STEPS[max(0, state.step)]
        label = f"Round {state.round}, {step.title}"
        phase = self._d_phase(state, step)
        if phase is not None:
            label += f", D{phase + 1} {state.options['d_phases'][phase]}"
        return Clock(state.round, step.number, step.phase, step.segment, state.began + step.seconds, label)

    def _d_phase(self, state: State, step: Step) -> int | None:
        if step.id not in ("high", "low"):
            return None
        turn = state.turn
        if turn is not None and turn.place:
            return -int(state.place(turn.place).rank[1])
        window = state.window
        return 0 if window is not None and any(b.must for b in window.bids) else None

    def step_begins(self, draft: Draft, step: Step) -> None:
        """Roll group dice, ask casters for targets, complete what goes last."""
        if step.id == "declare":
            for name in draft.state.fighters:
                draft.end_effects(name, "at_the_same_time")
            melee.settle(draft)
            if draft.state.facts.get("dice"):
                initiative.forget(draft)
        elif step.id == "initiative":
            initiative.roll_groups(draft)
        elif step.id == "multi":
            initiative.add_attackers(draft)
        elif step.id in ("high", "low"):
            spells.ask_targets(draft, str(step.phase))
        elif step.id == "end":
            deeds.complete_last(draft)
            draft.emit("fact", text=say("end.conducted"), rules=("segments.seq.8-end",), by="gm", data={"facts": {}})

    def step_ends(self, draft: Draft, step: Step) -> None:
        """Close the casters' window if the GM goes on without it; a spell that was not resolved is lost."""
        if step.id == "declare":
            spells.begin_castings(draft)
        elif step.id in ("high", "low"):
            while draft.state.window is not None:
                flow.break_off(draft)
        elif step.id == "spells":
            for fighter in draft.state.fighters.values():
                casting = fighter.effect("casting") if fighter.effects else None
                if casting is not None and casting.anchor:  # one of several rounds that is under way has no ending yet
                    lose_spell(draft, fighter.name, "segments.seq.7-spells", say("broken.unresolved"))

    def turn_ends(self, draft: Draft, turn: Turn) -> None:
        """A simple activity alone falls in D4."""
        deeds.alone(draft, turn)

    # ── surprise and initiative ──

    def surprise(self, draft: Draft, surprised: tuple[str, ...]) -> None:
        """The GM checks surprise first, then sets positions."""
        for name in surprised:
            draft.effect(name, "surprised", anchor="round_end", rule="segments.seq.surprise")
        spots = {f.name: f.position for f in draft.state.fighters.values() if f.position is not None}
        told = [say("surprise.position", who=n, spot=str(at)) for n, at in spots.items()]
        text = say("surprise.placed" if spots else "surprise.unplaced", positions=told)
        draft.emit("fact", text=text, rules=("segments.seq.positions",), by="gm", data={"facts": {}})

    def initiative(self, draft: Draft, names: tuple[str, ...]) -> None:
        """Give everybody a place; the dice are thrown in step 2, but for a group that joins after it.

        Raises
        ------
        InvalidInput
            For an order of ties: a tie is of groups, and what each does settles it.
        """
        if draft.ties:
            right = "tied groups all act in HIGH, in the order of what each does; place(...) moves somebody"
            raise InvalidInput(f"ties is {list(draft.ties)!r}, and this system has none to settle: {right}")
        for name in names:
            initiative.enter(draft, name)

    lots = drawn
    calls = agenda.calls
    elsewhere = agenda.elsewhere

    def passed(self, state: State, place: Place) -> bool:
        """Each step calls the places of its stage, and the stages go down from step to step."""
        step = flow.present_step(self, state)
        return step is not None and step.id in places.STAGE and place.rank[0] > places.STAGE[step.id]

    def check_count(self, count: Any) -> Any:
        """A half will do as well as a die."""
        if isinstance(count, str) and count.upper() in places.HALVES:
            return count.upper()
        if not is_number(count):
            raise InvalidInput(f"place: count is {short(count)}; give 'HIGH' or 'LOW', or a whole number for a die")
        return count

    def placed(self, state: State, fighter: Fighter, place: Place, count: Any) -> Place:
        """Return the place of one whom the GM puts in a half, or on another die: in HIGH with the highest, else LOW."""
        return agenda.place_at(state, place, count)

    def step_asks(self, state: State) -> tuple[tuple[str, Ask], ...]:
        """The close of step 1 asks a die of each group."""
        step = flow.present_step(self, state)
        if step is None or step.id != "declare":
            return ()
        return initiative.group_asks(state)

    # ── budgets ──

    refill = costs.refill
    price = costs.price
    payments = costs.payments

    def cited(self, case: Case, rule: str) -> tuple[str, ...]:
        """Return what an action rests on, as things stand."""
        cited = super().cited(case, rule)
        return tuple(dict.fromkeys((*cited, *citations.besides(case))))

    def noted(self, case: Case) -> dict[str, Any]:
        """Every action says the segments it takes; an attack, whether its routine is the primary one."""
        return deeds.noted(case)

    def declared(self, draft: Draft, act: Act, action: Action) -> None:
        """A spell that takes more segments than the round has left goes on in the next one."""
        if checks.is_spell(action):
            spells.go_on_casting(draft, act, action, draft.events[act.seq - draft.events[0].seq].data["segments"])

    # ── attacks and windows ──

    def bars(self, case: Case) -> Iterable[Objection]:
        """One free attack a segment, so that of two who flee at once the attacker chooses one."""
        if case.action.id == "free_attack" and case.state.window is not None:
            yield from blows.one_a_segment(self, case.state, case.fighter, {})

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """An attack is rolled for each attack of the routine where an AAC0 is known."""
        return attacks.attack_asks(case) if "attack" in case.action.tags else ()

    def lands(self, state: State, ask: Ask, faces: tuple[int, ...], total: int) -> bool:
        """A natural 20 hits and a natural 1 misses, whatever is needed."""
        return attacks.lands(ask, faces, total)

    def question(self, state: State, act: Act, stage: str) -> Question | None:
        """What a natural 20 on a called shot comes to is asked of the GM."""
        if "called" not in self.catalogue(state)[act.action].tags:
            return None
        return attacks.called_question(state, act, stage)

    def entrants(self, state: State, act: Act, stage: str) -> tuple[Bid, ...]:
        """Whoever flees from melee draws free attacks from the enemies in it; a charge may be met."""
        if stage == "declared" and act.action == "charge":
            return blows.meeting(self, state, act)
        if stage != "declared" or act.action != "flee":
            return ()
        fleeing = state.fighters[act.who]
        if fleeing.effect("in_melee") is None:
            return ()
        free, probe = self.catalogue(state)["free_attack"], {"target": [act.who]}
        return tuple(
            Bid(foe.name, ("free_attack",), "segments.free.before", targets=(act.who,))
            for foe in state.fighters.values()
            if melee.fights(foe, fleeing)
            and self.able(foe)
            and self._may_free(state, foe, probe)
            and not demands(Case(self, state, foe, free, probe))
        )

    def _may_free(self, state: State, foe: Fighter, params: Mapping[str, Any]) -> bool:
        pools = blows.free_pools(self, state, params)
        spent = any((pool := foe.pools.get(id)) is not None and pool.left < 1 for id in pools)
        return not spent and foe.effect("surprised") is None

    def reactions(self, state: State, by: tuple[str, ...]) -> tuple[Bid, ...]:
        """Whoever is an enemy of those who did something, or anybody if nobody did, may answer with an attack."""
        sides = {state.fighters[name].side for name in by}
        answers = tuple(a.id for a in self.catalogue(state) if a.when == "reaction")
        return tuple(
            Bid(p.who, answers, "segments.free.instant", targets=by)
            for p in state.agenda
            if p.facts.get("kind") is None and p.who not in by and state.fighters[p.who].side not in sides
        )

    # ── conditions ──

    def able(self, fighter: Fighter) -> bool:
        """One struck down at the same time as it acts still acts."""
        if super().able(fighter):
            return True
        return fighter.effect("at_the_same_time") is not None and fighter.effect("left") is None

    begin_condition = changes.begin_condition
    end_condition = changes.end_condition

    def lapsed(self, draft: Draft, who: str, effect: Effect) -> None:
        """What changed a weapon's speed changes it back; at the end of a round the places are given anew anyway."""
        if effect.anchor != "round_end":
            changes.speed_changes(self, draft, who, effect.modifiers)
        if effect.id == "at_the_same_time":
            melee.settle(draft)

    def departed(self, draft: Draft, name: str) -> None:
        """Who leaves may have been the last foe of a melee."""
        melee.settle(draft)

    def _derive(self, draft: Draft, name: str, id: str) -> None:
        if id == "delayed":
            moving.move_place(draft, name, say("order.changes_half"), ("segments.delayed.always-low",))

    def adjust(self, draft: Draft, name: str, vital: str, by: int, change: Change = ADJUST) -> None:
        """A loss set down by the GM is damage like any other: it breaks concentration."""
        super().adjust(draft, name, vital, by, change)
        if by < 0 and vital == self.vitals[0].name:
            break_concentration(draft, name, "segments.conc.break-damage", say("broken.damage"))

    # ── looking ──

    def value(self, fighter: Fighter, stat: str) -> int | None:
        """Return one number; bonuses to AC are written positive and lower it."""
        return attacks.armor_class(fighter) if stat == "ac" else super().value(fighter, stat)

    def values(self, state: State, fighter: Fighter) -> dict[str, Any]:
        """Return a combatant's numbers, and what its hit dice and weapons come to."""
        return {**super().values(state, fighter), **values_of(self, state, fighter)}

    def listed(self, case: Case, param: str) -> tuple[Any, ...] | None:
        """Return what can be declared, whom a spell can be aimed at, what a save can come to, the weapons held."""
        state, fighter, action = case.state, case.fighter, case.action
        if action.id == "declare" and param in ("action", "spell"):
            found = [a for a in self.catalogue(state) if checks.may_be_declared(fighter, a)]
            step = flow.present_step(self, state)
            if step is not None and step.id != "declare":  # late, what delays will do if anything does
                found.sort(key=lambda a: checks.kind_of(a) != "delaying")
            return tuple([a.id for a in found if checks.is_spell(a) or param == "action"])
        if param == "target" and (action.id == "announce_target" or action.does == "cast"):
            return tuple(n for n, f in state.fighters.items() if not f.effects or not f.effect("left"))
        if action.id == "save" and param == "outcome":
            return ("failed", "negated")
        if param == "weapon":
            return tuple(weapons.names_of(fighter)) or None
        if param == "option":
            return given.listed_options(fighter, action)
        return None

    def distance(self, state: State, a: Fighter, b: Fighter) -> Distance | None:
        """Return the squares from centre to centre, to the nearest whole one."""
        if isinstance(a.position, tuple) and isinstance(b.position, tuple):
            return Distance(round(square_distance(a.position, b.position)))
        return None


RULESET = Segments
"""What the registry makes the ruleset of."""
