"""The five frames, of one fight or of several."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from combatkit.core.plain import counted, short
from combatkit.errors import InvalidInput
from combatkit.fight.fight import Encounter
from combatkit.frames import pl
from combatkit.history.log import log_frame
from combatkit.history.schema import ABOUT, SCHEMAS
from combatkit.history.tally import Tally
from combatkit.history.write import flat, write_frames
from combatkit.report.table import html_table

if TYPE_CHECKING:
    from combatkit.history.charts import Charts


F = TypeVar("F")


class Five(ABC, Generic[F]):
    """Five frames with one schema for all systems, at hand or lazy."""

    @abstractmethod
    def _frame(self, name: str) -> F:
        """Return one frame by its name."""

    @property
    def events(self) -> F:
        """One row per event, in the order of the log.

        `round`, `phase`, `step`, `clock` (the clock's label) and `seconds` (game seconds) say when in the fight it
        fell; an undo or redo has the moment it was called in. `rules` are the ids it rests on; `by` is whose doing
        it was: player, gm or rules. `undone` is true while the call it belongs to is undone.
        """
        return self._frame("events")

    @property
    def rolls(self) -> F:
        """One row per roll in effect, in the order of the log.

        `faces` are natural; `total` counts the `modifier` in; `needed` and `outcome` are those of an attack. `source`
        is seeded, or table for faces rolled at the table.
        """
        return self._frame("rolls")

    @property
    def turns(self) -> F:
        """One row per turn taken, in the order they began; a turn given up by delaying, or undone, doesn't count.

        `turn` counts through the fight from 1. `initiative` and `place` are its owner's score and rung, from 1, as it
        began. `ended_seq` is null while it is under way. `actions` counts what its owner did in it, `reactions` those
        of anybody, which interrupted it or came in it; whose they were, `rounds` tells. A reaction is an action whose
        `when` in the catalogue is "reaction", or one done off turn. What a reaction carries out, such as
        a readied attack, is part of that reaction and is not counted again; a delay and stepping in with ``act_now``
        are neither, nor is what costs nothing in another's turn. What was done before a turn was given up, or in no
        turn at all, counts with the next turn of whoever did it, here and in `rounds`.
        `real_seconds` is null but for turns in which the timer ran (`Encounter.timer`).
        """
        return self._frame("turns")

    @property
    def rounds(self) -> F:
        """One row per combatant and round, for everybody who was in the fight, the dead too; by round, then as added.

        The present round is shown as it stands. `seconds` is when the round began. `initiative`, `place`, `vital_end`
        (the first vital) and `conditions` (ids) are those of the round's end; of somebody who left, the score and rung
        they had. `acted` says whether they took a turn; `surprised` whether they were surprised, unless that had ended
        as their own turn began. `actions` and `reactions` count what they did, told apart as in `turns`, and add up to
        the same in every round. `budget_spent` is what they spent in the round, `budget_total` what they had for it:
        what was filled, and of what an earlier round had left, what they drew on. `damage_dealt` and `damage_taken`
        are what came off first vitals; the GM's adjustments don't count. Who has left has a row in a later round only
        if damage still reaches them, or somebody through them. What happened before the fight is in no round: its
        events have none.
        """
        return self._frame("rounds")

    @property
    def budgets(self) -> F:
        """One row per combatant, slot and refresh, in the order of refreshes.

        `total` is what the slot held then, `spent` what was taken from it before its next refresh. Caps that are not
        slots are left out.
        """
        return self._frame("budgets")


class Frames(Five[pl.DataFrame]):
    """The five frames at hand: `events` tells all that was logged, the others what is in effect.

    `rules`, `faces` and `conditions` are lists; `flat` gives the same frames without any.
    """

    def _repr_html_(self) -> str:
        sizes = {name: self._frame(name).height for name in ABOUT}
        rows = ([f"<code>{name}</code>", f"{size:,}", escape(ABOUT[name])] for name, size in sizes.items())
        return html_table(repr(self).strip("<>"), ("Frame", "Rows", "A row is"), rows, left=True)

    @property
    def flat(self) -> Flat:
        """The same frames without lists, for spreadsheets, `write_csv` and pandas: items have commas between.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Mara", side="rebels"), enc.start(rolls={"Mara": [12]})
        >>> enc.history.flat.rolls["faces"].to_list(), enc.history.rolls["faces"].to_list()
        (['12'], [[12]])
        """
        return Flat(self)

    def _word(self, text: str) -> str:
        """Return a word of a picture in the language of what is pictured."""
        return text

    @property
    def charts(self) -> Charts:
        """Charts of it: initiative, budget, damage, turns.

        Raises
        ------
        MissingExtra
            Without altair, which comes with the extra ``report``.
        """
        from combatkit.history.charts import Charts

        return Charts(self)

    def write(self, folder: str | Path, format: str = "parquet") -> Path:
        """Write the five frames into a folder, a file each, replacing those that are there.

        Parameters
        ----------
        folder : str or Path
            Made if it does not exist. ``events.parquet`` and so on.
        format : str
            ``"parquet"``, which keeps every type; ``"csv"``, where lists are JSON text (read ``rules`` again with
            ``pl.col("rules").str.json_decode(pl.List(pl.String))``); ``"xlsx"``, a workbook each, as `flat` is; or
            ``"json"``, an array of objects.

        Returns
        -------
        Path
            The folder.

        Raises
        ------
        InvalidInput
            For another format, or a folder that cannot be written to.

        Examples
        --------
        >>> import combatkit as ck
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     sorted(path.name for path in ck.Encounter("saga", seed=7).history.write(folder, "csv").iterdir())
        ['budgets.csv', 'events.csv', 'rolls.csv', 'rounds.csv', 'turns.csv']
        """
        return write_frames({name: self._frame(name) for name in SCHEMAS}, folder, format)


class Flat(Frames):
    """Frames without lists: each list is one text, with commas between its items, and closed vocabularies are text.

    Parameters
    ----------
    frames : Frames
        Those with lists.
    """

    def __init__(self, frames: Frames) -> None:
        self._frames = frames

    def __repr__(self) -> str:
        """Say whose they are."""
        return f"<Flat {repr(self._frames).strip('<>')}>"

    def _frame(self, name: str) -> pl.DataFrame:
        return flat(self._frames._frame(name))


class History(Frames):
    """A fight as frames: an encounter's `history`.

    A frame is made of the log when it is looked at, and kept until something more has happened.

    Parameters
    ----------
    encounter : Encounter
        The fight.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("saga", seed=7)
    >>> _ = enc.add("Mara", side="rebels", dex=4, level=6)
    >>> _ = enc.start()
    >>> _ = enc.do("Mara", "move")
    >>> enc.history.events["kind"].to_list()[-3:]
    ['turn', 'refresh', 'action']
    >>> enc.history.turns.select("round", "combatant", "actions").rows()
    [(1, 'Mara', 1)]
    """

    def __init__(self, encounter: Encounter) -> None:
        self._encounter = encounter
        self._kept: tuple[int, dict[str, pl.DataFrame]] = (0, {})
        """How long the log was, and the frames made of it: replaced at once, so that any thread may look."""

    def __repr__(self) -> str:
        """Say whose history it is, and how long."""
        language, events = self._encounter._language, counted(len(self._encounter._events), "event")
        return language.tell("<History of {id}: {events}>", id=self._encounter.id, events=language.several(events))

    def _word(self, text: str) -> str:
        return self._encounter._language.word(text)

    def _frame(self, name: str) -> pl.DataFrame:
        id, rules, events = self._encounter.id, self._encounter.ruleset, self._encounter._events
        length, frames = self._kept
        if length != len(events):
            frames = {}
        if name not in frames:
            made = {"events": log_frame(id, rules, events)} if name == "events" else Tally(id, rules, events).frames()
            frames = {**frames, **made}
            self._kept = (len(events), frames)
        return _timed(frames[name], self._encounter._stopwatch.seconds) if name == "turns" else frames[name].clone()


def _timed(turns: pl.DataFrame, seconds: Mapping[int, float]) -> pl.DataFrame:
    """Return turns with the real seconds that were measured of them."""
    measured = pl.Series("real_seconds", [seconds.get(seq) for seq in turns["began_seq"]], pl.Float64)
    return turns.with_columns(measured)


def checked(encounters: object) -> Iterator[Encounter]:
    """Return encounters one at a time, in the order given.

    Raises
    ------
    InvalidInput
        At once if they can't be gone through; later for anything among them that is not an encounter.
    """
    if isinstance(encounters, Encounter) or not isinstance(encounters, Iterable):
        raise InvalidInput(f"encounters is {short(encounters)}; give a list, or anything else to go through")
    return map(_checked, encounters)


def _checked(encounter: object) -> Encounter:
    if not isinstance(encounter, Encounter):
        raise InvalidInput(f"{short(encounter)} is not an encounter; give encounters, such as those of a list")
    return encounter


class Stack(Frames):
    """The frames of several fights, one below the other; `encounter` and `system` tell the rows apart.

    Parameters
    ----------
    encounters : iterable of Encounter
        The fights, of any systems.
    """

    def __init__(self, encounters: Iterable[Encounter]) -> None:
        self._encounters = tuple(checked(encounters))

    def __repr__(self) -> str:
        """Say whose histories they are."""
        return f"<Histories of {', '.join(encounter.id for encounter in self._encounters) or 'nobody'}>"

    def _word(self, text: str) -> str:
        said = {encounter.history._word(text) for encounter in self._encounters}
        return said.pop() if len(said) == 1 else text

    def _frame(self, name: str) -> pl.DataFrame:
        frames = [encounter.history._frame(name) for encounter in self._encounters]
        return pl.concat([SCHEMAS[name].to_frame(), *frames], rechunk=True)


def stack(encounters: Iterable[Encounter]) -> Stack:
    """Return the same frames over many encounters.

    Parameters
    ----------
    encounters : iterable of Encounter
        The fights, of any systems.

    Returns
    -------
    Stack
        With the same five frames; each look shows the fights as they stand.

    Raises
    ------
    InvalidInput
        For what holds no encounters.

    Examples
    --------
    >>> import combatkit as ck
    >>> fights = [ck.Encounter("saga", id=id) for id in ("docks", "bridge")]
    >>> stack(fights).events.select("encounter", "seq", "kind").rows()
    [('docks', 1, 'encounter'), ('bridge', 1, 'encounter')]
    """
    return Stack(encounters)
