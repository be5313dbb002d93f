"""The loop that takes a fight on, as a group and its GM would, until somebody may choose.

It ends turns, lets windows pass that nobody answers, adds to an attack what the table `scene` gives for it, and takes
down those whose vitals the table says are spent. How to choose is not its business: `combatkit.play` asks tactics,
`combatkit.simulation.aec` asks agents.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, SupportsFloat

from combatkit.core.model import Event, Offer, State, Window
from combatkit.core.plain import MOST, is_number, own, short
from combatkit.errors import InvalidInput
from combatkit.fight.fight import Encounter
from combatkit.fight.view import View
from combatkit.rules.vitals import DOWN
from combatkit.tactics import Deed, filled, row, stated
from combatkit.text import signed

GameMaster = Callable[[View, Offer], object]
"""Settles a question to the GM: gives one of the offer's choices."""


def bounds(what: str, rounds: Any, seconds: Any) -> tuple[int | None, float | None]:
    """Return when a fight is to be over at the latest.

    Parameters
    ----------
    what : str
        The call, for error messages.
    rounds : int or None
        The last round to be played.
    seconds : float or None
        Game seconds.

    Raises
    ------
    InvalidInput
        If one is no such number.
    """
    rounds, seconds = own(rounds), own(seconds)
    if rounds is not None and not (is_number(rounds) and rounds >= 0):
        raise InvalidInput(f"{what}: rounds is {short(rounds)}; give a whole number from 0 up, or None for no limit")
    if seconds is None:
        return rounds, None
    number = None if isinstance(seconds, (bool, str)) or not isinstance(seconds, SupportsFloat) else float(seconds)
    if number is None or not 0 <= number <= MOST:
        raise InvalidInput(f"{what}: seconds is {short(seconds)}; give a number from 0 up, or None for no limit")
    return rounds, seconds if isinstance(seconds, int) else number


