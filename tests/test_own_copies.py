"""What a fight hands out is whoever's it is: spoiling it changes neither this fight nor a later one."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import pytest

import combatkit as ck
from combatkit.fight.view import View

SYSTEMS = ("saga", "d6", "ap", "segments", "phases")


def spoil(thing: Any) -> int:
    """Change every dict, list and set that can be reached from something, and count them."""
    if isinstance(thing, dict):
        found = 1 + sum(spoil(value) for value in thing.values())
        thing.clear()
        thing["spoilt"] = True
        return found
    if isinstance(thing, list):
        found = 1 + sum(spoil(value) for value in thing)
        thing[:] = ["spoilt"]
        return found
    if isinstance(thing, set):
        thing.clear()
        return 1
    if isinstance(thing, (tuple, frozenset)):
        return sum(spoil(value) for value in thing)
    if isinstance(thing, msgspec.Struct):
        return sum(spoil(getattr(thing, field)) for field in thing.__struct_fields__)
    return 0


def looks(view: View, name: str) -> Iterable[object]:
    """Give all that somebody sees who is about to choose."""
    options = view.options(name)
    yield from (options, view.order, view.clock, view.pending, view.budget(name))
    yield from (view[each] for each in view.names)
    for option in [each for each in options if each.allowed][: len(view._events) % 4]:
        yield view.can(name, option.action)
        yield view.choices(name, option.action)


def ignoring(*_: object) -> None:
    """Look at nothing."""


def played(system: str, seed: int, look: Callable[[View, str], object], rounds: int) -> ck.Encounter:
    """Play a fight in which whoever chooses is looked at first."""

    def tactic(view: View, name: str) -> ck.tactics.Deed | None:
        look(view, name)
        return ck.tactics.hold_back(view, name)

    enc = ck.scene("catwalk").encounter(system, seed=seed)
    number = enc.ruleset.numbers(enc._state, enc._fighter(enc.names[0]))[0]
    enc.condition(enc.names[0], "marked", modifiers={number: -1}, value=2)
    ck.play(enc, tactic, rounds=rounds)
    return enc


@pytest.mark.parametrize(
    ("system", "seed", "rounds"),
    [
        *((system, 7, 1) for system in SYSTEMS),
        *(pytest.param(system, seed, 6, marks=pytest.mark.long) for system in SYSTEMS for seed in range(4)),
    ],
)
def test_what_is_spoilt_in_one_fight_changes_no_other(system: str, seed: int, rounds: int) -> None:
    plain = played(system, seed, ignoring, rounds).digest
    spoilt = played(system, seed, lambda view, name: [spoil(each) for each in looks(view, name)], rounds)
    assert spoilt.digest == plain
    events = spoilt.branch(len(spoilt._events))._events
    kept = pickle.dumps(list(events))
    assert sum(spoil(event) for event in events) > len(events)
    assert pickle.dumps(list(events)) == kept
    for frame in (spoilt.history.rolls, spoilt.history.events):
        spoil(frame.rows(named=True))
        spoil(frame.to_dict(as_series=False))
    assert spoilt.branch(len(events)).digest == plain
    assert played(system, seed, ignoring, rounds).digest == plain


def test_data_of_an_event_is_what_was_logged_each_time() -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7)
    events = enc.do("Vex", "attack", target="Mara", modifiers={"aim": 2})
    action, again = events[0].data, events[0].data
    assert action == again
    assert action is not again
    assert action["params"]["target"] is not again["params"]["target"]
    assert msgspec.json.decode(msgspec.json.encode(events[0]))["data"] == action
    assert ck.Event(1, None, "table", data={"rows": [1]}).data == {"rows": [1]}


def test_a_fight_keeps_what_it_was_given_when_the_giver_changes_it() -> None:
    weapons = [{"name": "blaster", "attack": "5D", "damage": "3D", "range": "medium"}]
    attributes, options, zones = {"might": "3D"}, {"vital_words": "words"}, [["Z1", "Z2"]]
    enc = ck.Encounter("d6", seed=1, options=options, map=zones)
    enc.add("Mara", side="rebels", weapons=weapons, attributes=attributes)
    held = enc["Mara"].stats
    for given in (weapons, attributes, options, zones):
        spoil(given)
    assert enc["Mara"].stats == held
    assert enc.branch(len(enc._events)).digest == enc.digest


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_creature_taken_from_the_shelf_may_be_changed(system: str) -> None:
    names = dict.fromkeys(ck.Shelf().search("", system=system)["name"])
    taken = {name: repr(ck.Shelf().take(name, system=system)) for name in names}
    assert sum(spoil(ck.Shelf().take(name, system=system)) for name in names) >= len(names)
    assert {name: repr(ck.Shelf().take(name, system=system)) for name in names} == taken


def test_a_scene_of_the_kit_may_be_changed() -> None:
    for id in ("catwalk", "warehouse-raid", "ford-at-dusk", "rooftop-chase"):
        before = repr(msgspec.to_builtins(ck.scene(id)))
        spoil(ck.scene(id))
        for system in SYSTEMS:
            if ck.scene(id).system in (None, system):
                spoil(ck.scene(id).stats(system))
                spoil(ck.scene(id).mapping(system))
        assert repr(msgspec.to_builtins(ck.scene(id))) == before
