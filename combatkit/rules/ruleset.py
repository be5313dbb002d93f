"""What a ruleset is: a folder of data, and hooks with sound defaults.

A system's ``ruleset.py`` defines one subclass of `Ruleset`; everything it does not say is done as here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, final

from msgspec.structs import replace

from combatkit.core.dice import Dice
from combatkit.core.model import Act, Bid, Clock, Distance, Effect, Fighter, Place, State, Step, Turn, Window
from combatkit.core.plain import is_number, is_text, short
from combatkit.errors import InvalidInput
from combatkit.rules.case import Case, Objection
from combatkit.rules.catalogue import Action, Stat
from combatkit.rules.draw import Claim, Draw, surprised_some
from combatkit.rules.parts import Ask, Mechanism, Need, Question, _as_stage
from combatkit.rules.presentation import Presentation
from combatkit.rules.rulebook import Rulebook
from combatkit.rules.vitals import ADJUST, Change, change_vital
from combatkit.text import Said, Title, say

if TYPE_CHECKING:
    from pathlib import Path

    from combatkit.rules.draft import Draft
    from combatkit.rules.weapons import Arms


class Ruleset(Rulebook):
    """A combat system: its rulebook, and what only it does.

    Attributes
    ----------
    mechanisms : dict of str to Mechanism
        How its actions are carried out.
    needs : dict of str to tuple
        What the stages of each mechanism need of the world, each once.
    """

    score_title = "initiative"
    round_title = "Round"
    occasion_title = "round"
    """What everybody has one turn in, as it is said in a sentence."""
    end_title = "End turn"
    pooled_with: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Pools that gain along with another by the GM's word, as a cap over it does: else the gain could not be spent."""
    clock_moves: frozenset[str] | None = frozenset(("encounter", "table", "begin", "round", "step", "fact", "over"))
    """The kinds of events that can change what `clock` says; None if it reads more than rounds, steps and facts."""
    watched: tuple[str, ...] = ()
    """Stages after which a trigger in words may be met, besides an action's declaration."""
    draw: Draw | None = None
    """How the order is drawn, before anybody is in it; what each brings to it is their `claim`."""
    arms: Arms | None = None
    """How it reads weapons of the sheet, where what all systems share of that is enough for it."""
    shows: type[Presentation] = Presentation
    """What the widgets show of it."""

    def __init__(self, folder: Path, stats: Iterable[Stat]) -> None:
        super().__init__(folder, stats)
        self.presentation = self.shows(self)
        # A folder may give anything here: `rules/validate.py` refuses it, once there is a ruleset to be looked at.
        given: Any = self.mechanics()
        known = {id: way for id, way in given.items() if isinstance(way, Mechanism)} if isinstance(given, dict) else {}
        whole = {id: way._replace(stages=tuple(_as_stage(stage) for stage in way.stages)) for id, way in known.items()}
        self.mechanisms: dict[str, Mechanism] = {**given, **whole} if known else given
        self.needs: dict[str, tuple[Need, ...]] = {
            id: tuple(dict.fromkeys(need for stage in way.stages for need in stage.needs or ()))
            for id, way in whole.items()
        }

    def mechanics(self) -> dict[str, Mechanism]:
        """Return the ways actions are carried out, by the name a catalogue's ``does`` uses.

        Those that systems share are `combatkit.rules.mechanisms.MECHANISMS`; a system gives them and adds its own.
        """
        raise NotImplementedError

    def schedule(self, state: State) -> tuple[Step, ...]:
        """Return the steps of the present round."""
        raise NotImplementedError

    def clock(self, state: State) -> Clock:
        """Return the present moment as a person would say it."""
        raise NotImplementedError

    @final
    def first_round(self, state: State) -> int:
        """Return the number of the round a fight begins with; 0 is a surprise round, which its draw asks for."""
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
        """Return the rules that an event rests on that no action brings about, as the rulebook's boundaries have it.

        `kind` says what it is, with what it is about: "round", "refresh:turn"; see `combatkit.rules.boundaries`.
        """
        found = self.boundaries.kinds.get(kind)
        if found is None:
            return ()
        if found.always is not None:
            return found.always
        if found.stepped and not step and state.step >= 0:
            step = self.schedule(state)[state.step].id
        return found.at(state, round, step, unaware)

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

    def stops(self, state: State, step: Step) -> bool:
        """Check whether a step waits for somebody's choice although it calls nobody."""
        return False

    def step_begins(self, draft: Draft, step: Step) -> None:
        """Do what a step opens with: fill pools, roll, declare; its event has been logged."""

    def step_ends(self, draft: Draft, step: Step) -> None:
        """Do what a step closes with, before what lasted until its end is over."""

    def unlimited(self, state: State, fighter: Fighter) -> tuple[str, ...]:
        """Return the budget slots this combatant never runs out of."""
        return ()

    def calls(self, state: State, step: Step, place: Place) -> bool:
        """Check whether a step calls a place at all."""
        return place.steps is None or step.id in place.steps

    def elsewhere(self, state: State, turn: Turn) -> tuple[str, ...]:
        """Return the rules by which a turn's place stands in another step now, so that the turn is still to come."""
        return ()

    def passed(self, state: State, place: Place) -> bool:
        """Check whether the steps that call a place are over in this round, so that it has no turn to wait for."""
        return False

    def bars(self, case: Case) -> Iterable[Objection]:
        """Return what keeps this combatant from this action besides time and cost."""
        return ()

    def question(self, state: State, act: Act, stage: str) -> Question | None:
        """Return what the GM must settle after a stage of an action before anybody may enter.

        It is asked again after each answer.
        """
        return None

    def noted(self, case: Case) -> dict[str, Any]:
        """Return what the event of an action holds besides its cost and parameters: the time it takes."""
        return {}

    def declared(self, draft: Draft, act: Act, action: Action) -> None:
        """Do what a declaration brings at once, paid for and before anybody may enter."""

    def entrants(self, state: State, act: Act, stage: str) -> tuple[Bid, ...]:
        """Return who may enter after a stage of an action besides those whose trigger fits, and with what.

        All of it can be done in the window that opens: nobody judges it again before something else happens.
        """
        return ()

    def lets_pass(self, state: State, act: Act, stage: str) -> bool:
        """Check whether any other call lets those pass whom `entrants` names: they may enter; nobody waits for it."""
        return False

    def when(self, action: Action, params: Mapping[str, Any]) -> str:
        """Return when an action may be done: "own turn", "reaction", "own turn or reaction", "any time"."""
        return action.when

    @final
    def turn_rule(self, action: Action) -> str:
        """Return the rule that binds this very action to one's own turn; empty if only the order of turns does."""
        return str(action.facts.get("bound", ""))

    @final
    def reaction_rule(self, action: Action) -> str:
        """Return the rule that says what a reaction answers."""
        return action.facts.get("nature") or self.cite["reaction"]

    def reactions(self, state: State, by: tuple[str, ...]) -> tuple[Bid, ...]:
        """Return who may answer something that happened with a reaction of the catalogue."""
        return ()

    def delay_objections(
        self, state: State, fighter: Fighter, place: Place, params: Mapping[str, Any]
    ) -> Iterable[Objection]:
        """Return what is against the place a delay names."""
        return ()

    def delayed_place(self, state: State, fighter: Fighter, place: Place, params: Mapping[str, Any]) -> Place | None:
        """Return the place a delay takes, or None if it names none and waits."""
        return None

    def step_in_objections(self, state: State, fighter: Fighter, place: Place) -> Iterable[Objection]:
        """Return what is against a delayer's stepping in now."""
        return ()

    def last_place(self, state: State, fighter: Fighter, place: Place) -> Place:
        """Return the place of a delayer who steps in when everybody else has acted."""
        raise NotImplementedError

    def ready_anchor(self, state: State, who: str) -> str | None:
        """Return the anchor at which a readied or held action is lost."""
        return f"turn_start:{who}"

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """Return the rolls an action will ask for, as far as they are known before it is declared."""
        return ()

    def notation(self, dice: Dice) -> str:
        """Return dice as this system writes them."""
        return dice.notation

    def lands(self, state: State, ask: Ask, faces: tuple[int, ...], total: int) -> bool:
        """Check whether an attack roll hits what it needs; of several dice only the total may count, not the faces."""
        assert ask.needed is not None
        return total >= ask.needed

    def values(self, state: State, fighter: Fighter) -> dict[str, Any]:
        """Return a combatant's numbers by id, effects counted in."""
        values: dict[str, Any] = {}
        for stat in self.stats:
            value = fighter.vitals.get(stat.name) if stat.vital else fighter.stats.get(stat.name)
            if type(value) is int:
                bonus = sum(effect.modifiers.get(stat.name, 0) for effect in fighter.effects)
                values[stat.name] = value + bonus
        return values

    def value(self, fighter: Fighter, stat: str) -> int | None:
        """Return one stated number of a combatant, effects counted in; None if it is not stated."""
        value = fighter.stats.get(stat)
        if type(value) is not int:
            return None
        return value + sum([e.modifiers.get(stat, 0) for e in fighter.effects]) if fighter.effects else value

    def said_of(self, what: str, id: str, ended: Effect | None = None) -> Said:
        """Return what is said of a condition that begins, or of one that has ended: `ended` is what it was."""
        return say(f"condition.{what}_{'had' if self.is_had(id) else 'been'}", of=id, word=Title(id.replace("_", " ")))

    @final
    def is_had(self, id: str) -> bool:
        """Check whether a condition is one that somebody has rather than is."""
        found = self.conditions.get(id)
        return found is not None and found.had

    def able(self, fighter: Fighter) -> bool:
        """Check whether a combatant can act at all."""
        effects = fighter.effects
        return not effects or self.incapable.isdisjoint([effect.id for effect in effects])

    def may_fall(self, fighter: Fighter) -> bool:
        """Check whether somebody may be down, which only the GM knows: the vital that damage takes is used up."""
        left = fighter.vitals.get(self.vitals[0].name) if self.vitals else None
        return left is not None and left <= 0

    def despite(self, fighter: Fighter, action: Action) -> bool:
        """Check whether one who cannot act may do this all the same: what the player decides, not the character."""
        return False

    def listed(self, case: Case, param: str) -> tuple[Any, ...] | None:
        """Return the values of a parameter where this system can list them; None where it cannot."""
        return None

    def distance(self, state: State, a: Fighter, b: Fighter) -> Distance | None:
        """Return how far apart two combatants stand; None without positions."""
        return None

    def claim(self, state: State, fighter: Fighter) -> Claim:
        """Return what a combatant's place in the order rests on: by itself on nothing."""
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

    def step_asks(self, state: State) -> tuple[tuple[str, Ask], ...]:
        """Return the rolls that closing the present step asks for, each with the name faces are given by."""
        return ()

    def threatened(self, state: State, fighter: Fighter) -> frozenset[Any]:
        """Return the places a combatant threatens; none without positions."""
        return frozenset()

    def adjust(self, draft: Draft, name: str, vital: str, by: int, change: Change = ADJUST) -> None:
        """Take from a vital or give to it, by the GM's word; what is given stops at the maximum that was stated."""
        change_vital(draft, name, vital, by, change)

    def turn_ends(self, draft: Draft, turn: Turn) -> None:
        """Do what a turn closes with, before what lasted until its end is over."""

    def lapsed(self, draft: Draft, who: str, effect: Effect) -> None:
        """Do what follows when an effect has reached the anchor that ends it; one used up or ended by hand has not."""

    def departed(self, draft: Draft, name: str) -> None:
        """Do what follows when somebody has left the fight."""

    def end_condition(self, draft: Draft, name: str, id: str) -> None:
        """Let a condition end by the GM's word."""
        draft.end_effects(name, id, by="gm")

    def begin_condition(
        self, draft: Draft, name: str, id: str, value: Any, modifiers: dict[str, int], anchor: str | None
    ) -> None:
        """Let a condition begin by the GM's word; one that holds already is renewed."""
        draft.end_effects(name, id, by="gm")
        draft.effect(name, id, value=value, modifiers=modifiers, anchor=anchor, by="gm")

    def check_map(self, map: list[Any]) -> None:
        """Check the map a fight is given; one that cannot be is refused."""

    def check_position(self, state: State, at: Any) -> Any:
        """Check a place on the map and give it in plain form."""
        if is_text(at, 200) and at:
            return at
        if isinstance(at, (tuple, list)) and len(at) == 2 and all(is_number(n) for n in at):
            return (at[0], at[1])
        raise InvalidInput(f"a place is {short(at)}; give a name, or a pair of whole numbers")

    def check_segment(self, segment: int) -> None:
        """Check when in a round something happened; a system that counts segments refuses one there is not."""

    def check_count(self, count: Any) -> Any:
        """Check what the GM puts somebody on, on the ladder: a score."""
        if is_number(count):
            return count
        raise InvalidInput(f"place: count is {short(count)}; give a whole number")

    def placed(self, state: State, fighter: Fighter, place: Place, count: Any) -> Place:
        """Return the place of one whom the GM puts on another score."""
        key = ((place.key[0][0], count), *place.key[1:]) if place.key else ()
        rank = (count, *place.rank[1:])
        return replace(place, score=count, rank=rank, key=key, why="", why_rule="", was=None, waits=False)

    def check_combatant(self, stats: Mapping[str, Any], where: str) -> None:
        """Check what types and ranges cannot say of a combatant's stats; one that cannot be is refused."""

    def check_table(self, state: State, table: str) -> None:
        """Check a table that was added to; a row that cannot be refuses the call."""
        if table == "actions":
            self.catalogue(state)

    def spent_off_turn(self, state: State, fighter: Fighter, slot: str) -> int:
        """Return how much of a slot was spent on others' turns; all that is spent, if a reaction drew on it last."""
        pool = fighter.pools.get(slot)
        if pool is None or pool.left == pool.total:
            return 0
        spent = self.catalogue(state).get(pool.action)
        return pool.total - pool.left if spent is not None and spent.when == "reaction" else 0

    def closing(self, draft: Draft, window: Window, answer: Any) -> None:
        """Do what a system does when one of its windows closes; `answer` is what the GM said to a question."""
