"""D6: becoming Wounded, ignoring a fate, and the four Fallen Fates."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.d6_table import cites, fight, hurt, kinds, npc, offered, only, pc, wound
from tests.systems.table import holds, left, order, refused, rolled, to_round, turns

FATES = ("never_the_same", "desperate_push", "blaze_of_glory", "tragic_demise")


def fallen(by: int = 3, **stats: Any) -> ck.Encounter:
    """Mara (12 Resolve) is Wounded and has taken further damage on Vex's turn."""
    people = {"Vex": npc(9, resolve=60), "Mara": pc(7, attributes={"might": "3D+1", "wits": "2D"}, **stats)}
    enc = fight({**people, "Ossik": pc(5, force_points=1), "Ilya": pc(4)})
    wound(enc, "Mara")
    hurt(enc, "Mara", by)
    return enc


# ── Wounded ──


@pytest.mark.rule("d6.wound.at0")
def test_a_player_or_a_significant_npc_at_nothing_is_wounded() -> None:
    enc = fight({"Vex": npc(9), "Mara": pc(7), "Dray": npc(5, significant=True)})
    events = enc.do("Vex", "attack", target="Mara", damage=11, rolls={"attack": [3, 3, 3, 3]})
    assert holds(enc, "Mara") == set()
    to_round(enc, 2, "Vex")
    events = enc.do("Vex", "attack", target="Mara", damage=1, rolls={"attack": [3, 3, 3, 3]})
    assert enc["Mara"].values["resolve"] == 0
    assert holds(enc, "Mara") == {"wounded"}
    assert cites(events, "d6.wound.at0")
    assert not enc.pending, "the blow that brings 0 asks for no fate"
    assert enc.can("Vex", "move").allowed
    wound(enc, "Dray")
    assert holds(enc, "Dray") == {"wounded"}
    to_round(enc, 2, "Mara")
    assert enc.can("Mara", "attack", target="Vex").allowed, "Wounded is not out"


@pytest.mark.rule("d6.wound.minor-npc")
def test_a_minor_npc_at_nothing_is_out_of_the_fight() -> None:
    enc = fight({"Mara": pc(9), "Guard": npc(7), "Vex": npc(5)})
    enc.do("Mara", "attack", target="Guard", rolls={"attack": [6, 6, 6, 6], "damage": [6, 6, 6]})
    assert holds(enc, "Guard") == {"out"}
    assert enc["Guard"].values["resolve"] == 0
    assert {r.combatant: r.status for r in enc.order}["Guard"] == "out"
    assert turns(enc, 3) == ["Mara", "Vex", "Mara"]


@pytest.mark.rule("d6.wound.minor-npc")
@pytest.mark.parametrize("call", ["heal", "edit", "adjust"])
def test_a_minor_npc_who_has_something_again_is_back_in_the_fight_and_in_their_turn(call: str) -> None:
    enc = fight({"Guard": npc(9, resolve=9), "Mara": pc(7)})
    enc.do("Guard", "move")
    enc.damage("Guard", 9)
    assert holds(enc, "Guard") == {"out"}
    match call:
        case "heal":
            back = enc.heal("Guard", 5)
        case "edit":
            back = enc.edit("Guard", resolve=5)
        case _:
            back = enc.adjust("Guard", "resolve", 5)
    assert [event.text for event in back[1:]] == ["is in the fight again"]
    assert holds(enc, "Guard") == set()
    assert enc.active == "Guard"
    assert (enc.may("Guard", "dash"), enc.may("Guard", "move")) == (True, False)
    enc.damage("Guard", 1)
    assert holds(enc, "Guard") == set()
    enc.condition("Guard", "out")
    enc.damage("Guard", 9)
    enc.heal("Guard", 5)
    assert holds(enc, "Guard") == {"out"}, "the GM put them out"


@pytest.mark.rule("d6.fate.npc")
def test_a_significant_npc_without_a_fate_is_back_once_they_have_something_again() -> None:
    enc = fight({"Mara": pc(9), "Dray": npc(5, significant=True)})
    wound(enc, "Dray")
    hurt(enc, "Dray", 2)
    enc.resolve(answer="no")
    assert holds(enc, "Dray") == {"wounded", "out"}
    assert enc.heal("Dray", 4)[-1].text == "is in the fight again"
    assert holds(enc, "Dray") == {"wounded"}


@pytest.mark.rule("d6.wound.at0")
def test_a_fallen_npc_who_turns_out_to_be_significant_is_wounded() -> None:
    enc = fight({"Mara": pc(9), "Guard": npc(7), "Dray": npc(5)})
    wound(enc, "Guard")
    enc.condition("Dray", "out")
    enc.edit(["Guard", "Dray"], significant=True)
    assert (holds(enc, "Guard"), holds(enc, "Dray")) == ({"wounded"}, {"out"}), "the GM put Dray out"


@pytest.mark.rule("d6.wound.minor-npc")
def test_as_an_option_a_minor_npc_is_wounded_and_out_when_hurt_again() -> None:
    enc = fight({"Mara": pc(9), "Guard": npc(7)}, options={"minor_npc_at_zero": "wounded"})
    wound(enc, "Guard")
    assert holds(enc, "Guard") == {"wounded"}
    hurt(enc, "Guard", 1)
    assert holds(enc, "Guard") == {"wounded", "out"}
    assert not enc.pending


