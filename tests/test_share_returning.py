"""Pages that lose their connection, tap twice or are too many: each tap is answered, and none is done twice."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import combatkit as ck
from combatkit.report.words import plain
from combatkit.share import Room, Seat
from combatkit.share.post import Post
from tests.share_client import Page
from tests.test_share import begun, fight, sharing
from tests.waiting import until
from tests.windows_asked import ap

SYSTEMS = [ruleset.id for ruleset in ck.rulesets()]


shared = pytest.fixture(sharing)


def phone(room: Room, seat: Seat, *missed: int, name: str = "phone") -> Page:
    """Open a page under a name of its own; it asks what became of some numbers."""
    token = seat.url.partition("#")[2]
    page = Page(room, seat, hello={"kind": "hello", "token": token, "page": name, "open": [*missed]})
    page.until("welcome")
    return page


def moment(page: Page) -> int:
    """Give the moment that a page shows."""
    return int([each["moment"] for each in page.got if "moment" in each][-1])


def running(system: str) -> ck.Encounter:
    """Give a fight in which it is somebody's turn."""
    enc = fight(system)
    enc.start()
    while enc.active is None:
        (enc.resolve if enc.pending else enc.end_turn)()
    return enc


def turns(enc: ck.Encounter) -> int:
    """Count the turns that have ended and were not taken back."""
    return sum(event.kind == "turn_end" for event in enc._timeline.now.log)


@pytest.mark.parametrize("who", ["seat", "gm"])
def test_every_intent_is_answered_once_its_outcome_is_shown(shared: Callable[..., Room], who: str) -> None:
    room = shared()
    with Page(room, room.seat("Anna", plays=["Mara"]) if who == "seat" else room.gm()) as page:
        page.until("welcome")
        assert page.ask("do", name="Mara", action="move") == {"kind": "done", "id": 1}
        assert [each["kind"] for each in page.got] == ["welcome", "delta", "done"]
        assert page.ask("do", name="Mara", action="nonsense")["kind"] == "refused"
        assert page.ask("rule", rule="saga.std.one")["kind"] == "rule"
        assert page.ask("look", name="Mara")["kind"] == "done"


def test_what_comes_twice_is_done_once_by_whichever_connection(shared: Callable[..., Room]) -> None:
    room = shared(running("ap"))
    enc = room.encounter
    anna = room.seat("Anna", plays=[enc.active or ""])
    tap = {"kind": "end_turn", "id": 9}
    with phone(room, anna) as page:
        for _ in range(2):
            page.send(tap)
            assert page.until("done", "refused") == {"kind": "done", "id": 9}
        page.send({**tap, "id": 10})
        refused = page.until("refused")
    with phone(room, anna, 9, 10, 11, name="phone") as page:
        assert [page.hear() for _ in range(3)] == [{"kind": "done", "id": 9}, refused, {"kind": "unsent", "id": 11}]
        page.send(tap)
        assert page.until("done", "refused") == {"kind": "done", "id": 9}
    with phone(room, anna, 9, name="another") as page:
        assert page.hear() == {"kind": "unsent", "id": 9}
        page.send(tap)
        assert page.until("done", "refused")["kind"] == "refused"
    assert turns(enc) == 1


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("who", ["seat", "gm"])
def test_two_taps_never_end_two_turns(shared: Callable[..., Room], system: str, who: str) -> None:
    enc = running(system)
    room = shared(enc)
    seat = room.seat("Anna", plays=enc.names) if who == "seat" else room.gm()
    with Page(room, seat) as one, Page(room, seat) as two:
        one.until("welcome")
        two.until("welcome")
        before, tap = turns(enc), {"kind": "end_turn", "moment": moment(one)}
        one.send({**tap, "id": 1})
        assert one.until("done", "refused")["kind"] == "done"
        for page in (one, two):
            page.send({**tap, "id": 2})
            assert page.until("done", "refused")["reason"].startswith("Not done: the fight went on.")
        assert turns(enc) == before + 1
        two.settled()
        if enc.active is not None and not enc.pending:
            two.send({"kind": "end_turn", "moment": moment(two), "id": 3})
            assert two.until("done", "refused")["kind"] == "done"


@pytest.mark.parametrize("kind", ["undo", "redo"])
def test_the_gms_undo_takes_back_what_stood_last_when_it_was_tapped(shared: Callable[..., Room], kind: str) -> None:
    enc = running("ap")
    name = enc.active or ""
    enc.temporary(name, 3)
    if kind == "redo":
        enc.temporary(name, 4)
        enc.undo()
    room = shared(enc)
    with Page(room, room.gm()) as page:
        page.until("welcome")
        then = moment(page)
        (enc.undo if kind == "redo" else enc.next_round)()
        before = len(enc._events)
        page.send({"kind": kind, "moment": then, "id": 1})
        assert page.until("done", "refused")["reason"].startswith("Not done: the fight went on.")
        assert len(enc._events) == before
        page.settled()
        page.send({"kind": kind, "moment": moment(page), "id": 2})
        assert page.until("done", "refused")["kind"] == "done"


