"""What an action is here, what rules it out, and how weapons are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, NotRequired, TypedDict

from msgspec.structs import replace

from combatkit.core.model import Act, Effect, Fighter, Lookup, State, Window
from combatkit.core.plain import counted, full_stop
from combatkit.errors import InvalidInput
from combatkit.rules.case import Case, Objection, against
from combatkit.rules.catalogue import Action, Parameter, open_row, parameters_of, texts
from combatkit.rules.checks import spelled
from combatkit.rules.contests import besides
from combatkit.rules.judge import filled_in, is_answer, is_reaction
from combatkit.rules.rulebook import Rulebook
from combatkit.rules.weapons import MELEE, Arms, Weapon, nothing_to_shoot, within_reach
from combatkit.systems.ap.modes import RANGED, check_mode, farthest, modes_of, reach_of
from combatkit.text import say_names

# ── an action: its type, its cost, what it says about itself; and the rows that users write ──


SAVED = "saved_ap"
"""The condition of somebody who has saved a point for a reaction."""


ADVANTAGE = "advantage"
"""The condition of somebody who has gained one Advantage or more: its value, if it is a number, says how many."""


def advantages_of(fighter: Fighter) -> int:
    """Return how many Advantages somebody has."""
    effect = fighter.effect(ADVANTAGE)
    if effect is None:
        return 0
    return effect.value if type(effect.value) is int and effect.value > 0 else 1


class _Kind(NamedTuple):
    """A type of action: when it can be taken, and the rules it rests on."""

    when: str
    rule: str
    rules: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


_KINDS = {
    "primary": _Kind("own turn", "ap.primary.own-turn", ("ap.turn.spend",), (("bound", "ap.primary.own-turn"),)),
    "secondary": _Kind("own turn or reaction", "ap.secondary.when", (), (("nature", "ap.secondary.when"),)),
    "reaction": _Kind("reaction", "ap.react.purpose"),
    "free": _Kind("any time", "ap.free.any-time", ("ap.free.zero", "ap.free.gm")),
}


def whole(action: Action, when: str = "") -> Action:
    """Fill in what follows from an action's type, and the parameters every action of its kind takes."""
    kind = _KINDS[action.cost]
    when = when or kind.when
    facts = {"ap": 0 if action.cost == "free" else 1, "says": "", **dict(kind.facts), **action.facts}
    more: list[str] = []
    if "reaction" in when:
        more += ["threat", "outcome"]
    if action.cost in ("primary", "secondary"):
        more.append("unaware")
    rules = kind.rules
    if facts["says"]:
        rules += (facts["says"],)
    if "special" in action.tags:
        rules += ("ap.special.typed",)
        more.append("pay")
    if facts["ap"] > 1 and not facts.get("single_turn"):
        rules += ("ap.extended.def",)
    known = {p.id for p in action.parameters}
    parameters = (*action.parameters, *(Parameter(id, required=False) for id in more if id not in known))
    return replace(action, when=when, rule=kind.rule, rules=rules, parameters=parameters, facts=facts)


def read_row(rules: Rulebook, row: Mapping[str, object]) -> Action:
    """Read an action of a user's own.

    Raises
    ------
    InvalidInput
        For an impossible value; it names the action and the column.
    """
    row, where = open_row(rules, row, "id", "title")
    kind = row.get("type", "primary")
    if kind not in _KINDS:
        raise InvalidInput(f"{where}: type is {kind!r}; give one of {', '.join(_KINDS)}")
    tags = texts(where, "tags", row.get("tags", ()))
    if row.get("special") and kind != "free":
        tags = (*tags, "special")
    facts: dict[str, object] = {"ap": _cost(where, kind, row.get("cost"))}
    if row.get("single_turn"):
        facts["single_turn"] = True
    if row.get("range") is not None:
        if type(row["range"]) is not int or row["range"] < 0:
            raise InvalidInput(f"{where}: range is {row['range']!r}; give metres, a whole number from 0 up")
        facts["range"] = row["range"]
    names = parameters_of(rules, where, row)
    attack = "attack" in tags
    if attack:
        names = tuple(dict.fromkeys((*(() if kind == "reaction" else ("target",)), *names, "damage", "outcome")))
    parameters = tuple(Parameter(name, name == "target") for name in names)
    harms, leads = attack or "damage" in names, "to" in names
    does = ("charge" if leads else "attack") if harms else "move" if leads else "plain"
    action = Action(
        row["id"],
        row["title"],
        kind,
        does=does,
        verb=f"uses {row['title'].lower()}",
        on="on",
        tags=tags,
        parameters=parameters,
        facts=facts,
    )
    return whole(action, _when(where, kind, row.get("when")))


