"""A window is one question: who may still answer this event, with what; it is asked anew whenever something happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import combatkit as ck
from tests.systems.segments_table import fight as declaring
from tests.systems.segments_table import roll
from tests.systems.table import holds, left, refused

GUN = {"name": "rifle", "attack": "3D", "damage": "1D", "type": "energy", "range": "long"}


def asked(enc: ck.Encounter) -> dict[str, tuple[str, ...]]:
    """Give who is asked, and with what they may answer."""
    return {offer.who: offer.actions for offer in enc.pending}


def saga(*feats: str, **options: Any) -> ck.Encounter:
    """Counts 20, 15, 10 and 5; Mara has four opportunities a round if she has the feat."""
    enc = ck.Encounter("saga", seed=1, options=options)
    enc.add("Mara", side="rebels", dex=4, level=6, hp=40, attack_bonus=8, feats=feats)
    enc.add("Kell", side="rebels", dex=1, level=5, hp=30, defense=15)
    enc.add("Guard", side="empire", hp=10, defense=15, attack_bonus=2)
    enc.add("Brute", side="empire")
    enc.start(rolls={"Mara": 13, "Kell": 12, "Guard": 10, "Brute": 5})
    return enc


def watched() -> ck.Encounter:
    """Give a fight in which Guard's attack on Kell waits for what Mara has readied against it."""
    enc = saga(down_at_zero=False)
    enc.do("Mara", "ready", action="attack", target="Guard", trigger={"actor": "Guard", "action": "attack"})
    enc.end_turn()
    enc.end_turn()
    enc.do("Guard", "attack", target="Kell", rolls={"attack": [14]})
    return enc


def points(**options: Any) -> ck.Encounter:
    """Ada, then Orc, then Bes; three points each."""
    enc = ck.Encounter("ap", seed=1, options=options)
    for name, side, rating in (("Ada", "heroes", 6), ("Orc", "foes", 4), ("Bes", "heroes", 1)):
        enc.add(name, side=side, initiative_rating=rating, ap=3, hp=10)
    enc.start(rolls={"Ada": 4, "Orc": 4, "Bes": 4})
    return enc


def hexes(*people: tuple[str, str, int, tuple[int, int]], **more: Any) -> ck.Encounter:
    """Bring people to the hexes they stand in; `more` is what Crow has besides."""
    enc = ck.Encounter("phases", seed=1)
    for name, side, value, at in people:
        enc.add(name, side=side, combat_value=value, ocv=5, dcv=5, at=at, **(more if name == "Crow" else {}))
    enc.start()
    return enc


# ── K1: one stays asked while something can be paid for ──


@pytest.mark.rule("saga.react.ex.aoo", "saga.react.ex.readied")
def test_one_who_has_struck_an_opportunity_may_still_use_what_is_readied() -> None:
    enc = saga("Combat Reflexes")
    enc.do("Mara", "ready", action="attack", target="Guard", trigger="Guard runs past")
    enc.end_turn()
    enc.end_turn()
    enc.trigger("Guard", text="Guard runs past")
    enc.do("Mara", "attack_of_opportunity", target="Guard")
    assert asked(enc)["Mara"] == ("use_readied",)
    assert refused(enc, "Mara", "attack_of_opportunity", target="Guard").reason.startswith("Mara has already answered")
    enc.do("Mara", "use_readied")
    assert list(asked(enc)) == ["Kell"]


@pytest.mark.rule("saga.react.ex.aoo", "saga.react.ex.readied")
def test_one_who_has_used_what_is_readied_may_still_strike_an_opportunity() -> None:
    enc = saga("Combat Reflexes")
    enc.do("Mara", "ready", action="attack", target="Guard", trigger="Guard runs past")
    enc.end_turn()
    enc.end_turn()
    enc.trigger("Guard", text="Guard runs past")
    enc.do("Mara", "use_readied")
    assert asked(enc)["Mara"] == ("attack_of_opportunity",)
    enc.do("Mara", "attack_of_opportunity", target="Guard")
    assert list(asked(enc)) == ["Kell"]


