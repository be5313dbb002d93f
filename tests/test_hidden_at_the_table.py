"""What is told at a table while somebody is hidden: nothing that only they explain, all that is theirs."""

from __future__ import annotations

import json
from typing import Any

import pytest

import combatkit as ck
from combatkit.report.words import plain
from combatkit.widgets._passing import let_go
from combatkit.widgets._seat import SeatBudget, SeatVantage, seat_tracker
from combatkit.widgets._seat_rights import hear_seat
from combatkit.widgets._table import table_of
from combatkit.widgets._tracker_view import tracker_view
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.log import log_view
from tests.share_client import Page

SYSTEMS = tuple(ruleset.id for ruleset in ck.rulesets())


def seat(enc: ck.Encounter, plays: str = "Mara") -> SeatVantage:
    """Give a seat at a fight."""
    table_of(enc).plays["Anna"] = (plays,)
    return SeatVantage(enc, "Anna")


def told(vantage: SeatVantage) -> str:
    """Give what the seat's controls and log say now."""
    return json.dumps(vantage.sealed.seal([seat_tracker(vantage), log_view(vantage)]))


# ── questions to the GM that are about several ──


def leaving(*near: str) -> ck.Encounter:
    """Give a fight of hexes in which Mara goes away from some, of whom Lurk is hidden."""
    enc = ck.Encounter("phases", seed=5)
    enc.add("Mara", side="party", combat_value=9)
    for name in near:
        shown: dict[str, Any] = {"shown_as": "a masked woman"} if name == "Vex" else {}
        enc.add(name, side="town", npc=True, **shown)
    enc.condition("Lurk", "hidden")
    enc.start()
    for name, at in zip(("Mara", *near), ((0, 0), (-1, 0), (1, 0)), strict=False):
        enc.place(name, at=at)
    while enc.active != "Mara":
        (enc.resolve if enc.pending else enc.end_turn)()
    enc.do("Mara", "half_move", to=(0, 3))
    return enc


def test_a_question_about_several_names_those_who_are_seen() -> None:
    enc = leaving("Vex", "Lurk")
    assert "may Lurk and Vex attack?" in enc.pending[0].about
    anna = seat(enc)
    assert "may a masked woman attack?" in seat_tracker(anna)["windows"][0]["title"]
    assert "somebody" not in told(anna)
    enc.resolve(answer="failed")
    assert "Lurk" not in told(anna)


def test_of_several_who_fall_at_once_those_are_told_of_who_are_seen() -> None:
    enc = ck.Encounter("d6", id="fates", seed=1)
    for name, rank in (("Mara", 3), ("Bo", 2), ("Ada", 1)):
        enc.add(name, side="rebels", resolve=6, initiative=rank)
    enc.start(rolls={"Mara": 6, "Bo": 6, "Ada": 6})
    enc.condition("Bo", "hidden")
    enc.damage(["Mara", "Bo", "Ada"], 6)
    enc.damage(["Mara", "Bo", "Ada"], 2)
    mara, ada = (f"{name} is Wounded and takes damage again, 2" for name in ("Mara", "Ada"))
    assert ck.Tracker(enc, view="players").view["windows"][0]["title"] == f"{mara}; {ada}."
    enc.do("Ada", "desperate_push", rolls={"push": [4, 4]})
    assert ck.Tracker(enc, view="players").view["windows"][0]["title"] == f"{mara}."


def test_a_question_about_nobody_to_be_seen_is_none() -> None:
    enc = leaving("Lurk")
    assert enc.pending[0].who == "GM"
    anna = seat(enc)
    assert anna.waits
    assert not seat_tracker(anna)["windows"]
    enc.resolve(answer="negated")
    assert not any(words in told(anna) for words in ("somebody", "GM decides", "no attack"))


