"""Star Wars Saga Edition: what only this system does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from combatkit.engine.catalogue import Action
from combatkit.engine.dice import Dice
from combatkit.engine.draft import Draft, Rolled, plain
from combatkit.engine.mechanisms import named_modifiers, new_place, roll_data
from combatkit.engine.model import Bid, Clock, Fighter, Place, State, Step
from combatkit.engine.params import as_names
from combatkit.engine.ruleset import Ask, Objection, Ruleset
from combatkit.systems.saga.stats import STATS

_SURPRISE = (Step("surprise", "Surprise round", length=6),)
_REGULAR = (Step("turns", "Turns", length=6),)
_DELAYED, _REGULAR_PLACE = 0, 1


class Saga(Ruleset):
    """Slots a turn, a d20 for initiative, delay and ready that move a count for good."""

    score_title = "count"

    def __init__(self) -> None:
        super().__init__(Path(__file__).parent, STATS)

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
        if len(surprised) == len(draft.state.fighters):
            return
        for name in surprised:
            anchor = f"turn:{name}"
            draft.effect(name, "surprised", anchor=anchor, rule="saga.surprise.surprised-no-actions")
            draft.effect(name, "flat_footed", anchor=anchor, rule="saga.surprise.flat-footed-ends")

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

    def _place(self, draft: Draft, scores: Mapping[str, int]) -> None:
        offs = self._roll_offs(draft, scores)
        for name, score in scores.items():
            dex = draft.fighter(name).stats["dex"]
            rank = (score, _REGULAR_PLACE, dex, *offs.get(name, ()))
            key = (("count", score), ("dex", dex), *(("d20", face) for face in offs.get(name, ())))
            place = replace(new_place(draft.state, name), score=score, rank=rank, key=key)
            why, rule = self._why(draft.state, place)
            data = {"place": plain(replace(place, why=why, why_rule=rule))}
            rules = ("saga.init.count", rule) if rule else ("saga.init.count",)
            draft.emit("initiative", name, amount=score, text=f"acts on {score}", rules=rules, data=data)
        self._explain_ties(draft)

    def _roll_offs(self, draft: Draft, scores: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
        """Break equal counts with equal Dexterity.

        Those already on the ladder keep what they rolled and roll on only if still tied.
        """
        offs: dict[str, tuple[int, ...]] = {}
        settled = {p.who: p for p in draft.state.agenda if p.key and p.rank[1] == _REGULAR_PLACE and len(p.rank) >= 3}
        groups: dict[tuple[int, int], list[str]] = {}
        for name, score in scores.items():
            groups.setdefault((score, draft.fighter(name).stats["dex"]), []).append(name)
        for (score, dex), names in groups.items():
            held = [p for p in settled.values() if p.rank[0] == score and p.rank[2] == dex]
            self._roll_off(draft, names, held, offs)
        return offs

    def _roll_off(self, draft: Draft, names: list[str], held: list[Place], offs: dict[str, tuple[int, ...]]) -> None:
        for place in held:
            offs[place.who] = tuple(n for term, n in place.key if term == "d20")
        for name in names:
            offs[name] = ()
        everyone = [*(p.who for p in held), *names]
        depth = 0
        tied = [everyone]
        while tied := [group for group in tied if len(group) > 1]:
            for group in tied:
                for name in group:
                    if len(offs[name]) <= depth:
                        offs[name] = (*offs[name], self._tie_die(draft, name))
            tied = [
                same
                for group in tied
                for face in dict.fromkeys(offs[n][depth] for n in group)
                if len(same := [n for n in group if offs[n][depth] == face]) > 1
            ]
            depth += 1
        for place in held:
            faces = offs.pop(place.who)
            if faces != tuple(n for term, n in place.key if term == "d20"):
                key = (*(t for t in place.key if t[0] != "d20"), *(("d20", f) for f in faces))
                draft.order(replace(place, rank=(*place.rank[:3], *faces), key=key), f"keeps {place.score}")

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
            return f"Dex {place.rank[2]:+d} over {below.rank[2]:+d}", "saga.init.tie.dex"
        mine, theirs = place.rank[3:], below.rank[3:]
        for depth, (a, b) in enumerate(zip(mine, theirs, strict=False)):
            if a != b:
                rule = "saga.init.tie.reroll" if depth else "saga.init.tie.d20"
                return f"Dex even, d20 {a} over {b}", rule
        return "", ""

    def _explain_ties(self, draft: Draft) -> None:
        for place in draft.state.agenda:
            if place.why_rule and not place.why_rule.startswith("saga.init.tie"):
                continue
            why, rule = self._why(draft.state, place)
            if why != place.why:
                draft.order(
                    replace(place, why=why, why_rule=rule),
                    f"is ahead: {why}" if why else "holds",
                    (rule,) if rule else (),
                )

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
            yield Objection(
                f"{name} is surprised and has no actions before its first regular turn.",
                "saga.surprise.surprised-no-actions",
            )
            if action.when == "reaction":
                yield Objection("", "saga.surprise.no-reaction")
            else:
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
        return self._delayed(state, fighter, place, int(params["count"])) if "count" in params else None

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