def _cost(where: str, kind: str, given: object) -> int:
    """Read a cost: points, or for one point the name of the slot it comes from; a free action has none."""
    if given is None:
        return 0 if kind == "free" else 1
    words = {"free": 0, "ap": 1}
    points = words.get(given, given) if isinstance(given, str) else given
    if isinstance(points, str) and points.isdecimal():
        points = int(points)
    if type(points) is not int or not 0 <= points <= 1000:
        raise InvalidInput(f"{where}: cost is {given!r}; give Action Points, a whole number from 0 to 1000")
    if kind == "free" and points:
        raise InvalidInput(f"{where}: a free action costs no Action Points, not {points}")
    return points


def _when(where: str, kind: str, given: object) -> str:
    """Read when an action can be taken; a type can be narrowed, not widened."""
    if given is None:
        return ""
    usual = _KINDS[kind].when
    right = ("own turn", "reaction", usual) if kind == "secondary" else (usual,)
    if given not in right:
        known = " or ".join(repr(r) for r in right)
        raise InvalidInput(f"{where}: when is {given!r}; for a {kind} action give {known}")
    return str(given)


def still_due(case: Case) -> int:
    """Return the points an action still needs."""
    points: int = case.action.facts["ap"]
    begun = case.begun if case.fighter.progress else None
    return points - begun.done if begun is not None else points


def saved_of(fighter: Fighter) -> Effect | None:
    """Return the point somebody has saved for a reaction; not a condition the GM set under that name."""
    for effect in fighter.effects:
        if effect.id == SAVED and effect.value == 1:
            return effect
    return None


def points_left(fighter: Fighter, reacts: bool) -> int:
    """Return the points somebody could spend; off turn, no more than may be spent there, plus a saved one."""
    pool, off = fighter.pools.get("ap"), fighter.pools.get("off")
    left = pool.left if pool is not None else 0
    if not reacts:
        return left
    left = min(left, off.left) if off is not None else left
    return left + 1 if fighter.effects and saved_of(fighter) is not None else left


def points_now(case: Case, reacts: bool) -> int:
    """Return the points to be paid now: for an extended action on your own turn, as many as there are."""
    due = still_due(case)
    if due < 2 or reacts or case.action.facts.get("single_turn"):
        return due
    pool = case.fighter.pools.get("ap")
    return max(1, min(due, pool.left)) if pool is not None else due


def is_counted(action: Action) -> bool:
    """Check whether an action is one of the attacks that the option ``max_attacks`` limits."""
    return "counted" in action.facts or (action.cost == "primary" and "attack" in action.tags)


def is_threat(action: Action, act: Act) -> bool:
    """Check whether an action can be reacted to: an attack, or anything aimed at somebody else."""
    if action.cost == "free":
        return False
    return "attack" in action.tags or "threat" in action.tags or any(t != act.who for t in act.targets)


# ── what rules it out: surprise, awareness, attempts, points, Advantage, range ──


def _taken(case: Case) -> tuple[bool, int, bool]:
    action, turn, reacts = case.action, case.state.turn, False
    if action.when != "own turn" or (turn is not None and turn is not case.state.focus[-1]):
        reacts = is_answer(case) or is_reaction(case)
    own = turn is not None and turn.who == case.fighter.name
    return reacts, points_now(case, reacts), own


