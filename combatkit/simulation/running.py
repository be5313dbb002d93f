"""Playing many fights: in pieces, here or in workers, with a bar; the first that fails ends it, and says which."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from itertools import starmap
from time import monotonic
from typing import Any

from combatkit.core.plain import check_whole, own, short
from combatkit.errors import CombatkitError, InvalidInput
from combatkit.registry import ruleset as find_ruleset
from combatkit.registry import rulesets
from combatkit.rules.ruleset import Ruleset
from combatkit.simulation.executors import LostWorkerError, in_order
from combatkit.simulation.fights import seed_of
from combatkit.simulation.work import Done, Failure, Job, carry_out, pack, play_some

PIECE = 16
"""How many fights go to a worker at once, at most: few enough for a bar that moves, and for little to be done twice."""

ARRAYS = 5_000
"""How many fights are played as arrays at once, at most."""

_MAIN = 'if __name__ == "__main__":'


def check_many(what: str, n: object, seed: object, executor: object) -> tuple[int, int]:
    """Return how often fights are played and from which seed; refuse anything else, and a place that is none.

    Parameters
    ----------
    what : str
        The call, for error messages.
    n : object
        How often.
    seed : object
        Where the fights' seeds come from.
    executor : object
        Where they are played; None for here.

    Raises
    ------
    InvalidInput
        If one is no such thing.
    """
    n, seed = check_whole(n, f"{what}: n", 1), own(seed)
    if type(seed) is not int or not 0 <= seed < 1 << 64:
        raise InvalidInput(f"{what}: seed is {short(seed)}; give a whole number from 0 to 2**64 - 1")
    if executor is not None and not hasattr(executor, "submit"):
        raise InvalidInput(f"{what}: executor is {short(executor)}; give one, such as simulation.processes(2)")
    return n, seed


def chosen_systems(what: str, systems: str | Ruleset | Iterable[str | Ruleset] | None) -> list[Ruleset]:
    """Return the systems a scene is played in; every known one if none is named.

    Raises
    ------
    InvalidInput, UnknownName
        If they are no such thing, or none.
    """
    if systems is None:
        chosen: Sequence[str | Ruleset] = rulesets()
    elif isinstance(systems, (str, Ruleset)):
        chosen = [systems]
    elif isinstance(systems, Iterable):
        chosen = list(systems)
    else:
        raise InvalidInput(f"{what}: systems is {short(systems)}; give a ruleset's id, or several")
    if not chosen:
        raise InvalidInput(f"{what}: systems is empty; name at least one ruleset")
    return [each if isinstance(each, Ruleset) else find_ruleset(each) for each in chosen]


def recalled(resume: object, columns: Sequence[str]) -> list[Any] | None:
    """Return the rows of a frame that was stopped; None if it is no such frame."""
    rows = getattr(resume, "rows", None)
    return rows() if callable(rows) and tuple(getattr(resume, "columns", ())) == tuple(columns) else None


def played(
    what: str,
    jobs: Sequence[Job],
    n: int,
    seed: int,
    executor: Executor | None,
    progress: bool,
    kept: Collection[tuple[str, int]] = (),
) -> Iterator[tuple[Job, Done]]:
    """Yield what comes of each job's fights, piece by piece, in order, but for those that are kept, by system.

    Raises
    ------
    CombatkitError
        Whatever a fight raised, or a worker that was lost for good; with the fight's seed.
    """
    fights = [(number, seed_of(seed, number)) for number in range(n)]
    pieces = []
    for job in jobs:
        left = [each for each in fights if (job.setup.ruleset.id, each[0]) not in kept] if kept else fights
        size = ARRAYS if job.arrays else 1 if executor is None else max(1, min(PIECE, n // 8))
        pieces += [(job, left[start : start + size]) for start in range(0, len(left), size)]
    found: Iterator[Done] = starmap(play_some, pieces)
    if executor is not None:
        packed = {id(job): pack(job) for job in jobs}
        found = in_order(carry_out, [(packed[id(job)], share) for job, share in pieces], executor)
    try:
        with _bar(what, sum(len(share) for _, share in pieces), progress) as bar:
            for (job, share), done in zip(pieces, found, strict=True):
                if done.failure is not None:
                    _fail(what, job, done.failure)
                yield job, done
                if bar is not None:
                    bar.update(len(share))
    except LostWorkerError as error:
        job, ((number, seed), *_) = pieces[error.piece]
        started = "" if error.piece else f". If no worker starts at all: a script makes its pool under {_MAIN}"
        raise CombatkitError(
            f"{what}: the fights from number {number} on (seed {seed}) in {job.setup.ruleset.id} lost their worker "
            f"again and again; {_alone(seed)}{started}"
        ) from error.__cause__


def _fail(what: str, job: Job, failure: Failure) -> None:
    """Raise what a fight failed with, and say how it is played alone."""
    where = f"in fight {failure.number} of {job.setup.ruleset.id}, seed {failure.seed}; {_alone(failure.seed)}"
    if failure.error is None:
        raise CombatkitError(f"{what}: a worker failed {where}\n\n{failure.trace}")
    error = failure.error
    error.add_note(where)
    if error.__traceback__ is None:  # it comes from another process
        error.add_note(f"\n{failure.trace}")
    raise error


def _alone(seed: int) -> str:
    return f"it is played alone by simulate(..., n=1, seed={seed})"


def _bar(what: str, total: int, progress: bool) -> AbstractContextManager[Any]:
    """Return a bar, else None, to be entered either way: tqdm's where it is installed, or lines of our own."""
    if not progress:
        return nullcontext()
    if find_spec("tqdm") is None:
        return nullcontext(Lines(what, total))
    from tqdm.auto import tqdm  # type: ignore[import-untyped]

    bar: AbstractContextManager[Any] = tqdm(total=total, unit="fight", leave=False)
    return bar


class Lines:
    """Says every few seconds how many fights are done and how long the rest will take, in a notebook or a terminal.

    It goes by the last few seconds: arrays are hundreds of times as quick as the engine, and systems differ too.

    Parameters
    ----------
    what : str
        The call.
    total : int
        How many fights there are.

    Examples
    --------
    >>> lines = Lines("simulate", 10)
    >>> lines.told(4, 1.5)
    'simulate: 4 of 10 fights done, about 9 s left'
    """

    EVERY = 2.0

    def __init__(self, what: str, total: int) -> None:
        self._what, self._total, self._done, self._told = what, total, 0, 0
        self._last = monotonic()

    def told(self, done: int, each: float) -> str:
        """Say how many are done, and how long the rest will take if each takes so many seconds."""
        left = each * (self._total - done)
        return f"{self._what}: {done:,} of {self._total:,} fights done, about {left:.0f} s left"

    def update(self, count: int) -> None:
        """Count fights that are done."""
        self._done, now = self._done + count, monotonic()
        if now - self._last > self.EVERY:
            each = (now - self._last) / (self._done - self._told)
            self._last, self._told = now, self._done
            print(self.told(self._done, each), file=sys.stderr, flush=True)  # noqa: T201
