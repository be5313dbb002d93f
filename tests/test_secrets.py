"""Players are told nothing that only the GM may know: marks are planted, fights played, and every byte searched.

It has a long form, in a soak.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import combatkit as ck
from combatkit.report.lines import LogLines
from combatkit.report.words import plain
from combatkit.widgets._base import Project, ViewWidget, bundle
from combatkit.widgets._intents import KINDS, hear
from combatkit.widgets._ladder_view import LadderProjector
from combatkit.widgets._seat import SeatBudget, SeatVantage, seat_tracker
from combatkit.widgets._seat_rights import hear_seat
from combatkit.widgets._table import table_of
from combatkit.widgets.log import log_view
from combatkit.widgets.page import page
from tests import soaking
from tests.conformance.player import CONDITIONS, NAMES, UNTIL, Player, some

SYSTEMS = tuple(ruleset.id for ruleset in ck.rulesets())
FIGHTS, SMALL = 200, 12
CALLS = 10
SEED = 7_070_707_070_707
HUSH = "hush-hush"
"""Stands in all that the GM says alone."""
ALOUD = "for all to hear"
FOES = ("Vex", "Lurk")
SPARE = 60
"""So far below its full number an NPC's vital is still known by its size."""

Record = Callable[[str, object], None]


class Evening(Player):
    """A fight whose GM says something with every call, and whose NPCs have more to lose than anything else counts."""

    def __init__(self, system: str, rng: Random, journal: Path | None) -> None:
        self.accepted = self.refusals = 0
        self.told = []
        self.enc = ck.Encounter(system, id="evening", seed=rng.getrandbits(64) | 1 << 63, journal=journal)
        self.digests = {self.enc.digest}
        self.heard: list[bytes] = []
        self.vitals: dict[str, Any] = {vital.name: (vital.range or (0, 0))[1] for vital in self.enc.ruleset.vitals}
        for number, name in enumerate(NAMES[:3]):
            self.bring(rng, self.enc.add, name, "red" if number else "blue")
        for name in FOES:
            self.enc.add(name, side="foes", npc=True, group=f"Order of {HUSH}", **self.vitals)
        self.tracker = ck.Tracker(self.enc, view="players")
        self.start(rng)

    def bring(self, rng: Random, call: Callable[..., Any], name: str, side: str, **more: Any) -> bool:
        """Add a player's own; who joins may be the GM's."""
        if call == self.enc.join and rng.randrange(2):
            return self.attempt(lambda: call(name, side=side, npc=True, **self.vitals))
        return self.attempt(lambda: call(name, side=side))

    def attempt(self, call: Callable[[], Any]) -> bool:
        """Make a call; the digest after it is not for players."""
        done = super().attempt(call)
        if done and self.accepted % 5 == 0:
            self.digests.add(self.enc.digest)
        return done

    def is_npc(self, name: str) -> bool:
        """Say whether the GM plays somebody."""
        return self.enc._state.fighters[name].npc

    def open_value(self, rng: Random, param: str) -> Any:
        """Give a value for what has no list; what is readied is on words that are the GM's if an NPC's."""
        if param == "trigger":
            return HUSH if self.is_npc(self.who) else "the door opens"
        return super().open_value(rng, param)

    def act(self, rng: Random, who: str | None = None) -> None:
        """Do something of the catalogue, and say something with it."""
        enc = self.enc
        name = self.who = who or (enc.active if enc.active and rng.randrange(4) else some(rng, enc.names))
        allowed = [option for option in enc.options(name) if option.allowed]
        keeping = [option for option in allowed if "trigger" in option.needs]
        if allowed:
            option = some(rng, keeping if keeping and not rng.randrange(3) else allowed)
            given, _ = self.fill(rng, name, option.action, option.needs)
            note = HUSH if self.is_npc(name) else ALOUD
            self.attempt(lambda: enc.do(name, option.action, note=note, **given))

    def answer(self, rng: Random) -> None:
        """Answer an open window."""
        offers = [offer for offer in self.enc.pending if offer.actions and offer.who != "GM"]
        if offers:
            self.act(rng, some(rng, offers).who)

    def override(self, rng: Random) -> None:
        """Let the GM set a rule aside."""
        name = self.who = some(rng, self.enc.names)
        refused = [option for option in self.enc.options(name) if not option.allowed]
        if refused:
            action = some(rng, refused).action
            needs = self.enc.ruleset.catalogue(self.enc._state)[action].required
            given = {p: NAMES[0] if p == "target" else self.open_value(rng, p) for p in needs}
            self.attempt(lambda: self.enc.do(name, action, override=True, note=HUSH, **given))

    def resolve(self, rng: Random) -> None:
        """Close a window, and say why."""
        questions = [offer for offer in self.enc.pending if offer.who == "GM"]
        answer = some(rng, questions[0].choices) if questions and questions[0].choices else None
        self.attempt(lambda: self.enc.resolve(answer=answer, note=HUSH))

    def adjust(self, rng: Random) -> None:
        """Take from a vital or give to it."""
        vital = some(rng, list(self.vitals))
        names = [name for name in self.enc.names if not rng.randrange(2)]
        self.attempt(lambda: self.enc.adjust(names, vital=vital, by=rng.randrange(-6, 5), note=HUSH))

    def damage(self, rng: Random) -> None:
        """Deal damage out, or heal it: of what is rolled for NPCs players see no number."""
        names = [name for name in self.enc.names if not rng.randrange(2)]
        call = some(rng, (self.enc.damage, self.enc.heal))
        self.attempt(lambda: call(names, some(rng, (3, "2d6+1")), vital=some(rng, list(self.vitals)), note=HUSH))

    def condition(self, rng: Random) -> None:
        """Let a condition begin."""
        name, id = some(rng, self.enc.names), some(rng, [*CONDITIONS, f"{HUSH} fever"])
        until = some(rng, [words for words in UNTIL if words is None or ":" not in words])
        self.attempt(lambda: self.enc.condition(name, id, until=until, note=HUSH))

    def place(self, rng: Random) -> None:
        """Move somebody on the ladder or the map."""
        name, other = some(rng, self.enc.names), some(rng, self.enc.names)
        where = some(rng, [{"before": other}, {"after": other}, {"at": "the bridge"}])
        self.attempt(lambda: self.enc.place(name, note=HUSH, **where))


