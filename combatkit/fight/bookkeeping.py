"""The GM's bookkeeping: vitals, conditions, places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from combatkit.core.limits import CONDITIONS, VALUE
from combatkit.core.model import COUNTER, Event
from combatkit.core.plain import check_whole, is_number, plain, short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.fight.arrival import Arrival
from combatkit.fight.going import Going
from combatkit.fight.session import changing
from combatkit.rules import flow
from combatkit.rules.case import Given
from combatkit.rules.checks import (
    anchor_of,
    check_by_hand,
    check_condition,
    check_conditions,
    check_count,
    check_some,
    known_condition,
)
from combatkit.rules.dealing import Deal, deal_of, deal_out
from combatkit.rules.delays import beside, call_next, settled
from combatkit.rules.draft import Draft
from combatkit.rules.moments import Placed
from combatkit.rules.moves import set_down
from combatkit.rules.params import as_names, check_modifiers, only_one
from combatkit.rules.pools import adjust_pool
from combatkit.rules.uses import USES
from combatkit.rules.vitals import DAMAGE, HEAL, TEMPORARY, give_temporary
from combatkit.text import say


class Bookkeeping(Going):
    """The part of an encounter in which the GM keeps the books by hand."""

    @changing
    def adjust(
        self, names: str | Iterable[str], vital: str | None = None, by: int = 0, note: str = ""
    ) -> tuple[Event, ...]:
        """Add to or take from a vital, a slot or a pool, for one combatant or several.

        What a slot gains comes on top of what it held, until it is next filled; what was spent stays spent. What it
        loses comes off what is left of it.

        Parameters
        ----------
        names : str or iterable of str
            Whose.
        vital : str, optional
            Which vital, or which slot of the budget; if none is named, the vital that damage comes off. `temporary` are
            temporary points; any of their `uses` will do as well.
        by : int
            How much, negative for a loss.
        note : str
            Why.

        Returns
        -------
        tuple of Event
            One for each.
        """
        who = check_some(self._state, names, "adjust")
        vitals = [*(s.name for s in self.ruleset.vitals), TEMPORARY]
        vital = vitals[0] if vital is None else vital
        pooled = vital not in vitals
        slots = self.ruleset.slots.ids()
        if pooled and type(vital) is str and any(vital in (self._fighter(name).stats.get(USES) or ()) for name in who):
            vital = COUNTER + vital
        pools = [[id for id in self._fighter(name).pools if ":" not in id] for name in who]  # not kept for one thing
        if pooled and (type(vital) is not str or not all(vital in (*slots, *own) for own in pools)):
            raise UnknownName.of(f"vital or slot of {self.ruleset.id}", vital, [*vitals, *slots])
        if not is_number(by):
            raise InvalidInput(f"adjust: by is {short(by)}; give a whole number, negative for a loss")
        if pooled:
            self._running("adjust")
        draft = self._draft(by="gm", note=note, passes=True)
        change = adjust_pool if pooled else self.ruleset.adjust
        for name in who:
            change(draft, name, vital, by)
        titles = {TEMPORARY: "Temporary points"} | {each.name: each.title for each in self.ruleset.vitals}
        titles |= {slot.id: slot.title for slot in self.ruleset.slots}
        return self._accept(draft, titles.get(vital, vital.removeprefix(COUNTER)), who)

    @changing
    def damage(
        self,
        names: str | Iterable[str],
        amount: int | str,
        *,
        vital: str | None = None,
        half: str | Iterable[str] = (),
        rolls: object = None,
        note: str = "",
    ) -> tuple[Event, ...]:
        """Deal damage to one combatant or several by the GM's word: a trap, a fall, a blast.

        What you say is what they lose: no armour is taken off. In d6 a loss of Resolve wounds and calls for fates, in
        segments a loss of hit points breaks concentration, as any harm does.

        Parameters
        ----------
        names : str or iterable of str
            Who takes it.
        amount : int or str
            A number, or dice (``"2d6+3"``) that are rolled once for all.
        vital : str, optional
            Which vital; the ruleset's first if none is named, as with attacks: ``hp``, in d6 ``resolve``, in phases
            ``stun`` (a loss of body is a call of its own).
        half : str or iterable of str
            Which of them take half, rounded down.
        rolls : list of int or mapping, optional
            Natural dice rolled at the table, for the purpose ``damage``.
        note : str
            Why.

        Returns
        -------
        tuple of Event
            All that happened: the roll, if dice were rolled, and one event for each; one step of undo.

        Raises
        ------
        UnknownName
            For an unknown combatant or vital.
        InvalidInput
            For an amount that is neither, or somebody who takes half but is not named.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Mara", side="rebels", hp=38), enc.add("Vex", side="empire", hp=20)
        >>> for event in enc.damage(["Mara", "Vex"], "2d6+3", half="Mara", rolls=[4, 4]):
        ...     print(event.subject, event.text)
         the GM rolls 11 for damage
        Mara takes 5 damage (half of 11), 33 left
        Vex takes 11 damage, 9 left
        """
        return self._accept(
            *self._dealt(deal_of(self.ruleset, self._state, DAMAGE, names, amount, vital, half), rolls, note)
        )

    @changing
    def heal(
        self,
        names: str | Iterable[str],
        amount: int | str,
        *,
        vital: str | None = None,
        half: str | Iterable[str] = (),
        rolls: object = None,
        note: str = "",
    ) -> tuple[Event, ...]:
        """Heal one combatant or several by the GM's word, up to their full value; anyone already at full stays there.

        Parameters
        ----------
        names : str or iterable of str
            Who is healed.
        amount : int or str
            A number, or dice (``"1d8+2"``) that are rolled once for all.
        vital : str, optional
            Which vital; the ruleset's first if none is named.
        half : str or iterable of str
            Which of them get half, rounded down.
        rolls : list of int or mapping, optional
            Natural dice rolled at the table, for the purpose ``heal``.
        note : str
            Why.

        Returns
        -------
        tuple of Event
            All that happened: the roll, if dice were rolled, and one event for each; one step of undo.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Mara", side="rebels", hp=38), enc.damage("Mara", 5)
        >>> enc.heal("Mara", 3)[0].text, enc.heal("Mara", 3)[0].text, enc.heal("Mara", 3)[0].text
        ('heals 3, now at 36', 'heals 2, now at 38', 'is already at full: 38 hp')
        """
        return self._accept(
            *self._dealt(deal_of(self.ruleset, self._state, HEAL, names, amount, vital, half), rolls, note)
        )

    @changing
    def temporary(self, names: str | Sequence[str], amount: int, *, note: str = "") -> tuple[Event, ...]:
        """Give temporary points by the GM's word, which damage takes before the vital; nobody heals them.

        If there are some already, the greater number counts; they aren't added up.

        Parameters
        ----------
        names : str or sequence of str
            Who gets them.
        amount : int
            How many.
        note : str
            Why.

        Returns
        -------
        tuple of Event
            One for each; one step of undo. What damage takes of them stands in its event's `data` as ``temporary``.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Mara", side="rebels", hp=38)
        >>> enc.temporary("Mara", 8)[0].text, enc.temporary("Mara", 5)[0].text
        ('has 8 temporary points', 'still has 8 temporary points: 5 are no more than that')
        >>> event = enc.damage("Mara", 10)[0]
        >>> event.text, event.amount, event.data["temporary"]
        ('takes 10 damage, 8 of it temporary, 36 left', 2, 8)
        """
        who = check_some(self._state, names, "temporary")
        check_whole(amount, "temporary: amount", 0)
        draft = self._draft(by="gm", note=note, passes=True)
        for name in who:
            give_temporary(draft, name, amount)
        return self._accept(draft, "Temporary points", who)

    def _dealt(self, deal: Deal, rolls: object, note: str) -> tuple[Draft, str, tuple[str, ...]]:
        """Return the call that deals damage or healing out, one amount in full or by half, its title and to whom."""
        draft = self._draft(rolls, by="gm", note=note, passes=True)
        deal_out(draft, deal)
        return draft, deal.change.word.capitalize(), deal.who

    @changing
    def condition(
        self,
        name: str | Iterable[str],
        id: str,
        *,
        value: object = None,
        modifiers: Mapping[str, int] | None = None,
        until: str | None = None,
        off: bool = False,
        note: str = "",
    ) -> tuple[Event, ...]:
        """Begin or end a condition, for one combatant or several, by the GM's word.

        Parameters
        ----------
        name : str or iterable of str
            Whose.
        id : str
            Which one; some are read by rules, however they are spelled ("in melee"), others are free text.
        value : object, optional
            What goes with it.
        modifiers : mapping of str to int, optional
            What it adds to numbers while it lasts.
        until : str, optional
            "end of round", "end of step", "start of turn", "end of turn", "next action", "start of turn: NAME", "end
            of turn: NAME", or "3 rounds", which counts the bearer's turns; until ended if not given. Where the turn it
            waits for comes no more, it ends in that turn's place.
        off : bool
            Whether it ends.
        note : str
            Why.

        Returns
        -------
        tuple of Event
            All that happened; one step of undo.
        """
        id = check_condition(id)
        names = check_some(self._state, name, "condition", gone=off and known_condition(self.ruleset, id) == "left")
        if any(self._state.fighters[each].effect(id) is None for each in names):
            id = known_condition(self.ruleset, id)
        if id == "left" and self._state.stage != "setup":
            return self._left(names, [value, modifiers, until], off=off, note=note)
        numbers = {} if off else check_modifiers(modifiers, f"condition {id}")
        for each in names if numbers else ():
            known = self.ruleset.numbers(self._state, self._state.fighters[each])
            for number in numbers:
                if any(vital.name == number for vital in self.ruleset.vitals):
                    right = f"use temporary({each!r}, ...), or edit {number}_max"
                    raise InvalidInput(f"condition {id}: {number} is what {each} has left; {right}")
                if number not in known:
                    raise UnknownName.of(f"number of {each}", number, known)
        draft = self._draft(by="gm", note=note, passes=True)
        if off:
            self._end_conditions(draft, names, id)
        else:
            check_conditions(draft.state, len(names))
            value = plain(value, f"condition {id}: value", VALUE)
            for each in names:
                check_by_hand(self.ruleset, draft.state, id, each)
                _check_conditions_of(draft, each, id)
                anchor, rounds = anchor_of(draft.state, each, self.ruleset.span(until))
                given = Given(each, id, value, dict(numbers) or None, anchor, rounds=rounds)
                self.ruleset.set_condition(draft, given)
        if self.ruleset.keeps(self._state, id):  # players read what undo takes back
            return self._accept(draft, "Condition")
        return self._accept(draft, id.replace("_", " ").capitalize(), names)

    def _left(self, names: Sequence[str], given: Iterable[object], *, off: bool, note: str) -> tuple[Event, ...]:
        """Let somebody leave or come back, as `leave` and `join` do."""
        if not off:
            if any(each is not None for each in given):
                raise InvalidInput("condition left takes nothing else: they are away until they come back, with join")
            return self._leave(names, note)
        for name in names:
            if self._fighter(name).effect("left") is None:
                raise InvalidInput(f"{name} has not left")
        return self._join([Arrival(name) for name in names], None, note=note)

    def _end_conditions(self, draft: Draft, names: Sequence[str], id: str) -> None:
        for name in names:
            if draft.state.fighters[name].effect(id) is None:
                spec, word = self.ruleset.conditions.get(id), id.replace("_", " ")
                raise InvalidInput(f"{name} has no {word}" if spec and spec.had else f"{name} is not {word}")
            self.ruleset.set_condition(draft, Given(name, id, off=True))
            if id == "delayed":
                call_next(draft, name)

    @changing
    def place(
        self,
        name: str,
        *,
        at: object = None,
        before: str | None = None,
        after: str | None = None,
        count: int | str | None = None,
        note: str = "",
    ) -> tuple[Event, ...]:
        """Move a combatant on the map or on the ladder, by the GM's word.

        If a turn is under way and nothing has been done in it, it moves with its place, and whoever now comes first
        begins.

        Parameters
        ----------
        name : str
            Who.
        at : object, optional
            Where they stand now.
        before, after : str, optional
            Who they act just before or after from now on.
        count : int or str, optional
            The score they act on from now on; in rounds of ten segments ``"HIGH"`` or ``"LOW"`` as well.
        note : str
            Why.

        Returns
        -------
        tuple of Event
            All that happened.
        """
        name = self._fighter(name).name
        given = [k for k, v in (("at", at), ("before", before), ("after", after), ("count", count)) if v is not None]
        if not given or len([g for g in given if g != "at"]) > 1:
            raise InvalidInput("place takes at=, and one of before=, after= or count=")
        draft = self._draft(by="gm", note=note, passes=True)
        if at is not None:
            set_down(draft, name, at)
        if before is not None or after is not None or count is not None:
            self._replace(draft, name, before, after, count)
            self.ruleset.follows(draft, Placed(name))
            flow.give_up_moved(draft, name)
        return self._accept(draft, f"Place {name}")

    def _replace(self, draft: Draft, name: str, before: str | None, after: str | None, count: int | str | None) -> None:
        place = draft.state.place_of(name)
        if place is None:
            if draft.state.fighters[name].effect("left") is not None:
                raise InvalidInput(f"{name} has left the fight; bring them back first")
            raise InvalidInput(f"{name} has no place on the ladder yet; start the fight first")
        place = settled(place)
        if count is not None:
            count = check_count(self.ruleset, count)
            moved = self.ruleset.placed(draft.state, draft.state.fighters[name], place, count)
            said = say("order.placed_in", half=count) if isinstance(count, str) else say("order.placed_at", score=count)
            draft.order(moved, said, by="gm")
            return
        other_name = before if before is not None else after
        assert other_name is not None
        other_name = only_one(draft.state, *as_names([other_name]))
        other = draft.state.place_of(other_name)
        if other is None:
            raise InvalidInput(f"{other_name} has no place on the ladder; name somebody who is on it")
        if other.id == place.id:
            raise InvalidInput(f"{name} can't go before or after themselves; name somebody else")
        word = "before" if before is not None else "after"
        moved = beside(place, other, word)
        moved = replace(moved, why=f"placed just {word} {other_name}", facts={**moved.facts, "placed": True})
        draft.order(moved, say(f"order.placed_{word}", other=other_name), by="gm", at=(word, other.id))


def _check_conditions_of(draft: Draft, name: str, id: str) -> None:
    """Refuse one more condition for somebody who has as many as they may."""
    held = draft.state.fighters[name].effects
    if len(held) >= CONDITIONS and all(effect.id != id for effect in held):
        raise InvalidInput(
            f"{name} has {len(held)} conditions, and nobody can have more than {CONDITIONS}; end some first"
        )