def test_whoever_left_the_hex_of_somebody_hidden_plays_on_and_sees_their_ways() -> None:
    enc = leaving("Vex", "Lurk")
    enc.resolve(answer="failed")
    while enc.pending:
        enc.resolve()
    assert enc.active == "Mara"
    assert enc.ways("Mara", (0, 4), view="players") == enc.ways("Mara", (0, 4))
    assert enc.ground("Mara", view="players").threats == enc.ground("Mara").threats
    for view in (ck.Tracker(enc, view="players"), ck.Map(enc, view="players")):
        assert "Lurk" not in json.dumps(view.view)
    assert "Lurk" not in told(seat(enc))


def test_a_tie_with_nobody_to_be_seen_is_none() -> None:
    enc = ck.Encounter("d6", seed=5, options={"npc_ties": "gm"})
    enc.add("Mara", side="party")
    enc.add("Guard", side="town", npc=True)
    enc.add("Lurk", side="town", npc=True)
    enc.condition("Lurk", "hidden")
    enc.start(rolls={"Mara": 6})
    assert enc.pending[0].choices == ("Guard", "Lurk")
    anna = seat(enc)
    assert anna.waits
    assert not seat_tracker(anna)["windows"]
    enc.resolve(answer="Guard")
    assert "GM decides" not in told(anna)


# ── the order ──


LOW: dict[str, dict[str, Any]] = {"d6": {"initiative": -1}, "phases": {"combat_value": 1}}
HIGH: dict[str, dict[str, Any]] = {"phases": {"combat_value": 5}}
SWORD, PIKE = ({"weapons": [{"name": name, "speed": speed}]} for name, speed in (("sword", 5), ("pike", 9)))
SCORES = {"Mara": 4, "Lurk": 4, "Vex": 2}


def ordered(system: str, *others: str, declares: str = "") -> ck.Encounter:
    """Give a fight in which Mara is tied with Lurk, who is hidden, and ahead of Vex."""
    enc = ck.Encounter(system, seed=5)
    for name in ("Mara", *others):
        stats: dict[str, Any] = (LOW if name == "Vex" else HIGH).get(system, {})
        if system == "segments":
            stats = PIKE if name == "Vex" else SWORD
        enc.add(name, side="party" if name == "Mara" else "town", npc=name != "Mara", **stats)
    if "Lurk" in others:
        enc.condition("Lurk", "hidden")
    tied = ["Mara", "Lurk"] if "Lurk" in others and system in ("saga", "ap", "phases") else None
    rolls = {name: SCORES[name] for name in enc.names} if system in ("saga", "ap") else None
    enc.start(rolls={"Mara": 3} if system == "d6" else rolls, ties=tied)
    if declares:
        enc.do("Mara", "declare", action=declares)
    if system == "segments":
        enc.end_turn(rolls={"party": [5], "town": [5]})
    return enc


@pytest.mark.parametrize("system", SYSTEMS)
def test_nobody_is_ahead_of_somebody_who_is_not_there(system: str) -> None:
    lurked, quiet = ordered(system, "Lurk", "Vex"), ordered(system, "Vex")
    told, known = ([(rung.combatant, rung.why) for rung in seat(each).now.order] for each in (lurked, quiet))
    assert told == known
    assert {rung.combatant: rung.why for rung in lurked.order}["Mara"] != dict(told)["Mara"]


# ── the turn of somebody hidden ──


def lurking(system: str = "saga") -> ck.Encounter:
    """Give a fight in Mara's turn, after which comes that of Lurk, who is hidden."""
    enc = ck.Encounter(system, id="docks", seed=5)
    hp: dict[str, Any] = {"hp": 20} if system in ("saga", "ap") else {}
    enc.add("Mara", side="party", **hp)
    enc.add("Ossik", side="party", **hp)
    enc.add("Guard", side="town", npc=True)
    enc.add("Lurk", side="town", npc=True)
    enc.condition("Lurk", "hidden")
    enc.start()
    for name, before in (("Guard", "Ossik"), ("Lurk", "Guard"), ("Mara", "Lurk")):
        enc.place(name, before=before)
    while enc.active != "Mara":
        (enc.resolve if enc.pending else enc.end_turn)()
    return enc


