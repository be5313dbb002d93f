"""Coming and going while a fight is under way: who joins, who leaves, who comes back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import to_builtins

from combatkit.core.model import Event, Fighter
from combatkit.core.plain import own_text
from combatkit.errors import InvalidInput
from combatkit.fight.arrival import Arrival
from combatkit.fight.session import changing
from combatkit.fight.setup import Setup
from combatkit.rules import flow
from combatkit.rules.checks import check_condition, check_known, check_stats, check_words
from combatkit.rules.draft import Draft
from combatkit.rules.params import as_names
from combatkit.rules.perform import let_pass, proceed
from combatkit.text import say


class Going(Setup):
    """The part of an encounter in which combatants come and go."""

    @changing
    def join(
        self,
        name: str,
        *,
        side: str | None = None,
        rolls: Any = None,
        ties: Sequence[str] | None = None,
        count: int = 1,
        npc: bool | None = None,
        group: str | None = None,
        at: Any = None,
        conditions: Iterable[str] = (),
        **stats: Any,
    ) -> tuple[Event, ...]:
        """Let a newcomer into a fight under way, or take one who has left back.

        They roll, take their place, and act this round if that place is still to come and they have not acted in it.
        Who comes back keeps what is not given anew: side, sheet, damage, where they stood. Conditions they had are
        over, save those that last in their system.

        Parameters
        ----------
        name, side, count, npc, group, at, conditions, **stats
            As `add` takes them; who has left needs only their name.
        rolls, ties
            As `start` takes them.

        Returns
        -------
        tuple of Event
            All that happened.
        """
        self._running("join")
        draft = self._draft(rolls, setup=True)
        let_pass(draft)
        old = draft.state.fighters.get(name) if type(name) is str and count == 1 else None
        left = old.effect("left") if old is not None else None
        names: tuple[str, ...]
        if old is not None and left is not None:
            back = Arrival(name, side, count, npc, group, at, conditions, stats)
            names = (self._take_back(draft, old, back),)
        else:
            if old is not None and side is None:
                raise InvalidInput(f"{name!r} is in the fight already; only who has left comes back")
            names = self._add(draft, Arrival(name, side, count, npc or False, group, at, conditions, stats))
        draft.faces.check_keys(self.ruleset.purposes, draft.state)
        draft.ties = check_known(draft.state, as_names(ties or ()))
        self.ruleset.initiative(draft, names)
        for each in names:
            flow.admit(draft, each, acted=left.value if left is not None and type(left.value) is int else 0)
        proceed(draft)
        self._allow_roll_offs(draft, names)
        return self._accept(draft, f"{name} {'joins' if left is None else 'returns'}")

    def _take_back(self, draft: Draft, old: Fighter, back: Arrival) -> str:
        """Take one who has left back; what is not given anew is as it was."""
        name = old.name
        if back.npc is not None and type(back.npc) is not bool:
            raise InvalidInput(f"{name}: npc is {back.npc!r}; give True or False")
        begins = [check_condition(each) for each in as_names(back.conditions)]
        checked = check_stats(self.ruleset, {**old.stats, **back.stats}, name)
        vitals = {
            vital: checked[vital] if back.stats.get(vital) is not None else left for vital, left in old.vitals.items()
        }
        for effect in old.effects:
            found = self.ruleset.conditions.get(effect.id)
            if found is None or not found.lasting:
                draft.end_effect(name, effect, text=say("combatant.back") if effect.id == "left" else None)
        fighter = Fighter(
            name,
            old.side if back.side is None else check_words(back.side, f"{name}: side"),
            old.number,
            old.group if back.group is None else check_words(back.group, f"{name}: group"),
            old.npc if back.npc is None else back.npc,
            checked,
            vitals,
            pools=old.pools,  # filled like everybody's while they were gone: nobody spends anew what is spent
            effects=draft.fighter(name).effects,
            position=old.position if back.at is None else self.ruleset.check_position(draft.state, own_text(back.at)),
        )
        data = {**to_builtins(fighter), "returns": True}
        if begins:
            data["conditions"] = begins
        self._bring(draft, name, data)
        return name

    @changing
    def leave(self, name: str) -> tuple[Event, ...]:
        """Take a combatant out of the fight; what it did stays in the log. Before the start, off the list.

        Parameters
        ----------
        name : str
            Who leaves.

        Returns
        -------
        tuple of Event
            All that happened.
        """
        self._fighter(name)
        draft = self._draft(by="gm")
        if draft.state.stage == "setup":
            draft.emit("leave", name, text=say("leave.removed"), by="gm")
            return self._accept(draft, f"Remove {name}")
        let_pass(draft)
        if draft.fighter(name).effect("left"):
            raise InvalidInput(f"{name} has already left")
        if draft.state.turn is not None and draft.state.turn.who == name:
            self._past_windows(draft)
        flow.depart(draft, name, say("leave.leaves"), by="gm")
        proceed(draft)
        return self._accept(draft, f"{name} leaves")
