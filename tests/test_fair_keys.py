"""Whether a key can be trusted: what is asked is decided by a rule, from what is shown, and what is wrong is wrong."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

import combatkit as ck
from combatkit.core.model import Act
from combatkit.fight.view import View
from combatkit.study.quiz import Item, items, items_of, moments_of

SYSTEMS = [rules.id for rules in ck.rulesets()]
SEEDS = [3, *(pytest.param(n, marks=pytest.mark.long) for n in range(100, 112))]
EACH = pytest.mark.parametrize("seed", SEEDS)
# Those of a system are on one worker, which finds its questions once.
ALL = pytest.mark.parametrize(
    "system", [pytest.param(each, marks=pytest.mark.xdist_group(f"keys-{each}")) for each in SYSTEMS]
)


@cache
def asked(system: str, seed: int) -> list[Item]:
    return items_of(moments_of(system)(seed), 12)


@cache
def cited(system: str) -> dict[str, set[str]]:
    """What rulings on an action rest on, in fights that no quiz learns from."""
    found: dict[str, set[str]] = {}
    for view, name in islice(moments_of(system)(71), 60):
        for option in view.options(name):
            found.setdefault(option.action, set()).update(view.can(name, option.action).rules)
    return found


@ALL
@EACH
def test_no_wrong_rule_is_one_that_rulings_on_the_action_rest_on(system: str, seed: int) -> None:
    for item in asked(system, seed):
        ruling = item.ruling
        wrong = {*item.choices} - {ruling.rule}
        assert not wrong & {*ruling.rules}
        assert not wrong & cited(system).get(item.action, set()), item
        if not ruling.allowed:
            section = ruling.rule.split(".")[:2]
            assert not [id for id in wrong if id.split(".")[:2] == section and id.count(".") > 1], item


@ALL
@EACH
def test_a_refusal_is_scored_by_a_rule_that_says_no(system: str, seed: int) -> None:
    rules = ck.ruleset(system).rules
    refused = [item.ruling.rule for item in asked(system, seed) if not item.ruling.allowed]
    assert refused
    assert not [id for id in refused if not rules[id].reason]
    listed = re.compile(r"(is|are) an? ([a-z-]+ )?(action|reaction)s?\b|actions (don't )?provoke:|\bmay act later\b")
    assert not [id for id in refused if listed.search(rules[id].text)]


@ALL
@EACH
def test_an_answer_rests_on_nothing_that_is_not_shown(system: str, seed: int) -> None:
    for item in asked(system, seed):
        state = item.moment._state
        bare = {
            name: replace(
                one, position=None, stats={**one.stats, **({"weapons": []} if "weapons" in one.stats else {})}
            )
            for name, one in state.fighters.items()
        }
        view = View(item.moment.id, item.moment.ruleset, replace(state, fighters=bare, map=None), item.moment._events)
        read, ruling = view.can(item.name, item.action, **item.params), item.ruling
        assert (read.allowed, read.rule) == (ruling.allowed, ruling.rule), item
        action = item.moment.ruleset.actions[item.action]
        assert not ruling.allowed or not action.presumes
        assert not ruling.allowed or state.fighters[item.name].effect("surprised") is None
        target = item.params.get("target", ())
        for each in [target] if isinstance(target, str) else list(target):  # type: ignore[call-overload]
            friend = state.fighters[each].side == state.fighters[item.name].side
            assert not (friend and ruling.allowed and "attack" in action.tags), "nobody strikes a friend"


@ALL
@EACH
def test_only_who_is_aimed_at_is_asked_for_an_answer_or_a_friend_for_help(system: str, seed: int) -> None:
    for item in asked(system, seed):
        state = item.moment._state
        under = next((frame for frame in reversed(state.focus) if isinstance(frame, Act)), None)
        if state.window is not None and under is not None and under.targets and item.name not in under.targets:
            assert "aid" in item.moment.ruleset.actions[item.action].tags, item
            assert state.fighters[item.name].side == state.fighters[under.who].side, item


@pytest.mark.parametrize(("system", "may"), [("ap", set()), ("d6", {"add_help"})])
def test_whoever_stands_by_is_asked_for_nothing_but_help(system: str, may: set[str]) -> None:
    found: set[str] = set()
    seen = 0
    for view, name in islice(moments_of(system)(5), 250):
        under = next((frame for frame in reversed(view._state.focus) if isinstance(frame, Act)), None)
        if view._state.window is None or under is None or not under.targets or name in under.targets:
            continue
        seen += 1
        found |= {deed.action for deed in items._deeds(view, name) if items._is_fair(view, name, deed)}
    assert seen
    assert found == may


@ALL
@EACH
def test_what_is_said_of_the_moment_is_so(system: str, seed: int) -> None:
    for item in asked(system, seed):
        state, said = item.moment._state, item.situation
        waits = state.fighters[item.name].effect("delayed") is not None
        assert "could act now" not in said
        assert not said.startswith("It's nobody's turn") or item.moment.active is None
        assert waits or " delays." not in said
        assert item.action != "act_now" or waits
        step = item.moment.ruleset.present_step(state)
        assert item.ruling.allowed or step is None or not step.stops, "while all declare, rules against it are many"
        if item.moment.active is None and state.window is None and not item.ruling.allowed:
            assert item.ruling.rule != item.moment.ruleset.order_rule(state), "whoever waits may step in"
        catalogue = item.moment.ruleset.catalogue(state)
        begun = next(e.seq for e in reversed(item.moment._events) if e.kind in ("round", "step"))
        for event in item.moment._events[begun:]:
            if event.kind == "action" and event.actor == item.name:
                assert catalogue[event.action or ""].title in said, "all that they have done"
        for effect in state.fighters[item.name].effects:
            assert effect.id.replace("_", " ") in said


@ALL
@EACH
def test_a_question_is_said_as_people_say_it(system: str, seed: int) -> None:
    for item in asked(system, seed):
        assert not re.search(r"\((rank|outcome|after|destination|action): ", item.question), item.question
        assert "act now?" not in item.question
        for deed in item.situation.split("So far: ")[-1].split("."[0])[0].split(", "):
            assert item.situation.count(f" {deed},") <= 1, item.situation


@pytest.mark.parametrize("system", ["saga", "phases"])
def test_to_act_now_is_said_as_coming_back_from_a_delay(system: str) -> None:
    for language, told in (
        ("en", "May Vex come back from a delay (act now)?"),
        ("de", "Vex wählt: aus dem Abwarten zurückkommen (Jetzt handeln). Ist das erlaubt?"),
    ):
        enc = ck.scene("catwalk").encounter(system, seed=7, language=language)
        enc.do(enc.active or "", "delay")
        own = ck.question(enc.at(), "Vex", "act_now")
        assert own.question == told


def test_places_and_ranks_go_on_the_sentence() -> None:
    enc = ck.scene("catwalk").encounter("d6", seed=7)
    other = next(name for name in enc.names if name != enc.active)
    told = ck.question(enc.at(), enc.active or "", "shift", after=other).question
    assert told == f"May {enc.active} change their place in the order to just after {other}?"
    aided: Any = ck.question(ck.scene("catwalk").encounter("saga", seed=7).at(), "Vex", "aid_another")
    assert aided.question == "May Vex lend aid to anybody?"
