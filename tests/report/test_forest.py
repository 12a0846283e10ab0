"""The forest plot: every mark at its place, or an arrow that says that the place is off the axis."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from perturb.evaluation import drops
from perturb.report.forest import forest_plot
from perturb.report.tables import Report
from perturb.significance import Resampling
from tests.tiny_evaluation import tiny_evaluation

QUERIES = {f"q{n:02}": f"umowa{n}" for n in range(20)}


def _drawn(*rows: tuple[str, float, float, float, int]) -> str:
    """A plot of rows: perturbation, drop, limits of its interval, queries."""
    variants = [(q, name, f"{q} {name}") for name, *_ in rows for q in QUERIES]
    scores = {"m": {"recall@1": [1.0] * (len(QUERIES) + len(variants))}}
    evaluation = tiny_evaluation(QUERIES, variants, scores=scores)
    given = {name: figures for name, *figures in rows}
    table = []
    for row in drops(evaluation, Resampling(1, 100)):
        drop, low, high, n = given[row.perturbation]
        table.append(replace(row, drop=drop, ci_low=low, ci_high=high, n_queries=n))
    return forest_plot(Report(evaluation, tuple(table), (), ()))


def _group(svg: str, perturbation: str) -> str:
    return next(g for g in re.findall(r"<g>.*?</g>", svg) if f"m, {perturbation}:" in g)


def _place(svg: str, value: float) -> float:
    """Where a value belongs, from two ticks."""
    ticks = {
        float(text.replace("−", "-")): float(x)
        for x, text in re.findall(r'<text x="([\d.]+)" y="\d+" text-anchor="middle">([^<]+)<', svg)
    }
    (a, at_a), (b, at_b) = sorted(ticks.items())[0], sorted(ticks.items())[-1]
    return at_a + (value - a) / (b - a) * (at_b - at_a)


@pytest.mark.parametrize(("drop", "tip"), [(0.9, "830.0"), (-0.9, "190.0")])
def test_a_point_off_the_axis_is_an_arrow(drop: float, tip: str) -> None:
    svg = _drawn(("typo", 0.05, 0.01, 0.1, 20), ("case", drop, drop - 0.05, drop + 0.05, 3))
    far = _group(svg, "case")
    assert "<circle" not in far and far.count('class="beyond"') == 3  # the point and both ends of its interval
    assert f'points="{tip},' in far
    near = _group(svg, "typo")
    assert "beyond" not in near
    assert float(re.search(r'cx="([\d.]+)"', near)[1]) == pytest.approx(_place(svg, 0.05), abs=0.2)


def test_an_interval_off_the_axis_has_an_arrow_and_its_point_its_place() -> None:
    svg = _drawn(("typo", 0.05, -0.02, 0.1, 20), ("case", 0.06, -0.5, 0.7, 4))
    wide = _group(svg, "case")
    assert wide.count('class="beyond"') == 2
    assert float(re.search(r'cx="([\d.]+)"', wide)[1]) == pytest.approx(_place(svg, 0.06), abs=0.2)
    assert "0.060" in wide and "(n = 4)" in wide


def test_where_all_fits_there_is_no_arrow() -> None:
    assert "beyond" not in _drawn(("typo", 0.5, 0.1, 0.9, 20), ("case", -0.2, -0.4, 0.0, 20))
    assert "beyond" not in _drawn(("typo", 0.9, 0.1, 1.0, 2))
