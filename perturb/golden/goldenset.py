"""The golden set: documents, queries and graded judgements that retrieval is measured against."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from perturb.errors import GoldenSetError
from perturb.golden.folder import resolve
from perturb.golden.reading import LoadOptions, Reading, read_golden_set
from perturb.golden.source import UTF8
from perturb.records import Document, Judgement, Query
from perturb.wording import counted


@dataclass(frozen=True)
class GoldenSet:
    """Documents, queries and judgements, validated and with cleaned texts.

    Attributes:
        name: from ``goldenset.toml``, else the folder's name.
        path: the folder.
        documents: in the order of the file; ids are unique.
        queries: in the order of the file, those without a relevant document too; ids are unique.
        judgements: in the order of the file; a pair of query and document occurs once, its query exists.
        notes: one line each: what was normalised and warned about, with counts.
        only_in_qrels: ids of judged queries that do not exist (only with ``allow_dangling``; not in ``judgements``).
        query_metadata: ``metadata`` of the queries that have some.
        document_metadata: ``metadata`` of the documents that have some.
    """

    name: str
    path: Path
    documents: tuple[Document, ...]
    queries: tuple[Query, ...]
    judgements: tuple[Judgement, ...]
    notes: tuple[str, ...] = ()
    only_in_qrels: tuple[str, ...] = ()
    query_metadata: Mapping[str, Mapping[str, object]] = field(default_factory=dict, compare=False, repr=False)
    document_metadata: Mapping[str, Mapping[str, object]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def unjudged(self) -> tuple[str, ...]:
        """Ids of queries that no judgement mentions, in the order of the queries."""
        judged = {judgement.query_id for judgement in self.judgements}
        return tuple(query.query_id for query in self.queries if query.query_id not in judged)

    @cached_property
    def without_relevant(self) -> tuple[str, ...]:
        """Ids of queries that are judged, but never above 0."""
        relevant = {judgement.query_id for judgement in self.judgements if judgement.grade > 0}
        out = relevant.union(self.unjudged)
        return tuple(query.query_id for query in self.queries if query.query_id not in out)

    @cached_property
    def excluded(self) -> frozenset[str]:
        """Ids of queries that no mean may contain: unjudged or without a relevant document."""
        return frozenset(self.unjudged).union(self.without_relevant)

    @cached_property
    def sha256(self) -> str:
        """Hash of the content, independent of the order of lines, of line ends and of the format.

        Reading the texts decides: two spellings that are cleaned to the same text give the same hash.
        """
        return content_hash(self.documents, self.queries, self.judgements)


def content_hash(documents: Iterable[Document], queries: Iterable[Query], judgements: Iterable[Judgement]) -> str:
    """SHA-256, in hexadecimal, over all records in the order of their ids."""
    digest = hashlib.sha256()
    tables: tuple[list[tuple[str | int, ...]], ...] = (
        sorted((document.doc_id, document.title, document.text) for document in documents),
        sorted((query.query_id, query.text) for query in queries),
        sorted(judgements),
    )
    for table in tables:
        digest.update(f"{len(table)}\n".encode())
        for record in table:
            digest.update(json.dumps(record, ensure_ascii=False).encode("utf-8") + b"\n")
    return digest.hexdigest()


def load_golden_set(
    path: Path | str,
    *,
    part: str | None = None,
    allow_dangling: bool = False,
    corpus_optional: bool = False,
    qrels_optional: bool = False,
    sep: str | None = None,
    encoding: str = UTF8,
) -> GoldenSet:
    """Read a golden set and refuse it if anything in it is wrong.

    Args:
        path: a folder with ``corpus``, ``queries`` and ``qrels`` (BEIR, JSON, CSV, TSV, TREC; ``.gz`` too), or the
            name of a bundled set, such as ``firma``.
        part: ``dev``, ``test``, …, from ``qrels/`` or ``split.tsv``; ``None`` for all (``qrels/test.tsv`` in BEIR).
        allow_dangling: accept judgements of queries or documents that do not exist. Those of unknown queries are left
            out; those of unknown documents are kept and count in the denominator of recall.
        corpus_optional: accept a set without documents (enough to score external runs).
        qrels_optional: accept a set without judgements (enough to generate variants).
        sep: separator of the delimited files that contain it; told by content if ``None``.
        encoding: of the files; UTF-8 may begin with a byte-order mark.

    Raises:
        GoldenSetError: with the first error, its file and line, and how many more there are.
        ConfigError: unknown encoding or unusable separator.
    """
    folder = resolve(path)
    reading = read_golden_set(folder, LoadOptions(part, allow_dangling, corpus_optional, qrels_optional, sep, encoding))
    errors = reading.findings.errors()
    if errors:
        more = len(errors) - 1
        rest = f" ({counted(more, 'more error')}; `perturb check {path}` lists all)" if more else ""
        raise GoldenSetError(f"{errors[0]}{rest}")
    return GoldenSet(
        name=reading.files.name,
        path=folder,
        documents=tuple(reading.documents),
        queries=tuple(reading.queries),
        judgements=tuple(reading.judgements),
        notes=(*_counts(reading), *reading.findings.notes()),
        only_in_qrels=reading.only_in_qrels,
        query_metadata=reading.query_metadata,
        document_metadata=reading.document_metadata,
    )


def _counts(reading: Reading) -> tuple[str, ...]:
    """The three-way count of queries, if the two files disagree."""
    if reading.files.qrels is None:
        return ()
    judged = {judgement.query_id for judgement in reading.judgements}
    both = sum(query.query_id in judged for query in reading.queries)
    only_queries = len(reading.queries) - both
    if not only_queries and not reading.only_in_qrels:
        return ()
    only_qrels = len(reading.only_in_qrels)
    return (
        f"queries with judgements: {both}; only among the queries: {only_queries}; only in the qrels: {only_qrels}",
    )
