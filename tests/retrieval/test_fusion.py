from __future__ import annotations

import numpy as np
import pytest

from perturb.errors import ConfigError
from perturb.records import Document, Rankings
from perturb.retrieval import build_retriever
from perturb.retrieval.fusion import HybridRetriever, fuse


def ranking(doc_ids: str, *ranked: str) -> Rankings:
    depth = max(map(len, ranked))
    doc_index = np.full((len(ranked), depth), -1, dtype=np.int32)
    for row, ids in enumerate(ranked):
        doc_index[row, : len(ids)] = [doc_ids.index(doc_id) for doc_id in ids]
    scores = np.where(doc_index >= 0, -np.arange(depth, dtype=np.float32), np.float32(-np.inf)).astype(np.float32)
    return Rankings(tuple(f"q{row}" for row in range(len(ranked))), doc_index, scores, tuple(doc_ids))


def test_sum_of_reciprocal_ranks() -> None:
    fused = fuse([ranking("abc", "ab", "c"), ranking("abc", "ba", "")], 3, rrf_k=60)
    assert fused.doc_index.tolist() == [[1, 0, -1], [2, -1, -1]]
    np.testing.assert_allclose(fused.scores[0, :2], 1 / 61 + 1 / 62, rtol=1e-6)
    assert fused.scores[1, 0] == np.float32(1 / 61)


def test_rankings_of_other_queries_are_refused() -> None:
    with pytest.raises(ConfigError, match="cannot be fused"):
        fuse([ranking("ab", "a"), ranking("ab", "a", "b")], 1)
    with pytest.raises(ConfigError, match="cannot be fused"):
        fuse([ranking("ab", "a"), ranking("ac", "a")], 1)


def test_hybrid_of_two_lexical_retrievers() -> None:
    hybrid = build_retriever("hybrid:bm25+bm25-lemma")
    assert isinstance(hybrid, HybridRetriever)
    steps: list[tuple[str, int, int]] = []
    hybrid.progress = lambda *step: steps.append(step)
    hybrid.index([Document("a", "umowa najmu"), Document("b", "umowy"), Document("c", "…")])
    rankings = hybrid.search([("q", "umowa")], 3)
    assert rankings.doc_index.tolist() == [[0, 1, -1]]
    assert {step[0] for step in steps} == {"bm25: searching", "bm25-lemma: searching"}
    assert hybrid.notes[0].startswith("bm25: 1 document contains no word")
    description = hybrid.description()
    assert description["rrf_k"] == 60
    assert set(description["components"]) == {"bm25", "bm25-lemma"}
