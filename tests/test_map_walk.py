"""A hand goes over the map at random: what the map says of a gesture is what comes of it, and what is seen is so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

import pytest

import combatkit as ck
from combatkit.fight.ground import _likely
from combatkit.widgets._map_view import MapProjector
from tests.conformance.player import MOVES, Player, some
from tests.conformance.test_ground import goal, once
from tests.share_client import applied
from tests.wire import recording, sent

SYSTEMS = tuple(rules.id for rules in ck.rulesets())


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


class Hand:
    """The map's other half: it sees what has come by deltas, and sends what gestures send."""

    def __init__(self, enc: ck.Encounter, rng: Random) -> None:
        self.enc, self.rng = enc, rng
        self.map = ck.Map(enc)
        self.view: dict[str, Any] = json.loads(json.dumps(self.map.view))
        self.numbers = count(1)
        sent(self.map)

    def hear(self) -> list[dict[str, Any]]:
        """Take in what has come; give what is no change of what is seen."""
        rest = []
        for message in sent(self.map):
            if message["kind"] == "delta":
                self.view = applied(self.view, message)
            else:
                rest.append(message)
        return rest

    def say(self, kind: str, **content: Any) -> dict[str, Any] | None:
        """Send a message, and give its answer or its refusal."""
        number = next(self.numbers)
        told = json.loads(json.dumps({"kind": kind, **content, "id": number}))
        self.map._handle_msg({"content": {"data": {"method": "custom", "content": told}}, "buffers": []})
        answers = [message for message in self.hear() if message.get("id") == number]
        return answers[0] if answers else None

    def name(self) -> str:
        """Give somebody who is seen."""
        return str(some(self.rng, [each["name"] for each in self.view["tokens"].values()]))

    def spot(self) -> Any:
        """Give a place near somebody's."""
        if self.view["board"] == "zones":
            return some(self.rng, [zone["name"] for zone in self.view["zones"]])
        x, y = next((each["at"] for each in self.view["tokens"].values() if isinstance(each.get("at"), list)), (0, 0))
        return [x + self.rng.randrange(-5, 6), y + self.rng.randrange(-5, 6)]

    # ── gestures ──

    def tap(self) -> None:
        """Choose a place, by another action maybe or on another way, and go there."""
        enc, rng = self.enc, self.rng
        window = enc._state.window
        if not self.view["goes"] or (window is not None and window.soft):
            return  # any call lets it go first
        who = self.view["tokens"][self.view["whose"]]["name"]
        ground = enc.ground(who)
        if isinstance(ground.at, str) != (enc.board.kind == "zones"):
            return  # a place by its name is on no map of squares
        to = json.loads(json.dumps(goal(rng, enc, ground)))
        answer = self.say("way", name=who, to=to)
        assert answer is not None
        assert answer["kind"] == "way", answer
        allowed = [each["id"] for each in answer["actions"] if "no" not in each]
        if allowed and not rng.randrange(3):
            answer = self.say("way", name=who, to=to, action=some(rng, allowed))
            assert answer is not None
        if answer["ways"]:
            self.go(who, answer, some(rng, answer["ways"]))
        elif answer["actions"]:
            self.fail(who, answer["action"] or some(rng, answer["actions"])["id"], to)

    def fail(self, who: str, action: str, to: Any) -> None:
        """Try what the map says can't be done."""
        before = self.enc.digest
        refused = self.say("do", name=who, action=action, params={"to": to})
        assert refused is not None, (who, action, to)
        assert refused["kind"] == "refused"
        assert self.enc.digest == before

    def go(self, who: str, answer: dict[str, Any], way: dict[str, Any]) -> None:
        """Do what the map says can be done, and see that it costs that, asks those, and ends there."""
        enc, action = self.enc, answer["action"]
        cost = next(each["cost"] for each in answer["actions"] if each["id"] == action)
        assert enc.can(who, action, to=way["to"]).cost == cost
        begin, below = enc[who].position, len(enc._state.focus)
        assert self.say("do", name=who, action=action, params={"to": way["to"]}) is None, (who, action, way)
        found = []
        while (window := enc._state.window) is not None and len(enc._state.focus) > below:
            found += [(offer.who, enc[who].position) for offer in enc.pending]
            enc.resolve(answer=_likely(enc._state, window))
        spots = [begin, *[tuple(each) if isinstance(each, list) else each for each in way["path"]]]
        told = [(name, spots[step]) for name, step in way["asks"]]
        assert once([each for each in found if each[0] != "GM"]) == once(told), (who, way)
        assert enc[who].position == spots[-1] or any(name == "GM" for name, _ in found), (who, way)

    def drop(self) -> None:
        """Set somebody down by the GM's word, or take them off the map."""
        name, at = self.name(), self.spot() if self.rng.randrange(6) else None
        if self.say("place", name={name: at}) is not None:
            return
        (token,) = [each for each in self.view["tokens"].values() if each["name"] == name]
        assert token.get("at") == at

    def look(self) -> None:
        """Tap somebody, or nobody: whose ground is shown then is theirs."""
        name = self.name() if self.rng.randrange(3) else None
        if self.say("look", name=name) is None and self.view.get("whose") is not None:
            shown = self.view["tokens"][self.view["whose"]]["name"]
            assert shown == (name or shown)

    def undo(self) -> None:
        self.say("undo")

    def end(self) -> None:
        self.say("resolve" if self.enc._state.window is not None else "end_turn")

    def see(self) -> None:
        """Compare what is seen with what there is to see."""
        self.hear()
        there = json.loads(json.dumps(MapProjector(alone=True)(self.map._vantage)))
        # A delta takes away what has become None.
        assert {key: self.view.get(key) for key in there} == there


GESTURES = ("tap", "tap", "tap", "tap", "drop", "look", "undo", "end")


def walked(system: str, rng: Random, most: int) -> None:
    done = 0
    while done < most:
        player = Player(system, rng)
        if not player.placed or player.enc._state.stage != "running":
            continue
        hand = Hand(player.enc, rng)
        for _ in range(20):
            if player.enc._state.stage != "running":
                break
            if rng.randrange(4):
                getattr(hand, some(rng, GESTURES))()
                done += 1
            else:
                getattr(player, some(rng, MOVES))(rng)
            hand.see()
        hand.map.close()


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_the_map_says_of_a_gesture_is_what_comes_of_it(system: str) -> None:
    walked(system, Random(f"hand {system}"), 40)


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
def test_what_the_map_says_of_many_gestures_is_what_comes_of_them(system: str) -> None:
    walked(system, Random(f"hands {system}"), 2_000)
