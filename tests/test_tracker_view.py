"""What a tracker says of a fight: who is in, what a call came to, what a healing at full is worth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import combatkit as ck
from combatkit.report.words import plain
from combatkit.widgets import Tracker
from combatkit.widgets._result import result_of
from combatkit.widgets._table import table_of
from combatkit.widgets.page import _Reader
from tests.test_widgets import make
from tests.windows_asked import ap
from tests.wire import hear, recording

FULL: dict[str, dict[str, Any]] = {
    "saga": {"hp": 20},
    "d6": {"resolve": 20},
    "ap": {"hp": 20},
    "segments": {"hp": 20},
    "phases": {"stun": 20, "body": 20, "end": 20},
}


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def left(enc: ck.Encounter, vital: str) -> int | None:
    return enc._state.fighters["Vex"].vitals[vital]


def told(tracker: Tracker) -> list[str]:
    result = tracker.view.get("result")
    return [plain(result["text"]), plain(result["sub"])] if result else []


def test_a_fight_that_is_set_up_says_how_many_are_in() -> None:
    assert Tracker().view["turn"]["sub"] == "nobody is in yet"
    assert Tracker(make(started=False)).view["turn"]["sub"] == "4 combatants, 2 sides"


def test_what_the_last_call_came_to_is_told() -> None:
    enc = make()
    tracker = Tracker(enc)
    assert told(tracker)[0] == "The fight begins."
    enc.do("Mara", "attack", target="Guard 1", rolls=[14], damage="1d4+2")
    hit, rests = told(tracker)
    assert re.fullmatch(r"Mara hits Guard 1: \d+ against \d+\. Guard 1 loses \d+, \d+ of \d+ left\.", hit)
    assert rests.startswith("14 + ")
    enc.undo()
    assert told(tracker)[0] == "Undone: Attack (Mara).", "what came before that is no news"
    enc.redo()
    assert told(tracker)[0] == hit
    hear(tracker, {"kind": "at", "seq": 3})
    assert told(tracker) == []


def test_who_falls_by_a_blow_is_said_to_be_down() -> None:
    enc = make()
    tracker = Tracker(enc)
    enc.do("Mara", "attack", target="Guard 1", rolls=[20], damage="1d4+90")
    assert re.search(r"Guard 1 loses \d+ and is down\.$", told(tracker)[0])


def test_that_somebody_is_bloodied_is_said_with_the_blow_that_makes_it_so() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", attack_bonus=5)
    enc.add("Vex", side="empire", hp=40, defense=10)
    enc.start()
    tracker = Tracker(enc)
    said = []
    for _ in range(3):
        while enc.active != "Mara":
            enc.end_turn()
        enc.do("Mara", "attack", target="Vex", rolls=[19], damage=12)
        said.append("Vex is bloodied." in told(tracker)[1])
        enc.end_turn()
    assert said == [False, True, False]


@pytest.mark.parametrize("system", ["saga", "d6", "ap"])
def test_when_something_was_is_told_though_another_round_has_begun(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    for name in ("Ann", "Bob"):
        enc.add(name, side=name, **FULL[system])
    enc.start()
    tracker, last = Tracker(enc), enc._state.agenda[-1].who
    while enc.clock.round == 1:
        enc.end_turn()
    assert enc.clock.label == "Round 2"
    assert told(tracker) == [f"{last} does nothing.", "Round 1"]


def test_in_phases_what_ends_only_a_combatants_turn_does_not_say_that_the_phase_ends() -> None:
    enc = ck.scene("catwalk").encounter("phases", seed=7)
    first, phase = enc.active, enc.clock.label
    end = Tracker(enc).view["end"]
    enc.end_turn()
    assert (enc.clock.label, enc.active != first) == (phase, True)
    assert end["label"] == "Done acting"


@pytest.mark.parametrize("system", FULL)
def test_a_result_at_a_past_moment_is_that_moments_own(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    for name in ("Ann", "Bob"):
        enc.add(name, side=name, **FULL[system])
    enc.start()
    reader = _Reader(enc, "gm")
    seqs, seen = [], []
    for condition in ("blessed", "wet", "cold"):
        enc.condition("Ann", condition)
        seqs.append(len(enc._events))
        seen.append(told(Tracker(enc)))
    enc.undo()
    for seq, said in zip(seqs, seen, strict=True):
        reader.go(seq)
        found = result_of(reader)
        assert found is not None
        assert [plain(found["text"]), plain(found["sub"])] == said
    reader.go(1)
    assert result_of(reader) is None


WITHOUT_DAMAGE: dict[str, dict[str, Any]] = {
    "saga": {"attack_bonus": 5, "defense": 10, "hp": 20},
    "ap": {"attack_bonus": 5, "defense": 5, "hp": 20},
    "segments": {"aac0": 20, "ac": 10, "hp": 20},
}


@pytest.mark.parametrize("system", WITHOUT_DAMAGE)
def test_a_hit_with_a_weapon_of_no_stated_damage_asks_how_much(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    for name in ("Ann", "Bob"):
        enc.add(name, side=name, weapons=[{"name": "Club"}], **WITHOUT_DAMAGE[system])
    enc.start()
    while enc.active != "Ann":
        enc.end_turn()
    tracker, players = Tracker(enc), Tracker(enc, view="players")
    enc.do("Ann", "attack", target="Bob", rolls={"attack": [19]})
    while enc.pending:
        enc.resolve()
    assert told(tracker)[0].startswith("Ann hits Bob")
    assert tracker.view["result"]["owed"] == {"name": "Bob", "attacker": "Ann"}
    assert "owed" not in players.view["result"]
    hear(tracker, {"kind": "damage", "names": ["Bob"], "amount": "7"})
    assert enc["Bob"].values["hp"] == 13
    assert "owed" not in tracker.view["result"]


@pytest.mark.parametrize("fell", [False, True])
def test_how_much_a_counter_attack_takes_is_asked_though_the_attack_it_answers_hits_harder(fell: bool) -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Ann", side="reds", weapons=[{"name": "Axe", "damage": "1d6"}], **WITHOUT_DAMAGE["ap"])
    enc.add("Bob", side="blues", weapons=[{"name": "Club"}], **{**WITHOUT_DAMAGE["ap"], "hp": 1 if fell else 20})
    enc.start()
    while enc.active != "Ann":
        enc.end_turn()
    tracker = Tracker(enc)
    enc.do("Ann", "attack", target="Bob", rolls={"attack": [19], "damage": [5]})
    enc.do("Bob", "counter_attack", target="Ann", rolls={"attack": [18]})
    assert not enc.pending, "the attack has gone on"
    assert enc["Bob"].values["hp"] == (-4 if fell else 15)
    assert "Bob hits Ann (counter-attack)." in told(tracker)[0]
    assert tracker.view["result"]["owed"] == {"name": "Ann", "attacker": "Bob"}


def test_enemies_stand_before_allies_among_targets() -> None:
    enc = ck.Encounter("saga", seed=7)
    for name, side in (("Mara", "rebels"), ("Ossik", "rebels"), ("Guard", "empire"), ("Ilya", "rebels")):
        enc.add(name, side=side)
    enc.start(rolls={"Mara": 20, "Ossik": 3, "Guard": 2, "Ilya": 1})
    (answer,) = hear(Tracker(enc), {"kind": "choices", "name": "Mara", "action": "attack"})
    assert [value["value"] for value in answer["params"][0]["values"]] == ["Guard", "Ossik", "Ilya"]


def test_a_wrong_value_is_named() -> None:
    question = {"kind": "choices", "name": "Mara", "action": "attack", "params": {"damage": "3x"}}
    (answer,) = hear(Tracker(make()), question)
    assert answer["ruling"]["param"] == "damage"


def at_full(system: str) -> ck.Encounter:
    """Give a fight under way in which nobody has lost anything."""
    enc = ck.Encounter(system, seed=1)
    enc.add("Mara", side="rebels", **FULL[system])
    enc.add("Vex", side="hunters", **FULL[system])
    enc.start()
    return enc


@pytest.mark.parametrize("system", FULL)
def test_healing_at_full_is_told_and_a_step_of_undo_by_itself(system: str) -> None:
    enc = at_full(system)
    vital = next(iter(FULL[system]))
    enc.adjust("Vex", vital, -3)
    (event,) = enc.adjust("Mara", vital, 5)
    assert (event.amount, event.text) == (0, f"is already at full: 20 {vital}")
    assert enc.can_undo == f"{enc.ruleset.vitals[0].title} (Mara)"
    enc.undo()
    assert left(enc, vital) == 17, "the call before it stands"
    enc.undo()
    assert left(enc, vital) == 20
    enc.redo()
    assert left(enc, vital) == 17


@pytest.mark.parametrize("system", FULL)
def test_undo_says_whose_call_it_takes_back(system: str) -> None:
    enc = at_full(system)
    if enc.active is None:
        enc.do("Vex", "declare", action="attack")
        assert enc.can_undo == "Declare (Vex)"
    while enc.active is None:
        enc.end_turn()
    who, vital = enc.active, next(iter(FULL[system]))
    option = next(each for each in enc.options(who) if each.allowed and not each.needs)
    enc.do(who, option.action)
    assert enc.can_undo == f"{option.title} ({who})"
    enc.damage(["Mara", "Vex"], 1)
    assert enc.can_undo == "Damage (2 combatants)"
    enc.condition("Vex", "prone")
    assert enc.can_undo == "Prone (Vex)"
    enc.adjust("Mara", vital, -1)
    (undone,) = enc.undo()
    assert undone.text == f"undone: {enc.ruleset.vitals[0].title} (Mara)"


def test_a_healing_at_full_before_the_start_is_taken_back_by_itself() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="rebels", hp=9)
    added = enc.can_undo
    enc.adjust("Mara", "hp", 5)
    assert enc.can_undo == "Hit points (Mara)"
    enc.undo()
    assert enc.names == ("Mara",)
    assert enc.can_undo == added
    enc.redo()
    assert enc.can_redo == ""
    assert enc.history.events["text"][-3] == "is already at full: 9 hp"
    assert not enc.history.events["undone"][-3]


def test_bringing_somebody_in_mid_fight_is_a_result() -> None:
    enc = make()
    tracker = Tracker(enc)
    enc.join("Dray", side="empire")
    assert told(tracker)[0] == "Dray joins the fight (side: empire)."


def crowd() -> tuple[ck.Encounter, Tracker]:
    """Give an attack by the first of eight on the last, which waits for an answer, and its tracker."""
    enc = ck.Encounter("ap", seed=1)
    enc.add("Mara", side="rebels", initiative_rating=30, attack_bonus=5)
    enc.add("Guard", side="empire", count=6, npc=True, initiative_rating=20, defense=10)
    enc.add("Vex", side="empire", defense=10, hp=20)
    enc.start()
    tracker = Tracker(enc)
    enc.do("Mara", "attack", target="Vex", damage="1d4", rolls={"attack": [15], "damage": [2]})
    return enc, tracker


def test_of_many_who_may_react_whoever_is_aimed_at_comes_first() -> None:
    _, tracker = crowd()
    (window,) = tracker.view["windows"]
    assert [row["who"] for row in window["rows"]] == ["Vex", *(f"Guard {n}" for n in range(1, 7))]
    assert window["sub"] == ["Vex may react. Six others may react too."]


def casters() -> tuple[ck.Encounter, Tracker]:
    """Give a round in which two cast, and a third is down, when all have been declared."""
    enc = ck.Encounter("segments", id="stairs", seed=3)
    for name in ("Bran", "Wren", "Joan", "Aldric"):
        enc.add(name, side="heroes", ac=5, hp=12)
    enc.add("Foe", side="foes", count=2, ac=5, hp=16, npc=True)
    enc.start()
    enc.condition("Aldric", "down")
    tracker = Tracker(enc)
    for name, action in (("Wren", "incantation"), ("Joan", "incantation"), ("Bran", "attack")):
        enc.do(name, "declare", action=action)
    return enc, tracker


def test_those_who_can_declare_are_counted_alike_everywhere() -> None:
    _, tracker = casters()
    steps = tracker.ladder.view["strips"][0]["steps"]
    assert steps[0]["lines"] == [[f"3 of {len(tracker.budget.view['calls']['rows'])}"]] == [["3 of 5"]]


def test_whoever_is_hit_keeps_their_name_in_the_headline() -> None:
    enc = ck.Encounter("saga", seed=7, language="de")
    enc.add("Mara", side="rebels", level=6, hp=38, weapons=[{"name": "Blaster rifle", "attack": 30, "damage": "1d8+2"}])
    enc.add("Guard", side="empire", npc=True, count=2, hp=10, defense=15)
    enc.start(rolls={"Mara": 20, "Guard 1": 2, "Guard 2": 1})
    enc.do("Mara", "attack", target="Guard 1", weapon="Blaster rifle", rolls={"attack": 12})
    assert {"strong": "Guard 1"} in Tracker(enc).view["result"]["text"]


def test_where_a_step_stands_is_no_word_of_a_language() -> None:
    enc = ck.Encounter("segments", seed=3, language="de")
    enc.add("Bran", side="heroes", ac=5, hp=12)
    enc.add("Foe", side="foes", ac=5, hp=16)
    enc.start()
    steps = Tracker(enc).ladder.view["strips"][0]["steps"]
    assert [step["stands"] for step in steps] == ["now", *[""] * 8]
    assert [steps[0]["title"], steps[-1]["title"]] == ["Ansagen", "Rundenende"]
    table_of(enc).plays = {"Anna": ("Bran",)}
    said = "2 haben nichts angesagt: Bran und Foe. Noch einmal beendet den Schritt."
    assert Tracker(enc).view["end"]["first"] == said


def test_who_must_answer_is_not_said_to_be_free_to() -> None:
    enc, tracker = casters()
    while enc._state.window is None:
        enc.end_turn()
    assert tracker.view["turn"]["sub"] == "interrupted: two must answer"
    (window,) = tracker.view["windows"]
    assert window["sub"] == ["Wren and Joan must answer, in any order."]
    assert tracker.view["announce"].endswith("Wren and Joan must answer.")
    enc.do("Wren", "announce_target", target="Foe 1")
    turn = tracker.view["turn"]
    assert (turn["title"], turn["sub"]) == ("Joan", "must answer"), "where nobody has a turn, whoever is asked is named"


@pytest.mark.parametrize("system", FULL)
def test_what_is_refused_in_the_same_words_stands_in_one_line_and_says_so_once(system: str) -> None:
    enc = ck.scene("catwalk").encounter(system, seed=7)
    budget = Tracker(enc).budget
    for name in enc.names:
        hear(budget, {"kind": "look", "name": name})
        view = budget.view
        lines = [view["group"][id] for id in view["folds"]]
        said = [
            plain([part for part in line["whys"][0] if isinstance(part, str)]) for line in lines if line["id"] != "no"
        ]
        assert said
        assert len(set(said)) == len(said)
        for line in lines:
            own = line.get("own", dict.fromkeys(line["actions"], 0))
            assert {*own.values()} == {*range(len(line["whys"]))}
        assert "not now" not in [view["action"][id].get("cost") for line in lines for id in line["actions"]]


def test_who_is_said_to_come_next_does() -> None:
    """A caster has a place of their own and one for the spell, and a turn in the last only."""
    enc, tracker = casters()
    seen = []
    enc.end_turn()
    while enc._state.round == 1:
        if enc._state.window is not None:
            for bid in enc._state.window.bids:
                enc.do(bid.who, bid.actions[0], target="Foe 1")
        seen.append((enc.active, plain([tracker.view["turn"]["sub"]]).split(", then ")))
        enc.end_turn()
    assert [said[1] for _, said in seen] == [*(who for who, _ in seen[1:]), "the next round"]
    assert [said[0].split()[0] for _, said in seen] == ["1st", "2nd", "3rd", "4th", "5th"]
    assert all(said[0].endswith("of 5 turns") for _, said in seen)


@pytest.mark.parametrize("system", FULL)
def test_who_is_healed_after_their_place_in_the_order_is_said_to_come_next_if_they_do(system: str) -> None:
    """Guard 3 acted, and then Ilya, whose place it had passed while she lay: all pages had said Guard 1."""
    enc = ck.scene("catwalk").encounter(system, seed=7)
    tracker = Tracker(enc)
    while enc.clock.round is None or not enc.active:
        enc.end_turn() if enc.clock.round is not None else enc.start()
    fallen = plain([tracker.view["turn"]["sub"]]).split(", then ")[1]
    enc.condition(fallen, "down")
    enc.end_turn()
    assert enc.active != fallen
    enc.condition(fallen, "down", off=True)
    places = []
    while enc._state.turn is not None and "the next" not in tracker.view["turn"]["sub"]:
        place, after = plain([tracker.view["turn"]["sub"]]).split(" turns, then ")
        places.append(place)
        enc.end_turn()
        assert enc.active == after
    assert [int(place[0]) for place in places] == [*range(int(places[0][0]), int(places[0][0]) + len(places))]
    assert len({place.split(" of ")[1] for place in places}) == 1


def test_a_turn_that_was_had_counts_on_when_no_step_calls_it_any_more() -> None:
    """A charge is a place of its own, in the step for fast actions; the charger's other one is passed over."""
    enc = ck.Encounter("segments", seed=4)
    enc.add("Mara", side="party", aac0=14, ac=3, hp=38, class_level=6, routines=2)
    enc.add("Dray", side="party", aac0=14, ac=3, hp=38, class_level=4)
    enc.add("Vex", side="cult", npc=True, aac0=17, ac=3, hp=20)
    enc.add("Zealot", side="cult", npc=True, aac0=19, ac=3, hp=20)
    enc.start()
    tracker = Tracker(enc)
    enc.do("Zealot", "declare", action="charge")
    enc.end_turn(rolls={"party": [5], "cult": [2]})
    enc.do("Zealot", "charge", target="Dray", rolls=[3])
    seen = [tracker.view["turn"]["sub"]]
    enc.end_turn()
    enc.do("Mara", "attack", target="Vex", rolls=[2])
    while enc._state.round == 1:
        seen.append(tracker.view["turn"]["sub"])
        enc.end_turn()
    assert seen == [
        "1st of 4 turns, then Mara",
        "2nd of 5 turns, then Dray",  # her second routine has a place now
        "3rd of 5 turns, then Vex",
        "4th of 5 turns, then Mara",
        "5th of 5 turns, then the next round",
    ]


