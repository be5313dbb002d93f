"""The loop that plays a fight: whoever may choose is asked by its tactic, until one side is down or time is up.

Tactics choose; this loop carries out, as a group and its GM would. It ends turns, lets windows pass that nobody
answers, adds to an attack what the table `scene` gives with it, and lets those fall whose vitals the table says are at
an end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from combatkit.encounter import Encounter
from combatkit.engine import flow
from combatkit.engine.model import Event, Offer
from combatkit.engine.plain import short
from combatkit.errors import CombatkitError, InvalidInput
from combatkit.tactics import Deed, Tactic, row, stated
from combatkit.view import View

GameMaster = Callable[[View, Offer], Any]
"""Settles a question to the GM: gives one of the offer's choices."""

_MOST = 200
"""So many deeds in one turn are taken for a tactic that never ends it."""


class Played(NamedTuple):
    """What came of a fight.

    Parameters
    ----------
    winner : str or None
        The side that alone can still act; None if time was up first, or nobody can.
    round : int or None
        The round it ended in.
    seconds : float
        Game seconds at the end; where a round has no fixed length, by the ruleset's option.
    deeds : int
        How often a tactic chose to do something.
    """

    winner: str | None
    round: int | None
    seconds: float
    deeds: int


def play(
    enc: Encounter,
    tactics: Tactic | Mapping[str, Tactic],
    *,
    rounds: int | None = 20,
    seconds: float | None = None,
    gm: GameMaster | None = None,
) -> Played:
    """Play a fight by tactics until one side is down, or so many rounds or game seconds have passed.

    Parameters
    ----------
    enc : Encounter
        A fight that has begun; `Scene.encounter` gives one.
    tactics : callable or mapping of str to callable
        One tactic for all, or tactics by combatant, group or side.
    rounds : int or None
        The last round to be played; None for no limit.
    seconds : float, optional
        The game seconds at which it stops, counted from the fight's beginning.
    gm : callable, optional
        Settles questions to the GM; the first of the choices, if nobody does.

    Returns
    -------
    Played
        The winner, the round and the seconds it ended at, and how many deeds were done.

    Raises
    ------
    IllegalAction
        If a tactic chooses what the rules refuse: the ruling, with a note that names fight, seed and event.
    InvalidInput
        If the fight has not begun, somebody has no tactic, or a tactic does not come to an end.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.scene("catwalk").encounter("saga", seed=7)
    >>> ck.play(enc, {"rebels": ck.tactics.hold_back, "hunters": ck.tactics.strike}, rounds=2).round
    3
    """
    if enc._state.stage == "setup":
        raise InvalidInput("play: the fight has not begun: start it first")
    table = _Table(enc, _by_name(enc, tactics), gm or _first)
    sides = len({f.side for f in enc._state.fighters.values()})
    while enc._state.stage == "running":
        if enc.pending:
            table.answer()
            continue
        standing = table.standing()
        if len(standing) < min(2, sides):
            enc.finish()
            break
        if (rounds is not None and (enc._state.round or 0) > rounds) or (
            seconds is not None and table.seconds >= seconds
        ):
            break
        table.go_on()
    standing = table.standing()
    winner = standing[0] if len(standing) == 1 and sides > 1 else None
    return Played(winner, enc._state.round, table.seconds, table.deeds)


