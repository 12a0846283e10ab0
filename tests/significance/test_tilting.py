from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats

from perturb.significance import drops, estimates, paired_drop, sign_flip_p_values, tilted_p_values
from perturb.significance.intervals import Resampling
from perturb.significance.tilting import tilted_intervals


def two_point(n, losses, gain):
    """``losses`` queries lose everything, the others gain a little."""
    changes = np.full(n, -gain)
    changes[:losses] = 1.0
    return changes


@pytest.mark.parametrize(
    ("n", "losses", "gain"), [(50, 2, 0.2), (50, 20, 0.4), (100, 3, 0.1), (300, 4, 0.05), (300, 40, 0.1), (50, 3, 0.5)]
)
def test_two_sizes_of_change_give_the_binomial_tail(n, losses, gain):
    # A mean of 0 needs losses in gain / (1 + gain) of the queries; half of the observed count belongs to the tail.
    share = gain / (1 + gain)
    law = stats.binom(n, share)
    tail = law.cdf(losses - 1) if losses < n * share else law.sf(losses)
    expected = 2 * (tail + law.pmf(losses) / 2)
    found = tilted_p_values(two_point(n, losses, gain)[None], unseen=0.0)[0]
    assert np.log(found) == pytest.approx(np.log(expected), rel=0.2 if n == 50 else 0.08)


@pytest.mark.parametrize("shift", [0.1, 0.2, 0.3, 0.5])
def test_symmetric_changes_give_about_what_the_t_test_gives(shift):
    changes = stats.norm.ppf((np.arange(60) + 0.5) / 60) + shift
    assert tilted_p_values(changes[None])[0] == pytest.approx(stats.ttest_1samp(changes, 0).pvalue, rel=0.2)


def test_scale_and_direction_play_no_part():
    changes = two_point(80, 5, 0.2)
    found = tilted_p_values(np.stack([changes, -changes, 1e-9 * changes, 1e6 * changes]))
    assert found == pytest.approx(found[0], rel=1e-6)


def test_degenerate_cells():
    one_sign, nothing, balanced = np.r_[np.full(20, 0.5), np.zeros(20)], np.zeros(40), np.tile([0.5, -0.5], 20)
    assert tilted_p_values(np.stack([one_sign, -one_sign, nothing, balanced])).tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("tiny", [1e-3, 1e-6, 1e-9, 1e-12])
def test_a_tiny_change_against_large_ones_is_far_from_chance(tiny):
    changes = np.r_[np.full(20, 1.0), np.full(20, 0.5), -tiny]
    (found,) = tilted_p_values(changes[None])
    assert 0 <= found < 1e-6


def test_cells_do_not_depend_on_their_neighbours(monkeypatch):
    cells = np.random.default_rng(1).exponential(1, (40, 60)) - 0.9
    alone = np.concatenate([tilted_p_values(cell[None]) for cell in cells])
    np.testing.assert_allclose(tilted_p_values(cells), alone, rtol=1e-6)
    monkeypatch.setattr("perturb.significance.tilting._AT_ONCE", 200)
    np.testing.assert_allclose(tilted_p_values(cells), alone, rtol=1e-6)


@pytest.mark.parametrize(("n", "losses"), [(50, 1), (50, 4), (100, 3), (300, 6), (300, 40)])
def test_lost_or_not_gives_the_binomial_interval(n, losses):
    lost = np.r_[np.ones(losses), np.zeros(n - losses)]
    found = tilted_intervals(lost[None], np.ones(n), stats.norm.ppf(0.975), unseen=0.0)
    # Mid-p limits: the share at which half of the observed count and all beyond it make 2.5 %.
    mid = lambda share, law: law(losses, n, share) - stats.binom.pmf(losses, n, share) / 2  # noqa: E731
    upper = optimize.brentq(lambda share: mid(share, stats.binom.cdf) - 0.025, losses / n, 0.999)
    over = lambda count, n, share: stats.binom.sf(count - 1, n, share)  # noqa: E731
    lower = optimize.brentq(lambda share: mid(share, over) - 0.025, 1e-9, losses / n)
    assert losses / n + found[1][0] == pytest.approx(upper, rel=0.05)
    assert losses / n + found[0][0] == pytest.approx(lower, rel=0.05, abs=0.004)


