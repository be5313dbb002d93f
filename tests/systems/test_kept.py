"""What is readied, held or carried by another action is held to what it is, to what was said, and to its limits."""

from __future__ import annotations

import re
from typing import Any

import pytest

import combatkit as ck

KEEPS = {"saga": ("ready", "use_readied"), "phases": ("ready", "use_readied"), "d6": ("hold", "use_held")}
STRIKES = {"saga": "attack", "phases": "strike", "d6": "attack"}
RULES = {"saga": "saga.ready.specify-action", "phases": "phases.ready.specify", "d6": "d6.act.hold"}
BLADE: dict[str, dict[str, Any]] = {
    "saga": {"name": "blade", "range": "melee"},
    "phases": {"name": "blade"},
    "d6": {"name": "blade", "attack": "3D", "range": "melee"},
}
NATURE = {"saga": "saga.react.nature", "phases": "phases.ready.window"}
marked = pytest.mark.rule(*RULES.values())


def fight(system: str, **options: Any) -> ck.Encounter:
    """Mara's turn; Vex and Bo stand beside her, and come after."""
    enc = ck.Encounter(system, seed=3, options=options)
    first: dict[str, dict[str, Any]] = {
        "saga": {"initiative_misc": 50},
        "phases": {"combat_value": 9},
        "d6": {"initiative": 30},
    }
    weapons = [BLADE[system], {**BLADE[system], "name": "axe"}]
    zones = system == "d6"
    enc.add("Mara", side="rebels", at=None if zones else (0, 0), weapons=weapons, **first[system])
    for name, at in (("Vex", (1, 0)), ("Bo", (0, 1))):
        enc.add(name, side="empire", npc=True, at=None if zones else at)
    enc.start()
    assert enc.active == "Mara"
    return enc


def kept(system: str, *, options: dict[str, Any] | None = None, **given: Any) -> ck.Encounter:
    """Mara keeps a blow for whatever Vex does; now Vex acts."""
    enc = fight(system, **options or {})
    enc.do("Mara", KEEPS[system][0], action=STRIKES[system], trigger="Vex draws", **given)
    while enc.active == "Mara":
        enc.end_turn()
    return enc


def use(enc: ck.Encounter, system: str, **given: Any) -> ck.Ruling:
    return enc.can("Mara", KEEPS[system][1], trigger="Vex draws", **given)


@marked
@pytest.mark.parametrize("system", KEEPS)
def test_what_was_kept_for_one_is_used_on_that_one(system: str) -> None:
    enc = kept(system, target="Vex", weapon="blade")
    other = use(enc, system, target="Bo")
    assert (other.allowed, other.rule) == (False, RULES[system])
    assert other.reason.endswith("is for Vex, not for Bo.")
    assert use(enc, system, weapon="axe").reason.endswith("is with blade, not with axe.")
    assert use(enc, system).allowed
    assert use(enc, system, target="Vex", weapon="blade").allowed
    free = kept(system, options={"readied_target": "any"}, target="Vex", weapon="blade")
    assert use(free, system, target="Bo", weapon="axe").allowed
    open_ = kept(system)
    assert use(open_, system, target="Bo", weapon="axe").allowed, "where nothing was named, anything may be"


@marked
@pytest.mark.parametrize("system", KEEPS)
def test_a_kept_blow_at_somebody_who_is_gone_is_used_on_nobody_else(system: str) -> None:
    enc = kept(system, target="Bo")
    enc.leave("Bo")
    assert not use(enc, system, target="Vex").allowed


@marked
@pytest.mark.parametrize("system", KEEPS)
@pytest.mark.parametrize("gone", ["left", "dead"])
def test_where_the_table_allows_any_target_the_gone_hinder_nobody(system: str, gone: str) -> None:
    enc = fight(system, readied_target="any")
    enc.do("Mara", KEEPS[system][0], action=STRIKES[system], trigger={"side": "empire"}, target="Bo")
    while enc.active == "Mara":
        enc.end_turn()
    enc.condition("Bo", gone)
    while enc.active != "Vex":
        enc.end_turn()
    enc.do("Vex", {"saga": "draw_weapon", "phases": "pick_up_item", "d6": "dash"}[system])
    (offer,) = [o for o in enc.pending if o.actions == (KEEPS[system][1],)]
    assert (offer.who, offer.targets) == ("Mara", ("Vex",))
    happened = enc.do("Mara", KEEPS[system][1])
    assert [e.target for e in happened if e.action == STRIKES[system]][:1] == ["Vex"]


