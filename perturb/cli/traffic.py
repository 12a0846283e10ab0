"""Subcommand about the user's own traffic: profile."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from perturb.cli import options as o
from perturb.cli.main import app
from perturb.cli.progress import progress

if TYPE_CHECKING:
    from perturb.traffic import Profile

_SHOWN = {
    "diacritics_none": "without diacritics",
    "diacritics_some": "some diacritics lost",
    "mistakes": "with a typing or spelling mistake",
    "omission": "  a letter left out",
    "substitution": "  a letter for another",
    "insertion": "  a letter too many",
    "transposition": "  letters swapped",
    "spelling": "  misspelt",
    "english_terms": "with an English term",
    "acronyms": "with an acronym",
    "abbreviations": "with an abbreviation",
    "lower": "all small letters",
    "upper": "all capitals",
    "question": "questions",
    "keywords": "keywords",
    "open_question": "questions without a question mark",
    "polite": "polite",
}


@app.command()
def profile(
    queries: Annotated[Path, typer.Argument(metavar="QUERIES", help="Query log: CSV, TSV, JSON Lines, or TXT.")],
    out: Annotated[Path, typer.Option(help="The profile to write.")] = Path("profile.toml"),
    column: Annotated[str | None, typer.Option(help="Column or field with the queries, or its number from 1.")] = None,
    sep: Annotated[str | None, typer.Option(help="Separator of the columns; told by content by default.")] = None,
    encoding: Annotated[str, typer.Option(help="Encoding of the log, such as cp1250.")] = "utf-8",
    examples: Annotated[
        bool, typer.Option("--examples", help="Keep a few queries per kind in the profile; without it no text is kept.")
    ] = False,
    quiet: o.Quiet = False,
) -> None:
    """Estimate from a query log how often each kind of noise occurs, for `perturb run GOLDENSET --profile FILE`."""
    from perturb.traffic import profile_log, read_log, write_profile

    log = read_log(queries, column=column, sep=sep, encoding=encoding)
    with progress(quiet) as told:
        found = profile_log(log, examples=examples, progress=told)
    write_profile(found, out)
    _show(found)
    typer.echo(f"profile: {out}")


def _show(profile: Profile) -> None:
    log = profile.log
    left_out = f", left out: {log['blank']} blank, {log['too_long']} too long" if log["blank"] + log["too_long"] else ""
    typer.echo(f"{log['queries']} queries, {log['distinct']} distinct{left_out}")
    width = max(map(len, _SHOWN.values()))
    for kind, name in _SHOWN.items():
        found = profile.kinds[kind]
        share = found.share
        typer.echo(
            f"{name:<{width}}  {100 * share.estimate:5.1f} %  [{100 * share.low:.1f}; {100 * share.high:.1f}]"
            f"  of {found.n} {found.of}"
        )
    words = profile.lengths.mean_words
    typer.echo(f"{'words per query':<{width}}  {words.estimate:5.1f}    [{words.low:.1f}; {words.high:.1f}]")
