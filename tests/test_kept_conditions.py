"""Conditions of one's own: kept on the shelf, offered where a condition is set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

import combatkit as ck
from combatkit.rules.shapes import Parts
from combatkit.widgets._result import result_of
from combatkit.widgets._vantage import Vantage
from tests.wire import hear, recording


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def fight() -> ck.Encounter:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", hp=10, attack_bonus=2)
    enc.add("Vex", side="empire", hp=10)
    enc.start()
    return enc


def test_a_condition_is_kept_in_the_folder_and_found_by_another_shelf(tmp_path: Path) -> None:
    shelf = ck.Shelf(tmp_path)
    shelf.keep_condition("Blessed", modifiers={"attack_bonus": 1}, until="end of turn")
    shelf.keep_condition("Cursed")
    shelf.keep_condition("blessed", modifiers={"attack_bonus": 2})
    kept = ck.Shelf(tmp_path).conditions
    assert [(each.id, each.modifiers, each.until) for each in kept] == [
        ("blessed", {"attack_bonus": 2}, None),
        ("Cursed", {}, None),
    ]
    assert (shelf.unread, shelf.parties().height) == ({}, 0)


def test_it_is_offered_where_a_condition_is_set_and_brings_its_numbers_and_its_time(tmp_path: Path) -> None:
    shelf, enc = ck.Shelf(tmp_path), fight()
    tracker = ck.Tracker(enc, shelf=shelf)
    shelf.keep_condition("Blessed", modifiers={"attack_bonus": 1}, until="end of round")
    (answer,) = hear(tracker, {"kind": "deal", "id": 1, "names": ["Mara"]})
    assert "Blessed" in answer["conditions"]
    assert answer["kept"] == {"Blessed": {"modifiers": {"attack_bonus": 1}, "until": "end of round"}}
    hear(tracker, {"kind": "condition", "name": "Mara", "condition": "blessed"})
    hear(tracker, {"kind": "condition", "name": "Vex", "condition": "Blessed", "until": "end of turn"})
    mara, vex = enc["Mara"].conditions[0], enc["Vex"].conditions[0]
    assert (mara.modifiers, mara.until, enc["Mara"].values["attack_bonus"]) == ({"attack_bonus": 1}, "end of round", 3)
    assert (vex.modifiers, vex.until) == ({}, "end of turn")
    hear(tracker, {"kind": "condition", "name": "Mara", "condition": "blessed", "off": True})
    assert enc["Mara"].conditions == ()


def test_the_trackers_own_form_offers_it_too_and_rounds_to_last(tmp_path: Path) -> None:
    shelf, enc = ck.Shelf(tmp_path), fight()
    shelf.keep_condition("Blessed", modifiers={"attack_bonus": 1}, until="3 rounds")
    gm = ck.Tracker(enc, shelf=shelf).view["gm"]
    assert "Blessed" in gm["conditions"]
    assert "Blessed" not in ck.Tracker(enc).view["gm"]["conditions"]
    for until in filter(None, gm["untils"]):
        enc.condition("Mara", "cursed", until=until)
        assert enc["Mara"].conditions[0].until == until, "whatever is offered can be set"
    assert "3 rounds" in gm["untils"]


def test_what_no_condition_can_have_is_refused_and_nothing_is_kept(tmp_path: Path) -> None:
    shelf = ck.Shelf(tmp_path)
    for wrong in ({"modifiers": {"dex": "much"}}, {"modifiers": ["dex"]}, {"until": "tomorrow"}):
        with pytest.raises(ck.InvalidInput):
            shelf.keep_condition("Odd", **wrong)
    with pytest.raises(ck.InvalidInput, match="condition"):
        shelf.keep_condition("")
    with pytest.raises(ck.InvalidInput, match="no folder"):
        ck.Shelf().keep_condition("Blessed")
    assert (shelf.conditions, list(tmp_path.iterdir())) == ((), [])


@pytest.mark.parametrize("text", ["", "{", "[{}]", '[{"id": 3}]', '[{"id": "A", "modifiers": {"dex": "x"}}]'])
def test_a_file_that_somebody_spoilt_is_refused_in_words_and_the_form_still_opens(tmp_path: Path, text: str) -> None:
    shelf = ck.Shelf(tmp_path)
    (tmp_path / "shelf.conditions").write_text(text, encoding="utf-8")
    with pytest.raises(ck.InvalidInput, match=r"shelf\.conditions"):
        assert shelf.conditions
    (answer,) = hear(ck.Tracker(fight(), shelf=shelf), {"kind": "deal", "id": 1, "names": ["Mara"]})
    assert answer["kept"] == {}


def _spellings(id: str) -> Iterator[str]:
    """Give the ways a condition's id is spelled at the table."""
    yield from (
        id.upper(),
        id.title(),
        id.replace("_", " "),
        id.replace("_", "-"),
        f" {id.replace('_', '  ').title()} ",
    )


