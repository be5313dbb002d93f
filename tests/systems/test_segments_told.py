"""Segments: what tags mean, what is said to whom is wrong, and what the ladder tells."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.segments_table import SPELLS, cites, fight, key, left, roll, rolled, to_step, to_turn
from tests.systems.table import refused


def made(tags: list[str] | str, **more: Any) -> Any:
    """The action a row with these tags becomes."""
    enc = fight("Mara", start=False, tables={"actions": [{"id": "deed", "title": "Deed", "tags": tags, **more}]})
    return enc.ruleset.catalogue(enc._state)["deed"]


# ── tags ──


@pytest.mark.rule("segments.simple.asterisk", "segments.time.asterisk")
@pytest.mark.parametrize("tags", [["simple*"], "simple*", ["Simple *"]])
def test_a_tag_with_the_asterisk_of_the_text_takes_no_time(tags: Any) -> None:
    action = made(tags)
    assert (action.tags, action.facts["kind"], action.facts["segments"]) == (("simple",), "other", 0)
    assert made(["innate*", "fear"]).facts["segments"] == 0
    assert made(["simple*"], segments=1).facts["segments"] == 1


@pytest.mark.rule("segments.spell.def", "segments.spell.one")
@pytest.mark.parametrize("tag", ["spell", "spell-like", "Spell-like ability", "spell_like"])
def test_what_is_called_a_spell_is_the_one_of_the_round(tag: str) -> None:
    rows = [
        {"id": "flash", "title": "Flash", "tags": ["immediate", tag]},
        {"id": "charm", "title": "Charm", "notation": f"[{tag}]"},
    ]
    enc = rolled("Mara", "Vex", tables={"actions": rows})
    enc.do("Mara", "flash")
    assert left(enc, "Mara", "spell") == 0
    assert refused(enc, "Mara", "charm").rule in ("segments.spell.one", "segments.innate.d1")
    assert "segments.spell.one" in refused(enc, "Mara", "charm").rules
    assert left(enc, "Mara", "major") == 1


@pytest.mark.parametrize(
    ("tag", "right"),
    [("incantations", "incantation"), ("complex activity", "complex"), ("delay", "delaying"), ("go last", "complex")],
)
def test_a_tag_that_nearly_says_a_kind_is_refused(tag: str, right: str) -> None:
    with pytest.raises(ck.InvalidInput, match=f"tag '{tag}'; give '{right}'"):
        made([tag])
    with pytest.raises(ck.InvalidInput, match="the asterisk for no time goes with a kind"):
        made(["fear*"])


@pytest.mark.rule("segments.attr.magic-tags")
def test_any_other_tag_is_an_attribute() -> None:
    assert made(["Fear", "evocation"]).tags == ("innate", "fear", "evocation")


# ── drawing ──


@pytest.mark.rule("segments.simple.included")
def test_drawing_belongs_to_an_attack_and_takes_its_segment_with_anything_else() -> None:
    enc = rolled("Mara", "Vex")
    assert enc.do("Mara", "draw")[0].data["segments"] == 0
    assert enc.do("Mara", "attack", target="Vex")[0].data["segments"] == 1
    # Nothing was declared, and it is no attack that follows: its segment is taken then.
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "draw")
    enc.do("Mara", "draw")
    assert enc.do("Mara", "move")[0].data["segments"] == 3
    # A spell is declared: so it is none from the first.
    enc = fight("Mara", "Vex")
    enc.do("Mara", "declare", action="draw")
    enc.do("Mara", "declare", spell="incantation", segments=4)
    roll(enc)
    assert [dict(r.key)["segments"] for r in enc.order if dict(r.key).get("type") is None] == [5]
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara")
    assert enc.do("Mara", "draw")[0].data["segments"] == 1


@pytest.mark.rule("segments.simple.included")
def test_drawing_may_be_read_as_part_of_any_major_action() -> None:
    enc = rolled("Mara", "Vex", options={"drawing": "any"})
    assert enc.do("Mara", "draw")[0].data["segments"] == 0
    assert enc.do("Mara", "move")[0].data["segments"] == 1
    enc = fight("Mara", "Vex", options={"drawing": "any"})
    enc.do("Mara", "declare", spell="incantation", segments=4)
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara", 7)
    assert enc.do("Mara", "draw")[0].data["segments"] == 0


# ── undeclared ──


@pytest.mark.rule("segments.seq.2-tied-order", "segments.simple.alone-d4")
@pytest.mark.parametrize(("value", "type"), [("melee", "D3"), ("other", "D4")])
def test_who_has_neither_weapons_nor_declared_anything_stands_where_the_option_says(value: str, type: str) -> None:
    enc = fight("Mara", "Bo", "Vex", options={"unarmed": value}, Bo={"weapons": ["club"]})
    roll(enc, 4, 4)
    assert [key(enc, name)["type"] for name in ("Mara", "Bo")] == [type, "D3"]
    # Whoever comes into melee is in D3 all the same.
    enc = fight("Mara", "Vex", options={"unarmed": value})
    enc.condition("Mara", "in_melee")
    roll(enc)
    assert key(enc, "Mara")["type"] == "D3"


def told(enc: ck.Encounter, name: str) -> list[str]:
    """What stands below somebody's own rung."""
    place = next(p for p in enc._state.agenda if p.who == name and not p.facts.get("kind"))
    return [str(part[0]).strip() for part in enc.ruleset.presentation.rung_extras(enc._state, place).get("sub", ())]


