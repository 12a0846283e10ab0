"""Exact top-k: one tie rule for every retriever.

Order: float32 score descending, then ``doc_id`` descending by code point, as trec_eval sorts a run. Scores and
columns are packed into one int64 key (order-preserving score bits above, column below), so that selecting and
sorting keys settles ties at the boundary too, whatever the block size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perturb.errors import ConfigError, RetrieverError
from perturb.records import Float32Array, Int32Array, Rankings

Int64Array = NDArray[np.int64]
ScoreBlock = Callable[[slice, slice], NDArray[Any]]
"""Queries and columns to scores ``(rows, columns)``; columns are numbered in the order of a DocumentOrder."""

BLOCK_SCORES = 2_000_000
"""Scores held at once: 8 MB of float32 and 16 MB of keys; four times more is slower, a quarter is no faster."""

_NOTHING = np.iinfo(np.int64).min
_COLUMN_BITS = np.int64(0xFFFFFFFF)


class DocumentOrder:
    """The documents of a corpus in the order that settles ties: ``doc_id`` descending.

    Attributes:
        doc_ids: ids in the order of the corpus.
        columns: int64 ``(n,)``; ``columns[i]`` is the corpus position of the i-th id in descending order.
    """

    def __init__(self, doc_ids: Sequence[str]) -> None:
        """Sort the ids.

        Raises:
            RetrieverError: two documents share an id.
        """
        self.doc_ids = tuple(doc_ids)
        descending = sorted(range(len(self.doc_ids)), key=self.doc_ids.__getitem__, reverse=True)
        for left, right in pairwise(descending):
            if self.doc_ids[left] == self.doc_ids[right]:
                raise RetrieverError(f"two documents share the id {self.doc_ids[left]!r}; ids must be unique")
        self.columns = np.array(descending, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.doc_ids)


def _keys(scores: Float32Array, columns: Int64Array, n_documents: int) -> Int64Array:
    """Pack scores and columns; a larger key ranks higher, equal scores by smaller column."""
    bits = (scores + np.float32(0.0)).view(np.int32)  # adding 0 turns -0.0 into 0.0, so that the two tie
    ordered = np.where(bits < 0, bits ^ np.int32(0x7FFFFFFF), bits).astype(np.int64)
    keys: Int64Array = (ordered << np.int64(32)) | (n_documents - 1 - columns)
    keys[np.isneginf(scores)] = _NOTHING
    return keys


def _best(keys: Int64Array, k: int) -> Int64Array:
    """The k largest keys of each row, descending; fewer columns if there are fewer keys."""
    if keys.shape[1] > k:
        keys = np.partition(keys, keys.shape[1] - k, axis=1)[:, -k:]
    return np.sort(keys, axis=1)[:, ::-1]


def _scores_of(keys: Int64Array) -> Float32Array:
    """Unpack scores; ``-inf`` where a key stands for nothing."""
    ordered = (keys >> np.int64(32)).astype(np.int32)
    bits = np.where(ordered < 0, ordered ^ np.int32(0x7FFFFFFF), ordered).astype(np.int32)
    return np.where(keys == _NOTHING, np.float32(-np.inf), bits.view(np.float32))


def _challengers(best: Int64Array, block: Float32Array, first_column: int, n_documents: int) -> Int64Array:
    """Keys of those scores of a further block that reach the last place held so far, padded to equal width.

    Comparing float32 scores first spares packing a whole block of which few can still enter the ranking.
    """
    rows, columns = np.nonzero((block >= _scores_of(best[:, -1:])) & ~np.isneginf(block))
    places = np.arange(len(rows)) - np.searchsorted(rows, rows)
    keys = np.full((len(block), int(places.max(initial=-1)) + 1), _NOTHING)
    keys[rows, places] = _keys(block[rows, columns], columns + first_column, n_documents)
    return keys


def _unpack(keys: Int64Array, order: DocumentOrder, k: int) -> tuple[Int32Array, Float32Array]:
    """Turn sorted keys back into corpus positions and scores, padded to k columns."""
    n_rows, width = keys.shape
    doc_index = np.full((n_rows, k), -1, dtype=np.int32)
    scores = np.full((n_rows, k), -np.inf, dtype=np.float32)
    found = keys != _NOTHING
    columns = len(order) - 1 - (keys & _COLUMN_BITS)
    doc_index[:, :width][found] = order.columns[columns[found]]
    scores[:, :width] = _scores_of(keys)
    return doc_index, scores


def _refuse_nonsense(scores: Float32Array, query_ids: Sequence[str], doc_ids: Sequence[str], retriever: str) -> None:
    """Stop at NaN and +inf; -inf is allowed and means *no evidence*."""
    wrong = np.isnan(scores) | np.isposinf(scores)
    if wrong.any():
        row, column = (int(position) for position in np.argwhere(wrong)[0])
        raise RetrieverError(
            f"{retriever}: score of query {query_ids[row]!r} and document {doc_ids[column]!r} "
            f"is {scores[row, column]}; its vectors cannot be used"
        )


def top_k(
    score_block: ScoreBlock,
    query_ids: Sequence[str],
    order: DocumentOrder,
    k: int,
    *,
    retriever: str = "retriever",
    block_rows: int | None = None,
    block_columns: int | None = None,
) -> Rankings:
    """Rank documents for all queries, a block of queries and documents at a time.

    Args:
        score_block: scores of a range of queries and a range of columns, numbered as in ``order.columns``; ``-inf``
            where a document has no evidence. Rounded to float32 here. All queries are asked for one range of
            columns before the next.
        query_ids: ids of the queries, one per row.
        order: the corpus.
        k: depth, at least 1.
        retriever: name for error messages.
        block_rows: queries per block; None chooses by corpus size. The result does not depend on it.
        block_columns: documents per block; None for all at once. The result does not depend on it.

    Returns:
        Rankings of depth exactly ``k``, padded with ``-1`` and ``-inf``.

    Raises:
        ConfigError: k is below 1.
        RetrieverError: a score is NaN or +inf.
    """
    if k < 1:
        raise ConfigError(f"k = {k}: a ranking needs at least one place")
    n_documents, n_queries = len(order), len(query_ids)
    width = min(block_columns or n_documents, n_documents)
    height = block_rows or max(1, BLOCK_SCORES // max(1, width))
    depth = min(k, n_documents)
    best = np.full((n_queries, depth), _NOTHING)
    for left in range(0, n_documents, max(1, width)):
        columns = slice(left, min(left + width, n_documents))
        doc_ids = [order.doc_ids[column] for column in order.columns[columns]]
        for top in range(0, n_queries, height):
            rows = slice(top, min(top + height, n_queries))
            block = np.ascontiguousarray(score_block(rows, columns), dtype=np.float32)
            _refuse_nonsense(block, query_ids[rows], doc_ids, retriever)
            if left:
                new = _challengers(best[rows], block, left, n_documents)
                best[rows] = _best(np.concatenate([best[rows], new], axis=1), depth)
            else:
                new = _best(_keys(block, np.arange(columns.stop), n_documents), depth)
                best[rows, : new.shape[1]] = new
    doc_index, scores = _unpack(best, order, k)
    return Rankings(tuple(query_ids), doc_index, scores, order.doc_ids)
