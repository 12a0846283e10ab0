"""Rankings made elsewhere that lack the original of a query: it counts 0, and its variants look like a gain."""

from __future__ import annotations

from pathlib import Path

import pytest

from perturb.cli import main
from tests.golden_sets import write_golden_set

N = 30


@pytest.fixture
def made(tmp_path: Path) -> tuple[Path, Path, list[str]]:
    """A golden set of thirty queries, variants of them, and a perfect run, line by line."""
    queries = {f"q{n:02}": f"wniosek numer{n}" for n in range(N)}
    documents = {f"d{n:02}": f"wniosek numer{n} opis" for n in range(N)}
    folder = write_golden_set(tmp_path / "set", documents, queries, [(f"q{n:02}", f"d{n:02}", 1) for n in range(N)])
    how = ["--models", "bm25", "--perturbations", "case", "--resamples", "100", "--quiet", "--measures", "recall@1"]
    assert main(["run", str(folder), "--out", str(tmp_path / "out"), *how]) == 0
    lines = (tmp_path / "out" / "runs" / "bm25.trec").read_text(encoding="utf-8").splitlines(keepends=True)
    return folder, tmp_path / "out" / "variants.jsonl", lines


def _score(made: tuple[Path, Path, list[str]], out: Path, without: set[str]) -> int:
    folder, variants, lines = made
    out.mkdir()
    run = out / "elsewhere.trec"
    run.write_text("".join(line for line in lines if line.split()[0] not in without), encoding="utf-8")
    measures = ["--measures", "recall@1", "--resamples", "100"]
    return main(["score", str(folder), str(variants), str(run), "--out", str(out / "report"), *measures])


@pytest.mark.parametrize("lost", [{"q07"}, {"q07", "q21"}, {f"q{n:02}" for n in range(12)}])
def test_a_missing_original_is_named_whatever_the_share(
    made: tuple[Path, Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str], lost: set[str]
) -> None:
    assert {"q07", "q21"} <= {line.split()[0] for line in made[2]}
    assert _score(made, tmp_path / "s", lost) == 0
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "elsewhere: nothing is ranked for the original of" in error
    assert all(query_id in error for query_id in sorted(lost)[:10])
    for name in ("report.md", "report.html"):
        text = (tmp_path / "s" / "report" / name).read_text(encoding="utf-8")
        assert "looks like a gain" in text and sorted(lost)[0] in text


def test_a_complete_run_is_not_suspected(
    made: tuple[Path, Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert _score(made, tmp_path / "s", set()) == 0
    assert capsys.readouterr().err == ""
    # A query without any ranking, its variants included, shows no gain.
    gone = {line.split()[0] for line in made[2] if line.startswith("q07")}
    assert _score(made, tmp_path / "t", gone) == 0
    assert capsys.readouterr().err == ""
