"""d6: what is told once, and as people say it."""

from __future__ import annotations

import json

import pytest

import combatkit as ck
from tests.systems.d6_table import fight, npc, pc, wound


def line(enc: ck.Encounter, who: str) -> str:
    """Give what the log's last paragraph about somebody says, without the marks of rules."""
    told = [each for each in enc.log().markdown.split("## How things stand")[0].split("\n\n") if who in each]
    return told[-1].translate(dict.fromkeys(map(ord, "¹²³⁴⁵⁶⁷⁸⁹⁰")))


def three(**stats: object) -> ck.Encounter:
    people = {"Mara": pc(9, force_points=1, **stats), "Ossik": pc(7, force_points=1), "Vex": npc(5)}
    enc = fight(people)
    wound(enc, "Mara")
    return enc


def test_a_fate_that_is_ignored_is_told_once_with_what_is_left() -> None:
    enc = three(stamina=2)
    enc.damage("Mara", 2)
    enc.do("Mara", "ignore_fate")
    assert line(enc, "Mara").count("ignore") == 2
    assert "ignores the Fallen Fate; can ignore 1 more before a Rest" in line(enc, "Mara")
    enc.damage("Mara", 2)
    said = [event.text for event in enc.do("Mara", "ignore_fate")]
    assert "can't ignore another before a Rest" in said


def test_a_tragic_demise_is_one_death_and_nobody_regains_nothing() -> None:
    enc = three()
    enc.damage("Mara", 2)
    said = enc.do("Mara", "tragic_demise")
    assert "regains 0" not in " ".join(event.text for event in said)
    assert line(enc, "Mara").count("dies") == 1
    assert [event.text for event in said if "Force Point" in event.text] == ["regains 1 Force Point, 2 left"]
    assert "2 Force Points" in enc.log().markdown


def test_who_is_never_the_same_is_said_to_be_out_of_the_fight() -> None:
    enc = three(attributes={"might": "3D"})
    enc.damage("Mara", 2)
    enc.do("Mara", "never_the_same", attributes="might")
    assert line(enc, "Mara") == "● **Mara** leaves the fight."
    assert "loses 2D of might for good" in enc.log().markdown
    assert enc.log().markdown.count("leaves the fight") == 1


def test_a_shift_that_is_over_has_no_line_of_its_own() -> None:
    enc = fight({"Mara": pc(9), "Ossik": pc(7), "Vex": npc(5)})
    enc.do("Mara", "shift", after="Vex")
    for _ in range(4):
        enc.end_turn()
    assert "shift again" not in enc.log().markdown


def test_what_is_used_up_is_called_by_words() -> None:
    enc = fight({"Mara": pc(9, uses={"use_item": 0}), "Vex": npc(5)})
    assert enc.can("Mara", "use_item").reason == "Mara has no use item."


@pytest.mark.parametrize(
    ("id", "begins", "ends"),
    [
        ("ignored_fates", "has ignored 1 fate", "can ignore fates again"),
        ("helping", "has Help to give", "no longer has Help to give"),
        ("out", "is out of the fight", "is in the fight again"),
    ],
)
def test_what_the_gm_sets_by_hand_is_said_in_words(id: str, begins: str, ends: str) -> None:
    enc = fight({"Mara": pc(9), "Ossik": pc(7), "Vex": npc(5)})
    assert enc.condition("Mara", id)[0].text == begins
    assert enc.condition("Mara", id, off=True)[0].text == ends


def test_an_attack_that_is_held_is_told_with_its_target_and_trigger() -> None:
    enc = three()
    said = enc.do("Ossik", "hold", override=True, action="attack", target="Vex", trigger="Vex moves")
    assert "holds an attack: Vex moves" in [event.text for event in said]
    assert "holds an attack on Vex: *“if Vex moves”*" in line(enc, "Ossik")
    enc.trigger("Vex", text="Vex moves")
    answer = enc.do("Ossik", "use_held", outcome="miss")[0]
    assert (answer.kind, answer.text) == ("answer", "answers with what was held")


def test_help_and_fates_are_answered_with_by_the_names_people_use() -> None:
    enc = three()
    enc.edit("Ossik", attributes={"might": "3D"})
    enc.do("Mara", "help")
    enc.end_turn()
    enc.do("Ossik", "use_skill", option="might", needed=9, rolls=[1, 1, 1])
    assert enc.do("Mara", "add_help", rank="search")[0].text == "answers with Help"
    enc.damage("Mara", 2)
    assert enc.do("Mara", "blaze_of_glory")[0].text == "chooses Blaze of Glory"


def test_what_is_still_to_be_said_is_listed_as_people_list_it() -> None:
    enc = three()
    assert enc.can("Mara", "defend").reason == "Defend needs a rank: agility, athletics or hide."
    enc.edit("Mara", attributes={"might": "3D"})
    with pytest.raises(ck.UnknownName, match="unknown attribute or use of a skill 'charm'"):
        enc.do("Mara", "use_skill", option="charm")