MOVES = (
    *("act",) * 8,
    *("end_turn",) * 4,
    *("answer", "resolve", "adjust", "damage") * 2,
    *("override", "trigger", "next_round", "join", "leave", "condition", "place", "undo", "redo"),
)

QUESTIONS: dict[str, dict[str, Any]] = {
    "at": {"seq": 1},
    "download": {"what": "page"},
    "log": {"from": 1, "to": 10_000},
    "look": {"name": FOES[0]},
    "choices": {"name": FOES[0], "action": "attack"},
    "do": {"name": FOES[0], "action": "attack"},
    "condition": {"name": FOES[0], "condition": "prone"},
    "adjust": {"names": FOES[0], "by": -1},
    "damage": {"names": FOES[0], "amount": 1},
    "heal": {"names": FOES[0], "amount": 1},
    "temporary": {"names": FOES[0], "amount": 1},
    "edit": {"name": FOES[0], "portrait": "M"},
    "another": {"name": FOES[0]},
}
"""What a players' front end may try, besides every other kind with nothing in it."""


def told(evening: Evening, whole: bool) -> Iterator[str]:
    """Give everything that players get of a fight, at its end."""
    enc, tracker = evening.enc, evening.tracker
    parts = [tracker, tracker.ladder, tracker.budget, tracker.log]
    for name in FOES[:1]:
        hear(tracker._vantage, {"kind": "look", "name": name})
    for kind in KINDS:
        evening.heard.append(json.dumps(hear(tracker._vantage, {"kind": kind, **QUESTIONS.get(kind, {})})).encode())
    for widget in parts:
        for kind in ("full", "static", "alone"):
            widget._hear(None, {"kind": kind, "id": 1}, [])
        yield json.dumps(widget.view)
        yield repr(widget)
        yield widget._static()
    yield from (heard.decode() for heard in evening.heard)
    for undone in (False, True):
        log = enc.log(view="players", undone=undone)
        yield from (log.markdown, log.html, repr(log))
    again = ck.Tracker(enc, view="players")
    yield json.dumps([again.view, again.ladder.view, again.budget.view, again.log.view])
    again.close()
    if whole:
        written = page(enc, "players", "A fight")
        for ours in ("tracker.css", "page.css", "page.js"):  # what stands in every page holds many a number
            written = written.replace(bundle(ours), "")
        yield written


