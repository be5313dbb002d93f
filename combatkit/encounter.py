"""The one object a user holds: a fight, from the first combatant added to the last word."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any
from weakref import WeakMethod

import msgspec
from msgspec import to_builtins

from combatkit.engine import acts, flow
from combatkit.engine.checks import anchor_of, check_known, check_name, check_stats
from combatkit.engine.draft import Draft, Faces
from combatkit.engine.model import Bid, Event, Fighter, Ruling, State, Window
from combatkit.engine.params import as_names, check_params, find_action
from combatkit.engine.rulings import bid_of, judge, ruling_of
from combatkit.engine.ruleset import Ruleset
from combatkit.engine.timeline import Call, Timeline
from combatkit.errors import IllegalAction, InvalidInput, UnknownName
from combatkit.registry import ruleset as find_ruleset
from combatkit.view import View

if TYPE_CHECKING:
    from combatkit.history import History


class Encounter(View):
    """A fight by one ruleset.

    Parameters
    ----------
    ruleset : str or Ruleset
        The system, by id.
    id : str, optional
        A name for the fight; ruleset and seed if none is given (``"saga-7"``).
    seed : int, optional
        Where seeded dice come from; drawn and logged if none is given.
    options : mapping, optional
        Readings that differ from the ruleset's defaults; see ``ruleset.options``.
    map : iterable of pairs, optional
        Zones that touch, for systems with zones.
    tables : mapping, optional
        What a source leaves out, by table id; see `add_table`.

    Raises
    ------
    UnknownName
        For a ruleset or option that is not known.
    InvalidInput
        For a value an option does not take.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("saga", seed=7)
    >>> _ = enc.add("Mara", side="rebels", dex=4, level=6)
    >>> _ = enc.add("Guard", side="empire", count=2, npc=True, dex=1, level=2)
    >>> _ = enc.start(rolls={"Mara": 17, "Guard 1": 9, "Guard 2": 4})
    >>> [(rung.combatant, rung.initiative) for rung in enc.order]
    [('Mara', 24), ('Guard 1', 11), ('Guard 2', 6)]
    >>> enc.do("Mara", "attack", target="Guard 1")[0].text
    'attacks Guard 1'
    >>> enc.can("Mara", "full_attack", target="Guard 1").rule
    'saga.full.symmetric'
    """

    def __init__(
        self,
        ruleset: str | Ruleset,
        *,
        id: str | None = None,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,
        map: Iterable[Any] | None = None,
        tables: Mapping[str, Any] | None = None,
    ) -> None:
        rules = ruleset if isinstance(ruleset, Ruleset) else find_ruleset(ruleset)
        if seed is not None and type(seed) is not int:
            raise InvalidInput(f"seed is {seed!r}; give a whole number")
        seed = secrets.randbits(32) if seed is None else seed
        self._timeline = Timeline()
        self._watchers: list[WeakMethod[Callable[[tuple[Event, ...]], None]]] = []
        self._history: History | None = None
        self._hash = blake2b(digest_size=16)
        self._hashed = 0
        super().__init__(id or f"{rules.id}-{seed}", rules, self._timeline.state, self._timeline.events)
        draft = Draft(rules, self._state, 1)
        data: dict[str, Any] = {
            "id": self.id,
            "system": rules.id,
            "seed": seed,
            "options": rules.settle(options),
        }
        if map is not None:
            data["map"] = to_builtins(list(map))
        draft.emit("encounter", text=f"{rules.title}, seed {seed}", data=data)
        for table, source in (tables or {}).items():
            self._add_table(draft, table, source)
        self._accept(draft, "Make the fight")

    @property
    def _state(self) -> State:
        return self._timeline.state

    @property
    def _events(self) -> Sequence[Event]:
        return self._timeline.events

    @property
    def seed(self) -> int:
        """Where seeded dice come from."""
        return self._state.seed

    @property
    def history(self) -> History:
        """The fight as polars frames: events, rolls, turns, rounds, budgets."""
        if self._history is None:
            from combatkit.history import History

            self._history = History(self)
        return self._history

    @property
    def digest(self) -> str:
        """A string over log, state and dice: the same before and after a refused call."""
        for event in self._events[self._hashed :]:
            self._hash.update(msgspec.json.encode(event))
        self._hashed = len(self._events)
        whole = self._hash.copy()
        whole.update(msgspec.msgpack.encode(self._state, order="deterministic"))
        return whole.hexdigest()

    def __repr__(self) -> str:
        """Say which fight it is and where it stands."""
        who = f", {self.active}'s turn" if self.active else ""
        return f"<Encounter {self.id}: {self.clock.label}{who}, {len(self._state.fighters)} combatants>"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        from combatkit.widgets import Tracker

        return Tracker(self)._repr_mimebundle_(**kwargs)

    # ── setting up ──

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
            raise InvalidInput(f"the fight has begun: {name!r} can join it, with join(...)")
        draft = self._draft()
        self._add(draft, name, side, count, npc, group, at, conditions, stats)
        return self._accept(draft, f"Add {name}")

    def _add(
        self,
        draft: Draft,
        name: Any,
        side: Any,
        count: Any,
        npc: Any,
        group: Any,
        at: Any,
        conditions: Iterable[str],
        stats: Mapping[str, Any],
    ) -> tuple[str, ...]:
        name = check_name(name)
        if not isinstance(side, str) or not side.strip():
            raise InvalidInput(f"{name}: side is {side!r}; give text")
        if type(count) is not int or not 1 <= count <= 1000:
            raise InvalidInput(f"{name}: count is {count!r}; give a whole number from 1 to 1000")
        if type(npc) is not bool:
            raise InvalidInput(f"{name}: npc is {npc!r}; give True or False")
        checked = check_stats(self.ruleset, stats, name)
        names = (name,) if count == 1 else tuple(f"{name} {i}" for i in range(1, count + 1))
        for each in names:
            if each in draft.state.fighters:
                raise InvalidInput(f"{each!r} is in the fight already; names must differ")
            vitals = {s.name: checked[s.name] for s in self.ruleset.vitals}
            number = len(draft.state.fighters) + 1
            group_name = group or (name if count > 1 else None)
            fighter = Fighter(each, side.strip(), number, group_name, npc, checked, vitals, position=at)
            text = f"is added for {fighter.side}"
            draft.emit("combatant", each, text=text, by="gm", data=to_builtins(fighter))
            for condition in conditions:
                draft.effect(each, condition, by="gm")
        return names

    def add_roster(self, source: Any) -> tuple[Event, ...]:
        """Add every combatant of a roster; all of them or, if a row is wrong, none.

        Parameters
        ----------
        source : str, Path or polars.DataFrame
            A CSV, JSON or Parquet file, or a frame. Columns: ``name``, ``side``, and optionally ``count``, ``npc``, ``group``, ``at``,
            ``conditions`` and the ruleset's stats. In CSV a list is written with semicolons.

        Returns
        -------
        tuple of Event
            One for each combatant.

        Raises
        ------
        InvalidInput
            For a broken row; it names file, row and column.
        """
        from combatkit.rosters import read_roster

        if self._state.stage != "setup":
            raise InvalidInput("the fight has begun: combatants can join it, with join(...)")
        rows = read_roster(self.ruleset, source)
        draft = self._draft()
        for row in rows:
            with row.located():
                self._add(draft, row.name, row.side, row.count, row.npc, row.group, row.at, row.conditions, row.stats)
        return self._accept(draft, "Add a roster")

    def add_table(self, id: str, source: Any) -> tuple[Event, ...]:
        """Add rows to a table: actions of one's own, or what a source leaves out.

        Parameters
        ----------
        id : str
            Which table: ``"actions"``, or one of ``ruleset.tables``.
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
        from combatkit.tables import read_table

        rows = read_table(id, source)
        known = ("actions", *self.ruleset.tables)
        if id not in known:
            raise UnknownName.of(f"table of {self.ruleset.id}", id, known)
        present = {r.get("id") for r in self.ruleset.tables.get(id, ())} | {r.get("id") for r in draft.state.tables.get(id, ())}
        if id == "actions":
            present |= set(self.ruleset.actions.ids())
        for row in rows:
            if row.get("id") in present:
                raise InvalidInput(f"table {id}: {row.get('id')!r} is there already; give the row another id")
            present.add(row.get("id"))
        draft.emit("table", text=f"{len(rows)} rows for {id}", by="gm", data={"table": id, "rows": rows})
        self.ruleset.check_table(draft.state, id)

    def start(
        self, *, surprised: Iterable[str] = (), rolls: Any = None, ties: Sequence[str] | None = None
    ) -> tuple[Event, ...]:
        """Begin: surprise, initiative, the first turn.

        Parameters
        ----------
        surprised : iterable of str
            Who is unaware as the fight begins.
        rolls : list of int or mapping, optional
            Natural faces thrown at the table, by combatant or group or in the order asked.
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
            raise InvalidInput("nobody is in the fight: add somebody first")
        unaware = check_known(state, as_names(surprised))
        draft = self._draft(rolls, setup=True)
        draft.ties = check_known(state, ties or ())
        words = f"the fight begins; surprised: {', '.join(unaware)}" if unaware else "the fight begins"
        draft.emit("begin", text=words, data={"surprised": list(unaware)})
        self.ruleset.surprise(draft, unaware)
        self.ruleset.initiative(draft, tuple(state.fighters))
        flow.begin(draft)
        return self._accept(draft, "Start the fight")

    def join(
        self,
        name: str,
        *,
        side: str,
        rolls: Any = None,
        ties: Sequence[str] | None = None,
        count: int = 1,
        npc: bool = False,
        group: str | None = None,
        at: Any = None,
        conditions: Iterable[str] = (),
        **stats: Any,
    ) -> tuple[Event, ...]:
        """Let a newcomer into a fight under way: it rolls, takes its place, and acts this round if that place is still to come.

        Parameters
        ----------
        name, side, count, npc, group, at, conditions, **stats
            As `add` takes them.
        rolls, ties
            As `start` takes them.

        Returns
        -------
        tuple of Event
            All that happened.
        """
        self._running("join")
        draft = self._draft(rolls, setup=True)
        acts.let_pass(draft)
        names = self._add(draft, name, side, count, npc, group, at, conditions, stats)
        draft.faces.check_keys(_roll_keys(draft.state))
        draft.ties = check_known(draft.state, ties or ())
        self.ruleset.initiative(draft, names)
        for each in names:
            flow.admit(draft, each)
        flow.run(draft)
        return self._accept(draft, f"{name} joins")

    def leave(self, name: str) -> tuple[Event, ...]:
        """Take a combatant out of the fight; what it did stays in the log under its name.

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
        acts.let_pass(draft)
        if draft.fighter(name).effect("left"):
            raise InvalidInput(f"{name} has left already")
        if draft.state.turn is not None and draft.state.turn.who == name:
            self._no_window(draft)
            flow.close_turn(draft)
        draft.effect(name, "left", text="leaves the fight", by="gm")
        draft.emit("leave", name, text="is off the ladder", by="gm")
        flow.run(draft)
        return self._accept(draft, f"{name} leaves")

    def restart(self, seed: int | None = None) -> Encounter:
        """Give a new encounter with the same combatants, options and tables.

        Parameters
        ----------
        seed : int, optional
            Its seed; drawn if none is given.

        Returns
        -------
        Encounter
            Not yet begun.
        """
        state = self._state
        other = Encounter(self.ruleset, seed=seed, options=state.options, map=state.map, tables=state.tables)
        draft = other._draft()
        for event in self._events:
            if event.kind == "combatant" and event.actor in state.fighters and event.actor not in draft.state.fighters:
                draft.emit("combatant", event.actor, text=event.text, by="gm", data=event.data)
        if draft.events:
            other._accept(draft, "Add the same combatants")
        return other

    # ── acting ──

    def do(
        self,
        name: str,
        action: str,
        /,
        *,
        target: str | Sequence[str] | None = None,
        rolls: Any = None,
        note: str = "",
        override: bool = False,
        **params: Any,
    ) -> tuple[Event, ...]:
        """Carry out an action, in or out of turn.

        Parameters
        ----------
        name : str
            Who acts.
        action : str
            The action's id; see ``ruleset.actions``.
        target : str or sequence of str, optional
            At whom.
        rolls : list of int or mapping, optional
            Natural faces thrown at the table, in the order asked or by purpose.
        note : str
            A person's own words for the log.
        override : bool
            The GM sets the rules aside; what was overruled is logged.
        **params
            The action's own parameters; see `choices`.

        Returns
        -------
        tuple of Event
            All that happened.

        Raises
        ------
        IllegalAction
            If the rules refuse it; `ruling` is what `can` gives.
        UnknownName, InvalidInput
            If a name is unknown or a value cannot be.
        """
        if target is not None:
            params["target"] = target
        rules = self.ruleset
        state = self._state
        if name not in state.fighters:
            self._fighter(name)
        found = find_action(rules, state, action)
        checked = check_params(rules, state, found, params)
        draft = Draft(rules, state, self._timeline.next_seq, None, "player", check_note(note))
        if rolls is not None:
            draft.faces = Faces(rolls)
            draft.faces.check_keys(_roll_keys(state))
        bid = bid_of(state, name) if state.focus else None
        answers = bid is not None and found.id in bid.actions
        if not answers and state.focus and type(state.focus[-1]) is Window:
            acts.let_pass(draft)
        fighter = draft.state.fighters[name]
        judged = judge(rules, draft.state, fighter, found, checked)
        overruled: tuple[str, ...] = ()
        if judged.objections or judged.missing:
            ruling = ruling_of(rules, draft.state, fighter, found, checked, judged)
            if not override or not judged.objections or judged.missing or draft.state.stage != "running":
                raise IllegalAction(ruling)
            overruled = tuple(r for r in ruling.rules if r != found.rule) or (found.rule,)
        opened = not answers and found.when == "reaction" and draft.state.window is None
        if opened:
            self._open_for(draft, name, found.id, found.rule, checked.get("trigger"))
        if answers or opened:
            draft.emit("answer", name, found.id, text=f"answers with {found.title.lower()}", data={"used": found.id})
        acts.perform(draft, fighter, found, checked, judged, overruled=overruled)
        if opened and type(draft.state.top) is Window:
            acts.close_window(draft)
        if not draft.state.focus:
            flow.run(draft)
        return self._accept(draft, found.title)

    def _open_for(self, draft: Draft, name: str, action: str, rule: str, trigger: Any) -> None:
        turn = draft.state.turn
        by = (turn.who,) if turn is not None else ()
        about = acts.trigger_text(trigger) if trigger else "something happens"
        if turn is not None:
            about = f"{turn.who}: {about}"
        acts.open_trigger(draft, by, about, (Bid(name, (action,), rule),))

    def resolve(self, *, answer: Any = None, rolls: Any = None, note: str = "") -> tuple[Event, ...]:
        """Close the top window: who has not answered declines, and what was interrupted goes on.

        Parameters
        ----------
        answer : object, optional
            Settles a question to the GM; one of its `choices`.
        rolls : list of int or mapping, optional
            Natural faces for what goes on.
        note : str
            A person's own words for the log.

        Returns
        -------
        tuple of Event
            All that happened.

        Raises
        ------
        IllegalAction
            If no window is open, or somebody must answer first.
        InvalidInput
            If the answer is none of the question's choices.
        """
        draft = self._draft(rolls, note=note)
        window = draft.state.window
        if window is None:
            raise IllegalAction(Ruling(False, "No window is open: there is nothing to resolve."))
        waiting = [b.who for b in window.bids if b.must and not b.answered]
        if waiting:
            raise IllegalAction(Ruling(False, f"{', '.join(waiting)} must answer first ({window.about}).", window.bids[0].rule))
        if window.question and answer not in window.choices:
            right = ", ".join(repr(c) for c in window.choices)
            raise InvalidInput(f"the answer is {answer!r}; the question ({window.about}) takes {right}")
        if not window.question and answer is not None:
            raise InvalidInput(f"nothing was asked of the GM: the open window is {window.about!r}")
        acts.close_window(draft, answer=answer, by="gm" if window.question else "player")
        flow.run(draft)
        return self._accept(draft, "Go on")

    def trigger(
        self,
        *by: str,
        offers: Iterable[str] = (),
        to: str | Sequence[str] | None = None,
        segment: int | None = None,
        text: str = "",
    ) -> tuple[Event, ...]:
        """Say that something happened which no declared action shows; opens one window if somebody can answer.

        Parameters
        ----------
        *by : str
            Who did it; nobody for a trap.
        offers : iterable of str
            The actions that may answer; all reactions if none is named.
        to : str or sequence of str, optional
            Who may answer; everybody else if nobody is named.
        segment : int, optional
            When in the round, where a system has segments.
        text : str
            What happened.

        Returns
        -------
        tuple of Event
            All that happened.
        """
        self._running("trigger")
        draft = self._draft()
        acts.let_pass(draft)
        self._no_window(draft)
        state = draft.state
        doers = check_known(state, by)
        about = check_note(text) or (f"{', '.join(doers)} acts" if doers else "something happens")
        asked = check_known(state, as_names(to)) if to is not None else None
        wanted = tuple(find_action(self.ruleset, state, a).id for a in as_names(offers))
        data: dict[str, Any] = {"by": list(doers)}
        if segment is not None:
            data["segment"] = segment
        draft.emit("trigger", doers[0] if doers else None, text=about, by="gm", data=data)
        bids = acts.trigger_bids(draft, doers, asked, wanted)
        if bids:
            acts.open_trigger(draft, doers, about, bids)
        return self._accept(draft, "Something happens")

    def end_turn(self, *, rolls: Any = None) -> tuple[Event, ...]:
        """End the turn under way; with nobody active, close the present step.

        Parameters
        ----------
        rolls : list of int or mapping, optional
            Natural faces for what the end of the turn asks: group dice.

        Returns
        -------
        tuple of Event
            All that happened, up to the next who may choose.

        Raises
        ------
        IllegalAction
            While a window is open.
        """
        self._running("end_turn")
        draft = self._draft(rolls)
        acts.let_pass(draft)
        self._no_window(draft)
        if draft.state.turn is not None:
            flow.close_turn(draft, by="player")
        else:
            flow.leave_step(draft)
        flow.run(draft)
        return self._accept(draft, "End turn")

    def next_round(self, *, rolls: Any = None) -> tuple[Event, ...]:
        """Go on to the next round by the GM's word; who has not acted is logged.

        Parameters
        ----------
        rolls : list of int or mapping, optional
            Natural faces for what the new round asks.

        Returns
        -------
        tuple of Event
            All that happened.
        """
        self._running("next_round")
        draft = self._draft(rolls, by="gm")
        acts.let_pass(draft)
        self._no_window(draft)
        flow.skip_round(draft)
        flow.run(draft)
        return self._accept(draft, "Next round")

    def finish(self) -> tuple[Event, ...]:
        """End the fight.

        Returns
        -------
        tuple of Event
            The last of them.
        """
        self._running("finish")
        draft = self._draft(by="gm")
        acts.let_pass(draft)
        draft.emit("over", text="the fight is over", by="gm")
        return self._accept(draft, "Finish")

    # ── the GM's bookkeeping ──

    def adjust(
        self, names: str | Sequence[str], vital: str | None = None, by: int = 0, note: str = ""
    ) -> tuple[Event, ...]:
        """Take from a vital or give to it, of one or several.

        Parameters
        ----------
        names : str or sequence of str
            Whose.
        vital : str, optional
            Which; the one damage comes off if none is named.
        by : int
            How much, negative for a loss.
        note : str
            Why.

        Returns
        -------
        tuple of Event
            One for each.
        """
        who = check_known(self._state, as_names(names))
        vitals = [s.name for s in self.ruleset.vitals]
        vital = vitals[0] if vital is None else vital
        if vital not in vitals:
            raise UnknownName.of(f"vital of {self.ruleset.id}", vital, vitals)
        if type(by) is not int:
            raise InvalidInput(f"adjust: by is {by!r}; give a whole number, negative for a loss")
        draft = self._draft(by="gm", note=note)
        for name in who:
            self.ruleset.adjust(draft, name, vital, by)
        flow.run(draft)
        return self._accept(draft, f"Adjust {vital}")

    def condition(
        self,
        name: str,
        id: str,
        *,
        value: Any = None,
        modifiers: Mapping[str, int] | None = None,
        until: str | None = None,
        off: bool = False,
        note: str = "",
    ) -> tuple[Event, ...]:
        """Let a condition begin or end, by the GM's word.

        Parameters
        ----------
        name : str
            Whose.
        id : str
            Which; some are read by rules, others are free text.
        value : object, optional
            What goes with it.
        modifiers : mapping of str to int, optional
            What it adds to values while it lasts.
        until : str, optional
            "end of round", "start of turn", "end of turn", "next action", "start of turn: NAME"; until ended if not given.
        off : bool
            Whether it ends.
        note : str
            Why.

        Returns
        -------
        tuple of Event
            All that happened.
        """
        self._fighter(name)
        if not isinstance(id, str) or not id.strip() or len(id) > 100:
            raise InvalidInput(f"condition is {id!r}; give text of at most 100 characters")
        draft = self._draft(by="gm", note=note)
        if off:
            if draft.fighter(name).effect(id) is None:
                raise InvalidInput(f"{name} is not {id.replace('_', ' ')}")
            draft.end_effects(name, id, by="gm")
        else:
            bad = {k: v for k, v in (modifiers or {}).items() if type(v) is not int}
            if bad:
                raise InvalidInput(f"condition {id}: modifiers {bad!r}; give whole numbers")
            anchor = anchor_of(draft.state, name, until)
            self.ruleset.begin_condition(draft, name, id.strip(), value, dict(modifiers or {}), anchor)
        if draft.state.stage == "running" and draft.state.focus:
            self._drop_unable(draft)
        flow.run(draft)
        return self._accept(draft, id.replace("_", " ").capitalize())

    def _drop_unable(self, draft: Draft) -> None:
        """End the turn of one who can no longer act, if nothing else is under way."""
        turn = draft.state.turn
        if turn is not None and len(draft.state.focus) == 1 and not self.ruleset.able(draft.fighter(turn.who)):
            flow.close_turn(draft)

    def place(
        self,
        name: str,
        *,
        at: Any = None,
        before: str | None = None,
        after: str | None = None,
        count: int | None = None,
        note: str = "",
    ) -> tuple[Event, ...]:
        """Move a combatant on the map or on the ladder, by the GM's word.

        Parameters
        ----------
        name : str
            Who.
        at : object, optional
            Where it stands now.
        before, after : str, optional
            Just before or after whom it acts from now on.
        count : int, optional
            The score it acts on from now on.
        note : str
            Why.

        Returns
        -------
        tuple of Event
            All that happened.
        """
        fighter = self._fighter(name)
        given = [k for k, v in (("at", at), ("before", before), ("after", after), ("count", count)) if v is not None]
        if not given or len([g for g in given if g != "at"]) > 1:
            raise InvalidInput("place takes at=, and one of before=, after= or count=")
        draft = self._draft(by="gm", note=note)
        if at is not None:
            spot = self.ruleset.check_position(draft.state, at)
            data = {"from": to_builtins(fighter.position), "to": to_builtins(spot)}
            draft.emit("move", name, text=f"stands at {spot}", by="gm", data=data)
        if before is not None or after is not None or count is not None:
            self._replace(draft, name, before, after, count)
        return self._accept(draft, f"Place {name}")

    def _replace(self, draft: Draft, name: str, before: str | None, after: str | None, count: int | None) -> None:
        place = draft.state.place_of(name)
        if place is None:
            raise InvalidInput(f"{name} has no place on the ladder yet: start the fight first")
        if count is not None:
            if type(count) is not int:
                raise InvalidInput(f"place: count is {count!r}; give a whole number")
            moved = self.ruleset.placed(draft.state, draft.fighter(name), place, count)
            draft.order(moved, f"is placed at {count}", by="gm")
            return
        other_name = before if before is not None else after
        assert other_name is not None
        (other_name,) = check_known(draft.state, [other_name])
        other = draft.state.place_of(other_name)
        if other is None or other.id == place.id:
            raise InvalidInput(f"{name} cannot be placed beside {other_name}")
        from combatkit.engine.mechanisms import beside

        word = "before" if before is not None else "after"
        at = {word: other.id}
        draft.order(beside(place, other), f"is placed just {word} {other_name}", by="gm", **at)

    # ── back and forth ──

    def undo(self, to: int | None = None) -> tuple[Event, ...]:
        """Take back the last accepted call with all it caused, or every call after event `to`.

        Parameters
        ----------
        to : int, optional
            The event to go back to.

        Returns
        -------
        tuple of Event
            The event that logs it; nothing is deleted.

        Raises
        ------
        InvalidInput
            If there is nothing to take back, or `to` is not in the present's past.
        """
        line = self._timeline
        path: list[Call] = []
        call = line.present
        while call is not None and call.parent is not None:
            if to is not None and call.first <= to:
                break
            path.append(call)
            call = call.parent
            if to is None:
                break
        if to is not None and (type(to) is not int or call is None or not call.first <= to <= call.last):
            raise InvalidInput(f"event {to!r} is not in the present's past: undo to one that is, and not undone")
        if not path:
            raise InvalidInput("there is nothing to undo")
        title = ", ".join(c.title for c in path[:3]) + (" ..." if len(path) > 3 else "")
        data = {"calls": [[c.first, c.last] for c in path], "to": call.last if call else 0}
        return self._go("undo", call, f"takes back: {title}", data, [*line.undone, *path])

    def redo(self, to: int | None = None) -> tuple[Event, ...]:
        """Take up again the last call taken back, or every one up to event `to`.

        Parameters
        ----------
        to : int, optional
            The event to go forward to.

        Returns
        -------
        tuple of Event
            The event that logs it.

        Raises
        ------
        InvalidInput
            If there is nothing to take up again.
        """
        undone = list(self._timeline.undone)
        path: list[Call] = []
        while undone and (not path if to is None else undone[-1].first <= to):
            path.append(undone.pop())
        if not path or (to is not None and not path[-1].first <= to <= path[-1].last):
            raise InvalidInput("there is nothing to redo" if to is None else f"event {to!r} was not undone from here")
        title = ", ".join(c.title for c in path[:3]) + (" ..." if len(path) > 3 else "")
        data = {"calls": [[c.first, c.last] for c in path], "to": path[-1].last}
        return self._go("redo", path[-1], f"takes up again: {title}", data, undone)

    def _go(self, kind: str, call: Call | None, text: str, data: dict[str, Any], undone: list[Call]) -> tuple[Event, ...]:
        line = self._timeline
        event = Event(line.next_seq, self._state.round, kind, text=text, by="gm", data=data)
        line.go(call, event, undone)
        self._tell((event,))
        return (event,)

    @property
    def can_undo(self) -> str:
        """The title of the call that `undo` would take back, or an empty string."""
        call = self._timeline.present
        return call.title if call is not None and call.parent is not None else ""

    @property
    def can_redo(self) -> str:
        """The title of the call that `redo` would take up again, or an empty string."""
        return self._timeline.undone[-1].title if self._timeline.undone else ""

    def at(self, seq: int) -> View:
        """Give a read-only view of the moment when event `seq` had been logged.

        Parameters
        ----------
        seq : int
            The event's number.

        Returns
        -------
        View
            Everything that can be asked of the present, asked of the past.

        Raises
        ------
        InvalidInput
            If there is no such event.
        """
        self._check_seq(seq)
        return View(self.id, self.ruleset, self._timeline.at(seq), self._events[:seq])

    def branch(self, seq: int) -> Encounter:
        """Give a new encounter that shares the past up to event `seq` and goes its own way from there.

        Parameters
        ----------
        seq : int
            The event's number.

        Returns
        -------
        Encounter
            With an id of its own.

        Raises
        ------
        InvalidInput
            If there is no such event.
        """
        self._check_seq(seq)
        other: Encounter = Encounter.__new__(Encounter)
        other._timeline = self._timeline.cut(seq)
        other._watchers = []
        other._history = None
        other._hash = blake2b(digest_size=16)
        other._hashed = 0
        View.__init__(other, f"{self.id}@{seq}", self.ruleset, other._timeline.state, other._timeline.events)
        return other

    # ── the one way in ──

    def _draft(self, rolls: Any = None, *, by: str = "player", note: str = "", setup: bool = False) -> Draft:
        draft = Draft(self.ruleset, self._state, self._timeline.next_seq, Faces(rolls), by, check_note(note))
        if not setup or draft.state.stage == "setup":
            draft.faces.check_keys(_roll_keys(self._state))
        return draft

    def _accept(self, draft: Draft, title: str) -> tuple[Event, ...]:
        events = tuple(draft.events)
        self._timeline.append(events, draft.state, title)
        if self._watchers:
            self._tell(events)
        return events

    def _tell(self, events: tuple[Event, ...]) -> None:
        for reference in list(self._watchers):
            callback = reference()
            if callback is None:
                self._watchers.remove(reference)
            else:
                callback(events)

    def watch(self, callback: Callable[[tuple[Event, ...]], None]) -> None:
        """Call a bound method with the new events after every accepted call; it is held weakly.

        Parameters
        ----------
        callback : bound method
            Takes a tuple of `Event`.
        """
        self._watchers.append(WeakMethod(callback))

    def _running(self, what: str) -> None:
        stage = self._state.stage
        if stage != "running":
            reason = "the fight is over" if stage == "over" else "the fight has not begun: start it first"
            raise IllegalAction(Ruling(False, f"{what}: {reason}."))

    def _no_window(self, draft: Draft) -> None:
        window = draft.state.window
        if window is not None:
            waiting = ", ".join(b.who for b in window.bids if not b.answered) or "the GM"
            raise IllegalAction(Ruling(False, f"A window is open ({window.about}): {waiting} may answer; resolve it first."))

    def _check_seq(self, seq: Any) -> None:
        if type(seq) is not int or not 1 <= seq <= len(self._events):
            raise InvalidInput(f"there is no event {seq!r}; the log has 1 to {len(self._events)}")


PURPOSES = ("initiative", "tie", "attack", "damage", "push", "regain", "destiny", "surprise", "skill", "morale", "save")
"""What dice can be thrown for."""


def _roll_keys(state: State) -> set[str]:
    keys = set(PURPOSES)
    for fighter in state.fighters.values():
        keys.add(fighter.name)
        keys.add(fighter.side)
        if fighter.group:
            keys.add(fighter.group)
    return keys


def check_note(note: Any) -> str:
    """Check a person's words: text of a sensible length."""
    if not isinstance(note, str) or len(note) > 10_000:
        raise InvalidInput(f"note is {note!r}; give text of at most 10,000 characters")
    return note
