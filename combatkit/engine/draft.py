"""One call being carried out: a state of its own, the events so far, the dice. Dropped whole if anything refuses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from combatkit.engine.dice import face
from combatkit.engine.evolve import EVOLVERS
from combatkit.engine.model import Effect, Event, Fighter, Place, State
from combatkit.engine.plain import MOST, short
from combatkit.errors import InvalidInput, UnknownName

if TYPE_CHECKING:
    from combatkit.engine.ruleset import Ruleset

_NOTHING: dict[str, Any] = {}


class Rolled(Struct, frozen=True, gc=False):
    """Dice that have been thrown: natural faces, where they came from, how many the seed gave."""

    faces: tuple[int, ...]
    source: str
    drawn: int

    @property
    def sum(self) -> int:
        """The faces added up."""
        return sum(self.faces)


class Faces:
    """Natural faces thrown at the table, handed out in the order asked or by purpose, combatant or group.

    Parameters
    ----------
    given : None, int, sequence of int or mapping
        As `rolls` is given to a call.
    """

    __slots__ = ("asked", "firm", "given", "named", "queue")

    def __init__(self, given: Any = None) -> None:
        self.queue: list[int] = []
        self.named: dict[str, list[int]] = {}
        self.given: tuple[str, ...] = ()
        """What this call has brought: the names, or an empty one for a list."""
        self.asked: set[str] = set()
        """What dice were thrown for in this call, or are kept for: an empty name stands for any."""
        self.firm = given is not None
        """Whether faces that do not fit are refused; those of an earlier call cannot be put right, and give way."""
        if given is None:
            return
        if isinstance(given, Mapping):
            for key, faces in given.items():
                self.named[str(key)] = _ints(faces, str(key))
        else:
            self.queue = _ints(given, "rolls")
        self.given = tuple(self.left())

    def take(self, count: int, sides: int, *keys: str) -> tuple[int, ...] | None:
        """Hand out `count` faces for the first of `keys` that has any, else from the list; None if there are none."""
        if self.given:
            self.asked.update(keys, ("",))
        for key in keys:
            if self.named.get(key):
                return self._cut(self.named[key], count, sides, key)
        return self._cut(self.queue, count, sides, keys[0] if keys else "rolls") if self.queue else None

    def _cut(self, pile: list[int], count: int, sides: int, key: str) -> tuple[int, ...] | None:
        taken, wrong = tuple(pile[:count]), ""
        if len(taken) < count:
            wrong = f"{key} needs {count} faces of a d{sides}, {len(pile)} given"
        for value in taken:
            if not 1 <= value <= sides:
                wrong = f"{value} is not a face of a d{sides} ({key}); give 1 to {sides}"
        if wrong and self.firm:
            raise InvalidInput(f"rolls: {wrong}")
        pile[:] = pile[count:]
        return None if wrong else taken

    def left(self) -> dict[str, Any]:
        """Give what has not been handed out, plain, for an action that waits."""
        left: dict[str, Any] = {k: list(v) for k, v in self.named.items() if v}
        if self.queue:
            left[""] = list(self.queue)
        return left

    def keep(self) -> dict[str, Any]:
        """Give what has not been handed out to an action that waits: it has found its place."""
        left = self.left()
        if self.given:
            self.asked.update(left)
        return left

    @classmethod
    def kept(cls, left: Mapping[str, Any], more: Faces) -> Faces:
        """Take up again what `left` gave, and after it what this call has been given."""
        faces = cls()
        faces.named = {k: list(v) for k, v in left.items() if k}
        for key, thrown in more.named.items():
            faces.named[key] = [*faces.named.get(key, ()), *thrown]
        faces.queue = [*left.get("", ()), *more.queue]
        faces.given, faces.asked, faces.firm = more.given, more.asked, more.firm
        return faces

    def excuse(self, names: Iterable[str]) -> None:
        """Let faces pass that were given for somebody of whom no die was taken.

        Everybody at a table may throw for initiative, whomever the rules then take no die of; dice for a group or side
        are thrown for nothing else, and are refused if they are not taken.
        """
        if self.given:
            self.asked.update(names)

    def check_asked(self) -> None:
        """Refuse faces that no dice were thrown for: the roll they were meant for would be left to the seed.

        A roll that another has made idle is no mistake: a miss needs no damage.
        """
        for key in self.given:
            if key in self.asked or _FOLLOWS.get(key) in self.asked:
                continue
            if not key:
                raise InvalidInput(f"rolls: no dice are thrown by this call, and {self.queue} is given")
            thrown = ", ".join(sorted(self.asked - {""})) or "nothing"
            faces = self.named[key]
            raise InvalidInput(f"rolls: {key} is {faces}, and this call throws no dice for it; it throws for: {thrown}")

    def check_keys(self, known: set[str]) -> None:
        """Refuse a name that is no purpose, combatant or group: a typo would silently roll from the seed."""
        for key in self.named:
            if key not in known:
                raise UnknownName.of("purpose, combatant or group in rolls", key, sorted(known))


NO_FACES = Faces()
"""For a call that has been given none: all is left to the seed, and nothing is noted here."""

_FOLLOWS = {"damage": "attack", "destiny": "attack", "tie": "initiative"}
"""Rolls that come only if another turns out so."""


def _ints(faces: Any, where: str) -> list[int]:
    values = [faces] if type(faces) is int else faces
    if not isinstance(values, Sequence) or isinstance(values, str) or any(type(v) is not int for v in values):
        raise InvalidInput(f"rolls: {where} is {short(faces)}; give whole numbers, the natural faces of the dice")
    if any(not 0 <= v <= MOST for v in values):
        raise InvalidInput(f"rolls: {where} is {short(faces)}; a natural face is 1 or more")
    return list(values)


class Draft:
    """A call under way. Everything that decides works on one of these; `emit` is the only way to change anything.

    Parameters
    ----------
    rules : Ruleset
        The system that decides.
    state : State
        The present.
    seq : int
        The number of the next event.
    faces : Faces, optional
        Dice thrown at the table.
    by : str
        Whose call it is: ``"player"`` or ``"gm"``.
    note : str
        A person's words, kept with the call's first event.
    """

    __slots__ = ("by", "events", "faces", "note", "rules", "seq", "state", "ties")

    def __init__(
        self, rules: Ruleset, state: State, seq: int, faces: Faces = NO_FACES, by: str = "player", note: str = ""
    ) -> None:
        self.rules = rules
        self.state = state
        self.seq = seq
        self.faces = faces
        self.events: list[Event] = []
        self.by = by
        self.note = note
        self.ties: tuple[str, ...] = ()

    def emit(
        self,
        kind: str,
        actor: str | None = None,
        action: str | None = None,
        target: str | None = None,
        amount: int | None = None,
        text: str = "",
        rules: tuple[str, ...] = (),
        by: str = "rules",
        data: dict[str, Any] = _NOTHING,
    ) -> Event:
        """Log a fact and let the state follow it."""
        round = amount if kind == "round" else self.state.round
        event = Event(self.seq, round, kind, actor, action, target, amount, text, self.note, rules, by, data)
        self.note = ""
        self.seq += 1
        self.events.append(event)
        step = EVOLVERS.get(kind)
        if step is not None:
            self.state = step(self.state, event)
        return event

    def fighter(self, name: str) -> Fighter:
        """Give a combatant as it stands in the draft."""
        return self.state.fighters[name]

    def throw(self, count: int, sides: int, *keys: str) -> Rolled:
        """Throw dice: faces given for one of `keys`, else the seed's next ones.

        The event that logs them counts them.
        """
        if self.faces is not NO_FACES:
            given = self.faces.take(count, sides, *keys)
            if given is not None:
                return Rolled(given, "table", 0)
        state = self.state
        seed, die = state.seed, state.die
        if count == 1:
            return Rolled((face(seed, die, sides),), "seeded", 1)
        return Rolled(tuple([face(seed, die + i, sides) for i in range(count)]), "seeded", count)

    def effect(
        self,
        who: str,
        id: str,
        *,
        value: Any = None,
        modifiers: dict[str, int] | None = None,
        anchor: str | None = None,
        rule: str = "",
        watches: bool = False,
        text: str = "",
        by: str = "rules",
    ) -> None:
        """Let a condition begin."""
        data: dict[str, Any] = {"number": self.state.effects + 1, "id": id, "rule": rule}
        if value is not None:
            data["value"] = value
        if modifiers:
            data["modifiers"] = modifiers
        if anchor:
            data["anchor"] = anchor
        if watches:
            data["watches"] = True
        rules = (rule,) if rule else ()
        self.emit("effect", None, None, who, text=text or f"is {id.replace('_', ' ')}", rules=rules, by=by, data=data)

    def end_effect(self, who: str, effect: Effect, *, text: str = "", by: str = "rules", rule: str = "") -> None:
        """Let a condition end, by the rule it began under unless another ends it."""
        data: dict[str, Any] = {"number": effect.number, "id": effect.id}
        if effect.anchor:
            data["anchor"] = effect.anchor
        rules = tuple(filter(None, [rule or effect.rule]))
        text = text or self.rules.words_of_end(effect)
        self.emit("effect_end", None, None, who, text=text, rules=rules, by=by, data=data)

    def end_effects(self, who: str, *ids: str, by: str = "rules") -> None:
        """Let every condition with one of these ids end."""
        for effect in self.state.fighters[who].effects:
            if effect.id in ids:
                self.end_effect(who, effect, by=by)

    def pass_anchor(self, anchor: str) -> None:
        """End what was anchored at a boundary that is now passed."""
        pairs = self.state.anchors.get(anchor)
        if not pairs:
            return
        for who, number in pairs:
            for effect in self.state.fighters[who].effects:
                if effect.number == number:
                    self.end_effect(who, effect)
                    self.rules.lapsed(self, who, effect)
                    break

    def order(
        self,
        place: Place,
        text: str,
        rules: tuple[str, ...] = (),
        by: str = "rules",
        at: tuple[str, int] | None = None,
    ) -> None:
        """Move a place in the agenda: just ("before", id) or ("after", id) another, else to where its rank puts it."""
        amount = place.score if type(place.score) is int else None
        data: dict[str, Any] = {"place": plain(place)}
        if at is not None:
            data[at[0]] = at[1]
        self.emit("order", place.who, amount=amount, text=text, rules=rules, by=by, data=data)


def plain(place: Place) -> dict[str, Any]:
    """Give a place as plain JSON, what is default left out."""
    data: dict[str, Any] = {
        "id": place.id,
        "who": place.who,
        "score": place.score,
        "rank": _lists(place.rank),
        "key": [[k, v] for k, v in place.key],
    }
    for name, empty in _OPTIONAL:
        value = getattr(place, name)
        if value != empty:
            data[name] = list(value) if type(value) is tuple else value
    return data


_OPTIONAL: tuple[tuple[str, Any], ...] = (
    ("why", ""),
    ("why_rule", ""),
    ("was", None),
    ("waits", False),
    ("done", 0),
    ("opened", 0),
    ("steps", None),
    ("facts", {}),
)


def _lists(value: Any) -> Any:
    return [_lists(v) for v in value] if isinstance(value, tuple) else value
