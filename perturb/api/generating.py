"""Golden sets and suites, as the subcommands make them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.config import Settings
from perturb.errors import ConfigError
from perturb.golden.goldenset import GoldenSet, load_golden_set
from perturb.lexicon import lexicon_hashes
from perturb.resources import use_lexicons
from perturb.suite import Suite, generate, specs_from

if TYPE_CHECKING:
    from perturb.polish.pipeline import Tagger

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


def silent(_what: str, _done: int, _total: int) -> None:
    """Progress that is told to nobody."""


def load(settings: Settings, **options: Any) -> GoldenSet:
    """Read the golden set that the settings name."""
    if not settings.golden_set:
        raise ConfigError("no golden set; give its folder, or `firma` for the bundled one")
    return load_golden_set(
        settings.golden_set,
        part=settings.part,
        allow_dangling=settings.allow_dangling,
        sep=settings.sep,
        encoding=settings.encoding,
        **options,
    )


def generate_suite(settings: Settings, golden_set: GoldenSet | None = None, progress: Progress = silent) -> Suite:
    """Perturb every query of the golden set.

    Raises:
        PerturbError: the golden set or a perturbation is not as it should be.
    """
    use_lexicons([Path(folder) for folder in settings.lexicons])
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
        tagger=load_tagger(settings.spacy_model),
    )


def load_tagger(model: str | None) -> Tagger | None:
    """The trained pipeline of this name; nothing if none is named.

    Raises:
        ConfigError: it is not installed.
    """
    if not model:
        return None
    from perturb.polish.pipeline import Tagger  # loads spaCy

    return Tagger(model)


def _with_missing_noise(settings: Settings, golden_set: GoldenSet) -> Mapping[str, Mapping[str, Any]]:
    """Settings of the perturbations, with the noise that the queries still lack to be like the traffic."""
    from perturb.traffic import missing

    mix = dict(settings.perturbation["traffic_mix"])
    mix["shares"] = missing(mix["shares"], [query.text for query in golden_set.queries])
    return {**settings.perturbation, "traffic_mix": mix}
