"""What cannot be is refused: with an error that says what was wrong and what would be right, and nothing changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import combatkit as ck
from combatkit import registry
from combatkit.core.timeline import fold

Call = Callable[..., Any]


@pytest.fixture
def setting_up() -> ck.Encounter:
    """Mara and two guards, before the fight."""
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", dex=4, level=6, attack_bonus=5)
    enc.add("Guard", side="empire", count=2, npc=True, hp=10)
    return enc


@pytest.fixture
def enc(setting_up: ck.Encounter) -> ck.Encounter:
    """Mara's turn; the guards act on 12 and 8."""
    setting_up.start(rolls={"Mara": 17, "Guard 1": 12, "Guard 2": 8})
    return setting_up


def refuses(enc: ck.Encounter, call: Call, error: type[ck.CombatkitError], *words: str) -> None:
    """Check that a call is refused by such an error, all these words in it, and that nothing has changed."""
    before, events, state = enc.digest, len(enc._events), enc._state
    with pytest.raises(error) as caught:
        call(enc)
    assert type(caught.value) is error
    message = str(caught.value)
    for word in words:
        assert word in message, message
    assert len(message) < 600
    assert enc.digest == before
    assert len(enc._events) == events
    assert enc._state is state


# ── before the fight ──

SETTING_UP: list[tuple[str, Call, type[ck.CombatkitError], tuple[str, ...]]] = [
    ("unknown stat", lambda e: e.add("Bo", side="x", dexterity=3), ck.UnknownName, ("'dexterity'", "Bo")),
    ("misspelt stat", lambda e: e.add("Bo", side="x", levl=3), ck.UnknownName, ("'levl'", "'level'")),
    ("level -1", lambda e: e.add("Bo", side="x", level=-1), ck.InvalidInput, ("Bo", "level is -1", "from 0 to 100")),
    ('level "four"', lambda e: e.add("Bo", side="x", level="four"), ck.InvalidInput, ("level is 'four'", "whole")),
    ("level 4.5", lambda e: e.add("Bo", side="x", level=4.5), ck.InvalidInput, ("level is 4.5", "whole number")),
    ("level True", lambda e: e.add("Bo", side="x", level=True), ck.InvalidInput, ("level is True",)),
    ("feats as text", lambda e: e.add("Bo", side="x", feats="Quick Draw"), ck.InvalidInput, ("feats", "a list")),
    ("feats of numbers", lambda e: e.add("Bo", side="x", feats=[object()]), ck.InvalidInput, ("feats",)),
    ("hp beyond", lambda e: e.add("Bo", side="x", hp=10**9), ck.InvalidInput, ("hp is 1000000000", "100000")),
    ("name taken", lambda e: e.add("Mara", side="x"), ck.InvalidInput, ("'Mara'", "already")),
    ("name of one of several taken", lambda e: e.add("Guard 1", side="x"), ck.InvalidInput, ("'Guard 1'",)),
    ("no name", lambda e: e.add("  ", side="x"), ck.InvalidInput, ("name is '  '", "1 to 200")),
    ("name too long", lambda e: e.add("x" * 201, side="x"), ck.InvalidInput, ("1 to 200",)),
    ("name is a number", lambda e: e.add(7, side="x"), ck.InvalidInput, ("name is 7",)),
    ("name that no file could hold", lambda e: e.add("\ud800", side="x"), ck.InvalidInput, ("name",)),
    ("the game master's name", lambda e: e.add("GM", side="x"), ck.InvalidInput, ("'GM'", "game master")),
    ("no side", lambda e: e.add("Bo", side=""), ck.InvalidInput, ("Bo", "side")),
    ("side is a number", lambda e: e.add("Bo", side=3), ck.InvalidInput, ("side is 3",)),
    ("count 0", lambda e: e.add("Bo", side="x", count=0), ck.InvalidInput, ("count is 0", "1 to 100")),
    ("count is text", lambda e: e.add("Bo", side="x", count="3"), ck.InvalidInput, ("count is '3'",)),
    ("npc is text", lambda e: e.add("Bo", side="x", npc="yes"), ck.InvalidInput, ("npc is 'yes'", "True or False")),
    ("group is a number", lambda e: e.add("Bo", side="x", group=3), ck.InvalidInput, ("group is 3",)),
    ("condition is a number", lambda e: e.add("Bo", side="x", conditions=[3]), ck.InvalidInput, ("3",)),
    ("no place on the map", lambda e: e.add("Bo", side="x", at=object()), ck.InvalidInput, ("place",)),
    ("starting with an unknown name", lambda e: e.start(surprised=["Marra"]), ck.UnknownName, ("'Marra'", "'Mara'")),
    ("starting with an unknown tie", lambda e: e.start(ties=["Gard 1"]), ck.UnknownName, ("'Gard 1'", "'Guard 1'")),
    ("a face of 21", lambda e: e.start(rolls={"Mara": 21}), ck.InvalidInput, ("21", "d20", "Mara", "1 to 20")),
    ("a face of 0", lambda e: e.start(rolls={"Mara": 0}), ck.InvalidInput, ("0",)),
    ("a face that is text", lambda e: e.start(rolls={"Mara": "17"}), ck.InvalidInput, ("Mara", "whole numbers")),
    ("a face that is no whole number", lambda e: e.start(rolls=[17.5]), ck.InvalidInput, ("whole numbers",)),
    ("rolls for nobody", lambda e: e.start(rolls={"Marra": 17}), ck.UnknownName, ("'Marra'", "'Mara'")),
    ("rolls that are no rolls", lambda e: e.start(rolls=object()), ck.InvalidInput, ("rolls",)),
    ("joining before the start", lambda e: e.join("Bo", side="x"), ck.IllegalAction, ("not begun",)),
    ("ending a turn before the start", lambda e: e.end_turn(), ck.IllegalAction, ("not begun",)),
    ("acting before the start", lambda e: e.do("Mara", "move"), ck.IllegalAction, ("not begun",)),
    ("overruling before the start", lambda e: e.do("Mara", "move", override=True), ck.IllegalAction, ("not begun",)),
    ("finishing before the start", lambda e: e.finish(), ck.IllegalAction, ("not begun",)),
    ("placing before the start", lambda e: e.place("Mara", count=3), ck.InvalidInput, ("no place on the ladder yet",)),
    ("leaving unknown", lambda e: e.leave("Marra"), ck.UnknownName, ("'Marra'", "'Mara'")),
    ("options of nobody", lambda e: e.options(), ck.InvalidInput, ("nobody is active",)),
    ("an unknown table", lambda e: e.add_table("weather", []), ck.UnknownName, ("'weather'",)),
    ("no rows", lambda e: e.add_table("actions", []), ck.InvalidInput, ("no rows", "at least one")),
    ("no columns", lambda e: e.add_table("actions", {}), ck.InvalidInput, ("no rows", "at least one")),
    (
        "a row alone without an id",
        lambda e: e.add_table("actions", {"title": "Fly", "cost": "move"}),
        ck.InvalidInput,
        ("actions, row 1: id is None; give text",),
    ),
    ("rows that are none", lambda e: e.add_table("actions", [3]), ck.InvalidInput, ("row 1", "3")),
    ("a row's id", lambda e: e.add_table("actions", [{"id": 3.5}]), ck.InvalidInput, ("actions, row 1: id is 3.5",)),
    ("an action twice", lambda e: e.add_table("actions", [{"id": "move"}]), ck.InvalidInput, ("'move'", "already")),
    (
        "an action without a title",
        lambda e: e.add_table("actions", [{"id": "fly", "cost": "move"}]),
        ck.InvalidInput,
        ("'fly'", "title"),
    ),
    (
        "an action of unknown cost",
        lambda e: e.add_table("actions", [{"id": "fly", "title": "Fly", "cost": "mov"}]),
        ck.UnknownName,
        ("'mov'", "'move'"),
    ),
    (
        "an action with an unknown column",
        lambda e: e.add_table("actions", [{"id": "fly", "title": "Fly", "cost": "move", "colour": "red"}]),
        ck.UnknownName,
        ("'colour'",),
    ),
    (
        "an action with an unknown parameter",
        lambda e: e.add_table("actions", [{"id": "fly", "title": "Fly", "cost": "move", "parameters": ["tarket"]}]),
        ck.UnknownName,
        ("'tarket'", "'target'"),
    ),
    (
        "an action at an unknown time",
        lambda e: e.add_table("actions", [{"id": "fly", "title": "Fly", "cost": "move", "when": "reaktion"}]),
        ck.UnknownName,
        ("'reaktion'", "'reaction'"),
    ),
]

