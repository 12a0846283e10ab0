"""Recall as a RAG prompt sees it (what fits N tokens), and recall against a pool when judgements are incomplete."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perturb.errors import MeasureError
from perturb.measures.hits import find_hits, qrels_rows
from perturb.measures.qrels import Qrels
from perturb.measures.rankings import check_rankings
from perturb.records import Float64Array, Rankings


def context_recall(
    rankings: Rankings,
    qrels: Qrels,
    token_counts: ArrayLike,
    budgets: Sequence[int],
    *,
    rel: int = 1,
    parent: ArrayLike | None = None,
) -> Float64Array:
    """Recall of the documents that fit a prompt of so many tokens.

    The prompt is filled in the order of the ranking and ends before the first document that does not fit whole.

    Args:
        rankings: as for :func:`perturb.measures.score`.
        qrels: the judgements.
        token_counts: tokens of each document, ``(n_documents,)``, in the order of ``doc_ids``.
        budgets: tokens that the prompt has room for.
        rel: lowest grade that makes a document relevant.
        parent: row of the qrels for each ranking.

    Returns:
        float64 ``(len(budgets), len(rankings))``: relevant documents in the prompt / all relevant documents.

    Raises:
        MeasureError: token counts that do not fit the corpus, or a query without a relevant document.
    """
    tokens = np.asarray(token_counts, np.int64)
    if tokens.shape != (len(rankings.doc_ids),) or (len(tokens) and tokens.min() < 0):
        raise MeasureError(f"token_counts must hold {len(rankings.doc_ids)} counts of at least 0, one per document")
    rows = qrels_rows(rankings, qrels, parent)
    relevant = _relevant(qrels, rows, rel)
    check_rankings(rankings)
    hits = find_hits(rankings, qrels, rows)
    found = hits.grade >= rel
    row, rank = hits.row[found], hits.rank[found]
    lengths = (
        np.where(rankings.doc_index >= 0, tokens[rankings.doc_index], 0) if len(tokens) else rankings.doc_index * 0
    )
    used = np.cumsum(lengths, axis=1)
    recalls = np.zeros((len(budgets), len(rankings)))
    for line, budget in zip(recalls, budgets, strict=True):
        fits = used[row, rank - 1] <= budget
        line[:] = np.bincount(row[fits], minlength=len(rankings)) / relevant
    return recalls


def relative_recall(
    systems: Sequence[Rankings],
    qrels: Qrels,
    k: int,
    *,
    pool_depth: int | None = None,
    rel: int = 1,
    parent: ArrayLike | None = None,
    by_query: bool = False,
) -> tuple[Float64Array, NDArray[np.bool_]]:
    """Recall against what the systems found together, for golden sets that surely miss relevant documents.

    Args:
        systems: rankings of the same queries, row by row.
        qrels: the judgements.
        k: a system's first ``k`` documents count as found.
        pool_depth: the first so many documents of every system make up the pool; by default ``k``.
        rel: lowest grade that makes a document relevant.
        parent: row of the qrels for each row of every system.
        by_query: all rows of a query share one pool, what any system found for any of them: a query and its variants
            then have the same denominator. By default each row has its own.

    Returns:
        float64 ``(n_systems, n_rows)``, and bool ``(n_rows,)``: rows whose pool holds a relevant document. The other
        rows are 0 and belong in no mean.

    Raises:
        MeasureError: systems that rank other queries, ``pool_depth`` below ``k``, or no system.
    """
    if not systems or any(system.query_ids != systems[0].query_ids for system in systems):
        raise MeasureError("relative recall needs one or more rankings of the same queries in the same order")
    if pool_depth is not None and pool_depth < k:
        raise MeasureError(f"pool_depth={pool_depth} is below k={k}: the pool must hold all that is counted")
    rows = qrels_rows(systems[0], qrels, parent)
    n_rows = len(rows)
    pools, found = [], np.zeros((len(systems), n_rows))
    for line, system in zip(found, systems, strict=True):
        qrels_rows(system, qrels, rows)  # the same corpus
        check_rankings(system)
        hits = find_hits(system, qrels, rows, pool_depth or k)
        relevant = hits.grade >= rel
        line[:] = np.bincount(hits.row[relevant & (hits.rank <= k)], minlength=n_rows)
        owner = rows[hits.row[relevant]] if by_query else hits.row[relevant]
        pools.append(np.stack([owner, hits.judgement[relevant]]))
    pooled_owner = np.unique(np.concatenate(pools, axis=1), axis=1)[0]
    pooled = np.bincount(pooled_owner, minlength=len(qrels.query_ids) if by_query else n_rows)
    if by_query:
        pooled = pooled[rows]
    return found / np.maximum(pooled, 1), pooled > 0


def _relevant(qrels: Qrels, rows: NDArray[np.int64], rel: int) -> NDArray[np.int64]:
    relevant = qrels.relevant_counts(rel)[rows]
    if len(rows) and relevant.min() == 0:
        raise MeasureError(
            f"query {qrels.query_ids[rows[relevant.argmin()]]!r} has no document with a grade of at least {rel}; "
            "leave it out"
        )
    return relevant
