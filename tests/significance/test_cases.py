"""Inputs that broke comparable tools, with what is right; the ids are those of the case collection."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest

from perturb.errors import MeasureError
from perturb.significance import average_variants, benjamini_hochberg, drops, holm, paired_drop, shown


def test_b23_only_a_zero_baseline_leaves_the_percentage_undefined():
    drop = paired_drop([0.8, 0.8], [0.0, 0.0], seed=1)
    assert (drop.drop, drop.drop_pct) == (0.8, 100.0)


@pytest.mark.parametrize("score", [1.0, 0.3, 0.0, 1 / 3])
@pytest.mark.parametrize("n", [2, 4, 5, 30])
def test_f02_f10_no_query_changed(n, score):
    drop = paired_drop([score] * n, [score] * n, seed=1)
    assert (drop.drop, drop.ci_low, drop.ci_high, drop.p_value) == (0.0, 0.0, 0.0, 1.0)
    assert drop.notes[0] == "no query changed"
    assert (drop.losses, drop.ties, drop.wins) == (0, n, 0)
    assert drop.minimum_detectable is None
    json.dumps(dataclasses.asdict(drop), allow_nan=False)


def test_f03_one_query_has_a_drop_and_no_interval():
    drop = paired_drop([1.0], [0.5], seed=1)
    assert (drop.drop, drop.drop_pct, drop.ci_low, drop.ci_high, drop.p_value) == (0.5, 50.0, None, None, None)
    assert str(drop) == (
        "drop 0.500 (50.0 %), 95% interval n/d (n=1), p n/d, n=1 "
        "(no interval: n=1; too few queries: n=1, a p-value needs 6)"
    )


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_f04_zero_variance_gives_an_interval_without_width(method):
    assert paired_drop([0.7] * 10, [0.7] * 10, seed=1, method=method).ci_high == 0.0
    alike = paired_drop([0.7] * 10, [0.4] * 10, seed=1, method=method)
    assert (alike.ci_low, alike.ci_high) == pytest.approx((0.3, 0.3))
    assert "every query changed alike: the interval has no width" in alike.notes
    assert alike.p_value == pytest.approx(2 / 2**10)


def test_f05_a_small_sample_is_marked_and_repeatable():
    drop = paired_drop([0.0, 1.0], [0.0, 0.0], seed=1)
    assert drop.notes == ("too few queries: n=2, a p-value needs 6", "small sample: n=2")
    assert (drop.n_queries, drop.p_value) == (2, None)
    assert drop == paired_drop([0.0, 1.0], [0.0, 0.0], seed=1)


@pytest.mark.parametrize(("lost", "warned"), [(1, True), (5, True), (6, False)])
def test_f05_an_interval_from_few_changes_is_marked(lost, warned):
    """It may exclude 0 although no test of so few changes can be significant."""
    drop = paired_drop([1.0] * 50, [0.0] * lost + [1.0] * (50 - lost), seed=1)
    assert any(note.startswith(f"only {lost} of 50 queries changed") for note in drop.notes) == warned
    assert drop.p_value == 2 / 2**lost


@pytest.mark.parametrize(("perturbed", "change"), [([0.0, 0.0], 0.0), ([0.2, 0.2], -0.2)])
def test_f06_baseline_zero(perturbed, change):
    drop = paired_drop([0.0, 0.0], perturbed, seed=1)
    assert (drop.drop, drop.drop_pct) == (pytest.approx(change), None)
    assert "baseline 0: no percentage" in drop.notes
    assert "null" in json.dumps(dataclasses.asdict(drop), allow_nan=False)


def test_f08_a_family_of_sixty_true_null_hypotheses():
    rng = np.random.default_rng(11)
    false_alarms = 0
    for table in range(40):
        clean, perturbed = rng.random((2, 60, 30))
        raw = [drop.p_value for drop in drops(clean, perturbed, seed=table, resamples=2000)]
        assert min(p for p in raw if p is not None) < 0.2
        adjusted = holm(raw)
        assert (adjusted.family_size, adjusted.method) == (60, "holm")
        false_alarms += any(p is not None and p < 0.05 for p in adjusted.p_values)
    # a family error rate of 5 %: 7 or more of 40 have a probability of 0.3 %
    assert false_alarms < 7
    assert benjamini_hochberg([0.01, None]).family_size == 1


def test_f09_the_query_is_the_unit_not_the_variant():
    rng = np.random.default_rng(2)
    scores = rng.integers(0, 2, 100).astype(float)
    means, present = average_variants(scores, np.repeat([0, 1], 50))
    assert present.all()
    assert means == pytest.approx([scores[:50].mean(), scores[50:].mean()])
    drop = paired_drop([1.0, 1.0], means, seed=1)
    assert (drop.n_queries, drop.n_units, drop.p_value) == (2, 2, None)


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
def test_f11_a_score_that_is_no_number_names_its_query(wrong):
    for clean, perturbed in (([1.0, wrong, 0.5], [1.0] * 3), ([1.0] * 3, [1.0, wrong, 0.5])):
        with pytest.raises(MeasureError, match="score of query 'q2'"):
            paired_drop(clean, perturbed, seed=1, query_ids=["q1", "q2", "q3"])
    with pytest.raises(MeasureError, match="score of variant 1 of query 7"):
        average_variants([1.0, wrong, 0.5], [7, 7, 7])


@pytest.mark.parametrize(("perturbed", "text"), [(0.55, "-0.050"), (0.5000001, "0.000"), (0.4, "0.100")])
def test_f12_a_gain_is_negative_and_a_rounded_zero_has_no_sign(perturbed, text):
    drop = paired_drop([0.5] * 8, [perturbed] * 8, seed=1)
    assert shown(drop.drop) == text
    assert str(drop).startswith(f"drop {text} (")
    assert "-0.000" not in str(drop)


def test_f12_no_figure_is_minus_zero():
    for clean, perturbed in (([-0.0] * 8, [0.0] * 8), ([0.0] * 8, [-0.0] * 8), ([0.5, 0.5] * 8, [0.4, 0.6] * 8)):
        drop = paired_drop(clean, perturbed, seed=1)
        figures = [drop.drop, drop.drop_pct, drop.ci_low, drop.ci_high]
        assert not any(figure == 0 and math.copysign(1, figure) < 0 for figure in figures if figure is not None)


@pytest.mark.parametrize(("value", "text"), [(None, "n/d"), (math.nan, "n/d"), (-0.0004, "0.000"), (-0.0006, "-0.001")])
def test_figures_for_people(value, text):
    assert shown(value) == text
