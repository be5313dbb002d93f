"""What a seat and the table's screen are told first: whose turn, who is next, who is hit, what is asked, who won."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from msgspec.structs import replace

import combatkit as ck
from combatkit.fight.view import View
from combatkit.report.words import plain
from combatkit.share import Room
from combatkit.share.panel import RoomPanel
from combatkit.widgets._asking import said_request
from combatkit.widgets._end_view import end_view
from combatkit.widgets._ladder_view import LadderProjector
from combatkit.widgets._seat import SeatVantage
from combatkit.widgets._table import table_of
from combatkit.widgets._vantage import Vantage
from tests.share_client import Page, settled
from tests.windows_asked import SCENES, seated

SYSTEMS = ("ap", "d6", "phases", "saga", "segments")
HP = {"d6": "resolve", "phases": "stun"}
"""What is lost first, where it isn't hit points."""


def fight(system: str, **options: Any) -> ck.Encounter:
    """Two whom players play, and two guards, before the start."""
    enc = ck.Encounter(system, id="words", seed=7, **options)
    sheet: dict[str, Any] = {HP.get(system, "hp"): 20}
    for name, side in (("Mara", "rebels"), ("Ilya", "rebels"), ("Guard 1", "empire"), ("Guard 2", "empire")):
        enc.add(name, side=side, npc=side == "empire", **sheet)
    return enc


def turn(tracker: ck.Tracker) -> dict[str, Any]:
    return dict(tracker.view["turn"])


def pass_on(enc: ck.Encounter) -> None:
    """End the turn, or whatever comes between."""
    if enc.pending:
        enc.resolve()
    else:
        enc.end_turn()


@pytest.mark.parametrize("system", SYSTEMS)
def test_whoever_plays_an_npc_reads_what_they_lose(system: str) -> None:
    enc = fight(system)
    enc.start()
    at = seated(enc, Anna="Guard 1", Ben="Mara")
    enc.damage("Guard 1", 3)
    told = {seat: plain(tracker.view["result"]["text"]) for seat, tracker in at.items()}
    assert "loses 3" in told["Anna"]
    assert "17 of 20 left" in told["Anna"]
    assert "3" not in told["Ben"]


@pytest.mark.parametrize("system", ["ap", "phases", "saga", "segments"])
def test_who_is_below_nothing_has_nothing_left(system: str) -> None:
    enc = fight(system)
    enc.start()
    at = seated(enc, Anna="Mara")
    enc.damage("Mara", 30)
    below = "now at \N{MINUS SIGN}10."
    assert below in at["Anna"].view["hurt"]
    assert "left" not in at["Anna"].view["hurt"]
    told = plain(ck.Tracker(enc).view["result"]["text"])
    assert "left" not in told
    assert below in told or "is down" in told


@pytest.mark.parametrize("system", SYSTEMS)
def test_ones_own_turn_is_told_unlike_others_and_so_is_who_comes_next(system: str) -> None:
    enc = fight(system)
    at = seated(enc, Anna="Mara", Ben="Ilya")
    lobby = turn(at["Anna"])
    assert lobby.pop("who")["initials"] == "M"
    assert lobby == {"title": "You play Mara", "sub": "Your GM has not begun the fight.", "mine": "here"}
    enc.start()
    seen, before = set(), None
    for _ in range(60):
        shown = turn(at["Anna"])
        if before == ("next", enc.clock.round):
            assert enc.active == "Mara" or enc.active is None, "whoever is next comes next"
        if enc.active == "Mara":
            assert (shown["title"], shown["mine"]) == ("Your turn", "now")
            assert at["Anna"].view["announce"].startswith("Your turn. ")
            assert turn(at["Ben"])["title"] == "Mara's turn"
        else:
            assert shown["title"] != "Your turn"
            assert shown.get("mine") in (None, "next") or shown["title"] == "Say what you'll do"
        if shown.get("mine") == "next":
            assert (shown["sub"], shown["then"]) == ("You're next", "Mara")
        seen.add(shown.get("mine"))
        before = (shown["mine"], enc.clock.round) if enc.active and shown.get("mine") == "next" else None
        pass_on(enc)
    assert {"now", None} <= seen


