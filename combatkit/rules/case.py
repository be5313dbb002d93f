"""What rules are asked about: who would do what in which fight; and what they answer: rolls, questions, stages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from combatkit.core.dice import Dice
from combatkit.core.model import Act, Advance, Bid, Effect, Fighter, Place, Pool, State, Window
from combatkit.rules.catalogue import Action
from combatkit.rules.params import as_names
from combatkit.text import Said

if TYPE_CHECKING:
    from combatkit.rules.draft import Draft
    from combatkit.rules.ruleset import Ruleset
else:
    Ruleset = Any  # whoever asks `help` of a case is told its fields' types

NOTHING: Mapping[str, object] = MappingProxyType({})


class Objection(Struct, frozen=True, gc=False):
    """One objection to an action, and the rule it rests on.

    A `firm` one isn't a matter of rules: there is nothing the GM could overrule. A `late` one asks for something that
    wouldn't help if anything else is in the way, and comes after that.
    """

    reason: str
    rule: str
    firm: bool = False
    late: bool = False


def against(reason: str, rule: str, *more: str) -> list[Objection]:
    """Return an objection that rests on more than one rule; an empty one is none."""
    return [Objection(reason, rule), *[Objection("", each) for each in more if each]]


class Case(Struct, frozen=True, gc=False):
    """An action somebody would do, or has under way, with everything its rules may ask about it.

    Attributes
    ----------
    rules : Ruleset
        The system.
    state : State
        The fight as it stands.
    fighter : Fighter
        Who would act.
    action : Action
        What they would do.
    params : mapping
        What is said with it so far, checked.
    act : Act, optional
        The action as it stands, if it is under way.
    """

    rules: Ruleset
    state: State
    fighter: Fighter
    action: Action
    params: Mapping[str, Any] = NOTHING
    act: Act | None = None

    def given(self, params: Mapping[str, Any]) -> Case:
        """Return the same case with other parameters."""
        return Case(self.rules, self.state, self.fighter, self.action, params, self.act)

    def doing(self, action: Action, params: Mapping[str, Any] | None = None) -> Case:
        """Return the case of another action by the same combatant, with these parameters, or else the same."""
        return Case(self.rules, self.state, self.fighter, action, self.params if params is None else params)

    @property
    def targets(self) -> tuple[str, ...]:
        """Who it is aimed at, if that is known; also whoever is struck more than once is one."""
        given = self.params.get("target")
        if given is not None and "blows" in self.action.facts:
            return tuple(dict.fromkeys(given))
        return () if given is None else tuple(given) if type(given) is list else as_names(given)

    @property
    def begun(self) -> Advance | None:
        """How far it has come already; what was begun at others is not it."""
        come = self.fighter.progress.get(self.action.id)
        return None if come is not None and come.targets and not set(self.targets) <= {*come.targets} else come

    @property
    def window(self) -> Window | None:
        """The open window that this could answer; None if words tell what it answers."""
        focus = self.state.focus
        top = focus[-1] if focus else None
        return top if type(top) is Window and "trigger" not in self.params else None

    def noted(self, key: str, default: object = None) -> Any:
        """Return what the action under way has noted so far; `default` for one that is only judged."""
        return default if self.act is None else self.act.result.get(key, default)

    def effect(self, id: str) -> Effect | None:
        """Return a condition of whoever acts, or None."""
        return self.fighter.effect(id) if self.fighter.effects else None

    def has(self, id: str) -> bool:
        """Check whether whoever acts has a condition."""
        return bool(self.fighter.effects) and self.fighter.effect(id) is not None

    def pool(self, id: str) -> Pool | None:
        """Return a pool of whoever acts, or None."""
        return self.fighter.pools.get(id)

    def value(self, stat: str) -> int | None:
        """Return a number of whoever acts, conditions included; None if it isn't stated."""
        return self.rules.value(self.fighter, stat)

    def object(self, reason: str, rule: str = "", *, firm: bool = False) -> Objection:
        """Return an objection by a rule, or else by that of the action itself, which may say more than its type's."""
        return Objection(reason, rule or self.action.facts.get("says", self.action.rule), firm)


