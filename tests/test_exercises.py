"""Exercises: each can be solved, an empty play and a forged one fail, and the check believes nothing but the calls."""

from __future__ import annotations

import re
import tomllib
import warnings
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.study.exercises.task import make
from combatkit.widgets._map_view import MapProjector
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.exercise import panel_of

SOLUTIONS: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent / "data" / "solutions.toml").read_text(encoding="utf-8")
)
LIKE = {
    "later-than-vex": ["saga-let-vex-go-first", "d6-let-vex-go-first", "phases-let-vex-go-first"],
    "answer-vex": ["saga-ready-for-vex", "d6-wait-for-vex", "phases-ready-for-vex"],
}


def solve(task: Any) -> None:
    """Play what solves an exercise, in each of its fights."""
    plays = [SOLUTIONS[id] for id in LIKE.get(task.id, [task.id])]
    for enc, play in zip(task.encounters.values(), plays, strict=True):
        for call in play:
            make(enc, call)


@pytest.mark.parametrize("id", ck.exercises())
def test_it_can_be_solved_and_an_empty_play_fails(id: str) -> None:
    task = ck.exercise(id)
    assert len(task.hints) == 3
    empty = task.check()
    assert (empty.passed, empty.calls) == (False, 0)
    assert empty.reason
    assert not empty.rule or any(empty.rule in ck.ruleset(system).rules for system in task.encounters)
    solve(task)
    assert task.check() == (True, "", "", sum(len(enc.calls) for enc in task.encounters.values()))
    task.restart()
    assert task.check() == empty


def test_the_kit_has_some_for_every_system() -> None:
    found = [system for id in ck.exercises() for system in ck.exercise(id).encounters]
    assert set(found) == {rules.id for rules in ck.rulesets()}
    assert min(map(found.count, found)) >= 3


def test_what_was_taken_back_does_not_count() -> None:
    task = ck.exercise("saga-move-twice")
    task.encounter.do("Mara", "move")
    task.encounter.do("Mara", "move")
    task.encounter.undo()
    assert task.check().reason == "Mara hasn't moved twice yet."
    task.encounter.redo()
    assert task.check().passed


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (["condition", "Mara", "prone", {"off": True}], "condition is the GM's"),
        (["do", "Mara", "stand_up", {"override": True}], "override is the GM's"),
        (["adjust", "Vex", {"vital": "hp", "by": -30}], "adjust is the GM's"),
        (["do", "Mara", "attack", {"target": "Vex", "rolls": {"attack": [20]}}], "rolls is the GM's"),
    ],
)
def test_what_is_the_gms_does_not_count(call: list[Any], told: str) -> None:
    task = ck.exercise("saga-stand-up-and-attack")
    task.encounter.do("Mara", "stand_up")
    task.encounter.do("Mara", "attack", target="Vex")
    assert task.check().passed
    task = ck.exercise("saga-stand-up-and-attack")
    make(task.encounter, call)
    assert task.check().passed is False
    assert told in task.check().reason


def test_a_fight_put_in_its_place_proves_nothing() -> None:
    task = ck.exercise("saga-move-twice")
    other = ck.Encounter("saga", seed=1)
    other.add("Mara", side="rebels")
    other.start()
    other.do("Mara", "move")
    other.do("Mara", "move")
    task.encounters["saga"] = other  # type: ignore[assignment]
    assert task.check() == (False, "Mara hasn't moved twice yet.", "saga.move.max-two", 0)


def test_calls_that_cannot_be_made_again_fail() -> None:
    task = ck.exercise("saga-move-twice")
    task.encounter.do("Mara", "move")
    task.encounter.do("Mara", "move")
    task.encounter.calls += task.encounter.calls
    assert "can't be done again" in task.check().reason


