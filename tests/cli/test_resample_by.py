"""``--resample-by``: what intervals draw as a whole, on the command line, in the files and between runs."""

import json
from pathlib import Path

import pytest

from perturb.cli.main import main
from perturb.report.csv_files import read_drops
from tests.golden_sets import write_golden_set

_WORDS = ("księgowość", "żądanie", "źródło", "łączność", "zaległość", "świadectwo", "różnica", "wpłata")
_SIZE = 4


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERTURB_STATE", str(tmp_path / "state"))


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four ways to ask for each document, of which half are lost whole when letters lose their tails."""
    queries, documents, qrels = {}, {}, []
    for n, word in enumerate(_WORDS):
        documents[f"d{n}"] = f"{word} numer{n} oraz reszta"
        asked = word if n % 2 else f"{word} numer{n}"
        for m in range(_SIZE):
            queries[f"q{n}{m}"] = asked.capitalize() if m < 2 else f"{asked} gdzie{m}"
            qrels.append((f"q{n}{m}", f"d{n}", 1))
    return write_golden_set(tmp_path_factory.mktemp("office"), documents, queries, qrels)


@pytest.fixture(scope="module")
def runs(office: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("runs")
    call = ["run", str(office), "--models", "bm25,bm25-lemma", "--perturbations", "diacritics.strip", "--quiet"]
    call += ["--measures", "mrr@10,recall@5", "--resamples", "500"]
    for unit in ("query", "near-duplicate", "document"):
        assert main([*call, "--resample-by", unit, "--out", str(folder / unit)]) == 0
    assert main([*call, "--out", str(folder / "default")]) == 0
    return {path.name: path for path in folder.iterdir()}


def _width(folder: Path) -> float:
    row = next(row for row in read_drops(folder / "drops.csv") if row.kind == "all")
    assert row.ci_low is not None and row.ci_high is not None
    return row.ci_high - row.ci_low


def test_the_unit_widens_the_intervals_and_is_recorded(runs: dict[str, Path]) -> None:
    assert _width(runs["document"]) > 1.4 * _width(runs["query"])
    assert (runs["default"] / "drops.csv").read_bytes() == (runs["query"] / "drops.csv").read_bytes()
    record = json.loads((runs["document"] / "run.json").read_text(encoding="utf-8"))
    assert record["settings"]["resample_by"] == record["resampling"]["by"] == "document"
    assert record["resampling"]["unit"] == "groups of queries that share a relevant document"
    assert record["resampling"]["n_units"] == len(_WORDS)
    assert record["resampling"]["groups"]["document"][0] == [f"q0{m}" for m in range(_SIZE)]
    assert record["resampling"]["groups"]["near-duplicate"][0] == ["q00", "q01"]
    plain = json.loads((runs["query"] / "run.json").read_text(encoding="utf-8"))
    assert plain["resampling"]["n_units"] == len(_WORDS) * _SIZE


def test_the_unit_stands_beside_the_tables(runs: dict[str, Path]) -> None:
    said = f"Resampled as a whole: {len(_WORDS)} groups of queries that share a relevant document."
    for name in ("report.html", "report.md"):
        assert (runs["document"] / name).read_text(encoding="utf-8").count(said) >= 6
        assert "Resampled as a whole" not in (runs["query"] / name).read_text(encoding="utf-8")
    assert "groups of near-duplicate queries" in (runs["near-duplicate"] / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["run", "report", "compare", "evaluate", "score"])
def test_an_unknown_unit_is_refused_in_one_line(
    command: str, office: Path, runs: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, new = str(runs["query"]), str(tmp_path / "new")
    variants = str(runs["query"] / "variants.jsonl")
    call = {
        "run": ["run", str(office), "--out", new],
        "report": ["report", out],
        "compare": ["compare", out, out, "--out", new],
        "evaluate": ["evaluate", str(office), variants, "--out", new],
        "score": ["score", str(office), variants, str(runs["query"] / "runs" / "bm25.trec"), "--out", new],
    }[command]
    assert main([*call, "--resample-by", "chunk"]) == 2
    error = capsys.readouterr().err
    assert "'chunk': choose query, near-duplicate, document" in error and error.count("\n") == 1
    assert not (tmp_path / "new" / "run.json").exists()


def test_a_report_can_be_written_again_by_another_unit(
    runs: dict[str, Path], office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "again"
    call = ["run", str(office), "--models", "bm25,bm25-lemma", "--perturbations", "diacritics.strip", "--quiet"]
    assert main([*call, "--measures", "mrr@10,recall@5", "--resamples", "500", "--out", str(out)]) == 0
    assert (out / "drops.csv").read_bytes() == (runs["query"] / "drops.csv").read_bytes()
    assert main(["report", str(out), "--resample-by", "document"]) == 0
    assert (out / "drops.csv").read_bytes() == (runs["document"] / "drops.csv").read_bytes()
    assert json.loads((out / "run.json").read_text(encoding="utf-8"))["settings"]["resample_by"] == "document"
    capsys.readouterr()
    assert main(["report", str(out), "--measure", "recall@5", "--resample-by", "query"]) == 0
    shown = capsys.readouterr().out
    assert "Drop of recall@5" in shown and "Resampled as a whole" not in shown
    assert "## Drop of recall@5" in (out / "report.md").read_text(encoding="utf-8")
    assert main(["report", str(out), "--measure", "map"]) == 2
    assert "--measure map: was not measured in this run; measured: recall@5, mrr@10" in capsys.readouterr().err


def test_the_gate_rests_on_the_unit(runs: dict[str, Path], office: Path, tmp_path: Path) -> None:
    def row(name: str) -> float:
        found = next(row for row in read_drops(runs[name] / "drops.csv") if row.kind == "all")
        assert found.ci_high is not None
        return found.ci_high

    limit = (row("query") + row("document")) / 2
    assert row("document") > limit
    call = ["run", str(office), "--models", "bm25", "--perturbations", "diacritics.strip", "--quiet"]
    call += ["--resamples", "500"]
    call += ["--measures", "mrr@10,recall@5", "--max-drop", str(limit), "--gate-on", "bound", "--out", str(tmp_path)]
    assert main(call) == 0
    assert main([*call, "--resample-by", "document"]) == 1
    said = f"Resampled as a whole: {len(_WORDS)} groups of queries that share a relevant document."
    assert said in (tmp_path / "gate.md").read_text(encoding="utf-8")


def test_the_unit_of_perturb_toml_and_the_command_line_over_it(office: Path, tmp_path: Path) -> None:
    config = tmp_path / "perturb.toml"
    config.write_text(
        f'golden_set = "{office.as_posix()}"\nmodels = ["bm25"]\nperturbations = ["diacritics.strip"]\n'
        'measures = ["mrr@10"]\nresamples = 300\nresample_by = "document"\nout = "out"\n',
        encoding="utf-8",
    )

    def unit() -> str:
        record = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
        return str(record["resampling"]["by"])

    assert main(["run", str(config), "--quiet"]) == 0 and unit() == "document"
    assert main(["run", str(config), "--quiet", "--resample-by", "query"]) == 0 and unit() == "query"


def test_compare_writes_a_page_and_leaves_the_runs_as_they_are(
    runs: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def state(folder: Path) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.stem != "compare"}

    old, new = runs["query"], runs["document"]
    before = state(old) | state(new)
    assert main(["compare", str(old), str(new), "--out", str(new)]) == 0
    assert f"comparison: {new / 'compare.html'}" in capsys.readouterr().out
    assert state(old) | state(new) == before
    assert {path.name for path in new.glob("compare.*")} == {"compare.csv", "compare.md", "compare.html"}
    page = (new / "compare.html").read_text(encoding="utf-8")
    assert f"resampled as {len(_WORDS)} groups of queries that share a relevant document" in page
    assert main(["compare", str(old), str(new), "--out", str(tmp_path), "--resample-by", "query"]) == 0
    assert "resampled as" not in (tmp_path / "compare.html").read_text(encoding="utf-8")
