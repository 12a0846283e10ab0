"""Subcommands about golden sets: check, extend, split, review."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from perturb.cli import options as o
from perturb.cli.main import app
from perturb.cli.streams import even_if_unread
from perturb.wording import counted

_ELSEWHERE = "the part of each query; put it into the golden set as split.tsv for --part to find it)"


@app.command()
def check(
    golden_set: o.GoldenSetArgument,
    part: o.Part = None,
    allow_dangling: o.AllowDangling = False,
    sep: o.Sep = None,
    encoding: o.Encoding = "utf-8",
) -> int:
    """List everything that is wrong or odd in a golden set, with file and line; exit 1 if it cannot be used."""
    from perturb.golden.checks import check as findings_of

    found = findings_of(golden_set, part=part, allow_dangling=allow_dangling, sep=sep, encoding=encoding)
    with even_if_unread():
        for finding in found:
            typer.echo(f"{finding.severity}: {finding}")
    errors = sum(finding.severity == "error" for finding in found)
    warnings = len(found) - errors
    if not errors:
        from perturb.golden.goldenset import load_golden_set

        loaded = load_golden_set(golden_set, part=part, allow_dangling=allow_dangling, sep=sep, encoding=encoding)
        typer.echo(
            f"{counted(len(loaded.documents), 'document')}, {counted(len(loaded.queries), 'query', 'queries')}, "
            f"{counted(len(loaded.judgements), 'judgement')}; "
            f"{counted(len(loaded.excluded), 'query', 'queries')} cannot be scored"
        )
        told = tuple(f"{finding.code}: " for finding in found)
        for note in loaded.notes:
            if not note.startswith(told):
                typer.echo(f"note: {note}")
    with even_if_unread():
        typer.echo(f"{counted(errors, 'error')}, {counted(warnings, 'warning')}")
    return 1 if errors else 0


@app.command()
def extend(
    golden_set: o.GoldenSetArgument,
    variants: o.VariantsArgument,
    out: Annotated[Path, typer.Option(help="Folder of the new golden set; must be new or empty.")],
    part: o.Part = None,
    allow_dangling: o.AllowDangling = False,
    sep: o.Sep = None,
    encoding: o.Encoding = "utf-8",
) -> None:
    """Write a new golden set: the queries and their variants, judgements inherited, each variant's origin kept."""
    from perturb.errors import ConfigError
    from perturb.golden.extend import extend as write_extended
    from perturb.golden.goldenset import load_golden_set
    from perturb.suite import read_suite

    suite = read_suite(variants)
    loaded = load_golden_set(golden_set, part=part, allow_dangling=allow_dangling, sep=sep, encoding=encoding)
    try:
        summary = write_extended(loaded, suite.variants, suite.header, out)
    except OSError as error:
        raise ConfigError(f"--out {out}: cannot be written ({error.strerror or error}); name another folder") from error
    typer.echo(
        f"{counted(summary.queries, 'query', 'queries')} and {counted(summary.variants, 'variant')} "
        f"with {counted(summary.judgements, 'judgement')}; left out: "
        f"{summary.repeated} repeated, {summary.ambiguous} ambiguous (equal to a query with other judgements)"
    )
    typer.echo(f"golden set: {summary.path}")


@app.command()
def split(
    golden_set: o.GoldenSetArgument,
    seed: Annotated[int, typer.Option(help="Any whole number; another seed, another split.")] = 0,
    dev_share: Annotated[float, typer.Option(help="Expected share of dev, above 0 and below 1.")] = 0.5,
    out: Annotated[
        Path | None, typer.Option(help="Folder for split.tsv, or a .tsv file; by default the golden set.")
    ] = None,
    allow_dangling: o.AllowDangling = False,
    sep: o.Sep = None,
    encoding: o.Encoding = "utf-8",
) -> None:
    """Part the queries into dev, to choose models on, and test, to report; see --part of the other subcommands.

    A query goes by a hash of its id, so that new queries move no old one. Queries with the same text stay together.
    """
    from collections import Counter

    from perturb.errors import ConfigError
    from perturb.golden.folder import SPLIT_FILE
    from perturb.golden.goldenset import load_golden_set
    from perturb.golden.split import split as parts_of
    from perturb.golden.split import write_split
    from perturb.resources import resource

    loaded = load_golden_set(
        golden_set,
        allow_dangling=allow_dangling,
        corpus_optional=True,
        qrels_optional=True,
        sep=sep,
        encoding=encoding,
    )
    if out is None and loaded.path.resolve().is_relative_to(resource("goldensets").resolve()):
        raise ConfigError(f"{golden_set} is bundled and stays as it is; give --out, or copy its folder and split that")
    path = out or loaded.path
    if out is None or out.is_dir() or out.suffix.lower() != ".tsv":
        path = path / SPLIT_FILE
    parts = parts_of(loaded, seed=seed, dev_share=dev_share)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_split(loaded, parts, path)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written ({error.strerror or error}); give --out") from error
    counts = Counter(parts.values())
    typer.echo(f"{counted(counts['dev'], 'query', 'queries')} in dev, {counts['test']} in test")
    inside = path.parent.resolve() == loaded.path.resolve()
    typer.echo(f"split: {path} (" + ("in the golden set, where --part finds it)" if inside else _ELSEWHERE))


