"""Star Wars Saga Edition: what only this system does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from combatkit.engine.catalogue import Action
from combatkit.engine.dice import Dice
from combatkit.engine.draft import Draft, Rolled, plain
from combatkit.engine.lots import ROLLED, Lots, scored, surprised_some
from combatkit.engine.mechanisms import MECHANISMS, is_beside, named_modifiers, new_place, roll_data
from combatkit.engine.model import Bid, Clock, Fighter, Place, State, Step
from combatkit.engine.params import as_names
from combatkit.engine.ruleset import Ask, Mechanism, Objection, Ruleset
from combatkit.systems.saga.stats import STATS

_SURPRISE = (Step("surprise", "Surprise round", length=6),)
_REGULAR = (Step("turns", "Turns", length=6),)
_DELAYED, _REGULAR_PLACE = 0, 1
_TIE_TERMS = ("d20", "chosen")
_TIE_RULES = ("saga.init.tie.dex", "saga.init.tie.d20", "saga.init.tie.reroll")
_SURPRISED = (
    ("surprised", "saga.surprise.surprised-no-actions"),
    ("flat_footed", "saga.surprise.flat-footed-ends"),
)

Term = tuple[str, Any]


class Saga(Ruleset):
    """Slots a turn, a d20 for initiative, delay and ready that move a count for good."""

    score_title = "count"

    def __init__(self) -> None:
        super().__init__(Path(__file__).parent, STATS)

    def mechanics(self) -> dict[str, Mechanism]:
        """Give those that systems share: attacks, delays, readied actions."""
        return MECHANISMS

    # ── time ──

    def schedule(self, state: State) -> tuple[Step, ...]:
        """A surprise round is one step; so is a regular round."""
        return _SURPRISE if state.round == 0 else _REGULAR

    def first_round(self, state: State) -> int:
        """A surprise round comes first if some, but not all, are surprised."""
        unaware = sum(1 for f in state.fighters.values() if f.effect("surprised"))
        return 0 if 0 < unaware < len(state.fighters) else 1

    def clock(self, state: State) -> Clock:
        """Rounds of six seconds."""
        if state.round is None:
            return Clock(None, seconds=None, label="Not begun")
        return Clock(state.round, seconds=state.began, label=self.round_label(state.round))

    def round_label(self, number: int) -> str:
        """Round 0 is the surprise round."""
        return "Surprise round" if number == 0 else super().round_label(number)

    def calls(self, state: State, step: Step, place: Place) -> bool:
        """The surprised are not called in the surprise round."""
        return state.round != 0 or state.fighters[place.who].effect("surprised") is None

    # ── surprise and initiative ──

    def surprise(self, draft: Draft, surprised: tuple[str, ...]) -> None:
        """The surprised have no actions and are flat-footed until their own first regular turn."""
        if len(surprised) < len(draft.state.fighters):
            for name in surprised:
                self._surprise(draft, name)

    def _surprise(self, draft: Draft, name: str, anchor: str | None = None, by: str = "rules") -> None:
        for id, rule in _SURPRISED:
            draft.end_effects(name, id, by=by)
            draft.effect(name, id, anchor=anchor or f"turn:{name}", rule=rule, by=by)

    def begin_condition(
        self, draft: Draft, name: str, id: str, value: Any, modifiers: dict[str, int], anchor: str | None
    ) -> None:
        """Surprise comes with being flat-footed, and both end with one's own first regular turn."""
        if id == "surprised" and value is None and not modifiers:
            self._surprise(draft, name, anchor, "gm")
        else:
            super().begin_condition(draft, name, id, value, modifiers, anchor)

    def initiative(self, draft: Draft, names: tuple[str, ...]) -> None:
        """A d20 plus Dexterity, half level and the rest.

        Ties by Dexterity, then by a d20 each, again among those still tied.
        """
        scores: dict[str, int] = {}
        for name in names:
            fighter = draft.fighter(name)
            (ask,) = self._initiative_asks(fighter)
            modifier = sum(n for n, _ in ask.addends)
            rolled = draft.throw(1, 20, name, *_group(fighter), "initiative")
            scores[name] = rolled.sum + modifier
            data = roll_data("initiative", Dice(1, 20, modifier), rolled, scores[name])
            data["modifiers"] = {label: n for n, label in ask.addends}
            text = f"rolls {scores[name]} for initiative"
            rules = ("saga.init.formula", "saga.init.half-level-down")
            draft.emit("roll", name, amount=scores[name], text=text, rules=rules, data=data)
        self._place(draft, scores)

    def _initiative_asks(self, fighter: Fighter) -> tuple[Ask, ...]:
        stats = fighter.stats
        addends = [(stats["dex"], "Dex"), (stats["level"] // 2, "half level")]
        if stats["initiative_misc"]:
            addends.append((stats["initiative_misc"], "other"))
        return (Ask("initiative", 1, 20, tuple(addends), rule="saga.init.formula"),)

    def initiative_asks(self, state: State, fighter: Fighter) -> tuple[Ask, ...]:
        """Give the roll a combatant makes as the fight begins."""
        return self._initiative_asks(fighter)

    def lots(self, state: State) -> Lots:
        """A d20 each; then Dexterity, then a d20 again; in a surprise round the aware come first."""
        waits = not state.round and surprised_some(state.fighters.values())
        lots = []
        for fighter in state.fighters.values():
            (ask,) = self._initiative_asks(fighter)
            modifier = sum(n for n, _ in ask.addends)
            late = waits and fighter.effect("surprised") is not None
            terms = (fighter.stats["dex"],)
            lots.append(scored(fighter, 20, modifier, terms, late=late, out=not self.able(fighter)))
        return Lots(tuple(lots), 20, ROLLED, 20, rules=("saga.init.formula", *_TIE_RULES))

    def _place(self, draft: Draft, scores: Mapping[str, int]) -> None:
        broken = self._break_ties(draft, scores)
        for name, score in scores.items():
            dex = draft.fighter(name).stats["dex"]
            terms = broken[name]
            rank = (score, _REGULAR_PLACE, dex, *(n for _, n in terms))
            key = (("count", score), ("dex", dex), *terms)
            place = replace(new_place(draft.state, name), score=score, rank=rank, key=key)
            why, rule = self._why(draft.state, place)
            data = {"place": plain(replace(place, why=why, why_rule=rule))}
            rules = ("saga.init.count", rule) if rule else ("saga.init.count",)
            draft.emit("initiative", name, amount=score, text=f"acts on {score}", rules=rules, data=data)
        self._explain_ties(draft)

    def _break_ties(self, draft: Draft, scores: Mapping[str, int]) -> dict[str, tuple[Term, ...]]:
        """Break equal counts with equal Dexterity: by the order chosen at the table, else by a d20 each.

        Those already on the ladder keep what they rolled and roll on only if still tied.
        """
        terms: dict[str, tuple[Term, ...]] = dict.fromkeys(scores, ())
        groups: dict[tuple[int, int], list[str]] = {}
        for name, score in scores.items():
            groups.setdefault((score, draft.fighter(name).stats["dex"]), []).append(name)
        for (score, dex), names in groups.items():
            own = [p for p in draft.state.agenda if p.rank[:3] == (score, _REGULAR_PLACE, dex) and not is_beside(p)]
            for place in own:
                terms[place.who] = tuple(term for term in place.key if term[0] in _TIE_TERMS)
            self._roll_off(draft, [*(p.who for p in own), *names], terms)
            for place in own:
                self._rerank(draft, place, terms.pop(place.who))
        return terms

    def _roll_off(self, draft: Draft, names: list[str], terms: dict[str, tuple[Term, ...]]) -> None:
        depth = 0
        tied = [names]
        while tied := [group for group in tied if len(group) > 1]:
            for group in tied:
                chosen = [name for name in draft.ties if name in group]
                for name in group:
                    if len(chosen) == len(group):
                        terms[name] = (*terms[name][:depth], ("chosen", len(group) - chosen.index(name)))
                    elif len(terms[name]) <= depth:
                        terms[name] = (*terms[name], ("d20", self._tie_die(draft, name)))
            tied = [
                same
                for group in tied
                for term in dict.fromkeys(terms[n][depth] for n in group)
                if len(same := [n for n in group if terms[n][depth] == term]) > 1
            ]
            depth += 1

    def _rerank(self, draft: Draft, place: Place, terms: tuple[Term, ...]) -> None:
        """Give one on the ladder the rank it now rolled, and with it those who stand beside it."""
        key = (*(t for t in place.key if t[0] not in _TIE_TERMS), *terms)
        if key == place.key:
            return
        rank = (*place.rank[:3], *(n for _, n in terms))
        agenda = draft.state.agenda
        index = agenda.index(place)
        draft.order(replace(place, rank=rank, key=key), f"keeps {place.score}")
        for side, others in (("before", agenda[:index]), ("after", agenda[:index:-1])):
            for other in others:
                if is_beside(other) and other.rank == place.rank:
                    draft.order(replace(other, rank=rank), f"stays just {side} {place.who}", at=(side, place.id))

    def _tie_die(self, draft: Draft, name: str) -> int:
        rolled: Rolled = draft.throw(1, 20, name, "tie")
        data = roll_data("tie", Dice(1, 20), rolled, rolled.sum)
        rules = ("saga.init.tie.d20", "saga.init.tie.reroll")
        draft.emit("roll", name, amount=rolled.sum, text=f"rolls {rolled.sum} to break a tie", rules=rules, data=data)
        return rolled.sum

    def _why(self, state: State, place: Place) -> tuple[str, str]:
        """Say what put a place ahead of the next one with the same count."""
        below = next(
            (p for p in state.agenda if p.who != place.who and p.score == place.score and p.rank < place.rank), None
        )
        if below is None or len(below.rank) < 3 or len(place.rank) < 3 or below.rank[1] != place.rank[1]:
            return "", ""
        if place.rank[2] != below.rank[2]:
            return f"Dex {place.rank[2]:+d} over {below.rank[2]:+d}", _TIE_RULES[0]
        mine, theirs = place.rank[3:], below.rank[3:]
        for depth, (a, b) in enumerate(zip(mine, theirs, strict=False)):
            if a != b:
                if place.key[2 + depth][0] == "chosen":
                    return "Dex even, order chosen at the table", ""
                return f"Dex even, d20 {a} over {b}", _TIE_RULES[2 if depth else 1]
        return "", ""

    def _explain_ties(self, draft: Draft) -> None:
        """Write down what broke each tie, where a newcomer changes it; nobody moves."""
        above: Place | None = None
        for place in draft.state.agenda:
            why, rule = self._why(draft.state, place)
            if why != place.why and not is_beside(place) and (not place.why_rule or place.why_rule in _TIE_RULES):
                agenda = draft.state.agenda
                at = ("after", above.id) if above else ("before", agenda[1].id)
                cited = (rule,) if rule else ()
                text = f"is ahead: {why}" if why else "holds"
                draft.order(replace(place, why=why, why_rule=rule), text, cited, at=at)
            above = place

    # ── budgets ──

    def refill(self, state: State, fighter: Fighter, boundary: str) -> dict[str, int | None]:
        """Reactions refresh with the round, the rest with one's own turn; the surprise round allows one action."""
        if boundary in ("round", "join"):
            return {"reaction": 1, "aoo": self._opportunities(fighter)}
        totals: dict[str, int | None] = {"standard": 1, "move": 1, "swift": 1}
        if state.round == 0:
            totals["surprise"] = 1
        elif "surprise" in fighter.pools:
            totals["surprise"] = None
        cap = state.options["free_action_cap"]
        if cap is not None:
            totals["free"] = cap
        return totals

    def _opportunities(self, fighter: Fighter) -> int:
        stated: int | None = fighter.stats["extra_opportunities"]
        if stated is not None:
            return stated
        dex: int = fighter.stats["dex"]
        return max(1, dex) if "Combat Reflexes" in fighter.stats["feats"] else 0

    def bars(self, state: State, fighter: Fighter, action: Action) -> Iterable[Objection]:
        """The surprised may do nothing; the surprise round has no room for a full-round action."""
        name = fighter.name
        if fighter.effects and fighter.effect("surprised"):
            reason = f"{name} is surprised and has no actions before its first regular turn."
            if action.when == "reaction":
                yield Objection(reason, "saga.surprise.no-reaction")
            yield Objection(reason, "saga.surprise.surprised-no-actions")
            if state.round == 0:
                yield Objection("", "saga.surprise.unaware-idle")
        if state.round == 0:
            cost, _ = self.price(state, fighter, action)
            if cost.id == "full_round":
                yield Objection("No full-round action fits in the surprise round.", "saga.surprise.no-full-round")
            elif cost.id == "free" and not state.options["surprise_free_actions"]:
                yield Objection("Free actions are not allowed in the surprise round.", "saga.surprise.free-open")

    # ── delay and ready ──

    def delay_objections(
        self, state: State, fighter: Fighter, place: Place, params: Mapping[str, Any]
    ) -> Iterable[Objection]:
        """The new count is lower than the present one; with the option, it may rise in a later round."""
        later = params.get("round")
        assert state.round is not None
        if later is not None and later < state.round:
            yield Objection(f"Round {later} is past; name round {state.round} or a later one.", "saga.delay.next-round")
        count = self._count(state, params)
        if count is None:
            if later is not None and later > state.round:
                yield Objection("A delay into a later round names its count.", "saga.delay.next-round")
            return
        rises = state.options["delay_may_rise"] and later is not None and later > state.round
        if place.score is not None and count >= place.score and not rises:
            reason = f"{fighter.name} acts on {place.score}; a delay takes a lower count, {place.score - 1} or less."
            yield Objection(reason, "saga.delay.lower-only")

    def _count(self, state: State, params: Mapping[str, Any]) -> int | None:
        if "count" in params:
            return int(params["count"])
        for side in ("after", "before"):
            if side in params:
                other = state.place_of(params[side])
                return None if other is None or other.score is None else int(other.score)
        return None

    def delayed_place(self, state: State, fighter: Fighter, place: Place, params: Mapping[str, Any]) -> Place | None:
        """After those who hold the count; among delayers the higher Dexterity, then the earlier delay."""
        if "count" not in params and "after" not in params:
            return None
        count = self._count(state, params)
        return None if count is None else self._delayed(state, fighter, place, count)

    def _delayed(self, state: State, fighter: Fighter, place: Place, count: int) -> Place:
        dex = fighter.stats["dex"]
        earlier = sum(1 for p in state.agenda if p.rank[:3] == (count, _DELAYED, dex))
        key = (("count", count), ("delayed", True), ("dex", dex))
        rank = (count, _DELAYED, dex, -earlier)
        return replace(place, score=count, was=place.score, rank=rank, key=key, why="", why_rule="")

    def step_in_objections(self, state: State, fighter: Fighter, place: Place) -> Iterable[Objection]:
        """Stepping in takes the count of the one stepped in before, which must be lower than one's own."""
        turn = state.turn
        if turn is None or place.score is None:
            return
        score = state.place(turn.place).score
        if score is not None and score >= place.score and not state.options["delay_may_rise"]:
            yield Objection(
                f"{turn.who} acts on {score}, {fighter.name} on {place.score}: a delay takes a lower count.",
                "saga.delay.lower-only",
            )

    def last_place(self, state: State, fighter: Fighter, place: Place) -> Place:
        """After everybody else, on the lowest count there is or one below one's own."""
        scores = [int(p.score) for p in state.agenda if p.score is not None and p.who != fighter.name]
        own = int(place.score) if place.score is not None else 0
        return self._delayed(state, fighter, place, min([own - 1, *scores]))

    def ready_anchor(self, state: State, who: str) -> str | None:
        """A readied action is lost at the owner's next turn, or never."""
        return f"turn_start:{who}" if state.options["ready_lapses"] == "own_turn" else None

    # ── rolls, windows ──

    def asks(self, state: State, fighter: Fighter, action: Action, params: Mapping[str, Any]) -> tuple[Ask, ...]:
        """An attack is rolled where a bonus is stated: bookkeeping, since the source resolves none."""
        bonus = fighter.stats.get("attack_bonus")
        if bonus is None or "attack" not in action.tags:
            return ()
        addends = ((bonus, "attack bonus"), *named_modifiers(params))
        targets = as_names(params["target"]) if "target" in params else ()
        needed = self.value(state.fighters[targets[0]], "defense") if targets else None
        return (Ask("attack", 1, 20, addends, needed, action.rule),)

    def reactions(self, state: State, by: tuple[str, ...]) -> tuple[Bid, ...]:
        """Whoever is not the triggerer may answer with an attack of opportunity or a reaction talent."""
        actions = ("attack_of_opportunity", "talent_reaction")
        return tuple(Bid(p.who, actions, "saga.react.ex.aoo", targets=by) for p in state.agenda if p.who not in by)


def _group(fighter: Fighter) -> tuple[str, ...]:
    return (fighter.group,) if fighter.group else ()


RULESET = Saga
