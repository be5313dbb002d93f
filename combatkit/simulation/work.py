"""What a worker does: some fights, one after another, and what they came to or why one failed.

A job travels as bytes, with functions by value where cloudpickle is to be had: so a tactic written in a notebook runs
in another process. What a tactic raises comes back as data, never as an exception that some executor could not carry.
"""

from __future__ import annotations

import gc
import pickle
import traceback
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from combatkit.errors import InvalidInput
from combatkit.simulation.fights import Bounds, Setup, Tactics, fight, rows


class Job(NamedTuple):
    """Fights that differ by their seeds alone, whether their events are wanted too, and whether arrays play them."""

    setup: Setup
    tactics: Tactics
    bounds: Bounds
    events: bool = False
    arrays: bool = False


class Failure(NamedTuple):
    """Why a fight failed: its number and seed, what was raised, if that can be sent, and where, in words."""

    number: int
    seed: int
    error: BaseException | None
    trace: str


class Done(NamedTuple):
    """What some fights came to: rows of combatants, and the events of each fight, packed."""

    rows: list[tuple[object, ...]]
    events: list[tuple[str, bytes]]
    failure: Failure | None = None


def pack(job: Job) -> bytes:
    """Return a job as bytes.

    Raises
    ------
    InvalidInput
        If a tactic cannot be sent; it says what helps.
    """
    try:
        import cloudpickle  # type: ignore[import-untyped]
    except ImportError:
        dumps = pickle.dumps
    else:
        dumps = cloudpickle.dumps
    try:
        packed: bytes = dumps(job)
    except Exception as error:
        raise InvalidInput(
            f"simulate: the tactics cannot be sent to a worker ({error}); write them in a module, "
            "or install cloudpickle: pip install 'combatkit[sim]'"
        ) from error
    return packed


def carry_out(packed: bytes, fights: Sequence[tuple[int, int]]) -> Done:
    """Play fights in a worker.

    Parameters
    ----------
    packed : bytes
        The job, as `pack` gives it.
    fights : sequence of (int, int)
        Their numbers and seeds.

    Returns
    -------
    Done
        Up to the first that failed.
    """
    try:
        job: Job = pickle.loads(packed)
    except Exception:  # noqa: BLE001 - whatever can't be unpacked is reported with the first fight that needed it
        number, seed = fights[0]
        return Done([], [], Failure(number, seed, None, traceback.format_exc()))
    done = play_some(job, fights)
    if not gc.isenabled():
        gc.collect()
    failure = done.failure
    if failure is None or failure.error is None:
        return done
    return done._replace(failure=failure._replace(error=_sendable(failure.error)))


def play_some(job: Job, fights: Sequence[tuple[int, int]]) -> Done:
    """Play fights here; the first that fails ends it."""
    if job.arrays:
        from combatkit.simulation.arrays import rows as at_once  # it needs NumPy

        return Done(at_once(job.setup, fights, job.bounds), [])
    found: list[tuple[object, ...]] = []
    logs: list[tuple[str, bytes]] = []
    for number, seed in fights:
        try:
            enc, played = fight(job.setup, seed, job.tactics, job.bounds)
        except Exception as error:  # noqa: BLE001 - whatever a tactic raises is reported with its fight's seed
            return Done(found, logs, Failure(number, seed, error, traceback.format_exc()))
        found += rows(enc, number, played)
        if job.events:
            logs.append((enc.id, msgspec.msgpack.encode(list(enc._events))))
    return Done(found, logs)


def _sendable(error: BaseException) -> BaseException | None:
    """Return an exception as it would come out on the other side; None if it would not."""
    try:
        sent: BaseException = pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 - an exception may refuse to be pickled in any way it likes
        return None
    return sent if type(sent) is type(error) else None
