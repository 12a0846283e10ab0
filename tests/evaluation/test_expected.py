from pathlib import Path

import numpy as np
import pytest

from perturb.evaluation import evaluate
from perturb.evaluation.expected import expected_drops
from perturb.evaluation.running import Evaluation
from perturb.golden.goldenset import load_golden_set
from perturb.records import ORIGINAL
from perturb.report.tables import Report
from perturb.report.verdict import traffic_sentences
from perturb.retrieval.catalogue import build_retriever
from perturb.significance import Resampling
from perturb.suite import Spec, generate
from tests.golden_sets import write_golden_set

RESAMPLING = Resampling(1, 1000)
MIX = {"diacritics.strip": 0.5, "typo.omission": 0.4}


def evaluated(folder: Path, *specs: Spec) -> Evaluation:
    golden_set = load_golden_set(write_golden_set(folder))
    suite = generate(golden_set.queries, specs, seed=2)
    return evaluate(golden_set, suite, {"bm25": lambda: build_retriever("bm25")}, ["recall@5", "mrr@10"])


@pytest.mark.parametrize("draws", [1, 4])
def test_queries_that_stay_clean_count_as_no_loss(tmp_path: Path, draws: int) -> None:
    evaluation = evaluated(tmp_path, Spec("typo"), Spec("traffic_mix", {"shares": MIX}, draws))
    model = evaluation.models[0]
    expected: list[list[float]] = []
    noisy = 0
    for query_id in evaluation.qrels.query_ids:
        original = next(i for i, v in enumerate(evaluation.variants) if v.variant_id == query_id)
        mixed = [
            i for i, v in enumerate(evaluation.variants) if (v.query_id, v.perturbation) == (query_id, "traffic_mix")
        ]
        noisy += len(mixed)
        lost = [model.scores[:, original] - model.scores[:, i] for i in mixed]
        expected.append((np.sum(lost, axis=0) / draws).tolist() if lost else [0.0, 0.0])
    assert 0 < noisy < 6 * draws
    found = expected_drops(evaluation, RESAMPLING)
    assert [(row.model, row.measure) for row in found] == [("bm25", "recall@5"), ("bm25", "mrr@10")]
    assert [row.drop for row in found] == pytest.approx(np.mean(expected, axis=0))
    assert found[0].stay_clean == pytest.approx(1 - noisy / 6 / draws)
    assert found[0].n_queries == 6
    assert found[0].ci_low is not None
    assert found[0].ci_high is not None
    assert found[0].ci_low <= found[0].drop <= found[0].ci_high
    clean = [i for i, v in enumerate(evaluation.variants) if v.perturbation == ORIGINAL]
    assert found[0].clean == pytest.approx(model.scores[0, clean].mean())


def test_a_mix_without_noise_costs_nothing(tmp_path: Path) -> None:
    evaluation = evaluated(tmp_path, Spec("traffic_mix", {"shares": {}}))
    found = expected_drops(evaluation, RESAMPLING)
    assert [(row.drop, row.stay_clean) for row in found] == [(0.0, 1.0)] * 2
    (sentence,) = traffic_sentences(Report(evaluation, (), (), (), expected=found))
    assert sentence.startswith("Expected on your traffic: bm25 loses 0.000 [0.000; 0.000] of recall@5, from")
    assert "100 % of the 6 queries stay clean" in sentence


def test_without_the_mix_nothing_is_expected(tmp_path: Path) -> None:
    evaluation = evaluated(tmp_path, Spec("typo"))
    assert expected_drops(evaluation, RESAMPLING) == ()
    assert traffic_sentences(Report(evaluation, (), (), ())) == []


def test_a_mix_that_nobody_measured_is_called_so(tmp_path: Path) -> None:
    evaluation = evaluated(tmp_path, Spec("traffic_mix"))
    report = Report(evaluation, (), (), (), expected=expected_drops(evaluation, RESAMPLING))
    assert traffic_sentences(report)[0].startswith("Expected under an illustrative mix")
