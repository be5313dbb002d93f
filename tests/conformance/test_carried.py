"""What is carried: readied, held, begun, declared. It is checked as it is taken and as it is carried out.

Whatever a window offers can be done, whatever a condition bars; what is chosen from a list is taken, and nothing else;
and nobody's call is refused over what somebody else has kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import combatkit as ck
from combatkit.rules.case import Case, Objection
from combatkit.rules.params import OUTCOMES
from tests.conformance import test_windows as windows
from tests.conformance.player import soft, some

STEPS, LONG = 200, 12_000
"""So many calls are made in each system: in `make test`, and in `make test-all`."""

CALLS = 40
CURSED = "cursed"
"""A condition that bars somebody from everything but what they must answer."""

HAMPERED = "hampered"

PEOPLE = ("Ann", "Bob", "Cid", "Dov")

sizes = pytest.mark.parametrize("steps", [STEPS, pytest.param(LONG, marks=pytest.mark.long)])


# ── what a condition bars, and what is used up, is offered to nobody ──


@pytest.fixture
def barred(system: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Bar whoever is cursed from everything, in the hook that a system's author has for that."""
    kind = type(ck.ruleset(system))
    bars = kind.bars

    def more(self: Any, case: Case) -> Iterator[Objection]:
        yield from bars(self, case)
        if case.has(CURSED):
            yield Objection(f"{case.fighter.name} is cursed.", "")

    monkeypatch.setattr(kind, "bars", more)
    held = windows.CONDITIONS.get(system, ("unconscious",))
    monkeypatch.setitem(windows.CONDITIONS, system, (*held, CURSED, CURSED, CURSED, CURSED))
    return system


