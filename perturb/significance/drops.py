"""The drop: clean minus perturbed on the same queries, positive where perturbation hurts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perturb.errors import MeasureError
from perturb.records import Float64Array
from perturb.significance.estimates import (
    ROUNDING,
    Estimate,
    as_numbers,
    check_resamples,
    checked_ids,
    estimates,
    refuse_nan,
    shown,
)
from perturb.significance.intervals import Method, Resampling
from perturb.wording import percent_of


@dataclass(frozen=True, slots=True)
class Drop:
    """How much quality was lost, in points of the measure (0 to 1); a gain is negative.

    Attributes:
        clean: mean of the unperturbed queries.
        perturbed: mean of the same queries perturbed.
        drop: clean − perturbed.
        drop_pct: per cent of clean; ``None`` if clean is 0.
        ci_low: lower limit of the drop, ``None`` with one query.
        ci_high: upper limit.
        p_value: sign-flip test, two-sided, corrected for skew; ``None`` with too few queries.
        n_queries: pairs.
        n_units: what was resampled: the queries, or their groups.
        losses: queries that perturbation hurt.
        ties: queries that it left alike.
        wins: queries that it helped.
        minimum_detectable: the smallest drop that this many queries would show, with 80 % power at 5 %.
        confidence: of the interval.
        notes: why something is missing or to be read with care.
    """

    clean: float
    perturbed: float
    drop: float
    drop_pct: float | None
    ci_low: float | None
    ci_high: float | None
    p_value: float | None
    n_queries: int
    n_units: int
    losses: int
    ties: int
    wins: int
    minimum_detectable: float | None
    confidence: float = 0.95
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        interval = f"n/d (n={self.n_units})"
        if self.ci_low is not None and self.ci_high is not None:
            interval = f"[{shown(self.ci_low)}; {shown(self.ci_high)}]"
        percent = "n/d" if self.drop_pct is None else f"{shown(self.drop_pct, 1)} %"
        text = (
            f"drop {shown(self.drop)} ({percent}), {percent_of(self.confidence)}% interval {interval}, "
            f"p {shown(self.p_value, 4)}, n={self.n_queries}"
        )
        return f"{text} ({'; '.join(self.notes)})" if self.notes else text


def average_variants(
    scores: ArrayLike, query_index: ArrayLike, n_queries: int | None = None, *, worst: bool = False
) -> tuple[Float64Array, NDArray[np.bool_]]:
    """Average the variants of each query, so that ten variants of one query are not ten queries.

    Args:
        scores: ``(…, n_variants)``.
        query_index: query of each variant, ``(n_variants,)``.
        n_queries: number of queries; by default as many as occur.
        worst: take the worst variant instead of the mean: a query counts only if all its variants succeed.

    Returns:
        float64 ``(…, n_queries)``, and bool ``(n_queries,)``: queries that have variants. The others are 0 and belong
        in no mean: pass the array on as ``mask``.

    Raises:
        MeasureError: arrays that do not fit, or a NaN or infinite score (names the variant's place and its query's).
    """
    values, owner = as_numbers(scores, "scores"), _whole(query_index)
    total = int(owner.max(initial=-1)) + 1 if n_queries is None else n_queries
    if owner.shape != values.shape[-1:] or (len(owner) and not 0 <= owner.min() <= owner.max() < total):
        raise MeasureError(f"scores are {values.shape}, query_index {owner.shape} must give each a query below {total}")
    flat = values.reshape(math.prod(values.shape[:-1]), values.shape[-1])
    wrong = ~np.isfinite(flat)
    if wrong.any():
        line, place = (int(at[0]) for at in np.nonzero(wrong))
        raise MeasureError(f"score of variant {place} of query {owner[place]} is {flat[line, place]}; mend the run")
    counts = np.bincount(owner, minlength=total)
    means = np.zeros((len(flat), total))
    order = np.argsort(owner, kind="stable")
    present = np.flatnonzero(counts)
    if len(present):
        starts = (np.cumsum(counts) - counts)[present]
        joined = np.minimum if worst else np.add
        means[:, present] = joined.reduceat(flat[:, order], starts, axis=1)
        if not worst:
            means[:, present] /= counts[present]
    return means.reshape(*values.shape[:-1], total), counts > 0


def _whole(query_index: ArrayLike) -> NDArray[np.intp]:
    """Places of queries; 1.5 is no place.

    Raises:
        MeasureError: they are no whole numbers.
    """
    numbers = as_numbers(query_index, "query_index")
    if not (np.isfinite(numbers) & (np.trunc(numbers) == numbers)).all():
        raise MeasureError("query_index holds what is no whole number; give the row of each variant's query")
    return numbers.astype(np.intp)


def drops(
    clean: ArrayLike,
    perturbed: ArrayLike,
    *,
    seed: int | str,
    mask: ArrayLike | None = None,
    query_ids: Sequence[str] | None = None,
    groups: Sequence[object] | None = None,
    resamples: int = 10_000,
    confidence: float = 0.95,
    method: Method = "bca",
    expand: bool = True,
) -> list[Drop]:
    """Drops of all cells of a table (model × perturbation × measure).

    Args:
        clean: scores ``(n_cells, n_queries)``, or ``(n_queries,)`` if all cells share them.
        perturbed: scores of the same queries perturbed, variants already averaged within the query.
        seed: the same seed gives the same figures, whatever other cells the table has.
        mask: bool ``(n_cells, n_queries)`` or ``(n_queries,)``: queries to which the perturbation applies; the drop
            is paired on these. What stands elsewhere is ignored.
        query_ids: names of the columns.
        groups: group of each query, resampled as a whole.
        resamples: bootstrap resamples and sign patterns.
        confidence: of the interval.
        method: ``bca`` or ``percentile``.
        expand: widen the tails for small samples; see :class:`Resampling`.

    Returns:
        One drop per cell, in order.

    Raises:
        MeasureError: a score that counts is NaN or infinite, a cell without queries, shapes that do not fit, query ids
            that are no text or occur twice, or scores that are no real numbers.
        ConfigError: an impossible setting.
    """
    settings = Resampling(seed, resamples, confidence, method, expand)
    check_resamples(settings)
    after = np.atleast_2d(as_numbers(perturbed, "perturbed scores"))
    unperturbed = as_numbers(clean, "clean scores")
    if max(after.ndim, unperturbed.ndim) > 2:
        raise MeasureError(
            f"clean scores {unperturbed.shape} and perturbed {after.shape}: give one row per cell, one column per query"
        )
    try:
        before = np.broadcast_to(unperturbed, after.shape)
        counted = np.broadcast_to(np.asarray(True if mask is None else mask, np.bool_), after.shape)
    except ValueError:
        raise MeasureError(
            f"clean scores {np.shape(clean)}, perturbed {after.shape} and mask {np.asarray(mask).shape} "
            "do not fit together"
        ) from None
    ids = checked_ids(query_ids, after.shape[1])
    if len(ids) == after.shape[1]:
        refuse_nan(before, counted, ids)
        refuse_nan(after, counted, ids)
    before, after = np.where(counted, before, 0.0), np.where(counted, after, 0.0)
    differences = before - after
    differences[np.abs(differences) < ROUNDING] = 0.0
    found = estimates(differences, settings, mask=counted, query_ids=ids, groups=groups)
    sizes = counted.sum(axis=1)
    # Added one by one in the order of the ids, a score of 0 that the mask put there leaves no trace in the last digit.
    by_id = sorted(range(len(ids)), key=ids.__getitem__)
    means = (
        np.stack([np.cumsum(scores[:, by_id], axis=1)[:, -1] for scores in (before, after)], axis=1) / sizes[:, None]
    )
    signs = np.stack([(differences > 0).sum(axis=1), (differences < 0).sum(axis=1)], axis=1)
    return [
        _drop(estimate, before_mean, after_mean, losses, wins, confidence)
        for estimate, (before_mean, after_mean), (losses, wins) in zip(
            found, means.tolist(), signs.tolist(), strict=True
        )
    ]


def paired_drop(
    clean: ArrayLike,
    perturbed: ArrayLike,
    *,
    seed: int | str,
    query_ids: Sequence[str] | None = None,
    groups: Sequence[object] | None = None,
    resamples: int = 10_000,
    confidence: float = 0.95,
    method: Method = "bca",
    expand: bool = True,
) -> Drop:
    """Drop of one cell; arguments and errors as in :func:`drops`, scores ``(n_queries,)``."""
    shapes = as_numbers(clean, "clean scores").shape, as_numbers(perturbed, "perturbed scores").shape
    if len(shapes[0]) != 1 or shapes[0] != shapes[1]:
        raise MeasureError(f"clean scores {shapes[0]} and perturbed {shapes[1]} are not pairs, one per query")
    return drops(
        clean,
        perturbed,
        seed=seed,
        query_ids=query_ids,
        groups=groups,
        resamples=resamples,
        confidence=confidence,
        method=method,
        expand=expand,
    )[0]


def _drop(estimate: Estimate, clean: float, perturbed: float, losses: int, wins: int, confidence: float) -> Drop:
    notes = estimate.notes if clean else (*estimate.notes, "baseline 0: no percentage")
    return Drop(
        clean=clean,
        perturbed=perturbed,
        drop=estimate.value,
        drop_pct=100.0 * estimate.value / clean + 0.0 if clean else None,
        ci_low=estimate.ci_low,
        ci_high=estimate.ci_high,
        p_value=estimate.p_value,
        n_queries=estimate.n_queries,
        n_units=estimate.n_units,
        losses=losses,
        ties=estimate.n_queries - losses - wins,
        wins=wins,
        minimum_detectable=estimate.minimum_detectable,
        confidence=confidence,
        notes=notes,
    )
