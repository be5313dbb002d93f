"""Names and numbers as people give them: one name however it is written, numbers of any type, sets in order."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any
from unicodedata import normalize

import polars as pl
import pytest

import combatkit as ck

SYSTEMS = ("saga", "d6", "ap", "segments", "phases")
ZOE, LONG_ZOE = normalize("NFC", "Zoë"), normalize("NFD", "Zoë")
BOM, ZWJ = "\N{ZERO WIDTH NO-BREAK SPACE}", "\N{ZERO WIDTH JOINER}"
UNSEEN = (ZWJ, "\N{HANGUL FILLER}", "\N{BRAILLE PATTERN BLANK}", "\N{COMBINING ACUTE ACCENT}", f" {BOM}\t", "")


def fight(*names: str, system: str = "saga") -> ck.Encounter:
    enc = ck.Encounter(system, seed=7)
    for name in names:
        enc.add(name, side="a")
    return enc


@pytest.mark.parametrize("system", SYSTEMS)
def test_one_name_is_found_in_either_form_and_with_unseen_ends(system: str) -> None:
    enc = fight(LONG_ZOE, f"{BOM}Mara{ZWJ} ", system=system)
    assert enc.names == (ZOE, "Mara")
    assert enc[LONG_ZOE].name == ZOE
    assert enc[f"Mara{BOM}"].name == "Mara"
    enc.condition(LONG_ZOE, normalize("NFD", "gelähmt"))
    assert [each.id for each in enc[ZOE].conditions] == ["gelähmt"]
    enc.condition(ZOE, f"gelähmt{ZWJ}", off=True)
    enc.start(ties=None if system == "segments" else [LONG_ZOE, "Mara"])
    enc.place(LONG_ZOE, after="Mara")
    assert enc.budget(LONG_ZOE) == enc.budget(ZOE)
    enc.leave(LONG_ZOE)
    enc.join(LONG_ZOE)
    assert enc.names == (ZOE, "Mara")
    with pytest.raises(ck.InvalidInput, match="already in the fight"):
        enc.join(LONG_ZOE, side="a")


def test_a_target_in_the_other_form_is_that_target() -> None:
    enc = fight("Mara", ZOE)
    enc.start(rolls={"Mara": 20, ZOE: 1})
    assert enc.can("Mara", "attack", target=LONG_ZOE).allowed
    assert enc.do("Mara", "attack", target={LONG_ZOE})[0].target == ZOE


def test_wherever_a_name_is_given_one_door_takes_off_what_nobody_sees() -> None:
    def other(name: str) -> str:
        return "\u2067" + normalize("NFD", name) + BOM

    zoe, orc = other("Zoë"), other("Örk")
    enc = ck.Encounter("saga", seed=1)
    for name, side in (("Zoë", "hérös"), ("Bo", "hérös"), ("Örk", "föes")):
        enc.add(name, side=side, hp=9, group="Gérs" if name == "Örk" else None)
    enc.start(surprised=[other("Bo")], rolls={zoe: 17, other("Bo"): 17, orc: 3}, ties=[other("Bo"), zoe])
    assert [rung.combatant for rung in enc.order] == ["Bo", "Zoë", "Örk"]
    enc.next_round()
    enc.do(enc.active or "", "ready", action="attack", target=orc, trigger={"actor": orc, "side": other("föes")})
    enc.damage([zoe, orc], 4, half=[zoe])
    assert [enc[name].values["hp"] for name in ("Zoë", "Örk")] == [7, 5]
    enc.leave(other("Bo"))
    enc.join(other("Bo"))
    enc.another(orc, rolls={other("Örk 2"): 2})
    assert "Örk 2" in enc
    zones = ck.Encounter("d6", seed=1, map=[(other("Quä"), "See")])
    zones.add("Ada", side="a", at="Quä")
    zones.add("Nox", side="b", at="See")
    zones.start(rolls={"Ada": 6})
    assert zones.active == "Ada"
    assert zones.can("Ada", "move", to="See").allowed
    zones.do("Ada", "move", to="See")
    zones.end_turn()
    zones.do("Nox", "move", to=other("Quä"))
    assert zones["Nox"].position == "Quä"
    hexes = ck.Encounter("phases", seed=1)
    for name in ("Zoë", "Örk"):
        hexes.add(name, side=name)
    hexes.start()
    hexes.do(hexes.active or "", "half_move")
    hexes.resolve(answer=other("Örk" if hexes.active == "Zoë" else "Zoë"))
    groups = ck.Encounter("segments", seed=1)
    groups.add("Ada", side="hérös")
    groups.add("Örk", side="föes", group="Gérs")
    groups.start()
    groups.end_turn(rolls={other("hérös"): [6], other("föes"): [1]})
    assert groups.order[0].combatant == "Ada"
    assert ck.play(groups, {other("hérös"): ck.tactics.strike, orc: ck.tactics.strike}, rounds=1).deeds == 2
    with groups.share() as room:
        room.seat(other("Änne"), plays=[other("Ada")])
        assert [(seat.name, seat.plays) for seat in room.seats] == [("Änne", ("Ada",))]
        assert ck.Tracker(groups, view="players", seat=other("Änne")).view["seat"]
        room.revoke(other("Änne"))
        assert not room.seats
    assert ck.Shelf().take(other("Acklay"))["name"] == "Acklay"


def test_a_name_given_twice_in_one_mapping_is_refused() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="a")
    with pytest.raises(ck.InvalidInput, match="given twice"):
        enc.start(rolls={"Mara": 3, f"{BOM}Mara": 4})


def test_sides_and_groups_are_one_in_either_form() -> None:
    enc = ck.Encounter("saga", seed=7)
    for form in ("NFC", "NFD"):
        enc.add(f"A{form}", side=normalize(form, "Élan"), group=normalize(form, "Hälfte"))
    assert {(enc[name].side, enc[name].group) for name in enc.names} == {("Élan", "Hälfte")}


@pytest.mark.parametrize("sign", ["\n", "\r\n", "\t", "\0", "\x1b", "\x85", "\N{LINE SEPARATOR}", " \v "])
def test_what_is_called_something_is_called_so_on_one_line(sign: str) -> None:
    enc = ck.Encounter("saga", seed=7, title=f"The{sign}warehouse")
    enc.add(f"Mara{sign}Vex", side=f"the{sign}crew", group=f"old{sign}hands", conditions=[f"much{sign}hurt"])
    mara = enc["Mara Vex"]
    assert (enc.title, mara.side, mara.group) == ("The warehouse", "the crew", "old hands")
    assert [each.id for each in mara.conditions] == ["much hurt"]
    assert enc[f"Mara{sign}Vex"].name == "Mara Vex"
    enc.title = f"Friday{sign}night"
    assert enc.title == "Friday night"
    enc.add_roster(f'name,side\n"Bo{sign}Hask",rebels\n')
    assert enc.names[-1] == "Bo Hask"


@pytest.mark.parametrize("name", UNSEEN)
def test_what_nobody_can_see_is_no_name(name: str) -> None:
    enc = fight("Mara")
    before = enc.digest
    calls: tuple[Callable[[], object], ...] = (
        lambda: enc.add(name, side="a"),
        lambda: enc.add("Bo", side=name),
        lambda: enc.add("Bo", side="a", group=name),
        lambda: enc.add("Bo", side="a", conditions=[name]),
        lambda: enc.condition("Mara", name),
    )
    for call in calls:
        with pytest.raises(ck.InvalidInput, match="give text of 1 to"):
            call()
    assert enc.digest == before


@pytest.mark.parametrize(
    "name", ["\N{HEAVY BLACK HEART}\N{VARIATION SELECTOR-16}", "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{ROCKET}"]
)
def test_an_emoji_is_a_name_and_stays_whole(name: str) -> None:
    assert fight(name).names == (name,)


def test_a_side_that_differs_only_in_case_is_refused_with_the_one_that_is_there() -> None:
    enc = fight("Mara")
    with pytest.raises(ck.InvalidInput, match="Bo: side is 'A', and there is a side 'a'; write it as that one"):
        enc.add("Bo", side="A")
    with pytest.raises(ck.InvalidInput, match=r"row 2.*side is 'Rebels', and there is a side 'rebels'"):
        enc.add_roster(pl.DataFrame({"name": ["Vi", "Bo"], "side": ["rebels", "Rebels"]}))
    enc.start()
    with pytest.raises(ck.InvalidInput, match="there is a side 'a'"):
        enc.join("Bo", side="A")
    enc.leave("Mara")
    with pytest.raises(ck.InvalidInput, match="there is a side 'a'"):
        enc.join("Mara", side="A")


def test_a_name_that_only_looks_like_another_is_noted_for_the_gm() -> None:
    enc = fight("Mara", "Tuk'ata")
    for name, like in (
        ("M\N{CYRILLIC SMALL LETTER A}ra", "Mara"),
        ("Tuk\N{RIGHT SINGLE QUOTATION MARK}ata", "Tuk'ata"),
    ):
        (event,) = enc.add(name, side="b")
        assert event.note == f"looks like {like}, and is somebody else"
    assert enc.add("Bo", side="b")[0].note == ""
    assert "looks like Mara" in str(enc.log())
    assert "looks like Mara" not in str(enc.log(view="players"))


@pytest.mark.parametrize("system", SYSTEMS)
def test_numbers_of_a_name_go_on_and_none_is_given_again(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    enc.add("Mara", side="a")
    enc.add("Kobold", side="b", count=3, npc=True)
    enc.add("Kobold", side="b", count=2, npc=True)
    assert enc.names[1:] == tuple(f"Kobold {n}" for n in range(1, 6))
    enc.start()
    enc.leave("Kobold 5")
    enc.join("Kobold", side="b", npc=True)
    enc.join("Kobold", side="b", npc=True, count=2)
    assert enc.names[6:] == ("Kobold 6", "Kobold 7", "Kobold 8")
    enc.join("Kobold 5")
    assert enc["Kobold 5"].conditions == () or all(c.id != "left" for c in enc["Kobold 5"].conditions)


def test_one_more_of_a_name_is_numbered_on_whoever_plays_it_and_on_another_side_only_if_the_gm_does() -> None:
    enc = ck.Encounter("saga", seed=7)
    for name, npc in (("Ogre", True), ("Ogre", True), ("Kobold", False), ("Kobold", False), ("Kobold", False)):
        enc.add(name, side="a", npc=npc)
    enc.add("Ogre", side="b", npc=True)
    assert enc.names == ("Ogre", "Ogre 2", "Kobold", "Kobold 2", "Kobold 3", "Ogre 3")
    enc.add("Mara", side="a")
    for name, side in (("Mara", "b"), ("Kobold 3", "a")):
        with pytest.raises(ck.InvalidInput, match=f"'{name}' is already in the fight"):
            enc.add(name, side=side)


def test_rows_of_one_name_are_numbered_on_and_a_hero_who_is_there_comes_in_no_second_time() -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add_roster("name,side,hp,count\nMara,a,30,\nKobold,b,5,\nKobold,b,4,\nRat,b,1,2\nRat,b,2,2\n")
    assert enc.names == ("Mara", "Kobold", "Kobold 2", "Rat 1", "Rat 2", "Rat 3", "Rat 4")
    assert [enc[name].stats["hp"] for name in enc.names] == [30, 5, 4, 1, 1, 2, 2]
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=r"row 1 \(line 2\): 'Mara' is already in the fight"):
        enc.add_roster("name,side\nMara,a\n")
    assert enc.digest == before
    enc.start()
    with pytest.raises(ck.InvalidInput, match="'Mara' is already in the fight"):
        enc.join("Mara", side="a")


@pytest.mark.parametrize(
    "number", [38.0, Decimal(38), Decimal("38.00"), Fraction(38), "np.int64", "np.uint8", "np.float32"]
)
def test_a_whole_number_of_any_type_is_that_number(number: Any) -> None:
    np = pytest.importorskip("numpy")
    given = getattr(np, number[3:])(38) if isinstance(number, str) else number
    one = given - type(given)(37)
    enc = ck.Encounter("saga", seed=np.uint64(7))
    enc.add("Mara", side="a", count=one, npc=np.bool_(True), hp=given, dex=one)
    enc.add("Vex", side="b", hp=given, defense=12)
    enc.start(rolls={"Mara": one * 12, "Vex": np.array([3])})
    enc.damage("Mara", one)
    enc.adjust("Mara", "hp", by=one)
    enc.edit("Vex", hp=given - 1)
    enc.condition("Vex", "cursed", modifiers={"defense": one})
    assert (enc["Mara"].values["hp"], enc["Vex"].values["hp"], enc["Mara"].stats["hp"]) == (38, 37, 38)
    plain = ck.Encounter("saga", seed=7)
    plain.add("Mara", side="a", npc=True, hp=38, dex=1)
    plain.add("Vex", side="b", hp=38, defense=12)
    plain.start(rolls={"Mara": 12, "Vex": [3]})
    plain.damage("Mara", 1)
    plain.adjust("Mara", "hp", by=1)
    plain.edit("Vex", hp=37)
    plain.condition("Vex", "cursed", modifiers={"defense": 1})
    assert enc.digest == plain.digest


@pytest.mark.parametrize(
    "number", [38.5, Decimal("38.5"), float("nan"), float("inf"), Decimal("1e999999999"), 1 + 2j, "38"]
)
def test_what_is_no_whole_number_is_refused(number: object) -> None:
    enc = fight("Vex")
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match="give a whole number"):
        enc.add("Mara", side="a", hp=number)
    assert enc.digest == before


def test_names_may_be_a_set_or_a_column() -> None:
    enc = fight("Ada", "Bo", "Cy")
    enc.add("Vex", side="b")
    enc.start(rolls={"Ada": 1, "Bo": 20, "Cy": 10, "Vex": 15})
    ladder = [rung.combatant for rung in enc.order]
    assert [event.target or event.actor for event in enc.damage({"Ada", "Bo", "Cy", "Vex"}, 1)] == ladder
    assert [event.target or event.actor for event in enc.damage(pl.Series(["Cy", "Ada"]), 1)] == ["Cy", "Ada"]
    assert [event.target or event.actor for event in enc.damage(enc.history.rounds["combatant"].unique(), 1)]


def test_a_set_comes_to_the_same_fight_in_every_process() -> None:
    code = (
        "import combatkit as ck; e = ck.Encounter('saga', seed=7)\n"
        "for n in 'ABCDE': e.add(n, side='a', hp=30, conditions={'x', 'y', 'z'})\n"
        "e.damage({'A', 'B', 'C', 'D', 'E'}, '1d6', half={'B', 'D'}); e.start(surprised={'A', 'C'})\n"
        "e.leave({'D', 'E', 'A'}); print(e.digest)"
    )
    seeds = ("1", "2", "3")
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": s}, capture_output=True, text=True, check=True
        )
        for s in seeds
    ]
    assert len({run.stdout for run in runs}) == 1


def test_a_mapping_is_no_list_of_names() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="x", hp=9)
    names: Any = {"Mara": False}
    refused = r"'Mara': False.* is not a name; give a combatant's name, or several"
    with pytest.raises(ck.InvalidInput, match=refused):
        enc.start(surprised=names)
    with pytest.raises(ck.InvalidInput, match=refused):
        enc.damage(names, 1)


def test_what_is_no_name_is_told_what_it_should_name() -> None:
    enc = ck.Encounter("saga", seed=1)
    given: Any = [{"id": "prone"}]
    with pytest.raises(ck.InvalidInput, match="give a condition's name, or several"):
        enc.add("Mara", side="x", conditions=given)
    enc.add("Mara", side="x", conditions=["prone"])
    enc.start()
    with pytest.raises(ck.InvalidInput, match="give a reaction's name, or several"):
        enc.trigger("Mara", offers=given)


def test_a_whole_number_of_any_type_says_which_event() -> None:
    number: Any
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="x", hp=9)
    enc.start()
    enc.damage("Mara", 1)
    at = len(enc._events) - 1
    for number in (float(at), Decimal(at), Fraction(at)):
        assert (enc.at(number).clock, enc.explain(number)) == (enc.at(at).clock, enc.explain(at))
        assert enc.branch(number).digest == enc.branch(at).digest
        enc.undo(to=number)
        enc.redo()
    number = 3.5
    with pytest.raises(ck.InvalidInput, match=r"there is no event 3\.5"):
        enc.at(number)