def test_in_the_turn_of_somebody_hidden_whoever_ended_theirs_reads_so_and_what_befalls_them() -> None:
    enc = lurking()
    with enc.share() as room:
        pages = [Page(room, room.seat("Anna", plays=["Mara"])), Page(room, room.seat("Ben", plays=["Ossik"]))]
        pages.append(Page(room, room.screen()))
        for page in pages:
            page.until("welcome")
        anna, ben, screen = pages
        anna.ask("end_turn")
        assert enc.active == "Lurk"
        for page in pages:
            while not page.views["tracker"]["turn"]["title"].startswith("Waiting"):
                page.hear()
        assert [page.views["tracker"]["turn"]["title"] for page in pages] == [
            "Waiting for your GM",
            "Waiting for your GM",
            "Waiting for the GM",
        ]
        assert anna.views["tracker"]["turn"]["sub"] == "You ended your turn."
        assert ben.views["tracker"]["turn"]["sub"] == "Mara ended their turn."
        assert [row["status"] for row in screen.views["ladder"]["rows"].values() if row["name"] == "Mara"] == ["acted"]
        enc.damage("Mara", 6, attacker="Lurk")
        for page in pages:
            page.until("delta")
            (row,) = (row for row in page.views["ladder"]["rows"].values() if row["name"] == "Mara")
            assert "14" in json.dumps(row)
            assert not any("Lurk" in words for words in page.raw)
        assert anna.views["tracker"]["hurt"] == "You are hit for 6, 14 left."
        enc.end_turn()
        for page in pages:
            page.settled()
            page.close()
        assert ben.views["tracker"]["turn"]["title"] == "Guard's turn"


def test_while_only_somebody_hidden_may_react_a_sheet_shows_what_was_spent_and_lost() -> None:
    enc = leaving("Lurk")
    enc.undo()
    enc.edit("Mara", stun=20)
    with enc.share() as room:
        pages = [Page(room, room.seat("Anna", plays=["Mara"])), Page(room, room.screen())]
        for page in pages:
            page.until("welcome")
        anna, screen = pages
        anna.ask("do", name="Mara", action="half_move", params={"to": [0, 3]})
        while {slot["id"]: slot.get("left") for slot in anna.views["budget"]["slots"]}["move"]:
            anna.hear()
        assert [offer.who for offer in enc.pending] == ["GM"]
        enc.resolve(answer="failed")
        enc.damage("Mara", 6)
        while "hurt" not in anna.views["tracker"]:
            anna.hear()
        assert [offer.who for offer in enc.pending] == ["Lurk"]
        assert anna.views["tracker"]["hurt"] == "You lose 6 stun, 14 left."
        assert not anna.views["tracker"]["windows"]
        assert screen.until("room", "delta")["state"] == "busy"  # who plays nobody is told no more
        enc.resolve()
        for page in pages:
            page.settled()
            page.close()
        assert not any("Lurk" in words for page in pages for words in page.raw)


def test_somebody_unseen_acts() -> None:
    enc = lurking("ap")
    enc.end_turn()
    enc.do("Lurk", "attack", target="Mara")
    anna = seat(enc)
    turn = seat_tracker(anna)["turn"]
    assert (turn["title"], turn["sub"]) == ("You may react", "Somebody acts")
    table_of(enc).plays["Screen"] = ()
    assert seat_tracker(SeatVantage(enc, "Screen"))["turn"]["title"] == "Somebody acts"


