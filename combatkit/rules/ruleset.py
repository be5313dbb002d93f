"""What a ruleset is: a folder of data, and hooks with sound defaults.

A system's ``ruleset.py`` defines one subclass of `Ruleset`; whatever it does not override is done as here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeGuard, final

from msgspec.structs import replace

from combatkit.core.dice import Dice, is_dice
from combatkit.core.geometry import Board, Square
from combatkit.core.model import (
    Act,
    Bid,
    Clock,
    Distance,
    Effect,
    Fighter,
    LookupEach,
    Place,
    State,
    Step,
    Turn,
    Window,
)
from combatkit.rules.case import Ask, Case, Entry, Given, Later, Mechanism, Need, Objection, Question, _as_stage
from combatkit.rules.catalogue import Action, ConditionSpec, Cost, Stat
from combatkit.rules.draw import Claim, Draw, surprised_some
from combatkit.rules.moments import Moment
from combatkit.rules.params import CARRIERS
from combatkit.rules.presentation import Presentation
from combatkit.rules.rulebook import Rulebook
from combatkit.rules.vitals import ADJUST, DEAD, DOWN, DOWN_AT_ZERO, Change, change_vital, first_vital
from combatkit.rules.weapons import Arms, foes_on, standing, weapons_of
from combatkit.text import Said, Title, say, say_names

if TYPE_CHECKING:
    from pathlib import Path

    from combatkit.rules.draft import Draft

_JOINT = re.compile(r" (?:against|for|from|in|of|on|with)\b")
"""What the noun of a condition's name stands before: "ward of fire"."""

_SIDELESS = re.compile(r"d(?!\s*[\d%])")
"""Dice of which nobody said how many sides they have: a "D" makes a dice code."""


def sayable(value: object) -> str | int | None:
    """Return the value of a condition as it is said in a sentence; None if it can't be said in a word."""
    if isinstance(value, (list, tuple)) and value and all(isinstance(each, str) for each in value):
        return say_names(value)
    return value or None if isinstance(value, str) else value if type(value) is int else None


