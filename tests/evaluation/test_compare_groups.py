"""Two runs compared where queries move together: the groups kept in ``run.json`` are resampled as a whole."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from perturb.errors import ConfigError
from perturb.evaluation.compare import Comparison, compare_runs
from perturb.evaluation.groups import shared_groups
from perturb.report.comparison import as_markdown
from perturb.report.files import write_scores
from tests.evaluation.clusters import CLUSTERS, SIZE, N, alike, by_hand, clustered_evaluation, flips_by_hand, width


def _write(folder: Path, shift: Any, resample_by: str = "query", *, keep_groups: bool = True) -> Path:
    evaluation = clustered_evaluation()
    for model in evaluation.models:
        model.scores[:, :] = model.scores + np.tile(shift, 3)
    folder.mkdir()
    write_scores(evaluation, folder / "scores.parquet")
    record: dict[str, Any] = {
        "settings": {
            "seed": 5,
            "resamples": 4000,
            "confidence": 0.95,
            "interval": "percentile",
            "resample_by": resample_by,
        },
        "versions": {},
        "golden_set": {"name": "tiny", "sha256": "g" * 64, "part": None},
        "suite": {"sha256": "s" * 64, "spec": [{"name": "case"}, {"name": "typo"}]},
        "models": [{"name": m.name, "error": None, "description": {}} for m in evaluation.models],
    }
    if keep_groups:
        record["resampling"] = {"by": resample_by, "groups": shared_groups(evaluation.golden_set)}
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    return folder


@pytest.fixture
def shift() -> Any:
    return alike(np.random.default_rng(21), -0.1, 0.16)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return _write(tmp_path / "old", np.zeros(N))


def test_changes_are_resampled_by_the_groups_of_the_later_run(old: Path, tmp_path: Path, shift: Any) -> None:
    found = compare_runs(old, _write(tmp_path / "new", shift, "document"))
    clean = found.rows[0]
    assert clean.change == pytest.approx(shift.mean())
    assert (clean.ci_low, clean.ci_high) == pytest.approx(by_hand(shift), abs=0.002)
    assert clean.p_value == pytest.approx(flips_by_hand(shift), abs=0.02)
    assert (found.unit, found.n_units) == ("groups of queries that share a relevant document", CLUSTERS)
    assert any("resampled queries, " in warning and "here as in the latter" in warning for warning in found.warnings)
    assert f"resamples of {CLUSTERS} groups of queries that share a relevant document" in as_markdown(found)
    single = compare_runs(old, tmp_path / "new", "query")
    assert (single.unit, single.n_units) == ("queries", N)
    assert width(clean.ci_low, clean.ci_high) > 1.8 * width(single.rows[0].ci_low, single.rows[0].ci_high)
    assert not single.warnings
    duplicates = compare_runs(old, tmp_path / "new", "near-duplicate")
    assert duplicates.n_units == N and duplicates.rows[0].ci_low == single.rows[0].ci_low


def test_verdicts_follow_the_unit(old: Path, tmp_path: Path) -> None:
    """A change that a few documents make is no change beyond noise, however many queries ask for them."""
    lifted = np.zeros(N)
    lifted[: 5 * SIZE] = 0.4
    new = _write(tmp_path / "new", lifted)

    def verdict(found: Comparison) -> str:
        return found.rows[0].verdict

    assert verdict(compare_runs(old, new)) == "better"
    assert verdict(compare_runs(old, new, "document")) == "within noise"


def test_perturbations_come_in_the_order_of_the_suite(old: Path) -> None:
    names = [row.perturbation for row in compare_runs(old, old).rows if row.model == "a" and row.measure == "recall@5"]
    assert names == ["original", "case", "case", "typo", "typo", "overall", "overall"]


def test_the_correction_is_that_of_the_later_run_or_the_one_asked_for(old: Path, tmp_path: Path, shift: Any) -> None:
    new = _write(tmp_path / "new", shift)
    holm, bh = compare_runs(old, new), compare_runs(old, new, adjustment="bh")
    p_values = [row.p_value for row in holm.rows if row.p_value is not None]
    expected = stats.false_discovery_control(p_values, method="bh")
    assert [row.p_adjusted for row in bh.rows if row.p_value is not None] == pytest.approx(expected)
    assert (holm.adjustment, bh.adjustment) == ("holm", "bh")
    assert any(a.p_adjusted < b.p_adjusted for a, b in zip(bh.rows, holm.rows, strict=True) if a.p_adjusted)
    assert "Holm correction over all" in as_markdown(holm)
    assert "Benjamini-Hochberg correction over all" in as_markdown(bh)
    record = json.loads((new / "run.json").read_text(encoding="utf-8"))
    record["settings"]["adjustment"] = "bh"
    (new / "run.json").write_text(json.dumps(record), encoding="utf-8")
    assert compare_runs(old, new).rows == bh.rows
    with pytest.raises(ConfigError, match="choose holm"):
        compare_runs(old, new, adjustment="fdr")


def test_an_unknown_unit_or_a_run_without_groups_is_refused(old: Path, tmp_path: Path, shift: Any) -> None:
    with pytest.raises(ConfigError, match="choose query, near-duplicate, document"):
        compare_runs(old, old, "chunk")
    (tmp_path / "one").mkdir()
    bare = _write(tmp_path / "bare", shift, "document", keep_groups=False)
    # The earlier run asked the same queries, so its groups will do.
    assert compare_runs(old, bare).n_units == CLUSTERS
    with pytest.raises(ConfigError, match=r"does not tell which queries belong together; .*--resample-by query"):
        compare_runs(bare, bare)
    assert compare_runs(bare, bare, "query").n_units == N
