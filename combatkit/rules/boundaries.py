"""The rules cited by events that no action causes: rounds, steps, turns, what is filled, what ends by itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

EVENTS: dict[str, tuple[str, ...] | None] = {
    **dict.fromkeys(("begin", "over", "round", "round_end", "step", "step_end", "turn", "turn_end", "window_end")),
    "refresh": ("turn", "round", "step", "join"),
    "turn_lost": ("waits", "skipped", "late"),
    "turn_moved": ("delayed", "placed"),
    "passed": ("round_end", "step_end", "turn_start", "turn_end", "turn", "place", "action"),
    "effect": (),
    "effect_end": (),
    "declined": (),
}
"""Events that a row may name: as they are, or, where it isn't None, with what they are about: ``refresh:turn``. Empty
ones take any id, of a condition or an action. ``passed`` is an effect that ends as its anchor is passed, whatever
condition it is; ``declined``, an offer that is let go.
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

    def fits(self, options: Mapping[str, object], round: int, step: str, unaware: str) -> bool:
        """Check whether an event in this round and step rests on these rules, under a fight's readings."""
        if (self.first is not None and round < self.first) or (self.last is not None and round > self.last):
            return False
        if (self.steps and step not in self.steps) or (self.unaware and unaware not in self.unaware):
            return False
        return all(options.get(option) == value for option, value in self.when)


class Boundaries:
    """A rulebook's rows, in the order in which they are cited, and those for each kind of event.

    Examples
    --------
    >>> rows = [Boundary(("round",), ("x.round",)), Boundary(("round", "turn"), ("x.again",), first=2)]
    >>> {kind: [row.rules for row in kept] for kind, kept in Boundaries(rows).kinds.items()}
    {'round': [('x.round',), ('x.again',)], 'turn': [('x.again',)]}
    """

    def __init__(self, rows: Iterable[Boundary]) -> None:
        self.rows = tuple(rows)
        kinds = dict.fromkeys(at for row in self.rows for at in row.at)
        self.kinds = {at: [row for row in self.rows if at in row.at] for at in kinds}