def test_the_headline_and_the_log_give_the_same_sum_of_a_blow_that_takes_less_than_it_deals() -> None:
    enc = fight({"Vex": npc(9), "Mara": pc(7, resolve=15, armor=3)})
    enc.damage("Mara", 8)
    enc.temporary("Mara", 2)
    enc.do("Vex", "attack", target="Mara", outcome="hit", damage=18)
    said = "loses 9 of 15 dealt (18 less armor 3), 2 of it temporary, 0"
    assert f"{said} left" in enc.log().markdown
    headline = ck.Tracker(enc).view["result"]["text"]
    told = "".join(part if isinstance(part, str) else part["strong"] for part in headline)
    assert f"Mara {said} of 15 left and is wounded." in told


@pytest.mark.rule("d6.dmg.margin7")
def test_armor_that_a_good_hit_halves_is_said_to_be_halved_and_the_sum_is_right() -> None:
    bow = {"name": "bow", "attack": "5D", "damage": "4D"}
    enc = fight({"Vex": npc(9, weapons=[bow]), "Mara": pc(7, resolve=13, armor=6, defense=12)})
    enc.adjust("Mara", by=-12)
    enc.do("Vex", "attack", target="Mara", rolls={"attack": [4, 4, 4, 4, 3], "damage": [3, 3, 2, 2]})
    said = "loses 1 of 7 dealt (10 less 3, half of armor 6), 0"
    assert f"{said} left" in enc.log().markdown
    headline = ck.Tracker(enc).view["result"]["text"]
    assert f"Mara {said} of 13 left" in "".join(part if isinstance(part, str) else part["strong"] for part in headline)


@pytest.mark.rule("d6.wound.at0")
def test_the_wounded_who_act_are_not_said_to_be_down() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, resolve=4, significant=True)}, options={"vital_words": "words"})
    enc.damage("Vex", 4)
    enc.end_turn()
    rows = ck.Tracker(enc, view="players").ladder.view["rows"].values()
    (vex,) = [row for row in rows if row["name"] == "Vex"]
    assert (vex["status"], vex["how"]) == ("now", "bloodied")
    enc.condition("Vex", "out")
    rows = ck.Tracker(enc, view="players").ladder.view["rows"].values()
    assert [row["how"] for row in rows if row["name"] == "Vex"] == ["down"]


@pytest.mark.parametrize(
    ("language", "told", "check"),
    [
        ("en", "uses a skill: bash a door", "uses a skill: might, Search"),
        ("de", "setzt eine Fertigkeit ein: eine Tür einschlagen", "setzt eine Fertigkeit ein: might, Suchen"),
    ],
)
def test_what_a_skill_is_used_for_is_told(language: str, told: str, check: str) -> None:
    enc = ck.Encounter("d6", seed=1, language=language)
    enc.add("Mara", side="a", attributes={"might": "3D"}, search=1)
    enc.start()
    assert enc.do("Mara", "use_skill", option="bash a door")[0].text == told
    enc.undo()
    assert enc.do("Mara", "use_skill", option="might", rank="search")[0].text == check


def test_a_rank_is_told_as_the_sheet_has_it() -> None:
    enc = fight({"Mara": pc(9, search=1, tactics=2, agility=2)})
    assert enc.do("Mara", "aim", option="bonus", rank="search")[0].text == "aims: Search"
    enc.undo()
    assert enc.do("Mara", "aim", option="bonus")[-1].text == "gets +2 (Tactics) on the next attack roll"
    enc.undo()
    assert enc.do("Mara", "defend", rank="agility")[0].text == "defends: Agility"


def test_the_log_says_in_words_how_a_table_settles_ties() -> None:
    enc = ck.Encounter("d6", seed=1, options={"npc_ties": "gm"})
    enc.add("Vex", side="e", npc=True)
    enc.start()
    assert "NPCs in a tie: GM." in enc.log().markdown


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_players_read_that_a_wounded_foe_is_hurt_again_and_not_for_how_much(answer: str) -> None:
    enc = fight({"Mara": pc(9), "Dray": npc(7, significant=True, resolve=20, armor=3)})
    wound(enc, "Dray")
    players = ck.Tracker(enc, view="players")
    enc.damage("Dray", 17)
    assert players.view["result"]["text"] == ["Dray takes damage."]
    assert players.view["announce"] == "May Dray, hurt again, choose a Fallen Fate?"
    enc.resolve(answer=answer)
    log = enc.log(view="players").markdown
    assert "takes damage" in log
    assert "takes no damage" not in log
    assert "17" not in log + json.dumps([players.view, players.log.view, players.ladder.view])
    assert "17" in enc.log().markdown
