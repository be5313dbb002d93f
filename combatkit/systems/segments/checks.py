"""What rules out an action: its step, half and D phase, what else was done, and what stands in the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from combatkit.core.geometry import as_pair, square_distance
from combatkit.core.model import Effect, Fighter, State
from combatkit.core.plain import counted
from combatkit.rules.case import Case, Objection, against
from combatkit.rules.catalogue import Action
from combatkit.rules.params import as_names
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import armed, said_spot
from combatkit.systems.segments.agenda import fast_kind
from combatkit.systems.segments.concentration import spoken
from combatkit.systems.segments.moving import due_later, due_low, falls_behind, place_in_words
from combatkit.systems.segments.places import (
    LOST,
    STAGE,
    called,
    declared,
    draws_free,
    half_of,
    has_drawn,
    in_d1,
    is_declared,
    is_delayed,
    is_spell,
    loads,
    lost_spell,
    may_add_minor,
    owed_for_drawing,
    owes_spell,
    segments_to_cast,
    still_to_take,
)
from combatkit.systems.segments.tables import SEGMENTS, SPELLS
from combatkit.text import say_names

# ── what lies between two combatants: the distance in feet, barriers, cover and concealment ──


FEET = 5
"""The side of a square in feet."""

SMALL = ("very_small", "shares_square")
"""What lets combatants share a square and fight there."""


def in_feet(feet: float, most: float | None = None) -> str:
    """Say a distance as people do, in whole feet; to a tenth where only that tells it from a limit.

    Examples
    --------
    >>> in_feet(14.1421, 10), in_feet(45.2769, 45), in_feet(7.5)
    ('14', '45.3', '8')
    """
    return f"{feet:.1f}" if round(feet) == most != feet else f"{feet:.0f}"


def out_of_range(fighter: Fighter, what: str, spot: object, reach: float) -> Iterator[Objection]:
    """Refuse what is beyond a range, from centre to centre; where there is only a name, it may be anywhere."""
    here, there = as_pair(fighter.position), as_pair(spot)
    if here is not None and there is not None and (feet := FEET * square_distance(here, there)) > reach:
        yield Objection(f"{what} is {in_feet(feet, reach)} ft away; the range is {reach} ft.", "segments.grid.measure")


def line_objections(caster: Fighter, target: Fighter) -> Iterator[Objection]:
    """Yield what breaks the line of effect or the line of sight between two combatants."""
    name = target.name
    mine, theirs = (f.effect("barrier") if f.effects else None for f in (caster, target))
    for barrier in (mine, theirs):
        if barrier is None or is_open(barrier) or (mine and theirs and _what(mine) == _what(theirs) == "water"):
            continue
        reason = f"No line of effect to {name}: {_what(barrier) or 'a barrier'} lies between."
        yield from against(reason, "segments.loe.blocks", "segments.loe.needed")
        break
    if _percent(target, "cover") > 50:
        reason = f"No line of effect to {name}: more than half covered."
        yield from against(reason, "segments.loe.cover", "segments.loe.needed")
    if _percent(target, "concealment") >= 75:
        reason = f"No line of sight to {name} as the spell is completed."
        yield from against(reason, "segments.los.conceal", "segments.los.needed", "segments.los.when")


def is_open(barrier: Effect) -> bool:
    """Check whether a barrier leaves an opening of at least 1 by 1 ft."""
    value = barrier.value
    feet = value.get("opening", 0) if isinstance(value, Mapping) else value if type(value) is int else 0
    return bool(feet >= 1)


def _what(barrier: Effect) -> str:
    value = barrier.value
    return str(value.get("what", "")) if isinstance(value, Mapping) else value if isinstance(value, str) else ""


def _percent(fighter: Fighter, id: str) -> float:
    held = fighter.effect(id) if fighter.effects else None
    return held.value if held is not None and isinstance(held.value, (int, float)) else 0


# ── what rules out an action ──


TIMELESS = ("none", "immediate", "delay")
"""Kinds of action that take no time and stay open during a complex activity."""


def kind_of(action: Action) -> str:
    """Return the kind of an action, which decides its phase."""
    return str(action.facts.get("kind", "other"))


def casting_of(fighter: Fighter, action: Action) -> Effect | None:
    """Return the casting of this spell, if one is under way."""
    effect = fighter.effect("casting") if fighter.effects else None
    return effect if effect is not None and effect.value["spell"] == action.id else None


def aims_of(rules: Ruleset, state: State, casting: Effect, named: Iterable[str] = ()) -> tuple[list[str], list[str]]:
    """Return whom a spell is aimed at, and who of the announced is no longer among them: they have left, or died since.

    Who was dead when they were announced is meant so; `named` are those named as it is cast, if any are.
    """
    fighters, meant = state.fighters, casting.value.get("fallen", ())
    aims = [*(named or casting.value.get("target", ()))]
    gone = [n for n in aims if rules.is_gone(fighters[n]) and (fighters[n].effect("left") or n not in meant)]
    return [name for name in aims if name not in gone], gone


def aimed(case: Case) -> dict[str, list[str]]:
    """Say whom a spell has been aimed at since it was announced, for the event of its casting."""
    casting = casting_of(case.fighter, case.action)
    aims = [] if casting is None else aims_of(case.rules, case.state, casting)[0]
    return {"aims": aims} if aims else {}


def time_of(case: Case) -> int:
    """Return the segments an action takes this time: for a spell, at most those left in the round."""
    fighter, action = case.fighter, case.action
    casting = casting_of(fighter, action) if fighter.effects else None
    if casting is not None:
        pool = fighter.pools.get("segments")
        return min(segments_to_cast(casting), SEGMENTS if pool is None else pool.left)
    total = min(SEGMENTS, still_to_take(fighter, action))
    if fighter.effects and counts_as_complex(case):
        return SEGMENTS
    if action.cost != "minor" or not total:
        return min(SEGMENTS, total + owed_for_drawing(fighter, action, case.params)) if total else 0
    major = fighter.pools.get("major")
    after = major is not None and major.left < 1
    if after:
        return total if case.state.options["minor_adds_after"] else 0
    return 0 if action.facts.get("included") and draws_free(case.rules, case.state, fighter, case.params) else total


def counts_as_complex(case: Case) -> bool:
    """Check whether a delaying activity, alone or within an attack, counts as complex, as it does for the delayed.

    What takes no time of one's own turn, such as a free attack, is no such activity, whatever it is made with.
    """
    fighter, action = case.fighter, case.action
    if action.when != "own turn" or not is_delayed(fighter):
        return False
    return action.facts.get("kind") == "delaying" or loads(fighter, action, armed(case).params)


def lost_to_delay(rules: Ruleset, state: State, fighter: Fighter) -> bool:
    """Check whether the round's major action was lost to a delay announced in LOW."""
    major = fighter.pools.get("major")
    spent = rules.catalogue(state).get(major.action) if major is not None and major.left < 1 else None
    return spent is not None and kind_of(spent) == "delay"


