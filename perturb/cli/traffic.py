"""Subcommand about the user's own traffic: profile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from perturb.cli import options as o
from perturb.cli.main import app
from perturb.cli.progress import progress
from perturb.wording import counted

if TYPE_CHECKING:
    from perturb.traffic import Profile

_ROUGH = 50
"""Effective queries below which a profile says little about a traffic."""

_FOREIGN = 0.5
"""Share of Polish words below which a log is hardly Polish."""

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
    "english_terms_chosen": "  where there is a Polish one",
    "acronyms": "with an acronym",
    "abbreviations": "with an abbreviation",
    "abbreviations_chosen": "  where something can be abbreviated",
    "spacing": "with words wrongly joined or split",
    "spacing_chosen": "  where that happens readily",
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
    typer.echo(f"{counted(int(log['queries']), 'query', 'queries')}, {log['distinct']} distinct{left_out}")
    width = max(map(len, _SHOWN.values()))
    for kind, name in _SHOWN.items():
        found = profile.kinds[kind]
        share = found.share
        typer.echo(
            f"{name:<{width}}  {100 * share.estimate:5.1f} %  [{100 * share.low:.1f}; {100 * share.high:.1f}]"
            f"  of {_base(found.n, found.of)}"
        )
    words = profile.lengths.mean_words
    typer.echo(f"{'words per query':<{width}}  {words.estimate:5.1f}    [{words.low:.1f}; {words.high:.1f}]")
    if profile.left_out:
        left = ", ".join(profile.left_out)
        typer.echo(f"not in the mix, as fewer than {profile.enough} effective queries could show it: {left}")
    for caution in _cautions(log):
        typer.echo(f"warning: {caution}")


def _cautions(log: Mapping[str, float]) -> Iterator[str]:
    """What keeps a log from telling much."""
    if log["effective"] < _ROUGH:
        worth = f"{log['effective']:g} independent {'query' if log['effective'] == 1 else 'queries'}"
        yield f"the log is worth {worth}, fewer than {_ROUGH}: this profile is rough; give a longer log"
    if log["polish_words"] < _FOREIGN:
        yield (
            f"only {100 * log['polish_words']:.0f} % of the longer words are Polish: of another language, of names and "
            "codes the shares of diacritics and mistakes say nothing; is it the right column?"
        )


def _base(number: int, of: str) -> str:
    """The queries a share is of: *all 800 queries*, *12 questions*."""
    of = of.removesuffix(" (a sample in large logs)")
    if number == 1:
        return f"{of} (1)"
    return f"all {number} {of.removeprefix('all ')}" if of.startswith("all ") else f"{number} {of}"
