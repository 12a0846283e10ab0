"""A small linear regression over variants in which each query counts once, with intervals over queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from perturb.records import Float64Array
from perturb.significance import Resampling
from perturb.significance.resampling import random_stream, resample_counts

MIN_QUERIES_PER_FACTOR = 10
"""Fewer queries per factor make a regression that says more about these queries than about others."""

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
        n_queries: queries resampled.
        n_variants: rows.
        notes: factors left out and why.
    """

    factors: tuple[Factor, ...]
    intercept: float
    explained: float
    n_queries: int
    n_variants: int
    notes: tuple[str, ...] = ()


def regress(
    drops: Float64Array,
    columns: Sequence[tuple[str, Float64Array]],
    query: NDArray[np.int64],
    resampling: Resampling,
    *,
    query_ids: Sequence[str] | None = None,
) -> Regression | None:
    """Fit the drops of variants by factors.

    A row weighs one over the variants of its query, so that ten variants of one query are not ten queries. Intervals
    are percentiles over resamples of whole queries (the pairs bootstrap by clusters of Cameron, Gelbach and Miller,
    2008): no assumption on the errors of variants of one query.

    Args:
        drops: float64 ``(n,)``, clean minus perturbed of each variant.
        columns: name and values ``(n,)`` of each factor.
        query: int64 ``(n,)``, the query of each variant.
        resampling: seed, resamples, confidence.
        query_ids: names of the queries by number, for the random stream.

    Returns:
        The fit; factors that do not vary or repeat others are left out and named. ``None`` if no factor is left, or
        with fewer than :data:`MIN_QUERIES_PER_FACTOR` queries per factor.
    """
    units, unit_of = np.unique(query, return_inverse=True)
    weights = 1.0 / np.bincount(unit_of)[unit_of] if len(query) else np.zeros(0)
    names, design, notes = _independent(columns, weights, len(drops))
    if not names or len(units) < MIN_QUERIES_PER_FACTOR * len(names):
        return None
    spreads = np.sqrt(_centred_squares(design[:, 1:], weights) / weights.sum())
    per_row = design * weights[:, None]
    squares = np.zeros((len(units), design.shape[1], design.shape[1]))
    np.add.at(squares, unit_of, per_row[:, :, None] * design[:, None, :])
    products = np.zeros((len(units), design.shape[1]))
    np.add.at(products, unit_of, per_row * drops[:, None])
    effects = np.linalg.solve(squares.sum(axis=0), products.sum(axis=0))
    ids = [str(unit) if query_ids is None else query_ids[unit] for unit in units]
    low, high = _limits(squares, products, ids, resampling)
    residual = float((weights * (drops - design @ effects) ** 2).sum())
    total = float(_centred_squares(drops[:, None], weights)[0])
    factors = tuple(
        Factor(name, float(effects[i]), _maybe(low[i]), _maybe(high[i]), float(effects[i] * spreads[i - 1]))
        for i, name in enumerate(names, 1)
    )
    explained = 1.0 - residual / total if total > 0 else 0.0
    return Regression(factors, float(effects[0]), max(0.0, explained), len(units), len(drops), tuple(notes))


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
    squares: Float64Array, products: Float64Array, ids: Sequence[str], resampling: Resampling
) -> tuple[Float64Array, Float64Array]:
    """Percentile limits of the effects; resamples in which the factors cannot be told apart are left out."""
    n_units, width = products.shape
    order = np.array(sorted(range(n_units), key=ids.__getitem__), np.intp)
    rng = random_stream(resampling.seed, "regression", [ids[unit] for unit in order])
    flat = squares.reshape(n_units, width * width)[order]
    found = []
    for counts in resample_counts(n_units, resampling.resamples, rng):
        drawn = counts.T.astype(np.float64)
        left = (drawn @ flat).reshape(-1, width, width)
        usable = np.linalg.cond(left) < 1.0 / _SINGULAR
        right = (drawn @ products[order])[usable]
        found.append(np.linalg.solve(left[usable], right[:, :, None])[:, :, 0])
    effects = np.concatenate(found)
    if len(effects) < 0.9 * resampling.resamples:
        nothing = np.full(width, np.nan)
        return nothing, nothing
    tail = (1.0 - resampling.confidence) / 2.0
    low, high = np.quantile(effects, [tail, 1.0 - tail], axis=0)
    return low, high


def _maybe(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
