"""Which model stands highest, clean and perturbed, and whether it does so beyond noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from perturb.evaluation.corrections import adjusted
from perturb.evaluation.groups import labels, n_units
from perturb.evaluation.paired import model_scores, overall_scores, paired_scores
from perturb.evaluation.running import Evaluation
from perturb.records import Float64Array
from perturb.significance import Estimate, Resampling, estimates

_TIE = 1e-9


@dataclass(frozen=True, slots=True)
class Gap:
    """How far the best model is ahead of another, paired on the queries.

    Attributes:
        model: the other model.
        difference: score of the best minus that of the other, in points of the measure.
        ci_low: lower limit; ``None`` with one query or group.
        ci_high: upper limit.
        p_adjusted: two-sided sign-flip test, corrected over all pairs of models, clean and perturbed; ``None`` with too
            few queries.
        minimum_detectable: smallest true difference that so many queries would show, 80 % power at 5 %.
    """

    model: str
    difference: float
    ci_low: float | None
    ci_high: float | None
    p_adjusted: float | None
    minimum_detectable: float | None


@dataclass(frozen=True, slots=True)
class Standing:
    """The best model under the leading measure.

    Attributes:
        perturbed: on perturbed queries (all perturbations averaged within the query) or on clean ones.
        best: the models with the highest mean; several only if they tie.
        mean: their mean.
        gaps: to all other models, the nearest first.
        n_queries: queries.
        n_units: what was resampled: the queries, or their groups.
    """

    perturbed: bool
    best: tuple[str, ...]
    mean: float
    gaps: tuple[Gap, ...]
    n_queries: int
    n_units: int


def standings(
    evaluation: Evaluation,
    resampling: Resampling,
    groups: dict[str, str] | None = None,
    adjustment: str = "holm",
) -> tuple[Standing, ...]:
    """Find the best model clean, on all scored queries, and perturbed, on those to which a perturbation applies.

    The best of several models is picked after looking, so each of its leads is corrected for all pairs there are.

    Args:
        evaluation: finished.
        resampling: seed, resamples, confidence and method.
        groups: by query id what is resampled as a whole; ``None`` for single queries.
        adjustment: correction over all pairs, ``holm`` or ``bh``.

    Returns:
        Clean, then perturbed; nothing without a model, no second one if nothing was perturbed.
    """
    if not evaluation.succeeded:
        return ()
    rows, ids = evaluation.original_rows, evaluation.qrels.query_ids
    scored = tuple(query_id for query_id, row in zip(ids, rows, strict=True) if row >= 0)
    tables = [(False, model_scores(evaluation)[:, rows[rows >= 0]], scored)]
    overall = overall_scores(paired_scores(evaluation))
    if overall is not None:
        tables.append((True, overall.perturbed, overall.query_ids))
    pairs = list(combinations(range(len(evaluation.succeeded)), 2))
    found = [_differences(scores, names, pairs, resampling, groups) for _, scores, names in tables]
    corrected = iter(adjusted([estimate.p_value for part in found for estimate in part], adjustment))
    result = []
    for (perturbed, scores, names), part in zip(tables, found, strict=True):
        by_pair = {pair: replace(estimate, p_value=next(corrected)) for pair, estimate in zip(pairs, part, strict=True)}
        models = [model.name for model in evaluation.succeeded]
        best, mean, gaps = _best(models, scores.mean(axis=1).tolist(), by_pair)
        result.append(Standing(perturbed, best, mean, gaps, len(names), n_units(groups, names)))
    return tuple(result)


def _differences(
    scores: Float64Array,
    query_ids: tuple[str, ...],
    pairs: Sequence[tuple[int, int]],
    resampling: Resampling,
    groups: dict[str, str] | None,
) -> list[Estimate]:
    if not pairs:
        return []
    gaps = np.stack([scores[one] - scores[other] for one, other in pairs])
    return estimates(gaps, resampling, query_ids=query_ids, groups=labels(groups, query_ids))


def _best(
    models: Sequence[str], means: Sequence[float], by_pair: dict[tuple[int, int], Estimate]
) -> tuple[tuple[str, ...], float, tuple[Gap, ...]]:
    highest = max(means)
    tied = [place for place, mean in enumerate(means) if highest - mean < _TIE]
    first = tied[0]
    gaps = []
    for place in sorted(set(range(len(models))) - set(tied), key=lambda place: -means[place]):
        found = by_pair[min(first, place), max(first, place)]
        low, high = found.ci_low, found.ci_high
        if place < first and low is not None and high is not None:
            low, high = -high, -low
        gaps.append(Gap(models[place], highest - means[place], low, high, found.p_value, found.minimum_detectable))
    return tuple(models[place] for place in tied), highest, tuple(gaps)
