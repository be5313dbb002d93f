"""Measuring beside a peer: interleaved pairs, their median, their range. Times mean nothing here, ratios do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

PAIRS = 7


@dataclass(frozen=True)
class Ratio:
    """A median of pairwise ratios, with its range."""

    median: float
    low: float
    high: float
    pairs: int

    def __str__(self) -> str:
        return f"{self.median:.2f} ({self.low:.2f} to {self.high:.2f}, {self.pairs} pairs)"


def summary(ratios: list[float]) -> Ratio:
    """Return the median of ratios and their range."""
    return Ratio(median(ratios), min(ratios), max(ratios), len(ratios))


def paired(ours: Callable[[], float], peer: Callable[[], float]) -> Ratio:
    """Measure in turn, ours and the peer, and give the ratio pair by pair.

    Parameters
    ----------
    ours, peer : callable
        Each gives one figure: a time or a rate.

    Returns
    -------
    Ratio
        Ours over the peer's.
    """
    return summary([ours() / peer() for _ in range(PAIRS)])


def verdict(name: str, ratio: Ratio, *, at_least: float | None = None, at_most: float | None = None) -> str:
    """Print-ready: what was measured, the ratio, the target, and whether it is met."""
    if at_least is not None:
        met, target = ratio.median >= at_least, f"at least {at_least:g}"
    else:
        assert at_most is not None
        met, target = ratio.median <= at_most, f"at most {at_most:g}"
    return f"{name}: {ratio}; target {target}: {'met' if met else 'NOT MET'}"
