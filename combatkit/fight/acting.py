"""Acting: what combatants do, what interrupts it, and how turns and rounds go on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from combatkit.core.faces import Faces
from combatkit.core.limits import DOERS, WORDS
from combatkit.core.model import Bid, Event, Ruling, State, Window
from combatkit.core.plain import is_number, short
from combatkit.errors import IllegalAction, InvalidInput
from combatkit.fight.session import Session, changing, check_note
from combatkit.rules import flow, skipping, windows
from combatkit.rules.case import Case
from combatkit.rules.checks import check_known
from combatkit.rules.draft import Draft
from combatkit.rules.judge import ruling_of, with_target
from combatkit.rules.params import as_names, check_params, find_action, said_trigger
from combatkit.rules.perform import close_window, let_pass, perform, proceed
from combatkit.rules.timing import bid_of, is_reaction
from combatkit.text import PLAIN, say


class Acting(Session):
    """The part of an encounter in which combatants act and time goes on."""

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
        answers = bool(state.focus) and bid_of(state.window, name, found.id) is not None
        if not answers and state.focus and type(state.focus[-1]) is Window:
            let_pass(draft)
        case = with_target(Case(rules, draft.state, draft.state.fighters[name], found, checked))
        judged = (self if self._seen is None else self._seen[1])._judge(case)  # asked just before, it is judged already
        overruled: tuple[str, ...] = ()
        more = rules.mechanisms[found.does].missing
        if override and judged.objections:
            missing = (*judged.missing, *(more(case) if more is not None else ()))
            against = [o for o in judged.objections if o.firm] if missing else judged.objections
            judged = replace(judged, objections=against, missing=missing)  # say first what no word can make up for
        if judged.objections or judged.missing:
            ruling = ruling_of(case, judged)
            overruling = override and judged.objections and not judged.missing and draft.state.stage == "running"
            if overruling and (firm := [o for o in judged.objections if o.firm]):  # say first what no word can change
                judged = replace(judged, objections=list(dict.fromkeys([*firm, *judged.objections])))
                raise IllegalAction(ruling_of(case, judged))
            if not overruling:
                raise IllegalAction(ruling)
            overruled = ruling.rules or (found.rule,)
        off_turn = not answers and draft.state.window is None
        opened = off_turn and is_reaction(case)
        if opened:
            self._open_for(draft, case)
        if answers or opened:
            text, cited = say("answer.uses", title=found.called), (found.rule,)
            draft.emit("answer", name, found.id, text=text, rules=cited, data={"used": found.id})
        perform(draft, case, judged, overruled=overruled)
        proceed(draft)
        return self._accept(draft, found.title)

    def _open_for(self, draft: Draft, case: Case) -> None:
        """Open the window of a reaction to what is told in words: who it strikes did it, else who is active."""
        turn, trigger, name = draft.state.turn, case.params.get("trigger"), case.fighter.name
        by: tuple[str, ...] = (turn.who,) if turn is not None and turn.who != name else ()
        if case.action.facts.get("foes"):
            by = case.targets or by
        actions = self.ruleset.catalogue(draft.state)
        what = said_trigger(trigger, actions) if trigger else say("trigger.happens")
        about = say("trigger.by", who=by[0], what=what) if by else what
        windows.open_trigger(draft, by, about, (Bid(name, (case.action.id,), case.action.rule),))

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
                reason, rule = f"The GM must answer first: {_asked(draft.state, window)}.", window.question
                raise IllegalAction(Ruling(False, reason, rule, (rule,)))
            answer = _settled(draft.state, window, answer)
        if not window.question and answer is not None:
            raise InvalidInput(f"nothing was asked of the GM: the open window is {window.about!r}")
        close_window(draft, answer=answer, by="gm" if window.question else "player")
        proceed(draft)
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
        self._past_windows(draft)
        state = draft.state
        if len(by) > DOERS:
            raise InvalidInput(f"trigger: {len(by):,} are named who did it; give at most {DOERS}, or nobody")
        doers = check_known(state, by)
        words = check_note(text, WORDS, "text")
        happens = say("trigger.acts", who=doers, number=len(doers)) if doers else say("trigger.happens")
        about = say(PLAIN, text=words) if words else happens
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
        return self._accept(draft, "Call for reactions")

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
        self._past_windows(draft)
        now = draft.state.turn
        if turn is None and now is None:
            flow.leave_step(draft)
        elif turn is not None and now is not None and now.seq == turn.seq:  # not ended by what was let pass
            flow.close_turn(draft, by="player")
        proceed(draft)
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
        self._past_windows(draft)
        skipping.skip_round(draft)
        proceed(draft)
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
        let_pass(draft)
        cited = self.ruleset.cites(draft.state, "over")
        draft.emit("over", text=say("over.ends"), rules=cited, by="gm")
        return self._accept(draft, "Finish")


def _settled(state: State, window: Window, answer: Any) -> Any:
    """Check the GM's answer against the question's choices, and give it plain."""
    several = window.many and isinstance(answer, (list, tuple))
    given = list(answer) if several else [answer]
    choices = windows.choices_left(state, window)
    if any(each not in choices for each in given):
        raise InvalidInput(f"the answer is {answer!r}; {_asked(state, window)}")
    return given if several else answer


def _asked(state: State, window: Window) -> str:
    """Say what the GM is asked, and what may be answered."""
    right = ", ".join(repr(c) for c in windows.choices_left(state, window)) + (
        " or a list of them" if window.many else ""
    )
    return f"the question ({window.about}) takes {right}"
