"""Harm, reasons, rankings and traffic: whole groups are resampled where queries move together."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from perturb.evaluation import Evaluation
from perturb.evaluation.expected import expected_drops
from perturb.evaluation.harm import harm
from perturb.evaluation.noticed import noticed
from perturb.evaluation.regression import regress, regressions
from perturb.evaluation.stability import stability
from perturb.evaluation.why import LOST_OVERLAP, why
from perturb.significance import Resampling, equivalence, estimates
from tests.evaluation.clusters import (
    CLUSTERS,
    IDS,
    LABELS,
    PLAIN,
    RESAMPLING,
    SIZE,
    N,
    alike,
    by_hand,
    clustered_evaluation,
    document_groups,
    parts,
    width,
)
from tests.tiny_evaluation import tiny_evaluation


@pytest.fixture(scope="module")
def clustered() -> Evaluation:
    return clustered_evaluation()


def test_equivalence_of_groups(clustered: Evaluation) -> None:
    groups = document_groups(clustered)
    found = harm(clustered, RESAMPLING, groups=groups).harmless["a", "typo"]
    single = harm(clustered, RESAMPLING).harmless["a", "typo"]
    _, typo, _ = parts(clustered)
    one_per_group = typo[::SIZE]
    upper = np.mean(one_per_group) + stats.t.ppf(0.95, CLUSTERS - 1) * stats.sem(one_per_group)
    assert found.ci_high == pytest.approx(float(upper), abs=0.01)
    assert width(found.ci_low, found.ci_high) > 1.8 * width(single.ci_low, single.ci_high)


def test_ten_lost_queries_of_one_group_are_one_event() -> None:
    lost = np.zeros(N)
    lost[:SIZE] = 0.02
    groups = [LABELS[query_id] for query_id in IDS]
    found = equivalence(np.ones(N), 1.0 - lost, margin=0.05, seed=1, query_ids=IDS, groups=groups)
    # One group of 44 changed: the rule of three over groups, 1 − 0.05^(1/24).
    assert found.ci_high == pytest.approx(1 - 0.05 ** (1 / CLUSTERS)) and not found.no_larger


def test_slopes_of_groups() -> None:
    rng = np.random.default_rng(5)
    steps = alike(rng, 0.0, 0.2)
    queries = {query_id: f"pytanie {n}" for n, query_id in enumerate(IDS)}
    variants = [(q, "severity:typo", f"{text}{'x' * level}") for level in (1, 2) for q, text in queries.items()]
    scores = [*np.ones(N), *(1 - steps), *(1 - 2 * steps)]
    evaluation = tiny_evaluation(queries, variants, scores={"m": {"recall@1": scores}})
    kinds = [replace(v, kind=str(v.text.count("x"))) if v.edits else v for v in evaluation.variants]
    evaluation = replace(evaluation, variants=tuple(kinds))
    slope = harm(evaluation, RESAMPLING, groups=LABELS).slopes["m", "severity:typo"]
    assert (slope.value, slope.n_units) == (pytest.approx(steps.mean()), CLUSTERS)
    alone = harm(evaluation, RESAMPLING).slopes["m", "severity:typo"]
    assert width(slope.ci_low, slope.ci_high) > 1.8 * width(alone.ci_low, alone.ci_high)


def _ranked(rng: np.random.Generator) -> Evaluation:
    """Two documents; in half of the clusters the right one is lost under typo."""
    queries = {query_id: f"pytanie {n}" for n, query_id in enumerate(IDS)}
    variants = [(q, "typo", f"{text}x") for q, text in queries.items()]
    lost = np.repeat(rng.random(CLUSTERS) < 0.4, SIZE)
    rankings = {q: ["d1"] for q in queries}
    rankings |= {f"{q}/typo/{n}": ["d2"] if lost[n] else ["d1"] for n, q in enumerate(queries)}
    return tiny_evaluation(queries, variants, rankings={"m": rankings})


def test_what_users_notice_and_how_far_rankings_change() -> None:
    evaluation = _ranked(np.random.default_rng(9))
    lost = 1.0 - evaluation.models[0].scores[0, N:]
    (seen,) = noticed(evaluation, PLAIN, LABELS)
    assert (seen.model, seen.perturbation, seen.k, seen.before) == ("m", "typo", 1, 0.0)
    assert seen.more == pytest.approx(lost.mean())
    assert (seen.ci_low, seen.ci_high) == pytest.approx(by_hand(lost), abs=0.03)
    (changed,) = [row for row in stability(evaluation, PLAIN, LABELS) if row.perturbation == "typo"]
    assert (changed.ci_low, changed.ci_high) == pytest.approx(by_hand(1.0 - lost), abs=0.03)
    (alone,) = [row for row in stability(evaluation, PLAIN) if row.perturbation == "typo"]
    assert width(changed.ci_low, changed.ci_high) > 1.8 * width(alone.ci_low, alone.ci_high)


def test_a_measure_without_cut_off_looks_at_the_first_page() -> None:
    evaluation = tiny_evaluation(
        {"q1": "raz"}, [("q1", "typo", "rza")], rankings={"m": {"q1": ["d1"]}}, measures=("map",)
    )
    (seen,) = noticed(evaluation, RESAMPLING)
    assert (seen.k, seen.before, seen.more, seen.ci_low) == (10, 0.0, 1.0, None)
    assert noticed(replace(evaluation, models=()), RESAMPLING) == ()


def test_regression_by_groups_is_the_cluster_robust_one() -> None:
    rng = np.random.default_rng(7)
    shared, noise = np.repeat(rng.normal(size=CLUSTERS), SIZE), np.repeat(rng.normal(size=CLUSTERS), SIZE)
    x = shared + 0.3 * rng.normal(size=N)
    y = 0.2 + 0.5 * x + noise
    found = regress(y, [("x", x)], np.arange(N), Resampling(1, 4000), query_ids=IDS, groups=LABELS)
    single = regress(y, [("x", x)], np.arange(N), Resampling(1, 4000), query_ids=IDS)
    assert found is not None and single is not None
    factor = found.factors[0]
    assert (factor.effect, found.n_queries, found.n_units) == (pytest.approx(single.factors[0].effect), N, CLUSTERS)
    # Sandwich estimate with the scores added up within each group (Liang and Zeger 1986).
    design = np.stack([np.ones(N), x], axis=1)
    bread = np.linalg.inv(design.T @ design)
    residual = y - design @ (bread @ design.T @ y)
    added = (design * residual[:, None]).reshape(CLUSTERS, SIZE, 2).sum(axis=1)
    robust = float(np.sqrt((bread @ added.T @ added @ bread)[1, 1]))
    assert width(factor.ci_low, factor.ci_high) == pytest.approx(2 * 1.96 * robust, rel=0.2)
    assert width(factor.ci_low, factor.ci_high) > 1.5 * width(single.factors[0].ci_low, single.factors[0].ci_high)


def test_several_measures_are_fitted_as_one_by_one() -> None:
    rng = np.random.default_rng(10)
    table, query = rng.normal(size=(2, 90)), np.repeat(np.arange(30), 3)
    columns = [("x", rng.normal(size=90)), ("z", rng.normal(size=90))]
    both = regressions(table, columns, query, RESAMPLING)
    for fit, row in zip(both, table, strict=True):
        alone = regress(row, columns, query, RESAMPLING)
        assert fit is not None and alone is not None
        assert fit.explained == pytest.approx(alone.explained)
        for one, other in zip(fit.factors, alone.factors, strict=True):
            assert (one.effect, one.ci_low, one.ci_high) == pytest.approx((other.effect, other.ci_low, other.ci_high))


def test_too_few_groups_have_no_regression() -> None:
    x = np.arange(N, dtype=float)
    few = {query_id: IDS[60 * (n // 60)] for n, query_id in enumerate(IDS)}
    assert regress(x, [("x", x)], np.arange(N), RESAMPLING, query_ids=IDS, groups=few) is None


def test_reasons_are_given_for_every_measure_by_groups(clustered: Evaluation) -> None:
    found, single = why(clustered, RESAMPLING, document_groups(clustered)), why(clustered, RESAMPLING)
    assert list(found) == ["recall@5", "mrr@10"]
    for measure, place in (("recall@5", 0), ("mrr@10", 1)):
        fit, alone = found[measure].regressions["a"], single[measure].regressions["a"]
        assert fit is not None and alone is not None and (fit.n_units, alone.n_units) == (CLUSTERS, N)
        factor = next(f for f in fit.factors if f.name == LOST_OVERLAP)
        other = next(f for f in alone.factors if f.name == LOST_OVERLAP)
        assert factor.effect == pytest.approx(other.effect)
        assert width(factor.ci_low, factor.ci_high) > 1.5 * width(other.ci_low, other.ci_high)
        row = next(r for r in found[measure].rows if (r.model, r.perturbation) == ("a", "typo"))
        assert row.drop == pytest.approx(parts(clustered, 0, place)[1].mean())


def test_the_drop_expected_on_traffic_by_groups() -> None:
    rng = np.random.default_rng(12)
    queries = {query_id: f"pytanie {n}" for n, query_id in enumerate(IDS)}
    lost = alike(rng)
    evaluation = tiny_evaluation(
        queries,
        [(q, "traffic_mix", f"{text}x") for q, text in queries.items()],
        scores={"m": {"recall@1": [*np.ones(N), *(1 - lost)]}},
    )
    suite = replace(evaluation.suite, header={**evaluation.suite.header, "spec": [{"name": "traffic_mix", "draws": 1}]})
    (found,) = expected_drops(replace(evaluation, suite=suite), PLAIN, LABELS)
    assert found.drop == pytest.approx(lost.mean())
    assert (found.ci_low, found.ci_high) == pytest.approx(by_hand(lost), abs=0.01)


def test_group_means_as_single_queries_give_the_same_figures(clustered: Evaluation) -> None:
    """Where all groups have one size, each may be replaced by its mean, in every figure."""
    _, typo, _ = parts(clustered)
    grouped = estimates(typo, RESAMPLING, query_ids=IDS, groups=[LABELS[q] for q in IDS])[0]
    alone = estimates(typo[::SIZE], RESAMPLING, query_ids=IDS[::SIZE])[0]
    assert (grouped.value, grouped.p_value) == pytest.approx((alone.value, alone.p_value))
    assert (grouped.ci_low, grouped.ci_high) == pytest.approx((alone.ci_low, alone.ci_high), abs=1e-5)
