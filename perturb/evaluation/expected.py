"""What a model loses on one's own traffic: the mix of noise, the queries that stay clean included."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perturb.evaluation.groups import labels
from perturb.evaluation.running import Evaluation
from perturb.records import Float64Array
from perturb.significance import Resampling, average_variants, estimates

TRAFFIC_MIX = "traffic_mix"
"""The perturbation that draws each query's noise in the shares of a traffic."""


@dataclass(frozen=True, slots=True)
class ExpectedDrop:
    """Mean drop over all scored queries, where a query that stays clean loses nothing.

    Attributes:
        model: name of the model.
        measure: canonical name.
        clean: mean over the originals of all scored queries.
        drop: in points of the measure; negative is a gain.
        ci_low: lower limit; ``None`` with one query.
        ci_high: upper limit.
        stay_clean: share of queries that the mix leaves as they are.
        n_queries: scored queries.
    """

    model: str
    measure: str
    clean: float
    drop: float
    ci_low: float | None
    ci_high: float | None
    stay_clean: float
    n_queries: int


def left_out(evaluation: Evaluation) -> dict[str, float]:
    """Kinds of noise that the traffic has and its mix has not, with their shares of the queries, largest first."""
    specs = [spec for spec in evaluation.suite.header.get("spec", ()) if spec["name"] == TRAFFIC_MIX]
    kinds = dict(specs[0]["settings"].get("left_out", {})) if specs else {}
    return dict(sorted(kinds.items(), key=lambda kind: (-kind[1], kind[0])))


def expected_drops(
    evaluation: Evaluation, resampling: Resampling, groups: dict[str, str] | None = None
) -> tuple[ExpectedDrop, ...]:
    """Expected drop of every model and measure under ``traffic_mix``; nothing if the suite was made without it.

    Where the mix was drawn several times per query, draws that left it clean, or gave a text once more, count as clean.

    Args:
        evaluation: finished.
        resampling: how intervals are computed; queries are resampled.
        groups: by query id what is resampled as a whole; ``None`` for single queries.
    """
    specs = [spec for spec in evaluation.suite.header.get("spec", ()) if spec["name"] == TRAFFIC_MIX]
    rows = evaluation.original_rows
    scored = np.flatnonzero(rows >= 0)
    if not specs or not evaluation.succeeded or not len(scored):
        return ()
    draws = max(1, int(specs[0]["draws"] or 1))
    members = np.array([i for i, v in enumerate(evaluation.variants) if v.perturbation == TRAFFIC_MIX], np.int64)
    share = np.bincount(evaluation.parent[members], minlength=len(rows))[scored] / draws
    scores = np.concatenate([model.scores for model in evaluation.succeeded])
    clean = scores[:, rows[scored]]
    lost = np.zeros(clean.shape)
    if len(members):
        means, has = average_variants(scores[:, members], evaluation.parent[members], len(rows))
        noisy = has[scored]
        lost[:, noisy] = _rounded(clean[:, noisy] - means[:, scored[noisy]]) * share[noisy]
    ids = [evaluation.qrels.query_ids[row] for row in scored]
    names = [(model.name, measure.name) for model in evaluation.succeeded for measure in evaluation.measures]
    return tuple(
        ExpectedDrop(
            model,
            measure,
            float(before.mean()),
            found.value,
            found.ci_low,
            found.ci_high,
            float(1 - share.mean()),
            len(ids),
        )
        for (model, measure), before, found in zip(
            names, clean, estimates(lost, resampling, query_ids=ids, groups=labels(groups, ids)), strict=True
        )
    )


def _rounded(gaps: Float64Array) -> Float64Array:
    """Differences without the dust of floating point, so that no change is none."""
    return np.where(np.abs(gaps) < 1e-12, 0.0, gaps)