def test_two_taps_never_do_two_things_and_a_word_of_the_gms_stops_none(shared: Callable[..., Room]) -> None:
    room = shared(running("ap"))
    enc = room.encounter
    mine = enc.active or ""
    with Page(room, room.seat("Anna", plays=[mine])) as page:
        page.until("welcome")
        enc.temporary(mine, 3)
        tap = {"kind": "do", "name": mine, "action": "dash", "moment": moment(page)}
        page.send({**tap, "id": 1})
        page.send({**tap, "id": 2})
        assert page.until("done", "refused") == {"kind": "done", "id": 1}
        assert page.until("done", "refused")["reason"].startswith("Not done: the fight went on.")


def test_a_tap_waits_while_the_gm_is_busy_whether_its_page_stays_or_not(shared: Callable[..., Room]) -> None:
    room = shared()
    enc = room.encounter
    anna = room.seat("Anna", plays=["Mara"])
    with phone(room, anna) as page:
        room.busy.work()
        assert page.until("room")["state"] == "busy"
        page.send({"kind": "do", "name": "Mara", "action": "move", "id": 4, "moment": moment(page)})
        page.send({"kind": "ping"})
        assert page.hear() == {"kind": "pong"}
    with phone(room, anna, 4) as page:
        page.send({"kind": "ping"})
        assert page.hear() == {"kind": "pong"}, "it is known, and waits: neither done nor unsent"
        room.busy.end()
        assert page.until("done", "unsent", "refused") == {"kind": "done", "id": 4}
    assert [event.kind for event in enc._timeline.now.log].count("action") == 1


def test_what_the_busy_gm_has_gone_past_is_not_done(shared: Callable[..., Room]) -> None:
    room = shared()
    enc = room.encounter
    with Page(room, room.seat("Anna", plays=["Mara", "Ossik"])) as page:
        page.until("welcome")
        room.busy.work()
        page.send({"kind": "end_turn", "id": 1, "moment": moment(page)})
        enc.end_turn()
        room.busy.end()
        assert page.until("done", "refused")["reason"].startswith("Not done: the fight went on.")
    assert enc.active == "Ossik"


def test_a_pause_in_a_long_cell_shows_what_the_cell_did_before_it(shared: Callable[..., Room]) -> None:
    room = shared()
    enc = room.encounter
    anna, ben = room.seat("Anna", plays=["Mara"]), room.seat("Ben", plays=["Ossik"])
    with Page(room, anna) as page:
        page.until("welcome")
        room.busy.work()
        enc.end_turn()
        room.pause()
        enc.join("Ambusher", side="black", npc=True)
        room.busy.end()
        page.send({"kind": "ping"})
        page.until("pong")
        with Page(room, ben) as other:
            other.until("welcome")
        titles = [each.views["tracker"]["turn"]["title"] for each in (page, other)]
        assert titles == ["Ossik's turn", "Your turn"]
        assert not any("Ambusher" in words for words in (*page.raw, *other.raw))


def test_a_page_with_much_to_ask_after_is_told_all_of_it(shared: Callable[..., Room]) -> None:
    room = shared()
    anna = room.seat("Anna", plays=["Mara"])
    with phone(room, anna, *range(100)) as page:
        assert [page.hear() for _ in range(64)] == [{"kind": "unsent", "id": number} for number in range(64)]
        assert page.ask("rule", rule="saga.std.one")["kind"] == "rule"


def test_a_slow_page_gets_its_answers_none_the_less(shared: Callable[..., Room]) -> None:
    room = shared()
    with Page(room, room.seat("Anna", plays=["Mara"])) as page:
        page.until("welcome")
        (client,) = room.posts["Anna"].pages

        def crowd() -> None:
            client.say({"kind": "done", "id": 7})
            for _ in range(40):
                client.push('{"kind": "delta"}')
            client.say({"kind": "done", "id": 8})

        room.later(crowd)
        assert [page.until("full")["kind"], *(page.until("done")["id"] for _ in range(2))] == ["full", 7, 8]


# ── where the GM confirms ──