@pytest.mark.parametrize("system", SYSTEMS)
def test_whoever_falls_in_their_own_turn_reads_first_that_they_cannot_act(system: str) -> None:
    """The page said "Your turn" in large letters, and beneath it that they are down."""
    enc = fight(system)
    at = seated(enc, Anna="Mara")
    enc.start()
    while enc.active != "Mara":
        pass_on(enc)
    enc.condition("Mara", "down")
    assert (turn(at["Anna"])["title"], turn(at["Anna"])["mine"]) == ("You can't act", "now")
    enc.condition("Mara", "down", off=True)
    assert turn(at["Anna"])["title"] == "Your turn"


def test_whoever_must_answer_is_said_so_on_their_rung() -> None:
    enc = fight("segments")
    enc.start()
    enc.do("Ilya", "declare", action="incantation")
    enc.end_turn(rolls={"rebels": [5], "empire": [2]})
    assert [(offer.who, offer.must) for offer in enc.pending] == [("Ilya", True)]
    words = [row.get("word") for row in ck.Tracker(enc).ladder.view["rows"].values() if row["status"] == "reacts"]
    assert words[0] == "must answer", "the table's screen shows it, which had said may react"


def test_what_somebody_has_answered_is_asked_of_them_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    enc = fight("segments")
    enc.start()
    enc.do("Ilya", "declare", action="incantation")
    enc.end_turn(rolls={"rebels": [5], "empire": [2]})
    state, window = enc._state, enc._state.window
    assert window is not None
    bids = (replace(window.bids[0], must=False, answered=True), *window.bids)  # before it they might have reacted
    focus = tuple(replace(window, bids=bids) if frame is window else frame for frame in state.focus)
    view = View(enc.id, enc.ruleset, replace(state, focus=focus), enc._events)
    monkeypatch.setattr(Vantage, "now", view)
    rows = LadderProjector()(Vantage(enc))["rows"].values()
    assert next(row.get("word") for row in rows if row["status"] == "reacts") == "must answer"


def test_where_all_declare_a_seat_is_asked_until_its_own_have() -> None:
    enc = fight("segments")
    at = seated(enc, Anna="Mara", Ben="Ilya")
    table_of(enc).plays["Cleo"] = ("Mara", "Ilya")
    both = ck.Tracker(enc, view="players", seat="Cleo")
    enc.start()
    assert (turn(at["Anna"])["title"], turn(at["Anna"])["mine"]) == ("Say what you'll do", "asked")
    assert turn(at["Anna"])["sub"] == "A plain attack needs no declaring."
    assert turn(both)["title"] == "Say what Mara and Ilya will do"
    at["Anna"]._answer({"kind": "do", "name": "Mara", "action": "declare", "params": {"action": "attack"}})
    assert turn(at["Anna"]) == {"title": "Declarations", "sub": "Your GM goes on when everybody is ready."}
    assert turn(both)["title"] == "Say what Ilya will do"
    assert both.budget.view["name"] == "Ilya", "whoever has said theirs gives way to whoever has not"
    assert turn(at["Ben"])["mine"] == "asked"