@pytest.mark.rule("segments.innate.d1")
def test_the_ladder_and_a_refusal_say_what_an_undeclared_one_is_taken_for() -> None:
    enc = fight("Mara", "Vex")
    enc.do("Vex", "declare", action="innate_ability")
    roll(enc, 4, 4)
    assert told(enc, "Mara") == ["nothing declared: counts as melee"]
    assert told(enc, "Vex") == ["{'chip': 'innate ability'}"]
    enc.do("Vex", "innate_ability")
    enc.do("Mara", "speak")
    ruling = refused(enc, "Mara", "innate_ability")
    assert ruling.reason.endswith("Declare one in step 1 to have a place there.")
    # Where no other group acts in the half it decides nothing.
    assert told(rolled("Mara", "Vex"), "Mara") == []


@pytest.mark.rule("segments.time.actions-measured")
def test_the_ladder_says_how_many_segments_somebody_has_used() -> None:
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "sheathe")
    enc.do("Mara", "speak")
    assert told(enc, "Mara") == ["2 of 10 segments used"]


# ── hints ──


def test_a_word_that_people_try_leads_to_what_does_it() -> None:
    enc = fight("Mara", "Vex")
    for word, right in (("cast", "declare\\(spell="), ("open_door", "simple_activity"), ("Load", "option='load'")):
        with pytest.raises(ck.UnknownName, match=f"segments has no action '{word}': .*{right}"):
            enc.do("Mara", word, target="Vex")
    with pytest.raises(ck.UnknownName, match="did you mean 'parley'"):
        enc.do("Mara", "parly")


def test_everybody_is_asked_what_they_declare_and_only_in_step_one() -> None:
    enc = ck.scene("catwalk").encounter("segments", seed=7)
    tracker = ck.Tracker(enc)
    asked = tracker.budget.view["calls"]
    assert asked["action"] == "declare"
    assert [row["name"] for row in asked["rows"].values()] == list(enc.names)
    enc.do("Vex", "declare", action="charge")
    said = {row["name"]: row["said"] for row in tracker.budget.view["calls"]["rows"].values()}
    assert said == {name: "charge" if name == "Vex" else "" for name in enc.names}
    assert ck.Tracker(enc, view="players").budget.view["calls"] is None
    while tracker.ladder.view["clock"]["label"] == "Round 1, Declare":
        enc.end_turn()
    assert tracker.budget.view["calls"] is None


@pytest.mark.rule("segments.seq.3-fast")
def test_who_flees_is_told_to_flee_and_nothing_else() -> None:
    enc = fight("Mara", "Vex")
    enc.do("Mara", "declare", action="flee")
    roll(enc, party=6, foes=1)
    enc.do("Mara", "flee")
    assert "turn" not in next(line for line in enc.log().markdown.splitlines() if "flees" in line)


