"""How long queries are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from perturb.records import Float64Array
from perturb.traffic.estimates import CONFIDENCE, Share

_RESAMPLES = 1000
_BINS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
_BLOCK = 2_000_000


@dataclass(frozen=True, slots=True)
class Lengths:
    """Words and characters per query, repeats included.

    Attributes:
        mean_words: with its bootstrap interval over distinct queries.
        median_words: with the interval of its order statistics.
        mean_characters: with its bootstrap interval over distinct queries.
        words: how many queries have 1, 2, … words; the last entry counts all that are longer.
    """

    mean_words: Share
    median_words: Share
    mean_characters: Share
    words: tuple[int, ...]


def lengths_of(words: Sequence[int], characters: Sequence[int], weights: Float64Array, seed: int) -> Lengths:
    """Describe the lengths of distinct queries that were sent ``weights`` times.

    Args:
        words: words of each distinct query.
        characters: characters of each.
        weights: float64 ``(n,)``, how often each was sent.
        seed: of the bootstrap.
    """
    counted = np.array(words, np.float64)
    bins = [int(weights[counted == number].sum()) for number in _BINS] + [int(weights[counted > _BINS[-1]].sum())]
    return Lengths(
        _mean(counted, weights, seed),
        _median(counted, weights),
        _mean(np.array(characters, np.float64), weights, seed),
        tuple(bins),
    )


def _mean(values: Float64Array, weights: Float64Array, seed: int) -> Share:
    rng = np.random.default_rng(seed)
    mean = float(values @ weights / weights.sum())
    block = max(1, _BLOCK // len(values))
    drawn: list[Float64Array] = []
    for top in range(0, _RESAMPLES, block):
        rows = min(block, _RESAMPLES - top)
        chosen = rng.integers(0, len(values), (rows, len(values)))
        drawn.append((values * weights)[chosen].sum(axis=1) / weights[chosen].sum(axis=1))
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(np.concatenate(drawn), (tail, 1 - tail))
    return Share(mean, float(low), float(high))


def _median(values: Float64Array, weights: Float64Array) -> Share:
    """Median with the order statistics that hold it (normal approximation of the binomial)."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order]) / weights.sum()
    n = float(weights.sum() ** 2 / (weights**2).sum())
    half = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2) / (2 * n**0.5)

    def at(share: float) -> float:
        place = int(np.searchsorted(reached, min(max(share, 0.0), 1.0) - 1e-12))
        return float(values[order][min(place, len(values) - 1)])

    return Share(at(0.5), at(0.5 - half), at(0.5 + half))
