import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from perturb.traffic.estimates import Confusion, corrected, wilson

ERRORS = Confusion(("clean", "noisy"), np.array([[950.0, 50.0], [160.0, 640.0]]), ("clean",))


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_that_of_scipy(counts: tuple[int, int]) -> None:
    count, n = counts
    expected = binomtest(count, n).proportion_ci(method="wilson")
    found = wilson(count / n, n)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert found.low <= found.estimate <= found.high


def test_no_query_tells_nothing() -> None:
    assert (wilson(0.0, 0).low, wilson(0.0, 0).high) == (0.0, 1.0)


@pytest.mark.parametrize("true", [0.0, 0.05, 0.3, 0.9, 1.0])
def test_two_classes_are_corrected_as_by_rogan_and_gladen(true: float) -> None:
    sensitivity, false_positives = 0.8, 0.05
    seen = true * sensitivity + (1 - true) * false_positives
    formula = (seen - false_positives) / (sensitivity - false_positives)
    found = corrected(np.array([1 - seen, seen]), 500, ERRORS, 1).share("noisy")
    assert found.estimate == pytest.approx(formula, abs=2e-3)
    assert found.low <= true + 1e-9
    assert true - 1e-9 <= found.high


def test_fewer_hits_than_false_alarms_are_no_noise() -> None:
    found = corrected(np.array([0.98, 0.02]), 200, ERRORS, 1).share("noisy")
    assert 0 <= found.low <= found.estimate < 0.01 < found.high < 0.1


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(5)
    rates = np.array([[0.96, 0.03, 0.01], [0.2, 0.7, 0.1], [0.1, 0.05, 0.85]])
    true = np.array([0.8, 0.15, 0.05])
    held = np.zeros(3)
    for seed in range(100):
        confusion = Confusion(
            ("a", "b", "c"), np.array([rng.multinomial(200, row) for row in rates], np.float64), ("a",)
        )
        seen = rng.multinomial(400, true @ rates) / 400
        found = corrected(seen, 400, confusion, seed)
        for place, name in enumerate("abc"):
            share = found.share(name)
            held[place] += share.low <= true[place] <= share.high
    assert (held >= 90).all(), held


def test_the_same_seed_gives_the_same_interval_and_shares_of_parts_fit() -> None:
    seen = np.array([0.7, 0.3])
    one, other = corrected(seen, 300, ERRORS, 7), corrected(seen, 300, ERRORS, 7)
    assert one.share("noisy") == other.share("noisy")
    assert one.share("clean", "noisy").estimate == pytest.approx(1)
    assert one.share("noisy", of=("noisy",)).estimate == pytest.approx(1)


def test_a_detector_that_sees_nothing_gives_a_wide_interval() -> None:
    blind = Confusion(("clean", "noisy"), np.array([[50.0, 50.0], [50.0, 50.0]]))
    found = corrected(np.array([0.5, 0.5]), 100, blind, 1).share("noisy")
    assert found.high - found.low > 0.5