class _Table:
    """A fight under way, and those who play it."""

    def __init__(self, enc: Encounter, tactics: Mapping[str, Tactic], gm: GameMaster) -> None:
        self.enc = enc
        self.tactics = tactics
        self.gm = gm
        self.deeds = 0
        self._turn = (0, 0)

    @property
    def seconds(self) -> float:
        """Game seconds since the fight began."""
        state = self.enc._state
        step = flow.present_step(self.enc.ruleset, state)
        return state.began + (step.seconds if step is not None else 0)

    def standing(self) -> list[str]:
        """Give the sides on which somebody can still act."""
        able = self.enc.ruleset.able
        return list(dict.fromkeys(f.side for f in self.enc._state.fighters.values() if able(f)))

    def go_on(self) -> None:
        """Let the active combatant do one thing or end its turn; where nobody is active, ask everybody once round."""
        enc = self.enc
        name = enc.active
        if name is None:
            for each in enc.names:
                if enc.active is None and not enc.pending and self._able(each):
                    self._let(each)
            if enc.active is None and not enc.pending and enc._state.stage == "running":
                self._after(enc.end_turn())
        elif not (self._able(name) and self._let(name)):
            self._after(enc.end_turn())

    def answer(self) -> None:
        """Let those answer to whom the top window is open, then close it."""
        enc = self.enc
        window = enc._state.window
        assert window is not None
        question = next((o for o in enc.pending if o.who == "GM"), None)
        if question is not None:
            self._after(enc.resolve(answer=self.gm(enc, question)))
            return
        for bid in window.bids:
            if not bid.answered and (deed := self._choose(bid.who)) is not None:
                self._do(bid.who, deed)
                return
        must = next((b for b in window.bids if b.must and not b.answered), None)
        if must is not None:
            self._do(must.who, self._least(must.who, must.actions))
        else:
            self._after(enc.resolve())

    def _able(self, name: str) -> bool:
        return self.enc.ruleset.able(self.enc._state.fighters[name])

    def _let(self, name: str) -> bool:
        """Let somebody do what its tactic chooses; False if that is nothing."""
        deed = self._choose(name)
        if deed is None:
            return False
        turn = self.enc._state.turn
        seq = turn.seq if turn is not None else 0
        self._turn = (seq, self._turn[1] + 1 if self._turn[0] == seq else 1)
        if self._turn[1] > _MOST and seq:
            raise InvalidInput(f"{self._where(name)}: {_MOST} deeds in one turn; a tactic gives None to end it")
        self._do(name, deed)
        return True

    def _choose(self, name: str) -> Deed | None:
        deed: Any = self.tactics[name](self.enc, name)
        if deed is None:
            return None
        if not isinstance(deed, tuple) or len(deed) != 2 or not isinstance(deed[1], Mapping):
            raise InvalidInput(f"{self._where(name)}: its tactic gave {short(deed)}; give a Deed, or None")
        return Deed(*deed)

    def _do(self, name: str, deed: Deed) -> None:
        enc = self.enc
        action = enc.ruleset.catalogue(enc._state).get(deed.action)
        params = {**stated(enc, name, action), **deed.params} if action is not None else dict(deed.params)
        try:
            events = enc.do(name, deed.action, **params)
        except CombatkitError as error:
            error.add_note(f"chosen by {_called(self.tactics[name])} for {self._where(name)}: {deed}")
            raise
        self.deeds += 1
        self._after(events)

    def _least(self, name: str, actions: tuple[str, ...]) -> Deed:
        """Give what a must is answered with by one whose tactic declines: the first that can be done at all."""
        enc = self.enc
        for option in enc.options(name):
            if option.action not in actions or not option.allowed:
                continue
            params: dict[str, Any] = {}
            for param in option.needs:
                choices = enc.choices(name, option.action, **params)
                value = next((c.value for c in choices if c.param == param and c.ruling.allowed and not c.open), None)
                if value is not None:
                    params[param] = value
            if len(params) == len(option.needs):
                return Deed(option.action, params)
        raise InvalidInput(f"{self._where(name)} must answer, and its tactic gave None; one of {', '.join(actions)}")

    def _after(self, events: tuple[Event, ...]) -> None:
        """Let those fall who have been harmed to the end the table `scene` names."""
        enc = self.enc
        for name in dict.fromkeys(e.target for e in events if e.kind in ("damage", "vital") and e.target):
            end = row(enc, name)
            vital = enc.ruleset.vitals[0].name
            left = enc._state.fighters[name].vitals.get(vital)
            if "at" in end and left is not None and left <= end["at"] and self._able(name):
                enc.condition(name, end["becomes"], note=f"{vital} at {left}")

    def _where(self, name: str) -> str:
        enc = self.enc
        return f"{name} in {enc.id} (seed {enc.seed}, after event {len(enc._events)})"


def _by_name(enc: Encounter, tactics: Tactic | Mapping[str, Tactic]) -> dict[str, Tactic]:
    if callable(tactics):
        return dict.fromkeys(enc.names, tactics)
    if not isinstance(tactics, Mapping):
        raise InvalidInput(f"play: tactics is {short(tactics)}; give a function, or functions by combatant or side")
    found: dict[str, Tactic] = {}
    for name, fighter in enc._state.fighters.items():
        keys = [key for key in (name, fighter.group, fighter.side) if key is not None and key in tactics]
        if not keys or not callable(tactics[keys[0]]):
            raise InvalidInput(f"play: {name} has no tactic; give one for it, or for its side {fighter.side!r}")
        found[name] = tactics[keys[0]]
    known = {key for n, f in enc._state.fighters.items() for key in (n, f.group, f.side)}
    stray = next((key for key in tactics if key not in known), None)
    if stray is not None:
        raise InvalidInput(f"play: {stray!r} is neither a combatant nor a side of {enc.id}")
    return found


def _first(view: View, question: Offer) -> Any:
    return question.choices[0]


def _called(tactic: Tactic) -> str:
    return getattr(tactic, "__name__", repr(tactic))
