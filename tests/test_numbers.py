"""Numbers that are read: every one that a condition adds to moves a rule, and a call's modifiers say whose they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import combatkit as ck

GUN = {"name": "gun", "attack": "3D", "damage": "2D"}
SHEETS: dict[str, dict[str, Any]] = {
    "saga": {
        "dex": 2,
        "level": 4,
        "hp": 20,
        "threshold": 9,
        "attack_bonus": 3,
        "defense": 15,
        "speed": 6,
        "at": (0, 0),
    },
    "d6": {
        "resolve": 10,
        "defense": 9,
        "agility": 2,
        "athletics": 2,
        "hide": 2,
        "tactics": 3,
        "search": 1,
        "weapons": [GUN],
        "attributes": {"might": "3D"},
    },
    "ap": {"initiative_rating": 4, "ap": 3, "hp": 20, "attack_bonus": 3, "defense": 15, "at": (0, 0)},
    "segments": {"aac0": 15, "ac": 5, "hp": 20, "hit_dice": 3, "movement": 60, "at": (0, 0)},
    "phases": {"combat_value": 5, "stun": 20, "end": 20, "recovery": 4, "movement": 6, "at": (0, 0)},
}
"""What everybody is."""


def fight(
    system: str, early: dict[str, int] | None = None, late: dict[str, int] | None = None, **more: Any
) -> ck.Encounter:
    """Give a fight of two, Ada active; she is under a condition from before it, or once it has begun."""
    options = {"saga": {"actions": "book"}, "ap": {"actions": "book"}, "segments": {"movement": "refused"}}.get(system)
    enc = ck.Encounter(system, id="numbers", seed=1, options=options)
    enc.add("Ada", side="red", **{**SHEETS[system], **more})
    enc.add("Bo", side="blue", **{**SHEETS[system], "at": (1, 0)} if "at" in SHEETS[system] else SHEETS[system])
    if early:
        enc.condition("Ada", "blessed", modifiers=early)
    rolls: dict[str, Any] | None = {
        "saga": {"Ada": 10, "Bo": 5},
        "d6": {"Ada": 4, "Bo": 1},
        "ap": {"Ada": 4, "Bo": 1},
    }.get(system)
    enc.start(rolls=rolls)
    if system == "segments":
        enc.end_turn(rolls={"red": [6], "blue": [1]})
    while enc.active != "Ada":
        enc.end_turn()
    if late:
        enc.condition("Ada", "blessed", modifiers=late)
    return enc


def score(enc: ck.Encounter) -> object:
    return next(rung.initiative for rung in enc.order if rung.combatant == "Ada")


def needed(enc: ck.Encounter) -> object:
    """What Bo needs to hit Ada."""
    attack = {"phases": "strike"}.get(enc.ruleset.id, "attack")
    return enc.can("Bo", attack, target="Ada").needed


def notation(enc: ck.Encounter, **params: Any) -> object:
    """What Ada rolls to hit Bo."""
    attack = {"phases": "strike"}.get(enc.ruleset.id, "attack")
    return enc.can("Ada", attack, target="Bo", **params).notation


def farthest(action: str, step: int = 1) -> Callable[[ck.Encounter], object]:
    def look(enc: ck.Encounter) -> object:
        return max([n for n in range(1, 40) if enc.can("Ada", action, to=(-n * step, 0)).allowed], default=0)

    return look


def defended(rank: str) -> Callable[[ck.Encounter], object]:
    def look(enc: ck.Encounter) -> object:
        enc.do("Ada", "defend", rank=rank)
        return enc["Ada"].values["defense"]

    return look


def aimed(rank: str) -> Callable[[ck.Encounter], object]:
    def look(enc: ck.Encounter) -> object:
        enc.do("Ada", "aim", option="bonus", rank=rank)
        return notation(enc)

    return look


def armored(enc: ck.Encounter) -> object:
    enc.end_turn()
    enc.do("Bo", "attack", target="Ada", outcome="hit", damage=5)
    return enc["Ada"].values["resolve"]


def ignored(enc: ck.Encounter) -> object:
    enc.damage("Ada", 10)
    enc.damage("Ada", 1)
    return "ignore_fate" in enc.pending[0].actions


def checked(enc: ck.Encounter) -> object:
    return enc.can("Ada", "use_skill", option="might").notation


def left(slot: str) -> Callable[[ck.Encounter], object]:
    return lambda enc: enc.budget("Ada")[slot].total


def of_next_round(slot: str) -> Callable[[ck.Encounter], object]:
    def look(enc: ck.Encounter) -> object:
        enc.next_round()
        return enc.budget("Ada")[slot].total

    return look


def recovered(enc: ck.Encounter) -> object:
    enc.damage("Ada", 15)
    enc.do("Ada", "take_recovery")
    return enc["Ada"].values["stun"]


def tracked(enc: ck.Encounter) -> object:
    enc.damage("Ada", 9)
    return [condition.id for condition in enc["Ada"].conditions]


def reached(action: str) -> Callable[[ck.Encounter], object]:
    def look(enc: ck.Encounter) -> object:
        enc.place("Bo", at=(2, 0))
        return enc.can("Ada", action, target="Bo").allowed

    return look


def luck(enc: ck.Encounter) -> object:
    return enc.ruleset.claim(enc._state, enc._fighter("Ada")).terms


def shown(number: str) -> Callable[[ck.Encounter], object]:
    return lambda enc: enc["Ada"].values[number]


def routines(enc: ck.Encounter) -> object:
    enc.do("Ada", "attack", target="Bo", outcome="miss", rolls=[2])
    return [rung.combatant for rung in enc.order].count("Ada")


EARLY, LATE = "from before the fight", "in it"
MOVES: dict[str, dict[str, tuple[str, Callable[[ck.Encounter], object]]]] = {
    "saga": {
        "dex": (EARLY, score),
        "level": (EARLY, score),
        "initiative_misc": (EARLY, score),
        "extra_opportunities": (EARLY, left("aoo")),
        "speed": (LATE, farthest("move")),
        "attack_bonus": (LATE, notation),
        "defense": (LATE, needed),
        "threshold": (LATE, tracked),
    },
    "d6": {
        "initiative": (EARLY, score),
        "defense": (LATE, needed),
        "armor": (LATE, armored),
        "agility": (LATE, defended("agility")),
        "athletics": (LATE, defended("athletics")),
        "hide": (LATE, defended("hide")),
        "tactics": (LATE, aimed("tactics")),
        "search": (LATE, aimed("search")),
        "stamina": (LATE, ignored),
        "control": (LATE, ignored),
        "free_actions": (EARLY, left("free")),
        "ignores_left": (LATE, ignored),
        "attack": (LATE, notation),
        "skill": (LATE, checked),
        "might": (LATE, checked),
    },
    "ap": {
        "initiative_rating": (EARLY, score),
        "luck_bonus": (EARLY, luck),
        "ap": (EARLY, left("ap")),
        "reach": (LATE, lambda enc: len(enc["Ada"].threatens)),
        "attack_bonus": (LATE, notation),
        "defense": (LATE, needed),
    },
    "segments": {
        "aac0": (LATE, lambda enc: enc.can("Ada", "attack", target="Bo").needed),
        "ac": (LATE, needed),
        "routines": (LATE, routines),
        "movement": (LATE, farthest("move")),
        "save_hd": (LATE, shown("save_hd")),
        "overall_hd": (LATE, shown("overall_hd")),
        "morale": (LATE, shown("morale")),
        "weapon_speed": (LATE, shown("weapon_speed")),
        "attack": (LATE, notation),
        "save": (LATE, lambda enc: enc.can("Ada", "save", needed=12).notation),
    },
    "phases": {
        "combat_value": (EARLY, score),
        "lightning_reflexes": (EARLY, score),
        "ocv": (LATE, notation),
        "dcv": (LATE, needed),
        "reach": (LATE, reached("strike")),
        "movement": (LATE, farthest("full_move")),
        "recovery": (LATE, recovered),
    },
}
"""For every number of every system, what moves with it, and whether it is put on before that is worked out."""
EVERY = [(system, number) for system, rows in MOVES.items() for number in rows]


@pytest.mark.parametrize("system", MOVES)
def test_every_number_that_a_condition_adds_to_is_in_the_table(system: str) -> None:
    enc = fight(system)
    once = {stat.name for stat in enc.ruleset.stats if stat.once is True}
    assert set(enc.ruleset.numbers(enc._state, enc._fighter("Ada"))) == set(MOVES[system]) - once
    anew = enc.restart()
    assert set(anew.ruleset.numbers(anew._state, anew._fighter("Ada"))) == set(MOVES[system])


@pytest.mark.parametrize(("system", "number"), EVERY)
def test_a_rule_moves_with_every_number(system: str, number: str) -> None:
    when, look = MOVES[system][number]
    more: dict[str, Any] = {"feats": ["Combat Reflexes"]} if number == "extra_opportunities" else {}
    adds = {number: 20 if (system, number) == ("segments", "movement") else 2}
    plain = fight(system, **more)
    changed = fight(system, early=adds if when == EARLY else None, late=adds if when == LATE else None, **more)
    before, after = look(plain), look(changed)
    assert before != after, f"{number} 2 more, and it is {before} all the same"


LACKING: dict[str, dict[str, Any]] = {
    "saga": {"attack_bonus": "attack_bonus", "defense": "defense", "threshold": "threshold"},
    "d6": {"defense": "defense", "attack": "weapons", "skill": "attributes", "might": "attributes"},
    "ap": {"attack_bonus": "attack_bonus", "defense": "defense"},
    "segments": {"aac0": "aac0", "movement": "movement", "save_hd": "hit_dice", "overall_hd": "hit_dice"},
    "phases": {},
}
"""The numbers that somebody may lack, with the stat that they stand in or follow from; all others are always there."""


def lacks(system: str, number: str) -> dict[str, Any]:
    """What everybody is, without what a number stands in."""
    return {id: value for id, value in SHEETS[system].items() if id != LACKING[system].get(number, number)}


@pytest.mark.parametrize(("system", "number"), EVERY)
def test_on_a_bare_sheet_a_number_moves_a_rule_or_is_refused(
    system: str, number: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = lacks(system, number)
    monkeypatch.setitem(SHEETS, system, bare)
    when, look = MOVES[system][number]
    adds = {number: 20 if (system, number) == ("segments", "movement") else 2}
    early, late = (adds, None) if when == EARLY else (None, adds)
    if number not in LACKING[system]:
        more: dict[str, Any] = {"feats": ["Combat Reflexes"]} if number == "extra_opportunities" else {}
        assert look(fight(system, **more)) != look(fight(system, early=early, late=late, **more))
        return
    enc = fight(system)
    before = enc.digest
    with pytest.raises((ck.InvalidInput, ck.UnknownName), match=rf"Ada.*{number}"):
        enc.condition("Ada", "blessed", modifiers=adds)
    assert enc.digest == before


@pytest.mark.parametrize(
    ("system", "number", "right"),
    [
        ("saga", "attack_bonus", r"attack_bonus=\.\.\."),
        ("saga", "threshold", r"threshold=\.\.\."),
        ("segments", "save_hd", r"hit_dice=\.\.\."),
        ("d6", "defense", r"defense=\.\.\."),
    ],
)
def test_what_a_sheet_lacks_is_said_with_what_would_be_right(
    system: str, number: str, right: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SHEETS, system, lacks(system, number))
    enc = fight(system)
    with pytest.raises(
        ck.InvalidInput, match=rf"condition hexed: Ada has no {number} to add to; .*edit\('Ada', {right}\)"
    ):
        enc.condition(["Ada", "Bo"], "hexed", modifiers={number: 1})


@pytest.mark.parametrize(
    ("system", "number", "sheet"),
    [
        ("saga", "attack_bonus", {"weapons": [{"name": "gun", "attack": 4}]}),
        ("ap", "attack_bonus", {"weapons": [{"name": "gun", "attack": 4}]}),
        ("segments", "aac0", {"attacks": "MELEE: bite (1d6; AAC0 15)"}),
        ("segments", "movement", {"movement": {"walk": 60, "fly": 120}}),
        ("d6", "armor", {"armor": {"energy": 2}, "defense": 9}),
    ],
)
def test_a_number_that_stands_elsewhere_on_the_sheet_is_read_there(
    system: str, number: str, sheet: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SHEETS, system, {**lacks(system, number), **sheet})
    look = MOVES[system][number][1]
    adds = {number: 20 if number == "movement" else 2}
    assert look(fight(system)) != look(fight(system, late=adds))


def test_nothing_is_added_to_a_number_that_no_rule_of_the_fight_reads() -> None:
    enc = ck.Encounter("saga", id="bare", seed=1)
    enc.add("Ada", side="red", threshold=9, defense=12)
    with pytest.raises(ck.InvalidInput, match=r"conditions add nothing to threshold; .*defense"):
        enc.condition("Ada", "hexed", modifiers={"threshold": 2})
    segments = ck.Encounter("segments", id="bare", seed=1)
    segments.add("Ada", side="red", aac0="20*")
    with pytest.raises(ck.InvalidInput, match=r"nothing can be added to 20\*; .*aac0=\.\.\."):
        segments.condition("Ada", "hexed", modifiers={"aac0": 2})


def test_the_luck_of_npcs_who_state_none_is_read_among_them() -> None:
    def first(luck: dict[str, int] | None) -> object:
        enc = ck.Encounter("ap", id="luck", seed=1)
        for name in ("Ann", "Bo"):
            enc.add(name, side=name, npc=True)
        if luck:
            enc.condition("Bo", "blessed", modifiers=luck)
        enc.start(rolls={"Ann": 3, "Bo": 3, "tie": [50, 1]} if not luck else {"Ann": 3, "Bo": 3})
        return enc.active

    assert (first(None), first({"luck_bonus": 1})) == ("Ann", "Bo")


@pytest.mark.parametrize("system", MOVES)
def test_what_is_left_of_a_vital_is_nothing_that_a_condition_adds_to(system: str) -> None:
    enc = fight(system)
    before = enc.digest
    for number, vital in enumerate(enc.ruleset.vitals):
        right = rf"adjust\('Ada', '{vital.name}', ...\)" if number else r"temporary\('Ada', ...\)"
        with pytest.raises(ck.InvalidInput, match=rf"use {right}, or edit {vital.name}_max"):
            enc.condition("Ada", "morale", modifiers={vital.name: 4})
    assert enc.digest == before


STRIKES = {"saga": "attack", "d6": "attack", "ap": "attack", "segments": "attack", "phases": "strike"}
THEIRS = {"saga": "defense", "d6": "defense", "ap": "defense", "segments": "ac", "phases": "dcv"}


@pytest.mark.parametrize("system", STRIKES)
def test_a_defense_named_with_an_attack_is_the_targets_for_that_roll(system: str) -> None:
    enc, strike, theirs = fight(system), STRIKES[system], THEIRS[system]
    plain = enc.can("Ada", strike, target="Bo")
    ruling = enc.can("Ada", strike, target="Bo", modifiers={theirs: -2, "cover": 1})
    assert plain.needed is not None
    assert ruling.needed == plain.needed - 2
    both = {name: enc[name].values[theirs] for name in enc.names}
    rolls: list[int] = {"saga": [12], "ap": [12], "segments": [12], "phases": [3, 3, 3], "d6": [3, 3, 3]}[system]
    events = enc.do("Ada", strike, target="Bo", modifiers={theirs: -2, "cover": 1}, rolls={"attack": rolls}, damage=1)
    events += enc.resolve() if enc.pending else ()
    (event,) = [e for e in events if e.kind == "attack"]
    assert event.data["needed"] == ruling.needed
    assert event.data["modifiers"]["cover"] == 1
    assert theirs not in event.data["modifiers"]
    assert {name: enc[name].values[theirs] for name in enc.names} == both


@pytest.mark.parametrize("system", ["saga", "d6", "ap"])
def test_where_a_sheet_lacks_what_an_attack_rolls_or_meets_no_modifiers_are_read(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rolls = "weapons" if system == "d6" else "attack_bonus"
    unarmed = {id: value for id, value in SHEETS[system].items() if id != rolls}
    monkeypatch.setitem(SHEETS, system, unarmed)
    enc = fight(system)
    for modifiers in ({"attack": 2}, {"cover": 2}, {"defense": -2}, 3):
        with pytest.raises(ck.InvalidInput, match="nothing is rolled for it"):
            enc.can("Ada", "attack", target="Bo", modifiers=modifiers)
    given: dict[str, Any] = {rolls: [GUN] if system == "d6" else 3}
    enc.edit("Ada", **given)
    assert enc.can("Ada", "attack", target="Bo", modifiers={"defense": -2}).allowed
    monkeypatch.setitem(SHEETS, system, {id: value for id, value in unarmed.items() if id != "defense"} | given)
    enc = fight(system)
    assert enc.can("Ada", "attack", target="Bo", modifiers={"cover": 2}).allowed
    with pytest.raises(ck.InvalidInput, match="'defense', which nothing reads here"):
        enc.can("Ada", "attack", target="Bo", modifiers={"defense": -2})


@pytest.mark.parametrize("system", STRIKES)
@pytest.mark.parametrize("name", ["foo", "defence", "hp", "speed", "movement", "reach", "level", "initiative"])
def test_a_number_that_nothing_reads_is_refused_with_those_that_are(system: str, name: str) -> None:
    enc, right = fight(system), f"{THEIRS[system]}, or a circumstance such as cover"
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=rf"modifiers has '{name}', which nothing reads here; give .*{right}"):
        enc.do("Ada", STRIKES[system], target="Bo", modifiers={name: 2})
    assert enc.digest == before


def test_the_example_of_the_text_comes_to_15_against_13() -> None:
    enc = fight("phases")
    data = enc.do("Ada", "strike", target="Bo", modifiers={"ocv": 1, "dcv": -2}, rolls=[3, 3, 3])[1].data
    assert (data["total"], data["needed"], enc["Ada"].values["dcv"]) == (15, 13, 5)


def test_what_a_dodge_adds_holds_as_long_as_the_dodge() -> None:
    enc = fight("phases")
    enc.do("Ada", "dodge", modifiers={"dcv": 3})
    assert enc["Ada"].values["dcv"] == 8
    enc.end_turn()
    while enc.active != "Ada":
        enc.end_turn()
    assert enc["Ada"].values["dcv"] == 5
    aborted = fight("phases")
    aborted.end_turn()
    aborted.end_turn()
    aborted.do("Bo" if aborted.active == "Ada" else "Ada", "abort", action="dodge", modifiers={"dcv": 3})
    assert 8 in [aborted[name].values["dcv"] for name in aborted.names]


@pytest.mark.parametrize(
    ("system", "action", "modifiers"),
    [
        ("phases", "half_move", {"dcv": 1}),
        ("phases", "take_recovery", 3),
        ("phases", "soliloquy", {"ocv": 1}),
        ("phases", "dodge", {"foo": 1}),
        ("phases", "dodge", 2),
        ("saga", "move", {"speed": 2}),
        ("d6", "defend", {"speed": 2}),
        ("ap", "dash", 1),
        ("segments", "speak", {"ac": 1}),
    ],
)
def test_where_nothing_is_rolled_modifiers_are_refused(system: str, action: str, modifiers: Any) -> None:
    enc = fight(system)
    with pytest.raises(ck.InvalidInput, match=rf"^{action}: "):
        enc.can("Ada", action, modifiers=modifiers)