taken = Lookup(_taken)
"""Whether an action is taken as a reaction, as an answer or off turn; the points to be paid for it now; and whether
it is the own turn.
"""


def threat_of(case: Case) -> str | None:
    """Return the key of what is reacted to: an open window's threat, or what a trigger says in words.

    Each of several who did something is a threat: it is the one aimed at, or the first that hasn't been tried.
    """
    state, window = case.state, case.window
    if "trigger" not in case.params:
        if window is None:
            return None
        if len(window.by) <= 1:
            return str(window.threat)
        by = besides(case.fighter.name, window.by)
        aimed = [name for name in case.targets if name in by] or by
        for name in aimed:
            if f"attempt:{window.threat}:{name}" not in case.fighter.pools:
                return f"{window.threat}:{name}"
        return f"{window.threat}:{aimed[0]}"
    turn = state.turn
    words = case.params["trigger"]
    told = " ".join(words.split()).casefold() if isinstance(words, str) else words  # the same threat, however typed
    return f"{turn.seq if turn is not None else 0}:{told}"


def answered(state: State, who: str, action: Action) -> tuple[str, ...]:
    """Return who an attack made as a reaction strikes when nobody is named: whoever it reacts to; a spell, nobody."""
    window = state.window
    strikes = "attack" in action.tags and "reaction" in action.when
    return tuple(n for n in window.by if n != who) if window is not None and strikes else ()


class Foiled(TypedDict):
    """Who foiled a threat, and by which actions, on top of what was foiled before it and is not over yet."""

    threat: int
    by: list[str]
    how: NotRequired[dict[str, str]]
    below: NotRequired[Foiled]


def foiled_by(state: State, threat: int) -> Foiled | None:
    """Return who has foiled a threat, if anybody has."""
    found: Foiled | None = state.facts.get("foiled")
    while found is not None and found["threat"] != threat:
        found = found.get("below")
    return found


def unfoiled(act: Act, foiled: Foiled) -> tuple[str, ...]:
    """Return at whom a threat still goes on: each target foils it for themselves, anybody else for all of them."""
    if not set(act.targets).issuperset(foiled["by"]):
        return ()
    return tuple(t for t in act.targets if t not in foiled["by"])


def only_wards(action: Action) -> bool:
    """Check whether all that a reaction does is ward off what it answers."""
    return action.when == "reaction" and action.does == "plain"


def _tried(fighter: Fighter, threat: str) -> list[Objection]:
    pool = fighter.pools.get(f"attempt:{threat}")
    if pool is None:
        return []
    reason = f"One try to react per threat, and {fighter.name} has had theirs."
    return against(reason, "ap.react.one-per-threat", "ap.react.attempt-counts")


def unanswerable(case: Case, window: Window) -> Iterable[Objection]:
    """Yield what rules out answering the open window."""
    fighter, action = case.fighter, case.action
    name = fighter.name
    tried = _tried(fighter, threat_of(case) or "")
    if tried:
        yield from tried
        if action.cost == "secondary":
            yield Objection("", "ap.secondary.as-reaction-rules")
        return
    below = case.state.focus[-2] if len(case.state.focus) > 1 else None
    if type(below) is Act:
        if below.who == name:
            return
        if "openings" not in action.facts and not case.rules.able(case.state.fighters[below.who]):
            yield Objection(f"{below.who} gets no further, and there is nothing left to react to.", "ap.react.purpose")
        if name in below.params.get("unaware", ()):
            yield Objection(f"{name} is not aware of it: {full_stop(window.about)}", "ap.react.aware")
        foiled = foiled_by(case.state, below.seq) if only_wards(action) else None
        if foiled is not None and not unfoiled(below, foiled):
            reason = f"{say_names(foiled['by'])} foiled it; there is nothing left to ward off."
            yield Objection(reason, "ap.react.purpose")
    if "ap" in fighter.pools and points_left(fighter, reacts=True) < max(1, still_due(case)):
        yield _short(case, "ap.react.needs-ap")


