"""Questions about drops: is it harmless, does it grow with severity, is one model's smaller than another's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from perturb.errors import ConfigError, MeasureError
from perturb.records import Float64Array
from perturb.significance.estimates import (
    MIN_QUERIES,
    ROUNDING,
    SMALL_SAMPLE,
    Estimate,
    as_numbers,
    estimates,
    rare_limit,
)
from perturb.significance.intervals import Resampling


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether a drop is shown to be harmless: two one-sided tests by the interval (Schuirmann 1987).

    Attributes:
        margin: the drop that one is ready to bear, in points of the measure.
        alpha: chance of calling a drop of exactly ``margin`` harmless.
        ci_low: lower limit of the ``1 − 2 alpha`` interval.
        ci_high: its upper limit: the drop is no larger than this.
        no_larger: shown to be below ``margin`` (non-inferiority).
        equivalent: shown to lie between ``-margin`` and ``margin``.
        notes: why nothing can be shown.
    """

    margin: float
    alpha: float
    ci_low: float | None
    ci_high: float | None
    no_larger: bool
    equivalent: bool
    notes: tuple[str, ...] = ()


def equivalence(
    clean: ArrayLike,
    perturbed: ArrayLike,
    *,
    margin: float,
    seed: int | str,
    alpha: float = 0.05,
    query_ids: Sequence[str] | None = None,
    groups: Sequence[object] | None = None,
    resamples: int = 10_000,
) -> Equivalence:
    """Test that there is no drop larger than ``margin``; absence of a significant drop shows no such thing.

    Where fewer than six queries changed, resampling them shows next to nothing. But if each query were lost whole with
    the probability ``1 − alpha^(1/n)``, none of ``n`` would be lost in ``alpha`` of all golden sets; the limits are
    then never closer to 0 than that (the *rule of three*: 3 / n at 5 %). What no query at hand hints at, as a rare
    catastrophe among many small changes, no such test can exclude.

    Args:
        clean: scores ``(n_queries,)``.
        perturbed: scores of the same queries perturbed.
        margin: in points of the measure, above 0; 0.02 is two points.
        seed: the same seed gives the same answer.
        alpha: error rate.
        query_ids: names of the queries.
        groups: group of each query, resampled as a whole.
        resamples: bootstrap resamples.

    Returns:
        The answer; with too few queries nothing is shown.

    Raises:
        ConfigError: ``margin`` not above 0.
        MeasureError: scores that cannot be averaged.
    """
    if not margin > 0.0:
        raise ConfigError(f"margin={margin} of the equivalence test must be above 0, such as 0.02 for two points")
    if not 0.0 < alpha < 0.5:
        raise ConfigError(f"alpha={alpha} of the equivalence test is not between 0 and 0.5; 0.05 is customary")
    settings = Resampling(seed, resamples, confidence=1.0 - 2.0 * alpha)
    differences = _differences(clean, perturbed)
    found = _estimate(differences, settings, query_ids, groups)
    low, high, notes = found.ci_low, found.ci_high, found.notes
    bound = rare_limit(found.n_units, alpha)
    few = _changed_units(differences, groups) < MIN_QUERIES
    if few and low is not None and high is not None and (high < bound or low > -bound):
        low, high = min(low, -bound), max(high, bound)
        notes = (*notes, f"limits no closer than {bound:.3f}: few changes among n={found.n_units} show no more")
    shown = low is not None and high is not None and found.n_units >= SMALL_SAMPLE
    no_larger = shown and high is not None and high < margin
    equivalent = no_larger and low is not None and low > -margin
    return Equivalence(margin, alpha, low, high, no_larger, equivalent, notes)