def leaks(evening: Evening, words: str, journal: Path | None) -> list[str]:
    """Give what of the GM's is in some words."""
    seed = evening.enc.seed
    secrets = [HUSH, str(seed), f"{seed:x}", f"{seed:,}", *evening.digests, evening.enc.digest]
    secrets += [] if journal is None else [str(journal), journal.name]
    found = [secret for secret in secrets if secret in words or secret in words.casefold()]
    tops = evening.vitals.values()
    found += [
        n
        for n in re.findall(r"(?<!\w)\d{3,6}(?!\w)", words)  # a digest of the page may hold any digits
        if any(top - SPARE <= int(n) <= top for top in tops)
    ]
    return found


def play(system: str, seed: int, tmp_path: Path) -> Evening:
    """Play a fight and search what players got of it; every tenth is kept in a file, every twentieth written whole."""
    rng = Random(f"{system} {seed}")
    journal = tmp_path / f"the-gms-own-{seed}.combat" if seed % 10 == 0 else None
    evening = Evening(system, rng, journal)
    for _ in range(CALLS):
        getattr(evening, some(rng, MOVES))(rng)
    for words in told(evening, seed % 20 == 0):
        assert not leaks(evening, words, journal), (
            system,
            seed,
            leaks(evening, words, journal),
            _around(evening, words),
        )
    evening.enc.close()
    evening.tracker.close()
    return evening


def _around(evening: Evening, words: str) -> str:
    found = leaks(evening, words, None)
    at = words.find(found[0]) if found else 0
    return words[max(0, at - 300) : at + 100]


# ── one by one ──


def saga(**more: Any) -> ck.Encounter:
    """Give a fight in which Vex, an NPC, keeps something ready."""
    enc = ck.Encounter("saga", seed=SEED, **more)
    enc.add("Mara", side="rebels", hp=38)
    enc.add("Vex", side="empire", npc=True, hp=771)
    enc.start(rolls={"Mara": 5, "Vex": 15})
    enc.do("Vex", "ready", action="attack", trigger=HUSH, note=HUSH)
    enc.end_turn()
    return enc


def shown(enc: ck.Encounter, view: str) -> str:
    """Give all that is shown of a fight in a view."""
    tracker = ck.Tracker(enc, view=view)
    parts = (tracker, tracker.ladder, tracker.budget, tracker.log)
    log = enc.log(view=view, undone=True)
    words = [json.dumps(part.view) + part._static() for part in parts]
    tracker.close()
    return "".join([*words, log.markdown, log.html, page(enc, view, "A fight")])


def test_what_players_are_not_told_the_gm_is() -> None:
    """The same search finds it all where it belongs."""
    enc = saga()
    enc.adjust("Vex", by=-1, note="limps on " + HUSH)
    for secret in (HUSH, str(SEED), "770", "limps on"):
        assert secret in shown(enc, "gm")
        assert secret not in shown(enc, "players")