def test_who_waits_for_somebody_hidden_reads_what_stands_while_the_gm_types_dice() -> None:
    told = []
    for lurks in (True, False):
        enc = ck.Encounter("d6", id="docks", seed=7)
        gun = {"name": "gun", "attack": "3D", "damage": "2D", "type": "energy", "range": "long"}
        for name in ("Mara", "Guard", *(["Lurk"] * lurks)):
            enc.add(name, side="party" if name == "Mara" else "town", npc=name != "Mara", resolve=9, weapons=[gun])
        enc.condition("Lurk", "hidden") if lurks else None
        enc.start(rolls={"Mara": 6})
        for name in ("Mara", *(["Lurk"] * lurks)):
            enc.place(name, before="Guard")
        enc.next_round()
        for name in ("Mara", *(["Lurk"] * lurks)):
            while enc.active != name:
                enc.end_turn()
            enc.do(name, "hold", action="attack", target="Guard", trigger={"actor": "Guard"})
        while enc.active != "Guard":
            enc.end_turn()
        anna = seat(enc)
        enc.table_dice = not lurks
        enc.do("Guard", "attack", target="Mara", weapon="gun")
        let_go(anna, ["Mara"])
        assert enc.pending
        view = seat_tracker(anna)
        told.append([view["turn"]["sub"], view["windows"][0]["sub"], view["announce"]])
    assert told[0] == told[1]
    assert told[0][0] == "interrupted: waiting for the GM"


# ── attackers unseen, and who looks for them ──


def struck() -> tuple[ck.Encounter, SeatVantage, SeatVantage]:
    """Give a fight in which Lurk, who is hidden, attacks Mara, and the seats of Mara and Ossik."""
    enc = lurking("ap")
    enc.end_turn()
    enc.do("Lurk", "attack", target="Mara")
    table_of(enc).plays.update({"Anna": ("Mara",), "Ben": ("Ossik",)})
    return enc, SeatVantage(enc, "Anna"), SeatVantage(enc, "Ben")


def test_what_somebody_unseen_aims_at_another_is_not_aimed_at_oneself() -> None:
    _, anna, ben = struck()
    aside = ["aside" in json.dumps(SeatBudget()(each)["asked"]) for each in (anna, ben)]
    assert aside == [False, True]


def test_an_answer_goes_at_nobody_who_did_not_do_it() -> None:
    _, anna, _ = struck()
    form = hear_seat(anna, {"kind": "choices", "name": "Mara", "action": "counter_attack", "propose": True})
    assert form is not None
    target: Any = form["params"][0]
    assert (target["id"], target["values"], "proposed" in json.dumps(form)) == ("target", [], False)
    told = hear_seat(anna, {"kind": "do", "name": "Mara", "action": "counter_attack", "target": "Guard"})
    assert told is not None
    assert told["reason"].startswith("Mara doesn't see who did this.")


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize("system", ["ap", "phases"])
def test_what_an_attack_from_hiding_came_to_is_told_to_those_who_were_asked_about_it(system: str, asked: bool) -> None:
    for outcome in ("miss", "hit"):
        enc = lurking(system)
        attack = "strike" if system == "phases" else "attack"
        if system == "phases" and asked:
            enc.do("Mara", "ready", action="dodge", trigger="somebody strikes")
        elif system == "ap" and not asked:
            for name in ("Mara", "Ossik", "Guard"):
                enc.condition(name, "unconscious")
        enc.end_turn()
        enc.do("Lurk", attack, target="Mara", outcome=outcome)
        anna = seat(enc)
        assert bool(anna.asked) is asked
        while enc.pending:
            enc.resolve()
        assert (f"is attacked: {outcome}" in told(anna)) is asked
        result = seat_tracker(anna).get("result")
        assert result is not None
        assert (plain(result["text"]) == f"Mara is attacked: {outcome}.") is asked
        assert "Lurk" not in told(anna)


