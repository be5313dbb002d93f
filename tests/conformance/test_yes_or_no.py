"""Yes or no is the answer that is given in words too: `may`, `can` and what tactics ask, at moments of the corpus."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import combatkit as ck
from combatkit.fight.view import View
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.judge import allowed, judge
from combatkit.rules.params import check_params
from tests.conformance.corpus import corpus, sizes

MOMENTS = 8
"""How many moments of a fight are looked at."""


def moments(system: str, fights: int) -> Iterator[tuple[View, Random]]:
    """Give moments at which somebody may choose, and what draws at them."""
    for seed, enc in enumerate(corpus(system, fights)):
        rng = Random(seed)
        ends = [call.last for call in enc._line.done if call.last]
        for seq in sorted(rng.sample(ends, min(MOMENTS, len(ends)))):
            if (view := enc.at(seq))._state.fighters:
                yield view, rng


def tried(view: View, name: str, rng: Random) -> Iterator[tuple[Action, dict[str, Any]]]:
    """Give actions with parameters: each with none, and some with one or two that `choices` lists."""
    catalogue = list(view.ruleset.catalogue(view._state))
    yield from ((action, {}) for action in catalogue)
    for action in rng.sample(catalogue, min(6, len(catalogue))):
        given: dict[str, Any] = {}
        for _ in range(2):
            listed = [c for c in view.choices(name, action.id, **given) if not c.open and c.param not in given]
            for choice in rng.sample(listed, min(4, len(listed))):
                yield action, {**given, choice.param: choice.value}
            if listed:
                choice = rng.choice(listed)
                given[choice.param] = choice.value


def answer(ask: Any) -> object:
    """Give what a question is answered with, or what kind of mistake it is."""
    try:
        return ask()
    except (ck.InvalidInput, ck.UnknownName) as error:
        return type(error)


@sizes
def test_yes_or_no_is_what_is_said_in_words(system: str, fights: int) -> None:
    seen = {True: 0, False: 0}
    for view, rng in moments(system, fights):
        name = view.active or rng.choice(list(view._state.fighters))
        for action, params in tried(view, name, rng):
            said = answer(lambda: view.can(name, action.id, **params).allowed)  # noqa: B023 - asked at once
            view._judged = None
            told = answer(lambda: view.may(name, action.id, **params))  # noqa: B023
            # a mistake in what nobody could do anyway may pass as a no
            assert told is said or (told is False and said is not True), (view, name, action.id, params)
            if said is True or said is False:
                seen[said] += 1
    assert min(seen.values()) > 5, seen


@sizes
def test_what_is_allowed_is_judged_alike_in_silence(system: str, fights: int) -> None:
    for view, rng in moments(system, fights):
        rules, state = view.ruleset, view._state
        name = rng.choice(list(state.fighters))
        for action, params in tried(view, name, rng):
            if not params:
                option = view._option(name, action)
                assert view._needs(name, action) == (option.needs if option.allowed else None)
            try:
                given = check_params(rules, state, action, params)
                case = Case(rules, state, state.fighters[name], action, given)
                judged, silent = judge(case), allowed(case)
            except (ck.InvalidInput, ck.UnknownName):
                continue
            assert silent == (None if judged.objections else judged), (view, name, action.id, params)


def test_who_asks_and_then_acts_is_judged_once(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    for who, side in (("Ann", "a"), ("Bob", "b")):
        enc.add(who, side=side)
    enc.start()
    deed, name = None, ""
    while deed is None:
        name = enc.active or ""
        deed = ck.tactics.strike(enc, name) if name else None
        if deed is None:
            enc.end_turn()
    assert enc.may(name, deed.action, **deed.params)
    known = enc._whole()._judged
    assert known is not None
    assert enc._whole()._judge(enc._whole()._case(name, deed.action, deed.params)) is known[1]
