"""Acting: what combatants do, what interrupts it, and how turns and rounds go on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from combatkit.core.limits import DOERS, WORDS
from combatkit.core.model import Bid, Event, State, Window
from combatkit.errors import IllegalAction, InvalidInput
from combatkit.fight.session import Session, changing, check_note
from combatkit.rules import flow, skipping, windows
from combatkit.rules.case import Case
from combatkit.rules.checks import check_known, check_segment
from combatkit.rules.draft import Draft
from combatkit.rules.judge import ruling_of, with_target
from combatkit.rules.params import as_names, check_params, find_action, said_trigger
from combatkit.rules.perform import close_window, perform
from combatkit.rules.timing import is_answer, is_reaction, refusal, window_first
from combatkit.rules.windows import Happening
from combatkit.text import PLAIN, Said, say


def _said_of(by: tuple[str, ...], what: Said, words: str) -> Said:
    """Return what happened with whoever did it in front, unless its words begin with them: "Guard runs past"."""
    return say("trigger.by", who=by, what=what) if by and not words.startswith(by[0]) else what


class Acting(Session):
    """The part of an encounter in which combatants act and time goes on."""

    @changing
    def do(
        self,
        name: str,
        action: str,
        /,
        *,
        target: str | Iterable[str] | None = None,
        rolls: object = None,
        note: str = "",
        override: bool = False,
        **params: object,
    ) -> tuple[Event, ...]:
        """Carry out an action, in or out of turn.

        Parameters
        ----------
        name : str
            Who acts.
        action : str
            The action's id; see ``ruleset.actions``.
        target : str or sequence of str, optional
            Who they target.
        rolls : list of int or mapping, optional
            Natural dice rolled at the table, in the order asked or by purpose.
        note : str
            Somebody's own words for the log.
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
        state = self._timeline.now.state
        name = self._fighter(name).name
        found = find_action(rules, state, action)
        checked = check_params(rules, state, found, params)
        case = Case(rules, state, state.fighters[name], found, checked)
        answers = is_answer(case)
        draft = self._draft(rolls, note=note, passes=not answers)
        if draft.state is not state:
            case = Case(rules, draft.state, draft.state.fighters[name], found, checked)
        case = with_target(case)
        judged = (self if self._seen is None else self._seen[1])._judge(case)  # asked just before, it is judged already
        overruled: tuple[str, ...] = ()
        firm = [o for o in judged.objections if o.firm]
        if override and judged.objections:  # say first what no word can make up for, or change
            more = rules.mechanisms[found.does].missing
            missing = (*judged.missing, *(more(case) if more is not None else ()))
            against = firm if missing else list(dict.fromkeys([*firm, *judged.objections]))
            judged = replace(judged, objections=against, missing=missing)
        if judged.objections or judged.missing:
            ruling = ruling_of(case, judged)
            if not override or firm or judged.missing or draft.state.stage != "running":
                raise IllegalAction(ruling)
            overruled = ruling.rules or (found.rule,)
        reacts = found.when == "reaction" or "trigger" in checked or not overruled
        opened = case.window is None and found.when != "own turn" and reacts and is_reaction(case)
        if opened:
            self._open_for(draft, case)
        if answers or opened:
            text, cited = say("answer.uses", of=found.id, title=found.called), (found.rule,)
            used: dict[str, object] = {"used": found.id}
            if case.targets:
                used["targets"] = list(case.targets)
            draft.emit("answer", name, found.id, text=text, rules=cited, data=used)
        perform(draft, case, judged, overruled=overruled)
        return self._accept(draft, found.title, (name,))

    def _open_for(self, draft: Draft, case: Case) -> None:
        """Open a window for a reaction to something told in words: its target did it, or else whoever is active."""
        turn, trigger, name = draft.state.turn, case.params.get("trigger"), case.fighter.name
        by: tuple[str, ...] = (turn.who,) if turn is not None and turn.who != name else ()
        if "attack" in case.action.tags:
            by = case.targets or by
        actions = draft.actions
        what = said_trigger(trigger, actions) if trigger else say("trigger.happens")
        about = _said_of(by, what, trigger if isinstance(trigger, str) else "")
        windows.open_trigger(draft, Happening(by, about), (Bid(name, (case.action.id,), case.action.rule),))

    @changing
    def resolve(self, *, answer: object = None, rolls: object = None, note: str = "") -> tuple[Event, ...]:
        """Close the top window: anyone who has not answered lets it go, and what was interrupted goes on.

        Parameters
        ----------
        answer : object, optional
            Settles a question to the GM; one of its `choices`, or a list of them where it takes several.
        rolls : list of int or mapping, optional
            Natural dice for what goes on.
        note : str
            Somebody's own words for the log.

        Returns
        -------
        tuple of Event
            All that happened.

        Raises
        ------
        IllegalAction
            If no window is open, or somebody must answer first (the GM too, with an `answer`).
        InvalidInput
            If the answer is none of the question's choices.
        """
        draft = self._draft(rolls, note=note)
        window = draft.state.window
        if window is None:
            raise refusal("Nobody is waiting to answer: there is nothing to resolve.")
        waiting = [b.who for b in window.bids if b.must and not b.answered]
        if waiting:
            raise refusal(f"{', '.join(waiting)} must answer first ({window.about}).", window.bids[0].rule)
        if window.question:
            if answer is None:
                raise refusal(f"The GM must answer first: {_asked(draft.state, window)}.", window.question)
            answer = _settled(draft.state, window, answer)
        if not window.question and answer is not None:
            raise InvalidInput(f"the GM wasn't asked anything; {window.about!r} is waiting for an answer")
        close_window(draft, answer=answer, by="gm" if window.question else "player")
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
        """Say that something happened that no declared action shows; a window opens if somebody can react.

        Parameters
        ----------
        *by : str
            Who did it; leave it out for a trap.
        offers : iterable of str
            The actions they may react with; if none is named, all reactions.
        to : str or sequence of str, optional
            Who may react; if nobody is named, everybody else.
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
        state = self._state
        doers = check_known(state, by)
        if (many := max(len(by), len(doers))) > DOERS:
            raise InvalidInput(f"trigger: {many:,} combatants are named as the cause; give at most {DOERS}, or none")
        words = check_note(text, WORDS, "text")
        happens = say("trigger.acts", who=doers, number=len(doers)) if doers else say("trigger.happens")
        about = _said_of(doers, say(PLAIN, text=words), words) if words else happens
        asked = check_known(state, to) if to is not None else None
        wanted = tuple(find_action(self.ruleset, state, a).id for a in as_names(offers))
        data: dict[str, object] = {"by": list(doers)}
        if segment is not None:
            data["segment"] = check_segment(self.ruleset, segment)
        draft = self._draft(passes=True)
        if (window := draft.state.window) is not None and window.question:
            raise window_first(self.ruleset, window)
        draft.emit("trigger", doers[0] if doers else None, text=about, by="gm", data=data)
        windows.call_for(draft, Happening(doers, about, segment), asked, wanted)
        return self._accept(draft, "Call for reactions")

    @changing
    def end_turn(self, *, rolls: object = None) -> tuple[Event, ...]:
        """End the turn under way; with nobody active, close the present step.

        Parameters
        ----------
        rolls : list of int or mapping, optional
            Natural dice for what the end of the turn asks: group dice.

        Returns
        -------
        tuple of Event
            All that happened, until somebody may choose again.

        Raises
        ------
        IllegalAction
            While a window is open.
        """
        turn = self._state.turn
        draft = self._at_rest("end_turn", rolls)
        now = draft.state.turn
        if turn is None and now is None:
            flow.leave_step(draft)
        elif turn is not None and now is not None and now.seq == turn.seq:  # not ended by what was let pass
            flow.close_turn(draft, by="player")
        return self._accept(draft, "End turn", (turn.who,) if turn is not None else ())

    @changing
    def next_round(self, *, rolls: object = None) -> tuple[Event, ...]:
        """Skip to the next round by the GM's word; anyone who has not acted is logged.

        Parameters
        ----------
        rolls : list of int or mapping, optional
            Natural dice for what the new round asks.

        Returns
        -------
        tuple of Event
            All that happened.
        """
        draft = self._at_rest("next_round", rolls, "gm")
        skipping.skip_round(draft)
        return self._accept(draft, "Next round")

    @changing
    def finish(self) -> tuple[Event, ...]:
        """End the fight, with what is due at the end of the turn, the step and the round under way.

        Returns
        -------
        tuple of Event
            All that happened.

        Raises
        ------
        IllegalAction
            While a window is open.
        """
        draft = self._at_rest("finish", by="gm")
        flow.end_round(draft)
        cited = self.ruleset.cites(draft.state, "over")
        draft.emit("over", text=say("over.ends"), rules=cited, by="gm")
        return self._accept(draft, "End the fight")


def _settled(state: State, window: Window, answer: object) -> object:
    """Check the GM's answer against the question's choices, and return it in plain form."""
    several = list(answer) if window.many and isinstance(answer, (list, tuple)) else None
    choices = windows.choices_left(state, window)
    if any(each not in choices for each in ([answer] if several is None else several)):
        raise InvalidInput(f"the answer is {answer!r}; {_asked(state, window)}")
    return answer if several is None else several


def _asked(state: State, window: Window) -> str:
    """Say what the GM is asked, and what may be answered."""
    right = ", ".join(repr(c) for c in windows.choices_left(state, window)) + (
        " or a list of them" if window.many else ""
    )
    return f"the question ({window.about}) takes {right}"