@pytest.mark.rule("d6.wound.at0", "d6.wound.minor-npc")
def test_who_is_hurt_at_nothing_and_not_wounded_falls_as_at_first() -> None:
    enc = fight({"Vex": npc(9), "Mara": pc(7), "Guard": npc(5)})
    wound(enc, "Mara")
    enc.condition("Mara", "rested")
    assert (enc["Mara"].values["resolve"], "wounded" in holds(enc, "Mara")) == (0, False)
    hurt(enc, "Mara", 9)
    assert ("wounded" in holds(enc, "Mara"), enc.pending) == (True, ())
    hurt(enc, "Mara", 1)
    assert offered(enc, "Mara") == FATES
    enc.do("Mara", "desperate_push", rolls={"push": [6, 6]})
    wound(enc, "Guard")
    enc.condition("Guard", "out", off=True)
    hurt(enc, "Guard", 1)
    assert holds(enc, "Guard") == {"out"}


# ── the fate is asked for ──


@pytest.mark.rule("d6.fate.trigger")
def test_a_wounded_character_who_takes_further_damage_must_choose() -> None:
    enc = fight({"Vex": npc(9), "Mara": pc(7)})
    for fate in (*FATES, "ignore_fate"):
        assert refused(enc, "Mara", fate, **({"attributes": {"might": 2}} if fate == FATES[0] else {})).rule == (
            "d6.fate.trigger"
        )
    wound(enc, "Mara")
    enc.do("Vex", "attack", target="Mara", rolls={"attack": [3, 3, 3, 3], "damage": [1, 1, 1]})
    (offer,) = enc.pending
    assert (offer.who, offer.must, offer.rule) == ("Mara", True, "d6.fate.trigger")
    before = enc.digest
    with pytest.raises(ck.IllegalAction) as caught:
        enc.resolve()
    assert (caught.value.ruling.allowed, caught.value.ruling.rule) == (False, "d6.fate.trigger")
    with pytest.raises(ck.IllegalAction):
        enc.end_turn()
    with pytest.raises(ck.IllegalAction):
        enc.do("Vex", "move")
    assert enc.digest == before
    enc.do("Mara", "desperate_push", rolls={"push": [6, 6]})
    assert not enc.pending
    assert enc.active == "Vex"


def test_damage_that_armor_swallows_is_no_further_damage() -> None:
    enc = fight({"Vex": npc(9), "Mara": pc(7, armor=18)})
    wound(enc, "Mara")
    enc.do("Vex", "attack", target="Mara", rolls={"attack": [3, 3, 3, 3]})
    assert not enc.pending


@pytest.mark.rule("d6.fate.list")
def test_exactly_four_fates_are_offered() -> None:
    assert offered(fallen(), "Mara") == FATES
    assert set(offered(fallen(stamina=1), "Mara")) == {"ignore_fate", *FATES}
    tagged = [action.id for action in ck.ruleset("d6").actions if "fate" in action.tags]
    assert tagged == ["ignore_fate", *FATES]


@pytest.mark.rule("d6.fate.narrate")
@pytest.mark.parametrize("fate", FATES)
def test_each_fate_is_told_and_what_is_told_is_kept(fate: str) -> None:
    params: dict[str, Any] = {"attributes": {"might": 2}} if fate == "never_the_same" else {}
    rolls = {"push": [1, 1]} if fate == "desperate_push" else None
    enc = fallen()
    events = enc.do("Mara", fate, note="the roof comes down", rolls=rolls, **params)
    assert next(e.note for e in events if e.kind == "action") == "the roof comes down"
    assert any("d6.fate.narrate" in e.rules for e in kinds(events, "action"))


# ── ignoring ──


@pytest.mark.rule("d6.fate.ignore")
@pytest.mark.parametrize(("stamina", "control", "times"), [(2, 1, 2), (0, 3, 3), (1, 1, 1)])
def test_a_fate_can_be_ignored_as_often_as_the_higher_rank(stamina: int, control: int, times: int) -> None:
    enc = fallen(stamina=stamina, control=control)
    for n in range(times):
        assert enc["Mara"].values["ignores_left"] == times - n
        enc.do("Mara", "ignore_fate")
        assert "wounded" in holds(enc, "Mara")
        hurt(enc, "Mara", 3)
    assert enc["Mara"].values["ignores_left"] == 0
    assert offered(enc, "Mara") == FATES
    ruling = refused(enc, "Mara", "ignore_fate")
    assert ruling.rule == "d6.fate.ignore"
    assert "d6.fate.ignore.refresh" in ruling.rules


@pytest.mark.rule("d6.fate.ignore.refresh")
@pytest.mark.parametrize("word", ["rested", "rest"])
def test_the_count_is_refreshed_by_a_rest(word: str) -> None:
    enc = fallen(stamina=1)
    enc.do("Mara", "ignore_fate")
    assert enc["Mara"].values["ignores_left"] == 0
    to_round(enc, 2)
    assert enc["Mara"].values["ignores_left"] == 0, "a new round is no Rest"
    events = enc.condition("Mara", word)
    assert enc["Mara"].values["ignores_left"] == 1
    assert holds(enc, "Mara") == {word}, "a Rest ends being Wounded"
    (condition,) = enc["Mara"].conditions
    assert condition.rule == "d6.fate.ignore.refresh"
    told = [(e.kind, e.text, e.rules, e.by) for e in events if "d6.fate.ignore.refresh" in e.rules]
    assert told == [
        ("effect", "rests", ("d6.fate.ignore.refresh",), "gm"),
        ("effect_end", "can ignore fates again", ("d6.fate.ignore.refresh",), "gm"),
    ]
    assert not cites(events, "d6.fate.ignore")
    for other in ("rest", "rested"):  # another Rest takes the place of the one before
        enc.condition("Mara", other)
        assert holds(enc, "Mara") == {other}