def test_a_request_outlives_its_page_and_what_became_of_it_is_said(shared: Callable[..., Room]) -> None:
    room = shared(ask=True)
    enc = room.encounter
    anna = room.seat("Anna", plays=["Mara"])
    for number, yes in ((1, False), (2, True)):
        with phone(room, anna) as page:
            page.send({"kind": "do", "name": "Mara", "action": "move", "id": number})
            page.until("room")
        with phone(room, anna, number) as page:
            assert page.got[0]["room"] == "asking"
            assert page.got[0]["about"] == "Mara moves"
            (room.confirm if yes else room.decline)()
            answer = page.until("done", "refused")
            assert (answer["kind"], answer["id"]) == ("done" if yes else "refused", number)
    with phone(room, anna, name="before a reload") as page:
        page.send({"kind": "end_turn", "id": 3})
        page.until("room")
    until(lambda: not room.posts["Anna"].pages, "the page has gone")
    room.confirm()
    until(lambda: enc.active == "Ossik", "it is done, though nobody looks")
    with phone(room, anna, name="after it") as page:
        assert page.until("told")["words"] == "You asked: Mara ends the turn. Your GM confirmed it."
    assert room.requests == ()


@pytest.mark.parametrize("numbered", [{"id": 1}, {}], ids=["numbered", "without a number"])
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "You asked: Mara attacks Guard 2, miss. Your GM says no."),
        ("de", "Deine Anfrage: Mara greift Guard 2 an, verfehlt. Die SL sagt nein."),
    ],
)
def test_a_no_that_nobody_was_there_for_is_told_once(
    shared: Callable[..., Room], language: str, words: str, numbered: dict[str, int]
) -> None:
    room = shared(begun(language=language), ask=True)
    anna = room.seat("Anna", plays=["Mara"])
    with phone(room, anna) as page:
        wish = {"name": "Mara", "action": "attack", "target": "Guard 2", "params": {"outcome": "miss"}}
        page.send({"kind": "do", **numbered, **wish})
        page.until("room")
    until(lambda: not room.posts["Anna"].pages, "the page has gone")
    room.decline()
    until(lambda: bool(room.posts["Anna"]._untold), "it is kept for whoever comes")
    with phone(room, anna, name="after it") as page:
        assert page.until("told")["words"] == words


def test_one_thing_is_asked_at_a_time_and_questions_are_answered_meanwhile(shared: Callable[..., Room]) -> None:
    room = shared(ask=True)
    with Page(room, room.seat("Anna", plays=["Mara"])) as page:
        page.until("welcome")
        page.send({"kind": "end_turn", "id": 50})
        page.until("room")
        assert page.ask("rule", rule="saga.std.one")["kind"] == "rule"
        assert page.ask("end_turn")["reason"] == "Your GM has not answered yet: Mara ends the turn."
        assert len(room.requests) == 1
        room.revoke("Anna")
        until(lambda: not room.requests, "a seat that is closed asks for nothing")


# ── too many pages ──


def test_the_oldest_page_goes_where_there_are_too_many(shared: Callable[..., Room]) -> None:
    room = shared()
    anna = room.seat("Anna", plays=["Mara"])
    pages = [phone(room, anna, name=str(number)) for number in range(9)]
    assert pages[0].until("room")["state"] == "crowded"
    assert (pages[0].hear(), pages[0].code) == (None, 4002)
    assert len(room.posts["Anna"].pages) == 8
    back = phone(room, anna, name="5")  # a ghost of its own gives way first
    assert (pages[5].until("room")["state"], len(room.posts["Anna"].pages)) == ("crowded", 8)
    assert back.ask("rule", rule="saga.std.one")["kind"] == "rule"
    assert pages[1].ask("rule", rule="saga.std.one")["kind"] == "rule"
    for page in (*pages, back):
        page.close()


def test_a_class_of_thirty_sees_the_tables_screen(shared: Callable[..., Room]) -> None:
    room = shared()
    screen = room.screen()
    pages = [phone(room, screen, name=str(number)) for number in range(30)]
    room.encounter.end_turn()
    for page in pages:
        page.until("delta")
        page.close()


# ── somebody hidden ──


def test_shared_in_the_turn_of_somebody_hidden_it_waits_and_does_not_spin(
    shared: Callable[..., Room], monkeypatch: pytest.MonkeyPatch
) -> None:
    enc = fight()
    enc.condition("Guard 1", "hidden")
    enc.start(rolls={"Guard 1": 20, "Mara": 15, "Ossik": 9, "Guard 2": 4})
    heard: list[object] = []
    carry_out = Post.hear

    def hear(post: Post, content: object) -> object:
        heard.append(content)
        return carry_out(post, content)

    monkeypatch.setattr(Post, "hear", hear)
    room = shared(enc)
    with Page(room, room.seat("Anna", plays=["Mara"])) as page:
        assert page.until("welcome")["room"] == "busy"
        page.send({"kind": "do", "name": "Mara", "action": "move", "id": 90, "moment": moment(page)})
        for _ in range(20):
            page.send({"kind": "ping"})
            assert page.hear() == {"kind": "pong"}
        assert heard == []
        enc.end_turn()
        assert page.until("done", "refused")["reason"].startswith("Not done: the fight went on.")
        assert page.ask("do", name="Mara", action="move")["kind"] == "done"
    assert len(heard) <= 3