def test_nobody_is_said_to_come_next_after_themselves() -> None:
    """The one who stands alone with a second routine was named on her own turn as the one after her."""
    enc = ck.Encounter("segments", seed=4)
    enc.add("Mara", side="party", aac0=14, ac=3, hp=38, class_level=6, routines=2)
    enc.add("Vex", side="cult", npc=True, aac0=17, ac=3, hp=20)
    enc.start()
    enc.end_turn(rolls={"party": [5], "cult": [2]})
    tracker = Tracker(enc)
    assert (enc.active, tracker.view["turn"]["sub"]) == ("Mara", "1st of 2 turns, then Vex")
    enc.do("Mara", "attack", target="Vex", rolls=[2])
    assert tracker.view["turn"]["sub"] == "1st of 3 turns, then Vex"
    enc.condition("Vex", "dead")
    assert tracker.view["turn"]["sub"] == "1st of 2 turns, then the next round"
    enc.end_turn()
    assert (enc.active, tracker.view["turn"]["sub"]) == ("Mara", "2nd of 2 turns, then the next round")


def test_of_a_routine_is_told_which_faces_hit_where_the_same_do_for_each_blow() -> None:
    enc = ck.Encounter("segments", seed=4)
    enc.add("Bear", side="cult", npc=True, aac0=15, hp=34, attacks=["MELEE: 2 claws (1d8/1d8) and bite (2d6)"])
    enc.add("Mara", side="party", aac0=14, ac=3, hp=38, class_level=6)
    enc.start()
    enc.end_turn(rolls={"cult": [5], "party": [2]})
    (answer,) = hear(Tracker(enc), {"kind": "choices", "id": 1, "name": "Bear", "action": "attack"})
    asked = {param["id"]: param for param in answer["params"]}
    assert asked["target"]["values"][0]["small"] == "38/38 \N{MIDDLE DOT} needs 12 or more"