# ── in the fight ──

FIGHTING: list[tuple[str, Call, type[ck.CombatkitError], tuple[str, ...]]] = [
    ("adding", lambda e: e.add("Bo", side="x"), ck.InvalidInput, ("'Bo'", "join")),
    ("starting again", lambda e: e.start(), ck.InvalidInput, ("restart",)),
    ("unknown combatant", lambda e: e.do("Marra", "move"), ck.UnknownName, ("'Marra'", "'Mara'")),
    ("combatant is a number", lambda e: e.do(3, "move"), ck.UnknownName, ("3",)),
    ("combatant is a list", lambda e: e.do(["Mara"], "move"), ck.UnknownName, ("Mara",)),
    ("unknown action", lambda e: e.do("Mara", "attak"), ck.UnknownName, ("'attak'", "'attack'")),
    ("action is a number", lambda e: e.do("Mara", 3), ck.UnknownName, ("3",)),
    ("unknown target", lambda e: e.do("Mara", "attack", target="Gard 1"), ck.UnknownName, ("'Gard 1'", "'Guard 1'")),
    ("target is a number", lambda e: e.do("Mara", "attack", target=3), ck.InvalidInput, ("target is 3", "name")),
    ("no target at all", lambda e: e.do("Mara", "attack", target=[]), ck.InvalidInput, ("target is []",)),
    ("target missing", lambda e: e.do("Mara", "attack"), ck.IllegalAction, ("needs a target", "Guard 1")),
    (
        "itself as target",
        lambda e: e.do("Mara", "attack", target="Mara"),
        ck.IllegalAction,
        ("can't target themselves",),
    ),
    ("unknown parameter", lambda e: e.do("Mara", "attack", tarket="x"), ck.UnknownName, ("'tarket'", "'target'")),
    ("parameter of another action", lambda e: e.do("Mara", "speak", damage=3), ck.InvalidInput, ("speak", "damage")),
    (
        "damage that is no dice",
        lambda e: e.do("Mara", "attack", target="Guard 1", damage="a lot"),
        ck.InvalidInput,
        ("damage is 'a lot'", "3d6+2"),
    ),
    (
        "damage without end",
        lambda e: e.do("Mara", "attack", target="Guard 1", damage=10**30),
        ck.InvalidInput,
        ("damage",),
    ),
    (
        "dice without number",
        lambda e: e.do("Mara", "attack", target="Guard 1", damage="100000d6"),
        ck.InvalidInput,
        ("damage",),
    ),
    (
        "an outcome there is not",
        lambda e: e.do("Mara", "attack", target="Guard 1", outcome="maybe"),
        ck.InvalidInput,
        ("outcome is 'maybe'", "hit or miss"),
    ),
    (
        "two outcomes of one attack",
        lambda e: e.do("Mara", "attack", target="Guard 1", outcome=["hit", "miss"]),
        ck.InvalidInput,
        ("outcome is ['hit', 'miss']", "give hit or miss"),
    ),
    (
        "a number for an outcome",
        lambda e: e.do("Mara", "attack", target="Guard 1", outcome=7),
        ck.InvalidInput,
        ("outcome is 7", "give hit or miss"),
    ),
    (
        "modifiers that are none",
        lambda e: e.do("Mara", "attack", target="Guard 1", modifiers={"aim": "much"}),
        ck.InvalidInput,
        ("modifiers",),
    ),
    ("to nowhere", lambda e: e.do("Mara", "move", to=object()), ck.InvalidInput, ("to",)),
    (
        "a face of 21",
        lambda e: e.do("Mara", "attack", target="Guard 1", rolls={"attack": [21]}),
        ck.InvalidInput,
        ("21", "d20"),
    ),
    (
        "rolls for a purpose there is not",
        lambda e: e.do("Mara", "attack", target="Guard 1", rolls={"atack": [12]}),
        ck.UnknownName,
        ("'atack'", "'attack'"),
    ),
    (
        "too few faces",
        lambda e: e.do("Mara", "attack", target="Guard 1", damage="3d6", rolls={"attack": [19], "damage": [4]}),
        ck.InvalidInput,
        ("damage takes 3",),
    ),
    (
        "acting out of turn",
        lambda e: e.do("Guard 1", "move"),
        ck.IllegalAction,
        ("It's Mara's turn", "saga.round.order"),
    ),
    (
        "delaying to a higher count",
        lambda e: e.do("Mara", "delay", count=30),
        ck.IllegalAction,
        ("lower count", "saga.delay.lower-only"),
    ),
    ("delaying to a word", lambda e: e.do("Mara", "delay", count="later"), ck.InvalidInput, ("count is 'later'",)),
    ("delaying without end", lambda e: e.do("Mara", "delay", count=-(10**30)), ck.InvalidInput, ("count",)),
    ("delaying before oneself", lambda e: e.do("Mara", "delay", before="Mara"), ck.IllegalAction, ("place",)),
    ("delaying after nobody", lambda e: e.do("Mara", "delay", after="Nobody"), ck.UnknownName, ("'Nobody'",)),
    (
        "readying what there is not",
        lambda e: e.do("Mara", "ready", action="atack", trigger="now"),
        ck.UnknownName,
        ("'atack'", "'attack'"),
    ),
    (
        "an empty trigger",
        lambda e: e.do("Mara", "ready", action="move", trigger=" "),
        ck.InvalidInput,
        ("trigger", "text"),
    ),
    (
        "a trigger with an unknown part",
        lambda e: e.do("Mara", "ready", action="move", trigger={"actr": "Guard 1"}),
        ck.UnknownName,
        ("'actr'", "'actor'"),
    ),
    (
        "a trigger by nobody",
        lambda e: e.do("Mara", "ready", action="move", trigger={"actor": "Gard 1"}),
        ck.UnknownName,
        ("'Gard 1'", "'Guard 1'"),
    ),
    (
        "a trigger by no side",
        lambda e: e.do("Mara", "ready", action="move", trigger={"side": "empir"}),
        ck.UnknownName,
        ("'empir'", "'empire'"),
    ),
    (
        "a trigger of no action and no tag",
        lambda e: e.do("Mara", "ready", action="move", trigger={"action": "atack"}),
        ck.UnknownName,
        ("'atack'", "'attack'"),
    ),
    ("a note that is none", lambda e: e.do("Mara", "move", note=3), ck.InvalidInput, ("note is 3",)),
    ("a note without end", lambda e: e.do("Mara", "move", note="x" * 20_000), ck.InvalidInput, ("2,000",)),
    ("resolving nothing", lambda e: e.resolve(), ck.IllegalAction, ("Nobody is waiting to answer",)),
    ("a trigger by an unknown name", lambda e: e.trigger("Marra"), ck.UnknownName, ("'Marra'", "'Mara'")),
    ("a trigger offering nothing known", lambda e: e.trigger(offers=["atack"]), ck.UnknownName, ("'atack'",)),
    (
        "a trigger offering what answers nothing",
        lambda e: e.trigger("Mara", offers=["move"]),
        ck.InvalidInput,
        ("move answers nothing that others do; give", "attack_of_opportunity"),
    ),
    (
        "a trigger offering what is done at any time",
        lambda e: e.trigger("Mara", offers=["act_now"]),
        ck.InvalidInput,
        ("act_now answers nothing that others do; give", "attack_of_opportunity"),
    ),
    (
        "a parameter that an action does not take",
        lambda e: e.do("Mara", "move", target="Guard 1"),
        ck.InvalidInput,
        ("move takes no 'target'; its parameters are: to",),
    ),
    ("adjusting nobody", lambda e: e.adjust([], by=-1), ck.InvalidInput, ("name",)),
    ("adjusting an unknown vital", lambda e: e.adjust("Mara", vital="hpp", by=-1), ck.UnknownName, ("'hpp'", "'hp'")),
    ("adjusting by a word", lambda e: e.adjust("Mara", by="four"), ck.InvalidInput, ("by is 'four'",)),
    ("adjusting without end", lambda e: e.adjust("Mara", by=10**30), ck.InvalidInput, ("by is 1000",)),
    ("adjusting an unknown name", lambda e: e.adjust(["Mara", "Bo"], by=-1), ck.UnknownName, ("'Bo'",)),
    ("a condition without a name", lambda e: e.condition("Mara", ""), ck.InvalidInput, ("condition is ''",)),
    ("a condition of nobody", lambda e: e.condition("Marra", "prone"), ck.UnknownName, ("'Mara'",)),
    (
        "a condition until never",
        lambda e: e.condition("Mara", "prone", until="tomorrow"),
        ck.InvalidInput,
        ("'tomorrow'", "end of round"),
    ),
    (
        "a condition until nobody's turn",
        lambda e: e.condition("Mara", "prone", until="start of turn: Marra"),
        ck.UnknownName,
        ("'Marra'", "'Mara'"),
    ),
    (
        "ending a condition nobody has",
        lambda e: e.condition("Mara", "prone", off=True),
        ck.InvalidInput,
        ("not prone",),
    ),
    (
        "a condition with words for numbers",
        lambda e: e.condition("Mara", "prone", modifiers={"defense": "less"}),
        ck.InvalidInput,
        ("modifiers", "whole numbers"),
    ),
    (
        "a condition with modifiers that are none",
        lambda e: e.condition("Mara", "prone", modifiers=3),
        ck.InvalidInput,
        ("modifiers",),
    ),
    (
        "a condition with a value that cannot be written down",
        lambda e: e.condition("Mara", "odd", value=object()),
        ck.InvalidInput,
        ("value",),
    ),
    (
        "a condition with bytes",
        lambda e: e.condition("Mara", "odd", value=b"x"),
        ck.InvalidInput,
        ("value is b'x'", "what a file can hold"),
    ),
    ("placing nowhere", lambda e: e.place("Mara"), ck.InvalidInput, ("at=", "before=")),
    ("placing twice", lambda e: e.place("Mara", before="Guard 1", count=3), ck.InvalidInput, ("one of",)),
    ("placing beside oneself", lambda e: e.place("Mara", before="Mara"), ck.InvalidInput, ("Mara",)),
    ("placing beside nobody", lambda e: e.place("Mara", after="Bo"), ck.UnknownName, ("'Bo'",)),
    ("placing on a word", lambda e: e.place("Mara", count="first"), ck.InvalidInput, ("count is 'first'",)),
    ("placing without end", lambda e: e.place("Mara", count=10**30), ck.InvalidInput, ("count",)),
    ("undoing to nowhere", lambda e: e.undo(to=999), ck.InvalidInput, ("999",)),
    ("undoing to a word", lambda e: e.undo(to="start"), ck.InvalidInput, ("'start'",)),
    ("redoing nothing", lambda e: e.redo(), ck.InvalidInput, ("nothing to redo",)),
    ("looking at no event", lambda e: e.at(0), ck.InvalidInput, ("1 to",)),
    ("looking at a word", lambda e: e.at("now"), ck.InvalidInput, ("'now'",)),
    ("branching from no event", lambda e: e.branch(999), ck.InvalidInput, ("999",)),
    ("explaining no event", lambda e: e.explain(999), ck.InvalidInput, ("999",)),
    ("the budget of nobody", lambda e: e.budget("Marra"), ck.UnknownName, ("'Mara'",)),
    ("the choices of no action", lambda e: e.choices("Mara", "atack"), ck.UnknownName, ("'attack'",)),
    ("asking for an unknown parameter", lambda e: e.can("Mara", "attack", colour=1), ck.UnknownName, ("'colour'",)),
    ("looking up nobody", lambda e: e["Marra"], ck.UnknownName, ("'Mara'",)),
    ("the distance to nobody", lambda e: e.distance("Mara", "Bo"), ck.UnknownName, ("'Bo'",)),
    ("joining under a taken name", lambda e: e.join("Mara", side="x"), ck.InvalidInput, ("already",)),
    ("joining with rolls for nobody", lambda e: e.join("Bo", side="x", rolls={"Bob": 3}), ck.UnknownName, ("'Bo'",)),
    ("joining with a face of 21", lambda e: e.join("Bo", side="x", rolls={"Bo": 21}), ck.InvalidInput, ("d20",)),
    ("faces no dice are thrown for", lambda e: e.do("Mara", "move", rolls=[7]), ck.InvalidInput, ("no dice", "[7]")),
    (
        "faces for a purpose nothing is thrown for",
        lambda e: e.do("Mara", "attack", target="Guard 1", rolls={"attack": [12], "initiative": [3]}),
        ck.InvalidInput,
        ("initiative", "[3]", "takes dice for: Mara, attack"),
    ),
    (
        "ending a turn with dice of a side that throws none",
        lambda e: e.end_turn(rolls={"rebels": [3]}),
        ck.InvalidInput,
        ("rebels", "[3]", "takes none at all"),
    ),
    ("ending a turn with rolls for nobody", lambda e: e.end_turn(rolls={"Bob": 3}), ck.UnknownName, ("'Bob'",)),
]


