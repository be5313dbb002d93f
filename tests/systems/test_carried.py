"""What is kept for later, begun or announced: checked as it is taken, and again as it is carried out."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck

BOW = {"name": "bow", "damage": "1d6", "range": 9}
MARKED = {"saga": ("ready", "use_readied", "attack"), "d6": ("hold", "use_held", "attack")}
WAYS = {**MARKED, "phases": ("ready", "use_readied", "strike")}
"""What keeps an action, what uses it, and a plain attack."""
WEAPON: dict[str, dict[str, Any]] = {
    "saga": {**BOW, "attack": 2},
    "d6": {"name": "bow", "attack": "3D", "damage": "2D"},
    "phases": BOW,
}


def duel(system: str, options: dict[str, Any] | None = None, **stats: Any) -> ck.Encounter:
    """Give a fight in which Mara is active, with a bow; Vex and Bo are her enemies."""
    enc = ck.Encounter(system, id="duel", seed=1, options=options)
    first: dict[str, Any] = {"saga": {"dex": 9}, "d6": {"initiative": 9}, "phases": {"combat_value": 9}}[system]
    enc.add("Mara", side="rebels", **{"weapons": [WEAPON[system]], **first, **stats})
    enc.add("Vex", side="empire", npc=True)
    enc.add("Bo", side="empire", npc=True)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    return enc


def wait(enc: ck.Encounter) -> None:
    while enc.active == "Mara":
        enc.end_turn()


@pytest.mark.parametrize("system", WAYS)
def test_a_weapon_with_nothing_left_is_not_kept_for_later(system: str) -> None:
    keeps, _, strikes = WAYS[system]
    enc = duel(system, uses={"bow": 0})
    given = {"action": strikes, "target": "Vex", "trigger": {"actor": "Vex"}}
    assert enc.can("Mara", keeps, **given).reason == enc.can("Mara", strikes, target="Vex").reason
    assert not enc.can("Mara", keeps, **given).allowed
    enc.adjust("Mara", "bow", 1)
    assert enc.can("Mara", keeps, **given).allowed


@pytest.mark.parametrize("weapons", [[], [{"name": "axe"}]])
@pytest.mark.parametrize("system", WAYS)
def test_a_weapon_that_is_gone_since_is_not_used_and_nobody_else_is_hindered(
    system: str, weapons: list[dict[str, Any]]
) -> None:
    keeps, uses, strikes = WAYS[system]
    enc = duel(system)
    enc.do("Mara", keeps, action=strikes, target="Vex", weapon="bow", trigger={"side": "empire"})
    wait(enc)
    more = {"attack": "1D"} if system == "d6" else {}
    enc.edit("Mara", weapons=[{**each, **more} for each in weapons])
    assert enc.active is not None
    enc.do(enc.active, "move" if system != "phases" else "open_or_close_door")
    assert [offer.who for offer in enc.pending] == []
    assert enc.can("Mara", uses).reason == "Mara has no 'bow' on their sheet any more."
    for _ in range(2):
        enc.undo()
    assert enc.do(enc.active, "move" if system != "phases" else "open_or_close_door")
    who = [offer.who for offer in enc.pending]
    assert who == ["Mara"], "with the bow it is offered"


@pytest.mark.parametrize("system", WAYS)
def test_another_weapon_takes_the_place_of_one_that_is_gone_only_where_the_table_is_free(system: str) -> None:
    keeps, uses, strikes = WAYS[system]
    more = {"attack": "1D"} if system == "d6" else {}
    for option, reason in (("named", "Mara has no 'bow' on their sheet any more."), ("any", "")):
        enc = duel(system, options={"readied_target": option})
        enc.do("Mara", keeps, action=strikes, target="Vex", weapon="bow", trigger={"side": "empire"})
        wait(enc)
        enc.edit("Mara", weapons=[{"name": "axe", **more}])
        ruling = enc.can("Mara", uses, weapon="axe", trigger="Vex comes")
        assert (ruling.reason, ruling.allowed) == (reason, not reason)
        assert "no 'bow' on their sheet any more" in enc.can("Mara", uses, trigger="Vex comes").reason


def test_an_attack_on_an_area_is_used_on_those_who_are_still_there() -> None:
    for gone in ("leaves", "dies"):
        enc = duel("saga", options={"actions": "book"})
        enc.do("Mara", "ready", action="area_attack", target=["Vex", "Bo"], trigger={"actor": "Vex"})
        wait(enc)
        while enc.active != "Vex":
            enc.end_turn()
        if gone == "leaves":
            enc.leave("Bo")
        else:
            enc.condition("Bo", "dead")
        enc.do("Vex", "move")
        (offer,) = enc.pending
        assert (offer.who, offer.targets) == ("Mara", ("Vex",))
        events = enc.do("Mara", "use_readied", damage=3, rolls=[20])
        assert [e.target for e in events if e.kind == "attack"] == ["Vex"]


def test_with_nobody_left_of_those_named_it_lapses_and_says_why() -> None:
    enc = duel("saga", options={"actions": "book"})
    enc.do("Mara", "ready", action="area_attack", target=["Vex", "Bo"], trigger={"side": "empire"})
    wait(enc)
    enc.leave("Bo")
    enc.join("Cy", side="empire")
    enc.leave("Vex")
    assert enc.active != "Mara"
    assert "has left the fight" in enc.can("Mara", "use_readied", trigger="a noise").reason


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"action": "strike", "target": "Vex", "manoeuvre": "block"}, "Block needs no attack roll."),
        (
            {"action": "pick_up_item", "outcome": "negated"},
            "“Pick up an item” provokes, and no skill check negates it.",
        ),
        ({"action": "start_or_complete", "option": "recover_from_stunned"}, "Mara is not stunned."),
        ({"action": "stand_up"}, "Mara is not prone."),
        (
            {"action": "start_or_complete", "option": "take_recovery", "target": "Vex"},
            "Take a Recovery takes no target.",
        ),
        ({"action": "start_or_complete", "option": "take_recovery", "damage": 3}, "Take a Recovery takes no damage."),
    ],
)
def test_what_can_never_be_done_is_not_readied(given: dict[str, Any], reason: str) -> None:
    enc = duel("phases")
    before = enc.digest
    assert enc.can("Mara", "ready", trigger={"actor": "Vex"}, **given).reason == reason
    with pytest.raises(ck.IllegalAction):
        enc.do("Mara", "ready", trigger={"actor": "Vex"}, **given)
    assert enc.digest == before


@pytest.mark.rule("phases.ready.specify")
def test_the_outcome_of_a_readied_half_is_how_its_check_went() -> None:
    enc = duel("phases")
    given: dict[str, Any] = {"action": "start_or_complete", "option": "take_recovery", "trigger": "anything"}
    listed = [c.value for c in enc.choices("Mara", "ready", **given) if c.param == "outcome"]
    assert listed == ["failed", "negated"]
    with pytest.raises(ck.InvalidInput, match="outcome is 'hit'; give failed or negated"):
        enc.do("Mara", "ready", outcome="hit", **given)
    enc.do("Mara", "ready", outcome="negated", **given)
    wait(enc)
    assert enc.active is not None
    assert enc.do(enc.active, "dodge")
    assert [offer.who for offer in enc.pending] == ["Mara"]
    assert enc.do("Mara", "use_readied")


def test_what_is_readied_is_chosen_as_it_is_done() -> None:
    enc = duel("phases")
    choices = enc.choices("Mara", "ready", action="start_or_complete")
    halves = [c.value for c in choices if c.param == "option" and c.ruling.allowed]
    assert halves[:2] == ["full_move", "noncombat_move"]
    assert "recover_from_stunned" not in halves
    params = {c.param for c in enc.choices("Mara", "ready", action="pick_up_item", trigger="x")}
    assert params.isdisjoint({"manoeuvre", "target", "weapon", "damage"}), "it takes none of them"
    with pytest.raises(ck.InvalidInput, match="option is 'sideways'; give melee or ranged, or none"):
        enc.can("Mara", "strike", target="Vex", option="sideways")


@pytest.mark.rule("phases.tab.startfull", "phases.act.start-complete")
def test_half_of_an_action_needs_what_the_whole_requires() -> None:
    enc = duel("phases")
    assert enc.can("Mara", "start_or_complete", action="recover_from_stunned").reason == "Mara is not stunned."
    enc.condition("Mara", "stunned")
    assert enc.can("Mara", "start_or_complete", action="recover_from_stunned").allowed


@pytest.mark.rule("d6.fate.ignore", "d6.fate.ignore.big")
def test_whether_a_fate_can_be_ignored_is_judged_when_it_is() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="rebels", resolve=10)
    enc.add("Nox", side="empire", npc=True)
    enc.start()
    enc.damage("Ada", 10)
    enc.damage("Ada", 6)
    assert enc.can("Ada", "ignore_fate").reason == "Ada has no Stamina or Control rank to ignore a fate with."
    enc.edit("Ada", stamina=1)
    assert enc.can("Ada", "ignore_fate").reason == "6 damage is more than 5, half of Ada's maximum Resolve."
    assert "ignore_fate" not in enc.pending[0].actions
    enc.edit("Ada", resolve_max=20)
    assert "ignore_fate" in enc.pending[0].actions
    enc.edit("Ada", stamina=0)
    assert "ignore_fate" not in enc.pending[0].actions
    assert not enc.can("Ada", "ignore_fate").allowed
    enc.undo()
    assert enc.do("Ada", "ignore_fate")
    assert enc.pending == ()


def test_what_is_used_up_is_not_offered_as_an_answer() -> None:
    enc = ck.Encounter("ap", seed=1)
    enc.add("Ada", side="rebels", initiative_rating=9)
    enc.add("Orc", side="orcs", npc=True, uses={"parry": 0})
    enc.start(rolls={"Ada": 4, "Orc": 4})
    enc.do("Ada", "attack", target="Orc")
    (offer,) = enc.pending
    assert "evade" in offer.actions
    assert "parry" not in offer.actions


@pytest.mark.rule("segments.called.20")
@pytest.mark.parametrize("gone", ["leaves", "dies"])
def test_a_question_about_somebody_who_is_gone_settles_itself(gone: str) -> None:
    enc = ck.Encounter("segments", seed=5)
    bow: dict[str, Any] = {
        "attacks": ["MISSILE: longbow (1d6)"],
        "aac0": 18,
        "weapons": [{"name": "longbow", "missile": True}],
    }
    enc.add("Gus", side="party", **bow)
    enc.add("Orc", side="foes", ac=5, hp=20)
    enc.add("Gob", side="foes", ac=5, hp=20)
    enc.start()
    enc.end_turn(rolls={"party": [6], "foes": [1]})
    enc.do("Gus", "called_shot", target="Orc", rolls={"attack": [20]})
    (question,) = enc.pending
    assert (question.who, question.must) == ("GM", True)
    if gone == "leaves":
        enc.leave("Orc")
    else:
        enc.condition("Orc", "dead")
    assert enc.pending == ()


def test_what_is_used_up_is_not_declared() -> None:
    enc = ck.Encounter("segments", seed=5, tables={"actions": [{"id": "web", "title": "Web", "tags": ["incantation"]}]})
    enc.add("Wiz", side="party", uses={"Web": 0})
    enc.add("Orc", side="foes")
    enc.start()
    assert enc.can("Wiz", "declare", spell="web").reason == "Wiz has no Web."
    enc.adjust("Wiz", "Web", 1)
    assert enc.can("Wiz", "declare", spell="web").allowed


@pytest.mark.parametrize(
    ("named", "action", "given", "rule"),
    [
        ("saga", "ready", {"action": "move"}, "saga.ready.specify-trigger"),
        ("saga", "ready", {"trigger": "a bell"}, "saga.ready.specify-action"),
        ("d6", "hold", {"trigger": "a bell"}, "d6.act.hold"),
        ("d6", "defend", {}, "d6.act.defend.choice"),
        ("d6", "aim", {}, "d6.act.aim.exclusive"),
        ("phases", "ready", {"action": "block"}, "phases.ready.specify"),
        ("phases", "start_or_complete", {}, "phases.act.start-complete"),
    ],
)
def test_leaving_it_out_cites_it_and_giving_it_does_not(
    named: str, action: str, given: dict[str, Any], rule: str
) -> None:
    enc = ck.Encounter(named, seed=1)
    enc.add("Ann", side="red")
    enc.add("Bob", side="blue")
    enc.start()
    assert enc.active is not None
    ruling = enc.can(enc.active, action, **given)
    assert (ruling.allowed, ruling.rule, ruling.rules) == (False, rule, (rule,))
