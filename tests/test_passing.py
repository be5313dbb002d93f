"""What is asked in a window is let go one by one, by whoever plays somebody: all see it, and the last one closes it."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest

import combatkit as ck
from combatkit.share.panel import RoomPanel
from combatkit.widgets._table import table_of
from tests.share_client import Page
from tests.windows_asked import SCENES, ap, seated

WHO = {"Mara": "Anna", "Ilya": "Ben", "Guard 2": "GM"}
"""Who lets it go for whom."""


def says(tracker: ck.Tracker, content: dict[str, Any]) -> Any:
    """Send something, and give the refusal, if it is one."""
    answer: Any = tracker._answer(content)
    return answer


def window(tracker: ck.Tracker) -> Any:
    (shown,) = tracker.view["windows"]
    return shown


def gone(tracker: ck.Tracker) -> set[str]:
    """Who lets it go, by the rungs, which say the same as the window."""
    rungs = {row["name"] for row in tracker.ladder.view["rows"].values() if row.get("word") == "lets it go"}
    assert rungs == {row["who"] for row in window(tracker)["rows"] if row.get("passed")}
    return rungs


def own(tracker: ck.Tracker) -> dict[str, bool]:
    """Who of a seat's own is asked still, and whether others are aimed at and it may be let go unasked."""
    return {row["who"]: row.get("aside", False) for row in window(tracker)["rows"] if not row.get("waits")}


@pytest.mark.parametrize("order", [*permutations(WHO)])
@pytest.mark.parametrize("system", SCENES)
def test_whoever_passes_in_whatever_order_all_see_it_and_the_last_closes_the_window(
    system: str, order: tuple[str, ...]
) -> None:
    enc = SCENES[system]()
    assert {offer.who for offer in enc.pending} == {*WHO}
    at = seated(enc, Anna="Mara", Ben="Ilya")
    calls = len(enc._events)
    for number, name in enumerate(order[:-1], 1):
        assert says(at[WHO[name]], {"kind": "pass", "name": name}) is None
        for tracker in at.values():
            assert gone(tracker) == {*order[:number]}
        assert len(enc._events) == calls, "nothing has happened yet"
    left = WHO[order[-1]]
    for seat in ("Anna", "Ben"):
        waits = f"Waiting for {'your GM' if left == 'GM' else left}."
        said = "Waiting for you." if seat == left else f"You let it go. {waits}"
        assert window(at[seat])["sub"] == [said]
        assert at[seat].view["announce"] == said or seat == left
    waiting = [] if left == "GM" else [f"Waiting for {left}.", " "]
    assert window(at["GM"])["sub"] == [*waiting, f"Only {order[-1]} may still react."]
    again = ck.Tracker(enc, view="players", seat="Anna")  # as a page that is loaded again
    assert gone(again) == {*order[:-1]}
    assert says(at[left], {"kind": "pass", "name": order[-1]}) is None
    assert not enc.pending
    for tracker in at.values():
        assert not tracker.view["windows"]


@pytest.mark.parametrize("system", SCENES)
def test_the_gm_lets_their_own_go_at_once_and_the_seats_answer_for_themselves(system: str) -> None:
    enc = SCENES[system]()
    at = seated(enc, Anna="Mara", Ben="Ilya")
    shown = window(at["GM"])
    assert shown["shared"]
    assert shown["sub"][0] == "Waiting for Anna and Ben."
    assert "shared" not in window(at["Anna"])
    assert says(at["Anna"], {"kind": "pass"})["kind"] == "refused"
    assert says(at["GM"], {"kind": "pass"}) is None
    assert gone(at["GM"]) == {"Guard 2"}
    assert "shared" not in window(at["GM"])
    assert says(at["Ben"], {"kind": "pass", "name": "Ilya"}) is None
    assert says(at["Anna"], {"kind": "pass", "name": "Mara"}) is None
    assert not enc.pending


