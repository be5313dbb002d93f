"""Somebody who plays any ruleset at random, by nothing but what the interface offers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import combatkit as ck
from combatkit.core.model import State
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Stat
from combatkit.rules.judge import judge, still_asked
from combatkit.rules.params import check_params

NAMES = ("Ada", "Bo", "Cy", "Dee")
NEWCOMERS = ("Eve", "Fay", "Gil", "Hal", "Ida", "Jon")
CONDITIONS = (
    *("prone", "unconscious", "stunned", "surprised", "flat_footed", "hampered", "dead", "concentration", "own"),
    *("cover", "concealment", "barrier", "limited", "in_melee", "hidden"),
)
FATAL = ("dead", "unconscious")
ZONES = (("Z1", "Z2"), ("Z2", "Z3"), ("Z3", "Z4"))
UNTIL = (None, None, "end of round", "start of turn", "end of turn", "next action", "start of turn: Bo")


def some(rng: Random, values: Sequence[Any]) -> Any:
    """Pick one; lists of rulings and the like are compared by place, so any value will do."""
    return values[rng.randrange(len(values))]


def numbers(rng: Random, stat: Stat) -> int | None:
    """Give a number such a stat may have, near its default or its lower end."""
    low, high = stat.range or (None, None)
    middle = stat.default if isinstance(stat.default, int) else max(low or 0, 3)
    value = middle + rng.randrange(-2, 6)
    return min(high if high is not None else value, max(low if low is not None else value, value))


def soft(state: State) -> bool:
    """Check whether a window is open that any other call lets pass, as a call of its own."""
    return state.window is not None and state.window.soft


def stats(rng: Random, ruleset: ck.rules.ruleset.Ruleset) -> dict[str, Any]:
    """Give stats made of nothing but types, ranges and defaults."""
    given: dict[str, Any] = {}
    for stat in ruleset.stats:
        if "int" in stat.type.split("|") and rng.randrange(4):
            given[stat.name] = numbers(rng, stat)
    return given


def options(rng: Random, ruleset: ck.rules.ruleset.Ruleset) -> dict[str, Any]:
    """Give some options a value they take."""
    chosen = {id: setting for id, setting in ruleset.options.items() if setting.values and not rng.randrange(3)}
    return {id: some(rng, setting.values) for id, setting in chosen.items()}


class Player:
    """Sets a fight up and makes one call after another; what the rules refuse is tried all the same.

    `accepted` counts the calls that went through; `told` says why others did not, with the length of the log then.
    """

    def __init__(self, ruleset: str, rng: Random, id: str | None = None, language: str = "en") -> None:
        rules = ck.ruleset(ruleset)
        self.accepted = 0
        self.refusals = 0
        self.told: list[tuple[int, str]] = []
        self.placed = bool(rng.randrange(2))
        map = ZONES if self.placed else None
        chosen = options(rng, rules)
        seed = rng.randrange(1000)
        self.enc = ck.Encounter(ruleset, id=id, seed=seed, options=chosen, map=map, language=language)
        for number, name in enumerate(NAMES):
            self.bring(rng, self.enc.add, name, "red" if number % 2 else "blue", count=2 if name == "Dee" else 1)
        self.start(rng)

    def spot(self, rng: Random) -> Any:
        """Give a place near the others: a pair of numbers or a zone, whichever this ruleset takes."""
        for at in ((rng.randrange(4), rng.randrange(3)), some(rng, some(rng, ZONES))):
            try:
                self.enc.ruleset.board.check_position(self.enc._state.map, at)
            except ck.CombatkitError:
                continue
            return at
        return None

    def bring(self, rng: Random, call: Callable[..., Any], name: str, side: str, **more: Any) -> bool:
        """Add somebody, or let somebody join; if the ruleset minds the numbers, with its defaults."""
        npc = bool(rng.randrange(2))
        given = stats(rng, self.enc.ruleset)
        if self.placed:
            more["at"] = self.spot(rng)
        return self.attempt(lambda: call(name, side=side, npc=npc, **more, **given)) or self.attempt(
            lambda: call(name, side=side, npc=npc, **more)
        )

    def attempt(self, call: Callable[[], Any]) -> bool:
        """Make a call; one that is refused changes nothing."""
        before, state = self.enc.digest, self.enc._state
        try:
            call()
        except ck.CombatkitError as error:
            self.told.append((len(self.enc._events), str(error)))
            if not soft(state):
                assert self.enc.digest == before, "a refused call changed something"
                assert self.enc._state is state, "a refused call changed something"
            self.refusals += 1
            return False
        self.accepted += 1
        return True

    def start(self, rng: Random) -> None:
        """Begin, if the fight has not begun."""
        surprised = [name for name in self.enc.names if not rng.randrange(4)]
        self.attempt(lambda: self.enc.start(surprised=surprised))
        if self.enc.clock.round is None:  # a text without surprise
            self.attempt(self.enc.start)

    # ── actions ──

    def open_value(self, rng: Random, param: str) -> Any:
        """Give a value for what has no list of values."""
        match param:
            case "trigger":
                name = some(rng, self.enc.names)
                side = {"side": self.enc[name].side}
                return some(rng, ["the door opens", {"action": "attack"}, side, {"actor": name}, {"target": name}])
            case "damage":
                return some(rng, [3, "1d6", "2d6+1"])
            case "modifiers":
                return some(rng, [1, {"aim": 2}])
            case "outcome":
                return some(rng, ["hit", "miss"])
            case "to" | "point":
                return some(rng, ["the bridge", (0, 1), [(0, 1), (0, 2)]])
            case "option" | "rank" | "weapon" | "destiny" | "pay" | "manoeuvre":
                return some(rng, ["standard", "advantage", "blade"])
            case "attributes" | "multipliers":
                return {"might": 1}
        return rng.randrange(0, 20)

    def fill(
        self, rng: Random, name: str, action: str, params: Sequence[str], given: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], bool]:
        """Give values for parameters from what `choices` lists, and whether all came from lists.

        Those an action needs have an allowed value; to what is `given` already, any value is added.
        """
        enc, values, listed = self.enc, dict(given or {}), True
        todo = list(params)
        while todo:
            param = todo.pop(0)
            try:
                choices = [c for c in enc.choices(name, action, **values) if c.param == param]
            except ck.CombatkitError:  # a value of the wrong kind, made up for what has no list of values
                assert not listed or given is not None
                break
            if not choices and given is not None:
                continue
            if choices and choices[0].open:
                values[param] = self.open_value(rng, param)
                listed = False
                continue
            if given is None:
                reasons = [c.ruling.reason for c in choices]
                choices = [c for c in choices if c.ruling.allowed]
                assert choices, f"{name} may {action}, yet no {param} is allowed: {reasons}"
            values[param] = some(rng, choices).value
            if not todo and given is None and listed:  # what is chosen may want more: a half, what the whole needs
                todo = [p for p in self.still_wanted(name, action, values) if p not in values]
        return values, listed

    def still_wanted(self, name: str, action: str, values: dict[str, Any]) -> tuple[str, ...]:
        """Give the parameters that are still to be given."""
        rules = self.enc.ruleset
        found = rules.catalogue(self.enc._state)[action]
        state = self.enc._state
        checked = check_params(rules, state, found, values)
        return judge(Case(rules, state, state.fighters[name], found, checked)).missing

    def act(self, rng: Random, who: str | None = None) -> None:
        """Do something of the catalogue: as `can` says, so it is."""
        enc = self.enc
        name = who or (enc.active if enc.active and rng.randrange(4) else some(rng, enc.names))
        allowed = [o for o in enc.options(name) if o.allowed]
        if not allowed:
            return
        option = some(rng, allowed)
        action = enc.ruleset.catalogue(enc._state)[option.action]
        more = [p.id for p in action.parameters if p.id not in option.needs and not rng.randrange(3)]
        given, _ = self.fill(rng, name, option.action, option.needs)
        given |= self.fill(rng, name, option.action, more, given)[0]
        given = self.at_several(name, option.action, given)
        rolls = [rng.randrange(1, 7) for _ in range(rng.randrange(1, 8))] if not rng.randrange(4) else None
        self.as_ruled(name, option.action, given, rolls, "as it happens" if not rng.randrange(8) else "")

    def at_several(self, name: str, action: str, given: dict[str, Any]) -> dict[str, Any]:
        """Aim at two or three, now and then, where an action takes several: drawn apart, so that all else goes on."""
        enc, rng = self.enc, Random(len(self.enc._events))
        found = enc.ruleset.catalogue(enc._state)[action]
        if "target" not in given or enc.ruleset.takes_one(found) or rng.randrange(3):
            return given
        rest = {id: value for id, value in given.items() if id != "target"}
        try:
            each = [c.value for c in enc.choices(name, action, **rest) if c.param == "target" and c.ruling.allowed]
        except ck.CombatkitError:  # a value of the wrong kind, made up for what has no list of values
            return given
        return {**given, "target": rng.sample(each, min(len(each), rng.randrange(2, 4)))} if len(each) > 1 else given

    def as_ruled(self, name: str, action: str, given: dict[str, Any], rolls: Any = None, note: str = "") -> None:
        """Do what `can` was asked about; it comes out as `can` said."""
        before, state = self.enc.digest, self.enc._state
        try:
            ruling = self.enc.can(name, action, **given)
        except ck.CombatkitError:  # a value of the wrong kind is no question of rules
            assert not self.attempt(lambda: self.enc.do(name, action, rolls=rolls, note=note, **given))
            return
        assert self.enc.digest == before, "asking changed something"
        assert self.enc._state is state, "asking changed something"
        refusal: ck.CombatkitError | None = None
        try:
            self.enc.do(name, action, rolls=rolls, note=note, **given)
        except ck.CombatkitError as error:
            refusal = error
        behind = soft(state) and ruling.reason.endswith(still_asked(state))
        if refusal is None:
            assert ruling.allowed or behind, f"{name} did {action} {given}, though it was refused: {ruling}"
            self.accepted += 1
            return
        if behind:  # the window has passed, and with it what was so when it was asked
            self.refusals += 1
            return
        assert self.enc.digest == before, "a refused call changed something"
        assert self.enc._state is state, "a refused call changed something"
        self.refusals += 1
        self.told.append((len(self.enc._events), str(refusal)))
        if isinstance(refusal, ck.IllegalAction):
            assert refusal.ruling == ruling
        else:
            assert rolls is not None, f"{name} {action} {given}: {refusal}"

    def answer(self, rng: Random) -> None:
        """Answer an open window."""
        offers = [o for o in self.enc.pending if o.actions and o.who != "GM"]
        if not offers:
            return
        offer = some(rng, offers)
        action = some(rng, offer.actions)
        needs = next(o.needs for o in self.enc.options(offer.who) if o.action == action)
        given, _ = self.fill(rng, offer.who, action, needs)
        self.as_ruled(offer.who, action, given)

    def override(self, rng: Random) -> None:
        """Let the GM set a rule aside."""
        name = some(rng, self.enc.names)
        refused = [o for o in self.enc.options(name) if not o.allowed]
        if refused:
            action = some(rng, refused).action
            needs = self.enc.ruleset.catalogue(self.enc._state)[action].required
            given = {p: NAMES[0] if p == "target" else self.open_value(rng, p) for p in needs}
            self.attempt(lambda: self.enc.do(name, action, override=True, **given))

    # ── the flow ──

    def end_turn(self, rng: Random) -> None:
        """End the turn."""
        self.attempt(self.enc.end_turn)

    def resolve(self, rng: Random) -> None:
        """Close a window, answering what the GM is asked."""
        questions = [o for o in self.enc.pending if o.who == "GM"]
        answer = some(rng, questions[0].choices) if questions and questions[0].choices else None
        self.attempt(lambda: self.enc.resolve(answer=answer))

    def trigger(self, rng: Random) -> None:
        """Say that something happened."""
        by = [name for name in self.enc.names if not rng.randrange(4)]
        to = None if rng.randrange(3) else some(rng, self.enc.names)
        self.attempt(lambda: self.enc.trigger(*by, to=to, text="a trap springs"))

    def next_round(self, rng: Random) -> None:
        """Go on to the next round."""
        self.attempt(self.enc.next_round)

    # ── who is there ──

    def join(self, rng: Random) -> None:
        """Let somebody new in."""
        new = [name for name in NEWCOMERS if name not in self.enc]
        if new and len(self.enc.names) < 8:
            self.bring(rng, self.enc.join, new[0], some(rng, ["red", "blue"]))
        else:  # by names that are taken, as long as those they belong to were not removed before the start
            self.bring(rng, self.enc.join, "Dee", some(rng, ["red", "blue"]), count=2)

    def back_again(self, rng: Random) -> None:
        """Let somebody back in who has left."""
        gone = [name for name in self.enc.names if "left" in {c.id for c in self.enc[name].conditions}]
        if gone:
            self.bring(rng, self.enc.join, some(rng, gone), some(rng, ["red", "blue"]))

    def strike_down(self, rng: Random) -> None:
        """Kill, or take away, one of those an open window is about: whom it concerns, who may answer, anybody."""
        offers = self.enc.pending
        if not offers:
            return
        names = [n for n in (*(o.who for o in offers), *(t for o in offers for t in o.targets)) if n in self.enc]
        name = some(rng, [*names, some(rng, self.enc.names)])
        match rng.randrange(4):
            case 0:
                self.attempt(lambda: self.enc.leave(name))
            case 1:
                self.attempt(lambda: self.enc.adjust(name, by=-rng.randrange(1, 200)))
            case 2:
                self.attempt(lambda: self.enc.place(name, at=self.spot(rng)))
            case _:
                self.attempt(lambda: self.enc.condition(name, some(rng, FATAL)))

    def leave(self, rng: Random) -> None:
        """Let somebody go."""
        if len([c for c in self.enc.names if "left" not in {x.id for x in self.enc[c].conditions}]) > 2:
            self.attempt(lambda: self.enc.leave(some(rng, self.enc.names)))

    # ── bookkeeping ──

    def adjust(self, rng: Random) -> None:
        """Take from a vital or give to it."""
        vital = some(rng, self.enc.ruleset.vitals).name
        names = [name for name in self.enc.names if not rng.randrange(2)]
        self.attempt(lambda: self.enc.adjust(names, vital=vital, by=rng.randrange(-6, 5)))

    def condition(self, rng: Random) -> None:
        """Let a condition begin or end."""
        name, id = some(rng, self.enc.names), some(rng, CONDITIONS)
        held = [c.id for c in self.enc[name].conditions if c.id != "left"]
        if held and rng.randrange(2):
            self.attempt(lambda: self.enc.condition(name, some(rng, held), off=True))
        else:
            self.attempt(lambda: self.enc.condition(name, id, until=some(rng, UNTIL)))

    def place(self, rng: Random) -> None:
        """Move somebody on the ladder or the map."""
        name, other = some(rng, self.enc.names), some(rng, self.enc.names)
        where: dict[str, Any] = some(
            rng,
            [
                {"before": other},
                {"after": other},
                {"count": rng.randrange(25)},
                {"at": self.spot(rng)},
                {"at": "there"},
            ],
        )
        self.attempt(lambda: self.enc.place(name, **where))

    def disturb(self, rng: Random) -> None:
        """Change the world while a window is open: fell, move or take out somebody the waiting action is about."""
        if not self.enc.pending:
            return
        offer = some(rng, self.enc.pending)
        about = [name for name in (offer.who, *offer.targets) if name in self.enc]
        name = some(rng, about or self.enc.names)
        spot = some(rng, [(rng.randrange(-6, 7), rng.randrange(-6, 7)), "the bridge"])
        calls: list[Callable[[], Any]] = [
            lambda: self.enc.condition(name, some(rng, ("dead", "unconscious", "hampered", "prone"))),
            lambda: self.enc.condition(name, "cover", value=80),
            lambda: self.enc.place(name, at=spot),
            lambda: self.enc.adjust(name, by=-40),
            lambda: self.enc.leave(name),
        ]
        self.attempt(some(rng, calls))

    def deal(self, rng: Random) -> None:
        """Deal damage to some or heal them, half of it to some of those."""
        names = [name for name in self.enc.names if rng.randrange(2)]
        half = [name for name in names if not rng.randrange(3)]
        amount, vital = some(rng, (0, 3, 40, "2d6+1")), some(rng, [None, *(v.name for v in self.enc.ruleset.vitals)])
        call = some(rng, (self.enc.damage, self.enc.heal))
        self.attempt(lambda: call(names, amount, vital=vital, half=half))

    def edit(self, rng: Random) -> None:
        """Change a sheet: some of its numbers, or weapons such as the ruleset shows for an example."""
        given = stats(rng, self.enc.ruleset)
        for stat in self.enc.ruleset.stats:
            if stat.type == "list" and stat.example is not None and not rng.randrange(3):
                given[stat.name] = stat.example[: rng.randrange(len(stat.example) + 1)]
        name, few = some(rng, self.enc.names), [id for id in given if not rng.randrange(3)]
        self.attempt(lambda: self.enc.edit(name, **{id: given[id] for id in few}))

    # ── back and forth ──

    def undo(self, rng: Random) -> None:
        """Take the last call back."""
        self.attempt(self.enc.undo)

    def redo(self, rng: Random) -> None:
        """Take a call up again."""
        self.attempt(self.enc.redo)


MOVES = (
    ("act",) * 8
    + ("end_turn",) * 4
    + ("answer",) * 2
    + (
        "resolve",
        "override",
        "trigger",
        "disturb",
        "next_round",
        "join",
        "leave",
        "back_again",
        "strike_down",
        "strike_down",
        "adjust",
        "condition",
        "place",
        "undo",
        "redo",
    )
)
"""What a player does, the usual things more often."""


def play(ruleset: str, seed: int, calls: int, id: str | None = None, language: str = "en") -> ck.Encounter:
    """Play so many calls at random; the same fight for the same seed."""
    rng = Random(seed)
    player = Player(ruleset, rng, id or f"{ruleset}-{seed}", language)
    for _ in range(calls):
        getattr(player, some(rng, MOVES))(rng)
    return player.enc
