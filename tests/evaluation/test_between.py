from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perturb.evaluation import Evaluation, clean_scores, drops
from perturb.evaluation.between import Between, between, compare_drops
from perturb.evaluation.paired import OVERALL, paired_scores
from perturb.significance import Resampling, drop_difference, holm, ranking_change
from tests.tiny_evaluation import tiny_evaluation

RESAMPLING = Resampling(7, 500)
QUERIES = {f"q{n}": f"pytanie {n}" for n in range(12)}


def _compare(evaluation: Evaluation) -> Between:
    return between(evaluation, drops(evaluation, RESAMPLING), clean_scores(evaluation, RESAMPLING), RESAMPLING)


@pytest.fixture(scope="module")
def three() -> Evaluation:
    """12 queries; typo twice per query, case on the first eight."""
    rng = np.random.default_rng(3)
    variants = [(q, "typo", f"{q} literówka {i}") for q in QUERIES for i in range(2)]
    variants += [(q, "case", f"{q} forma") for q in list(QUERIES)[:8]]
    total = len(QUERIES) + len(variants)
    scores = {name: {"recall@1": rng.random(total)} for name in ("a", "b", "c")}
    return tiny_evaluation(QUERIES, variants, scores=scores, seconds={"a": 1.0, "b": 2.0, "c": 4.0})


def test_comparisons_equal_the_pairwise_function(three: Evaluation) -> None:
    rows = compare_drops(three, paired_scores(three), RESAMPLING)
    assert len(rows) == 3 * 3
    by_name = {model.name: place for place, model in enumerate(three.succeeded)}
    paired = {pairs.perturbation: pairs for pairs in paired_scores(three)}
    for row in rows:
        pairs = paired[row.perturbation]
        one, other = by_name[row.first], by_name[row.second]
        expected = drop_difference(
            (pairs.clean[one], pairs.perturbed[one]),
            (pairs.clean[other], pairs.perturbed[other]),
            seed=7,
            query_ids=pairs.query_ids,
            resamples=500,
        )
        assert row.difference == pytest.approx(expected.value, abs=1e-12)
        assert (row.ci_low, row.ci_high) == pytest.approx((expected.ci_low, expected.ci_high), abs=1e-6)
        assert row.p_value == pytest.approx(expected.p_value, abs=1e-12)
        assert row.difference == pytest.approx(row.first_drop - row.second_drop)
    assert [row.p_adjusted for row in rows] == holm([row.p_value for row in rows]).p_values


def test_drops_compared_are_those_of_the_drop_table(three: Evaluation) -> None:
    table = {(r.model, r.perturbation): r.drop for r in drops(three, RESAMPLING) if r.kind == "all"}
    for row in compare_drops(three, paired_scores(three), RESAMPLING):
        if row.perturbation != OVERALL:
            assert row.first_drop == pytest.approx(table[row.first, row.perturbation])
            assert row.second_drop == pytest.approx(table[row.second, row.perturbation])


def test_overall_averages_variants_then_perturbations_then_queries() -> None:
    variants = [("q0", "typo", "x1"), ("q0", "typo", "x2"), ("q0", "case", "x3"), ("q1", "case", "x4")]
    evaluation = tiny_evaluation(
        {"q0": "raz", "q1": "dwa", "q2": "trzy"},
        variants,
        scores={"a": {"recall@1": [1.0, 1.0, 1.0, 0.0, 0.5, 1.0, 0.0]}},
    )
    overall = paired_scores(evaluation)[-1]
    assert overall.perturbation == OVERALL and overall.query_ids == ("q0", "q1")
    # q0: typo loses 0.75, case nothing; q1: case loses all. Query q2 has no variant.
    assert overall.drops.tolist() == [[0.375, 1.0]]
    line = _compare(evaluation).robustness[0]
    assert line.mean_drop == pytest.approx((0.375 + 1.0) / 2)


