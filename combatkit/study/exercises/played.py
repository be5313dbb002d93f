"""A fight that keeps the calls that were made in it, so that they can be made again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from functools import wraps
from inspect import signature
from typing import Any, NamedTuple, Self

from combatkit.core.plain import own, short
from combatkit.core.timeline import Call, Timeline
from combatkit.errors import CombatkitError, InvalidInput, warn
from combatkit.fight.commands import COMMANDS
from combatkit.fight.fight import Encounter
from combatkit.fight.owed import is_owed
from combatkit.fight.view import View
from combatkit.rules.ruleset import Ruleset

MOVES = ("do", "end_turn", "resolve", "undo", "redo")
"""What counts in an exercise: what a player does, and taking it back."""

_GMS = ("override", "rolls")
"""What is the GM's to say about a player's call."""

_SAID = {"names", "amount", "attacker", "note"}
"""What is said of damage that a blow asks for."""


class Made(NamedTuple):
    """A call as it was made."""

    call: str
    args: tuple[Any, ...]
    given: dict[str, Any]
    clicked: bool = False
    """Whether it was made in a tracker: what a cell does, the cell does again."""

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Self:
        """Return a call that was written down; it may have been written by anybody."""
        call, args, given = row.get("call"), row.get("args"), row.get("given")
        if not (isinstance(call, str) and isinstance(args, list) and isinstance(given, dict) and call in COMMANDS):
            raise InvalidInput(f"{short(row)} is no call")
        return cls(call, tuple(args), given, True)

    def stray_in(self, fight: Encounter) -> str:
        """Return what about this is not a player's in a fight as it stands, if anything.

        Beside what a player does, it is how much a blow did that nobody has said yet, and the answer to a question that
        play has stopped for.
        """
        taken = signature(getattr(Encounter, self.call)).bind(fight, *self.args, **self.given).arguments
        if self.call == "damage" and {key for key, value in taken.items() if value} <= {"self", *_SAID}:
            names = own(taken["names"])
            return "" if (names if isinstance(names, str) else [*names]) in _owed(fight) else "damage is the GM's"
        if self.call not in MOVES:
            return f"{self.call.replace('_', ' ')} is the GM's"
        word = next((word for word in _GMS if taken.get(word)), "")
        return f"{word} is the GM's" if word else ""


def _owed(fight: Encounter) -> list[str | list[str]]:
    """Return who was hit and of whom nobody has said yet how much they lose: each by name, and as a list of one."""
    log = fight._timeline.now.log
    blows = [(at, event) for at, event in enumerate(log) if event.kind == "attack"]
    names = [str(event.target) for at, event in blows if is_owed(fight, event, log[at:])]
    return [*names, *([name] for name in names)]


class PlayedEncounter(Encounter):
    """A fight that keeps its calls from a moment on, and does not go back behind it.

    Attributes
    ----------
    calls : list of Made
        Those that were accepted, in order.
    began : int
        The last event of the moment.
    """

    calls: list[Made]
    waiting: list[dict[str, Any]]
    """What was clicked before, and waits until the calls before it have been made."""
    again = False
    """Whether a call is made again that was clicked before."""
    began = 0
    marked: tuple[tuple[int, int], ...] = ()
    """The places to reach, which its map marks."""
    _depth = 0
    _hand = False
    _heed: Callable[[], None] | None = None
    """Called when the calls are others."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.calls, self.waiting = [], []
        super().__init__(*args, **kwargs)

    @classmethod
    def _of(cls, id: str, rules: Ruleset, timeline: Timeline, parent: tuple[str, int] | None = None) -> Self:
        made = cls.__new__(cls)
        made.calls, made.waiting = [], []
        made._hold(id, rules, timeline, parent)
        return made

    def go_on(self) -> None:
        """Make the calls again that were clicked before, as far as it is their turn: between them cells make theirs."""
        while not self.again and self.waiting and self.waiting[0]["after"] == len(self.calls):
            row = self.waiting.pop(0)
            self.again = True
            try:
                with self.by_hand():
                    made = Made.read(row)
                    getattr(self, made.call)(*made.args, **made.given)
            except (CombatkitError, TypeError) as error:
                self.waiting.clear()
                warn(
                    f"{self.id}: what was clicked before can't be played again from call {row['after'] + 1} on: {error}"
                )
            finally:
                self.again = False

    def begin_here(self) -> Self:
        """Keep calls from this moment on."""
        self.calls.clear()
        self.began = self._events[-1].seq
        return self

    @contextmanager
    def by_hand(self) -> Iterator[None]:
        """Take what is called inside as made in a tracker, where nothing is taken that the check refuses."""
        self._hand = True
        try:
            yield
        finally:
            self._hand = False

    @property
    def standing(self) -> list[Call]:
        """The calls since the moment that stand: what was taken back counts as little as taking it back."""
        return [call for call in self._timeline.done if call.first > self.began]

    @property
    def can_undo(self) -> str:
        """The title of the call that `undo` would take back, or an empty string."""
        present = self._line.present
        return super().can_undo if present is not None and present.first > self.began else ""


def moved(moment: View, id: str) -> PlayedEncounter:
    """Return a fight of its own that goes on from a moment of another, which stays as it is."""
    fight = moment._fight
    if not isinstance(fight, Encounter):
        raise InvalidInput("exercise: give a moment of a fight, such as enc.at(31)")
    line = fight._timeline
    seq = line.now.end_of(moment._events[-1].seq)
    return PlayedEncounter._of(id, fight.ruleset, line.cut(seq)).begin_here()


def _kept(call: str) -> Callable[..., object]:
    method = getattr(Encounter, call)

    @wraps(method)
    def made(self: PlayedEncounter, *args: Any, **given: Any) -> object:
        if call == "undo" and self.began:
            _check_undo(self, signature(method).bind(self, *args, **given).arguments)
        kept = Made(call, deepcopy(args), deepcopy(given), self._hand)
        if self._hand and (stray := kept.stray_in(self)):
            raise InvalidInput(f"This is an exercise, and {stray}.")
        self._depth += 1
        try:
            found: object = method(self, *args, **given)
        finally:
            self._depth -= 1
        if not self._depth:
            self.calls.append(kept)
            if self._heed is not None:
                self._heed()
            self.go_on()
        return found

    return made


def _check_undo(fight: PlayedEncounter, taken: Mapping[str, Any]) -> None:
    """Refuse to take back what led to the moment."""
    to = own(taken.get("to"))
    if not fight.can_undo or (type(to) is int and to < fight.began):
        raise InvalidInput("The exercise begins here: what led to it can't be undone.")


for _call in COMMANDS:
    setattr(PlayedEncounter, _call, _kept(_call))
