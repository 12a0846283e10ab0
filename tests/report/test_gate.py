import tomllib
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import pytest

from perturb.config import Settings
from perturb.errors import ConfigError, MeasureError, PerturbError
from perturb.evaluation import clean_scores, drops
from perturb.report.gate import GateCheck, GateResult, check_gate, read_gate
from perturb.report.gate_checks import sentence
from perturb.report.gate_files import gate_markdown, junit_xml
from perturb.report.tables import Report
from perturb.significance import Resampling
from tests.tiny_evaluation import tiny_evaluation

RESAMPLING = Resampling(7, 500)
QUERIES = {f"q{n}": f"pytanie {n}" for n in range(30)}


@pytest.fixture(scope="module")
def report() -> Report:
    """Model ``a``: clean 0.8, loses 0.1 to typo and gains 0.2 by case (one query); ``b`` loses nothing."""
    variants = [(q, "typo", f"{q} x") for q in QUERIES] + [("q0", "case", "q0 y")]
    scores = {
        "a": {"recall@5": [0.8] * 30 + [0.5, 0.9] * 15 + [1.0], "mrr@10": [0.4] * 61},
        "org/b": {"recall@5": [1.0] * 61, "mrr@10": [0.9] * 61},
    }
    evaluation = tiny_evaluation(
        QUERIES,
        variants,
        scores=scores,
        measures=("recall@5", "mrr@10"),
        asked=("typo", "case", "spelling"),
        failed={"c": "no weights"},
    )
    return Report(evaluation, drops(evaluation, RESAMPLING), clean_scores(evaluation, RESAMPLING), ())


def _checks(report: Report, toml: str) -> dict[tuple[str, str], GateCheck]:
    gate = read_gate(tomllib.loads(toml))
    assert gate is not None
    return {(check.model, check.perturbation or check.limit): check for check in check_gate(report, gate).checks}


@pytest.mark.parametrize(
    ("toml", "status"),
    [
        ("max_drop = 0.1", "pass"),  # the drop is 0.1, give or take rounding
        ("max_drop = 0.0999", "fail"),
        ('max_drop = 0.11\non = "bound"', "fail"),
        ('max_drop = 0.3\non = "bound"', "pass"),
        ("max_drop = 0.05\n[perturbation.typo]\nmax_drop = 0.2", "pass"),
        ("max_drop = 0.05\n[model.a]\nmax_drop = 0.2", "pass"),
        ("max_drop = 0.2\n[model.a]\nmax_drop = 0.2\n[perturbation.typo]\nmax_drop = 0.05", "fail"),
        ("[perturbation.typo]\nmax_drop = 0.05\n[model.a.perturbation.typo]\nmax_drop = 0.2", "pass"),
        ('max_drop = 0.05\nmeasure = "mrr@10"', "pass"),
        ('max_drop = 0.11\n[model.a]\non = "bound"', "fail"),
        ('max_drop = 0.05\n[model.a.perturbation.typo]\nmeasure = "RR@10"', "pass"),
    ],
)
def test_the_most_specific_limit_decides(report: Report, toml: str, status: str) -> None:
    check = _checks(report, toml)["a", "typo"]
    assert check.status == status
    assert check.found == pytest.approx(0.0 if check.measure == "mrr@10" else 0.1)


@pytest.mark.parametrize(
    ("toml", "a", "b"),
    [
        ("min_clean = 0.8", "pass", "pass"),
        ("min_clean = 0.9", "fail", "pass"),
        ('min_clean = 0.8\non = "bound"', "pass", "pass"),
        ('min_clean = 0.5\nmeasure = "mrr@10"', "fail", "pass"),
        ('min_clean = 0.9\n[model.a]\nmin_clean = 0.7\n[model."org/b"]\nmin_clean = 1.0', "pass", "pass"),
    ],
)
def test_clean_scores_have_a_floor(report: Report, toml: str, a: str, b: str) -> None:
    checks = _checks(report, toml)
    assert (checks["a", "min_clean"].status, checks["org/b", "min_clean"].status) == (a, b)
    assert not any(check.limit == "max_drop" for check in checks.values())


def test_the_lower_bound_of_a_clean_score_decides_on_bound() -> None:
    evaluation = tiny_evaluation(QUERIES, [], scores={"a": {"recall@5": [0.5, 0.9] * 15}}, measures=("recall@5",))
    report = Report(evaluation, (), clean_scores(evaluation, RESAMPLING), ())
    check = _checks(report, 'min_clean = 0.69\non = "bound"')["a", "min_clean"]
    assert check.status == "fail" and check.found == pytest.approx(0.7)
    assert check.ci_low is not None and check.ci_low < 0.69
    assert _checks(report, "min_clean = 0.69")["a", "min_clean"].status == "pass"


