"""Write a new golden set: the queries of an old one and their variants, judgements inherited, origins kept."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from perturb import __version__
from perturb.errors import ConfigError, GoldenSetError
from perturb.golden.findings import Findings
from perturb.golden.folder import DESCRIPTION_FILE
from perturb.golden.goldenset import GoldenSet, content_hash
from perturb.golden.ids import UnusableValueError, read_id
from perturb.polish.text import clean
from perturb.records import ORIGINAL, Judgement, Query, Variant


@dataclass(frozen=True, slots=True)
class ExtendSummary:
    """What was written.

    Attributes:
        path: the new folder.
        sha256: content hash of the new golden set.
        queries: number of original queries.
        variants: number of variants that became queries.
        judgements: number of judgements of both.
        renamed: variants that got another id, because theirs was taken.
        repeated: variants left out, because their query or a variant of it has that text already.
        ambiguous: variants left out, because another query with other judgements has that text.
        blank: variants left out, because nothing is left of their text.
    """

    path: Path
    sha256: str
    queries: int
    variants: int
    judgements: int
    renamed: int
    repeated: int
    ambiguous: int
    blank: int


def extend(
    golden_set: GoldenSet, variants: Iterable[Variant], suite_header: Mapping[str, Any], out: Path
) -> ExtendSummary:
    """Write a BEIR folder with the golden set's queries and their variants.

    Variants named ``original`` are the queries themselves and are not repeated. The ``metadata`` of a variant in
    ``queries.jsonl`` holds ``parent``, ``variant_id``, ``perturbation``, ``kind``, ``edits``, ``seed``, ``confidence``
    and ``flags``. The folder appears whole or not at all.

    Args:
        golden_set: the set the variants were made from.
        variants: variants of its queries.
        suite_header: header of the suite, kept in ``goldenset.toml``.
        out: the new folder; may exist if it is empty.

    Raises:
        GoldenSetError: a variant belongs to no query or has an unusable id, or the suite was made from another set.
        ConfigError: ``out`` is a file, or a folder with something in it.
    """
    made_from = suite_header.get("golden_set")
    if made_from and made_from != golden_set.sha256:
        raise GoldenSetError(
            f"{golden_set.path}: the suite was made from another golden set or an older state of it "
            f"({str(made_from)[:12]}…, this is {golden_set.sha256[:12]}…); generate it again"
        )
    chosen, left_out = _usable(golden_set, variants)
    named = _with_free_ids(golden_set, chosen)
    judged: dict[str, list[Judgement]] = {}
    for judgement in golden_set.judgements:
        judged.setdefault(judgement.query_id, []).append(judgement)
    inherited = [
        Judgement(query_id, judgement.doc_id, judgement.grade)
        for query_id, variant in named
        for judgement in judged.get(variant.query_id, ())
    ]
    judgements = (*golden_set.judgements, *inherited)
    queries = (*golden_set.queries, *(Query(query_id, variant.text) for query_id, variant in named))
    with new_folder(out) as folder:
        _write_corpus(golden_set, folder)
        _write_queries(golden_set, named, folder)
        _write_lines(folder / "qrels.tsv", _qrels_lines(judgements))
        _write_lines(folder / DESCRIPTION_FILE, _description(golden_set, suite_header))
    return ExtendSummary(
        path=out,
        sha256=content_hash(golden_set.documents, queries, judgements),
        queries=len(golden_set.queries),
        variants=len(named),
        judgements=len(judgements),
        renamed=sum(query_id != variant.variant_id for query_id, variant in named),
        repeated=left_out["repeated"],
        ambiguous=left_out["ambiguous"],
        blank=left_out["blank"],
    )


def _usable(golden_set: GoldenSet, variants: Iterable[Variant]) -> tuple[list[Variant], Counter[str]]:
    """Variants that can stand as queries, and how many were left out for which reason."""
    judged: dict[str, set[tuple[str, int]]] = {query.query_id: set() for query in golden_set.queries}
    for judgement in golden_set.judgements:
        judged[judgement.query_id].add((judgement.doc_id, judgement.grade))
    answers = {query_id: frozenset(pairs) for query_id, pairs in judged.items()}
    meanings: dict[str, set[frozenset[tuple[str, int]]]] = {}
    seen = set()
    for query in golden_set.queries:
        meanings.setdefault(_folded(query.text), set()).add(answers[query.query_id])
        seen.add((query.query_id, query.text))
    fresh: list[Variant] = []
    left_out: Counter[str] = Counter()
    # Texts are cleaned as on loading, so that one that differs by an invisible character only counts as repeated.
    for variant in (replace(variant, text=clean(variant.text)) for variant in variants):
        if variant.query_id not in answers:
            raise GoldenSetError(
                f"{golden_set.path}: variant {variant.variant_id!r} belongs to query {variant.query_id!r}, "
                "which the golden set lacks; extend the set the suite was made from"
            )
        if variant.perturbation == ORIGINAL:
            continue
        if not variant.text.strip():
            left_out["blank"] += 1
            continue
        meanings.setdefault(_folded(variant.text), set()).add(answers[variant.query_id])
        if (variant.query_id, variant.text) in seen:
            left_out["repeated"] += 1
        else:
            seen.add((variant.query_id, variant.text))
            fresh.append(variant)
    usable = [variant for variant in fresh if len(meanings[_folded(variant.text)]) == 1]
    left_out["ambiguous"] = len(fresh) - len(usable)
    return usable, left_out


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _with_free_ids(golden_set: GoldenSet, variants: list[Variant]) -> list[tuple[str, Variant]]:
    taken = {query.query_id for query in golden_set.queries}
    named = []
    for variant in variants:
        try:
            wanted, _ = read_id(variant.variant_id, Findings())
        except UnusableValueError as problem:
            raise GoldenSetError(f"a variant of query {variant.query_id!r} {problem}") from None
        name = wanted
        number = 1
        while name in taken:
            number += 1
            name = f"{wanted}-{number}"
        taken.add(name)
        named.append((name, variant))
    return named


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """Give a temporary folder beside ``out``; on success it becomes ``out``, on failure it is removed.

    Raises:
        ConfigError: ``out`` is a file, or a folder with something in it.
    """
    if out.exists() and not out.is_dir():
        raise ConfigError(f"{out}: is a file; name a new folder")
    if out.is_dir() and any(out.iterdir()):
        raise ConfigError(f"{out}: is there already and not empty; name a new folder or remove it")
    out.parent.mkdir(parents=True, exist_ok=True)
    partial = out.with_name(f".{out.resolve().name}.{os.getpid()}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    try:
        yield partial
        if out.is_dir():
            out.rmdir()
        partial.rename(out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(line + "\n" for line in lines)


def _json_line(record: Mapping[str, object], metadata: Mapping[str, object] | None) -> str:
    return json.dumps({**record, "metadata": metadata} if metadata else record, ensure_ascii=False)


def _write_corpus(golden_set: GoldenSet, folder: Path) -> None:
    if not golden_set.documents:
        return
    lines = (
        _json_line(
            {"_id": document.doc_id, "title": document.title, "text": document.text},
            golden_set.document_metadata.get(document.doc_id),
        )
        for document in golden_set.documents
    )
    _write_lines(folder / "corpus.jsonl", lines)


def _write_queries(golden_set: GoldenSet, named: list[tuple[str, Variant]], folder: Path) -> None:
    def lines() -> Iterator[str]:
        for query in golden_set.queries:
            yield _json_line({"_id": query.query_id, "text": query.text}, golden_set.query_metadata.get(query.query_id))
        for query_id, variant in named:
            yield _json_line({"_id": query_id, "text": variant.text}, _origin(variant))

    _write_lines(folder / "queries.jsonl", lines())


def _origin(variant: Variant) -> dict[str, object]:
    return {
        "parent": variant.query_id,
        "variant_id": variant.variant_id,
        "perturbation": variant.perturbation,
        "kind": variant.kind,
        "edits": [
            {"start": edit.start, "end": edit.end, "before": edit.before, "after": edit.after} for edit in variant.edits
        ],
        "seed": variant.seed,
        "confidence": variant.confidence,
        "flags": sorted(variant.flags),
    }


def _qrels_lines(judgements: Iterable[Judgement]) -> Iterator[str]:
    yield "query-id\tcorpus-id\tscore"
    for query_id, doc_id, grade in judgements:
        yield f"{query_id}\t{doc_id}\t{grade}"


def _description(golden_set: GoldenSet, suite_header: Mapping[str, Any]) -> Iterator[str]:
    yield f"name = {_toml(golden_set.name + '-extended')}"
    yield ""
    yield "[origin]"
    yield f"golden_set = {_toml(golden_set.name)}"
    yield f"golden_set_sha256 = {_toml(golden_set.sha256)}"
    yield f"written_by = {_toml('perturb ' + __version__)}"
    yield ""
    yield "[suite]"
    for key, value in suite_header.items():
        if value is not None:
            yield f"{_toml(str(key))} = {_toml(value)}"


def _toml(value: object) -> str:
    """A value in TOML. JSON strings, whole numbers and truth values are TOML already, but for DEL."""
    if isinstance(value, Mapping):
        pairs = (f"{_toml(str(key))} = {_toml(inner)}" for key, inner in value.items() if inner is not None)
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, (list, tuple, set, frozenset)):
        entries = sorted(value) if isinstance(value, (set, frozenset)) else value
        return "[" + ", ".join(_toml(entry) for entry in entries if entry is not None) + "]"
    if isinstance(value, (str, bool, int)):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, float):
        return repr(value)
    return _toml(str(value))
