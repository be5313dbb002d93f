"""What a number is worth: one scene with everything that is changed in it, fought many times with the same dice."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from itertools import product
from math import prod, sqrt
from typing import TYPE_CHECKING, NamedTuple

from combatkit.core.plain import own, short
from combatkit.errors import CombatkitError, InvalidInput
from combatkit.rules.ruleset import Ruleset
from combatkit.simulation.engines import Engine, announcement, chosen
from combatkit.simulation.fights import BOUNDS, COLUMNS, Setup, Tactics
from combatkit.simulation.running import check_many, chosen_systems, played, recalled
from combatkit.simulation.work import Job
from combatkit.study.scenes import Scene
from combatkit.study.scenes.changes import changed, check_change
from combatkit.tactics import strike

if TYPE_CHECKING:
    import polars as pl

    from combatkit.history.drawing import Shown

MOST = 1_000
"""How many combinations a sweep takes."""

_Z = 1.9599639845400536
"""How many deviations hold 95 per cent; the module that reckons it is slow to load."""
_RESUMED = "give a frame that sweep returned for the same scene, changes, n and seed"
_FIGHT, _WINNER = COLUMNS.index("fight"), COLUMNS.index("winner")
_NUMBERS = ("wins", "low", "high", "difference", "low_difference", "high_difference")


class _Try(NamedTuple):
    """One combination in one system: its values, who fights, who won each fight, and what is known of it already.

    Fights go by their number; what a frame that was stopped has goes by side.
    """

    rules: Ruleset
    values: tuple[object, ...]
    job: Job
    winners: dict[int, str | None]
    known: dict[str, tuple[float, ...]]

    @property
    def key(self) -> tuple[str, ...]:
        """What a frame knows it by: its system and values, as words."""
        return (self.rules.id, *map(str, self.values))

    @property
    def sides(self) -> list[str]:
        """The sides, in order of joining."""
        return list(dict.fromkeys(f.side for f in self.job.setup.encounter(0)._state.fighters.values()))


def sweep(
    scene: Scene,
    changes: Mapping[str, Iterable[object]],
    *,
    n: int = 1000,
    tactics: Tactics = strike,
    systems: str | Ruleset | Iterable[str | Ruleset] | None = None,
    seed: int = 0,
    executor: Executor | None = None,
    progress: bool = True,
    engine: Engine = "auto",
    resume: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Fight a scene with every combination of some changes, and return how often each side wins, as a frame.

    Parameters
    ----------
    scene : Scene
        What to fight.
    changes : mapping of str to iterable
        What becomes what: ``"distance"``; ``"NAME.WORD"``, a field of a scene's combatant or a stat of a system;
        ``"options.OPTION"``. The first value of each is what the others are compared with.
    n : int
        How many fights each combination gets in each system. Fights of the same number have the same seed in all.
    tactics : callable or mapping of str to callable
        As `simulate` takes them.
    systems : str, Ruleset or iterable, optional
        The systems; every known one if none is named.
    seed : int
        Where the fights' seeds come from, as in `simulate`.
    executor : Executor, optional
        Where the fights are played, as in `simulate`.
    progress : bool
        Whether to say beforehand by what the fights are played, and then how far they have come.
    engine : str
        By what they are played, as in `simulate`.
    resume : polars.DataFrame, optional
        A frame of the same sweep that was stopped: what it holds is not fought again, but for each system's first
        combination, with which the rest are compared.

    Returns
    -------
    polars.DataFrame
        A row per system, combination and side: ``system``, a column for each change, ``n``, ``side``; ``wins``, the
        share of fights the side won, from ``low`` to ``high`` at 95 per cent (Wilson's interval); and the
        ``difference`` in this from the first combination that the system played, fight by fight with the same seed,
        with its own 95 per cent (Bonett and Price's for pairs). `combatkit.simulation.chart` draws it.

    Raises
    ------
    UnknownName
        If nothing in the scene, or in any of the systems, has such a name.
    InvalidInput
        If an argument is wrong, or no system can play any of it.

    Warns
    -----
    UserWarning
        What was skipped, because a system does not have it, with the reason; and if it is stopped: the frame holds the
        combinations that are done.

    Examples
    --------
    >>> import combatkit as ck
    >>> frame = ck.sweep(ck.scene("catwalk"), {"Mara.hp": [8, 40]}, n=20, systems="saga", progress=False)
    >>> frame.filter(side="rebels").select("Mara.hp", "n", "wins", "difference").rows()
    [(8, 20, 0.05, 0.0), (40, 20, 0.65, 0.6)]
    """
    if not isinstance(scene, Scene):
        raise InvalidInput(f"sweep: {short(scene)} is not a scene; ck.scene(...) makes one")
    n, seed = check_many("sweep", n, seed, executor)
    known = chosen_systems("sweep", systems)
    values = _values(scene, changes, known)
    tries = _tries(scene, values, known, tactics, seed)
    _recall(resume, list(values), tries, n)
    first = {each.rules.id: each for each in reversed(tries)}
    due = [each for each in tries if not each.known or each is first[each.rules.id]]
    jobs, told = chosen("sweep", engine, [each.job for each in due])
    by_job = dict(zip(map(id, jobs), due, strict=True))
    if progress:
        print(announcement("sweep", n, told), file=sys.stderr, flush=True)  # noqa: T201
    try:
        for job, done in played("sweep", jobs, n, seed, executor, progress):
            by_job[id(job)].winners.update((row[_FIGHT], row[_WINNER]) for row in done.rows)  # type: ignore[misc]
    except KeyboardInterrupt:
        apart = {id for id, base in first.items() if base.known and len(base.winners) < n}
        whole = [each for each in tries if each.known or (len(each.winners) == n and each.rules.id not in apart)]
        if not whole:
            raise
        warnings.warn(
            f"sweep: stopped; {len(whole)} of {len(tries)} combinations are whole, and kept. With resume=FRAME the "
            "rest is fought",
            stacklevel=2,
        )
        tries = whole
    return _frame(list(values), tries, n)


