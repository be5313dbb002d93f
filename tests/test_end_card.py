"""What the card at the end of a fight tells: how long it was, who fell in which order, who nearly did."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import pytest

import combatkit as ck
from combatkit.report.words import plain
from combatkit.widgets._end_view import end_view
from combatkit.widgets._table import table_of
from combatkit.widgets._tracker_view import tracker_view
from combatkit.widgets._travel_view import travel_view
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import End, Ended
from tests.conformance.player import some
from tests.test_headline import Brawl

VITAL = {"saga": "hp", "d6": "resolve", "ap": "hp", "segments": "hp", "phases": "stun"}


def fight(system: str) -> ck.Encounter:
    enc = ck.Encounter(system, seed=7)
    more: dict[str, Any] = {VITAL[system]: 20, **({"body": 20, "end": 20} if system == "phases" else {})}
    for name, side in (("Ann", "heroes"), ("Bob", "heroes"), ("Cid", "foes"), ("Dot", "foes")):
        enc.add(name, side=side, **more)
    enc.start()
    return enc


def card(enc: ck.Encounter) -> End:
    enc.finish()
    return end_view(Vantage(enc))


def facts(shown: Ended) -> dict[str, str]:
    return {fact["title"]: plain(fact["text"]) for fact in shown["facts"]}


@pytest.mark.parametrize("system", ["saga", "ap", "segments", "phases"])
def test_who_fell_stands_in_the_order_in_which_they_did_for_the_last_time(system: str) -> None:
    enc = fight(system)
    for name in ("Dot", "Bob", "Cid"):
        enc.adjust(name, VITAL[system], -20)
    enc.adjust("Dot", VITAL[system], 20)
    enc.adjust("Dot", VITAL[system], -25)
    assert facts(card(enc))["Fell"].split(", ") == ["Bob", "Cid", "Dot"]


def test_no_line_ends_in_a_name_that_fits_nor_before_a_number() -> None:
    enc = ck.Encounter("phases", seed=7)
    enc.add("Sela", side="heroes", combat_value=6, stun=25)
    enc.add("Sela of the nine lights 1", side="heroes", combat_value=6, stun=25)
    enc.add("Gang gunner", side="foes", npc=True, count=2, combat_value=4, stun=20)
    enc.start()
    enc.damage("Gang gunner 2", 30)
    (fell,) = [fact["text"] for fact in card(enc)["facts"] if fact["title"] == "Fell"]
    assert fell[-1] == "\u00a0Gang\u00a0gunner\u00a02"
    enc.undo()
    enc.damage("Gang gunner 1", 30)
    enc.damage("Sela", 13)
    enc.damage("Sela of the nine lights 1", 13)
    texts = {fact["title"]: "".join(map(str, fact["text"])) for fact in card(enc)["facts"]}
    assert "Sela, Sela of the nine lights\u00a01" in texts["Closest call"]
    assert "Sela of the nine lights\u00a01" in texts["Still standing"]


@pytest.mark.parametrize("system", VITAL)
def test_whoever_stands_last_is_named_once_a_side_has_won_also_on_the_picture(system: str) -> None:
    enc = fight(system)
    for name in ("Bob", "Cid"):
        enc.condition(name, "dead")
    assert "Still standing" not in facts(card(enc))
    enc.undo()
    enc.condition("Dot", "dead")
    shown = card(enc)
    assert (facts(shown)["Still standing"], facts(shown["told"])["Still standing"]) == ("Ann", "Ann")
    assert shown["told"]["facts"][0]["title"] == "Still standing"


@pytest.mark.parametrize("many", [2, 3])
@pytest.mark.parametrize("system", VITAL)
def test_two_blows_that_were_equally_hard_are_told_together_and_more_are_no_news(system: str, many: int) -> None:
    enc = fight(system)
    hits: list[tuple[str, str]] = []
    while len(hits) < many:
        who = enc.active or enc.names[0]
        foe = "Cid" if who in ("Ann", "Bob") else "Ann"
        if who not in [one for one, _ in hits] and enc.can(who, "attack", target=foe).allowed:
            enc.do(who, "attack", target=foe, outcome="hit", damage=3)
            hits.append((who, foe))
        on(enc)
    together = f"{', '.join(f'{one} at {other}' for one, other in hits)}: 3"
    assert facts(card(enc)).get("Hardest blow") == (together if many == 2 else None)


@pytest.mark.parametrize("system", VITAL)
def test_nobody_was_close_who_kept_half_of_what_they_have(system: str) -> None:
    enc = fight(system)
    enc.adjust("Ann", VITAL[system], -10)
    assert "Closest call" not in facts(card(enc))
    enc.undo()
    enc.adjust("Ann", VITAL[system], -1)
    assert facts(card(enc))["Closest call"].startswith("Ann: ")


@pytest.mark.parametrize("system", VITAL)
def test_damage_that_nobody_is_named_for_is_in_the_sum_and_told_apart(system: str) -> None:
    enc = fight(system)
    enc.damage("Dot", 5)
    enc.damage("Dot", 3, attacker="Ann")
    shown = card(enc)
    assert [each["amount"] for each in shown["dealt"]] == [3]
    assert facts(shown)["Damage with no attacker named"] == "5"
    assert shown["total"] == 8


@pytest.mark.parametrize("system", VITAL)
def test_who_left_on_their_feet_did_not_fall(system: str) -> None:
    enc = fight(system)
    enc.leave("Dot")
    enc.condition("Cid", "out" if system == "d6" else "dead")
    enc.leave("Cid")
    told = facts(card(enc))
    assert (told["Fell"].split(), told["Left the fight"].split()) == (["Cid"], ["Dot"])


@pytest.mark.parametrize("system", VITAL)
def test_the_closest_call_is_the_least_that_anybody_standing_had_left_at_any_time(system: str) -> None:
    enc = fight(system)
    enc.adjust("Ann", VITAL[system], -19)
    enc.adjust("Ann", VITAL[system], 15)
    enc.adjust("Cid", VITAL[system], -9)
    enc.adjust("Dot", VITAL[system], -18)
    enc.adjust("Dot", VITAL[system], -9)
    wounded = system == "d6"  # at 0 they fight on
    assert facts(card(enc))["Closest call"] == ("Dot: 0 of 20 left" if wounded else "Ann: 1 of 20 left")


@pytest.mark.parametrize("system", VITAL)
def test_who_came_to_nothing_and_stands_is_the_closest_call_and_equals_are_named_together(system: str) -> None:
    enc = fight(system)
    enc.edit("Bob", **{VITAL[system]: 30})
    for name in ("Ann", "Bob"):
        enc.adjust(name, VITAL[system], -30)
        if system != "d6":
            enc.adjust(name, VITAL[system], 34)
    enc.adjust("Cid", VITAL[system], -19)
    assert facts(card(enc))["Closest call"] == "Ann, Bob: 0 points left"


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("system", VITAL)
def test_the_closest_call_and_the_unluckiest_are_those_of_the_moments_gone_through(system: str, number: int) -> None:
    fought = Brawl(system, Random(f"end {system} {number}"))
    rng, enc = Random(number), fought.enc
    while enc.clock.round is None:
        enc.start()
    for _ in range(40):
        getattr(fought, some(rng, ("attack", "attack", "answer", "end_turn", "damage", "adjust")))(rng)
        if enc._state.stage == "ended":
            break
    vital, state, rules = VITAL[system], enc._state, enc.ruleset
    stood = [f for f in state.fighters.values() if not (rules.is_beaten(f) or rules.may_fall(state, f))]
    least: dict[str, float] = {}
    for event in enc._events:
        if event.target and "left" in event.data and event.data.get("vital") == vital:
            left = enc.at(event.seq)._state.fighters[event.target].vitals[vital] or 0
            full = state.fighters[event.target].stats[vital]
            if isinstance(full, int):
                least[event.target] = min(least.get(event.target, 1), max(0, left) / full)
    close = {f.name: least[f.name] for f in stood if least.get(f.name, 1) < 1 / 2}
    misses = Counter(event.actor for event in enc._events if event.kind == "attack" and event.data["outcome"] == "miss")
    told = facts(end_view(Vantage(enc)))
    if close:
        assert {*told["Closest call"].partition(":")[0].split(", ")} == {
            n for n, v in close.items() if v == min(close.values())
        }
    assert ("Closest call" in told) is bool(close)
    most = [name for name, times in misses.items() if times == max(misses.values())]
    assert ("Unluckiest" in told) is (len(most) == 1)
    if len(most) == 1:
        assert told["Unluckiest"].startswith(f"{most[0]}: ")


@pytest.mark.parametrize("system", ["saga", "d6", "ap"])
def test_a_fight_that_ends_in_a_turn_has_as_many_rounds_everywhere_and_no_turn_more(system: str) -> None:
    enc = fight(system)
    enc.next_round()
    enc.adjust("Ann", VITAL[system], -1)
    idle = str(enc.log()).count("does nothing")
    shown = card(enc)
    assert str(enc.log()).count("does nothing") == idle
    assert shown["lead"].startswith("2 rounds")
    assert {len(side["points"]) for side in shown["fared"]} == {3}, "one a round, and the end"
    assert shown["title"] == "No side has won"
    assert tracker_view(Vantage(enc))["clock"]["label"] == "Round 2"


@pytest.mark.parametrize(("system", "called"), [("saga", "Surprise round"), ("phases", "Surprise Phase")])
def test_a_fight_that_ends_in_its_surprise_round_lasted_that_long(system: str, called: str) -> None:
    enc = ck.scene("ambush").encounter(system, seed=7)
    assert card(enc)["lead"].split(",")[0] == called


def test_a_natural_20_and_a_natural_1_are_told_with_the_blow_and_the_misses() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Ann", side="heroes", attack_bonus=5, hp=20, defense=12)
    enc.add("Cid", side="foes", attack_bonus=5, hp=60, defense=12)
    enc.start(rolls={"Ann": 15, "Cid": 5})
    enc.do("Ann", "attack", target="Cid", rolls={"attack": [20]}, damage=30)
    enc.end_turn()
    for face in (1, 3):
        enc.do("Cid", "attack", target="Ann", rolls={"attack": [face]})
        enc.end_turn()
        enc.end_turn()
    enc.do("Cid", "attack", target="Ann", rolls={"attack": [15]}, damage=4)
    told = facts(card(enc))
    assert told["Hardest blow"] == "Ann at Cid: 30, with a natural 20"
    assert told["Unluckiest"] == "Cid: two misses, one with a natural 1"


def test_rounds_and_time_are_of_one_clock_also_where_turns_were_only_ended() -> None:
    enc = fight("saga")
    action = next(each.action for each in enc.options(enc.active or "") if each.allowed and not each.needs)
    enc.do(enc.active or "", action)
    while (enc.clock.round or 0) < 5:
        on(enc)
    assert card(enc)["lead"] == "4 rounds, 0:24 of fight", "nobody has done anything in the fifth"


@pytest.mark.parametrize("system", VITAL)
def test_a_round_that_has_only_begun_when_the_fight_ends_is_none_of_its_rounds(system: str) -> None:
    enc = fight(system)
    enc.condition("Cid", "dead")
    rounds = 1 + (enc.clock.round or 0)
    while (enc.clock.round or 0) < rounds:
        on(enc)
    enc.finish()
    shown = end_view(Vantage(enc))
    assert re.match(r"1 (round|turn)\b", shown["lead"])
    assert {len(side["points"]) for side in shown["told"]["fared"]} == {2}, "the start, and the end"


def test_how_long_it_took_at_the_table_is_told_where_turns_were_timed() -> None:
    enc = fight("saga")
    assert "at the table" not in card(enc)["lead"]
    enc.undo()
    enc._stopwatch.seconds = {5: 100.0, 9: 90.5}
    assert ", 3:10 at the table" in card(enc)["lead"]


def test_the_seats_are_told_whose_page_can_be_saved() -> None:
    enc = fight("saga")
    assert "seats" not in card(enc)
    table_of(enc).plays["Anna"] = ("Ann",)
    assert end_view(Vantage(enc))["seats"] == ["Anna"]


def proposed(enc: ck.Encounter) -> str:
    return tracker_view(Vantage(enc)).get("ends", "")


def on(enc: ck.Encounter) -> None:
    while enc.pending:
        enc.resolve()
    enc.end_turn()


@pytest.mark.parametrize("system", VITAL)
def test_once_the_last_foe_has_fallen_the_end_is_proposed_as_long_as_one_side_stands(system: str) -> None:
    enc = fight(system)
    assert not proposed(enc)
    enc.condition("Cid", "dead")
    assert not proposed(enc)
    enc.condition("Dot", "dead")
    assert proposed(enc) == "Only the heroes still stand.", "the GM has said how Dot stands"
    assert "ends" not in tracker_view(Vantage(enc, "players"))
    on(enc)
    assert proposed(enc)  # play goes on
    enc.finish()
    assert not proposed(enc)
    enc.undo()
    assert proposed(enc)
    enc.condition("Dot", "dead", off=True)
    on(enc)
    assert not proposed(enc)
    enc.leave("Dot")
    while enc.pending:
        enc.resolve()
    assert proposed(enc)  # they stood again, and went


@pytest.mark.parametrize("system", ["saga", "ap", "segments", "phases"])
@pytest.mark.parametrize("word", [{"id": "down"}, {"id": "dead"}, {"id": "down", "off": True}])
def test_a_word_on_how_the_last_foe_stands_settles_it(system: str, word: dict[str, Any]) -> None:
    enc = fight(system)
    enc.leave("Dot")
    enc.adjust("Cid", VITAL[system], -20)
    shown = tracker_view(Vantage(enc))
    assert (shown["result"]["fell"]["stands"], shown.get("ends")) == ("down", None)
    enc.condition("Cid", **word)
    shown = tracker_view(Vantage(enc))
    assert "fell" not in shown["result"]
    assert ("ends" in shown) == ("off" not in word)


def test_a_fate_that_ends_the_last_foe_proposes_the_end_at_once() -> None:
    enc = fight("d6")
    enc.condition("Cid", "dead")
    on(enc)
    enc.edit("Dot", significant=True)
    for amount in (30, 5):
        enc.damage("Dot", amount)
    enc.do("Dot", "tragic_demise")
    assert [event.kind for event in enc._events[-1:]] == ["window_end"]
    assert proposed(enc) == "Only the heroes still stand."


@pytest.mark.parametrize("system", ["saga", "ap", "segments", "phases"])
def test_damage_by_hand_that_fells_the_last_foe_proposes_the_end_itself(system: str) -> None:
    enc = fight(system)
    enc.damage("Cid", 90)
    assert not proposed(enc)
    enc.damage("Dot", 90)
    assert proposed(enc) == "Only the heroes still stand."
    on(enc)
    assert proposed(enc)
    enc = fight(system)
    enc.damage(["Cid", "Dot"], "90d6")
    assert proposed(enc) == "Only the heroes still stand.", "also if the dice were rolled for it"


@pytest.mark.parametrize("system", VITAL)
def test_no_end_is_proposed_while_somebody_hidden_stands(system: str) -> None:
    enc = fight(system)
    enc.condition("Bob", "hidden")
    enc.condition(["Cid", "Dot"], "dead")
    on(enc)
    assert not proposed(enc)


def titles(enc: ck.Encounter) -> list[str]:
    """Give who has won by the GM's card, their picture to send, and what players read."""
    shown = end_view(Vantage(enc))
    return [shown["title"], shown["told"]["title"], end_view(Vantage(enc, "players"))["title"]]


