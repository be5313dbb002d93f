"""One call being carried out: a state of its own, the events so far, the dice. Dropped whole if anything refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from combatkit.core.dice import face
from combatkit.core.evolve import EVOLVERS
from combatkit.core.faces import NO_FACES, Faces, Rolled
from combatkit.core.model import Effect, Event, Fighter, Place, State
from combatkit.text import Said

if TYPE_CHECKING:
    from combatkit.rules.ruleset import Ruleset

_NOTHING: dict[str, Any] = {}


_SPOKEN = ("action", "window_end")
"""Of a call that is not the GM's, what its note goes with: the deed, or what was resolved."""


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
        Dice rolled at the table.
    by : str
        Whose call it is: ``"player"`` or ``"gm"``.
    note : str
        A person's words, kept with the event that tells of what they did: the GM's with the first that is the GM's.
    """

    __slots__ = ("by", "events", "faces", "language", "note", "rules", "seq", "state", "ties")

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
        self.language = rules.language(state.language)

    def emit(
        self,
        kind: str,
        actor: str | None = None,
        action: str | None = None,
        target: str | None = None,
        amount: int | None = None,
        text: Said | None = None,
        rules: tuple[str, ...] = (),
        by: str = "rules",
        data: dict[str, Any] = _NOTHING,
    ) -> Event:
        """Log a fact, in the words of the fight's language, and let the state follow it."""
        round = amount if kind == "round" else self.state.round
        note = self.note
        if note:
            if by == "gm" if self.by == "gm" else kind in _SPOKEN:
                self.note = ""
            else:
                note = ""
        words = "" if text is None else self.language.render(text)
        event = Event(self.seq, round, kind, actor, action, target, amount, words, note, rules, by, data)
        self.seq += 1
        self.events.append(event)
        step = EVOLVERS.get(kind)
        if step is not None:
            self.state = step(self.state, event)
        return event

    def fighter(self, name: str) -> Fighter:
        """Return a combatant as it stands in the draft."""
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
        text: Said | None = None,
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
        begun = self.rules.cites(self.state, f"effect:{id}")
        rules = tuple(dict.fromkeys((rule, *begun))) if rule else begun
        text = text or self.rules.said_of("begins", id)
        self.emit("effect", None, None, who, text=text, rules=rules, by=by, data=data)

    def end_effect(
        self, who: str, effect: Effect, *, text: Said | None = None, by: str = "rules", rule: str = "", passed: str = ""
    ) -> None:
        """Let a condition end, by the rule it began under unless another ends it.

        `passed` is the kind of anchor that has been passed, if that is what ends it.
        """
        data: dict[str, Any] = {"number": effect.number, "id": effect.id}
        if effect.anchor:
            data["anchor"] = effect.anchor
        cited = [rule or effect.rule]
        if by == "rules" and not rule:
            cited += self.rules.cites(self.state, f"effect_end:{effect.id}")
            cited += self.rules.cites(self.state, f"passed:{passed}") if passed else ()
        rules = tuple(dict.fromkeys(filter(None, cited)))
        text = text or self.rules.said_of("ends", effect.id, effect)
        self.emit("effect_end", None, None, who, text=text, rules=rules, by=by, data=data)

    def end_effects(self, who: str, *ids: str, by: str = "rules", rule: str = "") -> None:
        """Let every condition with one of these ids end, by the rule each began under unless another ends them."""
        for effect in self.state.fighters[who].effects:
            if effect.id in ids:
                self.end_effect(who, effect, by=by, rule=rule)

    def pass_anchor(self, anchor: str) -> None:
        """End what was anchored at a boundary that is now passed."""
        pairs = self.state.anchors.get(anchor)
        if not pairs:
            return
        passed = anchor.partition(":")[0]
        for who, number in pairs:
            for effect in self.state.fighters[who].effects:
                if effect.number == number:
                    self.end_effect(who, effect, passed=passed)
                    self.rules.lapsed(self, who, effect)
                    break

    def order(
        self,
        place: Place,
        text: Said,
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
    """Return a place as plain JSON, what is default left out."""
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
