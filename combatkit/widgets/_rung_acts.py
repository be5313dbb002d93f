"""Who may act out of turn, as buttons on their rung: a delayer, who keeps something ready, who may react."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from combatkit.core.model import Act as Deed
from combatkit.core.model import Bid, Fighter, State, Window
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.judge import judge, kept_for, readied, with_target
from combatkit.rules.params import trigger_text
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.windows import answers_left
from combatkit.text import ENGLISH, Title, say, say_names
from combatkit.text.phrases import capital
from combatkit.widgets._decided import told_by_table
from combatkit.widgets.shapes import Act, Chosen

_RUNGS = 8
"""How many rungs have buttons of their own; anyone else who may act has theirs in the budget."""


_LONG = 18
"""How many letters it may have where it stands alone."""

_SHORT = 8
"""How many letters the title of an answer may have on a rung."""


def rung_acts(rules: Ruleset, state: State, passed: Collection[str]) -> dict[str, list[Act]]:
    """Return what each may do out of turn at this moment, by name; the same as their budget or the window offers.

    Who has let it go (`passed`) is asked no more.
    """
    if state.window is not None:
        return _answers(rules, state, state.window, passed)
    found: dict[str, list[Act]] = {}
    for place in state.agenda:
        fighter = state.fighters[place.who]
        if len(found) == _RUNGS:
            break
        if fighter.name in found or not any(e.watches or e.id == "delayed" for e in fighter.effects):
            continue
        ends = [action for action in rules.catalogue(state) if _ends(action, fighter)]
        found[fighter.name] = [act for action in ends if (act := _act(rules, state, fighter, action))]
    return {name: acts for name, acts in found.items() if acts}


def _ends(action: Action, fighter: Fighter) -> bool:
    """Check whether an action is what somebody waits for: to step in, or to use what they keep ready."""
    if action.does == "act_now":
        return fighter.effect("delayed") is not None
    return readied(fighter, action) is not None


def _answers(rules: Ruleset, state: State, window: Window, passed: Collection[str]) -> dict[str, list[Act]]:
    """Return an answer for each whom it concerns, or where to choose one; and to let it go."""
    found: dict[str, list[Act]] = {}
    near = concerned(rules, state)
    for bid in [bid for bid in by_concern(state, window) if bid.who not in passed and bid.who in near][:_RUNGS]:
        fighter = state.fighters[bid.who]
        answers = [rules.catalogue(state)[id] for id in answers_left(rules, state, bid)]
        acts = [act for action in answers if len(answers) == 1 and (act := _act(rules, state, fighter, action))]
        word = "Answer" if bid.must else "React"
        found[bid.who] = [{**act, "title": _short(act, word)} for act in acts] or [{"id": "", "title": word}]
        if not bid.must:
            found[bid.who].append({"id": "pass", "title": "Let go"})
    return found


def _short(act: Act, word: str) -> str:
    """Return what an answer is called on a rung, where two stand beside each other."""
    return act["title"] if len(act["title"]) <= _SHORT else word


def by_concern(state: State, window: Window) -> list[Bid]:
    """Return those who may answer: who must, whom it is aimed at, the others down the ladder, and last its own side."""
    order = {place.who: index for index, place in reversed(list(enumerate(state.agenda)))}
    acts = [frame for frame in state.focus if isinstance(frame, Deed) and frame.seq == window.threat]
    aimed = {target for act in acts for target in act.targets}
    own = {state.fighters[act.who].side for act in acts}

    def concern(bid: Bid) -> tuple[bool, bool, bool, int]:
        side = state.fighters[bid.who].side
        return not bid.must, bid.who not in aimed, side in own, order.get(bid.who, len(order))

    return sorted((bid for bid in window.bids if not bid.answered), key=concern)


def concerned(rules: Ruleset, state: State) -> frozenset[str]:
    """Return whom the window on top is about: who must answer, is aimed at, or keeps something ready for just this.

    Where it asks nobody who was aimed at, it is about all whom it asks.
    """
    window = state.window
    if window is None:
        return frozenset()
    aimed = _aimed(state, window)
    if aimed.isdisjoint([bid.who for bid in window.bids]):
        return frozenset([bid.who for bid in window.bids])
    return frozenset([bid.who for bid in window.bids if bid.must or bid.who in aimed or _uses_kept(rules, state, bid)])


def stands_by(rules: Ruleset, state: State, bid: Bid) -> bool:
    """Check whether somebody may step in where others are aimed at: they needn't, nor wait for just this."""
    window = state.window
    aimed = _aimed(state, window) if window is not None else ()
    return bool(aimed) and bid.who not in aimed and not bid.must and not _uses_kept(rules, state, bid)


