import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.stats

from perturb.errors import ConfigError
from perturb.evaluation.compare import ChangeRow, Comparison, compare_runs
from perturb.evaluation.stored import read_run
from perturb.report.comparison import as_csv, as_markdown, sentences
from perturb.report.files import write_scores
from tests.tiny_evaluation import tiny_evaluation

N = 40
QUERIES = {f"q{n:02}": f"pytanie {n}" for n in range(N)}
VARIANTS = [(q, "typo", f"{q} a") for q in QUERIES] + [(q, "typo", f"{q} b") for q in QUERIES]
VARIANTS += [(q, "case", f"{q} c") for q in list(QUERIES)[:3]]
TOTAL = N + len(VARIANTS)

Change = Callable[[dict[str, Any]], None]


def _write(
    folder: Path,
    scores: Mapping[str, Mapping[str, list[float]]],
    *,
    description: Mapping[str, Any] | None = None,
    change: Change = lambda _: None,
    failed: Mapping[str, str] | None = None,
) -> Path:
    measures = tuple(next(iter(scores.values())))
    evaluation = tiny_evaluation(QUERIES, VARIANTS, scores=scores, measures=measures, failed=failed)
    folder.mkdir(parents=True)
    write_scores(evaluation, folder / "scores.parquet")
    record: dict[str, Any] = {
        "settings": {"seed": 5, "resamples": 500, "confidence": 0.95},
        "versions": {"perturb": "1", "numpy": "2.0"},
        "golden_set": {"name": "tiny", "sha256": "g" * 64, "part": None},
        "suite": {"sha256": "s" * 64},
        "models": [
            {"name": m.name, "error": m.error or None, "description": dict(description or {})}
            for m in evaluation.models
        ],
    }
    change(record)
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    return folder


def _scores(seed: int = 1, measures: tuple[str, ...] = ("recall@5",)) -> dict[str, list[float]]:
    rng = np.random.default_rng(seed)
    return {measure: rng.random(TOTAL).tolist() for measure in measures}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return _write(tmp_path / "old", {"a": _scores(1), "b": _scores(2)})


def _rows(found: Comparison) -> dict[tuple[str, str, str], ChangeRow]:
    return {(row.model, row.perturbation, row.figure): row for row in found.rows}


def test_changes_are_those_of_the_scores_by_hand(old: Path, tmp_path: Path) -> None:
    new = _write(tmp_path / "new", {"a": _scores(3), "b": _scores(2)})
    rows = _rows(compare_runs(old, new))
    before, after = np.array(_scores(1)["recall@5"]), np.array(_scores(3)["recall@5"])
    clean = rows["a", "original", "score"]
    assert (clean.old, clean.new) == pytest.approx((before[:N].mean(), after[:N].mean()))
    assert clean.change == pytest.approx((after - before)[:N].mean())
    typo_old = (before[N : 2 * N] + before[2 * N : 3 * N]) / 2
    typo_new = (after[N : 2 * N] + after[2 * N : 3 * N]) / 2
    score, drop = rows["a", "typo", "score"], rows["a", "typo", "drop"]
    assert score.change == pytest.approx((typo_new - typo_old).mean())
    assert drop.old == pytest.approx((before[:N] - typo_old).mean())
    assert drop.change == pytest.approx(clean.change - score.change)
    assert rows["a", "case", "score"].n_queries == 3
    test = scipy.stats.permutation_test(
        ((after - before)[:N],), np.mean, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(1)
    )
    assert clean.p_value == pytest.approx(test.pvalue, abs=0.05)
    bootstrap = scipy.stats.bootstrap(((after - before)[:N],), np.mean, n_resamples=5000, rng=np.random.default_rng(1))
    assert clean.ci_low == pytest.approx(bootstrap.confidence_interval.low, abs=0.03)
    assert clean.ci_high == pytest.approx(bootstrap.confidence_interval.high, abs=0.03)


def test_a_run_compared_with_itself_is_the_same_throughout(old: Path) -> None:
    found = compare_runs(old, old)
    assert {row.verdict for row in found.rows} == {"same"}
    assert found.warnings == ()
    assert next(sentences(found)) == "nothing got better or worse beyond noise"