@pytest.mark.rule("saga.ready.specify-action", "d6.act.hold", "phases.ready.specify")
@pytest.mark.parametrize(("bound", "aimed"), [("named", ("Guard",)), ("any", ("Kell",))])
@pytest.mark.parametrize("system", ["saga", "d6", "phases"])
def test_what_was_readied_for_somebody_is_offered_for_them_whoever_sets_it_off(
    system: str, bound: str, aimed: tuple[str, ...]
) -> None:
    enc = ck.Encounter(system, seed=1, options={"readied_target": bound})
    for name, side in (("Mara", "rebels"), ("Guard", "empire"), ("Kell", "empire")):
        enc.add(name, side=side)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    keeps, use = ("hold", "use_held") if system == "d6" else ("ready", "use_readied")
    enc.do("Mara", keeps, action="attack", target="Guard", trigger="Guard comes")
    while enc.active != "Kell":
        enc.end_turn()
    enc.trigger("Kell", text="Kell comes", offers=[use])
    assert [(o.who, o.actions, o.targets) for o in enc.pending] == [("Mara", (use,), aimed)]
    assert all(enc.can("Mara", use, target=name).allowed for name in aimed)


@pytest.mark.rule("saga.react.ex.aoo")
def test_two_who_run_at_once_are_struck_one_after_the_other_in_saga() -> None:
    enc = saga("Combat Reflexes")
    enc.end_turn()
    enc.trigger("Guard", "Brute", text="both run")
    enc.do("Mara", "attack_of_opportunity", target="Guard")
    assert [(o.who, o.targets) for o in enc.pending] == [("Mara", ("Brute",))], "Kell has the turn"
    assert not enc.can("Mara", "attack_of_opportunity", target="Guard").allowed
    enc.do("Mara", "attack_of_opportunity", target="Brute")
    assert (enc.pending, left(enc, "Mara")["aoo"]) == ((), 2)


@pytest.mark.rule("phases.aoo.cr-more", "phases.aoo.cr-one-per-opp")
def test_two_who_run_at_once_are_struck_one_after_the_other_in_phases() -> None:
    people = (("Ace", "h", 9, (1, 0)), ("Bolt", "h", 8, (1, -1)), ("Crow", "v", 3, (0, 0)))
    enc = hexes(*people, combat_reflexes=True)
    enc.trigger("Ace", "Bolt", text="both run")
    enc.do("Crow", "attack_of_opportunity", target="Ace", rolls=[1, 1, 1])
    assert [(o.who, o.targets) for o in enc.pending] == [("Crow", ("Bolt",))]
    assert refused(enc, "Crow", "attack_of_opportunity", target="Ace").rule == "phases.aoo.cr-one-per-opp"
    enc.do("Crow", "attack_of_opportunity", target="Bolt", rolls=[1, 1, 1])
    assert enc.pending == ()
    enc = hexes(*people)
    enc.trigger("Ace", "Bolt", text="both run")
    enc.do("Crow", "attack_of_opportunity", target="Ace", rolls=[1, 1, 1])
    assert enc.pending == (), "without Combat Reflexes there is one a phase"


@pytest.mark.rule("saga.react.ex.talents")
def test_one_who_is_attacked_may_use_a_talent_while_somebody_else_is_asked() -> None:
    enc = watched()
    assert enc.can("Kell", "talent_reaction", trigger="Guard attacks Kell").allowed
    enc.do("Kell", "talent_reaction")
    assert asked(enc) == {"Mara": ("use_readied",)}, "and the attack still waits"
    assert enc["Kell"].values["hp"] == 30


@pytest.mark.rule("ap.react.needs-ap", "ap.react.aware")
def test_one_who_gains_a_point_or_wakes_or_is_no_longer_surprised_is_asked() -> None:
    enc = points()
    enc.adjust("Orc", "ap", -3)
    enc.do("Ada", "attack", target="Orc")
    assert list(asked(enc)) == ["Bes"]
    enc.adjust("Orc", "ap", 1)
    assert "parry" in asked(enc)["Orc"]
    assert "drink_potion" not in asked(enc)["Orc"], "that takes two points"
    enc.adjust("Orc", "ap", 1)
    assert "drink_potion" in asked(enc)["Orc"]
    enc.do("Orc", "parry", outcome="failed")
    assert list(asked(enc)) == ["Bes"], "one attempt a threat"
    for condition in ("unconscious", "surprised"):
        enc = points(surprised_secondary_reactions=False)
        enc.condition("Orc", condition)
        enc.do("Ada", "attack", target="Orc")
        before = asked(enc).get("Orc", ())
        enc.condition("Orc", condition, off=True)
        assert set(before) < set(asked(enc)["Orc"])
        assert enc.can("Orc", "dash").allowed
        enc.condition("Orc", condition)
        assert asked(enc).get("Orc", ()) == before