def test_who_falls_to_one_of_several_and_gets_no_further_is_said_to_fall_first() -> None:
    """The last line of the log says both, and the news had what they lost, with "2 more in the log" for the fall."""
    enc = ck.Encounter("saga", options={"openings": "leaving_reach"})
    for name, side, at in (("Mara", "crew", (0, 0)), ("Toren", "crew", (2, 0)), ("Vex", "gang", (1, 0))):
        enc.add(name, side=side, npc=name == "Vex", hp=20, defense=10, at=at)
        enc.edit(name, weapons=[{"name": "blade", "damage": "2d6+9", "range": "melee", "attack": 9}])
    enc.start(rolls={"Vex": 20, "Mara": 5, "Toren": 3})
    tracker, players = Tracker(enc), Tracker(enc, view="players")
    enc.do("Vex", "move", to=(5, 5))
    for name in ("Mara", "Toren"):
        enc.do(name, "attack_of_opportunity", target="Vex", rolls={"attack": [15], "damage": [1, 1]})
    assert told(tracker)[0].endswith("Vex loses 22 and is down.")
    assert told(players)[0].endswith("Vex takes damage and is down.")
    assert "Vex is down and gets no further." in told(tracker)[1]


def test_who_leaves_in_their_own_turn_is_said_to_leave() -> None:
    enc = make()
    gone = str(enc.active)
    enc.leave(gone)
    assert told(Tracker(enc)) == [f"{gone} leaves the fight.", f"{gone} does nothing."]


