from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from perturb.evaluation.harm import harm
from perturb.report.harm_section import harm_section
from perturb.report.tables import Report
from perturb.significance import Resampling
from tests.tiny_evaluation import tiny_evaluation

RESAMPLING = Resampling(3, 2000)
N = 60


def _scores(losses: list[float]) -> list[float]:
    return [1.0] * N + [1.0 - loss for loss in losses]


def _queries() -> dict[str, str]:
    return {f"q{i}": f"zapytanie numer {i}" for i in range(N)}


def test_a_small_steady_drop_is_shown_to_be_harmless_and_a_large_one_is_not() -> None:
    variants = [(f"q{i}", "typo", f"zapytanie numre {i}") for i in range(N)]
    small, large = [0.005 + 0.001 * (i % 5) for i in range(N)], [0.2 * (i % 2) for i in range(N)]
    evaluation = tiny_evaluation(
        _queries(), variants, scores={"calm": {"recall@1": _scores(small)}, "weak": {"recall@1": _scores(large)}}
    )
    found = harm(evaluation, RESAMPLING)
    assert found.harmless["calm", "typo"].no_larger
    assert not found.harmless["weak", "typo"].no_larger
    # The upper limit is that of a one-sided 95 % t interval, within the noise of resampling.
    upper = found.harmless["weak", "typo"].ci_high
    expected = np.mean(large) + stats.t.ppf(0.95, N - 1) * stats.sem(large)
    assert upper == pytest.approx(expected, abs=0.004)
    section = harm_section(Report(evaluation, (), (), (), harm=found))
    assert section is not None
    assert section.sentences[0] == "calm: shown to cost less than 0.02 recall@1: typo."
    assert section.sentences[1] == "weak: shown to cost less than 0.02 recall@1: none."
    assert harm_section(Report(evaluation, (), (), ())) is None


def test_the_slope_of_a_severity_curve_is_that_of_least_squares() -> None:
    variants, losses = [], []
    for i in range(N):
        for level in (1, 2, 3):
            variants.append((f"q{i}", "severity:typo", f"zapytanie{'x' * level} numer {i}"))
            losses.append(0.1 * level + 0.01 * (i % 3))
    evaluation = tiny_evaluation(_queries(), variants, scores={"m": {"recall@1": _scores(losses)}})
    kinds = [replace(v, kind=str(v.text.count("x"))) if v.edits else v for v in evaluation.variants]
    evaluation = replace(evaluation, variants=tuple(kinds))
    found = harm(evaluation, RESAMPLING)
    slope = found.slopes["m", "severity:typo"]
    expected = [
        stats.linregress([0, 1, 2, 3], [0.0, *(0.1 * level + 0.01 * (i % 3) for level in (1, 2, 3))]).slope
        for i in range(N)
    ]
    assert slope.value == pytest.approx(np.mean(expected))
    assert slope.n_queries == N
    section = harm_section(Report(evaluation, (), (), (), harm=found))
    assert section is not None
    assert section.tables[1].rows[0][:2] == ("m", "severity:typo")
