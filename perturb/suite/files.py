"""``variants.jsonl``: the header on the first line, then one variant a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perturb.errors import GoldenSetError, at
from perturb.files import replacing
from perturb.records import ORIGINAL, Edit, Variant, replay
from perturb.suite.shapes import Suite


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
