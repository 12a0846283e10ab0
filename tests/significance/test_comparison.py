from __future__ import annotations

import numpy as np
import pytest

from perturb.errors import ConfigError, MeasureError
from perturb.significance import (
    Resampling,
    drop_difference,
    equivalence,
    paired_drop,
    pareto_front,
    ranking_change,
    severity_slope,
)


def test_equivalence_needs_narrow_limits_not_a_large_p_value():
    rng = np.random.default_rng(1)
    clean = rng.random(1000)
    harmless = equivalence(clean, clean - rng.normal(0.002, 0.05, 1000), margin=0.02, seed=1)
    assert harmless.no_larger
    assert harmless.equivalent
    few = equivalence(clean[:25], clean[:25] - rng.normal(0.0, 0.2, 25), margin=0.02, seed=1)
    assert not few.no_larger
    gain = equivalence(clean, clean + rng.normal(0.2, 0.05, 1000), margin=0.02, seed=1)
    assert gain.no_larger
    assert not gain.equivalent
    harmful = equivalence(clean, clean - 0.1, margin=0.02, seed=1)
    assert not harmful.no_larger
    interval = paired_drop(clean, clean - rng.normal(0.002, 0.05, 1000), seed=1, confidence=0.9)
    assert harmless.ci_high == pytest.approx(interval.ci_high, abs=0.01)


@pytest.mark.parametrize(("n", "shown"), [(1, False), (30, False), (148, False), (149, True)])
def test_unchanged_queries_show_only_what_their_number_allows(n, shown):
    """If 2 % of the queries lost a whole point, 148 unchanged ones would still occur in 5 % of golden sets."""
    found = equivalence([1.0] * n, [1.0] * n, margin=0.02, seed=1)
    assert found.no_larger == found.equivalent == shown
    assert "no query changed" in found.notes


@pytest.mark.parametrize("changes", [1, 2, 5])
def test_few_small_changes_show_no_more_than_none(changes):
    """Else one query that lost a thousandth would prove what fifty unchanged ones do not."""
    drops = np.zeros(50)
    drops[:changes] = 0.001
    found = equivalence(drops, np.zeros(50), margin=0.02, seed=1)
    assert found.ci_high == pytest.approx(1 - 0.05 ** (1 / 50))
    assert not found.no_larger and "few changes among n=50" in found.notes[-1]


def test_equivalence_errs_no_more_often_than_it_says():
    rng = np.random.default_rng(5)
    claims = 0
    for repeat in range(400):
        differences = rng.choice([0.0, 0.2, -0.2], 150, p=[0.5, 0.3, 0.2])  # the true drop is 0.02
        claims += equivalence(differences, np.zeros(150), margin=0.02, seed=repeat, resamples=1000).no_larger
    assert claims / 400 <= 0.08


def test_impossible_margins():
    with pytest.raises(ConfigError, match="margin=0"):
        equivalence([1.0], [1.0], margin=0, seed=1)
    with pytest.raises(ConfigError, match="alpha="):
        equivalence([1.0], [1.0], margin=0.1, alpha=0.5, seed=1)


def test_difference_of_drops_is_paired_on_the_queries():
    rng = np.random.default_rng(2)
    hardness = rng.normal(0.2, 0.3, 80)
    clean = np.ones(80)
    ours, theirs = (clean, clean - hardness), (clean, clean - hardness - 0.05 + rng.normal(0, 0.02, 80))
    found = drop_difference(ours, theirs, seed=1)
    assert found.value == pytest.approx(-0.05, abs=0.01)
    assert found.ci_high < -0.04
    assert found.p_value < 0.001
    # unpaired, the hardness of the queries would drown it
    assert found.ci_high - found.ci_low < 0.1 * (paired_drop(*ours, seed=1).ci_high - paired_drop(*ours, seed=1).ci_low)
    same = drop_difference(ours, ours, seed=1)
    assert (same.value, same.p_value) == (0.0, 1.0)
    with pytest.raises(MeasureError, match="model A has 80 queries, model B 2"):
        drop_difference(ours, ([1.0, 1.0], [1.0, 1.0]), seed=1)
    with pytest.raises(MeasureError, match="are not pairs"):
        drop_difference(ours, ([1.0, 1.0], [1.0]), seed=1)
    with pytest.raises(MeasureError, match="score of query '1'"):
        drop_difference((np.array([1.0, np.inf]), np.array([0.0, np.inf])), ([1.0, 1.0], [1.0, 1.0]), seed=1)