@pytest.mark.rule("ap.react.attempt-counts")
def test_what_words_tell_while_a_window_is_open_is_another_event() -> None:
    enc = points()
    enc.do("Ada", "attack", target="Bes", damage=3)
    enc.do("Bes", "evade", trigger="the roof falls in")
    assert "parry" in asked(enc)["Bes"], "her one attempt at the attack is left"
    assert refused(enc, "Bes", "parry", trigger="the roof falls in").rule == "ap.react.one-per-threat"
    enc.do("Bes", "parry", outcome="failed")
    assert "Bes" not in asked(enc)


@pytest.mark.rule("segments.target.d1", "segments.free.instant")
def test_a_free_attack_may_be_made_while_casters_are_asked_for_targets() -> None:
    web = {"id": "web", "title": "Web", "tags": ["incantation"], "segments": 2}
    enc = declaring("Wiz", "Orc", tables={"actions": [web]})
    enc.do("Wiz", "declare", spell="web")
    roll(enc, 6, 1)
    enc.do("Orc", "free_attack", target="Wiz", trigger="slips", rolls={"attack": [2]})
    assert asked(enc) == {"Wiz": ("announce_target",)}
    enc.trigger("Orc", offers=["free_attack"], text="Orc slips")
    assert asked(enc) == {"Wiz": ("free_attack",)}, "a window above the other"
    enc.resolve()
    assert asked(enc) == {"Wiz": ("announce_target",)}


@pytest.mark.rule("segments.target.d1")
def test_a_caster_who_comes_to_while_others_are_asked_is_asked_too() -> None:
    wand = {"id": "wand", "title": "Wand", "tags": ["invocation"], "segments": 2}
    enc = declaring("Wiz", "Mara", "Orc", tables={"actions": [wand]})
    for name in ("Wiz", "Mara"):
        enc.do(name, "declare", spell="wand")
    enc.condition("Mara", "unconscious")
    roll(enc, 6, 1)
    assert asked(enc) == {"Wiz": ("announce_target",)}
    enc.condition("Mara", "unconscious", off=True)
    assert asked(enc) == {"Wiz": ("announce_target",), "Mara": ("announce_target",)}


# ── why somebody isn't asked ──


@pytest.mark.rule("phases.aoo.threat", "phases.aoo.enemy-only")
def test_phases_says_why_somebody_has_no_opportunity() -> None:
    people = (("Ace", "h", 9, (1, 0)), ("Eve", "h", 8, (0, 1)), ("Crow", "v", 5, (0, 0)), ("Dirk", "v", 4, (12, 0)))
    enc = hexes(*people)
    enc.do("Ace", "half_move", to=(4, 0), outcome="failed")
    assert list(asked(enc)) == ["Crow"]
    far, friend = (refused(enc, name, "attack_of_opportunity", target="Ace") for name in ("Dirk", "Eve"))
    assert (far.reason, far.rule) == ("Dirk doesn't threaten Ace's hex.", "phases.aoo.threat")
    assert friend.rule == "phases.aoo.enemy-only"
    assert refused(enc, "Crow", "use_readied").reason == "Crow has nothing readied."


@pytest.mark.rule("segments.free.before")
def test_segments_says_why_somebody_has_no_free_attack() -> None:
    near: dict[str, Any] = {"conditions": ["in_melee"]}
    enc = declaring("Mara", "Bo", "Vex", "Orc", Mara=near, Vex=near, Orc=near)
    enc.do("Orc", "declare", action="flee")
    roll(enc, 6, 1)
    enc.do("Orc", "flee")
    assert asked(enc) == {"Mara": ("free_attack",)}
    assert refused(enc, "Bo", "free_attack", target="Orc").reason == "Bo isn't in melee with Orc."
    assert refused(enc, "Vex", "free_attack", target="Orc").reason == "Orc isn't Vex's enemy."


def test_ap_says_what_a_reaction_lacks() -> None:
    enc = points(actions="book")
    enc.do("Ada", "attack", target="Orc", option="melee")
    assert refused(enc, "Orc", "resist").reason == "Orc is not restrained, grappled or blinded."
    assert refused(enc, "Orc", "arise").reason == "Orc is not prone."
    enc.condition("Orc", "prone")
    assert "arise" in asked(enc)["Orc"]


