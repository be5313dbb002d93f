"""What a seat is kept from learning by roundabout ways: a pause, guessed names, numbers, the server's own log."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path

import pytest

import combatkit as ck
from combatkit.share import Room
from tests.share_client import Page
from tests.windows_asked import seated

SYSTEMS = tuple(ruleset.id for ruleset in ck.rulesets())


def welcomed(room: Room, url: str) -> str:
    """Give all that a page is told as it comes."""
    with Page(room, url.partition("#")[2]) as page:
        return json.dumps(page.until("welcome"))


# ── a pause ──


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_pause_hides_what_comes_in_from_new_and_returning_pages(system: str, tmp_path: Path) -> None:
    enc = ck.Encounter(system, seed=5, journal=tmp_path / "p.combat")
    enc.add("Mara", side="red"), enc.add("Ossik", side="red"), enc.start()
    room = enc.share()
    anna = room.seat("Anna", plays=["Mara"])
    with Page(room, anna) as page:
        page.until("welcome")
        room.pause()
        enc.join("Ambusher", side="black", npc=True)
        enc.damage("Mara", 1)
        new = [room.seat("Ben", plays=["Ossik"]), room.screen()]
        told = [welcomed(room, seat.url) for seat in (anna, *new)]
        assert not any("Ambusher" in words or "black" in words for words in told)
        assert all('"room": "paused"' in words for words in told)
        room.pause()  # again: it is the same pause
        assert "Ambusher" not in welcomed(room, room.renew("Ben").url)
    room.close()
    enc.close()
    enc = ck.Encounter.open(tmp_path / "p.combat")
    with enc.share() as room:
        assert room.paused
        assert "Ambusher" not in welcomed(room, anna.url)
        with Page(room, anna) as page:
            page.until("welcome")
            room.pause(False)
            while "Ambusher" not in page.raw[-1]:
                assert page.hear() is not None
            now = page.views
        assert "Ambusher" in welcomed(room, anna.url)
        with Page(room, anna) as page:
            page.until("welcome")
            assert {part: {**view, "revision": 0} for part, view in page.views.items()} == {
                part: {**view, "revision": 0} for part, view in now.items()
            }
    enc.close()


# ── the server's own log ──


def test_no_token_is_logged_at_any_level(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(1)
    loggers = [
        logging.getLogger(name) for name in ("uvicorn", "uvicorn.error", "uvicorn.asgi", "websockets", "asyncio")
    ]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(1)
    enc = ck.Encounter("saga", seed=5)
    enc.add("Mara", side="red")
    with enc.share() as room:
        seat = room.seat("Anna", plays=["Mara"])
        code = room.code("Anna")
        welcomed(room, seat.url)
        with Page(room, seat, hello={"kind": "pair", "code": code}) as page:
            token = page.until("paired")["token"]
    for logger, level in zip(loggers, before, strict=True):
        logger.setLevel(level)
    server = [record for record in caplog.records if not record.name.startswith("websockets.client")]
    assert server, "something is logged"
    words = "\n".join(f"{record.getMessage()} {record.exc_text}" for record in server)
    for secret in (seat.url.partition("#")[2], code, token):
        assert secret not in words


# ── guessed names ──


def guessed(system: str) -> ck.Encounter:
    """Give a fight in Mara's turn in which Guard 3 of the bandits is hidden, and nobody is called Guard 4."""
    enc = ck.Encounter(system, seed=5)
    enc.add("Mara", side="red", level=20) if system == "saga" else enc.add("Mara", side="red")
    enc.add("Guard", side="black", count=2, npc=True)
    enc.add("Guard 3", side="bandits", npc=True, group="Wolves")
    enc.condition("Guard 3", "hidden")
    enc.start()
    for _ in range(30):
        if enc.active == "Mara":
            break
        enc.resolve() if enc.pending else enc.end_turn()
    return enc


