"""An exercise: its moments, its goal, its hints, and its check."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from combatkit.core.plain import counted, own, short
from combatkit.errors import CombatkitError, InvalidInput, UnknownName, warn
from combatkit.fight.fight import Encounter
from combatkit.fight.view import View
from combatkit.files.paths import read_toml
from combatkit.registry import ruleset, rulesets
from combatkit.report.table import html_table
from combatkit.study.exercises.goals import EXAMPLE, Part, aside, checked, met, said_of
from combatkit.study.exercises.played import Made, PlayedEncounter, moved
from combatkit.study.keeping import Keeper, key_of
from combatkit.study.quiz.items import check_told
from combatkit.study.students import numbered, student_name
from combatkit.text import ENGLISH, Language
from combatkit.text.words import read_toml as read_own

_NAME = 48
"""How many characters a name has that is made from a goal."""

FILE = "exercises.toml"
"""Where a ruleset's folder has its exercises."""


class _Found(NamedTuple):
    passed: bool
    reason: str
    rule: str
    calls: int


class Check(_Found):
    """What came of a check; as a cell's last line it reads as a sentence, with its rule.

    Parameters
    ----------
    passed : bool
        Whether the goal is reached.
    reason : str
        If not, what is missing.
    rule : str
        The rule behind that, if there is one.
    calls : int
        How many calls stand: what was taken back counts as little as taking it back.
    """

    language: Language | None = None
    """What it reads in, if not English."""

    def __repr__(self) -> str:
        """Say what came of it."""
        return f"{self._said()}{f' §{self.rule}' if self.rule else ''}"

    def _said(self) -> str:
        steps = counted(self.calls, "step")
        said = f"Passed, in {steps}." if self.passed else f"Not yet. {self.reason}"
        return self.language.several(said) if self.language else said

    def _repr_html_(self) -> str:
        """Return the same with the words of the rule."""
        rule = next((rules.rules[self.rule] for rules in rulesets() if self.rule in rules.rules), None)
        text = (
            f'<p><span lang="en">{escape(rule.text)}</span> <small lang="en">{escape(rule.locator)}</small></p>'
            if rule is not None
            else ""
        )
        head, rest = re.split(r"(?<=[.,]) ", self._said(), maxsplit=1)
        return f"<p><b>{escape(head)}</b> {escape(rest)}</p>{text}"