@pytest.mark.parametrize("system", SCENES)
def test_a_seat_has_answers_for_its_own_alone(system: str) -> None:
    enc = SCENES[system]()
    at = seated(enc, Anna="Mara", Ben="Ilya")
    digest = enc.digest
    for name, whose in (("Guard 2", "your GM's"), ("Ilya", "Ben's")):
        refused = says(at["Anna"], {"kind": "pass", "name": name})
        assert refused["reason"] == f"{name} is {whose} to play; you play Mara."
    asked = at["Anna"].budget.view["asked"]
    assert asked["answers"]
    assert asked["then"] == []
    assert not any("acts" in row for row in at["Anna"].ladder.view["rows"].values())
    assert enc.digest == digest
    assert not gone(at["GM"])


@pytest.mark.parametrize("order", [*permutations(WHO)])
@pytest.mark.parametrize("system", SCENES)
def test_one_answers_the_others_let_it_go_in_any_order(system: str, order: tuple[str, ...]) -> None:
    enc = SCENES[system]()
    at = seated(enc, Anna="Mara", Ben="Ilya")
    asked = enc._state.window
    assert asked is not None
    for name in order:
        still = enc._state.window
        if still is None or still.seq != asked.seq:  # an answer may have led to something else
            break
        if name != "Ilya":
            assert says(at[WHO[name]], {"kind": "pass", "name": name}) is None
            continue
        (offer,) = [offer for offer in enc.pending if offer.who == name]
        answer = {"kind": "do", "name": name, "action": "dash" if system == "ap" else offer.actions[0]}
        if system == "phases":
            answer["target"] = "Guard 1"
        assert says(at["Ben"], answer) is None
    still = enc._state.window
    assert still is None or still.seq != asked.seq
    if system == "ap":
        assert still is None


@pytest.mark.parametrize("system", SCENES)
def test_whoever_was_asked_last_and_leaves_is_waited_for_no_more(system: str) -> None:
    enc = SCENES[system]()
    at = seated(enc, Anna="Mara", Ben="Ilya")
    asked = enc._state.window
    for name in ("Mara", "Guard 2"):
        says(at[WHO[name]], {"kind": "pass", "name": name})
    assert says(at["GM"], {"kind": "leave", "name": "Ilya"}) is None
    assert enc._state.window is None or asked is None or enc._state.window.seq != asked.seq


def test_what_all_let_go_is_asked_anew_once_that_is_undone() -> None:
    enc = ap()
    at = seated(enc, Anna="Mara", Ben="Ilya")
    for name in WHO:
        says(at[WHO[name]], {"kind": "pass", "name": name})
    assert not enc.pending
    says(at["GM"], {"kind": "undo"})
    assert len(enc.pending) == 3
    assert not gone(at["GM"])
    enc.redo()
    assert not enc.pending


def test_the_gms_undo_names_what_it_takes_back_and_takes_one_back() -> None:
    enc = ap()
    gm = seated(enc)["GM"]
    called = gm.view["undo"]["title"]
    for name in ("Mara", "Guard 2"):
        says(gm, {"kind": "pass", "name": name})
        assert gm.view["undo"]["title"] == f"Undo: Let it go ({name})"
    says(gm, {"kind": "undo"})
    assert gone(gm) == {"Mara"}
    says(gm, {"kind": "undo"})
    assert (gone(gm), gm.view["undo"]["title"]) == (set(), called)
    for name in WHO:
        says(gm, {"kind": "pass", "name": name})
    assert enc.can_undo.startswith("Let it go"), "the last one closed it"


@pytest.mark.parametrize("system", SCENES)
def test_the_gms_undo_passes_over_what_players_let_go(system: str) -> None:
    enc = SCENES[system]()
    at = seated(enc, Anna="Mara", Ben="Ilya")
    called = at["GM"].view["undo"]["title"]
    says(at["GM"], {"kind": "pass", "name": "Guard 2"})
    says(at["Anna"], {"kind": "pass", "name": "Mara"})
    assert at["GM"].view["undo"]["title"] == "Undo: Let it go (Guard 2)"
    says(at["GM"], {"kind": "undo"})
    assert gone(at["GM"]) == {"Mara"}
    assert at["GM"].view["undo"]["title"] == called
    says(at["GM"], {"kind": "undo"})
    assert at["GM"].view["redo"]["title"] == called.replace("Undo", "Redo")


