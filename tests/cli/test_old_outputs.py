"""A run into the folder of an earlier one: whatever stops it, no file of the old run stands beside one of the new."""

from __future__ import annotations

from pathlib import Path

import pytest

from perturb.api import previous
from perturb.cli import main
from perturb.retrieval import lexical
from tests.golden_sets import write_golden_set


def _run(office: Path, out: Path, seed: int, *options: str) -> int:
    how = ("--models", "bm25,bm25-lemma", "--perturbations", "typo", "--resamples", "100", "--quiet")
    return main(["run", str(office), *how, "--seed", str(seed), "--out", str(out), *options])


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".resume" not in path.parts
    }


def test_a_run_killed_over_an_earlier_one_leaves_no_old_report_beside_new_variants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office, out = write_golden_set(tmp_path / "set"), tmp_path / "out"
    assert _run(office, out, 1, "--max-drop", "1", "--csv-dialect", "excel-pl") == 0
    (out / "mine.txt").write_text("notes", encoding="utf-8")
    before = _files(out)
    assert {"gate.md", "drops.excel.csv", "cells.csv", "report.html"} <= set(before)
    search = lexical.BM25Retriever.search

    def killed(self: lexical.BM25Retriever, *arguments: object) -> object:
        if self.name == "bm25-lemma":
            raise KeyboardInterrupt
        return search(self, *arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(lexical.BM25Retriever, "search", killed)
        assert _run(office, out, 2) != 0
    now = _files(out)
    assert {name for name in now if not name.startswith("previous")} == {"variants.jsonl", "mine.txt"}
    assert _files(out / "previous") == {name: text for name, text in before.items() if name != "mine.txt"}
    assert main(["report", str(out)]) == 2
    assert main(["report", str(out / "previous")]) == 0
    assert list((out / ".resume").iterdir())  # the first model is not asked again
    assert _run(office, out, 2) == 0
    assert _run(office, tmp_path / "fresh", 2) == 0
    again, fresh = _files(out), _files(tmp_path / "fresh")
    assert set(again) - {"mine.txt"} == set(fresh) and again["drops.csv"] == fresh["drops.csv"]
    assert not (out / ".resume").exists()


def test_what_a_run_that_never_finished_left_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    for name in ("drops.csv", "report.md", "runs/bm25.trec", "mine.txt"):
        (tmp_path / name).write_text("old", encoding="utf-8")
    (tmp_path / "previous").mkdir()
    (tmp_path / "previous" / "run.json").write_text("{}", encoding="utf-8")
    previous.set_aside(tmp_path)
    assert set(_files(tmp_path)) == {"mine.txt", "previous/run.json"}
    previous.forget(tmp_path)
    assert set(_files(tmp_path)) == {"mine.txt"}


def test_a_wrong_setting_moves_nothing(tmp_path: Path) -> None:
    office, out = write_golden_set(tmp_path / "set"), tmp_path / "out"
    assert _run(office, out, 1) == 0
    before = _files(out)
    assert _run(office, out, 2, "--measures", "recal@5") == 2
    assert _files(out) == before


def test_a_run_that_is_refused_puts_the_earlier_one_back(tmp_path: Path) -> None:
    office, out = write_golden_set(tmp_path / "set"), tmp_path / "out"
    assert _run(office, out, 1) == 0
    before = _files(out)
    qrels = office / "qrels.tsv"
    qrels.write_text(qrels.read_text(encoding="utf-8").replace("\t3\n", "\t300\n"), encoding="utf-8")
    assert _run(office, out, 2, "--measures", "ndcg_exp@10") == 2
    assert _files(out) == before
    assert _run(office, tmp_path / "new", 2, "--measures", "ndcg_exp@10") == 2
    assert set(_files(tmp_path / "new")) == {"variants.jsonl"}


@pytest.mark.parametrize("command", ["evaluate", "score"])
def test_rankings_stand_beside_the_variants_they_are_of(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    office, out = write_golden_set(tmp_path / "set"), tmp_path / "out"
    assert _run(office, out, 1) == 0
    lines = (out / "variants.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    reviewed = tmp_path / "reviewed.jsonl"
    reviewed.write_text("".join(lines[:-1]), encoding="utf-8")  # one variant was thrown out
    rankings = tmp_path / "bm25.trec"
    rankings.write_text(
        "".join(
            line
            for line in (out / "runs" / "bm25.trec").read_text(encoding="utf-8").splitlines(keepends=True)
            if line.split()[0] not in lines[-1]
        ),
        encoding="utf-8",
    )
    how = [str(rankings)] if command == "score" else ["--models", "bm25", "--quiet"]
    assert main([command, str(office), str(reviewed), *how, "--resamples", "100", "--out", str(out)]) == 0
    assert (out / "variants.jsonl").read_text(encoding="utf-8") == reviewed.read_text(encoding="utf-8")
    drops = (out / "drops.csv").read_bytes()
    assert main(["report", str(out)]) == 0
    assert (out / "drops.csv").read_bytes() == drops
    assert not (out / "previous").exists()


def test_a_depth_below_a_measure_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    office, out = write_golden_set(tmp_path / "set"), tmp_path / "out"
    assert _run(office, out, 1) == 0
    before = _files(out)
    assert _run(office, out, 1, "--depth", "3", "--measures", "recall@5,mrr@10") == 2
    assert "mrr@10 needs 10 documents" in capsys.readouterr().err
    assert _files(out) == before


def test_runs_of_another_depth_are_compared_with_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    office = write_golden_set(tmp_path / "set")
    for name, depth in (("a", "10"), ("b", "15")):
        assert _run(office, tmp_path / name, 1, "--depth", depth) == 0
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 0
    assert "depth of retrieval differs: 10 → 15" in "".join(capsys.readouterr())
