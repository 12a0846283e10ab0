"""Inputs that broke comparable tools, run from golden set to report; the ids are those of the case collection."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from perturb.cli.main import main
from tests.golden_sets import write_golden_set

Texts = dict[str, str]
Finished = tuple[Path, str, str]
Play = Callable[..., Finished]


@pytest.fixture
def play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Play:
    """Run a golden set with BM25; gives the output folder, report.md and what was printed."""

    def call(
        documents: Texts, queries: Texts, qrels: list[tuple[str, str, int]], *options: str, exit_code: int = 0
    ) -> Finished:
        folder, out = write_golden_set(tmp_path / "g", documents, queries, qrels), tmp_path / "out"
        command = ["run", str(folder), "--models", "bm25", "--resamples", "200", "--out", str(out), "--quiet"]
        rules = [] if "--perturbations" in options else ["--perturbations", "diacritics,typo"]
        assert main([*command, *rules, *options]) == exit_code
        printed = capsys.readouterr()
        report = (out / "report.md").read_text(encoding="utf-8") if exit_code == 0 else ""
        return out, report, printed.out + printed.err

    return call


def drop_rows(out: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((out / "drops.csv").read_text(encoding="utf-8").splitlines()))


def variant_texts(out: Path) -> list[str]:
    return [json.loads(line)["text"] for line in (out / "variants.jsonl").read_text(encoding="utf-8").splitlines()[1:]]


def trec(out: Path) -> list[list[str]]:
    return [line.split() for line in (out / "runs" / "bm25.trec").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("query_id", "doc_id"), [("007", "0012"), ("NA", "null"), ("nan", "1E5"), ("q#1", "9.10"), ("Łódź", "wzór.docx")]
)
def test_a02_a03_a26_ids_stay_the_strings_they_are(play: Play, query_id: str, doc_id: str) -> None:
    out, _, _ = play({doc_id: "Faktura"}, {query_id: "faktura żółta"}, [(query_id, doc_id, 1)])
    assert [query_id, "Q0", doc_id, "1"] in [line[:4] for line in trec(out)]
    assert {row["clean"] for row in drop_rows(out)} == {"1.000000"}


def test_a04_an_id_that_is_a_number_meets_its_judgement(play: Play, tmp_path: Path) -> None:
    documents = tmp_path / "g" / "corpus.jsonl"
    play({"3": "Regulamin"}, {"q1": "regulamin pracy żony"}, [("q1", "3", 1)])
    documents.write_text('{"_id":3,"text":"Regulamin"}\n', encoding="utf-8")
    command = ["run", str(tmp_path / "g"), "--models", "bm25", "--perturbations", "typo", "--out", str(tmp_path / "o")]
    assert main([*command, "--resamples", "200", "--quiet"]) == 0
    assert {row["clean"] for row in drop_rows(tmp_path / "o")} == {"1.000000"}
    assert "ids written as numbers, read as text: 1" in (tmp_path / "o" / "report.md").read_text(encoding="utf-8")


def test_a06_a07_dangling_judgements_stop_the_run_or_are_counted(play: Play) -> None:
    asked: tuple[Texts, Texts, list[tuple[str, str, int]]]
    asked = {"d1": "Umowa"}, {"q1": "umowa żony"}, [("q1", "d1", 1), ("q1", "d9", 1), ("q7", "d1", 1)]
    _, _, refused = play(*asked, exit_code=2)
    assert "qrels.tsv:4: query 'q7'" in refused and "1 more error" in refused
    assert len(refused.strip().splitlines()) == 1
    out, report, _ = play(*asked, "--allow-dangling")
    assert "judgements of documents outside the corpus (they still count in the denominator of recall): 1" in report
    assert "only in the qrels: 1" in report
    assert {row["clean"] for row in drop_rows(out) if row["measure"] == "recall@5"} == {"0.500000"}


@pytest.mark.parametrize("judged", [[("q2", "d1", 0)], [("q2", "d1", -1)], []])
def test_a08_a09_a27_queries_without_a_relevant_document_leave_every_mean(
    play: Play, judged: list[tuple[str, str, int]]
) -> None:
    queries = {"q1": "umowa żony", "q2": "umowa źrebaka"}
    out, report, _ = play({"d1": "Umowa"}, queries, [("q1", "d1", 1), *judged])
    assert "1 of 2 queries left out of every mean (no relevant document): q2" in report
    assert {(row["clean"], row["n_queries"]) for row in drop_rows(out)} == {("1.000000", "1")}
    assert "nan" not in (out / "drops.csv").read_text(encoding="utf-8").lower()
    assert report.count("negative grades") == (1 if judged and judged[0][2] < 0 else 0)


def test_a14_blank_documents_never_rank(play: Play) -> None:
    blank = {"d1": "", "d2": "   "}
    out, report, _ = play({**blank, "d3": "Zwrot kosztów"}, {"q1": "koszty kosztów"}, [("q1", "d3", 1)])
    assert {line[2] for line in trec(out)} == {"d3"}
    assert "2 documents contain no word" in report
    _, _, refused = play(blank, {"q1": "koszty"}, [("q1", "d1", 1)], exit_code=2)
    assert "all 2 documents are blank" in refused


@pytest.mark.parametrize(
    ("document", "query"),
    [
        pytest.param("z\u0307o\u0301łta ło\u0301dz\u0301", "żółta łódź", id="A20"),
        pytest.param("wynagro\u00addzenie za współ\u00adpracę", "wynagrodzenie współpracę", id="A21"),
        pytest.param("umowa najmu lokalu\ufeff", "umowa\u200blokalu", id="A22"),
        pytest.param("u\u200dmowa lo\u2060kalu", "umowa lokalu", id="A22, joiners"),
    ],
)
def test_characters_that_look_alike_are_alike(play: Play, document: str, query: str) -> None:
    filler = {f"x{n}": "zupełnie inna treść" for n in range(3)}
    out, report, _ = play({"d1": document, **filler}, {"q1": query}, [("q1", "d1", 1)])
    alone = [line for line in trec(out) if line[0] == "q1"]
    assert [line[2] for line in alone] == ["d1"]
    assert "brought to NFC or freed of invisible characters: 1" in report
    plain = query.replace("\u200b", " ")
    assert variant_texts(out)[0] == plain and plain not in variant_texts(out)[1:]


def test_a23_grouped_digits_stay_one_number(play: Play) -> None:
    out, _, _ = play({"d1": "kara"}, {"q1": "kara umowna 1\u00a0000 zł"}, [("q1", "d1", 1)])
    assert len(variant_texts(out)) > 3
    assert all("1\u00a0000 z" in text for text in variant_texts(out))


def test_a24_ids_with_spaces_survive_the_exported_run(play: Play, tmp_path: Path) -> None:
    out, _, _ = play(
        {"regulamin pracy.pdf": "regulamin"}, {"q 1": "regulamin żony"}, [("q 1", "regulamin pracy.pdf", 1)]
    )
    again = ["score", str(tmp_path / "g"), str(out / "variants.jsonl"), str(out / "runs" / "bm25.trec")]
    assert main([*again, "--resamples", "200", "--out", str(tmp_path / "again")]) == 0
    assert (tmp_path / "again" / "drops.csv").read_bytes() == (out / "drops.csv").read_bytes()


def test_a30_a33_a35_what_makes_drops_false_is_told_in_the_report(play: Play) -> None:
    queries = {"q1": "jak rozliczyć delegację", "q2": "Jak  rozliczyć delegację ", "q3": "zaĹĽaĹĽalenie na fakturÄ™"}
    documents = {"d1": "jak rozliczyć delegację", "d2": "Rozliczenie delegacji"}
    out, report, _ = play(documents, queries, [(query_id, "d2", 1) for query_id in queries])
    assert "query text present in corpus" in report and "looks like mojibake" in report
    assert trec(out)[0][:4] == ["q1", "Q0", "d1", "1"]
    assert not [text for text in variant_texts(out) if "zaLLalenie" in text]
    ids = [line[0] for line in trec(out)]
    assert {"q1", "q2"} <= set(ids)


def test_a37_ids_that_a_spreadsheet_rewrote_stop_the_run(play: Play) -> None:
    _, _, refused = play({"0007": "umowa"}, {"q1": "umowa"}, [("q1", "7", 1)], exit_code=2)
    assert "is it '0007', rewritten by a spreadsheet?" in refused


def test_b01_ties_are_counted_at_every_cut(play: Play) -> None:
    documents = {f"d{n}": "umowa" for n in range(30)}
    _, report, _ = play(documents, {"q1": "umowa żony"}, [("q1", "d1", 1)], "--measures", "recall@3,mrr@7")
    found = re.findall(r"(\d+) of (\d+) rankings have a tie at rank (\d+)", report)
    assert [rank for _, _, rank in found] == ["3", "7"]
    assert all(0 < int(tied) <= int(total) for tied, total, _ in found)


def test_b05_more_relevant_documents_than_places_are_noted(play: Play) -> None:
    documents = {f"d{n}": "umowa" for n in range(12)}
    out, report, _ = play(documents, {"q1": "umowa żony"}, [("q1", f"d{n}", 1) for n in range(12)])
    assert "1 query has more than 5 relevant documents: its recall@5 cannot reach 1" in report
    assert "Recall counts all relevant documents in its denominator" in report
    assert {row["clean"] for row in drop_rows(out) if row["measure"] == "recall@10"} == {"0.833333"}


def test_b14_the_share_of_judged_documents_stands_beside_the_scores(play: Play) -> None:
    documents = {"d1": "źrebak", "d2": "zrebak", "d3": "zrebak biały"}
    _, report, _ = play(documents, {"q1": "źrebak"}, [("q1", "d1", 1)], "--perturbations", "diacritics")
    assert "judged in the top 10, original / variants" in report
    assert "| 100% / 0% |" in report


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        pytest.param("{id} Q0 d1 1 nan t\n", "score 'nan' is no finite number", id="B17"),
        pytest.param("{id} Q0 d1 1 inf t\n", "score 'inf' is no finite number", id="B17, infinite"),
        pytest.param("{id} Q0 d1 1 2 t\n{id} Q0 d1 2 1 t\n", "document 'd1' is listed twice", id="B09"),
    ],
)
def test_rankings_that_cannot_be_scored_are_refused_with_their_line(
    play: Play, tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: str, message: str
) -> None:
    out, _, _ = play({"d1": "umowa"}, {"q1": "umowa żony"}, [("q1", "d1", 1)])
    ids = dict.fromkeys(line[0] for line in trec(out))
    (tmp_path / "own.trec").write_text("".join(lines.format(id=name) for name in ids), encoding="utf-8")
    command = ["score", str(tmp_path / "g"), str(out / "variants.jsonl"), str(tmp_path / "own.trec")]
    assert main([*command, "--out", str(tmp_path / "again")]) == 2
    told = capsys.readouterr().err
    assert message in told and "own.trec:" in told and len(told.strip().splitlines()) == 1


@pytest.mark.parametrize("model", ["bm25", "hybrid:bm25+bm25-lemma"])
def test_b22_d08_the_same_run_gives_the_same_bytes_whatever_the_hash_seed(tmp_path: Path, model: str) -> None:
    """Also into another folder; only run.json and report.html know how long it took and where it went."""
    golden = write_golden_set(tmp_path / "g")
    written = []
    for seed in ("1", "2"):
        out = tmp_path / f"out{seed}"
        command = [sys.executable, "-m", "perturb", "run", str(golden), "--models", f"{model},bm25-lemma"]
        command += ["--perturbations", "typo,case", "--resamples", "200", "--out", str(out), "--quiet"]
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True)
        files = [path for path in out.rglob("*") if path.is_file() and path.name not in ("run.json", "report.html")]
        written.append({str(path.relative_to(out)): path.read_bytes() for path in sorted(files)})
    assert {"report.md", "drops.csv", "scores.parquet", "variants.jsonl", "runs/bm25-lemma.trec"} <= set(written[0])
    assert [name for name in written[0] if written[0][name] != written[1][name]] == []
    text = written[0]["report.md"].decode()
    assert "queries/s" not in text and "out1" not in text
    assert f"--models {model},bm25-lemma" in text
    assert "queries/s" in (tmp_path / "out1" / "report.html").read_text(encoding="utf-8")


def test_c11_systems_stand_apart_and_fusion_says_how(play: Play) -> None:
    models = "bm25,bm25-lemma,hybrid:bm25+bm25-lemma"
    out, report, _ = play({"d1": "umowa"}, {"q1": "umowa żony"}, [("q1", "d1", 1)], "--models", models)
    assert {row["model"] for row in drop_rows(out)} == set(models.split(","))
    assert all(name in report for name in models.split(","))
    record = json.loads((out / "run.json").read_text(encoding="utf-8"))
    described = next(m for m in record["models"] if m["name"].startswith("hybrid"))["description"]
    assert described["rrf_k"] == 60 and "bm25-lemma" in json.dumps(described)


@pytest.mark.parametrize("text", ["", " ", "\u200b", "\u00a0\ufeff"])
def test_c16_a_blank_query_is_refused_by_id(play: Play, text: str) -> None:
    _, _, refused = play({"d1": "umowa"}, {"q1": "umowa", "q2": text}, [("q1", "d1", 1)], exit_code=2)
    assert "'q2' has a blank text" in refused


def test_d09_what_changes_nothing_is_not_applicable_and_in_no_mean(play: Play) -> None:
    out, _, told = play({"d1": "urlop"}, {"q1": "urlop"}, [("q1", "d1", 1)], "--perturbations", "diacritics")
    assert drop_rows(out) == []
    assert "applied to no query that can be scored: diacritics" in told


def test_d24_a_gain_is_shown_as_one(play: Play) -> None:
    documents = {"d1": "zolty zrebak", "d2": "żółty źrebak"}
    out, report, _ = play(
        documents, {"q1": "żółty źrebak"}, [("q1", "d1", 1)], "--perturbations", "diacritics", "--measures", "hit@1"
    )
    assert [row["drop"] for row in drop_rows(out) if row["kind"] == "strip"] == ["-1.000000"]
    assert "−0.500" in report and "n/d (n=1)" in report  # F03: one query has no interval
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "0 / 1" in page


def test_d30_a_change_that_the_model_cannot_see_is_no_robustness(play: Play) -> None:
    _, report, _ = play(
        {"d1": "umowa najmu", "d2": "umowa"},
        {"q1": "umowa najmu", "q2": "umowa"},
        [("q1", "d1", 1), ("q2", "d2", 1)],
        *("--perturbations", "query_form.upper,typo"),
    )
    assert (
        "no effective change under query\\_form.upper: all 2 variants are ranked and scored as their originals"
        in report
    )
    assert "no effective change under typo" not in report


def test_f06_a_clean_score_of_zero_has_no_percentage(play: Play) -> None:
    out, report, _ = play({"d1": "urlop", "d2": "zrebak"}, {"q1": "źrebak"}, [("q1", "d2", 1)])
    rows = [row for row in drop_rows(out) if row["perturbation"] == "diacritics" and row["kind"] == "all"]
    assert {(row["clean"], row["drop"], row["drop_pct"]) for row in rows} == {("0.000000", "-1.000000", "")}
    assert "NaN" not in (out / "run.json").read_text(encoding="utf-8")
    assert "| nan" not in report and "| n/d |" in report


def test_f13_a_table_for_a_spreadsheet_beside_the_contract(play: Play, tmp_path: Path) -> None:
    from perturb.report.csv_files import read_drops

    asked: tuple[Texts, Texts, list[tuple[str, str, int]]]
    asked = {"d1": "umowa"}, {"q1": "umowa żony"}, [("q1", "d1", 1)]
    out, _, _ = play(*asked)
    plain, excel = out / "drops.csv", out / "drops.excel.csv"
    before = plain.read_bytes()
    assert not excel.exists()
    assert main(["report", str(out), "--csv-dialect", "excel-pl"]) == 0
    assert plain.read_bytes() == before
    assert excel.read_bytes().startswith(b"\xef\xbb\xbfmodel;perturbation;") and excel.read_bytes().count(b"\r\n") > 1
    numbers = {cell for line in excel.read_text(encoding="utf-8").splitlines()[1:] for cell in line.split(";")[4:]}
    assert not [cell for cell in numbers if "." in cell] and [cell for cell in numbers if "," in cell]
    assert read_drops(excel) == read_drops(plain) != ()
    assert '"csv_dialect": "excel-pl"' in (out / "run.json").read_text(encoding="utf-8")
    comparison = ["compare", str(out), str(out), "--out", str(tmp_path / "c"), "--csv-dialect", "excel-pl"]
    assert main(comparison) == 0
    assert {path.name for path in (tmp_path / "c").glob("*.csv")} == {"compare.csv", "compare.excel.csv"}
    play(*asked)
    assert not excel.exists()  # else it would be of another run


def test_f13_the_dialect_of_perturb_toml(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_golden_set(tmp_path / "g")
    settings = 'golden_set = "g"\nmodels = ["bm25"]\nperturbations = ["typo"]\nresamples = 200\nout = "out"\n'
    for dialect, code in (("excel-pl", 0), ("excel-us", 2)):
        (tmp_path / "perturb.toml").write_text(f'{settings}csv_dialect = "{dialect}"\n', encoding="utf-8")
        assert main(["run", str(tmp_path / "perturb.toml"), "--quiet"]) == code
    assert (tmp_path / "out" / "drops.excel.csv").exists()
    assert "csv_dialect = 'excel-us': choose excel-pl" in capsys.readouterr().err
