"""Scores in pairs: each model's clean and perturbed scores on the queries to which a perturbation applies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from perturb.evaluation.expected import TRAFFIC_MIX
from perturb.evaluation.running import Evaluation
from perturb.records import ORIGINAL, Float64Array
from perturb.significance import average_variants

OVERALL = "overall"
"""Stands for all perturbations together, each with its variants averaged, averaged within the query."""


@dataclass(frozen=True, slots=True)
class PairedScores:
    """What one measure gave, clean and perturbed.

    Attributes:
        perturbation: registered name, or :data:`OVERALL`.
        query_ids: the queries to which it applies, ``n_queries`` of them.
        clean: float64 ``(n_models, n_queries)``, models in the order of ``evaluation.succeeded``.
        perturbed: float64 ``(n_models, n_queries)``, variants averaged within the query.
        measure: canonical name.
    """

    perturbation: str
    query_ids: tuple[str, ...]
    clean: Float64Array
    perturbed: Float64Array
    measure: str = ""

    @property
    def drops(self) -> Float64Array:
        """Clean minus perturbed, float64 ``(n_models, n_queries)``; what is rounding only is 0."""
        gaps: Float64Array = self.clean - self.perturbed
        gaps[np.abs(gaps) < 1e-12] = 0.0
        return gaps


def model_scores(evaluation: Evaluation, measure: int = 0) -> Float64Array:
    """Scores under one measure, float64 ``(n_models, n_variants)``; ``measure`` is its place in the evaluation."""
    models = evaluation.succeeded
    if not models:
        return np.zeros((0, len(evaluation.variants)))
    return np.stack([model.scores[measure] for model in models])


def paired_scores(evaluation: Evaluation, measure: int = 0) -> tuple[PairedScores, ...]:
    """Pair the scores of every perturbation that applies to a query, in the order of the suite.

    Args:
        evaluation: finished.
        measure: place of the measure; 0 is the one that leads reports.

    Returns:
        One entry per perturbation; with two or more of them a last one for :data:`OVERALL`. Overall, a query's drop
        is the mean over the perturbations that apply to it, so that many variants of one kind weigh no more; the mix
        of a traffic is a mean already and stays out of it.
    """
    scores, measure_name = model_scores(evaluation, measure), evaluation.measures[measure].name
    originals = evaluation.original_rows
    ids = evaluation.qrels.query_ids
    found: list[PairedScores] = []
    total = np.zeros((len(scores), len(ids)))
    count = np.zeros(len(ids))
    names = np.array([variant.perturbation for variant in evaluation.variants])
    for name in evaluation.suite.perturbations:
        members = np.flatnonzero(names == name) if name != ORIGINAL else np.array([], np.int64)
        if not len(members):
            continue
        means, has = average_variants(scores[:, members], evaluation.parent[members], len(ids))
        if name != TRAFFIC_MIX:
            total[:, has] += means[:, has]
            count += has
        found.append(PairedScores(name, _named(ids, has), scores[:, originals[has]], means[:, has], measure_name))
    if sum(pairs.perturbation != TRAFFIC_MIX for pairs in found) > 1:
        has = count > 0
        mean = total[:, has] / count[has]
        found.append(PairedScores(OVERALL, _named(ids, has), scores[:, originals[has]], mean, measure_name))
    return tuple(found)


def _named(ids: tuple[str, ...], has: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(ids[row] for row in np.flatnonzero(has).tolist())


def overall_scores(paired: Sequence[PairedScores]) -> PairedScores | None:
    """The scores over all perturbations; those of the only one if there is but one; ``None`` if there is none."""
    known = {pairs.perturbation: pairs for pairs in paired}
    single = [pairs for pairs in paired if pairs.perturbation != TRAFFIC_MIX] or list(paired)
    return known.get(OVERALL, single[0] if single else None)
