"""What a rung of the ladder lets the GM do: deal damage and conditions out, and let those act who may act now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import combatkit as ck
from combatkit.report.words import plain
from combatkit.widgets import InitiativeLadder, Tracker
from combatkit.widgets._ladder_view import LadderProjector
from combatkit.widgets.page import _Reader
from tests.test_tracker_view import FULL
from tests.test_widgets import make
from tests.wire import hear, recording


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def deal(widget: Any, *names: str, **more: Any) -> Any:
    (answer,) = hear(widget, {"kind": "deal", "id": 1, "names": list(names), **more})
    return answer


def acts(widget: Any, name: str) -> list[Any]:
    rows = widget.view["rows"].values()
    return [[act["id"], act["title"]] for row in rows if row["name"] == name for act in row.get("acts", [])]


# ── damage and healing ──


def test_what_damage_would_come_to_is_told_and_nothing_done() -> None:
    enc = make()
    before = enc.digest
    answer = deal(InitiativeLadder(enc), "Guard 1", "Guard 2", "Mara", amount="14", half=["Guard 2"])
    assert answer["rungs"] == {"Guard 1": [16, 16, 2], "Guard 2": [16, 16, 9], "Mara": [38, 38, 24]}
    assert answer["vitals"] == [["hp", "Hit points"]]
    assert "prone" in answer["conditions"]
    assert answer["untils"][0] == ""
    assert enc.digest == before


@pytest.mark.parametrize(
    ("system", "options", "vital", "words"),
    [
        ("saga", {"down_at_zero": False}, "hp", {"Mara": "falls"}),
        ("saga", {}, "hp", {"Mara": "is down"}),
        ("phases", {}, "end", {}),
        ("d6", {}, "resolve", {"Mara": "is wounded"}),
    ],
)
def test_whom_a_loss_brings_down_is_foretold_by_what_the_rules_say_of_it(
    system: str, options: dict[str, Any], vital: str, words: dict[str, str]
) -> None:
    enc = ck.Encounter(system, seed=1, options=options)
    for name in ("Mara", "Vex"):
        enc.add(name, side=name, **FULL[system])
    enc.start()
    assert deal(Tracker(enc), "Mara", "Vex", amount=20, half=["Vex"], vital=vital)["words"] == words


def test_who_is_asked_for_a_fate_by_a_loss_is_foretold_to_be() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Mara", side="a", resolve=5)
    enc.add("Vex", side="b", npc=True, significant=True, resolve=5)
    enc.start()
    enc.damage(["Mara", "Vex"], 5)
    assert deal(Tracker(enc), "Mara", amount=2)["words"] == {"Mara": "must answer"}
    assert deal(Tracker(enc), "Vex", amount=2)["words"] == {"Vex": "the GM decides"}
    german = ck.Encounter("saga", seed=1, language="de", options={"down_at_zero": False})
    german.add("Mara", side="a", hp=5)
    german.start()
    assert deal(Tracker(german), "Mara", amount=5)["words"] == {"Mara": "fällt"}


@pytest.mark.parametrize("system", FULL)
def test_what_is_foretold_is_what_comes(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    for name, side in (("Mara", "rebels"), ("Vex", "hunters")):
        enc.add(name, side=side, **FULL[system])
    enc.start()
    for vital in FULL[system]:
        foretold = deal(Tracker(enc), "Mara", "Vex", amount=7, half=["Vex"], vital=vital)["rungs"]
        hear(Tracker(enc), {"kind": "damage", "names": ["Mara", "Vex"], "amount": 7, "half": "Vex", "vital": vital})
        now = deal(Tracker(enc), "Mara", "Vex", vital=vital)["rungs"]
        assert [left for _, _, left in foretold.values()] == [left for left, _, _ in now.values()] == [13, 17]
        enc.undo()


def test_of_dice_nobody_knows_what_they_come_to_and_a_wrong_amount_says_what_is_right() -> None:
    tracker = Tracker(make())
    assert deal(tracker, "Guard 1", amount="2d6+3")["rungs"] == {"Guard 1": [16, 16, None]}
    (why,) = deal(tracker, "Guard 1", amount="lots")["why"]
    assert why == "amount is 'lots'; give a number from 0 up, or dice such as '2d6+3' or '1d6+1d4'"
    assert deal(tracker, "Nobody")["kind"] == "refused"


def test_of_a_crowd_the_first_two_hundred_are_foretold() -> None:
    enc = ck.Encounter("saga", seed=7)
    for side in ("left", "right", "middle"):
        enc.add(side, side=side, count=100, hp=20)
    enc.start()
    names = [f"{side} {n}" for side in ("left", "right", "middle") for n in range(1, 101)]
    rungs = deal(Tracker(enc), *names, amount=6, half=names)["rungs"]
    assert [rungs[name][2] for name in names] == [17] * 200 + [None] * 100


def test_dice_rolled_at_the_table_are_asked_for() -> None:
    enc = make()
    tracker = Tracker(enc)
    hear(tracker, {"kind": "dice", "mode": "table"})
    question = {"kind": "choices", "name": None, "action": "damage", "params": {"amount": "2d6+3", "names": ["Mara"]}}
    (answer,) = hear(tracker, question | {"rolls": {"damage": [4, 5]}})
    assert [(roll["purpose"], roll["legend"], roll["sides"]) for roll in answer["dice"]] == [
        ("damage", "The GM rolls 2d6 for damage", [6, 6])
    ]
    assert answer["dice"][0]["sum"] == ["+ 3 = 12"]
    hear(tracker, {"kind": "damage", "names": ["Mara"], "amount": "2d6+3", "rolls": {"damage": [4, 5]}})
    assert enc["Mara"].values["hp"] == 38 - 12
    assert hear(tracker, question | {"params": {"amount": "7"}})[0]["dice"] == []


def test_several_are_set_to_a_number_or_given_a_condition_in_one_step() -> None:
    enc = make()
    tracker = Tracker(enc)
    title = enc.can_undo
    hear(tracker, {"kind": "edit", "name": ["Guard 1", "Guard 2"], "hp": 5})
    assert [enc[name].values["hp"] for name in ("Guard 1", "Guard 2")] == [5, 5]
    assert enc.can_undo == "Edit 2 combatants"
    hear(tracker, {"kind": "condition", "name": ["Guard 1", "Mara"], "condition": "prone", "until": "end of turn"})
    assert all(enc._state.fighters[name].effect("prone") for name in ("Guard 1", "Mara"))
    enc.undo()
    assert enc._state.fighters["Mara"].effect("prone") is None
    enc.undo()
    assert enc["Guard 1"].values["hp"] == 16
    assert enc.can_undo == title


@pytest.mark.parametrize(
    ("system", "id", "english", "german"),
    [
        ("phases", "owes", "owes no action", "schuldet keine Aktion"),
        ("phases", "dodged", "has not dodged", "ist nicht ausgewichen"),
        ("saga", "readied", "has nothing readied", "hält keine Aktion bereit"),
        ("d6", "out", "is not out of the fight", "ist nicht aus dem Kampf"),
        ("ap", "bless", "is not under bless", "steht nicht unter bless"),
    ],
)
def test_a_condition_that_does_not_hold_is_refused_in_its_own_words(
    system: str, id: str, english: str, german: str
) -> None:
    for language, words in (("en", english), ("de", german)):
        enc = ck.Encounter(system, seed=1, language=language)
        enc.add("Ace", side="a")
        with pytest.raises(ck.InvalidInput, match=f"^Ace {words}$"):
            enc.condition("Ace", id, off=True)


def test_of_several_all_are_changed_or_none() -> None:
    enc = make()
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match="Mara is not prone"):
        enc.condition(["Mara", "Ossik"], "prone", off=True)
    with pytest.raises(ck.InvalidInput, match="at least one combatant"):
        enc.condition([], "prone")
    with pytest.raises(ck.InvalidInput, match="at least one combatant"):
        enc.edit([], hp=3)
    with pytest.raises(ck.InvalidInput, match="hp is 'many'"):
        enc.edit(["Mara", "Ossik"], hp="many")
    with pytest.raises(ck.UnknownName):
        enc.edit(["Mara", "Nobody"], hp=3)
    assert enc.digest == before


# ── who may act now ──


def test_a_delayer_may_act_from_their_rung_while_nothing_is_done() -> None:
    enc = make()
    enc.do("Mara", "delay")
    tracker = Tracker(enc)
    assert acts(tracker.ladder, "Mara") == [["act_now", "Act now"]]
    enc.do("Ossik", "move")
    assert acts(tracker.ladder, "Mara") == []
    enc.undo()
    hear(tracker, {"kind": "do", "name": "Mara", "action": "act_now"})
    assert enc.active == "Mara"
    assert acts(tracker.ladder, "Mara") == []


def test_using_what_is_kept_ready_names_at_whom_on_the_button_and_in_the_line() -> None:
    enc = make()
    tracker = Tracker(enc)
    enc.do("Mara", "ready", action="attack", trigger="the door opens", target="Guard 1")
    enc.end_turn()
    assert acts(tracker.ladder, "Mara") == [["use_readied", "Use it on Guard 1"]]
    enc.do("Mara", "use_readied", trigger="the door opens")
    said = [plain(line["text"]) for line in tracker.log.view["lines"].values()]
    assert any("uses the readied attack on Guard 1" in line for line in said), "at once"


def test_who_is_asked_may_answer_from_their_rung() -> None:
    enc = make()
    tracker = Tracker(enc)
    enc.do("Mara", "ready", action="attack", trigger={"side": "empire", "text": "a guard moves"}, target="Guard 1")
    assert acts(tracker.ladder, "Mara") == []
    enc.end_turn()
    enc.end_turn()
    enc.do("Guard 1", "move")
    assert acts(tracker.ladder, "Mara") == [["use_readied", "Use it"], ["pass", "Let go"]]
    hear(tracker, {"kind": "resolve"})
    assert acts(tracker.ladder, "Mara") == []


def test_players_and_the_past_have_no_buttons() -> None:
    enc = make()
    enc.do("Mara", "delay")
    players, gm = Tracker(enc, view="players"), Tracker(enc)
    assert gm.ladder.view["acts"]
    assert not players.ladder.view["acts"]
    assert acts(players.ladder, "Mara") == []
    assert deal(players, "Mara", amount=3)["kind"] == "refused"
    hear(gm, {"kind": "at", "seq": 5})
    assert not gm.ladder.view["acts"]
    assert not InitiativeLadder(make(started=False)).view["acts"]


def test_a_portrait_stands_beside_the_name() -> None:
    enc = make()
    tracker = Tracker(enc)
    assert all("portrait" not in row for row in tracker.ladder.view["rows"].values())
    enc.edit("Mara", portrait="★")
    rows = {row["name"]: row for row in tracker.ladder.view["rows"].values()}
    assert rows["Mara"]["portrait"] == "★"


# ── the card ──


def card(widget: Any, name: str) -> Any:
    (answer,) = hear(widget, {"kind": "card", "id": 1, "name": name})
    return answer


def test_a_card_has_what_can_be_changed_and_what_holds() -> None:
    enc = make()
    enc.edit("Mara", portrait="★", weapons=[{"name": "blaster", "attack": 9, "damage": "3d6", "range": 12}])
    enc.damage("Mara", 16)
    enc.condition("Mara", "prone", until="end of turn")
    found = card(InitiativeLadder(enc), "Mara")
    assert found["has"] == {
        "dex": 4,
        "level": 6,
        "feats": ["Quick Draw"],
        "hp": 22,
        "hp_max": 38,
        "attack_bonus": 9,
        "portrait": "★",
        "weapons": [{"name": "blaster", "attack": 9, "damage": "3d6", "range": 12}],
    }
    (weapons,) = [stat for stat in found["stats"] if stat["id"] == "weapons"]
    assert weapons["parts"] == [
        ["name", "Name", "text"],
        ["damage", "Damage", "dice"],
        ["attack", "Attack bonus", "int"],
        ["range", "Range in squares", "int|text"],
    ]
    assert [each["word"] for each in found["conditions"]] == ["prone"]
    enc.condition("Mara", "wet", until="3 rounds")
    found = card(InitiativeLadder(enc), "Mara")
    enc.condition("Mara", "hampered", until="start of turn: Ossik")
    found = card(InitiativeLadder(enc), "Mara")
    lasts = [each["lasts"] for each in found["conditions"]]
    assert lasts == ["until end of turn", "for 3 rounds", "until the start of Ossik's turn"]
    assert found["left"][0] == {"id": "standard", "title": "Standard", "total": 1, "left": 1}
    assert "hp" in [stat["id"] for stat in found["stats"]]


def test_what_a_card_sends_back_changes_the_sheet() -> None:
    enc = make()
    tracker = Tracker(enc)
    weapons = [{"name": "club", "damage": "1d6"}]
    assert hear(tracker, {"kind": "edit", "name": "Mara", "hp": 30, "feats": None, "weapons": weapons}) != []
    found = card(tracker, "Mara")
    assert (found["has"]["hp"], found["has"]["weapons"]) == (30, weapons)
    assert "feats" not in found["has"]


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
def test_what_is_left_and_the_most_there_can_be_are_changed_apart(system: str) -> None:
    vital = {"d6": "resolve", "phases": "stun"}.get(system, "hp")
    enc = ck.Encounter(system, seed=1)
    stats: dict[str, Any] = {vital: 12}
    enc.add("Mara", side="rebels", **stats)
    tracker = Tracker(enc)
    assert [stat["id"] for stat in card(tracker, "Mara")["stats"] if stat["id"].startswith(vital)] == [vital]
    enc.start()
    enc.damage("Mara", 5, vital=vital)
    found = card(tracker, "Mara")
    boxes = {stat["id"]: stat["title"] for stat in found["stats"] if stat["id"].startswith(vital)}
    assert [*boxes] == [vital, f"{vital}_max"]
    assert (boxes[vital][-4:], boxes[f"{vital}_max"][-8:]) == (" now", " at most")
    assert (found["has"][vital], found["has"][f"{vital}_max"]) == (7, 12)
    hear(tracker, {"kind": "edit", "name": "Mara", f"{vital}_max": 20})
    found = card(tracker, "Mara")
    assert (found["has"][vital], found["has"][f"{vital}_max"]) == (7, 20)


def test_what_is_no_box_of_a_card_is_read_and_players_have_none() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Mara", side="rebels", weapons=[{"name": "sword", "damage": "4D"}], attributes={"agility": "3D"})
    found = card(Tracker(enc), "Mara")
    assert ["Attributes", "agility 3D"] in found["lines"]
    assert found["has"]["weapons"] == [{"name": "sword", "damage": "4D"}], "weapons are typed into boxes"
    enc.edit("Mara", weapons=[{"name": "sword", "damage": "4D", "piercing": True}])
    found = card(Tracker(enc), "Mara")
    assert ["Weapons", "name sword, damage 4D, piercing True"] in found["lines"]
    assert "weapons" not in found["has"], "but for what no box could hold"
    saga = make()
    saga.edit("Mara", weapons=[{"name": f"{number}{'w' * 90}"} for number in range(140)])
    assert len(card(Tracker(saga), "Mara")["has"]["weapons"]) == 140
    assert card(Tracker(saga, view="players"), "Mara")["kind"] == "refused"
    assert card(Tracker(saga), "Nobody")["kind"] == "refused"


def rows(widget: Any) -> dict[str, Any]:
    return {row["name"]: row for row in widget.view["rows"].values()}


QUICK: dict[str, dict[str, Any]] = {
    "saga": {"dex": 9, "rolls": {"Dee": 20}},
    "ap": {"initiative_rating": 50, "rolls": {"Dee": 6}},
    "phases": {"combat_value": 30},
}
"""Who comes in at the top of a ladder."""


@pytest.mark.parametrize("system", QUICK)
def test_a_newcomer_who_came_too_late_is_said_to_come_in_next(system: str) -> None:
    enc = ck.Encounter(system, seed=3)
    enc.add("Mara", side="rebels")
    enc.add("Vex", side="empire")
    enc.start()
    enc.end_turn()
    late = enc.join("Dee", side="rebels", **QUICK[system])
    words = f"next {enc.ruleset.occasion_title}"
    assert [event.text for event in late if event.kind == "turn_lost"] == [f"acts from the {words} on"]
    ladder = InitiativeLadder(enc)
    assert (rows(ladder)["Dee"]["status"], rows(ladder)["Dee"]["word"]) == ("joining", words)
    assert {rung.combatant: rung.status for rung in enc.order}["Dee"] == "joining"
    enc.end_turn()
    assert rows(ladder)["Dee"]["status"] in ("now", "waits")


@pytest.mark.parametrize("system", [each for each in FULL if each != "d6"])
def test_on_the_turn_of_somebody_who_may_be_down_the_tracker_says_so(system: str) -> None:
    enc = ck.Encounter(system, seed=1, options={"down_at_zero": False})
    for name, side in (("Mara", "rebels"), ("Vex", "hunters")):
        enc.add(name, side=side, npc=side == "hunters", **FULL[system])
    enc.start()
    while enc.active != "Vex":
        enc.end_turn()
    tracker, theirs = Tracker(enc), Tracker(enc, view="players")
    assert "down" not in tracker.view["turn"]["sub"]
    enc.adjust("Vex", next(iter(FULL[system])), -20)
    assert rows(tracker.ladder)["Vex"]["word"] == "now, down"
    assert tracker.view["turn"]["sub"].endswith("left: end the turn if they are down")
    assert "end the turn" not in theirs.view["turn"]["sub"]
    enc.end_turn()
    assert rows(tracker.ladder)["Vex"]["word"] == "down"


def against_vex(system: str) -> ck.Encounter:
    """Begin a fight of Mara against Vex, whose turn it is not."""
    enc = ck.Encounter(system, seed=1)
    for name, side in (("Mara", "rebels"), ("Vex", "hunters")):
        enc.add(name, side=side, **FULL[system])
    enc.start()
    if enc.active == "Vex":  # whose turn it is stays so
        enc.end_turn()
    return enc


@pytest.mark.parametrize("system", [each for each in FULL if each != "d6"])
def test_a_rung_says_who_is_down_and_who_is_dead_is_out(system: str) -> None:
    enc = against_vex(system)
    enc.damage("Vex", 20)
    tracker = Tracker(enc)
    assert (rows(tracker.ladder)["Vex"]["status"], rows(tracker.ladder)["Vex"]["word"]) == ("out", "down")
    enc.condition("Vex", "dead")
    assert "word" not in rows(tracker.ladder)["Vex"]


@pytest.mark.parametrize("system", [each for each in FULL if each != "phases"])  # there the stunned have turns
def test_who_is_stunned_is_not_gone(system: str) -> None:
    enc = against_vex(system)
    enc.condition("Vex", "stunned", until="2 rounds")
    shown = rows(Tracker(enc).ladder)["Vex"]
    assert (shown["status"], shown["word"], shown["idle"]) == ("out", "stunned", True)
    assert {rung.combatant: rung.status for rung in enc.order}["Vex"] == "out"
    enc.condition("Vex", "dead")
    assert "idle" not in rows(Tracker(enc).ladder)["Vex"]


def test_a_blow_that_fells_somebody_says_so() -> None:
    enc = ck.Encounter("saga", seed=1)
    blade = {"name": "Blade", "attack": 9, "damage": "2d6"}
    enc.add("Mara", side="rebels", weapons=[blade])
    enc.add("Vex", side="empire", hp=5, defense=10)
    enc.start(rolls={"Mara": 20, "Vex": 1})
    enc.do("Mara", "attack", target="Vex", rolls={"attack": [12], "damage": [4, 4]})
    assert plain(Tracker(enc).view["result"]["text"]).endswith("Vex loses 8 and is down.")


def test_the_attackers_own_side_is_asked_last() -> None:
    enc = ck.Encounter("ap", seed=1)
    for name, side in (("Orc", "orcs"), ("Wolf", "orcs"), ("Bes", "heroes"), ("Ada", "heroes")):
        enc.add(name, side=side, ap=3, hp=9)
    enc.start(rolls={"Orc": 6, "Wolf": 5, "Bes": 4, "Ada": 3})
    while enc.active != "Orc":
        enc.end_turn()
    enc.do("Orc", "attack", target="Ada")
    tracker = Tracker(enc)
    assert tracker.budget.view["name"] == "Ada"
    asked = tracker.budget.view["asked"]
    assert asked["then"] == []
    assert ([other["name"] for other in asked["rest"]], asked["others"]) == (["Bes", "Wolf"], 2)


def test_how_somebody_moved_is_told_on_the_rung_no_longer_than_it_is_news() -> None:
    enc = ck.Encounter("saga", seed=3)
    for name in ("Mara", "Vex", "Ilya"):
        enc.add(name, side=name)
    enc.start(rolls={"Mara": [18], "Vex": [12], "Ilya": [6]})
    ladder = InitiativeLadder(enc)

    def told(name: str) -> list[str]:
        rows = ladder.view["rows"].values()
        return [plain(parts).strip() for row in rows if row["name"] == name for parts in row.get("sub", ())]

    enc.do("Mara", "delay")
    assert told("Mara") == ["waits"], "their score stands beside it"
    enc.do("Mara", "act_now")
    assert told("Mara") == [], "right above Vex, whose turn it was"
    assert any("just before Vex" in row["label"][1] for row in ladder.view["rows"].values())
    enc.end_turn()
    enc.do("Vex", "delay", count=6)
    assert told("Vex") == ["delayed to 6: after those already there", "was 12, waits until 6"]
    for turn in ("Ilya", "Vex", "Mara", "Ilya", "Vex"):
        assert enc.active == turn
        if turn != "Ilya" or enc.clock.round != 1:
            assert told("Vex") == []
        enc.end_turn()


def test_what_broke_a_tie_is_news_until_the_first_turn_and_then_stands_on_the_card() -> None:
    enc = ck.Encounter("saga", seed=1)
    for name, dex in (("Dee", 0), ("Mara", 4), ("Vex", 2)):
        enc.add(name, side=name, dex=dex)
    enc.start(rolls={"Dee": 20, "Mara": 10, "Vex": 12})
    ladder, why = InitiativeLadder(enc), "Dex +4 over +2"
    assert [parts[:2] for parts in rows(ladder)["Mara"]["sub"]] == [["tie: ", why]]
    enc.end_turn()
    for _ in range(3):
        assert "sub" not in rows(ladder)["Mara"]
        assert f"ahead of Vex, {why}" in rows(ladder)["Mara"]["label"][1]
        assert ["Place in the order", why] in card(ladder, "Mara")["lines"]
        enc.end_turn()


def test_at_a_past_moment_nobody_shows_a_loss_that_comes_later_in_its_call() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="rebels", attack_bonus=9)
    enc.add("Vex", side="empire", hp=25, defense=10)
    enc.start(rolls={"Mara": 20, "Vex": 1})
    enc.do("Mara", "attack", target="Vex", rolls=[12], damage=4)
    hurt = next(event.seq for event in enc._events if event.kind == "damage")
    reader = _Reader(enc, "gm")
    shown = []
    for seq in (hurt - 1, hurt):
        reader.go(seq)
        shown.append(
            next(row.get("lost") for row in LadderProjector()(reader)["rows"].values() if row["name"] == "Vex")
        )
    assert shown == [None, 4]


def test_where_nobody_acts_whoever_has_waited_is_looked_at() -> None:
    enc = ck.Encounter("phases", seed=3)
    for name, value in (("Mara", 9), ("Vex", 5), ("Dray", 4)):
        enc.add(name, side="crew" if name == "Mara" else "gang", combat_value=value, stun=30)
    enc.start()
    enc.end_turn()
    enc.do("Vex", "delay")
    enc.end_turn()
    assert enc.active is None
    assert ck.Tracker(enc)._vantage.whose == "Vex"
    assert ck.Tracker(enc, view="players")._vantage.whose is None
    enc.do("Vex", "act_now")
    assert ck.Tracker(enc)._vantage.whose == "Vex" == enc.active