@pytest.mark.rule("d6.fate.ignore.big")
@pytest.mark.parametrize(
    ("resolve", "damage", "open_to"), [(12, 6, True), (12, 7, False), (13, 6, True), (13, 7, False)]
)
def test_damage_over_half_of_maximum_resolve_cannot_be_ignored(resolve: int, damage: int, open_to: bool) -> None:
    enc = fallen(by=damage, stamina=2, resolve=resolve)
    assert ("ignore_fate" in offered(enc, "Mara")) is open_to
    if not open_to:
        assert refused(enc, "Mara", "ignore_fate").rule == "d6.fate.ignore.big"
        enc.do("Mara", "desperate_push", rolls={"push": [6, 6]})
        assert enc["Mara"].values["ignores_left"] == 2, "and spends no ignore"


@pytest.mark.rule("d6.fate.ignore.big.strict")
def test_damage_of_exactly_half_may_be_ignored() -> None:
    enc = fallen(by=6, stamina=1)
    enc.do("Mara", "ignore_fate")
    assert not enc.pending
    assert enc["Mara"].values["ignores_left"] == 0


@pytest.mark.rule("d6.fate.ignore.big.strict")
def test_where_no_fate_can_be_ignored_no_window_rests_on_how_much_may_be() -> None:
    enc = fallen(by=6, stamina=0)
    assert "ignore_fate" not in offered(enc, "Mara")
    window = kinds(enc.at(len(enc._events))._events, "window")[-1]
    assert window.rules == ("d6.fate.trigger", "d6.fate.list")


@pytest.mark.rule("d6.fate.ignore")
def test_a_rank_that_a_condition_raises_ignores_one_more_fate() -> None:
    enc = fallen(stamina=1)
    enc.condition("Mara", "hardy", modifiers={"stamina": 2})
    assert enc["Mara"].values["ignores_left"] == 3
    enc.do("Mara", "ignore_fate")
    assert enc["Mara"].values["ignores_left"] == 2


@pytest.mark.rule("d6.fate.never.reduce")
def test_an_attribute_of_two_dice_may_lose_both_or_one_beside_another() -> None:
    enc = fallen()  # might 3D+1, wits 2D
    offers = [choice.value for choice in enc.choices("Mara", "never_the_same")]
    assert offers == [{"might": 2}, {"wits": 2}, {"might": 1, "wits": 1}]
    enc.do("Mara", "never_the_same", attributes={"wits": 2})
    assert enc["Mara"].stats["attributes"] == {"might": "3D+1", "wits": "0D"}


def test_what_temporary_points_take_whole_asks_for_no_fate() -> None:
    enc = fallen(by=0)
    enc.temporary("Mara", 5)
    hurt(enc, "Mara", 5)
    assert (enc["Mara"].values["resolve"], enc.pending) == (0, ())
    hurt(enc, "Mara", 1)
    assert "desperate_push" in offered(enc, "Mara")


def test_the_damage_that_counts_is_what_armor_leaves() -> None:
    for armor, open_to in ((3, False), (4, True)):
        enc = fight({"Vex": npc(9), "Mara": pc(7, stamina=1, armor=armor)})
        wound(enc, "Mara")
        enc.do("Vex", "attack", target="Mara", damage=10, rolls={"attack": [3, 3, 3, 3]})
        assert ("ignore_fate" in offered(enc, "Mara")) is open_to


# ── a significant NPC ──


@pytest.mark.rule("d6.fate.npc")
@pytest.mark.parametrize("leave", ["yes", "no"])
def test_a_significant_npc_chooses_a_fate_only_by_the_gms_leave(leave: str) -> None:
    enc = fight({"Mara": pc(9), "Dray": npc(7, significant=True, control=1)})
    wound(enc, "Dray")
    enc.do("Mara", "attack", target="Dray", rolls={"attack": [3, 3, 3, 3], "damage": [1, 1, 1]})
    (question,) = enc.pending
    assert (question.who, question.choices, question.rule) == ("GM", ("yes", "no"), "d6.fate.npc")
    events = enc.resolve(answer=leave)
    if leave == "yes":
        assert set(offered(enc, "Dray")) == {"ignore_fate", *FATES}
        enc.do("Dray", "ignore_fate")
        assert "out" not in holds(enc, "Dray")
    else:
        assert not enc.pending
        assert "out" in holds(enc, "Dray")
        assert cites(events, "d6.fate.npc")
    assert enc.active == "Mara"


# ── Never the Same ──


@pytest.mark.rule("d6.fate.never.reduce")
@pytest.mark.parametrize(
    ("lost", "might", "wits"),
    [
        ({"might": 2}, "1D+1", "2D"),
        ({"wits": 2}, "3D+1", "0D"),
        ({"might": 1, "wits": 1}, "2D+1", "1D"),
        ("might", "1D+1", "2D"),
        ("might and wits", "2D+1", "1D"),
        (["might"], "1D+1", "2D"),
        (("wits", "might"), "2D+1", "1D"),
        (["might", "might"], "1D+1", "2D"),
    ],
)
def test_never_the_same_costs_two_dice_for_good(lost: object, might: str, wits: str) -> None:
    enc = fallen()
    events = enc.do("Mara", "never_the_same", attributes=lost)
    assert cites(events, "d6.fate.never.reduce")
    assert enc["Mara"].values["attributes"] == {"might": might, "wits": wits}
    assert (enc["Mara"].values["might"], enc["Mara"].values["wits"]) == (might, wits)
    assert not enc.pending