def _shifted(clean: float, typo: float, seed: int = 1) -> dict[str, list[float]]:
    base = np.array(_scores(seed)["recall@5"]) * 0.5 + 0.25
    rng = np.random.default_rng(9)
    shift = np.concatenate([np.full(N, clean), np.full(TOTAL - N, typo)])
    return {"recall@5": (base + shift * (1 + 0.1 * rng.normal(size=TOTAL))).tolist()}


def test_better_and_worse_by_the_kind_of_figure(tmp_path: Path) -> None:
    old = _write(tmp_path / "old", {"a": _shifted(0.0, 0.0)})
    new = _write(tmp_path / "new", {"a": _shifted(0.0, -0.2)})
    rows = _rows(compare_runs(old, new))
    assert rows["a", "typo", "score"].verdict == "worse"
    assert rows["a", "typo", "drop"].verdict == "worse" and rows["a", "typo", "drop"].change > 0
    assert rows["a", "original", "score"].verdict == "same"
    assert rows["a", "case", "score"].verdict == "too few queries"
    back = _rows(compare_runs(new, old))
    assert rows["a", "typo", "score"].change == -back["a", "typo", "score"].change
    assert (back["a", "typo", "score"].verdict, back["a", "typo", "drop"].verdict) == ("better", "better")


def test_holm_counts_every_figure_shown(old: Path, tmp_path: Path) -> None:
    new = _write(tmp_path / "new", {"a": _scores(3), "b": _scores(4)})
    found = compare_runs(old, new)
    tested = [row for row in found.rows if row.p_value is not None]
    smallest = min(tested, key=lambda row: row.p_value or 0.0)
    assert smallest.p_value is not None
    assert smallest.p_adjusted == pytest.approx(min(1.0, len(tested) * smallest.p_value))


@pytest.mark.parametrize(
    ("table", "key", "value", "words"),
    [
        ("golden_set", "sha256", "x" * 64, "different golden sets"),
        ("golden_set", "part", "test", "used part all"),
        ("suite", "sha256", "x" * 64, "different variants"),
    ],
)
def test_other_questions_are_refused_in_one_line(
    old: Path, tmp_path: Path, table: str, key: str, value: str, words: str
) -> None:
    def change(record: dict[str, Any]) -> None:
        record[table][key] = value

    new = _write(tmp_path / "new", {"a": _scores(1)}, change=change)
    with pytest.raises(ConfigError, match=words) as error:
        compare_runs(old, new)
    assert "\n" not in str(error.value) and str(old) in str(error.value)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ({"dtype": "float16"}, {"dtype": "float32"}, "dtype float16 → float32"),
        ({"dtype": "float16"}, {}, "dtype float16 → none"),
        ({"versions": {"torch": "2.1"}}, {"versions": {"torch": "2.3"}}, "torch 2.1 → 2.3"),
        ({"prompt_query": ""}, {"prompt_query": "query: "}, "prompt_query none → query: "),
        ({"fingerprint": "0123456789abcdef" * 4}, {"fingerprint": "f" * 64}, "fingerprint 0123456789ab…"),
    ],
)
def test_other_dtype_versions_and_settings_are_warned_about(
    tmp_path: Path, before: dict[str, Any], after: dict[str, Any], words: str
) -> None:
    old = _write(tmp_path / "old", {"a": _scores(1)}, description=before)
    new = _write(tmp_path / "new", {"a": _scores(1)}, description=after)
    (warning,) = compare_runs(old, new).warnings
    assert warning.startswith("a: ") and words in warning


def test_other_library_versions_are_warned_about(old: Path, tmp_path: Path) -> None:
    new = _write(
        tmp_path / "new",
        {"a": _scores(1), "b": _scores(2)},
        change=lambda r: r["versions"].update(numpy="2.1", spacy="3"),
    )
    (warning,) = compare_runs(old, new).warnings
    assert "numpy 2.0 → 2.1" in warning and "spacy none → 3" in warning and "perturb" not in warning


def test_two_runs_of_one_model_each_are_compared_under_both_names(tmp_path: Path) -> None:
    one = _write(tmp_path / "one", {"small": _scores(1)})
    other = _write(tmp_path / "other", {"large": _scores(2)})
    assert {row.model for row in compare_runs(one, other).rows} == {"small → large"}


