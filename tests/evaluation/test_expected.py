from dataclasses import replace
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
from perturb.significance import Resampling, rare_limit
from perturb.suite import Spec, generate
from tests.golden_sets import write_golden_set
from tests.tiny_evaluation import tiny_evaluation

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
    assert sentence.endswith("100 % of the 6 queries stay clean, which is no loss.")
    assert found[0].may_lose is None
    nought = evaluated(tmp_path, Spec("traffic_mix", {"shares": {"diacritics.strip": 0.0}}))
    assert expected_drops(nought, RESAMPLING)[0].may_lose is None


def mixed(changed: int, *, n: int = 12, drawn: int = 4, lost: float = 1.0) -> Evaluation:
    """So many queries, variants drawn for the first of them, some of which lose something."""
    queries = {f"q{place:03}": f"umowa{place}" for place in range(n)}
    variants = [(q, "traffic_mix", f"{queries[q]} x") for q in list(queries)[:drawn]]
    scores = [1.0] * n + [1.0 - lost] * changed + [1.0] * (drawn - changed)
    evaluation = tiny_evaluation(queries, variants, scores={"m": {"recall@1": scores}})
    spec = [{"name": "traffic_mix", "draws": 1, "settings": {"shares": MIX}}]
    return replace(evaluation, suite=replace(evaluation.suite, header={**evaluation.suite.header, "spec": spec}))


def test_a_loss_that_few_variants_could_show_is_not_excluded() -> None:
    evaluation = mixed(0)
    (found,) = expected_drops(evaluation, RESAMPLING)
    assert (found.drop, found.ci_high, found.n_variants, found.n_changed) == (0.0, 0.0, 4, 0)
    # The chance that none of twelve queries shows a loss that more than this share of queries has: 2.5 %.
    assert found.may_lose is not None and (1 - found.may_lose) ** 12 == pytest.approx(0.025)
    (sentence,) = traffic_sentences(Report(evaluation, (), (), (), expected=(found,)))
    assert sentence == (
        "Expected on your traffic: m loses 0.000 [0.000; 0.000] of recall@1, from 1.000; 67 % of the 12 queries stay "
        "clean, which is no loss; this rests on 4 drawn variants, 0 of which changed anything, so that up to 0.265 may "
        "still be lost."
    )


def test_the_bound_is_told_up_to_five_changes_and_is_never_below_the_interval() -> None:
    for changed in range(9):
        evaluation = mixed(changed, n=20, drawn=12)
        (found,) = expected_drops(evaluation, RESAMPLING)
        assert (found.n_variants, found.n_changed) == (12, changed)
        assert (found.may_lose is None) == (changed >= 6)
        (sentence,) = traffic_sentences(Report(evaluation, (), (), (), expected=(found,)))
        assert (f"12 drawn variants, {changed} of which changed anything" in sentence) == (changed < 6)
        if found.may_lose is not None and found.ci_high is not None:
            assert found.may_lose == pytest.approx(max(found.ci_high, rare_limit(20, 0.025)))


def test_no_more_may_be_lost_than_there_is() -> None:
    evaluation = mixed(0)
    for clean, bound in ((0.1, 0.1), (0.0, None)):
        models = tuple(replace(run, scores=run.scores * clean) for run in evaluation.models)
        (found,) = expected_drops(replace(evaluation, models=models), RESAMPLING)
        assert found.may_lose == (None if bound is None else pytest.approx(bound))


def test_changes_are_counted_by_what_is_resampled() -> None:
    evaluation = mixed(8, n=20, drawn=12)
    groups = {q: f"g{place // 4}" for place, q in enumerate(evaluation.qrels.query_ids)}
    (found,) = expected_drops(evaluation, RESAMPLING, groups)
    assert found.n_changed == 8 and found.may_lose is not None and found.may_lose >= rare_limit(5, 0.025)


def test_variants_that_cancel_out_changed_all_the_same() -> None:
    queries = {f"q{place}": f"umowa{place}" for place in range(8)}
    variants = [(q, "traffic_mix", f"{text} {end}") for q, text in queries.items() for end in "xy"]
    evaluation = tiny_evaluation(queries, variants, scores={"m": {"recall@1": [0.5] * 8 + [0.0, 1.0] * 8}})
    spec = [{"name": "traffic_mix", "draws": 2, "settings": {"shares": MIX}}]
    evaluation = replace(evaluation, suite=replace(evaluation.suite, header={"spec": spec}))
    (found,) = expected_drops(evaluation, RESAMPLING)
    assert (found.drop, found.n_changed, found.may_lose) == (0.0, 16, None)


def test_without_the_mix_nothing_is_expected(tmp_path: Path) -> None:
    evaluation = evaluated(tmp_path, Spec("typo"))
    assert expected_drops(evaluation, RESAMPLING) == ()
    assert traffic_sentences(Report(evaluation, (), (), ())) == []


def test_a_mix_that_nobody_measured_is_called_so(tmp_path: Path) -> None:
    evaluation = evaluated(tmp_path, Spec("traffic_mix"))
    report = Report(evaluation, (), (), (), expected=expected_drops(evaluation, RESAMPLING))
    assert traffic_sentences(report)[0].startswith("Expected under an illustrative mix")