def drop_difference(
    first: tuple[ArrayLike, ArrayLike],
    second: tuple[ArrayLike, ArrayLike],
    *,
    seed: int | str,
    query_ids: Sequence[str] | None = None,
    groups: Sequence[object] | None = None,
    resamples: int = 10_000,
    confidence: float = 0.95,
) -> Estimate:
    """Compare the drops of two models, paired on the queries.

    Args:
        first: clean and perturbed scores of model A, ``(n_queries,)`` each.
        second: those of model B on the same queries.
        seed: the same seed gives the same figures.
        query_ids: names of the queries.
        groups: group of each query, resampled as a whole.
        resamples: bootstrap resamples.
        confidence: of the interval.

    Returns:
        Drop of A minus drop of B: below 0, A withstands the perturbation better.

    Raises:
        MeasureError: scores that cannot be paired or averaged.
    """
    ours, theirs = _differences(*first), _differences(*second)
    if ours.shape != theirs.shape:
        raise MeasureError(f"model A has {len(ours)} queries, model B {len(theirs)}; compare them on the same queries")
    return _estimate(ours - theirs, Resampling(seed, resamples, confidence), query_ids, groups)


def severity_slope(
    levels: Sequence[float],
    drops_by_level: ArrayLike,
    *,
    seed: int | str,
    mask: ArrayLike | None = None,
    query_ids: Sequence[str] | None = None,
    groups: Sequence[object] | None = None,
    resamples: int = 10_000,
    confidence: float = 0.95,
) -> Estimate:
    """How much the drop grows per step of severity: the mean over queries of each query's least-squares slope.

    Args:
        levels: severities, such as edits per query, ``(n_levels,)``, at least two different ones.
        drops_by_level: ``(n_levels, n_queries)``, clean − perturbed.
        seed: the same seed gives the same figures.
        mask: bool ``(n_levels, n_queries)``: where the perturbation applies; queries with fewer than two different
            levels have no slope and are left out.
        query_ids: names of the queries.
        groups: group of each query, resampled as a whole.
        resamples: bootstrap resamples.
        confidence: of the interval.

    Returns:
        Points of the measure per unit of severity.

    Raises:
        MeasureError: no query has two different levels, or scores that cannot be averaged.
    """
    table = as_numbers(drops_by_level, "drops by level")
    counted = np.ones(table.shape, np.bool_) if mask is None else np.asarray(mask, np.bool_)
    if table.ndim != 2 or len(levels) != len(table) or counted.shape != table.shape:
        raise MeasureError(f"{len(levels)} levels, drops {table.shape} and mask {counted.shape} do not fit together")
    table = np.where(counted, table, 0.0)
    severity = as_numbers(np.asarray(levels), "levels of severity")[:, None]
    if not np.isfinite(severity).all():
        raise MeasureError(f"levels of severity are {list(levels)}; a slope needs finite ones")
    average = np.where(counted, severity, 0.0).sum(axis=0) / np.maximum(counted.sum(axis=0), 1)
    offset = np.where(counted, severity - average, 0.0)
    spread = (offset**2).sum(axis=0)
    usable = spread > ROUNDING
    if not usable.any():
        raise MeasureError("no query has drops at two different severities; a slope needs them")
    slopes = (offset * table).sum(axis=0) / np.where(usable, spread, 1.0)
    settings = Resampling(seed, resamples, confidence)
    found = estimates(slopes[None], settings, mask=usable[None], query_ids=query_ids, groups=groups)[0]
    left_out = int((~usable).sum())
    note = (f"{left_out} queries left out: fewer than two severities",) if left_out else ()
    return replace(found, notes=(*found.notes, *note))


def _changed_units(differences: Float64Array, groups: Sequence[object] | None) -> int:
    """Queries that changed, or groups with a query that did: ten lost queries of one group are one event."""
    changed = np.flatnonzero(differences).tolist()
    return len(changed) if groups is None else len({str(groups[column]) for column in changed})


def _differences(clean: ArrayLike, perturbed: ArrayLike) -> Float64Array:
    before, after = as_numbers(clean, "clean scores"), as_numbers(perturbed, "perturbed scores")
    if before.shape != after.shape or before.ndim != 1:
        raise MeasureError(f"clean scores {before.shape} and perturbed {after.shape} are not pairs, one per query")
    # Infinite scores would make NaN here; they are refused below as they stand.
    with np.errstate(invalid="ignore"):
        differences: Float64Array = before - after
    differences[np.abs(differences) < ROUNDING] = 0.0
    return differences


def _estimate(
    values: Float64Array, settings: Resampling, query_ids: Sequence[str] | None, groups: Sequence[object] | None
) -> Estimate:
    return estimates(values[None], settings, query_ids=query_ids, groups=groups)[0]
