"""A fight as one file: what is in it, what must not be, and how large it is."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import combatkit as ck
from benchmarks.scenes import unarmed
from combatkit.core.model import Event, Option, State
from combatkit.fight.view import View
from combatkit.rules.catalogue import Cost
from combatkit.widgets.page import _Pictures, _Reader, page
from tests.conformance.corpus import WHOLE, by_system, copied, corpus, fight
from tests.counting import calls
from tests.test_widgets import apply, crowd, make, without_nothing

EVENING = 300
"""How many events the evening has whose calls are counted; `make bench` times one of 3,000."""
CALLS = {"saga": 455_400, "d6": 607_100, "ap": 632_700, "segments": 752_300, "phases": 621_900}
"""How many function calls the page of such an evening takes at most."""
HOSTILE = "</script><img src=x onerror=alert(1)>"
LIMIT = 400_000


Record = Callable[[str, object], None]


def evening(system: str, events: int) -> ck.Encounter:
    """Play so many events: whose turn it is attacks, somebody is healed, and the turn ends."""
    enc = unarmed("catwalk", system).encounter(system, seed=7)
    vital = enc.ruleset.vitals[0].name
    while len(enc._events) < events:
        if enc.active is not None:
            foe = next(name for name in enc.names if enc[name].side != enc[enc.active].side)
            if enc.can(enc.active, "attack", target=foe).allowed:
                enc.do(enc.active, "attack", target=foe)
                if enc.pending:
                    enc.undo()
            enc.adjust(foe, vital, 1)
        enc.end_turn()
    return enc


def written(enc: ck.Encounter, folder: Path, **options: Any) -> str:
    """Export a fight and give the file's text."""
    return enc.to_html(folder / "fight.html", **options).read_text(encoding="utf-8")


def record(html: str) -> dict[str, Any]:
    """Give what a page holds of its fight."""
    found = re.search(r'<script type="application/json" id="record">(.*?)</script>', html, re.DOTALL)
    assert found
    kept: dict[str, Any] = json.loads(found[1])
    return kept


def views_at(kept: dict[str, Any], seq: int) -> dict[str, Any]:
    """Give the views after an event, by the letter of docs/wire.md."""
    views = {part: {"revision": 0, **view} for part, view in kept["views"].items()}
    for step in kept["steps"][: seq - 1]:
        for part, entries in step.items():
            base = views[part]["revision"]
            views[part] = apply(views[part], {"base": base, "revision": base + 1, "set": entries})
    return views


def groups_of(budget: Mapping[str, Any]) -> list[Any]:
    """Give what a budget shows, in its order: what lies in the view unseen depends on what was shown before."""
    return [without_nothing(budget["group"][id]) for id in (*budget["groups"], *budget["folds"])]


@by_system
def test_every_moment_is_as_a_tracker_shows_it(system: str, tmp_path: Path) -> None:
    enc = copied(corpus(system)[1], 100)
    enc.adjust("Ada", by=-1)
    enc.undo()
    enc.adjust("Ada", by=-2)
    kept = record(written(enc, tmp_path))
    assert len(kept["steps"]) == len(enc._events) - 1
    assert any(line["undone"] for line in kept["lines"].values())
    tracker = ck.Tracker(enc)
    for seq in range(1, len(enc._events), 13):
        tracker._vantage.travel(seq)
        tracker.refresh()
        now = enc.at(seq)
        views = views_at(kept, seq)
        if now._state.stage != "setup":  # before the start it lists whoever is there
            assert views["ladder"]["order"] == [str(place.id) for place in now._state.agenda]
        assert without_nothing(views["ladder"]["rows"]) == without_nothing(tracker.ladder.view["rows"])
        assert views["budget"].get("name") == tracker.budget.view["name"] == tracker._vantage.whose
        if now.active is not None:
            assert groups_of(views["budget"]) == groups_of(tracker.budget.view)
            assert views["budget"]["slots"] == tracker.budget.view["slots"]
        assert views["tracker"]["clock"] == tracker.view["clock"]
        assert views["log"]["cursor"] == tracker.log.view["cursor"]


@by_system
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, WHOLE))])
@pytest.mark.parametrize("view", ["gm", "players"])
def test_a_moment_is_the_same_whatever_was_looked_at_before(system: str, view: str, seed: int) -> None:
    enc = fight(system, seed)
    enc = copied(enc, min(100, len(enc._events)))
    first, *others = enc.names
    enc.adjust(first, by=999)
    enc.damage(others, 1)
    enc.adjust(first, by=1)  # nothing changes but that what was lost is no news
    enc.undo()
    reader = _Reader(enc, view)
    pictures = _Pictures(reader)
    for event in enc._events:
        views, alone = pictures.at(event.seq), _Pictures(reader).at(event.seq)
        told, fresh = ({**each["budget"], "group": {}} for each in (views, alone))  # what is unseen lies in it, too
        if fresh["name"] is not None:  # else what was last shown stays, unseen
            assert told == fresh
            assert groups_of(views["budget"]) == groups_of(alone["budget"])
        assert views | {"budget": {}} == alone | {"budget": {}}


