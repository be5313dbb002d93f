"""What else rules out an action: surprise, awareness, attempts, points, Advantage, range."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NotRequired, TypedDict

from combatkit.core.model import Act, Fighter, Lookup, State, Window
from combatkit.core.plain import counted
from combatkit.rules.case import Case, Objection, against
from combatkit.rules.catalogue import Action
from combatkit.rules.checks import say_names, spelled
from combatkit.rules.judge import filled_in, is_answer, is_reaction
from combatkit.rules.weapons import within_reach
from combatkit.systems.ap.actions import advantages_of, is_counted, points_left, points_now, still_due
from combatkit.systems.ap.modes import check_mode, farthest


def _taken(case: Case) -> tuple[bool, int, bool]:
    action, turn, reacts = case.action, case.state.turn, False
    if action.when != "own turn" or (turn is not None and turn is not case.state.focus[-1]):
        reacts = is_answer(case) or is_reaction(case)
    own = turn is not None and turn.who == case.fighter.name
    return reacts, points_now(case.fighter, action, reacts), own


taken = Lookup(_taken)
"""Whether an action is taken as a reaction, as an answer or off turn; the points to be paid for it now; and whether
it is the own turn.
"""


def threat_of(case: Case) -> str | None:
    """Return the key of what is reacted to: an open window's threat, or what a trigger says in words.

    Each of several who did something is a threat: it is the one aimed at, or the first that hasn't been tried.
    """
    state, window = case.state, case.window
    if "trigger" not in case.params:
        if window is None:
            return None
        if len(window.by) <= 1:
            return str(window.threat)
        aimed = [name for name in case.targets if name in window.by] or window.by
        for name in aimed:
            if f"attempt:{window.threat}:{name}" not in case.fighter.pools:
                return f"{window.threat}:{name}"
        return f"{window.threat}:{aimed[0]}"
    turn = state.turn
    words = case.params["trigger"]
    told = " ".join(words.split()).casefold() if isinstance(words, str) else words  # the same threat, however typed
    return f"{turn.seq if turn is not None else 0}:{told}"


def answered(state: State, who: str, action: Action) -> tuple[str, ...]:
    """Return who an attack made as a reaction strikes when nobody is named: whoever it reacts to."""
    window = state.window
    return tuple(n for n in window.by if n != who) if window is not None and "reaction" in action.when else ()


class Foiled(TypedDict):
    """Who foiled a threat, and by which actions, on top of what was foiled before it and is not over yet."""

    threat: int
    by: list[str]
    how: NotRequired[dict[str, str]]
    below: NotRequired[Foiled]


def foiled_by(state: State, threat: int) -> Foiled | None:
    """Return who has foiled a threat, if anybody has."""
    found: Foiled | None = state.facts.get("foiled")
    while found is not None and found["threat"] != threat:
        found = found.get("below")
    return found


def unfoiled(act: Act, foiled: Foiled) -> tuple[str, ...]:
    """Return at whom a threat still goes on: each target foils it for themselves, anybody else for all of them."""
    if not set(act.targets).issuperset(foiled["by"]):
        return ()
    return tuple(t for t in act.targets if t not in foiled["by"])


def only_wards(action: Action) -> bool:
    """Check whether all that a reaction does is ward off what it answers."""
    return action.when == "reaction" and action.does == "plain"


def _tried(fighter: Fighter, threat: str) -> list[Objection]:
    pool = fighter.pools.get(f"attempt:{threat}")
    if pool is None:
        return []
    reason = f"One try to react per threat, and {fighter.name} has had theirs."
    return against(reason, "ap.react.one-per-threat", "ap.react.attempt-counts")


def unanswerable(case: Case, window: Window) -> Iterable[Objection]:
    """Yield what rules out answering the open window."""
    fighter, action = case.fighter, case.action
    name = fighter.name
    tried = _tried(fighter, threat_of(case) or "")
    if tried:
        yield from tried
        if action.cost == "secondary":
            yield Objection("", "ap.secondary.as-reaction-rules")
        return
    below = case.state.focus[-2] if len(case.state.focus) > 1 else None
    if type(below) is Act:
        if below.who == name:
            return
        if "openings" not in action.facts and not case.rules.able(case.state.fighters[below.who]):
            yield Objection(f"{below.who} gets no further, and there is nothing left to react to.", "ap.react.purpose")
        if name in below.params.get("unaware", ()):
            yield Objection(f"{name} is not aware of it: {window.about}.", "ap.react.aware")
        foiled = foiled_by(case.state, below.seq) if only_wards(action) else None
        if foiled is not None and not unfoiled(below, foiled):
            reason = f"{say_names(foiled['by'])} foiled it; there is nothing left to ward off."
            yield Objection(reason, "ap.react.purpose")
    if "ap" in fighter.pools and points_left(fighter, reacts=True) < max(1, still_due(fighter, action)):
        yield _short(case, "ap.react.needs-ap")


def _is_bought(case: Case) -> bool:
    """Check whether an action is paid for with an Advantage alone."""
    return case.params.get("pay") == "advantage" and case.state.options["special_by_advantage"] == "free"


def _short(case: Case, rule: str) -> Objection:
    fighter = case.fighter
    pool = fighter.pools.get("ap")
    left = pool.left if pool is not None else 0
    due = 0 if _is_bought(case) else still_due(fighter, case.action)
    needs = f"Takes {due} AP" if due else "You can react only while you have AP left"
    when = filled_in(case, [("ap",) * max(1, due)])
    until = f" until {when}" if when else ""
    return Objection(f"{needs}; {fighter.name} has {left}{until}.", rule)


def while_surprised(case: Case) -> Iterable[Objection]:
    """Let a surprised character only react until their first turn has passed."""
    state, action = case.state, case.action
    name = case.fighter.name
    rule = "ap.surprise.reactions-only"
    if action.when == "reaction" and action.cost == "reaction":
        return
    if action.cost == "free":
        if not state.options["surprised_free_actions"]:
            yield Objection(f"{name} is surprised; strictly by the text, they can only react.", rule)
        return
    turn = state.turn
    own = turn is not None and turn.who == name
    answers = "reaction" in action.when and (not own or is_answer(case))
    if not answers:
        reason = f"{name} is surprised and can only react until their first turn has passed."
        yield from against(reason, rule, "ap.surprise.until-own-turn" if own else "")
    elif not state.options["surprised_secondary_reactions"]:
        reason = f"{name} is surprised, and a Secondary Action doesn't become a Reaction by being used to react."
        yield from against(reason, "ap.surprise.no-secondary-react", rule)


def check(case: Case) -> Iterable[Objection]:
    """Weigh what an action costs besides its slot: Advantage, attempts, points, attacks of the round, range."""
    fighter, action = case.fighter, case.action
    name = fighter.name
    through = case.params.get("pay") == "advantage"
    reacts, points, own = taken(case)
    if through:
        yield from _through_advantage(case, own)
    elif action.cost == "primary" and not own:
        yield Objection("", "ap.primary.instigator")
    if reacts:
        yield from _at_threat(case)
    bought = through and _is_bought(case)
    least = 1 if reacts else 0  # a reaction takes somebody with points left, even where it costs none
    short = points_left(fighter, reacts) < max(least, points)
    if "ap" in fighter.pools and not bought and short:
        yield _short(case, "ap.react.needs-ap" if reacts else "ap.act.no-debt")
        if action.facts["ap"] == 1:
            yield Objection("", "ap.act.min-cost")
    attacks = fighter.pools.get("attacks")
    if attacks is not None and attacks.left < 1 and is_counted(action):
        reason = f"{name} has made {counted(attacks.total, 'attack')} this round, as many as this table allows."
        yield Objection(reason, action.facts.get("counted", "ap.primary.any-number"))
    if "option" in case.params:
        check_mode(action, case.params["option"])


def check_stance(case: Case) -> Iterable[Objection]:
    """Let a turn be skipped in defence only if nothing has been done on it."""
    turn = case.state.turn
    if turn is not None and turn.who == case.fighter.name and turn.touched > 1:
        yield Objection(f"{case.fighter.name} has already acted this turn.", case.action.facts["says"])


def within_range(case: Case) -> Iterable[Objection]:
    """Refuse a target beyond the range of an action or its weapon, or beyond the attacker's reach."""
    facts, armed = case.action.facts, case.fighter.stats.get("weapons")
    found = within_reach(case) if armed else ()
    reach = farthest(case) if "range" in facts or "modes" in facts else None
    return found if reach is None else (*found, *_beyond(case, reach))


