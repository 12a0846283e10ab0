"""Options that several subcommands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from perturb.cli.streams import readable

if TYPE_CHECKING:
    from perturb.config import Settings

GoldenSetArgument = Annotated[
    str, typer.Argument(metavar="GOLDENSET", help="Folder of a golden set (BEIR), or `firma`, the bundled one.")
]
Source = Annotated[
    str, typer.Argument(metavar="GOLDENSET|perturb.toml", help="Folder of a golden set, `firma`, or a perturb.toml.")
]
VariantsArgument = Annotated[Path, typer.Argument(metavar="VARIANTS", help="variants.jsonl of `perturb generate`.")]
Models = Annotated[
    str | None,
    typer.Option(help="Comma-separated: bm25, e5-small, a hub id such as BAAI/bge-m3, a folder, hybrid:bm25+e5-small."),
]
Perturbations = Annotated[
    str | None, typer.Option(help="Comma-separated names, see `perturb perturbations`. Default: a mixed set of eight.")
]
Preset = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Perturbations and settings of one way to write: careful, desktop, dictated, mixed-office or mobile.",
    ),
]
Measures = Annotated[
    str | None, typer.Option(help="Comma-separated, such as recall@5,mrr@10; the first leads the report.")
]
Seed = Annotated[int | None, typer.Option(help="Any whole number; same seed, same variants and figures.")]
Out = Annotated[Path | None, typer.Option(help="Folder for the results.")]
Part = Annotated[str | None, typer.Option(help="Part of the golden set: dev, test, …")]
Protect = Annotated[str | None, typer.Option(help="Comma-separated words and phrases nothing may change.")]
Lexicons = Annotated[
    str | None, typer.Option(help="Comma-separated folders with own rows for the lexicons, files named alike.")
]
SpacyModel = Annotated[
    str | None, typer.Option(help="Trained spaCy pipeline whose tags and tree break ties, such as pl_core_news_lg.")
]
Resamples = Annotated[int | None, typer.Option(help="Resamples of intervals and tests.")]
Interval = Annotated[str | None, typer.Option(help="bca (default) or percentile.")]
ResampleBy = Annotated[
    str | None,
    typer.Option(
        "--resample-by",
        metavar="UNIT",
        help="What intervals and tests draw as a whole: query (default), near-duplicate (queries of the same words) "
        "or document (queries that share a relevant document).",
    ),
]
Adjustment = Annotated[
    str | None,
    typer.Option(
        "--adjustment",
        metavar="NAME",
        help="Correction for many tests: holm (default; bounds the chance of any false alarm) or bh "
        "(Benjamini-Hochberg; bounds the share of false alarms among the findings).",
    ),
]
Depth = Annotated[int | None, typer.Option(help="Documents retrieved per query.")]
PromptQuery = Annotated[str | None, typer.Option(help="Put before every query of Sentence-Transformers models.")]
PromptDocument = Annotated[str | None, typer.Option(help="Put before every document of Sentence-Transformers models.")]
MaxDrop = Annotated[float | None, typer.Option(help="Gate: largest drop allowed, in points, 0 to 1; exit 1 beyond it.")]
MinClean = Annotated[float | None, typer.Option(help="Gate: smallest clean score allowed, 0 to 1.")]
GateOn = Annotated[
    str | None,
    typer.Option(
        help="Gate on the `estimate` (default) or on the unfavourable `bound` of its interval.", metavar="WHAT"
    ),
]
JUnit = Annotated[Path | None, typer.Option("--junit", help="Write the result of the gate as JUnit XML.")]
Profile = Annotated[
    Path | None,
    typer.Option(help="profile.toml of `perturb profile`: adds traffic_mix, the noise of that traffic."),
]
CsvDialect = Annotated[
    str | None,
    typer.Option(
        "--csv-dialect",
        help="excel-pl: write the table also with semicolons and decimal commas for a spreadsheet, as *.excel.csv.",
    ),
]
AllowDangling = Annotated[bool, typer.Option("--allow-dangling", help="Accept judgements of unknown documents.")]
Sep = Annotated[
    str | None, typer.Option(help="Separator of delimited files of the golden set; told by content by default.")
]
Encoding = Annotated[str, typer.Option(help="Encoding of the files of the golden set.")]
GivenEncoding = Annotated[
    str | None, typer.Option(help="Encoding of the files of the golden set, such as cp1250. Default: utf-8.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress.")]


def names(text: str | None) -> tuple[str, ...] | None:
    """Split a comma-separated option; a comma inside parentheses does not separate."""
    if text is None:
        return None
    parts, depth, word = [], 0, ""
    for char in readable(text):
        depth += (char == "(") - (char == ")")
        if char == "," and not depth:
            parts.append(word.strip())
            word = ""
        else:
            word += char
    parts.append(word.strip())
    return tuple(part for part in parts if part)


def settings_from(
    source: str,
    *,
    models: str | None = None,
    perturbations: str | None = None,
    preset: str | None = None,
    measures: str | None = None,
    seed: int | None = None,
    out: Path | None = None,
    part: str | None = None,
    protect: str | None = None,
    lexicons: str | None = None,
    spacy_model: str | None = None,
    resamples: int | None = None,
    interval: str | None = None,
    resample_by: str | None = None,
    adjustment: str | None = None,
    depth: int | None = None,
    prompt_query: str | None = None,
    prompt_document: str | None = None,
    allow_dangling: bool = False,
    max_drop: float | None = None,
    min_clean: float | None = None,
    gate_on: str | None = None,
    profile: Path | None = None,
    csv_dialect: str | None = None,
    sep: str | None = None,
    encoding: str | None = None,
) -> Settings:
    """Settings from a golden set or a ``perturb.toml``, overridden by what the command line gives."""
    from perturb.config import Settings, read_config

    settings = read_config(Path(source)) if source.endswith(".toml") else Settings(golden_set=source)
    settings = settings.with_overrides(
        models=names(models),
        perturbations=names(perturbations),
        measures=names(measures),
        protected=names(protect),
        lexicons=names(lexicons),
        spacy_model=spacy_model,
        seed=seed,
        out=out,
        part=part,
        resamples=resamples,
        interval=interval,
        resample_by=resample_by,
        adjustment=adjustment,
        depth=depth,
        allow_dangling=allow_dangling or None,
        csv_dialect=csv_dialect,
        sep=sep,
        encoding=encoding,
    )
    limits = {"max_drop": max_drop, "min_clean": min_clean, "on": gate_on}
    settings = settings.with_overrides(
        gate={**settings.gate, **{key: value for key, value in limits.items() if value is not None}}
    )
    settings = _with_profile(_with_preset(settings, preset, perturbations), profile)
    prompts = {"prompt_query": prompt_query, "prompt_document": prompt_document}
    given = {key: value for key, value in prompts.items() if value is not None}
    return _with_prompts(settings, given) if given else settings


def _with_preset(settings: Settings, preset: str | None, perturbations: str | None) -> Settings:
    """The perturbations of a preset; settings that a perturb.toml has for them come before those of the preset."""
    if preset is None:
        return settings
    from perturb.errors import ConfigError
    from perturb.perturbations import presets

    if perturbations is not None:
        raise ConfigError("--preset and --perturbations both say what to apply; give one of the two")
    named, tables = presets.preset(preset.strip())
    return settings.with_overrides(perturbations=named, perturbation={**tables, **settings.perturbation})


def _with_profile(settings: Settings, path: Path | None) -> Settings:
    """The profile of the command line, or that of a perturb.toml once more, as --perturbations may have replaced it."""
    if path is not None:
        from perturb.traffic import read_profile

        return settings.with_profile(read_profile(path))
    return settings.with_profile(settings.profile) if settings.profile else settings


def _with_prompts(settings: Settings, prompts: dict[str, str]) -> Settings:
    """Prompts concern Sentence-Transformers models only: those of this run that are hub ids, folders or such tables."""
    from perturb.errors import ConfigError

    tables = {name: dict(table) for name, table in settings.retriever.items()}
    concerned = [
        name
        for name in settings.models
        if "/" in name
        or Path(name).is_dir()
        or tables.get(name, {}).get("kind") in ("sentence-transformers", "endpoint")
    ]
    if not concerned:
        raise ConfigError(
            "--prompt-query and --prompt-document need a Sentence-Transformers model or an endpoint among --models"
        )
    for name in concerned:
        tables[name] = {**tables.get(name, {}), **prompts}
    return settings.with_overrides(retriever=tables)
