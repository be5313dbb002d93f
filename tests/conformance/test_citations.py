"""What a refusal rests on: the rule that makes it, and no other. What is put right is not cited any more."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random

import pytest

import combatkit as ck
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.judge import _missing
from tests.conformance import test_windows as windows
from tests.conformance.player import some

STEPS, LONG = 240, 8_000
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


# ── five kinds of refusals that have an opposite ──


class Mender(windows.Table):
    """Somebody who looks for what is refused, puts right what stands in the way, and asks again."""

    def mend(self, told: Counter[str], wrong: list[str]) -> None:
        enc, rng = self.enc, self.rng
        if enc.pending or enc._state.stage != "running":
            return
        name = self.anybody()
        refused = [option for option in enc.options(name) if not option.allowed and option.rule]
        if not refused:
            return
        option = some(rng, refused)
        before = enc.can(name, option.action)
        if before.allowed:
            return
        kind = self.put_right(name, option.action, before)
        if not kind:
            return
        told[kind] += 1
        after = enc.can(name, option.action)
        # A rule that demands two things, such as one's turn and a declaration, may still be against it for the other.
        again = before.rule in after.rules and not after.allowed
        if again and self.put_right(name, option.action, after) == kind:
            wrong.append(f"{kind}: {name} {option.action}: {before.reason} [{before.rule}], then {after}")

    def put_right(self, name: str, action: str, ruling: ck.Ruling) -> str:
        """Put right what a refusal says, if that is one of the kinds with an opposite; say which."""
        enc, reason = self.enc, ruling.reason
        held = [c.id for c in enc[name].conditions]
        if ("left" in reason and "Needs" in reason) or reason.startswith("Needs"):
            found = enc.ruleset.catalogue(enc._state)[action]
            rules = enc.ruleset
            cost, _ = rules.price(Case(rules, enc._state, enc._fighter(name), found))
            if enc.active != name or cost.untouched or ruling.rule != cost.rule:
                return ""
            for pool in {pool for way in cost.pay for pool in way}:
                enc.adjust(name, pool, 2)
            return "price"
        if f"{name} is " in reason and (by := next((id for id in held if f"is {id}" in reason), None)):
            if by == "surprised":
                return ""
            for id in held:  # whatever else keeps them from acting is cited by the same rule
                if id in (by, *enc.ruleset.incapable):
                    enc.condition(name, id, off=True)
            return "effect"
        if " away" in reason:
            near = next((n for n in enc.names if f"{n} is " in reason and enc[n].position is not None), None)
            if near is None or not isinstance(spot := enc[near].position, tuple):
                return ""
            enc.place(name, at=(spot[0] + 1, spot[1]))
            return "distance"
        if reason.startswith("It's ") and "own turn" not in reason and enc.active is not None:
            for _ in range(12):
                if enc.active == name or enc.pending:
                    break
                enc.end_turn()
            return "turn" if enc.active == name and not enc.pending else ""
        return ""


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