def attack_of(enc: ck.Encounter) -> str:
    """Give an attack that is Mara's to make."""
    attacks = [option.action for option in enc.options("Mara") if option.allowed and "target" in option.needs]
    return attacks[0] if attacks else "attack"


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(("hidden", "nobody"), [("Guard 3", "Guard 4"), ("bandits", "banditz"), ("Wolves", "Wolvez")])
def test_of_somebody_hidden_the_server_says_what_it_says_of_nobody(system: str, hidden: str, nobody: str) -> None:
    enc = guessed(system)
    attack = attack_of(enc)
    before = enc.digest
    with enc.share() as room, Page(room, room.seat("Anna", plays=["Mara"])) as page:
        page.until("welcome")

        def told(**content: object) -> str:
            said = []
            for name in (hidden, nobody):
                message = json.loads(json.dumps(content).replace("NAME", name))
                answer = {key: value for key, value in page.ask(**message).items() if key != "id"}
                said.append(json.dumps(answer).replace(name, "NAME"))
            # What is nearest to a word depends on its letters: it is looked at below.
            bare = [re.sub(r": (did you mean|give one of) [^\"]*", "", words) for words in said]
            assert bare[0] == bare[1]
            return said[0]

        do = {"kind": "do", "name": "Mara"}
        ask = {"kind": "choices", "name": "Mara"}
        refused = [
            told(**do, action=attack, target="NAME"),
            told(**do, action=attack, params={"target": "NAME"}),
            told(**do, action=attack, target="Guard 1", note=f"NAME{9999 * '!'}"),
            told(**do, action=attack, target="Guard 1", rolls={"NAME": 3}),
            told(**do, action=attack, target="Guard 1", params={"NAME": 1}),
            told(**do, action=attack, target="Guard 1", params={"weapon": "NAME", "trigger": {"actor": "NAME"}}),
            told(**do, action="NAME"),
            told(kind="do", name="NAME", action=attack),
            told(kind="look", name="NAME"),
            told(kind="pass", name="NAME"),
            told(kind="roll", name="NAME", faces=[3]),
            told(kind="rule", rule="NAME"),
            told(kind="NAME"),
            told(kind="resolve", answer="NAME"),
            told(kind="choices", name="NAME", action=attack),
            told(**ask, action="NAME"),
        ]
        assert all('"refused"' in words and "settle" not in words for words in refused), refused
        told(**ask, action=attack, params={"target": "NAME"})
        told(**ask, action=attack, params={"trigger": {"actor": "NAME"}})
        told(**ask, action=attack, params={"trigger": "NAME comes"})
        told(**ask, action=attack, params={"weapon": "NAME"}, rolls={"NAME": [3]})
        assert "did you mean 'Guard 2' or 'Guard 1'" in refused[0] or hidden != "Guard 3"
    assert enc.digest == before


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("words", ["I listen for bandits", "Guard 3", "is it Guard 3, of the bandits?"])
def test_a_players_own_words_stay_theirs(system: str, words: str) -> None:
    enc = guessed(system)
    with enc.share() as room:
        pages = [Page(room, room.seat("Anna", plays=["Mara"])), Page(room, room.screen())]
        for page in pages:
            page.until("welcome")
        option = next(o for o in enc.options("Mara") if o.allowed and not o.needs)
        pages[0].send({"kind": "do", "name": "Mara", "action": option.action, "note": words})
        for page in pages:
            page.until("delta")
            line = [line for line in page.views["log"]["lines"].values() if {"note": words} in line["text"]]
            assert [each["actor"] for each in line] == ["Mara"]
        assert json.dumps(pages[0].views["tracker"].get("result", "")).count("somebody") == 0
        for page in pages:
            page.close()
    assert words in enc.log(view="players").markdown
    # The GM's own words are not told, with or without a name.
    assert (
        "Guard 3 waits"
        not in [enc.condition("Mara", "prone", note="Guard 3 waits"), enc.log(view="players").markdown][1]
    )


def test_what_is_readied_on_a_players_own_words_is_kept_and_shown() -> None:
    enc = guessed("saga")
    with enc.share() as room, Page(room, room.seat("Anna", plays=["Mara"])) as page:
        page.until("welcome")
        for words in ("Guard 3", "the bandits come"):
            page.send(
                {"kind": "do", "name": "Mara", "action": "ready", "params": {"action": "attack", "trigger": words}}
            )
            page.until("delta")
            (row,) = [row for row in page.views["ladder"]["rows"].values() if row["name"] == "Mara"]
            assert words in json.dumps(row["sub"]) or f"{words}" in json.dumps(row)
            assert words in json.dumps(page.views["log"]["lines"])
            enc.undo()
            page.settled()


def test_a_trigger_of_the_gms_that_names_who_is_hidden_now_is_no_players_own_words() -> None:
    enc = guessed("saga")
    enc.condition("Guard 3", "hidden", off=True)
    enc.do("Mara", "ready", action="attack", trigger={"actor": "Guard 3"})
    assert "Guard 3" in enc.log(view="players").markdown
    enc.condition("Guard 3", "hidden")
    tracker = ck.Tracker(enc, view="players")
    assert "Guard 3" not in enc.log(view="players").markdown + json.dumps(
        [tracker.view, tracker.log.view, tracker.ladder.view]
    )
    tracker.close()