@pytest.mark.parametrize(("call", "error", "words"), [c[1:] for c in SETTING_UP], ids=[c[0] for c in SETTING_UP])
def test_before_the_fight(
    setting_up: ck.Encounter, call: Call, error: type[ck.CombatkitError], words: tuple[str, ...]
) -> None:
    refuses(setting_up, call, error, *words)


@pytest.mark.parametrize(("call", "error", "words"), [c[1:] for c in FIGHTING], ids=[c[0] for c in FIGHTING])
def test_in_the_fight(enc: ck.Encounter, call: Call, error: type[ck.CombatkitError], words: tuple[str, ...]) -> None:
    refuses(enc, call, error, *words)


Encounter: Any = ck.Encounter


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: Encounter("saga5"), ck.UnknownName, ("'saga5'", "'saga'")),
        (lambda: ck.ruleset("sagas"), ck.UnknownName, ("'sagas'", "'saga'")),
        (lambda: Encounter(7), ck.UnknownName, ("7",)),
        (lambda: Encounter("saga", options={"trade": True}), ck.UnknownName, ("'trade'", "'trade_down'")),
        (lambda: Encounter("saga", options={"charge": "free"}), ck.InvalidInput, ("charge", "'full_round'")),
        (lambda: Encounter("saga", options="trade_down"), ck.InvalidInput, ("options", "mapping")),
        (lambda: Encounter("saga", seed="seven"), ck.InvalidInput, ("seed is 'seven'",)),
        (lambda: Encounter("saga", seed=10**30), ck.InvalidInput, ("seed",)),
        (lambda: Encounter("saga", id=7), ck.InvalidInput, ("id is 7",)),
        (lambda: Encounter("saga", tables={"weather": []}), ck.UnknownName, ("'weather'",)),
        (lambda: Encounter("saga", map=7), ck.InvalidInput, ("map is 7",)),
        (lambda: Encounter("saga", tables=[]), ck.InvalidInput, ("tables", "mapping")),
        (lambda: ck.ruleset("saga").rules["saga.std.on"], ck.UnknownName, ("'saga.std.on'", "'saga.std.one'")),
        (lambda: ck.ruleset("saga").actions["attak"], ck.UnknownName, ("'attak'", "'attack'")),
        (lambda: ck.ruleset("saga").stats["levl"], ck.UnknownName, ("'levl'", "'level'")),
        (lambda: ck.add_ruleset(Path(__file__).parent), ck.InvalidInput, ("rules.toml",)),
        (lambda: ck.add_ruleset(5), ck.InvalidInput, ("5 is not a path",)),  # type: ignore[arg-type]
    ],
)
def test_making_one(call: Callable[[], Any], error: type[ck.CombatkitError], words: tuple[str, ...]) -> None:
    with pytest.raises(error) as caught:
        call()
    for word in words:
        assert word in str(caught.value)


