"""Intervals against scipy, and what they must not depend on."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from perturb.errors import ConfigError, MeasureError
from perturb.significance import Resampling, average_variants, bootstrap_intervals, drops, estimates, paired_drop
from perturb.significance.intervals import _quantiles, t_quantile
from perturb.significance.resampling import Resamples, random_stream, resample_counts

N = 120
SHAPES = {
    "normal": lambda rng: rng.normal(0.1, 0.3, N),
    "skewed": lambda rng: rng.exponential(0.2, N) ** 2,
    "discrete": lambda rng: rng.choice([0.0, 0.0, 0.0, 0.2, 1.0, -0.5], N),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("method", "scipy_method"), [("percentile", "percentile"), ("bca", "BCa")])
def test_limits_equal_those_of_scipy(shape, method, scipy_method):
    values = SHAPES[shape](np.random.default_rng(5))
    ids = tuple(f"q{row:03}" for row in range(N))
    plain = Resampling(7, 40_000, method=method, expand=False)
    low, high = bootstrap_intervals(values[None], np.ones(N), ids, plain)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=40_000, method=scipy_method, rng=3, batch=2000)
    # Two limits from different random numbers differ by about 2 % of a standard error each.
    tolerance = 0.08 * values.std() / np.sqrt(N)
    assert low[0] == pytest.approx(theirs.confidence_interval.low, abs=tolerance)
    assert high[0] == pytest.approx(theirs.confidence_interval.high, abs=tolerance)


@pytest.mark.parametrize("n_units", [2, 7, 300])
def test_the_spread_of_the_resamples_is_that_of_the_multinomial(n_units):
    values = np.random.default_rng(1).normal(size=(3, n_units))
    ids = [f"q{row}" for row in range(n_units)]
    spreads = []
    for seed in range(5):
        deviations = Resamples(np.ones(n_units), 20_000, seed, ids).deviations(values)
        spreads.append(deviations.std(axis=1) / (values.std(axis=1) / np.sqrt(n_units)))
        assert abs(deviations.mean(axis=1)) == pytest.approx(0, abs=0.05)
    # Overlapping streams once made such an interval a fifth too narrow.
    assert np.array(spreads) == pytest.approx(1.0, abs=0.025)
    assert np.std(spreads, axis=0).min() > 0


def test_counts_are_multinomial():
    blocks = list(resample_counts(50, 30_000, random_stream(3, "bootstrap", ["a"])))
    counts = np.concatenate(blocks, axis=1)
    assert len(blocks) > 1
    assert counts.shape == (50, 30_000)
    assert (counts.sum(axis=0) == 50).all()
    assert counts.var(axis=1) == pytest.approx(np.full(50, 0.98), abs=0.05)
    assert np.cov(counts[:2])[0, 1] == pytest.approx(-1 / 50, abs=0.02)
    # resamples of different blocks are independent of one another
    assert abs(np.corrcoef(blocks[0][:, 0], blocks[1][:, 0])[0, 1]) < 0.6


def test_units_beyond_sixteen_bits():
    counts = next(resample_counts(70_000, 1, random_stream(1, "bootstrap", ["a"])))
    assert counts.sum() == 70_000
    assert counts[65_536:].sum() == pytest.approx(4464, abs=300)


def test_the_stream_depends_on_seed_purpose_and_units_only():
    first = random_stream(1, "bootstrap", ["a", "b"]).random()
    assert first == random_stream("1", "bootstrap", ["a", "b"]).random()
    others = [
        (2, "bootstrap", ["a", "b"]),
        (1, "sign flips", ["a", "b"]),
        (1, "bootstrap", ["ab"]),
        (1, "bootstrap", ["a"]),
    ]
    assert first not in [random_stream(*other).random() for other in others]


def test_more_resamples_than_fit_are_drawn_again_and_again(monkeypatch):
    values, ids = np.random.default_rng(1).normal(size=(5, 40)), tuple(map(str, range(40)))
    kept = bootstrap_intervals(values, np.ones(40), ids, Resampling(1, 3000))
    monkeypatch.setattr("perturb.significance.resampling._KEPT", 1000)
    np.testing.assert_allclose(kept, bootstrap_intervals(values, np.ones(40), ids, Resampling(1, 3000)), atol=2e-6)


def test_quantiles_are_those_of_numpy():
    rng = np.random.default_rng(6)
    rows = [
        rng.normal(size=5000),
        rng.integers(0, 3, 5000),
        np.zeros(5000),
        np.sort(rng.normal(size=5000)),
        rng.normal(size=150),
    ]
    rows.append(np.concatenate([np.full(512, 9.0), rng.normal(size=4000)]))  # scouts that mislead
    rows.append(np.concatenate([np.full(512, -9.0), rng.normal(size=4000)]))
    for row in rows:
        for low, high in [(0.025, 0.975), (0.0, 1.0), (1e-9, 0.6), (0.4, 1 - 1e-12), (0.3, 0.31)]:
            single = row.astype(np.float32)
            expected = np.quantile(single.astype(np.float64), [low, high])
            assert _quantiles(single, low, high) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("freedom", [1, 2, 4, 5, 10, 49, 299])
def test_quantiles_of_t(freedom):
    expected = stats.t.ppf([0.8, 0.95, 0.975], freedom)
    found = [t_quantile(probability, freedom) for probability in (0.8, 0.95, 0.975)]
    np.testing.assert_allclose(found, expected, rtol=0.02 if freedom < 5 else 0.001)


def test_expanded_limits_are_those_of_a_t_interval_on_well_behaved_scores():
    values = stats.norm.ppf((np.arange(15) + 0.5) / 15)
    found = estimates(values[None], Resampling(1, 100_000, method="percentile"))[0]
    reach = stats.t.ppf(0.975, 14) * values.std(ddof=1) / np.sqrt(15)
    assert (found.ci_low, found.ci_high) == pytest.approx((-reach, reach), rel=0.03)


def test_a_cell_does_not_depend_on_its_table_nor_on_the_order_of_the_queries():
    rng = np.random.default_rng(4)
    clean, perturbed = rng.random((2, 6, 40)).round(2)
    mask = rng.random((6, 40)) < 0.8
    mask[1] = mask[0]
    ids = [f"q{row}" for row in range(40)]
    table = drops(clean, perturbed, mask=mask, query_ids=ids, seed=9)
    for cell in range(6):
        alone = paired_drop(
            clean[cell, mask[cell]],
            perturbed[cell, mask[cell]],
            query_ids=[query_id for query_id, counts in zip(ids, mask[cell], strict=True) if counts],
            seed=9,
        )
        assert alone == table[cell]
    turned = drops(clean[:, ::-1], perturbed[:, ::-1], mask=mask[:, ::-1], query_ids=ids[::-1], seed=9)
    for drop, other in zip(table, turned, strict=True):
        assert (drop.ci_low, drop.ci_high, drop.p_value) == (other.ci_low, other.ci_high, other.p_value)
    assert drops(clean, perturbed, mask=mask, query_ids=ids, seed=10) != table


def test_what_the_mask_leaves_out_is_ignored():
    clean = [[1.0, np.nan, 0.5, 0.5]]
    drop = drops(clean, [[0.5, 1.0, np.inf, 0.5]], mask=[[True, False, False, True]], seed=1)[0]
    assert (drop.n_queries, drop.clean, drop.perturbed, drop.drop) == (2, 0.75, 0.5, 0.25)


def test_groups_are_resampled_whole():
    rng = np.random.default_rng(3)
    effect = rng.normal(size=30)
    values = np.repeat(effect, 10)  # ten near-duplicates each
    grouped = estimates(values[None], Resampling(1), groups=np.repeat(np.arange(30), 10).tolist())[0]
    alone = estimates(effect[None], Resampling(1))[0]
    naive = estimates(values[None], Resampling(1))[0]
    assert (grouped.n_queries, grouped.n_units) == (300, 30)
    width = grouped.ci_high - grouped.ci_low
    assert width == pytest.approx(alone.ci_high - alone.ci_low, rel=0.05)
    assert width > 2.5 * (naive.ci_high - naive.ci_low)
    assert grouped.minimum_detectable == pytest.approx(alone.minimum_detectable)


def test_groups_of_different_size_weigh_by_their_queries():
    rng = np.random.default_rng(8)
    groups = np.repeat(np.arange(25), rng.integers(1, 9, 25))
    values = rng.normal(size=len(groups)) + rng.normal(size=25)[groups]
    found = estimates(values[None], Resampling(2, method="percentile", expand=False), groups=groups.tolist())[0]
    members = [values[groups == group] for group in range(25)]
    means = [np.concatenate([members[pick] for pick in rng.integers(0, 25, 25)]).mean() for _ in range(5000)]
    assert (found.value, found.ci_low, found.ci_high) == pytest.approx(
        (values.mean(), *np.quantile(means, [0.025, 0.975])), abs=0.03
    )


def test_too_few_groups():
    found = estimates([[0.1, 0.2, 0.3]], Resampling(1), groups=["a", "a", "a"])[0]
    assert (found.ci_low, found.n_units) == (None, 1)
    assert "too few groups: n=1, a p-value needs 6" in found.notes


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"confidence": 1.0}, "confidence=1.0"),
        ({"resamples": 10}, "resamples=10"),
        ({"method": "student"}, "unknown interval method 'student'"),
    ],
)
def test_impossible_settings(settings, message):
    with pytest.raises(ConfigError, match=message):
        paired_drop([1.0, 0.0], [0.0, 0.0], seed=1, **settings)


def test_shapes_that_do_not_fit():
    with pytest.raises(MeasureError, match="are not pairs"):
        paired_drop([1.0, 0.0], [0.0], seed=1)
    with pytest.raises(MeasureError, match="do not fit together"):
        drops([[1.0, 0.0]], [[0.0, 0.0, 0.0]], seed=1)
    with pytest.raises(MeasureError, match="3 query ids"):
        drops([[1.0, 0.0]], [[0.0, 0.0]], seed=1, query_ids=["a", "b", "c"])
    with pytest.raises(MeasureError, match="cell 1 of the table has no query"):
        drops([1.0, 0.0], np.zeros((2, 2)), mask=[[True, True], [False, False]], seed=1)
    for scores, index in (([1.0, 2.0], [0]), ([1.0, 2.0], [0, 5]), ([1.0, 2.0], [0, -1])):
        with pytest.raises(MeasureError, match="query_index"):
            average_variants(scores, index, 5)


def test_variants_are_averaged_or_the_worst_is_taken():
    scores, index = [[1.0, 0.0, 0.5], [1.0, 1.0, 0.0]], [2, 0, 2]
    means, present = average_variants(scores, index, 4)
    assert means.tolist() == [[0.0, 0.0, 0.75, 0.0], [1.0, 0.0, 0.5, 0.0]]
    assert present.tolist() == [True, False, True, False]
    assert average_variants(scores, index, worst=True)[0].tolist() == [[0.0, 0.0, 0.5], [1.0, 0.0, 0.0]]
    assert average_variants(np.zeros((2, 0)), [], 3)[0].shape == (2, 3)


def test_an_extreme_skew_keeps_its_limits_within_the_scores():
    for n in (2, 3, 10, 50):
        values = np.zeros(n)
        values[0] = 1.0
        for settings in (Resampling(1, 1000), Resampling(1, 1000, confidence=0.9999)):
            found = estimates(values[None], settings)[0]
            assert 0 <= found.ci_low <= found.value <= found.ci_high <= 1


@pytest.mark.slow
@pytest.mark.parametrize("n_queries", [50, 100])
def test_coverage_with_clustered_variants(n_queries):
    """Reduced; the whole simulation, and what the naive interval does, is in ``benchmarks/interval_coverage.py``."""
    rng = np.random.default_rng(n_queries)
    repeats, variants = 1500, 5
    found_before = rng.random((repeats, n_queries)) < 0.8
    lost, gained = rng.beta(0.5, 2.0, (repeats, n_queries)), rng.beta(0.3, 6.0, (repeats, n_queries))
    truth = 0.8 * 0.2 - 0.2 * 0.3 / 6.3
    perturbed = rng.binomial(variants, np.where(found_before, 1 - lost, gained)) / variants
    cells = drops(found_before.astype(float), perturbed, seed=1, resamples=2000)
    covered = np.mean([drop.ci_low <= truth <= drop.ci_high for drop in cells])
    assert 0.93 <= covered <= 0.97


def test_the_test_holds_its_error_rate_and_the_minimum_detectable_drop_its_power():
    rng = np.random.default_rng(21)
    n, repeats = 60, 2000
    noise = rng.choice([0.0, 0.0, 0.0, 0.2, -0.2, 1.0, -1.0], (repeats, n))
    null = drops(noise, np.zeros((repeats, n)), seed=3, resamples=2000)
    assert np.mean([drop.p_value <= 0.05 for drop in null]) <= 0.06
    detectable = np.mean([drop.minimum_detectable for drop in null])
    shifted = drops(noise + detectable, np.zeros((repeats, n)), seed=3, resamples=2000)
    assert np.mean([drop.p_value <= 0.05 for drop in shifted]) == pytest.approx(0.8, abs=0.04)


def test_what_rounding_left_behind_is_no_change():
    assert 0.3 - 0.1 - 0.2 != 0
    found = estimates([[0.3 - 0.1 - 0.2] * 30], Resampling(1))[0]
    assert (found.value, found.p_value, found.notes) == (
        0.0,
        1.0,
        ("no query changed", "up to 11.6% of such queries may still change, as far as 30 can tell"),
    )
    drop = paired_drop([0.3 - 0.1] * 30, [0.2] * 30, seed=1)
    assert (drop.losses, drop.ties, drop.p_value) == (0, 30, 1.0)


@pytest.mark.parametrize("n", [50, 100, 300])
def test_a_drop_is_detectable_only_with_six_lost_queries(n):
    # Two queries lost of n: a true loss of that size would be found in one golden set of five.
    few = paired_drop(np.ones(n), np.r_[np.zeros(2), np.ones(n - 2)], seed=1)
    assert few.minimum_detectable == pytest.approx(7.906 / n)
    rng = np.random.default_rng(n)
    lost = rng.random((400, n)) < few.minimum_detectable
    found = drops(np.ones((400, n)), 1.0 - lost, seed=1, resamples=500)
    assert np.mean([drop.p_value <= 0.05 for drop in found]) == pytest.approx(0.8, abs=0.06)


def test_many_changes_are_detectable_by_their_spread():
    many = np.random.default_rng(1).normal(0, 0.2, 200)
    drop = paired_drop(many, np.zeros(200), seed=1)
    assert drop.minimum_detectable == pytest.approx(2.82 * many.std(ddof=1) / np.sqrt(200), rel=0.02)