def common(case: Case) -> Iterator[Objection]:
    """Yield what rules out an action in this system."""
    fighter, action = case.fighter, case.action
    kind = kind_of(action)
    if kind not in TIMELESS:
        yield from _filled_round(case)
    if action.cost in ("routine", "spell", "quick_spell"):
        yield from _spent(case)
    if action.facts.get("declared") and not is_declared(fighter, action):
        reason = f"{action.title} must be declared in step 1: its notation says so."
        yield from against(reason, "segments.note.innate", "segments.seq.1-declare")
    if kind == "innate":
        yield from _innate(case)
    elif kind not in TIMELESS:
        yield from _in_its_place(case, kind)
    whole = bool(fighter.effects) and counts_as_complex(case)
    delayed = _without_major(case) if kind != "delay" else None
    if delayed is not None and (whole or all("major" in way for way in case.rules.price(case)[0].pay)):
        yield delayed
    if action.cost == "minor" and kind not in ("innate", "delay"):
        turn = case.state.turn
        if (turn is None or turn.who != fighter.name) and not may_add_minor(case.rules, case.state, fighter):
            yield Objection("", "segments.delay.no-minor-outside")
    time = time_of(case)
    pool = fighter.pools.get("segments")
    if pool is not None and time > pool.left and action.cost != "complex" and not whole:
        reason = (
            f"{action.title} takes {counted(time, 'segment')}, and {pool.left} of the round's {pool.total} are left: "
            "it has to wait for another round."
        )
        assumed = "" if "segments" in action.facts else "segments.time.default-1"
        yield from against(reason, "segments.time.overflow", assumed)


def _without_major(case: Case) -> Objection | None:
    """Say that a delay leaves no major action: one announced in LOW none at all, one in HIGH none until LOW."""
    rules, state, fighter = case.rules, case.state, case.fighter
    if lost_to_delay(rules, state, fighter):
        return Objection(f"{fighter.name} has lost their major action to the delay in LOW.", "segments.delay.low")
    held = fighter.effect("delayed") if fighter.effects else None
    step = rules.present_step(state)
    if held is None or step is None or step.id != "high" or held.value != step.phase:
        return None
    return Objection(f"{fighter.name} has delayed, and has no major action until LOW.", "segments.delay.high")