def test_a_roster_with_a_broken_row_names_file_row_and_column(setting_up: ck.Encounter, tmp_path: Path) -> None:
    path = tmp_path / "foes.csv"
    path.write_text("name,side,level\nRancor,beasts,8\nWampa,beasts,four\n")
    refuses(setting_up, lambda e: e.add_roster(path), ck.InvalidInput, "foes.csv", "line 3", "level", "four")


def test_starting_a_fight_of_nobody() -> None:
    refuses(ck.Encounter("saga", seed=7), lambda e: e.start(), ck.InvalidInput, "add a combatant first")


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
@pytest.mark.parametrize("blank", ["", "  "])
def test_a_text_that_says_nothing_is_refused(system: str, blank: str) -> None:
    begun = ck.Encounter(system, seed=3, options={"actions": "book"})
    begun.add("Mara", side="x")
    begun.add("Vex", side="y")
    begun.start()
    who = begun.active or "Mara"
    parameters = begun.ruleset.parameters
    for action in begun.ruleset.catalogue(begun._state):
        for id in (*action.takes, "option"):
            if parameters[id].kind in ("text", "places", "trigger"):
                given: dict[str, Any] = {id: blank}
                with pytest.raises((ck.InvalidInput, ck.UnknownName)):
                    begun.can(who, action.id, **given)
    refuses(begun, lambda e: e.condition("Vex", "dazed", until=blank), ck.InvalidInput, "until is", "end of round")
    refuses(begun, lambda e: e.condition("Vex", "dazed", value=blank), ck.InvalidInput, "value is", "leave it out")
    refuses(begun, lambda e: e.place("Vex", at=blank), ck.InvalidInput, "give")


