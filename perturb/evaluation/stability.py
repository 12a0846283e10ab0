"""How far the rankings themselves change, judgements aside: what a user sees who types a query in two ways."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from perturb.evaluation.groups import labels
from perturb.evaluation.model_runs import ModelRun
from perturb.evaluation.running import Evaluation
from perturb.measures import overlap, rank_biased_overlap
from perturb.records import Rankings
from perturb.significance import Resampling, average_variants, estimates

TOP = 10
PERSISTENCE = 0.9


@dataclass(frozen=True, slots=True)
class Stability:
    """Agreement of clean and perturbed rankings, 0 to 1, variants averaged within the query.

    Attributes:
        model: name of the model.
        perturbation: registered name.
        overlap: share of documents in common among the first :data:`TOP`.
        ci_low: lower limit of ``overlap``; ``None`` with one query.
        ci_high: upper limit.
        shift: mean cosine distance of the variants' vectors from those of their originals, 0 to 2; ``None`` for a model
            without vectors.
        rank_biased_overlap: RBO_ext with persistence :data:`PERSISTENCE` (Webber, Moffat and Zobel 2010).
        n_queries: queries to which the perturbation applies.
    """

    model: str
    perturbation: str
    overlap: float
    ci_low: float | None
    ci_high: float | None
    rank_biased_overlap: float
    n_queries: int
    shift: float | None = None


def stability(
    evaluation: Evaluation, resampling: Resampling, groups: dict[str, str] | None = None
) -> tuple[Stability, ...]:
    """Compare the rankings of every variant with those of its original, by model and perturbation.

    Args:
        evaluation: finished; no judgement is used.
        resampling: seed, resamples, confidence and method of the interval.
        groups: by query id what is resampled as a whole; ``None`` for single queries.
    """
    names = np.array([variant.perturbation for variant in evaluation.variants])
    originals, ids = evaluation.original_rows, evaluation.qrels.query_ids
    found = []
    for model in evaluation.succeeded:
        if model.rankings is None:
            continue
        for name in evaluation.suite.perturbations:
            members = np.flatnonzero(names == name)
            if not len(members):
                continue
            parent = evaluation.parent[members]
            clean, perturbed = _rows(model.rankings, originals[parent]), _rows(model.rankings, members)
            agreement = np.stack(
                [overlap(clean, perturbed, TOP), rank_biased_overlap(clean, perturbed, p=PERSISTENCE, k=TOP)]
            )
            means, has = average_variants(agreement, parent, len(ids))
            own = [query_id for query_id, yes in zip(ids, has, strict=True) if yes]
            common, weighted = estimates(means[:, has], resampling, query_ids=own, groups=labels(groups, own))
            found.append(
                Stability(
                    model.name,
                    name,
                    common.value,
                    common.ci_low,
                    common.ci_high,
                    weighted.value,
                    len(own),
                    _shift(model, members, evaluation),
                )
            )
    return tuple(found)


def _shift(model: ModelRun, members: NDArray[np.int64], evaluation: Evaluation) -> float | None:
    """Mean over the queries of the mean over their variants, of those vectors that have a direction."""
    if model.query_shift is None:
        return None
    known = members[np.isfinite(model.query_shift[members])]
    if not len(known):
        return None
    parent = evaluation.parent[known]
    means, has = average_variants(model.query_shift[known], parent, len(evaluation.qrels.query_ids))
    return float(means[has].mean())


def _rows(rankings: Rankings, rows: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Rankings:
    names = tuple(rankings.query_ids[row] for row in rows.tolist())
    return Rankings(names, rankings.doc_index[rows], rankings.scores[rows], rankings.doc_ids)
