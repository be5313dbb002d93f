"""The comparison: lanes that say what each encounter's history says, live, and what is refused where and why."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.report.words import plain

HOSTILE = "<img src=x onerror=alert(1)>"
SYSTEMS = [rules.id for rules in ck.rulesets()]
TURNS, ACTIONS, ATTACKS, REACTIONS = range(4)


def played(system: str, tactic: Any = ck.tactics.hold_back, **limit: Any) -> ck.Encounter:
    """A fight of the kit, played for a minute."""
    enc: ck.Encounter = ck.scene("catwalk").encounter(system, seed=7)
    ck.play(enc, tactic, **(limit or {"seconds": 60}))
    return enc


def lane(comparison: ck.Comparison, number: int = 0) -> dict[str, Any]:
    """One lane of what is shown."""
    found: dict[str, Any] = comparison.view["lanes"][str(number)]
    return found


@pytest.mark.parametrize("tactic", [ck.tactics.strike, ck.tactics.hold_back, ck.tactics.at_random])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_lanes_numbers_are_those_of_its_encounters_history(system: str, tactic: Any) -> None:
    enc = played(system, tactic, rounds=5)
    shown = lane(ck.Comparison([enc], span=3600))
    turns, rounds, events = enc.history.turns, enc.history.rounds, enc.history.events
    catalogue = enc.ruleset.actions
    done = events.filter((events["kind"] == "action") & ~events["undone"])["action"].to_list()
    attacks = [id for id in done if "attack" in catalogue[id].tags]
    assert shown["sums"] == [turns.height, rounds["actions"].sum(), len(attacks), rounds["reactions"].sum()]
    assert sum(len(m["turns"]) for m in shown["marks"].values()) == turns.height
    assert sum(len(m["actions"]) for m in shown["marks"].values()) == rounds["actions"].sum()
    assert sum(len(m["reactions"]) for m in shown["marks"].values()) == rounds["reactions"].sum()
    assert shown["moments"][-1]["sums"] == shown["sums"]
    taken = [
        m["who"]
        for m, before in zip(shown["moments"], [[0]] + [m["sums"] for m in shown["moments"]], strict=False)
        if m["sums"][TURNS] > before[TURNS]
    ]
    assert taken == turns["combatant"].to_list()


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_side_has_its_own_marks_as_the_history_counts_them(system: str) -> None:
    enc = played(system, rounds=4)
    comparison = ck.Comparison([enc], span=3600)
    rounds = enc.history.rounds
    for number, side in enumerate(comparison.view["sides"]):
        marks = lane(comparison)["marks"][str(number)]
        own = rounds.filter(rounds["side"] == side["name"])
        assert (len(marks["actions"]), len(marks["reactions"])) == (own["actions"].sum(), own["reactions"].sum())


@pytest.mark.parametrize("system", SYSTEMS)
def test_marks_stand_in_the_order_of_the_log_within_their_rounds(system: str) -> None:
    shown = lane(ck.Comparison([played(system, rounds=4)], span=3600))
    times = [moment["t"] for moment in shown["moments"]]
    assert times == sorted(times)
    assert len(set(times)) == len(times)
    borders = [*shown["rounds"], 3600]
    for moment in shown["moments"]:
        number = max(i for i, start in enumerate(borders) if start <= moment["t"])
        assert str(number + 1) in moment["label"].split(",")[0].split(" · ")[0]


def test_what_lies_beyond_the_span_is_left_out() -> None:
    enc = played("saga", ck.tactics.strike, rounds=5)
    shown = lane(ck.Comparison([enc], span=12))
    rounds = enc.history.rounds.filter(enc.history.rounds["round"] <= 2)
    assert shown["sums"][ACTIONS] == rounds["actions"].sum()
    assert shown["rounds"] == [0, 6]
    assert max(m["t"] for m in shown["moments"]) < 12


def test_rounds_of_one_minute_beside_rounds_of_six_seconds() -> None:
    comparison = ck.Comparison([played(system) for system in SYSTEMS])
    starts = {
        comparison.view["lanes"][id]["system"]: comparison.view["lanes"][id]["rounds"]
        for id in comparison.view["order"]
    }
    assert starts["segments"] == [0]
    assert starts["phases"][:3] == [0, 12, 24]
    assert starts["ap"][:3] == starts["saga"][:3] == [0, 6, 12]
    assert lane(comparison, SYSTEMS.index("phases"))["rests"][:2] == [12, 24]
    assert (
        comparison.view["title"]
        == f"One minute, {['', 'one', 'two', 'three', 'four', 'five', 'six'][len(SYSTEMS)]} systems"
    )
    assert comparison.view["about"] == "Mara and Ilya against Vex, Guard 1 and Guard 2"
    assert [text for _, text in comparison.view["axis"]] == ["0:00", "0:10", "0:20", "0:30", "0:40", "0:50", "1:00"]


def test_seconds_of_a_round_without_a_length_are_a_parameter_shown_as_one() -> None:
    enc = played("d6")
    six, ten = ck.Comparison([enc]), ck.Comparison([enc], seconds={"d6": 10})
    assert (lane(six)["length"], lane(ten)["length"]) == (6, 10)
    assert lane(ten)["rounds"][:3] == [0, 10, 20]
    assert lane(ten)["caption"][0].endswith("rounds, 10 s each: the rules fix no length ")
    assert lane(ten)["caption"][1] == {"rule": "d6.round.elastic"}
    assert lane(ck.Comparison([played("saga")]))["length"] is None
    six.set_seconds("d6", 10)
    assert {**six.view, "revision": 0} == {**ten.view, "revision": 0}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_lane_says_who_won_and_when_as_the_play_does(system: str) -> None:
    enc: ck.Encounter = ck.scene("catwalk").encounter(system, seed=7)
    assert plain(lane(ck.Comparison([enc]))["result"]) == "nobody has won yet"
    end = ck.play(enc, ck.tactics.strike, seconds=60)
    shown = lane(ck.Comparison([enc]))
    if end.winner is None:
        assert (plain(shown["result"]), shown["ends"]) == ("nobody has won by 1:00", 60)
    else:
        assert plain(shown["result"]).startswith(f"The {end.winner} win in ")
        assert plain(shown["result"]).endswith(f", begun at 0:{end.seconds:02g}")
        assert str(end.round) in plain(shown["result"])
        assert end.seconds <= shown["ends"] < end.seconds + 6


def test_who_goes_on_after_the_last_enemy_fell_won_when_it_did() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", dex=9, hp=20)
    enc.add("Vex", side="hunters", dex=0, hp=20)
    enc.start()
    comparison = ck.Comparison([enc])
    while enc.clock.round != 2:
        enc.end_turn()
    enc.damage("Vex", 60)
    enc.end_turn()
    told = (lane(comparison)["result"], lane(comparison)["ends"])
    assert plain(told[0]) == "The rebels win in Round 2, begun at 0:06"
    while enc.clock.round != 4:
        enc.end_turn()
    assert (lane(comparison)["result"], lane(comparison)["ends"]) == told
    assert lane(comparison)["moments"][-1]["t"] > 18
    enc.heal("Vex", 80)
    assert plain(lane(comparison)["result"]) == "nobody has won yet"


def test_who_waits_is_who_has_not_acted() -> None:
    enc = played("saga", ck.tactics.strike, rounds=1)
    moments = [m for m in lane(ck.Comparison([enc]))["moments"] if m["label"] == "Round 1"]
    order = [m["who"] for m in moments]
    assert len(order) == 5
    assert [set(m["waits"]) for m in moments] == [set(order[i + 1 :]) for i in range(5)]


def test_a_turn_given_up_by_delay_is_seen_and_not_counted() -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7)
    enc.do("Vex", "delay", after="Ilya")
    shown = lane(ck.Comparison([enc]))
    assert (shown["moments"][0]["who"], shown["moments"][0]["sums"]) == ("Vex", [0, 0, 0, 0])
    assert "Vex" in shown["moments"][1]["waits"]


REFUSED: dict[str, dict[str, str | None]] = {
    "saga": {"second attack": "saga.std.one", "move too": None},
    "d6": {"second attack": "d6.turn.action", "move too": None},
    "segments": {"second attack": "segments.major.one", "move too": "segments.major.one"},
    "phases": {"second attack": "phases.act.no-two-attacks", "move too": None},
}


@pytest.mark.parametrize("system", REFUSED)
def test_what_was_refused_where_and_why(system: str) -> None:
    enc = played(system, ck.tactics.strike)
    shown = lane(ck.Comparison([enc]))
    seen = dict(shown["moments"][0]["wishes"])
    for title, rule in REFUSED[system].items():
        why = seen[title]
        assert (why is None) == (rule is None)
        if why is not None:
            assert shown["whys"][why][-1] == {"rule": rule}


def test_looking_changes_no_encounter() -> None:
    fights = [played(system) for system in SYSTEMS]
    before = [enc.digest for enc in fights]
    ck.Comparison(fights)
    assert [enc.digest for enc in fights] == before


def test_it_follows_its_encounters_by_deltas_until_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, Any]] = []
    fights = [ck.scene("catwalk").encounter(system, seed=7) for system in ("saga", "d6")]
    comparison = ck.Comparison(fights)
    monkeypatch.setattr(comparison, "send", sent.append)
    comparison._hear(comparison, {"kind": "full"}, [])
    assert [message["kind"] for message in sent] == ["full"]
    sent.clear()
    fights[0].do("Vex", "attack", target="Mara")
    assert lane(comparison)["sums"] == [1, 1, 1, 0]
    assert [message["kind"] for message in sent] == ["delta"]
    assert all(path[:2] == ["lanes", "0"] for path, *_ in sent[0]["set"])
    fights[0].undo()
    assert lane(comparison)["sums"] == [1, 0, 0, 0]
    comparison.close()
    fights[0].do("Vex", "attack", target="Mara")
    assert len(sent) == 2


def test_a_fight_that_has_not_begun_is_an_empty_lane_until_it_does() -> None:
    enc = ck.Encounter("saga", seed=7)
    comparison = ck.Comparison([enc, ck.Encounter("segments", seed=7)])
    assert (lane(comparison)["label"], lane(comparison)["moments"], lane(comparison)["sums"]) == (
        "Not begun",
        [],
        [0] * 4,
    )
    enc.add("Mara", side="rebels")
    enc.start()
    assert lane(comparison)["moments"][0]["who"] == "Mara"


def test_two_fights_of_one_system_go_by_their_ids() -> None:
    fights = [ck.Encounter("saga", id=f"saga-{seed}", seed=seed) for seed in (1, 2)]
    comparison = ck.Comparison(fights, span=90)
    assert [comparison.view["lanes"][id]["title"] for id in "01"] == ["saga-1", "saga-2"]
    assert comparison.view["title"] == "90 seconds, two fights"
    assert repr(comparison) == "<Comparison: saga-1, saga-2, 90 s>"


def test_lanes_of_systems_are_called_by_their_titles() -> None:
    lanes = ck.Comparison([ck.Encounter(id, seed=1) for id in ("saga", "d6")]).view["lanes"]
    assert [lane["title"] for lane in lanes.values()] == [ck.ruleset(id).title for id in ("saga", "d6")]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ck.Comparison([]), "give a list of them"),
        (lambda: ck.Comparison(["saga"]), "shows encounters"),  # type: ignore[list-item]
        (lambda: ck.Comparison([ck.Encounter("saga", seed=1)], span=0), "span is 0"),
        (
            lambda: ck.Comparison([ck.Encounter("saga", seed=1)], seconds={"saga": 10}),
            "the rules already say .*: 6 seconds",
        ),
        (lambda: ck.Comparison([ck.Encounter("saga", seed=1)], seconds={"d6": 10}), "d6"),
        (lambda: ck.Comparison([ck.Encounter("d6", seed=1)], seconds=6), "seconds is 6; give a round's length by"),  # type: ignore[arg-type]
        (lambda: ck.Comparison([ck.Encounter("d6", seed=1)], seconds=0), "seconds is 0; give a round's length by"),  # type: ignore[arg-type]
        (lambda: ck.Comparison([ck.Encounter("d6", seed=1)], seconds={"d6": "ten"}), "seconds of d6 is 'ten'"),  # type: ignore[dict-item]
    ],
)
def test_bad_input_is_told(call: Any, words: str) -> None:
    with pytest.raises(ck.CombatkitError, match=words):
        call()


def hear(comparison: ck.Comparison, content: object, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(comparison, "send", sent.append)
    comparison._hear(None, content, None)
    return sent


def test_messages_set_the_seconds_and_ask_for_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison = ck.Comparison([played("d6"), played("saga")])
    (delta,) = hear(comparison, {"kind": "seconds", "system": "d6", "value": 12, "id": 1}, monkeypatch)
    assert delta["kind"] == "delta"
    assert lane(comparison)["length"] == 12
    (answer,) = hear(comparison, {"kind": "rule", "rule": "saga.std.one", "id": 2}, monkeypatch)
    assert (answer["kind"], answer["id"], answer["text"]) == ("rule", 2, ck.ruleset("saga").rules["saga.std.one"].text)
    for wrong in (
        {"kind": "seconds", "system": "saga", "value": 12},
        {"kind": "seconds", "system": "d6", "value": 0},
        {"kind": "seconds", "system": "d6"},
        {"kind": "rule", "rule": "ap.act.def"},
        {"kind": "do", "name": "Mara", "action": "attack"},
        "junk",
    ):
        (refused,) = hear(comparison, wrong, monkeypatch)
        assert refused["kind"] == "refused"
    assert lane(comparison)["length"] == 12


def test_the_static_picture_is_escaped_and_tells_the_same_numbers() -> None:
    enc = ck.Encounter("saga", id=HOSTILE, seed=7)
    enc.add(HOSTILE, side="<b>", dex=3)
    enc.start()
    enc.do(HOSTILE, "move")
    comparison = ck.Comparison([enc, ck.Encounter("saga", seed=1)])
    bundle = comparison._repr_mimebundle_()
    assert bundle is not None
    html = bundle[0]["text/html"]
    assert "<img" not in html
    assert "<script" not in html
    assert "&lt;img src=x onerror=alert(1)&gt;" in html
    assert "<td>1</td><td>1</td><td>0</td><td>0</td>" in html
    json.dumps(comparison.view)


def answers(page: str) -> list[list[list[str]]]:
    """Give the cells of each question's answers."""
    _, _, below = page.partition("<section>")
    tables = re.findall(r"<tbody>(.*?)</tbody>", below.partition("</section>")[0], re.DOTALL)
    return [
        [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", table)] for table in tables
    ]


def test_a_page_asks_three_questions_and_the_rulebooks_answer(tmp_path: Path) -> None:
    comparison = ck.Comparison([played(system, ck.tactics.strike) for system in SYSTEMS])
    again, move, wait = answers(comparison.to_html(tmp_path / "five-ways.html").read_text(encoding="utf-8"))
    titles = {system: ck.ruleset(system).title for system in SYSTEMS}
    assert [row[0] for row in again] == [*titles.values()]
    assert [row[0] for row in again if row[1].startswith("<b>Yes.</b>")] == [titles["ap"]]
    assert [row[0] for row in move if row[1].startswith("<b>No.</b>")] == [titles["segments"]]
    assert all(row[1].startswith("<b>No.</b>") for row in wait)
    for system, rules in REFUSED.items():
        (row,) = (row for row in again if row[0] == titles[system])
        where = ck.ruleset(system).rules[rules["second attack"] or ""].locator
        assert f'<small lang="en">{escape(where)}</small>' in row[1]


def test_a_page_of_fights_not_begun_or_of_hostile_names_is_text(tmp_path: Path) -> None:
    enc = ck.Encounter("saga", id=HOSTILE, seed=7)
    enc.add(HOSTILE, side="<b>", dex=3)
    enc.add("Vex", side="hunters")
    enc.start()
    enc.do(HOSTILE, "attack", target="Vex")
    comparison = ck.Comparison([enc, ck.Encounter("saga", seed=1)])
    page = comparison.to_html(tmp_path / "lanes.html", title=HOSTILE).read_text(encoding="utf-8")
    assert "<img" not in page
    assert page.count("<script") == 2
    assert [len(table) for table in answers(page)] == [1, 1, 1]
    with pytest.raises(ck.InvalidInput, match="title is 3; give text"):
        comparison.to_html(tmp_path / "lanes.html", title=3)  # type: ignore[arg-type]


@pytest.mark.parametrize("sides", [("a", "b"), ("x", "y"), ("b", "a")])
def test_who_fights_is_said_whatever_their_sides_are_called(sides: tuple[str, str]) -> None:
    fights = []
    for system, (first, second) in (("saga", ("a", "b")), ("d6", sides)):
        enc = ck.Encounter(system, seed=1, id=system)
        enc.add("Al", side=first)
        enc.add("Bo", side=second)
        enc.start()
        fights.append(enc)
    assert ck.Comparison(fights).view["about"] == "Al against Bo"
