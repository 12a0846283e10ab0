import csv
import json
import shutil
from pathlib import Path

import pytest

from perturb.cli.main import main
from perturb.golden.goldenset import load_golden_set
from perturb.suite import read_suite
from tests.golden_sets import write_golden_set


@pytest.fixture
def variants(tmp_path: Path) -> Path:
    golden_set = write_golden_set(tmp_path / "office")
    path = tmp_path / "variants.jsonl"
    assert main(["generate", str(golden_set), "--perturbations", "typo", "--out", str(path), "--quiet"]) == 0
    return path


@pytest.mark.parametrize(
    ("sheet", "options", "sep"), [("s.tsv", (), "\t"), ("s.csv", (), ","), ("s.csv", ("--sep", ";", "--bom"), ";")]
)
def test_a_person_reviews_a_suite(
    variants: Path, tmp_path: Path, sheet: str, options: tuple[str, ...], sep: str
) -> None:
    path, out = tmp_path / sheet, tmp_path / "accepted.jsonl"
    assert main(["review", str(variants), "--export", str(path), *options]) == 0
    assert path.read_bytes().startswith(b"\xef\xbb\xbf") == ("--bom" in options)
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter=sep))
    rows[0]["decision"], rows[1]["decision"] = "tak", "nie"
    rows[2]["decision"], rows[2]["edited_text"] = "popraw", "wystawic fakture korygujaca"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0], delimiter=sep)
        writer.writeheader()
        writer.writerows(rows)
    assert main(["review", str(variants), "--decisions", str(path), "--out", str(out)]) == 0
    accepted = read_suite(out)
    assert len(accepted.variants) == len(read_suite(variants).variants) - 1
    assert accepted.header["review"]["edited"] == 1
    assert any(variant.text == "wystawic fakture korygujaca" for variant in accepted.variants)
    assert main(["review", str(variants), "--decisions", str(path), "--out", str(out), "--only-decided"]) == 0
    assert len(read_suite(out).variants) == 6 + 2
    report = tmp_path / "report"
    evaluate = ["evaluate", str(tmp_path / "office"), str(out), "--models", "bm25", "--resamples", "100", "--quiet"]
    assert main([*evaluate, "--out", str(report)]) == 0
    assert json.loads((report / "run.json").read_text(encoding="utf-8"))["suite"]["review"]["accepted"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "either --export SHEET, or --decisions"),
        (("--export", "a.tsv", "--decisions", "b.tsv"), "either --export SHEET, or --decisions"),
        (("--export", "a.tsv", "--out", "b.jsonl"), "belong to --decisions"),
        (("--decisions", "a.tsv"), "needs --out"),
        (("--decisions", "a.tsv", "--out", "b.jsonl", "--bom"), "belong to --export"),
        (("--decisions", "a.tsv", "--out", "b.jsonl"), "a.tsv: cannot be read"),
        (("--export", "a.tsv", "--sep", "abc"), "cannot separate"),
        (("--export", "a.tsv", "--sep", "|"), "a review sheet uses"),
        (("--export", "variants.jsonl"), "is there already"),
    ],
)
def test_mistakes_end_in_one_line(
    variants: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(variants.parent)
    capsys.readouterr()
    assert main(["review", str(variants), *arguments]) == 2
    shown = capsys.readouterr().err
    assert message in shown
    assert shown.count("\n") == 1


def test_a_wrong_decision_names_its_line(variants: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "s.tsv"
    sheet.write_text("variant_id\tdecision\nx\tperhaps\n", encoding="utf-8")
    command = ["review", str(variants), "--decisions", str(sheet), "--out", str(tmp_path / "a.jsonl")]
    assert main(command) == 2
    assert "s.tsv:2: decision 'perhaps'" in capsys.readouterr().err
    sheet.write_text("variant_id\tdecision\nx\taccept\n", encoding="utf-8")
    assert main(command) == 2
    assert "no variant of this suite" in capsys.readouterr().err
    assert not (tmp_path / "a.jsonl").exists()


def test_split_parts_the_queries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "firma"
    shutil.copytree(load_golden_set("firma").path, folder)
    assert main(["split", str(folder), "--seed", "4", "--dev-share", "0.3"]) == 0
    shown = capsys.readouterr().out
    dev, test = (len(load_golden_set(str(folder), part=part).queries) for part in ("dev", "test"))
    assert f"{dev} queries in dev, {test} in test" in shown
    assert dev + test == 221
    assert 40 < dev < 95
    before = (folder / "split.tsv").read_bytes()
    assert main(["split", str(folder), "--seed", "4", "--dev-share", "0.3"]) == 0
    assert (folder / "split.tsv").read_bytes() == before


def test_split_leaves_the_bundled_set_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["split", "firma"]) == 2
    assert "is bundled" in capsys.readouterr().err
    assert main(["split", "firma", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "split.tsv").read_text(encoding="utf-8").startswith("query-id\tpart\n")
    assert main(["split", "firma", "--out", str(tmp_path / "s.tsv"), "--dev-share", "1.5"]) == 2
    assert "dev_share = 1.5" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert main(["split", "firma", "--out", str(tmp_path / "file" / "s.tsv")]) == 2
    assert "cannot be written" in capsys.readouterr().err
