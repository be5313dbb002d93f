"""What a refusal rests on: the rule that makes it, and no other. What is put right is not cited any more."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest

import combatkit as ck
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.judge import _missing, judge, with_target
from combatkit.rules.params import check_params
from tests.conformance import test_windows as windows
from tests.conformance.player import some

STEPS, LONG = 800, 20_000
"""So many refusals are put right in each system: in `make test`, and in `make test-all`."""


def asked(system: str) -> list[tuple[str, str, str, Action]]:
    """Give every parameter for which a rule asks, with that rule and its action, in all lists of actions."""
    rules = ck.ruleset(system)
    lists = [rules.actions, *(each.actions for lists in rules.lists.values() for each in lists.values())]
    found = {(a.id, p.id, p.rule): a for actions in lists for a in actions for p in a.parameters if p.rule}
    return [(*key, action) for key, action in found.items()]


def test_a_parameter_that_a_rule_asks_for_is_refused_by_it(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    enc.add("Ann", side="red")
    enc.add("Bob", side="blue")
    enc.start()
    for id, param, rule, action in asked(system):
        case = Case(enc.ruleset, enc._state, enc._fighter("Ann"), action)
        assert _missing(case, (param,)).rule == rule, f"{id} without {param}"


# ── four kinds of refusals that have an opposite ──

TWICE = {
    ("turn", "segments.seq.3-fast"): "A fast action is declared in step 1 and taken in step 3.",
    ("distance", "saga.book.coup"): "helpless",
    ("price", "d6.turn.free"): "has no Free Actions",
}
"""Rules that demand two things: what may still be missing where the one is put right, in the words of the reason."""

Hindered = tuple[str, Callable[[], object]] | None
"""What reasons say that tell of something in the way, and what puts it right."""

FAR = (60, 60)
"""A place out of everybody's reach."""


class Mender(windows.Table):
    """Somebody who finds something in the way of an action, or puts it there, then puts it right and asks again."""

    def mend(self, told: Counter[str], wrong: list[str]) -> None:
        enc, rng = self.enc, self.rng
        if enc.pending or enc._state.stage != "running":
            return
        name, action = self.anybody(), some(rng, list(enc.ruleset.catalogue(enc._state)))
        given = {}
        if "target" in action.takes and rng.randrange(3):
            given["target"] = some(rng, [each for each in enc.names if each != name])
        kind = some(rng, ("price", "effect", "turn", "distance"))
        found = getattr(self, f"hinder_by_{kind}")(name, action, given)
        if found is None:
            return
        words, right = found
        before = self.against(name, action, given)
        right()
        if enc.pending or (kind == "turn" and enc.active != name):
            return
        after = self.against(name, action, given)
        for reason in [reason for reason in before if re.search(words, reason) and reason not in after]:
            told[kind] += 1
            for rule in before[reason]:
                others = [other for other in after if rule in after[other]]
                if others and not any(TWICE.get((kind, rule), "-") in other for other in others):
                    wrong.append(f"{kind}: {name} {action.id} {given}: {reason} [{rule}], then {others}")

    def against(self, name: str, action: Action, given: dict[str, str]) -> dict[str, set[str]]:
        """Give what is against an action, by the reason, with the rules that each rests on."""
        enc, found, reason = self.enc, dict[str, set[str]](), ""
        params = check_params(enc.ruleset, enc._state, action, given)
        judged = judge(with_target(Case(enc.ruleset, enc._state, enc._fighter(name), action, params)))
        for objection in judged.objections:
            reason = objection.reason or reason
            found.setdefault(reason, set()).update(filter(None, [objection.rule]))
        ruling = enc.can(name, action.id, **given)
        assert not found or set(ruling.rules) == set().union(*found.values())
        return found

    def hinder_by_price(self, name: str, action: Action, given: dict[str, str]) -> Hindered:
        """Take from somebody all that an action is paid with."""
        enc, fighter = self.enc, self.enc._fighter(name)
        cost, _ = enc.ruleset.price(Case(enc.ruleset, enc._state, fighter, action))
        pools = {pool for way in cost.pay for pool in way if pool in fighter.pools}
        if not pools or cost.untouched or enc.active != name:
            return None
        for pool in pools:
            if left := enc._fighter(name).pools[pool].left:
                enc.adjust(name, pool, -left)
        return "^Needs|^Takes|while you have AP", lambda: [enc.adjust(name, pool, 9) for pool in pools]

    def hinder_by_effect(self, name: str, action: Action, given: dict[str, str]) -> Hindered:
        """Let somebody come under a condition in which nobody can act, if they are under none."""
        enc = self.enc
        if not enc.ruleset.able(enc._fighter(name)):
            return None
        id = some(self.rng, sorted(enc.ruleset.incapable - {"left"}))
        enc.condition(name, id)
        return f"{name} is {id}", lambda: enc.condition(name, id, off=True)

    def hinder_by_turn(self, name: str, action: Action, given: dict[str, str]) -> Hindered:
        """Wait until it is somebody's turn."""
        enc = self.enc

        def wait() -> None:
            for _ in range(12):
                if enc.active == name or enc.pending:
                    return
                enc.end_turn()

        return None if enc.active in (name, None) else ("^It's .+ turn", wait)

    def hinder_by_distance(self, name: str, action: Action, given: dict[str, str]) -> Hindered:
        """Put somebody's target far away, then beside them."""
        enc, target = self.enc, given.get("target")
        spot = enc[name].position
        if target is None or not isinstance(spot, tuple) or enc[target].position is None:
            return None
        enc.place(target, at=FAR)
        return "away|is at |next to", lambda: enc.place(target, at=(spot[0] + 1, spot[1]))


@pytest.mark.parametrize("steps", [STEPS, pytest.param(LONG, marks=pytest.mark.long)])
def test_what_is_put_right_is_cited_no_more(system: str, steps: int) -> None:
    told, wrong = Counter[str](), list[str]()
    for fight in range(steps // 12):
        table = Mender(system, Random(f"{system} mended {fight}"), Counter())
        for call in range(24):
            if call % 2 or table.enc.pending:
                table.step()
                continue
            with suppress(ck.CombatkitError):
                table.mend(told, wrong)
    assert not wrong, "\n".join([f"{len(wrong)} of {sum(told.values())} {dict(told)}", *wrong[:10]])
    assert told.keys() >= {"price", "effect", "turn", *(("distance",) if system in windows.BOARDS else ())}, dict(told)


def test_what_the_gm_laid_on_ends_by_no_rule_of_its_own(system: str) -> None:
    """Being surprised ends by a rule where a rule began it; the GM's own word of it ends as they said."""
    enc = ck.Encounter(system, seed=1)
    enc.add("Ann", side="red")
    enc.add("Bob", side="blue")
    enc.start()
    for id in ("flat_footed", "surprised"):
        with suppress(ck.InvalidInput):  # the text of d6 has no surprise
            begun = enc.condition("Bob", id, until="end of round")
            ended = [e for e in enc.next_round() if e.kind == "effect_end" and e.target == "Bob" and e.data["id"] == id]
            by = {rule for event in begun if event.kind == "effect" for rule in event.rules}
            passed = set(enc.ruleset.cites(enc._state, "passed:round_end"))
            assert [bool(by) or not set(event.rules) - passed for event in ended] == [True], (id, ended[0].rules)