@app.command()
def review(
    variants: o.VariantsArgument,
    export: Annotated[Path | None, typer.Option(help="Write a sheet to fill in: this file.")] = None,
    decisions: Annotated[Path | None, typer.Option(help="Read the sheet that was filled in.")] = None,
    out: Annotated[Path | None, typer.Option(help="The accepted suite, with --decisions.")] = None,
    sep: Annotated[
        str | None, typer.Option(help="Separator of the sheet: tab, ; or , (by default tab, or , for .csv).")
    ] = None,
    bom: Annotated[
        bool, typer.Option("--bom", help="Begin the sheet with a byte-order mark, which Excel needs.")
    ] = False,
    encoding: Annotated[str, typer.Option(help="Encoding of the sheet that is read.")] = "utf-8",
    only_decided: Annotated[
        bool, typer.Option("--only-decided", help="Leave out variants without a decision.")
    ] = False,
) -> None:
    """Have a person look at variants: --export a sheet, then turn its --decisions into the suite --out.

    The columns to fill in are decision (accept, reject or edit; also tak, nie, popraw), edited_text and comment. Rows
    left empty keep their variant, unless --only-decided.
    """
    from perturb.errors import ConfigError

    if (export is None) == (decisions is None):
        raise ConfigError("give either --export SHEET, or --decisions SHEET with --out SUITE")
    if export is not None:
        if out is not None or only_decided:
            raise ConfigError("--out and --only-decided belong to --decisions; --export names the sheet itself")
        _export(variants, export, sep, bom)
    elif decisions is not None:
        if out is None:
            raise ConfigError("--decisions needs --out, the file for the accepted suite")
        if sep is not None or bom:
            raise ConfigError("--sep and --bom belong to --export; how a sheet is written is told by content")
        _accept(variants, decisions, out, encoding, only_decided)


def _export(variants: Path, sheet: Path, sep: str | None, bom: bool) -> None:
    from perturb.errors import ConfigError
    from perturb.golden.dialects import known_separator
    from perturb.reviewing import export_suite
    from perturb.suite import read_suite

    separator = known_separator(sep) or ("," if sheet.suffix.lower() == ".csv" else "\t")
    suite = read_suite(variants)
    if sheet.exists():
        raise ConfigError(f"--export {sheet}: is there already and may hold decisions; name a new file")
    try:
        rows = export_suite(suite, sheet, sep=separator, bom=bom)
    except OSError as error:
        raise ConfigError(f"--export {sheet}: cannot be written ({error.strerror or error})") from error
    typer.echo(f"{counted(rows, 'variant')} to look at")
    typer.echo(f"sheet: {sheet}")


def _accept(variants: Path, sheet: Path, out: Path, encoding: str, only_decided: bool) -> None:
    from perturb.errors import ConfigError
    from perturb.golden.review import read_review
    from perturb.reviewing import reviewed
    from perturb.suite import read_suite, write_suite

    suite = reviewed(read_suite(variants), read_review(sheet, encoding=encoding), keep_undecided=not only_decided)
    try:
        write_suite(suite, out)
    except OSError as error:
        raise ConfigError(f"--out {out}: cannot be written ({error.strerror or error})") from error
    counts = suite.header["review"]
    typer.echo(", ".join(f"{counts[name]} {name}" for name in ("accepted", "rejected", "edited", "undecided")))
    typer.echo(f"variants: {out}")