def test_a_result_is_what_came_of_it_and_not_who_let_it_go() -> None:
    enc, tracker = crowd()
    enc.resolve()
    assert told(tracker)[0].startswith("Mara hits Vex: 20 against 10. Vex loses 2, 18 of 20 left.")


def test_a_reaction_asks_whether_it_works() -> None:
    enc, tracker = crowd()
    offered = [act["id"] for act in tracker.budget.view["asked"]["answers"]]
    assert {"parry", "evade", "hide"} <= set(offered)
    (answer,) = hear(tracker, {"kind": "choices", "id": 1, "name": "Vex", "action": "parry"})
    asked = {param["id"]: param for param in answer["params"]}
    assert asked["outcome"]["required"]
    assert [value["value"] for value in asked["outcome"]["values"]] == ["foiled", "failed"]
    hear(tracker, {"kind": "do", "name": "Vex", "action": "parry", "params": {"outcome": "foiled"}})
    enc.resolve()
    assert told(tracker)[0] == "Mara is foiled: Vex parries."
    assert told(tracker)[1] == "15 to hit, 2 damage: not needed.", "what was thrown for it is not forgotten"
    assert enc["Vex"].values["hp"] == 20


def test_the_players_own_side_has_the_first_mark_whoever_was_added_first() -> None:
    """The heroes are as blue and round in this fight as in the last, in the ladder, the log and the written log."""
    enc = ck.Encounter("saga", seed=1)
    tracker = ck.Tracker(enc)
    enc.add("Thug", side="gang", npc=True)
    assert [(side["name"], side["mark"]) for side in tracker.ladder.view["sides"]] == [("gang", 0)]
    enc.add("Kess", side="crew")
    enc.add("Sergeant", side="watch", npc=True)
    enc.start()
    marks = [("crew", 0), ("gang", 1), ("watch", 2)]
    for part in (tracker.ladder, tracker.log):
        assert [(side["name"], side["mark"]) for side in part.view["sides"]] == marks
    lines = {line["actor"]: line["side"] for line in tracker.log.view["lines"].values() if line["actor"]}
    assert [lines.get(name) for name in ("Kess", "Thug", "Sergeant")] == [0, 1, 2]
    written = enc.log().markdown
    assert written.index("● **crew**") < written.index("**gang**") < written.index("**watch**")
    enc.join("Ace", side="pilots")
    assert tracker.ladder.view["sides"][3] == {"name": "pilots", "mark": 3}