def test_the_mix_of_a_traffic_stays_out_of_the_overall_drop() -> None:
    variants = [("q0", "typo", "x1"), ("q0", "traffic_mix", "x2")]
    evaluation = tiny_evaluation({"q0": "raz"}, variants, scores={"a": {"recall@1": [1.0, 0.5, 0.0]}})
    assert [pairs.perturbation for pairs in paired_scores(evaluation)] == ["typo", "traffic_mix"]
    assert _compare(evaluation).robustness[0].mean_drop == 0.5
    variants.append(("q0", "case", "x3"))
    evaluation = tiny_evaluation({"q0": "raz"}, variants, scores={"a": {"recall@1": [1.0, 0.5, 0.0, 0.25]}})
    assert paired_scores(evaluation)[-1].drops.tolist() == [[0.625]]
    only = tiny_evaluation({"q0": "raz"}, variants[1:2], scores={"a": {"recall@1": [1.0, 0.25]}})
    assert _compare(only).robustness[0].mean_drop == 0.75


def test_one_perturbation_needs_no_overall() -> None:
    evaluation = tiny_evaluation({"q0": "raz"}, [("q0", "typo", "rza")], scores={"a": {"recall@1": [1.0, 0.0]}})
    assert [pairs.perturbation for pairs in paired_scores(evaluation)] == ["typo"]


def test_order_is_that_of_the_ranking_function(three: Evaluation) -> None:
    found = {order.perturbation: order for order in _compare(three).orders}
    for pairs in paired_scores(three):
        expected = ranking_change(pairs.clean, pairs.perturbed, seed=7, query_ids=pairs.query_ids, resamples=500)
        order = found[pairs.perturbation]
        assert (order.changed, order.probability) == (expected.changed, expected.probability)
        assert [order.models[i] for i in expected.clean] == _sorted(order.models, order.clean_ranks)
        assert [order.models[i] for i in expected.perturbed] == _sorted(order.models, order.perturbed_ranks)


def _sorted(models: tuple[str, ...], ranks: tuple[int, ...]) -> list[str]:
    return [name for _, name in sorted(zip(ranks, models, strict=True))]


def test_models_that_tie_share_a_rank_and_a_tie_is_no_change() -> None:
    scores = {
        "a": {"recall@1": [0.3, 0.1 + 0.2, 1.0, 0.0]},
        "b": {"recall@1": [0.1 + 0.2, 0.3, 0.0, 0.5]},
        "c": {"recall@1": [0.1, 0.1, 0.0, 0.0]},
    }
    evaluation = tiny_evaluation(
        {"q0": "raz", "q1": "dwa"}, [("q0", "typo", "rza"), ("q1", "typo", "dwwa")], scores=scores
    )
    (order,) = _compare(evaluation).orders
    assert order.clean_ranks == (1, 1, 3)
    assert order.perturbed_ranks == (1, 2, 3)
    assert not order.changed


@pytest.mark.parametrize(("perturbed", "changed"), [((0.0, 1.0), True), ((1.0, 0.0), False), ((0.5, 0.5), False)])
def test_one_query_tells_the_order_but_no_probability(perturbed: tuple[float, float], changed: bool) -> None:
    scores = {
        name: {"recall@1": [clean, after]} for name, clean, after in zip("ab", (1.0, 0.0), perturbed, strict=True)
    }
    evaluation = tiny_evaluation({"q0": "raz"}, [("q0", "typo", "rza")], scores=scores)
    found = _compare(evaluation)
    assert (found.orders[0].changed, found.orders[0].probability) == (changed, None)
    assert found.comparisons[0].p_value is None and found.comparisons[0].ci_low is None
    assert "n=1" in found.comparisons[0].note


def test_worst_case_counts_a_query_only_if_all_its_variants_succeed() -> None:
    variants = [("q0", "typo", "x1"), ("q0", "case", "x2"), ("q1", "typo", "x3")]
    # q0: one of two variants fails; q1: succeeds; q2: no variant, its original counts; q3: its original fails.
    scores = {"a": {"recall@1": [1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0]}}
    evaluation = tiny_evaluation({f"q{n}": "słowo" for n in range(4)}, variants, scores=scores)
    (line,) = _compare(evaluation).robustness
    assert line.worst_case == pytest.approx(2 / 4)
    assert line.clean.mean == pytest.approx(3 / 4)


