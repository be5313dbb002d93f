"""An exercise: its moments, its goal, its hints, and its check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from combatkit.core.plain import short
from combatkit.errors import CombatkitError, InvalidInput, UnknownName
from combatkit.fight.encounter import Encounter
from combatkit.files.paths import read_toml
from combatkit.registry import ruleset, rulesets
from combatkit.study.exercises.goals import met
from combatkit.study.exercises.played import Made, PlayedEncounter
from combatkit.text.toml import read_toml as read_own

FILE = "exercises.toml"
"""Where a ruleset's folder has its exercises."""


class Check(NamedTuple):
    """What came of a check.

    Parameters
    ----------
    passed : bool
        Whether the goal is reached.
    reason : str
        If not, what is missing.
    rule : str
        The rule behind that, if there is one.
    calls : int
        How many calls were made.
    """

    passed: bool
    reason: str
    rule: str
    calls: int


class Exercise:
    """A moment of a fight and a goal; `exercise` makes one.

    Parameters
    ----------
    told : mapping
        What it is made of: ``id``, ``goal``, ``hints`` and ``fights``, by system: ``people`` (rows as `Encounter.add`
        takes them), ``rolls`` for the start, ``before`` (calls that lead to the moment), ``parts`` of the goal.

    Attributes
    ----------
    id : str
        Its id.
    goal : str
        What to reach, in words.
    hints : tuple of str
        From a nudge to the rule.
    encounters : dict of str to Encounter
        The fights to play in, by system: the moment, until something is done in them.
    """

    def __init__(self, told: Mapping[str, Any]) -> None:
        try:
            self.id, self.goal = str(told.get("id", "own")), str(told["goal"])
            self.hints = tuple(map(str, told.get("hints", ())))
            self._fights: dict[str, Mapping[str, Any]] = dict(told["fights"])
            self.encounters: dict[str, PlayedEncounter] = {}
            self.restart()
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            what = short(told)
            raise InvalidInput(f"exercise: {what} lacks something, or has it in another form ({error})") from None

    @property
    def encounter(self) -> PlayedEncounter:
        """The fight to play in; the first, where several are compared."""
        return next(iter(self.encounters.values()))

    def restart(self) -> None:
        """Go back to the moment, with all that was done since forgotten."""
        self.encounters = {system: self._fresh(system) for system in self._fights}

    def _fresh(self, system: str) -> PlayedEncounter:
        told = self._fights[system]
        enc = PlayedEncounter(system, id=f"{self.id}-{system}", seed=told.get("seed", 1), options=told.get("options"))
        for row in told["people"]:
            enc.add(**row)
        enc.start(rolls=told.get("rolls"), surprised=told.get("surprised", ()))
        for call in told.get("before", ()):
            make(enc, call)
        enc.calls.clear()
        return enc

    def check(self) -> Check:
        """Make the calls again on a fresh copy of the moment, and say whether the goal is reached.

        Returns
        -------
        Check
            Nothing but the calls counts: neither what is printed, nor what the fight on hand looks like.
        """
        count = 0
        for system, enc in self.encounters.items():
            calls: Sequence[Made] = getattr(enc, "calls", ())
            count += len(calls)
            missed = self._missed(system, calls)
            if missed is not None:
                where = f"{ruleset(system).title}: " if len(self._fights) > 1 else ""
                return Check(False, where + missed[0], missed[1], count)
        return Check(True, "", "", count)

    def _missed(self, system: str, calls: Sequence[Made]) -> tuple[str, str] | None:
        """Return what is missing, in words, and by which rule."""
        fresh = self._fresh(system)
        began = fresh._events[-1].seq
        for made in calls:
            if made.stray:
                return f"{made.stray}: play it without.", ""
            try:
                getattr(fresh, made.call)(*made.args, **made.given)
            except CombatkitError as error:
                return f"what was done can't be done again: {error}", ""
        stands = fresh.at(fresh._events[-1].seq)
        done = [call for call in fresh._timeline.done if call.first > began]
        events = tuple(e for e in fresh._events if any(call.first <= e.seq <= call.last for call in done))
        for part in self._fights[system]["parts"]:
            if not met(part, stands, events):
                return str(part["words"]), str(part.get("rule", ""))
        return None

    def __repr__(self) -> str:
        """Say what to reach."""
        return f"<Exercise {self.id}: {self.goal}>"

    def _ipython_display_(self) -> None:
        """Show the goal, and each fight to play in."""
        from IPython.display import HTML, display

        goal = HTML(f"<p><b>{escape(self.goal)}</b></p>")  # type: ignore[no-untyped-call]
        display(goal, *self.encounters.values())  # type: ignore[no-untyped-call]


def make(enc: Encounter, call: Sequence[Any]) -> None:
    """Make a call that is told as data: its name, its arguments, and last, if it is a mapping, those by name."""
    name, *args = call
    given = args.pop() if args and isinstance(args[-1], Mapping) else {}
    getattr(enc, name)(*args, **given)


def exercises() -> dict[str, str]:
    """Return the exercises of the kit: their goals, by id.

    Examples
    --------
    >>> import combatkit as ck
    >>> next(iter(ck.exercises()))
    'saga-move-twice'
    """
    return {id: told["goal"] for id, told in _kit().items()}


def _kit() -> dict[str, dict[str, Any]]:
    """Return what the exercises of the kit are made of, by id: those of rulesets' folders, then those that compare."""
    found: dict[str, dict[str, Any]] = {}
    for rules in rulesets():
        path = rules.folder / FILE
        page: dict[str, Any] = read_own(path) if path.is_file() else {"exercises": ()}
        for told in page["exercises"]:
            found[told["id"]] = {**told, "fights": {rules.id: {**page["common"], **told}}}
    for told in read_own(Path(__file__).with_name("compared.toml"))["exercises"]:
        alike = [found[id]["fights"] for id in told["like"]]
        found[told["id"]] = {**told, "fights": {system: fight for each in alike for system, fight in each.items()}}
    return found


def exercise(source: str | PathLike[str] | Mapping[str, object]) -> Exercise:
    """Return an exercise of the kit, or one of your own.

    Parameters
    ----------
    source : str, path or mapping
        The id of one of the kit's (see `exercises`), a TOML file, or what such a file holds; see `Exercise`.

    Returns
    -------
    Exercise
        As a cell's last line it shows the goal and a tracker.

    Raises
    ------
    UnknownName
        If the kit has no such exercise.
    InvalidInput
        If the file or the mapping holds none.

    Examples
    --------
    >>> import combatkit as ck
    >>> task = ck.exercise("saga-move-twice")
    >>> task.check().passed
    False
    >>> for _ in range(2):
    ...     events = task.encounter.do("Mara", "move")
    >>> task.check()
    Check(passed=True, reason='', rule='', calls=2)
    """
    if isinstance(source, Mapping):
        return Exercise(source)
    path = Path(source)
    if path.suffix == ".toml":
        return Exercise(read_toml(path, "an exercise"))
    kit = _kit()
    if str(source) not in kit:
        raise UnknownName.of("exercise of the kit", str(source), kit)
    return Exercise(kit[str(source)])