def _values(scene: Scene, changes: object, systems: Sequence[Ruleset]) -> dict[str, list[object]]:
    """Return what each change goes through, checked."""
    if not isinstance(changes, Mapping) or not changes:
        raise InvalidInput(f'sweep: changes is {short(changes)}; give a mapping such as {{"Mara.speed": range(5)}}')
    values: dict[str, list[object]] = {}
    for key, given in changes.items():
        if not isinstance(key, str):
            raise InvalidInput(f'sweep: {short(key)} is not a name such as "Mara.speed"')
        check_change(scene, key, systems)
        each = own(given)
        if isinstance(each, (str, Mapping)) or not isinstance(each, Iterable):
            raise InvalidInput(f"sweep: {key} is {short(each)}; give several values, such as range(5)")
        values[key] = [own(value) for value in each]
        bad = [value for value in values[key] if type(value) not in (int, str, bool)]
        if bad or len({repr(value) for value in values[key]}) < max(1, len(values[key])):
            raise InvalidInput(f"sweep: {key} is {short(values[key])}; give whole numbers, words or bools, each once")
    count = prod(map(len, values.values()))
    if count > MOST:
        raise InvalidInput(f"sweep: these are {count:,} combinations; a sweep takes {MOST:,}")
    return values


def _tries(
    scene: Scene, values: Mapping[str, Sequence[object]], systems: Sequence[Ruleset], tactics: Tactics, seed: int
) -> list[_Try]:
    """Return every combination that a system has; what it does not have is skipped, and named."""
    tries: list[_Try] = []
    skipped: dict[tuple[str, str], _Skipped] = {}
    for rules in systems:
        for each in product(*values.values()):
            chosen = dict(zip(values, each, strict=True))
            try:
                setup = Setup(changed(scene, rules, chosen, seed))
            except CombatkitError as error:
                key, value, reason = _guilty(scene, rules, chosen, seed) or (", ".join(chosen), "", str(error))
                skipped.setdefault((key, rules.id), _Skipped(reason, {})).values[str(value)] = None
                continue
            tries.append(_Try(rules, each, Job(setup, tactics, BOUNDS), {}, {}))
    alike: dict[tuple[str, ...], list[tuple[str, str]]] = {}  # a change and its values, and where and why not
    for (key, system), found in skipped.items():
        alike.setdefault((key, *found.values), []).append((system, found.reason))
    told = "; ".join(
        f"{key} {', '.join(values)} in {', '.join(system for system, _ in places)} ({places[0][1]})"
        for (key, *values), places in alike.items()
    )
    if not tries:
        raise InvalidInput(f"sweep: no system plays any of this: {told}")
    if skipped:
        warnings.warn(f"sweep: skipped {told}", stacklevel=3)
    return tries


