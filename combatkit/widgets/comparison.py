"""Several systems side by side on one clock of game seconds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from combatkit.core.model import Event, numbered
from combatkit.core.plain import short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.fight.fight import Encounter
from combatkit.files.paths import as_path, write_file
from combatkit.report import shapes
from combatkit.report.shapes import ComparisonView
from combatkit.report.table import html_table
from combatkit.report.words import clock_time, number_word, plain, sides_view
from combatkit.rules.ruleset import Ruleset
from combatkit.text import Language, say_names
from combatkit.widgets._base import ViewWidget, bundle
from combatkit.widgets._intents import AskRule
from combatkit.widgets._lanes import Lane
from combatkit.widgets._lanes_page import lanes_page
from combatkit.widgets._message import Message, tagged
from combatkit.widgets._tongue import language_of
from combatkit.widgets.page import check_title

_LONGEST = 3600


class SetSeconds(Message, frozen=True, tag="seconds"):
    """Say how long a round counts as, for a system without a fixed length."""

    system: str
    value: float

    def carry(self, vantage: Comparison) -> None:
        """Draw the lane with it."""
        vantage.set_seconds(self.system, self.value)


class Comparison(ViewWidget):
    """Several fights side by side on one clock of game seconds, with a scrubber; it follows them as they go on.

    Parameters
    ----------
    encounters : iterable of Encounter
        The fights, of any systems, begun or not.
    span : float
        Where the clock ends, in game seconds.
    seconds : mapping of str to float, optional
        How long a round counts as, by ruleset id, where the rules fix no length.

    Raises
    ------
    InvalidInput
        If anything but encounters is given, or a length for a system that has its own.
    UnknownName
        For a length of a system that is not compared.

    Examples
    --------
    >>> import combatkit as ck
    >>> fights = [ck.scene("catwalk").encounter(id, id=id, seed=7) for id in ("saga", "d6")]
    >>> [ck.play(enc, ck.tactics.strike, seconds=30).winner for enc in fights]
    [None, None]
    >>> ck.Comparison(fights, seconds={"d6": 10})
    <Comparison: saga, d6, 60 s>
    """

    _esm = bundle("comparison.js")
    _css = bundle("comparison.css")
    _kinds = tagged(SetSeconds, AskRule)

    def __init__(
        self, encounters: Iterable[Encounter], *, span: float = 60, seconds: Mapping[str, float] | None = None
    ) -> None:
        self.encounters = _encounters(encounters)
        self.span = _checked("span", span)
        self._lanes = [Lane(enc) for enc in self.encounters]
        for system, length in _lengths(seconds).items():
            self._set(system, length)
        super().__init__(self._view)
        for enc in self.encounters:
            enc.watch(self._happened)

    @property
    def rulebooks(self) -> tuple[Ruleset, ...]:
        """The rulesets that are compared."""
        return tuple(enc.ruleset for enc in self.encounters)

    @property
    def language(self) -> Language | None:
        """That of the fights, if it is one."""
        first = language_of(self.encounters[0])
        return first if all(language_of(enc).id == first.id for enc in self.encounters) else None

    @property
    def _names(self) -> list[str]:
        fighters = [fighter for enc in self.encounters for fighter in enc._state.fighters.values()]
        return [
            *dict.fromkeys([*(f.name for f in fighters), *(f.side for f in fighters), *(e.id for e in self.encounters)])
        ]

    def set_seconds(self, system: str, length: float) -> None:
        """Say how long a round counts as, for a system whose rules fix no length.

        Parameters
        ----------
        system : str
            The ruleset's id.
        length : float
            Game seconds.

        Raises
        ------
        UnknownName
            If no such system is compared.
        InvalidInput
            If its rules say how long a round is.
        """
        self._set(system, length)
        self.refresh()

    def _set(self, system: str, length: float) -> None:
        lanes = [lane for lane in self._lanes if lane.encounter.ruleset.id == system]
        if not lanes:
            raise UnknownName.of("system compared", system, [lane.encounter.ruleset.id for lane in self._lanes])
        for lane in lanes:
            if lane.is_fixed:
                taken = f"{lane.round_seconds:g} seconds"
                raise InvalidInput(f"seconds of {system}: the rules already say how long a round is: {taken}")
            lane.length = _checked(f"seconds of {system}", length)

    def to_html(self, path: str | PathLike[str], *, title: str | None = None) -> Path:
        """Write the lanes as one file, with three questions and no code, which opens without a kernel or a network.

        Parameters
        ----------
        path : str or path
            The file; one that exists is replaced.
        title : str, optional
            The page's title; how long and how many systems, if none is given.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        InvalidInput
            If `title` is no text.

        Examples
        --------
        >>> import combatkit as ck, tempfile
        >>> fights = [ck.scene("catwalk").encounter(id, id=id, seed=7) for id in ("saga", "d6")]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ck.Comparison(fights).to_html(f"{folder}/two-ways.html").name
        'two-ways.html'
        """
        check_title(title)
        return write_file(as_path(path, "a page"), lanes_page(self, title).encode())

    def close(self) -> None:
        """Close the widget: its views go, and it stops following the fights."""
        if self.comm is not None:
            for enc in self.encounters:
                enc.unwatch(self._happened)
        super().close()

    def _happened(self, events: tuple[Event, ...]) -> None:
        self.refresh()

    def _view(self) -> ComparisonView:
        fighters = (fighter for enc in self.encounters for fighter in enc._state.fighters.values())
        sides = numbered((fighter.side, fighter.npc) for fighter in fighters)
        lanes = [lane.view(sides, self.span) for lane in self._lanes]
        names = [lane.encounter.ruleset.title for lane in self._lanes]
        titles = names if len({*names}) == len(names) else [lane["encounter"] for lane in lanes]
        word = "system" if titles is names else "fight"
        return {
            "title": f"{_minutes(self.span)}, {number_word(len(lanes))} {word}{'' if len(lanes) == 1 else 's'}",
            "about": self._about_sides(),
            "span": self.span,
            "axis": [[t, clock_time(t)] for t in _ticks(self.span)],
            "sides": sides_view(sides),
            "order": [str(number) for number in range(len(lanes))],
            "lanes": {str(number): {**lane, "title": titles[number]} for number, lane in enumerate(lanes)},
        }

    def _about_sides(self) -> str:
        """Say who fights whom, if it is the same in every fight."""
        casts = []
        for enc in self.encounters:
            sides: dict[str, list[str]] = {}
            for fighter in enc._state.fighters.values():
                sides.setdefault(fighter.side, []).append(fighter.name)
            casts.append([*sides.values()])
        same = all(cast == casts[0] for cast in casts)
        return f" {self._word('against')} ".join(say_names(names) for names in casts[0]) if same else ""

    def _about(self) -> str:
        return ", ".join([*(enc.id for enc in self.encounters), f"{self.span:g} s"])

    def _static(self) -> str:
        view = self.view
        heads = ("System", "Result", "Rounds", "Turns", "Actions", "Attacks", "Reactions", "Refused at a turn's end")
        rows = []
        for id in view["order"]:
            lane = view["lanes"][id]
            words = [lane["title"], plain(lane["result"]), plain(lane["caption"])]
            cells = [*words, *map(str, lane["sums"]), "; ".join(map(self._word, _refusals(lane)))]
            rows.append([escape(cell) for cell in cells])
        title = " · ".join(word for word in (view["title"], view["about"]) if word)
        table = html_table(self._word("Comparison"), map(self._word, heads), rows)
        more = self._word("Run the notebook to move through it.")
        return f"<p><b>{escape(title)}</b></p>{table}<p>{more}</p>"


def _refusals(lane: shapes.Lane) -> list[str]:
    """Say how often each wish was refused."""
    found: list[str] = []
    asked: dict[str, list[int | None]] = {}
    for moment in lane["moments"]:
        for title, why in moment["wishes"]:
            asked.setdefault(title, []).append(why)
    for title, whys in asked.items():
        if refused := len(whys) - whys.count(None):
            found.append(f"{title}: {refused} of {len(whys)}")
    return found


def _encounters(given: object) -> tuple[Encounter, ...]:
    listed = tuple(given) if isinstance(given, Iterable) and not isinstance(given, Encounter) else (given,)
    if not listed or not all(isinstance(enc, Encounter) for enc in listed):
        raise InvalidInput(f"a comparison shows encounters, not {short(given)}; give a list of them")
    return listed


def _lengths(given: object) -> Mapping[str, Any]:
    if given is None or isinstance(given, Mapping):
        return given or {}
    raise InvalidInput(f"seconds is {short(given)}; give a round's length by ruleset id, such as {{'d6': 10}}")


def _checked(what: str, value: object) -> float:
    if (type(value) is not int and type(value) is not float) or not 1 <= value <= _LONGEST:
        raise InvalidInput(f"{what} is {short(value)}; give game seconds from 1 to {_LONGEST}")
    return float(value)


def _minutes(span: float) -> str:
    minutes, rest = divmod(span, 60)
    if rest:
        return f"{span:g} seconds"
    return f"{number_word(int(minutes)).capitalize()} {'minute' if minutes == 1 else 'minutes'}"


def _ticks(span: float) -> list[float]:
    """Return at most seven moments of the axis, including both ends."""
    step = next(s for s in (1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600) if span / s <= 6)
    return [float(t) for t in range(0, int(span), step)] + [span]