def test_undoing_what_was_never_done() -> None:
    refuses(ck.Encounter("saga", seed=7), lambda e: e.undo(), ck.InvalidInput, "nothing to undo")


def test_after_the_end(enc: ck.Encounter) -> None:
    enc.finish()
    for call in (
        lambda e: e.do("Mara", "move"),
        lambda e: e.do("Mara", "move", override=True),
        lambda e: e.end_turn(),
        lambda e: e.join("Bo", side="x"),
        lambda e: e.finish(),
        lambda e: e.trigger("Mara"),
    ):
        refuses(enc, call, ck.IllegalAction, "over")


def test_a_question_asked_of_nobody_cannot_be_answered(enc: ck.Encounter) -> None:
    enc.trigger("Mara", text="moves past")
    refuses(enc, lambda e: e.resolve(answer="yes"), ck.InvalidInput, "the GM wasn't asked")
    refuses(enc, lambda e: e.end_turn(), ck.IllegalAction, "Waiting for Guard 1 and Guard 2")
    refuses(enc, lambda e: e.next_round(), ck.IllegalAction, "Waiting for Guard 1 and Guard 2")


def test_what_is_missing_is_said_in_whole_words_and_what_is_known_once(enc: ck.Encounter) -> None:
    assert enc.can("Mara", "ready", trigger="a door opens").reason.startswith("Say what Mara readies.")
    assert enc.can("Mara", "attack").reason.startswith("Attack needs a target")
    with pytest.raises(ck.UnknownName) as caught:
        enc.can("Mara", "attack", zzzzzz=1)
    assert str(caught.value).count("'target'") == 1