def test_the_worst_perturbation_is_told_of_all_and_of_those_with_a_p_value() -> None:
    variants = [(q, "typo", f"{q} x") for q in QUERIES] + [("q0", "case", "q0 y")]
    scores = {"a": {"recall@1": [1.0] * 12 + [0.9] * 11 + [0.5] + [0.0]}}
    evaluation = tiny_evaluation(QUERIES, variants, scores=scores)
    (line,) = _compare(evaluation).robustness
    assert line.worst is not None and line.worst.tested is not None and line.worst.untested
    assert (line.worst.largest.perturbation, line.worst.tested.perturbation) == ("case", "typo")
    only_case = tiny_evaluation(QUERIES, variants[-1:], scores={"a": {"recall@1": [1.0] * 12 + [0.0]}})
    (line,) = _compare(only_case).robustness
    assert line.worst is not None and (line.worst.largest.perturbation, line.worst.largest.drop) == ("case", 1.0)


def _front(quality: list[float], drop: list[float], seconds: list[float] | None) -> Between:
    names = "abcd"[: len(quality)]
    scores = {n: {"recall@1": [q] * 2 + [q - d] * 2} for n, q, d in zip(names, quality, drop, strict=True)}
    variants = [("q0", "typo", "rza"), ("q1", "typo", "dwwa")]
    timed = dict(zip(names, seconds, strict=True)) if seconds else None
    return _compare(tiny_evaluation({"q0": "raz", "q1": "dwa"}, variants, scores=scores, seconds=timed))


def test_pareto_front_by_hand() -> None:
    # b is beaten by a in both; c loses less; d is as good as a in both: neither beats the other.
    found = _front([0.9, 0.8, 0.7, 0.9], [0.3, 0.4, 0.1, 0.3], None)
    assert [line.unbeaten for line in found.robustness] == [True, False, True, True]
    assert not found.front_has_speed
    # With speed: b is the fastest and so unbeaten; d is as good as a but slower, so a beats it.
    found = _front([0.9, 0.8, 0.7, 0.9], [0.3, 0.4, 0.1, 0.3], [2.0, 1.0, 4.0, 3.0])
    assert [line.unbeaten for line in found.robustness] == [True, True, True, False]
    assert found.front_has_speed
    assert [line.queries_per_second for line in found.robustness] == [2.0, 4.0, 1.0, pytest.approx(4 / 3)]


def test_speed_of_some_models_only_decides_nothing() -> None:
    found = _front([0.9, 0.8], [0.3, 0.4], None)
    assert [line.queries_per_second for line in found.robustness] == [None, None]
    assert [line.unbeaten for line in found.robustness] == [True, False]


def test_nothing_perturbed_leaves_clean_scores_only() -> None:
    evaluation = tiny_evaluation(QUERIES, [], scores={n: {"recall@1": [1.0] * 12} for n in "ab"})
    found = _compare(evaluation)
    assert found.comparisons == () and found.orders == ()
    assert [(r.mean_drop, r.worst, r.unbeaten, r.worst_case) for r in found.robustness] == [(None, None, None, 1.0)] * 2


def test_no_model_at_all_compares_nothing() -> None:
    evaluation = tiny_evaluation(QUERIES, [("q0", "typo", "x")], failed={"a": "no weights"})
    assert _compare(evaluation) == Between((), (), (), False)


def test_a_failed_model_is_not_compared(three: Evaluation) -> None:
    evaluation = tiny_evaluation(
        {"q0": "raz"}, [("q0", "typo", "rza")], scores={"a": {"recall@1": [1.0, 0.0]}}, failed={"b": "no weights"}
    )
    found = _compare(evaluation)
    assert [line.model for line in found.robustness] == ["a"] and found.comparisons == ()


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(*[st.sampled_from([0.0, 0.5, 1.0])] * 6), min_size=2, max_size=4))
def test_worst_case_never_exceeds_clean_and_someone_is_unbeaten(table: list[tuple[float, ...]]) -> None:
    scores = {f"m{n}": {"recall@1": row} for n, row in enumerate(table)}
    variants = [("q0", "typo", "rza"), ("q0", "case", "razy"), ("q1", "typo", "dwwa"), ("q1", "typo", "daw")]
    found = _compare(tiny_evaluation({"q0": "raz", "q1": "dwa"}, variants, scores=scores))
    assert all(line.worst_case <= line.clean.mean + 1e-12 for line in found.robustness)
    assert any(line.unbeaten for line in found.robustness)
    for order in found.orders:
        assert all(a <= b for a, b in pairwise(sorted(order.clean_ranks)))
