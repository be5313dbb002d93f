"""A name with characters that turn text round turns nothing round where text is written."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.text import neutral

TURNING = "Ma\u202era \u2067X"
SHOWN = "Mara X"
CONTROLS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


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


def test_what_a_tracker_says_of_it_is_said_without(enc: ck.Encounter) -> None:
    enc.trigger("Vex", text="runs\u202e past")
    view = ck.Tracker(enc).view
    said = [view["turn"]["title"], view["turn"]["sub"], view["announce"], *(each["title"] for each in view["windows"])]
    said += [window["title"] + str(window["sub"]) for window in view["windows"]]
    enc.resolve()
    view, budget = ck.Tracker(enc).view, ck.ActionBudget(enc, name=TURNING).view
    said += [view["turn"]["title"], *(part for line in view["result"] for part in line if isinstance(part, str))]
    said += [
        part for group in budget["group"].values() for why in group.get("whys", ()) for part in why if str is type(part)
    ]
    assert len(said) > 6
    assert [each for each in said if not plain(each)] == []


def test_a_name_that_reads_from_the_right_stays_as_it_is() -> None:
    assert neutral("\u05de\u05e8\u05d4 \u05d1") == "\u05de\u05e8\u05d4 \u05d1"
    assert neutral("Mara\u200f\u061c 2") == "Mara 2"