class Table:
    """A fight under way.

    Parameters
    ----------
    enc : Encounter
        A fight that has begun.
    rounds : int or None
        The last round to be played; None for no limit.
    seconds : float or None
        The game seconds at which it stops, counted from the fight's beginning.
    gm : callable, optional
        Settles questions to the GM; without it the first choice is taken.

    Attributes
    ----------
    deeds : int
        How often somebody has done something.

    Examples
    --------
    >>> import combatkit as ck
    >>> table = Table(ck.scene("catwalk").encounter("saga", seed=7), rounds=1)
    >>> name = table.next()
    >>> table.take(name, ck.tactics.strike(table.enc, name))
    >>> name, table.next(), table.deeds
    ('Vex', 'Vex', 1)
    """

    def __init__(
        self, enc: Encounter, *, rounds: int | None = None, seconds: float | None = None, gm: GameMaster | None = None
    ) -> None:
        rounds, seconds = bounds("play", rounds, seconds)
        if gm is not None and not callable(gm):
            raise InvalidInput(f"play: gm is {short(gm)}; give a function that chooses for the GM, or None")
        self.enc = enc
        self.deeds = 0
        self._rounds = rounds
        self._seconds = seconds
        self._gm = gm or _first
        self._sides = len({f.side for f in enc._state.fighters.values()})
        self._waiting: list[str] | None = None
        self._declined: tuple[State | None, set[str]] = (None, set())

    def moved(self, enc: Encounter) -> Table:
        """Return the table as it stands, for a copy of its fight."""
        other = Table(enc, rounds=self._rounds, seconds=self._seconds, gm=self._gm)
        other.deeds, other._waiting = self.deeds, None if self._waiting is None else list(self._waiting)
        other._declined = (self._declined[0], set(self._declined[1]))
        return other

    # ── who chooses ──

    def next(self) -> str | None:
        """Go on until somebody may choose.

        Returns
        -------
        str or None
            Who may: the same one until it has chosen, with `take`. None if the fight has come to its end, by `over`.
        """
        enc = self.enc
        while enc._state.stage == "running":
            window = enc._state.window
            if window is not None:
                asked = self._answerer(window)
            elif self.over:
                if len(self.standing()) < min(2, self._sides):
                    enc.finish()
                return None
            else:
                asked = self._actor()
            if asked is not None:
                return asked
        return None

    def _answerer(self, window: Window) -> str | None:
        """Return who may still answer a window; if nobody will, let it pass."""
        enc = self.enc
        if window.question:
            self._after(enc.resolve(answer=self._gm(enc, enc.pending[0])))
            return None
        if self._declined[0] is not enc._state:
            self._declined = (enc._state, set())
        open_bids = [b for b in window.bids if not b.answered]
        asked = next((b.who for b in open_bids if b.who not in self._declined[1]), None)
        if asked is not None:
            return asked
        must = next((b for b in open_bids if b.must), None)
        if must is not None:
            self._do(must.who, self._least(must.who, must.actions))
        else:
            self._after(enc.resolve())
        return None

    def _actor(self) -> str | None:
        """Return who acts; where nobody is active, everybody once, then the step ends."""
        enc = self.enc
        name = enc.active
        if name is not None:
            self._waiting = None
            if self._able(name):
                return name
            self._after(enc.end_turn())
            return None
        if self._waiting is None:
            self._waiting = list(enc.names)
        while self._waiting and not self._able(self._waiting[0]):
            del self._waiting[0]
        if self._waiting:
            return self._waiting[0]
        self._waiting = None
        self._after(enc.end_turn())
        return None

    def take(self, name: str, deed: Deed | None) -> None:
        """Carry out what somebody has chosen whom `next` gave.

        Parameters
        ----------
        name : str
            Who.
        deed : Deed or None
            None ends a turn, declines an offer, or lets a step go on.

        Raises
        ------
        IllegalAction
            If the rules refuse it.
        """
        if self.enc._state.window is None and self._waiting:
            del self._waiting[0]
        if deed is not None:
            self._do(name, deed)
        elif self.enc._state.window is not None:
            self._declined[1].add(name)
        elif self.enc.active == name:
            self._after(self.enc.end_turn())

    # ── where it stands ──

    @property
    def seconds(self) -> float:
        """Game seconds since the fight began."""
        state = self.enc._state
        step = self.enc.ruleset.present_step(state)
        return state.began + (step.seconds if step is not None else 0)

    @property
    def over(self) -> bool:
        """Whether one side is down, or time is up."""
        if len(self.standing()) < min(2, self._sides):
            return True
        late = self._rounds is not None and (self.enc._state.round or 0) > self._rounds
        return late or (self._seconds is not None and self.seconds >= self._seconds)

    @property
    def winner(self) -> str | None:
        """The side that alone can still act, if there were others."""
        standing = self.standing()
        return standing[0] if len(standing) == 1 and self._sides > 1 else None

    def standing(self) -> list[str]:
        """Return the sides on which somebody still stands."""
        is_beaten = self.enc.ruleset.is_beaten
        return list(dict.fromkeys(f.side for f in self.enc._state.fighters.values() if not is_beaten(f)))

    def _able(self, name: str) -> bool:
        return self.enc.ruleset.has_turns(self.enc._state.fighters[name])

    # ── what is done ──

    def _do(self, name: str, deed: Deed) -> None:
        enc = self.enc
        action = enc.ruleset.catalogue(enc._state).get(deed.action)
        params = {**stated(enc, name, action), **deed.params} if action is not None else dict(deed.params)
        events = enc.do(name, deed.action, **params)
        self.deeds += 1
        self._after(events)

    def _least(self, name: str, actions: tuple[str, ...]) -> Deed:
        """Return what somebody who would decline must answer with: the first thing that can be done at all."""
        enc = self.enc
        for option in enc.options(name):
            if option.action not in actions or not option.allowed:
                continue
            params = filled(enc, name, option, {})
            if params is not None:
                return Deed(option.action, params)
        raise InvalidInput(f"{self.where(name)} must answer and can't decline; choose one of {', '.join(actions)}")

    def _after(self, events: tuple[Event, ...]) -> None:
        """Take down those who have been harmed to what the table `scene` says."""
        enc = self.enc
        for name in dict.fromkeys(e.target for e in events if e.kind in ("damage", "vital") and e.target):
            end = row(enc, name)
            vital = enc.ruleset.vitals[0]
            left = enc._state.fighters[name].vitals.get(vital.name)
            down = enc._state.fighters[name].effect(DOWN) is not None
            if "at" in end and left is not None and left <= end["at"] and (down or self._able(name)):
                language = enc.ruleset.languages[enc._state.language]
                note = language.tell("{vital} at {left}", vital=language.word(vital.title.lower()), left=signed(left))
                enc.condition(name, end["becomes"], note=note)

    def where(self, name: str) -> str:
        """Say who chooses in which fight, and where it stands."""
        enc = self.enc
        return f"{name} in {enc.id} (seed {enc.seed}, after event {len(enc._events)})"


def _first(view: View, question: Offer) -> object:
    return question.choices[0]
