"""Properties that hold for any rankings, and bad input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perturb.errors import MeasureError
from perturb.measures import (
    OUTSIDE,
    Qrels,
    check_rankings,
    rankings_from_dict,
    rankings_from_lists,
    rankings_from_scores,
    score,
)
from perturb.records import Judgement, Rankings

EVERY = [
    "recall@3",
    "rcap@3",
    "precision@3",
    "f1@3",
    "hit@3",
    "rprec",
    "mrr",
    "mrr@2",
    "map",
    "map@2",
    "ndcg",
    "ndcg@3",
]
EVERY += ["ndcg_exp@3", "judged@3", "ndcg@3(condensed)", "recall@3(condensed)"]
CORPUS = tuple("abcdefgh")


def build(rows: list[list[int]], grades: list[dict[int, int]]) -> tuple[Rankings, Qrels]:
    ids = [f"q{row}" for row in range(len(rows))]
    lists = {query_id: [CORPUS[doc] for doc in row] for query_id, row in zip(ids, rows, strict=True)}
    judged = [
        Judgement(q, CORPUS[doc], grade) for q, row in zip(ids, grades, strict=True) for doc, grade in row.items()
    ]
    return rankings_from_lists(lists, CORPUS), Qrels.from_judgements(judged, ids, CORPUS)


documents = st.integers(0, 7)
query = st.tuples(
    st.lists(documents, unique=True),
    st.dictionaries(documents, st.integers(-2, 4)).filter(lambda grades: any(grade > 0 for grade in grades.values())),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(query, min_size=1, max_size=5))
def test_every_measure_lies_between_zero_and_one_and_rows_are_independent(queries):
    rankings, qrels = build([row for row, _ in queries], [grades for _, grades in queries])
    scores = score(rankings, qrels, EVERY)
    assert scores.shape == (len(EVERY), len(queries))
    assert scores.dtype == np.float64
    assert ((scores >= 0) & (scores <= 1 + 1e-12)).all()
    for row in range(len(queries)):
        one = Rankings((f"q{row}",), rankings.doc_index[[row]], rankings.scores[[row]], CORPUS)
        np.testing.assert_array_equal(score(one, qrels, EVERY)[:, 0], scores[:, row])


@settings(max_examples=100, deadline=None)
@given(query)
def test_the_ideal_ranking_scores_one_and_an_empty_one_zero(one):
    _, grades = one
    ideal = sorted(grades, key=lambda doc: -grades[doc])
    rankings, qrels = build([ideal], [grades])
    np.testing.assert_allclose(
        score(rankings, qrels, ["ndcg", "ndcg@3", "ndcg_exp@3", "map", "mrr", "rprec", "rcap@3"]), 1
    )
    empty, _ = build([[]], [grades])
    assert not score(empty, qrels, EVERY).any()


def test_variants_share_the_judgements_of_their_query():
    qrels = Qrels.from_judgements([Judgement("q1", "a", 1), Judgement("q2", "b", 1)], ("q1", "q2"), CORPUS)
    rankings = rankings_from_lists({"q2~1": ["a", "b"], "q1~1": ["a"], "q2~2": ["b"]}, CORPUS)
    assert score(rankings, qrels, ["mrr"], parent=[1, 0, 1])[0].tolist() == [0.5, 1.0, 1.0]
    for parent in ([0, 1], [0, 1, 2], [-1, 0, 1]):
        with pytest.raises(MeasureError, match="parent must hold 3 rows between 0 and 1"):
            score(rankings, qrels, ["mrr"], parent=parent)
    with pytest.raises(MeasureError, match="query 'q2~1' has a ranking but is not in the qrels"):
        score(rankings, qrels, ["mrr"])


def test_queries_are_matched_by_id():
    qrels = Qrels.from_judgements([Judgement("q1", "a", 1), Judgement("q2", "b", 1)], ("q1", "q2"), CORPUS)
    assert score(rankings_from_lists({"q2": ["b"], "q1": ["b", "a"]}, CORPUS), qrels, ["mrr"])[0].tolist() == [1.0, 0.5]


def test_condensed_for_all_measures_at_once():
    rankings, qrels = build([[0, 1, 2]], [{2: 1}])
    assert score(rankings, qrels, ["mrr", "recall@1"], condensed=True)[:, 0].tolist() == [1.0, 1.0]
    assert score(rankings, qrels, ["mrr(condensed)", "recall@1"])[:, 0].tolist() == [1.0, 0.0]


def test_documents_outside_the_corpus_stay_in_the_denominator():
    qrels = Qrels.from_judgements([Judgement("q0", "a", 1), Judgement("q0", "gone", 3)], ("q0",), CORPUS)
    assert (qrels.n_outside, qrels.doc_index.tolist()) == (1, [OUTSIDE, 0])
    found = score(rankings_from_lists({"q0": ["a"]}, CORPUS), qrels, ["recall@5", "ndcg@5"])[:, 0]
    assert found == pytest.approx([0.5, 1 / (3 + 1 / np.log2(3))])


def test_many_judgements_with_some_outside_and_pads():
    grades = {f"d{index}": index % 3 for index in range(100)}
    corpus = tuple(f"d{index}" for index in range(0, 100, 2))
    qrels = Qrels.from_judgements(
        [Judgement(q, d, g) for q in ("q1", "q2") for d, g in grades.items()], ("q1", "q2"), corpus
    )
    found = score(
        rankings_from_lists({"q1": ["d4", "d6"], "q2": []}, corpus), qrels, ["recall@5", "precision@5", "judged@5"]
    )
    np.testing.assert_allclose(found, [[1 / 66, 0], [0.2, 0], [1, 0]])


def test_conflicting_judgements_are_refused_and_equal_ones_kept_once():
    with pytest.raises(MeasureError, match="document 'a' has grades 1 and 2 for query 'q0'"):
        Qrels.from_judgements([Judgement("q0", "a", 1), Judgement("q0", "a", 2)], ("q0",), CORPUS)
    twice = Qrels.from_judgements([Judgement("q0", "a", 1), Judgement("q0", "a", 1)], ("q0",), CORPUS)
    assert twice.relevant_counts().tolist() == [1]


def test_rankings_over_another_corpus_are_refused():
    _, qrels = build([[0]], [{0: 1}])
    with pytest.raises(MeasureError, match="build both from the same doc_ids"):
        score(rankings_from_lists({"q0": ["a"]}, CORPUS[::-1]), qrels, ["mrr"])


@pytest.mark.parametrize("builder", [rankings_from_dict, rankings_from_lists])
def test_documents_that_the_corpus_lacks_are_refused_by_name(builder):
    run = {"q0": {"zz": 1.0}} if builder is rankings_from_dict else {"q0": ["zz"]}
    with pytest.raises(MeasureError, match="document 'zz' in the run of query 'q0' is not in the corpus"):
        builder(run, CORPUS)


def test_declared_queries_become_the_rows():
    rankings = rankings_from_dict({"q1": {"a": 1.0}, "extra": {"b": 1.0}}, CORPUS, ("q0", "q1"))
    assert rankings.query_ids == ("q0", "q1")
    assert rankings.doc_index.tolist() == [[-1], [0]]
    assert len(rankings_from_dict({})) == 0
    assert rankings_from_lists({"q1": ["a"]}, CORPUS, ("q0", "q1")).doc_index.tolist() == [[-1], [0]]


def test_a_gap_before_a_document_is_refused():
    gap = Rankings(("q0",), np.array([[-1, 0]], np.int32), np.array([[-np.inf, 1]], np.float32), CORPUS)
    with pytest.raises(MeasureError, match="ranking of query 'q0' has an empty place"):
        check_rankings(gap)


def test_equal_neighbours_across_rows_are_no_duplicates():
    check_rankings(rankings_from_lists({"q0": ["a", "b"], "q1": ["b", "c"]}, CORPUS))


def test_scores_of_the_wrong_shape():
    with pytest.raises(MeasureError, match=r"scores are \(1, 2\), expected \(1, 8\)"):
        rankings_from_scores(("q0",), CORPUS, [[1.0, 2.0]])


def test_nothing_to_score():
    _, qrels = build([[0]], [{0: 1}])
    empty = rankings_from_dict({}, CORPUS)
    assert score(empty, qrels, ["mrr", "ndcg"]).shape == (2, 0)
    assert score(rankings_from_lists({"q0": ["a"]}, CORPUS), qrels, []).shape == (0, 1)


@pytest.mark.parametrize("grade", [0.5, 1.9, float("nan"), float("inf"), 2**33, 2**40, 2**70, "2", None, 1 + 0j])
def test_grades_are_small_whole_numbers(grade):
    with pytest.raises(MeasureError, match=r"grades? .* (is not a whole number of at most 999999999|keep one)"):
        Qrels.from_judgements([Judgement("q", "a", 1), Judgement("q", "b", grade)], ["q"], ["a", "b"])
    with pytest.raises(MeasureError, match=r"grade .* is not a whole number of at most 999999999"):
        Qrels.from_arrays([0, 0], [0, 1], [1, grade], ["q"], ["a", "b"])


def test_whole_grades_of_any_number_type_are_read():
    for grade in (2, 2.0, np.int8(2), np.float32(2), True + True):
        qrels = Qrels.from_judgements([Judgement("q", "a", grade)], ["q"], ["a"])
        assert qrels.grades.tolist() == [2]
    assert Qrels.from_judgements([Judgement("q", "a", -(2**40))], ["q"], ["a"]).n_negative == 1


@pytest.mark.parametrize("grade", [51, 1023, 2000])
def test_exponential_gains_of_huge_grades_are_refused(grade):
    qrels = Qrels.from_judgements([Judgement("q", "a", grade), Judgement("q", "b", 1)], ["q"], ["a", "b"])
    rankings = rankings_from_lists({"q": ["b", "a"]}, ["a", "b"])
    with pytest.raises(MeasureError, match=rf"a grade of {grade} has a gain of 2\^{grade}"):
        score(rankings, qrels, ["ndcg_exp@10"])
    assert 0.0 < score(rankings, qrels, ["ndcg@10"])[0, 0] < 1.0
    fifty = Qrels.from_judgements([Judgement("q", "a", 50), Judgement("q", "b", 1)], ["q"], ["a", "b"])
    assert score(rankings, fifty, ["ndcg_exp@10"])[0, 0] == pytest.approx(1 / np.log2(3), rel=1e-9)


def test_measures_that_need_more_than_one_ranking_say_so():
    qrels = Qrels.from_judgements([Judgement("q", "a", 1)], ["q"], ["a"])
    rankings = rankings_from_lists({"q": ["a"]}, ["a"])
    with pytest.raises(MeasureError, match="needs token_counts"):
        score(rankings, qrels, ["context_recall@10"])
    with pytest.raises(MeasureError, match="condensed"):
        score(rankings, qrels, ["context_recall@10"], token_counts=[1], condensed=True)
    with pytest.raises(MeasureError, match="needs the rankings of all models"):
        score(rankings, qrels, ["relative_recall@10"])
    assert score(rankings, qrels, ["context_recall@10", "recall@1"], token_counts=[11]).tolist() == [[0.0], [1.0]]