def test_what_comes_back_by_an_undo_is_not_let_go_by_itself() -> None:
    enc = ap()
    at = seated(enc, Anna="Mara", Ben="Ilya")
    assert at["Ben"].budget.view["asked"]["aside"]
    assert own(at["Ben"]) == {"Ilya": True}
    for name in WHO:
        says(at[WHO[name]], {"kind": "pass", "name": name})
    says(at["GM"], {"kind": "undo"})
    assert at["Ben"].budget.view["asked"]["aside"]
    assert own(at["Ben"]) == {"Ilya": False}


def test_each_whom_a_seat_plays_may_be_let_go_unasked_and_is_named_where_it_plays_several() -> None:
    enc = ck.Encounter("ap", seed=7)
    for name in ("Mara", "Ilya", "Kess"):
        enc.add(name, side="rebels", hp=20)
    enc.add("Guard", side="empire", count=12, npc=True, hp=20)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    at = seated(enc, Ben="Ilya")
    table_of(enc).plays = {"Anna": ("Mara", "Kess"), "Ben": ("Ilya",)}
    enc.do("Mara", "attack", target="Guard 1")
    assert own(at["Ben"]) == {"Ilya": True}, "whoever is on the side that strikes is asked last, and has a way out"
    anna = ck.Tracker(enc, view="players", seat="Anna")
    assert own(anna) == {"Kess": True}
    turn: Any = anna.view["turn"]
    assert (turn["title"], turn["sub"]) == ("Your turn: Mara", "Kess may react too")
    (kess,) = [row for row in window(anna)["rows"] if not row.get("waits")]
    assert kess["lets"] == "Kess lets it go"
    assert all("lets" not in row for row in window(at["Ben"])["rows"])
    says(anna, {"kind": "pass", "name": "Kess"})
    assert own(anna) == {}
    enc.resolve()
    while enc.active != "Guard 1":
        enc.end_turn()
    enc.do("Guard 1", "attack", target="Kess")
    assert own(anna) == {"Mara": True, "Kess": False}
    assert anna.view["turn"]["title"] == "Kess may react", "whoever it is aimed at"


def test_who_has_let_it_go_is_waited_for_no_more_where_it_is_said_why_nothing_else_can_be_done() -> None:
    enc = ap()
    at = seated(enc, Anna="Mara", Ben="Ilya")
    says(at["GM"], {"kind": "look", "name": "Guard 1"})

    def waits() -> str:
        return json.dumps(at["GM"].budget.view["whys"])

    assert "Waiting for Guard 2, Mara and Ilya: answer or let it go." in waits()
    says(at["Ben"], {"kind": "pass", "name": "Ilya"})
    assert "Waiting for Guard 2 and Mara: answer or let it go." in waits()
    assert at["GM"].view["turn"]["sub"] == "interrupted: Mara and one other may react"
    says(at["Ben"], {"kind": "undo"})
    assert "Waiting for Guard 2, Mara and Ilya: answer or let it go." in waits()
    assert at["GM"].view["turn"]["sub"] == "interrupted: Mara and 2 more may react"


def test_what_was_let_go_can_be_taken_back_and_answered() -> None:
    enc = ap()
    at = seated(enc, Anna="Mara", Ben="Ilya")
    says(at["Anna"], {"kind": "pass", "name": "Mara"})
    assert at["Anna"].view["undo"] == {"allowed": True, "title": "Take back: let it go"}
    assert at["Ben"].view["undo"]["allowed"] is False
    says(at["Anna"], {"kind": "undo"})
    assert not gone(at["GM"])
    assert window(at["Anna"])["sub"] == ["Waiting for you, Ben and your GM."]
    assert at["Anna"].view["turn"] == at["Anna"].view["turn"] | {"title": "You may react", "sub": "Guard 1's turn"}
    says(at["Anna"], {"kind": "resolve"})  # for all they play
    assert gone(at["Ben"]) == {"Mara"}