# ── K2: what is asked ends with its ground ──


@pytest.mark.rule("saga.react.nature")
@pytest.mark.parametrize("ends", ["dead", "unconscious", "healed", "left"])
def test_the_gm_is_no_longer_asked_who_falls_once_that_is_known(ends: str) -> None:
    enc = watched()
    enc.do("Mara", "use_readied", rolls={"attack": [12]}, damage=10)
    assert [o.who for o in enc.pending] == ["GM"]
    if ends == "healed":
        events = enc.heal("Guard", 6)
        assert [e.target for e in events if e.kind == "attack"] == ["Kell"], "the attack goes on"
    elif ends == "left":
        events = enc.leave("Guard")
    else:
        events = enc.condition("Guard", ends)
    assert enc.pending == ()
    assert ("stopped" in [e.kind for e in events]) == (ends != "healed")


@pytest.mark.rule("d6.fate.npc")
@pytest.mark.parametrize("ends", ["leave", "dead", "no longer wounded"])
def test_the_gm_is_no_longer_asked_for_the_fate_of_one_who_has_none(ends: str) -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Ada", side="heroes", initiative=9, resolve=9)
    enc.add("Nox", side="foes", npc=True, resolve=12, significant=True)
    enc.start(rolls={"Ada": 1})
    enc.damage("Nox", 12)
    enc.damage("Nox", 1)
    assert [o.who for o in enc.pending] == ["GM"]
    if ends == "leave":
        enc.leave("Nox")
    elif ends == "dead":
        enc.condition("Nox", "dead")
    else:
        enc.condition("Nox", "wounded", off=True)
    assert enc.pending == ()
    assert "out" not in holds(enc, "Nox")


@pytest.mark.rule("d6.fate.trigger")
def test_one_who_must_choose_a_fate_cannot_leave_active_or_not() -> None:
    enc = ck.Encounter("d6", seed=1)
    for name in ("Ada", "Bes"):
        enc.add(name, side="heroes", initiative=9, resolve=9)
    enc.start(rolls={"Ada": 2, "Bes": 1})
    for name in ("Ada", "Bes"):
        enc.damage(name, 9)
        enc.damage(name, 5)
        with pytest.raises(ck.IllegalAction, match=f"{name} must answer first, or the GM for them"):
            enc.leave(name)
        enc.do(name, "desperate_push", rolls=[6, 6])
        assert enc.pending == ()


@pytest.mark.rule("saga.react.nature")
def test_one_who_is_merely_asked_may_leave_and_so_may_whoever_is_waited_for() -> None:
    enc = watched()
    enc.leave("Mara")
    assert (enc.pending, enc.active) == ((), "Guard")
    enc = watched()
    enc.leave("Guard")
    assert (enc.pending, enc.active) == ((), "Brute")


@pytest.mark.parametrize("system", [each.id for each in ck.rulesets()])
def test_when_the_active_one_leaves_the_others_are_asked_on(system: str) -> None:
    """What all were asked was not the active one's doing: both who were provoked strike."""
    enc = ck.Encounter(system, seed=1)
    for name, side in (("Ann", "heroes"), ("Bob", "heroes"), ("Cid", "heroes"), ("Orc", "foes")):
        enc.add(name, side=side)
    enc.start()
    for _ in range(2 * (system == "d6")):  # where only what is held answers what is told
        while enc.active == "Orc":
            enc.end_turn()
        enc.do(str(enc.active), "hold", action="attack", target="Orc", trigger={"actor": "Orc"})
    while enc.active not in ("Ann", "Bob", "Cid"):
        enc.end_turn()
    active = enc.active
    others = {"Bob", "Cid", "Ann"} - {active}
    enc.trigger("Orc", text="stumbles")
    assert others <= {*asked(enc)}
    happened = enc.leave(active)
    assert {*asked(enc)} == others
    assert not any("too late" in event.text for event in happened)