def test_a_model_that_could_not_run_fails_whatever_is_limited(report: Report) -> None:
    gate = read_gate({"max_drop": 1.0})
    assert gate is not None
    result = check_gate(report, gate)
    (failed,) = [check for check in result.checks if check.model == "c"]
    assert (failed.status, failed.limit, failed.name) == ("fail", "runs", "the model runs")
    assert "no weights" in failed.message
    assert not result.passed and result.stopping == (failed,)


def test_no_interval_is_undecided_and_shuts_the_gate_unless_told_otherwise(report: Report) -> None:
    bound = 'max_drop = 1.0\non = "bound"'
    check = _checks(report, bound)["a", "case"]
    assert check.status == "undecided" and "estimate" in check.message
    assert (check.ci_low, check.found) == (None, pytest.approx(-0.2))
    for extra, stopping in (("", 3), ('\nundecided = "report"', 1)):
        gate = read_gate(tomllib.loads(bound + extra))
        assert gate is not None
        assert len(check_gate(report, gate).stopping) == stopping


def test_a_perturbation_without_figures_is_skipped_or_undecided(report: Report) -> None:
    general = _checks(report, "max_drop = 0.5")["a", "spelling"]
    assert (general.status, general.found) == ("skipped", None)
    for toml in ("[perturbation.spelling]\nmax_drop = 0.5", "[model.a.perturbation.spelling]\nmax_drop = 0.5"):
        assert _checks(report, toml)["a", "spelling"].status == "undecided"


def test_an_empty_table_is_no_gate() -> None:
    assert read_gate({}) is None


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ("max_dropp = 1", "[gate] unknown key 'max_dropp'; did you mean 'max_drop'?"),
        ("zzz = 1", "known: max_drop"),
        ('max_drop = "x"', "[gate] max_drop = 'x': give points of the measure from 0 to 1"),
        ("max_drop = -0.1", "max_drop = -0.1"),
        ("max_drop = 5", "max_drop = 5: give points of the measure from 0 to 1"),
        ("max_drop = nan", "max_drop = nan"),
        ("max_drop = true", "max_drop = True"),
        ("max_drop = 0.1\nmin_clean = 60", "min_clean = 60: give a score from 0 to 1"),
        ('max_drop = 0.1\non = "bond"', '[gate] on = \'bond\': give "estimate" or "bound"'),
        ('max_drop = 0.1\nundecided = "maybe"', 'give "fail" or "report"'),
        ("max_drop = 0.1\nmeasure = 5", "measure = 5: give the name of a measure"),
        ('max_drop = 0.1\nmeasure = "recal@5"', "unknown measure 'recal@5'"),
        ("[perturbation]\ntypo = 0.1", "write limits in a table, such as [gate.perturbation.typo]"),
        ("perturbation = 3", "write limits in a table, such as [gate.perturbation.NAME]"),
        ("[perturbation.typo]\nmin_clean = 0.1", "[gate.perturbation.typo] unknown key 'min_clean'; known: max_drop"),
        ("[model.a]\nundecided = 'fail'", "[gate.model.a] unknown key 'undecided'"),
        ('on = "bound"', "sets neither max_drop nor min_clean"),
        ("max_drop = 2\nmin_clean = 3", "(1 more)"),
    ],
)
def test_a_wrong_gate_is_refused_in_one_line(toml: str, words: str) -> None:
    with pytest.raises(PerturbError) as error:
        read_gate(tomllib.loads(toml))
    assert words in str(error.value) and "\n" not in str(error.value)
    assert isinstance(error.value, ConfigError | MeasureError)
    with pytest.raises(PerturbError):
        Settings(golden_set="firma", gate=tomllib.loads(toml))


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"perturbation": {"tpyo": {"max_drop": 0.1}}}, "[gate.perturbation.tpyo]"),
        ({"model": {"bm52": {"max_drop": 0.1}}}, "[gate.model.bm52]"),
        ({"model": {"bm25": {"perturbation": {"tpyo": {"max_drop": 0.1}}}}}, "did you mean 'typo'"),
        ({"max_drop": 0.1, "measure": "map"}, "is not measured in this run; measured: recall@5"),
    ],
)
def test_limits_on_what_the_run_lacks_are_refused(table: Mapping[str, Any], words: str) -> None:
    gate = read_gate(table)
    assert gate is not None
    with pytest.raises(ConfigError) as error:
        gate.check_names(["bm25"], ["typo"], ["R@5"])
    assert words in str(error.value)