@pytest.mark.rule("d6.fate.never.reduce")
@pytest.mark.parametrize(
    "lost",
    [
        *(
            {"might": 1},
            {"might": 3},
            {"might": 1, "wits": 2},
            {"might": 1, "charm": 1},
            {"charm": 2},
            {},
            {"wits": "2"},
        ),
        *([], ["might", "wits", "wits"], ["charm"], [1, 2]),
    ],
)
def test_any_other_reduction_is_refused(lost: Any) -> None:
    assert refused(fallen(), "Mara", "never_the_same", attributes=lost).rule == "d6.fate.never.reduce"


def test_who_names_no_attribute_of_the_sheet_is_told_which_there_are() -> None:
    ruling = refused(fallen(), "Mara", "never_the_same", attributes="migth")
    assert ruling.reason == "Mara has no attribute 'migth', only might, wits."


def test_never_below_no_dice_and_what_is_legal_is_listed() -> None:
    people = {"Vex": npc(9), "Mara": pc(7, attributes={"might": "1D+2", "wits": "3D", "charm": "0D+1"})}
    enc = fight(people)
    wound(enc, "Mara")
    hurt(enc, "Mara", 1)
    ruling = refused(enc, "Mara", "never_the_same", attributes={"might": 2})
    assert ruling.reason == "Might is 1D+2: it has no 2D to lose."
    legal = [c.value for c in enc.choices("Mara", "never_the_same") if c.ruling.allowed]
    assert legal == [{"wits": 2}, {"might": 1, "wits": 1}]
    assert "needs" in refused(enc, "Mara", "never_the_same").reason


@pytest.mark.parametrize(
    "lost",
    [
        *(True, -1, 1.5, [[]], [0, [1]], [], "migth"),
        *({"might": "x"}, {"might": {"wits": 1}}, {"might": -2}, {"migth": 2}, {}, {"might": True, "wits": True}),
    ],
)
def test_no_word_of_the_gm_makes_dice_of_what_names_no_attribute_and_no_number(lost: object) -> None:
    enc = fallen()
    before = enc.digest
    with pytest.raises(ck.IllegalAction) as caught:
        enc.do("Mara", "never_the_same", attributes=lost, override=True)
    assert (caught.value.ruling.rule, enc.digest) == ("d6.fate.never.reduce", before)
    enc.do("Mara", "never_the_same", attributes={"might": 3}, override=True)
    assert enc["Mara"].stats["attributes"]["might"] == "0D+1"


@pytest.mark.rule("d6.fate.never.removed")
def test_never_the_same_removes_one_from_the_encounter() -> None:
    enc = fallen()
    events = enc.do("Mara", "never_the_same", attributes={"might": 2})
    assert cites(events, "d6.fate.never.removed")
    assert "left" in holds(enc, "Mara")
    assert order(enc) == ["Vex", "Ossik", "Ilya"]
    assert enc.active == "Vex"
    told = str(enc.log())
    assert "loses 2D of might for good" in told
    assert "for good (by the GM)" not in told
    assert refused(enc, "Vex", "attack", target="Mara").reason == "Mara has left the fight."


@pytest.mark.rule("d6.fate.never.twice")
def test_never_the_same_is_chosen_only_twice_in_a_life() -> None:
    assert "never_the_same" in offered(fallen(never_the_same_used=1), "Mara")
    enc = fallen(never_the_same_used=2)
    assert offered(enc, "Mara") == FATES[1:]
    assert refused(enc, "Mara", "never_the_same", attributes={"might": 2}).rule == "d6.fate.never.twice"
    enc = fallen(never_the_same_used=1)
    enc.do("Mara", "never_the_same", attributes={"might": 2})
    assert enc["Mara"].values["never_the_same_used"] == 2


def test_one_removed_in_its_own_turn_ends_it() -> None:
    enc = fight({"Mara": pc(9, attributes={"might": "3D"}), "Vex": npc(7)})
    wound(enc, "Mara")
    hurt(enc, "Mara", 1)
    enc.do("Mara", "never_the_same", attributes={"might": 2})
    assert enc.active == "Vex"
    assert not enc.pending


# ── Desperate Push ──


@pytest.mark.rule("d6.fate.push.roll")
def test_a_desperate_push_rolls_two_dice() -> None:
    enc = fallen()
    assert enc.can("Mara", "desperate_push").notation == "2D"
    events = enc.do("Mara", "desperate_push")
    ((_, faces),) = rolled(events, "push")
    assert len(faces) == 2
    assert only(events, "roll").amount == sum(faces)


@pytest.mark.rule("d6.fate.push.low")
@pytest.mark.parametrize("faces", [[1, 1], [3, 4], [6, 1]])
def test_seven_or_less_is_sudden_death(faces: list[int]) -> None:
    enc = fallen()
    events = enc.do("Mara", "desperate_push", rolls={"push": faces})
    assert "dead" in holds(enc, "Mara")
    assert cites(events, "d6.fate.push.low")
    assert turns(enc, 3) == ["Vex", "Ossik", "Ilya"]


@pytest.mark.rule("d6.fate.push.high")
@pytest.mark.parametrize(("faces", "resolve"), [([4, 4], 8), ([5, 5], 10), ([6, 6], 12)])
def test_eight_or_more_is_as_much_resolve_and_no_longer_wounded(faces: list[int], resolve: int) -> None:
    enc = fallen()
    enc.do("Mara", "desperate_push", rolls={"push": faces})
    assert enc["Mara"].values["resolve"] == resolve
    assert holds(enc, "Mara") == set()
    wound(enc, "Mara")
    assert holds(enc, "Mara") == {"wounded"}
    assert not enc.pending


