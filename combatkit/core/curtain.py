"""What players may not know of a fight: who is hidden, and how a moment looks without them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from combatkit.core.model import Act, Fighter, Lookup, State, Turn, Window, open_bids
from combatkit.text import say_names

HIDDEN = "hidden"
"""The condition of somebody whom players are not shown until it ends."""

REVEALED = "revealed"
"""The condition of an NPC whose numbers players see."""

SHOWN_AS = "shown_as"
"""The stat that says as whom players see somebody."""

REVEALS = "reveals"
"""What the event that reveals somebody holds: as whom they were seen."""

VITALS = ("nothing", "words", "numbers")
"""What players are told of an NPC's vitals; the first is the default."""

VITAL_WORDS = "vital_words"
"""The option of every fight that says which."""

PUBLIC = ("conditions", "groups")
"""What of the GM's own words a fight may be made to tell players: conditions of no rule, and what groups are called."""

SOMEBODY = "somebody"
"""What stands for a name that must not be told."""

_OWN = ("note", "trigger")
"""Under which keys plain data has a person's own words: no name that they hit is told by them."""


def is_hidden(fighter: Fighter) -> bool:
    """Check whether players are not shown somebody.

    Players know where their own are: for those the rules may say that they hide, and only the GM's word takes them
    away.
    """
    effect = fighter.effect(HIDDEN) if fighter.effects else None
    return effect is not None and (fighter.npc or not effect.rule)


@Lookup
def _hidden(fighters: dict[str, Fighter]) -> frozenset[str]:
    return frozenset([name for name, fighter in fighters.items() if is_hidden(fighter)])


def hidden_in(state: State) -> frozenset[str]:
    """Return the names of everybody players are not shown."""
    return _hidden(state.fighters)


