"""Where the judged documents stand in the rankings: the only pass over all of them, everything else is sparse."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perturb.errors import MeasureError
from perturb.measures.qrels import Qrels
from perturb.records import Int32Array, Rankings

_BLOCK = 1 << 16
_FEW_JUDGEMENTS = 40
"""Up to here comparing every document with every judgement is faster than binary search (measured)."""


@dataclass(frozen=True, slots=True)
class Hits:
    """The judged documents that were retrieved, by row and rising rank.

    Attributes:
        row: int64, row of the rankings.
        rank: int64, counted from 1.
        grade: int32, 0 or more.
        judgement: int64, position in the arrays of the qrels.
    """

    row: NDArray[np.int64]
    rank: NDArray[np.int64]
    grade: Int32Array
    judgement: NDArray[np.int64]

    def condensed(self) -> Hits:
        """The same hits ranked as if unjudged documents had not been retrieved."""
        return Hits(self.row, places_within(self.row) + 1, self.grade, self.judgement)


def places_within(row: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count 0, 1, 2, … within each run of equal values; ``row`` is sorted."""
    starts = np.flatnonzero(np.diff(row, prepend=-1))
    return np.arange(len(row)) - np.repeat(starts, np.diff(starts, append=len(row)))


def qrels_rows(rankings: Rankings, qrels: Qrels, parent: ArrayLike | None = None) -> NDArray[np.int64]:
    """Row of the qrels for each row of the rankings.

    Args:
        rankings: over the corpus of the qrels.
        qrels: the judgements.
        parent: given rows, for variants, whose ids are not query ids; by default queries are matched by id.

    Returns:
        int64 ``(len(rankings),)``.

    Raises:
        MeasureError: another corpus, an unknown query, or a parent that does not fit.
    """
    if rankings.doc_ids is not qrels.doc_ids and rankings.doc_ids != qrels.doc_ids:
        raise MeasureError(
            f"rankings are over {len(rankings.doc_ids)} documents, qrels over {len(qrels.doc_ids)}, or in other order; "
            "build both from the same doc_ids"
        )
    if parent is not None:
        rows = np.asarray(parent, np.int64)
        if rows.shape != (len(rankings),) or (len(rows) and not 0 <= rows.min() <= rows.max() < len(qrels.query_ids)):
            raise MeasureError(
                f"parent must hold {len(rankings)} rows between 0 and {len(qrels.query_ids) - 1}, one per ranking"
            )
        return rows
    if rankings.query_ids == qrels.query_ids:
        return np.arange(len(rankings))
    row_of = {query_id: row for row, query_id in enumerate(qrels.query_ids)}
    unknown = [query_id for query_id in rankings.query_ids if query_id not in row_of]
    if unknown:
        raise MeasureError(f"query {unknown[0]!r} has a ranking but is not in the qrels; pass parent for variants")
    return np.array([row_of[query_id] for query_id in rankings.query_ids], np.int64)


def find_hits(rankings: Rankings, qrels: Qrels, rows: NDArray[np.int64], depth: int | None = None) -> Hits:
    """Find the judged documents among the first ``depth`` of each ranking.

    Args:
        rankings: checked by :func:`perturb.measures.rankings.check_rankings`.
        qrels: the judgements.
        rows: row of the qrels for each ranking.
        depth: ``None`` for all.

    Returns:
        The hits. Memory stays near that of the hits: rankings are read in blocks.
    """
    docs = rankings.doc_index[:, :depth]
    width = docs.shape[1]
    counts = qrels.counts[rows]
    if not (width and len(docs) and counts.any()):
        nothing = np.zeros(0, np.int64)
        return Hits(nothing, nothing, nothing.astype(np.int32), nothing)
    deep = int(counts.max()) > _FEW_JUDGEMENTS
    height = max(1, _BLOCK // width)
    search = _by_search if deep else _by_comparison
    places, judgements = [], []
    for top in range(0, len(docs), height):
        block = slice(top, top + height)
        at, which = search(docs[block], qrels, qrels.starts[rows[block]], counts[block])
        places.append(at + top * width)
        judgements.append(which)
    place, judgement = np.concatenate(places), np.concatenate(judgements)
    order = np.argsort(place, kind="stable")
    place, judgement = place[order], judgement[order]
    return Hits(place // width, place % width + 1, qrels.grades[judgement], judgement)


_Found = tuple[NDArray[np.int64], NDArray[np.int64]]


def _by_comparison(docs: Int32Array, qrels: Qrels, starts: NDArray[np.int64], counts: NDArray[np.int64]) -> _Found:
    """Flat places of the hits and their judgements, one judgement per query at a time."""
    width, last = docs.shape[1], len(qrels.doc_index) - 1
    places, judgements = [], []
    for offset in range(int(counts.max())):
        judgement = np.minimum(starts + offset, last)
        wanted = np.where(offset < counts, qrels.doc_index[judgement], np.int32(-3))  # -3 equals no pad and no document
        found = np.flatnonzero(docs == wanted[:, None])
        places.append(found)
        judgements.append(judgement[found // width])
    return (np.concatenate(places), np.concatenate(judgements)) if places else (starts[:0], starts[:0])


def _by_search(docs: Int32Array, qrels: Qrels, starts: NDArray[np.int64], counts: NDArray[np.int64]) -> _Found:
    """The same by binary search among the judgements of the block, for pools with many judgements per query."""
    owner = np.repeat(np.arange(len(docs)), counts)
    judgement = np.repeat(starts - np.cumsum(counts) + counts, counts) + np.arange(len(owner))
    inside = qrels.doc_index[judgement] >= 0
    owner, judgement = owner[inside], judgement[inside]
    n_docs = len(qrels.doc_ids) + 1  # one more column, for the pads
    keys = owner * n_docs + qrels.doc_index[judgement] + 1
    order = np.argsort(keys)
    keys, judgement = keys[order], judgement[order]
    wanted = (docs + np.arange(1, len(docs) * n_docs, n_docs)[:, None]).ravel()
    at = np.searchsorted(keys, wanted)
    found = np.flatnonzero(np.append(keys, -1)[at] == wanted)
    return found, judgement[at[found]]
