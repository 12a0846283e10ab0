import json
import shutil
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from perturb.cli.main import main
from tests.golden_sets import write_golden_set

_WORDS = ("księgowość", "żądanie", "źródło", "łączność", "grzywna", "świadectwo", "różnica", "gwarancja")


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PERTURB_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half of the queries are one word, whose misspelling finds nothing; the others have a second word to go by."""
    queries, documents = {}, {}
    for n, word in enumerate(_WORDS):
        queries[f"q{n}"] = word if n % 2 else f"{word} numer{n}"
        documents[f"d{n}"] = f"{word} numer{n} oraz reszta"
    qrels = [(f"q{n}", f"d{n}", 1) for n in range(len(_WORDS))]
    folder = write_golden_set(tmp_path_factory.mktemp("office"), documents, queries, qrels)
    parts = "".join(f"{query_id}\t{'test' if query_id < 'q4' else 'dev'}\n" for query_id in queries)
    (folder / "split.tsv").write_text(f"query-id\tpart\n{parts}", encoding="utf-8")
    return folder


Run = Callable[..., int]


@pytest.fixture
def run(office: Path, tmp_path: Path) -> Run:
    def call(*options: str, out: str = "out") -> int:
        fixed = ("--models", "bm25", "--perturbations", "diacritics,typo", "--measures", "mrr@10")
        return main(
            ["run", str(office), *fixed, "--resamples", "300", "--out", str(tmp_path / out), "--quiet", *options]
        )

    return call


def test_an_open_gate_exits_0_and_a_shut_one_1(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--max-drop", "1") == 0
    assert "Gate passed" in capsys.readouterr().out
    assert run("--max-drop", "0", "--min-clean", "0.1") == 1
    assert "Gate FAILED" in capsys.readouterr().out
    assert (tmp_path / "out" / "gate.md").read_text(encoding="utf-8").startswith("## Gate FAILED")
    record = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
    assert record["gate"]["passed"] is False and {c["limit"] for c in record["gate"]["checks"]} == {
        "max_drop",
        "min_clean",
    }


def test_without_limits_there_is_no_gate(run: Run, tmp_path: Path) -> None:
    assert run() == 0
    assert not (tmp_path / "out" / "gate.md").exists()
    assert json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))["gate"] is None


def test_the_bound_is_stricter_than_the_estimate(run: Run, tmp_path: Path) -> None:
    assert run() == 0
    rows = (tmp_path / "out" / "drops.csv").read_text(encoding="utf-8").splitlines()
    typo = next(row.split(",") for row in rows if row.startswith("bm25,typo,all,"))
    header = rows[0].split(",")
    drop, high = float(typo[header.index("drop")]), float(typo[header.index("ci_high")])
    assert high > drop
    limit = str((drop + high) / 2)
    only_typo = ("--perturbations", "typo", "--max-drop", limit)
    assert run(*only_typo) == 0
    assert run(*only_typo, "--gate-on", "bound") == 1


def test_junit_is_written_where_asked(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "ci" / "gate.xml"
    assert run("--max-drop", "0", "--junit", str(path)) == 1
    root = ElementTree.parse(path).getroot()
    assert root.tag == "testsuites" and root.get("failures") != "0"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--max-drop", "5"), "[gate] max_drop = 5.0: give points of the measure from 0 to 1"),
        (("--max-drop", "0.1", "--gate-on", "bonud"), "[gate] on = 'bonud'"),
        (("--gate-on", "bound"), "sets neither max_drop nor min_clean"),
        (("--junit", "gate.xml"), "--junit needs a gate"),
    ],
)
def test_a_wrong_gate_exits_2_before_anything_runs(
    run: Run, tmp_path: Path, options: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*options) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1
    assert not (tmp_path / "out" / "variants.jsonl").exists()


def test_a_junit_file_that_cannot_be_written_exits_2(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert run("--max-drop", "1", "--junit", str(tmp_path / "file" / "gate.xml")) == 2
    assert "--junit" in capsys.readouterr().err


def test_the_gate_of_perturb_toml_and_the_command_line_over_it(office: Path, tmp_path: Path) -> None:
    config = tmp_path / "perturb.toml"
    config.write_text(
        f'golden_set = "{office.as_posix()}"\nmodels = ["bm25"]\nperturbations = ["typo"]\nmeasures = ["mrr@10"]\n'
        f'resamples = 300\nout = "out"\n[gate]\nmax_drop = 0.0\n',
        encoding="utf-8",
    )
    assert main(["run", str(config), "--quiet"]) == 1
    assert main(["run", str(config), "--quiet", "--max-drop", "1"]) == 0
    config.write_text(
        config.read_text(encoding="utf-8") + "[gate.perturbation.typo]\nmax_drop = 1.0\n", encoding="utf-8"
    )
    assert main(["run", str(config), "--quiet"]) == 0


@pytest.mark.parametrize(
    ("gate", "words"),
    [
        ("[gate.perturbation.tpyo]\nmax_drop = 0.1\n", "did you mean 'typo'"),
        ('[gate]\nmeasure = "recall@3"\nmax_drop = 0.1\n', "not measured in this run"),
        ("[gate]\nmax_drpo = 0.1\n", "did you mean 'max_drop'"),
    ],
)
def test_a_wrong_gate_table_names_the_file_or_the_table(
    office: Path, tmp_path: Path, gate: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "perturb.toml"
    config.write_text(
        f'golden_set = "{office.as_posix()}"\nmodels = ["bm25"]\nperturbations = ["typo"]\nout = "out"\n{gate}',
        encoding="utf-8",
    )
    assert main(["run", str(config), "--quiet"]) == 2
    error = capsys.readouterr().err
    assert words in error and "[gate" in error and error.count("\n") == 1


def test_evaluate_score_and_report_pass_the_same_gate(run: Run, office: Path, tmp_path: Path) -> None:
    assert run("--max-drop", "0") == 1
    out = tmp_path / "out"
    before = (out / "gate.md").read_text(encoding="utf-8")
    assert main(["report", str(out), "--junit", str(tmp_path / "again.xml")]) == 1
    assert (out / "gate.md").read_text(encoding="utf-8") == before
    assert (tmp_path / "again.xml").exists()
    common = ("--measures", "mrr@10", "--resamples", "300", "--max-drop")
    evaluate = ["evaluate", str(office), str(out / "variants.jsonl"), "--models", "bm25", "--quiet", *common]
    assert main([*evaluate, "0", "--out", str(tmp_path / "e")]) == 1
    assert main([*evaluate, "1", "--out", str(tmp_path / "e")]) == 0
    score = ["score", str(office), str(out / "variants.jsonl"), str(out / "runs" / "bm25.trec"), *common]
    assert main([*score, "0", "--out", str(tmp_path / "s")]) == 1
    assert main([*score, "1", "--out", str(tmp_path / "s")]) == 0


def test_a_report_written_again_keeps_what_the_run_knew_of_its_models(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert run("--models", f"bm25,{tmp_path / 'empty'}", "--max-drop", "1") == 1
    out = tmp_path / "out"
    before = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert main(["report", str(out)]) == 1
    after = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert after["models"] == before["models"] and after["gate"] == before["gate"]


# --- compare --------------------------------------------------------------------------------------------------------


def test_compare_with_itself_finds_nothing(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    out = str(tmp_path / "out")
    assert main(["compare", out, out, "--fail-on-worse"]) == 0
    assert "nothing got better or worse beyond noise" in capsys.readouterr().out


def test_compare_writes_its_files(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import pyarrow.parquet as pq

    assert run() == 0
    assert run(out="new") == 0
    path = tmp_path / "new" / "scores.parquet"
    table = pq.read_table(path)
    frame = table.to_pandas()
    frame.loc[frame["perturbation"] == "typo", "score"] = 0.0
    pq.write_table(table.from_pandas(frame, preserve_index=False), path)
    folders = ["compare", str(tmp_path / "out"), str(tmp_path / "new")]
    capsys.readouterr()
    assert main([*folders, "--out", str(tmp_path / "c")]) == 0
    shown = capsys.readouterr().out
    lines = (tmp_path / "c" / "compare.csv").read_text(encoding="utf-8").splitlines()
    assert any(line.startswith("bm25,mrr@10,typo,score") for line in lines)
    assert (tmp_path / "c" / "compare.md").exists() and "figures: " in shown
    assert main([*folders, "--fail-on-worse"]) == 0


def test_compare_fails_on_worse_if_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import pyarrow.parquet as pq

    queries = {f"q{n:02}": f"termin{n} umowy" for n in range(20)}
    documents = {f"d{n:02}": f"termin{n}" for n in range(20)}
    office = write_golden_set(tmp_path / "large", documents, queries, [(f"q{n:02}", f"d{n:02}", 1) for n in range(20)])
    call = ["run", str(office), "--models", "bm25", "--perturbations", "typo", "--measures", "mrr@10", "--quiet"]
    for out in ("old", "new"):
        assert main([*call, "--resamples", "300", "--out", str(tmp_path / out)]) == 0
    path = tmp_path / "new" / "scores.parquet"
    table = pq.read_table(path)
    frame = table.to_pandas()
    frame.loc[frame["perturbation"] == "original", "score"] = 0.0
    pq.write_table(table.from_pandas(frame, preserve_index=False), path)
    folders = [str(tmp_path / "old"), str(tmp_path / "new")]
    capsys.readouterr()
    assert main(["compare", *folders]) == 0
    assert "worse: bm25, clean mrr@10" in capsys.readouterr().out
    assert main(["compare", *folders, "--fail-on-worse"]) == 1
    assert main(["compare", *folders[::-1], "--fail-on-worse"]) == 1  # the drop grew back
    assert "better: bm25, clean mrr@10" in capsys.readouterr().out


def test_compare_refuses_other_suites_in_one_line(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    assert run("--seed", "99", out="other") == 0
    capsys.readouterr()
    assert main(["compare", str(tmp_path / "out"), str(tmp_path / "other")]) == 2
    error = capsys.readouterr().err
    assert "asked different variants" in error and error.count("\n") == 1
    assert main(["compare", str(tmp_path / "out"), str(tmp_path / "nowhere")]) == 2
    assert "no finished run" in capsys.readouterr().err


# --- the held-out part ----------------------------------------------------------------------------------------------


def test_looks_at_the_held_out_part_are_counted_and_said(
    run: Run, office: Path, tmp_path: Path, state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.stat().st_mtime_ns for path in office.iterdir()}
    assert run("--part", "test") == 0
    assert "first look" in capsys.readouterr().out
    assert run("--part", "test", "--measures", "recall@5") == 0
    assert "look number 2" in capsys.readouterr().out
    assert main(["report", str(tmp_path / "out")]) == 0
    assert "look number 2" in capsys.readouterr().out
    assert "look number 2" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))["looks"]["count"] == 2
    assert run("--part", "dev") == 0
    assert "Part used: dev." in capsys.readouterr().out
    assert len((state / "looks.jsonl").read_text(encoding="utf-8").splitlines()) == 2
    assert {path: path.stat().st_mtime_ns for path in office.iterdir()} == before
    assert run() == 0
    assert "all of the golden set, held-out test included; look number 3" in capsys.readouterr().out
    grown = Path(shutil.copytree(office, tmp_path / "grown"))
    with (grown / "corpus.jsonl").open("a", encoding="utf-8") as lines:
        lines.write('{"_id": "more", "text": "inna rzecz"}\n')
    fixed = ["--models", "bm25", "--perturbations", "typo", "--resamples", "100", "--quiet"]
    assert main(["run", str(grown), "--part", "test", "--out", str(tmp_path / "out2"), *fixed]) == 0
    assert "look number 4" in capsys.readouterr().out


def test_a_state_folder_that_cannot_be_written_fails_no_run(
    run: Run, state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state.write_text("", encoding="utf-8")
    assert run("--part", "test") == 0
    assert "could not be counted" in capsys.readouterr().out