@pytest.mark.rule("segments.conc.half-move", "segments.conc.loss")
def test_what_breaks_concentration_by_moving_is_all_that_was_gone_this_round() -> None:
    enc = rolled("Mara", "Vex", Mara={"movement": 60})
    enc.condition("Mara", "concentration", value="veil")
    enc.do("Mara", "move", feet=25)
    happened = [*enc.do("Mara", "position", feet=5), *enc.do("Mara", "position", feet=5)]
    assert not [event.text for event in happened if "no longer walked" in event.text]
    (ends,) = [event.text for event in happened if "veil" in event.text]
    assert ends.startswith("goes 35 ft, more than half their movement, 30 ft")


def test_a_spell_aimed_at_nobody_is_told_in_a_sentence() -> None:
    enc = fight("Mara", "Vex", start=False)
    aims = enc.ruleset.catalogue(enc._state)["announce_target"]
    assert (enc.ruleset.english.render(aims.said()), aims.deed()) == ("aims the spell", "aim the spell")
    assert enc.ruleset.english.render(aims.said("Vex")) == "aims the spell at Vex"


# ── who comes again in a later step ──


@pytest.mark.rule("segments.seq.6-remaining", "segments.routine.def")
def test_whoever_has_attacks_left_over_is_told_when_they_come_again_and_by_which_rule() -> None:
    enc = fight("Mara", "Vex", Mara={"routines": 3})
    enc.condition(["Mara", "Vex"], "in_melee")
    roll(enc, party=6, foes=1)
    enc.do("Mara", "attack", target="Vex", outcome="miss")
    to_turn(enc, "Vex", 5)
    again = enc.can("Mara", "attack", target="Vex")
    assert again.reason == "Mara comes again in step 6, Remaining attacks; it's Vex's turn."
    assert again.rule == "segments.seq.6-remaining"
    enc.leave("Mara")
    lost = next(event for event in enc.join("Mara") if event.kind == "turn_lost")
    assert (lost.text, lost.rules) == ("comes again in step 6, Remaining attacks", ("segments.seq.6-remaining",))
    to_turn(enc, "Mara", 6)
    enc.condition(["Mara", "Vex"], "in_melee")
    assert cites(enc.do("Mara", "attack", target="Vex", outcome="miss"), "segments.seq.6-remaining")


@pytest.mark.rule("segments.seq.4-multi", "segments.seq.6-remaining")
def test_nobody_is_said_to_come_again_in_a_step_that_calls_them_no_more() -> None:
    enc = fight("Mara", "Vex", "Orc", Mara={"routines": 2})
    enc.condition(["Mara", "Vex"], "in_melee")
    for name in ("Mara", "Vex"):
        enc.do(name, "declare", action="charge")
    roll(enc, party=6, foes=1)
    enc.do("Mara", "charge", target="Orc", outcome="miss")
    enc.end_turn()
    again = enc.can("Mara", "speak")
    assert again.reason == "Mara has already had a turn this round; it's Vex's turn."
    assert "segments.seq.4-multi" not in again.rules, "the major action of step 4 is spent"


# ── what is planned, begun and completed, in words ──


@pytest.mark.parametrize("actions", [None, "book"])
def test_every_plan_has_its_german(actions: str | None) -> None:
    enc = ck.Encounter("segments", options={"actions": actions} if actions else None, language="de")
    german, catalogue = enc.ruleset.languages["de"], enc.ruleset.catalogue(enc._state)
    plans = {means for action in catalogue if (means := action.facts.get("means"))}
    assert len(plans) > 20
    assert not [means for means in sorted(plans) if german.word(means) == means]


@pytest.mark.rule("segments.complex.major", "segments.complex.only")
def test_a_complex_activity_and_a_spell_without_a_name_have_an_article_in_both_languages() -> None:
    told = []
    for language in ("en", "de"):
        enc = ck.Encounter("segments", id="a", seed=7, language=language)
        for name, side in (("Mara", "party"), ("Bo", "party"), ("Vex", "foes")):
            enc.add(name, side=side, aac0=15, ac=5, hp=30)
        enc.start()
        enc.do("Mara", "declare", action="incantation")
        enc.do("Bo", "declare", action="complex_activity")
        roll(enc)
        enc.do("Mara", "announce_target", target="Vex")
        to_turn(enc, "Bo")
        told.append([enc.can("Bo", "attack", target="Vex").reason, enc.log().markdown])
        enc.do("Bo", "complex_activity")
        told[-1].append(enc.log().markdown)
    (refusal, begun, done), (german_refusal, german_begun, german_done) = told
    assert refusal == "Bo declared a complex activity, which fills the round."
    assert "Mara starts an incantation in segment 1." in begun
    assert "**Bo** completes a complex activity" in done
    assert german_refusal == "Bo hat eine komplexe Tätigkeit angesagt; das füllt die Runde."
    assert "Mara beginnt in Segment 1: einen Zauberspruch." in german_begun
    assert "**Mara** richtet den Zauberspruch auf Vex" in german_begun
    assert "**Bo** ist fertig: eine komplexe Tätigkeit" in german_done


