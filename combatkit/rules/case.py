"""The one thing that rules are asked about: who would do what, with what, in which fight."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from combatkit.core.model import Act, Effect, Fighter, Pool, State
from combatkit.rules.catalogue import Action
from combatkit.rules.params import as_names

if TYPE_CHECKING:
    from combatkit.rules.ruleset import Ruleset

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Objection(Struct, frozen=True, gc=False):
    """One thing against an action, and the rule it rests on.

    A `firm` one is no matter of rules: there is nothing there that the GM could overrule. A `late` one asks for
    something that would not help if there is anything else: then it gives that reason, by its own rule.
    """

    reason: str
    rule: str
    firm: bool = False
    late: bool = False


class Case(Struct, frozen=True, gc=False):
    """An action somebody would do, or has under way, with everything its rules may ask of it.

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
    params: Mapping[str, Any] = _NOTHING
    act: Act | None = None

    def given(self, params: Mapping[str, Any]) -> Case:
        """Return the same case with other parameters."""
        return Case(self.rules, self.state, self.fighter, self.action, params, self.act)

    @property
    def targets(self) -> tuple[str, ...]:
        """Whom it is aimed at, as far as that is said."""
        given = self.params.get("target")
        return () if given is None else tuple(given) if type(given) is list else as_names(given)

    def noted(self, key: str, default: Any = None) -> Any:
        """Return what the action under way has noted so far; of one only judged, `default`."""
        return default if self.act is None else self.act.result.get(key, default)

    def effect(self, id: str) -> Effect | None:
        """Return a condition of the one who acts, or None."""
        return self.fighter.effect(id) if self.fighter.effects else None

    def has(self, id: str) -> bool:
        """Check whether the one who acts has a condition."""
        return bool(self.fighter.effects) and self.fighter.effect(id) is not None

    def pool(self, id: str) -> Pool | None:
        """Return a pool of the one who acts, or None."""
        return self.fighter.pools.get(id)

    def value(self, stat: str) -> int | None:
        """Return a number of the one who acts, conditions counted in; None if it is not stated."""
        return self.rules.value(self.fighter, stat)

    def object(self, reason: str, rule: str = "", *, firm: bool = False) -> Objection:
        """Return what is against it, by a rule, or else by the rule of the action itself."""
        return Objection(reason, rule or self.action.rule, firm)
