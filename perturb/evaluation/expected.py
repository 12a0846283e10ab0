"""What a model loses on one's own traffic: the mix of noise, the queries that stay clean included."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from perturb.evaluation.groups import labels
from perturb.evaluation.running import Evaluation
from perturb.records import Float64Array
from perturb.significance import MIN_QUERIES, Resampling, average_variants, estimates, rare_limit

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
        n_variants: drawn variants of scored queries that are not clean.
        n_changed: how many of them score otherwise than their original.
        may_lose: where fewer queries (or groups) changed than a test needs, the mean that may still be lost, at most
            ``clean``: resampling finds no loss that these queries do not show
            (:func:`perturb.significance.rare_limit`); else, or with nothing to lose, ``None``.
    """

    model: str
    measure: str
    clean: float
    drop: float
    ci_low: float | None
    ci_high: float | None
    stay_clean: float
    n_queries: int
    n_variants: int = 0
    n_changed: int = 0
    may_lose: float | None = None


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
    units = np.array(labels(groups, ids) or ids, np.object_)
    changes = _changes(evaluation, members, scores, dict(zip(scored.tolist(), units, strict=True)))
    # A mix of no noise at all costs nothing, however few the queries.
    noise = any(specs[0].get("settings", {}).get("shares", {"any": 1.0}).values())
    unseen = rare_limit(len(set(units)), (1.0 - resampling.confidence) / 2.0)
    names = [(model.name, measure.name) for model in evaluation.succeeded for measure in evaluation.measures]
    found = estimates(lost, resampling, query_ids=ids, groups=labels(groups, ids))
    return tuple(
        ExpectedDrop(
            model,
            measure,
            float(before.mean()),
            drop.value,
            drop.ci_low,
            drop.ci_high,
            float(1 - share.mean()),
            len(ids),
            n_drawn,
            n_changed,
            # No more than there is can be lost; where nothing is found as it stands, there is nothing to lose.
            min(max(unseen, drop.ci_high or 0.0), float(before.mean())) or None
            if noise and n_units < MIN_QUERIES
            else None,
        )
        for (model, measure), before, drop, (n_drawn, n_changed, n_units) in zip(
            names, clean, found, changes, strict=True
        )
    )


def _changes(
    evaluation: Evaluation, members: NDArray[np.int64], scores: Float64Array, units: dict[int, str]
) -> list[tuple[int, int, int]]:
    """Per row of scores: variants drawn for scored queries, how many score otherwise, and of how many units these are.

    Args:
        evaluation: finished.
        members: positions of the drawn variants.
        scores: ``(n_rows, n_variants)``.
        units: by place of a scored query what is resampled.
    """
    drawn = members[evaluation.original_rows[evaluation.parent[members]] >= 0]
    owners = evaluation.parent[drawn]
    differs = _rounded(scores[:, evaluation.original_rows[owners]] - scores[:, drawn]) != 0
    return [(len(drawn), int(row.sum()), len({units[int(owner)] for owner in owners[row]})) for row in differs]


def _rounded(gaps: Float64Array) -> Float64Array:
    """Differences without the dust of floating point, so that no change is none."""
    return np.where(np.abs(gaps) < 1e-12, 0.0, gaps)
