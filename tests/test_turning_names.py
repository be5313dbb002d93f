"""A name with characters that turn text round turns nothing round where text is written."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck

TURNING = "Ma\u202era \u2067X"
SHOWN = "Mara X"
CONTROLS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.fixture
def enc() -> ck.Encounter:
    found = ck.Encounter("saga", id="night", seed=7)
    found.add(TURNING, side="re\u202dbels", hp=9)
    found.add("Vex", side="empire", hp=9)
    found.start(rolls={TURNING: 17, "Vex": 3})
    found.do(TURNING, "attack", target="Vex", damage=3, note="\u202enow")
    found.end_turn()
    found.do("Vex", "attack", target=TURNING, damage=3)
    return found


def plain(text: str) -> bool:
    return not any(letter in text for letter in CONTROLS)


def test_the_name_itself_stays_as_it_was_given(enc: ck.Encounter) -> None:
    assert enc.names[0] == TURNING
    assert enc[TURNING].name == TURNING


def test_events_say_it_without(enc: ck.Encounter) -> None:
    events = enc.at(len(enc._events))._events
    assert any(f"attacks {SHOWN}" == event.text for event in events)
    assert all(plain(event.text) for event in events)


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_the_document_sets_it_without(enc: ck.Encounter, form: str) -> None:
    told = getattr(enc.log(), form)
    assert SHOWN in told
    assert plain(told)


@pytest.mark.parametrize("kind", [ck.InitiativeLadder, ck.ActionBudget, ck.CombatLog, ck.Tracker])
def test_the_picture_shows_it_without(enc: ck.Encounter, kind: Any) -> None:
    assert plain(kind(enc)._static())
