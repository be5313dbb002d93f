"""Wrong rules that are near the right one: of the same things, in the same words, and surely not against it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from combatkit.core.model import Lookup
from combatkit.rules.case import Case, Objection
from combatkit.rules.catalogue import Action, Rule
from combatkit.rules.judge import payment
from combatkit.rules.ruleset import Ruleset
from combatkit.study.quiz.moments import usual_moments

Refused = Mapping[str, set[str]]
"""What rules have refused in fights, or spoken to, by rule: ids of actions."""

_OWN = 3
"""A rule of so many actions at most is about these alone."""

_STEM, _SHORT = 5, 4
"""So many letters of a word are compared, so that "reacts" is "reaction"; shorter ones say nothing."""

_PLAYED = 120
"""So many moments are played to learn what rules refuse."""

_ALIKE = 3
"""With so many words in common two rules say much the same: either might be the reason."""

_SHARED = 2
"""So many words in common are as near as more."""


def stems(text: str) -> frozenset[str]:
    """Return what is compared of a text's words.

    Examples
    --------
    >>> sorted(stems("A reaction answers it"))
    ['answe', 'react']
    """
    return frozenset(word[:_STEM] for word in re.findall(rf"[a-z]{{{_SHORT},}}", text.lower()))


def gives_away(rules: Ruleset, said: Sequence[frozenset[str]], right: str, wrong: Collection[str]) -> bool:
    """Check whether the right rule is the one that says most of a question's words, so that nobody needs the rules."""
    told = {id: stems(rules.rules[id].text) for id in (right, *wrong)}
    return any(all(len(told[id] & words) < len(told[right] & words) for id in wrong) for words in said)


def wrong_rules(case: Case, cited: Collection[str], said: Sequence[frozenset[str]]) -> list[str]:
    """Return rules that are not against something, the nearest first.

    One that might be is left out: what is cited, what belongs to the action or to what it could be paid from, what any
    ruling on the same action rests on, what stands in a section with what is cited or says much the same, and what of
    its topic has refused the same thing, or nothing that is known. So is what gives no reason.

    Parameters
    ----------
    case : Case
        Who would do what.
    cited : collection of str
        The rules that it rests on, by any reading.
    said : sequence of frozenset of str
        What is compared of the question's words; then with those of what has been done.

    Returns
    -------
    list of str
        Their ids: such as say the question's words, are of its topic, refuse something else, or cost the same first.
    """
    rules, action = case.rules, case.action
    refused = usually_refused(rules)
    topics = {rules.rules[id].topic for id in cited}
    own = _own_rules(rules)
    out = {*cited, *_of_price(case)}
    for id in filter(None, (action.id, case.params.get("action"))):
        about = rules.catalogue(case.state).get(id)
        out.update(about.cited if about is not None else (), spoken_to(rules).get(id, ()))
    sections = {_section(id) for id in cited}
    said_by = [stems(rules.rules[id].text) for id in cited]

    def nearness(rule: Rule) -> int:
        told = stems(rule.text)
        shared = sum(min(len(told & words), _SHARED) for words in said)
        alike = any(each.cost == action.cost for each in own.get(rule.id, ()))
        return shared + 2 * (rule.topic in topics) + 4 * (rule.id in refused) + alike

    near = [
        rule
        for rule in rules.rules
        if rule.id not in out
        and rule.reason
        and not any(len(stems(rule.text) & text) >= _ALIKE for text in said_by)
        and _section(rule.id) not in sections
        and (rule.kind == "mechanical" or rule.id in refused or rule.id in own)
        and not (rule.shown or rule.disputed)
        and (rule.topic not in topics or rule.id in own or action.id not in refused.get(rule.id, {action.id}))
    ]
    return [rule.id for rule in sorted(near, key=nearness, reverse=True)]


def _section(id: str) -> str:
    """Return the section of a rulebook that a rule stands in, as its id says."""
    return id.rpartition(".")[0] if id.count(".") < 2 else ".".join(id.split(".")[:2])


def usually_refused(rules: Ruleset) -> Refused:
    """Return what rules refuse in fights of a system: any of these may be right somewhere, so none looks wrong."""
    return _played(rules)[0]


def spoken_to(rules: Ruleset) -> Mapping[str, set[str]]:
    """Return all rules that rulings on an action have cited in fights, by action."""
    return _played(rules)[1]


@lru_cache(maxsize=16)
def _played(rules: Ruleset) -> tuple[Refused, Mapping[str, set[str]]]:
    refused: dict[str, set[str]] = {}
    cited: dict[str, set[str]] = {}
    for view, name in usual_moments(rules, _PLAYED):
        for option in view.options(name):
            ruling = view.can(name, option.action)
            cited.setdefault(option.action, set()).update(ruling.rules)
            if not option.allowed and option.rule:
                refused.setdefault(option.rule, set()).add(option.action)
    return refused, cited


@Lookup
def _own_rules(rules: Ruleset) -> dict[str, list[Action]]:
    """Return the rules that are about an action or two, with these."""
    found: dict[str, list[Action]] = {}
    for action in rules.actions:
        found.setdefault(action.rule, []).append(action)
    return {id: actions for id, actions in found.items() if id and len(actions) <= _OWN}


def _of_price(case: Case) -> Iterator[str]:
    """Yield the rules of what it could be paid from, if that is what it lacks: each might be the one against it."""
    rules = case.rules
    cost, _ = rules.price(case)
    lacks: list[Objection] = []
    payment(case, cost, lacks, silent=True)
    if not lacks:
        return
    pools = {pool for way in rules.payments(case, cost) for pool in way}
    yield from (pool.rule for id, pool in case.fighter.pools.items() if id in pools and pool.rule)
    for other in rules.costs.by_id.values():
        if any(pool in pools for way in other.pay for pool in way):
            yield from filter(None, (other.rule, *other.rules, other.spent_rule, other.again_rule))
