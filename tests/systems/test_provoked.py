"""Several are provoked by one act, and the first of them fells whoever gave the opening: the others strike as well.

All were provoked at the same moment. What the fall stops is the act, and not what it has provoked.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import combatkit as ck

MANY = 40
"""So many fights in each way of provoking."""
NAMES = ("Ann", "Bob", "Cid")
BLADE = {"name": "blade", "attack": "3D", "damage": "2D", "type": "physical", "range": "melee"}
Provoked = tuple[ck.Encounter, str]
"""A fight in which a window is open, and how those who are asked strike in it."""


def begun(system: str, rng: Random, *, at: dict[str, Any] | None = None, **given: Any) -> ck.Encounter:
    """Begin a fight of two or three against Orc, who comes last."""
    options = {"down_at_zero": True, **given.pop("options", {})} if system != "d6" else {}
    enc = ck.Encounter(system, seed=rng.randrange(100), options=options)
    for name in (*NAMES[: rng.randrange(2, 4)], "Orc"):
        enc.add(name, side="foes" if name == "Orc" else "party", npc=name == "Orc", at=(at or {}).get(name), **given)
    enc.start()
    return enc


def to_orc(enc: ck.Encounter, readies: str = "") -> None:
    """Let turns pass until Orc's, in which everybody else has something ready for it."""
    if (last := enc.order[-1].combatant) != "Orc":
        enc.place("Orc", after=last)
    while enc.clock.round == 1:
        enc.end_turn()
    waiting = [name for name in enc.names if name != "Orc"] if readies else []
    for _ in range(20):
        who = enc.active or ""
        if who == "Orc" and not waiting:
            return
        if who in waiting:
            waiting.remove(who)
            strike = "strike" if enc.ruleset.id == "phases" else "attack"
            enc.do(who, readies, action=strike, target="Orc", trigger={"actor": "Orc"})
        if enc.active == who:
            enc.end_turn()
    raise AssertionError("Orc's turn did not come")


BESIDE = {"Ann": (-1, 0), "Bob": (-1, 1), "Cid": (0, 1), "Orc": (0, 0)}


def saga_leaves(rng: Random) -> Provoked:
    options = {"openings": "leaving_reach"}
    enc = begun("saga", rng, at=BESIDE, hp=8, options=options, attack_bonus=5, defense=10)
    to_orc(enc)
    enc.do("Orc", "move", to=(3, -3))
    return enc, "attack_of_opportunity"


def saga_readied(rng: Random) -> Provoked:
    enc = begun("saga", rng, hp=8)
    to_orc(enc, "ready")
    enc.do("Orc", "move")
    return enc, "use_readied"


def d6_held(rng: Random) -> Provoked:
    enc = begun("d6", rng, resolve=40, weapons=[BLADE])
    to_orc(enc, "hold")
    enc.do("Orc", "move")
    return enc, "use_held"


def ap_leaves(rng: Random) -> Provoked:
    enc = begun("ap", rng, at=BESIDE, hp=8, options={"actions": "book"}, initiative_rating=3)
    to_orc(enc)
    enc.do("Orc", "move", to=(4, -4))
    return enc, "attack_of_opportunity"


def segments_flees(rng: Random) -> Provoked:
    enc = begun("segments", rng, hp=8, aac0=15, ac=5)
    foes = [name for name in enc.names if name != "Orc"]
    if rng.randrange(2):
        enc.condition("Orc", "in_melee", value=foes)
        for foe in foes:
            enc.condition(foe, "in_melee", value=["Orc"])
    else:
        for name in enc.names:
            enc.condition(name, "in_melee")
    enc.do("Orc", "declare", action="flee")
    enc.end_turn(rolls={"party": [2], "foes": [5]})
    enc.do("Orc", "flee")
    return enc, "free_attack"


def phases_act(rng: Random) -> Provoked:
    enc = begun("phases", rng, at=BESIDE, combat_value=5, stun=8)
    to_orc(enc)
    if rng.randrange(2):
        enc.do("Orc", "pick_up_item")
    else:
        enc.do("Orc", "half_move", to=(1, -2), outcome="failed")
    return enc, "attack_of_opportunity"


def phases_readied(rng: Random) -> Provoked:
    enc = begun("phases", rng, at=BESIDE, combat_value=5, stun=8)
    to_orc(enc, "ready")
    enc.do("Orc", "open_or_close_door")
    return enc, "use_readied"


WAYS: tuple[Callable[[Random], Provoked], ...] = (
    saga_leaves,
    saga_readied,
    d6_held,
    ap_leaves,
    segments_flees,
    phases_act,
    phases_readied,
)


def striking(enc: ck.Encounter, action: str) -> list[str]:
    """Who is asked to strike."""
    return [offer.who for offer in enc.pending if action in offer.actions]


def fell(enc: ck.Encounter, rng: Random, who: str, action: str) -> None:
    """Let the first who is asked fell Orc with a blow, or the GM with a word."""
    if rng.randrange(2):
        enc.condition("Orc", "unconscious")
        return
    blows: tuple[dict[str, Any], ...] = ({"damage": 30, "outcome": "hit"}, {"damage": 30}, {})
    given = next((each for each in blows if enc.can(who, action, target="Orc", **each).allowed), {})
    enc.do(who, action, target="Orc", **given)
    if enc.ruleset.able(enc._state.fighters["Orc"]):  # the blow has missed
        enc.condition("Orc", "unconscious")


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_all_who_were_provoked_strike_though_the_first_fells_them(
    way: Callable[[Random], Provoked],
) -> None:
    for seed in range(MANY):
        rng = Random(seed)
        enc, action = way(rng)
        asked = striking(enc, action)
        assert len(asked) == len(enc.names) - 1, seed
        first = asked[rng.randrange(len(asked))]
        fell(enc, rng, first, action)
        while enc.pending and not striking(enc, action):
            enc.resolve()
        answered = {event.actor for event in enc._events if event.kind == "action" and event.action == action}
        assert striking(enc, action) == [name for name in asked if name not in answered], seed
        while waiting := striking(enc, action):
            enc.do(waiting[0], action, target="Orc")
            while enc.pending and not striking(enc, action):
                enc.resolve()  # others may answer the blow
            assert striking(enc, action) == waiting[1:], seed
        assert not enc.pending, seed


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_all_who_were_provoked_strike_though_whoever_fell_is_up_again(way: Callable[[Random], Provoked]) -> None:
    for seed in range(MANY):
        rng = Random(seed)
        enc, action = way(rng)
        asked = striking(enc, action)
        fell(enc, rng, asked[0], action)
        while enc.pending and not striking(enc, action):
            enc.resolve()
        waiting = striking(enc, action)
        enc.heal("Orc", 10)
        for held in enc["Orc"].conditions:
            if held.id in enc.ruleset.incapable:
                enc.condition("Orc", held.id, off=True)
        assert striking(enc, action) == waiting, seed


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_whoever_was_provoked_falls_and_wakes_in_the_window_strikes_as_well(way: Callable[[Random], Provoked]) -> None:
    for seed in range(MANY):
        rng = Random(seed)
        enc, action = way(rng)
        asked = striking(enc, action)
        sleeper = asked[rng.randrange(len(asked))]
        enc.condition(sleeper, "unconscious")
        assert striking(enc, action) == [name for name in asked if name != sleeper], seed
        enc.condition(sleeper, "unconscious", off=True)
        assert sorted(striking(enc, action)) == sorted(asked), seed
        enc.do(sleeper, action, target="Orc")
        while enc.pending and not striking(enc, action):
            enc.resolve()
        assert sleeper not in striking(enc, action), seed
