"""What a retriever answers is checked before it is scored; the message names model, query and document."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from perturb.errors import RetrieverError
from perturb.records import Rankings
from perturb.retrieval.answers import checked_description, checked_rankings, checked_tokens

QUERIES, DOCS = ("q1", "q2"), ("d1", "d2", "d3")
INDEX = [[2, 0, -1], [1, -1, -1]]
SCORES = [[2.0, 1.0, -np.inf], [1.0, -np.inf, -np.inf]]


def rankings(
    index: Any = None, scores: Any = None, queries: Any = QUERIES, docs: Any = DOCS, dtype: Any = None
) -> Rankings:
    return Rankings(
        queries,
        np.array(INDEX if index is None else index, dtype or np.int32),
        np.array(SCORES if scores is None else scores, np.float32),
        docs,
    )


def test_rankings_pass_as_they_are() -> None:
    found = rankings()
    assert checked_rankings("m", found, QUERIES, DOCS, 3) is found
    nothing = Rankings(QUERIES, np.zeros((2, 0), np.int32), np.zeros((2, 0), np.float32), DOCS)
    assert checked_rankings("m", nothing, QUERIES, DOCS, 3) is nothing


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (None, "m: search gave None, which is no Rankings"),
        ({"q1": {"d1": 1.0}}, "which is no Rankings"),
        (rankings(queries=("q2", "q1")), "did not rank the queries it was given, in their order"),
        (rankings(queries=("q1", "q3")), "did not rank the queries"),
        (rankings(index=INDEX[:1], scores=SCORES[:1], queries=("q1",)), "did not rank the queries"),
        (rankings(docs=("d1", "d2", "d4")), "other documents than the corpus"),
        (rankings(docs=("d3", "d2", "d1")), "other documents than the corpus"),
        (rankings(index=[[3, 0, -1], [1, -1, -1]]), "doc_index 3 for query 'q1' is no document"),
        (rankings(index=[[2, 0, -1], [1, -5, -1]]), "doc_index -5 for query 'q2' is no document"),
        (rankings(scores=[[2.0, np.nan, -np.inf], SCORES[1]]), "score of document 'd1' for query 'q1' is nan"),
        (rankings(scores=[[np.inf, 1.0, -np.inf], SCORES[1]]), "score of document 'd3' for query 'q1' is inf"),
        (rankings(scores=[SCORES[0], [-np.inf] * 3]), "score of document 'd2' for query 'q2' is -inf"),
        (rankings(scores=[[1.0, 2.0, -np.inf], SCORES[1]]), "scores of query 'q1' do not descend"),
        (rankings(index=[[2, 2, -1], [1, -1, -1]]), "document 'd3' stands twice in the ranking of 'q1'"),
        (rankings(index=[[-1, 0, -1], [1, -1, -1]]), "query 'q1' has a document after its end"),
        (rankings(dtype=np.float64), "doc_index of float64"),
        (rankings(index=[[0, 1, 2, -1]] * 2, scores=[[3.0, 2.0, 1.0, -np.inf]] * 2), "at most 3 columns"),
    ],
)
def test_what_is_no_ranking_is_refused(found: object, message: str) -> None:
    with pytest.raises(RetrieverError) as caught:
        checked_rankings("m", found, QUERIES, DOCS, 3)
    assert message in str(caught.value)
    assert str(caught.value).startswith("m: ")
    assert "\n" not in str(caught.value)


def test_a_description_is_plain_json() -> None:
    assert checked_description("m", {"prompt": "query: ", "layers": (1, 2)}) == {"prompt": "query: ", "layers": (1, 2)}
    circle: dict[str, object] = {}
    circle["itself"] = circle
    for found in (None, [1], {"x": float("nan")}, {("a", "b"): 1}, circle):
        with pytest.raises(RetrieverError, match="m: description gave"):
            checked_description("m", found)


def test_token_counts_are_none_or_one_per_text() -> None:
    assert checked_tokens("m", None, 2) is None
    assert checked_tokens("m", np.array([3, 4]), 2) == [3, 4]
    for found in ([1], ["a", "b"], [1.5, 2.0], []):
        with pytest.raises(RetrieverError, match="m: query_tokens gave"):
            checked_tokens("m", found, 2)