@pytest.mark.parametrize("system", ["saga", "ap", "segments", "phases"])
def test_the_gm_is_told_who_runs_into_somebody_hidden(system: str) -> None:
    enc = lurking(system) if system != "segments" else ordered(system, "Lurk", declares="move")
    while enc.active != "Mara":
        (enc.resolve if enc.pending else enc.end_turn)()
    enc.place("Mara", at=(0, 0))
    enc.place("Lurk", at=(1, 0))
    action = {"saga": "move", "ap": "dash", "segments": "move", "phases": "half_move"}[system]
    with enc.share() as room, Page(room, room.seat("Anna", plays=["Mara"])) as page:
        page.until("welcome")
        told = page.ask("do", name="Mara", action=action, params={"to": [1, 0]})
        assert told["kind"] == "refused"
        assert told["reason"] == page.ask("damage", names="Mara", amount=1)["reason"]
        (row,) = tracker_view(Vantage(enc))["ready"]
        assert row["who"] == "Anna"
        assert "Mara" in row["text"]
        assert "Lurk" in row["text"]
        assert not any("Lurk" in words for words in page.raw)


def test_what_the_gm_confirms_has_the_names_they_know() -> None:
    enc = ck.Encounter("saga", seed=5)
    enc.add("Mara", side="party")
    enc.add("Baron Vex", side="town", npc=True, shown_as="a hooded man")
    enc.start(rolls={"Mara": 20, "Baron Vex": 1})
    with enc.share(ask=True) as room, Page(room, room.seat("Anna", plays=["Mara"])) as page:
        page.until("welcome")
        page.send({"kind": "do", "id": 1, "name": "Mara", "action": "attack", "target": "a hooded man"})
        assert page.until("room")["about"] == "Mara attacks a hooded man"
        assert [each.words for each in room.requests] == ["Mara attacks Baron Vex"]
        assert tracker_view(Vantage(enc))["ready"][0]["text"] == "Mara attacks Baron Vex"
        room.decline()
        page.until("refused")
        assert not any("Vex" in words for words in page.raw)


# ── what the GM sees at a glance ──


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_gm_sees_a_sign_on_everybody_whom_players_see_otherwise(system: str) -> None:
    enc = ck.Encounter(system, seed=5)
    enc.add("Mara", side="party")
    enc.add("Baron Vex", side="town", npc=True, shown_as="a hooded man")
    enc.add("Lurk", side="town", npc=True)
    enc.condition("Lurk", "hidden")
    right = {"Baron Vex": "players see a hooded man", "Lurk": "players don't see them"}

    def signs(rows: Any) -> dict[str, str]:
        return {row["name"]: row["veil"] for row in rows if "veil" in row}

    tracker, players = ck.Tracker(enc), ck.Tracker(enc, view="players")
    assert signs(tracker.view["setup"]["combatants"]) == right
    assert ["hidden" in each["summary"] for each in tracker.view["setup"]["combatants"]] == [False, False, True]
    enc.start()
    for number, name in enumerate(enc.names):
        enc.place(name, at="docks" if system == "d6" else (number, 0))
    assert signs(tracker.ladder.view["rows"].values()) == right
    assert tracker.map is None or signs(tracker.map.view["tokens"].values()) == right
    assert "veil" not in json.dumps([part.view for part in (players, players.ladder, players.map) if part])
    tracker.close()
    players.close()


# ── who comes out of hiding ──


@pytest.mark.parametrize("system", SYSTEMS)
def test_whoever_comes_out_of_hiding_is_there_in_what_players_read(system: str) -> None:
    """By the name under which players know them; it is no result any more once it is undone."""
    enc = ck.Encounter(system, seed=5)
    enc.add("Mara", side="party")
    for name, shown in (("Lurk", None), ("Vex", "a masked woman")):
        enc.add(name, side="town", npc=True, conditions=["hidden"], shown_as=shown)
    enc.start()
    anna = seat(enc)
    for name, said in (("Lurk", "Lurk is there now."), ("Vex", "A masked woman is there now.")):
        enc.condition(name, "hidden", off=True)
        assert plain(seat_tracker(anna)["result"]["text"]) == said
        enc.undo()
        assert "there now" not in json.dumps(seat_tracker(anna).get("result"))
        enc.redo()
        assert plain(seat_tracker(anna)["result"]["text"]) == said
