import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.golden_sets import write_golden_set

TESTS = """
def test_row(perturb_report):
    row = perturb_report.row("bm25", "typo", "mrr@10")
    assert row.n_queries == 6
    assert row == perturb_report.find("bm25", "typo", "mrr@10")


def test_gate(perturb_report):
    assert perturb_report.gate.passed


def test_the_report_is_made_once(perturb_report):
    import json, pathlib
    out = pathlib.Path(__file__).parent / "out"
    assert (out / "report.html").exists()
    assert json.loads((out / "run.json").read_text())["command"] == "pytest"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_golden_set(tmp_path / "office")
    (tmp_path / "perturb.toml").write_text(
        'golden_set = "office"\nmodels = ["bm25"]\nperturbations = ["typo"]\nmeasures = ["mrr@10"]\nresamples = 300\n'
        'out = "out"\n[gate]\nmax_drop = 1.0\n',
        encoding="utf-8",
    )
    (tmp_path / "test_retrieval.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    return tmp_path


def _pytest(project: Path, *options: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run pytest as another project would, with this plugin and no other."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    call = [sys.executable, "-m", "pytest", "-p", "perturb.pytest_plugin", "-p", "no:cacheprovider", "-q", *options]
    return subprocess.run([*call, str(project)], cwd=cwd or project, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("how", ["beside the configuration", "option", "setting"])
def test_the_report_is_a_fixture(project: Path, how: str) -> None:
    options: tuple[str, ...] = ()
    if how == "option":
        (project / "perturb.toml").rename(project / "other.toml")
        options = ("--perturb-config", "other.toml")
    elif how == "setting":
        (project / "perturb.toml").rename(project / "third.toml")
        (project / "pytest.ini").write_text("[pytest]\nperturb_config = third.toml\n", encoding="utf-8")
    found = _pytest(project, *options)
    assert "3 passed" in found.stdout, found.stdout + found.stderr


def test_a_shut_gate_fails_only_the_test_that_asks(project: Path) -> None:
    config = project / "perturb.toml"
    config.write_text(
        config.read_text(encoding="utf-8").replace("max_drop = 1.0", "min_clean = 1.0\nmeasure = 'mrr@10'")
    )
    (project / "office" / "queries.jsonl").write_text(
        (project / "office" / "queries.jsonl")
        .read_text(encoding="utf-8")
        .replace("termin płatności faktury", "korekta"),
        encoding="utf-8",
    )
    found = _pytest(project)
    assert "1 failed, 2 passed" in found.stdout, found.stdout + found.stderr


def test_a_missing_file_fails_in_one_line(project: Path) -> None:
    found = _pytest(project, "--perturb-config", "nowhere.toml")
    assert "nowhere.toml: no such file" in found.stdout and "Traceback" not in found.stdout
    assert found.stdout.count("nowhere.toml: no such file") >= 1 and "3 errors" in found.stdout


def test_importing_the_plugin_loads_nothing_else() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import perturb.pytest_plugin; "
        "print(sorted(m for m in set(sys.modules) - before if not m.startswith('__')))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "['perturb', 'perturb.pytest_plugin']"


def test_the_plugin_is_announced() -> None:
    import tomllib

    root = Path(__file__).resolve().parent.parent
    with (root / "pyproject.toml").open("rb") as stream:
        points = tomllib.load(stream)["project"]["entry-points"]["pytest11"]
    assert points == {"perturb": "perturb.pytest_plugin"}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('"no-such-model", "typo", "mrr@10"', "no model 'no-such-model'; it has: bm25"),
        ('"bm25", "case", "mrr@10"', "no perturbation 'case' for model 'bm25'; it has: typo"),
        ('"bm25", "typo", "recall@5"', "no measure 'recall@5' for model 'bm25', perturbation 'typo'; it has: mrr@10"),
    ],
)
def test_a_row_that_is_not_there_is_told_and_the_report_is_not_dumped(project: Path, call: str, message: str) -> None:
    tests = f"def test_row(perturb_report):\n    perturb_report.row({call})\n"
    (project / "test_retrieval.py").write_text(tests, encoding="utf-8")
    shown = _pytest(project).stdout
    assert message in shown
    assert "perturb_report = <perturb report: " in shown
    assert "Evaluation(" not in shown
    assert len(shown) < 3000