class Exercise:
    """A moment of a fight and a goal; `exercise` makes one.

    Parameters
    ----------
    told : mapping
        What it is made of: ``id``, ``goal``, ``hints`` and ``fights``, by system: ``people`` (rows as `Encounter.add`
        takes them), ``rolls`` for the start, ``before`` (calls that lead to the moment), or a ``moment`` instead of
        these; and the ``parts`` of the goal.

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
    is_again : bool
        Whether what was clicked before has been made again, and nothing was clicked since.
    student : str or None
        Whose it is.
    """

    _heed: Callable[[], None] | None = None

    def __init__(
        self, told: Mapping[str, Any], student: str | None = None, keep: object = None, language: str = ENGLISH
    ) -> None:
        try:
            self.goal = str(told["goal"])
            self.id = str(told.get("id") or plain_name(self.goal))
            self._fights: dict[str, Mapping[str, Any]] = dict(told["fights"])
            self._code = language
            self._played = {system: self._fresh(system) for system in self._fights}
            self._parts = {system: checked(self._fights[system]["parts"], enc) for system, enc in self._played.items()}
            own_words = self.language.own
            self.goal = own_words(self.goal)
            self.hints = tuple(map(own_words, map(str, told.get("hints", ()))))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            what = short(told)
            raise InvalidInput(f"exercise: {what} lacks something, or has it in another form ({error})") from None
        self.encounters = dict(self._played)
        self.student = student
        if all(self._missed(system, enc, ()) is None for system, enc in self._played.items()):
            raise InvalidInput(
                f"exercise: {short(self.goal)} is reached before anything is done; ask for something else"
            )

        self._restarts = 0
        goals = [[system, self._parts[system]] for system in self._fights]
        self._keeper = Keeper(keep, key_of("exercise", student, self.id, self.goal, goals), student is not None)
        taken = [row["hints"] for row in self._keeper.rows if type(row.get("hints")) is int]
        self._taken = min(max(taken, default=0), len(self.hints))
        self._watch()

    @property
    def asks(self) -> str:
        """What it is told by from one that is called alike, and has another goal, moment or fight."""
        return key_of([[system, self._fresh(system).digest, self._parts[system]] for system in self._fights])

    @property
    def alike(self) -> str:
        """What it shares with the same one in a fight that is told in another language, with other names in it."""
        found = []
        for system in self._fights:
            fight = self._fresh(system)
            asked = [{key: each for key, each in part.items() if key != "words"} for part in self._parts[system]]
            found.append([system, len(fight._events), numbered(fight.names, asked)])
        return key_of(found)

    @property
    def language(self) -> Language:
        """What its fights are told in."""
        return self.encounter.ruleset.languages[self.encounter._state.language]

    @property
    def encounter(self) -> PlayedEncounter:
        """The fight to play in; the first, where several are compared."""
        return next(iter(self._played.values()))

    def restart(self) -> None:
        """Go back to the moment, with all that was done since forgotten."""
        self._played = {system: self._fresh(system) for system in self._fights}
        self.encounters = dict(self._played)
        self._restarts += 1
        self._watch()
        if self._heed is not None:
            self._heed()

    def _watch(self) -> None:
        """Keep what is clicked from now on, and do again what was clicked before."""
        self.is_again = False
        for system, enc in self._played.items():
            places = [enc._spot(p["at"]) for p in self._parts[system] if p["kind"] == "stands" and not p.get("no")]
            enc.marked = tuple(place for place in places if isinstance(place, tuple))
            rows = [
                row for row in self._keeper.rows if (row.get("system"), row.get("restarts")) == (system, self._restarts)
            ]
            enc.waiting = [row for row in rows if type(row.get("after")) is int]
            enc._heed = partial(self._called, system)
            enc.go_on()

    def _called(self, system: str) -> None:
        """Heed a call that was made in a fight."""
        enc = self._played[system]
        last = enc.calls[-1]
        if last.clicked and not enc.again:
            call = {"call": last.call, "args": last.args, "given": last.given}
            self._keeper.add(system=system, restarts=self._restarts, after=len(enc.calls) - 1, **call)
        if last.clicked:
            self.is_again = enc.again
        if self._heed is not None:
            self._heed()

    def _fresh(self, system: str) -> PlayedEncounter:
        told = self._fights[system]
        id = f"{self.id}-{system}"
        if "moment" in told:
            return moved(told["moment"], id)
        how: dict[str, Any] = {"seed": told.get("seed", 1), "options": told.get("options")}
        enc = PlayedEncounter(system, id=id, language=self._code, **how)
        for row in told["people"]:
            enc.add(**row)
        enc.start(rolls=told.get("rolls"), surprised=told.get("surprised", ()))
        for call in told.get("before", ()):
            make(enc, call)
        return enc.begin_here()

    def _take_hint(self) -> None:
        """Take the next hint, by hand: it is kept for the cell that is run again."""
        if self._taken < len(self.hints):
            self._taken += 1
            self._keeper.add(hints=self._taken)

    def heed(self, heed: Callable[[], None]) -> None:
        """Call something whenever a call is made in one of its fights."""
        self._heed = heed

    @property
    def steps(self) -> int:
        """How many calls stand: what was taken back counts as little as taking it back."""
        return sum(len(enc.standing) for enc in self._played.values())

    def check(self) -> Check:
        """Make the calls again on a fresh copy of the moment, and say whether the goal is reached.

        Returns
        -------
        Check
            Nothing but the calls in the exercise's own fights counts: neither what is printed, nor what they look like.
        """
        found = self._checked()
        found.language = self.language
        return found

    def _checked(self) -> Check:
        again = {system: self._fresh(system) for system in self._played}
        found = {system: self._missed(system, fresh, self._played[system].calls) for system, fresh in again.items()}
        count = sum(len(fresh.standing) for fresh in again.values())
        for system, missed in found.items():
            if missed is not None:
                where = f"{ruleset(system).title}: " if len(self._fights) > 1 else ""
                return Check(False, where + self.language.several(missed[0]), missed[1], count)
        return Check(True, "", "", count)

    def _missed(self, system: str, fresh: PlayedEncounter, calls: Sequence[Made]) -> tuple[str, str] | None:
        """Make calls in a fresh copy of the moment, and return what is missing then, in words, and by which rule."""
        for made in calls:
            if type(made) is not Made:
                return f"what was done can't be done again: {short(made)} is no call", ""
            if stray := made.stray_in(fresh):
                return f"{stray}: play it without.", ""
            try:
                getattr(fresh, made.call)(*made.args, **made.given)
            except CombatkitError as error:
                return f"what was done can't be done again: {error}", ""
        stands = fresh.at(fresh._events[-1].seq)
        done = fresh.standing
        events = tuple(e for e in fresh._events if any(call.first <= e.seq <= call.last for call in done))
        for part in self._parts[system]:
            if not met(part, stands, events):
                return f"{part['words']} {aside(part, stands, events)}".rstrip(), part["rule"]
        return None

    def __repr__(self) -> str:
        """Say what to reach."""
        return f"<Exercise {self.id}: {self.goal}>"

    def _ipython_display_(self) -> None:
        """Show the goal with its hints and its check, and each fight to play in."""
        from IPython.display import HTML, display

        from combatkit.widgets.exercise import panel_of

        display(panel_of(self))  # type: ignore[no-untyped-call]
        for number, (system, enc) in enumerate(self._played.items(), 1):
            if len(self._played) > 1:
                title = escape(f"{number}/{len(self._played)} {ruleset(system).title}")
                display(HTML(f"<h4>{title}</h4>"))  # type: ignore[no-untyped-call]
            display(enc)  # type: ignore[no-untyped-call]