def _recall(resume: object, keys: Sequence[str], tries: Sequence[_Try], n: int) -> None:
    """Note what a frame that was stopped has of each combination; refuse a frame of another sweep."""
    if resume is None:
        return
    rows = recalled(resume, ("system", *keys, "n", "side", *_NUMBERS))
    if rows is None:
        raise InvalidInput(f"sweep: resume can't be gone on with; {_RESUMED}")
    by_key, last = {each.key: each for each in tries}, len(keys) + 1
    for row in rows:
        each = by_key.get(tuple(map(str, row[:last])))
        if each is None or row[last] != n or row[last + 1] not in each.sides:
            raise InvalidInput(f"sweep: resume has other combinations, fights or sides; {_RESUMED}")
        each.known[row[last + 1]] = row[last + 2 :]
    first = {each.rules.id: each for each in reversed(tries)}
    for each in tries:
        if len(each.known) < len(each.sides) or not first[each.rules.id].known:
            each.known.clear()  # it isn't whole, or what it was compared with is another


class _Skipped(NamedTuple):
    """Why a system skipped a change at first, and with which values."""

    reason: str
    values: dict[str, None]


def _guilty(scene: Scene, rules: Ruleset, chosen: Mapping[str, object], seed: int) -> tuple[str, object, str] | None:
    """Return the first change that a system refuses by itself, its value, and why."""
    for key, value in chosen.items():
        try:
            changed(scene, rules, {key: value}, seed)
        except CombatkitError as error:
            return key, value, str(error)
    return None


def _frame(keys: Sequence[str], tries: Sequence[_Try], n: int) -> pl.DataFrame:
    from combatkit.frames import pl

    columns = {key: _column([each.values[i] for each in tries for _ in each.sides]) for i, key in enumerate(keys)}
    rows = list(_rows(tries, n))
    shown = {
        "system": pl.Series([each.rules.id for each in tries for _ in each.sides], dtype=pl.String),
        **{key: pl.Series(column) for key, column in columns.items()},
        "n": pl.Series([n] * len(rows), dtype=pl.Int64),
        "side": pl.Series([side for side, _ in rows], dtype=pl.String),
    }
    for i, name in enumerate(_NUMBERS):
        shown[name] = pl.Series([numbers[i] for _, numbers in rows], dtype=pl.Float64)
    return pl.DataFrame(shown)


def _column(values: list[object]) -> list[object]:
    """Return values of one kind: as they are if they are, else as words."""
    return values if len(set(map(type, values))) == 1 else [str(value) for value in values]


def _rows(tries: Sequence[_Try], n: int) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield each side of each combination, with its numbers."""
    first: dict[str, _Try] = {}
    for each in tries:
        base = first.setdefault(each.rules.id, each)
        if len(each.winners) < n:
            yield from [(side, each.known[side]) for side in each.sides]
            continue
        for side in each.sides:
            won = sum(winner == side for winner in each.winners.values())
            pairs = [(each.winners[number] == side, base.winners[number] == side) for number in range(n)]
            more, fewer = pairs.count((True, False)), pairs.count((False, True))
            found = (won / n, *_share(won, n), (more - fewer) / n, *_pair(more, fewer, n, each is base))
            if each.known.get(side, found) != found:
                raise InvalidInput(f"sweep: resume has other fights in {each.rules.id}; {_RESUMED}")
            yield side, found


def _share(won: int, n: int) -> tuple[float, float]:
    """Return Wilson's interval of a share."""
    middle, square = won + _Z**2 / 2, _Z * sqrt(won * (n - won) / n + _Z**2 / 4)
    return max(0.0, (middle - square) / (n + _Z**2)), min(1.0, (middle + square) / (n + _Z**2))


def _pair(more: int, fewer: int, n: int, same: bool) -> tuple[float, float]:
    """Return Bonett and Price's interval of a difference between paired shares; none from the same fights."""
    if same:
        return 0.0, 0.0
    up, down = (more + 1) / (n + 2), (fewer + 1) / (n + 2)
    spread = _Z * sqrt((up + down - (up - down) ** 2) / (n + 2))
    return max(-1.0, up - down - spread), min(1.0, up - down + spread)


def chart(frame: pl.DataFrame) -> Shown:
    """Draw how often each side wins over what was changed, a picture per system, with its 95 per cent as a bar.

    Parameters
    ----------
    frame : polars.DataFrame
        What `sweep` returned. What it changed first runs from left to right; each combination of the rest
        has a picture of its own.

    Returns
    -------
    altair chart
        A point per side and value.

    Raises
    ------
    InvalidInput
        If the frame is none of a sweep.

    Examples
    --------
    >>> import combatkit as ck
    >>> frame = ck.sweep(ck.scene("catwalk"), {"Mara.hp": [8, 40]}, n=2, systems="saga", progress=False)
    >>> ck.simulation.chart(frame).title.text
    'Wins by Mara.hp'
    """
    from combatkit.simulation.charts import wins_chart

    return wins_chart(frame)