@pytest.mark.parametrize("back", [True, False])
def test_what_the_gm_does_after_a_player_let_it_go_is_not_the_players_to_take_back(back: bool) -> None:
    enc = ap()
    at = seated(enc, Anna="Mara", Ben="Ilya")
    says(at["Anna"], {"kind": "pass", "name": "Mara"})
    if back:
        says(at["Anna"], {"kind": "undo"})
    enc.do("Guard 2", "evade", outcome="failed")
    if not back:
        says(at["Anna"], {"kind": "undo"})
    assert at["Anna"].view["undo"] == {"allowed": False, "title": "Nothing of yours to take back."}
    assert says(at["Anna"], {"kind": "undo"})["kind"] == "refused"
    assert enc._events[-1].kind != "undo"


def test_another_window_is_let_go_anew() -> None:
    enc = ap()
    at = seated(enc, Anna="Mara", Ben="Ilya")
    says(at["Anna"], {"kind": "pass", "name": "Mara"})
    enc.undo()
    enc.do("Guard 1", "attack", target="Ilya")
    assert not gone(at["GM"])
    enc.undo()
    enc.do("Guard 1", "attack", target="Mara")
    assert not gone(at["Anna"])


def test_the_gms_let_go_for_a_seat_counts_and_is_seen_there() -> None:
    enc = ap()
    at = seated(enc, Anna="Mara", Ben="Ilya")
    assert says(at["GM"], {"kind": "pass", "name": "Mara"}) is None
    assert window(at["Anna"])["sub"] == ["You let it go. Waiting for Ben and your GM."]
    shown = at["Anna"].budget.view
    assert shown["asked"]["answers"] == [], "nothing is offered any more"
    assert [*shown["groups"], *shown["folds"]] == []
    assert at["GM"].budget.view["name"] != "Mara"
    assert says(at["Anna"], {"kind": "pass", "name": "Mara"}) is None, "a second tap does no harm"
    assert gone(at["GM"]) == {"Mara"}


def test_where_dice_are_typed_the_last_pass_rolls_none_unasked() -> None:
    enc = ck.Encounter("d6", id="asked", seed=7)
    gun = {"name": "gun", "attack": "3D", "damage": "2D", "type": "energy", "range": "long"}
    for name in ("Mara", "Ilya", "Guard 1"):
        enc.add(name, side="empire" if name == "Guard 1" else "rebels", npc=name == "Guard 1", resolve=9, weapons=[gun])
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    enc.do("Mara", "hold", action="attack", target="Guard 1", trigger={"actor": "Guard 1"})
    while enc.active != "Guard 1":
        enc.end_turn()
    at = seated(enc, Anna="Mara", Ben="Ilya")
    enc.table_dice = True
    enc.do("Guard 1", "attack", target="Mara", weapon="gun")
    assert says(at["Anna"], {"kind": "pass", "name": "Mara"}) is None
    assert enc.pending, "the attack's dice are typed by the GM"
    assert window(at["GM"])["sub"] == ["Everybody lets it go."]
    assert at["GM"].view["turn"]["sub"] == "interrupted: everybody lets it go"
    assert window(at["Anna"])["sub"] == ["You let it go. Waiting for your GM."]
    says(at["GM"], {"kind": "resolve", "rolls": {"attack": [6, 5, 4]}})
    assert not enc.pending


def test_who_is_not_asked_lets_nothing_go() -> None:
    enc = ck.Encounter("segments", id="asked", seed=7)
    enc.add("Mara", side="rebels", hp=9)
    at = seated(enc, Anna="Mara")
    for content in ({"kind": "pass", "name": "Mara"}, {"kind": "resolve"}):
        assert says(at["Anna"], content)["reason"] == "Nobody is waiting for your answer."
    running = ap()
    gm = ck.Tracker(running)
    assert says(gm, {"kind": "pass", "name": "Guard 1"})["reason"] == "Guard 1 isn't asked here."
    assert says(gm, {"kind": "pass", "name": "Nobody"})["reason"].startswith("unknown combatant 'Nobody'")
    assert says(ck.Tracker(running, view="players"), {"kind": "pass", "name": "Mara"})["kind"] == "refused"


