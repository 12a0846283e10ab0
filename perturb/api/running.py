"""The main job: generate, evaluate, report."""

from __future__ import annotations

from perturb.api import previous
from perturb.api.finished import FinishedModels
from perturb.api.generating import Progress, generate_suite, load, silent
from perturb.api.reporting import make_report, write_report
from perturb.config import Settings
from perturb.errors import ConfigError
from perturb.evaluation import RetrieverFactory, evaluate
from perturb.golden.goldenset import GoldenSet
from perturb.measures import parse_measure
from perturb.report import files
from perturb.report.analysis import check_limits
from perturb.report.tables import Report
from perturb.retrieval.catalogue import retriever_factory
from perturb.suite import Suite, specs_from, write_suite


def run(settings: Settings, *, command: str = "", progress: Progress = silent) -> Report:
    """Generate, evaluate and report; files land in ``settings.out``.

    Those of an earlier run there are in its folder ``previous`` until this one is finished.

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
    settings: Settings, golden_set: GoldenSet, suite: Suite, *, command: str = "", progress: Progress = silent
) -> Report:
    """Run the models on a suite and write the report, the suite beside it.

    Files of an earlier run in ``settings.out`` are in its folder ``previous`` until this one is finished.

    Raises:
        PerturbError: the suite belongs to another golden set, or no model could run.
    """
    with files.alone_in(settings.out):
        check_limits(settings.gate, settings.models, asked_perturbations(suite), settings.measures)
        factories = _factories(settings)
        with previous.replaced(settings.out):
            write_suite(suite, settings.out / "variants.jsonl")
            finished = FinishedModels(settings, golden_set, suite)
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


def asked_perturbations(suite: Suite) -> tuple[str, ...]:
    """Perturbations that the suite was made with, also those that applied to no query."""
    specs = (str(spec["name"]) for spec in suite.header.get("spec", ()))
    return tuple(dict.fromkeys([*specs, *suite.perturbations]))


def _factories(settings: Settings) -> dict[str, RetrieverFactory]:
    return {name: retriever_factory(name, tables=settings.retriever) for name in settings.models}