def _is_bought(case: Case) -> bool:
    """Check whether an action is paid for with an Advantage alone."""
    return case.params.get("pay") == "advantage" and case.state.options["special_by_advantage"] == "free"


def _short(case: Case, rule: str) -> Objection:
    fighter = case.fighter
    pool = fighter.pools.get("ap")
    left = pool.left if pool is not None else 0
    due = 0 if _is_bought(case) else still_due(case)
    needs = f"Takes {due} AP" if due else "You can react only while you have AP left"
    if due > 1 and rule == "ap.act.no-debt" and not case.action.facts.get("single_turn"):  # it may begin with less
        needs = f"Takes {due} AP, at least 1 of them now"
    when = filled_in(case, [("ap",) * max(1, due)])
    until = f" until {when}" if when else ""
    return Objection(f"{needs}; {fighter.name} has {left}{until}.", rule)


def while_surprised(case: Case) -> Iterable[Objection]:
    """Let a surprised character only react until their first turn has passed."""
    state, action = case.state, case.action
    name = case.fighter.name
    rule = "ap.surprise.reactions-only"
    if action.when == "reaction" and action.cost == "reaction":
        return
    if action.cost == "free":
        if not state.options["surprised_free_actions"]:
            yield Objection(f"{name} is surprised; strictly by the text, they can only react.", rule)
        return
    turn = state.turn
    own = turn is not None and turn.who == name
    answers = "reaction" in action.when and (not own or is_answer(case))
    if not answers:
        reason = f"{name} is surprised and can only react until their first turn has passed."
        place = state.place_of(name)
        if place is not None and place.done:  # by the GM's word, later in the fight
            reason = f"{name} is surprised and can only react until their turn has passed."
        yield from against(reason, rule, "ap.surprise.until-own-turn" if own else "")
    elif not state.options["surprised_secondary_reactions"]:
        reason = f"{name} is surprised, and a Secondary Action doesn't become a Reaction by being used to react."
        yield from against(reason, "ap.surprise.no-secondary-react", rule)


def check(case: Case) -> Iterable[Objection]:
    """Weigh what an action costs besides its slot: Advantage, attempts, points, attacks of the round, range."""
    fighter, action = case.fighter, case.action
    name = fighter.name
    through = case.params.get("pay") == "advantage"
    reacts, points, own = taken(case)
    if through:
        yield from _through_advantage(case, own)
    elif action.cost == "primary" and not own:
        yield Objection("", "ap.primary.instigator")
    if reacts:
        yield from _at_threat(case)
    bought = through and _is_bought(case)
    least = 1 if reacts else 0  # a reaction takes somebody with points left, even where it costs none
    short = points_left(fighter, reacts) < max(least, points)
    if "ap" in fighter.pools and not bought and short:
        whole = action.facts.get("single_turn") and action.facts["says"]  # which the text's rule would let begin
        yield _short(case, "ap.react.needs-ap" if reacts else whole or "ap.act.no-debt")
        if action.facts["ap"] == 1:
            yield Objection("", "ap.act.min-cost")
    attacks = fighter.pools.get("attacks")
    if attacks is not None and attacks.left < 1 and is_counted(action):
        reason = f"{name} has made {counted(attacks.total, 'attack')} this round, as many as this table allows."
        yield Objection(reason, action.facts.get("counted", "ap.primary.any-number"))
    if "option" in case.params:
        check_mode(action, case.params["option"])


def check_stance(case: Case) -> Iterable[Objection]:
    """Let a turn be skipped in defence only if nothing has been done on it."""
    turn = case.state.turn
    if turn is not None and turn.who == case.fighter.name and turn.touched > 1:
        yield Objection(f"{case.fighter.name} has already acted this turn.", case.action.facts["says"])


def within_range(case: Case) -> Iterable[Objection]:
    """Refuse a target beyond the range of an action or its weapon, or beyond the attacker's reach."""
    facts, armed = case.action.facts, case.fighter.stats.get("weapons")
    found = within_reach(case) if armed else ()
    reach = farthest(case) if "range" in facts or "modes" in facts else None
    return found if reach is None else (*found, *_beyond(case, reach))


