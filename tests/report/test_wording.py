"""How figures are told: ties named, signs and digits right, one thing not called several."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from perturb.evaluation import Evaluation, clean_scores, drops, fragile_queries
from perturb.evaluation.harm import Harm
from perturb.evaluation.misses import MISS_CLASSES, MissClass
from perturb.evaluation.regression import Factor, Regression
from perturb.evaluation.why import Why, WhyRow
from perturb.report import html, markdown
from perturb.report.analysis import analysed
from perturb.report.console import show
from perturb.report.decision import decision
from perturb.report.harm_section import harm_section
from perturb.report.models_section import which_model
from perturb.report.tables import Report
from perturb.report.why_section import why_section
from perturb.significance import Equivalence, Resampling
from perturb.wording import percent_of
from tests.tiny_evaluation import tiny_evaluation

RESAMPLING = Resampling(7, 300)
QUERIES = {f"q{n:02}": f"umowa{n}" for n in range(30)}


def _report(evaluation: Evaluation, gate: dict[str, object] | None = None, **settings: object) -> Report:
    made = {"confidence": 0.95, "resamples": 300, **settings}
    rows = drops(evaluation, RESAMPLING)
    report = Report(evaluation, rows, clean_scores(evaluation, RESAMPLING), fragile_queries(evaluation), made)
    return analysed(report, RESAMPLING, gate or {})


@pytest.fixture(scope="module")
def report() -> Report:
    variants = [(q, "typo", f"{q} x") for q in QUERIES]
    return _report(tiny_evaluation(QUERIES, variants, scores={"m": {"recall@1": [1.0] * 50 + [0.0] * 10}}))


def _misses(**shares: float) -> str:
    named = {name: shares.get(name.replace(" ", "_").replace("-", "_"), 0.0) for name in MISS_CLASSES}
    misses = tuple(MissClass("m", name, share, 1, 9) for name, share in named.items())
    evaluation = tiny_evaluation({"q": "x"}, [("q", "typo", "y")], scores={"m": {"recall@1": [1.0, 0.0]}})
    row = WhyRow("m", "typo", 0.1, -0.07, None, 0, None, 0, None, 1.0, 1.0, "noun", 1.0)
    fit = Regression((Factor("f", 0.1, 0.0, 0.2, 0.1),), 0.0, -0.07, 9, 9)
    why = Why((row,), {"m": fit}, (), misses, "recall@1")
    section = why_section(Report(evaluation, (), (), (), why={"recall@1": why}))
    assert section is not None
    cells = [cell for table in section.tables for line in table.rows for cell in line]
    assert "−7 %" in cells and not any("-7" in cell for cell in cells)
    return section.sentences[-1]


def test_classes_that_tie_are_all_named() -> None:
    told = _misses(near_duplicate=1 / 3, same_topic=1 / 3, lexical_lure=1 / 3)
    assert "most often “near-duplicate” and “same topic” and “lexical lure” (33 % each)" in told
    assert "most often “same topic” (60 %)" in _misses(same_topic=0.6, other=0.4)


def test_nothing_overtakes_nothing() -> None:
    told = _misses(nothing_found=0.8, other=0.2)
    assert "the overtaker is most often “other” (20 %); nothing was found in its place in 80 %" in told
    assert _misses(nothing_found=1.0).endswith("(9 queries), nothing was found in its place in 100 %.")


def test_the_highest_model_is_told_from_others_by_the_paired_test() -> None:
    """The better model is so on every query that differs, though its interval reaches below the other's mean."""
    better = [1.0] * 20 + [0.0] * 10
    worse = [1.0] * 12 + [0.0] * 18
    scores = {"a": {"recall@1": better * 2}, "b": {"recall@1": worse * 2}}
    variants = [(q, "typo", f"{q} x") for q in QUERIES]
    found = _report(tiny_evaluation(QUERIES, variants, scores=scores))
    section = which_model(found)
    assert section is not None
    low = next(score.ci_low for score in found.clean if score.model == "a")
    assert low is not None and low > 12 / 30
    assert section.sentences[0] == "Highest on clean queries: a, recall@1 0.667."
    near = {"a": {"recall@1": better * 2}, "b": {"recall@1": [1.0] * 19 + [0.0] * 11 + better}}
    section = which_model(_report(tiny_evaluation(QUERIES, variants, scores=near)))
    assert section is not None and section.sentences[0].endswith("0.667; not told apart from b.")
    few = {"a": {"recall@1": [1.0, 1.0]}, "b": {"recall@1": [0.0, 0.0]}}
    section = which_model(_report(tiny_evaluation({"q": "x"}, [("q", "typo", "y")], scores=few)))
    assert section is not None and "too few queries to tell it from b" in section.sentences[0]


@pytest.mark.parametrize(
    ("high", "text"), [(0.02004, "0.0200"), (0.0203, "0.0203"), (0.019996, "0.019996"), (0.5, "0.500")]
)
def test_an_upper_limit_is_told_from_the_margin(report: Report, high: float, text: str) -> None:
    answer = Equivalence(0.02, 0.05, 0.0, high, high < 0.02, False)
    section = harm_section(replace(report, harm=Harm(0.02, {("m", "typo"): answer}, {})))
    assert section is not None
    shown, below = section.tables[0].rows[0][2:4]
    assert shown.startswith(text) and (below == "yes") == (high < 0.02)
    assert float(shown) != 0.02


@pytest.mark.parametrize(("confidence", "shown"), [(0.95, "95"), (0.9, "90"), (0.999, "99.9"), (0.9999, "99.99")])
def test_no_interval_is_a_hundred_per_cent(report: Report, confidence: float, shown: str) -> None:
    from rich.console import Console

    assert percent_of(confidence) == shown
    sure = replace(report, settings={**report.settings, "confidence": confidence})
    console = Console(file=io.StringIO(), width=140)
    show(sure, console)
    assert f"{shown} % interval" in console.file.getvalue()  # type: ignore[attr-defined]
    assert f"its {shown} % interval" in html.render(sure) and f"confidence {shown} %" in markdown.render(sure)


def test_one_thing_is_not_called_several() -> None:
    evaluation = tiny_evaluation({"q": "x"}, [("q", "typo", "y")], scores={"m": {"recall@1": [1.0, 0.0]}})
    single = _report(evaluation)
    told = html.render(single) + markdown.render(single) + " ".join(decision(single).sentences)
    for wrong in (" 1 queries", ">1 queries", "1 tests", "1 variants", "1 rows", "1 finer ones"):
        assert wrong not in told
    gated = decision(_report(evaluation, {"max_drop": 1}))
    assert gated.tables[0].title == "The one check of the gate"


def test_what_is_not_corrected_says_so(report: Report) -> None:
    section = harm_section(report)
    assert section is not None and "not corrected for the number of rows" in section.tables[0].caption
    page = html.render(report)
    assert "An interval that crosses zero is compatible with no drop at all; one that does not may still stand" in page
