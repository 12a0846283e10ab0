from __future__ import annotations

import numpy as np
import pytest

from perturb.errors import RetrieverError
from perturb.records import Document, Rankings
from perturb.retrieval.base import Encoder
from perturb.retrieval.vectors import CHUNK, DenseRetriever

from .conftest import StubEncoder


def ranked(rankings: Rankings, row: int = 0) -> list[str]:
    return [rankings.doc_ids[column] for column in rankings.doc_index[row] if column >= 0]


def test_stub_is_an_encoder() -> None:
    assert isinstance(StubEncoder({}), Encoder)


def test_equals_a_product_by_hand() -> None:
    rng = np.random.default_rng(3)
    table = {f"t{n}": rng.normal(size=8).tolist() for n in range(40)}
    encoder = StubEncoder(table, dim=8)
    retriever = DenseRetriever(encoder)
    retriever.index([Document(f"d{n:02}", f"t{n}") for n in range(30)])
    rankings = retriever.search([(f"q{n}", f"t{n}") for n in range(30, 40)], 5)
    vectors = np.array(list(table.values()), dtype=np.float32).astype(float)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    scores = vectors[30:] @ vectors[:30].T
    expected = np.argsort(-scores, axis=1)[:, :5]
    assert np.array_equal(rankings.doc_index, expected)
    np.testing.assert_allclose(rankings.scores, np.take_along_axis(scores, expected, axis=1), atol=1e-6)


def test_equal_texts_are_encoded_once_and_tie() -> None:
    encoder = StubEncoder({"a": [1, 2], "b": [2, 1]})
    retriever = DenseRetriever(encoder)
    retriever.index([Document("d1", "a"), Document("d2", "b"), Document("d3", "a")])
    rankings = retriever.search([("q1", "a"), ("q2", "b"), ("q3", "a")], 3)
    assert encoder.seen.count(("document", "a")) == 1
    assert encoder.seen.count(("query", "a")) == 1
    assert [ranked(rankings, row) for row in range(3)] == [["d3", "d1", "d2"], ["d2", "d3", "d1"], ["d3", "d1", "d2"]]


def test_texts_reach_the_encoder_composed() -> None:
    encoder = StubEncoder({})
    retriever = DenseRetriever(encoder)
    retriever.index([Document("d", "z\u0307o\u0301ł")])
    assert ("document", "żół"[:3]) in encoder.seen


def test_a_zero_vector_is_no_evidence() -> None:
    retriever = DenseRetriever(StubEncoder({"nothing": [0, 0], "a": [1, 0], "b": [-1, 0]}))
    retriever.index([Document("a", "a"), Document("b", "b"), Document("n", "nothing")])
    rankings = retriever.search([("q1", "a"), ("q2", "nothing")], 3)
    assert ranked(rankings, 0) == ["a", "b"]
    assert ranked(rankings, 1) == []


def test_cache_spares_the_encoder_and_a_new_fingerprint_does_not_use_it() -> None:
    documents = [Document(f"d{n}", f"text {n}") for n in range(5)]
    first, second, other = StubEncoder({}), StubEncoder({}), StubEncoder({}, fingerprint="other")
    for encoder in (first, second, other):
        retriever = DenseRetriever(encoder)
        retriever.index(documents)
        retriever.search([("q", "text 1")], 2)
    assert ("document", "text 1") in first.seen
    assert ("query", "text 1") in first.seen
    assert not {("document", "text 1"), ("query", "text 1")} & set(second.seen)
    assert ("document", "text 1") in other.seen


def test_a_stopped_run_goes_on_where_it_was() -> None:
    texts = [f"text {n}" for n in range(CHUNK + 10)]
    documents = [Document(f"d{n}", text) for n, text in enumerate(texts)]

    class Stopping(StubEncoder):
        def encode_documents(self, texts):
            if len([1 for role, _ in self.seen if role == "document"]) > CHUNK:
                raise KeyboardInterrupt
            return super().encode_documents(texts)

    with pytest.raises(KeyboardInterrupt):
        DenseRetriever(Stopping({})).index(documents)
    again = StubEncoder({})
    retriever = DenseRetriever(again)
    steps: list[tuple[str, int, int]] = []
    retriever.progress = lambda *step: steps.append(step)
    retriever.index(documents)
    encoded = {text for role, text in again.seen if role == "document" and text.startswith("text")}
    assert len(encoded) == 10
    assert steps[-1] == ("stub: encoding documents", 10, 10)


def test_wrong_shape_is_refused() -> None:
    with pytest.raises(RetrieverError, match=r"shape \(2, 3\), expected \(2, 2\)"):
        DenseRetriever(StubEncoder(lambda text: [1, 2, 3])).index([Document("d", "x")])


def test_searching_before_indexing_is_refused() -> None:
    with pytest.raises(RetrieverError, match="call index first"):
        DenseRetriever(StubEncoder({})).search([("q", "x")], 1)


def test_empty_corpus_and_no_queries() -> None:
    retriever = DenseRetriever(StubEncoder({}))
    retriever.index([])
    assert retriever.search([("q", "x")], 2).doc_index.tolist() == [[-1, -1]]
    retriever.index([Document("d", "x")])
    assert retriever.search([], 2).doc_index.shape == (0, 2)


def test_notes_and_description() -> None:
    retriever = DenseRetriever(StubEncoder({}, similarity="dot"))
    retriever.index([Document("d", "x" * 101)])
    retriever.search([(f"q{n}", "y" * 101) for n in range(12)], 1)
    assert retriever.notes[0] == "made of a table"
    assert retriever.notes[1] == "cut at 100 tokens, prompt included: 1 of 1 document (d)"
    assert retriever.notes[2].startswith("cut at 100 tokens, prompt included: 12 of 12 queries (q0, q1,")
    assert retriever.notes[2].endswith("q9, …)")
    description = retriever.description()
    assert description["similarity"] == "dot"
    assert description["truncated_documents"] == ["d"]
    assert len(description["truncated_queries"]) == 12


def test_blocks_of_documents_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    table = {f"t{n}": rng.normal(size=8).tolist() for n in range(60)}
    table["zero"] = [0.0] * 8
    texts = [f"t{n % 50}" for n in range(80)] + ["zero"]
    runs = []
    for width in (1000, 16, 1):
        monkeypatch.setattr("perturb.retrieval.vectors.BLOCK_COLUMNS", width)
        retriever = DenseRetriever(StubEncoder(table, dim=8))
        retriever.index([Document(f"d{n}", text) for n, text in enumerate(texts)])
        runs.append(retriever.search([(f"q{n}", f"t{n}") for n in range(40, 60)], 30))
    for other in runs[1:]:
        assert np.array_equal(runs[0].doc_index, other.doc_index)
        assert np.array_equal(runs[0].scores, other.scores)


def test_query_vectors_are_those_that_were_searched_with() -> None:
    encoder = StubEncoder({"a": [1, 2], "b": [2, 1]})
    retriever = DenseRetriever(encoder)
    retriever.index([Document("d1", "a")])
    retriever.search([("q1", "a"), ("q2", "b")], 1)
    seen = list(encoder.seen)
    found = retriever.query_vectors(["b", "a", "b"])
    assert found is not None and found.tolist() == [[2, 1], [1, 2], [2, 1]] and found.dtype == np.float32
    assert encoder.seen == seen
    fresh = DenseRetriever(StubEncoder({"a": [1, 2]})).query_vectors(["a", "a"])
    assert fresh is not None and fresh.tolist() == [[1, 2], [1, 2]]
    nothing = retriever.query_vectors([])
    assert nothing is not None and nothing.shape == (0, 2)