def test_a_push_regains_no_more_than_the_maximum() -> None:
    enc = fallen(resolve=9)
    enc.do("Mara", "desperate_push", rolls={"push": [6, 6]})
    assert enc["Mara"].values["resolve"] == 9


def test_one_who_dies_in_its_own_turn_can_do_nothing_more_in_it() -> None:
    enc = fight({"Vex": npc(9, resolve=60), "Mara": pc(7)})
    wound(enc, "Mara")
    enc.do("Vex", "hold", action="attack", trigger={"actor": "Mara"}, target="Mara")
    enc.do("Mara", "move")
    enc.do("Vex", "use_held", rolls={"attack": [3, 3, 3, 3], "damage": [1, 1, 1]})
    events = enc.do("Mara", "desperate_push", rolls={"push": [1, 1]})
    assert [e.actor for e in kinds(events, "stopped")] == ["Mara"]
    assert (enc.active, enc.can("Mara", "attack", target="Vex").reason) == ("Mara", "Mara is dead.")
    enc.end_turn()
    assert (enc.active, enc.clock.round) == ("Vex", 2)


# ── Blaze of Glory ──


@pytest.mark.rule("d6.fate.blaze.interrupt")
def test_a_blaze_of_glory_ends_the_turn_under_way_and_gives_one_at_once() -> None:
    enc = fight({"Vex": npc(9, resolve=60), "Mara": pc(7, free_actions=1), "Ossik": pc(5)})
    wound(enc, "Mara")
    enc.do("Vex", "attack", target="Mara", rolls={"attack": [3, 3, 3, 3], "damage": [1, 1, 1]})
    events = enc.do("Mara", "blaze_of_glory")
    assert [e.actor for e in kinds(events, "turn_end")] == ["Vex"]
    assert [e.actor for e in kinds(events, "turn")] == ["Mara"]
    assert cites(events, "d6.fate.blaze.interrupt")
    assert enc.active == "Mara"
    assert left(enc, "Mara") == {"move": 1, "action": 1, "free": 1, "cap": 2, "object": 1}
    assert refused(enc, "Vex", "move").rule == "d6.init.desc", "what was unspent is lost"
    enc.do("Mara", "attack", target="Vex")
    enc.do("Mara", "move")
    enc.end_turn()
    assert turns(enc, 2) == ["Ossik", "Vex"], "the order goes on, and the dead are skipped"


@pytest.mark.rule("d6.fate.blaze.die")
def test_one_dies_at_the_end_of_that_turn() -> None:
    enc = fallen()
    enc.do("Mara", "blaze_of_glory")
    assert "dead" not in holds(enc, "Mara")
    events = enc.end_turn()
    assert "dead" in holds(enc, "Mara")
    assert cites(events, "d6.fate.blaze.die")
    assert {r.combatant: r.status for r in enc.order}["Mara"] == "out"


def test_a_blaze_is_given_to_one_who_has_acted_and_nobody_else_acts_twice() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, resolve=60), "Ossik": pc(5)})
    wound(enc, "Mara")
    enc.end_turn()
    enc.do("Vex", "attack", target="Mara", rolls={"attack": [3, 3, 3, 3], "damage": [1, 1, 1]})
    enc.do("Mara", "blaze_of_glory")
    enc.end_turn()
    assert (enc.active, enc.clock.round) == ("Ossik", 1)
    enc.end_turn()
    assert turns(enc, 3) == ["Vex", "Ossik", "Vex"]
    rows = enc.history.turns
    assert rows.filter(rows["round"] == 1)["combatant"].to_list() == ["Mara", "Vex", "Mara", "Ossik"]


def test_a_roll_that_is_not_resolved_is_dropped_with_the_turn() -> None:
    enc = fight({"Bo": pc(12), "Vex": npc(9, resolve=60), "Mara": pc(7), "Dray": npc(5)})
    enc.do("Bo", "hold", action="attack", trigger={"actor": "Vex"}, target="Mara")
    wound(enc, "Mara")
    enc.do("Vex", "attack", target="Dray", rolls={"attack": [6, 6, 6, 6], "damage": [6, 6, 6]})
    enc.do("Bo", "use_held", rolls={"attack": [3, 3, 3, 3], "damage": [1, 1, 1]})
    events = enc.do("Mara", "blaze_of_glory")
    assert [e.actor for e in kinds(events, "stopped")] == ["Vex"]
    assert enc.active == "Mara"
    assert not enc.pending
    assert enc["Dray"].values["resolve"] == 6
    assert enc.at(len(enc._events)).active == "Mara"


@pytest.mark.rule("d6.fate.blaze.interrupt")
def test_nobody_is_asked_about_a_roll_that_was_dropped_with_the_turn() -> None:
    enc = fight({"Bo": pc(12), "Ria": pc(11), "Vex": npc(9, resolve=60), "Mara": pc(7), "Dray": npc(5)})
    for name in ("Bo", "Ria"):
        enc.do(name, "hold", action="attack", trigger={"actor": "Vex"}, target="Mara")
    wound(enc, "Mara")
    enc.do("Vex", "attack", target="Dray")
    assert [offer.who for offer in enc.pending] == ["Bo", "Ria"]
    enc.do("Bo", "use_held", rolls={"attack": [3, 3, 3, 3], "damage": [1, 1, 1]})
    events = enc.do("Mara", "blaze_of_glory")
    assert (enc.pending, kinds(events, "window")) == ((), [])
    assert "held" in holds(enc, "Ria"), "it waits for another time"