def test_what_somebody_did_while_they_are_asked_stands_under_usual_at_once(tmp_path: Path) -> None:
    enc = ck.Encounter("ap", seed=1)
    enc.add("Ada", side="a", initiative_rating=9, ap=3)
    enc.add("Bo", side="b", ap=3)
    enc.start(rolls={"Ada": 6, "Bo": 1})
    enc.do("Ada", "attack", target="Bo")
    assert [offer.who for offer in enc.pending] == ["Bo"]
    (said, *_) = enc.do("Bo", "speak")
    kept = record(written(enc, tmp_path))
    usual = [views_at(kept, said.seq - back)["budget"]["group"]["usual"]["actions"] for back in (1, 0)]
    assert ["speak" in actions for actions in usual] == [False, True]


@by_system
def test_the_page_of_an_evening_takes_no_more_calls_than_it_did(system: str, record_property: Record) -> None:
    enc = evening(system, EVENING)
    page(enc, "gm", "Friday")
    count = calls(lambda: page(enc, "gm", "Friday"))
    record_property("told", f"page: {system} {count:,} function calls for {EVENING} events")
    assert count <= CALLS[system]


@by_system
def test_200_events_stay_under_400_kilobytes(system: str, tmp_path: Path) -> None:
    enc = copied(next(enc for enc in corpus(system) if len(enc._events) >= 200), 200)
    assert len(written(enc, tmp_path).encode()) < LIMIT


@pytest.mark.parametrize("many", [50, pytest.param(200, marks=pytest.mark.long)])
def test_a_large_fight_is_written_too(many: int, tmp_path: Path) -> None:
    enc = crowd(many, 700)
    for _ in range(40):
        enc.end_turn()
    html = written(enc, tmp_path)
    kept = record(html)
    assert len(views_at(kept, len(enc._events))["ladder"]["rows"]) == many
    assert len(html.encode()) < 2 * LIMIT