class Ask(Struct, frozen=True, gc=False):
    """A roll an action will ask for.

    Its purpose, the dice, what is added (each addend with its name), and what is needed. `rule` is what the roll rests
    on, `even` the rule for a total that exactly equals what is needed, which fails if it must be `above` that. With
    `naturals`, a single die's highest face always hits and its lowest never does.
    """

    purpose: str
    dice: int
    sides: int
    addends: tuple[tuple[int, str], ...] = ()
    needed: int | None = None
    rule: str = ""
    even: str = ""
    above: bool = False
    naturals: bool = False
    more: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, purpose: str, dice: Dice, plus: str = "") -> Ask:
        """Return the roll of dice as they are written; `plus` names the number that is added."""
        return cls(purpose, dice.count, dice.sides, ((dice.plus, plus),) if dice.plus else (), more=dice.more)

    @property
    def thrown(self) -> Dice:
        """What is thrown, with everything that is added."""
        return Dice(self.dice, self.sides, sum([number for number, _ in self.addends]), self.more)

    @property
    def added(self) -> dict[str, int]:
        """What is added, by name: what several add under one name together."""
        found: dict[str, int] = {}
        for number, name in self.addends:
            found[name] = found.get(name, 0) + number
        return found

    def lands(self, natural: int) -> bool:
        """Check whether the faces add up to what is needed."""
        if self.naturals and self.dice == 1 and natural in (1, self.sides):
            return natural != 1
        if self.needed is None:
            return False
        total = natural + sum([number for number, _ in self.addends])
        return total > self.needed if self.above else total >= self.needed


class Question(NamedTuple):
    """What the GM is asked in the middle of an action: the answer is kept in the action's result under `key`.

    `many` lets several of the choices be the answer; `on` are those it is about, if not whoever did something.
    """

    key: str
    text: Said
    choices: tuple[str, ...]
    rule: str
    many: bool = False
    on: tuple[str, ...] = ()


class Entry(NamedTuple):
    """Who may step in after a stage of an action, and with what.

    Nobody waits for a `soft` one: any other call lets it go. What is said `about` it stands in place of the action.
    """

    bids: tuple[Bid, ...]
    soft: bool = False
    about: Said | None = None


class Later(NamedTuple):
    """The place that a delay leads to, None if it names none; and the objection to it."""

    place: Place | None = None
    against: tuple[Objection, ...] = ()


class Given(NamedTuple):
    """A condition that the GM, or whoever it is `by`, lets begin, with what is said of it, or end (`off`).

    It begins under the rule of the condition, unless another `rule` brings it.
    """

    who: str
    id: str
    value: Any = None
    modifiers: dict[str, int] | None = None
    anchor: str | None = None
    off: bool = False
    rounds: int = 0
    by: str = "gm"
    rule: str = ""


Need = Callable[[Case], Iterable[Objection]]
"""Something a stage of an action needs from the world: the objections there are now."""


class Stage(NamedTuple):
    """One stage of an action: its name, what carries it out, and what it needs of the world.

    `needs` are asked before the action is declared, and again before the stage goes on after anything happened in
    between; an empty tuple needs its targets to be there, None needs nothing. Somebody may stand elsewhere after a
    stage that `moves`.
    """

    name: str
    run: Callable[[Draft, Act], Act]
    needs: tuple[Need, ...] | None = None
    moves: bool = False


def _as_stage(given: Any) -> Stage:
    """Return a stage that may have been given as a plain pair: its name, and what carries it out."""
    return given if isinstance(given, Stage) else Stage(*given)


class Mechanism(NamedTuple):
    """How a kind of action is carried out.

    What is checked besides its cost and what its stages need, its stages in order, what is still missing, whether the
    action says less than the condition it brings, which the log tells in its place, what it can come to,
    whether modifiers given with it hold as long as what it brings, and the facts that its actions can't do without.
    """

    check: Callable[[Case], Iterable[Objection]] | None
    stages: tuple[Stage, ...]
    missing: Callable[[Case], tuple[str, ...]] | None = None
    says_less: bool = False
    outcomes: tuple[str, ...] = ("hit", "miss")
    holds: bool = False
    facts: tuple[str, ...] = ()