class Ruleset(Rulebook):
    """A combat system: its rulebook, and what only this system does.

    Attributes
    ----------
    mechanisms : dict of str to Mechanism
        How its actions are carried out.
    needs : dict of str to tuple
        What the stages of each mechanism need from the world, each once.
    """

    score_title = "initiative"
    round_title = "Round"
    next_title = "Next round"
    """What a skip to the next round is called once it's done."""
    skip_title = "Skip to the next round"
    """The same as something to do."""
    occasion_title = "round"
    """What everybody has one turn in, as a word for sentences."""
    end_title = "End turn"
    end_step_title = "End step"
    """What goes on is called while nobody has a turn."""
    code_sides = 0
    """The sides of dice written as codes, ``4D+1``; 0 if none are."""
    segments = 0
    """How many segments a round has; 0 if it counts none."""
    count_words: tuple[str, ...] = ()
    """What a place's count may be besides a whole number: words in capitals."""
    untimed_pay = ""
    """The value of ``pay`` that lets an action be done at any time, unless it is a reaction."""
    clock_moves: frozenset[str] | None = frozenset(("encounter", "table", "begin", "round", "step", "fact", "over"))
    """The kinds of event that can change what `clock` says; None if it reads more than rounds, steps and facts."""
    watched: tuple[str, ...] = ()
    """Stages after which a trigger in words may come true, besides an action's declaration."""
    unmodified: tuple[str, ...] = ()
    """Numbers that no condition adds to, since no rule would read it; vitals are none of those it could."""
    follow_from: Mapping[str, str] = MappingProxyType({})
    """The stats that numbers follow from, for those a sheet doesn't state itself."""
    to_hit: tuple[str, ...] = ("attack",)
    """What modifiers of an attack may call the attacker's number: they go to the roll."""
    struck_by = ""
    """The number of a target that modifiers of an attack may change, for that one roll."""
    draw: Draw | None = None
    """How the order is drawn, before anybody is in it; each combatant adds their `claim`."""
    board = Board()
    """What combatants stand on."""
    arms = Arms()
    """How it reads weapons on the sheet."""
    shows: type[Presentation] = Presentation
    """What the widgets show of it."""

    mechanisms: Mapping[str, Mechanism] = MappingProxyType({})
    """The ways actions are carried out, by the name that a catalogue's ``does`` uses. Systems share
    `combatkit.rules.mechanisms.MECHANISMS`; a system names those and adds its own.
    """
    steps: tuple[Step, ...] = ()
    """The steps of a round."""
    surprise_steps: tuple[Step, ...] = ()
    """The steps of a surprise round, which is round 0, if they differ."""
    foes_option = ""
    """The option that says whether an enemy's square or hex is entered, where the source doesn't say it."""
    length_option = ""
    """The option that says how long a round counts as, if the source doesn't: then the clock has no seconds."""

    def __init__(self, folder: Path, stats: Iterable[Stat]) -> None:
        super().__init__(folder, stats)
        self.presentation = self.shows(self)
        self.staged = any(step.stage is not None for step in self.steps)
        """Whether each step calls places of its own."""
        ways = self.mechanisms.items()
        self.mechanisms = {id: way._replace(stages=tuple(map(_as_stage, way.stages))) for id, way in ways}
        self.needs: dict[str, tuple[Need, ...]] = {
            id: tuple(dict.fromkeys(need for stage in way.stages for need in stage.needs or ()))
            for id, way in self.mechanisms.items()
        }
        self.standing = LookupEach(partial(standing, self))
        """On which square or hex everybody stands, as `foes_on` asks it."""

    @final
    def schedule(self, state: State) -> tuple[Step, ...]:
        """Return the steps of the present round."""
        if state.round == 0 and self.surprise_steps:
            return self.surprise_steps
        if not self.length_option:
            return self.steps
        return _lasting(self.steps, state.options[self.length_option])

    @final
    def present_step(self, state: State) -> Step | None:
        """Return the step the round is in, or None between rounds."""
        return self.schedule(state)[state.step] if state.step >= 0 else None

    @final
    def next_step_of(self, state: State, who: str) -> Step | None:
        """Return the step in which somebody has another place, besides their own, that is still called this round."""
        own = state.place_of(who)
        left = [p for p in state.agenda if p.who == who and p is not own and p.done < state.occasion]
        steps = self.schedule(state)[max(0, state.step) :] if left else ()
        return next((step for step in steps if any(self.calls(state, step, place) for place in left)), None)

    def clock(self, state: State) -> Clock:
        """Return the present moment as people say it: the round, and the step if there are several."""
        if state.round is None:
            return Clock(None, label="Not begun")
        step, label = self.present_step(state), self.round_label(state.round)
        seconds = None if self.length_option else state.began
        if step is None:
            return Clock(state.round, seconds=seconds, label=label)
        if len(self.schedule(state)) > 1:
            label += f" · {step.title}"
        after = None if seconds is None else seconds + step.seconds
        return Clock(state.round, step.number, step.phase, step.segment, after, label)

    @final
    def first_round(self, state: State) -> int:
        """Return the number of the round a fight begins with; 0 is a surprise round, if the draw asks for one."""
        early = self.draw is not None and self.draw.surprised_late and surprised_some(state.fighters.values())
        return 0 if early else 1

    @final
    def said_round(self, number: int) -> Said:
        """Return what a round is called in the log."""
        return say("round.title", of=str(number), title=Title(self.round_title), number=number)

    @final
    def round_label(self, number: int) -> str:
        """Return what a round is called."""
        return self.english.render(self.said_round(number))

    @final
    def round_seconds(self, state: State, number: int) -> float:
        """Return the game seconds at which a round begins; `state` is still in the round before."""
        return state.began + sum(step.length for step in self.schedule(state)) if state.round is not None else 0

    @final
    def cites(
        self, state: State, kind: str, *, round: int | None = None, step: str = "", unaware: str = ""
    ) -> tuple[str, ...]:
        """Return the rules behind an event that no action causes, by the rulebook's boundaries.

        `kind` says which event, and what it is about: "round", "refresh:turn"; see `combatkit.rules.rulebook`.
        """
        rows = self.boundaries.kinds.get(kind)
        if rows is None:
            return ()
        if len(rows) == 1 and rows[0].always:
            return rows[0].rules
        number = state.round if round is None else round
        if not step and state.step >= 0:
            step = self.schedule(state)[state.step].id
        fitting = [row for row in rows if row.fits(state.options, -1 if number is None else number, step, unaware)]
        return tuple(dict.fromkeys([rule for row in fitting for rule in row.rules]))

    def surprise(self, draft: Draft, surprised: tuple[str, ...]) -> None:
        """Mark those who are surprised as the fight begins."""

    def initiative(self, draft: Draft, names: tuple[str, ...]) -> None:
        """Put combatants on the ladder: roll, score, break ties; also for one who joins later."""
        raise NotImplementedError

    def refill(self, state: State, fighter: Fighter, boundary: str) -> dict[str, int | None]:
        """Return the pools filled at a boundary ("turn", "round", "step", "join") with their totals.

        None takes a pool away.
        """
        return {}

    @final
    def most(self, state: State, fighter: Fighter) -> dict[str, int | None]:
        """Return how much each of somebody's pools would be filled with now, whatever fills it."""
        filled: dict[str, int | None] = {}
        for boundary in ("step", "round", "turn"):
            filled |= self.refill(state, fighter, boundary)
        return filled

    def is_next(self, action: Action) -> bool:
        """Check whether an action is one that what lasts until the next action ends with."""
        return action.counts

    def follows(self, draft: Draft, moment: Moment) -> None:
        """Do what follows from a moment of the fight; its class says which moment."""

    @final
    def unlimited(self, state: State, fighter: Fighter) -> tuple[str, ...]:
        """Return the budget slots this combatant never runs out of."""
        ends = self.endless.items()
        return tuple([id for id, end in ends if fighter.stats.get(end.stat) and state.options[end.option] is None])

    def calls(self, state: State, step: Step, place: Place) -> bool:
        """Check whether a step calls a place at all: in a surprise round, nobody who is surprised."""
        if place.steps is not None and step.id not in place.steps:
            return False
        return state.round != 0 or state.fighters[place.who].effect("surprised") is None

    def ahead(self, state: State, index: int) -> tuple[Said | None, str]:
        """Say what puts a place ahead of the next where scores leave that open, and by which rule."""
        return None, ""

    @final
    def is_moved(self, state: State, turn: Turn) -> bool:
        """Check whether a turn's place is now in another step, so that the turn is still to come."""
        step = self.present_step(state) if turn.place else None
        return step is not None and step.stage is not None and state.place(turn.place).rank[0] != step.stage

    @final
    def passed(self, state: State, place: Place) -> bool:
        """Check whether the steps that call a place are over in this round, so that it has no turn to wait for."""
        step = self.present_step(state) if self.staged else None
        if step is None or step.stage is None:
            return False
        return bool(place.rank[0] > step.stage or (place.facts and self.idle(state, place)))

    def idle(self, state: State, place: Place) -> bool:
        """Check whether what a place was for has gone, so that it waits for nothing."""
        return False

    def wakes(self, draft: Draft, who: str) -> None:
        """Do what follows once somebody who couldn't act can again: their turn still comes, unless a system says so."""

    def takes_one(self, action: Action) -> bool:
        """Check whether an action is aimed at one target only."""
        return "single" in action.facts

    def falls(self, draft: Draft, name: str) -> None:
        """Let somebody go down who has nothing left of the vital that takes damage, unless the table says who falls."""
        held = draft.state.fighters[name].effects
        if draft.state.options.get(DOWN_AT_ZERO) and not any(e.id == DOWN or e.id in self.fallen for e in held):
            self.set_condition(draft, Given(name, DOWN, by="rules"))

    def rises(self, draft: Draft, name: str) -> None:
        """Let somebody get up who has more than nothing again."""
        if draft.state.options.get(DOWN_AT_ZERO) and draft.state.fighters[name].effect(DOWN) is not None:
            self.set_condition(draft, Given(name, DOWN, off=True, by="rules"))

    @final
    def revives(self, draft: Draft, name: str, ended: str) -> None:
        """Let somebody fall who is no longer dead and has nothing left: they may have lost it as one of the dead."""
        left = first_vital(self, draft.state.fighters[name])
        if ended == DEAD and left is not None and left <= 0:
            self.falls(draft, name)

    @final
    def neglected(self, state: State, turn: Turn) -> list[Action]:
        """Return what goes on in every turn or not at all, and hasn't in this one."""
        begun = state.fighters[turn.who].progress
        if not begun:
            return []
        catalogue = self.catalogue(state)
        stale = [catalogue.get(id) for id, progress in begun.items() if progress.seq < turn.seq]
        return [action for action in stale if action is not None and "consecutive" in action.tags]

    def bars(self, case: Case) -> Iterable[Objection]:
        """Return what rules out this action besides time and cost."""
        return ()

    def waits_for(self, case: Case, act: Act) -> Question | Entry | None:
        """Return what an action waits for after the stage it has `passed`.

        It is a question to the GM, asked again after each answer, or those who may step in besides anybody with a
        trigger that fits. What `bars` rules out for them and what they have used up is left out of it; everything else
        offered can be done in the window that opens.
        """
        return None

    def noted(self, case: Case) -> dict[str, Any]:
        """Return what an action's event holds besides its cost and parameters: the time it takes."""
        return {}

    def names_of(self, case: Case) -> tuple[str, ...]:
        """Return what an action is called this time besides its title, for those who count how often it is done."""
        return ()

    def told_outcome(self, case: Case) -> str:
        """Return what an action has come to, where the words for it have to say that."""
        return ""

    def said(self, case: Case) -> Said:
        """Return the words for what somebody does, and to whom; what uses up something kept says that by itself."""
        targets = () if case.action.does == "use" else case.targets
        return case.action.said_alone if targets == (case.fighter.name,) else case.action.said(targets)

    @final
    def when(self, action: Action, params: Mapping[str, object]) -> str:
        """Return when an action may be done: "own turn", "reaction", "own turn or reaction", "any time"."""
        untimed = self.untimed_pay and params.get("pay") == self.untimed_pay and action.when != "reaction"
        return "any time" if untimed else action.when

    @final
    def reaction_rule(self, action: Action) -> str:
        """Return the rule that says what a reaction answers."""
        return action.facts.get("nature") or self.cite["reaction"]

    def order_rule(self, state: State, step: Step | None = None) -> str:
        """Return the rule that says who comes when, at this point of the round or in a step of it."""
        return self.cite["order"]

    def reactions(self, state: State, by: tuple[str, ...]) -> tuple[Bid, ...]:
        """Return who may answer something that happened with a reaction from the catalogue."""
        return ()

    def asked(self, state: State, window: Window) -> tuple[Bid, ...] | None:
        """Return whom a window asks that this system opened itself; None for those who have not answered yet."""
        return None

    def stands(self, state: State, window: Window) -> bool:
        """Check whether a question to the GM that no action asks still has its ground."""
        return True

    def unasked(self, case: Case, window: Window) -> Iterable[Objection]:
        """Return why an open window doesn't ask somebody for a reaction, if nothing else is in its way."""
        return ()

    def later(self, case: Case, place: Place) -> Later:
        """Return where a delay from a place leads, with any objection; or the same for somebody who steps in now.

        The case's action says which. Without a place, a delay waits, and anyone who steps in when nobody acts comes
        after everybody.
        """
        return Later()

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """Return the rolls an action will ask for, as far as they are known before it is declared."""
        return ()

    @final
    def notation(self, dice: Dice) -> str:
        """Return dice as this system writes them."""
        return dice.notation if dice.more or dice.sides != self.code_sides else dice.code

    def as_dice(self, value: object) -> object:
        """Return dice as everybody writes them; a source may have another way to."""
        return value

    @final
    def takes_dice(self, value: object) -> TypeGuard[int | str]:
        """Check whether a value is a number from 0 up, or dice; without sides only where the rules write codes."""
        bare = isinstance(value, str) and not self.code_sides and _SIDELESS.search(value) is not None
        return is_dice(value) and not bare

    def values(self, state: State, fighter: Fighter) -> dict[str, object]:
        """Return a combatant's numbers by id, with effects."""
        values: dict[str, object] = {}
        for stat in self.stats:
            value = fighter.vitals.get(stat.name) if stat.vital else fighter.stats.get(stat.name)
            if type(value) is int:
                value += sum(effect.modifiers.get(stat.name, 0) for effect in fighter.effects)
                values[stat.name] = 0 if value < 0 and stat.name in self.never_below else value
        return values

    @final
    def numbers(self, state: State, fighter: Fighter) -> list[str]:
        """Return the numbers that a condition can add to: those on the sheet, and those that follow from it."""
        own = [id for id, value in self.values(state, fighter).items() if type(value) is int]
        past = self.read_before(state, fighter)
        never = {*self.unmodified, *self.unread(state), *past, *(v.name for v in self.vitals)}
        return [id for id in dict.fromkeys([*own, *self.modified(fighter)]) if id not in never]

    def due(self, case: Case, cost: Cost) -> Cost:
        """Return what an action that is begun still costs: of a cost of several, those that are left."""
        if cost.times == 1:
            return cost
        return self.times(cost, cost.times - case.fighter.progress[case.action.id].done)

    @final
    def times(self, cost: Cost, times: int) -> Cost:
        """Return a cost of several as one of so many; of one, where no list of actions has that."""
        every = self.costs.by_id
        return next((each for each in every.values() if (each.of, each.times) == (cost.of, times)), every[cost.of])

    def modified(self, fighter: Fighter) -> tuple[str, ...]:
        """Return what conditions may add to besides the numbers on the sheet and those that follow from it.

        So rolls are, and a number that counts although the sheet states none.
        """
        return ()

    def unread(self, state: State) -> tuple[str, ...]:
        """Return the numbers that no rule reads as this table plays it, so that no condition adds to them."""
        return ()

    @final
    def read_before(self, state: State, fighter: Fighter) -> tuple[str, ...]:
        """Return the numbers that have made somebody's place on the ladder, and that nothing reads any more."""
        if state.stage != "running":
            return ()
        others = [(s.name, s.once if isinstance(s.once, tuple) else ()) for s in self.read_once]
        return tuple([name for name, stated in others if all(fighter.stats.get(id) is not None for id in stated)])

    @final
    def unmoved(self, state: State, fighter: Fighter, number: str) -> str:
        """Return why conditions can't add to a number, with what would be right; nothing if it is none at all."""
        name, stated = fighter.name, fighter.stats.get(number)
        vitals = [vital.name for vital in self.vitals]
        if number in vitals[:1]:
            return f"{number} is what {name} has left; use temporary({name!r}, ...), or edit {number}_max"
        if number in vitals:  # temporary points stand before the first alone
            return f"{number} is what {name} has left; use adjust({name!r}, {number!r}, ...), or edit {number}_max"
        if number in (*self.unmodified, *self.unread(state)):
            return f"conditions add nothing to {number}; they add to {', '.join(self.numbers(state, fighter))}"
        if number in self.read_before(state, fighter):
            return (
                f"{number} only decides where {name} comes in the order, and that is settled; use place({name!r}, ...)"
            )
        source = self.follow_from.get(number, number)
        if source not in self.stats:
            return ""
        lacks = f"{name} has no {number} to add to" if stated is None else f"nothing can be added to {stated}"
        return f"{lacks}; give a number first, with edit({name!r}, {source}=...)"

    def rolled(self, case: Case) -> tuple[str, ...]:
        """Return what modifiers of a call may call the number that goes to its roll; nothing if none is rolled."""
        return self.to_hit if self.strikes(case.action) else ()

    @final
    def strikes(self, action: Action) -> bool:
        """Check whether an action is an attack, so that what it is aimed at has a number to be met."""
        stages = self.mechanisms[action.does].stages
        return "attack" in action.tags or any(stage.name == "strike" for stage in stages)

    @final
    def bonus(self, fighter: Fighter, number: str) -> int:
        """Return what conditions add to one of somebody's numbers."""
        return sum([effect.modifiers.get(number, 0) for effect in fighter.effects]) if fighter.effects else 0

    def value(self, fighter: Fighter, stat: str) -> int | None:
        """Return one stated number of a combatant, with effects; None if it isn't stated."""
        value = fighter.stats.get(stat)
        if type(value) is not int:
            return None
        if fighter.effects:
            value += sum([e.modifiers.get(stat, 0) for e in fighter.effects])
        return 0 if value < 0 and stat in self.never_below else value

    @final
    def held_as(self, id: str) -> str:
        """Return how somebody is told to be in a condition: it is "had", or they are "under" it, or have "been" it."""
        if (how := self.held.get(id)) is not None:
            return how
        spec = self.conditions.get(id)
        if spec is not None:
            how = "had" if spec.had else "been"
        else:
            words = _JOINT.split(id.replace("_", " ").casefold())[0].split()
            how = "under" if words and words[-1] in self.effects else "been"
        self.held[id] = how
        return how

    @final
    def said_of(self, what: str, id: str, ended: Effect | None = None) -> Said:
        """Return what is told of a condition that begins, is lacked, or has ended: `ended` is what it was."""
        how, word = self.held_as(id), id
        if ended is not None and isinstance(ended.value, dict) and (called := self.called.get(id)) in ended.value:
            how, word = "called", str(ended.value[called])
        word = word.replace("_", " ")
        return say(f"condition.{what}_{how}", of=id, word=word if self.is_own(id) else Title(word))

    @final
    def said_begun(self, state: State, id: str, value: object) -> Said:
        """Return what is told of a condition that begins or goes on, with its value: how many, of whom, or what."""
        begins, said = self.said_of("begins", id), None if value is None else sayable(value)
        if said is None:
            return begins
        return say("condition.by" if said in state.fighters else "condition.valued", of=id, begins=begins, value=said)

    @final
    def is_own(self, id: str) -> bool:
        """Check whether a condition is in somebody's own words: they stay as they are in every language."""
        return id not in self.read

    @final
    def able(self, fighter: Fighter) -> bool:
        """Check whether a combatant can act at all."""
        for effect in fighter.effects:
            if effect.id in self.incapable:
                break
        else:
            return True
        spared = any(effect.id in self.sparing for effect in fighter.effects) if self.sparing else False
        return spared and fighter.effect("left") is None

    @final
    def able_to(self, fighter: Fighter, action: Action) -> bool:
        """Check whether a combatant can do this: some things need no ability to act, as getting it back does not."""
        if self.able(fighter):
            return True
        return bool(action.despite) and all(e.id in action.despite for e in fighter.effects if e.id in self.incapable)

    @final
    def has_turns(self, fighter: Fighter) -> bool:
        """Check whether a combatant can do anything in a turn of theirs, if only what lets them act again."""
        return self.able(fighter) or any(self.able_to(fighter, action) for action in self.recoveries)

    @final
    def is_beaten(self, fighter: Fighter) -> bool:
        """Check whether a combatant is out of the fight: gone or felled, not only kept from acting for a while."""
        return not self.able(fighter) and (self.is_felled(fighter) or fighter.effect("left") is not None)

    @final
    def keeps(self, state: State, condition: str) -> bool:
        """Check whether players are told nothing of a condition: a secret one, or one of the GM's own words."""
        own = condition not in self.conditions and "conditions" not in state.public
        return own or condition in self.secret

    @final
    def may_fall(self, state: State, fighter: Fighter) -> bool:
        """Check whether somebody may be down, which only the GM knows: the vital that takes damage is used up."""
        if not self.asks_who_falls or state.options.get(DOWN_AT_ZERO):
            return False
        left = first_vital(self, fighter)
        return left is not None and left <= 0

    @final
    def is_felled(self, fighter: Fighter) -> bool:
        """Check whether somebody is dead, down or unconscious: they have nothing to spend, and threaten nobody."""
        return bool(fighter.effects) and any(effect.id in self.felling for effect in fighter.effects)

    @final
    def is_gone(self, fighter: Fighter) -> bool:
        """Check whether somebody has left the fight, or is dead."""
        return bool(fighter.effects) and any(e.id == "left" or e.id in self.fallen for e in fighter.effects)

    def has_purse(self, state: State, fighter: Fighter) -> bool:
        """Check whether somebody has anything to spend: whoever is felled has not, unless they act all the same."""
        return not self.is_felled(fighter) or self.able(fighter)

    @final
    def lies(self, state: State, fighter: Fighter) -> bool:
        """Check whether somebody is down, or may be."""
        return fighter.effect(DOWN) is not None or self.may_fall(state, fighter)

    def at_hand(self, fighter: Fighter, foe: Fighter) -> bool:
        """Check whether a foe is the first to come to mind for an attack, as one in the same melee is."""
        return False

    def listed(self, case: Case, param: str) -> tuple[Any, ...] | None:
        """Return the values of a parameter where this system can list them; None where it cannot."""
        return None

    def announced(self, case: Case) -> tuple[str, ...]:
        """Return whom an action was announced to be aimed at before it is carried out; by default, nobody."""
        return ()

    def carried(self, case: Case) -> Case | None:
        """Return the case of the action that another one keeps or carries out, as far as it is named."""
        chosen = case.params.get("action")
        given = {id: value for id, value in case.params.items() if id not in CARRIERS}
        return None if chosen is None else case.doing(self.catalogue(case.state)[chosen], given)

    @final
    def distance(self, state: State, a: Fighter, b: Fighter) -> Distance | None:
        """Return how far apart two combatants stand; None without positions."""
        return self.board.distance(state.map, a.position, b.position)

    def claim(self, state: State, fighter: Fighter) -> Claim:
        """Return what a combatant's place in the order rests on: by default, nothing."""
        return Claim()

    def lots(self, state: State) -> Draw | None:
        """Return what the order of everybody's first turn rests on, as data; None leaves the odds unknown."""
        if self.draw is None:
            return None
        waits = not state.round and self.first_round(state) == 0
        lots = []
        for fighter in state.fighters.values():
            late, out = waits and fighter.effect("surprised") is not None, not self.able(fighter)
            lots.append(self.claim(state, fighter).lot(fighter, late=late, out=out))
        return replace(self.draw, lots=tuple(lots))

    def step_asks(self, state: State, came: Sequence[str] = ()) -> tuple[tuple[str, Ask], ...]:
        """Return the rolls that closing the present step asks for, each with the name faces are given by.

        If some have just come, return those that their coming asks for.
        """
        return ()

    def leads(self, case: Case) -> float | None:
        """Return how far a move leads, in the board's unit; None if no rule sets a limit."""
        return None

    def guarded(self, state: State, fighter: Fighter, among: Collection[object]) -> dict[str, frozenset[object]]:
        """Return the enemies who may attack somebody for leaving a place, and which places those are.

        Only of places `among` some; none where no rule reads it.
        """
        return {}

    def is_left(self, places: Collection[object], here: object, there: object) -> bool:
        """Check whether a step leaves guarded places: by default, once it is out of them all."""
        return here in places and there not in places

    def ranges(self, state: State, fighter: Fighter) -> tuple[tuple[str, int | None], ...]:
        """Return how many steps away somebody attacks with each of their weapons; None if nothing says."""
        attack = next((a for a in self.catalogue(state) if "attack" in a.tags and "weapon" in a.takes), None)
        if attack is None:
            return ()
        cases = [Case(self, state, fighter, attack, {"weapon": weapon["name"]}) for weapon in weapons_of(fighter)]
        return tuple([(case.params["weapon"], self.arms.reach(case, self.arms.wielded(case))) for case in cases])

    def closed(self, case: Case) -> tuple[Mapping[Square, str], Mapping[Square, str]]:
        """Return the squares or hexes that an action doesn't pass, and those it doesn't end on, each with who is there.

        By default these are the enemies', where the option `foes_option` refuses them; an action may go through those
        it is aimed at.
        """
        if not self.foes_option or case.state.options[self.foes_option] != "refused":
            return {}, {}
        aimed = case.targets if case.action.facts.get("through") else ()
        foes = foes_on(self, case.state, case.fighter.name).items()
        shut = {spot: foe.name for spot, foe in foes if foe.name not in aimed}
        return shut, shut

    def threatened(self, state: State, fighter: Fighter) -> frozenset[object]:
        """Return the places a combatant threatens; none without positions."""
        return frozenset()

    def span(self, until: object) -> object:
        """Return an ending said in this system's own words, such as "end of phase", as all systems say it.

        What a table calls a phase is a step with turns; the bearer has a turn in each, so two phases are two of these.
        """
        said, whole, part = until, self.round_title, self.occasion_title
        if not isinstance(said, str) or whole == Ruleset.round_title:
            return said
        words = said.strip()
        if words == f"end of {whole}":
            return "end of round"
        number, _, unit = words.casefold().partition(" ")
        if number.isdigit() and unit in (part, f"{part}s"):
            return f"{number} rounds"
        return "end of step" if words.casefold() == f"end of {part}" else said

    def said_span(self, until: str) -> str:
        """Return an ending that all systems say alike in this system's own words: the way back from `span`."""
        return until

    def adjust(self, draft: Draft, name: str, vital: str, by: int, change: Change = ADJUST) -> None:
        """Take from a vital or give to it, by the GM's word; a gain stops at the stated maximum."""
        change_vital(draft, name, vital, by, change)

    def set_condition(self, draft: Draft, given: Given) -> None:
        """Let a condition begin or end by the GM's word; one that already holds is renewed.

        Said just as it is, one without an end of its own has held since it began. Where a rule brings it, or ends what
        it has brought, what another rule has brought of it stays.
        """
        who, id, value, modifiers, anchor, off, rounds, by, rule = given
        spec = self.conditions.get(id) or ConditionSpec(id)
        own = (rule, spec.rule)
        held = [e for e in draft.state.fighters[who].effects if e.id == id and (not rule or e.rule in own)]
        for effect in held:
            draft.end_effect(who, effect, by=by, anew=not off)
        if not off:
            until = anchor or spec.until.replace("{who}", who) or None
            new = (value, modifiers or {}, until, rounds)
            same = next((e for e in held if (e.value, e.modifiers, e.anchor, e.rounds) == new), None)
            text = say("condition.already", begins=self.said_begun(draft.state, id, value)) if same else None
            draft.effect(
                who,
                id,
                value=value,
                modifiers=modifiers,
                anchor=until,
                rule=rule or spec.rule,
                rounds=rounds,
                by=by,
                text=text,
                number=same.number if same and not until else 0,
            )

    def placed(self, state: State, fighter: Fighter, place: Place, count: object) -> Place:
        """Return the place of somebody the GM puts on another score."""
        key = ((place.key[0][0], count), *place.key[1:]) if place.key else ()
        rank = (count, *place.rank[1:])
        return replace(place, score=count, rank=rank, key=key, why="", why_rule="", was=None, waits=False)

    def check_combatant(self, stats: Mapping[str, object], where: str) -> None:
        """Check what types and ranges can't say about a combatant's stats; refuse an impossible one."""

    def check_table(self, state: State, table: str) -> None:
        """Check a table of the system's own that was added to; refuse the call for an impossible row."""

    @final
    def spent_off_turn(self, state: State, fighter: Fighter, slot: str) -> int:
        """Return how much of a slot was spent on others' turns: what its own count says, if it has one.

        Otherwise everything spent, if a reaction drew on it last.
        """
        if (counted := self.slots[slot].off) is not None:
            off = fighter.pools.get(counted)
            return 0 if off is None else off.total - off.left
        pool = fighter.pools.get(slot)
        if pool is None or pool.left == pool.total:
            return 0
        spent = self.catalogue(state).get(pool.action)
        return pool.total - pool.left if spent is not None and spent.when == "reaction" else 0


@lru_cache
def _lasting(steps: tuple[Step, ...], seconds: int) -> tuple[Step, ...]:
    """Return the steps of a round that counts as so many seconds."""
    return (*steps[:-1], replace(steps[-1], length=seconds))
