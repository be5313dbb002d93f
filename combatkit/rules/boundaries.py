"""The rules cited by events that no action causes: rounds, steps, turns, what is filled, what ends by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from combatkit.core.model import State

WHOLE = (
    "begin",
    "over",
    "round",
    "round_end",
    "step",
    "step_end",
    "turn",
    "turn_end",
    "window_end",
)
"""Events that a row may name as they are."""

PARTED = {
    "refresh": ("turn", "round", "step", "join"),
    "turn_lost": ("waits", "skipped", "late"),
    "turn_moved": ("delayed", "placed"),
    "passed": ("round_end", "step_end", "turn_start", "turn_end", "turn", "place", "action"),
    "effect": (),
    "effect_end": (),
    "declined": (),
}
"""Events that a row names with what it is about: ``refresh:turn``. Empty ones take any id, of a condition or an action.
``passed`` is an effect that ends as its anchor is passed, whatever condition it is; ``declined``, an offer that is let
go.
"""

UNAWARE = ("none", "some", "all")
"""How many are surprised as the fight begins."""


class Boundary(Struct, frozen=True, forbid_unknown_fields=True):
    """One row of a rulebook's ``[[boundaries]]``: the rules that events of these kinds rest on, wherever it fits.

    `first` and `last` bound the rounds, `steps` names steps by id, `when` gives options the values they must have;
    `unaware` says how many are surprised as the fight begins, and fits only what begins it.
    """

    at: tuple[str, ...]
    rules: tuple[str, ...]
    first: int | None = None
    last: int | None = None
    steps: tuple[str, ...] = ()
    when: tuple[tuple[str, str | int | bool | None], ...] = ()
    unaware: tuple[str, ...] = ()

    @property
    def always(self) -> bool:
        """Whether it fits wherever its kind of event happens."""
        return self.first is None and self.last is None and not (self.steps or self.when or self.unaware)


class Boundaries:
    """A rulebook's rows, looked up by the kind of event.

    Parameters
    ----------
    rows : iterable of Boundary
        In the order in which they are cited.

    Attributes
    ----------
    declined : frozenset of str
        The actions with a rule for an offer that is let go: few of them have one.

    Examples
    --------
    >>> rows = [Boundary(("round",), ("x.round",)), Boundary(("round",), ("x.again",), first=2)]
    >>> kept = Boundaries(rows).kinds["round"]
    >>> kept.at(State(round=1)), kept.at(State(round=2))
    (('x.round',), ('x.round', 'x.again'))
    """

    def __init__(self, rows: Iterable[Boundary]) -> None:
        self.rows = tuple(rows)
        kinds = dict.fromkeys(at for row in self.rows for at in row.at)
        self.kinds = {at: Kind([row for row in self.rows if at in row.at]) for at in kinds}
        self.declined = frozenset(at.removeprefix("declined:") for at in kinds if at.startswith("declined:"))


class Kind:
    """The rows for one kind of event; answers are kept, since every turn asks several times.

    Attributes
    ----------
    always : tuple of str or None
        The rules, if they are the same wherever it happens.
    stepped : bool
        Whether they depend on the step it falls in.
    """

    __slots__ = ("_farthest", "_found", "_options", "_rows", "always", "stepped")

    def __init__(self, rows: Sequence[Boundary]) -> None:
        self._rows = rows
        self.always = _cited(rows) if all(row.always for row in rows) else None
        self.stepped = any(row.steps for row in rows)
        self._options = tuple(dict.fromkeys(option for row in rows for option, _ in row.when))
        self._farthest = max([0, *(n + 1 for row in rows for n in (row.first, row.last) if n is not None)])
        self._found: dict[object, tuple[str, ...]] = {}

    def at(self, state: State, round: int | None = None, step: str = "", unaware: str = "") -> tuple[str, ...]:
        """Return the rules that such an event rests on.

        Parameters
        ----------
        state : State
            The present.
        round : int, optional
            The round it falls in, if not the present one.
        step : str
            The id of the step it falls in, if that is known.
        unaware : str
            How many are surprised as the fight begins, one of `UNAWARE`.
        """
        number = state.round if round is None else round
        if number is None:
            number = -1
        elif number > self._farthest:
            number = self._farthest  # later rounds are all alike, so that what is kept does not grow with the fight
        key: tuple[object, ...] = (number, step, unaware)
        if self._options:
            key = (*key, *[state.options.get(option) for option in self._options])
        found = self._found.get(key)
        if found is None:
            fits = [row for row in self._rows if _fits(row, number, step, unaware, state.options)]
            self._found[key] = found = _cited(fits)
        return found


def _fits(row: Boundary, round: int, step: str, unaware: str, options: dict[str, object]) -> bool:
    if (row.first is not None and round < row.first) or (row.last is not None and round > row.last):
        return False
    if (row.steps and step not in row.steps) or (row.unaware and unaware not in row.unaware):
        return False
    return all(options.get(option) == value for option, value in row.when)


def _cited(rows: Iterable[Boundary]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rule for row in rows for rule in row.rules))