def test_nearest_names_in_a_players_view_are_those_to_be_seen() -> None:
    enc = guessed("saga")
    tracker = ck.Tracker(enc, view="players")
    from combatkit.widgets._intents import hear

    said = hear(tracker._vantage, {"kind": "look", "name": "Guard 4"})
    assert said is not None
    assert "'Guard 2'" in said["reason"]
    assert "'Guard 3'" not in said["reason"]
    tracker.close()


# ── places ──


@pytest.mark.parametrize("readied", [False, True])
@pytest.mark.parametrize("place", [{}, {"to": [4, 0]}])
def test_a_charge_does_not_go_round_somebody_hidden(place: dict[str, object], readied: bool) -> None:
    """A charge that names no place goes where its player is told, or nowhere, as one that names it."""
    enc = ck.Encounter("saga", seed=1, options={"charge": "standard"})
    enc.add("Mara", side="red", attack_bonus=5, at=(0, 0))
    enc.add("Vex", side="blue", defense=12, npc=True, at=(5, 0))
    enc.add("Lurk", side="blue", npc=True, at=(4, 0))
    enc.start(rolls={"Mara": 20, "Vex": 10, "Lurk": 1})
    enc.condition("Lurk", "hidden")
    if readied:
        enc.do("Mara", "ready", action="charge", trigger={"actor": "Vex"})
        enc.end_turn()
        enc.do("Vex", "draw_weapon")
    wish = {"kind": "do", "name": "Mara", "action": "use_readied" if readied else "charge", "target": "Vex"}
    anna = seated(enc, Anna="Mara")["Anna"]
    refused = anna._answer({**wish, "params": place})
    assert refused is not None
    assert refused["reason"] == "Your GM has to settle that: ask them."
    enc.place("Lurk", at=(9, 9))
    assert anna._answer({**wish, "params": place}) is None
    assert enc["Mara"].position == (4, 0)


# ── numbers ──


def evening(system: str, lurks: bool) -> ck.Encounter:
    """Play a fight in which somebody hidden lives through as much as anybody, or nobody is hidden."""
    enc = ck.Encounter(system, id="docks", seed=5)
    enc.add("Mara", side="red")
    enc.add("Vex", side="blue", npc=True)
    enc.start()
    if lurks:
        enc.join("Lurk", side="black", npc=True, conditions=["hidden"])
    enc.join("Late", side="blue", npc=True)
    for number in range(6):
        if lurks:
            enc.condition("Lurk", "prone", off=bool(number % 2))
            enc.damage("Lurk", 1, note="a scratch")
        enc.damage("Mara", 1)
        enc.condition("Vex", "prone", off=bool(number % 2))
    enc.undo()
    return enc


def numbers(enc: ck.Encounter, folder: Path) -> list[object]:
    """Give the numbers of what players are shown: lines, headings, rungs, the moments of a saved page, the wire."""
    tracker = ck.Tracker(enc, view="players")
    log, ladder = tracker.log.view, tracker.ladder.view
    tracker.close()
    written = enc.to_html(folder / "seen.html", view="players").read_text(encoding="utf-8")
    saved = json.loads(written.partition('id="record">')[2].partition("</script>")[0])
    found = [
        *([*log[key]] for key in ("lines", "heads")),
        *(log[key] for key in ("first", "last", "cursor")),
        [line["seq"] for line in log["lines"].values()],
        sorted(ladder["order"]),
        [written.partition("<p>")[2].partition("</p>")[0], len(saved["steps"])],
        [[*saved["lines"]], [*saved["heads"]], saved["rounds"], saved["opens"]],
    ]
    with enc.share() as room, Page(room, room.seat("Anna", plays=["Mara"])) as page:
        page.until("welcome")
        lines = page.ask("log", **{"from": 1, "to": 10_000})
        assert list(lines["lines"].values()) == list(page.views["log"]["lines"].values())
        some = page.ask("log", **{"from": 3, "to": 5})["lines"]
        assert [*some.items()] == [*lines["lines"].items()][2:5]
        found += [[*lines["lines"]], [*lines["heads"]]]
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_number_tells_that_somebody_is_hidden(system: str, tmp_path: Path) -> None:
    lurked, quiet = evening(system, True), evening(system, False)
    assert len(lurked._events) > len(quiet._events) + 12
    assert numbers(lurked, tmp_path) == numbers(quiet, tmp_path)
    lurked.condition("Lurk", "hidden", off=True)
    lines = numbers(lurked, tmp_path)[0]
    assert lines == [str(number) for number in range(1, len(lines) + 1)]  # type: ignore[arg-type]