def test_at_a_table_pages_that_come_back_know_what_was_let_go() -> None:
    with ap().share() as room:
        enc, gm = room.encounter, ck.Tracker(room.encounter)
        seat, panel = room.seat("Anna", plays=["Mara"]), RoomPanel(room)
        room.table.onlookers.add(panel)
        with Page(room, room.seat("Ben", plays=["Ilya"])) as ben:
            ben.until("welcome")
            with Page(room, seat) as anna:
                anna.until("welcome")
                anna.send({"kind": "pass", "name": "Mara"})
                anna.until("delta")
            ben.until("delta")
            assert "lets it go" in json.dumps(ben.views["ladder"])
            assert "lets it go" in json.dumps(panel._view()["seats"])
            with Page(room, seat) as anna:
                anna.until("welcome")
                assert anna.views["tracker"]["windows"][0]["sub"] == ["You let it go. Waiting for Ben and your GM."]
            assert says(gm, {"kind": "pass", "name": "Guard 2"}) is None
            ben.settled()
            assert ben.ask("pass", name="Ilya")["kind"] == "done"
            assert not enc.pending
        assert room._problems == []


def test_a_hidden_reactor_is_told_to_nobody() -> None:
    enc = ap()
    enc.undo()
    enc.condition("Guard 2", "hidden")
    enc.do("Guard 1", "attack", target="Mara")
    room = enc.share()
    with (
        room,
        Page(room, room.seat("Anna", plays=["Mara"])) as anna,
        Page(room, room.seat("Ben", plays=["Ilya"])) as ben,
    ):
        assert "Guard 2" in {offer.who for offer in enc.pending}
        anna.settled()
        ben.settled()
        anna.send({"kind": "pass", "name": "Mara"})
        anna.settled()
        assert anna.views["tracker"]["windows"][0]["sub"] == ["You let it go. Waiting for Ben."]
        ben.send({"kind": "pass", "name": "Ilya"})
        ben.until("room")
        assert ben.got[-1]["state"] == "busy"  # as with a cell that takes long
        assert enc.pending, "the hidden one may still answer"
        ck.Tracker(enc)._answer({"kind": "pass", "name": "Guard 2"})
        while ben.until("room")["state"] != "open":
            pass
        assert not enc.pending
        assert not any("Guard 2" in text for text in (*anna.raw, *ben.raw))
        assert room._problems == []


@pytest.mark.parametrize("system", ["d6", "saga"])
def test_a_players_end_of_turn_never_answers_for_another(system: str) -> None:
    """What is kept ready on words stops nobody's turn by the rules: but who is asked at another seat answers first."""
    keeps = {"d6": "hold", "saga": "ready"}[system]
    enc = ck.Encounter(system, id="asked", seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Ossik", side="rebels")
    enc.add("Guard", side="empire", npc=True)
    enc.start()
    enc.place("Ossik", after="Mara")
    enc.place("Guard", after="Ossik")
    enc.next_round()
    enc.do("Mara", keeps, action="attack", trigger="the Guard shoots")
    if enc.active == "Mara":
        enc.end_turn()
    with (
        enc.share() as room,
        Page(room, room.seat("Anna", plays=["Mara"])) as anna,
        Page(room, room.seat("Cara", plays=["Ossik"])) as cara,
    ):
        anna.until("welcome")
        cara.until("welcome")
        cara.send({"kind": "do", "name": "Ossik", "action": "move"})
        cara.settled()
        anna.settled()
        assert anna.views["tracker"]["turn"]["title"] == "You may react"
        end = cara.views["tracker"]["end"]
        assert (end["allowed"], end["reason"]) == (False, ["Mara may still react."])
        assert cara.ask("end_turn")["reason"] == "Mara may still react."
        assert enc.pending
        anna.send({"kind": "pass", "name": "Mara"})
        anna.settled()
        cara.settled()
        assert cara.views["tracker"]["end"]["allowed"]
        assert cara.ask("end_turn")["kind"] == "done"
        assert room._problems == []