def test_a_note_on_what_is_resolved_is_no_decliners() -> None:
    enc = saga()
    enc.do("Mara", "move")
    assert enc.pending
    before = shown(enc, "players")
    events = enc.resolve(note="Vex sleeps")
    assert [(e.kind, e.actor) for e in events if e.note] == [("window_end", None)]
    assert "Vex sleeps" in shown(enc, "gm")
    assert "Vex sleeps" not in before + shown(enc, "players")


def test_what_an_npc_keeps_ready_is_not_announced() -> None:
    enc = saga()
    enc.do("Mara", "move")
    view = ck.Tracker(enc, view="players").view
    assert view["announce"] == "Mara moves. Vex may react."
    assert ck.Tracker(enc).view["announce"] == f"Mara moves. Vex may use the readied attack: {HUSH}."


def test_a_reaction_that_opens_its_own_window_keeps_its_note() -> None:
    """The window is about the one whose turn it is, the note is of who reacts."""
    enc = ck.Encounter("saga", seed=SEED)
    enc.add("Mara", side="rebels")
    enc.add("Vex", side="empire", npc=True)
    enc.start(rolls={"Mara": 15, "Vex": 5})
    enc.do("Vex", "attack_of_opportunity", target="Mara", trigger="moves past", note=HUSH)
    assert HUSH in shown(enc, "gm")
    assert HUSH not in shown(enc, "players")


def test_who_is_gone_again_was_the_gms_all_the_same() -> None:
    enc = saga()
    start = len(enc._events)
    enc.join("Lurk", side="empire", npc=True, hp=993)
    enc.adjust("Lurk", by=-1, note=HUSH)
    enc.undo(to=start)
    assert "Lurk" not in enc
    assert "992" in shown(enc, "gm")
    for secret in ("992", HUSH):
        assert secret not in shown(enc, "players")


def test_a_seed_in_the_words_of_an_older_log_is_not_for_players() -> None:
    enc = saga()
    first, *rest = enc._events
    old = msgspec.structs.replace(first, text=f"{first.text}, seed {SEED}")
    for players in (True, False):
        log_lines = LogLines(enc.ruleset, players)
        log_lines.read([old, *rest], enc._events.begins, enc._state, {"rebels": 0, "empire": 1})
        assert (str(SEED) in json.dumps(log_lines.view(1))) is not players


def cult(system: str, public: tuple[str, ...]) -> ck.Encounter:
    """Give a fight in its second round whose GM has words of their own for a group and for a condition."""
    enc = ck.Encounter(system, seed=SEED, public=public)
    enc.add("Vex", side="town", npc=True, group="Cult assassins")
    enc.add("Lurk", side="town", npc=True, group="Cult assassins")
    enc.add("Mara", side="party")
    enc.start()
    enc.condition(["Vex", "Mara"], "marked by the idol")
    enc.condition("Mara", "hexed too")
    enc.undo()
    enc.condition("Mara", "prone")
    enc.next_round()
    return enc


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_a_group_is_called_and_conditions_of_no_rule_are_the_gms(system: str) -> None:
    words = shown(cult(system, ()), "players").casefold()
    for secret in ("cult", "assassins", "marked", "idol", "hexed"):
        assert secret not in words
    assert "prone" in words
    assert "marked by the idol" in shown(cult(system, ()), "gm")


@pytest.mark.parametrize("system", SYSTEMS)
def test_players_are_told_what_is_public(system: str) -> None:
    words = shown(cult(system, ("conditions", "groups")), "players").casefold()
    assert "marked by the idol" in words
    assert "hexed too" in words
    assert ("cult assassins" in words) is (system in ("ap", "segments"))
    only = shown(cult(system, ("groups",)), "players").casefold()
    assert "marked by the idol" not in only
    assert ("cult assassins" in only) is (system in ("ap", "segments"))