@pytest.mark.rule("segments.delay.low", "segments.cast.lost")
@pytest.mark.parametrize("kind", ["incantation", "invocation"])
def test_a_caster_who_delays_in_low_has_lost_the_spell_and_is_asked_for_no_target(kind: str) -> None:
    spell = {"id": "web", "title": "Web", "tags": [kind], "segments": 2}
    enc = declaring("Wiz", "Orc", tables={"actions": [spell]})
    enc.do("Wiz", "declare", spell="web")
    roll(enc, 1, 6)
    enc.end_turn()
    assert asked(enc) == {"Wiz": ("announce_target",)}
    events = enc.do("Wiz", "delay")
    assert (enc.pending, "casting" in holds(enc, "Wiz")) == ((), False)
    assert [e.rules for e in events if e.kind == "stopped"] == [("segments.cast.lost", "segments.delay.low")]
    while enc.clock.round == 1:
        assert (enc.active, enc.clock.step) != ("Wiz", 7)
        enc.end_turn()


# ── K3: nothing is told that comes from dice not yet thrown ──


def behind_a_soft_window() -> ck.Encounter:
    """Nox has declared an attack that will hit Bes; Ada may use what she holds, and no die is thrown."""
    enc = ck.Encounter("d6", seed=11)
    enc.add("Ada", side="heroes", initiative=9, resolve=9)
    enc.add("Bes", side="heroes", initiative=5, resolve=9, defense=5)
    enc.add("Nox", side="foes", npc=True, resolve=5, weapons=[GUN])
    enc.start(rolls={"Ada": 1, "Bes": 1})
    enc.damage("Bes", 9)
    enc.do("Ada", "hold", action="attack", target="Nox", trigger="the bell rings")
    enc.end_turn()
    enc.do("Nox", "attack", target="Bes")
    return enc


@pytest.mark.rule("d6.act.hold.interrupts")
def test_behind_a_soft_window_nothing_is_told_of_a_roll_that_is_not_made() -> None:
    enc = behind_a_soft_window()
    before = enc.digest
    ruling = enc.can("Nox", "move")
    assert (ruling.allowed, ruling.reason) == (True, "Ada may still answer this: Nox attacks Bes.")
    told = str([enc.options(name) for name in enc.names]) + str(enc.choices("Nox", "attack")) + str(ruling)
    assert "is Wounded" not in told
    assert "loses" not in told
    fate = enc.can("Bes", "tragic_demise")
    assert not fate.allowed
    assert fate.reason.endswith("Ada may still answer this: Nox attacks Bes.")
    assert enc.digest == before


@pytest.mark.rule("d6.act.hold.interrupts")
def test_a_soft_window_passes_as_a_call_of_its_own_which_stands_if_the_next_is_refused() -> None:
    enc = behind_a_soft_window()
    with pytest.raises(ck.IllegalAction, match="Bes is Wounded and takes damage again, 4"):
        enc.end_turn()
    assert asked(enc).keys() == {"Bes"}, "the attack has been made"
    enc.undo()
    assert asked(enc) == {"Ada": ("use_held",)}, "which is a step of its own"
    events = enc.do("Ada", "use_held", outcome="hit", damage=99)
    assert "stopped" in [e.kind for e in events]


@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_wrong_input_lets_no_soft_window_pass(system: str) -> None:
    enc = softly(system)
    before = enc.digest
    calls: tuple[Callable[[], object], ...] = (
        lambda: enc.do("Ada", "no_such_action"),
        lambda: enc.do("Nobody", "delay"),
        lambda: enc.condition("Nobody", "prone"),
        lambda: enc.end_turn(rolls={"no such purpose": [1]}),
        lambda: enc.damage("Ada", "lots"),
    )
    for call in calls:
        with pytest.raises(ck.CombatkitError):
            call()
        assert enc.digest == before


@pytest.mark.parametrize("system", ["saga", "d6", "phases"])
def test_a_call_behind_a_soft_window_is_two_steps_of_undo(system: str) -> None:
    enc = softly(system)
    before = enc._state
    events = enc.condition("Ada", "tired")
    assert {"window_end", "effect"} <= {e.kind for e in events}, "the call gives all that happened"
    enc.undo()
    assert "tired" not in holds(enc, "Ada")
    assert enc.pending == ()
    enc.undo()
    assert enc._state == before


