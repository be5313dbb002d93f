"""What somebody may answer in a window, for the desk: with what, who is asked besides, and who is not."""

from __future__ import annotations

from combatkit.core.model import Bid, Fighter, State, Window
from combatkit.report.words import reason_parts
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.contests import besides
from combatkit.rules.judge import judge
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.shapes import Parts
from combatkit.rules.weapons import Weapon
from combatkit.rules.windows import answers_left
from combatkit.text import neutral
from combatkit.text.phrases import capital
from combatkit.widgets._fit import first
from combatkit.widgets._rung_acts import by_concern, choices_told, concerned, offer, stands_by, stops, what_kept
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import Action as Shown
from combatkit.widgets.shapes import Other, Reaction

_THEN = 8
"""How many of the others who are asked are named with what they may answer."""

_CHOICES = 20_000
"""How many bytes the choices of a question may take."""


def reaction_view(vantage: Vantage, rules: Ruleset, state: State, fighter: Fighter) -> Reaction | None:
    """Return what somebody is asked in the window on top; if nobody is, what the GM is asked; else nothing.

    Of whoever acts it is told who is asked, while nobody has to wait for them, or nobody is left whom it concerns. A
    player who has let it go is asked nothing more, and does nothing else until it is over, or taken back.
    """
    window = state.window
    is_only_seen = vantage.looks_on and not vantage.players  # a seat acts in the players' view
    if window is None or is_only_seen or not vantage.acts_for(fighter.name):
        return None
    passed = vantage.passed
    asked = [bid for bid in by_concern(state, window) if bid.who not in passed and vantage.acts_for(bid.who)]
    own = [bid for bid in asked if bid.who == fighter.name]
    is_asked = bool(window.question) and not (vantage.players or own)
    choices = first(choices_told(rules, state, window), _CHOICES) if is_asked else []
    near, waits = concerned(rules, state), stops(rules, state)
    others = [bid for bid in asked if bid.who != fighter.name]
    is_told = fighter.name == vantage.now.active and not vantage.players and bool(others)
    if waits and not near.isdisjoint([bid.who for bid in asked]):
        is_told = False
    has_passed = vantage.players and fighter.name in passed and not window.soft
    if not own and not choices and not is_told and not has_passed:
        return None
    rest = [bid for bid in others if bid.who not in near]
    answers = [shown for bid in own for shown in _answers(rules, state, fighter, bid)]
    told: Reaction = {
        "window": str(vantage.log_lines.number(window.seq)),
        "about": neutral(window.about),
        "answers": answers,
        "then": [_other(vantage, rules, state, bid) for bid in others if bid.who in near][:_THEN],
        "rest": [_other(vantage, rules, state, bid) for bid in rest[:_THEN]],
        "others": len(rest),
        "notes": not_asked(vantage, rules, state, window),
        "must": any(bid.must for bid in own),
        "choices": choices,
    }
    if own and all(stands_by(rules, state, bid) for bid in own):
        told["aside"] = True
    if len(own) == 1 and len(own[0].actions) == 1:
        told["text"] = neutral(f"{offer(rules, state, own[0])}.")
    return told if own or choices or waits or has_passed else {**told, "soft": True}


def _answers(rules: Ruleset, state: State, fighter: Fighter, bid: Bid) -> list[Shown]:
    """Return the answers of an offer, what is usual first: one with a weapon, once for each that can be used."""
    catalogue = rules.catalogue(state)
    found: list[Shown] = []
    actions = sorted((catalogue[id] for id in answers_left(rules, state, bid)), key=lambda each: not each.usual)
    for action in actions:
        armed = [row for row in _armed(rules, state, fighter, action) if len(actions) == 1]
        cost = rules.price(Case(rules, state, fighter, action))[0].title
        shown: Shown = {"id": action.id, "title": action.title, "cost": cost}
        if action.brief:
            shown["brief"] = action.brief
        found += armed or [shown]
    return found


def _armed(rules: Ruleset, state: State, fighter: Fighter, action: Action) -> list[Shown]:
    """Return an attack with each weapon on a sheet that would do for it."""
    if "attack" not in action.tags or "weapon" not in action.takes:
        return []
    rows = [with_weapon(rules, action, weapon) for weapon in rules.presentation.arsenal(fighter)]
    return [row for row in rows if not judge(Case(rules, state, fighter, action, row["params"])).objections]


def with_weapon(rules: Ruleset, action: Action, weapon: Weapon) -> Shown:
    """Return an attack by its weapon's name, with what that brings: what it adds to the attack, and its damage."""
    row: Shown = {
        "id": action.id,
        "title": weapon["name"],
        "params": {"weapon": weapon.get("weapon", weapon["name"])},
    }
    each = (weapon.get(rules.arms.adds), weapon.get("damage"))
    if said := " · ".join(f"{it:+}" if isinstance(it, int) else it for it in each if it):
        row["extra"] = said.replace("-", "\N{MINUS SIGN}")
    return row


def _other(vantage: Vantage, rules: Ruleset, state: State, bid: Bid) -> Other:
    answers, catalogue = answers_left(rules, state, bid), rules.catalogue(state)
    titles = [capital(what_kept(rules, state, bid.who, id)) or catalogue[id].title for id in answers]
    hidden = vantage.hides(state.fighters[bid.who])
    text = "" if hidden else neutral(titles[0]) if len(titles) == 1 else f"{len(titles)} answers"
    return {"name": bid.who, "side": vantage.sides[state.fighters[bid.who].side], "text": text}


def not_asked(vantage: Vantage, rules: Ruleset, state: State, window: Window) -> list[Parts]:
    """Say who keeps something ready and can't use it now, and why; about an NPC, only to the GM.

    While the GM is asked, that is why, and is said already.
    """
    if window.question:
        return []
    asked = {bid.who for bid in window.bids}
    notes: list[Parts] = []
    for name in state.watchers:
        if name in asked or (window.by and not besides(name, window.by)):
            continue
        fighter = state.fighters[name]
        if vantage.hides(fighter):
            continue
        for effect in fighter.effects:
            if effect.watches:
                action = rules.catalogue(state)[effect.value["use"]]
                against = judge(Case(rules, state, fighter, action, {"trigger": window.about})).objections
                found = next((o for o in against if o.reason and o.rule != rules.cite["reaction"]), None)
                if found is not None:
                    notes.append(reason_parts(f"Not asked: {name}. {found.reason}", found.rule))
    return notes
