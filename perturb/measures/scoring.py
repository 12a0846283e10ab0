"""Scores of rankings under many measures at once, from the sparse hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perturb.errors import MeasureError
from perturb.measures.context import context_recall
from perturb.measures.hits import Hits, find_hits, places_within, qrels_rows
from perturb.measures.names import Measure, parse_measure
from perturb.measures.qrels import Qrels
from perturb.measures.rankings import check_rankings
from perturb.records import Float64Array, Rankings

HIGHEST_EXPONENT = 50
"""Highest grade of ``ndcg_exp``: doubles count up to 2^53 one by one."""


def score(
    rankings: Rankings,
    qrels: Qrels,
    measures: Sequence[Measure | str],
    *,
    parent: ArrayLike | None = None,
    condensed: bool = False,
    token_counts: ArrayLike | None = None,
) -> Float64Array:
    """Score every ranking under every measure.

    Equal to trec_eval where trec_eval has the measure. All denominators count all relevant documents, retrieved or
    not, in the corpus or not: recall@10 of a query with 20 relevant documents is at most 0.5, and AP@k divides by all
    of them. A ranking without documents scores 0.

    Args:
        rankings: over the same ``doc_ids`` as the qrels; their columns are the order, best first.
        qrels: the judgements.
        measures: names or parsed measures.
        parent: for each ranking the row of its query in the qrels: several variants may share one. By default
            rankings and qrels are matched by query id.
        condensed: take unjudged documents out of all rankings first.
        token_counts: tokens of each document, ``(n_documents,)``, for ``context_recall``.

    Returns:
        float64 ``(n_measures, len(rankings))``, between 0 and 1, never NaN.

    Raises:
        MeasureError: a document twice in a ranking, a NaN or infinite score, a query that is unknown or has no relevant
            document (``qrels.scorable(measures)`` tells beforehand; such a query is left out, it never counts 0), an
            unknown measure, ``context_recall`` without token counts or of condensed rankings, or ``relative_recall``,
            which needs the rankings of all models (:func:`perturb.measures.relative_recall`).
    """
    parsed = [parse_measure(measure) for measure in measures]
    _refuse_impossible(parsed, qrels, condensed, token_counts)
    rows = qrels_rows(rankings, qrels, parent)
    _refuse_unscorable(qrels, rows, parsed)
    check_rankings(rankings)
    depths = [None if condensed else measure.needs_depth for measure in parsed]
    depth = None if None in depths else max((depth for depth in depths if depth is not None), default=0)
    hits = find_hits(rankings, qrels, rows, depth)
    judgement = _Judged(qrels, rows, rankings, hits, hits.condensed())
    scores = np.zeros((len(parsed), len(rankings)))
    for line, measure in zip(scores, parsed, strict=True):
        if measure.family == "context_recall" and token_counts is not None:
            line[:] = context_recall(rankings, qrels, token_counts, [measure.k or 0], rel=measure.rel, parent=rows)[0]
        else:
            line[:] = judgement.score(measure, condensed or measure.condensed)
    return scores


def _refuse_impossible(
    measures: Sequence[Measure], qrels: Qrels, condensed: bool, token_counts: ArrayLike | None
) -> None:
    """Refuse measures that these rankings and judgements alone cannot give."""
    for measure in measures:
        if measure.family == "relative_recall":
            raise MeasureError(f"{measure} needs the rankings of all models; call perturb.measures.relative_recall")
        if measure.family == "context_recall" and (condensed or token_counts is None):
            why = "is not of condensed rankings" if condensed else "needs token_counts, one per document"
            raise MeasureError(f"{measure} {why}")
    refuse_huge_gains(measures, qrels)


def refuse_huge_gains(measures: Sequence[Measure], qrels: Qrels) -> None:
    """Refuse exponential gains of grades that are no grades but, say, clicks.

    Raises:
        MeasureError: ``ndcg_exp`` and a grade above :data:`HIGHEST_EXPONENT`.
    """
    highest = int(qrels.grades.max(initial=0))
    for measure in measures:
        if measure.family == "ndcg_exp" and highest > HIGHEST_EXPONENT:
            raise MeasureError(
                f"{measure}: a grade of {highest} has a gain of 2^{highest}, beside which no other counts; use ndcg, "
                f"or grades up to {HIGHEST_EXPONENT}"
            )


def _refuse_unscorable(qrels: Qrels, rows: NDArray[np.int64], measures: Sequence[Measure]) -> None:
    hopeless = ~qrels.scorable(measures)[rows]
    if hopeless.any():
        query_id = qrels.query_ids[rows[hopeless.argmax()]]
        rel = max(measure.rel for measure in measures)
        raise MeasureError(
            f"query {query_id!r} has no document with a grade of at least {rel} and cannot be scored; leave out the "
            f"{len(np.unique(rows[hopeless]))} queries that qrels.excluded(measures) names"
        )


def gains(grades: NDArray[np.integer], exponential: bool) -> Float64Array:
    """Gain of a grade: the grade itself, or ``2^grade - 1`` (Burges et al., ICML 2005)."""
    return np.exp2(grades) - 1.0 if exponential else np.asarray(grades, np.float64)


@dataclass(frozen=True, slots=True)
class _Judged:
    """Everything the measures of one set of rankings share."""

    qrels: Qrels
    rows: NDArray[np.int64]
    rankings: Rankings
    full: Hits
    without_unjudged: Hits

    def score(self, measure: Measure, condensed: bool) -> Float64Array:
        hits = self.without_unjudged if condensed else self.full
        if measure.family in ("ndcg", "ndcg_exp"):
            return self._ndcg(hits, measure)
        if measure.family == "judged":
            return self._judged_share(hits, measure)
        relevant = self.qrels.relevant_counts(measure.rel)[self.rows]
        hit = hits.grade >= measure.rel
        row, rank = hits.row[hit], hits.rank[hit]
        limit = relevant[row] if measure.family == "rprec" else measure.k
        if limit is not None:
            row, rank = row[rank <= limit], rank[rank <= limit]
        if measure.family == "mrr":
            return self._reciprocal_rank(row, rank)
        if measure.family == "map":
            return self._sum(row, (places_within(row) + 1) / rank) / relevant
        return _from_counts(measure, self._sum(row), relevant)

    def _sum(self, row: NDArray[np.int64], weights: Float64Array | None = None) -> Float64Array:
        return np.bincount(row, weights, minlength=len(self.rows)).astype(np.float64, copy=False)

    def _reciprocal_rank(self, row: NDArray[np.int64], rank: NDArray[np.int64]) -> Float64Array:
        first = np.diff(row, prepend=-1) > 0
        return self._sum(row[first], 1.0 / rank[first])

    def _ndcg(self, hits: Hits, measure: Measure) -> Float64Array:
        exponential = measure.family == "ndcg_exp"
        counted = hits.grade > 0
        if measure.k is not None:
            counted &= hits.rank <= measure.k
        gain = gains(hits.grade[counted], exponential) / np.log2(hits.rank[counted] + 1.0)
        # Grades descend within a query, so their place there is the ideal rank.
        qrels = self.qrels
        query = np.repeat(np.arange(len(qrels.query_ids)), qrels.counts)
        ideal_rank = np.arange(len(query)) - qrels.starts[query] + 1
        best = ideal_rank <= measure.k if measure.k is not None else np.ones(len(query), np.bool_)
        discounted = gains(qrels.grades[best], exponential) / np.log2(ideal_rank[best] + 1.0)
        ideal = np.bincount(query[best], discounted, minlength=len(qrels.query_ids))
        return self._sum(hits.row[counted], gain) / ideal[self.rows]

    def _judged_share(self, hits: Hits, measure: Measure) -> Float64Array:
        retrieved = (self.rankings.doc_index[:, : measure.k] >= 0).sum(axis=1)
        share: Float64Array = self._sum(hits.row[hits.rank <= (measure.k or 0)]) / np.maximum(retrieved, 1)
        return share


def _from_counts(measure: Measure, found: Float64Array, relevant: NDArray[np.int64]) -> Float64Array:
    """Measures that only count: ``found`` relevant documents within the cut-off, out of ``relevant``."""
    k = measure.k or 0
    if measure.family in ("recall", "rprec"):  # within the top R, recall and precision are the same
        return found / relevant
    if measure.family == "rcap":
        return found / np.minimum(relevant, k)
    if measure.family == "precision":
        return found / k
    if measure.family == "f1":
        return 2.0 * found / (relevant + k)
    return (found > 0).astype(np.float64)
