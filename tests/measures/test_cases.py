"""Inputs that broke comparable tools, with what is right; the ids are those of the case collection."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import numpy as np
import pytest

from perturb.errors import MeasureError
from perturb.measures import (
    Qrels,
    match_queries,
    rankings_from_dict,
    rankings_from_lists,
    rankings_from_scores,
    score,
    ties_at_cutoff,
    without_documents,
)
from perturb.records import Judgement, Rankings


def judgements(qrels: dict[str, dict[str, int]]) -> list[Judgement]:
    return [
        Judgement(query_id, doc_id, grade) for query_id, grades in qrels.items() for doc_id, grade in grades.items()
    ]


def measured(run, qrels, *measures, corpus=None):
    """Scores of one query, run given as a dictionary or as a list."""
    build = rankings_from_lists if isinstance(next(iter(run.values())), list) else rankings_from_dict
    rankings = build(run, corpus)
    return score(rankings, Qrels.from_judgements(judgements(qrels), tuple(run), rankings.doc_ids), measures)[
        :, 0
    ].tolist()


def test_worked_example():
    """Relevant at ranks 2, 3, 5, 8 with grades 3, 1, 2, 1; a fifth (grade 2) is not retrieved."""
    ranked = [f"n{rank}" for rank in range(1, 11)]
    qrels = {"q1": {"n2": 3, "n3": 1, "n5": 2, "n8": 1, "missing": 2}}
    names = ["precision@5", "precision@10", "recall@5", "recall@10", "mrr", "map", "ndcg@5"]
    found = measured({"q1": ranked}, qrels, *names)
    expected = [0.6, 0.4, 0.6, 0.8, 0.5, (1 / 2 + 2 / 3 + 3 / 5 + 4 / 8) / 5, 3.16650 / 6.07939]
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert [round(value, 3) for value in found] == [0.6, 0.4, 0.6, 0.8, 0.5, 0.453, 0.521]


@pytest.mark.parametrize(
    ("run", "qrels", "excluded", "values"),
    [
        # A08: only a judgement of grade 0
        ({"q1": {"d1": 1.0}, "q2": {"d1": 1.0}}, {"q1": {"d1": 1}, "q2": {"d1": 0}}, ["q2"], [1.0]),
        # A09: no judgement at all, in the middle
        (
            {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}, "q3": {"d2": 1.0}},
            {"q1": {"d1": 1}, "q2": {}, "q3": {"d2": 1}},
            ["q2"],
            [1.0, 1.0],
        ),
        ({"q1": {"d1": 1.0}, "q2": {"d1": 1.0}}, {"q1": {"d1": -1}, "q2": {"d1": 1}}, ["q1"], [1.0]),
    ],
)
def test_queries_without_a_relevant_document_are_excluded_by_name(run, qrels, excluded, values):
    arrays = Qrels.from_judgements(judgements(qrels), tuple(run), ("d1", "d2"))
    assert arrays.excluded(["recall@5"]) == excluded
    kept = [query_id for query_id, scorable in zip(run, arrays.has_relevant, strict=True) if scorable]
    assert score(rankings_from_dict(run, ("d1", "d2"), kept), arrays, ["recall@5"])[0].tolist() == values
    with pytest.raises(MeasureError, match=rf"query '{excluded[0]}' has no document"):
        score(rankings_from_dict(run, ("d1", "d2")), arrays, ["recall@5"])


def test_a27_negative_grades_are_not_relevant_and_gain_nothing():
    run, qrels = {"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}, {"q1": {"d1": -1, "d2": 2, "d3": -2}}
    assert measured(run, qrels, "mrr", "ndcg", "recall@1") == pytest.approx([0.5, 1 / math.log2(3), 0.0])
    assert Qrels.from_judgements(judgements(qrels), ("q1",), ("d1", "d2", "d3")).n_negative == 2


def test_a38_the_order_of_a_list_is_the_ranking():
    run, qrels = {"q1": ["d3", "d1", "d2"]}, {"q1": {"d2": 1}}
    assert measured(run, qrels, "recall@2", "mrr@10", "mrr@2") == pytest.approx([0.0, 1 / 3, 0.0])


@pytest.mark.parametrize("run", [{"d1": 1.0, "d2": 1.0}, {"d2": 1.0, "d1": 1.0}])
def test_b01_one_tie_rule_whatever_the_order_of_insertion(run):
    assert measured({"q1": run}, {"q1": {"d1": 1}}, "mrr", "map", "recall@1") == [0.5, 0.5, 0.0]
    assert measured({"q1": run}, {"q1": {"d2": 1}}, "mrr", "map", "recall@1") == [1.0, 1.0, 1.0]
    assert ties_at_cutoff(rankings_from_dict({"q1": run}), 1).tolist() == [True]
    assert ties_at_cutoff(rankings_from_dict({"q1": run}), 2).tolist() == [False]


def test_b01_ties_are_those_of_single_precision_and_ids_count_by_code_point():
    assert rankings_from_dict({"q": {"a": 1.0, "b": 1.0 - 1e-12}}).doc_index.tolist() == [[1, 0]]
    # Polish letters come after z, capitals before small letters, 10 before 9.
    ids = ["9", "10", "Z", "z", "ż", "🙂"]
    ranked = rankings_from_dict({"q": dict.fromkeys(ids, 1)})
    assert [ranked.doc_ids[column] for column in ranked.doc_index[0]] == ["🙂", "ż", "z", "Z", "9", "10"]


def test_b04_a_corpus_smaller_than_k():
    rankings = rankings_from_scores(("q1",), ("d1", "d2", "d3"), [[0.1, 0.3, 0.2]], k=10)
    assert rankings.doc_index.tolist() == [[1, 2, 0]]
    qrels = Qrels.from_judgements([Judgement("q1", "d2", 1)], ("q1",), ("d1", "d2", "d3"))
    assert score(rankings, qrels, ["recall@10", "precision@10", "ndcg@10"])[:, 0].tolist() == [1.0, 0.1, 1.0]


def test_b05_b18_more_relevant_documents_than_places():
    ranked, qrels = [f"d{index}" for index in range(10)], {"q1": {f"d{index}": 1 for index in range(20)}}
    found = measured({"q1": ranked}, qrels, "recall@10", "rcap@10", "ndcg@10", "ndcg")
    assert found == pytest.approx([0.5, 1.0, 1.0, 0.6454], abs=1e-4)
    assert Qrels.from_judgements(judgements(qrels), ("q1",), ranked).crowded(10) == ["q1"]


def test_b06_a_cut_mrr_is_zero_beyond_the_cut():
    ranked = [f"d{rank}" for rank in range(1, 21)]
    assert measured({"q1": ranked}, {"q1": {"d15": 1}}, "mrr@10", "mrr") == pytest.approx([0.0, 1 / 15])


@pytest.mark.parametrize("run", [{"q1": {"b": 2.0, "a": 1.0}}, {"q1": ["b", "a"]}])  # B07 and B20
def test_b07_b20_both_gains_are_named(run):
    assert measured(run, {"q1": {"a": 3, "b": 1}}, "ndcg", "ndcg_exp") == pytest.approx([0.7967, 0.7098], abs=1e-4)
    assert len(set(measured(run, {"q1": {"a": 1, "x": 1}}, "ndcg@10", "ndcg_exp@10"))) == 1


def test_b08_documents_that_were_not_retrieved_stay_in_the_ideal():
    qrels = {"q1": dict.fromkeys("abcde", 1)}
    assert measured({"q1": {"a": 1.0, "x": 0.5}}, qrels, "ndcg@10", "recall@10") == pytest.approx(
        [0.3392, 0.2], abs=1e-4
    )


def test_b09_a_document_twice_is_refused_wherever_it_comes_from():
    with pytest.raises(MeasureError, match="document 'd1' occurs twice in the ranking of query 'q1'"):
        rankings_from_lists({"q0": ["d1"], "q1": ["d2", "d1", "d1"]})
    arrays = Rankings(("q1",), np.array([[0, 1, 0]], np.int32), np.array([[3, 2, 1]], np.float32), ("d1", "d2"))
    qrels = Qrels.from_judgements([Judgement("q1", "d1", 1)], ("q1",), ("d1", "d2"))
    with pytest.raises(MeasureError, match="document 'd1' occurs twice in the ranking of query 'q1'"):
        score(arrays, qrels, ["ndcg@1"])


def test_b10_average_precision_divides_by_all_relevant_documents():
    assert measured({"q1": ["a", "x", "y"]}, {"q1": {"a": 1, "b": 1}}, "map", "map@1") == [0.5, 0.5]


def test_b12_three_way_count_and_the_declared_set():
    match = match_queries(["q1", "q2"], judgements({"q1": {"d": 1}, "q3": {"d": 1}}))
    assert (match.both, match.only_queries, match.only_qrels) == (("q1",), ("q2",), ("q3",))
    assert str(match) == "1 queries with judgements, 1 queries without any, 1 judged queries without text"
    qrels = Qrels.from_judgements(judgements({"q1": {"d": 1}, "q3": {"d": 1}}), ("q1", "q2"), ("d",))
    assert (qrels.query_ids, qrels.counts.tolist()) == (("q1", "q2"), [1, 0])


def test_b13_qrels_from_an_iterator_serve_many_evaluations():
    qrels = Qrels.from_judgements(iter(judgements({"q1": {"d1": 1}})), ("q1",), ("d1", "d2"))
    runs = [{"q1": {"d1": 1.0}}, {"q1": {"d2": 2.0, "d1": 1.0}}, {"q1": {"d1": 1.0}}]
    assert [score(rankings_from_dict(run, ("d1", "d2")), qrels, ["mrr"])[0, 0] for run in runs] == [1.0, 0.5, 1.0]


def test_b14_judged_share_tells_a_drop_from_missing_judgements():
    qrels = Qrels.from_judgements([Judgement("q1", "d1", 1)], ("q1",), ("d1", "d2", "d7", "d8"))
    rankings = rankings_from_lists({"original": ["d1", "d2"], "variant": ["d7", "d8"], "none": []}, qrels.doc_ids)
    judged, condensed = score(rankings, qrels, ["judged@2", "mrr(condensed)"], parent=[0, 0, 0])
    assert judged.tolist() == [0.5, 0.0, 0.0]
    assert condensed.tolist() == [1.0, 0.0, 0.0]


def test_b15_the_threshold_is_explicit_and_ndcg_keeps_all_grades():
    run, qrels = {"q1": ["a", "x", "b"]}, {"q1": {"a": 1, "b": 2}}
    assert measured(run, qrels, "mrr(rel=2)", "recall@1(rel=2)", "mrr") == pytest.approx([1 / 3, 0.0, 1.0])
    ideal = 2 + 1 / math.log2(3)
    assert measured(run, qrels, "mrr(rel=2)", "ndcg")[1] == pytest.approx((1 + 2 / 2) / ideal)


@pytest.mark.parametrize("value", [np.float32(3.5), np.float64(3.5), np.float16(3.5), np.int64(3), 3])
def test_b16_every_real_number_type(value):
    assert rankings_from_dict({"q1": {"d1": 10, "d2": value}}).doc_index.tolist() == [[0, 1]]


@pytest.mark.parametrize("value", ["3.5", None, 1j, np.complex64(1)])
def test_b16_what_is_no_number_is_refused_by_name(value):
    with pytest.raises(MeasureError, match="of document 'd2' for query 'q1' is not a number"):
        rankings_from_dict({"q1": {"d1": 10, "d2": value}})


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e300, np.float32("nan")])
def test_b17_scores_that_are_not_finite_are_refused_by_name(value):
    with pytest.raises(MeasureError, match="document 'd_rel' for query 'q1'"):
        rankings_from_dict({"q0": {"b": 1.0}, "q1": {"b": 1.0, "d_rel": value}})
    with pytest.raises(MeasureError, match="document 'b' for query 'q1'"):
        rankings_from_scores(("q0", "q1"), ("a", "b"), [[1.0, 2.0], [0.5, value]])
    with np.errstate(over="ignore"):
        scores = np.array([[2, 1], [2, value]], np.float32)
    arrays = Rankings(("q0", "q1"), np.array([[0, 1], [0, 1]], np.int32), scores, ("a", "b"))
    qrels = Qrels.from_judgements([Judgement("q0", "a", 1), Judgement("q1", "a", 1)], ("q0", "q1"), ("a", "b"))
    with pytest.raises(MeasureError, match="document 'b' for query 'q1'"):
        score(arrays, qrels, ["mrr"])


@pytest.mark.parametrize("scores", [{"self": 1.0, "dup": 1.0, "x": 0.2}, {"x": 0.2, "dup": 1.0, "self": 1.0}])
def test_b19_the_query_itself_is_excluded_by_id(scores):
    rankings = without_documents(rankings_from_dict({"q1": scores, "q2": {"x": 1.0}}), {"q1": "self"})
    assert [rankings.doc_ids[column] for column in rankings.doc_index[0] if column >= 0] == ["dup", "x"]
    qrels = Qrels.from_judgements(judgements({"q1": {"dup": 1}, "q2": {"x": 1}}), ("q1", "q2"), rankings.doc_ids)
    assert score(rankings, qrels, ["mrr"])[0].tolist() == [1.0, 1.0]


def test_b22_no_hash_seed_changes_a_ranking():
    code = (
        "from perturb.measures import rankings_from_dict as f;"
        "r = f({'q': {d: 1.0 for d in {'d1', 'd2', 'd3', 'd10'}}});"
        "print([r.doc_ids[c] for c in r.doc_index[0]])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert outputs == {"['d3', 'd2', 'd10', 'd1']\n"}
