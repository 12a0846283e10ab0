from __future__ import annotations

import numpy as np
import pytest

from perturb.errors import MeasureError
from perturb.measures import (
    Qrels,
    context_recall,
    overlap,
    query_shift,
    rank_biased_overlap,
    rankings_from_lists,
    relative_recall,
)
from perturb.records import Judgement

CORPUS = tuple("abcdefghijklmnop")


def ranked(*lists: str):
    return rankings_from_lists({f"q{row}": list(letters) for row, letters in enumerate(lists)}, CORPUS)


def rbo_by_definition(first: str, second: str, p: float) -> float:
    """RBO_ext written out for lists of any length, equation 32, by sets."""
    short, long = sorted((first, second), key=len)
    s, n = len(short), len(long)

    def common(d: int) -> int:
        return len(set(long[:d]) & set(short[:d]))

    total = sum(common(d) / d * p**d for d in range(1, n + 1))
    total += sum(common(s) * (d - s) / (s * d) * p**d for d in range(s + 1, n + 1))
    return (1 - p) / p * total + ((common(n) - common(s)) / n + common(s) / s) * p**n


@pytest.mark.parametrize("p", [0.5, 0.9, 0.98])
def test_rank_biased_overlap_equals_its_definition(p):
    rng = np.random.default_rng(4)
    lists = [["".join(rng.permuted(list(CORPUS))[: rng.integers(1, 12)]) for _ in range(2)] for _ in range(60)]
    found = rank_biased_overlap(ranked(*(a for a, _ in lists)), ranked(*(b for _, b in lists)), p=p)
    np.testing.assert_allclose(found, [rbo_by_definition(a, b, p) for a, b in lists], atol=1e-12)


def test_extremes_of_agreement():
    first, second = ranked("abc", "abc", "", "abc", "ab"), ranked("abc", "def", "", "", "ba")
    np.testing.assert_allclose(rank_biased_overlap(first, second)[:4], [1, 0, 1, 0], atol=1e-12)
    assert overlap(first, second, 2).tolist() == [1, 0, 1, 0, 1]
    assert overlap(first, second, 1).tolist() == [1, 0, 1, 0, 0]
    assert rank_biased_overlap(ranked(""), ranked("")).tolist() == [1]


def test_variants_are_compared_with_their_query():
    clean, perturbed = ranked("ab", "cd"), ranked("cd", "ac", "dc")
    assert overlap(clean, perturbed, 2, parent=[1, 0, 1]).tolist() == [1, 0.5, 1]
    assert rank_biased_overlap(clean, perturbed, k=1, parent=[1, 0, 1]).tolist() == pytest.approx([1, 1, 0])


def test_what_cannot_be_compared():
    with pytest.raises(MeasureError, match="pass parent"):
        overlap(ranked("a"), ranked("a", "b"), 1)
    with pytest.raises(MeasureError, match="k=0 is below 1"):
        overlap(ranked("a"), ranked("a"), 0)
    with pytest.raises(MeasureError, match="different corpora"):
        overlap(ranked("a"), rankings_from_lists({"q0": ["a"]}, ("a",)), 1)
    for p in (0.0, 1.0):
        with pytest.raises(MeasureError, match="not between 0 and 1"):
            rank_biased_overlap(ranked("a"), ranked("a"), p=p)


def test_query_shift():
    clean, perturbed = np.array([[1, 0], [1, 0], [1, 0], [2, 2]]), np.array([[3, 0], [0, 1], [-1, 0], [1, 0]])
    np.testing.assert_allclose(query_shift(clean, perturbed), [0, 1, 2, 1 - np.sqrt(0.5)], atol=1e-12)
    for vector in ([0, 0], [np.nan, 1], [np.inf, 1]):
        with pytest.raises(MeasureError, match="row 1 is zero, NaN or infinite"):
            query_shift([[1, 0], [1, 1]], [[1, 0], vector])
    with pytest.raises(MeasureError, match="one row per query"):
        query_shift([[1, 0]], [[1, 0, 0]])


def test_context_recall_ends_before_the_first_document_that_does_not_fit():
    qrels = Qrels.from_judgements(
        [Judgement("q0", "a", 1), Judgement("q0", "c", 2), Judgement("q1", "b", 1)], ("q0", "q1"), CORPUS
    )
    tokens = [100, 300, 50] + [10] * 13
    found = context_recall(ranked("abc", "b"), qrels, tokens, [50, 100, 420, 450])
    assert found.tolist() == [[0, 0], [0.5, 0], [0.5, 1], [1, 1]]
    assert context_recall(ranked("abc"), qrels, tokens, [450], rel=2).tolist() == [[1]]
    with pytest.raises(MeasureError, match="query 'q1' has no document with a grade of at least 2"):
        context_recall(ranked("abc", "b"), qrels, tokens, [450], rel=2)
    for wrong in (tokens[:3], [-1] * 16):
        with pytest.raises(MeasureError, match="token_counts must hold 16"):
            context_recall(ranked("abc"), qrels, wrong, [450])
    assert context_recall(ranked("", ""), qrels, tokens, [450]).tolist() == [[0, 0]]


def test_relative_recall_counts_what_the_pool_found():
    qrels = Qrels.from_judgements(
        [Judgement("q0", doc, 1) for doc in "abcd"] + [Judgement("q1", "a", 1)], ("q0", "q1"), CORPUS
    )
    found, counted = relative_recall([ranked("aob", "o"), ranked("cab", "p")], qrels, 2)
    # the pool of the first two holds a and c; d is in nobody's list
    assert found.tolist() == [[0.5, 0], [1, 0]]
    assert counted.tolist() == [True, False]
    deeper, _ = relative_recall([ranked("aob", "o"), ranked("cab", "p")], qrels, 2, pool_depth=3)
    np.testing.assert_allclose(deeper[:, 0], [1 / 3, 2 / 3])
    with pytest.raises(MeasureError, match="below k=2"):
        relative_recall([ranked("a")], qrels, 2, pool_depth=1)
    for systems in ([], [ranked("a"), ranked("a", "b")]):
        with pytest.raises(MeasureError, match="same queries"):
            relative_recall(systems, qrels, 2)


def test_a_pool_may_be_shared_by_all_rows_of_a_query():
    qrels = Qrels.from_judgements([Judgement("q", d, 1) for d in "abc"], ["q"], CORPUS)
    systems = [ranked("ao", "bo"), ranked("co", "o")]
    apart, _ = relative_recall(systems, qrels, 2, parent=[0, 0])
    together, counted = relative_recall(systems, qrels, 2, parent=[0, 0], by_query=True)
    assert apart.tolist() == [[0.5, 1.0], [0.5, 0.0]] and counted.all()
    assert together.tolist() == [[1 / 3, 1 / 3], [1 / 3, 0.0]]
