"""Subcommands about golden sets: check, extend, split, review."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from perturb.cli import options as o
from perturb.cli.main import app


@app.command()
def check(
    golden_set: o.GoldenSetArgument,
    part: o.Part = None,
    allow_dangling: o.AllowDangling = False,
    sep: Annotated[str | None, typer.Option(help="Separator of delimited files; told by content by default.")] = None,
    encoding: Annotated[str, typer.Option(help="Encoding of the files.")] = "utf-8",
) -> int:
    """List everything that is wrong or odd in a golden set, with file and line; exit 1 if it cannot be used."""
    from perturb.golden.checks import check as findings_of

    found = findings_of(golden_set, part=part, allow_dangling=allow_dangling, sep=sep, encoding=encoding)
    for finding in found:
        typer.echo(f"{finding.severity}: {finding}")
    errors = sum(finding.severity == "error" for finding in found)
    warnings = len(found) - errors
    if not errors:
        from perturb.golden.goldenset import load_golden_set

        loaded = load_golden_set(golden_set, part=part, allow_dangling=allow_dangling, sep=sep, encoding=encoding)
        typer.echo(
            f"{len(loaded.documents)} documents, {len(loaded.queries)} queries, {len(loaded.judgements)} judgements; "
            f"{len(loaded.excluded)} queries cannot be scored"
        )
    typer.echo(f"{errors} errors, {warnings} warnings")
    return 1 if errors else 0


@app.command()
def extend(
    golden_set: o.GoldenSetArgument,
    variants: o.VariantsArgument,
    out: Annotated[Path, typer.Option(help="Folder of the new golden set; must be new or empty.")],
    part: o.Part = None,
    allow_dangling: o.AllowDangling = False,
) -> None:
    """Write a new golden set: the queries and their variants, judgements inherited, each variant's origin kept."""
    from perturb.golden.extend import extend as write_extended
    from perturb.golden.goldenset import load_golden_set
    from perturb.suite import read_suite

    suite = read_suite(variants)
    loaded = load_golden_set(golden_set, part=part, allow_dangling=allow_dangling)
    summary = write_extended(loaded, suite.variants, suite.header, out)
    typer.echo(
        f"{summary.queries} queries and {summary.variants} variants with {summary.judgements} judgements; left out: "
        f"{summary.repeated} repeated, {summary.ambiguous} ambiguous (equal to a query with other judgements)"
    )
    typer.echo(f"golden set: {summary.path}")
