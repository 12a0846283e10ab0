"""Subcommands about Polish and about what there is to choose: inflect, show, models, perturbations."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from perturb.cli import options as o
from perturb.cli.main import app
from perturb.cli.streams import readable

if TYPE_CHECKING:
    from perturb.polish.phrases import PhraseTable


@app.command()
def inflect(
    phrase: Annotated[str | None, typer.Argument(metavar="PHRASE", help="A Polish noun phrase.")] = None,
    file: Annotated[Path | None, typer.Option(help="One phrase a line; - for standard input.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per phrase and line.")] = False,
    lexicons: o.Lexicons = None,
) -> int:
    """Show a noun phrase in its seven cases and two numbers; exit 1 if a phrase holds no noun that is known.

    With --json such a phrase has an empty lemma, no form in any cell and confidence 0.
    """
    from perturb.errors import ConfigError
    from perturb.polish.phrases import phrase_table
    from perturb.resources import use_lexicons

    use_lexicons([Path(folder) for folder in o.names(lexicons) or ()])
    if (phrase is None) == (file is None):
        raise ConfigError("give either one phrase or --file")
    phrase = readable(phrase) if phrase is not None else None
    unknown = 0
    for text in [phrase] if phrase is not None else _lines(file):
        if not text or not text.strip():
            if phrase is not None:
                raise ConfigError("the phrase is empty; give a Polish noun phrase")
            continue
        table = phrase_table(text.strip())
        unknown += table.confidence == 0
        typer.echo(json.dumps(_as_json(table), ensure_ascii=False) if as_json else _as_text(table))
    return 1 if unknown else 0


def _lines(file: Path | None) -> Iterator[str]:
    from perturb.errors import ConfigError

    if str(file) == "-":
        yield from sys.stdin
        return
    try:
        yield from Path(str(file)).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"--file {file}: cannot be read as UTF-8 text ({error})") from error


def _as_json(table: PhraseTable) -> dict[str, Any]:
    known = table.confidence > 0
    cells = {
        number: {case: list(forms) if known else [] for case, forms in row.items()}
        for number, row in table.cells.items()
    }
    lemma = table.lemma if known else ""
    return {"phrase": table.phrase, "lemma": lemma, "cells": cells, "confidence": round(table.confidence, 4)}


def _as_text(table: PhraseTable) -> str:
    if table.confidence == 0:
        return f"{table.phrase}: no noun phrase recognised"
    lines = [f"{table.phrase}  (lemma: {table.lemma}, confidence {table.confidence:.2f})"]
    rows = [(case, *("; ".join(table.cells[n][case]) or "–" for n in ("sg", "pl"))) for case in table.cells["sg"]]
    width = max(len(singular) for _, singular, _ in rows)
    lines += [f"  {case:<5} {singular:<{width}}  {plural}" for case, singular, plural in rows]
    return "\n".join(lines)


@app.command()
def show(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A query, in quotes.")],
    perturbations: Annotated[
        str | None,
        typer.Option(help="Comma-separated names, see `perturb perturbations`. Default: all of them but traffic_mix."),
    ] = None,
    seed: o.Seed = None,
    protect: o.Protect = None,
    lexicons: o.Lexicons = None,
    spacy_model: o.SpacyModel = None,
    as_json: Annotated[bool, typer.Option("--json", help="One variant per line, as in variants.jsonl.")] = False,
) -> None:
    """Show every variant of one query, edits highlighted, and why rules declined."""
    from perturb.api.generating import load_tagger
    from perturb.errors import ConfigError
    from perturb.perturbations import load_all
    from perturb.perturbations.base import PERTURBATIONS
    from perturb.polish.text import clean
    from perturb.records import ORIGINAL, Query
    from perturb.resources import use_lexicons
    from perturb.suite import DEFAULT_SEED, generate, specs_from
    from perturb.suite import as_json as variant_as_json

    query = readable(query)
    if not query.strip():
        raise ConfigError("the query is empty; give some text")
    if any("\ud800" <= char <= "\udfff" for char in query):
        raise ConfigError("the query holds half a character (a lone surrogate); type it again")
    use_lexicons([Path(folder) for folder in o.names(lexicons) or ()])
    load_all()
    named = o.names(perturbations)
    # The mix of one's own traffic says nothing without a profile, so that it is shown only if asked for.
    chosen = named or tuple(name for name in PERTURBATIONS if name != "traffic_mix")
    one = Query("query", clean(query))
    suite = generate(
        [one],
        specs_from(chosen),
        seed=seed if seed is not None else DEFAULT_SEED,
        protected=o.names(protect) or (),
        tagger=load_tagger(spacy_model),
    )
    variants = [variant for variant in suite.variants if variant.perturbation != ORIGINAL]
    if as_json:
        for variant in variants:
            typer.echo(json.dumps(variant_as_json(variant), ensure_ascii=False))
        return
    from perturb.report.show import each_once, show_variants

    show_variants(one, variants if named else each_once(variants), suite.header["coverage"])


@app.command()
def models() -> None:
    """List the models that can be named, and what each needs."""
    from perturb.retrieval.catalogue import ENDPOINT, RETRIEVERS, SENTENCE_TRANSFORMERS

    width = max(map(len, RETRIEVERS))
    for name in RETRIEVERS:
        entry = RETRIEVERS[name]
        needs = f" (needs {entry.requires})" if entry.requires else ""
        typer.echo(f"{name:<{width}}  {entry.summary}{needs}")
    typer.echo(f"{'ORG/NAME':<{width}}  {SENTENCE_TRANSFORMERS.summary}")
    typer.echo(f"{'[retriever.X]':<{width}}  {ENDPOINT.summary}")
    typer.echo(f"{'hybrid:A+B':<{width}}  reciprocal rank fusion of models A and B")


@app.command()
def perturbations(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per perturbation and line.")] = False,
) -> None:
    """List the perturbations, each with an example; a star marks those applied by default."""
    from perturb.perturbations import load_all
    from perturb.perturbations.base import PERTURBATIONS
    from perturb.suite import DEFAULT_PERTURBATIONS

    load_all()
    width = max(map(len, PERTURBATIONS))
    for name in PERTURBATIONS:
        rule = PERTURBATIONS[name]
        default = name in DEFAULT_PERTURBATIONS
        if as_json:
            record = {
                "name": name,
                "summary": rule.summary,
                "default": default,
                "examples": [list(e) for e in rule.examples],
            }
            typer.echo(json.dumps(record, ensure_ascii=False))
            continue
        typer.echo(f"{'*' if default else ' '} {name:<{width}}  {rule.summary}")
        if rule.examples:
            before, after = rule.examples[0]
            typer.echo(f"  {'':<{width}}  {before} → {after}")
