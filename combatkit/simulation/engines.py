"""By what many fights are played: one after the other by the engine, or at once as arrays, with the same rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from inspect import signature
from typing import Literal

from combatkit.core.plain import counted, short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.fight.fight import Encounter
from combatkit.simulation.fights import BOUNDS, Bounds, Tactics
from combatkit.simulation.play import by_name
from combatkit.simulation.table import bounds
from combatkit.simulation.work import Job
from combatkit.study.scenes import Scene
from combatkit.tactics import strike

Engine = Literal["auto", "engine", "arrays"]


def engine_of(
    fight: Scene | Encounter, tactics: Tactics = strike, options: Mapping[str, object] | None = None
) -> tuple[str, str]:
    """Say by what fights would be played with ``engine="auto"``, before any is.

    Parameters
    ----------
    fight : Scene or Encounter
        What to fight, as `simulate` takes it; a scene in the systems named in `options`.
    tactics : callable or mapping of str to callable
        As `simulate` takes them.
    options : mapping, optional
        What else is given to `simulate`, by name; ``systems``, ``rounds``, ``seconds`` and ``events`` decide.

    Returns
    -------
    tuple of (str, str)
        ``("arrays", "")``, or ``("engine", why)``; of several systems the first that its engine plays.

    Raises
    ------
    InvalidInput
        As `simulate` raises it.
    UnknownName
        If `simulate` takes nothing of that name.

    Examples
    --------
    >>> import combatkit as ck
    >>> engine_of(ck.scene("catwalk"), options={"systems": "saga"})
    ('arrays', '')
    >>> engine_of(ck.scene("catwalk"), ck.tactics.hold_back, {"systems": "saga"})
    ('engine', 'only the tactic strike is played as arrays')
    """
    from combatkit.simulation.many import setups, simulate  # they play by what is said here

    if options is not None and not isinstance(options, Mapping):
        raise InvalidInput(f'engine_of: options is {short(options)}; give a mapping such as {{"systems": "saga"}}')
    given = dict(options or {})
    takes = [name for name in signature(simulate).parameters if name not in signature(engine_of).parameters]
    if stray := next((key for key in given if key not in takes), None):
        raise UnknownName.of("option", stray, takes, owner="simulate")
    limits = Bounds(*bounds("engine_of", *(given.get(key, BOUNDS._asdict()[key]) for key in Bounds._fields)))
    for setup in setups(fight, 0, given.get("systems")):  # type: ignore[arg-type]
        if against := why_not(Job(setup, tactics, limits, bool(given.get("events")))):
            return "engine", against
    return "arrays", ""


def why_not(job: Job) -> str:
    """Say what keeps fights from being played as arrays; empty if nothing does."""
    if job.events:
        return "their events are asked for"
    if job.bounds.seconds is not None:
        return "they end after so many seconds"
    try:
        if set(by_name(job.setup._model, job.tactics).values()) != {strike}:
            return "only the tactic strike is played as arrays"
    except InvalidInput as error:
        return str(error)
    if find_spec("numpy") is None:
        return "NumPy is missing: pip install 'combatkit[sim]'"
    from combatkit.simulation.arrays import reason

    return reason(job.setup)


def chosen(what: str, engine: str, jobs: Sequence[Job]) -> tuple[list[Job], dict[str, list[str]]]:
    """Return jobs with by what each is played, and of what which systems are told.

    Raises
    ------
    InvalidInput
        If `engine` is none, or arrays are wanted where they play nothing.
    """
    if engine not in ("auto", "engine", "arrays"):
        raise InvalidInput(f"{what}: engine is {short(engine)}; give 'auto', 'engine' or 'arrays'")
    found, told = [], dict[str, list[str]]()
    for job in jobs:
        against = "" if engine == "engine" else why_not(job)
        if against and engine == "arrays":
            raise InvalidInput(f"{what}: {job.setup.ruleset.id} can't be played as arrays: {against}")
        arrays = engine != "engine" and not against
        found.append(job._replace(arrays=arrays))
        said = "as arrays" if arrays else f"by the engine{f' ({against})' if against else ''}"
        told.setdefault(said, []).append(job.setup.ruleset.id)
    return found, told


def announcement(what: str, n: int, told: Mapping[str, Sequence[str]]) -> str:
    """Say beforehand how many fights are played by what, in which systems."""
    parts = [
        f"{counted(n * len(ids), 'fight')} of {', '.join(dict.fromkeys(ids))} {said}" for said, ids in told.items()
    ]
    return f"{what}: {'; '.join(parts)}"
