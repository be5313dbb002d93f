"""A fight that keeps the calls that were made in it, so that they can be made again."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import wraps
from typing import Any, NamedTuple

from combatkit.fight.commands import COMMANDS
from combatkit.fight.encounter import Encounter

MOVES = ("do", "end_turn", "resolve", "undo", "redo")
"""What counts in an exercise: what a player does, and taking it back."""

_OWN = {"do": ("override", "rolls"), "end_turn": ("rolls",), "resolve": ("answer", "rolls")}
"""What is the GM's to say about a player's call."""


class Made(NamedTuple):
    """A call as it was made."""

    call: str
    args: tuple[Any, ...]
    given: dict[str, Any]

    @property
    def stray(self) -> str:
        """What about this is not a player's, if anything."""
        if self.call not in MOVES:
            return f"{self.call} is the GM's"
        own = next((word for word in _OWN.get(self.call, ()) if self.given.get(word)), "")
        return f"{own} is the GM's" if own else ""


class PlayedEncounter(Encounter):
    """A fight that keeps its calls.

    Attributes
    ----------
    calls : list of Made
        Those that were accepted, in order.
    """

    calls: list[Made]
    _depth = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.calls = []
        super().__init__(*args, **kwargs)


def _kept(call: str) -> Callable[..., object]:
    method = getattr(Encounter, call)

    @wraps(method)
    def made(self: PlayedEncounter, *args: Any, **given: Any) -> object:
        kept = Made(call, deepcopy(args), deepcopy(given))
        self._depth += 1
        try:
            found: object = method(self, *args, **given)
        finally:
            self._depth -= 1
        if not self._depth:
            self.calls.append(kept)
        return found

    return made


for _call in COMMANDS:
    setattr(PlayedEncounter, _call, _kept(_call))