def test_slope_by_severity():
    rng = np.random.default_rng(3)
    levels, slopes = [1, 2, 4], rng.normal(0.1, 0.05, 60)
    table = np.outer(levels, slopes) + rng.normal(0, 0.01, 60)
    found = severity_slope(levels, table, seed=1)
    assert found.value == pytest.approx(slopes.mean())
    assert found.ci_low < 0.1 < found.ci_high
    assert found.p_value < 0.01
    mask = np.ones(table.shape, bool)
    mask[1:, :3] = False
    table[1:, :3] = np.nan
    masked = severity_slope(levels, table, mask=mask, seed=1)
    assert masked.value == pytest.approx(slopes[3:].mean())
    assert (masked.n_queries, masked.notes) == (57, ("3 queries left out: fewer than two severities",))
    assert severity_slope([1, 2], np.zeros((2, 30)), seed=1).p_value == 1.0
    with pytest.raises(MeasureError, match="no query has drops at two different severities"):
        severity_slope([2, 2], np.zeros((2, 30)), seed=1)
    with pytest.raises(MeasureError, match="3 levels"):
        severity_slope([1, 2, 3], np.zeros((2, 30)), seed=1)


def test_probability_that_the_ranking_changes():
    rng = np.random.default_rng(4)
    base = rng.random(100)
    clean = np.stack([base, base - 0.1, base - 0.3])
    perturbed = np.stack([base - 0.3, base - 0.1, base - 0.6]) + rng.normal(0, 0.02, (3, 100))
    found = ranking_change(clean, perturbed, seed=1, resamples=1000)
    assert (found.clean, found.perturbed) == ((0, 1, 2), (1, 0, 2))
    assert (found.changed, found.probability) == (True, 1.0)
    assert found.swaps[0, 1] == 1.0
    assert found.swaps[0, 2] == found.swaps[1, 2] == 0.0
    even = ranking_change([base, base - 0.1], [base, base - rng.normal(0, 0.3, 100)], seed=1, resamples=4000)
    assert 0.0 < even.probability < 1.0
    tied = ranking_change([base, base], [base, base], seed=1, resamples=1000)
    assert (tied.changed, tied.probability) == (False, 0.0)
    turned = ranking_change(
        clean[:, ::-1], perturbed[:, ::-1], seed=1, query_ids=[str(99 - row) for row in range(100)], resamples=1000
    )
    assert turned.probability == found.probability


def test_ranking_change_refuses_what_it_cannot_rank():
    with pytest.raises(MeasureError, match="give two or more queries"):
        ranking_change([[1.0], [0.0]], [[1.0], [0.0]], seed=1)
    with pytest.raises(MeasureError, match="score of query 'b'"):
        ranking_change([[1.0, 1.0]], [[1.0, np.nan]], seed=1, query_ids=["a", "b"])


def test_pareto_front():
    quality_robustness_speed = [[0.9, -0.2, 10], [0.8, -0.1, 10], [0.8, -0.2, 10], [0.1, -0.9, 99], [0.9, -0.2, 10]]
    assert pareto_front(quality_robustness_speed).tolist() == [True, True, False, True, True]


@pytest.mark.parametrize("levels", [[1.0, float("inf")], [1.0, float("nan")], ["a", "b"]])
def test_levels_of_severity_are_finite_numbers(levels):
    with pytest.raises(MeasureError, match="levels of severity"):
        severity_slope(levels, np.zeros((2, 5)), seed=1)


@pytest.mark.parametrize("setting", [{"resamples": "many"}, {"confidence": "high"}, {"resamples": 1000.5}])
def test_settings_are_numbers(setting):
    with pytest.raises(ConfigError):
        Resampling(1, **setting)
