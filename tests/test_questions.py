"""Questions of one's own, from a moment of one's own fight; and what no question shows: an id."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import combatkit as ck
from combatkit.study.quiz import items_of, moments_of
from combatkit.study.quiz.items import _deeds, _item, _told
from combatkit.widgets._moment_view import AskMoment, moment_form
from tests.conformance.player import play

SYSTEMS = [rules.id for rules in ck.rulesets()]


def catwalk(system: str) -> ck.Encounter:
    return ck.scene("catwalk").encounter(system, seed=7)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_question_of_ones_own_is_answered_by_the_rules(system: str) -> None:
    enc = catwalk(system)
    rules = enc.ruleset.rules
    action = next(o.action for o in enc.options("Vex") if not o.allowed and o.rule and rules[o.rule].reason)
    own = ck.question(enc.at(), "Vex", action)
    enc.finish()
    asked = ck.quiz([own], student="Anna")
    assert asked.answer(0, False, own.ruling.rule) is True
    assert own.ruling.rule in own.choices
    assert asked.score == (1, 1, 1)


def test_several_are_asked_in_their_order_whoever_is_asked() -> None:
    enc = catwalk("saga")
    own = [ck.question(enc.at(), "Vex", "move"), ck.question(enc, "Vex", "full_attack", target="Mara")]
    for student in ("Anna", "Ben"):
        assert [each.action for each in ck.quiz(own, student=student, n=1).items] == ["move", "full_attack"]
    assert ck.quiz(own[0]).items == (own[0],)
    with pytest.raises(ck.InvalidInput, match="'saga' is no question"):
        ck.quiz([own[0], "saga"])


@pytest.mark.parametrize(
    ("given", "params", "told"),
    [
        (("Maro", "move"), {}, "unknown combatant 'Maro': did you mean 'Mara'"),
        (("Vex", "moove"), {}, "saga has no action 'moove': did you mean 'move'"),
        (("Vex", "attack"), {}, "Attack needs a target"),
        (("Vex", "attack"), {"target": "Nobody"}, "unknown combatant 'Nobody'"),
        (("Vex", "attack"), {"target": "Vex"}, "no rule says so that could be named: Vex can't target themselves"),
        (("Vex", "stand_up"), {}, "no rule says so that could be named: Vex is not prone"),
        (("Vex", "move"), {"colour": 1}, "move has no parameter 'colour'"),
    ],
)
def test_what_no_rule_answers_is_refused_by_name(given: Any, params: Any, told: str) -> None:
    with pytest.raises(ck.CombatkitError, match=told):
        ck.question(catwalk("saga").at(), *given, **params)


def test_a_moment_before_the_fight_is_refused() -> None:
    for moment, told in ((catwalk("saga").at(2), "isn't running"), (3, "no moment of a fight")):
        with pytest.raises(ck.InvalidInput, match=told):
            ck.question(moment, "Vex", "move")  # type: ignore[arg-type]


def test_an_unknown_topic_is_answered_with_all_there_are() -> None:
    with pytest.raises(
        ck.UnknownName, match=r"^unknown topic 'magic'\. There are initiative, ties, surprise, .*scope\.$"
    ):
        ck.quiz("saga", topics="magic")


def shown(items: Any) -> Any:
    """Give what questions say, and every id that has another title in their systems."""
    for item in items:
        catalogue = item.moment.ruleset.catalogue(item.moment._state)
        yield f"{item.situation} {item.question}", [each.id for each in catalogue if "_" in each.id]


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, 8))])
@pytest.mark.parametrize("system", SYSTEMS)
def test_no_question_shows_an_id(system: str, seed: int) -> None:
    for text, ids in shown(items_of(moments_of(system)(seed), 5 if seed == 0 else 15)):
        assert not re.search(r"\w_\w", text), text
        assert not any(id in text for id in ids)


def test_what_is_kept_ready_is_told_by_its_title() -> None:
    trigger = {"actor": "Mara", "action": "attack"}
    own = ck.question(catwalk("saga").at(), "Vex", "ready", action="full_attack", target="Mara", trigger=trigger)
    assert own.question == "May Vex ready an action (full attack on Mara, if Mara makes any attack)?"
    plain = ck.question(catwalk("saga").at(), "Vex", "full_attack", target="Mara")
    assert plain.question == "May Vex make a full attack on Mara?"
    declared = ck.question(catwalk("segments").at(), "Vex", "declare", action="delaying_activity")
    assert declared.question == "May Vex declare (delaying activity)?"


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_action_can_be_asked_about_in_plain_words(system: str) -> None:
    for action in ck.ruleset(system).actions:
        for asked in (action.deed(), action.deed("Mara")):
            assert "\N{LEFT DOUBLE QUOTATION MARK}" not in asked, action.id
            assert not re.search(r"\b(on|at|to|from)( (on|at|to|from)\b|$)", asked), asked


def test_what_is_asked_is_said_as_a_verb() -> None:
    actions = ck.ruleset("saga").actions
    assert actions["attack"].deed("Tessa") == "attack Tessa"
    assert actions["stand_up"].deed() == "stand up"
    assert actions["full_attack"].deed() == "make a full attack on anybody"
    assert ck.ruleset("d6").actions["use_held"].deed() == "use a held action"
    enc = catwalk("saga")
    enc.add_table("actions", [{"id": "flurry", "title": "Flurry", "cost": "standard", "parameters": ["target"]}])
    assert ck.question(enc.at(), "Vex", "flurry", target="Mara").question == (
        "May Vex use \N{LEFT DOUBLE QUOTATION MARK}Flurry\N{RIGHT DOUBLE QUOTATION MARK} on Mara?"
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_rule_that_may_be_an_answer_begins_with_what_it_is_about(system: str) -> None:
    begins = re.compile(r"(So|And|Or|But|Then|Otherwise|It|They|That|This)\b(?! round)")
    assert not [rule.id for rule in ck.ruleset(system).rules if rule.kind == "mechanical" and begins.match(rule.text)]


def test_a_language_that_the_fight_is_not_in_is_refused() -> None:
    goal = {"kind": "does", "who": "Vex", "action": "move"}
    english = ck.scene("catwalk").encounter("saga", seed=7)
    german = ck.scene("catwalk").encounter("saga", seed=7, language="de")
    for make in (
        lambda enc: ck.quiz(ck.question(enc.at(), "Vex", "move"), language="de"),
        lambda enc: ck.quiz(enc, n=1, language="de"),
        lambda enc: ck.exercise(enc.at(), goal=goal, language="de"),
    ):
        with pytest.raises(ck.InvalidInput, match="begin the fight with language='de'"):
            make(english)
        assert make(german).language.id == "de"


def test_a_german_question_keeps_the_title() -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7, language="de")
    enc.condition("Vex", "prone")
    assert ck.question(enc.at(), "Vex", "stand_up").question == "Vex wählt: Aufstehen. Ist das erlaubt?"


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
def test_within_a_german_question_a_title_is_as_it_is_by_itself(system: str) -> None:
    view = ck.scene("catwalk").encounter(system, seed=7, language="de").at()
    word = view.ruleset.languages["de"].word
    for action in view.ruleset.actions:
        assert _told(view, "action", action.id) == word(action.title)
    english = catwalk(system).at()
    assert {_told(english, "action", action.id) for action in view.ruleset.actions} == {
        action.title.lower() for action in view.ruleset.actions
    }


def test_numbers_of_numpy_will_do() -> None:
    numbers: Any = {"n": np.int64(2), "seed": np.int64(5)}
    asked: Any = ck.quiz("saga", **numbers)
    assert [str(item) for item in asked.items] == [str(item) for item in ck.quiz("saga", n=2, seed=5).items]
    ruling = asked.items[0].ruling
    assert asked.answer(np.int64(0), np.bool_(ruling.allowed), ruling.rule) is True


def test_a_student_is_one_however_a_machine_spells_them() -> None:
    told = [str(ck.quiz("saga", n=1, student=name).items) for name in ("Zoë", "Zoe\N{COMBINING DIAERESIS}", " Zoë ")]
    assert len(set(told)) == 1
    with pytest.raises(ck.InvalidInput, match="give a name or a number"):
        ck.quiz("saga", n=1, student="  ")


@pytest.mark.parametrize("what", ["question", "exercise"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_lines_that_are_given_make_it_for_a_student_or_say_why_not(
    system: str, what: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    enc = play(system, 5, 60)
    some = range(1, len(enc._events) + 1, len(enc._events) // 6)
    made = 0
    for seq in (seq for seq in some if enc.at(seq)._state.stage == "running"):
        view = enc.at(seq)
        for name in view.names[:3]:
            form = moment_form(view, AskMoment(what, name))
            if form["why"]:
                assert form["line"] == "", "nothing to copy that would fail"
                assert form["why"].startswith("This can't be ")
                continue
            found = handed_out(form["line"], enc)
            assert form["told"] == (found.items[0].question if what == "question" else found.goal)
            made += 1
    assert made


def handed_out(lines: str, enc: Any) -> Any:
    """Save the fight as the first line says, and run the others beside it; give the last."""
    first, *rest, last = lines.splitlines()
    save = re.search(r"enc\.save\(.*?\)", first)
    assert save is not None
    eval(save[0], {"enc": enc})
    names: dict[str, Any] = {"enc": enc}
    exec("\n".join(rest), names)
    assert names["enc"] is enc, "what is played in the same notebook keeps its name"
    return eval(last, names)


def test_an_exercise_in_what_is_refused_just_now_says_that_it_may_come_later() -> None:
    enc = catwalk("saga")
    enc.do("Vex", "move")
    told = [
        {
            key: moment_form(enc.at(), AskMoment(what, "Vex", "full_attack", "Mara")).get(key)
            for key in ("right", "rule")
        }
        for what in ("question", "exercise")
    ]
    assert told[0]["rule"] == told[1]["rule"]
    reason = str(told[0]["right"]).removeprefix("They may not. ")
    assert reason != told[0]["right"]
    assert told[1]["right"] == f"Not yet: {reason} The goal may come later."


# ── places ──

AT: dict[str, tuple[Any, Any, str]] = {
    "saga": ((0, 0), (3, 1), "Vex at (0, 0); Mara at (3, 1), 3 squares away."),
    "d6": ("Quay", "Roof", "Vex at Quay; Mara at Roof, range short."),
    "ap": ((0, 0), (3, 1), "Vex at (0, 0); Mara at (3, 1), 3 m away."),
    "segments": ((0, 0), (3, 1), "Vex at (0, 0); Mara at (3, 1), 16 ft away."),
    "phases": ((0, 0), (3, 1), "Vex at (0, 0); Mara at (3, 1), 4 hexes away."),
}


def placed(system: str, language: str = "en") -> ck.Encounter:
    zones = [("Quay", "Roof")] if system == "d6" else None
    enc = ck.Encounter(system, seed=3, map=zones, language=language)
    there, here, _ = AT[system]
    enc.add("Mara", side="crew", at=here)
    enc.add("Vex", side="gang", at=there)
    enc.add("Lin", side="gang")
    enc.start()
    enc.leave("Lin")
    return enc


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_question_of_ones_own_says_who_stands_where(system: str) -> None:
    enc = placed(system)
    own = ck.question(enc.at(), "Vex", "talk" if system == "d6" else "free_action")
    assert f"On the map: {AT[system][2]}" in own.situation
    assert AT[system][2] in str(ck.quiz([own]).view["situation"])
    assert "Auf der Karte: Vex bei " in ck.question(placed(system, "de").at(), "Vex", own.action).situation
    assert "map" not in ck.question(catwalk(system).at(), "Vex", own.action).situation, "nobody has a place there"


# ── what a key rests on ──


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_conditions_of_whoever_a_deed_is_aimed_at_are_told(system: str) -> None:
    enc = catwalk(system)
    enc.condition("Mara", "prone")
    view = enc.at()
    aimed = [deed for deed in _deeds(view, "Vex") if deed.params.get("target") == "Mara"]
    assert aimed or system == "segments", "there all is declared first"
    assert all("Conditions of Mara: prone." in _item(view, "Vex", deed, ()).situation for deed in aimed)


def test_no_rule_is_the_key_to_what_it_lets_begin() -> None:
    enc = ck.Encounter("ap", seed=3)
    enc.add("Vex", side="gang", ap=3)
    enc.add("Mara", side="crew")
    enc.start()
    while enc.active != "Vex":
        enc.end_turn()
    assert enc.can("Vex", "drink_potion").allowed
    enc.adjust("Vex", "ap", -2)
    assert enc.can("Vex", "drink_potion").allowed, "it may be begun with less"
    enc.adjust("Vex", "ap", -1)
    own = ck.question(enc.at(), "Vex", "drink_potion")
    assert own.ruling.reason == "Takes 2 AP, at least 1 of them now; Vex has 0 until the next round."
    assert "but not with none" in enc.ruleset.rules[own.ruling.rule].text
    assert "at least" not in enc.can("Vex", "dash").reason


@pytest.mark.parametrize(
    ("language", "mine", "theirs"),
    [
        ("en", "Mara may answer.", "Vex attacks Mara: it is for Mara, Guard 1, Guard 2, Ilya to answer."),
        ("de", "Mara darf antworten.", "Vex greift Mara an; gefragt: Mara, Guard 1, Guard 2, Ilya."),
    ],
)
def test_who_is_not_asked_is_not_said_to_answer(language: str, mine: str, theirs: str) -> None:
    enc = ck.scene("catwalk").encounter("ap", seed=7, language=language)
    enc.do("Vex", "attack", target="Mara")
    told = {name: ck.question(enc.at(), name, "attack", target="Ilya").situation for name in ("Vex", "Mara")}
    assert theirs in told["Vex"]
    assert mine in told["Mara"]