def test_in_the_turn_of_somebody_hidden_a_form_opens_and_what_comes_too_late_is_told(
    shared: Callable[..., Room],
) -> None:
    """Also to whoever has opened the page anew meanwhile; of who has acted nothing is told."""
    enc = fight()
    enc.condition("Guard 1", "hidden")
    enc.start(rolls={"Guard 1": 5, "Mara": 15, "Ossik": 9, "Guard 2": 4})
    enc.do("Mara", "delay")
    enc.end_turn()
    assert enc.active == "Guard 1"
    room = shared(enc)
    anna = room.seat("Anna", plays=["Mara"])
    with phone(room, anna) as page:
        asked = page.ask("choices", name="Mara", action="act_now", moment=moment(page))
        assert asked["ruling"]["allowed"], "it is the fight as players know it"
        page.send({"kind": "do", "name": "Mara", "action": "act_now", "id": 9, "moment": moment(page)})
        page.send({"kind": "ping"})
        assert page.until("pong", "refused") == {"kind": "pong"}
    with phone(room, anna, name="anew") as page:
        enc.do("Guard 1", "attack", target="Mara", rolls={"attack": [1]})
        enc.end_turn()
        assert page.until("told")["words"] == "Not done: the fight went on. Do it again if you still want it."
        page.send({"kind": "do", "name": "Mara", "action": "act_now", "id": 10, "moment": moment(page)})
        assert page.until("done", "refused") == {"kind": "done", "id": 10}
        page.send({"kind": "end_turn", "id": 11, "moment": moment(page) - 1})
        assert page.until("refused")["late"], "it stays in sight"


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_gm_plays_somebody_hidden_on_a_screen_of_their_own(shared: Callable[..., Room], system: str) -> None:
    enc = running(system)
    name = enc.active or ""
    enc.condition(name, "hidden")
    room = shared(enc)
    with Page(room, room.gm()) as page, Page(room, room.screen()) as screen:
        assert page.until("welcome")["room"] == "open"
        assert screen.until("welcome")["room"] == "busy"
        before = turns(enc)
        page.send({"kind": "end_turn", "moment": moment(page), "id": 1})
        assert page.until("done", "refused") == {"kind": "done", "id": 1}
        assert turns(enc) == before + 1
        room.pause()
        page.send({"kind": "choose", "what": "paused", "on": False, "id": 2})
        assert page.until("done") == {"kind": "done", "id": 2}
        assert not room.paused


def test_who_is_gone_is_marked_and_told_what_the_gm_did_for_them() -> None:
    enc = ap()
    gm = ck.Tracker(enc)

    def offline() -> set[str]:
        return {row["name"] for row in gm.ladder.view["rows"].values() if "away" in row}

    with enc.share() as room:
        anna, ben = room.seat("Anna", plays=["Mara"]), room.seat("Ben", plays=["Ilya"])
        assert not offline(), "who has never come is not gone"
        with phone(room, anna) as page, phone(room, ben):
            assert page.ask("pass", name="Mara")["kind"] == "done"
        until(lambda: offline() == {"Mara", "Ilya"}, "both are marked")
        assert "Waiting for Ben (offline)." in plain(gm.view["windows"][0]["sub"])
        enc.resolve()
        while enc.active != "Mara":
            enc.end_turn()
        enc.do("Mara", "dash")
        enc.undo()
        enc.end_turn()
        told = {}
        for name, seat in (("Anna", anna), ("Ben", ben)):
            with phone(room, seat) as page:
                told[name] = page.until("told")["words"]
        assert told == {"Anna": "Your GM ended your turn.", "Ben": "Your GM let it go for you."}
        assert room._problems == []


def test_a_second_tap_that_came_too_late_reads_that_the_turn_has_ended(shared: Callable[..., Room]) -> None:
    enc = running("saga")
    room = shared(enc)
    seat = room.seat("Anna", plays=[enc.active or ""])
    with Page(room, seat) as one, Page(room, seat) as two:
        one.until("welcome")
        two.until("welcome")
        tap = {"kind": "end_turn", "moment": moment(one), "id": 1}
        one.send(tap)
        two.send(tap)
        answers = [page.until("done", "refused") for page in (one, two)]
    assert sorted(each.get("reason", "") for each in answers) == ["", "Your turn has ended already."]
    assert turns(enc) == 1