@pytest.mark.parametrize("system", VITAL)
@pytest.mark.parametrize("side", ["foes", "cult", "heroes"])
def test_nobody_reads_of_a_victory_while_somebody_hidden_still_stands_against_it(system: str, side: str) -> None:
    enc = fight(system)
    enc.join("Lurk", side=side, npc=True)
    enc.condition("Lurk", "hidden")
    enc.condition(["Cid", "Dot"], "dead")
    while enc.pending:
        enc.resolve()
    players = tracker_view(Vantage(enc, "players"))
    assert not {"card", "ends"} & players.keys(), "nothing is said before the GM ends the fight"
    enc.finish()
    assert titles(enc) == ["The heroes win" if side == "heroes" else "No side has won"] * 3
    enc.undo()
    enc.condition("Lurk", "dead")
    while enc.pending:
        enc.resolve()
    enc.finish()
    assert titles(enc) == ["The heroes win"] * 3


@pytest.mark.parametrize(
    ("language", "title", "ends"),
    [
        ("en", "Winner: me", "Only one side still stands: me."),
        ("de", "Sieg: me", "Nur die Seite me steht noch."),
    ],
)
def test_a_side_that_somebody_typed_wins_in_words_right_for_any(language: str, title: str, ends: str) -> None:
    enc = ck.Encounter("saga", seed=1, language=language)
    for name, side in (("Smuggler", "me"), ("Dockhand", "foes")):
        enc.add(name, side=side, defense=10, hp=9)
    enc.start()
    enc.damage("Dockhand", 90)
    tracker: Any = ck.Tracker(enc)
    assert tracker.view["ends"] == ends
    enc.finish()
    assert tracker.view["card"]["title"] == title
    tracker.close()