def test_ones_own_comes_from_a_mapping_or_a_file(tmp_path: Path) -> None:
    part = {"kind": "does", "who": "Bo", "action": "move", "words": "Bo hasn't moved."}
    fight = {"people": [{"name": "Bo", "side": "a"}], "parts": [part]}
    task = ck.exercise({"goal": "Move.", "fights": {"d6": fight}})
    assert task.check().reason == "Bo hasn't moved."
    task.encounter.do("Bo", "move")
    assert task.check().passed
    path = tmp_path / "own.toml"
    path.write_text(
        'goal = "Move."\n[fights.d6]\npeople = [{ name = "Bo", side = "a" }]\n'
        'parts = [{ kind = "does", who = "Bo", action = "move", words = "Bo stays." }]\n',
        encoding="utf-8",
    )
    assert ck.exercise(path).check().reason == "Bo stays."


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("saga-move-twise", "saga-move-twice"),
        ({"goal": "Move."}, "lacks something"),
        ({"goal": "Move.", "fights": 3}, "lacks something"),
        ({"goal": "Move.", "fights": {"chess": {}}}, "chess"),
        ("no-such-file.toml", "no-such-file.toml cannot be read"),
    ],
)
def test_what_is_no_exercise_is_refused(source: Any, told: str) -> None:
    with pytest.raises(ck.CombatkitError, match=told):
        ck.exercise(source)


def test_a_goal_of_another_kind_is_refused() -> None:
    for part, told in (({"kind": "jumps"}, "kind of a goal"), ({"kind": "round", "most": 3}, "doesn't take most")):
        fight = {"people": [{"name": "Bo", "side": "a"}], "parts": [{"words": "", **part}]}
        with pytest.raises(ck.CombatkitError, match=told):
            ck.exercise({"goal": "Jump.", "fights": {"d6": fight}}).check()


def catwalk(system: str) -> ck.Encounter:
    """Give the kit's first scene, begun: Vex's turn, or the step in which all declare."""
    return ck.scene("catwalk").encounter(system, seed=7)


@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_ones_own_starts_from_a_moment_of_ones_own_fight(system: str) -> None:
    enc = catwalk(system)
    before, seq = enc.digest, len(enc._events)
    who = enc.active or "Vex"
    options = [each for each in enc.options(who) if each.allowed and not each.needs]
    action = options[0].action
    task = ck.exercise(enc.at(seq), goal={"kind": "does", "who": who, "action": action})
    assert task.check().passed is False
    enc.do(who, action)
    enc.undo()
    task.encounter.do(who, action)
    assert task.check().passed
    task.restart()
    assert not task.check().passed
    assert enc.at(seq).digest == before


@pytest.mark.parametrize("answer", ["failed", "negated"])
def test_who_could_attack_on_a_way_is_reckoned_whatever_was_made_of_it(answer: str) -> None:
    task: Any = ck.exercise("phases-to-the-door")
    straight, around = task.encounter.ways("Mara", (4, 0), action="half_move")
    for way, passed in ((straight, False), (around, True)):
        task.restart()
        enc = task.encounter
        enc.do("Mara", "half_move", to=way.to)
        while enc.pending:
            enc.resolve(answer=answer if enc.pending[0].who == "GM" else None)
        assert enc["Mara"].position == (4, 0)
        assert task.check().passed is passed
        assert passed or task.check().reason == "Both could attack Mara on that way."


def test_a_place_and_who_may_attack_are_said_and_a_wrong_place_is_refused() -> None:
    enc = ck.Encounter("phases", seed=7)
    enc.add("Mara", side="crew", at=(0, 0), movement=6)
    enc.add("Vex", side="gang", npc=True, at=(1, 0))
    enc.start()
    goal: Any = [{"kind": "stands", "who": "Mara", "at": (-2, 0)}, {"kind": "provoked", "who": "Mara", "most": 0}]
    task = ck.exercise(enc.at(), goal=goal)
    assert task.goal == "Bring Mara to (\N{MINUS SIGN}2, 0). Let Mara move so that at most 0 may attack."
    with pytest.raises(ck.CombatkitError, match="Nowhere"):
        ck.exercise(enc.at(), goal={"kind": "stands", "who": "Mara", "at": "Nowhere"})
    with pytest.raises(ck.InvalidInput, match="a whole number from 0 up"):
        ck.exercise(enc.at(), goal={"kind": "provoked", "who": "Mara", "most": -1})


