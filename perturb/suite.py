"""Suites: the variants of one golden set, with the settings that made them.

Every draw comes from ``random.Random(f"{seed}|{perturbation}|{query_id}|{index}")``, so that adding, removing or
reordering queries changes no other variant, on any machine.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from perturb import __version__
from perturb.drawing import draw
from perturb.errors import ConfigError, GoldenSetError, at
from perturb.files import replacing
from perturb.perturbations import load_all
from perturb.perturbations.base import PERTURBATIONS, Perturbation, build
from perturb.polish.morphology import dictionary_id
from perturb.polish.parsed import ParsedQuery
from perturb.records import ORIGINAL, Edit, Query, Variant, replay

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


@dataclass(frozen=True, slots=True)
class Spec:
    """A perturbation to apply, its settings, and how often it is drawn per query (``None``: its own default)."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    draws: int | None = None

    def build(self) -> Perturbation:
        """Make the perturbation.

        Raises:
            ConfigError: unknown name or setting.
        """
        if self.draws is not None and not 1 <= self.draws <= 1000:
            raise ConfigError(f"[perturbation.{self.name}] draws = {self.draws}: give a number from 1 to 1000")
        return build(self.name, self.settings)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far a perturbation reaches: queries it was tried on, queries with a variant, variants, and why not."""

    queries: int
    applicable: int
    variants: int
    duplicates: int
    declined: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Suite:
    """The variants of one golden set.

    Attributes:
        header: what made it: perturb version, seed, specs, lexicon hashes, Morfeusz dictionary, golden set hash.
        variants: originals first within each query, then its variants in the order of the specs.
    """

    header: Mapping[str, Any]
    variants: tuple[Variant, ...]

    @property
    def perturbations(self) -> tuple[str, ...]:
        """Names of those that have variants, in the order of the specs; others in the order of appearance."""
        present = dict.fromkeys(v.perturbation for v in self.variants if v.perturbation != ORIGINAL)
        named = [spec["name"] for spec in self.header.get("spec", ())]
        return tuple(dict.fromkeys(name for name in (*named, *present) if name in present))

    @property
    def sha256(self) -> str:
        """Hash of the variants: two suites with the same hash ask models the same questions."""
        digest = hashlib.sha256()
        for variant in self.variants:
            digest.update(f"{variant.variant_id}\0{variant.query_id}\0{variant.text}\n".encode())
        return digest.hexdigest()


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


def write_suite(suite: Suite, path: Path) -> None:
    """Write ``variants.jsonl``: the header on the first line, then one variant a line. Replaces the file at once."""
    with replacing(path) as partial, partial.open("w", encoding="utf-8", newline="\n") as lines:
        lines.write(json.dumps({"suite": suite.header}, ensure_ascii=False, sort_keys=True) + "\n")
        lines.writelines(json.dumps(as_json(variant), ensure_ascii=False) + "\n" for variant in suite.variants)


def as_json(variant: Variant) -> dict[str, Any]:
    """A variant as plain JSON, with the fields of :class:`Variant`."""
    return {
        "variant_id": variant.variant_id,
        "query_id": variant.query_id,
        "perturbation": variant.perturbation,
        "kind": variant.kind,
        "text": variant.text,
        "edits": [{"start": e.start, "end": e.end, "before": e.before, "after": e.after} for e in variant.edits],
        "confidence": variant.confidence,
        "flags": sorted(variant.flags),
        "seed": variant.seed,
    }


def read_suite(path: Path) -> Suite:
    """Read ``variants.jsonl``.

    Raises:
        GoldenSetError: the file is missing, has no header, or a line is not a variant; names file and line.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")  # splitlines would cut at U+2028
    except (OSError, UnicodeDecodeError) as error:
        raise GoldenSetError(f"{path}: cannot be read as a suite ({error}); give a variants.jsonl") from error
    header: Mapping[str, Any] | None = None
    variants: dict[str, Variant] = {}
    originals: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if header is None:
                header = _checked_header(record["suite"])
                continue
            variant = _from_json(record)
            if variant.query_id in originals and replay(originals[variant.query_id], variant.edits) != variant.text:
                raise ValueError("its edits do not give its text")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            what = "suite header" if header is None else "variant"
            raise GoldenSetError(f"{at(path, number)}: not a {what} ({error}); generate the suite again") from error
        if variant.variant_id in variants:
            raise GoldenSetError(
                f"{at(path, number)}: variant id {variant.variant_id!r} stands twice; ids must be unique"
            )
        variants[variant.variant_id] = variant
        if variant.perturbation == ORIGINAL:
            originals[variant.query_id] = variant.text
    if header is None:
        raise GoldenSetError(f"{path}: is empty; a suite begins with its header line")
    if not variants:
        raise GoldenSetError(f"{path}: holds no variants behind its header; generate the suite again")
    return Suite(header, tuple(variants.values()))


def _checked_header(header: Any) -> Mapping[str, Any]:
    """Refuse a header whose parts others rely on are of another kind; what is missing is not asked for."""
    spec = header.get("spec", []) if isinstance(header, dict) else None
    if not isinstance(spec, list) or not all(isinstance(s, dict) and isinstance(s.get("name"), str) for s in spec):
        raise TypeError("it is no object, or its spec no list of objects with a name")
    for key in ("coverage", "lexicons"):
        if not isinstance(header.get(key, {}), dict):
            raise TypeError(f"its {key} is no object")
    checked: Mapping[str, Any] = header
    return checked


def _from_json(record: Mapping[str, Any]) -> Variant:
    edits = tuple(Edit(int(e["start"]), int(e["end"]), str(e["before"]), str(e["after"])) for e in record["edits"])
    ids = [record[key] for key in ("variant_id", "query_id", "perturbation", "kind", "text", "seed")]
    if not all(isinstance(value, str) for value in ids) or not record["text"].strip():
        raise ValueError("ids and text must be non-empty strings")
    variant_id, query_id, perturbation, kind, text, seed = ids
    confidence, flags = float(record["confidence"]), frozenset(map(str, record["flags"]))
    if not 0 <= confidence <= 1:
        raise ValueError(f"confidence {confidence} is not between 0 and 1")
    return Variant(variant_id, query_id, perturbation, kind, text, edits, confidence, flags, seed)
