"""Coming and going while a fight is under way: who joins, who leaves, who comes back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import to_builtins

from combatkit.core.lookup import present
from combatkit.core.model import Event, Fighter
from combatkit.core.plain import bare, check_bool
from combatkit.errors import InvalidInput
from combatkit.fight.arrival import Arrival, Comer
from combatkit.fight.session import changing
from combatkit.fight.setup import Setup, check_ties, next_number
from combatkit.rules import flow
from combatkit.rules.checks import (
    check_condition,
    check_side,
    check_some,
    check_stats,
    check_words,
    known_condition,
)
from combatkit.rules.draft import Draft
from combatkit.rules.initiative import put_back
from combatkit.rules.moves import spot_of
from combatkit.rules.params import as_names, meant_by, stand_for
from combatkit.rules.timing import check_alive, check_free, refusal
from combatkit.rules.vitals import fall_or_rise, first_vital
from combatkit.text import say


class Going(Setup):
    """The part of an encounter in which combatants come and go."""

    @changing
    def join(
        self,
        name: str,
        *,
        side: str | None = None,
        rolls: object = None,
        ties: Sequence[str] | None = None,
        count: int = 1,
        npc: bool | None = None,
        group: str | None = None,
        at: object = None,
        conditions: Iterable[str] = (),
        **stats: object,
    ) -> tuple[Event, ...]:
        """Let a newcomer into a fight under way, or bring back somebody who has left.

        They roll, take their place, and act this round if that place is still to come and they have not acted in it.
        Somebody who comes back keeps whatever is not given again: side, sheet, damage, what they have spent, where they
        stood, and their place in the order, unless dice are given for them. Conditions last, too: only what was for the
        moment, such as an aim, ended as they left.

        Parameters
        ----------
        name, side, count, npc, group, at, conditions, **stats
            As `add` takes them; somebody who has left needs only their name, or that of their group, side or kind.
        rolls, ties
            As `start` takes them.

        Returns
        -------
        tuple of Event
            All that happened.

        Raises
        ------
        IllegalAction
            For somebody dead.
        """
        new = Arrival(name, side, count, npc, group, at, conditions, stats)
        fighters = self._state.fighters
        several = side is None and count == 1 and type(name) is str and bare(name) not in fighters
        back = stand_for(self._state, bare(name), gone=True) if several and meant_by(self._state, bare(name)) else ()
        return self._join([new._replace(name=each) for each in back] or [new], rolls, ties)

    @changing
    def _join_all(self, people: Sequence[Comer], rolls: object = None) -> tuple[Event, ...]:
        """Let several join in one step, whatever they are called."""
        return self._join(people, rolls)

    @changing
    def another(self, name: str, *, rolls: object = None) -> tuple[Event, ...]:
        """Bring in one more of a creature, before the fight or in it, numbered on.

        It comes with the sheet the other has now, unharmed and without conditions, to the same side, group and place;
        but if the other is surprised, so is this one. In a fight under way it rolls and takes its place as anybody does
        who joins.

        Parameters
        ----------
        name : str
            Of which combatant; the name that several bear without their numbers will do.
        rolls : list of int or mapping, optional
            As `join` takes them.

        Returns
        -------
        tuple of Event
            All that happened; one step of undo.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Guard", side="empire", count=3, npc=True, hp=20), enc.start()
        >>> _ = enc.another("Guard 2", rolls=[15])
        >>> enc.names[-1], enc["Guard 4"].values["hp"]
        ('Guard 4', 20)
        """
        fighters = self._state.fighters
        numbered = (each for each in fighters if (split := each.rpartition(" "))[0] == name and split[2].isdecimal())
        like = self._fighter(name if type(name) is not str or name in fighters else next(numbered, name))
        head, _, tail = like.name.rpartition(" ")
        stem = head if tail.isdecimal() and head else like.name
        called = f"{stem} {next_number(fighters, stem)}"
        unaware = ("surprised",) if like.effect("surprised") is not None else ()
        new = Arrival(called, like.side, 1, like.npc, like.group, like.position, unaware, like.stats)
        if self._state.stage != "setup":
            return self._join([new], rolls)
        draft = self._draft(rolls)
        self._add(draft, new)
        return self._accept(draft, f"Add {called}")

    def _join(
        self, people: Sequence[Comer], rolls: object, ties: Sequence[str] | None = None, note: str = ""
    ) -> tuple[Event, ...]:
        draft, acted = self._let_in(people, rolls, note)
        draft.faces.check_keys(self.ruleset.purposes, draft.state)
        draft.ties = check_ties(draft.state, ties)
        here = present(draft.state.fighters)
        back = [name for name in acted if name in here and self._keeps_place(draft, name)]
        for name in back:
            put_back(draft, name)
        if came := tuple(name for name in acted if name in here and name not in back):
            self.ruleset.initiative(draft, came)
        for name, number in acted.items():
            flow.admit(draft, name, acted=number or 0)
        who = people[0].name if len(people) == 1 else f"{len(acted)} combatants"
        word = "join" if len(people) > 1 else "joins" if None in acted.values() else "returns"
        return self._accept(draft, f"{who} {word}")

    def _keeps_place(self, draft: Draft, name: str) -> bool:
        """Check whether somebody comes back to the place they had: no dice or order are given, no round rolls."""
        given = draft.faces.has(name) or name in draft.ties
        return name in draft.state.gone and not given and not self.ruleset.staged

    def _let_in(
        self, people: Sequence[Comer], rolls: object = None, note: str = ""
    ) -> tuple[Draft, dict[str, int | None]]:
        """Let newcomers in up to their first roll: return the draft, and who they are.

        For somebody who returns, their name comes with how often they have acted in this round.
        """
        self._running("join")
        draft = self._draft(rolls, note=note, setup=True, passes=True)
        acted: dict[str, int | None] = {}
        for each in people:
            old = draft.state.fighters.get(bare(each.name)) if type(each.name) is str and each.count == 1 else None
            left = old.effect("left") if old is not None else None
            if old is not None and (left is not None or each.side is None):
                check_alive(self.ruleset, old)
            if old is not None and left is not None:
                if (rule := left.rule) and rule == self.ruleset.cite.get("removed"):
                    raise refusal(f"{old.name} has been taken out of this encounter and doesn't come back in it.", rule)
                acted[self._take_back(draft, old, each)] = left.value if type(left.value) is int else 0
                continue
            if old is not None and each.side is None:
                raise InvalidInput(f"{each.name!r} is already in the fight; only somebody who has left can come back")
            new = each._replace(npc=False) if isinstance(each, Arrival) and each.npc is None else each
            acted |= dict.fromkeys(self._add(draft, new))
        return draft, acted

    def _take_back(self, draft: Draft, old: Fighter, back: Comer) -> str:
        """Bring back somebody who has left; whatever is not given again is as it was."""
        name = old.name
        begins = [known_condition(self.ruleset, check_condition(each)) for each in as_names(back.conditions)]
        checked = check_stats(self.ruleset, {**old.stats, **back.stats}, name)
        vitals = {
            vital: checked[vital] if back.stats.get(vital) is not None else left for vital, left in old.vitals.items()
        }
        draft.end_effects(name, "left")
        fighter = Fighter(
            name,
            old.side if back.side is None else check_side(draft.state, back.side, name),
            old.number,
            old.group if back.group is None else check_words(back.group, f"{name}: group"),
            old.npc if back.npc is None else check_bool(back.npc, f"{name}: npc"),
            checked,
            vitals,
            pools=old.pools,  # filled like everybody's while they were gone: nobody spends anew what is spent
            effects=draft.state.fighters[name].effects,
            progress=old.progress,
            position=old.position if back.at is None else spot_of(draft, back.at),
        )
        data = {**to_builtins(fighter), "returns": True}
        if begins:
            data["conditions"] = begins
        self._bring(draft, name, data)
        fall_or_rise(draft, name, first_vital(self.ruleset, old))
        return name

    @changing
    def leave(self, name: str | Iterable[str]) -> tuple[Event, ...]:
        """Take one or several out of the fight, or off the list before it starts; what they did stays in the log.

        Parameters
        ----------
        name : str or iterable of str
            Who leaves.

        Returns
        -------
        tuple of Event
            All that happened; one step of undo.
        """
        names = check_some(self._state, name, "leave")
        if self._state.stage == "setup":
            draft = self._draft(by="gm")
            for each in names:
                draft.emit("leave", each, text=say("leave.removed"), by="gm")
            who = names[0] if len(names) == 1 else f"{len(names)} combatants"
            return self._accept(draft, f"Remove {who}")
        return self._leave(names)

    def _leave(self, names: Sequence[str], note: str = "") -> tuple[Event, ...]:
        for each in names:
            if self._fighter(each).effect("left"):
                raise InvalidInput(f"{each} has already left")
        draft = self._draft(by="gm", note=note, passes=True)
        for each in names:
            check_free(draft.state, each)
            flow.depart(draft, each, say("leave.leaves"), by="gm")
        who = names[0] if len(names) == 1 else f"{len(names)} combatants"
        return self._accept(draft, f"{who} {'leaves' if len(names) == 1 else 'leave'}")
