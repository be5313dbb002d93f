"""What a quiz shows of a question, as plain data: the moment, what may be answered, and what was right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from combatkit.core.model import Slot
from combatkit.registry import ruleset
from combatkit.report.shapes import QuizAnswer, QuizEnd, QuizProgress, QuizView
from combatkit.rules.case import Case
from combatkit.study.differences import contrast, topics
from combatkit.study.quiz import Item
from combatkit.study.quiz.items import language_of, words


class Given(NamedTuple):
    """What somebody answered, and how many hints they had taken; when, if it was clicked."""

    allowed: bool
    rule: str
    right: bool
    hints: int
    at: str = ""


def quiz_view(
    item: Item, progress: QuizProgress, taken: int, given: Given | None, *, refuses: bool = False, note: str = ""
) -> QuizView:
    """Return the view of a question.

    Parameters
    ----------
    item : Item
        The question.
    progress : dict
        Which it is, and of each one whether it was right.
    taken : int
        How many hints are shown.
    given : Given or None
        What was answered.
    refuses : bool
        Whether "may not" was said, and a rule is asked for.
    note : str
        What else there is to say.

    Returns
    -------
    dict
        No answer is in it before one is given.
    """
    rules, moment = ruleset(item.system), item.moment
    hints = hints_of(item)
    sides = list(dict.fromkeys(moment[name].side for name in moment.names))
    view: QuizView = {
        "at": progress["at"],
        "strip": progress["strip"],
        "moment": language_of(moment).several(moment.clock.label),
        "system": language_of(moment).word(rules.title),
        "situation": item.situation,
        "question": item.question,
        "order": [
            {
                "name": rung.combatant,
                "score": "" if rung.initiative is None else str(rung.initiative),
                "side": sides.index(rung.side),
                "status": rung.status,
                "state": language_of(moment).word(rung.status),
                "asked": rung.combatant == item.name,
            }
            for rung in moment.order
        ],
        "slots": [
            {"title": slot.title, "left": _of(slot), "spent": not slot.unlimited and not slot.left}
            for slot in moment.budget(item.name)
            if slot.unlimited or slot.total
        ],
        "laws": [[id, rules.rules[id].text] for id in item.choices],
        "hints": hints[:taken],
        "more": len(hints) - taken,
        "refuses": refuses,
        "note": note,
    }
    if given is not None:
        view["answer"] = _answered(item, given)
    return view


def end_view(items: Sequence[Item], strip: Sequence[bool | None], kept: Path | None, *, shut: bool = False) -> QuizEnd:
    """Return the last page: how many were right, where that is kept, and what is right once a question is answered.

    A file that is `shut` can't be written.
    """
    said, tell = words()["end"], language_of(items[0].moment).tell
    right, left = strip.count(True), [str(n + 1) for n, each in enumerate(strip) if each is None]
    went = tell(said["open" if left else "all" if right == len(strip) else "some"], open=", ".join(left))
    where = said["keep"] if kept is None else words()["keep"]["shut"] if shut else said["file"]
    return {
        "title": tell(said["title"], right=right, asked=len(strip)),
        "text": f"{went} {tell(where, file=kept and kept.name)}",
        "rows": [
            {"text": item.question, "right": each, "told": told, "rule": rule}
            for item, each in zip(items, strip, strict=True)
            for told, rule in [_right_of(item, each is not None)]
        ],
    }


def _of(slot: Slot) -> str:
    """Return how much of a slot is left, of how much."""
    return "∞" if slot.unlimited else f"{slot.left}/{slot.total}"


def hints_of(item: Item) -> list[str]:
    """Return the hints to a question, from where to look to the rule: what is left is counted where that decides."""
    said, rules, language = words()["hint"], ruleset(item.system), language_of(item.moment)
    ruling = item.ruling
    slots = [slot for slot in item.moment.budget(item.name) if slot.unlimited or slot.left]
    left = [f"{language.word(slot.title)} {'∞' if slot.unlimited else slot.left}" for slot in slots]
    action = language.word(rules.catalogue(item.moment._state)[item.action].title)
    names = {"name": item.name, "left": ", ".join(left), "action": action, "cost": language.several(ruling.cost)}
    cited = [rules.rules[id].topic for id in ruling.rules]
    topic = next((topics()[id].title for id in cited if id in topics()), "")
    about = [language.tell(said["topic"], topic=language.word(topic))] if topic else []
    pays, look = _pays(item), language.tell(said["look"], **names)
    if pays is False:
        price = [language.tell(said[each], **names) for each in ("budget" if left else "nothing", "price")]
        return [look, *price, *(about or [language.tell(said["open"])])]
    enough = language.tell(said["without" if pays is None else "enough"], **names)
    return [look, enough, *about, language.tell(said["open"])]


def _pays(item: Item) -> bool | None:
    """Check whether somebody can pay for what they are asked about; None if it takes nothing."""
    view, rules = item.moment, ruleset(item.system)
    fighter = view._state.fighters[item.name]
    case = Case(rules, view._state, fighter, rules.catalogue(view._state)[item.action], item.params)
    cost, _ = rules.price(case)
    ways = [Counter(pool for pool in way if pool in fighter.pools) for way in rules.payments(case, cost)]
    if not all(ways):
        return None
    return any(
        all(fighter.pools[id].left >= (fighter.pools[id].total if cost.untouched else n) for id, n in way.items())
        for way in ways
    )


def _answered(item: Item, given: Given) -> QuizAnswer:
    """Return what is right, in words, with the rules it rests on, and what other systems say."""
    ruling, rules = item.ruling, ruleset(item.system)
    said, language = words()["result"], language_of(item.moment)
    head = (
        "right" if given.right else "another" if given.allowed is ruling.allowed else "yes" if ruling.allowed else "no"
    )
    cited = ruling.rules if not ruling.allowed else ruling.rules[:2]
    return {
        "allowed": given.allowed,
        "rule": given.rule,
        "right": given.right,
        "may": ruling.allowed,
        "head": language.tell(said[head]),
        "told": said_of(item) if given.right else _why(item),
        "because": [[id, rules.rules[id].text] for id in cited],
        "others": _elsewhere(language.word, item.system, ruling.rule or (ruling.rules[0] if ruling.rules else "")),
    }


def _why(item: Item) -> str:
    """Return why somebody may do something, or may not, in a sentence."""
    if not item.ruling.allowed:
        return item.ruling.reason
    return language_of(item.moment).tell(words()["why"]["free" if _pays(item) is None else "enough"], name=item.name)


def said_of(item: Item) -> str:
    """Return what is right, and why, in words."""
    said = words()["result"]["allowed" if item.ruling.allowed else "refused"]
    return language_of(item.moment).tell(said, reason=_why(item))


def _right_of(item: Item, answered: bool) -> tuple[str, str]:
    """Return what is right, in words, and by which rule; nothing before it is answered."""
    if not answered:
        return "", ""
    return said_of(item), item.ruling.rule


def _elsewhere(word: Callable[[str], str], system: str, id: str) -> list[list[str]]:
    """Return what other systems say to the question that a rule answers, if it answers one."""
    rules = ruleset(system).rules
    asked = rules[id].answers[0] if id in rules and rules[id].answers else ""
    topic, _, question = asked.partition(".")
    if topic not in topics():
        return []
    shown = contrast(topic)
    rows = dict(shown.whole().rows(topic))
    answers = rows.get(topics()[topic].questions.get(question, ""), ())
    return [
        [word(ruleset(a.system).title), a.text.partition(" [")[0]] for a in answers if a.system != system and a.rules
    ]