def test_tables_options_and_a_lost_spell_are_german_in_a_german_log() -> None:
    sleep = {"id": "sleep", "title": "Schlaf", "tags": ["incantation"]}
    enc = ck.Encounter(
        "segments", id="a", seed=7, language="de", tables={"actions": [sleep]}, options={"down_at_zero": False}
    )
    enc.add_table("weapon_speeds", [{"id": "sword", "speed": 5}])
    for name, side in (("Mara", "party"), ("Vex", "foes")):
        enc.add(name, side=side, aac0=15, ac=5, hp=30)
    enc.start()
    enc.do("Mara", "declare", action="incantation")
    enc.damage("Mara", 2)
    told = enc.log().markdown
    assert "eu für Aktionen: Schlaf" in told
    assert "eu für Waffentempi: sword" in told
    assert "An diesem Tisch anders als üblich: Am Boden bei null: nein." in told
    assert "Mara nimmt Schaden und verliert den Zauberspruch (gilt als gewirkt)." in told


@pytest.mark.parametrize(
    ("language", "text", "told", "waits"),
    [
        ("en", "runs past", "Vex: runs past", "Vex runs past"),
        ("en", "across the yard", "Vex: across the yard", "Vex: across the yard"),
        ("en", "towards the door", "Vex: towards the door", ""),
        ("en", "always late", "Vex: always late", ""),
        ("en", "Vex runs past", "Vex runs past", ""),
        ("de", "läuft vorbei", "Vex: läuft vorbei", "Vex: läuft vorbei"),
        ("de", "weit weg", "Vex: weit weg", "Vex: weit weg"),
        ("de", "nackt", "Vex: nackt", "Vex: nackt"),
    ],
)
def test_what_a_table_tells_is_told_of_whoever_does_it(language: str, text: str, told: str, waits: str) -> None:
    enc = ck.Encounter("segments", id="a", seed=7, language=language)
    for name, side in (("Mara", "party"), ("Vex", "foes")):
        enc.add(name, side=side, aac0=15, ac=5, hp=30)
    enc.start()
    roll(enc)
    assert enc.trigger("Vex", offers=["free_attack"], text=text)[0].text == told
    assert enc.pending[0].about == told
    enc.resolve()
    asked = enc.do("Mara", "free_attack", target="Vex", trigger=text, outcome="miss")[0]
    assert asked.text.startswith(f"{told}; ")
    kept = ck.Encounter("saga", id="b", seed=1, language=language)
    for name in ("Mara", "Vex"):
        kept.add(name, side=name, dex=4 * (name == "Mara"))
    kept.start(ties=["Mara", "Vex"], rolls=[20, 1])
    kept.do("Mara", "ready", action="attack", target="Vex", trigger={"actor": "Vex", "text": text})
    assert f"{waits}”" in kept.log().markdown


# ── one thing told once ──


@pytest.mark.rule("segments.delay.low", "segments.delay.high")
def test_a_second_delay_says_once_that_it_is_one_and_that_the_major_action_is_lost() -> None:
    enc = rolled("Mara", "Vex", party=6, foes=1)
    enc.do("Mara", "delay")
    to_turn(enc, "Mara", 5)
    happened = enc.do("Mara", "delay")
    told = enc.log().markdown.split("### LOW")[-1]
    assert "Mara** delays: waits in LOW without a major action" in told
    assert [event.text for event in happened if "delays" in event.text] == ["delays"]
    assert enc.active == "Mara", "with minor actions"


