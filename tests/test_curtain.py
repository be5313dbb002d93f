"""Somebody hidden is in nothing that players see or read, and what was withheld stays so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import combatkit as ck
from combatkit.core.curtain import Names, curtained, hidden_in, keeps_waiting, vital_word

SYSTEMS = [ruleset.id for ruleset in ck.rulesets()]


def lurking(system: str) -> ck.Encounter:
    """Play a round in which Lurk of the coven is hidden from the first."""
    enc = ck.Encounter(system, id="docks", seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Guard", side="empire", npc=True)
    enc.add("Lurk", side="coven", npc=True)
    enc.condition("Lurk", "hidden", note="behind the crates")
    enc.start()
    for _ in range(12):
        allowed = {option.action for option in enc.options(enc.active or "Lurk") if option.allowed}
        if enc.active == "Lurk" and "attack" in allowed:
            enc.do("Lurk", "attack", target="Mara", note="from the shadows")
        while enc.pending:
            enc.resolve()
        enc.end_turn()
    enc.damage(["Mara", "Lurk"], 1)
    return enc


def told(enc: ck.Encounter, folder: Path) -> str:
    """Give all that players see and read."""
    tracker = ck.Tracker(enc, view="players")
    parts = [tracker, tracker.ladder, tracker.budget, tracker.log]
    views = json.dumps([part.view for part in parts]) + "".join(part._static() for part in parts)
    page = enc.to_html(folder / "seen.html", view="players").read_text(encoding="utf-8")
    return views + page + "".join(enc.log(view="players", undone=undone).html for undone in (False, True))


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_is_hidden_is_in_nothing_that_players_see(system: str, tmp_path: Path) -> None:
    enc = lurking(system)
    for word in ("Lurk", "coven", "crates", "shadows"):
        assert word not in told(enc, tmp_path), word
    assert "Lurk" in enc.log().markdown


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_was_done_in_hiding_stays_withheld(system: str, tmp_path: Path) -> None:
    enc = lurking(system)
    before = enc.log(view="players", rules=False).markdown
    enc.condition("Lurk", "hidden", off=True)
    seen = told(enc, tmp_path)
    assert "coven" in seen
    assert "Lurk" in seen
    assert "shadows" not in seen
    assert "crates" not in seen
    enc.undo()
    assert "Lurk" not in told(enc, tmp_path)
    assert enc.log(view="players", rules=False).markdown == before


def test_a_players_own_hiding_is_theirs_to_see() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels"), enc.add("Vex", side="empire"), enc.start()
    enc.condition("Vex", "hidden")
    assert hidden_in(enc._state) == {"Vex"}
    assert list(curtained(enc._state).fighters) == ["Mara"]
    assert keeps_waiting(enc._state) == (enc.active == "Vex")


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_a_condition_holds_by_the_gms_word_is_kept_under_any_key(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    enc.add("Mara", side="rebels"), enc.add("Lurk", side="coven", npc=True), enc.start()
    enc.condition("Lurk", "hidden")
    for key in ("data", "bytes", "text"):
        enc.condition("Mara", "marked", value={key: "Lurk watches"})
        assert "Lurk" not in str(curtained(enc._state)), key


def test_names_are_found_as_words_and_no_longer_name_is_taken_for_a_shorter() -> None:
    names = Names({"Guard"}, {"Guard 1", "Mara"})
    assert names.within(["Mara attacks Guard"])
    assert not names.within({"text": "Mara attacks Guard 1", "other": ["Guardian", 3, None]})
    assert names.seal({"Guard": "Guard's turn, Guard 1"}) == {"somebody": "somebody's turn, Guard 1"}
    assert names.clear({"Guard": 1, "by": ["Guard", "Mara"], "who": "Guard"}) == {"by": ["Mara"]}
    assert names.clear({"left": [["Guard", "Mara"], ["Vex", "Mara"]], "way": [[0, 1]]}) == {
        "left": [["Vex", "Mara"]],  # a row goes whole
        "way": [[0, 1]],
    }


def test_vitals_in_words() -> None:
    assert [vital_word(left, 16) for left in (16, 15, 9, 8, 1, 0, -3)] == [
        *("fresh", "hurt", "hurt", "bloodied", "bloodied", "down", "down"),
    ]


def test_the_option_is_every_systems() -> None:
    for system in SYSTEMS:
        assert "vital_words" not in ck.Encounter(system, options={"vital_words": "nothing"})._state.options
        enc = ck.Encounter(system, options={"vital_words": "words"})
        assert enc.restart()._state.options["vital_words"] == "words"
        with pytest.raises(ck.InvalidInput, match="'nothing', 'words', 'numbers'"):
            ck.Encounter(system, options={"vital_words": "loud"})
