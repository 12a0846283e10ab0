"""Every interval and p-value rests on the unit asked for: whole groups, where queries move together."""

import numpy as np
import pytest

from perturb.evaluation import Evaluation, clean_scores, drops
from perturb.evaluation.between import between
from perturb.evaluation.groups import n_units, query_groups, regrouped, shared_groups
from perturb.evaluation.standing import standings
from perturb.significance import ranking_change
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
    flips_by_hand,
    parts,
    width,
)
from tests.tiny_evaluation import tiny_evaluation


@pytest.fixture(scope="module")
def clustered() -> Evaluation:
    return clustered_evaluation()


def test_the_group_of_a_query_is_named_after_its_first_query(clustered: Evaluation) -> None:
    assert document_groups(clustered) == LABELS
    assert n_units(LABELS, IDS) == CLUSTERS and n_units(None, IDS) == N
    shared = shared_groups(clustered.golden_set)
    assert shared["near-duplicate"] == [] and shared["document"] == [IDS[i : i + SIZE] for i in range(0, N, SIZE)]
    assert regrouped(shared["document"], IDS) == LABELS
    assert regrouped(shared["near-duplicate"], IDS[:2]) == {IDS[0]: IDS[0], IDS[1]: IDS[1]}


def test_groups_joined_late_are_still_named_after_the_first() -> None:
    evaluation = tiny_evaluation(
        {"q1": "a", "q2": "b", "q3": "c"},
        [],
        documents={"d1": "x", "d2": "y"},
        qrels=[("q1", "d1", 1), ("q2", "d2", 1), ("q3", "d1", 1), ("q3", "d2", 1)],
        scores={"m": {"recall@1": [1.0] * 3}},
    )
    assert query_groups(evaluation.golden_set, "document") == dict.fromkeys(("q1", "q2", "q3"), "q1")


def test_drops_and_clean_scores(clustered: Evaluation) -> None:
    groups = document_groups(clustered)
    row = next(r for r in drops(clustered, PLAIN, groups) if r.kind == "all" and r.perturbation == "typo")
    clean, typo, _ = parts(clustered)
    assert (row.ci_low, row.ci_high) == pytest.approx(by_hand(typo), abs=0.004)
    score = clean_scores(clustered, PLAIN, groups)[0]
    assert (score.ci_low, score.ci_high) == pytest.approx(by_hand(clean), abs=0.006)


def test_models_compared(clustered: Evaluation) -> None:
    groups = document_groups(clustered)
    rows, clean = drops(clustered, PLAIN, groups), clean_scores(clustered, PLAIN, groups)
    found, single = between(clustered, rows, clean, PLAIN, groups), between(clustered, rows, clean, PLAIN)
    for measure, place in (("recall@5", 0), ("mrr@10", 1)):
        ours, theirs = parts(clustered, 0, place), parts(clustered, 1, place)
        comparison = next(c for c in found.under(measure).comparisons if c.perturbation == "typo")
        gap = ours[1] - theirs[1]
        assert comparison.difference == pytest.approx(gap.mean())
        assert (comparison.ci_low, comparison.ci_high) == pytest.approx(by_hand(gap), abs=0.006)
        assert comparison.p_value == pytest.approx(flips_by_hand(gap), abs=0.02)
        line = found.under(measure).robustness[0]
        overall = (ours[1] + ours[2]) / 2
        assert line.mean_drop == pytest.approx(overall.mean())
        assert (line.ci_low, line.ci_high) == pytest.approx(by_hand(overall), abs=0.004)
    for one, other in zip(found.comparisons, single.comparisons, strict=True):
        assert width(one.ci_low, one.ci_high) > 1.8 * width(other.ci_low, other.ci_high)


def test_the_family_of_comparisons_is_all_measures_together(clustered: Evaluation) -> None:
    found = between(clustered, drops(clustered, RESAMPLING), clean_scores(clustered, RESAMPLING), RESAMPLING)
    assert [(c.measure, c.perturbation) for c in found.comparisons] == [
        (measure, name) for measure in ("recall@5", "mrr@10") for name in ("typo", "case", "overall")
    ]
    smallest = min(found.comparisons, key=lambda c: c.p_value or 0.0)
    assert smallest.p_adjusted == pytest.approx(min(1.0, 6 * (smallest.p_value or 0.0)))