def test_a_hero_put_among_the_foes_and_taken_back_leaves_the_foes_mark_as_a_reload_shows_it() -> None:
    enc = ck.Encounter("d6", seed=3)
    tracker = ck.Tracker(enc)
    enc.add("Dockhand", side="foes", npc=True)
    enc.add("Kara", side="foes")
    assert tracker.ladder.view["sides"], "the mistake has been seen"
    enc.undo()
    enc.add("Kara", side="heroes")
    marks = [(side["name"], side["mark"]) for side in tracker.ladder.view["sides"]]
    assert marks == [("heroes", 0), ("foes", 1)]
    assert marks == [(side["name"], side["mark"]) for side in ck.Tracker(enc).ladder.view["sides"]]


def test_of_several_who_fall_together_the_gm_is_asked_one_after_the_other() -> None:
    enc = ck.scene("crypt-stairs").encounter("segments", seed=4)
    tracker = ck.Tracker(enc)
    first, second, third = enc.names[:3]
    enc.damage([first, second], 90)
    assert tracker.view["result"]["fell"] == {"name": first, "stands": "down"}
    enc.condition(first, "dead")
    assert tracker.view["result"]["fell"] == {"name": second, "stands": "down"}
    enc.condition(second, "down", off=True)
    assert "fell" not in tracker.view["result"], "all have been spoken of"
    enc.undo()
    assert "fell" not in tracker.view["result"]
    enc.condition(third, "dead")
    assert tracker.view["result"]["fell"] == {"name": second, "stands": "down"}, "a word on somebody else is no answer"
    enc.condition(second, "down")
    assert "fell" not in tracker.view["result"], "that they are down, as they were, is an answer"


