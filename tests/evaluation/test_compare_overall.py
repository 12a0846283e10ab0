"""All perturbations together in the comparison of two runs, as the report of each run has them."""

from pathlib import Path

import numpy as np
import pytest

from perturb.evaluation.compare import compare_runs
from perturb.evaluation.paired import overall_scores, paired_scores
from perturb.report.comparison import as_markdown
from perturb.report.files import write_scores
from tests.evaluation.test_compare import QUERIES, VARIANTS, N, _rows, _scores, _write
from tests.tiny_evaluation import tiny_evaluation


def test_all_perturbations_together_are_compared_as_a_run_reports_them(tmp_path: Path) -> None:
    """Two variants of one kind weigh no more than one; perturbations are averaged within the query."""
    old = _write(tmp_path / "old", {"a": _scores(1), "b": _scores(2)})
    new = _write(tmp_path / "new", {"a": _scores(3), "b": _scores(2)})
    rows = _rows(compare_runs(old, new))
    runs = [tiny_evaluation(QUERIES, VARIANTS, scores={"a": _scores(seed)}, measures=("recall@5",)) for seed in (1, 3)]
    then, now = (overall_scores(paired_scores(run)) for run in runs)
    assert then is not None and now is not None
    score, drop = rows["a", "overall", "score"], rows["a", "overall", "drop"]
    assert (score.old, score.new) == pytest.approx((then.perturbed.mean(), now.perturbed.mean()))
    assert (drop.old, drop.new) == pytest.approx((then.drops.mean(), now.drops.mean()))
    assert drop.change == pytest.approx((now.drops - then.drops).mean()) and drop.n_queries == N
    assert "drop of recall@5 over all perturbations" in as_markdown(compare_runs(old, new))


def test_a_change_spread_over_all_perturbations_is_found(tmp_path: Path) -> None:
    """Each perturbation alone is within noise, all together are not: what a run says, compare must not deny."""
    rng = np.random.default_rng(4)
    names = [f"p{place}" for place in range(12)]
    variants = [(q, name, f"{q} {name}") for name in names for q in QUERIES]
    noise = rng.normal(0.0, 0.16, (len(names), N))
    noise -= noise.mean(axis=1, keepdims=True)
    folders = []
    for label, shift in (("old", 0.0), ("new", 0.03)):
        perturbed = 0.5 + (noise if label == "new" else 0.0) + shift
        scores = {"a": {"recall@5": [*[0.9] * N, *np.broadcast_to(perturbed, noise.shape).ravel().tolist()]}}
        evaluation = tiny_evaluation(QUERIES, variants, scores=scores, measures=("recall@5",))
        folder = _write(tmp_path / label, {"a": _scores(1)})
        write_scores(evaluation, folder / "scores.parquet")
        folders.append(folder)
    rows = _rows(compare_runs(*folders))
    assert rows["a", "overall", "drop"].verdict == "better"
    assert {rows["a", name, "drop"].verdict for name in names} == {"within noise"}


def test_one_perturbation_has_no_row_for_all(tmp_path: Path) -> None:
    evaluation = tiny_evaluation(
        {"q": "x"}, [("q", "typo", "y")], scores={"a": {"recall@5": [1.0, 0.0]}}, measures=("recall@5",)
    )
    folder = _write(tmp_path / "one", {"a": _scores(1)})
    write_scores(evaluation, folder / "scores.parquet")
    assert [row.perturbation for row in compare_runs(folder, folder).rows] == ["original", "typo", "typo"]


def test_pools_of_other_models_are_no_common_measure(tmp_path: Path) -> None:
    one, two = (
        ("relative_recall@5",),
        {"a": _scores(1, ("relative_recall@5",)), "b": _scores(2, ("relative_recall@5",))},
    )
    old = _write(tmp_path / "old", {"a": _scores(1, one)})
    found = compare_runs(old, _write(tmp_path / "new", two))
    assert any("relative_recall@5: each run pools what its own models found" in w for w in found.warnings)
    assert not compare_runs(old, old).warnings