def _aimed(state: State, window: Window) -> set[str]:
    """Return at whom what a window is about is aimed, whether whoever does it is to be seen or not."""
    acts = [frame for frame in state.focus if isinstance(frame, Deed) and frame.seq == window.threat]
    return {*window.aimed, *(target for act in acts for target in act.targets)}


def _uses_kept(rules: Ruleset, state: State, bid: Bid) -> bool:
    """Check whether what somebody keeps ready, or has prepared, is among what they are asked for."""
    effects = state.fighters[bid.who].effects
    if not effects:
        return False
    if any(effect.watches and effect.value["use"] in bid.actions for effect in effects):
        return True
    catalogue, held = rules.catalogue(state), {effect.id for effect in effects}
    return any(catalogue[id].facts.get("effect") in held for id in bid.actions)


def stops(rules: Ruleset, state: State) -> bool:
    """Check whether play is shown as stopped for the window on top: not for what words alone may have set off.

    Whoever may strike is asked as everybody else is, though any other call goes on without them.
    """
    window = state.window
    if window is None:
        return False
    catalogue, left = rules.catalogue(state), [bid for bid in window.bids if not bid.answered]
    return not window.soft or any("attack" in catalogue[id].tags for bid in left for id in bid.actions)


def choice_told(rules: Ruleset, state: State, answer: object) -> str:
    """Return an answer of a question, or an outcome, as a button says it: names as they are."""
    it = str(answer)
    said = say("window.choice", of=it, it=it if it in state.fighters else Title(it))
    return capital(rules.languages[state.language].render(said))


def choices_told(rules: Ruleset, state: State, window: Window) -> list[Chosen]:
    """Return the answers to a window's question, each with what a button says."""
    return [[answer, choice_told(rules, state, answer)] for answer in window.choices]


def what_is_asked(asked: Sequence[Bid]) -> str:
    """Say whether those who are asked must answer or may."""
    return "must answer" if all(bid.must for bid in asked) else "may react"


def who_is_asked(names: Sequence[str], must: bool) -> str:
    """Say of some that they must answer, or may react: a whole sentence, since a verb goes by how many they are."""
    return f"{say_names(names)} {'must answer' if must else 'may react'}"


def offer(rules: Ruleset, state: State, bid: Bid, hides: bool = False) -> str:
    """Say what somebody may answer with."""
    if len(bid.actions) != 1 or hides:
        return who_is_asked([bid.who], bid.must)
    action = rules.catalogue(state)[bid.actions[0]]
    if kept := what_kept(rules, state, bid.who, action.id):
        return f"{bid.who} {'must' if bid.must else 'may'} use {kept}"
    if state.language != ENGLISH:
        return f"{bid.who} {'must' if bid.must else 'may'} answer: {action.title.lower()}"
    whom = bid.targets or [frame.who for frame in state.focus if isinstance(frame, Deed)][-1:]
    names = [*(name for name in whom if name != bid.who), *["themselves"] * (bid.who in whom)]
    word = "must" if bid.must else "may"
    return f"{bid.who} {word} {action.deed(say_names(names, ' or ') if 'target' in action.takes else '')}"


def what_kept(rules: Ruleset, state: State, name: str, use: str) -> str:
    """Say which thing kept ready an action would use, and what that waits for; nothing if there is none."""
    catalogue = rules.catalogue(state)
    effect = readied(state.fighters[name], catalogue[use])
    if effect is None:
        return ""
    word, title = catalogue[use].facts.get("word", "readied"), catalogue[effect.value["action"]].title.lower()
    return f"the {word} {title}: {trigger_text(rules, state, effect.value['trigger'])}"


def _act(rules: Ruleset, state: State, fighter: Fighter, action: Action) -> Act | None:
    params = {} if state.window is not None else _trigger(action, fighter)
    case = with_target(Case(rules, state, fighter, action, params))
    judged = judge(case, brief=True)
    if judged.objections and state.window is None:
        return None
    act: Act = {"id": action.id, "title": _titled(rules, state, fighter, action)}
    if params:
        act["params"] = {**params}
    if judged.missing or told_by_table(case):
        act["needs"] = True
    return act


def _titled(rules: Ruleset, state: State, fighter: Fighter, action: Action) -> str:
    """Return what a button says: of what is kept ready, on whom it is used, where there is room."""
    if action.does != "use":
        return action.title
    kept = kept_for(rules, state, fighter.name, action) if state.window is None else ()
    there = f"Use it on {kept[0]}" if len(kept) == 1 else ""
    return there if there and len(there) <= _LONG else "Use it"


def _trigger(action: Action, fighter: Fighter) -> dict[str, str]:
    """Return what an action kept ready waits for, if that is told in words: then only the table can see it happen."""
    kept = readied(fighter, action) if action.does == "use" else None
    trigger = None if kept is None else kept.value["trigger"]
    return {"trigger": trigger} if isinstance(trigger, str) else {}