def _spent(case: Case) -> Iterator[Objection]:
    """Say what the round's spell, or the last attack left over, has gone on."""
    fighter, action = case.fighter, case.action
    if action.cost == "routine":
        place, attacks = case.state.turn_place(fighter.name), fighter.pools.get("iterative")
        remaining = place is not None and place.facts.get("kind") == "remaining"
        if remaining and attacks is not None and attacks.left < 1:
            yield Objection(f"{fighter.name} has made all attacks of this round.", "segments.seq.6-remaining")
        elif place is not None and not remaining and attacks is not None and attacks.left > 0:
            yield Objection(f"{fighter.name}'s next attack routine comes in step 6.", "segments.seq.6-remaining")
        return
    spell = fighter.pools.get("spell")
    if spell is None:
        return
    rules, state, one = case.rules, case.state, "segments.spell.one"
    if spell.left < 1:
        major, catalogue = fighter.pools.get("major"), rules.catalogue(state)
        # by the GM's word it goes on nothing itself
        done = catalogue.get(spell.action or (major.action if major is not None else ""))
        if done is not None and done.does == "declare":
            if action.cost == "quick_spell":
                plans = [casting_title(rules, state, fighter)]
                yield Objection(f"One spell a round, and {fighter.name} has declared {plans[0]}.", one)
        elif done is not None and is_spell(done):
            if done.id != action.id:
                title = spell_title(fighter, done)
                if "invocation" in done.tags:
                    yield Objection(f"One spell a round, and {fighter.name} has used the {title}.", one)
                else:
                    yield Objection(f"One spell a round, and {fighter.name} has cast {title}.", one)
        elif fighter.effect("casting") is not None and casting_of(fighter, action) is None:
            plans = [casting_title(rules, state, fighter)]
            yield Objection(f"One spell a round, and {fighter.name} is casting {plans[0]}.", one)
    elif action.cost == "quick_spell" and spell.left < 2 and owes_spell(rules, state, fighter):
        plans = [casting_title(rules, state, fighter)]
        yield Objection(f"One spell a round, and {fighter.name} is casting {plans[0]}.", one)


def casting_title(rules: Ruleset, state: State, fighter: Fighter) -> str:
    """Return what the spell is called that somebody declared this round."""
    catalogue = rules.catalogue(state)
    casting = fighter.effect("casting")
    if casting is not None:
        return str(casting.value.get("spell_name") or catalogue[casting.value["spell"]].title.lower())
    said = (value for value in declared(fighter) if catalogue[value["action"]].cost == "spell")
    return next((called(catalogue[value["action"]], value) for value in said), "a spell")


def _filled_round(case: Case) -> Iterator[Objection]:
    """Refuse anything beside a complex activity."""
    fighter = case.fighter
    segments = fighter.pools.get("segments")
    filled = segments is not None and not segments.left and segments.action != case.action.id
    if not fighter.effects and not filled:
        return
    catalogue = case.rules.catalogue(case.state)
    for value in declared(fighter) if fighter.effects else ():
        if catalogue[value["action"]].cost == "complex" and value["action"] != case.action.id:
            filling = spoken(catalogue[value["action"]], {}, new=True)
            reason = f"{fighter.name} declared {filling}, which fills the round."
            yield Objection(reason, "segments.complex.only")
            return
    if segments is None or not filled:
        return
    done = catalogue.get(segments.action)
    if done is not None and (done.cost == "complex" or counts_as_complex(Case(case.rules, case.state, fighter, done))):
        filling = spoken(done, {}, new=True)
        reason = f"{fighter.name} has filled the round with {filling}."
        yield Objection(reason, "segments.complex.only")


def _innate(case: Case) -> Iterator[Objection]:
    """Allow innate abilities in D1 of their owner's half: in a turn there, or before anybody does anything else."""
    rules, state, fighter = case.rules, case.state, case.fighter
    own = state.turn_place(fighter.name)
    if (own is not None and in_d1(own)) or d1_is_open(rules, state, fighter):
        return
    half = half_of(rules, state, fighter) if state.facts.get("dice") else "their half"
    reason = f"Innate abilities go first: in D1 of {half}, before anybody else there acts."
    if not is_declared(fighter, case.action):
        reason += " Declare one in step 1 to have a place there."
    elif (step := rules.present_step(state)) is not None and (step.stage or 0) <= STAGE.get(half.lower(), 0):
        reason = f"Innate abilities go first, and D1 of {half} is over for {fighter.name}."
    yield Objection(reason, "segments.innate.d1")


