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
