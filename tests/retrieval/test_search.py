from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from perturb.errors import ConfigError, RetrieverError
from perturb.records import Rankings
from perturb.retrieval.search import DocumentOrder, top_k

# Few distinct values, so that most draws are full of ties; both zeros; neighbours one bit apart; extremes.
SCORES = st.sampled_from(
    [0.0, -0.0, 1.0, float(np.nextafter(np.float32(1), np.float32(2))), -1.0, -2.5, 3e38, -3e38, 1e-45, -1e-45, -np.inf]
)


def brute_force(scores: np.ndarray[Any, Any], doc_ids: list[str], k: int) -> list[list[tuple[str, float]]]:
    rankings = []
    for row in scores.astype(np.float32):
        pairs = [(doc_id, float(score)) for doc_id, score in zip(doc_ids, row, strict=True) if score > -np.inf]
        pairs.sort(key=lambda pair: pair[0], reverse=True)
        pairs.sort(key=lambda pair: -pair[1])
        rankings.append(pairs[:k])
    return rankings


def search(
    scores: np.ndarray[Any, Any], doc_ids: list[str], k: int, block_rows: int | None = None, columns: int | None = None
) -> Rankings:
    order = DocumentOrder(doc_ids)
    queries = [f"q{row}" for row in range(len(scores))]
    return top_k(
        lambda rows, cols: scores[rows][:, order.columns[cols]],
        queries,
        order,
        k,
        block_rows=block_rows,
        block_columns=columns,
    )


def as_pairs(rankings: Rankings) -> list[list[tuple[str, float]]]:
    return [
        [(rankings.doc_ids[column], float(score)) for column, score in zip(columns, scores, strict=True) if column >= 0]
        for columns, scores in zip(rankings.doc_index, rankings.scores, strict=True)
    ]


@st.composite
def corpora(draw: st.DrawFn) -> tuple[np.ndarray[Any, Any], list[str]]:
    n_documents = draw(st.integers(0, 30))
    doc_ids = draw(st.lists(st.text("aAąż190 ", max_size=3), min_size=n_documents, max_size=n_documents, unique=True))
    scores = draw(hnp.arrays(np.float32, (draw(st.integers(0, 5)), n_documents), elements=SCORES))
    return scores, doc_ids


@settings(deadline=None)
@given(corpora(), st.integers(1, 40), st.integers(1, 6), st.none() | st.integers(1, 31))
def test_equals_a_full_sort_for_any_ties_and_any_block(
    corpus: tuple[np.ndarray[Any, Any], list[str]], k: int, block_rows: int, block_columns: int | None
) -> None:
    scores, doc_ids = corpus
    rankings = search(scores, doc_ids, k, block_rows, block_columns)
    assert as_pairs(rankings) == brute_force(scores, doc_ids, k)
    assert rankings.doc_index.shape == rankings.scores.shape == (len(scores), k)
    assert np.array_equal(rankings.doc_index < 0, np.isneginf(rankings.scores))


def test_a_thousand_ties_at_the_boundary_in_any_corpus_order() -> None:
    rng = np.random.default_rng(0)
    doc_ids = [f"d{number}" for number in range(1000)]
    scores = rng.integers(0, 3, (20, 1000)).astype(np.float32)
    expected = brute_force(scores, doc_ids, 10)
    assert as_pairs(search(scores, doc_ids, 10, columns=37)) == expected
    shuffle = rng.permutation(1000)
    shuffled = search(scores[:, shuffle], [doc_ids[place] for place in shuffle], 10)
    assert as_pairs(search(scores, doc_ids, 10)) == expected == as_pairs(shuffled)


def test_both_zeros_tie() -> None:
    assert [pair[0] for pair in as_pairs(search(np.array([[0.0, -0.0]]), ["a", "b"], 2))[0]] == ["b", "a"]


def test_scores_are_compared_as_float32() -> None:
    assert [pair[0] for pair in as_pairs(search(np.array([[1.0 + 1e-12, 1.0]]), ["a", "b"], 2))[0]] == ["b", "a"]


@pytest.mark.parametrize("nonsense", [np.nan, np.inf])
def test_nonsense_is_refused_with_query_and_document(nonsense: float) -> None:
    scores = np.array([[1.0, 2.0], [1.0, nonsense]])
    with pytest.raises(RetrieverError, match=r"query 'q1' and document 'right'"):
        search(scores, ["left", "right"], 1, block_rows=1, columns=1)


def test_depth_below_one_is_refused() -> None:
    with pytest.raises(ConfigError, match="k = 0"):
        search(np.ones((1, 2)), ["a", "b"], 0)


def test_two_documents_with_one_id_are_refused() -> None:
    with pytest.raises(RetrieverError, match="share the id 'a'"):
        DocumentOrder(["a", "b", "a"])
