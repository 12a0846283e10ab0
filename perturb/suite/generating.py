"""Making a suite: every query through every perturbation.

Every draw comes from ``random.Random(f"{seed}|{perturbation}|{query_id}|{index}")``, so that adding, removing or
reordering queries changes no other variant, on any machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from perturb import __version__
from perturb.drawing import draw
from perturb.errors import ConfigError
from perturb.perturbations import load_all
from perturb.perturbations.base import PERTURBATIONS, Perturbation
from perturb.polish.morphology import dictionary_id
from perturb.polish.parsed import ParsedQuery
from perturb.records import ORIGINAL, Query, Variant
from perturb.suite.shapes import Spec, Suite

DEFAULT_PERTURBATIONS = (
    "case",
    "number",
    "case_in_frame",
    "diacritics",
    "typo",
    "spelling",
    "english_terms",
    "polish_terms",
)
"""What ``perturb run`` applies when nothing else is asked for."""

DEFAULT_SEED = 13


class Tagger(Protocol):
    """What breaks ties that the dictionary leaves open, such as :class:`perturb.polish.pipeline.Tagger`."""

    description: str

    def __call__(self, query: ParsedQuery) -> None:
        """Set ``query.tags``."""
        ...


def specs_from(names: Iterable[str], tables: Mapping[str, Mapping[str, Any]] | None = None) -> tuple[Spec, ...]:
    """Turn names and ``[perturbation.NAME]`` tables into specs.

    Args:
        names: registered names, each once; ``original`` is always part of a suite and need not be named.
        tables: settings by name; the key ``draws`` says how often a drawing rule is called per query.

    Raises:
        ConfigError: a name is unknown, doubled, or a table configures a perturbation that is not used.
    """
    load_all()
    chosen = [name for name in names if name != ORIGINAL]
    for name, count in Counter(chosen).items():
        if count > 1:
            raise ConfigError(f"perturbation {name!r} is named {count} times; name it once")
    tables = dict(tables or {})
    specs = []
    for name in chosen:
        settings = dict(tables.pop(name, {}))
        draws = settings.pop("draws", None)
        if draws is not None and not isinstance(draws, int):
            raise ConfigError(f"[perturbation.{name}] draws = {draws!r}: give a whole number")
        spec = Spec(name, settings, draws)
        spec.build()
        specs.append(spec)
    for name in tables:
        PERTURBATIONS[name]
        raise ConfigError(
            f"[perturbation.{name}] has settings, but {name!r} is not among the perturbations of this run"
        )
    return tuple(specs)


def generate(
    queries: Sequence[Query],
    specs: Sequence[Spec],
    *,
    seed: int = DEFAULT_SEED,
    protected: Sequence[str] = (),
    golden_set_hash: str = "",
    lexicon_hashes: Mapping[str, str] | None = None,
    progress: Callable[[int], None] = lambda _: None,
    tagger: Tagger | None = None,
) -> Suite:
    """Perturb every query with every perturbation.

    Args:
        queries: cleaned queries with unique ids.
        specs: what to apply, in this order.
        seed: any whole number; same seed, same suite.
        protected: words and phrases nothing may change, such as product names.
        golden_set_hash: kept in the header.
        lexicon_hashes: kept in the header.
        progress: called with the number of queries done.
        tagger: gives queries the tags and tree of a trained pipeline, which break ties.

    Returns:
        The suite; its header counts coverage per perturbation.

    Raises:
        ConfigError: a spec is wrong, or a perturbation fails or yields what is no variant.
    """
    load_all()
    rules = [(spec, spec.build()) for spec in specs]
    taken = {query.query_id for query in queries}
    variants: list[Variant] = []
    applicable: Counter[str] = Counter()
    made: Counter[str] = Counter()
    duplicates: Counter[str] = Counter()
    declined: dict[str, Counter[str]] = {spec.name: Counter() for spec in specs}
    for done, query in enumerate(queries, 1):
        parsed = ParsedQuery(query, protected)
        if tagger is not None:
            tagger(parsed)
        variants.append(Variant(query.query_id, query.query_id, ORIGINAL, ORIGINAL, parsed.text))
        for spec, rule in rules:
            parsed.declined.clear()
            fresh, repeated = draw(parsed, spec.name, rule, seed, _draws(spec, rule))
            variants += (_named(variant, taken) for variant in fresh)
            applicable[spec.name] += bool(fresh)
            made[spec.name] += len(fresh)
            duplicates[spec.name] += repeated
            declined[spec.name].update(parsed.declined)
        progress(done)
    coverage = {
        spec.name: {
            "queries": len(queries),
            "applicable": applicable[spec.name],
            "variants": made[spec.name],
            "duplicates": duplicates[spec.name],
            "declined": dict(sorted(declined[spec.name].items())),
        }
        for spec in specs
    }
    header = {
        "perturb": __version__,
        "seed": seed,
        "spec": [{"name": s.name, "settings": dict(s.settings), "draws": _draws(s, rule)} for s, rule in rules],
        "protected": list(protected),
        "lexicons": dict(lexicon_hashes or {}),
        "morfeusz": dictionary_id(),
        "spacy_model": tagger.description if tagger is not None else "",
        "golden_set": golden_set_hash,
        "coverage": coverage,
    }
    return Suite(header, tuple(variants))


def _draws(spec: Spec, rule: Perturbation) -> int:
    return spec.draws if spec.draws is not None and rule.draws else rule.draws


def _named(variant: Variant, taken: set[str]) -> Variant:
    name = f"{variant.query_id}::{variant.perturbation}::{variant.kind}::{variant.variant_id}"
    while name in taken:
        name += "+"
    taken.add(name)
    v = variant
    return Variant(name, v.query_id, v.perturbation, v.kind, v.text, v.edits, v.confidence, v.flags, v.seed)