def test_what_each_of_two_sides_has_rolled_for_initiative_stands_together() -> None:
    enc = ck.scene("catwalk").encounter("segments", seed=5)
    tracker = ck.Tracker(enc)
    enc.end_turn()
    assert told(tracker)[0] == "Initiative for rebels is 3: 1d6 3. Initiative for hunters is 5: 1d6 5."


def test_who_has_recovered_by_the_rules_is_not_asked_about_any_more() -> None:
    enc = ck.scene("rooftop-chase").encounter("phases", seed=11)
    tracker = ck.Tracker(enc)
    enc.damage("Kestrel", 33)
    assert tracker.view["result"]["fell"] == {"name": "Kestrel", "stands": "down"}
    while not any(event.kind == "effect_end" for event in enc._events):
        enc.end_turn()
    assert "fell" not in tracker.view["result"]
    enc.damage("Kestrel", 33)
    enc.condition("Kestrel", "down")
    while "down" in str(enc["Kestrel"].conditions):
        enc.end_turn()


@pytest.mark.parametrize(
    ("language", "told", "caption"),
    [
        ("en", "You decide: you play everybody.", "you decide: you play everybody"),
        ("de", "Du entscheidest: du spielst alle.", "du entscheidest: du spielst alle"),
    ],
)
def test_in_an_exercise_whoever_plays_it_decides_what_a_gm_would(language: str, told: str, caption: str) -> None:
    moment = ck.scene("catwalk").encounter("phases", seed=7, language=language).at()
    goal = {"kind": "active", "who": "Mara"}
    enc = ck.exercise(moment, goal=goal, words="Mara is next.").encounter
    tracker = Tracker(enc)
    enc.do("Vex", "full_move")
    assert tracker.view["windows"][0]["sub"] == [told]
    assert tracker.budget.view["caption"] == caption


