"""Playing many fights: in pieces, here or in workers, with a bar; the first that fails ends it, and says which."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice

from combatkit.core.plain import check_whole, own, short
from combatkit.errors import CombatkitError, InvalidInput
from combatkit.registry import ruleset as find_ruleset
from combatkit.registry import rulesets
from combatkit.rules.ruleset import Ruleset
from combatkit.simulation.executors import LostWorkerError, in_order
from combatkit.simulation.work import Done, Failure, Job, carry_out, pack, play_some

PIECE = 16
"""How many fights go to a worker at once, at most: few enough for a bar that moves, and for little to be done twice."""


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
    n, seed = check_whole(own(n), f"{what}: n", 1), own(seed)
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


def played(
    what: str,
    jobs: Sequence[Job],
    fights: Sequence[tuple[int, int]],
    executor: Executor | None,
    progress: bool,
) -> Iterator[tuple[Job, Done]]:
    """Yield what comes of each job's fights, piece by piece, in order.

    Raises
    ------
    CombatkitError
        Whatever a fight raised, or a worker that was lost for good; with the fight's seed.
    """
    with _bar(len(jobs) * len(fights), progress) as move_on:
        for job, done, count in _pieces(what, jobs, fights, executor):
            if done.failure is not None:
                _fail(what, job, done.failure)
            yield job, done
            move_on(count)


def _pieces(
    what: str, jobs: Sequence[Job], fights: Sequence[tuple[int, int]], executor: Executor | None
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
            f"{what}: the fights from number {number} on (seed {seed}) in {job.setup.ruleset.id} lost their worker "
            f"again and again; {_alone(seed)}"
        ) from error.__cause__


def _shares(fights: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Return the fights in shares, smaller ones where there are few."""
    size = max(1, min(PIECE, len(fights) // 8))
    rest = iter(fights)
    return list(iter(lambda: list(islice(rest, size)), []))


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
