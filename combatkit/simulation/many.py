"""Many fights at once: one frame, the same for the same seed wherever it was worked out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, overload

import msgspec

from combatkit.core.model import Event
from combatkit.core.plain import short
from combatkit.errors import CombatkitError, InvalidInput
from combatkit.fight.encounter import Encounter
from combatkit.registry import ruleset as find_ruleset
from combatkit.registry import rulesets
from combatkit.rules.ruleset import Ruleset
from combatkit.simulation.executors import LostWorkerError, in_order
from combatkit.simulation.fights import COLUMNS, Bounds, Setup, Tactics, seed_of
from combatkit.simulation.table import check_bounds
from combatkit.simulation.work import Done, Failure, Job, carry_out, pack, play_some
from combatkit.study.scenes import Scene
from combatkit.tactics import strike

if TYPE_CHECKING:
    import polars as pl

PIECE = 16
"""So many fights at most go to a worker at once: few enough for a bar that moves, and for little to be done twice."""


@overload
def simulate(
    fight: Scene | Encounter,
    n: int = ...,
    tactics: Tactics = ...,
    executor: Executor | None = ...,
    *,
    seed: int = ...,
    systems: str | Ruleset | Iterable[str | Ruleset] | None = ...,
    rounds: int | None = ...,
    seconds: float | None = ...,
    events: Literal[False] = ...,
    progress: bool = ...,
) -> pl.DataFrame: ...


@overload
def simulate(
    fight: Scene | Encounter,
    n: int = ...,
    tactics: Tactics = ...,
    executor: Executor | None = ...,
    *,
    seed: int = ...,
    systems: str | Ruleset | Iterable[str | Ruleset] | None = ...,
    rounds: int | None = ...,
    seconds: float | None = ...,
    events: Literal[True],
    progress: bool = ...,
) -> tuple[pl.DataFrame, pl.DataFrame]: ...


def simulate(
    fight: Scene | Encounter,
    n: int = 100,
    tactics: Tactics = strike,
    executor: Executor | None = None,
    *,
    seed: int = 0,
    systems: str | Ruleset | Iterable[str | Ruleset] | None = None,
    rounds: int | None = 20,
    seconds: float | None = None,
    events: bool = False,
    progress: bool = True,
) -> pl.DataFrame | tuple[pl.DataFrame, pl.DataFrame]:
    """Play a fight many times, each with a seed of its own, and give what came of it as a frame.

    Parameters
    ----------
    fight : Scene or Encounter
        What is fought. Of an encounter, its combatants, options, tables and surprised ones; it is itself not touched.
    n : int
        How often, in each system.
    tactics : callable or mapping of str to callable
        One tactic for all, or tactics by combatant, group or side; see `combatkit.tactics`.
    executor : Executor, optional
        Where the fights are played: here, if none is given. `combatkit.simulation.processes` gives one that is safe
        beside polars; a dask client's is ``client.get_executor()``. A worker that is lost loses nothing.
    seed : int
        Where the fights' seeds come from, by `combatkit.simulation.seed_of`: the first fight's is `seed` itself.
    systems : str, Ruleset or iterable, optional
        The systems a scene is played in; every known one if none is named. Fights of the same number have the same
        seed in each.
    rounds, seconds : int, float, optional
        When a fight is over at the latest; see `combatkit.play`.
    events : bool
        Whether to give every event too.
    progress : bool
        Whether to show a bar, where tqdm is installed.

    Returns
    -------
    polars.DataFrame or tuple of two
        A row a system, fight and combatant, in this order: ``fight`` counts from 0, ``seed`` is its own. Of the fight:
        ``winner`` (a side, or null), ``rounds`` it had come to, game ``seconds``, and ``deeds``, what tactics chose to
        do. Of the combatant: whether its side ``won``, whether it is ``standing``, ``first`` (how many turns had been
        taken with its own first one), ``turns``, ``actions``, ``reactions``, ``attacks`` among them, ``damage_dealt``
        and ``damage_taken`` as `Encounter.history` counts them, and ``vital_end``, what is left of its first vital.
        With `events`, the frame `Encounter.history.events` of all fights besides.

    Raises
    ------
    IllegalAction
        If a tactic chooses what the rules refuse, with the ruling. Whatever a tactic raises names the fight's seed, by
        which the fight is played alone: ``ck.simulate(..., n=1, seed=that)``.
    InvalidInput
        If an argument cannot be, or a system cannot express the scene.

    Examples
    --------
    >>> import combatkit as ck
    >>> frame = ck.simulate(ck.scene("catwalk"), 2, systems="saga", seed=7, progress=False)
    >>> frame.select("fight", "seed", "combatant", "won").row(-1)
    (1, 16616101746187103088, 'Guard 2', True)
    """
    if type(n) is not int or n < 1:
        raise InvalidInput(f"simulate: n is {short(n)}; give a whole number from 1 up")
    if type(seed) is not int or not 0 <= seed < 1 << 64:
        raise InvalidInput(f"simulate: seed is {short(seed)}; give a whole number from 0 to 2**64 - 1")
    if executor is not None and not hasattr(executor, "submit"):
        raise InvalidInput(f"simulate: executor is {short(executor)}; give one, such as simulation.processes(2)")
    check_bounds("simulate", rounds, seconds)
    jobs = [Job(setup, tactics, Bounds(rounds, seconds), events) for setup in _setups(fight, seed, systems)]
    fights = [(number, seed_of(seed, number)) for number in range(n)]
    found: list[tuple[Any, ...]] = []
    logs: list[tuple[Setup, str, bytes]] = []
    with _bar(len(jobs) * n, progress) as move_on:
        for job, done, count in _played(jobs, fights, executor):
            if done.failure is not None:
                _fail(job, done.failure)
            found += done.rows
            logs += [(job.setup, id, log) for id, log in done.events]
            move_on(count)
    frame = _frame(found)
    return (frame, _events(logs)) if events else frame


def _setups(fight: object, seed: int, systems: str | Ruleset | Iterable[str | Ruleset] | None) -> list[Setup]:
    if isinstance(fight, Encounter):
        if systems is not None:
            raise InvalidInput(f"simulate: {fight.id} is a fight of {fight.ruleset.id} already; systems is for a scene")
        return [Setup(fight)]
    if not isinstance(fight, Scene):
        raise InvalidInput(f"simulate: {short(fight)} is not a fight; give a scene or an encounter")
    if systems is None:
        chosen: Sequence[str | Ruleset] = rulesets()
    elif isinstance(systems, (str, Ruleset)):
        chosen = [systems]
    elif isinstance(systems, Iterable):
        chosen = list(systems)
    else:
        raise InvalidInput(f"simulate: systems is {short(systems)}; give a ruleset's id, or several")
    if not chosen:
        raise InvalidInput("simulate: systems is empty; name at least one ruleset")
    known = [each if isinstance(each, Ruleset) else find_ruleset(each) for each in chosen]
    return [Setup(fight.encounter(rules, seed=seed)) for rules in known]


def _played(
    jobs: Sequence[Job], fights: Sequence[tuple[int, int]], executor: Executor | None
) -> Iterator[tuple[Job, Done, int]]:
    """Yield what comes of each piece: its job, what was done, and how many fights it was."""
    if executor is None:
        for job in jobs:
            for each in fights:
                yield job, play_some(job, [each]), 1
        return
    shares = _shares(fights)
    owners = [job for job in jobs for _ in shares]
    pieces = [(packed, share) for packed in map(pack, jobs) for share in shares]
    try:
        for job, (_, share), done in zip(owners, pieces, in_order(carry_out, pieces, executor), strict=True):
            yield job, done, len(share)
    except LostWorkerError as error:
        job, (number, seed) = owners[error.piece], pieces[error.piece][1][0]
        raise CombatkitError(
            f"simulate: the fights from number {number} on (seed {seed}) in {job.setup.ruleset.id} lost their worker "
            f"again and again; {_alone(seed)}"
        ) from error.__cause__


def _shares(fights: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Return the fights in shares, smaller ones where there are few."""
    size = max(1, min(PIECE, len(fights) // 8))
    rest = iter(fights)
    return list(iter(lambda: list(islice(rest, size)), []))


def _fail(job: Job, failure: Failure) -> None:
    """Raise what a fight failed with, and say how it is played alone."""
    where = f"in fight {failure.number} of {job.setup.ruleset.id}, seed {failure.seed}; {_alone(failure.seed)}"
    if failure.error is None:
        raise CombatkitError(f"simulate: a worker failed {where}\n\n{failure.trace}")
    error = failure.error
    error.add_note(where)
    if error.__traceback__ is None:  # it comes from another process
        error.add_note(f"\n{failure.trace}")
    raise error


def _alone(seed: int) -> str:
    return f"it is played alone by simulate(..., n=1, seed={seed})"


def _still(count: int) -> None:
    """Move no bar."""


@contextmanager
def _bar(total: int, progress: bool) -> Iterator[Callable[[int], object]]:
    """Show a bar, if it is wanted and can be, and give what moves it on."""
    if not progress or find_spec("tqdm") is None:
        yield _still
        return
    from tqdm.auto import tqdm  # type: ignore[import-untyped]

    with tqdm(total=total, unit="fight", leave=False) as bar:
        yield bar.update


def _frame(found: list[tuple[Any, ...]]) -> pl.DataFrame:
    import polars as pl

    kinds: dict[str, Any] = dict.fromkeys(COLUMNS, pl.Int64)
    kinds |= dict.fromkeys(("system", "combatant", "side", "winner"), pl.String)
    kinds |= dict.fromkeys(("won", "standing"), pl.Boolean)
    kinds |= {"seed": pl.UInt64, "seconds": pl.Float64}
    columns = zip(*found, strict=True)
    return pl.DataFrame({name: list(column) for name, column in zip(COLUMNS, columns, strict=True)}, schema=kinds)


def _events(logs: list[tuple[Setup, str, bytes]]) -> pl.DataFrame:
    import polars as pl

    from combatkit.history.log import Log
    from combatkit.history.schema import SCHEMAS

    decoder = msgspec.msgpack.Decoder(list[Event])
    frames = []
    for setup, id, packed in logs:
        log = Log(id, setup.ruleset)
        log.read(decoder.decode(packed))
        frames.append(log.frame("events"))
    return pl.concat([SCHEMAS["events"].to_frame(), *frames], rechunk=True)