def test_of_somebody_hidden_nothing_is_told_of_who_comes_next() -> None:
    enc = fight("saga")
    enc.start(rolls={"Guard 1": 20, "Guard 2": 15, "Mara": 10, "Ilya": 5})
    enc.condition("Guard 2", "hidden")
    at = seated(enc, Anna="Mara", Ben="Ilya")
    assert enc.active == "Guard 1"
    assert turn(at["Anna"]) | {"sub": "You're next", "then": "Mara", "mine": "next"} == turn(at["Anna"])
    assert "Guard 2" not in json.dumps([at["Anna"].view, at["Anna"].ladder.view])


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_is_hit_reads_for_how_much_until_something_else_concerns_them(system: str) -> None:
    enc = fight(system)
    at = seated(enc, Anna="Mara", Ben="Ilya")
    enc.start()
    while enc.active == "Mara":
        pass_on(enc)
    vital = HP.get(system, "hp")
    before = enc["Mara"].values[vital]
    enc.damage("Mara", 6)
    lost = before - enc["Mara"].values[vital]
    hurt = at["Anna"].view.get("hurt", "")
    assert f"{lost}" in hurt
    assert hurt.startswith("You lose ")
    assert f"{before - lost} left." in hurt
    assert "hurt" not in at["Ben"].view
    enc.undo()
    assert "hurt" not in at["Anna"].view
    enc.condition("Ilya", "prone" if system != "segments" else "blinded")
    assert "hurt" not in at["Anna"].view, "what was undone is no news once something else has happened"
    enc.undo()
    enc.damage("Mara", 6)
    enc.undo()
    enc.redo()
    assert at["Anna"].view["hurt"] == hurt
    while enc.active != "Mara":
        assert at["Anna"].view["hurt"] == hurt, "what others do leaves it there"
        pass_on(enc)
    assert "hurt" not in at["Anna"].view, "it is their turn: that is the news"
    enc.damage("Mara", 2)
    assert at["Anna"].view["hurt"].startswith("You lose ")
    enc.heal("Mara", 1)
    assert "hurt" not in at["Anna"].view


@pytest.mark.parametrize("system", SYSTEMS)
def test_all_who_read_of_a_loss_read_that_it_was_taken_back_and_done_again(system: str) -> None:
    enc = fight(system)
    at = seated(enc, Anna="Mara", Ben="Ilya")
    enc.start()
    before = enc["Mara"].values[HP.get(system, "hp")]
    enc.damage("Mara", 6)
    told = {seat: plain(tracker.view["result"]["text"]) for seat, tracker in at.items()}
    enc.undo()
    assert {plain(tracker.view["result"]["text"]) for tracker in at.values()} == {"Undone: Damage (Mara)."}
    assert plain(at["Anna"].view["result"]["sub"]).startswith(f"You have {before}")
    assert "have" not in plain(at["Ben"].view["result"]["sub"])
    enc.redo()
    assert {seat: plain(tracker.view["result"]["text"]) for seat, tracker in at.items()} == told
    assert all(plain(tracker.view["result"]["sub"]).startswith("Done again.") for tracker in at.values())


def test_of_what_players_never_read_they_do_not_read_that_it_was_taken_back() -> None:
    enc = fight("saga")
    enc.start(rolls={"Guard 1": 20, "Guard 2": 15, "Mara": 10, "Ilya": 5})
    enc.condition("Guard 2", "hidden")
    at = seated(enc, Anna="Mara")
    enc.damage("Guard 2", 5)
    enc.undo()
    assert "result" not in at["Anna"].view
    assert "Guard 2" in plain(at["GM"].view["result"]["text"])


def test_a_blow_is_a_hit_and_who_plays_several_reads_who() -> None:
    enc = ck.Encounter("ap", id="words", seed=7)
    sheet: dict[str, Any] = {"attack_bonus": 3, "defense": 11, "weapons": [{"name": "axe", "damage": "1d6"}]}
    for name, side in (("Mara", "rebels"), ("Ilya", "rebels"), ("Guard", "empire")):
        enc.add(name, side=side, npc=side == "empire", hp=25, **sheet)
    enc.start()
    at = seated(enc, Anna="Mara")
    table_of(enc).plays["Ben"] = ("Mara", "Ilya")
    ben = ck.Tracker(enc, view="players", seat="Ben")
    while enc.active != "Guard":
        pass_on(enc)
    enc.do("Guard", "attack", target="Mara", weapon="axe", rolls={"attack": [18], "damage": [6]})
    while enc.pending:
        enc.resolve()
    assert at["Anna"].view["hurt"] == "You are hit for 6, 19 left."
    assert ben.view["hurt"] == "Mara is hit for 6, 19 left."