def d1_is_open(rules: Ruleset, state: State, fighter: Fighter) -> bool:
    """Check whether it is D1 of a combatant's half: nobody in it has yet acted in a later phase of it.

    What was done in steps 3 and 4 came before it, and whoever passed has done nothing.
    """
    step = rules.present_step(state)
    if step is None or step.id not in ("high", "low") or not rules.able(fighter):
        return False
    if step.phase != half_of(rules, state, fighter):
        return False
    turn = state.turn
    return not any(
        (place.done >= state.occasion <= place.opened and _has_acted(rules, state, state.fighters[place.who]))
        or place.facts.get("begun") == step.id
        or (turn is not None and turn.place == place.id and turn.touched > 0)
        for place in state.agenda
        if place.rank[0] == STAGE[step.id] and place.rank[1] != 0
    )


def _has_acted(rules: Ruleset, state: State, fighter: Fighter) -> bool:
    """Check whether somebody has done anything this round but innate abilities."""
    if has_drawn(fighter):
        return True
    pool = fighter.pools.get("segments")
    spent = rules.catalogue(state).get(pool.action) if pool is not None and pool.left < pool.total else None
    return spent is not None and kind_of(spent) != "innate"


def _in_its_place(case: Case, kind: str) -> Iterator[Objection]:
    """Refuse an action outside the step, half or phase it belongs to."""
    fighter, action = case.fighter, case.action
    place = case.state.turn_place(fighter.name)
    stage = place.rank[0] if place is not None else 0
    doing = place.facts.get("action") if place is not None else None
    if kind == "fast":
        if stage != STAGE["fast"] or doing != action.id:
            yield Objection("A fast action is declared in step 1 and taken in step 3.", "segments.seq.3-fast")
        return
    if action.cost == "spell":
        yield from _spell_in_place(case, stage)
        return
    if stage == STAGE["fast"] and doing != action.id and (action.cost != "minor" or kind == "delaying"):
        wanted = case.rules.catalogue(case.state)[str(doing)].title.lower()
        yield Objection(f"Step 3 is for what was declared: {wanted}.", "segments.seq.3-fast")
    elif stage == STAGE["multi"] and action.cost not in ("minor", "routine"):
        yield Objection("Step 4 is for multi-attack in melee.", "segments.seq.4-multi")
    elif stage == STAGE["remaining"] and action.cost not in ("minor", "routine"):
        yield Objection("Step 6 is for the attacks left over from multi-attack.", "segments.seq.6-remaining")
    elif place is not None and place.facts.get("kind") == "innate":
        reason = f"This turn in D1 is for the innate ability {fighter.name} declared; what else they do comes later."
        yield Objection(reason, "segments.innate.d1")
    elif stage == STAGE["spells"] and action.cost != "minor":
        yield Objection("Step 7 is for the declared spells.", "segments.seq.7-spells")
    elif stage == STAGE["end"] and kind != "last" and not counts_as_complex(case):
        yield Objection("Only the complex activity that was declared goes last.", "segments.complex.only")
    if kind == "last":
        yield from _complex_in_place(fighter, action, stage)
    elif kind == "delaying" or loads(fighter, action, case.params):
        yield from _delaying_in_place(case, stage)
    if fighter.effects and (behind := falls_behind(case)) is not None:
        reason = (
            f"{fighter.name} fell, and can only do what comes at the same time; {action.title.lower()} comes later, in "
            f"{place_in_words(case.state, behind)}."
        )
        yield Objection(reason, "segments.seq.2-tied-order")
    elif (later := due_later(case)) is not None:
        anew, first = later
        reason = (
            f"{action.title} comes in {place_in_words(case.state, anew)}, after {first.who} in "
            f"{place_in_words(case.state, first)}. Declare it, and {first.who} goes first."
        )
        yield Objection(reason, "segments.innate.d1" if in_d1(first) else "segments.seq.2-tied-order")


def _delaying_in_place(case: Case, stage: int) -> Iterator[Objection]:
    """Refuse a delaying activity outside LOW; for the delayed, refuse anything beside it, and make loading go last."""
    fighter, name = case.fighter, case.fighter.name
    if due_low(case):
        reason = f"A delaying activity waits for LOW: declare it now, and {name} goes to LOW but isn't delayed."
        yield Objection(reason, "segments.delaying.low-only")
    elif stage == STAGE["high"]:
        reason = f"A delaying activity waits for LOW, and {name} has already taken the major action in HIGH."
        yield Objection(reason, "segments.delaying.low-only")
    elif stage not in (0, STAGE["low"], STAGE["end"]) or not case.state.facts.get("dice"):
        yield Objection("A delaying activity waits for LOW: declare it in step 1.", "segments.delaying.low-only")
    if not counts_as_complex(case):
        return
    segments = fighter.pools.get("segments")
    if (segments is not None and segments.left < segments.total) or has_drawn(fighter):
        reason = "For the delayed, a delaying activity is complex: it leaves room for nothing else."
        yield Objection(reason, "segments.delayed.delaying-complex")


