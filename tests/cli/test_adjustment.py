"""The correction for many tests: Holm, or Benjamini and Hochberg, wherever p-values are corrected."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from scipy import stats

from perturb.cli import main
from perturb.evaluation import DropRow
from perturb.report.csv_files import read_drops
from tests.golden_sets import write_golden_set

_PERTURBATIONS = "diacritics,typo,case,query_form"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    words = ("żądanie", "ścieżka", "łącze", "gęś", "źródło", "ćwiczenie", "świadectwo", "książka", "późno", "usługa")
    queries = {f"q{n}": word if n % 2 else f"{word} numer{n}" for n, word in enumerate(words)}
    documents = {f"d{n}": f"{word} numer{n} oraz reszta" for n, word in enumerate(words)}
    return write_golden_set(
        tmp_path_factory.mktemp("office"), documents, queries, [(f"q{n}", f"d{n}", 1) for n in range(10)]
    )


def _run(office: Path, out: Path, *options: str) -> int:
    how = ("--models", "bm25,bm25-lemma", "--perturbations", _PERTURBATIONS, "--measures", "mrr@10,recall@5")
    return main(["run", str(office), *how, "--resamples", "200", "--out", str(out), "--quiet", *options])


def _tested(out: Path) -> list[DropRow]:
    return [row for row in read_drops(out / "drops.csv") if row.kind == "all" and row.p_value is not None]


def test_the_correction_is_used_and_named_everywhere(
    office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(office, tmp_path / "holm") == 0 and "after Holm" in capsys.readouterr().out
    assert _run(office, tmp_path / "bh", "--adjustment", "bh") == 0
    assert "after Benjamini-Hochberg" in capsys.readouterr().out
    rows, before = (_tested(tmp_path / name) for name in ("bh", "holm"))
    expected = stats.false_discovery_control([row.p_value for row in rows if row.p_value is not None], method="bh")
    assert [row.p_adjusted for row in rows] == pytest.approx(expected, abs=2e-6)
    assert [row.p_value for row in before] == [row.p_value for row in rows]
    assert [row.p_adjusted for row in before] != [row.p_adjusted for row in rows]
    for name in ("report.html", "report.md"):
        text = (tmp_path / "bh" / name).read_text(encoding="utf-8")
        assert "Benjamini-Hochberg correction" in text and "Holm" not in text
        assert "Benjamini" not in (tmp_path / "holm" / name).read_text(encoding="utf-8")
    record = json.loads((tmp_path / "bh" / "run.json").read_text(encoding="utf-8"))
    assert record["settings"]["adjustment"] == "bh"
    assert main(["compare", str(tmp_path / "holm"), str(tmp_path / "bh"), "--out", str(tmp_path / "c")]) == 0
    assert "Benjamini-Hochberg correction over all" in (tmp_path / "c" / "compare.md").read_text(encoding="utf-8")
    assert main(["report", str(tmp_path / "bh"), "--adjustment", "holm"]) == 0
    assert (tmp_path / "bh" / "drops.csv").read_bytes() == (tmp_path / "holm" / "drops.csv").read_bytes()


def test_the_correction_may_stand_in_the_settings(
    office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "perturb.toml"
    config.write_text(
        f'golden_set = "{office}"\nmodels = ["bm25"]\nperturbations = ["typo"]\nadjustment = "bh"\nresamples = 100\n'
        f'out = "{tmp_path / "out"}"\n',
        encoding="utf-8",
    )
    assert main(["run", str(config), "--quiet"]) == 0
    assert "after Benjamini-Hochberg" in capsys.readouterr().out
    assert main(["run", str(config), "--quiet", "--adjustment", "bonferroni"]) == 2
    error = capsys.readouterr().err
    assert "adjustment = 'bonferroni': choose holm" in error and error.count("\n") == 1


def test_cells_csv_lies_beside_drops_csv(office: Path, tmp_path: Path) -> None:
    assert _run(office, tmp_path / "out") == 0
    with (tmp_path / "out" / "cells.csv").open(encoding="utf-8", newline="") as lines:
        cells = list(csv.DictReader(lines))
    rows = read_drops(tmp_path / "out" / "drops.csv")
    assert [tuple(cell[key] for key in ("model", "perturbation", "kind", "measure")) for cell in cells] == [
        (row.model, row.perturbation, row.kind, row.measure) for row in rows
    ]
    for cell, row in zip(cells, rows, strict=True):
        assert int(cell["losses"]) + int(cell["ties"]) + int(cell["wins"]) == row.n_queries == int(cell["n_units"])