def test_a_place_that_is_missed_says_where_they_stand() -> None:
    enc = ck.Encounter("phases", seed=7)
    enc.add("Mara", side="crew", at=(0, 0), movement=6)
    enc.add("Vex", side="gang", npc=True, at=(9, 0))
    enc.start()
    task = ck.exercise(enc.at(), goal={"kind": "stands", "who": "Mara", "at": (-2, 0)})
    assert task.check().reason == "Mara doesn't stand at (\N{MINUS SIGN}2, 0). Mara stands at (0, 0)."


def test_a_place_to_reach_is_marked_on_the_map() -> None:
    task = ck.exercise("phases-to-the-door")
    for _ in range(2):
        view = MapProjector()(Vantage(task.encounter))
        assert view["marked"] == [[4, 0]]
        task.restart()
    assert "marked" not in MapProjector()(Vantage(ck.scene("catwalk").encounter("phases", seed=7, places=True)))


def test_a_place_where_nobody_is_placed_is_no_goal() -> None:
    with pytest.raises(ck.InvalidInput, match=r"Vex stands nowhere in this fight.*places=True"):
        ck.exercise(catwalk("saga").at(), goal={"kind": "stands", "who": "Vex", "at": (3, 3)})


def test_what_takes_more_than_one_turn_is_told_to_whoever_writes_it() -> None:
    goal = {"kind": "does", "who": "Vex", "action": "attack", "target": "Mara", "times": 2}
    with pytest.warns(
        UserWarning, match="takes more than one turn: after 1 time the rules refuse it: Needs a standard"
    ):
        ck.exercise(catwalk("saga").at(), goal=goal)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ck.exercise(catwalk("saga").at(), goal={"kind": "does", "who": "Vex", "action": "move", "times": 2})


def test_steps_played_are_those_that_stand() -> None:
    task = ck.exercise("saga-move-twice")
    for _ in range(2):
        task.encounter.do("Mara", "move")
    task.encounter.undo()
    assert task.steps == task.check().calls == 1
    assert panel_of(task)._handed_in() == "1 step played."


def test_fights_side_by_side_are_headed(monkeypatch: pytest.MonkeyPatch) -> None:
    import IPython.display

    shown: list[Any] = []
    monkeypatch.setattr(IPython.display, "display", shown.append)
    task = ck.exercise("later-than-vex")
    task._ipython_display_()
    heads = [each.data for each in shown if isinstance(each, IPython.display.HTML)]
    titles = [ck.ruleset(system).title for system in task.encounters]
    assert heads == [f"<h4>{n}/{len(titles)} {title}</h4>" for n, title in enumerate(titles, 1)]
    shown.clear()
    ck.exercise("saga-move-twice")._ipython_display_()
    assert len(shown) == 2, "one alone has none"


