"""A small linear regression over variants in which each query counts once, with intervals over queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from perturb.records import Float64Array
from perturb.significance import Resampling
from perturb.significance.resampling import random_stream, resample_counts

MIN_QUERIES_PER_FACTOR = 10
"""Fewer queries (or groups) per factor make a regression that says more about these queries than about others."""

_SINGULAR = 1e-9


@dataclass(frozen=True, slots=True)
class Factor:
    """What one factor goes with, all others held.

    Attributes:
        name: of the factor.
        effect: points of the measure lost per unit of the factor.
        ci_low: lower limit, by resampling queries; ``None`` where it cannot be had.
        ci_high: upper limit.
        per_spread: points lost per standard deviation of the factor, to compare factors of different units.
    """

    name: str
    effect: float
    ci_low: float | None
    ci_high: float | None
    per_spread: float


@dataclass(frozen=True, slots=True)
class Regression:
    """Weighted least squares of the drop of each variant on its factors.

    Attributes:
        factors: in the order given, without those left out.
        intercept: drop where all factors are 0.
        explained: share of the variance of the drops that the factors account for, 0 to 1.
        n_queries: queries.
        n_variants: rows.
        notes: factors left out and why.
        n_units: what was resampled: the queries, or their groups.
    """

    factors: tuple[Factor, ...]
    intercept: float
    explained: float
    n_queries: int
    n_variants: int
    notes: tuple[str, ...] = ()
    n_units: int = 0


def regress(
    drops: Float64Array,
    columns: Sequence[tuple[str, Float64Array]],
    query: NDArray[np.int64],
    resampling: Resampling,
    *,
    query_ids: Sequence[str] | None = None,
    groups: Mapping[str, str] | None = None,
) -> Regression | None:
    """Fit the drops of variants under one measure; all else as in :func:`regressions`, drops ``(n,)``."""
    found = regressions(drops[None], columns, query, resampling, query_ids=query_ids, groups=groups)
    return found[0]


def regressions(
    drops: Float64Array,
    columns: Sequence[tuple[str, Float64Array]],
    query: NDArray[np.int64],
    resampling: Resampling,
    *,
    query_ids: Sequence[str] | None = None,
    groups: Mapping[str, str] | None = None,
) -> list[Regression | None]:
    """Fit the drops of variants by factors, under several measures at once: they share factors and resamples.

    A row weighs one over the variants of its query, so that ten variants of one query are not ten queries. Intervals
    are percentiles over resamples of whole queries, or of whole groups of them (the pairs bootstrap by clusters of
    Cameron, Gelbach and Miller, 2008): no assumption on the errors of variants of one unit.

    Args:
        drops: float64 ``(n_measures, n)``, clean minus perturbed of each variant.
        columns: name and values ``(n,)`` of each factor.
        query: int64 ``(n,)``, the query of each variant.
        resampling: seed, resamples, confidence.
        query_ids: names of the queries by number, for the random stream.
        groups: by query id what is resampled as a whole; ``None`` for single queries.

    Returns:
        One fit per measure; factors that do not vary or repeat others are left out and named. ``None`` if no factor is
        left, or with fewer than :data:`MIN_QUERIES_PER_FACTOR` queries (or groups) per factor.
    """
    queries, place_of = np.unique(query, return_inverse=True)
    weights = 1.0 / np.bincount(place_of)[place_of] if len(query) else np.zeros(0)
    ids = [str(number) if query_ids is None else query_ids[number] for number in queries]
    units, unit_of_query = np.unique([groups[name] if groups else name for name in ids], return_inverse=True)
    names, design, notes = _independent(columns, weights, drops.shape[1])
    if not names or len(units) < MIN_QUERIES_PER_FACTOR * len(names):
        return [None] * len(drops)
    unit_of = unit_of_query[place_of]
    spreads = np.sqrt(_centred_squares(design[:, 1:], weights) / weights.sum())
    per_row = design * weights[:, None]
    squares = np.zeros((len(units), design.shape[1], design.shape[1]))
    np.add.at(squares, unit_of, per_row[:, :, None] * design[:, None, :])
    products = np.zeros((len(units), design.shape[1], len(drops)))
    np.add.at(products, unit_of, per_row[:, :, None] * drops.T[:, None, :])
    effects = np.linalg.solve(squares.sum(axis=0), products.sum(axis=0))
    low, high = _limits(squares, products, units.tolist(), resampling)
    residuals = (weights[:, None] * (drops.T - design @ effects) ** 2).sum(axis=0)
    totals = _centred_squares(drops.T, weights)
    return [
        Regression(
            tuple(
                Factor(name, float(own[i]), _maybe(low[i, m]), _maybe(high[i, m]), float(own[i] * spreads[i - 1]))
                for i, name in enumerate(names, 1)
            ),
            float(own[0]),
            max(0.0, 1.0 - float(residuals[m] / totals[m])) if totals[m] > 0 else 0.0,
            len(queries),
            drops.shape[1],
            tuple(notes),
            len(units),
        )
        for m, own in enumerate(effects.T)
    ]


def _independent(
    columns: Sequence[tuple[str, Float64Array]], weights: Float64Array, n_rows: int
) -> tuple[list[str], Float64Array, list[str]]:
    """Intercept and the factors that vary and are no combination of those before them."""
    names: list[str] = []
    notes: list[str] = []
    kept = [np.ones(n_rows)]
    for name, values in columns:
        if not len(values) or np.ptp(values) <= _SINGULAR:
            notes.append(f"{name}: left out, it does not vary")
            continue
        weighted = np.stack(kept, axis=1) * np.sqrt(weights)[:, None]
        target = values * np.sqrt(weights)
        fitted = weighted @ np.linalg.lstsq(weighted, target, rcond=None)[0]
        spread = float(_centred_squares(values[:, None], weights)[0])
        if float(((target - fitted) ** 2).sum()) <= _SINGULAR * max(spread, _SINGULAR):
            notes.append(f"{name}: left out, the factors before it determine it")
            continue
        kept.append(values)
        names.append(name)
    return names, np.stack(kept, axis=1), notes


def _centred_squares(table: Float64Array, weights: Float64Array) -> Float64Array:
    mean = (weights[:, None] * table).sum(axis=0) / weights.sum()
    squares: Float64Array = (weights[:, None] * (table - mean) ** 2).sum(axis=0)
    return squares


def _limits(
    squares: Float64Array, products: Float64Array, unit_ids: Sequence[str], resampling: Resampling
) -> tuple[Float64Array, Float64Array]:
    """Percentile limits of the effects; resamples in which the factors cannot be told apart are left out.

    Args:
        squares: float64 ``(n_units, width, width)``.
        products: float64 ``(n_units, width, n_measures)``.
        unit_ids: names of the units, sorted.
        resampling: seed, resamples, confidence.

    Returns:
        Lower and upper limits, float64 ``(width, n_measures)`` each; NaN where too few resamples can be used.
    """
    n_units, width, n_measures = products.shape
    rng = random_stream(resampling.seed, "regression", unit_ids)
    flat, flat_products = squares.reshape(n_units, width * width), products.reshape(n_units, width * n_measures)
    found = []
    for counts in resample_counts(n_units, resampling.resamples, rng):
        drawn = counts.T.astype(np.float64)
        left = (drawn @ flat).reshape(-1, width, width)
        usable = np.linalg.cond(left) < 1.0 / _SINGULAR
        right = (drawn @ flat_products).reshape(-1, width, n_measures)
        found.append(np.linalg.solve(left[usable], right[usable]))
    effects = np.concatenate(found)
    if len(effects) < 0.9 * resampling.resamples:
        nothing = np.full((width, n_measures), np.nan)
        return nothing, nothing
    tail = (1.0 - resampling.confidence) / 2.0
    low, high = np.quantile(effects, [tail, 1.0 - tail], axis=0)
    return low, high


def _maybe(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
