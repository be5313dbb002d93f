"""One call being carried out: a state of its own, the events so far, the dice; all dropped if anything refuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins
from msgspec.structs import astuple, replace

from combatkit.core.dice import faces
from combatkit.core.evolve import EVOLVERS
from combatkit.core.faces import NO_FACES, Faces, Rolled
from combatkit.core.model import Act, Effect, Event, Fighter, Place, State
from combatkit.rules.case import Case
from combatkit.rules.moments import Lapsed
from combatkit.text import Said, Title, say

if TYPE_CHECKING:
    from combatkit.rules.catalogue import Action
    from combatkit.rules.ruleset import Ruleset

_NOTHING: dict[str, object] = {}


_UNTOLD = say("pool.untold")
"""What is said of the pools of somebody who has nothing to spend."""

_SPOKEN = ("action", "window_end")
"""What a note goes with in a call that isn't the GM's: the action, or what was resolved."""


class Draft:
    """A call under way. Everything that decides works on a draft; `emit` is the only way to change anything.

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
        Somebody's own words, kept with the event that tells what they did; the GM's, with the GM's first event.

    Attributes
    ----------
    actions : Named of Action
        Every action there is in the fight, by its id.
    before : tuple of Event
        What a call of its own came to that went before this one: soft windows let go.
    come : int
        How many places the order has come by, where it passes one that nobody takes.
    """

    __slots__ = (
        "actions",
        "before",
        "by",
        "come",
        "events",
        "faces",
        "language",
        "note",
        "passed",
        "rules",
        "seq",
        "state",
        "ties",
    )

    def __init__(
        self, rules: Ruleset, state: State, seq: int, faces: Faces = NO_FACES, by: str = "player", note: str = ""
    ) -> None:
        self.rules = rules
        self.state = state
        self.seq = seq
        self.faces = faces
        self.events: list[Event] = []
        self.before: tuple[Event, ...] = ()
        self.come = self.passed = 0
        self.by = by
        self.note = note
        self.ties: tuple[str, ...] = ()
        self.language = rules.languages[state.language]
        self.actions = rules.catalogue(state).by_id

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
        passing: bool = False,
        aside: str = "",
    ) -> Event:
        """Log a fact, in the words of the fight's language, and let the state follow it; `aside` is a note of our own.

        Of a `passing` one nothing is left after the event that comes next, so it isn't followed.
        """
        round = amount if kind == "round" else self.state.round
        note = self.note if (by == "gm" if self.by == "gm" else kind in _SPOKEN) else ""
        if note:
            self.note = ""
        words = "" if text is None else self.language.render(text)
        event = Event(self.seq, round, kind, actor, action, target, amount, words, note or aside, rules, by, data)
        self.seq += 1
        self.events.append(event)
        step = None if passing else EVOLVERS.get(kind)
        if step is not None:
            self.state = step(self.state, event)
        return event

    def case(self, act: Act) -> Case:
        """Return an action under way as the case that rules ask about."""
        return Case(self.rules, self.state, self.state.fighters[act.who], self.actions[act.action], act.params)

    def throw(self, count: int, sides: int, *keys: str) -> Rolled:
        """Roll dice: the faces given for one of `keys`, else the seed's next ones.

        The event that logs them counts them.
        """
        return self.cast((sides,) * count, *keys)

    def cast(self, sides: Sequence[int], *keys: str) -> Rolled:
        """Roll dice with such sides, as `throw` does; no dice are none of the table's either."""
        if self.faces is not NO_FACES and sides:
            given = self.faces.take(sides, *keys)
            if given is not None:
                return Rolled(given, "table", 0)
        return Rolled(faces(self.state.seed, self.state.die, sides), "seeded" if sides else "table", len(sides))

    def effect(
        self,
        who: str,
        id: str,
        *,
        value: object = None,
        modifiers: dict[str, int] | None = None,
        anchor: str | None = None,
        rule: str = "",
        watches: bool = False,
        rounds: int = 0,
        text: Said | None = None,
        by: str = "rules",
        begun: tuple[str, ...] = (),
        number: int = 0,
    ) -> None:
        """Let a condition begin, by its rule; or by those named, where its rule only says how it ends.

        One that was there before keeps its `number`, and with it when it began.
        """
        number = number or self.state.effects + 1
        effect = _ShortEffect(number, id, value, modifiers or {}, anchor or None, rule, watches, rounds)
        data = {"rule": rule, **to_builtins(effect)}
        cited = (*(begun or (rule,)), *self.rules.cites(self.state, f"effect:{id}"))
        rules = tuple(dict.fromkeys(filter(None, cited)))
        text = text or self.rules.said_begun(self.state, id, value)
        before = self.state
        self.emit("effect", None, None, who, text=text, rules=rules, by=by, data=data)
        if modifiers:
            self.cap(before, who)
        if id in self.rules.felling:
            for action in [self.actions[each] for each in before.fighters[who].progress]:
                self.lapse_progress(who, action, rule or self.rules.cite.get("able", ""))  # the fall breaks it off

    def renew(self, who: str, effect: Effect, text: Said, *rules: str, by: str = "rules") -> None:
        """Let a condition that holds go on otherwise: `effect` is what it is now."""
        data = to_builtins(effect)
        if self.passed:
            self._pass(data)
        self.emit("effect", None, None, who, text=text, rules=rules, by=by, data=data)

    def _pass(self, data: dict[str, object]) -> None:
        """Say once which place the order passes, with what ends or counts there."""
        data["passed"], self.passed = self.passed, 0

    def lapse(self, who: str, effect: Effect, text: Said | None = None) -> None:
        """Let a condition end because its anchor has been passed."""
        passed = (effect.anchor or "").partition(":")[0]
        self.end_effect(who, effect, text=text, passed=passed)

    def end_effect(
        self,
        who: str,
        effect: Effect,
        *,
        text: Said | None = None,
        by: str = "rules",
        rule: str = "",
        passed: str = "",
        anew: bool = False,
        facts: Mapping[str, object] | None = None,
    ) -> None:
        """Let a condition end, by the rule it began under unless another ends it; or since an anchor was `passed`.

        One that begins `anew` at once wakes nobody, and no log tells its end. What no rule began ends by none: it is
        the GM's own. What is to be known of it later are its `facts`.
        """
        own = by == "rules" and effect.rule and not rule
        also = self.rules.cites(self.state, f"effect_end:{effect.id}") if own else ()
        cited = (rule or effect.rule, *also, *self.rules.cites(self.state, f"passed:{passed}"))
        data: dict[str, object] = {"number": effect.number, "id": effect.id}
        if self.passed:
            self._pass(data)
        if effect.anchor:
            data["anchor"] = effect.anchor
        if facts:
            data["facts"] = facts
        rules = tuple(dict.fromkeys(filter(None, cited)))
        text = text or self.rules.said_of("ends", effect.id, effect)
        if anew and by == "gm":
            text, data["anew"] = say("condition.ends_anew", begins=self.rules.said_of("begins", effect.id)), True
        elif anew:
            text = say("condition.anew")
        before = self.state
        self.emit("effect_end", None, None, who, text=text, rules=rules, by=by, data=data)
        if effect.modifiers:
            fighter = before.fighters[who]
            bare = tuple(replace(e, modifiers={}) if e.number == effect.number else e for e in fighter.effects)
            self.cap(before, who, replace(fighter, effects=bare))
        if effect.id in self.rules.fallen and not anew:
            self.rules.revives(self, who, effect.id)
        if effect.id in self.rules.incapable and not anew and self.rules.has_turns(self.state.fighters[who]):
            self.rules.wakes(self, who)

    def cap(self, before: State, who: str, at_once: Fighter | None = None) -> None:
        """Let somebody's pools hold the most there can be now, where that isn't what it was before: more, or no more.

        More than was held back comes at once only as far as they could hold it as they are `at_once`, if that is said;
        the rest comes with the next filling.
        """
        rules, fighter = self.rules, self.state.fighters[who]
        if self.state.stage != "running":
            return
        was, now = rules.most(before, before.fighters[who]), rules.most(self.state, fighter)
        soon = now if at_once is None else rules.most(before, at_once)
        less, more, spent, hidden = dict[str, int](), dict[str, int](), dict[str, int](), dict[str, int]()
        for id, most in now.items():
            pool, old = fighter.pools.get(id), was.get(id)
            if pool is not None and most is not None and old != most:
                by = 0 if old is None else max(0, most) - max(0, old)
                room = 0 if old is None else max(0, max(0, old) + pool.granted - pool.total)
                if by < 0:
                    whole = pool.total - min(max(0, -pool.over), -by)
                else:
                    here = (soon.get(id) or 0) - max(0, old or 0) - (pool.late if at_once is not None else 0)
                    whole = pool.total + min(by, max(pool.over, here, 0))
                total = min(whole, max(0, most + pool.granted))
                due = pool.late + room  # with the next filling: a sheet takes it back, a condition only hides it
                if fighter.stats != before.fighters[who].stats:
                    due += min(0, by)
                late = max(0, due - max(0, max(0, most) + pool.granted - total))
                if late != pool.late:
                    hidden[id] = late
                if pool.total != total:
                    (less if total < pool.total else more)[id] = total
                else:  # nothing was left to lose or to come: told only where that is all there is to tell
                    spent[id] = max(0, most)
        purse = rules.has_purse(before, before.fighters[who]) and rules.has_purse(self.state, fighter)
        if less:
            told = say("pool.capped", slots=self._at_most(less) or self._at_most(spent))
            self._hold_at_most(who, less, told if purse else _UNTOLD, hidden)
        if more:
            risen = [(most - fighter.pools[id].total, id) for id, most in more.items() if id in rules.slots]
            slots = [Title(rules.slots[id].more(by)) for by, id in risen]
            told = say("pool.more", slots=slots) if slots else say("pool.capped", slots=self._at_most(spent))
            self._hold_at_most(who, more, told if purse else _UNTOLD, {} if less else hidden)
        if hidden and not (less or more):
            self._hold_at_most(who, {}, say("pool.capped", slots=self._at_most(spent)), hidden)

    def _at_most(self, pools: Mapping[str, int]) -> list[Title]:
        """Return how much of each slot there is at most, in words."""
        slots = self.rules.slots
        return [Title(slots[id].in_all(most)) for id, most in pools.items() if id in slots]

    def _hold_at_most(self, who: str, most: Mapping[str, int], text: Said, late: Mapping[str, int]) -> None:
        """Log how much somebody's pools hold at most from now on, and how much comes late."""
        cited = self.rules.cites(self.state, "refresh:round") or self.rules.cites(self.state, "refresh:turn")
        cited = () if text is _UNTOLD else cited
        data = {"pools": {}, "at": "capped", "capped": {who: most}} | ({"late": {who: late}} if late else {})
        self.emit("refresh", None, None, who, text=text, rules=cited, data=data)

    def end_effects(self, who: str, *ids: str, by: str = "rules", rule: str = "", anew: bool = False) -> None:
        """End every condition with one of these ids, by the rule each began under unless another ends them."""
        for effect in self.state.fighters[who].effects:
            if effect.id in ids:
                self.end_effect(who, effect, by=by, rule=rule, anew=anew)

    def lapse_progress(self, who: str, action: Action, rule: str, text: Said | None = None) -> None:
        """Drop the progress somebody has made on an action of several turns or parts."""
        data = {"done": 0, "total": self.state.fighters[who].progress[action.id].total}
        text = text or say("progress.lapses", of=action.id, title=action.called, deed=action.to_do)
        self.emit("progress", who, action.id, text=text, rules=(rule,) if rule else (), data=data)

    def pass_anchor(self, anchor: str, since: int = 0, until: float = inf) -> None:
        """End what was anchored at a boundary that is now passed, as far as it began between two conditions."""
        for who, number in self.state.anchors.get(anchor, ()):
            effect = numbered(self.state.fighters[who], number)
            if effect is not None and since < number <= until and not self.lasts(effect):
                self.lapse(who, effect)
                self.rules.follows(self, Lapsed(who, effect))

    def pass_action(self, act: Act) -> None:
        """End what lasted until somebody's next action, and so through it, unless a part of that is still under way."""
        others = [each.began for each in self.state.focus if type(each) is Act and each.who == act.who]
        self.pass_anchor(f"action:{act.who}", max(others, default=0), act.began)

    def lasts(self, effect: Effect) -> bool:
        """Check whether a condition of several turns outlasts the one that ends now."""
        return effect.rounds > 1 or (effect.rounds > 0 and effect.counted >= self.state.occasion)

    def order(
        self,
        place: Place,
        text: Said,
        rules: tuple[str, ...] = (),
        by: str = "rules",
        at: tuple[str, int] | None = None,
        kind: str = "order",
    ) -> None:
        """Move a place in the agenda: just ("before", id) or ("after", id) another, else to where its rank puts it.

        A new one is of the kind "initiative".
        """
        amount = place.score if type(place.score) is int else None
        data: dict[str, object] = {"place": plain(place)}
        if at is not None:
            data[at[0]] = at[1]
        self.emit(kind, place.who, amount=amount, text=text, rules=rules, by=by, data=data)


def numbered(fighter: Fighter, number: int) -> Effect | None:
    """Return the condition of somebody's with this number, or None."""
    return next((e for e in fighter.effects if e.number == number), None)


def plain(place: Place) -> dict[str, object]:
    """Return a place as plain JSON, without defaults."""
    data: dict[str, object] = to_builtins(_ShortPlace(*astuple(place)))
    return data


class _ShortPlace(Place, frozen=True, gc=False, omit_defaults=True):
    """A place that leaves its defaults out."""


class _ShortEffect(Effect, frozen=True, gc=False, omit_defaults=True):
    """A condition that leaves its defaults out."""