@pytest.fixture
def forbidden(system: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Forbid whoever is hampered to react and to move, as the data of a condition may."""
    monkeypatch.setitem(ck.ruleset(system).forbidding, HAMPERED, ("reaction", "tag:movement"))
    held = windows.CONDITIONS.get(system, ("unconscious",))
    monkeypatch.setitem(windows.CONDITIONS, system, (*held, HAMPERED, HAMPERED, HAMPERED, HAMPERED))
    return system


@sizes
def test_what_a_conditions_data_forbid_is_offered_to_nobody(forbidden: str, steps: int) -> None:
    seen = Counter[str]()
    for fight in range(steps // CALLS):
        rng = Random(f"{forbidden} forbidden {fight}")
        table = windows.Table(forbidden, rng, Counter())
        for name in table.enc.names:
            table.enc.condition(name, HAMPERED)
        for _ in range(CALLS):
            table.step()
            offered_and_refused(table.enc, seen)
            for name in table.enc.names:
                if HAMPERED not in {condition.id for condition in table.enc[name].conditions}:
                    continue
                for option in table.enc.options(name):
                    if option.allowed:
                        action = table.enc.ruleset.catalogue(table.enc._state)[option.action]
                        assert action.when != "reaction", (name, option)
                        assert "movement" not in action.tags, (name, option)
    assert not seen["refused"], dict(seen)


@sizes
def test_whatever_a_window_offers_can_be_done(barred: str, steps: int) -> None:
    seen = Counter[str]()
    for fight in range(steps // CALLS):
        rng = Random(f"{barred} barred {fight}")
        table = windows.Table(barred, rng, Counter())
        reactions = [a.id for a in table.enc.ruleset.catalogue(table.enc._state) if a.when != "own turn"]
        for name in table.enc.names:
            if rng.randrange(2):
                uses = {id: 0 for id in reactions if not rng.randrange(4)}
                table.enc.edit(name, uses=uses)
            if not rng.randrange(3):
                table.enc.condition(name, CURSED)
        for _ in range(CALLS):
            table.step()
            offered_and_refused(table.enc, seen)
    assert not seen["refused"], dict(seen)
    if barred in windows.SHEETS:
        assert seen["offered"] > steps // 40, "many windows are open"


def offered_and_refused(enc: ck.Encounter, seen: Counter[str]) -> None:
    for offer in enc.pending:
        if offer.who == "GM":
            continue
        allowed = {option.action for option in enc.options(offer.who) if option.allowed}
        seen["offered"] += len(offer.actions)
        seen["refused"] += len([id for id in offer.actions if id not in allowed])


# ── what is chosen from a list is taken, and nothing else is ──


class Chooser(windows.Table):
    """Somebody who fills in whatever can be chosen, and does it."""

    def choose(self, seen: Counter[str]) -> None:
        enc, rng = self.enc, self.rng
        name = enc.active if enc.active and rng.randrange(3) else self.anybody()
        able = [option.action for option in enc.options(name) if option.allowed]
        if not able:
            return
        action = some(rng, able)
        given: dict[str, Any] = {}
        listed = True
        for _ in range(12):
            choices = [choice for choice in enc.choices(name, action, **given) if choice.param not in given]
            if not choices:
                break
            if "outcome" in {choice.param for choice in choices}:
                self.outcomes(name, action, given, choices, seen)
            needs = self.needs(name, action, given)
            params = list(dict.fromkeys(choice.param for choice in choices))
            params = [param for param in params if param in needs] or [p for p in params if not rng.randrange(3)]
            if not params:
                break
            param = params[0]
            fit = [c.value for c in choices if c.param == param and c.ruling.allowed and not c.open]
            if fit:
                given[param] = some(rng, fit)
            elif param == "trigger":
                given[param] = self.a_trigger(name)
            elif param in needs:
                return
            else:
                listed = False
                break
        if self.needs(name, action, given) or not listed:
            return
        window = soft(enc._state)
        ruling = enc.can(name, action, **given)
        seen["chosen"] += 1
        if not ruling.allowed and not window:
            seen["refused"] += 1
            self.told[f"{action} {given}: {ruling.reason}"] += 1
            return
        enc.do(name, action, **given)

    def needs(self, name: str, action: str, given: dict[str, Any]) -> tuple[str, ...]:
        from combatkit.rules.judge import judge
        from combatkit.rules.params import check_params

        rules, state = self.enc.ruleset, self.enc._state
        found = rules.catalogue(state)[action]
        params = check_params(rules, state, found, given)
        return judge(Case(rules, state, state.fighters[name], found, params)).missing

    def outcomes(
        self, name: str, action: str, given: dict[str, Any], choices: list[ck.Choice], seen: Counter[str]
    ) -> None:
        """What an action can come to is what is listed for it."""
        listed = {choice.value for choice in choices if choice.param == "outcome"}
        seen["outcomes"] += 1
        taken = set()
        for outcome in OUTCOMES:
            try:
                self.enc.can(name, action, **given, outcome=outcome)
                taken.add(outcome)
            except ck.InvalidInput:
                pass
        if not listed and "action" in self.enc.ruleset.catalogue(self.enc._state)[action].takes:
            return  # it depends on an action that is still to be named
        if taken != listed:
            seen["refused"] += 1
            self.told[f"{action} {given}: {sorted(listed)} are listed, {sorted(taken)} are taken"] += 1


@sizes
def test_what_is_chosen_from_lists_is_taken_and_nothing_else_is(system: str, steps: int) -> None:
    seen, told = Counter[str](), Counter[str]()
    for fight in range(steps // CALLS):
        table = Chooser(system, Random(f"{system} chosen {fight}"), told)
        for call in range(CALLS):
            if call % 2 or table.enc.pending:
                table.step()
            else:
                table.choose(seen)
    wrong = [line for line in told if "refused:" not in line and ":" in line]
    assert not seen["refused"], "\n".join([str(dict(seen)), *wrong[:20]])
    if system in windows.SHEETS:
        assert seen["chosen"] > steps // 10
        assert seen["outcomes"] or steps < LONG


# ── nobody's call is refused over what another has kept ──

WEAPONS: dict[str, list[dict[str, Any]]] = {
    "saga": [{"name": "bow", "damage": "1d8", "attack": 2, "range": 9}, {"name": "axe", "damage": 3, "range": "melee"}],
    "d6": [{"name": "bow", "damage": "2D", "attack": "3D"}, {"name": "axe", "damage": "1D", "attack": "2D"}],
    "phases": [{"name": "bow", "damage": "1d6", "range": 9}, {"name": "axe", "damage": 3}],
    "segments": [{"name": "bow", "missile": True}, {"name": "axe"}],
}
KEEPS = ("ready", "hold", "declare")
"""The actions that keep another one."""
TRIES = 6
"""So often somebody tries to keep something, with whatever goes along."""


def at_random(rng: Random, enc: ck.Encounter, param: str) -> Any:
    """Give a value for a parameter, likely or not."""
    match param:
        case "target":
            return rng.sample(enc.names, rng.randrange(1, 3))
        case "weapon":
            return some(rng, ("bow", "axe", "spoon"))
        case "outcome":
            return some(rng, OUTCOMES)
        case "damage":
            return some(rng, (3, "1d6"))
        case "to":
            return some(rng, ((1, 1), (30, 0), "the bridge"))
        case "manoeuvre":
            return some(rng, ("strike", "block", "shot", "spoon"))
        case "rank":
            return some(rng, ("agility", "tactics", "spoon"))
        case "option":
            long = [action.id for action in enc.ruleset.actions if action.cost == "full_phase"]
            return some(rng, ("might", "melee", "ranged", "spoon", *long))
        case "spell":
            return some(rng, ("web", "wand"))
        case "segments":
            return rng.randrange(4)
        case "spell_name":
            return "Fog"
    return None


def kept_at_random(rng: Random, enc: ck.Encounter) -> bool:
    """Let the active one, or anybody, keep something with whatever goes along; say whether that was taken."""
    catalogue = enc.ruleset.catalogue(enc._state)
    way = next((id for id in KEEPS if id in catalogue), None)
    name = enc.active or some(rng, enc.names)
    if way is None:
        return False
    deeds = [a for a in catalogue if a.when == "own turn" and a.does not in ("ready", "delay")]
    likely = [a for a in deeds if "attack" in a.tags or a.does in ("half", "cast", "check")]
    deed = some(rng, likely if rng.randrange(3) else deeds).id
    given = {"action": deed}
    if "trigger" in catalogue[way].takes:
        other = some(rng, [each for each in enc.names if each != name])
        given["trigger"] = some(rng, ("a bell rings", {"actor": other}, {"side": enc[other].side}))
    for param in catalogue[way].takes:
        if param not in given and rng.randrange(2):
            given[param] = at_random(rng, enc, param)
    given = {id: value for id, value in given.items() if value is not None}
    try:
        enc.do(name, way, **given)
    except ck.CombatkitError:
        return False
    return True


def upset(rng: Random, enc: ck.Encounter, system: str) -> None:
    """Change what was kept with: a sheet, a place, who is there, how far something is."""
    name = some(rng, enc.names)
    try:
        match rng.randrange(7):
            case 0:
                enc.edit(name, weapons=some(rng, ([], WEAPONS[system][:1], WEAPONS[system][1:])))
            case 1:
                enc.edit(name, uses={some(rng, ("bow", "attack", "Strike", "web")): rng.randrange(2)})
            case 2 if system == "d6":
                enc.edit(name, attributes={some(rng, ("might", "wit")): "2D"})
            case 3:
                enc.condition(name, some(rng, ("dead", "unconscious", "prone", "stunned")))
            case 4:
                enc.leave(name)
            case 5:
                enc.join(name)
            case _:
                enc.place(name, at=(rng.randrange(9), 0))
    except ck.CombatkitError:
        pass


@sizes
def test_nobody_is_refused_over_what_another_has_kept(system: str, steps: int) -> None:
    if system not in WEAPONS:
        return  # nothing is kept there
    seen, told = Counter[str](), list[str]()
    for fight in range(steps // CALLS):
        rng = Random(f"{system} kept {fight}")
        tables = {"actions": list(windows.SPELLS)} if system == "segments" else None
        enc = ck.Encounter(system, id="kept", seed=1, tables=tables)
        for number, name in enumerate(PEOPLE):
            more: dict[str, Any] = {"attributes": {"might": "3D"}} if system == "d6" else {}
            sheet: dict[str, Any] = {"weapons": WEAPONS[system], "at": (number, 0)} if system in WEAPONS else {}
            try:
                enc.add(name, side="left" if number % 2 else "right", **sheet, **more)
            except ck.CombatkitError:  # no squares here
                enc.add(name, side="left" if number % 2 else "right", weapons=WEAPONS[system], **more)
        enc.start()
        for _ in range(CALLS):
            if not enc.pending and not rng.randrange(3):
                seen["kept"] += any(kept_at_random(rng, enc) for _ in range(TRIES))
            if not rng.randrange(4):
                upset(rng, enc, system)
            act_all_the_same(rng, enc, seen, told)
    assert not told, "\n".join([f"{len(told)} of {seen['calls']}", *told[:12]])
    assert seen["kept"] > steps // 100


def act_all_the_same(rng: Random, enc: ck.Encounter, seen: Counter[str], told: list[str]) -> None:
    """Look at everything that can be looked at, then make a call that takes nothing but names; neither goes wrong."""
    seen["calls"] += 1
    try:
        for name in enc.names:
            enc.options(name)
        offers = enc.pending
        if offers and rng.randrange(2):
            enc.resolve(answer=offers[0].choices[0] if offers[0].choices else None)
        elif offers and offers[0].actions:
            enc.do(offers[0].who, offers[0].actions[0])
        elif enc.active is not None and rng.randrange(3):
            plain = [o.action for o in enc.options(enc.active) if o.allowed and not o.needs]
            if plain:
                enc.do(enc.active, some(rng, plain))
        else:
            enc.end_turn()
    except ck.IllegalAction:
        seen["refused"] += 1
    except ck.CombatkitError as error:
        told.append(f"{type(error).__name__}: {error}")
        enc.undo()
