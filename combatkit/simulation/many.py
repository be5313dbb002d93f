"""Many fights at once: one frame, the same for the same seed wherever it was worked out."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Literal, overload

import msgspec

from combatkit.core.model import Event
from combatkit.core.plain import short
from combatkit.errors import InvalidInput
from combatkit.fight.fight import Encounter
from combatkit.rules.ruleset import Ruleset
from combatkit.simulation.engines import Engine, announcement, chosen
from combatkit.simulation.fights import COLUMNS, Bounds, Setup, Tactics, seed_of
from combatkit.simulation.running import ARRAYS, PIECE, check_many, chosen_systems, played, recalled
from combatkit.simulation.table import bounds
from combatkit.simulation.work import Job, play_some
from combatkit.study.scenes import Scene
from combatkit.tactics import strike

if TYPE_CHECKING:
    import polars as pl


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
    engine: Engine = ...,
    resume: pl.DataFrame | None = ...,
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
    engine: Engine = ...,
    resume: pl.DataFrame | None = ...,
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
    engine: Engine = "auto",
    resume: pl.DataFrame | None = None,
) -> pl.DataFrame | tuple[pl.DataFrame, pl.DataFrame]:
    """Play a fight many times, each with a seed of its own, and return the results as a frame.

    Parameters
    ----------
    fight : Scene or Encounter
        What to fight. From an encounter it takes the combatants, options, tables and who is surprised; the encounter
        itself is not touched.
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
        When a fight ends at the latest; see `combatkit.play`.
    events : bool
        Whether to return every event too.
    progress : bool
        Whether to say beforehand by what the fights are played, and then how far they have come.
    engine : str
        By what they are played: ``"engine"``, or ``"arrays"``, many thousand a second, with the same rows for the same
        seeds, which play `combatkit.tactics.strike` in fights that are nothing but attacks. ``"auto"`` takes these
        where they can; see `combatkit.simulation.engine_of`.
    resume : polars.DataFrame, optional
        A frame of the same fights that was stopped: what it holds is not played again, but for a few fights that tell
        whether they are the same.

    Returns
    -------
    polars.DataFrame or tuple of two
        A row per system, fight and combatant, in this order. ``fight`` counts from 0, ``seed`` is its own. Of the
        fight: ``winner`` (a side, or null), ``rounds`` it had come to, game ``seconds``, and ``deeds``, what tactics
        chose to do. Of the combatant: whether their side ``won``, whether they are ``standing``, ``first`` (how many
        turns had been taken with their own first one), ``turns``, ``actions``, ``reactions``, ``attacks`` among
        them, ``damage_dealt`` and ``damage_taken`` as `Encounter.history` counts them, and ``vital_end``, what is left
        of their first vital. With `events`, the frame `Encounter.history.events` of all fights besides.

    Raises
    ------
    IllegalAction
        If a tactic chooses what the rules refuse, with the ruling. Any error from a tactic names the fight's seed, with
        which to play that fight alone: ``ck.simulate(..., n=1, seed=that)``.
    InvalidInput
        If an argument is wrong, a system cannot express the scene, or arrays cannot play what they are asked to.

    Warns
    -----
    UserWarning
        If it is stopped: the frame holds the fights that are done.

    Examples
    --------
    >>> import combatkit as ck
    >>> frame = ck.simulate(ck.scene("catwalk"), 2, systems="saga", seed=7, progress=False)
    >>> frame.select("fight", "seed", "combatant", "won").row(-1)
    (1, 16616101746187103088, 'Guard 2', True)
    """
    n, seed = check_many("simulate", n, seed, executor)
    rounds, seconds = bounds("simulate", rounds, seconds)
    given = [Job(setup, tactics, Bounds(rounds, seconds), events) for setup in setups(fight, seed, systems)]
    jobs, told = chosen("simulate", engine, given)
    found = _done(resume, jobs, n, seed, events)
    numbers = {(str(row[_SYSTEM]), int(row[_FIGHT])) for row in found}  # type: ignore[call-overload]
    logs: list[tuple[Setup, str, bytes]] = []
    if progress:
        print(announcement("simulate", n, told), file=sys.stderr, flush=True)  # noqa: T201
    total = len(found)
    try:
        for job, done in played("simulate", jobs, n, seed, executor, progress, numbers):
            found += done.rows
            logs += [(job.setup, id, log) for id, log in done.events]
    except KeyboardInterrupt:
        if len(found) == total:
            raise
        fights = len({(row[_SYSTEM], row[_FIGHT]) for row in found})
        warnings.warn(
            f"simulate: stopped; the frame holds {fights:,} of {n * len(jobs):,} fights. With resume=FRAME the rest "
            "is played",
            stacklevel=2,
        )
    place = {job.setup.ruleset.id: number for number, job in enumerate(jobs)}
    if resume is not None:
        found.sort(key=lambda row: (place[str(row[_SYSTEM])], row[_FIGHT]))
    frame = _frame(found)
    return (frame, _events(logs)) if events else frame


_SYSTEM, _FIGHT, _SEED = (COLUMNS.index(name) for name in ("system", "fight", "seed"))


def _done(resume: object, jobs: Sequence[Job], n: int, seed: int, events: bool) -> list[tuple[object, ...]]:
    """Return the rows of a frame that was stopped, of as many fights as are asked for; refuse one of other fights.

    Seeds and names don't tell what a sheet says or who chooses how: the first of its fights are played again.
    """
    if resume is None:
        return []
    wrong = "give a frame that simulate returned for the same fights and seed, without events"
    found = recalled(resume, COLUMNS)
    if events or found is None:
        raise InvalidInput(f"simulate: resume can't be gone on with; {wrong}")
    people = {job.setup.ruleset.id: job.setup._model.names for job in jobs}
    each: dict[tuple[object, int], list[tuple[object, ...]]] = {}
    for row in found:
        each.setdefault((row[_SYSTEM], row[_FIGHT]), []).append(row)
        if type(row[_FIGHT]) is not int or row[_SEED] != seed_of(seed, row[_FIGHT]):
            raise InvalidInput(f"simulate: resume has another seed in fight {row[_FIGHT]}; {wrong}")
    if any(tuple(row[_SEED + 1] for row in rows) != people.get(str(system)) for (system, _), rows in each.items()):
        raise InvalidInput(f"simulate: resume has other combatants or systems; {wrong}")
    for job in jobs:
        id = job.setup.ruleset.id
        some = [number for system, number in each if system == id][: ARRAYS if job.arrays else PIECE]
        again = play_some(job, [(number, seed_of(seed, number)) for number in some]).rows if some else []
        if again != [row for number in some for row in each[id, number]]:
            raise InvalidInput(f"simulate: resume has other fights in {id}; {wrong}")
    return [row for row in found if row[_FIGHT] < n]


def setups(fight: object, seed: int, systems: str | Ruleset | Iterable[str | Ruleset] | None) -> list[Setup]:
    """Return what is fought, in each system."""
    if isinstance(fight, Encounter):
        if systems is not None:
            raise InvalidInput(f"simulate: {fight.id} is a fight of {fight.ruleset.id} already; systems is for a scene")
        return [Setup(fight)]
    if not isinstance(fight, Scene):
        raise InvalidInput(f"simulate: {short(fight)} is not a fight; give a scene or an encounter")
    return [
        Setup(fight.encounter(rules, seed=seed, id=f"{rules.id}-{seed}"))
        for rules in chosen_systems("simulate", systems)
    ]


def _frame(found: list[tuple[object, ...]]) -> pl.DataFrame:
    from combatkit.frames import pl

    kinds: dict[str, type[pl.DataType]] = dict.fromkeys(COLUMNS, pl.Int64)
    kinds |= dict.fromkeys(("system", "combatant", "side", "winner"), pl.String)
    kinds |= dict.fromkeys(("won", "standing"), pl.Boolean)
    kinds |= {"seed": pl.UInt64, "seconds": pl.Float64}
    columns = zip(*found, strict=True)
    return pl.DataFrame({name: list(column) for name, column in zip(COLUMNS, columns, strict=True)}, schema=kinds)


def _events(logs: list[tuple[Setup, str, bytes]]) -> pl.DataFrame:
    from combatkit.frames import pl
    from combatkit.history.log import log_frame
    from combatkit.history.schema import SCHEMAS

    decoder = msgspec.msgpack.Decoder(list[Event])
    frames = []
    for setup, id, packed in logs:
        frames.append(log_frame(id, setup.ruleset, decoder.decode(packed)))
    return pl.concat([SCHEMAS["events"].to_frame(), *frames], rechunk=True)
