from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from perturb.errors import MeasureError
from perturb.significance import benjamini_hochberg, drops, holm, paired_drop, sign_flip_p_values


def p_value(differences, **settings):
    ids = tuple(map(str, range(len(differences))))
    return sign_flip_p_values(np.asarray(differences, np.float64)[None], ids, seed=1, **settings)[0]


@pytest.mark.parametrize("n", [2, 3, 5, 9, 12])
def test_exact_equals_scipy(n):
    rng = np.random.default_rng(n)
    for differences in (rng.normal(0.3, 1, n), rng.integers(-3, 5, n) / 4, rng.integers(-1, 2, n).astype(float)):
        theirs = stats.permutation_test(
            (differences,), np.mean, permutation_type="samples", n_resamples=np.inf, vectorized=True, axis=-1
        )
        assert p_value(differences) == pytest.approx(theirs.pvalue, abs=1e-12)


def test_ties_that_differ_by_rounding_are_ties():
    differences = [0.1, 0.2, -0.3, 0.7, 0.1, -0.1]
    integers = [1, 2, -3, 7, 1, -1]
    sums = [sum(s * d for s, d in zip(signs, integers, strict=True)) for signs in itertools.product((1, -1), repeat=6)]
    assert p_value(differences) == np.mean(np.abs(sums) >= abs(sum(integers)))


@pytest.mark.parametrize("shift", [0.0, 0.15, 0.3])
def test_monte_carlo_agrees_with_scipy(shift):
    differences = np.random.default_rng(2).normal(shift, 1, 150)
    theirs = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=40_000, vectorized=True, rng=3, batch=2000
    )
    assert p_value(differences, flips=40_000) == pytest.approx(theirs.pvalue, abs=0.01)


def test_monte_carlo_agrees_with_the_exact_test_on_many_ties():
    # 17 changed queries take the random path; their exact p-value follows the binomial distribution.
    for losses in (9, 11, 13, 15):
        differences = [1.0] * losses + [-1.0] * (17 - losses) + [0.0] * 60
        assert p_value(differences, flips=100_000) == pytest.approx(stats.binomtest(losses, 17).pvalue, abs=0.006)


def test_no_p_value_is_zero_and_the_observed_pattern_counts():
    assert p_value([1.0] * 200) == pytest.approx(1 / 10_001)
    assert p_value([0.0] * 8) == 1.0
    assert p_value([0.5, -0.5] * 20) == 1.0


def test_unchanged_queries_play_no_part():
    changed = [0.3, -0.1, 0.5, 0.2]
    assert p_value(changed) == p_value([*changed, 0.0, 0.0, 0.0])


def test_many_cells_share_their_sign_patterns():
    rng = np.random.default_rng(4)
    table, ids = rng.normal(0.1, 1, (30, 60)), tuple(map(str, range(60)))
    together = sign_flip_p_values(table, ids, seed=5)
    alone = [sign_flip_p_values(row[None], ids, seed=5)[0] for row in table]
    np.testing.assert_allclose(together, alone, atol=2e-4)
    assert (together != sign_flip_p_values(table, ids, seed=6)).any()


def test_groups_are_flipped_whole():
    values = np.repeat([0.5, 0.4, 0.6, -0.1, 0.3, 0.2], 5)
    drop = paired_drop(values, np.zeros(30), seed=1, groups=np.repeat(np.arange(6), 5).tolist())
    assert drop.p_value == p_value([0.5, 0.4, 0.6, -0.1, 0.3, 0.2]) == 4 / 64


def test_holm_by_hand():
    adjusted = holm([0.01, None, 0.04, 0.03, 0.005])
    assert adjusted.p_values == [
        pytest.approx(0.03),
        None,
        pytest.approx(0.06),
        pytest.approx(0.06),
        pytest.approx(0.02),
    ]
    assert adjusted.family_size == 4
    assert holm([0.4, 0.9]).p_values == [0.8, 0.9]
    assert holm([]).p_values == []
    assert holm([None]).p_values == [None]


def test_benjamini_hochberg_equals_scipy():
    rng = np.random.default_rng(7)
    for n in (1, 2, 17, 200):
        raw = (rng.random(n) ** 2).round(3).tolist()
        np.testing.assert_allclose(benjamini_hochberg(raw).p_values, stats.false_discovery_control(raw), atol=1e-12)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_what_is_no_p_value(wrong):
    with pytest.raises(MeasureError, match="in row 2 is not between 0 and 1"):
        holm([0.1, None, wrong])


def test_small_p_values_get_more_patterns_and_large_ones_stay():
    ids = tuple(map(str, range(200)))
    rng = np.random.default_rng(6)
    sums = np.stack([np.ones(200), rng.normal(0.05, 1, 200)])
    once = sign_flip_p_values(sums, ids, seed=1, flips=1000)
    more = sign_flip_p_values(sums, ids, seed=1, flips=1000, more=50_000)
    assert more.tolist() == [pytest.approx(1 / 50_001), once[1]]
    # Holm over a table of 2,000 rows still finds it; 1,000 patterns alone never could.
    assert holm([float(more[0])] + [1.0] * 1999).p_values[0] < 0.05 < holm([float(once[0])] + [1.0] * 1999).p_values[0]


@pytest.mark.parametrize("level", [0.05, 0.021, 0.0205, 0.02, 0.01, 0.002])
def test_a_second_look_raises_no_false_alarm(level):
    """At levels around that of RARE patterns too, where a careless rule would count both looks."""
    rng = np.random.default_rng(8)
    sums = rng.choice([-1.0, 1.0], (20_000, 30)) * rng.random(30)
    p_values = sign_flip_p_values(sums, tuple(map(str, range(30))), seed=1, flips=999, more=9999)
    share = np.mean(p_values <= level)
    assert 0.7 * level < share < level + 4 * np.sqrt(level / len(sums)) + 0.1 * level


def test_a_large_table_can_still_find_a_large_drop():
    clean = np.ones((600, 40))
    perturbed = clean - np.random.default_rng(1).normal(0, 0.1, clean.shape)
    perturbed[0] = 0.0
    raw = [drop.p_value for drop in drops(clean, perturbed, seed=1, resamples=1000)]
    assert holm(raw).p_values[0] == pytest.approx(600 / 10_001)
    assert holm([drops(clean[:1], perturbed[:1], seed=1)[0].p_value, *raw[1:]]).p_values[0] < 0.05