def spell_title(fighter: Fighter, spell: Action) -> str:
    """Return what a spell of this round is called in a sentence: by the name it was given, or by its own."""
    said = (value for value in declared(fighter) if value["action"] == spell.id)
    return called(spell, next(said, {}))


def _spell_in_place(case: Case, stage: int) -> Iterator[Objection]:
    casting = casting_of(case.fighter, case.action)
    invoked = "invocation" in case.action.tags
    planned = bool(case.fighter.effects) and is_declared(case.fighter, case.action)
    lost = lost_spell(case.fighter) == case.action.id
    if casting is None and (lost or (planned and lost_to_delay(case.rules, case.state, case.fighter))):
        title = spell_title(case.fighter, case.action)
        yield Objection(f"{case.fighter.name} has lost {title} this round.", LOST)
    elif casting is None and planned:
        name, title = case.fighter.name, spell_title(case.fighter, case.action)
        major = case.fighter.pools.get("major")
        if major is not None and major.left < 1 and major.action not in (case.action.id, "declare", ""):
            yield Objection(f"{name} has given up {title} this round.", "segments.major.one")
            return
        spell = case.fighter.pools.get("spell")  # one that the GM grants has to be declared as any other
        rule = "segments.spell.one" if spell is not None and spell.left < 1 else "segments.seq.1-declare"
        used = f"{name} has used the {title} this round."
        yield Objection(used if invoked else f"{name} has cast {title} this round.", rule)
    elif casting is None:
        beside = "segments.invoc.declared-major" if invoked else "segments.incant.similar"
        yield from against("It was not declared in step 1.", "segments.seq.1-declare", beside)
    elif casting.value["step"] == "spells":
        if stage != STAGE["spells"]:
            yield Objection("It is resolved in step 7, with all spells.", "segments.seq.7-spells")
    elif stage not in (STAGE["high"], STAGE["low"]):
        yield Objection(f"It is resolved in {case.fighter.name}'s group initiative.", "segments.seq.7-invocation")


def _complex_in_place(fighter: Fighter, action: Action, stage: int) -> Iterator[Objection]:
    if is_declared(fighter, action):
        if stage != STAGE["end"]:
            yield Objection("It goes last: it is completed at the end of the round.", "segments.complex.go-last")
        return
    major = fighter.pools.get("major")
    if major is not None and major.left < 1:  # gone on what it was given up for, say, which its price tells of
        return
    reason = "It must be declared in step 1."
    yield from against(reason, "segments.complex.declared", "segments.complex.undeclared")


# ── spells ──


def check_cast(case: Case) -> Iterable[Objection]:
    """Refuse a spell out of its place, and a target other than the one announced."""
    yield from common(case)
    casting = casting_of(case.fighter, case.action)
    targets = as_names(case.params["target"]) if "target" in case.params else ()
    said = casting.value if casting is not None else {}
    announced = tuple(said.get("target") or ())
    others = [name for name in targets if name not in announced]
    if "target" in said and "point" not in said and others:  # at a point, whoever is caught there may be named
        aim = say_names(announced) if announced else "no target"
        yield Objection(f"{case.fighter.name} has announced {aim}, not {say_names(others)}.", "segments.target.d1")


def in_line(case: Case) -> Iterable[Objection]:
    """Refuse a spell whose target or point cannot be reached or seen when it is completed."""
    fighter, action = case.fighter, case.action
    casting = casting_of(fighter, action)
    said = casting.value if casting is not None else {}
    targets = case.targets if casting is None else aims_of(case.rules, case.state, casting, case.targets)[0]
    if "point" in said and "range" in action.facts:
        yield from out_of_range(fighter, said_spot(said["point"]), said["point"], action.facts["range"])
    if action.facts.get("range") == 0 or not (any(t in SPELLS for t in action.tags) or is_spell(action)):
        return
    for name in targets:
        target = case.state.fighters.get(name)
        if target is None or name == fighter.name:
            continue
        if "range" in action.facts:
            yield from out_of_range(fighter, name, target.position, action.facts["range"])
        yield from line_objections(fighter, target)


def may_be_declared(fighter: Fighter, action: Action) -> bool:
    """Check whether an action can be declared: actions of the combatant's own turn, innate ones, and delay."""
    return action.when == "own turn" or kind_of(action) in ("innate", "delay") or bool(fast_kind(fighter, action))
