"""Setting a fight up: combatants and their sheets, rosters, tables, the start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from combatkit.core.limits import ADDED, CONDITIONS
from combatkit.core.model import Act, Event, Fighter
from combatkit.core.plain import own_text, short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.fight.arrival import Arrival
from combatkit.fight.session import Session, changing
from combatkit.files.tables import SCENE, check_rows, check_scene, read_table
from combatkit.rules import flow
from combatkit.rules.checks import (
    check_condition,
    check_conditions,
    check_known,
    check_name,
    check_room,
    check_stats,
    check_words,
    unread,
)
from combatkit.rules.draft import Draft
from combatkit.rules.draw import ROLLED
from combatkit.rules.params import as_names
from combatkit.rules.perform import let_pass, proceed
from combatkit.rules.sheet import changed, check_kept, said_changes
from combatkit.text import say

if TYPE_CHECKING:
    from combatkit.files.rosters import RosterRow


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
        at: Any = None,
        conditions: Iterable[str] = (),
        **stats: Any,
    ) -> tuple[Event, ...]:
        """Add a combatant, or several alike.

        Parameters
        ----------
        name : str
            The name; with a `count` above 1 they are called ``"NAME 1"``, ``"NAME 2"`` ...
        side : str
            Whose side it is on.
        count : int
            How many.
        npc : bool
            Whether the GM plays it.
        group : str, optional
            A group that shares what the rules let groups share; `name` for several alike.
        at : object, optional
            Where it stands.
        conditions : iterable of str
            Conditions it begins with.
        **stats
            The ruleset's stats; see ``ruleset.stats``.

        Returns
        -------
        tuple of Event
            One for each combatant.

        Raises
        ------
        UnknownName
            For a stat this ruleset does not have.
        InvalidInput
            For a value out of range, a name that is taken, or a fight that has begun.
        """
        if self._state.stage != "setup":
            raise InvalidInput(f"the fight is running; use join(...) to bring {name!r} in")
        draft = self._draft()
        self._add(draft, Arrival(name, side, count, npc, group, at, conditions, stats))
        return self._accept(draft, f"Add {name}")

    def _add(self, draft: Draft, new: Arrival | RosterRow) -> tuple[str, ...]:
        name, count = check_name(new.name), new.count
        side = check_words(new.side, f"{name}: side")
        group = None if new.group is None else check_words(new.group, f"{name}: group")
        if type(count) is not int or not 1 <= count <= ADDED:
            raise InvalidInput(f"{name}: count is {short(count)}; give a whole number from 1 to {ADDED}")
        if type(new.npc) is not bool:
            raise InvalidInput(f"{name}: npc is {short(new.npc)}; give True or False")
        begins = list(dict.fromkeys(check_condition(each) for each in as_names(new.conditions)))
        if len(begins) > CONDITIONS:
            raise InvalidInput(f"{name}: {len(begins):,} conditions are given; at most {CONDITIONS} hold of one")
        check_room(draft.state.fighters.values(), count, side)
        check_conditions(draft.state, count * len(begins))
        checked = check_stats(self.ruleset, new.stats, name)
        spot = None if new.at is None else self.ruleset.check_position(draft.state, own_text(new.at))
        names = (name,) if count == 1 else tuple(f"{name} {i}" for i in range(1, count + 1))
        last = max([f.number for f in draft.state.fighters.values()], default=0)
        for number, each in enumerate(names, last + 1):
            if (there := draft.state.fighters.get(each)) is not None:
                gone = there.effect("left") is not None
                back = f"has left the fight; take them back with join({each!r}), or give another name"
                raise InvalidInput(f"{each!r} {back if gone else 'is in the fight already; give another name'}")
            vitals = {s.name: checked[s.name] for s in self.ruleset.vitals}
            group_name = group or (name if count > 1 else None)
            fighter = Fighter(each, side, number, group_name, new.npc, checked, vitals, position=spot)
            data = to_builtins(fighter)
            if begins:
                data["conditions"] = begins
            self._bring(draft, each, data)
        return names

    def _bring(self, draft: Draft, name: str, data: dict[str, Any]) -> None:
        """Add one combatant as its event says, with the conditions it begins with."""
        said = "combatant.returns" if data.get("returns") else "combatant.added"
        text = say(said, side=data["side"], unread=unread(self.ruleset.stats, data["stats"]))
        draft.emit("combatant", name, text=text, by="gm", data=data)
        for condition in data.get("conditions", ()):
            self.ruleset.begin_condition(draft, name, condition, None, {}, None)

    def _bring_all(self, people: Iterable[tuple[str, dict[str, Any]]]) -> None:
        """Add those of another fight as their events say: name and data."""
        draft = self._draft()
        for name, data in people:
            self._bring(draft, name, data)
        if draft.events:
            self._accept(draft, "Add the same combatants")

    @changing
    def edit(self, name: str | Sequence[str], **stats: Any) -> tuple[Event, ...]:
        """Change the sheet of one or several, or set a vital, before the fight or in it.

        From now on all is as if they had had it: rolls and rulings go by the new sheet, and budgets are filled by it
        when they are next filled. What has happened stays: nobody moves on the ladder by it (`place` moves them), and
        nobody is wounded or healed by rules (`damage` and `heal` do that).

        Parameters
        ----------
        name : str or sequence of str
            Whose.
        **stats
            Stats, checked as `add` checks them; None puts the default back. Before the fight a vital is the sheet's.
            In a fight it is what is left now: the most it can be stays as it was stated, or rises to it.

        Returns
        -------
        tuple of Event
            One for each; one step of undo, or none if nothing changes.

        Raises
        ------
        UnknownName
            For a name or a stat that there is none of.
        InvalidInput
            For a value that cannot be, no stat at all, somebody whose action is under way, or a part of the sheet on
            which something rests that they keep ready.

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
        names = check_known(self._state, as_names(name))
        if not names:
            raise InvalidInput("edit: name at least one combatant")
        who = names[0] if len(names) == 1 else f"{len(names)} combatants"
        if not stats:
            raise InvalidInput(f"edit: name what is to change of {who}: {', '.join(self.ruleset.stats.ids())}")
        acting = [frame.who for frame in self._state.focus if type(frame) is Act and frame.who in names]
        if acting:
            raise InvalidInput(f"edit: an action of {acting[0]} is under way; carry on, or undo it, first")
        draft = self._draft(by="gm")
        let_pass(draft)
        given = {key: own_text(value) for key, value in stats.items()}
        differs = [self._edit(draft, each, given) for each in names]
        proceed(draft)
        return self._accept(draft, f"Edit {who}" if any(differs) else "")

    def _edit(self, draft: Draft, name: str, given: dict[str, Any]) -> bool:
        """Change one sheet, and say whether anything is another now."""
        old = draft.fighter(name)
        new = changed(self.ruleset, draft.state, old, given)
        said = said_changes(self.ruleset, old, new, given)
        words = unread([s for s in self.ruleset.stats if s.name in given], new.stats)
        text = say("sheet.changes" if said else "sheet.same", changes=said, unread=words)
        draft.emit("combatant", name, text=text, by="gm", data={**to_builtins(new), "edited": [*given]})
        if draft.state.stage == "running":
            check_kept(self.ruleset, draft.state, name)
        return bool(said)

    @changing
    def add_roster(self, source: Any) -> tuple[Event, ...]:
        """Add every combatant of a roster; all of them or, if a row is wrong, none.

        Parameters
        ----------
        source : str, Path, polars.DataFrame or Foreign
            A CSV, JSON, TOML or Parquet file, or a frame. Columns: ``name``, ``side``, and optionally
            ``count``, ``npc``, ``group``, ``at``,
            ``conditions`` and the ruleset's stats. In CSV a list is written with semicolons. Or what
            `combatkit.foreign` has read of another tool's file.

        Returns
        -------
        tuple of Event
            One for each combatant.

        Raises
        ------
        InvalidInput
            For a broken row; it names file, row and column.
        """
        from combatkit.files.foreign import Foreign
        from combatkit.files.rosters import read_roster

        if self._state.stage != "setup":
            raise InvalidInput("the fight is running; use join(...) to bring combatants in")
        given = source.for_ruleset(self.ruleset).roster if isinstance(source, Foreign) else source
        rows = read_roster(self.ruleset, given)
        draft = self._draft()
        for row in rows:
            with row.located():
                self._add(draft, row)
        return self._accept(draft, "Add a roster")

    @changing
    def add_table(self, id: str, source: Any) -> tuple[Event, ...]:
        """Add rows to a table: actions of one's own, or what a source leaves out.

        Parameters
        ----------
        id : str
            Which table: ``"actions"``, ``"scene"`` (what is given with whose attacks, and when who falls; see
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
            For a row whose id is present already.
        """
        draft = self._draft()
        self._add_table(draft, id, source)
        return self._accept(draft, f"Add to {id}")

    def _add_table(self, draft: Draft, id: str, source: Any) -> None:
        rows = read_table(id, source)
        known = ("actions", SCENE, *self.ruleset.tables)
        if id not in known:
            raise UnknownName.of(f"table of {self.ruleset.id}", id, known)
        for number, row in enumerate(rows, 1):
            if not isinstance(row.get("id", ""), (str, int)):
                raise InvalidInput(f"table {id}, row {number}: id is {short(row['id'])}; give text")
        check_rows(draft.state, id, rows)
        present = {r.get("id") for r in self.ruleset.tables.get(id, ())} | {
            r.get("id") for r in draft.state.tables.get(id, ())
        }
        if id == "actions":
            present |= set(self.ruleset.chosen(draft.state.options).ids())
        for row in rows:
            if row.get("id") in present:
                raise InvalidInput(f"table {id}: {short(row.get('id'))} is there already; give the row another id")
            present.add(row.get("id"))
        text = say("table.rows", of=id, number=len(rows), table=id)
        draft.emit("table", text=text, by="gm", data={"table": id, "rows": rows})
        if id == SCENE:
            check_scene(rows)
        else:
            self.ruleset.check_table(draft.state, id)

    @changing
    def start(
        self, *, surprised: Iterable[str] = (), rolls: Any = None, ties: Sequence[str] | None = None
    ) -> tuple[Event, ...]:
        """Begin: surprise, initiative, the first turn.

        Parameters
        ----------
        surprised : iterable of str
            Who is unaware as the fight begins.
        rolls : list of int or mapping, optional
            Natural faces rolled at the table, by combatant or group or in the order asked.
        ties : sequence of str, optional
            An order chosen or drawn at the table among those tied.

        Returns
        -------
        tuple of Event
            All that happened.

        Raises
        ------
        InvalidInput
            If the fight has begun, nobody has been added, or a face is none of the die's.
        """
        state = self._state
        if state.stage != "setup":
            raise InvalidInput("the fight has begun already; restart() gives it anew")
        if not state.fighters:
            raise InvalidInput("add a combatant first: nobody is in the fight")
        unaware = check_known(state, as_names(surprised))
        draft = self._draft(rolls, setup=True)
        draft.ties = check_known(state, as_names(ties or ()))
        marked = {name for name, fighter in state.fighters.items() if fighter.effect("surprised")}.union(unaware)
        unready = "none" if not marked else "some" if len(marked) < len(state.fighters) else "all"
        cited = self.ruleset.cites(draft.state, "begin", unaware=unready)
        draft.emit(
            "begin",
            text=say("begin.begins", unaware=", ".join(unaware)),
            rules=cited,
            data={"surprised": list(unaware)},
        )
        self.ruleset.surprise(draft, unaware)
        self.ruleset.initiative(draft, tuple(state.fighters))
        flow.begin(draft, unready)
        self._allow_roll_offs(draft, tuple(state.fighters))
        return self._accept(draft, "Start the fight")

    def _allow_roll_offs(self, draft: Draft, names: tuple[str, ...]) -> None:
        """Let faces pass that were thrown for a tie that was none; nobody can know beforehand who is tied."""
        if draft.faces.given:
            lots = self.ruleset.lots(self._state)
            groups = [group for name in names if (group := draft.fighter(name).group)]
            draft.faces.allow_roll_offs([*names, *groups], alone=lots is None or lots.ties == ROLLED)