def test_there_is_no_second_blaze_in_a_last_turn_and_no_shift() -> None:
    enc = fallen()
    enc.do("Mara", "blaze_of_glory")
    assert refused(enc, "Mara", "shift", after="Ossik").rule == "d6.init.shift"
    hurt(enc, "Mara", 2)
    assert offered(enc, "Mara") == ("never_the_same", "desperate_push", "tragic_demise")
    assert refused(enc, "Mara", "blaze_of_glory").rule == "d6.fate.blaze.die"
    enc.do("Mara", "tragic_demise")
    enc.end_turn()
    assert enc.active == "Ossik"


# ── Tragic Demise ──


@pytest.mark.rule("d6.fate.tragic.die")
def test_a_tragic_demise_is_death() -> None:
    enc = fallen()
    events = enc.do("Mara", "tragic_demise")
    assert "dead" in holds(enc, "Mara")
    assert cites(events, "d6.fate.tragic.die")
    assert turns(enc, 3) == ["Vex", "Ossik", "Ilya"]


@pytest.mark.rule("d6.fate.tragic.allies")
def test_allies_who_see_it_each_regain_two_dice_and_a_force_point() -> None:
    enc = fallen()
    enc.adjust("Ossik", "resolve", -10)
    enc.adjust("Ilya", "resolve", -3)
    events = enc.do("Mara", "tragic_demise", witnesses=["Ossik", "Ilya"], rolls={"Ossik": [2, 3], "Ilya": [4, 4]})
    assert rolled(events, "regain") == [("Ossik", [2, 3]), ("Ilya", [4, 4])]
    assert enc["Ossik"].values["resolve"] == 7
    assert enc["Ilya"].values["resolve"] == 12, "up to the maximum"
    points = (enc["Ossik"].values["force_points"], enc["Ilya"].values["force_points"])
    assert points == (2, 1), "up to a maximum only where one is stated"
    enc.undo()
    enc.edit("Ossik", force_points_max=1)
    enc.do("Mara", "tragic_demise", witnesses=["Ossik"])
    assert enc["Ossik"].values["force_points"] == 1


def test_witnesses_are_allies_in_the_fight_all_of_them_if_nobody_is_named() -> None:
    enc = fallen()
    assert refused(enc, "Mara", "tragic_demise", witnesses=["Vex"]).rule == "d6.fate.tragic.allies"
    enc.condition("Ilya", "dead")
    assert refused(enc, "Mara", "tragic_demise", witnesses=["Ilya"]).rule == "d6.fate.tragic.allies"
    assert enc.can("Mara", "tragic_demise").notation == "2D"
    events = enc.do("Mara", "tragic_demise")
    assert [who for who, _ in rolled(events, "regain")] == ["Ossik"]


def test_a_side_may_be_named_as_witnesses_by_one_who_is_of_it() -> None:
    enc = fallen()
    assert refused(enc, "Mara", "tragic_demise", witnesses=["Mara"]).rule == "d6.fate.tragic.allies"
    events = enc.do("Mara", "tragic_demise", witnesses=enc["Mara"].side)
    assert [who for who, _ in rolled(events, "regain")] == ["Ossik", "Ilya"]


def test_one_witness_alone_regains_if_it_alone_is_named() -> None:
    enc = fallen()
    events = enc.do("Mara", "tragic_demise", witnesses=["Ilya"])
    assert [who for who, _ in rolled(events, "regain")] == ["Ilya"]
    assert "force_points" not in enc["Mara"].values


@pytest.mark.rule("d6.fate.tragic.allies")
def test_nobody_may_witness_it_and_who_is_named_twice_regains_once() -> None:
    enc = fallen()
    assert enc.can("Mara", "tragic_demise", witnesses=[]).notation is None
    events = enc.do("Mara", "tragic_demise", witnesses=[])
    assert (rolled(events, "regain"), "dead" in holds(enc, "Mara")) == ([], True)
    assert kinds(events, "vital") == []
    enc = fallen()
    events = enc.do("Mara", "tragic_demise", witnesses=["Ilya", "Ilya"])
    assert [who for who, _ in rolled(events, "regain")] == ["Ilya"]


@pytest.mark.parametrize(
    ("id", "text"),
    [
        ("last_turn", "has had their last turn"),
        ("held", "loses the held action"),
        ("helping", "no longer has Help to give"),
        ("ignored_fates", "can ignore fates again"),
        ("dazed", "is no longer dazed"),
    ],
)
def test_what_is_over_is_said_in_words_a_table_would_use(id: str, text: str) -> None:
    rules = ck.ruleset("d6")
    assert rules.english.render(rules.said_of("ends", id)) == text


# ── the GM's hand ──


def test_the_gms_word_may_ignore_what_cannot_be_ignored() -> None:
    enc = fallen(by=9)
    events = enc.do("Mara", "ignore_fate", override=True)
    assert any(e.data.get("overruled") for e in events)
    assert not enc.pending


def test_the_gms_word_alone_makes_nothing_of_help_that_is_not_there() -> None:
    enc = fight({"Mara": pc(9, tactics=1), "Vex": npc(7)})
    assert [e.kind for e in enc.do("Mara", "add_help", rank="tactics", override=True)] == ["action"]


def test_several_who_are_hurt_at_once_each_choose() -> None:
    enc = fight({"Vex": npc(9), "Mara": pc(7), "Ossik": pc(5)})
    for name in ("Mara", "Ossik"):
        wound(enc, name)
    enc.adjust(["Mara", "Ossik"], "resolve", -3, note="the roof comes down")
    assert [(offer.who, offer.must) for offer in enc.pending] == [("Mara", True), ("Ossik", True)]
    assert enc.active == "Vex", "whose turn it still is"
    enc.do(enc.pending[0].who, "desperate_push", rolls={"push": [6, 6]})
    enc.do(enc.pending[0].who, "desperate_push", rolls={"push": [1, 1]})
    assert not enc.pending