def test_limits_on_what_the_run_has_are_fine() -> None:
    gate = read_gate(
        {"measure": "R@5", "model": {"bm25": {"max_drop": 0.1, "perturbation": {"typo": {"on": "bound"}}}}}
    )
    assert gate is not None
    gate.check_names(["bm25"], ["typo"], ["recall@5"])


def test_junit_counts_and_escapes(report: Report) -> None:
    gate = read_gate(tomllib.loads('max_drop = 0.15\nmin_clean = 0.7\non = "bound"\nundecided = "report"'))
    assert gate is not None
    result = check_gate(report, gate)
    root = ElementTree.fromstring(junit_xml(result))
    suites = root.findall("testsuite")
    assert [suite.get("name") for suite in suites] == ["a", "org/b", "c"]
    assert root.get("tests") == str(len(result.checks)) == str(len(root.findall(".//testcase")))
    assert root.get("failures") == str(len(result.stopping)) == str(len(root.findall(".//failure")))
    assert root.get("skipped") == str(len(root.findall(".//skipped"))) != "0"
    for suite in suites:
        assert suite.get("tests") == str(len(suite.findall("testcase")))
        assert suite.get("failures") == str(len(suite.findall("testcase/failure")))


def test_junit_survives_what_xml_forbids() -> None:
    check = GateCheck('a<\x00\ud800>&"', "", "", "runs", None, None, None, None, "estimate", "fail", "\x1b[31m")
    root = ElementTree.fromstring(junit_xml(GateResult((check,))))
    assert root.find("testsuite").get("name") == 'a<\ufffd\ufffd>&"'


def test_markdown_shows_failures_first_and_folds_what_passed(report: Report) -> None:
    gate = read_gate({"max_drop": 0.05, "min_clean": 0.5})
    assert gate is not None
    result = check_gate(report, gate)
    text = gate_markdown(result)
    assert text.startswith("## Gate FAILED: ")
    shown, folded = text.split("<details>")
    assert shown.index("| FAIL | a ") < shown.index("| skipped |")
    assert "| pass |" in folded and "| FAIL |" not in folded
    assert text.count("\n| ") == len(result.checks) + 2


def test_an_open_gate_says_so() -> None:
    check = GateCheck("a", "typo", "recall@5", "max_drop", 0.1, 0.05, 0.0, 0.1, "estimate", "pass", "at most 0.1")
    assert sentence(GateResult((check,))) == "Gate passed: 1 check, 1 pass."
    assert "<details>" in gate_markdown(GateResult((check,)))
    assert sentence(GateResult(())) == "The gate had nothing to check."


@pytest.mark.parametrize(("limit", "status"), [(0.08, "fail"), (0.12, "pass")])
def test_a_bound_does_not_pass_what_nothing_shows(report: Report, limit: float, status: str) -> None:
    # Model org/b loses nothing to typo on 30 queries: up to 11.6 % of such queries may still be lost.
    check = _checks(report, f'max_drop = {limit}\non = "bound"')["org/b", "typo"]
    assert (check.status, check.found, check.ci_high) == (status, 0.0, 0.0)
    assert "0 of 30 queries show no more" in check.message and "0.116" in check.message
    assert _checks(report, f"max_drop = {limit}")["org/b", "typo"].status == "pass"


@pytest.mark.parametrize(("limit", "status"), [(0.95, "fail"), (0.85, "pass")])
def test_perfect_scores_are_no_proof_of_perfection(report: Report, limit: float, status: str) -> None:
    check = _checks(report, f'min_clean = {limit}\non = "bound"')["org/b", "min_clean"]
    assert check.status == status and "0.884" in check.message


def test_a_bound_on_few_changed_queries_is_no_closer_than_on_none() -> None:
    variants = [(q, "typo", f"{q} x") for q in QUERIES]
    lost = [1.0] * 30 + [0.99] * 2 + [1.0] * 28
    evaluation = tiny_evaluation(
        QUERIES, variants, scores={"a": {"recall@5": lost}}, measures=("recall@5",), asked=("typo",)
    )
    few = Report(evaluation, drops(evaluation, RESAMPLING), clean_scores(evaluation, RESAMPLING), ())
    assert _checks(few, 'max_drop = 0.05\non = "bound"')["a", "typo"].status == "fail"
    assert _checks(few, "max_drop = 0.05")["a", "typo"].status == "pass"