def test_nothing_is_loaded_and_only_its_own_script_runs(tmp_path: Path) -> None:
    html = written(make(), tmp_path)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert policy
    rules = dict(rule.split(" ", 1) for rule in unescape(policy[1]).split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["base-uri"] == rules["form-action"] == "'none'"
    (script,) = re.findall(r'<script type="module">(.*?)</script>', html, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert rules["script-src"] == f"'sha256-{digest}'"
    assert html.index("Content-Security-Policy") < html.index("<style>") < html.index("<script")
    assert "sourceMappingURL" not in html
    assert re.findall(r'<(?:script|link|img|iframe|a)\b[^>]*\b(?:src|href)="(?!data:)[^"]*"', html) == []
    assert re.findall(r"url\(|@import", html) == []


def test_names_and_notes_are_text(tmp_path: Path) -> None:
    enc = ck.Encounter("saga", id=HOSTILE, seed=7)
    enc.add(HOSTILE, side=f"<b>{HOSTILE}", dex=4, hp=30)
    enc.add("Guard", side="empire")
    enc.start(rolls=[20, 1])
    enc.do(HOSTILE, "attack", target="Guard", note=f"<!--{HOSTILE}")
    html = written(enc, tmp_path)
    assert "<img" not in html
    assert html.count("</script>") == 2
    assert "<!--" not in html
    assert f"<title>{HOSTILE.replace('<', '&lt;').replace('>', '&gt;')}</title>" in html
    assert record(html)["views"]["tracker"]["system"] == "saga"
    assert HOSTILE in json.dumps(record(html)["lines"])
    assert "<title>Friday</title>" in written(enc, tmp_path, title="Friday")


def test_what_players_may_not_know_is_nowhere_in_the_file(tmp_path: Path) -> None:
    enc = make()
    secrets = ["hidden under the stairs", "4711", "4242", "the prince arrives", "betrays them"]
    enc.join("Spy", side="empire", npc=True, hp=4711)
    enc.adjust("Spy", "hp", -469, note="hidden under the stairs")
    enc.condition("Mara", "watched", note="betrays them")
    while enc.active != "Spy":
        enc.end_turn()
    enc.do("Spy", "ready", action="attack", trigger="the prince arrives", target="Mara", note="betrays them")
    enc.end_turn()
    players, gm = written(enc, tmp_path, view="players"), written(enc, tmp_path)
    assert [secret in gm for secret in secrets] == [True] * 5, "the GM reads all of it"
    assert [secret in players for secret in secrets] == [False] * 5
    told = len(record(gm)["lines"]) - 1  # a condition that no rule names is the GM's
    assert [*record(players)["lines"]] == [str(number) for number in range(1, told + 1)]


@by_system
def test_how_it_ended_stands_on_the_page_and_players_read_no_numbers_there(system: str, tmp_path: Path) -> None:
    enc = ck.Encounter(system, seed=7)
    vital = enc.ruleset.vitals[0].name
    full: dict[str, Any] = {each.name: 20 for each in enc.ruleset.vitals}
    for name, side in (("Ann", "heroes"), ("Bob", "heroes"), ("Cid", "foes"), ("Dot", "lurkers")):
        enc.add(name, side=side, npc=side != "heroes", **full)
    enc.condition("Dot", "hidden")
    enc.start()
    assert "card" not in record(written(enc, tmp_path))
    enc.adjust(["Cid", "Dot"], vital, -25)
    enc.finish()
    card = record(written(enc, tmp_path))["card"]
    assert card["title"] == "The heroes win"
    assert [side["name"] for side in card["fared"]] == ["heroes", "foes", "lurkers"]
    players = record(written(enc, tmp_path, view="players"))["card"]
    told = {fact["title"]: str(fact["text"]) for fact in players["facts"]}
    assert (players["title"], [*told]) == ("The heroes win", ["Still standing", "Fell"])
    assert all(name in told["Still standing"] for name in ("Ann", "Bob"))
    assert not any(players[each] for each in ("dealt", "total", "fared"))
    assert "Dot" not in str(players)
    assert "lurkers" not in str(players)


def test_without_scripts_there_is_how_it_ended_and_the_whole_log(tmp_path: Path) -> None:
    enc = make()
    enc.do("Mara", "attack", target="Guard 1", rolls=[14], damage=5, note="from the catwalk")
    for _ in range(9):
        enc.end_turn()
    html = written(enc, tmp_path)
    picture = html[html.index("<noscript>") : html.index("</noscript>")]
    assert "<caption>Initiative ladder</caption>" in picture
    assert "<caption>Action budget: Ossik</caption>" in picture
    assert "attacks Guard 1 from the catwalk" in picture
    assert picture.count("<li ") == len(record(html)["lines"])
    assert "Run the notebook" not in picture


def test_rules_that_are_cited_are_told(tmp_path: Path) -> None:
    kept = record(written(make(), tmp_path))
    rule = ck.ruleset("saga").rules["saga.init.formula"]
    assert kept["rules"]["saga.init.formula"] == {
        "rule": rule.id,
        "text": rule.text,
        "locator": rule.locator,
        "disputed": rule.disputed,
    }
    shown = set(re.findall(r'"(?:rule)":"(saga\.[\w.-]+)"', json.dumps(kept, separators=(",", ":"))))
    assert shown <= set(kept["rules"])


def test_a_fight_that_has_not_begun_and_an_empty_one(tmp_path: Path) -> None:
    for enc in (make(started=False), ck.Encounter("d6", seed=1)):
        kept = record(written(enc, tmp_path))
        assert kept["opens"] == len(enc._events)


def test_sides_that_are_no_more_are_shown_where_they_were(tmp_path: Path) -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="a")
    enc.add("Vex", side="c")
    enc.undo()
    enc.add("Vex", side="b")
    enc.start()
    enc.join("Zed", side="d", rolls={"Zed": 20})
    seq = len(enc._events)
    enc.undo()
    kept = record(written(enc, tmp_path))
    names = [side["name"] for side in kept["views"]["ladder"]["sides"]]
    assert names == ["a", "c", "b", "d"]
    shown = {row["name"]: names[row["side"]] for row in views_at(kept, seq)["ladder"]["rows"].values()}
    assert shown == {"Mara": "a", "Vex": "b", "Zed": "d"}
    shown = {row["name"]: names[row["side"]] for row in views_at(kept, 3)["ladder"]["rows"].values()}
    assert shown == {"Mara": "a", "Vex": "c"}


def test_a_fight_whose_cast_was_all_taken_back_is_written(tmp_path: Path) -> None:
    enc = make()
    enc.undo(to=1)
    assert record(written(enc, tmp_path))["views"]


def test_bad_arguments_are_refused_and_write_nothing(tmp_path: Path) -> None:
    enc = make()
    file = tmp_path / "fight.html"
    with pytest.raises(ck.InvalidInput, match="view is 'player'; it is 'gm' or 'players'"):
        enc.to_html(file, view="player")
    with pytest.raises(ck.InvalidInput, match="title is 3; give text"):
        enc.to_html(file, title=3)  # type: ignore[arg-type]
    with pytest.raises(ck.InvalidInput, match=r"title is 'fri\\ud800day'; give text"):
        enc.to_html(file, title="fri\ud800day")
    assert not file.exists()


def test_writing_it_changes_nothing(tmp_path: Path) -> None:
    enc = make()
    digest, watchers = enc.digest, len(enc._watchers)
    first, second = written(enc, tmp_path), written(enc, tmp_path)
    assert first == second
    assert enc.digest == digest
    assert len(enc._watchers) == watchers


@by_system
def test_options_are_not_weighed_again_where_only_dice_fell(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    weighed: list[tuple[str, State, list[Event]]] = []
    options = View._options

    def counted(view: View, name: str) -> list[tuple[Option, Cost]]:
        done = [event for event in view._events if event.actor == name and event.action]  # some of it leaves no trace
        weighed.append((name, replace(view._state, die=0), done))
        return options(view, name)

    enc = copied(corpus(system)[1], 100)
    monkeypatch.setattr(View, "_options", counted)
    page(enc, "gm", "Friday")
    assert len(weighed) > 5
    again = [after for before, after in pairwise(weighed) if before == after]
    assert not again
