"""What players may not read in a log: lines about somebody hidden, and numbers of NPCs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from combatkit.core.curtain import HIDDEN, NOBODY, REVEALED, REVEALS, Names, group_names, names_of, unseen
from combatkit.core.model import Event, State
from combatkit.core.timeline import MOVES, Line
from combatkit.report.shapes import Line as Told

_WATCHED = (HIDDEN, REVEALED)


class Veil:
    """Who is hidden or revealed as a log goes on: what is told of them then, and while they are hidden, is withheld.

    Attributes
    ----------
    now : Names
        Those who are hidden at the event that is read.
    has_held : bool
        Whether anybody has ever been hidden or revealed.
    about : dict
        What lines speak of besides what they say, by their numbers.
    """

    def __init__(self) -> None:
        self.now = NOBODY
        self.present = NOBODY
        self.guises = NOBODY
        self._npcs: dict[str, bool] = {}
        self._labels: dict[str, tuple[str, str | None]] = {}
        self._members: dict[str, dict[str, None]] = {}
        self._groups = NOBODY
        self._held: dict[str, dict[str, int]] = {each: {} for each in _WATCHED}
        self.has_held = False
        self.about: dict[int, object] = {}
        self._moves = 0

    def begin(self, event: Event, line: Line, events: Sequence[Event]) -> None:
        """Take in what counts from an event on, itself included."""
        data = event._data
        if event.kind == "combatant":
            self._npcs[str(event.actor)] = data["npc"]
            self._labels[str(event.actor)] = (data["side"], data.get("group"))
            if group := data.get("group"):  # what is undone still stands in the log
                self._members.setdefault(group, {})[str(event.actor)] = None
            self._rename(event)
        elif event.kind == "effect" and data["id"] in _WATCHED:
            self.has_held = True
            self._take(event)
            self._look()
        elif event.kind in MOVES:
            self._moves += 1
            if self.has_held:
                self._read(line.standing(events))

    def end(self, event: Event) -> None:
        """Take in what counts after an event."""
        if event.kind == "effect_end" and event._data["id"] in _WATCHED:
            self._take(event)
            self._look()

    def stand(self, state: State, called: str, guises: Names) -> None:
        """Take in who is hidden at the end of the log, whose name is not known, and what stands for a group's name."""
        self.present, self.guises = names_of(state), guises
        if "groups" in state.public:
            return
        seen = {group: [n for n in names if n not in self.present.hidden] for group, names in self._members.items()}
        known = {*self._labels, *(side for side, _ in self._labels.values())}
        self._groups = group_names({group: names for group, names in seen.items() if names}, known, called)

    @property
    def by(self) -> object:
        """By what it is known which lines are told: the same for the same ones; None, if all are."""
        if not self.present and not self.guises:
            return None
        return (self.present.all, self.guises.all, self._moves if self.guises else 0)

    def side_of(self, name: str | None) -> str | None:
        """Return whose side somebody was on whom players knew by a name."""
        return self._labels.get(name or "", (None, None))[0]

    def is_npc(self, name: str) -> bool:
        """Check whether the GM plays somebody, even if they are no longer in the fight."""
        return self._npcs.get(name, True)

    def reveals(self, who: str | None) -> bool:
        """Check whether players see somebody's numbers, though they see not everybody's."""
        return who in self._held[REVEALED]

    def shown(self, lines: Iterable[Told]) -> list[Told]:
        """Return the lines that name nobody who is hidden at the end of the log, and in them no group.

        A name that was known and is not any more was taken back: so is what was told by it.
        """
        names, guises, groups = self.present, self.guises, self._groups
        told = [line for line in lines if not (names and names.within(self._said(line)))]
        if guises:
            told = [
                {**line, "actor": guises.seal(line["actor"]), "text": guises.seal(line["text"])}
                for line in told
                if not (line["undone"] and guises.within(self._said(line)))
            ]
        return [{**line, "text": groups.seal(line["text"])} for line in told] if groups else told

    def _said(self, line: Told) -> list[object]:
        return [line["actor"], line["text"], self.about.get(line["seq"])]

    def _read(self, events: Iterable[Event]) -> None:
        for held in self._held.values():
            held.clear()
        for event in events:
            if event.kind in ("effect", "effect_end") and event._data["id"] in _WATCHED:
                self._take(event)
            elif event.kind == "combatant":
                self._rename(event)
        self._look()

    def _rename(self, event: Event) -> None:
        """Take in under which name somebody is known from now on."""
        for held in self._held.values():
            if (number := held.pop(event._data.get(REVEALS, ""), None)) is not None:
                held[str(event.actor)] = number

    def _take(self, event: Event) -> None:
        who, data = str(event.target), event._data
        held = self._held[data["id"]]
        if event.kind == "effect_end":  # they may be known by another name by now
            self._held[data["id"]] = {each: number for each, number in held.items() if number != data["number"]}
        elif data["id"] == REVEALED or self.is_npc(who) or not data.get("rule"):
            held[who] = data["number"]

    def _look(self) -> None:
        hidden = self._held[HIDDEN]
        known = (*self._labels, *(label for each in self._labels.values() for label in each if label))
        self.now = Names(unseen(hidden, self._labels), known if hidden else ())
