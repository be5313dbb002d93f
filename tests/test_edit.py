"""A sheet is changed, or a vital set, before the fight and in it: logged, taken back, and true from now on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from tests.wire import hear, recording

SYSTEMS = [rules.id for rules in ck.rulesets()]


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def first(enc: ck.Encounter) -> str:
    return enc.ruleset.vitals[0].name


def fight(system: str, journal: Path | None = None) -> ck.Encounter:
    """Give a fight that has not begun, in which everybody has 30 of every vital."""
    enc = ck.Encounter(system, id="duel", seed=7, journal=journal)
    full: dict[str, Any] = {vital.name: 30 for vital in enc.ruleset.vitals}
    enc.add("Mara", side="rebels", **full)
    enc.add("Vex", side="empire", npc=True, **full)
    return enc


@pytest.mark.parametrize("system", SYSTEMS)
def test_before_the_fight_the_sheet_is_as_if_it_had_been_added_so(system: str) -> None:
    enc, other = fight(system), fight(system)
    vital = first(enc)
    other.undo()
    other.undo()
    given: dict[str, Any] = {each.name: 30 for each in enc.ruleset.vitals} | {vital: 12, "portrait": "M"}
    other.add("Mara", side="rebels", **given)
    full: dict[str, Any] = {each.name: 30 for each in enc.ruleset.vitals}
    other.add("Vex", side="empire", npc=True, **full)
    (event,) = enc.edit("Mara", **{vital: 12, "portrait": "M"})
    assert (event.actor, event.by, event.rules, event.note) == ("Mara", "gm", (), "")
    assert event.text == f"now has 12 {vital} (was 30) and the portrait M"
    assert enc._state.fighters == other._state.fighters
    assert enc["Mara"].values[vital] == 12
    assert enc.can_undo == "Edit Mara"
    enc.undo()
    assert enc["Mara"].values[vital] == 30
    assert enc["Mara"].stats["portrait"] is None
    enc.redo()
    assert enc._state.fighters == other._state.fighters


@pytest.mark.parametrize("system", SYSTEMS)
def test_in_a_fight_a_vital_is_what_is_left_and_its_most_stays(system: str) -> None:
    enc = fight(system)
    enc.start()
    vital = first(enc)
    enc.damage("Mara", 20)
    enc.edit("Mara", **{vital: 15})
    assert (enc["Mara"].values[vital], enc["Mara"].stats[vital]) == (15, 30)
    assert enc.heal("Mara", 40)[0].text == "heals 15, now at 30"
    enc.edit("Mara", **{vital: 45})
    assert (enc["Mara"].values[vital], enc["Mara"].stats[vital]) == (45, 45)
    order = [(rung.combatant, rung.initiative) for rung in enc.order]
    enc.edit("Vex", portrait="V")
    assert enc["Vex"].values[vital] == 30
    assert [(rung.combatant, rung.initiative) for rung in enc.order] == order


def test_rolls_and_rulings_go_by_the_new_sheet_and_nobody_moves_on_the_ladder() -> None:
    enc = fight("saga")
    enc.start(rolls={"Mara": 12, "Vex": 3})
    assert enc.can("Mara", "attack", target="Vex").notation is None
    enc.edit("Mara", attack_bonus=7, dex=9)
    enc.edit("Vex", defense=16)
    ruling = enc.can("Mara", "attack", target="Vex")
    assert (ruling.notation, ruling.needed) == ("1d20+7", 16)
    assert [rung.initiative for rung in enc.order] == [12, 3]
    enc.edit("Mara", weapons=[{"name": "blaster", "attack": 9, "damage": 4}])
    assert enc.can("Mara", "attack", target="Vex").notation == "1d20+9"
    assert enc.do("Mara", "attack", target="Vex", rolls=[20])[-1].amount == 4
    (event,) = enc.edit("Mara", weapons=None, attack_bonus=None)
    assert event.text == "now has no attack bonus (was 7) and no weapons (was blaster)"
    assert enc["Mara"].stats["weapons"] == ()


@pytest.mark.parametrize(
    ("system", "stat"),
    [
        ("saga", "level"),
        ("saga", "initiative_misc"),
        ("d6", "initiative"),
        ("d6", "major"),
        ("ap", "initiative_rating"),
        ("ap", "luck_bonus"),
        ("phases", "lightning_reflexes"),
    ],
)
def test_what_only_the_order_was_made_of_is_refused_while_the_fight_runs(system: str, stat: str) -> None:
    enc = ck.Encounter(system, seed=7)
    enc.add("Mara", side="rebels"), enc.add("Vex", side="empire")
    value = True if stat == "major" else 5
    enc.edit("Vex", **{stat: value})
    enc.start()
    before = (enc.digest, enc.order)
    with pytest.raises(ck.InvalidInput, match=r"order, and that is settled; use place\('Mara', \.\.\.\), or change it"):
        enc.edit("Mara", **{stat: value})
    if stat != "major":
        with pytest.raises(ck.InvalidInput, match=r"settled; use place\('Mara', \.\.\.\)"):
            enc.condition("Mara", "blessed", modifiers={stat: 2})
    assert (enc.digest, enc.order) == before
    enc.edit("Vex", **{stat: value})  # which changes nothing
    enc.finish()
    enc.edit("Mara", **{stat: value})
    assert enc["Mara"].stats[stat] == value


def test_a_budget_is_filled_by_the_new_sheet_when_it_is_next_filled() -> None:
    enc = fight("ap")
    enc.start()
    who = enc.active or ""
    enc.edit(who, ap=5)
    assert enc.budget(who)["ap"].total == 3
    while enc.clock.round == 1:
        enc.end_turn()
    while enc.active != who:
        enc.end_turn()
    assert enc.budget(who)["ap"].total == 5


def test_the_odds_before_the_fight_go_by_the_new_sheet() -> None:
    enc = fight("saga")
    assert enc.odds().first.select("chance").to_series().to_list() == pytest.approx([0.5, 0.5])
    enc.edit("Mara", dex=30)
    assert enc.odds().first.row(by_predicate=None, index=0)[:2][0] == "Mara"
    enc.start()
    assert enc.active == "Mara"


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_is_set_to_more_than_they_can_have_is_refused_and_the_card_raises_it(system: str) -> None:
    enc = fight(system)
    enc.start()
    vital = first(enc)
    title = (enc.ruleset.stats[vital].title or vital).lower()
    tracker = ck.Tracker(enc)
    before = enc.digest
    (told,) = hear(tracker, {"kind": "deal", "id": 1, "names": ["Mara", "Vex"], "amount": 40})
    words = f"Mara has at most 30 {title}. Their card can raise that."
    assert told["high"] == [words]
    (refused,) = hear(tracker, {"kind": "set", "names": ["Mara", "Vex"], "vital": vital, "amount": 40})
    assert (refused["reason"], enc.digest) == (words, before)
    hear(tracker, {"kind": "set", "names": ["Mara"], "amount": 12})
    assert (enc["Mara"].values[vital], enc["Mara"].stats[vital]) == (12, 30)
    assert hear(tracker, {"kind": "deal", "id": 2, "names": ["Mara"], "amount": 30})[0]["high"] == []
    (event,) = enc.edit("Mara", **{vital: 40})
    assert event.text.endswith(f"40 of 40 {vital} (was 12 of 30)"), "nothing is raised in silence"


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_edit_that_changes_nothing_is_logged_and_a_step_of_undo(system: str) -> None:
    enc = fight(system)
    enc.start()
    state = enc._state
    (event,) = enc.edit("Mara", **{first(enc): 30})
    assert event.text == "keeps their sheet as it was"
    assert enc.can_undo == "Edit Mara"
    assert enc._state == state


WRONG: dict[str, tuple[str, dict[str, Any], str]] = {
    "nothing": ("Mara", {}, "edit: name what to change for Mara: dex, level"),
    "nobody": ("Marra", {"dex": 1}, "unknown combatant 'Marra'"),
    "an unknown stat": ("Mara", {"dx": 1}, "Mara: saga has no stat .*'dex'"),
    "too much": ("Mara", {"dex": 99}, "dex is 99; give a whole number from -20 to 40"),
    "below nothing": ("Mara", {"hp": -1}, "hp is -1"),
    "no number": ("Mara", {"hp": float("nan")}, "hp is nan"),
    "a word": ("Mara", {"hp": "2d6"}, "hp is '2d6'"),
    "a broken weapon": ("Mara", {"weapons": [{"name": "a", "damage": -1}]}, "damage is -1"),
    "one wrong among right ones": ("Mara", {"dex": 1, "level": -4}, "level is -4"),
    "a side": ("Mara", {"side": "empire"}, "Mara: saga has no stat .*'side'"),
}


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_is_refused_and_changes_nothing(what: str, begun: bool) -> None:
    enc = fight("saga")
    if begun:
        enc.start()
    before, state = enc.digest, enc._state
    name, stats, wrong = WRONG[what]
    with pytest.raises(ck.CombatkitError, match=wrong):
        enc.edit(name, **stats)
    assert enc.digest == before
    assert enc._state is state


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_edit_is_reopened_copied_branched_and_begun_anew(system: str, tmp_path: Path) -> None:
    enc = fight(system, tmp_path / "a.combat")
    enc.edit("Mara", portrait="M")
    enc.start()
    enc.edit("Vex", portrait="V")
    enc.edit("Vex", portrait="W")
    enc.undo()
    enc.damage("Vex", 3)
    enc.save(tmp_path / "a.fight")
    copied = ck.load(tmp_path / "a.fight")
    assert copied.digest == enc.digest
    branch = enc.branch(len(enc._events))
    branch.edit("Vex", portrait="X")
    assert (branch["Vex"].stats["portrait"], enc["Vex"].stats["portrait"]) == ("X", "V")
    again = enc.restart(7)
    assert [again[name].stats["portrait"] for name in again.names] == ["M", "V"]
    assert again["Vex"].values[first(enc)] == 30
    roster = enc.roster()
    enc.close()
    with ck.Encounter.open(tmp_path / "a.combat", "duel") as opened:
        assert opened.digest == copied.digest
        assert opened.roster().equals(roster)
        opened.edit("Mara", portrait="N")
        opened.end_turn()


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_has_left_the_dead_and_hostile_names_can_be_edited(system: str) -> None:
    enc = fight(system)
    odd = "R'n\"g; <b>{x}</b>"
    enc.add(odd, side="empire")
    enc.start()
    enc.condition("Vex", "dead")
    enc.edit("Vex", portrait="V")
    enc.leave("Vex")
    turns = len(enc.history.rounds)
    enc.edit("Vex", portrait="W")
    assert len(enc.history.rounds) == turns
    assert enc["Vex"].stats["portrait"] == "W"
    assert [condition.id for condition in enc["Vex"].conditions if condition.id == "left"] == ["left"]
    enc.edit(odd, portrait="<b>")
    assert "<b>{x}" not in enc.log().html
    with pytest.raises(ck.IllegalAction, match="Vex is dead; take that off first"):
        enc.join("Vex")
    enc.condition("Vex", "dead", off=True)
    enc.join("Vex")
    assert enc["Vex"].stats["portrait"] == "W"


def test_an_edit_waits_for_an_action_that_is_under_way() -> None:
    enc = ck.Encounter("d6", seed=7)
    guns = [{"name": "blaster", "attack": "4D", "damage": "4D"}]
    enc.add("Mara", side="rebels", weapons=guns, resolve=9)
    enc.add("Ann", side="rebels", tactics=3)
    enc.add("Vex", side="empire", resolve=9, defense=5)
    enc.start(rolls={"Mara": 6, "Ann": 5, "Vex": 1})
    for name in ("Mara", "Ann"):
        if enc.active != name:
            enc.end_turn()
    enc.do("Ann", "help", target="Mara")
    while enc.active != "Mara":
        enc.end_turn()
    enc.do("Mara", "attack", target="Vex", weapon="blaster")
    assert enc.pending
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match="edit: Mara is in the middle of an action"):
        enc.edit("Mara", weapons=[])
    assert enc.digest == before
    enc.edit("Vex", defense=30)
    enc.resolve()


def test_what_is_kept_ready_is_used_only_with_its_weapon_on_the_sheet() -> None:
    enc = ck.Encounter("d6", seed=7)
    guns = [{"name": "blaster", "attack": "4D", "damage": "4D"}, {"name": "knife", "attack": "2D", "range": "melee"}]
    enc.add("Mara", side="rebels", weapons=guns)
    enc.add("Vex", side="empire", resolve=9, defense=5)
    enc.start(rolls={"Mara": 6, "Vex": 1})
    enc.do("Mara", "hold", action="attack", trigger="Vex moves", weapon="blaster")
    enc.edit("Mara", weapons=guns[1:])
    if enc.active == "Mara":
        enc.end_turn()
    assert enc.can("Mara", "use_held", target="Vex").reason == "Mara has no 'blaster' on their sheet any more."
    assert enc.options("Mara")
    enc.edit("Mara", weapons=guns[:1])
    assert enc.can("Mara", "use_held", target="Vex", trigger="Vex moves").allowed


def test_a_soft_window_lets_an_edit_pass() -> None:
    enc = fight("saga")
    enc.start(rolls={"Mara": 20, "Vex": 1})
    enc.do("Mara", "ready", action="attack", trigger="the door opens")
    enc.end_turn()
    enc.do("Vex", "move")
    assert [offer.who for offer in enc.pending] == ["Mara"]
    enc.edit("Mara", dex=5)
    assert not enc.pending


def test_an_edit_is_in_the_gms_log_and_of_npcs_in_nobody_elses() -> None:
    enc = fight("saga")
    enc.start()
    enc.edit("Vex", hp=3, portrait="V")
    enc.edit("Mara", hp=25)
    assert "Vex now has 3 hp (was 30) and the portrait V (by the GM)" in enc.log().markdown.replace("*", "")
    told = enc.log(view="players").markdown
    assert "Mara now has 25 hp (was 30) (by the GM)" in told.replace("*", "")
    assert "hp 3" not in told
    result = ck.Tracker(enc).view["result"]
    assert "".join(result["text"]).startswith("Mara now has 25 hp")


def test_a_long_list_is_told_as_far_as_120_characters_go() -> None:
    enc = fight("saga")
    enc.start()
    (event,) = enc.edit("Mara", feats=[f"Feat {n}" for n in range(40)])
    said = event.text.removeprefix("now has feats: ").partition(";")[0]
    assert (len(said), said[-1]) == (120, "…")


def test_an_edit_comes_over_the_wire_with_its_stats_beside_the_name() -> None:
    enc = fight("saga")
    tracker = ck.Tracker(enc)
    hear(
        tracker, {"kind": "edit", "id": 1, "name": "Mara", "dex": 6, "weapons": [{"name": "blaster", "damage": "3d6"}]}
    )
    assert enc["Mara"].stats["dex"] == 6
    hear(tracker, {"kind": "start"})
    hear(tracker, {"kind": "edit", "name": "Vex", "hp": 4})
    assert enc["Vex"].values["hp"] == 4
    hear(tracker, {"kind": "undo"})
    assert enc["Vex"].values["hp"] == 30
    mistakes: tuple[dict[str, Any], ...] = ({}, {"hp": -1}, {"hp": "4"}, {"mana": 3}, {"name": "Zed", "hp": 1})
    for wrong in mistakes:
        before = enc.digest
        (refused,) = hear(tracker, {"kind": "edit", "id": 2, "name": "Vex", **wrong})
        assert (refused["kind"], refused["id"]) == ("refused", 2)
        assert enc.digest == before


@pytest.mark.parametrize(("system", "vital"), [("d6", "resolve"), ("saga", "hp"), ("ap", "hp"), ("phases", "stun")])
def test_nothing_may_be_left_of_a_vital_whatever_the_least_of_a_sheet(system: str, vital: str) -> None:
    enc = ck.Encounter(system, seed=1)
    stats: dict[str, Any] = {vital: 9}
    enc.add("Ada", side="rebels", **stats)
    enc.add("Nox", side="empire")
    enc.start()
    enc.edit("Ada", **{vital: 0})
    assert (enc["Ada"].values[vital], enc["Ada"].stats[vital]) == (0, 9)
    with pytest.raises(ck.InvalidInput):
        enc.edit("Ada", **{vital: False})


def test_an_unknown_parameter_is_answered_with_those_the_action_takes() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="rebels")
    enc.add("Nox", side="empire")
    enc.start()
    with pytest.raises(ck.UnknownName, match=r"move has no parameter 'speed': give one of 'to'$"):
        enc.do(str(enc.active), "move", speed=3)


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
@pytest.mark.parametrize("begun", [False, True])
def test_a_maximum_is_changed_without_healing(system: str, begun: bool) -> None:
    enc = ck.Encounter(system, seed=7)
    vitals: dict[str, Any] = {stat.name: 8 for stat in enc.ruleset.stats if stat.vital}
    tops = {vital: enc.ruleset.stats[vital].most or vital for vital in vitals}
    enc.add("Mara", side="a", **(vitals | dict.fromkeys(tops.values(), 8)))
    if begun:
        enc.start()
    for vital in vitals:
        enc.adjust("Mara", vital, by=-3)
        (event,) = enc.edit("Mara", **{f"{vital}_max": 12})
        called = {"end": "endurance", "force_points": "Force Points"}.get(vital, vital)
        assert f"at most 12 {called} (was 8)" in event.text
        assert (enc["Mara"].values[vital], enc["Mara"].stats[tops[vital]]) == (5, 12)
        if vital == enc.ruleset.vitals[0].name:
            enc.heal("Mara", 20)
            assert enc["Mara"].values[vital] == 12
        enc.edit("Mara", **{f"{vital}_max": 4})
        assert (enc["Mara"].values[vital], enc["Mara"].stats[tops[vital]]) == (4, 4)
        enc.edit("Mara", **{vital: 6, f"{vital}_max": 9})
        assert (enc["Mara"].values[vital], enc["Mara"].stats[tops[vital]]) == (6, 9)
        enc.edit("Mara", **{vital: 20})
        assert (enc["Mara"].values[vital], enc["Mara"].stats[tops[vital]]) == (20, 20)


def test_only_a_vital_has_a_maximum() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="a", hp=8)
    with pytest.raises(ck.UnknownName, match="dex_max"):
        enc.edit("Mara", dex_max=3)
    with pytest.raises(ck.InvalidInput, match="hp is -1"):
        enc.edit("Mara", hp_max=-1)


@pytest.mark.parametrize(
    ("system", "given", "said"),
    [
        ("saga", {"speed": 1}, "a speed of 1 square (was 6)"),
        ("d6", {"tactics": 3}, "a Tactics rank of 3 (was 0)"),
        ("d6", {"major": True}, "the standing of a major opponent"),
        ("ap", {"ap": 5, "luck_bonus": -2}, "a Luck bonus of \N{MINUS SIGN}2 and 5 AP a round (was 3)"),
        ("segments", {"routines": 2}, "2 attack routines a round (was 1)"),
        ("phases", {"reach": 2}, "a reach of 2 hexes (was 1)"),
        ("phases", {"auto_recovery": False}, "no auto recovery"),
    ],
)
def test_a_changed_number_is_said_as_people_say_it(system: str, given: dict[str, Any], said: str) -> None:
    enc = ck.Encounter(system, seed=7)
    enc.add("Mara", side="a")
    assert enc.edit("Mara", **given)[0].text == f"now has {said}"


def test_uses_are_said_by_name_and_that_nothing_is_counted_any_more() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Mara", side="a", uses={"cast_magic": 2})
    told = [enc.edit("Mara", uses=given)[0].text for given in ({"cast_magic": 1, "x": 2}, {}, None)]
    assert told == [
        "now has uses: cast magic 1, x 2 (was cast magic 2)",
        "now has no uses to count (was cast magic 1, x 2)",
        "now has no uses to count",
    ]


def test_a_vital_and_its_maximum_are_said_as_one() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Mara", side="a", hp=24)
    enc.start()
    told: list[dict[str, Any]]
    told = [{"hp_max": 10}, {"hp_max": 40, "hp": 3}, {"hp": 60, "hp_max": 60}, {"hp_max": 70}, {"hp_max": None}]
    assert [enc.edit("Mara", **each)[0].text for each in told] == [
        "now has 10 of 10 hp (was 24 of 24)",
        "now has 3 of 40 hp (was 10 of 10)",
        "now has 60 of 60 hp (was 3 of 40)",
        "now has at most 70 hp (was 60)",
        "now has no hp (was 60)",
    ]


def test_a_limit_that_is_taken_off_is_said() -> None:
    enc = ck.Encounter("d6", seed=7)
    enc.add("Mara", side="a", force_points=2, force_points_max=3)
    enc.start()
    assert enc.edit("Mara", force_points_max=None)[0].text == "now has no limit on Force Points (was 3)"


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_whoever_comes_as_they_are_stands_in_the_set_up_with_what_they_have_left(system: str, language: str) -> None:
    enc = ck.Encounter(system, seed=7, language=language)
    full: dict[str, Any] = {vital.name: 30 for vital in enc.ruleset.vitals}
    for name in ("Mara", "Vex"):
        enc.add(name, side=name, **full)
    enc.start()
    enc.damage("Vex", 3)
    rows = {}
    for rested in (True, False):
        setup = ck.Tracker(enc.restart(7, rested=rested)).view["setup"]
        rows[rested] = {each["name"]: each["summary"] for each in setup["combatants"]}
    whole, *others = rows[True]["Vex"].split(" · ")
    assert rows[False]["Vex"].split(" · ") == [whole, {"en": "27 left", "de": "noch 27"}[language], *others]
    assert rows[True]["Mara"] == rows[False]["Mara"]


def test_of_what_somebody_has_gained_none_is_left_over() -> None:
    enc = ck.Encounter("d6", seed=7)
    enc.add("Mara", side="a", force_points=2)
    enc.start()
    enc.adjust("Mara", "force_points", 1)
    told = ck.Tracker(enc.restart(7, rested=False)).view["setup"]["combatants"][0]["summary"]
    assert "2 Force Points" in told
    assert "left" not in told


def test_what_falls_back_on_another_number_is_told_as_that_and_not_as_none() -> None:
    enc = ck.Encounter("phases", seed=7)
    enc.add("Mara", side="rebels", combat_value=6, dcv=5)
    enc.add("Vex", side="empire", ocv=4)
    assert enc.edit("Mara", dcv=None)[0].text == "now has the Combat Value as DCV (was 5)"
    assert enc.edit("Vex", ocv=None)[0].text == "now has the Combat Value as OCV (was 4)"
    assert enc["Mara"].values["dcv"] == 6


RAISED: dict[str, tuple[dict[str, Any], str, str]] = {
    "saga": ({"extra_opportunities": 2}, "aoo", "has 2 more extra attacks of opportunity from the next round on"),
    "d6": ({"free_actions": 1}, "free", "has one more Free Action from their next turn on"),
    "ap": ({"ap": 5}, "ap", "has 2 more Action Points from the next round on"),
    "phases": ({"combat_reflexes": True}, "aoo", "has 2 more attacks of opportunity from the next phase on"),
}
"""A sheet on which something is raised, the slot that holds it, and when there is more in that."""


@pytest.mark.parametrize("system", RAISED)
def test_what_a_raised_sheet_gives_comes_with_the_next_filling_and_that_is_said(system: str) -> None:
    raised, slot, said = RAISED[system]
    enc = ck.Encounter(system, seed=7, options={"combat_reflexes_limit": 3} if system == "phases" else None)
    enc.add("Mara", side="rebels")
    enc.start()
    before = enc.budget("Mara")[slot]
    assert [event.text for event in enc.edit("Mara", **raised)][1:] == [said]
    assert enc.budget("Mara")[slot] == before
    lowered: dict[str, None] = dict.fromkeys(raised)  # as if it had never been stated
    assert [event.text for event in enc.edit("Mara", **lowered)][1:] == []
    enc.edit("Mara", **raised)
    enc.end_turn()
    assert enc.budget("Mara")[slot].total > before.total


def test_what_is_still_to_come_is_told_by_what_there_is_now() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Mara", side="rebels"), enc.add("Bob", side="rebels")
    enc.start()
    told = [[event.text for event in enc.edit("Mara", ap=ap)][1:] for ap in (4, 5, 4)]
    assert told == [
        ["has one more Action Point from the next round on"],
        ["has 2 more Action Points from the next round on"],
        ["has one more Action Point from the next round on"],
    ]
    enc.adjust("Bob", "ap", 3)
    assert [event.text for event in enc.edit("Bob", ap=5)][1:] == [], "next round it is one fewer"


def test_a_sheet_that_gives_back_what_it_took_does_so_at_once_and_says_what_is_still_to_come() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Mara", side="rebels")
    enc.start()
    enc.edit("Mara", ap=2)
    events = enc.edit("Mara", ap=5)
    assert [event.text for event in events][1:] == [
        "has one more Action Point now",
        "has 2 more Action Points from the next round on",
    ]
    enc.end_turn()
    assert enc.budget("Mara")["ap"].left == 5
