"""Rounds of one minute in ten segments, eight steps a round: what is special to this system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from msgspec.structs import replace

from combatkit.core.geometry import Board
from combatkit.core.model import Act, Bid, Clock, Effect, Fighter, State, Step, Window
from combatkit.core.plain import with_article
from combatkit.errors import InvalidInput, UnknownName, within
from combatkit.rules import contests, flow
from combatkit.rules.case import Ask, Case, Entry, Given, Mechanism, Objection, Question, Stage
from combatkit.rules.catalogue import Action, Cost, Setting
from combatkit.rules.draft import Draft
from combatkit.rules.mechanisms import MECHANISMS
from combatkit.rules.moments import Declared, Departed, Edited, Lapsed, Moment, Placed, StepBegins, StepEnds, TurnEnds
from combatkit.rules.params import as_names
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.vitals import ADJUST, Change
from combatkit.rules.weapons import armed, way_clear, weapons_of
from combatkit.systems.segments import (
    actions,
    agenda,
    attacks,
    blows,
    checks,
    deeds,
    initiative,
    movement,
    moving,
    places,
    rolled,
    sheet,
    spells,
    tables,
    weapons,
)
from combatkit.systems.segments.checks import FEET, is_open, kind_of
from combatkit.systems.segments.concentration import IMPEDING, break_concentration, end_earlier, lose_spell
from combatkit.systems.segments.initiative import drawn, step_asks
from combatkit.systems.segments.notation import as_dice, read_aac0, read_attack
from combatkit.systems.segments.places import STAGE, half_of, is_declared, is_delayed, is_major, loads
from combatkit.systems.segments.presentation import SegmentsPresentation, values_of
from combatkit.systems.segments.stats import STATS
from combatkit.systems.segments.weapons import SegmentsArms, attack_lines, routines_of
from combatkit.text import Said, say, say_names

# ── what an action or an attack roll rests on, besides its own rule ──


def besides(case: Case) -> Iterator[str]:
    """Yield the rules that allow an action beside others, while delayed, undeclared, or through a barrier."""
    state, fighter, action, params = case.state, case.fighter, case.action, case.params
    kind = kind_of(action)
    pool = fighter.pools.get("segments")
    last = case.rules.catalogue(state).get(pool.action) if pool is not None else None
    if kind == "delay":
        step = case.rules.present_step(state)
        if step is not None and step.id == "declare":
            yield "segments.delay.declared-nocond"
    elif action.cost == "minor":
        yield from _minor(fighter, action, last)
    elif action.cost == "quick_spell" and kind == "innate":
        yield "segments.spell.innate-gm"
    elif action.cost == "complex" and is_delayed(fighter):
        yield "segments.complex.delayed-ok"
    elif is_major(action) and last is not None and last.cost == "minor" and kind_of(last) == "delaying":
        yield "segments.delaying.major-after"
    if "invocation" in action.tags:
        yield from ("segments.invoc.time", "segments.invoc.start-1")
    if action.cost == "routine" and "iterative" in fighter.pools:  # filled with what is left for step 6
        yield "segments.seq.6-remaining"
    if action.cost == "fast" and is_delayed(fighter):
        yield "segments.delayed.fast-unaffected"
    if loads(fighter, action, params):
        yield "segments.delaying.attack"
    if action.id == "free_attack" and params.get("modifiers"):
        yield "segments.free.mods"
    if action.does == "cast" and any(_through(state, name) for name in as_names(params.get("target", ()))):
        yield "segments.loe.opening"


def _minor(fighter: Fighter, action: Action, last: Action | None) -> Iterator[str]:
    if not is_declared(fighter, action):
        yield "segments.minor.no-declare"
    if last is not None and last.cost == "minor":
        yield from ("segments.minor.many", "segments.minor.multi-delay")
    major = fighter.pools.get("major")
    if major is not None and major.left < 1:
        yield "segments.minor.variety"
        if "simple" in action.tags:
            yield "segments.simple.before-after"


def _through(state: State, name: str) -> bool:
    """Check whether a combatant is behind a barrier with a wide enough opening."""
    barrier = state.fighters[name].effect("barrier") if name in state.fighters else None
    return barrier is not None and is_open(barrier)


# ── the ruleset ──


_FAST = ("parley", "flee", "charge", "go_first")


def _ways() -> dict[str, Mechanism]:
    """Return this system's mechanisms; each ends with what follows any action."""
    after, struck = Stage("after", deeds.after), Stage("strike", attacks.strike, (blows.can_strike,))
    harm = Stage("harm", attacks.harm, ())
    blow, called = (
        (struck, harm, after),
        (struck, Stage("settle", attacks.settle_called, (blows.can_strike,)), harm, after),
    )
    go, cast = Stage("move", deeds.move, (way_clear,), moves=True), Stage("cast", spells.cast, (checks.in_line,))
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
        "cast": Mechanism(
            checks.check_cast,
            (cast, Stage("effect", spells.take_effect), after),
            outcomes=("hit", "miss", "failed", "negated"),
        ),
        "attack": Mechanism(blows.check_attack, blow),
        "charge": Mechanism(blows.check_charge, (go, *blow), movement.whither),
        "called_shot": Mechanism(blows.check_attack, called),
        "free_attack": Mechanism(blows.check_free, blow),
        "immediate_attack": Mechanism(blows.check_attack, blow),
        "move": Mechanism(movement.check_move, (go, after), movement.whither),
        "delay": Mechanism(deeds.check_delay, (Stage("delay", deeds.delay),)),
        "save": Mechanism(rolled.check_check, (Stage("save", rolled.check),), rolled.check_missing),
    }
    return {**MECHANISMS, **{id: way._replace(check=sheet.checked(way.check)) for id, way in own.items()}}