def make(enc: Encounter, call: Sequence[Any]) -> None:
    """Make a call that is told as data: its name, its arguments, and last, if it is a mapping, those by name."""
    name, *args = call
    given = args.pop() if args and isinstance(args[-1], Mapping) else {}
    getattr(enc, name)(*args, **given)


class Goals(dict[str, str]):
    """The goals of exercises, by id; as a cell's last line a table."""

    def _repr_html_(self) -> str:
        rows = ([f"<code>{escape(id)}</code>", escape(goal)] for id, goal in self.items())
        return html_table("Exercises", ("Id", "Goal"), rows, left=True)


def exercises() -> dict[str, str]:
    """Return the exercises of the kit: their goals, by id; as a cell's last line a table.

    Examples
    --------
    >>> import combatkit as ck
    >>> next(iter(ck.exercises()))
    'saga-move-twice'
    """
    return Goals({id: told["goal"] for id, told in _kit().items()})


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


def exercise(
    source: str | PathLike[str] | Mapping[str, object] | View,
    *,
    goal: object = None,
    words: str | None = None,
    hints: Iterable[str] = (),
    id: str | None = None,
    student: object = None,
    keep: str | PathLike[str] | None = None,
    language: str = ENGLISH,
) -> Exercise:
    """Return an exercise of the kit, or one of your own.

    Parameters
    ----------
    source : str, path, mapping or View
        The id of one of the kit's (see `exercises`), a TOML file, or what such a file holds (see `Exercise`); or a
        moment of a fight, such as ``enc.at(31)``.
    goal : mapping or list of mappings, optional
        Of a moment, what is to be reached: parts such as ``{"kind": "does", "who": "Mara", "action": "move"}``. There
        are ``does`` (``who``, ``action``; ``target``, ``times``), ``before`` (``who`` acts before ``other``), ``keeps``
        (``who`` has ``least`` left of a ``slot``), ``active`` (it is the turn of ``who``), ``round`` (``least``),
        ``has`` (``who``, ``condition``; ``on=False`` for not) and ``status`` (``who``, ``status`` on the ladder); with
        ``no=True`` it must not be so. ``words`` say what is missing, ``rule`` why.
    words : str, optional
        The goal in a sentence; made from the parts, if not given.
    hints : iterable of str, optional
        From a nudge to the rule.
    id : str, optional
        What it is called, where what a class has done is gathered; made from the goal, if not given.
    student : object, optional
        A name or a number: whose it is.
    keep : path, optional
        A text file beside the notebook that keeps what is clicked in the tracker: the same cell, run again, plays it
        again. A quiz may share it. Without one, what a student that is named has clicked outlasts the cell, and not the
        kernel. Calls in cells are made again by the cells themselves.
    language : str
        What it is in, such as ``"de"``; from a moment of a fight, it is in that fight's, and another is refused.

    Returns
    -------
    Exercise
        As a cell's last line it shows the goal and a tracker.

    Raises
    ------
    UnknownName
        If the kit has no such exercise; or if a goal names somebody or something that is not there.
    InvalidInput
        If the file or the mapping holds none, if a goal is wrong, or reached before anything is done.

    Examples
    --------
    >>> import combatkit as ck
    >>> task = ck.exercise("saga-move-twice")
    >>> task.check().passed
    False
    >>> for _ in range(2):
    ...     events = task.encounter.do("Mara", "move")
    >>> task.check()
    Passed, in 2 steps.

    One's own, from a moment of a fight:

    >>> enc = ck.scene("catwalk").encounter("saga", seed=7)
    >>> own = ck.exercise(enc.at(), goal={"kind": "does", "who": "Vex", "action": "draw_weapon"})
    >>> own
    <Exercise let-vex-draw-a-weapon: Let Vex draw a weapon.>
    >>> own.check()
    Not yet. Vex has yet to draw a weapon. §saga.move.ex.draw
    """
    name = None if student is None else student_name(student)
    if isinstance(source, View):
        check_told(source, language, "exercise")
        return Exercise(_unlike_kit(_of_moment(source, goal, words, hints, id)), name, keep)
    if goal is not None or words is not None:
        raise InvalidInput("exercise: goal= and words= are for a moment of a fight, such as enc.at(31)")
    if isinstance(source, Mapping):
        return Exercise(_unlike_kit(source), name, keep, language)
    path = Path(source)
    if path.suffix == ".toml":
        return Exercise(_unlike_kit(read_toml(path, "an exercise")), name, keep, language)
    kit = _kit()
    if str(source) not in kit:
        raise UnknownName.of("exercise of the kit", str(source), kit)
    return Exercise(kit[str(source)], name, keep, language)