@pytest.mark.parametrize("n", [30, 100])
def test_symmetric_changes_give_about_the_t_interval(n):
    changes = stats.norm.ppf((np.arange(n) + 0.5) / n) + 0.3
    reach = np.sqrt(n / (n - 1)) * stats.t.ppf(0.975, n - 1)
    low, high = tilted_intervals(changes[None], np.ones(n), reach)
    half = stats.t.ppf(0.975, n - 1) * changes.std(ddof=1) / np.sqrt(n)
    assert -low[0] == pytest.approx(high[0], rel=0.01)
    assert half < high[0] < 1.1 * half


def test_intervals_do_not_depend_on_scale_direction_or_neighbours(monkeypatch):
    cells = np.random.default_rng(1).exponential(1, (40, 60)) - 0.9
    low, high = tilted_intervals(cells, np.ones(60), 2.0)
    np.testing.assert_allclose(tilted_intervals(-cells, np.ones(60), 2.0), (-high, -low), rtol=1e-3)
    np.testing.assert_allclose(tilted_intervals(1e-6 * cells, np.ones(60), 2.0), (1e-6 * low, 1e-6 * high), rtol=1e-3)
    monkeypatch.setattr("perturb.significance.tilting._AT_ONCE", 200)
    np.testing.assert_allclose(tilted_intervals(cells, np.ones(60), 2.0), (low, high), rtol=1e-3)


def test_groups_of_one_size_are_units():
    cells = np.random.default_rng(2).exponential(1, (5, 30)) - 0.9
    alone = tilted_intervals(cells, np.ones(30), 2.0)
    np.testing.assert_allclose(tilted_intervals(4 * cells, np.full(30, 4.0), 2.0), alone, rtol=1e-3)


def test_no_spread_no_width():
    low, high = tilted_intervals(np.array([[0.5] * 20, [0.0] * 20]), np.ones(20), 2.0)
    assert low.tolist() == high.tolist() == [0, 0]


def test_a_table_keeps_exact_p_values_and_raises_those_of_skewed_cells():
    skewed, plain = two_point(60, 2, 0.2), np.tile([0.3, 0.1, -0.2], 20)
    table = np.stack([skewed, plain])
    ids = tuple(f"{query:03}" for query in range(60))
    flips = sign_flip_p_values(table, ids, seed=1, more=100_000)
    found = [estimate.p_value for estimate in estimates(table, Resampling(1), query_ids=ids)]
    assert found[0] == tilted_p_values(skewed[None])[0] > 2 * flips[0]
    assert found[1] == max(flips[1], tilted_p_values(plain[None])[0])
    few = two_point(16, 2, 0.3)[None]
    exact = sign_flip_p_values(few, ids[:16], seed=1)
    assert estimates(few, Resampling(1), query_ids=ids[:16])[0].p_value == exact[0]


def test_groups_are_the_units_of_the_correction():
    changes = two_point(120, 8, 0.2)
    groups = [query % 40 for query in range(120)]
    found = paired_drop(changes, np.zeros(120), seed=1, groups=groups)
    sums = changes.reshape(3, 40).sum(axis=0)
    order = np.argsort([str(group) for group in range(40)])
    flips = sign_flip_p_values(
        sums[order][None], tuple(sorted(map(str, range(40)))), seed=1, flips=10_000, more=100_000
    )
    assert found.p_value == pytest.approx(max(flips[0], tilted_p_values(sums[None])[0]), rel=1e-6)


@pytest.mark.parametrize("n", [50, 100])
def test_skewed_changes_that_cancel_are_no_drop(n):
    # A tenth of the queries lose about 0.8, the others gain so much that nothing is lost on average.
    rng = np.random.default_rng(n)
    repeats = 1500
    lost = rng.random((repeats, n)) < 0.1
    changes = np.where(lost, rng.beta(4, 1, lost.shape), -0.8 / 9 * 2 * rng.beta(2, 2, lost.shape))
    found = drops(changes, np.zeros_like(changes), seed=1, resamples=1000)
    assert np.mean([drop.p_value <= 0.05 for drop in found]) <= 0.06
    ids = tuple(map(str, range(n)))
    alone = [sign_flip_p_values(cell[None], ids, seed=1, flips=1000)[0] for cell in changes]
    # The kind of changes that the sign-flip test alone cannot stand, so that this test can fail.
    assert np.mean(np.array(alone) <= 0.05) > 0.055


def test_where_many_units_carry_the_variance_the_bootstrap_has_the_word():
    changes = np.random.default_rng(3).normal(0.1, 1, (2, 300))
    changes[1, 40:] = 0.0
    low, high = tilted_intervals(changes, np.ones(300), 2.0)
    assert low[0] == high[0] == 0
    assert low[1] < 0 < high[1]
