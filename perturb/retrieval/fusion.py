"""Reciprocal rank fusion of several retrievers (Cormack, Clarke and Büttcher 2009)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from perturb.errors import ConfigError
from perturb.records import Document, Rankings
from perturb.retrieval.base import Retriever
from perturb.retrieval.search import DocumentOrder, top_k


def fuse(rankings: Sequence[Rankings], k: int, *, rrf_k: int = 60, retriever: str = "hybrid") -> Rankings:
    """Fuse rankings of the same queries over the same documents.

    A document scores the sum of ``1 / (rrf_k + rank)`` over the rankings that hold it; raw scores are never mixed.

    Args:
        rankings: at least one; equal ``query_ids`` and ``doc_ids``.
        k: depth of the result.
        rrf_k: how much the first places count over later ones.
        retriever: name for error messages.

    Returns:
        Fused rankings, ties by ``doc_id`` descending.

    Raises:
        ConfigError: the rankings do not belong together.
    """
    first = rankings[0]
    for other in rankings[1:]:
        if other.query_ids != first.query_ids or other.doc_ids != first.doc_ids:
            raise ConfigError(f"{retriever}: rankings of different queries or documents cannot be fused")
    order = DocumentOrder(first.doc_ids)
    column_of = np.empty(len(order), dtype=np.int64)
    column_of[order.columns] = np.arange(len(order))

    def score_block(rows: slice, _columns: slice) -> NDArray[np.float64]:
        scores = np.zeros((rows.stop - rows.start, len(order)))
        for ranking in rankings:
            ranked = ranking.doc_index[rows]
            found, places = np.nonzero(ranked >= 0)
            scores[found, column_of[ranked[found, places]]] += 1.0 / (rrf_k + places + 1)
        scores[scores == 0] = -np.inf
        return scores

    return top_k(score_block, first.query_ids, order, k, retriever=retriever)


class HybridRetriever(Retriever):
    """Runs several retrievers and fuses their ranks."""

    def __init__(self, name: str, components: Sequence[Retriever], *, rrf_k: int = 60, depth: int = 100) -> None:
        """Combine retrievers.

        Args:
            name: name in reports.
            components: at least two retrievers.
            rrf_k: constant of the fusion.
            depth: places read from each ranking; never fewer than asked of the hybrid.
        """
        super().__init__(name)
        self.components = tuple(components)
        self._rrf_k, self._depth = rrf_k, depth

    def index(self, documents: Sequence[Document]) -> None:
        """Index the documents in every component."""
        for component in self.components:
            component.progress = self.progress
            component.index(documents)
        self._gather_notes()

    def search(self, queries: Sequence[tuple[str, str]], k: int) -> Rankings:
        """Search with every component and fuse, see :meth:`Retriever.search`."""
        depth = max(k, self._depth)
        rankings = [component.search(queries, depth) for component in self.components]
        self._gather_notes()
        return fuse(rankings, k, rrf_k=self._rrf_k, retriever=self.name)

    def _gather_notes(self) -> None:
        for component in self.components:
            for sentence in component.notes:
                self.note(f"{component.name}: {sentence}")

    def description(self) -> dict[str, object]:
        """The fusion and its components."""
        return {
            "kind": "hybrid",
            "fusion": "reciprocal rank",
            "rrf_k": self._rrf_k,
            "depth": self._depth,
            "components": {component.name: component.description() for component in self.components},
        }