def _unlike_kit(told: Mapping[str, Any]) -> Mapping[str, Any]:
    """Refuse an exercise of one's own that is called as one of the kit: it would be checked for that one's goal."""
    if (id := str(told.get("id"))) in _kit():
        raise InvalidInput(f"exercise: the kit has one called {id!r}; give yours another id")
    return told


def plain_name(words: str) -> str:
    """Return a name for a goal: a few of its words.

    Examples
    --------
    >>> plain_name("Let Vex attack Mara."), plain_name("決闘")
    ('let-vex-attack-mara', 'own')
    """
    return "-".join(re.findall(r"[a-z0-9]+", words.lower())[:8])[:_NAME].rstrip("-") or "own"


def _tell_turns(moment: View, part: Part, number: int) -> None:
    """Say that something can't be done so often in one turn, if the rules refuse it: then it takes more than one."""
    times = part.get("times", 1)
    if part["kind"] != "does" or part.get("no") or times < 2:
        return
    fight, who, action = moved(moment, "own"), part["who"], part["action"]
    given = {"target": part["target"]} if part.get("target") else {}
    done = 0
    with suppress(CombatkitError):
        while done < times and fight.active == who:
            ruling = fight.can(who, action, **given)
            if not ruling.allowed:
                break
            fight.do(who, action, **given)
            while fight.pending:
                fight.resolve()
            done += 1
    if 0 < done < times:
        warn(
            f"exercise: part {number} of the goal takes more than one turn: after {counted(done, 'time')} the rules "
            f"refuse it: {fight.can(who, action, **given).reason} Say so in the goal's words, or give times={done}"
        )


def _of_moment(source: View, goal: object, words: str | None, hints: object, id: str | None) -> dict[str, Any]:
    """Return what an exercise is made of that starts from a moment of somebody's own fight."""
    hints, words, id = own(hints), own(words), own(id)
    for what, text in (("words", words), ("id", id)):
        if text is not None and not (isinstance(text, str) and text):
            raise InvalidInput(f"exercise: {what} is {short(text)}; give text")
    moment = moved(
        source.at() if isinstance(source, Encounter) else source, id or "own"
    ).at()  # whatever becomes of the fight
    if moment._state.stage != "running":
        raise InvalidInput(
            f"exercise: {moment.id} isn't running at this moment; give one between its start and its end"
        )
    if goal is None:
        raise InvalidInput(f"exercise: say what is to be reached, such as goal={EXAMPLE}")
    parts = checked(goal, moment)
    if not isinstance(hints, (list, tuple)) or not all(isinstance(hint, str) for hint in hints):
        raise InvalidInput(f"exercise: hints is {short(hints)}; give sentences")
    for number, part in enumerate(parts, 1):
        _tell_turns(moment, part, number)
    sentence = words or " ".join(said_of(moment, part)["asks"] for part in parts)
    fight = {"moment": moment, "parts": parts}
    return {"id": id, "goal": sentence, "hints": hints, "fights": {moment.ruleset.id: fight}}