def softly(system: str) -> ck.Encounter:
    """Give a fight in which what Ada keeps for words may answer what Bo does, where anything can be kept."""
    enc = ck.Encounter(system, seed=1)
    enc.add("Ada", side="a"), enc.add("Bo", side="b")
    enc.start()
    keeps = {"saga": "ready", "d6": "hold", "phases": "ready"}.get(system)
    if keeps is None:
        return enc
    if enc.active == "Bo":
        enc.end_turn()
    kept = {"saga": "move", "d6": "use_item", "phases": "soliloquy"}[system]
    enc.do("Ada", keeps, action=kept, trigger="the bell rings")
    while enc.active != "Bo":
        enc.end_turn()
    deed = {"saga": "move", "d6": "use_item", "phases": "open_or_close_door"}[system]
    enc.do("Bo", deed)
    assert [o.who for o in enc.pending] == ["Ada"]
    return enc


# ── K8: a reaction strikes whom the event allows, once ──


@pytest.mark.rule("ap.react.purpose")
def test_a_counter_attack_strikes_whoever_made_the_attack() -> None:
    enc = points()
    enc.do("Ada", "attack", target="Orc", damage=1)
    assert refused(enc, "Bes", "counter_attack", target="Orc").reason == "Orc didn't do this; Ada did."
    assert not enc.can("Orc", "counter_attack", target=["Ada", "Bes"]).allowed
    ruling = refused(enc, "Orc", "trip", target="Bes")
    assert (ruling.reason, ruling.rule) == ("Bes didn't do this; Ada did.", "ap.react.purpose")
    enc.do("Orc", "counter_attack", target="Ada", damage=4)
    assert enc["Ada"].values["hp"] == 6


def test_in_the_book_counter_attacks_are_for_enemies_attacks() -> None:
    enc = points(actions="book")
    enc.do("Ada", "attack", target="Orc", option="melee")
    assert "counter_attack" not in asked(enc)["Bes"]
    assert refused(enc, "Bes", "counter_attack", target="Ada").rule == "ap.book.counter"
    enc = points(actions="book")
    enc.do("Ada", "disarm", target="Orc")
    assert {"block", "parry", "evade", "counter_attack"}.isdisjoint(asked(enc)["Orc"])
    assert refused(enc, "Orc", "block").reason == "Block answers an attack, and disarm or take weapon isn't one."


def test_nobody_is_named_twice_as_a_target_or_in_a_tie() -> None:
    enc = points()
    with pytest.raises(ck.InvalidInput, match="Orc is named twice"):
        enc.do("Ada", "attack", target=["Orc", "Orc"])
    for system in ("saga", "ap", "d6", "phases"):
        enc = ck.Encounter(system, seed=1)
        enc.add("Ana", side="a"), enc.add("Bo", side="b")
        with pytest.raises(ck.InvalidInput, match="ties: Ana is named twice"):
            enc.start(ties=["Ana", "Bo", "Ana"])
        enc.start()
        with pytest.raises(ck.InvalidInput, match="ties: Ana is named twice"):
            enc.join("Cy", side="a", ties=["Ana", "Cy", "Ana"])


# ── K13: what the GM allows out of turn is no reaction ──


@pytest.mark.rule("ap.react.purpose", "ap.primary.instigator")
def test_an_attack_the_gm_allows_out_of_turn_is_answered_and_counts_as_an_action() -> None:
    enc = points()
    enc.do("Orc", "attack", target="Ada", override=True, damage=3)
    assert asked(enc).keys() == {"Ada", "Bes"}
    assert enc["Ada"].values["hp"] == 10
    enc.resolve()
    (row,) = [row for row in enc.history.rounds.to_dicts() if row["combatant"] == "Orc"]
    assert (row["actions"], row["reactions"], enc["Ada"].values["hp"]) == (1, 0, 7)


@pytest.mark.parametrize(
    ("system", "action", "given"),
    [
        ("saga", "attack", {"target": "Bo"}),
        ("d6", "attack", {"target": "Bo", "outcome": "miss"}),
        ("phases", "strike", {"target": "Bo", "outcome": "miss"}),
        ("segments", "attack", {"target": "Bo", "outcome": "miss"}),
    ],
)
def test_out_of_turn_by_the_gms_word_counts_as_an_action_everywhere(system: str, action: str, given: Any) -> None:
    enc = ck.Encounter(system, seed=1)
    enc.add("Ada", side="a"), enc.add("Bo", side="b")
    enc.start()
    while enc.active != "Bo":
        enc.end_turn()
    enc.do("Ada", action, override=True, **given)
    rows = {row["combatant"]: row for row in enc.history.rounds.to_dicts() if row["round"] == enc.clock.round}
    assert rows["Ada"]["reactions"] == 0
    assert rows["Ada"]["actions"] >= 1


