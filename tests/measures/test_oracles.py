"""Equality with pytrec_eval on 10,000 random queries, and with ranx where the two agree."""

from __future__ import annotations

import numpy as np
import pytest
import pytrec_eval

from perturb.measures import Qrels, rankings_from_dict, score
from perturb.records import Judgement

N_QUERIES = 10_000
TREC_NAMES = {
    "recall@5": "recall_5",
    "recall@10": "recall_10",
    "precision@5": "P_5",
    "precision@10": "P_10",
    "hit@5": "success_5",
    "rprec": "Rprec",
    "mrr": "recip_rank",
    "map": "map",
    "map@5": "map_cut_5",
    "ndcg": "ndcg",
    "ndcg@5": "ndcg_cut_5",
    "ndcg@10": "ndcg_cut_10",
}


def random_golden_set(rng: np.random.Generator) -> tuple[dict[str, dict[str, float]], list[Judgement], list[str]]:
    """Ties, unjudged and missing documents, negative grades, empty rankings, documents outside the corpus."""
    corpus = [f"d{index}" for index in range(40)]
    run: dict[str, dict[str, float]] = {}
    judgements: list[Judgement] = []
    for row in range(N_QUERIES):
        length = int(rng.integers(0, 25))
        retrieved = rng.choice(40, length, replace=False)
        scores = rng.integers(0, 8, length) / (1.0 if row % 2 else 3.0)
        run[f"q{row}"] = {f"d{doc}": float(value) for doc, value in zip(retrieved, scores, strict=True)}
        judged = rng.choice(45, int(rng.integers(1, 15)), replace=False)  # 40 to 44 are not in the corpus
        grades = rng.integers(-2, 4, len(judged))
        judgements += [Judgement(f"q{row}", f"d{doc}", int(grade)) for doc, grade in zip(judged, grades, strict=True)]
    return run, judgements, corpus


@pytest.fixture(scope="module")
def golden() -> tuple[dict[str, dict[str, float]], list[Judgement], list[str]]:
    return random_golden_set(np.random.default_rng(20240501))


def nested(judgements: list[Judgement]) -> dict[str, dict[str, int]]:
    qrels: dict[str, dict[str, int]] = {}
    for query_id, doc_id, grade in judgements:
        qrels.setdefault(query_id, {})[doc_id] = grade
    return qrels


def test_equal_to_pytrec_eval_on_ten_thousand_queries(golden):
    run, judgements, corpus = golden
    qrels = Qrels.from_judgements(iter(judgements), tuple(run), corpus)
    kept = [query_id for query_id, scorable in zip(qrels.query_ids, qrels.has_relevant, strict=True) if scorable]
    assert N_QUERIES * 0.8 < len(kept) < N_QUERIES
    ours = score(rankings_from_dict(run, corpus, kept), qrels, list(TREC_NAMES))
    families = {
        "recall.5,10",
        "P.5,10",
        "success.5",
        "Rprec",
        "recip_rank",
        "map",
        "map_cut.5",
        "ndcg",
        "ndcg_cut.5,10",
    }
    # Negative grades with nDCG and queries without results can crash pytrec_eval; both count 0 here.
    clipped = nested([judgement._replace(grade=max(judgement.grade, 0)) for judgement in judgements])
    theirs = pytrec_eval.RelevanceEvaluator(clipped, families).evaluate({q: docs for q, docs in run.items() if docs})
    for line, (name, trec_name) in zip(ours, TREC_NAMES.items(), strict=True):
        expected = np.array([theirs[query_id][trec_name] if query_id in theirs else 0.0 for query_id in kept])
        np.testing.assert_allclose(line, expected, rtol=0, atol=1e-12, err_msg=name)
        assert (line[[not run[query_id] for query_id in kept]] == 0).all()


def test_negative_grades_equal_pytrec_eval_in_every_ungraded_measure(golden):
    run, judgements, corpus = golden
    qrels = Qrels.from_judgements(judgements, tuple(run), corpus)
    assert qrels.n_negative > 1000
    kept = [q for q, scorable in zip(qrels.query_ids, qrels.has_relevant, strict=True) if scorable and run[q]][:2000]
    names = [name for name in TREC_NAMES if not name.startswith("ndcg")]
    ours = score(rankings_from_dict(run, corpus, kept), qrels, names)
    families = {"recall.5,10", "P.5,10", "success.5", "Rprec", "recip_rank", "map", "map_cut.5"}
    theirs = pytrec_eval.RelevanceEvaluator(nested(judgements), families).evaluate({q: run[q] for q in kept})
    for line, name in zip(ours, names, strict=True):
        np.testing.assert_allclose(line, [theirs[q][TREC_NAMES[name]] for q in kept], rtol=0, atol=1e-12, err_msg=name)


