"""A fight as a PettingZoo environment, in which the combatants are the agents.

**Agents** are the combatants, in the order they were added. An agent is selected when it may choose: on its turn, when
an open window offers it something, and once in each step of a round that waits for nobody's turn. An agent that is down
is not selected; since it may get up again, it stays an agent until the fight is over, when all take their dead step.

**Actions** are `Discrete`: 0 passes (it ends a turn, declines an offer, lets a step go on); every other number is an
action of the catalogue: at one combatant if it takes a target, towards one if it leads somewhere, and with what is to
be readied, held or aborted to, if it asks for that. `Fight.labels` says which is which. What else an action needs is
filled in: with the table `scene`, a trigger of anything an enemy does, and the first legal value of the rest.
``infos[agent]["action_mask"]`` of the agent selected has a 1 for each that the rules allow now; it is made when it is
read.

**Observations** are a `Box` of numbers from -1 to 1: first the round (over the last one), whether a window is open, and
whether it is the observer's own turn; then for each combatant, the observer first and the others in the order they were
added: 1 for the observer's side and -1 for another's, whether they can act, whether it is their turn, what is left of
their first vital, their rung on the ladder (1 for the top), nearness (1 where no places are kept), how many conditions
they have (over 8), and for each slot of the budget the part that is left.

**Rewards** come at the end: 1 for each of the side that is left, -1 for the others, 0 if time was up (`truncations`).

**One side.** `OneSide` is the same fight for a single agent, as Gymnasium has them: it chooses for all of a side, and
tactics for everybody else.

**Copies.** ``copy.copy(env)`` goes its own way from where the episode stands, and so does ``copy.deepcopy(env)``, with
spaces of its own; ``env.restore(env.state())`` goes back there: the same steps lead to the same fight, die for die.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy, deepcopy
from functools import partial
from typing import Any, NamedTuple

from combatkit.core.model import State
from combatkit.core.plain import check_whole, short
from combatkit.errors import IllegalAction, InvalidInput, UnknownName
from combatkit.fight.fight import Encounter
from combatkit.fight.view import View
from combatkit.rules.catalogue import Action
from combatkit.rules.ruleset import Ruleset
from combatkit.simulation.fights import Setup, Tactics, seed_of
from combatkit.simulation.play import by_name
from combatkit.simulation.table import Table
from combatkit.study.scenes import scene
from combatkit.tactics import Deed, answers, fill, foes, stated, strike, way

try:
    import numpy as np
    from gymnasium import Env
    from gymnasium.spaces import Box, Discrete
    from numpy.typing import NDArray
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped]
except ImportError as missing:
    raise ImportError(f"{missing}; an environment needs more: pip install 'combatkit[sim]'") from missing

Numbers = NDArray[np.float32]

_TAGS = ("attack", "defensive", "movement")
"""What may be readied, held or aborted to has one of these tags."""

_GLOBAL = 3
_EACH = 7


def env(fight: Encounter | Ruleset | str, *, rounds: int = 20, render_mode: str | None = None) -> AECEnv:
    """Return a fight as a PettingZoo AEC environment.

    Parameters
    ----------
    fight : Encounter, Ruleset or str
        A fight, which is played anew from its beginning in each episode and is itself not touched; or a ruleset, for a
        small example: two heroes and two foes.
    rounds : int
        The last round of an episode.
    render_mode : str, optional
        ``"ansi"``, for pictures in words.

    Returns
    -------
    AECEnv
        Wrapped as PettingZoo's own environments are; ``.unwrapped`` is the `Fight`.

    Raises
    ------
    InvalidInput
        If `fight` is none, or an argument cannot be.

    Examples
    --------
    >>> fight = env("saga", rounds=3)
    >>> fight.reset(seed=7)
    >>> fight.agent_selection, fight.unwrapped.labels[0]
    ('foe_1', 'pass')
    """
    return Ordered(wrappers.AssertOutOfBoundsWrapper(Fight(fight, rounds=rounds, render_mode=render_mode)))


class Ordered(wrappers.OrderEnforcingWrapper):  # type: ignore[misc] # PettingZoo brings no types
    """What PettingZoo wraps its environments in, which can be copied."""

    def __copy__(self) -> Ordered:
        """Return the environment as it stands, to go its own way."""
        other = type(self)(wrappers.AssertOutOfBoundsWrapper(copy(self.unwrapped)))
        other._has_reset, other._has_updated = self._has_reset, self._has_updated
        return other

    def restore(self, state: Saved) -> None:
        """Go back to where `state` was asked for, also in another environment of the same fight."""
        self._has_reset = self._has_updated = True
        self.unwrapped.restore(state)


class Saved(NamedTuple):
    """Where an episode stands: what `Fight.state` gives and `Fight.restore` takes."""

    encounter: Encounter
    length: int
    table: Table
    said: Mapping[str, object]

    def __deepcopy__(self, memo: object) -> Saved:
        """Return itself, since it never changes."""
        return self


class Told(dict[str, Any]):
    """What an agent selected is told: its mask, made when it is first read, of the moment it was selected at.

    Parameters
    ----------
    make : callable
        Makes the mask.
    """

    def __init__(self, make: Callable[[], object]) -> None:
        super().__init__(action_mask=None)
        self._make = make

    def _whole(self) -> dict[str, Any]:
        if super().__getitem__("action_mask") is None:
            self["action_mask"] = self._make()
        return dict(super().items())

    def __getitem__(self, key: str) -> Any:
        """Return what is told under a key."""
        return self._whole()[key]

    def get(self, key: str, default: Any = None) -> Any:
        """Return what is told under a key, if anything is."""
        return self._whole().get(key, default)

    def items(self) -> Any:
        """Return all that is told, with its keys."""
        return self._whole().items()

    def values(self) -> Any:
        """Return all that is told."""
        return self._whole().values()

    def copy(self) -> dict[str, Any]:
        """Return it as a plain mapping."""
        return self._whole()

    def __repr__(self) -> str:
        """Show it as a plain mapping."""
        return repr(self._whole())


def example(rules: Ruleset | str) -> Encounter:
    """Return the small fight that stands for a ruleset: two heroes, two foes."""
    sides = (("hero", "heroes", "player", "good"), ("foe", "foes", "extra", "fair"))
    people = [
        {"name": f"{name}_{number}", "side": side, "role": role, "skill": skill, "toughness": "poor"}
        for name, side, role, skill in sides
        for number in (1, 2)
    ]
    return scene(people, name="Example").encounter(rules, seed=0)


class Fight(AECEnv):  # type: ignore[misc] # PettingZoo brings no types
    """The environment itself; `env` gives it wrapped.

    Parameters
    ----------
    fight, rounds, render_mode
        As `env` takes them.

    Attributes
    ----------
    encounter : Encounter
        The fight of this episode.
    labels : tuple of str
        What each action is, in words.
    """

    def __init__(self, fight: Encounter | Ruleset | str, *, rounds: int = 20, render_mode: str | None = None) -> None:
        if not isinstance(fight, (Encounter, Ruleset, str)):
            raise InvalidInput(f"env: {short(fight)} is not a fight; give an encounter, or a ruleset's id")
        rounds = check_whole(rounds, "env: rounds", 1)
        if render_mode not in (None, "ansi"):
            raise InvalidInput(f"env: render_mode is {short(render_mode)}; it is None or 'ansi'")
        super().__init__()
        model = fight if isinstance(fight, Encounter) else example(fight)
        self._setup = Setup(model)
        self._rounds = rounds
        self.render_mode = render_mode
        self.metadata = {
            "render_modes": ["ansi"],
            "name": f"combatkit_{model.ruleset.id}_v0",
            "is_parallelizable": False,
        }
        self._slots = model.ruleset.slots.ids()
        self._universe = list(_universe(model))
        self.labels = ("pass", *(_label(model, *entry) for entry in self._universe))
        self.possible_agents = list(model.names)
        size = _GLOBAL + len(model.names) * (_EACH + len(self._slots))
        self.observation_spaces = {a: Box(-1.0, 1.0, (size,), np.float32) for a in self.possible_agents}
        self.action_spaces = {a: Discrete(len(self.labels)) for a in self.possible_agents}
        self._seed: int | None = None
        self._episode = 0
        self._legal_known: dict[int, Deed | None] | None = None
        self._blocks: tuple[State | None, Numbers] = (None, np.zeros((0, 0), np.float32))

    def observation_space(self, agent: str) -> Box:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """Begin an episode.

        Parameters
        ----------
        seed : int, optional
            The fight's seed. Without one, those of the episodes follow from the last one given by
            `combatkit.simulation.seed_of`; if none was ever given, it is drawn.
        options : dict, optional
            Not used.
        """
        if seed is not None:
            self._seed, self._episode = int(seed) % (1 << 64), 0
        elif self._seed is None:
            self._seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        else:
            self._episode += 1
        self.encounter = self._setup.encounter(seed_of(self._seed, self._episode))
        self._table = Table(self.encounter, rounds=self._rounds)
        vital = self.encounter.ruleset.vitals[0].name
        fighters = self.encounter._state.fighters
        self._full = {name: max(fighters[name].vitals.get(vital) or 0, 1) for name in fighters}
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._skip_agent_selection: str | None = None
        self._go_on()

    def state(self) -> Saved:
        """Return where the episode stands, for `restore`.

        Examples
        --------
        >>> fight = env("saga", rounds=3)
        >>> fight.reset(seed=7)
        >>> there = fight.state()
        >>> fight.step(0)
        >>> fight.restore(there)
        >>> fight.agent_selection
        'foe_1'
        """
        enc = self.encounter
        said = {name: copy(value) for name, value in vars(self).items() if name in _SAID}
        return Saved(enc, len(enc._events), self._table.moved(enc), said)

    def restore(self, state: Saved) -> None:
        """Go back to where a state was asked for, here or in another environment of the same fight."""
        self.encounter = enc = state.encounter._copied(state.length)
        self._table = state.table.moved(enc)
        self.__dict__.update({name: copy(value) for name, value in state.said.items()})
        self._blocks = (None, np.zeros((0, 0), np.float32))
        self.infos = {agent: {} for agent in self.agents}
        self._legal_known = {} if self._over else None
        self._moment = enc._whole()
        if not self._over:
            self._tell()

    def __copy__(self) -> Fight:
        """Return the environment as it stands, to go its own way."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        if hasattr(self, "encounter"):
            other.restore(self.state())
        return other

    def __deepcopy__(self, memo: object) -> Fight:
        """Return the environment as `copy.copy` does, with spaces of its own to sample from."""
        other = copy(self)
        other.observation_spaces, other.action_spaces = deepcopy((self.observation_spaces, self.action_spaces))
        other.metadata = deepcopy(self.metadata)
        return other

    def step(self, action: int | None) -> None:
        """Let the agent selected do something, or nothing by 0.

        Parameters
        ----------
        action : int or None
            One that its mask allows; None for an agent's dead step.

        Raises
        ------
        IllegalAction
            If the mask does not allow it, with the ruling; nothing has happened.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        number = int(action)
        deed = self._deed(number)
        if number and deed is None:
            raise self._refusal(agent, number)
        self._act(deed)

    def _act(self, deed: Deed | None) -> None:
        """Let the agent selected do something, and go on."""
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos[agent] = {}
        self._table.take(agent, deed)
        self._go_on()
        self._accumulate_rewards()

    @property
    def _over(self) -> bool:
        return any((*self.terminations.values(), *self.truncations.values()))

    def _refusal(self, agent: str, number: int) -> Exception:
        action, aim, what = self._universe[number - 1]
        enc = self.encounter
        params = next(iter(_params(enc, agent, action, aim, what)), {})
        ruling = enc.can(agent, action.id, **params)
        if ruling.allowed:
            return InvalidInput(f"env: {agent} is not asked for {self.labels[number]!r} now; choose by the action mask")
        return IllegalAction(ruling)

    def _go_on(self) -> None:
        """Go on until somebody may choose, or the fight is over."""
        name = self._table.next()
        if name is None:
            winner = self._table.winner
            decided = self.encounter._state.stage == "over"
            for agent in self.agents:
                won = self.encounter._state.fighters[agent].side == winner
                self.rewards[agent] = (1.0 if won else -1.0) if winner is not None else 0.0
            self.terminations = dict.fromkeys(self.agents, decided)
            self.truncations = dict.fromkeys(self.agents, not decided)
            self._legal_known = {}
            self._deads_step_first()
            return
        self.agent_selection = name
        self._legal_known, self._moment = None, self.encounter._whole()
        self._tell()

    def _tell(self) -> None:
        """Tell the agent selected its mask, as soon as it looks."""
        self.infos[self.agent_selection] = Told(partial(self._mask, self._moment, self.agent_selection))

    @property
    def _legal(self) -> dict[int, Deed | None]:
        """What the agent selected may do now, by number."""
        if self._legal_known is None:
            self._legal_known = self._deeds(self._moment, self.agent_selection)
        return self._legal_known

    def _mask(self, moment: View, name: str) -> NDArray[np.int8]:
        mask = np.zeros(len(self.labels), np.int8)
        legal = self._legal if moment is self._moment else self._deeds(moment, name)
        mask[np.fromiter(legal, np.intp, len(legal))] = 1
        return mask

    def _deed(self, number: int) -> Deed | None:
        """Return what the agent selected does by a number; None if it may not, or passes."""
        if number < 1:
            return None
        if self._legal_known is not None:
            return self._legal_known.get(number)
        return next(_asked(self._moment, self.agent_selection, self._universe[number - 1 : number]), (0, None))[1]

    def _deeds(self, moment: View, name: str) -> dict[int, Deed | None]:
        """Return what somebody may do, by number."""
        found = _asked(moment, name, self._universe)
        return {0: None, **{number + 1: deed for number, deed in found}}

    def observe(self, agent: str) -> Numbers:
        """Return what an agent sees; see the module's words for what the numbers are."""
        enc, people = self.encounter, self.possible_agents
        state = enc._state
        known, block = self._blocks
        if known is not state:
            block = self._block()
            self._blocks = (state, block)
        own = people.index(agent)
        seen = np.empty(_GLOBAL + block.size, np.float32)
        seen[:_GLOBAL] = min((state.round or 0) / self._rounds, 1.0), state.window is not None, enc.active == agent
        rows = seen[_GLOBAL:].reshape(block.shape)
        rows[0], rows[1 : own + 1], rows[own + 1 :] = block[own], block[:own], block[own + 1 :]
        rows[:, 0] = np.where(rows[:, 0] == block[own, 0], 1, -1)
        if any(fighter.position is not None for fighter in state.fighters.values()):
            for row, name in zip(rows, [agent, *(name for name in people if name != agent)], strict=True):
                apart = enc.distance(agent, name)
                row[5] = 1.0 if apart is None else 1 / (1 + apart.steps)
        return seen

    def _block(self) -> Numbers:
        """Return what there is to see of everybody, in the order they were added: all but whose side, and how near."""
        enc = self.encounter
        state = enc._state
        rungs = {rung.combatant: place for place, rung in reversed(list(enumerate(enc.order)))}
        below = max(len(rungs), 1)
        sides = list(dict.fromkeys(fighter.side for fighter in state.fighters.values()))
        block = np.ones((len(self.possible_agents), _EACH + len(self._slots)), np.float32)
        for row, name in zip(block, self.possible_agents, strict=True):
            fighter = state.fighters[name]
            vital = fighter.vitals.get(enc.ruleset.vitals[0].name) or 0
            row[:5] = (
                sides.index(fighter.side),
                enc.ruleset.able(fighter),
                enc.active == name,
                max(-1.0, min(vital / self._full[name], 1.0)),
                1 - rungs[name] / below if name in rungs else 0.0,
            )
            row[6] = min(len(fighter.effects), 8) / 8
            row[_EACH:] = [_part(slot.left, slot.total) for slot in enc.budget(name)]
        return block

    def render(self) -> str | None:
        """Return the ladder in words, or nothing without a render mode."""
        if self.render_mode is None:
            return None
        rungs = [f"{rung.initiative} {rung.combatant} ({rung.side}, {rung.status})" for rung in self.encounter.order]
        return "\n".join([self.encounter.clock.label, *rungs])

    def close(self) -> None:
        """Nothing is held open."""


