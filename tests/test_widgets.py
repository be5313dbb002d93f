"""Widgets on the wire: what goes to a front end and what may come from one, with a recorder in the place of a comm."""

from __future__ import annotations

import gc
import json
import re
import weakref
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import combatkit as ck
from combatkit.report.words import plain
from combatkit.widgets import ActionBudget, CombatLog, InitiativeLadder, Tracker, _base, tracker_of
from combatkit.widgets._delta import changes
from tests.wire import hear, recording, sent

HOSTILE = "<img src=x onerror=alert(1)>"
LIMIT = 4 * 1024
SETTERS = 2_304
"""Bytes more where an action is made ready: it may be set off by anybody of forty."""


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def picture(widget: Any) -> str:
    """Give what is shown where no widget can run."""
    data, _ = widget._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    return str(data["text/html"])


def parts(tracker: Tracker) -> list[Any]:
    return [tracker, tracker.ladder, tracker.budget, tracker.log]


def news(tracker: Tracker) -> list[list[Any]]:
    """Give what each of a tracker's widgets has got since the last time, taken apart as its front end does."""
    found = [sent(widget) for widget in parts(tracker)]
    for message in found[0]:
        for name, delta in message.get("parts", {}).items():
            found[1 + ["ladder", "budget", "log"].index(name)].append(delta)
    return found


def apply(view: dict[str, Any], delta: dict[str, Any]) -> dict[str, Any]:
    """Do what the front end does with a delta, by the letter of docs/wire.md."""
    view = deepcopy(view)
    assert view["revision"] == delta["base"]

    def put(node: Any, path: list[Any], value: Any, rest: list[int]) -> None:
        for key in path[0] if isinstance(path[0], list) else [path[0]]:
            at = int(key) if isinstance(node, list) else key
            if len(path) > 1:
                put(node[at], path[1:], value, rest)
            elif rest:
                node[at][rest[0] : rest[0] + rest[1]] = deepcopy(value)
            elif value is None:
                node.pop(at, None)
            else:
                node[at] = deepcopy(value)

    for path, value, *rest in delta["set"]:
        put(view, path, value, rest)
    for part, most in view.get("newest", {}).items():
        for key in sorted(view[part], key=int)[:-most]:
            del view[part][key]
    view["revision"] = delta["revision"]
    return view


def without_nothing(view: Any) -> Any:
    """Leave out keys whose value is None: on the wire they are not there."""
    if isinstance(view, dict):
        return {key: without_nothing(value) for key, value in view.items() if value is not None}
    return [without_nothing(value) for value in view] if isinstance(view, list) else view


def make(*, started: bool = True) -> ck.Encounter:
    enc = ck.Encounter("saga", id="saga-7", seed=7)
    enc.add("Mara", side="rebels", dex=4, level=6, feats=["Quick Draw"], hp=38, attack_bonus=9)
    enc.add("Ossik", side="rebels", dex=1, level=6, hp=40)
    enc.add("Guard", side="empire", count=2, npc=True, dex=1, level=2, hp=16, defense=15)
    if started:
        enc.start(rolls={"Mara": 17, "Ossik": 12, "Guard 1": 9, "Guard 2": 4})
    return enc


def crowd(count: int, events: int) -> ck.Encounter:
    """Give a fight of many, with a log of some length, that stands where a short one stands too."""
    enc = ck.Encounter("saga", id="saga-7", seed=7)
    for number in range(1, count + 1):
        stats: dict[str, Any] = {"dex": number % 6, "level": number % 11, "hp": 40}
        enc.add(f"Fighter {number}", side=f"side {number % 3}", npc=number % 2 == 0, **stats)
    enc.start()
    for by in (-1, 1):
        enc.adjust("Fighter 1", "hp", by)
    while len(enc._events) < events:
        for by in (-1, 1):
            enc.adjust("Fighter 1", "hp", by)
    return enc


# ── opening, state, deltas ──


@pytest.mark.parametrize("kind", [InitiativeLadder, ActionBudget, CombatLog, Tracker])
def test_the_view_is_given_and_never_pushed(kind: type[Any]) -> None:
    enc = make()
    widget = kind(enc)
    assert widget.get_state()["view"]["revision"] == 0
    enc.do("Mara", "attack", target="Guard 1")
    messages = [data for kind, data in widget.comm.sent if kind == "comm_msg"]
    assert {data["method"] for data in messages} == {"custom"}
    assert widget.view["revision"] == 1
    widget._handle_msg({"content": {"data": {"method": "request_state"}}, "buffers": []})
    assert widget.comm.sent[-1][1]["state"]["view"]["revision"] == 1


@pytest.mark.parametrize("kind", [InitiativeLadder, ActionBudget, CombatLog, Tracker])
@pytest.mark.parametrize("keyword", ["nothing", "layout", "rows"])
def test_unknown_keywords_are_refused(kind: type[Any], keyword: str) -> None:
    with pytest.raises(TypeError, match=keyword):
        kind(make(), **{keyword: 1})


def test_a_tracker_of_a_system_is_one_of_a_fight() -> None:
    with pytest.raises(TypeError, match=r"no system=; a fight has it: ck\.Tracker\(ck\.Encounter\('segments'\)\)"):
        Tracker(system="segments")
    with pytest.raises(ck.InvalidInput, match=r"not 'segments'; give ck\.Encounter\('segments'\)"):
        Tracker("segments")  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [InitiativeLadder, ActionBudget, CombatLog])
def test_what_is_no_encounter_is_refused(kind: type[Any]) -> None:
    with pytest.raises(
        ck.InvalidInput, match=r"shows an Encounter, or a moment of one such as enc.at\(12\), not 'saga-7'"
    ):
        kind("saga-7")
    with pytest.raises(ck.InvalidInput, match="view is 'player'; it is 'gm' or 'players'"):
        kind(make(), view="player")


def test_a_budget_tells_what_was_spent_on_others_turns() -> None:
    enc = make()
    enc.adjust(["Mara", "Ossik"], "reaction", 1)
    assert enc.active == "Mara"
    enc.do("Ossik", "talent_reaction", trigger="moves past")
    enc.do("Mara", "move")

    def off(name: str) -> dict[str, int]:
        return {slot["id"]: slot["off"] for slot in ActionBudget(enc, name).view["slots"] if "off" in slot}

    assert (off("Ossik"), off("Mara")) == ({"reaction": 1}, {})


def test_only_what_changed_is_sent() -> None:
    enc = make()
    tracker = Tracker(enc)
    enc.adjust("Guard 1", "hp", -4)
    (_, (delta,), budget, (line,)) = news(tracker)
    assert delta["set"] == [
        [["rows", "3", "label"], ["Guard 1, initiative 11, empire, ", "; vitality 12 of 16"]],
        [["rows", "3", "vital"], [12, 16]],
    ]
    assert budget == []
    assert [path for path, *_ in line["set"]] == [["last"], ["cursor"], ["lines", "20"], ["events"]]


READIED = {"action": "attack", "trigger": {"side": "empire"}, "target": "Guard 1"}


