"""Reports on rankings that are there already: of a finished run, or made elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from perturb.api import previous
from perturb.api.generating import load
from perturb.api.reporting import make_report, write_report
from perturb.api.running import asked_perturbations
from perturb.config import Settings
from perturb.errors import ConfigError, GoldenSetError
from perturb.evaluation import evaluate
from perturb.evaluation.stored import restored
from perturb.golden.goldenset import GoldenSet
from perturb.measures import parse_measure
from perturb.records import Rankings
from perturb.report import files
from perturb.report.analysis import check_limits
from perturb.report.tables import Report
from perturb.retrieval.base import Retriever
from perturb.retrieval.runs import as_rankings, read_trec
from perturb.suite import Suite, read_suite, write_suite


class _StoredRetriever(Retriever):
    """Stands for a model whose rankings were read from a file."""

    def __init__(self, name: str, description: Mapping[str, Any]) -> None:
        super().__init__(name)
        self._description = dict(description)

    def index(self, documents: Any) -> None:
        raise NotImplementedError

    def search(self, queries: Any, k: int) -> Rankings:
        raise NotImplementedError

    def description(self) -> dict[str, object]:
        return self._description


def report_again(
    out: Path,
    *,
    csv_dialect: str | None = None,
    resample_by: str | None = None,
    adjustment: str | None = None,
    measure: str | None = None,
) -> Report:
    """Write the report of a finished run once more, from its ``variants.jsonl``, ``runs`` and ``run.json``.

    Args:
        out: folder of the run.
        csv_dialect: write the drop table in this dialect too; ``None`` for what the run asked for.
        resample_by: what intervals and tests draw as a whole; ``None`` for what the run drew.
        adjustment: correction for many tests; ``None`` for that of the run.
        measure: measure of the run that leads the report; ``None`` for the one that led it.

    Raises:
        PerturbError: the folder is not that of a finished run, its golden set has changed since, or the run does not
            have the measure.
    """
    try:
        record = json.loads((out / "run.json").read_text(encoding="utf-8"))
        kept = dict(record["settings"])
    except (OSError, ValueError, KeyError) as error:
        raise ConfigError(
            f"{out}: holds no finished run (run.json: {error}); give the --out folder of `perturb run`"
        ) from error
    for key in ("models", "perturbations", "measures", "protected"):
        kept[key] = tuple(kept[key])
    settings = Settings(**{**kept, "out": out}).with_overrides(
        csv_dialect=csv_dialect,
        resample_by=resample_by,
        adjustment=adjustment,
        measures=_led_by(measure, kept["measures"]),
    )
    golden_set = load(settings)
    if golden_set.sha256 != record["golden_set"]["sha256"]:
        raise GoldenSetError(f"{golden_set.path}: has changed since {out} was made; run again")
    runs = {m["name"]: out / "runs" / f"{files.file_name(m['name'])}.trec" for m in record["models"] if not m["error"]}
    suite = read_suite(out / "variants.jsonl")
    return score_runs(settings, golden_set, suite, runs, record["command"], record=record)


def _led_by(measure: str | None, measures: tuple[str, ...]) -> tuple[str, ...] | None:
    """The measures with the one named in front."""
    if measure is None:
        return None
    wanted = parse_measure(measure).name
    rest = [name for name in measures if parse_measure(name).name != wanted]
    if len(rest) == len(measures):
        raise ConfigError(f"--measure {measure}: was not measured in this run; measured: {', '.join(measures)}")
    return (wanted, *rest)


def score_runs(
    settings: Settings,
    golden_set: GoldenSet,
    suite: Suite,
    runs: Mapping[str, Path],
    command: str = "",
    *,
    record: Mapping[str, Any] | None = None,
) -> Report:
    """Score rankings that were made elsewhere: TREC files over the variants of a suite.

    Args:
        settings: measures, seed, out.
        golden_set: the judgements.
        suite: originals are ranked under their query id, variants under their variant id.
        runs: TREC file by model name.
        command: kept in ``run.json``.
        record: ``run.json`` of the run in ``settings.out``, if that is reported once more.

    Raises:
        ConfigError: a limit of the gate on what there is not.
        GoldenSetError: a file lacks a variant or ranks an unknown one.
    """
    check_limits(settings.gate, tuple(runs), asked_perturbations(suite), settings.measures)
    doc_ids = [document.doc_id for document in golden_set.documents]
    stored: dict[str, dict[str, dict[str, float]]] = {name: read_trec(path) for name, path in runs.items()}
    known = {variant.variant_id for variant in suite.variants}
    for name, run_of in stored.items():
        unknown = sorted(set(run_of) - known)
        if unknown:
            raise GoldenSetError(
                f"{runs[name]}: ranks {unknown[0]!r}, which is no variant of the suite ({len(unknown)} such)"
            )
    evaluation = evaluate(
        golden_set,
        suite,
        {name: partial(_StoredRetriever, name, {"run": str(path)}) for name, path in runs.items()},
        settings.measures,
        depth=settings.depth,
        kept=lambda name, _: as_rankings(stored[name], doc_ids, max(map(len, stored[name].values()), default=1)),
    )
    if record is not None:
        evaluation = restored(evaluation, record, settings.out)
    with files.alone_in(settings.out), nullcontext() if record is not None else previous.replaced(settings.out):
        if record is None:
            write_suite(suite, settings.out / "variants.jsonl")
        report = make_report(settings, evaluation, command, again=record is not None)
        write_report(report, settings)
    return report
