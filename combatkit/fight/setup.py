"""Setting a fight up: combatants and their sheets, rosters, tables, the start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from combatkit.core.curtain import REVEALS, SHOWN_AS
from combatkit.core.limits import ADDED, CONDITIONS
from combatkit.core.lookup import present
from combatkit.core.model import Act, Event, Fighter, State
from combatkit.core.plain import bare, check_bool, check_whole, looks, short
from combatkit.errors import InvalidInput, UnknownName, warn, within
from combatkit.fight.arrival import Arrival, Comer
from combatkit.fight.session import Session, changing
from combatkit.files.tables import SCENE, check_rows, check_scene, read_table
from combatkit.rules import flow
from combatkit.rules.case import Given
from combatkit.rules.checks import (
    check_by_hand,
    check_condition,
    check_conditions,
    check_guise,
    check_known,
    check_name,
    check_room,
    check_row,
    check_side,
    check_some,
    check_words,
    known_condition,
    unread,
)
from combatkit.rules.draft import Draft
from combatkit.rules.moments import Edited
from combatkit.rules.moves import set_down, spot_of
from combatkit.rules.params import as_names, refuse_twice
from combatkit.rules.sheet import MOST, begun, changed, check_kept, said_changes, said_revealed
from combatkit.rules.vitals import fall_or_rise, first_vital
from combatkit.text import say

_NOWHERE: Mapping[str, object] = {}


class Setup(Session):
    """The part of an encounter that brings combatants in and takes them out."""

    @changing
    def add(
        self,
        name: str,
        *,
        side: str,
        count: int = 1,
        npc: bool = False,
        group: str | None = None,
        at: object = None,
        conditions: Iterable[str] = (),
        **stats: object,
    ) -> tuple[Event, ...]:
        """Add a combatant, or several alike.

        Parameters
        ----------
        name : str
            The name; with a `count` above 1 they are called ``"NAME 1"``, ``"NAME 2"`` ..., numbered on from those of
            the name that are there. One more of a name on the same side is numbered too.
        side : str
            Whose side they are on.
        count : int
            How many.
        npc : bool
            Whether the GM plays them.
        group : str, optional
            A group that shares whatever the rules let groups share; for several alike it is `name`.
        at : object, optional
            Where they stand.
        conditions : iterable of str
            Conditions they begin with.
        **stats
            The ruleset's stats; see ``ruleset.stats``. A vital with ``_max`` (``hp=5, hp_max=7``) is its maximum.

        Returns
        -------
        tuple of Event
            One event for each combatant.

        Raises
        ------
        UnknownName
            For a stat this ruleset does not have.
        InvalidInput
            For a value out of range, a name that is taken on another side, or a fight that has begun.
        """
        if self._state.stage != "setup":
            raise InvalidInput(f"the fight is running; use join(...) to bring {name!r} in")
        draft = self._draft()
        self._add(draft, Arrival(name, side, count, npc, group, at, conditions, stats), again=True)
        return self._accept(draft, f"Add {name}")

    def _add(self, draft: Draft, new: Comer, *, again: bool = False) -> tuple[str, ...]:
        """Add somebody, or several; whether one more of a name that is there may be meant."""
        name, count = check_name(new.name), new.count
        side = check_side(draft.state, new.side, name)
        group = None if new.group is None else check_words(new.group, f"{name}: group")
        check_whole(count, f"{name}: count", 1, ADDED)
        npc = check_bool(new.npc, f"{name}: npc")
        held = (known_condition(self.ruleset, check_condition(each)) for each in as_names(new.conditions))
        begins = list(dict.fromkeys(held))
        if len(begins) > CONDITIONS:
            raise InvalidInput(f"{name}: {len(begins):,} conditions given; nobody can have more than {CONDITIONS}")
        check_room(draft.state.fighters.values(), count, side)
        check_conditions(draft.state, count * len(begins))
        checked, vitals = begun(self.ruleset, new.stats, name)
        spot = None if new.at is None else spot_of(draft, new.at)
        there = draft.state.fighters.get(name)
        if there is not None:  # one list may name several alike; a hero who is there comes in no second time
            again |= name not in self._state.fighters
            again = (again and there.side == side) or (npc and there.npc)
        names = _numbered(draft.state.fighters, name, count, again)
        last = max([f.number for f in draft.state.fighters.values()], default=0)
        for number, each in enumerate(names, last + 1):
            if each in draft.state.fighters:
                raise InvalidInput(f"{each!r} is already in the fight; give another name")
            group_name = group or (name if count > 1 else None)
            fighter = Fighter(each, side, number, group_name, npc, checked, vitals, position=spot)
            data = to_builtins(fighter)
            if begins:
                data["conditions"] = begins
            self._bring(draft, each, data)
        return names

    def _bring(self, draft: Draft, name: str, data: dict[str, Any]) -> None:
        """Add one combatant as their event says, with the conditions they begin with."""
        alike = [each for each in draft.state.fighters if each != name and looks(each) == looks(name)]
        aside = draft.language.render(say("combatant.alike", names=alike)) if alike else ""
        _check_guise(draft, name, data["stats"])
        said = "combatant.returns" if data.get("returns") else "combatant.added"
        words = unread(self.ruleset.catalogue(draft.state), self.ruleset.stats, data["stats"])
        text = say(said, side=data["side"], unread=words)
        draft.emit("combatant", name, text=text, by="gm", data=data, aside=aside)
        for condition in data.get("conditions", ()):
            check_by_hand(self.ruleset, draft.state, condition, name)
            self.ruleset.set_condition(draft, Given(name, condition))
        if not data.get("returns"):
            fall_or_rise(draft, name, None)

    @changing
    def _add_all(
        self, people: Iterable[Comer], title: str, spots: Mapping[str, object] = _NOWHERE, unaware: Iterable[str] = ()
    ) -> None:
        """Add several in one step: who they are, where they stand, and who begins surprised."""
        draft = self._draft(by="gm")
        for each in people:
            self._add(draft, each)
        for name, spot in spots.items():
            set_down(draft, name, spot)
        for name in unaware:
            self.ruleset.set_condition(draft, Given(name, "surprised"))
        self._accept(draft, title)

    def _bring_all(self, people: Iterable[tuple[str, dict[str, object]]]) -> None:
        """Add the combatants of another fight as their events say: name and data."""
        draft = self._draft()
        for name, data in people:
            self._bring(draft, name, data)
        if draft.events:
            self._accept(draft, "Add the same combatants")

    @changing
    def edit(self, name: str | Iterable[str], **stats: object) -> tuple[Event, ...]:
        """Change the sheet of one combatant or several, or set a vital, before the fight or in it.

        From now on everything goes by the new sheet: rolls, rulings, and budgets when they are next filled. What has
        happened stays: nobody moves on the ladder (use `place`), and no rule wounds or heals anybody (use `damage` and
        `heal`).

        Parameters
        ----------
        name : str or iterable of str
            Whose.
        **stats
            Stats, checked as `add` checks them; None restores the default. Before the fight a vital is the sheet's. In
            a fight it is what is left now: the maximum stays as it was stated, or rises to it. A vital's name with
            ``_max`` (``hp_max=45``) is its maximum, and heals nobody.

        Returns
        -------
        tuple of Event
            One event for each; one step of undo.

        Raises
        ------
        UnknownName
            For an unknown name or stat.
        InvalidInput
            For a bad value, no stat at all, somebody in the middle of an action, or a part of the sheet that an action
            they keep ready depends on.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Mara", side="rebels", dex=4, hp=38), enc.start()
        >>> enc.edit("Mara", dex=5, hp=20)[0].text
        'now has dex 5 (was 4) and hp 20 (was 38)'
        >>> enc["Mara"].stats["hp"], enc["Mara"].values["hp"]
        (38, 20)
        """
        names = check_some(self._state, name, "edit")
        who = names[0] if len(names) == 1 else f"{len(names)} combatants"
        if not stats:
            raise InvalidInput(f"edit: name what to change for {who}: {', '.join(self.ruleset.stats.ids())}")
        acting = [frame.who for frame in self._state.focus if type(frame) is Act and frame.who in names]
        if acting:
            raise InvalidInput(f"edit: {acting[0]} is in the middle of an action; carry on or undo it first")
        draft = self._draft(by="gm", passes=True)
        for each in names:
            self._edit(draft, each, stats)
        return self._accept(draft, f"Edit {who}")

    def _edit(self, draft: Draft, name: str, given: dict[str, object]) -> None:
        """Change one sheet; whoever is no longer shown as another is revealed."""
        old = draft.state.fighters[name]
        if SHOWN_AS in given and given[SHOWN_AS] is None and old.stats.get(SHOWN_AS):
            if rest := {stat: value for stat, value in given.items() if stat != SHOWN_AS}:
                self._edit(draft, name, rest)
            self._reveal(draft, name)
            return
        new = changed(self.ruleset, draft.state, old, given)
        _check_guise(draft, name, new.stats)
        said = said_changes(self.ruleset, draft.state, old, new, given)
        named = [s for s in self.ruleset.stats if s.name in given]
        words = unread(self.ruleset.catalogue(draft.state), named, new.stats)
        text = say("sheet.changes" if said else "sheet.same", changes=said, unread=words)
        before = draft.state
        draft.emit("combatant", name, text=text, by="gm", data={**to_builtins(new), "edited": [*given]})
        draft.cap(before, name)
        fall_or_rise(draft, name, first_vital(self.ruleset, old))
        if draft.state.stage == "running" and not all(
            self.ruleset.stats[key.removesuffix(MOST)].vital for key in given
        ):
            check_kept(self.ruleset, draft.state, name)
            self.ruleset.follows(draft, Edited(name))

    @changing
    def reveal(self, name: str | Iterable[str]) -> tuple[Event, ...]:
        """Tell players who somebody is whom they know by another name (`shown_as`): from now on they read the true one.

        What they have read before stays as it was. An undo takes it back.

        Parameters
        ----------
        name : str or iterable of str
            Who.

        Returns
        -------
        tuple of Event
            One event for each; one step of undo.

        Raises
        ------
        UnknownName
            For an unknown name.
        InvalidInput
            If players know them by their own name already.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Mara", side="rebels"), enc.add("Baron Vex", side="empire", npc=True, shown_as="a hooded man")
        >>> "Vex" in enc.log(view="players").markdown
        False
        >>> enc.reveal("Baron Vex")[0].text
        'is the hooded man'
        >>> "The hooded man is Baron Vex." in enc.log(view="players").markdown
        True
        """
        names = check_some(self._state, name, "reveal")
        draft = self._draft(by="gm", passes=True)
        for each in names:
            if not draft.state.fighters[each].stats.get(SHOWN_AS):
                raise InvalidInput(f"reveal: players know {each} by that name already")
            self._reveal(draft, each)
        return self._accept(draft, "Reveal", names)

    def _reveal(self, draft: Draft, name: str) -> None:
        old = draft.state.fighters[name]
        called = old.stats[SHOWN_AS]
        new = changed(self.ruleset, draft.state, old, {SHOWN_AS: None})
        data = {**to_builtins(new), "edited": [SHOWN_AS], REVEALS: called}
        draft.emit("combatant", name, text=said_revealed("shown.is", called, name), by="gm", data=data)

    @changing
    def _turn_into(self, name: str, called: str, side: str, stats: Mapping[str, object]) -> tuple[Event, ...]:
        """Change who somebody is before the fight, in one step: name, side, sheet."""
        if self._state.stage != "setup":
            raise InvalidInput("the fight is running: names and sides stay as they are")
        draft = self._draft(by="gm")
        (old,) = (draft.state.fighters[each] for each in check_some(self._state, name, "edit"))
        new = changed(self.ruleset, draft.state, old, dict(stats))
        who, whose = check_name(called), check_side(draft.state, side, called)
        if who != name:
            if who in draft.state.fighters:
                raise InvalidInput(f"{who!r} is already in the fight; give another name")
            flow.depart(draft, name, say("leave.leaves"), by="gm")
        whole = to_builtins(replace(new, name=who, side=whose, effects=()))
        self._bring(draft, who, {**whole, "conditions": [effect.id for effect in old.effects]})
        return self._accept(draft, f"Edit {who}")

    @changing
    def add_roster(self, source: object) -> tuple[Event, ...]:
        """Add every combatant in a roster: all of them or, if a row is wrong, none.

        Parameters
        ----------
        source : path, text, bytes, frame, list, mapping or Foreign
            A table as spreadsheets save it (``.csv``, ``.tsv``, ``.txt``, with the extra ``sheets`` ``.xlsx``), one in
            Markdown (``.md``), a JSON, TOML or Parquet file; the text or bytes of one; a frame of polars or pandas, a
            list of mappings, a mapping of lists. Columns, in any case: ``name``, ``side``, and optionally ``count``,
            ``npc``, ``group``, ``at``, ``conditions`` and the ruleset's stats. In a cell a list is written with
            semicolons or commas. Or what `combatkit.foreign` has read from another tool's file.

        Returns
        -------
        tuple of Event
            One event for each combatant.

        Raises
        ------
        InvalidInput
            For a broken row; it names file, row and column.
        """
        from combatkit.files.foreign import Foreign
        from combatkit.files.rosters import columns, read_roster

        if self._state.stage != "setup":
            raise InvalidInput("the fight is running; use join(...) to bring combatants in")
        given = source.for_ruleset(self.ruleset).roster if isinstance(source, Foreign) else source
        rest: dict[str, dict[str, object]] = {}
        rows = read_roster(self.ruleset, given, rest=rest)
        draft = self._draft()
        for row in rows:
            with within(row.where):
                self._add(draft, row)
        known, file = [each.name for each in columns(self.ruleset)], rows[0].where.rpartition(", row ")[0]
        for column in dict.fromkeys(column for cells in rest.values() for column in cells):
            warn(f"left out of {file}: {UnknownName.of('column', column, known)}")
        return self._accept(draft, "Add a roster")

    @changing
    def add_table(self, id: str, source: object) -> tuple[Event, ...]:
        """Add rows to a table: actions of your own, or what a source leaves out.

        Parameters
        ----------
        id : str
            Which table: ``"actions"``, ``"scene"`` (what goes with whose attacks, and when they fall; see
            `combatkit.files.tables`), or one of ``ruleset.tables``.
        source : str, Path, sequence of mappings or polars.DataFrame
            A TOML file with an array of tables named `id`, rows, or a frame.

        Returns
        -------
        tuple of Event
            The event that logs it.

        Raises
        ------
        InvalidInput
            For a row whose id is already there.
        """
        draft = self._draft()
        self._add_table(draft, id, source)
        return self._accept(draft, f"Add to {id}")

    def _add_table(self, draft: Draft, id: str, source: object) -> None:
        rows = read_table(id, source)
        known = ("actions", SCENE, *self.ruleset.tables)
        if id not in known:
            raise UnknownName.of(f"table of {self.ruleset.id}", id, known)
        check_rows(draft.state, id, rows)
        listed = [*self.ruleset.tables.get(id, ()), *draft.state.tables.get(id, ())]
        present = {row.get("id") for row in listed}
        if id == "actions":
            present.update(self.ruleset.chosen(draft.state.options).ids())
        for number, row in enumerate(rows, 1):
            if not isinstance(row.get("id", ""), (str, int)):
                raise InvalidInput(f"table {id}, row {number}: id is {short(row['id'])}; give text")
            if row.get("id") in present:
                raise InvalidInput(f"table {id}: {short(row.get('id'))} is already there; give the row another id")
            present.add(row.get("id"))
        named = [str(row.get("title") or row.get("id") or f"row {n}") for n, row in enumerate(rows, 1)]
        text = say("table.rows", of=id, number=len(rows), table=id.replace("_", " "), rows=named)
        draft.emit("table", text=text, by="gm", data={"table": id, "rows": rows})
        for row in rows if id in self.ruleset.rows else ():
            check_row(self.ruleset, id, row)
        if id == SCENE:
            check_scene(rows)
        else:
            self.ruleset.catalogue(draft.state)  # which makes each action that was added
            self.ruleset.check_table(draft.state, id)

    @changing
    def start(
        self, *, surprised: Iterable[str] = (), rolls: object = None, ties: Sequence[str] | None = None
    ) -> tuple[Event, ...]:
        """Begin: surprise, initiative, the first turn.

        Parameters
        ----------
        surprised : iterable of str
            Who is caught unawares as the fight begins.
        rolls : list of int or mapping, optional
            Natural dice rolled at the table, by combatant or group or in the order asked.
        ties : sequence of str, optional
            The order that the table has chosen or drawn among those tied.

        Returns
        -------
        tuple of Event
            All that happened.

        Raises
        ------
        InvalidInput
            If the fight has begun, nobody has been added, or a number is not on its die.
        """
        draft, unready = self._begin(surprised, rolls)
        draft.ties = check_ties(self._state, ties)
        self.ruleset.initiative(draft, present(draft.state.fighters))
        flow.open_round(draft, self.ruleset.first_round(draft.state), 0, unready)
        return self._accept(draft, "Start the fight")

    def _begin(self, surprised: Iterable[str], rolls: object = None) -> tuple[Draft, str]:
        """Begin, up to the first roll: return the draft, and whether none, some or all are surprised."""
        state = self._state
        if state.stage != "setup":
            raise InvalidInput("the fight has already begun; restart() sets it up again")
        if not state.fighters:
            raise InvalidInput("add a combatant first; nobody is in the fight")
        unaware = check_known(state, surprised)
        draft = self._draft(rolls, setup=True)
        here = present(state.fighters)
        marked = {name for name in here if state.fighters[name].effect("surprised")}.union(unaware)
        unready = "none" if not marked else "some" if len(marked) < len(here) else "all"
        cited = self.ruleset.cites(draft.state, "begin", unaware=unready)
        draft.emit(
            "begin",
            text=say("begin.begins", unaware=", ".join(unaware)),
            rules=cited,
            data={"surprised": list(unaware)},
        )
        self.ruleset.surprise(draft, unaware)
        return draft, unready


def _check_guise(draft: Draft, name: str, stats: dict[str, Any]) -> None:
    """Check as whom somebody is shown to players, and keep it as names are kept."""
    called = stats.get(SHOWN_AS)
    if called:
        stats[SHOWN_AS] = called = bare(called)
    check_guise(draft.state.fighters, name, called)


def _numbered(fighters: Mapping[str, Fighter], name: str, count: int, again: bool) -> tuple[str, ...]:
    """Return what so many of a name are called: numbers go on from those there are, and none is given again."""
    first, there = next_number(fighters, name), name in fighters
    if count == 1 and first == 1 + there and not (there and again and not name.rpartition(" ")[2].isdecimal()):
        return (name,)
    return tuple(f"{name} {number}" for number in range(first, first + count))


def next_number(fighters: Mapping[str, Fighter], name: str) -> int:
    """Return the number that the next one of a name bears: numbers go on from those there are."""
    tails = [each[len(name) + 1 :] for each in fighters if each.startswith(f"{name} ")]
    return max([int(tail) for tail in tails if tail.isdecimal()], default=int(name in fighters)) + 1


def check_ties(state: State, ties: Sequence[str] | None) -> tuple[str, ...]:
    """Check an order that the table has settled: everybody in it once."""
    names = as_names(ties or ())
    refuse_twice(names, "ties")
    return check_known(state, names)