@pytest.mark.rule("saga.react.nature", "phases.ready.window", "phases.ready.optional")
@pytest.mark.parametrize("system", ["saga", "phases"])
def test_what_is_told_against_a_use_and_the_rule_for_it_are_one(system: str) -> None:
    enc = kept(system, target="Vex")
    nothing = enc.can("Mara", "use_readied")
    assert (nothing.reason, nothing.rule) == ("Nothing to react to right now.", NATURE[system])
    enc.place("Vex", at=(20, 20))
    for far in (enc.can("Mara", "use_readied"), use(enc, system)):  # whether or not there is something to answer
        assert re.search(r" away; the (reach of the )?blade", far.reason)
        assert far.rule != NATURE[system]
    none = enc.can("Bo", "use_readied")  # which nothing to answer would change
    assert (none.reason, none.rule) == ("Bo has nothing readied.", enc.ruleset.actions["use_readied"].rule)


@marked
@pytest.mark.parametrize("system", ["saga", "phases"])
def test_what_the_kept_action_does_not_take_is_refused(system: str) -> None:
    enc = fight(system)
    before = enc.digest
    for action, given, lacks in (
        ("open_or_close_door", {"target": "Vex"}, "target"),
        ("open_or_close_door", {"damage": 5}, "damage"),
        ("open_or_close_door", {"weapon": "blade"}, "weapon"),
    ):
        ruling = enc.can("Mara", "ready", action=action, trigger="x", **given)
        assert (ruling.allowed, ruling.reason.endswith(f"door takes no {lacks}.")) == (False, True)
        assert ruling.rules == (), "no rule says so, and the GM can't overrule it"
        with pytest.raises(ck.IllegalAction):
            enc.do("Mara", "ready", action=action, trigger="x", **given)
    assert enc.digest == before
    assert enc.can("Mara", "ready", action=STRIKES[system], trigger="x", target="Vex", damage=5).allowed
    if system == "saga":
        assert use(kept("saga", target="Vex"), "saga", to=(0, 5)).reason == "Attack takes no destination."


@marked
@pytest.mark.parametrize("system", KEEPS)
def test_what_is_kept_takes_all_that_the_action_takes_by_itself(system: str) -> None:
    enc = ck.Encounter(system, options={"actions": "book"} if system == "saga" else None)
    catalogue = enc.ruleset.catalogue(enc._state)
    keeper, use = (catalogue[id] for id in KEEPS[system])
    kinds, actions = keeper.facts.get("kinds", ()), keeper.facts.get("actions", ())
    waiting = ("delay", "act_now", "ready", "use")
    keepable = [a for a in catalogue if a.id in actions or (a.cost in kinds and a.does not in waiting)]
    assert len(keepable) > 2
    later = {*use.takes, "pay"}  # what it is paid from is settled as it is kept
    for action in keepable:
        assert {*action.takes} <= {*keeper.takes, *later}, action.id
        assert {*action.takes} & {"option", "rank", "weapon", "target"} <= {*keeper.takes}, action.id


@marked
def test_a_held_skill_is_checked_with_the_attribute_it_was_held_with() -> None:
    enc = ck.Encounter("d6", seed=3)
    enc.add("Mara", side="rebels", initiative=30, attributes={"agility": "3D+1"})
    enc.add("Vex", side="empire", npc=True)
    enc.start()
    told: dict[str, Any] = {"action": "use_skill", "trigger": "Vex moves"}
    asked = {choice.param for choice in enc.choices("Mara", "hold", **told)}
    assert {"option", "rank", "needed"} <= asked
    attack = {choice.param for choice in enc.choices("Mara", "hold", action="attack", trigger="x")}
    assert "option" not in attack, "an attack takes none"
    enc.do("Mara", "hold", **told, option="agility", needed=9)
    enc.do("Vex", "move")
    roll = next(e for e in enc.do("Mara", "use_held", rolls={"skill": [3, 1, 6]}) if e.kind == "roll")
    assert roll.text == "rolls 11 on agility against 9: passed"


@pytest.mark.rule("phases.act.start-complete", "phases.abort.what")
def test_what_a_half_or_an_abort_carries_takes_only_its_own() -> None:
    enc = fight("phases")
    half = enc.can("Mara", "start_or_complete", action="change_clothes", target="Vex")
    assert half.reason == "Change clothes takes no target."
    assert enc.can("Mara", "start_or_complete", action="sweep", target=["Vex"]).allowed
    enc.end_turn()
    assert enc.can("Bo" if enc.active == "Vex" else "Vex", "abort", action="block", to=(5, 5)).reason == (
        "Block takes no destination."
    )


@pytest.mark.rule("segments.seq.1-declare")
def test_a_declaration_takes_what_the_declared_action_takes() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Mara", side="rebels", weapons=[{"name": "axe"}])
    enc.add("Vex", side="empire")
    enc.start()
    assert enc.can("Mara", "declare", action="move", weapon="axe").reason == "Move takes no weapon."
    assert enc.can("Mara", "declare", action="attack", weapon="axe").allowed