def test_a_group_that_players_may_not_know_is_called_after_its_first() -> None:
    enc = cult("segments", ())
    assert "Initiative for Vex's group is " in enc.log(view="players").markdown
    enc.condition("Vex", "hidden")
    assert "Vex" not in shown(enc, "players")
    assert "Initiative for Lurk's group is " in enc.log(view="players").markdown


def test_a_group_that_is_called_as_its_members_are_tells_nothing() -> None:
    enc = ck.Encounter("ap", seed=SEED)
    enc.add("Guard", side="town", npc=True, count=2)
    enc.start()
    assert "once for all of Guard:" in enc.log(view="players").markdown


def test_what_is_public_stays_with_the_fight(tmp_path: Path) -> None:
    enc = ck.Encounter("ap", seed=SEED, public="groups", journal=tmp_path / "a.combat")
    enc.add("Vex", side="town", npc=True, count=2, group="Cult assassins")
    enc.start()
    seq = len(enc._events)
    enc.save(tmp_path / "b.combat")
    again = enc.restart(1)
    again.start()
    enc.close()
    fights = [again, ck.load(tmp_path / "b.combat"), ck.Encounter.open(tmp_path / "a.combat")]
    for fight in (*fights, fights[1].branch(seq)):
        assert "Cult assassins" in shown(fight, "players")
    wrong: list[Any] = ["group", ["groups", "names"], 7, [[]]]
    for bad in wrong:
        with pytest.raises(ck.InvalidInput, match=r"public is .*give what players may read, of"):
            ck.Encounter("ap", public=bad)


# ── fights at random: each plants the marks, which fights of the corpus do not ──


@pytest.mark.slow
@pytest.mark.parametrize("least", [SMALL, pytest.param(FIGHTS, marks=(pytest.mark.long, pytest.mark.soak))])
@pytest.mark.parametrize("system", SYSTEMS)
def test_players_are_told_nothing_that_only_the_gm_may_know(
    system: str, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property: Record
) -> None:
    sent: list[bytes] = []
    monkeypatch.setattr(ViewWidget, "send", lambda _, content: sent.append(json.dumps(content).encode()))
    monkeypatch.setattr(ViewWidget, "_shown", True)
    fights = calls = searched = 0
    for fights in soaking.rounds(least, 0.05):
        evening = play(system, fights, tmp_path)
        for message in sent:
            assert not leaks(evening, message.decode(), None), (system, fights, message)
        calls += evening.accepted
        searched += sum(map(len, sent))
        sent.clear()
    assert searched, "something was sent"
    record_property(
        "told", f"secrets: {system} {fights + 1} fights, {calls} calls, {searched:,} bytes of messages searched"
    )


def test_what_a_minutes_rules_note_of_somebody_is_not_for_players() -> None:
    enc = ck.Encounter("segments", seed=SEED)
    enc.add("Vex", side="town", npc=True, hp=9)
    enc.add("Mara", side="party", hp=9)
    enc.start()
    enc.condition("Vex", "completing", value="attack")
    assert "completing" in shown(enc, "gm").casefold()
    assert "completing" not in shown(enc, "players").casefold()


def test_a_name_of_a_group_that_was_undone_stays_the_gms_in_what_the_log_still_tells() -> None:
    enc = ck.Encounter("ap", seed=SEED)
    enc.add("Mara", side="party")
    enc.add("Guard", side="town", npc=True, count=2, group="Vader's trap")
    enc.start()
    enc.undo()
    enc.undo()
    enc.add("Guard", side="town", npc=True, count=2, group="Patrol")
    enc.start()
    assert "Vader's trap" in shown(enc, "gm")
    assert "Vader" not in shown(enc, "players")


# ── nobody can be counted ──


