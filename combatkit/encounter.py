"""The one object a user holds: a fight, from the first combatant added to the last word."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from secrets import randbits
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from combatkit.bookkeeping import Bookkeeping
from combatkit.engine import acts, flow, windows
from combatkit.engine.catalogue import Action
from combatkit.engine.checks import check_known, check_map, check_words, say_names
from combatkit.engine.draft import Draft, Faces
from combatkit.engine.evolve import as_added
from combatkit.engine.limits import DOERS, WORDS
from combatkit.engine.model import Bid, Event, Ruling, Window
from combatkit.engine.params import as_names, check_params, find_action, trigger_text
from combatkit.engine.plain import counted, is_number, short
from combatkit.engine.ruleset import Ruleset
from combatkit.engine.rulings import judge, ruling_of, with_target
from combatkit.engine.timeline import Timeline
from combatkit.engine.timing import bid_of, is_reaction
from combatkit.errors import IllegalAction, InvalidInput
from combatkit.gate import HOLDING, guarded
from combatkit.keeping import Keeping
from combatkit.registry import ruleset as find_ruleset
from combatkit.report import Report
from combatkit.session import changing, check_note
from combatkit.setup import Setup
from combatkit.travel import Travel

if TYPE_CHECKING:
    from pathlib import Path

    from combatkit.history import History


class Encounter(Setup, Bookkeeping, Travel, Keeping, Report):
    """A fight by one ruleset.

    Parameters
    ----------
    ruleset : str or Ruleset
        The system, by id.
    id : str, optional
        A name for the fight; if none is given, the ruleset and four figures drawn apart from the dice
        (``"saga-3f9c"``).
    seed : int, optional
        Where seeded dice come from; if none is given, 64 bits are drawn, and logged for the GM alone. Whoever knows it
        can work out every die to come, and a small number given by hand can be guessed from a few dice seen: leave it
        out where players should not.
    options : mapping, optional
        Readings that differ from the ruleset's defaults; see ``ruleset.options``.
    journal : str or Path, optional
        A file that every accepted call is written to before it is shown, so that the fight outlasts the kernel; see
        `open`. One file holds a campaign: any number of encounters.
    batch : bool
        Whether calls are written at the end of each turn, not each by itself: quicker, and a kernel that is killed
        loses the turn under way.
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
    JournalError
        If the journal holds an encounter with this id, or cannot be written.

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
        journal: str | Path | None = None,
        batch: bool = False,
        map: Iterable[Any] | None = None,
        tables: Mapping[str, Any] | None = None,
    ) -> None:
        rules = ruleset if isinstance(ruleset, Ruleset) else find_ruleset(ruleset)
        if seed is not None and not (type(seed) is int and 0 <= seed < 1 << 64):
            raise InvalidInput(f"seed is {short(seed)}; give a whole number from 0 to 2**64 - 1")
        if id is not None:
            id = check_words(id, "id")
        for what, given in (("options", options), ("tables", tables)):
            if given is not None and not isinstance(given, Mapping):
                raise InvalidInput(f"{what} is {short(given)}; give a mapping")
        seed = randbits(64) if seed is None else seed
        super().__init__(id or self._new_id(rules, journal), rules, Timeline())
        self._history: History | None = None
        self._branches = []
        self._parent = None
        draft = Draft(rules, self._state, 1)
        data: dict[str, Any] = {
            "id": self.id,
            "system": rules.id,
            "seed": seed,
            "options": rules.settle(options),
        }
        if map is not None:
            data["map"] = check_map(map)
            rules.check_map(data["map"])
        draft.emit("encounter", text=rules.title, data=data)
        for table, source in (tables or {}).items():
            self._add_table(draft, table, source)
        if journal is None:
            self._accept(draft, "Make the fight")
        else:
            from combatkit.journal import begin

            begin(self, journal, batch, lambda: self._accept(draft, "Make the fight"))
        if "IPython" in sys.modules:
            from combatkit.completion import offer

            offer()

    @property
    def history(self) -> History:
        """The fight as polars frames: events, rolls, turns, rounds, budgets."""
        if self._history is None:
            from combatkit.history import History

            self._history = History(self)
        return self._history

    def __repr__(self) -> str:
        """Say which fight it is and where it stands."""
        now = self._whole()
        who = f", {now.active}'s turn" if now.active else ""
        return f"<Encounter {self.id}: {now.clock.label}{who}, {counted(len(now.names), 'combatant')}>"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        from combatkit.widgets import tracker_of

        return tracker_of(self)._repr_mimebundle_(**kwargs)

    @guarded(HOLDING)
    def to_html(self, path: str | os.PathLike[str], *, view: str = "gm", title: str | None = None) -> Path:
        """Write the fight as one file in which a reader steps through all of it, without a kernel or a network.

        Parameters
        ----------
        path : str or path
            The file; one that is there is written over.
        view : str
            ``"gm"``, or ``"players"``: what players may not know is then nowhere in the file.
        title : str, optional
            The page's title; the encounter's id if none is given.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        InvalidInput
            If `view` is another word, or `title` no text.
        """
        from combatkit.export import write_page

        return write_page(self, path, view, title)

    def restart(self, seed: int | None = None, *, id: str | None = None) -> Encounter:
        """Give a new encounter with the same combatants, options and tables.

        Parameters
        ----------
        seed : int, optional
            Its seed; drawn if none is given.
        id : str, optional
            Its name; drawn if none is given.

        Returns
        -------
        Encounter
            Not yet begun.
        """
        now = self._whole()
        state = now._state
        other = Encounter(self.ruleset, id=id, seed=seed, options=state.options, map=state.map, tables=state.tables)
        draft = other._draft()
        added = as_added(now._events)
        for name in state.fighters:
            other._bring(draft, name, added[name].text, added[name].data)
        if draft.events:
            other._accept(draft, "Add the same combatants")
        return other

    # ── acting ──

    @changing
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
            Natural faces rolled at the table, in the order asked or by purpose.
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
        now = self._timeline.now
        state = now.state
        if type(name) is not str or name not in state.fighters:
            self._fighter(name)
        found = find_action(rules, state, action)
        checked = check_params(rules, state, found, params)
        draft = Draft(rules, state, now.length + 1, note=check_note(note))
        if rolls is not None:
            draft.faces = Faces(rolls)
            draft.faces.check_keys(rules.purposes, state)
        answers = bool(state.focus) and bid_of(state, name, found.id) is not None
        if not answers and state.focus and type(state.focus[-1]) is Window:
            acts.let_pass(draft)
        fighter = draft.state.fighters[name]
        checked = with_target(rules, draft.state, fighter, found, checked)
        judged = judge(rules, draft.state, fighter, found, checked)
        overruled: tuple[str, ...] = ()
        if judged.objections or judged.missing:
            ruling = ruling_of(rules, draft.state, fighter, found, checked, judged)
            overruling = override and judged.objections and not judged.missing and draft.state.stage == "running"
            if overruling and (firm := [o for o in judged.objections if o.firm]):  # say first what no word can change
                judged = replace(judged, objections=list(dict.fromkeys([*firm, *judged.objections])))
                raise IllegalAction(ruling_of(rules, draft.state, fighter, found, checked, judged))
            if not overruling:
                raise IllegalAction(ruling)
            overruled = ruling.rules or (found.rule,)
        off_turn = not answers and draft.state.window is None
        opened = off_turn and is_reaction(rules, draft.state, name, found, checked)
        if opened:
            self._open_for(draft, name, found, checked)
        if answers or opened:
            text, cited = f"answers with {found.title.lower()}", (found.rule,)
            draft.emit("answer", name, found.id, text=text, rules=cited, data={"used": found.id})
        acts.perform(draft, fighter, found, checked, judged, overruled=overruled)
        acts.proceed(draft)
        return self._accept(draft, found.title)

    def _open_for(self, draft: Draft, name: str, action: Action, params: Mapping[str, Any]) -> None:
        """Open the window of a reaction to what is told in words: who it strikes did it, else who is active."""
        turn, trigger = draft.state.turn, params.get("trigger")
        by = (turn.who,) if turn is not None and turn.who != name else ()
        if action.facts.get("foes"):
            by = tuple(params.get("target", by))
        about = trigger_text(trigger, self.ruleset.catalogue(draft.state)) if trigger else "something happens"
        if by:
            about = f"{by[0]}: {about}"
        windows.open_trigger(draft, by, about, (Bid(name, (action.id,), action.rule),))

    @changing
    def resolve(self, *, answer: Any = None, rolls: Any = None, note: str = "") -> tuple[Event, ...]:
        """Close the top window: who has not answered declines, and what was interrupted goes on.

        Parameters
        ----------
        answer : object, optional
            Settles a question to the GM; one of its `choices`, or a list of them where it takes several.
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
            If no window is open, or somebody must answer first, the GM with an `answer` among them.
        InvalidInput
            If the answer is none of the question's choices.
        """
        draft = self._draft(rolls, note=note)
        window = draft.state.window
        if window is None:
            raise IllegalAction(Ruling(False, "No window is open: there is nothing to resolve."))
        waiting = [b.who for b in window.bids if b.must and not b.answered]
        if waiting:
            reason, rule = f"{', '.join(waiting)} must answer first ({window.about}).", window.bids[0].rule
            raise IllegalAction(Ruling(False, reason, rule, (rule,) if rule else ()))
        if window.question:
            if answer is None:
                reason, rule = f"The GM must answer first: {_asked(window)}.", window.question
                raise IllegalAction(Ruling(False, reason, rule, (rule,)))
            answer = _settled(window, answer)
        if not window.question and answer is not None:
            raise InvalidInput(f"nothing was asked of the GM: the open window is {window.about!r}")
        acts.close_window(draft, answer=answer, by="gm" if window.question else "player")
        acts.proceed(draft)
        return self._accept(draft, "Carry on")

    @changing
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
        if len(by) > DOERS:
            raise InvalidInput(f"trigger: {len(by):,} are named who did it; give at most {DOERS}, or nobody")
        doers = check_known(state, by)
        about = check_note(text, WORDS, "text") or (f"{say_names(doers)} acts" if doers else "something happens")
        asked = check_known(state, as_names(to)) if to is not None else None
        wanted = tuple(find_action(self.ruleset, state, a).id for a in as_names(offers))
        data: dict[str, Any] = {"by": list(doers)}
        if segment is not None:
            if not is_number(segment):
                raise InvalidInput(f"segment is {short(segment)}; give a whole number")
            self.ruleset.check_segment(segment)
            data["segment"] = segment
        draft.emit("trigger", doers[0] if doers else None, text=about, by="gm", data=data)
        bids = windows.trigger_bids(draft, doers, asked, wanted, segment)
        if bids:
            windows.open_trigger(draft, doers, about, bids, segment)
        return self._accept(draft, "Something happens")

    @changing
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
        turn = draft.state.turn
        acts.let_pass(draft)
        self._no_window(draft)
        now = draft.state.turn
        if turn is None and now is None:
            flow.leave_step(draft)
        elif turn is not None and now is not None and now.seq == turn.seq:  # not ended by what was let pass
            flow.close_turn(draft, by="player")
        acts.proceed(draft)
        return self._accept(draft, "End turn")

    @changing
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
        acts.proceed(draft)
        return self._accept(draft, "Next round")

    @changing
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
        cited = self.ruleset.cites(draft.state, "over")
        draft.emit("over", text="the fight is over", rules=cited, by="gm")
        return self._accept(draft, "Finish")


def _settled(window: Window, answer: Any) -> Any:
    """Check the GM's answer against the question's choices, and give it plain."""
    several = window.many and isinstance(answer, (list, tuple))
    given = list(answer) if several else [answer]
    if any(each not in window.choices for each in given):
        raise InvalidInput(f"the answer is {answer!r}; {_asked(window)}")
    return given if several else answer


def _asked(window: Window) -> str:
    """Say what the GM is asked, and what may be answered."""
    right = ", ".join(repr(c) for c in window.choices) + (" or a list of them" if window.many else "")
    return f"the question ({window.about}) takes {right}"