def _beyond(case: Case, reach: int) -> Iterable[Objection]:
    state, action = case.state, case.action
    struck = () if "target" in action.required else answered(state, case.fighter.name, action)
    for target in case.targets or struck:
        apart = case.rules.distance(state, case.fighter, state.fighters[target])
        if apart is not None and apart.steps > reach:
            far = type(action.facts.get("range")) is int
            reason = f"{target} is {counted(apart.steps, 'metre')} away; "
            reason += f"{action.title if far else case.fighter.name} reaches {reach}."
            yield Objection(reason, "ap.map.metre")


def _through_advantage(case: Case, own: bool) -> Iterable[Objection]:
    state, fighter, action = case.state, case.fighter, case.action
    name, title = fighter.name, action.title
    if "special" not in action.tags:
        yield Objection(f"Advantage pays only for Special Actions, and {title} isn't one.", "ap.special.advantage")
        return
    if not advantages_of(fighter):
        yield Objection(f"{name} has no Advantage to spend.", "ap.special.advantage")
    style = {spelled(str(s)) for s in fighter.stats["style_advantages"]}
    if style.isdisjoint((action.id, spelled(title))):
        yield Objection(f"{title} isn't one of {name}'s Special Advantages.", "ap.special.style")
    if own and state.window is not None and not is_answer(case):
        reason = f"{state.window.about}: others may react before {name}'s next action."
        yield Objection(reason, "ap.multi.resolve-reactions-first")


def _at_threat(case: Case) -> Iterable[Objection]:
    params = case.params
    window, given = case.window, params.get("threat")
    if window is None and "trigger" in params:
        yield from _tried(case.fighter, threat_of(case) or "")
    if given is not None and (window is None or window.threat != given):
        yield from _tried(case.fighter, str(given))
        yield Objection(f"Event {given} can't be reacted to now.", "ap.multi.resolve-reactions-first")
