"""Hold every retriever, ours and third parties', to what it must answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from perturb.errors import RetrieverError
from perturb.records import Float32Array, Rankings


def checked_rankings(name: str, found: Any, query_ids: Sequence[str], doc_ids: Sequence[str], k: int) -> Rankings:
    """Check what :meth:`perturb.retrieval.base.Retriever.search` gave.

    Args:
        name: of the model, for messages.
        found: what it gave.
        query_ids: what it was asked, in this order.
        doc_ids: all documents, in the order of the corpus.
        k: depth that was asked for.

    Returns:
        ``found``.

    Raises:
        RetrieverError: no rankings, of other queries or documents, or rows that are no ranking; names the query.
    """
    if not isinstance(found, Rankings):
        raise RetrieverError(f"{name}: search gave {found!r:.60}, which is no Rankings; mend the retriever")
    if tuple(found.query_ids) != tuple(query_ids):
        raise RetrieverError(
            f"{name}: search did not rank the queries it was given, in their order; mend the retriever"
        )
    if tuple(found.doc_ids) != tuple(doc_ids):
        raise RetrieverError(f"{name}: search ranked other documents than the corpus has, or in other order of doc_ids")
    if wrong := _wrong_rows(found, k):
        raise RetrieverError(f"{name}: {wrong}; mend the retriever")
    return found


def _wrong_rows(found: Rankings, k: int) -> str:
    """The first thing that makes the rows no rankings; empty if they are."""
    index, scores = np.asarray(found.doc_index), np.asarray(found.scores)
    if index.ndim != 2 or index.shape[1] > k:
        return f"search gave doc_index of shape {index.shape}; at most {k} columns were asked for"
    if not np.issubdtype(index.dtype, np.integer) or not np.issubdtype(scores.dtype, np.floating):
        return f"search gave doc_index of {index.dtype} and scores of {scores.dtype}; give int32 and float32"

    def first(wrong: np.ndarray[Any, Any]) -> tuple[int, int]:
        row, column = np.argwhere(wrong)[0]
        return int(row), int(column)

    outside = (index < -1) | (index >= len(found.doc_ids))
    if outside.any():
        row, column = first(outside)
        return f"doc_index {index[row, column]} for query {found.query_ids[row]!r} is no document"
    filled = index >= 0
    infinite = filled & ~np.isfinite(scores)
    if infinite.any():
        row, column = first(infinite)
        document = found.doc_ids[index[row, column]]
        return f"the score of document {document!r} for query {found.query_ids[row]!r} is {scores[row, column]}"
    if (late := filled[:, 1:] & ~filled[:, :-1]).any():
        return f"the ranking of query {found.query_ids[first(late)[0]]!r} has a document after its end"
    if (rising := filled[:, 1:] & (np.where(filled, scores, 0)[:, 1:] > np.where(filled, scores, 0)[:, :-1])).any():
        return f"the scores of query {found.query_ids[first(rising)[0]]!r} do not descend"
    ordered = np.sort(index, axis=1)
    if (twice := (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)).any():
        row, column = first(twice)
        return (
            f"document {found.doc_ids[ordered[row, column]]!r} stands twice in the ranking of {found.query_ids[row]!r}"
        )
    return ""


def checked_description(name: str, found: Any) -> Mapping[str, Any]:
    """Check that a description can stand in ``run.json``.

    Raises:
        RetrieverError: it is no dictionary, or holds what JSON has no word for.
    """
    try:
        if not isinstance(found, Mapping):
            raise TypeError("it is no dictionary")
        json.dumps(dict(found), allow_nan=False, default=str)
    except (TypeError, ValueError) as error:
        raise RetrieverError(f"{name}: description gave {found!r:.60}: {error}; mend the retriever") from error
    return found


def checked_tokens(name: str, found: Any, texts: int) -> Sequence[int] | None:
    """Check token counts: none at all, or a whole number per text.

    Raises:
        RetrieverError: they are something else.
    """
    if found is None:
        return None
    counts = list(found)
    if len(counts) != texts or not all(isinstance(count, (int, np.integer)) for count in counts):
        raise RetrieverError(f"{name}: query_tokens gave {found!r:.60} for {texts} texts; give a whole number for each")
    return counts


def checked_vectors(name: str, found: Any, texts: int) -> Float32Array | None:
    """Check query vectors: none at all, or a finite row per text.

    Raises:
        RetrieverError: they are something else.
    """
    if found is None:
        return None
    vectors = np.asarray(found)
    if vectors.ndim != 2 or len(vectors) != texts or not np.issubdtype(vectors.dtype, np.floating):
        raise RetrieverError(
            f"{name}: query_vectors gave {vectors.dtype} {vectors.shape} for {texts} texts; give a float32 row for each"
        )
    if not np.isfinite(vectors).all():
        raise RetrieverError(f"{name}: query_vectors gave NaN or infinity; mend the retriever")
    return vectors.astype(np.float32, copy=False)
