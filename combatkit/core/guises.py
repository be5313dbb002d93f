"""Under which names players know people, as a log goes on: another than their own until it is revealed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from combatkit.core.curtain import HIDDEN, NOBODY, REVEALS, SHOWN_AS, Names, bare_of_article, texts
from combatkit.core.model import Event
from combatkit.core.timeline import MOVES

_READ = frozenset(("combatant", "leave", "begin", "effect", "effect_end", *MOVES))


class _Person(Struct, frozen=True):
    """What counts of somebody: as whom they are shown, what they could be told by, and what their own sheet says."""

    shown_as: str
    npc: bool
    side: str
    group: str | None
    hidden: bool = False
    words: tuple[str, ...] = ()


class _Cast(Struct, frozen=True):
    """Everybody at one moment, and the number that each has among those who look alike to players."""

    begun: bool = False
    people: Mapping[str, _Person] = MappingProxyType({})
    numbers: Mapping[str, tuple[str, int]] = MappingProxyType({})

    def after(self, event: Event) -> _Cast:
        """Return the cast after an event."""
        data, people, who = event._data, {**self.people}, str(event.target or event.actor)
        match event.kind:
            case "combatant":
                stats = data["stats"]
                old, words = people.get(who), () if data["npc"] else tuple(texts(list(stats.values())))
                hidden = old is not None and old.hidden
                people[who] = _Person(
                    stats.get(SHOWN_AS) or "", data["npc"], data["side"], data.get("group"), hidden, words
                )
            case "leave" if not self.begun:
                people.pop(who, None)
            case "effect" | "effect_end" if data["id"] == HIDDEN and who in people:
                begins = event.kind == "effect"
                if not begins or people[who].npc or not data.get("rule"):
                    people[who] = replace(people[who], hidden=begins)
        made = _Cast(self.begun or event.kind == "begin", people, self.numbers)
        return replace(made, numbers=made._numbered())

    def _numbered(self) -> dict[str, tuple[str, int]]:
        """Return everybody's number: in the order in which they are first seen, and none is given again.

        Before the fight begins, nobody has been seen yet. Of somebody hidden no number must tell: whoever came last
        gives theirs up.
        """
        given = self.numbers if self.begun else {}
        last = dict(sorted(given.values()))
        kept = {
            who: (base, number)
            for who, (base, number) in given.items()
            if who in self.people and not (self.people[who].hidden and number == last[base])
        }
        last = dict(sorted(kept.values()))
        new = [(who, p.shown_as) for who, p in self.people.items() if p.shown_as and not p.hidden]
        new = [(who, base) for who, base in new if kept.get(who, ("",))[0] != base]
        taken = {each.casefold() for each in (*self.people, *map(_label, kept.values()))} if new else set()
        for who, base in new:
            number = last.get(base, 0) + 1
            while (label := _label((base, number)).casefold()) in taken:
                number += 1
            kept[who], last[base] = (base, number), number
            taken.add(label)
        return kept

    def names(self, own: Collection[str]) -> Names:
        """Return what finds the names that players do not know yet; `own` are known all the same."""
        called = {
            who: _label(number)
            for who, number in self.numbers.items()
            if self.people[who].shown_as == number[0] and not self.people[who].hidden and who not in own
        }
        called |= self._labels({who for who, person in self.people.items() if person.shown_as and who not in own})
        if not called:
            return NOBODY
        known = [who for who in self.people if who not in called]
        groups = {self.people[who].group for who in known if not self.people[who].hidden}
        for who in [name for name in called if name in self.people]:
            group = self.people[who].group
            if group and group not in groups and who in (group, f"{group} {who.rpartition(' ')[2]}"):
                called[group] = self.people[who].shown_as
        # What stands on players' own sheets they have written themselves.
        words = [text for person in self.people.values() for text in person.words]
        return Names(called, known, called).sparing(words)

    def _labels(self, secret: Collection[str]) -> dict[str, str]:
        """Return what stands for the names of sides and groups to be seen, in which the name of one of these stands.

        While they are hidden themselves, it is nobody's that players know.
        """
        hidden = {who for who in secret if self.people[who].hidden}
        if not hidden:
            return {}
        names = Names(hidden, [who for who in self.people if who not in hidden])
        seen = [person for person in self.people.values() if not person.hidden]
        labels = {label for person in seen for label in (person.side, person.group) if label}
        return {label: names.told(label) for label in sorted(labels) if names.within(label)}


def _label(number: tuple[str, int]) -> str:
    base, count = number
    return base if count == 1 else f"{bare_of_article(base)} {count}"  # nobody says "a thug 2"


class Guises:
    """Reads a log and knows at each of its events as whom players saw everybody.

    Parameters
    ----------
    own : collection of str
        Whom those who look play themselves: they know them.

    Attributes
    ----------
    met : dict of str to str
        Everybody who was ever seen as another, by the name under which they were.
    """

    def __init__(self, own: Collection[str] = ()) -> None:
        self.own = own
        self._casts: list[tuple[int, _Cast]] = [(0, _Cast())]
        self._names: list[Names] = [NOBODY]
        self._told: list[Event] = []
        self.met: dict[str, str] = {}

    def read(self, events: Sequence[Event]) -> list[Event]:
        """Take in the events since the last time, and return all of them as players may read them.

        Each has the names of its time. A person's own words stay as they are.
        """
        for event in events[len(self._told) :]:
            number = self._casts[-1][1].numbers.get(event.actor or "")
            if event.kind in _READ and (made := self._after(event)) is not self._casts[-1][1]:
                if made.numbers != self._casts[-1][1].numbers:
                    self.met |= {_label(number): who for who, number in made.numbers.items()}
                self._casts.append((event.seq, made))
                self._names.append(made.names(self.own))
            shown = told(event, self._names[-1]) if self._names[-1] else event
            if number is not None and REVEALS in event._data:
                shown = replace(shown, data={**shown._data, REVEALS: _label(number)})
            self._told.append(shown)
        return self._told if len(self._told) == len(events) else self._told[: len(events)]

    def at(self, seq: int) -> Names:
        """Return what finds the names that were not known after an event that was read."""
        return self._names[self._place(seq)]

    def knew(self, seq: int, names: Names) -> bool:
        """Check whether after an event somebody was known by a name that is one of these."""
        place = self._place(seq)
        people, kept = self._casts[place][1].people, self._names[place].hidden
        return any(who in people and not people[who].hidden and who not in kept for who in names.hidden)

    def ever(self, words: str) -> list[str]:
        """Return as what players have read words in which names stand, at one time after another."""
        return list(dict.fromkeys([names.told(words) for names in self._names]))

    def _place(self, seq: int) -> int:
        return bisect_right(self._casts, seq, key=lambda cast: cast[0]) - 1

    def _after(self, event: Event) -> _Cast:
        if event.kind in MOVES:
            return self._casts[self._place(event._data["to"])][1]
        if event.kind in ("effect", "effect_end") and event._data["id"] != HIDDEN:
            return self._casts[-1][1]
        return self._casts[-1][1].after(event)


def told(event: Event, names: Names) -> Event:
    """Return an event as players may read it."""
    own = [event.note, event._data.get("params", {}).get("trigger")]
    words = names.sparing([each for each in own if isinstance(each, str) and each])
    return replace(
        event,
        actor=event.actor and names.instead(event.actor),
        target=event.target and names.instead(event.target),
        text=words.seal(event.text),
        data=names.seal(event._data),
    )