@pytest.mark.rule("d6.fate.blaze.interrupt", "d6.fate.npc")
def test_a_blaze_leaves_what_the_gm_is_asked_of_another() -> None:
    enc = fight({"Vex": npc(9), "Dray": npc(7, significant=True), "Mara": pc(5)})
    for name in ("Dray", "Mara"):
        wound(enc, name)
    enc.adjust(["Dray", "Mara"], "resolve", -3, note="the roof comes down")
    (must,) = enc.pending
    assert (must.who, must.must) == ("Mara", True)
    enc.do("Mara", "blaze_of_glory")
    (question,) = enc.pending
    assert (question.who, question.choices) == ("GM", ("yes", "no"))
    enc.resolve(answer="no")
    assert "out" in holds(enc, "Dray")
    assert enc.active == "Mara"


def test_one_who_is_taken_out_by_the_gm_need_not_choose() -> None:
    enc = fallen()
    with pytest.raises(ck.IllegalAction, match="Mara must answer first, or the GM for them"):
        enc.leave("Mara")
    enc.condition("Mara", "out")
    assert not enc.pending
    assert enc.active == "Vex"


def test_a_window_that_more_are_asked_in_says_only_who_that_is() -> None:
    enc = fight({f"Ada {n}": pc(20 - n) for n in range(1, 13)} | {"Vex": npc(1)})
    enc.damage("rebels", 12)
    said = [event for event in enc.damage("rebels", 1) if event.kind == "window"]
    assert [len(event.data["bids"]) for event in said] == [1] * 12
    assert [offer.who for offer in enc.pending] == [rung.combatant for rung in enc.order if rung.side == "rebels"]
    assert enc.pending[0].about.count("takes damage again, 1") == 12
    assert enc.at(len(enc._events)).pending == enc.pending
    assert all(offer.must for offer in enc.pending)


@pytest.mark.parametrize(("points", "said"), [(1, "1 Force Point"), (2, "2 Force Points"), (0, "0 Force Points")])
def test_force_points_are_counted_in_words_where_things_stand(points: int, said: str) -> None:
    enc = fight({"Mara": pc(9, force_points=points), "Vex": npc(7)})
    assert f"12 of 12 resolve, {said}" in str(enc.log())


def test_a_fate_that_is_ignored_again_is_only_counted_on() -> None:
    enc = fight({"Mara": pc(9, stamina=3), "Vex": npc(7)})
    enc.damage("Mara", 12)
    for more in (2, 1):
        enc.damage("Mara", 1)
        said = [event.text for event in enc.do("Mara", "ignore_fate")]
        assert f"can ignore {more} more before a Rest" in said
        assert "can ignore fates again" not in said
        assert enc["Mara"].values["ignores_left"] == more


def test_in_german_it_is_a_whole_sentence_as_well() -> None:
    enc = ck.Encounter("d6", id="german", seed=1, language="de")
    enc.add("Mara", side="rebels", resolve=12, stamina=2)
    enc.start()
    enc.damage("Mara", 12)
    for told in ("kann vor einer Rast noch 1 ignorieren", "kann vor einer Rast kein weiteres ignorieren"):
        enc.damage("Mara", 1)
        assert told in [event.text for event in enc.do("Mara", "ignore_fate")]


@pytest.mark.parametrize("value", [-4, 0, "x", True, 1.5])
def test_how_often_a_fate_was_ignored_is_a_number_from_one_up(value: object) -> None:
    enc = fight({"Mara": pc(9, stamina=3), "Vex": npc(7)})
    with pytest.raises(ck.InvalidInput, match="give how often a fate was ignored, from 1 up"):
        enc.condition("Mara", "ignored_fates", value=value)
    enc.condition("Mara", "ignored_fates")
    assert enc["Mara"].values["ignores_left"] == 2, "once, where no number is given"


@pytest.mark.rule("d6.fate.blaze.interrupt")
def test_the_last_of_two_who_must_choose_breaks_off_and_nobody_is_said_to_react() -> None:
    enc = fight({"Guard": npc(9), "Mara": pc(7), "Bo": pc(5)})
    wound(enc, "Mara")
    wound(enc, "Bo")
    enc.damage(["Mara", "Bo"], 2)
    first = [event.text for event in enc.do("Bo", "blaze_of_glory")]
    assert any(text.endswith("(still to be answered)") for text in first)
    last = [event.text for event in enc.do("Mara", "blaze_of_glory")]
    assert "all have answered" in last
    assert not any("react" in text for text in (*first, *last))


@pytest.mark.rule("d6.fate.trigger", "d6.fate.blaze.interrupt")
def test_of_two_who_fall_at_once_the_one_still_asked_is_asked_about_their_own_fate() -> None:
    enc = fight({"Mara": pc(9), "Bo": pc(8), "Vex": npc(3)})
    for name in ("Mara", "Bo"):
        wound(enc, name)
    enc.damage(["Mara", "Bo"], 2)
    enc.do("Mara", "blaze_of_glory")
    (offer,) = enc.pending
    assert (offer.who, offer.about) == ("Bo", "Bo is Wounded and takes damage again, 2")
    told = [event.text for event in enc._events if "still to be answered" in event.text]
    assert told == ["Bo is Wounded and takes damage again, 2 (still to be answered)"]


