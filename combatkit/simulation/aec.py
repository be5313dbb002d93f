"""A fight as a PettingZoo environment, in which the combatants are the agents.

**Agents** are the combatants, in the order they were added. An agent is selected when it may choose: on its turn, when
an open window offers it something, and once in each step of a round that waits for nobody's turn. An agent that is down
is not selected; since it may get up again, it stays an agent until the fight is over, when all take their dead step.

**Actions** are `Discrete`: 0 passes (it ends a turn, declines an offer, lets a step go on); every other number is an
action of the catalogue: at one combatant if it takes a target, towards one if it leads somewhere, and with what is to
be readied, held or aborted to, if it asks for that. `Fight.labels` says which is which. What else an action needs is
filled in: with the table `scene`, a trigger of anything an enemy does, and the first legal value of the rest.
``infos[agent]["action_mask"]`` of the agent selected has a 1 for each that the rules allow now.

**Observations** are a `Box` of numbers from -1 to 1: first the round (over the last one), whether a window is open, and
whether it is the observer's own turn; then for each combatant, the observer first and the others in the order they were
added: 1 for the observer's side and -1 for another's, whether they can act, whether it is their turn, what is left of
their first vital, their rung on the ladder (1 for the top), nearness (1 where no places are kept), how many conditions
they have (over 8), and for each slot of the budget the part that is left.

**Rewards** come at the end: 1 for each of the side that is left, -1 for the others, 0 if time was up (`truncations`).
"""

from __future__ import annotations

from collections.abc import Iterator

from combatkit.core.model import Option
from combatkit.core.plain import check_whole, short
from combatkit.errors import IllegalAction, InvalidInput
from combatkit.fight.fight import Encounter
from combatkit.rules.catalogue import Action
from combatkit.rules.ruleset import Ruleset
from combatkit.simulation.fights import Setup, seed_of
from combatkit.simulation.table import Table
from combatkit.study.scenes import scene
from combatkit.tactics import Deed, asked_for, filled, foes, stated, way

try:
    import numpy as np
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
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(Fight(fight, rounds=rounds, render_mode=render_mode))
    )


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
        self._go_on()

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
        deed = self._legal.get(number)
        if number and deed is None:
            raise self._refusal(agent, number)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos[agent] = {}
        self._table.take(agent, deed)
        self._go_on()
        self._accumulate_rewards()

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
            self._legal: dict[int, Deed | None] = {}
            self._deads_step_first()
            return
        self.agent_selection = name
        self._legal = self._deeds(name)
        mask = np.zeros(len(self.labels), np.int8)
        mask[list(self._legal)] = 1
        self.infos[name] = {"action_mask": mask}

    def _deeds(self, name: str) -> dict[int, Deed | None]:
        """Return what somebody may do now, by number."""
        enc = self.encounter
        options = {option.action: option for option in asked_for(enc, name) if option.allowed}
        legal: dict[int, Deed | None] = {0: None}
        for number, entry in enumerate(self._universe, 1):
            option = options.get(entry[0].id)
            deed = None if option is None else next(_allowed(enc, name, option, entry), None)
            if deed is not None:
                legal[number] = deed
        return legal

    def observe(self, agent: str) -> Numbers:
        """Return what an agent sees; see the module's words for what the numbers are."""
        enc = self.encounter
        state = enc._state
        names = [agent, *(name for name in self.possible_agents if name != agent)]
        rungs = {rung.combatant: place for place, rung in reversed(list(enumerate(enc.order)))}
        below = max(len(rungs), 1)
        own = state.fighters[agent].side
        numbers = [min((state.round or 0) / self._rounds, 1.0), float(bool(enc.pending)), float(enc.active == agent)]
        for name in names:
            fighter = state.fighters[name]
            vital = fighter.vitals.get(enc.ruleset.vitals[0].name) or 0
            apart = enc.distance(agent, name)
            numbers += [
                1.0 if fighter.side == own else -1.0,
                float(enc.ruleset.able(fighter)),
                float(enc.active == name),
                max(-1.0, min(vital / self._full[name], 1.0)),
                1 - rungs[name] / below if name in rungs else 0.0,
                1.0 if apart is None else 1 / (1 + apart.steps),
                min(len(fighter.effects), 8) / 8,
            ]
            numbers += [_part(slot.left, slot.total) for slot in enc.budget(name)]
        return np.array(numbers, np.float32)

    def render(self) -> str | None:
        """Return the ladder in words, or nothing without a render mode."""
        if self.render_mode is None:
            return None
        rungs = [f"{rung.initiative} {rung.combatant} ({rung.side}, {rung.status})" for rung in self.encounter.order]
        return "\n".join([self.encounter.clock.label, *rungs])

    def close(self) -> None:
        """Nothing is held open."""


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


def _allowed(enc: Encounter, name: str, option: Option, entry: Entry) -> Iterator[Deed]:
    """Yield the ways in which an entry of the universe can be done now."""
    action = entry[0]
    for given in _params(enc, name, *entry):
        if "trigger" in option.needs and (enemies := foes(enc, name)):
            given["trigger"] = {"side": enc[enemies[0]].side}
        params = filled(enc, name, option, given)
        if params is not None and enc.may(name, action.id, **params):
            yield Deed(action.id, params)


def _params(
    enc: Encounter, name: str, action: Action, aim: str | None, what: str | None
) -> Iterator[dict[str, object]]:
    """Yield what an entry of the universe says of an action's parameters, in this fight as it stands."""
    params = stated(enc, name, action)
    if what is not None:
        params["action"] = what
    if aim is None:
        yield params
    elif any(parameter.id == "target" for parameter in action.parameters):
        yield {**params, "target": aim}
    elif aim != name and (apart := enc.distance(name, aim)) is not None:
        here, there = enc[name].position, enc[aim].position
        for spot in way(enc, name, action, here, there, apart.steps):
            yield {**params, "to": spot}


def _part(left: float | None, total: float | None) -> float:
    if left is None or total is None:
        return 1.0
    return max(0.0, min(left / total, 1.0)) if total > 0 else 0.0
