"""Which drops are shown to be harmless, and how fast a drop grows with severity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perturb.evaluation.groups import labels
from perturb.evaluation.paired import OVERALL, PairedScores, model_scores, paired_scores
from perturb.evaluation.running import Evaluation
from perturb.significance import Equivalence, Estimate, Resampling, average_variants, equivalence, severity_slope

HARMLESS = 0.02
"""A drop that one is ready to bear: two points of the measure."""

_SEVERITY = "severity:"


@dataclass(frozen=True, slots=True)
class Harm:
    """Answers under the first measure.

    Attributes:
        margin: the drop that counts as harmless.
        harmless: by model and perturbation.
        slopes: by model and perturbation ``severity:…``: points per further mistake.
    """

    margin: float
    harmless: dict[tuple[str, str], Equivalence]
    slopes: dict[tuple[str, str], Estimate]


def harm(
    evaluation: Evaluation,
    resampling: Resampling,
    margin: float = HARMLESS,
    *,
    groups: dict[str, str] | None = None,
) -> Harm:
    """Test every drop of the first measure for equivalence, and fit the slope of every severity curve.

    That a drop is not significant does not show that there is none; an equivalence test does.

    Args:
        evaluation: finished.
        resampling: seed, resamples and confidence.
        margin: in points of the measure.
        groups: by query id what is resampled as a whole; ``None`` for single queries.
    """
    names = [model.name for model in evaluation.succeeded]
    harmless = {}
    slopes = {}
    for pairs in paired_scores(evaluation):
        if pairs.perturbation == OVERALL:
            continue
        for row, name in enumerate(names):
            harmless[name, pairs.perturbation] = _equivalence(pairs, row, resampling, margin, groups)
        if pairs.perturbation.startswith(_SEVERITY):
            for name, slope in zip(names, _slopes(evaluation, pairs.perturbation, resampling, groups), strict=True):
                slopes[name, pairs.perturbation] = slope
    return Harm(margin, harmless, slopes)


def _equivalence(
    pairs: PairedScores, row: int, resampling: Resampling, margin: float, groups: dict[str, str] | None
) -> Equivalence:
    return equivalence(
        pairs.clean[row],
        pairs.perturbed[row],
        margin=margin,
        seed=resampling.seed,
        query_ids=pairs.query_ids,
        groups=labels(groups, pairs.query_ids),
        resamples=resampling.resamples,
    )


def _slopes(
    evaluation: Evaluation, perturbation: str, resampling: Resampling, groups: dict[str, str] | None
) -> list[Estimate]:
    """Slope per model over the kinds ``1``, ``2``, ``3`` of a severity curve, the clean query being level 0."""
    levels = sorted({v.kind for v in evaluation.variants if v.perturbation == perturbation}, key=float)
    scores, ids = model_scores(evaluation), evaluation.qrels.query_ids
    originals = evaluation.original_rows
    masks, drops = [], []
    for level in levels:
        chosen = [v.perturbation == perturbation and v.kind == level for v in evaluation.variants]
        means, has = average_variants(scores[:, chosen], evaluation.parent[chosen], len(ids))
        masks.append(has)
        drops.append(np.where(has, scores[:, originals] - means, 0.0))
    applies = np.any(masks, axis=0)
    table = np.stack([np.zeros_like(drops[0]), *drops])[:, :, applies]
    mask = np.stack([applies, *masks])[:, applies]
    own = [name for name, yes in zip(ids, applies, strict=True) if yes]
    return [
        severity_slope(
            [0.0, *map(float, levels)],
            table[:, row],
            seed=resampling.seed,
            mask=mask,
            query_ids=own,
            groups=labels(groups, own),
            resamples=resampling.resamples,
            confidence=resampling.confidence,
        )
        for row in range(len(scores))
    ]