def test_an_error_says_which_family_it_is_of() -> None:
    for error in (ck.IllegalAction, ck.UnknownName, ck.InvalidInput, ck.JournalError):
        assert issubclass(error, ck.CombatkitError)


def test_a_refusal_carries_its_ruling(enc: ck.Encounter) -> None:
    with pytest.raises(ck.IllegalAction) as caught:
        enc.do("Guard 1", "move")
    assert caught.value.ruling == enc.can("Guard 1", "move")
    assert str(caught.value).endswith("[saga.round.order]")


def test_can_never_raises_for_a_refusal_by_the_rules(enc: ck.Encounter) -> None:
    for name in enc.names:
        for action in enc.ruleset.actions:
            assert isinstance(enc.can(name, action.id), ck.Ruling)


@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_a_look_into_the_middle_of_the_start_says_so(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    enc.add("Mara", side="rebels")
    enc.add("Vex", side="hunters")
    for event in enc.start():
        moment = enc.at(event.seq)
        if moment._state.step < 0:
            assert all("only half begun" in moment.can("Mara", action.id).reason for action in moment.ruleset.actions)


JUNK: list[Any] = [
    *(None, 3, -1, 1.5, True, float("nan"), 10**40, "x", "", "\ud800", "x" * 20_000, b"x"),
    *([], {}, (1, 2), {"a": 1}, {1: 2}, [None], [[]], object()),
]

ANYTHING: dict[str, Call] = {
    "add a name": lambda e, j: e.join(j, side="x"),
    "a side": lambda e, j: e.join("Bo", side=j),
    "a count": lambda e, j: e.join("Bo", side="x", count=j),
    "a group": lambda e, j: e.join("Bo", side="x", group=j),
    "npc": lambda e, j: e.join("Bo", side="x", npc=j),
    "a place on the map": lambda e, j: e.join("Bo", side="x", at=j),
    "conditions": lambda e, j: e.join("Bo", side="x", conditions=j),
    "rolls": lambda e, j: e.join("Bo", side="x", rolls=j),
    "ties": lambda e, j: e.join("Bo", side="x", ties=j),
    "a list of feats": lambda e, j: e.join("Bo", side="x", feats=j),
    "a level": lambda e, j: e.join("Bo", side="x", level=j),
    "who leaves": lambda e, j: e.leave(j),
    "who acts": lambda e, j: e.do(j, "move"),
    "what is done": lambda e, j: e.do("Mara", j),
    "dice for an action": lambda e, j: e.do("Mara", "attack", target="Guard 1", rolls=j),
    "a note": lambda e, j: e.do("Mara", "move", note=j),
    "who may": lambda e, j: e.can(j, "move"),
    "what one may": lambda e, j: e.can("Mara", j),
    "whose choices": lambda e, j: e.choices(j, "move"),
    "choices of what": lambda e, j: e.choices("Mara", j),
    "whose options": lambda e, j: e.options(j),
    "whose budget": lambda e, j: e.budget(j),
    "who": lambda e, j: e[j],
    "how far": lambda e, j: e.distance("Mara", j),
    "whom to adjust": lambda e, j: e.adjust(j, by=1),
    "what to adjust": lambda e, j: e.adjust("Mara", vital=j, by=1),
    "by how much": lambda e, j: e.adjust("Mara", by=j),
    "whom to edit": lambda e, j: e.edit(j, hp=3),
    "a sheet": lambda e, j: e.edit("Mara", hp=j),
    "weapons": lambda e, j: e.edit("Mara", weapons=j),
    "a weapon": lambda e, j: e.edit("Mara", weapons=[j]),
    "a portrait": lambda e, j: e.edit("Mara", portrait=j),
    "whom to hurt": lambda e, j: e.damage(j, 1),
    "what to hurt": lambda e, j: e.damage("Mara", 1, vital=j),
    "how much it hurts": lambda e, j: e.damage("Mara", j),
    "who is hurt by half": lambda e, j: e.damage("Mara", 1, half=j),
    "how much is healed": lambda e, j: e.heal("Mara", j),
    "dice for damage": lambda e, j: e.damage("Mara", "1d6", rolls=j),
    "whose condition": lambda e, j: e.condition(j, "prone"),
    "which condition": lambda e, j: e.condition("Mara", j),
    "a value": lambda e, j: e.condition("Mara", "odd", value=j),
    "modifiers": lambda e, j: e.condition("Mara", "odd", modifiers=j),
    "until": lambda e, j: e.condition("Mara", "odd", until=j),
    "whom to place": lambda e, j: e.place(j, count=3),
    "where": lambda e, j: e.place("Mara", at=j),
    "before whom": lambda e, j: e.place("Mara", before=j),
    "on what count": lambda e, j: e.place("Mara", count=j),
    "who triggers": lambda e, j: e.trigger(j),
    "what answers": lambda e, j: e.trigger(offers=j),
    "who answers": lambda e, j: e.trigger(to=j),
    "when": lambda e, j: e.trigger(segment=j),
    "what happened": lambda e, j: e.trigger(text=j),
    "an answer": lambda e, j: e.resolve(answer=j),
    "dice for the end of a turn": lambda e, j: e.end_turn(rolls=j),
    "dice for a round": lambda e, j: e.next_round(rolls=j),
    "back to": lambda e, j: e.undo(to=j),
    "forth to": lambda e, j: e.redo(to=j),
    "a look at": lambda e, j: e.at(j),
    "a branch from": lambda e, j: e.branch(j),
    "an explanation of": lambda e, j: e.explain(j),
    "another seed": lambda e, j: e.restart(seed=j),
    "other options": lambda e, j: e.restart(options=j),
    "who comes along": lambda e, j: e.restart(names=j),
    "a table": lambda e, j: e.add_table(j, []),
    "rows": lambda e, j: e.add_table("actions", j),
    "the id of a row": lambda e, j: e.add_table("actions", [{"id": j, "title": "Fly", "cost": "move"}]),
    "the title of a row": lambda e, j: e.add_table("actions", [{"id": "fly", "title": j, "cost": "move"}]),
    "the cost of a row": lambda e, j: e.add_table("actions", [{"id": "fly", "title": "Fly", "cost": j}]),
    "the time of a row": lambda e, j: e.add_table("actions", [{"id": "a", "title": "A", "cost": "move", "when": j}]),
    "the tags of a row": lambda e, j: e.add_table("actions", [{"id": "a", "title": "A", "cost": "move", "tags": j}]),
    "a ruleset": lambda _, j: Encounter(j),
    "options": lambda _, j: Encounter("saga", options=j),
    "tables": lambda _, j: Encounter("saga", tables=j),
    "a map": lambda _, j: Encounter("saga", map=j),
    "an id": lambda _, j: Encounter("saga", id=j),
    "a seed": lambda _, j: Encounter("saga", seed=j),
}


@pytest.mark.parametrize("what", ANYTHING)
def test_whatever_is_given_it_is_taken_or_refused_and_the_log_can_be_written(enc: ck.Encounter, what: str) -> None:
    for junk in JUNK:
        taken_or_refused(enc, lambda e, j=junk: ANYTHING[what](e, j))


def test_whatever_is_given_with_an_action_it_is_taken_or_refused(enc: ck.Encounter) -> None:
    for action in enc.ruleset.actions:
        for param in {*(p.id for p in action.parameters), "pay", "modifiers", "option", "trigger"}:
            for junk in JUNK:
                given = {param: junk}
                taken_or_refused(enc, lambda e, a=action.id, g=given: e.can("Mara", a, **g))
                taken_or_refused(enc, lambda e, a=action.id, g=given: e.do("Mara", a, **g))


def taken_or_refused(enc: ck.Encounter, call: Call) -> None:
    before, state = enc.digest, enc._state
    try:
        call(enc)
    except ck.CombatkitError:
        assert enc.digest == before
        return
    assert fold(msgspec.json.decode(msgspec.json.encode(list(enc._events)), type=list[ck.Event])) == enc._state
    while enc._state is not state and enc.can_undo:
        enc.undo()


def test_faces_that_another_roll_makes_idle_are_no_mistake() -> None:
    enc = Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", attack_bonus=0)
    enc.add("Vex", side="empire", npc=True, defense=19, hp=20)
    enc.start(rolls={"Mara": 17, "Vex": 3})
    missed = enc.do("Mara", "attack", target="Vex", damage="3d6", rolls={"attack": [5], "damage": [4, 4, 4]})
    assert [event.data["outcome"] for event in missed if event.kind == "attack"] == ["miss"]
    assert enc["Vex"].values["hp"] == 20


def test_faces_wait_with_the_action_they_were_given_for() -> None:
    enc = Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", attack_bonus=5)
    enc.add("Vex", side="empire", npc=True, defense=15, hp=20)
    enc.start(rolls={"Vex": 17, "Mara": 3})
    enc.do("Vex", "ready", action="aid_another", trigger={"actor": "Mara", "action": "attack"})
    enc.end_turn()
    enc.do("Mara", "attack", target="Vex", damage="2d6", rolls={"attack": [10], "damage": [4, 3]})
    assert enc.pending
    enc.resolve()
    assert enc["Vex"].values["hp"] == 13


BROKEN = {
    "a slip of the pen": ("ruleset.py", "def (", ("ruleset.py, line 1,", "SyntaxError")),
    "a module there is not": ("stats.py", "import nothing_of_the_kind", ("stats.py, line 1,", "nothing_of_the_kind")),
    "no ruleset in it": ("ruleset.py", "from . import stats", ("ruleset.py", "RULESET")),
    "data that is no data": ("rules.toml", "id = ", ("rules.toml", "line 1")),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_folder_whose_code_cannot_be_loaded_says_where_and_can_be_put_right(case: str, tmp_path: Path) -> None:
    file, text, words = BROKEN[case]
    folder = tmp_path / "homebrew"
    folder.mkdir()
    code = """
from pathlib import Path

from combatkit.systems.saga.ruleset import RULESET as SAGA

from . import stats


class RULESET(SAGA):
    def __init__(self):
        super(SAGA, self).__init__(Path(__file__).parent, stats.STATS)
"""
    data = Path(ck.__file__).parent / "systems" / "saga"
    sound = {
        "rules.toml": (data / "rules.toml")
        .read_text()
        .replace('id = "saga"', 'id = "homebrew"')
        .replace('"saga.', '"homebrew.'),
        "actions.toml": (data / "actions.toml").read_text().replace('"saga.', '"homebrew.'),
        "book.toml": (data / "book.toml").read_text().replace('"saga.', '"homebrew.'),
        "stats.py": "from combatkit.systems.saga.stats import STATS",
        "ruleset.py": code,
    }
    for name, content in {**sound, file: text}.items():
        (folder / name).write_text(content)
    with pytest.raises(ck.InvalidInput) as caught:
        ck.add_ruleset(folder)
    assert all(word in str(caught.value) for word in ("homebrew", *words)), str(caught.value)
    (folder / file).write_text(sound[file])
    try:
        assert ck.add_ruleset(folder).id == "homebrew"
    finally:
        registry._known.pop("homebrew", None)


def test_faces_that_do_not_fit_are_refused_while_they_can_be_put_right_also_where_their_throw_has_to_wait() -> None:
    enc = ck.Encounter("phases", seed=1)
    for name, side, value in (("Mara", "rebels", 5), ("Ossik", "empire", 3), ("Vex", "empire", 9)):
        enc.add(name, side=side, combat_value=value, ocv=5, dcv=5)
    enc.start()
    enc.do("Vex", "ready", action="strike", trigger="she strikes")
    enc.end_turn()
    before = enc.digest
    for faces, wrong in (([3, 4], "attack takes 3d6; 2 given"), ([3, 4, 7], "7 is not on a d6")):
        with pytest.raises(ck.InvalidInput, match=wrong):
            enc.do("Mara", "strike", target="Ossik", rolls={"attack": faces})
        assert enc.digest == before
    enc.do("Mara", "strike", target="Ossik", rolls={"attack": [3, 4, 2]})
    assert enc.pending
    enc.end_turn()
    assert enc.history.rolls.filter(purpose="attack")["faces"].to_list() == [[3, 4, 2]]


def test_a_fight_made_with_a_table_of_no_rows_has_none_and_says_nothing_of_it() -> None:
    assert ck.Encounter("saga", seed=7, tables={"actions": []}).digest == ck.Encounter("saga", seed=7).digest