def test_deltas_lead_to_the_view_whatever_happens() -> None:
    enc = make()
    tracker = Tracker(enc)
    seen = {id(widget): deepcopy(widget.view) for widget in parts(tracker)}
    calls = [
        {"kind": "do", "name": "Mara", "action": "attack", "target": "Guard 1", "rolls": [14], "note": "from above"},
        {"kind": "do", "name": "Mara", "action": "draw_weapon"},
        {"kind": "end_turn"},
        {"kind": "do", "name": "Ossik", "action": "ready", "params": READIED},
        {"kind": "look", "name": "Guard 2"},
        {"kind": "end_turn"},
        {"kind": "do", "name": "Guard 1", "action": "move"},
        {"kind": "do", "name": "Ossik", "action": "use_readied", "target": "Guard 1"},
        {"kind": "condition", "id": "prone", "name": "Mara", "until": "end of round"},
        {"kind": "at", "seq": 15},
        {"kind": "at", "seq": None},
        {"kind": "join", "name": "Vex", "side": "hunters", "dex": 3, "hp": 44},
        {"kind": "end_turn"},
        {"kind": "do", "name": "Guard 2", "action": "delay", "params": {"count": 1}},
        {"kind": "next_round"},
        {"kind": "undo"},
        {"kind": "undo"},
        {"kind": "redo"},
        {"kind": "redo"},
        {"kind": "dice", "mode": "table"},
        {"kind": "leave", "name": "Guard 1"},
        {"kind": "finish"},
        {"kind": "undo", "to": 30},
        {"kind": "restart", "seed": 3},
    ]
    for call in calls:
        [sent(widget) for widget in parts(tracker)]
        tracker._handle_msg({"content": {"data": {"method": "custom", "content": call}}, "buffers": []})
        assert [len(widget.comm.sent) for widget in parts(tracker)] == [1, 0, 0, 0], call
        for widget, found in zip(parts(tracker), news(tracker), strict=True):
            assert all(message["kind"] == "delta" for message in found), (call, found)
            for delta in found:
                seen[id(widget)] = apply(seen[id(widget)], delta)
            assert without_nothing(seen[id(widget)]) == without_nothing(json.loads(json.dumps(widget.view))), call


def test_a_gap_is_answered_with_the_whole_view() -> None:
    tracker = Tracker(make())
    for widget in parts(tracker):
        assert hear(widget, {"kind": "full"}) == [{"kind": "full", "view": widget.view}]


def test_a_part_shown_alone_has_messages_of_its_own() -> None:
    enc = make()
    tracker = Tracker(enc)
    assert [widget.within for widget in parts(tracker)] == [False, True, True, True]
    enc.end_turn()
    assert sent(tracker.log) == []
    assert hear(tracker.log, {"kind": "alone"}) == [{"kind": "full", "view": tracker.log.view}]
    sent(tracker)
    enc.end_turn()
    (message,) = sent(tracker)
    assert sorted(message["parts"]) == ["budget", "ladder"]
    assert [each["kind"] for each in sent(tracker.log)] == ["delta"]
    tracker.ladder.close()
    enc.end_turn()
    (message,) = sent(tracker)
    assert sorted(message["parts"]) == ["budget"]


def test_calls_in_python_show_in_every_widget() -> None:
    enc = make()
    widgets = [Tracker(enc), Tracker(enc), InitiativeLadder(enc), CombatLog(enc)]
    enc.end_turn()
    assert [[message["kind"] for message in sent(widget)] for widget in widgets] == [["delta"]] * 4


def test_a_front_end_cannot_write_what_is_shown() -> None:
    tracker = Tracker(make())
    before = deepcopy(tracker.view)
    state = {"view": {"revision": 99}, "ladder": "anywidget:other", "_esm": "alert(1)"}
    tracker._handle_msg({"content": {"data": {"method": "update", "state": state}}, "buffers": []})
    assert tracker.view == before
    assert tracker.ladder is not None
    assert tracker._esm != "alert(1)"


# ── sizes ──

CLICKS: dict[str, list[dict[str, Any]]] = {
    "end turn": [{"kind": "end_turn"}],
    "act": [{"kind": "do", "name": "*", "action": "attack", "target": "Fighter 1", "rolls": [14]}],
    "undo": [{"kind": "end_turn"}, {"kind": "undo"}],
    "redo": [{"kind": "end_turn"}, {"kind": "undo"}, {"kind": "redo"}],
    "adjust": [{"kind": "adjust", "names": "Fighter 2", "by": -3, "note": "a fall"}],
    "damage": [{"kind": "damage", "names": ["Fighter 2", "Fighter 3"], "amount": "2d6+3", "half": "Fighter 3"}],
    "heal": [
        {"kind": "damage", "names": "Fighter 2", "amount": 9},
        {"kind": "heal", "names": "Fighter 2", "amount": 4},
    ],
    "edit": [{"kind": "edit", "name": "Fighter 2", "dex": 4, "weapons": [{"name": "blaster", "damage": "3d6"}]}],
    "condition": [{"kind": "condition", "name": "Fighter 2", "condition": "prone"}],
    "delay": [{"kind": "do", "name": "*", "action": "delay", "params": {"count": 3}}],
    "ready": [{"kind": "do", "name": "*", "action": "ready", "params": {"action": "move", "trigger": "it opens"}}],
    "trigger": [{"kind": "trigger", "by": [], "text": "a trap goes off"}],
    "resolve": [{"kind": "trigger", "by": [], "text": "a trap goes off"}, {"kind": "resolve"}],
    "next round": [{"kind": "next_round"}],
    "join": [{"kind": "join", "name": "Newcomer", "side": "side 1", "dex": 2}],
    "leave": [{"kind": "leave", "name": "Fighter 5"}],
    "travel": [{"kind": "end_turn"}, {"kind": "at", "seq": -1}],
    "look": [{"kind": "look", "name": "Fighter 4"}],
    "choices": [{"kind": "choices", "name": "*", "action": "attack"}],
    "choices of a readied action": [{"kind": "choices", "name": "*", "action": "ready"}],
    "refused": [{"kind": "do", "name": "Fighter 2", "action": "attack"}],
}


def size(message: Any) -> int:
    return len(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode())


def weigh(enc: ck.Encounter, clicks: list[dict[str, Any]]) -> int:
    """Give the bytes of the last of some clicks, both ways, all models of one tracker."""
    tracker = Tracker(enc)
    weight = 0
    for click in clicks:
        message = {**click, "id": 281_474_976_710_655}
        if message.get("name") == "*":
            message["name"] = enc.active
        if message.get("seq") == -1:
            message["seq"] = len(enc._events) - 3
        [sent(widget) for widget in parts(tracker)]
        answer = hear(tracker, message)
        found = [*answer, *(each for widget in parts(tracker)[1:] for each in sent(widget))]
        assert len(found) == 1, click
        weight = sum(map(size, [message, *found]))
    tracker.close()
    return weight


crowded = cache(crowd)