def test_what_friends_are_sent_is_what_players_were_told() -> None:
    enc = fight("saga")
    enc.condition("Cid", "hidden")
    enc.do(str(enc.active), "attack", target="Dot", damage=25, outcome="hit")
    enc.condition("Cid", "dead")
    told = card(enc)["told"]
    assert (told["title"], told["system"]) == ("The heroes win", "Star Wars Saga Edition")
    assert [fact["title"] for fact in told["facts"]] == ["Still standing", "Fell"]
    assert "Cid" not in str(told)
    assert "Dot" in str(told)


def test_the_picture_has_the_scene_and_how_many_stood_where_nobody_sees_numbers() -> None:
    enc = fight("saga")
    enc.title = "Friday"
    enc.do(str(enc.active), "attack", target="Dot", damage=25, outcome="hit")
    enc.condition("Dot", "dead")
    on(enc)
    told = card(enc)["told"]
    assert told["scene"] == "Friday"
    assert {side["name"]: side["points"] for side in told["fared"]} == {"heroes": [2, 2], "foes": [2, 1]}


def test_to_look_back_leads_to_the_last_that_was_done_and_can_be_played_on_from() -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=2)
    enc.end_turn()
    vantage, done = Vantage(enc), len(enc._events)
    enc.finish()
    assert end_view(vantage).get("back") == done
    vantage.travel(done)
    assert "call" not in travel_view(vantage), "not in the middle of the fight's end"
    assert travel_view(vantage)["way"] == ["undo", done]
