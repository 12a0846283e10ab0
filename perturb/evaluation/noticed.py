"""What a user notices: how many more questions find nothing right on the first page of results."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from perturb.evaluation.groups import labels
from perturb.evaluation.running import Evaluation
from perturb.measures import Measure, score
from perturb.records import ORIGINAL
from perturb.significance import Resampling, average_variants, estimates

ENOUGH = 2_000
"""Resamples: enough for whole questions of a hundred."""

FIRST_PAGE = 10
"""Documents that a user looks at where the leading measure has no cut-off of its own."""


@dataclass(frozen=True, slots=True)
class Noticed:
    """Queries that find nothing right among the first ``k`` documents, variants averaged within the query.

    Attributes:
        model: name of the model.
        perturbation: registered name.
        k: documents looked at.
        before: share of the queries that find nothing as they stand in the golden set, 0 to 1.
        more: further share that finds nothing when perturbed; negative if fewer do.
        ci_low: lower limit of ``more``; ``None`` with one query or group.
        ci_high: upper limit.
        n_queries: queries to which the perturbation applies.
    """

    model: str
    perturbation: str
    k: int
    before: float
    more: float
    ci_low: float | None
    ci_high: float | None
    n_queries: int


def noticed(
    evaluation: Evaluation, resampling: Resampling, groups: dict[str, str] | None = None
) -> tuple[Noticed, ...]:
    """Count for every model and perturbation the queries that find nothing right among the first documents.

    Args:
        evaluation: finished; ``k`` is the cut-off of its leading measure, :data:`FIRST_PAGE` if that has none.
        resampling: seed, resamples, confidence and method.
        groups: by query id what is resampled as a whole; ``None`` for single queries.
    """
    lead = evaluation.measures[0]
    k = lead.rank_cut or FIRST_PAGE
    models = [model for model in evaluation.succeeded if model.rankings is not None]
    if not models:
        return ()
    hit = Measure("hit", k, lead.rel)
    hits = np.stack(
        [
            score(model.rankings, evaluation.qrels, [hit], parent=evaluation.parent)[0]
            for model in models
            if model.rankings
        ]
    )
    names = np.array([variant.perturbation for variant in evaluation.variants])
    ids, originals = evaluation.qrels.query_ids, evaluation.original_rows
    coarse = replace(resampling, resamples=min(resampling.resamples, ENOUGH))
    found: list[Noticed] = []
    for name in evaluation.suite.perturbations:
        members = np.flatnonzero(names == name) if name != ORIGINAL else np.array([], np.int64)
        if not len(members):
            continue
        means, has = average_variants(hits[:, members], evaluation.parent[members], len(ids))
        own = [query_id for query_id, yes in zip(ids, has, strict=True) if yes]
        clean = hits[:, originals[has]]
        lost = estimates(clean - means[:, has], coarse, query_ids=own, groups=labels(groups, own))
        found += [
            Noticed(model.name, name, k, float(1.0 - before.mean()), more.value, more.ci_low, more.ci_high, len(own))
            for model, before, more in zip(models, clean, lost, strict=True)
        ]
    order = {model.name: place for place, model in enumerate(models)}
    return tuple(sorted(found, key=lambda entry: order[entry.model]))