@pytest.mark.parametrize("system", SCENES)
def test_who_is_asked_reads_so_first(system: str) -> None:
    enc = SCENES[system]()
    at = seated(enc, Anna="Mara", Ben="Ilya")
    assert (turn(at["Anna"])["title"], turn(at["Anna"])["mine"]) == ("You may react", "asked")
    assert at["Anna"].view["windows"][0]["sub"][0].startswith("Waiting for you, ")
    told = {"title": "Guard 1's turn", "sub": "You may react too", "mine": "may"}
    if system != "ap":  # there Guard 1 aims at Mara; here all may react to what he does
        told = {"title": "You may react", "sub": "Guard 1's turn", "mine": "asked"}
    assert {key: turn(at["Ben"])[key] for key in told} == told
    rows = at["Anna"].ladder.view["rows"].values()
    (own,) = [row for row in rows if row["name"] == "Mara"][:1]
    assert "off turn" not in json.dumps(own.get("sub", [])), "what they may answer with stands on the desk"


# ── the end ──


@pytest.mark.parametrize("words", ["nothing", "words", "numbers"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_players_learn_who_won_and_who_fell_and_numbers_where_they_may(system: str, words: str) -> None:
    enc = fight(system, options={"vital_words": words})
    at = seated(enc, Anna="Mara")
    enc.start()
    for name in ("Guard 1", "Guard 2"):
        enc.damage(name, 13)
        enc.condition(name, "dead")
    enc.finish()
    card = at["Anna"].view["card"]
    assert card["title"] == "The rebels win"
    (fell,) = [fact for fact in card["facts"] if fact["title"] == "Fell"]
    assert "Guard\N{NO-BREAK SPACE}1" in json.dumps(fell, ensure_ascii=False)
    assert bool(card["fared"]) == (words == "numbers")
    assert ("13" in json.dumps(card)) == (words == "numbers" and "13" in json.dumps(end_view(Vantage(enc))))
    assert "event" not in card["lead"]


def test_a_card_tells_nothing_of_somebody_hidden() -> None:
    enc = fight("saga", options={"vital_words": "numbers"})
    enc.start()
    enc.join("Lurk", side="cult", npc=True, hp=77)
    enc.condition("Lurk", "hidden")
    for name in ("Guard 1", "Guard 2"):
        enc.condition(name, "dead")
    enc.finish()
    at = seated(enc, Anna="Mara")
    told = json.dumps([at["Anna"].view["card"], end_view(Vantage(enc, "players"))])
    assert "Lurk" not in told
    assert "cult" not in told
    assert "77" not in told


# ── the table's screen ──


def test_before_the_start_a_screen_says_who_sits_there_and_how_to_join() -> None:
    enc = fight("saga")
    enc.title = "The catwalk"
    with enc.share() as room:
        seat, screen = room.seat("Anna", plays=["Mara"]), room.screen()
        with Page(room, screen) as tv:
            tv.until("welcome")
            join = tv.views["tracker"]["join"]
            assert (tv.views["tracker"]["called"], join["url"]) == ("The catwalk", room.url)
            assert tv.views["tracker"]["sits"] == [
                {"name": "Anna", "plays": ["Mara"], "here": False, "word": "not here yet"}
            ]
            assert set("".join(join["qr"])) == {"0", "1"}
            with Page(room, seat) as anna:
                anna.until("welcome")
                while not tv.views["tracker"]["sits"][0]["here"]:
                    tv.until("delta")
                assert "join" not in anna.views["tracker"]
                assert anna.views["tracker"]["called"] == "The catwalk"
                assert anna.views["tracker"]["turn"]["sub"] == "Your GM has not begun the fight."
                assert [each["name"] for each in anna.views["tracker"]["sits"]] == ["Anna"]
            token, code = seat.url.partition("#")[2], room.code("Anna")
            assert not any(secret in text for text in tv.raw for secret in (token, code))
            enc.start()
            tv.settled()
            assert tv.views["tracker"].keys().isdisjoint(("join", "sits", "called"))
        assert room._problems == []


def test_a_screen_shows_how_all_are_as_far_as_the_gm_lets_them_know() -> None:
    shown = {}
    for words in ("nothing", "words", "numbers"):
        enc = fight("saga", options={"vital_words": words})
        enc.edit("Guard 1", portrait="G")
        enc.start(rolls={"Guard 1": 20, "Guard 2": 15, "Mara": 10, "Ilya": 5})
        enc.damage("Guard 1", 12)
        with enc.share() as room, Page(room, room.screen()) as tv:
            tv.until("welcome")
            rows = {row["name"]: row for row in tv.views["ladder"]["rows"].values()}
            shown[words] = (rows["Guard 1"].get("how"), rows["Guard 1"].get("vital"))
            assert rows["Guard 1"]["portrait"] == "G"
            assert rows["Mara"]["vital"] == [20, 20]
            assert tv.views["tracker"]["turn"]["then"] == "Guard 2"
    assert shown == {"nothing": (None, None), "words": ("bloodied", None), "numbers": (None, [8, 20])}


@pytest.mark.parametrize("system", SCENES)
def test_in_a_reaction_a_screen_says_to_what_and_who_is_waited_for(system: str) -> None:
    enc = SCENES[system]()
    table_of(enc).plays = {"Anna": ("Mara",), "Ben": ("Ilya",)}
    with enc.share() as room, Page(room, room.screen()) as tv:
        tv.until("welcome")
        (window,) = tv.views["tracker"]["windows"]
        assert window["title"]
        assert sorted(window["sub"][0].removeprefix("Waiting for ").rstrip(".").replace(" and ", ", ").split(", ")) == [
            "Anna",
            "Ben",
            "the GM",
        ]


def test_a_line_about_what_was_undone_is_marked_so_that_a_screen_leaves_it_out() -> None:
    enc = fight("saga")
    enc.start()
    enc.do(str(enc.active), "move")
    enc.undo()
    lines = ck.Tracker(enc, view="players").log.view["lines"].values()
    (moved,) = [line for line in lines if line.get("moved")]
    assert "Undone" in json.dumps(moved)
    assert all(line["undone"] for line in lines if "moves" in json.dumps(line["text"]))


# ── ask first ──


def test_who_asks_first_is_told_as_the_log_will_tell_it_with_what_and_which_dice() -> None:
    enc = ck.Encounter("ap", id="words", seed=7)
    sheet: dict[str, Any] = {"attack_bonus": 3, "defense": 11, "weapons": [{"name": "axe", "damage": "1d6"}]}
    for name, side in (("Mara", "rebels"), ("Guard 1", "empire")):
        enc.add(name, side=side, npc=side == "empire", hp=25, **sheet)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    with enc.share(ask=True) as room, Page(room, room.seat("Anna", plays=["Mara"])) as anna:
        anna.until("welcome")
        attack = {"action": "attack", "params": {"target": "Guard 1", "weapon": "axe"}}
        for asked, words in (
            ({"kind": "do", "name": "Mara", **attack}, "Mara attacks Guard 1 with the axe"),
            (
                {"kind": "do", "name": "Mara", **attack, "rolls": {"attack": [14], "damage": [5]}},
                "Mara attacks Guard 1 with the axe; dice: 14 to hit and 5 for damage",
            ),
            ({"kind": "end_turn"}, "Mara ends the turn"),
        ):
            anna.send(asked)
            room_said = anna.until("room")
            assert (room_said["state"], room_said["about"]) == ("asking", words)
            assert [request.words for request in room.requests] == [words]
            room.decline()
            anna.until("refused")
        never: list[dict[str, object]] = [
            {"kind": "do", "name": "Mara", "action": "no_such", "target": ["Guard 1"]},
            {"kind": "do", "name": "Mara", "action": "parry"},
            {"kind": "undo"},
            {"kind": "pass", "name": "Mara"},
        ]
        for each in never:
            anna.send(each)  # what could not be done anyway is nothing to confirm
            assert anna.until("room", "refused")["kind"] == "refused"
        assert room.requests == ()
        assert room._problems == []


def test_a_page_that_comes_back_knows_what_the_gm_is_to_confirm() -> None:
    enc = fight("saga")
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    with enc.share(ask=True) as room:
        seat = room.seat("Anna", plays=["Mara"])
        with Page(room, seat) as anna, Page(room, seat) as second:
            anna.until("welcome")
            second.until("welcome")
            anna.send({"kind": "end_turn"})
            assert second.until("room")["about"] == "Mara ends the turn"
            with Page(room, seat) as third:
                assert third.until("welcome")["about"] == "Mara ends the turn"


# ── codes ──


def test_a_used_code_is_told_to_the_gm_until_there_is_another() -> None:
    enc = fight("saga")
    with enc.share() as room:
        panel = RoomPanel(room)
        link = panel.link(room.seat("Anna", plays=["Mara"]).name)
        assert not used(room, panel)
        with Page(room, "", hello={"kind": "pair", "code": link["code"]}) as anna:
            anna.until("welcome")
            assert used(room, panel)
            panel.link("Anna")
            assert not used(room, panel)


def used(room: Room, panel: RoomPanel) -> bool:
    view: Any = panel._view()
    (seat,) = view["seats"]
    return bool(seat.get("used", False))


def test_what_a_counter_blow_came_to_is_told_in_one_order_to_all() -> None:
    enc = ck.Encounter("ap", id="words", seed=7)
    sheet: dict[str, Any] = {"attack_bonus": 3, "defense": 11, "weapons": [{"name": "axe", "damage": "1d6"}]}
    for name, side in (("Mara", "rebels"), ("Guard", "empire")):
        enc.add(name, side=side, npc=side == "empire", hp=25, **sheet)
    enc.start()
    at = seated(enc, Anna="Mara")
    while enc.active != "Guard":
        pass_on(enc)
    enc.do("Guard", "attack", target="Mara", weapon="axe", rolls={"attack": [18], "damage": [2]})
    enc.do("Mara", "counter_attack", rolls={"attack": [18], "damage": [6]})
    while enc.pending:
        enc.resolve()
    told = [plain(tracker.view["result"]["text"]) for tracker in at.values()]
    assert [re.findall(r"(\w+) hits", each) for each in told] == [["Guard", "Mara"]] * len(told)


def test_on_a_phone_what_can_be_done_stands_before_what_cannot() -> None:
    enc = fight("saga")
    at = seated(enc, Anna="Mara")
    enc.start()
    while enc.active != "Mara":
        pass_on(enc)
    enc.do("Mara", "aid_another", target="Ilya")
    view = at["Anna"].budget.view
    barred = ["off" in view["action"][key] for key in view["group"]["usual"]["actions"]]
    assert barred == sorted(barred)
    assert {*barred} == {False, True}


def test_all_see_who_has_declared_and_who_has_not() -> None:
    enc = ck.Encounter("segments", seed=7)
    enc.add("Mara", side="rebels", hp=9)
    enc.add("Ilya", side="rebels", hp=9)
    enc.add("Guard", side="town", npc=True, hp=9)
    enc.start()
    enc.do("Mara", "declare", action="attack", target="Guard")
    rows = ck.Tracker(enc, view="players").ladder.view["rows"].values()
    assert [row["name"] for row in rows if row.get("word") == "declared"] == ["Mara"]


def test_who_was_there_is_not_here_and_who_never_was_is_not_here_yet() -> None:
    enc = fight("saga")
    with enc.share() as room:
        anna, gm = room.seat("Anna", plays=["Mara"]), room.gm()
        room.seat("Dora")
        room.screen()
        settled(room)
        with Page(room, gm) as desk:
            desk.until("welcome")

            def words() -> dict[str, str]:
                return {each["name"]: each["word"] for each in desk.views["tracker"]["sits"]}

            assert words() == {"Anna": "not here yet", "Dora": "not here yet"}, "also a seat that plays nobody"
            with Page(room, anna) as page:
                page.until("welcome")
                while words()["Anna"] != "is here":
                    desk.until("delta")
            while words()["Anna"] == "is here":
                desk.until("delta")
            assert words() == {"Anna": "not here", "Dora": "not here yet"}


def test_whoever_plays_nobody_reads_so_before_the_start_and_in_the_fight() -> None:
    enc = fight("saga")
    with enc.share() as room, Page(room, room.seat("Dora")) as dora:
        dora.until("welcome")
        shown = dora.views["tracker"]["turn"]
        assert (shown["title"], shown["sub"]) == ("You play nobody yet", "Your GM gives you somebody.")
        enc.start()
        while dora.views["tracker"]["mode"] == "setup":
            dora.until("delta")
        assert dora.views["tracker"]["turn"]["sub"] == "You play nobody yet. Your GM gives you somebody."


def test_a_page_of_the_gms_is_told_that_a_cell_is_running_as_players_are() -> None:
    enc = fight("saga")
    enc.start()
    with enc.share() as room, Page(room, room.gm()) as desk, Page(room, room.seat("Anna", plays=["Mara"])) as anna:
        for page in (desk, anna):
            page.until("welcome")
        room.busy.work()
        assert [page.until("room")["state"] for page in (desk, anna)] == ["busy", "busy"]
        room.busy.end()
        assert [page.until("room")["state"] for page in (desk, anna)] == ["open", "open"]
        room.busy.settle(True)
        assert anna.until("room")["state"] == "busy"
        room.busy.settle(False)
        assert anna.until("room")["state"] == "open"
        room.busy.work()
        assert desk.until("room")["state"] == "busy", "nothing was told of what the GM does with somebody hidden"
        room.busy.end()


def test_what_is_asked_names_places_and_triggers_as_people_do() -> None:
    """A charge without a place says where it will end."""
    enc = ck.Encounter("saga", seed=7)
    for name, side, at in (("Mara", "rebels", (0, 0)), ("Guard", "empire", (5, 0))):
        enc.add(name, side=side, npc=side == "empire", at=at)
    enc.start(rolls={"Mara": 20, "Guard": 1})
    table_of(enc).plays = {"Anna": ("Mara",)}
    vantage = SeatVantage(enc, "Anna")
    asked: dict[str, dict[str, Any]] = {
        "Mara charges Guard; destination: (4, 0)": {"action": "charge", "params": {"target": "Guard"}},
        "Mara moves; destination: (3, 0)": {"action": "move", "params": {"to": [3, 0]}},
        "Mara moves; destination: (1, 0) and (2, 1)": {"action": "move", "params": {"to": [[1, 0], [2, 1]]}},
        "Mara readies an action; action: full attack; trigger: Guard: he moves": {
            "action": "ready",
            "params": {"action": "full_attack", "trigger": {"actor": "Guard", "text": "he moves"}},
        },
        "Mara readies an action; action: full attack; trigger: Guard stands up": {
            "action": "ready",
            "params": {"action": "full_attack", "trigger": {"actor": "Guard", "action": "stand_up"}},
        },
        "Mara attacks Guard; modifiers: cover \N{MINUS SIGN}2": {
            "action": "attack",
            "params": {"target": ["Guard"], "modifiers": {"cover": -2}},
        },
    }
    for words, content in asked.items():
        assert said_request(vantage, {"kind": "do", "name": "Mara", **content}) == words


def test_a_trigger_that_is_asked_for_is_told_in_german_by_what_its_action_is_called() -> None:
    enc = ck.Encounter("saga", seed=7, language="de")
    enc.add("Mara", side="rebels"), enc.add("Guard", side="empire", npc=True)
    enc.start(rolls={"Mara": 20, "Guard": 1})
    table_of(enc).plays = {"Anna": ("Mara",)}
    params = {"action": "full_attack", "trigger": {"actor": "Guard", "action": "stand_up"}}
    asked = {"kind": "do", "name": "Mara", "action": "ready", "params": params}
    assert said_request(SeatVantage(enc, "Anna"), asked).endswith("Guard steht auf")


def test_whom_an_answer_may_help_or_hit_is_told_as_a_choice() -> None:
    enc = ck.Encounter("d6", seed=1)
    for name, side in (("Ada", "h"), ("Cy", "h"), ("Bo", "f")):
        enc.add(name, side=side, resolve=5, force_points=3)
    enc.start(rolls={"Ada": 6, "Cy": 2, "Bo": 1})
    enc.damage(["Ada", "Cy"], 2)
    enc.do("Ada", "help")
    for _ in range(3):
        enc.end_turn()
    assert ck.Tracker(enc).view["announce"].endswith("Ada may give heart to Cy, Bo or themselves.")
