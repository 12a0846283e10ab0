"""Scores of finished rankings: one model at a time, and where a measure needs it, all models together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from perturb.evaluation.model_runs import ModelRun
from perturb.measures import Measure, Qrels, relative_recall, score
from perturb.records import Document, Float64Array, Rankings

CHARACTERS_PER_TOKEN = 3
"""Of Polish text in a language model's vocabulary: XLM-RoBERTa has 3.9 on the bundled golden set, vocabularies made
mostly for English fewer. One rule for all models, so that a budget holds the same documents whoever ranks them."""


def estimated_tokens(documents: Sequence[Document]) -> NDArray[np.int64]:
    """Tokens of each document, title included: its characters / :data:`CHARACTERS_PER_TOKEN`, rounded up."""
    return np.array([-(-len(document.content) // CHARACTERS_PER_TOKEN) for document in documents], np.int64)


def own_scores(
    rankings: Rankings,
    qrels: Qrels,
    measures: Sequence[Measure],
    parent: NDArray[np.int64],
    documents: Sequence[Document],
) -> Float64Array:
    """Scores of one model under all measures that need no other model; those that do stay 0.

    Args:
        rankings: one row per variant.
        qrels: the judgements.
        measures: all that are measured.
        parent: int64 ``(n_variants,)``, row of each variant's query.
        documents: in the order of the corpus, for ``context_recall``.

    Returns:
        float64 ``(n_measures, n_variants)``.
    """
    alone = [place for place, measure in enumerate(measures) if measure.family != "relative_recall"]
    counts = estimated_tokens(documents) if any(m.family == "context_recall" for m in measures) else None
    scores = np.zeros((len(measures), len(rankings)))
    scores[alone] = score(rankings, qrels, [measures[place] for place in alone], parent=parent, token_counts=counts)
    return scores


def with_pooled_scores(
    models: Sequence[ModelRun], qrels: Qrels, measures: Sequence[Measure], parent: NDArray[np.int64]
) -> list[ModelRun]:
    """Fill in relative recall, whose pool is what all models found for a query and its variants.

    Args:
        models: scored by :func:`own_scores`; those that failed are left as they are.
        qrels: the judgements.
        measures: all that are measured.
        parent: int64 ``(n_variants,)``, row of each variant's query.
    """
    ranked = [model.rankings for model in models if model.rankings is not None]
    scores = {model.name: model.scores.copy() for model in models if model.rankings is not None}
    for place, measure in enumerate(measures):
        if measure.family == "relative_recall" and ranked:
            found, _ = relative_recall(ranked, qrels, measure.k or 1, rel=measure.rel, parent=parent, by_query=True)
            for own, line in zip(scores.values(), found, strict=True):
                own[place] = line
    return [replace(model, scores=scores.get(model.name, model.scores)) for model in models]