def _beyond(case: Case, reach: int) -> Iterable[Objection]:
    state, action = case.state, case.action
    struck = () if "target" in action.required else answered(state, case.fighter.name, action)
    for target in case.targets or struck:
        apart = case.rules.distance(state, case.fighter, state.fighters[target])
        if apart is not None and apart.steps > reach:
            far = type(action.facts.get("range")) is int
            reason = f"{target} is {counted(apart.steps, 'metre')} away; "
            reason += f"{action.title if far else case.fighter.name} reaches {counted(reach, 'metre')}."
            yield Objection(reason, "ap.map.metre")


def _through_advantage(case: Case, own: bool) -> Iterable[Objection]:
    state, fighter, action = case.state, case.fighter, case.action
    name, title = fighter.name, action.title
    if "special" not in action.tags:
        yield Objection(f"Advantage pays only for Special Actions, and {title} isn't one.", "ap.special.advantage")
        return
    if not advantages_of(fighter):
        yield Objection(f"{name} has no Advantage to spend.", "ap.special.advantage")
    style = {spelled(str(s)) for s in fighter.stats["style_advantages"]}
    if style.isdisjoint((action.id, spelled(title))):
        yield Objection(f"{title} isn't one of {name}'s Special Advantages.", "ap.special.style")
    if own and state.window is not None and not is_answer(case):
        reason = f"{state.window.about}: others may react before {name}'s next action."
        yield Objection(reason, "ap.multi.resolve-reactions-first")


def _at_threat(case: Case) -> Iterable[Objection]:
    params = case.params
    window, given = case.window, params.get("threat")
    if window is None and "trigger" in params:
        yield from _tried(case.fighter, threat_of(case) or "")
    if given is not None and (window is None or window.threat != given):
        yield from _tried(case.fighter, str(given))
        reason = "That can't be reacted to now."
        if window is not None:
            reason = f"That can't be reacted to now, only this: {full_stop(window.about)}"
        yield Objection(reason, "ap.multi.resolve-reactions-first")


# ── weapons: a bonus for each, and ranges in metres; hand to hand, as far as the owner reaches ──


class ActionPointArms(Arms):
    """A weapon is for melee, as far as its owner reaches, or reaches a number of metres."""

    unit = "metre"
    rule = "ap.map.metre"

    def nature(self, case: Case) -> str:
        """Return the one way an attack can be made, or from afar if that is said; empty if it may be either."""
        modes, said = modes_of(case.action), case.params.get("option")
        if len(modes) == 1:
            return modes[0]
        return RANGED if said == RANGED and said in modes else ""

    def unheld(self, case: Case) -> Iterable[Objection]:
        """Refuse a weapon that is not on a sheet with weapons, and to shoot with nothing that shoots."""
        yield from super().unheld(case)
        named, shoots = case.params.get("weapon"), self.nature(case) == RANGED
        if named is None and shoots and "weapon" in case.action.takes:
            yield from nothing_to_shoot(case)

    def fits(self, case: Case, weapon: Weapon) -> bool:
        """Check whether a weapon is of a kind that an attack can be made with: hand to hand, or from afar."""
        said, modes = case.params.get("option"), modes_of(case.action)
        if "range" not in weapon:
            return True
        return (MELEE if weapon["range"] == MELEE else RANGED) in ((said,) if said in modes else modes)

    def bare(self, case: Case) -> int:
        """Return how many metres away somebody strikes with bare hands."""
        return reach_of(case.rules, case.fighter)

    def reach(self, case: Case, weapon: Weapon) -> int | None:
        """Return how many metres a weapon reaches; hand to hand, as far as its owner reaches."""
        by_hand = MELEE in (weapon.get("range"), case.params.get("option"))
        return reach_of(case.rules, case.fighter) if by_hand else weapon.get("range")

    def aimed_at(self, case: Case) -> tuple[str, ...]:
        """Return who an attack is aimed at; for an answer, whoever it answers."""
        return case.targets or answered(case.state, case.fighter.name, case.action)