def test_several_may_be_the_answer_to_who_threatens() -> None:
    enc = ck.scene("catwalk").encounter("phases", seed=7)
    tracker = Tracker(enc)
    enc.do("Vex", "full_move")
    (row,) = tracker.view["windows"][0]["rows"]
    assert row["many"] is True
    hear(tracker, {"kind": "resolve", "answer": ["Mara", "Ilya"]})
    (window,) = tracker.view["windows"]
    assert (window["title"], window["sub"]) == (
        "Vex moves: may Mara and Ilya attack?",
        ["Not if a skill check negates it. The GM decides."],
    )
    assert [title for _, title in window["rows"][-1]["choices"]] == ["They may attack", "No attack of opportunity"]
    hear(tracker, {"kind": "resolve", "answer": "failed"})
    assert "The GM decides that they may attack." in enc.log().markdown
    assert "many" not in window["rows"][0]


def test_who_is_looked_at_out_of_turn_is_chosen() -> None:
    enc = ck.scene("catwalk").encounter("phases", seed=7)
    tracker = Tracker(enc)
    assert "chosen" not in tracker.view["gm"], "whoever acts is not"
    hear(tracker, {"kind": "look", "name": "Mara"})
    assert tracker.view["gm"]["chosen"] == "Mara"


def test_what_every_attack_needs_is_asked_in_a_row() -> None:
    rows = {
        system: {stat["id"] for stat in Tracker(ck.Encounter(system)).view["setup"]["stats"] if stat.get("row")}
        for system in ("segments", "saga")
    }
    assert "aac0" in rows["segments"]
    assert "attack_bonus" not in rows["saga"], "their weapons have it"


@pytest.mark.parametrize(
    ("action", "headline"),
    [
        ("parry", "Mara parries. Mara fails, and can't try again."),
        ("counter_attack", "Mara misses Guard 1 (counter-attack)."),
    ],
)
def test_an_answer_that_fails_is_told_with_that_it_fails(action: str, headline: str) -> None:
    enc = ap()
    tracker = Tracker(enc)
    enc.do("Mara", action, outcome="failed")
    assert told(tracker)[0] == headline