class OneSide(Env[Any, Any]):
    """One side of a fight as a Gymnasium environment; everybody else goes by tactics.

    Whoever of the side may choose is asked, one after the other: actions, observations and ``info["action_mask"]`` are
    as in `env`, theirs each time. The reward comes at the end: 1 if the side is left, -1 if another is, 0 if time was
    up (``truncated``).

    Parameters
    ----------
    fight, rounds, render_mode
        As `env` takes them.
    side : str
        Whose side it is.
    others : callable or mapping of str to callable
        Who else chooses how, as `combatkit.play` takes it.

    Raises
    ------
    InvalidInput
        As `env` and `combatkit.play` raise it.
    UnknownName
        If there is no such side.

    Examples
    --------
    >>> fight = OneSide("saga", "heroes", rounds=3)
    >>> seen, info = fight.reset(seed=7)
    >>> fight.fight.agent_selection, int(info["action_mask"][0])
    ('hero_1', 1)
    >>> seen, reward, terminated, truncated, info = fight.step(0)
    >>> fight.fight.agent_selection, reward, terminated, truncated
    ('hero_2', 0.0, False, False)
    """

    def __init__(
        self,
        fight: Encounter | Ruleset | str,
        side: str,
        others: Tactics = strike,
        *,
        rounds: int = 20,
        render_mode: str | None = None,
    ) -> None:
        self.fight = Fight(fight, rounds=rounds, render_mode=render_mode)
        self.metadata, self.render_mode = self.fight.metadata, render_mode
        model = self.fight._setup._model
        sides = {name: fighter.side for name, fighter in model._state.fighters.items()}
        self._own = [name for name in sides if sides[name] == side]
        if not self._own:
            raise UnknownName.of("side", side, dict.fromkeys(sides.values()))
        self._others = by_name(model, others if callable(others) else {side: strike, **others})
        self.observation_space = self.fight.observation_space(self._own[0])
        self.action_space = self.fight.action_space(self._own[0])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Begin an episode, with a seed as `Fight.reset` takes it; give what is seen and told."""
        super().reset(seed=seed)
        self.fight.reset(seed)
        seen, _, _, _, info = self._asked()
        return seen, info

    def step(self, action: int) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Let whoever is asked do something, and the others what they choose until one of the side is asked again.

        Raises
        ------
        IllegalAction
            If the mask does not allow it, with the ruling; nothing has happened.
        """
        self.fight.step(action)
        return self._asked()

    def _asked(self) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        fight = self.fight
        while not fight._over and fight.agent_selection not in self._own:
            fight._act(self._others[fight.agent_selection](fight.encounter, fight.agent_selection))
        agent = self._own[0] if fight._over else fight.agent_selection
        ends = fight.terminations[agent], fight.truncations[agent]
        return fight.observe(agent), float(fight.rewards[agent]), *ends, fight.infos[agent]

    def action_masks(self) -> NDArray[np.int8]:
        """Return the mask of whoever is asked, where libraries for training look for it; after the end, of a pass."""
        if self.fight._over:  # whoever plays several fights at once asks all of them, also one to be reset next
            passes: NDArray[np.int8] = np.zeros(len(self.fight.labels), np.int8)
            passes[0] = 1
            return passes
        told: Any = self.fight.infos[self.fight.agent_selection]
        mask: NDArray[np.int8] = told["action_mask"]
        return mask

    def render(self) -> Any:
        """Return the ladder in words, or nothing without a render mode."""
        return self.fight.render()


