import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import pytrec_eval

from perturb.cli.main import main
from perturb.perturbations.presets import preset, presets
from perturb.suite import read_suite
from tests.golden_sets import QRELS, in_cp1250, write_golden_set

COLUMNS = (
    "model,perturbation,kind,measure,clean,perturbed,drop,drop_pct,ci_low,ci_high,p_value,p_adjusted,"
    "n_queries,n_variants,coverage"
)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_golden_set(tmp_path_factory.mktemp("office"))


@pytest.fixture(scope="module")
def finished(office: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out")
    assert main(_run(office, out)) == 0
    return out


def _run(office: Path, out: Path) -> list[str]:
    return [
        *("run", str(office), "--models", "bm25,bm25-lemma", "--perturbations", "diacritics,typo,case"),
        *("--measures", "recall@5,mrr@10", "--resamples", "500", "--seed", "5", "--out", str(out), "--quiet"),
    ]


def test_a_run_leaves_every_file_of_the_contract(finished: Path) -> None:
    names = {str(path.relative_to(finished)) for path in finished.rglob("*") if path.is_file()}
    assert names >= {
        "variants.jsonl",
        "drops.csv",
        "scores.parquet",
        "run.json",
        "report.html",
        "report.md",
        "runs/bm25.trec",
        "runs/bm25-lemma.trec",
    }
    assert not [name for name in names if "partial" in name or "resume" in name]


def test_drops_csv_has_the_columns_of_the_contract(finished: Path) -> None:
    text = (finished / "drops.csv").read_text(encoding="utf-8")
    assert text.splitlines()[0] == COLUMNS
    rows = list(csv.DictReader(text.splitlines()))
    assert {row["model"] for row in rows} == {"bm25", "bm25-lemma"}
    for row in rows:
        assert float(row["drop"]) == pytest.approx(float(row["clean"]) - float(row["perturbed"]), abs=2e-6)
        assert "-0.000000" not in row.values()
        assert "nan" not in ",".join(row.values())
    whole = [row for row in rows if row["kind"] == "all"]
    assert len(whole) == len({(r["model"], r["perturbation"], r["measure"]) for r in whole})


def test_scores_parquet_recomputes_the_drop_table(finished: Path) -> None:
    frame = pq.read_table(finished / "scores.parquet").to_pandas()
    assert list(frame.columns) == ["model", "query_id", "variant_id", "perturbation", "kind", "measure", "score"]
    frame = frame.astype({c: str for c in frame.columns if c != "score"})
    clean = frame[frame.perturbation == "original"].set_index(["model", "measure", "query_id"]).score.sort_index()
    for row in csv.DictReader((finished / "drops.csv").read_text(encoding="utf-8").splitlines()):
        part = frame[(frame.model == row["model"]) & (frame.measure == row["measure"])]
        part = part[part.perturbation == row["perturbation"]]
        part = part if row["kind"] == "all" else part[part.kind == row["kind"]]
        means = part.groupby("query_id").score.mean()
        before = clean[row["model"], row["measure"]].loc[means.index]
        assert float(row["drop"]) == pytest.approx((before - means).mean(), abs=2e-6)
        assert int(row["n_queries"]) == len(means)
        assert int(row["n_variants"]) == len(part)


def test_clean_recall_equals_pytrec_eval_on_the_exported_run(finished: Path) -> None:
    qrels: dict[str, dict[str, int]] = {}
    for query_id, doc_id, grade in QRELS:
        qrels.setdefault(query_id, {})[doc_id] = grade
    for model in ("bm25", "bm25-lemma"):
        with (finished / "runs" / f"{model}.trec").open(encoding="utf-8") as lines:
            run = pytrec_eval.parse_run(lines)
        scores = pytrec_eval.RelevanceEvaluator(qrels, {"recall_5"}).evaluate({q: run[q] for q in qrels})
        expected = {q: s["recall_5"] for q, s in scores.items()}
        frame = pq.read_table(finished / "scores.parquet").to_pandas()
        ours = frame[(frame.model == model) & (frame.perturbation == "original") & (frame.measure == "recall@5")]
        assert dict(zip(ours.query_id, ours.score, strict=True)) == pytest.approx(expected)


def test_run_json_tells_how_to_repeat_the_run(finished: Path) -> None:
    record = json.loads((finished / "run.json").read_text(encoding="utf-8"))
    assert record["settings"]["seed"] == 5
    assert record["golden_set"]["scored"] == 6
    assert record["golden_set"]["excluded"] == {"no relevant document": []}
    assert record["suite"]["morfeusz"].startswith("pl.sgjp")
    assert set(record["versions"]) >= {"perturb", "numpy", "python", "morfeusz2"}
    assert [model["name"] for model in record["models"]] == ["bm25", "bm25-lemma"]
    assert all(model["seconds"]["search"] >= 0 for model in record["models"])


def test_the_same_command_gives_the_same_bytes(office: Path, finished: Path, tmp_path: Path) -> None:
    assert main(_run(office, tmp_path)) == 0
    for name in ("variants.jsonl", "drops.csv", "runs/bm25.trec", "scores.parquet"):
        assert (tmp_path / name).read_bytes() == (finished / name).read_bytes(), name


def test_the_report_can_be_written_again(finished: Path, tmp_path: Path) -> None:
    before = (finished / "drops.csv").read_bytes()
    (finished / "drops.csv").unlink()
    (finished / "report.html").unlink()
    assert main(["report", str(finished)]) == 0
    assert (finished / "drops.csv").read_bytes() == before
    assert "Most fragile" in (finished / "report.md").read_text(encoding="utf-8")
    assert main(["report", str(tmp_path)]) == 2


def test_generate_evaluate_and_score_meet_in_the_same_figures(office: Path, finished: Path, tmp_path: Path) -> None:
    common = ["--measures", "recall@5,mrr@10", "--resamples", "500", "--seed", "5"]
    variants = tmp_path / "v"
    generate = ["generate", str(office), "--perturbations", "diacritics,typo,case", "--seed", "5", "--quiet"]
    assert main([*generate, "--out", str(variants)]) == 0
    assert (variants / "variants.jsonl").read_bytes() == (finished / "variants.jsonl").read_bytes()
    evaluate = ["evaluate", str(office), str(variants / "variants.jsonl"), "--models", "bm25,bm25-lemma", "--quiet"]
    assert main([*evaluate, *common, "--out", str(tmp_path / "e")]) == 0
    assert (tmp_path / "e" / "drops.csv").read_bytes() == (finished / "drops.csv").read_bytes()
    runs = [str(finished / "runs" / f"{model}.trec") for model in ("bm25", "bm25-lemma")]
    score = ["score", str(office), str(variants / "variants.jsonl"), *runs, *common]
    assert main([*score, "--out", str(tmp_path / "s")]) == 0
    assert (tmp_path / "s" / "drops.csv").read_bytes() == (finished / "drops.csv").read_bytes()


def test_a_killed_run_goes_on_where_it_was(office: Path, finished: Path, tmp_path: Path) -> None:
    """The first model is finished and kept, the second is killed; the same command ends with the same bytes."""
    slow = (
        "import time, sys; from perturb.retrieval import lexical; "
        "old = lexical.BM25Retriever.search; "
        "slow = lambda self: time.sleep(60 * (self.name == 'bm25-lemma')); "
        "lexical.BM25Retriever.search = lambda self, q, k: slow(self) or old(self, q, k); "
        "from perturb.cli.main import script; script()"
    )
    command = [sys.executable, "-c", slow, *_run(office, tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        deadline = time.monotonic() + 50
        while not list(tmp_path.glob(".resume/*.npz")) and time.monotonic() < deadline:
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
    assert len(list(tmp_path.glob(".resume/*.npz"))) == 1
    assert not (tmp_path / "drops.csv").exists()
    asked: list[str] = []
    from perturb.retrieval import lexical

    search = lexical.BM25Retriever.search
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexical.BM25Retriever, "search", lambda s, q, k: asked.append(s.name) or search(s, q, k))
        assert main(_run(office, tmp_path)) == 0
    assert asked == ["bm25-lemma"]
    assert (tmp_path / "drops.csv").read_bytes() == (finished / "drops.csv").read_bytes()
    assert not (tmp_path / ".resume").exists()


def test_perturb_toml_says_the_same_as_the_command_line(office: Path, finished: Path, tmp_path: Path) -> None:
    (tmp_path / "perturb.toml").write_text(
        f'golden_set = "{office}"\nmodels = ["bm25", "bm25-lemma"]\nperturbations = ["diacritics", "typo", "case"]\n'
        'measures = ["recall@5", "mrr@10"]\nseed = 5\nresamples = 500\nout = "here"\n',
        encoding="utf-8",
    )
    assert main(["run", str(tmp_path / "perturb.toml"), "--quiet"]) == 0
    assert (tmp_path / "here" / "drops.csv").read_bytes() == (finished / "drops.csv").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "none", "--out", "OUT"], "none"),
        (["run", "OFFICE", "--models", "bm52", "--out", "OUT"], "did you mean 'bm25'"),
        (["run", "OFFICE", "--models", "", "--out", "OUT"], "models is empty"),
        (["run", "OFFICE", "--models", "bm25,bm25", "--out", "OUT"], "names 'bm25' twice"),
        (["run", "OFFICE", "--measures", "recal@5", "--out", "OUT"], "recall"),
        (["run", "OFFICE", "--perturbations", "typos", "--out", "OUT"], "did you mean 'typo'"),
        (["run", "OFFICE", "--seed", "x", "--out", "OUT"], "--seed"),
        (["run", "OFFICE", "--resamples", "5", "--out", "OUT"], "resamples = 5"),
        (["run", "OFFICE", "--depth", "0", "--out", "OUT"], "depth = 0"),
        (
            ["run", "OFFICE", "--prompt-query", "q: ", "--models", "bm25", "--out", "OUT"],
            "need a Sentence-Transformers",
        ),
        (["run", "OFFICE", "--out", "FILE"], "is a file; give a folder"),
        (["run", "OFFICE", "--bogus"], "--bogus"),
        (["run"], "Missing argument"),
        (["walk"], "walk"),
        (["score", "OFFICE", "none.jsonl", "none.trec", "--out", "OUT"], "none.jsonl"),
        (["extend", "OFFICE", "none.jsonl", "--out", "OUT"], "none.jsonl"),
    ],
)
def test_the_callers_mistakes_end_in_one_line_and_exit_2(
    arguments: list[str], message: str, office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    places = {"OFFICE": str(office), "OUT": str(tmp_path / "out"), "FILE": str(tmp_path / "file")}
    assert main([places.get(argument, argument) for argument in arguments]) == 2
    errors = capsys.readouterr().err
    assert message in errors
    assert len(errors.strip().splitlines()) == 1
    assert errors.startswith("perturb: ")


def test_a_model_that_cannot_run_is_told_and_the_others_are_reported(
    office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "model").mkdir()
    arguments = _run(office, tmp_path / "out")
    arguments[3] = f"bm25,{tmp_path / 'model'}"
    assert main(arguments) == 0
    assert "could not run" in capsys.readouterr().out
    record = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
    assert [bool(model["error"]) for model in record["models"]] == [False, True]


def test_help_is_fast_and_loads_nothing_heavy() -> None:
    code = (
        "import sys; from perturb.cli.main import main; main(['--help']); "
        "heavy = {'spacy', 'morfeusz2', 'torch', 'pandas', 'sentence_transformers', 'pyarrow', 'bm25s'}; "
        "heavy &= set(sys.modules); "
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "perturbations" in done.stdout


@pytest.mark.parametrize("encoding", ["cp1250:strict", "ascii:strict"])
def test_a_terminal_without_the_letters_shows_escapes_and_files_stay_utf8(encoding: str, tmp_path: Path) -> None:
    golden = write_golden_set(tmp_path / "g", queries={"q1": "zwrot → wniosek ✓ 😀 żółć"}, qrels=[("q1", "d1", 1)])
    command = [sys.executable, "-m", "perturb", "run", str(golden), "--perturbations", "diacritics", "--models", "bm25"]
    command += ["--out", str(tmp_path / "out"), "--resamples", "100"]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": encoding}, check=False)
    assert done.returncode == 0, done.stderr
    variants = (tmp_path / "out" / "variants.jsonl").read_text(encoding="utf-8")
    assert "zwrot → wniosek ✓ 😀 zolc" in variants


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut short", b"not an archive"])
def test_kept_work_that_was_cut_short_is_done_again(
    office: Path, finished: Path, tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    from perturb.api.finished import FinishedModels

    def spoilt(self: FinishedModels, name: str, description: dict[str, object]) -> Path:
        path = self.folder / f"{name}.npz"
        path.parent.mkdir(exist_ok=True)
        if not path.exists():
            path.write_bytes(content)
        return path

    monkeypatch.setattr(FinishedModels, "_path", spoilt)
    assert main(_run(office, tmp_path)) == 0
    assert (tmp_path / "drops.csv").read_bytes() == (finished / "drops.csv").read_bytes()


def test_golden_sets_in_other_encodings_and_with_other_separators_are_run(tmp_path: Path) -> None:
    folder, out = in_cp1250(tmp_path / "g"), tmp_path / "out"
    how = ["--encoding", "cp1250", "--sep", "|"]
    assert main(_run(folder, out)) == 2
    assert main([*_run(folder, out), *how]) == 0
    assert main(["report", str(out)]) == 0
    variants, runs = str(out / "variants.jsonl"), [str(path) for path in (out / "runs").glob("*.trec")]
    evaluate = ["evaluate", str(folder), variants, "--models", "bm25", "--out", str(tmp_path / "e"), "--quiet"]
    assert main([*evaluate, "--resamples", "200", *how]) == 0
    assert main(["score", str(folder), variants, *runs, "--out", str(tmp_path / "s"), "--resamples", "200", *how]) == 0
    config = tmp_path / "perturb.toml"
    config.write_text('golden_set = "g"\nencoding = "cp1250"\nsep = "|"\n', encoding="utf-8")
    assert main(["generate", str(config), "--out", str(tmp_path / "v.jsonl"), "--quiet"]) == 0
    assert main(["generate", str(config), "--encoding", "nope", "--out", str(tmp_path / "v.jsonl")]) == 2


def test_a_preset_names_perturbations_and_their_settings(office: Path, tmp_path: Path) -> None:
    out = tmp_path / "v.jsonl"
    assert main(["generate", str(office), "--preset", "desktop", "--out", str(out), "--quiet"]) == 0
    spec = {entry["name"]: entry["settings"] for entry in read_suite(out).header["spec"]}
    assert list(spec) == list(preset("desktop")[0])
    assert spec["diacritics.some"] == {"share": 0.4}
    config = tmp_path / "perturb.toml"
    config.write_text(f'golden_set = "{office}"\n[perturbation."diacritics.some"]\nshare = 0.2\n', encoding="utf-8")
    assert main(["generate", str(config), "--preset", "desktop", "--out", str(out), "--quiet"]) == 0
    spec = {entry["name"]: entry["settings"] for entry in read_suite(out).header["spec"]}
    assert spec["diacritics.some"] == {"share": 0.2}


def test_a_run_takes_a_preset(office: Path, tmp_path: Path) -> None:
    run = ["run", str(office), "--models", "bm25", "--preset", "dictated", "--resamples", "100", "--quiet"]
    assert main([*run, "--out", str(tmp_path)]) == 0
    record = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert record["settings"]["perturbations"] == list(preset("dictated")[0])


@pytest.mark.parametrize("command", ["run", "generate"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--preset", "tablet"), "unknown preset 'tablet'; known: careful, desktop, dictated, mixed-office, mobile"),
        (("--preset", "../mobile"), "unknown preset '../mobile'"),
        (("--preset", ""), "unknown preset ''"),
        (("--preset", "mobile", "--perturbations", "case"), "give one of the two"),
    ],
)
def test_presets_that_do_not_exist_end_in_one_line(
    office: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    command: str,
    options: tuple[str, ...],
    message: str,
) -> None:
    assert main([command, str(office), "--out", str(tmp_path / "out"), *options]) == 2
    shown = capsys.readouterr().err
    assert message in shown
    assert shown.count("\n") == 1


def test_the_help_names_every_preset(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for name in presets():
        assert name in shown
