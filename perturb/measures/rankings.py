"""Rankings from dictionaries, lists and score matrices, under the one tie rule; checks on rankings from anywhere.

The tie rule is trec_eval's: float32 score descending, then ``doc_id`` descending (by code point). It depends on
nothing else, so neither the order of insertion nor a hash seed changes a measure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perturb.errors import MeasureError
from perturb.records import Float32Array, Float64Array, Int32Array, Rankings

_BLOCK = 1 << 16  # cells per block: int32 and float32 blocks of this size stay in the second-level cache


def rankings_from_dict(
    run: Mapping[str, Mapping[str, float]],
    doc_ids: Sequence[str] | None = None,
    query_ids: Sequence[str] | None = None,
) -> Rankings:
    """Rank the documents of a run, ``{query_id: {doc_id: score}}``.

    Args:
        run: scores of any real number type (int, float, numpy scalars).
        doc_ids: the corpus; by default the documents of the run, sorted.
        query_ids: the declared queries, which become the rows: one that the run lacks gets an empty ranking and counts
            0, one that only the run has is left out. By default the queries of the run.

    Returns:
        Rankings as deep as the longest one.

    Raises:
        MeasureError: a score that is not a finite float32, or a document that the corpus lacks.
    """
    rows = tuple(run) if query_ids is None else tuple(query_ids)
    found = [run.get(query_id, {}) for query_id in rows]
    corpus = tuple(sorted({doc_id for scores in found for doc_id in scores})) if doc_ids is None else tuple(doc_ids)
    column_of = {doc_id: column for column, doc_id in enumerate(corpus)}
    lengths = np.array([len(scores) for scores in found], np.int64)
    columns = np.fromiter(
        (
            _column(column_of, query_id, doc_id)
            for query_id, scores in zip(rows, found, strict=True)
            for doc_id in scores
        ),
        np.int64,
        int(lengths.sum()),
    )
    values = np.fromiter(
        (
            _number(score, query_id, doc_id)
            for query_id, scores in zip(rows, found, strict=True)
            for doc_id, score in scores.items()
        ),
        np.float64,
        len(columns),
    )
    owner = np.repeat(np.arange(len(rows)), lengths)
    single = _as_float32(values, owner, columns, rows, corpus)
    order = np.lexsort((-_id_ranks(corpus)[columns], -single, owner))
    return _padded(rows, corpus, lengths, columns[order], single[order])


def rankings_from_lists(
    lists: Mapping[str, Sequence[str]],
    doc_ids: Sequence[str] | None = None,
    query_ids: Sequence[str] | None = None,
) -> Rankings:
    """Take ranked lists of ids as they stand, best first: the order of a list is the ranking.

    Args:
        lists: ``{query_id: [doc_id, …]}``.
        doc_ids: the corpus; by default the documents of the lists, sorted.
        query_ids: as in :func:`rankings_from_dict`.

    Returns:
        Rankings; the scores merely fall by one per rank.

    Raises:
        MeasureError: a document occurs twice in a list, or the corpus lacks it.
    """
    rows = tuple(lists) if query_ids is None else tuple(query_ids)
    found = [lists.get(query_id, ()) for query_id in rows]
    corpus = tuple(sorted({doc_id for ranked in found for doc_id in ranked})) if doc_ids is None else tuple(doc_ids)
    column_of = {doc_id: column for column, doc_id in enumerate(corpus)}
    lengths = np.array([len(ranked) for ranked in found], np.int64)
    columns = np.array(
        [
            _column(column_of, query_id, doc_id)
            for query_id, ranked in zip(rows, found, strict=True)
            for doc_id in ranked
        ],
        np.int64,
    )
    scores = np.concatenate([np.zeros(0), *(-np.arange(1.0, length + 1) for length in lengths)]).astype(np.float32)
    rankings = _padded(rows, corpus, lengths, columns, scores)
    check_rankings(rankings)
    return rankings


def rankings_from_scores(
    query_ids: Sequence[str], doc_ids: Sequence[str], scores: ArrayLike, k: int | None = None
) -> Rankings:
    """Rank a whole corpus by a score matrix.

    Args:
        query_ids: ``n_queries`` ids.
        doc_ids: ``n_documents`` ids.
        scores: ``(n_queries, n_documents)``, finite.
        k: depth; by default all documents.

    Returns:
        Rankings of depth ``min(k, n_documents)``.

    Raises:
        MeasureError: a score that is not a finite float32, or a matrix of another shape.
    """
    matrix = np.asarray(scores, np.float64)
    if matrix.shape != (len(query_ids), len(doc_ids)):
        raise MeasureError(
            f"scores are {matrix.shape}, expected ({len(query_ids)}, {len(doc_ids)}): queries by documents"
        )
    owner, columns = (axis.ravel() for axis in np.indices(matrix.shape))
    single = _as_float32(matrix.ravel(), owner, columns, query_ids, doc_ids).reshape(matrix.shape)
    order = np.lexsort((np.broadcast_to(-_id_ranks(doc_ids), matrix.shape), -single), axis=1)[:, :k]
    return Rankings(tuple(query_ids), order.astype(np.int32), np.take_along_axis(single, order, axis=1), tuple(doc_ids))


def check_rankings(rankings: Rankings) -> None:
    """Refuse rankings from which no measure may be taken.

    Raises:
        MeasureError: a score is NaN or infinite, a document occurs twice for one query, or a gap precedes a document;
            names the query and the document.
    """
    docs, scores = rankings.doc_index, rankings.scores
    if not docs.size:
        return
    # The extremes alone tell whether a closer look is needed; NaN passes through both.
    padded = int(docs.min()) < 0
    if padded or not (np.isfinite(scores.min()) and np.isfinite(scores.max())):
        wrong = (docs >= 0) & ~np.isfinite(scores)
        if wrong.any():
            row, column = (int(at[0]) for at in np.nonzero(wrong))
            raise _not_finite(rankings.query_ids[row], rankings.doc_ids[docs[row, column]], float(scores[row, column]))
        gaps = ((docs[:, :-1] < 0) & (docs[:, 1:] >= 0)).any(axis=1)
        if gaps.any():
            raise MeasureError(
                f"ranking of query {rankings.query_ids[gaps.argmax()]!r} has an empty place before a document"
            )
    _refuse_duplicates(rankings)


def _refuse_duplicates(rankings: Rankings) -> None:
    height = max(1, _BLOCK // rankings.k)
    for top in range(0, len(rankings), height):
        block = np.sort(rankings.doc_index[top : top + height], axis=1)
        # Looking at the flat block is three times as fast; only a suspicion is looked at row by row.
        flat = block.ravel()
        if not (flat[1:] == flat[:-1]).any():
            continue
        twice = (block[:, 1:] == block[:, :-1]) & (block[:, 1:] >= 0)
        if twice.any():
            row, column = (int(at[0]) for at in np.nonzero(twice))
            raise MeasureError(
                f"document {rankings.doc_ids[block[row, column]]!r} occurs twice in the ranking of query "
                f"{rankings.query_ids[top + row]!r}; keep its first place only"
            )


def ties_at_cutoff(rankings: Rankings, k: int) -> NDArray[np.bool_]:
    """Rankings whose top ``k`` was decided by the tie rule: ranks ``k`` and ``k + 1`` have the same score.

    Returns:
        bool ``(n_queries,)``; all false if the rankings are no deeper than ``k``.
    """
    if rankings.k <= k:
        return np.zeros(len(rankings), np.bool_)
    tied: NDArray[np.bool_] = rankings.scores[:, k] == rankings.scores[:, k - 1]
    return tied & (rankings.doc_index[:, k] >= 0)


def without_documents(rankings: Rankings, excluded: Mapping[str, str]) -> Rankings:
    """Take one document out of the ranking of each query named, by id, never by position.

    For golden sets whose queries are documents of the corpus: a query must not find itself.

    Args:
        rankings: any.
        excluded: ``{query_id: doc_id}``.

    Returns:
        Rankings of the same depth; the later documents move up and the last place is empty.
    """
    column_of = {doc_id: column for column, doc_id in enumerate(rankings.doc_ids)}
    unwanted = np.array([column_of.get(excluded.get(query_id, ""), -1) for query_id in rankings.query_ids], np.int32)
    gone = (rankings.doc_index == unwanted[:, None]) & (unwanted >= 0)[:, None]
    order = np.argsort(gone, axis=1, kind="stable")
    docs = np.take_along_axis(np.where(gone, np.int32(-1), rankings.doc_index), order, axis=1)
    scores = np.take_along_axis(np.where(gone, np.float32(-np.inf), rankings.scores), order, axis=1)
    # A pad sorts before the document taken out; both are empty places now.
    return replace(rankings, doc_index=docs, scores=scores)


def _column(column_of: Mapping[str, int], query_id: str, doc_id: str) -> int:
    try:
        return column_of[doc_id]
    except KeyError:
        raise MeasureError(f"document {doc_id!r} in the run of query {query_id!r} is not in the corpus") from None


def _number(score: object, query_id: str, doc_id: str) -> float:
    if isinstance(score, Real | np.integer | np.floating):
        return float(score)
    raise MeasureError(f"score {score!r} of document {doc_id!r} for query {query_id!r} is not a number")


def _not_finite(query_id: str, doc_id: str, score: float) -> MeasureError:
    return MeasureError(
        f"score of document {doc_id!r} for query {query_id!r} is {score}, not a finite float32; mend the retriever"
    )


def _as_float32(
    values: Float64Array, owner: NDArray[np.intp], columns: NDArray[np.intp], rows: Sequence[str], corpus: Sequence[str]
) -> Float32Array:
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    bad = np.flatnonzero(~np.isfinite(single))
    if len(bad):
        raise _not_finite(rows[owner[bad[0]]], corpus[columns[bad[0]]], float(values[bad[0]]))
    return single


def _id_ranks(corpus: Sequence[str]) -> NDArray[np.int64]:
    """Place of each id in ascending order; Python compares by code point, which is the order of UTF-8 bytes."""
    ranks = np.empty(len(corpus), np.int64)
    ranks[sorted(range(len(corpus)), key=corpus.__getitem__)] = np.arange(len(corpus))
    return ranks


def _padded(
    rows: tuple[str, ...],
    corpus: tuple[str, ...],
    lengths: NDArray[np.int64],
    columns: NDArray[np.int64],
    scores: Float32Array,
) -> Rankings:
    depth = int(lengths.max(initial=0))
    filled = np.arange(depth) < lengths[:, None]
    doc_index: Int32Array = np.full((len(rows), depth), -1, np.int32)
    doc_index[filled] = columns
    padded = np.full((len(rows), depth), -np.inf, np.float32)
    padded[filled] = scores
    return Rankings(rows, doc_index, padded, corpus)