@pytest.mark.rule("segments.innate.d1")
def test_a_declared_ability_that_is_used_is_told_once() -> None:
    enc = fight("Mara", "Vex", tables={"actions": [{"id": "glare", "title": "Glare", "tags": ["innate"]}]})
    enc.do("Mara", "declare", action="glare")
    roll(enc, party=6, foes=1)
    enc.do("Mara", "glare", target="Vex")
    assert enc.log().markdown.split("HIGH")[-1].count("use") == 1


@pytest.mark.rule("segments.immatk.replace")
@pytest.mark.parametrize("plan", ["missile_attack", "flee", "complex_activity"])
def test_whoever_gives_a_plan_up_for_an_immediate_attack_is_told_what_is_left(plan: str) -> None:
    enc = fight("Mara", "Bo", "Vex")
    enc.do("Mara", "declare", action=plan)
    enc.condition(["Mara", "Vex"], "in_melee")
    roll(enc, party=6, foes=1)
    happened = list(enc.do("Mara", "immediate_attack", target="Vex", outcome="miss", trigger="Vex turns away"))
    texts = [event.text for event in happened if event.actor == "Mara" and event.kind == "order" and event.text]
    assert texts == ["has only minor actions left"]


@pytest.mark.rule("segments.grid.measure", "segments.pos.10ft", "segments.conc.half-move")
def test_distances_are_said_in_whole_feet() -> None:
    walker = {"at": (0, 0), "movement": 20}
    enc = rolled("Mara", "Vex", Mara=walker, options={"movement": "refused"})
    assert refused(enc, "Mara", "move", to=(2, 1), feet=8).reason == "This way is 11 ft long, not 8."
    assert refused(enc, "Mara", "move", to=(3, 3)).reason == "Mara moves 20 ft a round, and this is 21."
    enc.condition("Mara", "concentration", value="veil")
    (ends,) = [event.text for event in enc.do("Mara", "move", to=(2, 2)) if "veil" in event.text]
    assert ends.startswith("goes 14 ft, more than half their movement, 10 ft")
    assert refused(enc, "Mara", "position", to=(4, 3)).reason == "Positioning covers up to 10 ft, not 11."


# ── told once, and as people say it ──


def in_the_log(enc: ck.Encounter) -> str:
    """The log without footnotes."""
    return "".join(letter for letter in enc.log().markdown.replace("*", "") if letter not in "⁰¹²³⁴⁵⁶⁷⁸⁹\u202f")


CAUSES = {
    "damage": ("takes damage, and loses fireball as if cast", "segments.conc.break-damage"),
    "unconscious": ("loses fireball as if cast", "segments.conc.break-impede"),
}


@pytest.mark.rule("segments.conc.break-damage", "segments.conc.break-impede")
@pytest.mark.parametrize("fall", CAUSES)
def test_what_costs_a_caster_the_spell_is_told_once_by_its_cause(fall: str) -> None:
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", action="fireball")
    roll(enc, party=2, foes=5)
    to_step(enc, 5, "HIGH")
    happened = enc.damage("Mara", 50) if fall == "damage" else enc.condition("Mara", fall)
    (lost,) = [event for event in happened if event.kind == "stopped"]
    text, rule = CAUSES[fall]
    assert (lost.text, lost.rules) == (text, ("segments.cast.lost", rule))


@pytest.mark.rule("segments.cast.deep", "segments.seq.7-spells")
@pytest.mark.parametrize(("spell", "rule"), [("fireball", "segments.cast.deep"), ("staff", "segments.seq.7-spells")])
def test_a_spell_lost_by_leaving_says_by_which_rule_it_cannot_go_on(spell: str, rule: str) -> None:
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", action=spell)
    roll(enc, party=2, foes=5)
    (lost,) = [event for event in enc.leave("Mara") if event.kind == "stopped"]
    assert lost.rules == ("segments.cast.lost", rule)


@pytest.mark.rule("segments.conc.break-impede")
def test_concentration_ends_in_a_sentence_of_its_own() -> None:
    enc = rolled("Mara", "Vex")
    enc.condition("Mara", "concentration", value="Bless")
    ended = enc.condition("Mara", "prone")[-1]
    assert (ended.target, ended.text) == ("Mara", "loses concentration: Bless ends")