@pytest.mark.parametrize("made", ["saga", "segments", "phases"])
def test_whom_an_offer_is_about_and_who_leaves_is_no_target_of_it(made: str) -> None:
    if made == "phases":
        enc = hexes(("Mara", "x", 9, (0, 0)), ("Kell", "x", 8, (0, 1)), ("Crow", "y", 5, (1, 0)))
    else:
        enc = ck.Encounter(made, seed=1)
        for name, side in (("Mara", "x"), ("Kell", "x"), ("Crow", "y")):
            enc.add(name, side=side)
        enc.start(rolls={"Mara": 20, "Kell": 15, "Crow": 2} if made == "saga" else None)
    action = "free_attack" if made == "segments" else "attack_of_opportunity"
    enc.trigger("Mara", "Kell", text="both flee")
    assert [offer.targets for offer in enc.pending if offer.who == "Crow"] == [("Mara", "Kell")]
    assert enc.can("Crow", action).reason.endswith(" needs a target: Mara or Kell.")
    enc.leave("Kell")
    assert [offer.targets for offer in enc.pending if offer.who == "Crow"] == [("Mara",)]
    assert enc.do("Crow", action, outcome="miss")[1].target == "Mara"


@pytest.mark.parametrize(
    ("feats", "needs"), [((), "a reaction; Mara has none left"), (("Combat Reflexes",), "neither")]
)
def test_an_extra_that_somebody_never_has_is_not_told_as_spent(feats: tuple[str, ...], needs: str) -> None:
    enc = saga(*feats)
    enc.end_turn()
    enc.end_turn()
    given: dict[str, Any] = {"trigger": "moves past", "target": "Guard"}
    while enc.can("Mara", "attack_of_opportunity", **given).allowed:
        enc.do("Mara", "attack_of_opportunity", outcome="miss", **given)
    assert needs in enc.can("Mara", "attack_of_opportunity", **given).reason


def test_what_a_window_is_about_is_told_once() -> None:
    enc = saga()
    enc.do("Mara", "ready", action="attack", trigger="Kell moves")
    enc.end_turn()
    enc.do("Kell", "move")
    said = "That gives Guard no opening by itself. Mara may still answer this: Kell moves."
    assert enc.can("Guard", "attack_of_opportunity", target="Kell").reason == said


@pytest.mark.rule("d6.fate.ignore")
def test_who_has_no_rank_to_ignore_a_fate_with_is_told_so() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Mara", side="x", resolve=6)
    enc.add("Kell", side="x", resolve=6, stamina=1)
    enc.start()
    for name in ("Mara", "Kell"):
        enc.damage(name, 6)
        enc.damage(name, 1)
    assert enc.can("Mara", "ignore_fate").reason == "Mara has no Stamina or Control rank to ignore a fate with."
    enc.do("Mara", "tragic_demise", witnesses=[])
    enc.do("Kell", "ignore_fate")
    enc.damage("Kell", 1)
    assert enc.can("Kell", "ignore_fate").reason == "Kell can't ignore another fate before a Rest."


KEPT = [("dodge", {}), ("half_move", {"to": (0, 1)}), ("drop_prone", {}), ("pick_up_item", {}), ("strike", {})]


@pytest.mark.parametrize(
    ("system", "kept", "named"),
    [("phases", *each) for each in KEPT] + [("saga", "attack", {}), ("saga", "draw_weapon", {})],
)
def test_whom_an_offer_names_it_can_be_done_to(system: str, kept: str, named: dict[str, Any]) -> None:
    enc = ck.Encounter(system, seed=1)
    for name, at in (("Ace", (1, 0)), ("Crow", (0, 0))):
        enc.add(name, side=name, at=at)
    enc.start()
    while enc.active != "Ace":
        enc.end_turn()
    enc.do("Ace", "ready", action=kept, trigger={"actor": "Crow"}, **named)
    enc.end_turn()
    enc.do("Crow", "strike" if system == "phases" else "attack", target="Ace", outcome="miss")
    (offer,) = enc.pending
    strikes = kept in ("strike", "attack")
    assert (offer.actions, offer.targets) == (("use_readied",), ("Crow",) if strikes else ())
    for name in offer.targets:
        assert enc.can("Ace", "use_readied", target=name).allowed
    assert enc.can("Ace", "use_readied").allowed
