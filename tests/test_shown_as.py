"""Another name until it is known: players read it everywhere, and never the true one before it is revealed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.core.guises import Guises
from combatkit.widgets._ask import AskChoices, choices_answer
from tests.share_client import Page
from tests.test_asked import said as message
from tests.windows_asked import seated

SYSTEMS = tuple(ruleset.id for ruleset in ck.rulesets())
GUISE, MAN = "a hooded man", "hooded man"
"""As whom players see somebody, and of several the others, by number."""


def masked(system: str, **more: object) -> ck.Encounter:
    """Give a fight with three whom players know by one other name, one of them with a side of his own."""
    enc = ck.Encounter(system, id="docks", seed=5, **more)  # type: ignore[arg-type]
    enc.add("Mara", side="rebels")
    enc.add("Baron Vex", side="Baron Vex's men", npc=True, shown_as=GUISE)
    enc.add("Zealot", side="cult", npc=True, count=2, shown_as=GUISE)
    return enc


def played(enc: ck.Encounter) -> ck.Encounter:
    """Play some turns, in which the GM speaks of them by their names."""
    enc.start()
    for _ in range(10):
        who = enc.active
        attacks = [o.action for o in enc.options(who) if o.allowed and "target" in o.needs] if who else []
        if who and attacks and not enc.pending:
            target = "Mara" if who != "Mara" else "Baron Vex"
            attempt(enc, who, attacks[0], target)
        rest(enc)
        enc.end_turn()
    enc.damage(["Mara", "Baron Vex", "Zealot 2"], 1)
    enc.condition("Mara", "prone", note="Baron Vex laughs")
    rest(enc)
    enc.trigger("Baron Vex", to=["Mara"], text="Baron Vex draws a blade, and Baron Vex's men cheer")
    return enc


def rest(enc: ck.Encounter) -> None:
    """Close what is open."""
    while enc.pending:
        choices = enc.pending[0].choices
        enc.resolve(answer=choices[0] if choices else None)


def attempt(enc: ck.Encounter, who: str, action: str, target: str) -> None:
    """Do something that may be refused for want of more."""
    if enc.can(who, action, target=target).allowed:
        enc.do(who, action, target=target, note=f"{who} hisses" if who != "Mara" else "")


def seen(enc: ck.Encounter, folder: Path) -> str:
    """Give all that players see and read, and what is written for them."""
    tracker = ck.Tracker(enc, view="players")
    parts = [tracker, tracker.ladder, tracker.budget, tracker.log]
    views = json.dumps([part.view for part in parts]) + "".join(part._static() + repr(part) for part in parts)
    tracker.close()
    page = enc.to_html(folder / "seen.html", view="players").read_text(encoding="utf-8")
    return views + page + "".join(enc.log(view="players", undone=undone).html for undone in (False, True))


def shared(enc: ck.Encounter) -> str:
    """Give every byte that a seat and a screen are sent as they come, with the whole log."""
    with enc.share() as room:
        words = []
        for seat in (room.seat("Anna", plays=["Mara"]), room.screen()):
            with Page(room, seat if seat.url else room.renew(seat.name)) as page:
                page.until("welcome")
                if not room.busy:
                    page.ask("log", **{"from": 1, "to": 10_000})
                words += page.raw
        return "".join(words)


TRUE = ("Vex", "Baron", "Zealot")


@pytest.mark.parametrize("system", SYSTEMS)
def test_nobody_reads_a_name_before_it_is_known(system: str, tmp_path: Path) -> None:
    enc = played(masked(system))
    words = seen(enc, tmp_path) + shared(enc)
    for name in TRUE:
        assert name not in words, words[words.index(name) - 200 : words.index(name) + 50]
    for shown in (GUISE, f"{MAN} 2", f"{MAN} 3"):
        assert shown in words
    assert f"{GUISE} draws a blade, and {GUISE}'s men cheer" in words.casefold()
    assert "Baron Vex" in enc.log().markdown
    assert GUISE not in enc.log().markdown
    rest(enc)
    enc.finish()
    words = seen(enc, tmp_path) + shared(enc)
    assert not any(name in words for name in TRUE)


@pytest.mark.parametrize("system", SYSTEMS)
def test_it_is_revealed_and_that_can_be_taken_back(system: str, tmp_path: Path) -> None:
    path = tmp_path / "a.combat"
    enc = played(masked(system, journal=path))
    rest(enc)
    before, log = seen(enc, tmp_path), enc.log(view="players").markdown
    with enc.share() as room, Page(room, room.screen()) as page:
        page.until("welcome")
        (event,) = enc.reveal("Baron Vex")
        assert (event.kind, event.actor, event.text) == ("combatant", "Baron Vex", "is the hooded man")
        page.until("delta")
        assert "The hooded man is Baron Vex." in json.dumps(page.views)
        enc.undo()
        page.until("delta")
        assert "Vex" not in json.dumps(page.views)
    words = seen(enc, tmp_path)
    assert "Vex" not in words
    assert "Vex" not in shared(enc)
    enc.redo()
    after = enc.log(view="players").markdown
    assert "The hooded man is Baron Vex." in after
    assert "Zealot" not in after
    # What was read before stays as it was.
    for line in log.splitlines():
        if line.startswith("a hooded man ") or "draws a blade" in line:
            assert line.partition("Baron")[0] in after
    enc.damage("Baron Vex", 1)
    tracker = ck.Tracker(enc, view="players")
    names = [row["name"] for row in tracker.ladder.view["rows"].values()]
    assert {"Mara", "Baron Vex", f"{MAN} 2", f"{MAN} 3"} == {*names}
    assert [line["actor"] for line in tracker.log.view["lines"].values()][-1] == "Baron Vex"
    tracker.close()
    seq = len(enc._events)
    enc.close()
    again = ck.Encounter.open(path)
    for fight in (again, again.branch(seq)):
        assert "The hooded man is Baron Vex." in fight.log(view="players").markdown
        assert "Zealot" not in seen(fight, tmp_path)
    assert "Vex" not in seen(again.branch(seq - 2), tmp_path)
    assert before
    again.close()


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_moment_of_a_page_tells_what_was_taken_back_twice(system: str, tmp_path: Path) -> None:
    enc = masked(system)
    enc.start()
    enc.condition("Mara", "prone")
    enc.reveal("Baron Vex")
    enc.condition("Mara", "tired")
    told = True
    for step in (enc.undo, enc.undo, enc.redo, enc.redo, enc.undo, enc.undo):
        step()
        page = enc.to_html(tmp_path / "seen.html", view="players").read_text(encoding="utf-8")
        told = "Baron" in page
        assert told is ("baron" in str(enc.log(view="players")).lower())
    assert not told
    enc.condition("Mara", "tired")
    assert "Baron" not in enc.to_html(tmp_path / "seen.html", view="players").read_text(encoding="utf-8")


@pytest.mark.parametrize("system", SYSTEMS)
def test_seats_name_targets_by_it_and_the_true_name_is_nobodys(system: str) -> None:
    enc = masked(system)
    enc.start()
    for _ in range(30):
        if enc.active == "Mara" and not enc.pending:
            break
        enc.resolve() if enc.pending else enc.end_turn()
    attacks = [o.action for o in enc.options("Mara") if "target" in o.needs]
    attack = next(each for each in attacks if enc.can("Mara", each, target="Zealot 1").allowed)
    with enc.share() as room, Page(room, room.seat("Anna", plays=["Mara"])) as page:
        page.until("welcome")
        said = []
        for name in (
            "Baron Vex",
            "Baron Vix",
            "Zealot",
            "Zaelot",
            "Zealot 2",
            "Zaelot 2",
            "Baron Vex's men",
            "Baron Vix's men",
        ):
            for message in (
                {"kind": "do", "name": "Mara", "action": attack, "target": name},
                {"kind": "choices", "name": "Mara", "action": attack, "params": {"target": name}},
                {"kind": "look", "name": name},
            ):
                answer = page.ask(**message)
                said.append(json.dumps({**answer, "id": 0}).replace(name, "NAME"))
        for true, false in zip(*(said[n : n + 3] for n in (0, 3)), strict=True):
            assert true == false
        assert said[6:9] == said[9:12]
        assert said[12:15] == said[15:18]
        assert said[18:21] == said[21:24]
        offered = page.ask("choices", name="Mara", action=attack)
        assert GUISE in json.dumps(offered)
        message = {"kind": "do", "name": "Mara", "action": attack, "target": f"{MAN} 2"}
        page.send({**message, "rolls": {}, "note": "Are you Baron Vex?"})
        page.settled()
        assert not any(name in json.dumps(page.views).replace("Are you Baron Vex?", "") for name in TRUE)
        deeds = [event.target for event in enc._events if event.kind == "action" and event.note == "Are you Baron Vex?"]
        assert deeds == ["Zealot 1"]
        assert "Are you Baron Vex?" in json.dumps(page.views["log"])


def test_numbers_are_those_of_who_was_seen_and_hidden_ones_have_none(tmp_path: Path) -> None:
    enc = ck.Encounter("saga", seed=5)
    enc.add("Mara", side="r")
    enc.add("Lurk", side="e", npc=True, shown_as=GUISE)
    enc.condition("Lurk", "hidden")
    enc.add("Vex", side="e", npc=True, shown_as=GUISE)
    enc.start()

    def shown() -> list[str]:
        tracker = ck.Tracker(enc, view="players")
        names = sorted(row["name"] for row in tracker.ladder.view["rows"].values())
        tracker.close()
        return names

    assert shown() == ["Mara", GUISE]
    enc.condition("Lurk", "hidden", off=True)
    assert shown() == ["Mara", GUISE, f"{MAN} 2"]
    enc.reveal("Vex")
    assert shown() == ["Mara", "Vex", f"{MAN} 2"]
    enc.join("Third", side="e", npc=True, shown_as=GUISE)
    assert shown() == ["Mara", "Vex", f"{MAN} 2", f"{MAN} 3"]
    enc.undo()
    enc.condition("Lurk", "hidden")
    assert "Lurk" not in seen(enc, tmp_path)
    enc.condition("Lurk", "hidden", off=True)
    enc.damage("Lurk", 1)
    assert "Lurk" not in seen(enc, tmp_path)
    enc.reveal("Lurk")
    assert "Hooded man 2 is Lurk." in enc.log(view="players").markdown
    enc.adjust("Lurk", by=-1)
    assert enc.log(view="players", rules=False).markdown.count("Lurk") > 1


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_side_of_others_that_has_their_name_is_told_as_they_are(system: str, tmp_path: Path) -> None:
    enc = masked(system)
    enc.add("Thug", side="Baron Vex's guard", npc=True)
    enc.add("Zealot", side="cult", npc=True, shown_as=GUISE)  # and never comes
    enc.leave("Zealot 3")
    enc.start()
    words = seen(enc, tmp_path) + shared(enc)
    assert f"{GUISE}'s guard" in words
    assert not any(name in words for name in TRUE)
    enc.condition("Baron Vex", "hidden")
    words = seen(enc, tmp_path) + shared(enc)
    assert "somebody's guard" in words
    assert not any(name in words for name in TRUE)
    enc.condition("Baron Vex", "hidden", off=True)
    enc.reveal("Baron Vex")
    assert "Baron Vex's guard" in seen(enc, tmp_path).replace("&#x27;", "'")
    enc.undo()
    words = seen(enc, tmp_path) + shared(enc)
    assert not any(name in words for name in TRUE)


def test_what_cannot_be_another_name_is_refused() -> None:
    enc = ck.Encounter("saga", seed=5)
    enc.add("Mara", side="rebels")
    enc.add("Guard", side="empire", count=2, npc=True, group="Watch")
    before = enc.digest
    for wrong, why in {
        "": "1 to 100 characters",
        "   ": "1 to 100 characters",
        "Mara": "stands for Mara",
        "M\N{CYRILLIC SMALL LETTER A}ra": "stands for Mara",
        "Guard": "stands for Guard 1",
        "Guard 2": "stands for Guard 2",
        "empire": "stands for Guard 1",
        "Watch": "stands for Guard 1",
        "Vex": "own name",
        "GM": "reserved",
        "x" * 101: "1 to 100 characters",
        7: "1 to 100 characters",
    }.items():
        with pytest.raises(ck.InvalidInput, match=why):
            enc.add("Vex", side="empire", shown_as=wrong)
    with pytest.raises(ck.InvalidInput, match="own name"):
        enc.add("Vex", side="empire", count=2, shown_as="Vex")
    with pytest.raises(ck.InvalidInput, match="reveal: players know Mara by that name already"):
        enc.reveal("Mara")
    with pytest.raises(ck.UnknownName):
        enc.reveal("Nobody")
    assert enc.digest == before
    enc.add("Vex", side="empire", npc=True, shown_as=GUISE)
    for name in (GUISE, f"{GUISE} 2"):
        with pytest.raises(ck.InvalidInput, match="is what players read for Vex"):
            enc.add(name, side="empire")
    with pytest.raises(ck.InvalidInput, match="stands for Mara"):
        enc.edit("Vex", shown_as="Mara")
    enc.add("Rex", side="empire", npc=True, shown_as=GUISE)
    with pytest.raises(ck.InvalidInput, match="'Hooded man 2' is what players read for Vex"):
        enc.add("Hooded man 2", side="empire")
    enc.edit("Vex", shown_as="an old man")
    enc.start()
    (event,) = enc.edit("Vex", shown_as=None)
    assert event.text == "is the old man"
    assert "The old man is Vex." in enc.log(view="players").markdown


def test_rosters_other_rules_and_a_new_start_keep_it(tmp_path: Path) -> None:
    enc = ck.Encounter("saga", seed=5)
    (tmp_path / "r.csv").write_text(
        f"name,side,npc,shown_as\nBaron Vex,empire,yes,{GUISE}\nMara,rebels,,\n", encoding="utf-8"
    )
    enc.add_roster(tmp_path / "r.csv")
    enc.roster(tmp_path / "back.csv")
    assert GUISE in (tmp_path / "back.csv").read_text(encoding="utf-8-sig")
    assert "Vex" not in seen(enc.restart(3), tmp_path)
    tracker = ck.Tracker(enc)
    from combatkit.widgets._intents import hear

    assert hear(tracker._vantage, {"kind": "ruleset", "ruleset": "phases"}) is None
    assert tracker.encounter["Baron Vex"].stats["shown_as"] == GUISE
    tracker.close()


def test_the_gm_knows_and_reveals_by_one_press() -> None:
    enc = played(masked("saga"))
    rest(enc)
    tracker = ck.Tracker(enc)
    rows = {row["name"]: row for row in tracker.ladder.view["rows"].values()}
    for name, shown in (("Baron Vex", GUISE), ("Zealot 1", f"{MAN} 2"), ("Zealot 2", f"{MAN} 3")):
        assert [f"players see {shown}"] in rows[name]["sub"]
    from combatkit.widgets._intents import hear

    card = hear(tracker._vantage, {"kind": "card", "name": "Baron Vex"})
    assert card is not None
    assert card["has"]["shown_as"] == GUISE
    assert hear(tracker._vantage, {"kind": "reveal", "name": "Baron Vex"}) is None
    assert tracker.view["result"]["text"] == ["The hooded man is Baron Vex."]
    tracker.close()


def test_whose_numbers_are_told_is_told_them_by_either_name() -> None:
    enc = played(masked("saga"))
    rest(enc)
    enc.condition("Baron Vex", "revealed")
    for name in (GUISE, "Baron Vex", "Baron Vex"):
        enc.damage("Baron Vex", 1)
        last = [
            line for line in enc.log(view="players", rules=False).markdown.splitlines() if "takes 1 damage" in line
        ][-1]
        assert f"{name[:1].upper()}{name[1:]} takes 1 damage" in last
        if name == GUISE:
            enc.reveal("Baron Vex")
        enc.undo()
        enc.redo()


def test_words_of_players_and_names_within_names_stay(tmp_path: Path) -> None:
    enc = ck.Encounter("saga", seed=5)
    enc.add("Mara", side="r", weapons=[{"name": "Letter of Vex"}])
    enc.add("Vex", side="e", npc=True, shown_as=GUISE)
    enc.add("Vex 2", side="e", npc=True)
    enc.start(rolls={"Mara": 20, "Vex": 10, "Vex 2": 5})
    enc.do("Mara", "free_action", option="speak", note="Vex!")
    enc.do("Mara", "ready", action="attack", trigger="Vex comes")
    enc.condition("Mara", "afraid of Vex")
    words = seen(enc, tmp_path)
    assert "Vex!" in words
    assert "Vex comes" in words
    assert "Vex 2" in words
    for own in ("Vex!", "Vex comes", "Vex 2", "Letter of Vex"):
        words = words.replace(own, "")
    assert "Vex" not in words


def test_in_german(tmp_path: Path) -> None:
    enc = played(masked("saga", language="de"))
    words = seen(enc, tmp_path) + shared(enc)
    assert not any(name in words for name in TRUE)
    rest(enc)
    enc.reveal("Baron Vex")
    assert "Hooded man ist Baron Vex." in enc.log(view="players").markdown


def test_whoever_plays_them_knows_them() -> None:
    enc = ck.Encounter("saga", seed=5)
    enc.add("Mara", side="r", shown_as="a stranger")
    enc.add("Ossik", side="r")
    enc.add("Vex", side="e", npc=True)
    enc.start(rolls={"Mara": 20, "Ossik": 10, "Vex": 5})
    with enc.share() as room:
        anna, ben = Page(room, room.seat("Anna", plays=["Mara"])), Page(room, room.seat("Ben", plays=["Ossik"]))
        for page in (anna, ben):
            page.until("welcome")
        assert "a stranger" not in json.dumps(anna.views)
        assert "Mara" not in json.dumps(ben.views)
        said = ben.ask("do", name="a stranger", action="move")["reason"]
        assert said == "A stranger is Anna's to play; you play Ossik."
        anna.send({"kind": "do", "name": "Mara", "action": "move"})
        ben.until("delta")
        assert "A stranger" in json.dumps(ben.views["log"]["lines"])
        assert "Mara" not in "".join(ben.raw)
        for page in (anna, ben):
            page.close()


def test_a_line_begins_with_a_capital_whoever_it_begins_with() -> None:
    enc = masked("saga")
    enc.start(rolls={"Baron Vex": 20, "Mara": 5})
    enc.do("Baron Vex", "attack", target="Mara")
    log = ck.Tracker(enc, view="players").log
    assert {line["actor"][:8] for line in log.view["lines"].values()} == {"", "Mara", "A hooded", "Hooded m"}


@pytest.mark.parametrize("words", [{"side": GUISE}, {"side": "cult", "group": GUISE}])
def test_nobody_comes_in_under_a_side_or_group_that_players_read_for_another(words: dict[str, str]) -> None:
    enc = masked("saga")
    with pytest.raises(ck.InvalidInput, match=f"'{GUISE}' is what players read for Baron Vex; give another name"):
        enc.add("Thug", **words)  # type: ignore[arg-type]
    enc.edit("Baron Vex", hp=4)  # nothing stands in the way of another change
    assert enc["Baron Vex"].values["hp"] == 4


def test_a_headline_begins_with_a_capital_whoever_it_begins_with() -> None:
    enc = masked("saga")
    enc.start(rolls={"Baron Vex": 20, "Mara": 5})
    tracker = ck.Tracker(enc, view="players")
    assert tracker.view["turn"]["title"] == "A hooded man's turn"
    assert tracker.view["announce"].startswith("A hooded man's turn")
    enc.do("Baron Vex", "move")
    assert "".join(map(str, tracker.view["result"]["text"])) == "A hooded man moves."
    enc.do("Baron Vex", "attack", target="Mara", outcome="hit", damage=2)
    assert tracker.view["result"]["text"][0] == "A hooded man hits "
    while enc.active != "Mara":
        enc.end_turn()
    enc.do("Mara", "attack", target="Baron Vex", outcome="hit", damage=2)
    assert ". A hooded man takes damage." in tracker.view["result"]["text"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_sentence_begins_with_a_capital_whoever_it_begins_with(language: str) -> None:
    enc = ck.Encounter("d6", seed=1, language=language)
    enc.add("Ada", side="r", initiative=9, resolve=9)
    enc.add("Vex", side="e", npc=True, resolve=9, shown_as="a hooded man", initiative=30)
    enc.add("orc", side="e", npc=True, resolve=9)
    enc.start()
    small = re.compile(r"(?:^|[.!?] )(?:a hooded man|orc)(?=[ :',] ?\w)")
    seen: list[str] = []
    for view in ("gm", "players"):
        tracker = ck.Tracker(enc, view=view)
        seen += [sentences(tracker.view), sentences(tracker.ladder.view), sentences(tracker.log.view)]
    enc.end_turn()
    for view in ("gm", "players"):
        tracker = ck.Tracker(enc, view=view)
        seen += [sentences(tracker.view), sentences(tracker.ladder.view), sentences(tracker.budget.view)]
        seen += [line.removeprefix("- ") for line in enc.log(view=view).markdown.split("\n") if line.startswith("- ")]
    seen += [enc.can("orc", "attack", target="orc").reason, enc.can("orc", "use_held").reason]
    assert not [words for each in seen for words in each.split("\n") if small.search(words)]


def sentences(view: Any) -> str:
    """Give every text of a view, a line each, rich text put together."""
    if isinstance(view, dict):
        return "\n".join(sentences(each) for key, each in view.items() if key not in ("name", "setup"))
    if isinstance(view, (list, tuple)):
        rich = any(isinstance(each, dict) and "strong" in each for each in view)
        texts = [each.get("strong", "") if isinstance(each, dict) and rich else each for each in view]
        return "".join(map(str, texts)) if rich else "\n".join(map(sentences, view))
    return view if isinstance(view, str) else ""


@pytest.mark.parametrize(("guise", "second"), [("a thug", "thug 4"), ("the brute", "brute 2"), ("Rowdy", "Rowdy 2")])
def test_a_number_stands_where_the_article_was_and_is_nobody_elses(guise: str, second: str) -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="rebels")
    enc.add("Thug", side="empire", count=3, npc=True)
    enc.add("Bruiser", side="empire", count=2, npc=True, shown_as=guise)
    enc.start()
    rows = ck.Tracker(enc, view="players").ladder.view["rows"].values()
    assert {row["name"] for row in rows} == {"Mara", "Thug 1", "Thug 2", "Thug 3", guise, second}


def test_whoever_of_a_kind_is_meant_has_no_article_twice() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="rebels")
    enc.add("Thug", side="empire", count=2, npc=True, shown_as=GUISE)
    enc.start()
    guises = Guises()
    guises.read(enc._events)
    names = guises.at(len(enc._events))
    assert names.told("if any Thug 1 moves, or Thug 2") == "if any hooded man moves, or hooded man 2"


@pytest.mark.parametrize("system", ["saga", "d6", "phases"])
def test_who_sets_off_what_is_kept_ready_is_chosen_by_it(system: str) -> None:
    keep, attack = "hold" if system == "d6" else "ready", "strike" if system == "phases" else "attack"
    enc = ck.Encounter(system, seed=1)
    enc.add("Mara", side="rebels")
    enc.add("Lurk", side="empire", npc=True, shown_as="a hooded man")
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    anna = seated(enc, Anna="Mara")["Anna"]
    asked = AskChoices(name="Mara", action=keep, params={"action": attack})
    (setters,) = [each for each in choices_answer(anna._vantage, asked)["params"] if each["id"] == "trigger.actor"]
    assert [each["value"] for each in setters["values"] if isinstance(each, dict)] == ["a hooded man"]
    params = {"action": attack, "trigger": {"actor": "a hooded man"}}
    anna._handle_msg(message({"kind": "do", "name": "Mara", "action": keep, "params": params}))
    kept = next(effect for effect in enc._state.fighters["Mara"].effects if effect.watches)
    assert kept.value["trigger"]["actor"] == "Lurk"