_SAID = ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "agent_selection",
         "_skip_agent_selection", "_seed", "_episode", "_full")  # fmt: skip
"""What an environment keeps of an episode besides the fight and its table."""

Entry = tuple[Action, str | None, str | None]


def _universe(model: Encounter) -> Iterator[Entry]:
    """Yield every action there is: of the catalogue, at whom, and what it is about."""
    catalogue = list(model.ruleset.catalogue(model._state))
    placed = any(fighter.position is not None for fighter in model._state.fighters.values())
    about = [action.id for action in catalogue if any(tag in action.tags for tag in _TAGS)]
    for action in catalogue:
        takes = {parameter.id: parameter.required for parameter in action.parameters}
        aims: list[str | None] = [] if takes.get("target") else [None]
        if "target" in takes or ("to" in takes and placed):
            aims += model.names
        whats = about if takes.get("action") else [None]
        for aim in aims:
            yield from ((action, aim, what) for what in whats)


def _label(model: Encounter, action: Action, aim: str | None, what: str | None) -> str:
    target = any(parameter.id == "target" for parameter in action.parameters)
    of = "" if what is None else f": {model.ruleset.catalogue(model._state)[what].title}"
    at = "" if aim is None else f", {'at' if target else 'towards'} {aim}"
    return f"{action.title}{of}{at}"