def test_the_order_of_models_is_resampled_by_groups() -> None:
    rng = np.random.default_rng(6)
    gap_clean, gap_after = alike(rng, -0.2, 0.3), alike(rng, -0.3, 0.2)
    clean, after = np.stack([0.5 + gap_clean, np.full(N, 0.5)]), np.stack([0.5 + gap_after, np.full(N, 0.5)])
    groups = [LABELS[query_id] for query_id in IDS]
    found = ranking_change(clean, after, seed=1, query_ids=IDS, groups=groups, resamples=4000)
    draws = np.random.default_rng(2).integers(0, CLUSTERS, (20_000, CLUSTERS))
    before_means = gap_clean[::SIZE][draws].mean(axis=1)
    after_means = gap_after[::SIZE][draws].mean(axis=1)
    assert found.probability == pytest.approx(float(np.mean(before_means * after_means < 0)), abs=0.02)
    shuffled = rng.permutation(N)
    again = ranking_change(
        clean[:, shuffled],
        after[:, shuffled],
        seed=1,
        query_ids=[IDS[n] for n in shuffled],
        groups=[groups[n] for n in shuffled],
        resamples=4000,
    )
    assert again.probability == pytest.approx(found.probability, abs=1e-9)


def test_groups_of_unequal_size_weigh_by_their_queries() -> None:
    rng = np.random.default_rng(8)
    sizes = rng.integers(1, 9, 20)
    groups = np.repeat(np.arange(20), sizes).tolist()
    gap_clean, gap_after = (np.repeat(rng.normal(0.03, 0.2, 20), sizes) for _ in range(2))
    found = ranking_change(
        np.stack([gap_clean, np.zeros(len(groups))]),
        np.stack([-gap_after, np.zeros(len(groups))]),
        seed=1,
        groups=groups,
        resamples=4000,
    )
    first = np.cumsum(sizes) - sizes
    draws = np.random.default_rng(2).integers(0, 20, (20_000, 20))
    total = sizes[draws].sum(axis=1)
    before = (sizes * gap_clean[first])[draws].sum(axis=1) / total
    after = -(sizes * gap_after[first])[draws].sum(axis=1) / total
    assert found.probability == pytest.approx(float(np.mean(before * after < 0)), abs=0.02)


def test_one_group_has_an_order_but_no_probability(clustered: Evaluation) -> None:
    together = dict.fromkeys(IDS, IDS[0])
    found = between(clustered, drops(clustered, RESAMPLING), clean_scores(clustered, RESAMPLING), RESAMPLING, together)
    assert {order.probability for order in found.orders} == {None}
    assert {(c.ci_low, c.p_value) for c in found.comparisons} == {(None, None)}
    from perturb.errors import MeasureError

    with pytest.raises(MeasureError, match="all queries are in one group"):
        ranking_change(np.ones((2, 3)), np.ones((2, 3)), seed=1, groups=["g"] * 3)
    with pytest.raises(MeasureError, match="3 query ids and 2 groups"):
        ranking_change(np.ones((2, 3)), np.ones((2, 3)), seed=1, groups=["g"] * 2)


def test_the_best_model_and_its_lead(clustered: Evaluation) -> None:
    groups = document_groups(clustered)
    clean, perturbed = standings(clustered, PLAIN, groups)
    for standing, tables in (
        (clean, [parts(clustered, m)[0] for m in (0, 1)]),
        (
            perturbed,
            [parts(clustered, m)[0] - (parts(clustered, m)[1] + parts(clustered, m)[2]) / 2 for m in (0, 1)],
        ),
    ):
        means = [table.mean() for table in tables]
        best = int(np.argmax(means))
        assert standing.best == ("ab"[best],) and standing.mean == pytest.approx(max(means))
        (gap,) = standing.gaps
        lead = tables[best] - tables[1 - best]
        assert gap.difference == pytest.approx(lead.mean())
        assert (gap.ci_low, gap.ci_high) == pytest.approx(by_hand(lead), abs=0.012)
        assert gap.p_adjusted is not None
        assert min(1.0, flips_by_hand(lead)) - 0.02 <= gap.p_adjusted <= min(1.0, 2 * flips_by_hand(lead)) + 0.02
        assert (standing.n_queries, standing.n_units) == (N, CLUSTERS)