def test_a_goal_in_a_sentence_is_made_of_its_parts_or_given() -> None:
    moment = catwalk("saga").at()
    goal = [
        {"kind": "does", "who": "Vex", "action": "attack", "target": "Mara"},
        {"kind": "keeps", "who": "Vex", "slot": "move"},
        {"kind": "has", "who": "Mara", "condition": "prone", "no": True},
    ]
    task = ck.exercise(moment, goal=goal, hints=["What does an attack cost?"])
    assert task.goal == "Let Vex attack Mara. Let Vex keep 1 of Move. Let Mara no longer be prone."
    assert repr(task.check()) == "Not yet. Vex has yet to attack Mara. §saga.std.ex.attack"
    assert ck.exercise(moment, goal=goal, words="Strike, and keep your feet free.").goal.startswith("Strike")


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ({"did": "move"}, "part 1 of the goal has no kind, only did; give one of does"),
        ([{"kind": "active", "who": "Mara"}, {"did": "move"}], "part 2 of the goal has no kind"),
        ("move", "the goal is 'move'; give a part such as"),
        ([], "give a part such as"),
        (None, "say what is to be reached"),
        ([3], "part 1 of the goal is 3"),
        ({"kind": "dose", "who": "Vex", "action": "move"}, "unknown kind of a goal 'dose': did you mean 'does'"),
        ({"kind": "does", "who": "Maro", "action": "move"}, "unknown combatant 'Maro': did you mean 'Mara'"),
        ({"kind": "before", "who": "Mara", "other": "Vax"}, "unknown combatant 'Vax'"),
        ({"kind": "does", "who": "Vex", "action": "moove"}, "saga has no action 'moove': did you mean 'move'"),
        ({"kind": "does", "who": "Vex"}, "part 1 of the goal: does needs action"),
        ({"kind": "does", "who": "Vex", "action": "move", "tines": 2}, "doesn't take tines; it takes who, action"),
        ({"kind": "does", "who": "Vex", "action": "move", "times": 0}, "give a whole number from 1 up"),
        ({"kind": "keeps", "who": "Vex", "slot": "moves"}, "unknown slot 'moves': did you mean 'move'"),
        ({"kind": "has", "who": "Vex", "condition": "pron"}, "unknown condition 'pron': did you mean 'prone'"),
        ({"kind": "status", "who": "Vex", "status": "act"}, "unknown status 'act'"),
        ({"kind": "round", "least": 2, "rule": "saga.nope"}, "unknown rule 'saga.nope': give the id of one of saga"),
        ({"kind": "keeps", "who": "Vex", "slot": "swift", "least": 2}, "never has more than 1 of Swift; give least=1"),
        ({"kind": "does", "who": "Vex", "action": "attack", "target": "Vex"}, "can't target themselves. Give another"),
        ({"kind": "active", "who": "Vex"}, "is reached before anything is done"),
    ],
)
def test_a_goal_that_is_wrong_is_refused_when_it_is_written(goal: Any, told: str) -> None:
    with pytest.raises(ck.CombatkitError, match=told):
        ck.exercise(catwalk("saga").at(), goal=goal)
    if isinstance(goal, list) and goal:
        people = [{"name": "Mara", "side": "a"}, {"name": "Vex", "side": "b"}]
        with pytest.raises(ck.CombatkitError, match=told):
            ck.exercise({"goal": "Move.", "fights": {"saga": {"people": people, "parts": goal}}})


def test_a_moment_before_the_fight_and_a_goal_for_the_kit_are_refused() -> None:
    with pytest.raises(ck.InvalidInput, match="isn't running at this moment"):
        ck.exercise(catwalk("saga").at(2), goal={"kind": "does", "who": "Vex", "action": "move"})
    with pytest.raises(ck.InvalidInput, match="are for a moment of a fight"):
        ck.exercise("saga-move-twice", goal={"kind": "active", "who": "Mara"})


def test_fights_taken_away_prove_nothing() -> None:
    task = ck.exercise("saga-move-twice")
    task.encounters.clear()
    assert task.check().passed is False
    task = ck.exercise("later-than-vex")
    play = SOLUTIONS["saga-let-vex-go-first"]
    for call in play:
        make(task.encounters["saga"], call)
    del task.encounters["d6"], task.encounters["phases"]
    assert task.check().passed is False
    task.encounter.calls.append("nonsense")  # type: ignore[arg-type]
    assert "can't be done again" in task.check().reason


def test_a_check_reads_as_a_sentence_with_its_rule() -> None:
    task = ck.exercise("saga-move-twice")
    found = task.check()
    assert str(found) == "Not yet. Mara hasn't moved twice yet. §saga.move.max-two"
    assert ck.ruleset("saga").rules["saga.move.max-two"].text in found._repr_html_()
    solve(task)
    assert str(task.check()) == "Passed, in 2 steps."