def _asked(moment: View, name: str, entries: Sequence[Entry]) -> Iterator[tuple[int, Deed]]:
    """Yield which entries of the universe can be done, and how; what is refused whoever it is at is asked once."""
    offered, needed = answers(moment, name), dict[tuple[str, str | None], tuple[str, ...] | None]()
    ids = None if offered is None else {action.id for action in offered}
    for number, entry in enumerate(entries):
        action, _, what = entry
        if ids is not None and action.id not in ids:
            continue
        if (action.id, None) not in needed:
            needed[action.id, None] = moment._needs(name, action)
        needs = needed[action.id, None]
        if what is not None and needs is not None and "pay" not in needs:  # else it is refused until it is paid for
            if (action.id, what) not in needed:
                needed[action.id, what] = needs if moment._fits(name, action, {"action": what}) else None
            needs = needed[action.id, what]
        deed = None if needs is None else next(_allowed(moment, name, needs, entry), None)
        if deed is not None:
            yield number, deed


def _allowed(enc: View, name: str, needs: Sequence[str], entry: Entry) -> Iterator[Deed]:
    """Yield the ways in which an entry of the universe can be done now."""
    action = entry[0]
    for given in _params(enc, name, *entry):
        if "trigger" in needs and (enemies := foes(enc, name)):
            given["trigger"] = {"side": enc._state.fighters[enemies[0]].side}
        params = fill(enc, name, action, needs, given, None)
        judged = params == {} and "target" not in action.takes  # as it was asked what it needs
        if params is not None and (judged or enc.may(name, action.id, **params)):
            yield Deed(action.id, params)


def _params(enc: View, name: str, action: Action, aim: str | None, what: str | None) -> Iterator[dict[str, object]]:
    """Yield what an entry of the universe says of an action's parameters, in this fight as it stands."""
    params = stated(enc, name, action)
    if what is not None:
        params["action"] = what
    if aim is None:
        yield params
    elif any(parameter.id == "target" for parameter in action.parameters):
        yield {**params, "target": aim}
    elif aim != name and (apart := enc.distance(name, aim)) is not None:
        here, there = (enc._state.fighters[each].position for each in (name, aim))
        for spot in way(enc, name, action, here, there, apart.steps):
            yield {**params, "to": spot}


def _part(left: float | None, total: float | None) -> float:
    if left is None or total is None:
        return 1.0
    return max(0.0, min(left / total, 1.0)) if total > 0 else 0.0