def edited(draft: Draft, name: str) -> None:
    """Put somebody who has yet to act where the weapons on their new sheet belong; others may come first now."""
    keep_routines(draft, name)
    _drop_lost(draft, name)
    place = draft.state.place_of(name)
    if place is not None and place.done < draft.state.occasion:
        moving.move_place(draft, name, say("order.speed"), ("segments.seq.2-tied-order",))
        flow.give_up_moved(draft, name)


def _drop_lost(draft: Draft, name: str) -> None:
    """Take from what somebody declared the weapon and the mode that their sheet has no more."""
    for effect in draft.state.fighters[name].effects:
        if effect.id != "declared" or not (said := {k: v for k, v in effect.value.items() if k in _OF_SHEET}):
            continue
        action, value = draft.actions[effect.value["action"]], {k: v for k, v in effect.value.items() if k not in said}
        try:
            sheet.checked(None)(Case(draft.rules, draft.state, draft.state.fighters[name], action, said))
        except (InvalidInput, UnknownName):
            text = say("declared.changes", means=spells.means_of(action, value))
            draft.renew(name, replace(effect, value=value), text, effect.rule)


_OF_SHEET = ("weapon", "option")
"""What of a declaration is on the sheet."""


def keep_routines(draft: Draft, name: str) -> None:
    """Leave somebody as many routines for step 6 as they have now, by their sheet and its effects."""
    fighter, pool = draft.state.fighters[name], draft.state.fighters[name].pools.get("iterative")
    by = routines_of(fighter) - 1 - pool.total if pool is not None else 0
    if by:
        text = say("attack.left", number=max(0, pool.left + by) if pool is not None else 0)
        data: dict[str, object] = {"pools": {}, "raised": {name: {"iterative": by}}, "at": "multi-attack"}
        draft.emit("refresh", name, text=text, rules=("segments.seq.6-remaining",), data=data)