@pytest.mark.rule("d6.fate.blaze.die")
@pytest.mark.parametrize("death", ["tragic_demise", "desperate_push", "by the GM"])
def test_who_dies_in_their_last_turn_dies_once(death: str) -> None:
    enc = fallen()
    enc.do("Mara", "blaze_of_glory")
    if death in FATES:
        enc.damage("Mara", 1)
        enc.do("Mara", death, rolls={"push": [1, 1]} if death == "desperate_push" else None)
    else:
        enc.condition("Mara", "dead")
    assert "dies" not in [event.text for event in enc.end_turn()]
    assert [condition.id for condition in enc["Mara"].conditions].count("dead") == 1


@pytest.mark.rule("d6.fate.trigger")
@pytest.mark.parametrize("kept", ["stunned", "down", "unconscious"])
def test_who_can_do_nothing_chooses_a_fate_all_the_same_but_no_blaze(kept: str) -> None:
    enc = fallen(stamina=2)
    enc.condition("Mara", kept)
    choices = ("ignore_fate", "never_the_same", "desperate_push", "tragic_demise")
    assert offered(enc, "Mara") == choices, "being kept from acting takes no fate back"
    enc.do("Mara", "ignore_fate")
    enc.damage("Mara", 1)
    assert offered(enc, "Mara") == choices, "further damage asks as ever"
    assert refused(enc, "Mara", "blaze_of_glory").reason == f"Mara is {kept} and can't take a last turn."
    assert enc.pending[0].must


@pytest.mark.rule("d6.fate.trigger", "d6.fate.blaze.interrupt")
def test_of_three_who_fall_at_once_only_those_still_asked_are_asked_about() -> None:
    enc = fight({name: pc(9 - n, stamina=1) for n, name in enumerate(("Mara", "Bo", "Ada"))} | {"Vex": npc(3)})
    for name in ("Mara", "Bo", "Ada"):
        wound(enc, name)
    enc.damage(["Mara", "Bo", "Ada"], 2)
    bo, ada = "Bo is Wounded and takes damage again, 2", "Ada is Wounded and takes damage again, 2"
    enc.do("Mara", "ignore_fate")
    assert {offer.about for offer in enc.pending} == {f"{bo}; {ada}"}, "Mara has answered in a window that stays open"
    enc.undo()
    enc.do("Mara", "blaze_of_glory")
    assert {offer.about for offer in enc.pending} == {f"{bo}; {ada}"}
    enc.do("Bo", "blaze_of_glory")
    assert [offer.about for offer in enc.pending] == [ada], "Bo has answered in one that was opened again"
    assert not any("Bo is Wounded" in event.text for event in enc._events[-4:])


def test_every_rule_against_ignoring_a_fate_is_cited_and_nobody_witnesses_their_own_death() -> None:
    enc = fallen(by=9, stamina=0)
    assert refused(enc, "Mara", "ignore_fate").rules == (
        "d6.fate.ignore",
        "d6.fate.ignore.refresh",
        "d6.fate.ignore.big",
    )
    assert refused(enc, "Mara", "tragic_demise", witnesses=["Mara"]).reason == "Mara can't be their own witness."
    assert enc.may("Mara", "tragic_demise", witnesses="rebels")


@pytest.mark.parametrize("gone", ["Vex", "Ilya"])
def test_what_help_was_asked_about_is_broken_off_by_the_rule_of_help(gone: str) -> None:
    enc = fight({"Mara": pc(9), "Ilya": pc(7), "Vex": npc(5)})
    enc.do("Mara", "help")
    enc.end_turn()
    enc.do("Ilya", "attack", target="Vex", rolls={"attack": [2, 2, 2, 2]})
    stopped = only(enc.condition(gone, "dead"), "stopped")
    assert stopped.rules == ("d6.act.help.timing",)


def test_what_only_whoever_leaves_was_asked_is_not_still_to_be_answered() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(5)})
    enc.do("Mara", "help")
    enc.end_turn()
    enc.end_turn()
    assert offered(enc, "Mara") == ("help_recovery",)
    closed = only(enc.leave("Mara"), "window_end")
    assert closed.text == "Mara's Help goes unused: too late to react"
    assert not enc.pending


def test_of_several_significant_npcs_hurt_at_once_the_first_named_is_asked_about_first() -> None:
    enc = fight({"Mara": pc(9), **{name: npc(5, significant=True) for name in ("Dray", "Vex", "Zed")}})
    enc.damage(["Vex", "Zed", "Dray"], 6)
    enc.damage(["Vex", "Zed", "Dray"], 2)
    asked = []
    for answer in ("no", "yes", "no"):
        asked.append(enc.pending[0].about)
        enc.resolve(answer=answer)
        if answer == "yes":
            assert offered(enc, "Zed")
            enc.do("Zed", "desperate_push", rolls={"push": [6, 6]})
    assert asked == [f"May {name}, hurt again, choose a Fallen Fate?" for name in ("Vex", "Zed", "Dray")]
    assert (holds(enc, "Vex"), holds(enc, "Dray"), enc["Zed"].values["resolve"]) == (
        {"wounded", "out"},
        {"wounded", "out"},
        6,
    )
    assert not enc.pending
    assert enc.active == "Mara"


@pytest.mark.rule("d6.fate.npc")
def test_a_minor_npc_is_told_that_no_fate_is_theirs() -> None:
    enc = fight({"Vex": npc(9), "Mara": pc(7), "Dray": npc(5, significant=True)})
    ruling = refused(enc, "Vex", "desperate_push")
    assert (ruling.rule, ruling.reason.endswith("and Vex is neither.")) == ("d6.fate.npc", True)
    for name in ("Mara", "Dray"):
        assert refused(enc, name, "desperate_push").rule == "d6.fate.trigger"
