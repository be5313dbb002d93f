"""What lasts until somebody's next action holds for all of it, in all five systems, and is gone as that is over."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck

WEAPON: dict[str, dict[str, Any]] = {
    "saga": {"attack": 3, "damage": "1d6"},
    "d6": {"attack": "4D", "damage": "3D"},
    "ap": {"attack": 3, "damage": "1d6"},
    "segments": {"damage": "1d8"},
    "phases": {"damage": "1d6", "ocv": 1},
}
STATS: dict[str, dict[str, Any]] = {
    "saga": {"defense": 10},
    "d6": {"defense": 6, "resolve": 90},
    "ap": {"attack_bonus": 3, "defense": 12},
    "segments": {"aac0": 15, "ac": 5},
    "phases": {"ocv": 5, "dcv": 3},
}
NUMBER = {"saga": "attack_bonus", "d6": "attack", "ap": "attack_bonus", "segments": "attack", "phases": "ocv"}
DICE: dict[str, list[int]] = {"d6": [3, 3, 3, 3], "phases": [3, 3, 3]}


def duel(system: str, **options: Any) -> ck.Encounter:
    """Ada is to act, and Nox is her foe."""
    enc = ck.Encounter(system, seed=1, options=options)
    for name, side in (("Ada", "heroes"), ("Nox", "foes")):
        enc.add(name, side=side, weapons=[{"name": "gun", **WEAPON[system]}], **STATS[system])
    enc.start()
    to(enc, "Ada")
    return enc


def to(enc: ck.Encounter, who: str, turns: int = 9) -> None:
    while enc.active != who and turns:
        enc.end_turn()
        turns -= 1
    assert enc.active == who


def total(enc: ck.Encounter) -> int:
    """What Ada's attack comes to with dice that are always the same, and no reaction."""
    seen = enc.can("Ada", "attack", target="Nox")
    assert seen.allowed, seen.reason
    dice = DICE.get(enc.ruleset.id, [10])
    return struck(enc, enc.do("Ada", "attack", target="Nox", rolls={"attack": dice}))


def struck(enc: ck.Encounter, done: tuple[ck.Event, ...]) -> int:
    """What the attack comes to once nobody reacts any more."""
    while enc.pending:
        done += enc.resolve()
    (total,) = [event.data["total"] for event in done if event.kind == "attack"]
    return int(total)


def under(enc: ck.Encounter, who: str = "Ada") -> list[str]:
    return [each.id for each in enc[who].conditions if each.id in ("inspired", "shaken")]


@pytest.mark.parametrize("system", STATS)
def test_a_bonus_until_the_next_action_goes_into_that_action_and_into_no_other(system: str) -> None:
    plain, inspired = duel(system), duel(system)
    inspired.condition("Ada", "inspired", modifiers={NUMBER[system]: 2}, until="next action")
    assert total(inspired) == total(plain) + 2
    assert under(inspired) == []
    for enc in (plain, inspired):
        enc.end_turn()
        to(enc, "Ada")
    assert total(inspired) == total(plain)


def test_it_holds_while_others_react_and_what_they_lay_on_in_between_is_for_the_one_after() -> None:
    enc = duel("ap")
    enc.condition("Ada", "inspired", modifiers={"attack_bonus": 2}, until="next action")
    enc.do("Ada", "attack", target="Nox", rolls={"attack": 10})
    assert [offer.who for offer in enc.pending] == ["Nox"]
    assert under(enc) == ["inspired"]
    enc.condition("Ada", "shaken", until="next action")
    assert struck(enc, enc.do("Nox", "parry", outcome="failed")) == 10 + 3 + 2
    assert under(enc) == ["shaken"]


@pytest.mark.parametrize("how", ["foiled", "down", "left"])
def test_an_action_that_comes_to_nothing_was_the_next_one_all_the_same(how: str) -> None:
    enc = duel("ap")
    enc.condition("Ada", "inspired", until="next action")
    enc.do("Ada", "attack", target="Nox")
    if how == "foiled":
        enc.do("Nox", "parry", outcome="foiled")
    elif how == "down":
        enc.condition("Ada", "down")
        while enc.pending:
            enc.resolve()
    else:
        enc.leave("Ada")
    assert under(enc) == []


def test_what_is_part_of_an_action_has_what_lasts_until_that_is_over() -> None:
    enc = duel("phases")
    enc.do("Ada", "ready", action="attack", target="Nox", trigger={"actor": "Nox"})
    enc.end_turn()
    enc.condition("Ada", "inspired", modifiers={"ocv": 2}, until="next action")
    enc.do("Nox", "open_or_close_door")
    done = enc.do("Ada", "use_readied", rolls={"attack": [3, 3, 3]})
    assert struck(enc, done) == 9 + 5 + 1 + 2
    assert under(enc) == []