def _begun(system: str, id: str) -> object:
    """Give what comes of a condition set by hand: the conditions somebody has then, or why not."""
    enc = ck.Encounter(system, seed=1)
    enc.add("Ada", side="a")
    enc.add("Bo", side="b")
    enc.start()
    try:
        enc.condition("Ada", id, value=1 if "free" in id.casefold() else None)
    except (ck.InvalidInput, ck.IllegalAction) as refusal:
        return str(refusal).partition(": ")[2]
    return sorted(each.id for each in enc["Ada"].conditions), enc.budget("Ada")


@pytest.mark.parametrize(("system", "id"), [(rules.id, id) for rules in ck.rulesets() for id in sorted(rules.read)])
def test_a_condition_that_rules_read_is_it_however_it_is_spelled(system: str, id: str) -> None:
    whole = _begun(system, id)
    for spelled in _spellings(id):
        assert _begun(system, spelled) == whole, spelled


@pytest.mark.parametrize("spelled", ["free limit", "FREE_LIMIT", "free-limit", "Free Limit"])
def test_a_limit_on_free_actions_holds_however_it_is_spelled(spelled: str) -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ace", side="a")
    enc.start()
    enc.condition("Ace", spelled, value=1)
    enc.do("Ace", "soliloquy")
    assert enc.can("Ace", "soliloquy").rule == "phases.free.limit"


@pytest.mark.parametrize(("system", "fifth"), [("saga", "5 Runden"), ("phases", "5 Phasen")])
def test_what_the_form_says_in_german_is_the_condition_and_the_time_it_means(
    system: str, fifth: str, tmp_path: Path
) -> None:
    shelf, enc = ck.Shelf(tmp_path), ck.Encounter(system, seed=7, language="de")
    shelf.keep_condition("Segen", until="3 rounds")
    enc.add("Mara", side="Helden"), enc.add("Vex", side="Schurken"), enc.start()
    tracker = ck.Tracker(enc, shelf=shelf)
    gm, english = tracker.view["gm"], ck.Tracker(ck.Encounter(system, seed=7)).view["gm"]
    assert {"liegend", "Segen"} <= {*gm["conditions"]}
    for said, meant in zip(filter(None, gm["untils"]), filter(None, english["untils"]), strict=True):
        hear(tracker, {"kind": "condition", "name": "Mara", "condition": "Liegend", "until": said})
        assert [(each.id, each.until) for each in enc["Mara"].conditions] == [
            ("prone", meant.replace("their own ", ""))
        ]
    hear(tracker, {"kind": "condition", "name": "Mara", "condition": "prone", "until": fifth})
    assert enc["Mara"].conditions[0].until in ("5 rounds", "5 phases")
    hear(tracker, {"kind": "condition", "name": "Mara", "condition": "liegend", "off": True})
    assert enc["Mara"].conditions == ()


@pytest.mark.parametrize(("language", "word"), [("en", "cover"), ("de", "Deckung")])
def test_a_form_offers_a_condition_with_the_number_that_a_rule_reads_and_takes_any(language: str, word: str) -> None:
    enc = ck.Encounter("segments", seed=7, language=language)
    enc.add("Mara", side="Helden"), enc.add("Vex", side="Schurken"), enc.start()
    tracker = ck.Tracker(enc)
    offered = tracker.view["gm"]["conditions"]
    assert f"{word} 50" in offered
    assert word not in offered
    for said, number in ((f"{word} 50", 50), (f"{word.upper()} 60", 60), (f"75% {word}", 75), (f"{word} 80 %", 80)):
        hear(tracker, {"kind": "condition", "name": "Mara", "condition": said})
        assert [(each.id, each.value) for each in enc["Mara"].conditions] == [("cover", number)]
    for said in offered:  # nothing that is offered is refused
        hear(tracker, {"kind": "condition", "name": "Vex", "condition": said})
    assert ("concealment", 50) in [(each.id, each.value) for each in enc["Vex"].conditions]
    hear(tracker, {"kind": "condition", "name": "Mara", "condition": f"{word} 80", "off": True})
    assert enc["Mara"].conditions == ()