def test_relevance_level_equals_pytrec_eval(golden):
    run, judgements, corpus = golden
    qrels = Qrels.from_judgements(judgements, tuple(run), corpus)
    measures = ["recall@5(rel=2)", "precision@5(rel=2)", "mrr(rel=2)", "map(rel=2)", "rprec(rel=2)"]
    mask = qrels.scorable(measures)
    kept = [query_id for query_id, scorable in zip(qrels.query_ids, mask, strict=True) if scorable and run[query_id]][
        :2000
    ]
    ours = score(rankings_from_dict(run, corpus, kept), qrels, measures)
    families = {"recall.5", "P.5", "recip_rank", "map", "Rprec"}
    theirs = pytrec_eval.RelevanceEvaluator(nested(judgements), families, relevance_level=2).evaluate(
        {q: run[q] for q in kept}
    )
    for line, trec_name in zip(ours, ["recall_5", "P_5", "recip_rank", "map", "Rprec"], strict=True):
        np.testing.assert_allclose(line, [theirs[q][trec_name] for q in kept], rtol=0, atol=1e-12, err_msg=trec_name)


def test_deep_judgements_take_the_other_path_to_the_same_numbers():
    rng = np.random.default_rng(3)
    corpus = [f"d{index}" for index in range(300)]
    run = {f"q{row}": dict(zip(rng.permuted(corpus)[:100], rng.random(100), strict=True)) for row in range(40)}
    judgements = [
        Judgement(q, d, int(rng.integers(-1, 4))) for q in run for d in rng.permuted(corpus)[: rng.integers(50, 200)]
    ]
    judgements += [Judgement(q, "elsewhere", 3) for q in run]
    qrels = Qrels.from_judgements(judgements, tuple(run), corpus)
    clipped = nested([judgement._replace(grade=max(judgement.grade, 0)) for judgement in judgements])
    theirs = pytrec_eval.RelevanceEvaluator(clipped, {"map", "ndcg_cut.10", "recall.10"}).evaluate(run)
    ours = score(rankings_from_dict(run, corpus), qrels, ["map", "ndcg@10", "recall@10"])
    for line, name in zip(ours, ["map", "ndcg_cut_10", "recall_10"], strict=True):
        np.testing.assert_allclose(line, [theirs[q][name] for q in run], rtol=0, atol=1e-12)


# Only what pytrec_eval lacks: each ranx measure costs seconds of compilation. The benchmark compares more of them.
RANX_NAMES = {"f1@5": "f1@5", "mrr@10": "mrr@10", "ndcg_exp@10": "ndcg_burges@10"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # numba warns about casts inside ranx
def test_equal_to_ranx_without_ties():
    import ranx

    rng = np.random.default_rng(8)
    corpus = [f"d{index}" for index in range(30)]
    # ranx sorts its queries by id
    queries = [f"q{row:03}" for row in range(300)]
    run = {
        query_id: dict(zip(rng.permuted(corpus)[:20], rng.permutation(20) + 1.0, strict=True)) for query_id in queries
    }
    grades = [3, 2, 2, 1, 1, 3]
    judgements = [
        Judgement(q, d, grade) for q in run for d, grade in zip(rng.permuted(corpus)[:6], grades, strict=True)
    ]
    qrels = Qrels.from_judgements(judgements, tuple(run), corpus)
    ours = score(rankings_from_dict(run, corpus), qrels, list(RANX_NAMES))
    theirs = ranx.evaluate(ranx.Qrels(nested(judgements)), ranx.Run(run), list(RANX_NAMES.values()), return_mean=False)
    for line, name in zip(ours, RANX_NAMES.values(), strict=True):
        np.testing.assert_allclose(line, theirs[name], rtol=0, atol=1e-6, err_msg=name)
    # Where they differ: ranx leaves tied documents in the order of insertion.
    tied = [{"a": 1.0, "b": 1.0}, {"b": 1.0, "a": 1.0}]
    both = [ranx.evaluate(ranx.Qrels({"q": {"b": 1}}), ranx.Run({"q": scores}), "mrr@10") for scores in tied]
    assert both == [0.5, 1.0]
    qrels = Qrels.from_judgements([Judgement("q", "b", 1)], ("q",), ("a", "b"))
    assert [score(rankings_from_dict({"q": scores}), qrels, ["mrr@10"])[0, 0] for scores in tied] == [1.0, 1.0]


def test_difference_from_pytrec_eval_queries_without_a_relevant_document():
    """It counts them 0 in every mean; here they are named and left out."""
    qrels = {"q1": {"d1": 1}, "q2": {"d1": 0}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"recall.5"}).evaluate({"q1": {"d1": 1.0}, "q2": {"d1": 1.0}})
    assert theirs["q2"]["recall_5"] == 0.0
    arrays = Qrels.from_judgements([Judgement("q1", "d1", 1), Judgement("q2", "d1", 0)], ("q1", "q2"), ("d1",))
    assert arrays.excluded(["recall@5"]) == ["q2"]