@pytest.mark.rule("segments.seq.6-remaining")
def test_whoever_has_routines_left_is_told_when_the_next_one_comes() -> None:
    enc = fight("Mara", "Vex", Mara={"routines": 2})
    for name, foe in (("Mara", "Vex"), ("Vex", "Mara")):
        enc.condition(name, "in_melee", value=[foe])
    roll(enc)
    enc.do("Mara", "attack", target="Vex")
    ruling = refused(enc, "Mara", "attack", target="Vex")
    assert ruling.reason == "Mara's next attack routine comes in step 6."
    assert ruling.rule == "segments.seq.6-remaining"
    to_step(enc, 6)
    enc.do("Mara", "attack", target="Vex")
    assert refused(enc, "Mara", "attack", target="Vex").reason == "Mara has made all attacks of this round."


@pytest.mark.rule("segments.target.not-declared", "segments.innate.d1")
def test_the_target_of_an_innate_ability_is_named_as_it_is_used() -> None:
    enc = fight("Mara", "Vex", options={"actions": "book"})
    enc.do("Mara", "declare", action="spell_like_ability")
    for _ in range(2):
        ruling = refused(enc, "Mara", "announce_target", target="Vex")
        assert ruling.reason == "Mara names the target of the spell-like ability as they use it, in D1."
        assert ruling.rule == "segments.innate.d1"
        if enc.clock.step == 1:
            roll(enc)
    enc.do("Mara", "spell_like_ability", target="Vex")


@pytest.mark.rule("segments.conc.half-move")
def test_how_far_a_caster_has_gone_is_told_only_once_there_is_more_to_it() -> None:
    enc = rolled("Mara", "Vex", Mara={"movement": 60})
    enc.condition("Mara", "concentration", value="Bless")
    assert [event.text for event in enc.do("Mara", "move", feet=20)] == ["moves 20 ft", ""]
    assert "has gone" not in in_the_log(enc)
    assert enc.do("Mara", "position", feet=10)[-1].text == "has gone 30 ft this round"


@pytest.mark.rule("segments.loe.cover", "segments.los.conceal")
def test_cover_and_concealment_are_told_in_per_cent() -> None:
    enc = rolled("Mara", "Vex")
    enc.condition("Vex", "concealment", value=80)
    enc.condition("Vex", "cover", value=60)
    enc.edit("Vex", hp=15)
    told = in_the_log(enc)
    assert "Vex has 80% concealment (by the GM); has 60% cover (by the GM); now has 15 hp (was 30)" in told


@pytest.mark.rule("segments.immatk.consequence")
def test_what_a_spell_is_given_up_for_is_said_as_a_deed() -> None:
    enc = fight("Mara", "Vex", options={"actions": "book"}, tables={"actions": SPELLS})
    enc.do("Mara", "declare", action="fireball")
    enc.do("Vex", "declare", action="charge", target="Mara")
    roll(enc)
    enc.do("Vex", "charge", target="Mara", outcome="miss")
    happened = enc.do("Mara", "set_for_charge", target="Vex", outcome="miss")
    (lost,) = [event.text for event in happened if event.kind == "stopped"]
    assert lost == "gives up fireball to meet the charge: it is lost as if cast"


@pytest.mark.parametrize("gm", [True, False])
def test_a_caster_who_is_felled_is_not_told_to_have_anything_left(gm: bool) -> None:
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", action="fireball")
    roll(enc, party=2, foes=5)
    to_turn(enc, "Vex")
    done = enc.damage("Mara", 50) if gm else enc.do("Vex", "attack", target="Mara", damage=50, outcome="hit")
    told = [event.text for event in done if event.subject == "Mara"]
    assert "takes damage, and loses fireball as if cast" in told
    assert "is down" in told
    assert not any("minor actions" in text for text in told)


def test_a_wand_is_used_and_not_cast() -> None:
    ring = {"id": "ring", "title": "Ring", "tags": ["invocation", "immediate"]}
    enc = fight("Mara", "Vex", tables={"actions": [*SPELLS, ring]})
    enc.do("Mara", "declare", action="wand")
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara")
    enc.do("Mara", "wand")
    assert refused(enc, "Mara", "wand").reason == "Mara has used the wand this round."
    enc.next_round()
    enc.do("Mara", "ring")
    assert refused(enc, "Mara", "feather_fall").reason == "One spell a round, and Mara has used the ring."