def test_steps_are_what_stands() -> None:
    task = ck.exercise("saga-move-twice")
    task.encounter.do("Mara", "move")
    task.encounter.end_turn()
    task.encounter.undo()
    task.encounter.do("Mara", "move")
    assert str(task.check()) == "Passed, in 2 steps."


def test_a_turn_that_is_over_points_to_undo() -> None:
    late = " Vex's turn is over: Undo takes you back to it."
    task = ck.exercise(catwalk("saga").at(), goal={"kind": "does", "who": "Vex", "action": "move"})
    assert late not in task.check().reason
    task.encounter.end_turn()
    assert task.check().reason.endswith(late)
    task.encounter.undo()
    assert late not in task.check().reason


def test_the_turn_of_one_who_delays_is_not_over_and_an_idle_one_is_said_to_be() -> None:
    task = ck.exercise("saga-let-vex-go-first")
    enc = task.encounter
    enc.do("Mara", "delay")
    enc.end_turn()
    assert task.check().reason.endswith("before Mara. Vex did nothing in their turn: Undo takes you back to it.")
    enc.undo()
    enc.do("Vex", "attack", target="Ossik")
    enc.end_turn()
    enc.do("Ossik", "attack", target="Vex")
    assert task.check().reason == "Mara hasn't attacked after that.", "Mara still may act now"
    enc.end_turn()
    enc.do("Mara", "act_now")
    enc.end_turn()
    assert task.check().reason == "Mara hasn't attacked after that.", "a new round has begun"


@pytest.mark.parametrize("id", ck.exercises())
def test_whatever_is_missing_has_its_rule(id: str) -> None:
    task = ck.exercise(id)
    for system, parts in task._parts.items():
        assert all(part["rule"] in ck.ruleset(system).rules for part in parts)


def test_ones_own_is_called_by_its_goal_and_never_as_one_of_the_kit() -> None:
    moment = catwalk("saga").at()
    goal = {"kind": "does", "who": "Vex", "action": "attack", "target": "Mara"}
    assert ck.exercise(moment, goal=goal).id == "let-vex-attack-mara"
    assert ck.exercise(moment, goal=goal, words="決闘").id == "own"
    assert ck.exercise(moment, goal=goal, id="duel").id == "duel"
    with pytest.raises(ck.InvalidInput, match="the kit has one called 'saga-move-twice'"):
        ck.exercise(moment, goal=goal, id="saga-move-twice")
    for wrong in ("", 3):
        with pytest.raises(ck.InvalidInput, match="id is"):
            ck.exercise(moment, goal=goal, id=wrong)  # type: ignore[arg-type]


_SAID = {
    "use_readied": "strike",
    "use_held": "hold|strike",
    "missile_attack": "shoot",
    "1_hex_step": "step",
    "dash": "move on",
    "strike": "strike|attack",
    "second_wind": "second wind",
}
"""What a goal calls a deed, where that isn't the first word of its id."""


@pytest.mark.parametrize("id", ck.exercises())
def test_a_goal_says_all_that_its_check_asks(id: str) -> None:
    task = ck.exercise(id)
    goal = task.goal.lower()
    for part in (part for parts in task._parts.values() for part in parts if not part.get("no")):
        if part["kind"] == "does" and part["action"] != "declare":
            assert re.search(_SAID.get(part["action"], part["action"].split("_")[0]), goal), part
            assert len(task.encounters) > 1 or part.get("target", "").lower() in goal
        if part["kind"] == "active":
            assert "check before" in goal or "in vex's turn" in goal, part


def test_the_kits_exercises_are_a_table_in_a_notebook() -> None:
    shown: Any = ck.exercises()
    assert "<code>saga-move-twice</code>" in shown._repr_html_()
    assert shown == dict(shown)