class Names:
    """Finds names that must not be told in what is told.

    Parameters
    ----------
    hidden : collection of str
        The names.
    known : collection of str
        Those that may be told: "Guard" does not stand in "Guard 1".
    called : mapping of str to str, optional
        What stands for a name instead; for all others it is `SOMEBODY`.
    """

    def __init__(
        self, hidden: Collection[str], known: Collection[str] = (), called: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.hidden = frozenset(hidden)
        self._known = known
        self._called = called

    def __bool__(self) -> bool:
        """Check whether there is anything to find."""
        return bool(self.hidden)

    @cached_property
    def all(self) -> frozenset[str]:
        """What is looked for: the same for the same names."""
        return frozenset((*self.hidden, *self._known) if self.hidden else ())

    def _found(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where the names stand in a text, each from where to where: at each place the longest."""
        if not self.hidden:
            return
        lengths_of = _lengths(self.all)
        heads, at = _heads(frozenset(lengths_of)), 0
        while (head := heads.search(text, at)) is not None:
            start, at = head.span()
            for length in lengths_of[head[0]]:
                end = start + length
                if text[start:end] in self.all and not _is_word(text[end : end + 1]):
                    at = end
                    yield start, end
                    break

    def within(self, value: object) -> bool:
        """Check whether one of them stands anywhere in plain data, but for a person's own words."""
        if isinstance(value, str):
            return any(value[start:end] in self.hidden for start, end in self._found(value))
        if isinstance(value, dict):
            return any(self.within(key) or self.within(each) for key, each in value.items() if not _is_own(key, each))
        return isinstance(value, (list, tuple)) and any(map(self.within, value))

    def besides(self, value: object) -> Names:
        """Return what finds the names that nowhere stand in plain data, own words or not."""
        told = {words[start:end] for words in texts(value) for start, end in self._found(words)} & self.hidden
        return Names(self.hidden - told, {*self._known, *told}, self._called) if told else self

    def sparing(self, words: Iterable[str]) -> Names:
        """Return what finds the names elsewhere than in some words."""
        own = [each for each in words if self.within(each)]
        return Names(self.hidden, (*self._known, *own), self._called) if own else self

    def seal(self, value: Any) -> Any:
        """Return data, plain or the engine's own, in which no such name stands."""
        return self._sealed(value, {})

    def _sealed(self, value: Any, said: dict[str, str]) -> Any:
        """Seal data of which some words are `said` already: who may answer many is named as often."""
        if isinstance(value, str):
            if value not in said:
                said[value] = self._sealed_words(value)
            return said[value]
        if isinstance(value, dict):
            own = {key: each if _is_own(key, each) else self._sealed(each, said) for key, each in value.items()}
            return {self._sealed(key, said): each for key, each in own.items()}
        if isinstance(value, Struct):
            return replace(value, **{e: self._sealed(getattr(value, e), said) for e in value.__struct_fields__})
        if not isinstance(value, (list, tuple)):
            return value
        return type(value)([said[e] if type(e) is str and e in said else self._sealed(e, said) for e in value])

    def _sealed_words(self, words: str) -> str:
        parts: list[str] = []
        at = 0
        for start, end in self._found(words):
            instead = self.instead(words[start:end])
            if words[:start].casefold().endswith("any "):  # "any hooded man", whose name has an article before it
                instead = bare_of_article(instead)
            parts += (words[at:start], instead)
            at = end
        return "".join((*parts, words[at:])) if parts else words

    def told(self, words: str) -> str:
        """Return words in which no such name stands."""
        return self.seal(words) if self else words

    def instead(self, name: str) -> str:
        """Return what stands for a name: the name itself, where it may be told."""
        return self._called.get(name, SOMEBODY) if name in self.hidden else name

    def meant(self, name: str) -> str:
        """Return the name for which another stands."""
        return next((each for each, called in self._called.items() if called == name), name)

    def unmasked(self, words: str) -> str:
        """Return words with the names themselves where others stand for them."""
        true: dict[str, str] = {}
        for name, called in self._called.items():  # a person before the group that is called as they are
            true.setdefault(called, name)
        return Names(true, {*self._known} - true.keys(), true).told(words)

    def __or__(self, other: Names) -> Names:
        """Return what finds the names of both."""
        both = {*self.hidden, *other.hidden}
        return Names(both, {*self._known, *other._known} - both, {**self._called, **other._called}) if other else self

    def clear(self, value: Any) -> Any:
        """Return plain data without the parts of it that are such a name, or are kept under one.

        A row in a list that has such a name goes whole: what is left of it would be no such row.
        """
        if isinstance(value, dict):
            own = {key: each for key, each in value.items() if _is_own(key, each)}
            kept = {key: each for key, each in value.items() if key not in self.hidden and not self._is(each)}
            return {key: self.clear(each) for key, each in kept.items()} | own
        if isinstance(value, (list, tuple)):
            return type(value)([self.clear(each) for each in value if not self._is(each) and not self._is_row_of(each)])
        return self.seal(value)

    def shown(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return those of some names that may be told."""
        return tuple([name for name in names if name not in self.hidden])

    def _is(self, value: object) -> bool:
        return isinstance(value, str) and value in self.hidden

    def _is_row_of(self, value: object) -> bool:
        return isinstance(value, (list, tuple)) and any(map(self._is, value))


_ARTICLES = ("a", "an", "the", "ein", "eine", "der", "die", "das")
"""What a name may begin with that falls away after "any", and stands for nobody."""


def bare_of_article(name: str) -> str:
    """Return a name without the article it may begin with.

    Examples
    --------
    >>> bare_of_article("a hooded man"), bare_of_article("Anna"), bare_of_article("A")
    ('hooded man', 'Anna', 'A')
    """
    article, _, rest = name.partition(" ")
    return rest if rest and article.casefold() in _ARTICLES else name


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


@lru_cache(maxsize=4096)
def _head(name: str) -> str:
    """Return the word with which a name begins, or else its first character."""
    return name[: next((at for at, letter in enumerate(name) if not _is_word(letter)), len(name))] or name[0]


@lru_cache(maxsize=64)
def _lengths(names: frozenset[str]) -> dict[str, list[int]]:
    """Return how long the names are that begin with the same word, the longest first."""
    found: dict[str, set[int]] = {}
    for name in filter(None, names):
        found.setdefault(_head(name), set()).add(len(name))
    return {head: sorted(lengths, reverse=True) for head, lengths in found.items()}


@lru_cache(maxsize=64)
def _heads(heads: frozenset[str]) -> re.Pattern[str]:
    """Return what finds where a name may begin; all the numbers of a kind begin alike, so few are ever made."""
    each = [re.escape(head) + r"(?!\w)" * _is_word(head[0]) for head in sorted(heads)]
    return re.compile(rf"(?<!\w)(?:{'|'.join(each)})")


NOBODY = Names(())
"""Where every name may be told."""


def _is_own(key: object, value: object) -> bool:
    return key in _OWN and isinstance(value, str)


def texts(value: object) -> Iterator[str]:
    """Yield every text in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from texts(key)
            yield from texts(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from texts(each)


def unseen(hidden: Collection[str], labels: Mapping[str, Iterable[str | None]]) -> frozenset[str]:
    """Return hidden names, and those of sides and groups that nobody to be seen belongs to."""
    if not hidden:
        return frozenset()
    shown = {label for name, each in labels.items() if name not in hidden for label in each if label}
    kept = {label for name, each in labels.items() if name in hidden for label in each if label}
    return frozenset((*hidden, *(kept - shown)))


def names_of(state: State, hidden: Collection[str] | None = None) -> Names:
    """Return what finds the names that are hidden at a moment."""
    hidden = hidden_in(state) if hidden is None else hidden
    labels = {name: (fighter.side, fighter.group) for name, fighter in state.fighters.items()}
    known = (*labels, *(label for each in labels.values() for label in each if label))
    return Names(unseen(hidden, labels), known if hidden else ())


@Lookup
def _grouped(fighters: dict[str, Fighter]) -> Names:
    members: dict[str, list[str]] = {}
    for name, fighter in fighters.items():
        if fighter.group:
            members.setdefault(fighter.group, []).append(name)
    return group_names(members, {*fighters, *(fighter.side for fighter in fighters.values())}, "{name}'s group")


def groups_in(state: State) -> Names:
    """Return what finds the names of groups that players are not told; whoever is hidden must be out of the state."""
    return _grouped(state.fighters) if "groups" not in state.public else Names(())


def group_names(members: Mapping[str, Sequence[str]], known: Collection[str], called: str) -> Names:
    """Return what finds the names of groups: a group is called after the first of its members.

    One that is called as its members or a side are ("Guard" of "Guard 1") tells nothing.

    Parameters
    ----------
    members : mapping of str to sequence of str
        Who belongs to each group.
    known : collection of str
        Names and sides, which are told.
    called : str
        What stands for a group, with ``{name}`` in it.
    """
    instead = {
        group: called.format(name=names[0])
        for group, names in members.items()
        if group not in known and not any(n.startswith(f"{group} ") and n[len(group) + 1 :].isdigit() for n in names)
    }
    return Names(instead, {*known, *members} if instead else (), instead)


def curtained(state: State, always: frozenset[str] = frozenset(), guises: Names = NOBODY) -> State:
    """Return a moment as players may see it: nobody hidden is in it, nothing in it speaks of them or names a group.

    Parameters
    ----------
    state : State
        The moment.
    always : frozenset of str
        Who is left out although they were not hidden then.
    guises : Names
        What finds the names of those whom players know by another.

    Returns
    -------
    State
        To be looked at; a fight cannot go on from it.
    """
    state = guised(_counted(_unseen(state, always)), guises)
    groups = groups_in(state)
    if not groups:
        return state
    fighters = {
        name: replace(each, group=groups.seal(each.group)) if each.group else each
        for name, each in state.fighters.items()
    }
    return replace(
        state,
        fighters=fighters,
        agenda=tuple([replace(place, why=groups.seal(place.why)) for place in state.agenda]),
        focus=tuple(
            [replace(f, about=groups.seal(f.about), parts=()) if isinstance(f, Window) else f for f in state.focus]
        ),
        facts={key: groups.seal(fact) if groups.within(fact) else fact for key, fact in state.facts.items()},
    )


_SEALED = ("agenda", "focus", "anchors", "watchers", "facts", "gone")
"""What of a moment speaks of people, besides themselves."""


def guised(state: State, names: Names) -> State:
    """Return a moment in which everybody has the name by which players know them."""
    if not names:
        return state
    told = [
        replace(
            each,
            name=names.instead(each.name),
            **{part: names.seal(getattr(each, part)) for part in ("side", "group", "effects", "lapsed")},
        )
        for each in state.fighters.values()
    ]
    sealed = {part: names.seal(getattr(state, part)) for part in _SEALED}
    return replace(state, fighters={each.name: each for each in told}, **sealed)


def _counted(state: State) -> State:
    """Return a moment whose places are numbered among themselves: no gap tells of somebody."""
    ids = {id: number for number, id in enumerate(sorted(place.id for place in state.agenda), 1)}
    if all(id == number for id, number in ids.items()):
        return state
    focus = [replace(f, place=ids.get(f.place, 0)) if isinstance(f, Turn) else f for f in state.focus]
    agenda = [replace(place, id=ids[place.id]) for place in state.agenda]
    return replace(state, agenda=tuple(agenda), focus=tuple(focus))


def _unseen(state: State, always: frozenset[str]) -> State:
    hidden = hidden_in(state) | (always & state.fighters.keys())
    if not hidden:
        return state
    names = names_of(state, hidden)
    agenda = [
        replace(place, why="", why_rule="") if names.within(place.why) else place
        for place in state.agenda
        if place.who not in hidden
    ]
    anchors = {key: tuple([each for each in held if each[0] not in hidden]) for key, held in state.anchors.items()}
    return replace(
        state,
        fighters={name: _fighter(names, each) for name, each in state.fighters.items() if name not in hidden},
        agenda=tuple(agenda),
        focus=_focus(names, state),
        anchors={key: held for key, held in anchors.items() if held and not names.within(key.replace(":", " "))},
        watchers=tuple([who for who in state.watchers if who not in hidden]),
        facts=names.clear(state.facts),
    )


def _fighter(names: Names, fighter: Fighter) -> Fighter:
    effects = tuple([e for e in fighter.effects if not names.within([e.value, (e.anchor or "").replace(":", " ")])])
    return fighter if effects == fighter.effects else replace(fighter, effects=effects)


def _focus(names: Names, state: State) -> tuple[Turn | Act | Window, ...]:
    focus = [*state.focus]
    while focus and isinstance(top := focus[-1], Window) and not asks_seen(names.hidden, top):
        focus.pop()  # only somebody hidden could answer, or explains what is asked: nobody waits for anybody
        if focus and isinstance(focus[-1], Act):
            focus.pop()
    frames: list[Turn | Act | Window] = []
    below: Turn | Act | Window | None = None
    for frame in focus:
        if isinstance(frame, Window):
            window = _window(names, frame, below.targets if isinstance(below, Act) else ())
            deeds = [each for each in focus if isinstance(each, Act) and each.seq == frame.threat]
            aimed = {who: None for deed in deeds if deed.who in names.hidden for who in names.shown(deed.targets)}
            frames.append(replace(window, aimed=tuple(aimed)) if aimed else window)
        elif frame.who not in names.hidden:
            frames.append(frame if isinstance(frame, Turn) else _act(names, frame))
        below = frame
    return tuple(frames)


def asks_seen(hidden: Collection[str], window: Window) -> bool:
    """Check whether a window asks somebody to be seen, or the GM what they would be asked without those hidden."""
    if not open_bids(window.bids).keys() <= set(hidden):
        return True
    on = window.on or window.by
    choices = [each for each in window.choices if not (isinstance(each, str) and each in hidden)]
    return bool(window.question) and len(choices) > 1 and (not on or not {*on} <= set(hidden))


def _act(names: Names, act: Act) -> Act:
    return replace(
        act, targets=names.shown(act.targets), params=names.clear(act.params), result=names.clear(act.result)
    )


def said_about(names: Names, window: Window, targets: Sequence[str] = ()) -> str:
    """Say what a window is about: of several those who may be told, as if there were no others."""
    parts = [part for who, part in window.own if who not in names.hidden]
    about = "; ".join(parts) or window.about
    for several in (window.on, window.by, targets):
        if 0 < len(told := names.shown(several)) < len(several):
            for say in (say_names, ", ".join):
                about = about.replace(say(several), say(told))
    return names.told(about)


def _window(names: Names, window: Window, targets: Sequence[str]) -> Window:
    bids = [replace(bid, targets=names.shown(bid.targets)) for bid in window.bids if bid.who not in names.hidden]
    return replace(
        window,
        about=said_about(names, window, targets),
        by=names.shown(window.by),
        on=names.shown(window.on),
        unseen=bool(window.by) and names.hidden.issuperset(window.by),
        bids=tuple(bids),
        choices=tuple(names.clear(window.choices)),
        to=None if window.to is None else names.shown(window.to),
        used=tuple([given for given in window.used if names.hidden.isdisjoint(given)]),
        parts=(),
        excused=names.shown(window.excused),
    )


def keeps_waiting(state: State, passed: Collection[str] = ()) -> bool:
    """Check whether only somebody hidden can do something now: in their turn, or in a window that asks them alone.

    Those who have let it go (`passed`) are asked no more.
    """
    if stops_play(state):
        return asks_unseen(state, passed)
    turn = state.turn
    return turn is not None and turn.who in hidden_in(state)


def stops_play(state: State) -> bool:
    """Check whether a window is open that somebody waits for."""
    window = state.window
    return window is not None and bool(window.question or not window.soft)


def asks_unseen(state: State, passed: Collection[str] = ()) -> bool:
    """Check whether a window that play waits for asks only somebody hidden, or what only they explain."""
    hidden, window = hidden_in(state), state.window
    if not hidden or window is None or not stops_play(state):
        return False
    if window.question:
        return not asks_seen(hidden, window)
    asked = open_bids(window.bids).keys() - passed
    return bool(asked) and asked <= hidden


def shows_numbers(state: State, fighter: Fighter) -> bool:
    """Check whether players see an NPC's numbers."""
    return state.options.get(VITAL_WORDS) == VITALS[2] or fighter.effect(REVEALED) is not None


def shows_words(state: State) -> bool:
    """Check whether players are told an NPC's vitals in words."""
    return state.options.get(VITAL_WORDS) == VITALS[1]


def vital_word(left: int, full: int, *, stands: bool = False) -> str:
    """Say in a word what is left of a vital; who `stands` with nothing left isn't down."""
    if left <= 0:
        return "bloodied" if stands else "down"
    if left >= full:
        return "fresh"
    return "hurt" if 2 * left > full else "bloodied"
