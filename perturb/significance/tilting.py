"""How far could the mean be from 0 by chance, if the changes are as skewed as they look?

The sign-flip test takes a loss and a gain of the same size for equally likely. Where many small gains stand against few
large losses they are not, and the test speaks up too often: a golden set of 50 queries holds two of the large losses or
five, and with two of them the small gains seem to win. Tilting asks the same question of the changes as they are: give
each a weight proportional to exp(λ · change), with the λ that makes their mean 0, and ask how often queries drawn with
these weights have a mean as far off as the one observed (Efron, Canadian Journal of Statistics 1981; DiCiccio and
Romano, International Statistical Review 1990). The answer is computed, not drawn: the tail of that mean is a
saddlepoint approximation (Barndorff-Nielsen's r*; Davison and Hinkley, *Bootstrap Methods and their Application*,
section 9.5), read from Student's t because the spread is estimated too.

What no query at hand shows cannot weigh: where one query in twenty loses all, 8 of 100 golden sets of 50 hold none of
them, and small gains then pass for sure (``benchmarks/interval_coverage.py``).
"""

from __future__ import annotations

import math

import numpy as np

from perturb.records import Float64Array

_AT_ONCE = 1 << 20
_STEPS = 60
_FURTHEST = 1e4
"""Of λ, in units of the largest change: beyond, the tail is far below what any table can show."""


def tilted_p_values(sums: Float64Array) -> Float64Array:
    """Two-sided p-values of a mean of 0 against the skew of the changes.

    Args:
        sums: float64 ``(n_cells, n_units)``: differences, added up within each unit (query or group); at least two
            units.

    Returns:
        float64 ``(n_cells,)``: 1 where nothing changed; 0 where all changes have one sign, since no weights make
        their mean 0: nothing at hand speaks for chance, and the sign-flip test alone has the word.
    """
    n_cells, n_units = sums.shape
    p_values = np.zeros(n_cells)
    p_values[~sums.any(axis=1)] = 1.0
    mixed = np.flatnonzero((sums.min(axis=1) < 0) & (sums.max(axis=1) > 0))
    rows = max(1, _AT_ONCE // n_units)
    for top in range(0, len(mixed), rows):
        cells = mixed[top : top + rows]
        statistic = _r_star(sums[cells] / np.abs(sums[cells]).max(axis=1, keepdims=True))
        p_values[cells] = [_t_tail(value, n_units) for value in statistic.tolist()]
    return p_values


def _r_star(changes: Float64Array) -> Float64Array:
    """Barndorff-Nielsen's r*, about normal where the true mean is 0 — float64 ``(n_cells,)``, positive in the tail."""
    n_units = changes.shape[1]
    tilt = _tilt_to_zero(changes)
    means, spreads = changes.mean(axis=1), changes.std(axis=1)
    exponents = tilt[:, None] * changes
    top = exponents.max(axis=1)
    cumulant = top + np.log(np.exp(exponents - top[:, None]).mean(axis=1))
    r = np.sqrt(np.maximum(2.0 * n_units * (cumulant - tilt * means), 0.0))
    u = np.abs(tilt) * spreads * math.sqrt(n_units)
    # Where the mean is next to 0 both are 0, and so is what they say.
    away = (r > 1e-4) & (u > 1e-4)
    corrected = np.zeros(len(r))
    corrected[away] = r[away] + np.log(u[away] / r[away]) / r[away]
    return corrected


def _tilt_to_zero(changes: Float64Array) -> Float64Array:
    """The λ at which the weighted mean is 0, by Newton steps that may not leave a bracket — ``(n_cells,)``."""
    tilt = np.zeros(len(changes))
    low, high = np.full(len(changes), -_FURTHEST), np.full(len(changes), _FURTHEST)
    for _ in range(_STEPS):
        exponents = tilt[:, None] * changes
        weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        mean = np.einsum("ij,ij->i", weights, changes)
        variance = np.einsum("ij,ij,ij->i", weights, changes, changes) - mean**2
        low, high = np.where(mean < 0, tilt, low), np.where(mean > 0, tilt, high)
        open_cells = np.abs(mean) > 1e-12 + 1e-9 * np.sqrt(np.maximum(variance, 0.0))
        if not open_cells.any():
            break
        step = tilt - mean / np.where(variance > 1e-15, variance, 1.0)
        outside = (step <= low) | (step >= high) | (variance <= 1e-15)
        tilt = np.where(open_cells, np.where(outside, (low + high) / 2.0, step), tilt)
    return tilt


def _t_tail(statistic: float, n_units: int) -> float:
    """Two-sided tail of Student's t with ``n_units − 1`` degrees of freedom (Wallace, Annals of Math. Statistics 1959).

    The error of the approximation is below 0.001 from 15 degrees of freedom on.
    """
    if statistic <= 0:
        return 1.0
    freedom = n_units - 1
    scaled = statistic * math.sqrt(freedom / n_units)
    normal = math.sqrt(freedom * math.log1p(scaled * scaled / freedom)) * (8 * freedom + 1) / (8 * freedom + 3)
    return math.erfc(normal / math.sqrt(2.0))
