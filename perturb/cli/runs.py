"""Subcommands that run models: run, generate, evaluate, score, report."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from perturb.cli import options as o
from perturb.cli.decisions import check_junit, leave_through_gate
from perturb.cli.main import app
from perturb.cli.progress import progress
from perturb.cli.streams import even_if_unread
from perturb.wording import counted

if TYPE_CHECKING:
    from perturb.report.tables import Report


def _command() -> str:
    return shlex.join(["perturb", *sys.argv[1:]])


def _finish(report: Report, out: Path, junit: Path | None = None) -> None:
    """Print what matters; exit with 1 if the gate is shut."""
    from perturb.report.console import open_console, show

    with even_if_unread():
        show(report, open_console())
        typer.echo(f"report: {out / 'report.html'}")
    leave_through_gate(report, junit)


@app.command()
def run(
    source: o.Source,
    models: o.Models = None,
    out: o.Out = None,
    perturbations: o.Perturbations = None,
    preset: o.Preset = None,
    measures: o.Measures = None,
    seed: o.Seed = None,
    part: o.Part = None,
    protect: o.Protect = None,
    lexicons: o.Lexicons = None,
    spacy_model: o.SpacyModel = None,
    resamples: o.Resamples = None,
    interval: o.Interval = None,
    resample_by: o.ResampleBy = None,
    adjustment: o.Adjustment = None,
    depth: o.Depth = None,
    prompt_query: o.PromptQuery = None,
    prompt_document: o.PromptDocument = None,
    allow_dangling: o.AllowDangling = False,
    sep: o.Sep = None,
    encoding: o.GivenEncoding = None,
    max_drop: o.MaxDrop = None,
    min_clean: o.MinClean = None,
    gate_on: o.GateOn = None,
    junit: o.JUnit = None,
    csv_dialect: o.CsvDialect = None,
    profile: o.Profile = None,
    quiet: o.Quiet = False,
) -> None:
    """Perturb every query, run the models, and report the drop of every measure with its interval."""
    from perturb import api

    settings = o.settings_from(
        source,
        models=models,
        out=out,
        perturbations=perturbations,
        preset=preset,
        measures=measures,
        seed=seed,
        part=part,
        protect=protect,
        lexicons=lexicons,
        spacy_model=spacy_model,
        resamples=resamples,
        interval=interval,
        resample_by=resample_by,
        adjustment=adjustment,
        depth=depth,
        prompt_query=prompt_query,
        prompt_document=prompt_document,
        allow_dangling=allow_dangling,
        sep=sep,
        encoding=encoding,
        max_drop=max_drop,
        min_clean=min_clean,
        gate_on=gate_on,
        csv_dialect=csv_dialect,
        profile=profile,
    )
    check_junit(settings, junit)
    with progress(quiet) as told:
        report = api.run(settings, command=_command(), progress=told)
    _finish(report, settings.out, junit)


@app.command()
def generate(
    source: o.Source,
    out: Annotated[Path, typer.Option(help="variants.jsonl, or a folder to put it in.")] = Path("variants.jsonl"),
    perturbations: o.Perturbations = None,
    preset: o.Preset = None,
    seed: o.Seed = None,
    part: o.Part = None,
    protect: o.Protect = None,
    lexicons: o.Lexicons = None,
    spacy_model: o.SpacyModel = None,
    allow_dangling: o.AllowDangling = False,
    sep: o.Sep = None,
    encoding: o.GivenEncoding = None,
    profile: o.Profile = None,
    quiet: o.Quiet = False,
) -> None:
    """Write the variants of every query, without running a model."""
    from perturb import api
    from perturb.report.files import writable_folder
    from perturb.suite import write_suite

    path = out if out.suffix == ".jsonl" and not out.is_dir() else out / "variants.jsonl"
    settings = o.settings_from(
        source,
        perturbations=perturbations,
        preset=preset,
        seed=seed,
        part=part,
        protect=protect,
        lexicons=lexicons,
        spacy_model=spacy_model,
        allow_dangling=allow_dangling,
        sep=sep,
        encoding=encoding,
        profile=profile,
    )
    writable_folder(path.parent)
    with progress(quiet) as told:
        suite = api.generate_suite(settings, progress=told)
    write_suite(suite, path)
    for name, counts in suite.header["coverage"].items():
        made, of = counted(counts["variants"], "variant"), counted(counts["queries"], "query", "queries")
        typer.echo(f"{name}: {made} of {counts['applicable']} of {of}")
    typer.echo(f"variants: {path}")


@app.command()
def evaluate(
    source: o.Source,
    variants: o.VariantsArgument,
    models: o.Models = None,
    out: o.Out = None,
    measures: o.Measures = None,
    seed: o.Seed = None,
    part: o.Part = None,
    resamples: o.Resamples = None,
    interval: o.Interval = None,
    resample_by: o.ResampleBy = None,
    adjustment: o.Adjustment = None,
    depth: o.Depth = None,
    prompt_query: o.PromptQuery = None,
    prompt_document: o.PromptDocument = None,
    allow_dangling: o.AllowDangling = False,
    sep: o.Sep = None,
    encoding: o.GivenEncoding = None,
    max_drop: o.MaxDrop = None,
    min_clean: o.MinClean = None,
    gate_on: o.GateOn = None,
    junit: o.JUnit = None,
    csv_dialect: o.CsvDialect = None,
    quiet: o.Quiet = False,
) -> None:
    """Run models on variants that were generated (and perhaps reviewed) before."""
    from perturb import api
    from perturb.suite import read_suite

    settings = o.settings_from(
        source,
        models=models,
        out=out,
        measures=measures,
        seed=seed,
        part=part,
        resamples=resamples,
        interval=interval,
        resample_by=resample_by,
        adjustment=adjustment,
        depth=depth,
        prompt_query=prompt_query,
        prompt_document=prompt_document,
        allow_dangling=allow_dangling,
        sep=sep,
        encoding=encoding,
        max_drop=max_drop,
        min_clean=min_clean,
        gate_on=gate_on,
        csv_dialect=csv_dialect,
    )
    check_junit(settings, junit)
    with progress(quiet) as told:
        report = api.evaluate_suite(
            settings, api.load(settings), read_suite(variants), command=_command(), progress=told
        )
    _finish(report, settings.out, junit)


@app.command()
def score(
    source: o.Source,
    variants: o.VariantsArgument,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN.trec…", help="One TREC run per model, over the variants.")],
    out: o.Out = None,
    measures: o.Measures = None,
    seed: o.Seed = None,
    part: o.Part = None,
    resamples: o.Resamples = None,
    interval: o.Interval = None,
    resample_by: o.ResampleBy = None,
    adjustment: o.Adjustment = None,
    allow_dangling: o.AllowDangling = False,
    sep: o.Sep = None,
    encoding: o.GivenEncoding = None,
    max_drop: o.MaxDrop = None,
    min_clean: o.MinClean = None,
    gate_on: o.GateOn = None,
    junit: o.JUnit = None,
    csv_dialect: o.CsvDialect = None,
) -> None:
    """Score rankings made elsewhere: originals under their query id, variants under their variant id."""
    from perturb import api
    from perturb.errors import ConfigError
    from perturb.report.cautions import missing
    from perturb.suite import read_suite

    settings = o.settings_from(
        source,
        out=out,
        measures=measures,
        seed=seed,
        part=part,
        resamples=resamples,
        interval=interval,
        resample_by=resample_by,
        adjustment=adjustment,
        allow_dangling=allow_dangling,
        sep=sep,
        encoding=encoding,
        max_drop=max_drop,
        min_clean=min_clean,
        gate_on=gate_on,
        csv_dialect=csv_dialect,
    )
    check_junit(settings, junit)
    files = {path.stem: path for path in runs}
    if len(files) < len(runs):
        raise ConfigError("two runs have the same file name; the name of the file names the model")
    report = api.score_runs(settings, api.load(settings), read_suite(variants), files, _command())
    for sentence in missing(report.evaluation):
        typer.echo(sentence, err=True)
    _finish(report, settings.out, junit)


@app.command()
def report(
    out: Annotated[Path, typer.Argument(metavar="DIR", help="The --out folder of a finished run.")],
    junit: o.JUnit = None,
    csv_dialect: o.CsvDialect = None,
    resample_by: o.ResampleBy = None,
    adjustment: o.Adjustment = None,
    measure: Annotated[
        str | None, typer.Option(help="Measure of the run that leads: explained in words, and limited by the gate.")
    ] = None,
) -> None:
    """Write the report of a finished run once more, from its variants and rankings."""
    from perturb import api

    again = api.report_again(
        out, csv_dialect=csv_dialect, resample_by=resample_by, adjustment=adjustment, measure=measure
    )
    _finish(again, out, junit)
