"""The D6 zone system: what only this system does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from msgspec.structs import replace

from combatkit.core.geometry import Board, zones_of
from combatkit.core.model import Act, Bid, Fighter, State, Step, Window
from combatkit.core.plain import short
from combatkit.errors import InvalidInput
from combatkit.rules.case import Ask, Case, Entry, Given, Mechanism, Objection
from combatkit.rules.catalogue import Action, Cost
from combatkit.rules.delays import go_home
from combatkit.rules.draft import Draft
from combatkit.rules.judge import kept_case
from combatkit.rules.mechanisms import MECHANISMS
from combatkit.rules.moments import Answered, Edited, Lapsed, Moment, StepEnds, TurnEnds
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.vitals import ADJUST, Change, Outcome, log_change
from combatkit.rules.weapons import arms_attack, weapons_of
from combatkit.systems.d6 import aid, attacks, fates, ladder, places
from combatkit.systems.d6.arms import BANDS, SIDES, D6Arms, attributes_of, check_codes
from combatkit.systems.d6.presentation import D6Presentation
from combatkit.systems.d6.stats import RANKS, STATS
from combatkit.text import say_names

# ── what a turn holds besides its Action: Free Actions, by number or by name ──


def named_free_actions(fighter: Fighter) -> tuple[str, ...] | None:
    """Return which Free Actions a combatant has; None if only their number was stated."""
    stated: int | Iterable[str] = fighter.stats["free_actions"]
    return None if isinstance(stated, int) else tuple(stated)


def free_actions(fighter: Fighter) -> int:
    """Return how many Free Actions a combatant has in a turn, under the cap."""
    named = named_free_actions(fighter)
    number: int = fighter.stats["free_actions"] if named is None else len(named)
    return max(0, number + more_free(fighter))


def more_free(fighter: Fighter) -> int:
    """Return how many Free Actions conditions add: another one of those they have, where these have names."""
    return sum([effect.modifiers.get("free_actions", 0) for effect in fighter.effects])


def pool_of(name: str) -> str:
    """Return the pool of a named Free Action: each can be used once a turn."""
    return f"free:{name}"


def check_free(case: Case) -> Iterable[Objection]:
    """Allow only those the combatant has, and none twice; if only their number was stated, any."""
    fighter = case.fighter
    named, name = named_free_actions(fighter), case.params.get("option")
    if not free_actions(fighter):
        yield case.object(f"{fighter.name} has no Free Actions.")
    elif named is not None and name is not None:
        pool = fighter.pools.get(pool_of(name))
        if name not in named:
            has = ", ".join(dict.fromkeys(named))
            yield case.object(f"{fighter.name} has no Free Action {name!r}, only {has}.")
        elif pool is not None and pool.left < 1:
            yield case.object(f"{fighter.name} has already used {name} this turn.")


def which_free(case: Case) -> tuple[str, ...]:
    """Ask which Free Action is taken, if they have names."""
    return ("option",) if named_free_actions(case.fighter) and "option" not in case.params else ()


FREE: dict[str, Mechanism] = {"free": Mechanism(check_free, (), which_free)}


# ── the ruleset ──


_CAP = 2


class D6(Ruleset):
    """A Move, an Action and Free Actions under a cap, zones, held actions, Help after the roll, Fallen Fates."""

    shows = D6Presentation

    score_title = "score"
    steps = (Step("turns", "Turns"),)
    length_option = "round_seconds"
    mechanisms = MappingProxyType(
        {
            **MECHANISMS,
            **attacks.MECHANISMS,
            **aid.MECHANISMS,
            **places.MECHANISMS,
            **fates.MECHANISMS,
            **FREE,
        }
    )
    asks_who_falls = False
    code_sides = SIDES
    board = Board("zones", BANDS)
    struck_by = "defense"
    unmodified = ("never_the_same_used", "force_points_max")
    arms = D6Arms()
    draw = ladder.DRAW

    def __init__(self) -> None:
        super().__init__(Path(__file__).parent, STATS)

    # ── initiative ──

    def surprise(self, draft: Draft, surprised: tuple[str, ...]) -> None:
        """The text knows none, so nobody can begin surprised.

        Raises
        ------
        InvalidInput
            If somebody is to.
        """
        if surprised:
            right = "give a condition of your own, and let the GM skip a turn"
            raise InvalidInput(f"surprised: {say_names(surprised)}; the text of {self.id} has no surprise: {right}")

    claim = ladder.claim
    ahead = ladder.ahead
    initiative = ladder.take_places
    leads = places.leads

    # ── budgets ──

    def refill(self, state: State, fighter: Fighter, boundary: str) -> dict[str, int | None]:
        """Everything comes back with your own turn, unless this one is your last."""
        if boundary != "turn" or fighter.effect("last_turn") is not None:
            return {}
        named = Counter(named_free_actions(fighter) or ())
        more = max(0, more_free(fighter))
        keyed = {pool_of(name): times + more for name, times in named.items()}
        return {"move": 1, "action": 1, "free": free_actions(fighter), "cap": _CAP, "object": 1, **keyed}

    def payments(self, case: Case, cost: Cost) -> tuple[tuple[str, ...], ...]:
        """A whole turn takes all there is to spend; moving within your own zone costs nothing."""
        fighter, params = case.fighter, case.params
        if cost.untouched:
            held = [slot.id for slot in self.slots if slot.id in fighter.pools]
            whole = tuple([id for id in held for _ in range(fighter.pools[id].total)])
            return (whole,) if whole else cost.pay
        if case.action.id == "move" and params and places.stays(case):
            return ((),)
        if case.action.does == "free" and params.get("option") in (named_free_actions(fighter) or ()):
            return (("free", pool_of(params["option"])),)
        return super().payments(case, cost) if cost.when else cost.pay

    def cited(self, case: Case, rule: str) -> tuple[str, ...]:
        """A move within your own zone rests on what makes it free, and on nothing of a Move's."""
        if case.action.does == "move" and places.stays(case):
            return ("d6.range.close.free-move",)
        return super().cited(case, rule)

    def is_next(self, action: Action) -> bool:
        """Only what the text calls an Action: no Move, no Free Action, nothing that costs nothing."""
        return any("action" in way for way in self.costs[action.cost].pay)

    # ── rolls, windows ──

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """Attacks, attribute checks, and the two fates that are rolled; for a held action, what it asks for itself."""
        state, fighter, params = case.state, case.fighter, case.params
        match case.action.does:
            case "attack":
                return attacks.attack_asks(case)
            case "check":
                return attacks.check_asks(case)
            case "use":
                held = kept_case(case)
                return () if held is None else self.asks(held)
            case "desperate_push":
                return (Ask("push", 2, SIDES, rule="d6.fate.push.roll"),)
            case "tragic_demise":
                witnesses = fates.witnesses(state, fighter, params.get("witnesses"))
                return (Ask("regain", 2 * len(witnesses), SIDES),) if witnesses else ()
        return ()

    def waits_for(self, case: Case, act: Act) -> Entry | None:
        """Offer Help, after an attack roll or check, to those who have it to give."""
        return aid.help_bids(case.state, act) if act.passed == aid.ROLLED else None

    def asked(self, state: State, window: Window) -> tuple[Bid, ...] | None:
        """Return whom a window asks for a fate: which of them can be chosen is judged as it is."""
        return fates.asked_anew(window)

    def stands(self, state: State, window: Window) -> bool:
        """Ask about a fate only while somebody is Wounded and in the fight; about a tie, while two who tied are."""
        tie = window.question == ladder.TIED_NPCS
        here = [
            each for who in (window.choices if tie else window.by) if not fates.is_gone(each := state.fighters[who])
        ]
        return len(here) > 1 if tie else bool(here) and here[0].effect("wounded") is not None

    def follows(self, draft: Draft, moment: Moment) -> None:
        """Do as the GM says about a tie or a fate; end an Aim that no longer waits.

        Unused Help gives Resolve, a last turn ends in death, a place held for one round is given back.
        """
        match moment:
            case Answered(window, answer) if window.question == ladder.TIED_NPCS:
                ladder.settle_tie(draft, window.choices, answer)
            case Answered(window, answer) if window.question == "d6.fate.npc":
                fates.answered(draft, window, answer)
            case Edited(who):
                fates.regraded(draft, who)
            case TurnEnds(turn, _):
                attacks.expire_aims(draft, turn)
            case Lapsed(who, effect) if effect.id == "helping" and self.able(draft.state.fighters[who]):
                aid.helped_out(draft, who)
            case Lapsed(who, effect) if effect.id == "last_turn":
                fates.dies(draft, who, "d6.fate.blaze.die")
            case StepEnds():
                go_home(draft)

    def modified(self, fighter: Fighter) -> tuple[str, ...]:
        """Return what conditions may add to rolls that somebody has dice for: attacks, checks, those of an attribute.

        Armor by type and Free Actions by name count as well.
        """
        attributes = attributes_of(fighter)
        attacks, checks = ("attack",) if arms_attack(fighter) else (), ("skill", *attributes) if attributes else ()
        return (*attacks, *checks, "armor", "free_actions")

    def rolled(self, case: Case) -> tuple[str, ...]:
        """Return what goes to a roll: of a check, also its attribute and its rank; nothing where none is thrown."""
        if case.action.does == "check":
            named = [str(case.params[id]) for id in ("option", "rank") if id in case.params]
            return ("skill", *named) if attacks.check_asks(case) else ()
        return super().rolled(case) if attacks.shot_of(case) is not None else ()

    # ── bookkeeping ──

    def falls(self, draft: Draft, name: str) -> None:
        """Somebody without Resolve is Wounded, or out of the fight."""
        fates.falls(draft, name)

    def rises(self, draft: Draft, name: str) -> None:
        """The Wounded stay so until they rest; a minor NPC is back in the fight."""
        fates.rises(draft, name)

    def adjust(self, draft: Draft, name: str, vital: str, by: int, change: Change = ADJUST) -> None:
        """A loss of Resolve counts like any other damage; of Force Points nobody has less than none."""
        held = draft.state.fighters[name].vitals.get(vital)
        if vital == "resolve" and by < 0 and held is not None:
            fates.lose(draft, name, -by, change)
        elif vital == "force_points" and by < 0:
            left = max(0, (held or 0) + by)
            log_change(draft, name, change, Outcome(vital, left, (held or 0) - left))
        else:
            super().adjust(draft, name, vital, by, change)

    def set_condition(self, draft: Draft, given: Given) -> None:
        """A Rest, set as the condition `rest` or `rested`, ends being Wounded and lets fates be ignored again.

        Raises
        ------
        InvalidInput
            If somebody is to be surprised, as in `start`, or if fates are to have been ignored some other number of
            times than one from 1 up.
        """
        if given.id == "surprised" and not given.off:
            self.surprise(draft, (given.who,))  # as `start` does
        if given.id == fates.IGNORED and not given.off:
            given = given._replace(value=1 if given.value is None else given.value)
            if type(given.value) is not int or given.value < 1:
                right = "give how often a fate was ignored, from 1 up, or off=True"
                raise InvalidInput(f"condition {given.id}: value is {short(given.value)}; {right}")
        if given.id in fates.RESTS and not given.off:
            fates.rest(draft, given)
        else:
            super().set_condition(draft, given)

    # ── looking ──

    def values(self, state: State, fighter: Fighter) -> dict[str, object]:
        """The stated value, less what the fates have taken; an attribute with what conditions add to its checks."""
        codes, armor = attributes_of(fighter), fighter.stats["armor"]
        raised = {name: replace(code, plus=code.plus + self.bonus(fighter, name)) for name, code in codes.items()}
        return {
            **{name: code.code for name, code in raised.items()},
            **super().values(state, fighter),
            **({"armor": attacks.rated(self, fighter, armor)} if isinstance(armor, int) else {}),
            "attributes": {name: code.code for name, code in codes.items()},
            "ignores_left": fates.ignores_left(fighter),
        }

    def listed(self, case: Case, param: str) -> tuple[object, ...] | None:
        """Weapons, ranks, attributes, zones, ways to pay for Never the Same."""
        state, fighter, action = case.state, case.fighter, case.action
        held = kept_case(case) if action.does == "use" else None
        if held is not None:
            return self.listed(held.given({}), param)
        match param:
            case "weapon":
                return tuple(weapon["name"] for weapon in weapons_of(fighter))
            case "destiny":
                return attacks.destinies(state)
            case "rank":
                return {"defend": attacks.DEFEND_RANKS, "aim": attacks.AIM_RANKS}.get(action.id, RANKS)
            case "to":
                zones = zones_of(state.map)
                return None if zones is None or fighter.position is None else zones.names
            case "option":
                return self._modes(fighter, action)
            case "attributes":
                return fates.reductions(fighter) or None
            case "witnesses":
                return fates.allies(state, fighter)
            case "target" if action.id == "help_recovery":
                return tuple(n for n, f in state.fighters.items() if not f.effect("left"))
        return None

    def _modes(self, fighter: Fighter, action: Action) -> tuple[str, ...] | None:
        if action.id == "aim":
            return attacks.AIMS
        if action.does == "check" and fighter.stats["attributes"]:
            return (*fighter.stats["attributes"], *action.facts.get("examples", ()))
        return named_free_actions(fighter) if action.does == "free" else None

    # ── checks ──

    def check_combatant(self, stats: Mapping[str, object], where: str) -> None:
        """Check dice codes, weapons and armor."""
        check_codes(stats, where)

    def check_table(self, state: State, table: str) -> None:
        """A row of the destiny table names its numbers on the d20, and its effect unless that is its id."""
        for row in state.tables[table] if table == "destiny" else ():
            faces = row.get("faces")
            if not isinstance(faces, list) or not faces or any(type(f) is not int or not 1 <= f <= 20 for f in faces):
                raise InvalidInput(
                    f"table destiny: {row.get('id')!r} has faces {faces!r}; give a list of numbers from 1 to 20"
                )
            if not isinstance(row.get("effect", row.get("id")), str):
                raise InvalidInput(f"table destiny: {row.get('id')!r} has no effect; give text")


RULESET = D6
