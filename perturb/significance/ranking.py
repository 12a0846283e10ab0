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
    pairs = [(clean, perturbed)]
    return ranking_changes(pairs, seed=seed, query_ids=query_ids, groups=groups, resamples=resamples)[0]


def ranking_changes(
    pairs: Sequence[tuple[ArrayLike, ArrayLike]],
    *,
    seed: int | str,
    query_ids: Sequence[str] | None = None,
    groups: Sequence[object] | None = None,
    resamples: int = 10_000,
) -> list[RankingChange]:
    """The same for several measures of the same queries, which share their resamples; as in :func:`ranking_change`.

    Args:
        pairs: clean and perturbed scores under each measure, ``(n_models, n_queries)`` each.
        seed: the same seed gives the same figures.
        query_ids: names of the queries.
        groups: group of each query.
        resamples: bootstrap resamples.
    """
    tables = [(np.asarray(clean, np.float64), np.asarray(perturbed, np.float64)) for clean, perturbed in pairs]
    if not tables:
        return []
    ids = [str(column) for column in range(tables[0][0].shape[-1])] if query_ids is None else list(query_ids)
    labels = ids if groups is None else [str(group) for group in groups]
    for before, after in tables:
        fitting = before.shape == after.shape and before.ndim == 2 and len(ids) == len(labels) == before.shape[-1]
        if not fitting or len(ids) < 2:
            raise MeasureError(
                f"clean {before.shape}, perturbed {after.shape}, {len(ids)} query ids and {len(labels)} groups: "
                "give two or more queries"
            )
        for table in (before, after):
            refuse_nan(table, np.ones(table.shape, np.bool_), ids)
    order = sorted(range(len(ids)), key=ids.__getitem__)
    names, unit_of = np.unique([labels[column] for column in order], return_inverse=True)
    if len(names) < 2:
        raise MeasureError("all queries are in one group; an order on other queries needs two or more groups")
    sizes = np.bincount(unit_of).astype(np.float64)
    shared = Resamples(sizes, resamples, seed, names.tolist())
    return [_change(before[:, order], after[:, order], unit_of.astype(np.intp), shared) for before, after in tables]


def _change(before: Float64Array, after: Float64Array, unit_of: NDArray[np.intp], shared: Resamples) -> RankingChange:
    n_models, n_units = len(before), len(shared.sizes)
    swaps, any_swap = np.zeros((n_models, n_models)), np.zeros(shared.resamples, np.bool_)
    observed = False
    for left in range(n_models):
        for right in range(left + 1, n_models):
            gaps = np.stack([before[left] - before[right], after[left] - after[right]])
            means = gaps.mean(axis=1, keepdims=True)
            noise = 1e-6 * max(1.0, float(np.abs(gaps).max()))
            swapped = _opposed(shared.deviations(unit_sums(gaps, unit_of, n_units)[0]) + means, noise)
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
