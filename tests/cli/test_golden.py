from pathlib import Path

import pytest

from perturb.cli.main import main
from perturb.golden.goldenset import load_golden_set
from tests.golden_sets import in_cp1250, write_golden_set


def test_a_good_golden_set_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "firma"]) == 0
    shown = capsys.readouterr().out
    assert "0 errors" in shown
    assert "200 documents, 221 queries" in shown


def test_findings_come_with_file_and_line_and_exit_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden_set = write_golden_set(tmp_path, queries={"q1": "umowa"}, qrels=[("q1", "d1", 1), ("q1", "gone", 1)])
    assert main(["check", str(golden_set)]) == 1
    assert "qrels.tsv:3:" in capsys.readouterr().out
    assert main(["check", str(tmp_path / "none")]) == 2


def test_extend_writes_a_golden_set_that_loads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden_set = write_golden_set(tmp_path / "g")
    variants = tmp_path / "variants.jsonl"
    assert main(["generate", str(golden_set), "--perturbations", "typo,diacritics", "--out", str(variants)]) == 0
    extend = ["extend", str(golden_set), str(variants), "--out", str(tmp_path / "bigger")]
    assert main(extend) == 0
    assert "6 queries and" in capsys.readouterr().out
    bigger = load_golden_set(tmp_path / "bigger")
    assert len(bigger.queries) > 20
    variant = next(q for q in bigger.queries if q.query_id.startswith("q1::typo"))
    assert {(j.doc_id, j.grade) for j in bigger.judgements if j.query_id == variant.query_id} == {("d1", 3), ("d2", 1)}
    assert bigger.query_metadata[variant.query_id]["parent"] == "q1"
    assert main(extend) == 2
    assert "bigger" in capsys.readouterr().err


def test_what_was_brought_into_shape_on_loading_is_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_golden_set(
        tmp_path / "set", queries={"7": "z\u0307o\u0301łw", "q2": "urlop"}, qrels=[("7", "d1", 1), ("q2", "d2", 1)]
    )
    lines = (folder / "queries.jsonl").read_text(encoding="utf-8").replace('"7"', "7")
    (folder / "queries.jsonl").write_text(lines, encoding="utf-8")
    assert main(["check", str(folder)]) == 0
    shown = capsys.readouterr().out
    assert "note: ids written as numbers, read as text: 1" in shown
    assert "note: texts of queries brought to NFC or freed of invisible characters: 1" in shown


def test_numbers_and_nouns_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_golden_set(tmp_path / "one", queries={"q1": "umowa"}, qrels=[("q1", "d1", 1), ("q1", "d1", 1)])
    assert main(["check", str(folder)]) == 0
    shown = capsys.readouterr().out
    assert "1 query, 1 judgement; 0 queries cannot be scored" in shown
    assert "0 errors, 1 warning\n" in shown


def test_split_says_what_it_wrote_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_golden_set(tmp_path / "g")
    for out, written in (("parts", "parts/split.tsv"), ("own/mine.tsv", "own/mine.tsv")):
        assert main(["split", str(folder), "--out", str(tmp_path / out)]) == 0
        assert (tmp_path / written).is_file()
        shown = capsys.readouterr().out
        assert f"split: {tmp_path / written} (the part of each query; put it into the golden set" in shown
    assert main(["split", str(folder)]) == 0
    assert f"split: {folder / 'split.tsv'} (in the golden set, where --part finds it)" in capsys.readouterr().out


def test_extend_and_split_read_the_encodings_that_check_reads(tmp_path: Path) -> None:
    folder = in_cp1250(tmp_path / "g")
    how = ["--encoding", "cp1250", "--sep", "|"]
    assert main(["check", str(folder)]) == 1
    assert main(["check", str(folder), *how]) == 0
    assert main(["generate", str(folder), *how, "--out", str(tmp_path / "v.jsonl"), "--quiet"]) == 0
    assert main(["extend", str(folder), str(tmp_path / "v.jsonl"), *how, "--out", str(tmp_path / "e")]) == 0
    assert main(["split", str(folder), *how]) == 0