def counting(system: str, lurks: bool) -> ck.Encounter:
    """Give a fight of six in which one more is hidden, who comes last, or is not."""
    enc = ck.Encounter(system, seed=SEED)
    for name in ORDER[:4]:
        enc.add(name, side="party")
    enc.add("Guard", side="town", npc=True, count=2)
    if lurks:
        enc.add("Lurk", side="town", npc=True)
        enc.condition("Lurk", "hidden")
    enc.start()
    for first, then in pairwise([name for name in ORDER if name in enc.names]):
        enc.place(then, after=first)
    enc.next_round()
    return enc


ORDER = ("Mara", "Ossik", "Ilya", "Dray", "Guard 1", "Guard 2", "Lurk")


def seen(enc: ck.Encounter, vantage: SeatVantage, log: list[str]) -> str:
    """Give what a seat sees now, and what it may do and why not; of the log only what has come since the last time."""
    projects: list[Project] = [seat_tracker, LadderProjector(), SeatBudget(), log_view]
    views = [vantage.sealed.seal(project(vantage)) for project in projects]
    lines = [plain(line["text"]) for line in views.pop()["lines"].values()]
    fresh, log[:] = lines[len(log) :], lines
    mine = [] if vantage.now.active is None and not vantage.now.pending else vantage.plays
    forms = [
        [option.reason, hear_seat(vantage, {"kind": "choices", "name": name, "action": option.action})]
        for name in mine
        for option in vantage.now.options(name)
    ]
    return json.dumps([views, fresh, forms])


def to_guard(enc: ck.Encounter) -> None:
    """Let all go by until it is Guard 1's turn."""
    while enc.active != "Guard 1":
        (enc.resolve if enc.pending else enc.end_turn)()


def strike(enc: ck.Encounter) -> None:
    """Let Guard 1 attack, by dice that do not depend on how many events there have been."""
    rolls = {"attack": [1, 1, 1]} if enc.ruleset.id == "phases" else None
    enc.do("Guard 1", "attack", target="Mara", rolls=rolls)


def carry_on(enc: ck.Encounter) -> None:
    """Let a window go, if one is open."""
    if enc.pending:
        enc.resolve()


TOLD: tuple[Callable[[ck.Encounter], object], ...] = (
    lambda enc: enc.damage([name for name in enc.names if name not in ORDER[2:6]], 1),
    lambda enc: enc.undo(),
    lambda enc: enc.condition(enc.names, "prone"),
    lambda enc: enc.undo(),
    lambda enc: enc.redo(),
    lambda enc: enc.undo(),
    lambda enc: enc.leave([name for name in enc.names if name not in ORDER[:4]]),
    lambda enc: enc.undo(),
    to_guard,
    strike,
    carry_on,
    lambda enc: enc.undo(),
    lambda enc: enc.trigger("Guard 1", text="runs"),
    carry_on,
    lambda enc: enc.damage([name for name in enc.names if name in ("Mara", "Lurk")], 1, attacker="Guard 1"),
    lambda enc: enc.condition([name for name in enc.names if name in ("Guard 1", "Lurk")], "prone"),
    lambda enc: enc.condition([name for name in enc.names if name in ("Guard 1", "Lurk")], "prone", off=True),
    lambda enc: enc.leave([name for name in enc.names if name in ("Guard 2", "Lurk")]),
    carry_on,
    lambda enc: enc.next_round(),
)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_word_told_to_players_is_made_of_whom_they_see(system: str) -> None:
    """Nobody can be counted who is hidden: not by "and 2 more", nor by what was undone, nor by an event's number."""
    words: list[list[list[str]]] = []
    for lurks in (True, False):
        enc = counting(system, lurks)
        table_of(enc).plays.update({"Anna": ("Mara",), "Screen": ()})
        places: list[tuple[SeatVantage, list[str]]] = [(SeatVantage(enc, name), []) for name in ("Anna", "Screen")]
        words.append([])
        for call in TOLD:
            call(enc)
            words[-1].append([seen(enc, *place) for place in places])
    for call, lurked, quiet in zip(TOLD, *words, strict=True):
        assert lurked == quiet, call