class Segments(Ruleset):
    """One major action a minute; groups roll a d6 each round, and what you declare decides when you act."""

    shows = SegmentsPresentation
    draw = initiative.DRAW
    board = Board("centres", unit="ft", length=FEET)
    arms = SegmentsArms()
    score_title = "group d6"
    segments = tables.SEGMENTS
    steps = tables.STEPS
    mechanisms = MappingProxyType(_ways())
    count_words = ("HIGH", "LOW")
    unmodified = ("hit_dice", "class_level", "dex_adjustment", "attack_as", "hp_dice", "segments")
    follow_from = MappingProxyType(dict.fromkeys(("save_hd", "overall_hd"), "hit_dice"))
    struck_by = "ac"
    clock_moves = None
    """A turn and a window say which D phase it is."""

    def __init__(self) -> None:
        super().__init__(Path(__file__).parent, STATS)

    closed = movement.closed
    leads = movement.leads

    def ranges(self, state: State, fighter: Fighter) -> tuple[tuple[str, int | None], ...]:
        """Return how many squares away a combatant shoots or throws with each weapon whose range is stated in feet."""
        stated = [(str(weapon["name"]), weapon.get("range")) for weapon in weapons_of(fighter)]
        return tuple([(name, None if feet is None else int(feet) // FEET) for name, feet in stated])

    def takes_one(self, action: Action) -> bool:
        """Check whether an action is an attack: all blows of a routine go to a single target."""
        return super().takes_one(action) or action.does in (*sheet.BLOWS, "charge")

    # ── data that users give ──

    def check_option(self, id: str, setting: Setting, value: object) -> object:
        """Accept any order of the four fast actions, and any names for the D phases."""
        if setting.open != "list":
            return super().check_option(id, setting, value)
        return sheet.check_order(self.id, id, value, _FAST if id == "fast_order" else None)

    check_combatant = staticmethod(sheet.check_stats)

    def check_table(self, state: State, table: str) -> None:
        """Check an AAC0 as it is written."""
        for row in state.tables[table] if table == "attack_tables" else ():
            with within(f"table {table}, {row['id']!r}"):
                read_aac0(row["aac0"])

    action_of_row = actions.read_action

    # ── time ──

    def clock(self, state: State) -> Clock:
        """Return minutes, steps and segments."""
        if state.round is None:
            return Clock(None, seconds=None, label="Not begun")
        step = tables.STEPS[max(0, state.step)]
        label = f"Round {state.round}, {step.title}"
        phase = self._d_phase(state, step)
        if phase is not None:
            what, digits = state.options["d_phases"][phase], phase + 1
            label = f"Round {state.round}, {step.title} half, {what} (D{digits})"
        return Clock(state.round, step.number, step.phase, step.segment, state.began + step.seconds, label)

    def _d_phase(self, state: State, step: Step) -> int | None:
        if step.id not in ("high", "low"):
            return None
        turn = state.turn
        if turn is not None and turn.place:
            return -int(state.place(turn.place).rank[1])
        window = state.window
        return 0 if window is not None and any(b.must for b in window.bids) else None

    def follows(self, draft: Draft, moment: Moment) -> None:
        """Do what a step, a turn or a declaration brings, and what depends on effects and on who is in melee."""
        match moment:
            case StepBegins(step):
                _open_step(draft, step)
            case StepEnds(step):
                _close_step(draft, step)
            case TurnEnds(turn, by):
                deeds.alone(draft, turn, by)
                deeds.passed_up(draft, turn)
                spells.casts_on(draft, turn.who)
            case Declared(act, action) if action.cost == "spell":
                time = draft.events[act.seq - draft.events[0].seq]._data["segments"]
                spells.go_on_casting(draft, act.who, action, time, act.seq)
            case Departed(who) if draft.state.stage == "running":
                spells.leave_off(draft, who)
                weapons.settle(draft)
            case Placed(who):
                moving.follow(draft, who)
                spells.ask_late(draft, who)
            case Edited(who):
                edited(draft, who)
            case Lapsed(who, effect):
                self._lapse(draft, who, effect)

    # ── surprise and initiative ──

    def surprise(self, draft: Draft, surprised: tuple[str, ...]) -> None:
        """Check for surprise, then set positions, as the GM says."""
        for name in rolled.surprise(draft, surprised):
            draft.effect(name, "surprised", anchor="round_end", rule="segments.seq.surprise")
        spots = {f.name: f.position for f in draft.state.fighters.values() if f.position is not None}
        told = [say("surprise.position", who=n, spot=str(at)) for n, at in spots.items()]
        text = say("surprise.placed", positions=told) if spots else None  # that nobody has a place need not be said
        draft.emit("fact", text=text, rules=("segments.seq.positions",), by="gm", data={"facts": {}})

    def initiative(self, draft: Draft, names: tuple[str, ...]) -> None:
        """Give everybody a place; dice are rolled in step 2, except for a group that joins after it.

        Raises
        ------
        InvalidInput
            If an order of ties is given: groups tie here, and what each combatant does settles it.
        """
        if draft.ties:
            right = "tied groups all act in HIGH, in the order of what everybody does; use place(...) to move somebody"
            raise InvalidInput(f"ties is {list(draft.ties)!r}, and this system has none to settle: {right}")
        for name in names:
            initiative.enter(draft, name)

    lots = drawn
    calls = agenda.calls
    ahead = agenda.ahead
    idle = agenda.idle

    placed = agenda.place_at
    step_asks = step_asks

    # ── budgets ──

    def refill(self, state: State, fighter: Fighter, boundary: str) -> dict[str, int | None]:
        """Fill everything with the round: one major action, one spell, ten segments; and clear the counters.

        Whoever comes back keeps theirs, and the routines left for step 6.
        """
        if boundary not in ("round", "join"):
            return {}
        totals: dict[str, int | None] = {"major": 1, "spell": 1, "segments": tables.SEGMENTS}
        if boundary == "round":
            totals |= {pool: None for pool in fighter.pools if ":" in pool or pool == "iterative"}
        return totals

    def price(self, case: Case) -> tuple[Cost, str]:
        """Return a price; for the delayed, a delaying activity costs as much as a complex one."""
        if case.fighter.effects and checks.counts_as_complex(case):
            return self.costs["complex"], "segments.delayed.delaying-complex"
        cost, rule = super().price(case)
        if cost.id == "routine" and (pool := case.fighter.pools.get("major")) is not None and pool.left < pool.total:
            went = self.catalogue(case.state).get(pool.action)
            cost = cost if went is not None and went.cost == "routine" else replace(cost, rules=())
        return cost, rule

    def payments(self, case: Case, cost: Cost) -> tuple[tuple[str, ...], ...]:
        """Add the segments an action takes; a declared spell is already paid for; multi-attack goes on in step 6."""
        state, fighter, action = case.state, case.fighter, case.action
        if cost.id == "declaration":
            chosen = spells.chosen_of(case) if action.id == "declare" else None
            spell = self.catalogue(state)[chosen] if chosen is not None else None
            if spell is None or spell.cost != "spell":
                return ((),)
            before = [self.catalogue(state)[plan.value["action"]].cost for plan in spells.replaced(case, spell)]
            return ((),) if "spell" in before else (("spell",),)
        if cost.id == "free_attack":
            return (blows.free_pools(self, state, case.params),)
        if moving.due_last(case):
            return ((),)
        ways = cost.pay
        if cost.id == "spell" and checks.casting_of(fighter, action) is not None:
            ways = (("major",),)
        elif action.id == "delay":
            step = self.present_step(state)
            return (("major",),) if step is not None and step.id == "low" else ((),)
        elif cost.id == "routine":
            place = state.turn_place(fighter.name)
            if place is not None and place.facts.get("kind") == "remaining":
                ways = (("iterative",),)
        time = checks.time_of(case)
        if action.facts.get("included") and not time and state.options["drawing"] != "any":
            drawn = sum(1 for id in fighter.pools if id.startswith(f"{places.DRAWN}:"))
            what = f":{case.params['weapon']}" if "weapon" in case.params else ""
            return ((f"{places.DRAWN}:{drawn + 1}{what}",),)
        pool = fighter.pools.get("segments")
        if not time or pool is None or (pool.left < time and cost.id != "complex"):
            return ways
        return tuple([(*way, *("segments",) * time) for way in ways])

    def cited(self, case: Case, rule: str) -> tuple[str, ...]:
        """Return the rules an action rests on, as things stand."""
        cited = super().cited(case, rule)
        return tuple(dict.fromkeys((*cited, *besides(case))))

    noted = deeds.noted

    def said(self, case: Case) -> Said:
        """Return the words for what somebody does, with how far they go."""
        return deeds.said_of_deed(case) or super().said(case)

    def order_rule(self, state: State, step: Step | None = None) -> str:
        """Return the rule of the step that the round is in, or of another."""
        step = step or self.present_step(state)
        return super().order_rule(state) if step is None else tables.ORDER.get(step.id, super().order_rule(state))

    def names_of(self, case: Case) -> tuple[str, ...]:
        """Return the name a spell was given as it was declared."""
        casting = checks.casting_of(case.fighter, case.action) if case.fighter.effects else None
        name = casting.value.get("spell_name") if casting is not None else None
        return (name,) if name else ()

    # ── attacks and windows ──

    def bars(self, case: Case) -> Iterable[Objection]:
        """Allow one free attack a segment, so that when two flee at once the attacker must choose.

        Casters of step 7 are told how to come by a turn in their half.
        """
        state, fighter, action = case.state, case.fighter, case.action
        if action.id == "free_attack" and case.window is not None:
            at = {"target": case.params["target"]} if "target" in case.params else {}
            yield from blows.already_made(self, state, fighter, at)
        elif action.cost == "minor" and fighter.effects and spells.may_be_added(case):
            reason = f"Declare it, and {fighter.name} has a turn for it in {places.half_of(self, state, fighter)}."
            yield Objection(reason, "segments.simple.alone-d4")

    as_dice = staticmethod(as_dice)

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """Ask for each attack roll of a routine whose AAC0 is known, and for the d20 of a check."""
        if case.action.does == "save" and "outcome" not in case.params:
            return (rolled.check_ask(case),) if rolled.needed_of(case) is not None else ()
        return attacks.attack_asks(armed(case)) if "attack" in case.action.tags else ()

    def modified(self, fighter: Fighter) -> tuple[str, ...]:
        """Return what conditions may add to rolls, an attack line's own AAC0 and movement by mode besides."""
        lines = [read_attack(text) for text in attack_lines(fighter.stats)]
        lined = any(type(strike.aac0) is int for line in lines for strike in line.strikes)
        moves = type(fighter.stats.get("movement")) is dict
        return ("attack", "save", "morale", *(["aac0"] if lined else []), *(["movement"] if moves else []))

    def rolled(self, case: Case) -> tuple[str, ...]:
        """Return what goes to a roll: of a check, its own name."""
        return (case.action.id,) if case.action.does == "save" else super().rolled(case)

    def waits_for(self, case: Case, act: Act) -> Question | Entry | None:
        """Ask the GM what a natural 20 on a called shot does.

        Let enemies in the melee make free attacks on whoever flees it, and let a charge be met.
        """
        if "called" in case.action.tags:
            return attacks.called_question(self, case.state, act, act.passed)
        if act.passed != "declared":
            return None
        if act.action == "flee" and case.fighter.effect("in_melee") is not None:
            bids = blows.parting(case)
            return Entry(bids, about=blows.said_parting(case, bids)) if bids else None
        bids = blows.meeting(case) if act.action == "charge" else ()
        return Entry(bids) if bids else None

    def reactions(self, state: State, by: tuple[str, ...]) -> tuple[Bid, ...]:
        """Let the enemies of whoever did something answer with an attack; if nobody did it, anybody."""
        answers = tuple(a.id for a in self.catalogue(state) if a.when == "reaction")
        bids = []
        for place in state.agenda:
            side = state.fighters[place.who].side
            foes = tuple([name for name in by if state.fighters[name].side != side])
            if place.facts.get("kind") is None and (foes or not by):
                bids.append(Bid(place.who, answers, "segments.free.instant", targets=foes))
        return tuple(bids)

    asked = spells.asked_anew

    def at_hand(self, fighter: Fighter, foe: Fighter) -> bool:
        """Check whether a foe is in the same melee."""
        return weapons.fights(foe, fighter)

    def unasked(self, case: Case, window: Window) -> Iterable[Objection]:
        """Say that somebody isn't in melee with whoever flees from it, or that nobody gives an opening at all."""
        if any(bid.rule == spells.D1 for bid in window.bids):
            answer = with_article(case.action.title.lower())
            reason = f"Nobody gives an opening for {answer}: casters announce their targets."
            yield Objection(reason, self.reaction_rule(case.action))
        others = contests.besides(case.fighter.name, window.by)
        away = [by for by in others if not weapons.fights(case.fighter, case.state.fighters[by])]
        if case.action.id == "free_attack" and away and not window.told:
            yield Objection(f"{case.fighter.name} isn't in melee with {say_names(away)}.", "segments.free.before")

    # ── conditions ──

    def set_condition(self, draft: Draft, given: Given) -> None:
        """Set or end a condition: impeding ones break concentration, a block keeps everybody's turn.

        The delayed go to LOW, and when they no longer are, back to their group's half.
        """
        name, id = given.who, given.id
        modifiers = self._ends(draft, given) if given.off else self._begins(draft, given)
        keep_routines(draft, name)
        if draft.state.stage == "running" and not (given.off and self._half_is_over(draft.state, name)):
            if id == "delayed":
                moving.move_place(draft, name, say("order.changes_half"), ("segments.delayed.always-low",))
                spells.ask_late(draft, name)
            self._speed_changes(draft, name, modifiers)
            if "weapon_speed" in modifiers:
                flow.give_up_moved(draft, name)

    def _half_is_over(self, state: State, name: str) -> bool:
        """Check whether the half of somebody's group is over, so that they keep their place in the one after it."""
        step = self.present_step(state)
        half = STAGE[half_of(self, state, state.fighters[name]).lower()]
        return step is not None and step.stage is not None and step.stage < half

    def _begins(self, draft: Draft, given: Given) -> Mapping[str, int]:
        name, id = given.who, given.id
        sheet.check_condition(self, draft.state, id, given.value)
        if id == "completing" and given.anchor is None:
            given = given._replace(anchor="round_end")
        # whoever lies there already has had their say
        lies = any(effect.id in self.incapable for effect in draft.state.fighters[name].effects)
        falls = id in self.incapable and not lies
        at_once = falls and moving.in_block(draft, name)
        before = draft.state.fighters[name].effect(id)
        begins = id == "casting" and (before is None or before.value["spell"] != given.value["spell"])
        if id == "concentration":
            end_earlier(draft, name)
        if id == weapons.IN_MELEE and given.value:
            weapons.set_by_gm(draft, given)
        else:
            given = given._replace(value=given.value or None) if id == weapons.IN_MELEE else given
            super().set_condition(draft, given)
        if begins:
            spells.begin_by_hand(draft, name)
        if at_once:
            text, rule = say("at_once.acts"), "segments.seq.2-tied-order"
            draft.effect(name, moving.AT_ONCE, anchor=f"turn_end:{name}", rule=rule, text=text)
            held = draft.state.fighters[name].effect(id)
            if held is not None and held.anchor == f"turn_end:{name}":  # the turn they still have isn't what it costs
                lasting = replace(held, rounds=max(1, held.rounds), counted=draft.state.occasion)
                draft.renew(name, lasting, say("condition.anew"))
        if id in self.incapable:
            weapons.settle(draft)
        if id in self.felling:
            spells.leave_undone(draft, name)
        if id in IMPEDING:
            break_concentration(draft, name, "segments.conc.break-impede")
        return given.modifiers or {}

    def _ends(self, draft: Draft, given: Given) -> Mapping[str, int]:
        ended = draft.state.fighters[given.who].effect(given.id)
        super().set_condition(draft, given)
        if given.id == weapons.IN_MELEE and ended is not None:
            weapons.settle(draft, draft.state.fighters[given.who].side)
        if given.id in self.incapable:
            moving.is_up(draft, given.who)
            weapons.rejoin(draft, given.who)
        return ended.modifiers if ended is not None else {}

    def _speed_changes(self, draft: Draft, name: str, modifiers: Mapping[str, int]) -> None:
        """Move a combatant among those who are tied, because their weapon has become quicker or slower."""
        if "weapon_speed" in modifiers:
            moving.move_place(draft, name, say("order.speed"), ("segments.seq.2-tied-order",))

    def _lapse(self, draft: Draft, name: str, effect: Effect) -> None:
        """Undo a change of weapon speed that lapses; at the end of a round all places are given anew anyway."""
        if effect.anchor != "round_end":
            keep_routines(draft, name)
            self._speed_changes(draft, name, effect.modifiers)
        if effect.id == moving.AT_ONCE:
            weapons.settle(draft)
        elif effect.id == weapons.IN_MELEE:
            weapons.settle(draft, draft.state.fighters[name].side)
        elif effect.id in self.incapable:
            moving.is_up(draft, name)
            weapons.rejoin(draft, name)

    def adjust(self, draft: Draft, name: str, vital: str, by: int, change: Change = ADJUST) -> None:
        """Treat a loss set by the GM like any other damage: it breaks concentration."""
        super().adjust(draft, name, vital, by, change)
        if by < 0 and vital == self.vitals[0].name:
            break_concentration(draft, name, "segments.conc.break-damage", say("broken.damage"))

    def falls(self, draft: Draft, name: str) -> None:
        """Let damage that fells somebody break their concentration before the fall impedes them."""
        told = draft.events[-1] if draft.events else None
        if told is not None and told.target == name and told.kind in ("damage", "vital"):
            break_concentration(draft, name, "segments.conc.break-damage", say("broken.damage"))
        super().falls(draft, name)

    # ── looking ──

    def value(self, fighter: Fighter, stat: str) -> int | None:
        """Return one number; bonuses to AC are written positive and lower it."""
        return attacks.armor_class(fighter) if stat == "ac" else super().value(fighter, stat)

    def values(self, state: State, fighter: Fighter) -> dict[str, object]:
        """Return a combatant's numbers, and the values that hit dice and weapons give."""
        return {**super().values(state, fighter), **values_of(self, state, fighter)}

    def announced(self, case: Case) -> tuple[str, ...]:
        """Return whom a spell was announced to be aimed at, without those who have left or died since."""
        return tuple(checks.aimed(case).get("aims", ()))

    def listed(self, case: Case, param: str) -> tuple[object, ...] | None:
        """Return what can be declared, possible targets of a spell, results of a save, and the weapons held."""
        state, fighter, action = case.state, case.fighter, case.action
        if action.id == "declare" and param in ("action", "spell"):
            found = [a for a in self.catalogue(state) if checks.may_be_declared(fighter, a)]
            step = self.present_step(state)
            if step is not None and step.id != "declare":  # late, what delays will do if anything does
                found.sort(key=lambda a: checks.kind_of(a) != "delaying")
            return tuple([a.id for a in found if param == "action" or places.is_spell(a)])
        if param == "target" and (action.id == "announce_target" or action.does == "cast"):
            return tuple(n for n, f in state.fighters.items() if not f.effects or not f.effect("left"))
        if action.does == "save" and param == "outcome":
            return rolled.RESULTS
        if "attack" in action.tags and param == "outcome":
            return attacks.OUTCOMES
        if param == "weapon":
            return tuple(dict.fromkeys(weapons.names_of(fighter))) or None
        if param == "option":
            return sheet.listed_options(fighter, action)
        return None


def _open_step(draft: Draft, step: Step) -> None:
    """Roll group dice, ask casters for targets, and complete what goes last."""
    if step.id == "declare":
        for name in draft.state.fighters:
            draft.end_effects(name, moving.AT_ONCE)
        weapons.settle(draft)
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


def _close_step(draft: Draft, step: Step) -> None:
    """Close the casters' window if the GM goes on without it, and lose spells that were not resolved."""
    if step.id == "declare":
        spells.begin_castings(draft)
    elif step.id in ("high", "low"):
        while draft.state.window is not None:
            flow.break_off(draft)
    elif step.id == "spells":
        for fighter in tuple(draft.state.fighters.values()):
            casting = fighter.effect("casting") if fighter.effects else None
            if casting is None or not casting.anchor:  # one of several rounds that is under way has no ending yet
                continue
            if not spells.outlasts(draft, fighter, casting):
                lose_spell(draft, fighter.name, "segments.seq.7-spells", say("broken.unresolved"))


RULESET = Segments
"""The class that the registry makes the ruleset from."""