@pytest.mark.rule("phases.ready.lost", "saga.ready.lapse-open")
@pytest.mark.parametrize("system", ["saga", "phases"])
def test_what_has_lapsed_is_told_from_what_was_used_or_taken_or_never_readied(system: str) -> None:
    def readied() -> ck.Encounter:
        enc = ck.Encounter(system, seed=1)
        for name, first in (("Ada", 9), ("Bo", 5), ("Cy", 1)):
            stats: dict[str, Any] = {"dex" if system == "saga" else "combat_value": first}
            enc.add(name, side=name, **stats)
        enc.start(rolls={"Ada": 10, "Bo": 10, "Cy": 10} if system == "saga" else None)
        enc.do("Ada", "ready", action="move" if system == "saga" else "half_move", trigger="the bell rings")
        enc.end_turn()
        return enc

    def why(enc: ck.Encounter, who: str = "Ada") -> str:
        return enc.can(who, "use_readied", trigger="the bell rings").reason

    lapsed = readied()
    while lapsed.active != "Ada":
        lapsed.end_turn()
    again = lapsed.branch(lapsed.do("Ada", "delay")[-1].seq)
    lapsed.undo()
    lapsed.end_turn()
    move = "move" if system == "saga" else "half move"
    assert why(lapsed) == why(again) == f"What Ada had readied ({move}) has lapsed."
    assert why(lapsed, "Cy") == "Cy has nothing readied."
    used, taken = readied(), readied()
    used.do("Ada", "use_readied", trigger="the bell rings")
    while used.pending:
        used.resolve(answer="nobody")
    if system == "saga":
        used.adjust("Ada", "reaction", 1)
    taken.condition("Ada", "readied", off=True)
    assert why(used) == why(taken) == "Ada has nothing readied."
    while lapsed.active != "Ada":
        lapsed.end_turn()
    lapsed.do("Ada", "ready", action="move" if system == "saga" else "half_move", trigger="the bell rings")
    lapsed.end_turn()
    assert lapsed.can("Ada", "use_readied", trigger="the bell rings").allowed


@pytest.mark.rule("phases.free.limit", "saga.free.gm-cap")
@pytest.mark.parametrize(("system", "free"), [("phases", "soliloquy"), ("saga", "speak")])
def test_a_free_action_that_was_readied_counts_toward_the_limit(system: str, free: str) -> None:
    rule = {"phases": "phases.free.limit", "saga": "saga.free.gm-cap"}[system]
    for spent in (True, False):
        enc = fight(system, **({"free_action_cap": 1} if system == "saga" else {}))
        if system == "phases":
            enc.condition("Mara", "free_limit", value=1)
        enc.do("Mara", "ready", action=free, trigger={"actor": "Vex"})
        if spent:
            enc.do("Mara", "drop_item")
        enc.end_turn()
        while enc.active != "Vex":
            enc.end_turn()
        enc.do("Vex", "open_or_close_door")
        assert [offer.who for offer in enc.pending] == ([] if spent else ["Mara"])
        if spent:
            assert rule in enc.can("Mara", "use_readied", trigger="Vex knocks").rules
            continue
        pool = {"phases": "free_limit", "saga": "free"}[system]
        paid = [e.data.get("paid") for e in enc.do("Mara", "use_readied") if e.action == free]
        assert paid == [{pool: 1}]


@pytest.mark.rule("saga.ready.specify-trigger", "phases.ready.specify", "d6.act.hold")
@pytest.mark.parametrize(
    ("system", "rule"),
    [("saga", "saga.ready.specify-trigger"), ("phases", "phases.ready.specify"), ("d6", "d6.act.hold")],
)
def test_words_about_another_than_it_waits_for_break_the_rule_that_says_for_what(system: str, rule: str) -> None:
    enc = fight(system)
    enc.do("Mara", KEEPS[system][0], action=STRIKES[system], target="Vex", trigger={"actor": "Bo"})
    while enc.active != "Vex":
        enc.end_turn()
    ruling = enc.can("Mara", KEEPS[system][1], trigger="Vex moves")
    assert (ruling.allowed, ruling.rule) == (False, rule)


@pytest.mark.parametrize("system", KEEPS)
def test_what_waits_for_a_turn_that_is_over_waits_on_as_what_was_kept_is_used(system: str) -> None:
    enc = kept(system, target="Vex")
    for id in ("start", "end"):
        enc.condition("Bo", f"marked_{id}", until=f"{id} of turn: Mara")
    enc.do("Mara", KEEPS[system][1], trigger="Vex draws")
    assert {condition.id for condition in enc["Bo"].conditions} == {"marked_start", "marked_end"}
