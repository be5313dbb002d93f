"""Concentration: what breaks it, and what is lost with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combatkit.core.model import Effect, Fighter, Place
from combatkit.core.plain import with_article
from combatkit.rules import flow
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.vitals import DOWN_AT_ZERO, first_vital
from combatkit.rules.weapons import spent_by
from combatkit.systems.segments.moving import in_block
from combatkit.systems.segments.places import LOST
from combatkit.text import Said, Title, say

IMPEDING = (
    "prone",
    "down",
    "unconscious",
    "stunned",
    "dead",
    "hampered",
    "limited",
    "impeded",
    "grappled",
    "held",
    "paralyzed",
)
"""Conditions that impede movement or the ability to act."""


def spoken(spell: Action, said: Mapping[str, Any], *, new: bool = False) -> Title:
    """Return what a spell is called in a sentence: by its name; an item, and what has no name, with an article."""
    if said.get("spell_name"):
        return Title(said["spell_name"])
    if "means" not in spell.facts and "invocation" not in spell.tags:
        return spell.called
    title = spell.title.lower()
    return Title(with_article(title) if new else f"the {title}")


def break_concentration(draft: Draft, name: str, rule: str, why: Said | None = None) -> None:
    """End whatever a combatant maintains, and the incantation being cast; `why`, unless it has just been told."""
    for effect in concentrated(draft.state.fighters[name]):
        if effect.id == "concentration" or not _at_once(draft, name):
            end_or_lose(draft, name, effect, rule, why)


def concentrated(fighter: Fighter) -> list[Effect]:
    """Return what needs a combatant's concentration: whatever they maintain, and the incantation being cast."""
    return [
        e
        for e in fighter.effects
        if e.id == "concentration" or (e.id == "casting" and e.value["kind"] == "incantation")
    ]


def broken_by(fighter: Fighter, action: Action, *, spends: bool) -> list[Effect]:
    """Return what a combatant's own deed costs: all that needs concentration, or a spell whose action it `spends`."""
    if action.id == "free_attack":
        return concentrated(fighter)
    return [e for e in fighter.effects if spends and e.id == "casting" and e.value["spell"] != action.id]


def end_or_lose(draft: Draft, name: str, effect: Effect, rule: str, why: Said | None) -> None:
    """End what is maintained, or lose the spell that was begun."""
    if effect.id == "concentration":
        end_maintained(draft, name, effect, rule, why)
    else:
        lose_spell(draft, name, rule, why, effect)


def _at_once(draft: Draft, name: str) -> bool:
    """Check whether a spell is completed at the same time as the one that does the harm, and so gets through."""
    return in_block(draft, name, "spell")


def end_maintained(draft: Draft, name: str, effect: Effect, rule: str, why: Said | None) -> None:
    """End an effect that needed concentration."""
    what = Title(effect.value) if isinstance(effect.value, str) else say("concentration.effect")
    data: dict[str, object] = {"number": effect.number, "id": effect.id}
    if effect.anchor:
        data["anchor"] = effect.anchor
    text = say("concentration.ends", of="" if why is not None else "told", why=why, what=what)
    draft.emit("effect_end", None, None, name, text=text, rules=(rule, "segments.conc.loss"), data=data)


def lose_spell(draft: Draft, name: str, rule: str, why: Said | None = None, casting: Effect | None = None) -> None:
    """Lose a spell that was begun, as if it had been cast, and with it the round's spell and major action.

    What was cast in earlier rounds is lost too; a spell not taken up again this round takes none of its actions.
    """
    fighter = draft.state.fighters[name]
    effect = casting or fighter.effect("casting")
    if effect is None:
        return
    spell = draft.actions[effect.value["spell"]]
    data: dict[str, object] = {}
    major = fighter.pools.get("major")
    paid = {"major": 1} if major is not None and major.left > 0 and effect.anchor else {}
    paid |= dict.fromkeys(spent_by(Case(draft.rules, draft.state, fighter, spell), completed=True), 1)  # as if cast
    if paid:
        data = {"paid": paid, "paid_rule": LOST}
    title = spoken(spell, effect.value)
    text = say("spell.lost", title=title, why=why)
    if why is not None and why.id == "broken.given_up":
        text = say("spell.lost", of="given_up", title=title, **why.fields)
    cited = tuple(dict.fromkeys((LOST, rule)))
    draft.emit("stopped", name, spell.id, text=text, rules=cited, data=data)
    draft.end_effect(name, effect)
    come = fighter.progress.get(spell.id)
    if come is not None:
        text = say("progress.again", title=spell.called)
        lost: dict[str, object] = {"done": 0, "total": come.total}
        draft.emit("progress", name, spell.id, amount=0, text=text, rules=(LOST,), data=lost)
    for place in draft.state.agenda:
        if place.who == name and place.facts.get("kind") == "spell" and place.done < draft.state.occasion:
            _leave_minor_actions(
                draft, place, falls=why is not None and why.id == "broken.damage" and _falls(draft, name)
            )
    window = draft.state.window
    if window is not None and any(b.who == name and b.must and not b.answered for b in window.bids):
        draft.emit("answer", name, text=say("spell.unannounced"), data={"declined": True})


def _falls(draft: Draft, name: str) -> bool:
    """Check whether the damage just told fells somebody."""
    left = first_vital(draft.rules, draft.state.fighters[name])
    return left is not None and left <= 0 and bool(draft.state.options[DOWN_AT_ZERO])


def _leave_minor_actions(draft: Draft, place: Place, *, falls: bool) -> None:
    """Leave a turn for minor actions to somebody whose spell is lost: in their half, or if that is over, the spell's.

    What waits for a turn of theirs ends in it. Whoever `falls` by what broke the spell isn't told of it.
    """
    state, rules = draft.state, draft.rules
    own, step, turn = state.place_of(place.who), rules.present_step(state), state.turn
    stage = step.stage or 0 if step is not None else 0
    later = own is not None and own.done < state.occasion and stage >= own.rank[0]
    is_next = stage > place.rank[0] or (stage == place.rank[0] and turn is not None and turn.place != place.id)
    if later or not is_next:
        left = later and not falls and rules.able(state.fighters[place.who])
        text = say("spell.minor_left" if left else "spell.unresolved")
        flow.lose_turn(draft, place, state.occasion, text, (LOST,))


def begin_maintaining(draft: Draft, name: str, what: str) -> None:
    """Begin to maintain an effect, and end any maintained before it."""
    end_earlier(draft, name)
    text = say("concentration.begins", what=Title(what))
    draft.effect(name, "concentration", value=what, rule="segments.conc.marked", text=text)


def end_earlier(draft: Draft, name: str) -> None:
    """End what a combatant maintains, because another action needs concentration."""
    effect = draft.state.fighters[name].effect("concentration")
    if effect is not None:
        end_maintained(draft, name, effect, "segments.conc.one", say("broken.other"))