@pytest.mark.slow
@pytest.mark.parametrize("length", [1_000, pytest.param(10_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", CLICKS)
def test_a_click_is_small_and_does_not_grow(name: str, length: int) -> None:
    for count in (8, 200):
        short, long = (weigh(branch(crowded(count, events)), CLICKS[name]) for events in (10, length))
        most = LIMIT + (SETTERS if name == "choices of a readied action" else 0)
        assert short <= most, f"{name}: {short} bytes with {count} combatants"
        assert long <= most, f"{name}: {long} bytes with {count} combatants and a long log"
        assert abs(long / short - 1) <= 0.05, f"{name}: {short} bytes, {long} with a long log"


@pytest.mark.parametrize(
    ("system", "actions"),
    [
        ("saga", ("attack", "ready", "delay")),
        ("d6", ("attack", "hold", "shift")),
        ("ap", ("attack",)),
        ("segments", ("declare", "attack")),
        ("phases", ("ready", "strike", "abort", "delay")),
    ],
)
def test_a_question_about_any_of_forty_is_small(system: str, actions: tuple[str, ...]) -> None:
    enc = ck.Encounter(system, seed=1)
    stats: dict[str, Any] = {"hp": 20} if "hp" in [vital.name for vital in enc.ruleset.vitals] else {}
    for number in range(40):
        enc.add(f"Fighter {number}", side=f"side {number % 2}", **stats)
    enc.start()
    tracker = Tracker(enc)
    while enc.active is None and "declare" not in actions:
        enc.end_turn()
    for action in actions:
        asked = {"kind": "choices", "name": enc.active or "Fighter 1", "action": action}
        tracker._handle_msg({"content": {"data": {"method": "custom", "content": asked}}, "buffers": []})
        (answer,) = [message for message in sent(tracker) if message["kind"] == "choices"]
        assert size(answer) <= LIMIT + (SETTERS if action == "ready" else 128), action
        assert any(len(param.get("values", ())) + len(param.get("no", ())) for param in answer["params"]), action


def branch(enc: ck.Encounter) -> ck.Encounter:
    return enc.branch(len(enc._events))


@pytest.mark.parametrize("count", [8, pytest.param(200, marks=pytest.mark.long)])
def test_a_whole_round_of_clicks_is_small(count: int) -> None:
    enc = crowd(count, 10)
    tracker = Tracker(enc)
    for _ in range(count + 2):
        [sent(widget) for widget in parts(tracker)]
        hearing = hear(tracker, {"kind": "end_turn"})
        news = [hearing, *[sent(widget) for widget in parts(tracker)[1:]]]
        assert sum(len(json.dumps(each)) for found in news for each in found) <= LIMIT


# ── messages that are refused ──

BAD: list[tuple[Any, str]] = [
    (None, "a message is an object with a kind"),
    ("end_turn", "a message is an object with a kind"),
    ([1, 2], "a message is an object with a kind"),
    ({}, "unknown kind of message None"),
    ({"kind": 3}, "unknown kind of message 3"),
    ({"kind": ["do"]}, "unknown kind of message ['do']"),
    ({"kind": "end_trun"}, "unknown kind of message 'end_trun': did you mean 'end_turn'"),
    ({"kind": "save", "path": "fight.json"}, "unknown kind of message 'save'"),
    ({"kind": "add_roster", "source": "roster.csv"}, "unknown kind of message 'add_roster'"),
    ({"kind": "end_turn", "more": 1}, "Object contains unknown field `more`"),
    ({"kind": "end_turn", "id": "x"}, "the message's id is 'x'; give a number"),
    ({"kind": "end_turn", "rolls": ["four"]}, "Expected `int"),
    ({"kind": "do", "name": "Mara"}, "Object missing required field `action`"),
    ({"kind": "do", "name": 3, "action": "attack"}, "Expected `str`, got `int` - at `$.name`"),
    ({"kind": "do", "name": "Mara", "action": "attack", "params": []}, "Expected `object`, got `array`"),
    ({"kind": "do", "name": "Mara", "action": "atack"}, "did you mean 'attack'"),
    ({"kind": "do", "name": "Marra", "action": "attack"}, "did you mean 'Mara'?"),
    ({"kind": "do", "name": "Mara", "action": "attack", "params": {"speed": 3}}, "attack has no parameter 'speed'"),
    (
        {"kind": "do", "name": "Mara", "action": "attack", "params": {"rolls": [3]}},
        "rolls goes beside params",
    ),
    ({"kind": "do", "name": "Mara", "action": "attack", "target": "Ossik", "rolls": [21]}, "21 is not on a d20"),
    ({"kind": "do", "name": "Mara", "action": "climb", "note": "x" * 20_000}, "at most 16,384 are read"),
    ({"kind": "do", "name": "Mara", "action": "climb", "params": {"trigger": {1, 2}}}, ""),
    ({"kind": "undo", "to": 1.5}, "Expected `int"),
    ({"kind": "at", "seq": 999}, "there is no event 999"),
    ({"kind": "at"}, "Object missing required field `seq`"),
    ({"kind": "adjust", "names": "Mara", "by": "four"}, "Expected `int`, got `str`"),
    ({"kind": "adjust", "names": "Mara", "vital": "mana", "by": 1}, "saga has no vital or slot 'mana'"),
    ({"kind": "condition", "name": "Mara", "id": 7}, "Object missing required field `condition`"),
    ({"kind": "look", "name": "Nobody"}, "unknown combatant 'Nobody'"),
    ({"kind": "dice", "mode": "loaded"}, "mode is 'loaded'"),
    ({"kind": "ruleset", "id": "saga"}, "the rules are chosen before the fight begins"),
    ({"kind": "join", "name": "Vex", "side": "hunters", "dexterity": 3}, "Vex: saga has no stat 'dexterity'"),
    ({"kind": "add", "name": "Vex", "side": "hunters"}, "the fight is running"),
    ({"kind": "add_table", "id": "actions", "source": "/etc/passwd"}, "Expected `array`, got `str`"),
    ({"kind": "start"}, "the fight has already begun"),
    ({"kind": "resolve"}, "Nobody is waiting to answer"),
    ({"kind": "rule", "rule": "saga.none"}, "unknown rule 'saga.none'"),
    ({"kind": "log", "from": "a", "to": 3}, "Expected `int`, got `str`"),
    ({"kind": "choices", "name": "Mara", "action": "attack", "rolls": {"attack": 3}}, "Expected `array`, got `int`"),
    ({"kind": "full", "more": 1}, "unknown kind of message 'full'"),
]


@pytest.mark.parametrize(("message", "reason"), BAD, ids=[str(message)[:60] for message, _ in BAD])
def test_a_bad_message_is_refused_and_changes_nothing(message: Any, reason: str) -> None:
    enc = make()
    tracker = Tracker(enc)
    digest, views = enc.digest, [deepcopy(widget.view) for widget in parts(tracker)]
    (answer,) = hear(tracker, message)
    assert answer["kind"] == "refused"
    assert reason in answer["reason"]
    assert isinstance(answer["rule"], str)
    assert enc.digest == digest
    assert [widget.view for widget in parts(tracker)] == views
    assert [sent(widget) for widget in parts(tracker)] == [[], [], [], []]


def test_what_the_rules_refuse_comes_back_with_its_rule_and_number() -> None:
    enc = make()
    tracker = Tracker(enc)
    hear(tracker, {"kind": "do", "name": "Mara", "action": "attack", "target": "Guard 1"})
    digest = enc.digest
    (answer,) = hear(tracker.budget, {"kind": "do", "name": "Mara", "action": "charge", "target": "Guard 1", "id": 41})
    went = "(Attack)"
    assert answer == {
        "kind": "refused",
        "id": 41,
        "reason": f"Needs the whole turn, and Mara has already acted {went}; it can be done in their next turn.",
        "rule": "saga.full.symmetric",
    }
    assert enc.digest == digest


plain_data = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.floats(allow_nan=False)
    | st.sampled_from(["Mara", "attack", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["target", "name", "text"]), inner),
    max_leaves=5,
)
fields = ["name", "action", "target", "params", "rolls", "note", "to", "seq", "names", "by", "id", "answer", "side"]
kinds = ["do", "end_turn", "resolve", "trigger", "undo", "redo", "at", "adjust", "condition", "place", "join", "leave"]
kinds += [
    "damage",
    "heal",
    "temporary",
    "another",
    "edit",
    "start",
    "restart",
    "add_table",
    "ruleset",
    "dice",
    "look",
    "choices",
    "log",
    "rule",
    "full",
    "next_round",
]


@pytest.mark.parametrize("examples", [20, pytest.param(150, marks=pytest.mark.long)])
def test_no_message_raises(examples: int) -> None:
    @settings(max_examples=examples)
    @given(st.dictionaries(st.sampled_from(fields), plain_data), st.sampled_from(kinds))
    def is_answered(content: dict[str, Any], kind: str) -> None:
        tracker = Tracker(make())
        for answer in hear(tracker, {**content, "kind": kind}):
            json.dumps(answer)
            assert answer["kind"] in ("refused", "delta", "full", kind)
        tracker.close()

    is_answered()


# ── questions ──


def test_choices_name_values_and_what_is_refused() -> None:
    tracker = Tracker(make())
    (answer,) = hear(tracker.budget, {"kind": "choices", "id": 9, "name": "Mara", "action": "attack"})
    assert answer["id"] == 9
    assert answer["ruling"] == {"allowed": True, "reason": []}
    assert answer["dice"] == []
    target, weapon, *_ = answer["params"]
    assert target["values"][0] == {
        "value": "Guard 1",
        "label": [{"side": 1}, "Guard 1"],
        "allowed": True,
        "small": "16/16 · needs 6 or more",
    }
    assert weapon == {"id": "weapon", "title": "Weapon", "required": False, "type": "text"}
    (answer,) = hear(tracker, {"kind": "choices", "name": "Mara", "action": "ready", "params": {"action": "delay"}})
    trigger, actor, action, *_ = answer["params"]
    assert trigger["id"] == "trigger", "a line to type in comes before a long list"
    assert [value["value"] for value in actor["values"]][:2] == ["Guard 1", "Guard 2"], "enemies first"
    refused = next(value for value in action["values"] if value["value"] == "run")
    assert refused["why"][-1] == {"rule": "saga.ready.specify-action"}
    assert answer["ruling"]["allowed"] is False


def test_typed_faces_are_summed_in_python() -> None:
    tracker = Tracker(make())
    hear(tracker, {"kind": "dice", "mode": "table"})

    def ask(faces: list[int | None], **params: Any) -> Any:
        question = {"kind": "choices", "name": "Mara", "action": "attack", "params": {"target": "Guard 1", **params}}
        return hear(tracker, {**question, "rolls": {"attack": faces}})[0]["dice"]

    (die,) = ask([14])
    assert die["legend"] == "Mara rolls 1d20 to hit Guard 1"
    assert die["sides"] == [20]
    assert die["sum"] == ["+ 9 = 23 against 15: ", {"strong": "hits"}, " ", {"rule": "saga.std.ex.attack"}]
    (die,) = ask([])
    assert die["sum"][:-2] == ["+ 9 against 15: ", {"strong": "6 or more"}, " hits"]
    (die,) = ask([5])
    assert die["sum"][:3] == ["+ 9 = 14 against 15: ", {"strong": "misses"}, " by 1"]
    (die,) = ask([21])
    assert die["error"] == "21 is not on a d20. Type 1 to 20. Nothing has been rolled yet."
    assert die["sum"] == []
    attack, damage = ask([14], damage="3d6+2")
    assert attack["error"] == ""
    assert damage["sides"] == [6, 6, 6]
    assert damage["sum"] == ["+ 2"]
    assert [each["purpose"] for each in ask([2], damage="3d6+2")] == ["attack"], "a miss does no harm"
    question = {"kind": "choices", "name": "Mara", "action": "attack", "params": {"target": "Guard 1", "damage": "3d6"}}
    rolls = {"attack": [14], "damage": [4, 9]}
    damage = hear(tracker, {**question, "rolls": rolls})[0]["dice"][1]
    assert damage["error"] == "9 is not on a d6. Type 1 to 6 for the second die. Nothing has been rolled yet."


def test_initiative_is_asked_for_before_the_start() -> None:
    tracker = Tracker(make(started=False))
    hear(tracker, {"kind": "dice", "mode": "table"})
    rolls = {"Mara": [17]}
    (answer,) = hear(tracker, {"kind": "choices", "name": None, "action": "start", "params": {}, "rolls": rolls})
    assert [die["purpose"] for die in answer["dice"]] == ["Mara", "Ossik", "Guard 1", "Guard 2"]
    assert answer["dice"][0]["legend"] == "Mara rolls 1d20 for initiative"
    assert answer["dice"][0]["sum"] == ["+ 4 Dex + 3 half level = 24 ", {"rule": "saga.init.formula"}]
    hear(tracker, {"kind": "start", "rolls": rolls})
    assert tracker.encounter.order[0].initiative == 24


def test_rules_and_earlier_lines_are_told() -> None:
    enc = make()
    for _ in range(150):
        enc.adjust("Mara", "hp", -1)
        enc.adjust("Mara", "hp", 1)
    log = CombatLog(enc)
    assert len(log.view["lines"]) == 60
    (answer,) = hear(log, {"kind": "log", "id": 1, "from": 1, "to": 120})
    assert min(map(int, answer["lines"])) == 1
    assert max(map(int, answer["lines"])) <= 120
    assert answer["heads"] == {"15": {"title": "Round 1", "time": "0:00"}}
    (answer,) = hear(log, {"kind": "log", "id": 1, "from": 1, "to": 10_000})
    assert len(answer["lines"]) == 200
    assert log.view["lines"].items() <= answer["lines"].items()
    (answer,) = hear(log, {"kind": "rule", "id": 2, "rule": "saga.std.one"})
    assert answer["rule"] == "saga.std.one"
    assert answer["text"]
    assert answer["locator"]


# ── what is shown ──


def test_a_turn_reads_as_in_the_picture() -> None:
    enc = make()
    tracker = Tracker(enc)
    enc.do("Mara", "attack", target="Guard 2", rolls=[14], damage="3d8+2", note="from the catwalk")
    lines = list(tracker.log.view["lines"].values())
    attack, harm = lines[-2:]
    note, die = {"note": "from the catwalk"}, {"die": 14, "table": True}
    assert attack["text"] == ["attacks Guard 2", " ", note, ": ", "1d20 ", die, " + 9 = 23", " against 15, hit"]
    assert attack["cite"] == ["saga.std.ex.attack"]
    assert (harm["actor"], harm["side"]) == ("Guard 2", 1)
    assert harm["text"][0].startswith("loses ")
    row = next(row for row in tracker.ladder.view["rows"].values() if row["name"] == "Mara")
    assert row["label"] == ["Mara, initiative 24, rebels, ", "; vitality 38 of 38"]
    view = tracker.budget.view
    spent = [
        "Needs a standard action; Mara has none left until their next turn (Attack). ",
        {"rule": "saga.std.one"},
    ]
    assert view["group"]["attacks"]["actions"] == ["attack"], "what is spent stays in its place"
    assert view["action"]["delay"]["cost"] == "not now", "it costs nothing, and can't be done all the same"
    assert (view["action"]["attack"]["cost"], view["whys"][view["action"]["attack"]["off"]]) == (
        "standard spent",
        spent,
    )
    fold = view["group"]["no:saga.std.one:0"]
    assert (fold["title"], fold["actions"], fold["whys"]) == ("Force power", ["force_power"], [spent])
    whys = [plain(why) for group in view["group"].values() for why in group.get("whys", ())]
    titles = tuple(f"{each['title']}: " for each in view["action"].values())
    assert not [why for why in whys if why.startswith(titles)], "who shows a reason says whose it is, once"
    who = {"side": 0, "initials": "M"}
    assert tracker.view["turn"] == {"title": "Mara's turn", "sub": "1st of 4 turns, then Ossik", "who": who}
    assert tracker.view["announce"] == "Mara's turn. Round 1, 0 seconds."


def test_a_rung_of_phases_says_stun_body_and_endurance_but_an_npcs_to_the_gm_alone() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ada", side="a", combat_value=8, stun=35, body=11, end=30)
    enc.add("Vex", side="b", npc=True, combat_value=5, stun=20)
    enc.start()
    enc.damage("Ada", 4)
    ladder = InitiativeLadder(enc)
    rows = {row["name"]: row for row in ladder.view["rows"].values()}
    assert ladder.view["vitals"] == [["stun", "Stun"], ["body", "Body"], ["end", "Endurance"]]
    assert (rows["Ada"]["vital"], rows["Ada"]["more"]) == ([31, 35], [[11, 11], [30, 30]])
    assert rows["Ada"]["label"][1] == "; stun 31 of 35; body 11 of 11; endurance 30 of 30"
    assert (rows["Vex"]["vital"], "more" in rows["Vex"]) == ([20, 20], False)
    assert "31/35, 11/11, 30/30" in picture(ladder)
    seen = {row["name"]: row for row in InitiativeLadder(enc, view="players").view["rows"].values()}
    assert ("vital" in seen["Vex"], "vital" in seen["Ada"]) == (False, True)


def test_a_vital_that_is_not_kept_has_a_dash_in_the_static_ladder() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ada", side="a", combat_value=8, stun=35, end=30)
    enc.start()
    shown = picture(InitiativeLadder(enc))
    assert "35/35, —, 30/30" in shown
    assert "None" not in shown


def test_what_was_taken_back_is_struck_and_stays() -> None:
    enc = make()
    log = CombatLog(enc)
    enc.do("Mara", "climb")
    seq = int(list(log.view["lines"])[-1])
    enc.undo()
    assert log.view["lines"][str(seq)]["undone"]
    assert log.view["cursor"] < seq < log.view["last"]
    enc.redo()
    assert not log.view["lines"][str(seq)]["undone"]
    assert log.view["cursor"] == seq


def test_a_log_read_at_once_is_the_log_read_on() -> None:
    enc = make()
    followed = CombatLog(enc)
    enc.do("Mara", "ready", action="attack", trigger="the door opens", target="Guard 1")
    enc.end_turn()
    enc.do("Ossik", "delay", count=5)
    enc.do("Guard 1", "move")
    enc.undo()
    enc.next_round()
    assert CombatLog(enc).view == followed.view | {"revision": 0}


def test_the_past_is_marked_and_left_again() -> None:
    enc = make()
    tracker = Tracker(enc)
    enc.do("Mara", "attack", target="Guard 1")
    seq = len(enc._events)
    enc.end_turn()
    hear(tracker.log, {"kind": "at", "seq": seq - 1})
    assert tracker.view["mode"] == "past"
    assert tracker.budget.view["name"] == "Mara"
    assert tracker.budget.view["players"], "nothing can be done in the past"
    (answer,) = hear(tracker, {"kind": "end_turn"})
    assert "this is the past" in answer["reason"]
    hear(tracker, {"kind": "at", "seq": None})
    assert tracker.view["mode"] == "play"
    hear(tracker, {"kind": "at", "seq": seq})
    enc.end_turn()
    assert tracker.view["mode"] == "play", "news call back whoever looks at the past"


def test_a_window_says_who_may_answer_with_what() -> None:
    enc = make()
    tracker = Tracker(enc)
    enc.do("Mara", "ready", action="attack", trigger={"side": "empire", "text": "a guard moves"}, target="Guard 1")
    row = tracker.ladder.view["rows"]["1"]
    assert row["sub"][0][-1] == {"rule": "saga.ready.specify-trigger"}
    enc.end_turn()
    enc.end_turn()
    enc.do("Guard 1", "move")
    (window,) = tracker.view["windows"]
    (asked,) = window["rows"]
    assert asked["who"] == "Mara"
    assert window["sub"][0].startswith("Mara may use the readied attack")
    assert tracker.ladder.view["rows"]["1"]["acts"][0]["id"] == "use_readied"
    assert tracker.view["turn"]["title"] == "Guard 1's turn"
    assert tracker.view["turn"]["sub"] == "interrupted: Mara may react"
    assert tracker.view["end"]["allowed"] is False
    statuses = {row["name"]: row["status"] for row in tracker.ladder.view["rows"].values()}
    assert statuses["Mara"] == "reacts"
    assert statuses["Guard 1"] == "paused"
    hear(tracker, {"kind": "do", "name": "Mara", "action": "use_readied"})
    hear(tracker, {"kind": "resolve"})
    assert tracker.view["windows"] == []


def test_delay_offers_only_legal_places() -> None:
    ladder = InitiativeLadder(make())
    delay = ladder.view["delay"]
    assert delay["name"] == "Mara"
    assert [count for _, count in delay["places"]] == [16, 11, 6]
    assert delay["reason"][-1] == {"rule": "saga.delay.lower-only"}


# ── setting up ──


def test_a_cell_that_is_run_again_offers_the_fight_that_its_tracker_began() -> None:
    first = Tracker()
    begun = first.encounter
    begun.title = "Catwalk"
    for name in ("Mara", "Vex"):
        begun.add(name, side=name)
    again = Tracker()
    assert again.view["setup"]["earlier"][0]["title"] == "Go on with \u201cCatwalk\u201d, 2 in"
    begun.start()
    begun.next_round()
    again.refresh()
    assert again.view["setup"]["here"], "no file keeps it"
    offer = again.view["setup"]["earlier"][0]
    assert offer["title"] == f"Go on with \u201cCatwalk\u201d, {begun.clock.label}"
    hear(again, {"kind": "go_on", "fight": offer["fight"]})
    assert again.encounter is begun
    assert again.view["mode"] == "play"
    third = Tracker()
    assert [each["title"] for each in third.view["setup"]["earlier"]].count(offer["title"]) == 1
    third.encounter.add("Bo", side="guests")
    assert "earlier" not in third.view["setup"], "another fight is set up"
    assert "earlier" not in Tracker(ck.Encounter("saga")).view["setup"], "a fight is given"
    begun.finish()
    titles = [each["title"] for each in Tracker().view["setup"]["earlier"]]
    assert offer["title"] not in titles
    assert f"Look at \u201cCatwalk\u201d, ended in {begun.clock.label}" in titles
    for tracker in (first, again, third):
        tracker.close()


@pytest.mark.parametrize("system", [each.id for each in ck.rulesets()])
def test_a_fight_that_is_over_is_reached_from_what_it_is_run_again_as(system: str) -> None:
    """Kept in no file, it was gone from all that is on screen."""
    tracker = Tracker()
    hear(tracker, {"kind": "ruleset", "ruleset": system})
    ended = tracker.encounter
    for name in ("Mara", "Vex"):
        ended.add(name, side=name)
    ended.start()
    ended.finish()
    assert "earlier" not in tracker.view.get("setup", {})
    hear(tracker, {"kind": "restart"})
    assert tracker.view["mode"] == "setup"
    [offer] = tracker.view["setup"]["earlier"]
    assert offer["title"] == f"Look at \u201cMara and Vex\u201d, ended in {ended.clock.label}"
    again = tracker.encounter
    again.add("Bo", side="guests")
    hear(tracker, {"kind": "go_on", "fight": offer["fight"]})
    assert tracker.encounter is ended
    assert tracker.view["mode"] == "over"
    for _ in range(4):
        hear(tracker, {"kind": "restart"})
        titles = [each["title"] for each in tracker.view["setup"]["earlier"]]
        assert [title.split()[0] for title in titles] == ["Look", "Go"][: len(titles)]
        hear(tracker, {"kind": "go_on", "fight": tracker.view["setup"]["earlier"][0]["fight"]})
        assert tracker.encounter is ended
    tracker.close()


def test_the_last_fights_are_kept_each_once_and_told_apart() -> None:
    tracker = Tracker()
    fights: list[ck.Encounter] = []
    for name in ("first", "second", "third"):
        if not fights:
            for who in ("Mara", "Vex"):
                tracker.encounter.add(who, side=who)
        fights.append(tracker.encounter)
        tracker.encounter.start()
        tracker.encounter.finish()
        hear(tracker, {"kind": "restart"})
        assert len(tracker.view["setup"]["earlier"]) == len(fights), name
    titles = [each["title"] for each in tracker.view["setup"]["earlier"]]
    assert [title.partition(", ended in ")[2].partition(", ")[2] for title in titles] == [
        "",
        "the one before",
        "the first of them",
    ]
    for _ in range(2):  # back to the second, and on from there
        second = next(n for n, f in tracker._vantage.earlier.items() if f is fights[1])
        hear(tracker, {"kind": "go_on", "fight": second})
        assert tracker.encounter is fights[1]
        hear(tracker, {"kind": "restart"})
        assert {*tracker._vantage.earlier.values()} >= {*fights}
    tracker.close()


def test_a_fight_to_go_on_with_is_told_by_its_own_clock() -> None:
    first = Tracker()
    hear(first, {"kind": "ruleset", "ruleset": "phases"})
    begun = first.encounter
    for name in ("Sela", "Vex"):
        begun.add(name, side=name, combat_value=4)
    begun.start()
    again = Tracker()
    titles = [each["title"] for each in again.view["setup"]["earlier"]]
    assert "Go on with \u201cSela and Vex\u201d, Turn 1 \N{MIDDLE DOT} Phase 1" in titles
    begun.finish()
    for tracker in (first, again):
        tracker.close()


def test_a_fight_of_the_kernel_is_not_offered_where_a_file_keeps_what_is_begun(tmp_path: Path) -> None:
    first, kept = Tracker(), Tracker(journal=tmp_path / "friday.combat")
    first.encounter.add("Mara", side="rebels")
    assert not {"earlier", "here"} & kept.view["setup"].keys()
    kept.encounter.close()
    first.close()


def test_a_fight_is_set_up_in_an_empty_tracker() -> None:
    tracker = Tracker()
    assert repr(tracker) == "<Tracker: a new fight>"
    assert tracker.view["mode"] == "setup"
    assert ["saga", "Star Wars Saga Edition"] in tracker.view["systems"]
    before = tracker.encounter
    hear(tracker, {"kind": "ruleset", "ruleset": "saga", "id": 4})
    assert tracker.encounter is not before
    hear(tracker, {"kind": "add", "id": 5, "name": "Mara", "side": "rebels", "dex": 4, "hp": 38, "defense": 18})
    hear(tracker, {"kind": "add", "id": 6, "name": "Guard", "side": "empire", "count": 3, "npc": True})
    hear(tracker, {"kind": "leave", "id": 7, "name": "Guard 2"})
    members = tracker.view["setup"]["combatants"]
    assert [member["name"] for member in members] == ["Mara", "Guard 1", "Guard 3"]
    assert members[0]["summary"] == "Defense 18 · 38 hp · Dex 4"
    hear(tracker, {"kind": "start", "surprised": ["Guard 1"]})
    assert tracker.view["systems"] == [], "the rules are settled by the start"
    enc = tracker.encounter
    assert {rung.combatant for rung in enc.order} == {"Mara", "Guard 1", "Guard 3"}
    assert enc.clock.round == 0
    surprised = next(row for row in tracker.ladder.view["rows"].values() if row["name"] == "Guard 1")
    assert surprised["status"] == "surprised"
    (told,) = [parts for parts in surprised["sub"] if {"chip": "flat footed"} in parts]
    assert told[1] == "until their first turn "


def test_a_restart_is_another_encounter() -> None:
    enc = make()
    tracker = Tracker(enc)
    hear(tracker, {"kind": "restart", "seed": 5})
    assert tracker.encounter is not enc
    assert tracker.encounter.seed == 5
    assert tracker.view["mode"] == "setup"
    [sent(widget) for widget in parts(tracker)]
    enc.end_turn()
    assert [sent(widget) for widget in parts(tracker)] == [[], [], [], []], "the old fight is no longer shown"


# ── players ──


def test_the_players_view_is_told_nothing_it_may_not_know() -> None:
    enc = make()
    secrets = ["hidden under the stairs", "4711", "4242", "the prince arrives", "betrays them"]
    enc.join("Spy", side="empire", npc=True, hp=4711)
    tracker = Tracker(enc, view="players")
    everything = [json.dumps(widget.get_state("view")) for widget in parts(tracker)]
    enc.adjust("Spy", "hp", -469, note="hidden under the stairs")
    enc.condition("Mara", "watched", note="betrays them")
    for _ in range(4):
        enc.end_turn()
    while enc.active != "Spy":
        enc.end_turn()
    enc.do("Spy", "ready", action="attack", trigger="the prince arrives", target="Mara", note="betrays them")
    for widget in parts(tracker):
        everything += [json.dumps(data) for _, data in widget.comm.sent]
        everything += [json.dumps(widget.view), picture(widget)]
    (lines,) = hear(tracker, {"kind": "log", "from": 1, "to": 10_000})
    everything.append(json.dumps(lines))
    everything = [re.sub("[0-9a-f]{32}", "", text) for text in everything]  # ids are drawn, and may hold any number
    for secret in secrets:
        assert not [text for text in everything if secret in text], secret
    gm = json.dumps([widget.view for widget in parts(Tracker(enc))])
    assert [secret in gm for secret in secrets] == [True] * 5, "the GM is told all of it"
    assert "38" in json.dumps(tracker.ladder.view["rows"]["1"]), "what players have is theirs to see"


@pytest.mark.parametrize("kind", ["end_turn", "undo", "restart", "finish", "next_round", "redo", "resolve"])
def test_the_players_view_only_looks_on(kind: str) -> None:
    enc = make()
    tracker = Tracker(enc, view="players")
    digest = enc.digest
    for widget in parts(tracker):
        (answer,) = hear(widget, {"kind": kind, "id": 1})
        assert answer == {
            "kind": "refused",
            "id": 1,
            "reason": "this is the players' view: you can only watch",
            "rule": "",
        }
    (answer,) = hear(tracker, {"kind": "choices", "name": "Mara", "action": "attack"})
    assert answer["kind"] == "refused"
    assert enc.digest == digest
    assert hear(tracker, {"kind": "rule", "rule": "saga.std.one"})[0]["kind"] == "rule"


# ── pictures, names, lives ──


@pytest.mark.parametrize("kind", [InitiativeLadder, ActionBudget, CombatLog, Tracker])
def test_the_static_picture_is_plain_and_escaped(kind: type[Any]) -> None:
    enc = ck.Encounter("saga", id="saga-7", seed=7)
    enc.add(HOSTILE, side="<b>rebels</b>", dex=4, hp=30)
    enc.add("Guard", side="empire")
    html = ""
    for stage in range(3):
        html = picture(kind(enc))
        for banned in ("<img", "<b>rebels", "<script", "style=", "class=", "onerror=alert(1)>"):
            assert banned not in html
        if stage == 0:
            enc.start(rolls=[20, 1])
        elif stage == 1:
            enc.do(HOSTILE, "attack", target="Guard", note="<script>alert(1)</script>")
    if kind in (CombatLog, Tracker):
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_a_front_end_that_failed_gets_the_picture_in_words() -> None:
    tracker = Tracker(make())
    (answer,) = hear(tracker, {"kind": "static", "id": 3})
    lines = answer["text"].splitlines()
    assert answer["id"] == 3
    assert lines[:4] == [
        "Round 1 · 0:00 · Mara's turn (saga), as it stood when this was shown",
        "Initiative ladder",
        "Count | Combatant | Side | State | Vitality | Notes",
        "24 | Mara | ● rebels | ▸ now | 38/38 |",
    ]
    assert "<" not in answer["text"]


def test_pictures_and_names_are_the_same_every_time() -> None:
    def shown() -> list[Any]:
        enc = make()
        enc.do("Mara", "attack", target="Guard 1", rolls=[14])
        widgets = [InitiativeLadder(enc), ActionBudget(enc), ActionBudget(enc, "Ossik"), CombatLog(enc), Tracker(enc)]
        return [(repr(widget), picture(widget)) for widget in widgets]

    first, second = shown(), shown()
    assert first == second
    assert first[-1][0] == "<Tracker: saga-7, Round 1, Mara's turn>"
    assert "object at 0x" not in str(first)
    told = "<p><b>Round 1 · 0:00 · Mara&#x27;s turn</b> (saga), as it stood when this was shown</p><table>"
    assert first[-1][1].startswith(told)


def test_the_table_of_the_budget_says_what_is_refused() -> None:
    enc = make()
    enc.do("Mara", "attack", target="Guard 1")
    html = picture(ActionBudget(enc))
    went = "(Attack)"
    spent = f"Needs a standard action; Mara has none left until their next turn {went}. (saga.std.one)"
    assert "<td>Standard</td><td>0&nbsp;of&nbsp;1</td><td></td>" in html
    assert "<td>Attacks</td><td></td><td>Attack (standard spent)</td>" in html
    assert f"<td>Not now</td><td></td><td>Force power: {spent}</td>" in html


def test_an_encounter_is_shown_by_one_tracker() -> None:
    enc = make()
    first = enc._repr_mimebundle_()[0]
    view = "application/vnd.jupyter.widget-view+json"
    assert enc._repr_mimebundle_()[0][view] == first[view]
    tracker = tracker_of(enc)
    assert tracker.comm is not None, "it lives for as long as it is shown"
    tracker.close()
    assert enc._repr_mimebundle_()[0][view] != first[view]


def test_a_widget_that_is_closed_and_dropped_is_gone() -> None:
    enc = make()
    tracker = Tracker(enc)
    gone = [weakref.ref(widget) for widget in parts(tracker)]
    tracker.close()
    del tracker
    gc.collect()
    enc.end_turn()
    assert [held() for held in gone] == [None] * 4
    assert enc._watchers == ()


def test_an_encounter_does_not_outlive_its_use() -> None:
    enc = make()
    tracker = Tracker(enc)
    held = weakref.ref(enc)
    tracker.close()
    del tracker, enc
    gc.collect()
    assert held() is None


def test_a_budget_may_stay_with_somebody() -> None:
    enc = make()
    ossik, active = ActionBudget(enc, "Ossik"), ActionBudget(enc)
    enc.end_turn()
    enc.end_turn()
    assert ossik.view["name"] == "Ossik"
    assert active.view["name"] == "Guard 1"
    with pytest.raises(ck.UnknownName, match="did you mean 'Ossik'"):
        ActionBudget(enc, "Osik")


@pytest.mark.parametrize(
    ("system", "stats", "modifiers", "caption"),
    [
        ("saga", {"defense": 18, "speed": 4}, {"defense": -5}, "Defense 13 · speed 4"),
        ("d6", {"defense": 12}, {}, "Defense 12"),
        ("ap", {"defense": 15}, {}, "Defense 15"),
        (
            "segments",
            {"ac": 0, "movement": {"walk": 90, "fly": 240}},
            {"ac": 3},
            "AC \N{MINUS SIGN}3 · moves: walk 90, fly 240",
        ),
        ("phases", {"combat_value": 8}, {"dcv": -1}, "OCV 8 · DCV 7 · moves 6"),
    ],
)
def test_the_budget_says_what_hits_them_as_it_is_now(
    system: str, stats: dict[str, Any], modifiers: dict[str, int], caption: str
) -> None:
    enc = ck.Encounter(system, seed=3)
    enc.add("Mara", side="rebels", npc=True, **stats)
    enc.add("Vex", side="empire")
    enc.start()
    enc.condition("Mara", "shaken", modifiers=modifiers)
    assert ActionBudget(enc, "Mara").view["caption"] == f"shaken · {caption}"
    assert ActionBudget(enc, "Mara", view="players").view["caption"] == "", "what the GM plays is the GM's to know"


def test_quick_draw_and_a_long_breath_are_said_beside_their_actions() -> None:
    enc = make()
    budget = ActionBudget(enc)
    enc.do("Mara", "second_wind")
    swift = budget.view["action"]
    assert swift["draw_weapon"]["extra"] == "Quick Draw"
    assert swift["second_wind"]["extra"] == "1 of 3"
    assert budget.view["progress"][0]["done"] == 1


ARMED: dict[str, tuple[Any, str]] = {
    "saga": ({"name": "Blaster rifle", "attack": 9, "damage": "3d8+2", "range": 60}, "+9 · 3d8+2"),
    "d6": ({"name": "blaster", "attack": "4D", "damage": "1D", "type": "energy", "range": "long"}, "4D · 1D"),
    "ap": ({"name": "Sword", "attack": -1, "damage": "1d8", "range": "melee"}, "\N{MINUS SIGN}1 · 1d8"),
    "segments": ("sword", ""),
    "phases": ({"name": "Sword", "ocv": 1, "damage": "1d6", "reach": 1}, "+1 · 1d6"),
}


@pytest.mark.parametrize("system", ARMED)
def test_own_attacks_stand_first_by_the_names_of_the_weapons(system: str) -> None:
    weapon, brings = ARMED[system]
    enc = ck.Encounter(system, seed=1)
    enc.add("Ada", side="a", weapons=[weapon])
    enc.add("Bo", side="b")
    enc.start()
    while enc.active != "Ada":
        enc.end_turn()
    view = ActionBudget(enc).view
    assert view["groups"][0] == "attacks"
    (key,) = view["group"]["attacks"]["actions"]
    own = view["action"][key]
    name = weapon if isinstance(weapon, str) else weapon["name"]
    assert (own["title"], own.get("extra", "")) == (name, brings)
    found = enc.can("Ada", own["id"], target="Bo", **own["params"])
    assert found.allowed, found


def test_usual_actions_come_before_the_rest_each_once_with_its_cost() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ada", side="a", weapons=[ARMED["phases"][0]])
    enc.add("Bo", side="b")
    enc.start()
    while enc.active != "Ada":
        enc.end_turn()
    budget = ActionBudget(enc)
    view = budget.view
    rules, can = enc.ruleset.actions, [option.action for option in enc.options("Ada") if option.allowed]
    assert view["groups"] == ["attacks", "usual", "attack", "move", "full_phase", "free"]
    usual = view["group"]["usual"]
    assert usual == {
        "id": "usual",
        "title": "Usual",
        "actions": [id for id in can if rules[id].usual and id != "strike"],
    }
    assert len(usual["actions"]) == 11
    shown = [action for id in view["groups"][1:] for action in view["group"][id]["actions"]]
    assert sorted(shown) == sorted(can)
    assert (view["action"]["half_move"]["cost"], "cost" in view["action"]["crawl"]) == ("Move", False)
    assert "<td>Usual</td><td></td><td>Block (Attack), Dodge (Attack), " in picture(budget)
    enc.do("Ada", "reload")
    enc.resolve(answer="nobody")
    assert budget.view["group"]["usual"]["actions"] == usual["actions"], "what is spent keeps its place"
    assert budget.view["action"]["take_recovery"]["cost"] == "full phase spent"


def test_whoever_is_down_has_no_attack_not_because_its_cost_is_spent() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Ada", side="a", hp=9)
    enc.add("Bo", side="b", npc=True)
    enc.start()
    while enc.active != "Ada":
        enc.end_turn()
    for _ in range(3):
        enc.do("Ada", "dash")
    assert ActionBudget(enc, "Ada").view["action"]["attack"]["cost"] == "1 AP spent"
    enc.damage("Ada", 9)
    assert ActionBudget(enc, "Ada").view["action"]["attack"]["cost"] == "not now"


def test_an_action_brings_the_other_words_it_is_looked_for_by() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Ada", side="a", weapons=[ARMED["phases"][0]])
    enc.add("Bo", side="b")
    enc.start()
    enc.end_turn()
    shown = ActionBudget(enc, "Ada").view["action"]
    assert shown["strike"]["names"] == "shoot fire hit punch attack"
    assert shown["strike:0"]["names"] == "Strike shoot fire hit punch attack"
    assert "names" not in shown["shift_multipower"]


def test_players_see_the_own_attacks_of_no_npc() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ada", side="a", weapons=[ARMED["saga"][0]])
    enc.add("Thug", side="b", npc=True, weapons=[{"name": "hidden knife", "attack": 3, "damage": "1d4+1"}])
    enc.start(rolls={"Ada": 20, "Thug": 1})
    tracker = Tracker(enc, view="players")
    assert "Blaster rifle" in str(tracker.budget.view)
    enc.end_turn()
    assert enc.active == "Thug"
    assert "hidden knife" not in str(tracker.budget.view)


# ── every system ──


def any_choice(enc: ck.Encounter, random: Random) -> dict[str, Any]:
    """Give a message that the rules may well allow here."""
    offer = enc.pending[0] if enc.pending else None
    if offer is not None and offer.who == "GM":
        return {"kind": "resolve", "answer": offer.choices[0]}
    if offer is not None and not (offer.actions and (offer.must or random.random() < 0.5)):
        return {"kind": "resolve"}
    if offer is None and (enc.active is None or random.random() < 0.3):
        return {"kind": "end_turn"}
    name = offer.who if offer is not None else str(enc.active)
    action = (
        offer.actions[0] if offer is not None else random.choice([o for o in enc.options(name) if o.allowed]).action
    )
    params: dict[str, Any] = {}
    for choice in enc.choices(name, action):
        if choice.ruling.allowed and not choice.open:
            params.setdefault(choice.param, choice.value)
    return {"kind": "do", "name": name, "action": action, "params": params}


@pytest.mark.parametrize("calls", [20, pytest.param(60, marks=pytest.mark.long)])
@pytest.mark.parametrize("id", [rules.id for rules in ck.rulesets()])
def test_widgets_follow_a_fight_of_every_ruleset(id: str, calls: int) -> None:
    random = Random(5)
    enc = ck.Encounter(id, seed=3)
    vitals: dict[str, Any] = {vital.id: 20 for vital in enc.ruleset.vitals}
    for number, name in enumerate(["Mara", "Vex", "Guard", "Ilya"]):
        enc.add(name, side="ab"[number % 2], npc=number > 1, **vitals)
    trackers = [Tracker(enc), Tracker(enc, view="players")]
    widgets = [widget for tracker in trackers for widget in parts(tracker)]
    views = [deepcopy(widget.view) for widget in widgets]
    asked = {"kind": "choices", "name": "Mara", "action": enc.ruleset.actions.ids()[0]}
    for message in [{"kind": "start"}, asked, *[None] * calls, {"kind": "at", "seq": 9}, {"kind": "at", "seq": None}]:
        [sent(widget) for widget in widgets]
        call = message or any_choice(enc, random)
        trackers[0]._handle_msg({"content": {"data": {"method": "custom", "content": call}}, "buffers": []})
        found = [each for tracker in trackers for each in news(tracker)]
        for index, (widget, messages) in enumerate(zip(widgets, found, strict=True)):
            for delta in messages:
                if delta["kind"] == "delta":
                    views[index] = apply(views[index], delta)
            assert without_nothing(views[index]) == without_nothing(json.loads(json.dumps(widget.view)))
            assert picture(widget)


def test_a_heading_stands_once_above_the_rungs_it_is_for() -> None:
    enc = ck.Encounter("segments", seed=4)
    for name, side in (("Mara", "party"), ("Ilya", "party"), ("Vex", "cult")):
        enc.add(name, side=side, hp=20)
    enc.start()
    rows = Tracker(enc).ladder.view["rows"]
    assert [row.get("group") for row in rows.values()] == ["Before initiative", None, None]


def test_a_form_asks_first_how_a_deed_is_paid_where_only_that_makes_it_possible() -> None:
    enc = ck.Encounter("ap", seed=1)
    enc.add("Ada", side="a", initiative_rating=9, ap=1, style_advantages=["Bash"])
    enc.add("Bo", side="b")
    enc.start(rolls={"Ada": 6, "Bo": 1})
    enc.do("Ada", "aim")
    enc.condition("Ada", "advantage")
    tracker = Tracker(enc)
    asked = {"kind": "choices", "name": "Ada", "action": "bash"}

    def open_to(params: dict[str, str]) -> list[tuple[str, bool, list[bool]]]:
        (answer,) = [m for m in hear(tracker.budget, {**asked, "params": params}) if m["kind"] == "choices"]
        return [
            (p["id"], p["required"], sorted(v["allowed"] for v in p["values"]))
            for p in answer["params"]
            if p["id"] in ("pay", "target")
        ]

    assert open_to({}) == [("pay", True, [False, True]), ("target", True, [False])]
    assert open_to({"pay": "advantage"}) == [("pay", True, [False, True]), ("target", True, [True])]


# ── what no page shows ──


def works_of(call: Callable[[], object], trackers: Sequence[Tracker], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the views that a call has worked out, and the messages that go out."""
    made: list[object] = []

    def counted(old: Any, new: Any) -> Any:
        made.append(new)
        return changes(old, new)

    widgets = [widget for tracker in trackers for widget in parts(tracker)]
    for widget in widgets:
        sent(widget)
    with monkeypatch.context() as patch:
        patch.setattr(_base, "changes", counted)
        call()
    return [len(made), sum(len(sent(widget)) for widget in widgets)]


@pytest.mark.parametrize("id", [rules.id for rules in ck.rulesets()])
def test_a_cell_run_a_hundred_times_costs_what_it_costs_once(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    enc = ck.scene("catwalk").encounter(id, seed=7)
    held = [Tracker(enc)]
    held[0]._repr_mimebundle_()
    once = works_of(enc.next_round, held, monkeypatch)
    for _ in range(100):
        hear(held[-1], {"kind": "gone"})
        held.append(Tracker(enc))
        held[-1]._repr_mimebundle_()
    assert once == [4, 1]
    assert works_of(enc.next_round, held, monkeypatch) == once


def test_what_nobody_has_shown_is_worked_out_only_when_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_base.ViewWidget, "_shown", False)
    enc = make()
    tracker, other = Tracker(enc), Tracker(enc)
    hear(other, {"kind": "full"})
    [sent(widget) for widget in (*parts(tracker), *parts(other))]
    assert works_of(enc.end_turn, [tracker], monkeypatch)[1] == 0
    made: list[dict[str, Any]] = []

    def noted(look: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        made.append(look())
        return made[-1]

    for widget in parts(tracker):
        monkeypatch.setattr(widget, "_project", partial(noted, widget._project))
    enc.end_turn()
    assert made == []
    assert tracker.ladder.view["rows"] == other.ladder.view["rows"]
    assert (len(made), tracker.gone, sent(tracker)) == (1, True, [])
    tracker._repr_mimebundle_()
    enc.end_turn()
    assert sent(tracker) == [], "its cell may have run again before it was drawn"
    hear(tracker, {"kind": "full"})
    enc.end_turn()
    (message,) = sent(tracker)
    assert {"ladder", "budget", "log"} == {*message["parts"]}
    assert picture(tracker) == picture(other)


def test_a_message_comes_from_where_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_base.ViewWidget, "_shown", False)
    tracker = Tracker(make())
    (message,) = hear(tracker, {"kind": "end_turn"})
    assert (message["kind"], tracker.gone) == ("delta", False)


def test_what_was_read_at_rest_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_base.ViewWidget, "_shown", False)
    enc = make()
    tracker = Tracker(enc)
    for _ in range(2):
        enc.end_turn()
        assert tracker.ladder.view["rows"]
        (message,) = hear(tracker, {"kind": "full"})
        present = Tracker(enc)
        for name, part in message["parts"].items():
            assert part["view"] == {**getattr(present, name).view, "revision": part["view"]["revision"]}
        hear(tracker, {"kind": "gone"})


def test_what_comes_back_shows_the_present() -> None:
    enc = make()
    trackers = Tracker(enc), Tracker(enc)
    gone, shown = trackers
    assert hear(gone, {"kind": "gone"}) == [{"kind": "gone"}]
    enc.end_turn()
    assert sent(gone) == []
    assert [message["kind"] for message in hear(gone, {"kind": "full"})] == ["full"]
    for mine, theirs in zip(parts(gone), parts(shown), strict=True):
        assert mine.view == theirs.view
    enc.end_turn()
    assert [message["kind"] for message in sent(gone)] == ["delta"]


def test_a_cell_that_shows_it_again_shows_the_present() -> None:
    enc = make()
    tracker = Tracker(enc)
    hear(tracker, {"kind": "gone"})
    enc.end_turn()
    assert picture(tracker) == picture(Tracker(enc))


def test_a_part_shown_alone_is_told_while_its_tracker_rests() -> None:
    enc = make()
    tracker = Tracker(enc)
    hear(tracker, {"kind": "gone"})
    enc.end_turn()
    (message,) = hear(tracker.log, {"kind": "alone"})
    present = Tracker(enc).log.view
    assert message["view"] == {**present, "revision": message["view"]["revision"]}
    enc.end_turn()
    assert [message["kind"] for message in sent(tracker.log)] == ["delta"]
    hear(tracker.log, {"kind": "gone"})
    sent(tracker.log)
    enc.end_turn()
    assert sent(tracker.log) == []