def test_no_common_model_or_measure_is_refused(old: Path, tmp_path: Path) -> None:
    other = _write(tmp_path / "other", {"c": _scores(2)})
    with pytest.raises(ConfigError, match="no model is in both runs"):
        compare_runs(old, other)
    measured = _write(tmp_path / "measured", {"a": _scores(2, ("mrr@10",))})
    with pytest.raises(ConfigError, match="measured recall@5 and"):
        compare_runs(old, measured)


def test_models_that_stand_alone_or_failed_are_told(old: Path, tmp_path: Path) -> None:
    new = _write(tmp_path / "new", {"a": _scores(1), "c": _scores(1)}, failed={"b": "no weights"})
    warnings = compare_runs(old, new).warnings
    assert f"only in {old}: b" in warnings and f"only in {new}: c" in warnings
    assert f"b could not run in {new}: no weights" in warnings


def test_queries_scored_in_one_run_only_are_left_out_of_both(old: Path, tmp_path: Path) -> None:
    new = _write(tmp_path / "new", {"a": _scores(3), "b": _scores(2)})
    table = pq.read_table(new / "scores.parquet").to_pandas()
    table = table[table["query_id"] != "q00"]
    pq.write_table(pa.Table.from_pandas(table, preserve_index=False), new / "scores.parquet")
    found = compare_runs(old, new)
    assert any("1 query was scored in one of the runs only" in warning for warning in found.warnings)
    rows = _rows(found)
    before, after = np.array(_scores(1)["recall@5"]), np.array(_scores(3)["recall@5"])
    assert rows["a", "original", "score"].n_queries == N - 1
    assert rows["a", "original", "score"].change == pytest.approx((after - before)[1:N].mean())
    assert rows["a", "case", "drop"].n_queries == 2


def test_order_of_the_rows_in_the_file_changes_nothing(old: Path, tmp_path: Path) -> None:
    new = _write(tmp_path / "new", {"a": _scores(3), "b": _scores(2)})
    straight = compare_runs(old, new).rows
    table = pq.read_table(old / "scores.parquet").to_pandas().iloc[::-1]
    pq.write_table(pa.Table.from_pandas(table, preserve_index=False), old / "scores.parquet")
    assert compare_runs(old, new).rows == straight


def _break(folder: Path, how: str) -> None:
    path = folder / "scores.parquet"
    if how == "no run.json":
        (folder / "run.json").unlink()
    elif how == "no json":
        (folder / "run.json").write_text("{", encoding="utf-8")
    elif how == "not complete":
        (folder / "run.json").write_text('{"golden_set": {"sha256": "x"}, "suite": {"sha256": "x"}}', encoding="utf-8")
    elif how == "no settings":
        record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        del record["settings"]
        (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    elif how == "no scores":
        path.unlink()
    elif how == "no parquet":
        path.write_bytes(b"not a parquet file")
    else:
        table = pq.read_table(path).to_pandas()
        if how == "no column":
            table = table.drop(columns=["score"])
        elif how == "no rows":
            table = table.iloc[:0]
        elif how == "a variant lacks":
            table = table.iloc[:-1]
        elif how == "an original lacks":
            table = table[table["variant_id"] != "q00"]
        pq.write_table(pa.Table.from_pandas(table, preserve_index=False), path)


@pytest.mark.parametrize(
    "how",
    [
        *("no run.json", "no json", "not complete", "no settings", "no scores", "no parquet"),
        *("no column", "no rows", "a variant lacks", "an original lacks"),
    ],
)
def test_a_broken_folder_is_refused_in_one_line(old: Path, how: str) -> None:
    _break(old, how)
    with pytest.raises(ConfigError) as error:
        read_run(old)
    assert str(old) in str(error.value) and "\n" not in str(error.value)


def test_markdown_and_csv_hold_every_figure(old: Path, tmp_path: Path) -> None:
    new = _write(tmp_path / "new", {"a": _shifted(0.0, -0.2, 3), "b": _scores(2)}, description={"dtype": "float16"})
    found = compare_runs(old, new)
    text = as_markdown(found)
    assert text.count("| a |") + text.count("| b |") == len(found.rows)
    assert "dtype none → float16" in text and "500 resamples" in text and "whole golden set" in text
    lines = as_csv(found).splitlines()
    assert len(lines) == 1 + len(found.rows)
    assert lines[0].startswith("model,measure,perturbation,figure,old,new,change") and lines[0].endswith(",verdict")
