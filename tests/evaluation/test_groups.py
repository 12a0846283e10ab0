import numpy as np
import pytest
from scipy import stats

from perturb.config import Settings
from perturb.errors import ConfigError
from perturb.evaluation import drops
from perturb.evaluation.groups import query_groups
from perturb.significance import Resampling
from tests.tiny_evaluation import tiny_evaluation


def test_near_duplicates_are_queries_of_the_same_words() -> None:
    evaluation = tiny_evaluation(
        {"q1": "umowa najmu", "q2": "Najmu umowa?", "q3": "umowa"}, [], scores={"m": {"recall@1": [1.0, 1.0, 1.0]}}
    )
    groups = query_groups(evaluation.golden_set, "near-duplicate")
    assert groups is not None
    assert groups["q1"] == groups["q2"] != groups["q3"]
    assert query_groups(evaluation.golden_set, "query") is None
    with pytest.raises(ConfigError, match="choose query, near-duplicate, document"):
        query_groups(evaluation.golden_set, "chunk")
    with pytest.raises(ConfigError, match="resample_by = 'chunk'"):
        Settings(resample_by="chunk")


def test_queries_share_a_document_directly_or_through_others() -> None:
    evaluation = tiny_evaluation(
        {"q1": "a", "q2": "b", "q3": "c", "q4": "d"},
        [],
        documents={"d1": "x", "d2": "y", "d3": "z"},
        qrels=[("q1", "d1", 1), ("q2", "d1", 1), ("q2", "d2", 2), ("q3", "d2", 1), ("q4", "d3", 1), ("q1", "d3", 0)],
        scores={"m": {"recall@1": [1.0] * 4}},
    )
    groups = query_groups(evaluation.golden_set, "document")
    assert groups is not None
    assert groups["q1"] == groups["q2"] == groups["q3"] != groups["q4"]


def test_groups_that_move_together_widen_the_interval_as_the_theory_of_clusters_has_it() -> None:
    rng = np.random.default_rng(5)
    shared = rng.normal(0.2, 0.1, 30).clip(0, 1)
    losses = np.repeat(shared, 4)  # four queries of a document lose alike: 30 independent observations, not 120
    queries = {f"q{i}": f"pytanie {i}" for i in range(120)}
    evaluation = tiny_evaluation(
        queries,
        [(q, "typo", f"{text}x") for q, text in queries.items()],
        documents={f"d{i}": "x" for i in range(30)},
        qrels=[(f"q{i}", f"d{i // 4}", 1) for i in range(120)],
        scores={"m": {"recall@1": [1.0] * 120 + (1.0 - losses).tolist()}},
    )
    resampling = Resampling(1, 4000, method="percentile", expand=False)
    single = drops(evaluation, resampling)[0]
    grouped = drops(evaluation, resampling, query_groups(evaluation.golden_set, "document"))[0]
    assert single.drop == pytest.approx(grouped.drop)
    width = (grouped.ci_high or 0) - (grouped.ci_low or 0)
    expected = 2 * stats.norm.ppf(0.975) * np.std(shared) / np.sqrt(30)
    assert width == pytest.approx(expected, rel=0.06)
    assert width > 1.8 * ((single.ci_high or 0) - (single.ci_low or 0))


def test_the_plain_percentile_interval_is_the_plain_one() -> None:
    losses = [0.05 * (i % 7) for i in range(40)]
    evaluation = tiny_evaluation(
        {f"q{i}": f"pytanie {i}" for i in range(40)},
        [(f"q{i}", "typo", f"pytanie {i}x") for i in range(40)],
        scores={"m": {"recall@1": [1.0] * 40 + [1.0 - loss for loss in losses]}},
    )
    row = drops(evaluation, Resampling(1, 10_000, method="percentile", expand=False))[0]
    oracle = stats.bootstrap((np.array(losses),), np.mean, n_resamples=10_000, method="percentile", rng=1)
    assert row.ci_low == pytest.approx(oracle.confidence_interval.low, abs=0.003)
    assert row.ci_high == pytest.approx(oracle.confidence_interval.high, abs=0.003)