@pytest.mark.parametrize(
    ("until", "told", "german"),
    [
        ("end of round", "until the end of the round", "bis zum Ende der Runde"),
        ("end of turn", "until the end of their turn", "bis zum Ende des eigenen Zugs"),
        ("end of turn: Mara", "until the end of Mara's turn", "bis zum Ende des Zugs von Mara"),
        ("start of turn: Mara", "until the start of Mara's turn", "bis zum Zug von Mara"),
        ("next action", "until their next action", "bis zur nächsten Aktion"),
        ("next action: Mara", "until Mara's next action", "bis zur nächsten Aktion von Mara"),
    ],
)
def test_the_log_says_in_a_sentence_how_long_what_the_gm_sets_lasts(until: str, told: str, german: str) -> None:
    enc = fight()
    enc.condition("Vex", "slowed", until=until)
    assert f"is slowed {told} (by the GM)" in str(enc.log())
    assert enc.ruleset.languages["de"].word(told) == german


# ── how a condition is told by its name ──


@pytest.mark.parametrize(
    ("id", "begins", "ends"),
    [
        ("bless", "is under bless", "is no longer under bless"),
        ("ward of fire", "is under ward of fire", "is no longer under ward of fire"),
        ("Fire Shield", "is under Fire Shield", "is no longer under Fire Shield"),
        ("hexed", "is hexed", "is no longer hexed"),
        ("shielded", "is shielded", "is no longer shielded"),
        ("flat_footed", "is flat-footed", "is no longer flat-footed"),
        ("barrier", "has a barrier", "no longer has a barrier"),
    ],
)
@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
def test_what_is_no_word_for_how_somebody_is_is_told_as_what_they_are_under(
    system: str, id: str, begins: str, ends: str
) -> None:
    enc = ck.Encounter(system, seed=1)
    enc.add("Bo", side="x"), enc.add("Al", side="y")
    enc.start()
    assert enc.condition("Bo", id)[-1].text == begins
    assert enc.condition("Bo", id, off=True)[-1].text == ends
    enc.condition(["Bo", "Al"], id, until="3 rounds")
    enc.next_round()
    more = "phases" if system == "phases" else "rounds"
    assert f"{begins} for 2 more {more}" in [event.text for event in enc._events]


def test_whoever_goes_first_by_the_gms_word_goes_first() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Bo", side="x"), enc.add("Al", side="y")
    enc.start()
    enc.condition(["Bo", "Al"], "go first")
    assert "Bo and Al go first (by the GM)" in enc.log().markdown
    assert enc.condition("Bo", "go first", off=True)[-1].text == "no longer goes first"


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
def test_every_end_that_is_offered_is_another_and_sets_what_it_says(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    enc.add("Mara", side="rebels")
    enc.start()
    tracker = ck.Tracker(enc)
    offered = [until for until in tracker.view["gm"]["untils"] if until]
    assert len({until.casefold() for until in offered}) == len(offered)
    anchors = []
    for until in offered:
        hear(tracker, {"kind": "condition", "name": "Mara", "condition": "cursed", "until": until})
        effect = enc._state.fighters["Mara"].effect("cursed")
        assert effect is not None
        anchors.append((effect.anchor, effect.rounds))
        enc.condition("Mara", "cursed", off=True)
    assert len(set(anchors)) == len(offered)


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
def test_what_undo_took_back_of_it_is_named_to_the_gm_and_not_to_players(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    for name in ("Ann", "Bob"):
        enc.add(name, side="heroes")
    enc.start()
    enc.condition("Ann", "sun_blind", until="end of round")
    enc.undo()
    assert said(enc) == ["Undone: Sun blind (Ann)."]
    assert said(enc, "players") == ["Undone: Condition."]
    enc.condition(["Ann", "Bob"], "sun_blind")
    enc.condition("Bob", "sun_blind", off=True)
    enc.undo()
    assert said(enc) == ["Undone: Sun blind (Bob)."]
    enc.undo()
    assert said(enc) == ["Undone: Sun blind (Ann, Bob)."]


def said(enc: ck.Encounter, who: Literal["gm", "players"] = "gm") -> Parts:
    """Give what is said of what was done last."""
    result = result_of(Vantage(enc, who))
    assert result is not None
    return result["text"]
