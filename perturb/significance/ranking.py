"""Between models: does a perturbation change which is best, and which models are beaten in nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perturb.errors import MeasureError
from perturb.records import Float64Array
from perturb.significance.estimates import refuse_nan
from perturb.significance.resampling import Resamples, unit_sums


@dataclass(frozen=True, slots=True)
class RankingChange:
    """The order of models clean and perturbed.

    Attributes:
        clean: models, best first (ties in the order given).
        perturbed: models, best first.
        changed: two models change places in the means observed.
        probability: share of resamples of the queries in which any two models change places. What is within rounding of
            a tie changes no place.
        swaps: float64 ``(n_models, n_models)``: the same for each pair.
    """

    clean: tuple[int, ...]
    perturbed: tuple[int, ...]
    changed: bool
    probability: float
    swaps: Float64Array


def ranking_change(
    clean: ArrayLike,
    perturbed: ArrayLike,
    *,
    seed: int | str,
    query_ids: Sequence[str] | None = None,
    groups: Sequence[object] | None = None,
    resamples: int = 10_000,
) -> RankingChange:
    """How likely another set of such queries ranks the models otherwise perturbed than clean.

    Args:
        clean: scores ``(n_models, n_queries)``.
        perturbed: scores of the same queries perturbed.
        seed: the same seed gives the same figures.
        query_ids: names of the queries, at least two.
        groups: group of each query, resampled as a whole; at least two groups.
        resamples: bootstrap resamples.

    Returns:
        Both orders and the probability that they differ.

    Raises:
        MeasureError: shapes that do not fit, fewer than two queries or groups, or scores that are NaN or infinite.
    """
    before, after = np.asarray(clean, np.float64), np.asarray(perturbed, np.float64)
    ids = [str(column) for column in range(before.shape[-1])] if query_ids is None else list(query_ids)
    labels = ids if groups is None else [str(group) for group in groups]
    fitting = before.shape == after.shape and before.ndim == 2 and len(ids) == len(labels) == before.shape[-1]
    if not fitting or len(ids) < 2:
        raise MeasureError(
            f"clean {before.shape}, perturbed {after.shape}, {len(ids)} query ids and {len(labels)} groups: "
            "give two or more queries"
        )
    for table in (before, after):
        refuse_nan(table, np.ones(table.shape, np.bool_), ids)
    order = sorted(range(len(ids)), key=ids.__getitem__)
    before, after = before[:, order], after[:, order]
    n_models = len(before)
    names, inverse = np.unique([labels[column] for column in order], return_inverse=True)
    unit_ids, unit_of = names.tolist(), inverse.astype(np.intp)
    if len(unit_ids) < 2:
        raise MeasureError("all queries are in one group; an order on other queries needs two or more groups")
    sizes = unit_sums(before, unit_of, len(unit_ids))[1]
    resampled = Resamples(sizes, resamples, seed, unit_ids)
    swaps, any_swap = np.zeros((n_models, n_models)), np.zeros(resamples, np.bool_)
    observed = False
    for left in range(n_models):
        for right in range(left + 1, n_models):
            gaps = np.stack([before[left] - before[right], after[left] - after[right]])
            means = gaps.mean(axis=1, keepdims=True)
            noise = 1e-6 * max(1.0, float(np.abs(gaps).max()))
            swapped = _opposed(resampled.deviations(unit_sums(gaps, unit_of, len(unit_ids))[0]) + means, noise)
            observed |= bool(_opposed(means, noise)[0])
            any_swap |= swapped
            swaps[left, right] = swaps[right, left] = swapped.mean()
    return RankingChange(_best_first(before), _best_first(after), observed, float(any_swap.mean()), swaps)


def _opposed(gaps: Float64Array, noise: float) -> NDArray[np.bool_]:
    """Columns where the clean and the perturbed gap point in opposite directions."""
    opposed: NDArray[np.bool_] = (np.abs(gaps).min(axis=0) > noise) & ((gaps[0] > 0) != (gaps[1] > 0))
    return opposed


def _best_first(scores: Float64Array) -> tuple[int, ...]:
    return tuple(np.argsort(-scores.mean(axis=1), kind="stable").tolist())


def pareto_front(points: ArrayLike) -> NDArray[np.bool_]:
    """Models that no other model beats in everything: as good in all respects and better in one.

    Args:
        points: ``(n_models, n_respects)``, the more the better; negate what should be small.

    Returns:
        bool ``(n_models,)``.
    """
    values = np.asarray(points, np.float64)
    at_least = (values[:, None, :] >= values[None, :, :]).all(axis=2)
    better = (values[:, None, :] > values[None, :, :]).any(axis=2)
    unbeaten: NDArray[np.bool_] = np.logical_not((at_least & better).any(axis=0))
    return unbeaten
