"""Shares with their intervals, and shares corrected for the errors of the detector that counted them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from perturb.records import Float64Array

CONFIDENCE = 0.95
_DRAWS = 2000
_STEPS = 150
_START = 1e-3
_FALSE_ALARMS_UP_TO = 2.0
_Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)


@dataclass(frozen=True, slots=True)
class Share:
    """A share of queries.

    Attributes:
        estimate: 0 to 1.
        low: lower limit of the 95 % interval.
        high: upper limit.
    """

    estimate: float
    low: float
    high: float


def wilson(share: float, n: float) -> Share:
    """Wilson's score interval (JASA 1927), which holds for small numbers and for shares near 0 and 1.

    Args:
        share: observed, 0 to 1.
        n: number of independent queries, need not be whole; with 0 the interval is [0; 1].
    """
    if n <= 0:
        return Share(0.0, 0.0, 1.0)
    spread = _Z**2 / n
    centre = (share + spread / 2) / (1 + spread)
    half = _Z / (1 + spread) * math.sqrt(share * (1 - share) / n + spread / (4 * n))
    return Share(share, 0.0 if share == 0 else max(0.0, centre - half), 1.0 if share == 1 else min(1.0, centre + half))


@dataclass(frozen=True, slots=True)
class Confusion:
    """How a detector errs: counts from text whose noise is known.

    Attributes:
        classes: what a query can be.
        counts: float64 ``(n_classes, n_classes)``: of queries that are the row, how many were taken for the column.
        clean: classes without noise. Their false alarms depend on how many names and terms of the trade a log holds, so
            that they are taken to be anything from none to twice as many as were measured.
    """

    classes: tuple[str, ...]
    counts: Float64Array
    clean: tuple[str, ...] = ()

    def rate(self, true: str, taken_for: str) -> float:
        """Share of the queries that are ``true`` which the detector takes for ``taken_for``."""
        row = self.counts[self.classes.index(true)]
        return float(row[self.classes.index(taken_for)] / row.sum()) if row.sum() else 0.0


@dataclass(frozen=True, slots=True)
class Corrected:
    """True shares of the classes behind what a detector counted.

    Attributes:
        classes: names.
        shares: float64 ``(n_classes,)``, adding up to 1.
        draws: float64 ``(n_draws, n_classes)``: what they might be, given that both log and errors are samples.
    """

    classes: tuple[str, ...]
    shares: Float64Array
    draws: Float64Array

    def share(self, *wanted: str, of: tuple[str, ...] = ()) -> Share:
        """Share of some classes, of all queries or of those in other classes, with its 95 % interval."""
        top = [self.classes.index(name) for name in wanted]
        bottom = [self.classes.index(name) for name in (of or self.classes)]
        estimate = _ratio(self.shares[None, :], top, bottom)[0]
        tail = (1 - CONFIDENCE) / 2
        low, high = np.quantile(_ratio(self.draws, top, bottom), (tail, 1 - tail))
        return Share(float(estimate), float(min(low, estimate)), float(max(high, estimate)))


def _ratio(shares: Float64Array, top: list[int], bottom: list[int]) -> Float64Array:
    base = shares[:, bottom].sum(axis=1)
    ratio: Float64Array = np.divide(shares[:, top].sum(axis=1), base, out=np.zeros(len(shares)), where=base > 1e-12)
    return ratio


def corrected(observed: Float64Array, n: float, confusion: Confusion, seed: int) -> Corrected:
    """Undo the errors of a detector: the estimator of Rogan and Gladen (Am. J. Epidemiol. 1978) for several classes.

    The most likely true shares are found by expectation maximisation, so that they never leave 0 to 1. The interval
    lets the log, the measured errors (Dirichlet draws, Jeffreys' prior for the log) and the false alarms vary.

    Args:
        observed: float64 ``(n_classes,)``, shares as counted.
        n: independent queries that were looked at.
        confusion: the detector's errors.
        seed: of the draws.
    """
    size = len(observed)
    errors = confusion.counts / confusion.counts.sum(axis=1, keepdims=True)
    shares = _maximised(observed[None, :], errors[None, :, :])[0]
    rng = np.random.default_rng(seed)
    counted = rng.gamma(observed * n + 0.5, size=(_DRAWS, size))
    drawn = rng.gamma(confusion.counts + 1 / size, size=(_DRAWS, size, size))
    rates = drawn / drawn.sum(axis=2, keepdims=True)
    factor = rng.uniform(0, _FALSE_ALARMS_UP_TO, size=(_DRAWS, 1))
    for name in confusion.clean:
        row = confusion.classes.index(name)
        rates[:, row, :] *= factor
        rates[:, row, row] += np.maximum(1 - rates[:, row, :].sum(axis=1), -rates[:, row, row])
        rates[:, row, :] /= rates[:, row, :].sum(axis=1, keepdims=True)
    draws = _maximised(counted / counted.sum(axis=1, keepdims=True), rates)
    return Corrected(confusion.classes, shares, draws)


def _maximised(observed: Float64Array, errors: Float64Array) -> Float64Array:
    """Most likely true shares, ``(n, n_classes)``, of observed shares under ``(n, true, taken for)`` error rates."""
    try:
        solved: Float64Array = np.linalg.solve(np.swapaxes(errors, 1, 2), observed[:, :, None])[:, :, 0].astype(
            np.float64
        )
    except np.linalg.LinAlgError:
        solved = np.full(observed.shape, -1.0)
    # Where the linear equations have a solution with shares, it is the most likely one.
    outside = (solved < 0).any(axis=1)
    shares = np.maximum(solved[outside], _START)
    shares /= shares.sum(axis=1, keepdims=True)
    left, wrong = observed[outside], errors[outside]
    for _ in range(_STEPS):
        expected = (shares[:, None, :] @ wrong)[:, 0, :]
        weights = np.divide(left, expected, out=np.zeros_like(left), where=expected > 0)
        shares = shares * (wrong @ weights[:, :, None])[:, :, 0]
        shares /= shares.sum(axis=1, keepdims=True)
    solved[outside] = shares
    return solved
