"""The D6 zone system: what only this system does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from combatkit.core.dice import Dice
from combatkit.core.geometry import Zones
from combatkit.core.model import Act, Bid, Clock, Distance, Effect, Fighter, State, Step, Turn, Window
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action, Cost, Setting
from combatkit.rules.draft import Draft
from combatkit.rules.draw import Claim
from combatkit.rules.judge import readied
from combatkit.rules.mechanisms import MECHANISMS
from combatkit.rules.parts import Ask, Mechanism
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.vitals import ADJUST, DAMAGE, Change, log_change
from combatkit.systems.d6 import aid, attacks, destiny, fates, ladder, places, stances, turns
from combatkit.systems.d6.codes import SIDES, attributes_of, check_codes, write_code
from combatkit.systems.d6.presentation import D6Presentation
from combatkit.systems.d6.stats import RANKS, STATS
from combatkit.text import say

_CAP = 2


class D6(Ruleset):
    """A Move, an Action and Free Actions under a cap, zones, held actions, Help after the roll, Fallen Fates."""

    shows = D6Presentation

    score_title = "score"
    draw = ladder.DRAW

    def __init__(self) -> None:
        super().__init__(Path(__file__).parent, STATS)

    def mechanics(self) -> dict[str, Mechanism]:
        """Attacks that wait for Help, moves between zones, fates, and what a turn is spent on."""
        return {
            **MECHANISMS,
            **attacks.MECHANISMS,
            **aid.MECHANISMS,
            **places.MECHANISMS,
            **fates.MECHANISMS,
            **turns.MECHANISMS,
        }

    # ── time ──

    def schedule(self, state: State) -> tuple[Step, ...]:
        """A round is turns and nothing else; how long it counts in the frames is an option."""
        return _turns(state.options["round_seconds"])

    def clock(self, state: State) -> Clock:
        """Rounds without a fixed length: no seconds."""
        return Clock(state.round, label="Not begun" if state.round is None else f"Round {state.round}")

    # ── initiative ──

    def claim(self, state: State, fighter: Fighter) -> Claim:
        """1D plus rank for players' characters, rank plus 3 or 6 for NPCs; players before NPCs."""
        return ladder.claim(fighter)

    def initiative(self, draft: Draft, names: tuple[str, ...]) -> None:
        """Everybody takes their place; then ties are settled as they are chosen."""
        ladder.take_places(draft, names)

    # ── budgets ──

    def refill(self, state: State, fighter: Fighter, boundary: str) -> dict[str, int | None]:
        """Everything comes with one's own turn."""
        if boundary != "turn":
            return {}
        named = Counter(turns.named_free_actions(fighter) or ())
        keyed = {turns.pool_of(name): times for name, times in named.items()}
        return {"move": 1, "action": 1, "free": turns.free_actions(fighter), "cap": _CAP, "object": 1, **keyed}

    def payments(self, case: Case, cost: Cost) -> tuple[tuple[str, ...], ...]:
        """A whole turn is all there is to spend in it; moving within one's own zone costs nothing."""
        fighter, params = case.fighter, case.params
        if cost.untouched:
            pools = ((slot.id, fighter.pools.get(slot.id)) for slot in self.slots)
            whole = tuple(id for id, pool in pools if pool is not None for _ in range(pool.total))
            return (whole,) if whole else cost.pay
        if case.action.id == "move" and params and places.stays(case.state, fighter, params):
            return ((),)
        if case.action.does == "free" and params.get("option") in (turns.named_free_actions(fighter) or ()):
            return (("free", turns.pool_of(params["option"])),)
        return super().payments(case, cost) if cost.when else cost.pay

    def may_fall(self, fighter: Fighter) -> bool:
        """Nobody asks: the rules say who is Wounded and who is out."""
        return False

    def despite(self, fighter: Fighter, action: Action) -> bool:
        """A fate comes to one who is unconscious, too: it is the player who chooses."""
        return action.does in fates.MECHANISMS and not fates.is_gone(fighter)

    # ── rolls, windows ──

    def notation(self, dice: Dice) -> str:
        """Six-sided dice are written as codes."""
        return write_code(dice) if dice.sides == SIDES else dice.notation

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """Attacks, attribute checks, and the two fates that are rolled; of a held action what it asks itself."""
        state, fighter, params = case.state, case.fighter, case.params
        match case.action.does:
            case "attack":
                return attacks.attack_asks(self, state, fighter, params)
            case "check":
                return attacks.check_asks(state, fighter, params)
            case "use":
                effect = readied(fighter, case.action)
                if effect is not None:
                    held = self.catalogue(state)[effect.value["action"]]
                    return self.asks(Case(self, state, fighter, held, {**effect.value.get("params", {}), **params}))
            case "desperate_push":
                return (Ask("push", 2, SIDES, rule="d6.fate.push.roll"),)
            case "tragic_demise":
                witnesses = fates.witnesses(state, fighter, params)
                return (Ask("regain", 2 * len(witnesses), SIDES),) if witnesses else ()
        return ()

    def entrants(self, state: State, act: Act, stage: str) -> tuple[Bid, ...]:
        """After an attack roll or check, those who have Help to give."""
        return aid.help_bids(state, act, stage)

    def closing(self, draft: Draft, window: Window, answer: Any) -> None:
        """Do as the GM says of a tie among NPCs, or of a significant NPC's fate."""
        if window.question == ladder.TIED_NPCS:
            ladder.settle_tie(draft, window.choices, answer)
        elif window.question == "d6.fate.npc":
            fates.answered(draft, window, answer)

    def turn_ends(self, draft: Draft, turn: Turn) -> None:
        """End an Aim that has waited for a whole turn, where it waits no longer."""
        stances.expire_aims(draft, turn)

    def lapsed(self, draft: Draft, who: str, effect: Effect) -> None:
        """Unused Help gives heart, a last turn ends in death, a place held for one round is given back."""
        match effect.id:
            case "helping":
                aid.helped_out(draft, who)
            case "last_turn":
                draft.effect(who, "dead", rule="d6.fate.blaze.die", text=say("fate.dies"))
            case "shifted":
                places.shift_back(draft, who, effect)

    # ── bookkeeping ──

    def adjust(self, draft: Draft, name: str, vital: str, by: int, change: Change = ADJUST) -> None:
        """A loss of Resolve is harm like any other; Force Points have no maximum."""
        held = draft.fighter(name).vitals.get(vital)
        if vital == "resolve" and by < 0 and held is not None:
            fates.lose(draft, name, -by, change)
        elif vital == "force_points":
            left = max(0, (held or 0) + by)
            lost = (held or 0) - left if by < 0 or change.kind == DAMAGE.kind else None
            log_change(draft, name, vital, left, change, lost=lost)
        else:
            super().adjust(draft, name, vital, by, change)

    def begin_condition(
        self, draft: Draft, name: str, id: str, value: Any, modifiers: dict[str, int], anchor: str | None
    ) -> None:
        """A Rest, said as `rest` or `rested`, ends being Wounded and lets every fate be ignored again."""
        if id in fates.RESTS:
            fates.rest(draft, name, id, value, modifiers, anchor)
        else:
            super().begin_condition(draft, name, id, value, modifiers, anchor)

    # ── looking ──

    def values(self, state: State, fighter: Fighter) -> dict[str, Any]:
        """What is stated, and what the fates have left of it."""
        attributes = {name: write_code(code) for name, code in attributes_of(fighter).items()}
        return {
            **attributes,
            **super().values(state, fighter),
            "attributes": attributes,
            "ignores_left": fates.ignores_left(fighter),
            "never_the_same_used": fates.same_used(fighter),
        }

    def listed(self, case: Case, param: str) -> tuple[Any, ...] | None:
        """Weapons, ranks, attributes, zones, ways to be never the same."""
        state, fighter, action = case.state, case.fighter, case.action
        held = readied(fighter, action) if action.does == "use" else None
        if held is not None:
            return self.listed(Case(self, state, fighter, self.catalogue(state)[held.value["action"]]), param)
        match param:
            case "weapon":
                return tuple(weapon["name"] for weapon in fighter.stats["weapons"])
            case "destiny":
                rows = state.tables.get("destiny", ())
                return tuple(dict.fromkeys([destiny.MOMENTUM, *(r.get("effect", r["id"]) for r in rows)]))
            case "rank":
                return {"defend": stances.DEFEND_RANKS, "aim": stances.AIM_RANKS}.get(action.id, RANKS)
            case "to":
                zones = places.zones_of(state)
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
            return stances.AIMS
        if action.does == "check" and fighter.stats["attributes"]:
            return (*fighter.stats["attributes"], *action.facts.get("examples", ()))
        return turns.named_free_actions(fighter) if action.does == "free" else None

    # ── checks ──

    def distance(self, state: State, a: Fighter, b: Fighter) -> Distance | None:
        """Zones between two; None unless both stand on the map."""
        return places.distance_between(state, a, b)

    def check_option(self, id: str, setting: Setting, value: Any) -> Any:
        """A round takes some time: where fights are laid side by side, one of no length has no place."""
        if id == "round_seconds" and type(value) is int and value < 1:
            raise InvalidInput(f"option {id!r} of {self.id} cannot be {value}: it takes a whole number from 1 up")
        return super().check_option(id, setting, value)

    def check_combatant(self, stats: Mapping[str, Any], where: str) -> None:
        """Dice codes, weapons and armour are what they should be."""
        check_codes(stats, where)

    def check_map(self, map: list[Any]) -> None:
        """Pairs of zones."""
        Zones.of(map)

    def check_position(self, state: State, at: Any) -> Any:
        """A zone, and one of the map if there is a map."""
        if not isinstance(at, str) or not at:
            raise InvalidInput(f"a zone is {at!r}; give its name")
        zones = places.zones_of(state)
        if zones is not None and at not in zones.names:
            raise UnknownName.of("zone", at, zones.names)
        return at

    def check_table(self, state: State, table: str) -> None:
        """A row of the destiny table names its faces of the d20, and its effect unless that is its id."""
        super().check_table(state, table)
        for row in state.tables.get("destiny", ()) if table == "destiny" else ():
            faces = row.get("faces")
            if not isinstance(faces, list) or not faces or any(type(f) is not int or not 1 <= f <= 20 for f in faces):
                raise InvalidInput(f"table destiny: {row.get('id')!r} has faces {faces!r}; give a list of 1 to 20")
            if not isinstance(row.get("effect", row.get("id")), str):
                raise InvalidInput(f"table destiny: {row.get('id')!r} names no effect; give text")


@lru_cache(maxsize=64)
def _turns(seconds: int) -> tuple[Step, ...]:
    return (Step("turns", "Turns", length=seconds),)


RULESET = D6