def test_who_may_react_twice_is_one_and_what_came_of_it_is_the_headline() -> None:
    enc = ck.Encounter("phases", seed=4)
    for name, side, value in (("Wu", "heroes", 7), ("Boss", "foes", 6)):
        enc.add(name, side=side, combat_value=value, stun=30, weapons="staff, 1d6+2")
    enc.start()
    enc.do("Wu", "ready", action="strike", trigger={"actor": "Boss", "text": "steps up"})
    tracker = Tracker(enc)
    enc.end_turn()
    enc.do("Boss", "half_move")
    enc.resolve(answer=["Wu"])
    enc.resolve(answer="failed")
    assert len(enc.pending) > 1
    (window,) = tracker.view["windows"]
    assert (window["title"], window["sub"], tracker.view["turn"]["sub"]) == (
        "Boss moves.",
        ["Wu may react."],
        "interrupted: Wu may react",
    )
    assert "result" not in tracker.view
    enc.do("Wu", "use_readied", rolls={"attack": [6, 6, 5], "damage": [3]})
    assert tracker.view["windows"]
    result = tracker.view["result"]
    assert result["news"]
    assert plain(result["text"]).startswith("Wu hits Boss")


@pytest.mark.parametrize("rules", ck.rulesets(), ids=lambda rules: rules.id)
def test_undo_calls_what_goes_on_as_its_button_does(rules: Any) -> None:
    enc = ck.scene("catwalk").encounter(rules.id, seed=3)
    tracker = Tracker(enc)
    for _ in range(12):
        label = tracker.view["end"]["label"]
        enc.end_turn()
        assert tracker.view["undo"]["title"].partition(" (")[0] == f"Undo: {label}"


def test_what_is_under_way_and_would_be_lost_is_said_before_the_turn_ends() -> None:
    saga = ck.Encounter("saga", seed=3)
    for name, side in (("Mara", "rebels"), ("Vex", "empire")):
        saga.add(name, side=side, hp=10)
    saga.start()
    saga.do(saga.active or "", "second_wind")
    assert "first" not in ck.Tracker(saga).view["end"], "it has gone on in this turn"
    saga.end_turn()
    saga.end_turn()
    told = "Second wind is under way, and lost if it doesn't go on now. Once more ends the turn."
    assert ck.Tracker(saga).view["end"]["first"] == told
    saga.do(saga.active or "", "second_wind")
    assert "first" not in ck.Tracker(saga).view["end"]
    phases = ck.Encounter("phases", seed=3)
    for name, side in (("Mara", "heroes"), ("Vex", "agents")):
        phases.add(name, side=side, stun=10, body=5, end=10)
    phases.start()
    who = phases.active or ""
    phases.do(who, "start_or_complete", action="change_clothes")
    phases.resolve(answer="nobody")
    assert "first" not in ck.Tracker(phases).view["end"]
    while phases.active != who or phases.clock.phase == 1:
        phases.end_turn()
    assert "Change clothes" in ck.Tracker(phases).view["end"]["first"]
    phases.do(who, "start_or_complete", action="change_clothes")
    phases.resolve(answer="nobody")
    assert "first" not in ck.Tracker(phases).view["end"]


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
def test_nobody_is_told_in_the_past_to_act_now(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    enc.add("Mara", side="rebels")
    enc.add("Vex", side="hunters")
    enc.start()
    enc.next_round()
    tracker = ck.Tracker(enc)
    told = set()
    for event in enc.history.events["seq"]:
        tracker._vantage.travel(event)
        if enc.at(event)._state.turn is None:
            told.add(tracker.view["turn"].get("sub", ""))
    assert "" in told
    assert not any("now" in sub or "say what" in sub or "pick" in sub for sub in told)


def test_going_on_to_the_next_round_is_called_as_the_system_calls_it() -> None:
    said = {}
    for system in ("phases", "saga"):
        enc = ck.Encounter(system, seed=7)
        enc.add("Mara", side="crew")
        enc.add("Vex", side="hunters")
        enc.start()
        tracker = ck.Tracker(enc)
        enc.next_round()
        said[system] = (tracker.view["gm"]["skip"], tracker.view["undo"]["title"])
    assert said["phases"] == ("Skip to the next Turn", "Undo: Next Turn")
    assert said["saga"] == ("Skip to the next round", "Undo: Next round")
