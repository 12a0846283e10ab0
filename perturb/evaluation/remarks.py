"""What a model's rankings say: places settled by the tie rule, perturbations that the model cannot see."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from perturb.measures import Measure, ties_at_cutoff
from perturb.records import ORIGINAL, Rankings, Variant
from perturb.wording import counted

_BATCH_NOISE = 1e-6
"""Relative; a vector encoded in another batch differs by about 2e-7."""


def remarks(
    rankings: Rankings, measures: Sequence[Measure], variants: Sequence[Variant], parent: NDArray[np.int64]
) -> list[str]:
    """Sentences for the reader of a report.

    Args:
        rankings: of one model, a row per variant.
        measures: what is measured.
        variants: ``n_variants`` variants, an original for each query.
        parent: int64 ``(n_variants,)``, row of each variant's query.
    """
    return [*_ties(rankings, measures), *_unseen(rankings, variants, parent)]


def _ties(rankings: Rankings, measures: Sequence[Measure]) -> list[str]:
    """How many rankings the tie rule decided, at every rank where a measure cuts; at 10 where none does."""
    cuts = sorted({measure.rank_cut for measure in measures if measure.rank_cut is not None}) or [10]
    counts = {k: int(ties_at_cutoff(rankings, k).sum()) for k in cuts}
    return [
        f"{count} of {counted(len(rankings), 'ranking')} {'has' if count == 1 else 'have'} a tie at rank {k}, broken "
        "by document id, descending"
        for k, count in counts.items()
        if count
    ]


def _unseen(rankings: Rankings, variants: Sequence[Variant], parent: NDArray[np.int64]) -> list[str]:
    """Perturbations whose variants all get the ranking and the scores of their originals.

    A model that lowercases does not withstand capitals, it never sees them: its drop of 0 is no robustness. Queries
    that did not change play no part in the test.
    """
    names = np.array([variant.perturbation for variant in variants])
    original = np.empty(int(parent.max()) + 1, np.int64)
    original[parent[names == ORIGINAL]] = np.flatnonzero(names == ORIGINAL)
    rows = original[parent]
    alike = (rankings.doc_index == rankings.doc_index[rows]).all(axis=1)
    # Empty places have the score minus infinity, which equals itself.
    scores, clean = rankings.scores, rankings.scores[rows]
    alike &= np.isclose(scores, clean, rtol=_BATCH_NOISE, atol=_BATCH_NOISE).all(axis=1)
    alike &= (rankings.doc_index >= 0).any(axis=1)
    found = []
    for name in dict.fromkeys(variant.perturbation for variant in variants):
        members = names == name
        if name != ORIGINAL and alike[members].all():
            many = int(members.sum())
            what = f"all {many} variants are ranked and scored as their originals"
            if many == 1:
                what = "its only variant is ranked and scored as its original"
            found.append(f"no effective change under {name}: {what}")
    return found


def missing_originals(rankings: Rankings, variants: Sequence[Variant], parent: NDArray[np.int64]) -> list[str]:
    """Queries that have no ranking though variants of theirs have: they count 0, and perturbing them looks like a gain.

    Args:
        rankings: of one model, a row per variant; a row without documents is missing, or found nothing.
        variants: ``n_variants`` variants, an original for each query.
        parent: int64 ``(n_variants,)``, row of each variant's query.

    Returns:
        Query ids, in the order of the variants.
    """
    ranked = (rankings.doc_index >= 0).any(axis=1)
    is_original = np.array([variant.perturbation == ORIGINAL for variant in variants])
    answered = np.zeros(int(parent.max(initial=-1)) + 1, np.bool_)
    answered[parent[ranked & ~is_original]] = True
    return [variants[row].query_id for row in np.flatnonzero(is_original & ~ranked & answered[parent]).tolist()]
